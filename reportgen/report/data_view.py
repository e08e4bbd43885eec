"""What was annotated as templates see it: how much, by whom, and what was left out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report import material, numbers
from reportgen.report.language import N_, _, say
from reportgen.report.tables import Cell, Table, without_idle
from reportgen.results import Results, Scalar

CORPUS = {
    "name": N_("Corpus"),
    "version": N_("Corpus: version"),
    "documents": N_("Corpus: documents"),
    "tokens": N_("Corpus: tokens"),
    "sampled": N_("Corpus: how it was sampled"),
    "licence": N_("Corpus: licence"),
    "doi": N_("Corpus: DOI"),
    "url": N_("Corpus: address"),
}
PROTOCOL = {
    "tool": N_("Annotation tool"),
    "independent": N_("Annotators worked independently"),
    "pre_annotated_by": N_("Pre-annotated by"),
    "training": N_("Training"),
    "recruitment": N_("Recruitment"),
    "pay": N_("Pay"),
    "adjudication": N_("Adjudication"),
    "minutes_per_document": N_("Minutes per document"),
}


# Of layers with more categories than these, a page has the commonest: so many in all and of each.
MOST_SHARES, FEWEST_SHARES = 100, 5


def _of_layer(table: Table, layer: str) -> list[tuple[Cell, ...]]:
    return [row for row in table.rows if row[0] == layer]


def _said(value: Scalar) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return numbers.count(value)
    return numbers.pointed(f"{value:g}") if isinstance(value, float) else value


@dataclass(frozen=True)
class DataView:
    """What was annotated, by whom, and what was left out."""

    results: Results

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Return what the campaign says of its corpus and of how it was annotated, each under its name."""
        campaign = self.results.campaign
        corpus = ((title, campaign.corpus.get(key)) for key, title in CORPUS.items())
        protocol = ((title, campaign.protocol.get(key)) for key, title in PROTOCOL.items())
        return [(_(title), _said(value)) for title, value in (*corpus, *protocol) if value is not None]

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
        found = (self.amounts, self._shares_shown, self.raters, self.attendance)
        return [without_idle(table, idle) for table in found if table is not None]

    @property
    def _shares_shown(self) -> Table:
        """Return the share of each category, of very many those of the commonest of each layer."""
        found, layers = self.shares, len(self.results.material)
        if len(found.rows) <= MOST_SHARES:
            return found
        most = max(FEWEST_SHARES, MOST_SHARES // layers)
        count, shown = numbers.count(most), list(found.rows[:most])
        first = say("The {count} commonest; the CSV has all.", count=count)
        if layers > 1:
            shown = [row for each in self.results.material for row in _of_layer(found, each.layer)[:most]]
            first = say("The {count} commonest of each layer; the CSV has all.", count=count)
        return replace(found, caption=f"{found.caption} {first}", rows=tuple(shown))

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
