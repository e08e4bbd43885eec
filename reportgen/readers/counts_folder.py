"""A folder of counts, as this program writes it beside every report: numbers, and no texts."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, tried
from reportgen.readers.annotations import Location, Ratings, coded
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
    first = {name: place for place, name in reversed(list(enumerate(names)))}
    for place, name in enumerate(names):
        if first[name] < place:
            yield (*path, place, *key), f'"{name}" is there twice.'


def _lists_twice(path: Path, part: Described, *keys: str) -> Found:
    """Yield each name that stands twice in one of the part's lists of names."""
    for key in keys:
        yield from _twice((*path, key), getattr(part, key) or ())


def _strangers(path: Path, names: Sequence[str], people: Sequence[str]) -> Found:
    yield from (
        ((*path, place), f'"{name}" is none of the people.')
        for place, name in enumerate(names)
        if name not in people
    )


def _unknown(path: Path, names: Sequence[str], known: Sequence[str]) -> Found:
    there = set(known)
    for place, name in enumerate(names):
        if name not in there:
            yield (*path, place), f'the layer has no "{name}". {did_you_mean(name, known)}'.rstrip()


def _contradictions(described: CountsDescribed) -> Found:
    """Yield where counts.json is not at one with itself."""
    yield from _twice(("layers",), [each.id for each in described.layers], "id")
    for number, layer in enumerate(described.layers):
        path: Path = ("layers", number)
        yield from _of_layer(path, layer)
        for place, unit_set in enumerate(layer.unit_sets):
            yield from _of_unit_set((*path, "unit_sets", place), unit_set, layer)
        if layer.spans is not None:
            yield from _of_spans((*path, "spans"), layer.spans)
        for place, each in enumerate(layer.everybody):
            yield from _of_everybody((*path, "everybody", place), each, layer)


def _of_layer(path: Path, layer: LayerDescribed) -> Found:
    yield from _twice((*path, "unit_sets"), [each.id for each in layer.unit_sets], "id")
    yield from _twice((*path, "everybody"), [each.units.id for each in layer.everybody])
    yield from _lists_twice(path, layer, "annotators", "documents")
    left_out = sum(each.marks for each in layer.left_out)
    if layer.marks_read != layer.marks_used + left_out:
        message = f"is {layer.marks_read:,}, but {layer.marks_used:,} were used and {left_out:,} left out."
        yield (*path, "marks_read"), message
    if not layer.unit_sets:
        yield (*path, "unit_sets"), "is empty."


def _of_unit_set(path: Path, unit_set: UnitSetDescribed, layer: LayerDescribed) -> Found:
    yield from _lists_twice(path, unit_set, "annotators", "categories", "documents")
    yield from _unknown((*path, "annotators"), unit_set.annotators, layer.annotators)
    yield from _unknown((*path, "documents"), unit_set.documents or (), layer.documents)
    absent, known = unit_set.non_annotated, unit_set.categories
    if absent not in (None, *known[-1:]):
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
    yield from _roles(path, spans.people, spans.roles, spans.derived)
    for place, (first, second, _) in enumerate(spans.differs_from_greedy):
        yield from _strangers((*path, "differs_from_greedy", place), (first, second), spans.people)
    yield from _twice((*path, "credits"), [each.distance for each in spans.credits])
    size = len(spans.types)
    for place, each in enumerate(spans.credits):
        if len(each.earned) != size or any(len(row) != size for row in each.earned):
            yield (*path, "credits", place, "earned"), f"has not {size} rows and columns, one for each type."
        elif not all(0 <= value <= 1 for row in each.earned for value in row):
            yield (*path, "credits", place, "earned"), "has numbers that are not between 0 and 1."


def _of_everybody(path: Path, described: EverybodyDescribed, layer: LayerDescribed) -> Found:
    units, absent = described.units, described.absent
    unmarked, size = units.non_annotated, len(units.categories)
    if units.id not in {each.id for each in layer.unit_sets}:
        yield (*path, "units", "id"), f'the layer has no unit set "{units.id}".'
    yield from _lists_twice((*path, "units"), units, "annotators", "categories", "documents")
    yield from _roles(path, units.annotators, described.roles, described.derived)
    if unmarked is not None and absent != size - 1:
        yield (*path, "absent"), f"is not {size - 1}, the code of the category of unmarked units."
    elif unmarked is None and absent not in (None, size):
        yield (*path, "absent"), "is a code, and the units have no category of unmarked ones."
    if unmarked not in (None, *units.categories[-1:]):
        yield (*path, "units", "non_annotated"), "is not the last of the categories."
    if units.sets is not None and len(units.sets) < size:
        yield (*path, "units", "sets"), f"has {len(units.sets):,} entries for {size:,} categories."


def _roles(path: Path, people: Sequence[str], roles: Sequence[str], derived: Sequence[str]) -> Found:
    if len(people) != len(roles):
        yield (*path, "roles"), f"has {len(roles):,} entries for {len(people):,} people."
    elif list(roles) != sorted(roles, key=ORDER.index):
        yield (*path, "roles"), f"are not in the order {', '.join(ORDER)}."
    yield from _strangers((*path, "derived"), derived, people)


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
    _require_json(file)
    try:
        described = CountsDescribed.model_validate_json(file.text)
    except ValidationError as error:
        found = [_in_words(each) for each in _own(error.errors(include_url=False))]
    else:
        found = list(_contradictions(described))
        if not found:
            return described
    lines = lines_of(file.text)
    problems = [
        file.problem(message, AS_WRITTEN, line_of(lines, path), _shown(path)) for path, message in found
    ]
    raise BadInput(shortened(problems))


def _shown(path: Path) -> str:
    """Return a path as text, places counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _own(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return errors without those that say that a list is empty because something in it is wrong."""
    places = [each["loc"] for each in errors]
    return [
        each
        for each in errors
        if each["type"] != "too_short"
        or not any(place[: len(each["loc"])] == each["loc"] != place for place in places)
    ]


def _require_json(file: ExportFile) -> None:
    """Raise BadInput for what is no JSON, or of a later schema: what is new there is no fault."""
    try:
        content = json.loads(file.text)
    except json.JSONDecodeError as error:
        raise file.refused(f"is no JSON: {error.msg}.", AS_WRITTEN, error.lineno) from None
    except RecursionError:
        raise file.refused("is nested too deeply.", AS_WRITTEN) from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if type(schema) is int and schema > SCHEMA:
        message = f"is {schema}, and this version of reportgen reads {SCHEMA}."
        remedy = "Install a newer reportgen: one wrote these counts."
        raise file.refused(message, remedy, line_of(lines_of(file.text), ("schema",)), "schema")


def _in_words(error: ErrorDetails) -> tuple[Path, str]:
    path, kind = tuple(error["loc"]), error["type"]
    if kind != "literal_error":
        return path, WRONG.get(kind, f"can't be read: {error['msg']}.")
    if path == ("schema",):
        return path, "is not 1, the one that this version of reportgen reads."
    return path, f"is none of {error.get('ctx', {}).get('expected', '')}."


# Counts of two annotators without counts.json and ratings.csv: their units follow from the other tables.

PAIR = 2
NEEDED = (PAIRS, ANNOTATORS)
# So many units of a document with the same labels by the same annotators: the document, who gave which
# label, how many, and the file and line that tell it.
Alike = tuple[str, tuple[tuple[str, str], ...], int, Location]


def from_pairs(files: Mapping[str, ExportFile], options: ReaderOptions) -> Annotations:
    """Return the units of one unit set of two annotators.

    Raises BadInput where there is more than one unit set, or more than two annotators: then the counts
    need what says how they belong together.
    """
    absent = [name for name in NEEDED if name not in files]
    if absent:
        raise _incomplete(files, f"there is no {' and no '.join(absent)} either")
    every = for_each(NEEDED, lambda name: read_rows(files[name], HEADS[name]))
    chosen = _only_unit_set(files, every[1], options)
    pairs, annotators = ([row for row in rows if row[1][:2] == chosen] for rows in every)
    people = sorted(
        {cells[3] for _, cells in annotators} | {name for _, cells in pairs for name in cells[3:5]}
    )
    if len(people) > PAIR:
        raise _incomplete(files, "these are counts of more than two annotators")
    require_annotators(options.annotators or (), people)
    together: list[Alike] = [
        (document, ((first, one), (second, other)), int(n), (files[PAIRS].name, line))
        for line, (_, _, document, first, second, one, other, n) in pairs
    ]
    ratings = _ratings([*together, *_alone(files[ANNOTATORS], pairs, annotators)], people, options)
    marks = int(ratings.unit_weight[ratings.unit].sum())
    sources = tuple(file.source for file in files.values())
    return Annotations(ratings, READER.name, READING, marks, sources=sources)


def _incomplete(files: Mapping[str, ExportFile], why: str) -> BadInput:
    some = files.get(PAIRS) or next(iter(files.values()))
    message = f"comes without {DESCRIPTION} and {RATINGS}, and {why}."
    return some.refused(message, "Take the whole folder of counts as reportgen wrote it.")


def _only_unit_set(
    files: Mapping[str, ExportFile], rows: Sequence[Row], options: ReaderOptions
) -> tuple[str, ...]:
    """Return the layer that is asked for, and its unit set."""
    layers = list(dict.fromkeys(cells[0] for _, cells in rows))
    if options.source is not None and options.source not in layers:
        message = f'has no layer "{options.source}".'
        raise files[ANNOTATORS].refused(message, did_you_mean(options.source, layers), key="layers")
    found = {cells[:2] for _, cells in rows if options.source in (None, cells[0])}
    if len(found) != 1:
        raise _incomplete(files, f"these are counts of {len(found)} unit sets")
    return found.pop()


def _alone(file: ExportFile, pairs: Sequence[Row], annotators: Sequence[Row]) -> list[Alike]:
    """Return the units that one of them labelled and the other did not: what pairs do not account for."""
    both: Counter[tuple[str, str, str]] = Counter()
    for _, (_, _, document, first, second, one, other, n) in pairs:
        both[document, first, one] += int(n)
        both[document, second, other] += int(n)
    problems: list[Problem] = []
    found: list[Alike] = []
    for line, (_, _, document, who, label, n) in annotators:
        rest = int(n) - both.pop((document, who, label), 0)
        if rest < 0:
            message = f"counts {n}, and pairs.csv {int(n) - rest} of the same."
            problems.append(file.problem(message, AS_WRITTEN, line, "column n"))
        elif rest:
            found.append((document, ((who, label),), rest, (file.name, line)))
    for (document, who, label), times in both.items():
        message = f'has no row for {who}, "{label}" in document "{document}", and pairs.csv counts {times}.'
        problems.append(file.problem(message, AS_WRITTEN))
    refuse(problems)
    return found


def _ratings(alike: Sequence[Alike], people: Sequence[str], options: ReaderOptions) -> Ratings:
    """Return units that weigh as much as was counted; labels that are declared missing are none."""
    names, given, weight, places = zip(*alike, strict=True) if alike else ((), (), (), ())
    documents, document = coded(names, dict.fromkeys(filter(None, names)))
    every = [(unit, who, label) for unit, marks in enumerate(given) for who, label in marks]
    cleaned = clean([label for _, _, label in every], options)
    labels, codes = coded(cleaned, dict.fromkeys(filter(None, cleaned)))
    marks = [
        (unit, people.index(who), label)
        for (unit, who, _), label in zip(every, codes.tolist(), strict=True)
        if label >= 0 and (options.annotators is None or who in options.annotators)
    ]
    unit, annotator, label = np.array(marks, dtype=np.int64).reshape(-1, 3).T
    return Ratings(
        documents=documents,
        annotators=tuple(people),
        labels=labels,
        unit_names=("",) * len(alike),
        unit_document=document,
        unit_weight=np.array(weight, dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=label,
        mark_pass=np.zeros(len(marks), dtype=np.int64),
        location=lambda mark: places[unit[mark]],
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
    named = _by_name(files)
    if DESCRIPTION not in named and RATINGS not in named:
        return from_pairs(named, options)
    # pairs.csv may be absent.
    if missing := [name for name in (DESCRIPTION, *HEADS) if name not in named and name != PAIRS]:
        message = f"comes without {', '.join(missing)}, which counts need."
        raise next(iter(named.values())).refused(message, WHOLE)
    layers = read_description(named[DESCRIPTION]).layers
    rows, problems = _rows(named, layers)
    kinds, more = tried(layers, lambda layer: _kinds(named[RATINGS].name, rows[layer.id][RATINGS], layer))
    if problems or more:
        raise BadInput([*problems, *more])
    shown = {name: file.name for name, file in named.items()}
    marks = for_each(layers, lambda layer: read_mark_tables(layer, rows[layer.id], shown))
    place = _place(named[DESCRIPTION], layers, options)
    layer = layers[place]
    _require_everybody(layer, options)
    derived = [*([layer.spans.derived] if layer.spans else []), *(each.derived for each in layer.everybody)]
    return Annotations(
        CountedLayer(layer, kinds[place], named[DESCRIPTION].name, rows[layer.id], shown, marks[place]),
        READER.name,
        READING,
        layer.marks_read,
        sources=tuple(file.source for file in named.values()),
        compared=layer.compared,
        derived=tuple(dict.fromkeys(name for names in derived for name in names)),
        missing=layer.missing,
    )


def described_in(files: Sequence[ExportFile]) -> tuple[LayerDescribed, ...]:
    """Return the layers that a folder of counts describes, none where it has no description."""
    named = _by_name(files)
    return read_description(named[DESCRIPTION]).layers if DESCRIPTION in named else ()


def _by_name(files: Sequence[ExportFile]) -> dict[str, ExportFile]:
    """Return the files by what they are called; raise BadInput where several are called the same."""
    found: dict[str, list[ExportFile]] = {}
    for file in files:
        if file.suffix != PARQUET:
            name = file.path.name if file.path.name in ALL_HEADS else DESCRIPTION
            found.setdefault(name, []).append(file)
    message = "is of one of several folders of counts in one export."
    remedy = "Name one of the folders as the export of a version."
    if several := [file for each in found.values() if len(each) > 1 for file in each]:
        raise BadInput(file.problem(message, remedy) for file in several)
    return {name: own for name, (own,) in found.items()}


def _rows(
    files: Mapping[str, ExportFile], layers: Sequence[LayerDescribed]
) -> tuple[dict[str, dict[str, Sequence[Row]]], list[Problem]]:
    """Return each layer's rows of each table, with every problem in any."""
    known = {layer.id: [each.id for each in layer.unit_sets] for layer in layers}
    rows: dict[str, dict[str, Sequence[Row]]] = {layer: dict.fromkeys(ALL_HEADS, ()) for layer in known}

    def read_table(name: str) -> None:
        every = read_rows(files[name], ALL_HEADS[name])
        for layer, own in by_layer(files[name], every, known, unit_sets=name in HEADS).items():
            rows[layer][name] = own

    return rows, tried([name for name in ALL_HEADS if name in files], read_table)[1]


def _kinds(file: str, rows: Sequence[Row], layer: LayerDescribed) -> dict[str, CountedUnits]:
    """Return the units of each unit set of a layer; raise BadInput with all that is wrong in any."""
    known = {each.id: each for each in layer.unit_sets}
    own = by_unit_set(CountTable(file, HEADS[RATINGS], rows), known)
    found = for_each(known, lambda name: read_kinds(own[name], known[name], layer.documents))
    return dict(zip(known, found, strict=True))


def _place(file: ExportFile, layers: Sequence[LayerDescribed], options: ReaderOptions) -> int:
    """Return which layer is asked for."""
    known = [layer.id for layer in layers]
    wanted = options.source
    if wanted in known:
        return known.index(wanted)
    if wanted:
        raise file.refused(f'has no layer "{wanted}".', did_you_mean(wanted, known), key="layers")
    if len(known) > 1:
        remedy = "Declare [[layers]], the source of each being one of them."
        raise file.refused(f"has several layers: {', '.join(known)}.", remedy, key="layers")
    return 0


def _require_everybody(layer: LayerDescribed, options: ReaderOptions) -> None:
    """Raise BadInput where somebody is asked for who is not there, or somebody is not asked for."""
    if options.annotators is None:
        return
    require_annotators(options.annotators, layer.annotators)
    remedy = "Take annotators away: who was counted can't be taken out of counts."
    refuse(
        Problem("", 0, "annotators", f'leaves out "{name}", who is counted.', remedy)
        for name in layer.annotators
        if name not in options.annotators
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
