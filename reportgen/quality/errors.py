"""Each annotator's errors under the model of Dawid and Skene, control items being known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from reportgen.agreement import Floats, Interval, Setting
from reportgen.quality.beside import figures_of
from reportgen.quality.patterns import Labelled
from reportgen.quality.truth import MOST_ITERATIONS, TOLERANCE, Truth, dawid_skene
from reportgen.quality.wilson import wilson
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, CodedUnits, Codes, ControlUnits

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


@dataclass(frozen=True, eq=False)
class Erring:
    """One annotator under the model: units labelled, accuracy Σ p_c π(c, c), and that of blind labels.

    `blind` is the accuracy of the annotator's own labels given at random. `confusion` (categories,
    categories) has true categories as rows and given ones as columns, NaN in rows of categories never met;
    `expected` is how many of the labels are right as far as the model knows.
    """

    annotator: str
    labelled: int
    expected: float
    accuracy: float
    blind: float
    confusion: Floats

    @property
    def enough(self) -> bool:
        """Tell whether so much was labelled that a word can be said."""
        return self.labelled >= LEAST_LABELLED

    @property
    def near_chance(self) -> bool:
        """Tell whether an annotator with enough labels is right hardly more often than blind ones are.

        So it is where the whole interval of the share of right labels lies below a fifth of the way from
        blind labels to perfect ones, and not below blind labels.
        """
        near = self.blind + NEAR * (1 - self.blind)
        return self.enough and not self.below_chance and wilson(self.expected, self.labelled).high < near

    @property
    def below_chance(self) -> bool:
        """Tell whether an annotator with enough labels is right less often than blind ones are."""
        return self.enough and wilson(self.expected, self.labelled).high < self.blind

    @property
    def told_bad(self) -> bool:
        """Tell whether an annotator is near chance, or below."""
        return self.near_chance or self.below_chance


@dataclass(frozen=True, eq=False)
class Errors:
    """The model of one layer; `known` units are control items."""

    units: int
    known: int
    prevalence: Floats
    annotators: tuple[Erring, ...]
    iterations: int
    converged: bool
    tolerance: float = TOLERANCE
    most_iterations: int = MOST_ITERATIONS


def errors(units: CodedUnits, controls: ControlUnits | None) -> Errors | NotFitted:
    """Return each annotator's errors, or why they can not be told."""
    if reason := _refused(units):
        return reason
    names, data = _labelled(units, controls)
    most = min(MOST_ITERATIONS, max(LEAST_ITERATIONS, WORK // (len(data.weight) * data.categories)))
    fitted = dawid_skene(data, most_iterations=most)
    labelled, expected = _right(data, fitted, len(names))
    found = tuple(_erring(name, place, fitted, labelled, expected) for place, name in enumerate(names))
    known = int((data.known != NO_CATEGORY).sum())
    if known < LEAST_LABELLED and not _is_told(units, found):
        return NotFitted.NO_TRUTH
    if not fitted.converged:
        return NotFitted.UNSETTLED
    return Errors(
        units=int(data.weight.sum()),
        known=known,
        prevalence=fitted.prevalence,
        annotators=found,
        iterations=fitted.iterations,
        converged=fitted.converged,
        most_iterations=most,
    )


def _is_told(units: CodedUnits, found: Sequence[Erring]) -> bool:
    """Tell whether the model has a truth: whether those whom it takes for good agree beyond chance.

    Where nobody does, it takes for the truth what some happened to say alike. The interval of their alpha,
    units taken as independent, has to lie above TOLD: the best two of a few agree a little by chance alone.
    """
    bad = [place for place, each in enumerate(found) if each.told_bad]
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
    return isinstance(interval, Interval) and interval.low > TOLD


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


def _labelled(units: CodedUnits, controls: ControlUnits | None) -> tuple[tuple[str, ...], Labelled]:
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
    return names, Labelled(*rows, every_weight[rated], every_known[rated], size)


def _right(data: Labelled, fitted: Truth, annotators: int) -> tuple[Codes, Floats]:
    """Return how many units each annotator labelled, and how many of the labels are right in expectation."""
    weight = data.weight[data.unit]
    labelled = np.zeros(annotators, dtype=np.int64)
    np.add.at(labelled, data.annotator, weight)
    likely = weight * fitted.posterior[data.unit, data.label]
    expected: Floats = np.bincount(data.annotator, weights=likely, minlength=annotators).astype(np.float64)
    return labelled, expected


def _erring(name: str, place: int, fitted: Truth, labelled: Codes, expected: Floats) -> Erring:
    """Return one annotator's errors; categories never met are left out of accuracy."""
    size = len(fitted.prevalence)
    start, end = np.searchsorted(fitted.cell_annotator, [place, place + 1]).tolist()
    met = fitted.met[place] if place < len(fitted.met) else np.zeros(size)
    confusion = np.zeros((size, size))
    confusion[:, fitted.cell_label[start:end]] = fitted.confusion[start:end].T
    shares = np.where(met > 0, fitted.prevalence, 0.0)
    whole = float(shares.sum()) or 1.0
    given = (met[:, None] * confusion).sum(axis=0)
    said = float(given.sum()) or 1.0
    return Erring(
        annotator=name,
        labelled=int(labelled[place]),
        expected=float(expected[place]),
        accuracy=float((shares * np.diagonal(confusion)).sum()) / whole,
        blind=float((shares * given).sum()) / whole / said,
        confusion=np.where(met[:, None] > 0, confusion, np.nan),
    )
