"""Which categories there are, and in which order."""

from collections.abc import Iterable, Sequence

from reportgen.campaign import DistanceTable, Task
from reportgen.errors import BadInput, Problem
from reportgen.formats import Ratings

ORDERED_SCALES = ("ordinal", "interval", "ratio")
NUMERIC_SCALES = ("interval", "ratio")


def order_categories(ratings: Ratings, task: Task, file: str) -> tuple[str, ...]:
    """Return the declared categories in declared order, then those that occur, the non-annotated one last.

    Those that occur stand in the order of the export where it has one (the columns of a matrix), else
    numbers by value and then words, so that the order of the rows never matters. The non-annotated
    category stands there only where the export or the declaration names it. On an ordinal scale an
    order that is neither declared, nor the export's, nor numeric is refused, on an interval or ratio
    scale every category that is not a number.
    """
    declared = [name for name in task.categories if name != task.non_annotated]
    found = [name for name in ratings.labels if name not in declared and name != task.non_annotated]
    _check_scale(declared, found, task.scale, file, ordered=ratings.ordered)
    occurring = found if ratings.ordered else natural_order(found)
    known = task.non_annotated is not None and task.non_annotated in {*task.categories, *ratings.labels}
    last = [str(task.non_annotated)] if known else []
    return (*declared, *occurring, *last)


def _check_scale(declared: list[str], found: list[str], scale: str, file: str, *, ordered: bool) -> None:
    if scale not in ORDERED_SCALES:
        return
    has_order = scale == "ordinal" and ordered
    suspects = [] if has_order else found
    if scale in NUMERIC_SCALES:
        suspects = declared + found
    words = [name for name in suspects if number(name) is None]
    if words:
        raise BadInput([_not_ordered(scale, words, file)])


def _not_ordered(scale: str, words: list[str], file: str) -> Problem:
    shown = ", ".join(f'"{word}"' for word in words[:5])
    if scale in NUMERIC_SCALES:
        return Problem(
            file,
            key="task.scale",
            message=f"on {scale} scales every category is a number, and {shown} is none.",
            mend='Set scale to "ordinal" or "nominal", or list what is no rating under missing.',
        )
    return Problem(
        file,
        key="task.categories",
        message=f"the scale is ordinal and the place of {shown} in its order is not declared.",
        mend="List every category in order under categories.",
    )


def number(name: str) -> float | None:
    """Return the number that a category's name is, None where it is a word, infinite or no number."""
    try:
        value = float(name)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


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
    """Return a problem for each category, of any layer, that a distance table does not know.

    `labels` are those of each layer's export, `tables` come with the name of their file.
    """
    used = dict.fromkeys(
        name
        for found, task in zip(labels, tasks, strict=True)
        for name in (*task.categories, *found, *([task.non_annotated] if task.non_annotated else []))
    )
    return [
        Problem(
            file,
            message=f'does not know the category "{name}" of the campaign.',
            mend="Add a row and a column for it, or correct its name.",
        )
        for table, file in tables
        for name in used
        if name not in table.categories
    ]
