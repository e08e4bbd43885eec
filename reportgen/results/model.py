"""Results.json whole: facts declared and read, disagreements, findings; RETIRED keys.

The model of what results.json says of all disagreements of a report, and of what is behind them.

What a campaign declares, what was read, what measures mean and what was decided, in results.json.

The model of results.json, the wall between computing and rendering.

Every figure on a page is in it, and pages are rendered from it alone. Keys are sorted, floats have 12
significant digits; no clock, path, host or language is in it. `claim`, `undefined` and `reason` are
English messages from closed lists, with {named} places that `values` fills.
"""

import functools
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib import metadata
from itertools import chain
from json import JSONEncoder
from json.encoder import encode_basestring as quoted
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import BaseModel, Field, ValidationError

from reportgen.base import __version__
from reportgen.base.dataclass import dataclass
from reportgen.base.files import as_csv
from reportgen.results.annotators import Comparisons, Groups, Judge, Quality, Replacement, Times
from reportgen.results.marks import DistanceOrigin, SpanResults, TreeAgreement
from reportgen.results.parts import (
    Figure,
    Mean,
    ResultModel,
    Scalar,
    SmallPart,
    SystemRevision,
    Value,
    figure_name,
    optional,
)
from reportgen.results.unit_sets import AggregateReliability, AgreementByDocument, UnitSet

CauseKind = Literal[
    "one-sided",
    "marks-more",
    "marks-less",
    "annotator",
    "direction",
    "label",
    "labels",
    "document",
    "layer",
    "ends",
]


class DisagreementPart(ResultModel):
    """Disagreements that are alike: in one layer, of one kind, on the same labels."""

    layer: str | None = optional("absent of the rest")
    kind: str = Field(
        description="label (of units); of marks boundary, type, both or omission; rest: small parts together"
    )
    cases: int
    first: str | None = optional("the label, or the first of two in their order")
    second: str | None = optional("the other label; absent of a mark that only one has")
    annotator: str | None = optional("who of two alone marked it")


class Cause(ResultModel):
    """What many of the disagreements have in common, beyond what chance would concentrate.

    `expected` is how many disagreements it would have if it were like the rest.
    """

    kind: CauseKind
    cases: int
    expected: float
    p: float = Field(description="of the difference, by Bonferroni for all candidates")
    explained: float = Field(description="how large a part of its cases would go if it were settled")
    layer: str | None = optional("of a label, two labels, or the layer itself")
    annotators: tuple[str, ...] | None = optional(
        "whom it is about; of a direction the first gave the first label, the second the other"
    )
    labels: tuple[str, ...] | None = optional("which label, or labels")
    document: str | None = optional("which document")
    by_layer: Mapping[str, float] = Field(description="its share of the disagreements of each layer")

    def without(self, layer: str, value: float) -> float:
        """Return what a layer's coefficient would be, about, if the cause were settled.

        A coefficient is 1 - D_o / D_e: without a share of the disagreements D_o is so much less, and D_e is
        taken to stay.
        """
        return 1 - (1 - value) * (1 - self.explained * self.by_layer.get(layer, 0.0))


class AllDisagreements(ResultModel):
    """All that annotators disagree on: every two labels of a unit that differ, every case of marks."""

    total: int
    compared: int = Field(description="how many times two annotators' labels or marks were compared")
    of_marks: bool = Field(description="cases of marks, not labels of units")
    parts: tuple[DisagreementPart, ...] = Field(description="they add up to the total")
    causes: tuple[Cause, ...] = Field(description="empty where no single cause was found")
    candidates: int = Field(description="how many possible causes were tested; 0 with too few disagreements")
    people_compared: bool | None = optional(
        "whether three labelled the same, so that people can be compared; absent of two annotators, or many"
    )


# What a campaign declares, in results.json: itself, its guidelines, and distances between categories.


class Author(ResultModel):
    """Somebody who signs the report."""

    name: str
    orcid: str | None = None
    affiliation: str | None = None


class Reference(ResultModel):
    """A work on the campaign."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None


class DeclaredModel(ResultModel):
    """A model among the annotators, as the campaign declares it."""

    annotator: str
    model: str | None = None
    provider: str | None = None
    version: str | None = None
    prompt: str | None = optional("the file of what it was asked")
    temperature: float | None = None
    seed: int | None = None
    date: str | None = optional("when it labelled")
    examples: int | None = optional("how many labelled examples its prompt has")


class CampaignFacts(ResultModel):
    """What the campaign says of itself, as far as a report shows it."""

    id: str
    title: str
    corpus: Mapping[str, Scalar] = Field(default_factory=dict)
    authors: tuple[Author, ...] = ()
    protocol: Mapping[str, Scalar] = Field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    models: tuple[DeclaredModel, ...] | None = optional("models among the annotators of this version")


# What the only version of guidelines is called where nobody named it.
ONLY = "1.0"


def is_unnamed(version: str, *said: object) -> bool:
    """Tell whether nobody named a version: it is called as the only one is, and nothing is said of it."""
    return version == ONLY and not any(said)


class Revision(ResultModel):
    """What the campaign says of these guidelines."""

    spare: ClassVar[frozenset[str]] = frozenset(("was", "again"))
    date: str | None = optional("when they came into use")
    changes: str = ""
    document: str | None = None
    was: tuple[str, ...] = Field(default=(), description="what the version was called earlier")
    released: str | None = optional("when its report was released")
    again: str = Field(default="", description="why it was released again with other labels")


class DistanceTable(ResultModel):
    """A declared table of distances between categories."""

    id: str
    why: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    origin: DistanceOrigin | None = optional("where distances of 1 - BDM come from")

    def covers(self, categories: Iterable[str]) -> bool:
        """Tell whether the table knows all of some categories: those of another layer it need not know."""
        return set(categories) <= set(self.categories)

    def between(self, first: str, second: str) -> float:
        """Return the distance between two categories."""
        return self.rows[self.categories.index(first)][self.categories.index(second)]


# What results.json says of measures: definitions, weights, and why one coefficient is the primary one.


class Work(ResultModel):
    """A publication."""

    citation: str
    doi: str = ""

    @property
    def cited(self) -> str:
        """Return it with its DOI, where it has one."""
        return f"{self.citation}, doi:{self.doi}" if self.doi else self.citation


class Elsewhere(ResultModel):
    """What another library returns under the same name."""

    library: str
    returns: str


class Entry(ResultModel):
    """What a measure and what is in brackets behind one have in common."""

    name: str
    formula: str
    latex: str = Field(default="", description="the formula typeset, in the notation of Artstein and Poesio")
    answers: str
    use: str = Field(default="", description="when to take it")
    avoid: str = Field(default="", description="when not")
    works: tuple[Work, ...]
    elsewhere: tuple[Elsewhere, ...] = Field(default=(), description="where other libraries differ")


class Definition(Entry):
    """A measure of the catalogue that these results use; `place` is where it is in the catalogue."""

    place: int
    symbol: str
    chance: str
    assumptions: str
    sentence: str
    kind: str
    annotators: str = Field(default="", description="of how many annotators it is a measure")
    missing: str = Field(default="", description="which units count where ratings are missing")
    family: str = Field(default="", description="the family of measures that it belongs to")


class Weighting(Entry):
    """What is in brackets behind figures: a distance between categories, or how marks were matched."""

    figures: tuple[str, ...] = Field(default=(), description="the figures of these results that have it")


class SuggestedScale(ResultModel):
    """The scale that labels suggest where the campaign declares none, and what alpha is on it."""

    scale: str
    evidence: str = Field(description="what the labels are")
    kind: Literal["words", "ranks", "numbers", "sets"]
    low: str = Field(default="", description="the lowest label")
    high: str = Field(default="", description="the highest label")
    figure: str = Field(description="the coefficient that the scale calls for")
    value: float | None = optional("what it is")


class Choice(ResultModel):
    """The primary coefficient of a layer, by the design of the whole campaign: the same in all versions."""

    coefficient: str
    declared: bool = Field(description="whether campaign.toml names it")
    reason: str = Field(description="why it is this one; `values` fills its {named} places")
    values: Mapping[str, str] = Field(default_factory=dict)


# What was read, in results.json: how much there is, what was left out, and from which files.


class Marks(ResultModel):
    """Marks read = marks used + marks left out + what is not compared."""

    read: int
    used: int
    left_out: int
    again: int | None = optional("of the marks read, those that an earlier layer has read too")
    not_compared: int | None = optional("what exports have besides labels, which no reader takes for them")
    missing: int = Field(default=0, description="cells of a table that have no label: empty, or declared so")


@dataclass(frozen=True, order=True, slots=True)
class LeftOut(SmallPart):
    """Marks of one place that were read and not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


class DifferentTexts(ResultModel):
    """A document that was left out, since its copies have different texts, and where these first differ."""

    document: str
    file: str
    other: str = Field(description="the file with the other text")
    character: int = Field(description="the first that differs, counted from 1")
    marks: int = Field(description="those of all its copies")


class Attendance(ResultModel):
    """What one annotator did with how many documents."""

    annotator: str
    marked: int
    empty: int = Field(description="seen, and nothing was marked")
    skipped: int
    unseen: int


class Material(ResultModel):
    """How much there is in one layer, and how scattered the marks are.

    `marks` and `labels` count those of annotators' first passes, a mark of ten tokens once.
    """

    layer: str
    documents: int
    documents_unmarked: int | None = optional("seen by somebody, marked by nobody")
    tokens: int | None = optional("those that whitespace separates")
    copies: int = Field(description="documents that annotators saw, each counted as often as it was seen")
    tokens_seen: int = Field(description="tokens of those, likewise")
    marks: int
    marks_per_document: float | None = optional("marks / copies")
    marks_per_1000_tokens: float | None = optional("1000 marks / tokens_seen")
    labels: Mapping[str, int] = Field(description="marks of each category")
    shares: Mapping[str, float]
    attendance: tuple[Attendance, ...] = ()


class Input(ResultModel):
    """A file that was read."""

    file: str
    sha256: str
    bytes: int


# Decisions in results.json: what was decided of the disagreements of a layer, and who had said so.


class Decided(ResultModel):
    """An annotator against the decisions: units that have one and that the annotator labelled."""

    units: int
    agreed: int = Field(description="of those, labelled as it was decided")
    right: Figure = Field(description="the share of these, over documents")
    others: float | None = optional("share of the others' labels of the same units that were decided")
    difference: Figure = Field(description="the annotator's share less that of the others")
    p: float | None = optional("of no difference, by document")
    adjusted_p: float | None = optional("by Holm's method over the annotators of the layer")
    next_p: float | None = optional(
        "of no difference from the annotator whose difference is the next larger, of three or more"
    )


class DisputeOutcome(ResultModel):
    """What became of the units on which annotators gave the same different labels."""

    labels: tuple[str, ...] = Field(description="what annotators gave")
    decision: str | None = optional("absent where nothing is decided but a cause was noted")
    units: int
    by_cause: Mapping[str, int] = Field(description="units by the cause that was noted")


class MissingRule(ResultModel):
    """Units over which the guidelines are silent, as adjudicators noted, and what they wrote there."""

    labels: tuple[str, ...] = Field(description="what annotators gave")
    units: int
    notes: tuple[str, ...] = Field(
        default=(), description="at most ten; none where texts or names of documents are withheld"
    )


class Adjudication(ResultModel):
    """What was decided of the disagreements of one layer; without a sheet there is only what is open.

    The decisions are the reference "adjudicated". It is made from what the annotators marked, and so never
    independent of them.
    """

    layer: str
    open: int = Field(description="units on which annotators differ and nothing is decided")
    listed: bool = Field(description="whether tables/adjudication.csv lists them; it shows texts")
    filled: bool = Field(default=False, description="whether there is a sheet")
    decided: int | None = optional("units that are decided")
    agreed: int | None = optional("units on which all of two or more agree")
    independent: bool | None = None
    by_cause: Mapping[str, int] | None = optional(
        "units by the cause that was noted, also where nothing is decided"
    )
    causes: Mapping[str, Mapping[str, int]] | None = optional(
        "the same by category; a unit counts for each label in dispute on it"
    )
    annotators: Mapping[str, Decided] | None = None
    outcomes: tuple[DisputeOutcome, ...] | None = optional("the most frequent fifty, the first of them first")
    outcomes_in_all: int | None = None
    missing_rules: tuple[MissingRule, ...] | None = optional("the most frequent twenty")


DIGITS = 12
ENCODER = JSONEncoder(allow_nan=False)
SIMPLE = frozenset({str, int, bool, type(None)})
# An object or array takes one line where it is no longer.
LINE = 200
LIBRARIES = ("numpy", "scipy", "matplotlib")
# How the reading of an export begins that has units only by their number.
TABLES_OF_COUNTS = ("Confusion matrix: ", "Counts that reportgen wrote ")
SomePart = TypeVar("SomePart", bound=ResultModel)
SomeModel = TypeVar("SomeModel", bound=BaseModel)

# What older versions wrote and no model has any more. Key paths: the model of the file, then its keys, where
# * is any key or index: "Results.quality.*.name"; where one value alone is retired, it stands behind =.
# Reading drops them before it validates.
RETIRED: tuple[str, ...] = (
    # The names of the files; today their number is there.
    "Results.unread",
    *(f"Results.spans.disagreements.*.habits.*.{key}" for key in ("longer*", "shorter")),
    *(f"Results.spans.disagreements.*.habits.*.kinds.{key}" for key in ("joins", "nested")),
    "Results.groups.layers.*.labels",
    *(f"Results.spans.{key}" for key in ("across", "forbidding")),
    *(f"Results.findings.*.habit={value}" for value in ("joins", "layer", "length", "nests")),
    "Results.findings.*.asks=reach",
    "Results.unit_sets.*.second_opinions",
    *(f"Results.unit_sets.*.{of}size_curve.quotients" for of in ("", "pairs.*.")),
    "Results.quality.*.components",
    "Results.quality.*.pooled",
    *(f"Results.times.layers.*.{key}" for key in ("categories", "forecast")),
    *(f"Results.times.layers.*.annotators.*.{key}" for key in ("compared", "fast", "groups", "*p")),
    *(f"VersionComparison.{part}.*.measures.*.permutation" for part in ("unit_sets", "spans")),
    "Texts.clarify.*.joined",
    "Texts.disagreements.*.units.*.gain",
)
# What this version computes otherwise than an older one, by the keys that lead to it in results.json: plans,
# and intervals of figures that take labels as ranks or numbers.
ON_A_SCALE = ("finn*", "icc*", "kendall*", "*[[]ordinal*", "*[[]interval*", "*[[]ratio*")
COMPUTED_OTHERWISE: tuple[str, ...] = (
    "*.planning",
    *(f"*.{figure}.{part}" for figure in ON_A_SCALE for part in ("interval", "standard_error")),
)
# Files that older bundles and sites hold and nobody writes any more, from the top of a bundle, or of the
# folder of a version, a comparison or a campaign; * is any part of a path.
RETIRED_FILES: tuple[str, ...] = (
    "*progress/index.html",
    "*confusion/*.html",
    "*figures/agreement-with-others.svg",
    "*figures/flow.svg",
    "*figures/winning-rates-*.svg",
    "*tables/difficulty.*.csv",
    "*tables/groups-labels.csv",
    "*tables/models-by-price.csv",
    "*tables/labels-by-size*.csv",
    "*tables/planning.*.csv",
    "*tables/seconds-by-category.*.csv",
    "*tables/other-intervals.*.csv",
    "*tables/variance.*.csv",
    "datapackage.json",
)


class AnnotatorMeans(ResultModel):
    """How much one annotator agrees with others: means over pairs, of which undefined ones are left out.

    `micro` pools documents, `macro` is the mean over documents, where that is known.
    """

    layer: str
    annotator: str
    figure: str = Field(description="what was compared: f_measure[strict] or observed_agreement")
    others: Mapping[str, Mean] = Field(description="with all other annotators: micro and macro")
    references: Mapping[str, Mean] = Field(description="with references, where there are some")


Severity = Literal["problem", "warning", "note", "good"]
# The gravest first.
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "note", "good")
# What a report, or a comparison, opens with.
OpeningKind = Literal["verdict", "layer-verdict", "caveat", "cause"]
FindingKind = Literal[OpeningKind, "limit", "doubt", "course"]
Ask = Literal["mark", "ends", "choose", "apart", "revise", "export", "balance", "declare", "account", "merge"]
RepeatedIn = Literal["progress", "adjudication"]
Level = Literal["high", "tentative", "open", "low", "below-chance"]
# In what way somebody's marks differ; the most telling way first.
MarkHabit = Literal["ends", "begins", "type", "number", "agreement"]
OfData = Literal["bias", "limitation", "disagreement"]
# What a verdict judges: single labels of annotators, those of a crowd together, systems against a reference,
# a model's labels, how recordings were segmented, or each person beside themselves.
SubjectId = Literal["annotators", "crowd", "systems", "judge", "recordings", "stability"]


class SubjectFigure(ResultModel):
    """The figure that answers a layer's question where that is not the agreement of two annotators.

    It repeats what another part of results says, so that badges, bundles and cards name the same figure.
    """

    figure: str
    name: str
    symbol: str
    value: Figure
    who: str | None = optional("the system, the model, or whoever labelled twice")
    against: str | None = optional("the reference, or the human")
    units: int | None = optional("units that both labelled; absent where marks are compared")
    labels: int | None = optional("of a crowd: how many labels each of two majorities, or each mean, is of")
    documents: int | None = optional("documents that both labelled")


class LayerSubject(ResultModel):
    """What the verdict on a layer is about, and why."""

    spare = frozenset({"values"})
    subject: SubjectId
    declared: bool = Field(description="whether campaign.toml names it")
    reason: str = Field(description="why it is this one; `values` fills its {named} places")
    values: Mapping[str, Value] = Field(default_factory=dict)
    answer: SubjectFigure | None = optional("the figure that its verdict is about; absent: the coefficient")


class Finding(ResultModel):
    """What a figure means: a claim, what to do about it, and where the evidence is."""

    spare = frozenset({"categories", "people"})
    id: str
    severity: Severity
    claim: str
    advice: str = ""
    values: Mapping[str, Value] = Field(
        description="fill the places of both; x_list, x_more, x_name, x_layer and x_role are the parts of x"
    )
    evidence: str = Field(description="the section of the report that shows it")
    layers: tuple[str, ...] = Field(
        default=(), description="the layers that it is about; empty where it is about the whole campaign"
    )
    gain: float | None = optional(
        "by how much the layer's primary coefficient would rise, about, if it were settled"
    )
    kind: FindingKind | None = optional(
        "the verdict on all layers or on one, what it rests on (caveat), what is behind the disagreements "
        "(cause), what limits the figures (limit), what casts doubt on a change (doubt), which way another "
        "layer went (course); absent: something to do"
    )
    asks: Ask | None = optional(
        "what the advice asks for: guidelines on when to mark, where marks end, when to choose a label, how "
        "to tell categories apart; definitions to revise, an export to look at, marks of one annotator alone "
        "to go through (balance); a key of campaign.toml on how labels are read (declare), or on how they "
        "came about (account); fewer labels (merge)"
    )
    categories: tuple[str, ...] = Field(default=(), description="the categories that the advice is about")
    people: tuple[str, ...] = Field(default=(), description="the annotators whom it is about")
    cases: int | None = optional("the number of cases that it is about")
    examples: tuple[str, ...] | None = optional(
        "the labels that meet on the units that show it, or one label that meets no other; empty: all units "
        "on which annotators differ"
    )
    level: Level | None = optional("of a verdict: which level agreement reaches by the thresholds")
    subject: SubjectId | None = optional(
        "of a verdict whose claim alone answers the question: what the layer is about; absent: annotators"
    )
    repeated: RepeatedIn | None = optional(
        "which other section has it too, above the figures that it is from"
    )
    habit: MarkHabit | None = optional("in what way somebody's marks differ from those of others")
    cause: int | None = optional(
        "of which cause it is, in the order in which they are to be settled: 1 is what to do first"
    )
    of_data: OfData | None = optional(
        "what it shows of the data, in the sense of Croissant: a bias, a limitation, or disagreement"
    )

    @property
    def is_opening(self) -> bool:
        """Tell whether it is a verdict, or what one rests on."""
        return self.kind in get_args(OpeningKind)


class Tool(ResultModel):
    """What computed this: from package metadata, never the platform."""

    name: str
    version: str
    libraries: Mapping[str, str]

    @classmethod
    @functools.cache
    def here(cls) -> "Tool":
        """Return this program, and the libraries that numbers and figures depend on."""
        libraries = {name: metadata.version(name) for name in LIBRARIES}
        return cls(name="reportgen", version=__version__, libraries=libraries)


def _primary(unit_sets: Sequence[UnitSet]) -> UnitSet:
    return next((unit_set for unit_set in unit_sets if unit_set.primary), unit_sets[0])


class Results(ResultModel):
    """All results of one guidelines version."""

    spare = frozenset({"unread"})
    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    campaign: CampaignFacts
    guidelines: str
    revision: Revision
    coefficient: str = Field(description="the primary coefficient, that of the first layer")
    coefficients: Mapping[str, str] = Field(description="the primary coefficient of each layer")
    coefficient_declared: bool = Field(description="whether the campaign chose it, or its scale did")
    choice: Mapping[str, Choice] = Field(
        default_factory=dict, description="each layer's primary coefficient, and why it is this one"
    )
    subjects: Mapping[str, LayerSubject] = Field(
        default_factory=dict, description="by layer what its verdict is about, and why; absent: annotators"
    )
    suggested_scales: Mapping[str, SuggestedScale] | None = optional(
        "by layer the scale that labels suggest which are compared as names, though nobody declares that"
    )
    reading: str = Field(description="how the export was understood")
    unit_sets: tuple[UnitSet, ...]
    spans: SpanResults | None = None
    standings: tuple[AnnotatorMeans, ...] | None = None
    comparisons: Comparisons | None = None
    releases: tuple[SystemRevision, ...] | None = optional(
        "releases of one system, each against the one before; those that fell first"
    )
    judges: tuple[Judge, ...] | None = optional("models beside the human, category by category")
    replacement: tuple[Replacement, ...] | None = optional(
        "may a model take an annotator's place? of each layer's primary unit set"
    )
    adjudication: tuple[Adjudication, ...] | None = None
    quality: tuple[Quality, ...] | None = None
    times: Times | None = optional("when annotators labelled and how long it took, where exports say so")
    groups: Groups | None = optional("groups of annotators, such as by age, and how they differ")
    aggregates: tuple[AggregateReliability, ...] | None = optional(
        "how reliable labels are together, of layers whose units have three or more on average"
    )
    trees: tuple[TreeAgreement, ...] | None = optional("of layers whose words are in dependency trees")
    by_document: tuple[AgreementByDocument, ...] | None = optional(
        "agreement in each document, of labelled units: of annotators, and of everybody with a reference"
    )
    disagreements: AllDisagreements | None = optional(
        "all disagreements of the layers together, and their causes; absent where nobody disagrees"
    )
    distances: tuple[DistanceTable, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: Marks
    left_out: tuple[LeftOut, ...] = Field(
        default=(), description="where they are many, those of one file, annotator and reason are one row"
    )
    material: tuple[Material, ...]
    different_texts: tuple[DifferentTexts, ...] | None = optional(
        "documents that are left out, since their copies have different texts"
    )
    mentions: tuple[str, ...] | None = optional(
        "layers whose marks are mentions in chains (coreference), which are not compared"
    )
    not_compared: Mapping[str, int] | None = optional(
        "how much of each kind the exports have besides, which no reader takes for labels"
    )
    unread: int = Field(default=0, description="how many files no reader knows; no file names them")
    settings: str = Field(
        default="", description="SHA-256 of what campaign.toml says of this version, as canonical JSON"
    )
    inputs: tuple[Input, ...]
    catalogue: Mapping[str, Definition]
    weightings: Mapping[str, Weighting] = Field(
        default_factory=dict, description="what is in brackets behind figures"
    )
    tool: Tool

    @property
    def definitions(self) -> list[tuple[str, Definition]]:
        """Return the measures that these results use, in the catalogue's order."""
        return sorted(self.catalogue.items(), key=lambda item: item[1].place)

    @property
    def recorded(self) -> bool:
        """Tell whether recordings were annotated, whose stretches have milliseconds and no characters."""
        # Nothing else in results says so than how the export was read.
        return "milliseconds" in self.reading

    @property
    def is_table_of_counts(self) -> bool:
        """Tell whether a confusion matrix or counts were read: nobody can look at a single unit."""
        return self.reading.startswith(TABLES_OF_COUNTS)

    @property
    def layers(self) -> tuple[str, ...]:
        """Return the layers in the order in which the campaign declares them, which mappings do not keep."""
        return tuple(dict.fromkeys(unit_set.layer for unit_set in self.unit_sets))

    @property
    def is_unnamed(self) -> bool:
        """Tell whether nobody named the version of the guidelines."""
        return is_unnamed(self.guidelines, self.revision != Revision())

    @property
    def primary(self) -> UnitSet:
        """Return the primary unit set of the first layer that has one."""
        return _primary(self.unit_sets)

    def primary_of(self, layer: str) -> UnitSet:
        """Return the primary unit set of a layer, its first where none is said to be."""
        return _primary([unit_set for unit_set in self.unit_sets if unit_set.layer == layer])

    def subject_of(self, layer: str) -> SubjectId:
        """Return what the verdict on a layer is about."""
        return self.subjects[layer].subject if layer in self.subjects else "annotators"

    def answer_of(self, layer: str) -> SubjectFigure | None:
        """Return the figure that the verdict on a layer is about, where that is not its coefficient."""
        return self.subjects[layer].answer if layer in self.subjects else None

    def in_order(self, figures: Iterable[str]) -> list[str]:
        """Return figures' ids in the catalogue's order, those of one measure by what is in brackets."""
        places = {name: definition.place for name, definition in self.catalogue.items()}
        return sorted(figures, key=lambda figure: (places.get(figure.partition("[")[0], len(places)), figure))

    def name_of(self, figure: str) -> str:
        """Return the name of a figure with what it was computed with: "Weighted kappa [expert]"."""
        return figure_name(figure, {name: definition.name for name, definition in self.catalogue.items()})


def rounded(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with every float at 12 significant digits, and null for what is no number.

    A part of results becomes its JSON value. Keys are sorted.
    """
    return _json_value(value, _rounded_float)


def _rounded_float(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _json_value(value: Any, number: Callable[[float], float | None]) -> Any:  # noqa: ANN401 - any JSON value
    """Return what JSON has for a value that may contain parts; `number` gives what it has for a float.

    It is model_dump, which is five times slower with a serializer of ours on every part.
    """
    opened = value if type(value) in SIMPLE else _opened(value, number)
    if type(opened) is dict:
        return {
            key: element if type(element) in SIMPLE else _json_value(element, number)
            for key, element in opened.items()
        }
    if type(opened) is list:
        return [element if type(element) in SIMPLE else _json_value(element, number) for element in opened]
    return opened


def _opened(value: Any, number: Callable[[float], float | None]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a part or a mapping as a dict, a sequence as a list, whose elements are as they were."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, ResultModel | SmallPart):
        names = () if isinstance(value, ResultModel) else value.__slots__
        keys = _keys(type(value)) if isinstance(value, ResultModel) else zip(names, names, strict=True)
        return {
            key: element
            for name, key in keys
            if ((element := getattr(value, name)) is not None or name in value.always)
            and (element or name not in value.spare)
        }
    if isinstance(value, Mapping):
        return {key: value[key] for key in sorted(value)}
    if isinstance(value, list | tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value


@functools.cache
def _keys(part: type[ResultModel]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a part, each with the key that it has in JSON."""
    return tuple((name, field.alias or name) for name, field in part.model_fields.items())


def dumps(part: ResultModel) -> str:
    """Return the JSON text of results, or of a part: sorted keys, one newline at the end."""
    return _laid_out(part, "\n", *((",", ":") if part.dense else (", ", ": "))) + "\n"


def _laid_out(value: Any, line: str, comma: str, colon: str) -> str:  # noqa: ANN401 - any JSON value
    """Return a JSON text in lines, of which what is short takes one; `line` begins one of this depth.

    A line for each number would make a file twice as large. Parts are opened one after the other: all JSON
    values of thousands of texts together would take more memory than all else.
    """
    kind, deeper = type(value), line if comma == "," else f"{line} "
    if kind is str:
        return quoted(value)
    if kind is int or (kind is float and math.isfinite(value)):
        return repr(value)
    opened = value if kind in SIMPLE else _opened(value, float)
    if type(opened) is dict and opened:
        ends, parts = (
            "{}",
            [
                f"{quoted(key)}{colon}{_laid_out(element, deeper, comma, colon)}"
                for key, element in sorted(opened.items())
            ],
        )
    elif type(opened) is list and opened:
        ends, parts = "[]", [_laid_out(element, deeper, comma, colon) for element in opened]
    else:
        return quoted(opened) if type(opened) is str else ENCODER.encode(opened)
    if len(ends) + sum(map(len, parts)) + len(comma) * (len(parts) - 1) <= LINE:
        short = comma.join(parts)
        if "\n" not in short:
            return f"{ends[0]}{short}{ends[1]}"
    parts[0] = f"{ends[0]}{deeper}{parts[0]}"
    parts[-1] += f"{line}{ends[1]}"
    return f",{deeper}".join(parts)


def as_written(part: type[SomePart], content: Any) -> SomePart:  # noqa: ANN401 - a part, or a JSON value
    """Return a part rounded, as it comes back from its file: what is rendered depends on nothing else."""
    return part.model_validate(rounded(content))


def read_back(part: SomePart) -> SomePart:
    """Return a part as it comes back from its file, whose keys are sorted and whose lists are tuples."""
    return type(part).model_validate(_json_value(part, float))


def from_json(part: type[SomeModel], content: bytes | str) -> SomeModel:
    """Return a part, or counts, as their file has it, without what only older versions wrote.

    Raises ValidationError where the file has anything else that the part does not know.
    """
    try:
        return part.model_validate_json(content)
    except ValidationError:
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            value = None
        if not drop_retired(part, value):
            raise
    return part.model_validate_json(json.dumps(value))


def drop_retired(part: type[BaseModel], value: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    """Remove from the JSON value of a part what only older versions wrote; return what was removed."""
    paths = (path.split(".") for path in RETIRED)
    return [gone for name, *keys in paths if name == part.__name__ for gone in _dropped(value, keys)]


def _dropped(value: Any, keys: Sequence[str]) -> list[Any]:  # noqa: ANN401 - any JSON value
    (first, _, only), *others = keys[0].partition("="), *keys[1:]
    if isinstance(value, list) and others:
        return [gone for element in value if first == "*" for gone in _dropped(element, others)]
    found = [key for key in value if fnmatchcase(key, first)] if isinstance(value, dict) else []
    if not others:
        return [value.pop(key) for key in found if not only or value[key] == only]
    return [gone for key in found for gone in _dropped(value[key], others)]


def is_computed_otherwise(keys: Sequence[str]) -> bool:
    """Tell whether this version computes a part of results otherwise than older ones."""
    return any(fnmatchcase(".".join(keys), pattern) for pattern in COMPUTED_OTHERWISE)


def is_retired(file: str) -> bool:
    """Tell whether only older versions wrote a file."""
    return any(fnmatchcase(file, pattern) for pattern in RETIRED_FILES)


def schema_of(part: type[ResultModel]) -> dict[str, Any]:
    """Return the JSON Schema of a file that holds such a part (draft 2020-12)."""
    schema = part.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


# Tables beside results.json, as CSV.


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV: floats at 12 significant digits as in results, nothing for what has no value."""
    # Nearly all cells are texts and whole numbers, of which there are millions.
    cells = (row if SIMPLE.issuperset(map(type, row)) else list(map(rounded, row)) for row in rows)
    return as_csv(chain([head], cells))
