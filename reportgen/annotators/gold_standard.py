"""The gold standard of one layer: the label of each unit, who decided it, and what is still open."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from reportgen.annotators.adjudication import REFERENCE_ROLE, SEVERAL
from reportgen.annotators.dawid_skene import NotFitted, posteriors
from reportgen.annotators.decisions import LayerAdjudication, SheetUnits, units_of
from reportgen.base.errors import BadInput, Problem
from reportgen.readers import Annotations, TextMarks
from reportgen.units import Request, find_controls, people

OPTION = "--aggregate"


class Status(StrEnum):
    """Who decided a unit's label; a closed list."""

    ADJUDICATED = "adjudicated"
    CONTROL = "control"
    REFERENCE = "reference"
    AGREED = "agreed"
    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"
    OPEN = "open"


class Aggregate(StrEnum):
    """How annotators' labels become one where nobody decided."""

    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"


@dataclass(frozen=True)
class GoldUnit:
    """A unit (its number in the sheet) with its label, empty where it is open.

    `votes` is how often annotators gave each label, `share` the part of them who gave the chosen one, None
    where nobody labelled it; `posterior` its probability under the model of Dawid and Skene; `references` who
    decided, where references of the export did.
    """

    unit: int
    status: Status
    label: str = ""
    votes: Mapping[str, int] = field(default_factory=dict)
    posterior: float | None = None
    references: tuple[str, ...] = ()

    @property
    def annotators(self) -> int:
        """Return how many annotators labelled the unit."""
        return sum(self.votes.values())

    @property
    def share(self) -> float | None:
        """Return the share of annotators who gave the label that was chosen."""
        if self.status is Status.OPEN or not self.votes:
            return None
        return self.votes.get(self.label, 0) / self.annotators


@dataclass(frozen=True, eq=False)
class GoldLayer:
    """The gold standard of one layer; `units` are in the order of documents and places."""

    sheet: SheetUnits
    units: Sequence[GoldUnit]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many units have each status, in the order of the list, those alone that occur."""
        statuses = Counter(unit.status for unit in self.units)
        return {status.value: statuses[status] for status in Status if statuses[status]}

    @property
    def labelled_once(self) -> int:
        """Return how many of the open units one annotator alone labelled."""
        return sum(unit.status is Status.OPEN and unit.annotators < SEVERAL for unit in self.units)


def gold_layer(
    annotations: Annotations,
    request: Request,
    layer: LayerAdjudication,
    aggregate: Aggregate | None = None,
    rejected: Collection[str] = (),
) -> GoldLayer:
    """Return the gold standard of one layer.

    A unit has the label of the filled sheet; else that of the control item that it is; else that of the
    references in the export, where they say the same; else the one that all annotators gave it, two at least.
    With `aggregate` the rest has the label of most annotators, or the most probable one (the model tells of
    what all agree on too). `rejected` annotators count with `aggregate` no longer. Raises BadInput where
    aggregating says nothing.
    """
    asked = replace(request, rejected=tuple(rejected)) if aggregate else request
    return _Decider(annotations, asked, layer, aggregate).decided()


@dataclass(frozen=True, eq=False)
class _Decider:
    """Who decides about the units of one layer."""

    annotations: Annotations
    request: Request
    adjudication: LayerAdjudication
    aggregate: Aggregate | None

    @cached_property
    def references(self) -> frozenset[str]:
        """Return who is a reference in the export itself; the one made of a sheet is none of them."""
        annotations, request = self.annotations, self.request
        roles = {**annotations.roles, **request.roles}
        participants = people(annotations.content.annotators, roles, request.same_as)
        references = (
            name
            for name, role in zip(participants.names, participants.roles, strict=True)
            if role == REFERENCE_ROLE
        )
        return frozenset(references) - {*annotations.derived}

    @cached_property
    def sheet(self) -> SheetUnits:
        """Return the units of annotators and references."""
        roles = {**self.request.roles, **dict.fromkeys(self.references, "annotator")}
        return units_of(self.annotations, replace(self.request, roles=roles, controls=None))

    @cached_property
    def decided_labels(self) -> Mapping[int, tuple[Status, str]]:
        """Return the labels of units that the sheet decides, or that are control items."""
        decided: dict[int, tuple[Status, str]] = {}
        if not isinstance(self.annotations.content, TextMarks):
            items = find_controls(self.annotations.ratings, self.request).items
            decided = {unit: (Status.CONTROL, item.label) for unit, item in items.items()}
        number = _numbers(self.adjudication.sheet, self.sheet)
        decisions = self.adjudication.decisions.items()
        return decided | {number[unit]: (Status.ADJUDICATED, label) for unit, label in decisions}

    @cached_property
    def probable(self) -> Mapping[int, tuple[str, float]]:
        """Return the most probable label of each unit that annotators rated, and its probability."""
        own = units_of(self.annotations, replace(self.request, controls=None))
        model = posteriors(own.units)
        if isinstance(model, NotFitted):
            raise BadInput([self._problem(f"{model.value}.")])
        number, (rated, posterior) = _numbers(own, self.sheet), model
        best = posterior.argmax(axis=1).tolist()
        return {
            number[unit]: (own.units.categories[label], float(row[label]))
            for unit, label, row in zip(rated.tolist(), best, posterior, strict=True)
        }

    def decided(self) -> GoldLayer:
        """Return what is decided, and what is open."""
        units = self.sheet.units.unit_document.argsort(kind="stable").tolist()
        gold_units = [self._unit(unit) for unit in units]
        if self.aggregate is Aggregate.MAJORITY and all(
            gold_unit.annotators <= SEVERAL for gold_unit in gold_units
        ):
            raise BadInput([self._problem("no unit was labelled by more than two annotators.")])
        return GoldLayer(self.sheet, gold_units)

    def _unit(self, unit: int) -> GoldUnit:
        labels = self.sheet.rated(unit)
        who = tuple(name for name in labels if name in self.references)
        votes = Counter(label for name, label in labels.items() if name not in who)
        said = {labels[name] for name in who}
        if unit in self.decided_labels:
            return GoldUnit(unit, *self.decided_labels[unit], votes)
        if len(said) == 1:
            return GoldUnit(unit, Status.REFERENCE, said.pop(), votes, references=who)
        return GoldUnit(unit, Status.OPEN, votes=votes) if said else self._of_annotators(unit, votes)

    def _of_annotators(self, unit: int, votes: Counter[str]) -> GoldUnit:
        """Return a unit with the label that annotators' own labels make, open where they make none."""
        if self.aggregate is Aggregate.DAWID_SKENE and unit in self.probable:
            label, posterior = self.probable[unit]
            return GoldUnit(unit, Status.DAWID_SKENE, label, votes, posterior)
        if votes.total() >= SEVERAL:
            (label, times), *others = votes.most_common(2)
            if not others:
                return GoldUnit(unit, Status.AGREED, label, votes)
            if self.aggregate is Aggregate.MAJORITY and times > others[0][1]:
                return GoldUnit(unit, Status.MAJORITY, label, votes)
        return GoldUnit(unit, Status.OPEN, votes=votes)

    def _problem(self, why: str) -> Problem:
        message = f'layer "{self.request.layer}": {why}'
        remedy = "Fill in the sheet tables/adjudication.csv of the report, or leave the option out."
        return Problem(OPTION, message=message, remedy=remedy)


def _numbers(own: SheetUnits, sheet: SheetUnits) -> Mapping[int, int]:
    """Return the number that each of one's own units has in a sheet, which has all of them."""
    if not own.texts:
        return {unit: unit for unit in range(len(own.units.unit_weight))}
    return {unit: sheet.by_place[stretches] for stretches, unit in own.by_place.items()}
