"""Decisions in results.json: what was decided of the disagreements of a layer, and who had said so."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class Decided(Part):
    """An annotator against the decisions: units that have one and that the annotator labelled."""

    units: int
    agreed: int = Field(description="of those, labelled as it was decided")
    share: float


class Adjudication(Part):
    """What was decided of the disagreements of one layer; without a sheet there is only what is open.

    The decisions are the reference "adjudicated". It is made from what the annotators marked, and so never
    independent of them.
    """

    layer: str
    open: int = Field(description="units on which annotators differ and nothing is decided")
    listed: bool = Field(description="whether tables/adjudication.csv lists them; it shows texts")
    filled: bool = Field(default=False, description="whether there is a sheet")
    decided: int | None = Field(default=None, description="units that are decided")
    agreed: int | None = Field(default=None, description="units on which all of two or more agree")
    independent: bool | None = None
    by_cause: Mapping[str, int] | None = Field(
        default=None, description="units by the cause that was noted, also where nothing is decided"
    )
    causes: Mapping[str, Mapping[str, int]] | None = Field(
        default=None, description="the same by category; a unit counts for each label in dispute on it"
    )
    annotators: Mapping[str, Decided] | None = None
