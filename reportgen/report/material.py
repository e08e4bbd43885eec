"""The data behind a report: how much there is, how scattered the marks are, and what was left out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reportgen.report.tables import ColumnOf, ReportTable, Thing, columns_of, table_if, table_of, without_idle
from reportgen.results import Results, Scalar, UnitSet
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_many
from reportgen.words.names import reason

# Longer lists are in the CSV alone.
MOST_LEFT_OUT = 40
# Of layers with more categories than these, a page has the commonest: so many in all and of each.
MOST_SHARES, FEWEST_SHARES = 100, 5
# Columns that a page leaves out where the export has nothing of it.
IDLE = ("documents_unmarked", "tokens", "marks_per_1000_tokens", "skipped")


def amounts(results: Results) -> ReportTable | None:
    """Return how much each layer has; None where no export carries documents."""
    if not any(each.documents for each in results.material):
        return None
    in_texts = N_(
        "What was annotated. Tokens are separated by whitespace, a mark of ten tokens counts once. Marks per "
        "document and per 1,000 tokens are means over annotators and the documents that each saw."
    )
    tokens = any(each.tokens for each in results.material)
    counts = {
        "documents": _("Documents"),
        "documents_unmarked": _("Seen, and not marked by anyone"),
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
        [(each.layer, each) for each in results.material],
        *columns_of(counts, "count", lambda each, key: getattr(each[1], key)),
        *columns_of(means, "decimal", lambda each, key: getattr(each[1], key)),
    )


def shares(results: Results) -> ReportTable:
    """Return how many marks each category has, and its share, the most frequent first."""
    return _by_layer(
        results,
        "shares",
        _("Marks by category, of all annotators together."),
        [
            (each.layer, name, marks, each.shares[name])
            for each in results.material
            for name, marks in sorted(each.labels.items(), key=lambda item: (-item[1], item[0]))
        ],
        ("category", _("Category"), "text", lambda each: each[1]),
        ("marks", _("Marks"), "count", lambda each: each[2]),
        ("share", _("Share"), "percent", lambda each: each[3]),
    )


def attendance(results: Results) -> ReportTable | None:
    """Return what each annotator did with how many documents; None where the export does not tell."""
    caption = _(
        "What each annotator did with the documents. Only those seen count, also where nothing is marked."
    )
    found = _by_layer(
        results,
        "attendance",
        caption,
        [(each.layer, who) for each in results.material for who in each.attendance],
        ("annotator", _("Annotator"), "text", lambda each: each[1].annotator),
        ("marked", _("Documents marked"), "count", lambda each: each[1].marked),
        ("empty", _("Seen, nothing marked"), "count", lambda each: each[1].empty),
        ("skipped", _("Skipped"), "count", lambda each: each[1].skipped),
        ("unseen", _("Not seen"), "count", lambda each: each[1].unseen),
    )
    return found if found.rows else None


def raters(results: Results) -> ReportTable:
    """Return how many units were rated by how many annotators."""
    return _by_layer(
        results,
        "units-by-annotators",
        _("Units by the number of annotators who rated them."),
        [
            (each.layer, each.id, int(number), units)
            for each in results.unit_sets
            for number, units in sorted(each.units_by_annotators.items(), key=lambda item: int(item[0]))
        ],
        ("unit_set", _("Unit set"), "text", lambda each: each[1]),
        ("annotators", _("Annotators"), "count", lambda each: each[2]),
        ("units", _("Units"), "count", lambda each: each[3]),
    )


def _by_layer(
    results: Results, name: str, caption: str, things: Iterable[Thing], *columns: ColumnOf[Thing]
) -> ReportTable:
    """Return a table of things that start with their layer, which is left out where there is only one."""
    layer: ColumnOf[Thing] = ("layer", _("Layer"), "text", lambda each: each[0])  # type: ignore[index]
    several = len(results.material) > 1
    return table_of(name, caption, things, layer if several else None, *columns, file=f"{name}.csv")


def scatter(results: Results, *, shown: bool = False) -> list[ReportTable]:
    """Return the tables of how scattered the marks are.

    `shown`: as a page has them, without columns of what the export has none of, such as tokens.
    """
    of_shares = _shares_shown(results) if shown else shares(results)
    found = (amounts(results), of_shares, raters(results), attendance(results))
    return [without_idle(table, IDLE) if shown else table for table in found if table is not None]


def _shares_shown(results: Results) -> ReportTable:
    """Return the share of each category, of very many those of the commonest of each layer."""
    found, layers = shares(results), len(results.material)
    if len(found.rows) <= MOST_SHARES:
        return found
    most = max(FEWEST_SHARES, MOST_SHARES // layers)
    count = numbers.count(most)
    if layers == 1:
        first, shown = say("The {count} commonest; the CSV has all.", count=count), found.rows[:most]
    else:
        first = say("The {count} commonest of each layer; the CSV has all.", count=count)
        by_layer = ([row for row in found.rows if row[0] == each.layer] for each in results.material)
        shown = tuple(row for rows in by_layer for row in rows[:most])
    return replace(found, caption=f"{found.caption} {first}", rows=shown)


def reasons(results: Results) -> ReportTable | None:
    """Return how many marks were left out for which reason; None where none was."""
    marks: Counter[str] = Counter()
    annotators: dict[str, set[str]] = {}
    for each in results.left_out:
        marks[each.reason] += each.marks
        annotators.setdefault(each.reason, set()).update([each.annotator] if each.annotator else [])
    return table_if(
        "left-out-reasons",
        _("Marks that were read and not used, by reason."),
        marks.most_common(),
        ("reason", _("Reason"), "text", lambda each: reason(each[0])),
        ("marks", _("Marks"), "count", lambda each: each[1]),
        ("annotators", _("Annotators"), "count", lambda each: len(annotators[each[0]])),
    )


def left_out(results: Results) -> ReportTable | None:
    """Return the marks that were read and not used, each with its place; None where there is none."""
    return table_if(
        "left-out",
        _("Where they are."),
        results.left_out,
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("reason", _("Reason"), "text", lambda each: reason(each.reason)),
        ("marks", _("Marks"), "count", lambda each: each.marks),
        ("file", _("File"), "text", lambda each: each.file),
        ("line", _("Line or record"), "count", lambda each: each.line or None),
        file="left-out.csv",
    )


# What the campaign says of its corpus and of how it was annotated.

CORPUS = {
    "name": N_("Corpus"),
    "version": N_("Corpus: version"),
    "language": N_("Corpus: language"),
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


def declared(results: Results) -> list[tuple[str, str]]:
    """Return what the campaign says of its corpus and of how it was annotated, each under its name."""
    known = (
        *((title, results.campaign.corpus.get(key)) for key, title in CORPUS.items()),
        *((title, results.campaign.protocol.get(key)) for key, title in PROTOCOL.items()),
    )
    return [(_(title), _said(value)) for title, value in known if value is not None]


def _said(value: Scalar) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return numbers.count(value)
    return numbers.pointed(f"{value:g}") if isinstance(value, float) else value


# How much a report is about, in words: annotators, units, documents and categories.

# More names than these say little at the head of a page.
MOST_ANNOTATORS, MOST_CATEGORIES = 6, 8


def scope(results: Results) -> str:
    """Return what the report is about as one sentence; of several layers, what they have in common."""
    sets = [results.primary_of(layer) for layer in results.layers]
    said = [of_layers(results.layers)] if len(sets) > 1 else []
    for say_of in SAYS:
        shared = {say_of(each) for each in sets}
        said += shared if len(shared) == 1 else ()
    return f"{', '.join(filter(None, said))}."


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
        "{count} annotator ({names})", "{count} annotators ({names})", number, names=names(found.annotators)
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
            compared=numbers.count(found.documents_compared),
        )
    return numbers.counted(found.documents, "document", "documents")


def categories(found: UnitSet) -> str:
    """Return how many categories there are, of sets how many labels, and which where they are few."""
    words = found.judged if found.sets else found.categories
    number, known = len(words), names(words)
    few = 0 < number <= MOST_CATEGORIES
    if found.sets and few:
        return say_many(
            "sets of {count} label ({names})", "sets of {count} labels ({names})", number, names=known
        )
    if found.sets:
        return say_many("sets of {count} label", "sets of {count} labels", number)
    if few:
        return say_many("{count} category ({names})", "{count} categories ({names})", number, names=known)
    return numbers.counted(number, "category", "categories")


# What is said of a unit set, in this order; of several layers what is the same of all.
SAYS = (annotators, units, documents, categories)
