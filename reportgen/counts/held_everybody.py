"""everybody.csv held against ratings.csv: annotators said the same of the same units in both."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportgen.counts.comparisons import with_absent
from reportgen.counts.kinds import ratings_rows
from reportgen.study import CodedUnits, Compared, Mask

# The document of a kind of units, and its ratings as the tables write them.
Kind = tuple[str, str]


def unlike(units: CodedUnits, compared: Compared) -> Iterator[tuple[Kind, int, int]]:
    """Yield each kind of units of which the two have another number, with both: first that of `units`.

    `units` are rated by annotators alone. Units that no annotator labelled, and of a declared size those that
    none marked, are passed over: there are more of them where others labelled some.
    """
    own = _of_annotators(compared)
    known = compared.chosen(np.arange(len(own.unit_weight), dtype=np.int64))
    marked = units.kind == "declared"
    one = _kinds(units, _labelled(units, units.non_annotated, marked=marked))
    other = _kinds(own, known & _labelled(own, compared.absent, marked=marked))
    for kind in sorted({*one, *other}):
        if one.get(kind) != other.get(kind):
            yield kind, one.get(kind, 0), other.get(kind, 0)


def _of_annotators(compared: Compared) -> CodedUnits:
    """Return the units with the labels of annotators alone."""
    units = with_absent(compared)
    people = compared.of_role("annotator")
    rows = np.isin(units.annotator, people)
    return replace(units, unit=units.unit[rows], annotator=units.annotator[rows], label=units.label[rows])


def _labelled(units: CodedUnits, absent: int, *, marked: bool) -> Mask:
    """Tell of which units (units,) there is a label; with `marked` one that is not that of unmarked units."""
    there = np.zeros(len(units.unit_weight), dtype=np.bool_)
    there[units.unit[units.label != absent] if marked else units.unit] = True
    return there


def _kinds(units: CodedUnits, kept: Mask) -> dict[Kind, int]:
    weighed = replace(units, unit_weight=np.where(kept, units.unit_weight, 0))
    # The names of layer and unit set are the same in both.
    rows = (map(str, row) for row in ratings_rows(weighed))
    return {(document, ratings): int(n) for _, _, document, ratings, n in rows}
