"""Each annotator's errors under the model of Dawid and Skene, control items being known."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from reportgen.annotators.controls import figures_of, wilson
from reportgen.annotators.dawid_skene import (
    MOST_ITERATIONS,
    TOLERANCE,
    Truth,
    WeightedRatings,
    dawid_skene,
)
from reportgen.measures import ConfidenceInterval, Floats, Setting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import DawidSkene, Erring
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, ControlUnits

LEAST_ANNOTATORS = 3
SCALES = ("nominal", "ordinal")
# Cells of the table of units by categories: some hundred megabytes of floats.
MOST_CELLS = 5_000_000
# Three annotators, one of whom guesses, take thousands of iterations; a large campaign gets fewer.
LEAST_ITERATIONS = 300
WORK = 20_000_000
# What an annotator must have labelled before a word is said, and how little better than chance is near it.
LEAST_LABELLED = 20
NEAR = 0.2
# What those whom the model takes for good must agree by, beyond chance: benchmarks/truth.py.
ALPHA = "krippendorff_alpha"
TOLD = 0.1
# With more categories than these results have no matrices; a CSV beside them has every confusion.
MOST_CATEGORIES = 20
CONFUSIONS = ("annotator", "true", "given", "share")


class NotFitted(StrEnum):
    """Why there is no model; a closed list."""

    FEW = "it takes three annotators to tell their errors from the truth"
    SCALE = "it is a model of single categories without distances"
    ONE_CATEGORY = "only one category is declared or used, so that there is nothing to err about"
    NOTHING = "no unit was rated by two annotators"
    TOO_LARGE = "there are too many units and categories to fit it"
    UNSETTLED = "its probabilities had not settled after so many iterations"
    NO_TRUTH = (
        "as far as can be told, those whom it takes for good agree hardly more than by chance, so that there "
        "is no truth to hold anybody against"
    )


def errors(
    units: CodedUnits, controls: ControlUnits | None, *, matrices: bool
) -> tuple[DawidSkene, str | None]:
    """Return everybody's errors, or why they can't be told, and all confusions as CSV where they can.

    With `matrices` and few categories, everybody's confusion is in the model too.
    """
    if reason := _refused(units):
        return DawidSkene(undefined=reason), None
    names, data = _labelled(units, controls)
    most = min(MOST_ITERATIONS, max(LEAST_ITERATIONS, WORK // (len(data.weight) * data.categories)))
    fitted = dawid_skene(data, most_iterations=most)
    labelled, expected = _right(data, fitted, len(names))
    matrices = matrices and len(units.categories) <= MOST_CATEGORIES
    found = [
        _erring(name, place, fitted, (int(labelled[place]), float(expected[place])), matrix=matrices)
        for place, name in enumerate(names)
    ]
    known = int((data.known != NO_CATEGORY).sum())
    if known < LEAST_LABELLED and not _is_told(units, found):
        return DawidSkene(undefined=NotFitted.NO_TRUTH), None
    if not fitted.converged:
        return DawidSkene(undefined=NotFitted.UNSETTLED), None
    model = DawidSkene(
        units=int(data.weight.sum()),
        known=known,
        categories=units.categories,
        prevalence=dict(zip(units.categories, fitted.prevalence.tolist(), strict=True)),
        iterations=fitted.iterations,
        most_iterations=most,
        tolerance=TOLERANCE,
        converged=fitted.converged,
        annotators=tuple(found),
        annotators_in_all=len(found),
    )
    return model, csv_text(CONFUSIONS, _confusions(names, units.categories, fitted))


def _is_told(units: CodedUnits, found: Sequence[Erring]) -> bool:
    """Tell whether the model has a truth: whether those whom it takes for good agree beyond chance.

    Where nobody does, it takes for the truth what some happened to say alike. The interval of their alpha,
    units taken as independent, has to lie above TOLD: the best two of a few agree a little by chance alone.
    """
    bad = [place for place, each in enumerate(found) if each.near_chance or each.below_chance]
    kept = ~np.isin(units.annotator, bad)
    some = replace(
        units,
        unit=units.unit[kept],
        annotator=units.annotator[kept],
        label=units.label[kept],
        documents=(),
        unit_document=np.full(len(units.unit_document), NO_DOCUMENT),
    )
    interval = figures_of(some, Setting(), [ALPHA])[ALPHA].interval
    return isinstance(interval, ConfidenceInterval) and interval.low > TOLD


def _refused(units: CodedUnits) -> NotFitted | None:
    rated = np.unique(units.unit)
    checks = (
        (units.scale not in SCALES or units.joined, NotFitted.SCALE),
        (len(units.annotators) < LEAST_ANNOTATORS, NotFitted.FEW),
        (len(units.categories) <= 1, NotFitted.ONE_CATEGORY),
        (len(rated) == len(units.unit), NotFitted.NOTHING),
        (len(rated) * len(units.categories) > MOST_CELLS, NotFitted.TOO_LARGE),
    )
    return next((reason for wrong, reason in checks if wrong), None)


def _labelled(units: CodedUnits, controls: ControlUnits | None) -> tuple[tuple[str, ...], WeightedRatings]:
    """Return the annotators, and their labels of all rated units, control items with what they are.

    Rejected annotators are not among those of the units, and their labels of control items do not count.
    """
    names = units.annotators
    columns = [(units.unit, units.annotator, units.label)]
    weight, known = [units.unit_weight], [np.full(len(units.unit_weight), NO_CATEGORY, dtype=np.int64)]
    if controls is not None and controls.units.categories == units.categories:
        items = controls.units
        code = np.array([names.index(name) if name in names else -1 for name in items.annotators] or [0])
        there = code[items.annotator] >= 0
        unit = items.unit[there] + len(units.unit_weight)
        columns.append((unit, code[items.annotator[there]], items.label[there]))
        weight.append(items.unit_weight)
        known.append(controls.truth)
    unit, annotator, label = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    every_weight, every_known = np.concatenate(weight), np.concatenate(known)
    kept = every_weight[unit] > 0
    rated, place = np.unique(unit[kept], return_inverse=True)
    size = len(units.categories)
    rows = place.reshape(-1), annotator[kept], label[kept]
    return names, WeightedRatings(*rows, every_weight[rated], every_known[rated], size)


def _right(data: WeightedRatings, fitted: Truth, annotators: int) -> tuple[Codes, Floats]:
    """Return how many units each annotator labelled, and how many of the labels are right in expectation."""
    weight = data.weight[data.unit]
    labelled = np.zeros(annotators, dtype=np.int64)
    np.add.at(labelled, data.annotator, weight)
    likely = weight * fitted.posterior[data.unit, data.label]
    expected: Floats = np.bincount(data.annotator, weights=likely, minlength=annotators).astype(np.float64)
    return labelled, expected


def _erring(name: str, place: int, fitted: Truth, said: tuple[int, float], *, matrix: bool) -> Erring:
    """Return one annotator's errors; categories never met are left out of accuracy.

    `said` is how many units were labelled, and how many of them right in expectation.
    """
    labelled, expected = said
    met, confusion = fitted.errors_of(place)
    shares = np.where(met > 0, fitted.prevalence, 0.0)
    whole = float(shares.sum()) or 1.0
    given = (met[:, None] * confusion).sum(axis=0)
    blind = float((shares * given).sum()) / whole / (float(given.sum()) or 1.0)
    near, below = _beside_chance(labelled, expected, blind)
    return Erring(
        annotator=name,
        labelled=labelled,
        accuracy=float((shares * np.diagonal(confusion)).sum()) / whole,
        blind=blind,
        expected_right=expected,
        near_chance=near,
        below_chance=below,
        confusion=_matrix(met, confusion) if matrix else None,
    )


def _matrix(met: Floats, confusion: Floats) -> tuple[tuple[float | None, ...], ...]:
    """Return a confusion as results have it: nothing is known of categories that were never met."""
    rows = zip(met.tolist(), confusion.tolist(), strict=True)
    return tuple(tuple(row) if times > 0 else (None,) * len(row) for times, row in rows)


def _beside_chance(labelled: int, expected: float, blind: float) -> tuple[bool, bool]:
    """Tell whether an annotator with enough labels is right hardly more often than blind ones, or less often.

    Near chance is where the whole interval of the share of right labels lies below a fifth of the way from
    blind labels to perfect ones, and not below blind labels.
    """
    if labelled < LEAST_LABELLED:
        return False, False
    high = wilson(expected, labelled).high
    below = high < blind
    return not below and high < blind + NEAR * (1 - blind), below


def _confusions(
    names: Sequence[str], categories: Sequence[str], fitted: Truth
) -> Iterator[tuple[str, str, str, float]]:
    """Yield every share that is not zero: who gave what where which was true."""
    for place, name in enumerate(names):
        _, confusion = fitted.errors_of(place)
        true, given = np.nonzero(confusion)
        cells = zip(true.tolist(), given.tolist(), confusion[true, given].tolist(), strict=True)
        yield from ((name, categories[row], categories[column], share) for row, column, share in cells)
