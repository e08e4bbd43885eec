"""Cross-replication reliability: how much a model agrees with the humans, beside how much they agree.

Wong, Paritosh and Aroyo (2021), Cross-replication Reliability, ACL, 7053-7065,
doi:10.18653/v1/2021.acl-long.548.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.annotators.replacement_scores import Between, HumanLabels
from reportgen.measures import Estimate, Floats, Undefined
from reportgen.measures.estimate import Clusters, no_estimate, with_interval
from reportgen.readers import Codes

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
