"""Places in texts: without the white space at their ends, and in another text with other white space."""

from bisect import bisect_left
from collections.abc import Sequence

from reportgen.readers.annotations import Span

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
