"""Two annotators in results.json: their confusion matrix, and every figure of it."""

from collections.abc import Mapping
from functools import cached_property

from pydantic import Field

from reportgen.results.parts import Figure, Part

Matrix = tuple[tuple[float | None, ...], ...]
# Where the matrices of all pairs of a unit set have more cells together, none is written whole: two
# annotators may so use 223 categories, ten of them 33.
MOST_CELLS = 50_000


class Confusion(Part):
    """How many units the annotator `rows` gave the row's category and `columns` the column's.

    Either `counts` has all cells, or `cells` those that hold units: the latter where the matrices of all
    pairs of the unit set would have more than 50,000 cells together.
    """

    rows: str
    columns: str
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...] | None = Field(default=None, description="row by row")
    cells: tuple[tuple[int, int, int], ...] | None = Field(
        default=None,
        description="numbers of the row's and the column's category, from 0, and how many units have the two",
    )

    @cached_property
    def filled(self) -> Mapping[tuple[int, int], int]:
        """Return the units of each cell that holds any, by the places of its row and column."""
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
        """Return how many units the table holds."""
        return sum(self.filled.values())

    def count(self, row: str, column: str) -> int:
        """Return how many units have the two categories."""
        return self.filled.get((self._places[row], self._places[column]), 0)

    def totals(self, category: str) -> tuple[int, int]:
        """Return how often each of the two annotators used a category."""
        place = self._places[category]
        return self.margins[0][place], self.margins[1][place]

    @cached_property
    def margins(self) -> tuple[list[int], list[int]]:
        """Return how often each of the two annotators used each category."""
        rows, columns = [0] * len(self.categories), [0] * len(self.categories)
        for (row, column), units in self.filled.items():
            rows[row] += units
            columns[column] += units
        return rows, columns

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.categories)}


class LabelCounts(Part):
    """How many units two annotators gave sets that hold a label: the first, the second, and both."""

    first: int
    second: int
    both: int


class Distances(Part):
    """Distances computed from this very table, in the order of the categories."""

    computed_alpha: Matrix
    computed_kappa: Matrix


class Sums(Part):
    """The whole numbers that figures of any number of annotators at every size come from."""

    annotators: int
    categories: int
    disagreements: int = Field(description="of every two annotators, over their pairs")
    marks: int = Field(description="ratings that are marks")
    squares: int = Field(description="squares of how many ratings each marked category has, summed")
    products: int = Field(
        description="over pairs of annotators, the product of their marks, and of each category's"
    )


class SizeCurve(Part):
    """Figures as functions of the number of units, only jointly unmarked ones being added or removed."""

    declared: int = Field(description="units of this unit set")
    marked: int = Field(description="units that somebody marked, the least size")
    sizes: tuple[int, ...] = Field(description="numbers of units, marked and not")
    values: Mapping[str, tuple[float | None, ...]] = Field(description="a figure's value at each size")
    limit: Mapping[str, float | None] = Field(description="what each figure tends to as the size grows")
    f_labelled: float | None = Field(default=None, description="F over marked units, the labels being equal")
    f_unlabelled: float | None = Field(default=None, description="F over marked units, whatever the labels")
    sums: Sums | None = Field(default=None, description="of more than two annotators")
    quotients: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = Field(
        default_factory=dict,
        description="a figure is 1 - P / Q at every size, P and Q being polynomials of the units that nobody "
        "marked: their coefficients, by ascending powers",
    )

    def value_at(self, figure: str, size: int) -> float | None:
        """Return a figure at a size; None where it is undefined or the curve does not have that size."""
        return self.values[figure][self.sizes.index(size)] if size in self.sizes else None


class SymmetryTest(Part):
    """A test that two annotators use the categories alike, or why there is none."""

    statistic: float | None = None
    degrees: int | None = None
    p: float | None = None
    least_p: float | None = Field(
        default=None, description="the smallest p value that so few documents or units could have given"
    )
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
    specific_agreement: Mapping[str, Figure] = Field(
        description="by category; where labels are sets by label, chosen or not"
    )
    against_rest: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict,
        description="figures of one category against all others, of sets of one label, chosen or not; of "
        "more than two annotators none where the table has `cells`",
    )
    conditional_probabilities: Matrix | None = Field(
        default=None,
        description="P(C2|C1), rows C1, columns C2; where the table has `cells`, tables/cells.csv has it",
    )
    distances: Distances | None = Field(
        default=None, description="where the table has `cells`, tables/cells.csv has them"
    )
    labels: Mapping[str, LabelCounts] = Field(
        default_factory=dict, description="where labels are sets, how often each label was chosen"
    )
    size_curve: SizeCurve | None = None
    symmetry: Mapping[str, SymmetryTest]

    def uses(self, name: str) -> tuple[int, int]:
        """Return how often each of the two gave a category, or of sets chose a label."""
        counts = self.labels.get(name)
        if counts is not None:
            return counts.first, counts.second
        return (0, 0) if self.labels else self.confusion.totals(name)
