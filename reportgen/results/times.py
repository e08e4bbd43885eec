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
    """How long one annotator takes."""

    annotator: str
    seconds: Seconds


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
    coefficient: str
    periods: tuple[Period, ...] = Field(
        default=(),
        description="stretches of whole days with enough units in each; none where there is one alone",
    )


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
