"""The words of an MMAX2 document, and the stretches of text that a markable spans."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Span
from reportgen.formats.parsing.elements import children, line_of, local_name, text_of
from reportgen.formats.parsing.mmax_files import MEND
from reportgen.formats.reader import ExportFile, shortened
from reportgen.formats.xml import parse

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


@dataclass(frozen=True)
class Words:
    """The words of a document: the text, where each word stands, and its place in the file's order.

    `repeated` counts the words whose id an earlier one has already, so that no markable can mean them.
    """

    file: str
    text: str
    spans: tuple[Span, ...]
    places: Mapping[str, int]
    repeated: int


class WordsMissing(BadInput):
    """A markable names a word that is not there."""


def read_words(file: ExportFile) -> Words:
    """Return the words in the order of the file; raise BadInput where one has no id."""
    places: dict[str, int] = {}
    spans: list[Span] = []
    parts: list[str] = []
    problems: list[Problem] = []
    end = -1
    for place, each in enumerate(children(parse(file), "word")):
        name = each.get("id") or ""
        if not name:
            problems.append(_problem(file, each, "a word has no id."))
        places.setdefault(name, place)
        parts.append(text_of(each).strip())
        start = end + 1
        end = start + len(parts[-1])
        spans.append((start, end))
    if problems:
        raise BadInput(shortened(problems))
    return Words(file.name, " ".join(parts), tuple(spans), places, len(spans) - len(places))


def spans_of(file: ExportFile, element: "Element", words: Words) -> tuple[Span, ...]:
    """Return the stretches that a markable spans: neighbouring words are one, with the space between.

    Raises WordsMissing where it names a word that is not there, and BadInput where it spans none.
    """
    span = (element.get("span") or "").strip()
    if local_name(element) != "markable" or not span:
        what = f"an element {local_name(element)}" if span else "a markable without a span"
        raise BadInput([_problem(file, element, f"has {what} where a markable with one was expected.")])
    ranges = sorted(_range(file, element, each.strip(), words) for each in span.split(","))
    merged = ranges[:1]
    for first, last in ranges[1:]:
        if first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple((words.spans[first][0], words.spans[last][1]) for first, last in merged)


def _range(file: ExportFile, element: "Element", written: str, words: Words) -> Span:
    """Return the places of the first and last word of "word_3..word_7", both of which belong to it."""
    first, _, last = written.partition("..")
    ends = (first, last or first)
    missing = next((end for end in ends if end not in words.places), None)
    if missing is not None:
        message = f'a markable spans "{missing[:40]}", which is not among the words.'
        raise WordsMissing([_problem(file, element, message)])
    start, end_place = (words.places[end] for end in ends)
    if start > end_place:
        message = f'a markable spans "{written[:60]}", whose last word stands before its first.'
        raise BadInput([_problem(file, element, message)])
    return start, end_place


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return Problem(file.name, line_of(element), message=message, mend=MEND)
