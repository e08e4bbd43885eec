"""How ratings tables were understood: what is said of it, and whether there is anything to compare."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.errors import BadInput
from reportgen.formats.labels import as_set
from reportgen.formats.naming import named_by_path
from reportgen.formats.reader import ReadOptions, require_annotators
from reportgen.formats.tabular.layout import TWO_SHAPES, Layout
from reportgen.formats.tabular.tables import Table

READINGS_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Understood:
    """A table, what its columns are, and who has a column or a row, in the order of the file."""

    table: Table
    layout: Layout
    annotators: Sequence[str]


def said_by_path(table: Table, options: ReadOptions) -> tuple[dict[str, str], dict[str, str]]:
    """Return the columns that a table gets for what its path says, and which column is what then.

    They are called "{annotator}" and so on, and a column that the options name goes before them.
    """
    if options.path is None:
        return {}, dict(options.columns)
    (names,) = named_by_path([table.file], options.path)
    said = {"annotator": names.annotator, "document": names.document, "pass": names.turn}
    new = {role: value for role, value in said.items() if f"{{{role}}}" in options.path}
    columns = {role: f"{{{role}}}" for role in new} | dict(options.columns)
    return {f"{{{role}}}": value for role, value in new.items()}, columns


def require_comparable(found: Sequence[Understood], options: ReadOptions) -> None:
    """Raise BadInput where tables have a single annotator, or one is asked for who is not there."""
    names = list(dict.fromkeys(name for each in found for name in each.annotators))
    if len(names) < 2 and all(each.layout.label is None for each in found):  # noqa: PLR2004 - a pair
        table = found[0].table
        message = f"{names[0]} is the only column of labels: two annotators are needed."
        raise BadInput([table.problem(table.lines[0], "", message, TWO_SHAPES)])
    require_annotators(options.annotators or (), names)


def set_names(labels: Sequence[str], options: ReadOptions) -> tuple[str, ...]:
    """Return labels that know their members, where a separator says that they are sets."""
    separator = options.set_separator
    if separator is None:
        return tuple(map(str, labels))
    return tuple(as_set(label, separator) for label in labels)


def reading_of(found: Sequence[Understood], options: ReadOptions) -> str:
    """Return one sentence where all files were understood in one way, else one for each of the first ways.

    It names no annotator and no file, which may be called like one: a report may have to hide who they are.
    """
    said = Counter(_understood(each, options) for each in found)
    if len(said) == 1:
        return next(iter(said))
    sentences = [f"{count} file{'s' if count > 1 else ''}: {text}" for text, count in said.items()]
    more = sum(list(said.values())[READINGS_SHOWN:])
    rest = [f"And {more} more file{'s' if more > 1 else ''}."] if more else []
    return " ".join([*sentences[:READINGS_SHOWN], *rest])


def _understood(each: Understood, options: ReadOptions) -> str:
    parts = _long_parts(each) if each.layout.label is not None else _wide_parts(each)
    for column, what in ((each.layout.document, "documents"), (each.layout.passes, "passes")):
        if column is not None:
            parts.append(f"{what} in {each.table.header[column]}")
    sets = f"labels are sets separated by {options.set_separator}; " if options.set_separator else ""
    kind = "Wide" if each.layout.label is None else "Long"
    return f"{kind} table: {', '.join(parts)}; {sets}{each.table.written}."


def _long_parts(each: Understood) -> list[str]:
    header, layout = each.table.header, each.layout
    return [
        f"units in column {header[layout.unit or 0]}",
        f"annotators in {header[layout.annotators[0]]}",
        f"labels in {header[layout.label or 0]}",
    ]


def _wide_parts(each: Understood) -> list[str]:
    header, layout = each.table.header, each.layout
    units = "each row is a unit"
    if layout.unit is not None:
        units = (
            f"units in column {header[layout.unit]}" if header[layout.unit] else "units in the first column"
        )
    count = len(each.annotators)
    whose = f"{count} columns of labels, one for each annotator" if count > 1 else "one column of labels"
    return [units, whose]
