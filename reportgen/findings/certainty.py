"""How far can the figures be trusted, and what would more material tell? Intervals, documents, scales."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, FindingTemplate, ends, several
from reportgen.measures.planning import clusters_to_show
from reportgen.results import Finding, Value

# One category is nearly everywhere: what is hidden behind it.

# Above this share of all labels one category decides observed agreement.
PREVALENT = 0.8

# It counts agreement by chance as agreement, or does not correct for one category that prevails.
Unfit = Literal["chance", "prevalence"]
# Measures without any correction for chance.
UNCORRECTED = frozenset(("observed_agreement", "unanimous_agreement", "majority_agreement"))
# Measures that hardly fall where annotators disagree on the rare categories alone: their chance is uniform,
# is least where one category prevails, or is none.
BLIND_TO_PREVALENCE = frozenset(
    (
        "bangdiwala_b",
        "bennett_s",
        "finn_r",
        "gwet_ac1",
        "gwet_ac2",
        "maxwell_re",
        "pabak",
        "randolph_kappa",
    )
)
# Observed agreement that could fall by no more than this says nothing of the rare categories.
HARDLY = 0.1
NAMES_SHOWN = 5

PREVALENCE = FindingTemplate(
    "prevalence",
    "warning",
    "confusion-matrix",
    "{label_share} of all labels are {category}; the rest are {others}.",
    "Read the confusion matrix and the specific agreement of the rare categories first, "
    "and publish both with the coefficient.",
)
UNINFORMATIVE = FindingTemplate(
    "uninformative",
    "warning",
    "coefficients",
    "Observed agreement ({observed}) and S ({s}) hardly depend on the rare categories: "
    "had annotators disagreed on all {rare_units} {noun} that are not simply {category}, "
    "they would still be {observed_floor} and {s_floor}.",
    "Do not cite observed agreement or S alone for this campaign.",
)


def prevalent(facts: Facts) -> tuple[str, float] | None:
    """Return the category that takes more than 80% of the labels, and its share."""
    labels = facts.unit_set.labels
    whole = sum(labels.values())
    if not whole or len(labels) == 1:
        return None
    category = max(facts.unit_set.categories, key=lambda name: labels[name])
    share = labels[category] / whole
    return (category, share) if share > PREVALENT else None


def unfit_for_thresholds(facts: Facts) -> Unfit | None:
    """Return what makes the primary coefficient unfit for thresholds, None where nothing does.

    They are meant for agreement beyond chance: observed agreement includes that of chance, and where one
    category prevails some measures hardly see disagreement on the others.
    """
    measure = facts.measure.partition("[")[0]
    if measure in UNCORRECTED:
        return "chance"
    return "prevalence" if measure in BLIND_TO_PREVALENCE and prevalent(facts) else None


def prevalence(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where one category prevails."""
    if not facts.unit_set.sets and (values := prevailing(facts)):
        yield PREVALENCE.found(**values)


def prevailing(facts: Facts) -> dict[str, Value]:
    """Return which category or set takes nearly all labels, and what the others are, nothing without one."""
    if (common := prevalent(facts)) is None:
        return {}
    labels = facts.unit_set.labels
    others = [name for name in facts.unit_set.categories if name != common[0] and labels[name]]
    return {"category": common[0], "label_share": common[1], **several("others", others, NAMES_SHOWN)}


def uninformative(facts: Facts) -> Iterator[Finding]:
    """Yield how little observed agreement and S could fall under prevalence, whatever the annotators do."""
    common, pair = prevalent(facts), facts.pair
    if common is None or pair is None:
        return
    observed, s = pair.measures["observed_agreement"].value, pair.measures["bennett_s"].value
    if observed is None or s is None:
        return
    joint, units = pair.confusion.count(common[0], common[0]), pair.confusion.units
    if observed - joint / units > HARDLY:
        return
    even, floor = 1 / len(pair.confusion.categories), joint / units
    yield UNINFORMATIVE.found(
        category=common[0],
        rare_units=units - joint,
        observed=observed,
        observed_floor=floor,
        s=s,
        s_floor=(floor - even) / (1 - even),
    )


# How far can the figures be trusted, and what would more material tell? Intervals, documents, scales.

FEW_DOCUMENTS = 20
# More material than this many times what there is will not be annotated.
MOST_TIMES = 20
TWO = 2

STRADDLES = FindingTemplate(
    "straddles",
    "warning",
    "coefficients",
    "The interval of {coefficient}, {low} to {high}, includes the threshold {threshold}, "
    "so the data do not show on which side agreement lies.",
    "Have {more} more documents like these annotated twice, about {needed} in all: if the figure stays the "
    "same, that decides it with a chance of four in five.",
)
STRADDLES_BY_UNIT = STRADDLES.of_units()
TOO_CLOSE = replace(
    STRADDLES,
    advice="The figure is so close to the threshold that more than twenty times as many documents like these "
    "would be needed to decide it. Argue from the lower end, {low}.",
)
TOO_CLOSE_BY_UNIT = TOO_CLOSE.of_units()
AT_THRESHOLD = replace(
    STRADDLES,
    advice=(
        "The figure is practically at the threshold: more material may not decide it. Argue "
        "from the lower end, {low}."
    ),
)
UNPLANNED = replace(STRADDLES, advice="Argue from the lower end, {low}.")
NO_DOCUMENTS = FindingTemplate(
    "no-documents",
    "warning",
    "coefficients",
    "The data name no documents, so intervals treat units as independent. Units of one "
    "document seldom are: the intervals are probably too narrow.",
    "Export labels with their documents.",
)
FEW = FindingTemplate(
    "few-documents",
    "warning",
    "coefficients",
    "Only {documents} documents were annotated more than once; intervals from fewer than {least} are rough.",
    "Have more documents annotated twice, rather than more units of the same ones.",
)
FINN = FindingTemplate(
    "finn",
    "note",
    "coefficients",
    "Finn's R ({finn}) treats categories as the numbers 1 to {categories} in their order; on a nominal scale "
    "it would change with the order, and like S ({s}) it takes chance to be uniform.",
    "Do not cite Finn's R for nominal categories.",
)
WIDE = 0.1
WIDE_BY_DOCUMENT = FindingTemplate(
    "wide",
    "note",
    "coefficients",
    "The interval of {coefficient}, {low} to {high}, is wider than ± {width}: smaller "
    "changes of agreement will hardly show.",
    "For about ± {width}, have {more} more documents like these annotated twice; for ± "
    "{half_width}, {many_more}.",
)
WIDE_BY_UNIT = replace(WIDE_BY_DOCUMENT, advice=WIDE_BY_DOCUMENT.of_units().advice)


def straddles(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each threshold that lies inside the interval of the primary coefficient."""
    figure, span = facts.figure, ends(facts.figure)
    if figure is None or figure.value is None or span is None or unfit_for_thresholds(facts):
        return
    for threshold in (TENTATIVE, RELIABLE):
        if span[0] < threshold <= span[1]:
            message, needed = _to_tell(facts, abs(figure.value - threshold))
            yield message.found(
                coefficient=facts.coefficient,
                low=span[0],
                high=span[1],
                threshold=f"{threshold:g}",
                **needed,
            )


def _to_tell(facts: Facts, gap: float) -> tuple[FindingTemplate, dict[str, Value]]:
    """Return what more material would tell of a threshold so far from the figure, and how much it takes."""
    by_unit = not facts.unit_set.documents_compared
    here = facts.unit_set.units_compared if by_unit else facts.unit_set.documents_compared
    error = facts.figure.standard_error if facts.figure else None
    if not error:
        return UNPLANNED, {}
    needed = clusters_to_show(error * math.sqrt(here), gap)
    if needed is None:
        return AT_THRESHOLD, {}
    more = max(needed - here, 1)
    values: dict[str, Value] = {"needed": here + more, "more": more}
    if needed > MOST_TIMES * here:
        return (TOO_CLOSE_BY_UNIT if by_unit else TOO_CLOSE), values
    return (STRADDLES_BY_UNIT if by_unit else STRADDLES), values


def documents(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where documents are unknown or few, and something in them was compared."""
    known = facts.unit_set.documents_compared
    if not facts.unit_set.documents and facts.unit_set.units_compared:
        yield NO_DOCUMENTS.found()
    elif 0 < known < FEW_DOCUMENTS:
        yield FEW.found(documents=known, least=FEW_DOCUMENTS)


def wide(facts: Facts) -> Iterator[Finding]:
    """Yield a note where the interval of the primary coefficient is wide, with what would narrow it."""
    plan = (facts.unit_set.planning or {}).get(facts.measure)
    span = ends(facts.figure)
    # An interval that is cut at the largest value is as wide as it is shown.
    if plan is None or span is None or min(plan.half_width, (span[1] - span[0]) / 2) <= WIDE:
        return
    first, second = plan.goals[:2]
    message = WIDE_BY_DOCUMENT if facts.unit_set.documents_compared else WIDE_BY_UNIT
    yield message.found(
        coefficient=facts.coefficient,
        low=span[0],
        high=span[1],
        width=f"{first.half_width:g}",
        half_width=f"{second.half_width:g}",
        more=first.more,
        many_more=second.more,
    )


def finn(facts: Facts) -> Iterator[Finding]:
    """Yield a note on Finn's R where the categories are no numbers.

    Of two categories, or where all agree, any order is alike.
    """
    measures = facts.unit_set.measures
    figure, s = measures.get("finn_r"), measures.get("bennett_s")
    if (
        facts.unit_set.scale == "nominal"
        and len(facts.unit_set.categories) > TWO
        and figure
        and s
        and figure.value is not None
        and figure.value < 1
        and s.value is not None
    ):
        yield FINN.found(finn=figure.value, s=s.value, categories=len(facts.unit_set.categories))
