"""From marks in texts to units that annotators labelled: tokens, sentences, candidates, marked stretches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import Annotations, Codes, ExcludedMarks, Regions, TextMarks
from reportgen.units.categories import (
    SingleLabels,
    category_codes,
    of_categories,
    one_label_each,
    order_categories,
)
from reportgen.units.coded import (
    NO_PLACE,
    REPEATED_DOCUMENT,
    SEEN,
    CodedUnits,
    ExportParticipants,
    Mask,
    Places,
    counting,
    left_out,
    mark_weight,
    nothing,
    of_other_roles,
    order_of_copies,
    people,
)
from reportgen.units.segmentation import Pieces, sentences, tokenise
from reportgen.units.unit_sets import Request

# Which marks stand on which unit: the pieces of text that a mark covers, or the stretch that it marks.


@dataclass(frozen=True, eq=False)
class Links:
    """Units that are marked, and by what.

    - `unit_document` (units,): the document of each unit, in the order of the text.
    - `mark`, `unit` (links,): a mark and a unit that it stands on, sorted by mark.
    - `unmarked` (documents,): how many units of each document nothing stands on.
    - `places`: where the units stand, by their number in `unit_place` (units,).
    """

    unit_document: Codes
    mark: Codes
    unit: Codes
    unmarked: Codes
    unit_place: Codes
    places: Places


def regions_of(marks: TextMarks) -> Regions:
    """Return where the marks stand."""
    return Regions(marks.document, marks.span_mark, marks.span_start, marks.span_end)


def bases(texts: Sequence[str]) -> Codes:
    """Return where each text would begin if all stood one after another, a character apart."""
    return np.cumsum([0, *(len(text) + 1 for text in texts)], dtype=np.int64)


def to_pieces(marks: TextMarks, found: Pieces) -> Links:
    """Return the tokens or sentences that share a character with a mark; one on none has no link."""
    base = bases(marks.texts)[found.document]
    linked = covered(regions_of(marks), bases(marks.texts), base + found.start, base + found.end)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    every = np.bincount(found.document, minlength=len(marks.texts))
    document = found.document[marked]
    unmarked = every - np.bincount(document, minlength=len(marks.texts))
    places = Places((), np.arange(len(found.start), dtype=np.int64), found.start, found.end)
    return Links(document, linked[:, 0], unit, unmarked, marked, places)


def covered(regions: Regions, base: Codes, first: Codes, last: Codes) -> Codes:
    """Return which region shares a character with which piece: (links, 2), sorted.

    `first` and `last` (pieces,) are where pieces begin and end, counted through all texts, which start at
    `base` (documents,). Pieces stand in their order and do not overlap.
    """
    here = base[regions.document[regions.span_region]]
    low = np.searchsorted(last, here + regions.span_start, side="right")
    high = np.searchsorted(first, here + regions.span_end, side="left")
    pieces = np.where(regions.span_end > regions.span_start, np.maximum(high - low, 0), 0)
    region = np.repeat(regions.span_region, pieces)
    piece = np.repeat(low, pieces) + counting(pieces)
    # Two stretches of a discontinuous region can share a piece.
    return np.unique(np.stack([region, piece], axis=1), axis=0)


def cutting(marks: TextMarks, tokens: Pieces) -> Codes:
    """Return the marks (numbers, rising) of which a stretch begins or ends inside a token."""
    base = bases(marks.texts)
    first, last = base[tokens.document] + tokens.start, base[tokens.document] + tokens.end
    here = base[marks.document[marks.span_mark]]
    edges = np.stack([here + marks.span_start, here + marks.span_end])
    before = np.append(first, np.iinfo(np.int64).max)[np.searchsorted(last, edges, side="right")]
    cuts = np.any(before < edges, axis=0) & (marks.span_end > marks.span_start)
    return np.unique(marks.span_mark[cuts])


def to_stretches(marks: TextMarks) -> Links:
    """Return the stretches that are marked, those that coincide being one unit."""
    units, unit = numbered(regions_of(marks))
    none = np.zeros(len(marks.texts), dtype=np.int64)
    mark = np.arange(len(unit), dtype=np.int64)
    return Links(units[:, 0], mark, unit, none, np.arange(len(units), dtype=np.int64), stretches(units))


def numbered(regions: Regions) -> tuple[Codes, Codes]:
    """Return every place once, in the order of the texts, and the number of the place of each region.

    A place is a row: its document, then the ends of its stretches, filled up with -1 where it has fewer.
    """
    sizes = np.bincount(regions.span_region, minlength=len(regions.document))
    rows = np.full((len(regions.document), 1 + 2 * int(sizes.max(initial=0))), -1, dtype=np.int64)
    rows[:, 0] = regions.document
    order = np.argsort(regions.span_region, kind="stable")
    place = counting(sizes)
    rows[regions.span_region[order], 1 + 2 * place] = regions.span_start[order]
    rows[regions.span_region[order], 2 + 2 * place] = regions.span_end[order]
    places, number = np.unique(rows, axis=0, return_inverse=True)
    return places, number.reshape(-1)


def stretches(units: Codes) -> Places:
    """Return where units stand, given as rows of a document and the ends of stretches, -1 for none."""
    unit, stretch = np.nonzero(units[:, 1::2] >= 0)
    return Places((), unit, units[unit, 1 + 2 * stretch], units[unit, 2 + 2 * stretch])


# Which marks stand on which candidate: those that coincide with it, or else those that overlap it.


def regions_of_pieces(found: Pieces) -> Regions:
    """Return pieces of text as places of one stretch each."""
    number = np.arange(len(found.document), dtype=np.int64)
    return Regions(found.document, number, found.start, found.end)


def to_candidates(
    marks: TextMarks, candidates: Regions, kept: Mask, person: Codes, *, keep_marked: bool
) -> tuple[Links, Codes]:
    """Return the candidates that the marks which are `kept` (marks,) stand on, and the marks that give way.

    Candidates that coincide are one.

    A mark that coincides with a candidate stands on that one alone, any other on all with which it shares a
    character. Where a mark of a person, `person` (marks,), coincides with a candidate, the person's
    others that overlap it give way. With `keep_marked` the marks that touch no candidate stand on units of
    their own, else they have no link.
    """
    rows, number = numbered(_together(regions_of(marks), candidates))
    mark_number, candidate_number = np.split(number, [len(marks.document)])
    known = np.unique(candidate_number)
    coincides = kept & np.isin(mark_number, known)
    exact = np.stack([np.flatnonzero(coincides), mark_number[coincides]], axis=1)
    overlapping = _overlapping(marks, candidates, candidate_number)
    overlapping = overlapping[(kept & ~coincides)[overlapping[:, 0]]]
    left = overlapping[~np.isin(_keys(overlapping, person, len(rows)), _keys(exact, person, len(rows)))]
    outside = np.setdiff1d(np.flatnonzero(kept & ~coincides), overlapping[:, 0])
    own = np.stack([outside, mark_number[outside]], axis=1)[: len(outside) if keep_marked else 0]
    linked = np.unique(np.concatenate([exact, left, own]), axis=0)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    document = rows[marked, 0]
    links = Links(
        unit_document=document,
        mark=linked[:, 0],
        unit=unit.reshape(-1),
        unmarked=np.bincount(rows[np.setdiff1d(known, marked), 0], minlength=len(marks.texts)),
        unit_place=marked,
        places=stretches(rows),
    )
    return links, np.setdiff1d(overlapping[:, 0], linked[:, 0])


def _together(one: Regions, other: Regions) -> Regions:
    return Regions(
        document=np.concatenate([one.document, other.document]),
        span_region=np.concatenate([one.span_region, len(one.document) + other.span_region]),
        span_start=np.concatenate([one.span_start, other.span_start]),
        span_end=np.concatenate([one.span_end, other.span_end]),
    )


def _keys(pairs: Codes, person: Codes, places: int) -> Codes:
    """Return a number for the person and the candidate of each mark on a candidate (pairs, 2)."""
    keys: Codes = person[pairs[:, 0]] * places + pairs[:, 1]
    return keys


def _overlapping(marks: TextMarks, candidates: Regions, number: Codes) -> Codes:
    """Return which mark shares a character with which candidate, by its number: (pairs, 2).

    The texts are cut wherever a candidate begins or ends, so that a piece lies within a candidate or outside
    it, and candidates within candidates are found too.
    """
    base = bases(marks.texts)
    here = base[candidates.document[candidates.span_region]]
    cuts = np.unique(np.concatenate([here + candidates.span_start, here + candidates.span_end]))
    of_marks = covered(regions_of(marks), base, cuts[:-1], cuts[1:])
    of_candidates = covered(candidates, base, cuts[:-1], cuts[1:])
    order = np.argsort(of_candidates[:, 1], kind="stable")
    candidate, piece = of_candidates[order, 0], of_candidates[order, 1]
    low = np.searchsorted(piece, of_marks[:, 1], side="left")
    sizes = np.searchsorted(piece, of_marks[:, 1], side="right") - low
    mark = np.repeat(of_marks[:, 0], sizes)
    which = candidate[np.repeat(low, sizes) + counting(sizes)]
    return np.unique(np.stack([mark, number[which]], axis=1), axis=0)


# From marks in texts to units that annotators labelled: tokens, sentences, candidates, marked stretches.

UNMARKED = "(unmarked)"
NO_TOKEN = "it covers no token"  # noqa: S105 - a word of the text, no secret
NO_SENTENCE = "it covers no sentence"
NO_CANDIDATE = "outside every candidate"
# Why a mark stands on no unit, by what the units are made of.
OFF = {"tokens": NO_TOKEN, "sentences": NO_SENTENCE, "candidates": NO_CANDIDATE}
OUTDONE = "another mark of the annotator coincides with the candidate that it overlaps"
OUTRANKED = "another mark on the same {units} has a label that comes first in priority"
STRETCHES = ("marks", "relations")


class MarkedTexts:
    """The texts of one layer, with the marks of each annotator's first copy."""

    def __init__(
        self,
        annotations: Annotations,
        content: TextMarks,
        request: Request,
        known: ExportParticipants | None = None,
    ) -> None:
        """Sort out who is an annotator, or take it as `known`, and whose copy counts."""
        self._content = content
        self._request = request
        self._of_relations = annotations.compared == "relations"
        self._people = known or people(
            content.annotators, {**annotations.roles, **request.roles}, request.same_as
        )
        attendance = np.zeros((0, 0)) if annotations.attendance is None else annotations.attendance
        self._copies = order_of_copies(attendance >= SEEN, self._people) == 0
        other, others = of_other_roles(content, self._people, annotations.derived)
        second = ~other & ~self._copies[content.document, content.annotator]
        self._kept = ~(other | second)
        self.left_out: list[ExcludedMarks] = [*left_out(content, second, REPEATED_DOCUMENT), *others]

    def by_token(self, pattern: str | None) -> CodedUnits:
        """Return the tokens of all texts as units; a token takes the label of the marks on it."""
        tokens = tokenise(self._content.texts, pattern)
        units = self._units(to_pieces(self._content, tokens), "tokens")
        return replace(units, cutting=cutting(self._content, tokens))

    def by_sentence(self) -> CodedUnits:
        """Return the sentences of all texts as units; a sentence takes the label of the marks in it."""
        return self._units(to_pieces(self._content, sentences(self._content.texts)), "sentences")

    def by_candidate(self, candidates: Regions, *, keep_marked: bool) -> CodedUnits:
        """Return candidates as units, with `keep_marked` also the marked stretches that touch none."""
        person = self._people.person[self._content.annotator]
        links, outdone = to_candidates(self._content, candidates, self._kept, person, keep_marked=keep_marked)
        return self._units(links, "candidates", outdone)

    def by_stretch(self) -> CodedUnits:
        """Return the stretches that an annotator marked as units, those that coincide being one.

        Relations stand on the stretches of their arguments.
        """
        return self._units(to_stretches(self._content), "relations" if self._of_relations else "marks")

    def _units(self, links: Links, base: str, outdone: Codes | None = None) -> CodedUnits:
        content, request = self._content, self._request
        links = _of_marks(links, self._kept)
        if base in STRETCHES:
            links = replace(links, unmarked=np.zeros_like(links.unmarked))
        who = self._people.person[content.annotator[links.mark]]
        label = content.label[links.mark]
        named = self._naming(np.unique(label).tolist())
        labelled = one_label_each(links.unit, who, label, content.labels, named)
        mark, unit = links.mark[labelled.kept], links.unit[labelled.kept]
        whole = replace(
            request.nothing,
            documents=content.documents,
            base=base,
            several=labelled.several,
            joined=bool(labelled.several) and bool(labelled.kept.all()),
            mark=mark,
            mark_unit=unit,
            mark_weight=mark_weight(content),
            marks_lost=self._lost(base, links.mark, mark, nothing() if outdone is None else outdone),
        )
        return self._rated(whole, links, labelled, named)

    def _lost(self, base: str, linked: Codes, kept: Codes, outdone: Codes) -> tuple[tuple[str, Codes], ...]:
        """Return the marks that stand on no unit, and those whose label counts on none."""
        off = np.setdiff1d(np.flatnonzero(self._kept), np.concatenate([linked, outdone]))
        outranked = OUTRANKED.format(units=base if base in OFF else "stretches")
        found = (OFF.get(base, ""), off), (OUTDONE, outdone), (outranked, np.setdiff1d(linked, kept))
        return tuple((reason, lost) for reason, lost in found if len(lost))

    def _rated(self, whole: CodedUnits, links: Links, labelled: SingleLabels, named: Request) -> CodedUnits:
        """Return the units with a label of everyone who saw the document: unmarked where there is no mark."""
        absent = str(named.task.non_annotated)
        categories = order_categories((*labelled.labels, absent), named.task, named.file, ordered=False)
        codes = np.array(category_codes(labelled.labels, categories), dtype=np.int64)
        document, weight = _with_unmarked(links)
        names, person_of = self._annotators()
        unit, person = _everyone(document, person_of)
        label = np.full(len(unit), categories.index(absent), dtype=np.int64)
        place = np.zeros(len(self._people.names), dtype=np.int64)
        place[names] = np.arange(len(names))
        rated = labelled.unit * len(names) + place[labelled.person]
        label[np.searchsorted(unit * len(names) + person, rated)] = codes[labelled.label]
        return replace(
            whole,
            annotators=tuple(self._people.names[code] for code in names),
            categories=categories,
            sets=of_categories(categories, labelled.sets, named),
            non_annotated=categories.index(absent),
            non_annotated_name=absent,
            unit_document=document,
            unit_weight=weight,
            unit_place=_with_no_place(links.unit_place, len(weight)),
            places=links.places,
            unit=unit,
            annotator=person,
            label=label,
            units_read=int(weight.sum()),
        )

    def _naming(self, used: list[int]) -> Request:
        """Return the request with a name for the category of unmarked units, also where it has none.

        `used` are the labels (codes) that stand on a unit.
        """
        if self._request.task.non_annotated:
            return self._request
        if UNMARKED in [self._content.labels[code] for code in used]:
            message = f'a mark is labelled "{UNMARKED}", which stands for unmarked units.'
            mend = 'Name the category of unmarked units, such as non_annotated = "none".'
            raise BadInput(
                [Problem(self._request.file, key="task.non_annotated", message=message, mend=mend)]
            )
        task = self._request.task.model_copy(update={"non_annotated": UNMARKED})
        return replace(self._request, task=task)

    def _annotators(self) -> tuple[list[int], Mask]:
        """Return the persons who saw a document, by name, and which documents each saw."""
        counted = self._copies & self._people.counts
        saw = np.zeros_like(counted)
        for name, person in enumerate(self._people.person.tolist()):
            saw[:, person] |= counted[:, name]
        present = sorted(np.flatnonzero(saw.any(axis=0)).tolist(), key=lambda code: self._people.names[code])
        return present, saw[:, present]


def _of_marks(links: Links, kept: Mask) -> Links:
    """Return the links of some marks alone; units that lose their last mark are unmarked ones."""
    here = kept[links.mark]
    marked, unit = np.unique(links.unit[here], return_inverse=True)
    document = links.unit_document[marked]
    lost = np.delete(links.unit_document, marked) if len(links.unit_document) else links.unit_document
    unmarked = links.unmarked + np.bincount(lost, minlength=len(links.unmarked))
    return Links(document, links.mark[here], unit, unmarked, links.unit_place[marked], links.places)


def _with_unmarked(links: Links) -> tuple[Codes, Codes]:
    """Return document and weight of each unit, the unmarked ones of a document being one row."""
    rest = np.flatnonzero(links.unmarked)
    document = np.concatenate([links.unit_document, rest])
    weight = np.concatenate([np.ones(len(links.unit_document), dtype=np.int64), links.unmarked[rest]])
    return document, weight


def _with_no_place(place: Codes, units: int) -> Codes:
    """Return the place of each unit; the rows of unmarked ones, which come last, have none."""
    return np.concatenate([place, np.full(units - len(place), NO_PLACE, dtype=np.int64)])


def _everyone(document: Codes, saw: Mask) -> tuple[Codes, Codes]:
    """Return each unit with each annotator who saw its document, sorted by both.

    `document` (units,) is that of each unit, `saw` (documents, annotators) who saw which.
    """
    _, who = np.nonzero(saw)
    counts = saw.sum(axis=1)
    starts = np.cumsum(counts) - counts
    times = counts[document]
    unit = np.repeat(np.arange(len(document), dtype=np.int64), times)
    return unit, who[np.repeat(starts[document], times) + counting(times)]
