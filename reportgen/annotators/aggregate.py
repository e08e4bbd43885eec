"""How reliable are the labels of several annotators together, and how many annotators are enough?

Three answers, all from what the counts of a unit set say:

- Spearman (1910) and Brown (1910): k labels of a unit have together the reliability k α / (1 + (k - 1) α),
  where α is that of one. Wong and Paritosh (2022) call it k-rater reliability. Annotators are taken to be
  exchangeable, and their errors independent. It is exact for a mean of squared differences, which interval
  alpha is of numbers, ordinal alpha of ranks, nominal alpha of the shares of labels; of other distances it
  is an extrapolation.
- The same turned round: the least k with a reliability that is asked for.
- How often the majority of k of a unit's labels is that of all of them, as Snow et al. (2008) show accuracy
  by number of annotators; here without a reference.
"""

import math
from enum import StrEnum

import numpy as np

from reportgen.campaign.guidelines import BY_SCALE
from reportgen.counts import distinct_rows
from reportgen.measures import Floats, UnitSetAgreement
from reportgen.measures.estimate import figure
from reportgen.measures.profiles import Profiles
from reportgen.readers import Codes
from reportgen.results import Figure, Interval
from reportgen.results.annotators import (
    AggregateOfAnnotators,
    AggregateReliability,
    EnoughAnnotators,
    MajorityUnits,
)
from reportgen.units.coded import sums_by

# So many labels a unit, on average, are labels of several annotators to be taken together.
LEAST_LABELS = 3
NUMBERS = (1, 2, 3, 5, 7, 10)
# Krippendorff (2004, p. 241), of reliability whatever it is of.
GOALS = (0.667, 0.8)
# Scales on which one label is a name, or a grade, of which one can be the most frequent.
OF_NAMES = ("nominal", "ordinal")
ROUNDING = 1e-9
PAIR = 2


class NoAggregate(StrEnum):
    """Why labels have no reliability together; a closed list, translated when a page is rendered."""

    NOT_ABOVE_CHANCE = "alpha is not above 0, so that no number of annotators is enough"


def reliability_of_aggregate(agreement: UnitSetAgreement) -> AggregateReliability | None:
    """Return how reliable a unit set's labels are together.

    None where units have few labels, or alpha on the scale of the unit set is undefined.
    """
    units, whole = agreement.units, agreement.whole
    coefficient, _reason = BY_SCALE[units.scale]
    profiles = whole.placed(whole.profiles)
    given = int((profiles.ratings * profiles.times).sum())
    alpha = agreement.measures.get(coefficient)
    if given < LEAST_LABELS * max(profiles.units, 1) or alpha is None or alpha.value is None:
        return None
    known, labels = figure(alpha), given / profiles.units
    shares, majority = _majorities(profiles) if units.scale in OF_NAMES else ({}, None)
    return AggregateReliability(
        layer=units.layer,
        unit_set=units.id,
        coefficient=coefficient,
        units=profiles.units,
        labels=labels,
        reliability=together(known, labels),
        by_annotators=tuple(
            AggregateOfAnnotators(
                annotators=number, reliability=together(known, number), same_majority=shares.get(number)
            )
            for number in NUMBERS
        ),
        enough=tuple(_enough(known, goal) for goal in GOALS),
        majority=majority,
    )


# By the formula of Spearman and Brown.


def spearman_brown(alpha: float, number: float) -> float:
    """Return the reliability of a number of labels together, `alpha` (0 to 1) being that of one."""
    return number * alpha / (1 + (number - 1) * alpha)


def least_number(alpha: float, reliability: float) -> int | None:
    """Return the least number of labels with a reliability together; None where alpha is not above 0."""
    if alpha <= 0:
        return None
    needed = reliability * (1 - alpha) / (alpha * (1 - reliability))
    return max(1, math.ceil(needed - ROUNDING))


def together(alpha: Figure, number: float) -> Figure:
    """Return the reliability of a number of labels together, with the interval that alpha's leads to.

    The formula rises with alpha, so that it takes ends to ends; reliability is not below 0, and neither are
    they.
    """
    if alpha.value is None or alpha.value <= 0:
        return Figure(value=None, units=alpha.units, undefined=NoAggregate.NOT_ABOVE_CHANCE)
    interval, ends = alpha.interval, _ends(alpha)
    if interval and ends:
        low, high = (spearman_brown(max(end, 0.0), number) for end in ends)
        interval = Interval(low=low, high=high, level=interval.level, method=interval.method)
    return Figure(value=spearman_brown(alpha.value, number), units=alpha.units, interval=interval)


def _enough(alpha: Figure, goal: float) -> EnoughAnnotators:
    low, high = _ends(alpha) or (0.0, 0.0)
    return EnoughAnnotators(
        reliability=goal,
        annotators=least_number(alpha.value or 0.0, goal),
        fewest=least_number(high, goal),
        most=least_number(low, goal),
    )


def _ends(alpha: Figure) -> tuple[float, float] | None:
    interval = alpha.interval
    if interval is None or interval.low is None or interval.high is None:
        return None
    return interval.low, interval.high


# By drawing: the majority of some of a unit's labels, and that of all.


def _majorities(profiles: Profiles) -> tuple[dict[int, float], MajorityUnits | None]:
    """Return how often the majority of some labels is that of all, by their number, and over which units.

    The units are the same for every number: those with as many labels as at least half of all have.
    """
    least = usual_labels(profiles)
    if least < LEAST_LABELS:
        return {}, None
    counts, units = label_counts(profiles.only(profiles.ratings >= least))
    tied = counts[:, 0] == counts[:, 1] if counts.shape[1] > 1 else np.zeros(len(counts), dtype=bool)
    every = int(units.sum())
    shares = {
        number: math.fsum(same_majority(counts, number) * units) / every
        for number in NUMBERS
        if number < least
    }
    return shares, MajorityUnits(labels=least, units=every, tied=int(units[tied].sum()))


def usual_labels(profiles: Profiles) -> int:
    """Return how many labels at least half of the units have, or more; the largest such number."""
    order = np.argsort(-profiles.ratings, kind="stable")
    reached = PAIR * np.cumsum(profiles.times[order]) >= profiles.units
    return int(profiles.ratings[order][np.argmax(reached)])


def label_counts(profiles: Profiles) -> tuple[Codes, Codes]:
    """Return how often a unit has its labels, the most frequent first, and how many units have them so.

    The former (kinds, most different labels) is filled up with 0. Which labels they are makes no difference.
    """
    profile, _label, times = profiles.cells
    starts = np.searchsorted(profile, np.arange(len(profiles.labels)))
    column = np.arange(len(profile)) - starts[profile]
    counts = np.zeros((len(profiles.labels), int(column.max(initial=0)) + 1), dtype=np.int64)
    counts[profile, column] = times
    kinds, place = distinct_rows(-np.sort(-counts, axis=1))
    return kinds, sums_by(place, profiles.times, len(kinds))


def same_majority(counts: Codes, number: int) -> Floats:
    """Return how probable it is that some of a unit's labels have the majority that all have (kinds,).

    `counts` are as of `label_counts`; labels are drawn without replacement, at most so many as a unit has.
    Where several labels are the most frequent, drawn or in all, one of them is taken by lot, so that what
    counts is how probable one label, the first, is to be the one taken. Ways to draw are whole numbers:
    sums of products, exact up to 2^53.
    """
    found = np.zeros(len(counts))
    of_first = _ways(counts[:, 0], number)
    for times in range(1, number + 1):
        found += of_first[:, times] * _ways_for_others(counts[:, 1:], times, number - times)
    drawn: Floats = found / _ways(counts.sum(axis=1), number)[:, number]
    return drawn


def _ways(sizes: Codes, most: int) -> Floats:
    """Return in how many ways 0, 1, … things can be drawn out of so many (sizes, most + 1)."""
    found = np.ones((len(sizes), most + 1))
    for number in range(1, most + 1):
        found[:, number] = found[:, number - 1] * np.maximum(sizes - number + 1, 0) / number
    return found


def _ways_for_others(counts: Codes, times: int, left: int) -> Floats:
    """Return in how many ways the other labels are drawn `left` times, none of them more than `times`.

    Ways in which j of them are drawn as often as the first count 1 / (1 + j), its share of the lot.
    """
    ties = left // times
    state = np.zeros((len(counts), left + 1, ties + 1))
    state[:, 0, 0] = 1.0
    for label in range(counts.shape[1]):
        ways, before = _ways(counts[:, label], times), state
        state = np.zeros_like(before)
        for drawn in range(min(times, left) + 1):
            added = ways[:, drawn, None, None] * before[:, : left + 1 - drawn]
            if drawn < times:
                state[:, drawn:] += added
            else:
                state[:, drawn:, 1:] += added[:, :, :-1]
    weighted: Floats = (state[:, left] / np.arange(1, ties + 2)).sum(axis=1)
    return weighted
