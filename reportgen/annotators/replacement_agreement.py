"""What goes with the alternative annotator test: how far, and where, a model and humans agree."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from reportgen.annotators.controls import figures_of
from reportgen.annotators.replacement_scores import ACCURACY, NEG_RMSE, Between, HumanLabels, LabelPanel
from reportgen.base.dataclass import dataclass
from reportgen.measures import ConfidenceInterval, Estimate, Floats, Setting, Undefined
from reportgen.measures.difference_tests import change
from reportgen.measures.distributions import holm, two_sided
from reportgen.measures.estimate import LEAST_DEGREES, Clusters, figure, no_estimate, with_interval
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import CategoryParting, CrossReplication, LabelDistribution
from reportgen.results.parts import Change
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, Mask

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


def alpha_of(score: str, setting: Setting) -> str:
    """Return the alpha whose distance is that of a score."""
    name, _, distance = score.partition("[")
    if name == ACCURACY:
        return ALPHA
    if name == NEG_RMSE:
        return f"{ALPHA}[{'ordinal' if setting.scale == 'ordinal' else 'interval'}]"
    return f"{ALPHA}[{distance}"


def one_more(
    compared: ComparedUnits, setting: Setting, name: str, people: tuple[list[int], int], here: Mask
) -> Change | None:
    """Return an alpha of the humans, and of them with the model, on the same units (units,).

    `people` are the humans and the model. Documents are paired, and units without one. None where the scale
    has no such alpha.
    """
    shown = _alphas(compared.units, setting, name, people, here)
    document = compared.units.unit_document
    if shown is None or not (document[here] == NO_DOCUMENT).any():
        return shown and change(shown, same_material=True)
    # A unit without a document gets a number of its own, by which both figures know it.
    alone = np.where(
        document == NO_DOCUMENT, len(compared.units.documents) + np.arange(len(document)), document
    )
    numbered = replace(compared.units, unit_document=alone)
    return change(shown, _alphas(numbered, setting, name, people, here), same_material=True)


def _alphas(
    units: CodedUnits, setting: Setting, name: str, people: tuple[list[int], int], here: Mask
) -> tuple[Estimate, Estimate] | None:
    humans, model = people
    both = [
        figures_of(_of_people(units, some, here), setting, [name]).get(name)
        for some in (humans, [*humans, model])
    ]
    first, second = (estimate and replace(estimate, recomputable=False) for estimate in both)
    return (first, second) if first and second else None


def _of_people(units: CodedUnits, people: Sequence[int], here: Mask) -> CodedUnits:
    """Return the labels of some people on some units (units,), as of annotators."""
    number = np.full(len(units.annotators), NO_CATEGORY, dtype=np.int64)
    number[list(people)] = np.arange(len(people))
    chosen = (number[units.annotator] >= 0) & here[units.unit]
    rows = chosen & (units.label >= 0) & (units.label < len(units.categories))
    return replace(
        units,
        annotators=tuple(units.annotators[person] for person in people),
        unit=units.unit[rows],
        annotator=number[units.annotator[rows]],
        label=units.label[rows],
    )


# Where a model and humans part: category by category, beside how humans part from each other.


def by_category(
    labels: HumanLabels, model: Codes, clusters: Clusters, categories: Sequence[str]
) -> tuple[CategoryParting, ...]:
    """Return how often a model gives a category where a human does, beside how often another human does.

    The cells of `clusters` are the units that the model and two humans labelled. Both are shares of humans'
    labels: P(model c | human c), and P(another human c | human c), which is what a person would reach in the
    model's place. The difference is a ratio of sums over units, D = Σ A / Σ B; a unit moves it by
    (A - D B) / mean B.
    """
    cells = _Cells(labels, model, clusters)
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
class _Cells:
    """The humans' labels (rows,) on the units that are compared, and who says the same."""

    labels: HumanLabels
    model: Codes
    clusters: Clusters

    @cached_property
    def rows(self) -> Codes:
        """Return the rows of the labels on these units."""
        here = np.zeros(self.labels.units, dtype=np.bool_)
        here[self.clusters.cell] = True
        return np.flatnonzero(here[self.labels.unit])

    @cached_property
    def unit_index(self) -> Codes:
        """Return the number of each row's unit among those that are compared."""
        number = np.full(self.labels.units, -1, dtype=np.int64)
        number[self.clusters.cell] = np.arange(len(self.clusters.cell))
        return number[self.labels.unit[self.rows]]

    @cached_property
    def label(self) -> Codes:
        return self.labels.label[self.rows]

    @cached_property
    def others(self) -> Codes:
        """Return how many other humans labelled the unit of each row."""
        return self.labels.per_unit[self.labels.unit[self.rows]] - 1

    @cached_property
    def same(self) -> Codes:
        """Return how many of them gave the same label."""
        return self._like(self.label) - 1

    @cached_property
    def agrees(self) -> Mask:
        """Say whether the model gave the row's label."""
        agrees: Mask = self.model[self.labels.unit[self.rows]] == self.label
        return agrees

    @cached_property
    def like_model(self) -> Codes:
        """Return how many of the other humans gave the model's label."""
        return self._like(self.model[self.labels.unit[self.rows]]) - self.agrees

    def _like(self, label: Codes) -> Codes:
        """Return how many humans gave a label (rows,) to the unit of each row."""
        size = 1 + max(int(self.label.max(initial=0)), int(self.model.max(initial=0)))
        keys, times = np.unique(self.unit_index * size + self.label, return_counts=True)
        asked = self.unit_index * size + label
        index = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
        counted: Codes = np.where(keys[index] == asked, times[index], 0)
        return counted

    @property
    def used(self) -> list[int]:
        """Return the categories that humans used."""
        codes: list[int] = np.unique(self.label).tolist()
        return codes

    def category(self, code: int) -> tuple[int, float, float, Estimate, float | None]:
        """Return the labels, both shares, and their difference with its p value, of one category."""
        clusters, rows = self.clusters, self.label == code
        size, unit = len(clusters.cell), self.unit_index[rows]
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


def distribution(labels: HumanLabels, model: Codes, clusters: Clusters) -> LabelDistribution | None:
    """Return the entropies of the humans' labels and the model's, and how far apart the two are.

    The cells of `clusters` are as in `by_category`; every unit weighs the same. On units with many labels the
    model's distance from all humans but one is compared with that one's: a label of a person is as far
    from the others' as people disagree.
    """
    cells = _Cells(labels, model, clusters)
    if not len(cells.rows):
        return None
    n = clusters.n[cells.unit_index]
    size = 1 + max(int(cells.label.max()), int(model.max()))
    humans = np.bincount(cells.label, weights=n / (cells.others + 1), minlength=size) / clusters.units
    its = np.bincount(model[clusters.cell], weights=clusters.n, minlength=size) / clusters.units
    middle = (humans + its) / 2
    apart = _entropy(middle) - (_entropy(humans) + _entropy(its)) / 2
    return LabelDistribution(
        units=clusters.units,
        human_entropy=_entropy(humans),
        model_entropy=_entropy(its),
        distance=math.sqrt(max(apart, 0.0)),
        **_on_units(cells),
    )


def _on_units(cells: _Cells) -> dict[str, Any]:
    """Return how labels are distributed on units with many of them, and who is how far from the others."""
    clusters, enough = cells.clusters, cells.others + 1 >= MANY
    unit, size = cells.unit_index[enough], len(cells.clusters.cell)
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
    labels: HumanLabels, model: Codes, between: Between, clusters: Clusters, own: float | None = None
) -> CrossReplication:
    """Return how much a model's labels (units,) agree with the humans' there.

    The cells of `clusters` are the units to compare, those that the model and at least one human labelled;
    `own` is the model's agreement with itself. A model that labelled each unit once has none, which is taken
    for 1, the most that it can be: the normalised xRR is then the least that it can be.
    """
    cells = _Cells(labels, model, clusters)
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


def _between(cells: _Cells, between: Between) -> Estimate:
    """Return xRR = 1 - d_o / d_e, with its interval.

    d_o is the mean over units of the mean distance of a human's label from the model's, units being weighted
    by their labels (equation 9); d_e that of any human's label from any of the model's (equation 10).
    """
    clusters, labels, n = cells.clusters, cells.labels, cells.clusters.n
    units, unit, model = clusters.units, clusters.cell, cells.model[clusters.cell]
    ratings = labels.per_unit[unit] + 1
    mean = labels.to_all(cells.model, between)[unit] / np.maximum(labels.per_unit[unit], 1)
    mass = int((ratings * n).sum())
    observed = float((ratings * n * mean).sum()) / mass
    size, drawn = 1 + max(int(cells.label.max(initial=0)), int(model.max(initial=0))), n[cells.unit_index]
    # The mean distance of each category from the model's labels, and from the humans'.
    of_human = _mean_distances(np.bincount(model, weights=n, minlength=size), between)
    of_model = _mean_distances(np.bincount(cells.label, weights=drawn, minlength=size), between)
    expected = float((n * of_model[model]).sum()) / units
    if not expected > 0:
        return replace(no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, units), recomputable=False)
    by_unit = np.bincount(cells.unit_index, weights=of_human[cells.label] - expected, minlength=len(unit))
    chance = units * (by_unit / int(drawn.sum()) + (of_model[model] - expected) / units)
    part = units * ratings / mass
    return with_interval(
        Estimate(1 - observed / expected, units, observed, expected, recomputable=False),
        -part * (mean - observed) / expected + observed / expected**2 * chance,
        replace(clusters, cell=np.arange(len(unit), dtype=np.int64)),
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


def _among_humans(cells: _Cells, between: Between) -> float | None:
    """Return Krippendorff's alpha of the humans under the same distance, on units that two labelled."""
    paired = cells.others > 0
    weight = cells.clusters.n[cells.unit_index[paired]]
    total = int(weight.sum())
    if not total:
        return None
    apart = cells.labels.to_others(between)[cells.rows[paired]] / cells.others[paired]
    times = np.bincount(cells.label[paired], weights=weight)
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
