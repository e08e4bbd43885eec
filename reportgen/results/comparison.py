"""The model of comparison.json: one guidelines version against another, figure by figure.

`first` is the earlier of the two, `second` the later; a difference is the second less the first. Everything
on a comparison's pages is in it, or in changed.json beside it, which has texts. Systems are compared over
versions, and a version's own results hold the releases of one system in the same form.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from reportgen.results.model import Finding, Results, Tool, dumps
from reportgen.results.parts import (
    Basis,
    Categories,
    Change,
    Overlap,
    Part,
    SystemRevision,
    figure_name,
    optional,
)
from reportgen.results.texts import Texts

# With fewer documents that changed, no outcome of the exact test is beyond chance: 2 · .5⁵ is .0625.
LEAST_CLUSTERS = 6
# Between the labels that one of two sets alone has.
BETWEEN = ", "

PassageKind = Literal["added", "removed", "kept"]


class Sample(Part):
    """What one version brings into a comparison."""

    documents: int
    units: int = Field(description="units that at least two annotators rated")
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    label_shares: Mapping[str, float] = Field(
        default_factory=dict, description="the share of labels on these units that each category has"
    )
    reported: float | None = optional(
        "the primary coefficient as the version's report has it, of all its units under its own labels, "
        "where they are compared under other names"
    )


class ConfusionChange(Part):
    """What confusing two categories adds to observed disagreement under each version.

    `first` and `second` are whole numbers, to be divided by `Disagreement.denominators`. Two sets have the
    names of the labels that only one of them holds, the second of `categories` being empty without any.
    """

    categories: tuple[str, str]
    first: int
    second: int
    contribution: float = Field(description="to the change in observed disagreement")

    p: float | None = optional("t test of the contribution; only the most frequent have one")
    adjusted: float | None = optional("p after Holm over the confusions tested")
    beyond_mix: float | None = optional(
        "of other material: p after Holm that the mix of categories did not move it, the larger one of the "
        "changes in its shares of the labels beside either category"
    )


def labels_confused(categories: tuple[str, str], labels: Collection[str]) -> list[str]:
    """Return two categories, of two sets the labels in which they differ; `labels` are those there are."""
    names_by_side = [[name] if name in labels else name.split(BETWEEN) for name in categories if name]
    return [name for names in names_by_side for name in names]


class DisagreementChange(Part):
    """Observed disagreement under both versions, and the confusions that its change consists of."""

    first: float
    second: float
    change: float
    denominators: tuple[int, int]
    confusions: tuple[ConfusionChange, ...] = Field(description="those that fell most first")
    sets: bool = Field(default=False, description="whether sets are compared, and told by what differs")


class Flips(Part):
    """Units of both versions on which annotators agreed or not; all four add up to the shared units."""

    agreed: int = Field(description="under both")
    mended: int = Field(description="disputed before, agreed now")
    broken: int = Field(description="agreed before, disputed now")
    disputed: int = Field(description="under both")
    alike: bool = Field(
        default=True, description="whether as many annotators rated what changed sides under both versions"
    )
    clusters: int = Field(
        default=0,
        description="documents, or units where none is known, with more of one change than of the other",
    )
    p: float | None = optional(
        "exact test that units change either way equally often, document by document (McNemar)"
    )

    @property
    def is_testable(self) -> bool:
        """Tell whether enough documents changed for a test to tell more of one change from chance."""
        return self.p is not None and self.clusters >= LEAST_CLUSTERS

    @property
    def total(self) -> int:
        """Return how many units are in both versions."""
        return self.agreed + self.mended + self.broken + self.disputed


class PairChange(Part):
    """Two annotators who are in both versions."""

    annotators: tuple[str, str]
    measures: Mapping[str, Change]


class UnitSetRevision(Part):
    """One unit set under both versions, on one basis."""

    layer: str
    unit_set: str
    primary: bool
    scale: str | None = optional("of the later version")
    figure: str = Field(description="the primary coefficient of the layer")
    basis: Basis = Field(description="documents or units of both versions alone, or all of each")
    clusters: Literal["document", "unit"] = Field(description="what a test takes as independent")
    noun: str = Field(default="units", description="what the units are under both versions, in the plural")
    first: Sample
    second: Sample
    overlap: Overlap
    categories: Categories
    non_annotated: str | None = optional("the category of units that nobody marked, where there is one")
    measures: Mapping[str, Change]
    specific_agreement: Mapping[str, Change]
    pairs: tuple[PairChange, ...] = ()
    disagreement: DisagreementChange | None = None
    flips: Flips | None = None


class SpanRevision(Part):
    """Agreement on marks in texts under both versions: means over the pairs of annotators."""

    layer: str
    basis: Basis
    first: Sample
    second: Sample
    overlap: Overlap
    measures: Mapping[str, Change] = Field(description="f_measure[strict] and the like")
    by_type: Mapping[str, Change] = Field(description="strict F of each type")
    pairs: tuple[PairChange, ...] = ()
    categories: Categories | None = None


class Passage(Part):
    """A passage of the guidelines, and the categories that it names."""

    kind: PassageKind
    text: str
    categories: tuple[str, ...] = ()


class GuidelinesCompared(Part):
    """The two guidelines documents, passage by passage, in the order of the later one."""

    first: str
    second: str
    passages: tuple[Passage, ...]


class VersionSide(Part):
    """One of the two versions."""

    guidelines: str
    date: str | None = None
    changes: str = ""


class ComparedCampaign(Part):
    """Whose versions are compared."""

    id: str
    title: str


Revised = TypeVar("Revised", UnitSetRevision, SpanRevision, SystemRevision)


def on_shared(revisions: Iterable[Revised], *fields: str) -> list[Revised]:
    """Return a revision for each value of some fields: on what is in both versions, else on all of each."""
    chosen: dict[object, Revised] = {}
    for revision in revisions:
        key = attrgetter(*fields)(revision)
        if key not in chosen or revision.basis == "shared":
            chosen[key] = revision
    return list(chosen.values())


class VersionComparison(Part):
    """Two guidelines versions of one campaign."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    campaign: ComparedCampaign
    first: VersionSide
    second: VersionSide
    coefficients: Mapping[str, str] = Field(description="the primary coefficient of each layer")
    unit_sets: tuple[UnitSetRevision, ...]
    spans: tuple[SpanRevision, ...] = ()
    systems: tuple[SystemRevision, ...] = Field(default=(), description="regressions first")
    guidelines: GuidelinesCompared | None = None
    guidelines_uncompared: str | None = optional("why the guidelines documents were not compared")
    missing: Mapping[Literal["first", "second"], tuple[str, ...]] = Field(
        default_factory=dict, description="unit sets (layer/id) that only one of the two has"
    )
    margin: float | None = optional("the fall of the first layer's coefficient that [gate] takes as none")
    names: Mapping[str, str] = Field(description="what measures are called, by id")
    places: Mapping[str, int] = Field(description="the catalogue's order of measures")
    findings: tuple[Finding, ...] = ()
    tool: Tool

    @property
    def primary(self) -> UnitSetRevision | None:
        """Return the primary unit set on what is in both versions, else on all of each."""
        primary = [revision for revision in self.unit_sets if revision.primary]
        shared = [revision for revision in primary if revision.basis == "shared"]
        return next(iter([*shared, *primary]), None)

    def name_of(self, figure: str) -> str:
        """Return the name of a figure with what it was computed with: "Weighted kappa [expert]"."""
        return figure_name(figure, self.names)


class ChangedUnit(Part):
    """A unit on which annotators agreed under one version alone, or differ in another way than before.

    `before`, `unit`, `after` are its text in context, or `unit` its name; labels are by annotator.
    """

    document: str | None = None
    before: str = ""
    unit: str
    after: str = ""
    first: Mapping[str, str]
    second: Mapping[str, str]


class ChangedUnits(Part):
    """The units of one unit set that changed sides, or are still disputed, in the order of documents.

    Of very many, a list has so many, evenly spread; `Flips` says how many there are.
    """

    layer: str
    unit_set: str
    mended: tuple[ChangedUnit, ...] = ()
    broken: tuple[ChangedUnit, ...] = ()
    disputed: tuple[ChangedUnit, ...] = ()


class Changed(Part):
    """The texts of a comparison (changed.json), absent where the campaign withholds its texts."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    first: str
    second: str
    unit_sets: tuple[ChangedUnits, ...]


# The files of results, from which all else in a folder of the site is rendered.

RESULTS, TEXTS, COMPARISON, CHANGED = "results.json", "texts.json", "comparison.json", "changed.json"
COUNTS = "counts/annotators.csv"


def version_data(
    results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a version's results; `beside` are those too large for them."""
    yield RESULTS, dumps(results)
    if texts:
        yield TEXTS, dumps(texts)
    yield from beside.items()


def comparison_data(comparison: VersionComparison, changed: Changed | None) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a comparison's results."""
    yield COMPARISON, dumps(comparison)
    if changed is not None:
        yield CHANGED, dumps(changed)
