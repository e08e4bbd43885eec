"""May a model take an annotator's place? The alternative annotator test, and models by their rank.

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL, 16051-16081,
doi:10.18653/v1/2025.acl-long.782.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from pydantic import ValidationError

from reportgen.annotators.replacement_model import HumanPanel, ModelAgainstHumans, clusters_of
from reportgen.annotators.replacement_scores import (
    default_score,
    human_labels,
    label_score,
    labels_with_place,
)
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.campaign.load import complaints
from reportgen.measures import ConfidenceInterval, Estimate, Setting
from reportgen.measures.difference_tests import holm, two_sided
from reportgen.measures.estimate import LEAST_DEGREES, with_interval
from reportgen.measures.figures import figure
from reportgen.results.annotators import AdvantageDifference, Replacement
from reportgen.units import ComparedUnits

ANNOTATOR, MODELS = "annotator", ("model", "system")
TWO = 2
RULE = "replacement"


def rule_from(given: Mapping[str, object]) -> ReplacementRule:
    """Return the rule that some keys of [replacement] make; raise BadInput with all that is wrong."""
    try:
        return ReplacementRule.model_validate(dict(given))
    except ValidationError as error:
        found = complaints(error, given)
        raise BadInput(
            Problem("", 0, ".".join((RULE, *map(str, each.path))), each.message, each.mend) for each in found
        ) from None


def can_be_tested(compared: ComparedUnits, rule: ReplacementRule) -> bool:
    """Tell whether a unit set has a model or system, and as many humans as the test takes."""
    names = compared.units.annotators
    humans = {names[code] for code in compared.of_role(ANNOTATOR)} - {rule.expert}
    enough = len(humans) >= TWO if rule.expert is None else bool(humans) and rule.expert in names
    return enough and bool(compared.of_role(*MODELS))


def replacement(compared: ComparedUnits, setting: Setting, rule: ReplacementRule) -> Replacement:
    """Return what each model and system of a unit set would be worth in an annotator's place.

    `compared` has everybody's labels. Raises BadInput where there are too few humans, or no such score.
    """
    panel = _panel(compared, setting, rule)
    found = [ModelAgainstHumans(panel, person) for person in compared.of_role(*MODELS)]
    ranked = sorted(found, key=lambda each: -(each.advantage.value or 0.0))
    defined = [each for each in ranked if each.advantage.value is not None]
    return Replacement(
        layer=compared.units.layer,
        unit_set=compared.units.id,
        score=panel.score.name,
        epsilon=rule.epsilon,
        why=rule.why,
        q=rule.q,
        minimum_humans=rule.minimum_humans,
        minimum_instances=rule.minimum_instances,
        expert=rule.expert,
        annotators=tuple(panel.names),
        comparison_only=rule.expert is None and len(panel.humans) == TWO,
        models=tuple(each.record() for each in ranked),
        behind=_behind(defined),
    )


# The humans, and whom labels are compared with.


def _panel(compared: ComparedUnits, setting: Setting, rule: ReplacementRule) -> HumanPanel:
    units = compared.units
    expert = _expert(compared, rule)
    humans = [code for code in compared.of_role(ANNOTATOR) if code != expert]
    if len(humans) < (TWO if expert is None else 1):
        raise BadInput([_too_few([units.annotators[code] for code in humans], rule.expert)])
    score = label_score(rule.score or default_score(setting), setting, len(units.categories))
    known = None if expert is None else labels_with_place(compared, expert, score)
    return HumanPanel(compared, rule, score, humans, human_labels(compared, humans, score), known)


def _expert(compared: ComparedUnits, rule: ReplacementRule) -> int | None:
    """Return the code of who is trusted; raise BadInput where nobody is called so, or a model is."""
    if rule.expert is None:
        return None
    names = compared.units.annotators
    if rule.expert not in names:
        message = f'is "{rule.expert}", who labelled nothing.'
        raise BadInput([Problem("", 0, f"{RULE}.expert", message, did_you_mean(rule.expert, names))])
    code = names.index(rule.expert)
    if compared.roles[code] in MODELS:
        message = f'is "{rule.expert}", which is a model: nothing can be compared with itself.'
        raise BadInput([Problem("", 0, f"{RULE}.expert", message, "Name a human.")])
    return code


def _too_few(humans: Sequence[str], expert: str | None) -> Problem:
    if expert is not None:
        message = f'there is no human beside the expert "{expert}", who could be replaced.'
        return Problem("", 0, RULE, message, "It takes at least one annotator more.")
    if not humans:
        message = "there is no human: all who labelled are models, systems or references."
        return Problem("", 0, RULE, message, "It takes at least two annotators who are people.")
    message = f'there is one human, "{humans[0]}", and nobody to compare this one with.'
    mend = "It takes at least two; where one is trusted beside others, name the expert."
    return Problem("", 0, RULE, message, mend)


# Several models: each beside the one with the greatest ρ.


def _behind(ranked: Sequence[ModelAgainstHumans]) -> tuple[AdvantageDifference, ...]:
    """Return the difference in ρ of each model from the first, on the units of both."""
    if len(ranked) < TWO:
        return ()
    first, *others = ranked
    found = [_difference(first, each) for each in others]
    adjusted = holm([p for _, p in found])
    return tuple(
        AdvantageDifference(
            model=each.panel.compared.units.annotators[each.person],
            difference=figure(estimate),
            p=p,
            adjusted_p=corrected,
        )
        for each, (estimate, p), corrected in zip(others, found, adjusted, strict=True)
    )


def _difference(first: ModelAgainstHumans, other: ModelAgainstHumans) -> tuple[Estimate, float | None]:
    """Return how much less ρ is, and the p value of no difference: t as in the interval."""
    (one, part), (two, also) = first.contributions, other.contributions
    unit = np.flatnonzero((part > 0) | (also > 0))
    clusters = clusters_of(first.panel.compared, unit)
    value = (other.advantage.value or 0.0) - (first.advantage.value or 0.0)
    found = with_interval(
        Estimate(value, clusters.units, recomputable=False),
        (two - one)[unit] * clusters.units,
        clusters,
        (-np.inf, np.inf),
        disagreements=1,
    )
    if found.spread is None or not isinstance(found.interval, ConfidenceInterval):
        return found, None
    ends = replace(found.interval, low=max(-1.0, found.interval.low), high=min(1.0, found.interval.high))
    degrees = max(found.spread.alike - 1, LEAST_DEGREES)
    p = two_sided(value / found.spread.left_out_error, degrees)
    return replace(found, interval=ends), p
