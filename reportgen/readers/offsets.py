"""Offsets at the border: UTF-16 units become code points, and covered text is held against the text."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, product

from reportgen.base.errors import Problem, refused
from reportgen.readers.reader import ExportFile, Span

CONTEXT = 12
LAST_BASIC = "\uffff"
SEEN_AS = str.maketrans({"\n": "↵", "\r": "␍", "\t": "⇥"})


class Utf16:
    """The UTF-16 offsets of a text, as Java and JavaScript count, and the code points that they mean."""

    def __init__(self, text: str) -> None:
        """Measure the text; one without characters outside the basic plane needs no table."""
        # The UTF-16 offset of each code point, and of the end.
        units = (1 + (char > LAST_BASIC) for char in text)
        self._starts = list(accumulate(units, initial=0)) if _has_others(text) else None

    def code_point(self, offset: int) -> int | None:
        """Return the code point at an offset, None in the middle of a character or before the text.

        An offset beyond the text is moved as much as the text's last one: whoever checks sees it there.
        """
        if self._starts is None or offset < 0:
            return offset if offset >= 0 else None
        last = len(self._starts) - 1
        if offset >= self._starts[last]:
            return last + offset - self._starts[last]
        place = bisect_left(self._starts, offset)
        return place if self._starts[place] == offset else None

    def span(self, start: int, end: int) -> Span | None:
        """Return a span in code points, None where an end is inside a character."""
        first, last = self.code_point(start), self.code_point(end)
        return None if first is None or last is None else (first, last)


def _has_others(text: str) -> bool:
    """Say whether a text has characters outside the basic plane, which are two UTF-16 units each."""
    return max(text, default="") > LAST_BASIC


def code_points(units: Utf16, file: str, line: int, span: Span) -> Span:
    """Return a span of UTF-16 units in code points; raise BadInput where an end is inside a character.

    Ends before the text stay as they are: whoever checks sees them there.
    """
    converted = span if min(span) < 0 else units.span(*span)
    if converted is None:
        message = f"the offsets {span[0]} to {span[1]} cut a character in two, counted in UTF-16 units."
        raise refused(file, line, message=message, remedy="Export the document again.")
    return converted


def covered(text: str, spans: Sequence[Span], joiner: str = " ") -> str:
    """Return the text under the spans, stretches joined."""
    return joiner.join(text[start:end] for start, end in spans)


def different_cover(file: str, line: int, here: str, written: str) -> Problem:
    """Return the problem of a mark whose text the file gives otherwise than the document."""
    here, written = (
        (text if len(text) <= 4 * CONTEXT else f"{text[: 4 * CONTEXT]}…").translate(SEEN_AS)
        for text in (here, written)
    )
    message = f'covers "{here}" in the text, and the file says "{written}".'
    remedy = "Export marks and texts together: one of them was changed since."
    return Problem(file, line, message=message, remedy=remedy)


def around(text: str, place: int) -> str:
    """Return the text around a place, for an error."""
    return text[max(0, place - CONTEXT) : place + CONTEXT].translate(SEEN_AS) or "(the end)"


# Two texts that differ in white space alone: a place in one is a place in the other.


def without_space(text: str) -> str:
    """Return what is left of a text without any white space."""
    return "".join(text.split())


class WhiteSpaceShift:
    """Places in a text as places in another, which is the same but for its white space."""

    def __init__(self, text: str, onto: str) -> None:
        """Number the letters of both texts, as many in one as in the other."""
        self._text = text
        self._here, self._there = _letters(text), _letters(onto)

    def span(self, span: Span) -> Span:
        """Return the stretch from the same letter to the same letter, an empty one where it begins."""
        start, end = span
        first = self._place(start, begins=True)
        return first, first if start == end else self._place(end, begins=False)

    def is_in_space(self, span: Span) -> bool:
        """Say whether a stretch begins or ends in white space: of such the other text knows no place."""
        start, end = span
        return start < end and (self._text[start].isspace() or self._text[end - 1].isspace())

    def _place(self, place: int, *, begins: bool) -> int:
        """Return a place: at its letter, in white space as far behind the letter before as there is room."""
        number = bisect_left(self._here, place)
        after, room = (_gap(letters, number) for letters in (self._here, self._there))
        if begins and place == after[1]:
            return room[1]
        return min(room[0] + place - after[0], room[1])


def _letters(text: str) -> list[int]:
    """Return where the letters of a text are, and its end."""
    return [*(place for place, letter in enumerate(text) if not letter.isspace()), len(text)]


def _gap(letters: Sequence[int], number: int) -> Span:
    """Return where the white space before a letter begins and ends."""
    return letters[number - 1] + 1 if number else 0, letters[number]


# How a file's offsets count: line ends of two characters, a byte order mark, UTF-16 units.

BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class Counting:
    """One way to count places in a text. What it hands over are code points of the text read as usual.

    The text read as usual has one line feed for every line end and no byte order mark. `places` has the code
    point at each offset and at the end; None: offsets are code points.
    """

    def __init__(self, places: Sequence[int] | None) -> None:
        self.places = places

    def span(self, span: Span) -> Span:
        """Return the span in code points; an end beyond the text stays beyond it."""
        if self.places is None:
            return span
        last = len(self.places) - 1
        start, end = (
            self.places[offset] if offset <= last else self.places[last] + offset - last for offset in span
        )
        return start, end


def countings(file: ExportFile) -> Iterator[Counting]:
    """Yield the ways to count places in this file, the usual one first."""
    text = file.text
    several = (
        _has_others(text),
        file.content.startswith(BYTE_ORDER_MARKS),
        "\r\n" in text,
    )
    for units, mark, ends in product(*((False, True) if each else (False,) for each in several)):
        counted = units or mark or ends
        yield Counting(_places(text, units=units, mark=mark, ends=ends) if counted else None)


def _places(text: str, *, units: bool, mark: bool, ends: bool) -> list[int]:
    """Return the code points where UTF-16 units, a byte order mark, both characters of line ends count."""
    places = [0] if mark else []
    at = 0
    for place, char in enumerate(text):
        first_of_end = char == "\r" and text[place + 1 : place + 2] == "\n"
        if first_of_end and not ends:
            continue
        places += [at] * (2 if units and char > LAST_BASIC else 1)
        at += not first_of_end
    return [*places, at]


def best(file: ExportFile, misfits: Callable[[Counting], int]) -> Counting:
    """Return the way to count under which fewest marks misfit, the usual one where there are several."""
    return min(countings(file), key=misfits)
