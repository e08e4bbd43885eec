"""What a report opens with: is it good, can figures be trusted, what disagreements have in common."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from reportgen.catalogue import is_true_of
from reportgen.findings.layer_facts import (
    RELIABLE,
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    Values,
    ends,
    name_values,
)
from reportgen.measures import NoInterval
from reportgen.measures.analysis import may_be_conditions
from reportgen.measures.standard_errors import clusters_to_show
from reportgen.results import Figure, Finding, SuggestedScale
from reportgen.results.model import Level

# One category is nearly everywhere: what is hidden behind it.

# Above this share of all labels one category decides observed agreement.
PREVALENT = 0.8

# It counts agreement by chance as agreement, does not correct for one category that prevails, or is of marks
# of which nearly all are in chains: these are what people decided, and nothing is known of them.
Unfit = Literal["chance", "prevalence", "mentions"]
# Observed agreement that could fall by no more than this says nothing of the rare categories.
HARDLY = 0.1
NAMES_SHOWN = 5

PREVALENCE = FindingTemplate(
    "prevalence", "warning", "confusion-matrix", kind="limit", of_data="bias"
).saying(
    "{label_share} of all labels are {category}; the rest are {others}.",
    "Read the confusion matrix and the specific agreement of the rare categories first, "
    "and publish both with the coefficient.",
)
UNINFORMATIVE = FindingTemplate(
    "uninformative", "warning", "coefficients", kind="limit", of_data="limitation"
).saying(
    "Observed agreement ({observed}) and S ({s}) hardly depend on the rare categories: "
    "if annotators had disagreed on all {rare_units} {noun} with a label other than {category}, "
    "they would still be {observed_floor} and {s_floor}.",
    "Do not cite observed agreement or S alone for this campaign.",
)


def prevalent(facts: LayerFacts) -> tuple[str, float] | None:
    """Return the category that takes more than 80% of the labels, and its share."""
    labels = facts.unit_set.labels
    total = sum(labels.values())
    if not total or len(labels) == 1:
        return None
    category = max(facts.unit_set.wholes, key=lambda name: labels[name])
    share = labels[category] / total
    return (category, share) if share > PREVALENT else None


def unfit_for_thresholds(facts: LayerFacts) -> Unfit | None:
    """Return what makes the primary coefficient unfit for thresholds, None where nothing does.

    They are meant for agreement beyond chance: observed agreement includes that of chance, and where one
    category prevails some measures hardly see disagreement on the others.
    """
    if facts.layer in (facts.results.mentions or ()):
        return "mentions"
    if is_true_of(facts.measure, lambda measure: measure.kind == "share"):
        return "chance"
    blind = is_true_of(facts.measure, lambda measure: measure.blind_to_prevalence)
    return "prevalence" if blind and prevalent(facts) else None


def prevalence(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where one category prevails."""
    if not facts.unit_set.sets and (values := prevailing(facts)):
        yield _with_what_prevails(PREVALENCE, facts, str(values["category"])).finding(**values)


def _with_what_prevails(template: FindingTemplate, facts: LayerFacts, category: str) -> FindingTemplate:
    """Return a finding on a category that prevails; what nobody marked has a section of its own."""
    own = category == facts.unit_set.non_annotated
    return replace(template, evidence="non-annotated") if own else template


def prevailing(facts: LayerFacts) -> Values:
    """Return which category or set takes nearly all labels, and what the others are, nothing without one.

    Where there are no others, that is said of the categories that nobody used.
    """
    labels, common = facts.unit_set.labels, prevalent(facts)
    others = [name for name, times in labels.items() if times and common and name != common[0]]
    if not common or not others:
        return {}
    return {"category": common[0], "label_share": common[1], **name_values("others", others, NAMES_SHOWN)}


def uninformative(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how little observed agreement and S could fall under prevalence, whatever the annotators do."""
    common, pair = prevalent(facts), facts.pair
    if common is None or pair is None:
        return
    observed, s = pair.measures["observed_agreement"].value, pair.measures["bennett_s"].value
    if observed is None or s is None:
        return
    joint, units = pair.confusion.count(common[0], common[0]), pair.confusion.units
    if joint == units or observed - joint / units > HARDLY:
        return
    even, floor = 1 / len(pair.confusion.categories), joint / units
    yield _with_what_prevails(UNINFORMATIVE, facts, common[0]).finding(
        category=common[0],
        rare_units=units - joint,
        observed=observed,
        observed_floor=floor,
        s=s,
        s_floor=(floor - even) / (1 - even),
    )


# Intervals and documents: what more material would show.

FEW_DOCUMENTS = 20
# More material than this many times what there is will not be annotated.
MOST_TIMES = 20

STRADDLES = FindingTemplate(
    "straddles", "warning", "coefficients", kind="limit", of_data="limitation"
).saying(
    "The interval of {coefficient}, {low} to {high}, includes the threshold {threshold}, "
    "so the data do not show on which side agreement lies.",
    "Have {more} more documents like these annotated twice, {needed} in all, to decide it.",
)
STRADDLES_BY_UNIT = STRADDLES.of_units()
UNPLANNED = replace(STRADDLES, advice="Argue from the lower end, {low}.")
NO_DOCUMENTS = FindingTemplate(
    "no-documents", "warning", "coefficients", kind="limit", of_data="limitation"
).saying(
    "The data name no documents, so intervals treat units as independent: where several units come from one "
    "document, they are too narrow.",
    "Export labels with their documents, if they have any.",
)
SOME_DOCUMENTS = NO_DOCUMENTS.saying(
    "{alone} of {units} units name no document, and each of these counts as one of its own: where they come "
    "from the documents of other units, intervals are too narrow.",
    "Where only the first row of a document names it, write fill_down with that column under [[guidelines]]; "
    "else export every label with its document.",
)
OWN_DOCUMENTS = NO_DOCUMENTS.saying(
    "Each of the {units} units is a document of its own, so intervals treat units as independent: where "
    "several units come from one document, they are too narrow.",
    "Where several units come from one document, name the column that says from which: columns.document.",
    severity="note",
)
FEW = FindingTemplate("few-documents", "warning", "coefficients", kind="limit", of_data="limitation").saying(
    "Only {documents} documents were annotated more than once; intervals from fewer than {least} are rough.",
    "Have more documents annotated twice, rather than more units of the same ones.",
)
CONDITIONS = FEW.saying(
    "All {units} units are in {documents} documents: intervals from fewer than {least} are rough.",
    "If these are documents, have others annotated too. If they are conditions, such as topics or groups, "
    "name the column of units as that of documents too: then intervals take units as independent.",
)
WIDE = 0.1
WIDE_BY_DOCUMENT = FindingTemplate("wide", "note", "coefficients", kind="limit").saying(
    "The interval of {coefficient}, {low} to {high}, is wider than ± {width}, so smaller changes in "
    "agreement can hardly be detected.",
    "To get an interval of ± {width} with a probability of 80%, have {more} more documents like these "
    "annotated twice; for ± {half_width}, {many_more} more.",
)
WIDE_BY_UNIT = replace(WIDE_BY_DOCUMENT, advice=WIDE_BY_DOCUMENT.of_units().advice)


def straddles(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning for each threshold that lies inside the interval of the primary coefficient."""
    figure, span = facts.figure, ends(facts.figure)
    if figure is None or figure.value is None or span is None or unfit_for_thresholds(facts):
        return
    for threshold in (TENTATIVE, RELIABLE):
        if span[0] < threshold <= span[1]:
            gap = abs(figure.value - threshold)
            message, needed = (UNPLANNED, {}) if are_conditions(facts) else _to_tell(facts, gap)
            yield message.finding(
                coefficient=facts.coefficient, low=span[0], high=span[1], threshold=f"{threshold:g}", **needed
            )


def _to_tell(facts: LayerFacts, gap: float) -> tuple[FindingTemplate, Values]:
    """Return what more material would tell of a threshold so far from the figure, and how much it takes."""
    by_unit = not facts.unit_set.documents_compared
    here = facts.unit_set.units_compared if by_unit else facts.unit_set.documents_compared
    error = facts.figure.standard_error if facts.figure else None
    if not error or facts.unit_set.document_groups is not None:
        return UNPLANNED, {}
    needed = clusters_to_show(error * math.sqrt(here), gap)
    if needed is None:
        return UNPLANNED, {}
    more = max(needed - here, 1)
    values: Values = {"needed": here + more, "more": more}
    if needed > MOST_TIMES * here:
        return UNPLANNED, {}
    return (STRADDLES_BY_UNIT if by_unit else STRADDLES), values


def documents(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where documents are unknown or few, and something in them was compared."""
    unit_set, compared = facts.unit_set, facts.unit_set.documents_compared
    units = sum(unit_set.units_by_annotators.values())
    of_table = unit_set.base == "units" and unit_set.documents > 0
    if not unit_set.documents and unit_set.units_compared:
        yield NO_DOCUMENTS.finding()
    elif of_table and unit_set.units_alone:
        yield SOME_DOCUMENTS.finding(alone=unit_set.units_alone, units=units)
    elif of_table and unit_set.documents == units > 1:
        yield OWN_DOCUMENTS.finding(units=units)
    elif are_conditions(facts):
        yield CONDITIONS.finding(documents=compared, units=units, least=FEW_DOCUMENTS)
    elif 0 < compared < FEW_DOCUMENTS:
        yield FEW.finding(documents=compared, least=FEW_DOCUMENTS)


def are_conditions(facts: LayerFacts) -> bool:
    """Say whether what the layer's table calls documents may be conditions."""
    return may_be_conditions(facts.unit_set)


def wide(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a note where the interval of the primary coefficient is wide, with what would narrow it."""
    plan = (facts.unit_set.planning or {}).get(facts.measure)
    span = ends(facts.figure)
    # An interval that is cut at the largest value is as wide as it is shown.
    if (
        plan is None
        or span is None
        or are_conditions(facts)  # nobody can annotate more of these
        or min(plan.half_width, (span[1] - span[0]) / 2) <= WIDE
    ):
        return
    first, second = plan.goals[:2]
    message = WIDE_BY_DOCUMENT if facts.unit_set.documents_compared else WIDE_BY_UNIT
    yield message.finding(
        coefficient=facts.coefficient,
        low=span[0],
        high=span[1],
        width=f"{first.half_width:g}",
        half_width=f"{second.half_width:g}",
        more=first.more,
        many_more=second.more,
    )


# Is the annotation good? What a report opens with: a verdict on every layer, and what each rests on.

SPAN = "{coefficient} is {value}, and with 95% confidence between {low} and {high}."

VERDICT = FindingTemplate("verdict", "warning", "coefficients", kind="verdict", of_data="limitation")
HIGH = replace(VERDICT, severity="good", level="high", claim=f"Agreement is high: {SPAN}")
FAIR = replace(
    VERDICT,
    severity="note",
    level="tentative",
    claim=f"Agreement is acceptable, but only with caution: {SPAN}",
)
OPEN = replace(VERDICT, level="open", claim=f"It is undecided whether agreement is acceptable: {SPAN}")
LOW = replace(
    VERDICT, severity="problem", level="low", claim=f"Agreement is too low to draw conclusions: {SPAN}"
)
BELOW_CHANCE = replace(
    LOW,
    level="below-chance",
    claim=f"Annotators agree less than by chance: {SPAN}",
    advice="Look for labels that were exchanged, and for exports that belong to different units.",
)
BY_LEVEL: Mapping[Level, FindingTemplate] = {
    "high": HIGH,
    "tentative": FAIR,
    "open": OPEN,
    "low": LOW,
    "below-chance": BELOW_CHANCE,
}
WHETHER = "This figure does not show whether agreement is good:"
UNFIT: dict[Unfit, FindingTemplate] = {
    "chance": VERDICT.saying(f"{SPAN} {WHETHER} it counts agreement by chance as agreement."),
    "prevalence": VERDICT.saying(
        f"{SPAN} {WHETHER} {{label_share}} of all labels are {{category}}, and it stays high whatever the "
        "annotators do with the rest."
    ),
    "mentions": replace(
        VERDICT.saying(
            "This is coreference, and its chains were not compared: there is no verdict on the annotation."
        ),
        subject="annotators",
    ),
}
# Of labels that are compared as names though they seem to be none, and nobody declares that.
AS_NAMES = "Compared as names, {coefficient} is {value};"
ON_SCALE: dict[str, FindingTemplate] = {
    "ranks": VERDICT.saying(
        "Labels are whole numbers from {lowest} to {highest}. "
        f"{AS_NAMES} as ranks, Krippendorff's alpha is {{on_scale}}."
    ),
    "numbers": VERDICT.saying(
        f"Labels are numbers from {{lowest}} to {{highest}}. {AS_NAMES} as numbers, Krippendorff's alpha is "
        "{on_scale}."
    ),
    "words": VERDICT.saying(
        "Labels are words of a known order, from {lowest} to {highest}: as ranks they also need categories "
        f"in that order. {AS_NAMES} as ranks, Krippendorff's alpha is {{on_scale}}."
    ),
    "sets": VERDICT.saying(
        "Labels are sets: where a sign is between the members, they also need set_separator. "
        f"{AS_NAMES} as sets, Krippendorff's alpha is {{on_scale}}."
    ),
}
OTHER_SCALE = FindingTemplate("other-scale", "problem", "coefficients", asks="declare").saying(
    "Labels are compared as names, which they do not seem to be.",
    'Write scale = "{scale}" in campaign.toml, or scale = "nominal" if labels are names.',
)
OTHER_SCALE_OF_ONE = OTHER_SCALE.saying(
    OTHER_SCALE.claim,
    'Write scale = "{scale}" under the layer {layer} in campaign.toml, or scale = "nominal" if its labels '
    "are names.",
)
NO_INTERVAL = VERDICT.saying("{coefficient} is {value}, without an interval: {reason}.")
RARE_LABELS = VERDICT.saying(
    "The data do not show whether agreement is high or low: {coefficient} is {value}, "
    "but only {others} of {labels} labels are anything but {category}.",
    "Annotate more texts in which the rarer labels occur.",
)
UNDEFINED = VERDICT.saying("{coefficient} can't be computed: {reason}.")
ABSENT = "it does not exist for these annotators and this scale"

# What is said of several layers, the worst first; layers without a verdict come second.
ON = "on {count} of {all} layers: {names}."
NO_VERDICT = VERDICT.saying(f"There is no verdict {ON}")
OVER_LAYERS: Mapping[Level | None, FindingTemplate] = {
    "low": replace(LOW, claim=f"Agreement is too low to draw conclusions {ON}"),
    None: NO_VERDICT,
    "open": replace(OPEN, claim=f"The data leave open whether agreement is acceptable {ON}"),
    "tentative": replace(FAIR, claim=f"Agreement is acceptable with caution {ON}"),
    "high": replace(HIGH, claim=f"Agreement is high {ON}"),
}
LAYERS_SHOWN = 8


def verdict(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the layer's primary coefficient compared with Krippendorff's two thresholds, by its interval."""
    figure, coefficient = facts.figure, facts.coefficient
    span = ends(figure)
    if unfit_for_thresholds(facts) == "mentions":
        yield UNFIT["mentions"].finding()
    elif on_scale := suggested_scale(facts):
        suggested, as_names, reached = on_scale
        extremes: Values = {"lowest": suggested.low, "highest": suggested.high} if suggested.low else {}
        yield ON_SCALE[suggested.kind].finding(
            coefficient=coefficient, value=as_names, on_scale=reached, **extremes
        )
    elif figure is None or figure.value is None:
        why = figure.undefined if figure else ABSENT
        yield UNDEFINED.finding(coefficient=coefficient, reason=why or "")
    elif span is None and _without(figure) == NoInterval.RARE and (common := prevalent(facts)):
        yield RARE_LABELS.finding(coefficient=coefficient, value=figure.value, **_others(facts, common[0]))
    elif span is None:
        yield NO_INTERVAL.finding(coefficient=coefficient, value=figure.value, reason=_without(figure))
    else:
        values: Values = {"value": figure.value, "low": span[0], "high": span[1]}
        unfit, common = unfit_for_thresholds(facts), prevalent(facts)
        category: Values = {"category": common[0], "label_share": common[1]} if common else {}
        yield (
            UNFIT[unfit].finding(coefficient=coefficient, **values, **category)
            if unfit
            else BY_LEVEL[level_of(*span)].finding(coefficient=coefficient, **values)
        )


def suggested_scale(facts: LayerFacts) -> tuple[SuggestedScale, float, float] | None:
    """Return the scale that labels suggest and nobody declared, and the figures as names and on that scale.

    None where there is no such scale, or one of the figures is undefined.
    """
    suggested = (facts.results.suggested_scales or {}).get(facts.layer)
    reached, as_names = (figure.value if figure else None for figure in (suggested, facts.figure))
    return (
        None if suggested is None or as_names is None or reached is None else (suggested, as_names, reached)
    )


def other_scale(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the figure on the scale that labels suggest where they are compared as names."""
    if on_scale := suggested_scale(facts):
        suggested, as_names, reached = on_scale
        several = len(facts.results.layers) > 1
        yield (OTHER_SCALE_OF_ONE if several else OTHER_SCALE).gaining(
            abs(reached - as_names),
            coefficient=facts.coefficient,
            value=as_names,
            reached=reached,
            scale=suggested.scale,
            layer=facts.layer if several else None,
        )


def _without(figure: Figure) -> str:
    """Return why a figure has no interval."""
    return (figure.interval.undefined if figure.interval else None) or ""


def _others(facts: LayerFacts, category: str) -> Values:
    """Return how many labels are another than the commonest."""
    labels = facts.unit_set.labels
    total = sum(labels.values())
    return {"category": category, "labels": total, "others": total - labels[category]}


def level_of(low: float, high: float) -> Level:
    """Return which level agreement reaches by Krippendorff's two thresholds, given its interval."""
    if low >= RELIABLE:
        return "high"
    if low >= TENTATIVE:
        return "tentative"
    if high < 0:
        return "below-chance"
    return "low" if high < TENTATIVE else "open"


def over_layers(by_layer: Mapping[str, Finding]) -> Iterator[Finding]:
    """Yield one verdict for the layers that have the same, the gravest first, given each layer's own."""
    groups: dict[Level | None, list[str]] = {level: [] for level in OVER_LAYERS}
    for layer, own in by_layer.items():
        groups["low" if own.level == "below-chance" else own.level].append(layer)
    for level, layers in groups.items():
        if layers:
            values = name_values("names", layers, LAYERS_SHOWN) | {"count": len(layers), "all": len(by_layer)}
            yield OVER_LAYERS[level].finding(**values).model_copy(update={"layers": tuple(layers)})
