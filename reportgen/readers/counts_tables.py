"""The tables of a folder of counts: rows as integers, and everything that is wrong with them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from reportgen.base.errors import Problem, did_you_mean, tried
from reportgen.base.files import numbered_rows
from reportgen.readers.annotations import NO_DOCUMENT, Codes
from reportgen.readers.counted import (
    AS_WRITTEN,
    COMPARISONS,
    DESCRIPTION,
    EVERYBODY,
    KINDS,
    LARGEST,
    MARK_HEADS,
    OUTCOMES,
    SPANS,
    TOKENS,
    TYPE_PAIRS,
    CountedUnits,
    EverybodyDescribed,
    LayerDescribed,
    MarkTables,
    SpanCounts,
    SpansDescribed,
    TypePairs,
    UnitSetDescribed,
)
from reportgen.readers.reader import ExportFile, refuse

Row = tuple[int, tuple[str, ...]]

DELIMITER = ","
NUMBER = re.compile(r"[0-9]{1,16}")
DIGITS = re.compile(r"[+-]?[0-9]+")


def has_header(file: ExportFile, header: Sequence[str]) -> bool:
    """Say whether the first line of a text is this header."""
    return file.text.partition("\n")[0].rstrip("\r") == DELIMITER.join(header)


def read_rows(file: ExportFile, header: Sequence[str]) -> list[Row]:
    """Return the rows of a table of counts with their lines, the count at their end a whole number.

    Raises BadInput with every fault of the table.
    """
    found = numbered_rows(file.text, DELIMITER)
    expected = f"The first line of {file.path.name} is {DELIMITER.join(header)}."
    if not found:
        raise file.refused("is empty.", expected)
    (first, names), *rows = found
    if tuple(names) != tuple(header):
        message = f'has the columns "{DELIMITER.join(names)}", which no counts have.'
        raise file.refused(message, expected, first)
    refuse(_wrong_rows(file, rows, header))
    if sum(int(cells[-1]) for _, cells in rows) > LARGEST:
        raise file.refused(f"counts more than {LARGEST:,} in all, which no corpus holds.", AS_WRITTEN)
    # Names stand in many rows, and are kept once: of a crowd there are millions of pairs.
    known: dict[str, str] = {}
    return [(line, tuple([known.setdefault(cell, cell) for cell in cells])) for line, cells in rows]


def _wrong_rows(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    for line, cells in rows:
        if len(cells) != len(header):
            yield file.problem(f"has {len(cells)} cells, and the header {len(header)}.", AS_WRITTEN, line)
        elif not NUMBER.fullmatch(cells[-1]) or int(cells[-1]) > LARGEST:
            yield file.problem(_no_count(cells[-1]), AS_WRITTEN, line, f"column {header[-1]}")


def _no_count(cell: str) -> str:
    """Return what is wrong with a cell that is no count."""
    if not DIGITS.fullmatch(cell):
        return f'"{cell}" is no count; a whole number was expected.'
    return f"{cell} is below 0, and counts are not." if cell.startswith("-") else f"{cell} is too large."


def by_layer(
    file: ExportFile, rows: Sequence[Row], known: Mapping[str, Sequence[str]], *, unit_sets: bool
) -> dict[str, list[Row]]:
    """Return the rows of each layer of `known`, which has the unit sets of each.

    Raises BadInput for rows of other layers, and with `unit_sets` for those of other unit sets.
    """
    found: dict[str, list[Row]] = {layer: [] for layer in known}
    problems: list[Problem] = []
    for line, cells in rows:
        if cells[0] not in known:
            message = f'counts.json has no layer "{cells[0]}".'
            problems.append(file.problem(message, _meant(cells[0], list(known)), line, "column layer"))
        elif unit_sets and cells[1] not in known[cells[0]]:
            message = f'counts.json has no unit set "{cells[1]}" in this layer.'
            problems.append(file.problem(message, _meant(cells[1], known[cells[0]]), line, "column unit_set"))
        else:
            found[cells[0]].append((line, cells))
    refuse(problems)
    return found


def _meant(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or AS_WRITTEN


# Rows of a table of counts as columns of integers, with everything that is wrong in them.

# The integer of a cell, or what is wrong with it and how to mend it.
Read = Callable[[str], int | tuple[str, str]]


@dataclass(frozen=True, eq=False)
class CountTable:
    """One layer's rows of a table: where they stand, what the columns are called, and what is wrong.

    `file` is the name to show, `head` that of each column; each row has its line and its cells.
    """

    file: str
    head: Sequence[str]
    rows: Sequence[Row]
    problems: list[Problem] = field(default_factory=list)

    def part(self, rows: Sequence[Row]) -> "CountTable":
        """Return some of the rows; what is wrong with them is noted here."""
        return CountTable(self.file, self.head, rows, self.problems)

    def wrong(self, line: int, message: str, key: str = "", mend: str = AS_WRITTEN) -> None:
        """Note what is wrong in a line."""
        self.problems.append(Problem(self.file, line, key and f"column {key}", message, mend))

    def columns(self, read: Mapping[str, Read]) -> dict[str, Codes]:
        """Return some columns as integers, and "line"; rows in which anything is wrong are left out."""
        found = [[line, *values] for line, values in self._read(read)]
        table = np.array(found, dtype=np.int64).reshape(-1, 1 + len(read))
        return dict(zip(("line", *read), table.T, strict=True))

    def _read(self, read: Mapping[str, Read]) -> Iterator[tuple[int, list[int]]]:
        places = [self.head.index(name) for name in read]
        for line, cells in self.rows:
            values = [convert(cells[place]) for place, convert in zip(places, read.values(), strict=True)]
            known = [value for value in values if isinstance(value, int)]
            if len(known) == len(values):
                yield line, known
                continue
            for name, value in zip(read, values, strict=True):
                if not isinstance(value, int):
                    self.wrong(line, value[0], name, value[1])


def by_unit_set(table: CountTable, names: Sequence[str]) -> dict[str, CountTable]:
    """Return the rows of each unit set, the second column of a table."""
    rows: dict[str, list[Row]] = {name: [] for name in names}
    for row in table.rows:
        rows[row[1][1]].append(row)
    return {name: CountTable(table.file, table.head, own) for name, own in rows.items()}


def one_of(names: Sequence[str], what: str) -> Read:
    """Return what reads the code of one of some names; `what` they are is said in an error."""
    codes = _codes(names)

    def code(cell: str) -> int | tuple[str, str]:
        known = codes.get(cell)
        return (
            (f'"{cell}" is no {what}.', did_you_mean(cell, names) or AS_WRITTEN) if known is None else known
        )

    return code


def whole(least: int) -> Read:
    """Return what reads a whole number that is not below `least`."""

    def number(cell: str) -> int | tuple[str, str]:
        value = int(cell) if NUMBER.fullmatch(cell) else -1
        if least <= value <= LARGEST:
            return value
        return f'"{cell}" is no count; a whole number not below {least} was expected.', AS_WRITTEN

    return number


# Rows of ratings.csv as codes: how many units have the same labels by the same annotators.

RATING = re.compile(r"((?:[^\\|:]|\\[\\|:])*):((?:[^\\|:]|\\[\\|:])*)(\||\Z)", re.DOTALL)
ESCAPED = re.compile(r"\\([\\|:])")

RatedCodes = tuple[tuple[int, int], ...]


@dataclass
class _UnitRows:
    """The rows of one unit set, and what its names are as codes."""

    table: CountTable
    annotators: Mapping[str, int]
    categories: Mapping[str, int]
    documents: Mapping[str, int]
    lines: dict[tuple[int, RatedCodes], int] = field(default_factory=dict)
    ratings: dict[str, RatedCodes | None] = field(default_factory=dict)

    def read(self, line: int, cells: Sequence[str]) -> tuple[int, RatedCodes]:
        """Return the codes of a row's document and ratings; what is wrong with it is noted."""
        document, text = cells[2:4]
        code = self.documents.get(document, NO_DOCUMENT)
        if document and code == NO_DOCUMENT:
            mend = _meant(document, list(self.documents))
            self.table.wrong(line, f'counts.json has no document "{document}" here.', "document", mend)
        if self.ratings.get(text) is None:
            self.ratings[text] = self._ratings(line, text)
        given = self.ratings[text] or ()
        before = self.lines.setdefault((code, given), line)
        if before != line and self.ratings[text] is not None:
            self.table.wrong(line, f"stands in line {before} already, of the same document.", "ratings")
        return code, given

    def _ratings(self, line: int, text: str) -> RatedCodes | None:
        """Return who gave which label, by annotator; None where that can't be understood, which is noted."""
        found, end = list[tuple[int, int]](), 0
        while end < len(text):
            rating = RATING.match(text, end)
            if rating is None or (rating[3] and rating.end() == len(text)):
                self.table.wrong(line, f'"{text}" is no list such as "A01:Former|A02:New".', "ratings")
                return None
            end = rating.end()
            who, label = (ESCAPED.sub(r"\1", rating[part]) for part in (1, 2))
            sides = (who, self.annotators, "annotator"), (label, self.categories, "category")
            unknown = [side for side in sides if side[0] not in side[1]]
            for name, known, what in unknown:
                message = f'counts.json has no {what} "{name}" in this unit set.'
                self.table.wrong(line, message, "ratings", _meant(name, list(known)))
            if unknown:
                return None
            found.append((self.annotators[who], self.categories[label]))
        if len({who for who, _ in found}) < len(found):
            self.table.wrong(line, f'"{text}" has one annotator twice.', "ratings")
            return None
        return tuple(sorted(found))


def read_kinds(table: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]) -> CountedUnits:
    """Return the units of one unit set from its rows of ratings.csv; `documents` are those of its layer.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or stands there twice.
    """
    own = unit_set.documents or tuple(documents)
    rows = _UnitRows(table, _codes(unit_set.annotators), _codes(unit_set.categories), _codes(own))
    found = [rows.read(line, cells) for line, cells in table.rows]
    refuse(table.problems)
    document = np.array([code for code, _ in found], dtype=np.int64)
    n = np.array([int(cells[-1]) for _, cells in table.rows], dtype=np.int64)
    flat = [(kind, *each) for kind, (_, given) in enumerate(found) for each in given]
    return CountedUnits(own, document, n, *np.array(flat, dtype=np.int64).reshape(-1, 3).T)


def _codes(names: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(names)}


# everybody.csv of a folder of counts: the units of a unit set with the labels of people in every role.

# Up to here units are told apart again; beyond, those of one kind stay together, which only tests between
# releases of a system notice.
MOST_UNITS = 10_000_000


def read_everybody(
    described: EverybodyDescribed, documents: Sequence[str], table: CountTable
) -> CountedUnits:
    """Return the units of one unit set; raise BadInput with whatever is wrong in its rows."""
    numbers = table.columns({"bulk": whole(0), "n": whole(1)})
    for line in numbers["line"][numbers["bulk"] > numbers["n"]].tolist():
        table.wrong(line, "has more units in bulk than units.", "bulk")
    refuse(table.problems)
    kinds = read_kinds(table, with_absent(described), documents)
    return _told_apart(kinds, numbers["bulk"])


def with_absent(described: EverybodyDescribed) -> UnitSetDescribed:
    """Return the unit set with the category of unmarked units, also where no pair of labels can have it."""
    units = described.units
    if described.absent != len(units.categories):
        return units
    return units.model_copy(update={"categories": (*units.categories, units.non_annotated_name)})


def _told_apart(kinds: CountedUnits, bulk: Codes) -> CountedUnits:
    """Return a row for each unit, and one for those of a kind that are known as a number only."""
    single = kinds.n - bulk
    if int(single.sum()) > MOST_UNITS:
        single, bulk = np.zeros_like(single), kinds.n
    times = single + (bulk > 0)
    kind = np.repeat(np.arange(len(times)), times)
    n = np.ones(len(kind), dtype=np.int64)
    n[(np.cumsum(times) - 1)[bulk > 0]] = bulk[bulk > 0]
    order = np.argsort(kinds.kind, kind="stable")
    ratings = np.bincount(kinds.kind, minlength=len(times))
    begin = (np.cumsum(ratings) - ratings)[kind]
    unit = np.repeat(np.arange(len(kind)), ratings[kind])
    first = np.cumsum(ratings[kind]) - ratings[kind]
    row = order[np.repeat(begin - first, ratings[kind]) + np.arange(len(unit))]
    return CountedUnits(
        kinds.documents, kinds.document[kind], n, unit, kinds.annotator[row], kinds.label[row]
    )


# spans.csv and type-pairs.csv of a folder of counts: codes of each row, held against all others.

# Two of the same kind are compared only where they are annotators; whoever has the lower number is the key.
STANDING = {"reference": 0, "annotator": 1, "system": 2, "model": 2}
ANNOTATOR = STANDING["annotator"]
ONLY_FIRST, ONLY_SECOND = (OUTCOMES.index(name) for name in ("only_first", "only_second"))

Columns = Mapping[str, Codes]


@dataclass(frozen=True, eq=False)
class SpanNames:
    """One layer's people, documents and types; what is read is codes of them."""

    described: SpansDescribed
    documents: Sequence[str]

    @property
    def readers(self) -> dict[str, Read]:
        """Return what reads the columns that all tables have."""
        people = one_of(self.described.people, "name in counts.json")
        return {"first": people, "second": people, "document": one_of(self.documents, "document")}

    @property
    def types(self) -> Read:
        """Return what reads a type."""
        return one_of(self.described.types, "type in counts.json")

    def compared(self, rows: Columns) -> npt.NDArray[np.bool_]:
        """Say of rows whether the two people are compared in this order."""
        standing = np.array([STANDING[role] for role in self.described.roles], dtype=np.int64)
        one, other = standing[rows["first"]], standing[rows["second"]]
        annotators = (one == ANNOTATOR) & (other == ANNOTATOR)
        found: npt.NDArray[np.bool_] = (rows["first"] < rows["second"]) & ((one < other) | annotators)
        return found


def read_spans(names: SpanNames, table: CountTable) -> SpanCounts:
    """Return what became of marks; whatever is wrong is noted in `table`."""
    place = MARK_HEADS[SPANS].index("outcome")
    of_tokens = [row for row in table.rows if row[1][place] == TOKENS]
    others = [row for row in table.rows if row[1][place] != TOKENS]
    no_type = one_of(("",), "type of a row that tells how many tokens a document has")
    seen = table.part(of_tokens).columns({**names.readers, "type": no_type, "n": whole(0)})
    outcomes = {"type": names.types, "outcome": one_of(OUTCOMES, "outcome"), "n": whole(1)}
    rows = table.part(others).columns({**names.readers, **outcomes})
    _check(table, _single_rows(names, seen, rows))
    _check(table, _together(names, seen, rows))
    return _sorted(seen, rows)


def _check(table: CountTable, found: Iterator[tuple[Codes, str]]) -> None:
    """Note what is wrong with some lines, unless the table is known to be faulty."""
    if not table.problems:
        for lines, message in found:
            for line in lines.tolist():
                table.wrong(line, message)


def _single_rows(names: SpanNames, seen: Columns, rows: Columns) -> Iterator[tuple[Codes, str]]:
    for each in (seen, rows):
        yield each["line"][~names.compared(each)], "holds two people against each other who are not compared."
    yield _twice(seen, "first", "second", "document"), "stands there twice."
    yield _twice(rows, "first", "second", "document", "type", "outcome"), "stands there twice."
    known = np.isin(_triple(names, rows), _triple(names, seen))
    message = f'has marks in a document that both saw, and no row with the outcome "{TOKENS}" says so.'
    yield rows["line"][~known], message


def _together(names: SpanNames, seen: Columns, rows: Columns) -> Iterator[tuple[Codes, str]]:
    """Yield the lines that contradict others."""
    yield (
        _differing(seen, ("document",), "n"),
        "has another number of tokens than other lines of the document.",
    )
    for lines in _other_marks(names, seen, rows):
        yield lines, "gives somebody more or fewer marks of a type in this document than other lines do."
    yield _unseen(names, seen), "tells that two saw a document, and no line tells it of them and of a third."


def _triple(names: SpanNames, rows: Columns) -> Codes:
    """Return one number for two people and a document."""
    people, documents = len(names.described.people), len(names.documents)
    return _key([rows["first"], rows["second"], rows["document"]], (people, people, documents))


def _key(columns: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key = key * max(size, 1) + column
    return key


def _twice(rows: Columns, *own: str) -> Codes:
    """Return the lines that say of the same what a line before says."""
    columns = np.stack([rows[name] for name in own], axis=1)
    _, first = np.unique(columns, axis=0, return_index=True)
    again: Codes = np.delete(rows["line"], first)
    return again


def _differing(rows: Columns, own: Sequence[str], value: str) -> Codes:
    """Return the lines whose value is another than that of the first line of the same."""
    columns = np.stack([rows[name] for name in own], axis=1)
    _, first, place = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    values = rows[value]
    found: Codes = rows["line"][values != values[first][place.reshape(-1)]]
    return found


def _other_marks(names: SpanNames, seen: Columns, rows: Columns) -> Iterator[Codes]:
    """Yield the lines that give somebody another number of marks than those about another pair do.

    Whoever somebody is compared with, the marks of a type in a document are the same in number.
    """
    made = [_made(names, rows, *side) for side in (("first", ONLY_SECOND), ("second", ONLY_FIRST))]
    own, n, line = (np.concatenate(column) for column in zip(*made, strict=True))
    if not len(own):
        return
    group, place = np.unique(own, return_inverse=True)
    times, least = np.bincount(place), np.full(len(group), np.iinfo(np.int64).max)
    np.minimum.at(least, place, n)
    people = len(names.described.people)
    saw = np.bincount(
        np.concatenate([seen["document"] * people + seen[who] for who in ("first", "second")]),
        minlength=people * len(names.documents),
    )
    wrong = (n != least[place]) | (times != saw[group // max(len(names.described.types), 1)])[place]
    yield np.unique(line[wrong])


def _made(names: SpanNames, rows: Columns, who: str, alone: int) -> tuple[Codes, Codes, Codes]:
    """Return how many marks one of two people made, as each pair has it, and a line that says so.

    What they are of is one number for document, person and type.
    """
    kept = rows["outcome"] != alone
    sizes = len(names.documents), len(names.described.people), len(names.described.types)
    of = _key([rows["document"][kept], rows[who][kept], rows["type"][kept]], sizes)
    other = rows["second" if who == "first" else "first"][kept]
    columns = np.stack([of, other], axis=1)
    distinct, first, place = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    n = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(n, place.reshape(-1), rows["n"][kept])
    return distinct[:, 0], n, rows["line"][kept][first]


def _unseen(names: SpanNames, seen: Columns) -> Codes:
    """Return the lines of documents of which some two people, who both saw them, are not compared."""
    saw = saw_of(names, seen["first"], seen["second"], seen["document"])
    standing = np.array([STANDING[role] for role in names.described.roles], dtype=np.int64)
    keys, annotators, others = (saw[:, standing == each].sum(axis=1) for each in range(3))
    # Each reference is compared with all others, annotators also with one another: k(a + o) + a(a-1)/2 + ao.
    pairs = keys * (annotators + others) + annotators * (annotators - 1) // 2 + annotators * others
    there = np.bincount(seen["document"], minlength=len(names.documents))
    found: Codes = seen["line"][(there != pairs)[seen["document"]]]
    return found


def saw_of(names: SpanNames, first: Codes, second: Codes, document: Codes) -> npt.NDArray[np.bool_]:
    """Return who saw which document (documents, people), of those that two saw."""
    saw = np.zeros((len(names.documents), len(names.described.people)), dtype=np.bool_)
    saw[document, first] = saw[document, second] = True
    return saw


def _sorted(seen: Columns, rows: Columns) -> SpanCounts:
    by_people = ("first", "second", "document")
    own = _ordered(seen, (*by_people, "n"))
    return SpanCounts(*_ordered(rows, (*by_people, "type", "outcome", "n")), *own)


def _ordered(rows: Columns, names: Sequence[str]) -> list[Codes]:
    """Return some columns, sorted by all of them, the first before the others."""
    columns = [rows[name] for name in names]
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


def read_type_pairs(names: SpanNames, spans: SpanCounts, table: CountTable) -> dict[str, TypePairs]:
    """Return pairs of marks of different types, by distance; whatever is wrong is noted in `table`."""
    distances = [each.distance for each in names.described.credits]
    own = {"distance": one_of(distances, "distance in counts.json"), "first_type": names.types}
    kind = {"second_type": names.types, "kind": one_of(KINDS, "kind"), "n": whole(1)}
    rows = table.columns({**names.readers, **own, **kind})
    _check(table, _wrong_pairs(names, spans, rows))
    columns = ("first", "second", "document", "first_type", "second_type", "kind", "n")
    parts = [
        {name: each[rows["distance"] == code] for name, each in rows.items()}
        for code in range(len(distances))
    ]
    return {name: TypePairs(*_ordered(part, columns)) for name, part in zip(distances, parts, strict=True)}


def _wrong_pairs(names: SpanNames, spans: SpanCounts, rows: Columns) -> Iterator[tuple[Codes, str]]:
    yield rows["line"][rows["first_type"] == rows["second_type"]], "has a pair of marks of one type."
    own = ("distance", "first", "second", "document", "first_type", "second_type", "kind")
    yield _twice(rows, *own), "stands there twice."
    for who, outcome in (("first", ONLY_FIRST), ("second", ONLY_SECOND)):
        yield (
            _too_many(names, spans, rows, who, outcome),
            f"has more marks of the {who} than spans.csv leaves alone.",
        )


def _too_many(names: SpanNames, spans: SpanCounts, rows: Columns, who: str, outcome: int) -> Codes:
    """Return the lines of marks of which more are in pairs than are alone otherwise."""
    alone = spans.outcome == outcome
    kinds = max(len(names.described.types), 1)
    table = {"first": spans.first, "second": spans.second, "document": spans.document}
    known = (_triple(names, table) * kinds + spans.type)[alone]
    order = np.argsort(known)
    columns = np.stack([rows["distance"], _triple(names, rows) * kinds + rows[f"{who}_type"]], axis=1)
    distinct, place = np.unique(columns, axis=0, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, place.reshape(-1), rows["n"])
    at = np.searchsorted(known[order], distinct[:, 1])
    found = np.append(known[order], -1)[np.minimum(at, len(known))] == distinct[:, 1]
    most = np.where(found, np.append(spans.n[alone][order], 0)[np.minimum(at, len(known))], 0)
    return rows["line"][(sums > most)[place.reshape(-1)]]


# The tables of a folder of counts beside those of unit sets: marks in texts, references and systems.

Rows = Mapping[str, Sequence[Row]]


def read_mark_tables(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> MarkTables:
    """Return what the tables say of one layer; `files` are the names to show, by what files are called.

    Raises BadInput with every row that is wrong, and every table that is missing.
    """
    problems = [*_missing(layer, files), *_uncalled_for(layer, rows, files)]
    refuse(problems)
    tables = {
        name: CountTable(files.get(name, name), head, rows.get(name, ())) for name, head in MARK_HEADS.items()
    }
    spans, credited = _marks(layer, tables)
    found, wrong = _everybody(layer, tables[EVERYBODY])
    noted = [*tables[SPANS].problems, *tables[TYPE_PAIRS].problems, *wrong]
    refuse(noted)
    return MarkTables(spans, credited, found)


def _missing(layer: LayerDescribed, files: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the tables that counts.json calls for and that are not there."""
    needed = {
        SPANS: layer.spans is not None,
        TYPE_PAIRS: bool(layer.spans and layer.spans.credits),
        COMPARISONS: bool(layer.everybody),
        EVERYBODY: bool(layer.everybody),
    }
    folder = next(iter(files.values()), "").rpartition("/")[0]
    for name, called_for in needed.items():
        if called_for and name not in files:
            shown = f"{folder}/{name}".removeprefix("/")
            message = f'is missing; {DESCRIPTION} tells of it in the layer "{layer.id}".'
            yield Problem(shown, message=message, mend="Take the whole folder of counts.")


def _uncalled_for(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> Iterator[Problem]:
    """Yield rows of what counts.json does not tell of in the layer."""
    sets = {each.units.id for each in layer.everybody}
    for name, table in rows.items():
        for line, cells in table:
            message = ""
            if name in (SPANS, TYPE_PAIRS) and layer.spans is None:
                message = f'{DESCRIPTION} knows of no marks in the layer "{layer.id}".'
            elif name in (COMPARISONS, EVERYBODY) and cells[1] not in sets:
                message = f'{DESCRIPTION} compares nobody in a unit set "{cells[1]}" of this layer.'
            if message:
                yield Problem(files.get(name, name), line, "", message, AS_WRITTEN)


def _marks(
    layer: LayerDescribed, tables: Mapping[str, CountTable]
) -> tuple[SpanCounts | None, dict[str, TypePairs]]:
    if layer.spans is None:
        return None, {}
    documents = layer.documents if layer.spans.documents is None else layer.spans.documents
    names = SpanNames(layer.spans, documents)
    spans = read_spans(names, tables[SPANS])
    if tables[SPANS].problems:
        return spans, {}
    return spans, read_type_pairs(names, spans, tables[TYPE_PAIRS])


def _everybody(layer: LayerDescribed, table: CountTable) -> tuple[dict[str, CountedUnits], list[Problem]]:
    by_set = {each.units.id: each for each in layer.everybody}
    own = by_unit_set(table, list(by_set))
    found, problems = tried(by_set, lambda name: read_everybody(by_set[name], layer.documents, own[name]))
    return {} if problems else dict(zip(by_set, found, strict=True)), problems


def derived_in(layer: LayerDescribed) -> tuple[str, ...]:
    """Return the references of a layer that were made from annotators' own marks."""
    derived = [layer.spans.derived] if layer.spans else []
    derived += [each.derived for each in layer.everybody]
    return tuple(dict.fromkeys(name for names in derived for name in names))
