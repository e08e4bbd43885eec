"""The CSV tables of a campaign: sizes, control items, lists of terms, distances between categories."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, alternatives, escaped, nearest, quoted, refused
from reportgen.base.files import (
    NumberedRow,
    of_another_length,
    read_number,
    read_table,
    read_text,
    read_two_columns,
)
from reportgen.results.marks import DistanceOrigin

if TYPE_CHECKING:
    from reportgen.campaign.taxonomies import Closeness, Score


# How many units each document holds, where a campaign declares it.

COLUMNS = ("document", "size")
WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")


def read_sizes(path: Path, name: str) -> dict[str, int]:
    """Return the size of each document, from a CSV file with the columns document and size.

    `name` is what errors call the file. Raises BadInput with everything that is wrong: other columns, a
    row of another length, a document without a name or twice, a size that is no whole number.
    """
    header_line, body = read_two_columns(path, name, COLUMNS)
    problems: list[Problem] = []
    if not body:
        problems.append(Problem(name, header_line, "", "lists no document.", "Write one row a document."))
    first: dict[str, int] = {}
    for line, row in body:
        problems += [Problem(name, line, escaped(key), *message) for key, *message in _wrong_size(row, first)]
        first.setdefault(row[0], line)
    if problems:
        raise BadInput(problems)
    return {document: int(size) for _, (document, size) in body}


def _wrong_size(row: list[str], first: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    if len(row) != len(COLUMNS):
        yield "", *of_another_length(row, COLUMNS)
        return
    document, size = row
    if not document:
        yield "column document", "is empty; the name of a document was expected.", "Write the name."
    if document in first:
        yield f"row {document}", f"is on line {first[document]} already.", "Keep one of the two."
    if not WHOLE_NUMBER.fullmatch(size):
        written = f"is {quoted(size)}" if size else "is empty"
        yield f"row {document}, column size", f"{written}; a whole number was expected.", "Write digits only."


# Control items: units whose right label is known, and the rule by which annotators are rejected.

NEEDED = ("unit", "label")
ALLOWED = (*NEEDED, "document", "layer")


@dataclass(frozen=True)
class ControlItem:
    """One control item: its unit, the document where the file names it, the layer, and its right label."""

    line: int
    unit: str
    label: str
    document: str
    layer: str


@dataclass(frozen=True)
class ControlItems:
    """The control items of a campaign, the file that lists them, and the rule of rejection.

    An annotator who labelled at least `minimum` of them is rejected where the upper end of the interval of
    the share of right labels is below `reject_below`; None rejects nobody.
    """

    file: str
    items: tuple[ControlItem, ...]
    reject_below: float | None
    minimum: int


def read_controls(path: Path, name: str, layers: Sequence[str]) -> tuple[ControlItem, ...]:
    """Return the control items of a CSV file with the columns unit and label.

    The columns document and layer are optional; an item without a layer is of the first. `name` is what
    errors call the file. Raises BadInput with everything that is wrong: other columns, a row of another
    length, an empty unit or label, a layer that is not one, an item that is there twice.
    """
    (line, names), *rows = read_table(path, name)[1]
    header = [cell.casefold() for cell in names]
    if not set(NEEDED) <= set(header) <= set(ALLOWED) or len(set(header)) < len(header):
        message = f"has the columns {alternatives(header, 'and')}; unit and label were expected."
        remedy = "Write unit,label above them; document and layer may be beside."
        raise refused(name, line, "first row", message, remedy)
    problems: list[Problem] = []
    items: dict[tuple[str, str, str], ControlItem] = {}
    for at, cells in rows:
        if len(cells) != len(header):
            counted = f"{len(cells)} cell{'s' if len(cells) != 1 else ''}"
            message = f"has {counted}, another number than the first row."
            problems.append(Problem(name, at, "", message, "Correct the row."))
            continue
        named = dict.fromkeys(ALLOWED, "") | dict(zip(header, cells, strict=True))
        item = ControlItem(at, **{**named, "layer": named["layer"] or layers[0]})
        wrong = [Problem(name, at, key, *message) for key, *message in _wrong_item(item, layers)]
        before = item if wrong else items.setdefault((item.layer, item.document, item.unit), item)
        if before is not item:
            message = f"is on line {before.line} already."
            wrong = [Problem(name, at, f"row {escaped(item.unit)}", message, "Keep one of the two.")]
        problems += wrong
    if not items and not problems:
        problems = [Problem(name, line, "", "lists no control item.", "Write one row a control item.")]
    if problems:
        raise BadInput(problems)
    return tuple(items.values())


def _wrong_item(item: ControlItem, layers: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for column in NEEDED:
        if not getattr(item, column):
            yield f"column {column}", "is empty.", f"Write the {column}."
    if item.layer not in layers:
        remedy = nearest(item.layer, layers) or f"It has {alternatives(layers, 'and')}."
        yield "column layer", f"the campaign has no layer {quoted(item.layer)}.", remedy


# Lists of terms: what could have been marked in the texts of a campaign.

COMMENT = "#"


def read_terms(path: Path, name: str) -> tuple[str, ...]:
    """Return the terms of a list, each once, in its order: one a line, without white space around it.

    Blank lines and lines that begin with # are passed over. `name` is what errors call the file. Raises
    BadInput where it can't be read, is no UTF-8, or lists no term.
    """
    lines = (line.strip() for line in read_text(path, name).splitlines())
    terms = tuple(dict.fromkeys(line for line in lines if line and not line.startswith(COMMENT)))
    if not terms:
        remedy = "Write one term a line, as the texts have it."
        raise refused(name, message="lists no term.", remedy=remedy)
    return terms


# Distances between categories, read from a table with the categories as first row and column.

# A line that GATE writes above its scores, and a second one that somebody may have added.
HEAD = 2
LARGEST = 10**15  # so that sums and squares of distances stay finite


@dataclass(frozen=True)
class DistanceMatrix:
    """A symmetric table of distances: `rows` and columns both in the order of `categories`.

    Where distances are 1 - BDM, `origin` says where the scores come from, `concepts` has all names there, and
    `scores` that of every two concepts, with what it was computed from.
    """

    id: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    why: str
    file: str
    origin: DistanceOrigin | None = None
    concepts: tuple[str, ...] = ()
    scores: "tuple[Score, ...]" = ()


def read_distances(
    path: Path,
    name: str,
    *,
    among: Collection[str] | None = None,
    unplaced: Sequence[str] = (),
    taxonomy: bool | None = False,
) -> DistanceMatrix:
    """Return the distances that a file holds: a table, a file of BDM scores, or with `taxonomy` a taxonomy.

    Whether it is a taxonomy its content says where `taxonomy` is None. Of a taxonomy or of scores the table
    has the concepts `among` some names, by default all, with distances 1 - BDM; `unplaced` are categories
    that need not be concepts, such as the non-annotated one: they have nothing in common with any, and are at
    distance 1 from all others. `name` is what errors call the file; the caller gives the table its id and
    its reason. Raises BadInput with everything that is wrong in the file.
    """
    closeness = _closeness(path, name, taxonomy=taxonomy)
    if closeness is None:
        return _read_matrix(path, name)
    names = closeness.concepts_in(dict.fromkeys(closeness.concepts if among is None else among))
    scores = closeness.between(names)
    more = tuple(category for category in dict.fromkeys(unplaced) if category not in names)
    apart = {(score.key, score.response): 1 - score.bdm for score in scores}
    categories = (*names, *more)
    rows = tuple(
        tuple(
            0.0 if row == other else apart.get((row, other), apart.get((other, row), 1.0))
            for other in categories
        )
        for row in categories
    )
    origin = closeness.origin(name, more)
    return DistanceMatrix("", categories, rows, "", name, origin, closeness.concepts, scores)


def _closeness(path: Path, name: str, *, taxonomy: bool | None) -> "Closeness | None":
    """Return how close concepts are by a taxonomy or by a file of scores, None where it is a table."""
    text = read_text(path, name)
    lines = (line.strip() for line in text.splitlines() if line.strip())
    is_scores = any(line.startswith(("key=", "##")) for line in islice(lines, HEAD))
    if not (is_scores or taxonomy is None or taxonomy):
        return None  # most campaigns need no more than tables
    from reportgen.campaign.taxonomies import BalancedDistance, is_taxonomy, read_scores, read_taxonomy

    if is_taxonomy(text) if taxonomy is None else taxonomy:
        return BalancedDistance(read_taxonomy(path, name))
    return read_scores(text, name) if is_scores else None


def _read_matrix(path: Path, name: str) -> DistanceMatrix:
    """Return the distance table of a CSV file; its rows may be in another order than its columns.

    Raises BadInput with everything that is wrong, each with line and cell: a table that is not square, other
    row names than column names, what is no finite number, a negative distance, a category that is away from
    itself, two distances between the same two.
    """
    mark, rows = read_table(path, name)
    draft = _DistanceTableDraft(name, mark, tuple(rows[0][1][1:]), rows[0][0], rows[1:])
    if problems := list(draft.problems()):
        raise BadInput(problems)
    names = draft.columns
    values = tuple(tuple(abs(draft.numbers[row, column]) for column in names) for row in names)
    return DistanceMatrix("", names, values, "", name)


@dataclass(frozen=True)
class _DistanceTableDraft:
    """A distance table that may still be wrong."""

    file: str
    mark: str
    columns: tuple[str, ...]
    header_line: int
    body: list[NumberedRow]

    @cached_property
    def cells(self) -> dict[tuple[str, str], str]:
        """The text of each cell by row and column, of a repeated row the first."""
        cells: dict[tuple[str, str], str] = {}
        for _, row in self.body:
            for column, cell in zip(self.columns, row[1:], strict=False):
                cells.setdefault((row[0], column), cell)
        return cells

    @cached_property
    def numbers(self) -> dict[tuple[str, str], float]:
        """The finite numbers by row and column."""
        read = {position: read_number(cell, self.mark) for position, cell in self.cells.items()}
        return {cell: value for cell, value in read.items() if value is not None and math.isfinite(value)}

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line of each row."""
        return {row[0]: line for line, row in reversed(self.body)}

    def problem(self, line: int, key: str, message: str, remedy: str) -> Problem:
        return Problem(self.file, line, escaped(key), escaped(message), remedy)

    def problems(self) -> Iterator[Problem]:
        if not self.columns:
            message = "names no category; the categories were expected from the second cell on."
            yield self.problem(self.header_line, "first row", message, "Write for example: ,Former,New.")
            return
        yield from self._wrong_names("column", [(self.header_line, name) for name in self.columns])
        yield from self._wrong_names("row", [(line, row[0]) for line, row in self.body])
        width = len(self.columns)
        if len(self.body) != width:
            message = f"is not square: {_of(len(self.body), 'row')} and {_of(width, 'column')}."
            yield self.problem(self.header_line, "", message, "Write one row and one column a category.")
        for column in dict.fromkeys(self.columns):
            if column and column not in self.lines:
                message = f"has no row; the rows are {_enumerated(self.lines)}."
                yield self.problem(self.header_line, f"column {column}", message, "Add it.")
        for line, (name, *cells) in self.body:
            if name and name not in self.columns:
                message = f"is not a column; the columns are {_enumerated(self.columns)}."
                remedy = nearest(name, self.columns) or "Add the column, or take the row away."
                yield self.problem(line, f"row {name}", message, remedy)
            if len(cells) != width:
                message = f"has {_of(len(cells), 'distance')}; {width} were expected, one a column."
                yield self.problem(line, f"row {name}", message, "Fill in the row.")
        for (row, column), cell in self.cells.items():
            if wrong := self._wrong_cell(row, column, cell):
                yield self.problem(self.lines[row], f"row {row}, column {column}", *wrong)
        yield from self._asymmetries()

    def _wrong_names(self, what: str, names: list[tuple[int, str]]) -> Iterator[Problem]:
        earlier: set[str] = set()
        for position, (line, name) in enumerate(names, start=2):
            if not name:
                yield self.problem(line, f"{what} {position}", "has no name.", "Write its category.")
            elif name in earlier:
                yield self.problem(line, f"{what} {name}", f"is the second {what} of that name.", "Keep one.")
            earlier.add(name)

    def _wrong_cell(self, row: str, column: str, cell: str) -> tuple[str, str] | None:
        value = read_number(cell, self.mark)
        if value is None:
            shown = f"is {quoted(cell)}, which is not a number" if cell else "is empty"
            return f"{shown}; a distance was expected.", "Write a number, such as 0.5."
        if not math.isfinite(value):
            return f"is {quoted(cell)}, which is not finite.", "Write a finite number, such as 1."
        if abs(value) > LARGEST:
            return f"is {quoted(cell)}, which is too large.", "Write smaller ones: ratios count."
        if value < 0:
            return f"is {cell}; a distance is never negative.", "Write 0 or more."
        if row == column and value:
            return f"is {cell}; a category is at distance 0 from itself.", "Write 0."
        return None

    def _asymmetries(self) -> Iterator[Problem]:
        for (row, column), value in self.numbers.items():
            other = self.numbers.get((column, row), value)
            if value != other and self.lines[row] > self.lines.get(column, 0):
                line, cell = self.lines[column], self.cells[column, row]
                mirrored = f"row {column}, column {row} (line {line}) is {cell}"
                message = f"is {self.cells[row, column]}, but {mirrored}; distances are the same both ways."
                key = f"row {row}, column {column}"
                yield self.problem(self.lines[row], key, message, "Write the same number in both.")


def _of(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _enumerated(names: Iterable[str]) -> str:
    return alternatives((name for name in names if name), "and") or "not named"
