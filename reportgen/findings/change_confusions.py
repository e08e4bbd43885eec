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
    name_values,
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

CORRECTED = "p = {p}, corrected for the number of confusions"
LESS = FindingTemplate("confusion-less", "good", "confusions").saying(
    "{first} and {second} are confused {less_share} less often than under {earlier}, which lowers observed "
    f"disagreement by {{by}} ({CORRECTED})."
)
READ = "Read the units that changed sides between {first} and {second}, and see what {later} says of them."
READ_MARKED = "Read the units of {first} that changed sides, and say when {first} is to be marked at all."
MORE = FindingTemplate("confusion-more", "warning", "confusions").saying(
    "{first} and {second} are confused {more_share} more often than under {earlier}, which raises observed "
    f"disagreement by {{by}} ({CORRECTED}).",
    READ,
)
NEW = MORE.saying(
    "{first} and {second} are confused under {later} and never were under {earlier}, which raises observed "
    f"disagreement by {{by}} ({CORRECTED}).",
    READ,
)
LEFT = FindingTemplate("confusion-left", "warning", "confusions").saying(
    "What is left under {later} is mainly {first} confused with {second}: {left_share} of all "
    "disagreements, {before_share} before. No test shows that it is rarer than under {earlier}.",
    "Begin the next revision with how to tell {first} from {second}, with examples from the units that are "
    "still disputed.",
)
LEFT_NEW = LEFT.saying(
    "The largest confusion under {later} is {first} against {second}, {left_share} of all disagreements; "
    "{earlier} did not have {gained}.",
    "Begin the next revision with how to tell {first} from {second}, with examples from the units that are "
    "still disputed.",
)
READ_CHOSEN = "Read the units that changed sides in {first}, and say when {first} is to be chosen."
BEGIN_MARKED = (
    "Begin the next revision by saying when {first} is to be marked at all, with examples from the units "
    "that are still disputed."
)
BEGIN_CHOSEN = (
    "Begin the next revision by saying when {first} is to be chosen, with examples from the units that are "
    "still disputed."
)
# The same of one category and nothing, and of sets of labels.
MISSED = {
    LESS: LESS.saying(
        "{first} or nothing: cases in which one annotator marked {first} and another nothing are "
        "{less_share} "
        f"rarer than under {{earlier}}, which lowers observed disagreement by {{by}} ({CORRECTED})."
    ),
    MORE: MORE.saying(
        "{first} or nothing: cases in which one annotator marked {first} and another nothing are "
        "{more_share} "
        f"more frequent than under {{earlier}}, which raises observed disagreement by {{by}} ({CORRECTED}).",
        READ_MARKED,
    ),
    NEW: MORE.saying(
        "{first} or nothing: under {later} there are cases in which one annotator marked {first} and another "
        f"nothing, and there were none under {{earlier}}, which raises observed disagreement by {{by}} "
        f"({CORRECTED}).",
        READ_MARKED,
    ),
    LEFT: LEFT.saying(
        "What is left under {later} is mainly marks of {first} that another annotator did not "
        "make: {left_share} of all disagreements, {before_share} before. No test shows that it is "
        "rarer than under {earlier}.",
        BEGIN_MARKED,
    ),
    LEFT_NEW: LEFT.saying(
        "The largest confusion under {later} is {first} or nothing, {left_share} of all disagreements; "
        "{earlier} did not have {gained}.",
        BEGIN_MARKED,
    ),
}
APART = {
    LESS: LESS.saying(
        "Sets that differ in {first} alone are {less_share} rarer than under {earlier}, which lowers "
        "observed disagreement by {by}."
    ),
    MORE: MORE.saying(
        "Sets that differ in {first} alone are {more_share} more frequent than under {earlier}, which raises "
        "observed disagreement by {by}.",
        READ_CHOSEN,
    ),
    NEW: MORE.saying(
        "Sets differ in {first} alone under {later} and never did under {earlier}, which raises observed "
        "disagreement by {by}.",
        READ_CHOSEN,
    ),
    LEFT: LEFT.saying(
        "What is left under {later} are mainly sets that differ in {first} alone: {left_share} of all "
        "disagreements, {before_share} before. No test shows that they are rarer than under {earlier}.",
        BEGIN_CHOSEN,
        severity="note",
    ),
    LEFT_NEW: LEFT.saying(
        "Under {later} sets differ most in {first} alone, {left_share} of all disagreements; {earlier} did "
        "not have {gained}.",
        BEGIN_CHOSEN,
    ),
}
DISPUTED = "Still disputed: {disputed}."
READ_DISPUTED = "Read those that are still disputed before the next revision."
NOW_AGREED = "on {mended} units annotators differed before and agree now"
NOW_DISPUTED = "on {broken} they agreed before and differ now"
UNMOVED = FindingTemplate("units-changed-sides", "note", "units").saying(
    f"Annotators agree and differ on the same units as before. {DISPUTED}", READ_DISPUTED
)
EVEN = UNMOVED.saying(
    f"As many units changed one way as the other: {NOW_AGREED}, {NOW_DISPUTED}. {DISPUTED}", READ_DISPUTED
)
BY_CHANCE = UNMOVED.saying(
    f"No more units changed one way than chance explains: {NOW_AGREED}, {NOW_DISPUTED} (p = {{p}}). "
    f"{DISPUTED}",
    READ_DISPUTED,
)
TOO_FEW = UNMOVED.saying(
    "So few documents do not show whether more units changed one way than chance explains: "
    f"{NOW_AGREED}, {NOW_DISPUTED}. {DISPUTED}",
    READ_DISPUTED,
)
TOO_FEW_UNITS = TOO_FEW.of_units()
OTHER_NUMBERS = UNMOVED.saying(
    "Units were not rated by equally many annotators under both versions, and the more people rate a unit, "
    f"the less often all of them agree: {NOW_AGREED}, {NOW_DISPUTED}, which says nothing about "
    f"the guidelines. {DISPUTED}",
    READ_DISPUTED,
)
OTHER_CATEGORIES = UNMOVED.saying(
    "The categories are not the same, and the fewer there are, the more often annotators agree: "
    f"{NOW_AGREED}, {NOW_DISPUTED}, which says nothing about the guidelines. {DISPUTED}",
    READ_DISPUTED,
)
MORE_MENDED = UNMOVED.saying(
    f"More units are agreed on than before: {NOW_AGREED}, {NOW_DISPUTED} (p = {{p}}). {DISPUTED}",
    READ_DISPUTED,
    severity="good",
)
MORE_BROKEN = UNMOVED.saying(
    f"More units are disputed than before: {NOW_AGREED}, {NOW_DISPUTED} (p = {{p}}). {DISPUTED}",
    "Read the units on which they agreed before, and what {later} says of them.",
    severity="warning",
)

# The same of one of several layers.
OF_LAYER = {
    template: replace(template, claim=f"Layer {{layer}}: {template.claim}")
    for template in (
        UNMOVED,
        EVEN,
        BY_CHANCE,
        TOO_FEW,
        TOO_FEW_UNITS,
        OTHER_NUMBERS,
        OTHER_CATEGORIES,
        MORE_MENDED,
        MORE_BROKEN,
    )
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
    for revision, disagreement, confusion in _most(changes, falling=False):
        before, after = _shares(disagreement, confusion)
        if before:
            yield _worded(
                MORE, revision, _values(changes, revision, confusion) | {"more_share": after / before - 1}
            )
        else:
            yield _worded(NEW, revision, _values(changes, revision, confusion))


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
        gained = [
            name
            for name in labels_confused(largest.categories, earlier_categories)
            if name not in earlier_categories
        ]
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
        values = _values(changes, revision, largest) | shares | name_values("gained", gained)
        yield _worded(LEFT_NEW if gained else LEFT, revision, values)


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
    if flips.mended + flips.broken == 0:
        return UNMOVED
    if not flips.alike or revision.categories.how == "names":
        return OTHER_CATEGORIES if flips.alike else OTHER_NUMBERS
    if flips.mended == flips.broken:
        return EVEN
    if flips.p is None or not flips.is_testable:
        return TOO_FEW if revision.clusters == "document" else TOO_FEW_UNITS
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
