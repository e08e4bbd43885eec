"""Second opinions: documents resampled, left out one by one, exchanged between versions; labels drawn."""

import math
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.measures.cluster_sums import (
    MOST_ON_SCALE,
    SEED,
    ClusterSums,
    Compute,
    SumsLayout,
    UnitSums,
    alphas,
    cluster_sums,
    figures_by_units,
    kinds_of_unit,
    left_one_out,
    resampled,
    sums_layout,
)
from reportgen.measures.distances import set_distances
from reportgen.measures.distributions import LEVEL, binomial_below, t_quantile
from reportgen.measures.estimate import LOWEST, ROUNDING, ConfidenceInterval, Estimate, Floats
from reportgen.measures.profiles import Profiles
from reportgen.measures.unit_set_data import UnitsOfAll
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.parts import LeftOneOut, Opinions, PairsDrawn, Resampled
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import nothing

# Sums of clusters beyond which resampling takes too long.
MOST_CELLS = 1_000_000
MOST_ALONE = 200_000
UPPER = (1 + LEVEL) / 2


class NoOpinion(StrEnum):
    """Why there is no second opinion; a closed list, translated when a page is rendered."""

    TOO_LARGE = "there are too many categories and documents, or units without a document, to resample"
    WITHOUT_ONE = "without one of the documents or units the figure is undefined"
    MOSTLY_UNDEFINED = "in most samples the figure is undefined"


# Clusters, the sums over samples of them (samples, columns), and those without each one (kinds, columns).
ResampledSums = tuple[ClusterSums, Codes, Codes]


def second_opinions(units_of_all: UnitsOfAll, measures: Mapping[str, Estimate]) -> dict[str, Opinions]:
    """Return the second opinions on those figures of all annotators that have an interval, by their ids."""
    opinions: dict[str, Opinions] = {}
    drawn: dict[int, ResampledSums] = {}
    asked = [
        (units, {name: compute for name, compute in figures.items() if _has_interval(measures.get(name))})
        for units, figures in figures_by_units(units_of_all)
    ]
    for units, figures in sorted((group for group in asked if group[1]), key=_with_distances, reverse=True):
        opinions |= _opinions(units, figures, measures, drawn)
    if "krippendorff_alpha" in opinions and units_of_all.profiles.units:
        drawn_pairs = pairs_drawn(units_of_all, measures["krippendorff_alpha"])
        opinions["krippendorff_alpha"] = opinions["krippendorff_alpha"].model_copy(
            update={"hayes_krippendorff": drawn_pairs}
        )
    return {name: opinions[name] for name in measures if name in opinions}


def _has_interval(figure: Estimate | None) -> bool:
    return (
        figure is not None
        and isinstance(figure.interval, ConfidenceInterval)
        and figure.standard_error is not None
    )


def _with_distances(group: tuple[Profiles, Mapping[str, Compute]]) -> bool:
    return any("[" in name for name in group[1])


def _opinions(
    units: Profiles,
    figures: Mapping[str, Compute],
    measures: Mapping[str, Estimate],
    resampled_units: dict[int, ResampledSums],
) -> dict[str, Opinions]:
    """Return the opinions on figures of the same units.

    `resampled_units` has what was drawn of units by their id.

    Sums that distances need come after all others, and are taken first: the others are among them. Units of
    kinds that differ in these alone are drawn in another order, which changes no other sum.
    """
    chosen = sums_layout(units, distances=_with_distances((units, figures)))
    none = Opinions(
        document_bootstrap=Resampled(undefined=NoOpinion.TOO_LARGE),
        document_jackknife=LeftOneOut(undefined=NoOpinion.TOO_LARGE),
    )
    if chosen.columns * len(units.labels) > MOST_CELLS:
        return dict.fromkeys(figures, none)
    moved = resampled_units.get(id(units)) or _resampled(units, chosen)
    if moved is None:
        return dict.fromkeys(figures, none)
    resampled_units[id(units)] = moved
    clusters, *sums = moved
    drawn, left = (UnitSums(chosen, sums_of_all[:, : chosen.columns]) for sums_of_all in sums)
    return {
        name: Opinions(
            document_bootstrap=_bootstrap(compute(drawn), _least(measures[name])),
            document_jackknife=_jackknife(compute(left), clusters, measures[name]),
        )
        for name, compute in figures.items()
    }


def _resampled(units: Profiles, chosen: SumsLayout) -> ResampledSums | None:
    """Return the sums of samples, and without each cluster; None where these are too many."""
    clusters = cluster_sums(units, chosen)
    times = clusters.times[~clusters.documents]
    # Units without a document have to be drawn, unless they are all alike.
    alone = int(times.sum()) if len(times) > 1 else 0
    if clusters.columns.size > MOST_CELLS or alone > MOST_ALONE:
        return None
    return clusters, resampled(clusters), left_one_out(clusters)


def _least(figure: Estimate) -> float:
    """Return the least that a figure can be."""
    return LOWEST if figure.spread is None else figure.spread.possible[0]


def _bootstrap(values: Floats, low: float) -> Resampled:
    """Return the percentile interval: as many samples lie beyond one end as beyond the other."""
    defined = np.sort(values[~np.isnan(values)])
    if 2 * len(defined) <= len(values):
        return Resampled(undefined=NoOpinion.MOSTLY_UNDEFINED)
    # 1 - .975 is no exact number: rounding must not take a sample off a whole one.
    beyond = math.floor(len(defined) * (1 - UPPER) + 1e-9)
    ends = float(defined[beyond]), float(defined[len(defined) - 1 - beyond])
    return Resampled(
        low=max(low, ends[0]),
        high=min(1.0, ends[1]),
        samples=len(values),
        left_out=len(values) - len(defined),
        seed=SEED,
    )


def _jackknife(without: Floats, clusters: ClusterSums, figure: Estimate) -> LeftOneOut:
    """Return the interval from the figure without each cluster, t with G - 1 degrees of freedom.

    The variance is (G - 1) / G Σ (θ₋g - θ)² (Efron and Stein 1981), for documents and for units without one
    apart, G being the documents where some are known.
    """
    if figure.value is None or np.isnan(without).any():
        return LeftOneOut(undefined=NoOpinion.WITHOUT_ONE)
    error = math.sqrt(
        sum(
            _spread(without[stratum] - figure.value, clusters.times[stratum])
            for stratum in (clusters.documents, ~clusters.documents)
        )
    )
    groups = int(clusters.documents.sum()) or int(clusters.times.sum())
    half = t_quantile(groups - 1) * error
    return LeftOneOut(
        low=max(_least(figure), figure.value - half),
        high=min(1.0, figure.value + half),
        standard_error=error,
        clusters=groups,
    )


def _spread(moved: Floats, times: npt.NDArray[np.int64]) -> float:
    size = int(times.sum())
    return (size - 1) / size * float((times * moved * moved).sum()) if size else 0.0


def pairs_drawn(units: UnitsOfAll, figure: Estimate) -> PairsDrawn | None:
    """Return the interval of Hayes and Krippendorff (2007) for nominal alpha.

    As many pairs of labels as there are within units are drawn from the observed coincidences, and the
    expected disagreement stays as it is. Of nominal labels the drawn disagreements have a binomial
    distribution, whose quantiles stand in for samples. Krippendorff's own note (2006, revised 2011) caps
    the number of pairs at 25 for each cell of the coincidence matrix that is not empty, to save time; here
    all are drawn.
    """
    if figure.observed is None or not figure.expected:
        return None
    profiles = units.profiles
    pairs = int((profiles.times * (profiles.ratings * (profiles.ratings - 1) // 2)).sum())
    most, least = (_binomial_quantile(end, pairs, figure.observed) for end in (UPPER, 1 - UPPER))
    low, high = (1 - apart / pairs / figure.expected for apart in (most, least))
    return PairsDrawn(low=max(LOWEST, low), high=min(1.0, high), pairs=pairs)


def _binomial_quantile(probability: float, draws: int, share: float) -> int:
    """Return the least number of successes that is not exceeded with a probability."""
    low, high = -1, draws
    while high - low > 1:
        middle = (low + high) // 2
        reached = binomial_below(middle, draws, share) >= probability
        low, high = (low, middle) if reached else (middle, high)
    return high


# Is one figure higher than another? Second opinion: the two versions of each document are exchanged.
#
# What is tested is that they are exchangeable: which of a document's two annotations came first has nothing
# to do with its marks. That is more than equal figures: it fails too where one version uses other categories
# though agreement is the same. In return no distribution is assumed, nor many documents; the documents
# have to be independent of each other, units within them need not be.
#
# Pitman (1937), Supplement to the Journal of the Royal Statistical Society 4(1), 119-130; Phipson and Smyth
# (2010), Statistical Applications in Genetics and Molecular Biology 9(1), 39, for the 1 in (1 + b) / (1 + m).

EXCHANGES = 4999
SEED_OF_EXCHANGES = 1937
# With so few documents that differ, every exchange is tried.
MOST_EXACT = 14
# Documents that are exchanged together: one byte says which of them are.
BYTE = 8
Bytes = npt.NDArray[np.uint8]


class NoPermutation(StrEnum):
    """Why nothing is exchanged; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "exchanging takes two documents or more that are in both versions"
    TOO_LARGE = "there are too many categories and documents to exchange them"
    MOSTLY_UNDEFINED = "after most exchanges the figure is undefined"
    NOT_FROM_SUMS = "the figure is not a sum over documents, so that exchanging them would take too long"


@dataclass(frozen=True)
class Permuted:
    """How often an exchange gives a difference at least as large as the one seen.

    `samples` is how many exchanges were tried, `undefined` after how many of them a figure was undefined:
    these are left out. `exact` says that all exchanges were tried, `p` then being a share; otherwise it is
    (1 + as large) / (1 + defined).
    """

    p: float
    samples: int
    exact: bool
    undefined: int
    seed: int = SEED_OF_EXCHANGES


def permutation(
    first: UnitsOfAll, second: UnitsOfAll, figures: Collection[str], samples: int = EXCHANGES
) -> dict[str, Permuted | NoPermutation]:
    """Return the two-sided permutation test of each of some figures of all annotators, by its id.

    A document's code has to mean the same in both; documents of one of the two alone, and units without a
    document, stay where they are. Raises ValueError where the two do not have the same categories.
    """
    if first.units.categories != second.units.categories:
        raise ValueError("figures over other categories can't be exchanged")
    tests: dict[str, Permuted | NoPermutation] = dict.fromkeys(figures, NoPermutation.NOT_FROM_SUMS)
    for names, one, other in _computed_of_both(first, second, figures):
        both = _exchangeable(one, other, distances=any("[" in name for name in names))
        if isinstance(both, NoPermutation):
            tests |= dict.fromkeys(names, both)
        else:
            tests |= permuted(both, names, samples)
    return tests


Asked = tuple[dict[str, Compute], Profiles, Profiles]


def _computed_of_both(first: UnitsOfAll, second: UnitsOfAll, figures: Collection[str]) -> Iterator[Asked]:
    """Yield the figures that rest on the same units, and those units of both versions."""
    ours, theirs = list(_computed(first)), list(_computed(second))
    for units, computed in ours:
        for others, computed_of_other in theirs:
            names = {
                name: computed[name] for name in figures if name in computed and name in computed_of_other
            }
            if names:
                yield names, units, others


def _computed(units_of_all: UnitsOfAll) -> Iterator[tuple[Profiles, dict[str, Compute]]]:
    """Yield the units that figures are about, and the figures; alpha between sets too."""
    yield from figures_by_units(units_of_all)
    if units_of_all.setting.sets is not None and units_of_all.categories <= MOST_ON_SCALE:
        units = kinds_of_unit(units_of_all)
        yield units.only(units.ratings >= 2), alphas(set_distances(units_of_all.setting.sets))


@dataclass(frozen=True, eq=False)
class Exchangeable:
    """The sums of both versions, and what exchanging a document moves from one to the other.

    `first` and `second` (columns,) are over everything, `moved` (columns, documents) is the second less the
    first in each document that differs.
    """

    layout: SumsLayout
    first: Codes
    second: Codes
    moved: Codes


def _exchangeable(one: Profiles, other: Profiles, *, distances: bool) -> Exchangeable | NoPermutation:
    chosen = sums_layout(_together(one, other), distances=distances)
    mine, theirs = _documents(one), _documents(other)
    shared = np.intersect1d(mine, theirs)
    if len(shared) < 2:
        return NoPermutation.ONE_DOCUMENT
    if chosen.columns * (len(mine) + len(theirs)) > MOST_CELLS:
        return NoPermutation.TOO_LARGE
    before, after = cluster_sums(one, chosen), cluster_sums(other, chosen)
    return exchangeable(before, after, (np.searchsorted(mine, shared), np.searchsorted(theirs, shared)))


def _documents(units: Profiles) -> Codes:
    """Return the codes of the documents, in the order in which their sums are."""
    return np.unique(units.document[units.document != NO_DOCUMENT])


def _together(one: Profiles, other: Profiles) -> Profiles:
    """Return the kinds of both, filled up to as many ratings: what a common layout is made from."""
    width = max(one.labels.shape[1], other.labels.shape[1])
    labels = [
        np.pad(units.labels, ((0, 0), (0, width - units.labels.shape[1])), constant_values=NO_CATEGORY)
        for units in (one, other)
    ]
    categories = max(one.categories, other.categories)
    return Profiles(np.concatenate(labels), nothing(), nothing(), nothing(), categories)


def exchangeable(first: ClusterSums, second: ClusterSums, places: tuple[Codes, Codes]) -> Exchangeable:
    """Return what can be exchanged of two versions, `places` being where the shared documents are.

    A document with the same sums in both changes nothing and is left out. Documents are ordered by their
    sums, so that neither their own order nor that of the two versions changes a sample.
    """
    before, after = first.columns[:, places[0]], second.columns[:, places[1]]
    moved, both = after - before, after + before
    differs = np.flatnonzero(moved.any(axis=0))
    gained = second.total - first.total
    up = 1 if not gained.any() or gained[np.flatnonzero(gained)[0]] > 0 else -1
    order = np.lexsort((*(up * moved[:, differs])[::-1], *both[:, differs][::-1]))
    return Exchangeable(first.layout, first.total, second.total, moved[:, differs[order]])


def permuted(
    both: Exchangeable, figures: Mapping[str, Compute], samples: int
) -> dict[str, Permuted | NoPermutation]:
    """Return the tests of some figures, given the functions that compute them from sums, by their ids."""
    documents = both.moved.shape[1]
    exact = documents <= MOST_EXACT
    moved = _exchanged(both.moved, _all(documents) if exact else _sampled(documents, samples))
    # The first row is what was seen: nothing has changed sides.
    moved = np.concatenate([np.zeros((1, len(both.first)), dtype=np.int64), moved])
    first = UnitSums(both.layout, both.first[None, :] + moved)
    second = UnitSums(both.layout, both.second[None, :] - moved)
    return {name: _answer(compute(second) - compute(first), exact=exact) for name, compute in figures.items()}


def _answer(differences: Floats, *, exact: bool) -> Permuted | NoPermutation:
    """Return the test from the difference that was seen and those after each exchange."""
    observed, apart = abs(float(differences[0])), np.abs(differences[1:])
    if np.isnan(observed):
        return NoPermutation.UNDEFINED
    defined = apart[~np.isnan(apart)]
    if 2 * len(defined) <= len(apart):
        return NoPermutation.MOSTLY_UNDEFINED
    # What is equal but for rounding counts as equal.
    as_large, more = int((defined >= observed - ROUNDING).sum()), 0 if exact else 1
    p = (more + as_large) / (more + len(defined))
    return Permuted(p, len(apart), exact, len(apart) - len(defined))


def _all(documents: int) -> Bytes:
    """Return every choice of documents (2 to the power of documents, bytes of eight documents)."""
    numbers = np.arange(1 << documents, dtype=np.int64)
    return np.stack(
        [numbers >> start & (1 << BYTE) - 1 for start in range(0, documents or 1, BYTE)], axis=1
    ).astype(np.uint8)


def _sampled(documents: int, samples: int) -> Bytes:
    """Return choices of documents at random (samples, bytes of eight documents), the same each time."""
    generator = np.random.Generator(np.random.PCG64(SEED_OF_EXCHANGES))
    return generator.integers(0, 1 << BYTE, size=(samples, -(-documents // BYTE)), dtype=np.uint8)


def _exchanged(moved: Codes, chosen: Bytes) -> Codes:
    """Return the sums over the chosen documents (samples, columns).

    The sums of every choice of eight documents are taken once and looked up. They are whole numbers: no order
    of summation can change them.
    """
    sums = np.zeros((len(chosen), len(moved)), dtype=np.int64)
    changed = np.flatnonzero(moved.any(axis=1))
    part = np.zeros((len(chosen), len(changed)), dtype=np.int64)
    for byte_index, byte in enumerate(chosen.T):
        eight = moved[changed, byte_index * BYTE : (byte_index + 1) * BYTE]
        part += _choices(eight)[byte]
    sums[:, changed] = part
    return sums


def _choices(moved: Codes) -> Codes:
    """Return the sums over every choice of up to eight documents (256, columns)."""
    chosen = np.zeros((1, len(moved)), dtype=np.int64)
    for column in moved.T:
        chosen = np.concatenate([chosen, chosen + column])
    return np.tile(chosen, ((1 << BYTE) // len(chosen), 1))
