"""A history's tables: those of the page, in full as CSV, and who and what is in which versions."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.figures.lines import Line
from reportgen.figures.versions import lines_of_categories
from reportgen.report.history_words import moved, version_span
from reportgen.report.tables import (
    Cell,
    ColumnOf,
    Kind,
    ReportTable,
    TableColumn,
    columns_of,
    plain,
    table_if,
    table_of,
)
from reportgen.report.version_changes import signed
from reportgen.results.history import ComparedPair, Group, History, LayerState, Move, Step, VersionState
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, edition, listed, say, say_many
from reportgen.words.names import as_heading
from reportgen.words.subjects import answer_name

# With more versions than these, the page shows the first, the one before the newest, and the newest.
FEW_VERSIONS = 4
MOST_CATEGORIES = 40
# With more versions than these the comparisons are a list, not a matrix.
MOST_SQUARE = 12


def compare_href(first: str, second: str) -> str:
    """Return where the comparison of two versions is, from the campaign's page in the same language."""
    return f"{edition().data}compare/{first}...{second}/{edition().folder}index.html"


def version_href(version: str) -> str:
    """Return where a version's report is, from the campaign's page in the same language."""
    return f"{edition().data}{version}/{edition().folder}index.html"


# On the page


def versions(history: History) -> ReportTable:
    """Return the versions, the newest first, with the first layer's coefficient and its last move."""
    names = {_heading(version.first) for version in history.versions}
    common_name = names.pop() if len(names) == 1 else ""
    table = table_of(
        "versions",
        "",
        history.versions[::-1],
        ("version", _("Guidelines"), "text", lambda version: version.version),
        ("date", _("Date"), "text", lambda version: date(version.date) if version.date else numbers.NONE),
        ("annotators", _("Annotators"), "count", lambda version: len(version.first.annotators)),
        (
            *("documents", _("Documents compared"), "count"),
            lambda version: _compared(version.first)[0] or None,
        ),
        ("units", _("Units compared"), "count", lambda version: _compared(version.first)[1]),
        None
        if common_name
        else ("coefficient", _("Coefficient"), "text", lambda version: _heading(version.first)),
        (
            *("value", say("{name} [95% interval]", name=common_name or _("Value")), "estimate"),
            lambda version: version.first.shown,
        ),
        (
            *("change", _("Change from the version before"), "text"),
            lambda version: _change(history.step_to(version.version)),
        )
        if history.steps
        else None,
        file="versions.csv",
    )
    between = (None,) * (len(table.columns) - 2)

    def links(version: VersionState) -> tuple[str | None, ...]:
        step = history.step_to(version.version)
        compared = compare_href(step.first, step.second) if step and step.compared else None
        return version_href(version.version), *between, compared

    return replace(table, links=tuple(map(links, history.versions[::-1])))


def _heading(state: LayerState) -> str:
    """Return the figure that the verdict is about, by name; that of several versions may be of others."""
    if state.answer is None:
        return as_heading(state.name)
    name = answer_name(state.subject or "annotators", state.answer)
    return name[:1].upper() + name[1:]


def _compared(state: LayerState) -> tuple[int | None, int | None]:
    """Return on how many documents and units the figure rests."""
    if state.answer is None:
        return state.documents_compared, state.units_compared
    return state.answer.documents, state.answer.units


def _change(step: Step | None) -> str:
    if step is None:
        return numbers.NONE
    if step.primary is None:
        return _("nothing in common") if step.compared else _("not compared")
    move = step.primary.coefficient
    if move.p is not None or move.difference is None:
        return moved(move)
    return say("{change}, not tested", change=moved(move))


def layers(history: History) -> ReportTable | None:
    """Return the coefficients of the layers behind the first; None where there is one layer."""

    def last(layer: str) -> str:
        layer_move = history.last_step.layer(layer) if history.last_step else None
        return moved(layer_move.coefficient) if layer_move else numbers.NONE

    def name(layer: str) -> str:
        return [state.name for version in history.versions if (state := version.layer(layer))][-1]

    def figure(layer: str, version: str) -> Cell:
        state = history.versions[history.names.index(version)].layer(layer)
        return state.figure if state else None

    return table_if(
        "layers",
        _under(history, _("The other layers")),
        history.layers[1:],
        ("layer", _("Layer"), "text", str),
        ("name", _("Coefficient"), "text", lambda layer: as_heading(name(layer))),
        *columns_of({version.version: version.version for version in _shown(history)}, "estimate", figure),
        ("change", _("Last change"), "text", last) if history.steps else None,
        file="versions.csv",
    )


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
    places = [history.names.index(version.version) for version in _shown(history)]
    # Also what is undefined is there.
    lines_shown = [
        line
        for line in lines_of_categories(history, layer)
        if any(line.points[position].figure is not None for position in places)
    ]

    def last(line: Line) -> str:
        return moved(line.points[-1].move) if line.points[-1].move else numbers.NONE

    return table_if(
        f"categories-{layer}",
        _under(history, _("Specific agreement")),
        _lowest(lines_shown),
        ("category", _("Category"), "text", lambda line: line.label),
        *_by_version(history, places),
        ("change", _("Last change"), "text", last) if history.steps else None,
        file="specific-agreement.csv",
    )


def _by_version(history: History, places: Sequence[int]) -> list[ColumnOf[Line]]:
    """Return a column for each of some versions, with a line's figure there."""

    def figure(line: Line, version: str) -> Cell:
        return line.points[history.names.index(version)].figure

    return columns_of(
        {history.names[position]: history.names[position] for position in places}, "estimate", figure
    )


def _lowest(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, of many those that end lowest, in their order."""

    def last(line: Line) -> float:
        return next((point.value for point in reversed(line.points) if point.value is not None), 2.0)

    chosen = {id(line) for line in sorted(lines, key=last)[:MOST_CATEGORIES]}
    return [line for line in lines if id(line) in chosen]


def comparisons(history: History) -> ReportTable | None:
    """Return which versions are compared, each cell the change with its link; None without comparisons."""
    if not history.comparisons:
        return None
    rows: list[tuple[tuple[str, ...], list[ComparedPair | None]]]
    if len(history.versions) > MOST_SQUARE:
        titles = {"second": _("Later"), "first": _("Earlier"), "change": _("Change")}
        columns = [TableColumn(*column) for column in titles.items()]
        rows = [((compared.second, compared.first), [compared]) for compared in history.comparisons[::-1]]
    else:
        compared_pairs = {(compared.first, compared.second): compared for compared in history.comparisons}
        earlier, later = history.names[:-1], history.names[1:]
        froms = (TableColumn(name, say("from {version}", version=name), "figure") for name in earlier)
        columns = [TableColumn("second", _("Later")), *froms]
        rows = [((second,), [compared_pairs.get((first, second)) for first in earlier]) for second in later]
    return ReportTable(
        "comparisons",
        "",
        tuple(columns),
        tuple((*names, *map(_difference, compared)) for names, compared in rows),
        file="comparisons.csv",
        links=tuple(
            (
                *(None for _name in names),
                *(compare_href(pair.first, pair.second) if pair else None for pair in compared),
            )
            for names, compared in rows
        ),
    )


def _difference(compared: ComparedPair | None) -> str:
    if compared is None:
        return ""
    if compared.move is None:
        return _("nothing in common")
    return _("undefined") if compared.move.difference is None else signed(compared.move.difference)


def systems(history: History, layer: str, lines: Sequence[Line], title: str) -> ReportTable:
    """Return systems against the reference with human agreement beside, under the versions shown."""
    places = [history.names.index(version.version) for version in _shown(history)]
    humans = say("Annotators with each other ({version})", version=history.names[places[-1]])
    return table_of(
        f"systems-{layer}",
        _under(history, title),
        lines,
        ("system", _("System"), "text", lambda line: line.label),
        *_by_version(history, places),
        ("humans", humans, "estimate", lambda line: line.points[places[-1]].beside),
        file="systems.csv",
    )


# A history's tables in full, as their CSV files have them.

MOVE = plain("basis method value_first value_second difference low high p untested")
VERSIONS = (
    *plain("version date layer unit_set annotators documents units"),
    *plain("documents_compared units_compared coefficient"),
    *plain("value", "estimate"),
    TableColumn("f_measure[strict]", "F", "estimate"),
)
SYSTEMS = (
    *plain("version layer unit_set system role release key figure"),
    *plain("value humans", "estimate"),
)

ANSWERS = (
    *plain("version layer subject figure who against documents units labels"),
    *plain("value", "estimate"),
)


def _move_cells(move: Move) -> tuple[Cell, ...]:
    ends = (move.interval.low, move.interval.high) if move.interval else (None, None)
    return (move.basis, move.method, move.first, move.second, move.difference, *ends, move.p, move.untested)


def in_full(history: History) -> Iterator[ReportTable]:
    """Yield every table of the history as its CSV has it; none that would be empty."""
    specific = (*plain("version layer category"), *plain("specific_agreement", "estimate"))
    of_step, of_pair = plain("first second layer figure category"), plain("first second figure")
    for file, columns, rows in (
        ("versions.csv", VERSIONS, _of_states(history, _state_rows)),
        ("specific-agreement.csv", specific, _of_states(history, _category_rows)),
        ("changes.csv", (*of_step, *MOVE), _change_rows(history)),
        ("comparisons.csv", (*of_pair, *MOVE), map(_compared_cells, history.comparisons)),
        ("systems.csv", SYSTEMS, _of_states(history, _system_rows)),
        ("answers.csv", ANSWERS, _of_states(history, _answer_rows)),
    ):
        if cells := tuple(rows):
            yield ReportTable("", "", columns, cells, file)


Rows = Iterator[tuple[Cell, ...]]


def _of_states(history: History, rows: Callable[[VersionState, LayerState], Rows]) -> Rows:
    return (row for version in history.versions for state in version.layers for row in rows(version, state))


def _state_rows(version: VersionState, state: LayerState) -> Rows:
    compared = (state.documents_compared, state.units_compared)
    counts = (len(state.annotators), state.documents, state.units, *compared)
    where = (version.version, version.date, state.layer, state.unit_set)
    yield (*where, *counts, state.coefficient, state.figure, state.f_measure)


def _answer_rows(version: VersionState, state: LayerState) -> Rows:
    """Yield the figure that a verdict is about where that is not the coefficient."""
    if answer := state.answer:
        where = (version.version, state.layer, state.subject, answer.figure, answer.who, answer.against)
        yield (*where, answer.documents, answer.units, answer.labels, answer.value)


def _category_rows(version: VersionState, state: LayerState) -> Rows:
    for name in state.categories:
        yield (version.version, state.layer, name, state.specific_agreement[name])


def _system_rows(version: VersionState, state: LayerState) -> Rows:
    for system in state.systems:
        who = (version.version, state.layer, system.unit_set, system.system, system.role, system.release)
        yield (*who, system.key, system.figure, system.value, system.humans)


def _change_rows(history: History) -> Rows:
    for step in history.steps:
        for layer in step.layers:
            for category, move in (("", layer.coefficient), *layer.specific_agreement.items()):
                yield (step.first, step.second, layer.layer, move.figure, category, *_move_cells(move))


def _compared_cells(compared: ComparedPair) -> tuple[Cell, ...]:
    move = compared.move
    nothing = (None,) * (1 + len(MOVE))
    return compared.first, compared.second, *((move.figure, *_move_cells(move)) if move else nothing)


# Which documents and which annotators a version has.

MOST_NAMES = 60
MOST_COLUMNS = 12
MOST_GROUPS = 20
THERE = "✓"


def documents_table(history: History) -> ReportTable | None:
    """Return documents by versions; None where there are many, or where all are in all versions."""
    groups = history.coverage.documents
    if len(groups) <= 1:
        return None
    rows = [(name, dict.fromkeys(group.versions, THERE)) for group in groups for name in group.documents]
    caption = _("Documents by guidelines version.")
    return _presence(history, "document", caption, _("Document"), rows)


def annotators_table(history: History) -> ReportTable | None:
    """Return annotators by versions, each cell their documents; None where there are many of either."""
    people = history.coverage.annotators
    by_document = any(count for annotator in people for count in annotator.documents.values())
    rows: list[tuple[str, Mapping[str, Cell]]] = [
        (person.annotator, person.documents if by_document else dict.fromkeys(person.documents, THERE))
        for person in people
    ]
    caption = _("Documents under each version.") if by_document else ""
    return _presence(history, "annotator", caption, _("Annotator"), rows, "count" if by_document else "text")


def _presence(  # noqa: PLR0913, PLR0917 - the parts of a table
    history: History,
    key: str,
    caption: str,
    head: str,
    rows: Sequence[tuple[str, Mapping[str, Cell]]],
    kind: Kind = "text",
) -> ReportTable | None:
    """Return what is in which versions; None where it is much, or nothing."""
    if len(rows) > MOST_NAMES or len(history.names) > MOST_COLUMNS:
        return None
    return table_if(
        f"{key}s",
        caption,
        rows,
        (key, head, "text", lambda row: row[0]),
        *columns_of({name: name for name in history.names}, kind, lambda row, name: row[1].get(name)),
        file=f"{key}s.csv",
    )


def documents_in_words(history: History) -> str:
    """Return how many documents are in which versions, empty where no document is known."""
    groups = sorted(history.coverage.documents, key=lambda group: -len(group.documents))
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    if len(groups) == 1 and set(groups[0].versions) == set(history.names):
        return say_many(
            "{count} document is in every version.", "{count} documents are in every version.", total
        )
    parts = [_group(history, group) for group in groups[:MOST_GROUPS]]
    if others := sum(len(group.documents) for group in groups[MOST_GROUPS:]):
        parts.append(say("{count} in other versions", count=numbers.count(others)))
    documents = numbers.counted(total, "document", "documents")
    return say("{documents}: {parts}.", documents=documents, parts=_("; ").join(parts))


def _group(history: History, group: Group) -> str:
    message = N_("{count} in {version} only") if len(group.versions) == 1 else N_("{count} in {versions}")
    if set(group.versions) == set(history.names):
        message = N_("{count} in every version")
    versions = version_span(group.versions, history.names)
    return say(message, count=numbers.count(len(group.documents)), version=versions, versions=versions)


def annotators_in_words(history: History) -> str:
    """Return how many annotators are in which versions."""
    people, names = history.coverage.annotators, history.names
    if not people:
        return ""
    everywhere = sum(set(annotator.documents) == set(names) for annotator in people)
    total = numbers.counted(len(people), "annotator", "annotators")
    if everywhere == len(people):
        return say("{annotators}, the same under every version.", annotators=total)
    by_version = {name: numbers.count(len(history.coverage.annotators_of(name))) for name in names}
    counts = listed(
        [say("{version}: {count}", version=name, count=number) for name, number in by_version.items()]
    )
    message = N_("{annotators}, none of them under every version ({each}).")
    if everywhere:
        message = N_("{annotators}, {count} of them under every version ({each}).")
    return say(message, annotators=total, count=numbers.count(everywhere), each=counts)


def coverage_tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    groups, people = history.coverage.documents, history.coverage.annotators
    documents = [pair for group in groups for pair in itertools.product(group.documents, group.versions)]
    annotators = [
        (annotator.annotator, *pair) for annotator in people for pair in annotator.documents.items()
    ]
    if documents:
        yield ReportTable("", "", plain("document version"), tuple(documents), "documents.csv")
    if annotators:
        columns = plain("annotator version documents")
        yield ReportTable("", "", columns, tuple(annotators), "annotators.csv")
