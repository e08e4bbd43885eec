"""Of a crowd of annotators: the worst for results, and everybody for a CSV beside them."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from reportgen.annotators.annotator_errors import LEAST_LABELLED
from reportgen.results import Figure, Quality
from reportgen.results.annotators import ControlAccuracy, Erring, Standing
from reportgen.results.model import csv_text

# With more annotators than these, results have the worst.
MOST_ANNOTATORS = 60
WORST = 20
LEVEL = 0.05
T = TypeVar("T")


def is_crowd(people: Sequence[object]) -> bool:
    """Tell whether annotators are too many to be all in results."""
    return len(people) > MOST_ANNOTATORS


def shown(everybody: Quality) -> Quality:
    """Return quality as results have it: of a crowd the worst alone."""
    controls, model = everybody.controls, everybody.dawid_skene
    return everybody.model_copy(
        update={
            "controls": controls
            and controls.model_copy(update={"annotators": _worst_of(controls.annotators, _least_accurate)}),
            "dawid_skene": model.model_copy(update={"annotators": _worst_of(model.annotators, _least_right)}),
            "annotators": _worst_of(everybody.annotators, _farthest),
        }
    )


def _worst_of(people: Sequence[T], badness: Callable[[T], tuple[Any, ...]]) -> tuple[T, ...]:
    """Return everybody in their order, or the worst of a crowd, for whom `badness` sorts first."""
    return tuple(sorted(people, key=badness)[:WORST]) if is_crowd(people) else tuple(people)


def _least_accurate(one: ControlAccuracy) -> tuple[float, str]:
    return 1.0 if one.accuracy.value is None else one.accuracy.value, one.annotator


def _least_right(one: Erring) -> tuple[bool, bool, float, str]:
    """Sort those near chance or below first, then by accuracy those with enough labels, then the others."""
    told_bad = one.near_chance or one.below_chance
    return not told_bad, one.labelled < LEAST_LABELLED, one.accuracy, one.annotator


def _farthest(one: Standing) -> tuple[bool, float, str]:
    """Sort whom a test tells apart first, then by how surely somebody agrees less than the others do."""
    difference, error = one.difference.value, one.difference.standard_error
    surely = difference / error if difference is not None and error else math.inf
    tested = [one.adjusted_p if surely < 0 else None, one.drift.adjusted_p if one.drift else None]
    return not any(p is not None and p < LEVEL for p in tested), surely, one.annotator


# Everybody in a crowd, as CSV.

CROWD = (
    "annotator", "units", "agreement", "agreement_low", "agreement_high", "others", "difference",
    "difference_low", "difference_high", "p", "adjusted_p", "documents", "slope", "slope_p",
    "slope_adjusted_p", "dawid_skene_accuracy", "dawid_skene_blind", "dawid_skene_labelled",
)  # fmt: skip
CONTROLS = ("annotator", "labelled", "right", "accuracy", "low", "high", "rejected")


def crowd_tables(everybody: Quality) -> Iterator[tuple[str, str]]:
    """Yield each table of a crowd by its path."""
    if is_crowd(everybody.annotators):
        yield f"tables/annotators.{everybody.layer}.csv", csv_text(CROWD, _crowd(everybody))
    if everybody.controls and is_crowd(everybody.controls.annotators):
        rows = _accuracies(everybody.controls.annotators)
        yield f"tables/controls-{everybody.layer}.csv", csv_text(CONTROLS, rows)


def _crowd(everybody: Quality) -> Iterator[Sequence[object]]:
    model = {each.annotator: each for each in everybody.dawid_skene.annotators}
    for one in everybody.annotators:
        drift, erring = one.drift, model.get(one.annotator)
        yield (
            one.annotator,
            one.agreement.units,
            one.agreement.value,
            *_ends(one.agreement),
            one.others,
            one.difference.value,
            *_ends(one.difference),
            one.p,
            one.adjusted_p,
            *((drift.documents, drift.slope.value, drift.p, drift.adjusted_p) if drift else (None,) * 4),
            *((erring.accuracy, erring.blind, erring.labelled) if erring else (None,) * 3),
        )


def _accuracies(people: Iterable[ControlAccuracy]) -> Iterator[Sequence[object]]:
    for one in people:
        yield (
            one.annotator,
            one.labelled,
            one.right,
            one.accuracy.value,
            *_ends(one.accuracy),
            one.rejected,
        )


def _ends(figure: Figure) -> tuple[float | None, float | None]:
    ends = figure.interval
    return (ends.low, ends.high) if ends else (None, None)
