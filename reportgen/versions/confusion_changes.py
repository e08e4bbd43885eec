"""Which confusions of two categories the change in observed disagreement consists of, exactly."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import Estimate, Undefined, UnitsOfAll
from reportgen.measures.distributions import holm
from reportgen.measures.estimate import with_interval
from reportgen.measures.figures_of_sums import share_of_sums
from reportgen.measures.sets import judged
from reportgen.measures.symmetry import signs_p
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.comparison import BETWEEN, ConfusionChange, DisagreementChange, Flips, labels_confused
from reportgen.results.parts import Change
from reportgen.units import CodedUnits, natural_order
from reportgen.units.coded import sums_by
from reportgen.versions.sides import GONE, NO_ID, Intersection, Mask, NamedUnits

Two = tuple[str, str]


@dataclass(frozen=True)
class ObservedDisagreement:
    """Observed disagreement of all annotators as whole numbers over one `denominator`.

    `confusions` has what each two categories add, by their names; they add up to all of it. Two sets are told
    by what only one of them holds, the second name being empty where that is nothing.
    """

    denominator: int
    confusions: Mapping[Two, int]

    @property
    def value(self) -> Fraction:
        """Return observed disagreement, exactly."""
        return Fraction(sum(self.confusions.values()), self.denominator)

    def of(self, names: Two) -> Fraction:
        """Return what confusing two categories adds, exactly."""
        return Fraction(self.confusions.get(names, 0), self.denominator)


def disagreement(units: UnitsOfAll) -> ObservedDisagreement | None:
    """Return observed disagreement of all annotators by the categories confused, None without shared units.

    The disagreeing share of a unit's pairs of ratings is Σ 2 n_k n_l / (r (r - 1)) over every two categories
    k < l, and observed disagreement its mean over the units with at least two ratings (Fleiss 1971). The
    denominator is a common one of all units: no number of ratings is too many for Python's integers.
    """
    profiles = units.profiles
    if profiles.units == 0:
        return None
    pairs = profiles.label_pairs
    ratings, ways = profiles.ratings[pairs.profile], pairs.ways * profiles.times[pairs.profile]
    common = math.lcm(*(many * (many - 1) for many in np.unique(profiles.ratings).tolist()))
    size = max(units.categories, 1)
    cell = (ratings * size + pairs.one) * size + pairs.other
    cells, cell_index = np.unique(cell, return_inverse=True)
    counts = np.zeros(len(cells), dtype=np.int64)
    np.add.at(counts, cell_index.reshape(-1), ways)
    confusions, denominator = Counter[Two](), profiles.units * common
    for cell, times in zip(cells.tolist(), counts.tolist(), strict=True):
        many, one, other = cell // (size * size), cell // size % size, cell % size
        confusions[_names(units.units, one, other)] += 2 * times * (common // (many * (many - 1)))
    # The smallest whole numbers.
    shared = math.gcd(denominator, *confusions.values())
    return ObservedDisagreement(
        denominator // shared, {two: number // shared for two, number in confusions.items()}
    )


def most_frequent(disagreement_change: DisagreementChange, most: int) -> list[Two]:
    """Return the confusions that are most frequent over both versions, of equal ones those that fell most."""
    one, other = disagreement_change.denominators
    both = {
        confusion.categories: Fraction(confusion.first, one) + Fraction(confusion.second, other)
        for confusion in disagreement_change.confusions
    }
    return sorted(both, key=lambda names: -both[names])[:most]


def confusion_rates(units: UnitsOfAll, confusions: Iterable[Two]) -> dict[Two, Estimate]:
    """Return what each of some confusions adds to observed disagreement, as a figure of its units.

    Those of categories that there are not are left out.
    """
    profiles, pairs = units.profiles, units.profiles.label_pairs
    ratings = profiles.ratings[pairs.profile]
    share = 2 * pairs.ways / (ratings * (ratings - 1))
    rates: dict[Two, Estimate] = {}
    for two, here in _pairs_of(units, confusions).items():
        per_profile = np.zeros(len(profiles.times))
        np.add.at(per_profile, pairs.profile[here], share[here])
        value = float((per_profile * profiles.times).sum()) / profiles.units
        estimate = Estimate(value, profiles.units)
        rates[two] = with_interval(
            estimate, per_profile - value, profiles.clusters, (0.0, 1.0), disagreements=len(here)
        )
    return rates


def shares_beside(units: UnitsOfAll, confusions: Iterable[Two]) -> dict[Two, list[Estimate]]:
    """Return how large a part of the labels beside each of two categories the other is, as two figures.

    Σ n_k n_l / Σ n_k (r - 1) over units is that of l beside k. A confusion has a part of the units that are k
    and a part of those that are l: where only their numbers change, one of the two figures does not rise, and
    one does not fall. Of sets there is a figure for each label in which they differ, and, where that is one,
    for its absence.
    """
    profiles, size, sets = units.profiles, units.categories, units.units.sets
    pairs, (profile, label, times) = profiles.label_pairs, profiles.cells
    names = judged(units.units)

    def beside(own: Codes, here: Codes) -> Estimate:
        known = np.isin(label, own)
        used = sums_by(profile[known], times[known], len(profiles.times))
        together = sums_by(pairs.profile[here], pairs.ways[here], len(profiles.times))
        return share_of_sums(profiles, together, used * (profiles.ratings - 1), Undefined.NOT_USED)

    found: dict[Two, list[Estimate]] = {}
    for two, here in _pairs_of(units, confusions).items():
        codes = [
            np.flatnonzero([name in members for members in sets] if sets else [name == own for own in names])
            for name in labels_confused(two, names)
        ]
        absent = [] if two[1] else [np.setdiff1d(np.arange(size), codes[0])]
        found[two] = [beside(own, here) for own in (*codes, *absent)]
    return found


def _pairs_of(units: UnitsOfAll, confusions: Iterable[Two]) -> dict[Two, Codes]:
    """Return where in the pairs of labels of profiles some confusions are, those of categories there are."""
    size, pairs, categories = units.categories, units.profiles.label_pairs, judged(units.units)
    cell = pairs.one * size + pairs.other
    cells: dict[frozenset[str], list[int]] = {}
    for code in np.unique(cell).tolist():
        cells.setdefault(frozenset(_names(units.units, code // size, code % size)), []).append(code)
    return {
        two: np.flatnonzero(np.isin(cell, cells.get(frozenset(two), [])))
        for two in confusions
        if units.profiles.units and frozenset(categories).issuperset(labels_confused(two, categories))
    }


def _names(units: CodedUnits, one: int, other: int) -> Two:
    """Return two categories, of two sets what only the one and what only the other holds."""
    if units.sets is None:
        return units.categories[one], units.categories[other]
    ours, theirs = units.sets[one], units.sets[other]
    alone = sorted(BETWEEN.join(natural_order(labels)) for labels in (ours - theirs, theirs - ours))
    # What is empty comes first in this order, and is told last.
    return (alone[0], alone[1]) if alone[0] else (alone[1], "")


def changed(first: UnitsOfAll, second: UnitsOfAll) -> DisagreementChange | None:
    """Return what the change in observed disagreement consists of, None where either is undefined.

    Two categories are the same confusion whatever order the versions have them in; they are in the later
    one's, categories that it does not have behind its own. Only here do exact fractions become numbers.
    """
    before, after = disagreement(first), disagreement(second)
    if before is None or after is None:
        return None
    sets = second.units.sets is not None
    names = [*second.units.categories, *first.units.categories]
    if sets:
        named = {*before.confusions, *after.confusions}
        names = [*natural_order({name for two in named for name in two if name}), ""]
    order = {name: index for index, name in enumerate(dict.fromkeys(names))}
    before, after = (
        ObservedDisagreement(
            side.denominator,
            {
                two if order[two[0]] < order[two[1]] else two[::-1]: number
                for two, number in side.confusions.items()
            },
        )
        for side in (before, after)
    )
    both = sorted({*before.confusions, *after.confusions}, key=lambda two: (order[two[0]], order[two[1]]))
    # Of equal contributions, those stay in the order of categories.
    moved = sorted(((after.of(two) - before.of(two), two) for two in both), key=itemgetter(0))
    return DisagreementChange(
        first=float(before.value),
        second=float(after.value),
        change=float(after.value - before.value),
        denominators=(before.denominator, after.denominator),
        confusions=tuple(
            ConfusionChange(
                categories=two,
                first=before.confusions.get(two, 0),
                second=after.confusions.get(two, 0),
                contribution=float(contribution),
            )
            for contribution, two in moved
        ),
        sets=sets,
    )


def with_tests(
    disagreement_change: DisagreementChange,
    tested: Mapping[Two, Change],
    beside: Mapping[Two, Sequence[Change]],
) -> DisagreementChange:
    """Return the confusions with the p values of those that were tested.

    `beside` are the changes of their shares beside each category, of other material: the mix of categories
    may have moved a confusion unless all of them move as it does. The largest p of several is that of all.
    """
    tests = {two: change.test for two, change in tested.items() if change.test}
    largest = [
        _largest_p(changes, (tested[two].difference or 0.0) > 0) if two in tests else None
        for two, changes in beside.items()
    ]
    mixed = dict(zip(beside, holm(largest), strict=True))
    confusions = [
        confusion.model_copy(
            update={"p": test.p, "adjusted": test.adjusted, "beyond_mix": mixed.get(confusion.categories)}
        )
        if test
        else confusion
        for confusion in disagreement_change.confusions
        for test in [tests.get(confusion.categories)]
    ]
    return disagreement_change.model_copy(update={"confusions": tuple(confusions)})


def _largest_p(changes: Sequence[Change], rises: bool) -> float | None:  # noqa: FBT001 - which way
    """Return the largest p of changes that all go one way, 1 of those that do not, None without a test."""
    found = [change.test.p if change.test else None for change in changes]
    if not found or None in found:
        return None
    same = all((change.difference or 0.0) * (1 if rises else -1) > 0 for change in changes)
    return max(p for p in found if p is not None) if same else 1.0


# Units of both versions: on which of them annotators agreed under which.

# A unit of one version that is no row of the other, being one of the unmarked ones there.
UNMARKED = -1


@dataclass(frozen=True, eq=False)
class RowAlignment:
    """Units of both versions as rows of each (units,), UNMARKED where one has none of them as a row."""

    first: Codes
    second: Codes

    def some(self, chosen: Mask | Codes) -> "RowAlignment":
        """Return some of them."""
        return RowAlignment(self.first[chosen], self.second[chosen])


@dataclass(frozen=True, eq=False)
class Flipped:
    """Which units of both versions changed sides, and on which annotators disagreed under both.

    They are counted in `flips`, all four numbers of which add up to the units that two annotators rated under
    both. Where more annotators rated a unit under one version, fewer units are agreed on there: nothing is
    tested.
    """

    flips: Flips
    mended: RowAlignment
    broken: RowAlignment
    disputed: RowAlignment


def flips(first: NamedUnits, second: NamedUnits, shared: Intersection) -> Flipped | None:
    """Return which units changed sides; None where nothing tells which units are the same.

    Of tokens, sentences and candidates only those that somebody marked are rows: the others of a document,
    which nobody marked under either version, are agreed on.
    """
    grid = first.on_grid and second.on_grid
    if not grid and not ((first.unit != NO_ID).any() and (second.unit != NO_ID).any()):
        return None
    rows = _rows(first, second, shared, grid=grid)
    before, after = _agreed(first, rows.first), _agreed(second, rows.second)
    unmarked = _unmarked(first, second, shared, rows) if grid else 0
    document, size = _documents(first, second, shared, rows), len(shared.documents)
    mended, broken, disputed = ~before & after, before & ~after, ~before & ~after
    better, worse = (np.bincount(document[mask], minlength=size) for mask in (mended, broken))
    moved, alike = better - worse, _rated_alike(first, second, shared, rows.some(before != after))
    counts = Flips(
        agreed=int((before & after).sum()) + unmarked,
        mended=int(mended.sum()),
        broken=int(broken.sum()),
        disputed=int(disputed.sum()),
        alike=alike,
        clusters=int(np.count_nonzero(moved)),
        p=signs_p(moved) if alike else None,
    )
    return Flipped(counts, rows.some(mended), rows.some(broken), rows.some(disputed))


def _rated_alike(first: NamedUnits, second: NamedUnits, shared: Intersection, rows: RowAlignment) -> bool:
    """Tell whether as many annotators rated each of some units under both versions.

    An unmarked unit without a row has as many ratings as the other units of its document.
    """
    document = _documents(first, second, shared, rows)
    ours, theirs = (
        np.where(
            row == UNMARKED,
            _by_document(side, position, len(shared.documents), np.maximum, side.ratings)[document],
            np.append(side.ratings, 0)[row],
        )
        for side, position, row in (
            (first, shared.first.position, rows.first),
            (second, shared.second.position, rows.second),
        )
    )
    return bool((ours == theirs).all())


def _by_document(side: NamedUnits, position: Codes, size: int, what: np.ufunc, values: Codes) -> Codes:
    """Return the sum, or the largest, of a value of the units that two annotators rated.

    It is of each shared document, and last of those that are not shared (documents + 1,).
    """
    document = side.clustered.unit_document
    chosen = side.compared & (document != NO_DOCUMENT)
    totals = np.zeros(size + 1, dtype=np.int64)
    what.at(totals, position[document[chosen]], values[chosen])
    return totals


def _rows(first: NamedUnits, second: NamedUnits, shared: Intersection, *, grid: bool) -> RowAlignment:
    """Return the units of both in the order of the second version, those that only the first has last."""
    ours, theirs = _candidates(first, shared.first.position), _candidates(second, shared.second.position)
    _, one, other = np.intersect1d(first.unit[ours], second.unit[theirs], return_indices=True)
    one, other = ours[one], theirs[other]
    if grid:
        alone = np.setdiff1d(ours, one), np.setdiff1d(theirs, other)
        one = np.concatenate([one, np.full(len(alone[1]), UNMARKED), alone[0]])
        other = np.concatenate([other, alone[1], np.full(len(alone[0]), UNMARKED)])
    rows = RowAlignment(one, other)
    document = _documents(first, second, shared, rows)
    rank = _export_order(second, shared)[document]
    return rows.some(np.lexsort((one, other, other == UNMARKED, document * (rank >= 0), rank)))


def _export_order(side: NamedUnits, shared: Intersection) -> Codes:
    """Return the place of each shared document in the export; units that are their own are in it as one."""
    rank = np.full(len(shared.documents) + 1, len(side.units.documents), dtype=np.int64)
    document = side.clustered.unit_document
    has_document = document != NO_DOCUMENT
    rank[shared.second.position[document[has_document]]] = side.units.unit_document[has_document]
    return rank


def _documents(first: NamedUnits, second: NamedUnits, shared: Intersection, rows: RowAlignment) -> Codes:
    """Return the document of each unit of both (units,)."""
    ours = _document(first, shared.first.position, rows.first)
    theirs = _document(second, shared.second.position, rows.second)
    return np.where(rows.second == UNMARKED, ours, theirs)


def _document(side: NamedUnits, position: Codes, rows: Codes) -> Codes:
    document = np.append(side.clustered.unit_document, NO_DOCUMENT)
    positions: Codes = np.append(position, GONE)[document[rows]]
    return positions


def _candidates(side: NamedUnits, position: Codes) -> Codes:
    """Return the rows that are single units, rated by two annotators, in documents of both versions."""
    document = side.clustered.unit_document
    inside = np.append(position >= 0, False)[document]
    chosen = side.compared & (side.unit != NO_ID) & inside & (side.units.unit_weight == 1)
    return np.flatnonzero(chosen)


def _agreed(side: NamedUnits, rows: Codes) -> Mask:
    """Tell of rows whether all annotators gave the same label; unmarked units are agreed on."""
    units = side.units
    low = np.full(len(units.unit_weight), len(units.categories), dtype=np.int64)
    high = np.full(len(units.unit_weight), -1, dtype=np.int64)
    np.minimum.at(low, units.unit, units.label)
    np.maximum.at(high, units.unit, units.label)
    same = np.append(low == high, True)
    alike: Mask = same[rows]
    return alike


def _unmarked(first: NamedUnits, second: NamedUnits, shared: Intersection, rows: RowAlignment) -> int:
    """Return how many units of the shared documents nobody marked under either version."""
    size = len(shared.documents)
    marked = np.bincount(_documents(first, second, shared, rows), minlength=size)
    totals = [
        _by_document(side, part.position, size, np.add, side.units.unit_weight)[:size]
        for side, part in ((first, shared.first), (second, shared.second))
    ]
    return int(np.maximum(np.minimum(*totals) - marked, 0).sum())
