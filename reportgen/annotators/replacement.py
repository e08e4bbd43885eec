"""May a model take an annotator's place? The alternative annotator test, and models by their rank.

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL, 16051-16081,
doi:10.18653/v1/2025.acl-long.782.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from pydantic import ValidationError

from reportgen.annotators.replacement_scores import (
    HeldOutLabels,
    HumanLabels,
    LabelScore,
    beside_expert,
    cross_reliability,
    default_score,
    hold_out,
    human_labels,
    label_score,
    labels_with_place,
)
from reportgen.annotators.replacement_tests import (
    HumanTest,
    MeanTest,
    NoReplacement,
    RankTest,
    at_price,
    clustered_test,
    independent_test,
    share_beaten,
    winning_rate,
)
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.campaign.load import complaints
from reportgen.measures import ConfidenceInterval, Estimate, Floats, Setting, Undefined
from reportgen.measures.distributions import holm, two_sided
from reportgen.measures.estimate import LEAST_DEGREES, Clusters, figure, no_estimate, with_interval
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.annotators import (
    AdvantageDifference,
    AlternativeTest,
    CrossReplication,
    HeldOutHuman,
    ModelReplacement,
    RateByEpsilon,
    Replacement,
)
from reportgen.units import NO_CATEGORY, ComparedUnits, Mask

TWO = 2
# Prices at which the winning rate is given: 0, .01, …, .3.
PRICES = tuple(step / 100 for step in range(31))

# The humans, and whom labels are compared with.


@dataclass(frozen=True, eq=False)
class HumanPanel:
    """What all models are held against: the humans' labels, and the expert's where one is trusted."""

    compared: ComparedUnits
    rule: ReplacementRule
    score: LabelScore
    humans: list[int]
    labels: HumanLabels
    expert: Codes | None

    @property
    def names(self) -> list[str]:
        """Return the names of the humans, in the order of their numbers."""
        return [self.compared.units.annotators[code] for code in self.humans]

    @cached_property
    def enough(self) -> Mask:
        """Say of each unit (units,) whether so many humans labelled it as an instance needs."""
        least = self.rule.minimum_humans
        if self.expert is None:
            return self.labels.per_unit >= least
        found: Mask = (self.expert != NO_CATEGORY) & (self.labels.per_unit >= least - 1)
        return found

    def instances(self, model: Codes) -> Mask:
        """Say of each unit (units,) whether the model, with these labels (units,), is compared there."""
        every = np.arange(len(model), dtype=np.int64)
        found: Mask = self.enough & (model != NO_CATEGORY) & self.compared.chosen(every, model)
        return found

    def held(self, model: Codes) -> HeldOutLabels:
        """Return who is nearer, the model or each human, on every instance."""
        here = self.instances(model)
        if self.expert is None:
            return hold_out(self.labels, model, here, self.score)
        return beside_expert(self.labels, model, self.expert, here, self.score)


# One model against every human.


@dataclass(frozen=True, eq=False)
class _Human:
    """A model beside one human: which rows of the labels held out are this human's, and what is tested."""

    number: int
    rows: Codes
    instances: int
    independent: MeanTest | RankTest | NoReplacement
    clustered: MeanTest | NoReplacement | None


class ModelAgainstHumans:
    """A model against every human of a panel."""

    def __init__(self, panel: HumanPanel, person: int) -> None:
        """Compare the model's labels with everybody's."""
        self.panel, self.person = panel, person
        self.model = labels_with_place(panel.compared, person, panel.score)
        self.held = panel.held(self.model)
        units = panel.compared.units
        self.weight = units.unit_weight[self.held.unit]
        self.document = units.unit_document[self.held.unit]
        self.by_document = bool((self.document != NO_DOCUMENT).any())

    @cached_property
    def humans(self) -> list[_Human]:
        """Return each human, tested or not."""
        order = np.argsort(self.held.human, kind="stable")
        ends = np.cumsum(np.bincount(self.held.human, minlength=len(self.panel.humans)))
        parts = np.split(order, ends[:-1].tolist())
        return [self._human(number, rows) for number, rows in enumerate(parts)]

    def _human(self, number: int, rows: Codes) -> _Human:
        instances = int(self.weight[rows].sum())
        if instances < self.panel.rule.minimum_instances:
            few = NoReplacement.FEW_INSTANCES if instances else NoReplacement.NO_INSTANCE
            return _Human(number, rows, instances, few, None)
        sign, weight, document = (each[rows] for each in (self.held.sign, self.weight, self.document))
        clustered = clustered_test(sign, weight, document) if self.by_document else None
        return _Human(number, rows, instances, independent_test(sign, weight), clustered)

    @cached_property
    def tested(self) -> list[_Human]:
        """Return the humans with enough instances."""
        return [each for each in self.humans if not isinstance(each.independent, NoReplacement)]

    @cached_property
    def contributions(self) -> tuple[Floats, Floats]:
        """Return what each unit (units,) moves ρ, and its part of what ρ is divided by.

        ρ is the mean over humans of the share of instances on which the model scores no less.
        """
        moved, part = np.zeros(len(self.model)), np.zeros(len(self.model))
        for each in self.tested:
            unit, wins = self.held.unit[each.rows], self.held.sign[each.rows] <= 0
            divisor = each.instances * len(self.tested)
            moved[unit] += (wins - self._share(each, -1)) / divisor
            part[unit] += 1 / divisor
        return moved, part

    def _share(self, human: _Human, nearer: int) -> float:
        """Return on what share of instances the model (-1) or the human (1) scores no less than the other."""
        wins = self.held.sign[human.rows] * nearer >= 0
        return int(self.weight[human.rows][wins].sum()) / human.instances

    @cached_property
    def advantage(self) -> Estimate:
        """Return ρ, the average advantage probability, with its interval."""
        if not self.tested:
            return replace(no_estimate(Undefined.NO_HUMAN_TESTED, 0), recomputable=False)
        moved, part = self.contributions
        unit = np.flatnonzero(part > 0)
        clusters = clusters_of(self.panel.compared, unit)
        value = math.fsum(self._share(each, -1) for each in self.tested) / len(self.tested)
        losses = sum(int((self.held.sign[each.rows] > 0).sum()) for each in self.tested)
        return with_interval(
            Estimate(value, clusters.units, recomputable=False),
            moved[unit] * clusters.units,
            clusters,
            (0.0, 1.0),
            disagreements=losses,
            worst=1.0,
            weight=part[unit] * clusters.units,
        )

    def record(self) -> ModelReplacement:
        """Return the model's results."""
        compared, rule = self.panel.compared, self.panel.rule
        units = compared.units
        here = self.panel.instances(self.model)
        known = np.unique(units.unit_document[here])
        independent = [each.independent for each in self.tested]
        by_document = [each.clustered for each in self.tested if each.clustered is not None]
        results = _at(independent, rule), _at(by_document, rule)
        rates = [winning_rate(each) if each else None for each in results]
        decided = [each.passes for each in rates if each is not None and each.passes is not None]
        return ModelReplacement(
            model=units.annotators[self.person],
            role=compared.roles[self.person],
            instances=int(units.unit_weight[here].sum()),
            documents=int((known != NO_DOCUMENT).sum()),
            humans=tuple(self._humans(*results)),
            advantage=figure(self.advantage),
            independent=rates[0],
            clustered=rates[1],
            differ=decided[0] != decided[1] if len(decided) == TWO else None,
            curve=_curve(independent, by_document, rule.q) if self.tested else None,
            cross_replication=self._cross_replication(),
        )

    def _cross_replication(self) -> CrossReplication:
        """Return xRR on the units that the model and at least one human labelled."""
        units = self.panel.compared.units
        rated = (self.panel.labels.per_unit > 0) & (self.model != NO_CATEGORY) & (units.unit_weight > 0)
        unit = np.flatnonzero(rated)
        clusters = replace(clusters_of(self.panel.compared, unit), cell=unit)
        found = cross_reliability(self.panel.labels, self.model, self.panel.score.between, clusters)
        return CrossReplication(
            between=figure(found.between), humans=found.humans, normalised=found.normalised
        )

    def _humans(
        self, independent: Sequence[AlternativeTest], clustered: Sequence[AlternativeTest]
    ) -> list[HeldOutHuman]:
        found = {each.number: place for place, each in enumerate(self.tested)}
        return [
            self._of_human(
                each,
                independent[found[each.number]] if independent and each.number in found else None,
                clustered[found[each.number]] if clustered and each.number in found else None,
            )
            for each in self.humans
        ]

    def _of_human(
        self, human: _Human, independent: AlternativeTest | None, clustered: AlternativeTest | None
    ) -> HeldOutHuman:
        name = self.panel.names[human.number]
        if isinstance(human.independent, NoReplacement):
            return HeldOutHuman(annotator=name, instances=human.instances, undefined=str(human.independent))
        model, own = self._share(human, -1), self._share(human, 1)
        sign, weight = self.held.sign[human.rows], self.weight[human.rows]
        return HeldOutHuman(
            annotator=name,
            instances=human.instances,
            model=model,
            human=own,
            difference=int((sign * weight).sum()) / human.instances,
            method="wilcoxon" if isinstance(human.independent, RankTest) else "t",
            independent=independent,
            clustered=clustered,
        )


def _at(tests: Sequence[HumanTest | NoReplacement], rule: ReplacementRule) -> list[AlternativeTest]:
    """Return the tests of all humans at the declared price, nothing without one."""
    return [] if rule.epsilon is None else at_price(tests, rule.epsilon, rule.q)


def _curve(
    independent: Sequence[HumanTest | NoReplacement], clustered: Sequence[HumanTest | NoReplacement], q: float
) -> RateByEpsilon:
    """Return the winning rate at each price, of the clustered test where it can be made."""
    there = any(not isinstance(each, NoReplacement) for each in clustered)
    return RateByEpsilon(
        epsilon=PRICES,
        independent=tuple(share_beaten(independent, each, q) for each in PRICES),
        clustered=tuple(share_beaten(clustered, each, q) for each in PRICES) if there else None,
    )


def clusters_of(compared: ComparedUnits, unit: Codes) -> Clusters:
    """Return what units (some of all) are clustered by: their documents, or each by itself."""
    document, weight = compared.units.unit_document[unit], compared.units.unit_weight[unit]
    known, units = len(np.unique(document[document != NO_DOCUMENT])), int(weight.sum())
    cell = np.arange(len(unit), dtype=np.int64)
    return Clusters(document, cell, weight, units, known or units, by_document=known > 0, corrected=True)


# May a model take an annotator's place? The alternative annotator test, and models by their rank.

ANNOTATOR, MODELS = "annotator", ("model", "system")
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
