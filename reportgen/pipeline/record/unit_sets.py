"""One unit set of results.json: what was a unit, and every figure."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from reportgen.campaign import Campaign, Guidelines
from reportgen.measures import (
    PairAgreement,
    PairSizeCurve,
    SymmetryTestResult,
    UnitSetAgreement,
    coincidences_of_two,
    computed_mean,
    computed_product,
    conditional_probabilities,
    label_counts,
    used_of_two,
)
from reportgen.measures.figures import figures_by_category, figures_by_name
from reportgen.pipeline.record.figures import (
    macro_over_documents,
    sets_content,
    together,
    uncertainty,
)
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import UnitSet, rounded
from reportgen.results.unit_sets import MOST_CELLS
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, Study

# Every two annotators: their tables and figures, and a row each where they are too many for that.

PAIR = 2
# With more categories than these, one pair of many shows only those that it used.
MOST_CATEGORIES = 20


def pairs_content(agreement: UnitSetAgreement) -> list[dict[str, Any]]:
    """Return what every two annotators' tables show; none of these is whole where they are too large."""
    whole = not is_sparse(agreement)
    return [_content(pair, agreement, whole=whole) for pair in agreement.pairs]


def is_sparse(agreement: UnitSetAgreement) -> bool:
    """Tell whether the tables of all pairs are too large to be written whole."""
    sizes = (len(_shown(used_of_two(pair.table), agreement.units.annotators)) for pair in agreement.pairs)
    return sum(size * size for size in sizes) > MOST_CELLS


def _content(pair: PairAgreement, agreement: UnitSetAgreement, *, whole: bool) -> dict[str, Any]:
    """Return the confusion matrix of a pair and everything computed from it."""
    annotators, categories = agreement.units.annotators, agreement.units.categories
    names = annotators[pair.table.first], annotators[pair.table.second]
    shown = _shown(used_of_two(pair.table), annotators)
    here = [categories[code] for code in shown]
    return {
        "annotators": names,
        "documents": pair.table.documents,
        "confusion": {
            "rows": names[0],
            "columns": names[1],
            "categories": here,
            **_counts(pair, shown, whole=whole),
        },
        "measures": figures_by_name(pair.measures),
        **_by_category(pair, agreement, whole=whole),
        **(_computed(pair, shown) if whole else {}),
        "size_curve": curve_content(pair.curve),
        "symmetry": {name: _test(test) for name, test in pair.tests.items()},
    }


def _counts(pair: PairAgreement, shown: Sequence[int], *, whole: bool) -> dict[str, Any]:
    """Return the table's cells, all or those that hold units."""
    cells, codes = pair.table.cells, np.array(shown, dtype=np.int64)
    if whole:
        return {"counts": cells.whole(codes).tolist()}
    places = (np.searchsorted(codes, each) for each in (cells.row, cells.column))
    return {"cells": np.stack([*places, cells.value], axis=1).tolist()}


def _computed(pair: PairAgreement, shown: Sequence[int]) -> dict[str, Any]:
    """Return the probabilities and distances that come from the table."""
    tables = pair.tables(np.array(shown, dtype=np.int64))
    names = ("computed_alpha", "computed_kappa")
    return {
        "conditional_probabilities": tables["conditional_probabilities"].tolist(),
        "distances": {name: tables[name].tolist() for name in names},
    }


def _by_category(pair: PairAgreement, agreement: UnitSetAgreement, *, whole: bool) -> dict[str, Any]:
    """Return what is known of each category of a pair, of sets of each label that they hold."""
    judged, sets = agreement.judged, agreement.units.sets
    shown = _shown(used_of_two(pair.table, sets), agreement.units.annotators)
    here = [judged[code] for code in shown]
    # What a table has for every pair of many is written for the two of whom the report is alone.
    has_rest = pair.against_rest and (whole or len(agreement.units.annotators) == PAIR)
    rest = [pair.against_rest[code] for code in shown] if has_rest else []
    counts = [] if sets is None else label_counts(pair.table, sets)
    return {
        "specific_agreement": figures_by_category([pair.specific[code] for code in shown], here),
        "against_rest": {name: figures_by_name(figures) for name, figures in zip(here, rest, strict=False)},
        "labels": {judged[code]: counts[code] for code in shown} if counts else {},
    }


def _shown(used: Mask, annotators: Sequence[str]) -> list[int]:
    """Return the codes of the categories that a pair's tables show; `used` tells which of them it used.

    One pair of many shows only those, where there are many: an inventory is large, and a pair's share of it
    small.
    """
    if len(annotators) == PAIR or len(used) <= MOST_CATEGORIES:
        return list(range(len(used)))
    return list(np.flatnonzero(used).tolist())


def curve_content(curve: PairSizeCurve | None) -> dict[str, Any] | None:
    """Return figures by the number of units."""
    return None if curve is None else asdict(curve)


def _test(test: SymmetryTestResult) -> dict[str, Any]:
    known = {name: value for name, value in vars(test).items() if value is not None}
    return known if test.undefined is None else {key: known[key] for key in known if key != "degrees"}


def pairs_csv(agreements: Iterable[UnitSetAgreement]) -> str | None:
    """Return the figures of every pair of too many annotators for a table each, None where there are few."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("layer", "unit_set", "first", "second", "units", "observed_agreement", "cohen_kappa"))
    crowded = [(each.units, each.pair_figures) for each in agreements if each.pair_figures is not None]
    for units, figures in crowded:
        columns = (figures.first, figures.second, figures.units, figures.observed, figures.kappa)
        for first, second, n, observed, kappa in zip(*(each.tolist() for each in columns), strict=True):
            names = units.annotators[first], units.annotators[second]
            undefined = math.isnan(kappa)
            writer.writerow(
                (units.layer, units.id, *names, n, rounded(observed), "" if undefined else rounded(kappa))
            )
    return buffer.getvalue() if crowded else None


def cells_csv(agreements: Iterable[UnitSetAgreement]) -> str | None:
    """Return the cells of tables that are not written whole, None where all are.

    Two categories that do not meet have probability 0 and distance 1, if each was used at all.
    """
    sparse = [each for each in agreements if is_sparse(each)]
    if not sparse:
        return None
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    head = ("layer", "unit_set", "rows", "columns", "row", "column", "units")
    writer.writerow((*head, "column_given_row", "row_given_column", "computed_alpha", "computed_kappa"))
    writer.writerows(row for each in sparse for pair in each.pairs for row in _cells(each.units, pair))
    return buffer.getvalue()


def _cells(units: CodedUnits, pair: PairAgreement) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a pair that hold units, either way round."""
    both = coincidences_of_two(pair.table)
    shares = conditional_probabilities(both)
    row, column = both.row, both.column
    distances = (each(both, pair.table.units).at(row, column) for each in (computed_mean, computed_product))
    columns = (pair.table.cells.at(row, column), shares.value, shares.at(column, row), *distances)
    people = units.annotators[pair.table.first], units.annotators[pair.table.second]
    for one, other, *values in zip(*(each.tolist() for each in (row, column, *columns)), strict=True):
        names = units.categories[one], units.categories[other]
        yield (units.layer, units.id, *people, *names, *map(rounded, values))


# One unit set of results.json: what was a unit, and every figure.

# What results.json says of a unit set in the words of the study.
AS_THEY_ARE = (
    *("layer", "id", "primary", "kind", "why", "scale", "annotators", "categories"),
    *("units", "units_read", "units_added", "base", "boundary", "several", "joined"),
)


def record_unit_set(agreement: UnitSetAgreement, study: Study, *, complete: bool = True) -> UnitSet:
    """Return one unit set of results.json alone; what is said beside intervals only if `complete`."""
    return UnitSet.model_validate(rounded(unit_set(agreement, study, complete=complete)))


def unit_set(agreement: UnitSetAgreement, study: Study, *, complete: bool = True) -> dict[str, Any]:
    """Return one unit set with all its figures, floats not yet rounded."""
    units = agreement.units
    return {
        **_description(units, study),
        **_sizes(units),
        "measures": figures_by_name(agreement.measures),
        "mean_over_pairs": {name: asdict(mean) for name, mean in agreement.mean_over_pairs.items()},
        "macro_over_documents": macro_over_documents(agreement),
        "specific_agreement": figures_by_category(agreement.specific, agreement.judged),
        "size_curve": curve_content(agreement.curve),
        "pairs": pairs_content(agreement),
        "sets": sets_content(agreement),
        **together(agreement),
        **(uncertainty(agreement) if complete else {}),
    }


def _description(units: CodedUnits, study: Study) -> dict[str, Any]:
    """Return what was a unit, who labelled it, with what, and what became of the marks."""
    absent = units.non_annotated
    return {
        **{name: getattr(units, name) for name in AS_THEY_ARE},
        "units_left_out": dict(units.units_left_out),
        "candidates": _candidates(units),
        "categories_declared": study.declared,
        "marks": {
            "read": study.marks_read,
            "used": units.marks_used,
            "left_out": {**study.passed_over, **units.marks_left_out},
            "missing": study.missing,
            "repeated": study.repeated,
            "contradicting": study.contradicting,
        },
        "non_annotated": None if absent == NO_CATEGORY else units.categories[absent],
        "labels": dict(zip(units.categories, _label_totals(units), strict=True)),
    }


def _sizes(units: CodedUnits) -> dict[str, Any]:
    """Return how many documents and units there are, and how many that two annotators labelled."""
    known = units.unit_document != NO_DOCUMENT
    raters = np.bincount(units.unit, minlength=len(known))
    compared = raters > 1
    return {
        "units_by_annotators": _by_raters(raters, units.unit_weight),
        "documents": len(np.unique(units.unit_document[known])),
        "documents_compared": len(np.unique(units.unit_document[known & compared])),
        "units_compared": int(units.unit_weight[compared].sum()),
        "units_alone": int(units.unit_weight[~known].sum()),
    }


def _candidates(units: CodedUnits) -> dict[str, Any] | None:
    if units.candidates is None:
        return None
    known = {name: value for name, value in asdict(units.candidates).items() if value}
    return {**known, "keep_marked": units.candidates.keep_marked}


def _by_raters(raters: Codes, weight: Codes) -> dict[str, int]:
    """Return how many units were rated by 0, 1, 2, … annotators, numbers that do not occur left out."""
    units = np.zeros(int(raters.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(units, raters, weight)
    return {str(number): count for number, count in enumerate(units.tolist()) if count}


def _label_totals(units: CodedUnits) -> list[int]:
    totals = np.zeros(len(units.categories), dtype=np.int64)
    np.add.at(totals, units.label, units.unit_weight[units.unit])
    return list(totals.tolist())


# Which coefficient is the primary one of a layer, and why: by the design of the campaign, never by values.
#
# The rule looks at what campaign.toml says of the whole campaign, so that the answer is the same in all
# versions. Krippendorff's alpha takes any number of annotators, missing ratings and any scale, and stands for
# annotators that others could replace; so it is the choice, with the distance of the scale. That a category
# prevails is a caveat that findings state, and no reason to choose another coefficient.

NOMINAL = "krippendorff_alpha"


class Reason(StrEnum):
    """Why a coefficient is the primary one; a closed list, translated when a page is rendered."""

    DECLARED = "The campaign declares it."
    ELSEWHERE = (
        "The campaign declares it for guidelines {version}, and all versions are held to one coefficient."
    )
    NOMINAL = "Categories are names without an order."
    ORDINAL = "Categories have an order, so that confusing neighbours is the lesser disagreement."
    INTERVAL = "Categories are numbers whose differences mean the same everywhere on the scale."
    RATIO = "Categories are amounts with a true zero, so that differences count in proportion."
    SET = "Annotators give sets of labels, and to leave one out is a lesser disagreement than to differ."
    SCALES = "Versions differ in their scale ({scales}), and in all of them categories can be taken as names."


BY_SCALE: Mapping[str, tuple[str, Reason]] = {
    "nominal": (NOMINAL, Reason.NOMINAL),
    "ordinal": (f"{NOMINAL}[ordinal]", Reason.ORDINAL),
    "interval": (f"{NOMINAL}[interval]", Reason.INTERVAL),
    "ratio": (f"{NOMINAL}[ratio]", Reason.RATIO),
    "set": (f"{NOMINAL}[masi]", Reason.SET),
}


@dataclass(frozen=True)
class PrimaryCoefficient:
    """The primary coefficient of a layer; `values` fills the places of the reason."""

    coefficient: str
    reason: Reason
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> bool:
        """Tell whether campaign.toml names it, for these guidelines or others."""
        return self.reason in {Reason.DECLARED, Reason.ELSEWHERE}


def choose(campaign: Campaign, version: str, layer: str) -> PrimaryCoefficient:
    """Return the primary coefficient of a layer under some guidelines.

    A declared one stands. Where other guidelines alone declare one, all that do the same and all on one
    scale, it holds for these too. Otherwise the scale decides, and where versions differ in it, categories
    are taken as names.
    """
    declared = {each.version: _asked(campaign, each, layer, "coefficient") for each in campaign.guidelines}
    if own := declared.get(version):
        return PrimaryCoefficient(own, Reason.DECLARED)
    scales = {_asked(campaign, each, layer, "scale") or "nominal": None for each in campaign.guidelines}
    named = {name: each for each, name in reversed(declared.items()) if name}
    if len(named) == 1 and len(scales) == 1:
        ((coefficient, other),) = named.items()
        return PrimaryCoefficient(coefficient, Reason.ELSEWHERE, {"version": other})
    return by_design(scales)


def by_design(scales: Iterable[str]) -> PrimaryCoefficient:
    """Return the coefficient that the scales of a layer in all versions call for."""
    different = list(dict.fromkeys(scales))
    if len(different) > 1:
        return PrimaryCoefficient(NOMINAL, Reason.SCALES, {"scales": ", ".join(different)})
    return PrimaryCoefficient(*BY_SCALE[different[0]])


def _asked(campaign: Campaign, guidelines: Guidelines, layer: str, key: str) -> str | None:
    """Return what a layer has for a key of [task]: its own, else that of the guidelines, else the task's."""
    own = [each for each in campaign.layers if each.id == layer]
    for part in (*own, guidelines):
        if key in part.model_fields_set:
            value: str | None = getattr(part, key)
            return value
    inherited: str | None = getattr(campaign.task, key)
    return inherited
