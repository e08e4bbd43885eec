"""Did a system get worse from one release to the next?"""

from collections.abc import Iterator

from reportgen.findings.changes.facts import direction, moved, p_of
from reportgen.findings.facts import Facts, FindingTemplate, several
from reportgen.results import Finding, Value
from reportgen.results.parts import SystemRevision

FELL = FindingTemplate(
    "release-fell",
    "problem",
    "comparisons",
    "{system} {second} is worse than {first} against {key}: {figure} fell from {before} to {after} "
    "(p = {p}).",
    "Begin with the documents that fell most: {documents}.",
)
FELL_ON = FindingTemplate(
    "release-fell-on",
    "problem",
    "comparisons",
    "{system} {second} is worse than {first} against {key} on {categories}, beyond chance even with the "
    "number of categories taken into account.",
    "Look there first, whatever the figure over all categories does.",
)
NO_DOCUMENT = "–"


def release_fell(facts: Facts) -> Iterator[Finding]:
    """Yield the releases that are worse than the one before, beyond chance."""
    for each in _shown(facts):
        change = each.measures.get(each.figure)
        if change is not None and direction(change) == "fell":
            documents = [at.document for at in each.by_document if (at.difference or 0.0) < 0]
            values = _values(facts, each) | moved(change, p_of(change))
            yield FELL.found(**several("documents", documents or [NO_DOCUMENT]), **values)


def release_fell_on(facts: Facts) -> Iterator[Finding]:
    """Yield the releases that are worse on a category, beyond chance after Holm."""
    for each in _shown(facts):
        fell = [name for name, at in each.by_category.items() if direction(at, adjusted=True) == "fell"]
        if fell:
            yield FELL_ON.found(**several("categories", fell), **_values(facts, each))


def _shown(facts: Facts) -> Iterator[SystemRevision]:
    """Yield releases by their marks in texts, or else on the primary unit set of each layer."""
    found = facts.results.releases or ()
    primary = {(each.layer, each.id) for each in facts.results.unit_sets if each.primary}
    marked = {each.layer for each in found if each.unit_set is None}
    for each in found:
        if each.unit_set is None or (each.layer not in marked and (each.layer, each.unit_set) in primary):
            yield each


def _values(facts: Facts, each: SystemRevision) -> dict[str, Value]:
    first, second = each.releases or (each.first, each.second)
    figure = "F" if each.unit_set is None else facts.results.name_of(each.figure)
    return {"system": each.system, "key": each.key, "first": first, "second": second, "figure": figure}
