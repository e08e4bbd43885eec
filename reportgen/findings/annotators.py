"""Annotators who contradict the others or gave one label throughout, and groups of annotators that differ.

A difference between groups may be how people see things; it accuses nobody.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from reportgen.base.dataclass import dataclass
from reportgen.findings.annotator_pairs import (
    by_marks,
    copies,
    gain_of,
    standings,
    swaps,
    without,
)
from reportgen.findings.layer_facts import LEVEL as ALPHA_LEVEL
from reportgen.findings.layer_facts import (
    RELIABLE,
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    Values,
    name_values,
    of_layer,
)
from reportgen.findings.verdicts import unfit_for_thresholds
from reportgen.results import Finding, UnitSet
from reportgen.results.annotators import AnnotatorVsRest, DriftStep, Quality

LEVEL = 0.05
# Nothing has to be done about whoever agrees more, so that chance is to be ruled out.
LEVEL_OF_MORE = 0.01
# Of three, one who is careless makes another look better.
LEAST_FOR_MORE = 4
NAMES_SHOWN = 5
# One label throughout is reported from so many units on, where labels drawn from those of the others would
# all be one no oftener than this among all annotators.
LEAST_UNITS = 10
BY_CHANCE = 0.001

DISCUSS = "Find out by which rules {names} decided."
LOOK = "Check the labels of {annotator}: some may be missing, or the task was misunderstood."

APART = FindingTemplate("disagrees-with-everyone", "warning", "quality", examples=()).saying(
    "{names} agrees less with the others than the others agree among themselves on the "
    "same {noun} (p = {p}, Holm).",
    DISCUSS,
)
SEVERAL_APART = APART.saying(
    "{people} annotators ({names}) agree less with the others than the others agree "
    "among themselves on the same {noun} (p = {p} for the farthest, Holm).",
    DISCUSS,
)
MARKS_APART = replace(
    APART,
    habit="agreement",
    claim="{names}'s marks agree less with those of the others (strict F {f_with}) than these agree among "
    "themselves ({f_without}, p = {p}, Holm).",
)
SEVERAL_MARKS_APART = replace(
    MARKS_APART,
    habit="agreement",
    claim="The marks of {people} annotators ({names}) agree less with those of the others than these agree "
    "among themselves (strict F, p = {p} for the farthest, Holm).",
)
MORE = FindingTemplate("agrees-more", "note", "quality", examples=()).saying(
    "{names} agrees more with the others than the others agree among themselves on the same {noun} (p = {p}, "
    "Holm). None of the others stands out.",
    "Ask {names} how they decide, and tell the others.",
)
MARKS_MORE = replace(
    MORE,
    claim="The marks of {names} agree more with those of the others than these agree among themselves "
    "(strict F, p = {p}, Holm). No other annotator stands out.",
)
ALWAYS = FindingTemplate(
    *("one-label", "problem", "annotator-pairs"),
    asks="export",
    people=("annotator",),
    cases=("units",),
    examples=("category",),
).saying(
    "{annotator} gave {category} to all {units} {noun} that others labelled too; the "
    "others gave another label in {other_share} of cases.",
    LOOK,
)
NOTHING = replace(
    ALWAYS,
    examples=None,
    claim=(
        "{annotator} marked none of {units} {noun} that others read; the others marked them "
        "in {other_share} of cases."
    ),
)
SILENT = FindingTemplate("marked-nothing", "warning", "spans", examples=()).saying(
    "{names} marked nothing, though others marked something in the same documents.",
    "Check the marks of {names}: some may be missing, or the task was misunderstood.",
)


@dataclass(frozen=True)
class Constant:
    """An annotator who gave one label to all units that others rated too, and how often these gave each."""

    annotator: str
    category: str
    units: int
    others: Counter[str]

    @property
    def other_share(self) -> float:
        """Return how often others gave another label."""
        return 1 - self.others[self.category] / self.others.total()

    def no_chance(self, people: int) -> bool:
        """Tell whether labels drawn from those of the others would hardly be one throughout for anybody.

        That nobody else ever gave it is no chance either.
        """
        total = self.others.total()
        alike = math.fsum(math.pow(times / total, self.units) for times in self.others.values())
        return self.units >= LEAST_UNITS and (not self.others[self.category] or alike * people < BY_CHANCE)


def one_label(facts: LayerFacts) -> Iterator[Finding]:
    """Yield annotators who gave one label to everything, where others' labels make that no chance."""
    value = facts.figure.value if facts.figure else None
    for constant in constants(facts):
        left_out = without(facts, constant.annotator)
        values = {
            "units": constant.units,
            "other_share": constant.other_share,
            **left_out,
            "annotator": constant.annotator,
        }
        message = NOTHING
        if constant.category != facts.unit_set.non_annotated:
            message = ALWAYS
            values["category"] = constant.category
        # Of two annotators all disagreement is with the one.
        gain = gain_of(left_out) if left_out or value is None else 1 - value
        yield message.gaining(gain, **values)


def silent(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who made no mark at all in documents that others marked, and has no other finding."""
    spans, own, others = facts.results.spans, Counter[str](), Counter[str]()
    for pair in spans.pairs if spans else ():
        if pair.layer == facts.layer and {*pair.roles} == {"annotator"}:
            (first, second), outcomes = pair.annotators, pair.counts
            both = outcomes.match + outcomes.overlap
            own.update({first: both + outcomes.only_first, second: both + outcomes.only_second})
            others.update({first: outcomes.only_second, second: outcomes.only_first})
    found = [name for name, marks in own.items() if not marks and others[name]]
    if found and (names := sorted({*found} - {constant.annotator for constant in constants(facts)})):
        yield SILENT.finding(**name_values("names", names, NAMES_SHOWN))


def constants(facts: LayerFacts) -> list[Constant]:
    """Return who gave one label throughout; among several only those without whom agreement is better.

    Where one label is right throughout and others slip, those who are right give one label too.
    """
    by_name = standings(facts)
    per_annotator = [_constant(facts.unit_set, name, by_name.get(name)) for name in facts.unit_set.annotators]
    people = len(per_annotator)
    return [
        constant
        for constant in per_annotator
        if constant and (people == 2 or without(facts, constant.annotator)) and constant.no_chance(people)
    ]


def _constant(unit_set: UnitSet, annotator: str, standing: AnnotatorVsRest | None) -> Constant | None:
    """Return what an annotator gave throughout, None where it is several labels or of how many is unknown."""
    own, others = set[str](), Counter[str]()
    for pair in unit_set.pairs:
        if annotator in pair.annotators:
            names, (mine, theirs) = pair.confusion.categories, pair.confusion.margins
            if annotator != pair.confusion.rows:
                mine, theirs = theirs, mine
            own |= {name for name, times in zip(names, mine, strict=True) if times}
            others.update(dict(zip(names, theirs, strict=True)))
        if len(own) > 1:
            return None
    only = unit_set.only_pair
    shared = standing and (standing.agreement.units if standing.units is None else standing.units)
    units = only.confusion.units if only else shared
    return Constant(annotator, own.pop(), units, others) if own and units else None


def disagreeing(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who agrees less with the others than these do among themselves, and has no other finding.

    Copies agree with each other whoever else is right: beside them nobody is named.
    """
    if copies(facts):
        return
    explained = {constant.annotator for constant in constants(facts)} | {
        name for names, _ in swaps(facts.unit_set) for name in names
    }
    outlying = [(p, standing) for p, standing in _outlying(facts) if standing.annotator not in explained]
    if not outlying:
        yield from _better(facts)
        return
    p, farthest = outlying[0]
    values = name_values("names", (standing.annotator for _, standing in outlying), NAMES_SHOWN) | {"p": p}
    left_out = max(
        (without(facts, standing.annotator) for _, standing in outlying),
        key=lambda option: gain_of(option) or 0.0,
    )
    if by_marks(facts):
        message = MARKS_APART if len(outlying) == 1 else SEVERAL_MARKS_APART
        values |= {"f_with": farthest.agreement.value, "f_without": farthest.others}
    else:
        message = APART if len(outlying) == 1 else SEVERAL_APART
        values |= left_out
    if len(outlying) > 1:
        values["people"] = len(outlying)
    if left_out and _reaches(facts, left_out):
        message = replace(message, severity="problem")
    yield message.gaining(gain_of(left_out), **values)


def _better(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who agrees more with the others than anybody else, where nobody agrees less."""
    compared = [*standings(facts).values()]
    if len(compared) < LEAST_FOR_MORE:
        return
    better = [(p, own) for p, own in _standing_out(compared, less=False) if by_marks(facts) or _is_more(own)]
    if not better:
        return
    yield (MARKS_MORE if by_marks(facts) else MORE).finding(
        **name_values("names", (standing.annotator for _, standing in better), NAMES_SHOWN), p=better[0][0]
    )


def _is_more(own: AnnotatorVsRest) -> bool:
    """Tell whether somebody agrees with others than the nearest one too: half as much more, or more."""
    left = own.without_nearest.difference if own.without_nearest else None
    return left is None or 2 * left >= (own.difference.value or 0.0)


def outliers(facts: LayerFacts) -> set[str]:
    """Return who gives one label throughout or contradicts the others, and lowers agreement."""
    names = [constant.annotator for constant in constants(facts)] + [
        standing.annotator for _, standing in _outlying(facts)
    ]
    return {name for name in names if without(facts, name)}


def _outlying(facts: LayerFacts) -> list[tuple[float, AnnotatorVsRest]]:
    """Return those whom tests tell from the others and from the next of them, the surest first."""
    return _standing_out([*standings(facts).values()], less=True)


def _standing_out(
    annotators: Sequence[AnnotatorVsRest], *, less: bool
) -> list[tuple[float, AnnotatorVsRest]]:
    """Return the fewer than half who agree less than the others, or else more, the surest first.

    Average annotators agree less than a careful one lets the others do, and more than a careless one does.
    So those who stand out also differ from who comes next. Of a crowd nobody is compared with the next.
    """
    sign = -1 if less else 1
    compared = [each for each in annotators if each.difference.value is not None]
    compared.sort(key=lambda each: -sign * (each.difference.value or 0.0))
    if any(each.next_p is not None for each in compared):
        # The p value is with the lower of two neighbours.
        gaps = [(one if less else other).next_p for one, other in pairwise(compared)]
        fewer_than_half = range(1, (len(compared) + 1) // 2)
        seen = [many for many in fewer_than_half if (p := gaps[many - 1]) is not None and p < LEVEL]
        compared = compared[: max(seen, default=0)]
    apart = [
        (each.adjusted_p, each)
        for each in compared
        if sign * (each.difference.value or 0.0) > 0
        and each.adjusted_p is not None
        and each.adjusted_p < (LEVEL if less else LEVEL_OF_MORE)
    ]
    return sorted(apart, key=lambda row: (row[0], row[1].annotator))


def _reaches(facts: LayerFacts, left_out: Values) -> bool:
    """Tell whether agreement would reach a threshold that it does not reach."""
    value, alone = float(str(left_out["value"])), float(str(left_out["without"]))
    reached = any(value < threshold <= alone for threshold in (TENTATIVE, RELIABLE))
    return reached and unfit_for_thresholds(facts) is None


# Who was rejected, who labels at random, and whose agreement drifts.

REJECTED = FindingTemplate("rejected-annotators", "warning", "quality", of_data="limitation").saying(
    "{people} of {all} annotators failed the control items: {names}. Their labels are left out of agreement.",
    "Report agreement with and without them, and when the rule was made.",
)
NEAR_CHANCE = FindingTemplate("near-chance", "warning", "quality", of_data="bias").saying(
    "By the model of Dawid and Skene, labels of {names} are right hardly more often than the same labels "
    "given at random.",
    "Compare their labels with those of the others.",
)
BELOW_CHANCE = FindingTemplate("below-chance", "warning", "quality").saying(
    "By the model of Dawid and Skene, labels of {names} are right less often than the same labels given at "
    "random.",
    "See whether they have two labels the wrong way round.",
)
DRIFT = FindingTemplate("drift", "warning", "quality", of_data="bias", repeated="progress").saying(
    "As the {over} go on, the agreement of {names} with the others changes by {change}, compared with how "
    "these agree among themselves (p = {p}, Holm).",
    "Go through the guidelines again with {names}.",
)
RISES = DRIFT.saying(
    "As the {over} go on, the agreement of {names} with the others rises by {change}, compared with how "
    "these agree among themselves (p = {p}, Holm).",
    "Have {names} annotate the first {over} again.",
)
# Where the days of labels are known.
SINCE = " The clearest step is on {since}: {before} before, {after} from then on."
DATED = {message: replace(message, claim=message.claim + SINCE) for message in (DRIFT, RISES)}
DRIFT_SINCE, RISES_SINCE = DATED.values()
Drifting = tuple[float, float, str, DriftStep | None]


def rejected(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whom control items made the campaign reject."""
    for layer in facts.results.quality or ():
        if (controls := layer.controls) and (names := controls.rejected):
            everybody = controls.annotators_in_all
            yield REJECTED.finding(people=len(names), all=everybody, **_named(facts, layer, names))


def near_chance(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who is right hardly more often than chance, or less, by the model of Dawid and Skene."""
    for layer in facts.results.quality or ():
        model = layer.dawid_skene.annotators
        if below := [errors.annotator for errors in model if errors.below_chance]:
            yield BELOW_CHANCE.finding(**_named(facts, layer, below))
        if near := [errors.annotator for errors in model if errors.near_chance]:
            yield NEAR_CHANCE.finding(**_named(facts, layer, near))


def _named(facts: LayerFacts, layer: Quality, names: Iterable[str]) -> Values:
    """Return the first few names, with the layer where there are several."""
    values = name_values("names", names, NAMES_SHOWN)
    layers = {unit_set.layer for unit_set in facts.results.unit_sets}
    return of_layer("names", layer.layer, values) if len(layers) > 1 else values


def drift(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whose agreement changes as documents go on, where their order is that of the work.

    Beside copies nobody is named: these agree with each other, however hard documents become for everybody.
    """
    declared = facts.results.campaign.protocol.get("in_order")
    for layer in facts.results.quality or ():
        if layer.copies or not (declared or layer.in_time):
            continue
        over = "documents" if layer.by_document else "units"
        for p, change, name, step in _one_way(_drifting(layer.annotators))[:NAMES_SHOWN]:
            message = DRIFT if change < 0 else RISES
            values: Values = {"over": over, "change": change, "p": p, **_named(facts, layer, [name])}
            if step:
                message = DATED[message]
                values |= {"since": step.since, "before": step.before, "after": step.after}
            yield message.finding(**values)


def _one_way(drifting: Iterable[Drifting]) -> list[Drifting]:
    """Return those whose agreement moves as that of the surest, the surest first.

    Beside somebody whose agreement falls, that of all others rises, compared with theirs among themselves.
    """
    surest = sorted(drifting, key=lambda each: each[:3])
    return [each for each in surest if each[1] * surest[0][1] > 0]


def _drifting(annotators: Iterable[AnnotatorVsRest]) -> Iterator[Drifting]:
    for annotator in annotators:
        trend = annotator.drift
        if trend and trend.adjusted_p is not None and trend.adjusted_p < LEVEL:
            slope, moved = trend.slope.value or 0.0, trend.blocks[-1].agreement - trend.blocks[0].agreement
            left = annotator.without_nearest.slope if annotator.without_nearest else None
            beyond_nearest = left is None or 2 * left * slope >= slope * slope
            # Where agreement itself does not move as the slope says, it is the others who drift.
            if moved * slope > 0 and beyond_nearest:
                step = (
                    trend.step if trend.step and (trend.step.after - trend.step.before) * slope > 0 else None
                )
                yield trend.adjusted_p, slope, annotator.annotator, step


# Who was overruled, by the decisions on what annotators differ on.

OVERRULED = FindingTemplate("overruled", "note", "adjudication", examples=(), repeated="adjudication").saying(
    "Of the decided disagreements, {names} had {right_share} right, the others on the same {noun} "
    "{others_share} (p = {p}, Holm).",
    "Go through these decisions with {names}. Decisions by one of the annotators may favour that one.",
)


def overruled(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who was right less often than the others on the units that were decided, beyond chance."""
    for adjudication in facts.results.adjudication or ():
        people = adjudication.annotators or {}
        compared = [
            AnnotatorVsRest(
                annotator=name,
                agreement=decided.right,
                others=decided.others,
                difference=decided.difference,
                p=decided.p,
                adjusted_p=decided.adjusted_p,
                next_p=decided.next_p,
            )
            for name, decided in people.items()
        ]
        for p, own in _standing_out(compared, less=True) if adjudication.layer == facts.layer else ():
            yield OVERRULED.finding(
                names=own.annotator,
                right_share=own.agreement.value,
                others_share=own.others,
                noun="units",
                p=p,
                layer=adjudication.layer,
            )


# Labels that are not reliable together, of as many annotators as a unit has.

# More annotators are nothing to ask for before the guidelines are clearer.
MOST_ASKED = 20
TOGETHER = FindingTemplate("unreliable-aggregate", "note", "aggregate", kind="limit").saying(
    "Together, the labels that {noun} have ({per_unit} on average) reach a reliability of {reliability}; "
    "{enough} annotators would be enough for {threshold}.",
    "Have {enough} annotators label {noun} before the aggregate is used, or make the guidelines clearer: the "
    "better two annotators agree, the fewer it takes.",
)
TOO_MANY = replace(
    TOGETHER, advice="Make the guidelines clearer: the better two annotators agree, the fewer it takes."
)


def unreliable_aggregate(facts: LayerFacts) -> Iterator[Finding]:
    """Yield how many annotators would be enough, where the labels of those at hand fall short together."""
    for aggregate in facts.results.aggregates or ():
        value, goal, labels = aggregate.reliability.value, aggregate.enough[-1], round(aggregate.labels, 1)
        if aggregate.layer != facts.layer or value is None or value >= RELIABLE:
            continue
        # With 4.99 labels a unit, "5 would be enough" says nothing.
        if goal.annotators and goal.annotators > labels:
            yield (TOGETHER if goal.annotators <= MOST_ASKED else TOO_MANY).finding(
                per_unit=f"{labels:g}",
                reliability=value,
                enough=goal.annotators,
                threshold=f"{goal.reliability:g}",
            )


GROUPS = FindingTemplate("groups", "note", "groups", of_data="disagreement")
GROUP_APART = GROUPS.saying(
    "Annotators whose {attribute} is {group} agree more among themselves ({within}) than with the others "
    "({between}) on the same units (p = {p}).",
    "Publish groups beside labels, and see which labels each gives more often: what most people say may hide "
    "what one group says.",
)
MIXED = GROUPS.saying(
    "Annotators whose {attribute} is {group} agree less among themselves ({within}) than with the others "
    "({between}) on the same units (p = {p}): they see things in more different ways.",
    GROUP_APART.advice,
)


def groups(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the groups that differ in agreement beyond chance."""
    found = facts.results.groups
    tables = [table for table in (found.layers if found else ()) if table.layer == facts.layer]
    for attribute, own in ((table.attribute, own) for table in tables for own in table.agreement):
        apart = own.difference.value
        if own.group is None or apart is None or own.adjusted_p is None or own.adjusted_p >= ALPHA_LEVEL:
            continue
        yield (GROUP_APART if apart > 0 else MIXED).finding(
            attribute=attribute,
            group=own.group,
            within=own.within.value,
            between=own.between.value,
            p=own.adjusted_p,
        )
