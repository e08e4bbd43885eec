"""Did agreement move, is it more than chance, and on what? The two sentences that a comparison opens with."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.changes.facts import (
    Changes,
    Direction,
    Ground,
    beyond_chance,
    direction,
    ground,
    moved,
    p_of,
    sizes,
)
from reportgen.findings.facts import Message
from reportgen.results import Finding, Severity

# What the two sides have in common, as the end of a sentence.
ON: dict[Ground, str] = {
    "documents": "on the {documents} documents annotated under both versions",
    "units": "on the {units} units labelled under both versions",
    "some documents": "on all documents of each version ({documents} documents stand in both)",
    "some units": "on all units of each version ({units} units stand in both)",
    "other documents": "on different documents",
    "other units": "on different units",
    "unknown": "on units of which it isn't known whether they are the same",
}
BEYOND = "by {by}, and with 95% confidence by {low} to {high} (p = {p})"
RATHER = "a difference of {difference} with an interval from {lowest} to {highest} (p = {p})"
UNTOLD = "whether that is more than chance can't be told: {reason}"


def _messages(words: str) -> dict[Direction, Message]:
    """Return what can be said of a coefficient, given the words for what it was compared on."""
    both = f"{{before}} ({{earlier}}) and {{after}} ({{later}}) {words}"
    said: dict[Direction, tuple[Severity, str]] = {
        "rose": ("good", f"rose from {{before}} ({{earlier}}) to {{after}} ({{later}}) {words}: {BEYOND}."),
        "fell": (
            "problem",
            f"fell from {{before}} ({{earlier}}) to {{after}} ({{later}}) {words}: {BEYOND}.",
        ),
        "open": ("note", f"did not move beyond chance: {both}, which is {RATHER}."),
        "same": ("note", f"is {{after}} under {{earlier}} and under {{later}} {words}."),
        "untested": ("warning", f"is {both}; {UNTOLD}."),
    }
    return {
        way: Message("verdict", severity, "figures", f"{{coefficient}} {claim}")
        for way, (severity, claim) in said.items()
    }


MESSAGES: dict[Ground, dict[Direction, Message]] = {where: _messages(words) for where, words in ON.items()}
# The same value twice, which the data need not show to be the same.
SAME: dict[Ground, Message] = {
    where: Message(
        "verdict",
        "note",
        "figures",
        f"{{coefficient}} is {{after}} under {{earlier}} and under {{later}} {words}; with 95% confidence "
        f"the "
        "difference is from {lowest} to {highest}.",
    )
    for where, words in ON.items()
}
UNDEFINED_BEFORE = Message(
    "verdict",
    "warning",
    "figures",
    "{coefficient} can't be computed for {earlier} ({reason}): there is nothing to compare it with.",
)
UNDEFINED_NOW = Message(
    "verdict",
    "warning",
    "figures",
    "{coefficient} can't be computed for {later} ({reason}): whether it moved can't be told.",
)
NOTHING = Message(
    "verdict",
    "warning",
    "figures",
    "{earlier} and {later} have no unit set in common: there is nothing to compare.",
    "Give both versions the same layers and unit sets in campaign.toml.",
)
NO_REASON = "it was not tested"

AGAIN = Message(
    "caveat",
    "note",
    "figures",
    "The same {documents} documents were annotated under both versions, so that no difference comes from the "
    "material; what else may explain one is said below.",
)
AGAIN_UNITS = Message(
    "caveat",
    "note",
    "figures",
    "The same {units} units were labelled under both versions, so that no difference comes from the "
    "material. They are taken to be independent, which units of one document seldom are.",
)
PARTLY = Message(
    "caveat",
    "warning",
    "figures",
    "Material differs in part: {documents} documents stand in both versions, of {earlier_documents} under "
    "{earlier} and {later_documents} under {later}. A difference may be one of documents.",
    "Hold the versions against each other on the documents that both have.",
)
PARTLY_UNITS = Message(
    "caveat",
    "warning",
    "figures",
    "Material differs in part: {units} units stand in both versions, of {earlier_units} under {earlier} and "
    "{later_units} under {later}. A difference may be one of units.",
    "Hold the versions against each other on the units that both have.",
)
DIFFERENT = Message(
    "caveat",
    "warning",
    "figures",
    "Material differs: no document stands in both versions ({earlier_documents} under {earlier}, "
    "{later_documents} under {later}). Harder or easier documents would move agreement as well as other "
    "guidelines do.",
    "Have some documents of {earlier} annotated again under {later}: on the same documents a smaller "
    "difference can be told, and no change of material explains it.",
)
DIFFERENT_UNITS = Message(
    "caveat",
    "warning",
    "figures",
    "Material differs: no unit stands in both versions ({earlier_units} under {earlier}, {later_units} under "
    "{later}). Harder or easier units would move agreement as well as other guidelines do.",
    "Have some units of {earlier} labelled again under {later}: on the same units a smaller difference can "
    "be told, and no change of material explains it.",
)
UNKNOWN = Message(
    "caveat",
    "warning",
    "figures",
    "Nothing says whether the units of {earlier} are those of {later}: another choice of material would move "
    "agreement as well as other guidelines do.",
    "Export labels with the names of their units and documents, so that versions can be held against each "
    "other on what they share.",
)
CAVEATS: dict[Ground, Message] = {
    "documents": AGAIN,
    "units": AGAIN_UNITS,
    "some documents": PARTLY,
    "some units": PARTLY_UNITS,
    "other documents": DIFFERENT,
    "other units": DIFFERENT_UNITS,
    "unknown": UNKNOWN,
}


def verdict(changes: Changes) -> Iterator[Finding]:
    """Yield whether the primary coefficient moved, by how much, and whether that is more than chance."""
    revision, change = changes.revision, changes.change
    if revision is None or change is None:
        yield NOTHING.found(**changes.sides)
        return
    missing = next((each for each in (change.first, change.second) if each.value is None), None)
    if missing is not None:
        message = UNDEFINED_BEFORE if missing is change.first else UNDEFINED_NOW
        reason = missing.undefined or NO_REASON
        yield message.found(reason=reason, **changes.naming, **changes.sides)
        return
    way = direction(change)
    values = changes.sides | sizes(revision) | moved(change, p_of(change))
    if way in {"open", "same"} and change.interval is not None:
        values |= {"difference": change.difference or 0.0}
        values |= {"lowest": change.interval.low or 0.0, "highest": change.interval.high or 0.0}
    reason = change.untested or NO_REASON
    message = MESSAGES[ground(revision)][way]
    if way == "same" and "lowest" in values:
        message = SAME[ground(revision)]
    if way == "rose" and _fell_elsewhere(changes):
        message = replace(message, severity="warning")
    yield message.found(reason=reason, **changes.naming, **values)


def _fell_elsewhere(changes: Changes) -> bool:
    """Tell whether agreement fell in another layer, beyond chance."""
    return any((change.difference or 0.0) < 0 for *_, change in beyond_chance(changes.other_layers))


def caveat(changes: Changes) -> Iterator[Finding]:
    """Yield whether the material is the same on both sides."""
    if changes.revision is not None:
        found = changes.sides | sizes(changes.revision)
        yield CAVEATS[ground(changes.revision)].found(**found)
