"""What a campaign declares, what was read, what measures mean and what was decided, in results.json."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from reportgen.base.dataclass import dataclass
from reportgen.results.marks import DistanceOrigin
from reportgen.results.parts import Figure, Part, Scalar, SmallPart, optional

# What a campaign declares, in results.json: itself, its guidelines, and distances between categories.


class Author(Part):
    """Somebody who signs the report."""

    name: str
    orcid: str | None = None
    affiliation: str | None = None


class Reference(Part):
    """A work on the campaign."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None


class DeclaredModel(Part):
    """A model among the annotators, as the campaign declares it."""

    annotator: str
    model: str | None = None
    provider: str | None = None
    version: str | None = None
    prompt: str | None = optional("the file of what it was asked")
    temperature: float | None = None
    seed: int | None = None
    date: str | None = optional("when it labelled")
    examples: int | None = optional("how many labelled examples its prompt has")


class CampaignFacts(Part):
    """What the campaign says of itself, as far as a report shows it."""

    id: str
    title: str
    corpus: Mapping[str, Scalar] = Field(default_factory=dict)
    authors: tuple[Author, ...] = ()
    protocol: Mapping[str, Scalar] = Field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    models: tuple[DeclaredModel, ...] | None = optional("models among the annotators of this version")


# What the only version of guidelines is called where nobody named it.
ONLY = "1.0"


def is_unnamed(version: str, *said: object) -> bool:
    """Tell whether nobody named a version: it is called as the only one is, and nothing is said of it."""
    return version == ONLY and not any(said)


class Revision(Part):
    """What the campaign says of these guidelines."""

    spare: ClassVar[frozenset[str]] = frozenset(("was", "again"))
    date: str | None = optional("when they came into use")
    changes: str = ""
    document: str | None = None
    was: tuple[str, ...] = Field(default=(), description="what the version was called earlier")
    released: str | None = optional("when its report was released")
    again: str = Field(default="", description="why it was released again with other labels")


class DistanceTable(Part):
    """A declared table of distances between categories."""

    id: str
    why: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    origin: DistanceOrigin | None = optional("where distances of 1 - BDM come from")

    def covers(self, categories: Iterable[str]) -> bool:
        """Tell whether the table knows all of some categories: those of another layer it need not know."""
        return set(categories) <= set(self.categories)

    def between(self, first: str, second: str) -> float:
        """Return the distance between two categories."""
        return self.rows[self.categories.index(first)][self.categories.index(second)]


# What results.json says of measures: definitions, weights, and why one coefficient is the primary one.


class Work(Part):
    """A publication."""

    citation: str
    doi: str = ""

    @property
    def cited(self) -> str:
        """Return it with its DOI, where it has one."""
        return f"{self.citation}, doi:{self.doi}" if self.doi else self.citation


class Elsewhere(Part):
    """What another library returns under the same name."""

    library: str
    returns: str


class Entry(Part):
    """What a measure and what is in brackets behind one have in common."""

    name: str
    formula: str
    latex: str = Field(default="", description="the formula typeset, in the notation of Artstein and Poesio")
    answers: str
    use: str = Field(default="", description="when to take it")
    avoid: str = Field(default="", description="when not")
    works: tuple[Work, ...]
    elsewhere: tuple[Elsewhere, ...] = Field(default=(), description="where other libraries differ")


class Definition(Entry):
    """A measure of the catalogue that these results use; `place` is where it is in the catalogue."""

    place: int
    symbol: str
    chance: str
    assumptions: str
    sentence: str
    kind: str
    annotators: str = Field(default="", description="of how many annotators it is a measure")
    missing: str = Field(default="", description="which units count where ratings are missing")
    family: str = Field(default="", description="the family of measures that it belongs to")


class Weighting(Entry):
    """What is in brackets behind figures: a distance between categories, or how marks were matched."""

    figures: tuple[str, ...] = Field(default=(), description="the figures of these results that have it")


class SuggestedScale(Part):
    """The scale that labels suggest where the campaign declares none, and what alpha is on it."""

    scale: str
    evidence: str = Field(description="what the labels are")
    kind: Literal["words", "ranks", "numbers", "sets"]
    low: str = Field(default="", description="the lowest label")
    high: str = Field(default="", description="the highest label")
    figure: str = Field(description="the coefficient that the scale calls for")
    value: float | None = optional("what it is")


class Choice(Part):
    """The primary coefficient of a layer, by the design of the whole campaign: the same in all versions."""

    coefficient: str
    declared: bool = Field(description="whether campaign.toml names it")
    reason: str = Field(description="why it is this one; `values` fills its {named} places")
    values: Mapping[str, str] = Field(default_factory=dict)


# What was read, in results.json: how much there is, what was left out, and from which files.


class Marks(Part):
    """Marks read = marks used + marks left out + what is not compared."""

    read: int
    used: int
    left_out: int
    again: int | None = optional("of the marks read, those that an earlier layer has read too")
    not_compared: int | None = optional("what exports have besides labels, which no reader takes for them")
    missing: int = Field(default=0, description="cells of a table that have no label: empty, or declared so")


@dataclass(frozen=True, order=True, slots=True)
class LeftOut(SmallPart):
    """Marks of one place that were read and not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


class DifferentTexts(Part):
    """A document that was left out, since its copies have different texts, and where these first differ."""

    document: str
    file: str
    other: str = Field(description="the file with the other text")
    character: int = Field(description="the first that differs, counted from 1")
    marks: int = Field(description="those of all its copies")


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
    documents_unmarked: int | None = optional("seen by somebody, marked by nobody")
    tokens: int | None = optional("those that whitespace separates")
    copies: int = Field(description="documents that annotators saw, each counted as often as it was seen")
    tokens_seen: int = Field(description="tokens of those, likewise")
    marks: int
    marks_per_document: float | None = optional("marks / copies")
    marks_per_1000_tokens: float | None = optional("1000 marks / tokens_seen")
    labels: Mapping[str, int] = Field(description="marks of each category")
    shares: Mapping[str, float]
    attendance: tuple[Attendance, ...] = ()


class Input(Part):
    """A file that was read."""

    file: str
    sha256: str
    bytes: int


# Decisions in results.json: what was decided of the disagreements of a layer, and who had said so.


class Decided(Part):
    """An annotator against the decisions: units that have one and that the annotator labelled."""

    units: int
    agreed: int = Field(description="of those, labelled as it was decided")
    right: Figure = Field(description="the share of these, over documents")
    others: float | None = optional("share of the others' labels of the same units that were decided")
    difference: Figure = Field(description="the annotator's share less that of the others")
    p: float | None = optional("of no difference, by document")
    adjusted_p: float | None = optional("by Holm's method over the annotators of the layer")
    next_p: float | None = optional(
        "of no difference from the annotator whose difference is the next larger, of three or more"
    )


class DisputeOutcome(Part):
    """What became of the units on which annotators gave the same different labels."""

    labels: tuple[str, ...] = Field(description="what annotators gave")
    decision: str | None = optional("absent where nothing is decided but a cause was noted")
    units: int
    by_cause: Mapping[str, int] = Field(description="units by the cause that was noted")


class MissingRule(Part):
    """Units over which the guidelines are silent, as adjudicators noted, and what they wrote there."""

    labels: tuple[str, ...] = Field(description="what annotators gave")
    units: int
    notes: tuple[str, ...] = Field(
        default=(), description="at most ten; none where texts or names of documents are withheld"
    )


class Adjudication(Part):
    """What was decided of the disagreements of one layer; without a sheet there is only what is open.

    The decisions are the reference "adjudicated". It is made from what the annotators marked, and so never
    independent of them.
    """

    layer: str
    open: int = Field(description="units on which annotators differ and nothing is decided")
    listed: bool = Field(description="whether tables/adjudication.csv lists them; it shows texts")
    filled: bool = Field(default=False, description="whether there is a sheet")
    decided: int | None = optional("units that are decided")
    agreed: int | None = optional("units on which all of two or more agree")
    independent: bool | None = None
    by_cause: Mapping[str, int] | None = optional(
        "units by the cause that was noted, also where nothing is decided"
    )
    causes: Mapping[str, Mapping[str, int]] | None = optional(
        "the same by category; a unit counts for each label in dispute on it"
    )
    annotators: Mapping[str, Decided] | None = None
    outcomes: tuple[DisputeOutcome, ...] | None = optional("the most frequent fifty, the first of them first")
    outcomes_in_all: int | None = None
    missing_rules: tuple[MissingRule, ...] | None = optional("the most frequent twenty")
