"""Which confusions did the change come from, which one is left, and which units changed sides?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.findings.confusions import LEAST_SHARE, LEAST_UNITS
from reportgen.findings.layer_facts import (
    LEVEL,
    FindingTemplate,
    LayerChanges,
    Values,
    ground,
    has_categories,
    of_layer,
)
from reportgen.results import Finding
from reportgen.results.versions import (
    ConfusionChange,
    DisagreementChange,
    Flips,
    UnitSetRevision,
    labels_confused,
)

SHOWN = 2

LESS = FindingTemplate("confusion-less", "good", "confusions").saying(
    "{first} and {second} are confused {less_share} less often than under {earlier} (p = {p})."
)
READ = "Read the units that changed sides between {first} and {second}."
READ_FIRST = "Read the units of {first} that changed sides."
MORE = FindingTemplate("confusion-more", "warning", "confusions").saying(
    "{first} and {second} are confused more often than under {earlier}: observed disagreement rises by {by} "
    "(p = {p}).",
    READ,
)
LEFT = FindingTemplate("confusion-left", "warning", "confusions").saying(
    "Under {later}, {left_share} of the disagreements are between {first} and {second} ({before_share} under "
    "{earlier}).",
    "Agree on how to tell {first} from {second} before the next revision.",
)
# The same of one category and nothing, and of sets of labels.
MISSED = {
    LESS: LESS.saying(
        "Marks of {first} that somebody left out are {less_share} rarer than under {earlier} (p = {p})."
    ),
    MORE: MORE.saying(
        "Marks of {first} that somebody left out are more frequent than under {earlier}: observed "
        "disagreement rises by {by} (p = {p}).",
        READ_FIRST,
    ),
    LEFT: LEFT.saying(
        "Under {later}, {left_share} of the disagreements are marks of {first} that somebody left out "
        "({before_share} under {earlier}).",
        "Agree on when to mark {first} before the next revision.",
    ),
}
APART = {
    LESS: LESS.saying("Sets that differ in {first} alone are {less_share} rarer than under {earlier}."),
    MORE: MORE.saying(
        "Sets that differ in {first} alone are more frequent than under {earlier}: observed disagreement "
        "rises by {by}.",
        READ_FIRST,
    ),
    LEFT: LEFT.saying(
        "Under {later}, {left_share} of the disagreements are sets that differ in {first} alone "
        "({before_share} under {earlier}).",
        "Agree on when to choose {first} before the next revision.",
        severity="note",
    ),
}
SIDES = (
    "annotators differed on {mended} units before and agree now, and agreed on {broken} and differ now; "
    "{disputed} are still disputed"
)
READ_DISPUTED = "Read those that are still disputed before the next revision."
COUNTED = FindingTemplate("units-changed-sides", "note", "units").saying(
    "Unit by unit, " + SIDES + ".", READ_DISPUTED
)
BY_CHANCE = COUNTED.saying(f"Unit by unit, no clear change (p = {{p}}): {SIDES}.", READ_DISPUTED)
OTHERS = COUNTED.saying(
    f"Raters or categories changed, so that this says nothing of the guidelines: {SIDES}.", READ_DISPUTED
)
MORE_MENDED = COUNTED.saying(
    f"More units are agreed on than before (p = {{p}}): {SIDES}.", READ_DISPUTED, severity="good"
)
MORE_BROKEN = COUNTED.saying(
    f"More units are disputed than before (p = {{p}}): {SIDES}.",
    "Read the units on which they agreed before.",
    severity="warning",
)

# The same of one of several layers.
OF_LAYER = {
    template: replace(template, claim=f"Layer {{layer}}: {template.claim}")
    for template in (COUNTED, BY_CHANCE, OTHERS, MORE_MENDED, MORE_BROKEN)
}


def less(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the confusions that fell most, where that is beyond chance."""
    for revision, disagreement, confusion in _most(changes, falling=True):
        before, after = _shares(disagreement, confusion)
        yield _worded(
            LESS, revision, _values(changes, revision, confusion) | {"less_share": 1 - after / before}
        )


def more(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the confusions that grew most, where that is beyond chance."""
    for revision, _disagreement, confusion in _most(changes, falling=False):
        yield _worded(MORE, revision, _values(changes, revision, confusion))


def left(changes: LayerChanges) -> Iterator[Finding]:
    """Yield each layer's largest confusion under the later version, where no test shows that it fell."""
    for revision in filter(_is_about_categories, changes.layers):
        disagreement = revision.disagreement
        if disagreement is None or not disagreement.confusions:
            continue
        # Of equal ones the first in the order of categories.
        largest = min(
            disagreement.confusions, key=lambda confusion: (-confusion.second, confusion.categories)
        )
        share = _share_of(disagreement, largest, second=True)
        earlier_categories = revision.first.categories
        gained = any(
            name not in earlier_categories for name in labels_confused(largest.categories, earlier_categories)
        )
        shown = largest.adjusted is not None and largest.adjusted < LEVEL
        fell = largest.contribution < 0 and shown and not gained
        confused = {
            name for confusion in disagreement.confusions if confusion.second for name in confusion.categories
        }
        # Of two categories that are left there is one confusion, and it is all disagreement.
        is_all = len(revision.second.categories) <= 2 or (len(confused) <= 2 and largest.first > 0)
        if is_all or fell or share <= LEAST_SHARE or not _counts(revision, disagreement, largest):
            continue
        before = _share_of(disagreement, largest, second=False)
        shares: Values = {"left_share": share, "before_share": before}
        yield _worded(LEFT, revision, _values(changes, revision, largest) | shares)


def _is_about_categories(revision: UnitSetRevision) -> bool:
    """Tell whether there are several confusions to tell apart: of two categories there is one."""
    return has_categories(revision) and len({*revision.first.categories, *revision.second.categories}) > 2


def _share_of(disagreement: DisagreementChange, confusion: ConfusionChange, *, second: bool) -> float:
    """Return a confusion's share of all disagreements of one version."""
    total = sum(other.second if second else other.first for other in disagreement.confusions)
    return (confusion.second if second else confusion.first) / total if total else 0.0


def sides(changes: LayerChanges) -> Iterator[Finding]:
    """Yield how many units changed sides between agreed and disputed, and whether that is beyond chance."""
    for revision in changes.layers:
        flips = revision.flips
        if flips is None or not any((flips.mended, flips.broken, flips.disputed)):
            continue
        values: Values = {
            "mended": flips.mended,
            "broken": flips.broken,
            "disputed": flips.disputed,
            "layer": revision.layer,
        }
        message = _of_sides(flips, revision)
        message = OF_LAYER[message] if len(changes.layers) > 1 else message
        if not flips.disputed and message.advice == READ_DISPUTED:
            message = replace(message, advice="")
        p: Values = {} if flips.p is None else {"p": flips.p}
        yield message.finding(**values, **p, **changes.sides)


def _of_sides(flips: Flips, revision: UnitSetRevision) -> FindingTemplate:
    if flips.mended + flips.broken and (not flips.alike or revision.categories.how == "names"):
        return OTHERS
    if flips.mended == flips.broken or flips.p is None or not flips.is_testable:
        return COUNTED
    more_of_one = MORE_BROKEN if flips.broken > flips.mended else MORE_MENDED
    return BY_CHANCE if flips.p >= LEVEL else more_of_one


def _most(
    changes: LayerChanges, *, falling: bool
) -> Iterator[tuple[UnitSetRevision, DisagreementChange, ConfusionChange]]:
    """Yield the largest contributions of one sign that are more than a unit or two, and than chance.

    A category that one version lacks can't have been confused there, which says nothing about the guidelines.
    """
    for revision in filter(_is_about_categories, changes.layers):
        disagreement = revision.disagreement
        if disagreement is None:
            continue
        total = math.fsum(abs(confusion.contribution) for confusion in disagreement.confusions)
        for confusion in _ordered(disagreement.confusions, falling=falling)[:SHOWN]:
            large = abs(confusion.contribution) >= LEAST_SHARE * total and _counts(
                revision, disagreement, confusion
            )
            if large and _is_shown(revision, confusion) and _in_both(revision, confusion):
                yield revision, disagreement, confusion


def _is_shown(revision: UnitSetRevision, confusion: ConfusionChange) -> bool:
    """Tell whether a test shows a change, and in other material one that the mix of categories does not make.

    Where one category has more of the units, so have its confusions: what counts is how often the label
    beside it is the other one, and the same from the other's side.
    """
    tests = [confusion.adjusted]
    if ground(revision) not in {"documents", "units"}:
        tests.append(confusion.beyond_mix)
    return all(p is not None and p < LEVEL for p in tests)


def _in_both(revision: UnitSetRevision, confusion: ConfusionChange) -> bool:
    sides = revision.first.categories, revision.second.categories
    return all(name in side for side in sides for name in labels_confused(confusion.categories, side))


def _worded(message: FindingTemplate, revision: UnitSetRevision, values: Values) -> Finding:
    """Return the finding, in other words where one of the two is the absence of a mark, or of a label."""
    names, key = [values["first"], values["second"]], "second"
    if not values["second"]:
        message, key = APART[message], "first"
    elif revision.non_annotated in names:
        message, key = MISSED[message], "first"
        values |= {"first": next(name for name in names if name != revision.non_annotated)}
    return message.finding(**(of_layer(key, revision.layer, values) if "layer" in values else values))


def _ordered(confusions: Sequence[ConfusionChange], *, falling: bool) -> list[ConfusionChange]:
    sign = 1 if falling else -1
    mine = [confusion for confusion in confusions if sign * confusion.contribution < 0]
    return sorted(mine, key=lambda confusion: (sign * confusion.contribution, confusion.categories))


def _counts(revision: UnitSetRevision, disagreement: DisagreementChange, confusion: ConfusionChange) -> bool:
    """Tell whether a confusion was, or is, more than that of a single unit."""
    before, after = _shares(disagreement, confusion)
    return max(before * revision.first.units, after * revision.second.units) >= LEAST_UNITS


def _shares(disagreement: DisagreementChange, confusion: ConfusionChange) -> tuple[float, float]:
    first, second = disagreement.denominators
    return confusion.first / first if first else 0.0, confusion.second / second if second else 0.0


def _values(changes: LayerChanges, revision: UnitSetRevision, confusion: ConfusionChange) -> Values:
    names: Values = {"first": confusion.categories[0], "second": confusion.categories[1]}
    p: Values = {} if confusion.adjusted is None else {"p": confusion.adjusted}
    layer: Values = {"layer": revision.layer} if len(changes.layers) > 1 else {}
    return changes.sides | names | p | layer | {"by": abs(confusion.contribution)}
