"""How files were read, as a page shows it: their first rows or texts, what is what, and what it gives."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.catalogue import measure_of
from reportgen.counts import count
from reportgen.measures import UnitsOfAll, measures_of, setting_of
from reportgen.measures.estimate import ConfidenceInterval
from reportgen.pipeline.export_folder import Survey, VersionSurvey, label_faults_of
from reportgen.pipeline.reading import LastRead, VersionExports, read_version
from reportgen.pipeline.scaffold import Decisions, Plan, plan_of
from reportgen.readers import Annotations, ExportFile, Reader, TextMarks, ratings
from reportgen.readers.reader import COLUMN_ROLES, ReaderOptions
from reportgen.readers.scales import FoundScale, number_of, spellings
from reportgen.readers.string_tables import StringTable
from reportgen.readers.survey import ExportSurvey
from reportgen.readers.table_columns import find_layout
from reportgen.readers.table_reading import OF_FILE, TableReading
from reportgen.readers.table_shapes import Shape
from reportgen.units.label_checks import PASSES
from reportgen.units.unit_sets import CodedUnits

ROWS, COLUMNS, LETTERS, MOST_LABELS, MOST_PEOPLE = 8, 40, 90, 30, 60
# Letters of a text, and annotators that have a lane.
OF_TEXT, LANES = 500, 6
OBSERVED = "observed_agreement"
TABLES = (ratings.READER, ratings.WORKBOOK_READER, ratings.PARQUET_READER)


@dataclass(frozen=True)
class ShownColumn:
    """A column of a table: its name, and what it is: a role, or nothing where it is not read."""

    name: str
    role: str


@dataclass(frozen=True)
class ShownTable:
    """The first rows of a table; `others` are the tables that are read like it."""

    file: str
    columns: Sequence[ShownColumn]
    rows: Sequence[Sequence[str]]
    number: int
    others: int
    said: Sequence[str]
    more_columns: int


@dataclass(frozen=True)
class ShownPiece:
    """A stretch of a text, and the label of the mark that it is in."""

    text: str
    label: str = ""


@dataclass(frozen=True)
class ShownText:
    """The beginning of a document with each annotator's marks, each in a lane."""

    document: str
    lanes: Sequence[tuple[str, Sequence[ShownPiece]]]
    more: int


@dataclass(frozen=True)
class ShownFigure:
    """What a layer gives: the coefficient, by name, its value or why there is none, and of how many units."""

    layer: str
    name: str
    value: float | None
    interval: ConfidenceInterval | None
    undefined: str
    observed: float | None
    units: int
    people: int


@dataclass(frozen=True)
class ShownWay:
    """A reading that remains, and what it would give; `problem` where it gives nothing."""

    reading: TableReading
    people: Sequence[str] = ()
    units: int = 0
    labels: Sequence[str] = ()
    figures: Sequence[ShownFigure] = ()
    problem: str = ""


@dataclass(frozen=True)
class ShownUnits:
    """A unit set: how many units there are, and of how many labels nobody marked the unit."""

    id: str
    kind: str
    primary: bool
    why: str
    units: int
    unmarked: float | None


def tables_of(reader: Reader, files: Sequence[ExportFile]) -> list[StringTable]:
    """Return the tables in files, none where they are of another format."""
    return ratings.opened(reader, files) if reader in TABLES else []


def roles_of(table: StringTable, version: VersionSurvey) -> dict[str, str]:
    """Return what each column of a table is, by name."""
    survey = version.export_survey
    roles: dict[str, str] = {}
    reading = survey.reading
    if reading is None and survey.columns and survey.columns.understood:
        layout = find_layout(table, ReaderOptions(columns=_named(survey.columns.roles, table)))
        of_people = "annotator" if layout.label is not None else "person"
        roles |= {table.header[column]: of_people for column in layout.annotators}
        roles |= {name: role for role, name in survey.columns.roles.items()}
        if layout.label is not None:
            roles[table.header[layout.label]] = "label"
    elif reading is not None:
        roles |= roles_of_shape(reading.shape)
        text = survey.columns.roles.get("text") if survey.columns else None
        roles |= {text: "text"} if text else {}
    elif survey.columns and not survey.ways:
        roles |= {name: role for role, name in survey.columns.roles.items()}
    return {name: roles[name] for name in table.header if name in roles}


def roles_of_shape(shape: Shape) -> dict[str, str]:
    """Return what each column of a table is, by name, where it is read so."""
    of_labels = "label" if shape.is_long or shape.indicators or shape.grid else "person"
    single = {"annotator": shape.annotator, "document": shape.document, "pass": shape.turn}
    single["question"] = shape.question
    roles = dict.fromkeys(shape.labels, of_labels) | dict.fromkeys(shape.units, "unit")
    return roles | {name: role for role, name in single.items() if name and name != OF_FILE}


def _named(roles: Mapping[str, str], table: StringTable) -> dict[str, str]:
    return {role: name for role, name in roles.items() if role in COLUMN_ROLES and name in table.header}


def shown_table(tables: Sequence[StringTable], roles: Mapping[str, str]) -> ShownTable | None:
    """Return the first rows of the first table, None where there is none."""
    if not tables:
        return None
    first = tables[0]
    places = [place for place, name in enumerate(first.header) if name][:COLUMNS]
    rows = [
        [_short(first.columns[place][row]) for place in places] for row in range(min(ROWS, len(first.rows)))
    ]
    return ShownTable(
        first.file.name,
        [ShownColumn(first.header[place], roles.get(first.header[place], "")) for place in places],
        rows,
        len(first.rows),
        len(tables) - 1,
        first.mended.sentences,
        sum(map(bool, first.header)) - len(places),
    )


def _short(cell: object) -> str:
    text = str(cell)
    return text if len(text) <= LETTERS else f"{text[:LETTERS]}…"


def shown_text(annotations: Annotations) -> ShownText | None:
    """Return the beginning of the first text that somebody marked, None where there is none."""
    content = annotations.content
    if not isinstance(content, TextMarks) or not content.texts or not len(content.document):
        return None
    document = int(content.document.min())
    text = content.texts[document]
    lanes = []
    for annotator, name in enumerate(content.annotators[:LANES]):
        marks = (content.document == document) & (content.annotator == annotator)
        own = marks[content.span_mark]
        spans = sorted(
            zip(
                content.span_start[own].tolist(),
                content.span_end[own].tolist(),
                content.label[content.span_mark[own]].tolist(),
                strict=True,
            )
        )
        lanes.append((name, list(_pieces(text[:OF_TEXT], spans, content.labels))))
    return ShownText(content.documents[document], lanes, len(content.documents) - 1)


def _pieces(text: str, spans: Sequence[tuple[int, int, int]], labels: Sequence[str]) -> Iterator[ShownPiece]:
    cuts = sorted({0, len(text), *(at for start, end, _ in spans for at in (start, end) if at < len(text))})
    for start, end in pairwise(cuts):
        own = [labels[label] for first, last, label in spans if first <= start and end <= last]
        yield ShownPiece(text[start:end], " + ".join(dict.fromkeys(own)))


def of_version(survey: Survey, version: str) -> VersionSurvey:
    """Return a version, the newest where there is none that is called so."""
    return next((each for each in survey.versions if each.id == version), survey.versions[-1])


def read_as_built(folder: Path, version: str, last: LastRead | None = None) -> VersionExports:
    """Return what a version of a campaign says, else its newest one, as `build` reads it."""
    campaign = asked.load(folder)
    known = version if version in campaign.versions else campaign.versions[-1]
    return read_version(campaign, campaign.version(known), last)


def figures(read: VersionExports) -> list[ShownFigure]:
    """Return the primary coefficient of each layer, on its primary units."""
    shown = []
    for layer, study in zip(read.version.layers, read.studies, strict=True):
        units = next((units for units in study.unit_sets if units.primary), study.unit_sets[0])
        of_all = UnitsOfAll(units, count(units), setting_of(units, read.distances))
        name = read.chosen[layer.id].coefficient
        estimate = measures_of(of_all, name).get(name)
        if estimate is None:
            continue
        observed = measures_of(of_all, OBSERVED).get(OBSERVED)
        shown.append(
            ShownFigure(
                layer.id,
                measure_of(name).name,
                estimate.value,
                estimate.interval if isinstance(estimate.interval, ConfidenceInterval) else None,
                estimate.undefined or "",
                observed.value if observed else None,
                int(units.weight.sum()),
                len(units.annotators),
            )
        )
    return shown


def unit_sets(read: VersionExports, plan: Plan) -> list[ShownUnits]:
    """Return the unit sets of the first layer, and how large the category of unmarked units is in each."""
    decided: Decisions = plan["decided"]
    return [
        ShownUnits(
            units.id,
            units.kind,
            units.primary,
            decided.whys.get(units.id, ""),
            int(units.weight.sum()),
            _unmarked(units),
        )
        for study in read.studies[:1]
        for units in study.unit_sets
    ]


def _unmarked(units: CodedUnits) -> float | None:
    """Return the share of labels that say that nothing was marked, None where none can."""
    weight = units.row_weight
    if units.non_annotated < 0 or not weight.sum():
        return None
    return float(weight[units.label == units.non_annotated].sum() / weight.sum())


def ways(folder: Path, found: VersionSurvey, write: Any) -> list[ShownWay]:  # noqa: ANN401
    """Return the readings of a version that remain, with what each would give; `write` describes it so."""
    shown = []
    for reading in found.export_survey.ways:
        try:
            version = of_version(write(reading), found.id)
            own = version.export_survey
            given = ShownWay(reading, own.annotators, own.units, [*own.as_one_layer.labels][:MOST_LABELS])
            given = replace(given, figures=figures(read_as_built(folder, found.id)))
        except BadInput as error:
            given = ShownWay(reading, problem=error.problems[0].message if error.problems else "")
        shown.append(given)
    return shown


def understood(survey: Survey, version: VersionSurvey, decided: Decisions) -> dict[str, Any]:
    """Return what a page says of the files of a version before anything is computed."""
    own, plan = version.export_survey, plan_of(survey, decided)
    roles = dict.fromkeys(own.annotators, "person")
    for annotations in own.read:
        roles |= {name: role for name, role in annotations.roles.items() if name in roles}
    roles |= {name: "model" for name in plan["models"] if name in roles}
    roles |= {name: role for name, role in plan["roles"].items() if name in roles}
    roles = {name: "person" if role == "annotator" else role for name, role in roles.items()}
    layers = [layer for layer in plan["layers"] if layer["active"] or layer["source"] in decided.left_out]
    text = own.columns.roles.get("text") if own.columns else None
    by_source = {layer.source: layer for layer in own.layers}
    if not own.layers:
        labels = own.as_one_layer.labels
        found = decided.scale_of("", own.as_one_layer.scale, labels)
        shown = [_layer("", "", found, labels, decided)]
    else:
        shown = [
            _layer(layer["source"], layer["id"], layer["scale"], by_source[layer["source"]].labels, decided)
            for layer in layers
            if layer["source"] in by_source
        ]
    for number, layer in enumerate(shown):
        layer["number_of"] = number
    return {
        "survey": own,
        "tool": version.files.reader.title,
        "files": len(version.files.read),
        "unread": [file.name for file in version.files.unread],
        "versions": [each.id for each in survey.versions],
        "version": version.id,
        "beside": [name for name in own.reading.beside if name != text] if own.reading else (),
        "people": dict([*roles.items()][:MOST_PEOPLE]),
        "everybody": len(roles),
        "layers": shown,
        "plan": plan,
        "marks": sum(layer["number"] for layer in shown if layer["used"]),
        "missing": sum(annotations.missing for annotations in own.read)
        + sum(layer["missing"] for layer in shown if layer["used"]),
        "alike": _alike(own, shown, decided),
        "passed_over": _passed_over(own.read),
        "told": list(_told(version)),
    }


def _told(version: VersionSurvey) -> Iterator[Problem]:
    """Yield what is to be looked at in the files of a version, although it stops nothing."""
    for annotations in version.export_survey.read:
        yield from annotations.warnings
    for fault in label_faults_of(version):
        if fault.key == PASSES:
            yield Problem("", key=fault.key, message=fault.message, remedy=fault.remedy)


def _alike(
    survey: ExportSurvey, layers: Sequence[Mapping[str, Any]], decided: Decisions
) -> Mapping[str, str]:
    """Return labels that may be others in another spelling, where that is to be asked: of words in tables."""
    if decided.alike is not None or survey.columns is None:
        return {}
    labels: Counter[str] = Counter()
    for layer in layers:
        if layer["used"] and not layer["more"] and layer["scale"].scale in ("nominal", "ordinal"):
            labels.update(layer["labels"])
    return spellings(labels)


def _passed_over(read: Sequence[Annotations]) -> list[tuple[str, int]]:
    """Return why labels are left out, in words, and how many; what several layers leave out counts once."""
    marks = dict[str, int]()
    for annotations in read:
        own = Counter[str]()
        for group in annotations.left_out:
            own[group.reason] += group.marks
        marks |= {why: max(number, marks.get(why, 0)) for why, number in own.items()}
    return sorted(marks.items(), key=lambda each: -each[1])


def _layer(
    source: str,
    identity: str,
    scale: FoundScale,
    labels: Mapping[str, int],
    decided: Decisions,
) -> dict[str, Any]:
    absent, labels = set(scale.missing), decided.renamed(labels)
    present = {name: times for name, times in labels.items() if name not in absent}
    are_numbers = all(number_of(name) is not None for name in present)
    if are_numbers:
        present = dict(sorted(present.items(), key=lambda each: number_of(each[0]) or 0.0))
    # The order of numbers is known.
    known = scale.order or scale.could_be
    order = [] if are_numbers else [*known, *(name for name in present if name not in known)]
    return {
        "source": source,
        "id": identity,
        "scale": scale,
        "labels": dict([*present.items()][:MOST_LABELS]),
        "absent": {name: labels.get(name, 0) for name in scale.missing},
        "more": max(0, len(present) - MOST_LABELS),
        "order": order if len(order) <= MOST_LABELS else [],
        "number": sum(present.values()),
        "missing": sum(labels[name] for name in absent if name in labels),
        "coded_times": sum(labels.get(name, 0) for name in scale.coded),
        "used": source not in decided.left_out or not source,
    }
