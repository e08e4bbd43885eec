"""The model of when annotators labelled, and how long it took them: a part of results.json."""

from typing import Literal

from pydantic import Field

from reportgen.results.parts import Figure, Part, optional

# What labels are paid by.
PaidFor = Literal["hour", "minute", "label", "document"]


class Seconds(Part):
    """How many seconds something took: the median of so many times, and the quartiles."""

    times: int
    median: float
    low: float = Field(description="the lower quartile")
    high: float = Field(description="the upper quartile")


class AnnotatorPace(Part):
    """How long one annotator takes, and how often that is implausibly short."""

    annotator: str
    seconds: Seconds
    compared: int = Field(
        default=0, description="units, or documents, of which the times of two others or more are known too"
    )
    fast: int = Field(
        default=0, description="of these, those that took less than a third of the median of the others"
    )
    groups: int = Field(default=0, description="documents of these units, or units where none is known")
    p: float | None = optional(
        "of the sign test over these groups that most of the units do not take so little, one-sided"
    )
    adjusted_p: float | None = optional("by Holm's method over the annotators")


class CategoryPace(Part):
    """How long the labels of one category took."""

    category: str
    seconds: Seconds
    minutes: float = Field(default=0.0, description="all of them, a pause counting as the annotator's median")
    cost: float | None = optional("of these labels, in the currency of the pay")


class Period(Part):
    """A stretch of whole days, and agreement on what was finished in it.

    A unit, or a document of marks, is finished with its last label, and has two labels from its second on.
    """

    first: str
    last: str
    units: int = Field(description="units, or documents of marks, that were finished then")
    figure: Figure = Field(description="agreement on these, by all their labels")
    labelled: int = Field(description="units, or documents of marks, with a label by the end of the stretch")
    doubled: int = Field(description="of these, those with labels of two annotators by then")
    so_far: Figure = Field(description="agreement by all labels that were given by then")


class Forecast(Part):
    """When an interval is narrow enough, if work goes on at its pace on material like that so far.

    The first and the last of the days are by the pace of the fastest and of the slowest third of the time.
    """

    half_width: float = Field(
        description="half the width of the interval to be reached; by low, how far below the figure it begins"
    )
    demand: Literal["half_width", "low"] | None = optional(
        "the rule of [gate] that asks for it; absent where none does, or all is as they ask"
    )
    least: float | None = optional("where the lower end is to be, by low")
    more: int = Field(description="documents, or units where none is known, that two have to label for it")
    reached: str | None = None
    earliest: str | None = None
    latest: str | None = None
    undefined: Literal["short", "irregular", "far", "undated"] | None = optional(
        "why no day is given: work on fewer than four days or over fewer than six, a third of the time with "
        "more than three times what another has, more than four times as much to do as was done, or less "
        "than nine in ten of the documents with dates"
    )


class LayerTimes(Part):
    """When the labels of a layer's primary unit set were given, and how long each took."""

    layer: str
    unit_set: str
    by_document: bool = Field(description="whether times are of documents with their marks, not of units")
    ratings: int = Field(description="labels of the unit set, or documents that annotators saw")
    timed: int = Field(description="of these, those of which it is known how long they took")
    dated: int = Field(description="of these, those of which it is known when they were done")
    first: str | None = optional("the day of the first label, in UTC")
    last: str | None = None
    days: int | None = optional("days on which anybody labelled")
    annotators: tuple[AnnotatorPace, ...] = Field(default=(), description="all, or the fastest of many")
    annotators_in_all: int = 0
    categories: tuple[CategoryPace, ...] = ()
    coefficient: str
    periods: tuple[Period, ...] = Field(
        default=(),
        description="stretches of whole days with enough units in each; none where there is one alone",
    )
    forecast: Forecast | None = optional("when the next half-width is reached; absent where all are")


class Cost(Part):
    """What labels cost whose times are known, by what [protocol] says of pay."""

    currency: str
    amount: float = Field(description="what was paid")
    per: PaidFor = Field(description="for what")
    labels: int = Field(description="labels, or documents, whose times are known")
    total: float = Field(description="what these cost")
    each: float = Field(description="what one of them cost on average")
    hourly: float = Field(description="what an hour of labelling was paid, pauses counting as medians")


class Times(Part):
    """When annotators labelled, and how long it took them."""

    minutes: float | None = optional(
        "of all layers together, a row or copy of the export counted once; a pause counts as the median"
    )
    recorded: float | None = optional("minutes as the export has them, pauses included")
    pauses: int | None = optional("times that are longer than ten times the annotator's median")
    cost: Cost | None = optional("where pay is known, by the hour, the minute, the label or the document")
    layers: tuple[LayerTimes, ...]
