"""The model of released-VERSION.json: what a bundle had, as the campaign's own folder records it."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from reportgen.results.parts import Part, optional

# Labels by layer, unit set and annotator: how many units have each.
Labels = Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]


class DocumentLabels(Part):
    """The labels of one document, as far as counts tell; `digest` stands for all counts of it."""

    digest: str
    labels: Labels


class ReleasedFigure(Part):
    """The primary coefficient of one layer."""

    always: ClassVar[frozenset[str]] = frozenset(("value",))
    figure: str
    name: str
    value: float | None


class ReleaseRecord(Part):
    """What was released of one guidelines version.

    Documents and annotators are called as in the bundle, where `hides` says which have pseudonyms; without
    documents, all labels are those of "".
    """

    spare: ClassVar[frozenset[str]] = frozenset(("again", "hides"))
    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    version: str
    released: str | None = optional("the day")
    again: tuple[str, ...] = Field(default=(), description="why it was released again, the first time first")
    tool: str = Field(description="the version of reportgen that wrote the bundle")
    sha256: str | None = optional("of the zip file")
    hides: tuple[Literal["annotators", "documents"], ...] = ()
    figures: Mapping[str, ReleasedFigure]
    documents: Mapping[str, DocumentLabels]
