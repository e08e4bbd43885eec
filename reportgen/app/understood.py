"""How files were read, as a page shows it: their first rows or texts, what is what, and what it gives."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import numbered_rows
from reportgen.catalogue import measure_of
from reportgen.counts import count
from reportgen.measures import UnitsOfAll, measures_of, setting_of
from reportgen.measures.estimate import ConfidenceInterval
from reportgen.pipeline.export_folder import Survey, VersionSurvey, label_faults_of, survey_folder
from reportgen.pipeline.reading import LastRead, VersionExports, read_version
from reportgen.pipeline.scaffold import Decisions, Plan, plan_of, render
from reportgen.readers import Annotations, ExportFile, Reader, TextMarks, ratings
from reportgen.readers.reader import ReaderOptions
from reportgen.readers.recipe import UNEXPLAINED, USED, ColumnRole
from reportgen.readers.scales import FoundScale, number_of, spellings
from reportgen.readers.string_tables import StringTable, read_sheets
from reportgen.readers.survey import ExportSurvey, with_rows
from reportgen.readers.table_reading import OF_FILE, TableReading
from reportgen.readers.table_rows import RowChoice
from reportgen.units.label_checks import PASSES
from reportgen.units.unit_sets import CodedUnits

ROWS, COLUMNS, LETTERS, MOST_LABELS, MOST_PEOPLE, MOST_LEFT_OUT, MOST_WAYS = 10, 40, 90, 30, 60, 12, 4
LABELS_SHOWN = 8
# Where sums are.
LAST = 2
# Letters of a text, and annotators that have a lane.
OF_TEXT, LANES = 500, 6
OBSERVED = "observed_agreement"
# What somebody may say that a column is.
ROLES = (*USED, "text")
TABLES = (ratings.READER, ratings.WORKBOOK_READER, ratings.PARQUET_READER)
# What a row of a table is: one of labels, one of names of columns, or left out.
LABELS, NAMES, BOTH_NAMES, OUT = "labels", "names", "names-2", "out"
ABOVE, YOURS = "above the names", "you left it out"
# So much of a text is looked through for its first rows, and for those that are left out.
LOOKED_THROUGH = 2_000_000


@dataclass(frozen=True)
class GridColumn:
    """A column of a table: its name, its role where it is read, what it is otherwise, and why."""

    name: str
    role: str = ""
    beside: str = ""
    why: str = ""


@dataclass(frozen=True)
class GridRow:
    """A row of a table as its file has it: its line, its cells, what it is, and why it is left out.

    `is_apart`: there are rows before it that are not shown.
    """

    line: int
    cells: Sequence[str]
    what: str
    why: str = ""
    is_apart: bool = False


@dataclass(frozen=True)
class Grid:
    """The first and last rows of a table, and those that are left out.

    `others` is how many tables are read like it; `sheets` are those of its workbook, each with its number of
    rows and whether it is read.
    """

    file: str
    columns: Sequence[GridColumn]
    rows: Sequence[GridRow]
    number: int
    others: int = 0
    said: Sequence[str] = ()
    more_columns: int = 0
    sheets: Sequence[tuple[str, int, bool]] = ()
    header: Sequence[int] = ()
    skip_rows: Sequence[int] = ()
    may_choose: bool = True

    @property
    def unexplained(self) -> list[GridColumn]:
        """Return the columns that are not read, and of which nothing says why."""
        return [column for column in self.columns if column.beside == UNEXPLAINED]


@dataclass(frozen=True)
class ShownPiece:
    """A stretch of a text, and the label of the mark that it is in."""

    text: str
    label: str = ""


@dataclass(frozen=True)
class ShownText:
    """The beginning of a document with each annotator's marks, each in a lane."""

    document: str
    lanes: Sequence[tuple[str, Sequence[ShownPiece]]]
    more: int


@dataclass(frozen=True)
class ShownFigure:
    """What a layer gives: the coefficient, by name, its value or why there is none, and of how many units."""

    layer: str
    name: str
    value: float | None
    interval: ConfidenceInterval | None
    undefined: str
    observed: float | None
    units: int
    people: int


@dataclass(frozen=True)
class OfferedReading:
    """An answer to what tables leave open: a reading, and what it would give, or the `problem` with it."""

    reading: TableReading
    people: Sequence[str] = ()
    units: int = 0
    labels: Sequence[str] = ()
    figures: Sequence[ShownFigure] = ()
    problem: str = ""

    @property
    def gives(self) -> str:
        """Say what it would give, for a terminal."""
        if self.problem:
            return f"no figure: {self.problem}"
        figures = (
            f"{each.name} {'undefined' if each.value is None else f'{each.value:.3f}'}"
            for each in self.figures
        )
        labels = ", ".join([*self.labels[:LABELS_SHOWN], *["…"][: len(self.labels) > LABELS_SHOWN]])
        return f"{len(self.people)} annotators, {self.units:,} units, labels {labels}; {', '.join(figures)}"


@dataclass(frozen=True)
class ShownUnits:
    """A unit set: how many units there are, and of how many labels nobody marked the unit."""

    id: str
    kind: str
    primary: bool
    why: str
    units: int
    unmarked: float | None


@dataclass(frozen=True)
class OpenedTables:
    """The tables of files as rows are said to be read; `raw` are the rows of the first as its file has them.

    Where tables can't be read so, there are none, and rows alone.
    """

    tables: Sequence[StringTable] = ()
    file: str = ""
    raw: Sequence[tuple[int, Sequence[str]]] = ()
    sheets: Sequence[tuple[str, int, bool]] = ()


def open_tables(reader: Reader, files: Sequence[ExportFile], rows: RowChoice) -> OpenedTables:
    """Return the tables in files, none where they are of another format."""
    if reader not in TABLES:
        return OpenedTables()
    options = with_rows(ReaderOptions(), rows)
    tables: Sequence[StringTable] = ()
    with suppress(BadInput):
        tables = ratings.opened(reader, files, options)
    first = tables[0].file if tables else files[0]
    if reader is ratings.READER:
        return OpenedTables(tables, first.name, numbered_rows(first.text[:LOOKED_THROUGH], first.delimiter))
    if reader is ratings.PARQUET_READER:
        return OpenedTables(tables, first.name)
    sheets = read_sheets(first)
    read = {sheet.name for sheet in ratings.sheets_read(sheets, options)}
    raw = next((sheet.rows for sheet in sheets if sheet.name in read), ())
    every = [(sheet.name, len(sheet.rows), sheet.name in read) for sheet in sheets]
    return OpenedTables(tables, first.name, raw, every if len(every) > 1 else ())


def roles_of(survey: ExportSurvey) -> dict[str, ColumnRole]:
    """Return what each column of tables is, and why."""
    text = survey.columns.roles.get("text") if survey.columns else None
    roles = {
        name: ColumnRole(own.role, own.why.replace(f'"{OF_FILE}"', "the file"))
        for name, own in survey.column_roles.items()
    }
    if text:
        roles[text] = ColumnRole("text", "a text for each unit")
    return roles


def grid_of(opened: OpenedTables, roles: Mapping[str, ColumnRole], rows: RowChoice) -> Grid | None:
    """Return the grid of the first table, None where there is none; `roles` are what its columns are."""
    if not opened.tables:
        if not opened.raw:
            return None
        width = max(len(cells) for _, cells in opened.raw[:ROWS])
        columns = [GridColumn("") for _ in range(min(width, COLUMNS))]
        shown = [
            GridRow(line, [*map(_short, cells)], NAMES if line in rows.header else LABELS)
            for line, cells in opened.raw[:ROWS]
        ]
        return Grid(opened.file, columns, shown, len(opened.raw), sheets=opened.sheets, header=rows.header)
    first = opened.tables[0]
    places = [place for place, name in enumerate(first.header) if name][:COLUMNS]
    # Rows of a database have no lines.
    lines = first.lines if len(first.lines) > 1 else range(len(first.rows) + 1)
    mended = first.mended
    header = rows.header or mended.header or (lines[0],)
    out = {line: mended.why.get(line, YOURS) for line in mended.skip_rows}
    every = range(len(first.rows))
    kept = {lines[first.rows[at]]: at for at in {*every[: ROWS + len(out)], *every[-LAST:]}}
    raw = [(line, cells) for line, cells in opened.raw if any(map(str.strip, cells))]
    raw = raw or [(lines[0], first.header), *((line, ()) for line in [*kept][:ROWS])]
    last = [line for line, _ in raw[-LAST:]]
    shown, left, labelled, apart = list[GridRow](), MOST_LEFT_OUT, ROWS, False
    for line, cells in raw:
        is_out = line in out or line < header[0]
        if (left if is_out else labelled) <= 0 and line not in (*header, *last):
            apart = True
            continue
        at = kept.get(line)
        own = [cells[place] if place < len(cells) else "" for place in places]
        own = own if at is None else [str(first.columns[place][at]) for place in places]
        what = NAMES if line in header else OUT if is_out else LABELS
        why = "" if what != OUT else out.get(line, ABOVE)
        shown.append(GridRow(line, [*map(_short, own)], what, why, is_apart=apart))
        left, labelled, apart = left - is_out, labelled - (what == LABELS), False
    return Grid(
        first.file.name,
        [_grid_column(first.header[place], roles) for place in places],
        shown,
        len(first.rows),
        len(opened.tables) - 1,
        mended.sentences,
        sum(map(bool, first.header)) - len(places),
        opened.sheets,
        header,
        mended.skip_rows,
        may_choose=bool(opened.raw),
    )


def _grid_column(name: str, roles: Mapping[str, ColumnRole]) -> GridColumn:
    found = roles.get(name, ColumnRole("", ""))
    return GridColumn(name, *((found.role, "") if found.role in ROLES else ("", found.role)), found.why)


def chosen_rows(grid: Grid, rows: RowChoice, form: Mapping[str, str]) -> RowChoice:
    """Return which rows and sheets are read after a form was sent; what nobody changed stays."""
    header, skipped = rows.header, {*grid.skip_rows}
    for number, row in enumerate(grid.rows):
        what = form.get(f"row-{row.line}", row.what)
        if form.get("do") == f"row-{row.line}":
            what = LABELS
        if what == form.get(f"was-row-{row.line}", row.what):
            continue
        if what in (NAMES, BOTH_NAMES):
            above = grid.rows[max(number - 1, 0)].line
            header = tuple(sorted({above, row.line})) if what == BOTH_NAMES else (row.line,)
        (skipped.add if what == OUT else skipped.discard)(row.line)
    read = {name for name, _, is_read in grid.sheets if is_read}
    for number, (name, _, _) in enumerate(grid.sheets):
        now, was = (form.get(f"{start}sheet-{number}", "") for start in ("", "was-"))
        if now != was:
            (read.add if now else read.discard)(name)
    is_same = read == {name for name, _, is_read in grid.sheets if is_read}
    return RowChoice(
        header,
        rows.skip_rows if skipped == {*grid.skip_rows} else tuple(sorted(skipped)),
        rows.sheets if is_same else tuple(name for name, _, _ in grid.sheets if name in read),
    )


def _short(cell: object) -> str:
    text = str(cell)
    return text if len(text) <= LETTERS else f"{text[:LETTERS]}…"


def shown_text(annotations: Annotations) -> ShownText | None:
    """Return the beginning of the first text that somebody marked, None where there is none."""
    content = annotations.content
    if not isinstance(content, TextMarks) or not content.texts or not len(content.document):
        return None
    document = int(content.document.min())
    text = content.texts[document]
    lanes = []
    for annotator, name in enumerate(content.annotators[:LANES]):
        marks = (content.document == document) & (content.annotator == annotator)
        own = marks[content.span_mark]
        spans = sorted(
            zip(
                content.span_start[own].tolist(),
                content.span_end[own].tolist(),
                content.label[content.span_mark[own]].tolist(),
                strict=True,
            )
        )
        lanes.append((name, list(_pieces(text[:OF_TEXT], spans, content.labels))))
    return ShownText(content.documents[document], lanes, len(content.documents) - 1)


def _pieces(text: str, spans: Sequence[tuple[int, int, int]], labels: Sequence[str]) -> Iterator[ShownPiece]:
    cuts = sorted({0, len(text), *(at for start, end, _ in spans for at in (start, end) if at < len(text))})
    for start, end in pairwise(cuts):
        own = [labels[label] for first, last, label in spans if first <= start and end <= last]
        yield ShownPiece(text[start:end], " + ".join(dict.fromkeys(own)))


def of_version(survey: Survey, version: str) -> VersionSurvey:
    """Return a version, the newest where there is none that is called so."""
    return next((each for each in survey.versions if each.id == version), survey.versions[-1])


def read_as_built(
    folder: Path, version: str, last: LastRead | None = None, text: str | None = None
) -> VersionExports:
    """Return what a version of a campaign says, else its newest one, as `build` reads it.

    `text` is what its campaign.toml would say.
    """
    campaign = asked.load(folder, text=text)
    known = version if version in campaign.versions else campaign.versions[-1]
    return read_version(campaign, campaign.version(known), last)


def figures(read: VersionExports) -> list[ShownFigure]:
    """Return the primary coefficient of each layer, on its primary units."""
    shown = []
    for layer, study in zip(read.version.layers, read.studies, strict=True):
        units = next((units for units in study.unit_sets if units.primary), study.unit_sets[0])
        of_all = UnitsOfAll(units, count(units), setting_of(units, read.distances))
        name = read.chosen[layer.id].coefficient
        estimate = measures_of(of_all, name).get(name)
        if estimate is None:
            continue
        observed = measures_of(of_all, OBSERVED).get(OBSERVED)
        shown.append(
            ShownFigure(
                layer.id,
                measure_of(name).name,
                estimate.value,
                estimate.interval if isinstance(estimate.interval, ConfidenceInterval) else None,
                estimate.undefined or "",
                observed.value if observed else None,
                int(units.weight.sum()),
                len(units.annotators),
            )
        )
    return shown


def unit_sets(read: VersionExports, plan: Plan) -> list[ShownUnits]:
    """Return the unit sets of the first layer, and how large the category of unmarked units is in each."""
    decided: Decisions = plan["decided"]
    return [
        ShownUnits(
            units.id,
            units.kind,
            units.primary,
            decided.whys.get(units.id, ""),
            int(units.weight.sum()),
            _unmarked(units),
        )
        for study in read.studies[:1]
        for units in study.unit_sets
    ]


def _unmarked(units: CodedUnits) -> float | None:
    """Return the share of labels that say that nothing was marked, None where none can."""
    weight = units.row_weight
    if units.non_annotated < 0 or not weight.sum():
        return None
    return float(weight[units.label == units.non_annotated].sum() / weight.sum())


def answers(
    survey: Survey, found: VersionSurvey, decided: Decisions, ours: Collection[str] = ()
) -> Iterator[OfferedReading]:
    """Yield the readings of a version that remain, each with what it would give: nothing is written."""
    for reading in found.export_survey.ways[:MOST_WAYS]:
        own = decided.model_copy(update={"readings": decided.readings | {found.id: reading}})
        try:
            tried = survey_folder(survey.folder, own.readings, ours, own.rows)
            read = read_as_built(survey.folder, found.id, text=render(plan_of(tried, own)))
        except BadInput as error:
            yield OfferedReading(reading, problem=error.problems[0].message if error.problems else "")
        else:
            each = of_version(tried, found.id).export_survey
            yield OfferedReading(
                reading, each.annotators, each.units, [*each.as_one_layer.labels], figures(read)
            )


def understood(survey: Survey, version: VersionSurvey, decided: Decisions) -> dict[str, Any]:
    """Return what a page says of the files of a version before anything is computed."""
    own, plan = version.export_survey, plan_of(survey, decided)
    roles = dict.fromkeys(own.annotators, "person")
    for annotations in own.read:
        roles |= {name: role for name, role in annotations.roles.items() if name in roles}
    roles |= {name: "model" for name in plan["models"] if name in roles}
    roles |= {name: role for name, role in plan["roles"].items() if name in roles}
    roles = {name: "person" if role == "annotator" else role for name, role in roles.items()}
    layers = [layer for layer in plan["layers"] if layer["active"] or layer["source"] in decided.left_out]
    by_source = {layer.source: layer for layer in own.layers}
    if not own.layers:
        labels = own.as_one_layer.labels
        found = decided.scale_of("", own.as_one_layer.scale, labels)
        shown = [_layer("", "", found, labels, decided)]
    else:
        shown = [
            _layer(layer["source"], layer["id"], layer["scale"], by_source[layer["source"]].labels, decided)
            for layer in layers
            if layer["source"] in by_source
        ]
    for number, layer in enumerate(shown):
        layer["number_of"] = number
    return {
        "survey": own,
        "tool": version.files.reader.title,
        "files": len(version.files.read),
        "unread": [file.name for file in version.files.unread],
        "versions": [each.id for each in survey.versions],
        "version": version.id,
        "people": dict([*roles.items()][:MOST_PEOPLE]),
        "everybody": len(roles),
        "layers": shown,
        "plan": plan,
        "marks": sum(layer["number"] for layer in shown if layer["used"]),
        "missing": sum(annotations.missing for annotations in own.read)
        + sum(layer["missing"] for layer in shown if layer["used"]),
        "alike": _alike(own, shown, decided),
        "passed_over": _passed_over(own.read),
        "told": list(_told(version)),
    }


def _told(version: VersionSurvey) -> Iterator[Problem]:
    """Yield what is to be looked at in the files of a version, although it stops nothing."""
    for annotations in version.export_survey.read:
        yield from annotations.warnings
    for fault in label_faults_of(version):
        if fault.key == PASSES:
            yield Problem("", key=fault.key, message=fault.message, remedy=fault.remedy)


def _alike(
    survey: ExportSurvey, layers: Sequence[Mapping[str, Any]], decided: Decisions
) -> Mapping[str, str]:
    """Return labels that may be others in another spelling, where that is to be asked: of words in tables."""
    if decided.alike is not None or survey.columns is None:
        return {}
    labels: Counter[str] = Counter()
    for layer in layers:
        if layer["used"] and not layer["more"] and layer["scale"].scale in ("nominal", "ordinal"):
            labels.update(layer["labels"])
    return spellings(labels)


def _passed_over(read: Sequence[Annotations]) -> list[tuple[str, int]]:
    """Return why labels are left out, in words, and how many; what several layers leave out counts once."""
    marks = dict[str, int]()
    for annotations in read:
        own = Counter[str]()
        for group in annotations.left_out:
            own[group.reason] += group.marks
        marks |= {why: max(number, marks.get(why, 0)) for why, number in own.items()}
    return sorted(marks.items(), key=lambda each: -each[1])


def _layer(
    source: str,
    identity: str,
    scale: FoundScale,
    labels: Mapping[str, int],
    decided: Decisions,
) -> dict[str, Any]:
    absent, labels = set(scale.missing), decided.renamed(labels)
    present = {name: times for name, times in labels.items() if name not in absent}
    are_numbers = all(number_of(name) is not None for name in present)
    if are_numbers:
        present = dict(sorted(present.items(), key=lambda each: number_of(each[0]) or 0.0))
    # The order of numbers is known.
    known = scale.order or scale.could_be
    order = [] if are_numbers else [*known, *(name for name in present if name not in known)]
    return {
        "source": source,
        "id": identity,
        "scale": scale,
        "labels": dict([*present.items()][:MOST_LABELS]),
        "absent": {name: labels.get(name, 0) for name in scale.missing},
        "more": max(0, len(present) - MOST_LABELS),
        "order": order if len(order) <= MOST_LABELS else [],
        "number": sum(present.values()),
        "missing": sum(labels[name] for name in absent if name in labels),
        "coded_times": sum(labels.get(name, 0) for name in scale.coded),
        "used": source not in decided.left_out or not source,
    }
