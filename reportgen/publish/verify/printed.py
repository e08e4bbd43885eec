"""The numbers that a file prints, each with the words or the table's heads that say what it is.

Pages of another version need not be the same bytes. What they print of the same figure has to be the same
number: it is read off the page, found by the words around it in what is rendered here, and compared.
"""

import csv
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.publish.verify.differences import SHOWN, Discrepancy

# A number as it is printed, with its sign where that is not a hyphen within a word. No blank sets thousands
# apart but those that do not break.
NUMBER = re.compile(r"(?:(?<![\w.,])[−-])?\d+(?:[.,\u00a0\u202f]\d+)*(?:e[-+]?\d{1,3})?")
# Checksums: no figures.
DIGEST = re.compile(r"\b[0-9a-f]{32,}\b")
# What the place of a number looks like in the words around it.
PLACE = "#"
# Semicolons are between sentences, and in French between the ends of an interval.
SENTENCE = re.compile(r"(?<=[.!?])\s+|\s?;\s+(?![^\[\]]{0,40}\])")
LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class Statement:
    """What a number is of: where it is printed, and the words around it, with a place for each number.

    One that says `bare` has no words of its own, as the labels in a figure.
    """

    where: str
    words: str

    @property
    def bare(self) -> bool:
        """Tell whether nothing says what the numbers are of."""
        return not (self.where or LETTERS.search(self.words))

    def __str__(self) -> str:
        """Return it as it is shown in a message."""
        words = self.words if LETTERS.search(self.words) or not self.where else ""
        return ": ".join(filter(None, (self.where, words)))[:SHOWN].rstrip(" .")


Numbers = tuple[str, ...]
Printed = dict[Statement, list[Numbers]]
# A text with where it is printed.
Said = Iterator[tuple[str, str]]


def misprinted(name: str, text: str, due: str) -> tuple[list[Discrepancy], int]:
    """Return where a file prints other numbers than are due, and how many it prints of which none are due."""
    faults: list[Discrepancy] = []
    unread = 0
    drawn, due_drawn = _drawings(text), _drawings(due)
    for figure, svg in drawn.items():
        other = due_drawn.get(figure, "")
        # The labels of a figure are those of its marks where these are the same.
        alike = _without_texts(svg) == _without_texts(other)
        wrong, more = _compared(name, printed(".svg", svg), printed(".svg", other), labels=alike)
        faults += wrong
        unread += more
    wrong, more = _compared(
        name, *(printed(name, _with(each, SVG, SVG_ENDS, _nothing)) for each in (text, due)), labels=True
    )
    return [*faults, *wrong], unread + more


def _compared(name: str, there: Printed, due: Printed, *, labels: bool) -> tuple[list[Discrepancy], int]:
    faults, unread = [], 0
    for statement, recorded in there.items():
        expected = due.get(statement, [])
        # Which is which is known where both print it equally often, and something says what it is.
        if len(recorded) == len(expected) and (labels or not statement.bare):
            pairs = zip(recorded, expected, strict=True)
            faults += [_fault(name, statement, *pair) for pair in pairs if not _agree(*pair)]
        else:
            known = frozenset(expected)
            unread += sum(len(numbers) for numbers in recorded if numbers not in known)
    return faults, unread


def _fault(name: str, statement: Statement, numbers: Numbers, due: Numbers) -> Discrepancy:
    apart = [pair for pair in zip(numbers, due, strict=True) if not _alike(*pair)]
    recorded, found = (", ".join(numbers)[:SHOWN] for numbers in zip(*apart, strict=True))
    what = f"{statement}: {recorded} printed, {found} in the results."
    return Discrepancy(name, what, "printed", str(statement), recorded, found)


def _agree(numbers: Numbers, due: Numbers) -> bool:
    return all(map(_alike, numbers, due))


def _alike(printed_number: str, due: str) -> bool:
    """Tell whether two numbers are the same, as far as both have decimals."""
    if printed_number == due or _is_version(printed_number, due):
        return True
    try:
        number, other = _value(printed_number), _value(due)
    except InvalidOperation:
        return False
    if not (number.is_finite() and other.is_finite()):
        return False
    decimals = min(_decimals(number), _decimals(other))
    if decimals and _decimals(number) != _decimals(other):
        return abs(number - other) <= Decimal(10) ** -decimals / 2
    return False


def _is_version(*numbers: str) -> bool:
    """Tell whether these are versions of programs: what made a page it may say itself."""
    return all(number.count(".") > 1 for number in numbers)


def _value(number: str) -> Decimal:
    return Decimal(re.sub("[\u00a0\u202f]", "", number).replace("−", "-").replace(",", "."))


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def printed(name: str, text: str) -> Printed:
    """Return the numbers that a file prints, by what they are of; its name's ending says how it is read."""
    reading = READERS.get(name.rpartition(".")[2], _lines)
    found: Printed = {}
    for where, said in reading(DIGEST.sub("", text)):
        for sentence in SENTENCE.split(said.strip()):
            if numbers := tuple(NUMBER.findall(sentence)):
                found.setdefault(Statement(" ".join(where.split()), _masked(sentence)), []).append(numbers)
    return found


def _masked(text: str) -> str:
    return " ".join(NUMBER.sub(PLACE, text).split())


# Pages and figures: their texts, each with the element or the heads of the table that it is in.

TAG = re.compile(r"(<[^<>]*>)")
TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
ATTRIBUTE = re.compile(r'\s(id|scope|title|aria-label|label|alt)="([^"]*)"')
# What is within a sentence.
INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "code", "del", "em", "i", "ins", "q", "small", "span", "strong", "sub", "sup")
)
SVG, SVG_ENDS = "<svg ", "</svg>"
NAME_OF_SVG = re.compile(r'\saria-label(?:ledby)?="([^"]*)"')
LINKED_DATA, SCRIPT_ENDS = '<script type="application/ld+json">', "</script>"
PASSED_OVER = (("<script", SCRIPT_ENDS), ("<style", "</style>"))


def _spans(text: str, start: str, end: str) -> Iterator[tuple[int, int]]:
    """Yield where parts of a text begin and end that are between two marks, and with them."""
    at = text.find(start)
    while at >= 0 and (to := text.find(end, at)) >= 0:
        yield at, to + len(end)
        at = text.find(start, to)


def _with(text: str, start: str, end: str, instead: Callable[[str], str]) -> str:
    """Return a text with something instead of its parts between two marks."""
    kept, before = [], 0
    for at, to in _spans(text, start, end):
        kept += [text[before:at], instead(text[at:to])]
        before = to
    return "".join([*kept, text[before:]])


def _nothing(_part: str) -> str:
    return ""


def _drawings(text: str) -> dict[str, str]:
    """Return the figures of a page, by what names them there, and in which order they come."""
    drawn, times = dict[str, str](), Counter[str]()
    for at, to in _spans(text, SVG, SVG_ENDS):
        named = NAME_OF_SVG.search(text, at, to)
        name = _masked(named[1]) if named else ""
        times[name] += 1
        drawn[f"{name} {times[name]}"] = text[at:to]
    return drawn


def without_drawings(text: str) -> str:
    """Return a page with the words of its figures alone, a place for each number in them."""
    return _with(text, SVG, SVG_ENDS, lambda svg: _masked(TAG.sub(" ", svg)))


def _without_texts(svg: str) -> list[str]:
    return [tag for tag in TAG.findall(svg) if not tag.startswith("<svg")]


def _page(text: str) -> Said:
    for at, to in _spans(text, LINKED_DATA, SCRIPT_ENDS):
        yield from _json(text[at + len(LINKED_DATA) : to - len(SCRIPT_ENDS)])
    for start, end in PASSED_OVER:
        text = _with(text, start, end, _nothing)
    yield from _elements(text)


def _elements(text: str) -> Said:
    """Yield the texts of elements, and of the attributes that are read out."""
    place, words = _Place(), list[str]()
    for part in TAG.split(text):
        if not part.startswith("<"):
            words.append(part)
            continue
        attributes = dict(ATTRIBUTE.findall(part))
        for name in attributes.keys() - {"id", "scope"}:
            yield "", html.unescape(attributes[name])
        named = TAG_NAME.match(part)
        if (tag := named[1].lower() if named else "") not in INLINE:
            said = html.unescape("".join(words)).strip()
            words = []
            yield place.now, said
            place.go_on(tag, attributes, said, opens=not part.startswith("</"))


class _Place:
    """Where a text of a page is: in a table by its heads, in a list of facts by the fact's name."""

    def __init__(self) -> None:
        self.now = self._table = self._row = self._fact = self._scope = ""
        self._heads: list[str] = []
        self._column = -1

    def go_on(self, tag: str, attributes: Mapping[str, str], said: str, *, opens: bool) -> None:
        """Go on behind a tag; `said` is the text before it."""
        if tag == "table":
            self._table, self._heads = attributes.get("id", ""), []
        elif tag == "tr":
            self._column, self._row = -1, ""
        elif tag in {"td", "th"} and opens:
            self._column, self._scope = self._column + 1, attributes.get("scope", "")
            head = self._heads[self._column] if self._column < len(self._heads) else ""
            self.now = f"{self._table}, {self._row}, {head}"
        elif tag in {"td", "th"}:
            self.now = ""
            if self._scope == "col":
                self._heads.append(said)
            elif self._scope == "row":
                self._row = said
        elif tag == "dt" and not opens:
            self._fact = said
        elif tag == "dd":
            self.now = self._fact if opens else ""


# Tables by their columns, other files by their lines.

NUMBER_IN_CSV = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d{1,3})?")
CELLS = re.compile(r"(?<!\\)\|")


def _csv(text: str) -> Said:
    """Yield the cells of a table that are numbers, by their columns and what is no number in their rows."""
    try:
        head, *rows = csv.reader(text.splitlines(keepends=True))
    except (csv.Error, ValueError):
        return
    for row in rows:
        name = ", ".join(cell for cell in row if not _is_number(cell))
        yield from (
            (f"{name}, {key}", cell) for key, cell in zip(head, row, strict=False) if _is_number(cell)
        )


def _is_number(cell: str) -> bool:
    return NUMBER_IN_CSV.fullmatch(cell) is not None


def _markdown(text: str) -> Said:
    """Yield lines, and the cells of tables by their heads."""
    head: list[str] = []
    for line in text.split("\n"):
        if not line.startswith("|"):
            head = []
            yield "", line
            continue
        cells = [cell.strip() for cell in CELLS.split(line)[1:-1]]
        if not head:
            head = cells
        names = [head[0], *(f"{cells[0]}, {name}" for name in head[1:])] if cells and head else []
        yield from zip(names, cells, strict=False)


def _json(text: str) -> Said:
    """Yield the leaves of JSON by the keys that lead to them."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield from _lines(text)
        return
    todo: list[tuple[str, Any]] = [("", value)]
    while todo:
        where, value = todo.pop()
        if isinstance(value, dict):
            todo += [(f"{where}.{key}".lstrip("."), part) for key, part in value.items()]
        elif isinstance(value, list):
            todo += [(where, part) for part in value]
        elif value is not None:
            yield where, str(value)


def _lines(text: str) -> Said:
    yield from (("", line) for line in text.split("\n"))


READERS: Mapping[str, Callable[[str], Said]] = {
    "html": _page,
    "svg": _elements,
    "xml": _elements,
    "csv": _csv,
    "md": _markdown,
    "json": _json,
    "jsonld": _json,
}
