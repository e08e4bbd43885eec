"""Agreement under two guidelines versions: every figure twice, on what both share and on all of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.counts import count
from reportgen.measures import MODES, Estimate, NoDifference, Permuted, Undefined, UnitsOfAll, permutation
from reportgen.measures.difference_tests import change, with_holm
from reportgen.measures.estimate import no_estimate
from reportgen.measures.retrieval import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.measures.sets import judged, labels_of
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.comparison import DisagreementChange, PairChange, Sample, SpanRevision, UnitSetRevision
from reportgen.results.parts import Basis, Categories, Change, Overlap, Permutation
from reportgen.results.unit_sets import noun_of
from reportgen.units import CodedUnits, Mask
from reportgen.versions.confusion_changes import (
    Flipped,
    Two,
    changed,
    confusion_rates,
    flips,
    most_frequent,
    shares_beside,
    with_tests,
)
from reportgen.versions.sides import Key, NamedUnits, Side, edited_documents, intersection, part_of
from reportgen.versions.version_figures import (
    CommonDocuments,
    MarkSide,
    Merges,
    Prepared,
    UnitSetFigures,
    common_documents,
    in_common,
    match_units,
    not_comparable,
    overlap_in_one,
    prepared,
)

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
        exchanged = {} if by_name or basis == "all" else tests.permuted((OBSERVED, figure))
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
            measures={name: _with_exchange(change, exchanged.get(name)) for name, change in tests.measures()},
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


def _with_exchange(figure_change: Change, exchanged: Permuted | None) -> Change:
    """Return a change with the test that exchanges documents, where there is one."""
    if exchanged is None or figure_change.untested == NoDifference.FEW:
        return figure_change
    exchange = Permutation(p=exchanged.p, samples=exchanged.samples, exact=exchanged.exact)
    return figure_change.model_copy(update={"permutation": exchange})


def _sample(side: Prepared, reported: float | None = None) -> Sample:
    """Return what one version brings; of sets the categories are the labels that they hold."""
    units = side.shown.whole.units
    raters = np.bincount(units.unit, minlength=len(units.unit_weight))
    compared = (raters > 1) & (units.unit_weight != 0)
    documents = np.unique(units.unit_document[compared])
    return Sample(
        documents=int((documents != NO_DOCUMENT).sum()),
        units=int(units.unit_weight[compared].sum()),
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
        confusions = most_frequent(disagreement, MOST_CONFUSIONS)
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

    def permuted(self, names: Sequence[str]) -> dict[str, Permuted]:
        """Return the permutation test of some figures, where there is one."""
        first, second = self.first.tested.whole, self.second.tested.whole
        if first.units.categories != second.units.categories:
            return {}
        comparable = [name for name in dict.fromkeys(names) if not self._reason(name)]
        permutations = permutation(*_in_common_codes(first, second, self.numbers), comparable)
        return {name: permuted for name, permuted in permutations.items() if isinstance(permuted, Permuted)}


def _in_common_codes(
    first: UnitsOfAll, second: UnitsOfAll, numbers: tuple[Codes, Codes] | None
) -> tuple[UnitsOfAll, UnitsOfAll]:
    """Return the same units with documents under the same codes."""
    if numbers is None or np.array_equal(*numbers):
        return first, second
    documents = np.unique(np.concatenate(numbers))
    return _recoded(first, np.searchsorted(documents, numbers[0])), _recoded(
        second, np.searchsorted(documents, numbers[1])
    )


def _recoded(whole: UnitsOfAll, codes: Codes) -> UnitsOfAll:
    own = whole.units.unit_document
    document = np.where(own == NO_DOCUMENT, NO_DOCUMENT, np.append(codes, NO_DOCUMENT)[own])
    units: CodedUnits = replace(whole.units, unit_document=document)
    return UnitsOfAll(units, count(units), whole.setting)


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
        (side, in_common(side.cells.among(side.annotates), codes))
        for side, codes in ((first, common.first), (second, common.second))
    ]
    there = [common.there(cells) for _, cells in parts]
    shared: Mask = common.same & there[0] & there[1]
    if shared.sum() >= 2:
        own = [(side, cells.in_documents(shared)) for side, cells in parts]
        yield _revised("shared", own, common, shared, matching)
    if shared.sum() < 2 or any((saw != shared).any() for saw in there):
        yield _revised("all", parts, common, shared, matching)


def _revised(
    basis: Basis, parts: Sequence[Part], common: CommonDocuments, shared: Mask, matching: Categories
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
