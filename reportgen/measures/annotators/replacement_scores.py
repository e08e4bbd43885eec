"""Who is nearer to the other humans of a unit: a model, or the human whose label is held out?

Is a human's advantage over a model below the price of a person? One test a human, and the winning rate.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.measures import Floats, ScaleSetting
from reportgen.measures.distances import nominal
from reportgen.measures.distributions import benjamini_yekutieli, t_below
from reportgen.measures.estimate import LEAST_DEGREES, Clusters, Spread
from reportgen.measures.estimate import ROUNDING as ROUNDING_ERROR
from reportgen.measures.unit_set_data import placed, weights_of
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.counted import OUTCOMES, SpanCounts
from reportgen.results.annotators import AlternativeTest, WinningRate
from reportgen.units import NO_CATEGORY, ComparedUnits, Mask, SpanFrame
from reportgen.units.labels import Labels, quotient, sums_by

# How near a label is to others. All scores fall as a sum of distances to the others grows, and the model and
# the human who is held out are compared with the same others: the sums alone decide, and their ties.

ACCURACY, NEG_RMSE, SIMILARITY = "accuracy", "neg_rmse", "similarity"
# Of marks in texts alone.
F_MEASURE = "f_measure"
MATCH, OVERLAP = (OUTCOMES.index(outcome) for outcome in ("match", "overlap"))
# What two sums of distances may differ by, as a share of what they were made from, and be the same number.
ROUNDING = 1e-11
OF_SETS = "masi"

Between = Callable[[Codes, Codes], Floats]


@dataclass(frozen=True, eq=False)
class LabelScore:
    """A score by its full name: the distance whose sum it falls with, and the labels that have one.

    `has_place` (categories,) says which labels are compared; the others are as good as missing.
    """

    name: str
    between: Between
    has_place: Mask


def default_score(setting: ScaleSetting) -> str:
    """Return the score of a scale where none is declared."""
    if setting.values is not None:
        return NEG_RMSE
    return SIMILARITY if setting.sets is not None else ACCURACY


def label_score(asked: str, setting: ScaleSetting, categories: int) -> LabelScore:
    """Return a score on the scale; raise BadInput where the scale does not have it."""
    everything = np.ones(categories, dtype=np.bool_)
    if asked == ACCURACY:
        return LabelScore(ACCURACY, nominal(categories).at, everything)
    values, has_place = setting.values, placed(setting) if setting.values is not None else everything
    if asked == NEG_RMSE and values is not None:
        numbers = np.where(has_place, values, 0.0)
        return LabelScore(NEG_RMSE, lambda one, other: (numbers[one] - numbers[other]) ** 2, has_place)
    # The distances of the scale, and the declared ones, of which the first is meant where none is named.
    distances = {distance.id: distance for distance in (*weights_of(setting), *setting.distances)}
    usual = setting.distances[0].id if setting.distances else OF_SETS if setting.sets is not None else ""
    score, _, name = asked.partition("[")
    if score == SIMILARITY and (distance := distances.get(name.removesuffix("]") or usual)):
        return LabelScore(
            f"{SIMILARITY}[{distance.id}]",
            distance.at,
            everything if distance.size == categories else has_place,
        )
    raise BadInput([_not_there(asked, setting, [f"{SIMILARITY}[{named}]" for named in distances])])


def _not_there(asked: str, setting: ScaleSetting, similarities: list[str]) -> Problem:
    scores = [ACCURACY, *([NEG_RMSE] if setting.values is not None else []), *similarities]
    if asked == F_MEASURE:
        remedy = "Remove it: marks in texts have it alone."
    elif asked == NEG_RMSE:
        remedy = "Declare a scale of numbers or ranks: interval, ratio or ordinal."
    elif asked.partition("[")[0] == SIMILARITY and len(scores) == 1:
        remedy = "Declare distances between the categories, or another scale."
    else:
        remedy = did_you_mean(asked, scores)
    message = f'is "{asked}", a score that a {setting.scale} scale does not have.'
    return Problem("", 0, "replacement.score", message, remedy)


# Sums of distances, unit by unit.


def distances_to_all(labels: Labels, label: Codes, between: Between) -> Floats:
    """Return the sum of distances of a label for each unit (units,) to all of the unit's."""
    unit, cell_label, times, _ = labels.cells
    there = label[unit] != NO_CATEGORY
    apart = times[there] * between(label[unit[there]], cell_label[there])
    return sums_by(unit[there], apart.astype(np.float64, copy=False), len(labels.weight))


def distances_to_others(labels: Labels, between: Between) -> Floats:
    """Return the sum of distances of each row's label to the others of its unit (rows,)."""
    unit, label, times, cell = labels.cells
    sums, step = times * between(label, label), 1
    # Every two different labels of a unit, those next to each other first.
    while len(one := np.flatnonzero(unit[step:] == unit[:-step])):
        other = one + step
        apart = between(label[one], label[other])
        sums[one] += times[other] * apart
        sums[other] += times[one] * apart
        step += 1
    to_others: Floats = sums[cell]
    return to_others


def human_labels(compared: ComparedUnits, humans: list[int], score: LabelScore) -> Labels:
    """Return the labels that humans gave and that the score can compare, numbered as `humans` are.

    They are sorted by unit and human.
    """
    own = compared.units.of_people(humans)
    placed = own.where(_has_place(own.label, score))
    return placed.where(np.lexsort((placed.annotator, placed.unit)))


def _has_place(labels: Codes, score: LabelScore) -> Mask:
    """Say of each label whether the score compares it: what is no category of the unit set has no place.

    Where units are those that everybody marked, that is the code of the non-annotated category.
    """
    in_categories = (labels != NO_CATEGORY) & (labels < len(score.has_place))
    compared: Mask = in_categories & score.has_place[np.where(in_categories, labels, 0)]
    return compared


@dataclass(frozen=True, eq=False)
class HeldOutLabels:
    """The labels of humans (rows,) that are compared with a model's: `sign` 1 where the human is nearer.

    It is -1 where the model is nearer, 0 where both are as near. `unit` and `human` say whose label it is.
    """

    unit: Codes
    human: Codes
    sign: Codes


def hold_out(
    labels: Labels, model: Codes, here: Mask, score: LabelScore, expert: Codes | None = None
) -> HeldOutLabels:
    """Compare a model's labels (units,) with those of each human by the other humans of the unit.

    Where an `expert` is trusted, it is by this one's label (units,). `here` (units,) says which units are
    instances: those that the model and enough humans labelled.
    """
    rows = np.flatnonzero(here[labels.unit])
    unit, label = labels.unit[rows], labels.label[rows]
    if expert is None:
        to_all = distances_to_all(labels, model, score.between)[unit]
        its, own = (
            to_all - score.between(model[unit], label),
            distances_to_others(labels, score.between)[rows],
        )
    else:
        to_all = its = score.between(model[unit], expert[unit])
        own = score.between(label, expert[unit])
    return HeldOutLabels(unit, labels.annotator[rows], nearer_by_distance(its, own, to_all))


def nearer_by_distance(model: Floats, human: Floats, to_all: Floats) -> Codes:
    """Return whose sum of distances (rows,) is smaller: 1 the human's, -1 the model's, or 0.

    Sums that differ in their last digits only are a tie; `whole` is what the model's was made from.
    """
    gap = model - human
    same = np.abs(gap) <= ROUNDING * (to_all + human)
    sign: Codes = np.where(same, 0, np.sign(gap)).astype(np.int64)
    return sign


# Marks in texts: instances are documents, and two people are as far apart as 1 less their F there.


@dataclass(frozen=True, eq=False)
class MarkDistances:
    """How far apart every two people are in the documents that both saw: columns (pairs of a document,).

    They are sorted by first person, second and document; `documents` and `people` is how many there are.
    """

    first: Codes
    second: Codes
    document: Codes
    apart: Floats
    documents: int
    people: int

    def of(self, person: int, others: Sequence[int]) -> Floats:
        """Return the distance from others' marks (documents, others), NaN where one saw nothing."""
        distances = np.full((self.documents, len(others)), np.nan)
        pair = self.first * self.people + self.second
        for column, other in enumerate(others):
            own = min(person, other) * self.people + max(person, other)
            rows = slice(*np.searchsorted(pair, [own, own + 1]).tolist())
            distances[self.document[rows], column] = self.apart[rows]
        return distances

    def among(self, people: Sequence[int]) -> Floats:
        """Return the sum of the distances of somebody's marks from the others' (documents, people)."""
        number = np.full(self.people, -1, dtype=np.int64)
        number[list(people)] = np.arange(len(people))
        one, other = number[self.first], number[self.second]
        both = (one >= 0) & (other >= 0)
        sums = np.zeros((self.documents, len(people)))
        for column in (one, other):
            np.add.at(sums, (self.document[both], column[both]), self.apart[both])
        return sums


def mark_distances(spans: SpanFrame, counts: SpanCounts) -> MarkDistances:
    """Return 1 - F for every two people in each document; where neither has a mark they are alike.

    F = 2 m / (n₁ + n₂): m are the marks of the same text and type (strict), n those of each of the two.
    """
    documents, people = len(spans.documents), len(spans.people)
    cells = (counts.seen_first * people + counts.seen_second) * documents + counts.seen_document
    cell = np.searchsorted(cells, (counts.first * people + counts.second) * documents + counts.document)
    # A match, and an overlap, is a mark of each of the two.
    of_both = np.isin(counts.outcome, (MATCH, OVERLAP))
    total = np.bincount(cell, weights=counts.n * np.where(of_both, 2, 1), minlength=len(cells))
    same = np.bincount(cell, weights=2 * counts.n * (counts.outcome == MATCH), minlength=len(cells))
    apart = quotient(total - same, total, 0.0)
    columns = counts.seen_first, counts.seen_second, counts.seen_document
    return MarkDistances(*columns, apart, documents, people)


# Whom models are compared with: the humans of a unit set, or of a layer's marks in texts.


@dataclass(frozen=True, eq=False)
class Panel(ABC):
    """What all models are compared with: the humans, and the units, of labels or of marks in texts.

    `people` and `roles` are everybody's, `humans` and `expert` codes of them; `weight` and `document`
    (units,) are those of the units. `reliability` is how much models agree with themselves, by name.
    """

    layer: str
    unit_set: str | None
    score: str
    rule: ReplacementRule
    people: tuple[str, ...]
    roles: tuple[str, ...]
    humans: list[int]
    expert: int | None
    weight: Codes
    document: Codes
    reliability: Mapping[str, float | None]

    @property
    def names(self) -> list[str]:
        """Return the names of the humans, in the order of their numbers."""
        return [self.people[code] for code in self.humans]

    @abstractmethod
    def instances(self, model: int) -> Mask:
        """Say of each unit (units,) whether a model is compared there: it and enough humans have it."""

    @abstractmethod
    def held_out(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, on every instance."""

    def clusters(self, unit: Codes) -> Clusters:
        """Return what units (some of all) are clustered by: their documents, or each by itself."""
        document, weight = self.document[unit], self.weight[unit]
        documents, units = len(np.unique(document[document != NO_DOCUMENT])), int(weight.sum())
        cell = np.arange(len(unit), dtype=np.int64)
        return Clusters(
            document, cell, weight, units, documents or units, by_document=documents > 0, corrected=True
        )

    @property
    def others(self) -> int:
        """Return how many humans have to have labelled a unit, beside the expert where one is trusted."""
        return self.rule.minimum_humans - (self.expert is not None)


@dataclass(frozen=True, eq=False)
class LabelPanel(Panel):
    """The humans' labels on units, how near two labels are, and what alpha is computed with."""

    compared: ComparedUnits
    setting: ScaleSetting
    near: LabelScore
    labels: Labels

    def instances(self, model: int) -> Mask:
        """Say of each unit (units,) whether a model is compared there."""
        enough = self.chosen(model) & (self.labels.per_unit >= self.others)
        return enough if self.expert is None else enough & (self.labels_of(self.expert) != NO_CATEGORY)

    def held_out(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, on every instance."""
        expert = None if self.expert is None else self.labels_of(self.expert)
        return hold_out(self.labels, self.labels_of(model), self.instances(model), self.near, expert)

    def labels_of(self, person: int) -> Codes:
        """Return somebody's label on each unit (units,), NO_CATEGORY where the score compares none."""
        labels = self.compared.units.labels_of(person)
        compared: Codes = np.where(_has_place(labels, self.near), labels, NO_CATEGORY)
        return compared

    def chosen(self, model: int) -> Mask:
        """Say of each unit (units,) whether a model labelled it, and the unit set compares it."""
        labels = self.labels_of(model)
        every = np.arange(len(labels), dtype=np.int64)
        chosen: Mask = (labels != NO_CATEGORY) & self.compared.chosen(every, labels)
        return chosen


@dataclass(frozen=True, eq=False)
class MarkPanel(Panel):
    """The humans' marks in texts: units are documents, and how far apart two people are there."""

    distances: MarkDistances
    saw: Mask

    def instances(self, model: int) -> Mask:
        """Say of each document (documents,) whether a model is compared there."""
        both = [model] if self.expert is None else [model, self.expert]
        instances: Mask = self.saw[:, both].all(axis=1) & (
            self.saw[:, self.humans].sum(axis=1) >= self.others
        )
        return instances

    def held_out(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, in every document."""
        distances, here = self.distances, self.instances(model)[:, None]
        if self.expert is None:
            its, own = distances.of(model, self.humans), distances.among(self.humans)
            unit, human = np.nonzero(here & ~np.isnan(its))
            to_all = np.nansum(its, axis=1)[unit]
            return HeldOutLabels(
                unit, human, nearer_by_distance(to_all - its[unit, human], own[unit, human], to_all)
            )
        own = distances.of(self.expert, self.humans)
        unit, human = np.nonzero(here & ~np.isnan(own))
        apart = distances.of(model, [self.expert])[unit, 0]
        return HeldOutLabels(unit, human, nearer_by_distance(apart, own[unit, human], apart))


# The share of humans whom a model has to beat.
LEAST_RATE = 0.5
# With fewer instances a mean is not normally distributed, and ranks are tested instead.
NORMAL = 30


class NoReplacement(StrEnum):
    """Why there is no test, no statistic or no rate; a closed list, translated when a page is rendered."""

    NO_INSTANCE = "no unit has a label of the model and of enough humans"
    FEW_INSTANCES = "fewer instances than a human needs to be tested"
    NOBODY = "no human has as many instances as it takes to be tested"
    ALIKE = "every instance has the same difference, which alone decides"
    ONE_DOCUMENT = "the instances of one document alone do not show how differences vary"


@dataclass(frozen=True)
class MeanTest:
    """The mean difference with its standard error and degrees of freedom."""

    mean: float
    error: float
    degrees: float

    def at(self, epsilon: float) -> AlternativeTest:
        """Return Student's one-sample t test of mean - ε; without variation the mean alone decides."""
        if self.error < ROUNDING_ERROR:
            p = 0.0 if self.mean < epsilon else 1.0
            return AlternativeTest(p=p, undefined=str(NoReplacement.ALIKE))
        t = (self.mean - epsilon) / self.error
        return AlternativeTest(statistic=t, degrees=self.degrees, p=t_below(self.degrees, t))


@dataclass(frozen=True)
class RankTest:
    """How often the model is nearer, neither is, and the human is."""

    model: int
    neither: int
    human: int

    def at(self, epsilon: float) -> AlternativeTest:
        """Return Wilcoxon's signed-rank test, exact among all choices of signs.

        The statistic is the sum of the ranks of the differences above ε. Differences less ε that are 0 are
        left out, equal ones have their mean rank (Wilcoxon 1945, Biometrics Bulletin 1(6), 80-83).
        """
        ranked, above = self._ranked(epsilon)
        if not ranked:
            return AlternativeTest(p=1.0, undefined=str(NoReplacement.ALIKE))
        return AlternativeTest(statistic=above / 2, p=_at_most(ranked, above))

    def _ranked(self, epsilon: float) -> tuple[tuple[tuple[int, int], ...], int]:
        """Return twice each rank, how many have it, and twice the sum of ranks above ε."""
        values = ((-1 - epsilon, self.model), (-epsilon, self.neither), (1 - epsilon, self.human))
        ranked: list[tuple[int, int]] = []
        before = above = 0
        for size in sorted({abs(value) for value, times in values if value != 0 and times}):
            times = sum(number for value, number in values if abs(value) == size)
            higher = sum(number for value, number in values if value == size)
            ranked.append((2 * before + times + 1, times))
            above += ranked[-1][0] * higher
            before += times
        return tuple(ranked), above


# The differences of one human: -1 where the model is nearer, 1 where the human is.
HumanTest = MeanTest | RankTest


@lru_cache(maxsize=4096)
def _at_most(ranked: tuple[tuple[int, int], ...], most: int) -> float:
    """Return the share of all choices of signs whose ranks above 0 add up to at most so much.

    `ranked` has twice each rank, a whole number, and how many differences have it.
    """
    ways = {0: 1}
    for rank, times in ranked:
        added: dict[int, int] = {}
        for total, number in ways.items():
            for chosen in range(times + 1):
                key = total + rank * chosen
                added[key] = added.get(key, 0) + number * math.comb(times, chosen)
        ways = added
    favourable = sum(number for total, number in ways.items() if total <= most)
    return favourable / sum(ways.values())


def independent_test(sign: Codes, weight: Codes) -> HumanTest:
    """Return the paper's test: instances (rows,) are independent; below 30 of them Wilcoxon's."""
    model, neither, human = (int(weight[sign == sign_value].sum()) for sign_value in (-1, 0, 1))
    instances = model + neither + human
    if instances < NORMAL:
        return RankTest(model, neither, human)
    total, squares = human - model, human + model
    # n² (n - 1) times the squared error of the mean, in whole numbers.
    spread = instances * squares - total * total
    error = math.sqrt(spread / (instances - 1)) / instances
    return MeanTest(total / instances, error, instances - 1)


def clustered_test(sign: Codes, weight: Codes, document: Codes) -> MeanTest | NoReplacement:
    """Return the test with instances clustered by document; one without a document is its own.

    Standard error and degrees of freedom are those of intervals: what leaving out each document moves the
    mean, t with the documents alike less one (Quenouille 1956; Bell and McCaffrey 2002). Where each document
    is one instance it is the paper's t test.
    """
    instances = int(weight.sum())
    has_document = document != NO_DOCUMENT
    groups = len(np.unique(document[has_document])) + int(weight[~has_document].sum())
    if groups < 2:
        return NoReplacement.ONE_DOCUMENT
    mean = int((sign * weight).sum()) / instances
    places = np.arange(len(sign), dtype=np.int64)
    clusters = Clusters(document, places, weight, instances, groups, by_document=True, corrected=True)
    influence = (sign - mean).astype(np.float64, copy=False)
    spread = Spread(influence, clusters)
    return MeanTest(mean, spread.left_out_error, max(spread.alike - 1, LEAST_DEGREES))


# All humans together.


def at_price(tests: Sequence[HumanTest | NoReplacement], epsilon: float, q: float) -> list[AlternativeTest]:
    """Return the test of each human at a price of a person, and whether the model beats this human.

    It does where Benjamini and Yekutieli's procedure, over the humans who are tested, rejects at a false
    discovery rate of `q` that the advantage is ε or more.
    """
    tested = [
        AlternativeTest(undefined=str(test)) if isinstance(test, NoReplacement) else test.at(epsilon)
        for test in tests
    ]
    adjusted = benjamini_yekutieli([test.p for test in tested])
    return [
        test if p is None else test.model_copy(update={"adjusted_p": p, "beaten": p <= q})
        for test, p in zip(tested, adjusted, strict=True)
    ]


def share_beaten(tests: Sequence[HumanTest | NoReplacement], epsilon: float, q: float) -> float:
    """Return the winning rate at a price of a person, over at least one human who is tested."""
    tested = (test.at(epsilon) for test in tests if not isinstance(test, NoReplacement))
    adjusted = benjamini_yekutieli([test.p for test in tested])
    return sum(p is not None and p <= q for p in adjusted) / len(adjusted)


def winning_rate(tests: Sequence[AlternativeTest]) -> WinningRate:
    """Return the share of the tested humans whom the model beats."""
    tested = [test.beaten for test in tests if test.beaten is not None]
    beaten = sum(tested)
    if not tested:
        reason = next((test.undefined for test in tests), str(NoReplacement.NOBODY))
        return WinningRate(beaten=0, tested=0, undefined=reason)
    rate = beaten / len(tested)
    return WinningRate(value=rate, beaten=beaten, tested=len(tested), passes=rate >= LEAST_RATE)
