"""Places in texts: however their offsets count, without white space at the ends, and in another such text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import Span

# Offsets at the border: what counts otherwise becomes code points.

LAST_BASIC = "\uffff"


class Offsets:
    """The offsets of the characters of a text as a file counts them, and the code points that they mean."""

    def __init__(self, widths: Iterable[int] | None = None, first: int = 0) -> None:
        """Count from `first` on; each character is as wide as it says, a code point where none does."""
        # The offset of each character, and of the end.
        self._starts = None if widths is None else list(accumulate(widths, initial=first))

    def code_point(self, offset: int) -> int:
        """Return the code point at an offset, that of the character where it is inside one.

        An offset beyond the text is moved as much as the text's last one, and one before it stays as it is:
        the check of spans sees them there.
        """
        if self._starts is None or offset < 0:
            return offset
        last = len(self._starts) - 1
        if offset >= self._starts[last]:
            return last + offset - self._starts[last]
        return max(0, bisect_right(self._starts, offset) - 1)

    @property
    def are_code_points(self) -> bool:
        """Say whether offsets are code points."""
        return self._starts is None

    def span(self, span: Span) -> Span:
        """Return a span in code points."""
        return self.code_point(span[0]), self.code_point(span[1])

    def splits(self, span: Span) -> bool:
        """Say whether an end of a span is inside a character."""
        starts = self._starts or [0]
        return any(0 < each < starts[-1] and starts[self.code_point(each)] != each for each in span)


def utf16(text: str) -> Offsets:
    """Return the UTF-16 offsets of a text, as Java and JavaScript count."""
    return Offsets((1 + (char > LAST_BASIC) for char in text) if has_others(text) else None)


def has_others(text: str) -> bool:
    """Say whether a text has characters outside the basic plane, which are two UTF-16 units each."""
    return max(text, default="") > LAST_BASIC


def code_points(units: Offsets, file: str, line: int, span: Span) -> Span:
    """Return a span of UTF-16 units in code points; raise BadInput where an end is inside a character."""
    if units.splits(span):
        raise BadInput([split_character(file, line, span, "UTF-16 units")])
    return units.span(span)


def split_character(file: str, line: int, span: Span, units: str) -> Problem:
    """Return the problem of offsets inside a character."""
    message = f"the offsets {span[0]} to {span[1]} cut a character in two, counted in {units}."
    return Problem(file, line, message=message, remedy="Export the document again.")


# Stretches without the white space at their ends, which nobody means to mark.


def trimmed(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return stretches without white space at their ends; those with nothing else between them are joined.

    A stretch of white space alone is left out; where all are, they stay as they are.
    """
    kept: list[Span] = []
    for start, end in spans:
        piece = text[start:end]
        if piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            if kept and not text[kept[-1][1] : first].strip():
                first = kept.pop()[0]
            kept.append((first, end - len(piece) + len(piece.rstrip())))
    return tuple(kept) or spans


def is_white_space(text: str, spans: Sequence[Span]) -> bool:
    """Say whether stretches cover white space, and nothing else."""
    covered = "".join(text[start:end] for start, end in spans)
    return covered.isspace()


# Two texts that differ in white space alone: a place in one is a place in the other.


class WhiteSpaceShift:
    """Places in a text as places in another, which is the same but for its white space."""

    def __init__(self, text: str, onto: str) -> None:
        """Number the letters of both texts, as many in one as in the other."""
        self._here, self._there = _letters(text), _letters(onto)

    def span(self, span: Span) -> Span:
        """Return the stretch from the same letter to the same letter, an empty one where it begins."""
        start, end = span
        first = self._shift(start, begins=True)
        return first, first if start == end else self._shift(end, begins=False)

    def _shift(self, position: int, *, begins: bool) -> int:
        """Return a place: at its letter, in white space as far behind the letter before as there is room."""
        number = bisect_left(self._here, position)
        after, room = (_gap(letters, number) for letters in (self._here, self._there))
        if begins and position == after[1]:
            return room[1]
        return min(room[0] + position - after[0], room[1])


def _letters(text: str) -> list[int]:
    """Return where the letters of a text are, and its end."""
    return [*(position for position, letter in enumerate(text) if not letter.isspace()), len(text)]


def _gap(letters: Sequence[int], number: int) -> Span:
    """Return where the white space before a letter begins and ends."""
    return letters[number - 1] + 1 if number else 0, letters[number]
