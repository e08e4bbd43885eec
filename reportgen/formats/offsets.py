"""Offsets at the border: UTF-16 units become code points, and covered text is held against the text."""

from collections.abc import Sequence

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.formats.annotations import Codes
from reportgen.formats.copies import Span

CONTEXT = 12
BASIC_PLANE = 0xFFFF
SEEN_AS = str.maketrans({"\n": "↵", "\r": "␍", "\t": "⇥"})


class Utf16:
    """The UTF-16 offsets of a text, as Java and JavaScript count, and the code points that they mean."""

    def __init__(self, text: str) -> None:
        """Measure the text; one without characters outside the basic plane needs no table."""
        self._starts = _starts(text) if text and max(text) > chr(BASIC_PLANE) else None

    def code_point(self, offset: int) -> int | None:
        """Return the code point at an offset, None in the middle of a character or before the text.

        An offset beyond the text is moved as much as the text's last one: whoever checks sees it there.
        """
        if self._starts is None or offset < 0:
            return offset if offset >= 0 else None
        last = len(self._starts) - 1
        if offset >= self._starts[last]:
            return last + offset - int(self._starts[last])
        place = int(np.searchsorted(self._starts, offset))
        return place if self._starts[place] == offset else None

    def span(self, start: int, end: int) -> Span | None:
        """Return a span in code points, None where an end is inside a character."""
        first, last = self.code_point(start), self.code_point(end)
        return None if first is None or last is None else (first, last)


def _starts(text: str) -> Codes:
    """Return the UTF-16 offset of each code point, and of the end."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.concatenate([[0], np.cumsum(1 + (points > BASIC_PLANE).astype(np.int64))])


def code_points(units: Utf16, file: str, line: int, span: Span) -> Span:
    """Return a span of UTF-16 units in code points; raise BadInput where an end is inside a character.

    Ends before the text stay as they are: whoever checks sees them there.
    """
    if min(span) < 0:
        return span
    converted = units.span(*span)
    if converted is None:
        raise BadInput([inside_character(file, line, *span)])
    return converted


def inside_character(file: str, line: int, start: int, end: int) -> Problem:
    """Return the problem of UTF-16 offsets of which one is inside a character."""
    message = f"the offsets {start} to {end} cut a character in two, counted in UTF-16 units."
    return Problem(file, line, message=message, mend="Export the document again.")


def covered(text: str, spans: Sequence[Span], joiner: str = " ") -> str:
    """Return the text under the spans, stretches joined."""
    return joiner.join(text[start:end] for start, end in spans)


def different_cover(file: str, line: int, here: str, written: str) -> Problem:
    """Return the problem of a mark whose text the file gives otherwise than the document."""
    message = f'covers "{_short(here)}" in the text, and the file says "{_short(written)}".'
    mend = "Export marks and texts together: one of them was changed since."
    return Problem(file, line, message=message, mend=mend)


def first_difference(one: str, other: str) -> int:
    """Return the first place where two texts differ."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def around(text: str, place: int) -> str:
    """Return the text around a place, for an error."""
    return _visible(text[max(0, place - CONTEXT) : place + CONTEXT]) or "(the end)"


def _short(text: str) -> str:
    return _visible(text if len(text) <= 4 * CONTEXT else text[: 4 * CONTEXT] + "…")


def _visible(text: str) -> str:
    """Return a text for a line of an error: where its own lines end can be seen."""
    return text.translate(SEEN_AS)
