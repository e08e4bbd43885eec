"""Unit sets under two guidelines versions: every figure twice, on what both share and on all of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from reportgen.counts import count
from reportgen.measures import Estimate, NoDifference, Permuted, Whole, difference, permutation
from reportgen.measures.estimate import without_spread
from reportgen.measures.sets import judged, labels_of
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.versions.confusions import (
    DisagreementChanged,
    Flipped,
    Two,
    changed,
    confusion_rates,
    flips,
    most_frequent,
)
from reportgen.versions.figures import (
    Matching,
    Prepared,
    TestedChange,
    UnitSetFigures,
    match_units,
    not_comparable,
    prepared,
    with_holm,
)
from reportgen.versions.sides import Key, NamedUnits, Shared, Side, edited_documents, part_of, shared_units

if TYPE_CHECKING:
    from reportgen.units import CodedUnits

# Of each two annotators, these and the primary coefficient are compared.
OF_PAIRS = ("observed_agreement", "cohen_kappa", "krippendorff_alpha")
OBSERVED = "observed_agreement"
# With more pairs of annotators than these, only figures of all together are compared.
MOST_PAIRS = 105
# The confusions that are tested: of very many categories, the most frequent over both versions.
MOST_CONFUSIONS = 50


@dataclass(frozen=True, eq=False)
class UnitSample:
    """What one version brings: documents and units that two annotators rated, annotators and categories.

    Of sets `categories` are the labels that they hold.
    """

    documents: int
    units: int
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    label_shares: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class UnitSetRevised:
    """One unit set under both versions on one basis.

    `first` and `second` are its units with the labels that are compared; `figure` is the layer's primary
    coefficient; `edited` counts documents whose text is another.
    """

    first: NamedUnits
    second: NamedUnits
    figure: str
    basis: str
    samples: tuple[UnitSample, UnitSample]
    shared: Shared
    edited: int
    matching: Matching
    measures: Mapping[str, TestedChange]
    specific: Mapping[str, TestedChange]
    pairs: Mapping[tuple[str, str], Mapping[str, TestedChange]]
    permuted: Mapping[str, Permuted]
    disagreement: DisagreementChanged | None
    confused: Mapping[Two, TestedChange]
    flipped: Flipped | None

    @property
    def key(self) -> Key:
        """Return layer and id."""
        return self.second.units.layer, self.second.units.id


def revise_unit_sets(
    first: Side,
    second: Side,
    merges: Sequence[Mapping[str, str]],
    coefficients: Mapping[str, str],
    wanted: Sequence[str] = (),
) -> Iterator[UnitSetRevised]:
    """Yield how each unit set of both versions moved.

    `merges` are the `merged` of each version after the first, up to the second; `coefficients` the primary
    ones by layer; `wanted` are figures of pairs that somebody asks for beside the usual ones.
    """
    edited = edited_documents(first, second)
    for key in second.unit_sets:
        if key in first.unit_sets:
            figure = coefficients[key[0]]
            names = tuple(dict.fromkeys((*OF_PAIRS, figure, *wanted)))
            yield from _UnitSetPair(first, second, key, merges, edited).revised(figure, names)


class _UnitSetPair:
    """One unit set of two versions."""

    def __init__(
        self,
        first: Side,
        second: Side,
        key: Key,
        merges: Sequence[Mapping[str, str]],
        edited: frozenset[str],
    ) -> None:
        """Match categories and find out what both share."""
        self._sides = first, second
        own = first.named(key)
        self._second = second.named(key)
        self._matching, labelled = match_units(own.units, self._second.units, merges)
        self._first = own
        if labelled is not own.units:
            self._first = first.relabelled(key, labelled, self._matching.merged)
        numbers = [first.register.number(("document", name)) for name in sorted(edited)]
        self._edited = len(np.intersect1d(np.array(numbers, dtype=np.int64), self._first.document))
        self._shared = shared_units(self._first, self._second, numbers)

    def revised(self, figure: str, of_pairs: Sequence[str]) -> Iterator[UnitSetRevised]:
        """Yield the unit set on what is shared, where that can be looked at, and on all where it is more."""
        shared = self._shared
        if shared.usable and not shared.complete:
            own = [self._part(side) for side in (0, 1)]
            yield self._revised("shared", own, figure, of_pairs)
        basis = "shared" if shared.usable and shared.complete else "all"
        yield self._revised(basis, [self._whole(side) for side in (0, 1)], figure, of_pairs)

    def _by(self, side: int) -> Side:
        """Return whose distances hold: of labels under their later names, those of the later version."""
        return self._sides[1 if self._matching.merged else side]

    def _named(self, side: int) -> NamedUnits:
        return (self._first, self._second)[side]

    def _part(self, side: int) -> Prepared:
        shared = self._shared
        part = (shared.first, shared.second)[side]
        units = part_of(self._named(side).clustered, part, shared.documents)
        return prepared(units, shared.real, self._by(side).tables)

    def _whole(self, side: int) -> Prepared:
        return self._sides[side].prepared(self._named(side), self._by(side))

    def _revised(
        self, basis: str, sides: Sequence[Prepared], figure: str, of_pairs: Sequence[str]
    ) -> UnitSetRevised:
        tests = _Tests(sides[0], sides[1], self._codes(basis), same_material=basis == "shared")
        by_name = self._matching.how == "names"
        disagreement = changed(sides[0].shown.whole, sides[1].shown.whole)
        return UnitSetRevised(
            first=self._first,
            second=self._second,
            figure=figure,
            basis=basis,
            samples=(_sample(sides[0]), _sample(sides[1])),
            shared=self._shared,
            edited=self._edited,
            matching=self._matching,
            measures=tests.measures(by_name=by_name),
            specific=tests.specific(),
            pairs=tests.pairs(of_pairs, by_name=by_name),
            permuted={} if by_name or basis == "all" else tests.permuted((OBSERVED, figure)),
            disagreement=disagreement,
            confused=tests.confusions(most_frequent(disagreement, MOST_CONFUSIONS) if disagreement else ()),
            flipped=self._flipped(basis),
        )

    def _codes(self, basis: str) -> tuple[Codes, Codes] | None:
        """Return the numbers of each version's documents by their codes, None where codes are common."""
        if basis == "shared" and not self._shared.complete:
            return None
        return self._first.document, self._second.document

    def _flipped(self, basis: str) -> Flipped | None:
        """Return which units changed sides: told where only what is shared is looked at, else with all."""
        if basis == "all" and self._shared.usable:
            return None
        return flips(self._first, self._second, self._shared)


def _sample(side: Prepared) -> UnitSample:
    units = side.shown.whole.units
    raters = np.bincount(units.unit, minlength=len(units.unit_weight))
    compared = (raters > 1) & (units.unit_weight > 0)
    documents = np.unique(units.unit_document[compared])
    return UnitSample(
        documents=int((documents != NO_DOCUMENT).sum()),
        units=int(units.unit_weight[compared].sum()),
        annotators=units.annotators,
        categories=judged(units),
        label_shares=_label_shares(side.shown.whole),
    )


def _label_shares(whole: Whole) -> dict[str, float]:
    totals, sets = whole.profiles.totals, whole.setting.sets
    ratings = int(totals.sum())
    if sets is not None:
        totals = (labels_of(sets).holders * totals).sum(axis=1)
    names = zip(judged(whole.units), totals.tolist(), strict=True)
    return {name: total / ratings for name, total in names} if ratings else {}


@dataclass(frozen=True, eq=False)
class _Tests:
    """Figures of two versions held against each other.

    `numbers` say which documents are the same, as in `difference`.
    """

    first: Prepared
    second: Prepared
    numbers: tuple[Codes, Codes] | None
    same_material: bool

    def measures(self, *, by_name: bool) -> dict[str, TestedChange]:
        """Return every figure that both versions have of all annotators."""
        return {
            name: self._twice(
                (shown, self.second.shown.measures[name]), tested, self._reason(name, by_name=by_name)
            )
            for name, shown, tested in self._measures()
        }

    def _measures(self) -> Iterator[tuple[str, Estimate, tuple[Estimate, Estimate]]]:
        ours, theirs = self.first.tested.measures, self.second.tested.measures
        for name, shown in self.first.shown.measures.items():
            if name in theirs and name in ours and name in self.second.shown.measures:
                yield name, shown, (ours[name], theirs[name])

    def _reason(self, figure: str, *, by_name: bool) -> NoDifference | None:
        if by_name:
            return NoDifference.CATEGORIES
        return not_comparable(figure, self.first.shown.whole, self.second.shown.whole)

    def specific(self) -> dict[str, TestedChange]:
        """Return the specific agreement of each category that both versions have, with Holm's p values."""
        both = [name for name in self.second.shown.places if name in self.first.shown.places]
        return with_holm({name: self._specific(name) for name in both})

    def _specific(self, name: str) -> TestedChange:
        """Return the specific agreement of one category; what moves it is not kept."""
        before, after = self.first.specific(name), self.second.specific(name)
        found = self._twice((before[0], after[0]), (before[1], after[1]), None)
        return replace(found, first=without_spread(found.first), second=without_spread(found.second))

    def confusions(self, wanted: Sequence[Two]) -> dict[Two, TestedChange]:
        """Return how often some categories that both versions have are confused, with Holm's p values."""
        before, after, ours, theirs = (confusion_rates(each.whole, wanted) for each in self._figures())
        return with_holm(
            {
                two: self._twice((before[two], after[two]), (ours[two], theirs[two]), None)
                for two in after
                if two in before
            }
        )

    def _figures(self) -> tuple[UnitSetFigures, UnitSetFigures, UnitSetFigures, UnitSetFigures]:
        return self.first.shown, self.second.shown, self.first.tested, self.second.tested

    def pairs(self, names: Sequence[str], *, by_name: bool) -> dict[tuple[str, str], dict[str, TestedChange]]:
        """Return figures of every two annotators who share units under both versions, none of a crowd."""
        before, after = self.first.shown, self.second.shown
        here = [name for name in after.whole.units.annotators if name in before.whole.units.annotators]
        both = [
            two
            for two in combinations(here, 2)
            if frozenset(two) in before.tables and frozenset(two) in after.tables
        ]
        return (
            {two: self._of_pair(two, names, by_name=by_name) for two in both}
            if len(both) <= MOST_PAIRS
            else {}
        )

    def _of_pair(
        self, two: tuple[str, str], names: Sequence[str], *, by_name: bool
    ) -> dict[str, TestedChange]:
        before, after, ours, theirs = (each.of_pair(two, names) for each in self._figures())
        return {
            name: self._twice(
                (shown, after[name]), (ours[name], theirs[name]), self._reason(name, by_name=by_name)
            )
            for name, shown in before.items()
            if name in after
        }

    def _twice(
        self,
        shown: tuple[Estimate, Estimate],
        tested: tuple[Estimate, Estimate],
        reason: NoDifference | None,
    ) -> TestedChange:
        defined = all(each.value is not None for each in shown)
        if reason is not None and defined:
            return TestedChange(*shown, reason)
        return TestedChange(*shown, difference(*tested, self.numbers, same_material=self.same_material))

    def permuted(self, names: Sequence[str]) -> dict[str, Permuted]:
        """Return the permutation test of some figures, where there is one."""
        first, second = self.first.tested.whole, self.second.tested.whole
        if first.units.categories != second.units.categories:
            return {}
        known = [name for name in dict.fromkeys(names) if not self._reason(name, by_name=False)]
        found = permutation(*_in_common_codes(first, second, self.numbers), known)
        return {name: each for name, each in found.items() if isinstance(each, Permuted)}


def _in_common_codes(first: Whole, second: Whole, numbers: tuple[Codes, Codes] | None) -> tuple[Whole, Whole]:
    """Return the same units with documents under the same codes."""
    if numbers is None or np.array_equal(*numbers):
        return first, second
    known = np.unique(np.concatenate(numbers))
    return _recoded(first, np.searchsorted(known, numbers[0])), _recoded(
        second, np.searchsorted(known, numbers[1])
    )


def _recoded(whole: Whole, codes: Codes) -> Whole:
    own = whole.units.unit_document
    document = np.where(own == NO_DOCUMENT, NO_DOCUMENT, np.append(codes, NO_DOCUMENT)[own])
    units: CodedUnits = replace(whole.units, unit_document=document)
    return Whole(units, count(units), whole.setting)
