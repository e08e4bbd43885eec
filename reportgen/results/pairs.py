"""Two annotators in results.json: their confusion matrix, and every figure of it."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.parts import Figure, Part

Matrix = tuple[tuple[float | None, ...], ...]


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
