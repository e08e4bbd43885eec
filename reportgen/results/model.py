"""The model of results.json, the wall between computing and rendering.

Every figure on a page is in it, and pages are rendered from it alone. Keys are sorted, floats have 12
significant digits; no clock, path, host or language is in it. `claim`, `undefined` and `reason` are
English messages from closed lists, with {named} places that `values` fills.
"""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from reportgen.results.comparisons import Comparisons
from reportgen.results.credits import DistanceOrigin
from reportgen.results.explained import Choice, Definition, Weighting
from reportgen.results.parts import Figure, Mean, Part
from reportgen.results.quality import Quality
from reportgen.results.sets import SetsCompared
from reportgen.results.spans import MacroFigure, SpanResults
from reportgen.results.together import Coincidences, NullTest
from reportgen.results.uncertainty import Benchmarks, Opinions, Plan

DIGITS = 12
PAIR = 2

Matrix = tuple[tuple[float | None, ...], ...]
Scalar = str | int | float | bool


class Confusion(Part):
    """How many units the annotator `rows` gave the row's category and `columns` the column's."""

    rows: str
    columns: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def units(self) -> int:
        """Return how many units the table holds."""
        return sum(map(sum, self.counts))

    def count(self, row: str, column: str) -> int:
        """Return how many units have the two categories."""
        return self.counts[self.categories.index(row)][self.categories.index(column)]

    def totals(self, category: str) -> tuple[int, int]:
        """Return how often each of the two annotators used a category."""
        place = self.categories.index(category)
        return sum(self.counts[place]), sum(row[place] for row in self.counts)


class Distances(Part):
    """Distances computed from this very table, in the order of the categories."""

    computed_alpha: Matrix
    computed_kappa: Matrix


class SizeCurve(Part):
    """Figures as functions of the number of units, only jointly unmarked ones being added or removed."""

    declared: int = Field(description="units of this unit set")
    marked: int = Field(description="units that somebody marked, the least size")
    sizes: tuple[int, ...] = Field(description="numbers of units, marked and not")
    values: Mapping[str, tuple[float | None, ...]] = Field(description="a figure's value at each size")
    limit: Mapping[str, float | None] = Field(description="what each figure tends to as the size grows")
    f_labelled: float | None = Field(default=None, description="F over marked units, the labels being equal")
    f_unlabelled: float | None = Field(default=None, description="F over marked units, whatever the labels")

    def value_at(self, figure: str, size: int) -> float | None:
        """Return a figure at a size; None where it is undefined or the curve does not have that size."""
        return self.values[figure][self.sizes.index(size)] if size in self.sizes else None


class SymmetryTest(Part):
    """A test that two annotators use the categories alike, or why there is none."""

    statistic: float | None = None
    degrees: int | None = None
    p: float | None = None
    method: str | None = None
    by_document: bool = Field(description="whether documents were compared, or units taken as independent")
    discordant: int = Field(description="units on which the difference rests")
    undefined: str | None = None


class Pair(Part):
    """Two annotators: their table and every figure of it."""

    annotators: tuple[str, str]
    documents: int = Field(description="documents known among the shared units")
    confusion: Confusion
    measures: Mapping[str, Figure]
    specific_agreement: Mapping[str, Figure]
    against_rest: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict, description="figures of one category against all others"
    )
    conditional_probabilities: Matrix = Field(description="P(C2|C1), rows C1, columns C2")
    distances: Distances
    size_curve: SizeCurve | None = None
    symmetry: Mapping[str, SymmetryTest]


class UnitSetMarks(Part):
    """Marks of the layer: read = used here + left out here, by reason."""

    read: int
    used: int
    left_out: Mapping[str, int]


class Candidates(Part):
    """Where the units of a unit set of candidates come from: terms of a file, or a layer."""

    file: str | None = Field(default=None, description="the list of terms")
    terms: int | None = Field(default=None, description="how many terms it holds")
    layer: str | None = Field(default=None, description="the layer whose marks they are, whoever made them")
    keep_marked: bool = Field(description="whether marked stretches outside every candidate are units too")


class UnitSet(Part):
    """One way to say what a unit is, and all figures under it."""

    layer: str
    id: str
    primary: bool
    kind: str = Field(description="items, declared, annotated-by-any, annotated-by-all, …")
    why: str = Field(description="the campaign's reason, Markdown; empty where none is given")
    scale: str
    units: int
    units_compared: int = Field(description="units that at least two annotators rated")
    units_read: int
    units_added: int = Field(description="unmarked units that only the declared size knows")
    units_left_out: Mapping[str, int] = Field(
        description="units of the export that the set leaves out, by reason"
    )
    units_by_annotators: Mapping[str, int] = Field(
        description="how many units were rated by so many annotators"
    )
    base: str = Field(
        description="what units are made of: units of the export, or tokens, sentences, candidates, marks or "
        "relations in its texts"
    )
    candidates: Candidates | None = Field(default=None, description="where they come from")
    boundary: int | None = Field(
        default=None, description="marks used that begin or end inside a token, where units are tokens"
    )
    several: int = Field(description="ratings of units that carry several labels of one annotator")
    joined: bool = Field(description="whether those are sets of labels; else the first in priority counts")
    marks: UnitSetMarks
    documents: int = Field(description="documents known among the units")
    documents_compared: int = Field(description="documents in which two annotators rated the same unit")
    units_alone: int = Field(description="units without a document, which are each their own")
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    non_annotated: str | None = None
    labels: Mapping[str, int] = Field(description="how many ratings each category has")
    measures: Mapping[str, Figure]
    mean_over_pairs: Mapping[str, Mean]
    macro_over_documents: Mapping[str, MacroFigure] | None = Field(
        default=None, description="means over the documents where a figure is defined; `units` is how many"
    )
    specific_agreement: Mapping[str, Figure]
    against_rest: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict, description="one of more than two categories against all others"
    )
    against_majority: Mapping[str, Figure] = Field(
        default_factory=dict,
        description="how often each of several annotators says what most of the others say",
    )
    null_tests: Mapping[str, NullTest] = Field(
        default_factory=dict, description="Fleiss' kappa against 0, where units have equally many ratings"
    )
    coincidences: Coincidences | None = Field(default=None, description="of more than two annotators")
    size_curve: SizeCurve | None = None
    pairs: tuple[Pair, ...]
    sets: SetsCompared | None = Field(default=None, description="where categories are sets of labels")
    benchmarks: Mapping[str, Benchmarks] | None = Field(
        default=None, description="what benchmark scales say of each coefficient"
    )
    second_opinions: Mapping[str, Opinions] | None = Field(
        default=None, description="what other methods say of a figure's 95% interval"
    )
    planning: Mapping[str, Plan] | None = Field(
        default=None, description="what it takes to narrow a coefficient's interval"
    )

    @property
    def only_pair(self) -> Pair | None:
        """Return the pair where there are just two annotators, else None."""
        return self.pairs[0] if len(self.annotators) == PAIR and self.pairs else None


class Standing(Part):
    """How much one annotator agrees with others: means over pairs, of which undefined ones are left out.

    `micro` pools documents, `macro` is the mean over documents, where that is known.
    """

    layer: str
    annotator: str
    figure: str = Field(description="what was compared: f_measure[strict] or observed_agreement")
    others: Mapping[str, Mean] = Field(description="with all other annotators: micro and macro")
    references: Mapping[str, Mean] = Field(description="with references, where there are some")


class Decided(Part):
    """An annotator against the decisions: units that have one and that the annotator labelled."""

    units: int
    agreed: int = Field(description="of those, labelled as it was decided")
    share: float


class Adjudication(Part):
    """What was decided of the disagreements of one layer; without a sheet there is only what is open.

    The decisions are the reference "adjudicated". It is made from what the annotators marked, and so never
    independent of them.
    """

    layer: str
    open: int = Field(description="units on which annotators differ and nothing is decided")
    listed: bool = Field(description="whether tables/adjudication.csv lists them; it shows texts")
    filled: bool = Field(default=False, description="whether there is a sheet")
    decided: int | None = Field(default=None, description="units that are decided")
    agreed: int | None = Field(default=None, description="units on which all of two or more agree")
    independent: bool | None = None
    by_cause: Mapping[str, int] | None = Field(
        default=None, description="units by the cause that was noted, also where nothing is decided"
    )
    causes: Mapping[str, Mapping[str, int]] | None = Field(
        default=None, description="the same by category; a unit counts for each label in dispute on it"
    )
    annotators: Mapping[str, Decided] | None = None


class Finding(Part):
    """What a figure means: a claim, what to do about it, and where the evidence stands."""

    id: str
    severity: Literal["good", "note", "warning", "problem"]
    claim: str
    advice: str = ""
    values: Mapping[str, Scalar]
    evidence: str = Field(description="the section of the report that shows it")


class Marks(Part):
    """Marks read = marks used + marks left out."""

    read: int
    used: int
    left_out: int


class LeftOut(Part):
    """Marks of one place that were read and not used, and why."""

    file: str
    line: int
    annotator: str
    reason: str
    marks: int


class Attendance(Part):
    """What one annotator did with how many documents."""

    annotator: str
    marked: int
    empty: int = Field(description="seen, and nothing was marked")
    skipped: int
    unseen: int


class Material(Part):
    """How much there is in one layer, and how scattered the marks are.

    `marks` and `labels` count those of annotators' first passes, a mark of ten tokens once.
    """

    layer: str
    documents: int
    documents_unmarked: int | None = Field(default=None, description="seen by somebody, marked by nobody")
    tokens: int | None = Field(default=None, description="those that whitespace separates")
    copies: int = Field(description="documents that annotators saw, each counted as often as it was seen")
    tokens_seen: int = Field(description="tokens of those, likewise")
    marks: int
    marks_per_document: float | None = Field(default=None, description="marks / copies")
    marks_per_1000_tokens: float | None = Field(default=None, description="1000 marks / tokens_seen")
    labels: Mapping[str, int] = Field(description="marks of each category")
    shares: Mapping[str, float]
    attendance: tuple[Attendance, ...] = ()


class Input(Part):
    """A file that was read."""

    file: str
    sha256: str
    bytes: int


class Tool(Part):
    """What computed this: from package metadata, never the platform."""

    name: str
    version: str
    libraries: Mapping[str, str]


class DistanceTable(Part):
    """A declared table of distances between categories."""

    id: str
    why: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    origin: DistanceOrigin | None = Field(default=None, description="where distances of 1 - BDM come from")

    def covers(self, categories: Iterable[str]) -> bool:
        """Tell whether the table knows all of some categories: those of another layer it need not know."""
        return set(categories) <= set(self.categories)

    def between(self, first: str, second: str) -> float:
        """Return the distance between two categories."""
        return self.rows[self.categories.index(first)][self.categories.index(second)]


class Revision(Part):
    """What the campaign says of these guidelines."""

    date: str | None = None
    changes: str = ""
    document: str | None = None


class Author(Part):
    """Somebody who signs the report."""

    name: str
    orcid: str | None = None
    affiliation: str | None = None


class Reference(Part):
    """A work on the campaign."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None


class CampaignFacts(Part):
    """What the campaign says of itself, as far as a report shows it."""

    id: str
    title: str
    corpus: Mapping[str, Scalar] = Field(default_factory=dict)
    authors: tuple[Author, ...] = ()
    protocol: Mapping[str, Scalar] = Field(default_factory=dict)
    references: tuple[Reference, ...] = ()


class Results(Part):
    """All results of one guidelines version."""

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
    reading: str = Field(description="how the export was understood")
    unit_sets: tuple[UnitSet, ...]
    spans: SpanResults | None = None
    standings: tuple[Standing, ...] | None = None
    comparisons: Comparisons | None = None
    adjudication: tuple[Adjudication, ...] | None = None
    quality: tuple[Quality, ...] | None = None
    distances: tuple[DistanceTable, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: Marks
    left_out: tuple[LeftOut, ...] = Field(
        default=(), description="where they are many, those of one file, annotator and reason are one row"
    )
    material: tuple[Material, ...]
    unread: tuple[str, ...] = Field(default=(), description="files that no reader knows")
    inputs: tuple[Input, ...]
    catalogue: Mapping[str, Definition]
    weightings: Mapping[str, Weighting] = Field(
        default_factory=dict, description="what stands in brackets behind figures"
    )
    tool: Tool

    @property
    def definitions(self) -> list[tuple[str, Definition]]:
        """Return the measures that these results use, in the catalogue's order."""
        return sorted(self.catalogue.items(), key=lambda item: item[1].place)

    @property
    def primary(self) -> UnitSet:
        """Return the primary unit set."""
        return next((each for each in self.unit_sets if each.primary), self.unit_sets[0])

    def in_order(self, figures: Iterable[str]) -> list[str]:
        """Return figures' ids in the catalogue's order, those of one measure by what stands in brackets."""
        places = {name: each.place for name, each in self.catalogue.items()}
        return sorted(figures, key=lambda figure: (places.get(figure.partition("[")[0], len(places)), figure))

    def name_of(self, figure: str) -> str:
        """Return the name of a figure with what it was computed with: "Weighted kappa [expert]"."""
        base, _, bracket = figure.partition("[")
        name = self.catalogue[base].name if base in self.catalogue else base
        return f"{name} [{bracket}" if bracket else name


def rounded(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with every float at 12 significant digits, and null for what is no number."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def dumps(part: Part) -> str:
    """Return the JSON text of results, or of a part: sorted keys, one newline at the end."""
    content = part.model_dump(mode="json", by_alias=True)
    return json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def results_schema() -> dict[str, Any]:
    """Return the JSON Schema of results.json (draft 2020-12)."""
    return schema_of(Results)


def schema_of(part: type[Part]) -> dict[str, Any]:
    """Return the JSON Schema of a file that holds such a part (draft 2020-12)."""
    schema = part.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
