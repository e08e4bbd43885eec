"""Systems, models, annotators against a key twice: two versions, or two releases.

Somebody against a key twice: each figure, category and document side by side, with its test.

Systems, models and annotators against a reference twice: what rose, what fell, and where.

The two times are two guidelines versions, or two releases of one system under one version. GATE's Corpus
Benchmark tool compares the outputs of two versions of an application with a key in the same way, document by
document and annotation type by annotation type (GATE user guide, 10.4.1 and 10.4.3); what is added here is
whether a difference is more than chance, and how annotators agree in the same measure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Annotator
from reportgen.catalogue import ids_with
from reportgen.counts import ContingencyTable, shared_units, table_of_labels
from reportgen.measures import MODES, MOST_ANNOTATORS, Estimate, NoDifference, Undefined
from reportgen.measures.comparisons import humans, pair_scores, specific_by_category
from reportgen.measures.estimate import figure, no_estimate
from reportgen.measures.sets import judged
from reportgen.measures.significance_tests import change, with_holm
from reportgen.measures.spans import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure
from reportgen.results.annotators import Comparison, Comparisons, nearest
from reportgen.results.parts import Basis, Categories, Change, DocumentChange, Overlap, SystemRevision
from reportgen.results.versions import SpanRevision
from reportgen.units import NO_PLACE, CodedUnits, ComparedUnits, Mask
from reportgen.versions.agreement_revisions import revise_spans
from reportgen.versions.sides import (
    CommonDocuments,
    Key,
    LabelSide,
    MarkSide,
    Merges,
    Side,
    common_documents,
    crosswalk,
    edited_documents,
    in_common,
    match,
    match_units,
    overlap_in_one,
)

# The units of two versions under common codes.

UNKNOWN = -1
# What units of an export, which have names, are made of.
NAMED = "units"


@dataclass(frozen=True, eq=False)
class CommonUnits:
    """The units of two versions under common codes.

    - `names` are those of all documents; units without one are each their own, with a code beyond these.
    - `first` and `second` (units,) have the common code of each unit's document, NO_DOCUMENT where nothing
      tells which unit it is; `first_unit` and `second_unit` (units,) which unit it is, the same number for
      the units that stand in both, UNKNOWN where that can't be told. In texts the units of a document with
      the same text are one.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    first_unit: Codes
    second_unit: Codes
    edited: frozenset[str] = frozenset()

    @property
    def clustered(self) -> bool:
        """Say whether any document is known."""
        return bool(self.names)


def same_units(units: CodedUnits) -> CommonUnits:
    """Return common codes of a unit set with itself; units without a document are each their own."""
    documents = _own_documents(units, np.arange(len(units.weight), dtype=np.int64), len(units.documents))
    numbers = np.arange(len(units.weight), dtype=np.int64)
    return CommonUnits(units.documents, documents, documents, numbers, numbers)


def common_units(first: CodedUnits, second: CodedUnits, edited: Collection[str] = ()) -> CommonUnits:
    """Return common codes of documents and units by name; `edited` are documents with another text now."""
    documents = common_documents(first.documents, second.documents, edited)
    names = _name_codes(first, second)
    size = 2 + max(int(codes.max(initial=0)) for codes in names)
    where, unit = [], []
    for units, code, name in zip((first, second), (documents.first, documents.second), names, strict=True):
        # Units without a document have the last code, which is not one.
        document = np.append(code, NO_DOCUMENT)[units.document]
        where.append(_own_documents(replace(units, document=document), name, len(documents.names)))
        unit.append(_unit_codes(document, name, size))
    gone = [code for code, name in enumerate(documents.names) if name in documents.edited]
    unit[0][np.isin(where[0], gone)] = UNKNOWN
    return CommonUnits(documents.names, where[0], where[1], unit[0], unit[1], documents.edited)


def _name_codes(first: CodedUnits, second: CodedUnits) -> list[Codes]:
    """Return a code for the name of each unit (units,), common to both; UNKNOWN where it has none."""
    names = [np.array(units.places.names or ("",), dtype=np.str_) for units in (first, second)]
    all_names, code = np.unique(np.concatenate(names), return_inverse=True)
    code = np.where(all_names[code] == "", UNKNOWN, code.reshape(-1))
    of_each = code[: len(names[0])], code[len(names[0]) :]
    return [
        np.where(units.unit_place == NO_PLACE, UNKNOWN, own[np.minimum(units.unit_place, len(own) - 1)])
        if units.base == NAMED and len(units.unit_place)
        else np.full(len(units.weight), UNKNOWN, dtype=np.int64)
        for units, own in zip((first, second), of_each, strict=True)
    ]


def _own_documents(units: CodedUnits, name: Codes, documents: int) -> Codes:
    """Return the code that a unit without a document has as its own, where it has a name and is single."""
    own = (name != UNKNOWN) & (units.weight == 1)
    alone = units.document == NO_DOCUMENT
    codes: Codes = np.where(alone & own, documents + name, units.document)
    return codes


def _unit_codes(document: Codes, name: Codes, size: int) -> Codes:
    """Return which unit each is: document and name, or in texts and of nameless ones the document."""
    unnamed = (name == UNKNOWN) & (document == NO_DOCUMENT)
    codes: Codes = np.where(unnamed, UNKNOWN, (document + 1) * size + name + 1)
    return codes


# Somebody against a key on some units or documents: every figure, by category, and document by document.

STRICT = "strict"
# Beside whom it is said how annotators agree with each other.
OTHERS = ("system", "model")
MAIN = ids_with(lambda measure: measure.main)
MARKS = (*((STRICT, name) for name in MAIN), ("lenient", F), ("average", F))
# How many marks are behind a match, an overlap, and a mark of the one or the other alone.
MARKS_IN_OUTCOME = np.array([2, 2, 1, 1], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class KeyScores:
    """Figures of somebody against a key: all of them, and F of each category that one of the two used."""

    measures: Mapping[str, Estimate]
    by_category: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class Scored:
    """Somebody against a key once.

    `tested` are the figures in common codes of documents, units without one being each their own, so that
    they can be compared with the same units another time; `documents` and `units` are counts. `by_document`
    has by their codes the figure in each document, and on how many units or marks it rests.
    """

    documents: int
    units: int | None
    shown: KeyScores
    tested: KeyScores
    by_document: Mapping[int, tuple[float | None, int]]
    humans: Mapping[str, Figure]


@dataclass(frozen=True, eq=False)
class LabelScores:
    """What a key and somebody else, compared with it, made of some units.

    `pair` are the key and who is compared with it, `people` all who have to have labelled a unit, the key
    first; `documents` (units,) are the common codes of documents.
    """

    side: LabelSide
    pair: tuple[int, int]
    people: tuple[int, ...]
    documents: Codes

    @cached_property
    def units(self) -> Codes:
        """Return the units on which they are compared (numbers, rising)."""
        return shared_units(self.side.compared, *self.people)

    def only(self, numbers: Codes) -> "LabelScores":
        """Return what they made of some units (numbers) alone."""
        compared = self.side.compared
        weight = np.zeros_like(compared.units.weight)
        weight[numbers] = compared.units.weight[numbers]
        weighed = replace(compared, units=replace(compared.units, weight=weight))
        return replace(self, side=replace(self.side, compared=weighed))

    def score(self, *, beside: bool) -> Scored:
        """Return every figure; `beside` says whether human agreement is wanted too."""
        compared = self.side.compared
        # The same labels, the documents in common codes.
        coded = replace(compared, units=replace(compared.units, document=self.documents))
        plain, tested = self._table(compared), self._table(coded)
        human_agreement = (
            humans(compared, self.people, self.side.setting, self.side.names) if beside else None
        )
        return Scored(
            documents=plain.documents,
            units=plain.units,
            shown=self._figures(plain),
            tested=self._figures(tested),
            by_document=_agreeing(tested),
            humans=human_agreement.results.measures if human_agreement else {},
        )

    def _figures(self, table: ContingencyTable) -> KeyScores:
        names, setting = judged(self.side.compared.units), self.side.setting
        return KeyScores(
            pair_scores(table, setting, self.side.names), specific_by_category(table, setting, names)
        )

    def _table(self, compared: ComparedUnits) -> ContingencyTable:
        key, other = ((person, compared.units.labels_of(person)[self.units]) for person in self.pair)
        return table_of_labels(compared, self.units, key, other)


def _agreeing(table: ContingencyTable) -> dict[int, tuple[float | None, int]]:
    """Return observed agreement in each document."""
    has_document = table.document != NO_DOCUMENT
    document, index = np.unique(table.document[has_document], return_inverse=True)
    n, same = table.n[has_document], (table.row == table.column)[has_document]
    units, agreed = (np.bincount(index, weights=column).tolist() for column in (n, n * same))
    rows = zip(document.tolist(), agreed, units, strict=True)
    return {code: (above / below if below else None, int(below)) for code, above, below in rows}


@dataclass(frozen=True, eq=False)
class MarkScores:
    """What a key and somebody else, compared with it, marked in some documents, and annotators there.

    Documents have common codes.
    """

    side: MarkSide
    cells: MarkCells
    annotators: MarkCells

    @classmethod
    def of(cls, side: MarkSide, people: tuple[int, int], codes: Codes) -> "MarkScores":
        """Return what two people marked; `codes` has the common code of each document of the version."""
        own = in_common(side.cells.of_pair(*people), codes)
        annotators = in_common(side.cells.among(side.spans.annotates), codes)
        return cls(side, own, annotators)

    def only(self, documents: Mask) -> "MarkScores":
        """Return what is in some documents; `kept` (documents,) says which."""
        return replace(self, cells=self.cells.in_documents(documents))

    def score(self, *, beside: bool) -> Scored:
        """Return every figure; human agreement is the mean of strict F over pairs, in the same documents."""
        spans, beta = self.side.spans, self.side.spans.beta
        ratios = {mode: pair_ratios(self.cells, mode, beta) for mode in MODES}
        figures = KeyScores(
            {f"{name}[{mode}]": ratios[mode][name].estimate() for mode, name in MARKS},
            {spans.types[kind]: self._of_type(kind) for kind in np.unique(self.cells.type).tolist()},
        )
        strict, counts = ratios[STRICT][F], self.cells.all_types
        marks = (counts.counts * MARKS_IN_OUTCOME).sum(axis=1).tolist()
        return Scored(
            documents=len(self.cells.documents),
            units=None,
            shown=figures,
            tested=figures,
            by_document=dict(
                zip(counts.document.tolist(), zip(strict.values, marks, strict=True), strict=True)
            ),
            humans={f"{F}[{STRICT}]": self._humans()} if beside else {},
        )

    def _humans(self) -> Figure:
        documents = self.cells.seen_document
        there = np.zeros(
            int(max(documents.max(initial=0), self.annotators.seen_document.max(initial=0))) + 1, bool
        )
        there[documents] = True
        return figure(mean_over_pairs(self.annotators.in_documents(there), STRICT, self.side.spans.beta))

    def _of_type(self, kind: int) -> Estimate:
        return pair_ratios(self.cells.of_type(kind), STRICT, self.side.spans.beta)[F].estimate()


# Somebody against a key twice: each figure, category and document side by side, with its test.


@dataclass(frozen=True)
class AgainstKey:
    """Somebody who is compared with a key twice, by codes: (key, other) each time.

    `system` is what pages call who is compared; `key`, `first` and `second` are names, `releases` what the
    two are declared to be.
    """

    system: str
    role: str
    key: str
    names: tuple[str, str]
    codes: tuple[tuple[int, int], tuple[int, int]]
    releases: tuple[str, str] | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """What all comparisons of one unit set, or of one layer's marks, have in common."""

    layer: str
    unit_set: str | None
    figure: str
    document_figure: str
    names: tuple[str, ...]
    edited: int
    annotators: tuple[str, ...]
    matching: Categories | None
    rules: NoDifference | None = None
    distances: frozenset[str] = frozenset()

    def reason(self, figure: str) -> NoDifference | None:
        """Return why a figure of all categories has no test."""
        if figure.removesuffix("]").partition("[")[2] in self.distances:
            return NoDifference.DISTANCES
        other = self.matching is not None and self.matching.how == "names"
        return self.rules or (NoDifference.CATEGORIES if other else None)


def revision_of(
    frame: Frame,
    against_key: AgainstKey,
    basis: Basis,
    scores: Sequence[LabelScores | MarkScores],
    shared: tuple[int, int | None],
) -> SystemRevision:
    """Return somebody's figures twice; `shared` are the documents, and the units, that both have."""
    first, second = scored = [side.score(beside=against_key.role in OTHERS) for side in scores]
    figures = [side.shown.measures for side in scored]
    tested = [side.tested.measures for side in scored]
    measures = {
        name: change(
            (own, figures[1][name]),
            (tested[0][name], tested[1][name]),
            frame.reason(name),
            same_material=basis == "shared",
        )
        for name, own in figures[0].items()
        if name in figures[1]
    }
    humans = [side.humans.get(frame.figure) for side in scored]
    documents, units = shared
    return SystemRevision(
        layer=frame.layer,
        unit_set=frame.unit_set,
        system=against_key.system,
        role=against_key.role,
        key=against_key.key,
        first=against_key.names[0],
        second=against_key.names[1],
        releases=against_key.releases,
        basis=basis,
        figure=frame.figure,
        documents=(first.documents, second.documents),
        units=None if first.units is None or second.units is None else (first.units, second.units),
        overlap=Overlap(documents=documents, units=units, annotators=frame.annotators, edited=frame.edited),
        measures=measures,
        by_category=with_holm(_by_category(frame, scored, same=basis == "shared")),
        # Those that fell most first, without a difference last.
        by_document=tuple(sorted(_by_document(frame.names, scored), key=_document_order))
        if basis == "shared"
        else (),
        document_figure=frame.document_figure if frame.document_figure != frame.figure else None,
        humans={"first": humans[0], "second": humans[1]} if humans[0] and humans[1] else {},
        categories=frame.matching,
    )


def _by_category(frame: Frame, scored: Sequence[Scored], *, same: bool) -> dict[str, Change]:
    """Return F of each category that somebody used and that both versions have."""
    by_category = [side.shown.by_category for side in scored]
    gone = frame.matching and {*frame.matching.first_only, *frame.matching.second_only}
    names = [
        name for name in dict.fromkeys((*by_category[1], *by_category[0])) if not gone or name not in gone
    ]
    reason = Undefined.NO_MARKS if frame.unit_set is None else Undefined.NOT_USED
    changes: dict[str, Change] = {}
    for name in names:
        shown = [side.shown.by_category.get(name) or no_estimate(reason, 0) for side in scored]
        tested = [side.tested.by_category.get(name) or no_estimate(reason, 0) for side in scored]
        pairs = (shown[0], shown[1]), (tested[0], tested[1])
        changes[name] = change(*pairs, frame.rules, same_material=same)
    return changes


def _by_document(names: tuple[str, ...], scored: Sequence[Scored]) -> Iterator[DocumentChange]:
    """Yield each document's figure under both."""
    first, second = (side.by_document for side in scored)
    # Units without a document have codes behind those of documents.
    for code in sorted(code for code in {*first, *second} if code < len(names)):
        before, _ = first.get(code, (None, 0))
        after, units = second.get(code, (None, 0))
        yield DocumentChange(
            document=names[code],
            first=before,
            second=after,
            difference=None if before is None or after is None else after - before,
            units=units,
        )


def _document_order(document_change: DocumentChange) -> tuple[bool, float, str]:
    moved = document_change.difference
    return moved is None, moved or 0.0, document_change.document


REFERENCE, ANNOTATOR = "reference", "annotator"
ALPHA = "krippendorff_alpha"
OBSERVED = "observed_agreement"


@dataclass(frozen=True)
class VersionParticipants:
    """Everybody in one version, by code: names and roles.

    `declared` are the people of campaign.toml by the names that are shown, in their order there.
    """

    names: Sequence[str]
    roles: Sequence[str]
    declared: Mapping[str, Annotator]

    def codes(self, *roles: str) -> dict[str, int]:
        """Return who has one of the roles, by name."""
        participants = zip(self.names, self.roles, strict=True)
        return {name: code for code, (name, role) in enumerate(participants) if role in roles}

    def role(self, name: str) -> str:
        """Return somebody's role."""
        return self.roles[self.names.index(name)]

    @property
    def keys(self) -> dict[str, int]:
        """Return against whom others are held: references, or annotators where there is none."""
        return self.codes(REFERENCE) or self.codes(ANNOTATOR)

    @property
    def others(self) -> dict[str, int]:
        """Return who is compared with keys; a crowd of annotators is not."""
        annotators = self.codes(ANNOTATOR)
        compared = annotators if self.codes(REFERENCE) and len(annotators) <= MOST_ANNOTATORS else {}
        return self.codes(*OTHERS) | compared

    def system_of(self, name: str) -> tuple[str | None, str | None]:
        """Return which system somebody is declared to be, and which release of it."""
        annotator = self.declared.get(name)
        return (annotator.system, annotator.release) if annotator else (None, None)

    def releases(self) -> dict[str, list[str]]:
        """Return the names of each declared system's releases, in the order in which they are declared."""
        there = self.codes(*OTHERS)
        by_system: dict[str, list[str]] = {}
        for name, annotator in self.declared.items():
            if annotator.system is not None and name in there:
                by_system.setdefault(annotator.system, []).append(name)
        return by_system


def over_versions(first: VersionParticipants, second: VersionParticipants) -> Iterator[AgainstKey]:
    """Yield who is compared with the same key under both versions: by name, and the last release of a system.

    Where each version has one reference, the two are the same key whatever they are called. A version with
    references is not compared with one without.
    """
    if bool(first.codes(REFERENCE)) != bool(second.codes(REFERENCE)):
        return
    keys = [(name, name) for name in second.keys if name in first.keys]
    if not keys and second.codes(REFERENCE) and len(first.keys) == len(second.keys) == 1:
        keys = list(zip(first.keys, second.keys, strict=True))
    mine, theirs, before = first.others, second.others, first.releases()
    pairs = [
        *((name, name) for name in theirs if name in mine and first.role(name) == second.role(name)),
        *((before[system][-1], names[-1]) for system, names in second.releases().items() if system in before),
    ]
    for key in keys:
        for pair in dict.fromkeys(pairs):
            yield _against_key(first, second, key, pair)


def over_releases(people: VersionParticipants) -> Iterator[AgainstKey]:
    """Yield each release of a system against the one before, and the newest against the first."""
    for names in people.releases().values():
        pairs = [*pairwise(names), *([(names[0], names[-1])] if len(names) > 2 else [])]
        for key in people.keys:
            for pair in pairs:
                yield _against_key(people, people, (key, key), pair)


def behind_best(
    comparisons: Comparisons, marks: Iterable[MarkSide], labels: Iterable[LabelSide]
) -> Comparisons:
    """Return comparisons in which each system knows how far it is behind the best one beside its reference.

    Of each system the newest release counts. The two are compared on what both and the reference have, by
    marks and in primary unit sets, as two releases are.
    """
    sides: dict[Key, MarkSide | LabelSide] = {(own.spans.layer, ""): own for own in marks}
    sides |= {
        (own.compared.units.layer, own.compared.units.id): own for own in labels if own.compared.units.primary
    }
    behind: dict[int, Change] = {}
    for whole in comparisons.sets:
        side = sides.get((whole.layer, whole.unit_set or ""))
        own = [
            pair for pair in comparisons.pairs if (pair.layer, pair.unit_set) == (whole.layer, whole.unit_set)
        ]
        systems = [pair for pair in own if pair.role != ANNOTATOR]
        for key in whole.references or dict.fromkeys(pair.key for pair in systems[:1]):
            best, *others = nearest([pair for pair in systems if pair.key == key], whole.figure) or (None,)
            changes = _behind(side, whole.figure, best, others) if side and best and others else {}
            behind |= {id(pair): changes[pair.other] for pair in others if pair.other in changes}
    pairs = (
        pair.model_copy(update={"behind": behind[id(pair)]}) if id(pair) in behind else pair
        for pair in comparisons.pairs
    )
    return comparisons.model_copy(update={"pairs": tuple(pairs)}) if behind else comparisons


def _behind(
    side: MarkSide | LabelSide, figure: str, best: Comparison, others: Sequence[Comparison]
) -> dict[str, Change]:
    """Return by name how far some systems are behind the best one, where both have something in common."""
    if isinstance(side, MarkSide):
        people = VersionParticipants(side.spans.people, side.spans.roles, {})
    else:
        people = VersionParticipants(side.compared.units.annotators, side.compared.roles, {})
    rivals = [_against_key(people, people, (best.key,) * 2, (own.other, best.other)) for own in others]
    revised = (
        revised_by_marks(side, side, None, {}, rivals=rivals)
        if isinstance(side, MarkSide)
        else revised_by_labels(side, side, None, {}, rivals=rivals)
    )
    return {
        revision.first: revision.measures[figure]
        for revision in revised
        if revision.basis == "shared" and figure in revision.measures
    }


def _against_key(
    first: VersionParticipants, second: VersionParticipants, key: tuple[str, str], pair: tuple[str, str]
) -> AgainstKey:
    (_, before), (system, after) = first.system_of(pair[0]), second.system_of(pair[1])
    return AgainstKey(
        system=system or pair[1],
        role=second.role(pair[1]),
        key=key[1],
        names=pair,
        codes=((first.keys[key[0]], first.others[pair[0]]), (second.keys[key[1]], second.others[pair[1]])),
        releases=None if before is None or after is None else (before, after),
    )


# What is compared with what, layer by layer.


def revised_by_labels(  # noqa: PLR0913 - both sides, and who is compared
    first: LabelSide,
    second: LabelSide,
    matching: Categories | None,
    declared: Mapping[str, Annotator],
    edited: frozenset[str] = frozenset(),
    *,
    rivals: Sequence[AgainstKey] = (),
) -> Iterator[SystemRevision]:
    """Yield everybody who is compared with a key twice in one unit set.

    The categories of the first have the names that `matching` gives them; without it the two are one version,
    and releases of one system are compared, or `rivals`. `edited` are documents whose text is another in the
    second version.
    """
    units = [side.compared.units for side in (first, second)]
    people = [
        VersionParticipants(side.compared.units.annotators, side.compared.roles, declared)
        for side in (first, second)
    ]
    pairs = rivals or list(over_versions(*people) if matching else over_releases(people[1]))
    if not pairs:
        return
    if matching:
        if matching.split:
            second = second.renamed(second, matching.split)
        first = first.renamed(second, {name: name for name in units[0].categories} | dict(matching.merged))
        common = common_units(first.compared.units, second.compared.units, edited)
    else:
        common = same_units(units[1])
    frame = Frame(
        layer=units[1].layer,
        unit_set=units[1].id,
        figure=second.coefficient if second.coefficient in {*first.names} & {*second.names} else ALPHA,
        document_figure=OBSERVED,
        names=common.names,
        edited=len(common.edited),
        annotators=_in_both(*people),
        matching=matching,
        rules=None if first.setting.scale == second.setting.scale else NoDifference.SCALE,
        distances=first.other_distances(second),
    )
    for against_key in pairs:
        one, other = against_key.codes
        scores = [
            LabelScores(first, one, one, common.first),
            LabelScores(second, other, other, common.second),
        ]
        if not matching:
            # Of two releases, the units that both and the key labelled, where there are any.
            together = [replace(score, people=(*one, other[1])) for score in scores]
            scores = together if len(together[0].units) else scores
        yield from _revised_labels(frame, against_key, scores, common)


def _in_both(first: VersionParticipants, second: VersionParticipants) -> tuple[str, ...]:
    return tuple(name for name in second.codes(ANNOTATOR) if name in first.codes(ANNOTATOR))


def _revised_labels(
    frame: Frame, against_key: AgainstKey, scores: Sequence[LabelScores], common: CommonUnits
) -> Iterator[SystemRevision]:
    """Yield somebody's figures twice: on the units of both, and on all of each where that differs."""
    units = [
        code[score.units] for code, score in zip((common.first_unit, common.second_unit), scores, strict=True)
    ]
    shared = [np.isin(mine, theirs) & (mine != UNKNOWN) for mine, theirs in (units, units[::-1])]
    both = [score.only(score.units[in_both]) for score, in_both in zip(scores, shared, strict=True)]
    clusters = len(np.unique(both[1].documents[both[1].units]))
    count = clusters if common.clustered else 0, int(shared[1].sum())
    if clusters >= 2:
        yield revision_of(frame, against_key, "shared", both, count)
    if clusters < 2 or not all(mask.all() for mask in shared):
        yield revision_of(frame, against_key, "all", scores, count)


def revised_by_marks(  # noqa: PLR0913 - both sides, and who is compared
    first: MarkSide,
    second: MarkSide,
    matching: Categories | None,
    declared: Mapping[str, Annotator],
    edited: frozenset[str] = frozenset(),
    *,
    rivals: Sequence[AgainstKey] = (),
) -> Iterator[SystemRevision]:
    """Yield everybody who is compared with a key twice, by marks in texts; as for labels.

    The types of the first version have their later names.
    """
    people = [VersionParticipants(side.spans.people, side.spans.roles, declared) for side in (first, second)]
    pairs = rivals or list(over_versions(*people) if matching else over_releases(people[1]))
    if not pairs:
        return
    common = common_documents(first.spans.documents, second.spans.documents, edited)
    strict = f"{F}[{STRICT}]"
    frame = Frame(
        layer=second.spans.layer,
        unit_set=None,
        figure=strict,
        document_figure=strict,
        names=common.names,
        edited=len(common.edited),
        annotators=_in_both(*people),
        matching=matching,
        rules=None if first.rules == second.rules else NoDifference.MATCHING,
    )
    for against_key in pairs:
        yield from _revised_marks(frame, against_key, (first, second), common)


def _revised_marks(
    frame: Frame, against_key: AgainstKey, sides: tuple[MarkSide, MarkSide], common: CommonDocuments
) -> Iterator[SystemRevision]:
    """Yield somebody's figures twice: in the documents of both, and in all of each where that differs."""
    scores = [
        MarkScores.of(side, codes, code)
        for side, codes, code in zip(sides, against_key.codes, (common.first, common.second), strict=True)
    ]
    saw = [common.there(score.cells) for score in scores]
    shared = common.same & saw[0] & saw[1]
    count = int(shared.sum())
    if count >= 2:
        yield revision_of(
            frame, against_key, "shared", [score.only(shared) for score in scores], (count, None)
        )
    if count < 2 or any((mask != shared).any() for mask in saw):
        yield revision_of(frame, against_key, "all", scores, (count, None))


# Marks, systems and references: what is compared with what, layer by layer.


def revised_marks(first: Side, second: Side, merges: Merges) -> Iterator[SpanRevision]:
    """Yield agreement on marks in texts under both versions, for each layer that has such in both.

    `merges` are the later names of categories, of each version after the first up to the second.
    """
    edited = edited_documents(first, second)
    for marks, matching in _marks_of_both(first, second, merges):
        yield from revise_spans(*marks, matching, edited)


def revised_systems(
    first: Side,
    second: Side,
    merges: Merges,
    declared: Mapping[str, Annotator],
    coefficients: Mapping[str, str],
) -> tuple[SystemRevision, ...]:
    """Return everybody who is compared with the same key under both versions, by marks and by units.

    `declared` are people by the names that are shown, `coefficients` the primary one of each layer.
    """
    edited = edited_documents(first, second)
    revisions: list[SystemRevision] = []
    for marks, matching in _marks_of_both(first, second, merges):
        revisions += revised_by_marks(*marks, matching, declared, edited)
    before, after = _compared(first), _compared(second)
    for key, later_labels in after.items():
        if key in before:
            both, units = [before[key], later_labels], [first.unit_sets[key], second.unit_sets[key]]
            if overlap_in_one(*units) or overlap_in_one(*(labels.units for labels in both)):
                both = [replace(labels, units=labels.units.as_sets) for labels in both]
                units = [coded.as_sets for coded in units]
            sides = [
                LabelSide(labels, tuple(side.tables), coefficients[key[0]])
                for side, labels in zip((first, second), both, strict=True)
            ]
            matching, *_ = match_units(units[0], units[1], merges)
            revisions += revised_by_labels(sides[0], sides[1], matching, declared, edited)
    return _regressions_first(revisions)


def revised_releases(
    marks: Iterable[MarkSide], labels: Iterable[LabelSide], declared: Mapping[str, Annotator]
) -> tuple[SystemRevision, ...]:
    """Return each release of a system against another under one version, by marks and by units."""
    if not any(annotator.release for annotator in declared.values()):
        return ()
    revisions = [revision for side in marks for revision in revised_by_marks(side, side, None, declared)]
    revisions += [revision for side in labels for revision in revised_by_labels(side, side, None, declared)]
    return _regressions_first(revisions)


def _regressions_first(revisions: Iterable[SystemRevision]) -> tuple[SystemRevision, ...]:
    """Return regressions first, the worst before the others; what has no difference comes last."""
    return tuple(sorted(revisions, key=_revision_order))


def _revision_order(revision: SystemRevision) -> tuple[bool, float]:
    moved = revision.measures[revision.figure].difference
    return moved is None, moved or 0.0


def _marks_of_both(
    first: Side, second: Side, merges: Merges
) -> Iterator[tuple[tuple[MarkSide, MarkSide], Categories]]:
    """Yield the marks of each layer that both versions have, the first under the later names of their types.

    What counts alone can't tell under these is left out.
    """
    for layer, later in second.marks.items():
        if layer in first.marks:
            types = first.marks[layer].types
            matching = match(types, later.types, crosswalk(types, merges))
            before, after = first.marks[layer].renamed(matching.merged), later.renamed(matching.split or {})
            if before is not None and after is not None:
                yield (before, after), matching


def _compared(side: Side) -> dict[Key, ComparedUnits]:
    """Return everybody's labels by layer and unit set."""
    return {
        (compared.units.layer, compared.units.id): compared
        for study in side.studies
        for compared in study.compared
    }
