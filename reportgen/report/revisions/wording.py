"""What pages call versions, categories, people and differences."""

from collections.abc import Iterable, Mapping, Sequence

from reportgen.report import numbers
from reportgen.results import Figure
from reportgen.results.revisions import Change, UnitSetRevision

MOST_NAMED = 8
PEOPLE = ("annotator", "annotators")


def signed(value: float | None) -> str:
    """Return a difference with its sign, also where it is a rise."""
    shown = numbers.figure(value)
    rises = value is not None and value > 0 and shown.strip("0.")
    return f"+{shown}" if rises else shown


def difference(change: Change) -> str:
    """Return a difference with its interval in one line."""
    if change.difference is None:
        return numbers.NONE
    interval = change.interval
    if interval is None or interval.low is None or interval.high is None:
        return signed(change.difference)
    return f"{signed(change.difference)} [{signed(interval.low)}, {signed(interval.high)}]"


def listed(names: Sequence[str], what: tuple[str, str] = PEOPLE) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) > MOST_NAMED:
        return numbers.counted(len(names), *what)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def in_order(names: Iterable[str], *orders: Sequence[str]) -> list[str]:
    """Return names as some lists have them, the first list's first; those that none has come last, sorted."""
    known = dict.fromkeys(name for order in orders for name in order)
    present = set(names)
    return [*(name for name in known if name in present), *sorted(present - set(known))]


def clusters(revision: UnitSetRevision, number: int) -> str:
    """Return a number of what a test takes as independent."""
    return numbers.counted(number, revision.clusters, f"{revision.clusters}s")


def figures_in_order(names: Iterable[str], places: Mapping[str, int], first: str = "") -> list[str]:
    """Return figures' ids in the catalogue's order, one of them before all others."""
    return sorted(
        names, key=lambda name: (name != first, places.get(name.partition("[")[0], len(places)), name)
    )


def categories_in_order(revision: UnitSetRevision) -> list[str]:
    """Return the categories that are compared, in the order of the later version."""
    orders = (revision.second.categories, revision.first.categories)
    return in_order(revision.specific_agreement, *orders)


def basis(revision: UnitSetRevision) -> str:
    """Return which part of the two versions is compared."""
    if revision.basis == "all":
        return "all of each version"
    number, documents = revision.overlap.documents, revision.clusters == "document"
    if documents and number:
        return f"the {numbers.counted(number, 'document', 'documents')} annotated under both"
    units = revision.overlap.units
    return f"the {numbers.counted(units, 'unit', 'units')} of both" if units else "what stands in both"


def short_basis(revision: UnitSetRevision) -> str:
    """Return the same for a column of a table."""
    if revision.basis == "all":
        return "all of each"
    number = revision.overlap.documents if revision.clusters == "document" else revision.overlap.units
    return f"the same {clusters(revision, number)}" if number else "the same"


def slug(layer: str, unit_set: str) -> str:
    """Return what ids and files call a unit set."""
    return unit_set if layer == "main" else f"{layer}~{unit_set}"


def values(change: Change) -> tuple[str, str]:
    """Return the value under each version, or why there is none."""
    return _value(change.first), _value(change.second)


def _value(figure: Figure) -> str:
    return figure.undefined if figure.value is None and figure.undefined else numbers.figure(figure.value)
