"""How much a report is about, in words: annotators, units, documents and categories."""

from reportgen.report import numbers
from reportgen.report.language import _, names, say, say_many
from reportgen.results import Results, UnitSet

# More names than these say little at the head of a page.
MOST_ANNOTATORS, MOST_CATEGORIES = 6, 8


def scope(results: Results) -> str:
    """Return what the report is about as one sentence; of several layers, the first."""
    found = results.primary
    parts = (annotators(found), units(found), documents(found), categories(found))
    whole = ", ".join(part for part in parts if part)
    layers = len({each.layer for each in results.unit_sets})
    if layers == 1:
        return f"{whole}."
    return say("Layer {layer}, the first of {count}: {scope}.", layer=found.layer, count=layers, scope=whole)


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
    """Return how many units there are, and how many more than one annotator rated."""
    if found.units_compared >= found.units:
        return numbers.counted(found.units, "unit", "units")
    return say_many(
        "{count} unit ({compared} rated by more than one)",
        "{count} units ({compared} rated by more than one)",
        found.units,
        count=numbers.count(found.units),
        compared=numbers.count(found.units_compared),
    )


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
    """Return how many categories there are, and which where they are few."""
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
