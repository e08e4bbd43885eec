"""What results.json says of uncertainty beside intervals: words for figures, other methods, planning."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Part


class Band(Part):
    """What a benchmark scale says of a figure."""

    word: str = Field(description="the best band that the true value reaches with 95% probability")
    probability: float = Field(description="how probable it is that the true value is in that band or above")
    of_value: str = Field(description="the band in which the value itself lies")


class Benchmarks(Part):
    """What each benchmark scale says of a figure, by the scale's id, or why they say nothing."""

    bands: Mapping[str, Band] | None = None
    undefined: str | None = None


class Resampled(Part):
    """An interval from samples of documents, or of units where no document is known."""

    low: float | None = None
    high: float | None = None
    samples: int | None = None
    left_out: int | None = Field(default=None, description="samples in which the figure is undefined")
    seed: int | None = None
    undefined: str | None = None


class LeftOneOut(Part):
    """An interval from leaving out each document once, or each unit where no document is known."""

    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    clusters: int | None = Field(default=None, description="documents or units that were left out in turn")
    undefined: str | None = None


class PairsDrawn(Part):
    """The interval of Hayes and Krippendorff, which takes pairs of labels within a unit as independent."""

    low: float
    high: float
    pairs: int = Field(description="pairs of labels within units")


class Opinions(Part):
    """What other methods say of a figure's 95% interval."""

    document_bootstrap: Resampled
    document_jackknife: LeftOneOut
    hayes_krippendorff: PairsDrawn | None = None


class Goal(Part):
    """How many documents, or units where none is known, a half-width takes."""

    half_width: float
    clusters: int = Field(description="in all")
    more: int = Field(description="beyond those that there are")


class Plan(Part):
    """What it takes to narrow a figure's interval, if what is to come resembles what there is."""

    clusters: int = Field(description="documents at hand, or units where no document is known")
    half_width: float = Field(description="of the interval as it is")
    goals: tuple[Goal, ...]
