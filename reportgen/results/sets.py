"""What is said of a unit set whose categories are sets of labels."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class LabelOfSets(Part):
    """One label: how often annotators chose it, and how often one of two chose it and the other did not."""

    chosen: int = Field(description="ratings whose set holds it")
    apart: float = Field(
        description="units on which one of two annotators chose it and the other did not; of more than two "
        "the pairs of such ratings of each unit, divided by its ratings less one"
    )


class SetsCompared(Part):
    """What explicit agreement leaves out, what implicit agreement counts, and the labels that sets hold."""

    categories: int = Field(description="how many labels there are to choose from")
    declared: bool = Field(
        description="whether the campaign declares that number; else it is that of labels declared or used"
    )
    units_left_out: int = Field(description="units to which nobody of two or more annotators gave a label")
    meetings: int = Field(description="how often two annotators rated the same unit")
    meetings_left_out: int = Field(description="of those, in how many neither gave a label")
    pairs: int = Field(description="pairs of annotators over which explicit agreement is a mean")
    members: Mapping[str, tuple[str, ...]] = Field(description="the labels that each category holds")
    names: tuple[str, ...] = Field(
        description="the labels in their order: specific agreement and figures against the rest are of "
        "these, each chosen or not"
    )
    labels: Mapping[str, LabelOfSets] = Field(description="how each label was chosen")
