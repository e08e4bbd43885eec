"""What the primary coefficient would be without one annotator: of those who stand out, never of everybody."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.agreement import Estimate, Setting
from reportgen.quality.beside import figures_of
from reportgen.quality.ratings import PAIR
from reportgen.quality.standing import Standing
from reportgen.study import CodedUnits

LEAST_ANNOTATORS = 3
MOST_ANNOTATORS = 50
MOST_LEFT_OUT = 5
LEVEL = 0.05


def without(
    units: CodedUnits, setting: Setting, figure: str, standings: Sequence[Standing]
) -> dict[int, Estimate]:
    """Return a figure without each annotator who agrees less than the others, or gave one label throughout.

    Keys are codes of annotators. Of each kind there are at most five, the farthest from the others first.
    Units marked by all annotators would be others without one of them, so that there is nothing to compare.
    """
    size = len(units.annotators)
    if not LEAST_ANNOTATORS <= size <= MOST_ANNOTATORS or units.kind == "annotated-by-all":
        return {}
    found: dict[int, Estimate] = {}
    for who in sorted({*_apart(standings), *_constant(units)}):
        kept = figures_of(left_out(units, who), setting, [figure]).get(figure)
        if kept is not None:
            found[who] = replace(kept, recomputable=False)
    return found


def left_out(units: CodedUnits, who: int) -> CodedUnits:
    """Return the units without the labels of one annotator; categories stay, and so do units.

    Where units are those that somebody marked, those that only this annotator marked go.
    """
    kept = units.annotator != who
    if units.kind == "annotated-by-any":
        marked = np.zeros(len(units.unit_weight), dtype=bool)
        marked[units.unit[kept & (units.label != units.non_annotated)]] = True
        kept &= marked[units.unit]
    annotator = units.annotator[kept]
    return replace(
        units,
        annotators=tuple(name for place, name in enumerate(units.annotators) if place != who),
        unit=units.unit[kept],
        annotator=annotator - (annotator > who),
        label=units.label[kept],
    )


def _apart(standings: Sequence[Standing]) -> list[int]:
    """Return those who agree less with the others than these among themselves, the surest first."""
    found = [
        (each.adjusted, each.difference.value, place)
        for place, each in enumerate(standings)
        if each.adjusted is not None and each.difference.value is not None
        if each.adjusted < LEVEL and each.difference.value < 0
    ]
    return [place for *_, place in sorted(found)[:MOST_LEFT_OUT]]


def _constant(units: CodedUnits) -> list[int]:
    """Return those who gave one label to every unit that others rated too, where not everybody did."""
    size = len(units.annotators)
    rated = np.bincount(units.unit, minlength=len(units.unit_weight))
    kept = (rated[units.unit] >= PAIR) & (units.unit_weight[units.unit] > 0)
    used = np.unique(units.annotator[kept] * len(units.categories) + units.label[kept])
    labels = np.bincount(used // len(units.categories), minlength=size)
    if len(np.unique(units.label[kept])) == 1:
        return []
    constant: list[int] = np.flatnonzero(labels == 1).tolist()
    return constant[:MOST_LEFT_OUT]
