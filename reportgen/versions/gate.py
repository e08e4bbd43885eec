"""Are the rules met? Each demand of each rule, in each layer that has its figure."""

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import partial
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.measures import LEVEL, NoDifference
from reportgen.measures.distributions import t_at, t_below
from reportgen.results import Interval, Results, Scalar
from reportgen.results.comparison import VersionComparison
from reportgen.results.parts import Change
from reportgen.versions.gate_rules import (
    SINCE,
    SPECIFIC,
    FigureChange,
    NotBefore,
    NotCompared,
    Rule,
    RuleFigure,
    find,
    moved,
)

# Has a figure fallen? Is it shown not to have fallen by much? The statistics of [gate], and nothing else.
#
# Both questions are one-sided, and both start from the difference of two versions (the later less the
# earlier), its standard error and its degrees of freedom.
#
# `fall = "significant"` is broken where a fall is significant: p = P(T <= t), corrected after Holm (1979),
# Scandinavian Journal of Statistics 6(2), 65-70, over all such rules of a campaign. Rules may differ in their
# level: then p / at takes the place of p, and 1 that of the level. This is the closed test in which some
# rules together are rejected where one of them has p <= at / (number of rules). Where nothing fell, some rule
# breaks no more often than the mean of their levels, so that a campaign of one level errs at that level at
# most, and with one level for all it is Holm's procedure itself.
#
# `margin = 0.05` is broken unless the fall is shown to be smaller: the lower bound of the difference at 1 -
# at, one-sided, has to be above -margin (a test of non-inferiority; Westlake 1981, Biometrics 37(3),
# 589-594). It is not corrected: a gate opens only if every such rule holds, so that it opens wrongly no more
# often than one of them does (the intersection-union test; Berger 1982, Technometrics 24(4), 295-300).

POWER = 0.8
# More clusters than anybody annotates; beyond it there is no number to tell.
MOST_CLUSTERS = 10**9


@dataclass(frozen=True)
class FallTest:
    """What one rule `fall` rests on: the t statistic of the difference, and the level that it asks for."""

    statistic: float
    degrees: float
    at: float


@dataclass(frozen=True)
class Fall:
    """The answer: p of one side, p after Holm, and whether that is at most the rule's level."""

    p: float
    adjusted: float
    significant: bool


def falls(tests: Sequence[FallTest]) -> list[Fall]:
    """Return the answer to each test of one campaign, Holm's correction being over all of them."""
    # How often a figure that did not move falls as far as this.
    p = [t_below(test.degrees, test.statistic) for test in tests]
    shares = [value / test.at for value, test in zip(p, tests, strict=True)]
    order = sorted(range(len(tests)), key=lambda index: shares[index])
    adjusted, worst = [1.0] * len(tests), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, (len(tests) - rank) * shares[index])
        adjusted[index] = worst
    return [
        Fall(value, min(1.0, share * test.at), significant=share <= 1)
        for value, share, test in zip(p, adjusted, tests, strict=True)
    ]


def lowest(difference: float, error: float, degrees: float, at: float) -> float:
    """Return the lower bound of a difference, one-sided, at the level 1 - at."""
    return difference - t_at(degrees, 1 - at) * error


def clusters_needed(error: float, degrees: float, clusters: int, margin: float, at: float) -> int | None:
    """Return how many clusters show, with a power of 80%, that a fall is smaller than a margin.

    The figures are taken not to differ at all, and a standard error of `error` over `clusters` to shrink with
    the root of their number: n is the least with (t_{1-at} + t_{0.8}) error sqrt(clusters / n) <= margin, the
    degrees of freedom growing in proportion. None where there is no such number that anybody could annotate.
    """

    def enough(n: int) -> bool:
        own = degrees * (n - 1) / (clusters - 1)
        half = (t_at(own, 1 - at) + t_at(own, POWER)) * error * math.sqrt(clusters / n)
        return half <= margin

    above = 2
    while not enough(above):
        above *= 2
        if above > MOST_CLUSTERS:
            return None
    return 2 + bisect_left(range(2, above), x=True, key=enough)


# What became of each rule: a closed list of messages, with {named} places that values fill.


class GateMessage(StrEnum):
    """What was found. {shown} is the figure with its interval, {first} and {second} those of both versions.

    {difference} is their difference with its interval.
    """

    NOT_BELOW = "{figure} {shown} is not below value = {floor} in {version}."
    BELOW = "{figure} {shown} is below value = {floor} in {version}."
    ALL_ABOVE = "{figure} {shown}: its interval does not reach below low = {floor} in {version}."
    REACHES_BELOW = "{figure} {shown}: its interval reaches below low = {floor} in {version}."
    REACHES_AS_FAR = "{figure} {shown}: its interval is not wider than ± half_width = {floor} in {version}."
    REACHES_FARTHER = "{figure} {shown}: its interval is wider than ± half_width = {floor} in {version}."
    NO_INTERVAL = "{figure} {shown} has no interval in {version}: {reason}."
    BEATEN = (
        "{figure}: it beat {beaten} of {tested} annotators at ε = {price}, ω {shown}, which is not below "
        "winning_rate = {floor} in {version}."
    )
    NOT_BEATEN = (
        "{figure}: it beat {beaten} of {tested} annotators at ε = {price}, ω {shown}, which is below "
        "winning_rate = {floor} in {version}."
    )
    UNDEFINED = "{figure} is undefined in {version}: {reason}."
    FIRST = "{figure} can't have fallen: {version} is the first version."
    NOT_BEFORE = "{figure} can't have fallen from {earlier} to {version}: {reason}."
    DID_NOT_FALL = "{figure} did not fall: {first} ({earlier}), {second} ({version}), on {ground}."
    FELL_BY_CHANCE = (
        "{figure} fell from {first} ({earlier}) to {second} ({version}) on {ground}, no more than by chance: "
        "difference {difference}, one-sided p = {p}, Holm over {rules}."
    )
    FELL = (
        "{figure} fell from {first} ({earlier}) to {second} ({version}) on {ground}: difference "
        "{difference}, one-sided p = {p}, Holm over {rules}."
    )
    UNTESTED = (
        "whether {figure} fell from {first} ({earlier}) to {second} ({version}) on {ground} can't be tested: "
        "{reason}."
    )
    NOT_COMPARED = "whether {figure} fell from {earlier} to {version} can't be tested: {reason}."
    WITHIN = (
        "{figure} did not fall by {margin} or more, from {first} ({earlier}) to {second} ({version}) on "
        "{ground}: the difference is {bound} at least, one-sided at {level}."
    )
    THE_SAME = (
        "{figure} is the same, {second}, in {earlier} and {version} on {ground}, and so is all that it comes "
        "from."
    )
    MAY_EXCEED = (
        "{figure}, {first} ({earlier}) and {second} ({version}) on {ground}, may have fallen by margin = "
        "{margin} or more: the difference is {bound} at least, one-sided at {level}."
    )
    TOO_FEW = (
        "{figure}, {first} ({earlier}) and {second} ({version}) on {ground}, may have fallen by margin = "
        "{margin} or more: the difference is {bound} at least, one-sided at {level}. Where nothing fell, it "
        "takes {needed} to show it with a power of 80%."
    )


# Which figure a floor is about.
WHERE = ("model", "category", "layer", "unit_set", "annotators")


@dataclass(frozen=True)
class GateOutcome:
    """What became of one demand of a rule in one layer.

    `demand` is the key that demands something of the figure, empty where all of them fail together. `values`
    fill the places of the message, and have more. A `note` is met, but only for want of an earlier version.
    """

    rule: Rule
    rule_figure: RuleFigure
    demand: str
    met: bool
    message: GateMessage
    values: Mapping[str, Scalar] = field(default_factory=dict)
    change: Change | None = None
    note: bool = False

    @property
    def written(self) -> str:
        """Return the rule as campaign.toml has it, with this demand alone."""
        return rule_text(self.rule, [self.demand] if self.demand else self.rule.demands)


def rule_text(rule: Rule, demands: Sequence[str]) -> str:
    """Return a rule as campaign.toml has it, with some of its demands."""
    declared = rule.floor.model_fields_set
    keys = [*demands, *(["at"] if "at" in declared and SINCE & set(demands) else []), *WHERE]
    parts = [f"{key} = {_toml(getattr(rule.floor, key))}" for key in keys if key in declared]
    bare = rule.figure.replace("_", "").replace("-", "")
    name = rule.figure if bare.isascii() and bare.isalnum() else _toml(rule.figure)
    return f"{name} = {{ {', '.join(parts)} }}"


def _toml(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


# Are the rules met? Each demand of each rule, in each layer that has its figure.

NO_INTERVAL = "none is computed"
NO_TEST = "no test is known"
# What is recorded has twelve digits.
ROUNDING = 1e-9
# Where variation is all that is unknown, a figure that did not go down did not fall.
OF_VARIATION = frozenset(map(str, (NoDifference.ONE_DOCUMENT, NoDifference.FEW, NoDifference.NO_VARIATION)))


@dataclass(frozen=True)
class Case:
    """One demand of a rule in one layer, and how its figure moved where the demand is about that.

    `fall` answers its test, corrected over the `tested` rules of the campaign that have one.
    """

    rule: Rule
    rule_figure: RuleFigure
    demand: str
    moved: FigureChange | NotBefore | NotCompared | None = None
    fall: Fall | None = None
    tested: int = 0

    @property
    def test(self) -> FallTest | None:
        """Return what a rule about falls rests on, None where there is no test."""
        test = self.moved.change.test if isinstance(self.moved, FigureChange) else None
        if self.demand != "fall" or test is None:
            return None
        return FallTest(test.statistic, test.degrees, self.rule.floor.at)


def outcomes_of(
    rules: Sequence[Rule], results: Results, comparison: VersionComparison | None
) -> list[GateOutcome]:
    """Return what became of every rule; `comparison` with the version before, None where there is none.

    Holm's correction is over all rules of the campaign that have `fall` and a test.
    """
    cases = [case for rule in rules for case in _cases(rule, results, comparison)]
    tests = [case.test for case in cases if case.test]
    answers, layers = iter(falls(tests)), len(results.coefficients)
    outcomes: list[GateOutcome] = []
    for case in cases:
        fall = next(answers) if case.test else None
        message, met, values = _answered(replace(case, fall=fall, tested=len(tests)))
        about = {"figure": label(case, layers), "version": results.guidelines}
        if comparison:
            about["earlier"] = comparison.first.guidelines
        figure_change = case.moved if isinstance(case.moved, FigureChange) else None
        if figure_change:
            # What a figure is compared on is not all that the newest version's own figure is of.
            shared = f"the {figure_change.in_both:,} {figure_change.noun} that are in both"
            about["ground"] = shared if figure_change.shared else f"all {figure_change.noun} of each"
        outcomes.append(
            GateOutcome(
                rule=case.rule,
                rule_figure=case.rule_figure,
                demand=case.demand,
                met=met,
                message=message,
                values={**about, **values},
                change=figure_change.change if figure_change else None,
                note=message in {GateMessage.FIRST, GateMessage.NOT_BEFORE},
            )
        )
    return outcomes


def label(case: Case, layers: int) -> str:
    """Return what messages call a figure: its id, and of what, of whom and where it is."""
    floor, rule_figure = case.rule.floor, case.rule_figure
    category = "" if floor.category is None else f" of {floor.category}"
    if case.rule.figure == SPECIFIC:
        category = f"[{floor.category}]"
    people = f" between {' and '.join(floor.annotators)}" if floor.annotators else ""
    people = f" by {floor.model}" if floor.model else people
    places = [f"layer {rule_figure.layer}"] if layers > 1 else []
    places += [f"unit set {rule_figure.unit_set}"] if floor.unit_set else []
    return f"{case.rule.figure}{category}{people}" + (f" ({', '.join(places)})" if places else "")


def _cases(rule: Rule, results: Results, comparison: VersionComparison | None) -> Iterator[Case]:
    for rule_figure in find(results, rule):
        if rule_figure.figure.value is None:
            yield Case(rule, rule_figure, "")
            continue
        for demand in rule.demands:
            since = moved(comparison, rule, rule_figure) if comparison and demand in SINCE else None
            yield Case(rule, rule_figure, demand, since)


Answer = tuple[GateMessage, bool, dict[str, Any]]


def _answered(case: Case) -> Answer:
    if not case.demand:
        return GateMessage.UNDEFINED, False, {"reason": case.rule_figure.figure.undefined or NO_TEST}
    if case.demand in OF_VERSION:
        return OF_VERSION[case.demand](case)
    if not isinstance(case.moved, FigureChange):
        return _not_moved(case.moved)
    return OF_CHANGE[case.demand](case, case.moved)


def _value(case: Case) -> Answer:
    return _reached(case, case.rule_figure.figure.value, GateMessage.NOT_BELOW, GateMessage.BELOW)


def _low(case: Case) -> Answer:
    interval = case.rule_figure.figure.interval
    if interval is None or interval.low is None:
        reason = (interval.undefined if interval else None) or NO_INTERVAL
        return GateMessage.NO_INTERVAL, False, {"reason": reason}
    return _reached(case, interval.low, GateMessage.ALL_ABOVE, GateMessage.REACHES_BELOW)


def _half_width(case: Case) -> Answer:
    interval, widest = case.rule_figure.figure.interval, case.rule.floor.half_width or 0.0
    if interval is None or interval.low is None or interval.high is None:
        reason = (interval.undefined if interval else None) or NO_INTERVAL
        return GateMessage.NO_INTERVAL, False, {"reason": reason}
    met = interval.high - interval.low <= 2 * widest + ROUNDING
    message = GateMessage.REACHES_AS_FAR if met else GateMessage.REACHES_FARTHER
    return message, met, {"floor": f"{widest:g}"}


def _winning_rate(case: Case) -> Answer:
    return _reached(case, case.rule_figure.figure.value, GateMessage.BEATEN, GateMessage.NOT_BEATEN)


def _reached(case: Case, value: float | None, above: GateMessage, below: GateMessage) -> Answer:
    """Return whether a number is as high as the rule asks, with the message for either."""
    floor = getattr(case.rule.floor, case.demand)
    met = value is not None and value >= floor
    return above if met else below, met, {"floor": f"{floor:g}", **case.rule_figure.model_counts}


def _not_moved(why: NotBefore | NotCompared | None) -> Answer:
    """Return the answer where there is nothing to compare with, or no comparison."""
    if why is None:
        return GateMessage.FIRST, True, {}
    if isinstance(why, NotBefore):
        return GateMessage.NOT_BEFORE, True, {"reason": str(why)}
    return GateMessage.NOT_COMPARED, False, {"reason": str(why)}


def _fall(case: Case, figure_change: FigureChange) -> Answer:
    change, answer, tested = figure_change.change, case.fall, case.tested
    if change.difference is None or answer is None:
        if change.untested in OF_VARIATION and change.difference is not None and change.difference >= 0:
            return GateMessage.DID_NOT_FALL, True, {}
        return GateMessage.UNTESTED, False, {"reason": change.untested or NO_TEST}
    rules = f"{tested} rule{'s' if tested > 1 else ''}"
    values = {"p": answer.adjusted, "alone_p": answer.p, "rules": rules}
    if change.difference >= 0:
        return GateMessage.DID_NOT_FALL, True, values
    message = GateMessage.FELL if answer.significant else GateMessage.FELL_BY_CHANCE
    return message, not answer.significant, values


def _margin(case: Case, figure_change: FigureChange) -> Answer:
    floor, change = case.rule.floor, figure_change.change
    margin = floor.margin or 0.0
    test, error, difference = change.test, change.standard_error, change.difference
    if test is None or error is None or difference is None:
        if _unmoved(change):
            return GateMessage.THE_SAME, True, {}
        return GateMessage.UNTESTED, False, {"reason": change.untested or NO_TEST}
    bound = _possible(partial(lowest, difference, error, test.degrees), floor.at, change.interval)
    values = {"margin": f"{margin:g}", "bound": bound, "level": f"{100 * (1 - floor.at):g}%"}
    if bound > -margin:
        return GateMessage.WITHIN, True, values
    own = sum if test.method != "paired" else max
    # Documents without a category count too: those to be annotated will have as few with it.
    here = max(own(figure_change.clusters), round(test.degrees) + 1)
    needed = clusters_needed(error, test.degrees, here, margin, floor.at)
    # It takes more data, or there was a fall.
    if needed is None or needed <= here:
        return GateMessage.MAY_EXCEED, False, values
    both = "annotated under both versions" if test.method == "paired" else "of both versions together"
    values |= {"needed": f"{needed:,} {figure_change.noun} {both}", "clusters": needed}
    return GateMessage.TOO_FEW, False, values


def _possible(lowest_at: Callable[[float], float], at: float, interval: Interval | None) -> float:
    """Return the lower bound of a difference, cut where its interval is: it can't be less than that."""
    bound = lowest_at(at)
    if interval is None or interval.low is None:
        return bound
    uncut = lowest_at((1 - (interval.level or LEVEL)) / 2)
    return max(bound, interval.low) if uncut < interval.low - ROUNDING else bound


def _unmoved(change: Change) -> bool:
    """Tell whether nothing that a figure comes from moved: it varies in each version, and not between them.

    A figure that does not vary at all, such as perfect agreement, shows nothing of how far it could fall.
    """
    varies = all(side.interval and side.interval.low is not None for side in (change.first, change.second))
    return varies and change.difference == 0 and change.untested == str(NoDifference.NO_VARIATION)


# What answers each demand that a rule may make: of the figure as it is, and of how it moved.
OF_VERSION: Mapping[str, Callable[[Case], Answer]] = {
    "value": _value,
    "low": _low,
    "half_width": _half_width,
    "winning_rate": _winning_rate,
}
OF_CHANGE: Mapping[str, Callable[[Case, FigureChange], Answer]] = {"fall": _fall, "margin": _margin}
