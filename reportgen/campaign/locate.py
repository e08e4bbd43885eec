"""On which line of a TOML text a key stands.

There is no TOML grammar here: the standard parser is asked which runs of lines it takes. A statement
is the shortest run, after the statements before it, that parses alone; a key stands in the first
statement up to which the parsed text holds it.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from reportgen.campaign.wording import KeyPath


def locate(text: str, paths: Iterable[KeyPath]) -> dict[KeyPath, int]:
    """Return the line, counted from 1, of each key path in a TOML text that parses.

    A key inside a statement of several lines (an array, an inline table) is located at the statement's
    first line, a key that is missing at the table that lacks it, or at line 1 without one.
    """
    lines = _lines(text)
    starts = statement_starts(text)
    ends = [*starts[1:], len(lines)]

    @cache
    def parsed(statements: int) -> Mapping[str, object]:
        return _parsed(lines[: ends[statements - 1]]) or {}

    return {path: _line(path, starts, parsed) for path in paths}


def statement_starts(text: str) -> list[int]:
    """Return the index of the line at which each statement starts, counted from 0.

    In a text that does not parse the last one may be the start of a statement that never ends. Blank
    lines and comments count as statements of their own.
    """
    lines = _lines(text)
    starts = [0]
    for index in range(len(lines)):
        if _parsed(lines[starts[-1] : index + 1]) is not None and index + 1 < len(lines):
            starts.append(index + 1)
    return starts


def holds(
    node: Any,  # noqa: ANN401 - TOML holds anything
    path: KeyPath,
) -> bool:
    """Return whether parsed TOML holds anything under a key path."""
    for part in path:
        is_key = isinstance(node, Mapping) and part in node
        is_position = isinstance(node, list) and isinstance(part, int) and part < len(node)
        if not (is_key or is_position):
            return False
        node = node[part]
    return True


def _lines(text: str) -> list[str]:
    # TOML ends lines with LF or CR LF only; str.splitlines knows many more.
    return text.replace("\r\n", "\n").split("\n")


def _parsed(lines: list[str]) -> dict[str, object] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return None


def _line(path: KeyPath, starts: list[int], parsed: Callable[[int], Mapping[str, object]]) -> int:
    while path and not holds(parsed(len(starts)), path):
        path = path[:-1]
    before, until = 0, len(starts)
    # What the first `until` statements hold, more statements hold too: bisect.
    while path and until - before > 1:
        middle = (before + until) // 2
        before, until = (before, middle) if holds(parsed(middle), path) else (middle, until)
    return starts[until - 1] + 1 if path else 1
