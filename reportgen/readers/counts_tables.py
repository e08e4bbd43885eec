"""Tables of counts as they were written: a known header, rows of its length, whole numbers at their end."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each
from reportgen.base.files import numbered_rows
from reportgen.readers.annotations import NO_DOCUMENT, Ratings
from reportgen.readers.annotations import Codes as AnnotationsCodes
from reportgen.readers.counted import (
    ANNOTATORS,
    DESCRIPTION,
    HEADS,
    LARGEST,
    PAIRS,
    RATINGS,
    CountedUnits,
    UnitSetDescribed,
)
from reportgen.readers.layer import Annotations
from reportgen.readers.reader import ExportFile, ReaderOptions, clean, require_annotators, shortened

Row = tuple[int, tuple[str, ...]]

DELIMITER = ","
AS_WRITTEN = "Take the file as reportgen wrote it."
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
    problems = list(_wrong_header(file, found, header))
    if not problems:
        problems = shortened(list(_wrong_rows(file, found[1:], header)))
    if not problems:
        problems = list(_wrong_sum(file, found[1:]))
    if problems:
        raise BadInput(problems)
    # Names stand in many rows, and are kept once: of a crowd there are millions of pairs.
    names: dict[str, str] = {}
    return [(line, tuple([names.setdefault(cell, cell) for cell in cells])) for line, cells in found[1:]]


def _wrong_header(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    expected = f"The first line of {_base(file)} is {DELIMITER.join(header)}."
    if not rows:
        yield Problem(file.name, message="is empty.", mend=expected)
    elif tuple(rows[0][1]) != tuple(header):
        message = f'has the columns "{DELIMITER.join(rows[0][1])}", which no counts have.'
        yield Problem(file.name, rows[0][0], message=message, mend=expected)


def _base(file: ExportFile) -> str:
    return file.path.name


def _wrong_rows(
    file: ExportFile, rows: Sequence[tuple[int, list[str]]], header: Sequence[str]
) -> Iterator[Problem]:
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"has {len(cells)} cells, and the header {len(header)}."
            yield Problem(file.name, line, message=message, mend=AS_WRITTEN)
        elif not NUMBER.fullmatch(cells[-1]) or int(cells[-1]) > LARGEST:
            yield Problem(file.name, line, f"column {header[-1]}", _no_count(cells[-1]), AS_WRITTEN)


def _no_count(cell: str) -> str:
    """Return what is wrong with a cell that is no count."""
    if not DIGITS.fullmatch(cell):
        return f'"{cell}" is no count; a whole number was expected.'
    return f"{cell} is below 0, and counts are not." if cell.startswith("-") else f"{cell} is too large."


def _wrong_sum(file: ExportFile, rows: Sequence[tuple[int, list[str]]]) -> Iterator[Problem]:
    if sum(int(cells[-1]) for _, cells in rows) > LARGEST:
        message = f"counts more than {LARGEST:,} in all, which no corpus holds."
        yield Problem(file.name, message=message, mend=AS_WRITTEN)


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
            problems.append(Problem(file.name, line, "column layer", message, _meant(cells[0], list(known))))
        elif unit_sets and cells[1] not in known[cells[0]]:
            message = f'counts.json has no unit set "{cells[1]}" in this layer.'
            mend = _meant(cells[1], known[cells[0]])
            problems.append(Problem(file.name, line, "column unit_set", message, mend))
        else:
            found[cells[0]].append((line, cells))
    if problems:
        raise BadInput(shortened(problems))
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

    def columns(self, read: Mapping[str, Read]) -> dict[str, AnnotationsCodes]:
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


def one_of(names: Sequence[str], what: str) -> Read:
    """Return what reads the code of one of some names; `what` they are is said in an error."""
    codes = {name: code for code, name in enumerate(names)}

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

Codes = tuple[tuple[int, int], ...]


@dataclass
class _Known:
    """The names of one unit set by their codes, and what is wrong with the rows that use them."""

    file: str
    annotators: Mapping[str, int]
    categories: Mapping[str, int]
    documents: Mapping[str, int]
    rows: dict[tuple[int, Codes], int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(self, line: int, key: str, message: str, mend: str = AS_WRITTEN) -> None:
        """Note a problem of a line."""
        self.problems.append(Problem(self.file, line, f"column {key}", message, mend or AS_WRITTEN))


def read_kinds(
    file: str, rows: Sequence[Row], unit_set: UnitSetDescribed, documents: Sequence[str]
) -> CountedUnits:
    """Return the units of one unit set from its rows of ratings.csv; `documents` are those of its layer.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or stands there twice.
    """
    own = unit_set.documents or tuple(documents)
    known = _Known(file, _codes(unit_set.annotators), _codes(unit_set.categories), _codes(own))
    ratings: dict[str, Codes | None] = {}
    found = [_row(known, ratings, line, cells) for line, cells in rows]
    if known.problems:
        raise BadInput(shortened(known.problems))
    document = [code for code, _ in found]
    n = [int(cells[-1]) for _, cells in rows]
    flat = [(kind, *each) for kind, (_, given) in enumerate(found) for each in given]
    kind, annotator, label = np.array(flat, dtype=np.int64).reshape(-1, 3).T
    return CountedUnits(
        own, np.array(document, dtype=np.int64), np.array(n, dtype=np.int64), kind, annotator, label
    )


def _codes(names: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(names)}


def _row(
    known: _Known, ratings: dict[str, Codes | None], line: int, cells: Sequence[str]
) -> tuple[int, Codes]:
    """Return the codes of a row; what is wrong with it is noted."""
    _, _, document, text, _ = cells
    code = known.documents.get(document, NO_DOCUMENT)
    if document and code == NO_DOCUMENT:
        mend = did_you_mean(document, list(known.documents))
        known.complain(line, "document", f'counts.json has no document "{document}" here.', mend)
    if text not in ratings or ratings[text] is None:
        ratings[text] = _ratings(known, line, text)
    given = ratings[text] or ()
    before = known.rows.setdefault((code, given), line)
    if before != line and ratings[text] is not None:
        known.complain(line, "ratings", f"stands in line {before} already, of the same document.")
    return code, given


def _ratings(known: _Known, line: int, text: str) -> Codes | None:
    """Return who gave which label, by annotator; None where that can't be understood, which is noted."""
    found, end = list[tuple[int, int]](), 0
    while end < len(text):
        rating = RATING.match(text, end)
        if rating is None or (rating[3] and rating.end() == len(text)):
            known.complain(line, "ratings", f'"{text}" is no list such as "A01:Former|A02:New".')
            return None
        end = rating.end()
        who, label = (ESCAPED.sub(r"\1", rating[part]) for part in (1, 2))
        if not _is_known(known, line, who, label):
            return None
        found.append((known.annotators[who], known.categories[label]))
    if len({who for who, _ in found}) < len(found):
        known.complain(line, "ratings", f'"{text}" has one annotator twice.')
        return None
    return tuple(sorted(found))


def _is_known(known: _Known, line: int, who: str, label: str) -> bool:
    if who not in known.annotators:
        mend = did_you_mean(who, list(known.annotators))
        known.complain(line, "ratings", f'counts.json has no annotator "{who}" in this unit set.', mend)
    if label not in known.categories:
        mend = did_you_mean(label, list(known.categories))
        known.complain(line, "ratings", f'counts.json has no category "{label}" in this unit set.', mend)
    return who in known.annotators and label in known.categories


# Counts of two annotators without counts.json and ratings.csv: their units follow from the other tables.

PAIR = 2
NEEDED = (PAIRS, ANNOTATORS)


@dataclass(frozen=True)
class _Cell:
    """So many units of a document that have the same labels by the same annotators, and where they stand."""

    document: str
    labels: tuple[tuple[str, str], ...]
    n: int
    file: str
    line: int


def from_pairs(files: Mapping[str, ExportFile], options: ReaderOptions, reading: str) -> Annotations:
    """Return the units of one unit set of two annotators.

    Raises BadInput where there is more than one unit set, or more than two annotators: then the counts
    need what says how they belong together.
    """
    _require(files)
    pairs, annotators = for_each(NEEDED, lambda name: read_rows(files[name], HEADS[name]))
    layer, unit_set = _only_unit_set(files, annotators, options)
    pairs, annotators = (
        [row for row in rows if row[1][:2] == (layer, unit_set)] for rows in (pairs, annotators)
    )
    people = sorted(
        {cells[3] for _, cells in annotators} | {name for _, cells in pairs for name in cells[3:5]}
    )
    if len(people) > PAIR:
        raise BadInput([_missing(files, "these are counts of more than two annotators")])
    require_annotators(options.annotators or (), people)
    cells = [*_together(files[PAIRS], pairs), *_alone(files[ANNOTATORS], pairs, annotators)]
    ratings = _count_pairs_ratings(cells, people, options)
    marks = int(ratings.unit_weight[ratings.unit].sum())
    sources = tuple(file.source for file in files.values())
    return Annotations(ratings, "counts", reading, marks, sources=sources)


def _require(files: Mapping[str, ExportFile]) -> None:
    absent = [name for name in NEEDED if name not in files]
    if absent:
        raise BadInput([_missing(files, f"there is no {' and no '.join(absent)} either")])


def _missing(files: Mapping[str, ExportFile], why: str) -> Problem:
    some = files.get(PAIRS) or next(iter(files.values()))
    message = f"comes without {DESCRIPTION} and {RATINGS}, and {why}."
    mend = "Take the whole folder of counts as reportgen wrote it."
    return Problem(some.name, message=message, mend=mend)


def _only_unit_set(
    files: Mapping[str, ExportFile], rows: Sequence[Row], options: ReaderOptions
) -> tuple[str, str]:
    """Return the layer that is asked for, and its unit set."""
    layers = list(dict.fromkeys(cells[0] for _, cells in rows))
    if options.source is not None and options.source not in layers:
        mend = did_you_mean(options.source, layers)
        message = f'has no layer "{options.source}".'
        raise BadInput([Problem(files[ANNOTATORS].name, key="layers", message=message, mend=mend)])
    wanted = layers if options.source is None else [options.source]
    found = list(dict.fromkeys(cells[:2] for _, cells in rows if cells[0] in wanted))
    if len(found) != 1:
        raise BadInput([_missing(files, f"these are counts of {len(found)} unit sets")])
    layer, unit_set = found[0]
    return layer, unit_set


def _together(file: ExportFile, pairs: Sequence[Row]) -> list[_Cell]:
    """Return the units that both labelled."""
    return [
        _Cell(cells[2], ((cells[3], cells[5]), (cells[4], cells[6])), int(cells[-1]), file.name, line)
        for line, cells in pairs
    ]


def _alone(file: ExportFile, pairs: Sequence[Row], annotators: Sequence[Row]) -> list[_Cell]:
    """Return the units that one of them labelled and the other did not: what pairs do not account for."""
    both: Counter[tuple[str, str, str]] = Counter()
    for _, (_, _, document, first, second, one, other, n) in pairs:
        both[document, first, one] += int(n)
        both[document, second, other] += int(n)
    problems: list[Problem] = []
    found: list[_Cell] = []
    for line, (_, _, document, who, label, n) in annotators:
        rest = int(n) - both.pop((document, who, label), 0)
        if rest < 0:
            message = f"counts {n}, and pairs.csv {int(n) - rest} of the same."
            problems.append(Problem(file.name, line, "column n", message, AS_WRITTEN))
        elif rest:
            found.append(_Cell(document, ((who, label),), rest, file.name, line))
    for (document, who, label), times in both.items():
        message = f'has no row for {who}, "{label}" in document "{document}", and pairs.csv counts {times}.'
        problems.append(Problem(file.name, message=message, mend=AS_WRITTEN))
    if problems:
        raise BadInput(shortened(problems))
    return found


def _count_pairs_ratings(cells: Sequence[_Cell], people: Sequence[str], options: ReaderOptions) -> Ratings:
    """Return cells as units that weigh as much as was counted; labels that are declared missing are none."""
    documents = tuple(dict.fromkeys(each.document for each in cells if each.document))
    place = {name: code for code, name in enumerate(documents)}
    given = [(unit, who, label) for unit, each in enumerate(cells) for who, label in each.labels]
    cleaned = clean([label for _, _, label in given], options)
    labels = tuple(dict.fromkeys(filter(None, cleaned)))
    codes = {name: number for number, name in enumerate(labels)}
    marks = [
        (unit, people.index(who), codes[name])
        for (unit, who, _), name in zip(given, cleaned, strict=True)
        if name and (options.annotators is None or who in options.annotators)
    ]
    columns = np.array(marks, dtype=np.int64).reshape(-1, 3).T
    where = [place.get(each.document, NO_DOCUMENT) for each in cells]
    lines = [(each.file, each.line) for each in cells]
    return Ratings(
        documents=documents,
        annotators=tuple(people),
        labels=labels,
        unit_names=("",) * len(cells),
        unit_document=np.array(where, dtype=np.int64),
        unit_weight=np.array([each.n for each in cells], dtype=np.int64),
        unit=columns[0],
        annotator=columns[1],
        label=columns[2],
        mark_pass=np.zeros(len(marks), dtype=np.int64),
        place=lambda mark: lines[int(columns[0][mark])],
    )
