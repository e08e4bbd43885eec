"""Labels that sets hold, each as a question of its own: did an annotator choose it for the unit or not?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reportgen.counts import ContingencyTable
from reportgen.measures.distances import table_of
from reportgen.measures.profiles import PAIR, Profiles, against_rest
from reportgen.measures.setting import Setting
from reportgen.measures.unit_set_data import Whole
from reportgen.results.unit_sets import LabelCounts, LabelOfSets, SetsCompared
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, natural_order

Members = frozenset[str]
CHOSEN, NOT_CHOSEN = 0, 1
ANSWERS = 2


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels that sets hold: their names in order, and which sets hold each (labels, categories)."""

    names: tuple[str, ...]
    holders: Mask


@lru_cache(maxsize=2)
def labels_of(sets: tuple[Members, ...]) -> Labels:
    """Return the labels of some sets; those that are a category by themselves keep their order."""
    single = [name for each in sets if len(each) == 1 for name in each]
    others = frozenset[str]().union(*sets).difference(single)
    declared = single != natural_order(single)
    names = (*single, *natural_order(others)) if declared else tuple(natural_order([*single, *others]))
    place = {name: code for code, name in enumerate(names)}
    holders = np.zeros((len(names), len(sets)), dtype=np.bool_)
    for category, each in enumerate(sets):
        holders[[place[name] for name in each], category] = True
    return Labels(names, holders)


def judged(units: CodedUnits) -> tuple[str, ...]:
    """Return what specific agreement is of: the categories, or of sets the labels that they hold."""
    return units.categories if units.sets is None else labels_of(units.sets).names


def alone(table: ContingencyTable, code: int, sets: tuple[Members, ...] | None) -> ContingencyTable:
    """Return the table of a category (code 0) against all others (1), of sets of a label, chosen or not."""
    if sets is None:
        return against_rest(table, code)
    holders = labels_of(sets).holders[code]
    row, column = (np.where(holders[each], CHOSEN, NOT_CHOSEN) for each in (table.row, table.column))
    return ContingencyTable(table.first, table.second, ANSWERS, table.document, row, column, table.n)


def used_of_two(table: ContingencyTable, sets: tuple[Members, ...] | None = None) -> Mask:
    """Tell which categories one of two annotators used, of sets which labels one of them chose."""
    used: Mask = table.row_totals + table.column_totals > 0
    return used if sets is None else np.asarray(labels_of(sets).holders[:, used].any(axis=1))


def chosen_by_many(profiles: Profiles, holders: Mask) -> Profiles:
    """Return the same units with one label chosen (code 0) or not (code 1)."""
    chosen = np.where(holders[profiles.labels], CHOSEN, NOT_CHOSEN)
    labels = np.where(profiles.labels == NO_CATEGORY, NO_CATEGORY, chosen)
    return Profiles(labels, profiles.document, profiles.profile, profiles.n, ANSWERS)


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


def labels_chosen(whole: Whole) -> dict[str, LabelOfSets]:
    """Return what is counted of each label of a unit set whose categories are sets, by its name."""
    labels = labels_of(whole.setting.sets or ())
    rated = whole.rated
    paired = rated.times * (rated.ratings >= PAIR)
    found: dict[str, LabelOfSets] = {}
    for name, holders in zip(labels.names, labels.holders, strict=True):
        times = (chosen_by_many(rated, holders).labels == CHOSEN).sum(axis=1)
        # As in the coincidence matrix, a unit's pairs of ratings are divided by its ratings less one.
        split = times * (rated.ratings - times) / np.maximum(rated.ratings - 1, 1)
        chosen, apart = int((times * rated.times).sum()), float((split * paired).sum())
        found[name] = LabelOfSets(chosen=chosen, apart=apart)
    return found


# How many labels there are to choose from where categories are sets, and what explicit agreement omits.


def inventory(setting: Setting) -> int:
    """Return how many categories there are to choose from: as declared, else those declared or used."""
    return setting.category_count or (0 if setting.sets is None else table_of(setting.sets).members)


def sets_compared(whole: Whole) -> SetsCompared | None:
    """Return what is left out of a unit set whose categories are sets, None where they are none."""
    sets = whole.setting.sets
    if sets is None:
        return None
    blank, met = table_of(sets).blank, whole.tables
    counted = ~(blank[met.first] & blank[met.second])
    labels = labels_chosen(whole)
    return SetsCompared(
        categories=inventory(whole.setting),
        declared=whole.setting.category_count is not None,
        units_left_out=whole.among(np.ones_like(counted))[0] - whole.among(counted)[0],
        meetings=int(met.weight.sum()),
        meetings_left_out=int(met.weight[~counted].sum()),
        pairs=len(np.unique(met.pair[counted])),
        members={name: tuple(sorted(each)) for name, each in zip(whole.units.categories, sets, strict=True)},
        names=tuple(labels),
        labels=labels,
    )
