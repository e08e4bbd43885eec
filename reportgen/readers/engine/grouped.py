"""Labels as integer codes, by queries: each unit on its own, or units that are alike as one."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from reportgen.readers.annotations import NO_DOCUMENT, Codes, Ratings
from reportgen.readers.engine.duck import lay_table
from reportgen.readers.engine.names import CodedNames
from reportgen.readers.engine.sheets import MARKS
from reportgen.readers.reader import NO_UNIT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


CODED, UNITS, KINDS = "coded", "units", "kinds"
# Lists of labels are not laid down: units are grouped in parts, so that those of one fit into this share of
# the memory, at so many bytes a row.
ROW_BYTES, SHARE = 64, 0.6
UNIT = "document, unit, own"


def lay_codes(connection: "DuckDBPyConnection", names: CodedNames) -> None:
    """Make a relation that has a code for each label that counts: its pass, its annotator and itself."""
    annotators = names.annotators
    labels, passes = names.label_codes, names.pass_codes
    who = {"annotator varchar": annotators, "who bigint": range(len(annotators))}
    lay_table(connection, "annotator_codes", who)
    lay_table(connection, "label_codes", {"label varchar": [*labels], "what bigint": [*labels.values()]})
    lay_table(connection, "pass_codes", {"pass varchar": [*passes], "turn bigint": [*passes.values()]})
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


def kinds(
    connection: "DuckDBPyConnection", names: CodedNames, memory: int, *, ordered: bool = True
) -> Ratings:
    """Return units of a document with the same labels by the same annotators as one, which weighs as many.

    `ordered` says whether rows have an order; without one nobody asks which of several labels came first.
    """
    parts = parts_of(names, memory)
    _group(connection, codes_of(names, in_order=False), parts)
    if ordered and repeated(connection, names):
        _group(connection, codes_of(names, in_order=True), parts)
    (weight,) = _columns(connection.execute(f"select n from {KINDS} order by rowid"))
    (document,) = _columns(
        connection.execute(
            f"select coalesce(code, {NO_DOCUMENT}) from {KINDS} left join documents using (document) "
            f"order by {KINDS}.rowid"
        )
    )
    unit, code = _columns(
        connection.execute(f"select rowid, unnest(codes) from {KINDS} where codes is not null")
    )
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


def _group(connection: "DuckDBPyConnection", codes: str, parts: Sequence[str]) -> None:
    """Make a table of how many units of a document have the same codes."""
    connection.execute("create or replace temp table part (document varchar, codes bigint[], n bigint)")
    for only in parts:
        connection.execute(
            "insert into part select document, codes, sum(n)::bigint from "
            f"(select document, {codes} as codes, any_value(n) as n from {CODED} {only} group by {UNIT}) "
            "group by document, codes"
        )
    connection.execute(
        f"create or replace temp table {KINDS} as select document, codes, sum(n)::bigint as n from part "
        "group by document, codes order by document, codes nulls first"
    )
    connection.execute("drop table part")


def repeated(connection: "DuckDBPyConnection", names: CodedNames, *, otherwise: bool = False) -> int:
    """Return how many units have several labels by an annotator in one pass; `otherwise`: different ones."""
    who = f"list_distinct(list_transform(codes, lambda code: code // {max(len(names.labels), 1)}))"
    given = "list_distinct(codes)" if otherwise else "codes"
    query = f"select sum(n) filter (len({who}) < len({given})) from {KINDS}"
    ((units,),) = connection.execute(query).fetchall()
    return int(units or 0)


# Each unit on its own


def whole(connection: "DuckDBPyConnection", names: CodedNames) -> tuple[Ratings, Codes]:
    """Return the labels of each unit, as they are read in memory, and the number of each label's row."""
    connection.execute(
        f"create temp table {UNITS} as select {UNIT}, row_number() over (order by first) - 1 as number from "
        f"(select {UNIT}, min(ord) as first from {MARKS} group by {UNIT})"
    )
    known = connection.execute(
        f"select coalesce(code, {NO_DOCUMENT}) from {UNITS} left join documents using (document) "
        "order by number"
    )
    document = _columns(known)[0]
    named = connection.execute(f"select unit from {UNITS} order by number").fetchall()
    number, code, order = _columns(
        connection.execute(
            f"select number, code, ord from {CODED} join {UNITS} using ({UNIT}) "
            "where code is not null order by ord"
        )
    )
    units = tuple(str(name) for (name,) in named), document, np.ones(len(document), dtype=np.int64)
    return _ratings(names, units, number, code), order


def _columns(result: "DuckDBPyConnection") -> list[Codes]:
    """Return the columns of a result, all of integers."""
    return [np.asarray(column).astype(np.int64) for column in result.fetchnumpy().values()]


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
    )
