"""From labels of units, or marks in texts, to units with the first label of every annotator.

What is compared beside annotators' first labels: other roles, second passes, control items.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ControlItem
from reportgen.readers import (
    ATTENDANCE,
    EMPTY_SET,
    NO_DOCUMENT,
    Annotations,
    Codes,
    ExcludedMarks,
    Ratings,
    TextMarks,
)
from reportgen.readers.annotations import Location, are_different, factorize
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
from reportgen.units.labels import NO_CATEGORY, Mask, Places, nothing, ranges, sums_by
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
from reportgen.units.spans import ROLES
from reportgen.units.unit_sets import (
    ANNOTATOR,
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
    Size,
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
    select,
    select_units,
    without_non_annotated,
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


# Everybody's labels on the units of one unit set: references, annotators, systems and models.

REFERENCE = ROLES[0]
Choice = Literal["every", "any", "all"]
CHOICES: Mapping[str, Choice] = {"annotated-by-any": "any", "annotated-by-all": "all"}


@dataclass(frozen=True, eq=False)
class ComparedUnits:
    """The units of one unit set with everybody's first label, so that two people can be compared on them.

    - `units`: as of annotators alone, but `annotators` are all people: references, annotators, systems and
      models, in this order. There may be categories more, which others than annotators used.
    - `roles` (people,); `derived`: names of references that were made from annotators' own marks.
    - `choice`: two people are compared on "every" unit that both labelled; or on those of them that an
      annotator or one of the two marked ("any"); or that all annotators and both marked ("all").
    - `absent`: the code of the non-annotated category, also where no pair can have it ("all").
    """

    units: CodedUnits
    roles: tuple[str, ...]
    derived: tuple[str, ...] = ()
    choice: Choice = "every"
    absent: int = NO_CATEGORY

    def of_role(self, *roles: str) -> list[int]:
        """Return the codes of the people who have one of the roles."""
        return [code for code, role in enumerate(self.roles) if role in roles]

    @property
    def has_reference(self) -> bool:
        """Say whether there is somebody to compare annotators and systems with."""
        return REFERENCE in self.roles

    def made_from(self, key: int, other: int) -> bool:
        """Tell whether somebody is a reference made from marks of which the other's are a part."""
        return self.units.annotators[key] in self.derived and self.roles[other] == ANNOTATOR

    def chosen(self, unit: Codes, *labels: Codes) -> Mask:
        """Say of units (rows,) whether two people who gave them `labels` (rows,) each are compared there."""
        weighs: Mask = self.units.weight[unit] > 0
        marked = [label != self.absent for label in labels]
        if self.choice == "any":
            weighs = weighs & np.logical_or.reduce([self._marked[unit] > 0, *marked])
        if self.choice == "all":
            everybody = len(self.of_role(ANNOTATOR))
            weighs = weighs & np.logical_and.reduce([self._marked[unit] == everybody, *marked])
        return weighs

    @cached_property
    def _marked(self) -> Codes:
        """Return how many annotators marked each unit (units,)."""
        units = self.units
        annotates = np.array([role == ANNOTATOR for role in self.roles], dtype=np.bool_)
        return units.where(annotates[units.annotator] & (units.label != self.absent)).per_unit


def compared(
    units: CodedUnits, declaration: DeclaredUnitSet, participants: ExportParticipants, derived: Sequence[str]
) -> ComparedUnits:
    """Return the units of a declared unit set with everybody's labels, people in the order of their roles.

    `units` has everybody as an annotator; `participants` who they are. Of a declared size there are as many
    units as are declared, more only where everybody's marks together need more.
    """
    chosen = declaration.unit_set
    named = replace(units, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    choice = CHOICES.get(chosen.units, "every")
    absent = named.non_annotated
    if chosen.units == "declared":
        named = select(named, replace(declaration, size=_roomy(named, declaration.size)))
        absent = named.non_annotated
    elif choice == "all":
        named = without_non_annotated(named)
    roles = dict(zip(participants.names, participants.roles, strict=True))
    # The units with people in the order of their roles, else as they were.
    order = sorted(range(len(named.annotators)), key=lambda code: ROLES.index(roles[named.annotators[code]]))
    ordered = named.of_people(order)
    person_roles = tuple(roles[name] for name in ordered.annotators)
    made_references = tuple(name for name in ordered.annotators if name in derived)
    return ComparedUnits(ordered, person_roles, made_references, choice, absent)


def _roomy(units: CodedUnits, size: Size | None) -> Size:
    """Return a declared size, enlarged where everybody's marks together do not fit in it."""
    marked = np.unique(units.unit[units.label != units.non_annotated])
    if not isinstance(size, Mapping):
        return max(int(size or 0), int(units.weight[marked].sum()))
    in_documents = marked[units.document[marked] != NO_DOCUMENT]
    counts = sums_by(units.document[in_documents], units.weight[in_documents], len(units.documents))
    needed = dict(zip(units.documents, counts.tolist(), strict=True))
    return {name: max(number, needed.get(name, 0)) for name, number in size.items()}


# What annotators said a second time: the same export with each pass as an annotator of its own.

UNSEEN = ATTENDANCE.index("unseen")
PASSES = 2
NOBODY = "nobody"


def order_of_labels(ratings: Ratings, person: Codes, *, as_sets: bool) -> Codes:
    """Return for each mark (marks,) how many labels the person, `person` (marks,), gave the unit before.

    A lower pass comes before a higher one, within a pass the person's own name before others', and then
    the order of the file. With `as_sets`, all labels that one name gave a unit in one pass are one.
    """
    if are_different(ratings.unit, person):
        return np.zeros(len(person), dtype=np.int64)
    mark_number = np.arange(len(ratings.unit))
    order = np.lexsort((mark_number, ratings.annotator != person, ratings.mark_pass, person, ratings.unit))
    unit, who = ratings.unit[order], person[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (unit[1:] != unit[:-1]) | (who[1:] != who[:-1])
    step = np.ones_like(new)
    if as_sets:
        name, turn = ratings.annotator[order], ratings.mark_pass[order]
        step[1:] = new[1:] | (name[1:] != name[:-1]) | (turn[1:] != turn[:-1])
    number = np.cumsum(step)
    starts = np.flatnonzero(new)
    before = np.zeros(len(order), dtype=np.int64)
    before[order] = number - np.repeat(number[starts], np.diff(np.append(starts, len(order))))
    return before


def duplicates(ratings: Ratings) -> tuple[int, int, Location]:
    """Return how many labels somebody gave a unit again in one pass: as the first was, and otherwise.

    The place is that of the first label that is another one than before, where it is known. Labels of one
    name and pass are no second passes: a table has them twice. Cells of a matrix count as often as they were
    counted.
    """
    if are_different(ratings.unit, ratings.annotator):
        return 0, 0, ("", 0)
    order = np.lexsort((np.arange(len(ratings.unit)), ratings.mark_pass, ratings.annotator, ratings.unit))
    keys = np.stack([part[order] for part in (ratings.unit, ratings.annotator, ratings.mark_pass)])
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    label, weight = ratings.label[order], ratings.weight[keys[0]]
    first = label[np.flatnonzero(new)][np.cumsum(new) - 1]
    other = ~new & (label != first)
    place = ratings.location(int(order[other].min())) if other.any() else ("", 0)
    return int(weight[~new & (label == first)].sum()), int(weight[other].sum()), place


def passes_as_annotators(
    annotations: Annotations, content: Ratings | TextMarks, request: LayerSettings
) -> tuple[tuple[str, ...], Annotations, LayerSettings] | None:
    """Return who labelled something twice, and their two passes as annotators; None where nobody did.

    The first pass of the person at place p is annotator 2p in the order of names, the second 2p + 1.
    """
    if annotations.is_counted:
        return None
    participants = participants_of(annotations, request)
    # A model may run twice, as a person may label twice; a reference is what was settled.
    roles = tuple(ANNOTATOR if role in {"model", "system"} else role for role in participants.roles)
    participants = replace(participants, roles=roles)
    passes_request = replace(request, roles={}, same_as={}, rejected=())
    if isinstance(content, TextMarks):
        copies = _passes_of_texts(annotations, content, participants)
        return copies and (copies[0], copies[1], replace(passes_request, roles={NOBODY: "other"}))
    ratings = _passes_of_ratings(content, participants, as_sets=is_of_sets(request))
    return ratings and (
        ratings[0],
        replace(annotations, content=ratings[1], roles={}, derived=()),
        passes_request,
    )


def _names(people_there: int) -> tuple[str, ...]:
    """Return names for two passes of each person, whose order is that of the codes."""
    return tuple(f"{person:09}.{turn}" for person in range(people_there) for turn in range(PASSES))


def _positions(repeaters: Codes, people_there: int) -> Codes:
    """Return the place of each person among those who labelled something twice, -1 of others."""
    position = np.full(people_there, -1, dtype=np.int64)
    position[repeaters] = np.arange(len(repeaters))
    return position


def _passes_of_ratings(
    ratings: Ratings, participants: ExportParticipants, *, as_sets: bool
) -> tuple[tuple[str, ...], Ratings] | None:
    person = participants.person[ratings.annotator]
    counts = participants.counts[ratings.annotator]
    turn = order_of_labels(ratings, person, as_sets=as_sets)
    repeaters = np.unique(person[counts & (turn == 1)])
    if not len(repeaters):
        return None
    position = _positions(repeaters, len(participants.names))
    counting = counts & (turn < PASSES) & (position[person] >= 0)
    return tuple(participants.names[code] for code in repeaters.tolist()), replace(
        ratings,
        annotators=_names(len(repeaters)),
        unit=ratings.unit[counting],
        annotator=PASSES * position[person[counting]] + turn[counting],
        label=ratings.label[counting],
        mark_pass=np.zeros(int(counting.sum()), dtype=np.int64),
        ordered=False,
    )


def _passes_of_texts(
    annotations: Annotations, content: TextMarks, participants: ExportParticipants
) -> tuple[tuple[str, ...], Annotations] | None:
    """Return copies as annotators; the marks of others are those of somebody who does not count."""
    if annotations.attendance is None:
        return None
    turn = order_of_copies(annotations.attendance >= SEEN, participants)
    twice = participants.counts & (turn == 1).any(axis=0)
    repeaters = np.unique(participants.person[twice])
    if not len(repeaters):
        return None
    position = _positions(repeaters, len(participants.names))[participants.person]
    nobody = PASSES * len(repeaters)
    code = np.where(
        (position >= 0) & participants.counts & (turn >= 0) & (turn < PASSES),
        PASSES * position + turn,
        nobody,
    )
    attendance = np.full((len(turn), nobody + 1), UNSEEN, dtype=np.int64)
    rows, names = np.nonzero(code < nobody)
    attendance[rows, code[rows, names]] = annotations.attendance[rows, names]
    marks = replace(
        content,
        annotators=(*_names(len(repeaters)), NOBODY),
        annotator=code[content.document, content.annotator],
    )
    return tuple(participants.names[code] for code in repeaters.tolist()), replace(
        annotations, content=marks, attendance=attendance, roles={}, derived=(NOBODY,)
    )


# Which units of an export are control items, whose right label is known.

CONTROL = "a control item: its right label is known, and it says nothing of agreement"
ORDINARY = "no control item"


@dataclass(frozen=True, eq=False)
class MatchedControls:
    """The control items among the units of an export.

    `mask` (units,) tells which they are; `items` maps units of this layer's items to the item; `absent` has
    the lines of those that no unit is.
    """

    mask: Mask
    items: Mapping[int, ControlItem]
    absent: tuple[int, ...]


def find_controls(ratings: Ratings, request: LayerSettings) -> MatchedControls:
    """Return which units are control items; an item of another layer is one here too.

    A unit is known by its name, or by its document's where it has none. Raises BadInput for an item that
    may be several units.
    """
    mask = np.zeros(len(ratings.document), dtype=np.bool_)
    if request.controls is None:
        return MatchedControls(mask, {}, ())
    if ratings.counted:
        message = "control items are units with a name, and of so many labels only counts are known."
        raise BadInput([request.problem("controls.file", message, "Take [controls] away.")])
    # Each unit with the name of its document, by its own name.
    units_by_name: dict[str, list[tuple[int, str]]] = {}
    pairs = zip(ratings.unit_names, ratings.document.tolist(), strict=True)
    for unit, (name, code) in enumerate(pairs):
        document = "" if code == NO_DOCUMENT else ratings.documents[code]
        units_by_name.setdefault(name or document, []).append((unit, document))
    problems = list[Problem]()
    absent: list[int] = []
    item_of_unit: dict[int, ControlItem] = {}
    for item in request.controls.items:
        units = [
            unit for unit, document in units_by_name.get(item.unit, ()) if item.document in ("", document)
        ]
        if len(units) > 1:
            message = f'{len(units)} units are called "{item.unit}".'
            remedy = "Add the column document, and name the document that it is in."
            problems.append(Problem(request.controls.file, item.line, "column unit", message, remedy))
        if not units and item.layer == request.layer:
            absent.append(item.line)
        mask[units] = True
        item_of_unit |= dict.fromkeys(units, item) if item.layer == request.layer else {}
    if problems:
        raise BadInput(problems)
    return MatchedControls(mask, item_of_unit, tuple(absent))


def control_units(coded: CodedUnits, matched: MatchedControls, request: LayerSettings) -> ControlUnits | None:
    """Return the control items alone, with their right labels; None where this layer has none.

    `coded` has all units of the export. Raises BadInput for labels that the layer does not have.
    """
    if request.controls is None or not any(item.layer == request.layer for item in request.controls.items):
        return None
    problems = list(_unknown_labels(request.controls.file, matched.items, coded.categories))
    if problems:
        raise BadInput(problems)
    is_control = np.zeros(len(coded.weight), dtype=np.bool_)
    is_control[list(matched.items)] = True
    labels = [matched.items[unit].label for unit in np.flatnonzero(is_control).tolist()]
    truth = np.array([coded.categories.index(label) for label in labels], dtype=np.int64)
    return ControlUnits(select_units(coded, is_control, ORDINARY), truth, matched.absent)


def _unknown_labels(
    file: str, items: Mapping[int, ControlItem], categories: Sequence[str]
) -> Iterator[Problem]:
    for item in items.values():
        if item.label not in categories:
            message = f'nobody gave the label "{item.label}", and the campaign does not declare it.'
            yield Problem(file, item.line, "column label", message, did_you_mean(item.label, categories))


def no_texts(request: LayerSettings) -> Problem:
    """Return the problem of control items where an export has texts and marks in them."""
    message = "control items are units with a known label; this export has texts and marks in them."
    remedy = 'Take [controls] away, and compare with a reference: role = "reference" under [annotators].'
    return request.problem("controls.file", message, remedy)
