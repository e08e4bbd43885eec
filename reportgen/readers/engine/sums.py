"""Units of very many kinds elsewhere: the sums that counts keep of them are all that travels.

A first query says how many kinds of units there are. Where these are kept as sums, another adds up how often
each two labels meet: what travels grows with labels, annotators and groups of documents, not with units. Of
units without documents it is which labels they have from whomever, and the table of every two annotators.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import NO_DOCUMENT, Codes, LabelsGiven, Ratings, coded, sorted_columns
from reportgen.readers.document_groups import (
    DIGITS,
    are_too_various,
    are_too_various_alone,
    fewest_twos,
    first_by_group,
    have_products,
    is_large_crowd,
    pair_digits,
    pair_group,
    pair_groups,
)
from reportgen.readers.engine.labels import (
    KINDS,
    NOTHING,
    CodedNames,
    LabelGroup,
    LaidSheet,
    coded_names,
    labels_given,
    repeated,
)
from reportgen.readers.engine.labels import kinds as units_alike
from reportgen.readers.engine.remote import NEXT, IbisSource, TableSizes
from reportgen.readers.label_sums import (
    LabelSums,
    UnitsAlike,
    alike,
    contradictions,
    products_of,
    sums_on,
)
from reportgen.readers.reader import ReaderOptions, called_by_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection

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
        ratings = _profiles_there(units, names, given)
    else:
        ratings = _sums_there(source, units, names, given, (people, size))
    if ratings is None:
        raise source.file.refused("changed while it was counted.", "Count it again when nobody writes it.")
    return names, [*groups.values()], replace(ratings, grouped=grouped)


def _profiles_there(units: Any, names: CodedNames, given: LabelsGiven) -> Ratings | None:  # noqa: ANN401
    """Return units alone as `_of_profiles` does, from their expression."""
    lists, tables = (query.to_pyarrow() for query in (profiles_of(units), tables_of(units)))
    written = (text.split(NEXT) if text else [] for text in lists["document"].to_pylist())
    said = (sorted(map(int, codes)) for codes in written)
    table = [tables[name].to_numpy() for name in TABLE]
    return _of_profiles(names, given, zip(said, lists["n"].to_pylist(), strict=True), table)


def _sums_there(
    source: IbisSource,
    units: Any,  # noqa: ANN401 - Ibis is imported where it is needed
    names: CodedNames,
    given: LabelsGiven,
    sizes: tuple[int, int],
) -> Ratings | None:
    """Return units that have the sums of those of an expression; `sizes`: how many people and labels."""
    people, size = sizes
    groups_of_pairs = pair_groups(people, size)
    in_products = len(names.labels) if have_products(people, size) else 0
    table = sums_of(source, units, groups_of_pairs, in_products).to_pyarrow()
    rows = {name: table[name].to_numpy() for name in COLUMNS}
    return _ratings(names, given, rows, groups_of_pairs)


@dataclass(frozen=True)
class Codebook:
    """The codes of annotators, and of labels that count, by how each is written."""

    who: Mapping[str, int]
    label: Mapping[str, int]

    @classmethod
    def of(
        cls, groups: Mapping[tuple[str, str], LabelGroup], names: CodedNames, given: LabelsGiven
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
    ratings = _ratings(names, given, rows, groups_of_pairs)
    if ratings is None:
        message = "sums of one table contradict each other"
        raise ValueError(message)
    return replace(ratings, grouped=names.grouped)


def _crowd_here(
    connection: "Connection", names: CodedNames, given: LabelsGiven, people: int
) -> Ratings | None:
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
    return units_alike(connection, replace(names, given=given))


def _alone_here(
    connection: "Connection", names: CodedNames, given: LabelsGiven, sizes: tuple[int, int, int]
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


def _ratings(names: CodedNames, given: LabelsGiven, table: Rows, groups: int) -> Ratings | None:
    """Return units that have the sums of a table, of so many groups; None where no one table has these."""
    size, in_all, of_units = len(names.labels), table["document"] == "", table["ratings"] != NOTHING
    units, pairs, of_all = (
        {name: column[chosen] for name, column in table.items()}
        for chosen in (of_units, ~of_units & ~in_all, ~of_units & in_all)
    )
    documents = sorted({*units["document"].tolist()})
    place = {document: code for code, document in enumerate(documents)}
    sums = _label_sums(units, _codes(units, place.__getitem__), size)
    first_of = first_by_group(documents, groups)
    group = _codes(pairs, lambda digits: first_of.get(pair_group(digits, groups), NOTHING))
    first, second, *cells = (pairs[name] for name in COLUMNS[2:])
    given = replace(given, pairs=sorted_columns(first, second, group, *cells))
    if len(of_all["n"]):
        given = _with_products(given, of_all, size)
    if (group == NOTHING).any() or any(contradictions(sums, given)):
        return None
    return _counted_ratings(names, alike(sums), given, tuple(documents))


def _of_profiles(
    names: CodedNames, given: LabelsGiven, said: Iterable[tuple[Sequence[int], int]], table: Sequence[Codes]
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
    if any(contradictions(sums_on(nowhere, weight, unit, label, len(names.labels)), given)):
        return None
    place = np.arange(len(label)) - (np.cumsum(sizes) - sizes)[unit]
    return _counted_ratings(names, UnitsAlike(nowhere, weight, unit, place, label), given)


def _counted_ratings(
    names: CodedNames, units: UnitsAlike, given: LabelsGiven, documents: tuple[str, ...] = ()
) -> Ratings:
    return Ratings(
        documents=documents,
        annotators=names.annotators,
        labels=names.labels,
        unit_names=("",) * len(units.weight),
        unit_document=units.document,
        unit_weight=units.weight,
        unit=units.unit,
        annotator=units.place,
        label=units.label,
        mark_pass=np.zeros_like(units.unit),
        counted=True,
        given=given,
    )


def _with_products(given: LabelsGiven, table: Rows, size: int) -> LabelsGiven:
    first, second, cell, beside, n = (table[name] for name in COLUMNS[2:])
    alone = cell == NOTHING
    shared = sorted_columns(first[alone], second[alone], n[alone])
    # A product comes once, the lower cell first, and is the same the other way round.
    own, turned = np.flatnonzero(~alone), np.flatnonzero(~alone & (cell != beside))
    one, other = (np.append(a[own], b[turned]) for a, b in ((cell, beside), (beside, cell)))
    rows = np.append(own, turned)
    labels = one // size, one % size, other // size, other % size
    return replace(given, shared=shared, products=sorted_columns(first[rows], second[rows], *labels, n[rows]))


def _label_sums(units: Rows, document: Codes, size: int) -> LabelSums:
    ratings, _, _, least, largest, n = (units[name] for name in COLUMNS[1:])
    # Of units with one rating one label has come, of those with none no label.
    least = np.maximum(least, 0)
    largest = np.maximum(largest, least)
    width = int(ratings.max(initial=0)) + 1
    rows, row = np.unique(document * width + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    np.add.at(met, (row, least, largest), n)
    return LabelSums(rows // width, rows % width, met + np.triu(met, 1).transpose(0, 2, 1))


def _codes(table: Rows, code: Callable[[str], int]) -> Codes:
    """Return the codes of the documents, or groups, of a table."""
    names, place = coded(table["document"].tolist())
    codes: Codes = np.array([code(name) for name in names], dtype=np.int64)[place]
    return codes
