"""What is compared beside annotators' first labels: other roles, second passes, control items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ControlItem
from reportgen.readers import ATTENDANCE, NO_DOCUMENT, Annotations, Codes, Ratings, TextMarks
from reportgen.readers.annotations import Location, are_different
from reportgen.units.categories import is_of_sets
from reportgen.units.labels import NO_CATEGORY, Mask, sums_by
from reportgen.units.spans import ROLES
from reportgen.units.unit_sets import (
    ANNOTATOR,
    SEEN,
    CodedUnits,
    ControlUnits,
    DeclaredUnitSet,
    ExportParticipants,
    LayerSettings,
    Size,
    order_of_copies,
    participants_of,
    select,
    select_units,
    without_non_annotated,
)

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
