"""Did agreement move, is it more than chance, and on what? The two sentences that a comparison opens with."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.findings.facts import (
    NOTABLE,
    Changes,
    Direction,
    FindingTemplate,
    Ground,
    beyond_chance,
    direction,
    ground,
    moved,
    name_values,
    p_of,
    sizes,
)
from reportgen.results import Finding, Severity
from reportgen.results.parts import Change

if TYPE_CHECKING:
    from reportgen.results.comparison import SpanRevision

# What the two sides have in common, as the end of a sentence.
ON: dict[Ground, str] = {
    "documents": "on the {documents} documents annotated under both versions",
    "units": "on the {units} units labelled under both versions",
    "some documents": "on all documents of each version ({documents} documents are in both)",
    "some units": "on all units of each version ({units} units are in both)",
    "other documents": "on different documents",
    "other units": "on different units",
    "unknown": "on units of which it isn't known whether they are the same",
}
BEYOND = "by {by}, and with 95% confidence by {low} to {high} (p = {p})"
RATHER = "a difference of {difference} with an interval from {lowest} to {highest} (p = {p})"
UNTESTED = "no test says whether that is more than chance: {reason}"


def _messages(words: str) -> dict[Direction, FindingTemplate]:
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
        "untested": ("warning", f"is {both}; {UNTESTED}."),
    }
    return {
        way: FindingTemplate("verdict", severity, "figures", f"{{coefficient}} {claim}")
        for way, (severity, claim) in said.items()
    }


MESSAGES: dict[Ground, dict[Direction, FindingTemplate]] = {
    where: _messages(words) for where, words in ON.items()
}
# The same value twice, which the data need not show to be the same.
SAME: dict[Ground, FindingTemplate] = {
    where: FindingTemplate("verdict", "note", "figures").saying(
        f"{{coefficient}} is {{after}} under {{earlier}} and under {{later}} {words}; with 95% confidence "
        f"the "
        "difference is from {lowest} to {highest}."
    )
    for where, words in ON.items()
}
UNDEFINED_BEFORE = FindingTemplate("verdict", "warning", "figures").saying(
    "{coefficient} can't be computed for {earlier} ({reason}): there is nothing to compare it with."
)
UNDEFINED_NOW = UNDEFINED_BEFORE.saying(
    "{coefficient} can't be computed for {later} ({reason}): whether it moved is unknown."
)
NOTHING = UNDEFINED_BEFORE.saying(
    "{earlier} and {later} have no unit set in common: there is nothing to compare.",
    "Give both versions the same layers and unit sets in campaign.toml.",
)
NO_REASON = "it was not tested"

AGAIN = FindingTemplate("caveat", "note", "figures").saying(
    "The same {documents} documents were annotated under both versions, so no difference comes from the "
    "material."
)
AGAIN_UNITS = AGAIN.saying(
    "The same {units} units were labelled under both versions, so no difference comes from the material. "
    "Intervals treat units as independent: where several come from one document, they are too narrow."
)
PARTLY = AGAIN.saying(
    "Material differs in part: {documents} documents are in both versions, of {earlier_documents} under "
    "{earlier} and {later_documents} under {later}. A difference may come from the other documents.",
    "Compare the versions on the documents that both have.",
    severity="warning",
)
PARTLY_UNITS = PARTLY.of_units()
DIFFERENT = AGAIN.saying(
    "Material differs: no document is in both versions ({earlier_documents} under {earlier}, "
    "{later_documents} under {later}). Harder or easier documents would move agreement as well as other "
    "guidelines do.",
    "Have some documents of {earlier} annotated again under {later}: the same documents show smaller "
    "differences, and no change of material explains them.",
    severity="warning",
)
DIFFERENT_UNITS = DIFFERENT.of_units()
UNKNOWN = AGAIN.saying(
    "Nothing says whether the units of {earlier} are those of {later}: another choice of material would move "
    "agreement as well as other guidelines do.",
    "Export labels with the names of their units and documents, so that versions are compared on what both "
    "have.",
    severity="warning",
)
CAVEATS: dict[Ground, FindingTemplate] = {
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
        yield NOTHING.finding(**changes.sides)
        return
    missing = next((figure for figure in (change.first, change.second) if figure.value is None), None)
    if missing is not None:
        message = UNDEFINED_BEFORE if missing is change.first else UNDEFINED_NOW
        reason = missing.undefined or NO_REASON
        yield message.finding(reason=reason, **changes.naming, **changes.sides)
        return
    way = direction(change)
    values = changes.sides | sizes(revision) | moved(change, p_of(change))
    message, span = MESSAGES[ground(revision)][way], change.interval
    if way in {"open", "same"} and span is not None:
        values |= {"difference": change.difference, "lowest": span.low or 0.0, "highest": span.high or 0.0}
        message = SAME[ground(revision)] if way == "same" else message
    # Where agreement fell in another layer, a rise is no good news.
    if way == "rose" and not all(_rose(other) for *_, other in beyond_chance(changes.other_layers)):
        message = replace(message, severity="warning")
    yield message.finding(reason=change.untested or NO_REASON, **changes.naming, **values)


def caveat(changes: Changes) -> Iterator[Finding]:
    """Yield whether the material is the same on both sides."""
    if changes.revision is not None:
        values = changes.sides | sizes(changes.revision)
        yield CAVEATS[ground(changes.revision)].finding(**values)


# What moved beside the primary coefficient: other layers, marks in texts, all documents.

STRICT = "f_measure[strict]"

LAYER_ROSE = FindingTemplate("layer-changed", "good", "figures").saying(
    "In the layer {layer} agreement rose: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers)."
)
LAYER_FELL = LAYER_ROSE.saying(
    "In the layer {layer} agreement fell: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers).",
    "See which categories of {layer} fell, and what {later} says of them.",
    severity="problem",
)
LAYERS_OPEN = FindingTemplate("layers-open", "note", "figures").saying(
    "Chance alone could have moved agreement as much as it moved in {layers}."
)
LAYERS_UNTESTED = LAYERS_OPEN.saying("Whether agreement moved in {layers} was not tested.")
SPANS_ROSE = FindingTemplate("marks-changed", "good", "spans").saying(
    "Annotators mark the same stretches more often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, rose from {before} to {after} (p = {p})."
)
SPANS_FELL = SPANS_ROSE.saying(
    "Annotators mark the same stretches less often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, fell from {before} to {after} (p = {p}).",
    "See which types fell, and what {later} says of where a mark begins and ends.",
    severity="problem",
)
OTHERWISE = FindingTemplate("all-documents", "warning", "figures").saying(
    "Over all documents of each version {coefficient} went from {before} to {after}, {difference}; over the "
    "documents of both versions it moved by {shared}. The rest comes from the documents that only one "
    "version has.",
    "Cite the difference over the documents of both versions.",
)
OTHERWISE_UNITS = OTHERWISE.of_units()


def layers(changes: Changes) -> Iterator[Finding]:
    """Yield the other layers whose primary coefficient moved beyond chance, Holm over these, and the rest."""
    others = changes.other_layers
    moving = list(beyond_chance(others))
    for name, p, change in moving:
        values = {"layer": name, "coefficient": changes.coefficient_of(name)}
        message = LAYER_ROSE if _rose(change) else LAYER_FELL
        yield message.finding(**values, **changes.sides, **moved(change, p))
    unmoved = {
        name: p_of(change) for name, change in others.items() if name not in {name for name, *_ in moving}
    }
    if names := [name for name, p in unmoved.items() if p is not None]:
        yield LAYERS_OPEN.finding(**name_values("layers", names))
    if names := [name for name, p in unmoved.items() if p is None]:
        yield LAYERS_UNTESTED.finding(**name_values("layers", names))


def spans(changes: Changes) -> Iterator[Finding]:
    """Yield the layers whose marks in texts agree more, or less, than before, Holm over the layers."""
    by_layer: dict[str, SpanRevision] = {}
    for revision in changes.comparison.spans:
        if revision.layer not in by_layer or revision.basis == "shared":
            by_layer[revision.layer] = revision
    marked = {
        name: revision.measures[STRICT] for name, revision in by_layer.items() if STRICT in revision.measures
    }
    for name, p, change in beyond_chance(marked):
        yield (SPANS_ROSE if _rose(change) else SPANS_FELL).finding(
            layer=name, **changes.sides, **moved(change, p)
        )


def all_documents(changes: Changes) -> Iterator[Finding]:
    """Yield that a figure moved otherwise over all documents than over those of both versions."""
    own, change = changes.revision, changes.change
    if own is None or change is None or own.basis != "shared":
        return
    for revision in changes.comparison.unit_sets:
        of_all = revision.measures.get(own.figure)
        if (revision.layer, revision.unit_set, revision.basis) != (
            own.layer,
            own.unit_set,
            "all",
        ) or of_all is None:
            continue
        shared, difference = change.difference, of_all.difference
        if shared is not None and difference is not None and abs(difference - shared) >= NOTABLE:
            message = OTHERWISE_UNITS if own.clusters == "unit" else OTHERWISE
            yield message.finding(**changes.naming, **moved(of_all), difference=difference, shared=shared)


def _rose(change: Change) -> bool:
    return (change.difference or 0.0) > 0
