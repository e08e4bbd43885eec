"""One label where several marks of an annotator stand on a unit: their set, or the first in priority."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.formats import Codes
from reportgen.study.categories import natural_order
from reportgen.study.people import Mask
from reportgen.study.request import Request
from reportgen.study.sets import Members, is_of_sets, members, named, unions

ORDERED_SCALES = ("ordinal", "interval", "ratio")


@dataclass(frozen=True, eq=False)
class Labelled:
    """Units with one label of each annotator who marked them.

    - `unit`, `person`, `label` (ratings,), sorted by unit and person; `labels` are the names.
    - `kept` (links,): whether a mark's label is, or is part of, the one that counts.
    - `several`: on how many units an annotator had more than one label.
    - `sets`: on a scale of sets what each of `labels` holds, by its name.
    """

    unit: Codes
    person: Codes
    label: Codes
    labels: tuple[str, ...]
    kept: Mask
    several: int
    sets: Mapping[str, Members] = field(default_factory=dict)


def one_label_each(
    unit: Codes, person: Codes, label: Codes, labels: Sequence[str], request: Request
) -> Labelled:
    """Return the label of each annotator on each unit that they marked.

    `unit`, `person` and `label` (links,) say what stands where. Where an annotator has several labels on a
    unit, the first in the task's `priority` counts; without a priority, and on a scale of sets, they
    are one set, written with the separator. Raises BadInput for several on an ordered scale without
    priority.
    """
    if is_of_sets(request):
        return _one_set_each(unit, person, label, labels, request)
    task = request.task
    choose = bool(task.priority)
    order = _order(labels, task.priority if choose else ())
    rows, first = np.unique(np.stack([unit, person, order[label]], axis=1), axis=0, return_inverse=True)
    starts = np.flatnonzero(np.any(np.diff(rows[:, :2], axis=0, prepend=-1) != 0, axis=1))
    sizes = np.diff(np.append(starts, len(rows)))
    several = int((sizes > 1).sum())
    if several and not choose and task.scale in ORDERED_SCALES:
        raise BadInput([_no_order(several, task.scale, request.file)])
    names = [labels[code] for code in np.argsort(order).tolist()]
    where = rows[starts, 0], rows[starts, 1]
    if choose:
        winners = np.zeros(len(rows), dtype=np.bool_)
        winners[starts] = True
        return Labelled(*where, rows[starts, 2], tuple(names), winners[first.reshape(-1)], several)
    codes, joined = _joined(rows[:, 2], starts, sizes, names, request.separator)
    return Labelled(*where, codes, joined, np.ones(len(unit), dtype=np.bool_), several)


def _one_set_each(
    unit: Codes, person: Codes, label: Codes, labels: Sequence[str], request: Request
) -> Labelled:
    """Return the set of each annotator on each unit: what all their labels there hold, each member once."""
    where, group = np.unique(np.stack([unit, person], axis=1), axis=0, return_inverse=True)
    group = group.reshape(-1)
    distinct = np.unique(np.stack([group, label], axis=1), axis=0)[:, 0]
    several = int((np.bincount(distinct, minlength=len(where)) > 1).sum())
    codes, sets = unions(group, label, members(labels, request))
    names = named(sets, labels, request)
    kept = np.ones(len(unit), dtype=np.bool_)
    of_names = dict(zip(names, sets, strict=True))
    return Labelled(where[:, 0], where[:, 1], codes, names, kept, several, of_names)


def _order(labels: Sequence[str], priority: Sequence[str]) -> Codes:
    """Return the rank of each label: its place in the priority, then by name."""
    listed = [name for name in priority if name in labels]
    ranked = [*listed, *(name for name in natural_order(labels) if name not in listed)]
    place = {name: rank for rank, name in enumerate(ranked)}
    return np.array([place[name] for name in labels], dtype=np.int64)


def _no_order(several: int, scale: str, file: str) -> Problem:
    message = f"on {scale} scales a unit has one label, and {several:,} have several of one annotator."
    return Problem(file, key="task.priority", message=message, mend="Say which label counts with priority.")


def _joined(
    label: Codes, starts: Codes, sizes: Codes, names: Sequence[str], separator: str
) -> tuple[Codes, tuple[str, ...]]:
    """Return the code of each group's set of labels, and the names of all sets.

    `label` holds the groups one after another, labels rising within each.
    """
    sets: list[tuple[int, ...]] = [(code,) for code in range(len(names))]
    codes = label[starts]
    for place in range(1, int(sizes.max(initial=1))):
        larger = np.flatnonzero(sizes > place)
        pairs = np.stack([codes[larger], label[starts[larger] + place]], axis=1)
        found, which = np.unique(pairs, axis=0, return_inverse=True)
        codes[larger] = len(sets) + which.reshape(-1)
        sets += [(*sets[smaller], member) for smaller, member in found.tolist()]
    used, codes = np.unique(codes, return_inverse=True)
    return codes, tuple(separator.join(names[code] for code in sets[each]) for each in used.tolist())
