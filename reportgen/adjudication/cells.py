"""Cells that survive a spreadsheet: written so that none is taken for a formula, read back as they were.

A cell that begins with = + - or @ (a number apart) is written with an apostrophe before it, since a
spreadsheet would compute it. It is read back with the apostrophe or without.
"""

import math
import re
from collections.abc import Iterable, Sequence

Span = tuple[int, int]

FORMULA = re.compile(r"['\s]*[=+\-@]")
NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]+)?")
# What a CSV, a workbook or UTF-8 can't hold.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
UNKNOWN = "\ufffd"
MORE = "…"
AROUND = 50
LONG_WORD = 16
# A spreadsheet cuts cells at some ten thousand characters.
LONGEST = 1000


def written(text: str) -> str:
    """Return a cell that holds a text."""
    clean = CONTROL.sub(UNKNOWN, text)
    return f"'{clean}" if FORMULA.match(clean) and not NUMBER.fullmatch(clean) else clean


def read(cell: str) -> str:
    """Return the text that a cell holds."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def on_one_line(text: str) -> str:
    """Return a text with every stretch of white space as one space."""
    return re.sub(r"\s+", " ", text)


def plain(text: str) -> str:
    """Return a text as spreadsheets leave it at worst: on one line, without spaces at its ends."""
    return on_one_line(CONTROL.sub(UNKNOWN, text)).strip()


def spelling(text: str) -> str:
    """Return what spellings of one number or truth value have in common; spreadsheets change 007 to 7."""
    simple = plain(text)
    try:
        value = float(simple)
    except ValueError:
        folded = simple.casefold()
        return folded if folded in ("true", "false") else f"text {simple}"
    return repr(value) if math.isfinite(value) else f"text {simple}"


class Names:
    """Names by which a cell can mean something."""

    def __init__(self, names: Iterable[str]) -> None:
        """Number the names in their order."""
        self._exact: dict[str, int] = {}
        self._plain: dict[str, int] = {}
        self._spelt: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            self._exact.setdefault(name, number)
            self._plain.setdefault(plain(name), number)
            self._spelt.setdefault(spelling(name), []).append(number)

    def find(self, cell: str) -> int | None:
        """Return the number of the name that a cell holds, None where it holds none.

        What a spreadsheet did to it is forgiven where one name alone can have been meant.
        """
        for text in (read(cell), cell):
            if text in self._exact:
                return self._exact[text]
        if plain(read(cell)) in self._plain:
            return self._plain[plain(read(cell))]
        meant = self._spelt.get(spelling(read(cell)), [])
        return meant[0] if len(meant) == 1 else None


def covered(text: str, spans: Sequence[Span]) -> str:
    """Return what stretches of a text cover, on one line; what is very long is shortened in the middle."""
    whole = plain(f" {MORE} ".join(text[start:end] for start, end in spans))
    half = LONGEST // 2
    return whole if len(whole) <= LONGEST else f"{whole[:half]} {MORE} {whole[-half:]}"


def before(text: str, start: int) -> str:
    """Return what stands before a place, from the beginning of a word on."""
    near = text[max(0, start - AROUND) : start]
    if start > AROUND:
        near = MORE + re.sub(rf"^\S{{0,{LONG_WORD}}}\s", "", near)
    return on_one_line(near)


def after(text: str, end: int) -> str:
    """Return what stands behind a place, up to the end of a word."""
    near = text[end : end + AROUND]
    if end + AROUND < len(text):
        near = re.sub(rf"\s\S{{0,{LONG_WORD}}}$", "", near) + MORE
    return on_one_line(near)
