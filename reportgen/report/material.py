"""The data behind a report: how much there is, how scattered the marks are, and what was left out."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from reportgen.report.tables import (
    ColumnOf,
    Record,
    ReportTable,
    columns_of,
    table_if,
    table_of,
    without_empty_columns,
)
from reportgen.results import Results, UnitSet
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_either, say_many, set_apart
from reportgen.words.names import reason

# Longer lists are in the CSV alone.
MOST_LEFT_OUT = 40
# Of layers with more categories than these, a page has the commonest: so many in all and of each.
MOST_SHARES, FEWEST_SHARES = 100, 5
# Columns that a page leaves out where the export has nothing of it.
IDLE = ("documents_unmarked", "tokens", "marks_per_1000_tokens", "skipped")


def amounts(results: Results) -> ReportTable | None:
    """Return how much each layer has; None where no export carries documents."""
    if not any(layer.documents for layer in results.material):
        return None
    in_texts = N_(
        "What was annotated. Tokens are separated by whitespace; a mark of ten tokens counts once. "
        "Marks per document and per 1,000 tokens are means over annotators and the documents that "
        "each saw."
    )
    tokens = any(layer.tokens for layer in results.material)
    counts = {
        "documents": _("Documents"),
        "documents_unmarked": _("Seen, marked by nobody"),
        "tokens": _("Tokens"),
        "marks": _("Marks"),
    }
    means = {
        "marks_per_document": _("Marks per document"),
        "marks_per_1000_tokens": _("Marks per 1,000 tokens"),
    }
    return _by_layer(
        results,
        "material",
        _(in_texts) if tokens else _("What was annotated."),
        [(layer.layer, layer) for layer in results.material],
        *columns_of(counts, "count", lambda row, key: getattr(row[1], key)),
        *columns_of(means, "decimal", lambda row, key: getattr(row[1], key)),
        what="How much was annotated, and how densely.",
    )


def shares(results: Results) -> ReportTable:
    """Return how many marks each category has, and its share, the most frequent first."""
    return _by_layer(
        results,
        "shares",
        _("Marks by category, of all annotators together."),
        [
            (layer.layer, name, marks, layer.shares[name])
            for layer in results.material
            for name, marks in sorted(layer.labels.items(), key=lambda item: (-item[1], item[0]))
        ],
        ("category", _("Category"), "text", lambda row: row[1]),
        ("marks", _("Marks"), "count", lambda row: row[2]),
        ("share", _("Share"), "percent", lambda row: row[3]),
        what="How many marks each category has, and which share of all that is.",
    )


def attendance(results: Results) -> ReportTable | None:
    """Return what each annotator did with how many documents; None where the export does not tell."""
    caption = _(
        "What each annotator did with the documents. Only documents that the annotator saw count, "
        "including those in which they marked nothing."
    )
    table = _by_layer(
        results,
        "attendance",
        caption,
        [(layer.layer, who) for layer in results.material for who in layer.attendance],
        ("annotator", _("Annotator"), "text", lambda row: row[1].annotator),
        ("marked", _("Documents marked"), "count", lambda row: row[1].marked),
        ("empty", _("Seen, nothing marked"), "count", lambda row: row[1].empty),
        ("skipped", _("Skipped"), "count", lambda row: row[1].skipped),
        ("unseen", _("Not seen"), "count", lambda row: row[1].unseen),
        what="What each annotator did with the documents: marked, left empty, skipped, not seen.",
    )
    return table if table.rows else None


def raters(results: Results) -> ReportTable:
    """Return how many units were rated by how many annotators."""
    return _by_layer(
        results,
        "units-by-annotators",
        _("Units by the number of annotators who rated them."),
        [
            (unit_set.layer, unit_set.id, int(number), units)
            for unit_set in results.unit_sets
            for number, units in sorted(unit_set.units_by_annotators.items(), key=lambda item: int(item[0]))
        ],
        ("unit_set", _("Unit set"), "text", lambda row: row[1]),
        ("annotators", _("Annotators"), "count", lambda row: row[2]),
        ("units", _("Units"), "count", lambda row: row[3]),
        what="How many units were rated by how many annotators.",
    )


def _by_layer(
    results: Results,
    name: str,
    caption: str,
    records: Iterable[Record],
    *columns: ColumnOf[Record],
    what: str,
) -> ReportTable:
    """Return a table of records that start with their layer, which is left out where there is only one."""
    layer: ColumnOf[Record] = ("layer", _("Layer"), "text", lambda row: row[0])  # type: ignore[index]
    several_layers = len(results.material) > 1
    shown = (layer if several_layers else None, *columns)
    return table_of(name, caption, records, *shown, file=f"{name}.csv", what=what)


def scatter(results: Results, *, shown: bool = False) -> list[ReportTable]:
    """Return the tables of how scattered the marks are.

    `shown`: as a page has them, without columns of what the export has none of, such as tokens.
    """
    of_shares = _shares_shown(results) if shown else shares(results)
    tables = (amounts(results), of_shares, raters(results), attendance(results))
    return [without_empty_columns(table, IDLE) if shown else table for table in tables if table is not None]


def _shares_shown(results: Results) -> ReportTable:
    """Return the share of each category, of very many those of the commonest of each layer."""
    table, layers = shares(results), len(results.material)
    if len(table.rows) <= MOST_SHARES:
        return table
    most = max(FEWEST_SHARES, MOST_SHARES // layers)
    first = say_either(
        layers == 1, "The {count} commonest{| of each layer}; the CSV has all.", count=numbers.count(most)
    )
    shown = table.rows[:most]
    if layers > 1:
        by_layer = ([row for row in table.rows if row[0] == layer.layer] for layer in results.material)
        shown = tuple(row for rows in by_layer for row in rows[:most])
    return replace(table, caption=f"{table.caption} {first}", rows=shown)


def reasons(results: Results) -> ReportTable | None:
    """Return how many marks were left out for which reason; None where none was."""
    marks: Counter[str] = Counter()
    annotators: dict[str, set[str]] = {}
    for group in results.left_out:
        marks[group.reason] += group.marks
        annotators.setdefault(group.reason, set()).update([group.annotator] if group.annotator else [])
    return table_if(
        "left-out-reasons",
        _("Marks that were read and not used, by reason."),
        marks.most_common(),
        ("reason", _("Reason"), "text", lambda row: reason(row[0])),
        ("marks", _("Marks"), "count", lambda row: row[1]),
        ("annotators", _("Annotators"), "count", lambda row: len(annotators[row[0]])),
    )


def left_out(results: Results) -> ReportTable | None:
    """Return the marks that were read and not used, each with its place; None where there is none."""
    return table_if(
        "left-out",
        _("Where they are."),
        results.left_out,
        ("annotator", _("Annotator"), "text", lambda group: group.annotator),
        ("reason", _("Reason"), "text", lambda group: reason(group.reason)),
        ("marks", _("Marks"), "count", lambda group: group.marks),
        ("file", _("File"), "text", lambda group: group.file),
        ("line", _("Line or record"), "count", lambda group: group.line or None),
        file="left-out.csv",
        what="Marks that were read and not used, and why.",
    )


def different_texts(results: Results) -> ReportTable | None:
    """Return the documents whose copies have different texts, and where these differ; None without any."""
    return table_if(
        "different-texts",
        _("Documents that are left out, and the first character in which the texts of their copies differ."),
        results.different_texts or (),
        ("document", _("Document"), "text", lambda left: left.document),
        ("file", _("File"), "text", lambda left: left.file),
        ("other", _("File with another text"), "text", lambda left: left.other),
        ("character", _("Character"), "count", lambda left: left.character),
        ("marks", _("Marks"), "count", lambda left: left.marks),
    )


# How much a report is about, in words: annotators, units, documents and categories.

# More names than these say little at the head of a page.
MOST_ANNOTATORS, MOST_LAYERS, MOST_CATEGORIES = 6, 4, 8


def scope(results: Results) -> str:
    """Return what the report is about as one sentence; of several layers, what they have in common."""
    sets = [results.primary_of(layer) for layer in results.layers]
    said = [of_layers(results.layers)] if len(sets) > 1 else []
    for say_of in SAYS:
        shared = {say_of(results, unit_set) for unit_set in sets}
        said += shared if len(shared) == 1 else ()
    return f"{', '.join(filter(None, said))}."


def of_layers(names_of: Sequence[str]) -> str:
    """Return how many layers there are, and which where they are few."""
    number = numbers.counted(len(names_of), "layer", "layers")
    return f"{number} ({names(names_of)})" if len(names_of) <= MOST_LAYERS else number


def _role_in_words(role: str, number: int, people: str) -> str:
    if role == "reference":
        return say_many("{count} {reference|references} ({names})", number, names=people)
    if role == "system":
        return say_many("{count} {system|systems} ({names})", number, names=people)
    if role == "model":
        return say_many("{count} {model|models} ({names})", number, names=people)
    return say_many("{count} {annotator|annotators} ({names})", number, names=people)


def taking_part(results: Results, unit_set: UnitSet) -> str:
    """Return who took part: annotators, and where the report is about others these too."""
    about_others = results.subject_of(unit_set.layer) in {"systems", "judge"}
    everybody = results.comparisons.people(unit_set.layer) if results.comparisons and about_others else {}
    if not everybody:
        return annotators(unit_set)
    shown = {pair.other: pair.shown_name for pair in results.comparisons.pairs} if results.comparisons else {}
    return ", ".join(
        _role_in_words(role, len(people), names(_few([shown.get(name, name) for name in people])))
        for role, people in everybody.items()
    )


def _few(people: Sequence[str]) -> list[str]:
    return [*people[:MOST_ANNOTATORS], *(["…"] if len(people) > MOST_ANNOTATORS else [])]


def annotators(unit_set: UnitSet) -> str:
    """Return how many annotators there are, and who where they are few."""
    number = len(unit_set.annotators)
    if not number:  # where control items rejected everybody
        return _("no annotators")
    if number > MOST_ANNOTATORS:
        return numbers.counted(number, "annotator", "annotators")
    return say_many("{count} {annotator|annotators} ({names})", number, names=names(unit_set.annotators))


def units(unit_set: UnitSet) -> str:
    """Return how many units there are, how many more than one annotator rated, or how many each rating."""
    labels_of_each, counted_units = ratings(unit_set), numbers.counted_in(unit_set.units, unit_set.noun)
    if labels_of_each is not None:
        return say_many(
            "{units} ({each} {ratings|ratings each})",
            unit_set.units,
            units=counted_units,
            each=numbers.count(labels_of_each),
        )
    if unit_set.units_compared >= unit_set.units or not unit_set.units_compared:
        return counted_units
    compared = numbers.count(unit_set.units_compared)
    return say("{units} ({compared} rated by more than one)", units=counted_units, compared=compared)


def ratings(unit_set: UnitSet) -> int | None:
    """Return how many of the annotators labelled each unit, None where all did or the number varies."""
    raters = {int(number) for number, units_of in unit_set.units_by_annotators.items() if units_of}
    return raters.pop() if len(raters) == 1 and 1 < min(raters) < len(unit_set.annotators) else None


def documents(unit_set: UnitSet) -> str:
    """Return how many documents there are, and how many several annotators saw; empty without any."""
    if not unit_set.documents:
        return ""
    known = unit_set.document_groups is None
    if known and unit_set.documents_compared and unit_set.documents_compared < unit_set.documents:
        return say_many(
            "{count} {document|documents} ({compared} by more than one annotator)",
            unit_set.documents,
            compared=numbers.count(unit_set.documents_compared),
        )
    return numbers.counted(unit_set.documents, "document", "documents")


def categories(results: Results, unit_set: UnitSet) -> str:
    """Return how many categories there are, of sets how many labels, and which where they are few.

    That nothing is marked is no category here, unless it is the only one.
    """
    words = unit_set.judged if unit_set.sets else unit_set.categories
    if not unit_set.annotators and results.comparisons:  # of references and systems alone
        words = results.comparisons.categories(unit_set.layer, unit_set.id) or words
    words = tuple(name for name in words if name != unit_set.non_annotated) or words
    number, in_words = len(words), names(set_apart(words))
    few = 0 < number <= MOST_CATEGORIES
    if unit_set.sets and few:
        return say_many("sets of {count} {label|labels} ({names})", number, names=in_words)
    if unit_set.sets:
        return say_many("sets of {count} {label|labels}", number)
    if few:
        return say_many("{count} {category|categories} ({names})", number, names=in_words)
    return numbers.counted(number, "category", "categories")


# What is said of a unit set, in this order; of several layers what is the same of all.
SAYS: tuple[Callable[[Results, UnitSet], str], ...] = (
    taking_part,
    lambda _results, unit_set: units(unit_set),
    lambda _results, unit_set: documents(unit_set),
    categories,
)
