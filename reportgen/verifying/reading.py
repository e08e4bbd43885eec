"""JSON from a stranger: what it says, or why it can't be used, and whether it stands as we write it."""

import json
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError

from reportgen.results import Part, dumps
from reportgen.verifying.outcome import Difference
from reportgen.verifying.tree import Tree

SomePart = TypeVar("SomePart", bound=Part)
PLACES_SHOWN = 5
SHOWN = 100


class Unusable(Exception):
    """A file that can't be understood; `differences` say why."""

    def __init__(self, *differences: Difference) -> None:
        """Keep what is wrong."""
        super().__init__("\n".join(each.what for each in differences))
        self.differences = differences


def parsed(files: Tree, name: str, shown: str = "") -> Any:  # noqa: ANN401 - any JSON value
    """Return what a JSON file says; `shown` is its path where differences name another."""
    shown = shown or name
    try:
        return json.loads(files[name].decode(), parse_constant=_no_number)
    except KeyError:
        what = "is missing."
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 at byte {error.start}."
    except json.JSONDecodeError as error:
        what = f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except ValueError as error:
        what = f"is not JSON: {str(error)[:SHOWN]}"
    except RecursionError:
        what = "is not ours: its values stand too deep in each other."
    raise Unusable(Difference(shown, what, "form"))


def _no_number(name: str) -> NoReturn:
    message = f"{name} is no number."
    raise ValueError(message)


def read(part: type[SomePart], files: Tree, name: str, shown: str = "") -> SomePart:
    """Return results as they stand in a file; raises Unusable where they are none."""
    shown = shown or name
    parsed(files, name, shown)
    try:
        return part.model_validate_json(files[name])
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:PLACES_SHOWN]
        whats = [_place(each) for each in found]
    except (ValueError, RecursionError) as error:
        whats = [str(error)[:SHOWN]]
    raise Unusable(*(Difference(shown, f"is not as reportgen writes it: {what}", "form") for what in whats))


def _place(error: Any) -> str:  # noqa: ANN401 - what pydantic tells of one
    where = ".".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}."


def form(part: Part, files: Tree, name: str, shown: str = "", *, older: bool = False) -> list[Difference]:
    """Return where the JSON of results is not written as reportgen writes it, whatever it says.

    Where an `older` version wrote it, which may have broken lines elsewhere, its values alone are compared.
    """
    due = dumps(part)
    if older and json.loads(files[name]) == json.loads(due):
        return []
    return differing(shown or name, files[name], due.encode(), "form")


def differing(name: str, content: bytes, expected: bytes, check: Any) -> list[Difference]:  # noqa: ANN401 - a Check
    """Return where a file differs from what reportgen writes: its first line that does, and how many do."""
    if content == expected:
        return []
    found, due = (each.decode(errors="replace").split("\n") for each in (content, expected))
    if len(found) == len(due):
        lines = [number for number, both in enumerate(zip(found, due, strict=True)) if both[0] != both[1]]
        first, more = (lines or [0])[0], len(lines) - 1
        also = f", and {more:,} more line{'s differ' if more > 1 else ' differs'}" if more > 0 else ""
    else:
        pairs = enumerate(zip(found, due, strict=False))
        first = next((number for number, both in pairs if both[0] != both[1]), min(len(found), len(due)))
        also = f"; it has {len(found):,} lines, and {len(due):,} were expected"
    one, other = around(_line(found, first), _line(due, first))
    what = f"line {first + 1} differs{also}."
    return [Difference(name, what, check, recorded=one, found=other)]


def _line(lines: list[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""


def around(one: str, other: str, most: int = SHOWN) -> tuple[str, str]:
    """Return two texts short enough to be shown, around the first sign in which they differ."""
    same = next((n for n, both in enumerate(zip(one, other, strict=False)) if both[0] != both[1]), None)
    place = min(len(one), len(other)) if same is None else same
    start = max(0, place - most // 3)
    return _cut(one, start, most), _cut(other, start, most)


def _cut(text: str, start: int, most: int) -> str:
    before, after = "…" if start else "", "…" if len(text) > start + most else ""
    return f"{before}{text[start : start + most]}{after}"
