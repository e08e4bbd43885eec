"""A folder of counts, as this program writes it beside every report: its tables checked and read."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise

import numpy as np
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, in_plain_words, is_later, tried
from reportgen.base.files import from_cell, numbered_rows
from reportgen.readers.annotations import NO_DOCUMENT, Codes, Margins
from reportgen.readers.counted import (
    ANNOTATORS,
    AS_WRITTEN,
    CODE_DIGITS,
    CODED_HEAD,
    COMPARISONS,
    DESCRIPTION,
    EVERYBODY,
    GIVEN_HEAD,
    HEADS,
    KIND,
    KINDS,
    LARGEST,
    MARK_HEADS,
    OUTCOMES,
    PAIRS,
    PROFILES,
    RATINGS,
    SPANS,
    SUMS,
    SUMS_HEAD,
    TOKENS,
    TYPE_PAIRS,
    CountedLayer,
    CountedUnits,
    CountsDescribed,
    EverybodyDescribed,
    KeyPath,
    LabelSums,
    LayerDescribed,
    MarkTables,
    SpanCounts,
    SpansDescribed,
    TypePairs,
    UnitSetDescribed,
    alike,
    code_width,
    contradictory_sums,
    sums_on,
)
from reportgen.readers.counted import contradictions as contradictions_counted
from reportgen.readers.reader import (
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    raise_first_problems,
    require_annotators,
    shortened,
)
from reportgen.readers.untrusted import line_of_value, lines_of
from reportgen.results import from_json

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
    numbered = numbered_rows(file.text, DELIMITER)
    expected = f"The first line of {file.path.name} is {DELIMITER.join(header)}."
    if not numbered:
        raise file.refused("is empty.", expected)
    (first, names), *rows = numbered
    if tuple(names) != tuple(header):
        message = f'has the columns "{DELIMITER.join(names)}", which no counts have.'
        raise file.refused(message, expected, first)
    raise_first_problems(_wrong_rows(file, rows, header))
    if sum(int(cells[-1]) for _, cells in rows) > LARGEST:
        raise file.refused(f"counts more than {LARGEST:,} in all, which no corpus has.", AS_WRITTEN)
    # Names are in many rows, and are kept once: of a crowd there are millions of pairs.
    names_once: dict[str, str] = {}
    return [
        (line, tuple([names_once.setdefault(cell, from_cell(cell)) for cell in cells]))
        for line, cells in rows
    ]


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
                message = f'"{n}" is not a count; a whole number was expected.'
            yield file.problem(message, AS_WRITTEN, line, f"column {header[-1]}")


def by_layer(
    file: ExportFile, rows: Sequence[Row], unit_sets_of: Mapping[str, Sequence[str]], *, unit_sets: bool
) -> dict[str, list[Row]]:
    """Return the rows of each layer of `known`, which has the unit sets of each.

    Raises BadInput for rows of other layers, and with `unit_sets` for those of other unit sets.
    """
    by_name: dict[str, list[Row]] = {layer: [] for layer in unit_sets_of}
    problems: list[Problem] = []
    for line, cells in rows:
        if cells[0] not in unit_sets_of:
            message = f'counts.json has no layer "{cells[0]}".'
            problems.append(file.problem(message, _meant(cells[0], unit_sets_of), line, "column layer"))
        elif unit_sets and cells[1] not in unit_sets_of[cells[0]]:
            message = f'counts.json has no unit set "{cells[1]}" in this layer.'
            problems.append(
                file.problem(message, _meant(cells[1], unit_sets_of[cells[0]]), line, "column unit_set")
            )
        else:
            by_name[cells[0]].append((line, cells))
    raise_first_problems(problems)
    return by_name


def _meant(name: str, names: Iterable[str]) -> str:
    return did_you_mean(name, list(names)) or AS_WRITTEN


# Rows of a table of counts as integers, with everything that is wrong in them.

# The integer of a cell, or what is wrong with it and how to remedy it.
Read = Callable[[str], int | tuple[str, str]]
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
        columns = [self.head.index(name) for name in read]
        coded_rows: list[Coded] = []
        for line, cells in self.rows if rows is None else rows:
            values = [convert(cells[column]) for column, convert in zip(columns, read.values(), strict=True)]
            codes = [code for code in values if isinstance(code, int)]
            if len(codes) == len(values):
                coded_rows.append((line, *codes))
                continue
            for name, value in zip(read, values, strict=True):
                if not isinstance(value, int):
                    self.wrong(line, value[0], name, value[1])
        return coded_rows


def by_unit_set(table: CountTable, names: Iterable[str]) -> dict[str, CountTable]:
    """Return the rows of each unit set, the second column of a table."""
    rows: dict[str, list[Row]] = {name: [] for name in names}
    for row in table.rows:
        rows[row[1][1]].append(row)
    return {name: CountTable(table.file, table.head, unit_set_rows) for name, unit_set_rows in rows.items()}


def one_of(names: Sequence[str], what: str) -> Read:
    """Return what reads the code of one of some names; `what` they are is said in an error."""
    codes = _codes(names)
    kind = f"an {what}" if what[0] in "aeiou" else f"a {what}"

    def code(cell: str) -> int | tuple[str, str]:
        return codes[cell] if cell in codes else (f'"{cell}" is not {kind}.', _meant(cell, names))

    return code


def count_from(least: int) -> Read:
    """Return what reads a whole number that is not below `least`."""

    def number(cell: str) -> int | tuple[str, str]:
        value = int(cell) if NUMBER.fullmatch(cell) else -1
        if least <= value <= LARGEST:
            return value
        return f'"{cell}" is not a count; a whole number not below {least} was expected.', AS_WRITTEN

    return number


def _codes(names: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(names)}


def _columns(rows: Iterable[Sequence[int]], width: int) -> list[Codes]:
    """Return rows of integers as columns."""
    return list(np.array(list(rows), dtype=np.int64).reshape(-1, width).T)


# annotators.csv of a large crowd: a row for each annotator.

GIVEN = re.compile(r"[0-9]{1,16}(?: [0-9]{1,16})*")


def read_given(file: ExportFile, layers: Sequence[LayerDescribed]) -> list[Row]:
    """Return a row for each annotator and label, of an annotators.csv with a row for each annotator.

    Raises BadInput with the first row that names no unit set, or has not a number for each of its labels.
    """
    unit_sets = {(layer.id, own.id): own for layer in layers for own in layer.unit_sets}
    rows, name = list[Row](), ("", "")
    for line, cells in numbered_rows(file.text, DELIMITER)[1:]:
        if len(cells) == len(GIVEN_HEAD) and any(cells[:2]):
            name = from_cell(cells[0]), from_cell(cells[1])
        if len(cells) != len(GIVEN_HEAD) or name not in unit_sets or cells[2]:
            raise file.refused("names no unit set of counts.json, or a document.", AS_WRITTEN, line)
        numbers, categories = cells[4].split(" "), unit_sets[name].categories
        if not GIVEN.fullmatch(cells[4]) or len(numbers) != len(categories):
            raise file.refused(f"has not {len(categories)} numbers, one for each label.", AS_WRITTEN, line)
        who = from_cell(cells[3])
        given = zip(categories, numbers, strict=True)
        rows += [(line, (*name, "", who, label, n)) for label, n in given if n != "0"]
    return rows


# Rows of ratings.csv as codes: how many units have the same labels by the same annotators.

RATING = re.compile(r"((?:[^\\|:]|\\[\\|:])*):((?:[^\\|:]|\\[\\|:])*)(\||\Z)", re.DOTALL)
ESCAPED = re.compile(r"\\([\\|:])")

RatedCodes = tuple[tuple[int, int], ...]
# As many labels as one unit has in a profile.
MOST_RATINGS = 1_000_000


def read_kinds(table: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]) -> CountedUnits:
    """Return the units of one unit set from its rows of ratings.csv; `documents` are those of its layer.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or is there twice.
    """
    people, labels = _codes(unit_set.annotators), _codes(unit_set.categories)
    return _kinds(table, unit_set, documents, lambda line, text: _rated(table, line, text, people, labels))


def read_unnamed(
    profiles: CountTable, given: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]
) -> CountedUnits:
    """Return the units of a crowd from profiles.csv, and what its annotators gave from annotators.csv.

    Raises BadInput as `read_kinds` does, and where a label is not as often in both.
    """
    labels = _codes(unit_set.categories)
    units = _kinds(
        profiles, unit_set, documents, lambda line, text: _in_profile(profiles, line, text, labels)
    )
    margins, size = _given(given, unit_set), len(unit_set.categories)
    both = np.zeros((2, size), dtype=np.int64)
    np.add.at(both[0], units.label, units.n[units.kind])
    np.add.at(both[1], margins.label, margins.n)
    for code in np.flatnonzero(both[0] != both[1]).tolist():
        there, here = both[:, code].tolist()
        name = unit_set.categories[code]
        given.wrong(0, f'has "{name}" {here:,} times in all, and profiles.csv {there:,} times.', "label")
    raise_first_problems(given.problems)
    return replace(units, margins=margins)


def _kinds(
    table: CountTable,
    unit_set: UnitSetDescribed,
    documents: Sequence[str],
    read: Callable[[int, str], RatedCodes | None],
) -> CountedUnits:
    """Return the units of the rows of a table; `read` returns the ratings in the fourth cell of a line."""
    names = unit_set.documents or tuple(documents)
    codes = _codes(names)
    understood: dict[str, RatedCodes] = {}
    lines: dict[tuple[int, RatedCodes], int] = {}
    document: list[int] = []
    ratings: list[Sequence[int]] = []
    for kind, (line, cells) in enumerate(table.rows):
        name, text = cells[2:4]
        document.append(codes.get(name, NO_DOCUMENT))
        if name and document[-1] == NO_DOCUMENT:
            table.wrong(line, f'counts.json has no document "{name}" here.', "document", _meant(name, names))
        if text not in understood:
            rated = read(line, text)
            if rated is None:
                continue
            understood[text] = rated
        before = lines.setdefault((document[-1], understood[text]), line)
        if before != line:
            table.wrong(line, f"is in line {before} already, of the same document.", table.head[3])
        ratings += [(kind, *rating) for rating in understood[text]]
    raise_first_problems(table.problems)
    n = np.array([int(cells[-1]) for _, cells in table.rows], dtype=np.int64)
    kind_of, annotator, label = _columns(ratings, 3)
    return CountedUnits(names, np.array(document, dtype=np.int64), n, kind_of, annotator, label)


def _in_profile(table: CountTable, line: int, text: str, labels: Mapping[str, int]) -> RatedCodes | None:
    """Return the labels of a profile, numbered; None where that can't be understood, which is noted."""
    found, end = Counter[int](), 0
    while end < len(text):
        part = RATING.match(text, end)
        known = part is not None and NUMBER.fullmatch(part[2]) and not (part[3] and part.end() == len(text))
        label = labels.get(ESCAPED.sub(r"\1", part[1])) if part is not None and known else None
        if part is None or label is None or label in found or not 0 < int(part[2]) <= MOST_RATINGS:
            table.wrong(line, f'"{text}" is not a list of categories such as "Former:2|New:1".', "profile")
            return None
        found[label] = int(part[2])
        end = part.end()
    return tuple(enumerate(sorted(found.elements())))


def _rated(
    table: CountTable, line: int, text: str, people: Mapping[str, int], labels: Mapping[str, int]
) -> RatedCodes | None:
    """Return who gave which label, by annotator; None where that can't be understood, which is noted."""
    ratings, end = list[tuple[str, str]](), 0
    while end < len(text):
        rating = RATING.match(text, end)
        if rating is None or (rating[3] and rating.end() == len(text)):
            table.wrong(line, f'"{text}" is not a list such as "A01:Former|A02:New".', "ratings")
            return None
        end = rating.end()
        who, label = (ESCAPED.sub(r"\1", rating[group]) for group in (1, 2))
        for name, codes, what in ((who, people, "annotator"), (label, labels, "category")):
            if name not in codes:
                message = f'counts.json has no {what} "{name}" in this unit set.'
                table.wrong(line, message, "ratings", _meant(name, codes))
        if who not in people or label not in labels:
            return None
        ratings.append((who, label))
    if len(dict(ratings)) < len(ratings):
        table.wrong(line, f'"{text}" has one annotator twice.', "ratings")
        return None
    return tuple(sorted((people[who], labels[label]) for who, label in ratings))


# ratings.csv where it is large: rows of codes.

CODED_ROWS = re.compile(r"(?:,,[0-9]{0,9},[0-9A-Za-z]*,[0-9]{1,16}\n)*")
NO_DIGIT = 255


def read_coded(file: ExportFile, layers: Sequence[LayerDescribed]) -> dict[str, dict[str, CountedUnits]]:
    """Return the units of each unit set of each layer, from a coded ratings.csv.

    Raises BadInput with the first row of each unit set that is wrong.
    """
    unit_sets = {
        (layer.id, unit_set.id): (layer, unit_set)
        for layer in layers
        for unit_set in layer.unit_sets
        if not unit_set.unnamed
    }
    lines = file.text.removesuffix("\n").split("\n")
    starts = [number for number, line in enumerate(lines) if number and not line.startswith(",,")]
    blocks: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for start, end in pairwise([*starts, len(lines)]):
        (_, cells), *_ = numbered_rows(lines[start], DELIMITER)
        name = from_cell(cells[0]), from_cell(cells[1]) if len(cells) > 1 else ""
        if name not in unit_sets or name in blocks or len(cells) != len(CODED_HEAD):
            message = f'"{lines[start]}" names no unit set of counts.json, or one again.'
            raise file.refused(message, AS_WRITTEN, start + 1)
        blocks[name] = start + 1, [f",,{','.join(cells[2:])}", *lines[start + 1 : end]]
    units = for_each(unit_sets, lambda name: _of_codes(file, blocks.get(name, (1, [])), *unit_sets[name]))
    found: dict[str, dict[str, CountedUnits]] = {layer.id: {} for layer in layers}
    for (layer_id, unit_set_id), own in zip(unit_sets, units, strict=True):
        found[layer_id][unit_set_id] = own
    return found


def _of_codes(
    file: ExportFile, block: tuple[int, list[str]], layer: LayerDescribed, unit_set: UnitSetDescribed
) -> CountedUnits:
    first, lines = block
    if not CODED_ROWS.fullmatch("\n".join((*lines, ""))):
        wrong = next(n for n, line in enumerate(lines) if not CODED_ROWS.fullmatch(f"{line}\n"))
        raise file.refused(f'"{lines[wrong]}" is not a row of codes.', AS_WRITTEN, first + wrong)
    names = unit_set.documents or layer.documents
    people, size = len(unit_set.annotators), len(unit_set.categories)
    width = code_width(people, size)
    longest = max((line.rindex(",") - line.index(",", 2) - 1 for line in lines), default=0)
    longest = max(-(-longest // width), 1) * width
    kind_type = [("document", "S9"), ("codes", f"S{longest}"), ("n", np.int64)]
    rows = np.loadtxt(lines, kind_type, comments=None, delimiter=DELIMITER, usecols=(2, 3, 4), ndmin=1)
    own, n = rows["document"] == b"", rows["n"].copy()
    document = np.where(own, str(NO_DOCUMENT).encode(), rows["document"]).astype(np.int64)
    written = np.ascontiguousarray(rows["codes"]).view(np.uint8).reshape(len(rows), -1, width)
    values = np.full(256, NO_DIGIT, dtype=np.int64)
    values[np.frombuffer(CODE_DIGITS.encode(), dtype=np.uint8)] = np.arange(len(CODE_DIGITS))
    kind, place = np.nonzero(written[:, :, 0])
    digits = values[written[kind, place]]
    code = np.zeros(len(kind), dtype=np.int64)
    for digit in digits.T:
        code = code * len(CODE_DIGITS) + digit
    annotator = code // max(size, 1)
    again = np.flatnonzero((kind[1:] == kind[:-1]) & (annotator[1:] <= annotator[:-1])) + 1
    order = np.lexsort((rows["codes"], document))
    twice = order[1:][
        (rows["codes"][order][1:] == rows["codes"][order][:-1]) & (np.diff(document[order]) == 0)
    ]
    for message, where in (
        (
            "names a document that counts.json does not have.",
            np.flatnonzero(document >= len(names)),
        ),
        ("counts nothing, or too much.", np.flatnonzero((n < 1) | (n > LARGEST))),
        (
            "has a code of nobody and nothing.",
            kind[(digits == NO_DIGIT).any(axis=1) | (code >= people * size)],
        ),
        ("has annotators twice, or in another order.", kind[again]),
        ("is there twice.", twice),
    ):
        if len(where):
            raise file.refused(message, AS_WRITTEN, first + int(where.min()))
    if int(n.sum()) > LARGEST:
        raise file.refused(f"counts more than {LARGEST:,} in all, which no corpus has.", AS_WRITTEN)
    return CountedUnits(names, document, n, kind, annotator, code % max(size, 1))


# everybody.csv of a folder of counts: the units of a unit set with the labels of people in every role.

# Up to here units are kept apart; beyond, those of one kind stay together, which only tests between
# releases of a system notice.
MOST_UNITS = 10_000_000


def read_everybody(
    described: EverybodyDescribed, documents: Sequence[str], table: CountTable
) -> CountedUnits:
    """Return the units of one unit set; raise BadInput with whatever is wrong in its rows."""
    numbers = table.coded({"bulk": count_from(0), "n": count_from(1)})
    for line, bulk, n in numbers:
        if bulk > n:
            table.wrong(line, "has more units in bulk than units.", "bulk")
    raise_first_problems(table.problems)
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


# spans.csv and type-pairs.csv of a folder of counts: codes of each row, compared with all others.

ONLY_FIRST, ONLY_SECOND = (OUTCOMES.index(name) for name in ("only_first", "only_second"))


def _shared_columns(described: SpansDescribed, documents: Sequence[str]) -> dict[str, Read]:
    """Return what reads the columns that both tables have."""
    people = one_of(described.people, "name in counts.json")
    return {"first": people, "second": people, "document": one_of(documents, "document")}


def read_type_pairs(
    described: SpansDescribed, documents: Sequence[str], table: CountTable
) -> dict[str, TypePairs]:
    """Return pairs of marks of different types, by distance; whatever is wrong is noted in `table`."""
    distances = [credit.distance for credit in described.credits]
    types = one_of(described.types, "type in counts.json")
    of_types = {"first_type": types, "second_type": types, "kind": one_of(KINDS, "kind"), "n": count_from(1)}
    of_distance = {"distance": one_of(distances, "distance in counts.json")}
    rows = table.coded({**of_distance, **_shared_columns(described, documents), **of_types})
    return {
        name: TypePairs(*_columns(sorted(row[2:] for row in rows if row[1] == code), 7))
        for code, name in enumerate(distances)
    }


# The tables of a folder of counts beside those of unit sets: marks in texts, references and systems.

Rows = Mapping[str, Sequence[Row]]


NUMBERS = re.compile(r"[0-9]{1,18}(?: [0-9]{1,18})*")
OF_RATINGS, OF_TWO = re.compile(r"[0-9]{1,4}"), re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
OF_CELL = re.compile(OF_TWO.pattern + r"-([0-9]{1,6})")


def read_sum_rows(file: ExportFile) -> list[Row]:
    """Return the rows of sums.csv with their lines; raise BadInput with the first that is not one."""
    if not has_header(file, SUMS_HEAD):
        raise file.refused(f"has another header than {DELIMITER.join(SUMS_HEAD)}.", AS_WRITTEN, 1)
    rows = [(line, tuple(map(from_cell, cells))) for line, cells in numbered_rows(file.text, DELIMITER)[1:]]
    for line, cells in rows:
        if len(cells) != len(SUMS_HEAD) or not NUMBERS.fullmatch(cells[-1]):
            raise file.refused("is not a list of whole numbers.", AS_WRITTEN, line)
    return rows


def read_sums(
    table: CountTable, given: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]
) -> CountedUnits:
    """Return units that have the sums of one unit set, and what its annotators gave.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or has other numbers
    than sums have, and where the sums of documents, of annotators and of their pairs are not the same.
    """
    names = unit_set.documents or tuple(documents)
    document, size = one_of(names, "document"), len(unit_set.categories)
    by_ratings: dict[tuple[int, int], Codes] = {}
    by_pair: dict[tuple[int, int, int], Codes] = {}
    shared: dict[tuple[int, int], Codes] = {}
    by_cell: dict[tuple[int, int, int], Codes] = {}
    for line, cells in table.rows:
        where, of = document(cells[2]), cells[3]
        numbers = np.array(cells[4].split(" "), dtype=np.int64)
        cell = OF_CELL.fullmatch(of)
        if cell and int(cell[3]) + len(numbers) == size * size and not cells[2]:
            by_cell[int(cell[1]), int(cell[2]), int(cell[3])] = numbers
        elif (two := OF_TWO.fullmatch(of)) and len(numbers) == 1 and not cells[2]:
            shared[int(two[1]), int(two[2])] = numbers
        elif not isinstance(where, int):
            table.wrong(line, where[0], "document", where[1])
        elif OF_RATINGS.fullmatch(of) and len(numbers) == _width(int(of), size):
            by_ratings[where, int(of)] = _square(int(of), numbers, size)
        elif (two := OF_TWO.fullmatch(of)) and len(numbers) == size * size:
            by_pair[int(two[1]), int(two[2]), where] = numbers
        else:
            table.wrong(line, f'"{of}" is neither a number of ratings nor two annotators with such sums.')
    if len(by_ratings) + len(by_pair) + len(shared) + len(by_cell) < len(table.rows):
        table.wrong(0, "has rows twice.")
    people = {two[:2] for two in (*by_pair, *shared, *by_cell)}
    if any(not first < second < len(unit_set.annotators) for first, second in people):
        table.wrong(0, "has two annotators that counts.json does not have.")
    raise_first_problems(table.problems)
    sums = _sums(by_ratings, size)
    gave = replace(_given(given, unit_set), pairs=_sums_by_pair(by_pair, size))
    if shared or by_cell:
        gave = replace(gave, shared=_shared(shared), products=_products(by_cell, size))
    _require_same(table, sums, gave)
    _require_same(table, sums, gave)
    units = alike(sums)
    return CountedUnits(
        names,
        units.document,
        units.weight,
        units.unit,
        units.place,
        units.label,
        gave,
    )


def with_tables(table: CountTable, units: CountedUnits, unit_set: UnitSetDescribed) -> CountedUnits:
    """Return units without documents, and what their annotators gave, with the tables of all pairs.

    Raises BadInput with every row that is none of two annotators, and where the tables of pairs are not those
    that units with these labels have.
    """
    size = len(unit_set.categories)
    by_pair: dict[tuple[int, int, int], Codes] = {}
    for line, cells in table.rows:
        two, numbers = OF_TWO.fullmatch(cells[3]), np.array(cells[4].split(" "), dtype=np.int64)
        if cells[2] or two is None or len(numbers) != size * size:
            table.wrong(line, f'"{cells[3]}" is no two annotators with such sums, of no document.')
        elif not int(two[1]) < int(two[2]) < len(unit_set.annotators):
            table.wrong(line, "has two annotators that counts.json does not have.")
        else:
            by_pair[int(two[1]), int(two[2]), NO_DOCUMENT] = numbers
    if len(by_pair) < len(table.rows):
        table.wrong(0, "has rows twice.")
    if (units.document != NO_DOCUMENT).any():
        table.wrong(0, "has tables of units that are in no document, and profiles.csv has documents.")
    raise_first_problems(table.problems)
    margins = units.margins and replace(units.margins, pairs=_sums_by_pair(by_pair, size))
    if margins is not None:
        _require_same(table, sums_on(units.document, units.n, units.kind, units.label, size), margins)
    return replace(units, margins=margins)


def _width(ratings: int, size: int) -> int:
    """Return how many numbers a row has: of every two labels, of every label, or of the units alone."""
    return size * (size + 1) // 2 if ratings > 1 else size if ratings else 1


def _square(ratings: int, numbers: Codes, size: int) -> Codes:
    met = np.zeros((size, size), dtype=np.int64)
    if ratings > 1:
        met[np.triu_indices(size)] = numbers
        return np.triu(met) + np.triu(met, 1).T
    np.fill_diagonal(met[: len(numbers), : len(numbers)], numbers)
    return met


def _sums(by_ratings: dict[tuple[int, int], Codes], size: int) -> LabelSums:
    rows = sorted(by_ratings)
    document, ratings = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    met = np.array([by_ratings[row] for row in rows], dtype=np.int64).reshape(-1, size, size)
    return LabelSums(document, ratings, met)


def _sums_by_pair(by_pair: dict[tuple[int, int, int], Codes], size: int) -> tuple[Codes, ...]:
    """Return first, second, document, labels and number of units of every two annotators, in this order."""
    rows = sorted(by_pair)
    first, second, document = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    tables = np.array([by_pair[row] for row in rows], dtype=np.int64).reshape(-1, size * size)
    row, cell = np.nonzero(tables)
    return first[row], second[row], document[row], cell // size, cell % size, tables[row, cell]


def _shared(documents: dict[tuple[int, int], Codes]) -> tuple[Codes, ...]:
    """Return first, second, and in how many documents they share units."""
    rows = [(*two, int(number[0])) for two, number in sorted(documents.items())]
    return tuple(np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def _products(by_cell: dict[tuple[int, int, int], Codes], size: int) -> tuple[Codes, ...]:
    """Return first, second, labels, other labels, and the sum over documents, of every two annotators."""
    parts = []
    for first, second in sorted({two[:2] for two in by_cell}):
        upper = np.zeros((size * size, size * size), dtype=np.int64)
        for cell in range(size * size):
            upper[cell, cell:] = by_cell.get((first, second, cell), 0)
        sums = upper + np.triu(upper, 1).T
        one, other = np.nonzero(sums)
        who = np.full_like(one, first), np.full_like(one, second)
        parts.append((*who, one // size, one % size, other // size, other % size, sums[one, other]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _given(table: CountTable, unit_set: UnitSetDescribed) -> Margins:
    read = {
        "annotator": one_of(unit_set.annotators, "annotator"),
        "label": one_of(unit_set.categories, "category"),
        "n": count_from(1),
    }
    rows = [row[1:] for row in table.coded(read)]
    raise_first_problems(table.problems)
    annotator, label, n = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Margins(annotator, label, n)


def _require_same(table: CountTable, sums: LabelSums, given: Margins) -> None:
    """Raise BadInput where sums are none of units, or those of annotators and their pairs are others."""
    for message in contradictory_sums(sums, given):
        table.wrong(0, message)
    raise_first_problems(table.problems)


# counts.json as it was written: well-formed, complete, and at one with itself.

WRONG = {
    "missing": "is missing.",
    "extra_forbidden": "is not a valid key of counts.json.",
    "int_type": "is not a whole number.",
    "int_from_float": "is not a whole number.",
    "greater_than_equal": "is below 0.",
    "less_than_equal": f"is above {LARGEST:,}.",
    "string_type": "is not a text in quotes.",
    "bool_type": "is neither true nor false.",
    "tuple_type": "is not a list.",
    "too_short": "is empty.",
}


def is_description(file: ExportFile) -> bool:
    """Say whether a file is a counts.json, damaged or not."""
    return file.suffix == ".json" and file.is_text() and f'"{KIND}"' in file.text


def read_description(file: ExportFile) -> CountsDescribed:
    """Return what counts.json says; raise BadInput with all that is wrong in it."""
    _require_json(file)
    try:
        described = from_json(CountsDescribed, file.text)
    except ValidationError as error:
        mistakes = [_in_words(error) for error in _causes(error.errors(include_url=False))]
    else:
        mistakes = list(contradictions_counted(described))
        if not mistakes:
            return described
    lines = lines_of(file.text)
    problems: list[Problem] = []
    for path, message in mistakes:
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        problems.append(file.problem(message, AS_WRITTEN, line_of_value(lines, path), key))
    raise BadInput(shortened(problems))


def _causes(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return errors without those that say that a list is empty because something in it is wrong."""
    paths = [error["loc"] for error in errors]
    return [
        error
        for error in errors
        if error["type"] != "too_short"
        or not any(path[: len(error["loc"])] == error["loc"] != path for path in paths)
    ]


def _require_json(file: ExportFile) -> None:
    """Raise BadInput for what is no JSON, or of a later schema: what is new there is no fault."""
    try:
        content = json.loads(file.text)
    except json.JSONDecodeError as error:
        raise file.refused(f"is not JSON: {in_plain_words(error)}.", AS_WRITTEN, error.lineno) from None
    except RecursionError:
        raise file.refused("is nested too deeply.", AS_WRITTEN) from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if later := is_later(schema):
        raise file.refused(*later, line_of_value(lines_of(file.text), ("schema",)), "schema")


def _in_words(error: ErrorDetails) -> tuple[KeyPath, str]:
    path, kind = tuple(error["loc"]), error["type"]
    if kind != "literal_error":
        return path, WRONG.get(kind, "is not what is expected here.")
    if path == ("schema",):
        return path, "is not 1, the one that this version of reportgen reads."
    return path, f"is none of {error.get('ctx', {}).get('expected', '')}."


# Counts of two annotators without counts.json and ratings.csv: their units follow from the other tables.

# A folder of counts, as this program writes it beside every report: numbers, and no texts.

READING = (
    "Counts that reportgen wrote beside a report: how many units have which labels by whom, without texts "
    "and without units. Left out is what counts do not tell: the places where annotators differ, error "
    "rates, drift and difficult items, second passes, and agreement on where units of text begin and end."
)
CSV, PARQUET = ".csv", ".parquet"
WHOLE = "Take the folder of counts as reportgen wrote it: its files belong together."
ALL_HEADS = {**HEADS, SUMS: SUMS_HEAD, **MARK_HEADS}


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a counts.json, or a table with the header of one of the counts' own."""
    head = ALL_HEADS.get(file.path.name)
    if head is None:
        return is_description(file)
    heads = {RATINGS: (head, CODED_HEAD), ANNOTATORS: (head, GIVEN_HEAD)}.get(file.path.name, (head,))
    return file.is_text() and any(has_header(file, known) for known in heads)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is called like one of a folder of counts; a table may be there as Parquet too."""
    return file.path.name == DESCRIPTION or file.path.with_suffix(CSV).name in ALL_HEADS


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return one layer of the counts: that which the options name as their source, or the only one.

    Raises BadInput with every fault of all files, of other layers too.
    """
    named = _by_name(files)
    layers = _layers(named)
    layer = layers[_layer_asked_for(named[DESCRIPTION], list(layers), options.source)]
    _require_everybody(layer.content.annotators, options)
    return layer


def every_layer(files: Sequence[ExportFile]) -> list[Annotations]:
    """Return all layers of the counts; raise BadInput as `read` does."""
    return list(_layers(_by_name(files)).values())


def _layers(files: Mapping[str, ExportFile]) -> dict[str, Annotations]:
    """Return the layers that counts.json describes, by their ids."""
    # pairs.csv may be absent.
    if missing := [name for name in (DESCRIPTION, *HEADS) if name not in files and name != PAIRS]:
        message = f"comes without {', '.join(missing)}, which counts need."
        raise next(iter(files.values())).refused(message, WHOLE)
    layers = read_description(files[DESCRIPTION]).layers
    coded = has_header(files[RATINGS], CODED_HEAD)
    rows, problems = _rows({name: files[name] for name in files if not (coded and name == RATINGS)}, layers)
    shown = {name: file.name for name, file in files.items()}
    of_codes = read_coded(files[RATINGS], layers) if coded else {}
    kinds, more = tried(
        layers, lambda layer: _units_by_kind(shown, rows[layer.id], layer, of_codes.get(layer.id, {}))
    )
    if problems or more:
        raise BadInput([*problems, *more])
    marks = for_each(layers, lambda layer: _mark_tables(layer, rows[layer.id], shown))
    sources = tuple(file.source for file in files.values())
    return {
        layer.id: Annotations(
            CountedLayer(layer, units, shown[DESCRIPTION], rows[layer.id], shown, tables, coded),
            READER.name,
            READING,
            layer.marks_read,
            marks_again=layer.marks_again,
            sources=sources,
            compared=layer.compared,
            derived=_derived(layer),
            missing=layer.missing,
        )
        for layer, units, tables in zip(layers, kinds, marks, strict=True)
    }


def _derived(layer: LayerDescribed) -> tuple[str, ...]:
    """Return the references that were made from annotators' own marks."""
    derived = [*(layer.spans.derived if layer.spans else ())]
    return tuple(
        dict.fromkeys((*derived, *(name for everybody in layer.everybody for name in everybody.derived)))
    )


def _by_name(files: Sequence[ExportFile]) -> dict[str, ExportFile]:
    """Return the files by what they are called; raise BadInput where several are called the same."""
    by_name: dict[str, list[ExportFile]] = {}
    for file in files:
        if file.suffix != PARQUET:
            name = file.path.name if file.path.name in ALL_HEADS else DESCRIPTION
            by_name.setdefault(name, []).append(file)
    message = "is of one of several folders of counts in one export."
    remedy = "Name one of the folders as the export of a version."
    if duplicates := [file for alike in by_name.values() if len(alike) > 1 for file in alike]:
        raise BadInput(file.problem(message, remedy) for file in duplicates)
    return {name: file for name, (file,) in by_name.items()}


def _rows(
    files: Mapping[str, ExportFile], layers: Sequence[LayerDescribed]
) -> tuple[dict[str, dict[str, Sequence[Row]]], list[Problem]]:
    """Return each layer's rows of each table, with every problem in any."""
    unit_sets = {layer.id: [unit_set.id for unit_set in layer.unit_sets] for layer in layers}
    rows: dict[str, dict[str, Sequence[Row]]] = {layer: dict.fromkeys(ALL_HEADS, ()) for layer in unit_sets}

    def read_table(name: str) -> None:
        if name == SUMS:
            all_rows = read_sum_rows(files[name])
        elif name == ANNOTATORS and has_header(files[name], GIVEN_HEAD):
            all_rows = read_given(files[name], layers)
        else:
            all_rows = read_rows(files[name], ALL_HEADS[name])
        of_unit_sets = name in (*HEADS, SUMS)
        for layer, layer_rows in by_layer(files[name], all_rows, unit_sets, unit_sets=of_unit_sets).items():
            rows[layer][name] = layer_rows

    return rows, tried([name for name in ALL_HEADS if name in files], read_table)[1]


def _units_by_kind(
    files: Mapping[str, str], rows: Rows, layer: LayerDescribed, coded: Mapping[str, CountedUnits]
) -> dict[str, CountedUnits]:
    """Return the units of each unit set of a layer, `coded` ones as they are.

    Raises BadInput with all that is wrong in any.
    """
    unit_sets = {unit_set.id: unit_set for unit_set in layer.unit_sets}
    rated, profiles, given, sums = (
        by_unit_set(CountTable(files.get(name, name), ALL_HEADS[name], rows[name]), unit_sets)
        for name in (RATINGS, PROFILES, ANNOTATORS, SUMS)
    )

    def units_of(name: str) -> CountedUnits:
        if name in coded:
            return coded[name]
        if unit_sets[name].summed:
            return read_sums(sums[name], given[name], unit_sets[name], layer.documents)
        if not unit_sets[name].unnamed:
            return read_kinds(rated[name], unit_sets[name], layer.documents)
        for line, _ in rated[name].rows[:1]:
            rated[name].wrong(line, f'{DESCRIPTION} says that nobody knows who rated the units of "{name}".')
        raise_first_problems(rated[name].problems)
        units = read_unnamed(profiles[name], given[name], unit_sets[name], layer.documents)
        return with_tables(sums[name], units, unit_sets[name]) if unit_sets[name].paired else units

    return dict(zip(unit_sets, for_each(unit_sets, units_of), strict=True))


def _mark_tables(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> MarkTables:
    raise_first_problems([*_missing_tables(layer, files), *_uncalled_for(layer, rows, files)])
    # What the tables say of one layer; `files` are the names to show, by what files are called. Raises
    # BadInput with every row that is wrong.
    tables = {
        name: CountTable(files.get(name, name), head, rows.get(name, ())) for name, head in MARK_HEADS.items()
    }
    described, spans, credited = layer.spans, None, dict[str, TypePairs]()
    if described is not None:
        documents = layer.documents if described.documents is None else described.documents
        # What became of marks; whatever is wrong is noted in `table`.
        table = tables[SPANS]
        shared, outcome = _shared_columns(described, documents), table.head.index("outcome")
        no_type = one_of(("",), "type of a row that tells how many tokens a document has")
        of_tokens = [row for row in table.rows if row[1][outcome] == TOKENS]
        seen_rows = table.coded({**shared, "n": count_from(0), "type": no_type}, of_tokens)
        outcomes = {
            "type": one_of(described.types, "type in counts.json"),
            "outcome": one_of(OUTCOMES, "outcome"),
        }
        others = [row for row in table.rows if row[1][outcome] != TOKENS]
        marks = table.coded({**shared, **outcomes, "n": count_from(1)}, others)
        seen_columns = _columns(sorted(row[1:5] for row in seen_rows), 4)
        spans = SpanCounts(*_columns(sorted(row[1:] for row in marks), 6), *seen_columns)
        if not tables[SPANS].problems:
            credited = read_type_pairs(described, documents, tables[TYPE_PAIRS])
    by_set = {everybody.units.id: everybody for everybody in layer.everybody}
    by_table = by_unit_set(tables[EVERYBODY], by_set)
    units, wrong = tried(by_set, lambda name: read_everybody(by_set[name], layer.documents, by_table[name]))
    raise_first_problems([*tables[SPANS].problems, *tables[TYPE_PAIRS].problems, *wrong])
    return MarkTables(spans, credited, dict(zip(by_set, units, strict=True)))


def _missing_tables(layer: LayerDescribed, files: Mapping[str, str]) -> Iterator[Problem]:
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
    sets = {everybody.units.id for everybody in layer.everybody}
    for name, table in rows.items():
        for line, cells in table:
            message = ""
            if name in (SPANS, TYPE_PAIRS) and layer.spans is None:
                message = f'{DESCRIPTION} knows of no marks in the layer "{layer.id}".'
            elif name in (COMPARISONS, EVERYBODY) and cells[1] not in sets:
                message = f'{DESCRIPTION} compares nobody in a unit set "{cells[1]}" of this layer.'
            if message:
                yield Problem(files.get(name, name), line, "", message, AS_WRITTEN)


def _layer_asked_for(file: ExportFile, layers: Sequence[str], source: str | None) -> str:
    if source is None and len(layers) > 1:
        remedy = "Declare [[layers]], the source of each being one of them."
        raise file.refused(f"has several layers: {', '.join(layers)}.", remedy, key="layers")
    if source is not None and source not in layers:
        raise file.refused(f'has no layer "{source}".', did_you_mean(source, layers), key="layers")
    return source or layers[0]


def _require_everybody(annotators: Sequence[str], options: ReaderOptions) -> None:
    """Raise BadInput where somebody is asked for who is not there, or somebody is not asked for."""
    if options.annotators is None:
        return
    require_annotators(options.annotators, annotators)
    remedy = "Take annotators away: who was counted can't be taken out of counts."
    raise_first_problems(
        Problem("", 0, "annotators", f'leaves out "{name}", who is counted.', remedy)
        for name in annotators
        if name not in options.annotators
    )


READER = Reader(
    name="counts",
    title="Counts of a report, a folder of CSV and JSON",
    tool="reportgen",
    extensions=(".json", ".csv"),
    reads=(
        "How many units have which labels by which annotators, and what became of marks: enough for "
        "every figure that does not need the texts."
    ),
    leaves_out="Nothing. Texts, units and the order of labels were left out when the counts were written.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(READING,),
)
