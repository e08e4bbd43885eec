"""Praat TextGrids, long and short: tiers of labelled intervals, which tile the recording, and of points.

Praat reads texts, numbers and flags that stand free and passes over everything else, so that both ways of
writing are the same sequence of values (Praat manual, "TextGrid file formats").
"""

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.reader import Copy, Export, ExportFile, Reader, ReaderOptions
from reportgen.readers.tiers import NAMELESS, Recording, Tier, TimedLabel, export_of_tiers

EXTENSIONS = (".textgrid",)
HEAD = 200
TEXT_FILE, BINARY_FILE, CHRONOLOGICAL = "ooTextFile", "ooBinaryFile", "Praat chronological TextGrid text file"
TEXT_GRID = "TextGrid"
INTERVALS, POINTS = "IntervalTier", "TextTier"
EXISTS = "<exists>"
TOKEN = re.compile(r'(?P<comment>!.*)|(?P<text>"(?:[^"]|"")*")|(?P<flag><\w+>)|(?P<word>[^\s"]+|")')
NUMBER = re.compile(r"[-+]?\d{1,20}(?:\.\d*)?(?:[eE][-+]?\d{1,3})?")
# About thirty years.
MOST_SECONDS = 10**9
# By how many milliseconds copies of a recording may differ in length: tools round, and cut the last frame.
SAME_LENGTH = 1000
READING = (
    "Praat TextGrid: a tier is a layer, an interval without a label is no mark; places are milliseconds, "
    "which figures call characters."
)
AS_TEXT = 'Save it in Praat with "Save as text file…".'
EXPORT_AGAIN = "Open the file in Praat, and save it again."


def recognises(file: ExportFile) -> bool:
    """Say whether the file begins as Praat begins a TextGrid, also in the forms that are refused."""
    head = file.content[:HEAD].replace(b"\0", b"")
    kinds = (TEXT_FILE.encode(), BINARY_FILE.encode())
    return CHRONOLOGICAL.encode() in head or (TEXT_GRID.encode() in head and any(k in head for k in kinds))


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each recording; times are rounded to milliseconds.

    Raises BadInput with every file that is no whole TextGrid, with copies of a recording that differ by more
    than a second in length, and for paths that the option `path` does not fit.
    """
    export = export_of_tiers(files, for_each(files, _recording), options, EXTENSIONS, READING)
    if problems := list(_of_other_lengths(export.copies)):
        raise BadInput(problems)
    return export


def _of_other_lengths(copies: Sequence[Copy]) -> Iterator[Problem]:
    """Yield the copies that are shorter or longer than the first of their document."""
    first: dict[str, Copy] = {}
    for copy in copies:
        known = first.setdefault(copy.document, copy)
        here, there = copy.length or 0, known.length or 0
        if abs(here - there) > SAME_LENGTH:
            message = (
                f'lasts {here:,} milliseconds, and {known.file}, which is of document "{copy.document}" too, '
                f"{there:,}."
            )
            yield Problem(copy.file, message=message, mend="Recordings that differ need names that differ.")


class _FreeStandingValues:
    """The values of a file, one after another: texts, numbers, flags, each with its line."""

    def __init__(self, file: ExportFile) -> None:
        """Begin before the first value."""
        self._file = file
        self._found = self._values()
        self.line = 1

    def _values(self) -> Iterator[str]:
        text, place = self._file.text, 0
        for found in TOKEN.finditer(text):
            self.line += text.count("\n", place, found.start())
            place = found.start()
            value = found[0]
            if found["text"] or found["flag"] or value == '"' or NUMBER.fullmatch(value):
                yield value

    def _next(self, what: str) -> str:
        value = next(self._found, None)
        if value is None:
            raise self._file.refused(f"ends where {what} was expected.", EXPORT_AGAIN, self.line)
        return value

    def refused(self, value: str, what: str) -> BadInput:
        """Return the error for a value where another was expected."""
        return self._file.refused(f"has {value[:40]} where {what} was expected.", EXPORT_AGAIN, self.line)

    def text(self, what: str) -> str:
        """Return the next value, which has to be a text, without its quotes."""
        value = self._next(what)
        if len(value) < len('""') or value[0] != '"':
            raise self.refused(value, what)
        return value[1:-1].replace('""', '"')

    def flag(self, what: str) -> str:
        """Return the next value, which has to be a flag such as <exists>."""
        value = self._next(what)
        if value[0] != "<":
            raise self.refused(value, what)
        return value

    def number(self, what: str) -> Decimal:
        """Return the next value, which has to be a number that can be one of seconds."""
        value = self._next(what)
        if not NUMBER.fullmatch(value) or abs(number := Decimal(value)) > MOST_SECONDS:
            raise self.refused(value, what)
        return number

    def count(self, what: str) -> int:
        """Return the next value, which has to say how many of something follow."""
        number = self.number(what)
        if number < 0 or number != int(number):
            raise self.refused(str(number), what)
        return int(number)

    def milliseconds(self, what: str) -> int:
        """Return the next value, which has to be a time in seconds, in milliseconds."""
        return int((self.number(what) * 1000).to_integral_value(ROUND_HALF_UP))

    def end(self) -> None:
        """Raise BadInput where a value follows: what stands there would be lost."""
        if (value := next(self._found, None)) is not None:
            raise self.refused(value, "the end of the file")


def _recording(file: ExportFile) -> Recording:
    head = file.content[:HEAD].replace(b"\0", b"")
    if BINARY_FILE.encode() in head:
        raise file.refused("is a binary TextGrid.", AS_TEXT)
    if CHRONOLOGICAL.encode() in head:
        raise file.refused("is a chronological TextGrid.", AS_TEXT)
    values = _FreeStandingValues(file)
    for expected in (TEXT_FILE, TEXT_GRID):
        if (found := values.text(f'"{expected}"')) != expected:
            raise values.refused(f'"{found}"', f'"{expected}"')
    begin, end = values.number("the beginning"), values.milliseconds("the end")
    exists = values.flag(EXISTS) == EXISTS
    count = values.count("the number of tiers") if exists else 0
    tiers, ends = [], [end]
    for number in range(1, count + 1):
        tier, own_end = _tier(values, number)
        tiers.append(tier)
        ends.append(own_end)
    values.end()
    return Recording(file.name, max(ends), f"{begin.normalize()}-{end}", tiers)


def _tier(values: _FreeStandingValues, number: int) -> tuple[Tier, int]:
    """Return a tier, and where it ends."""
    kind = values.text("the class of a tier")
    if kind not in (INTERVALS, POINTS):
        raise values.refused(f'"{kind}"', f'"{INTERVALS}" or "{POINTS}"')
    name = values.text("the name of a tier").strip() or f"{NAMELESS} {number}"
    values.number("the beginning of a tier")
    end = values.milliseconds("the end of a tier")
    count = values.count("the number of intervals or points")
    read_one = _interval if kind == INTERVALS else _point
    found = [read_one(values) for _ in range(count)]
    return Tier(name, [each for each in found if each is not None]), end


def _interval(values: _FreeStandingValues) -> TimedLabel | None:
    """Return an interval, None for one without a label: intervals tile the recording, and it is a gap."""
    begin = values.milliseconds("the beginning of an interval")
    line, end = values.line, values.milliseconds("the end of an interval")
    label = values.text("the label of an interval")
    return TimedLabel((begin, end), label, line) if label.strip() else None


def _point(values: _FreeStandingValues) -> TimedLabel:
    """Return a point, also one without a label: somebody set it there."""
    place = values.milliseconds("the time of a point")
    line = values.line
    return TimedLabel((place, place), values.text("the label of a point"), line)


READER = Reader(
    name="textgrid",
    title="Praat TextGrid, long or short",
    tool="Praat, MAUS, Montreal Forced Aligner",
    extensions=EXTENSIONS,
    reads="Each tier as a layer: labelled intervals as stretches of time in milliseconds, points as marks "
    "without length.",
    leaves_out="Intervals without a label, which are gaps between marks; binary and chronological TextGrids, "
    "which have to be saved as text.",
    recognises=recognises,
    read=read,
)
