"""Did the categories move that the revision was about, and did others pay for it?"""

from collections.abc import Iterable, Iterator

from reportgen.findings.changes.facts import (
    NOTABLE,
    Changes,
    direction,
    moved,
    p_of,
    revised,
)
from reportgen.findings.facts import TENTATIVE, Message, ends
from reportgen.results import Finding, Value
from reportgen.results.revisions import Change, UnitSetRevision

STAYED = Message(
    "category-stayed-below",
    "problem",
    "categories",
    "{category} stayed below {threshold} though the revision names it: specific agreement was {before} under "
    "{earlier} and is {after} under {later}.",
    "Say again what {category} is and is not, with examples from the units that are still disputed, or merge "
    "it with the category that it is confused with.",
)
STAYED_PERHAPS = Message(
    "category-stayed-below",
    "warning",
    "categories",
    "{category} is still below {threshold} though the revision names it, as far as so few data can tell: "
    "specific agreement was {before} under {earlier} and is {after} under {later}, with an interval up to "
    "{high}.",
    "Read the units of {category} that are still disputed before the next revision.",
)
FORGOTTEN = Message(
    "category-not-revised",
    "warning",
    "categories",
    "{category} is below {threshold} under both versions ({before}, then {after}), and the revision does not "
    "name it.",
    "Say in the next version when a unit is {category}, with examples from the units that are disputed.",
)
WORSE = Message(
    "category-worse",
    "problem",
    "categories",
    "{category} got worse: specific agreement fell from {before} to {after} (p = {p}, corrected for the "
    "number of categories).",
    "Look among the units that were agreed before and are disputed now for what {later} says of {category}, "
    "and mend it.",
)
PERHAPS_WORSE = Message(
    "category-worse",
    "note",
    "categories",
    "{category} may have got worse: specific agreement went from {before} to {after}, which chance alone "
    "could do (p = {p}, corrected for the number of categories).",
    "Read the units of {category} that were agreed before and are disputed now.",
)
BETTER = Message(
    "category-better",
    "good",
    "categories",
    "{category} got better: specific agreement rose from {before} to {after} (p = {p}, corrected for the "
    "number of categories).",
)


MOST = 6
OTHERS = Message(
    "category", "note", "categories", "The same holds for {more} more categories: the table has them."
)


def stayed(changes: Changes) -> Iterator[Finding]:
    """Yield the categories below the threshold under both versions, and whether the revision names them.

    The threshold is that of the finding on weak categories; it is a problem where the later interval lies
    below it too.
    """
    told = bool(changes.comparison.second.changes.strip() or changes.comparison.guidelines)
    yield from _cut(_named(changes))
    if told:
        yield from _cut(_not_named(changes))


def _named(changes: Changes) -> Iterator[Finding]:
    for category, change, values in _below(changes):
        high = (ends(change.second) or (0.0, 1.0))[1]
        if revised(changes.comparison, category):
            yield (STAYED if high < TENTATIVE else STAYED_PERHAPS).found(high=high, **values)


def _not_named(changes: Changes) -> Iterator[Finding]:
    for category, _, values in _below(changes):
        if not revised(changes.comparison, category):
            yield FORGOTTEN.found(**values)


def worse(changes: Changes) -> Iterator[Finding]:
    """Yield the categories whose agreement fell: beyond chance, or by much."""
    fell: list[Finding] = []
    perhaps: list[tuple[float, Finding]] = []
    for revision, category, change in _categories(changes):
        way, by = direction(change, adjusted=True), change.difference or 0.0
        values = _tested(changes, revision, category, change)
        if way == "fell":
            fell.append(WORSE.found(**values))
        elif way == "open" and by < -NOTABLE:
            perhaps.append((by, PERHAPS_WORSE.found(**values)))
    yield from _cut(fell)
    yield from _cut(found for _, found in sorted(perhaps, key=lambda each: each[0]))


def better(changes: Changes) -> Iterator[Finding]:
    """Yield the categories whose agreement rose beyond chance."""
    rose = (each for each in _categories(changes) if direction(each[2], adjusted=True) == "rose")
    yield from _cut(BETTER.found(**_tested(changes, *each)) for each in rose)


def _cut(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first few findings of one kind, and how many more there are."""
    known = list(found)
    yield from known[:MOST]
    if more := len(known) - MOST if len(known) > MOST else 0:
        last = known[MOST]
        same = {"id": last.id, "severity": last.severity, "evidence": last.evidence}
        yield OTHERS.found(more=more).model_copy(update=same)


def _categories(changes: Changes) -> Iterator[tuple[UnitSetRevision, str, Change]]:
    """Yield each category of each layer, in the order that the later version has them in."""
    for revision in changes.layers:
        for category in revision.second.categories:
            if category in revision.specific_agreement:
                yield revision, category, revision.specific_agreement[category]


def _below(changes: Changes) -> Iterator[tuple[str, Change, dict[str, Value]]]:
    """Yield the categories that are below the threshold under both versions."""
    for revision, category, change in _categories(changes):
        before, after = change.first.value, change.second.value
        # No definition mends a category that is the absence of a mark.
        if before is None or after is None or category == revision.non_annotated:
            continue
        if max(before, after) < TENTATIVE:
            values: dict[str, Value] = {"before": before, "after": after, "threshold": f"{TENTATIVE:g}"}
            yield category, change, changes.sides | values | changes.named(category, revision)


def _tested(changes: Changes, revision: UnitSetRevision, category: str, change: Change) -> dict[str, Value]:
    return changes.sides | changes.named(category, revision) | moved(change, p_of(change, adjusted=True))
