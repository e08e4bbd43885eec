"""Who is nearer to the other humans of a unit: a model, or the human whose label is held out?"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.measures import CategoryDistance, Estimate, Floats, Setting, Undefined
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import Clusters, no_estimate, with_interval
from reportgen.measures.unit_set_data import placed, weights_of
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, ComparedUnits, Mask

# How near a label is to others. All scores fall as a sum of distances to the others grows, and the model and
# the human who is held out are compared with the same others: the sums alone decide, and their ties.

ACCURACY, NEG_RMSE, SIMILARITY = "accuracy", "neg_rmse", "similarity"
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


def default_score(setting: Setting) -> str:
    """Return the score of a scale where none is declared."""
    if setting.values is not None:
        return NEG_RMSE
    return SIMILARITY if setting.sets is not None else ACCURACY


def label_score(asked: str, setting: Setting, categories: int) -> LabelScore:
    """Return a score on the scale; raise BadInput where the scale does not have it."""
    everything = np.ones(categories, dtype=np.bool_)
    if asked == ACCURACY:
        return LabelScore(ACCURACY, nominal(categories).at, everything)
    values, has_place = setting.values, placed(setting) if setting.values is not None else everything
    if asked == NEG_RMSE and values is not None:
        known = np.where(has_place, values, 0.0)
        return LabelScore(NEG_RMSE, lambda one, other: (known[one] - known[other]) ** 2, has_place)
    if asked.partition("[")[0] == SIMILARITY:
        distances = _distances(setting)
        wanted = asked.partition("[")[2].removesuffix("]") or _first(setting)
        if wanted in distances:
            whole = distances[wanted].size == categories
            return LabelScore(
                f"{SIMILARITY}[{wanted}]", distances[wanted].at, everything if whole else has_place
            )
    raise BadInput([_not_there(asked, setting)])


def _first(setting: Setting) -> str:
    """Return the distance of similarities where none is named: the declared one, of sets MASI."""
    if setting.distances:
        return setting.distances[0].id
    return OF_SETS if setting.sets is not None else ""


def _distances(setting: Setting) -> dict[str, CategoryDistance]:
    """Return the declared distances, and those that are built in for the scale."""
    return {each.id: each for each in (*weights_of(setting), *setting.distances)}


def _not_there(asked: str, setting: Setting) -> Problem:
    known = [ACCURACY, *([NEG_RMSE] if setting.values is not None else [])]
    known += [f"{SIMILARITY}[{name}]" for name in _distances(setting)]
    if asked == NEG_RMSE:
        mend = "Declare a scale of numbers or ranks: interval, ratio or ordinal."
    elif asked.partition("[")[0] == SIMILARITY and len(known) == 1:
        mend = "Declare distances between the categories, or another scale."
    else:
        mend = did_you_mean(asked, known)
    message = f'is "{asked}", a score that a {setting.scale} scale does not have.'
    return Problem("", 0, "replacement.score", message, mend)


# Sums of distances, unit by unit.


@dataclass(frozen=True, eq=False)
class HumanLabels:
    """The labels of humans, sorted by unit and human: `unit`, `human` and `label` (rows,)."""

    unit: Codes
    human: Codes
    label: Codes
    units: int

    @cached_property
    def per_unit(self) -> Codes:
        """Return how many humans labelled each unit (units,)."""
        return np.bincount(self.unit, minlength=self.units)

    @cached_property
    def _cells(self) -> tuple[Codes, Codes, Codes, Codes]:
        """Return unit, label and number of the different labels of each unit, and the cell of each row."""
        size = int(self.label.max(initial=0)) + 1
        keys, place, times = np.unique(self.unit * size + self.label, return_inverse=True, return_counts=True)
        return keys // size, keys % size, times, place.reshape(-1)

    def to_all(self, label: Codes, between: Between) -> Floats:
        """Return the sum of distances of a label for each unit (units,) to all of the unit's."""
        unit, known, times, _ = self._cells
        there = label[unit] != NO_CATEGORY
        apart = times[there] * between(label[unit[there]], known[there])
        return np.bincount(unit[there], weights=apart, minlength=self.units).astype(np.float64, copy=False)

    def to_others(self, between: Between) -> Floats:
        """Return the sum of distances of each row's label to the others of its unit (rows,)."""
        unit, known, times, place = self._cells
        sums, step = times * between(known, known), 1
        # Every two different labels of a unit, those next to each other first.
        while len(one := np.flatnonzero(unit[step:] == unit[:-step])):
            other = one + step
            apart = between(known[one], known[other])
            sums[one] += times[other] * apart
            sums[other] += times[one] * apart
            step += 1
        found: Floats = sums[place]
        return found


def human_labels(compared: ComparedUnits, humans: list[int], score: LabelScore) -> HumanLabels:
    """Return the labels that humans gave and that the score can compare, numbered as `humans` are."""
    units = compared.units
    number = np.full(len(compared.roles), NO_CATEGORY, dtype=np.int64)
    number[humans] = np.arange(len(humans))
    rows = np.flatnonzero((number[units.annotator] != NO_CATEGORY) & _has_place(units.label, score))
    order = rows[np.lexsort((number[units.annotator[rows]], units.unit[rows]))]
    return HumanLabels(
        units.unit[order], number[units.annotator[order]], units.label[order], len(units.unit_weight)
    )


def labels_with_place(compared: ComparedUnits, person: int, score: LabelScore) -> Codes:
    """Return somebody's label on each unit (units,), NO_CATEGORY where the score can compare none."""
    labels = compared.labels_of(person)
    found: Codes = np.where(_has_place(labels, score), labels, NO_CATEGORY)
    return found


def _has_place(labels: Codes, score: LabelScore) -> Mask:
    """Say of each label whether the score compares it: what is no category of the unit set has no place.

    Where units are those that everybody marked, that is the code of the non-annotated category.
    """
    known = (labels != NO_CATEGORY) & (labels < len(score.has_place))
    found: Mask = known & score.has_place[np.where(known, labels, 0)]
    return found


@dataclass(frozen=True, eq=False)
class HeldOutLabels:
    """The labels of humans (rows,) that are compared with a model's: `sign` 1 where the human is nearer.

    It is -1 where the model is nearer, 0 where both are as near. `unit` and `human` say whose label it is.
    """

    unit: Codes
    human: Codes
    sign: Codes


def hold_out(labels: HumanLabels, model: Codes, here: Mask, score: LabelScore) -> HeldOutLabels:
    """Compare a model's labels (units,) with those of each human by the other humans of the unit.

    `here` (units,) says which units are instances: those that the model and enough humans labelled.
    """
    rows = np.flatnonzero(here[labels.unit])
    unit, label = labels.unit[rows], labels.label[rows]
    whole = labels.to_all(model, score.between)[unit]
    own = score.between(model[unit], label)
    return _held(labels, rows, (whole - own, labels.to_others(score.between)[rows]), whole)


def beside_expert(
    labels: HumanLabels, model: Codes, expert: Codes, here: Mask, score: LabelScore
) -> HeldOutLabels:
    """Compare a model's labels (units,) with those of each human by the label of a trusted expert."""
    rows = np.flatnonzero(here[labels.unit])
    unit = labels.unit[rows]
    one, other = (score.between(each, expert[unit]) for each in (model[unit], labels.label[rows]))
    return _held(labels, rows, (one, other), one)


def _held(labels: HumanLabels, rows: Codes, apart: tuple[Floats, Floats], whole: Floats) -> HeldOutLabels:
    model, human = apart
    gap = model - human
    same = np.abs(gap) <= ROUNDING * (whole + human)
    sign = np.where(same, 0, np.sign(gap)).astype(np.int64)
    return HeldOutLabels(labels.unit[rows], labels.human[rows], sign)


# Cross-replication reliability: how much a model agrees with the humans, beside how much they agree.

PAIR = 2


@dataclass(frozen=True)
class CrossReliability:
    """xRR of a model and the humans, Krippendorff's alpha of the humans on the same units, and both together.

    `normalised` is xRR / √alpha: a model that labelled each unit once has no reliability of its own, which is
    taken for 1, the most that it can be; it is then the least that the normalised xRR is.
    """

    between: Estimate
    humans: float | None
    normalised: float | None


def cross_reliability(
    labels: HumanLabels, model: Codes, between: Between, clusters: Clusters
) -> CrossReliability:
    """Return how much a model's labels (units,) agree with the humans' there.

    The cells of `clusters` are the units to compare, those that the model and at least one human labelled.
    """
    found = _Replication(labels, model, between, clusters)
    if not len(found.unit):
        return CrossReliability(replace(no_estimate(Undefined.NO_UNITS, 0), recomputable=False), None, None)
    xrr, alpha = found.estimate(), found.alpha()
    known = xrr.value is not None and alpha is not None and alpha > 0
    return CrossReliability(xrr, alpha, (xrr.value or 0.0) / math.sqrt(alpha or 1.0) if known else None)


@dataclass(frozen=True, eq=False)
class _Replication:
    """The humans' labels and the model's on the same units."""

    labels: HumanLabels
    model: Codes
    between: Between
    clusters: Clusters

    @property
    def unit(self) -> Codes:
        """Return the units that are compared."""
        return self.clusters.cell

    @cached_property
    def rows(self) -> Codes:
        """Return the humans' labels on these units, by their rows."""
        here = np.zeros(self.labels.units, dtype=np.bool_)
        here[self.unit] = True
        return np.flatnonzero(here[self.labels.unit])

    @cached_property
    def weight(self) -> Codes:
        """Return how many units each unit of the table (units,) stands for, 0 where nothing is compared."""
        weight = np.zeros(self.labels.units, dtype=np.int64)
        weight[self.unit] = self.clusters.n
        return weight

    @cached_property
    def ratings(self) -> Codes:
        """Return how many labels each unit (units,) has of humans and the model together."""
        return self.labels.per_unit + 1

    def estimate(self) -> Estimate:
        """Return xRR = 1 - d_o / d_e, with its interval.

        d_o is the mean over units of the mean distance of a human's label from the model's, units being
        weighted by their labels (equation 9); d_e that of any human's label from any of the model's
        (equation 10).
        """
        units, weight = self.clusters.units, self.weight
        mean = self.labels.to_all(self.model, self.between) / np.maximum(self.labels.per_unit, 1)
        mass = int((self.ratings * weight).sum())
        observed = float((self.ratings * weight * mean)[self.unit].sum()) / mass
        of_human, of_model = self._apart
        human, share = self.labels.label[self.rows], self.labels.unit[self.rows]
        drawn = int(weight[share].sum())
        expected = float((weight[self.unit] * of_model[self.model[self.unit]]).sum()) / units
        if not expected > 0:
            return replace(no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, units), recomputable=False)
        by_unit = np.bincount(share, weights=of_human[human] - expected, minlength=len(weight))
        chance = units * (by_unit[self.unit] / drawn + (of_model[self.model[self.unit]] - expected) / units)
        part = units * self.ratings[self.unit] / mass
        moved = -part * (mean[self.unit] - observed) / expected + observed / expected**2 * chance
        return with_interval(
            Estimate(1 - observed / expected, units, observed, expected, recomputable=False),
            moved,
            replace(self.clusters, cell=np.arange(len(self.unit), dtype=np.int64)),
            (-math.inf, 1.0),
            disagreements=int(np.count_nonzero(mean[self.unit])),
            weight=part + chance / expected,
            beside_chance=True,
        )

    @cached_property
    def _apart(self) -> tuple[Floats, Floats]:
        """Return the mean distance of each category from the model's labels, and from the humans'."""
        row = self.labels.label[self.rows]
        size = 1 + max(int(row.max(initial=0)), int(self.model.max(initial=0)))
        human = np.bincount(row, weights=self.weight[self.labels.unit[self.rows]], minlength=size)
        model = np.bincount(self.model[self.unit], weights=self.clusters.n, minlength=size)
        return self._mean_distances(model), self._mean_distances(human)

    def _mean_distances(self, times: Floats | Codes) -> Floats:
        """Return the mean distance of every category from labels that occur so many times (categories,)."""
        every, sums = np.arange(len(times), dtype=np.int64), np.zeros(len(times))
        for label in np.flatnonzero(times).tolist():
            sums += times[label] * self.between(every, np.full(len(times), label, dtype=np.int64))
        found: Floats = sums / times.sum()
        return found

    def alpha(self) -> float | None:
        """Return Krippendorff's alpha of the humans under the same distance, on units that two labelled."""
        several = self.rows[self.labels.per_unit[self.labels.unit[self.rows]] >= PAIR]
        unit, label = self.labels.unit[several], self.labels.label[several]
        weight = self.weight[unit]
        total = int(weight.sum())
        apart = self.labels.to_others(self.between)[several] / (self.labels.per_unit[unit] - 1)
        times = np.bincount(label, weights=weight)
        expected = float((times * self._mean_distances(times)).sum()) if total else 0.0
        if not expected > 0:
            return None
        return 1 - float((weight * apart).sum()) * (total - 1) / total / (expected)
