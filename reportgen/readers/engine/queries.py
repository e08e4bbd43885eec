"""What is asked where labels lie: one relation (document, marks, n), names as codes, margins.

Labels where they lie, by queries: rows of labels, names as codes, units each alone or alike as one.

Labels that lie elsewhere, on Spark or in a database that Ibis speaks to: only counts travel.

One expression says how many units of a document have the same labels by the same annotators. Ibis writes it
in the dialect of that place; all that follows is done to these kinds of units as to labels that DuckDB reads.

Units of very many kinds elsewhere: the sums that counts keep of them are all that travels.

A first query says how many kinds of units there are. Where these are kept as sums, another adds up how often
each two labels meet: what travels grows with labels, annotators and groups of documents, not with units. Of
units without documents it is which labels they have from whomever, and the table of every two annotators.

The query that counts a table where it lies, as a place reads it: it is shown, none is sent.
"""

import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from reportgen.base import DATABASES, SPARK, WITHOUT_LISTS
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, did_you_mean, refused, with_extra
from reportgen.base.files import InputFile as Provenance
from reportgen.base.files import nfc
from reportgen.readers.annotations import NO_DOCUMENT, Codes, Margins, Ratings, factorize, sorted_columns
from reportgen.readers.counted import (
    DIGITS,
    MOST_KINDS,
    LabelSums,
    UnitsAlike,
    alike,
    are_too_many,
    are_too_various,
    are_too_various_alone,
    contradictory_sums,
    fewest_twos,
    first_by_group,
    have_products,
    is_large_crowd,
    pair_digits,
    pair_group,
    pair_groups,
    products_of,
    sums_on,
)
from reportgen.readers.engine.places import (
    FILLED,
    HEAD_ROWS,
    ORD,
    CsvSource,
    DataSource,
    ParquetSource,
    QueriedSource,
    as_text,
    kind_of,
    lay_table,
    listed,
    literal,
)
from reportgen.readers.reader import (
    NO_ANNOTATOR,
    NO_UNIT,
    ExportFile,
    ReaderOptions,
    called_by_name,
    cleaned_labels,
)
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
    given: Margins | None = None

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
    # Raise BadInput where there are too many labels and they are no numbers, before they are fetched.
    ((different,),) = connection.execute("select count(distinct label) from groups").fetchall()
    query = f"select label from groups where try_cast(label as double) is null limit {HEAD_ROWS}"
    texts = [label for (label,) in connection.execute(query).fetchall()]
    refuse_texts(different, texts, of_columns(sheets[0].table, "columns"))
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


def counts(group: LabelGroup, options: ReaderOptions) -> bool:
    """Say whether any of the labels of a group counts."""
    (label,) = cleaned_labels([group.label], options)
    left_out = reason_left_out(group.annotator, label, options)
    return bool(label) and group.rows > group.unnamed and not left_out


def labels_given(names: CodedNames, groups: Iterable[LabelGroup], options: ReaderOptions) -> Margins:
    """Return how often each annotator gave each label that counts."""
    people = {name: code for code, name in enumerate(names.annotators)}
    given: Counter[tuple[int, int]] = Counter()
    for group in groups:
        if counts(group, options):
            given[people[group.annotator], names.label_codes[group.label]] += group.rows - group.unnamed
    rows = [(annotator, label, n) for (annotator, label), n in sorted(given.items()) if n]
    return Margins(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def coded_names(
    groups: Sequence[LabelGroup], documents: tuple[str, ...], options: ReaderOptions
) -> CodedNames:
    """Return the names of annotators and labels that count, in the order in which these come."""
    people = dict.fromkeys(group.annotator for group in groups if group.annotator.strip())
    written = list(dict.fromkeys(group.label for group in groups))
    cleaned = dict(zip(written, cleaned_labels(written, options), strict=True))
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
        document=document,
        weight=weight,
        unit=unit,
        annotator=code // labels % annotators,
        label=code % labels,
        mark_pass=code // (labels * annotators),
        grouped=names.grouped,
        margins=names.given,
    )


# Between the marks of a unit, and between what a mark says: its pass, its annotator, its label.
NEXT, WITHIN = "|", ":"
# As addresses have them: `unquote` gives every text back.
ESCAPED = {"%": "%25", NEXT: "%7C", WITHIN: "%3A"}
TITLES = {"postgres": "table of a PostgreSQL database", "duckdb": "table of a DuckDB database"}
ALIKE = "alike"


@dataclass(frozen=True)
class TableSizes:
    """How many documents and annotators a table has, cells for a label, and rows without a document."""

    documents: int
    cells: int
    people: int
    nowhere: int


class IbisSource(DataSource):
    """A table that Ibis reaches; of one that was made from files, `head` is its header and first rows."""

    def __init__(
        self,
        connection: "Connection",
        file: ExportFile,
        expression: Any,  # noqa: ANN401 - Ibis is imported where it is needed
        head: StringTable | None = None,
        dialect: str | None = None,
    ) -> None:
        """Take a table by its Ibis expression; `dialect` is that of a place to which nothing is sent."""
        super().__init__(connection, file)
        self.expression, self.head, self.dialect = expression, head, dialect

    def text(self, column: int) -> Any:  # noqa: ANN401
        """Return a column as text, empty where there is none."""
        return self.expression[column].cast("string").fill_null("")

    def table(self) -> StringTable:
        """Return the header and the first rows."""
        head = self.head or self._read_head()
        return replace(head, count_lines=lambda: [0], unique=self.is_unique)

    def _read_head(self) -> StringTable:
        header = list(self.expression.columns)
        texts = {f"c{column}": self.text(column) for column in range(len(header))}
        head = self.expression.select(**texts).limit(HEAD_ROWS).to_pyarrow()
        body = zip(*(column.to_pylist() for column in head.columns), strict=True)
        name = self.expression.get_backend().name
        return self._large(header, body, TITLES.get(name, f"table, {name}"))

    def is_unique(self, column: int) -> bool:
        """Say whether each row has a value of its own in a column."""
        texts = self.text(column).nunique()
        counted = self.expression.aggregate(rows=self.expression.count(), texts=texts).to_pyarrow()
        return bool(counted["rows"][0] == counted["texts"][0])

    def most_different(self, columns: Sequence[int]) -> int:
        """Return how many different texts are in the column that has the most of them."""
        different = {f"c{column}": self.text(column).nunique() for column in columns}
        counted = self.expression.aggregate(**different).to_pyarrow() if different else {}
        return max((int(counted[name][0].as_py()) for name in different), default=0)

    def rows(self, used: Iterable[int]) -> str:  # noqa: ARG002
        """Return SQL for no rows: none is read here."""
        return f"(select '' as c0, 0 as {ORD} where false)"

    def relation(self, number: int, used: Sequence[int]) -> str:  # noqa: ARG002
        """Return SQL for no rows: none is read here."""
        return self.rows(used)

    def alike(self, sheet: LaidSheet, *, in_groups: bool = False, named: bool = True) -> Any:  # noqa: ANN401
        """Return the expression that says how many units of a document, or a group, have the same marks.

        Its columns are `document`, `unnamed`, which says that the units have no name, `marks` and `n`. Unless
        they are `named`, marks do not say who they are of.
        """
        import ibis

        rows = self._units(sheet, named=named)
        if in_groups:
            rows = rows.mutate(document=ibis.ifelse(rows.document == "", "", self.group_of(rows.document)))
        return rows.group_by("document", "unnamed", "marks").aggregate(n=rows.count())

    def sizes(self, sheet: LaidSheet) -> "TableSizes":
        """Return what is asked before anything else travels."""
        rows = self._rows(sheet)
        counted = rows.aggregate(
            documents=rows.document.nullif("").nunique(),
            rows=rows.count(),
            people=rows.who.nunique(),
            nowhere=(rows.document == "").sum(),
        ).to_pyarrow()
        documents, labels, people, nowhere = (int(column[0].as_py() or 0) for column in counted.columns)
        people = people if sheet.layout.label is not None else sheet.width
        return TableSizes(documents, sheet.width * labels, people, nowhere)

    def kinds(self, sheet: LaidSheet) -> int:
        """Return how many kinds of units there are, or cells for a label where already these are few."""
        cells = self.sizes(sheet).cells
        return cells if cells <= MOST_KINDS else int(self.alike(sheet).count().to_pyarrow().as_py())

    def units(self, sheet: LaidSheet) -> int:
        """Return how many units there are."""
        return int(self._units(sheet).count().to_pyarrow().as_py())

    def are_repeated(self, sheet: LaidSheet) -> bool:
        """Say whether somebody labelled a unit more than once."""
        rows = self._rows(sheet)
        rows = rows.filter(rows.counting != "")
        times = rows.group_by("document", "unit", "who").aggregate(n=rows.count())
        return int(times.filter(times.n > 1).count().to_pyarrow().as_py()) > 0

    def groups(self, sheet: LaidSheet) -> dict[tuple[str, str], LabelGroup]:
        """Return how often each annotator gave each label, by both as they are written; there is no pass."""
        cells = self.cells(sheet)
        together = cells.group_by("who", "label").aggregate(n=cells.count(), unnamed=cells.unnamed.sum())
        columns = together.to_pyarrow().columns
        groups = {
            (who, label): LabelGroup(0, nfc(who), nfc(label), "", n, 0, int(unnamed or 0), 0)
            for who, label, n, unnamed in zip(*(column.to_pylist() for column in columns), strict=True)
        }
        return dict(sorted(groups.items(), key=lambda item: (item[1].annotator, item[1].label)))

    def cells(self, sheet: LaidSheet) -> Any:  # noqa: ANN401
        """Return the expression of all cells that can hold a label, whose pass is not told.

        Its columns are `document`, `unit`, `unnamed`, `who` and `label`.
        """
        import ibis

        columns = [None] if sheet.layout.label is not None else sheet.layout.annotators
        return ibis.union(
            *(
                self._rows(sheet, column).select("document", "unit", "unnamed", "who", "label")
                for column in columns
            )
        )

    def group_of(self, document: Any) -> Any:  # noqa: ANN401
        """Return the expression of the group of a document."""
        return _md5(document, self.dialect or self.expression.get_backend().name)[:DIGITS]

    def named(
        self, sheet: LaidSheet, alike: Sequence[tuple[str, str]], most: int
    ) -> list[tuple[str, str, str]]:
        """Return some units with their documents, marks and names: of each kind the first by their names.

        `alike` are documents and marks, `most` how many units of each there are at most.
        """
        import ibis

        rows = self._units(sheet)
        kind = _escaped(rows.document) + NEXT + rows.marks
        kinds = [_escaped(document) + NEXT + marks for document, marks in alike]
        rows = rows.filter(~rows.unnamed, kind.isin(kinds))
        rank = ibis.row_number().over(group_by=["document", "marks"], order_by="unit")
        listed_rows = rows.mutate(rank=rank).filter(lambda row: row["rank"] < most)
        columns = listed_rows.select("document", "marks", "unit").to_pyarrow().columns
        return list(zip(*(column.to_pylist() for column in columns), strict=True))

    def _units(self, sheet: LaidSheet, *, named: bool = True) -> Any:  # noqa: ANN401
        """Return the expression of all units: `document`, `unit`, `unnamed` and `marks`."""
        rows = self._rows(sheet)
        if not named:
            rows = rows.mutate(marks=WITHIN + WITHIN + _escaped(rows.counting))
        rows = rows.select("document", "unit", "unnamed", "marks")
        if sheet.layout.unit is not None:
            marks = rows.marks.collect().sort().join(NEXT)
            rows = rows.group_by("document", "unit", "unnamed").aggregate(marks=marks)
        return rows

    def _rows(self, sheet: LaidSheet, column: int | None = None) -> Any:  # noqa: ANN401
        """Return the expression of all rows that hold anything, with the columns of units.

        Where rows have one label each, `who` gave it and `label` is it; it is `counting` where somebody did.
        Where they have several it is that of the annotator in a column, if one is named.
        """
        import ibis

        layout = sheet.layout
        if layout.label is not None:
            who, label = self._cell(sheet, layout.annotators[0]), self._cell(sheet, layout.label)
        else:
            who = ibis.literal("" if column is None else sheet.table.header[column])
            label = self._cell(sheet, column)
        document, unit = self._cell(sheet, layout.document), self._cell(sheet, layout.unit)
        used = [column for column in layout.used if column not in sheet.of_path]
        columns = range(len(self.expression.columns)) if self.head is not None else used
        return self.expression.filter(ibis.or_(*(self.text(column) != "" for column in columns))).select(
            document=ibis.ifelse(_is_blank(document), "", document),
            unit=unit,
            unnamed=ibis.literal(value=False) if layout.unit is None else _is_blank(unit),
            marks=_joined(NEXT, self._marks(sheet)),
            who=who,
            label=label,
            counting=ibis.ifelse(_is_blank(who), "", label),
        )

    def _cell(self, sheet: LaidSheet, column: int | None) -> Any:  # noqa: ANN401
        import ibis

        if column is None or column in sheet.of_path:
            return ibis.literal("" if column is None else sheet.of_path[column])
        return self.text(column)

    def _marks(self, sheet: LaidSheet) -> Iterator[Any]:
        """Yield a mark of each row for each cell that can hold a label."""
        import ibis

        layout = sheet.layout
        turn = _escaped(self._cell(sheet, layout.passes))
        for column in layout.annotators:
            named = layout.label is not None
            who = self._cell(sheet, column) if named else ibis.literal(sheet.table.header[column])
            label = self._cell(sheet, layout.label if named else column)
            yield _joined(WITHIN, [turn, _escaped(who), _escaped(label)])


# What makes the hexadecimal digits of an MD5, from the inside out, where MD5 alone does not.
HEXADECIMAL = {
    "bigquery": ("md5", "to_hex"),
    "clickhouse": ("md5", "hex"),
    "trino": ("to_utf8", "md5", "to_hex"),
}


def _md5(text: Any, dialect: str) -> Any:  # noqa: ANN401
    """Return the MD5 of a text in hexadecimal digits, as a dialect writes it."""
    import ibis

    functions = HEXADECIMAL.get(dialect, ("md5",))
    types = ["string", *["binary"] * (len(functions) - 1), "string"]
    for name, given, made in zip(functions, types[:-1], types[1:], strict=True):
        call = ibis.udf.scalar.builtin(lambda of: of, name=name, signature=((given,), made))
        text = call(text)
    return text.lower()


def _is_blank(text: Any) -> Any:  # noqa: ANN401
    import ibis

    # A text of blanks begins with one: any other is told at its first sign, in a tenth of the time.
    return ibis.ifelse(text[:1].isin([*BLANKS]), text.translate(BLANKS, "") == "", text == "")


def _escaped(text: Any) -> Any:  # noqa: ANN401 - a text, or an expression of texts
    for sign, written in ESCAPED.items():
        text = text.replace(sign, written)
    return text


def _joined(sign: str, texts: Any) -> Any:  # noqa: ANN401
    first, *others = texts
    for text in others:
        first = first + sign + text
    return first


def lay_alike(
    connection: "Connection",
    source: IbisSource,
    sheet: LaidSheet,
    *,
    in_groups: bool = False,
    named: bool = True,
) -> None:
    """Make the relation of labels, a row for each mark of each kind of units, as they are elsewhere."""
    connection.register("given", source.alike(sheet, in_groups=in_groups, named=named).to_pyarrow())
    connection.execute(
        f"create temp table {ALIKE} as select *, row_number() over () as kind from (select document, "
        f"unnamed, list_sort(string_split(given.marks, {literal(NEXT)})) as marks, sum(n)::bigint as n, "
        "min(given.marks) as written from given group by all order by all)"
    )
    connection.unregister("given")
    texts = [text for (text,) in connection.execute(f"select distinct unnest(marks) from {ALIKE}").fetchall()]
    parts = [[nfc(unquote(part)) for part in text.split(WITHIN)] for text in texts]
    names = ("pass varchar", "annotator varchar", "label varchar")
    columns = {name: [mark[index] for mark in parts] for index, name in enumerate(names)}
    lay_table(connection, "said", {"mark varchar": texts, **columns})
    connection.execute(
        f"create temp table {MARKS} as select 0 as ord, 0 as file, document, '' as unit, annotator, label, "
        "pass, kind as own, unnamed, n "
        f"from (select * exclude (marks), unnest(marks) as mark from {ALIKE}) join said using (mark)"
    )


def digest(connection: "Connection", name: str) -> Provenance:
    """Return what provenance records of a table that is no file: a digest of its kinds of units."""
    checksum, size = hashlib.sha256(), 0
    result = connection.execute(f"select document, unnamed, marks, n from {ALIKE} order by kind")
    while rows := result.fetchmany(100_000):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        checksum.update(text)
        size += len(text)
    return Provenance(name, checksum.hexdigest(), size)


# Where Ibis finds labels: a table of a database by its address, and what Spark reads.

COUNTING = (DATABASES - WITHOUT_LISTS) | {"duckdb"}
SETTINGS = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
INSTALL = with_extra("engines")
JAVA = "Install Java 17 or later (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME."
# What PostgreSQL's and other drivers say where a connection ends that was there.
LOST = re.compile(
    r"terminating connection|closed the connection|connection (is|was|has been) (closed|lost)", re.IGNORECASE
)
# Errors of ours and of Python's own are no refusals.
OURS = {"builtins", "reportgen"}


@contextmanager
def at_address(connection: "Connection", file: ExportFile, options: ReaderOptions) -> Iterator[IbisSource]:
    """Yield the table of a database, or what Spark reads at an address; `file` is named in errors."""
    address, table = options.database or "", options.table
    if urlsplit(address).scheme in SPARK.catalogues:
        yield IbisSource(connection, file, _table(_spark(), file, table))
    elif options.engine.name == SPARK.name:
        yield IbisSource(connection, file, _of_frame(_session().read.parquet(address)))
    else:
        database = _connected(address, file)
        try:
            yield IbisSource(connection, file, _table(database, file, table))
        finally:
            database.disconnect()


def _connected(address: str, file: ExportFile) -> Any:  # noqa: ANN401 - Ibis is imported where it is needed
    import ibis

    scheme = urlsplit(address).scheme
    _require_counting(scheme, file)
    try:
        return ibis.connect(address)
    except ImportError:
        extra = "postgres" if scheme == "postgresql" else scheme
        message = f"needs the part of Ibis for {extra}, which is not installed."
        raise file.refused(message, f'Install it: pip install "ibis-framework[{extra}]".') from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"has an address that Ibis can't use for {scheme}: {error}."
        remedy = f"Write it as Ibis does: https://ibis-project.org/backends/{scheme}"
        raise file.refused(message, remedy) from None


def _require_counting(scheme: str, file: ExportFile) -> None:
    """Raise BadInput for a place that can't count, or of which nothing is known."""
    if scheme == "sqlite":
        remedy = "Name the file itself, without sqlite://: DuckDB reads it."
        raise file.refused("is in a database that can't list the labels of a unit, sqlite.", remedy)
    if scheme in WITHOUT_LISTS:
        message = f"is in a database that can't list the labels of a unit, {scheme}."
        raise file.refused(message, "Export the table as Parquet or CSV, and count that.")
    if scheme not in COUNTING:
        message = f'lies in a database that is not counted: "{scheme}".'
        raise file.refused(message, known(scheme, sorted(COUNTING)))


def known(name: str, names: Sequence[str]) -> str:
    """Return the remedy for a name that is not one of these."""
    return did_you_mean(name, names) or f"Known: {', '.join(names)}."


def read_by_spark(
    connection: "Connection", files: Sequence[ExportFile], options: ReaderOptions
) -> IbisSource:
    """Return the rows of files of one header, which Spark reads."""
    first, remedy = files[0], 'Leave out engine = "spark".'
    paths = [f"file://{file.path.resolve()}" for file in files]
    if options.path is not None:
        raise first.refused("has names in its path, which Spark does not read.", remedy)
    if kind_of(first) == "parquet":
        head = ParquetSource(connection, files).table()
        return IbisSource(connection, first, _of_frame(_session().read.parquet(*paths)), head)
    if kind_of(first) != "text":
        raise first.refused("is a database, which Spark does not read.", remedy)
    sources = [CsvSource(connection, file) for file in files]
    head, *others = [source.table() for source in sources]
    message = "has another header than the files before."
    if problems := [table.file.problem(message, remedy) for table in others if table.header != head.header]:
        raise BadInput(problems)
    frame = _session().read.csv(
        paths, sep=sources[0].delimiter, header=True, quote='"', escape='"', multiLine=True
    )
    return IbisSource(connection, first, _of_frame(frame), head)


def _of_frame(frame: Any) -> Any:  # noqa: ANN401 - Spark is imported where it is needed
    name = f"reportgen_{id(frame)}"
    frame.createOrReplaceTempView(name)
    return _spark().table(name)


def _session() -> Any:  # noqa: ANN401
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("reportgen")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _spark() -> Any:  # noqa: ANN401
    import ibis

    return ibis.pyspark.connect(_session())


def _table(database: Any, file: ExportFile, table: str | None) -> Any:  # noqa: ANN401
    """Return a table by its name, "schema.name" too; raise BadInput where there is none such."""
    if table is None:
        raise file.refused("no table is named.", "Name one.", key="table")
    from ibis.common.exceptions import TableNotFound

    *schema, name = table.rsplit(".", 1)
    where = schema[0] if schema else None
    try:
        return database.table(name, database=where)
    except TableNotFound:
        tables: list[str] = []
        with suppress(Exception):  # not every place lists its tables
            tables = database.list_tables(database=where)
        message, remedy = f'has no table "{table}".', did_you_mean(name, tables) or "Check its name."
        raise file.refused(message, remedy, key="table") from None


@contextmanager
def ibis_refusals(name: str) -> Iterator[None]:
    """Raise BadInput where Ibis is not there, or refuses: a wrong address, no leave, no Java."""
    try:
        with warnings.catch_warnings():
            # What Ibis and Spark do with other libraries is nothing that the user could do otherwise.
            for kind in (DeprecationWarning, FutureWarning):
                warnings.simplefilter("ignore", kind)
            yield
    except ImportError as error:
        message = f"needs {error.name or 'Ibis'}, which is not installed."
        raise refused(name, message=message, remedy=INSTALL) from None
    except ConnectionError as error:
        raise _lost(name, error) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in OURS:
            raise
        if LOST.search(str(error)):
            raise _lost(name, error) from None
        lines = str(error).strip().splitlines()
        message = f"can't be counted there: {lines[0] if lines else type(error).__name__}"
        remedy = JAVA if "JAVA" in message else "Check the address, and that you may read there."
        raise refused(name, message=message, remedy=remedy) from None


def _lost(name: str, error: Exception) -> BadInput:
    lines = str(error).strip().splitlines()
    message = f"the connection was lost while it was counted: {lines[0] if lines else type(error).__name__}"
    return refused(name, message=message, remedy="Count it again.")


# What a row of the sums says: of a document, or a group of documents, and units with as many ratings, how
# often two labels meet, the lower code first; of two annotators and a group which labels they gave. Without
# a document it says of two annotators in how many they share units, or the product of two cells of theirs.
COLUMNS = ("document", "ratings", "first", "second", "first_label", "second_label", "n")
# What a row says of two annotators whose units are in no document.
TABLE = COLUMNS[2:]
Rows = Mapping[str, Any]
Summed = tuple[CodedNames, list[LabelGroup], Ratings]


def are_summable(sheet: LaidSheet, options: ReaderOptions) -> bool:
    """Say whether units that are named have no more than one label by each annotator."""
    plain = options.engine.sums and options.set_separator is None and sheet.layout.passes is None
    return plain and sheet.layout.unit is not None


def read_sums(  # noqa: PLR0913, PLR0917 - where what lies, how it is read, and how large it is
    source: IbisSource,
    sheet: LaidSheet,
    options: ReaderOptions,
    sizes: TableSizes,
    different: int,
    grouped: int,
) -> Summed | None:
    """Return names, how often they occur together, and units that have the sums of those that lie elsewhere.

    None where kinds of units are fewer, or where it takes more to know which labels count: passes, sets,
    some units without a document, somebody who labelled a unit twice, or who is called like a reference or a
    model. `different` is how many
    labels there are, `grouped` how many documents where groups take their place, else 0. Raises BadInput
    where the table has changed from one query to the next.
    """
    alone = not sizes.documents
    if not are_summable(sheet, options) or (sizes.nowhere and not alone):
        return None
    various = are_too_various_alone if alone else are_too_various
    if not various(sizes.cells, sizes.people, different, 0 if alone else 1):
        return None
    groups = source.groups(sheet)
    names = coded_names([*groups.values()], (), options)
    if any(called_by_name(names.annotators, {}, options)):
        return None
    given = labels_given(names, groups.values(), options)
    codes = Codebook.of(groups, names, given)
    units = units_of(source, sheet, codes, in_groups=bool(grouped), alone=alone)
    counted = kinds_of(units).to_pyarrow()
    kinds, documents, again = (int(column[0].as_py() or 0) for column in counted.columns)
    people, size = len(np.unique(given.annotator)), len({*names.labels, *(options.only or ())})
    if again or not various(kinds, people, size, documents):
        return None
    if alone:
        # Units alone as `_of_profiles` does, from their expression.
        lists, tables = (query.to_pyarrow() for query in (profiles_of(units), tables_of(units)))
        written = (text.split(NEXT) if text else [] for text in lists["document"].to_pylist())
        said = (sorted(map(int, codes)) for codes in written)
        table = [tables[name].to_numpy() for name in TABLE]
        ratings = _of_profiles(names, given, zip(said, lists["n"].to_pylist(), strict=True), table)
    else:
        ratings = _sums_there(source, units, names, given, (people, size))
    if ratings is None:
        raise source.file.refused("changed while it was counted.", "Count it again when nobody writes it.")
    return names, [*groups.values()], replace(ratings, grouped=grouped)


def _sums_there(
    source: IbisSource,
    units: Any,  # noqa: ANN401 - Ibis is imported where it is needed
    names: CodedNames,
    given: Margins,
    sizes: tuple[int, int],
) -> Ratings | None:
    """Return units that have the sums of those of an expression; `sizes`: how many people and labels."""
    people, size = sizes
    groups_of_pairs = pair_groups(people, size)
    in_products = len(names.labels) if have_products(people, size) else 0
    table = sums_of(source, units, groups_of_pairs, in_products).to_pyarrow()
    rows = {name: table[name].to_numpy() for name in COLUMNS}
    return _ratings_of_sums(names, given, rows, groups_of_pairs)


@dataclass(frozen=True)
class Codebook:
    """The codes of annotators, and of labels that count, by how each is written."""

    who: Mapping[str, int]
    label: Mapping[str, int]

    @classmethod
    def of(
        cls, groups: Mapping[tuple[str, str], LabelGroup], names: CodedNames, given: Margins
    ) -> "Codebook":
        """Return the codes of those who gave labels that count, and of these."""
        people = {names.annotators[code]: code for code in np.unique(given.annotator).tolist()}
        label = {label: names.label_codes[group.label] for (_, label), group in groups.items()}
        return cls(
            {who: people[group.annotator] for (who, _), group in groups.items() if group.annotator in people},
            {name: code for name, code in label.items() if code != NOTHING},
        )


# The expressions

# A mark's code is that of its annotator times this, plus that of its label; so many labels have no sums.
PERSON = 1 << 20


def units_of(
    source: IbisSource,
    sheet: LaidSheet,
    codes: Codebook,
    *,
    in_groups: bool = False,
    alone: bool = False,
) -> Any:  # noqa: ANN401 - Ibis is imported where it is needed
    """Return the expression of all units, with `codes`, how many `ratings` and `people` and the last `label`.

    `document` is that of a unit, or with `in_groups` its group; of units `alone`, which have none, the codes
    of its labels from whomever.
    """
    import ibis

    cells = source.cells(sheet)
    who, label = (
        column.cases(*coded.items(), else_=NOTHING).cast("int64")
        for column, coded in ((cells.who, codes.who), (cells.label, codes.label))
    )
    cells = cells.mutate(who=who, label=ibis.ifelse(cells.unnamed | (who == NOTHING), NOTHING, label))
    counts = cells.label != NOTHING
    labels = cells.label.cast("string").collect(where=counts).sort().join(NEXT).fill_null("")
    units = cells.group_by(*([] if alone else ["document"]), "unit").aggregate(
        **({"document": labels} if alone else {}),
        codes=(cells.who * PERSON + cells.label).collect(where=counts),
        ratings=counts.sum(),
        people=cells.who.nunique(where=counts),
        label=cells.label.max(),
    )
    return units.mutate(document=source.group_of(units.document)) if in_groups else units


def kinds_of(units: Any) -> Any:  # noqa: ANN401
    """Return the expression of how many kinds of units there are, how many documents, and a third number.

    It is above 0 where somebody labelled a unit more than once.
    """
    again = units.ratings - units.people
    kinds = units.group_by("document", units.codes.sort().name("codes")).aggregate(again=again.max())
    return kinds.aggregate(kinds=kinds.count(), documents=kinds.document.nunique(), again=kinds.again.max())


def profiles_of(units: Any) -> Any:  # noqa: ANN401
    """Return the expression of how many units have the same labels from whomever, of units alone."""
    return units.group_by("document").aggregate(n=units.count())


def tables_of(units: Any) -> Any:  # noqa: ANN401
    """Return the expression of the tables of every two annotators, with TABLE, of units alone."""
    pairs = _pairs_of(units)
    first, second, one, other, n = TABLE
    tables = pairs.group_by("first", "second", "one", "other").aggregate(n=pairs.count())
    columns = {first: tables.first, second: tables.second, one: tables.one, other: tables.other, n: tables.n}
    return tables.select(**{name: column.cast("int64") for name, column in columns.items()})


def _pairs_of(units: Any) -> Any:  # noqa: ANN401
    """Return the expression of every two ratings of a unit: who gave them, and which labels they are."""
    together = units.filter(units.ratings > 1)
    pairs = together.mutate(first=together.codes.unnest())
    pairs = pairs.mutate(second=pairs.codes.unnest())
    pairs = pairs.filter(pairs.first < pairs.second)
    return pairs.select(
        "document",
        "ratings",
        first=pairs.first // PERSON,
        second=pairs.second // PERSON,
        one=pairs.first % PERSON,
        other=pairs.second % PERSON,
    )


def sums_of(source: IbisSource, units: Any, groups: int, labels: int) -> Any:  # noqa: ANN401
    """Return the expression of the sums, with COLUMNS.

    `groups` are how many there are in tables of pairs; products are of so many `labels`, none where it is 0.
    """
    import ibis

    alone, pairs = units.filter(units.ratings < 2), _pairs_of(units)
    tables = pairs.group_by("document", "first", "second", "one", "other").aggregate(n=pairs.count())
    digits = source.group_of(tables.document)
    last = digits[DIGITS - 1 :].cases(*pair_digits(groups).items(), else_="")
    in_groups = tables.mutate(document=digits[: DIGITS - 1] + last)
    parts = [
        alone.group_by("document", "ratings", first_label="label").aggregate(n=alone.count()),
        pairs.group_by(
            "document",
            "ratings",
            first_label=ibis.least(pairs.one, pairs.other),
            second_label=ibis.greatest(pairs.one, pairs.other),
        ).aggregate(n=pairs.count()),
        in_groups.group_by("document", "first", "second", first_label="one", second_label="other").aggregate(
            n=in_groups.n.sum()
        ),
    ]
    if labels:
        parts += _products(tables, labels)
    return ibis.union(*(_with_all_columns(part) for part in parts))


def _products(tables: Any, labels: int) -> list[Any]:  # noqa: ANN401
    """Return the expressions of how many documents two annotators share, and of products of cells."""
    import ibis

    cells = tables.select("document", "first", "second", "n", cell=tables.one * labels + tables.other)
    beside = cells.view()
    where = [cells[name] == beside[name] for name in ("document", "first", "second")]
    both = cells.join(beside, [*where, cells.cell <= beside.cell]).select(
        first=cells.first,
        second=cells.second,
        first_label=cells.cell,
        second_label=beside.cell,
        product=cells.n * beside.n,
    )
    shared = tables.group_by("first", "second").aggregate(n=tables.document.nunique())
    products = both.group_by("first", "second", "first_label", "second_label").aggregate(
        n=both["product"].sum()
    )
    return [part.mutate(document=ibis.literal("")) for part in (shared, products)]


def _with_all_columns(part: Any) -> Any:  # noqa: ANN401
    import ibis

    there = {name: part[name] if name in part.columns else ibis.literal(NOTHING) for name in COLUMNS}
    return part.select(
        **{name: column if name == "document" else column.cast("int64") for name, column in there.items()}
    )


# The same by DuckDB, of the kinds of units that it has laid down.

CELLS = "cells"
LAY_CELLS = """
create or replace temp table {cells} as
with several as (select *, len(codes) as ratings, unnest(range(1, len(codes))) as own from {kinds}
    where len(codes) > 1),
pair as (select document, n, ratings, codes[own] as a, unnest(codes[own + 1:]) as b from several)
select document, ratings, a // {labels} as first, b // {labels} as second,
    a % {labels} * {labels} + b % {labels} as cell, sum(n)::bigint as n from pair group by all
"""
SUMS_HERE = """
with pair as (select *, cell // {labels} as one, cell % {labels} as other from {cells}),
few as (select *, coalesce(len(codes), 0) as ratings from {kinds} where coalesce(len(codes), 0) < 2)
select document, ratings, -1, -1, coalesce(codes[1] % {labels}, -1), -1, sum(n) from few group by all
union all select document, ratings, -1, -1, least(one, other), greatest(one, other), sum(n) from pair
    group by all
union all select {group}, -1, first, second, one, other, sum(n) from pair group by all
"""


def sums_here(
    connection: "Connection",
    sheets: Sequence[LaidSheet],
    names: CodedNames,
    groups: Sequence[LabelGroup],
    options: ReaderOptions,
) -> Ratings | None:
    """Return units that have the sums of the kinds of units that DuckDB has laid down.

    None where these are few, or where it takes more to know which labels count.
    """
    if not all(are_summable(sheet, options) for sheet in sheets) or names.given is not None:
        return None
    if any(called_by_name(names.annotators, {}, options)):
        return None
    counted = f"select count(*), count(distinct document), count(*) filter (document = '') from {KINDS}"
    ((kinds, documents, nowhere),) = connection.execute(counted).fetchall()
    given, size = labels_given(names, groups, options), len({*names.labels, *(options.only or ())})
    people = len(np.unique(given.annotator))
    if crowd := _crowd_here(connection, names, given, people):
        return crowd
    if nowhere == kinds:
        return _alone_here(connection, names, given, (kinds, people, size))
    if nowhere or not are_too_various(kinds, people, size, documents) or repeated(connection, names):
        return None
    groups_of_pairs, labels = pair_groups(people, size), len(names.labels)
    last = " ".join(f"when '{digit}' then '{own}'" for digit, own in pair_digits(groups_of_pairs).items())
    names_there = {"cells": CELLS, "kinds": KINDS, "labels": labels}
    connection.execute(LAY_CELLS.format(**names_there))
    group = f"md5(document)[:{DIGITS - 1}] || case md5(document)[{DIGITS}] {last} end"
    query = SUMS_HERE.format(**names_there, group=group)
    typed = ", ".join(f"{name}::bigint as {name}" for name in COLUMNS[1:])
    sums = f"select document, {typed} from ({query}) sums({', '.join(COLUMNS)})"
    parts: list[Rows] = [connection.execute(sums).fetchnumpy()]
    if have_products(people, size):
        parts += _products_here(connection)
    rows = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    ratings = _ratings_of_sums(names, given, rows, groups_of_pairs)
    if ratings is None:
        message = "sums of one table contradict each other"
        raise ValueError(message)
    return replace(ratings, grouped=names.grouped)


def _crowd_here(connection: "Connection", names: CodedNames, given: Margins, people: int) -> Ratings | None:
    """Return the units of a large crowd by their labels from whomever.

    None where it is not one, or somebody labelled a unit twice.
    """
    ((units,),) = connection.execute(f"select coalesce(sum(n), 0)::bigint from {KINDS}").fetchall()
    twos = fewest_twos(int(given.n.sum()), units)
    if not is_large_crowd(people, units, twos) or repeated(connection, names):
        return None
    labels = len(names.labels)
    said = f"list_sort(list_transform(codes, lambda code: code % {labels}))"
    # A unit's labels are numbered in the place of who they are of.
    numbered = f"list_transform(said, lambda label, place: (place - 1) * {labels} + label)"
    connection.execute(
        f"create or replace temp table {KINDS} as select document, {numbered} as codes, n from "
        f"(select document, {said} as said, sum(n)::bigint as n from {KINDS} group by all) "
        "order by document, codes nulls first"
    )
    return kinds(connection, replace(names, given=given))


def _alone_here(
    connection: "Connection", names: CodedNames, given: Margins, sizes: tuple[int, int, int]
) -> Ratings | None:
    """Return units without documents by their labels from whomever, with the tables of every two annotators.

    `sizes`: how many kinds of units, annotators and labels there are. None where kinds are few, or somebody
    labelled a unit twice.
    """
    if not are_too_various_alone(*sizes, 0):
        return None
    labels = len(names.labels)
    profiles = (
        f"select list_sort(list_transform(coalesce(codes, []), lambda code: code % {labels})) as said, "
        f"sum(n)::bigint from {KINDS} group by said"
    )
    ((many,),) = connection.execute(f"select count(*) from ({profiles})").fetchall()
    if not are_too_various_alone(*sizes, many) or repeated(connection, names):
        return None
    connection.execute(LAY_CELLS.format(cells=CELLS, kinds=KINDS, labels=labels))
    tables = connection.execute(
        f"select first, second, cell // {labels} as one, cell % {labels} as other, sum(n)::bigint as n "
        f"from {CELLS} group by all"
    ).fetchnumpy()
    said = connection.execute(profiles).fetchall()
    table = tuple(np.asarray(column).astype(np.int64) for column in tables.values())
    return _of_profiles(names, given, said, table)


def _products_here(connection: "Connection") -> Iterator[Rows]:
    """Yield rows of how many documents every two annotators share, and of the products of their cells."""
    people = connection.execute(f"select distinct first, second from {CELLS} order by all").fetchall()
    for first, second in people:
        fetched = connection.execute(
            f"select dense_rank() over (order by document) - 1 as document, cell, n from {CELLS} "
            f"where first = {first} and second = {second}"
        ).fetchnumpy()
        document, cell, n = (np.asarray(column).astype(np.int64) for column in fetched.values())
        used, place = np.unique(cell, return_inverse=True)
        cells = np.zeros((int(document.max()) + 1, len(used)), dtype=np.int64)
        np.add.at(cells, (document, place), n)
        products = np.triu(products_of(cells))
        one, other = np.nonzero(products)
        columns = (
            np.append(NOTHING, used[one]),
            np.append(NOTHING, used[other]),
            np.append(len(cells), products[one, other]),
        )
        size = len(columns[0])
        yield {
            "document": np.full(size, "", dtype=object),
            "ratings": np.full(size, NOTHING),
            "first": np.full(size, first),
            "second": np.full(size, second),
            **dict(zip(COLUMNS[4:], columns, strict=True)),
        }


# What has come over, as units that have these sums


def _ratings_of_sums(names: CodedNames, given: Margins, table: Rows, groups: int) -> Ratings | None:
    """Return units that have the sums of a table, of so many groups; None where no one table has these."""
    size, in_all, of_units = len(names.labels), table["document"] == "", table["ratings"] != NOTHING
    units, pairs, of_all = (
        {name: column[chosen] for name, column in table.items()}
        for chosen in (of_units, ~of_units & ~in_all, ~of_units & in_all)
    )
    documents = sorted({*units["document"].tolist()})
    place = {document: code for code, document in enumerate(documents)}
    ratings, _, _, least, largest, n = (units[name] for name in COLUMNS[1:])
    # Of units with one rating one label has come, of those with none no label.
    least = np.maximum(least, 0)
    largest = np.maximum(largest, least)
    width = int(ratings.max(initial=0)) + 1
    rows, row = np.unique(_codes(units, place.__getitem__) * width + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    np.add.at(met, (row, least, largest), n)
    sums = LabelSums(rows // width, rows % width, met + np.triu(met, 1).transpose(0, 2, 1))
    first_of = first_by_group(documents, groups)
    group = _codes(pairs, lambda digits: first_of.get(pair_group(digits, groups), NOTHING))
    first, second, *cells = (pairs[name] for name in COLUMNS[2:])
    given = replace(given, pairs=sorted_columns(first, second, group, *cells))
    if len(of_all["n"]):
        given = _with_products(given, of_all, size)
    if (group == NOTHING).any() or any(contradictory_sums(sums, given)):
        return None
    return _counted_ratings(names, alike(sums), given, tuple(documents))


def _of_profiles(
    names: CodedNames, given: Margins, said: Iterable[tuple[Sequence[int], int]], table: Sequence[Codes]
) -> Ratings | None:
    """Return units without documents that have some labels each, so many of each kind, and tables of pairs.

    None where no one table has these.
    """
    lists = sorted(said)
    sizes = np.array([len(labels) for labels, _ in lists], dtype=np.int64)
    weight = np.array([n for _, n in lists], dtype=np.int64)
    label = np.array([code for labels, _ in lists for code in labels], dtype=np.int64)
    nowhere, unit = np.full_like(weight, NO_DOCUMENT), np.repeat(np.arange(len(lists)), sizes)
    first, second, *cells = table
    given = replace(given, pairs=sorted_columns(first, second, np.full_like(first, NO_DOCUMENT), *cells))
    if any(contradictory_sums(sums_on(nowhere, weight, unit, label, len(names.labels)), given)):
        return None
    place = np.arange(len(label)) - (np.cumsum(sizes) - sizes)[unit]
    return _counted_ratings(names, UnitsAlike(nowhere, weight, unit, place, label), given)


def _counted_ratings(
    names: CodedNames, units: UnitsAlike, given: Margins, documents: tuple[str, ...] = ()
) -> Ratings:
    return Ratings(
        documents=documents,
        annotators=names.annotators,
        labels=names.labels,
        unit_names=("",) * len(units.weight),
        document=units.document,
        weight=units.weight,
        unit=units.unit,
        annotator=units.place,
        label=units.label,
        mark_pass=np.zeros_like(units.unit),
        counted=True,
        margins=given,
    )


def _with_products(given: Margins, table: Rows, size: int) -> Margins:
    first, second, cell, beside, n = (table[name] for name in COLUMNS[2:])
    alone = cell == NOTHING
    shared = sorted_columns(first[alone], second[alone], n[alone])
    # A product comes once, the lower cell first, and is the same the other way round.
    own, turned = np.flatnonzero(~alone), np.flatnonzero(~alone & (cell != beside))
    one, other = (np.append(a[own], b[turned]) for a, b in ((cell, beside), (beside, cell)))
    rows = np.append(own, turned)
    labels = one // size, one % size, other // size, other % size
    return replace(given, shared=shared, products=sorted_columns(first[rows], second[rows], *labels, n[rows]))


def _codes(table: Rows, code: Callable[[str], int]) -> Codes:
    """Return the codes of the documents, or groups, of a table."""
    names, place = factorize(table["document"].tolist())
    codes: Codes = np.array([code(name) for name in names], dtype=np.int64)[place]
    return codes


# What Ibis calls those that we call otherwise.
COMPILERS = {"postgresql": "postgres", SPARK.name: "pyspark"}


def sql_of(source: DataSource, sheet: LaidSheet, dialect: str, options: ReaderOptions) -> str:
    """Return the SQL, in some dialect, that counts a table; raise BadInput for a dialect that can't.

    It asks how many units of a document have the same labels by the same annotators. Where these kinds are
    very many, sums over units are asked for in its place.
    """
    import ibis
    from ibis.backends.sql.datatypes import DuckDBType

    if dialect not in (*COUNTING, SPARK.name):
        message = f'"{dialect}" is not a place that counts tables.'
        if dialect in WITHOUT_LISTS:
            message = f'"{dialect}" can\'t list the labels of a unit.'
        raise refused("--show-sql", message=message, remedy=known(dialect, sorted([*COUNTING, SPARK.name])))
    if isinstance(source, IbisSource):
        columns = dict(source.expression.schema())
    else:
        kinds = source.types if isinstance(source, QueriedSource) else ["VARCHAR"] * len(sheet.table.header)
        columns = dict(zip(sheet.table.header, map(DuckDBType.from_string, kinds), strict=False))
    *schema, name = (options.table or source.file.path.stem).rsplit(".", 1)
    table = ibis.table(columns, name=name, database=schema[0] if schema else None)
    place = COMPILERS.get(dialect, dialect)
    own = IbisSource(source.connection, source.file, table, dialect=place)
    compiler = import_module(f"ibis.backends.sql.compilers.{place}").compiler
    text: str = compiler.to_sqlglot(own.alike(sheet)).sql(compiler.dialect, pretty=True)
    return text
