"""The model of groups of annotators, such as by age: a part of results.json."""

from pydantic import Field

from reportgen.results.parts import Figure, Part, optional


class GroupSize(Part):
    """A group of annotators, and how many there are in it."""

    group: str
    people: int


class GroupAgreement(Part):
    """How much the members of a group agree among themselves, and with those of other groups.

    Both are chance-corrected by what everybody said: 1 - D / D_e, D being the mean distance of two labels of
    one unit, D_e that of any two. Units count as many times as they have pairs of members, in both.
    """

    group: str | None = optional("absent: of all groups, pairs within any beside pairs between any two")
    people: int
    units: int = Field(description="units that two members and somebody else labelled")
    within: Figure
    between: Figure
    difference: Figure = Field(description="within less between")
    p: float | None = optional("two-sided, by exchanging at random who belongs to which group")
    adjusted_p: float | None = optional("over all groups, attributes and layers")


class LayerGroups(Part):
    """Groups by one attribute, and what they said in one layer's primary unit set."""

    layer: str
    unit_set: str
    attribute: str
    coefficient: str = Field(description="whose distance between labels is taken")
    groups: tuple[GroupSize, ...]
    others: int = Field(description="annotators whose group is not known, or not told of")
    agreement: tuple[GroupAgreement, ...] = ()
    exchanges: int | None = optional("how many random exchanges p rests on")
    untested: str | None = optional("why there is no p")


class Groups(Part):
    """Groups of annotators: none of fewer people than `smallest`, and none that follows from others."""

    smallest: int = Field(description="people that a group has at least, where it is told of")
    layers: tuple[LayerGroups, ...]
