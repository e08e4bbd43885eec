"""One unit set in results.json: what was a unit, and every figure."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.pairs import Pair, SizeCurve
from reportgen.results.parts import Figure, Mean, Part
from reportgen.results.sets import SetsCompared
from reportgen.results.spans import MacroFigure
from reportgen.results.together import Coincidences, NullTest
from reportgen.results.uncertainty import Benchmarks, Opinions, Plan

PAIR = 2


def noun_of(kind: str, base: str, *, kept: bool) -> str:
    """Return what units of a kind are, in the plural; with `kept`, candidates are marked stretches too.

    A declared size holds unmarked units too, of which nobody knows what they are.
    """
    nouns = {"tokens": "tokens", "sentences": "sentences"}
    if kind != "declared":
        nouns |= {"marks": "marked stretches", "relations": "relations"}
    if not kept:
        nouns["candidates"] = "candidates"
    return nouns.get(base, "units")


class UnitSetMarks(Part):
    """Marks of the layer: read = used here + left out here, by reason."""

    read: int
    used: int
    left_out: Mapping[str, int]
    missing: int = Field(default=0, description="cells of a table that hold no label: empty, or declared so")
    repeated: int = Field(
        default=0, description="labels that somebody gave a unit again in the same pass, as before"
    )
    contradicting: int = Field(default=0, description="those that differ from the first")


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
    categories_declared: tuple[str, ...] = Field(
        default=(), description="those that the campaign declares, in its order; the others merely occur"
    )
    non_annotated: str | None = None
    labels: Mapping[str, int] = Field(description="how many ratings each category has")
    measures: Mapping[str, Figure]
    mean_over_pairs: Mapping[str, Mean]
    macro_over_documents: Mapping[str, MacroFigure] | None = Field(
        default=None, description="means over the documents where a figure is defined; `units` is how many"
    )
    specific_agreement: Mapping[str, Figure] = Field(
        description="by category; where labels are sets by label, chosen or not"
    )
    against_rest: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict,
        description="one of more than two categories against all others; of sets each label, chosen or not",
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
    def noun(self) -> str:
        """Return what its units are, in the plural, such as tokens or marked stretches."""
        kept = self.candidates is None or self.candidates.keep_marked
        return noun_of(self.kind, self.base, kept=kept)

    @property
    def judged(self) -> tuple[str, ...]:
        """Return what specific agreement is of, in order: the categories, or of sets the labels they hold."""
        return self.sets.names if self.sets else self.categories

    def uses(self, name: str) -> int:
        """Return how many ratings have a category, or of sets a label that they hold."""
        if self.sets is None:
            return self.labels.get(name, 0)
        return self.sets.labels[name].chosen if name in self.sets.labels else 0

    @property
    def only_pair(self) -> Pair | None:
        """Return the pair where there are just two annotators, else None."""
        return self.pairs[0] if len(self.annotators) == PAIR and self.pairs else None
