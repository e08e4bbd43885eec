"""One unit set of results.json: what was a unit, and every figure; what is too large for it, as tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from reportgen.catalogue import ids_with, measure_of
from reportgen.measures.analysis import PairAgreement, UnitSetAgreement, over_documents, rated_twice
from reportgen.measures.coefficients import null_test
from reportgen.measures.distances import (
    coincidence_tables,
    coincidences_of_two,
    computed_mean,
    computed_product,
    conditional_probabilities,
)
from reportgen.measures.estimate import figure, figures_by_category, figures_by_name
from reportgen.measures.ratings_by_unit import PairFigures
from reportgen.measures.sets import judged, label_counts, sets_compared, used_of_two
from reportgen.measures.small_cells import small_cells, withheld
from reportgen.measures.standard_errors import bands, plan
from reportgen.readers import NO_DOCUMENT
from reportgen.results import Candidates, Confusion, Distances, Pair, UnitSet, UnitSetMarks
from reportgen.results.model import csv_text
from reportgen.results.parts import Withheld
from reportgen.results.unit_sets import MOST_CELLS, Coincidences, LabelCounts
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, Study
from reportgen.units.coded import sums_by

# With more categories than these, one pair of many shows only those that it used.
MOST_CATEGORIES = 20
# With more categories in use than these a matrix of them says nothing any more, and fills results.json.
MOST_COINCIDING = 60
COEFFICIENT = "coefficient"
# What results say of a unit set in the words of the study.
COPIED = (
    *("layer", "id", "primary", "kind", "why", "scale", "annotators"),
    *("units", "units_read", "units_added", "base", "boundary", "several", "joined"),
)

# What was a unit, who labelled it, and all figures.


def unit_set(
    agreement: UnitSetAgreement, study: Study, *, complete: bool = True, smallest: int = 1
) -> UnitSet:
    """Return one unit set, floats not yet rounded; what is said beside intervals only if `complete`.

    Where a person gave a label to fewer than `smallest` units, it is withheld in tables of that person.
    """
    units, units_of_all = agreement.units, agreement.whole
    against_rest = zip(agreement.judged, agreement.against_rest, strict=False)
    majority = zip(units.annotators, agreement.against_majority, strict=False)
    null, sparse = null_test(units_of_all.profiles), _is_sparse(agreement)
    return UnitSet(
        **_description(units, study),
        **_sizes(units),
        **(_uncertainty(agreement) if complete else {}),
        measures=figures_by_name(agreement.measures),
        rated_twice=figures_by_name(rated_twice(agreement)) or None,
        mean_over_pairs=agreement.mean_over_pairs,
        macro_over_documents={
            name: macro for name, macro in over_documents(units_of_all).items() if name in agreement.measures
        }
        or None,
        specific_agreement=figures_by_category(agreement.specific, agreement.judged),
        against_rest={name: figures_by_name(figures) for name, figures in against_rest},
        against_majority={name: figure(estimate) for name, estimate in majority},
        null_tests={"fleiss_kappa": null} if null else {},
        coincidences=_coincidences(agreement),
        size_curve=agreement.curve,
        pairs=tuple(
            _pair(pair, agreement, dense=not sparse).model_copy(update={"withheld": joined})
            for pair, joined in zip(agreement.pairs, _withheld(agreement, smallest), strict=True)
        ),
        sets=sets_compared(units_of_all),
    )


def _description(units: CodedUnits, study: Study) -> dict[str, Any]:
    """Return what was a unit, who labelled it, with what, and what became of the marks."""
    labels = sums_by(units.label, units.unit_weight[units.unit], len(units.categories))
    return {
        **{name: getattr(units, name) for name in COPIED},
        "units_left_out": dict(units.units_left_out),
        "candidates": _candidates(units),
        "categories": _categories(units),
        "categories_declared": study.declared,
        "marks": UnitSetMarks(
            read=study.marks_read,
            used=units.marks_used,
            left_out={**study.passed_over, **units.marks_left_out},
            not_compared=study.not_compared,
            missing=study.missing,
            repeated=study.repeated,
            contradicting=study.contradicting,
        ),
        "non_annotated": next(iter(_unmarked(units)), None),
        "labels": dict(zip(units.categories, labels.tolist(), strict=True)),
    }


def _categories(units: CodedUnits) -> tuple[str, ...]:
    """Return the categories; of marks that overlap these are the labels, and no combinations of them."""
    of_labels = units.sets is not None and units.base != "units"
    return (*judged(units), *_unmarked(units)) if of_labels else units.categories


def _unmarked(units: CodedUnits) -> tuple[str, ...]:
    """Return the category of unmarked units, if there is one."""
    return () if units.non_annotated == NO_CATEGORY else (units.categories[units.non_annotated],)


def _sizes(units: CodedUnits) -> dict[str, Any]:
    """Return how many documents and units there are, and how many that two annotators labelled."""
    in_document = units.unit_document != NO_DOCUMENT
    raters = np.bincount(units.unit, minlength=len(in_document))
    compared, rated = raters > 1, sums_by(raters, units.unit_weight, int(raters.max(initial=0)) + 1)
    return {
        # How many units were rated by 0, 1, 2, … annotators, numbers that do not occur left out.
        "units_by_annotators": {str(raters): count for raters, count in enumerate(rated.tolist()) if count},
        "documents": units.grouped or len(np.unique(units.unit_document[in_document])),
        "documents_compared": len(np.unique(units.unit_document[in_document & compared])),
        "document_groups": len(units.documents) if units.grouped else None,
        "pair_groups": _pair_groups(units),
        "units_compared": int(units.unit_weight[compared].sum()),
        "units_alone": int(units.unit_weight[~in_document].sum()),
    }


def _pair_groups(units: CodedUnits) -> int | None:
    """Return from how many documents, or groups of them, intervals of two annotators come, of sums."""
    if units.given is None or units.given.pairs is None or units.paired:
        return None
    if units.given.shared is not None:
        return int(units.given.shared[2].max(initial=0))
    return len(np.unique(units.given.pairs[2]))


def _candidates(units: CodedUnits) -> Candidates | None:
    candidates = units.candidates
    if candidates is None:
        return None
    return Candidates(
        file=candidates.file or None,
        terms=candidates.terms or None,
        layer=candidates.layer or None,
        keep_marked=candidates.keep_marked,
    )


def _coincidences(agreement: UnitSetAgreement) -> Coincidences | None:
    """Return the coincidences of more than two annotators, None where they are too many or nobody shares."""
    units = agreement.units
    if len(units.annotators) <= 2:
        return None
    met = agreement.whole.profiles.coincidences
    used = np.flatnonzero(met.totals)
    if not len(used) or len(used) > MOST_COINCIDING:
        return None
    tables = {name: table.tolist() for name, table in coincidence_tables(met, used).items()}
    return Coincidences(categories=tuple(units.categories[code] for code in used.tolist()), **tables)


# What is known of the uncertainty of figures beside their intervals.


def _uncertainty(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return benchmarks and plans of a unit set."""
    units = agreement.whole
    figures = {
        name: estimate
        for name, estimate in agreement.measures.items()
        if estimate.value is not None and measure_of(name).kind == COEFFICIENT
    }
    clusters = units.profiles.clusters.groups
    # Of groups nobody can annotate more.
    planned = {} if units.units.grouped else figures
    plans = {name: plan(estimate, clusters) for name, estimate in planned.items()}
    return {
        "benchmarks": {name: bands(estimate) for name, estimate in figures.items()} or None,
        "planning": {name: needed for name, needed in plans.items() if needed} or None,
    }


# Every two annotators: their tables and figures.


def _is_sparse(agreement: UnitSetAgreement) -> bool:
    """Tell whether the tables of all pairs are too large to be written whole."""
    sizes = (
        len(_shown_codes(used_of_two(pair.table), agreement.units.annotators)) for pair in agreement.pairs
    )
    return sum(size * size for size in sizes) > MOST_CELLS


def _pair(pair: PairAgreement, agreement: UnitSetAgreement, *, dense: bool) -> Pair:
    """Return the confusion matrix of a pair and everything computed from it."""
    annotators = agreement.units.annotators
    names = annotators[pair.table.first], annotators[pair.table.second]
    shown = _shown_codes(used_of_two(pair.table), annotators)
    return Pair(
        annotators=names,
        documents=pair.table.documents,
        confusion=Confusion(
            rows=names[0],
            columns=names[1],
            categories=tuple(agreement.units.categories[code] for code in shown),
            **_counts(pair, shown, dense=dense),
        ),
        measures=figures_by_name(pair.measures),
        **_by_category(pair, agreement, dense=dense),
        **(_computed(pair, shown) if dense else {}),
        size_curve=pair.curve,
        symmetry=pair.tests,
    )


def _withheld(agreement: UnitSetAgreement, smallest: int) -> Iterator[Withheld | None]:
    """Yield for each pair which labels its tables join, where labels are sets also which of their members."""
    units = agreement.units
    given = agreement.whole.counts.annotators
    sizes = len(units.annotators), len(units.categories)
    hidden = small_cells(sums_by((given.annotator, given.label), given.n, sizes), smallest)
    for pair in agreement.pairs:
        table, people = pair.table, [pair.table.first, pair.table.second]
        two = np.stack([table.row_totals, table.column_totals])
        joined = withheld(two, hidden[people], units.categories, smallest)
        if units.sets:
            joined = _with_members(joined, label_counts(table, units.sets), agreement.judged, smallest)
        yield joined


def _with_members(
    joined: Withheld | None, counts: Sequence[LabelCounts], names: Sequence[str], smallest: int
) -> Withheld | None:
    """Return what is withheld of sets with the labels that one of the two chose so seldom."""
    seldom = [
        name
        for name, chosen in zip(names, counts, strict=True)
        if any(0 < times < smallest for times in (chosen.first, chosen.second))
    ]
    labels = dict.fromkeys([*(joined.labels if joined else ()), *seldom])
    return Withheld(labels=tuple(labels), below=smallest) if labels else None


def _counts(pair: PairAgreement, shown: Sequence[int], *, dense: bool) -> dict[str, Any]:
    """Return the table's cells, all or those that have units."""
    cells, codes = pair.table.cells, np.array(shown, dtype=np.int64)
    if dense:
        return {"counts": cells.dense(codes).tolist()}
    places = (np.searchsorted(codes, column) for column in (cells.row, cells.column))
    return {"cells": np.stack([*places, cells.value], axis=1).tolist()}


def _computed(pair: PairAgreement, shown: Sequence[int]) -> dict[str, Any]:
    """Return the probabilities and distances that come from the table."""
    tables = {name: table.tolist() for name, table in pair.tables(np.array(shown, dtype=np.int64)).items()}
    return {
        "conditional_probabilities": tables["conditional_probabilities"],
        "distances": Distances(**{name: tables[name] for name in Distances.model_fields}),
    }


def _by_category(pair: PairAgreement, agreement: UnitSetAgreement, *, dense: bool) -> dict[str, Any]:
    """Return what is known of each category of a pair, of sets of each label in them."""
    judged, sets = agreement.judged, agreement.units.sets
    shown = _shown_codes(used_of_two(pair.table, sets), agreement.units.annotators)
    here = [judged[code] for code in shown]
    # What a table has for every pair of many is written for the two of whom the report is alone.
    has_rest = pair.against_rest and (dense or len(agreement.units.annotators) == 2)
    against_rest = [pair.against_rest[code] for code in shown] if has_rest else []
    counts = [] if sets is None else label_counts(pair.table, sets)
    return {
        "specific_agreement": figures_by_category([pair.specific[code] for code in shown], here),
        "against_rest": {
            name: figures_by_name(figures) for name, figures in zip(here, against_rest, strict=False)
        },
        "labels": {judged[code]: counts[code] for code in shown} if counts else {},
    }


def _shown_codes(used: Mask, annotators: Sequence[str]) -> list[int]:
    """Return the codes of the categories that a pair's tables show; `used` tells which of them it used.

    One pair of many shows only those, where there are many: an inventory is large, and a pair's share of it
    small.
    """
    if len(annotators) == 2 or len(used) <= MOST_CATEGORIES:
        return list(range(len(used)))
    return list(np.flatnonzero(used).tolist())


# What is too large for results.json: a row for each pair of a crowd, and for each cell of large tables.

PAIRS_HEAD = ("layer", "unit_set", "first", "second", "units", *ids_with(lambda measure: measure.crowds))
CELLS_HEAD = (
    *("layer", "unit_set", "rows", "columns", "row", "column", "units"),
    *("column_given_row", "row_given_column", "computed_alpha", "computed_kappa"),
)
Row = tuple[Any, ...]


def pairs_csv(agreements: Iterable[UnitSetAgreement]) -> str | None:
    """Return the figures of every pair of too many annotators for a table each, None where there are few."""
    crowds = [
        (crowd.units, crowd.pair_figures)
        for crowd in agreements
        if crowd.pair_figures is not None and not crowd.units.unnamed
    ]
    return csv_text(PAIRS_HEAD, (row for crowd in crowds for row in _every_pair(*crowd))) if crowds else None


def _every_pair(units: CodedUnits, figures: PairFigures) -> Iterator[Row]:
    columns = (figures.first, figures.second, figures.units, *figures.by_id.values())
    for first, second, *values in zip(*(column.tolist() for column in columns), strict=True):
        yield (units.layer, units.id, units.annotators[first], units.annotators[second], *values)


def cells_csv(agreements: Iterable[UnitSetAgreement], smallest: int) -> str | None:
    """Return the cells of tables that are not written whole, None where all are.

    Two categories that do not meet have probability 0 and distance 1, if each was used at all.
    """
    sparse = [agreement for agreement in agreements if _is_sparse(agreement)]
    if not sparse:
        return None
    pairs = (
        (agreement, pair, joined)
        for agreement in sparse
        for pair, joined in zip(agreement.pairs, _withheld(agreement, smallest), strict=True)
    )
    return csv_text(CELLS_HEAD, (row for pair in pairs for row in _cells(*pair)))


def _cells(agreement: UnitSetAgreement, pair: PairAgreement, joined: Withheld | None) -> Iterator[Row]:
    """Yield the cells of a pair that have units, either way round, without those of labels joined."""
    units, both = agreement.units, coincidences_of_two(pair.table)
    shares = conditional_probabilities(both)
    row, column = both.row, both.column
    mean, product = (compute(both, pair.table.units) for compute in (computed_mean, computed_product))
    chances = (shares.value, shares.at(column, row), mean.at(row, column), product.at(row, column))
    columns = (pair.table.cells.at(row, column), *chances)
    people = units.annotators[pair.table.first], units.annotators[pair.table.second]
    left_out = joined.labels if joined else ()
    for one, other, *values in zip(*(column.tolist() for column in (row, column, *columns)), strict=True):
        labels = units.categories[one], units.categories[other]
        if not set(labels) & set(left_out):
            yield (units.layer, units.id, *people, *labels, *values)
