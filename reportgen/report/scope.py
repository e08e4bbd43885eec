"""How much a report is about, in words: annotators, units, documents and categories."""

from collections.abc import Sequence

from reportgen.report import numbers
from reportgen.report.language import _, names, say, say_many
from reportgen.results import Results, UnitSet

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
