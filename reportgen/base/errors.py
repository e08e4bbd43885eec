"""What is wrong with the input: every problem at once, each with its place and its remedy."""

import inspect
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import islice
from typing import TypeVar

from reportgen.base import FORMAT
from reportgen.base.dataclass import dataclass

Item = TypeVar("Item")
Result = TypeVar("Result")

NAMES_SHOWN = 20
# Nobody reads more problems at once; the others are counted.
MOST_TOLD = 100
# Longer names are not compared, nor is a name with more than these: it takes long to see what is alike.
LONGEST_NAME, MOST_NAMES = 100, 1000
JOINERS = "\u200c\u200d"
LONGEST_SHOWN = 60


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong in one place.

    `file` is the path as the user would type it, `line` counts from 1 and is 0 where no line can be
    named, `key` is a dotted path in campaign.toml ("unit_sets.2.size", counted from 1) or a column or
    cell of a table ("row Former, column New"), empty where there is none. `message` says what was
    found and what was expected, `remedy` what to do about it. `others` counts further problems, which are
    not listed. One that is `named` has its own line, however many are like it.
    """

    file: str
    line: int = 0
    key: str = ""
    message: str = ""
    remedy: str = ""
    others: int = field(default=0, kw_only=True)
    named: bool = field(default=False, kw_only=True)

    @property
    def place(self) -> str:
        """The file, with its line where one can be named."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        """Return "file:line: key: message remedy" on one line."""
        parts = [self.place, self.key, self.message]
        text = ": ".join(part for part in parts if part)
        return f"{text} {self.remedy}".rstrip()


class BadInput(Exception):
    """The input can't be used; `problems` lists all that was found, in reading order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems sorted by file and line, without repetitions."""
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type["BadInput"], tuple[tuple[Problem, ...]]]:
        """Return what pickle makes it of again: its problems, not their text."""
        return type(self), (self.problems,)


def refused(file: str, line: int = 0, key: str = "", message: str = "", remedy: str = "") -> BadInput:
    """Return the error for one thing that is wrong in one place, with the parts of a Problem."""
    return BadInput([Problem(file, line, key, message, remedy)])


def listed(problems: Sequence[Problem]) -> tuple[Sequence[Problem], int]:
    """Return the first problems, those that are listed, and the number of all."""
    return problems[:MOST_TOLD], len(problems) + sum(problem.others for problem in problems)


def tried(items: Iterable[Item], step: Callable[[Item], Result]) -> tuple[list[Result], list[Problem]]:
    """Return what the step makes of each item, and the problems of those for which it raises BadInput."""
    results: list[Result] = []
    problems: list[Problem] = []
    for item in items:
        try:
            results.append(step(item))
        except BadInput as error:
            problems += error.problems
    return results, problems


def for_each(items: Iterable[Item], step: Callable[[Item], Result]) -> list[Result]:
    """Return what the step makes of each item; raise BadInput with the problems of all that fail."""
    results, problems = tried(items, step)
    if problems:
        raise BadInput(problems)
    return results


# Of a message what differs from place to place: names in quotes, and numbers.
OF_ONE_PLACE = re.compile(r'"[^"]*"|\d[\d.,]*')
PLACES_SHOWN = 3


def alike_as_one(problems: Iterable[Problem | str]) -> list[str]:
    """Return a line for each problem, and of more than three that are alike one with their number."""
    known = list(problems)
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for problem in known:
        if isinstance(problem, Problem) and not problem.named:
            groups.setdefault(_kind(problem), []).append(problem)
    lines: list[str] = []
    for problem in known:
        if isinstance(problem, str) or problem.named:
            lines.append(str(problem))
            continue
        group = groups[_kind(problem)]
        if len(group) <= PLACES_SHOWN:
            lines.append(str(problem))
        elif problem is group[0]:
            lines.append(_first_and_others(group))
    return lines


def _kind(problem: Problem) -> tuple[str, ...]:
    return tuple(OF_ONE_PLACE.sub("", text) for text in (problem.key, problem.message, problem.remedy))


def _first_and_others(group: Sequence[Problem]) -> str:
    """Return the first problem, how many are like it, and where these are; in one place, what they name."""
    where = [problem.place for problem in group]
    what = [OF_ONE_PLACE.search(problem.message) for problem in group]
    if len(set(where)) == 1 and all(what):
        shown = " and ".join(found[0] for found in what[1:PLACES_SHOWN] if found)
        such = f"for example {shown}"
    else:
        such = f"such as in {' and '.join(where[1:PLACES_SHOWN])}"
    return f"{str(group[0]).removesuffix('.')}; {len(group) - 1:,} more are like this, {such}."


def reason(error: Exception) -> str:
    """Return why the system refused, in its own words: "permission denied"."""
    words = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    return (words[0].lower() + words[1:]).removesuffix(".")


# What Python's zip reader says of a damaged member.
OTHER_CHECKSUM = re.compile(r"Bad CRC-32 for file '(.*)'$")
# What Python's JSON reader says, and what it means.
JSON_FAULTS = {
    "Expecting value": "a value was expected",
    "Expecting ',' delimiter": "a comma, or the bracket that closes, was expected",
    "Expecting ':' delimiter": "a colon was expected",
    "Expecting property name": "a key in double quotes was expected",
    "Illegal trailing comma": "a comma is before a bracket that closes",
    "Unterminated string": "a text is not closed by a quote",
    "Invalid control character": "a text goes over the end of its line, or has a control character",
    "Invalid \\": "what follows a backslash is not an escape",
    "Extra data": "something follows its end",
    "Unexpected UTF-8 BOM": "a byte order mark is in the way",
}


def in_plain_words(error: Exception) -> str:
    """Return what is wrong with a damaged file over which a library stumbled: no words of Python's own."""
    import csv
    import json
    import struct
    import zipfile
    import zlib

    if isinstance(error, json.JSONDecodeError):
        means = (words for said, words in JSON_FAULTS.items() if error.msg.startswith(said))
        return next(means, "it is not written as JSON is")
    if isinstance(error, OSError) and error.strerror:
        return reason(error)
    if isinstance(error, KeyError) and error.args:
        return f"{quoted(str(error.args[0]))} is missing"
    if isinstance(error, zipfile.BadZipFile) and (damaged := OTHER_CHECKSUM.match(str(error))):
        return f"{quoted(damaged[1])} in it is not what its checksum says"
    known: dict[type[Exception] | tuple[type[Exception], ...], str] = {
        csv.Error: "a quote is not closed, or is in the middle of a cell",
        zlib.error: "what is packed in it can't be unpacked",
        zipfile.BadZipFile: "its list of files is not that of its files",
        (zipfile.LargeZipFile, struct.error, EOFError, OverflowError): "its list of files is not whole",
        SyntaxError: "it has XML that is not well-formed",
        UnicodeError: "a text in it is not in the encoding that it should have",
        RecursionError: "it is nested too deeply",
        Exception: "something in it is missing, or is of another kind than was expected",
    }
    return next(words for kinds, words in known.items() if isinstance(error, kinds))


def printable(text: str) -> str:
    """Return text without control characters, which could steer a terminal; letters keep their joiners."""
    return "".join(char if char.isprintable() or char in JOINERS else "�" for char in text)


def escaped(text: str) -> str:
    """Return the text on one line, with escapes for what a terminal could not show."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def quoted(text: str) -> str:
    """Return the text in quotes, shortened, and free of what a terminal could not show."""
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return f'"{escaped(shown)}"'


def alternatives(words: Iterable[str], joint: str = "or") -> str:
    """Return the words in quotes as an enumeration: "a", "b" or "c"."""
    shown = [quoted(word) for word in words]
    return f" {joint} ".join(part for part in (", ".join(shown[:-1]), *shown[-1:]) if part)


def quoted_key(name: str) -> str:
    """Return a name as a key of campaign.toml: in quotes where it has to be."""
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def with_extra(extra: str) -> str:
    """Return how to install reportgen with an extra; no package index has it yet, so a path is named."""
    return (
        f'Install reportgen with the extra "{extra}": pip install "PATH[{extra}]", '
        "where PATH is its checkout or wheel."
    )


def is_later(schema: object) -> tuple[str, str] | None:
    """Return what is wrong, and what to do, where a file says that a later version wrote it."""
    if type(schema) is not int or schema <= FORMAT:
        return None
    message = f"is {schema:,}, and this version of reportgen reads {FORMAT}."
    return message, "Install a newer reportgen: one wrote this file."


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a question with the known name that looks most like `name`, nothing where none is near."""
    import difflib

    if len(name) > LONGEST_NAME:
        return ""
    spelled = {word.casefold(): word for word in islice(names, MOST_NAMES) if len(word) <= LONGEST_NAME}
    near = difflib.get_close_matches(name.casefold(), spelled, n=1)
    return f"Did you mean {quoted(spelled[near[0]])}?" if near else ""


def warn(message: str) -> None:
    """Warn whoever called the package, at the line that did."""
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """Return a question with the known name that looks most like `name`, else the list of known names."""
    shown = [*names[:NAMES_SHOWN], *(["…"] if len(names) > NAMES_SHOWN else [])]
    return nearest(name, names) or (f"Known: {', '.join(shown)}." if shown else "")
