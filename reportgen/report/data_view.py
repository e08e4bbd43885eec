"""What was annotated as templates see it: how much, by whom, and what was left out."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import material
from reportgen.report.tables import Table, without_idle
from reportgen.results import Results


@dataclass(frozen=True)
class DataView:
    """What was annotated, by whom, and what was left out."""

    results: Results

    @cached_property
    def amounts(self) -> Table | None:
        """Return how much each layer holds."""
        return material.amounts(self.results)

    @cached_property
    def shares(self) -> Table:
        """Return the share of each category."""
        return material.shares(self.results)

    @cached_property
    def attendance(self) -> Table | None:
        """Return what annotators did with the documents."""
        return material.attendance(self.results)

    @cached_property
    def raters(self) -> Table:
        """Return units by the number of annotators."""
        return material.raters(self.results)

    @property
    def scatter(self) -> list[Table]:
        """Return the tables of how scattered the marks are."""
        found = (self.amounts, self.shares, self.raters, self.attendance)
        return [table for table in found if table is not None]

    @property
    def scatter_shown(self) -> list[Table]:
        """Return the same without columns of what the export has none of, such as tokens."""
        idle = ("documents_unmarked", "tokens", "marks_per_1000_tokens", "skipped")
        return [without_idle(table, idle) for table in self.scatter]

    @cached_property
    def reasons(self) -> Table | None:
        """Return why marks were left out."""
        return material.reasons(self.results)

    @cached_property
    def left_out(self) -> Table | None:
        """Return the marks that were not used."""
        return material.left_out(self.results)

    @property
    def left_out_shown(self) -> Table | None:
        """Return that list where it is short; longer ones stand in the CSV."""
        table = self.left_out
        return table if table and len(table.rows) <= material.MOST_LEFT_OUT else None

    def tables(self) -> Iterator[Table]:
        """Yield every table that has a file."""
        yield from self.scatter
        if self.left_out:
            yield self.left_out
