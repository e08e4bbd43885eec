"""Labels that are sets: each as a question of its own, and explicit and implicit agreement on them."""

import math
from functools import lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import ContingencyTable
from reportgen.measures.distances import CategoryDistance, table_of
from reportgen.measures.estimate import (
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.figures_of_sums import ByChance
from reportgen.measures.formulas import Dual
from reportgen.measures.unit_profiles import LabelPatterns, PairTables, against_rest
from reportgen.measures.unit_set_data import ScaleSetting, Units, UnitsOfAll
from reportgen.readers import Codes
from reportgen.readers.scales import IN_SETS, separator_of
from reportgen.results.unit_sets import LabelConfusion, LabelCounts, LabelOfSets, SetsCompared
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, natural_order

Members = frozenset[str]
CHOSEN, NOT_CHOSEN = 0, 1
ANSWERS = 2


@dataclass(frozen=True, eq=False)
class LabelsOfSets:
    """The labels in sets: their names in order, and which sets contain each (labels, categories)."""

    names: tuple[str, ...]
    holders: Mask


@lru_cache(maxsize=2)
def labels_of(sets: tuple[Members, ...]) -> LabelsOfSets:
    """Return the labels of some sets; those that are a category by themselves keep their order."""
    single = [name for members in sets if len(members) == 1 for name in members]
    others = frozenset[str]().union(*sets).difference(single)
    declared = single != natural_order(single)
    names = (*single, *natural_order(others)) if declared else tuple(natural_order([*single, *others]))
    code_of = {name: code for code, name in enumerate(names)}
    holders = np.zeros((len(names), len(sets)), dtype=np.bool_)
    for category, members in enumerate(sets):
        holders[[code_of[name] for name in members], category] = True
    return LabelsOfSets(names, holders)


def judged(units: CodedUnits) -> tuple[str, ...]:
    """Return what specific agreement is of: the categories, or of sets the labels in them."""
    return units.categories if units.sets is None else labels_of(units.sets).names


def table_against_rest(
    table: ContingencyTable, code: int, sets: tuple[Members, ...] | None
) -> ContingencyTable:
    """Return the table of a category (code 0) against all others (1), of sets of a label, chosen or not."""
    if sets is None:
        return against_rest(table, code)
    holders = labels_of(sets).holders[code]
    row, column = (np.where(holders[codes], CHOSEN, NOT_CHOSEN) for codes in (table.row, table.column))
    return ContingencyTable(table.first, table.second, ANSWERS, table.document, row, column, table.n)


def used_of_two(table: ContingencyTable, sets: tuple[Members, ...] | None = None) -> Mask:
    """Tell which categories one of two annotators used, of sets which labels one of them chose."""
    used: Mask = table.row_totals + table.column_totals > 0
    return used if sets is None else np.asarray(labels_of(sets).holders[:, used].any(axis=1))


def chosen_by_many(profiles: LabelPatterns, holders: Mask) -> LabelPatterns:
    """Return the same units with one label chosen (code 0) or not (code 1)."""
    chosen = np.where(holders[profiles.labels], CHOSEN, NOT_CHOSEN)
    labels = np.where(profiles.labels == NO_CATEGORY, NO_CATEGORY, chosen)
    return LabelPatterns(labels, profiles.document, profiles.profile, profiles.n, ANSWERS)


def label_counts(table: ContingencyTable, sets: tuple[Members, ...]) -> list[LabelCounts]:
    """Return of each label how many units each of two annotators chose it for, and both."""
    return [
        LabelCounts(
            first=int(table.row_totals[holders].sum()),
            second=int(table.column_totals[holders].sum()),
            both=int(table.n[holders[table.row] & holders[table.column]].sum()),
        )
        for holders in labels_of(sets).holders
    ]


def labels_chosen(units: UnitsOfAll) -> dict[str, LabelOfSets]:
    """Return what is counted of each label of a unit set whose categories are sets, by its name."""
    labels = labels_of(units.setting.sets or ())
    rated = units.rated
    paired = rated.times * (rated.ratings >= 2)
    labels_by_name: dict[str, LabelOfSets] = {}
    for name, holders in zip(labels.names, labels.holders, strict=True):
        times = (chosen_by_many(rated, holders).labels == CHOSEN).sum(axis=1)
        # As in the coincidence matrix, a unit's pairs of ratings are divided by its ratings less one.
        split = times * (rated.ratings - times) / np.maximum(rated.ratings - 1, 1)
        chosen, apart = int((times * rated.times).sum()), float((split * paired).sum())
        labels_by_name[name] = LabelOfSets(chosen=chosen, apart=apart)
    return labels_by_name


# How many labels there are to choose from where categories are sets, and what explicit agreement omits.


def inventory(setting: ScaleSetting) -> int:
    """Return how many categories there are to choose from: as declared, else those declared or used."""
    return setting.category_count or (0 if setting.sets is None else table_of(setting.sets).members)


def sets_compared(units: UnitsOfAll) -> SetsCompared | None:
    """Return what is left out of a unit set whose categories are sets, None where they are none."""
    sets = units.setting.sets
    if sets is None:
        return None
    blank, met = table_of(sets).blank, units.tables
    counted = ~(blank[met.first] & blank[met.second])
    labels = labels_chosen(units)
    return SetsCompared(
        categories=inventory(units.setting),
        declared=units.setting.category_count is not None,
        units_left_out=units.units_with(np.ones_like(counted))[0] - units.units_with(counted)[0],
        meetings=int(met.weight.sum()),
        meetings_left_out=int(met.weight[~counted].sum()),
        pairs=len(np.unique(met.pair[counted])),
        members={
            name: tuple(sorted(members)) for name, members in zip(units.units.categories, sets, strict=True)
        },
        names=tuple(labels),
        labels=labels,
        differing=_differing(units),
        confusions=tuple(label_confusions(units)),
    )


# So many confusions are shown, and chance is computed of so many sets in use at most.
MOST_CONFUSIONS = 100
MOST_BY_CHANCE = 200
# Where more sets meet, as where labels are places in a text, no table of their labels would be read.
MOST_MEETING = 100_000
Confused = tuple[str, str]


def _differing(units: UnitsOfAll) -> float:
    met = units.profiles.coincidences
    return math.fsum(met.value[met.row < met.column].tolist())


def label_confusions(units: UnitsOfAll) -> list[LabelConfusion]:
    """Return which labels of two sets on one unit are confused, the most frequent first.

    What both sets contain is agreed. Each label that only the one contains is confused with each that only
    the other does, or is an omission where there is none.
    """
    sets, met = units.setting.sets or (), units.profiles.coincidences
    apart = np.flatnonzero(met.row < met.column)
    if len(apart) > MOST_MEETING:
        return []
    found = _confused(sets, met.row[apart], met.column[apart], met.value[apart])
    used = np.flatnonzero(met.totals)
    by_chance: dict[Confused, float] = {}
    if len(used) <= MOST_BY_CHANCE:
        one, other = (used[places] for places in np.triu_indices(len(used), k=1))
        # Of all pairs of ratings of different units, each two labels both ways, as many as there are units.
        expected = met.totals[one] * met.totals[other] / max(float(met.totals.sum()) - 1, 1.0)
        by_chance = _confused(sets, one, other, expected)
    place = {name: number for number, name in enumerate((*labels_of(sets).names, ""))}
    most = sorted(found, key=lambda two: (-found[two], place[two[0]], place[two[1]]))[:MOST_CONFUSIONS]
    return [
        LabelConfusion(first=first, second=second or None, units=found[first, second], chance=chance)
        for first, second in most
        for chance in [by_chance.get((first, second))]
    ]


def _confused(sets: tuple[Members, ...], one: Codes, other: Codes, units: Floats) -> dict[Confused, float]:
    """Return on how many units each two labels are confused, in their order; `one` and `other` are sets."""
    place = {name: number for number, name in enumerate(labels_of(sets).names)}
    parts: dict[Confused, list[float]] = {}
    for ours, theirs, number in zip(one.tolist(), other.tolist(), units.tolist(), strict=True):
        here, there = sets[ours] - sets[theirs], sets[theirs] - sets[ours]
        for first in here or there:
            for second in there if here and there else ("",):
                swap = second and place[second] < place[first]
                two = (second, first) if swap else (first, second)
                parts.setdefault(two, []).append(number)
    return {two: math.fsum(numbers) for two, numbers in parts.items()}


# Explicit and implicit agreement on sets of categories, and the kappa derived from each.
#
# The measures of the project Interlingual Annotation for Machine Translation (IAMTC). On a unit two
# annotators agree explicitly by 2|A ∩ B| / (|A| + |B|), units to which neither gave a category being left
# out, and implicitly by the share of all categories that both or neither gave. Over units it is their mean,
# over annotators the mean over pairs. By chance each annotator's own sets are paired at random; kappa is
# (A - E) / (1 - E).

Figures = dict[str, Estimate]


def explicit_agreement(units: Units) -> dict[str, Estimate]:
    """Return explicit agreement, over several annotators the mean over pairs; nothing without sets."""
    return _figure("explicit", "agreement", units)


def explicit_kappa(units: Units) -> dict[str, Estimate]:
    """Return the kappa of explicit agreement."""
    return _figure("explicit", "kappa", units)


def implicit_agreement(units: Units) -> dict[str, Estimate]:
    """Return implicit agreement, over several annotators the mean over pairs."""
    return _figure("implicit", "agreement", units)


def implicit_kappa(units: Units) -> dict[str, Estimate]:
    """Return the kappa of implicit agreement."""
    return _figure("implicit", "kappa", units)


def _figure(kind: str, name: str, units: Units) -> Figures:
    if units.setting.sets is None:
        return {}
    return {f"{kind}_{name}": units.cached(kind, lambda: _figures(kind, units))[name]}


def _figures(kind: str, units: Units) -> Figures:
    """Return agreement and kappa, both undefined where there is nothing to compare.

    Where nobody gave a category, implicit agreement would be perfect about nothing: it is undefined too.
    """
    tables, sets = units.tables, table_of(units.setting.sets or ())
    if tables.pairs == 0:
        return _undefined(units.nothing, 0)
    nothing = sets.blank[tables.first] & sets.blank[tables.second]
    if nothing.all():
        return _undefined(Undefined.EMPTY_SETS, units.units_with(nothing)[0])
    if kind == "explicit":
        return _agreement_and_kappa(units, sets.dice, sets.blank)
    apart = CategoryDistance(kind, sets.apart / inventory(units.setting))
    return _agreement_and_kappa(units, apart, np.zeros_like(sets.blank))


def _undefined(reason: Undefined, units: int) -> Figures:
    return dict.fromkeys(("agreement", "kappa"), no_estimate(reason, units))


def _agreement_and_kappa(units: Units, distance: CategoryDistance, blank: Mask) -> Figures:
    """Return 1 - mean D_o, and 1 - mean D_o / mean D_e, which is (A - E) / (1 - E): means over pairs.

    `blank` (categories,) tells which sets are left out where both annotators gave one.
    """
    counted = ~(blank[units.tables.first] & blank[units.tables.second])
    compared, clusters = units.units_with(counted)
    observed, expected = _disagreements(units, distance, blank, counted)
    agreement = Estimate(1 - observed.value, compared)
    if observed.value == 0:
        agreement = with_exact_bound(agreement, clusters)
    else:
        agreement = with_interval(agreement, -observed.slope, clusters, (0.0, 1.0), disagreements=compared)
    if expected.value <= 0:
        none = no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, compared)
        return {"agreement": agreement, "kappa": none}
    quotient = 1.0 - observed / expected
    worst = float(distance.matrix.max(initial=0.0)) / expected.value
    kappa = with_interval(
        Estimate(quotient.value, compared, 1 - observed.value, 1 - expected.value),
        quotient.slope,
        clusters,
        (-math.inf, 1.0),
        disagreements=compared if observed.value > 0 else 0,
        worst=worst,
        least=1 - worst,
    )
    return {"agreement": agreement, "kappa": kappa}


def _disagreements(units: Units, distance: CategoryDistance, blank: Mask, counted: Mask) -> tuple[Dual, Dual]:
    """Return observed and expected disagreement, means over pairs, and how each kind of unit moves them."""
    tables = units.tables
    pair, apart = tables.pair, distance.at(tables.first, tables.second)
    compared = np.bincount(pair, tables.weight * counted, minlength=tables.pairs)
    defined, many = compared > 0, np.maximum(compared, 1)
    left, left_moved = _left_out(tables, blank)
    compared_share = np.where(defined, 1 - left, 1.0)
    chance = ByChance(tables, distance)
    # D_o = Σ δ / n over a pair's units that are counted; D_e = E[δ] / (1 - P(both are blank)) at random.
    observed = np.bincount(pair, tables.weight * apart, minlength=tables.pairs) / many
    expected = chance.expected / compared_share
    pairs = int(defined.sum())
    scale = np.where(defined, units.clusters.units / pairs, 0.0)
    of_observed = (scale / many)[pair] * counted * (apart - observed[pair])
    of_expected = (scale / (tables.units * compared_share))[pair] * (
        chance.moved + expected[pair] * left_moved
    )
    return (
        Dual(float(observed[defined].sum()) / pairs, units.by_kind(of_observed)),
        Dual(float(expected[defined].sum()) / pairs, units.by_kind(of_expected)),
    )


def _left_out(tables: PairTables, blank: Mask) -> tuple[Floats, Floats]:
    """Return how often two sets paired at random are both blank (pairs,), and what a unit moves of it."""
    first, second = (
        np.bincount(tables.pair, tables.weight * blank[label], minlength=tables.pairs) / tables.units
        for label in (tables.first, tables.second)
    )
    both, here = first * second, tables.pair
    moved: Floats = second[here] * blank[tables.first] + first[here] * blank[tables.second] - 2 * both[here]
    return both, moved


def are_single(sets: SetsCompared) -> bool:
    """Tell whether no set has more than one label."""
    return all(len(labels) <= 1 for labels in sets.members.values())


def separator_left(sets: SetsCompared) -> str | None:
    """Return what separates labels that should be sets and were not taken apart, None where nothing does."""
    return separator_of({name: label.chosen for name, label in sets.labels.items()}, IN_SETS)
