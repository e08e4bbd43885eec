"""How values and mistakes are put into words, in plain English and always in the same way."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

KeyPath = tuple[str | int, ...]

LONGEST_SHOWN = 60
LARGEST_SHOWN = 10**18


class Unfit(ValueError):
    """A value doesn't fit: `message` says what was found and expected, `mend` what to do about it."""

    def __init__(self, message: str, mend: str) -> None:
        """Keep both sentences."""
        super().__init__(message)
        self.message = message
        self.mend = mend


@dataclass(frozen=True)
class Complaint:
    """One thing that is wrong at one key path of campaign.toml, before its line is known."""

    path: KeyPath
    message: str
    mend: str


def dotted(path: KeyPath) -> str:
    """Return the key path as people read it, list positions counted from 1: "guidelines.1.version"."""
    return ".".join(str(part + 1) if isinstance(part, int) else printable(part) for part in path)


def printable(text: str) -> str:
    """Return the text on one line, with escapes for what a terminal could not show."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def quoted(text: str) -> str:
    """Return the text in quotes, shortened, and free of what a terminal could not show."""
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return f'"{printable(shown)}"'


def alternatives(words: Iterable[str], joint: str = "or") -> str:
    """Return the words in quotes as an enumeration: "a", "b" or "c"."""
    shown = [quoted(word) for word in words]
    return f" {joint} ".join(part for part in (", ".join(shown[:-1]), *shown[-1:]) if part)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return 'Did you mean "guidelines"?' for the nearest known word, or nothing where none is near."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1)
    return f"Did you mean {quoted(by_folded[near[0]])}?" if near else ""


def found(value: object) -> str:
    """Return what a value of a TOML file is, in words: the text "x", the number 1.0, a list, a table."""
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    # Python refuses to write out integers of many thousand digits, which TOML's hexadecimals can give.
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "a very large number"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, date | time):
        return f"the {'date and time' if isinstance(value, datetime) else type(value).__name__} {value}"
    return "a table" if isinstance(value, dict) else "a list"
