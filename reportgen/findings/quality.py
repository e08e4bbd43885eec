"""Who was rejected, who labels at random, and whose agreement drifts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reportgen.findings.facts import Facts, Message
from reportgen.findings.words import of_layer, several
from reportgen.results import Finding, Value
from reportgen.results.quality import Drift, Quality, Standing

LEVEL = 0.05
NAMES_SHOWN = 5

REJECTED = Message(
    "rejected-annotators",
    "warning",
    "quality",
    "Control items made the campaign reject {people} of {all} annotators: {names}. Their marks are left "
    "out of agreement.",
    "Report agreement with and without them, and that the rule stood before the marks did.",
)
NEAR_CHANCE = Message(
    "near-chance",
    "warning",
    "quality",
    "By the model of Dawid and Skene, labels of {names} are right hardly more often than the same labels "
    "given at random.",
    "Look at their labels: somebody may have misread the guidelines, or not read the units.",
)
BELOW_CHANCE = Message(
    "below-chance",
    "warning",
    "quality",
    "By the model of Dawid and Skene, labels of {names} are right less often than the same labels given at "
    "random.",
    "Look at their confusions: somebody may have two labels the wrong way round, or have read the guidelines "
    "against their sense.",
)
DRIFT = Message(
    "drift",
    "warning",
    "quality",
    "As the {over} go on, the agreement of {names} with the others changes by {change} (p = {p}, Holm).",
    "Where it falls, pause and go through the guidelines again; where it rises, redo the first {over}.",
)
# Where a third annotated the same, drift is told from documents that are harder for all.
DRIFT_BESIDE = replace(
    DRIFT,
    claim="As the {over} go on, the agreement of {names} with the others changes by {change}, compared with "
    "how these agree among themselves (p = {p}, Holm).",
)


def rejected(facts: Facts) -> Iterator[Finding]:
    """Yield whom control items made the campaign reject."""
    for layer in facts.results.quality or ():
        if layer.controls and layer.controls.rejected:
            names = layer.controls.rejected
            everybody = layer.controls.annotators_in_all
            yield REJECTED.found(people=len(names), all=everybody, **_named(facts, layer, names))


def near_chance(facts: Facts) -> Iterator[Finding]:
    """Yield who is right hardly more often than chance, or less, by the model of Dawid and Skene."""
    for layer in facts.results.quality or ():
        model = layer.dawid_skene.annotators
        below = [each.annotator for each in model if each.below_chance]
        near = [each.annotator for each in model if each.near_chance]
        for message, names in ((BELOW_CHANCE, below), (NEAR_CHANCE, near)):
            if names:
                yield message.found(**_named(facts, layer, names))


def _named(facts: Facts, layer: Quality, names: Iterable[str]) -> dict[str, Value]:
    """Return the first few names, with the layer where there are several."""
    values = several("names", names, NAMES_SHOWN)
    layers = {each.layer for each in facts.results.unit_sets}
    return of_layer("names", layer.layer, values) if len(layers) > 1 else values


def drift(facts: Facts) -> Iterator[Finding]:
    """Yield whose agreement with the others changes as documents go on."""
    for layer in facts.results.quality or ():
        over = "documents" if layer.by_document else "units"
        message = DRIFT if all(each.others is None for each in layer.annotators) else DRIFT_BESIDE
        for p, change, name in sorted(_drifting(layer.annotators))[:NAMES_SHOWN]:
            yield message.found(over=over, change=change, p=p, **_named(facts, layer, [name]))


def _drifting(annotators: Iterable[Standing]) -> Iterator[tuple[float, float, str]]:
    for each in annotators:
        found = each.drift
        if found and found.adjusted_p is not None and found.adjusted_p < LEVEL and _own(found):
            yield found.adjusted_p, found.slope.value or 0.0, each.annotator


def _own(drift: Drift) -> bool:
    """Tell whether agreement itself moves as the slope says: else it is the others who drift."""
    moved = drift.blocks[-1].agreement - drift.blocks[0].agreement
    return moved * (drift.slope.value or 0.0) > 0
