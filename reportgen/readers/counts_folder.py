"""A folder of counts, as this program writes it beside every report: numbers, and no texts."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, in_plain_words, tried
from reportgen.readers.annotations import Location, Ratings, coded
from reportgen.readers.counted import (
    ANNOTATORS,
    AS_WRITTEN,
    CODED_HEAD,
    COMPARISONS,
    DESCRIPTION,
    EVERYBODY,
    GIVEN_HEAD,
    HEADS,
    KIND,
    LARGEST,
    MARK_HEADS,
    PAIRS,
    PROFILES,
    RATINGS,
    SCHEMA,
    SPANS,
    SUMS,
    SUMS_HEAD,
    TYPE_PAIRS,
    CountedLayer,
    CountedUnits,
    CountsDescribed,
    KeyPath,
    LayerDescribed,
    MarkTables,
    contradictions,
)
from reportgen.readers.counts_sums import read_sum_rows, read_sums, with_tables
from reportgen.readers.counts_tables import (
    CountTable,
    Row,
    Rows,
    by_layer,
    by_unit_set,
    has_header,
    read_coded,
    read_given,
    read_kinds,
    read_mark_tables,
    read_rows,
    read_unnamed,
)
from reportgen.readers.json_records import line_of, lines_of
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
from reportgen.results import from_json

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
        mistakes = list(contradictions(described))
        if not mistakes:
            return described
    lines = lines_of(file.text)
    problems: list[Problem] = []
    for path, message in mistakes:
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        problems.append(file.problem(message, AS_WRITTEN, line_of(lines, path), key))
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
    if type(schema) is int and schema > SCHEMA:
        message = f"is {schema}, and this version of reportgen reads {SCHEMA}."
        remedy = "Install a newer reportgen: one wrote these counts."
        raise file.refused(message, remedy, line_of(lines_of(file.text), ("schema",)), "schema")


def _in_words(error: ErrorDetails) -> tuple[KeyPath, str]:
    path, kind = tuple(error["loc"]), error["type"]
    if kind != "literal_error":
        return path, WRONG.get(kind, "is not what is expected here.")
    if path == ("schema",):
        return path, "is not 1, the one that this version of reportgen reads."
    return path, f"is none of {error.get('ctx', {}).get('expected', '')}."


# Counts of two annotators without counts.json and ratings.csv: their units follow from the other tables.

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
    tables = for_each(NEEDED, lambda name: read_rows(files[name], HEADS[name]))
    chosen = _only_unit_set(files, tables[1], options)
    pairs, annotators = ([row for row in rows if row[1][:2] == chosen] for rows in tables)
    people = sorted(
        {cells[3] for _, cells in annotators} | {name for _, cells in pairs for name in cells[3:5]}
    )
    if len(people) > 2:
        raise _incomplete(files, "these are counts of more than two annotators")
    require_annotators(options.annotators or (), people)
    together: list[Alike] = [
        (document, ((first, first_label), (second, second_label)), int(n), (files[PAIRS].name, line))
        for line, (_, _, document, first, second, first_label, second_label, n) in pairs
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
    unit_sets = {cells[:2] for _, cells in rows if options.source in (None, cells[0])}
    if len(unit_sets) != 1:
        raise _incomplete(files, f"these are counts of {len(unit_sets)} unit sets")
    return unit_sets.pop()


def _alone(file: ExportFile, pairs: Sequence[Row], annotators: Sequence[Row]) -> list[Alike]:
    """Return the units that one of them labelled and the other did not: what pairs do not account for."""
    both: Counter[tuple[str, str, str]] = Counter()
    for _, (_, _, document, first, second, first_label, second_label, n) in pairs:
        both[document, first, first_label] += int(n)
        both[document, second, second_label] += int(n)
    problems: list[Problem] = []
    alone: list[Alike] = []
    for line, (_, _, document, who, label, n) in annotators:
        others = int(n) - both.pop((document, who, label), 0)
        if others < 0:
            message = f"counts {n}, and pairs.csv {int(n) - others} of the same."
            problems.append(file.problem(message, AS_WRITTEN, line, "column n"))
        elif others:
            alone.append((document, ((who, label),), others, (file.name, line)))
    for (document, who, label), times in both.items():
        message = f'has no row for {who}, "{label}" in document "{document}", and pairs.csv counts {times}.'
        problems.append(file.problem(message, AS_WRITTEN))
    refuse(problems)
    return alone


def _ratings(alike: Sequence[Alike], people: Sequence[str], options: ReaderOptions) -> Ratings:
    """Return units that weigh as much as was counted; labels that are declared missing are none."""
    names, labelled, weight, places = zip(*alike, strict=True) if alike else ((), (), (), ())
    documents, document = coded(names, dict.fromkeys(filter(None, names)))
    marks_given = [(unit, who, label) for unit, marks in enumerate(labelled) for who, label in marks]
    cleaned = clean([label for _, _, label in marks_given], options)
    labels, codes = coded(cleaned, dict.fromkeys(filter(None, cleaned)))
    marks = [
        (unit, people.index(who), label)
        for (unit, who, _), label in zip(marks_given, codes.tolist(), strict=True)
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
    if named.keys().isdisjoint((DESCRIPTION, RATINGS)):
        return from_pairs(named, options)
    layers = _layers(named)
    layer = layers[_layer_asked_for(named[DESCRIPTION], list(layers), options.source)]
    _require_everybody(layer.content.annotators, options)
    return layer


def every_layer(files: Sequence[ExportFile]) -> list[Annotations]:
    """Return all layers of the counts, or the one of two annotators; raise BadInput as `read` does."""
    named = _by_name(files)
    if named.keys().isdisjoint((DESCRIPTION, RATINGS)):
        return [from_pairs(named, ReaderOptions())]
    return list(_layers(named).values())


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
        layers, lambda layer: _kinds(shown, rows[layer.id], layer, of_codes.get(layer.id, {}))
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


def _kinds(
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
        refuse(rated[name].problems)
        units = read_unnamed(profiles[name], given[name], unit_sets[name], layer.documents)
        return with_tables(sums[name], units, unit_sets[name]) if unit_sets[name].paired else units

    return dict(zip(unit_sets, for_each(unit_sets, units_of), strict=True))


def _mark_tables(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> MarkTables:
    refuse([*_missing_tables(layer, files), *_uncalled_for(layer, rows, files)])
    return read_mark_tables(layer, rows, files)


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
    refuse(
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
