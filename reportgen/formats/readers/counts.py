"""A folder of counts, as this program writes it beside every report: numbers, and no texts."""

from collections.abc import Mapping, Sequence

from reportgen.errors import BadInput, Problem, did_you_mean, tried
from reportgen.formats.annotations import Annotations
from reportgen.formats.counted import (
    DESCRIPTION,
    HEADS,
    MARK_HEADS,
    RATINGS,
    Counted,
    Kinds,
    LayerDescribed,
)
from reportgen.formats.parsing.count_kinds import read_kinds
from reportgen.formats.parsing.count_pairs import from_pairs
from reportgen.formats.parsing.count_tables import Row, by_layer, has_header, read_rows
from reportgen.formats.parsing.described import is_description, read_description
from reportgen.formats.parsing.mark_tables import derived_in, read_mark_tables
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, require_annotators

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


def read(files: Sequence[ExportFile], options: ReadOptions) -> Annotations:
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
    shown = _shown(named)
    if problems or more:
        raise BadInput([*problems, *more])
    marks, others = tried(described.layers, lambda layer: read_mark_tables(layer, _of(rows, layer), shown))
    if others:
        raise BadInput(others)
    place = _place(named[DESCRIPTION], described.layers, options)
    layer = described.layers[place]
    _require_everybody(layer, options)
    own = _of(rows, layer)
    content = Counted(layer, kinds[place], named[DESCRIPTION].name, own, shown, marks[place])
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
        raise BadInput(Problem(file.name, message=message, mend=mend) for file in several)
    return {name: own for name, (own,) in found.items()}


def _shown(files: Mapping[str, ExportFile]) -> dict[str, str]:
    return {name: file.name for name, file in files.items()}


def _require(files: Mapping[str, ExportFile]) -> None:
    """Raise BadInput where a file of a folder of counts is not there."""
    missing = [name for name in (DESCRIPTION, *HEADS) if name not in files]
    if missing:
        message = f"comes without {', '.join(missing)}, which counts need."
        raise BadInput([Problem(next(iter(files.values())).name, message=message, mend=WHOLE)])


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


def _kinds(file: ExportFile, rows: Mapping[str, Sequence[Row]], layer: LayerDescribed) -> dict[str, Kinds]:
    """Return the units of each unit set of a layer; raise BadInput with all that is wrong in any."""
    of_sets: dict[str, list[Row]] = {each.id: [] for each in layer.unit_sets}
    for row in rows[layer.id]:
        of_sets[row[1][1]].append(row)
    found, problems = tried(
        layer.unit_sets, lambda each: read_kinds(file.name, of_sets[each.id], each, layer.documents)
    )
    if problems:
        raise BadInput(problems)
    return {each.id: own for each, own in zip(layer.unit_sets, found, strict=True)}


def _place(file: ExportFile, layers: Sequence[LayerDescribed], options: ReadOptions) -> int:
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
    raise BadInput([Problem(file.name, key="layers", message=message, mend=mend)])


def _require_everybody(layer: LayerDescribed, options: ReadOptions) -> None:
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
