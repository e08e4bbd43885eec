"""What is compared with what: one unit set of one layer, as a long table of integer codes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Scale
from reportgen.readers import ATTENDANCE, Codes, ExcludedMarks, Ratings, TextMarks
from reportgen.readers.annotations import LabelsGiven
from reportgen.readers.counted import CandidatesDescribed
from reportgen.readers.document_groups import fewest_twos, is_large_crowd

NO_CATEGORY = -1
NO_PLACE = -1
Values = npt.NDArray[Any]
SEEN = ATTENDANCE.index("empty")


def nothing() -> Codes:
    """Return no codes."""
    return np.zeros(0, dtype=np.int64)


def counting(lengths: Codes) -> Codes:
    """Return 0, 1, … for each length, one after another."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(starts, lengths)


def ranges(low: Codes, high: Codes) -> tuple[Codes, Codes]:
    """Return every number from `low` to below `high` of each row, with the row that it is of."""
    sizes = high - low
    return np.repeat(np.arange(len(low)), sizes), np.repeat(low, sizes) + counting(sizes)


def sums_by(index: Codes | tuple[Codes, ...], values: Values, size: int | tuple[int, ...]) -> Values:
    """Return the sums of values by their index, of integers exactly: an array of a size."""
    sums = np.zeros(size, dtype=values.dtype)
    if isinstance(index, tuple):  # numpy adds up along one index several times as fast
        np.add.at(sums.reshape(-1), np.ravel_multi_index(index, sums.shape), values)
    else:
        np.add.at(sums, index, values)
    return sums


def every_two(*columns: Codes) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two equal rows of sorted columns: neighbours first, then those two apart."""
    for distance in range(1, len(columns[0])):
        same = np.logical_and.reduce([column[distance:] == column[:-distance] for column in columns])
        earlier = np.flatnonzero(same)
        if len(earlier) == 0:
            return
        yield earlier, earlier + distance


def all_twos(*columns: Codes) -> tuple[Codes, Codes]:
    """Return the places of every two equal rows of sorted columns, as `every_two` yields them."""
    none = nothing(), nothing()
    first, second = (np.concatenate(positions) for positions in zip(none, *every_two(*columns), strict=True))
    return first, second


def different(*codes: Codes) -> Codes:
    """Return the different codes, which are not below 0, in order: of millions, sorting takes a while."""
    occurs = np.zeros(max((int(column.max(initial=-1)) for column in codes), default=-1) + 1, dtype=np.bool_)
    for column in codes:
        occurs[column] = True
    return np.flatnonzero(occurs)


@dataclass(frozen=True, eq=False)
class Places:
    """What units are called, or where in a text they are.

    `names` has a name for each unit of a table, `texts` its text where the table has such. `unit`, `start`
    and `end` (stretches,) say which stretches of its document make up a unit of a text, in code points, ends
    exclusive.
    """

    names: tuple[str, ...] = ()
    unit: Codes = field(default_factory=nothing)
    start: Codes = field(default_factory=nothing)
    end: Codes = field(default_factory=nothing)
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class MarkSums:
    """What became of marks that are known as numbers only."""

    used: int
    left_out: Mapping[str, int]
    boundary: int | None = None


@dataclass(frozen=True, eq=False)
class CodedUnits:
    """The units of one unit set and the label that each annotator gave to each.

    - `unit_document` (units,): code of the document, or NO_DOCUMENT: the unit is its own document.
    - `unit_weight` (units,): how many units the row means (a cell of a confusion matrix, the
      unmarked units of a declared size).
    - `unit`, `annotator`, `label` (ratings,): at most one rating for each unit and annotator.
    - `non_annotated`: code of the pseudo-category of unmarked units, always the last, NO_CATEGORY where it
      can't occur; `non_annotated_name` is its name even there, empty where the campaign has none.
    - `units_read`, `units_left_out`: units of the export, and those that this unit set leaves out, by
      reason; `units_added` are unmarked ones that only the declared size knows.
    - `unit_place` (units,): the number of each unit in `places`, NO_PLACE for units that only a size knows
      and for the unmarked tokens of a document, which are one row.
    - `places`: what the units are called, or where they are.
    - `sets`: on a scale of sets, and where marks overlap, whose `scale` then is "set", the members of each
      category, else None; `category_count` is how many there are to choose from, None where the campaign
      does not say.
    - `base`: what the units are made of: "units" of the export, "tokens", "sentences", "candidates", "marks"
      or "relations" in its texts.
    - `candidates`: where they come from, None where units are no candidates.
    - `several`: ratings of a unit that carries several labels of one annotator; `joined` says that they
      are one set of labels each, otherwise the first in the task's priority counts.
    - `mark`, `mark_unit` (links,): the marks that count here, by their number in the export, and the units
      they are on. `mark_weight` has every mark of the export; `marks_lost` those that are left out;
      `cutting` those that begin or end inside a token. Where marks are known as numbers only, there are none
      of these, and `sums` has the numbers.
    - `counted`: rows of a larger weight are units of the export that are alike, which it lists one by one.
    - `grouped`: how many documents there are where `documents` are groups of them, else 0.
    - `given`: what annotators gave where it is not known to which units, else None; `annotator` then only
      numbers the ratings of a unit. Where it has tables of pairs too, and there are documents, units are not
      those that were labelled, but have their sums, and some weigh less than nothing.
    """

    layer: str
    id: str = ""
    kind: str = "items"
    primary: bool = False
    why: str = ""
    scale: Scale = "nominal"
    documents: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    non_annotated: int = NO_CATEGORY
    non_annotated_name: str = ""
    unit_document: Codes = field(default_factory=nothing)
    unit_weight: Codes = field(default_factory=nothing)
    unit: Codes = field(default_factory=nothing)
    annotator: Codes = field(default_factory=nothing)
    label: Codes = field(default_factory=nothing)
    units_read: int = 0
    units_added: int = 0
    units_left_out: Mapping[str, int] = field(default_factory=dict)
    unit_place: Codes = field(default_factory=nothing)
    places: Places = field(default_factory=Places)
    sets: tuple[frozenset[str], ...] | None = None
    category_count: int | None = None
    base: str = "units"
    candidates: CandidatesDescribed | None = None
    several: int = 0
    joined: bool = False
    mark: Codes = field(default_factory=nothing)
    mark_unit: Codes = field(default_factory=nothing)
    mark_weight: Codes = field(default_factory=nothing)
    cutting: Codes = field(default_factory=nothing)
    marks_lost: tuple[tuple[str, Codes], ...] = ()
    sums: MarkSums | None = None
    counted: bool = False
    grouped: int = 0
    given: LabelsGiven | None = None

    @property
    def unnamed(self) -> bool:
        """Tell whether it is not known who gave which label to which unit."""
        return self.given is not None

    @property
    def summed(self) -> bool:
        """Tell whether the units only have the sums of those that were labelled."""
        return self._has_tables and bool(self.documents)

    @property
    def paired(self) -> bool:
        """Tell whether of each unit without a document its labels are known, and the tables of all pairs."""
        return self._has_tables and not self.documents

    @property
    def _has_tables(self) -> bool:
        return self.given is not None and self.given.pairs is not None

    @property
    def marks_used(self) -> int:
        """Return how many marks count here."""
        if self.sums:
            return self.sums.used
        return int(self.mark_weight[different(self.mark)].sum())

    @property
    def boundary(self) -> int | None:
        """Return how many marks that count here cut a token; None where units are no tokens."""
        if self.sums:
            return self.sums.boundary
        return len(np.intersect1d(self.mark, self.cutting)) if self.base == "tokens" else None

    @property
    def marks_left_out(self) -> dict[str, int]:
        """Return how many marks do not count here, by reason."""
        if self.sums:
            return dict(self.sums.left_out)
        return {reason: int(self.mark_weight[marks].sum()) for reason, marks in self.marks_lost}

    @property
    def units(self) -> int:
        """Return how many units the set has, weights counted."""
        return int(self.unit_weight.sum())

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
    given, size = units.given, len(units.categories)
    if given is None:
        key, weight = units.annotator * size + units.label, units.unit_weight[units.unit]
        twos = fewest_twos(int(weight.sum()), units.units)
        if units.sets is not None or not is_large_crowd(len(units.annotators), units.units, twos):
            return units
        sums = sums_by(key, weight, len(units.annotators) * size)
        there = np.flatnonzero(sums)
        given = LabelsGiven(there // size, there % size, sums[there])
    order = np.lexsort((units.label, units.unit))
    unit = units.unit[order]
    return replace(
        units,
        unit=unit,
        annotator=counting(np.bincount(unit, minlength=len(units.unit_weight))),
        label=units.label[order],
        given=given,
    )


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

Mask = npt.NDArray[np.bool_]

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
    return content.unit_weight[content.unit]
