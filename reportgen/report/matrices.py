"""Annotators by annotators: a small matrix for each coefficient of pairs, all on one scale of colours."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.report import contents
from reportgen.report.pairs import CLASSES, around_half, stretch
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Results, UnitSet
from reportgen.words import numbers
from reportgen.words.language import say
from reportgen.words.names import figure_name

# With fewer annotators there is one pair, with more a matrix is too wide for a page.
FEWEST, MOST = 3, 12
# On a page; the CSV has more.
MOST_SHOWN = 3
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha", "gwet_ac1")


@dataclass(frozen=True)
class MatrixCell:
    """A pair's figure as text, with the class of its colour; blank where the two share no unit."""

    text: str
    shade: str


@dataclass(frozen=True)
class PairwiseMatrix:
    """One figure of every two annotators of a unit set."""

    figure: str
    name: str
    slug: str
    annotators: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    shared: tuple[tuple[bool, ...], ...]

    @property
    def rows(self) -> list[tuple[str, list[MatrixCell]]]:
        """Return each annotator's row of cells."""
        found = []
        for name, values, shared in zip(self.annotators, self.values, self.shared, strict=True):
            cells = [
                MatrixCell(numbers.figure(value) if here else "", around_half(value))
                for value, here in zip(values, shared, strict=True)
            ]
            found.append((name, cells))
        return found

    def table(self) -> ReportTable:
        """Return the matrix for its CSV: annotators as first row and column."""
        columns = (
            TableColumn("annotator", ""),
            *(TableColumn(name, name, "figure") for name in self.annotators),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *row) for name, row in zip(self.annotators, self.values, strict=True)
        )
        name = self.figure.replace("[", "-").replace("]", "").replace(",", "-")
        return ReportTable(
            f"matrix-{name}-{self.slug}", "", columns, rows, file=f"matrix.{name}.{self.slug}.csv"
        )

    @property
    def file(self) -> str:
        """Return the name of the CSV."""
        return self.table().file


def matrices(results: Results, unit_set: UnitSet) -> tuple[PairwiseMatrix, ...]:
    """Return the matrices of a unit set, the primary coefficient's first; none for a pair or a crowd."""
    if not FEWEST <= len(unit_set.annotators) <= MOST or len(unit_set.pairs) <= 1:
        return ()
    known = {name for pair in unit_set.pairs for name in pair.measures}
    ordered = dict.fromkeys((results.coefficients[unit_set.layer], *SHOWN))
    return tuple(_matrix(results, unit_set, name) for name in ordered if name in known)


def _matrix(results: Results, unit_set: UnitSet, figure: str) -> PairwiseMatrix:
    names = unit_set.annotators
    pairs = {frozenset(pair.annotators): pair for pair in unit_set.pairs}

    def value(one: str, other: str) -> float | None:
        pair = pairs.get(frozenset((one, other))) if one != other else None
        found = pair.measures.get(figure) if pair else None
        return found.value if found else None

    return PairwiseMatrix(
        figure=figure,
        name=figure_name(results, figure),
        slug=contents.slug(unit_set),
        annotators=names,
        values=tuple(tuple(value(one, other) for other in names) for one in names),
        shared=tuple(
            tuple(one != other and frozenset((one, other)) in pairs for other in names) for one in names
        ),
    )


def legend() -> Iterator[tuple[str, str]]:
    """Yield the classes of figures with what they stand for, from the lowest."""
    start = 0.0
    for end, name in CLASSES:
        under = say("under {number}", number=numbers.pointed(f"{end:g}"))
        yield name, stretch(start, end) if start else under
        start = end


def every_pair(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return every figure of every pair, for the CSV; None for a single pair."""
    names = results.in_order({name for pair in unit_set.pairs for name in pair.measures})
    return contents.figures_of_pairs(results, unit_set, names)
