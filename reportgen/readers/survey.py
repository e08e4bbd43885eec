"""What an export holds, for somebody who writes its campaign: columns, layers, labels, units."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.readers import counts_folder, crowd, labels_json, ratings
from reportgen.readers.annotations import Ratings, TextMarks
from reportgen.readers.counted import CountedLayer, LayerDescribed
from reportgen.readers.group_columns import attribute_columns
from reportgen.readers.layers_of_marks import (
    MARKS,
    RELATIONS,
    assemble,
    listed,
    name_key,
    with_one_spelling,
)
from reportgen.readers.reader import (
    COLUMN_ROLES,
    Annotations,
    Export,
    ExportFile,
    Reader,
    ReaderOptions,
)
from reportgen.readers.recipe import ColumnRole, roles_read
from reportgen.readers.roles_of_marks import (
    LabelledLayer,
    as_one_layer,
    by_count,
    parts_of,
    separate_layers,
)
from reportgen.readers.scales import FoundScale, find_scale
from reportgen.readers.string_tables import AS_FOUND, StringTable
from reportgen.readers.table_columns import is_called_text
from reportgen.readers.table_reading import (
    OF_FILE,
    TableReading,
    as_before,
    by_names,
    find_reading,
    options_of,
    readings_of,
    rows_looked_at,
)
from reportgen.readers.table_refusals import JOIN, SeveralReadings
from reportgen.readers.table_rows import Mended, RowChoice
from reportgen.readers.table_shapes import TableColumns, likeliest

TO_FILL_IN = "…"
HALF = 0.5
# So many characters has a text on average; a name or a label has fewer.
LONG = 20


@dataclass(frozen=True)
class ColumnRoles:
    """The columns of a table: their names, and which of them is what.

    `roles` maps "unit", "annotator", "document", "label", "pass" and "text" to names; `labels` are the
    columns that could hold labels, the likeliest first. Where `understood` is false, both are guesses.
    """

    names: tuple[str, ...]
    roles: Mapping[str, str]
    labels: tuple[str, ...]
    understood: bool


def guess_columns(tables: Sequence[StringTable]) -> ColumnRoles:
    """Return what the columns that all tables share most likely are, where no reading is certain."""
    columns = _shared(tables)
    guess = likeliest(columns)
    roles = {"unit": guess.units[0], "annotator": guess.annotator} if guess.annotator else {}
    labels = tuple(name for name in guess.labels if name not in _groups(tables, roles))
    roles |= {"label": labels[0]} if labels else {}
    text = _text(columns, roles.values(), guess.units)
    return ColumnRoles(tuple(columns.all), roles | text, labels, understood=False)


def _shared(tables: Sequence[StringTable]) -> TableColumns:
    """Return the columns that all tables share, with the rows of the first that are looked at."""
    every = rows_looked_at(tables[0]).all
    shared = [name for name in every if name != OF_FILE and all(name in table.header for table in tables)]
    return TableColumns({name: every[name].cells for name in shared})


def _text(columns: TableColumns, used: Collection[str], units: Sequence[str]) -> dict[str, str]:
    """Return the column of the units' texts: called so, long, and of one unit most often one of its own."""
    units = [name for name in units if name in columns.all]
    number = int(columns.codes(units).max(initial=-1)) + 1 if units else columns.rows
    for name, column in columns.all.items():
        is_long = sum(map(len, column.counts)) >= LONG * column.distinct > 0
        differ = column.distinct >= HALF * min(number, column.filled)
        of_units = not units or columns.follows(name, units)
        if name not in used and is_called_text(name) and is_long and differ and of_units:
            return {"text": name}
    return {}


# What a survey of an export tells.


@dataclass(frozen=True)
class ExportSurvey:
    """What one export holds.

    - `annotators` in the order of the files; `roles` are those that the tool gives to some.
    - `documents`, and on how many of them (or of the units, in a table) nobody made a mark.
    - `units`: how many a table lists, 0 for documents.
    - `as_one_layer`: all labels together.
    - `layers`: what the campaign should treat one by one, empty where everything is one layer.
    - `aside`: what else the export has, each with the reason why it is none of these layers.
    - `besides`: how much is in the files of what no reader takes for marks, such as notes.
    - `sources`: all that could be a layer.
    - `ordered`: whether the labels are in the export's own order.
    - `set_separator`: what separates the members of labels that are sets, None where they are not.
    - `columns`: which columns a table has, None where the export is none.
    - `scale`: that of categories, where the export says it: it holds counts. Its units are then known too.
    - `problems`: what has to be corrected before a report can be built.
    - `read`: its layers as they are read, none where columns are to be chosen, or where it holds counts.
    - `recorded`: whether marks are in recordings, which have no text.
    - `reading`: how tables are read, where columns do not say it by themselves; `mended` what they have
      besides a header and rows.
    - `groups`: the columns of what annotators are, which can be `columns.group`.
    - `ways`: the readings of which one is to be chosen; `is_said`: somebody said how tables are read.
    - `rows`: which sheets and rows somebody said are read.
    """

    annotators: tuple[str, ...]
    documents: int
    unmarked: int
    as_one_layer: LabelledLayer
    units: int = 0
    roles: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[LabelledLayer, ...] = ()
    aside: tuple[LabelledLayer, ...] = ()
    besides: Mapping[str, int] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    ordered: bool = False
    set_separator: str | None = None
    columns: ColumnRoles | None = None
    scale: str = ""
    problems: tuple[Problem, ...] = ()
    read: tuple[Annotations, ...] = field(default=(), compare=False, repr=False)
    recorded: bool = False
    reading: TableReading | None = None
    mended: Mended = field(default_factory=Mended)
    groups: tuple[str, ...] = ()
    ways: tuple[TableReading, ...] = ()
    is_said: bool = False
    rows: RowChoice = field(default_factory=RowChoice)

    def has(self, source: str) -> bool:
        """Say whether the export has everything that a layer's source names."""
        keys = set(map(name_key, self.sources))
        return source in (MARKS, RELATIONS) or all(name_key(part) in keys for part in parts_of(source))

    @property
    def column_roles(self) -> Mapping[str, ColumnRole]:
        """What each column of tables is, and why, as they are read."""
        return self.reading.roles if self.reading else {}

    @property
    def in_texts(self) -> bool:
        """Say whether every layer is of marks in texts."""
        return all(layer.kind == "texts" for layer in self.layers or (self.as_one_layer,))

    @property
    def to_choose(self) -> bool:
        """Say whether it is still to be said which column is what."""
        return self.columns is not None and not self.columns.understood


# What copies of documents hold.


def of_documents(export: Export, format_name: str) -> ExportSurvey:
    """Return what the copies hold, with the layers that the campaign should treat one by one."""
    copies = [copy for copy in export.copies if copy.state == "seen"]
    marks = [mark for copy in copies for mark in copy.marks]
    described = list(separate_layers(export, copies, marks))
    layers = tuple(layer for layer in described if layer.no_decision is None)
    documents = {copy.document for copy in export.copies}
    options = [ReaderOptions(source=layer.source) for layer in layers]
    read: tuple[Annotations, ...] = ()
    problems: tuple[Problem, ...] = ()
    try:
        read = tuple(assemble(export, options or [ReaderOptions()], format_name))
    except BadInput as error:  # something between the copies, such as different texts of one document
        problems = error.problems
    together, used = as_one_layer(export, copies, marks), {mark.type for mark in marks}
    declared = () if export.by_feature or not used <= {*export.declared} else export.declared
    if declared:  # also what nobody used
        together = replace(together, labels={name: together.labels.get(name, 0) for name in declared})
        layers = tuple(
            replace(layer, labels={name: layer.labels[name] for name in declared if name in layer.labels})
            if layer.labels.keys() <= {*declared}
            else layer
            for layer in layers
        )
    besides = Counter(export.not_compared)
    for left in export.left_out:
        besides[left.reason] += left.marks
    return ExportSurvey(
        annotators=tuple(dict.fromkeys(copy.annotator for copy in export.copies)),
        roles={copy.annotator: copy.role for copy in export.copies if copy.role != "annotator"},
        documents=len(documents),
        unmarked=len(documents - {copy.document for copy in copies if copy.marks}),
        as_one_layer=together,
        ordered=bool(declared),
        layers=layers,
        aside=tuple(layer for layer in described if layer.no_decision is not None),
        besides=+besides,
        sources=(*listed(copies, by_feature=False), *listed(copies, by_feature=False, relations=True)),
        problems=problems,
        read=read,
        recorded=any(copy.length is not None for copy in export.copies),
    )


# What a table of labels holds.


def label_counts(annotations: Annotations) -> dict[str, int]:
    """Return how often each label was given, the commonest first unless the export has an order."""
    content = annotations.content
    weight = content.weight[content.unit] if isinstance(content, Ratings) else None
    if isinstance(content, CountedLayer):
        return dict(content.described.material.labels)
    counts = np.bincount(content.label, weights=weight, minlength=len(content.labels)).astype(np.int64)
    return dict(zip(content.labels, counts.tolist(), strict=True))


def scale_of(annotations: Annotations, categories: Collection[str] = ()) -> FoundScale:
    """Return the scale that labels are on; types of marks, and what was counted, are names.

    What is among the declared `categories` is a label, also where it looks missing.
    """
    if isinstance(annotations.content, CountedLayer):
        return FoundScale()
    found = find_scale(label_counts(annotations), annotations.called, categories, annotations.control)
    # In a tool's export a label was chosen, whatever it looks like.
    return found if annotations.attendance is None else replace(found, missing=())


def without_labels(annotations: Annotations, labels: Collection[str]) -> Annotations:
    """Return labels of units without those that stand for none."""
    ratings = annotations.ratings
    kept = ~np.isin(ratings.label, [code for code, name in enumerate(ratings.labels) if name in labels])
    names = [name for name in ratings.labels if name not in labels]
    codes = np.array([names.index(name) if name in names else -1 for name in ratings.labels], dtype=np.int64)
    places = np.flatnonzero(kept)
    own = replace(
        ratings,
        location=lambda mark: ratings.location(int(places[mark])),
        labels=tuple(names),
        unit=ratings.unit[kept],
        annotator=ratings.annotator[kept],
        label=codes[ratings.label[kept]],
        mark_pass=ratings.mark_pass[kept],
    )
    dropped = int((~kept).sum())
    return replace(
        annotations,
        content=own,
        marks_read=annotations.marks_read - dropped,
        missing=annotations.missing + dropped,
    )


def of_labels(annotations: Annotations, columns: ColumnRoles | None) -> ExportSurvey:
    """Return what a table, or a matrix, holds."""
    found = scale_of(annotations)
    if found.missing:
        annotations = without_labels(annotations, found.missing)
    content = annotations.content
    if isinstance(content, TextMarks):
        ratings, units, marked = None, len(content.documents), content.document
    else:
        ratings = content = annotations.ratings
        units, marked = len(ratings.unit_names), ratings.unit
    labels = label_counts(annotations)
    survey = ExportSurvey(
        annotators=content.annotators,
        documents=len(content.documents),
        unmarked=units - len(np.unique(marked)),
        units=int(ratings.weight.sum()) if ratings is not None else 0,
        roles=annotations.roles,
        as_one_layer=LabelledLayer(
            None, by_count(labels.items()), "items" if ratings is not None else "texts", scale=found
        ),
        columns=columns,
        read=(annotations,) if columns is None or columns.understood else (),
    )
    if ratings is None:
        return survey
    if ratings.ordered:
        return replace(survey, ordered=True, as_one_layer=LabelledLayer(None, labels, "items", scale=found))
    return replace(survey, set_separator=found.separator)


# What a folder of counts holds.


def _of_counted_layers(first: Annotations, layers: Sequence[LayerDescribed]) -> ExportSurvey:
    labelled: list[LabelledLayer] = []
    counts: Counter[str] = Counter()
    for layer in layers:
        counted = layer.material.labels
        # In the order of the categories.
        names = dict.fromkeys((*(name for units in layer.unit_sets for name in units.categories), *counted))
        labels = {name: counted[name] for name in names if name in counted}
        labelled.append(LabelledLayer(layer.id, labels, "items"))
        counts.update(labels)
    people = dict.fromkeys(name for layer in layers for name in layer.annotators)
    primary = next((unit_set for unit_set in layers[0].unit_sets if unit_set.primary), layers[0].unit_sets[0])
    # Where marks overlap in some unit sets alone, labels are sets in these: the scale is that of the others.
    scales = [primary.scale, *(unit_set.scale for layer in layers for unit_set in layer.unit_sets)]
    return ExportSurvey(
        annotators=tuple(people),
        documents=max(layer.material.documents for layer in layers),
        unmarked=0,
        as_one_layer=LabelledLayer(None, dict(counts), "items"),
        units=primary.units_read + primary.units_added - sum(primary.units_left_out.values()),
        roles=first.roles,
        layers=tuple(labelled) if len(labelled) > 1 else (),
        sources=tuple(layer.id for layer in layers),
        ordered=True,
        scale=next((scale for scale in scales if scale != "set"), primary.scale),
    )


# From files of one format to what they hold.

NOTHING = LabelledLayer(None, {}, "items")
NEEDED = 3  # unit, annotator and label


def look(
    reader: Reader,
    files: Sequence[ExportFile],
    said: TableReading | None = None,
    before: TableReading | None = None,
    rows: RowChoice | None = None,
) -> ExportSurvey:
    """Return what the files hold that a reader reads; raise BadInput for those that are faulty.

    Columns that can be read in several ways are no fault: what remains is to be chosen. `said` is how tables
    are to be read, `before` what was said of an older version, which holds where it fits; `rows` says which
    sheets and rows are read.
    """
    rows = rows or RowChoice()
    if reader is counts_folder.READER:
        # What a folder of counts holds; each of several layers is one to treat by itself. Categories are in
        # the order in which they were counted. Raises BadInput for files that are faulty.
        exports = counts_folder.every_layer(files)
        contents = [export.content for export in exports if isinstance(export.content, CountedLayer)]
        return _of_counted_layers(exports[0], [content.described for content in contents])
    if reader in (ratings.READER, ratings.WORKBOOK_READER, ratings.PARQUET_READER):
        return _of_tables(
            reader, files, ratings.opened(reader, files, with_rows(AS_FOUND, rows)), said, before, rows
        )
    if reader is crowd.READER:
        return replace(_as_read(reader, files, crowd.questions(files)), groups=crowd.attributes(files))
    if reader is labels_json.READER and (tables := labels_json.tables_of(files, ReaderOptions())):
        return _of_tables(reader, files, tables, said, before, RowChoice())
    return _as_read(reader, files, ())


def _as_read(reader: Reader, files: Sequence[ExportFile], asked: Sequence[str]) -> ExportSurvey:
    """Return what files hold whose columns need not be found out, question by question."""
    if survey := _of_questions(reader, files, ReaderOptions(), asked):
        return survey
    try:
        content = reader.read(files, ReaderOptions(surveyed=True))
    except BadInput as error:
        return _to_fill_in(error)
    if isinstance(content, Annotations):
        return of_labels(content, None)
    return of_documents(with_one_spelling(content), reader.name)


def with_rows(options: ReaderOptions, rows: RowChoice) -> ReaderOptions:
    """Return options with what somebody said of rows and sheets."""
    return replace(options, header=rows.header, skip_rows=rows.skip_rows, sheets=rows.sheets)


def _of_tables(  # noqa: PLR0913, PLR0917 - files, and all that was said of them
    reader: Reader,
    files: Sequence[ExportFile],
    tables: Sequence[StringTable],
    said: TableReading | None,
    before: TableReading | None,
    rows: RowChoice,
) -> ExportSurvey:
    """Return what tables hold, question by question; what is to be chosen where there are several ways."""
    if not tables:  # a matrix
        return _of_whole(reader, files, ReaderOptions(), None)
    understood = partial(_as_understood, reader, files, tables, rows)
    if said and not said.is_whole:
        message = "has no labels, as its columns are said to be."
        remedy = "Say which columns have the labels of two annotators, or who labelled, and which has labels."
        raise tables[0].refused("columns", message, remedy)
    if said:
        return understood(said, is_said=True)
    if before and (same := as_before(None, before, tables)):
        with suppress(BadInput):
            return understood(same, is_said=True)
    try:
        found = find_reading(tables, ReaderOptions())
        reading = as_before(found, before, tables) if before else found
        return understood(reading, is_said=False)
    except BadInput as error:
        return replace(_to_choose(reader, files, tables, error), rows=rows)


def _as_understood(  # noqa: PLR0913 - as above
    reader: Reader,
    files: Sequence[ExportFile],
    tables: Sequence[StringTable],
    rows: RowChoice,
    reading: TableReading | None,
    *,
    is_said: bool,
) -> ExportSurvey:
    """Return what tables hold by a reading; raise BadInput where they can't be read so."""
    options = options_of(reading) if reading else ReaderOptions()
    options = with_rows(options, rows)
    reading = reading or by_names(tables)
    survey = _of_questions(reader, files, options, reading.questions) or _of_whole(
        reader, files, options, _columns_as_read(tables, reading)
    )
    mended = tables[0].mended if len(tables) == 1 else _together(tables)
    roles = survey.columns.roles if survey.columns else {}
    groups = () if reader is labels_json.READER else _groups(tables, roles)
    return replace(survey, reading=reading, mended=mended, groups=groups, is_said=is_said, rows=rows)


def _groups(tables: Sequence[StringTable], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns of what annotators are, where columns have these roles."""
    unit = roles.get("unit", "")
    return attribute_columns(
        tables, roles.get("annotator"), [roles.get("document", ""), unit, *unit.split(JOIN)]
    )


def _together(tables: Sequence[StringTable]) -> Mended:
    """Return what all tables have in common besides their rows: each file has lines of its own."""
    first, *others = (table.mended for table in tables)
    same = {
        name: getattr(first, name)
        for name in ("fill_down", "encoding", "decimal")
        if all(getattr(other, name) == getattr(first, name) for other in others)
    }
    return Mended(**same)


def _of_whole(
    reader: Reader, files: Sequence[ExportFile], options: ReaderOptions, columns: ColumnRoles | None
) -> ExportSurvey:
    content = reader.read(files, options)
    if isinstance(content, Export):  # no table is one
        raise TypeError
    return of_labels(content, columns)


def _columns_as_read(tables: Sequence[StringTable], reading: TableReading) -> ColumnRoles:
    """Return the columns as they are read."""
    columns = _shared(tables)
    roles = {role: name for role, name in reading.named.items() if not name.startswith("{")}
    units = [*filter(None, (*reading.shape.units, reading.shape.document))]
    text = _text(columns, roles_read(reading.shape), units)
    return ColumnRoles(tuple(columns.all), roles | text, (), understood=True)


def _of_questions(
    reader: Reader, files: Sequence[ExportFile], options: ReaderOptions, questions: Sequence[str]
) -> ExportSurvey | None:
    """Return what tables of several questions hold, each a layer; None where there is one question."""
    if len(questions) < 2:
        return None
    layers, read = list[LabelledLayer](), list[Annotations]()
    for question in questions:
        own = replace(options, columns={**options.columns, "label": question})
        survey = _of_whole(reader, files, own, None)
        layers.append(replace(survey.as_one_layer, source=question))
        read += survey.read
    first = of_labels(read[0], ColumnRoles((), options.columns, (), understood=True))
    labels: Counter[str] = Counter()
    for layer in layers:
        labels.update(layer.labels)
    return replace(
        first,
        annotators=tuple(dict.fromkeys(name for own in read for name in own.content.annotators)),
        as_one_layer=LabelledLayer(None, by_count(labels.items()), "items"),
        layers=tuple(layers),
        sources=tuple(questions),
        read=tuple(read),
    )


def _to_choose(
    reader: Reader, files: Sequence[ExportFile], tables: Sequence[StringTable], error: BadInput
) -> ExportSurvey:
    """Return what is to be chosen, with a guess; raise the error where no column is asked for."""
    asked = [problem.key for problem in error.problems]
    if not asked or not all(key == "columns" or key.startswith("columns.") for key in asked):
        raise error
    columns = guess_columns(tables)
    ways = readings_of(tables, error.ways) if isinstance(error, SeveralReadings) else ()
    content = None
    if len(columns.roles) >= NEEDED:
        with suppress(BadInput):
            content = reader.read(files, ReaderOptions(columns=columns.roles))
    if isinstance(content, Annotations) and isinstance(content.content, Ratings):
        return replace(of_labels(content, columns), roles={}, problems=error.problems, ways=ways)
    return ExportSurvey((), 0, 0, NOTHING, columns=columns, problems=error.problems, ways=ways)


def _to_fill_in(error: BadInput) -> ExportSurvey:
    """Return nothing but the columns that a reader asks for; raise its error where it asks for none."""
    asked = {problem.key for problem in error.problems}
    roles = [role for role in COLUMN_ROLES if f"columns.{role}" in asked]
    if len(roles) < len(asked):
        raise error
    columns = ColumnRoles((), dict.fromkeys(roles, TO_FILL_IN), (), understood=False)
    return ExportSurvey((), 0, 0, NOTHING, columns=columns, problems=error.problems)
