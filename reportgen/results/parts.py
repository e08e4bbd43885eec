"""What all parts of results.json are made of: figures, intervals, uncertainty, changes between figures."""

from collections.abc import Mapping, Sized
from typing import Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

# What every part of results.json is made of: frozen parts, figures with their intervals, means.

Scalar = str | int | float | bool
# What fills a place of a message: a scalar, or names that a sentence lists.
Value = Scalar | tuple[str, ...]
# A part in a session of Python shows no more of a value than so many letters.
LONGEST_SHOWN = 140


def optional(description: str) -> Any:  # noqa: ANN401 - the default of a field of any type
    """Return a field that may be absent."""
    return Field(default=None, description=description)


def _briefly(value: object) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST_SHOWN else f"{value[:LONGEST_SHOWN]}…")
    if isinstance(value, Sized):
        return f"<{len(value)}>"
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"<{type(value).__name__}>"


class ResultModel(BaseModel):
    """A part of results.json: frozen, without unknown keys; a key that is absent has no value."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)
    # Keys that are there with null too; keys that are not where they are empty; written without blanks.
    always: ClassVar[frozenset[str]] = frozenset()
    spare: ClassVar[frozenset[str]] = frozenset()
    dense: ClassVar[bool] = False

    def __repr__(self) -> str:
        """Return the part with its single values, and of the others how many there are: all fill screens."""
        fields = [f"{name}={_briefly(value)}" for name, value in vars(self).items() if value is not None]
        return f"{type(self).__name__}({', '.join(fields)})"

    __str__ = __repr__

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {
            key: value
            for key, value in handler(self).items()
            if (value is not None or key in self.always) and (value or key not in self.spare)
        }


class SmallPart:
    """A part of which there may be hundreds of thousands: its classes are dataclasses with slots.

    It takes a quarter of the memory of another one. Its values are checked where a file is read only.
    """

    __slots__: tuple[str, ...] = ()
    __pydantic_config__ = ConfigDict(extra="forbid")
    always: ClassVar[frozenset[str]] = frozenset()
    spare: ClassVar[frozenset[str]] = frozenset()


class Interval(ResultModel):
    """A confidence interval, or why there is none."""

    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str | None = None
    undefined: str | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return both ends, None where there are none."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @model_validator(mode="after")
    def _has_ends_or_reason(self) -> Self:
        if (self.low is None) == (self.undefined is None):
            message = "an interval has both ends or the reason why not"
            raise ValueError(message)
        return self


class Withheld(ResultModel):
    """What tables of two people join: what one of them did fewer than `below` times, and what tells of it."""

    labels: tuple[str, ...] = Field(
        description="labels that one of the two gave to so few units, and those from which these would follow"
    )
    below: int = Field(description="the campaign's smallest number of units")


class Figure(ResultModel):
    """A figure: its value, or null with the reason in `undefined`.

    `observed` and `expected` are agreements for nominal figures, disagreements for alpha and for every
    weighted figure, variances for Finn's R.
    """

    always = frozenset({"value"})
    value: float | None
    units: int | None = optional("units over which the figure is a mean")
    observed: float | None = None
    expected: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    undefined: str | None = None
    farthest: float | None = optional(
        "AC2: the largest distance of categories, declared or used: weights are 0 there"
    )
    recomputable: bool | None = optional(
        "false where counts alone do not give the figure and its interval; majorities carry it "
        "too, though ratings.csv gives them"
    )


def figure_name(figure: str, names: Mapping[str, str]) -> str:
    """Return the name of a figure with what it was computed with: "Weighted kappa [expert]"."""
    base, _, bracket = figure.partition("[")
    name = names.get(base, base)
    return f"{name} [{bracket}" if bracket else name


class Mean(ResultModel):
    """A mean over the pairs of annotators for which the figure is defined."""

    value: float
    pairs: int


# What results.json says of uncertainty beside intervals: words for figures, planning.


class Band(ResultModel):
    """What a benchmark scale says of a figure."""

    word: str = Field(description="the best band that the true value reaches with 95% probability")
    probability: float = Field(description="how probable it is that the true value is in that band or above")
    of_value: str = Field(description="the band in which the value itself lies")


class Benchmarks(ResultModel):
    """What each benchmark scale says of a figure, by the scale's id, or why they say nothing."""

    bands: Mapping[str, Band] | None = None
    undefined: str | None = None


class Goal(ResultModel):
    """How many documents, or units where none is known, a half-width takes in 4 campaigns of 5."""

    half_width: float
    clusters: int = Field(description="in all")
    more: int = Field(description="beyond those that there are")


class Plan(ResultModel):
    """What it takes to narrow a figure's interval, if what is to come resembles what there is."""

    clusters: int = Field(description="documents at hand, or units where no document is known")
    half_width: float = Field(description="of the interval as it is")
    goals: tuple[Goal, ...]


# The model of what changed between two sets of figures: versions of guidelines, or releases of one system.

Basis = Literal["shared", "all"]
Method = Literal["paired", "overlapping", "unpaired"]


class DifferenceTest(ResultModel):
    """A t test of a difference from zero, two-sided.

    `paired`: both figures are of the same clusters; `overlapping`: some clusters are in both; `unpaired`:
    none does, so that a change of material would look the same.
    """

    method: Method
    statistic: float
    degrees: float
    p: float
    adjusted: float | None = optional("p after Holm, where several are one question")


class Change(ResultModel):
    """One figure under both versions.

    `untested` says why there is no test; the difference is there wherever both figures are defined.
    """

    first: Figure
    second: Figure
    difference: float | None = None
    standard_error: float | None = None
    interval: Interval | None = optional("of the difference")
    test: DifferenceTest | None = None
    untested: str | None = None
    needed: int | None = optional(
        "clusters in each version that would show a difference of this size with a power of 80%"
    )


class Overlap(ResultModel):
    """What is in both versions."""

    documents: int
    units: int | None = optional("named units, or those of documents with the same text")
    annotators: tuple[str, ...]
    edited: int = Field(default=0, description="documents of one name whose text is another: not shared")


class Categories(ResultModel):
    """How the categories of the two versions answer to each other.

    `same`: they are the same; `merged`: they are under the names that campaign.toml gives them. `merged` has
    those of earlier labels, `split` those of later ones that are parts of an earlier label;
    `names`: only those of the same name are compared, and no coefficient is tested.
    """

    how: Literal["same", "merged", "names"]
    merged: Mapping[str, str] = Field(default_factory=dict)
    split: Mapping[str, str] | None = optional("later labels compared as one, under which name")
    first_only: tuple[str, ...] = ()
    second_only: tuple[str, ...] = ()


class DocumentChange(ResultModel):
    """One document's figure under both."""

    document: str
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    units: int = Field(description="units, or marks, on which the later figure rests")


class SystemRevision(ResultModel):
    """A system or model, or an annotator, compared with a reference twice.

    `first` and `second` name who was compared: the same annotator under two versions, or two releases of one
    system. `humans` is how annotators agree on the same units, in `figure`.
    """

    layer: str
    unit_set: str | None = optional("absent where marks in texts are compared")
    system: str
    role: str
    key: str
    first: str
    second: str
    releases: tuple[str, str] | None = optional("which releases the two are")
    basis: Basis
    figure: str = Field(description="the figure that pages show first, and that `by_document` has")
    documents: tuple[int, int]
    units: tuple[int, int] | None = optional("absent where marks in texts are compared")
    overlap: Overlap
    measures: Mapping[str, Change]
    by_category: Mapping[str, Change] = Field(description="F of each category or type")
    by_document: tuple[DocumentChange, ...] = Field(description="those that fell most first")
    document_figure: str | None = optional("the figure that `by_document` has, where it is another one")
    humans: Mapping[Literal["first", "second"], Figure] = Field(default_factory=dict)
    categories: Categories | None = optional("how those of two guidelines versions answer to each other")
