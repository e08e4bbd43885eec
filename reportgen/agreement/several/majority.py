"""Each annotator against what most others say, and agreement of all at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.agreement.several.linear import Linear
from reportgen.agreement.several.profiles import Profiles
from reportgen.agreement.several.units import UnitRatings
from reportgen.counts.tally import ranks
from reportgen.study import Codes

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Against:
    """Ratings held against a majority: which are compared (ratings,), and which of these agree with it."""

    compared: Mask
    agrees: Mask


@dataclass(frozen=True, eq=False)
class _Tally:
    """How often each label stands on its unit, for each rating (ratings,).

    `own` is how often the rating's own label does, `most` how often the commonest, `leaders` how many labels
    share that, `first` the first of them in the order of categories, `runners` how many stand there just once
    less.
    """

    own: Codes
    most: Codes
    leaders: Codes
    first: Codes
    runners: Codes


def _tally(found: UnitRatings) -> _Tally:
    key = found.unit * found.categories + found.label
    keys, place = ranks(key, len(found.weight) * found.categories)
    own = np.bincount(place, minlength=len(keys))
    unit, label = keys // found.categories, keys % found.categories
    most = np.zeros(len(found.weight), dtype=np.int64)
    np.maximum.at(most, unit, own)
    leads = own == most[unit]
    leaders = np.bincount(unit[leads], minlength=len(most))
    runners = np.bincount(unit[own == most[unit] - 1], minlength=len(most))
    first = np.full(len(most), found.categories, dtype=np.int64)
    np.minimum.at(first, unit[leads], label[leads])
    columns = (column[found.unit] for column in (most, leaders, first, runners))
    return _Tally(own[place], *columns)


def against_others(found: UnitRatings) -> Against:
    """Return each rating against the commonest label of the unit's other ratings (GATE user guide, 10.1.2).

    Where the others have no label, or several equally common ones, there is nothing to compare.
    """
    tally = _tally(found)
    leads, alone = tally.own == tally.most, tally.leaders == 1
    # Without its own rating the leading label may be caught up with by those one behind.
    agrees = leads & alone & (tally.runners == 0) & (tally.most > 1)
    rivals = np.where(leads, tally.leaders - 1, tally.leaders)
    differs = ~(leads & alone) & (rivals == 1)
    return Against(agrees | differs, agrees)


def against_all(found: UnitRatings) -> Against:
    """Return each rating against the commonest label of its unit, its own included.

    Of several equally common labels the first in the order of categories is taken. It flatters whoever rated
    units with few others; crowd-kit and others report it.
    """
    return Against(np.ones(len(found.unit), dtype=np.bool_), found.label == _tally(found).first)


def share(found: UnitRatings, against: Against, of: Mask | None = None) -> Estimate:
    """Return the share of compared ratings that agree with the majority; `of` are the ratings that count.

    A ratio of sums over units; its interval is clustered as that of any figure.
    """
    some = against.compared if of is None else against.compared & of
    times = found.weight[found.unit]
    tries, hits = (int(times[mask].sum()) for mask in (some, some & against.agrees))
    if tries == 0:
        return no_estimate(Undefined.NO_MAJORITY, 0)
    value = hits / tries
    each = np.where(some, against.agrees - value, 0.0)
    here = np.zeros(len(found.weight), dtype=np.bool_)
    here[found.unit[some]] = True
    units = int(found.weight[here].sum())
    influence = found.sum_by_unit(each)[here] * (units / tries)
    estimate = Estimate(value, units, recomputable=False)
    clusters = found.clusters_of(here)
    if hits == tries:
        return with_exact_bound(estimate, clusters)
    return with_interval(estimate, influence, clusters, (0.0, 1.0), disagreements=tries - hits)


def each_against_majority(found: UnitRatings, against: Against) -> tuple[Estimate, ...]:
    """Return for each annotator how often they say what most of the others say."""
    return tuple(share(found, against, found.annotator == code) for code in range(found.annotators))


def unanimous(profiles: Profiles) -> Estimate:
    """Return the share of units, of those that at least two rated, on which all ratings are the same."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    same = _is_unanimous(profiles)
    value = (profiles.units - profiles.disagreements) / profiles.units
    estimate = Estimate(value, profiles.units)
    if profiles.disagreements == 0:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(
        estimate, same - value, profiles.clusters, (0.0, 1.0), disagreements=profiles.disagreements
    )


def _is_unanimous(profiles: Profiles) -> Floats:
    lowest = np.where(profiles.labels < 0, profiles.categories, profiles.labels).min(axis=1)
    same: Floats = (lowest == profiles.labels.max(axis=1)).astype(np.float64)
    return same


def siegel_castellan(profiles: Profiles, annotators: int) -> Linear | Undefined:
    """Return GATE's all-way kappa: (A_o - A_e) / (1 - A_e) over the units that all annotators rated.

    A_o is the share of units on which all agree, A_e = Σ p_k^J with J annotators and pooled shares p. Of two
    annotators it is Scott's pi; of more, neither Siegel and Castellan (1988) nor Fleiss (1971), whose
    agreement is that of pairs. `profiles` hold those units alone.
    """
    if profiles.units == 0:
        return Undefined.NOT_RATED_BY_ALL
    shares = profiles.totals / int(profiles.totals.sum())
    others = np.array([float(each) ** (annotators - 1) for each in shares.tolist()])
    expected = 1 - float((others * shares).sum())
    if np.count_nonzero(profiles.totals) == 1:
        return Undefined.NO_EXPECTED_DISAGREEMENT
    apart = 1 - _is_unanimous(profiles)
    observed = profiles.disagreements / profiles.units
    moved = profiles.sum_over_ratings(others) - annotators * float((others * shares).sum())
    quotient = observed / expected
    influence = (quotient * -moved - (apart - observed)) / expected
    return Linear(1 - quotient, observed, expected, influence, weight=1 - moved / expected)


def rated_by(profiles: Profiles, annotators: int) -> Profiles:
    """Return the profiles of units that so many annotators rated."""
    kept = profiles.ratings == annotators
    rows = kept[profiles.profile]
    place = np.cumsum(kept) - 1
    return Profiles(
        profiles.labels[kept],
        profiles.document[rows],
        place[profiles.profile[rows]],
        profiles.n[rows],
        profiles.categories,
    )
