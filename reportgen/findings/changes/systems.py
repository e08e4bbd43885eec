"""Which systems, and which annotators against the reference, fell from one version to the next, and where?"""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.changes.facts import NOTABLE, SUSPECT, Changes, direction, moved, p_of
from reportgen.findings.comparisons import ANNOTATOR
from reportgen.findings.facts import Message
from reportgen.findings.words import several
from reportgen.results import Finding, Value
from reportgen.results.revisions import SystemRevision

REGRESSED = Message(
    "system-regressed",
    "problem",
    "systems",
    "{system} fell against {key}: {figure} from {before} to {after} (p = {p}).",
    "Begin with the documents that fell most: {documents}.",
)
FELL = Message(
    "system-regressed",
    "note",
    "systems",
    "{system} may have fallen against {key}: {figure} went from {before} to {after}, which chance alone "
    "could do (p = {p}).",
    "Look at the documents that fell most: {documents}.",
)
ROSE = Message(
    "system-rose",
    "good",
    "systems",
    "{system} rose against {key}: {figure} from {before} to {after} (p = {p}).",
)
CATEGORY_REGRESSED = Message(
    "system-category-regressed",
    "problem",
    "systems",
    "{system} fell against {key} on {categories}, beyond chance even with the number of categories taken "
    "into account.",
    "Look there first, whatever the figure over all categories does.",
)


def regressed(changes: Changes) -> Iterator[Finding]:
    """Yield who fell against the reference: beyond chance, or by much."""
    for each in _shown(changes):
        change = each.measures.get(each.figure)
        if change is None:
            continue
        way = direction(change)
        values = _values(changes, each) | moved(change, p_of(change))
        if way == "fell":
            yield _with_documents(REGRESSED, each).found(**values)
        elif way == "open" and (change.difference or 0.0) < -NOTABLE and (p_of(change) or 0.0) <= SUSPECT:
            yield _with_documents(FELL, each).found(**values)


def rose(changes: Changes) -> Iterator[Finding]:
    """Yield the systems, not annotators, that rose beyond chance."""
    for each in _shown(changes):
        change = each.measures.get(each.figure)
        if change is not None and each.role != ANNOTATOR and direction(change) == "rose":
            yield ROSE.found(**_values(changes, each), **moved(change, p_of(change)))


def categories(changes: Changes) -> Iterator[Finding]:
    """Yield the systems that fell beyond chance on a category."""
    for each in _shown(changes):
        fell = [name for name, at in each.by_category.items() if direction(at, adjusted=True) == "fell"]
        if fell:
            values: dict[str, Value] = {"system": each.system, "key": each.key}
            yield CATEGORY_REGRESSED.found(**values, **several("categories", fell))


def _shown(changes: Changes) -> list[SystemRevision]:
    """Return each system once a layer: marks in texts or else the primary unit set, on what both share."""
    primary = {(each.layer, each.unit_set) for each in changes.comparison.unit_sets if each.primary}
    marked = {each.layer for each in changes.comparison.systems if each.unit_set is None}
    found: dict[tuple[str, str, str], SystemRevision] = {}
    for each in changes.comparison.systems:
        own = each.layer, each.system, each.key
        mine = each.unit_set is None or (each.layer not in marked and (each.layer, each.unit_set) in primary)
        if mine and (own not in found or each.basis == "shared"):
            found[own] = each
    return list(found.values())


def _with_documents(message: Message, each: SystemRevision) -> Message:
    """Return a message without its advice where no single document is known to have fallen."""
    return message if _fallen(each) else replace(message, advice="")


def _fallen(each: SystemRevision) -> list[str]:
    return [at.document for at in each.by_document if (at.difference or 0.0) < 0]


def _values(changes: Changes, each: SystemRevision) -> dict[str, Value]:
    figure = "F" if each.unit_set is None else changes.comparison.name_of(each.figure)
    values: dict[str, Value] = {"system": each.system, "key": each.key, "figure": figure}
    return values | several("documents", _fallen(each))
