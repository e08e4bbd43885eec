"""How a file's offsets count: line ends of two characters, a byte order mark, UTF-16 units."""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import product

from reportgen.errors import BadInput
from reportgen.formats.copies import Span
from reportgen.formats.offsets import BASIC_PLANE
from reportgen.formats.reader import ExportFile

BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class Counting:
    """One way to count places in a text. What it hands over are code points of the text read as usual.

    The text read as usual has one line feed for every line end and no byte order mark.
    """

    def __init__(
        self, file: ExportFile, *, ends: bool = False, mark: bool = False, units: bool = False
    ) -> None:
        """Say whether both characters of a line end, a byte order mark, and UTF-16 units are counted."""
        self._file = file
        self._ends, self._mark, self._units = ends, mark, units
        self.plain = not (ends or mark or units)

    @cached_property
    def _places(self) -> list[int]:
        """The code point at each offset, and at the end."""
        places = [0] if self._mark else []
        text = self._file.text
        at = 0
        for place, char in enumerate(text):
            first_of_end = char == "\r" and text[place + 1 : place + 2] == "\n"
            if first_of_end and not self._ends:
                continue
            places += [at] * (2 if self._units and char > chr(BASIC_PLANE) else 1)
            at += not first_of_end
        return [*places, at]

    def place(self, offset: int) -> int:
        """Return the code point at an offset; one beyond the text stays beyond it."""
        if self.plain:
            return offset
        last = len(self._places) - 1
        return self._places[offset] if offset <= last else self._places[last] + offset - last

    def span(self, span: Span) -> Span:
        """Return the span in code points."""
        return self.place(span[0]), self.place(span[1])


def countings(file: ExportFile) -> Iterator[Counting]:
    """Yield the ways to count places in this file, the usual one first."""
    text = file.text
    ends = (False, True) if "\r\n" in text else (False,)
    marks = (False, True) if file.content.startswith(BYTE_ORDER_MARKS) else (False,)
    units = (False, True) if text and max(text) > chr(BASIC_PLANE) else (False,)
    for unit, mark, end in product(units, marks, ends):
        yield Counting(file, ends=end, mark=mark, units=unit)


def best(file: ExportFile, misfits: Callable[[Counting], int]) -> Counting:
    """Return the way to count under which fewest marks misfit, the usual one where there are several."""
    fewest: tuple[int, Counting] | None = None
    for counting in countings(file):
        count = misfits(counting)
        if count == 0:
            return counting
        if fewest is None or count < fewest[0]:
            fewest = count, counting
    if fewest is None:  # there always is the usual one
        raise BadInput([])
    return fewest[1]
