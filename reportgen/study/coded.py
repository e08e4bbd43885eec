"""What is compared with what: one unit set of one layer, as a long table of integer codes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from reportgen.campaign import Scale
from reportgen.formats import NO_DOCUMENT, Codes, LeftOut

if TYPE_CHECKING:
    from reportgen.study.compared import Compared
    from reportgen.study.counted_spans import CountedSpans
    from reportgen.study.spans import Spans

__all__ = [
    "NO_CATEGORY",
    "NO_DOCUMENT",
    "NO_PLACE",
    "Attendance",
    "CodedUnits",
    "ControlUnits",
    "Material",
    "Passes",
    "Places",
    "Study",
]

NO_CATEGORY = -1
NO_PLACE = -1


def nothing() -> Codes:
    """Return no codes."""
    return np.zeros(0, dtype=np.int64)


def different(*codes: Codes) -> Codes:
    """Return the different codes, which are not below 0, in order: of millions, sorting takes a while."""
    there = np.zeros(max((int(each.max(initial=-1)) for each in codes), default=-1) + 1, dtype=np.bool_)
    for each in codes:
        there[each] = True
    return np.flatnonzero(there)


@dataclass(frozen=True, eq=False)
class Places:
    """What units are called, or where in a text they stand.

    `names` has a name for each unit of a table. `unit`, `start` and `end` (stretches,) say which stretches
    of its document make up a unit of a text, in code points, ends exclusive.
    """

    names: tuple[str, ...] = ()
    unit: Codes = field(default_factory=nothing)
    start: Codes = field(default_factory=nothing)
    end: Codes = field(default_factory=nothing)


@dataclass(frozen=True)
class Candidates:
    """Where candidates come from: so many terms of a file, or a layer, whoever marked it.

    `keep_marked` says that marked stretches outside them are units too.
    """

    file: str = ""
    terms: int = 0
    layer: str = ""
    keep_marked: bool = False


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
    - `unit_weight` (units,): how many units the row stands for (a cell of a confusion matrix, the
      unmarked units of a declared size).
    - `unit`, `annotator`, `label` (ratings,): at most one rating for each unit and annotator.
    - `non_annotated`: code of the pseudo-category of unmarked units, always the last, NO_CATEGORY where it
      can't occur; `non_annotated_name` is its name even there, empty where the campaign has none.
    - `units_read`, `units_left_out`: units of the export, and those that this unit set leaves out, by
      reason; `units_added` are unmarked ones that only the declared size knows.
    - `unit_place` (units,): the number of each unit in `places`, NO_PLACE for units that only a size knows
      and for the unmarked tokens of a document, which are one row.
    - `places`: what the units are called, or where they stand.
    - `sets`: on a scale of sets the members of each category, else None; `category_count` is how many there
      are to choose from, None where the campaign does not say.
    - `base`: what the units are made of: "units" of the export, "tokens", "sentences", "candidates", "marks"
      or "relations" in its texts.
    - `candidates`: where they come from, None where units are no candidates.
    - `several`: ratings of a unit that carries several labels of one annotator; `joined` says that they
      are one set of labels each, otherwise the first in the task's priority counts.
    - `mark`, `mark_unit` (links,): the marks that count here, by their number in the export, and the units
      they stand on. `mark_weight` has every mark of the export; `marks_lost` those that are left out;
      `cutting` those that begin or end inside a token. Where marks are known as numbers only, there are none
      of these, and `sums` has the numbers.
    - `counted`: rows of a larger weight are units of the export that are alike, which it lists one by one.
    """

    layer: str
    id: str
    kind: str
    primary: bool
    why: str
    scale: Scale
    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    non_annotated: int
    non_annotated_name: str
    unit_document: Codes
    unit_weight: Codes
    unit: Codes
    annotator: Codes
    label: Codes
    units_read: int
    units_added: int = 0
    units_left_out: Mapping[str, int] = field(default_factory=dict)
    unit_place: Codes = field(default_factory=nothing)
    places: Places = field(default_factory=Places)
    sets: tuple[frozenset[str], ...] | None = None
    category_count: int | None = None
    base: str = "units"
    candidates: Candidates | None = None
    several: int = 0
    joined: bool = False
    mark: Codes = field(default_factory=nothing)
    mark_unit: Codes = field(default_factory=nothing)
    mark_weight: Codes = field(default_factory=nothing)
    cutting: Codes = field(default_factory=nothing)
    marks_lost: tuple[tuple[str, Codes], ...] = ()
    sums: MarkSums | None = None
    counted: bool = False

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
        """Return how many units the set holds, weights counted."""
        return int(self.unit_weight.sum())


@dataclass(frozen=True, eq=False)
class Attendance:
    """What one annotator did with how many documents."""

    annotator: str
    marked: int
    empty: int
    skipped: int
    unseen: int


@dataclass(frozen=True, eq=False)
class Material:
    """How much there is in one layer, and how scattered the marks are.

    `marks` and `labels` count those of annotators' first passes, by label as the export has it.
    `documents_unmarked` are those that somebody saw and nobody marked. `tokens` are those that whitespace
    separates; None where there are no texts. `copies` is how many documents annotators saw, taken together,
    and `tokens_seen` how many tokens those have. `attendance` is empty where the export does not tell.
    """

    layer: str
    documents: int
    documents_unmarked: int | None
    tokens: int | None
    copies: int
    tokens_seen: int
    marks: int
    labels: Mapping[str, int]
    attendance: tuple[Attendance, ...]


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


@dataclass(frozen=True, eq=False)
class Study:
    """Every unit set of one layer, the marks that none of them uses, and what there is.

    `passed_over` counts, by reason, the marks that are left out before any unit set is made. `spans` are the
    marks themselves, of everybody; None where the export has no marks in texts. `compared` has everybody's
    labels for each unit set; it is empty where all are annotators. `controls` are the control
    items, which no unit set holds, and `passes` the units that somebody labelled twice. `missing` counts
    cells of a table without a label; `repeated` and `contradicting` labels that somebody gave a unit again in
    the same pass, as they gave it before or otherwise. `declared` are the categories that the
    campaign declares.
    """

    unit_sets: tuple[CodedUnits, ...]
    marks_read: int
    marks_used: int
    left_out: tuple[LeftOut, ...]
    passed_over: Mapping[str, int]
    material: Material
    spans: "Spans | CountedSpans | None" = None
    compared: tuple["Compared", ...] = ()
    controls: ControlUnits | None = None
    passes: Passes | None = None
    declared: tuple[str, ...] = ()
    missing: int = 0
    repeated: int = 0
    contradicting: int = 0
