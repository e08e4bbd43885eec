"""Annotators by annotators: a small matrix for each coefficient of pairs, all on one scale of shades."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.report import contents
from reportgen.report.pairs import shade
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Results, UnitSet
from reportgen.words.language import _
from reportgen.words.names import figure_name

# With fewer annotators there is one pair, with more a matrix is too wide for a page.
FEWEST, MOST = 3, 12
# On a page; the CSV has more.
MOST_SHOWN = 3
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha", "gwet_ac1")


@dataclass(frozen=True)
class PairwiseMatrix:
    """One figure of every two annotators of a unit set."""

    figure: str
    name: str
    slug: str
    annotators: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]

    def table(self, caption: str = "", links: Mapping[frozenset[str], str] | None = None) -> ReportTable:
        """Return the matrix for its CSV and for a page: annotators as first row and column.

        `links` are the addresses of the pages of pairs.
        """
        columns = (
            TableColumn("annotator", _("Annotator") if caption else ""),
            *(TableColumn(name, name, "figure") for name in self.annotators),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *row) for name, row in zip(self.annotators, self.values, strict=True)
        )
        name = self.figure.replace("[", "-").replace("]", "").replace(",", "-")
        return ReportTable(
            f"matrix-{name}-{self.slug}",
            caption,
            columns,
            rows,
            file=f"matrix.{name}.{self.slug}.csv",
            shades=tuple((None, *map(shade, row)) for row in self.values),
            links=tuple(
                (None, *(links.get(frozenset((one, other))) for other in self.annotators))
                for one in self.annotators
            )
            if links
            else (),
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
    )


def every_pair(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return every figure of every pair, for the CSV; None for a single pair."""
    names = results.in_order({name for pair in unit_set.pairs for name in pair.measures})
    return contents.figures_of_pairs(results, unit_set, names)
