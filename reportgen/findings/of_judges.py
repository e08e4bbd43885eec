"""May a model's labels be used, and for what? What a report on a model as judge opens with."""

import math
from collections.abc import Iterator

from reportgen.catalogue import BY_ID
from reportgen.findings import systems
from reportgen.findings.layer_facts import TENTATIVE, FindingTemplate, LayerFacts, Values, answer_of, ends
from reportgen.findings.verdicts import ABSENT, level_of
from reportgen.measures.estimate import binomial_below, significant
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.annotators import Comparison, Judge, JudgedCategory
from reportgen.results.model import Level

KAPPA = "cohen_kappa"

VERDICT = FindingTemplate(
    "verdict", "warning", "judges", kind="verdict", of_data="limitation", subject="judge"
)
WITH = "{coefficient} with {human} is {value} ({low} to {high})"
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
        f"Don't use the labels of {{model}} for single texts yet: {MINIMUM} You can report how frequent each "
        "category is, after correction.",
        severity="problem",
    ),
    "below-chance": VERDICT.saying(
        f"The labels of {{model}} are of no use: {WITH}, less than by chance.",
        "Look for labels that were exchanged, and at what the model was asked.",
        severity="problem",
    ),
}
# What the human labelled was chosen, by whatever tells its labels from those of the rest.
SELECTED = VERDICT.saying(
    "The {units} units that {human} labelled are no random part of those that {model} labelled: {model} "
    "calls {labelled_share} of them {category}, and {further_share} of the {alone} others. What it is worth "
    "on the others, and the shares of categories there, can't be said.",
    "Draw units at random from all that {model} labelled, and have {human} label those.",
    severity="problem",
)
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
ERRS = FindingTemplate("judge-errs", "warning", "judges", categories=("category",)).saying(
    "{model} finds {sensitivity_share} of what {human} calls {category}; of what it calls so, "
    "{precision_share} is so.",
    "Say in the prompt when to choose {category}, with examples.",
)
SHARE = FindingTemplate("judge-share", "warning", "judges", kind="limit", of_data="bias").saying(
    "{model} gives {category} to {reported_share} of units, where {human} gives it to {found_share}.",
    "Report the share of {category} only after correction.",
)
# In which direction a model errs, where that is more than chance.
LEANS = FindingTemplate(
    "judge-leans", "note", "judges", kind="cause", categories=("category",), subject="judge"
)
TOO_MANY = LEANS.saying(
    "It chooses “{category}” too often: {alone} times where {human} did not, {missed} times the other way "
    "round.",
    "Check the {alone} units that only {model} called {category}; where it is wrong, say in the prompt when "
    "not to choose it.",
)
TOO_FEW = LEANS.saying(
    "It chooses “{category}” too seldom: {missed} times {human} did where it did not, {alone} times the "
    "other way round.",
    "Check the {missed} units that only {human} called {category}; where {model} is wrong, say in the prompt "
    "when to choose it.",
)
# Below this φ a category is worth a word.
WEAK = 0.667
LEVEL_OF_DIRECTIONS, TWO = 0.05, 2
# A difference of shares that would change what a reader concludes.
NOTABLE = 0.02
# Differences that are equal but for rounding.
DIGITS = 9


def judge_of(facts: LayerFacts) -> Judge | None:
    """Return the model of a layer that agrees with the human most."""
    own = [judge for judge in facts.results.judges or () if judge.layer == facts.layer]
    return max(own, key=lambda judge: _kappa_value(facts, judge), default=None)


def _kappa_value(facts: LayerFacts, judge: Judge) -> float:
    figure = kappa(facts, judge)[1]
    return figure.value if figure and figure.value is not None else -math.inf


def kappa(facts: LayerFacts, judge: Judge) -> tuple[str, Figure | None]:
    """Return agreement beyond chance of a model with its human: which coefficient, and what it is."""
    figure_id, figure = _beyond_chance(facts, judge)
    return (BY_ID[KAPPA].name if figure_id == KAPPA else facts.coefficient), figure


def _beyond_chance(facts: LayerFacts, judge: Judge) -> tuple[str, Figure | None]:
    """Return Cohen's kappa of a model with its human, else the primary coefficient, behind its id."""
    pair = _pair_of(facts, judge)
    if pair is None:
        return facts.measure, None
    name = KAPPA if KAPPA in pair.measures else facts.measure
    return name, pair.measures.get(name)


def _pair_of(facts: LayerFacts, judge: Judge) -> Comparison | None:
    """Return the comparison of a model with its human; None where there is none."""
    comparisons = facts.results.comparisons
    return next((pair for pair in (comparisons.pairs if comparisons else ()) if _is_of(pair, judge)), None)


def _is_of(pair: Comparison, judge: Judge) -> bool:
    place = pair.layer, pair.unit_set, pair.other
    return place == (judge.layer, judge.unit_set, judge.model) and judge.human in {pair.key, MANY}


MANY = "the majority"


def verdict(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whether a model's labels may be used one by one, by the interval of kappa with the human.

    Of units that are no random part of all, nothing is said of the others.
    """
    judge = judge_of(facts)
    if judge is None:
        yield from systems.verdict(facts)
        return
    coefficient, figure = kappa(facts, judge)
    values: Values = {"model": judge.model, "human": judge.human}
    if judge.selected:
        values |= {"category": judge.selected.category, "units": judge.units, "alone": judge.alone}
        shares_of = {
            "labelled_share": judge.selected.labelled_share,
            "further_share": judge.selected.further_share,
        }
        yield SELECTED.finding(**values, **shares_of)
        return
    values["coefficient"] = coefficient
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


def answer(facts: LayerFacts) -> SubjectFigure | None:
    """Return agreement beyond chance of the model that the verdict names with its human."""
    judge = judge_of(facts)
    if judge is None:
        return systems.answer(facts)
    name, figure = _beyond_chance(facts, judge)
    pair = _pair_of(facts, judge)
    documents = (pair.documents or None) if pair else None
    return answer_of(
        facts, name, figure, who=judge.model, against=judge.human, units=judge.units, documents=documents
    )


def rarest(judge: Judge) -> tuple[str, JudgedCategory]:
    """Return the category that the human gave least often, but gave: what a judge mostly looks for."""
    given = [(name, own) for name, own in judge.categories.items() if own.human] or [
        *judge.categories.items()
    ]
    return min(given, key=lambda item: (item[1].human, item[0]))


def caveat(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the share that a model would report of the rarest category, and the corrected one."""
    judge = judge_of(facts)
    if judge is None:
        yield from systems.caveat(facts)
        return
    if judge.selected:
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


def leans(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the category that a model gives too often or too seldom, where there is one.

    Units that only one of the two gave a category are tested as McNemar does, exactly, by Holm for all
    categories; of those that are shown it is the one with most units to one side.
    """
    judge = judge_of(facts)
    if judge is None or len(facts.results.layers) > 1:
        return
    # Of two categories one is too often what the other is too seldom: the rarer is what is looked for.
    own = [rarest(judge)] if len(judge.categories) == TWO else [*judge.categories.items()]
    alone = {name: (one.model - one.both, one.human - one.both) for name, one in own}
    ps = [min(1.0, 2 * binomial_below(min(sides), sum(sides), 0.5)) for sides in alone.values()]
    shown = significant(ps, LEVEL_OF_DIRECTIONS)
    if not shown:
        return
    names = [[*alone][number] for number in shown]
    name = min(names, key=lambda each: (-abs(alone[each][0] - alone[each][1]), each))
    more, fewer = alone[name]
    template = TOO_MANY if more > fewer else TOO_FEW
    yield template.finding(category=name, alone=more, missed=fewer, model=judge.model, human=judge.human)


def errs(facts: LayerFacts) -> Iterator[Finding]:
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


def shares(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the category whose share a model gets wrong by most, where the human's interval excludes it."""
    judge = judge_of(facts)
    if judge is None or judge.selected:
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
