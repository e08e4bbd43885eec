"""What occurs in tables where they lie: names as codes, and what became of every label."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.readers.engine.sheets import MARKS, LaidSheet
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED, ReaderOptions, clean
from reportgen.readers.table_marks import in_turn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


NOTHING = -1
Fault = tuple[int, str, str]


@dataclass(frozen=True)
class Occurring:
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
    left out, by file, annotator and reason, with the number of the first row.
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

    @property
    def rows(self) -> int:
        """Return how many cells there are that can hold a label."""
        return self.missing + self.marks_read

    def faulty(self, reason: str) -> int:
        """Return how many labels are left out for a reason."""
        return sum(n for (*_, why), (n, _) in self.faults.items() if why == reason)


def names_in(
    connection: "DuckDBPyConnection", sheets: Sequence[LaidSheet], options: ReaderOptions
) -> tuple[CodedNames, list[Occurring]]:
    """Return the names in the relation of labels, and how often they occur together."""
    query = (
        "select file, annotator, label, pass, sum(n)::bigint, min(ord), "
        "coalesce(sum(n) filter (unnamed), 0)::bigint, min(ord) filter (not unnamed) "
        f"from {MARKS} group by all order by min(ord), annotator, label, pass"
    )
    found = [Occurring(*row) for row in connection.execute(query).fetchall()]
    documents = _documents(connection, sheets)
    return _named(found, documents, options), found


def _documents(connection: "DuckDBPyConnection", sheets: Sequence[LaidSheet]) -> tuple[str, ...]:
    """Return documents in the order in which they come, with their codes in a table of that name."""
    where = "false" if all(each.layout.document is None for each in sheets) else "document <> ''"
    connection.execute(
        "create temp table documents as "
        "select document, row_number() over (order by first, document) - 1 as code from "
        f"(select document, min(ord) as first from {MARKS} where {where} group by document)"
    )
    rows = connection.execute("select document from documents order by code").fetchall()
    return tuple(name for (name,) in rows)


def _named(found: Sequence[Occurring], documents: tuple[str, ...], options: ReaderOptions) -> CodedNames:
    asked = options.annotators
    annotators = tuple(dict.fromkeys(asked or (each.annotator for each in found if each.annotator.strip())))
    written = list(dict.fromkeys(each.label for each in found))
    cleaned = dict(zip(written, clean(written, options), strict=True))
    used = sorted(
        (each for each in found if _counts(each, cleaned[each.label], options)),
        key=lambda each: each.first if each.first_named is None else each.first_named,
    )
    labels = tuple(dict.fromkeys(cleaned[each.label] for each in used))
    codes = {name: code for code, name in enumerate(labels)}
    passes = in_turn(list(dict.fromkeys(each.turn for each in found if each.turn.strip())))
    turns = {name: code for code, name in enumerate(passes)}
    return CodedNames(
        annotators=annotators,
        labels=labels,
        passes=tuple(passes),
        documents=documents,
        label_codes={name: codes.get(label, NOTHING) for name, label in cleaned.items()},
        pass_codes={each.turn: turns.get(each.turn, 0) for each in found},
        missing=sum(each.rows for each in found if not cleaned[each.label]),
        marks_read=sum(each.rows for each in found if cleaned[each.label]),
        faults=_faults(found, cleaned, options),
    )


def _counts(each: Occurring, label: str, options: ReaderOptions) -> bool:
    """Say whether any of these labels is used."""
    return bool(label) and each.rows > each.unnamed and _reason(each, label, options) == ""


def _reason(each: Occurring, label: str, options: ReaderOptions) -> str:
    """Return why labels that have a unit are left out, "" where they are used."""
    if not each.annotator.strip():
        return NO_ANNOTATOR
    if options.annotators is not None and each.annotator not in options.annotators:
        return NOT_ASKED_FOR
    if options.only is not None and label not in options.only:
        return UNDECLARED
    return ""


def _faults(
    found: Iterable[Occurring], cleaned: Mapping[str, str], options: ReaderOptions
) -> dict[Fault, tuple[int, int]]:
    number: Counter[Fault] = Counter()
    first: dict[Fault, int] = {}
    for each in found:
        for reason, rows in _lost(each, cleaned[each.label], options):
            key = each.file, each.annotator if each.annotator.strip() else "", reason
            number[key] += rows
            first[key] = min(first.get(key, each.first), each.first)
    return {key: (rows, first[key]) for key, rows in number.items()}


def _lost(each: Occurring, label: str, options: ReaderOptions) -> Iterator[tuple[str, int]]:
    """Yield for which reasons how many labels are left out."""
    if not label:
        return
    reason = _reason(each, label, options)
    if reason == NO_ANNOTATOR:
        yield reason, each.rows
        return
    if each.unnamed:
        yield NO_UNIT, each.unnamed
    if reason and each.rows > each.unnamed:
        yield reason, each.rows - each.unnamed
