"""Labels of several annotators as one, the gold standard; how reliable the majority of them is.

Two independent majorities of k labels each, of the same units, agree with an alpha that nobody can observe
where units have k labels. The formula of Spearman (1910) and Brown (1910) is of means, and takes errors to be
as likely on every unit: where a part of the units is hard, it promises far too much of a majority. So it is
estimated how units differ: each has probabilities of its labels, of which many candidates are laid out (one
category against all others, two against each other, in twelfths), and the shares of units that have them are
those under which the labels at hand are most likely (Kiefer and Wolfowitz 1956; by EM, Laird 1978). Of each
candidate it is known exactly how likely each category is to be the majority of k labels, ties by lot; from
these follow observed and expected agreement of two majorities, and alpha = (A_o - A_e) / (1 - A_e).

Intervals come from drawing documents, or units where none is known, again with replacement (percentiles); of
more than a million units a part (m out of n; Bickel, Götze and van Zwet 1997).
Two or three labels a unit leave open how units differ: then the figure rests on the candidates, and is not
given.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign.guidelines import BY_SCALE
from reportgen.counts import distinct_rows
from reportgen.measures import Floats, UnitSetAgreement
from reportgen.measures.annotators.adjudication import REFERENCE_ROLE, SEVERAL
from reportgen.measures.annotators.dawid_skene import NotFitted, probable_labels
from reportgen.measures.annotators.decisions import (
    LayerAdjudication,
    SheetUnits,
    request_with_both_sides,
    units_of,
)
from reportgen.measures.estimate import figure
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.readers import Annotations, Codes, TextMarks
from reportgen.readers.annotations import NO_DOCUMENT
from reportgen.results import Figure, Interval
from reportgen.results.unit_sets import (
    AggregateOfAnnotators,
    AggregateReliability,
    EnoughAnnotators,
    MajorityUnits,
    VotePattern,
)
from reportgen.units import LayerSettings, find_controls, people
from reportgen.units.labels import side_by_side, sums_by

# So many labels a unit say how units differ; candidates are laid out in so many steps.
LEAST_LABELS_OF_MAJORITIES, STEPS = 4, 12
# Of more labels a majority is as sure as can be, and a unit with still more makes likelihoods too small.
MOST_LABELS, MOST_OF_A_UNIT, TINY = 60, 500, 1e-150
ITERATIONS, DRAWS = 200, 100
SEED = 20_100
# With more categories, or candidates times kinds of units, nothing is estimated.
MOST_CATEGORIES, MOST_CELLS = 30, 1_000_000
# And with more of these, no interval.
MOST_DRAWN = 100_000
# Of more units without documents so many are drawn, which vary more: intervals are narrower by the root.
MOST_UNITS, FEWER_UNITS = 1_000_000, 200_000
LOW, HIGH = 0.025, 0.975
BY_DOCUMENT = "drawing documents with replacement, percentiles"
BY_UNIT = "drawing units with replacement, percentiles"


@dataclass(frozen=True, eq=False)
class Majorities:
    """How reliable majorities are: `of` has their alpha by the number of labels."""

    labels: int
    units: int
    by_number: dict[int, Figure]


def majorities(profiles: LabelPatterns, numbers: Sequence[int]) -> Majorities | None:
    """Return how reliable majorities of some numbers of labels are, those at hand included.

    None where units have too few labels or very many, or the categories are too many.
    """
    enough = profiles.only(profiles.ratings >= LEAST_LABELS_OF_MAJORITIES)
    if 2 * enough.units < profiles.units or not enough.units:
        return None
    order = np.argsort(enough.ratings, kind="stable")
    middle = np.searchsorted(np.cumsum(enough.times[order]), enough.units // 2, side="right")
    usual = int(enough.ratings[order[middle]])
    if usual > MOST_LABELS or enough.ratings.max() > MOST_OF_A_UNIT:
        return None
    used = np.flatnonzero(enough.totals)
    if not 2 <= len(used) <= MOST_CATEGORIES:
        return None
    # How often each of the used categories is among the labels of a unit.
    profile, label, times = enough.cells
    votes = np.zeros((len(enough.labels), len(used)), dtype=np.int64)
    votes[profile, np.searchsorted(used, label)] = times
    candidates = _candidates(votes, enough.times)
    if len(candidates) * len(votes) > MOST_CELLS:
        return None
    likely = _likelihoods(votes, candidates)
    asked = sorted({*numbers, usual})
    chosen = {number: _majority_of(candidates, number) for number in asked}
    shares = _shares(likely, enough.times)
    drawn = [_shares(likely, weights) for weights in _drawn(enough)] if likely.size <= MOST_DRAWN else []
    spread = math.sqrt(FEWER_UNITS / enough.units) if _is_drawn_in_part(enough) else 1.0
    method = BY_DOCUMENT if (enough.document != NO_DOCUMENT).any() else BY_UNIT
    figures = {
        number: _figure([_alpha(own, majority) for own in (shares, *drawn)], enough.units, method, spread)
        for number, majority in chosen.items()
    }
    return Majorities(usual, enough.units, figures)


def _candidates(votes: Codes, weights: Codes) -> Floats:
    """Return probabilities of labels that units may have (candidates, categories)."""
    categories = votes.shape[1]
    totals = (votes * weights[:, None]).sum(axis=0).astype(np.float64)
    met = votes > 0
    each = np.eye(categories)
    rows: list[Floats] = []
    for one in range(categories):
        rest = np.where(np.arange(categories) == one, 0.0, totals)
        rest /= rest.sum()
        rows += [_mixed(each[one], rest, step) for step in range(STEPS + 1) if step * categories >= STEPS]
        for other in range(one + 1, categories):
            if (met[:, one] & met[:, other]).any():
                rows += [_mixed(each[one], each[other], step) for step in range(STEPS + 1)]
    return np.unique(np.array(rows), axis=0)


def _mixed(one: Floats, other: Floats, step: int) -> Floats:
    mixed: Floats = (step * one + (STEPS - step) * other) / STEPS
    return mixed


def _likelihoods(votes: Codes, candidates: Floats) -> Floats:
    """Return how likely the labels of each kind of unit are under each candidate (kinds, candidates)."""
    most = int(votes.max())
    likely = np.ones((len(votes), len(candidates)))
    for category in range(votes.shape[1]):
        powers = np.ones((most + 1, len(candidates)))
        for times in range(1, most + 1):
            powers[times] = powers[times - 1] * candidates[:, category]
        likely *= powers[votes[:, category]]
        # Of many labels all are tiny: what counts is how a unit's candidates compare.
        highest = likely.max(axis=1, keepdims=True)
        likely = np.where(highest < TINY, likely / highest, likely)
    return likely


def _shares(likely: Floats, weights: Codes) -> Floats:
    """Return the shares of units that have each candidate under which the labels are most likely, by EM."""
    there = weights > 0
    rows, seen = likely[there], weights[there] / int(weights.sum())
    shares = np.full(rows.shape[1], 1 / rows.shape[1])
    for _ in range(ITERATIONS):
        under = (rows * shares).sum(axis=1)
        shares = shares * (rows * (seen / under)[:, None]).sum(axis=0)
    return shares


def _is_drawn_in_part(profiles: LabelPatterns) -> bool:
    return bool((profiles.document == NO_DOCUMENT).all() and profiles.units > MOST_UNITS)


def _drawn(profiles: LabelPatterns) -> Iterator[Codes]:
    """Yield how many units of each kind (kinds,) are in samples of documents, or of units without one."""
    document, alone = profiles.document, profiles.document == NO_DOCUMENT
    generator = np.random.Generator(np.random.PCG64(SEED))
    kinds = len(profiles.labels)
    if _is_drawn_in_part(profiles):
        ends = np.cumsum(profiles.n)
        for _ in range(DRAWS):
            rows = np.searchsorted(ends, generator.integers(0, ends[-1], FEWER_UNITS), side="right")
            yield np.bincount(profiles.profile[rows], minlength=kinds)
        return
    if alone.all():
        own = np.repeat(profiles.profile, profiles.n)
        clusters, times = np.arange(len(own)), np.ones(len(own), dtype=np.int64)
    else:
        names = np.where(alone, document.max() + 1 + np.arange(len(document)), document)
        _names, clusters = np.unique(names, return_inverse=True)
        own, times = profiles.profile, profiles.n
    groups = int(clusters.max()) + 1
    for _ in range(DRAWS if groups > 1 else 0):
        chosen = np.bincount(generator.integers(0, groups, groups), minlength=groups)
        weights = sums_by(own, times * chosen[clusters], kinds)
        if weights.any():
            yield weights


# The majority of so many labels of a unit whose probabilities are known.


def _majority_of(candidates: Floats, number: int) -> Floats:
    """Return how likely each category is to be the majority of so many labels (candidates, categories).

    Labels are independent draws; where several are the most frequent, one of them is taken by lot.
    """
    weighed = np.ones((*candidates.shape, number + 1))
    for times in range(1, number + 1):
        weighed[:, :, times] = weighed[:, :, times - 1] * candidates / times
    majority = np.zeros(candidates.shape)
    for category in range(candidates.shape[1]):
        others = np.delete(weighed, category, axis=1)
        for times in range(1, number + 1):
            left = _others_below(others, times, number - times)
            majority[:, category] += weighed[:, category, times] * left
    return majority * math.factorial(number)


def _others_below(weighed: Floats, times: int, left: int) -> Floats:
    """Return how likely others are `left` times, none more than `times`; j that tie count 1 / (1 + j)."""
    ties = left // times
    state = np.zeros((len(weighed), left + 1, ties + 1))
    state[:, 0, 0] = 1.0
    for category in range(weighed.shape[1]):
        before, state = state, np.zeros_like(state)
        for drawn in range(min(times, left) + 1):
            added = weighed[:, category, drawn, None, None] * before[:, : left + 1 - drawn]
            if drawn < times:
                state[:, drawn:] += added
            else:
                state[:, drawn:, 1:] += added[:, :, :-1]
    below: Floats = (state[:, left] / np.arange(1, ties + 2)).sum(axis=1)
    return below


def _alpha(shares: Floats, majority: Floats) -> float | None:
    """Return alpha of two independent majorities, None where all majorities are the same."""
    observed = float((shares * (majority * majority).sum(axis=1)).sum())
    margins = (shares[:, None] * majority).sum(axis=0)
    expected = float((margins * margins).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else None


def _figure(values: Sequence[float | None], units: int, method: str, spread: float) -> Figure:
    """Return the first value with the percentiles of the others, as far from it as a `spread` says."""
    own, *drawn = values
    known = sorted(value for value in drawn if value is not None)
    if own is not None and spread < 1:
        known = [own + spread * (value - own) for value in known]
    interval = None
    if own is not None and len(known) == len(drawn) > 0:
        low, high = (_percentile(known, share) for share in (LOW, HIGH))
        interval = Interval(low=min(low, own), high=max(high, own), level=HIGH - LOW, method=method)
    return Figure(value=own, units=units, interval=interval)


def _percentile(values: Sequence[float], share: float) -> float:
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


# The gold standard: the label of each unit, who decided it, and what is still open.

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
class ProbableLabel:
    """The most probable label of a unit."""

    label: str
    probability: float


@dataclass(frozen=True)
class GoldUnit:
    """A unit (its number in the sheet) with its label, empty where it is open.

    `votes` is how often annotators gave each label, `share` the part of them who gave the chosen one, None
    where nobody labelled it; `probable` what the model of Dawid and Skene says, where it decides;
    `references` who decided, where references of the export did.
    """

    unit: int
    status: Status
    label: str = ""
    votes: Mapping[str, int] = field(default_factory=dict)
    probable: ProbableLabel | None = None
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
    request: LayerSettings,
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
    request: LayerSettings
    adjudication: LayerAdjudication
    aggregate: Aggregate | None

    @cached_property
    def references(self) -> frozenset[str]:
        """Return who is a reference in the export itself; the one made of a sheet is not one of them."""
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
        """Return the units of annotators and references, and of whoever else a filled sheet is of."""
        decided = self.adjudication.decisions
        request = request_with_both_sides(self.annotations, self.request) if decided else self.request
        roles = {**request.roles, **dict.fromkeys(self.references, "annotator")}
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
    def probable(self) -> Mapping[int, ProbableLabel]:
        """Return the most probable label of each unit of which the model of annotators tells."""
        own = units_of(self.annotations, replace(self.request, controls=None))
        model = probable_labels(own.units)
        if isinstance(model, NotFitted):
            raise BadInput([self._problem(f"{model.value}.")])
        rated, posterior = model
        number, best = _numbers(own, self.sheet), posterior.argmax(axis=1).tolist()
        return {
            number[unit]: ProbableLabel(own.units.categories[label], float(row[label]))
            for unit, label, row in zip(rated.tolist(), best, posterior, strict=True)
        }

    def decided(self) -> GoldLayer:
        """Return what is decided, and what is open."""
        units = self.sheet.units.document.argsort(kind="stable").tolist()
        gold_units = [self._unit(unit) for unit in units]
        if self.aggregate is Aggregate.MAJORITY and all(gold.annotators <= SEVERAL for gold in gold_units):
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
            likely = self.probable[unit]
            return GoldUnit(unit, Status.DAWID_SKENE, likely.label, votes, likely)
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
    """Return the number that each of one's own units has in a sheet.

    A sheet has no places that only somebody marked of whose labels nothing is decided, such as a system.
    """
    if not own.texts:
        return {unit: unit for unit in range(len(own.units.weight))}
    places = sheet.by_place
    return {unit: places[where] for where, unit in own.by_place.items() if where in places}


# How reliable are labels together, and how many annotators are enough?
#
# Three answers, all from what the counts of a unit set say:
#
# - Spearman (1910) and Brown (1910): k labels of a unit have together the reliability k α / (1 + (k - 1) α),
#   where α is that of one. Wong and Paritosh (2022) call it k-rater reliability. Annotators are taken to be
#   exchangeable, and their errors independent. It is exact for a mean of squared differences, which interval
#   alpha is of numbers, ordinal alpha of ranks, nominal alpha of the shares of labels; of other distances it
#   is an extrapolation.
# - The same turned round: the least k with a reliability that is asked for.
# - How often the majority of k of a unit's labels is that of all of them, as Snow et al. (2008) show accuracy
#   by number of annotators; here without a reference.

# So many labels a unit, on average, are labels of several annotators to be taken together.
LEAST_LABELS = 3
NUMBERS = (1, 2, 3, 5, 7, 10, 15)
# Krippendorff (2004, p. 241), of reliability whatever it is of.
GOALS = (0.667, 0.8)
# Scales on which one label is a name, or a grade, of which one can be the most frequent.
OF_NAMES = ("nominal", "ordinal")
ROUNDING = 1e-9


class NoAggregate(StrEnum):
    """Why labels have no reliability together; a closed list, translated when a page is rendered."""

    NOT_ABOVE_CHANCE = "alpha is not above 0, so that no number of annotators is enough"


def reliability_of_aggregate(agreement: UnitSetAgreement) -> AggregateReliability | None:
    """Return how reliable a unit set's labels are together.

    None where units have few labels, or alpha on the scale of the unit set is undefined.
    """
    units, whole = agreement.units, agreement.whole
    coefficient, _reason = BY_SCALE[units.scale]
    profiles = whole.placed(whole.profiles)
    ratings = int((profiles.ratings * profiles.times).sum())
    alpha = agreement.measures.get(coefficient)
    if ratings < LEAST_LABELS * max(profiles.units, 1) or alpha is None or alpha.value is None:
        return None
    alpha_figure, labels = figure(alpha), ratings / profiles.units
    # Sums do not tell which label most of a unit's are.
    named = units.scale in OF_NAMES and not units.sums_only
    shares, majority = _majorities(profiles) if named else ({}, None)
    reliable = majorities(profiles, NUMBERS) if named and units.scale == "nominal" else None
    return AggregateReliability(
        layer=units.layer,
        unit_set=units.id,
        coefficient=coefficient,
        units=profiles.units,
        labels=labels,
        reliability=reliability_of_labels(alpha_figure, labels),
        by_annotators=tuple(
            AggregateOfAnnotators(
                annotators=number,
                reliability=reliability_of_labels(alpha_figure, number),
                same_majority=shares.get(number),
                majority=reliable.by_number[number] if reliable else None,
            )
            for number in NUMBERS
        ),
        enough=tuple(_enough(alpha_figure, goal) for goal in GOALS),
        majority=majority,
        patterns=_patterns(profiles, majority.labels, units.categories) if majority else None,
        of_majority=reliable.by_number[reliable.labels] if reliable else None,
        usual=reliable.labels if reliable else None,
    )


# By the formula of Spearman and Brown.


def spearman_brown(alpha: float, number: float) -> float:
    """Return the reliability of a number of labels together, `alpha` (0 to 1) being that of one."""
    return number * alpha / (1 + (number - 1) * alpha)


def least_number(alpha: float, reliability: float) -> int | None:
    """Return the least number of labels with a reliability R together; None where alpha is not above 0.

    It is the formula of Spearman and Brown solved for k: R (1 - α) / (α (1 - R)), rounded up.
    """
    if alpha <= 0:
        return None
    needed = reliability * (1 - alpha) / (alpha * (1 - reliability))
    return max(1, math.ceil(needed - ROUNDING))


def reliability_of_labels(alpha: Figure, number: float) -> Figure:
    """Return the reliability of a number of labels together, with the interval that alpha's leads to.

    The formula rises with alpha, so that it takes ends to ends; reliability is not below 0, and neither are
    they.
    """
    if alpha.value is None or alpha.value <= 0:
        return Figure(value=None, units=alpha.units, undefined=NoAggregate.NOT_ABOVE_CHANCE)
    interval, ends = alpha.interval, _ends(alpha)
    if interval and ends:
        low, high = (spearman_brown(max(end, 0.0), number) for end in ends)
        interval = Interval(low=low, high=high, level=interval.level, method=interval.method)
    return Figure(value=spearman_brown(alpha.value, number), units=alpha.units, interval=interval)


def _enough(alpha: Figure, goal: float) -> EnoughAnnotators:
    low, high = _ends(alpha) or (0.0, 0.0)
    return EnoughAnnotators(
        reliability=goal,
        annotators=least_number(alpha.value or 0.0, goal),
        fewest=least_number(high, goal),
        most=least_number(low, goal),
    )


def _ends(alpha: Figure) -> tuple[float, float] | None:
    interval = alpha.interval
    if interval is None or interval.low is None or interval.high is None:
        return None
    return interval.low, interval.high


# By drawing: the majority of some of a unit's labels, and that of all.


def _majorities(profiles: LabelPatterns) -> tuple[dict[int, float], MajorityUnits | None]:
    """Return how often the majority of some labels is that of all, by their number, and over which units.

    The units are the same for every number: those with as many labels as at least half of all have.
    """
    least = usual_labels(profiles)
    if least < LEAST_LABELS:
        return {}, None
    counts, units = label_counts(profiles.only(profiles.ratings >= least))
    tied = counts[:, 0] == counts[:, 1] if counts.shape[1] > 1 else np.zeros(len(counts), dtype=bool)
    every = int(units.sum())
    shares = {
        number: math.fsum(same_majority(counts, number) * units) / every
        for number in NUMBERS
        if number < least
    }
    return shares, MajorityUnits(labels=least, units=every, tied=int(units[tied].sum()))


def usual_labels(profiles: LabelPatterns) -> int:
    """Return how many labels at least half of the units have, or more; the largest such number."""
    order = np.argsort(-profiles.ratings, kind="stable")
    reached = 2 * np.cumsum(profiles.times[order]) >= profiles.units
    return int(profiles.ratings[order][np.argmax(reached)])


def _patterns(profiles: LabelPatterns, labels: int, names: Sequence[str]) -> tuple[VotePattern, ...]:
    """Return how units with so many labels divide them, those most at one first."""
    own = profiles.only(profiles.ratings == labels)
    profile, label, times = own.cells
    counts = -np.sort(-side_by_side(profile, times, len(own.labels), 0), axis=1)
    kinds, kind = distinct_rows(counts)
    every, given = sums_by(kind, own.times, len(kinds)), np.zeros((len(kinds), len(names)), dtype=np.int64)
    np.add.at(given, (kind[profile], label), own.times[profile])
    order = np.lexsort(-kinds.T[::-1])
    return tuple(
        VotePattern(
            labels=tuple(many for many in kinds[row].tolist() if many),
            units=int(every[row]),
            given={name: units for name, units in zip(names, given[row].tolist(), strict=True) if units},
        )
        for row in order.tolist()
    )


def label_counts(profiles: LabelPatterns) -> tuple[Codes, Codes]:
    """Return how often a unit has its labels, the most frequent first, and how many units have them so.

    The former (kinds, most different labels) is filled up with 0. Which labels they are makes no difference.
    """
    profile, _label, times = profiles.cells
    counts = side_by_side(profile, times, len(profiles.labels), 0)
    kinds, kind = distinct_rows(-np.sort(-counts, axis=1))
    return kinds, sums_by(kind, profiles.times, len(kinds))


def same_majority(counts: Codes, number: int) -> Floats:
    """Return how probable it is that some of a unit's labels have the majority that all have (kinds,).

    `counts` are as of `label_counts`; labels are drawn without replacement, at most so many as a unit has.
    Where several labels are the most frequent, drawn or in all, one of them is taken by lot, so that what
    counts is how probable one label, the first, is to be the one taken. Ways to draw are whole numbers:
    sums of products, exact up to 2^53.
    """
    favourable = np.zeros(len(counts))
    of_first = _ways(counts[:, 0], number)
    for times in range(1, number + 1):
        favourable += of_first[:, times] * _ways_for_others(counts[:, 1:], times, number - times)
    drawn: Floats = favourable / _ways(counts.sum(axis=1), number)[:, number]
    return drawn


def _ways(sizes: Codes, most: int) -> Floats:
    """Return in how many ways 0, 1, … things can be drawn out of so many (sizes, most + 1)."""
    ways = np.ones((len(sizes), most + 1))
    for number in range(1, most + 1):
        ways[:, number] = ways[:, number - 1] * np.maximum(sizes - number + 1, 0) / number
    return ways


def _ways_for_others(counts: Codes, times: int, left: int) -> Floats:
    """Return in how many ways the other labels are drawn `left` times, none of them more than `times`.

    Ways in which j of them are drawn as often as the first count 1 / (1 + j), its share of the lot.
    """
    ties = left // times
    state = np.zeros((len(counts), left + 1, ties + 1))
    state[:, 0, 0] = 1.0
    for label in range(counts.shape[1]):
        ways, before = _ways(counts[:, label], times), state
        state = np.zeros_like(before)
        for drawn in range(min(times, left) + 1):
            added = ways[:, drawn, None, None] * before[:, : left + 1 - drawn]
            if drawn < times:
                state[:, drawn:] += added
            else:
                state[:, drawn:, 1:] += added[:, :, :-1]
    weighted: Floats = (state[:, left] / np.arange(1, ties + 2)).sum(axis=1)
    return weighted
