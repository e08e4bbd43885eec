"""The CSV tables of a campaign: sizes, control items, lists of terms, distances between categories."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem, alternatives, escaped, nearest, quoted
from reportgen.base.files import (
    NumberedRow,
    of_another_length,
    read_number,
    read_table,
    read_text,
    read_two_columns,
)

if TYPE_CHECKING:
    from reportgen.campaign.bdm import Closeness, Origin, Score


# How many units each document holds, where a campaign declares it.

COLUMNS = ("document", "size")
WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")


def read_sizes(path: Path, name: str) -> dict[str, int]:
    """Return the size of each document, from a CSV file with the columns document and size.

    `name` is what errors call the file. Raises BadInput with everything that is wrong: other columns, a
    row of another length, a document without a name or twice, a size that is no whole number.
    """
    header_line, body = read_two_columns(path, name, COLUMNS)
    problems = list(_problems(name, header_line, body))
    if problems:
        raise BadInput(problems)
    return {document: int(size) for _, (document, size) in body}


def _problems(name: str, header_line: int, body: list[NumberedRow]) -> Iterator[Problem]:
    if not body:
        yield Problem(name, header_line, "", "lists no document.", "Write one row a document.")
    first: dict[str, int] = {}
    for line, row in body:
        for key, message, mend in _row_problems(row, first):
            yield Problem(name, line, escaped(key), message, mend)
        first.setdefault(row[0], line)


def _row_problems(row: list[str], first: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    if len(row) != len(COLUMNS):
        yield "", *of_another_length(row, COLUMNS)
        return
    document, size = row
    if not document:
        yield "column document", "is empty; the name of a document was expected.", "Write the name."
    if document in first:
        yield f"row {document}", f"stands on line {first[document]} already.", "Keep one of the two."
    if not WHOLE_NUMBER.fullmatch(size):
        found = f"is {quoted(size)}" if size else "is empty"
        yield f"row {document}, column size", f"{found}; a whole number was expected.", "Write digits only."


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
    length, an empty unit or label, a layer that is none, an item that stands there twice.
    """
    _, rows = read_table(path, name)
    line, header = rows[0][0], [cell.casefold() for cell in rows[0][1]]
    _check_header(name, line, header)
    problems: list[Problem] = []
    found: dict[tuple[str, str, str], ControlItem] = {}
    for row in rows[1:]:
        item = _item(row, header, layers)
        wrong = list(_wrong(name, row, item, layers))
        if item and not wrong:
            key = item.layer, item.document, item.unit
            if key in found:
                message = f"stands on line {found[key].line} already."
                where = f"row {escaped(item.unit)}"
                wrong = [Problem(name, item.line, where, message, "Keep one of the two.")]
            found.setdefault(key, item)
        problems += wrong
    if not found and not problems:
        problems = [Problem(name, line, "", "lists no control item.", "Write one row a control item.")]
    if problems:
        raise BadInput(problems)
    return tuple(found.values())


def _check_header(name: str, line: int, header: Sequence[str]) -> None:
    fits = set(NEEDED) <= set(header) <= set(ALLOWED) and len(set(header)) == len(header)
    if not fits:
        message = f"has the columns {alternatives(header, 'and')}; unit and label were expected."
        mend = "Write unit,label above them; document and layer may stand beside."
        raise BadInput([Problem(name, line, "first row", message, mend)])


def _item(row: NumberedRow, header: Sequence[str], layers: Sequence[str]) -> ControlItem | None:
    """Return the control item of a row, None where the row has another length."""
    line, cells = row
    if len(cells) != len(header):
        return None
    named = dict.fromkeys(ALLOWED, "") | dict(zip(header, cells, strict=True))
    return ControlItem(line, named["unit"], named["label"], named["document"], named["layer"] or layers[0])


def _wrong(name: str, row: NumberedRow, item: ControlItem | None, layers: Sequence[str]) -> Iterator[Problem]:
    line, cells = row
    if item is None:
        message = f"has {len(cells)} cell{'s' if len(cells) != 1 else ''}, another number than the first row."
        yield Problem(name, line, "", message, "Correct the row.")
        return
    for column in NEEDED:
        if not getattr(item, column):
            yield Problem(name, line, f"column {column}", "is empty.", f"Write the {column}.")
    if item.layer not in layers:
        mend = nearest(item.layer, layers) or f"It has {alternatives(layers, 'and')}."
        message = f"the campaign has no layer {quoted(item.layer)}."
        yield Problem(name, line, "column layer", message, mend)


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
        mend = "Write one term a line, as the texts have it."
        raise BadInput([Problem(name, message="lists no term.", mend=mend)])
    return terms


# Distances between categories, read from a table with the categories as first row and column.

# A line that GATE writes above its scores, and a second one that somebody may have added.
HEAD = 2
LARGEST = 10**15  # so that sums and squares of distances stay finite


@dataclass(frozen=True)
class DistanceMatrix:
    """A symmetric table of distances: `rows` and columns both in the order of `categories`.

    Where distances are 1 - BDM, `origin` says where the scores come from, and `scores` has that of every two
    concepts, with what it was computed from.
    """

    id: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    why: str
    file: str
    origin: "Origin | None" = None
    scores: "tuple[Score, ...]" = ()


def is_scores(text: str) -> bool:
    """Say whether a text is a file of BDM scores: one of its first lines begins as all of them do."""
    filled = (line.strip() for line in text.splitlines() if line.strip())
    return any(line.startswith(("key=", "##")) for line in islice(filled, HEAD))


def read_distances(path: Path, name: str, id: str, why: str = "") -> DistanceMatrix:  # noqa: A002 - a field's name
    """Return the distance table of a CSV file; its rows may stand in another order than its columns.

    A file of BDM scores that GATE wrote is told by its content, and read with all concepts that it has.
    `name` is what errors call the file. Raises BadInput with everything that is wrong, each with line
    and cell: a table that is not square, other row names than column names, what is no finite number,
    a negative distance, a category that is away from itself, two distances between the same two.
    """
    text = read_text(path, name)
    if is_scores(text):
        from reportgen.campaign.bdm import read_scores

        scores = read_scores(text, name)
        return from_closeness(scores, scores.concepts, DistanceMatrix(id, (), (), why, name))
    mark, rows = read_table(path, name)
    draft = _DistanceTableDraft(name, mark, tuple(rows[0][1][1:]), rows[0][0], rows[1:])
    problems = list(draft.problems())
    if problems:
        raise BadInput(problems)
    values = tuple(
        tuple(abs(draft.numbers[row, column]) for column in draft.columns) for row in draft.columns
    )
    return DistanceMatrix(id, draft.columns, values, why, name)


def read_closeness(path: Path, name: str, *, taxonomy: bool) -> "Closeness | None":
    """Return how close concepts are by a taxonomy or by a file of scores, None where it is a table.

    Raises BadInput with all that is wrong in the file.
    """
    if taxonomy:
        from reportgen.campaign.bdm import BalancedDistance
        from reportgen.campaign.taxonomies import read_taxonomy

        return BalancedDistance(read_taxonomy(path, name))
    text = read_text(path, name)
    if not is_scores(text):
        return None
    from reportgen.campaign.bdm import read_scores

    return read_scores(text, name)


def distances_among(
    path: Path,
    name: str,
    id: str,  # noqa: A002 - a field's name
    categories: Collection[str],
    unplaced: Sequence[str] = (),
) -> DistanceMatrix:
    """Return the distances that a file holds, whatever it is: a table, BDM scores or a taxonomy.

    Of the latter two it has the `categories` that are concepts, and the `unplaced` ones, as `from_closeness`
    says. Raises BadInput with all that is wrong in the file, which errors call `name`.
    """
    from reportgen.campaign.taxonomies import is_taxonomy

    closeness = read_closeness(path, name, taxonomy=is_taxonomy(read_text(path, name)))
    if closeness is None:
        return read_distances(path, name, id)
    return from_closeness(closeness, categories, DistanceMatrix(id, (), (), "", name), unplaced)


def from_closeness(
    closeness: "Closeness", categories: Collection[str], table: DistanceMatrix, unplaced: Sequence[str] = ()
) -> DistanceMatrix:
    """Return a table with the distances 1 - BDM of those categories that are concepts.

    `unplaced` are categories that need not be concepts, such as the non-annotated one: they have nothing in
    common with any, and are at distance 1 from all others.
    """
    names = closeness.known(tuple(dict.fromkeys(categories)))
    scores = closeness.between(names)
    more = tuple(name for name in dict.fromkeys(unplaced) if name not in names)
    apart = {(score.key, score.response): 1 - score.bdm for score in scores}
    every = (*names, *more)
    rows = tuple(
        tuple(0.0 if one == other else _apart(apart, one, other) for other in every) for one in every
    )
    origin = replace(closeness.origin, unplaced=more)
    return replace(table, categories=every, rows=rows, origin=origin, scores=scores)


def _apart(apart: dict[tuple[str, str], float], one: str, other: str) -> float:
    return apart.get((one, other), apart.get((other, one), 1.0))


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
        read = {place: read_number(cell, self.mark) for place, cell in self.cells.items()}
        return {place: value for place, value in read.items() if value is not None and math.isfinite(value)}

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line of each row."""
        return {row[0]: line for line, row in reversed(self.body)}

    def problem(self, line: int, key: str, message: str, mend: str) -> Problem:
        return Problem(self.file, line, escaped(key), escaped(message), mend)

    def problems(self) -> Iterator[Problem]:
        if self.columns:
            yield from self._wrong_names("column", [(self.header_line, name) for name in self.columns])
            yield from self.wrong_rows()
            yield from self.wrong_cells()
            yield from self.asymmetries()
        else:
            message = "names no category; the categories were expected from the second cell on."
            yield self.problem(self.header_line, "first row", message, "Write for example: ,Former,New.")

    def wrong_rows(self) -> Iterator[Problem]:
        yield from self._wrong_names("row", [(line, row[0]) for line, row in self.body])
        if len(self.body) != len(self.columns):
            message = f"is not square: {_of(len(self.body), 'row')} and {_of(len(self.columns), 'column')}."
            yield self.problem(self.header_line, "", message, "Write one row and one column a category.")
        for column in dict.fromkeys(self.columns):
            if column and column not in self.lines:
                message = f"has no row; the rows are {_enumerated(self.lines)}."
                yield self.problem(self.header_line, f"column {column}", message, "Add it.")
        for line, row in self.body:
            yield from self._wrong_row(line, row)

    def _wrong_names(self, what: str, names: list[tuple[int, str]]) -> Iterator[Problem]:
        known: set[str] = set()
        for position, (line, name) in enumerate(names, start=2):
            if not name:
                yield self.problem(line, f"{what} {position}", "has no name.", "Write its category.")
            elif name in known:
                yield self.problem(line, f"{what} {name}", f"is the second {what} of that name.", "Keep one.")
            known.add(name)

    def _wrong_row(self, line: int, row: list[str]) -> Iterator[Problem]:
        if row[0] and row[0] not in self.columns:
            message = f"is no column; the columns are {_enumerated(self.columns)}."
            mend = nearest(row[0], self.columns) or "Add the column, or take the row away."
            yield self.problem(line, f"row {row[0]}", message, mend)
        if len(row) != len(self.columns) + 1:
            counts = f"{_of(len(row) - 1, 'distance')}; {len(self.columns)} were expected, one a column."
            yield self.problem(line, f"row {row[0]}", f"has {counts}", "Fill in the row.")

    def wrong_cells(self) -> Iterator[Problem]:
        for (row, column), cell in self.cells.items():
            wrong = self._wrong_cell(row, column, cell)
            if wrong:
                yield self.problem(self.lines[row], f"row {row}, column {column}", *wrong)

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

    def asymmetries(self) -> Iterator[Problem]:
        places = [(row, column) for row, column in self.numbers if row in self.columns and row != column]
        for row, column in places:
            other = (column, row)
            is_later = self.lines[row] > self.lines.get(column, 0)
            if is_later and other in self.numbers and self.numbers[other] != self.numbers[row, column]:
                there = f"row {column}, column {row} (line {self.lines[column]}) is {self.cells[other]}"
                message = f"is {self.cells[row, column]}, but {there}; distances are the same both ways."
                yield self.problem(
                    self.lines[row], f"row {row}, column {column}", message, "Write the same number in both."
                )


def _of(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _enumerated(names: Iterable[str]) -> str:
    return alternatives((name for name in names if name), "and") or "not named"
