"""The model of what results.json says of unitizing: alpha_U, the u-alpha family and gamma."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from reportgen.results.parts import Figure, Part


class UnitizingPair(Part):
    """The unitizing figures of two annotators, over the documents that both saw."""

    annotators: tuple[str, str]
    documents: int
    measures: Mapping[str, Figure]


class Gamma(Part):
    """What gamma was computed with; another processor or version of a library may give other digits."""

    deterministic: Literal[False] = Field(
        default=False, description="the same bytes are not to be expected on every machine"
    )
    documents: int
    left_out: int = Field(description="documents in which nobody marked anything")
    samples: int
    seed: int = Field(description="the seed of the first document; each further one has the next")
    precision: float | None = None
    alpha: float
    beta: float
    delta_empty: float
    solver: str
    libraries: Mapping[str, str]


class Unitizing(Part):
    """How the annotators of one layer cut its texts into units.

    `observed` and `expected` are disagreements. Figures of a category that is several types joined by a bar
    belong to text over which one annotator's units of different types lie.
    """

    layer: str
    annotators: tuple[str, ...]
    documents: int = Field(description="documents that at least two annotators saw")
    documents_alone: int = Field(description="documents that one annotator only saw: left out")
    characters: int = Field(description="code points of the documents")
    characters_read: int = Field(description="the same, each document as often as annotators saw it")
    units: int = Field(description="stretches of text, of all annotators")
    joined: int = Field(description="stretches that overlap another of the same annotator and type: one unit")
    empty: int = Field(description="stretches without a character, which are no units")
    several: int = Field(description="segments over which one annotator's units of several types lie")
    measures: Mapping[str, Figure]
    by_category: Mapping[str, Mapping[str, Figure]]
    categories: tuple[str, ...] = Field(description="the categories in order")
    pairs: tuple[UnitizingPair, ...] = Field(
        description="every two of more than two annotators, and of no more than 50"
    )
    gamma: Gamma | None = Field(default=None, description="what it was computed with, where asked for")
