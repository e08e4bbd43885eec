"""Values of any content as TOML, and names of any content in its comments."""

import textwrap
from collections.abc import Mapping, Sequence

from reportgen.errors import JOINERS, printable

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
LAST_OF_BASIC_PLANE = 0xFFFF
LONGEST_NOTE = 60
WIDTH = 110


class Written(str):
    """A piece of text that may stand in campaign.toml as it is."""

    __slots__ = ()


def expressible(text: str) -> bool:
    """Say whether TOML can hold a text: half of a surrogate pair, which JSON can, it can't."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def to_toml(value: str | Sequence[str] | Mapping[str, str]) -> Written:
    """Return a text, a list of texts or a table of texts as TOML on one line.

    What is no printable character is escaped; half of a surrogate pair becomes a replacement character.
    """
    if isinstance(value, str):
        return Written('"' + "".join(map(_escaped, value)) + '"')
    if isinstance(value, Mapping):
        return Written("{ " + ", ".join(f"{key} = {to_toml(each)}" for key, each in value.items()) + " }")
    return Written("[" + ", ".join(map(to_toml, value)) + "]")


def _escaped(char: str) -> str:
    if char in ESCAPES:
        return ESCAPES[char]
    if char.isprintable() or char in JOINERS:
        return char
    if not expressible(char):
        return "�"
    code = ord(char)
    return f"\\u{code:04X}" if code <= LAST_OF_BASIC_PLANE else f"\\U{code:08X}"


def to_note(text: str) -> Written:
    """Return a text for a comment: on one line, shortened, without control characters."""
    line = " ".join(text[: 2 * LONGEST_NOTE].split())
    return Written(printable(line if len(line) <= LONGEST_NOTE else f"{line[:LONGEST_NOTE]}…"))


def to_notes(texts: Sequence[str]) -> Written:
    """Return texts for a comment, with commas between them, on as many lines as they take."""
    return Written(
        textwrap.fill(", ".join(map(to_note, texts)), WIDTH, initial_indent="#   ", subsequent_indent="#   ")
    )
