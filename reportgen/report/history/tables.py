"""A history's tables: those of the page, and in full as CSV."""

from collections.abc import Iterator, Sequence

from reportgen.report import numbers
from reportgen.report.history import series
from reportgen.report.history.words import moved, signed
from reportgen.report.language import _, date, edition, say
from reportgen.report.names import as_heading
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Figure
from reportgen.results.history import History, Move, Step, VersionState

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


def versions(history: History) -> Table:
    """Return the versions, the newest first, with the first layer's coefficient and its last move."""
    names = {each.first.name for each in history.versions}
    one = as_heading(names.pop()) if len(names) == 1 else ""
    steps = bool(history.steps)
    columns = (
        Column("version", _("Guidelines")),
        Column("date", _("Date")),
        Column("annotators", _("Annotators"), "count"),
        Column("documents", _("Documents"), "count"),
        Column("units", _("Units"), "count"),
        *(() if one else (Column("coefficient", _("Coefficient")),)),
        Column("value", say("{name} [95% interval]", name=one or _("Value")), "estimate"),
        *((Column("change", _("Change from the version before")),) if steps else ()),
    )
    ordered = history.versions[::-1]
    rows = tuple(tuple(_version_row(history, each, named=not one)) for each in ordered)
    links = tuple(tuple(_version_links(history, each, len(columns))) for each in ordered)
    return Table("versions", "", columns, rows, file="versions.csv", links=links)


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


def layers(history: History) -> Table | None:
    """Return the coefficients of the layers behind the first; None where there is one layer."""
    others = history.layers[1:]
    if not others:
        return None
    columns = (
        Column("layer", _("Layer")),
        Column("name", _("Coefficient")),
        *(Column(each.version, each.version, "estimate") for each in _shown(history)),
        *((Column("change", _("Last change")),) if history.steps else ()),
    )
    rows = tuple(tuple(_layer_row(history, each)) for each in others)
    return Table("layers", _of_layers(history), columns, rows, file="versions.csv")


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


def _are_all(history: History) -> bool:
    """Tell whether a wide table shows every version."""
    return len(history.versions) <= FEW_VERSIONS


def _of_layers(history: History) -> str:
    if _are_all(history):
        return _("The other layers under guidelines:")
    return say(
        "The other layers under guidelines, of {count} versions the first and the last two:",
        count=numbers.count(len(history.versions)),
    )


def _of_categories(history: History) -> str:
    if _are_all(history):
        return _("Specific agreement [95% interval] under guidelines:")
    return say(
        "Specific agreement [95% interval] under guidelines, of {count} versions the first and the last two:",
        count=numbers.count(len(history.versions)),
    )


def _of_systems(history: History, what: str) -> str:
    if _are_all(history):
        return say("{what} [95% interval] under guidelines:", what=what)
    return say(
        "{what} [95% interval] under guidelines, of {count} versions the first and the last two:",
        what=what,
        count=numbers.count(len(history.versions)),
    )


def categories(history: History, layer: str) -> Table | None:
    """Return the specific agreement of a layer's categories; of many, where it is lowest."""
    places = [history.names.index(each.version) for each in _shown(history)]
    lines = _lowest([each for each in series.categories(history, layer) if _is_in(each, places)])
    if not lines:
        return None
    columns = (
        Column("category", _("Category")),
        *(Column(history.names[place], history.names[place], "estimate") for place in places),
        *((Column("change", _("Last change")),) if history.steps else ()),
    )
    rows = tuple(
        (line.label, *(line.points[place].figure for place in places), *_last_move(history, line))
        for line in lines
    )
    caption = _of_categories(history)
    return Table(f"categories-{layer}", caption, columns, rows, file="specific-agreement.csv")


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


def comparisons(history: History) -> Table | None:
    """Return which versions are compared, each cell the change with its link; None without comparisons."""
    if not history.comparisons:
        return None
    return _square(history) if len(history.versions) <= MOST_SQUARE else _pairs(history)


def _square(history: History) -> Table:
    found = {(each.first, each.second): each for each in history.comparisons}
    earlier, later = history.names[:-1], history.names[1:]
    froms = (Column(name, say("from {version}", version=name), "figure") for name in earlier)
    columns = (Column("second", _("Later")), *froms)
    linked = [[found.get((first, second)) for first in earlier] for second in later]
    rows = tuple(
        (second, *("" if each is None else _difference(each.move) for each in row))
        for second, row in zip(later, linked, strict=True)
    )
    links = tuple(
        (None, *(None if each is None else compare_href(each.first, each.second) for each in row))
        for row in linked
    )
    return Table("comparisons", "", columns, rows, file="comparisons.csv", links=links)


def _pairs(history: History) -> Table:
    columns = (
        Column("second", _("Later")),
        Column("first", _("Earlier")),
        Column("change", _("Change")),
    )
    listed = history.comparisons[::-1]
    rows = tuple((each.second, each.first, _difference(each.move)) for each in listed)
    links = tuple((None, None, compare_href(each.first, each.second)) for each in listed)
    return Table("comparisons", "", columns, rows, file="comparisons.csv", links=links)


def _difference(move: Move | None) -> str:
    if move is None:
        return _("nothing in common")
    return signed(move.difference) if move.difference is not None else _("undefined")


def systems(history: History, layer: str, lines: Sequence[series.Line], title: str) -> Table:
    """Return systems against the reference with human agreement beside, under the versions shown."""
    places = [history.names.index(each.version) for each in _shown(history)]
    humans = say("Annotators with each other ({version})", version=history.names[places[-1]])
    columns = (
        Column("system", _("System")),
        *(Column(history.names[place], history.names[place], "estimate") for place in places),
        Column("humans", humans, "estimate"),
    )
    rows = tuple(
        (
            line.label,
            *(line.points[place].figure for place in places),
            _human(line, places[-1]),
        )
        for line in lines
    )
    caption = _of_systems(history, title)
    return Table(f"systems-{layer}", caption, columns, rows, file="systems.csv")


def _human(line: series.Line, place: int) -> Figure | None:
    return line.points[place].beside
