"""Every two annotators: their tables and figures, and a row each where they are too many for that."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import (
    PairAgreement,
    SizeCurve,
    SymmetryTest,
    UnitSetAgreement,
    coincidences_of_two,
    computed_mean,
    computed_product,
    conditional_probabilities,
    label_counts,
    used_of_two,
)
from reportgen.record.figures import by_category, by_name
from reportgen.results import rounded
from reportgen.results.pairs import MOST_CELLS
from reportgen.study import CodedUnits, Mask

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
        "measures": by_name(pair.measures),
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
        "specific_agreement": by_category([pair.specific[code] for code in shown], here),
        "against_rest": {name: by_name(figures) for name, figures in zip(here, rest, strict=False)},
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


def curve_content(curve: SizeCurve | None) -> dict[str, Any] | None:
    """Return figures by the number of units."""
    return None if curve is None else asdict(curve)


def _test(test: SymmetryTest) -> dict[str, Any]:
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
