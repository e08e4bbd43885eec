"""On which line of a JSON text a value stands."""

import json
import re
from collections.abc import Iterator, Mapping

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
# What comes first inside: a key, or the first place.
FIRST: Mapping[str, int | None] = {"{": None, "[": 0}

Path = tuple[str | int, ...]


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each value of a JSON text that is well-formed, by its path from the top."""
    return dict(_walk(text))


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a value, or of the innermost that there is around it; 0 where nothing is known."""
    for end in range(len(path), -1, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 0


def _walk(text: str) -> Iterator[tuple[Path, int]]:
    # The last part is None where a key of an object comes next.
    path: list[str | int | None] = []
    line, before = 1, 0
    for token in TOKEN.finditer(text):
        line += text.count("\n", before, token.start())
        before, sign = token.start(), token.group()
        if sign in ("}", "]"):
            path.pop()
        elif sign == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path and path[-1] is None:
            path[-1] = str(json.loads(sign))
        elif sign != ":":
            yield tuple(part for part in path if part is not None), line
            if sign in FIRST:
                path.append(FIRST[sign])
