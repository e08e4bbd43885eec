"""What is true, and how good each annotator is: the model of Dawid and Skene (1979) with partial pooling.

An annotator of few labels is taken to be like the others, one of many to be as these labels show. There are
two levels, as in Paun et al. (2018, TACL 6, 571-585): how often somebody is right at all is drawn to the mean
of all annotators; what somebody says of one category is drawn to what the usual confusion of categories and
that share of right labels make one expect. How strongly, follows from how much annotators differ more than
chance makes them differ (moments of the Dirichlet and multinomial distribution, in expectation over the
truth, which nobody knows). Nothing is certain after a few labels, so that probabilities are calibrated.

A unit's own labels do not count in the errors by which it is judged: each label's probability is
(n + κ m) / (N + κ), n and N being counts over all other units. That is collapsed variational inference
to the zeroth order (Asuncion et al. 2009, UAI), which integrates errors out instead of taking the likeliest.

Where units are hard for everybody, errors are alike, and probabilities too sure. That shows: labels of a unit
then foretell one left out less well than they claim. Probabilities are tempered, raised to the power at which
they foretell best (as Guo et al. 2017, ICML, temper those of networks).
"""

import math
from dataclasses import replace

import numpy as np

from reportgen.annotators.controls import normal_quantile, wilson
from reportgen.annotators.copies import copies_of, without_copies
from reportgen.annotators.dawid_skene import (
    LEAST_ANNOTATORS,
    LEAST_LABELLED,
    NotFitted,
    beside_chance,
    has_truth,
    labelled_units,
    refused,
)
from reportgen.annotators.rating_patterns import (
    ExpectedCounts,
    Patterns,
    WeightedRatings,
    by_cell,
    expected_counts,
    majorities,
    patterns_of,
    probabilities,
)
from reportgen.base.dataclass import dataclass
from reportgen.measures import LEVEL, Floats
from reportgen.measures.distributions import t_quantile
from reportgen.readers import Codes
from reportgen.results import Figure, Interval
from reportgen.results.annotators import PooledAnnotator, PooledModel
from reportgen.units import NO_CATEGORY, CodedUnits, ControlUnits
from reportgen.units.coded import sums_by

TOLERANCE, MOST_ITERATIONS = 1e-4, 1000
# From then on it is settled how strongly annotators are drawn to the mean.
SETTLING = 100
# The usual confusion of a category begins as that of all categories, which counts as so many labels.
OF_ALL_CATEGORIES = 60.0
# The mean counts as one label at least, and at most as so many times as many as annotators usually gave.
WEAKEST, STRONGEST = 1.0, 5.0
DECIMALS = 6
# Powers are eighths, which square roots give. Beside a label that is foretold its unit has two, and fewer
# labels than these say nothing of how well that goes.
EIGHTHS, LEAST_LEFT, LEAST_FORETOLD = 8, 2, 500
METHOD = "partial pooling, score interval with the effective number of labels"


@dataclass(frozen=True, eq=False)
class Strengths:
    """As how many labels the mean counts: in being right at all, and of each category (categories,)."""

    knowing: float
    categories: Floats


@dataclass(frozen=True, eq=False)
class Seen:
    """What annotators did, the truth being known by its probabilities.

    `usual` (categories, categories) is the confusion of all together, true categories as rows; of each
    annotator `right` (annotators,) of `labelled` are right, and would be `expected` by the usual confusion.
    """

    patterns: Patterns
    counts: ExpectedCounts
    usual: Floats
    right: Floats
    labelled: Floats
    expected: Floats

    @property
    def knowing(self) -> Floats:
        """Return how probable it is that a label of each category is right (categories,)."""
        return np.diagonal(self.usual)

    def drawn(self, who: Codes, right: Floats, labelled: Floats, strength: float) -> tuple[Floats, Floats]:
        """Return the share of right labels of annotators (who,), and by category (categories, who).

        Odds of being right are those of the category times how much better the annotator's are than expected.
        """
        expected = self.expected[who]
        share = (right + strength * expected) / (labelled + strength)
        better = share / (1 - share) * (1 - expected) / expected
        odds = (self.knowing / (1 - self.knowing))[:, None] * better
        return share, odds / (1 + odds)

    def of_labels(self, label: Codes, knowing: Floats) -> Floats:
        """Return how probable labels are (categories, labels) where `knowing` of each is right."""
        others = self.usual / (1 - self.knowing)[:, None]
        return np.where(
            label == np.arange(len(others))[:, None], knowing, (1 - knowing) * np.take(others, label, axis=1)
        )


@dataclass(frozen=True, eq=False)
class PooledTruth:
    """The fitted model.

    - `posterior` (units, categories): how probable each category is; `majorities` what most said, ties in
      equal parts, whatever annotators are worth; `prevalence` (categories,).
    - `usual` (categories, categories): what annotators usually say, true categories as rows.
    - `eighths`: of the power to which probabilities are raised, 8 where they are as they were.
    - `error_variance`: that of the share of units whose most probable category is wrong, by the model.
    - of each annotator (annotators,): `labelled` units, the share `accuracy` of right labels, were true
      categories as prevalent as they are, and its `variance`; `right` labels in expectation.
    """

    posterior: Floats
    majorities: Floats
    prevalence: Floats
    usual: Floats
    strengths: Strengths
    labelled: Floats
    right: Floats
    accuracy: Floats
    variance: Floats
    eighths: int
    error_variance: float
    iterations: int
    converged: bool

    def accuracy_of(self, annotator: int) -> Figure:
        """Return an annotator's accuracy, with Wilson's interval by the number of labels in effect.

        The variance itself is uncertain: the quantile is that of t with one degree less than there are parts.
        """
        share, variance = float(self.accuracy[annotator]), float(self.variance[annotator])
        return Figure(
            value=share,
            units=round(float(self.labelled[annotator])),
            standard_error=math.sqrt(variance),
            interval=_in_effect(share, variance),
        )

    @property
    def is_told_apart(self) -> bool:
        """Tell whether no category is usually taken for another."""
        return bool((np.diagonal(self.usual) >= self.usual.max(axis=1)).all())

    @property
    def errors(self) -> Floats:
        """Return how probable it is that the most probable category of each unit is wrong (units,)."""
        wrong: Floats = 1 - self.posterior.max(axis=1)
        return wrong

    @property
    def gains(self) -> Floats:
        """Return by how much one more label, of a usual annotator, makes that less probable (units,)."""
        best = np.zeros(len(self.posterior))
        for label in range(len(self.usual)):
            best += (self.posterior * self.usual[:, label]).max(axis=1)
        # Of differences only so many decimals are the same everywhere.
        gained: Floats = np.round(np.maximum(best - self.posterior.max(axis=1), 0.0), DECIMALS)
        return gained


@dataclass(frozen=True, eq=False)
class ModelledUnits:
    """The model of units of a set: its `truth`, of the units `rated` (numbers), and what it rests on.

    - `units`, `known`: of how many units, and of how many control items.
    - `groups`: of annotators, of whom nobody shares a unit with another group.
    - `copies`: annotators (codes) whose labels may be copies of another's, and so count once.
    - `majorities` (rated, categories): what most said, ties in equal parts; `weight` (rated,) how many units.
    """

    truth: PooledTruth
    rated: Codes
    units: int
    known: int
    groups: int
    copies: tuple[int, ...]
    majorities: Floats
    weight: Codes

    @property
    def of_rated(self) -> Floats:
        """Return how probable each category is of the units rated (rated, categories)."""
        return self.truth.posterior[: len(self.rated)]

    @property
    def gains(self) -> dict[int, float]:
        """Return by each unit rated what one more label brings."""
        return dict(zip(self.rated.tolist(), self.truth.gains.tolist(), strict=False))

    @property
    def expected_error(self) -> float:
        """Return the share of units whose most probable category is expected to be wrong."""
        return self._mean(self.truth.errors[: len(self.rated)])

    @property
    def error_interval(self) -> Interval | None:
        """Return where that share lies, None where nothing is left open."""
        return error_interval(self.truth.errors[: len(self.rated)], self.weight, self.truth.error_variance)

    @property
    def majority_error(self) -> float:
        """Return the share of units whose majority is expected to be wrong, one that ties by lot."""
        return self._mean(1 - (self.of_rated * self.majorities).sum(axis=1))

    def _mean(self, values: Floats) -> float:
        return float((values * self.weight).sum()) / int(self.weight.sum())


def _in_effect(share: float, variance: float) -> Interval:
    """Return Wilson's interval of a share of as many labels as would have its variance."""
    wider = t_quantile(PARTS - 1) / normal_quantile()
    labels = share * (1 - share) / (variance * wider * wider)
    ends = wilson(share * labels, labels)
    return Interval(low=ends.low, high=ends.high, level=LEVEL, method=METHOD)


def error_interval(errors: Floats, weight: Codes, variance: float) -> Interval | None:
    """Return where the share of wrong units lies, given how probably each is wrong (units,).

    Each is so by chance; how probable it is, the model does not know exactly: `variance` is that of the mean.
    """
    units = int(weight.sum())
    share = float((errors * weight).sum()) / units
    by_chance = float((errors * (1 - errors) * weight).sum()) / units**2
    return _in_effect(share, by_chance + variance) if by_chance + variance > 0 and 0 < share < 1 else None


def pooled_model(units: CodedUnits, controls: ControlUnits | None = None) -> ModelledUnits | NotFitted:
    """Return the model of units, `controls` being known; or why nobody can tell."""
    if reason := refused(units):
        return reason
    linked = _groups(units)
    if max(linked) < LEAST_ANNOTATORS:
        return NotFitted.UNLINKED
    of = copies_of(units)
    kept = without_copies(units, of)
    own = replace(units, unit=units.unit[kept], annotator=units.annotator[kept], label=units.label[kept])
    if reason := refused(own, people=len(units.annotators) - len(of)):
        return reason
    data = labelled_units(own, controls)
    truth = fitted(data)
    known = int((data.truth != NO_CATEGORY).sum())
    told = known >= LEAST_LABELLED or has_truth(own, _bad(data, truth, len(units.annotators)))
    checks = (
        (not told, NotFitted.NO_TRUTH),
        (not truth.converged, NotFitted.UNSETTLED),
        (not truth.is_told_apart, NotFitted.SWITCHED),
    )
    if wrong := [reason for failed, reason in checks if failed]:
        return wrong[0]
    weighted = units.unit[units.unit_weight[units.unit] > 0]
    rated = np.flatnonzero(np.bincount(weighted))
    return ModelledUnits(
        truth,
        rated,
        int(data.weight.sum()),
        known,
        len(linked),
        tuple(of),
        truth.majorities[: len(rated)],
        data.weight[: len(rated)],
    )


def described(units: CodedUnits, controls: ControlUnits | None) -> tuple[PooledModel, dict[int, float]]:
    """Return the model of a unit set as results have it, or why there is none; and by unit its gain."""
    model = pooled_model(units, controls)
    if isinstance(model, NotFitted):
        return PooledModel(undefined=model), {}
    names, truth = units.annotators, model.truth
    annotators = tuple(
        PooledAnnotator(annotator=names[code], labelled=round(labelled), accuracy=truth.accuracy_of(code))
        for code, labelled in enumerate(truth.labelled.tolist())
        if labelled and code not in model.copies
    )
    found = PooledModel(
        units=model.units,
        known=model.known,
        annotators=annotators,
        annotators_in_all=len(annotators),
        groups=model.groups if model.groups > 1 else None,
        copies=tuple(names[code] for code in model.copies),
        expected_error=model.expected_error,
        error_interval=model.error_interval,
        tempered=truth.eighths / EIGHTHS if truth.eighths < EIGHTHS else None,
        majority_error=model.majority_error,
    )
    return found, model.gains


def _groups(units: CodedUnits) -> list[int]:
    """Return how many annotators are linked by units that they share, directly or not, in each group."""
    rows = units.unit_weight[units.unit] > 0
    unit, annotator = units.unit[rows], units.annotator[rows]
    group, before = np.arange(len(units.annotators)), None
    of_unit = np.zeros(len(units.unit_weight), dtype=np.int64)
    while before is None or (group != before).any():
        before = group.copy()
        of_unit[:] = len(group)
        np.minimum.at(of_unit, unit, group[annotator])
        np.minimum.at(group, annotator, of_unit[unit])
    sizes: list[int] = np.bincount(group[np.unique(annotator)]).tolist()
    return [size for size in sizes if size]


def _bad(data: WeightedRatings, truth: PooledTruth, people: int) -> list[int]:
    """Return the annotators (codes) who are right hardly more often than chance, or less."""
    given = sums_by((data.annotator, data.label), data.weight[data.unit], (people, data.categories))
    labelled = given.sum(axis=1)
    blind = (given * truth.prevalence).sum(axis=1) / np.maximum(labelled, 1)
    told = zip(labelled.tolist(), truth.right.tolist(), blind.tolist(), strict=False)
    return [code for code, each in enumerate(told) if any(beside_chance(*each))]


# The model, fitted.


def fitted(data: WeightedRatings) -> PooledTruth:
    """Return the model, from what most said of each unit on; every unit has a rating.

    It stops when no posterior changes by more than the tolerance.
    """
    patterns = patterns_of(data)
    most = majorities(patterns)
    fit = settled(patterns, most)
    accuracy, variance = _accuracy(fit.seen, fit.strengths, fit.posterior)
    eighths, error_variance = _tempering(patterns, fit), 0.0
    few = patterns.annotators <= MOST_LEFT_OUT
    if few or len(patterns.row) <= MOST_LABELS:
        of_accuracy, error_variance = _variances_of_parts(patterns, data, fit, eighths)
        variance = np.maximum(variance, of_accuracy) if few else variance
    return PooledTruth(
        posterior=tempered(fit.posterior, eighths).T[patterns.pattern],
        majorities=most.T[patterns.pattern],
        prevalence=_prevalence(fit.seen),
        usual=fit.seen.usual,
        strengths=fit.strengths,
        labelled=fit.seen.labelled,
        right=fit.seen.right,
        accuracy=accuracy,
        variance=variance,
        eighths=eighths,
        error_variance=error_variance,
        iterations=fit.iterations,
        converged=fit.converged,
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """The model of patterns (categories, patterns), after so many iterations."""

    posterior: Floats
    seen: Seen
    strengths: Strengths
    iterations: int
    converged: bool


def settled(patterns: Patterns, posterior: Floats) -> Fit:
    """Return the model to which probabilities lead."""
    change, iterations, seen = 1.0, 0, _seen(patterns, posterior)
    strengths = _strengths(seen, posterior)
    while change > TOLERANCE and iterations < MOST_ITERATIONS:
        following = _posterior(seen, strengths, posterior)
        change = float(np.abs(following - posterior).max(initial=0.0))
        posterior, iterations, seen = following, iterations + 1, _seen(patterns, following)
        if iterations < SETTLING:
            strengths = _strengths(seen, posterior)
    return Fit(posterior, seen, strengths, iterations, change <= TOLERANCE)


# Of few annotators it is left out in turn each of so many parts of the units, to see how much is by chance;
# of more, each of whom has few labels, that says how far expected errors are, if it does not take too long.
MOST_LEFT_OUT, PARTS, MOST_LABELS = 20, 10, 5000


def _variances_of_parts(
    patterns: Patterns, data: WeightedRatings, fit: Fit, eighths: int
) -> tuple[Floats, float]:
    """Return the variance of each annotator's accuracy, and that of the expected share of wrong labels.

    By a jackknife over parts of the units.
    """
    accuracies, errors = list[Floats](), list[float]()
    for part in range(PARTS):
        weight = data.weight.copy()
        weight[part::PARTS] = 0
        some = replace(patterns, weight=sums_by(patterns.pattern, weight, len(patterns.weight)))
        if not some.weight.any():
            continue
        again = settled(some, fit.posterior)
        accuracies.append(_accuracy(again.seen, again.strengths, again.posterior)[0])
        wrong = 1 - tempered(again.posterior, eighths).max(axis=0)
        errors.append(float((wrong * patterns.weight).sum()) / max(int(patterns.weight.sum()), 1))
    apart = np.array(accuracies) - np.mean(accuracies, axis=0)
    mean = math.fsum(errors) / len(errors)
    of_errors = math.fsum((error - mean) ** 2 for error in errors)
    factor = (PARTS - 1) / PARTS
    variance: Floats = factor * (apart * apart).sum(axis=0)
    return variance, factor * of_errors


def _prevalence(seen: Seen) -> Floats:
    totals = seen.counts.totals
    shares: Floats = (totals + 1 / len(totals)) / (totals.sum() + 1)
    return shares


def _seen(patterns: Patterns, posterior: Floats) -> Seen:
    """Return what annotators did; the usual confusion of a rare category is drawn to that of all."""
    counts, size = expected_counts(patterns, posterior), patterns.categories
    usual = np.zeros((size, size))
    np.add.at(usual.T, patterns.cell_label, counts.said.T)
    total = usual.sum()
    knowing = float((np.trace(usual) + 1) / (total + 2))
    given = (usual.sum(axis=0) + 1 / size) / (total + 1)
    of_all = (1 - knowing) * given / (1 - given)[:, None]
    np.fill_diagonal(of_all, knowing)
    usual = (usual + OF_ALL_CATEGORIES * of_all) / (usual.sum(axis=1) + OF_ALL_CATEGORIES)[:, None]
    labelled = counts.met.sum(axis=0)
    due = (counts.met * np.diagonal(usual)[:, None]).sum(axis=0)
    expected = np.full(len(labelled), knowing)
    np.divide(due, labelled, out=expected, where=labelled > 0)
    return Seen(patterns, counts, usual, _rightly(patterns, counts.said), labelled, expected)


def _rightly(patterns: Patterns, values: Floats) -> Floats:
    """Return sums of values of cells (categories, cells) by annotator, where the label is the category."""
    own = values[patterns.cell_label, np.arange(len(patterns.cell_label))]
    sums: Floats = sums_by(patterns.cell_annotator, own, patterns.annotators)
    return sums


def _posterior(seen: Seen, strengths: Strengths, posterior: Floats) -> Floats:
    """Return how probable each category is of each pattern, by all other units."""

    def factors(cell: Codes) -> tuple[Floats, Codes]:
        own = posterior[:, : len(cell)]
        said = np.maximum(np.take(seen.counts.said, cell, axis=1) - own, 0.0)
        return np.frexp(_probable(seen, strengths, own, cell, (seen.patterns.cell_label[cell], said)))

    return probabilities(seen.patterns, _prevalence(seen), factors)


def _probable(
    seen: Seen, strengths: Strengths, own: Floats, cell: Codes, labels: tuple[Codes, Floats]
) -> Floats:
    """Return how probable `labels` (categories, labels) are of those who gave `cell`, by all other units.

    `own` (categories, labels) is how probable each category of the unit is; with the labels comes how often
    their annotators gave them to other units of each category.
    """
    patterns, strength, (label, said) = seen.patterns, strengths.categories[:, None], labels
    who, gave = patterns.cell_annotator[cell], patterns.cell_label[cell]
    right = np.maximum(seen.right[who] - own[gave, np.arange(len(cell))], 0.0)
    labelled = np.maximum(seen.labelled[who] - 1, 0.0)
    due = seen.of_labels(label, seen.drawn(who, right, labelled, strengths.knowing)[1])
    met = np.maximum(np.take(seen.counts.met, who, axis=1) - own, 0.0)
    probable: Floats = (said + strength * due) / (met + strength)
    return probable


def _others_said(seen: Seen, own: Floats, cell: Codes, label: Codes) -> Floats:
    """Return how often those who gave `cell` gave some labels to other units of each category."""
    patterns = seen.patterns
    names = patterns.cell_annotator * patterns.categories + patterns.cell_label
    asked = patterns.cell_annotator[cell] * patterns.categories + label
    place = np.minimum(np.searchsorted(names, asked), len(names) - 1)
    said = np.where(names[place] == asked, np.take(seen.counts.said, place, axis=1), 0.0)
    found: Floats = np.maximum(said - np.where(place == cell, own, 0.0), 0.0)
    return found


# How sure the others' labels may be: so sure as they foretell one that is left out.


def tempered(posterior: Floats, eighths: int) -> Floats:
    """Return probabilities (categories, units) raised to a power in eighths, by square roots."""
    if eighths == EIGHTHS:
        return posterior
    root, raised = posterior, np.ones_like(posterior)
    for part in (4, 2, 1):
        root = np.sqrt(root)
        if eighths & part:
            raised = raised * root
    shares: Floats = raised / raised.sum(axis=0)
    return shares


def _tempering(patterns: Patterns, fit: Fit) -> int:
    """Return the power, in eighths, at which a unit's other labels best foretell each of its labels.

    What is foretold is whether somebody gives the label that is most probable by the others, and what is
    smallest the sum of squared errors (Brier 1950). Chosen by simulation (benchmarks/pooled.py).
    """
    several = (patterns.cells != NO_CATEGORY).sum(axis=1) > LEAST_LEFT
    rows = np.flatnonzero(several & (patterns.truth == NO_CATEGORY) & (patterns.weight > 0))
    labels = (patterns.cells[rows] != NO_CATEGORY).sum(axis=1)
    if int((labels * patterns.weight[rows]).sum()) < LEAST_FORETOLD:
        return EIGHTHS
    errors = np.zeros(EIGHTHS + 1)
    for turn in range(patterns.cells.shape[1]):
        there = rows[patterns.cells[rows, turn] != NO_CATEGORY]
        cell, own = patterns.cells[there, turn], fit.posterior[:, there]
        label = patterns.cell_label[cell]
        said = np.maximum(np.take(fit.seen.counts.said, cell, axis=1) - own, 0.0)
        others = own / _probable(fit.seen, fit.strengths, own, cell, (label, said))
        others /= others.sum(axis=0)
        likeliest = others.argmax(axis=0)
        right = (label == likeliest).astype(np.float64)
        said = _others_said(fit.seen, own, cell, likeliest)
        says = _probable(fit.seen, fit.strengths, own, cell, (likeliest, said))
        for eighths in range(1, EIGHTHS + 1):
            missed = right - (tempered(others, eighths) * says).sum(axis=0)
            errors[eighths] += float((missed * missed * patterns.weight[there]).sum())
    # Where several are as good, the one that changes least.
    return EIGHTHS - int(np.round(errors[:0:-1], DECIMALS).argmin())


# How strongly annotators are drawn to the mean.


def _strengths(seen: Seen, posterior: Floats) -> Strengths:
    """Return how strongly, by moments.

    Where annotators differ with intraclass correlation ρ, N Σ (p - m)² is expected to be (1 - Σ m²)
    (1 + (N - 1) ρ), and the mean counts as κ = (1 - ρ) / ρ labels. What is left open of the truth adds to how
    much annotators may differ.
    """
    patterns, counts = seen.patterns, seen.counts
    unknown = by_cell(patterns, posterior * (1 - posterior) * patterns.weight)
    some = seen.labelled > 0
    labelled, right, expected = (each[some] for each in (seen.labelled, seen.right, seen.expected))
    by_chance = expected * (1 - expected)
    people = len(labelled)
    apart = labelled * (right / labelled - expected) ** 2 * people / max(people - 1, 1)
    apart += _rightly(patterns, unknown)[some] / labelled
    knowing = _strength(apart - by_chance, (labelled - 1) * by_chance, labelled)
    everybody = np.arange(patterns.annotators)
    _, drawn = seen.drawn(everybody, seen.right, seen.labelled, knowing)
    of_cell = counts.met[:, patterns.cell_annotator]
    share = np.zeros_like(counts.said)
    np.divide(counts.said, of_cell, out=share, where=of_cell > 0)
    due = seen.of_labels(patterns.cell_label, drawn[:, patterns.cell_annotator])
    others = seen.usual / (1 - seen.knowing)[:, None]
    squares = drawn**2 + (1 - drawn) ** 2 * ((others**2).sum(axis=1) - np.diagonal(others) ** 2)[:, None]
    # Labels that somebody never gave are no cells: of them (p - m)² is m², which `squares` has.
    moved = counts.met * (squares + _by_annotator(patterns, (share - due) ** 2 - due**2))
    open_ = _by_annotator(patterns, unknown * (1 - 2 * due + squares[:, patterns.cell_annotator]))
    several = counts.met > 1
    moved[several] += open_[several] / counts.met[several]
    by_chance = 1 - squares
    beyond, possible = moved - by_chance, (counts.met - 1) * by_chance
    categories = [
        _strength(beyond[row, there], possible[row, there], counts.met[row])
        for row, there in enumerate(several)
    ]
    return Strengths(knowing, np.array(categories))


def _by_annotator(patterns: Patterns, values: Floats) -> Floats:
    """Return sums of values of cells (categories, cells) by annotator (categories, annotators)."""
    sums = np.zeros((patterns.categories, patterns.annotators))
    sums[:, patterns.cell_annotator[patterns.people]] = np.add.reduceat(values, patterns.people, axis=1)
    return sums


def _strength(beyond: Floats, possible: Floats, labels: Floats) -> float:
    """Return as how many labels the mean counts.

    `beyond` is by how much more than chance annotators differ, `possible` by how much if they had nothing in
    common; `labels` are those of each.
    """
    usual = float((labels * labels).sum()) / (float(labels.sum()) or 1.0)
    most = max(STRONGEST * usual, WEAKEST)
    more, spread = float(beyond.sum()), float(possible.sum())
    return min(max((spread - more) / more, WEAKEST), most) if more > 0 and spread > 0 else most


def _accuracy(seen: Seen, strengths: Strengths, posterior: Floats) -> tuple[Floats, Floats]:
    """Return each annotator's share of right labels, by prevalence, and its variance (annotators,).

    Each category's is a mean of what was seen and what is due; both are beta distributed. To the variance
    adds what is left open of the truth.
    """
    patterns, met, prevalence = seen.patterns, seen.counts.met, _prevalence(seen)[:, None]
    strength, everybody = strengths.categories[:, None], np.arange(patterns.annotators)
    share, due = seen.drawn(everybody, seen.right, seen.labelled, strengths.knowing)
    right = np.zeros_like(met)
    right[patterns.cell_label, patterns.cell_annotator] = seen.counts.said[
        patterns.cell_label, np.arange(len(patterns.cell_label))
    ]
    known: Floats = (right + strength * due) / (met + strength)
    variance = (prevalence**2 * known * (1 - known) / (met + strength + 1)).sum(axis=0)
    by_mean = (prevalence * strength / (met + strength)).sum(axis=0)
    in_all = seen.labelled + strengths.knowing
    variance += by_mean**2 * share * (1 - share) / (in_all + 1)
    unknown = _rightly(patterns, by_cell(patterns, posterior * (1 - posterior) * patterns.weight))
    return (prevalence * known).sum(axis=0), variance + unknown / in_all**2
