"""A history's tables: those of the page, and in full as CSV."""

from collections.abc import Iterator, Sequence

from reportgen.figures import lines as series
from reportgen.report.history_words import moved
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.report.version_changes import signed
from reportgen.results import Figure
from reportgen.results.history import History, LayerState, Move, Step, VersionState
from reportgen.words import numbers
from reportgen.words.language import _, date, edition, say
from reportgen.words.names import as_heading

# With more versions than these, the page shows the first, the one before the newest, and the newest.
FEW_VERSIONS = 4
MOST_CATEGORIES = 40
# With more versions than these the comparisons are a list, not a matrix.
MOST_SQUARE = 12


def compare_href(first: str, second: str) -> str:
    """Return where the comparison of two versions stands, from the campaign's page in the same language."""
    return f"{edition().data}compare/{first}...{second}/{edition().folder}index.html"


def version_href(version: str) -> str:
    """Return where a version's report stands, from the campaign's page in the same language."""
    return f"{edition().data}{version}/{edition().folder}index.html"


# On the page


def versions(history: History) -> ReportTable:
    """Return the versions, the newest first, with the first layer's coefficient and its last move."""
    names = {each.first.name for each in history.versions}
    one = as_heading(names.pop()) if len(names) == 1 else ""
    steps = bool(history.steps)
    columns = (
        TableColumn("version", _("Guidelines")),
        TableColumn("date", _("Date")),
        TableColumn("annotators", _("Annotators"), "count"),
        TableColumn("documents", _("Documents"), "count"),
        TableColumn("units", _("Units"), "count"),
        *(() if one else (TableColumn("coefficient", _("Coefficient")),)),
        TableColumn("value", say("{name} [95% interval]", name=one or _("Value")), "estimate"),
        *((TableColumn("change", _("Change from the version before")),) if steps else ()),
    )
    ordered = history.versions[::-1]
    rows = tuple(tuple(_version_row(history, each, named=not one)) for each in ordered)
    links = tuple(tuple(_version_links(history, each, len(columns))) for each in ordered)
    return ReportTable("versions", "", columns, rows, file="versions.csv", links=links)


def _version_row(history: History, version: VersionState, *, named: bool) -> Iterator[Cell]:
    state, step = version.first, history.step_to(version.version)
    yield version.version
    yield date(version.date) if version.date else numbers.NONE
    yield len(state.annotators)
    yield state.documents or None
    yield state.units
    if named:
        yield as_heading(state.name)
    yield state.figure
    if history.steps:
        yield _change(step)


def _change(step: Step | None) -> str:
    if step is None:
        return numbers.NONE
    if step.primary is None:
        return _("nothing in common") if step.compared else _("not compared")
    move = step.primary.coefficient
    if move.p is not None or move.difference is None:
        return moved(move)
    return say("{change}, not tested", change=moved(move))


def _version_links(history: History, version: VersionState, width: int) -> Iterator[str | None]:
    yield version_href(version.version)
    yield from [None] * (width - 2)
    step = history.step_to(version.version)
    yield compare_href(step.first, step.second) if step and step.compared else None


def layers(history: History) -> ReportTable | None:
    """Return the coefficients of the layers behind the first; None where there is one layer."""
    others = history.layers[1:]
    if not others:
        return None
    columns = (
        TableColumn("layer", _("Layer")),
        TableColumn("name", _("Coefficient")),
        *(TableColumn(each.version, each.version, "estimate") for each in _shown(history)),
        *((TableColumn("change", _("Last change")),) if history.steps else ()),
    )
    rows = tuple(tuple(_layer_row(history, each)) for each in others)
    return ReportTable("layers", _under(history, _("The other layers")), columns, rows, file="versions.csv")


def _layer_row(history: History, layer: str) -> Iterator[Cell]:
    known = [state for version in history.versions if (state := version.layer(layer))]
    yield layer
    yield as_heading(known[-1].name)
    for version in _shown(history):
        state = version.layer(layer)
        yield state.figure if state else None
    if history.last_step:
        found = history.last_step.layer(layer)
        yield moved(found.coefficient) if found else numbers.NONE


def _shown(history: History) -> Sequence[VersionState]:
    """Return the versions that a wide table shows."""
    if len(history.versions) <= FEW_VERSIONS:
        return history.versions
    return (history.versions[0], *history.versions[-2:])


def _under(history: History, what: str) -> str:
    if len(history.versions) <= FEW_VERSIONS:
        return say("{what} [95% interval] under guidelines:", what=what)
    return say(
        "{what} [95% interval] under guidelines, of {count} versions the first and the last two:",
        what=what,
        count=numbers.count(len(history.versions)),
    )


def categories(history: History, layer: str) -> ReportTable | None:
    """Return the specific agreement of a layer's categories; of many, where it is lowest."""
    places = [history.names.index(each.version) for each in _shown(history)]
    lines = _lowest([each for each in series.categories(history, layer) if _is_in(each, places)])
    if not lines:
        return None
    columns = (
        TableColumn("category", _("Category")),
        *(TableColumn(history.names[place], history.names[place], "estimate") for place in places),
        *((TableColumn("change", _("Last change")),) if history.steps else ()),
    )
    rows = tuple(
        (line.label, *(line.points[place].figure for place in places), *_last_move(history, line))
        for line in lines
    )
    caption = _under(history, _("Specific agreement"))
    return ReportTable(f"categories-{layer}", caption, columns, rows, file="specific-agreement.csv")


def _is_in(line: series.Line, places: Sequence[int]) -> bool:
    """Tell whether a line has a figure, be it undefined, under one of some versions."""
    return any(line.points[place].figure is not None for place in places)


def _lowest(lines: Sequence[series.Line]) -> list[series.Line]:
    """Return the lines, of many those that end lowest, in their order."""

    def last(line: series.Line) -> float:
        return next((point.value for point in reversed(line.points) if point.value is not None), 2.0)

    chosen = {id(line) for line in sorted(lines, key=last)[:MOST_CATEGORIES]}
    return [line for line in lines if id(line) in chosen]


def _last_move(history: History, line: series.Line) -> Iterator[Cell]:
    if history.steps:
        yield moved(line.points[-1].move) if line.points[-1].move else numbers.NONE


def comparisons(history: History) -> ReportTable | None:
    """Return which versions are compared, each cell the change with its link; None without comparisons."""
    if not history.comparisons:
        return None
    return _square(history) if len(history.versions) <= MOST_SQUARE else _pairs(history)


def _square(history: History) -> ReportTable:
    found = {(each.first, each.second): each for each in history.comparisons}
    earlier, later = history.names[:-1], history.names[1:]
    froms = (TableColumn(name, say("from {version}", version=name), "figure") for name in earlier)
    columns = (TableColumn("second", _("Later")), *froms)
    linked = [[found.get((first, second)) for first in earlier] for second in later]
    rows = tuple(
        (second, *("" if each is None else _difference(each.move) for each in row))
        for second, row in zip(later, linked, strict=True)
    )
    links = tuple(
        (None, *(None if each is None else compare_href(each.first, each.second) for each in row))
        for row in linked
    )
    return ReportTable("comparisons", "", columns, rows, file="comparisons.csv", links=links)


def _pairs(history: History) -> ReportTable:
    columns = (
        TableColumn("second", _("Later")),
        TableColumn("first", _("Earlier")),
        TableColumn("change", _("Change")),
    )
    listed = history.comparisons[::-1]
    rows = tuple((each.second, each.first, _difference(each.move)) for each in listed)
    links = tuple((None, None, compare_href(each.first, each.second)) for each in listed)
    return ReportTable("comparisons", "", columns, rows, file="comparisons.csv", links=links)


def _difference(move: Move | None) -> str:
    if move is None:
        return _("nothing in common")
    return signed(move.difference) if move.difference is not None else _("undefined")


def systems(history: History, layer: str, lines: Sequence[series.Line], title: str) -> ReportTable:
    """Return systems against the reference with human agreement beside, under the versions shown."""
    places = [history.names.index(each.version) for each in _shown(history)]
    humans = say("Annotators with each other ({version})", version=history.names[places[-1]])
    columns = (
        TableColumn("system", _("System")),
        *(TableColumn(history.names[place], history.names[place], "estimate") for place in places),
        TableColumn("humans", humans, "estimate"),
    )
    rows = tuple(
        (
            line.label,
            *(line.points[place].figure for place in places),
            _human(line, places[-1]),
        )
        for line in lines
    )
    caption = _under(history, title)
    return ReportTable(f"systems-{layer}", caption, columns, rows, file="systems.csv")


def _human(line: series.Line, place: int) -> Figure | None:
    return line.points[place].beside


# A history's tables in full, as their CSV files have them.


def in_full(history: History) -> Iterator[ReportTable]:
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


def _versions_in_full(history: History) -> ReportTable:
    columns = (
        *(TableColumn(name, name) for name in ("version", "date", "layer", "unit_set")),
        *(TableColumn(name, name, "count") for name in ("annotators", "documents", "units")),
        TableColumn("coefficient", "coefficient"),
        TableColumn("value", "value", "estimate"),
        TableColumn("f_measure[strict]", "F", "estimate"),
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
    return ReportTable("versions", "", columns, rows, file="versions.csv")


def _categories_in_full(history: History) -> ReportTable:
    columns = (
        *(TableColumn(name, name) for name in ("version", "layer", "category")),
        TableColumn("specific_agreement", "specific agreement", "estimate"),
    )
    rows = tuple(
        (version.version, state.layer, name, state.specific_agreement[name])
        for version, state in _states(history)
        for name in state.categories
    )
    return ReportTable("specific-agreement", "", columns, rows, file="specific-agreement.csv")


MOVE = (
    TableColumn("basis", "basis"),
    TableColumn("method", "method"),
    *(
        TableColumn(name, name, "figure")
        for name in ("value_first", "value_second", "difference", "low", "high", "p")
    ),
    TableColumn("untested", "untested"),
)


def _move_cells(move: Move) -> tuple[Cell, ...]:
    interval = move.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    values = (move.first, move.second, move.difference)
    return (move.basis, move.method, *values, *ends, move.p, move.untested)


def _changes_in_full(history: History) -> ReportTable:
    names = ("first", "second", "layer", "figure", "category")
    columns = (*(TableColumn(name, name) for name in names), *MOVE)
    rows = tuple(
        (step.first, step.second, layer.layer, move.figure, category, *_move_cells(move))
        for step in history.steps
        for layer in step.layers
        for category, move in (("", layer.coefficient), *layer.specific_agreement.items())
    )
    return ReportTable("changes", "", columns, rows, file="changes.csv")


def _comparisons_in_full(history: History) -> ReportTable:
    columns = (*(TableColumn(name, name) for name in ("first", "second", "figure")), *MOVE)
    rows = tuple(
        (each.first, each.second, each.move.figure, *_move_cells(each.move))
        if each.move
        else (each.first, each.second, *[None] * (len(MOVE) + 1))
        for each in history.comparisons
    )
    return ReportTable("comparisons", "", columns, rows, file="comparisons.csv")


def _systems_in_full(history: History) -> ReportTable:
    names = ("version", "layer", "unit_set", "system", "role", "release", "key", "figure")
    columns = (
        *(TableColumn(name, name) for name in names),
        TableColumn("value", "value", "estimate"),
        TableColumn("humans", "annotators with each other", "estimate"),
    )
    rows: list[tuple[Cell, ...]] = []
    for version, state in _states(history):
        for each in state.systems:
            who = (each.unit_set, each.system, each.role, each.release, each.key, each.figure)
            rows.append((version.version, state.layer, *who, each.value, each.humans))
    return ReportTable("systems", "", columns, tuple(rows), file="systems.csv")
