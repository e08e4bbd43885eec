"""The model of what results.json says of all disagreements of a report, and of what is behind them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from reportgen.results.parts import Part, optional

CauseKind = Literal[
    "one-sided",
    "marks-more",
    "marks-less",
    "annotator",
    "direction",
    "label",
    "labels",
    "document",
    "layer",
    "ends",
]


class DisagreementPart(Part):
    """Disagreements that are alike: in one layer, of one kind, on the same labels."""

    layer: str | None = optional("absent of the rest")
    kind: str = Field(
        description="label (of units); of marks boundary, type, both or omission; rest: small parts together"
    )
    cases: int
    first: str | None = optional("the label, or the first of two in their order")
    second: str | None = optional("the other label; absent of a mark that only one has")
    annotator: str | None = optional("who of two alone marked it")


class Cause(Part):
    """What many of the disagreements have in common, beyond what chance would concentrate.

    `expected` is how many disagreements it would have if it were like the rest.
    """

    kind: CauseKind
    cases: int
    expected: float
    p: float = Field(description="of the difference, by Bonferroni for all candidates")
    explained: float = Field(description="how large a part of its cases would go if it were settled")
    layer: str | None = optional("of a label, two labels, or the layer itself")
    annotators: tuple[str, ...] | None = optional(
        "whom it is about; of a direction the first gave the first label, the second the other"
    )
    labels: tuple[str, ...] | None = optional("which label, or labels")
    document: str | None = optional("which document")
    by_layer: Mapping[str, float] = Field(description="its share of the disagreements of each layer")

    def without(self, layer: str, value: float) -> float:
        """Return what a layer's coefficient would be, about, if the cause were settled.

        A coefficient is 1 - D_o / D_e: without a share of the disagreements D_o is so much less, and D_e is
        taken to stay.
        """
        return 1 - (1 - value) * (1 - self.explained * self.by_layer.get(layer, 0.0))


class AllDisagreements(Part):
    """All that annotators disagree on: every two labels of a unit that differ, every case of marks."""

    total: int
    compared: int = Field(description="how many times two annotators' labels or marks were compared")
    of_marks: bool = Field(description="cases of marks, not labels of units")
    parts: tuple[DisagreementPart, ...] = Field(description="they add up to the total")
    causes: tuple[Cause, ...] = Field(description="empty where no single cause was found")
    candidates: int = Field(description="how many possible causes were tested; 0 with too few disagreements")
    people_compared: bool | None = optional(
        "whether three labelled the same, so that people can be compared; absent of two annotators, or many"
    )
