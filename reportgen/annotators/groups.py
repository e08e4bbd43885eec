"""Do groups of annotators differ? Agreement within and between them, and which labels each uses more.

Pairs within a group are compared with pairs between groups on the same units, so that units which one group
labelled more often make no difference. p is that of a permutation test: who belongs to which group is
exchanged at random among annotators who are alike in the attributes before, all labels staying theirs
(Prabhakaran et al. 2024, NAACL, 3473-3492; for agreement between groups Wong, Paritosh and Aroyo 2021, ACL,
7053-7065).
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from reportgen.measures import CategoryDistance, Estimate, Floats, Setting, Undefined
from reportgen.measures.distances import Nominal, nominal
from reportgen.measures.estimate import LOWEST, NEARLY, ROUNDING, Clusters, figure, no_estimate, with_interval
from reportgen.measures.unit_set_data import placed, scale_distances, weights_of
from reportgen.readers import Codes
from reportgen.readers.annotations import coded
from reportgen.results.groups import GroupAgreement, GroupLabels, Groups, GroupSize, LayerGroups
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, ToldGroups
from reportgen.units.coded import sums_by

# So many random exchanges, fewer where each takes long, none where it takes too long.
EXCHANGES, FEWER = 999, 199
MOST_QUICK, MOST_SLOW, MOST_CELLS = 50_000, 1_000_000, 20_000_000
# With fewer ways to share out membership no p could be small.
LEAST_WAYS = 40
# Of more labels it is not told which group uses them more.
MOST_LABELS = 50
SEED = 20240616


class NoGroupTest(StrEnum):
    """Why differences between groups have no p; a closed list."""

    ONE_GROUP = "fewer than two groups may be told of"
    FEW_PEOPLE = (
        "there are so few annotators that membership of groups can be exchanged in fewer than 40 ways, so "
        "that chance may give any difference"
    )
    NOTHING_SHARED = "no unit has labels of two members of a group and of somebody else"
    TOO_LARGE = "there are too many units and categories to exchange members again and again"


@dataclass(frozen=True, eq=False)
class GroupedLayer:
    """The primary unit set of a layer, its coefficient, and what exports call each annotator, in order."""

    units: CodedUnits
    setting: Setting
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
    stratum[there] = coded(tuple(own.get(earlier) for earlier in before) for own in told)[1]
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
    if labelled.cells > MOST_CELLS:
        return found.model_copy(update={"untested": NoGroupTest.TOO_LARGE})
    tested = _tested(labelled, tables)
    agreement = tuple(_agreement(labelled, tested, values, groups.smallest))
    labels = tuple(_labels(labelled, tested, values, groups.smallest))
    return found.model_copy(
        update={
            "agreement": agreement,
            "labels": labels,
            "exchanges": tested.exchanges or None,
            "untested": tested.untested,
        }
    )


# Who said what of which unit.


@dataclass(frozen=True, eq=False)
class GroupedLabels:
    """Labels of annotators whose group is told of, on units that two or more of them labelled.

    Columns (ratings,): `unit`, `annotator`, `label`, all from 0 without gaps; of units `weight` and
    `document`. `categories` are what labels are called, `distance` is over them. `group` (annotators,) is in
    which group each is, `stratum` (annotators,) among whom groups are exchanged.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    weight: Codes
    document: Codes
    group: Codes
    stratum: Codes
    groups: int
    categories: Sequence[str]
    distance: CategoryDistance

    @property
    def cells(self) -> int:
        """Return how many units, groups and labels there can be together."""
        return len(self.weight) * self.groups * len(self.categories)

    @property
    def cost(self) -> int:
        """Return how long it takes to compare groups once."""
        wide = 1 if isinstance(self.distance, Nominal) else len(self.categories)
        return self.cells * wide + len(self.unit)

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
    used = (units.label != NO_CATEGORY) & (group[units.annotator] >= 0) & (units.unit_weight[units.unit] > 0)
    on_scale = layer.setting.values is not None and layer.setting.sets is None
    if on_scale:
        used &= placed(layer.setting)[units.label]
    several = np.bincount(units.unit[used], minlength=len(units.unit_weight)) >= 2
    rows = np.flatnonzero(used & several[units.unit])
    there, unit = np.unique(units.unit[rows], return_inverse=True)
    people, annotator = np.unique(units.annotator[rows], return_inverse=True)
    codes, label = np.unique(units.label[rows], return_inverse=True)
    totals = np.bincount(units.label[rows], minlength=len(units.categories))
    return GroupedLabels(
        unit=unit.reshape(-1),
        annotator=annotator.reshape(-1),
        label=label.reshape(-1),
        weight=units.unit_weight[there],
        document=units.unit_document[there],
        group=group[people],
        stratum=np.unique(stratum[people], return_inverse=True)[1].reshape(-1),
        groups=groups,
        categories=[units.categories[code] for code in codes.tolist()],
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
                return _Chosen(distance, at)
    return nominal(len(codes))


class _Chosen(CategoryDistance):
    """A distance between some of its categories."""

    def __init__(self, distance: CategoryDistance, codes: Codes) -> None:
        super().__init__(distance.id, distance.at(codes[:, None], codes[None, :]))
        self.on_a_scale = distance.on_a_scale


# What groups differ by, given who is in which.


@dataclass(frozen=True, eq=False)
class Compared:
    """Groups, and behind them all together, compared on the same units.

    `pairs` (units, groups + 1) is how much a unit counts, 0 where it has no pair of members or nobody else;
    `within` and `between` are mean distances there. `rows` (units, groups) is how much it counts for labels,
    `own` and `others` (units, groups, labels) are shares.
    """

    pairs: Floats
    within: Floats
    between: Floats
    rows: Floats
    own: Floats
    others: Floats

    @cached_property
    def apart(self) -> Floats:
        """Return by how much labels of two groups differ more than those of one (groups + 1,)."""
        return in_errors(self.between - self.within, self.pairs)

    @cached_property
    def more(self) -> Floats:
        """Return by how much each group uses each label more than others (groups, labels)."""
        return in_errors(self.own - self.others, self.rows[:, :, None])


def in_errors(values: Floats, weights: Floats) -> Floats:
    """Return weighted means over units, in standard errors; NaN where no unit counts.

    Divided so, differences may be compared though groups labelled different units (Chung and Romano 2013,
    Annals of Statistics 41(2), 484-507).
    """
    total = weights.sum(axis=0)
    mean = (values * weights).sum(axis=0) / np.maximum(total, 1)
    moved = (values - mean) * weights
    error = np.sqrt((moved * moved).sum(axis=0)) / np.maximum(total, 1)
    differs = np.abs(mean) > ROUNDING
    errors: Floats = np.where(differs, mean / np.maximum(error, ROUNDING), 0.0)
    return np.where(total > 0, errors, np.nan)


def compared(labelled: GroupedLabels, group: Codes) -> Compared:
    """Return how groups compare if members are those of `group`."""
    counts = labelled.counts(group)
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
    others = labelled.of_all[:, None, :] - counts
    beside = (n > 0) & (in_all > n)
    weight = labelled.weight[:, None]
    return Compared(
        pairs=np.where(both, two, 0.0) * weight,
        within=_shares(apart_within, two),
        between=_shares(apart_between, across),
        rows=np.where(beside, n, 0) * weight.astype(np.float64),
        own=_shares(counts, n[:, :, None]),
        others=_shares(others, (in_all - n)[:, :, None]),
    )


def _with_total(values: Floats, times: float) -> Floats:
    return np.concatenate([values, values.sum(axis=1, keepdims=True) * times], axis=1)


def _shares(part: Floats | Codes, whole: Floats | Codes) -> Floats:
    size = np.broadcast_shapes(part.shape, whole.shape)
    shares: Floats = np.divide(part, whole, out=np.zeros(size), where=whole > 0)
    return shares


# Is it more than chance? Members are exchanged at random.


@dataclass(frozen=True, eq=False)
class Tested:
    """What was seen, and p of the differences in agreement (groups + 1,) and in labels (groups, labels).

    p are NaN where there are none.
    """

    seen: Compared
    p: Floats
    adjusted: Floats
    of_labels: Floats
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


def _tested(labelled: GroupedLabels, tables: int) -> Tested:
    """Return p of what was seen; over all groups, or labels, of so many tables by the largest of each.

    Each difference, in standard errors, is compared with the largest of every exchange (Westfall and Young
    1993, Resampling-Based Multiple Testing, single step).
    """
    seen = compared(labelled, labelled.group)
    strata = int(labelled.stratum.max(initial=0)) + 1
    sizes = sums_by(
        (labelled.stratum, labelled.group), np.ones_like(labelled.group), (strata, labelled.groups)
    )
    of_each = (np.stack([own, sizes.sum(axis=1) - own], axis=1) for own in sizes.T)
    enough = np.array([*(ways(two, alike=False) for two in of_each), ways(sizes, alike=True)]) >= LEAST_WAYS
    reason = (
        NoGroupTest.NOTHING_SHARED
        if np.isnan(seen.apart).all()
        else NoGroupTest.FEW_PEOPLE
        if not enough.any()
        else NoGroupTest.TOO_LARGE
        if labelled.cost > MOST_SLOW
        else None
    )
    if reason:
        no_p = np.full(seen.apart.shape, np.nan)
        return Tested(seen, no_p, no_p, np.full(seen.more.shape, np.nan), 0, reason)
    samples = EXCHANGES if labelled.cost <= MOST_QUICK else FEWER
    generator = np.random.Generator(np.random.PCG64(SEED))
    of_agreement, of_labels = [seen.apart], [seen.more]
    for _ in range(samples):
        other = compared(labelled, exchanged(labelled.group, labelled.stratum, generator))
        of_agreement.append(other.apart)
        of_labels.append(other.more)
    agreement, labels = np.stack(of_agreement), np.stack(of_labels)
    agreement[:, ~enough] = np.nan
    labels[:, ~enough[:-1]] = np.nan
    adjusted = np.minimum(p_values(agreement, together=True) * tables, 1.0)
    flat = labels.reshape(len(labels), -1)
    adjusted_labels = np.minimum(p_values(flat, together=True) * tables, 1.0).reshape(seen.more.shape)
    return Tested(seen, p_values(agreement, together=False), adjusted, adjusted_labels, samples, None)


def p_values(differences: Floats, *, together: bool) -> Floats:
    """Return two-sided p of what was seen, the first row, among all rows (rows, differences).

    `together`: beside the largest of each row. NaN where nothing was seen.
    """
    sizes = np.where(np.isnan(differences), 0.0, np.abs(differences))
    beside = sizes.max(axis=1, keepdims=True, initial=0.0) if together else sizes
    # What is equal but for rounding counts as equal.
    p: Floats = (beside * (1 + NEARLY) >= sizes[0]).sum(axis=0) / len(differences)
    return np.where(np.isnan(differences[0]), np.nan, p)


# Figures with intervals.


def _agreement(
    labelled: GroupedLabels, tested: Tested, values: Sequence[str], smallest: int
) -> Iterator[GroupAgreement]:
    """Yield the agreement within and between groups, of all together last."""
    seen, sizes = tested.seen, np.bincount(labelled.group, minlength=labelled.groups).tolist()
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
            beside_chance=True,
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


def _labels(
    labelled: GroupedLabels, tested: Tested, values: Sequence[str], smallest: int
) -> Iterator[GroupLabels]:
    """Yield how often each group gives each label, beside others; nothing where there are too many labels."""
    if len(labelled.categories) > MOST_LABELS:
        return
    seen = tested.seen
    given = labelled.counts(labelled.group)
    for number, name in enumerate(values):
        count = seen.rows[:, number]
        if not _enough(labelled, count > 0, number, smallest):
            continue
        for label, category in enumerate(labelled.categories):
            own, others = seen.own[:, number, label], seen.others[:, number, label]
            share, other_share, difference = (
                _of_shares(labelled, count, values_of, low)
                for values_of, low in ((own, 0.0), (others, 0.0), (own - others, LOWEST))
            )
            p = tested.of_labels[number, label]
            yield GroupLabels(
                group=name,
                category=category,
                labels=int((given[:, number, label] * labelled.weight)[count > 0].sum()),
                share=figure(share),
                others=figure(other_share),
                difference=figure(difference),
                adjusted_p=None if math.isnan(p) else float(p),
            )


def _of_shares(labelled: GroupedLabels, count: Floats, values: Floats, low: float) -> Estimate:
    total = float(count.sum())
    mean = float((count * values).sum()) / total
    per_unit = count / labelled.weight / total
    return with_interval(
        Estimate(mean, int(labelled.weight[count > 0].sum())),
        int(labelled.weight.sum()) * per_unit * (values - mean),
        _clusters(labelled, count > 0),
        (low, 1.0),
        disagreements=int(labelled.weight[count > 0].sum()),
        weight=_relative(per_unit, labelled.weight),
    )
