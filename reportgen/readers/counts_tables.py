"""The tables of a folder of counts: rows as integers, and everything that is wrong with them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

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
        raise file.refused(f"counts more than {LARGEST:,} in all, which no corpus has.", AS_WRITTEN)
    # Names stand in many rows, and are kept once: of a crowd there are millions of pairs.
    known: dict[str, str] = {}
    return [(line, tuple([known.setdefault(cell, cell) for cell in cells])) for line, cells in rows]


def _wrong_rows(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    for line, cells in rows:
        n = cells[-1]
        if len(cells) != len(header):
            yield file.problem(f"has {len(cells)} cells, and the header {len(header)}.", AS_WRITTEN, line)
        elif not NUMBER.fullmatch(n) or int(n) > LARGEST:
            message = f"{n} is below 0, and counts are not." if n.startswith("-") else f"{n} is too large."
            if not DIGITS.fullmatch(n):
                message = f'"{n}" is no count; a whole number was expected.'
            yield file.problem(message, AS_WRITTEN, line, f"column {header[-1]}")


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
            problems.append(file.problem(message, _meant(cells[0], known), line, "column layer"))
        elif unit_sets and cells[1] not in known[cells[0]]:
            message = f'counts.json has no unit set "{cells[1]}" in this layer.'
            problems.append(file.problem(message, _meant(cells[1], known[cells[0]]), line, "column unit_set"))
        else:
            found[cells[0]].append((line, cells))
    refuse(problems)
    return found


def _meant(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, list(known)) or AS_WRITTEN


# Rows of a table of counts as integers, with everything that is wrong in them.

# The integer of a cell, or what is wrong with it and how to remedy it.
Read = Callable[[str], int | tuple[str, str]]
# Lines, and what is wrong in each.
Wrong = Iterator[tuple[int, str]]
# The line of a row, and the integers of some columns.
Coded = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CountTable:
    """One layer's rows of a table: the name to show, the columns, the rows, and what is wrong with them."""

    file: str
    head: Sequence[str]
    rows: Sequence[Row]
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, line: int, message: str, key: str = "", remedy: str = AS_WRITTEN) -> None:
        """Note what is wrong in a line."""
        self.problems.append(Problem(self.file, line, key and f"column {key}", message, remedy))

    def coded(self, read: Mapping[str, Read], rows: Sequence[Row] | None = None) -> list[Coded]:
        """Return the line and some columns of rows; those in which anything is wrong are left out."""
        places = [self.head.index(name) for name in read]
        found: list[Coded] = []
        for line, cells in self.rows if rows is None else rows:
            values = [convert(cells[place]) for place, convert in zip(places, read.values(), strict=True)]
            known = [value for value in values if isinstance(value, int)]
            if len(known) == len(values):
                found.append((line, *known))
                continue
            for name, value in zip(read, values, strict=True):
                if not isinstance(value, int):
                    self.wrong(line, value[0], name, value[1])
        return found

    def check(self, found: Wrong) -> None:
        """Note what is wrong in lines, unless the table is known to be faulty."""
        if not self.problems:
            for line, message in found:
                self.wrong(line, message)


def by_unit_set(table: CountTable, names: Iterable[str]) -> dict[str, CountTable]:
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
        return (f'"{cell}" is no {what}.', _meant(cell, names)) if known is None else known

    return code


def whole(least: int) -> Read:
    """Return what reads a whole number that is not below `least`."""

    def number(cell: str) -> int | tuple[str, str]:
        value = int(cell) if NUMBER.fullmatch(cell) else -1
        if least <= value <= LARGEST:
            return value
        return f'"{cell}" is no count; a whole number not below {least} was expected.', AS_WRITTEN

    return number


def _codes(names: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(names)}


def _columns(rows: Iterable[Sequence[int]], width: int) -> list[Codes]:
    """Return rows of integers as columns."""
    return list(np.array(list(rows), dtype=np.int64).reshape(-1, width).T)


# Rows of ratings.csv as codes: how many units have the same labels by the same annotators.

RATING = re.compile(r"((?:[^\\|:]|\\[\\|:])*):((?:[^\\|:]|\\[\\|:])*)(\||\Z)", re.DOTALL)
ESCAPED = re.compile(r"\\([\\|:])")

RatedCodes = tuple[tuple[int, int], ...]


def read_kinds(table: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]) -> CountedUnits:
    """Return the units of one unit set from its rows of ratings.csv; `documents` are those of its layer.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or is there twice.
    """
    own = unit_set.documents or tuple(documents)
    codes, people, labels = _codes(own), _codes(unit_set.annotators), _codes(unit_set.categories)
    understood: dict[str, RatedCodes] = {}
    lines: dict[tuple[int, RatedCodes], int] = {}
    document: list[int] = []
    ratings: list[Sequence[int]] = []
    for kind, (line, cells) in enumerate(table.rows):
        name, text = cells[2:4]
        document.append(codes.get(name, NO_DOCUMENT))
        if name and document[-1] == NO_DOCUMENT:
            table.wrong(line, f'counts.json has no document "{name}" here.', "document", _meant(name, own))
        if text not in understood:
            given = _rated(table, line, text, people, labels)
            if given is None:
                continue
            understood[text] = given
        before = lines.setdefault((document[-1], understood[text]), line)
        if before != line:
            table.wrong(line, f"is in line {before} already, of the same document.", "ratings")
        ratings += [(kind, *each) for each in understood[text]]
    refuse(table.problems)
    n = np.array([int(cells[-1]) for _, cells in table.rows], dtype=np.int64)
    return CountedUnits(own, np.array(document, dtype=np.int64), n, *_columns(ratings, 3))


def _rated(
    table: CountTable, line: int, text: str, people: Mapping[str, int], labels: Mapping[str, int]
) -> RatedCodes | None:
    """Return who gave which label, by annotator; None where that can't be understood, which is noted."""
    found, end = list[tuple[str, str]](), 0
    while end < len(text):
        rating = RATING.match(text, end)
        if rating is None or (rating[3] and rating.end() == len(text)):
            table.wrong(line, f'"{text}" is no list such as "A01:Former|A02:New".', "ratings")
            return None
        end = rating.end()
        who, label = (ESCAPED.sub(r"\1", rating[part]) for part in (1, 2))
        for name, known, what in ((who, people, "annotator"), (label, labels, "category")):
            if name not in known:
                message = f'counts.json has no {what} "{name}" in this unit set.'
                table.wrong(line, message, "ratings", _meant(name, known))
        if who not in people or label not in labels:
            return None
        found.append((who, label))
    if len(dict(found)) < len(found):
        table.wrong(line, f'"{text}" has one annotator twice.', "ratings")
        return None
    return tuple(sorted((people[who], labels[label]) for who, label in found))


# everybody.csv of a folder of counts: the units of a unit set with the labels of people in every role.

# Up to here units are told apart again; beyond, those of one kind stay together, which only tests between
# releases of a system notice.
MOST_UNITS = 10_000_000


def read_everybody(
    described: EverybodyDescribed, documents: Sequence[str], table: CountTable
) -> CountedUnits:
    """Return the units of one unit set; raise BadInput with whatever is wrong in its rows."""
    numbers = table.coded({"bulk": whole(0), "n": whole(1)})
    for line, bulk, n in numbers:
        if bulk > n:
            table.wrong(line, "has more units in bulk than units.", "bulk")
    refuse(table.problems)
    units = described.units
    if described.absent == len(units.categories):
        # The category of unmarked units, also where no pair of labels can have it.
        names = (*units.categories, units.non_annotated_name)
        units = units.model_copy(update={"categories": names})
    return _told_apart(read_kinds(table, units, documents), _columns(numbers, 3)[1])


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


def _readers(described: SpansDescribed, documents: Sequence[str]) -> dict[str, Read]:
    """Return what reads the columns that both tables have."""
    people = one_of(described.people, "name in counts.json")
    return {"first": people, "second": people, "document": one_of(documents, "document")}


def read_spans(described: SpansDescribed, documents: Sequence[str], table: CountTable) -> SpanCounts:
    """Return what became of marks; whatever is wrong is noted in `table`."""
    shared, place = _readers(described, documents), table.head.index("outcome")
    no_type = one_of(("",), "type of a row that tells how many tokens a document has")
    of_tokens = [row for row in table.rows if row[1][place] == TOKENS]
    seen = table.coded({**shared, "n": whole(0), "type": no_type}, of_tokens)
    outcomes = {
        "type": one_of(described.types, "type in counts.json"),
        "outcome": one_of(OUTCOMES, "outcome"),
    }
    others = [row for row in table.rows if row[1][place] != TOKENS]
    marks = table.coded({**shared, **outcomes, "n": whole(1)}, others)
    standing = [STANDING[role] for role in described.roles]
    table.check(_single_rows(standing, seen, marks))
    table.check(_together(standing, seen, marks))
    own = _columns(sorted(each[1:5] for each in seen), 4)
    return SpanCounts(*_columns(sorted(each[1:] for each in marks), 6), *own)


def _single_rows(standing: Sequence[int], seen: Sequence[Coded], marks: Sequence[Coded]) -> Wrong:
    for line, first, second, *_ in (*seen, *marks):
        annotators = standing[first] == standing[second] == ANNOTATOR
        if first >= second or not (annotators or standing[first] < standing[second]):
            yield line, "is of two people who are not compared."
    yield from _twice(seen, 3)
    yield from _twice(marks, 5)
    known = {each[1:4] for each in seen}
    message = f'has marks in a document that both saw, and no row with the outcome "{TOKENS}" says so.'
    yield from ((each[0], message) for each in marks if each[1:4] not in known)


def _twice(rows: Sequence[Coded], columns: int) -> Wrong:
    """Yield the rows that say of the same, which their first columns tell, what a row before says."""
    first: dict[Coded, int] = {}
    for line, *values in rows:
        if first.setdefault(tuple(values[:columns]), line) != line:
            yield line, "is there twice."


def _together(standing: Sequence[int], seen: Sequence[Coded], marks: Sequence[Coded]) -> Wrong:
    """Yield the lines that contradict others."""
    tokens: dict[int, int] = {}
    for line, _, _, document, n, _ in seen:
        if tokens.setdefault(document, n) != n:
            yield line, "has another number of tokens than other lines of the document."
    for line in sorted(_other_marks(seen, marks)):
        yield line, "gives somebody more or fewer marks of a type in this document than other lines do."
    pairs = Counter(each[3] for each in seen)
    saw: dict[int, set[int]] = {}
    for _, first, second, document, *_ in seen:
        saw.setdefault(document, set()).update((first, second))
    for line, _, _, document, *_ in seen:
        if pairs[document] != _pairs(Counter(standing[who] for who in saw[document])):
            yield line, "tells that two saw a document, and no line tells it of them and of a third."


def _pairs(standing: Mapping[int, int]) -> int:
    """Return how many pairs are compared: each reference with all others, annotators with one another too."""
    keys, annotators, others = (standing[each] for each in range(3))
    return keys * (annotators + others) + annotators * (annotators - 1) // 2 + annotators * others


def _other_marks(seen: Sequence[Coded], marks: Sequence[Coded]) -> set[int]:
    """Return the lines that give somebody another number of marks than those about another pair do.

    Whoever somebody is compared with, the marks of a type in a document are the same in number.
    """
    # By document, person and type, then by the other of the pair: how many marks, and a line that says so.
    made: dict[Coded, dict[int, tuple[int, int]]] = {}
    for line, first, second, document, name, outcome, n in marks:
        for who, other, alone in ((first, second, ONLY_SECOND), (second, first, ONLY_FIRST)):
            if outcome != alone:
                by_other = made.setdefault((document, who, name), {})
                before, at = by_other.get(other, (0, line))
                by_other[other] = before + n, at
    saw = Counter((document, who) for _, *pair, document, _, _ in seen for who in pair)
    found: set[int] = set()
    for (document, who, _), by_other in made.items():
        least, complete = min(by_other.values())[0], len(by_other) == saw[document, who]
        found.update(line for n, line in by_other.values() if n != least or not complete)
    return found


def read_type_pairs(
    described: SpansDescribed, documents: Sequence[str], spans: SpanCounts, table: CountTable
) -> dict[str, TypePairs]:
    """Return pairs of marks of different types, by distance; whatever is wrong is noted in `table`."""
    distances = [each.distance for each in described.credits]
    types = one_of(described.types, "type in counts.json")
    own = {"first_type": types, "second_type": types, "kind": one_of(KINDS, "kind"), "n": whole(1)}
    of_distance = {"distance": one_of(distances, "distance in counts.json")}
    rows = table.coded({**of_distance, **_readers(described, documents), **own})
    table.check(_wrong_pairs(spans, rows))
    return {
        name: TypePairs(*_columns(sorted(each[2:] for each in rows if each[1] == code), 7))
        for code, name in enumerate(distances)
    }


def _wrong_pairs(spans: SpanCounts, rows: Sequence[Coded]) -> Wrong:
    yield from ((each[0], "has a pair of marks of one type.") for each in rows if each[5] == each[6])
    yield from _twice(rows, 7)
    counted = (spans.first, spans.second, spans.document, spans.type, spans.outcome)
    known = dict(zip(zip(*(each.tolist() for each in counted), strict=True), spans.n.tolist(), strict=True))
    for who, place, outcome in (("first", 5, ONLY_FIRST), ("second", 6, ONLY_SECOND)):
        paired: Counter[Coded] = Counter()
        for each in rows:
            paired[*each[1:5], each[place]] += each[-1]
        for each in rows:
            if paired[*each[1:5], each[place]] > known.get((*each[2:5], each[place], outcome), 0):
                yield each[0], f"has more marks of the {who} than spans.csv leaves alone."


# The tables of a folder of counts beside those of unit sets: marks in texts, references and systems.

Rows = Mapping[str, Sequence[Row]]


def read_mark_tables(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> MarkTables:
    """Return what the tables say of one layer; `files` are the names to show, by what files are called.

    Raises BadInput with every row that is wrong, and every table that is missing.
    """
    refuse([*_missing(layer, files), *_uncalled_for(layer, rows, files)])
    tables = {
        name: CountTable(files.get(name, name), head, rows.get(name, ())) for name, head in MARK_HEADS.items()
    }
    spans, credited = _marks(layer, tables)
    by_set = {each.units.id: each for each in layer.everybody}
    own = by_unit_set(tables[EVERYBODY], by_set)
    found, wrong = tried(by_set, lambda name: read_everybody(by_set[name], layer.documents, own[name]))
    refuse([*tables[SPANS].problems, *tables[TYPE_PAIRS].problems, *wrong])
    return MarkTables(spans, credited, dict(zip(by_set, found, strict=True)))


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
            yield Problem(shown, message=message, remedy="Take the whole folder of counts.")


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
    described = layer.spans
    if described is None:
        return None, {}
    documents = layer.documents if described.documents is None else described.documents
    spans = read_spans(described, documents, tables[SPANS])
    if tables[SPANS].problems:
        return spans, {}
    return spans, read_type_pairs(described, documents, spans, tables[TYPE_PAIRS])
