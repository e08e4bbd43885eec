"""From labels of units, or marks in texts, to units with the first label of every annotator."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import (
    EMPTY_SET,
    NO_DOCUMENT,
    Annotations,
    Codes,
    ExcludedMarks,
    Ratings,
    TextMarks,
)
from reportgen.readers.annotations import factorize
from reportgen.readers.counted import CandidatesDescribed
from reportgen.units.categories import (
    SingleLabels,
    are_sets,
    category_codes,
    empty_name,
    is_of_sets,
    members,
    named,
    of_categories,
    one_label_each,
    order_categories,
)
from reportgen.units.compared import CONTROL, control_units, find_controls, order_of_labels
from reportgen.units.labels import NO_CATEGORY, Mask, Places, nothing, ranges
from reportgen.units.segmentation import (
    Links,
    cutting,
    find_terms,
    regions_of_pieces,
    sentences,
    to_candidates,
    to_near_stretches,
    to_pieces,
    to_relations,
    to_stretches,
    tokenise,
)
from reportgen.units.unit_sets import (
    IN_TEXTS,
    NO_PLACE,
    REJECTED,
    REPEATED,
    REPEATED_DOCUMENT,
    SEEN,
    CodedUnits,
    ControlUnits,
    DeclaredUnitSet,
    ExportParticipants,
    LayerSettings,
    UnitMarks,
    costly_pattern,
    cuts_texts,
    left_out,
    mark_weight,
    needs_marks,
    needs_words,
    no_candidate,
    of_other_roles,
    order_of_copies,
    participants_of,
    people,
    select_units,
)

# Labels of units.


def from_ratings(
    ratings: Ratings, request: LayerSettings, derived: Sequence[str] = ()
) -> tuple[CodedUnits, list[ExcludedMarks]]:
    """Return all units of an export with each annotator's first label, and the marks that do not count.

    Control items are left out, and so is whom they made the campaign reject.
    The marks of `derived` annotators are not among these: no file has them. Raises BadInput where the
    categories do not fit the scale.
    """
    participants = people(ratings.annotators, request.roles, request.same_as)
    other, others = of_other_roles(ratings, participants, derived)
    person = participants.person[ratings.annotator]
    rejected = _is_rejected(participants, request)[person] & ~other
    second = _is_repeated(ratings, person, as_sets=is_of_sets(request)) & ~(other | rejected)
    control = find_controls(ratings, request).mask
    known_right = control[ratings.unit] & ~(other | rejected | second)
    units = _coded_units(ratings, participants, ~(second | other | rejected | known_right), request)
    return select_units(units, ~control, CONTROL), [
        *left_out(ratings, second, REPEATED),
        *left_out(ratings, known_right, CONTROL),
        *left_out(ratings, rejected, REJECTED),
        *others,
    ]


def controls_of(ratings: Ratings, request: LayerSettings) -> ControlUnits | None:
    """Return the control items with what every annotator, rejected or not, made of them first."""
    if request.controls is None:
        return None
    participants = people(ratings.annotators, request.roles, request.same_as)
    other, _ = of_other_roles(ratings, participants, ratings.annotators)
    controls = find_controls(ratings, request)
    again = _is_repeated(ratings, participants.person[ratings.annotator], as_sets=is_of_sets(request))
    first = ~(other | again)
    units = _coded_units(ratings, participants, first & controls.mask[ratings.unit], request)
    return control_units(units, controls, request)


def _is_rejected(participants: ExportParticipants, request: LayerSettings) -> Mask:
    """Tell of each person (names,) whether control items made the campaign reject them."""
    return np.array([name in request.rejected for name in participants.names], dtype=np.bool_)


def rated_by_everybody(
    ratings: Ratings, participants: ExportParticipants, request: LayerSettings
) -> CodedUnits:
    """Return all units of an export with the first label of each of the people, whatever their role.

    Control items are left out, and so is whom they made the campaign reject.
    """
    person = participants.person[ratings.annotator]
    again = _is_repeated(ratings, person, as_sets=is_of_sets(request))
    counting = ~(again | _is_rejected(participants, request)[person])
    units = _coded_units(ratings, participants, counting, request)
    return select_units(units, ~find_controls(ratings, request).mask, CONTROL)


def _places(ratings: Ratings) -> Codes:
    """Return the number of each unit, NO_PLACE where neither a name nor a document says which it is.

    Of units that are alike, and one, nothing does.
    """
    if ratings.counted:
        return np.full(len(ratings.weight), NO_PLACE, dtype=np.int64)
    named = np.fromiter(map(bool, ratings.unit_names), np.bool_, len(ratings.unit_names))
    identified = named | (ratings.document != NO_DOCUMENT)
    return np.where(identified, np.arange(len(identified), dtype=np.int64), NO_PLACE)


def _is_repeated(ratings: Ratings, person: Codes, *, as_sets: bool) -> Mask:
    """Tell for each mark whether the person has labelled the unit before; a set of labels is one."""
    return order_of_labels(ratings, person, as_sets=as_sets) > 0


def _coded_units(
    ratings: Ratings, participants: ExportParticipants, counting: Mask, request: LayerSettings
) -> CodedUnits:
    """Return all units with the categories and annotators in their order.

    Annotators are in the order of the export where it has one, else of their names.
    """
    labelled = _single_labels(ratings, participants, counting, request)
    categories = order_categories(labelled.labels, request.task, request.file, ordered=ratings.ordered)
    codes = category_codes(labelled.labels, categories)
    person = labelled.person
    present = np.unique(person).tolist()
    names = [ratings.annotators[code] for code in present]
    ordered = names if ratings.ordered else sorted(names)
    everybody, margins = ordered, ratings.margins
    if margins is not None:
        everybody = sorted(ratings.annotators[code] for code in np.unique(margins.annotator).tolist())
        margins = margins.recoded(factorize(ratings.annotators, everybody)[1], codes)
    annotator_code = np.full(len(ratings.annotators), NO_CATEGORY, dtype=np.int64)
    places = {name: code for code, name in enumerate(ordered)}
    annotator_code[present] = [places[name] for name in names]
    non_annotated = request.task.non_annotated or ""
    return replace(
        request.nothing,
        documents=ratings.documents,
        annotators=tuple(everybody),
        categories=categories,
        sets=of_categories(categories, labelled.sets, request),
        non_annotated=categories.index(non_annotated) if non_annotated in categories else NO_CATEGORY,
        non_annotated_name=non_annotated,
        document=ratings.document,
        weight=ratings.weight,
        unit=labelled.unit,
        annotator=annotator_code[person],
        label=codes[labelled.label],
        several=labelled.multiple,
        joined=labelled.multiple > 0,
        units_read=int(ratings.weight.sum()),
        unit_place=_places(ratings),
        places=Places(names=ratings.unit_names, texts=ratings.unit_texts),
        marks=UnitMarks(np.flatnonzero(counting), ratings.unit[counting], mark_weight(ratings)),
        counted=ratings.counted,
        grouped=ratings.grouped,
        margins=margins,
    )


def _single_labels(
    ratings: Ratings, participants: ExportParticipants, counting: Mask, request: LayerSettings
) -> SingleLabels:
    """Return the label of each person on each unit, with the names of all labels of the export.

    On a scale of sets all that a person gave a unit is one; where somebody gave several labels, only sets in
    use are categories.
    """
    person = participants.person[ratings.annotator[counting]]
    if not is_of_sets(request):
        unit, label = ratings.unit[counting], ratings.label[counting]
        # The empty choice is the non-annotated category, where the campaign has one.
        names = tuple(empty_name(request) if label == EMPTY_SET else label for label in ratings.labels)
        return SingleLabels(unit, person, label, names, np.ones(len(unit), dtype=np.bool_), 0)
    labelled = one_label_each(
        ratings.unit[counting], person, ratings.label[counting], ratings.labels, request
    )
    if labelled.multiple and not ratings.ordered:
        return labelled
    # The same with the sets of all labels of an export, used or not, in their order.
    sets = members(ratings.labels, request)
    every = {**dict(zip(named(sets, ratings.labels, request), sets, strict=True)), **labelled.sets}
    codes = category_codes(labelled.labels, tuple(every))
    return replace(labelled, label=codes[labelled.label], labels=tuple(every), sets=every)


# From marks in texts to units that annotators labelled: tokens, sentences, candidates, marked stretches.

UNMARKED = "(unmarked)"
NO_TOKEN = "it covers no token"  # noqa: S105 - a word of the text, no secret
NO_SENTENCE = "it covers no sentence"
NO_CANDIDATE = "outside every candidate"
# Why a mark is on no unit, by what the units are made of.
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
        request: LayerSettings,
        participants: ExportParticipants | None = None,
    ) -> None:
        """Sort out who is an annotator, or take it as `participants`, and whose copy counts."""
        self._content = content
        self._request = request
        self._annotations = annotations
        self._people = participants or participants_of(annotations, request)
        attendance = np.zeros((0, 0)) if annotations.attendance is None else annotations.attendance
        self._copies = order_of_copies(attendance >= SEEN, self._people) == 0
        other, others = of_other_roles(content, self._people, annotations.derived)
        second = ~other & ~self._copies[content.document, content.annotator]
        self._kept = ~(other | second)
        self.left_out: list[ExcludedMarks] = [*left_out(content, second, REPEATED_DOCUMENT), *others]

    def units_of(self, declaration: DeclaredUnitSet) -> CodedUnits:
        """Return the units of a declared unit set; raise BadInput where these texts don't have its kind."""
        unit_set = declaration.unit_set
        if self._annotations.compared == "relations" and (unit_set.units in IN_TEXTS or unit_set.base):
            raise BadInput([needs_marks(declaration)])
        if self._content.lengths and cuts_texts(unit_set):
            raise BadInput([needs_words(declaration)])
        if unit_set.units == "tokens" or unit_set.base == "tokens":
            try:
                return self.by_token(unit_set.token_pattern)
            except (TimeoutError, MemoryError) as error:
                raise BadInput([costly_pattern(declaration, self._content.texts, error)]) from None
        if unit_set.units == "sentences":
            return self._units(to_pieces(self._content, sentences(self._content.texts)), "sentences")
        if unit_set.units == "candidates":
            return self._candidates(declaration)
        return self.by_stretch()

    def _candidates(self, declaration: DeclaredUnitSet) -> CodedUnits:
        """Return candidates as units; raise BadInput where the texts have none."""
        unit_set = declaration.unit_set
        if unit_set.layer is None:
            candidates = regions_of_pieces(find_terms(self._content.texts, declaration.terms))
        else:
            candidates = self._annotations.candidates[f"{declaration.key}.layer"]
        if not len(candidates.document):
            raise BadInput([no_candidate(declaration)])
        origin = CandidatesDescribed(
            file=unit_set.file or "",
            terms=len(declaration.terms),
            layer=unit_set.layer or "",
            keep_marked=unit_set.keep_marked,
        )
        # Candidates as units, with `keep_marked` also the marked stretches that touch none.
        person = self._people.person[self._content.annotator]
        links, outdone = to_candidates(
            self._content, candidates, self._kept, person, keep_marked=unit_set.keep_marked
        )
        return replace(self._units(links, "candidates", outdone), candidates=origin)

    def by_token(self, pattern: str | None) -> CodedUnits:
        """Return the tokens of all texts as units; a token takes the label of the marks on it."""
        tokens = tokenise(self._content.texts, pattern)
        units = self._units(to_pieces(self._content, tokens), "tokens")
        return replace(units, marks=replace(units.marks, cutting=cutting(self._content, tokens)))

    def by_stretch(self) -> CodedUnits:
        """Return the stretches that an annotator marked as units, those that coincide being one.

        In recordings those are one whose ends are near. Relations are on the stretches of their arguments,
        and one where these differ in their boundaries alone.
        """
        content, kept, relations = self._content, self._kept, self._annotations.compared == "relations"
        person = self._people.person[content.annotator]
        if relations:
            links = to_relations(content, kept, person)
        elif content.lengths:
            links = to_near_stretches(content, kept, person, self._request.task.tolerance)
        else:
            links = to_stretches(content)
        return self._units(links, "relations" if relations else "marks")

    def _units(self, links: Links, base: str, outdone: Codes | None = None) -> CodedUnits:
        content, request = self._content, self._request
        # The links of the marks that count; units that lose their last mark are unmarked ones.
        counted = self._kept[links.mark]
        marked, unit = np.unique(links.unit[counted], return_inverse=True)
        document = links.document[marked]
        lost = np.delete(links.document, marked) if len(links.document) else links.document
        unmarked = links.unmarked + np.bincount(lost, minlength=len(links.unmarked))
        links = Links(document, links.mark[counted], unit, unmarked, links.unit_place[marked], links.places)
        if base in STRETCHES:
            links = replace(links, unmarked=np.zeros_like(links.unmarked))
        who = self._people.person[content.annotator[links.mark]]
        label = content.label[links.mark]
        named = self._naming(np.unique(label).tolist())
        labelled = one_label_each(links.unit, who, label, content.labels, named)
        if labelled.multiple and are_sets(content.labels, named):
            named = replace(named, task=named.task.model_copy(update={"scale": "set"}))
            labelled = one_label_each(links.unit, who, label, content.labels, named)
        mark, unit = links.mark[labelled.counts], links.unit[labelled.counts]
        unlabelled = replace(
            request.nothing,
            documents=content.documents,
            base=base,
            scale=named.task.scale,
            several=labelled.multiple,
            joined=bool(labelled.multiple) and bool(labelled.counts.all()),
            marks=UnitMarks(
                mark,
                unit,
                mark_weight(content),
                self._lost(base, links.mark, mark, nothing() if outdone is None else outdone),
            ),
        )
        return self._rated(unlabelled, links, labelled, named)

    def _lost(
        self, base: str, linked: Codes, counting: Codes, outdone: Codes
    ) -> tuple[tuple[str, Codes], ...]:
        """Return the marks that are on no unit, and those whose label counts on none."""
        off = np.setdiff1d(np.flatnonzero(self._kept), np.concatenate([linked, outdone]))
        outranked = OUTRANKED.format(units=base if base in OFF else "stretches")
        by_reason = (OFF.get(base, ""), off), (OUTDONE, outdone), (outranked, np.setdiff1d(linked, counting))
        return tuple((reason, lost) for reason, lost in by_reason if len(lost))

    def _rated(
        self, unlabelled: CodedUnits, links: Links, labelled: SingleLabels, named: LayerSettings
    ) -> CodedUnits:
        """Return the units with a label of everyone who saw the document: unmarked where there is no mark."""
        absent = str(named.task.non_annotated)
        categories = order_categories((*labelled.labels, absent), named.task, named.file, ordered=False)
        codes = category_codes(labelled.labels, categories)
        # The unmarked units of a document are one row, without a place; they come last.
        unmarked = np.flatnonzero(links.unmarked)
        document = np.concatenate([links.document, unmarked])
        weight = np.concatenate([np.ones_like(links.document), links.unmarked[unmarked]])
        # The persons who saw a document, by name, and which documents each saw.
        counted = self._copies & self._people.counts
        saw = np.zeros_like(counted)
        for name, person in enumerate(self._people.person.tolist()):
            saw[:, person] |= counted[:, name]
        present = sorted(np.flatnonzero(saw.any(axis=0)).tolist(), key=lambda code: self._people.names[code])
        names, person_of = present, saw[:, present]
        unit, person = _seen_units(document, person_of)
        label = np.full(len(unit), categories.index(absent), dtype=np.int64)
        annotator_code = np.zeros(len(self._people.names), dtype=np.int64)
        annotator_code[names] = np.arange(len(names))
        rated = labelled.unit * len(names) + annotator_code[labelled.person]
        label[np.searchsorted(unit * len(names) + person, rated)] = codes[labelled.label]
        return replace(
            unlabelled,
            annotators=tuple(self._people.names[code] for code in names),
            categories=categories,
            sets=of_categories(categories, labelled.sets, named),
            non_annotated=categories.index(absent),
            non_annotated_name=absent,
            document=document,
            weight=weight,
            unit_place=np.concatenate([links.unit_place, np.full_like(unmarked, NO_PLACE)]),
            places=links.places,
            unit=unit,
            annotator=person,
            label=label,
            units_read=int(weight.sum()),
        )

    def _naming(self, used: list[int]) -> LayerSettings:
        """Return the request with a name for the category of unmarked units, also where it has none.

        `used` are the labels (codes) of marks on a unit.
        """
        if self._request.task.non_annotated:
            return self._request
        if UNMARKED in [self._content.labels[code] for code in used]:
            message = f'a mark is labelled "{UNMARKED}", which means unmarked units.'
            remedy = 'Name the category of unmarked units, such as non_annotated = "none".'
            raise BadInput(
                [Problem(self._request.file, key="task.non_annotated", message=message, remedy=remedy)]
            )
        task = self._request.task.model_copy(update={"non_annotated": UNMARKED})
        return replace(self._request, task=task)


def _seen_units(document: Codes, saw: Mask) -> tuple[Codes, Codes]:
    """Return each unit with each annotator who saw its document, sorted by both.

    `document` (units,) is that of each unit, `saw` (documents, annotators) who saw which.
    """
    _, who = np.nonzero(saw)
    counts = saw.sum(axis=1)
    ends = np.cumsum(counts)
    unit, row = ranges((ends - counts)[document], ends[document])
    return unit, who[row]
