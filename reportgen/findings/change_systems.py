"""Which systems, and which annotators against the reference, fell from one version to the next, and where?"""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.layer_facts import (
    Changes,
    FindingTemplate,
    Values,
    direction,
    fallen_categories,
    fallen_documents,
    figure_name,
    marks_or_primary,
    may_have_fallen,
    moved,
    name_values,
    p_of,
)
from reportgen.findings.systems_and_models import ANNOTATOR
from reportgen.results import Finding
from reportgen.results.comparison import on_shared
from reportgen.results.parts import Change, SystemRevision

REGRESSED = FindingTemplate("system-regressed", "problem", "systems").saying(
    "{system} fell against {key}: {figure} from {before} to {after} (p = {p}).",
    "Begin with the documents that fell most: {documents}.",
)
FELL = REGRESSED.saying(
    "{system} may have fallen against {key}: {figure} went from {before} to {after}, which chance alone "
    "could do (p = {p}).",
    "Look at the documents that fell most: {documents}.",
    severity="note",
)
ROSE = FindingTemplate("system-rose", "good", "systems").saying(
    "{system} rose against {key}: {figure} from {before} to {after} (p = {p})."
)
CATEGORY_REGRESSED = FindingTemplate("system-category-regressed", "problem", "systems").saying(
    "{system} fell against {key} on {categories}, beyond chance even with the number of categories taken "
    "into account.",
    "Look there first, whatever the figure over all categories does.",
)


def regressed(changes: Changes) -> Iterator[Finding]:
    """Yield who fell against the reference: beyond chance, or by much."""
    for revision, change, values in _moved(changes):
        message = REGRESSED if direction(change) == "fell" else FELL
        if message is REGRESSED or may_have_fallen(change):
            # Advice is about the documents that are known to have fallen.
            advice = message.advice if fallen_documents(revision) else ""
            yield replace(message, advice=advice).finding(**values)


def rose(changes: Changes) -> Iterator[Finding]:
    """Yield the systems, not annotators, that rose beyond chance."""
    for revision, change, values in _moved(changes):
        if revision.role != ANNOTATOR and direction(change) == "rose":
            yield ROSE.finding(**values)


def categories(changes: Changes) -> Iterator[Finding]:
    """Yield the systems that fell beyond chance on a category."""
    for revision in _systems(changes):
        if fell := fallen_categories(revision):
            values: Values = {"system": revision.system, "key": revision.key}
            yield CATEGORY_REGRESSED.finding(**values, **name_values("categories", fell))


def _moved(changes: Changes) -> Iterator[tuple[SystemRevision, Change, Values]]:
    """Yield each system with the figure that is shown first, and what messages say of it."""
    for revision in _systems(changes):
        if change := revision.measures.get(revision.figure):
            figure = figure_name(changes.comparison, revision)
            values: Values = {"system": revision.system, "key": revision.key, "figure": figure}
            values |= name_values("documents", fallen_documents(revision)) | moved(change, p_of(change))
            yield revision, change, values


def _systems(changes: Changes) -> list[SystemRevision]:
    """Return each system once a layer: marks in texts or else the primary unit set, on what both share."""
    primary = {(units.layer, units.unit_set) for units in changes.comparison.unit_sets if units.primary}
    return on_shared(marks_or_primary(changes.comparison.systems, primary), "layer", "system", "key")
