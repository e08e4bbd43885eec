"""Is the annotation good? What a report opens with: a verdict on every layer, and what each rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reportgen.findings.certainty import Unfit, prevalent, unfit_for_thresholds
from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, FindingTemplate, ends, several
from reportgen.measures import NoInterval
from reportgen.results import Figure, Finding, Value

SPAN = "{coefficient} is {value}, and with 95% confidence between {low} and {high}."

HIGH = FindingTemplate("verdict", "good", "coefficients", f"Agreement is high: {SPAN}")
FAIR = HIGH.saying(f"Agreement is acceptable, but only with caution: {SPAN}", severity="note")
OPEN = HIGH.saying(f"It is undecided whether agreement is acceptable: {SPAN}", severity="warning")
LOW = HIGH.saying(f"Agreement is too low to draw conclusions: {SPAN}", severity="problem")
BELOW_CHANCE = HIGH.saying(
    f"Annotators agree less than by chance: {SPAN}",
    "Look for labels that were exchanged, and for exports that belong to different units.",
    severity="problem",
)
WHETHER = "This figure does not show whether agreement is good:"
UNFIT: dict[Unfit, FindingTemplate] = {
    "chance": FindingTemplate(
        "verdict", "warning", "coefficients", f"{SPAN} {WHETHER} it counts agreement by chance as agreement."
    ),
    "prevalence": FindingTemplate(
        "verdict",
        "warning",
        "coefficients",
        f"{SPAN} {WHETHER} {{label_share}} of all labels are {{category}}, and it stays high whatever the "
        "annotators do with the rest.",
    ),
}
NO_INTERVAL = HIGH.saying("{coefficient} is {value}, without an interval: {reason}.", severity="warning")
RARE_LABELS = HIGH.saying(
    "The data do not show whether agreement is high or low: {coefficient} is {value}, "
    "but only {others} of {labels} labels are anything but {category}.",
    "Annotate more texts in which the rarer labels occur.",
    severity="warning",
)
UNDEFINED = HIGH.saying("{coefficient} can't be computed: {reason}.", severity="warning")
ABSENT = "it does not exist for these annotators and this scale"

# What is said of several layers, the worst first; layers without a verdict come second.
ON = "on {count} of {all} layers: {names}."
NO_VERDICT = HIGH.saying(f"There is no verdict {ON}", severity="warning")
OVER_LAYERS: Mapping[str, FindingTemplate] = {
    LOW.claim: replace(LOW, claim=f"Agreement is too low to draw conclusions {ON}"),
    "": NO_VERDICT,
    OPEN.claim: replace(OPEN, claim=f"The data leave open whether agreement is acceptable {ON}"),
    FAIR.claim: replace(FAIR, claim=f"Agreement is acceptable with caution {ON}"),
    HIGH.claim: replace(HIGH, claim=f"Agreement is high {ON}"),
}
NAMES_SHOWN = 8

RESTS = FindingTemplate("caveat", "note", "confusion-matrix", "The figure comes from {units} {noun}.")
COMMON = (
    "{category} makes up {label_share} of all labels, with a specific agreement of "
    "{common}. For the other categories only {marked} of {units} {noun} count"
)
RARE = FindingTemplate(
    "caveat",
    "note",
    "specific-agreement",
    f"{COMMON}: among these, specific agreement is lowest on {{lowest_category}} ({{lowest}}) and highest on "
    "{highest_category} ({highest}).",
)
RARE_ALIKE = RARE.saying(f"{COMMON}, with a specific agreement of {{lowest}} on each.")
RARE_ONE = RARE.saying(f"{COMMON}: specific agreement on {{other}} is {{lowest}}.")
CATEGORIES = RARE.saying(
    "Over {units} {noun}, specific agreement is lowest on {lowest_category} ({lowest}) and highest on "
    "{highest_category} ({highest})."
)
ALIKE = RARE.saying("Over {units} {noun}, specific agreement is {lowest} on each category.")
# Categories whose specific agreements differ by less are as good as one another on the page.
SAME = 0.0005
BY_CATEGORY = ("nominal", "set")


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield the layer's primary coefficient held against Krippendorff's two thresholds, by its interval."""
    figure, coefficient = facts.figure, facts.coefficient
    span = ends(figure)
    if figure is None or figure.value is None:
        why = figure.undefined if figure else ABSENT
        yield UNDEFINED.found(coefficient=coefficient, reason=why or "")
    elif span is None and _is_rare(figure) and (common := prevalent(facts)):
        yield RARE_LABELS.found(coefficient=coefficient, value=figure.value, **_others(facts, common[0]))
    elif span is None:
        yield NO_INTERVAL.found(coefficient=coefficient, value=figure.value, reason=_why_open(figure))
    else:
        values: dict[str, Value] = {"value": figure.value, "low": span[0], "high": span[1]}
        unfit, common = unfit_for_thresholds(facts), prevalent(facts)
        category: dict[str, Value] = {"category": common[0], "label_share": common[1]} if common else {}
        yield (
            UNFIT[unfit].found(coefficient=coefficient, **values, **category)
            if unfit
            else _level(*span).found(coefficient=coefficient, **values)
        )


def _is_rare(figure: Figure) -> bool:
    return figure.interval is not None and figure.interval.undefined == NoInterval.RARE


def _others(facts: Facts, category: str) -> dict[str, Value]:
    """Return how many labels are another than the commonest."""
    labels = facts.unit_set.labels
    whole = sum(labels.values())
    return {"category": category, "labels": whole, "others": whole - labels[category]}


def _why_open(figure: Figure) -> str:
    return (figure.interval.undefined if figure.interval else None) or ""


def _level(low: float, high: float) -> FindingTemplate:
    if low >= RELIABLE:
        return HIGH
    if low >= TENTATIVE:
        return FAIR
    if high < 0:
        return BELOW_CHANCE
    return LOW if high < TENTATIVE else OPEN


def over_layers(by_layer: Mapping[str, Finding]) -> Iterator[Finding]:
    """Yield one verdict for the layers that have the same, the gravest first, given each layer's own."""
    groups: dict[str, list[str]] = {claim: [] for claim in OVER_LAYERS}
    for layer, own in by_layer.items():
        claim = LOW.claim if own.claim == BELOW_CHANCE.claim else own.claim
        groups[claim if claim in groups else ""].append(layer)
    for claim, layers in groups.items():
        if layers:
            values = several("names", layers, NAMES_SHOWN) | {"count": len(layers), "all": len(by_layer)}
            yield OVER_LAYERS[claim].found(**values).model_copy(update={"layers": tuple(layers)})


def caveat(facts: Facts) -> Iterator[Finding]:
    """Yield what the coefficient rests on, and what it hides."""
    # A set that prevails is no category: agreement is told label by label.
    common, pair = None if facts.unit_set.sets else prevalent(facts), facts.pair
    # Those that one annotator alone rated say nothing.
    units = facts.unit_set.units_compared
    known = _specific(facts) if facts.unit_set.scale in BY_CATEGORY else []
    if not units:
        return
    if len(known) <= 1:
        yield RESTS.found(units=units)
    elif common and pair and (rest := [each for each in known if each[1] != common[0]]):
        shown = next((value for value, name in known if name == common[0]), None)
        marked = units - pair.confusion.count(common[0], common[0])
        values: dict[str, Value] = {"category": common[0], "label_share": common[1], "marked": marked}
        if shown is not None:
            yield _rare(rest).found(units=units, common=shown, **values, **_range(rest))
    else:
        yield (ALIKE if _is_level(known) else CATEGORIES).found(units=units, **_range(known))


def _specific(facts: Facts) -> list[tuple[float, str]]:
    """Return the specific agreement of each category that has one."""
    figures = sorted(facts.unit_set.specific_agreement.items())
    return [(figure.value, name) for name, figure in figures if figure.value is not None]


def _is_level(known: list[tuple[float, str]]) -> bool:
    return max(known)[0] - min(known)[0] < SAME


def _rare(rest: list[tuple[float, str]]) -> FindingTemplate:
    """Return what to say of the categories beside the common one."""
    if len(rest) == 1:
        return RARE_ONE
    return RARE_ALIKE if _is_level(rest) else RARE


def _range(known: list[tuple[float, str]]) -> dict[str, Value]:
    """Return the categories of lowest and highest specific agreement."""
    (lowest, low_name), (highest, high_name) = min(known), max(known)
    return {
        "lowest": lowest,
        "lowest_category": low_name,
        "other": low_name,
        "highest": highest,
        "highest_category": high_name,
    }
