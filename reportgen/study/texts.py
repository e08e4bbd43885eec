"""From marks in texts to units that annotators labelled: tokens, sentences, candidates, marked stretches."""

from dataclasses import replace

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.formats import ATTENDANCE, Annotations, Codes, LeftOut, Regions, TextMarks
from reportgen.study.candidates import to_candidates
from reportgen.study.categories import category_codes, order_categories
from reportgen.study.coded import NO_PLACE, CodedUnits, nothing
from reportgen.study.links import Links, cutting, to_pieces, to_stretches
from reportgen.study.people import (
    REPEATED_DOCUMENT,
    Mask,
    People,
    left_out,
    mark_weight,
    of_other_roles,
    people,
)
from reportgen.study.request import Request
from reportgen.study.sentences import sentences
from reportgen.study.sets import of_categories
from reportgen.study.several import Labelled, one_label_each
from reportgen.study.tokens import tokenise

UNMARKED = "(unmarked)"
NO_TOKEN = "it covers no token"  # noqa: S105 - a word of the text, no secret
NO_SENTENCE = "it covers no sentence"
NO_CANDIDATE = "outside every candidate"
# Why a mark stands on no unit, by what the units are made of.
OFF = {"tokens": NO_TOKEN, "sentences": NO_SENTENCE, "candidates": NO_CANDIDATE}
OUTDONE = "another mark of the annotator coincides with the candidate that it overlaps"
OUTRANKED = "another mark on the same {units} has a label that comes first in priority"
STRETCHES = ("marks", "relations")
SEEN = ATTENDANCE.index("empty")


class MarkedTexts:
    """The texts of one layer, with the marks of each annotator's first copy."""

    def __init__(
        self, annotations: Annotations, content: TextMarks, request: Request, known: People | None = None
    ) -> None:
        """Sort out who is an annotator, or take it as `known`, and whose copy counts."""
        self._content = content
        self._request = request
        self._of_relations = annotations.compared == "relations"
        self._people = known or people(
            content.annotators, {**annotations.roles, **request.roles}, request.same_as
        )
        attendance = np.zeros((0, 0)) if annotations.attendance is None else annotations.attendance
        self._copies = _first_copies(attendance >= SEEN, self._people)
        other, others = of_other_roles(content, self._people, annotations.derived)
        second = ~other & ~self._copies[content.document, content.annotator]
        self._kept = ~(other | second)
        self.left_out: list[LeftOut] = [*left_out(content, second, REPEATED_DOCUMENT), *others]

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
        found = to_candidates(self._content, candidates, self._kept, person, keep_marked=keep_marked)
        return self._units(found.links, "candidates", found.outdone)

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

    def _rated(self, whole: CodedUnits, links: Links, labelled: Labelled, named: Request) -> CodedUnits:
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


def _first_copies(seen: Mask, known: People) -> Mask:
    """Return which copies (documents, names) are the person's first: under their own name, else in order."""
    first = seen.copy()
    for person in np.unique(known.person).tolist():
        names = np.flatnonzero(known.person == person)
        ordered = sorted(names.tolist(), key=lambda name: name != person)
        before = np.zeros(len(seen), dtype=np.bool_)
        for name in ordered:
            first[:, name] &= ~before
            before |= seen[:, name]
    return first


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
    offset = np.arange(len(unit), dtype=np.int64) - np.repeat(np.cumsum(times) - times, times)
    return unit, who[np.repeat(starts[document], times) + offset]
