"""A second opinion on differences: documents exchanged between two versions."""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.measures.cluster_sums import (
    MOST_ON_SCALE,
    ClusterSums,
    Compute,
    SumsLayout,
    UnitSums,
    alphas,
    cluster_sums,
    figures_by_units,
    kinds_of_unit,
    sums_layout,
)
from reportgen.measures.distances import set_distances
from reportgen.measures.estimate import ROUNDING, Floats
from reportgen.measures.profiles import Profiles
from reportgen.measures.unit_set_data import UnitsOfAll
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import nothing

# Sums of clusters beyond which exchanging takes too long.
MOST_CELLS = 1_000_000


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
