"""Counts of two annotators without counts.json and ratings.csv: their units follow from the other tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.errors import BadInput, Problem, did_you_mean, for_each
from reportgen.formats.annotations import NO_DOCUMENT, Annotations, Ratings
from reportgen.formats.counted import ANNOTATORS, DESCRIPTION, HEADS, PAIRS, RATINGS
from reportgen.formats.labels import clean
from reportgen.formats.parsing.count_tables import AS_WRITTEN, Row, read_rows
from reportgen.formats.reader import ExportFile, ReadOptions, require_annotators, shortened

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


def from_pairs(files: Mapping[str, ExportFile], options: ReadOptions, reading: str) -> Annotations:
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
    ratings = _ratings(cells, people, options)
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
    files: Mapping[str, ExportFile], rows: Sequence[Row], options: ReadOptions
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


def _ratings(cells: Sequence[_Cell], people: Sequence[str], options: ReadOptions) -> Ratings:
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
