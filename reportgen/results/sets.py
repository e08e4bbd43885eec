"""What is said of a unit set whose categories are sets of labels."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class SetsCompared(Part):
    """What explicit agreement leaves out, and what implicit agreement counts."""

    categories: int = Field(description="how many labels there are to choose from")
    declared: bool = Field(
        description="whether the campaign declares that number; else it is that of labels declared or used"
    )
    units_left_out: int = Field(description="units to which nobody of two or more annotators gave a label")
    meetings: int = Field(description="how often two annotators rated the same unit")
    meetings_left_out: int = Field(description="of those, in how many neither gave a label")
    pairs: int = Field(description="pairs of annotators over which explicit agreement is a mean")
    members: Mapping[str, tuple[str, ...]] = Field(description="the labels that each category holds")
