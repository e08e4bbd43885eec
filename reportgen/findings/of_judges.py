"""May a model's labels be used, and for what? What a report on a model as judge opens with."""

import math
from collections.abc import Iterator

from reportgen.catalogue import BY_ID
from reportgen.findings import of_systems
from reportgen.findings.certainty import ABSENT, level_of
from reportgen.findings.layer_facts import TENTATIVE, Facts, FindingTemplate, Values, answer_of, ends
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.annotators import Comparison, Judge, JudgedCategory
from reportgen.results.model import Level

KAPPA = "cohen_kappa"

VERDICT = FindingTemplate(
    "verdict", "warning", "judges", kind="verdict", of_data="limitation", subject="judge"
)
WITH = "{coefficient} of {model} with {human} is {value} ({low} to {high})"
MINIMUM = f"{WITH}, where {{minimum}} is the usual minimum."
BY_LEVEL: dict[Level, FindingTemplate] = {
    "high": VERDICT.saying(
        f"The labels of {{model}} may be used in place of a human's: {WITH}.", severity="good"
    ),
    "tentative": VERDICT.saying(
        f"The labels of {{model}} may be used one by one, but only with caution: {WITH}.", severity="note"
    ),
    "open": VERDICT.saying(
        f"It is undecided whether the labels of {{model}} may be used one by one: {MINIMUM}"
    ),
    "low": VERDICT.saying(
        f"The labels of {{model}} are not to be used one by one: {MINIMUM} Shares may be "
        "reported after correction.",
        severity="problem",
    ),
    "below-chance": VERDICT.saying(
        f"The labels of {{model}} are of no use: {WITH}, less than by chance.",
        "Look for labels that were exchanged, and at what the model was asked.",
        severity="problem",
    ),
}
NO_INTERVAL = VERDICT.saying(
    "{coefficient} of {model} with {human} is {value}, without an interval: {reason}. Sensitivity is "
    "{sensitivity} and specificity {specificity} for {category}."
)
UNDEFINED = VERDICT.saying("The labels of {model} can't be compared with those of {human}: {reason}.")

RESTS = FindingTemplate("caveat", "note", "judges", kind="caveat")
REPORTED = "{model} would report {reported_share} {category}"
CORRECTED = RESTS.saying(
    f"{REPORTED}; the corrected share is {{corrected_share}} ({{low_share}} to {{high_share}}), over "
    "{every} units of which {human} labelled {units}."
)
FOUND = RESTS.saying(f"{REPORTED}, where {{human}} finds {{found_share}} in the same {{units}} units.")

# Sensitivity and specificity of a category, where the model errs most.
ERRS = FindingTemplate("judge-errs", "warning", "judges", categories=("category",), asks="choose").saying(
    "{model} errs most on {category}: it finds {sensitivity_share} of what {human} calls so, and "
    "{precision_share} of what it calls so is so.",
    "Say in the prompt when to choose {category}, with examples, and have people check these labels.",
)
SHARE = FindingTemplate("judge-share", "warning", "judges", categories=("category",), of_data="bias").saying(
    "{model} gives {category} to {reported_share} of units, where {human} gives it to {found_share}.",
    "Report the share of {category} only after correction.",
)
# Below this φ a category is worth a word.
WEAK = 0.667
# A difference of shares that would change what a reader concludes.
NOTABLE = 0.02
# Differences that are equal but for rounding.
DIGITS = 9


def judge_of(facts: Facts) -> Judge | None:
    """Return the model of a layer that agrees with the human most."""
    own = [judge for judge in facts.results.judges or () if judge.layer == facts.layer]
    return max(own, key=lambda judge: _kappa_value(facts, judge), default=None)


def _kappa_value(facts: Facts, judge: Judge) -> float:
    figure = kappa(facts, judge)[1]
    return figure.value if figure and figure.value is not None else -math.inf


def kappa(facts: Facts, judge: Judge) -> tuple[str, Figure | None]:
    """Return agreement beyond chance of a model with its human: which coefficient, and what it is."""
    figure_id, figure = _beyond_chance(facts, judge)
    return (BY_ID[KAPPA].name if figure_id == KAPPA else facts.coefficient), figure


def _beyond_chance(facts: Facts, judge: Judge) -> tuple[str, Figure | None]:
    """Return Cohen's kappa of a model with its human, else the primary coefficient, behind its id."""
    comparisons = facts.results.comparisons
    for pair in comparisons.pairs if comparisons else ():
        if _is_of(pair, judge):
            name = KAPPA if KAPPA in pair.measures else facts.measure
            return name, pair.measures.get(name)
    return facts.measure, None


def _is_of(pair: Comparison, judge: Judge) -> bool:
    place = pair.layer, pair.unit_set, pair.other
    return place == (judge.layer, judge.unit_set, judge.model) and judge.human in {pair.key, MANY}


MANY = "the majority"


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield whether a model's labels may be used one by one, by the interval of kappa with the human."""
    judge = judge_of(facts)
    if judge is None:
        yield from of_systems.verdict(facts)
        return
    coefficient, figure = kappa(facts, judge)
    values: Values = {"model": judge.model, "human": judge.human, "coefficient": coefficient}
    if figure is None or figure.value is None:
        yield UNDEFINED.finding(reason=(figure.undefined if figure else None) or ABSENT, **values)
        return
    values["value"] = figure.value
    span = ends(figure)
    if span is None:
        name, category = rarest(judge)
        yield NO_INTERVAL.finding(
            reason=(figure.interval.undefined if figure.interval else None) or ABSENT,
            category=name,
            sensitivity=category.sensitivity.value,
            specificity=category.specificity.value,
            **values,
        )
        return
    level = level_of(*span)
    bound: Values = {"minimum": TENTATIVE} if level in {"open", "low"} else {}
    yield BY_LEVEL[level].finding(low=span[0], high=span[1], **bound, **values)


def answer(facts: Facts) -> SubjectFigure | None:
    """Return agreement beyond chance of the model that the verdict names with its human."""
    judge = judge_of(facts)
    if judge is None:
        return of_systems.answer(facts)
    name, figure = _beyond_chance(facts, judge)
    return answer_of(facts, name, figure, who=judge.model, against=judge.human, units=judge.units)


def rarest(judge: Judge) -> tuple[str, JudgedCategory]:
    """Return the category that the human gave least often, but gave: what a judge mostly looks for."""
    given = [(name, own) for name, own in judge.categories.items() if own.human] or [
        *judge.categories.items()
    ]
    return min(given, key=lambda item: (item[1].human, item[0]))


def caveat(facts: Facts) -> Iterator[Finding]:
    """Yield the share that a model would report of the rarest category, and the corrected one."""
    judge = judge_of(facts)
    if judge is None:
        yield from of_systems.caveat(facts)
        return
    name, category = rarest(judge)
    values: Values = {"category": name, "model": judge.model, "human": judge.human, "units": judge.units}
    values["reported_share"] = category.reported_share.value
    corrected = category.corrected_share
    span = ends(corrected)
    if corrected and span:
        yield CORRECTED.finding(
            corrected_share=corrected.value,
            low_share=span[0],
            high_share=span[1],
            every=judge.units + judge.alone,
            **values,
        )
    else:
        yield FOUND.finding(found_share=category.human_share.value, **values)


def errs(facts: Facts) -> Iterator[Finding]:
    """Yield the category on which a model errs most, where its interval is below what is acceptable."""
    judge = judge_of(facts)
    if judge is None:
        return
    own = judge.categories
    weak = {
        name: category.phi.value
        for name, category in own.items()
        if category.phi.value is not None and (span := ends(category.phi)) and span[1] < WEAK
    }
    if not weak:
        return
    # Of two categories both have the same φ: what is looked for is mostly the rarer one.
    name = min(weak, key=lambda category: (weak[category], own[category].human, category))
    category = own[name]
    if category.sensitivity.value is not None and category.positive_value.value is not None:
        yield ERRS.finding(
            model=judge.model,
            human=judge.human,
            category=name,
            sensitivity_share=category.sensitivity.value,
            precision_share=category.positive_value.value,
        )


def shares(facts: Facts) -> Iterator[Finding]:
    """Yield the category whose share a model gets wrong by most, where the human's interval excludes it."""
    judge = judge_of(facts)
    if judge is None:
        return
    own = judge.categories
    wrong: dict[str, float] = {}
    for name, category in own.items():
        span, reported = ends(category.human_share), category.model / judge.units
        found = category.human_share.value
        if (
            span
            and found is not None
            and not span[0] <= reported <= span[1]
            and abs(reported - found) >= NOTABLE
        ):
            wrong[name] = reported - found
    if not wrong:
        return
    # Of two categories one is too many by as much as the other is too few.
    name = min(wrong, key=lambda each: (-round(abs(wrong[each]), DIGITS), own[each].human, each))
    category = own[name]
    yield SHARE.finding(
        model=judge.model,
        human=judge.human,
        category=name,
        reported_share=category.model / judge.units,
        found_share=category.human_share.value,
    )
