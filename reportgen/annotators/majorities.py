"""How reliable is the majority of a unit's labels? Estimated from the labels, by their number.

Two independent majorities of k labels each, of the same units, agree with an alpha that nobody can observe
where units have k labels. The formula of Spearman (1910) and Brown (1910) is of means, and takes errors to be
as likely on every unit: where a part of the units is hard, it promises far too much of a majority. So it is
estimated how units differ: each has probabilities of its labels, of which many candidates are laid out (one
category against all others, two against each other, in twelfths), and the shares of units that have them are
those under which the labels at hand are most likely (Kiefer and Wolfowitz 1956; by EM, Laird 1978). Of each
candidate it is known exactly how likely each category is to be the majority of k labels, ties by lot; from
these follow observed and expected agreement of two majorities, and alpha = (A_o - A_e) / (1 - A_e).

Intervals come from drawing documents, or units where none is known, again with replacement (percentiles); of
more than a million units a part (m out of n; Bickel, Götze and van Zwet 1997).
Two or three labels a unit leave open how units differ: then the figure rests on the candidates, and is not
given.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import Floats
from reportgen.measures.profiles import Profiles
from reportgen.readers import Codes
from reportgen.readers.annotations import NO_DOCUMENT
from reportgen.results import Figure, Interval
from reportgen.units.coded import sums_by

# So many labels a unit say how units differ; candidates are laid out in so many steps.
LEAST_LABELS, STEPS = 4, 12
# Of more labels a majority is as sure as can be, and a unit with still more makes likelihoods too small.
MOST_LABELS, MOST_OF_A_UNIT, TINY = 60, 500, 1e-150
ITERATIONS, DRAWS = 200, 100
SEED = 20_100
# With more categories, or candidates times kinds of units, nothing is estimated.
MOST_CATEGORIES, MOST_CELLS = 30, 1_000_000
# And with more of these, no interval.
MOST_DRAWN = 100_000
# Of more units without documents so many are drawn, which vary more: intervals are narrower by the root.
MOST_UNITS, FEWER_UNITS = 1_000_000, 200_000
LOW, HIGH = 0.025, 0.975
BY_DOCUMENT = "drawing documents with replacement, percentiles"
BY_UNIT = "drawing units with replacement, percentiles"


@dataclass(frozen=True, eq=False)
class Majorities:
    """How reliable majorities are: `of` has their alpha by the number of labels."""

    labels: int
    units: int
    by_number: dict[int, Figure]


@dataclass(frozen=True, eq=False)
class LabelledUnits:
    """Units by how often each category is among their labels.

    - `votes` (kinds, categories); `kind`, `times` (rows,): how many units of a document are of a kind;
      `cluster` (rows,): the document, or a number of its own for each row where none is known.
    """

    votes: Codes
    kind: Codes
    times: Codes
    document: Codes

    @cached_property
    def weights(self) -> Codes:
        """Return how many units are of each kind (kinds,)."""
        return sums_by(self.kind, self.times, len(self.votes))


def majorities(profiles: Profiles, numbers: Sequence[int]) -> Majorities | None:
    """Return how reliable majorities of some numbers of labels are, those at hand included.

    None where units have too few labels or very many, or the categories are too many.
    """
    enough = profiles.only(profiles.ratings >= LEAST_LABELS)
    if 2 * enough.units < profiles.units or not enough.units:
        return None
    order = np.argsort(enough.ratings, kind="stable")
    middle = np.searchsorted(np.cumsum(enough.times[order]), enough.units // 2, side="right")
    usual = int(enough.ratings[order[middle]])
    if usual > MOST_LABELS or enough.ratings.max() > MOST_OF_A_UNIT:
        return None
    used = np.flatnonzero(enough.totals)
    if not 2 <= len(used) <= MOST_CATEGORIES:
        return None
    units = _units(enough, used)
    candidates = _candidates(units)
    if len(candidates) * len(units.votes) > MOST_CELLS:
        return None
    likely = _likelihoods(units.votes, candidates)
    asked = sorted({*numbers, usual})
    chosen = {number: _majority_of(candidates, number) for number in asked}
    shares = _shares(likely, units.weights)
    drawn = [_shares(likely, weights) for weights in _drawn(units)] if likely.size <= MOST_DRAWN else []
    spread = math.sqrt(FEWER_UNITS / enough.units) if _is_drawn_in_part(units) else 1.0
    method = BY_DOCUMENT if (units.document != NO_DOCUMENT).any() else BY_UNIT
    figures = {
        number: _figure([_alpha(own, majority) for own in (shares, *drawn)], enough.units, method, spread)
        for number, majority in chosen.items()
    }
    return Majorities(usual, enough.units, figures)


def _units(profiles: Profiles, used: Codes) -> LabelledUnits:
    """Return units by how often each of the used categories is among their labels."""
    profile, label, times = profiles.cells
    votes = np.zeros((len(profiles.labels), len(used)), dtype=np.int64)
    votes[profile, np.searchsorted(used, label)] = times
    return LabelledUnits(votes, profiles.profile, profiles.n, profiles.document)


def _candidates(units: LabelledUnits) -> Floats:
    """Return probabilities of labels that units may have (candidates, categories)."""
    categories = units.votes.shape[1]
    totals = (units.votes * units.weights[:, None]).sum(axis=0).astype(np.float64)
    met = units.votes > 0
    each = np.eye(categories)
    rows: list[Floats] = []
    for one in range(categories):
        rest = np.where(np.arange(categories) == one, 0.0, totals)
        rest /= rest.sum()
        rows += [_mixed(each[one], rest, step) for step in range(STEPS + 1) if step * categories >= STEPS]
        for other in range(one + 1, categories):
            if (met[:, one] & met[:, other]).any():
                rows += [_mixed(each[one], each[other], step) for step in range(STEPS + 1)]
    return np.unique(np.array(rows), axis=0)


def _mixed(one: Floats, other: Floats, step: int) -> Floats:
    mixed: Floats = (step * one + (STEPS - step) * other) / STEPS
    return mixed


def _likelihoods(votes: Codes, candidates: Floats) -> Floats:
    """Return how likely the labels of each kind of unit are under each candidate (kinds, candidates)."""
    most = int(votes.max())
    likely = np.ones((len(votes), len(candidates)))
    for category in range(votes.shape[1]):
        powers = np.ones((most + 1, len(candidates)))
        for times in range(1, most + 1):
            powers[times] = powers[times - 1] * candidates[:, category]
        likely *= powers[votes[:, category]]
        # Of many labels all are tiny: what counts is how a unit's candidates compare.
        highest = likely.max(axis=1, keepdims=True)
        likely = np.where(highest < TINY, likely / highest, likely)
    return likely


def _shares(likely: Floats, weights: Codes) -> Floats:
    """Return the shares of units that have each candidate under which the labels are most likely, by EM."""
    there = weights > 0
    rows, seen = likely[there], weights[there] / int(weights.sum())
    shares = np.full(rows.shape[1], 1 / rows.shape[1])
    for _ in range(ITERATIONS):
        under = (rows * shares).sum(axis=1)
        shares = shares * (rows * (seen / under)[:, None]).sum(axis=0)
    return shares


def _is_drawn_in_part(units: LabelledUnits) -> bool:
    return bool((units.document == NO_DOCUMENT).all() and units.times.sum() > MOST_UNITS)


def _drawn(units: LabelledUnits) -> Iterator[Codes]:
    """Yield how many units of each kind (kinds,) are in samples of documents, or of units without one."""
    alone = units.document == NO_DOCUMENT
    generator = np.random.Generator(np.random.PCG64(SEED))
    kinds = len(units.votes)
    if _is_drawn_in_part(units):
        ends = np.cumsum(units.times)
        for _ in range(DRAWS):
            rows = np.searchsorted(ends, generator.integers(0, ends[-1], FEWER_UNITS), side="right")
            yield np.bincount(units.kind[rows], minlength=kinds)
        return
    if alone.all():
        own = np.repeat(units.kind, units.times)
        clusters, times = np.arange(len(own)), np.ones(len(own), dtype=np.int64)
    else:
        names = np.where(alone, units.document.max() + 1 + np.arange(len(units.document)), units.document)
        _names, clusters = np.unique(names, return_inverse=True)
        own, times = units.kind, units.times
    groups = int(clusters.max()) + 1
    for _ in range(DRAWS if groups > 1 else 0):
        chosen = np.bincount(generator.integers(0, groups, groups), minlength=groups)
        weights = sums_by(own, times * chosen[clusters], kinds)
        if weights.any():
            yield weights


# The majority of so many labels of a unit whose probabilities are known.


def _majority_of(candidates: Floats, number: int) -> Floats:
    """Return how likely each category is to be the majority of so many labels (candidates, categories).

    Labels are independent draws; where several are the most frequent, one of them is taken by lot.
    """
    weighed = np.ones((*candidates.shape, number + 1))
    for times in range(1, number + 1):
        weighed[:, :, times] = weighed[:, :, times - 1] * candidates / times
    majority = np.zeros(candidates.shape)
    for category in range(candidates.shape[1]):
        others = np.delete(weighed, category, axis=1)
        for times in range(1, number + 1):
            left = _others_below(others, times, number - times)
            majority[:, category] += weighed[:, category, times] * left
    return majority * math.factorial(number)


def _others_below(weighed: Floats, times: int, left: int) -> Floats:
    """Return how likely others are `left` times, none more than `times`; j that tie count 1 / (1 + j)."""
    ties = left // times
    state = np.zeros((len(weighed), left + 1, ties + 1))
    state[:, 0, 0] = 1.0
    for category in range(weighed.shape[1]):
        before, state = state, np.zeros_like(state)
        for drawn in range(min(times, left) + 1):
            added = weighed[:, category, drawn, None, None] * before[:, : left + 1 - drawn]
            if drawn < times:
                state[:, drawn:] += added
            else:
                state[:, drawn:, 1:] += added[:, :, :-1]
    below: Floats = (state[:, left] / np.arange(1, ties + 2)).sum(axis=1)
    return below


def _alpha(shares: Floats, majority: Floats) -> float | None:
    """Return alpha of two independent majorities, None where all majorities are the same."""
    observed = float((shares * (majority * majority).sum(axis=1)).sum())
    margins = (shares[:, None] * majority).sum(axis=0)
    expected = float((margins * margins).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else None


def _figure(values: Sequence[float | None], units: int, method: str, spread: float) -> Figure:
    """Return the first value with the percentiles of the others, as far from it as a `spread` says."""
    own, *drawn = values
    known = sorted(value for value in drawn if value is not None)
    if own is not None and spread < 1:
        known = [own + spread * (value - own) for value in known]
    interval = None
    if own is not None and len(known) == len(drawn) > 0:
        low, high = (_percentile(known, share) for share in (LOW, HIGH))
        interval = Interval(low=min(low, own), high=max(high, own), level=HIGH - LOW, method=method)
    return Figure(value=own, units=units, interval=interval)


def _percentile(values: Sequence[float], share: float) -> float:
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])
