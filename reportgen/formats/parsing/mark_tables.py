"""The tables of a folder of counts beside those of unit sets: marks in texts, references and systems."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.errors import BadInput, Problem, tried
from reportgen.formats.counted import (
    COMPARISONS,
    DESCRIPTION,
    EVERYBODY,
    MARK_HEADS,
    SPANS,
    TYPE_PAIRS,
    LayerDescribed,
)
from reportgen.formats.mark_tables import Everybody, MarkTables, SpanTable, TypePairs
from reportgen.formats.parsing import everybody
from reportgen.formats.parsing.count_columns import CountTable
from reportgen.formats.parsing.count_tables import AS_WRITTEN, Row
from reportgen.formats.parsing.span_tables import SpanNames, read_spans, read_type_pairs
from reportgen.formats.reader import shortened

Rows = Mapping[str, Sequence[Row]]


def read_mark_tables(layer: LayerDescribed, rows: Rows, files: Mapping[str, str]) -> MarkTables:
    """Return what the tables say of one layer; `files` are the names to show, by what files are called.

    Raises BadInput with every row that is wrong, and every table that is missing.
    """
    problems = [*_missing(layer, files), *_uncalled_for(layer, rows, files)]
    if problems:
        raise BadInput(shortened(problems))
    tables = {
        name: CountTable(files.get(name, name), head, rows.get(name, ())) for name, head in MARK_HEADS.items()
    }
    spans, credited = _marks(layer, tables)
    found, wrong = _everybody(layer, tables[EVERYBODY])
    noted = [*tables[SPANS].problems, *tables[TYPE_PAIRS].problems, *wrong]
    if noted:
        raise BadInput(shortened(noted))
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
) -> tuple[SpanTable | None, dict[str, TypePairs]]:
    if layer.spans is None:
        return None, {}
    documents = layer.documents if layer.spans.documents is None else layer.spans.documents
    names = SpanNames(layer.spans, documents)
    spans = read_spans(names, tables[SPANS])
    if tables[SPANS].problems:
        return spans, {}
    return spans, read_type_pairs(names, spans, tables[TYPE_PAIRS])


def _everybody(layer: LayerDescribed, table: CountTable) -> tuple[dict[str, Everybody], list[Problem]]:
    by_set = {each.units.id: each for each in layer.everybody}
    of_sets: dict[str, list[Row]] = {name: [] for name in by_set}
    for row in table.rows:
        of_sets[row[1][1]].append(row)

    def read(name: str) -> Everybody:
        own = CountTable(table.file, table.head, of_sets[name])
        return everybody.read_everybody(by_set[name], layer.documents, own)

    found, problems = tried(list(by_set), read)
    return {} if problems else dict(zip(by_set, found, strict=True)), problems


def derived_in(layer: LayerDescribed) -> tuple[str, ...]:
    """Return the references of a layer that were made from annotators' own marks."""
    derived = [layer.spans.derived] if layer.spans else []
    derived += [each.derived for each in layer.everybody]
    return tuple(dict.fromkeys(name for names in derived for name in names))
