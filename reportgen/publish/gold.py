"""A gold standard as files: CSV or JSON lines of its units, or brat's marks."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.annotators.adjudication import finished_documents, reference_marks
from reportgen.annotators.adjudication_sheets import Span, covered, shown, written
from reportgen.annotators.controls import rejected
from reportgen.annotators.gold_standard import Aggregate, GoldLayer, GoldUnit, Status, gold_layer
from reportgen.base.atomic_replace import replacing, write_file
from reportgen.base.errors import BadInput, Problem, did_you_mean, quoted, tried
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.reading import Read, read_campaign
from reportgen.pipeline.version_reports import names_by_version
from reportgen.publish.own_files import CSV, JSON_LINES, any_file
from reportgen.readers import Annotations, ParsedMark, TextMarks
from reportgen.results.model import csv_text, rounded
from reportgen.units import Mask, Pseudonyms, Request

OUT = "--out"
# The name by which readers know a reference, so that the file can be read as an export.
GOLD = "gold"


@dataclass(frozen=True)
class GoldOptions:
    """What a gold standard is to have: one layer or all, open units too or not, aggregated labels or none."""

    aggregate: Aggregate | None = None
    decided_only: bool = False
    layer: str = ""


@dataclass(frozen=True)
class GoldSource:
    """The gold standard of one layer with the export and the question that it comes from."""

    gold: GoldLayer
    annotations: Annotations
    request: Request

    @property
    def name(self) -> str:
        """Return the layer's name."""
        return self.gold.sheet.layer

    @property
    def is_of_marks(self) -> bool:
        """Tell whether it holds marks in texts, which are no relations and no attributes of marks."""
        return isinstance(self.annotations.content, TextMarks) and self.annotations.compared == "marks"


@dataclass(frozen=True)
class GoldStandard:
    """The gold standard of one guidelines version; `texts` says whether they may be shown."""

    campaign: Campaign
    version: str
    layers: Sequence[GoldSource]
    names: Pseudonyms
    texts: bool
    options: GoldOptions

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each layer how many units there are, of which status, and how many labelled once."""
        return {
            each.name: {
                "units": len(each.gold.units),
                **each.gold.counts,
                "labelled_once": each.gold.labelled_once,
            }
            for each in self.layers
        }


def gold_standard(
    campaign: Campaign, version: str, options: GoldOptions, progress: Steps = lambda _: None
) -> GoldStandard:
    """Return the gold standard of a guidelines version.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong,
    where no unit can be named, and where aggregating says nothing.
    """
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    progress(f"{campaign.id} {version}: collecting decisions")
    layers, problems = tried(_chosen(campaign, read, options.layer), lambda at: _source(read, at, options))
    if problems:
        raise BadInput(problems)
    names, texts = names_by_version(campaign, reads)[version], campaign.privacy.texts == "show"
    return GoldStandard(campaign, version, layers, names, texts, options)


def _chosen(campaign: Campaign, read: Read, layer: str) -> list[int]:
    """Return the layers (places) that are asked for and whose units can be named."""
    known = [each.layer for each in read.requests]
    if layer and layer not in known:
        message = f"there is no layer {quoted(layer)}."
        raise BadInput([Problem("--layer", message=message, mend=did_you_mean(layer, known))])
    found = [
        place
        for place, each in enumerate(read.adjudications)
        if each.sheet.named and layer in ("", each.sheet.layer)
    ]
    if not found:
        message = "holds units without names or places, as counts and tables of agreement do."
        mend = "Put exports there that say which unit got which label."
        raise BadInput([Problem(campaign.file, message=f"version {read.version.id} {message}", mend=mend)])
    return found


def _source(read: Read, place: int, options: GoldOptions) -> GoldSource:
    annotations, request = read.annotations[place], read.requests[place]
    names = rejected(read.studies[place].controls, request.controls)
    gold = gold_layer(annotations, request, read.adjudications[place], options.aggregate, names)
    return GoldSource(gold, annotations, request)


# CSV and JSON lines: a row for each unit.

HEAD = ("layer", "document", "unit", "offsets", "text", "label", "annotator", "status")
DECIDED = ("reference", "share", "posterior", "annotators", "labels")


def gold_csv(standard: GoldStandard) -> str:
    """Return a row for each unit as CSV; without texts where these are withheld, and where there are none.

    Columns document, unit, annotator and label are those of a table of ratings, and stay as they are; what
    is for people alone is written so that no spreadsheet computes it.
    """
    columns = [name for name in (*HEAD, *DECIDED) if name != "text" or _has_texts(standard)]
    rows = ({**row, **_in_cells(row)} for row in gold_rows(standard))
    return csv_text(columns, ([row[name] for name in columns] for row in rows))


def _has_texts(standard: GoldStandard) -> bool:
    return standard.texts and any(each.gold.sheet.texts for each in standard.layers)


def _in_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what is more than one value as a cell has it."""
    labels = ", ".join(f"{name} ({times})" for name, times in row["labels"].items())
    return {
        "offsets": shown(row["offsets"]),
        "reference": ", ".join(row["reference"]),
        "text": written(row["text"]),
        "labels": written(labels),
    }


def gold_json_lines(standard: GoldStandard) -> str:
    """Return an object for each unit, a line each, with the same keys as the columns of the CSV."""
    rows = (
        {key: value for key, value in row.items() if key != "text" or _has_texts(standard)}
        for row in gold_rows(standard)
    )
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def gold_rows(standard: GoldStandard) -> Iterator[dict[str, Any]]:
    """Yield each unit of each layer, open ones too unless they are to be left out."""
    for each in standard.layers:
        listed = [
            unit
            for unit in each.gold.units
            if not (standard.options.decided_only and unit.status is Status.OPEN)
        ]
        spans = each.gold.sheet.spans_of(np.array([unit.unit for unit in listed], dtype=np.int64))
        for unit, stretches in zip(listed, spans, strict=True):
            yield _row(standard, each.gold, unit, stretches)


def _row(standard: GoldStandard, layer: GoldLayer, unit: GoldUnit, spans: tuple[Span, ...]) -> dict[str, Any]:
    sheet, names = layer.sheet, standard.names
    name, document = sheet.names[unit.unit], int(sheet.units.unit_document[unit.unit])
    return {
        "layer": sheet.layer,
        "document": names.document(sheet.document_of(unit.unit)),
        "unit": names.unit(name) if name else "",
        "offsets": spans,
        "text": covered(sheet.texts[document], spans) if spans and standard.texts else "",
        "label": unit.label,
        "annotator": GOLD,
        "status": unit.status.value,
        "reference": sorted(map(names.annotator, unit.references)),
        "share": rounded(unit.share),
        "posterior": rounded(unit.posterior),
        "annotators": unit.annotators,
        "labels": {label: unit.given[label] for label in sheet.units.categories if label in unit.given},
    }


# brat: an .ann file of marks beside each text.

A_WORD = re.compile(r"\S+")
A_VALUE = re.compile(r"\S(?:[^\n\r]*\S)?")
UNSAFE = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
LONGEST_NAME = 200


def gold_brat(standard: GoldStandard) -> dict[str, str]:
    """Return brat's files by path: a text for each document, and its marks where nothing in it is open.

    With `decided_only` each text has its marks. Raises BadInput where texts are withheld, no layer has marks,
    or brat can't write a document's or label's name.
    """
    layers = [each for each in standard.layers if each.is_of_marks]
    if problems := list(_not_for_brat(standard, layers)):
        raise BadInput(problems)
    content = layers[0].gold.sheet
    marks = [_marks(each) for each in layers]
    finished = _finished(standard, layers)
    files: dict[str, str] = {}
    for place, (name, text) in enumerate(zip(content.units.documents, content.texts, strict=True)):
        stem = standard.names.document(name)
        files[f"{stem}.txt"] = text
        if finished[place]:
            files[f"{stem}.ann"] = _standoff(text, [mark for each in marks for mark in each[place]])
    return files


def _not_for_brat(standard: GoldStandard, layers: Sequence[GoldSource]) -> Iterator[Problem]:
    if not layers:
        message = "would be brat's, and no layer holds marks in texts."
        yield Problem(OUT, message=message, mend="Name a file that ends in .csv or .jsonl.")
        return
    if not standard.texts:
        message = 'is "withhold", and brat\'s folder would show the texts.'
        yield Problem(
            standard.campaign.file, 0, "privacy.texts", message, "Name a file that ends in .csv or .jsonl."
        )
    for name in layers[0].gold.sheet.units.documents:
        if not _can_be_path(standard.names.document(name)):
            message = f"document {quoted(name)} can't be the name of a file."
            yield Problem(OUT, message=message, mend="Write .csv or .jsonl.")
    labels = {mark.type for each in layers for marks in _marks(each) for mark in marks}
    for name in sorted(labels):
        if not A_WORD.fullmatch(name):
            message = f"brat has no types with spaces such as {quoted(name)}."
            yield Problem(OUT, message=message, mend="Write .csv or .jsonl.")


def _can_be_path(name: str) -> bool:
    """Tell whether a document's name is a path below a folder that all systems take."""
    parts = name.split("/")
    return not UNSAFE.search(name) and all(
        part and not part.startswith(".") and len(part.encode()) <= LONGEST_NAME for part in parts
    )


def _marks(source: GoldSource) -> list[list[ParsedMark]]:
    content = source.annotations.content
    labels = {unit.unit: unit.label for unit in source.gold.units if unit.status is not Status.OPEN}
    return reference_marks(content, source.gold.sheet, labels) if isinstance(content, TextMarks) else []


def _finished(standard: GoldStandard, layers: Sequence[GoldSource]) -> Mask:
    """Tell of each document (documents,) whether its marks are written."""
    done = np.ones(len(layers[0].gold.sheet.texts), dtype=np.bool_)
    if standard.options.decided_only:
        return done
    for each in layers:
        still_open = [unit.unit for unit in each.gold.units if unit.status is Status.OPEN]
        documents = each.gold.sheet.units.unit_document[still_open]
        done &= finished_documents(each.annotations, each.request, documents)
    return done


def _standoff(text: str, marks: Iterable[ParsedMark]) -> str:
    """Return the marks of a document as brat writes them, with those attributes that it can."""
    lines: list[str] = []
    attributes = 0
    for number, mark in enumerate(sorted(marks, key=lambda each: (each.spans, each.type)), 1):
        offsets = ";".join(f"{start} {end}" for start, end in mark.spans)
        said = " ".join(" ".join(text[start:end] for start, end in mark.spans).split())
        lines.append(f"T{number}\t{mark.type} {offsets}\t{said}\n")
        for name, value in sorted(mark.features.items()):
            if A_WORD.fullmatch(name) and A_VALUE.fullmatch(value):
                attributes += 1
                lines.append(f"A{attributes}\t{name} T{number} {value}\n")
    return "".join(lines)


# The files are written, by the ending of the name.


@dataclass(frozen=True)
class WrittenGold:
    """How many files were written, and what of the gold standard is not in them."""

    files: int
    notices: Sequence[str] = ()


def write_gold(standard: GoldStandard, out: Path) -> WrittenGold:
    """Write a gold standard by the ending of `out`. Raises BadInput; then nothing is written."""
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        text = gold_csv(standard) if suffix == CSV else gold_json_lines(standard)
        write_file(out, text.encode(errors="replace"))
        return WrittenGold(1)
    files = gold_brat(standard)
    with replacing(out, any_file) as folder:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode(errors="replace"))
    return WrittenGold(len(files), list(_not_written(standard, files)))


def _not_written(standard: GoldStandard, files: Mapping[str, str]) -> Iterator[str]:
    """Yield what brat's files do not have."""
    for each in standard.layers:
        if not each.is_of_marks:
            yield f"{each.name}: its units are no plain marks in texts; .csv and .jsonl have them."
    texts = [name for name in files if name.endswith(".txt")]
    alone = sum(f"{name.removesuffix('.txt')}.ann" not in files for name in texts)
    if alone:
        yield f"{alone:,} of {len(texts):,} documents are not finished: of these only the texts are written."
