"""May a model take an annotator's place? The alternative annotator test, and how a model agrees with humans.

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL, 16051-16081,
doi:10.18653/v1/2025.acl-long.782.

Who is nearer to the other humans of a unit: a model, or the human whose label is held out?

Is a human's advantage over a model below the price of a person? One test a human, and the winning rate.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from pydantic import ValidationError

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.campaign.load import complaints
from reportgen.measures import ConfidenceInterval, Estimate, Floats, ScaleSetting, Undefined
from reportgen.measures.annotators.quality import agreement_with_oneself
from reportgen.measures.comparisons import chosen_figures
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import (
    LEAST_DEGREES,
    LEVEL,
    Clusters,
    Spread,
    benjamini_yekutieli,
    figure,
    holm,
    logit_ends,
    no_estimate,
    t_below,
    t_quantile,
    two_sided,
    with_interval,
    within,
)
from reportgen.measures.estimate import ROUNDING as ROUNDING_ERROR
from reportgen.measures.significance_tests import change
from reportgen.measures.standard_errors import LEAST_ANNOTATORS
from reportgen.measures.unit_set_data import placed, weights_of
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.readers.counted import OUTCOMES, SpanCounts
from reportgen.results import Interval
from reportgen.results.annotators import (
    AdvantageDifference,
    AlternativeTest,
    CategoryParting,
    CrossReplication,
    HeldOutHuman,
    LabelDistribution,
    ModelReplacement,
    RateByEpsilon,
    Replacement,
    WinningRate,
)
from reportgen.results.parts import Change
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, Mask, Passes, SpanFrame
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


ALPHA = "krippendorff_alpha"
# So many labels of humans show how they are distributed on a single unit.
MANY = 5
# Of more categories nobody reads which are hard for a model.
MOST_CATEGORIES = 100


def difference_of(
    value: float, moved: Floats, clusters: Clusters, weight: Floats | None = None
) -> tuple[Estimate, float | None]:
    """Return a difference of two shares with its interval, and the p value of none: t as in the interval.

    `moved` and `weight` (cells,) are as in `with_interval`; ends are cut at -1 and 1.
    """
    plain = Estimate(value, clusters.units, recomputable=False)
    estimate = with_interval(plain, moved, clusters, (-math.inf, math.inf), disagreements=1, weight=weight)
    if estimate.spread is None or not isinstance(estimate.interval, ConfidenceInterval):
        return estimate, None
    ends = replace(
        estimate.interval, low=max(-1.0, estimate.interval.low), high=min(1.0, estimate.interval.high)
    )
    degrees = max(estimate.spread.alike - 1, LEAST_DEGREES)
    return replace(estimate, interval=ends), two_sided(value / estimate.spread.left_out_error, degrees)


# Agreement among humans with and without the model as one more annotator.


def alpha_of(score: str, setting: ScaleSetting) -> str:
    """Return the alpha whose distance is that of a score."""
    name, _, distance = score.partition("[")
    if name == ACCURACY:
        return ALPHA
    if name == NEG_RMSE:
        return f"{ALPHA}[{'ordinal' if setting.scale == 'ordinal' else 'interval'}]"
    return f"{ALPHA}[{distance}"


def one_more(
    compared: ComparedUnits, setting: ScaleSetting, name: str, people: tuple[list[int], int], here: Mask
) -> Change | None:
    """Return an alpha of the humans, and of them with the model, on the same units (units,).

    `people` are the humans and the model. Documents are paired, and units without one. None where the scale
    has no such alpha.
    """
    shown = _alphas(compared.units, setting, name, people, here)
    if shown is None or not (compared.units.document[here] == NO_DOCUMENT).any():
        return shown and change(shown, same_material=True)
    # A unit without a document gets a number of its own, by which both figures know it.
    numbered = replace(compared.units, document=compared.units.cluster)
    return change(shown, _alphas(numbered, setting, name, people, here), same_material=True)


def _alphas(
    units: CodedUnits, setting: ScaleSetting, name: str, people: tuple[list[int], int], here: Mask
) -> tuple[Estimate, Estimate] | None:
    humans, model = people
    labelled = units.where(here[units.unit] & (units.label >= 0) & (units.label < len(units.categories)))
    both = [
        chosen_figures(labelled.of_people(some), setting, [name]).get(name)
        for some in (humans, [*humans, model])
    ]
    first, second = (estimate and replace(estimate, recomputable=False) for estimate in both)
    return (first, second) if first and second else None


# Where a model and humans part: category by category, beside how humans part from each other.


def by_category(
    labels: Labels, model: Codes, clusters: Clusters, categories: Sequence[str]
) -> tuple[CategoryParting, ...]:
    """Return how often a model gives a category where a human does, beside how often another human does.

    The cells of `clusters` are the units that the model and two humans labelled. Both are shares of humans'
    labels: P(model c | human c), and P(another human c | human c), which is what a person would reach in the
    model's place. The difference is a ratio of sums over units, D = Σ A / Σ B; a unit moves it by
    (A - D B) / mean B.
    """
    cells = _Beside.of(labels, model, clusters)
    partings = [cells.category(code) for code in cells.used[:MOST_CATEGORIES]]
    adjusted = holm([p for *_, p in partings])
    return tuple(
        CategoryParting(
            category=categories[code],
            human_labels=times,
            model_labels=int(clusters.n[model[clusters.cell] == code].sum()),
            among_humans=own,
            with_model=its,
            difference=figure(estimate),
            p=p,
            adjusted_p=corrected,
        )
        for code, (times, own, its, estimate, p), corrected in zip(
            cells.used, partings, adjusted, strict=False
        )
    )


@dataclass(frozen=True, eq=False)
class _Beside:
    """The humans' labels on the units that are compared, the model's label of each, and who says the same."""

    labels: Labels
    model: Codes
    clusters: Clusters

    @classmethod
    def of(cls, labels: Labels, model: Codes, clusters: Clusters) -> "_Beside":
        """Return labels on the cells of `clusters`, which are units (units,) of all."""
        here = np.zeros(len(labels.weight), dtype=np.bool_)
        here[clusters.cell] = True
        return cls(labels.of_units(here), model[clusters.cell], clusters)

    @cached_property
    def others(self) -> Codes:
        """Return how many other humans labelled the unit of each row (rows,)."""
        return self.labels.per_unit[self.labels.unit] - 1

    @cached_property
    def same(self) -> Codes:
        """Return how many of them gave the same label (rows,)."""
        return self.labels.alike - 1

    @cached_property
    def agrees(self) -> Mask:
        """Say whether the model gave the row's label (rows,)."""
        agrees: Mask = self.model[self.labels.unit] == self.labels.label
        return agrees

    @cached_property
    def like_model(self) -> Codes:
        """Return how many of the other humans gave the model's label (rows,)."""
        agree = np.bincount(self.labels.unit[self.agrees], minlength=len(self.model))
        return agree[self.labels.unit] - self.agrees

    @property
    def used(self) -> list[int]:
        """Return the categories that humans used."""
        codes: list[int] = np.unique(self.labels.label).tolist()
        return codes

    def category(self, code: int) -> tuple[int, float, float, Estimate, float | None]:
        """Return the labels, both shares, and their difference with its p value, of one category."""
        clusters, rows = self.clusters, self.labels.label == code
        size, unit = len(clusters.cell), self.labels.unit[rows]
        times = np.bincount(unit, minlength=size)
        own = np.bincount(unit, weights=(self.same / self.others)[rows], minlength=size)
        its = np.bincount(unit, weights=self.agrees[rows], minlength=size)
        total = int((times * clusters.n).sum())
        among, with_model = (float((sums * clusters.n).sum()) / total for sums in (own, its))
        apart, mean = with_model - among, total / clusters.units
        moved, weight = (its - own - apart * times) / mean, times / mean
        every = replace(clusters, cell=np.arange(size, dtype=np.int64))
        return total, among, with_model, *difference_of(apart, moved, every, weight)


# How labels are distributed: over all units, and on single ones with many labels.


def distribution(labels: Labels, model: Codes, clusters: Clusters) -> LabelDistribution | None:
    """Return the entropies of the humans' labels and the model's, and how far apart the two are.

    The cells of `clusters` are as in `by_category`; every unit weighs the same. On units with many labels the
    model's distance from all humans but one is compared with that one's: a label of a person is as far
    from the others' as people disagree.
    """
    cells = _Beside.of(labels, model, clusters)
    if not len(cells.labels.unit):
        return None
    n = clusters.n[cells.labels.unit]
    size = 1 + max(int(cells.labels.label.max()), int(cells.model.max()))
    humans = np.bincount(cells.labels.label, weights=n / (cells.others + 1), minlength=size) / clusters.units
    its = np.bincount(cells.model, weights=clusters.n, minlength=size) / clusters.units
    middle = (humans + its) / 2
    apart = _entropy(middle) - (_entropy(humans) + _entropy(its)) / 2
    return LabelDistribution(
        units=clusters.units,
        human_entropy=_entropy(humans),
        model_entropy=_entropy(its),
        distance=math.sqrt(max(apart, 0.0)),
        **_on_units(cells),
    )


def _on_units(cells: _Beside) -> dict[str, Any]:
    """Return how labels are distributed on units with many of them, and who is how far from the others."""
    clusters, enough = cells.clusters, cells.others + 1 >= MANY
    unit, size = cells.labels.unit[enough], len(cells.model)
    count = np.bincount(unit, minlength=size)
    many = count > 0
    if not many.any():
        return {"many": 0}
    distances = [
        np.bincount(unit, weights=_by_row(_distance, same[enough], cells.others[enough]), minlength=size)[
            many
        ]
        / count[many]
        for same in (cells.like_model, cells.same)
    ]
    entropies = np.bincount(
        unit, weights=_by_row(_surprise, cells.same[enough], cells.others[enough]), minlength=size
    )
    own = replace(
        clusters,
        document=clusters.document[many],
        cell=np.arange(int(many.sum()), dtype=np.int64),
        n=clusters.n[many],
        units=int(clusters.n[many].sum()),
    )
    own = replace(own, groups=len(np.unique(own.document[own.document >= 0])) or own.units)
    means = [float((values * own.n).sum()) / own.units for values in (*distances, entropies[many])]
    apart = means[0] - means[1]
    estimate, p = difference_of(apart, distances[0] - distances[1] - apart, own)
    return {
        "many": own.units,
        "unit_entropy": means[2],
        "model": means[0],
        "human": means[1],
        "difference": figure(estimate),
        "p": p,
    }


def _entropy(shares: Floats) -> float:
    """Return -Σ p log2 p, in bits."""
    return math.fsum(-share * math.log2(share) for share in shares.tolist() if share > 0)


def _by_row(figure_of: Callable[[int, int], float], same: Codes, others: Codes) -> Floats:
    """Return a figure of each label (rows,), by how many of the others gave it and how many they are."""
    return np.array([figure_of(*counts) for counts in zip(same.tolist(), others.tolist(), strict=True)])


@lru_cache(maxsize=65536)
def _surprise(same: int, others: int) -> float:
    """Return a label's part of the entropy of its unit's labels: log2(n / n_c) / n."""
    return math.log2((others + 1) / (same + 1)) / (others + 1)


@lru_cache(maxsize=65536)
def _distance(same: int, others: int) -> float:
    """Return the Jensen-Shannon distance (Lin 1991) of one label from labels of which it is a share a.

    With the mean of the two distributions in the middle, twice the divergence is
    log2(2 / (1 + a)) + a log2(2a / (1 + a)) + 1 - a: 0 where all gave it, 2 where nobody did.
    """
    a = same / others
    twice = math.log2(2 / (1 + a)) + (a * math.log2(2 * a / (1 + a)) if a else 0.0) + 1 - a
    return math.sqrt(max(twice / 2, 0.0))


# Cross-replication reliability: how much a model agrees with the humans, beside how much they agree.


def cross_reliability(
    labels: Labels, model: Codes, between: Between, clusters: Clusters, own: float | None = None
) -> CrossReplication:
    """Return how much a model's labels (units,) agree with the humans' there.

    The cells of `clusters` are the units to compare, those that the model and at least one human labelled;
    `own` is the model's agreement with itself. A model that labelled each unit once has none, which is taken
    for 1, the most that it can be: the normalised xRR is then the least that it can be.
    """
    cells = _Beside.of(labels, model, clusters)
    if not len(clusters.cell):
        nothing = replace(no_estimate(Undefined.NO_UNITS, 0), recomputable=False)
        return CrossReplication(between=figure(nothing))
    xrr, alpha = _between(cells, between), _among_humans(cells, between)
    defined = xrr.value is not None and alpha is not None and alpha > 0 and (own is None or own > 0)
    return CrossReplication(
        between=figure(xrr),
        humans=alpha,
        model=own,
        normalised=(xrr.value or 0.0) / math.sqrt((alpha or 1.0) * (own or 1.0)) if defined else None,
    )


def _between(cells: _Beside, between: Between) -> Estimate:
    """Return xRR = 1 - d_o / d_e, with its interval.

    d_o is the mean over units of the mean distance of a human's label from the model's, units being weighted
    by their labels (equation 9); d_e that of any human's label from any of the model's (equation 10).
    """
    clusters, labels, model = cells.clusters, cells.labels, cells.model
    n, units, ratings = clusters.n, clusters.units, labels.per_unit + 1
    mean = distances_to_all(labels, model, between) / np.maximum(labels.per_unit, 1)
    mass = int((ratings * n).sum())
    observed = float((ratings * n * mean).sum()) / mass
    size, drawn = 1 + max(int(labels.label.max(initial=0)), int(model.max(initial=0))), n[labels.unit]
    # The mean distance of each category from the model's labels, and from the humans'.
    of_human = _mean_distances(np.bincount(model, weights=n, minlength=size), between)
    of_model = _mean_distances(np.bincount(labels.label, weights=drawn, minlength=size), between)
    expected = float((n * of_model[model]).sum()) / units
    if not expected > 0:
        return replace(no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, units), recomputable=False)
    by_unit = np.bincount(labels.unit, weights=of_human[labels.label] - expected, minlength=len(n))
    chance = units * (by_unit / int(drawn.sum()) + (of_model[model] - expected) / units)
    part = units * ratings / mass
    return with_interval(
        Estimate(1 - observed / expected, units, observed, expected, recomputable=False),
        -part * (mean - observed) / expected + observed / expected**2 * chance,
        replace(clusters, cell=np.arange(len(n), dtype=np.int64)),
        (-math.inf, 1.0),
        disagreements=int(np.count_nonzero(mean)),
        weight=part + chance / expected,
        of_units=True,
    )


def _mean_distances(times: Floats | Codes, between: Between) -> Floats:
    """Return the mean distance of every category from labels that occur so many times (categories,)."""
    every, sums = np.arange(len(times), dtype=np.int64), np.zeros(len(times))
    for label in np.flatnonzero(times).tolist():
        sums += times[label] * between(every, np.full(len(times), label, dtype=np.int64))
    means: Floats = sums / times.sum()
    return means


def _among_humans(cells: _Beside, between: Between) -> float | None:
    """Return Krippendorff's alpha of the humans under the same distance, on units that two labelled."""
    paired, labels = cells.others > 0, cells.labels
    weight = cells.clusters.n[labels.unit[paired]]
    total = int(weight.sum())
    if not total:
        return None
    apart = distances_to_others(labels, between)[paired] / cells.others[paired]
    times = np.bincount(labels.label[paired], weights=weight)
    expected = float((times * _mean_distances(times, between)).sum())
    if not expected > 0:
        return None
    return 1 - float((weight * apart).sum()) * (total - 1) / total / expected


# All of it, for results.


def agreement_beside_test(panel: LabelPanel, model: int) -> dict[str, Any]:
    """Return what results have of a model beside the test: agreement with it, categories, distributions."""
    its, compared = panel.labels_of(model), panel.chosen(model) & (panel.labels.per_unit >= 2)
    unit = np.flatnonzero(compared)
    clusters = replace(panel.clusters(unit), cell=unit)
    own = panel.reliability.get(panel.people[model])
    rated = np.flatnonzero((panel.labels.per_unit > 0) & (its != NO_CATEGORY) & (panel.weight > 0))
    of_rated = replace(panel.clusters(rated), cell=rated)
    record: dict[str, Any] = {
        "cross_replication": cross_reliability(panel.labels, its, panel.near.between, of_rated, own)
    }
    if not len(unit):
        return record
    name = alpha_of(panel.score, panel.setting)
    people = panel.humans, model
    agreement = one_more(panel.compared, panel.setting, name, people, compared)
    nominal = panel.setting.sets is None and panel.setting.scale in {"nominal", "ordinal"}
    categories = panel.compared.units.categories
    return record | {
        "agreement": agreement,
        "coefficient": name if agreement else None,
        "categories": by_category(panel.labels, its, clusters, categories) if nominal else (),
        "distribution": distribution(panel.labels, its, clusters),
    }


ANNOTATOR, MODELS = "annotator", ("model", "system")
RULE = "replacement"
# Prices at which the winning rate is given: 0, .01, …, .3.
PRICES = tuple(step / 100 for step in range(31))

# One model against every human.


@dataclass(frozen=True, eq=False)
class _Human:
    """A model beside one human, whose labels are held out: on which units, and who is nearer (rows,)."""

    name: str
    unit: Codes
    sign: Codes
    weight: Codes
    document: Codes

    @cached_property
    def instances(self) -> int:
        """Return on how many units the two are compared."""
        return int(self.weight.sum())

    def share(self, nearer: int) -> float:
        """Return on what share of instances the model (-1) or the human (1) scores no less than the other."""
        return int(self.weight[self.sign * nearer >= 0].sum()) / self.instances

    @property
    def cell_variance(self) -> float:
        """Return the variance of the model's share, by document where documents are known."""
        has_document = self.document != NO_DOCUMENT
        apart = (self.sign <= 0) - self.share(-1)
        sums = np.bincount(self.document[has_document], weights=(self.weight * apart)[has_document])
        alone = (self.weight * apart * apart)[~has_document]
        return float(np.sort(np.concatenate([sums * sums, alone])).sum()) / self.instances**2

    def record(self, independent: AlternativeTest | None, clustered: AlternativeTest | None) -> HeldOutHuman:
        """Return what results have of a human who is tested."""
        return HeldOutHuman(
            annotator=self.name,
            instances=self.instances,
            model=self.share(-1),
            human=self.share(1),
            difference=int((self.sign * self.weight).sum()) / self.instances,
            method="wilcoxon" if self.instances < NORMAL else "t",
            independent=independent,
            clustered=clustered,
        )


class ModelAgainstHumans:
    """A model against every human of a panel."""

    def __init__(self, panel: Panel, person: int) -> None:
        """Compare the model's labels with everybody's."""
        self.panel, self.person, self.name = panel, person, panel.people[person]

    @cached_property
    def humans(self) -> list[_Human]:
        """Return each human, tested or not."""
        held_out = self.panel.held_out(self.person)
        order = np.argsort(held_out.human, kind="stable")
        ends = np.cumsum(np.bincount(held_out.human, minlength=len(self.panel.humans)))
        columns = (
            held_out.unit,
            held_out.sign,
            self.panel.weight[held_out.unit],
            self.panel.document[held_out.unit],
        )
        parts = zip(self.panel.names, np.split(order, ends[:-1].tolist()), strict=True)
        return [_Human(name, *(column[rows] for column in columns)) for name, rows in parts]

    @cached_property
    def tested(self) -> list[_Human]:
        """Return the humans with enough instances."""
        return [human for human in self.humans if human.instances >= self.panel.rule.minimum_instances]

    @cached_property
    def contributions(self) -> tuple[Floats, Floats]:
        """Return what each unit (units,) moves ρ, and its part of what ρ is divided by.

        ρ is the mean over humans of the share of instances on which the model scores no less.
        """
        moved, part = np.zeros(len(self.panel.weight)), np.zeros(len(self.panel.weight))
        for human in self.tested:
            divisor = human.instances * len(self.tested)
            moved[human.unit] += ((human.sign <= 0) - human.share(-1)) / divisor
            part[human.unit] += 1 / divisor
        return moved, part

    @cached_property
    def advantage(self) -> Estimate:
        """Return ρ, the average advantage probability, with its interval."""
        if not self.tested:
            return replace(no_estimate(Undefined.NO_HUMAN_TESTED, 0), recomputable=False)
        moved, part = self.contributions
        unit = np.flatnonzero(part > 0)
        clusters = self.panel.clusters(unit)
        value = math.fsum(human.share(-1) for human in self.tested) / len(self.tested)
        losses = sum(int((human.sign > 0).sum()) for human in self.tested)
        return with_interval(
            Estimate(value, clusters.units, recomputable=False),
            moved[unit] * clusters.units,
            clusters,
            (0.0, 1.0),
            disagreements=losses,
            worst=1.0,
            weight=part[unit] * clusters.units,
        )

    @cached_property
    def for_any_humans(self) -> Interval | None:
        """Return an interval of ρ that covers the choice of humans too, None with fewer than five.

        Units and humans are crossed and both drawn: V = V_units + V_humans - V_both, the last being what
        single cells of the two add, which both others have in them (Cameron, Gelbach and Miller 2011, Journal
        of Business & Economic Statistics 29(2), 238-249).
        """
        spread, value, humans = self.advantage.spread, self.advantage.value, len(self.tested)
        if spread is None or value is None or humans < LEAST_ANNOTATORS or not within(value, (0.0, 1.0)):
            return None
        of_humans = math.fsum((human.share(-1) - value) ** 2 for human in self.tested) / (
            humans * (humans - 1)
        )
        of_cells = math.fsum(human.cell_variance for human in self.tested) / humans**2
        of_units = spread.left_out_error**2
        variance = max(of_units, of_units + of_humans - of_cells)
        # Satterthwaite's degrees of freedom of a sum of two variances.
        parts = of_units**2 / max(spread.alike - 1, LEAST_DEGREES) + of_humans**2 / (humans - 1)
        half = t_quantile(max(variance**2 / parts, LEAST_DEGREES)) * math.sqrt(variance)
        low, high = logit_ends(value, half, (0.0, 1.0))
        return Interval(low=low, high=high, level=LEVEL)

    def record(self) -> ModelReplacement:
        """Return the model's results."""
        panel, rule = self.panel, self.panel.rule
        here = panel.instances(self.person)
        documents = np.unique(panel.document[here])
        by_document = any((human.document != NO_DOCUMENT).any() for human in self.humans)
        independent = [independent_test(human.sign, human.weight) for human in self.tested]
        clustered = [
            clustered_test(human.sign, human.weight, human.document) for human in self.tested if by_document
        ]
        # The tests of all humans at the declared price, nothing without one.
        results = [
            [] if rule.epsilon is None else at_price(tests, rule.epsilon, rule.q)
            for tests in (independent, clustered)
        ]
        rates = [winning_rate(tests) if tests else None for tests in results]
        nothing = [None] * len(self.tested)
        tested = zip(self.tested, *(tests or nothing for tests in results), strict=True)
        records = {human.name: human.record(*tests) for human, *tests in tested}
        decided = [rate.passes for rate in rates if rate is not None and rate.passes is not None]
        return ModelReplacement(
            model=self.name,
            role=panel.roles[self.person],
            instances=int(panel.weight[here].sum()),
            documents=int((documents != NO_DOCUMENT).sum()),
            humans=tuple(records.get(human.name) or _not_tested(human) for human in self.humans),
            advantage=figure(self.advantage),
            for_any_humans=self.for_any_humans,
            independent=rates[0],
            clustered=rates[1],
            differ=decided[0] != decided[1] if len(decided) == 2 else None,
            curve=_curve(independent, clustered, rule.q) if self.tested else None,
            **(agreement_beside_test(panel, self.person) if isinstance(panel, LabelPanel) else {}),
        )


def _not_tested(human: _Human) -> HeldOutHuman:
    few = NoReplacement.FEW_INSTANCES if human.instances else NoReplacement.NO_INSTANCE
    return HeldOutHuman(annotator=human.name, instances=human.instances, undefined=str(few))


def _curve(
    independent: Sequence[HumanTest | NoReplacement], clustered: Sequence[HumanTest | NoReplacement], q: float
) -> RateByEpsilon:
    """Return the winning rate at each price, of the clustered test where it can be made."""
    there = any(not isinstance(test, NoReplacement) for test in clustered)
    return RateByEpsilon(
        epsilon=PRICES,
        independent=tuple(share_beaten(independent, price, q) for price in PRICES),
        clustered=tuple(share_beaten(clustered, price, q) for price in PRICES) if there else None,
    )


# May a model take an annotator's place? The alternative annotator test, and models by their rank.


def rule_from(keys: Mapping[str, object]) -> ReplacementRule:
    """Return the rule that some keys of [replacement] make; raise BadInput with all that is wrong."""
    try:
        return ReplacementRule.model_validate(dict(keys))
    except ValidationError as error:
        problems = complaints(error, keys)
        raise BadInput(
            Problem("", 0, ".".join((RULE, *map(str, problem.path))), problem.message, problem.remedy)
            for problem in problems
        ) from None


def can_be_tested(people: Sequence[str], roles: Sequence[str], rule: ReplacementRule) -> bool:
    """Tell whether there is a model or system, and as many humans as the test takes."""
    humans = {name for name, role in zip(people, roles, strict=True) if role == ANNOTATOR} - {rule.expert}
    enough = len(humans) >= 2 if rule.expert is None else bool(humans) and rule.expert in people
    return enough and any(role in MODELS for role in roles)


def compares_marks(annotations: Annotations, rule: ReplacementRule) -> bool:
    """Tell whether instances are documents with marks, where there are marks, and no units.

    They are in texts, unless another score is declared: of the tokens most are unmarked by everybody, and
    every model ties there. In recordings no two boundaries are the same to the millisecond.
    """
    content = annotations.content
    in_texts = isinstance(content, TextMarks) and not content.lengths
    return rule.score == F_MEASURE or (rule.score is None and in_texts)


def replacement(
    compared: ComparedUnits, setting: ScaleSetting, rule: ReplacementRule, passes: Passes | None = None
) -> Replacement:
    """Return what each model and system of a unit set would be worth in an annotator's place.

    `compared` has everybody's labels, `passes` what models labelled twice. Raises BadInput where there are
    too few humans, or no such score.
    """
    return _results(panel_of_labels(compared, setting, rule, passes))


def replacement_of_marks(spans: SpanFrame, counts: SpanCounts, rule: ReplacementRule) -> Replacement:
    """Return the same of marks in texts: instances are documents, compared by F (strict).

    Raises BadInput where there are too few humans.
    """
    return _results(_panel_of_marks(spans, counts, rule))


def _results(panel: Panel) -> Replacement:
    """Return all models of a panel, those with the greatest ρ first."""
    rule, models = panel.rule, [code for code, role in enumerate(panel.roles) if role in MODELS]
    against_humans = [ModelAgainstHumans(panel, person) for person in models]
    ranked = sorted(against_humans, key=lambda model: -(model.advantage.value or 0.0))
    return Replacement(
        layer=panel.layer,
        unit_set=panel.unit_set,
        score=panel.score,
        epsilon=rule.epsilon,
        why=rule.why,
        q=rule.q,
        minimum_humans=rule.minimum_humans,
        minimum_instances=rule.minimum_instances,
        expert=rule.expert,
        annotators=tuple(panel.names),
        comparison_only=rule.expert is None and len(panel.humans) == 2,
        models=tuple(model.record() for model in ranked),
        behind=_behind([model for model in ranked if model.advantage.value is not None]),
    )


# The humans, and whom labels are compared with.


def panel_of_labels(
    compared: ComparedUnits, setting: ScaleSetting, rule: ReplacementRule, passes: Passes | None
) -> LabelPanel:
    """Return the humans of a unit set; raise BadInput where there are too few, or no such score."""
    units = compared.units
    humans, expert = _humans_of(units.annotators, compared.roles, rule)
    near = label_score(rule.score or default_score(setting), setting, len(units.categories))
    alpha = alpha_of(near.name, setting)
    twice = agreement_with_oneself(passes, setting, alpha) if passes else ()
    return LabelPanel(
        layer=units.layer,
        unit_set=units.id,
        score=near.name,
        rule=rule,
        people=units.annotators,
        roles=compared.roles,
        humans=humans,
        expert=expert,
        weight=units.weight,
        document=units.document,
        reliability={
            agreement.annotator: agreement.measures[alpha].value
            for agreement in twice
            if alpha in agreement.measures
        },
        compared=compared,
        setting=setting,
        near=near,
        labels=human_labels(compared, humans, near),
    )


def _panel_of_marks(spans: SpanFrame, counts: SpanCounts, rule: ReplacementRule) -> MarkPanel:
    """Return the humans of a layer's marks in texts; raise BadInput where there are too few."""
    humans, expert = _humans_of(spans.people, spans.roles, rule)
    documents = len(spans.documents)
    return MarkPanel(
        layer=spans.layer,
        unit_set=None,
        score=F_MEASURE,
        rule=rule,
        people=spans.people,
        roles=spans.roles,
        humans=humans,
        expert=expert,
        weight=np.ones(documents, dtype=np.int64),
        document=np.full(documents, NO_DOCUMENT, dtype=np.int64),
        reliability={},
        distances=mark_distances(spans, counts),
        saw=spans.saw,
    )


def _humans_of(
    people: Sequence[str], roles: Sequence[str], rule: ReplacementRule
) -> tuple[list[int], int | None]:
    """Return the codes of the humans, and of the expert; raise BadInput where there are too few."""
    expert = _expert(people, roles, rule)
    humans = [code for code, role in enumerate(roles) if role == ANNOTATOR and code != expert]
    if len(humans) < (2 if expert is None else 1):
        raise BadInput([_too_few([people[code] for code in humans], rule.expert)])
    return humans, expert


def _expert(names: Sequence[str], roles: Sequence[str], rule: ReplacementRule) -> int | None:
    """Return the code of who is trusted; raise BadInput where nobody is called so, or a model is."""
    if rule.expert is None:
        return None
    if rule.expert not in names:
        message = f'is "{rule.expert}", who labelled nothing.'
        raise BadInput([Problem("", 0, f"{RULE}.expert", message, did_you_mean(rule.expert, names))])
    code = names.index(rule.expert)
    if roles[code] in MODELS:
        message = f'is "{rule.expert}", which is a model: nothing can be compared with itself.'
        raise BadInput([Problem("", 0, f"{RULE}.expert", message, "Name a human.")])
    return code


def _too_few(humans: Sequence[str], expert: str | None) -> Problem:
    if expert is not None:
        message = f'there is no human beside the expert "{expert}", who could be replaced.'
        return Problem("", 0, RULE, message, "It takes at least one annotator more.")
    if not humans:
        message = "there is no human: all who labelled are models, systems or references."
        return Problem("", 0, RULE, message, "It takes at least two annotators who are people.")
    message = f'there is one human, "{humans[0]}", and nobody to compare this one with.'
    remedy = "It takes at least two; where one is trusted beside others, name the expert."
    return Problem("", 0, RULE, message, remedy)


# Several models: each beside the one with the greatest ρ.


def _behind(ranked: Sequence[ModelAgainstHumans]) -> tuple[AdvantageDifference, ...]:
    """Return the difference in ρ of each model from the first, on the units of both."""
    if len(ranked) < 2:
        return ()
    first, *others = ranked
    differences = [_difference(first, model) for model in others]
    adjusted = holm([p for _, p in differences])
    return tuple(
        AdvantageDifference(model=model.name, difference=figure(estimate), p=p, adjusted_p=corrected)
        for model, (estimate, p), corrected in zip(others, differences, adjusted, strict=True)
    )


def _difference(first: ModelAgainstHumans, other: ModelAgainstHumans) -> tuple[Estimate, float | None]:
    """Return how much less ρ is, and the p value of no difference: t as in the interval."""
    (one, part), (two, also) = first.contributions, other.contributions
    unit = np.flatnonzero((part > 0) | (also > 0))
    clusters = first.panel.clusters(unit)
    value = (other.advantage.value or 0.0) - (first.advantage.value or 0.0)
    return difference_of(value, (two - one)[unit] * clusters.units, clusters)
