"""The model of what results.json says of spans with credit by a distance, and of BDM distances."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Figure, Mean, Part


class SpanCredit(Part):
    """Credit by one distance in a layer: pairs of marks of different types earn 1 - δ / divisor."""

    distance: str
    divisor: float = Field(description="1, or the largest distance between two types where it is beyond 1")
    mean_over_pairs: Mapping[str, Mapping[str, Mean]] = Field(description="by mode and measure")


class CreditedPairs(Part):
    """Marks of different types that are pairs by their credit: how many, and what they earn together."""

    coextensive: int
    overlap: int
    earned_coextensive: float
    earned_overlap: float


class CreditFigures(Part):
    """Figures with credit; without it the pairs of different types would each be missing and spurious."""

    pairs: CreditedPairs
    strict: Mapping[str, Figure]
    lenient: Mapping[str, Figure]
    average: Mapping[str, Figure]


class DistanceOrigin(Part):
    """Where distances of 1 - BDM come from; tables/bdm-<id>.csv has every two categories in full."""

    kind: str = Field(description='"scores" (a file that GATE wrote) or "taxonomy"')
    form: str = Field(description="how the file is written")
    file: str
    concepts: int = Field(description="how many concepts the file has, used or not")
    roots: int | None = Field(default=None, description="concepts without a parent")
    chain: float | None = Field(default=None, description="n0, the mean length of the chains")
    unplaced: tuple[str, ...] = Field(
        default=(), description="categories that are no concept: at distance 1 from all others"
    )
