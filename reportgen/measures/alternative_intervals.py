"""Second opinions on an interval: clusters resampled, left out one by one; pairs of labels resampled."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from reportgen.measures import formulas, vectorized_sums
from reportgen.measures.distributions import binomial_below
from reportgen.measures.estimate import LEVEL, LOWEST, ConfidenceInterval, Estimate, Floats, t_quantile
from reportgen.measures.profiles import Profiles, without
from reportgen.measures.setting import scale_distances
from reportgen.measures.unit_set_data import Whole
from reportgen.measures.vectorized_sums import (
    ClusterSums,
    Compute,
    SumsLayout,
    UnitSums,
    of_nominal,
    on_ranks,
    with_distance,
)
from reportgen.readers import Codes
from reportgen.results.parts import LeftOneOut, Opinions, PairsDrawn, Resampled

SAMPLES = 1000
SEED = 2007
# Draws that are held at once, and sums of clusters beyond which resampling takes too long.
AT_ONCE = 100_000
MOST_CELLS = 1_000_000
MOST_ALONE = 200_000
# With more categories than these, the sums of every two of them would be too many.
MOST_ON_SCALE = 20
TWO = 2
UPPER = (1 + LEVEL) / 2
ALPHA = formulas.krippendorff_alpha
OF_TWOED = {
    "observed_agreement": formulas.observed_agreement,
    "scott_pi": formulas.scott_pi,
    "krippendorff_alpha": ALPHA,
}


class NoOpinion(StrEnum):
    """Why there is no second opinion; a closed list, translated when a page is rendered."""

    TOO_LARGE = "there are too many categories and documents, or units without a document, to resample"
    WITHOUT_ONE = "without one of the documents or units the figure is undefined"
    MOSTLY_UNDEFINED = "in most samples the figure is undefined"


@dataclass(frozen=True, eq=False)
class ResampledSums:
    """The sums over resampled clusters (samples, columns), and without each of them (kinds, columns)."""

    clusters: ClusterSums
    drawn: Codes
    left: Codes


def second_opinions(whole: Whole, measures: Mapping[str, Estimate]) -> dict[str, Opinions]:
    """Return the second opinions on those figures of all annotators that have an interval, by their ids."""
    found: dict[str, Opinions] = {}
    drawn: dict[int, ResampledSums] = {}
    asked = [(units, _asked(figures, measures)) for units, figures in groups(whole)]
    for units, figures in sorted((each for each in asked if each[1]), key=_with_distances, reverse=True):
        found |= _opinions(units, figures, measures, drawn)
    if "krippendorff_alpha" in found and whole.profiles.units:
        drawn_pairs = pairs_drawn(whole, measures["krippendorff_alpha"])
        found["krippendorff_alpha"] = found["krippendorff_alpha"].model_copy(
            update={"hayes_krippendorff": drawn_pairs}
        )
    return {name: found[name] for name in measures if name in found}


def _has_interval(figure: Estimate | None) -> bool:
    return (
        figure is not None
        and isinstance(figure.interval, ConfidenceInterval)
        and figure.standard_error is not None
    )


def kinds(whole: Whole) -> Profiles:
    """Return the units of a unit set by kind, units with a single rating too.

    Of two annotators the labels of each stand in the annotators' order.
    """
    if whole.annotators != TWO or whole.rated.labels.shape[1] < TWO:
        return whole.rated
    both, single = whole.pair.profiles, whole.rated.only(whole.rated.ratings < TWO)
    return Profiles(
        np.concatenate([both.labels, single.labels]),
        np.concatenate([both.document, single.document]),
        np.concatenate([both.profile, len(both.labels) + single.profile]),
        np.concatenate([both.n, single.n]),
        whole.categories,
    )


def groups(whole: Whole) -> Iterator[tuple[Profiles, dict[str, Compute]]]:
    """Yield the units that figures are about, and the figures."""
    rated, size = kinds(whole), whole.categories
    paired = rated.only(rated.ratings >= TWO)
    of_all = {"fleiss_kappa": of_nominal(formulas.fleiss_kappa, size)}
    if size >= TWO:
        uniform = of_nominal(formulas.bennett_s, size)
        of_all |= {
            "gwet_ac1": of_nominal(formulas.gwet_ac, size),
            "bennett_s": uniform,
            "randolph_kappa": uniform,
        }
    of_paired = {name: of_nominal(formula, size) for name, formula in OF_TWOED.items()}
    if whole.annotators == TWO:
        of_paired["cohen_kappa"] = of_nominal(formulas.cohen_kappa, size)
    if len(rated.labels) == len(paired.labels):
        of_paired, of_all = of_paired | of_all, {}
    yield paired, of_paired
    yield rated, of_all
    if size <= MOST_ON_SCALE:
        yield paired, _declared(whole)
        yield without(paired, whole.setting.non_annotated), _on_scale(whole)


def _declared(whole: Whole) -> dict[str, Compute]:
    """Return alpha with every declared distance."""
    declared = whole.setting.distances
    return {f"krippendorff_alpha[{each.id}]": with_distance(ALPHA, each.matrix) for each in declared}


def _on_scale(whole: Whole) -> dict[str, Compute]:
    """Return alpha on the scale of the study."""
    found: dict[str, Compute] = {}
    if whole.setting.values is not None:
        totals = np.ones(whole.categories - (whole.setting.non_annotated >= 0), dtype=np.int64)
        for each in scale_distances(totals, whole.setting):
            ordinal = each.id == "ordinal"
            compute = on_ranks(ALPHA) if ordinal else with_distance(ALPHA, each.matrix)
            found[f"krippendorff_alpha[{each.id}]"] = compute
    return found


def _asked(figures: Mapping[str, Compute], measures: Mapping[str, Estimate]) -> dict[str, Compute]:
    return {name: compute for name, compute in figures.items() if _has_interval(measures.get(name))}


def _with_distances(group: tuple[Profiles, Mapping[str, Compute]]) -> bool:
    return any("[" in name for name in group[1])


def _opinions(
    units: Profiles,
    figures: Mapping[str, Compute],
    measures: Mapping[str, Estimate],
    known: dict[int, ResampledSums],
) -> dict[str, Opinions]:
    """Return the opinions on figures of the same units; `known` has what was drawn of units by their id.

    Sums that distances need stand behind all others, and are taken first: the others are among them. Units of
    kinds that differ in these alone are drawn in another order, which changes no other sum.
    """
    chosen = vectorized_sums.layout(units, distances=_with_distances((units, figures)))
    none = Opinions(
        document_bootstrap=Resampled(undefined=NoOpinion.TOO_LARGE),
        document_jackknife=LeftOneOut(undefined=NoOpinion.TOO_LARGE),
    )
    if chosen.columns * len(units.labels) > MOST_CELLS:
        return dict.fromkeys(figures, none)
    moved = known.get(id(units)) or _moved(units, chosen)
    if moved is None:
        return dict.fromkeys(figures, none)
    known[id(units)] = moved
    drawn, left = (UnitSums(chosen, each[:, : chosen.columns]) for each in (moved.drawn, moved.left))
    return {
        name: Opinions(
            document_bootstrap=_bootstrap(compute(drawn), _least(name)),
            document_jackknife=_jackknife(compute(left), moved.clusters, measures[name], _least(name)),
        )
        for name, compute in figures.items()
    }


def _moved(units: Profiles, chosen: SumsLayout) -> ResampledSums | None:
    """Return the sums of samples, and without each cluster; None where these are too many."""
    clusters = vectorized_sums.cluster_sums(units, chosen)
    if clusters.columns.size > MOST_CELLS or _alone(clusters) > MOST_ALONE:
        return None
    return ResampledSums(clusters, resampled(clusters), left_one_out(clusters))


def _least(name: str) -> float:
    """Return the least value of a figure."""
    if name == "observed_agreement":
        return 0.0
    return -math.inf if "[" in name else LOWEST


def _alone(clusters: ClusterSums) -> int:
    """Return how many units without a document are to be drawn; if they are all alike, none."""
    times = clusters.times[~clusters.documents]
    return int(times.sum()) if len(times) > 1 else 0


def resampled(clusters: ClusterSums, samples: int = SAMPLES, seed: int = SEED) -> Codes:
    """Return the sums of samples of clusters drawn with replacement (samples, columns).

    Documents are drawn from the documents, as many as there are, and units without one from those units.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    found = np.zeros((samples, len(clusters.columns)), dtype=np.int64)
    for kept in (clusters.documents, ~clusters.documents):
        columns, times = np.ascontiguousarray(clusters.columns[:, kept]), clusters.times[kept]
        if len(times) == 1:
            found += columns[:, 0] * times[0]
        elif len(times):
            found += _drawn(generator, columns, times, samples)
    return found


def _drawn(generator: np.random.Generator, columns: Codes, times: Codes, samples: int) -> Codes:
    """Return the sums of samples of clusters of several kinds (samples, columns).

    Clusters are numbered in the order of their sums, so that the order of documents changes no sample.
    """
    size, sorts = int(times.sum()), len(times)
    order = np.lexsort((times, *columns[::-1]))
    kind = np.repeat(order, times[order])
    step = max(1, AT_ONCE // size)
    parts = []
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        draws = generator.integers(0, size, size=(rows, size), dtype=np.uint32)
        drawn = _of_each_kind(draws, kind, sorts)
        # Whole numbers: no order of summation and no library of linear algebra can change them.
        parts.append(np.einsum("sg,cg->sc", drawn, columns))
    return np.concatenate(parts)


def _of_each_kind(draws: npt.NDArray[np.uint32], kind: Codes, sorts: int) -> Codes:
    """Return how many of each row's draws are of each kind (rows, kinds).

    In `kind` equal ones stand together. Most units are often of one kind, which is what is left of each row
    when all others are counted.
    """
    rows, size = draws.shape
    most = int(np.bincount(kind, minlength=sorts).argmax())
    first = int((kind == most).argmax())
    last = first + int((kind == most).sum())
    others = np.flatnonzero((draws < first) | (draws >= last))
    keys = kind[draws.reshape(-1)[others]] + sorts * (others // size)
    found = np.bincount(keys, minlength=rows * sorts).reshape(rows, sorts)
    found[:, most] = size - found.sum(axis=1)
    return found


def left_one_out(clusters: ClusterSums) -> Codes:
    """Return the sums without one cluster of each kind (kinds, columns)."""
    return clusters.total[None, :] - clusters.columns.T


def _bootstrap(values: Floats, low: float) -> Resampled:
    """Return the percentile interval: as many samples lie beyond one end as beyond the other."""
    defined = np.sort(values[~np.isnan(values)])
    if TWO * len(defined) <= len(values):
        return Resampled(undefined=NoOpinion.MOSTLY_UNDEFINED)
    beyond = math.floor(len(defined) * (1 - UPPER) + 1e-9)
    ends = float(defined[beyond]), float(defined[len(defined) - 1 - beyond])
    return Resampled(
        low=max(low, ends[0]),
        high=min(1.0, ends[1]),
        samples=len(values),
        left_out=len(values) - len(defined),
        seed=SEED,
    )


def _jackknife(without: Floats, clusters: ClusterSums, figure: Estimate, low: float) -> LeftOneOut:
    """Return the interval from the figure without each cluster, t with G - 1 degrees of freedom.

    The variance is (G - 1) / G Σ (θ₋g - θ)² (Efron and Stein 1981), for documents and for units without one
    apart, G being the documents where some are known.
    """
    if figure.value is None or np.isnan(without).any():
        return LeftOneOut(undefined=NoOpinion.WITHOUT_ONE)
    error = math.sqrt(
        sum(
            _spread(without[kept] - figure.value, clusters.times[kept])
            for kept in (clusters.documents, ~clusters.documents)
        )
    )
    groups = int(clusters.documents.sum()) or int(clusters.times.sum())
    half = t_quantile(groups - 1) * error
    return LeftOneOut(
        low=max(low, figure.value - half),
        high=min(1.0, figure.value + half),
        standard_error=error,
        clusters=groups,
    )


def _spread(moved: Floats, times: npt.NDArray[np.int64]) -> float:
    size = int(times.sum())
    return (size - 1) / size * float((times * moved * moved).sum()) if size else 0.0


def pairs_drawn(whole: Whole, figure: Estimate) -> PairsDrawn | None:
    """Return the interval of Hayes and Krippendorff (2007) for nominal alpha.

    As many pairs of labels as there are within units are drawn from the observed coincidences, and the
    expected disagreement stays as it is. Of nominal labels the drawn disagreements have a binomial
    distribution, whose quantiles stand in for samples. Krippendorff's own note (2006, revised 2011) caps
    the number of pairs at 25 for each cell of the coincidence matrix that is not empty, to save time; here
    all are drawn.
    """
    if figure.observed is None or not figure.expected:
        return None
    profiles = whole.profiles
    pairs = int((profiles.times * (profiles.ratings * (profiles.ratings - 1) // TWO)).sum())
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
