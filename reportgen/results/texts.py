"""The model of texts.json, beside results.json: texts, marks, and units on which annotators differ.

Pages of documents and of disagreements are rendered from both. Where a campaign withholds its texts the
file is not there, and neither are those pages.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from reportgen.results.mark_cases import Boundary
from reportgen.results.parts import Part

Span = tuple[int, int]


class Document(Part):
    """A document; `text` is None where the export has units and no texts."""

    name: str
    text: str | None = None


class Mark(Part):
    """A mark: whose, of which label, and its stretches in code points of the text, ends exclusive."""

    annotator: str
    label: str
    spans: tuple[Span, ...]
    features: Mapping[str, str] = Field(default_factory=dict)


class DocumentMarks(Part):
    """The marks of one layer in one document, by place; `seen` lists who saw the document."""

    document: int = Field(description="number of the document in `documents`, from 0")
    seen: tuple[str, ...]
    marks: tuple[Mark, ...] = ()


class LayerMarks(Part):
    """The marks of one layer; `roles` names annotators who are references, systems or models."""

    layer: str
    annotators: tuple[str, ...]
    roles: Mapping[str, str] = Field(default_factory=dict)
    documents: tuple[DocumentMarks, ...] = ()


class Disagreement(Part):
    """A unit to which at least two annotators gave different labels.

    `name` is what the export calls the unit, `document` the number of its document; a unit of a text has
    `spans`. `labels` are those of everyone who rated it; each two may disagree in a way of their own.
    """

    name: str = ""
    document: int | None = None
    spans: tuple[Span, ...] = ()
    labels: Mapping[str, str]
    kinds: tuple[str, ...] = Field(
        default=(), description="how marks on it disagree: boundary, type, both, omission; none without marks"
    )


class Disagreements(Part):
    """The units of one unit set on which annotators differ, in the order of documents and places."""

    layer: str
    unit_set: str
    units: tuple[Disagreement, ...]


class Form(Part):
    """A form of words that annotators label differently again and again."""

    form: str
    units: int = Field(description="on how many units of this form annotators differ")
    labels: Mapping[str, int] = Field(description="how often it got each label there")
    example: int = Field(description="number of one of these among the units of the disagreements")


class Clarify(Part):
    """What the guidelines of one layer should clarify."""

    layer: str
    unit_set: str
    forms: tuple[Form, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    alone: Mapping[str, str] = Field(
        default_factory=dict, description="categories that one annotator alone uses, with the annotator"
    )


class Texts(Part):
    """All texts, marks and disagreements of one guidelines version."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    guidelines: str
    documents: tuple[Document, ...]
    layers: tuple[LayerMarks, ...] = ()
    disagreements: tuple[Disagreements, ...] = ()
    clarify: tuple[Clarify, ...] = ()
