"""Which categories there are, and in which order."""

from collections.abc import Iterable, Sequence

from reportgen.campaign import DistanceTable, Task
from reportgen.errors import BadInput, Problem, did_you_mean

NUMERIC_SCALES = ("interval", "ratio")
# Squares of differences, and sums of them over all units, stay finite.
LARGEST = 1e100


def order_categories(labels: Sequence[str], task: Task, file: str, *, ordered: bool) -> tuple[str, ...]:
    """Return the declared categories in declared order, then those that occur, the non-annotated one last.

    Those that occur stand in the order of the export where it has one (the columns of a matrix), else
    numbers by value and then words, so that the order of the rows never matters; `ordered` says that
    `labels` stand in such an order. The non-annotated
    category stands there only where the export or the declaration names it. On an ordinal scale an
    order that is neither declared, nor the export's, nor numeric is refused, on an interval or ratio
    scale every category that is not a number, on a ratio scale every one below zero.
    """
    declared = [name for name in task.categories if name != task.non_annotated]
    found = [name for name in labels if name not in declared and name != task.non_annotated]
    occurring = found if ordered else natural_order(found)
    if task.scale in NUMERIC_SCALES:
        _require_numbers((*declared, *occurring), task.scale, file)
    if task.scale == "ordinal":
        follows = ordered and _follows(labels, (*declared, *occurring))
        _require_order(declared, occurring, file, ordered=follows)
    known = task.non_annotated is not None and task.non_annotated in {*task.categories, *labels}
    last = [str(task.non_annotated)] if known else []
    return (*declared, *occurring, *last)


def _follows(labels: Sequence[str], names: Sequence[str]) -> bool:
    """Tell whether the names stand in the order of the labels."""
    present = [name for name in labels if name in names]
    return present == [name for name in names if name in labels]


def _require_numbers(names: Sequence[str], scale: str, file: str) -> None:
    words = [name for name in names if number(name) is None]
    if words:
        problem = Problem(
            file,
            key="task.scale",
            message=f"on {scale} scales every category is a number, and {_shown(words)} is none.",
            mend='Set scale to "ordinal" or "nominal", or list what is no rating under missing.',
        )
        raise BadInput([problem])
    negative = [name for name in names if (number(name) or 0.0) < 0]
    if scale == "ratio" and negative:
        problem = Problem(
            file,
            key="task.scale",
            message=f"ratio scales start at zero, and {_shown(negative)} is below it.",
            mend='Set scale to "interval".',
        )
        raise BadInput([problem])


def _require_order(declared: Sequence[str], occurring: Sequence[str], file: str, *, ordered: bool) -> None:
    """See that the place of every category in the order is known.

    It is where the export has the whole order (`ordered`), where nothing occurs that is not declared, and
    where all are numbers in rising order.
    """
    values = [number(name) for name in (*declared, *occurring)]
    known = [value for value in values if value is not None]
    rising = len(known) == len(values) and known == sorted(known)
    if ordered or rising or not occurring:
        return
    lost = occurring if declared else [name for name in occurring if number(name) is None]
    problem = Problem(
        file,
        key="task.categories",
        message=f"the scale is ordinal and the place of {_shown(lost)} in its order is not declared.",
        mend="List every category in order under categories.",
    )
    raise BadInput([problem])


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

    def place(name: str) -> tuple[bool, float, str]:
        value = number(name)
        return (value is None, value or 0.0, name)

    return sorted(names, key=place)


def category_codes(labels: Sequence[str], categories: Sequence[str]) -> list[int]:
    """Return for each label of the export the code of its category."""
    places = {name: code for code, name in enumerate(categories)}
    return [places[label] for label in labels]


def unknown_to_distances(
    labels: Sequence[Sequence[str]], tasks: Sequence[Task], tables: Sequence[tuple[DistanceTable, str]]
) -> list[Problem]:
    """Return a problem for each category that a distance table of its layer does not know.

    `labels` are those of each layer's export, `tables` come with the name of their file. A table belongs
    to the layers of which it knows any category; one that belongs to none is held against all of them.
    """
    layers = [_used(found, task) for found, task in zip(labels, tasks, strict=True)]
    problems: list[Problem] = []
    for table, file in tables:
        placed = [name for name in table.categories if not table.origin or name not in table.origin.unplaced]
        own = [used for used in layers if not used.keys().isdisjoint(placed)] or layers
        missing = dict.fromkeys(name for used in own for name in used if name not in table.categories)
        problems.extend(_unknown(table, file, name) for name in missing)
    return problems


def _used(labels: Sequence[str], task: Task) -> dict[str, None]:
    last = [task.non_annotated] if task.non_annotated else []
    return dict.fromkeys((*task.categories, *labels, *last))


def _unknown(table: DistanceTable, file: str, name: str) -> Problem:
    message = f'does not know the category "{name}" of the campaign.'
    mend = "Add a row and a column for it, or correct its name."
    if table.origin:
        near = did_you_mean(name, table.origin.names)
        several = list(table.origin.names).count(name) > 0
        message = f'has several concepts called "{name}".' if several else message
        mend = near if near.startswith("Did") and not several else "Give one concept this very name."
    return Problem(file, message=message, mend=mend)
