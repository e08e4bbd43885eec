"""Reads filled sheets back: each row held against the exports as they are now, every problem at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from reportgen.adjudication.cells import plain, read
from reportgen.adjudication.filled import Row, read_sheet
from reportgen.adjudication.matching import find_decision, find_unit, wrong_labels
from reportgen.adjudication.names import CAUSES, cause_of
from reportgen.adjudication.units import Adjudication, SheetUnits
from reportgen.errors import BadInput, Problem, did_you_mean

NEW_SHEET = "Copy the row from a sheet made of these exports."


@dataclass
class _Said:
    """What the sheets say of one layer's units so far, each with the row that said it."""

    sheet: SheetUnits
    decisions: dict[int, tuple[str, Row]] = field(default_factory=dict)
    causes: dict[int, tuple[str, Row]] = field(default_factory=dict)


def read_decisions(
    files: Sequence[tuple[Path, str]], layers: Sequence[SheetUnits], clean: Callable[[str], str]
) -> list[Adjudication]:
    """Return what filled sheets decide in each layer.

    Each file is a path and what errors call it; `clean` does to a decision what is done to the labels of
    exports. Raises BadInput, for all rows of all files at once, where a row means no unit of the exports, has
    other labels than they have, or a decision or cause that is none, and where a unit is decided twice
    differently.
    """
    said = {sheet.layer: _Said(sheet) for sheet in layers}
    problems: list[Problem] = []
    for path, name in files:
        try:
            for row in read_sheet(path, name):
                problems += _hear(row, said, clean)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return [
        Adjudication(
            each.sheet,
            {unit: what for unit, (what, _) in each.decisions.items()},
            {unit: what for unit, (what, _) in each.causes.items()},
            filled=True,
        )
        for each in said.values()
    ]


def _hear(row: Row, said: dict[str, _Said], clean: Callable[[str], str]) -> Iterator[Problem]:
    """Take down what a row says; yield what is wrong with it."""
    cause, problems = _cause(row)
    yield from problems
    layer = said.get(plain(read(row.cells["layer"])))
    if layer is None:
        yield _unknown(row, "layer", row.cells["layer"], list(said))
        return
    decision, problems = _decision(row, layer.sheet, clean)
    yield from problems
    unit, problems = find_unit(row, layer.sheet)
    yield from problems
    if unit is None:
        return
    if labels := wrong_labels(row, layer.sheet, unit):
        yield labels
    yield from _note(layer.decisions, unit, decision, row, "decision")
    yield from _note(layer.causes, unit, cause, row, "cause")


def _note(
    known: dict[int, tuple[str, Row]], unit: int, what: str, row: Row, column: str
) -> Iterator[Problem]:
    """Keep what was said of a unit; yield a problem where something else was said of it before."""
    if not what:
        return
    other, there = known.setdefault(unit, (what, row))
    if other != what:
        place = f"line {there.line}" if there.file == row.file else f"{there.file}, line {there.line}"
        message = f'is "{what}", but the same unit has "{other}" on {place}.'
        yield row.problem(column, message, "Keep one of the two.")


def _unknown(row: Row, column: str, cell: str, known: Sequence[str]) -> Problem:
    if not cell.strip():
        return row.problem(column, "is empty.", NEW_SHEET)
    return row.problem(column, f'no {column} is called "{plain(cell)}".', did_you_mean(plain(cell), known))


def _decision(row: Row, sheet: SheetUnits, clean: Callable[[str], str]) -> tuple[str, list[Problem]]:
    """Return the category that was decided on, empty where none was."""
    cell = row.cells["decision"]
    if not cell.strip():
        return "", []
    found = find_decision(cell, sheet, clean)
    if found is not None:
        return found, []
    problem = _unknown(row, "decision", cell, sheet.categories)
    message = f'"{plain(cell)}" is no category of layer "{sheet.layer}".'
    return "", [replace(problem, message=message)]


def _cause(row: Row) -> tuple[str, list[Problem]]:
    """Return the cause that was noted, empty where none was."""
    cell = row.cells["cause"]
    if not cell.strip():
        return "", []
    found = cause_of(cell)
    if found is not None:
        return found, []
    mend = did_you_mean(plain(cell), CAUSES)
    return "", [row.problem("cause", f'"{plain(cell)}" is no cause that is known.', mend)]
