"""A folder of counts, as this program writes it beside every report: numbers, and no texts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, tried
from reportgen.readers.annotations import NO_DOCUMENT, Annotations, Ratings
from reportgen.readers.counted import (
    ANNOTATORS,
    AS_WRITTEN,
    DESCRIPTION,
    HEADS,
    MARK_HEADS,
    PAIRS,
    RATINGS,
    CountedLayer,
    CountedUnits,
    LayerDescribed,
    is_description,
    read_description,
)
from reportgen.readers.counts_tables import (
    CountTable,
    Row,
    by_layer,
    by_unit_set,
    derived_in,
    has_header,
    read_kinds,
    read_mark_tables,
    read_rows,
)
from reportgen.readers.reader import ExportFile, Reader, ReaderOptions, clean, refuse, require_annotators

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
    _require_pairs(files)
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


def _require_pairs(files: Mapping[str, ExportFile]) -> None:
    absent = [name for name in NEEDED if name not in files]
    if absent:
        raise BadInput([_missing(files, f"there is no {' and no '.join(absent)} either")])


def _missing(files: Mapping[str, ExportFile], why: str) -> Problem:
    some = files.get(PAIRS) or next(iter(files.values()))
    message = f"comes without {DESCRIPTION} and {RATINGS}, and {why}."
    return some.problem(message, "Take the whole folder of counts as reportgen wrote it.")


def _only_unit_set(
    files: Mapping[str, ExportFile], rows: Sequence[Row], options: ReaderOptions
) -> tuple[str, str]:
    """Return the layer that is asked for, and its unit set."""
    layers = list(dict.fromkeys(cells[0] for _, cells in rows))
    if options.source is not None and options.source not in layers:
        message = f'has no layer "{options.source}".'
        raise files[ANNOTATORS].refused(message, did_you_mean(options.source, layers), key="layers")
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
            problems.append(file.problem(message, AS_WRITTEN, line, "column n"))
        elif rest:
            found.append(_Cell(document, ((who, label),), rest, file.name, line))
    for (document, who, label), times in both.items():
        message = f'has no row for {who}, "{label}" in document "{document}", and pairs.csv counts {times}.'
        problems.append(file.problem(message, AS_WRITTEN))
    refuse(problems)
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


# A folder of counts, as this program writes it beside every report: numbers, and no texts.

READING = (
    "Counts that reportgen wrote beside a report: how many units have which labels by whom, without texts "
    "and without units. Left out is what counts do not tell: the places where annotators differ, error "
    "rates, drift and difficult items, second passes, and agreement on where units of text begin and end."
)
CSV, PARQUET = ".csv", ".parquet"
WHOLE = "Take the folder of counts as reportgen wrote it: its files belong together."
ALL_HEADS = {**HEADS, **MARK_HEADS}


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a counts.json, or a table with the header of one of the counts' own."""
    head = ALL_HEADS.get(file.path.name)
    if head is None:
        return is_description(file)
    return file.is_text() and has_header(file, head)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is called like one of a folder of counts; a table may be there as Parquet too."""
    return file.path.name == DESCRIPTION or file.path.with_suffix(CSV).name in ALL_HEADS


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return one layer of the counts: that which the options name as their source, or the only one.

    Raises BadInput with every fault of all files, of other layers too.
    """
    named = _by_name([file for file in files if file.suffix != PARQUET])
    if DESCRIPTION not in named and RATINGS not in named:
        return from_pairs(named, options, READING)
    _require(named)
    described = read_description(named[DESCRIPTION])
    rows, problems = _rows(named, described.layers)
    kinds, more = tried(described.layers, lambda layer: _kinds(named[RATINGS], rows[RATINGS], layer))
    shown = {name: file.name for name, file in named.items()}
    if problems or more:
        raise BadInput([*problems, *more])
    marks, others = tried(described.layers, lambda layer: read_mark_tables(layer, _of(rows, layer), shown))
    if others:
        raise BadInput(others)
    place = _place(named[DESCRIPTION], described.layers, options)
    layer = described.layers[place]
    _require_everybody(layer, options)
    own = _of(rows, layer)
    content = CountedLayer(layer, kinds[place], named[DESCRIPTION].name, own, shown, marks[place])
    sources = tuple(file.source for file in named.values())
    return Annotations(
        content,
        READER.name,
        READING,
        layer.marks_read,
        sources=sources,
        compared=layer.compared,
        derived=derived_in(layer),
        missing=layer.missing,
    )


def _of(rows: Mapping[str, Mapping[str, Sequence[Row]]], layer: LayerDescribed) -> dict[str, Sequence[Row]]:
    """Return the rows of each table that are of one layer."""
    return {name: found[layer.id] for name, found in rows.items()}


def described_in(files: Sequence[ExportFile]) -> tuple[LayerDescribed, ...]:
    """Return the layers that a folder of counts describes, none where it has no description."""
    named = _by_name([file for file in files if file.suffix != PARQUET])
    return read_description(named[DESCRIPTION]).layers if DESCRIPTION in named else ()


def _by_name(files: Sequence[ExportFile]) -> dict[str, ExportFile]:
    """Return the files by what they are called; raise BadInput where several are called the same."""
    found: dict[str, list[ExportFile]] = {}
    for file in files:
        name = file.path.name if file.path.name in ALL_HEADS else DESCRIPTION
        found.setdefault(name, []).append(file)
    message = "is of one of several folders of counts in one export."
    mend = "Name one of the folders as the export of a version."
    if several := [file for each in found.values() if len(each) > 1 for file in each]:
        raise BadInput(file.problem(message, mend) for file in several)
    return {name: own for name, (own,) in found.items()}


def _require(files: Mapping[str, ExportFile]) -> None:
    """Raise BadInput where a file of a folder of counts is not there."""
    missing = [name for name in (DESCRIPTION, *HEADS) if name not in files]
    if missing:
        message = f"comes without {', '.join(missing)}, which counts need."
        raise next(iter(files.values())).refused(message, WHOLE)


def _rows(
    files: Mapping[str, ExportFile], layers: Sequence[LayerDescribed]
) -> tuple[dict[str, dict[str, list[Row]]], list[Problem]]:
    """Return the rows of each table by layer, with every problem in any."""
    known = {layer.id: [each.id for each in layer.unit_sets] for layer in layers}
    tables = [name for name in ALL_HEADS if name in files]

    def rows(name: str) -> dict[str, list[Row]]:
        file = files[name]
        return by_layer(file, read_rows(file, ALL_HEADS[name]), known, unit_sets=name in HEADS)

    found, problems = tried(tables, lambda name: (name, rows(name)))
    nothing: dict[str, list[Row]] = {layer.id: [] for layer in layers}
    return {**dict.fromkeys(ALL_HEADS, nothing), **dict(found)}, problems


def _kinds(
    file: ExportFile, rows: Mapping[str, Sequence[Row]], layer: LayerDescribed
) -> dict[str, CountedUnits]:
    """Return the units of each unit set of a layer; raise BadInput with all that is wrong in any."""
    own = by_unit_set(
        CountTable(file.name, HEADS[RATINGS], rows[layer.id]), [each.id for each in layer.unit_sets]
    )
    found = for_each(layer.unit_sets, lambda each: read_kinds(own[each.id], each, layer.documents))
    return {each.id: units for each, units in zip(layer.unit_sets, found, strict=True)}


def _place(file: ExportFile, layers: Sequence[LayerDescribed], options: ReaderOptions) -> int:
    """Return which layer is asked for."""
    known = [layer.id for layer in layers]
    wanted = options.source
    if wanted is None and len(layers) == 1:
        return 0
    if wanted in known:
        return known.index(wanted)
    message = f'has no layer "{wanted}".' if wanted else f"has several layers: {', '.join(known)}."
    mend = (
        did_you_mean(wanted, known) if wanted else "Declare [[layers]], the source of each being one of them."
    )
    raise file.refused(message, mend, key="layers")


def _require_everybody(layer: LayerDescribed, options: ReaderOptions) -> None:
    """Raise BadInput where somebody is asked for who is not there, or somebody is not asked for."""
    if options.annotators is None:
        return
    require_annotators(options.annotators, layer.annotators)
    mend = "Take annotators away: whoever was counted can't be taken out of counts."
    others = [name for name in layer.annotators if name not in options.annotators]
    if others:
        raise BadInput(
            Problem("", 0, "annotators", f'leaves out "{name}", who is counted.', mend) for name in others
        )


READER = Reader(
    name="counts",
    title="Counts of a report, a folder of CSV and JSON",
    tool="reportgen",
    extensions=(".json", ".csv"),
    reads="How many units have which labels by whom, and what became of marks: enough for every figure that "
    "does not need the texts.",
    leaves_out="Nothing; texts, units and the order of labels were left out when the counts were written.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
