"""Every two annotators: their tables and figures, and a row each where they are too many for that."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import PairAgreement, SizeCurve, SymmetryTest, UnitSetAgreement
from reportgen.record.figures import by_category, by_name
from reportgen.results import rounded

PAIR = 2
# With more categories than these, one pair of many shows only those that it used.
MOST_CATEGORIES = 20


def pair_content(pair: PairAgreement, annotators: Sequence[str], categories: Sequence[str]) -> dict[str, Any]:
    """Return the confusion matrix of a pair and everything computed from it."""
    names = annotators[pair.table.first], annotators[pair.table.second]
    shown = _shown(pair, annotators, categories)
    here = [categories[code] for code in shown]
    codes = np.array(shown, dtype=np.int64)
    tables = pair.tables(codes)
    rest = [pair.against_rest[code] for code in shown] if pair.against_rest else []
    return {
        "annotators": names,
        "documents": pair.table.documents,
        "confusion": {
            "rows": names[0],
            "columns": names[1],
            "categories": here,
            "counts": pair.table.cells.whole(codes).tolist(),
        },
        "measures": by_name(pair.measures),
        "specific_agreement": by_category([pair.specific[code] for code in shown], here),
        "against_rest": {name: by_name(figures) for name, figures in zip(here, rest, strict=False)},
        "conditional_probabilities": tables["conditional_probabilities"].tolist(),
        "distances": {
            "computed_alpha": tables["computed_alpha"].tolist(),
            "computed_kappa": tables["computed_kappa"].tolist(),
        },
        "size_curve": curve_content(pair.curve),
        "symmetry": {name: _test(test) for name, test in pair.tests.items()},
    }


def _shown(pair: PairAgreement, annotators: Sequence[str], categories: Sequence[str]) -> list[int]:
    """Return the codes of the categories that a pair's tables show.

    One pair of many shows only those that it used, where there are many: an inventory is large, and a
    pair's share of it small.
    """
    if len(annotators) == PAIR or len(categories) <= MOST_CATEGORIES:
        return list(range(len(categories)))
    return list(np.flatnonzero(pair.table.row_totals + pair.table.column_totals).tolist())


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
