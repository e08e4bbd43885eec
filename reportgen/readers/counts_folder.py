"""A folder of counts, as this program writes it beside every report: numbers, and no texts."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, tried
from reportgen.readers.annotations import NO_DOCUMENT, Ratings
from reportgen.readers.counted import (
    ANNOTATORS,
    AS_WRITTEN,
    DESCRIPTION,
    HEADS,
    KIND,
    LARGEST,
    MARK_HEADS,
    PAIRS,
    RATINGS,
    SCHEMA,
    CountedLayer,
    CountedUnits,
    CountsDescribed,
    Described,
    EverybodyDescribed,
    LayerDescribed,
    SpansDescribed,
    UnitSetDescribed,
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
from reportgen.readers.json_records import Path, line_of, lines_of
from reportgen.readers.reader import (
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    clean,
    refuse,
    require_annotators,
    shortened,
)

# Where counts.json is not at one with itself: a path in it, and what is wrong there.

ORDER = ("reference", "annotator", "system", "model")
Found = Iterator[tuple[Path, str]]


def _twice(path: Path, names: Sequence[str], *key: str) -> Found:
    """Yield each name that stands in a list more than once, where it does so again."""
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            yield (*path, place, *key), f'"{name}" stands there twice.'
        seen.add(name)


def _lists_twice(path: Path, part: Described, *keys: str) -> Found:
    """Yield each name that stands twice in one of the part's lists of names."""
    for key in keys:
        yield from _twice((*path, key), getattr(part, key) or ())


def _strangers(path: Path, names: Sequence[str], people: Sequence[str]) -> Found:
    for place, name in enumerate(names):
        if name not in people:
            yield (*path, place), f'"{name}" is none of the people.'


def _unknown(path: Path, names: Sequence[str], known: Sequence[str]) -> Found:
    there = set(known)
    for place, name in enumerate(names):
        if name not in there:
            near = did_you_mean(name, list(known))
            yield (*path, place), f'the layer has no "{name}". {near}'.rstrip()


def _contradictions(described: CountsDescribed) -> Found:
    """Yield where counts.json is not at one with itself."""
    yield from _twice(("layers",), [each.id for each in described.layers], "id")
    for place, layer in enumerate(described.layers):
        yield from _of_layer(("layers", place), layer)


def _of_layer(path: Path, layer: LayerDescribed) -> Found:
    yield from _twice((*path, "unit_sets"), [each.id for each in layer.unit_sets], "id")
    yield from _lists_twice(path, layer, "annotators", "documents")
    left_out = sum(each.marks for each in layer.left_out)
    if layer.marks_read != layer.marks_used + left_out:
        message = f"is {layer.marks_read:,}, but {layer.marks_used:,} were used and {left_out:,} left out."
        yield (*path, "marks_read"), message
    if not layer.unit_sets:
        yield (*path, "unit_sets"), "is empty."
    for place, unit_set in enumerate(layer.unit_sets):
        yield from _of_unit_set((*path, "unit_sets", place), unit_set, layer)
    if layer.spans is not None:
        yield from _of_spans((*path, "spans"), layer.spans)
    yield from _twice((*path, "everybody"), [each.units.id for each in layer.everybody])
    known = {each.id for each in layer.unit_sets}
    for place, each in enumerate(layer.everybody):
        if each.units.id not in known:
            yield (*path, "everybody", place, "units", "id"), f'the layer has no unit set "{each.units.id}".'
        yield from _of_everybody((*path, "everybody", place), each)


def _of_unit_set(path: Path, unit_set: UnitSetDescribed, layer: LayerDescribed) -> Found:
    yield from _lists_twice(path, unit_set, "annotators", "categories", "documents")
    yield from _unknown((*path, "annotators"), unit_set.annotators, layer.annotators)
    yield from _unknown((*path, "documents"), unit_set.documents or (), layer.documents)
    absent, known = unit_set.non_annotated, unit_set.categories
    if absent is not None and (not known or known[-1] != absent):
        yield (*path, "non_annotated"), f'is "{absent}", which is not the last of the categories.'
    if (unit_set.sets is None) == (unit_set.scale == "set"):
        yield (*path, "sets"), 'is there where scale is "set", and only there.'
    elif unit_set.sets is not None and len(unit_set.sets) != len(known):
        yield (*path, "sets"), f"has {len(unit_set.sets):,} entries for {len(known):,} categories."
    left_out = sum(unit_set.marks_left_out.values()) + sum(layer.passed_over.values())
    if layer.marks_read != unit_set.marks_used + left_out:
        read = f"{layer.marks_read:,} were read and {left_out:,} left out here."
        yield (*path, "marks_used"), f"is {unit_set.marks_used:,}, but {read}"


def _of_spans(path: Path, spans: SpansDescribed) -> Found:
    yield from _lists_twice(path, spans, "people", "types", "documents")
    yield from _roles(path, spans.people, spans.roles)
    yield from _strangers((*path, "derived"), spans.derived, spans.people)
    for place, (first, second, _) in enumerate(spans.differs_from_greedy):
        yield from _strangers((*path, "differs_from_greedy", place), (first, second), spans.people)
    yield from _twice((*path, "credits"), [each.distance for each in spans.credits])
    size = len(spans.types)
    for place, each in enumerate(spans.credits):
        if len(each.earned) != size or any(len(row) != size for row in each.earned):
            yield (*path, "credits", place, "earned"), f"has not {size} rows and columns, one for each type."
        elif not all(0 <= value <= 1 for row in each.earned for value in row):
            yield (*path, "credits", place, "earned"), "has numbers that are not between 0 and 1."


def _of_everybody(path: Path, described: EverybodyDescribed) -> Found:
    units = described.units
    yield from _lists_twice((*path, "units"), units, "annotators", "categories", "documents")
    yield from _roles(path, units.annotators, described.roles)
    yield from _strangers((*path, "derived"), described.derived, units.annotators)
    absent, size = described.absent, len(units.categories)
    if units.non_annotated is not None and absent != size - 1:
        yield (*path, "absent"), f"is not {size - 1}, the code of the category of unmarked units."
    elif units.non_annotated is None and absent not in (None, size):
        yield (*path, "absent"), "is a code, and the units have no category of unmarked ones."
    if units.non_annotated is not None and (not size or units.categories[-1] != units.non_annotated):
        yield (*path, "units", "non_annotated"), "is not the last of the categories."
    if units.sets is not None and len(units.sets) < size:
        yield (*path, "units", "sets"), f"has {len(units.sets):,} entries for {size:,} categories."


def _roles(path: Path, people: Sequence[str], roles: Sequence[str]) -> Found:
    if len(people) != len(roles):
        yield (*path, "roles"), f"has {len(roles):,} entries for {len(people):,} people."
    elif list(roles) != sorted(roles, key=ORDER.index):
        yield (*path, "roles"), f"are not in the order {', '.join(ORDER)}."


# counts.json as it was written: well-formed, complete, and at one with itself.

WRONG = {
    "missing": "is missing.",
    "extra_forbidden": "is no key of counts.json.",
    "int_type": "is no whole number.",
    "int_from_float": "is no whole number.",
    "greater_than_equal": "is below 0.",
    "less_than_equal": f"is above {LARGEST:,}.",
    "string_type": "is no text in quotes.",
    "bool_type": "is neither true nor false.",
    "tuple_type": "is no list.",
    "too_short": "is empty.",
}


def is_description(file: ExportFile) -> bool:
    """Say whether a file is a counts.json, damaged or not."""
    return file.suffix == ".json" and file.is_text() and f'"{KIND}"' in file.text


def read_description(file: ExportFile) -> CountsDescribed:
    """Return what counts.json says; raise BadInput with all that is wrong in it."""
    try:
        described = CountsDescribed.model_validate_json(_object(file))
    except ValidationError as error:
        raise _bad(file, map(_in_words, _own(error.errors(include_url=False)))) from None
    if found := list(_contradictions(described)):
        raise _bad(file, found)
    return described


def _own(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return errors without those that say that a list is empty because something in it is wrong."""
    places = [each["loc"] for each in errors]
    return [
        each
        for each in errors
        if each["type"] != "too_short"
        or not any(place[: len(each["loc"])] == each["loc"] != place for place in places)
    ]


def _object(file: ExportFile) -> str:
    """Return the text of a JSON object that is not of a later schema: what is new there is no fault."""
    try:
        content = json.loads(file.text)
    except json.JSONDecodeError as error:
        raise file.refused(f"is no JSON: {error.msg}.", AS_WRITTEN, error.lineno) from None
    except RecursionError:
        raise file.refused("is nested too deeply.", AS_WRITTEN) from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if type(schema) is int and schema > SCHEMA:
        message = f"is {schema}, and this version of reportgen reads {SCHEMA}."
        mend = "Install a newer reportgen: one wrote these counts."
        raise file.refused(message, mend, line_of(lines_of(file.text), ("schema",)), "schema")
    return file.text


def _bad(file: ExportFile, found: Sequence[tuple[Path, str]] | Iterator[tuple[Path, str]]) -> BadInput:
    lines = lines_of(file.text)
    problems = [
        file.problem(message, AS_WRITTEN, line_of(lines, path), _shown(path)) for path, message in found
    ]
    return BadInput(shortened(problems))


def _shown(path: Path) -> str:
    """Return a path as text, places counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _in_words(error: ErrorDetails) -> tuple[Path, str]:
    path, kind = tuple(error["loc"]), error["type"]
    if path == ("schema",) and kind == "literal_error":
        return path, "is not 1, the one that this version of reportgen reads."
    if kind == "literal_error":
        return path, f"is none of {error.get('ctx', {}).get('expected', '')}."
    if kind == "extra_forbidden" and path:
        return path, WRONG[kind]
    return path, WRONG.get(kind, f"can't be read: {error['msg']}.")


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
    """Raise BadInput where a file of a folder of counts is not there; pairs.csv may be absent."""
    missing = [name for name in (DESCRIPTION, *HEADS) if name not in files and name != PAIRS]
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
