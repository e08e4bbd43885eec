"""What do the disagreements of a report have in common? The second half of what it opens with."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reportgen.catalogue import BY_ID
from reportgen.findings.annotator_pairs import copies
from reportgen.findings.layer_facts import Facts, FindingTemplate, Values
from reportgen.results import Finding, Results
from reportgen.results.causes import AllDisagreements, Cause, CauseKind

CAUSE = FindingTemplate("cause", "note", "all-disagreements", kind="cause")
BY_KIND: Mapping[CauseKind, FindingTemplate] = {
    "one-sided": replace(
        CAUSE.saying(
            "{cause_share} of all {total} disagreements are what only {annotator} marked.",
            "Decide what to mark at all.",
        ),
        people=("annotator",),
    ),
    "marks-more": replace(
        CAUSE.saying(
            "{cause_share} of all {total} disagreements are what {annotator} marked and another did not.",
            "Go through these marks with {annotator}, and decide what to mark at all.",
        ),
        people=("annotator",),
    ),
    "marks-less": replace(
        CAUSE.saying(
            "{cause_share} of all {total} disagreements are what others marked and {annotator} did not.",
            "Go through these marks with {annotator}, and decide what to mark at all.",
        ),
        people=("annotator",),
    ),
    "annotator": CAUSE.saying(
        "{cause_share} of all {total} disagreements are between {annotator} and the others; it would be "
        "{expected_share} if {annotator} agreed as they do.",
        "Go through the guidelines with {annotator}, on the units where {annotator} is alone.",
    ),
    "direction": CAUSE.saying(
        "{cause_share} of all {total} disagreements are cases where {first} chose {category} and {second} "
        "{other}.",
        "Decide together when to choose {category} and when {other}.",
    ),
    "labels": CAUSE.saying(
        "{cause_share} of all {total} disagreements are between {category} and {other}; chance would put "
        "{expected_share} there.",
        "Decide how to tell {category} from {other}.",
    ),
    "label": CAUSE.saying(
        "{cause_share} of all {total} disagreements are about {category}; it would be {expected_share} if "
        "{category} were as clear as the rest.",
        "Decide when to choose {category}.",
    ),
    "document": CAUSE.saying(
        "{cause_share} of all {total} disagreements are in one document, {document}; it would be "
        "{expected_share} if it were like the others.",
        "Read {document} together: something about it is different, or somebody labelled it by other rules.",
    ),
    "layer": CAUSE.saying(
        "{cause_share} of all {total} disagreements are in one layer, {layer_name}; it would be "
        "{expected_share} if it were as clear as the others.",
        "Begin with the guidelines of {layer_name}.",
    ),
    "ends": CAUSE.saying(
        "{cause_share} of all {total} disagreements are about where marks begin and end.",
        "Decide where marks begin and end.",
    ),
}
# What settling the first would bring: of one layer, or of several from the lowest to the highest.
SETTLED_ONE = CAUSE.saying("If that were settled, {coefficient} would be about {reached} instead of {now}.")
SETTLED_SEVERAL = CAUSE.saying(
    "If that were settled, agreement beyond chance would be about {low_reached} to {high_reached} by layer."
)
NO_MORE = "they are not concentrated on one person, label or document."
NO_SINGLE = CAUSE.saying(
    f"The {{total}} disagreements between two annotators have no single cause: {NO_MORE}"
)
NO_SINGLE_OF_OMISSIONS = CAUSE.saying(
    f"Most of the {{total}} disagreements are marks that only one of two annotators made; {NO_MORE}"
)
NOT_COMPARED = CAUSE.saying(
    "The {total} disagreements between two annotators are not concentrated on one label or document. Whether "
    "they are on one person is not known: that takes three annotators who labelled the same.",
    "Have three annotators or more label some of the same.",
)


def cause(facts: Facts) -> Iterator[Finding]:
    """Yield what many of all disagreements have in common, or that nothing was found."""
    found = facts.results.disagreements
    if found is None or not found.candidates or _asks_otherwise(facts):
        return
    told = _told(facts.results, found)
    for own in told:
        yield BY_KIND[own.kind].finding(**_values(found, own))
    for own in told[:1]:
        yield from _settled(facts, own)
    if not found.causes:
        omitted = sum(part.cases for part in found.parts if part.kind == "omission")
        template = NO_SINGLE_OF_OMISSIONS if 2 * omitted > found.total else NO_SINGLE
        template = NOT_COMPARED if found.people_compared is False else template
        yield template.finding(total=found.total)


def _told(results: Results, found: AllDisagreements) -> list[Cause]:
    """Return the causes that are told: beside copies, who agree with each other, nobody is one."""
    beside = any(copies(Facts(results, layer)) for layer in results.layers)
    return [own for own in found.causes if not (beside and own.kind == "annotator")]


def first_cause(results: Results) -> Cause | None:
    """Return what explains most disagreements of a report that names it; None without one."""
    named = any(finding.kind == "cause" and finding.subject is None for finding in results.findings)
    found = results.disagreements if named else None
    return next(iter(_told(results, found)), None) if found else None


def _asks_otherwise(facts: Facts) -> bool:
    """Tell whether a layer has another subject than single labels of annotators."""
    results = facts.results
    return any(results.subject_of(layer) != "annotators" for layer in results.layers)


def _values(found: AllDisagreements, own: Cause) -> Values:
    """Return what messages say of a cause."""
    labels, people = own.labels or (), own.annotators or ()
    return {
        "total": found.total,
        "cause_share": own.cases / found.total,
        "expected_share": own.expected / found.total,
        "category": labels[0] if labels else None,
        "other": labels[1] if len(labels) > 1 else None,
        "annotator": people[0] if len(people) == 1 else None,
        "first": people[0] if len(people) > 1 else None,
        "second": people[1] if len(people) > 1 else None,
        "document": own.document,
        "layer_name": own.layer,
    }


def _settled(facts: Facts, own: Cause) -> Iterator[Finding]:
    """Yield what agreement beyond chance would be, about, if a cause were settled, where that is known."""
    values = unweighted(facts.results)
    reached = {layer: own.without(layer, value) for layer, value in values.items()}
    if len(reached) < len(facts.results.layers):
        return
    if len(reached) == 1:
        layer = facts.results.layers[0]
        yield SETTLED_ONE.finding(coefficient=facts.coefficient, now=values[layer], reached=reached[layer])
        return
    yield SETTLED_SEVERAL.finding(low_reached=min(reached.values()), high_reached=max(reached.values()))


def unweighted(results: Results) -> dict[str, float]:
    """Return the value of each layer's coefficient where it corrects for chance and takes labels as names."""
    figures = {
        layer: results.primary_of(layer).measures.get(name)
        for layer, name in results.coefficients.items()
        if "[" not in name and BY_ID[name].kind != "share"
    }
    return {layer: figure.value for layer, figure in figures.items() if figure and figure.value is not None}
