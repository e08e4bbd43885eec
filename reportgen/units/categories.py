"""Which categories there are, and in which order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, nearest
from reportgen.campaign import DistanceMatrix, Task
from reportgen.readers import EMPTY_SET, Codes, as_set, members_of
from reportgen.units.labels import Mask, ranges
from reportgen.units.unit_sets import LayerSettings

NUMERIC_SCALES = ("interval", "ratio")
# Squares of differences, and sums of them over all units, stay finite.
LARGEST = 1e100
# Distances between more categories than these take gigabytes, and minutes; Python has them as squares.
MOST_APART = 5_000
ROUND = "Round the numbers: fewer digits hardly change a figure."
FEWER = {
    "set": "Compare a part of the units.",
    "ordinal": 'Set scale to "nominal" if their order says nothing, or join some of them.',
    "interval": ROUND,
    "ratio": ROUND,
}
INVENTORY = (
    "Leave those that nobody chose out of categories, and write how many there are: category_count = {}."
)


def order_categories(labels: Sequence[str], task: Task, file: str, *, ordered: bool) -> tuple[str, ...]:
    """Return the declared categories in declared order, then those that occur, the non-annotated one last.

    Those that occur are in the order of the export where it has one (the columns of a matrix), else
    numbers by value and then words, so that the order of the rows never matters; `ordered` says that
    `labels` are in such an order. The non-annotated
    category is there only where the export or the declaration names it. On an ordinal scale an
    order that is neither declared, nor the export's, nor numeric is refused, on an interval or ratio
    scale every category that is not a number, on a ratio scale every one below zero. So are too many on any
    scale that has distances.
    """
    declared = [name for name in task.categories if name != task.non_annotated]
    known = {*declared, task.non_annotated}
    undeclared = [name for name in labels if name not in known]
    occurring = undeclared if ordered else natural_order(undeclared)
    if task.scale not in {"nominal", "set"}:
        _require_few(len(declared) + len(occurring), task, file)
    if task.scale in NUMERIC_SCALES:
        _require_numbers((*declared, *occurring), task.scale, file)
    if task.scale == "ordinal":
        names = (*declared, *occurring)
        follows = [name for name in labels if name in names] == [name for name in names if name in labels]
        _require_order(declared, occurring, file, ordered=ordered and follows)
    names_absent = task.non_annotated is not None and task.non_annotated in {*task.categories, *labels}
    last = [str(task.non_annotated)] if names_absent else []
    return (*declared, *occurring, *last)


def _require_few(categories: int, task: Task, file: str) -> None:
    """See that distances between all categories can be computed, declared ones and those that occur."""
    if categories <= MOST_APART:
        return
    message = (
        f'there are {categories:,} categories, and scale = "{task.scale}" compares every two of them: '
        f"{MOST_APART:,} are the most."
    )
    listed = task.scale == "set" and 2 * len(task.categories) > categories
    remedy = INVENTORY.format(categories) if listed else FEWER[task.scale]
    raise BadInput([Problem(file, 0, "task.categories", message, remedy)])


def _require_numbers(names: Sequence[str], scale: str, file: str) -> None:
    words = [name for name in names if number(name) is None]
    if words:
        message = f"on {scale} scales every category is a number, and {_shown(words)} is none."
        remedy = 'Set scale to "ordinal" or "nominal", or list what is not a rating under missing.'
        raise BadInput([Problem(file, 0, "task.scale", message, remedy)])
    negative = [name for name in names if (number(name) or 0.0) < 0]
    if scale == "ratio" and negative:
        message = f"ratio scales start at zero, and {_shown(negative)} is below it."
        raise BadInput([Problem(file, 0, "task.scale", message, 'Set scale to "interval".')])


def _require_order(declared: Sequence[str], occurring: Sequence[str], file: str, *, ordered: bool) -> None:
    """See that the place of every category in the order is known.

    It is where the export has the whole order (`ordered`), where nothing occurs that is not declared, and
    where all are numbers in rising order.
    """
    values = [number(name) for name in (*declared, *occurring)]
    numbers = [value for value in values if value is not None]
    rising = len(numbers) == len(values) and numbers == sorted(numbers)
    if ordered or rising or not occurring:
        return
    lost = occurring if declared else [name for name in occurring if number(name) is None]
    message = f"the scale is ordinal and the place of {_shown(lost)} in its order is not declared."
    remedy = "List every category in order under categories."
    raise BadInput([Problem(file, 0, "task.categories", message, remedy)])


def _shown(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names[:5])


def number(name: str) -> float | None:
    """Return the number that a category's name is, None where it is a word or too large to square."""
    try:
        value = float(name)
    except ValueError:
        return None
    return value if abs(value) <= LARGEST else None


def natural_order(names: Iterable[str]) -> list[str]:
    """Return names in an order of their own: numbers by value, then words by code point."""

    def rank(name: str) -> tuple[bool, float, str]:
        value = number(name)
        return (value is None, value or 0.0, name)

    return sorted(names, key=rank)


def category_codes(labels: Sequence[str], categories: Sequence[str]) -> Codes:
    """Return for each label of the export the code of its category."""
    places = {name: code for code, name in enumerate(categories)}
    return np.array([places[label] for label in labels], dtype=np.int64)


def unknown_to_distances(
    labels: Sequence[Sequence[str]], tasks: Sequence[Task], tables: Sequence[tuple[DistanceMatrix, str]]
) -> list[Problem]:
    """Return a problem for each category that a distance table of its layer does not know.

    `labels` are those of each layer's export, `tables` come with the name of their file. A table belongs
    to the layers of which it knows any category; one that belongs to none is compared with all of them.
    """
    layers = [
        dict.fromkeys((*task.categories, *occurring, *filter(None, [task.non_annotated])))
        for occurring, task in zip(labels, tasks, strict=True)
    ]
    problems: list[Problem] = []
    for table, file in tables:
        placed = [name for name in table.categories if not table.origin or name not in table.origin.unplaced]
        of_table = [used for used in layers if not used.keys().isdisjoint(placed)] or layers
        missing = dict.fromkeys(name for used in of_table for name in used if name not in table.categories)
        problems.extend(_unknown(table, file, name) for name in missing)
    return problems


def _unknown(table: DistanceMatrix, file: str, name: str) -> Problem:
    message = f'does not know the category "{name}" of the campaign.'
    remedy = "Add a row and a column for it, or correct its name."
    if table.origin:
        ambiguous = name in table.concepts
        message = f'has several concepts called "{name}".' if ambiguous else message
        near = "" if ambiguous else nearest(name, table.concepts)
        remedy = near or "Give one concept this very name."
    return Problem(file, message=message, remedy=remedy)


# Labels that are sets: what an annotator gave a unit, taken together, and the members of each category.

Members = frozenset[str]

NOTHING: Members = frozenset()


def is_of_sets(request: LayerSettings) -> bool:
    """Say whether labels are sets, so that all that an annotator gave a unit are one."""
    return request.task.scale == "set"


def are_sets(labels: Sequence[str], request: LayerSettings) -> bool:
    """Say whether several labels of an annotator on a unit are a set, so that each is judged by itself.

    They are not where the campaign says which label counts, or declares one of their combinations as a
    category; on ordered scales a unit has one label.
    """
    task = request.task
    known = {*labels, *task.categories}
    parts = (name.split(request.separator) for name in task.categories)
    combines = any(len(names) > 1 and known.issuperset(names) for names in parts)
    return task.scale == "nominal" and not task.priority and not combines


def unions(group: Codes, label: Codes, members: Sequence[Members]) -> tuple[Codes, list[Members]]:
    """Return the code of each group's set, and the sets: all members of a group's labels.

    `group` and `label` (links,) say which label is in which group, groups being numbered from 0 without a
    gap; `members` are those of each label.
    """
    names = natural_order({name for label_members in members for name in label_members})
    groups = int(group.max(initial=-1)) + 1
    # Each group with each member of each of its labels, as codes of `names`.
    code_of = {name: code for code, name in enumerate(names)}
    flat = np.array([code_of[name] for label_members in members for name in label_members], dtype=np.int64)
    sizes = np.array([len(label_members) for label_members in members], dtype=np.int64)
    ends = np.cumsum(sizes)
    row, member = ranges((ends - sizes)[label], ends[label])
    rows = np.unique(np.stack([group[row], flat[member]], axis=1), axis=0)
    codes, sets = _numbered_sets(rows[:, 1], np.bincount(rows[:, 0], minlength=groups))
    return codes, [frozenset(names[code] for code in codes_of_set) for codes_of_set in sets]


def _numbered_sets(codes: Codes, sizes: Codes) -> tuple[Codes, list[tuple[int, ...]]]:
    """Return the number of each group's set, and the sets: `codes` has groups of `sizes` one after another.

    Sets grow by a member at a time, so that equal ones meet; the codes of a group rise.
    """
    starts = np.cumsum(sizes) - sizes
    sets: list[tuple[int, ...]] = [()]
    number = np.zeros(len(sizes), dtype=np.int64)
    for position in range(int(sizes.max(initial=0))):
        larger = np.flatnonzero(sizes > position)
        pairs = np.stack([number[larger], codes[starts[larger] + position]], axis=1)
        extended, which = np.unique(pairs, axis=0, return_inverse=True)
        number[larger] = len(sets) + which.reshape(-1)
        sets += [(*sets[smaller], member) for smaller, member in extended.tolist()]
    used, number = np.unique(number, return_inverse=True)
    return number, [sets[set_code] for set_code in used.tolist()]


def members(labels: Sequence[str], request: LayerSettings) -> list[Members]:
    """Return the members of each label; the non-annotated category is the empty set."""
    absent = request.task.non_annotated
    return [NOTHING if label == absent else members_of(label) for label in labels]


def empty_name(request: LayerSettings) -> str:
    """Return what the empty set is called: as the non-annotated category, where that has a name."""
    return request.task.non_annotated or EMPTY_SET


def named(sets: Sequence[Members], labels: Sequence[str], request: LayerSettings) -> tuple[str, ...]:
    """Return a name for each set: a declared category's, else a label's, else its members joined.

    A set has one name whatever its labels are called, and no two sets have the same.
    """
    names: dict[Members, str] = {NOTHING: empty_name(request)}
    for category, label_members in zip(request.task.categories, declared(request), strict=True):
        names.setdefault(label_members, category)
    for label, label_members in zip(labels, members(labels, request), strict=True):
        names.setdefault(label_members, str(label))
    set_of_name = {name: category_set for category_set, name in names.items()}
    for label_members in sets:
        if label_members not in names:
            name = request.separator.join(natural_order(label_members))
            while name in set_of_name:
                name = f"{{{name}}}"
            names[label_members] = name
            set_of_name[name] = label_members
    return tuple(names[category_set] for category_set in sets)


def declared(request: LayerSettings) -> list[Members]:
    """Return the members of each declared category."""
    names = request.task.categories
    return members([as_set(name, request.separator) for name in names] if request.split else names, request)


def of_categories(
    categories: Sequence[str], used_sets: Mapping[str, Members], request: LayerSettings
) -> tuple[Members, ...] | None:
    """Return the members of each category, None where the scale has no sets.

    `used_sets` has the sets in use by name. Raises BadInput where the task's category_count is below the
    number of members that are declared or used.
    """
    if not is_of_sets(request):
        return None
    named_so = {
        **dict(zip(request.task.categories, declared(request), strict=True)),
        **used_sets,
        empty_name(request): NOTHING,
    }
    sets = tuple(named_so.get(name, members_of(name)) for name in categories)
    _require_few(len(sets), request.task, request.file)
    declared_so, used_count = request.task.category_count, len(frozenset[str]().union(*sets))
    if declared_so is not None and declared_so < used_count:
        message = f"is {declared_so:,}, and {used_count:,} different categories are declared or used."
        remedy = "Count the whole inventory."
        raise BadInput([request.problem("task.category_count", message, remedy)])
    return sets


# One label where several marks of an annotator are on a unit: their set, or the first in priority.

ORDERED_SCALES = ("ordinal", "interval", "ratio")


@dataclass(frozen=True, eq=False)
class SingleLabels:
    """Units with one label of each annotator who marked them.

    - `unit`, `person`, `label` (ratings,), sorted by unit and person; `labels` are the names.
    - `counts` (links,): whether a mark's label is, or is part of, the one that counts.
    - `multiple`: on how many units an annotator had more than one label.
    - `sets`: on a scale of sets the members of each of `labels`, by its name.
    """

    unit: Codes
    person: Codes
    label: Codes
    labels: tuple[str, ...]
    counts: Mask
    multiple: int
    sets: Mapping[str, Members] = field(default_factory=dict)


def one_label_each(
    unit: Codes, person: Codes, label: Codes, labels: Sequence[str], request: LayerSettings
) -> SingleLabels:
    """Return the label of each annotator on each unit that they marked.

    `unit`, `person` and `label` (links,) say what is where. Where an annotator has several labels on a
    unit, the first in the task's `priority` counts; without a priority, and on a scale of sets, they
    are one set, written with the separator. Raises BadInput for several on an ordered scale without
    priority.
    """
    if is_of_sets(request):
        return _one_set_each(unit, person, label, labels, request)
    task = request.task
    choose = bool(task.priority)
    # The rank of each label: its place in the priority, then by name.
    listed = [name for name in (task.priority if choose else ()) if name in labels]
    ranked = [*listed, *(name for name in natural_order(labels) if name not in listed)]
    rank_of = {name: rank for rank, name in enumerate(ranked)}
    order = np.array([rank_of[name] for name in labels], dtype=np.int64)
    rows, first = np.unique(np.stack([unit, person, order[label]], axis=1), axis=0, return_inverse=True)
    starts = np.flatnonzero(np.any(np.diff(rows[:, :2], axis=0, prepend=-1) != 0, axis=1))
    sizes = np.diff(np.append(starts, len(rows)))
    multiple = int((sizes > 1).sum())
    if multiple and not choose and task.scale in ORDERED_SCALES:
        message = (
            f"on {task.scale} scales a unit has one label, and {multiple:,} have several of one annotator."
        )
        remedy = "Say which label counts with priority."
        raise BadInput([request.problem("task.priority", message, remedy)])
    names = [labels[code] for code in np.argsort(order).tolist()]
    unit_and_person = rows[starts, 0], rows[starts, 1]
    if choose:
        winners = np.zeros(len(rows), dtype=np.bool_)
        winners[starts] = True
        counts = winners[first.reshape(-1)]
        return SingleLabels(*unit_and_person, rows[starts, 2], tuple(names), counts, multiple)
    codes, sets = _numbered_sets(rows[:, 2], sizes)
    joined = tuple(request.separator.join(names[code] for code in codes_of_set) for codes_of_set in sets)
    return SingleLabels(*unit_and_person, codes, joined, np.ones(len(unit), dtype=np.bool_), multiple)


def _one_set_each(
    unit: Codes, person: Codes, label: Codes, labels: Sequence[str], request: LayerSettings
) -> SingleLabels:
    """Return the set of each annotator on each unit: all members of their labels there, each once."""
    unit_and_person, group = np.unique(np.stack([unit, person], axis=1), axis=0, return_inverse=True)
    group = group.reshape(-1)
    distinct = np.unique(np.stack([group, label], axis=1), axis=0)[:, 0]
    multiple = int((np.bincount(distinct, minlength=len(unit_and_person)) > 1).sum())
    codes, sets = unions(group, label, members(labels, request))
    names = named(sets, labels, request)
    every_mark = np.ones(len(unit), dtype=np.bool_)
    of_names = dict(zip(names, sets, strict=True))
    units, persons = unit_and_person.T
    return SingleLabels(units, persons, codes, names, every_mark, multiple, of_names)
