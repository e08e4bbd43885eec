"""A unit set: its labels, what it is, its marks and margins; what each kind keeps, leaves out, adds."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Self

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import ControlItems, Scale, Task, UnitSet
from reportgen.readers import ATTENDANCE, NO_DOCUMENT, Annotations, Codes, ExcludedMarks, Ratings, TextMarks
from reportgen.readers.annotations import Margins
from reportgen.readers.counted import CandidatesDescribed, fewest_twos, is_large_crowd
from reportgen.units.labels import (
    NO_CATEGORY,
    Labels,
    Mask,
    Places,
    aranges,
    distinct_codes,
    nothing,
    sums_by,
)
from reportgen.units.pattern_matches import seconds_for

NO_PLACE = -1
SEEN = ATTENDANCE.index("empty")


@dataclass(frozen=True)
class MarkSums:
    """What became of marks that are known as numbers only."""

    used: int
    left_out: Mapping[str, int]
    boundary: int | None = None


@dataclass(frozen=True, eq=False)
class UnitMarks:
    """The marks of an export: on which units of a unit set each is, and which are left out.

    - `mark`, `unit` (links,): the marks that count, by their number in the export, and the units they are on.
    - `weight` (marks,): as how many each mark of the export counts.
    - `lost`: the marks that are left out, by reason.
    - `cutting`: those that begin or end inside a token, None where units are no tokens.
    - `sums`: what is known where marks are known as numbers only, and the others are empty; else None.
    """

    mark: Codes = field(default_factory=nothing)
    unit: Codes = field(default_factory=nothing)
    weight: Codes = field(default_factory=nothing)
    lost: tuple[tuple[str, Codes], ...] = ()
    cutting: Codes | None = None
    sums: MarkSums | None = None

    @property
    def used(self) -> int:
        """Return how many marks count here."""
        return self.sums.used if self.sums else int(self.weight[distinct_codes(self.mark)].sum())

    @property
    def left_out(self) -> dict[str, int]:
        """Return how many marks do not count here, by reason."""
        if self.sums:
            return dict(self.sums.left_out)
        return {reason: int(self.weight[marks].sum()) for reason, marks in self.lost}

    @property
    def boundary(self) -> int | None:
        """Return how many marks that count here cut a token; None where units are no tokens."""
        if self.sums:
            return self.sums.boundary
        return None if self.cutting is None else len(np.intersect1d(self.mark, self.cutting))


@dataclass(frozen=True, eq=False)
class CodedUnits(Labels):
    """The units of one unit set: their labels, what the set is, and beside them places, marks and margins.

    - `non_annotated`: code of the pseudo-category of unmarked units, always the last, NO_CATEGORY where it
      can't occur; `non_annotated_name` is its name even there, empty where the campaign has none.
    - `units_read`, `units_left_out`: units of the export, and those that this unit set leaves out, by
      reason; `units_added` are unmarked ones that only the declared size knows.
    - `sets`: on a scale of sets, and where marks overlap, whose `scale` then is "set", the members of each
      category, else None; `category_count` is how many there are to choose from, None where the campaign
      does not say.
    - `base`: what the units are made of: "units" of the export, "tokens", "sentences", "candidates", "marks"
      or "relations" in its texts.
    - `candidates`: where they come from, None where units are no candidates.
    - `several`: ratings of a unit that carries several labels of one annotator; `joined` says that they
      are one set of labels each, otherwise the first in the task's priority counts.
    - `counted`: rows of a larger weight are units of the export that are alike, which it lists one by one.
    - `grouped`: how many documents there are where `documents` are groups of them, else 0.
    - `places`: what the units are called, or where they are; `unit_place` (units,) is the number of each
      there, NO_PLACE for units that only a size knows and for the unmarked tokens of a document, which are
      one row.
    - `marks`: which are on which units.
    - `margins`: sums by annotator, known where it is not known who gave which label to which unit, else None;
      `annotator` then only numbers the ratings of a unit.
    """

    layer: str
    id: str = ""
    kind: str = "items"
    primary: bool = False
    why: str = ""
    scale: Scale = "nominal"
    non_annotated: int = NO_CATEGORY
    non_annotated_name: str = ""
    units_read: int = 0
    units_added: int = 0
    units_left_out: Mapping[str, int] = field(default_factory=dict)
    sets: tuple[frozenset[str], ...] | None = None
    category_count: int | None = None
    base: str = "units"
    candidates: CandidatesDescribed | None = None
    several: int = 0
    joined: bool = False
    counted: bool = False
    grouped: int = 0
    unit_place: Codes = field(default_factory=nothing)
    places: Places = field(default_factory=Places)
    marks: UnitMarks = field(default_factory=UnitMarks)
    margins: Margins | None = None

    @property
    def cluster(self) -> Codes:
        """Return the document of each unit, a number of its own where it has none (units,)."""
        own = len(self.documents) + np.arange(len(self.document))
        return np.where(self.document == NO_DOCUMENT, own, self.document)

    @property
    def sums_only(self) -> bool:
        """Tell whether units are not those that were labelled, but have their sums: some weigh below 0."""
        return self.margins is not None and self.margins.pairs is not None and bool(self.documents)

    @property
    def units(self) -> int:
        """Return how many units the set has, weights counted."""
        return int(self.weight.sum())

    @property
    def as_sets(self) -> Self:
        """Return the same with each category as a set of one label, the non-annotated one as an empty set."""
        if self.sets is not None:
            return self
        absent = self.non_annotated_name
        sets = tuple(frozenset({name} - {absent}) for name in self.categories)
        return replace(self, scale="set", sets=sets)


# What counts.json says of a unit set under the same names.
UNITS_DESCRIBED = (
    *("id", "kind", "primary", "why", "scale", "base", "annotators", "non_annotated_name", "category_count"),
    *("units_read", "units_added", "units_left_out", "several", "joined", "candidates", "grouped"),
)


def of_crowd(units: CodedUnits) -> CodedUnits:
    """Return the units of a large crowd without who labelled each, and beside them what annotators gave.

    Units that have the same labels, from whomever, are then alike. Smaller ones, and sets, stay as they are.
    """
    if units.margins is None:
        twos = fewest_twos(int(units.row_weight.sum()), units.units)
        if units.sets is not None or not is_large_crowd(len(units.annotators), units.units, twos):
            return units
    in_order = units.where(np.lexsort((units.label, units.unit)))
    return replace(in_order, annotator=aranges(units.per_unit), margins=units.margins or margins_of(units))


def margins_of(labels: Labels, tables: tuple[Codes, ...] | None = None) -> Margins:
    """Return how often each annotator gave each label, with the tables of every two."""
    size = len(labels.categories)
    key = labels.annotator * size + labels.label
    sums = sums_by(key, labels.row_weight, len(labels.annotators) * size)
    there = np.flatnonzero(sums)
    return Margins(there // size, there % size, sums[there], tables)


def attributes(thing: object, names: Sequence[str]) -> dict[str, Any]:
    """Return some attributes of an object by name, for another that calls them the same."""
    return {name: getattr(thing, name) for name in names}


@dataclass(frozen=True, eq=False)
class ControlUnits:
    """Control items of one layer: what annotators made of them, and what they are.

    `truth` (units,) is the code of the right label of each; `absent` has the lines, in the file of control
    items, of those that no unit is.
    """

    units: CodedUnits
    truth: Codes
    absent: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Passes:
    """What some annotators said a first and a second time of the same units.

    In `units` the first pass of the person `people[p]` is the annotator 2p, the second 2p + 1.
    """

    people: tuple[str, ...]
    units: CodedUnits


# Whose labels count: roles, and second passes of the same person.


ANNOTATOR = "annotator"
REPEATED = "a second pass: the annotator's first label on the unit counts"
REPEATED_DOCUMENT = "a second pass: the annotator's first copy of the document counts"
REJECTED = "rejected: too few of the control items were labelled right"
OTHER_ROLE = "not an annotator but a {role}: compared with the annotators, never counted among them"


@dataclass(frozen=True, eq=False)
class ExportParticipants:
    """Who is behind the names in an export.

    `person` (names,) is the code of the name that is the person's own, a second pass having another
    name; `roles` (names,) is what each is, "annotator" or something else.
    """

    names: tuple[str, ...]
    person: Codes
    roles: tuple[str, ...]

    @property
    def counts(self) -> Mask:
        """Say of each name whether it is an annotator's: others are compared, never pooled in."""
        return np.array([role == ANNOTATOR for role in self.roles], dtype=np.bool_)


def people(names: Sequence[str], roles: Mapping[str, str], same_as: Mapping[str, str]) -> ExportParticipants:
    """Return who is behind the names; a second pass has the role of its own name, or else of the first."""
    codes = {name: code for code, name in enumerate(names)}
    person = [codes.get(same_as.get(name, name), code) for name, code in codes.items()]
    name_roles = [roles.get(name, ANNOTATOR) for name in names]
    passes_roles = tuple(
        name_roles[first] if role == ANNOTATOR else role
        for role, first in zip(name_roles, person, strict=True)
    )
    return ExportParticipants(tuple(names), np.array(person, dtype=np.int64), passes_roles)


def everybody(participants: ExportParticipants) -> ExportParticipants:
    """Return the people of an export as if all were annotators; a pass in another role is another person."""
    first_names: dict[tuple[int, str], int] = {}
    for name, (person, role) in enumerate(zip(participants.person.tolist(), participants.roles, strict=True)):
        if name == person or (person, role) not in first_names:
            first_names[person, role] = name
    keys = zip(participants.person.tolist(), participants.roles, strict=True)
    person = np.array([first_names[key] for key in keys], dtype=np.int64)
    return ExportParticipants(participants.names, person, (ANNOTATOR,) * len(participants.names))


def order_of_copies(saw: Mask, participants: ExportParticipants) -> Codes:
    """Return which copy of a document each is (documents, names), -1 where the name saw none.

    A person's copy under the own name comes first, then the others in the order of names.
    """
    copy_number = np.full(saw.shape, -1, dtype=np.int64)
    for person in np.unique(participants.person).tolist():
        names = np.flatnonzero(participants.person == person).tolist()
        before = np.zeros(len(saw), dtype=np.int64)
        for name in sorted(names, key=lambda name: name != person):
            copy_number[saw[:, name], name] = before[saw[:, name]]
            before += saw[:, name]
    return copy_number


def left_out(content: Ratings | TextMarks, marks: Mask, reason: str) -> list[ExcludedMarks]:
    """Return the marks (marks,) that are left out for a reason, each with its place and its weight."""
    weight = mark_weight(content)
    return [
        ExcludedMarks(
            *content.location(mark), content.annotators[content.annotator[mark]], reason, int(weight[mark])
        )
        for mark in np.flatnonzero(marks).tolist()
    ]


def of_other_roles(
    content: Ratings | TextMarks, participants: ExportParticipants, derived: Sequence[str] = ()
) -> tuple[Mask, list[ExcludedMarks]]:
    """Return which marks (marks,) are not an annotator's, and the list of them, derived ones left out."""
    others = ~participants.counts[content.annotator]
    listed: list[ExcludedMarks] = []
    not_read = frozenset(derived)
    read = np.array([name not in not_read for name in participants.names], dtype=np.bool_)
    for role in dict.fromkeys(participants.roles):
        if role != ANNOTATOR:
            has_role = np.array([name_role == role for name_role in participants.roles], dtype=np.bool_)
            listed += left_out(content, (has_role & read)[content.annotator], OTHER_ROLE.format(role=role))
    return others, listed


def mark_weight(content: Ratings | TextMarks) -> Codes:
    """Return as how many marks each mark (marks,) counts: the count of a matrix's cell, else 1."""
    if isinstance(content, TextMarks):
        return np.ones(len(content.label), dtype=np.int64)
    return content.weight[content.unit]


Size = int | Mapping[str, int]

IN_TEXTS = ("tokens", "sentences", "candidates")
OF_ANY_EXPORT = ("declared", "annotated-by-any", "annotated-by-all")

UNMARKED = "nobody marked the unit"
UNMARKED_BY_SOME = "not every annotator marked the unit"
REPLACED = "unmarked units of the export, which the declared size replaces"


@dataclass(frozen=True)
class DeclaredUnitSet:
    """A unit set as declared, with its size and terms read, and the file and key to name in an error."""

    unit_set: UnitSet
    size: Size | None
    file: str
    key: str
    terms: tuple[str, ...] = ()

    def problem(self, key: str, message: str, remedy: str) -> Problem:
        """Return a problem with a key of the unit set."""
        return Problem(self.file, key=f"{self.key}.{key}", message=message, remedy=remedy)


def select(units: CodedUnits, declaration: DeclaredUnitSet) -> CodedUnits:
    """Return the units that a declared unit set keeps or adds, out of all units of the export.

    Raises BadInput for a declared size below the number of marked units.
    """
    kind = declaration.unit_set.units
    if kind == "declared":
        # Keep the marked units, and add as many unmarked ones as the declared size has room for.
        marked = select_units(units, _marks_per_unit(units) > 0, REPLACED)
        marked = marked if marked.non_annotated != NO_CATEGORY else _with_non_annotated(marked, declaration)
        if isinstance(declaration.size, Mapping):
            return _fill_documents(marked, declaration, declaration.size)
        room = int(declaration.size or 0) - marked.units
        if room < 0:
            raise BadInput([_too_small(declaration, int(declaration.size or 0), marked.units)])
        return _add_unmarked(marked, np.array([NO_DOCUMENT]), np.array([room]))
    if kind == "annotated-by-any":
        return select_units(units, _marks_per_unit(units) > 0, UNMARKED)
    if kind == "annotated-by-all":
        by_all = _marks_per_unit(units) == len(units.annotators)
        return without_non_annotated(select_units(units, by_all, UNMARKED_BY_SOME))
    return units


def needs_texts(declaration: DeclaredUnitSet) -> Problem:
    """Return the problem of a unit set that needs texts, where the export has labels of units."""
    message = (
        f'"{declaration.unit_set.units}" needs an export that has texts with marks in them; '
        "this one has labels of units."
    )
    return _wrong_kind(declaration, message, ("items", *OF_ANY_EXPORT))


def needs_items(declaration: DeclaredUnitSet) -> Problem:
    """Return the problem of a unit set of items, where the export has marks in texts."""
    message = '"items" needs an export that lists its units; this one has texts and marks in them.'
    return _wrong_kind(declaration, message, (*IN_TEXTS, *OF_ANY_EXPORT))


def needs_marks(declaration: DeclaredUnitSet) -> Problem:
    """Return the problem of a unit set of pieces of text, where relations between such are compared."""
    base = declaration.unit_set.base
    kind = f'base = "{base}"' if base else f'"{declaration.unit_set.units}"'
    message = f"{kind} cuts texts into pieces, and a relation lies between several: it is on none of them."
    return _wrong_kind(declaration, message, OF_ANY_EXPORT, "base" if base else "units")


def needs_words(declaration: DeclaredUnitSet) -> Problem:
    """Return the problem of a unit set of pieces of text, where recordings have none."""
    unit_set = declaration.unit_set
    kind = f'base = "{unit_set.base}"' if unit_set.base else f'"{unit_set.units}"'
    message = f"{kind} needs texts; this export has recordings, whose marks are stretches of time."
    if unit_set.base:
        return declaration.problem("base", message, "Remove it: units are then stretches.")
    return _wrong_kind(declaration, message, OF_ANY_EXPORT)


def costly_pattern(declaration: DeclaredUnitSet, texts: Sequence[str], error: Exception) -> Problem:
    """Return the problem of a pattern that takes too long for texts, or too much memory."""
    message = "takes too much memory"
    if isinstance(error, TimeoutError):
        message = f"takes longer than {seconds_for(texts):,} seconds"
    characters = sum(map(len, texts))
    remedy = r"Write it without a repetition within a repetition, as (\w+\s?)+ has one."
    return declaration.problem("token_pattern", f"{message} for {characters:,} characters of text.", remedy)


def cuts_texts(unit_set: UnitSet) -> bool:
    """Say whether units of this kind are pieces of a text."""
    return bool(unit_set.units in ("tokens", "sentences") or unit_set.file or unit_set.base)


def fits_relations(unit_set: UnitSet) -> bool:
    """Say whether units of this kind can be relations."""
    return unit_set.units in OF_ANY_EXPORT and unit_set.base is None


def no_candidate(declaration: DeclaredUnitSet) -> Problem:
    """Return the problem of candidates of which the texts have none."""
    unit_set = declaration.unit_set
    if unit_set.file is None:
        message = f'no mark of "{unit_set.layer}" is of a stretch of text.'
        remedy = "Name a layer whose marks are in the texts."
        return declaration.problem("layer", message, remedy)
    message = f"none of the {len(declaration.terms):,} terms in {unit_set.file} occurs in a text."
    remedy = "Write each as the texts have it, upper and lower case too, on a line of its own."
    return declaration.problem("file", message, remedy)


def _wrong_kind(
    declaration: DeclaredUnitSet, message: str, kinds: Iterable[str], key: str = "units"
) -> Problem:
    remedy = f"Use one of {', '.join(kinds)}." if key == "units" else "Remove it: units are then relations."
    return declaration.problem(key, message, remedy)


def _marks_per_unit(units: CodedUnits) -> Codes:
    """Return how many annotators marked each unit: gave it any but the non-annotated category."""
    return units.where(units.label != units.non_annotated).per_unit


def without_non_annotated(units: CodedUnits) -> CodedUnits:
    """Return units that everybody marked, on which the non-annotated category, the last one, can't occur."""
    last = units.non_annotated
    if last == NO_CATEGORY:
        return units
    sets = units.sets and units.sets[:last]
    return replace(units, categories=units.categories[:last], sets=sets, non_annotated=NO_CATEGORY)


def select_units(units: CodedUnits, chosen: Mask, reason: str) -> CodedUnits:
    """Return the units that are `chosen` (units,), the others counted under the reason."""
    if chosen.all():
        return units
    marks, links = units.marks, chosen[units.marks.unit]
    dropped = int(units.weight[~chosen].sum())
    lost = np.setdiff1d(marks.mark, marks.mark[links])
    return replace(
        units.of_units(chosen),
        unit_place=units.unit_place[chosen],
        marks=replace(
            marks,
            mark=marks.mark[links],
            unit=(np.cumsum(chosen) - 1)[marks.unit[links]],
            lost=(*marks.lost, (reason, lost)) if len(lost) else marks.lost,
        ),
        units_left_out={**units.units_left_out, reason: dropped} if dropped else units.units_left_out,
    )


def _with_non_annotated(units: CodedUnits, declaration: DeclaredUnitSet) -> CodedUnits:
    """Return the units with a non-annotated category, which the export itself never names."""
    if not units.non_annotated_name:
        message = "a unit set of declared size needs a name for the category of unmarked units."
        remedy = 'Set non_annotated under [task], such as non_annotated = "none".'
        raise BadInput([Problem(declaration.file, 0, "task.non_annotated", message, remedy)])
    return replace(
        units,
        categories=(*units.categories, units.non_annotated_name),
        sets=units.sets if units.sets is None else (*units.sets, frozenset()),
        non_annotated=len(units.categories),
    )


def _in_file(declaration: DeclaredUnitSet) -> str:
    """Return where sizes by document are, for an error."""
    return f" in {declaration.unit_set.size}" if isinstance(declaration.unit_set.size, str) else ""


def _too_small(declaration: DeclaredUnitSet, size: int, marked: int, document: str = "") -> Problem:
    of_document = f" of document {document}{_in_file(declaration)}" if document else ""
    message = f"the size {size}{of_document} is below the {marked} units that were marked there."
    return declaration.problem("size", message, "Count every unit, marked or not.")


def _fill_documents(units: CodedUnits, declaration: DeclaredUnitSet, sizes: Mapping[str, int]) -> CodedUnits:
    """Add to each document the unmarked units that its declared size has room for."""
    in_document = units.document != NO_DOCUMENT
    numbers = sums_by(units.document[in_document], units.weight[in_document], len(units.documents))
    marked = dict(zip(units.documents, numbers.tolist(), strict=True))
    problems = [*_misfits(declaration, sizes, marked), *_without_document(units, declaration)]
    if problems:
        raise BadInput(problems)
    documents = tuple(dict.fromkeys((*marked, *sizes)))
    room = [sizes[name] - marked.get(name, 0) for name in documents]
    return _add_unmarked(
        replace(units, documents=documents), np.arange(len(documents)), np.array(room, dtype=np.int64)
    )


def _misfits(
    declaration: DeclaredUnitSet, sizes: Mapping[str, int], marked: Mapping[str, int]
) -> Iterator[Problem]:
    """Yield the documents whose size is missing or below the units marked there."""
    for name, count in marked.items():
        if name not in sizes:
            message = f"the size of document {name}{_in_file(declaration)} is missing."
            yield declaration.problem("size", message, "Add a row for it.")
        elif sizes[name] < count:
            yield _too_small(declaration, sizes[name], count, name)


def _without_document(units: CodedUnits, declaration: DeclaredUnitSet) -> Iterator[Problem]:
    """Yield a problem where marked units have no document, so that no document's size counts them."""
    homeless = int(units.weight[units.document == NO_DOCUMENT].sum())
    if homeless:
        message = f"sizes are declared by document, but {homeless} marked units of the export have none."
        remedy = "Declare the size as one number, or name the column that has the document."
        yield declaration.problem("size", message, remedy)


def _add_unmarked(units: CodedUnits, documents: Codes, room: Codes) -> CodedUnits:
    """Add `room` units to each of `documents` that every annotator left unmarked."""
    documents, room = documents[room > 0], room[room > 0]
    added, present = len(room), len(units.weight)
    everyone = np.arange(len(units.annotators))
    return replace(
        units,
        document=np.concatenate([units.document, documents]),
        weight=np.concatenate([units.weight, room]),
        unit_place=np.concatenate([units.unit_place, np.full(added, NO_PLACE, dtype=np.int64)]),
        unit=np.concatenate([units.unit, np.repeat(np.arange(present, present + added), len(everyone))]),
        annotator=np.concatenate([units.annotator, np.tile(everyone, added)]),
        label=np.concatenate([units.label, np.full(added * len(everyone), units.non_annotated)]),
        units_added=int(room.sum()),
    )


# What to compare, and how: the question that a study answers.

SEPARATOR = "|"


@dataclass(frozen=True)
class LayerSettings:
    """The task, the unit sets, and who is not simply an annotator.

    `roles` maps annotators to roles other than "annotator"; `same_as` an annotator to the one whose
    second pass it is; `file` is the campaign's file, named in errors; `separator` is between the
    labels of a unit that has several; `split` says that the campaign declares it, so that names are taken
    apart at it. `controls` are the control items of all layers; `rejected` names the
    annotators whose marks do not count because of them.
    """

    task: Task
    unit_sets: Sequence[DeclaredUnitSet]
    roles: Mapping[str, str]
    same_as: Mapping[str, str]
    file: str
    layer: str = "main"
    separator: str = SEPARATOR
    split: bool = False
    controls: ControlItems | None = None
    rejected: Collection[str] = ()

    def problem(self, key: str, message: str, remedy: str) -> Problem:
        """Return a problem with a key of campaign.toml."""
        return Problem(self.file, key=key, message=message, remedy=remedy)

    @property
    def nothing(self) -> CodedUnits:
        """Return a unit set of the layer without any unit."""
        return CodedUnits(self.layer, scale=self.task.scale, category_count=self.task.category_count)


def participants_of(annotations: Annotations, request: LayerSettings) -> ExportParticipants:
    """Return who is behind the names of an export, with roles as the campaign has them, else the export."""
    roles = {**annotations.roles, **request.roles}
    return people(annotations.content.annotators, roles, request.same_as)
