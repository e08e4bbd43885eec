"""Labels that are sets: what an annotator gave a unit, taken together, and what each category holds."""

from collections.abc import Mapping, Sequence

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.formats import EMPTY_SET, Codes, as_set, members_of
from reportgen.study.categories import natural_order
from reportgen.study.request import Request

Members = frozenset[str]

NOTHING: Members = frozenset()


def is_of_sets(request: Request) -> bool:
    """Say whether labels are sets, so that all that an annotator gave a unit are one."""
    return request.task.scale == "set"


def unions(group: Codes, label: Codes, members: Sequence[Members]) -> tuple[Codes, list[Members]]:
    """Return the code of each group's set, and the sets: all that the labels of a group hold.

    `group` and `label` (links,) say which label is in which group, groups being numbered from 0 without a
    gap; `members` are those of each label.
    """
    names = natural_order({name for each in members for name in each})
    groups = int(group.max(initial=-1)) + 1
    rows = np.unique(np.stack(_spelled_out(group, label, members, names), axis=1), axis=0)
    sizes = np.bincount(rows[:, 0], minlength=groups)
    starts = np.cumsum(sizes) - sizes
    sets: list[tuple[int, ...]] = [()]
    codes = np.zeros(groups, dtype=np.int64)
    for place in range(int(sizes.max(initial=0))):
        larger = np.flatnonzero(sizes > place)
        pairs = np.stack([codes[larger], rows[starts[larger] + place, 1]], axis=1)
        found, which = np.unique(pairs, axis=0, return_inverse=True)
        codes[larger] = len(sets) + which.reshape(-1)
        sets += [(*sets[smaller], member) for smaller, member in found.tolist()]
    used, codes = np.unique(codes, return_inverse=True)
    return codes, [frozenset(names[code] for code in sets[each]) for each in used.tolist()]


def _spelled_out(
    group: Codes, label: Codes, members: Sequence[Members], names: Sequence[str]
) -> tuple[Codes, Codes]:
    """Return each group with each member of each of its labels, as codes of `names`."""
    place = {name: code for code, name in enumerate(names)}
    flat = np.array([place[name] for each in members for name in sorted(each)], dtype=np.int64)
    sizes = np.array([len(each) for each in members], dtype=np.int64)
    times = sizes[label]
    offset = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    return np.repeat(group, times), flat[np.repeat((np.cumsum(sizes) - sizes)[label], times) + offset]


def members(labels: Sequence[str], request: Request) -> list[Members]:
    """Return the members of each label; the non-annotated category is the empty set."""
    absent = request.task.non_annotated
    return [NOTHING if label == absent else members_of(label) for label in labels]


def empty_name(request: Request) -> str:
    """Return what the empty set is called: as the non-annotated category, where that has a name."""
    return request.task.non_annotated or EMPTY_SET


def named(sets: Sequence[Members], labels: Sequence[str], request: Request) -> tuple[str, ...]:
    """Return a name for each set: a declared category's, else a label's, else its members joined.

    A set has one name whatever its labels are called, and no two sets have the same.
    """
    names: dict[Members, str] = {NOTHING: empty_name(request)}
    for category, each in zip(request.task.categories, declared(request), strict=True):
        names.setdefault(each, category)
    for label, each in zip(labels, members(labels, request), strict=True):
        names.setdefault(each, str(label))
    taken = {name: each for each, name in names.items()}
    for each in sets:
        if each not in names:
            name = request.separator.join(natural_order(each))
            while name in taken:
                name = f"{{{name}}}"
            names[each] = name
            taken[name] = each
    return tuple(names[each] for each in sets)


def declared(request: Request) -> list[Members]:
    """Return the members of each declared category."""
    names = request.task.categories
    return members([as_set(name, request.separator) for name in names] if request.split else names, request)


def of_categories(
    categories: Sequence[str], known: Mapping[str, Members], request: Request
) -> tuple[Members, ...] | None:
    """Return the members of each category, None where the scale has no sets.

    `known` are the sets in use by their names. Raises BadInput where the task's category_count is below the
    number of members that are declared or used.
    """
    if not is_of_sets(request):
        return None
    named_so = {
        **dict(zip(request.task.categories, declared(request), strict=True)),
        **known,
        empty_name(request): NOTHING,
    }
    found = tuple(named_so.get(name, members_of(name)) for name in categories)
    _require_room(found, request)
    return found


def _require_room(sets: Sequence[Members], request: Request) -> None:
    declared_so, found = request.task.category_count, len(frozenset[str]().union(*sets))
    if declared_so is not None and declared_so < found:
        message = f"is {declared_so:,}, and {found:,} different categories are declared or used."
        mend = "Count the whole inventory."
        raise BadInput([Problem(request.file, key="task.category_count", message=message, mend=mend)])
