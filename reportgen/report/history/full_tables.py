"""A history's tables in full, as their CSV files have them."""

from collections.abc import Iterator

from reportgen.report.tables import Cell, Column, Table
from reportgen.results.history import History, LayerState, Move, VersionState


def in_full(history: History) -> Iterator[Table]:
    """Yield every table of the history as its CSV has it; none that would be empty."""
    found = (
        _versions_in_full(history),
        _categories_in_full(history),
        _changes_in_full(history),
        _comparisons_in_full(history),
        _systems_in_full(history),
    )
    yield from (table for table in found if table.rows)


def _states(history: History) -> Iterator[tuple[VersionState, LayerState]]:
    for version in history.versions:
        for state in version.layers:
            yield version, state


def _versions_in_full(history: History) -> Table:
    columns = (
        *(Column(name, name) for name in ("version", "date", "layer", "unit_set")),
        *(Column(name, name, "count") for name in ("annotators", "documents", "units")),
        Column("coefficient", "coefficient"),
        Column("value", "value", "estimate"),
        Column("f_measure[strict]", "F", "estimate"),
    )
    rows = tuple(
        (
            version.version,
            version.date,
            state.layer,
            state.unit_set,
            len(state.annotators),
            state.documents,
            state.units,
            state.coefficient,
            state.figure,
            state.f_measure,
        )
        for version, state in _states(history)
    )
    return Table("versions", "", columns, rows, file="versions.csv")


def _categories_in_full(history: History) -> Table:
    columns = (
        *(Column(name, name) for name in ("version", "layer", "category")),
        Column("specific_agreement", "specific agreement", "estimate"),
    )
    rows = tuple(
        (version.version, state.layer, name, state.specific_agreement[name])
        for version, state in _states(history)
        for name in state.categories
    )
    return Table("specific-agreement", "", columns, rows, file="specific-agreement.csv")


MOVE = (
    Column("basis", "basis"),
    Column("method", "method"),
    *(
        Column(name, name, "figure")
        for name in ("value_first", "value_second", "difference", "low", "high", "p")
    ),
    Column("untested", "untested"),
)


def _move_cells(move: Move) -> tuple[Cell, ...]:
    interval = move.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    values = (move.first, move.second, move.difference)
    return (move.basis, move.method, *values, *ends, move.p, move.untested)


def _changes_in_full(history: History) -> Table:
    names = ("first", "second", "layer", "figure", "category")
    columns = (*(Column(name, name) for name in names), *MOVE)
    rows = tuple(
        (step.first, step.second, layer.layer, move.figure, category, *_move_cells(move))
        for step in history.steps
        for layer in step.layers
        for category, move in (("", layer.coefficient), *layer.specific_agreement.items())
    )
    return Table("changes", "", columns, rows, file="changes.csv")


def _comparisons_in_full(history: History) -> Table:
    columns = (*(Column(name, name) for name in ("first", "second", "figure")), *MOVE)
    rows = tuple(
        (each.first, each.second, each.move.figure, *_move_cells(each.move))
        if each.move
        else (each.first, each.second, *[None] * (len(MOVE) + 1))
        for each in history.comparisons
    )
    return Table("comparisons", "", columns, rows, file="comparisons.csv")


def _systems_in_full(history: History) -> Table:
    names = ("version", "layer", "unit_set", "system", "role", "release", "key", "figure")
    columns = (
        *(Column(name, name) for name in names),
        Column("value", "value", "estimate"),
        Column("humans", "annotators with each other", "estimate"),
    )
    rows: list[tuple[Cell, ...]] = []
    for version, state in _states(history):
        for each in state.systems:
            who = (each.unit_set, each.system, each.role, each.release, each.key, each.figure)
            rows.append((version.version, state.layer, *who, each.value, each.humans))
    return Table("systems", "", columns, tuple(rows), file="systems.csv")
