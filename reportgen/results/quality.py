"""The model of the quality of annotators and items, which is not agreement: a part of results.json.

No counts table gives these figures: who said what of which unit is not in them.
"""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Figure, Part


class ControlAccuracy(Part):
    """How many control items one annotator labelled right."""

    annotator: str
    labelled: int
    right: int
    accuracy: Figure
    rejected: bool


class BesideFigure(Part):
    """One figure with everybody, and without the rejected annotators."""

    everybody: Figure | None = None
    without_rejected: Figure | None = None


class Controls(Part):
    """The control items of a layer, and whom they made the campaign reject."""

    items: int
    absent: int = Field(description="further items, which no unit of the export is")
    reject_below: float | None = Field(
        default=None, description="rejected where the upper end of the interval of accuracy is below it"
    )
    minimum: int = Field(description="control items that somebody must have labelled first")
    rejected: tuple[str, ...]
    annotators: tuple[ControlAccuracy, ...] = Field(description="all, or the worst of many")
    annotators_in_all: int
    agreement: Mapping[str, BesideFigure] = Field(
        default_factory=dict, description="agreement in the primary unit set, where somebody is rejected"
    )


class Erring(Part):
    """One annotator under the model of Dawid and Skene.

    `confusion` has true categories as rows and given ones as columns; rows of categories that the annotator
    never met are null.
    """

    annotator: str
    labelled: int
    accuracy: float = Field(description="Σ p_c π(c, c): how often right, were true categories as prevalent")
    blind: float = Field(description="accuracy of the same labels given at random")
    expected_right: float = Field(description="labels that are right as far as the model knows")
    near_chance: bool
    below_chance: bool = Field(
        default=False, description="whether right less often than the same labels given at random"
    )
    confusion: tuple[tuple[float | None, ...], ...] | None = Field(
        default=None, description="in the order of the categories; absent where there are many"
    )


class DawidSkene(Part):
    """The model of Dawid and Skene (1979), fitted by EM; or why it is not."""

    undefined: str | None = None
    units: int | None = None
    known: int | None = Field(default=None, description="of these, control items, which are taken as known")
    categories: tuple[str, ...] = ()
    prevalence: Mapping[str, float] = Field(default_factory=dict)
    iterations: int | None = None
    most_iterations: int | None = None
    tolerance: float | None = Field(
        default=None, description="the largest change of a posterior at which it stops"
    )
    converged: bool | None = None
    annotators: tuple[Erring, ...] = Field(default=(), description="all, or the worst of many")
    annotators_in_all: int = 0


class HardUnit(Part):
    """A unit with much disagreement; `entry` is its number in the list of texts.json, from 0."""

    entry: int | None = None
    document: str | None = None
    disagreement: float
    entropy: float
    labels: Mapping[str, int]


class Bin(Part):
    """How many units have a disagreement above `low`, up to `high`; the first bin has those without."""

    low: float
    high: float
    units: int


class Difficulty(Part):
    """How hard units are that at least two annotators rated."""

    units: int
    differing: int
    disagreement: float = Field(description="mean share of pairs that differ")
    entropy: float = Field(description="mean entropy of a unit's labels, in bits")
    histogram: tuple[Bin, ...]
    hardest: tuple[HardUnit, ...]


class Block(Part):
    """Consecutive documents of one annotator, or units where no document is known."""

    documents: int
    units: int
    agreement: float


class Drift(Part):
    """One annotator's agreement with the others over documents in their order.

    `slope` is the change from the first to the last; `p` that of no change, `adjusted_p` by Holm's method.
    """

    documents: int
    blocks: tuple[Block, ...]
    slope: Figure
    p: float | None = None
    adjusted_p: float | None = None


class Standing(Part):
    """One annotator beside the others.

    `agreement` is with the others, `others` theirs among themselves on the same units, `difference` the
    former less the latter, with the p value of none.
    """

    annotator: str
    agreement: Figure
    others: float | None = None
    difference: Figure
    p: float | None = None
    adjusted_p: float | None = None
    without: Figure | None = Field(
        default=None,
        description="the primary coefficient without this annotator, of those who agree less than the others "
        "or gave one label throughout",
    )
    drift: Drift | None = None


class Twice(Part):
    """What one annotator said of units at first, against what they said again."""

    annotator: str
    units: int
    measures: Mapping[str, Figure]


class Quality(Part):
    """The quality of one layer's annotators and items, in its primary unit set."""

    layer: str
    unit_set: str
    recomputable: bool = Field(default=False, description="counts alone do not give it")
    controls: Controls | None = None
    dawid_skene: DawidSkene
    difficulty: Difficulty | None = None
    by_document: bool = Field(description="whether drift is over documents, or over units in their order")
    annotators: tuple[Standing, ...] = Field(default=(), description="all, or the worst of many")
    annotators_in_all: int
    intra_annotator: tuple[Twice, ...] = ()
