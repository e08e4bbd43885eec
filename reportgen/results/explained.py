"""What results.json says of measures: definitions, weights, and why one coefficient is the primary one."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class Work(Part):
    """A publication."""

    citation: str
    doi: str = ""


class Elsewhere(Part):
    """What another library returns under the same name."""

    library: str
    returns: str


class Entry(Part):
    """What a measure and what stands in brackets behind one have in common."""

    name: str
    formula: str
    latex: str = Field(default="", description="the formula typeset, in the notation of Artstein and Poesio")
    answers: str
    use: str = Field(default="", description="when to take it")
    avoid: str = Field(default="", description="when not")
    works: tuple[Work, ...]
    elsewhere: tuple[Elsewhere, ...] = Field(default=(), description="where other libraries differ")


class Definition(Entry):
    """A measure of the catalogue that these results use; `place` is where it stands in the catalogue."""

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
    """What stands in brackets behind figures: a distance between categories, or how marks were matched."""

    figures: tuple[str, ...] = Field(default=(), description="the figures of these results that have it")


class Choice(Part):
    """The primary coefficient of a layer, by the design of the whole campaign: the same in all versions."""

    coefficient: str
    declared: bool = Field(description="whether campaign.toml names it")
    reason: str = Field(description="why it is this one; `values` fills its {named} places")
    values: Mapping[str, str] = Field(default_factory=dict)
