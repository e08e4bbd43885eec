"""May a model take an annotator's place? The alternative annotator test, and models by their rank.

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL, 16051-16081,
doi:10.18653/v1/2025.acl-long.782.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from pydantic import ValidationError

from reportgen.annotators.quality import agreement_with_oneself
from reportgen.annotators.replacement_agreement import agreement_beside_test, alpha_of, difference_of
from reportgen.annotators.replacement_scores import (
    F_MEASURE,
    LabelPanel,
    MarkPanel,
    Panel,
    default_score,
    human_labels,
    label_score,
    mark_distances,
)
from reportgen.annotators.replacement_tests import (
    NORMAL,
    HumanTest,
    NoReplacement,
    at_price,
    clustered_test,
    independent_test,
    share_beaten,
    winning_rate,
)
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.campaign.load import complaints
from reportgen.measures import Estimate, Floats, Setting, Undefined
from reportgen.measures.distributions import LEVEL, holm, logit_ends, t_quantile, within
from reportgen.measures.estimate import LEAST_DEGREES, figure, no_estimate, with_interval
from reportgen.measures.standard_errors import LEAST_ANNOTATORS
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.readers.counted import SpanCounts
from reportgen.results import Interval
from reportgen.results.annotators import (
    AdvantageDifference,
    AlternativeTest,
    HeldOutHuman,
    ModelReplacement,
    RateByEpsilon,
    Replacement,
)
from reportgen.units import ComparedUnits, Passes, SpanFrame

ANNOTATOR, MODELS = "annotator", ("model", "system")
RULE = "replacement"
# Prices at which the winning rate is given: 0, .01, …, .3.
PRICES = tuple(step / 100 for step in range(31))

# One model against every human.


@dataclass(frozen=True, eq=False)
class _Human:
    """A model beside one human, whose labels are held out: on which units, and who is nearer (rows,)."""

    name: str
    unit: Codes
    sign: Codes
    weight: Codes
    document: Codes

    @cached_property
    def instances(self) -> int:
        """Return on how many units the two are compared."""
        return int(self.weight.sum())

    def share(self, nearer: int) -> float:
        """Return on what share of instances the model (-1) or the human (1) scores no less than the other."""
        return int(self.weight[self.sign * nearer >= 0].sum()) / self.instances

    @property
    def cell_variance(self) -> float:
        """Return the variance of the model's share, by document where documents are known."""
        has_document = self.document != NO_DOCUMENT
        apart = (self.sign <= 0) - self.share(-1)
        sums = np.bincount(self.document[has_document], weights=(self.weight * apart)[has_document])
        alone = (self.weight * apart * apart)[~has_document]
        return float(np.sort(np.concatenate([sums * sums, alone])).sum()) / self.instances**2

    def record(self, independent: AlternativeTest | None, clustered: AlternativeTest | None) -> HeldOutHuman:
        """Return what results have of a human who is tested."""
        return HeldOutHuman(
            annotator=self.name,
            instances=self.instances,
            model=self.share(-1),
            human=self.share(1),
            difference=int((self.sign * self.weight).sum()) / self.instances,
            method="wilcoxon" if self.instances < NORMAL else "t",
            independent=independent,
            clustered=clustered,
        )


class ModelAgainstHumans:
    """A model against every human of a panel."""

    def __init__(self, panel: Panel, person: int) -> None:
        """Compare the model's labels with everybody's."""
        self.panel, self.person, self.name = panel, person, panel.people[person]

    @cached_property
    def humans(self) -> list[_Human]:
        """Return each human, tested or not."""
        held_out = self.panel.held_out(self.person)
        order = np.argsort(held_out.human, kind="stable")
        ends = np.cumsum(np.bincount(held_out.human, minlength=len(self.panel.humans)))
        columns = (
            held_out.unit,
            held_out.sign,
            self.panel.weight[held_out.unit],
            self.panel.document[held_out.unit],
        )
        parts = zip(self.panel.names, np.split(order, ends[:-1].tolist()), strict=True)
        return [_Human(name, *(column[rows] for column in columns)) for name, rows in parts]

    @cached_property
    def tested(self) -> list[_Human]:
        """Return the humans with enough instances."""
        return [human for human in self.humans if human.instances >= self.panel.rule.minimum_instances]

    @cached_property
    def contributions(self) -> tuple[Floats, Floats]:
        """Return what each unit (units,) moves ρ, and its part of what ρ is divided by.

        ρ is the mean over humans of the share of instances on which the model scores no less.
        """
        moved, part = np.zeros(len(self.panel.weight)), np.zeros(len(self.panel.weight))
        for human in self.tested:
            divisor = human.instances * len(self.tested)
            moved[human.unit] += ((human.sign <= 0) - human.share(-1)) / divisor
            part[human.unit] += 1 / divisor
        return moved, part

    @cached_property
    def advantage(self) -> Estimate:
        """Return ρ, the average advantage probability, with its interval."""
        if not self.tested:
            return replace(no_estimate(Undefined.NO_HUMAN_TESTED, 0), recomputable=False)
        moved, part = self.contributions
        unit = np.flatnonzero(part > 0)
        clusters = self.panel.clusters(unit)
        value = math.fsum(human.share(-1) for human in self.tested) / len(self.tested)
        losses = sum(int((human.sign > 0).sum()) for human in self.tested)
        return with_interval(
            Estimate(value, clusters.units, recomputable=False),
            moved[unit] * clusters.units,
            clusters,
            (0.0, 1.0),
            disagreements=losses,
            worst=1.0,
            weight=part[unit] * clusters.units,
        )

    @cached_property
    def for_any_humans(self) -> Interval | None:
        """Return an interval of ρ that covers the choice of humans too, None with fewer than five.

        Units and humans are crossed and both drawn: V = V_units + V_humans - V_both, the last being what
        single cells of the two add, which both others have in them (Cameron, Gelbach and Miller 2011, Journal
        of Business & Economic Statistics 29(2), 238-249).
        """
        spread, value, humans = self.advantage.spread, self.advantage.value, len(self.tested)
        if spread is None or value is None or humans < LEAST_ANNOTATORS or not within(value, (0.0, 1.0)):
            return None
        of_humans = math.fsum((human.share(-1) - value) ** 2 for human in self.tested) / (
            humans * (humans - 1)
        )
        of_cells = math.fsum(human.cell_variance for human in self.tested) / humans**2
        of_units = spread.left_out_error**2
        variance = max(of_units, of_units + of_humans - of_cells)
        # Satterthwaite's degrees of freedom of a sum of two variances.
        parts = of_units**2 / max(spread.alike - 1, LEAST_DEGREES) + of_humans**2 / (humans - 1)
        half = t_quantile(max(variance**2 / parts, LEAST_DEGREES)) * math.sqrt(variance)
        low, high = logit_ends(value, half, (0.0, 1.0))
        return Interval(low=low, high=high, level=LEVEL)

    def record(self) -> ModelReplacement:
        """Return the model's results."""
        panel, rule = self.panel, self.panel.rule
        here = panel.instances(self.person)
        documents = np.unique(panel.document[here])
        by_document = any((human.document != NO_DOCUMENT).any() for human in self.humans)
        independent = [independent_test(human.sign, human.weight) for human in self.tested]
        clustered = [
            clustered_test(human.sign, human.weight, human.document) for human in self.tested if by_document
        ]
        # The tests of all humans at the declared price, nothing without one.
        results = [
            [] if rule.epsilon is None else at_price(tests, rule.epsilon, rule.q)
            for tests in (independent, clustered)
        ]
        rates = [winning_rate(tests) if tests else None for tests in results]
        nothing = [None] * len(self.tested)
        tested = zip(self.tested, *(tests or nothing for tests in results), strict=True)
        records = {human.name: human.record(*tests) for human, *tests in tested}
        decided = [rate.passes for rate in rates if rate is not None and rate.passes is not None]
        return ModelReplacement(
            model=self.name,
            role=panel.roles[self.person],
            instances=int(panel.weight[here].sum()),
            documents=int((documents != NO_DOCUMENT).sum()),
            humans=tuple(records.get(human.name) or _not_tested(human) for human in self.humans),
            advantage=figure(self.advantage),
            for_any_humans=self.for_any_humans,
            independent=rates[0],
            clustered=rates[1],
            differ=decided[0] != decided[1] if len(decided) == 2 else None,
            curve=_curve(independent, clustered, rule.q) if self.tested else None,
            **(agreement_beside_test(panel, self.person) if isinstance(panel, LabelPanel) else {}),
        )


def _not_tested(human: _Human) -> HeldOutHuman:
    few = NoReplacement.FEW_INSTANCES if human.instances else NoReplacement.NO_INSTANCE
    return HeldOutHuman(annotator=human.name, instances=human.instances, undefined=str(few))


def _curve(
    independent: Sequence[HumanTest | NoReplacement], clustered: Sequence[HumanTest | NoReplacement], q: float
) -> RateByEpsilon:
    """Return the winning rate at each price, of the clustered test where it can be made."""
    there = any(not isinstance(test, NoReplacement) for test in clustered)
    return RateByEpsilon(
        epsilon=PRICES,
        independent=tuple(share_beaten(independent, price, q) for price in PRICES),
        clustered=tuple(share_beaten(clustered, price, q) for price in PRICES) if there else None,
    )


# May a model take an annotator's place? The alternative annotator test, and models by their rank.


def rule_from(keys: Mapping[str, object]) -> ReplacementRule:
    """Return the rule that some keys of [replacement] make; raise BadInput with all that is wrong."""
    try:
        return ReplacementRule.model_validate(dict(keys))
    except ValidationError as error:
        problems = complaints(error, keys)
        raise BadInput(
            Problem("", 0, ".".join((RULE, *map(str, problem.path))), problem.message, problem.remedy)
            for problem in problems
        ) from None


def can_be_tested(people: Sequence[str], roles: Sequence[str], rule: ReplacementRule) -> bool:
    """Tell whether there is a model or system, and as many humans as the test takes."""
    humans = {name for name, role in zip(people, roles, strict=True) if role == ANNOTATOR} - {rule.expert}
    enough = len(humans) >= 2 if rule.expert is None else bool(humans) and rule.expert in people
    return enough and any(role in MODELS for role in roles)


def compares_marks(annotations: Annotations, rule: ReplacementRule) -> bool:
    """Tell whether instances are documents with marks, where there are marks, and no units.

    They are in texts, unless another score is declared: of the tokens most are unmarked by everybody, and
    every model ties there. In recordings no two boundaries are the same to the millisecond.
    """
    content = annotations.content
    in_texts = isinstance(content, TextMarks) and not content.lengths
    return rule.score == F_MEASURE or (rule.score is None and in_texts)


def replacement(
    compared: ComparedUnits, setting: Setting, rule: ReplacementRule, passes: Passes | None = None
) -> Replacement:
    """Return what each model and system of a unit set would be worth in an annotator's place.

    `compared` has everybody's labels, `passes` what models labelled twice. Raises BadInput where there are
    too few humans, or no such score.
    """
    return _results(panel_of_labels(compared, setting, rule, passes))


def replacement_of_marks(spans: SpanFrame, counts: SpanCounts, rule: ReplacementRule) -> Replacement:
    """Return the same of marks in texts: instances are documents, compared by F (strict).

    Raises BadInput where there are too few humans.
    """
    return _results(_panel_of_marks(spans, counts, rule))


def _results(panel: Panel) -> Replacement:
    """Return all models of a panel, those with the greatest ρ first."""
    rule, models = panel.rule, [code for code, role in enumerate(panel.roles) if role in MODELS]
    against_humans = [ModelAgainstHumans(panel, person) for person in models]
    ranked = sorted(against_humans, key=lambda model: -(model.advantage.value or 0.0))
    return Replacement(
        layer=panel.layer,
        unit_set=panel.unit_set,
        score=panel.score,
        epsilon=rule.epsilon,
        why=rule.why,
        q=rule.q,
        minimum_humans=rule.minimum_humans,
        minimum_instances=rule.minimum_instances,
        expert=rule.expert,
        annotators=tuple(panel.names),
        comparison_only=rule.expert is None and len(panel.humans) == 2,
        models=tuple(model.record() for model in ranked),
        behind=_behind([model for model in ranked if model.advantage.value is not None]),
    )


# The humans, and whom labels are compared with.


def panel_of_labels(
    compared: ComparedUnits, setting: Setting, rule: ReplacementRule, passes: Passes | None
) -> LabelPanel:
    """Return the humans of a unit set; raise BadInput where there are too few, or no such score."""
    units = compared.units
    humans, expert = _humans_of(units.annotators, compared.roles, rule)
    near = label_score(rule.score or default_score(setting), setting, len(units.categories))
    alpha = alpha_of(near.name, setting)
    twice = agreement_with_oneself(passes, setting, alpha) if passes else ()
    return LabelPanel(
        layer=units.layer,
        unit_set=units.id,
        score=near.name,
        rule=rule,
        people=units.annotators,
        roles=compared.roles,
        humans=humans,
        expert=expert,
        weight=units.unit_weight,
        document=units.unit_document,
        reliability={
            agreement.annotator: agreement.measures[alpha].value
            for agreement in twice
            if alpha in agreement.measures
        },
        compared=compared,
        setting=setting,
        near=near,
        labels=human_labels(compared, humans, near),
    )


def _panel_of_marks(spans: SpanFrame, counts: SpanCounts, rule: ReplacementRule) -> MarkPanel:
    """Return the humans of a layer's marks in texts; raise BadInput where there are too few."""
    humans, expert = _humans_of(spans.people, spans.roles, rule)
    documents = len(spans.documents)
    return MarkPanel(
        layer=spans.layer,
        unit_set=None,
        score=F_MEASURE,
        rule=rule,
        people=spans.people,
        roles=spans.roles,
        humans=humans,
        expert=expert,
        weight=np.ones(documents, dtype=np.int64),
        document=np.full(documents, NO_DOCUMENT, dtype=np.int64),
        reliability={},
        distances=mark_distances(spans, counts),
        saw=spans.saw,
    )


def _humans_of(
    people: Sequence[str], roles: Sequence[str], rule: ReplacementRule
) -> tuple[list[int], int | None]:
    """Return the codes of the humans, and of the expert; raise BadInput where there are too few."""
    expert = _expert(people, roles, rule)
    humans = [code for code, role in enumerate(roles) if role == ANNOTATOR and code != expert]
    if len(humans) < (2 if expert is None else 1):
        raise BadInput([_too_few([people[code] for code in humans], rule.expert)])
    return humans, expert


def _expert(names: Sequence[str], roles: Sequence[str], rule: ReplacementRule) -> int | None:
    """Return the code of who is trusted; raise BadInput where nobody is called so, or a model is."""
    if rule.expert is None:
        return None
    if rule.expert not in names:
        message = f'is "{rule.expert}", who labelled nothing.'
        raise BadInput([Problem("", 0, f"{RULE}.expert", message, did_you_mean(rule.expert, names))])
    code = names.index(rule.expert)
    if roles[code] in MODELS:
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
    remedy = "It takes at least two; where one is trusted beside others, name the expert."
    return Problem("", 0, RULE, message, remedy)


# Several models: each beside the one with the greatest ρ.


def _behind(ranked: Sequence[ModelAgainstHumans]) -> tuple[AdvantageDifference, ...]:
    """Return the difference in ρ of each model from the first, on the units of both."""
    if len(ranked) < 2:
        return ()
    first, *others = ranked
    differences = [_difference(first, model) for model in others]
    adjusted = holm([p for _, p in differences])
    return tuple(
        AdvantageDifference(model=model.name, difference=figure(estimate), p=p, adjusted_p=corrected)
        for model, (estimate, p), corrected in zip(others, differences, adjusted, strict=True)
    )


def _difference(first: ModelAgainstHumans, other: ModelAgainstHumans) -> tuple[Estimate, float | None]:
    """Return how much less ρ is, and the p value of no difference: t as in the interval."""
    (one, part), (two, also) = first.contributions, other.contributions
    unit = np.flatnonzero((part > 0) | (also > 0))
    clusters = first.panel.clusters(unit)
    value = (other.advantage.value or 0.0) - (first.advantage.value or 0.0)
    return difference_of(value, (two - one)[unit] * clusters.units, clusters)
