"""How the categories of two guidelines versions answer to each other; labels under their later names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from reportgen.study import NO_CATEGORY, CodedUnits

How = Literal["same", "merged", "names"]
Members = frozenset[str]
SET = "set"
SEPARATOR = "|"


@dataclass(frozen=True)
class Matching:
    """How the categories of two versions answer to each other.

    `same`: they are the same; `merged`: they are once the earlier ones are called as `merged` says;
    `names`: only those of the same name are compared, and no coefficient is tested. `merged` has only what
    changes a name that the earlier version has; `first_only` and `second_only` are what stays alone.
    """

    how: How
    merged: Mapping[str, str] = field(default_factory=dict)
    first_only: tuple[str, ...] = ()
    second_only: tuple[str, ...] = ()


def later_names(names: Sequence[str], merges: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return what categories are called in the end, `merges` being those of each later version, in order."""
    found = {name: name for name in names}
    for merged in merges:
        found = {name: merged.get(now, now) for name, now in found.items()}
    return found


def match(
    first: Sequence[str], second: Sequence[str], names: Mapping[str, str], *, one_inventory: bool = False
) -> Matching:
    """Return how two lists of categories answer to each other once the first have their later `names`.

    `one_inventory` says that both are what was used of one inventory, too large to list.
    """
    merged = {name: names[name] for name in first if names.get(name, name) != name}
    here = dict.fromkeys(names.get(name, name) for name in first)
    first_only = tuple(name for name in here if name not in second)
    second_only = tuple(name for name in dict.fromkeys(second) if name not in here)
    if one_inventory or not (first_only or second_only):
        return Matching("merged" if merged else "same", merged)
    return Matching("names", merged, first_only, second_only)


def match_units(
    first: CodedUnits, second: CodedUnits, merges: Sequence[Mapping[str, str]]
) -> tuple[Matching, CodedUnits]:
    """Return how the categories of two unit sets answer to each other, and the first under later names.

    Those of sets are their members. The name of unmarked units is no category of the guidelines: it may be
    another without a word in campaign.toml. On a nominal scale the first then has the later order too.
    """
    ours, theirs = categories_of(first), categories_of(second)
    names = later_names(ours, merges)
    if NO_CATEGORY not in {first.non_annotated, second.non_annotated} and first.sets is None:
        names[first.categories[first.non_annotated]] = second.categories[second.non_annotated]
    counted = first.category_count is not None and first.category_count == second.category_count
    found = match(ours, theirs, names, one_inventory=counted)
    if not found.merged and not _in_other_order(first, second):
        return found, first
    return found, renamed(first, second, {**{name: name for name in ours}, **found.merged})


def categories_of(units: CodedUnits) -> tuple[str, ...]:
    """Return the categories of a unit set; where labels are sets, their members, by name."""
    if units.sets is None:
        return units.categories
    return tuple(sorted(frozenset[str]().union(*units.sets)))


def _in_other_order(first: CodedUnits, second: CodedUnits) -> bool:
    """Tell whether the same names, without an order of their own, stand in another order."""
    free = first.scale == second.scale == "nominal"
    return free and first.categories != second.categories and set(first.categories) == set(second.categories)


def renamed(units: CodedUnits, later: CodedUnits, names: Mapping[str, str]) -> CodedUnits:
    """Return units whose categories have other names; those that become one are one.

    They stand in the order of the later version, what it does not have behind its own, the category of
    unmarked units last.
    """
    if units.sets is not None:
        return _of_sets(units, later, names)
    new = [names.get(name, name) for name in units.categories]
    absent = None if units.non_annotated == NO_CATEGORY else new[units.non_annotated]
    ordered = [
        *(name for name in later.categories if name in new and name != absent),
        *(name for name in dict.fromkeys(new) if name not in later.categories and name != absent),
        *([] if absent is None else [absent]),
    ]
    return _recoded(units, new, ordered, absent)


def _recoded(units: CodedUnits, new: Sequence[str], ordered: Sequence[str], absent: str | None) -> CodedUnits:
    place = {name: code for code, name in enumerate(ordered)}
    code = np.array([place[name] for name in new], dtype=np.int64)
    return replace(
        units,
        categories=tuple(ordered),
        label=code[units.label] if len(code) else units.label,
        non_annotated=NO_CATEGORY if absent is None else place[absent],
        non_annotated_name=units.non_annotated_name if absent is None else absent,
    )


def _of_sets(units: CodedUnits, later: CodedUnits, names: Mapping[str, str]) -> CodedUnits:
    """Return units whose sets have members of other names; sets that become the same are one."""
    sets = [frozenset(names.get(member, member) for member in each) for each in units.sets or ()]
    absent = None if units.non_annotated == NO_CATEGORY else sets[units.non_annotated]
    known = dict(zip(later.sets or (), later.categories, strict=True))
    called: dict[Members, str] = {}
    taken = {*known.values()}
    for each, name in zip(sets, units.categories, strict=True):
        if each not in called:
            called[each] = known.get(each) or _free(SEPARATOR.join(sorted(each)) or name, taken)
            taken.add(called[each])
    unmarked = None if absent is None else called[absent]
    order = [*(each for each in called if each != absent), *([] if absent is None else [absent])]
    recoded = _recoded(units, [called[each] for each in sets], [called[each] for each in order], unmarked)
    return replace(recoded, sets=tuple(order))


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no other set has."""
    while name in taken:
        name = f"{{{name}}}"
    return name
