"""What was read, in results.json: how much there is, what was left out, and from which files."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class Marks(Part):
    """Marks read = marks used + marks left out."""

    read: int
    used: int
    left_out: int
    missing: int = Field(default=0, description="cells of a table that hold no label: empty, or declared so")


class LeftOut(Part):
    """Marks of one place that were read and not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


class Attendance(Part):
    """What one annotator did with how many documents."""

    annotator: str
    marked: int
    empty: int = Field(description="seen, and nothing was marked")
    skipped: int
    unseen: int


class Material(Part):
    """How much there is in one layer, and how scattered the marks are.

    `marks` and `labels` count those of annotators' first passes, a mark of ten tokens once.
    """

    layer: str
    documents: int
    documents_unmarked: int | None = Field(default=None, description="seen by somebody, marked by nobody")
    tokens: int | None = Field(default=None, description="those that whitespace separates")
    copies: int = Field(description="documents that annotators saw, each counted as often as it was seen")
    tokens_seen: int = Field(description="tokens of those, likewise")
    marks: int
    marks_per_document: float | None = Field(default=None, description="marks / copies")
    marks_per_1000_tokens: float | None = Field(default=None, description="1000 marks / tokens_seen")
    labels: Mapping[str, int] = Field(description="marks of each category")
    shares: Mapping[str, float]
    attendance: tuple[Attendance, ...] = ()


class Input(Part):
    """A file that was read."""

    file: str
    sha256: str
    bytes: int
