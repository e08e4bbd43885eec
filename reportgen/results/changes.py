"""The model of what changed between two sets of figures: versions of guidelines, or releases of one system.

`first` is the earlier of the two, `second` the later; a difference is the second less the first.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from reportgen.results.parts import Figure, Interval, Part

Basis = Literal["shared", "all"]
Method = Literal["paired", "overlapping", "unpaired"]


class DifferenceTest(Part):
    """A t test of a difference from zero, two-sided.

    `paired`: both figures are of the same clusters; `overlapping`: some clusters stand in both; `unpaired`:
    none does, so that a change of material would look the same.
    """

    method: Method
    statistic: float
    degrees: float
    p: float
    adjusted: float | None = Field(default=None, description="p after Holm, where several are one question")


class Permutation(Part):
    """A test that exchanges the two versions of each document, or unit, at random."""

    p: float
    samples: int
    exact: bool = Field(description="whether all exchanges were tried, not a sample of them")


class Change(Part):
    """One figure under both versions.

    `untested` says why there is no test; the difference is there wherever both figures are defined.
    """

    first: Figure
    second: Figure
    difference: float | None = None
    standard_error: float | None = None
    interval: Interval | None = Field(default=None, description="of the difference")
    test: DifferenceTest | None = None
    permutation: Permutation | None = None
    untested: str | None = None
    needed: int | None = Field(
        default=None,
        description="clusters in each version that would show a difference of this size with a power of 80%",
    )


class Overlap(Part):
    """What stands in both versions."""

    documents: int
    units: int | None = Field(
        default=None, description="named units, or those of documents with the same text"
    )
    annotators: tuple[str, ...]
    edited: int = Field(default=0, description="documents of one name whose text is another: not shared")


class Categories(Part):
    """How the categories of the two versions answer to each other.

    `same`: they are the same; `merged`: they are once the earlier ones are called what campaign.toml says;
    `names`: only those of the same name are compared, and no coefficient is tested.
    """

    how: Literal["same", "merged", "names"]
    merged: Mapping[str, str] = Field(default_factory=dict)
    first_only: tuple[str, ...] = ()
    second_only: tuple[str, ...] = ()


class DocumentChange(Part):
    """One document's figure under both."""

    document: str
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    units: int = Field(description="units, or marks, on which the later figure rests")


class SystemRevision(Part):
    """A system or model, or an annotator, held against a reference twice.

    `first` and `second` name who was compared: the same annotator under two versions, or two releases of one
    system. `humans` is how annotators agree on the same units, in `figure`.
    """

    layer: str
    unit_set: str | None = Field(default=None, description="absent where marks in texts are compared")
    system: str
    role: str
    key: str
    first: str
    second: str
    releases: tuple[str, str] | None = Field(default=None, description="which releases the two are")
    basis: Basis
    figure: str = Field(description="the figure that pages show first, and that `by_document` has")
    documents: tuple[int, int]
    units: tuple[int, int] | None = Field(
        default=None, description="absent where marks in texts are compared"
    )
    overlap: Overlap
    measures: Mapping[str, Change]
    by_category: Mapping[str, Change] = Field(description="F of each category or type")
    by_document: tuple[DocumentChange, ...] = Field(description="those that fell most first")
    document_figure: str | None = Field(
        default=None, description="the figure that `by_document` has, where it is another one"
    )
    humans: Mapping[Literal["first", "second"], Figure] = Field(default_factory=dict)
    categories: Categories | None = Field(
        default=None, description="how those of two guidelines versions answer to each other"
    )
