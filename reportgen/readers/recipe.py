"""What each column of a table is where it is read in one way, and why: what it depends on says it."""

from collections.abc import Collection, Mapping

from reportgen.base.dataclass import dataclass
from reportgen.readers.beside_labels import kind_of
from reportgen.readers.reader import COMMENTS, CONFIDENCE, FURTHER, TIMES, is_model, is_reference
from reportgen.readers.table_shapes import Column, Shape, TableColumns, counts_rows, share_labels

# What a column is that is read; files may be annotators or documents too.
USED = ("unit", "annotator", "person", "label", "document", "pass", "question")
# Of more columns comparing each with each takes long.
MOST_COMPARED = 40
EMPTY, UNEXPLAINED = "empty", "unexplained"
OF_KIND = {TIMES: "time", COMMENTS: "comment", CONFIDENCE: "confidence"}


@dataclass(frozen=True)
class ColumnRole:
    """What a column is, and why.

    `role` is one of USED; of what is not read it is "empty", "constant", "number" (of rows), "time",
    "comment", "confidence", "text", "unit attribute", "annotator attribute", "reference", "model", or
    "unexplained", or, where somebody said so, "left out".
    """

    role: str
    why: str


# What somebody said of columns that nothing determines.
FREE = (UNEXPLAINED, "left out")
LEFT_OUT = ColumnRole("left out", "somebody said that it is not read")


def column_roles(columns: TableColumns, shape: Shape) -> dict[str, ColumnRole]:
    """Return what each column is where a table has a shape."""
    used = roles_read(shape)
    return {
        name: ColumnRole(used[name], _why_read(columns, shape, name, used[name]))
        if name in used
        else _beside(columns, shape, column)
        for name, column in columns.all.items()
    }


def roles_read(shape: Shape) -> dict[str, str]:
    """Return the columns that are read, and what each is."""
    of_labels = "label" if shape.is_long or shape.indicators or shape.grid else "person"
    single = {"annotator": shape.annotator, "document": shape.document, "pass": shape.turn}
    single["question"] = shape.question
    roles = dict.fromkeys(shape.labels, of_labels) | dict.fromkeys(shape.units, "unit")
    return roles | {name: role for role, name in single.items() if name}


def _why_read(columns: TableColumns, shape: Shape, name: str, role: str) -> str:
    """Return why a column is read as what it is."""
    column = columns[name]
    if role == "document" and columns.follows(name, [unit for unit in shape.units if unit in columns.all]):
        return "each unit is in one"
    if role in ("unit", "document"):
        single = (shape.document, shape.annotator, shape.turn, shape.question)
        whole = [other for other in (*shape.units, *single) if other in columns.all]
        others = " and ".join(f'"{other}"' for other in whole if other != name)
        recurs = (
            f"with {others} it names each row" if others and columns.is_key(whole) else "its values recur"
        )
        return "another value in each row" if column.is_unique else recurs
    if role == "person":
        alike = _shares_labels(columns, shape, column)
        return "has the labels of another such column" if alike else "named as an annotator"
    if role == "label":
        return "differs between annotators of a unit" if shape.annotator else "named as a label"
    if role == "annotator":
        return f"{column.distinct} values, each with several units"
    return f"{column.distinct} values, each of which most units have"


def _shares_labels(columns: TableColumns, shape: Shape, column: Column) -> bool:
    """Say whether a column has the labels of one of the first other columns of labels."""
    others = (columns[name] for name in shape.labels[:MOST_COMPARED] if name in columns.all)
    return any(share_labels(column, other) for other in others if other is not column)


def _beside(columns: TableColumns, shape: Shape, column: Column) -> ColumnRole:
    """Return what a column is that is not read: the first that holds."""
    kind, determined = kind_of(column.name), None
    is_constant = column.distinct == 1 and column.share == 1
    is_number = column.numbers is not None and counts_rows(column)
    if column.filled and not is_constant:
        determined = _determined(columns, shape, column)
    ways = (
        (not column.filled, EMPTY, "no cell is filled"),
        (is_constant, "constant", "one value in all rows"),
        (is_reference(column.name), "reference", "called like a reference"),
        (is_model(column.name), "model", "called like a model"),
        (is_number, "number", "numbers the rows"),
        (column.is_date, "time", "dates, times or addresses"),
        (kind != FURTHER, OF_KIND.get(kind, ""), f"called like {kind}"),
        (determined is not None, *(determined or ("", ""))),
        (column.is_text or column.is_free, "text", "another text in nearly each row"),
        (column.is_unique, "number", "another value in each row"),
        (True, UNEXPLAINED, "no other column determines it, and it is none of the labels"),
    )
    return next(ColumnRole(role, why) for holds, role, why in ways if holds)


def _determined(columns: TableColumns, shape: Shape, column: Column) -> tuple[str, str] | None:
    """Return what a column is that follows from units or annotators, None where it follows from neither.

    Where each row is a unit everything follows from it; what has the labels of annotators may be one.
    """
    units = [name for name in (*shape.units, shape.document) if name in columns.all]
    annotator = shape.annotator if shape.annotator in columns.all else None
    if annotator and columns.follows(column.name, [annotator]):
        return "annotator attribute", f'one value for each "{annotator}"'
    if annotator is None:
        is_label = column.may_be_label() and _shares_labels(columns, shape, column)
        return None if is_label else ("unit attribute", "one value for each row, and not the labels")
    if units and columns.follows(column.name, units):
        names = " + ".join(units)
        return "unit attribute", f'one value for each "{names}"'
    return None


def no_longer(
    said: Mapping[str, str], columns: TableColumns, shape: Shape, read: Collection[str]
) -> dict[str, str]:
    """Return the columns that are no longer what was said of them, each with what is the matter.

    Columns that are `read` are no news; what follows from units or annotators has to follow still.
    """
    found = column_roles(columns, shape)
    now = {
        name: f"is no longer {said[name]}: {own.why}" if name in said else f"is new: {own.why}"
        for name, own in found.items()
        if own.role not in (*USED, EMPTY)
        and name not in read
        and (own.role == UNEXPLAINED and said[name] not in FREE if name in said else True)
    }
    return {name: "is not there any more" for name in said if name not in found} | now
