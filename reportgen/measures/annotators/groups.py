"""Do groups of annotators differ? Agreement within and between groups, of none with too few people.

Pairs within a group are compared with pairs between groups on the same units, so that units which one group
labelled more often make no difference. p is that of a permutation test: who belongs to which group is
exchanged at random among annotators who are alike in the attributes before, all labels staying theirs
(Prabhakaran et al. 2024, NAACL, 3473-3492; for agreement between groups Wong, Paritosh and Aroyo 2021, ACL,
7053-7065).
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import CategoryDistance, Estimate, Floats, ScaleSetting, Undefined
from reportgen.measures.distances import Nominal, nominal
from reportgen.measures.estimate import NEARLY, ROUNDING, Clusters, figure, no_estimate, with_interval
from reportgen.measures.unit_set_data import placed, scale_distances, weights_of
from reportgen.readers import Codes
from reportgen.readers.annotations import factorize
from reportgen.results.annotators import GroupAgreement, Groups, GroupSize, LayerGroups
from reportgen.units import NO_CATEGORY, CodedUnits, Mask
from reportgen.units.labels import Labels, quotient, sums_by


@dataclass(frozen=True)
class ToldGroups:
    """What may be told of annotators: `of` has the values of each by attribute, without those that may not.

    Everything that is published of groups is made from this and nothing else. `smallest` is how many people
    a group has at least.
    """

    attributes: tuple[str, ...] = ()
    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    smallest: int = 1

    def written(self, name: str) -> str:
        """Return what somebody is as a cell of a table has it: age=18-29; L1=fr."""
        own = self.of.get(name, {})
        return "; ".join(f"{attribute}={own[attribute]}" for attribute in self.attributes if attribute in own)


def told(
    attributes: tuple[str, ...],
    people: Mapping[str, Mapping[str, str]],
    present: Mapping[str, Hashable],
    smallest: int,
) -> ToldGroups:
    """Return what may be told of people, given what is known of each, and where, in which versions, each is.

    People are divided by where they are, then by one attribute after the other, the first being the most
    important. A part has `smallest` people or more, or is left as it was. Whatever two figures are
    subtracted, of versions, layers, attributes or combinations, what is left is made of whole parts: nobody
    of a smaller group is told of, and no difference tells (k-anonymity: Samarati and Sweeney 1998).
    """
    by_place: dict[Hashable, list[str]] = {}
    for name in sorted(present):
        by_place.setdefault(present[name], []).append(name)
    parts: list[list[str]] = list(by_place.values())
    of: dict[str, dict[str, str]] = {}
    for attribute in attributes:
        divided: list[list[str]] = []
        for part in parts:
            values = {name: people.get(name, {}).get(attribute, "") for name in part}
            groups, rest = _groups(values, smallest, is_told=part[0] in of)
            for value, members in groups.items():
                for name in members:
                    of.setdefault(name, {})[attribute] = value
            divided += [*groups.values(), *filter(None, [rest])]
        parts = divided
    return ToldGroups(attributes, of, smallest)


def _groups(
    values: Mapping[str, str], smallest: int, *, is_told: bool
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the groups of some people, by their values, that may be told of, and who is in none.

    Where a group is too small, so many people are in none that they are no smaller group: else what others
    leave would be that group. The smallest groups go first. So it is where people are a group by another
    attribute, which `is_told` of, and some have no value.
    """
    groups: dict[str, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value, []).append(name)
    rest = groups.pop("", [])
    order = sorted(groups, key=lambda value: (len(groups[value]), value))
    is_withheld = is_told and bool(rest)
    for value in order:
        if len(groups[value]) < smallest or (is_withheld and len(rest) < smallest):
            rest += groups.pop(value)
            is_withheld = True
    return groups, rest


# So many random exchanges, fewer where each takes long, none where it takes too long.
EXCHANGES, FEWER = 999, 199
MOST_QUICK, MOST_SLOW, MOST_CELLS = 100_000, 2_000_000, 20_000_000
# With fewer ways to share out membership no p could be small.
LEAST_WAYS = 40
# Groups labelled other units if a smaller share of exchanges takes them as far apart.
SAME_UNITS = 0.05
SEED = 20240616


class NoGroupTest(StrEnum):
    """Why differences between groups have no p; a closed list."""

    ONE_GROUP = "fewer than two groups may be shown"
    FEW_PEOPLE = (
        "there are so few annotators that membership of groups can be exchanged in fewer than 40 ways, so "
        "that chance may give any difference"
    )
    NOTHING_SHARED = "no unit has labels of two members of a group and of somebody else"
    OTHER_UNITS = (
        "the groups labelled other units, so that a difference between them may be one between units; have "
        "all groups label the same"
    )
    TOO_LARGE = "there are too many units and categories to exchange members again and again"


@dataclass(frozen=True, eq=False)
class GroupedLayer:
    """The primary unit set of a layer, its coefficient, and what exports call each annotator, in order."""

    units: CodedUnits
    setting: ScaleSetting
    coefficient: str
    names: Sequence[str]


def groups_of(layers: Sequence[GroupedLayer], groups: ToldGroups) -> Groups | None:
    """Return what groups of annotators say in each layer; None where nobody is known to be in any."""
    if not groups.attributes:
        return None
    each = [(layer, attribute) for layer in layers for attribute in groups.attributes]
    tables = sum(len(_values(groups, *one)) > 1 for one in each)
    return Groups(
        smallest=groups.smallest,
        layers=tuple(_of_attribute(layer, groups, attribute, tables) for layer, attribute in each),
    )


def _values(groups: ToldGroups, layer: GroupedLayer, attribute: str) -> Counter[str]:
    """Return how many annotators of a layer are in each group by an attribute."""
    told = (groups.of.get(layer.names[code], {}) for code in np.unique(layer.units.annotator).tolist())
    return Counter(own[attribute] for own in told if attribute in own)


def _of_attribute(layer: GroupedLayer, groups: ToldGroups, attribute: str, tables: int) -> LayerGroups:
    there = np.unique(layer.units.annotator).tolist()
    told = [groups.of.get(layer.names[code], {}) for code in there]
    sizes = _values(groups, layer, attribute)
    values = sorted(sizes)
    group = np.full(len(layer.units.annotators), -1, dtype=np.int64)
    group[there] = [values.index(own[attribute]) if attribute in own else -1 for own in told]
    # Who is alike in the attributes before: small groups are left out among these.
    before = groups.attributes[: groups.attributes.index(attribute)]
    stratum = np.zeros(len(group), dtype=np.int64)
    stratum[there] = factorize(tuple(own.get(earlier) for earlier in before) for own in told)[1]
    found = LayerGroups(
        layer=layer.units.layer,
        unit_set=layer.units.id,
        attribute=attribute,
        coefficient=layer.coefficient,
        groups=tuple(GroupSize(group=value, people=sizes[value]) for value in values),
        others=len(there) - sum(sizes.values()),
    )
    if len(values) < 2:
        return found.model_copy(update={"untested": NoGroupTest.ONE_GROUP})
    labelled = _labelled(layer, group, stratum, len(values))
    if labelled.places > MOST_CELLS:
        return found.model_copy(update={"untested": NoGroupTest.TOO_LARGE})
    seen = compared(labelled)
    tested = _tested(labelled, seen, tables)
    agreement = tuple(_agreement(labelled, seen, tested, values, groups.smallest))
    return found.model_copy(
        update={
            "agreement": agreement,
            "exchanges": tested.exchanges or None,
            "untested": tested.untested,
        }
    )


# Who said what of which unit.


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupedLabels(Labels):
    """Labels of annotators whose group may be named, on units that two or more of them labelled.

    Rows are in the order of annotators, all codes from 0 without gaps. `distance` is over the categories,
    `group` (annotators,) is in which group each is, `stratum` (annotators,) among whom groups are exchanged.
    """

    group: Codes
    stratum: Codes
    groups: int
    distance: CategoryDistance

    @property
    def sizes(self) -> tuple[int, int]:
        """Return how many units and groups there are."""
        return len(self.weight), self.groups

    @property
    def places(self) -> int:
        """Return how many units, groups and labels there can be together."""
        return len(self.weight) * self.groups * len(self.categories)

    @property
    def cost(self) -> int:
        """Return how long it takes to compare groups once."""
        size = len(self.categories)
        wide = 1 if isinstance(self.distance, Nominal) else size
        return self.places * wide + len(self.unit) * self.groups * size

    @cached_property
    def first(self) -> Codes:
        """Return where the ratings of each annotator begin (annotators,)."""
        return np.flatnonzero(np.diff(self.annotator, prepend=-1))

    @cached_property
    def n(self) -> Codes:
        """Return how many ratings the unit of each rating has (ratings,)."""
        return self.per_unit[self.unit]

    @cached_property
    def to_all(self) -> Floats:
        """Return how far each rating is from all others of its unit together (ratings,)."""
        return self.from_all[self.unit, self.label]

    @cached_property
    def usual(self) -> Floats:
        """Return the mean distance of two ratings of the unit of each rating (ratings,)."""
        sums = np.bincount(self.unit, weights=self.to_all)
        usual: Floats = (sums / (self.per_unit * (self.per_unit - 1)))[self.unit]
        return usual

    @cached_property
    def of_all(self) -> Codes:
        """Return how often each label was given to each unit (units, labels)."""
        return sums_by(
            (self.unit, self.label), np.ones_like(self.unit), (len(self.weight), len(self.categories))
        )

    @cached_property
    def from_all(self) -> Floats:
        """Return the distance of each label from all labels of each unit together (units, labels)."""
        return self.distance.toward(self.of_all.astype(np.float64))

    @cached_property
    def shares(self) -> Floats:
        """Return which share of all labels each is (labels,)."""
        totals = (self.of_all * self.weight[:, None]).sum(axis=0)
        shares: Floats = totals / totals.sum()
        return shares

    @cached_property
    def chance(self) -> float:
        """Return the mean distance of two labels, whatever units they are of: D_e of alpha."""
        n = int((self.of_all.sum(axis=1) * self.weight).sum())
        return math.fsum((self.shares * self.distance.toward(self.shares)).tolist()) * n / (n - 1)

    def counts(self, group: Codes) -> Codes:
        """Return how often each group gave each label to each unit (units, groups, labels)."""
        size = (len(self.weight), self.groups, len(self.categories))
        keys = (self.unit * self.groups + group[self.annotator]) * size[2] + self.label
        counted: Codes = np.bincount(keys, minlength=size[0] * size[1] * size[2]).reshape(size)
        return counted


def _labelled(layer: GroupedLayer, group: Codes, stratum: Codes, groups: int) -> GroupedLabels:
    units = layer.units
    used = (units.label != NO_CATEGORY) & (group[units.annotator] >= 0) & (units.row_weight > 0)
    on_scale = layer.setting.values is not None and layer.setting.sets is None
    if on_scale:
        used &= placed(layer.setting)[units.label]
    named = units.where(used)
    several = named.where(named.per_unit[named.unit] >= 2)
    people = np.unique(several.annotator)
    own = several.of_units(several.per_unit > 0).of_people(people.tolist())
    order = np.argsort(own.annotator, kind="stable")
    codes, label = np.unique(own.label[order], return_inverse=True)
    totals = np.bincount(own.label, minlength=len(units.categories))
    return GroupedLabels(
        unit=own.unit[order],
        annotator=own.annotator[order],
        label=label.reshape(-1),
        weight=own.weight,
        document=own.document,
        group=group[people],
        stratum=np.unique(stratum[people], return_inverse=True)[1].reshape(-1),
        groups=groups,
        categories=tuple(units.categories[code] for code in codes.tolist()),
        distance=_distance(layer, codes, totals),
    )


def _distance(layer: GroupedLayer, codes: Codes, totals: Codes) -> CategoryDistance:
    """Return the distance of the layer's coefficient between some labels; names are all as far apart."""
    setting, bracket = layer.setting, layer.coefficient.partition("[")[2].removesuffix("]")
    is_placed = placed(setting) if setting.values is not None and setting.sets is None else None
    scale = [
        *scale_distances(totals if is_placed is None else totals[is_placed], setting),
        *weights_of(setting),
    ]
    place = codes if is_placed is None else (np.cumsum(is_placed) - 1)[codes]
    for own, at in ((setting.distances, codes), (scale, place)):
        for distance in own:
            if distance.id == bracket:
                return SubsetDistance(distance, at)
    return nominal(len(codes))


class SubsetDistance(CategoryDistance):
    """A distance between some of its categories."""

    def __init__(self, distance: CategoryDistance, codes: Codes) -> None:
        super().__init__(distance.id, distance.at(codes[:, None], codes[None, :]))
        self.on_a_scale = distance.on_a_scale


# What groups say on each unit.


@dataclass(frozen=True, eq=False)
class Compared:
    """Groups, and behind them all together, compared on the same units.

    `pairs` (units, groups + 1) is how much a unit counts, 0 where it has no pair of members or nobody else;
    `within` and `between` are mean distances there.
    """

    pairs: Floats
    within: Floats
    between: Floats


def compared(labelled: GroupedLabels) -> Compared:
    """Return how groups compare on each unit."""
    counts = labelled.counts(labelled.group)
    n = counts.sum(axis=2)
    in_all = n.sum(axis=1, keepdims=True)
    if isinstance(labelled.distance, Nominal):
        apart_within = (n * n - (counts * counts).sum(axis=2)) / 2
    else:
        apart_within = (counts * labelled.distance.toward(counts.astype(np.float64))).sum(axis=2) / 2
    apart_between = (counts * labelled.from_all[:, None, :]).sum(axis=2) - 2 * apart_within
    two, across = n * (n - 1) / 2, (n * (in_all - n)).astype(np.float64)
    two, apart_within = _with_total(two, 1.0), _with_total(apart_within, 1.0)
    across, apart_between = _with_total(across, 0.5), _with_total(apart_between, 0.5)
    both = (two > 0) & (across > 0)
    return Compared(
        pairs=np.where(both, two, 0.0) * labelled.weight[:, None],
        within=quotient(apart_within, two, 0.0),
        between=quotient(apart_between, across, 0.0),
    )


def _with_total(values: Floats, times: float) -> Floats:
    return np.concatenate([values, values.sum(axis=1, keepdims=True) * times], axis=1)


# Is it more than chance? Members are exchanged at random.


def differences(labelled: GroupedLabels, group: Codes) -> Floats:
    """Return how much groups differ if members are those of `group`, in errors between annotators.

    That is by how much labels of two groups are farther apart than those of one (groups + 1,), all together
    last. Each is a sum over annotators of what theirs add, each pair to both of the two, divided by the root
    of the sum of its squares: so divided, differences may be compared though groups labelled other units
    (Chung and Romano 2013, Annals of Statistics 41(2), 484-507). 0 where there is nothing to compare.
    """
    counts = labelled.counts(group)
    n, unit, m = counts.sum(axis=2), labelled.unit, labelled.usual
    apart = (
        n[:, :, None] - counts
        if isinstance(labelled.distance, Nominal)
        else labelled.distance.toward(counts.astype(np.float64))
    )
    own = group[labelled.annotator]
    rows = np.arange(len(unit))
    to_each, in_each, in_all = apart[unit, :, labelled.label], n[unit], labelled.n[:, None]
    pairs, across = n * (n - 1) / 2, n * (n.sum(axis=1, keepdims=True) - n)
    weight = labelled.weight[:, None].astype(np.float64)
    within, between = _coefficients(pairs, across.astype(np.float64), weight)
    to_others = between[unit] * (labelled.to_all[:, None] - to_each - (in_all - in_each) * m[:, None])
    to_members = within[unit] * (to_each - (in_each - 1) * m[:, None])
    from_outside = between[unit] * (to_each - in_each * m[:, None])
    is_member = own[:, None] == np.arange(labelled.groups)
    added = np.where(is_member, to_others - to_members, from_outside)
    within, between = _coefficients(
        pairs.sum(axis=1, keepdims=True), across.sum(axis=1, keepdims=True) / 2, weight
    )
    to_own, in_own = to_each[rows, own][:, None], in_each[rows, own][:, None]
    together = between[unit] * (labelled.to_all[:, None] - to_own - (in_all - in_own) * m[:, None])
    together -= within[unit] * (to_own - (in_own - 1) * m[:, None])
    added = np.concatenate([added, together], axis=1)
    of_annotators = np.add.reduceat(added, labelled.first, axis=0)
    total, error = of_annotators.sum(axis=0), np.sqrt((of_annotators * of_annotators).sum(axis=0))
    errors: Floats = np.where(np.abs(total) > ROUNDING, total / np.maximum(error, ROUNDING), 0.0)
    return errors


def _coefficients(pairs: Floats, across: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return how much a pair of members counts on each unit, and one of a member and somebody else."""
    both = (pairs > 0) & (across > 0)
    return np.where(both, weight, 0.0), quotient(np.where(both, pairs * weight, 0.0), across, 0.0)


@dataclass(frozen=True, eq=False)
class Tested:
    """p of the differences in agreement (groups + 1,), also over all; NaN where there are none."""

    p: Floats
    adjusted: Floats
    exchanges: int
    untested: NoGroupTest | None


def ways(sizes: Codes, *, alike: bool) -> int:
    """Return in how many ways people can be shared out to groups, of sizes (strata, groups).

    `alike`: it does not matter which of two groups with the same sizes is which.
    """
    number = 1
    for row in sizes.tolist():
        left = sum(row)
        for size in row:
            number *= math.comb(left, size)
            left -= size
    same = Counter(map(tuple, sizes.T.tolist())).values()
    return number // math.prod(map(math.factorial, same)) if alike else number


def exchanged(group: Codes, stratum: Codes, generator: np.random.Generator) -> Codes:
    """Return groups exchanged at random among people of each stratum (people,)."""
    mixed = np.lexsort((generator.random(len(group)), stratum))
    groups = np.empty_like(group)
    groups[np.argsort(stratum, kind="stable")] = group[mixed]
    return groups


def apart(labelled: GroupedLabels, group: Codes) -> float:
    """Return how far groups are from having the same share of the labels of every unit.

    That is Σ n_u (s_ug - s_g)², s being the share of a group in the labels of a unit, and in all. Exchanges
    tell nothing where groups are far from it: easy units that one group labelled make its members agree.
    """
    counts = sums_by((labelled.unit, group[labelled.annotator]), np.ones_like(labelled.unit), labelled.sizes)
    by_unit, by_group = counts.sum(axis=1), counts.sum(axis=0)
    shared = (counts * counts / by_unit[:, None]).sum(axis=1)
    return math.fsum(shared.tolist()) - int((by_group * by_group).sum()) / len(labelled.unit)


def _tested(labelled: GroupedLabels, seen: Compared, tables: int) -> Tested:
    """Return p of what was seen; over all groups of so many tables by the largest of each.

    Each difference is compared with the largest of every exchange (Westfall and Young 1993, Resampling-Based
    Multiple Testing, single step).
    """
    strata, groups = int(labelled.stratum.max(initial=0)) + 1, labelled.groups
    sizes = sums_by((labelled.stratum, labelled.group), np.ones_like(labelled.group), (strata, groups))
    of_each = (np.stack([own, sizes.sum(axis=1) - own], axis=1) for own in sizes.T)
    enough = np.array([*(ways(two, alike=False) for two in of_each), ways(sizes, alike=True)]) >= LEAST_WAYS
    enough &= (seen.pairs > 0).any(axis=0)
    reason = (
        NoGroupTest.NOTHING_SHARED
        if not (seen.pairs > 0).any()
        else NoGroupTest.FEW_PEOPLE
        if not enough.any()
        else NoGroupTest.TOO_LARGE
        if labelled.cost > MOST_SLOW
        else None
    )
    no_p = np.full(groups + 1, np.nan)
    if reason:
        return Tested(no_p, no_p, 0, reason)
    samples = EXCHANGES if labelled.cost <= MOST_QUICK else FEWER
    generator = np.random.Generator(np.random.PCG64(SEED))
    memberships = [labelled.group] + [
        exchanged(labelled.group, labelled.stratum, generator) for _ in range(samples)
    ]
    others = np.array([apart(labelled, group) for group in memberships])
    if (others * (1 + NEARLY) + NEARLY >= others[0]).mean() < SAME_UNITS:
        return Tested(no_p, no_p, 0, NoGroupTest.OTHER_UNITS)
    agreement = np.stack([differences(labelled, group) for group in memberships])
    agreement[:, ~enough] = np.nan
    return Tested(
        p_values(agreement, together=False),
        np.minimum(p_values(agreement, together=True) * tables, 1.0),
        samples,
        None,
    )


def p_values(differences: Floats, *, together: bool) -> Floats:
    """Return two-sided p of what was seen, the first row, among all rows (rows, differences).

    `together`: beside the largest of each row. NaN where nothing was seen.
    """
    sizes = np.where(np.isnan(differences), 0.0, np.abs(differences))
    if together:
        # Those that vary more would be the largest more often than others.
        spread = np.sqrt((sizes * sizes).mean(axis=0))
        sizes /= np.where(spread > 0, spread, 1.0)
    beside = sizes.max(axis=1, keepdims=True, initial=0.0) if together else sizes
    # What is equal but for rounding counts as equal.
    p: Floats = (beside * (1 + NEARLY) >= sizes[0]).sum(axis=0) / len(differences)
    return np.where(np.isnan(differences[0]), np.nan, p)


# Figures with intervals.


def _agreement(
    labelled: GroupedLabels, seen: Compared, tested: Tested, values: Sequence[str], smallest: int
) -> Iterator[GroupAgreement]:
    """Yield the agreement within and between groups, of all together last."""
    sizes = np.bincount(labelled.group, minlength=labelled.groups).tolist()
    for number, name in enumerate([*values, None]):
        count = seen.pairs[:, number]
        of_units = count > 0
        members = None if name is None else number
        within, between, difference = (
            _of_pairs(labelled, count, seen.within[:, number], seen.between[:, number])
            if _enough(labelled, of_units, members, smallest)
            else (no_estimate(Undefined.FEW_PEOPLE, 0),) * 3
        )
        yield GroupAgreement(
            group=name,
            people=sum(sizes) if name is None else sizes[number],
            units=within.units,
            within=figure(within),
            between=figure(between),
            difference=figure(difference),
            p=_known(tested.p[number], within),
            adjusted_p=_known(tested.adjusted[number], within),
        )


def _known(p: float, estimate: Estimate) -> float | None:
    return None if math.isnan(p) or estimate.value is None else float(p)


def _enough(labelled: GroupedLabels, of_units: Mask, group: int | None, smallest: int) -> bool:
    """Tell whether as many people as a group must have labelled some units, of the group and of others."""
    there = np.unique(labelled.annotator[of_units[labelled.unit]])
    if group is None:
        return len(there) >= 2 * smallest
    own = int((labelled.group[there] == group).sum())
    return min(own, len(there) - own) >= smallest


def _of_pairs(
    labelled: GroupedLabels, count: Floats, within: Floats, between: Floats
) -> tuple[Estimate, Estimate, Estimate]:
    """Return agreement within and between, and the difference, of units that count so much."""
    chance = labelled.chance
    units = int(labelled.weight[count > 0].sum())
    if chance <= 0:
        return (no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, units),) * 3
    # How a unit moves chance, and what it adds to it, as alpha has it.
    from_chance = labelled.distance.toward(labelled.shares)
    n = labelled.of_all.sum(axis=1)
    ratings = float((n * labelled.weight).sum())
    moved = 2 * ((labelled.of_all * from_chance).sum(axis=1) - n * chance) / ratings
    added = np.maximum((labelled.of_all * from_chance).sum(axis=1), 0.0)
    worst = labelled.distance.farthest(labelled.shares > 0) / chance
    total = float(count.sum())
    per_unit = count / labelled.weight / total

    def estimate(apart: Floats, *, of_difference: bool = False) -> Estimate:
        mean = float((count * apart).sum()) / total
        value = (mean if of_difference else chance - mean) / chance
        sign = 1 if of_difference else -1
        influence = (sign * per_unit * (apart - mean) - sign * mean / chance * moved) / chance
        in_all = int(labelled.weight.sum())
        shown = (None, None) if of_difference else (mean, chance)
        return with_interval(
            Estimate(value, units, *shown),
            in_all * influence,
            _clusters(labelled, count > 0),
            (-math.inf, math.inf if of_difference else 1.0),
            disagreements=int((apart[count > 0] != 0).sum()),
            worst=None if of_difference else worst,
            weight=np.maximum(_relative(per_unit, labelled.weight), _relative(added, labelled.weight)),
            of_units=True,
            chance=chance if isinstance(labelled.distance, Nominal) else None,
            least=-worst if of_difference else 1 - worst,
            on_a_scale=labelled.distance.on_a_scale,
        )

    return estimate(within), estimate(between), estimate(between - within, of_difference=True)


def _relative(values: Floats, weight: Codes) -> Floats:
    """Return values as multiples of their mean over units."""
    mean = float((values * weight).sum()) / float(weight.sum())
    relative: Floats = values / mean if mean > 0 else np.ones_like(values)
    return relative


def _clusters(labelled: GroupedLabels, compared_units: Mask) -> Clusters:
    cells = np.arange(len(labelled.weight))
    return Clusters.of_units(
        labelled.document, cells, labelled.weight, corrected=True, compared=compared_units
    )
