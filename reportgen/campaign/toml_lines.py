"""On which line of a TOML text a key is.

There is little TOML grammar here: strings, comments and brackets tell where statements end, and the standard
parser is asked what each of them says. A key is in the first statement that gives it.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import read_text
from reportgen.campaign.guidelines import FILE, Campaign
from reportgen.campaign.toml_tables import ReadOptions, Task
from reportgen.campaign.values import KeyPath, dotted

# Strings, of several lines too, comments, brackets and line ends; what is not closed goes on to the end.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+|[][{}\n]",
    re.DOTALL,
)

Elements = dict[KeyPath, int]


def locate(text: str, paths: Iterable[KeyPath]) -> dict[KeyPath, int]:
    """Return the line, counted from 1, of each key path in a TOML text that parses.

    A key inside a statement of several lines (an array, an inline table) is located at the statement's
    first line, a key that is missing at the table that lacks it, or at line 1 without one.
    """
    asked = list(paths)
    unseen = set(asked)
    lines: dict[KeyPath, int] = {}
    for start, path in _given(text):
        lines.setdefault(path, start + 1)
        unseen.discard(path)
        if not unseen:
            break

    def line(path: KeyPath) -> int:
        return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), 1)

    return {path: line(path) for path in asked}


def statement_starts(text: str) -> list[int]:
    """Return the index of the line at which each statement starts, counted from 0.

    In a text that does not parse the last one is the start of the statement that does not. Blank lines and
    comments count as statements of their own.
    """
    starts: list[int] = []
    for start, statement in _statements(text):
        starts.append(start)
        if _parsed(statement) is None:
            break
    return starts or [0]


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each statement with the index of its first line."""
    # TOML ends lines with LF or CR LF only; str.splitlines knows many more.
    plain = text.replace("\r\n", "\n")
    begin = start = line = depth = 0
    for token in TOKEN.finditer(plain):
        sign = token[0]
        depth = max(0, depth + (sign in {"[", "{"}) - (sign in {"]", "}"}))
        line += sign.count("\n")
        if sign == "\n" and not depth:
            yield start, plain[begin : token.end()]
            begin, start = token.end(), line
    if begin < len(plain):
        yield start, plain[begin:]


def _parsed(statement: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(statement)
    except (ValueError, RecursionError):
        return None


def _given(text: str) -> Iterator[tuple[int, KeyPath]]:
    """Yield the line and the path of all that each statement gives."""
    table: KeyPath = ()
    elements: Elements = {}
    for start, statement in _statements(text):
        table_content = _parsed(statement) or {}
        if statement.lstrip().startswith("["):
            table = _table(table_content, elements)
            yield from ((start, table[:end]) for end in range(1, len(table) + 1))
        else:
            yield from ((start, path) for path in _within(table_content, table))


def _table(header: Mapping[str, Any], elements: Elements) -> KeyPath:
    """Return the table that a header opens; of a list of tables the next element, which is counted."""
    path: KeyPath = ()
    here: Any = header
    while here:
        if isinstance(here, list):
            elements[path] = elements.get(path, 0) + 1
            return (*path, elements[path] - 1)
        if path in elements:
            path = (*path, elements[path] - 1)
        (name,) = here
        path, here = (*path, name), here[name]
    return path


def _within(value: Any, path: KeyPath) -> Iterator[KeyPath]:  # noqa: ANN401 - any TOML value
    """Yield the paths in a value."""
    elements: Iterable[tuple[str | int, Any]] = enumerate(value) if isinstance(value, list) else ()
    for part, inner in value.items() if isinstance(value, Mapping) else elements:
        yield (*path, part)
        yield from _within(inner, (*path, part))


# Where in campaign.toml a mistake is that another room found.


def placed(campaign: Campaign, problem: Problem, version: str, layer: str | None = None) -> Problem:
    """Return a problem that names no file, or campaign.toml without a line, with both and the whole key.

    `problem.key` is "task.scale", "unit_sets.2.size", "format", …, and may be overridden by the version or
    the layer; empty, it means the version's exports. A problem of any other file is returned unchanged.
    """
    if problem.file not in {"", campaign.file} or problem.line:
        return problem
    path = _path(campaign, problem.key, version, layer)
    lines = lines_of(campaign, [path])
    return replace(problem, file=campaign.file, key=dotted(path), line=lines.get(path, 0))


def lines_of(campaign: Campaign, paths: list[KeyPath]) -> Mapping[KeyPath, int]:
    """Return the line of each key path in campaign.toml; none where it can't be read any more."""
    if not paths:
        return {}
    try:
        return locate(read_text(Path(campaign.folder) / FILE, campaign.file), paths)
    except BadInput:
        return {}


def _path(campaign: Campaign, key: str, version: str, layer: str | None) -> KeyPath:
    """Return the path of the key that counts: the layer's, else the version's, else the campaign's."""
    written = tuple(int(part) - 1 if part.isdigit() else part for part in key.split(".") if part)
    here: KeyPath = ("guidelines", campaign.index_of(version))
    if not written:
        return (*here, "exports")
    # What is said of one annotator is said of all versions; a version names those whose marks are used.
    of_person = written[0] == "annotators" and len(written) > len(("annotators", "name"))
    if written[0] in ReadOptions.model_fields and not of_person:
        return (*here, *written)
    return next((path for path in _overrides(campaign, written, here, layer)), written)


def _overrides(campaign: Campaign, written: KeyPath, here: KeyPath, layer: str | None) -> Iterator[KeyPath]:
    match written:
        case ("task", str(name)) if name in Task.model_fields:
            for index, declared in enumerate(campaign.layers):
                if declared.id == layer and name in declared.model_fields_set:
                    yield ("layers", index, name)
            if name in campaign.guidelines[int(here[1])].model_fields_set:
                yield (*here, name)
        case ("unit_sets", int(index), "size") if index < len(campaign.unit_sets):
            name = campaign.unit_sets[index].id
            if name in campaign.guidelines[int(here[1])].unit_sets:
                yield (*here, "unit_sets", name, "size")
