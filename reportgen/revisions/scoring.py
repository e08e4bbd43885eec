"""Somebody against a key on some units or documents: every figure, by category, and document by document."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.agreement import MODES, Estimate, Floats
from reportgen.agreement.comparisons.humans import humans
from reportgen.agreement.comparisons.scores import pair_scores, scores_by_category
from reportgen.agreement.sets.labels import judged
from reportgen.agreement.spans.means import F, MarkCells, mean_over_pairs, pair_ratios
from reportgen.counts import PairTable, shared_units, table_of_labels
from reportgen.revisions.labels import LabelSide
from reportgen.revisions.marks import MarkSide, in_common
from reportgen.study import NO_DOCUMENT, Codes, Compared, Mask

STRICT = "strict"
SHARES = ("precision", "recall", F)
MARKS = (*((STRICT, name) for name in SHARES), ("lenient", F), ("average", F))
# How many marks stand behind a match, an overlap, and a mark of the one or the other alone.
MARKS_IN_OUTCOME = np.array([2, 2, 1, 1], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ByDocument:
    """A figure in each document: `document` (documents,), sorted, and `above` out of `below` there."""

    document: Codes
    above: Floats
    below: Floats
    units: Codes

    def values(self, documents: Codes) -> list[tuple[float | None, int]]:
        """Return the figure in each of some documents, with the units or marks on which it rests."""
        size = int(max(self.document.max(initial=0), documents.max(initial=0))) + 1
        columns = [_placed(self.document, each, size)[documents] for each in (self.above, self.below)]
        units = _placed(self.document, self.units, size)[documents].astype(np.int64).tolist()
        rows = zip(*(each.tolist() for each in columns), units, strict=True)
        return [(above / below if below > 0 else None, n) for above, below, n in rows]


def _placed(document: Codes, values: Floats | Codes, size: int) -> Floats:
    found = np.zeros(size, dtype=np.float64)
    found[document] = values
    return found


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of somebody against a key: all of them, and F of each category that one of the two used."""

    measures: Mapping[str, Estimate]
    by_category: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class Scored:
    """Somebody against a key once.

    `tested` are the figures in common codes of documents, units without one being each their own, so that
    they can be held against the same units another time; `documents` and `units` are counts.
    """

    documents: int
    units: int | None
    shown: Figures
    tested: Figures
    by_document: ByDocument
    humans: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class LabelScores:
    """What a key and somebody else, held against it, made of some units.

    `people` are all who have to have labelled a unit, the key first; `documents` (units,) are the common
    codes of documents.
    """

    side: LabelSide
    people: tuple[int, ...]
    documents: Codes

    @cached_property
    def units(self) -> Codes:
        """Return the units on which they are compared (numbers, rising)."""
        return shared_units(self.side.compared, *self.people)

    def only(self, kept: Codes) -> "LabelScores":
        """Return what they made of some units (numbers) alone."""
        units = self.side.compared.units
        here = np.zeros(len(units.unit_weight), dtype=np.bool_)
        here[kept] = True
        weighed = replace(units, unit_weight=np.where(here, units.unit_weight, 0))
        side = replace(self.side, compared=replace(self.side.compared, units=weighed))
        return LabelScores(side, self.people, self.documents)

    def score(self, key: int, other: int, *, beside: bool) -> Scored:
        """Return every figure; `beside` says whether human agreement is wanted too."""
        where = self.side.compared.units.unit_document[self.units]
        plain = self._table(self.side.compared, key, other)
        coded = self._table(self._coded, key, other)
        shown = self._figures(plain)
        return Scored(
            documents=plain.documents,
            units=plain.units,
            shown=shown,
            tested=self._figures(coded) if (where == NO_DOCUMENT).any() else self._recoded(shown),
            by_document=_agreeing(plain, self._codes),
            humans=self._humans() if beside else {},
        )

    @cached_property
    def _coded(self) -> Compared:
        """Return the same labels, the documents in common codes."""
        compared = self.side.compared
        return replace(compared, units=replace(compared.units, unit_document=self.documents))

    @cached_property
    def _codes(self) -> Codes:
        """Return the common code of each document (documents,), NO_DOCUMENT for those without a unit."""
        units = self.side.compared.units
        known = units.unit_document != NO_DOCUMENT
        codes = np.full(max(len(units.documents), 1), NO_DOCUMENT, dtype=np.int64)
        codes[units.unit_document[known]] = self.documents[known]
        return codes

    def _recoded(self, figures: Figures) -> Figures:
        """Return figures whose spread has the common codes of documents."""
        return Figures(
            {name: with_codes(each, self._codes) for name, each in figures.measures.items()},
            {name: with_codes(each, self._codes) for name, each in figures.by_category.items()},
        )

    def _figures(self, table: PairTable) -> Figures:
        names, setting = judged(self.side.compared.units), self.side.setting
        return Figures(
            pair_scores(table, setting, self.side.names),
            {names[code]: each.specific for code, each in scores_by_category(table, setting).items()},
        )

    def _table(self, compared: Compared, key: int, other: int) -> PairTable:
        labels = {each: compared.labels_of(each)[self.units] for each in (key, other)}
        return table_of_labels(compared, self.units, (key, labels[key]), (other, labels[other]))

    def _humans(self) -> Mapping[str, Estimate]:
        side = self.side
        found = humans(side.compared, self.people, side.setting, side.names)
        return found.measures if found is not None else {}


def with_codes(estimate: Estimate, codes: Codes) -> Estimate:
    """Return a figure whose spread has other codes of documents, by their own (documents,)."""
    if estimate.spread is None:
        return estimate
    clusters = estimate.spread.clusters
    known = clusters.document != NO_DOCUMENT
    document = np.where(known, codes[clusters.document], NO_DOCUMENT)
    return replace(estimate, spread=replace(estimate.spread, clusters=replace(clusters, document=document)))


def _agreeing(table: PairTable, codes: Codes) -> ByDocument:
    """Return observed agreement in each document, under its common code."""
    known = table.document != NO_DOCUMENT
    document, place = np.unique(codes[table.document[known]], return_inverse=True)
    n, same = table.n[known], (table.row == table.column)[known]
    units = np.bincount(place, weights=n, minlength=len(document))
    agreed = np.bincount(place, weights=n * same, minlength=len(document))
    return ByDocument(document, agreed.astype(np.float64), units.astype(np.float64), units.astype(np.int64))


@dataclass(frozen=True, eq=False)
class MarkScores:
    """What a key and somebody else, held against it, marked in some documents, and annotators there.

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

    def saw(self, documents: int) -> Mask:
        """Say which documents both saw (documents,)."""
        found = np.zeros(documents, dtype=np.bool_)
        found[self.cells.seen_document] = True
        return found

    def only(self, kept: Mask) -> "MarkScores":
        """Return what is in some documents; `kept` (documents,) says which."""
        return replace(self, cells=self.cells.in_documents(kept))

    def score(self, *, beside: bool) -> Scored:
        """Return every figure; human agreement is the mean of strict F over pairs, in the same documents."""
        spans, beta = self.side.spans, self.side.spans.beta
        found = {mode: pair_ratios(self.cells, mode, beta) for mode in MODES}
        figures = Figures(
            {f"{name}[{mode}]": found[mode][name].estimate() for mode, name in MARKS},
            {spans.types[kind]: self._of_type(kind) for kind in np.unique(self.cells.type).tolist()},
        )
        strict, whole = found[STRICT][F], self.cells.whole
        marks = (whole.counts * MARKS_IN_OUTCOME).sum(axis=1)
        return Scored(
            documents=len(self.cells.documents),
            units=None,
            shown=figures,
            tested=figures,
            by_document=ByDocument(whole.document, strict.numerator, strict.denominator, marks),
            humans={f"{F}[{STRICT}]": self._humans()} if beside else {},
        )

    def _humans(self) -> Estimate:
        seen = self.cells.seen_document
        there = np.zeros(
            int(max(seen.max(initial=0), self.annotators.seen_document.max(initial=0))) + 1, bool
        )
        there[seen] = True
        return mean_over_pairs(self.annotators.in_documents(there), STRICT, self.side.spans.beta)

    def _of_type(self, kind: int) -> Estimate:
        return pair_ratios(self.cells.of_type(kind), STRICT, self.side.spans.beta)[F].estimate()
