"""The data behind a report: how much there is, how scattered the marks are, and what was left out."""

from collections import Counter
from collections.abc import Sequence

from reportgen.report import patterns
from reportgen.report.language import N_, _
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import LeftOut, Results

# Longer lists stand in the CSV alone.
MOST_LEFT_OUT = 40


IN_TEXTS = N_(
    "What was annotated. Tokens are separated by whitespace, a mark of ten tokens counts once. Marks per "
    "document and per 1,000 tokens are means over annotators and the documents that each saw."
)


def amounts(results: Results) -> Table | None:
    """Return how much each layer holds; None where no export carries documents."""
    if not any(each.documents for each in results.material):
        return None
    columns = (
        Column("documents", _("Documents"), "count"),
        Column("documents_unmarked", _("Seen, and not marked by anyone"), "count"),
        Column("tokens", _("Tokens"), "count"),
        Column("marks", _("Marks"), "count"),
        Column("marks_per_document", _("Marks per document"), "decimal"),
        Column("marks_per_1000_tokens", _("Marks per 1,000 tokens"), "decimal"),
    )
    rows = [(each.layer, *(getattr(each, column.key) for column in columns)) for each in results.material]
    tokens = any(each.tokens for each in results.material)
    caption = _(IN_TEXTS) if tokens else _("What was annotated.")
    return _by_layer(results, "material", caption, columns, rows)


def shares(results: Results) -> Table:
    """Return how many marks each category has, and its share, the most frequent first."""
    columns = (
        Column("category", _("Category")),
        Column("marks", _("Marks"), "count"),
        Column("share", _("Share"), "percent"),
    )
    rows = [
        (each.layer, name, marks, each.shares[name])
        for each in results.material
        for name, marks in sorted(each.labels.items(), key=lambda item: (-item[1], item[0]))
    ]
    return _by_layer(results, "shares", _("Marks by category, of all annotators together."), columns, rows)


def attendance(results: Results) -> Table | None:
    """Return what each annotator did with how many documents; None where the export does not tell."""
    columns = (
        Column("annotator", _("Annotator")),
        Column("marked", _("Documents marked"), "count"),
        Column("empty", _("Seen, nothing marked"), "count"),
        Column("skipped", _("Skipped"), "count"),
        Column("unseen", _("Not seen"), "count"),
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


def raters(results: Results) -> Table:
    """Return how many units were rated by how many annotators."""
    columns = (
        Column("unit_set", _("Unit set")),
        Column("annotators", _("Annotators"), "count"),
        Column("units", _("Units"), "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (each.layer, each.id, int(number), units)
        for each in results.unit_sets
        for number, units in sorted(each.units_by_annotators.items(), key=lambda item: int(item[0]))
    ]
    caption = _("Units by the number of annotators who rated them.")
    return _by_layer(results, "units-by-annotators", caption, columns, rows)


def _by_layer(
    results: Results, name: str, caption: str, columns: tuple[Column, ...], rows: Sequence[tuple[Cell, ...]]
) -> Table:
    """Return a table whose rows start with their layer, which is left out where there is only one."""
    if len(results.material) > 1:
        return Table(name, caption, (Column("layer", _("Layer")), *columns), tuple(rows), file=f"{name}.csv")
    return Table(name, caption, columns, tuple(row[1:] for row in rows), file=f"{name}.csv")


def reasons(results: Results) -> Table | None:
    """Return how many marks were left out for which reason; None where none was."""
    if not results.left_out:
        return None
    marks: Counter[str] = Counter()
    annotators: dict[str, set[str]] = {}
    for each in results.left_out:
        marks[each.reason] += each.marks
        annotators.setdefault(each.reason, set()).update([each.annotator] if each.annotator else [])
    columns = (
        Column("reason", _("Reason")),
        Column("marks", _("Marks"), "count"),
        Column("annotators", _("Annotators"), "count"),
    )
    rows: list[tuple[Cell, ...]] = [
        (patterns.reason(name), count, len(annotators[name])) for name, count in marks.most_common()
    ]
    caption = _("Marks that were read and not used, by reason.")
    return Table("left-out-reasons", caption, columns, tuple(rows))


def left_out(results: Results) -> Table | None:
    """Return the marks that were read and not used, each with its place; None where there is none."""
    if not results.left_out:
        return None
    columns = (
        Column("annotator", _("Annotator")),
        Column("reason", _("Reason")),
        Column("marks", _("Marks"), "count"),
        Column("file", _("File")),
        Column("line", _("Line or record"), "count"),
    )
    rows = tuple(map(_left_out_row, results.left_out))
    return Table("left-out", _("Where they stand."), columns, rows, file="left-out.csv")


def _left_out_row(each: LeftOut) -> tuple[Cell, ...]:
    return (each.annotator, patterns.reason(each.reason), each.marks, each.file, each.line or None)
