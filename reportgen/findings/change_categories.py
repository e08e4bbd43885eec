"""Did the categories move that the revision was about, and did others pay for it?"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reportgen.findings.facts import (
    TENTATIVE,
    Changes,
    FindingTemplate,
    Values,
    direction,
    ends,
    fallen_categories,
    fallen_documents,
    figure_name,
    has_categories,
    marks_or_primary,
    may_have_fallen,
    moved,
    name_values,
    p_of,
    revised,
)
from reportgen.findings.systems import ANNOTATOR
from reportgen.results import Finding
from reportgen.results.comparison import UnitSetRevision
from reportgen.results.parts import Change, SystemRevision

STAYED = FindingTemplate("category-stayed-below", "problem", "categories").saying(
    "Agreement on {category} beyond chance is still below {threshold} though the revision names it: Scott's "
    "pi of {category} against all other labels was {before} under {earlier} and is {after} under {later}.",
    "Say again what {category} is and is not, with examples from the units that are still disputed.",
)
STAYED_PERHAPS = STAYED.saying(
    "Agreement on {category} beyond chance may still be below {threshold} though the revision names it: "
    "Scott's pi of {category} against all other labels was {before} under {earlier} and is {after} under "
    "{later}; the data allow up to {high}.",
    "Read the units of {category} that are still disputed before the next revision.",
    severity="warning",
)
FORGOTTEN = FindingTemplate("category-not-revised", "warning", "categories").saying(
    "Scott's pi of {category} against all other labels is below {threshold} under both versions ({before}, "
    "then {after}), and the revision does not name {category}.",
    "Say in the next version when a unit is {category}, with examples from the units that are disputed.",
)
WORSE = FindingTemplate("category-worse", "problem", "categories").saying(
    "{category} got worse: specific agreement fell from {before} to {after} (p = {p}, corrected for the "
    "number of categories).",
    "Read the units of {category} that were agreed before and are disputed now, and what {later} says of "
    "them.",
)
PERHAPS_WORSE = WORSE.saying(
    "{category} may have got worse: specific agreement went from {before} to {after}, which chance alone "
    "could do (p = {p}, corrected for the number of categories).",
    "Read the units of {category} that were agreed before and are disputed now.",
    severity="note",
)
BETTER = FindingTemplate("category-better", "good", "categories").saying(
    "{category} got better: specific agreement rose from {before} to {after} (p = {p}, corrected for the "
    "number of categories)."
)


MOST = 6
TWO = 2
ORDINAL = "ordinal"
OTHERS = FindingTemplate(
    "category", "note", "categories", "The same is so for {more} more categories: the table has them."
)


def stayed(changes: Changes) -> Iterator[Finding]:
    """Yield the categories below the threshold under both versions, and whether the revision names them.

    The threshold is Krippendorff's, for agreement beyond chance: each category is compared with all others.
    It is a problem where the later interval lies below it too.
    """
    documented = bool(changes.comparison.second.changes.strip() or changes.comparison.guidelines)
    named, others = list[Finding](), list[Finding]()
    for category, high, values in _below(changes):
        if revised(changes.comparison, category):
            named.append((STAYED if high < TENTATIVE else STAYED_PERHAPS).finding(high=high, **values))
        elif documented:
            others.append(FORGOTTEN.finding(**values))
    yield from _cut(named)
    yield from _cut(others)


def worse(changes: Changes) -> Iterator[Finding]:
    """Yield the categories whose agreement fell: beyond chance, or by much."""
    fell: list[Finding] = []
    perhaps: list[tuple[float, Finding]] = []
    for revision, category, change in _categories(changes):
        values = _tested(changes, revision, category, change)
        if direction(change, adjusted=True) == "fell":
            fell.append(WORSE.finding(**values))
        elif may_have_fallen(change, adjusted=True):
            perhaps.append((change.difference or 0.0, PERHAPS_WORSE.finding(**values)))
    yield from _cut(fell)
    yield from _cut(finding for _, finding in sorted(perhaps, key=lambda p_and_finding: p_and_finding[0]))


def better(changes: Changes) -> Iterator[Finding]:
    """Yield the categories whose agreement rose beyond chance."""
    rose = (
        category_change
        for category_change in _categories(changes)
        if direction(category_change[2], adjusted=True) == "rose"
    )
    yield from _cut(BETTER.finding(**_tested(changes, *category_change)) for category_change in rose)


def _cut(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first few findings of one kind, and how many more there are."""
    all_findings = list(findings)
    yield from all_findings[:MOST]
    for last in all_findings[MOST : MOST + 1]:
        same = {"id": last.id, "severity": last.severity, "evidence": last.evidence}
        yield OTHERS.finding(more=len(all_findings) - MOST).model_copy(update=same)


def _categories(changes: Changes) -> Iterator[tuple[UnitSetRevision, str, Change]]:
    """Yield each category of each layer, in the order that the later version has them in."""
    for revision in filter(has_categories, changes.layers):
        for category in revision.second.categories:
            if category in revision.specific_agreement:
                yield revision, category, revision.specific_agreement[category]


def _below(changes: Changes) -> Iterator[tuple[str, float, Values]]:
    """Yield the categories below the threshold under both versions, with the end of the later interval.

    Neighbouring points of a scale are confused without anybody being wrong about either, two categories are
    one question, and no definition mends a category that is the absence of a mark.
    """
    for revision, category, change in _categories(changes):
        if revision.scale == ORDINAL or len(revision.second.categories) <= TWO:
            continue
        before = _beyond_chance(change.first.value, revision.first.label_shares.get(category))
        share = revision.second.label_shares.get(category)
        after = _beyond_chance(change.second.value, share)
        if before is None or after is None or category == revision.non_annotated:
            continue
        if max(before, after) < TENTATIVE:
            high = _beyond_chance((ends(change.second) or (0.0, 1.0))[1], share)
            values: Values = {"before": before, "after": after, "threshold": f"{TENTATIVE:g}"}
            values = changes.sides | values | changes.named(category, revision)
            yield category, 1.0 if high is None else high, values


def _beyond_chance(specific: float | None, share: float | None) -> float | None:
    """Return Scott's pi of a category against the rest, of its specific agreement and share of all labels.

    With b + c = 2 n p (1 - s) units that one of two annotators alone gave the category, D_o is (b + c) / n
    and D_e 2 p (1 - p): pi = 1 - (1 - s) / (1 - p). Fleiss (1971) has the same for more annotators.
    """
    if specific is None or share is None or share >= 1:
        return None
    return 1 - (1 - specific) / (1 - share)


def _tested(changes: Changes, revision: UnitSetRevision, category: str, change: Change) -> Values:
    return changes.sides | changes.named(category, revision) | moved(change, p_of(change, adjusted=True))


# Which systems, and which annotators against the reference, fell from one version to the next, and where?

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
    for revision in _shown(changes):
        change = revision.measures.get(revision.figure)
        if change is None:
            continue
        values = _values(changes, revision) | moved(change, p_of(change))
        if direction(change) == "fell":
            yield _with_documents(REGRESSED, revision).finding(**values)
        elif may_have_fallen(change):
            yield _with_documents(FELL, revision).finding(**values)


def rose(changes: Changes) -> Iterator[Finding]:
    """Yield the systems, not annotators, that rose beyond chance."""
    for revision in _shown(changes):
        change = revision.measures.get(revision.figure)
        if change is not None and revision.role != ANNOTATOR and direction(change) == "rose":
            yield ROSE.finding(**_values(changes, revision), **moved(change, p_of(change)))


def categories(changes: Changes) -> Iterator[Finding]:
    """Yield the systems that fell beyond chance on a category."""
    for revision in _shown(changes):
        if fell := fallen_categories(revision):
            values: Values = {"system": revision.system, "key": revision.key}
            yield CATEGORY_REGRESSED.finding(**values, **name_values("categories", fell))


def _shown(changes: Changes) -> list[SystemRevision]:
    """Return each system once a layer: marks in texts or else the primary unit set, on what both share."""
    primary = {
        (unit_set.layer, unit_set.unit_set) for unit_set in changes.comparison.unit_sets if unit_set.primary
    }
    latest: dict[tuple[str, str, str], SystemRevision] = {}
    for revision in marks_or_primary(changes.comparison.systems, primary):
        own = revision.layer, revision.system, revision.key
        if own not in latest or revision.basis == "shared":
            latest[own] = revision
    return list(latest.values())


def _with_documents(message: FindingTemplate, revision: SystemRevision) -> FindingTemplate:
    """Return a message without its advice where no single document is known to have fallen."""
    return message if fallen_documents(revision) else replace(message, advice="")


def _values(changes: Changes, revision: SystemRevision) -> Values:
    figure = figure_name(changes.comparison, revision)
    values: Values = {"system": revision.system, "key": revision.key, "figure": figure}
    return values | name_values("documents", fallen_documents(revision))
