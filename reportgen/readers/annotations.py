"""What annotators exported, whatever the tool: the one type that every export becomes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from reportgen.base.files import InputFile

if TYPE_CHECKING:
    from reportgen.readers.counted import CountedLayer

Codes = npt.NDArray[np.int64]
Place = tuple[str, int]
Compared = Literal["marks", "attributes", "relations"]

NO_DOCUMENT = -1

# What an annotator did with a document; the names are those of results.json.
UNSEEN, SKIPPED, EMPTY, MARKED = range(4)
ATTENDANCE = ("unseen", "skipped", "empty", "marked")


def no_place(_: int) -> Place:
    """Return the place of a mark of which none is known."""
    return "", 0


@dataclass(frozen=True, eq=False)
class Ratings:
    """Labels that annotators gave to units, as integer codes.

    `documents`, `annotators` and `labels` are the names behind the codes. A unit is a row of a
    ratings table, a document that was labelled as a whole, or a cell of a confusion matrix, which
    stands for as many units as were counted.

    - `unit_names`: a name each unit, empty where the export gives none.
    - `unit_document` (units,): the document of each unit, or NO_DOCUMENT: the unit is its own.
    - `unit_weight` (units,): how many units it stands for: 1, or the count of a matrix's cell.
    - `unit`, `annotator`, `label` (marks,): who gave which label to which unit, in the order of the
      file. A rating that is missing has no mark.
    - `mark_pass` (marks,): 0 for a first pass, 1 for a second, as far as the export says.
    - `place`: the file and line of a mark, by its number.

    `ordered` says whether the order of `labels` is the export's own (the columns of a confusion
    matrix) or merely that of first occurrence. `counted` says that units of a document with the same labels
    by the same annotators are one, which weighs as many: which of them is which is not known, but for those
    of `disputed`, on which labels differ most. Lists of disagreements show these; figures never see them.
    """

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    unit_names: tuple[str, ...]
    unit_document: Codes
    unit_weight: Codes
    unit: Codes
    annotator: Codes
    label: Codes
    mark_pass: Codes
    ordered: bool = False
    place: Callable[[int], Place] = no_place
    counted: bool = False
    disputed: "Ratings | None" = None


def by_name(ratings: Ratings) -> Ratings:
    """Return the same with the names in their order, not that of first occurrence; each label is a text."""
    documents, annotators, labels = (
        tuple(sorted(names)) for names in (ratings.documents, ratings.annotators, ratings.labels)
    )
    document = _places(ratings.documents, documents)
    return replace(
        ratings,
        documents=documents,
        annotators=annotators,
        labels=labels,
        unit_document=np.append(document, NO_DOCUMENT)[ratings.unit_document],
        annotator=_places(ratings.annotators, annotators)[ratings.annotator],
        label=_places(ratings.labels, labels)[ratings.label],
    )


def _places(names: Sequence[str], ordered: Sequence[str]) -> Codes:
    """Return where each name is among others, as codes."""
    place = {name: code for code, name in enumerate(ordered)}
    return np.array([place[name] for name in names], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TextMarks:
    """Marks that annotators made in texts, as integer codes.

    `documents`, `annotators` and `labels` are the names behind the codes; `texts` has the text of each
    document.

    - `document`, `annotator`, `label` (marks,): who marked with which label, in the order of the files.
    - `span_mark`, `span_start`, `span_end` (spans,): the stretches of each mark, in code points of its
      document, ends exclusive. A discontinuous mark has several.
    - `features`: what else each mark says, by name; empty where no mark says anything.
    - `place`: the file and line of a mark, by its number.
    """

    documents: tuple[str, ...]
    texts: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    document: Codes
    annotator: Codes
    label: Codes
    span_mark: Codes
    span_start: Codes
    span_end: Codes
    features: Sequence[Mapping[str, str]] = ()
    place: Callable[[int], Place] = no_place


@dataclass(frozen=True, eq=False)
class Regions:
    """Places in texts, each of one stretch or several.

    - `document` (regions,): the code of the document of each.
    - `span_region`, `span_start`, `span_end` (spans,): the stretches of each region, in code points of its
      document, ends exclusive.
    """

    document: Codes
    span_region: Codes
    span_start: Codes
    span_end: Codes


@dataclass(frozen=True, order=True)
class ExcludedMarks:
    """`marks` marks of one place that were read and are not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


@dataclass(frozen=True, eq=False)
class Annotations:
    """One layer of the exports of one guidelines version, with what was left out and the files read.

    `content` is what annotators did: they labelled units, or marked texts; or what was counted of it.
    `marks_read` counts every mark that the files hold: those of `content` (by weight) and those of
    `left_out` add up to it.
    `format` is the reader's name, `reading` one sentence on how the files were understood, `choice` one on
    what was chosen in them for this layer, empty where there was nothing to choose, `unread` the
    files that no reader knows. `roles` are those that the tool itself gives to some annotators.
    `attendance` (documents, annotators of `content`) is UNSEEN, SKIPPED, EMPTY or MARKED: what each did with
    each document, or with each unit that is one; None where the export is a table, which does not tell.
    `compared` says what the layer consists of: marks, whose label is their type or the feature that holds
    the category; "attributes" of marks whose category is their type; or relations, whose stretches are those
    of their arguments. `candidates` are the places that layers of candidates mark, in documents of `content`,
    by the key of campaign.toml that asks for them.
    `derived` are annotators of `content` whose marks were made from those of others and stand in no file:
    they are neither read nor left out.
    `called_references` are those of `roles` who are references because of their names alone.
    `missing` counts the cells of a table that could hold a label and hold none: empty ones, or declared so.
    """

    content: "Ratings | TextMarks | CountedLayer"
    format: str
    reading: str
    marks_read: int
    left_out: tuple[ExcludedMarks, ...] = ()
    sources: tuple[InputFile, ...] = ()
    unread: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    attendance: Codes | None = None
    choice: str = ""
    compared: Compared = "marks"
    candidates: Mapping[str, Regions] = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    called_references: tuple[str, ...] = ()
    missing: int = 0

    @property
    def is_counted(self) -> bool:
        """Say whether only counts are known, and not which unit is which."""
        if isinstance(self.content, Ratings):
            return self.content.counted
        return not isinstance(self.content, TextMarks)

    @property
    def ratings(self) -> Ratings:
        """Return the labels of units; there have to be such."""
        if not isinstance(self.content, Ratings):
            message = "an export that holds no labels of units"
            raise TypeError(message)
        return self.content
