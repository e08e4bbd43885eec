"""Tables of counts as they were written: a known header, rows of its length, whole numbers at their end."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.files import numbered_rows
from reportgen.formats.counted import LARGEST
from reportgen.formats.reader import ExportFile, shortened

Row = tuple[int, tuple[str, ...]]

DELIMITER = ","
AS_WRITTEN = "Take the file as reportgen wrote it."
NUMBER = re.compile(r"[0-9]{1,16}")
DIGITS = re.compile(r"[+-]?[0-9]+")


def has_header(file: ExportFile, header: Sequence[str]) -> bool:
    """Say whether the first line of a text is this header."""
    return file.text.partition("\n")[0].rstrip("\r") == DELIMITER.join(header)


def read_rows(file: ExportFile, header: Sequence[str]) -> list[Row]:
    """Return the rows of a table of counts with their lines, the count at their end a whole number.

    Raises BadInput with every fault of the table.
    """
    found = numbered_rows(file.text, DELIMITER)
    problems = list(_wrong_header(file, found, header))
    if not problems:
        problems = shortened(list(_wrong_rows(file, found[1:], header)))
    if not problems:
        problems = list(_wrong_sum(file, found[1:]))
    if problems:
        raise BadInput(problems)
    # Names stand in many rows, and are kept once: of a crowd there are millions of pairs.
    names: dict[str, str] = {}
    return [(line, tuple([names.setdefault(cell, cell) for cell in cells])) for line, cells in found[1:]]


def _wrong_header(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    expected = f"The first line of {_base(file)} is {DELIMITER.join(header)}."
    if not rows:
        yield Problem(file.name, message="is empty.", mend=expected)
    elif tuple(rows[0][1]) != tuple(header):
        message = f'has the columns "{DELIMITER.join(rows[0][1])}", which no counts have.'
        yield Problem(file.name, rows[0][0], message=message, mend=expected)


def _base(file: ExportFile) -> str:
    return file.path.name


def _wrong_rows(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"has {len(cells)} cells, and the header {len(header)}."
            yield Problem(file.name, line, message=message, mend=AS_WRITTEN)
        elif not NUMBER.fullmatch(cells[-1]) or int(cells[-1]) > LARGEST:
            yield Problem(file.name, line, f"column {header[-1]}", _no_count(cells[-1]), AS_WRITTEN)


def _no_count(cell: str) -> str:
    """Return what is wrong with a cell that is no count."""
    if not DIGITS.fullmatch(cell):
        return f'"{cell}" is no count; a whole number was expected.'
    return f"{cell} is below 0, and counts are not." if cell.startswith("-") else f"{cell} is too large."


def _wrong_sum(file: ExportFile, rows: Sequence[tuple[int, list[str]]]) -> Iterator[Problem]:
    if sum(int(cells[-1]) for _, cells in rows) > LARGEST:
        message = f"counts more than {LARGEST:,} in all, which no corpus holds."
        yield Problem(file.name, message=message, mend=AS_WRITTEN)


def by_layer(
    file: ExportFile, rows: Sequence[Row], known: Mapping[str, Sequence[str]], *, unit_sets: bool
) -> dict[str, list[Row]]:
    """Return the rows of each layer of `known`, which has the unit sets of each.

    Raises BadInput for rows of other layers, and with `unit_sets` for those of other unit sets.
    """
    found: dict[str, list[Row]] = {layer: [] for layer in known}
    problems: list[Problem] = []
    for line, cells in rows:
        if cells[0] not in known:
            message = f'counts.json has no layer "{cells[0]}".'
            problems.append(Problem(file.name, line, "column layer", message, _meant(cells[0], list(known))))
        elif unit_sets and cells[1] not in known[cells[0]]:
            message = f'counts.json has no unit set "{cells[1]}" in this layer.'
            mend = _meant(cells[1], known[cells[0]])
            problems.append(Problem(file.name, line, "column unit_set", message, mend))
        else:
            found[cells[0]].append((line, cells))
    if problems:
        raise BadInput(shortened(problems))
    return found


def _meant(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or AS_WRITTEN
