"""Tables of any size as `Annotations`: counted by DuckDB or elsewhere, with the units that differ most."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import numpy as np

from reportgen.base import DUCKDB, ENGINES
from reportgen.base.errors import BadInput
from reportgen.base.files import InputFile as Provenance
from reportgen.readers.annotations import Codes, ExcludedMarks, Location, Ratings, by_name, no_location
from reportgen.readers.counted import MOST_KINDS, are_too_many, fewest_twos, is_large_crowd
from reportgen.readers.engine.places import (
    ORD,
    CsvSource,
    DataSource,
    DuckDBSource,
    ParquetSource,
    SQLiteSource,
    Unreadable,
    kind_of,
    limit,
    opened,
)
from reportgen.readers.engine.queries import (
    ALIKE,
    CODED,
    KINDS,
    LARGEST_SHEET,
    UNIT,
    VIEWED,
    CodedNames,
    IbisSource,
    LabelGroup,
    LaidSheet,
    TableSizes,
    at_address,
    codes_of,
    counts,
    digest,
    ibis_refusals,
    kinds,
    lay_alike,
    lay_codes,
    lay_kinds,
    lay_marks,
    lay_sheet,
    names_in,
    parts_of,
    read_by_spark,
    read_sums,
    repeated,
    sql_of,
    sums_here,
    understood_sheet,
    units_alone,
)
from reportgen.readers.group_columns import KEY
from reportgen.readers.reader import (
    NO_ANNOTATOR,
    NO_UNIT,
    Annotations,
    ExportFile,
    ReaderOptions,
    called_by_name,
)
from reportgen.readers.string_tables import StringTable, table_of
from reportgen.readers.table_columns import (
    Understood,
    called,
    reading_of,
    require_comparable,
    set_names,
    without_document,
)
from reportgen.readers.table_reading import is_said, normalise_tables, of_columns
from reportgen.readers.table_refusals import refuse_as_many, refuse_texts
from reportgen.readers.turned_tables import unlisted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection


# The units on which annotators differ most, by a second query: how many units have which labels tells which
# kinds of units are disputed, and how much. Each document in turn gives its most disputed unit until as many
# are chosen as a list shows; the query names those alone.

# As many as a list shows on all its pages.
MOST_LISTED = 2_000
LISTED, NAMED = "listed", "named"
# Disagreement is told in so many parts of one.
PARTS = 1_000_000
# From how many units of each kind are listed (kinds,) to the kinds of units and their names, in order.
Naming = Callable[[Codes], tuple[list[int], list[str]]]


def with_disputed(ratings: Ratings, naming: Naming) -> Ratings:
    """Return counted ratings with the units on which labels differ most, each on its own and by its name."""
    # The share of pairs of annotators, in parts, that differ on a unit of each kind (kinds,).
    unit, answer = _first_said(ratings)
    kinds, size = len(ratings.weight), int(answer.max(initial=0)) + 1
    raters = np.bincount(unit, minlength=kinds)
    alike, times = np.unique(unit * size + answer, return_counts=True)
    agreeing = np.zeros(kinds, dtype=np.int64)
    np.add.at(agreeing, alike // size, times * (times - 1))
    pairs = raters * (raters - 1)
    # (pairs - agreeing) / pairs, rounded up: where anybody differs it is above 0.
    share: Codes = -(-PARTS * (pairs - agreeing) // np.maximum(pairs, 1))
    listed_units = _shared_out(ratings, share)
    named, names = naming(listed_units) if listed_units.any() else ([], [])
    kind = np.array(named, dtype=np.int64)
    begin = np.searchsorted(ratings.unit, kind, side="left")
    marks = np.searchsorted(ratings.unit, kind, side="right") - begin
    unit = np.repeat(np.arange(len(kind)), marks)
    mark = np.arange(len(unit)) + np.repeat(begin - np.cumsum(marks) + marks, marks)
    disputed = replace(
        ratings,
        unit_names=tuple(names),
        document=ratings.document[kind],
        weight=np.ones(len(kind), dtype=np.int64),
        unit=unit,
        annotator=ratings.annotator[mark],
        label=ratings.label[mark],
        mark_pass=ratings.mark_pass[mark],
        location=no_location,
        counted=False,
    )
    return replace(ratings, disputed=disputed)


def _first_said(ratings: Ratings) -> tuple[Codes, Codes]:
    """Return the unit of each annotator's first pass, and a code of all labels that they gave it there."""
    key = ratings.unit * max(len(ratings.annotators), 1) + ratings.annotator
    order = np.lexsort((ratings.label, ratings.mark_pass, key))
    key, turn, label = key[order], ratings.mark_pass[order], ratings.label[order]
    _, begin, group = np.unique(key, return_index=True, return_inverse=True)
    first_pass = turn == turn[begin][group]
    first_pass[1:] &= (group[1:] != group[:-1]) | (label[1:] != label[:-1])
    unit, label, group = ratings.unit[order][first_pass], label[first_pass], group[first_pass]
    _, begin, size = np.unique(group, return_index=True, return_counts=True)
    answer, sets = label[begin], dict[bytes, int]()
    for number in np.flatnonzero(size > 1).tolist():
        members = label[begin[number] : begin[number] + size[number]].tobytes()
        answer[number] = len(ratings.labels) + sets.setdefault(members, len(sets))
    return unit[begin], answer


def _shared_out(ratings: Ratings, share: Codes) -> Codes:
    """Return how many units of each kind are listed (kinds,): each document's worst first, in turn."""
    kinds = np.flatnonzero(share)
    kinds = kinds[np.lexsort((kinds, -share[kinds], ratings.document[kinds]))]
    n, document = ratings.weight[kinds], ratings.document[kinds]
    begin = np.cumsum(n) - n
    first = np.flatnonzero(np.diff(document, prepend=document[:1] - 1))
    units = np.add.reduceat(n, first) if len(n) else n
    begin -= np.repeat(begin[first], np.diff(first, append=len(n)))
    rounds = range(int(units.max(initial=0)) + 1)
    turns = bisect_right(rounds, MOST_LISTED, key=lambda turn: int(np.minimum(units, turn).sum())) - 1
    listed_units = np.clip(turns - begin, 0, n)
    # Where one more turn were too many, the worst units of that turn.
    next_turn = np.flatnonzero((begin <= turns) & (turns < begin + n))
    worst = next_turn[np.argsort(-share[kinds[next_turn]], kind="stable")]
    listed_units[worst[: MOST_LISTED - int(listed_units.sum())]] += 1
    of_every_kind = np.zeros(len(share), dtype=np.int64)
    of_every_kind[kinds] = listed_units
    return of_every_kind


def _lay_listed(connection: "Connection", listed_units: Codes) -> None:
    kind = np.flatnonzero(listed_units)
    connection.execute(
        f"create temp table {LISTED} as select kind, most, document, codes "
        "from (select unnest(?::bigint[]) as kind, unnest(?::bigint[]) as most) "
        f"join {KINDS} on {KINDS}.rowid = kind",
        [kind.tolist(), listed_units[kind].tolist()],
    )


def named_by_duckdb(connection: "Connection", names: CodedNames, memory: int) -> Naming:
    """Return what names units that DuckDB reads: of those alike the first, in the order of their rows."""

    def naming(listed_units: Codes) -> tuple[list[int], list[str]]:
        _lay_listed(connection, listed_units)
        codes = codes_of(names, in_order=bool(repeated(connection, names)))
        most = "qualify row_number() over (partition by kind order by first) <= most"
        connection.execute(f"create temp table {NAMED} (kind bigint, unit varchar, first bigint)")
        for only in parts_of(names, memory):
            connection.execute(
                f"insert into {NAMED} select kind, unit, first from (select {UNIT}, {codes} as codes, "
                f"min(ord) as first from {CODED} {only} group by {UNIT}) "
                f"join {LISTED} using (document, codes) {most}"
            )
        rows = connection.execute(
            f"select kind, unit from (select * from {NAMED} join {LISTED} using (kind) {most}) order by first"
        ).fetchall()
        return [kind for kind, _ in rows], [unit for _, unit in rows]

    return naming


def named_elsewhere(
    connection: "Connection", names: CodedNames, source: IbisSource, sheet: LaidSheet
) -> Naming:
    """Return what names units that are counted elsewhere: of those alike the first by name, in this order."""

    def naming(listed_units: Codes) -> tuple[list[int], list[str]]:
        if sheet.layout.unit is None:
            kinds = np.repeat(np.arange(len(listed_units)), listed_units).tolist()
            return kinds, [""] * len(kinds)
        _lay_listed(connection, listed_units)
        rows = connection.execute(
            f"select document, written, {LISTED}.kind from (select {UNIT}, "
            f"{codes_of(names, in_order=False)} as codes from {CODED} group by {UNIT}) "
            f"join {LISTED} using (document, codes) join {ALIKE} on {ALIKE}.kind = own"
        ).fetchall()
        kind_of = {(document, marks): kind for document, marks, kind in rows}
        named = [
            (kind_of[document, marks], unit)
            for document, marks, unit in source.named(sheet, list(kind_of), int(listed_units.max()))
        ]
        return _first_of_each(named, listed_units)

    return naming


def _first_of_each(named: list[tuple[int, str]], listed_units: Codes) -> tuple[list[int], list[str]]:
    """Return so many units of each kind, the first by their names."""
    to_name = listed_units.copy()
    chosen: list[tuple[int, str]] = []
    for kind, name in sorted(named, key=lambda kind_and_name: kind_and_name[1]):
        if to_name[kind]:
            to_name[kind] -= 1
            chosen.append((kind, name))
    return [kind for kind, _ in chosen], [name for _, name in chosen]


# The whole of a table, read and counted.


class VeryManyKinds(Exception):
    """A table elsewhere has more kinds of units than may come over: it is counted in place of being read."""


# A text above so many bytes, some 200,000 labels, is read by DuckDB.
LARGE = 4_000_000
# Up to so many labels each unit stays on its own: the report can tell which annotators differ on.
MOST_WHOLE = 5_000_000


def is_for_duckdb(files: Sequence[ExportFile], options: ReaderOptions) -> bool:
    """Say whether files are read by DuckDB: where that is asked for, or large tables of labels alone."""
    if options.engine.name is not None:
        return options.engine.name == DUCKDB.name
    is_large = kind_of(files[0]) != "text" or sum(file.path.stat().st_size for file in files) > LARGE
    return is_large and "text" not in options.columns and not options.groups


def are_apart(files: Sequence[ExportFile], options: ReaderOptions) -> bool:
    """Say whether Parquet files that fit into memory may be an annotator's each, as nothing says."""
    several = len(files) > 1 and kind_of(files[0]) == "parquet" and options.path is None
    is_open = options.engine.name is None and "annotator" not in options.columns
    return several and is_open and sum(file.path.stat().st_size for file in files) <= LARGE


def by_duckdb(files: Sequence[ExportFile], options: ReaderOptions, format_name: str) -> Annotations:
    """Return the labels in files of one kind, taken together: CSV, Parquet, or one database.

    Raises BadInput with what is wrong, and Unreadable for a text that has to be read in memory.
    """
    with unchanged(files) as sources, opened(options.engine, files[0].name) as connection:
        opened_sources = list(_sources(connection, files, options))
        heads = [source.table() for source in opened_sources]
        if kind_of(files[0]) == "text" and any(unlisted(head) is not head for head in heads):
            raise Unreadable
        told = normalise_tables(heads, options)
        # What a query does not do is done in memory: columns made of others.
        if any(not {*table.header} <= {*head.header} for (table, _), head in zip(told, heads, strict=True)):
            raise Unreadable
        sheets = [
            lay_sheet(source, number, own, head)
            for number, (source, head, (_, own)) in enumerate(zip(opened_sources, heads, told, strict=True))
        ]
        lay_marks(connection, sheets)
        annotations = _annotations(connection, sheets, options, format_name)
        if not is_said(options):
            content = annotations.ratings
            place = of_columns(heads[0], "columns")
            refuse_as_many(content.labels, len(content.annotators), annotations.marks_read, place)
        return replace(annotations, sources=sources())


def by_spark(files: Sequence[ExportFile], options: ReaderOptions, format_name: str) -> Annotations:
    """Return the labels in files of one kind, which Spark counts; raise BadInput with what is wrong."""
    name = files[0].name
    with unchanged(files) as sources, opened(options.engine, name) as connection, ibis_refusals(name):
        annotations = _elsewhere(connection, read_by_spark(connection, files, options), options, format_name)
        return replace(annotations, sources=sources())


def by_address(options: ReaderOptions) -> Annotations:
    """Return the labels in a table of a database that has an address; raise BadInput with what is wrong.

    Provenance records its name and a digest of what was counted: it is no file.
    """
    file = ExportFile(Path(), options.table or unquote(PurePath(urlsplit(options.database or "").path).name))
    with (
        opened(options.engine, file.name) as connection,
        ibis_refusals(file.name),
        at_address(connection, file, options) as source,
    ):
        annotations = _elsewhere(connection, source, options, "database")
        if options.engine.kinds:  # counts record no table
            return annotations
        return replace(annotations, sources=(digest(connection, file.name),))


def expression_as_sql(files: Sequence[ExportFile], options: ReaderOptions, dialect: str) -> str:
    """Return the SQL that counts a table in a dialect; raise BadInput with what is wrong."""
    file = files[0] if files else ExportFile(Path(), options.table or "labels")
    with opened(options.engine, file.name) as connection, ibis_refusals(file.name), ExitStack() as stack:
        if files:
            source, *_ = _sources(connection, files, options)
        else:
            source = stack.enter_context(at_address(connection, file, options))
        try:
            return sql_of(source, understood_sheet(source, options), dialect, options)
        except Unreadable:
            raise file.refused("is not a plain table, and is read in memory alone.", "Mend it.") from None


def _elsewhere(
    connection: "Connection", source: IbisSource, options: ReaderOptions, format_name: str
) -> Annotations:
    sheet = lay_sheet(source, 0, options)
    # How many labels there are is asked before what has them comes over.
    layout = sheet.layout
    columns = [
        column
        for column in (layout.annotators if layout.label is None else (layout.label,))
        if column not in sheet.of_path
    ]
    head = [label for column in columns for label in sheet.table.columns[column]]
    different = source.most_different(columns)
    refuse_texts(different, head, of_columns(sheet.table, "columns"))
    if options.engine.bounded and source.kinds(sheet) > MOST_KINDS:
        raise VeryManyKinds
    grouped, crowd = 0, list[LabelGroup]()
    if options.engine.kinds:
        sizes = source.sizes(sheet)
        grouped = sizes.documents if are_too_many(sizes.documents, sizes.cells) else 0
        if summed := read_sums(source, sheet, options, sizes, different, grouped):
            names, groups, ratings = summed
            understood = _understood([sheet], groups, options)
            _require_named(names, source.file, options)
            return _read(names, by_name(ratings), [sheet], understood, options, format_name)
        crowd = _crowd(source, sheet, options, sizes)
    lay_alike(connection, source, sheet, in_groups=bool(grouped), named=not crowd)
    return _annotations(connection, [sheet], options, format_name, source, (grouped, crowd))


def _crowd(
    source: IbisSource, sheet: LaidSheet, options: ReaderOptions, sizes: TableSizes
) -> list[LabelGroup]:
    """Return how often names of a large crowd occur together, as all that travels of who gave which label.

    Nothing where it is not one, or where it takes more to know which labels count: passes, sets, chosen
    annotators, somebody who labelled a unit twice, or who is called like a reference or a model.
    """
    layout = sheet.layout
    plain = layout.label is not None and layout.passes is None and layout.unit is not None
    if not plain or options.set_separator is not None or options.annotators is not None:
        return []
    if not is_large_crowd(sizes.people, sizes.cells, sizes.cells * sizes.people):
        return []
    units = source.units(sheet)
    twos = fewest_twos(sizes.cells, units)
    if not is_large_crowd(sizes.people, units, twos) or source.are_repeated(sheet):
        return []
    groups = [*source.groups(sheet).values()]
    if any(called_by_name((group.annotator for group in groups if group.annotator.strip()), {}, options)):
        return []
    counting = [group for group in groups if counts(group, options)]
    twos = fewest_twos(sum(group.rows - group.unnamed for group in counting), units)
    return groups if is_large_crowd(len({group.annotator for group in counting}), units, twos) else []


def _annotations(  # noqa: PLR0913, PLR0917 - what was read, where, and how
    connection: "Connection",
    sheets: Sequence[LaidSheet],
    options: ReaderOptions,
    format_name: str,
    elsewhere: IbisSource | None = None,
    sums: tuple[int, Sequence[LabelGroup]] = (0, ()),
) -> Annotations:
    """Return the labels in the relation of labels; rows that lie `elsewhere` have no order.

    `sums` are how many documents there are where rows have their groups already, else 0, and how often names
    occur together where rows do not say who they are of.
    """
    names, groups = names_in(connection, sheets, options, *sums)
    understood = _understood(sheets, groups, options)
    _require_named(names, sheets[0].table.file, options)
    lay_codes(connection, names)
    memory = limit(options.engine)
    if elsewhere is None:
        if options.engine.kinds or names.rows > MOST_WHOLE:
            lay_kinds(connection, names, memory)
            ratings = sums_here(connection, sheets, names, groups, options) or kinds(connection, names)
        else:
            ratings, order = units_alone(connection, names)
            ratings = replace(ratings, location=lambda mark: _row_place(sheets, int(order[mark])))
        naming = named_by_duckdb(connection, names, memory)
    else:
        lay_kinds(connection, names, memory, ordered=False)
        ratings = by_name(kinds(connection, names))
        _require_one(connection, names, sheets[0].table.file, options)
        naming = named_elsewhere(connection, names, elsewhere, sheets[0])
    if ratings.counted and options.engine.listed:
        ratings = with_disputed(ratings, naming)
    return _read(names, ratings, sheets, understood, options, format_name)


def _understood(
    sheets: Sequence[LaidSheet], groups: Sequence[LabelGroup], options: ReaderOptions
) -> list[Understood]:
    """Return tables as they were understood; raise BadInput for what queries do not see."""
    people = [[group.annotator for group in groups if group.file == number] for number in range(len(sheets))]
    understood = [
        Understood(sheet.table, sheet.layout, sheet.layout.named(sheet.table, people[number]))
        for number, sheet in enumerate(sheets)
    ]
    require_comparable(understood, options)
    if any(sheet.layout.text is not None for sheet in sheets):
        message = "is named, and texts of units are read in memory alone."
        remedy = "Leave out engine, or take the column of texts away."
        raise sheets[0].table.file.refused(message, remedy, key="columns.text")
    if options.groups:
        message = "is named, and what annotators are is read in memory alone."
        remedy = "Leave out engine, or write it in campaign.toml: [annotators.NAME] group."
        raise sheets[0].table.file.refused(message, remedy, key=KEY)
    return understood


def _read(  # noqa: PLR0913, PLR0917 - what was read, where, and how
    names: CodedNames,
    ratings: Ratings,
    sheets: Sequence[LaidSheet],
    understood: Sequence[Understood],
    options: ReaderOptions,
    format_name: str,
) -> Annotations:
    """Return ratings with what is said of them."""
    ratings = replace(ratings, labels=set_names(ratings.labels, options))
    return Annotations(
        content=ratings,
        format=format_name,
        reading=reading_of(understood, options),
        marks_read=names.marks_read,
        missing=names.missing,
        left_out=tuple(_left_out(names, sheets, lines=not ratings.counted)),
        warnings=tuple(without_document(understood, ratings)),
        called=called(understood),
    )


def _require_one(
    connection: "Connection", names: CodedNames, file: ExportFile, options: ReaderOptions
) -> None:
    """Raise BadInput where somebody gave a unit several labels, no set, and no order says which was first."""
    if options.set_separator is None and (units := repeated(connection, names, otherwise=True)):
        message = (
            f"on {units:,} units an annotator gave different labels, and no row comes before another there."
        )
        remedy = "Name a column that numbers passes (pass=…), or have a file read by DuckDB."
        raise file.refused(message, remedy)


@contextmanager
def unchanged(files: Sequence[ExportFile]) -> Iterator[Callable[[], tuple[Provenance, ...]]]:
    """Yield what returns the files' digests; raise BadInput where one is another afterwards than before."""
    before = [_state(file) for file in files]
    yield lambda: tuple(file.source for file in files)
    if changed := [file for file, state in zip(files, before, strict=True) if _state(file) != state]:
        message, remedy = "changed while it was read.", "Read it again when nobody writes it."
        raise BadInput(file.problem(message, remedy) for file in changed)


def _state(file: ExportFile) -> tuple[int, int, int]:
    try:
        status = file.path.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns


def _sources(
    connection: "Connection", files: Sequence[ExportFile], options: ReaderOptions
) -> Iterator[DataSource]:
    """Yield where the labels lie; Parquet files are one table unless their paths say something."""
    kind = kind_of(files[0])
    if kind in {"duckdb", "sqlite"}:
        if len(files) > 1:
            message, remedy = "is one of several databases in one export.", "Name one of them."
            raise BadInput(file.problem(message, remedy) for file in files)
        chosen = DuckDBSource if kind == "duckdb" else SQLiteSource
        yield chosen(connection, files[0], options.table)
    elif kind == "parquet" and options.path is None:
        yield ParquetSource(connection, files)
    else:
        for file in files:
            many = len(files) > VIEWED
            yield (
                ParquetSource(connection, [file])
                if kind == "parquet"
                else CsvSource(connection, file, many=many)
            )


def _require_named(names: CodedNames, file: ExportFile, options: ReaderOptions) -> None:
    """Raise where labels without a unit or an annotator are refused; of a text, memory knows the lines."""
    faulty = {"annotator": names.faulty(NO_ANNOTATOR), "unit": names.faulty(NO_UNIT)}
    if options.faulty == "counted" or not any(faulty.values()):
        return
    if ENGINES.get(options.engine.name or "", DUCKDB).has_lines and kind_of(file) == "text":
        raise Unreadable
    raise BadInput(
        file.problem(f"{n:,} labels have no {role}.", f"Name the {role}, or empty the label.")
        for role, n in faulty.items()
        if n
    )


def _row_place(sheets: Sequence[LaidSheet], order: int) -> Location:
    """Return the file and the line of a row by its number; the header is the first of a file's lines."""
    sheet = sheets[order // LARGEST_SHEET]
    lines = sheet.table.lines
    row = order % LARGEST_SHEET // sheet.width + 1
    return sheet.table.file.name, lines[row] if row < len(lines) else 0


def _left_out(names: CodedNames, sheets: Sequence[LaidSheet], *, lines: bool) -> Iterator[ExcludedMarks]:
    """Yield how many labels of whom are left out and why, with the line of the first, file by file."""
    for (file, annotator, reason), (n, first) in sorted(names.faults.items(), key=lambda fault: fault[1][1]):
        file_and_line = _row_place(sheets, first) if lines else (sheets[file].table.file.name, 0)
        yield ExcludedMarks(*file_and_line, annotator, reason, n)


# In memory


def heads(files: Sequence[ExportFile], options: ReaderOptions) -> list[StringTable]:
    """Return the header and the first rows of Parquet files or of a table of a database."""
    with opened(options.engine, files[0].name) as connection:
        # What outlives the connection does not hold it.
        return [replace(source.table(), unique=None) for source in _sources(connection, files, options)]


def table_in_memory(files: Sequence[ExportFile], options: ReaderOptions) -> list[StringTable]:
    """Return Parquet files or a table of a database as tables in memory."""
    tables: list[StringTable] = []
    with opened(options.engine, files[0].name) as connection:
        for source in _sources(connection, files, options):
            head = source.table()
            width = range(len(head.header))
            columns = ", ".join(f"coalesce(c{column}, '') as c{column}" for column in width)
            filled = " or ".join(f"c{column} <> ''" for column in width)
            query = f"select {columns} from {source.relation(0, width)} where {filled} order by {ORD}"
            rows = [(0, row) for row in (head.header, *connection.execute(query).fetchall())]
            tables.append(table_of(head.file, rows, head.written))
    return tables
