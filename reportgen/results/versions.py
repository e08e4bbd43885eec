"""Comparison.json, history.json, the record of a release.

The model of comparison.json: one guidelines version against another, figure by figure.

`first` is the earlier of the two, `second` the later; a difference is the second less the first. Everything
on a comparison's pages is in it, or in changed.json beside it, which has texts. Systems are compared over
versions, and a version's own results hold the releases of one system in the same form.

The model of history.json: one campaign over its guidelines versions, from the oldest to the newest.

It repeats what the versions' results and their comparisons say and computes nothing, so that it can be made
again from the site's own files. Everything on a campaign's page, in its badge and in its feed is in it.

The model of released-VERSION.json: what a bundle had, as the campaign's own folder records it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import Field

from reportgen.results.model import (
    SEVERITIES,
    Finding,
    Results,
    Severity,
    SubjectFigure,
    SubjectId,
    Tool,
    dumps,
    is_unnamed,
)
from reportgen.results.parts import (
    Basis,
    Categories,
    Change,
    Figure,
    Interval,
    Method,
    Overlap,
    ResultModel,
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


class Sample(ResultModel):
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


class ConfusionChange(ResultModel):
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


class DisagreementChange(ResultModel):
    """Observed disagreement under both versions, and the confusions that its change consists of."""

    first: float
    second: float
    change: float
    denominators: tuple[int, int]
    confusions: tuple[ConfusionChange, ...] = Field(description="those that fell most first")
    sets: bool = Field(default=False, description="whether sets are compared, and told by what differs")


class Flips(ResultModel):
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


class PairChange(ResultModel):
    """Two annotators who are in both versions."""

    annotators: tuple[str, str]
    measures: Mapping[str, Change]


class UnitSetRevision(ResultModel):
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


class SpanRevision(ResultModel):
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


class Passage(ResultModel):
    """A passage of the guidelines, and the categories that it names."""

    kind: PassageKind
    text: str
    categories: tuple[str, ...] = ()


class GuidelinesCompared(ResultModel):
    """The two guidelines documents, passage by passage, in the order of the later one."""

    first: str
    second: str
    passages: tuple[Passage, ...]


class VersionSide(ResultModel):
    """One of the two versions."""

    guidelines: str
    date: str | None = None
    changes: str = ""


class ComparedCampaign(ResultModel):
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


class VersionComparison(ResultModel):
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


class ChangedUnit(ResultModel):
    """A unit on which annotators agreed under one version alone, or differ in another way than before.

    `before`, `unit`, `after` are its text in context, or `unit` its name; labels are by annotator.
    """

    document: str | None = None
    before: str = ""
    unit: str
    after: str = ""
    first: Mapping[str, str]
    second: Mapping[str, str]


class ChangedUnits(ResultModel):
    """The units of one unit set that changed sides, or are still disputed, in the order of documents.

    Of very many, a list has so many, evenly spread; `Flips` says how many there are.
    """

    layer: str
    unit_set: str
    mended: tuple[ChangedUnit, ...] = ()
    broken: tuple[ChangedUnit, ...] = ()
    disputed: tuple[ChangedUnit, ...] = ()


class Changed(ResultModel):
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


def in_order(dates: Sequence[str | None]) -> list[int]:
    """Return the places of versions from the oldest to the newest, given their dates as declared (ISO 8601).

    Where two have one date, the one declared first is older; a version without a date comes after the one
    that was declared before it. Names of versions say nothing: 1.10 comes after 1.9.
    """
    keys: list[str] = []
    for date in dates:
        keys.append(date or (keys[-1] if keys else ""))
    return sorted(range(len(keys)), key=lambda position: keys[position])


class SystemState(ResultModel):
    """One system or model against a reference under one version, and annotators in the same measure.

    `humans` is how annotators agree with each other on the same units.
    """

    system: str
    role: str
    release: str | None = None
    key: str
    unit_set: str | None = optional("absent where marks in texts are compared")
    figure: str
    name: str
    value: Figure
    humans: Figure | None = None


class LayerState(ResultModel):
    """One layer under one version, in its primary unit set."""

    layer: str
    unit_set: str
    annotators: int = Field(description="how many: the coverage has their names")
    documents: int
    units: int
    documents_compared: int = Field(description="documents in which two annotators rated the same unit")
    units_compared: int = Field(description="units that at least two annotators rated: what figures rest on")
    coefficient: str
    name: str
    symbol: str
    figure: Figure
    categories: tuple[str, ...]
    specific_agreement: Mapping[str, Figure]
    f_measure: Figure | None = optional("strict F of marks in texts, the mean over pairs of annotators")
    confusions: Mapping[str, float] = Field(
        default_factory=dict,
        description="of two labels that differ: how often two annotators gave them, as a share of all",
    )
    systems: tuple[SystemState, ...] = ()
    subject: SubjectId | None = optional("what the verdict is about; absent: annotators")
    answer: SubjectFigure | None = optional("the figure that the verdict is about; absent: the coefficient")

    @property
    def shown(self) -> Figure:
        """Return the figure that the verdict is about."""
        return self.answer.value if self.answer else self.figure


class MovedFigure(ResultModel):
    """The primary coefficient of a layer as it was released, and as it is now."""

    layer: str
    figure: str
    name: str
    released: float | None = None
    now: float | None = None


class ReleaseState(ResultModel):
    """What was released of a version, and what differs from it now.

    Labels are counted as far as counts tell: two that changed places in one document may look like none.
    """

    spare: ClassVar[frozenset[str]] = frozenset(("again", "documents", "figures", "withdrawn"))
    released: str | None = optional("the day")
    again: tuple[str, ...] = Field(default=(), description="why it was released again, the first time first")
    documents: Mapping[str, int] = Field(
        default_factory=dict,
        description="documents of which labels differ, and how many at least; empty where none is known",
    )
    figures: tuple[MovedFigure, ...] = Field(default=(), description="primary coefficients that differ")
    withdrawn: int = Field(
        default=0, description="annotators whose labels were all taken out; others' are in `documents`"
    )

    @property
    def differs(self) -> bool:
        """Tell whether anything is not as it was released."""
        return bool(self.documents or self.figures or self.withdrawn)

    @property
    def labels(self) -> int:
        """Return how many labels differ at least."""
        return sum(self.documents.values())


class VersionState(ResultModel):
    """One guidelines version: where it is now, and the verdict on all of its layers."""

    spare: ClassVar[frozenset[str]] = frozenset(("was",))
    version: str
    date: str | None = None
    changes: str = ""
    was: tuple[str, ...] = Field(default=(), description="what it was called earlier")
    release: ReleaseState | None = optional("where the campaign's folder has a record of a release")
    verdicts: tuple[Finding, ...] = Field(
        description="one; with several layers one for those that have the same, the gravest first"
    )
    causes: tuple[Finding, ...] = Field(default=(), description="the findings of what to do first")
    layers: tuple[LayerState, ...]

    @property
    def is_unnamed(self) -> bool:
        """Tell whether nobody named the version of the guidelines."""
        return is_unnamed(self.version, self.date, self.changes, self.was, self.release)

    @property
    def severity(self) -> Severity:
        """Return how grave the gravest verdict is."""
        return min((verdict.severity for verdict in self.verdicts), key=SEVERITIES.index)

    def severity_of(self, layer: str) -> Severity:
        """Return how grave the verdict on a layer is; with one layer there is one verdict."""
        return next(
            verdict.severity for verdict in self.verdicts if len(self.layers) == 1 or layer in verdict.layers
        )

    def answer_of(self, layer: str) -> Finding | None:
        """Return the verdict on a layer whose subject is another than single labels of annotators."""
        own = (verdict for verdict in self.verdicts if verdict.subject)
        return next((verdict for verdict in own if len(self.layers) == 1 or layer in verdict.layers), None)

    @property
    def acceptable(self) -> int:
        """Return on how many layers agreement is acceptable: high, or acceptable with caution."""
        passed = (verdict for verdict in self.verdicts if verdict.severity in {"good", "note"})
        return sum(len(verdict.layers) for verdict in passed)

    @property
    def lowest(self) -> LayerState:
        """Return the layer whose figure is lowest, the first where none has a value."""
        defined = [layer for layer in self.layers if layer.shown.value is not None]
        return min(defined, key=lambda layer: layer.shown.value or 0.0, default=self.layers[0])

    @property
    def first(self) -> LayerState:
        """Return the first layer, whose coefficient is the campaign's."""
        return self.layers[0]

    def layer(self, name: str) -> LayerState | None:
        """Return a layer by its id, None where this version has no such layer."""
        return next((layer for layer in self.layers if layer.layer == name), None)


class Move(ResultModel):
    """How one figure moved from one version to another, as their comparison says."""

    figure: str
    basis: Basis | None = None
    method: Method | None = None
    first: float | None = optional("the figure under the first version, on that basis")
    second: float | None = None
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = optional("after Holm where several categories, or several layers, are tested")
    untested: str | None = None


class LayerMove(ResultModel):
    """How one layer moved, on what is in both versions where something does."""

    layer: str
    coefficient: Move
    clusters: Literal["document", "unit"]
    documents: int = Field(description="documents of both versions on which the comparison rests")
    specific_agreement: Mapping[str, Move] = Field(default_factory=dict)
    f_measure: Move | None = optional("of marks in texts, strict")
    renamed: Mapping[str, str] | None = optional("labels of the first version by their names in the second")


class Step(ResultModel):
    """From one version to another; `layers` and what they say come from comparison.json of the two.

    Documents and annotators are those of the coverage: of both, of the first alone, of the second alone.
    """

    first: str
    second: str
    documents: tuple[int, int, int] | None = optional("absent where no document is known")
    edited: int = Field(default=0, description="documents of one name whose text is another")
    left: tuple[str, ...] = Field(default=(), description="annotators of the first alone")
    joined: tuple[str, ...] = Field(default=(), description="annotators of the second alone")
    compared: bool = Field(description="whether the two have a comparison")
    layers: tuple[LayerMove, ...] = ()

    @property
    def primary(self) -> LayerMove | None:
        """Return how the first layer moved, None where nothing was compared."""
        return self.layers[0] if self.layers else None

    def layer(self, name: str) -> LayerMove | None:
        """Return how a layer moved, None where it was not compared."""
        return next((layer for layer in self.layers if layer.layer == name), None)


class ComparedPair(ResultModel):
    """Two versions that have a page of comparison, and how the primary coefficient moved."""

    first: str
    second: str
    move: Move | None = None


class Group(ResultModel):
    """Documents that are in the same versions."""

    versions: tuple[str, ...]
    documents: tuple[str, ...]


class Attendants(ResultModel):
    """Annotators in the same versions, with as many documents in each (0 where no document is known)."""

    annotators: tuple[str, ...]
    documents: Mapping[str, int]


class Coverage(ResultModel):
    """Which documents and annotators are in which version: those of whose units something is counted."""

    documents: tuple[Group, ...] = ()
    annotators: tuple[Attendants, ...] = ()

    def annotators_of(self, version: str) -> tuple[str, ...]:
        """Return the annotators of a version, by their names."""
        groups = (group.annotators for group in self.annotators if version in group.documents)
        return tuple(sorted(chain.from_iterable(groups)))


class HistoryCampaign(ResultModel):
    """Whose history it is."""

    id: str
    title: str
    authors: tuple[str, ...] = ()


class History(ResultModel):
    """One campaign over its guidelines versions, the oldest first; there is at least one."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    campaign: HistoryCampaign
    versions: tuple[VersionState, ...]
    steps: tuple[Step, ...] = Field(description="each version after the first, from the one before it")
    comparisons: tuple[ComparedPair, ...] = Field(
        description="every two versions that have a page of comparison"
    )
    coverage: Coverage
    tool: Tool

    @property
    def newest(self) -> VersionState:
        """Return the newest version."""
        return self.versions[-1]

    @property
    def last_step(self) -> Step | None:
        """Return how the newest version came from the one before it, None where it is the only one."""
        return self.steps[-1] if self.steps else None

    def step_to(self, version: str) -> Step | None:
        """Return the step that led to a version, None for the first."""
        return next((step for step in self.steps if step.second == version), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the versions' names in order."""
        return tuple(version.version for version in self.versions)

    @property
    def layers(self) -> tuple[str, ...]:
        """Return the layers of all versions, those of the newest version first."""
        return tuple(
            dict.fromkeys(layer.layer for version in reversed(self.versions) for layer in version.layers)
        )


# Labels by layer, unit set and annotator: how many units have each.
LabelCounts = Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]


class DocumentLabels(ResultModel):
    """The labels of one document, as far as counts tell; `digest` stands for all counts of it."""

    digest: str
    labels: LabelCounts


class ReleasedFigure(ResultModel):
    """The primary coefficient of one layer."""

    always: ClassVar[frozenset[str]] = frozenset(("value",))
    figure: str
    name: str
    value: float | None


class ReleaseRecord(ResultModel):
    """What was released of one guidelines version.

    Documents and annotators are called as in the bundle, where `hides` says which have pseudonyms; without
    documents, all labels are those of "".
    """

    spare: ClassVar[frozenset[str]] = frozenset(("again", "hides", "withdrawn"))
    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    version: str
    released: str | None = optional("the day")
    again: tuple[str, ...] = Field(default=(), description="why it was released again, the first time first")
    tool: str = Field(description="the version of reportgen that wrote the bundle")
    sha256: str | None = optional("of the zip file")
    hides: tuple[Literal["annotators", "documents"], ...] = ()
    figures: Mapping[str, ReleasedFigure]
    documents: Mapping[str, DocumentLabels]
    withdrawn: int = Field(
        default=0, description="annotators whose labels were all taken out since the first release"
    )
