"""Whom models are held against: the humans of a unit set, or of a layer's marks in texts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reportgen.annotators.quality import agreement_with_oneself
from reportgen.annotators.replacement_beside import (
    alpha_of,
    by_category,
    cross_reliability,
    distribution,
    one_more,
)
from reportgen.annotators.replacement_scores import (
    F_MEASURE,
    HeldOutLabels,
    HumanLabels,
    LabelScore,
    MarkDistances,
    beside_expert,
    default_score,
    hold_out,
    hold_out_marks,
    human_labels,
    label_score,
    labels_with_place,
    mark_distances,
    marks_beside_expert,
)
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ReplacementRule
from reportgen.measures import Setting
from reportgen.measures.estimate import Clusters
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.counted import SpanCounts
from reportgen.units import NO_CATEGORY, ComparedUnits, Mask, Passes, SpanFrame

TWO = 2
ANNOTATOR, MODELS = "annotator", ("model", "system")
RULE = "replacement"


@dataclass(frozen=True, eq=False)
class Panel(ABC):
    """What all models are held against: the humans, and the units, of labels or of marks in texts.

    `people` and `roles` are everybody's, `humans` and `expert` codes of them; `weight` and `document`
    (units,) are those of the units. `reliability` is how much models agree with themselves, by name.
    """

    layer: str
    unit_set: str | None
    score: str
    rule: ReplacementRule
    people: tuple[str, ...]
    roles: tuple[str, ...]
    humans: list[int]
    expert: int | None
    weight: Codes
    document: Codes
    reliability: Mapping[str, float | None]

    @property
    def names(self) -> list[str]:
        """Return the names of the humans, in the order of their numbers."""
        return [self.people[code] for code in self.humans]

    @abstractmethod
    def instances(self, model: int) -> Mask:
        """Say of each unit (units,) whether a model is compared there: it and enough humans have it."""

    @abstractmethod
    def held(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, on every instance."""

    def beside(self, model: int) -> dict[str, Any]:  # noqa: ARG002 - marks have nothing
        """Return what results have of a model beside the test."""
        return {}

    def clusters(self, unit: Codes) -> Clusters:
        """Return what units (some of all) are clustered by: their documents, or each by itself."""
        document, weight = self.document[unit], self.weight[unit]
        known, units = len(np.unique(document[document != NO_DOCUMENT])), int(weight.sum())
        cell = np.arange(len(unit), dtype=np.int64)
        return Clusters(document, cell, weight, units, known or units, by_document=known > 0, corrected=True)

    def _enough(self, per_unit: Codes, known: Mask | None) -> Mask:
        """Say of each unit whether enough humans labelled it, and the expert where one is trusted."""
        least = self.rule.minimum_humans
        return per_unit >= least if known is None else known & (per_unit >= least - 1)


@dataclass(frozen=True, eq=False)
class LabelPanel(Panel):
    """The humans' labels on units, how near two labels are, and what alpha is computed with."""

    compared: ComparedUnits
    setting: Setting
    near: LabelScore
    labels: HumanLabels

    def instances(self, model: int) -> Mask:
        """Say of each unit (units,) whether a model is compared there."""
        known = None if self.expert is None else self._labels_of(self.expert) != NO_CATEGORY
        return self._enough(self.labels.per_unit, known) & self._chosen(model)

    def held(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, on every instance."""
        here, its = self.instances(model), self._labels_of(model)
        if self.expert is None:
            return hold_out(self.labels, its, here, self.near)
        return beside_expert(self.labels, its, self._labels_of(self.expert), here, self.near)

    def _labels_of(self, person: int) -> Codes:
        return labels_with_place(self.compared, person, self.near)

    def _chosen(self, model: int) -> Mask:
        labels = self._labels_of(model)
        every = np.arange(len(labels), dtype=np.int64)
        found: Mask = (labels != NO_CATEGORY) & self.compared.chosen(every, labels)
        return found

    def beside(self, model: int) -> dict[str, Any]:
        """Return agreement with and without the model, by category, and how labels are distributed."""
        its, several = self._labels_of(model), self._chosen(model) & (self.labels.per_unit >= TWO)
        unit = np.flatnonzero(several)
        clusters = replace(self.clusters(unit), cell=unit)
        own = self.reliability.get(self.people[model])
        rated = np.flatnonzero((self.labels.per_unit > 0) & (its != NO_CATEGORY) & (self.weight > 0))
        of_rated = replace(self.clusters(rated), cell=rated)
        found: dict[str, Any] = {
            "cross_replication": cross_reliability(self.labels, its, self.near.between, of_rated, own)
        }
        if not len(unit):
            return found
        name = alpha_of(self.score, self.setting)
        people = self.humans, model
        agreement = one_more(self.compared, self.setting, name, people, several)
        nominal = self.setting.sets is None and self.setting.scale in {"nominal", "ordinal"}
        categories = self.compared.units.categories
        return found | {
            "agreement": agreement,
            "coefficient": name if agreement else None,
            "categories": by_category(self.labels, its, clusters, categories) if nominal else (),
            "distribution": distribution(self.labels, its, clusters),
        }


@dataclass(frozen=True, eq=False)
class MarkPanel(Panel):
    """The humans' marks in texts: units are documents, and how far apart two people are there."""

    distances: MarkDistances
    saw: Mask

    def instances(self, model: int) -> Mask:
        """Say of each document (documents,) whether a model is compared there."""
        known = None if self.expert is None else self.saw[:, self.expert]
        found: Mask = self._enough(self.saw[:, self.humans].sum(axis=1), known) & self.saw[:, model]
        return found

    def held(self, model: int) -> HeldOutLabels:
        """Return who is nearer, a model or each human, in every document."""
        here = self.instances(model)
        if self.expert is None:
            return hold_out_marks(self.distances, model, self.humans, here)
        return marks_beside_expert(self.distances, model, self.expert, self.humans, here)


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
        reliability={each.annotator: each.measures[alpha].value for each in twice if alpha in each.measures},
        compared=compared,
        setting=setting,
        near=near,
        labels=human_labels(compared, humans, near),
    )


def panel_of_marks(spans: SpanFrame, counts: SpanCounts, rule: ReplacementRule) -> MarkPanel:
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


# The humans, and whom labels are compared with.


def _humans_of(
    people: Sequence[str], roles: Sequence[str], rule: ReplacementRule
) -> tuple[list[int], int | None]:
    """Return the codes of the humans, and of the expert; raise BadInput where there are too few."""
    expert = _expert(people, roles, rule)
    humans = [code for code, role in enumerate(roles) if role == ANNOTATOR and code != expert]
    if len(humans) < (TWO if expert is None else 1):
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
    mend = "It takes at least two; where one is trusted beside others, name the expert."
    return Problem("", 0, RULE, message, mend)
