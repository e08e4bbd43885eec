"""The units on which annotators differ most, by a second query: of a table whose units are only counted.

How many units have which labels tells which kinds of units are disputed, and how much. Each document in turn
gives its most disputed unit until as many are chosen as a list shows; the query names those alone.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reportgen.readers.annotations import Codes, Ratings, no_place
from reportgen.readers.engine.labels import (
    CODED,
    KINDS,
    UNIT,
    CodedNames,
    LaidSheet,
    codes_of,
    parts_of,
    repeated,
)
from reportgen.readers.engine.remote import ALIKE, IbisSource

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


# As many as a list shows on all its pages.
MOST_LISTED = 2_000
WANTED, NAMED = "wanted", "named"
# Disagreement is told in so many parts of one.
PARTS = 1_000_000
# From how many units of each kind are wanted (kinds,) to the kinds of units and their names, in order.
Naming = Callable[[Codes], tuple[list[int], list[str]]]


def with_disputed(ratings: Ratings, naming: Naming) -> Ratings:
    """Return counted ratings with the units on which labels differ most, each on its own and by its name."""
    wanted = _shared_out(ratings, _disagreement(ratings))
    found, names = naming(wanted) if wanted.any() else ([], [])
    kind = np.array(found, dtype=np.int64)
    begin = np.searchsorted(ratings.unit, kind, side="left")
    marks = np.searchsorted(ratings.unit, kind, side="right") - begin
    unit = np.repeat(np.arange(len(kind)), marks)
    mark = np.arange(len(unit)) + np.repeat(begin - np.cumsum(marks) + marks, marks)
    disputed = replace(
        ratings,
        unit_names=tuple(names),
        unit_document=ratings.unit_document[kind],
        unit_weight=np.ones(len(kind), dtype=np.int64),
        unit=unit,
        annotator=ratings.annotator[mark],
        label=ratings.label[mark],
        mark_pass=ratings.mark_pass[mark],
        place=no_place,
        counted=False,
    )
    return replace(ratings, disputed=disputed)


def _disagreement(ratings: Ratings) -> Codes:
    """Return the share of pairs of annotators, in parts, that differ on a unit of each kind (kinds,)."""
    unit, said = _first_said(ratings)
    kinds, size = len(ratings.unit_weight), int(said.max(initial=0)) + 1
    raters = np.bincount(unit, minlength=kinds)
    alike, times = np.unique(unit * size + said, return_counts=True)
    agreeing = np.zeros(kinds, dtype=np.int64)
    np.add.at(agreeing, alike // size, times * (times - 1))
    pairs = raters * (raters - 1)
    share: Codes = -(-PARTS * (pairs - agreeing) // np.maximum(pairs, 1))
    return share


def _first_said(ratings: Ratings) -> tuple[Codes, Codes]:
    """Return the unit of each annotator's first pass, and a code of all labels that they gave it there."""
    key = ratings.unit * max(len(ratings.annotators), 1) + ratings.annotator
    order = np.lexsort((ratings.label, ratings.mark_pass, key))
    key, turn, label = key[order], ratings.mark_pass[order], ratings.label[order]
    _, begin, group = np.unique(key, return_index=True, return_inverse=True)
    kept = turn == turn[begin][group]
    kept[1:] &= (group[1:] != group[:-1]) | (label[1:] != label[:-1])
    unit, label, group = ratings.unit[order][kept], label[kept], group[kept]
    _, begin, size = np.unique(group, return_index=True, return_counts=True)
    said, sets = label[begin], dict[bytes, int]()
    for place in np.flatnonzero(size > 1).tolist():
        given = label[begin[place] : begin[place] + size[place]].tobytes()
        said[place] = len(ratings.labels) + sets.setdefault(given, len(sets))
    return unit[begin], said


def _shared_out(ratings: Ratings, share: Codes) -> Codes:
    """Return how many units of each kind are listed (kinds,): each document's worst first, in turn."""
    kinds = np.flatnonzero(share)
    kinds = kinds[np.lexsort((kinds, -share[kinds], ratings.unit_document[kinds]))]
    n, document = ratings.unit_weight[kinds], ratings.unit_document[kinds]
    begin = np.cumsum(n) - n
    first = np.flatnonzero(np.diff(document, prepend=document[:1] - 1))
    units = np.add.reduceat(n, first) if len(n) else n
    begin -= np.repeat(begin[first], np.diff(first, append=len(n)))
    rounds = range(int(units.max(initial=0)) + 1)
    turns = bisect_right(rounds, MOST_LISTED, key=lambda turn: int(np.minimum(units, turn).sum())) - 1
    wanted = np.clip(turns - begin, 0, n)
    # Where one more turn were too many, the worst units of that turn.
    next_turn = np.flatnonzero((begin <= turns) & (turns < begin + n))
    worst = next_turn[np.argsort(-share[kinds[next_turn]], kind="stable")]
    wanted[worst[: MOST_LISTED - int(wanted.sum())]] += 1
    found = np.zeros(len(share), dtype=np.int64)
    found[kinds] = wanted
    return found


def _lay_wanted(connection: "DuckDBPyConnection", wanted: Codes) -> None:
    kind = np.flatnonzero(wanted)
    connection.execute(
        f"create temp table {WANTED} as select kind, most, document, codes "
        "from (select unnest(?::bigint[]) as kind, unnest(?::bigint[]) as most) "
        f"join {KINDS} on {KINDS}.rowid = kind",
        [kind.tolist(), wanted[kind].tolist()],
    )


def named_by_duckdb(connection: "DuckDBPyConnection", names: CodedNames, memory: int) -> Naming:
    """Return what names units that DuckDB reads: of those alike the first, in the order of their rows."""

    def naming(wanted: Codes) -> tuple[list[int], list[str]]:
        _lay_wanted(connection, wanted)
        codes = codes_of(names, in_order=bool(repeated(connection, names)))
        most = "qualify row_number() over (partition by kind order by first) <= most"
        connection.execute(f"create temp table {NAMED} (kind bigint, unit varchar, first bigint)")
        for only in parts_of(names, memory):
            connection.execute(
                f"insert into {NAMED} select kind, unit, first from (select {UNIT}, {codes} as codes, "
                f"min(ord) as first from {CODED} {only} group by {UNIT}) "
                f"join {WANTED} using (document, codes) {most}"
            )
        rows = connection.execute(
            f"select kind, unit from (select * from {NAMED} join {WANTED} using (kind) {most}) order by first"
        ).fetchall()
        return [kind for kind, _ in rows], [unit for _, unit in rows]

    return naming


def named_elsewhere(
    connection: "DuckDBPyConnection", names: CodedNames, source: IbisSource, sheet: LaidSheet
) -> Naming:
    """Return what names units that are counted elsewhere: of those alike the first by name, in this order."""

    def naming(wanted: Codes) -> tuple[list[int], list[str]]:
        if sheet.layout.unit is None:
            kinds = np.repeat(np.arange(len(wanted)), wanted).tolist()
            return kinds, [""] * len(kinds)
        _lay_wanted(connection, wanted)
        rows = connection.execute(
            f"select document, written, {WANTED}.kind from (select {UNIT}, "
            f"{codes_of(names, in_order=False)} as codes from {CODED} group by {UNIT}) "
            f"join {WANTED} using (document, codes) join {ALIKE} on {ALIKE}.kind = own"
        ).fetchall()
        kind_of = {(document, marks): kind for document, marks, kind in rows}
        found = [
            (kind_of[document, marks], unit)
            for document, marks, unit in source.named(sheet, list(kind_of), int(wanted.max()))
        ]
        return _first_of_each(found, wanted)

    return naming


def _first_of_each(found: list[tuple[int, str]], wanted: Codes) -> tuple[list[int], list[str]]:
    """Return so many units of each kind, the first by their names."""
    left = wanted.copy()
    kinds: list[int] = []
    names: list[str] = []
    for kind, unit in sorted(found, key=lambda each: each[1]):
        if left[kind]:
            left[kind] -= 1
            kinds.append(kind)
            names.append(unit)
    return kinds, names
