"""Ways to a 95% interval, for figures of many simulated campaigns at once: ours, and what else was tried."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from benchmarks.campaigns import Design, Figures, Floats, Mask, Measure

LEVEL = 0.95
ROUNDING = 1e-12
BEFORE, AFTER = "before", "now"


def by_influence(found: Figures) -> Floats:
    """Return the standard error of influence values by document."""
    groups = found.moved.shape[1]
    result: Floats = np.sqrt(groups / (groups - 1) * (found.moved**2).sum(axis=1))
    return result


def left(found: Figures) -> Floats:
    """Return what is left of a figure's D without each document, that has a share h of it: 1 - h."""
    result: Floats = 1 - np.clip(found.share, 0, 1 - ROUNDING)
    return result


def by_leaving_out(found: Figures) -> Floats:
    """Return the jackknife's standard error: leaving out a document moves what it moves / (1 - h)."""
    groups = found.moved.shape[1]
    result: Floats = np.sqrt((groups - 1) / groups * ((found.moved / left(found)) ** 2).sum(axis=1))
    return result


def unbiased(found: Figures) -> Floats:
    """Return the standard error that is unbiased for independent units (Bell and McCaffrey 2002)."""
    result: Floats = np.sqrt((found.moved**2 / left(found)).sum(axis=1))
    return result


def all_documents(found: Figures) -> Floats:
    """Return one degree of freedom less than documents."""
    return np.full(len(found.value), found.moved.shape[1] - 1.0)


def alike(found: Figures) -> Floats:
    """Return how many documents would have as large a share of D if all had the same (Kish 1965)."""
    result: Floats = 1 / (found.share**2).sum(axis=1)
    return result


def weighing_alike(found: Figures) -> Floats:
    """Return one degree of freedom less than documents alike."""
    return alike(found) - 1


def touching(found: Figures) -> Floats:
    """Return one degree of freedom less than documents that have any share of D."""
    result: Floats = np.maximum((np.abs(found.share) > ROUNDING).sum(axis=1) - 1, 1).astype(np.float64)
    return result


def satterthwaite(found: Figures) -> Floats:
    """Return Bell and McCaffrey's degrees of freedom for independent units of documents of unequal share."""
    share = np.clip(found.share, 0, 1 - ROUNDING)
    left = 1 - share
    squares = share * share
    result: Floats = 1 / (
        (squares * (1 - 2 * share) / left**2).sum(axis=1) + (squares / left).sum(axis=1) ** 2
    )
    return result


@dataclass(frozen=True)
class Rule:
    """Where there is no interval: of how many units, and documents, alike the figure would have as much.

    Units are asked for beside chance, and of `categories` where these too have to have them: `units` where
    documents are known, `single` where they are not, and documents `of_units`. Units with a `rarer` label are
    asked for beside chance where documents are known.
    """

    units: float
    single: float
    documents: float
    shares: bool
    of_units: float = 0.0
    rarer: float = 0.0
    categories: bool = False

    def rare(self, found: Figures, measure: Measure, design: Design) -> Mask:
        """Return which campaigns have no interval (campaigns,)."""
        few = np.zeros(len(found.value), dtype=np.bool_)
        by_units = measure.of_units if self.categories else measure.chance
        if by_units:
            few |= found.alike < np.minimum(self.single if design.units == 1 else self.units, found.units / 2)
        if design.units > 1 and (self.shares or measure.chance):
            least = max(self.documents, self.of_units) if by_units else self.documents
            few |= alike(found) < min(least, design.documents / 2)
        if design.units > 1 and measure.chance:
            few |= found.rarer < np.minimum(self.rarer, found.units / 2)
        return few


@dataclass(frozen=True)
class Method:
    """A way to an interval: standard error, degrees of freedom, whether on the logit scale, and the rule."""

    error: Callable[[Figures], Floats]
    degrees: Callable[[Figures], Floats]
    logit: bool
    rule: Rule

    def ends(self, found: Figures, measure: Measure, design: Design) -> Floats:
        """Return the ends of each campaign's interval (2, campaigns), NaN where there is none."""
        drawn = _drawn(self, found, measure.low)
        drawn[:, by_influence(found) < ROUNDING] = np.nan
        bound = 1 - (1 - (1 - LEVEL) ** (1 / design.documents)) * found.worst
        exact = np.stack([np.maximum(measure.low, bound), np.ones(len(bound))])
        ends = np.where(found.seen, drawn, exact if measure.bounded else np.nan)
        ends[:, self.rule.rare(found, measure, design) | np.isnan(found.value)] = np.nan
        return ends


def _drawn(method: Method, found: Figures, low: float) -> Floats:
    """Return the ends that follow from the variation between documents."""
    half = stdtrit(method.degrees(found), (1 + LEVEL) / 2) * method.error(found)
    if not method.logit:
        return np.stack([np.maximum(low, found.value - half), np.minimum(1, found.value + half)])
    middle = (2 * found.value - low - 1) / (1 - low)
    half = half * 2 / (1 - low) / (1 - middle**2)
    ends = np.stack([np.tanh(np.arctanh(middle) + sign * half) for sign in (-1, 1)])
    return (low + 1 + (1 - low) * ends) / 2


OLD = Rule(units=8, single=8, documents=4, shares=False)
LABELS = Rule(units=12, single=8, documents=2, shares=True)
NEW = Rule(units=12, single=8, documents=2, shares=True, of_units=3, rarer=16, categories=True)
METHODS = {
    BEFORE: Method(by_influence, all_documents, logit=False, rule=OLD),
    AFTER: Method(by_leaving_out, weighing_alike, logit=True, rule=NEW),
    "influence values, G − 1": Method(by_influence, all_documents, logit=False, rule=NEW),
    "jackknife, G − 1": Method(by_leaving_out, all_documents, logit=False, rule=NEW),
    "jackknife, G − 1, logit": Method(by_leaving_out, all_documents, logit=True, rule=NEW),
    "jackknife, documents that touch it − 1, logit": Method(by_leaving_out, touching, logit=True, rule=NEW),
    "jackknife, documents alike − 1": Method(by_leaving_out, weighing_alike, logit=False, rule=NEW),
    "Bell and McCaffrey": Method(unbiased, satterthwaite, logit=False, rule=NEW),
    "Bell and McCaffrey, logit": Method(unbiased, satterthwaite, logit=True, rule=NEW),
}
