"""The data behind a report: how much there is, how scattered the marks are, and what was left out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report.tables import Cell, ReportTable, TableColumn, without_idle
from reportgen.results import LeftOut, Results, Scalar, UnitSet
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_many
from reportgen.words.names import reason

# Longer lists stand in the CSV alone.
MOST_LEFT_OUT = 40


IN_TEXTS = N_(
    "What was annotated. Tokens are separated by whitespace, a mark of ten tokens counts once. Marks per "
    "document and per 1,000 tokens are means over annotators and the documents that each saw."
)


def amounts(results: Results) -> ReportTable | None:
    """Return how much each layer holds; None where no export carries documents."""
    if not any(each.documents for each in results.material):
        return None
    columns = (
        TableColumn("documents", _("Documents"), "count"),
        TableColumn("documents_unmarked", _("Seen, and not marked by anyone"), "count"),
        TableColumn("tokens", _("Tokens"), "count"),
        TableColumn("marks", _("Marks"), "count"),
        TableColumn("marks_per_document", _("Marks per document"), "decimal"),
        TableColumn("marks_per_1000_tokens", _("Marks per 1,000 tokens"), "decimal"),
    )
    rows = [(each.layer, *(getattr(each, column.key) for column in columns)) for each in results.material]
    tokens = any(each.tokens for each in results.material)
    caption = _(IN_TEXTS) if tokens else _("What was annotated.")
    return _by_layer(results, "material", caption, columns, rows)


def shares(results: Results) -> ReportTable:
    """Return how many marks each category has, and its share, the most frequent first."""
    columns = (
        TableColumn("category", _("Category")),
        TableColumn("marks", _("Marks"), "count"),
        TableColumn("share", _("Share"), "percent"),
    )
    rows = [
        (each.layer, name, marks, each.shares[name])
        for each in results.material
        for name, marks in sorted(each.labels.items(), key=lambda item: (-item[1], item[0]))
    ]
    return _by_layer(results, "shares", _("Marks by category, of all annotators together."), columns, rows)


def attendance(results: Results) -> ReportTable | None:
    """Return what each annotator did with how many documents; None where the export does not tell."""
    columns = (
        TableColumn("annotator", _("Annotator")),
        TableColumn("marked", _("Documents marked"), "count"),
        TableColumn("empty", _("Seen, nothing marked"), "count"),
        TableColumn("skipped", _("Skipped"), "count"),
        TableColumn("unseen", _("Not seen"), "count"),
    )
    rows = [
        (each.layer, *(getattr(who, column.key) for column in columns))
        for each in results.material
        for who in each.attendance
    ]
    caption = _(
        "What each annotator did with the documents. Only those seen count, also where nothing is marked."
    )
    return _by_layer(results, "attendance", caption, columns, rows) if rows else None


def raters(results: Results) -> ReportTable:
    """Return how many units were rated by how many annotators."""
    columns = (
        TableColumn("unit_set", _("Unit set")),
        TableColumn("annotators", _("Annotators"), "count"),
        TableColumn("units", _("Units"), "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (each.layer, each.id, int(number), units)
        for each in results.unit_sets
        for number, units in sorted(each.units_by_annotators.items(), key=lambda item: int(item[0]))
    ]
    caption = _("Units by the number of annotators who rated them.")
    return _by_layer(results, "units-by-annotators", caption, columns, rows)


def _by_layer(
    results: Results,
    name: str,
    caption: str,
    columns: tuple[TableColumn, ...],
    rows: Sequence[tuple[Cell, ...]],
) -> ReportTable:
    """Return a table whose rows start with their layer, which is left out where there is only one."""
    if len(results.material) > 1:
        return ReportTable(
            name, caption, (TableColumn("layer", _("Layer")), *columns), tuple(rows), file=f"{name}.csv"
        )
    return ReportTable(name, caption, columns, tuple(row[1:] for row in rows), file=f"{name}.csv")


def reasons(results: Results) -> ReportTable | None:
    """Return how many marks were left out for which reason; None where none was."""
    if not results.left_out:
        return None
    marks: Counter[str] = Counter()
    annotators: dict[str, set[str]] = {}
    for each in results.left_out:
        marks[each.reason] += each.marks
        annotators.setdefault(each.reason, set()).update([each.annotator] if each.annotator else [])
    columns = (
        TableColumn("reason", _("Reason")),
        TableColumn("marks", _("Marks"), "count"),
        TableColumn("annotators", _("Annotators"), "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (reason(name), count, len(annotators[name])) for name, count in marks.most_common()
    ]
    caption = _("Marks that were read and not used, by reason.")
    return ReportTable("left-out-reasons", caption, columns, tuple(rows))


def left_out(results: Results) -> ReportTable | None:
    """Return the marks that were read and not used, each with its place; None where there is none."""
    if not results.left_out:
        return None
    columns = (
        TableColumn("annotator", _("Annotator")),
        TableColumn("reason", _("Reason")),
        TableColumn("marks", _("Marks"), "count"),
        TableColumn("file", _("File")),
        TableColumn("line", _("Line or record"), "count"),
    )
    rows = tuple(map(_left_out_row, results.left_out))
    return ReportTable("left-out", _("Where they stand."), columns, rows, file="left-out.csv")


def _left_out_row(each: LeftOut) -> tuple[Cell, ...]:
    return (each.annotator, reason(each.reason), each.marks, each.file, each.line or None)


# What was annotated as templates see it: how much, by whom, and what was left out.

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


def _of_layer(table: ReportTable, layer: str) -> list[tuple[Cell, ...]]:
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
    def amounts(self) -> ReportTable | None:
        """Return how much each layer holds."""
        return amounts(self.results)

    @cached_property
    def shares(self) -> ReportTable:
        """Return the share of each category."""
        return shares(self.results)

    @cached_property
    def attendance(self) -> ReportTable | None:
        """Return what annotators did with the documents."""
        return attendance(self.results)

    @cached_property
    def raters(self) -> ReportTable:
        """Return units by the number of annotators."""
        return raters(self.results)

    @property
    def scatter(self) -> list[ReportTable]:
        """Return the tables of how scattered the marks are."""
        found = (self.amounts, self.shares, self.raters, self.attendance)
        return [table for table in found if table is not None]

    @property
    def scatter_shown(self) -> list[ReportTable]:
        """Return the same without columns of what the export has none of, such as tokens."""
        idle = ("documents_unmarked", "tokens", "marks_per_1000_tokens", "skipped")
        found = (self.amounts, self._shares_shown, self.raters, self.attendance)
        return [without_idle(table, idle) for table in found if table is not None]

    @property
    def _shares_shown(self) -> ReportTable:
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
    def reasons(self) -> ReportTable | None:
        """Return why marks were left out."""
        return reasons(self.results)

    @cached_property
    def left_out(self) -> ReportTable | None:
        """Return the marks that were not used."""
        return left_out(self.results)

    @property
    def left_out_shown(self) -> ReportTable | None:
        """Return that list where it is short; longer ones stand in the CSV."""
        table = self.left_out
        return table if table and len(table.rows) <= MOST_LEFT_OUT else None

    def tables(self) -> Iterator[ReportTable]:
        """Yield every table that has a file."""
        yield from self.scatter
        if self.left_out:
            yield self.left_out


# How much a report is about, in words: annotators, units, documents and categories.

# More names than these say little at the head of a page.
MOST_ANNOTATORS, MOST_CATEGORIES = 6, 8


def scope(results: Results) -> str:
    """Return what the report is about as one sentence; of several layers, what they have in common."""
    sets = [results.primary_of(layer) for layer in results.layers]
    layers = [of_layers(results.layers)] if len(sets) > 1 else []
    parts = (
        *layers,
        *(shared.pop() for say_of in SAYS if len(shared := {say_of(each) for each in sets}) == 1),
    )
    return f"{', '.join(part for part in parts if part)}."


def of_layers(names_of: Sequence[str]) -> str:
    """Return how many layers there are, and which where they are few."""
    number = numbers.counted(len(names_of), "layer", "layers")
    return f"{number} ({names(names_of)})" if len(names_of) <= MOST_CATEGORIES else number


def annotators(found: UnitSet) -> str:
    """Return how many annotators there are, and who where they are few."""
    number = len(found.annotators)
    if not number:  # where control items rejected everybody
        return _("no annotators")
    if number > MOST_ANNOTATORS:
        return numbers.counted(number, "annotator", "annotators")
    return say_many(
        "{count} annotator ({names})",
        "{count} annotators ({names})",
        number,
        count=numbers.count(number),
        names=names(found.annotators),
    )


def units(found: UnitSet) -> str:
    """Return how many units there are, how many more than one annotator rated, or how many each rating."""
    each, known = ratings(found), numbers.counted_in(found.units, found.noun)
    if each is not None:
        return say_many(
            "{units} ({each} ratings)",
            "{units} ({each} ratings each)",
            found.units,
            units=known,
            each=numbers.count(each),
        )
    if found.units_compared >= found.units:
        return known
    compared = numbers.count(found.units_compared)
    return say("{units} ({compared} rated by more than one)", units=known, compared=compared)


def ratings(found: UnitSet) -> int | None:
    """Return how many of the annotators labelled each unit, None where all did or the number varies."""
    each = {int(number) for number, units_of in found.units_by_annotators.items() if units_of}
    return each.pop() if len(each) == 1 and 1 < min(each) < len(found.annotators) else None


def documents(found: UnitSet) -> str:
    """Return how many documents there are, and how many several annotators saw; empty without any."""
    if not found.documents:
        return ""
    if found.documents_compared and found.documents_compared < found.documents:
        return say_many(
            "{count} document ({compared} by more than one annotator)",
            "{count} documents ({compared} by more than one annotator)",
            found.documents,
            count=numbers.count(found.documents),
            compared=numbers.count(found.documents_compared),
        )
    return numbers.counted(found.documents, "document", "documents")


def categories(found: UnitSet) -> str:
    """Return how many categories there are, of sets how many labels, and which where they are few."""
    if found.sets:
        return _labels(found)
    number = len(found.categories)
    if not 0 < number <= MOST_CATEGORIES:
        return numbers.counted(number, "category", "categories")
    return say_many(
        "{count} category ({names})",
        "{count} categories ({names})",
        number,
        count=numbers.count(number),
        names=names(found.categories),
    )


def _labels(found: UnitSet) -> str:
    number = len(found.judged)
    count = numbers.count(number)
    if not 0 < number <= MOST_CATEGORIES:
        return say_many("sets of {count} label", "sets of {count} labels", number, count=count)
    return say_many(
        "sets of {count} label ({names})",
        "sets of {count} labels ({names})",
        number,
        count=count,
        names=names(found.judged),
    )


# What is said of a unit set, in this order; of several layers what is the same of all.
SAYS = (annotators, units, documents, categories)
