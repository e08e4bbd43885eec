"""What moved beside the primary coefficient: other layers, marks in texts, all documents."""

from collections.abc import Iterator

from reportgen.findings.changes.facts import NOTABLE, Changes, beyond_chance, moved, p_of
from reportgen.findings.facts import Message
from reportgen.findings.words import several
from reportgen.results import Finding, Value
from reportgen.results.revisions import Change, SpanRevision

STRICT = "f_measure[strict]"

LAYER_ROSE = Message(
    "layer-changed",
    "good",
    "figures",
    "In the layer {layer} agreement rose: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers).",
)
LAYER_FELL = Message(
    "layer-changed",
    "problem",
    "figures",
    "In the layer {layer} agreement fell: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers).",
    "See which categories of {layer} fell, and what {later} says of them.",
)
LAYERS_OPEN = Message(
    "layers-open",
    "note",
    "figures",
    "Chance alone could have moved agreement as much as it moved in {layers}.",
)
LAYERS_UNTESTED = Message(
    "layers-open", "note", "figures", "Whether agreement moved in {layers} was not tested."
)
SPANS_ROSE = Message(
    "marks-changed",
    "good",
    "spans",
    "Annotators mark the same stretches more often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, rose from {before} to {after} (p = {p}).",
)
SPANS_FELL = Message(
    "marks-changed",
    "problem",
    "spans",
    "Annotators mark the same stretches less often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, fell from {before} to {after} (p = {p}).",
    "See which types fell, and what {later} says of where a mark begins and ends.",
)
OTHERWISE = Message(
    "all-documents",
    "warning",
    "figures",
    "Over all documents of each version {coefficient} went from {before} to {after}, {difference}; on what "
    "stands in both versions it moved by {shared}. The rest is the documents that only one version has.",
    "Cite the difference on what stands in both versions; the other one is also one of material.",
)


def layers(changes: Changes) -> Iterator[Finding]:
    """Yield the other layers whose primary coefficient moved beyond chance, Holm over these, and the rest."""
    others = changes.other_layers
    moving = list(beyond_chance(others))
    for name, p, change in moving:
        values: dict[str, Value] = {"layer": name, "coefficient": changes.coefficient_of(name)}
        yield (LAYER_ROSE if _rose(change) else LAYER_FELL).found(
            **values, **changes.sides, **moved(change, p)
        )
    known = {name for name, *_ in moving}
    open_ = [name for name, each in others.items() if name not in known and p_of(each) is not None]
    untested = [name for name, each in others.items() if p_of(each) is None]
    if open_:
        yield LAYERS_OPEN.found(**several("layers", open_))
    if untested:
        yield LAYERS_UNTESTED.found(**several("layers", untested))


def spans(changes: Changes) -> Iterator[Finding]:
    """Yield the layers whose marks in texts agree more, or less, than before, Holm over the layers."""
    found: dict[str, SpanRevision] = {}
    for each in changes.comparison.spans:
        if each.layer not in found or each.basis == "shared":
            found[each.layer] = each
    known = {name: each.measures[STRICT] for name, each in found.items() if STRICT in each.measures}
    for name, p, change in beyond_chance(known):
        yield (SPANS_ROSE if _rose(change) else SPANS_FELL).found(
            layer=name, **changes.sides, **moved(change, p)
        )


def all_documents(changes: Changes) -> Iterator[Finding]:
    """Yield that all documents together tell another story than those that stand in both versions."""
    own, change = changes.revision, changes.change
    if own is None or change is None or own.basis != "shared":
        return
    for each in changes.comparison.unit_sets:
        whole = each.measures.get(own.figure)
        if (each.layer, each.unit_set, each.basis) != (own.layer, own.unit_set, "all") or whole is None:
            continue
        if _apart(change, whole):
            values = moved(whole) | {
                "difference": whole.difference or 0.0,
                "shared": change.difference or 0.0,
            }
            yield OTHERWISE.found(**changes.naming, **values)


def _apart(shared: Change, whole: Change) -> bool:
    """Tell whether two differences are further apart than what a reader would notice."""
    known = shared.difference is not None and whole.difference is not None
    return known and abs((whole.difference or 0.0) - (shared.difference or 0.0)) >= NOTABLE


def _rose(change: Change) -> bool:
    return (change.difference or 0.0) > 0
