"""What WebAnno TSV 3 escapes with a backslash, and what it separates where there is none."""

import re

ESCAPE = re.compile(r"\\(->|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def unescape(text: str, *, unicode_escapes: bool = False) -> str:
    """Return what an escaped text or value stands for."""
    if "\\" not in text:
        return text
    plain = ESCAPE.sub(lambda found: _unescaped(found[1], unicode_escapes=unicode_escapes), text)
    # Java escapes the two halves of a character outside the basic plane one by one.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unescaped(escaped: str, *, unicode_escapes: bool) -> str:
    if len(escaped) == len("u0041"):
        return chr(int(escaped[1:], 16)) if unicode_escapes else escaped
    return ESCAPED.get(escaped, escaped)


def split(cell: str, separator: str) -> list[str]:
    """Return the parts of a cell between separators that are not escaped."""
    if "\\" not in cell:
        return cell.split(separator)
    parts: list[str] = []
    start = place = 0
    while place < len(cell):
        if cell[place] == separator:
            parts.append(cell[start:place])
            start = place + 1
        place += 2 if cell[place] == "\\" else 1
    return [*parts, cell[start:]]
