"""How the offsets of marks count that say nothing of the words they cover: as these words show.

A format says how its offsets count, and tools, scripts and line ends make it untrue: marks then begin and
end inside words, the more the further down they are. Each annotator's are read so that hardly any cuts one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product, starmap

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, tried
from reportgen.readers.annotations import Span
from reportgen.readers.places import LAST_BASIC, Offsets, has_others, split_character
from reportgen.readers.reader import DocumentCopy, Export, OffsetUnit, ParsedMark, shortened

CHARACTERS: OffsetUnit = "characters"
UTF16: OffsetUnit = "UTF-16 units"
BYTES: OffsetUnit = "bytes"
TOKENS: OffsetUnit = "tokens"
LAST_TOKENS: OffsetUnit = "tokens to the last one"

# A way to count is right, and the usual one is not, where it mends so many marks at least, more than so many
# times as many as it spoils, and no fewer than it leaves.
LEAST, TIMES = 3, 4
# Offsets are numbers of tokens where so many marks at least, and this share, would cut words.
LEAST_OF_TOKENS, SHARE_OF_TOKENS = 10, 0.5
# Marks are out of place where they are so many at least, and this share of the last third cuts words, but
# hardly any of the first third or of the other annotators'.
LEAST_CUT, MANY_CUT, HARDLY_ANY = 12, 0.5, 0.1

REMEDY = "Export marks and texts together, or leave out who made these marks (annotators)."
WORD = re.compile(r"\S+")
TWO_CHARACTERS, ONE_CHARACTER = re.compile("\r\n"), re.compile("(?<!\r)\n")


@dataclass(frozen=True)
class Counting:
    """A way to count places in a text; each line end is as wide as `ends` says, 0: as the text has it."""

    unit: OffsetUnit
    ends: int = 0

    def __str__(self) -> str:
        """Say what offsets count."""
        of_ends = ("", ", line ends as one character", ", line ends as two characters")
        return f"{self.unit}{of_ends[self.ends]}"

    def offsets(self, text: str) -> "Offsets | _Tokens":
        """Return what makes code points of such offsets in a text."""
        if self.unit in (TOKENS, LAST_TOKENS):
            return _Tokens(text, last=self.unit == LAST_TOKENS)
        return Offsets(self._widths(text) if self.ends or self.unit != CHARACTERS else None)

    def _widths(self, text: str) -> Iterator[int]:
        for before, char in zip(f" {text}", text, strict=False):
            if self.ends and before + char == "\r\n":
                yield self.ends - 1
            elif self.ends and char == "\n":
                yield self.ends
            elif self.unit == BYTES:
                yield len(char.encode(errors="replace"))
            else:
                yield 1 + (self.unit == UTF16 and char > LAST_BASIC)


class _Tokens:
    """The tokens of a text, which white space divides, by their numbers; `last`: an end is the last one."""

    def __init__(self, text: str, *, last: bool) -> None:
        self._tokens = [match.span() for match in WORD.finditer(text)]
        self._more = int(last)

    def span(self, span: Span) -> Span:
        """Return a span in code points; one that is not within the text is before it."""
        first, last = span[0], span[1] + self._more - 1
        if not 0 <= first <= last < len(self._tokens):
            return -1, -1
        return self._tokens[first][0], self._tokens[last][1]

    def splits(self, _: Span) -> bool:
        """Say whether an end of a span is inside a character, which the end of a token is not."""
        return False


@dataclass(frozen=True, eq=False)
class _Reading:
    """One annotator's copies as they are if offsets count so, and which of the marks then cut a word."""

    counting: Counting
    copies: Sequence[DocumentCopy]
    cuts: Sequence[bool]

    @classmethod
    def of(cls, counting: Counting, copies: Sequence[DocumentCopy]) -> "_Reading":
        """Return the copies with offsets in code points."""
        read, cuts = list[DocumentCopy](), list[bool]()
        for copy in copies:
            text = copy.text or ""
            offsets, marks = counting.offsets(text), list[ParsedMark]()
            for mark in copy.marks:
                spans = tuple(map(offsets.span, mark.spans))
                marks.append(replace(mark, spans=spans))
                in_word = any(_is_cut(text, edge) for span in spans for edge in span)
                cuts.append(in_word or any(map(offsets.splits, mark.spans)))
            read.append(replace(copy, marks=marks, offsets=None))
        return cls(counting, read, cuts)

    def mends(self, usual: "_Reading") -> bool:
        """Say whether this is right and the usual way is not."""
        both = Counter(zip(usual.cuts, self.cuts, strict=True))
        mended, spoiled = both[True, False], both[False, True]
        return mended >= max(LEAST, TIMES * spoiled + 1, sum(self.cuts))

    def is_doubted(self, other: "_Reading") -> bool:
        """Say whether another way cuts as few words, in other places."""
        return sum(self.cuts) == sum(other.cuts) and self.copies != other.copies

    def rivalling(self, other: "_Reading") -> Problem:
        """Return the problem that offsets may count in either way."""
        message = (
            f"marks cut words, and would not if offsets counted {self.counting}; nor if they counted "
            f"{other.counting}."
        )
        return Problem(self.copies[0].file, message=message, remedy=REMEDY)

    def out_of_place(self, others: Sequence[bool]) -> Iterator[Problem]:
        """Yield the problem that marks cut words where hardly any further up do, or any of the others'."""
        marks = [(copy, mark) for copy in self.copies for mark in copy.marks]
        order = [number for number, (_, mark) in enumerate(marks) if mark.spans]
        order.sort(key=lambda number: marks[number][1].spans)
        cuts, third = [self.cuts[number] for number in order], len(order) // 3
        hardly_any = any(
            len(part) >= LEAST_CUT // 3 and sum(part) <= HARDLY_ANY * len(part)
            for part in (cuts[:third], others)
        )
        if len(order) >= LEAST_CUT and hardly_any and sum(cuts[-third:]) >= MANY_CUT * third:
            copy, mark = marks[order[cuts.index(True, len(cuts) - third)]]
            message = (
                f"{sum(cuts):,} of {len(cuts):,} marks begin or end in a word, and hardly any further up, "
                "or of other annotators: their offsets count something that the text has not, or miss some."
            )
            yield Problem(mark.file or copy.file, mark.line, message=message, remedy=REMEDY)


def _is_cut(text: str, edge: int) -> bool:
    """Say whether an end of a mark is outside the text, or inside a word of a script that has capitals."""
    inside = 0 < edge < len(text) and _is_letter(text[edge - 1]) and _is_letter(text[edge])
    return inside or not 0 <= edge <= len(text)


def _is_letter(char: str) -> bool:
    return char.isdigit() or char.lower() != char.upper()


def in_code_points(export: Export) -> Export:
    """Return an export with all offsets in code points; its reading says which count otherwise than is usual.

    Raises BadInput for offsets that cut a character in two, and where no way to count explains why marks cut
    words, or two do.
    """
    copies = list(export.copies)
    own: dict[tuple[str, OffsetUnit], list[int]] = {}
    for place, copy in enumerate(copies):
        if copy.offsets is not None and copy.text is not None:
            own.setdefault((copy.annotator, copy.offsets), []).append(place)
    readings, problems = tried(own.values(), lambda places: _reading([copies[place] for place in places]))
    for reading in readings:
        others = [cut for other in readings if other is not reading for cut in other.cuts]
        problems += reading.out_of_place(others)
    if problems:
        raise BadInput(problems)
    otherwise = Counter[str]()
    for ((_, unit), places), reading in zip(own.items(), readings, strict=True):
        if reading.counting != Counting(unit):
            otherwise[str(reading.counting)] += len(places)
        for place, copy in zip(places, reading.copies, strict=True):
            copies[place] = copy
    said = (
        f"Offsets in {many:,} of {len(copies):,} copies count {what} instead, as the marked words show."
        for what, many in otherwise.items()
    )
    return replace(export, copies=copies, reading=" ".join((export.reading, *said)))


def _reading(copies: Sequence[DocumentCopy]) -> _Reading:
    """Return one annotator's copies as they are to be read."""
    unit = copies[0].offsets or CHARACTERS
    usual = _Reading.of(Counting(unit), copies)
    others = _others(unit, copies) if sum(usual.cuts) >= LEAST else ()
    mending = [reading for way in others if (reading := _Reading.of(way, copies)).mends(usual)]
    reading = min(mending, key=lambda each: sum(each.cuts), default=_of_tokens(usual, copies))
    problems = shortened(list(_split(reading.counting, copies)))
    problems += [reading.rivalling(each) for each in mending if reading.is_doubted(each)]
    if problems:
        raise BadInput(problems)
    return reading


def _others(unit: OffsetUnit, copies: Sequence[DocumentCopy]) -> Iterator[Counting]:
    """Yield the other ways to count that make a difference in these texts."""
    texts = [copy.text or "" for copy in copies]
    units, ends = [unit], [0]
    units += [CHARACTERS if unit == UTF16 else UTF16] if any(map(has_others, texts)) else []
    units += [] if all(map(str.isascii, texts)) else [BYTES]
    ends += [1] if any(map(TWO_CHARACTERS.search, texts)) else []
    ends += [2] if any(map(ONE_CHARACTER.search, texts)) else []
    yield from islice(starmap(Counting, product(units, ends)), 1, None)


def _of_tokens(usual: _Reading, copies: Sequence[DocumentCopy]) -> _Reading:
    """Return the copies with offsets as numbers of tokens, as usual where they do not seem to be such."""
    if sum(usual.cuts) < max(LEAST_OF_TOKENS, SHARE_OF_TOKENS * len(usual.cuts)):
        return usual
    single = any(start == end for copy in copies for mark in copy.marks for start, end in mark.spans)
    reading = _Reading.of(Counting(LAST_TOKENS if single else TOKENS), copies)
    return usual if any(reading.cuts) else reading


def _split(counting: Counting, copies: Sequence[DocumentCopy]) -> Iterator[Problem]:
    """Yield the marks of which an end is inside a character."""
    for copy in copies:
        offsets = counting.offsets(copy.text or "")
        for mark in copy.marks:
            for span in filter(offsets.splits, mark.spans):
                yield split_character(mark.file or copy.file, mark.line, span, str(counting))
