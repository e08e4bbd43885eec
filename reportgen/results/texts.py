"""The model of texts.json, beside results.json: texts, marks, and units on which annotators differ.

Pages of documents and of disagreements are rendered from both. Where a campaign withholds its texts the
file is not there, and neither are those pages.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from reportgen.base.dataclass import dataclass
from reportgen.results.marks import Boundary
from reportgen.results.parts import ResultModel, SmallPart, optional

Span = tuple[int, int]


class Document(ResultModel):
    """A document; `text` is None where the export has units and no texts."""

    name: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Mark(SmallPart):
    """A mark: whose, of which label, and its stretches in code points of the text, ends exclusive."""

    spare: ClassVar[frozenset[str]] = frozenset({"features"})
    annotator: str
    label: str
    spans: tuple[Span, ...]
    features: Mapping[str, str] = field(default_factory=dict)


class DocumentMarks(ResultModel):
    """The marks of one layer in one document, by place; `seen` lists who saw the document."""

    document: int = Field(description="number of the document in `documents`, from 0")
    seen: tuple[str, ...]
    marks: tuple[Mark, ...] = ()


class LayerMarks(ResultModel):
    """The marks of one layer; `roles` names annotators who are references, systems or models."""

    layer: str
    annotators: tuple[str, ...]
    roles: Mapping[str, str] = Field(default_factory=dict)
    documents: tuple[DocumentMarks, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement(SmallPart):
    """A unit to which at least two annotators gave different labels.

    `name` is what the export calls the unit, `document` the number of its document; a unit of a text has
    `spans`. `labels` are those of everyone who rated it; each two may disagree in a way of their own.
    """

    spare: ClassVar[frozenset[str]] = frozenset({"name", "spans", "kinds"})
    labels: Mapping[str, str]
    name: str = ""
    document: int | None = None
    spans: tuple[Span, ...] = ()
    text: Annotated[str | None, Field(description="the text of the unit, where a table has it")] = None
    kinds: Annotated[
        tuple[str, ...],
        Field(description="how marks on it disagree: boundary, type, both, omission; none without marks"),
    ] = ()


class Disagreements(ResultModel):
    """The units of one unit set on which annotators differ, in the order of documents and places."""

    layer: str
    unit_set: str
    units: tuple[Disagreement, ...]
    of: int | None = optional("how many there are, where those alone are listed that are disputed most")


class Form(ResultModel):
    """A form of words that annotators label differently again and again."""

    form: str
    units: int = Field(description="on how many units of this form annotators differ")
    labels: Mapping[str, int] = Field(description="how often it got each label there")
    example: int = Field(description="number of one of these among the units of the disagreements")


class Clarify(ResultModel):
    """What the guidelines of one layer should clarify."""

    layer: str
    unit_set: str
    forms: tuple[Form, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    alone: Mapping[str, str] = Field(
        default_factory=dict, description="categories that one annotator alone uses, with the annotator"
    )


class ListedError(ResultModel):
    """One error against a reference: a mark, or a unit, with the label of both; null where one has none.

    `key_spans` is what the reference marked, `spans` what the other did; a unit that a table lists has a
    `name` instead.
    """

    spare = frozenset({"name", "key_spans", "spans"})
    kind: str = Field(description="missed, spurious, type, ends, or both (another type and other ends)")
    document: int | None = None
    name: str = ""
    text: str | None = optional("the text of the unit, where a table has it")
    key_label: str | None = None
    label: str | None = None
    key_spans: tuple[Span, ...] = ()
    spans: tuple[Span, ...] = ()


class ListedErrors(ResultModel):
    """Every error of a system, or of whoever a report judges, against one reference in one layer."""

    layer: str
    unit_set: str | None = optional("absent where marks in texts are compared")
    key: str
    other: str
    errors: tuple[ListedError, ...]


class GuidelinesRule(ResultModel):
    """A passage of the guidelines that says something of categories, or where marks begin and end."""

    spare = frozenset({"ends"})
    line: int = Field(description="where it begins")
    text: str
    categories: tuple[str, ...]
    ends: bool = Field(
        default=False, description="whether a heading above it is on where marks begin and end"
    )


class Texts(ResultModel):
    """All texts, marks and disagreements of one guidelines version."""

    dense = True
    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    guidelines: str
    documents: tuple[Document, ...]
    layers: tuple[LayerMarks, ...] = ()
    disagreements: tuple[Disagreements, ...] = ()
    clarify: tuple[Clarify, ...] = ()
    errors: tuple[ListedErrors, ...] | None = optional("where a report is about systems, or a judge")
    rules: tuple[GuidelinesRule, ...] | None = optional(
        "what the guidelines document says of categories and of where marks end"
    )


# Key word in context: a unit of a text with what is around it, on one line.

AROUND = 50
# A unit longer than this is shortened in the middle; a word longer than that is cut at the edge.
LONGEST = 200
LONG_WORD = 16
MORE = "…"
# What is shown for a unit of no length.
POINT = "‸"
WHITE = re.compile(r"\s+")
# The classes of letters that are written from left to right, or from right to left.
STRONG = ("L", "R", "AL")


@dataclass(frozen=True, slots=True)
class Context:
    """A unit in its context: a text, and its stretches there, in order.

    Of thousands of units few are shown: words are made when they are asked for.
    """

    text: str
    spans: Sequence[Span]

    @property
    def before(self) -> str:
        """Return what is before the unit."""
        end = self.spans[0][0]
        start = max(0, end - AROUND)
        if start == 0:
            return _one_line(self.text[:end])
        space = re.compile(r"\s").search(self.text, start - 1, min(end, start + LONG_WORD))
        return MORE + _one_line(self.text[space.end() if space else start : end])

    @property
    def parts(self) -> tuple[str, ...]:
        """Return what is from its beginning to its end; every other part, from the first, is its own."""
        return tuple(_parts(self.text, self.spans))

    @property
    def after(self) -> str:
        """Return what is behind it."""
        return _after(self.text, max(end for _, end in self.spans))

    @property
    def unit(self) -> str:
        """Return the unit alone, its stretches joined by an ellipsis."""
        return f" {MORE} ".join(self.parts[::2])

    @property
    def from_right(self) -> bool:
        """Tell whether it reads from right to left: its first letter that runs either way decides."""
        ways = map(unicodedata.bidirectional, chain(self.before, *self.parts, self.after))
        return next((way for way in ways if way in STRONG), "L") != "L"

    @property
    def line(self) -> str:
        """Return all of it as one line, the unit in square brackets."""
        marked = "".join(
            f"[{part}]" if position % 2 == 0 else part for position, part in enumerate(self.parts)
        )
        return f"{self.before}{marked}{self.after}"


def in_context(text: str, spans: Sequence[Span]) -> Context:
    """Return a unit given by its stretches, of which there is at least one, in its context."""
    return Context(text, sorted((max(0, start), min(end, len(text))) for start, end in spans))


def _parts(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """Yield the unit's stretches, and between them what is not of the unit."""
    position = spans[0][0]
    for number, (start, end) in enumerate(spans):
        if number:
            yield _shortened(_one_line(text[position:start]))
        yield _shortened(_one_line(text[start:end])) or POINT
        position = max(position, end)


def _after(text: str, start: int) -> str:
    end = start + AROUND
    if end >= len(text):
        return _one_line(text[start:])
    near = text[max(start, end - LONG_WORD) : end + 1]
    spaces = [position for position, sign in enumerate(near) if sign.isspace()]
    return _one_line(text[start : end + 1 - len(near) + spaces[-1] if spaces else end]) + MORE


def _one_line(text: str) -> str:
    return WHITE.sub(" ", text)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} {MORE} {text[-half:]}"
