"""The gold standard of a campaign: who decided what in each layer, and a row for each unit."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reportgen.annotators.adjudication_sheets import Span, covered, shown, written
from reportgen.annotators.controls import rejected
from reportgen.annotators.gold_standard import Aggregate, GoldLayer, GoldUnit, Status, gold_layer
from reportgen.base.errors import did_you_mean, for_each, quoted, refused
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.reading import Read, read_campaign
from reportgen.pipeline.version_reports import names_by_version
from reportgen.readers import Annotations, TextMarks
from reportgen.results.model import csv_text, rounded
from reportgen.units import Pseudonyms, Request

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
        """Tell whether it holds marks in texts: no relations, no attributes of marks, and no recordings."""
        content = self.annotations.content
        return isinstance(content, TextMarks) and self.annotations.compared == "marks" and not content.lengths


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
            source.name: {
                "units": len(source.gold.units),
                **source.gold.counts,
                "labelled_once": source.gold.labelled_once,
            }
            for source in self.layers
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
    layers = for_each(_chosen(campaign, read, options.layer), lambda index: _source(read, index, options))
    names, texts = names_by_version(campaign, reads)[version], campaign.privacy.texts == "show"
    return GoldStandard(campaign, version, layers, names, texts, options)


def _chosen(campaign: Campaign, read: Read, layer: str) -> list[int]:
    """Return the layers (places) that are asked for and whose units can be named."""
    layers = [request.layer for request in read.requests]
    if layer and layer not in layers:
        message = f"there is no layer {quoted(layer)}."
        raise refused("--layer", message=message, remedy=did_you_mean(layer, layers))
    indices = [
        index
        for index, adjudication in enumerate(read.adjudications)
        if adjudication.sheet.named and layer in ("", adjudication.sheet.layer)
    ]
    if not indices:
        message = "has units without names or places, as counts and tables of agreement do."
        remedy = "Put exports there that say which unit got which label."
        raise refused(campaign.file, message=f"version {read.version.id} {message}", remedy=remedy)
    return indices


def _source(read: Read, index: int, options: GoldOptions) -> GoldSource:
    annotations, request = read.annotations[index], read.requests[index]
    names = rejected(read.studies[index].controls, request.controls)
    gold = gold_layer(annotations, request, read.adjudications[index], options.aggregate, names)
    return GoldSource(gold, annotations, request)


# CSV and JSON lines: a row for each unit.

HEAD = (
    *("layer", "document", "unit", "offsets", "text", "label", "annotator", "status"),
    *("reference", "share", "posterior", "annotators", "labels"),
)


def gold_csv(standard: GoldStandard) -> str:
    """Return a row for each unit as CSV; without texts where these are withheld, and where there are none.

    Columns document, unit, annotator and label are those of a table of ratings, and stay as they are; what
    is for people alone is written so that no spreadsheet computes it.
    """
    columns = _columns(standard)
    rows = ({**row, **_in_cells(row)} for row in gold_rows(standard))
    return csv_text(columns, ([row[name] for name in columns] for row in rows))


def gold_json_lines(standard: GoldStandard) -> str:
    """Return an object for each unit, a line each, with the same keys as the columns of the CSV."""
    columns = _columns(standard)
    rows = ({name: row[name] for name in columns} for row in gold_rows(standard))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _columns(standard: GoldStandard) -> list[str]:
    texts = standard.texts and any(source.gold.sheet.texts for source in standard.layers)
    return [name for name in HEAD if name != "text" or texts]


def _in_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what is more than one value as a cell has it."""
    labels = ", ".join(f"{name} ({times})" for name, times in row["labels"].items())
    return {
        "offsets": shown(row["offsets"]),
        "reference": ", ".join(row["reference"]),
        "text": written(row["text"]),
        "labels": written(labels),
    }


def gold_rows(standard: GoldStandard) -> Iterator[dict[str, Any]]:
    """Yield each unit of each layer, open ones too unless they are to be left out."""
    left_out = [Status.OPEN] if standard.options.decided_only else []
    for source in standard.layers:
        listed = [unit for unit in source.gold.units if unit.status not in left_out]
        spans = source.gold.sheet.spans_of(np.array([unit.unit for unit in listed], dtype=np.int64))
        for unit, stretches in zip(listed, spans, strict=True):
            yield _row(standard, source.gold, unit, stretches)


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
