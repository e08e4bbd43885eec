"""The label table of a guidelines version: who gave which label to which unit, and what most said of each."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.files import from_csv
from reportgen.campaign.toml_tables import Privacy
from reportgen.measures.annotators.dawid_skene import SCALES, NotFitted, probable_labels
from reportgen.measures.annotators.times import work_of
from reportgen.pipeline.reading import VersionExports
from reportgen.publish import bundle_files as there
from reportgen.publish.bundle_files import parquet
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.readers.work_times import UNKNOWN, written
from reportgen.results.model import csv_text, rounded
from reportgen.units import Pseudonyms, with_pseudonyms
from reportgen.units.labels import NO_CATEGORY
from reportgen.units.study import LayerUnits
from reportgen.units.unit_sets import ANNOTATOR, CodedUnits

# What the columns are.

ColumnType = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True)
class LabelColumn:
    """A column: what its cells hold, and a description of it."""

    type: ColumnType
    description: str


LABELS: Mapping[str, LabelColumn] = {
    "layer": LabelColumn("string", "What was labelled, by its id in results.json."),
    "item": LabelColumn("integer", "The number of the unit in its layer."),
    "document": LabelColumn("string", "The document; empty where each unit is its own."),
    "unit": LabelColumn("string", "What the unit is called; empty where it has no name."),
    "begin": LabelColumn("integer", "Where the unit begins in its text, in code points from 0."),
    "end": LabelColumn("integer", "Where the unit ends in its text, exclusive."),
    "text": LabelColumn("string", "The text of the unit."),
    "annotator": LabelColumn("string", "Who gave the label."),
    "role": LabelColumn("string", "What the annotator is: annotator, reference, system or model."),
    "group": LabelColumn(
        "string",
        "To which groups the annotator belongs, such as age=18-29; L1=fr. Groups of too few are not shown.",
    ),
    "pass": LabelColumn("integer", "1 for the first label that somebody gave the unit, 2 for the second."),
    "label": LabelColumn("string", "The label."),
    "time": LabelColumn("string", "When the label was given, in UTC: the day, or the second."),
    "seconds": LabelColumn(
        "number", "How long the annotator took for the unit, or for all of its document where marks are made."
    ),
    "n": LabelColumn("integer", "How many units the row means: unmarked tokens of a document are one row."),
}
AGGREGATED: Mapping[str, LabelColumn] = {
    **{name: LABELS[name] for name in ("layer", "item", "document", "unit", "begin", "end", "text", "label")},
    "votes": LabelColumn("integer", "How many annotators gave the unit this label, first labels alone."),
    "annotators": LabelColumn("integer", "How many annotators labelled the unit."),
    "probability": LabelColumn("number", "The share of the annotators who gave this label: the soft label."),
    "modelled": LabelColumn(
        "number", "How probable the label is by the model of annotators; empty where that says nothing."
    ),
    "aggregated": LabelColumn("boolean", "Whether more annotators gave this label than any other."),
    "n": LabelColumn("integer", "How many units the row means."),
}
COLUMNS = {
    there.LABEL_TABLE: LABELS,
    there.AGGREGATED: AGGREGATED,
    there.json_lines(there.LABEL_TABLE): LABELS,
    there.json_lines(there.AGGREGATED): AGGREGATED,
}
# Left out where no row has any.
OPTIONAL = ("begin", "end", "text", "group", "time", "seconds")

# The tables: a list of cells each column.


@dataclass(frozen=True, eq=False)
class Rows:
    """A table by its columns, all of them equally long; `None` is where a row has no value."""

    columns: Mapping[str, Sequence[Any]]
    described: Mapping[str, LabelColumn]

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.columns["layer"])

    def as_csv(self) -> bytes:
        """Return the table as CSV."""
        columns = (
            ["true" if cell else "false" for cell in cells]
            if self.described[name].type == "boolean"
            else cells
            for name, cells in self.columns.items()
        )
        return csv_text([*self.columns], zip(*columns, strict=True)).encode(errors="replace")

    def as_json_lines(self) -> bytes:
        """Return an object for each row, a line each."""
        names = [*self.columns]
        rows = zip(*self.columns.values(), strict=True)
        lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
        return "".join(f"{line}\n" for line in lines).encode(errors="replace")

    def as_parquet(self) -> bytes:
        """Return the table as Parquet; its bytes depend on the version of pyarrow."""
        return parquet(self.columns, {name: self.described[name].type for name in self.columns})


@dataclass(frozen=True)
class VersionLabelTable:
    """The labels of a version, a row each, and the labels of each unit, a row each, by layers."""

    labels: Rows
    aggregated: Rows


def is_listed(read: VersionExports) -> list[int]:
    """Return the layers (places) whose units are known one by one, not as counts only."""
    return [
        index
        for index, annotations in enumerate(read.annotations)
        if not annotations.is_counted and read.studies[index].unit_sets
    ]


def label_table(read: VersionExports, names: Pseudonyms, privacy: Privacy) -> VersionLabelTable | None:
    """Return the labels of a version on the units of each layer's primary unit set.

    Names are pseudonyms where `names` has some; `privacy` says whether units have their text, and labels
    their time. A unit of several stretches begins with the first and ends with the last. None where no layer
    lists its units.
    """
    tables: list[dict[str, list[Any]]] = []
    for index in is_listed(read):
        study = with_pseudonyms(read.studies[index], names)
        roles = {
            names.annotator(name): role for name, role in _roles(read, index).items() if role != ANNOTATOR
        }
        annotations = read.annotations[index]
        called = list(map(names.annotator, annotations.content.annotators))
        timed = _timed(annotations, called, privacy)
        of_people = {names.annotator(name): read.groups.written(name) for name in read.groups.of}
        tables.append(
            _layer_rows(study, annotations, (roles, of_people), timed, texts=privacy.texts == "show")
        )
    if not tables:
        return None
    labels = _joined(tables)
    by_name = {
        units.layer
        for units in map(_primary, map(read.studies.__getitem__, is_listed(read)))
        if units.scale in SCALES
    }
    return VersionLabelTable(labels, aggregated_of(labels, by_name))


def _primary(study: LayerUnits) -> CodedUnits:
    return next((units for units in study.unit_sets if units.primary), study.unit_sets[0])


def _roles(read: VersionExports, index: int) -> dict[str, str]:
    return {**read.annotations[index].roles, **read.requests[index].roles}


def _joined(tables: Sequence[Mapping[str, Sequence[Any]]]) -> Rows:
    """Return the rows of all layers, without the columns that no row fills."""
    columns = {name: [cell for table in tables for cell in table[name]] for name in LABELS}
    empty = [name for name in OPTIONAL if not any(cell not in {None, ""} for cell in columns[name])]
    return Rows({name: cells for name, cells in columns.items() if name not in empty}, LABELS)


SECOND = 2
# Document, name, stretches, weight, place, and how many units before are alike.
Key = tuple[str, str, tuple[tuple[int, int], ...], int, int, int]


# Returns when labels of a unit set were given, and how many milliseconds each took, of some of its ratings.
Timed = Callable[[CodedUnits, Codes], tuple[list[str | None], list[float | None]]]


def _timed(annotations: Annotations, called: Sequence[str], privacy: Privacy) -> Timed:
    """Return what says when labels were given, as far as they may be shown; nothing where nobody knows."""

    def timed(units: CodedUnits, ratings: Codes) -> tuple[list[str | None], list[float | None]]:
        work = None if privacy.times == "withhold" else work_of(annotations, units, called)
        if work is None:
            return [None] * len(ratings), [None] * len(ratings)
        at, taken = (work.of_ratings(column)[ratings].tolist() for column in (work.at, work.taken))
        return (
            [None if when == UNKNOWN else written(when, whole_days=privacy.times == "days") for when in at],
            [None if time == UNKNOWN else time / 1_000 for time in taken],
        )

    return timed


def _layer_rows(
    study: LayerUnits,
    annotations: Annotations,
    people_are: tuple[Mapping[str, str], Mapping[str, str]],
    timed: Timed,
    *,
    texts: bool,
) -> dict[str, list[Any]]:
    """Return the labels of one layer as columns; of second labels it is not known when they were given.

    `people_are` has roles and groups by the names that are shown.
    """
    roles, groups = people_are
    at = next((place for place, units in enumerate(study.unit_sets) if units.primary), 0)
    # Annotators' labels as figures count them; others' on the same units, or on units of their own.
    parts: list[tuple[CodedUnits, Codes, int]] = []
    own = study.unit_sets[at]
    if study.compared and study.compared[at].choice == "every" and own.kind != "declared":
        # Here units are divided as everybody's marks ask for, which changes no figure.
        own = study.compared[at].units
        parts.append((own, np.arange(len(own.unit), dtype=np.int64), 1))
    else:
        parts.append((own, np.arange(len(own.unit), dtype=np.int64), 1))
        if study.compared:
            compared = study.compared[at]
            others = np.array([role != ANNOTATOR for role in compared.roles], dtype=np.bool_)
            parts.append((compared.units, np.flatnonzero(others[compared.units.annotator]), 1))
    if study.passes:
        second = study.passes.units
        parts.append((second, np.flatnonzero(second.annotator % SECOND == 1), SECOND))
    numbers, places = _numbered([units for units, _, _ in parts], annotations, texts=texts)
    layer = own.layer
    cells: dict[str, list[Any]] = {name: [] for name in LABELS}
    for (units, chosen, turn), number in zip(parts, numbers, strict=True):
        rows = chosen[(units.weight[units.unit[chosen]] > 0) & (units.label[chosen] != NO_CATEGORY)]
        people = units.annotators
        if turn == SECOND and study.passes:
            people = tuple(name for name in study.passes.people for _ in range(SECOND))
        rank = np.argsort(np.argsort(np.array(people, dtype=np.str_), kind="stable"), kind="stable")
        in_order = rows[np.lexsort((rank[units.annotator[rows]], number[units.unit[rows]]))]
        called = [people[code] for code in units.annotator[in_order].tolist()]
        items = number[units.unit[in_order]].tolist()
        for name in ("document", "unit", "begin", "end", "text", "n"):
            cells[name] += [places[item][name] for item in items]
        cells["layer"] += [layer] * len(in_order)
        cells["item"] += [item + 1 for item in items]
        cells["annotator"] += called
        cells["role"] += [roles.get(name, ANNOTATOR) for name in called]
        cells["group"] += [groups.get(name, "") for name in called]
        cells["pass"] += [turn] * len(in_order)
        cells["label"] += [units.categories[code] for code in units.label[in_order].tolist()]
        nothing = [None] * len(in_order)
        times, seconds = (nothing, nothing) if turn == SECOND else timed(units, in_order)
        cells["time"] += times
        cells["seconds"] += seconds
    return cells


def _numbered(
    parts: Sequence[CodedUnits], annotations: Annotations, *, texts: bool
) -> tuple[list[Codes], list[dict[str, Any]]]:
    """Return the item (units,) of each unit of each part, and what the items are.

    Units of two parts are one item where they are the same place, or have the same name, and weigh the same.
    Items are in the order of documents, names and places: that of a file may tell what a pseudonym hides.
    """
    content = annotations.content
    source = content.texts if texts and isinstance(content, TextMarks) and not content.lengths else ()
    known: dict[Key, dict[str, Any]] = {}
    keys = [_keys(units, number) for number, units in enumerate(parts)]
    for units, part in zip(parts, keys, strict=True):
        documents, unit_places = units.document.tolist(), units.unit_place.tolist()
        for number, key in enumerate(part):
            document, name, spans, n, *_ = key
            text = ""
            if spans and source:
                text = " ".join(source[documents[number]][start:end] for start, end in spans)
            elif texts and units.places.texts and unit_places[number] >= 0:
                text = units.places.texts[unit_places[number]]
            begin, end = (spans[0][0], spans[-1][1]) if spans else (None, None)
            about = {"document": document, "unit": name, "begin": begin, "end": end, "text": text, "n": n}
            known.setdefault(key, about)
    order = sorted(known)
    place = {key: number for number, key in enumerate(order)}
    codes = [np.array([place[key] for key in part], dtype=np.int64) for part in keys]
    return codes, [known[key] for key in order]


def _keys(units: CodedUnits, part: int) -> list[Key]:
    """Return what tells each unit: document, name, stretches, weight; a number where nothing else does.

    What is only counted, such as unmarked tokens, is never the same in two parts.
    """
    places, unit_places = units.places, units.unit_place
    low, high = (np.searchsorted(places.unit, unit_places, side=side).tolist() for side in ("left", "right"))
    start, end = places.start.tolist(), places.end.tolist()
    keys: list[Key] = []
    rows = zip(units.document.tolist(), unit_places.tolist(), units.weight.tolist(), low, high, strict=True)
    for document, place, n, first, last in rows:
        spans = tuple(zip(start[first:last], end[first:last], strict=True)) if place >= 0 else ()
        named = places.names[place] if places.names and place >= 0 else ""
        called = units.documents[document] if document >= 0 else ""
        # A unit of a table has its own place there, whatever it is called.
        alone = place if place >= 0 else -1 - part
        keys.append((called, named, spans, n, 0 if spans else alone, 0))
    # Keys that are all different: a further unit that is like another has a number of its own.
    seen: dict[Key, int] = {}
    different: list[Key] = []
    for key in keys:
        times = seen.get(key, 0)
        seen[key] = times + 1
        different.append((*key[:5], times))
    return different


def aggregated_of(labels: Rows, by_name: Collection[str]) -> Rows:
    """Return how many annotators gave each unit each label first, a row for each label of a unit.

    The most frequent label comes first; where two are equally frequent, none is the aggregated one. The
    model of annotators is asked about the layers `by_name`, whose labels are categories.
    """
    columns = labels.columns
    votes: dict[tuple[str, int], dict[str, int]] = {}
    first: dict[tuple[str, int], int] = {}
    names = ("layer", "item", "label", "role", "pass")
    for row, (layer, item, label, role, turn) in enumerate(
        zip(*map(columns.__getitem__, names), strict=True)
    ):
        if role == ANNOTATOR and turn == 1:
            of_item = votes.setdefault((layer, item), {})
            of_item[label] = of_item.get(label, 0) + 1
            first.setdefault((layer, item), row)
    kept = [name for name in AGGREGATED if name in columns and name != "label"]
    models = {layer: _modelled(labels, layer) for layer in by_name}
    done: dict[str, list[Any]] = {name: [] for name in AGGREGATED if name in columns or name not in LABELS}
    for key, of_item in votes.items():
        total, most = sum(of_item.values()), max(of_item.values())
        alone = sum(number == most for number in of_item.values()) == 1
        for label, number in sorted(of_item.items(), key=lambda vote: (-vote[1], vote[0])):
            for name in kept:
                done[name].append(columns[name][first[key]])
            done["label"].append(label)
            done["votes"].append(number)
            done["annotators"].append(total)
            done["probability"].append(number / total)
            done["modelled"].append(rounded(models.get(key[0], {}).get((key[1], label))))
            done["aggregated"].append(alone and number == most)
    if not any(models.values()):
        done.pop("modelled")
    return Rows(done, AGGREGATED)


def _modelled(labels: Rows, layer: str) -> dict[tuple[int, str], float]:
    """Return of each item of a layer, and label, how probable it is by the model of annotators."""
    names = ("layer", "role", "pass", "item", "n", "annotator", "label")
    chosen = [
        row
        for of_layer, role, turn, *row in zip(*map(labels.columns.__getitem__, names), strict=True)
        if (of_layer, role, turn) == (layer, ANNOTATOR, 1)
    ]
    if not chosen:
        return {}
    item, n, annotator, label = zip(*chosen, strict=True)
    items, first, unit = np.unique(np.array(item), return_index=True, return_inverse=True)
    people, annotator_code = np.unique(np.array(annotator, dtype=np.str_), return_inverse=True)
    categories, label_code = np.unique(np.array(label, dtype=np.str_), return_inverse=True)
    units = CodedUnits(
        layer=layer,
        id=layer,
        documents=(),
        annotators=tuple(people.tolist()),
        categories=tuple(categories.tolist()),
        document=np.full(len(items), NO_DOCUMENT),
        weight=np.array(n, dtype=np.int64)[first],
        unit=unit,
        annotator=annotator_code,
        label=label_code,
    )
    model = probable_labels(units)
    if isinstance(model, NotFitted):
        return {}
    rated, posterior = model
    return {
        (number, name): probability
        for number, row in zip(items[rated].tolist(), posterior.tolist(), strict=True)
        for name, probability in zip(units.categories, row, strict=True)
    }


# What makes numbers of cells that are texts.
NUMBERS: Mapping[ColumnType, Callable[[str], float]] = {"integer": int, "number": float}


def from_csv_table(content: bytes) -> Rows | None:
    """Return a label table that was written as CSV, None where it is not one."""
    head, *rows = from_csv(content.decode(errors="replace")) or [[]]
    if not {*head} <= {*LABELS} or not {*LABELS} - {*OPTIONAL} <= {*head}:
        return None
    columns: dict[str, list[Any]] = {}
    try:
        for name, cells in zip(head, list(zip(*rows, strict=True)) or [()] * len(head), strict=True):
            number = NUMBERS.get(LABELS[name].type)
            columns[name] = [number(cell) if cell else None for cell in cells] if number else [*cells]
    except ValueError:
        return None
    return Rows(columns, LABELS)


def rare_labels(labels: Rows, smallest: int) -> dict[str, dict[str, int]]:
    """Return by layer the labels that were given fewer than `smallest` times, with how often."""
    times: dict[str, dict[str, int]] = {}
    columns = labels.columns
    for layer, label, n in zip(columns["layer"], columns["label"], columns["n"], strict=True):
        of_layer = times.setdefault(layer, {})
        of_layer[label] = of_layer.get(label, 0) + n
    rare = {
        layer: {label: n for label, n in sorted(of_layer.items()) if n < smallest}
        for layer, of_layer in times.items()
    }
    return {layer: of_layer for layer, of_layer in rare.items() if of_layer}
