"""Which confusions did the change come from, which one is left, and which units changed sides?"""

import math
from collections.abc import Iterator, Sequence

from reportgen.findings.changes.facts import Changes
from reportgen.findings.confusions import LEAST_SHARE, LEAST_UNITS
from reportgen.findings.facts import Message
from reportgen.results import Finding, Value
from reportgen.results.revisions import ConfusionChange, DisagreementChange, UnitSetRevision

SHOWN = 2

LESS = Message(
    "confusion-less",
    "good",
    "confusions",
    "{first} and {second} are confused {less_share} less often than under {earlier}, which lowers observed "
    "disagreement by {by}.",
)
FEWER_MISSED = Message(
    "confusion-less",
    "good",
    "confusions",
    "{first} or nothing: cases in which one annotator marked {first} and another nothing are {less_share} "
    "rarer than under {earlier}, which lowers observed disagreement by {by}.",
)
READ = "Read the units that changed sides between {first} and {second}, and see what {later} says of them."
READ_MARKED = "Read the units of {first} that changed sides, and say when {first} is to be marked at all."
MORE = Message(
    "confusion-more",
    "warning",
    "confusions",
    "{first} and {second} are confused {more_share} more often than under {earlier}, which raises observed "
    "disagreement by {by}.",
    READ,
)
MORE_MISSED = Message(
    "confusion-more",
    "warning",
    "confusions",
    "{first} or nothing: cases in which one annotator marked {first} and another nothing are {more_share} "
    "more frequent than under {earlier}, which raises observed disagreement by {by}.",
    READ_MARKED,
)
NEW = Message(
    "confusion-more",
    "warning",
    "confusions",
    "{first} and {second} are confused under {later} and never were under {earlier}, which raises observed "
    "disagreement by {by}.",
    READ,
)
NEW_MISSED = Message(
    "confusion-more",
    "warning",
    "confusions",
    "{first} or nothing: under {later} there are cases in which one annotator marked {first} and another "
    "nothing, and there were none under {earlier}, which raises observed disagreement by {by}.",
    READ_MARKED,
)
LEFT = Message(
    "confusion-left",
    "note",
    "confusions",
    "What is left under {later} is above all {first} against {second}, which is no rarer than under "
    "{earlier}: {left_share} of all disagreements, {before_share} before.",
    "Begin the next revision with how to tell {first} from {second}, with examples from the units that are "
    "still disputed.",
)
STILL_MISSED = Message(
    "confusion-left",
    "note",
    "confusions",
    "What is left under {later} is above all {first} or nothing, which is no rarer than under {earlier}: "
    "{left_share} of all disagreements, {before_share} before.",
    "Begin the next revision with when {first} is to be marked at all, with examples from the units that are "
    "still disputed.",
)
MISSED = {LESS: FEWER_MISSED, MORE: MORE_MISSED, NEW: NEW_MISSED, LEFT: STILL_MISSED}
SIDES = Message(
    "units-changed-sides",
    "note",
    "units",
    "On {mended} units annotators differed before and agree now; on {broken} they agreed before and differ "
    "now. Still disputed: {disputed}.",
    "Read the ones that are still disputed: the revision did not reach them.",
)
MORE_BROKEN = Message(
    "units-changed-sides",
    "warning",
    "units",
    "The revision broke more than it mended: on {broken} units annotators agreed before and differ now, on "
    "{mended} it is the other way round. Still disputed: {disputed}.",
    "Read the units on which they agreed before: what {later} says must have misled somebody.",
)


def less(changes: Changes) -> Iterator[Finding]:
    """Yield the confusions that fell most."""
    for revision, found, each in _most(changes, falling=True):
        before, after = _shares(found, each)
        yield _told(LESS, revision, _values(changes, each) | {"less_share": 1 - after / before})


def more(changes: Changes) -> Iterator[Finding]:
    """Yield the confusions that grew most."""
    for revision, found, each in _most(changes, falling=False):
        before, after = _shares(found, each)
        if before:
            yield _told(MORE, revision, _values(changes, each) | {"more_share": after / before - 1})
        else:
            yield _told(NEW, revision, _values(changes, each))


def left(changes: Changes) -> Iterator[Finding]:
    """Yield the largest confusion of the later version, where it did not fall."""
    revision = changes.revision
    found = revision.disagreement if revision else None
    if revision is None or found is None or not found.confusions:
        return
    # Of equal ones the first in the order of categories.
    largest = min(found.confusions, key=lambda each: (-each.second, each.categories))
    share = _share_of(found, largest, second=True)
    if largest.contribution >= 0 and share > LEAST_SHARE and _counts(revision, found, largest):
        shares: dict[str, Value] = {
            "left_share": share,
            "before_share": _share_of(found, largest, second=False),
        }
        yield _told(LEFT, revision, _values(changes, largest) | shares)


def _share_of(found: DisagreementChange, each: ConfusionChange, *, second: bool) -> float:
    """Return a confusion's share of all disagreements of one version."""
    whole = sum(other.second if second else other.first for other in found.confusions)
    return (each.second if second else each.first) / whole if whole else 0.0


def sides(changes: Changes) -> Iterator[Finding]:
    """Yield how many units changed sides between agreed and disputed."""
    flips = changes.revision.flips if changes.revision else None
    if flips is None or flips.mended + flips.broken + flips.disputed == 0:
        return
    values: dict[str, Value] = {
        "mended": flips.mended,
        "broken": flips.broken,
        "disputed": flips.disputed,
    }
    message = MORE_BROKEN if flips.broken > flips.mended else SIDES
    yield message.found(**values, **changes.sides)


def _most(
    changes: Changes, *, falling: bool
) -> Iterator[tuple[UnitSetRevision, DisagreementChange, ConfusionChange]]:
    """Yield the largest contributions of one sign that are more than a unit or two."""
    revision = changes.revision
    found = revision.disagreement if revision else None
    if revision is None or found is None:
        return
    whole = math.fsum(abs(each.contribution) for each in found.confusions)
    for each in _ordered(found.confusions, falling=falling)[:SHOWN]:
        if abs(each.contribution) >= LEAST_SHARE * whole and _counts(revision, found, each):
            yield revision, found, each


def _told(message: Message, revision: UnitSetRevision, values: dict[str, Value]) -> Finding:
    """Return the finding, in other words where one of the two categories is the absence of a mark."""
    names = [values["first"], values["second"]]
    if revision.non_annotated not in names:
        return message.found(**values)
    marked = next(each for each in names if each != revision.non_annotated)
    return MISSED[message].found(**(values | {"first": marked}))


def _ordered(confusions: Sequence[ConfusionChange], *, falling: bool) -> list[ConfusionChange]:
    sign = 1 if falling else -1
    mine = [each for each in confusions if sign * each.contribution < 0]
    return sorted(mine, key=lambda each: (sign * each.contribution, each.categories))


def _counts(revision: UnitSetRevision, found: DisagreementChange, each: ConfusionChange) -> bool:
    """Tell whether a confusion was, or is, more than that of a single unit."""
    before, after = _shares(found, each)
    return max(before * revision.first.units, after * revision.second.units) >= LEAST_UNITS


def _shares(found: DisagreementChange, each: ConfusionChange) -> tuple[float, float]:
    first, second = found.denominators
    return each.first / first if first else 0.0, each.second / second if second else 0.0


def _values(changes: Changes, each: ConfusionChange) -> dict[str, Value]:
    names: dict[str, Value] = {"first": each.categories[0], "second": each.categories[1]}
    return changes.sides | names | {"by": abs(each.contribution)}
