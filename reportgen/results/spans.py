"""The model of what results.json says of spans: precision, recall and F-measure of marks in texts."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.credits import CreditFigures, SpanCredit
from reportgen.results.mark_cases import MarkDisagreements
from reportgen.results.parts import Figure, Mean, Part
from reportgen.results.unitizing import Unitizing


class MacroFigure(Figure):
    """A mean over documents or types; `units` is how many, `left_out` where the figure is undefined."""

    left_out: int


class Outcomes(Part):
    """What became of the marks of two people: of the first, which is the key, and of the second."""

    match: int = Field(description="the same stretches of text, the same type: correct")
    overlap: int = Field(description="of one type, sharing a character: partial")
    only_first: int = Field(description="missing in the second")
    only_second: int = Field(description="spurious in the second")


class SpanFigures(Part):
    """Outcomes and what they amount to, partial matches counting nothing, all, or half."""

    counts: Outcomes
    strict: Mapping[str, Figure]
    lenient: Mapping[str, Figure]
    average: Mapping[str, Figure]


class SpanDocument(Part):
    """Outcomes in one document; a share is null where it is undefined."""

    counts: Outcomes
    strict: Mapping[str, float | None]
    lenient: Mapping[str, float | None]
    average: Mapping[str, float | None]


class SpanPair(SpanFigures):
    """The spans of two people in the documents that both saw; the first is the key."""

    layer: str
    annotators: tuple[str, str]
    roles: tuple[str, str]
    independent: bool | None = Field(
        default=None, description="false where the first was made from marks of which the second's are a part"
    )
    documents: int
    false_positives: Figure = Field(description="only_second for each 1,000 tokens")
    macro_documents: Mapping[str, Mapping[str, MacroFigure]]
    macro_types: Mapping[str, Mapping[str, MacroFigure]]
    by_type: Mapping[str, SpanFigures]
    by_document: Mapping[str, SpanDocument] | None = Field(
        default=None, description="absent where there are many: tables/spans-by-document.csv has them"
    )
    credits: Mapping[str, CreditFigures] | None = Field(
        default=None, description="with credit for types that are close, by the distance that says so"
    )
    differs_from_greedy: int = Field(description="outcomes that GATE's greedy pairing would not have")


class SpanMeans(Part):
    """Means over pairs of annotators, by mode and measure; also within each type."""

    overall: Mapping[str, Mapping[str, Mean]]
    by_type: Mapping[str, Mapping[str, Mapping[str, Mean]]]


class Spelling(Part):
    """Values of a significant feature that differ in spelling alone, and in how many marks they stand."""

    feature: str
    values: tuple[str, ...]
    marks: int


class SpanLayer(Part):
    """How the marks of one layer were compared as spans."""

    layer: str
    beta: float
    features: tuple[str, ...] = Field(description="significant features: a match needs them too")
    feature_match: str
    spellings: tuple[Spelling, ...]
    doubled: int = Field(
        description="marks left out because their maker said the same of the same text before"
    )
    types: tuple[str, ...]
    pairs: int = Field(description="pairs of people who share a document")
    crowded: bool = Field(description="whether they are so many that they stand in tables/spans.csv alone")
    credits: tuple[SpanCredit, ...] | None = Field(
        default=None, description="credit for pairs of marks of different types, by distance"
    )


class SpanResults(Part):
    """Precision, recall and F-measure of marks in texts."""

    layers: tuple[SpanLayer, ...]
    pairs: tuple[SpanPair, ...]
    mean_over_pairs: Mapping[str, SpanMeans] = Field(description="by layer")
    disagreements: tuple[MarkDisagreements, ...] | None = Field(
        default=None,
        description="in what way marks disagree, layer by layer; none of relations, or from counts",
    )
    unitizing: tuple[Unitizing, ...] | None = Field(
        default=None, description="how annotators cut the texts, layer by layer; none of relations"
    )

    def disagreements_of(self, layer: str) -> MarkDisagreements | None:
        """Return in what way the marks of a layer disagree, None where that is not known."""
        return next((each for each in self.disagreements or () if each.layer == layer), None)
