"""The rules of [gate]: which figures they are about, how these moved, and whether each demand is met."""

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, did_you_mean
from reportgen.campaign import Campaign, Floor, lines_of
from reportgen.campaign.toml_tables import ChangeDemands, VersionDemands
from reportgen.catalogue import ids_with
from reportgen.measures import LEVEL, NoDifference
from reportgen.measures.estimate import t_at, t_below
from reportgen.results import Figure, Interval, Mean, Pair, Results, Scalar, UnitSet
from reportgen.results.annotators import CategoryScores
from reportgen.results.marks import SpanResults
from reportgen.results.parts import Change, SystemRevision
from reportgen.results.versions import SpanRevision, UnitSetRevision, VersionComparison

KeyPath = tuple[str | int, ...]

# What a floor may demand of a figure, in the order in which it is told; some take an earlier version.
DEMANDS = (*VersionDemands.model_fields, *ChangeDemands.model_fields)
SINCE = frozenset(ChangeDemands.model_fields)


@dataclass(frozen=True)
class Rule:
    """One floor of one figure; `index` is its position where the figure has a list of them."""

    figure: str
    floor: Floor
    index: int
    listed: bool

    @property
    def demands(self) -> tuple[str, ...]:
        """Return which keys demand something of the figure."""
        return tuple(key for key in DEMANDS if getattr(self.floor, key) is not None)

    def path(self, key: str) -> KeyPath:
        """Return where a key of the rule is in campaign.toml."""
        return ("gate", self.figure, *([self.index] if self.listed else []), key)


def rules_of(campaign: Campaign) -> list[Rule]:
    """Return every rule of a campaign, in the order of the file."""
    return [
        Rule(figure, floor, index, listed=len(floors) > 1)
        for figure, floors in campaign.gate.items()
        for index, floor in enumerate(floors)
    ]


def compares(rules: Iterable[Rule]) -> bool:
    """Tell whether a rule is about the version before."""
    return any(SINCE & set(rule.demands) for rule in rules)


# Where the figure of a rule is in the results of a version.

MODES = frozenset({"strict", "lenient", "average"})

SPECIFIC, REPLACEMENT = "specific_agreement", "replacement"
MEAN_ALONE = "it is a mean over pairs, of which no interval is known"
ANNOTATOR = "annotator"


class MissingFigureReason(StrEnum):
    """Why there is no figure where a rule looks for one; a closed list, as the reasons of figures are."""

    NO_UNIT_SET = "this version has no such unit set in the layer"
    NO_PAIR = "the two have no unit or document in common, or are not compared with each other"
    CROWD = "there are too many annotators to keep the figures of each pair"
    NOT_OF_CATEGORY = "it is not computed for one category against the others"
    NOT_COMPUTED = "it could not be computed for these annotators and units"
    NO_REPLACEMENT = "no unit of the layer has labels of the model and of enough annotators"


@dataclass(frozen=True)
class RuleFigure:
    """The figure of a rule in one layer; `unit_set` is None of marks in texts.

    `model_counts` is what messages say beside a model's winning rate.
    """

    layer: str
    unit_set: str | None
    figure: Figure
    model_counts: Mapping[str, Scalar] = field(default_factory=dict)


def find(results: Results, rule: Rule) -> list[RuleFigure]:
    """Return the figure of a rule in each layer that has it; where none has, an undefined one says why.

    The rule speaks of nothing that is unknown: see `reportgen.versions.gate_rules`.
    """
    figures = [*_in_units(results, rule), *_in_marks(results, rule), *_of_model(results, rule)]
    layers = [rule.floor.layer] if rule.floor.layer else results.layers[:1]
    return figures or [
        RuleFigure(layer, rule.floor.unit_set, Figure(value=None, undefined=_why(results, rule, layer)))
        for layer in layers
    ]


def _in_units(results: Results, rule: Rule) -> Iterator[RuleFigure]:
    for unit_set in unit_sets(results, rule):
        figure = _of_two(results, unit_set, rule) if rule.floor.annotators else _of_all(unit_set, rule)
        if figure is not None:
            yield RuleFigure(unit_set.layer, unit_set.id, figure)


def unit_sets(results: Results, rule: Rule) -> Iterator[UnitSet]:
    """Yield the unit sets that a rule is about: of its layer, or each layer, the named or primary one."""
    for unit_set in results.unit_sets:
        chosen = unit_set.primary if rule.floor.unit_set is None else unit_set.id == rule.floor.unit_set
        if chosen and rule.floor.layer in {None, unit_set.layer}:
            yield unit_set


def _of_all(unit_set: UnitSet, rule: Rule) -> Figure | None:
    """Return the figure of all annotators, or of a category; a mean over pairs where there is no other.

    Two annotators are all of them: what is known of the pair is known of all.
    """
    parts: list[UnitSet | Pair | None] = [unit_set, unit_set.only_pair]
    own = next((figure for part in parts if part and (figure := _of_part(part, rule))), None)
    category = rule.floor.category
    return own or _of_mean(None if category is not None else unit_set.mean_over_pairs.get(rule.figure))


def _of_part(part: UnitSet | Pair, rule: Rule) -> Figure | None:
    category = rule.floor.category
    if category is None:
        return part.measures.get(rule.figure)
    if rule.figure == SPECIFIC:
        return part.specific_agreement.get(category)
    return part.against_rest.get(category, {}).get(rule.figure)


def _of_mean(mean: Mean | None) -> Figure | None:
    if mean is None:
        return None
    return Figure(value=mean.value, interval=Interval(undefined=MEAN_ALONE))


def _of_two(results: Results, unit_set: UnitSet, rule: Rule) -> Figure | None:
    """Return the figure of two annotators, or of somebody and the reference they are compared with."""
    if unit_set.only_pair and same(unit_set.annotators, rule.floor.annotators):
        return _of_all(unit_set, rule)
    for pair in unit_set.pairs:
        if same(pair.annotators, rule.floor.annotators):
            return _of_part(pair, rule)
    own = unit_set.layer, unit_set.id
    for comparison in results.comparisons.pairs if results.comparisons else ():
        two = comparison.key, comparison.other
        if (comparison.layer, comparison.unit_set) == own and same(two, rule.floor.annotators):
            if rule.floor.category is None:
                return comparison.measures.get(rule.figure)
            scores = comparison.by_category.get(rule.floor.category)
            # The scores of a category are fields under the ids of their figures.
            figure = getattr(scores, rule.figure, None) if scores else None
            return figure if isinstance(figure, Figure) else None
    return None


def same(pair: Sequence[str], names: Sequence[str]) -> bool:
    """Tell whether two people are those of a rule, in whatever order."""
    return sorted(pair) == sorted(names)


def _of_model(results: Results, rule: Rule) -> Iterator[RuleFigure]:
    """Yield the winning rate of a rule's model in each layer: by document where documents are known."""
    for replacement in results.replacement or ():
        for model in replacement.models:
            rate = model.clustered or model.independent
            asked = rule.figure == REPLACEMENT and model.model == rule.floor.model
            if not asked or rule.floor.layer not in {None, replacement.layer}:
                continue
            # Without a rate nobody is tested, which is why ρ has no value either.
            figure, counts = Figure(value=None, undefined=model.advantage.undefined), dict[str, Scalar]()
            if rate:
                figure = Figure(value=rate.value, undefined=rate.undefined)
                counts = {"beaten": rate.beaten, "tested": rate.tested}
            counts["price"] = f"{replacement.epsilon:g}"
            yield RuleFigure(replacement.layer, replacement.unit_set, figure, counts)


def _in_marks(results: Results, rule: Rule) -> Iterator[RuleFigure]:
    """Yield figures of marks in texts: precision, recall and F, and those of unitizing."""
    if results.spans is None or rule.floor.unit_set is not None:
        return
    for layer_spans in results.spans.layers:
        if rule.floor.layer in {None, layer_spans.layer}:
            figure = _of_marks(results.spans, layer_spans.layer, rule)
            figure = figure or _of_unitizing(results.spans, layer_spans.layer, rule)
            if figure is not None:
                yield RuleFigure(layer_spans.layer, None, figure)


def _of_marks(spans: SpanResults, layer: str, rule: Rule) -> Figure | None:
    """Return a figure such as f_measure[strict] of two, or the mean over all pairs of annotators.

    With one pair of annotators the mean is theirs, and has their interval.
    """
    name, _, mode = rule.figure.removesuffix("]").partition("[")
    pairs = [pair for pair in spans.pairs if pair.layer == layer]
    of_annotators = [pair for pair in pairs if set(pair.roles) == {ANNOTATOR}]
    chosen = [pair for pair in pairs if same(pair.annotators, rule.floor.annotators)]
    if not rule.floor.annotators:
        chosen = of_annotators if len(of_annotators) == 1 else []
    for pair in chosen:
        part = pair if rule.floor.category is None else pair.by_type.get(rule.floor.category)
        shares: Mapping[str, Figure] = getattr(part, mode, {}) if mode in MODES else {}
        return shares.get(name)
    means = spans.mean_over_pairs.get(layer)
    if rule.floor.annotators or means is None:
        return None
    category = rule.floor.category
    of_part = means.overall if category is None else means.by_type.get(category, {})
    return _of_mean(of_part.get(mode, {}).get(name))


def _of_unitizing(spans: SpanResults, layer: str, rule: Rule) -> Figure | None:
    for unitizing in spans.unitizing or ():
        if unitizing.layer != layer:
            continue
        if rule.floor.category is not None:
            return unitizing.by_category.get(rule.floor.category, {}).get(rule.figure)
        if not rule.floor.annotators or same(unitizing.annotators, rule.floor.annotators):
            return unitizing.measures.get(rule.figure)
        pairs = (pair for pair in unitizing.pairs if same(pair.annotators, rule.floor.annotators))
        return next((pair.measures.get(rule.figure) for pair in pairs), None)
    return None


def _why(results: Results, rule: Rule, layer: str) -> MissingFigureReason:
    """Return why a layer does not have the figure that a rule asks for."""
    if rule.figure == REPLACEMENT:
        return MissingFigureReason.NO_REPLACEMENT
    sets = [unit_set for unit_set in unit_sets(results, rule) if unit_set.layer == layer]
    if rule.floor.unit_set is not None and not sets:
        return MissingFigureReason.NO_UNIT_SET
    if rule.floor.annotators:
        crowd = any(len(unit_set.annotators) > 2 and not unit_set.pairs for unit_set in sets)
        return MissingFigureReason.CROWD if crowd else MissingFigureReason.NO_PAIR
    no_category = rule.floor.category is None
    return MissingFigureReason.NOT_COMPUTED if no_category else MissingFigureReason.NOT_OF_CATEGORY


# How the figure of a rule moved, as the comparison with the version before has it.

STRICT_F = "f_measure[strict]"
DOCUMENT = "document"


class NotBefore(StrEnum):
    """Why a figure can't have fallen: the version before does not have it. A closed list."""

    UNITS = "the version before has no such layer or unit set"
    CATEGORY = "it is not a category of the version before"
    PEOPLE = "the two were not both there in the version before"


class NotCompared(StrEnum):
    """Why nothing is known of a figure's change; a closed list, as the reasons of figures are."""

    NOT_TESTED = "this figure is not compared between versions"


@dataclass(frozen=True)
class FigureChange:
    """A figure under both versions; `clusters` of each, all of them documents or units, are independent.

    `shared` says whether it is of what is in both versions alone, `in_both` how many of them are.
    """

    change: Change
    clusters: tuple[int, int]
    by_document: bool
    shared: bool
    in_both: int

    @property
    def noun(self) -> str:
        """Return what is independent."""
        return "documents" if self.by_document else "units"


Revision = UnitSetRevision | SpanRevision | SystemRevision


def moved(
    comparison: VersionComparison, rule: Rule, rule_figure: RuleFigure
) -> FigureChange | NotBefore | NotCompared:
    """Return the change of a figure on what is in both versions, else on all of each, or why not."""
    every: tuple[Revision, ...] = (*comparison.unit_sets, *comparison.spans, *comparison.systems)
    where = rule_figure.layer, rule_figure.unit_set
    own = [revision for revision in every if (revision.layer, _unit_set(revision)) == where]
    revisions = sorted(own, key=lambda revision: revision.basis != "shared")
    for revision in revisions:
        change = _change(revision, rule)
        if change is not None:
            by_document, clusters = _clusters(revision)
            in_both = revision.overlap.documents if by_document else revision.overlap.units or min(clusters)
            return FigureChange(change, clusters, by_document, revision.basis == "shared", in_both)
    # Why a figure has no change: only what is known to be new can't have fallen.
    layer, unit_set, new = rule_figure.layer, rule_figure.unit_set, comparison.missing.get("second", ())
    # The later version alone has the unit set, or of marks in texts the layer.
    if unit_set is None:
        layers = {
            *(units.layer for units in comparison.unit_sets),
            *(marks.layer for marks in comparison.spans),
        }
        is_new = layer not in layers and any(name.startswith(f"{layer}/") for name in new)
    else:
        is_new = f"{layer}/{unit_set}" in new
    if is_new:
        return NotBefore.UNITS
    before = [revision.first for revision in revisions if not isinstance(revision, SystemRevision)]
    if not before:
        return NotCompared.NOT_TESTED
    if rule.floor.category and not any(rule.floor.category in sample.categories for sample in before):
        return NotBefore.CATEGORY
    if rule.floor.annotators and not any({*rule.floor.annotators} <= {*side.annotators} for side in before):
        return NotBefore.PEOPLE
    return NotCompared.NOT_TESTED


def _unit_set(revision: Revision) -> str | None:
    return None if isinstance(revision, SpanRevision) else revision.unit_set


def _change(revision: Revision, rule: Rule) -> Change | None:
    people, category = rule.floor.annotators, rule.floor.category
    if isinstance(revision, SystemRevision):
        return _change_of_all(revision, rule) if same((revision.key, revision.second), people) else None
    mine = (pair for pair in revision.pairs if people and not category and same(pair.annotators, people))
    own = next((pair.measures.get(rule.figure) for pair in mine), None)
    # Two people may be all annotators of both versions: their figure is then that of all.
    both = all(same(sample.annotators, people) for sample in (revision.first, revision.second))
    return own or (_change_of_all(revision, rule) if both or not people else None)


def _change_of_all(revision: Revision, rule: Rule) -> Change | None:
    """Return the change of a figure, or of a category's: specific agreement of units, strict F of marks."""
    category = rule.floor.category
    if not category:
        return revision.measures.get(rule.figure)
    if rule.figure != (STRICT_F if _unit_set(revision) is None else SPECIFIC):
        return None
    if isinstance(revision, UnitSetRevision):
        return revision.specific_agreement.get(category)
    return (revision.by_type if isinstance(revision, SpanRevision) else revision.by_category).get(category)


def _clusters(revision: Revision) -> tuple[bool, tuple[int, int]]:
    """Return whether documents are independent of each other, else units; and how many each version has."""
    if isinstance(revision, SystemRevision):
        return True, revision.documents
    by_document = isinstance(revision, SpanRevision) or revision.clusters == DOCUMENT
    sides = revision.first, revision.second
    first, second = ((sample.documents if by_document else sample.units) for sample in sides)
    return by_document, (first, second)


# What [gate] names that the newest version does not have: mistyped, so that the rule would hold nothing.

MAIN_FIGURES = ids_with(lambda measure: measure.main)
FIGURES_OF_CATEGORIES = tuple(name for name in MAIN_FIGURES if name in CategoryScores.model_fields)
Sentences = tuple[KeyPath, str, str]


def unknown(
    campaign: Campaign,
    rules: Sequence[Rule],
    results: Results,
    people: Collection[str],
    computable: Mapping[str, Collection[str]],
) -> list[Problem]:
    """Return a problem for each figure, layer, unit set, category and person that there is not.

    `people` are all whose marks were read, `computable` the figures that each layer's scale has: what could
    not be computed is no mistake of the rule.
    """
    faults = [fault for rule in rules for fault in _of_rule(rule, results, people, computable)]
    lines = lines_of(campaign, [path for path, *_ in faults])
    problems = []
    for path, message, remedy in faults:
        # Floors of a list are counted from 1 on.
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        problems.append(Problem(campaign.file, lines.get(path, 0), key, message, remedy))
    return problems


def _of_rule(
    rule: Rule, results: Results, people: Collection[str], computable: Mapping[str, Collection[str]]
) -> Iterator[Sentences]:
    floor = rule.floor
    layers = [floor.layer] if floor.layer else results.layers
    parts = [part for part in _names(results) if part[0] in layers]
    names = [
        (computable.get(layer, ()), *(figures for part, figures, _ in parts if part == layer))
        for layer in layers
    ]
    figures = list(dict.fromkeys((SPECIFIC, *chain.from_iterable(chain.from_iterable(names)))))
    if rule.figure not in {*figures, REPLACEMENT}:
        where = f" in the layer {floor.layer}" if floor.layer else ""
        message = f'no figure is called "{rule.figure}"{where}.'
        yield rule.path("")[:-1], message, did_you_mean(rule.figure, figures)
    if floor.unit_set is not None:
        sets = list(dict.fromkeys(unit_set.id for unit_set in results.unit_sets if unit_set.layer in layers))
        yield from _named(rule, "unit_set", floor.unit_set, sets, "no unit set is called {}.")
    if floor.category is not None:
        categories = list(dict.fromkeys(name for *_, categories in parts for name in categories))
        message = f"{results.guidelines} has no category {{}}."
        yield from _named(rule, "category", floor.category, categories, message)
    named = [("annotators", name) for name in floor.annotators]
    for key, name in [*named, *([("model", floor.model)] if floor.model else [])]:
        yield from _named(rule, key, name, sorted(people), "no export has an annotator {}.")


def _named(rule: Rule, key: str, name: str, names: Sequence[str], message: str) -> Iterator[Sentences]:
    if name not in names:
        yield rule.path(key), message.format(f'"{name}"'), did_you_mean(name, names)


def _names(results: Results) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    """Yield layers with the figures and the categories that a part of the results has of them."""
    for unit_set in results.unit_sets:
        parts = (*(pair.measures for pair in unit_set.pairs), *unit_set.against_rest.values())
        own = (*unit_set.measures, *unit_set.mean_over_pairs, *chain.from_iterable(parts))
        yield unit_set.layer, own, (*unit_set.categories, *unit_set.specific_agreement)
    for layer in results.spans.layers if results.spans else ():
        own = tuple(f"{share}[{mode}]" for mode in sorted(MODES, reverse=True) for share in MAIN_FIGURES)
        yield layer.layer, own, layer.types
    for unitizing in (results.spans.unitizing or ()) if results.spans else ():
        own = (*unitizing.measures, *chain.from_iterable(unitizing.by_category.values()))
        yield unitizing.layer, own, unitizing.categories
    for compared in results.comparisons.pairs if results.comparisons else ():
        yield compared.layer, (*compared.measures, *FIGURES_OF_CATEGORIES), compared.by_category


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
        # The answer where there is nothing to compare with, or no comparison.
        why = case.moved
        if why is None:
            return GateMessage.FIRST, True, {}
        if isinstance(why, NotBefore):
            return GateMessage.NOT_BEFORE, True, {"reason": str(why)}
        return GateMessage.NOT_COMPARED, False, {"reason": str(why)}
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
