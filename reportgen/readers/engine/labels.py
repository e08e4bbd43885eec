"""Labels where they lie, by queries: rows of labels, names as codes, units each alone or alike as one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import NO_DOCUMENT, Codes, LabelsGiven, Ratings
from reportgen.readers.document_groups import DIGITS, are_too_many
from reportgen.readers.engine.duck import (
    FILLED,
    HEAD_ROWS,
    ORD,
    DataSource,
    as_text,
    lay_table,
    listed,
    literal,
)
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, ReaderOptions, clean
from reportgen.readers.string_tables import StringTable, with_columns
from reportgen.readers.table_columns import (
    RatingsTableLayout,
    columns_of_path,
    find_layout,
    in_turn,
    reason_left_out,
)
from reportgen.readers.table_reading import of_columns
from reportgen.readers.table_refusals import refuse_texts

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection


MARKS = "marks"
# A row's number and its sheet's are one number: so many rows, times annotators, has a sheet at most.
LARGEST_SHEET = 1 << 48
# Of more sheets rows are laid down once: each query over a view of as many is planned for seconds.
VIEWED = 16
BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())


@dataclass(frozen=True, eq=False)
class LaidSheet:
    """A table as it was understood; `of_path` has what its path says, by column; `rows` is its relation."""

    table: StringTable
    layout: RatingsTableLayout
    of_path: Mapping[int, str]
    rows: str

    @property
    def width(self) -> int:
        """Return how many labels a row can hold."""
        return len(self.layout.annotators) if self.layout.label is None else 1

    def column(self, column: int | None) -> str:
        """Return SQL for a column's text, empty where there is none."""
        if column is None:
            return "''"
        if column in self.of_path:
            return literal(self.of_path[column])
        return f"nfc_normalize(coalesce(c{column}, ''))"

    def key(self, column: int | None) -> str:
        """Return SQL for the name of a unit or document as `as_compared` has it; labels are cleaned later."""
        text = self.column(column)
        if column is None or column in self.of_path:
            return text
        whole = f"regexp_replace({text}, '^(-?(?:0|[1-9][0-9]*))\\.0+$', '\\1')"
        return f"case when suffix({text}, '0') and contains({text}, '.0') then {whole} else {text} end"


def understood_sheet(
    source: DataSource, options: ReaderOptions, table: StringTable | None = None
) -> LaidSheet:
    """Return a source as it is understood, no row read; raise BadInput with all that is wrong in it.

    `table` is its beginning, where that was read before: of hundreds of files this is most of the work.
    """
    table = table or source.table()
    new, columns = columns_of_path(table, options)
    first = len(table.header)
    table = with_columns(table, new) if new else table
    layout = find_layout(table, replace(options, columns=columns))
    # What outlives the connection does not hold it.
    return LaidSheet(replace(table, unique=None), layout, dict(enumerate(new.values(), first)), "")


def lay_sheet(
    source: DataSource, number: int, options: ReaderOptions, table: StringTable | None = None
) -> LaidSheet:
    """Return a source as it is understood; raise BadInput with all that is wrong in it."""
    sheet = understood_sheet(source, options, table)
    used = [column for column in sheet.layout.used if column not in sheet.of_path]
    return replace(sheet, rows=source.relation(number, used))


def lay_marks(connection: "Connection", sheets: Sequence[LaidSheet]) -> None:
    """Make one relation of all sheets: a row for each cell that can hold a label.

    Its columns are `ord`, which rises with the order of files and rows, `file`, the sheet's number,
    `document`, `unit`, `annotator`, `label` and `pass`, empty where there is none, `own`: the number of
    the row where it is the unit, else -1, `unnamed`: the unit has no name, and `n`: how many units it is.
    """
    # A text of blanks begins with one: any other is told at its first letter.
    connection.execute(
        "create temp macro blank(text) as case when text < '!' or text >= chr(127) "
        f"then trim(text, {literal(BLANKS)}) = '' else false end"
    )
    queries = [_marks(sheet, number) for number, sheet in enumerate(sheets)]
    if len(queries) <= VIEWED:
        connection.execute(f"create temp view {MARKS} as {' union all '.join(queries)}")
        return
    with as_text():
        connection.execute(f"create temp table {MARKS} as {queries[0]}")
        for start in range(1, len(queries), VIEWED):
            connection.execute(f"insert into {MARKS} {' union all '.join(queries[start : start + VIEWED])}")


def _marks(sheet: LaidSheet, number: int) -> str:
    layout, base = sheet.layout, number * LARGEST_SHEET
    document = sheet.key(layout.document)
    common = (
        f"{number} as file, case when blank({document}) then '' else {document} end as document, "
        f"{sheet.key(layout.unit)} as unit, "
        f"{f'{base} + {ORD}' if layout.unit is None else -1}::bigint as own, "
        f"{'false' if layout.unit is None else f'blank({sheet.column(layout.unit)})'} as unnamed, "
        f"{sheet.column(layout.passes)} as pass, 1 as n"
    )
    if layout.label is not None:
        return (
            f"select {base} + {ORD} as ord, {common}, {sheet.column(layout.annotators[0])} as annotator, "
            f"{sheet.column(layout.label)} as label from {sheet.rows} where {FILLED}"
        )
    names = listed([literal(sheet.table.header[column]) for column in layout.annotators])
    labels = listed([sheet.column(column) for column in layout.annotators])
    numbers = listed(map(str, range(sheet.width)))
    inner = (
        f"select {ORD}, {common}, unnest({names}) as annotator, unnest({labels}) as label, "
        f"unnest({numbers}) as cell from {sheet.rows} where {FILLED}"
    )
    return f"select {base} + {ORD} * {sheet.width} + cell as ord, * exclude ({ORD}, cell) from ({inner})"


NOTHING = -1
Fault = tuple[int, str, str]


@dataclass(frozen=True)
class LabelGroup:
    """How often an annotator gave a label in a pass, in a file, each as it is written.

    `first` is the number of the first such row; `unnamed` of the rows have no unit, and `first_named` is the
    first of the others.
    """

    file: int
    annotator: str
    label: str
    turn: str
    rows: int
    first: int
    unnamed: int
    first_named: int | None


@dataclass(frozen=True, eq=False)
class CodedNames:
    """Names by their codes, as they are read in memory, and how many labels there are.

    `label_codes` and `pass_codes` are those of texts as they are written. `faults` has how many labels are
    left out, by file, annotator and reason, with the number of the first row. `grouped` is how many documents
    there are where `documents` are groups of them, else 0; `document` is SQL for one, or for its group.
    `given` is what annotators gave where marks do not say who they are of, else None.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    passes: tuple[str, ...]
    documents: tuple[str, ...]
    label_codes: Mapping[str, int]
    pass_codes: Mapping[str, int]
    missing: int
    marks_read: int
    faults: Mapping[Fault, tuple[int, int]]
    grouped: int = 0
    document: str = "document"
    given: LabelsGiven | None = None

    @property
    def rows(self) -> int:
        """Return how many cells there are that can hold a label."""
        return self.missing + self.marks_read

    def faulty(self, reason: str) -> int:
        """Return how many labels are left out for a reason."""
        return sum(n for (*_, why), (n, _) in self.faults.items() if why == reason)


GROUP = f"case when document = '' then '' else left(md5(document), {DIGITS}) end"


def names_in(
    connection: "Connection",
    sheets: Sequence[LaidSheet],
    options: ReaderOptions,
    grouped: int = 0,
    crowd: Sequence[LabelGroup] = (),
) -> tuple[CodedNames, Sequence[LabelGroup]]:
    """Return the names in the relation of labels, and how often they occur together.

    `grouped` is how many documents there are where rows have their groups already, else 0. `crowd` is how
    often names occur together where rows do not say who they are of, else empty.
    """
    query = (
        "select file, annotator, label, pass, sum(n)::bigint, min(ord), "
        "coalesce(sum(n) filter (unnamed), 0)::bigint, min(ord) filter (not unnamed) "
        f"from {MARKS} group by all order by min(ord), annotator, label, pass"
    )
    connection.execute(f"create temp table groups as {query}")
    _require_labels(connection, sheets[0].table)
    groups = crowd or [
        LabelGroup(*row) for row in connection.execute("from groups order by rowid").fetchall()
    ]
    # Documents in the order in which they come, with their codes in a table of that name.
    where = "false" if all(sheet.layout.document is None for sheet in sheets) else "document <> ''"
    connection.execute(
        "create temp table documents as "
        "select document, row_number() over (order by first, document) - 1 as code from "
        f"(select document, min(ord) as first from {MARKS} where {where} group by document)"
    )
    ((many,),) = connection.execute("select count(*) from documents").fetchall()
    expression = "document"
    if options.engine.kinds and not grouped and are_too_many(many, sum(group.rows for group in groups)):
        grouped, expression = many, GROUP
        connection.execute(
            "create or replace temp table documents as "
            "select document, row_number() over (order by document) - 1 as code from "
            f"(select distinct {GROUP} as document from documents)"
        )
    documents = connection.execute("select document from documents order by code").fetchall()
    names = coded_names(groups, tuple(name for (name,) in documents), options)
    given = labels_given(names, groups, options) if crowd else None
    # Rows that nobody gave have no label then.
    label_codes = {"": NOTHING, **names.label_codes} if crowd else names.label_codes
    return replace(names, grouped=grouped, document=expression, given=given, label_codes=label_codes), groups


def _require_labels(connection: "Connection", table: StringTable) -> None:
    """Raise BadInput where there are too many labels and they are no numbers, before they are fetched."""
    ((different,),) = connection.execute("select count(distinct label) from groups").fetchall()
    query = f"select label from groups where try_cast(label as double) is null limit {HEAD_ROWS}"
    texts = [label for (label,) in connection.execute(query).fetchall()]
    refuse_texts(different, texts, of_columns(table, "columns"))


def counts(group: LabelGroup, options: ReaderOptions) -> bool:
    """Say whether any of the labels of a group counts."""
    (label,) = clean([group.label], options)
    left_out = reason_left_out(group.annotator, label, options)
    return bool(label) and group.rows > group.unnamed and not left_out


def labels_given(names: CodedNames, groups: Iterable[LabelGroup], options: ReaderOptions) -> LabelsGiven:
    """Return how often each annotator gave each label that counts."""
    people = {name: code for code, name in enumerate(names.annotators)}
    given: Counter[tuple[int, int]] = Counter()
    for group in groups:
        if counts(group, options):
            given[people[group.annotator], names.label_codes[group.label]] += group.rows - group.unnamed
    rows = [(annotator, label, n) for (annotator, label), n in sorted(given.items()) if n]
    return LabelsGiven(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def coded_names(
    groups: Sequence[LabelGroup], documents: tuple[str, ...], options: ReaderOptions
) -> CodedNames:
    """Return the names of annotators and labels that count, in the order in which these come."""
    people = dict.fromkeys(group.annotator for group in groups if group.annotator.strip())
    written = list(dict.fromkeys(group.label for group in groups))
    cleaned = dict(zip(written, clean(written, options), strict=True))
    used = sorted(
        (
            group
            for group in groups
            if (label := cleaned[group.label])
            and group.rows > group.unnamed
            and not reason_left_out(group.annotator, label, options)
        ),
        key=lambda group: group.first if group.first_named is None else group.first_named,
    )
    labels = tuple(dict.fromkeys(cleaned[group.label] for group in used))
    codes = {name: code for code, name in enumerate(labels)}
    passes = in_turn(list(dict.fromkeys(group.turn for group in groups if group.turn.strip())))
    turns = {name: code for code, name in enumerate(passes)}
    return CodedNames(
        annotators=tuple(dict.fromkeys(options.annotators or people)),
        labels=labels,
        passes=tuple(passes),
        documents=documents,
        label_codes={name: codes.get(label, NOTHING) for name, label in cleaned.items()},
        pass_codes={group.turn: turns.get(group.turn, 0) for group in groups},
        missing=sum(group.rows for group in groups if not cleaned[group.label]),
        marks_read=sum(group.rows for group in groups if cleaned[group.label]),
        faults=_faults(groups, cleaned, options),
    )


def _faults(
    groups: Iterable[LabelGroup], cleaned: Mapping[str, str], options: ReaderOptions
) -> dict[Fault, tuple[int, int]]:
    number: Counter[Fault] = Counter()
    first: dict[Fault, int] = {}
    for group in groups:
        reason = reason_left_out(group.annotator, cleaned[group.label], options)
        unnamed = 0 if reason == NO_ANNOTATOR else group.unnamed
        for why, rows in ((NO_UNIT, unnamed), (reason, group.rows - unnamed)):
            if cleaned[group.label] and why and rows:
                key = group.file, group.annotator if group.annotator.strip() else "", why
                number[key] += rows
                first[key] = min(first.get(key, group.first), group.first)
    return {key: (rows, first[key]) for key, rows in number.items()}


CODED, UNITS, KINDS = "coded", "units", "kinds"
# Lists of labels are not laid down: units are grouped in parts, so that those of one fit into this share of
# the memory, at so many bytes a row.
ROW_BYTES, SHARE = 64, 0.6
UNIT = "document, unit, own"


def lay_codes(connection: "Connection", names: CodedNames) -> None:
    """Make a relation that has a code for each label that counts: its pass, its annotator and itself."""
    labels, passes = names.label_codes, names.pass_codes
    who = {"annotator varchar": names.annotators, "who bigint": range(len(names.annotators))}
    lay_table(connection, "annotator_codes", who)
    lay_table(connection, "label_codes", {"label varchar": [*labels], "what bigint": [*labels.values()]})
    lay_table(connection, "pass_codes", {"pass varchar": [*passes], "turn bigint": [*passes.values()]})
    if names.given is not None:
        # The marks of a unit are numbered in the place of who they are of.
        number = "row_number() over (partition by own, what >= 0 order by what) - 1"
        connection.execute(
            f"create temp view {CODED} as select ord, {UNIT}, n, case when what >= 0 and not unnamed then "
            f"({number}) * {max(len(names.labels), 1)} + what end as code "
            f"from {MARKS} join label_codes using (label)"
        )
        return
    counts = "what >= 0 and who is not null"
    if names.faulty(NO_UNIT):
        counts += " and not unnamed"
    turn, join = "0", ""
    if len(names.passes) > 1:
        turn, join = "turn", "join pass_codes using (pass)"
    code = f"({turn}::bigint * {max(len(names.annotators), 1)} + who) * {max(len(names.labels), 1)} + what"
    connection.execute(
        f"create temp view {CODED} as select ord, {UNIT}, n, case when {counts} then {code} end as code "
        f"from {MARKS} left join annotator_codes using (annotator) join label_codes using (label) {join}"
    )


# Units that are alike


def lay_kinds(connection: "Connection", names: CodedNames, memory: int, *, ordered: bool = True) -> None:
    """Make a table of units of a document with the same labels by the same annotators as one.

    `ordered` says whether rows have an order; without one nobody asks which of several labels came first.
    """
    parts = parts_of(names, memory)
    _group(connection, names, codes_of(names, in_order=False), parts)
    if ordered and repeated(connection, names):
        _group(connection, names, codes_of(names, in_order=True), parts)


def kinds(connection: "Connection", names: CodedNames) -> Ratings:
    """Return the units of a table of kinds, each of which weighs as many as are alike."""
    (weight,) = _columns(connection, f"select n from {KINDS} order by rowid")
    (document,) = _columns(
        connection,
        f"select coalesce(code, {NO_DOCUMENT}) from {KINDS} left join documents using (document) "
        f"order by {KINDS}.rowid",
    )
    unit, code = _columns(connection, f"select rowid, unnest(codes) from {KINDS} where codes is not null")
    rising = np.argsort(unit, kind="stable")
    units = ("",) * len(weight), document, weight
    return replace(_ratings(names, units, unit[rising], code[rising]), counted=True)


def parts_of(names: CodedNames, memory: int) -> list[str]:
    """Return what selects the units of each part: those of one fit into the memory."""
    parts = max(1, ceil(names.rows * ROW_BYTES / (memory * SHARE)))
    return [f"where hash(unit, own) % {parts} = {part}" if parts > 1 else "" for part in range(parts)]


def codes_of(names: CodedNames, *, in_order: bool) -> str:
    """Return SQL for the codes of a unit's labels.

    Which of several labels by one annotator comes first is told by the order of the rows, where it matters.
    """
    if not in_order:
        return "list_sort(list(code) filter (code is not null))"
    return f"list(code order by code // {max(len(names.labels), 1)}, ord) filter (code is not null)"


def _group(connection: "Connection", names: CodedNames, codes: str, parts: Sequence[str]) -> None:
    """Make a table of how many units of a document, or of a group of them, have the same codes."""
    connection.execute("create or replace temp table part (document varchar, codes bigint[], n bigint)")
    for only in parts:
        connection.execute(
            f"insert into part select {names.document} as document, codes, sum(n)::bigint from "
            f"(select document, {codes} as codes, any_value(n) as n from {CODED} {only} group by {UNIT}) "
            "group by all"
        )
    connection.execute(
        f"create or replace temp table {KINDS} as select document, codes, sum(n)::bigint as n from part "
        "group by document, codes order by document, codes nulls first"
    )
    connection.execute("drop table part")


def repeated(connection: "Connection", names: CodedNames, *, otherwise: bool = False) -> int:
    """Return how many units have several labels by an annotator in one pass; `otherwise`: different ones."""
    who = f"list_distinct(list_transform(codes, lambda code: code // {max(len(names.labels), 1)}))"
    told_apart = "list_distinct(codes)" if otherwise else "codes"
    query = f"select sum(n) filter (len({who}) < len({told_apart})) from {KINDS}"
    ((units,),) = connection.execute(query).fetchall()
    return int(units or 0)


# Each unit on its own


def units_alone(connection: "Connection", names: CodedNames) -> tuple[Ratings, Codes]:
    """Return the labels of each unit, as they are read in memory, and the number of each label's row."""
    connection.execute(
        f"create temp table {UNITS} as select {UNIT}, row_number() over (order by first) - 1 as number from "
        f"(select {UNIT}, min(ord) as first from {MARKS} group by {UNIT})"
    )
    (document,) = _columns(
        connection,
        f"select coalesce(code, {NO_DOCUMENT}) from {UNITS} left join documents using (document) "
        "order by number",
    )
    named = connection.execute(f"select unit from {UNITS} order by number").fetchall()
    number, code, order = _columns(
        connection,
        f"select number, code, ord from {CODED} join {UNITS} using ({UNIT}) "
        "where code is not null order by ord",
    )
    units = tuple(str(name) for (name,) in named), document, np.ones(len(document), dtype=np.int64)
    return _ratings(names, units, number, code), order


def _columns(connection: "Connection", query: str) -> list[Codes]:
    """Return the columns of a query, all of integers."""
    return [np.asarray(column).astype(np.int64) for column in connection.execute(query).fetchnumpy().values()]


def _ratings(
    names: CodedNames, units: tuple[tuple[str, ...], Codes, Codes], unit: Codes, code: Codes
) -> Ratings:
    """Return ratings of units, each with its name, document and weight, from codes of labels."""
    unit_names, document, weight = units
    labels, annotators = max(len(names.labels), 1), max(len(names.annotators), 1)
    return Ratings(
        documents=names.documents,
        annotators=names.annotators,
        labels=names.labels,
        unit_names=unit_names,
        unit_document=document,
        unit_weight=weight,
        unit=unit,
        annotator=code // labels % annotators,
        label=code % labels,
        mark_pass=code // (labels * annotators),
        grouped=names.grouped,
        given=names.given,
    )
