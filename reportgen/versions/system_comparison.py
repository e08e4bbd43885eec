"""Somebody against a key twice: each figure, category and document side by side, with its test."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.counts import ContingencyTable, shared_units, table_of_labels
from reportgen.measures import MODES, Estimate, NoDifference, Undefined
from reportgen.measures.difference_tests import change, with_holm
from reportgen.measures.estimate import figure, no_estimate
from reportgen.measures.retrieval import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.measures.scores import humans, pair_scores, specific_by_category
from reportgen.measures.sets import judged
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure
from reportgen.results.parts import Basis, Categories, Change, DocumentChange, Overlap, SystemRevision
from reportgen.units import NO_PLACE, CodedUnits, ComparedUnits, Mask
from reportgen.versions.version_figures import LabelSide, MarkSide, common_documents, in_common

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
    documents = _own_documents(units, np.arange(len(units.unit_weight), dtype=np.int64), len(units.documents))
    numbers = np.arange(len(units.unit_weight), dtype=np.int64)
    return CommonUnits(units.documents, documents, documents, numbers, numbers)


def common_units(first: CodedUnits, second: CodedUnits, edited: Collection[str] = ()) -> CommonUnits:
    """Return common codes of documents and units by name; `edited` are documents with another text now."""
    documents = common_documents(first.documents, second.documents, edited)
    names = _name_codes(first, second)
    size = 2 + max(int(codes.max(initial=0)) for codes in names)
    where, unit = [], []
    for units, code, name in zip((first, second), (documents.first, documents.second), names, strict=True):
        # Units without a document have the last code, which is not one.
        document = np.append(code, NO_DOCUMENT)[units.unit_document]
        where.append(_own_documents(replace(units, unit_document=document), name, len(documents.names)))
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
        else np.full(len(units.unit_weight), UNKNOWN, dtype=np.int64)
        for units, own in zip((first, second), of_each, strict=True)
    ]


def _own_documents(units: CodedUnits, name: Codes, documents: int) -> Codes:
    """Return the code that a unit without a document has as its own, where it has a name and is single."""
    own = (name != UNKNOWN) & (units.unit_weight == 1)
    alone = units.unit_document == NO_DOCUMENT
    codes: Codes = np.where(alone & own, documents + name, units.unit_document)
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
        weight = np.zeros_like(compared.units.unit_weight)
        weight[numbers] = compared.units.unit_weight[numbers]
        weighed = replace(compared, units=replace(compared.units, unit_weight=weight))
        return replace(self, side=replace(self.side, compared=weighed))

    def score(self, *, beside: bool) -> Scored:
        """Return every figure; `beside` says whether human agreement is wanted too."""
        compared = self.side.compared
        # The same labels, the documents in common codes.
        coded = replace(compared, units=replace(compared.units, unit_document=self.documents))
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
        key, other = ((person, compared.labels_of(person)[self.units]) for person in self.pair)
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
        annotators = in_common(side.cells.among(side.annotates), codes)
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


def joined(
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
        by_document=tuple(sorted(_by_document(frame.names, scored), key=_fallen))
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


def _fallen(document_change: DocumentChange) -> tuple[bool, float, str]:
    moved = document_change.difference
    return moved is None, moved or 0.0, document_change.document
