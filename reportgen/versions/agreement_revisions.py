"""Agreement under two versions: every figure twice, and the confusions that a change consists of."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from operator import itemgetter

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.measures import MODES, Estimate, NoDifference, Undefined, UnitsOfAll
from reportgen.measures.estimate import holm, no_estimate, with_interval
from reportgen.measures.figures_of_sums import share_of_sums
from reportgen.measures.sets import judged, labels_of
from reportgen.measures.significance_tests import change, signs_p, with_holm
from reportgen.measures.spans import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.parts import Basis, Categories, Change, Overlap
from reportgen.results.unit_sets import noun_of
from reportgen.results.versions import (
    BETWEEN,
    ConfusionChange,
    DisagreementChange,
    Flips,
    PairChange,
    Sample,
    SpanRevision,
    UnitSetRevision,
    labels_confused,
)
from reportgen.units import CodedUnits, natural_order
from reportgen.units import Mask as UnitMask
from reportgen.units.labels import sums_by
from reportgen.versions.sides import (
    GONE,
    NO_ID,
    CommonDocuments,
    Intersection,
    Key,
    MarkSide,
    Mask,
    Merges,
    NamedUnits,
    Prepared,
    Side,
    UnitSetFigures,
    common_documents,
    edited_documents,
    in_common,
    intersection,
    match_units,
    not_comparable,
    overlap_in_one,
    part_of,
    prepared,
)

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
    document = side.clustered.document
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
    document = side.clustered.document
    has_document = document != NO_DOCUMENT
    rank[shared.second.position[document[has_document]]] = side.units.document[has_document]
    return rank


def _documents(first: NamedUnits, second: NamedUnits, shared: Intersection, rows: RowAlignment) -> Codes:
    """Return the document of each unit of both (units,)."""
    ours = _document(first, shared.first.position, rows.first)
    theirs = _document(second, shared.second.position, rows.second)
    return np.where(rows.second == UNMARKED, ours, theirs)


def _document(side: NamedUnits, position: Codes, rows: Codes) -> Codes:
    document = np.append(side.clustered.document, NO_DOCUMENT)
    positions: Codes = np.append(position, GONE)[document[rows]]
    return positions


def _candidates(side: NamedUnits, position: Codes) -> Codes:
    """Return the rows that are single units, rated by two annotators, in documents of both versions."""
    document = side.clustered.document
    inside = np.append(position >= 0, False)[document]
    chosen = side.compared & (side.unit != NO_ID) & inside & (side.units.weight == 1)
    return np.flatnonzero(chosen)


def _agreed(side: NamedUnits, rows: Codes) -> Mask:
    """Tell of rows whether all annotators gave the same label; unmarked units are agreed on."""
    units = side.units
    low = np.full(len(units.weight), len(units.categories), dtype=np.int64)
    high = np.full(len(units.weight), -1, dtype=np.int64)
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
        _by_document(side, part.position, size, np.add, side.units.weight)[:size]
        for side, part in ((first, shared.first), (second, shared.second))
    ]
    return int(np.maximum(np.minimum(*totals) - marked, 0).sum())


# Of each two annotators, these and the primary coefficient are compared.
OF_PAIRS = ids_with(lambda measure: measure.any_two)
OBSERVED = "observed_agreement"
# With more pairs of annotators than these, only figures of all together are compared.
MOST_PAIRS = 105
# The confusions that are tested: of very many categories, the most frequent over both versions.
MOST_CONFUSIONS = 50


@dataclass(frozen=True, eq=False)
class RevisedUnits:
    """One unit set under both versions on one basis, with the units that changed sides there.

    `first` and `second` are its units with the labels that are compared.
    """

    revision: UnitSetRevision
    first: NamedUnits
    second: NamedUnits
    flipped: Flipped | None


def revise_unit_sets(
    first: Side,
    second: Side,
    merges: Merges,
    coefficients: Mapping[str, str],
    figure_names: Sequence[str] = (),
) -> Iterator[RevisedUnits]:
    """Yield how each unit set of both versions moved.

    `merges` are the `merged` of each version after the first, up to the second; `coefficients` the primary
    ones by layer; `wanted` are figures of pairs that somebody asks for beside the usual ones.
    """
    edited = edited_documents(first, second)
    for key in second.unit_sets:
        if key in first.unit_sets:
            figure = coefficients[key[0]]
            names = tuple(dict.fromkeys((*OF_PAIRS, figure, *figure_names)))
            yield from _UnitSetPair(first, second, key, merges, edited).revised(figure, names)


class _UnitSetPair:
    """One unit set of two versions."""

    def __init__(self, first: Side, second: Side, key: Key, merges: Merges, edited: frozenset[str]) -> None:
        """Match categories and find out what both share."""
        own, later = first.named(key), second.named(key)
        if overlap_in_one(own.units, later.units):
            own, later = (
                side.relabelled(key, named.units.as_sets, {})
                for side, named in ((first, own), (second, later))
            )
        self._matching, labelled, coarser = match_units(own.units, later.units, merges)
        self._as_reported = own, later
        if labelled is not own.units:
            own = first.relabelled(key, labelled, self._matching.merged)
        if coarser is not later.units:
            later = second.relabelled(key, coarser, self._matching.split or {})
        self._first, self._second, self._sides = own, later, (first, second)
        # Of labels under their later names the distances of the later version hold, of coarser ones the
        # earlier's.
        by = first if self._matching.split else second
        self._by = by if self._matching.merged else first, by
        numbers = first.register.numbers(("document", name) for name in sorted(edited))
        self._edited = len(np.intersect1d(numbers, own.document))
        self._shared = intersection(own, later, numbers.tolist())

    def revised(self, figure: str, of_pairs: Sequence[str]) -> Iterator[RevisedUnits]:
        """Yield the unit set on what is shared, where that can be looked at, and on all where it is more.

        Which units changed sides is told where only what is shared is looked at, else with all.
        """
        shared, named = self._shared, (self._first, self._second)
        flipped = flips(*named, shared)
        if shared.usable and not shared.complete:
            parts = zip(named, (shared.first, shared.second), self._by, strict=True)
            own = [
                prepared(part_of(named_units.clustered, part, shared.documents), shared.real, by.tables)
                for named_units, part, by in parts
            ]
            revision = self._revised("shared", own, flipped, figure, of_pairs)
            yield RevisedUnits(revision, *named, flipped)
            flipped = None
        basis: Basis = "shared" if shared.usable and shared.complete else "all"
        every = zip(self._sides, named, self._by, strict=True)
        all_of_each = [side.prepared(named_units, by) for side, named_units, by in every]
        revision = self._revised(basis, all_of_each, flipped, figure, of_pairs)
        yield RevisedUnits(revision, *named, flipped)

    def _revised(
        self,
        basis: Basis,
        sides: Sequence[Prepared],
        flipped: Flipped | None,
        figure: str,
        of_pairs: Sequence[str],
    ) -> UnitSetRevision:
        by_name, later = self._matching.how == "names", self._second.units
        # None where the codes of documents are common to both.
        codes = self._first.document, self._second.document
        numbers = None if basis == "shared" and not self._shared.complete else codes
        tests = _Tests(sides[0], sides[1], numbers, by_name=by_name, same_material=basis == "shared")
        first, second = (_sample(side, self._reported(place, figure)) for place, side in enumerate(sides))
        return UnitSetRevision(
            layer=later.layer,
            unit_set=later.id,
            primary=later.primary,
            scale=later.scale,
            figure=figure,
            basis=basis,
            clusters="unit" if self._first.by_unit and self._second.by_unit else "document",
            noun=_noun(self._first.units, later),
            first=first,
            second=second,
            overlap=Overlap(
                documents=self._shared.real,
                units=flipped.flips.total if flipped else None,
                annotators=tuple(name for name in second.annotators if name in first.annotators),
                edited=self._edited,
            ),
            categories=self._matching,
            non_annotated=later.non_annotated_name,
            measures=dict(tests.measures()),
            specific_agreement=tests.specific(),
            pairs=tests.pairs(of_pairs),
            disagreement=tests.disagreement(),
            flips=flipped.flips if flipped else None,
        )

    def _reported(self, place: int, figure: str) -> float | None:
        """Return a version's figure under its own labels, None where they are those compared."""
        if not (self._matching.merged, self._matching.split)[place]:
            return None
        side = self._sides[place]
        found = side.prepared(self._as_reported[place], side).shown.measures.get(figure)
        return found.value if found else None


def _noun(first: CodedUnits, second: CodedUnits) -> str:
    """Return what the units are, where they are the same under both versions."""
    nouns = {
        noun_of(units.kind, units.base, keep_marked=units.candidates is None or units.candidates.keep_marked)
        for units in (first, second)
    }
    return nouns.pop() if len(nouns) == 1 else "units"


def _sample(side: Prepared, reported: float | None = None) -> Sample:
    """Return what one version brings; of sets the categories are the labels that they hold."""
    units = side.shown.whole.units
    raters = units.per_unit
    compared = (raters > 1) & (units.weight != 0)
    documents = np.unique(units.document[compared])
    return Sample(
        documents=int((documents != NO_DOCUMENT).sum()),
        units=int(units.weight[compared].sum()),
        annotators=units.annotators,
        categories=judged(units),
        label_shares=_label_shares(side.shown.whole),
        reported=reported,
    )


def _label_shares(units: UnitsOfAll) -> dict[str, float]:
    totals, sets = units.profiles.totals, units.setting.sets
    ratings = int(totals.sum())
    if sets is not None:
        totals = (labels_of(sets).holders * totals).sum(axis=1)
    names = zip(judged(units.units), totals.tolist(), strict=True)
    return {name: total / ratings for name, total in names} if ratings else {}


@dataclass(frozen=True, eq=False)
class _Tests:
    """Figures of two versions compared with each other.

    `numbers` say which documents are the same, as in `difference`.
    """

    first: Prepared
    second: Prepared
    numbers: tuple[Codes, Codes] | None
    by_name: bool
    same_material: bool

    def _change(self, name: str | None, shown: Sequence[Estimate], tested: Sequence[Estimate]) -> Change:
        """Return a figure under both versions; one with a `name` may have a reason against a test."""
        reason = self._reason(name) if name else None
        twice = (shown[0], shown[1]), (tested[0], tested[1])
        return change(*twice, reason, self.numbers, same_material=self.same_material)

    def _reason(self, figure: str) -> NoDifference | None:
        if self.by_name:
            return NoDifference.CATEGORIES
        return not_comparable(figure, self.first.shown.whole, self.second.shown.whole)

    def _figures(self) -> tuple[UnitSetFigures, UnitSetFigures, UnitSetFigures, UnitSetFigures]:
        return self.first.shown, self.second.shown, self.first.tested, self.second.tested

    def _changes(self, figures: Sequence[Mapping[str, Estimate]]) -> Iterator[tuple[str, Change]]:
        """Yield the figures that both versions have, as they are shown and as they are tested."""
        for name in figures[0]:
            if all(name in estimates for estimates in figures):
                before, after, *tested = (estimates[name] for estimates in figures)
                yield name, self._change(name, (before, after), tested)

    def measures(self) -> Iterator[tuple[str, Change]]:
        """Yield every figure that both versions have of all annotators."""
        return self._changes([figures.measures for figures in self._figures()])

    def specific(self) -> dict[str, Change]:
        """Return the specific agreement of each category that both versions have, with Holm's p values."""
        both = [name for name in self.second.shown.places if name in self.first.shown.places]
        twice = {name: (self.first.specific(name), self.second.specific(name)) for name in both}
        return with_holm(
            {name: self._change(None, *zip(*sides, strict=True)) for name, sides in twice.items()}
        )

    def disagreement(self) -> DisagreementChange | None:
        """Return the confusions that disagreement consists of, those that are most frequent tested.

        Their p values are Holm's, over those of categories that both versions have.
        """
        disagreement = changed(self.first.shown.whole, self.second.shown.whole)
        if disagreement is None:
            return None
        # The confusions that are most frequent over both versions, of equal ones those that fell most.
        one, other = disagreement.denominators
        both = {
            confusion.categories: Fraction(confusion.first, one) + Fraction(confusion.second, other)
            for confusion in disagreement.confusions
        }
        confusions = sorted(both, key=lambda names: -both[names])[:MOST_CONFUSIONS]
        before, after, *tested = (confusion_rates(figures.whole, confusions) for figures in self._figures())
        in_both = [two for two in after if two in before]
        tests = {
            two: self._change(None, (before[two], after[two]), [rates[two] for rates in tested])
            for two in in_both
        }
        beside = {} if self.same_material else self._beside(list(tests))
        return with_tests(disagreement, with_holm(tests), beside)

    def _beside(self, confusions: Sequence[Two]) -> dict[Two, list[Change]]:
        """Return how the shares of confusions beside either category changed."""
        first, second = (shares_beside(side.tested.whole, confusions) for side in (self.first, self.second))
        return {
            two: [self._change(None, both, both) for both in zip(first[two], second[two], strict=True)]
            for two in confusions
        }

    def pairs(self, names: Sequence[str]) -> tuple[PairChange, ...]:
        """Return figures of every two annotators who share units under both versions, none of a crowd."""
        before, after = self.first.shown, self.second.shown
        if not before.tables or not after.tables:
            return ()
        here = [name for name in after.whole.units.annotators if name in before.whole.units.annotators]
        both = [
            two
            for two in combinations(here, 2)
            if frozenset(two) in before.tables and frozenset(two) in after.tables
        ]
        if len(both) > MOST_PAIRS:
            return ()
        return tuple(
            PairChange(
                annotators=two,
                measures=dict(self._changes([figures.of_pair(two, names) for figures in self._figures()])),
            )
            for two in both
        )


# Agreement on marks in texts under two versions: the mean of F over pairs, by type, and pair by pair.

STRICT = "strict"


Part = tuple[MarkSide, MarkCells]


def revise_spans(
    first: MarkSide, second: MarkSide, matching: Categories, edited: frozenset[str] = frozenset()
) -> Iterator[SpanRevision]:
    """Yield how agreement on marks moved: in documents of both versions, and in all where that differs.

    The types of the first version have their later names, as `matching` has them. `edited` are documents
    whose text is another in the second version.
    """
    common = common_documents(first.spans.documents, second.spans.documents, edited)
    parts = [
        (side, in_common(side.cells.among(side.spans.annotates), codes))
        for side, codes in ((first, common.first), (second, common.second))
    ]
    there = [common.there(cells) for _, cells in parts]
    shared: UnitMask = common.same & there[0] & there[1]
    if shared.sum() >= 2:
        own = [(side, cells.in_documents(shared)) for side, cells in parts]
        yield _revised("shared", own, common, shared, matching)
    if shared.sum() < 2 or any((saw != shared).any() for saw in there):
        yield _revised("all", parts, common, shared, matching)


def _revised(
    basis: Basis, parts: Sequence[Part], common: CommonDocuments, shared: UnitMask, matching: Categories
) -> SpanRevision:
    first, second = (side for side, _ in parts)
    reason = None if first.rules == second.rules else NoDifference.MATCHING
    of_all = reason or (NoDifference.CATEGORIES if matching.how == "names" else None)
    test = partial(change, tested=None, same_material=basis == "shared")
    means = {
        f"{F}[{mode}]": [mean_over_pairs(cells, mode, side.spans.beta) for side, cells in parts]
        for mode in MODES
    }
    types = {
        name: [_of_type(*part, name) for part in parts] for name in second.types if name in {*first.types}
    }
    # Of every two annotators who share documents under both versions, and none of a crowd.
    of_pairs = [{} if first.crowded or second.crowded else dict(_of_pairs(*part)) for part in parts]
    samples = [
        Sample(
            documents=len(cells.documents),
            units=int(cells.marks_of_each().sum()),
            annotators=side.spans.annotators,
            categories=side.types,
        )
        for side, cells in parts
    ]
    return SpanRevision(
        layer=second.spans.layer,
        basis=basis,
        first=samples[0],
        second=samples[1],
        overlap=Overlap(
            documents=int(shared.sum()),
            annotators=tuple(name for name in first.spans.annotators if name in second.spans.annotators),
            edited=len(common.edited),
        ),
        measures={name: test((one, other), reason=of_all) for name, (one, other) in means.items()},
        by_type=with_holm({name: test((one, other), reason=reason) for name, (one, other) in types.items()}),
        pairs=tuple(
            PairChange(
                annotators=two,
                measures={
                    name: test((one, of_pairs[1][two][name]), reason=of_all) for name, one in own.items()
                },
            )
            for two, own in of_pairs[0].items()
            if two in of_pairs[1]
        ),
        categories=matching,
    )


def _of_type(side: MarkSide, cells: MarkCells, name: str) -> Estimate:
    """Return strict F of the marks of a type."""
    types = side.spans.types
    own = cells.of_type(types.index(name) if name in types else -1)
    if len(own.seen_first) and not len(own.first):
        return no_estimate(Undefined.NOT_MARKED, 0)
    return mean_over_pairs(own, STRICT, side.spans.beta)


def _of_pairs(side: MarkSide, cells: MarkCells) -> Iterator[tuple[tuple[str, str], dict[str, Estimate]]]:
    """Yield F of every two annotators who share documents."""
    people = side.spans.people
    pairs = np.unique(np.stack([cells.seen_first, cells.seen_second]), axis=1)
    for one, other in pairs.T.tolist():
        own = cells.of_pair(one, other)
        figures = {mode: pair_ratios(own, mode, side.spans.beta)[F].estimate() for mode in MODES}
        yield (people[one], people[other]), {f"{F}[{mode}]": estimate for mode, estimate in figures.items()}
