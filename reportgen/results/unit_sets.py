"""One unit set in results.json: what was a unit, and every figure."""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property

from pydantic import Field

from reportgen.results.marks import MacroFigure
from reportgen.results.parts import Benchmarks, Figure, Mean, Plan, ResultModel, Withheld, optional

# Two annotators in results.json: their confusion matrix, and every figure of it.

Matrix = tuple[tuple[float | None, ...], ...]
# Where the matrices of all pairs of a unit set have more cells together, none is written whole: two
# annotators may so use 223 categories, ten of them 33.
MOST_CELLS = 50_000


class Confusion(ResultModel):
    """How many units the annotator `rows` gave the row's category and `columns` the column's.

    Either `counts` has all cells, or `cells` those that hold units: the latter where the matrices of all
    pairs of the unit set would have more than 50,000 cells together.
    """

    rows: str
    columns: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...] | None = optional("row by row")
    cells: tuple[tuple[int, int, int], ...] | None = optional(
        "numbers of the row's and the column's category, from 0, and how many units have the two"
    )

    @cached_property
    def filled(self) -> Mapping[tuple[int, int], int]:
        """Return the units of each cell that has any, by the places of its row and column."""
        if self.cells is not None:
            return {(row, column): units for row, column, units in self.cells}
        rows = enumerate(self.counts or ())
        return {(i, j): units for i, row in rows for j, units in enumerate(row) if units}

    @property
    def grid(self) -> tuple[tuple[int, ...], ...]:
        """Return all cells row by row, which of thousands of categories nobody should ask for."""
        if self.counts is not None:
            return self.counts
        places = range(len(self.categories))
        return tuple(tuple(self.filled.get((row, column), 0) for column in places) for row in places)

    @cached_property
    def units(self) -> int:
        """Return how many units are in the table."""
        return sum(self.filled.values())

    @property
    def disagreements(self) -> int:
        """Return how many units the two gave different categories."""
        return sum(units for (row, column), units in self.filled.items() if row != column)

    def count(self, row: str, column: str) -> int:
        """Return how many units have the two categories."""
        return self.filled.get((self._places[row], self._places[column]), 0)

    def totals(self, category: str) -> tuple[int, int]:
        """Return how often each of the two annotators used a category."""
        index = self._places[category]
        return self.margins[0][index], self.margins[1][index]

    @cached_property
    def margins(self) -> tuple[list[int], list[int]]:
        """Return how often each of the two annotators used each category."""
        rows, columns = [0] * len(self.categories), [0] * len(self.categories)
        for (row, column), units in self.filled.items():
            rows[row] += units
            columns[column] += units
        return rows, columns

    def joined(self, labels: Collection[str], name: str) -> "Confusion":
        """Return the table with some categories as one, the last, under another name.

        A table that lists the cells that hold units lists them again: one of all cells may be too large.
        """
        shown = [category for category in self.categories if category not in labels]
        place = {category: number for number, category in enumerate(shown)}
        places = [place.get(category, len(shown)) for category in self.categories]
        cells = Counter[tuple[int, int]]()
        for (row, column), units in self.filled.items():
            cells[places[row], places[column]] += units
        joined = Confusion(
            rows=self.rows,
            columns=self.columns,
            categories=(*shown, name),
            cells=tuple((*cell, units) for cell, units in sorted(cells.items())),
        )
        if self.counts is None:
            return joined
        return joined.model_copy(update={"counts": joined.grid, "cells": None})

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: index for index, name in enumerate(self.categories)}


class LabelCounts(ResultModel):
    """How many units two annotators gave sets that hold a label: the first, the second, and both."""

    first: int
    second: int
    both: int


class Distances(ResultModel):
    """Distances computed from this very table, in the order of the categories."""

    computed_alpha: Matrix
    computed_kappa: Matrix


class Sums(ResultModel):
    """The whole numbers that figures of any number of annotators at every size come from."""

    annotators: int
    categories: int
    disagreements: int = Field(description="of every two annotators, over their pairs")
    marks: int = Field(description="ratings that are marks")
    squares: int = Field(description="squares of how many ratings each marked category has, summed")
    products: int = Field(
        description="over pairs of annotators, the product of their marks, and of each category's"
    )


class SizeCurve(ResultModel):
    """Figures as functions of the number of units, only jointly unmarked ones being added or removed."""

    declared: int = Field(description="units of this unit set")
    marked: int = Field(description="units that somebody marked, the least size")
    sizes: tuple[int, ...] = Field(description="numbers of units, marked and not")
    values: Mapping[str, tuple[float | None, ...]] = Field(description="a figure's value at each size")
    limit: Mapping[str, float | None] = Field(description="what each figure tends to as the size grows")
    f_labelled: float | None = optional("F over marked units, the labels being equal")
    f_unlabelled: float | None = optional("F over marked units, whatever the labels")
    sums: Sums | None = optional("of more than two annotators")

    def value_at(self, figure: str, size: int) -> float | None:
        """Return a figure at a size; None where it is undefined or the curve does not have that size."""
        return self.values[figure][self.sizes.index(size)] if size in self.sizes else None


class SymmetryTest(ResultModel):
    """A test that two annotators use the categories alike, or why there is none."""

    statistic: float | None = None
    degrees: int | None = None
    p: float | None = None
    least_p: float | None = optional("the smallest p value that so few documents or units could have given")
    method: str | None = None
    by_document: bool = Field(description="whether documents were compared, or units taken as independent")
    discordant: int = Field(description="units on which the difference rests")
    undefined: str | None = None


class Pair(ResultModel):
    """Two annotators: their table and every figure of it."""

    annotators: tuple[str, str]
    documents: int = Field(description="documents known among the shared units")
    confusion: Confusion
    measures: Mapping[str, Figure]
    specific_agreement: Mapping[str, Figure] = Field(
        description="by category; where labels are sets by label, chosen or not"
    )
    against_rest: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict,
        description="figures of one category against all others, of sets of one label, chosen or not; of "
        "more than two annotators none where the table has `cells`",
    )
    conditional_probabilities: Matrix | None = optional(
        "P(C2|C1), rows C1, columns C2; where the table has `cells`, tables/cells.csv has it"
    )
    distances: Distances | None = optional("where the table has `cells`, tables/cells.csv has them")
    labels: Mapping[str, LabelCounts] = Field(
        default_factory=dict, description="where labels are sets, how often each label was chosen"
    )
    size_curve: SizeCurve | None = None
    symmetry: Mapping[str, SymmetryTest]
    withheld: Withheld | None = optional("labels that pages and tables of the two don't show one by one")

    @property
    def distances_shown(self) -> Distances | None:
        """Return the distances where pages may show them: they follow from the table."""
        return None if self.withheld else self.distances

    def uses(self, name: str) -> tuple[int, int]:
        """Return how often each of the two gave a category, or of sets chose a label."""
        counts = self.labels.get(name)
        if counts is not None:
            return counts.first, counts.second
        return (0, 0) if self.labels else self.confusion.totals(name)


# What is said of a unit set whose categories are sets of labels.


class LabelOfSets(ResultModel):
    """One label: how often annotators chose it, and how often one of two chose it and the other did not."""

    chosen: int = Field(description="ratings whose set contains it")
    apart: float = Field(
        description="units on which one of two annotators chose it and the other did not; of more than two "
        "the pairs of such ratings of each unit, divided by its ratings less one"
    )


class LabelConfusion(ResultModel):
    """Two labels, of which one annotator chose the one and the other the other on the same units.

    A label that both chose there is none of these. Where the labels of one are all among the other's, the
    others are each an omission, which has no second label.
    """

    first: str
    second: str | None = optional("absent where one annotator chose the first, and the other nothing instead")
    units: float = Field(
        description="on how many units; of more than two annotators a unit counts as its pairs of ratings, "
        "divided by its ratings less one"
    )
    chance: float | None = optional("the same where sets as frequent as these met at random")


class SetsCompared(ResultModel):
    """What explicit agreement leaves out, what implicit agreement counts, and the labels that sets hold."""

    categories: int = Field(description="how many labels there are to choose from")
    declared: bool = Field(
        description="whether the campaign declares that number; else it is that of labels declared or used"
    )
    units_left_out: int = Field(description="units to which nobody of two or more annotators gave a label")
    meetings: int = Field(description="how often two annotators rated the same unit")
    meetings_left_out: int = Field(description="of those, in how many neither gave a label")
    pairs: int = Field(description="pairs of annotators over which explicit agreement is a mean")
    members: Mapping[str, tuple[str, ...]] = Field(description="the labels that each category contains")
    names: tuple[str, ...] = Field(
        description="the labels in their order: specific agreement and figures against the rest are of "
        "these, each chosen or not"
    )
    labels: Mapping[str, LabelOfSets] = Field(description="how each label was chosen")
    differing: float = Field(
        default=0.0, description="on how many units annotators gave different sets, counted as in confusions"
    )
    confusions: tuple[LabelConfusion, ...] = Field(
        default=(), description="which labels annotators confuse or omit, the most frequent 100 first"
    )


# What several annotators' labels show together: coincidences, and everybody against the majority.


class NullTest(ResultModel):
    """Whether a coefficient differs from 0: its standard error if it were, z, and p of both sides.

    That error is no measure of how precise the coefficient is, and a small p is no sign of good agreement.
    """

    standard_error: float
    z: float
    p: float


class Coincidences(ResultModel):
    """How often labels meet on the same units, those of all annotators together; only categories in use.

    `counts` is Krippendorff's coincidence matrix: symmetric, its sum the ratings of units that several rated.
    Probabilities and computed distances are as those of a pair.
    """

    categories: tuple[str, ...]
    counts: Matrix
    conditional_probabilities: Matrix
    computed_alpha: Matrix
    computed_kappa: Matrix

    @property
    def filled(self) -> Mapping[tuple[int, int], float]:
        """Return the content of each cell that is not empty, by the places of its row and column."""
        rows = enumerate(self.counts)
        return {(i, j): value for i, row in rows for j, value in enumerate(row) if value}

    @property
    def margins(self) -> tuple[list[float], list[float]]:
        """Return the sums of rows and of columns, which are the same."""
        sums = [math.fsum(value or 0 for value in row) for row in self.counts]
        return sums, sums


# How reliable the labels of several annotators are together.


class AggregateOfAnnotators(ResultModel):
    """What the labels of so many annotators a unit would be worth together."""

    annotators: int
    reliability: Figure = Field(description="k α / (1 + (k - 1) α)")
    same_majority: float | None = optional(
        "how often the majority of so many of a unit's labels, drawn at random, is that of all"
    )
    majority: Figure | None = optional(
        "alpha of two independent majorities of so many labels, as estimated from the labels"
    )


class EnoughAnnotators(ResultModel):
    """How many annotators a unit it takes until their labels are so reliable together.

    `fewest` and `most` are those at the two ends of the interval of alpha.
    """

    reliability: float
    annotators: int | None = optional("absent where alpha is not above 0: no number is enough")
    fewest: int | None = optional("absent where alpha has no interval, or no number is enough there")
    most: int | None = optional("absent where alpha has no interval, or no number is enough there")


class MajorityUnits(ResultModel):
    """The units over which `same_majority` is a mean: those with so many labels or more."""

    labels: int
    units: int
    tied: int = Field(description="units on which all their labels together have no single majority")


class VotePattern(ResultModel):
    """Units whose labels are divided alike: 4 and 1 are four labels of one category, and one of another."""

    labels: tuple[int, ...] = Field(description="of each category in use there, the most frequent first")
    units: int
    given: Mapping[str, int] = Field(description="on how many of the units each category was given")


class AggregateReliability(ResultModel):
    """How reliable the labels of all annotators of a unit are together, in a layer's primary unit set."""

    layer: str
    unit_set: str
    coefficient: str = Field(description="the alpha that it is computed from")
    units: int = Field(description="units that at least two annotators rated")
    labels: float = Field(description="mean number of their labels")
    reliability: Figure = Field(description="of so many labels as there are on average")
    of_majority: Figure | None = optional(
        "alpha of two independent majorities of `usual` labels, estimated from the labels; of names alone, "
        "where units have four labels or more"
    )
    usual: int | None = optional("how many labels half of the units have, or more")
    by_annotators: tuple[AggregateOfAnnotators, ...]
    enough: tuple[EnoughAnnotators, ...]
    majority: MajorityUnits | None = optional("of single labels, nominal or ordinal, three a unit or more")
    patterns: tuple[VotePattern, ...] | None = optional("of units with `majority.labels` labels")


# Agreement in each document.


class DocumentCell(ResultModel):
    """On how many units of a document the first said one category and the second another, or the same."""

    first: str
    second: str
    units: int


class DocumentAgreement(ResultModel):
    """How two people, or the pairs of several, agree in one document."""

    document: str
    comparisons: int = Field(description="units that two people labelled, once for each pair")
    disagreements: int
    observed_agreement: float
    cohen_kappa: float | None = optional("mean over pairs; absent where chance alone would agree")
    scott_pi: float | None = optional("mean over pairs; absent where chance alone would agree")
    cells: tuple[DocumentCell, ...] | None = optional(
        "of two people, its confusion matrix; absent with many categories, and where small cells are withheld"
    )


class AgreementByDocument(ResultModel):
    """Agreement in each document of a layer's primary unit set, the worst first."""

    layer: str
    unit_set: str
    key: str | None = optional("absent of annotators among each other")
    other: str | None = optional("who is compared with the key")
    documents_in_all: int
    disagreements: int = Field(description="in all documents together")
    documents: tuple[DocumentAgreement, ...] = Field(description="at most 100")


# One unit set in results.json: what was a unit, and every figure.


def noun_of(kind: str, base: str, *, keep_marked: bool) -> str:
    """Return what units of a kind are, in the plural; with `keep_marked`, candidates are marked text too.

    A declared size counts unmarked units too, of which nobody knows what they are.
    """
    nouns = {"tokens": "tokens", "sentences": "sentences"}
    if kind != "declared":
        nouns |= {"marks": "marked stretches", "relations": "relations"}
    if not keep_marked:
        nouns["candidates"] = "candidates"
    return nouns.get(base, "units")


class UnitSetMarks(ResultModel):
    """Marks of the layer: read = used here + left out here, by reason, + what is not compared, by kind."""

    read: int
    used: int
    left_out: Mapping[str, int]
    not_compared: Mapping[str, int] | None = optional("what the exports have besides labels, by kind")
    missing: int = Field(default=0, description="cells of a table that have no label: empty, or declared so")
    repeated: int = Field(
        default=0, description="labels that somebody gave a unit again in the same pass, as before"
    )
    contradicting: int = Field(default=0, description="those that differ from the first")


class Candidates(ResultModel):
    """Where the units of a unit set of candidates come from: terms of a file, or a layer."""

    file: str | None = optional("the list of terms")
    terms: int | None = optional("how many terms it has")
    layer: str | None = optional("the layer whose marks they are, no matter who made them")
    keep_marked: bool = Field(description="whether marked stretches outside every candidate are units too")


class UnitSet(ResultModel):
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
    candidates: Candidates | None = optional("where they come from")
    boundary: int | None = optional("marks used that begin or end inside a token, where units are tokens")
    several: int = Field(description="ratings of units that carry several labels of one annotator")
    joined: bool = Field(description="whether those are sets of labels; else the first in priority counts")
    marks: UnitSetMarks
    documents: int = Field(description="documents known among the units")
    documents_compared: int = Field(
        description="documents, or groups of them, in which two annotators rated the same unit"
    )
    document_groups: int | None = optional(
        "how many groups documents are in, by which intervals are, where single ones are not known"
    )
    pair_groups: int | None = optional(
        "from how many documents, or groups of them, intervals of two annotators come, where counts are sums"
    )
    units_alone: int = Field(description="units without a document, which are each their own")
    annotators: tuple[str, ...]
    categories: tuple[str, ...] = Field(
        description="in their order; where marks in texts overlap their labels, not the combinations of these"
    )
    categories_declared: tuple[str, ...] = Field(
        default=(), description="those that the campaign declares, in its order; the others merely occur"
    )
    non_annotated: str | None = None
    labels: Mapping[str, int] = Field(
        description="how many ratings each category has, of sets each different set"
    )
    measures: Mapping[str, Figure]
    rated_twice: Mapping[str, Figure] | None = optional(
        "figures in whose chance agreement units with one rating count, over the other units alone"
    )
    mean_over_pairs: Mapping[str, Mean]
    macro_over_documents: Mapping[str, MacroFigure] | None = optional(
        "means over the documents where a figure is defined; `units` is how many"
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
    coincidences: Coincidences | None = optional("of more than two annotators")
    size_curve: SizeCurve | None = None
    pairs: tuple[Pair, ...]
    sets: SetsCompared | None = optional("where categories are sets of labels")
    benchmarks: Mapping[str, Benchmarks] | None = optional("what benchmark scales say of each coefficient")
    planning: Mapping[str, Plan] | None = optional("what it takes to narrow a coefficient's interval")

    @property
    def noun(self) -> str:
        """Return what its units are, in the plural, such as tokens or marked stretches."""
        keep_marked = self.candidates is None or self.candidates.keep_marked
        return noun_of(self.kind, self.base, keep_marked=keep_marked)

    @property
    def scales(self) -> tuple[str, ...]:
        """Return the scales that the campaign may have declared: where marks overlap, labels become sets."""
        return (self.scale, "nominal") if self.sets and self.joined else (self.scale,)

    @property
    def judged(self) -> tuple[str, ...]:
        """Return what specific agreement is of, in order: the categories, or of sets their labels."""
        return self.sets.names if self.sets else self.categories

    @property
    def wholes(self) -> tuple[str, ...]:
        """Return what matrices are of: the categories in order, or where marks overlap sets as wholes."""
        return self.categories if self.labels.keys() <= {*self.categories} else tuple(sorted(self.labels))

    def uses(self, name: str) -> int:
        """Return how many ratings have a category, or of sets one of their labels."""
        if self.sets is None:
            return self.labels.get(name, 0)
        return self.sets.labels[name].chosen if name in self.sets.labels else 0

    @property
    def only_pair(self) -> Pair | None:
        """Return the pair where there are just two annotators, else None."""
        return self.pairs[0] if len(self.annotators) == 2 and self.pairs else None
