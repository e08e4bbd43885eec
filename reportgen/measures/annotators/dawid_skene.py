"""What is true, and how each annotator errs: the model of Dawid and Skene (1979), fitted by EM.

Each unit has one true category, of prevalence p_c; the annotator a gives it the label l with probability
π_a(c, l), whatever the others say. Units with the same ratings are taken together. Only products, sums and
shares are taken: a product over many ratings keeps its power of two apart, so that it neither vanishes nor
needs a logarithm.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import distinct_rows
from reportgen.counts.tables import dense_codes
from reportgen.measures import ConfidenceInterval, Floats, ScaleSetting
from reportgen.measures.comparisons import chosen_figures
from reportgen.measures.estimate import wilson
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import AnnotatorErrors, DawidSkene
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, ControlUnits
from reportgen.units.labels import Mask, quotient, side_by_side, sums_by


@dataclass(frozen=True, eq=False)
class WeightedRatings:
    """What annotators said: columns (ratings,), an annotator several times on a unit where need be.

    `weight` (units,) is how many units each is of, `truth` (units,) its true category or NO_CATEGORY.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    weight: Codes
    truth: Codes
    categories: int


@dataclass(frozen=True, eq=False)
class Patterns:
    """Units with the same ratings, taken together: the more ratings, the earlier.

    `cells` (patterns, most ratings) are filled up with NO_CATEGORY; `weight` and `truth` (patterns,);
    `pattern` (units,) is that of each unit. `order`, `row` and `starts` group ratings by cell, `people` cells
    by annotator.
    """

    cells: Codes
    weight: Codes
    truth: Codes
    pattern: Codes
    cell_annotator: Codes
    cell_label: Codes
    row: Codes
    starts: Codes
    people: Codes
    annotators: int
    categories: int

    @cached_property
    def lengths(self) -> list[int]:
        """Return how many patterns have a first, a second, … rating."""
        return [int(number) for number in (self.cells != NO_CATEGORY).sum(axis=0)]


def patterns_of(data: WeightedRatings) -> Patterns:
    """Return the patterns of units that all have a rating."""
    cells = (int(data.annotator.max(initial=-1)) + 1) * data.categories
    names, cell = dense_codes(data.annotator * data.categories + data.label, cells)
    distinct, pattern = _longest_first(*distinct_rows(_rows(data, cell)))
    weight = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(weight, pattern, data.weight)
    row, column = np.nonzero(distinct[:, 1:] != NO_CATEGORY)
    flat = distinct[row, column + 1]
    by_cell = np.argsort(flat, kind="stable")
    annotator = names // data.categories
    return Patterns(
        cells=distinct[:, 1:],
        weight=weight,
        truth=distinct[:, 0],
        pattern=pattern,
        cell_annotator=annotator,
        cell_label=names % data.categories,
        row=row[by_cell],
        starts=np.flatnonzero(np.diff(flat[by_cell], prepend=-1)),
        people=np.flatnonzero(np.diff(annotator, prepend=-1)),
        annotators=int(annotator.max(initial=-1)) + 1,
        categories=data.categories,
    )


def _rows(data: WeightedRatings, cell: Codes) -> Codes:
    """Return a row for each unit: what is known of it, then its cells in order, filled up."""
    order = np.lexsort((cell, data.unit))
    cells = side_by_side(data.unit[order], cell[order], len(data.weight), NO_CATEGORY)
    return np.column_stack([data.truth, cells])


def _longest_first(rows: Codes, row_of_unit: Codes) -> tuple[Codes, Codes]:
    """Return rows with the most ratings first, and the place of each unit among them."""
    order = np.argsort(-(rows[:, 1:] != NO_CATEGORY).sum(axis=1), kind="stable")
    rank = np.zeros(len(rows), dtype=np.int64)
    rank[order] = np.arange(len(rows))
    return rows[order], rank[row_of_unit]


def label_shares(patterns: Patterns) -> Floats:
    """Return the share of each label (categories, patterns) among a unit's; what is known is certain."""
    label_sums = np.zeros((patterns.categories, len(patterns.cells)))
    row, column = np.nonzero(patterns.cells != NO_CATEGORY)
    np.add.at(label_sums, (patterns.cell_label[patterns.cells[row, column]], row), 1.0)
    return _with_known(patterns, label_sums / label_sums.sum(axis=0))


def _with_known(patterns: Patterns, posterior: Floats) -> Floats:
    columns = np.flatnonzero(patterns.truth != NO_CATEGORY)
    posterior[:, columns] = 0.0
    posterior[patterns.truth[columns], columns] = 1.0
    return posterior


@dataclass(frozen=True, eq=False)
class ExpectedCounts:
    """How many units are, and were said to be, what; the truth being known by its probabilities.

    `totals` (categories,) are units of each true category, `said` (categories, cells) how often each label
    was given to them, `met` (categories, annotators) how many each annotator labelled.
    """

    totals: Floats
    said: Floats
    met: Floats


def by_cell(patterns: Patterns, values: Floats) -> Floats:
    """Return sums of values of patterns (categories, patterns) over those that each cell is in."""
    sums: Floats = np.add.reduceat(np.take(values, patterns.row, axis=1), patterns.starts, axis=1)
    return sums


# So many factors between a half and one stay above the smallest number before the power is set apart again.
FACTORS = 500
LEAST_POWER = -2000
# The power of two of an impossible category; no product has so low a one.
IMPOSSIBLE = -(2**60)
# From the cells that the first patterns have in one place to factors (categories, patterns), as `frexp`
# parts them.
Factors = Callable[[Codes], tuple[Floats, Codes]]


def probabilities(patterns: Patterns, prevalence: Floats, factors: Factors) -> Floats:
    """Return how probable each category is of each pattern: its prevalence times a factor for each rating."""
    start, start_power = np.frexp(prevalence)
    shape = (patterns.categories, len(patterns.cells))
    product = np.broadcast_to(start[:, None], shape).copy()
    power = np.broadcast_to(start_power[:, None], shape).astype(np.int64)
    for turn, there in enumerate(patterns.lengths):
        factor, factor_power = factors(patterns.cells[:there, turn])
        product[:, :there] *= factor
        power[:, :there] += factor_power
        if turn % FACTORS == FACTORS - 1:
            product, more = np.frexp(product)
            power += more
    product, more = np.frexp(product)
    power = np.where(product > 0, power + more, IMPOSSIBLE)
    power -= power.max(axis=0)
    likely: Floats = np.ldexp(product, np.maximum(power, LEAST_POWER).astype(np.int32))
    return _with_known(patterns, likely / likely.sum(axis=0))


# The model, fitted by EM.

TOLERANCE = 1e-6
MOST_ITERATIONS = 10_000


@dataclass(frozen=True, eq=False)
class Truth:
    """The fitted model.

    `posterior` (units, categories) is how probable each category is of each unit, `prevalence` (categories,)
    their shares. Row i of `confusion` (cells, categories) belongs to the annotator and label of `cells`:
    how probable it was under each true category; `met` (annotators, categories) for how many units of each.
    """

    posterior: Floats
    prevalence: Floats
    cell_annotator: Codes
    cell_label: Codes
    confusion: Floats
    met: Floats
    iterations: int
    most_iterations: int
    converged: bool

    def errors_of(self, annotator: int) -> tuple[Floats, Floats]:
        """Return how many units of each category an annotator met (categories,), and the confusion of them.

        The latter (categories, categories) has true categories as rows and given ones as columns, and zeros
        in rows of categories never met.
        """
        size = len(self.prevalence)
        start, end = np.searchsorted(self.cell_annotator, [annotator, annotator + 1]).tolist()
        confusion = np.zeros((size, size))
        confusion[:, self.cell_label[start:end]] = self.confusion[start:end].T
        met = self.met[annotator] if annotator < len(self.met) else np.zeros(size)
        return met, confusion


def dawid_skene(
    data: WeightedRatings, tolerance: float = TOLERANCE, most_iterations: int = MOST_ITERATIONS
) -> Truth:
    """Return the model, from the shares of each unit's labels on; every unit has a rating.

    It stops when no posterior changes by more than the tolerance. Nothing is smoothed: what an annotator
    never did under a category stays impossible. (Dawid and Skene 1979, equations 2.3 to 2.5.)
    """
    patterns = patterns_of(data)
    posterior, change, iterations = label_shares(patterns), 1.0, 0
    while change > tolerance and iterations < most_iterations:
        prevalence, confusion, _ = _errors(patterns, posterior)
        following = _posterior(patterns, prevalence, confusion)
        change = float(np.abs(following - posterior).max(initial=0.0))
        posterior, iterations = following, iterations + 1
    prevalence, confusion, met = _errors(patterns, posterior)
    return Truth(
        posterior=posterior.T[patterns.pattern],
        prevalence=prevalence,
        cell_annotator=patterns.cell_annotator,
        cell_label=patterns.cell_label,
        confusion=confusion.T,
        met=met.T,
        iterations=iterations,
        most_iterations=most_iterations,
        converged=change <= tolerance,
    )


def _errors(patterns: Patterns, posterior: Floats) -> tuple[Floats, Floats, Floats]:
    """Return prevalences, how probable each cell is under each category, and how many units of it they met.

    The latter two are (categories, cells) and (categories, annotators).
    """
    # Counts over all units.
    weighted = posterior * patterns.weight
    said = by_cell(patterns, weighted)
    met = np.zeros((patterns.categories, patterns.annotators))
    met[:, patterns.cell_annotator[patterns.people]] = np.add.reduceat(said, patterns.people, axis=1)
    counts = ExpectedCounts(weighted.sum(axis=1), said, met)
    confusion = quotient(counts.said, counts.met[:, patterns.cell_annotator], 0.0)
    return counts.totals / counts.totals.sum(), confusion, counts.met


def _posterior(patterns: Patterns, prevalence: Floats, confusion: Floats) -> Floats:
    """Return how probable each category is of each pattern: p_c Π_a π_a(c, l), made to add up to one."""
    factor, power = np.frexp(confusion)
    return probabilities(
        patterns, prevalence, lambda cell: (np.take(factor, cell, axis=1), np.take(power, cell, axis=1))
    )


# Each annotator's errors under the model of Dawid and Skene, control items being known.

LEAST_ANNOTATORS = 3
SCALES = ("nominal", "ordinal")
# Cells of the table of units by categories, or of a confusion matrix: some hundred megabytes of floats.
MOST_CELLS = 5_000_000
# Three annotators, one of whom guesses, take thousands of iterations; a large campaign gets fewer.
LEAST_ITERATIONS = 300
WORK = 20_000_000
# How much an annotator must have labelled before we judge, and how little better than chance is near it.
LEAST_LABELLED = 20
# So many units with labels of three, or this share of the units that several labelled, tell errors from the
# truth. With fewer, accuracies in chains of pairs are as far off as without any (benchmarks probable).
MANY_OF_THREE, SHARE_OF_THREE = 80, 0.25
NEAR = 0.2
# What those whom the model takes for good must agree by, beyond chance: benchmarks/truth.py.
ALPHA = "krippendorff_alpha"
LEAST_ALPHA = 0.1
# With more categories than these results have no matrices; a CSV beside them has every confusion.
MOST_CATEGORIES = 20
CONFUSIONS = ("annotator", "true", "given", "share")


class NotFitted(StrEnum):
    """Why there is no model; a closed list."""

    FEW = "it takes three annotators with labels of their own to tell their errors from the truth"
    SCALE = "it is a model of single categories without distances"
    UNIDENTIFIED = (
        "too few units have labels of three annotators: two who differ do not show which of them is wrong"
    )
    ONE_CATEGORY = "only one category is declared or used, so that there is nothing to err about"
    NOTHING = "no unit was rated by two annotators"
    TOO_LARGE = "there are too many units and categories to fit it"
    UNSETTLED = "its probabilities had not settled after so many iterations"
    NO_TRUTH = (
        "the annotators whom it considers good hardly agree more than by chance, so its estimate of "
        "the truth cannot be trusted"
    )


def errors(
    units: CodedUnits, controls: ControlUnits | None, *, matrices: bool
) -> tuple[DawidSkene, str | None]:
    """Return everybody's errors, or why they can't be told, and all confusions as CSV where they can.

    With `matrices` and few categories, everybody's confusion is in the model too.
    """
    model = _fitted(units, controls, matrices=matrices and len(units.categories) <= MOST_CATEGORIES)
    if isinstance(model, NotFitted):
        return DawidSkene(undefined=model), None
    data, fitted, annotators = model.data, model.truth, model.annotators
    described = DawidSkene(
        units=int(data.weight.sum()),
        known=int((data.truth != NO_CATEGORY).sum()),
        categories=units.categories,
        prevalence=dict(zip(units.categories, fitted.prevalence.tolist(), strict=True)),
        iterations=fitted.iterations,
        most_iterations=fitted.most_iterations,
        tolerance=TOLERANCE,
        converged=fitted.converged,
        annotators=tuple(annotators),
        annotators_in_all=len(annotators),
    )
    return described, csv_text(CONFUSIONS, _confusions(units.annotators, units.categories, fitted))


def probable_labels(units: CodedUnits) -> tuple[Codes, Floats] | NotFitted:
    """Return the units (units,) of which the model tells, and how probable each category is of each.

    The latter is (units, categories).
    """
    model = _fitted(units, None, matrices=False)
    return model if isinstance(model, NotFitted) else (model.rated, model.truth.posterior)


@dataclass(frozen=True, eq=False)
class _Model:
    """The model of some units, whose numbers are `rated`, what it is fitted to, and everybody's errors."""

    rated: Codes
    data: WeightedRatings
    truth: Truth
    annotators: list[AnnotatorErrors]


def _fitted(units: CodedUnits, controls: ControlUnits | None, *, matrices: bool) -> _Model | NotFitted:
    """Return the model, or why there is none; annotators whose errors nothing tells are left out of it."""
    if reason := refused(units):
        return reason
    told = identified(labelled_units(units, controls), len(units.annotators))
    if not told.any():
        return NotFitted.UNIDENTIFIED
    units = units.where(told[units.annotator])
    data, people = labelled_units(units, controls), len(units.annotators)
    most = min(MOST_ITERATIONS, max(LEAST_ITERATIONS, WORK // (len(data.weight) * data.categories)))
    fitted = dawid_skene(data, most_iterations=most)
    # How many units each labelled, and how many of the labels are right in expectation.
    weight = data.weight[data.unit]
    likely = weight * fitted.posterior[data.unit, data.label]
    labelled = sums_by(data.annotator, weight, people).tolist()
    expected = np.bincount(data.annotator, weights=likely, minlength=people).tolist()
    erring = [
        _erring(name, annotator, fitted, (labelled[annotator], expected[annotator]), matrix=matrices)
        for annotator, name in enumerate(units.annotators)
        if told[annotator]
    ]
    codes = np.flatnonzero(told).tolist()
    # Those who are right hardly more often than chance, or less.
    bad = [code for code, each in zip(codes, erring, strict=True) if each.near_chance or each.below_chance]
    if int((data.truth != NO_CATEGORY).sum()) < LEAST_LABELLED and not has_truth(units, bad):
        return NotFitted.NO_TRUTH
    if units.scale == "ordinal":
        # The neighbour of the right category is nearly right: nobody is compared with chance.
        erring = [each.model_copy(update={"near_chance": False, "below_chance": False}) for each in erring]
    rated = np.flatnonzero(np.bincount(units.unit[units.row_weight > 0]))
    return _Model(rated, data, fitted, erring) if fitted.converged else NotFitted.UNSETTLED


def identified(data: WeightedRatings, people: int) -> Mask:
    """Return whose errors (annotators,) labels can tell: of those whom shared units link, all or nobody.

    Labels of two on a unit show how often the two differ, whatever is true: prevalences and errors are not
    identified by them, only by labels of three on a unit, or by units whose truth is known (Allman, Matias
    and Rhodes 2009, Annals of Statistics 37(6A), 3099-3132). A few such units do not do beside many of two.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = people + len(data.weight)
    distinct = np.unique(data.unit * people + data.annotator)
    unit, annotator = distinct // people, distinct % people
    links = coo_array((np.ones(len(unit), dtype=np.int8), (annotator, people + unit)), shape=(size, size))
    groups, found = connected_components(links, directed=False)
    group: Codes = found.astype(np.int64)
    labels, of_unit = np.bincount(unit, minlength=len(data.weight)), group[people:]
    several, three, known = (
        sums_by(of_unit, data.weight * chosen, groups)
        for chosen in (labels > 1, labels > 2, data.truth != NO_CATEGORY)
    )
    enough = (three > 0) & ((three >= MANY_OF_THREE) | (three >= SHARE_OF_THREE * several))
    return (enough | (known >= LEAST_LABELLED))[group[:people]]


def has_truth(units: CodedUnits, bad: Sequence[int]) -> bool:
    """Tell whether a model has a truth: whether those whom it does not take for `bad` agree beyond chance.

    Where nobody does, it takes for the truth what some happened to say alike. The interval of their alpha,
    units taken as independent, has to lie above LEAST_ALPHA: the best two of a few agree a little by chance.
    """
    good = units.where(~np.isin(units.annotator, bad))
    some = replace(good, documents=(), document=np.full_like(units.document, NO_DOCUMENT))
    interval = chosen_figures(some, ScaleSetting(), [ALPHA])[ALPHA].interval
    return isinstance(interval, ConfidenceInterval) and interval.low > LEAST_ALPHA


def refused(units: CodedUnits) -> NotFitted | None:
    """Return why no model of annotators' errors can be fitted to so few labels, or so many; else None."""
    rated, categories = int(np.count_nonzero(units.per_unit)), len(units.categories)
    checks = (
        (units.scale not in SCALES or units.joined, NotFitted.SCALE),
        (len(units.annotators) < LEAST_ANNOTATORS, NotFitted.FEW),
        (categories <= 1, NotFitted.ONE_CATEGORY),
        (rated == len(units.unit), NotFitted.NOTHING),
        (max(rated, categories) * categories > MOST_CELLS, NotFitted.TOO_LARGE),
    )
    return next((reason for wrong, reason in checks if wrong), None)


def labelled_units(units: CodedUnits, controls: ControlUnits | None) -> WeightedRatings:
    """Return annotators' labels of all rated units, control items with what they are.

    Rejected annotators are not among those of the units, and their labels of control items do not count.
    """
    names = units.annotators
    columns = [(units.unit, units.annotator, units.label)]
    weight, truth = [units.weight], [np.full(len(units.weight), NO_CATEGORY, dtype=np.int64)]
    if controls is not None and controls.units.categories == units.categories:
        items = controls.units
        code = np.array([names.index(name) if name in names else -1 for name in items.annotators] or [0])
        there = code[items.annotator] >= 0
        unit = items.unit[there] + len(units.weight)
        columns.append((unit, code[items.annotator[there]], items.label[there]))
        weight.append(items.weight)
        truth.append(controls.truth)
    unit, annotator, label = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    every_weight, every_known = np.concatenate(weight), np.concatenate(truth)
    weighted = every_weight[unit] > 0
    rated, row = dense_codes(unit[weighted], len(every_weight))
    size = len(units.categories)
    rows = row, annotator[weighted], label[weighted]
    return WeightedRatings(*rows, every_weight[rated], every_known[rated], size)


def _erring(
    name: str, annotator: int, fitted: Truth, said: tuple[int, float], *, matrix: bool
) -> AnnotatorErrors:
    """Return one annotator's errors; categories never met are left out of accuracy.

    `said` is how many units were labelled, and how many of them right in expectation.
    """
    labelled, expected = said
    met, confusion = fitted.errors_of(annotator)
    shares = np.where(met > 0, fitted.prevalence, 0.0)
    total = float(shares.sum()) or 1.0
    label_shares = (met[:, None] * confusion).sum(axis=0)
    blind = float((shares * label_shares).sum()) / total / (float(label_shares.sum()) or 1.0)
    near, below = beside_chance(labelled, expected, blind)
    return AnnotatorErrors(
        annotator=name,
        labelled=labelled,
        accuracy=float((shares * np.diagonal(confusion)).sum()) / total,
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


def beside_chance(labelled: float, expected: float, blind: float) -> tuple[bool, bool]:
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
    for annotator, name in enumerate(names):
        _, confusion = fitted.errors_of(annotator)
        true, label = np.nonzero(confusion)
        cells = zip(true.tolist(), label.tolist(), confusion[true, label].tolist(), strict=True)
        yield from ((name, categories[row], categories[column], share) for row, column, share in cells)
