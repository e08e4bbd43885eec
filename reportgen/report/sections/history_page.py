"""A campaign's page: did agreement rise or fall with the newest guidelines, what changed, and all before."""

import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import shorten

from markupsafe import Markup

from reportgen.figures import lines as charts
from reportgen.figures.lines import (
    Line,
    described,
    ends,
    is_shown,
    lines_of_categories,
    lines_of_coefficients,
)
from reportgen.report import history_words as words
from reportgen.report.blocks import (
    Block,
    CampaignPage,
    Code,
    Details,
    File,
    FilesBlock,
    Link,
    RawBlock,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    as_section,
    commas,
    folded_table,
    paragraph,
    phrase,
    phrase_many,
    remark,
)
from reportgen.report.charts import ChartPoint, Course, lines, threshold_said
from reportgen.report.comparison_view import plain
from reportgen.report.history_words import badge, change_in_one_line, feed, version_span
from reportgen.report.sections.systems import shortened
from reportgen.report.tables import (
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    columns_of,
    csv_if,
    fields,
    table_if,
    table_of,
)
from reportgen.report.tables import (
    plain as plain_columns,
)
from reportgen.report.version_changes import courses, signed
from reportgen.results.versions import ComparedPair, Group, History, LayerState, Move, Step, VersionState
from reportgen.words import numbers
from reportgen.words.headline import answer_name, shown_symbol
from reportgen.words.language import N_, _, date, edition, listed, say, say_either, say_many
from reportgen.words.names import as_heading
from reportgen.words.numbers import count, counted

# With more versions than these, the page shows the first, the one before the newest, and the newest.
FEW_VERSIONS = 4
MOST_CATEGORIES = 40


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
    value = say("{name} [95% interval]", name=common_name or _("Value"))
    change = _("Change from the version before")
    table = table_of(
        "versions",
        "",
        history.versions[::-1],
        ("version", _("Guidelines"), "text", lambda version: version.version),
        ("date", _("Date"), "text", lambda version: date(version.date) if version.date else numbers.NONE),
        ("annotators", _("Annotators"), "count", lambda version: version.first.annotators),
        ("documents", _("Documents compared"), "count", lambda row: _compared(row.first)[0] or None),
        ("units", _("Units compared"), "count", lambda version: _compared(version.first)[1]),
        None if common_name else ("coefficient", _("Coefficient"), "text", lambda row: _heading(row.first)),
        ("value", value, "estimate", lambda version: version.first.shown),
        ("change", change, "text", lambda row: _change(history.step_to(row.version)))
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
        return change_in_one_line(move)
    return say("{change}, not tested", change=change_in_one_line(move))


def layers(history: History) -> ReportTable | None:
    """Return the coefficients of the layers behind the first; None where there is one layer."""

    def last(layer: str) -> str:
        layer_move = history.last_step.layer(layer) if history.last_step else None
        return change_in_one_line(layer_move.coefficient) if layer_move else numbers.NONE

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
    return say_either(
        len(history.versions) <= FEW_VERSIONS,
        "{what} [95% interval] under guidelines{|, of {count} versions the first and the last two}:",
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

    def end(line: Line) -> float:
        return next((point.value for point in reversed(line.points) if point.value is not None), 2.0)

    lowest = {id(line) for line in sorted(lines_shown, key=end)[:MOST_CATEGORIES]}

    def last(line: Line) -> str:
        return change_in_one_line(line.points[-1].move) if line.points[-1].move else numbers.NONE

    return table_if(
        f"categories-{layer}",
        _under(history, _("Specific agreement")),
        [line for line in lines_shown if id(line) in lowest],
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


def comparisons(history: History) -> ReportTable | None:
    """Return which versions are compared, each change with its link; None without comparisons."""

    def difference(compared: ComparedPair) -> str:
        if compared.move is None:
            return _("nothing in common")
        return _("undefined") if compared.move.difference is None else signed(compared.move.difference)

    compared_pairs = history.comparisons[::-1]
    table = table_if(
        "comparisons",
        "",
        compared_pairs,
        ("second", _("Later"), "text", lambda compared: compared.second),
        ("first", _("Earlier"), "text", lambda compared: compared.first),
        ("change", _("Change"), "text", difference),
        file="comparisons.csv",
    )
    links = tuple((None, None, compare_href(pair.first, pair.second)) for pair in compared_pairs)
    return replace(table, links=links) if table else None


# A history's tables in full, as their CSV files have them.

MOVE = plain_columns("basis method value_first value_second difference low high p untested")
VERSIONS = (
    *plain_columns("version date layer unit_set annotators documents units"),
    *plain_columns("documents_compared units_compared coefficient"),
    *plain_columns("value", "estimate"),
    TableColumn("f_measure[strict]", "F", "estimate"),
)
SYSTEMS = (
    *plain_columns("version layer unit_set system role release key figure"),
    *plain_columns("value humans", "estimate"),
)

ANSWERS = (
    *plain_columns("version layer subject figure who against documents units labels"),
    *plain_columns("value", "estimate"),
)


# Fields of results, in the order of columns.
OF_STATE = "documents units documents_compared units_compared coefficient figure f_measure"
OF_SYSTEM = "unit_set system role release key figure value humans"
OF_ANSWER = "figure who against documents units labels value"


def _move_cells(move: Move | None) -> tuple[Cell, ...]:
    values, ends = fields(move, "basis method first second difference"), move.interval if move else None
    return (*values, *fields(ends, "low high"), *fields(move, "p untested"))


def in_full(history: History) -> Iterator[ReportTable]:
    """Yield every table of the history as its CSV has it; none that would be empty."""
    states = [
        ((version.version, state.layer), version, state)
        for version in history.versions
        for state in version.layers
    ]
    rows: dict[str, tuple[tuple[TableColumn, ...], Iterable[tuple[Cell, ...]]]] = {
        "versions": (
            VERSIONS,
            (
                (where[0], version.date, where[1], own.unit_set, own.annotators, *fields(own, OF_STATE))
                for where, version, own in states
            ),
        ),
        "specific-agreement": (
            (*plain_columns("version layer category"), *plain_columns("specific_agreement", "estimate")),
            ((*at, name, own.specific_agreement[name]) for at, _of, own in states for name in own.categories),
        ),
        "changes": (
            (*plain_columns("first second layer figure category"), *MOVE),
            (
                (step.first, step.second, layer.layer, move.figure, category, *_move_cells(move))
                for step in history.steps
                for layer in step.layers
                for category, move in (("", layer.coefficient), *layer.specific_agreement.items())
            ),
        ),
        "comparisons": (
            (*plain_columns("first second figure"), *MOVE),
            (
                (own.first, own.second, *fields(own.move, "figure"), *_move_cells(own.move))
                for own in history.comparisons
            ),
        ),
        "systems": (
            SYSTEMS,
            ((*at, *fields(system, OF_SYSTEM)) for at, _of, own in states for system in own.systems),
        ),
        # The figure that a verdict is about where that is not the coefficient.
        "answers": (
            ANSWERS,
            ((*at, own.subject, *fields(own.answer, OF_ANSWER)) for at, _of, own in states if own.answer),
        ),
    }
    for name, (columns, cells) in rows.items():
        yield from csv_if(name, "", columns, cells)


# Which documents and which annotators a version has.

MOST_GROUPS = 20


def documents_in_words(history: History) -> str:
    """Return how many documents are in which versions, empty where no document is known."""
    groups = sorted(history.coverage.documents, key=lambda group: -len(group.documents))
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    if len(groups) == 1 and set(groups[0].versions) == set(history.names):
        return say_many("{count} {document is|documents are} in every version.", total)
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
    everywhere = sum(len(group.annotators) for group in people if set(group.documents) == set(names))
    several = sum(len(group.annotators) for group in people)
    total = numbers.counted(several, "annotator", "annotators")
    if everywhere == several:
        return say("{annotators}, the same under every version.", annotators=total)
    by_version = {name: numbers.count(len(history.coverage.annotators_of(name))) for name in names}
    counts = listed(
        [say("{version}: {count}", version=name, count=number) for name, number in by_version.items()]
    )
    return say_either(
        everywhere,
        "{annotators}, {{count}|none} of them under every version ({each}).",
        annotators=total,
        count=numbers.count(everywhere),
        each=counts,
    )


def coverage_tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    groups, people = history.coverage.documents, history.coverage.annotators
    documents = (pair for group in groups for pair in itertools.product(group.documents, group.versions))
    yield from csv_if("documents", "", plain_columns("document version"), documents)
    annotators = (
        (name, *pair) for own in people for name in own.annotators for pair in own.documents.items()
    )
    by_name = sorted(annotators, key=operator.itemgetter(0))
    yield from csv_if("annotators", "", plain_columns("annotator version documents"), by_name)


# A longer table is folded, and so is what more than these versions changed.
FEW_ROWS = 6


def history_page(history: History) -> CampaignPage:
    """Return the page of a campaign over its versions, the newest first; of one version what it comes to."""
    several = len(history.versions) > 1
    opened = (_verdict, _line, _slopes) if several else (_now, _changes)
    folded = (_versions, _comparisons, _categories) if several else ()
    sections = [replace(own, open=True) for make in (*opened, _released) if (own := make(history))]
    sections += [own for make in (*folded, _badge) if (own := make(history))]
    return CampaignPage(
        title=say("{title}: agreement by guidelines version", title=history.campaign.title),
        heading=history.campaign.title,
        above=(Link(_("Agreement reports"), f"{edition().data}../index.html"),),
        lead=_lead(history),
        sections=tuple(sections),
    )


def _lead(history: History) -> str:
    versions = counted(len(history.versions), "version", "versions")
    dates = sorted(version.date for version in history.versions if version.date)
    first, last = (date(dates[0]), date(dates[-1])) if dates else ("", "")
    text = N_("{versions} of the guidelines, {first} to {last}.")
    if first == last:
        text = N_("{versions} of the guidelines, {date}.") if dates else N_("{versions} of the guidelines.")
    return say(text, versions=versions, date=first, first=first, last=last)


def _dated(version: VersionState) -> str:
    message = N_("Guidelines {version}, {date}") if version.date else N_("Guidelines {version}")
    return say(message, version=version.version, date=date(version.date) if version.date else "")


# What comes first: did agreement rise or fall, and what changed in the guidelines?


def _now(history: History) -> Section:
    """Return where the only version is."""
    newest = history.newest
    blocks: list[Block] = [RawBlock(headline)] if (headline := _headline(newest)) else []
    blocks.append(paragraph(words.verdict(newest), Strong(words.to_do(newest))))
    blocks.append(remark(_report(newest.version)))
    blocks.append(remark(_sizes(newest), (File("versions.csv"),)))
    later = _(
        "Once a second version of the guidelines is declared in campaign.toml and built, this page shows "
        "how agreement moved from one to the other, whether chance explains it, and which documents and "
        "annotators are in both."
    )
    blocks.append(remark(later))
    return Section("now", _dated(newest), (*blocks, _files(history)), short=_("Verdict"))


def _files(history: History) -> FilesBlock:
    chart = charts.agreement(history) if len(history.versions) > 1 else None
    return FilesBlock(
        lambda: (*in_full(history), *coverage_tables(history)), lambda: (chart.file if chart else None,)
    )


def _verdict(history: History) -> Section:
    """Return how agreement moved with the newest version, and over all, which heads the page."""
    newest, step = history.newest, history.last_step
    blocks: list[Block] = [paragraph(Strong(words.to_do(newest)), words.verdict(newest))]
    if step:
        alone = step.primary is None or len(history.layers) == 1
        moved = (words.change(history, step), _other_value(history, step)) if alone else ()
        compare = say("Compare {first} and {second}", first=step.first, second=step.second)
        link = Link(compare, compare_href(step.first, step.second)) if step.compared else ""
        blocks.append(paragraph(*moved, (link,) if link else "", _report(newest.version)))
        if warnings := list(words.warnings(step)):
            before = Strong(_("Before reading this as better or worse guidelines:"))
            blocks.append(paragraph((before,), *warnings))
    blocks.append(_files(history))
    return Section("verdict", _course(history), tuple(blocks), short=_("Verdict"))


def _course(history: History) -> str:
    """Return how agreement moved over all versions, of several layers with the newest."""
    step, first, last = history.last_step, history.versions[0].first, history.newest.first
    if len(history.layers) > 1 or first.coefficient != last.coefficient or first.subject != last.subject:
        known = step and step.primary
        return courses(*words.layer_courses(step)) if step and known else _("Nothing could be compared.")
    values = first.shown.value, last.shown.value
    moves = [own.primary.coefficient for own in history.steps if own.primary]
    beyond = [move for move in moves if is_shown(move)]
    rose = sum((move.difference or 0.0) > 0 for move in beyond)
    said = [
        say("{count} of {all} revisions raised it beyond chance.", count=count(rose), all=count(len(moves)))
        if rose
        else "",
        say("{count} lowered it beyond chance.", count=count(len(beyond) - rose))
        if len(beyond) > rose
        else "",
    ]
    if len(moves) == 1:
        said = [courses(*words.layer_courses(step))] if step else []
    elif not beyond:
        said = [_("No revision moved it beyond chance.")]
    if None in values or not moves:
        return " ".join(filter(None, said)) or _("Nothing could be compared.")
    went = say(
        "Agreement went from {first} to {last}.",
        first=numbers.short(values[0] or 0.0),
        last=numbers.short(values[1] or 0.0),
    )
    return " ".join(filter(None, (went, *said)))


def _report(version: str) -> Text:
    return (Link(say("Report of guidelines {version}", version=version), f"{version_href(version)}#verdict"),)


# Of more versions the newest are drawn; a note has so many letters.
MOST_DRAWN, LONGEST_NOTE, MOST_LINES = 9, 150, 5


@as_section("history", N_("Agreement under each version, and what was changed"), N_("History"))
def _line(history: History) -> Iterator[Block]:
    """Yield each layer's figure over the versions, and what each changed."""
    found = lines_of_coefficients(history)[:MOST_LINES]
    drawn = history.versions[-MOST_DRAWN:]
    over = [course for line in found for course in _stretches(line, len(drawn), strong=len(found) == 1)]
    if any(point for course in over for point in course.points):
        names = [((place + 0.5) / len(drawn), version.version) for place, version in enumerate(drawn)]
        said = " ".join(described(history.names, line) for line in found)
        yield RawBlock(lines(over, names, said, banded=True, under=_notes_below(history, drawn)))
        yield remark(
            threshold_said(),
            _("Lines at points are 95% intervals; a dotted step may be chance."),
            (Link("SVG", "figures/agreement.svg"),),
        )
    longer = [
        version
        for version in reversed(history.versions)
        if len(_plain(version)) > LONGEST_NOTE * (version in drawn)
    ]
    notes = [Section("", _dated(version), (ReasonBlock(version.changes),)) for version in longer]
    if notes:
        yield Details(_("What changed, in full"), tuple(notes))


def _stretches(line: Line, many: int, *, strong: bool) -> Iterator[Course]:
    """Yield the newest points of a line, those of another coefficient as a line of their own."""
    points = line.points[-many:]
    kinds = list(dict.fromkeys(point.kind for point in points if point.value is not None))
    for kind in kinds:
        placed = [
            ChartPoint((place + 0.5) / many, point.value, point.ends, numbers.short(point.value))
            if point.value is not None and point.kind == kind
            else None
            for place, point in enumerate(points)
        ]
        shown = [point.mark in {"rise", "fall"} for point in points]
        yield Course(line.label, placed, strong, shown)


def _plain(version: VersionState) -> str:
    return " ".join(plain(version.changes).split())


def _notes_below(history: History, drawn: Sequence[VersionState]) -> Markup:
    """Return below each version what it changed, and how its first layer moved."""
    items = []
    for version in drawn:
        step, note = history.step_to(version.version), _plain(version)
        move = step.primary.coefficient if step and step.primary else None
        way = "" if not is_shown(move) or not move else "rise" if (move.difference or 0.0) > 0 else "fall"
        mark = {"rise": "▲ ", "fall": "▼ "}.get(way, "")
        by = signed(move.difference, numbers.short) if move and move.difference is not None else ""
        # What is drawn above is of all that each version has.
        if move and by and version.layers[0].figure.value != move.second:
            by = say("{by} on what is in both versions", by=by)
        beyond = (
            say_either(
                way,
                "{mark}{by}, {beyond chance|could be chance}",
                mark=mark,
                by=by,
            )
            if by
            else ""
        )
        items.append(
            Markup('<li><b>{}</b> {}<small class="{}">{}</small></li>').format(
                version.version,
                shorten(note, LONGEST_NOTE, placeholder=" …"),
                way,
                beyond,
            )
        )
    return Markup('<ol class="notes">{}</ol>').format(Markup().join(items))


@as_section("confusions", N_("Which labels are confused"), N_("Confusions"))
def _slopes(history: History) -> Iterator[Block]:
    """Yield how often which two labels were given under each version, of the first layer."""
    states = [version.layer(history.layers[0]) for version in history.versions[-MOST_DRAWN:]]
    shares = [state.confusions if state else {} for state in states]
    newest = shares[-1]
    ranked = sorted(
        {name for own in shares for name in own},
        key=lambda name: (-newest.get(name, 0.0), -max(own.get(name, 0.0) for own in shares), name),
    )
    over = [
        Course(
            name,
            [
                ChartPoint((place + 0.5) / len(shares), own[name], None, numbers.percent(own[name]))
                if name in own
                else None
                for place, own in enumerate(shares)
            ],
            strong=not number,
        )
        for number, name in enumerate(ranked[:MOST_LINES])
    ]
    if over and len(shares) > 1:
        names = [
            ((place + 0.5) / len(shares), name) for place, name in enumerate(history.names[-MOST_DRAWN:])
        ]
        said = _("; ").join(
            say(
                "{name}: {value}",
                name=course.name,
                value=", ".join(point.text for point in course.points if point),
            )
            for course in over
        )
        yield paragraph(
            say_either(
                len(history.layers) > 1,
                "How often the labels of two annotators for one unit are these two{, in layer {layer}|}. The "
                "most frequent now is in bold.",
                layer=history.layers[0],
            )
        )
        yield RawBlock(lines(over, names, said))


def _headline(newest: VersionState) -> str:
    """Return the coefficient in large letters; empty where several layers have one each."""
    figure, answer = newest.first.shown, newest.first.answer
    if len(newest.layers) > 1 or figure.value is None:
        return ""
    interval = Markup()
    if between := ends(figure):
        low, high = map(numbers.short, between)
        words_beside = say("95% interval {low} to {high}", low=low, high=high)
        interval = Markup('<p class="beside-value">{}</p>\n').format(words_beside)
    return str(
        Markup(
            '<div class="headline">\n<p class="value"><span class="symbol">{}</span> {}</p>\n{}</div>\n'
        ).format(
            shown_symbol(answer) if answer else newest.first.symbol, numbers.short(figure.value), interval
        )
    )


def _other_value(history: History, step: Step) -> str:
    """Return how the report comes to another value: it counts what the newest version alone has too."""
    if history.newest.first.answer:
        return ""
    newest_value, move = history.newest.first.figure.value, step.primary.coefficient if step.primary else None
    shared = move.second if move else None
    if newest_value is None or shared is None or numbers.figure(shared) == numbers.figure(newest_value):
        return ""
    return say(
        "Over all units of {version} it is {value}.",
        version=history.newest.version,
        value=numbers.figure(newest_value),
    )


def _sizes(version: VersionState) -> str:
    state = version.first
    sizes = [
        counted(state.annotators, "annotator", "annotators") if state.annotators else "",
        counted(state.documents, "document", "documents") if state.documents else "",
        counted(state.units, "unit", "units"),
    ]
    return f"{', '.join(filter(None, sizes))}. {_rests_on(state)}".rstrip()


def _rests_on(state: LayerState) -> str:
    """Return what the figure rests on, empty where that is all."""
    if state.answer:
        units = counted(state.answer.units or 0, "unit", "units")
        some = state.answer.units not in {None, state.units}
        return say("The figure rests on {units}.", units=units) if some else ""
    if state.units_compared == state.units or state.subject:
        return ""
    units = counted(state.units_compared, "unit", "units")
    return say_either(
        state.documents_compared,
        "The figure rests on {units}{ in {documents}|} that two annotators labelled.",
        units=units,
        documents=counted(state.documents_compared or 0, "document", "documents"),
    )


@as_section("released", N_("Released"))
def _released(history: History) -> Iterator[Block]:
    recorded = (version for version in reversed(history.versions) if version.release)
    yield from (paragraph(*words.released(version)) for version in recorded)


@as_section("changes", N_("What changed"))
def _changes(history: History) -> Iterator[Block]:
    if changes := history.newest.changes:
        yield ReasonBlock(changes)


# Over all versions


@as_section("versions", N_("Versions"))
def _versions(history: History) -> Iterator[Block]:
    lead = _(
        "Values are computed on everything in a version, changes only on what two versions share, "
        "if they share anything: a change need not be the difference of the two values."
    )
    changes: Text = (File("changes.csv", _("Changes")),) if history.comparisons else ""
    yield remark(lead, (File("versions.csv"),), changes)
    table = versions(history)
    if len(history.layers) > 1:
        table = replace(table, caption=say("Layer {layer}:", layer=history.layers[0]))
    yield _table(table, _("Guidelines versions"))
    if others := layers(history):
        holm = _(
            "Where a change is tested, p is corrected for the number of these layers (Holm), its interval "
            "is not."
        )
        yield folded_table(others, remark(holm) if history.steps and len(others.rows) > 1 else None)
    # Which documents and annotators the versions have, which may look like better guidelines.
    documents, annotators = documents_in_words(history), annotators_in_words(history)
    if not documents and not annotators:
        return
    beware = _("What looks like better guidelines may be easier documents or other annotators.")
    files = (
        (File("documents.csv", _("Documents")),) if documents else "",
        (File("annotators.csv", _("Annotators")),) if annotators else "",
    )
    about = paragraph(beware, documents, annotators, *files)
    yield Details(_("Documents and annotators, version by version"), (about,))


@as_section("comparisons", N_("Comparisons"))
def _comparisons(history: History) -> Iterator[Block]:
    table = comparisons(history)
    if table is None or len(history.versions) <= 2:  # two have one comparison
        return
    about = say_either(
        len(history.layers) > 1,
        "How the coefficient{ of layer {layer}|} moved from one version to another; each figure leads to "
        "the page of the two.",
        layer=history.layers[0],
    )
    yield paragraph(about, _missing(history), (File("comparisons.csv"),))
    yield _table(table, _("Comparisons of versions"))


def _missing(history: History) -> Text:
    """Return how many pairs of versions have no page of comparison, and how to make one."""
    compared = {(pair.first, pair.second) for pair in history.comparisons}
    without = [pair for pair in itertools.combinations(history.names, 2) if pair not in compared]
    if not without:
        return ""
    command = f"reportgen compare campaigns/{history.campaign.id} {' '.join(without[0])}"
    return phrase_many(
        "{count} {pair|pairs} of versions {has|have} no such page: of many versions, each is compared with "
        "the one before it and with the newest. {command} compares {these two, and likewise any others|two "
        "of them}.",
        len(without),
        count=count(len(without)),
        command=Code(command),
    )


def _categories(history: History) -> Section | None:
    by_layer = [(layer, table) for layer in history.layers if (table := categories(history, layer))]
    if not by_layer:
        return None
    lead = _(
        "Specific agreement is the share of an annotator's choices of a category that the other made too."
    )
    holm = _(
        "Where a change is tested, p is corrected for the number of categories (Holm), its interval is not."
    )
    moved = " ".join(_moved(history)) if history.last_step else ""
    blocks: list[Block] = [paragraph(moved, lead, (File("specific-agreement.csv"),))]
    for layer, table in by_layer:
        number = len(charts.lines_of_categories(history, layer))
        summary, label = counted(number, "category", "categories"), _("Specific agreement by version")
        if len(history.layers) > 1:
            summary = say("Layer {layer}: {categories}", layer=layer, categories=summary)
            label = say("{label}, layer {layer}", label=label, layer=layer)
        some = say("Of {count} categories these have the lowest agreement.", count=count(number))
        notes = remark(holm, some if len(table.rows) < number else "")
        blocks.append(Details(summary, (TableBlock(table, label), notes)))
    return Section("categories", _("Categories"), tuple(blocks))


def _moved(history: History) -> Iterator[str]:
    """Yield which categories rose and fell with the newest version, more than chance explains."""
    step, titled = history.last_step, len(history.layers) > 1
    moves = [
        (say("{category} (layer {layer})", category=name, layer=layer.layer) if titled else name, move)
        for layer in (step.layers if step else ())
        for name, move in layer.specific_agreement.items()
        if is_shown(move)
    ]
    if rose := [name for name, move in moves if (move.difference or 0.0) > 0]:
        yield say("Agreement on {names} rose beyond chance.", names=shortened(rose))
    if fell := [name for name, move in moves if (move.difference or 0.0) <= 0]:
        yield say("Agreement on {names} fell beyond chance.", names=shortened(fell))
    if not moves:
        yield _("No category moved beyond chance.")


@as_section("badge", N_("Badge and feed"))
def _badge(history: History) -> Iterator[Block]:
    shown, data = badge(history), edition().data
    description = phrase(
        "The badge says “{label} {message}”, the newest version's figure with its 95% interval: {svg}, and "
        "{json} for services that draw badges.",
        label=shown.label,
        message=shown.message,
        svg=Link("badge.svg", f"{data}badge.svg"),
        json=Link("badge.json", f"{data}badge.json"),
    )
    feeds = [f"{data}feed.xml"] if feed(history) else []
    names = [f"{data}badge.svg", f"{data}history.json", "history.md", *feeds]
    links = commas((Link(name.rsplit("/", 1)[-1], name),) for name in names)
    yield remark(phrase("Beside this page: {files}.", files=links))
    address = _("In a corpus README, with the address where this folder is published:")
    code = Markup('<pre tabindex="0"><code>[![{}](badge.svg)](index.html)</code></pre>\n').format(shown.label)
    parts = (paragraph(description), paragraph(address), RawBlock(str(code)))
    yield Details(_("In a corpus README"), parts)


def _table(table: ReportTable, label: str = "") -> Block:
    return TableBlock(table, label) if len(table.rows) <= FEW_ROWS else folded_table(table, label=label)
