"""Files that people take for themselves: the gold standard, the key to pseudonyms, labels, Word and Excel."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, quoted, refused, with_extra
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.measures.annotators.adjudication import finished_documents, reference_marks
from reportgen.measures.annotators.aggregation import Aggregate, GoldLayer, GoldUnit, Status, gold_layer
from reportgen.measures.annotators.decisions import Span, covered, shown, without_controls
from reportgen.measures.annotators.quality import rejected
from reportgen.pipeline.reading import VersionExports, read_campaign
from reportgen.pipeline.version_reports import all_pseudonyms, compute, names_by_version
from reportgen.publish import gold_marks as formats
from reportgen.publish.label_table import VersionLabelTable, label_table, rare_labels
from reportgen.readers import Annotations, ParsedMark, TextMarks
from reportgen.readers.layers_of_marks import MARKS
from reportgen.report.paper import paper_docx, tables_xlsx
from reportgen.report.view import ReportView
from reportgen.results.model import csv_text, rounded
from reportgen.results.versions import RESULTS
from reportgen.units import LayerSettings, Mask, Pseudonyms
from reportgen.units.pseudonyms import table_with
from reportgen.words.language import Edition, writing

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
    request: LayerSettings

    @property
    def name(self) -> str:
        """Return the layer's name."""
        return self.gold.sheet.layer

    @property
    def is_of_marks(self) -> bool:
        """Tell whether it holds marks in texts: no relations, no attributes of marks, and no recordings."""
        content = self.annotations.content
        return isinstance(content, TextMarks) and self.annotations.compared == "marks" and not content.lengths

    def marks(self) -> list[list[ParsedMark]]:
        """Return the marks of each document, without the feature that holds the label where one does."""
        content = self.annotations.content
        if not isinstance(content, TextMarks):
            return []
        labels = {unit.unit: unit.label for unit in self.gold.units if unit.status is not Status.OPEN}
        documents = reference_marks(content, self.gold.sheet, labels)
        every = [mark for marks in documents for mark in marks]
        names = {name for mark in every for name in mark.features}
        others = {name for name in names if any(mark.features.get(name) != mark.type for mark in every)}
        return [
            [
                replace(
                    mark, features={name: mark.features[name] for name in mark.features if name in others}
                )
                for mark in marks
            ]
            for marks in documents
        ]

    def finished(self, options: GoldOptions) -> Mask:
        """Tell of each document (documents,) whether its marks are written."""
        sheet = self.gold.sheet
        if options.decided_only:
            return np.ones(len(sheet.texts), dtype=np.bool_)
        still_open = [unit.unit for unit in self.gold.units if unit.status is Status.OPEN]
        return finished_documents(self.annotations, self.request, sheet.units.document[still_open])


@dataclass(frozen=True)
class GoldStandard:
    """The gold standard of one guidelines version; `texts` says whether they may be shown.

    `table` is what the campaign's folder is to keep of pseudonyms.
    """

    campaign: Campaign
    version: str
    layers: Sequence[GoldSource]
    names: Pseudonyms
    texts: bool
    options: GoldOptions
    table: bytes

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
    table = table_with(campaign, all_pseudonyms(campaign, reads))
    return GoldStandard(campaign, version, layers, names, texts, options, table)


def _chosen(campaign: Campaign, read: VersionExports, layer: str) -> list[int]:
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


def _source(read: VersionExports, index: int, options: GoldOptions) -> GoldSource:
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

    It is a table of ratings too: `string_tables` knows it by its first columns.
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
        "text": without_controls(row["text"]),
        "labels": without_controls(labels),
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
    name, document = sheet.names[unit.unit], int(sheet.units.document[unit.unit])
    return {
        "layer": sheet.layer,
        "document": names.document(sheet.document_of(unit.unit)),
        "unit": names.unit(name) if name else "",
        "offsets": spans,
        "text": covered(sheet.texts[document], spans) if spans and standard.texts and sheet.texts else "",
        "label": unit.label,
        "annotator": GOLD,
        "status": unit.status.value,
        "reference": sorted(map(names.annotator, unit.references)),
        "share": rounded(unit.share),
        "posterior": rounded(unit.probable and unit.probable.probability),
        "annotators": unit.annotators,
        "labels": {label: unit.votes[label] for label in sheet.units.categories if label in unit.votes},
    }


OUT = "--out"

# Marks in texts, as annotation tools read them.

OTHER_FORM = "Write another form, such as .csv or .jsonl, which take every mark."
DECIDE = "Decide what is open, or leave it out with --decided-only."


def gold_marks(standard: GoldStandard, form: formats.MarkFormat) -> tuple[formats.GoldTexts, dict[str, str]]:
    """Return all texts with their marks, and the files of a format by path.

    A document in which something is open has its text alone there, or is not there; with `decided_only` each
    has its marks. Raises BadInput where texts are withheld, no layer has marks, or the format can't hold one.
    """
    layers = [source for source in standard.layers if source.is_of_marks]
    if not layers:
        message = f"would be {form.title}'s, and no layer has marks in texts."
        raise refused(OUT, message=message, remedy=OTHER_FORM)
    if not standard.texts:
        message = f'is "withhold", and {form.title}\'s files would show the texts.'
        raise refused(standard.campaign.file, 0, "privacy.texts", message, OTHER_FORM)
    documents: dict[str, formats.GoldDocument] = {}
    for source in layers:
        sheet = source.gold.sheet
        rows = zip(
            sheet.units.documents, sheet.texts, source.marks(), source.finished(standard.options), strict=True
        )
        for name, text, marks, finished in rows:
            here = documents.setdefault(name, formats.GoldDocument(standard.names.document(name), text))
            here.marks[source.name] = marks
            here.finished = here.finished and bool(finished)
    version = standard.campaign.version(standard.version)
    patterns = (unit_set.token_pattern for unit_set in version.unit_sets if unit_set.token_pattern)
    sources = {
        layer.id: layer.id if layer.source == MARKS else layer.source
        for layer in version.layers
        if layer.source
    }
    texts = formats.GoldTexts(list(documents.values()), next(patterns, None), sources)
    if not form.has_all and not texts.finished:
        message = f"would be empty: {form.title} has finished documents alone, and none is."
        raise refused(OUT, message=message, remedy=DECIDE)
    files, faults = form.written(texts)
    examples: dict[str, list[str]] = {}
    for what, example in faults:
        examples.setdefault(what, []).append(example)
    messages = [
        f"document {quoted(name)} can't be the name of a file." for name in formats.unsound_names(files)
    ]
    for what, (first, *others) in examples.items():
        more = f", and {len(others):,} more" if others else ""
        messages.append(f"{form.title} has no {what} such as {first}{more}.")
    if messages:
        raise BadInput([Problem(OUT, message=message, remedy=OTHER_FORM) for message in messages])
    return texts, files


# Where a file goes: never into a site, a bundle or the exports, and never over what somebody else wrote.

CSV, JSON_LINES = ".csv", ".jsonl"
# A file of marks for each document, in a new folder.
EACH = "{document}"
IN_FOLDER = {f"{EACH}.tsv": formats.WEBANNO, f"{EACH}.xml": formats.GATE}
FILES = {".conll": formats.CONLL, ".json": formats.LABEL_STUDIO}
# What is surely meant to be a file; "gold-1.0" is a folder.
OTHER_FILES = (".tsv", ".txt", ".ann", ".xlsx", ".xml", ".zip", ".parquet")
GOLD_FORMS = (
    "Name a file that ends in .csv, .jsonl, .conll or .json (Label Studio), or a new folder: gold for brat, "
    f"gold/{EACH}.tsv for WebAnno, gold/{EACH}.xml for GATE."
)
ELSEWHERE = "Choose a place outside of it with --out."


def gold_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a gold standard can't go to `out`: nothing where that is new, or a gold file of ours."""
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        return file_obstacles(out, campaign, ("layer,document,unit,offsets,", '{"layer": '))
    if suffix in FILES:
        return file_obstacles(out, campaign, (FILES[suffix].start,))
    _, folder = _in_folder(out)
    if folder == out and suffix[1:].isalpha() and suffix not in OTHER_FILES and not out.is_dir():
        known = [CSV, JSON_LINES, *FILES]
        remedy = f"{did_you_mean(suffix, known)} {GOLD_FORMS}"
        return [Problem(str(out), message=f"ends in {suffix}, which is not a format.", remedy=remedy)]
    if suffix in OTHER_FILES and folder == out:
        return [Problem(str(out), message=f"ends in {suffix}, which is not written.", remedy=GOLD_FORMS)]
    return file_obstacles(folder, campaign, None) or site_folder.refusals(folder, any_file)


def _in_folder(out: Path) -> tuple[formats.MarkFormat, Path]:
    """Return the format of a file for each document, and the folder that these go to."""
    form = IN_FOLDER.get(out.name.lower())
    return (form, out.parent) if form else (formats.BRAT, out)


def key_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why the key to pseudonyms can't go to `out`: nothing where that is new, or a key of ours."""
    if out.suffix.lower() != CSV:
        return [Problem(str(out), message="does not end in .csv.", remedy="Name a file that ends in .csv.")]
    return file_obstacles(out, campaign, ("kind,pseudonym,name",))


def file_obstacles(out: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> list[Problem]:
    """Return why a file can't go to `out`; `ours` are the beginnings of files that it may replace.

    Without `ours` it is a folder.
    """
    return site_folder.first_obstacle(out, lambda target: _in_the_way(target, campaign, ours), GOLD_FORMS)


def _in_the_way(target: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    here = campaign.folder.resolve()
    for above in (target, *target.parents):
        if (above / site_folder.MEMORY).exists():
            yield "lies in a site, which others read.", ELSEWHERE
        if (above / site_folder.CHECKSUMS).exists() and (
            (above / RESULTS).exists() or (above / "report").is_dir()
        ):
            yield "lies in a report or a bundle, which others read.", ELSEWHERE
    if target.is_relative_to(here) and _is_export(target.relative_to(here).as_posix(), campaign):
        yield "lies in the exports, and would be read as one.", ELSEWHERE
    if here.is_relative_to(target):
        yield f"contains the campaign's folder {campaign.name}.", "Choose a new folder beside it with --out."
    if ours is None and target.is_file():
        yield "is a file.", GOLD_FORMS
    if ours is not None and target.exists() and not _begins(target, ours):
        yield "is no such file as reportgen wrote it.", "Remove it first, or choose another with --out."


def _is_export(inside: str, campaign: Campaign) -> bool:
    """Tell whether a path in the campaign's folder is one that the exports of a version name."""
    patterns = (pattern for version in campaign.guidelines for pattern in version.exports)
    return any(fnmatchcase(inside, pattern) or fnmatchcase(inside, f"{pattern}/*") for pattern in patterns)


def _begins(target: Path, ours: tuple[str, ...]) -> bool:
    """Tell whether a file is empty or begins as one of ours."""
    if not target.is_file():
        return False
    longest = max(map(len, ours))
    with target.open(encoding="utf-8", errors="replace") as file:
        start = file.read(longest)
    return not start or start.startswith(ours)


def any_file(folder: Path) -> str | None:
    """Return the name of a file in a folder: what is there may be somebody's corpus."""
    return next((path.name for path in sorted(folder.iterdir()) if path.name not in site_folder.LITTER), None)


# The files are written, by the ending of the name.


def write_gold(standard: GoldStandard, out: Path) -> tuple[int, list[str]]:
    """Write a gold standard by the ending of `out`. Raises BadInput; then nothing is written.

    Returns how many files were written, and what of the gold standard is not in them.
    """
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        text = gold_csv(standard) if suffix == CSV else gold_json_lines(standard)
        site_folder.write_file(out, text.encode(errors="replace"))
        return 1, []
    form, target = (FILES[suffix], out) if suffix in FILES else _in_folder(out)
    texts, files = gold_marks(standard, form)
    if "" in files:
        site_folder.write_file(target, files[""].encode(errors="replace"))
    else:
        with site_folder.replacing(target, any_file) as folder:
            content = {name: text.encode(errors="replace") for name, text in files.items()}
            site_folder.write_below(folder, content)
    return len(files), list(_not_written(standard, form, texts))


def _not_written(standard: GoldStandard, form: formats.MarkFormat, texts: formats.GoldTexts) -> Iterator[str]:
    """Yield what the files of a format do not have."""
    for source in standard.layers:
        if not source.is_of_marks:
            yield f"{source.name}: its units are not plain marks in texts; .csv and .jsonl have them."
    every, done = len(texts.documents), texts.finished
    if alone := every - len(done):
        instead = "of these only the texts are written" if form.has_all else "these are not written"
        yield f"{alone:,} of {every:,} documents are not finished: {instead}."
    attributes = sum(bool(mark.features) for document in done for mark in formats.all_marks(document))
    if attributes and not form.has_all:
        yield f"{form.title} is written without the attributes of marks ({attributes:,})."
    if form is formats.CONLL and (
        other := sum(formats.changes_white_space(formats.in_tokens(texts), document) for document in done)
    ):
        yield f"CoNLL keeps no white space: that changes {other:,} of {len(done):,} documents."


# Who is A01? For the campaign's own people alone.

KEY_HEAD = ("kind", "pseudonym", "name")


def pseudonym_key(campaign: Campaign, progress: Steps = lambda _: None) -> list[tuple[str, str, str]]:
    """Return kind, pseudonym and name of everybody and everything that has a pseudonym in any version.

    Raises BadInput where names are shown, so that nothing has one.
    """
    every = Pseudonyms()
    for pseudonyms in names_by_version(campaign, read_campaign(campaign, progress)).values():
        every |= pseudonyms
    kinds = (("annotator", every.annotators), ("document", every.documents), ("unit", every.units))
    rows = [(kind, called, name) for kind, names in kinds for name, called in names.items()]
    if not rows:
        message, remedy = "there are no pseudonyms: names are shown.", "There is no key to write."
        raise refused(campaign.file, 0, "privacy.annotators", message, remedy)
    return sorted(rows, key=lambda row: (row[0], len(row[1]), row[1]))


def write_key(rows: Iterable[tuple[str, str, str]], out: Path) -> None:
    """Write the key as CSV, which its owner alone may read. Raises BadInput."""
    cells = (list(map(without_controls, row)) for row in rows)
    site_folder.write_file(out, csv_text(KEY_HEAD, cells).encode(errors="replace"), 0o600)


PARQUET = ".parquet"
LABEL_FORMS = "Name a file that ends in .parquet, .csv or .jsonl."
# Beginnings of the files that may be replaced.
OURS = ("layer,item,document,unit,", '{"layer": ', "PAR1")


@dataclass(frozen=True)
class VersionLabels:
    """The label table of a version; `memory` is what the campaign's folder is to keep of pseudonyms."""

    table: VersionLabelTable
    memory: bytes

    def rare(self, campaign: Campaign) -> Iterator[Problem]:
        """Yield the labels that were given so seldom that they may tell who or what is meant."""
        below = campaign.privacy.smallest
        for layer, rare in rare_labels(self.table.labels, below).items():
            named = ", ".join(f'"{label}" ({times})' for label, times in [*rare.items()][:MOST_RARE])
            more = f" and {len(rare) - MOST_RARE:,} more" if len(rare) > MOST_RARE else ""
            message = f"layer {layer}: given fewer than {below} times: {named}{more}."
            remedy = (
                "The table has them. Rename or join them in the exports if they tell who or what is meant."
            )
            yield Problem(campaign.file, message=message, remedy=remedy)


MOST_RARE = 10


def labels_of_version(campaign: Campaign, version: str, progress: Steps = lambda _: None) -> VersionLabels:
    """Return the label table of a guidelines version, with the privacy that campaign.toml asks for.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong,
    where labels are withheld, and where the exports have counts only.
    """
    if campaign.privacy.labels == "withhold":
        message, remedy = 'is "withhold".', 'Write labels = "show" where labels may be passed on.'
        raise refused(campaign.file, 0, "privacy.labels", message, remedy)
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    names = names_by_version(campaign, reads)[version]
    table = label_table(read, names, campaign.privacy)
    if table is None:
        message = f"version {version} has counts, which do not say who gave a unit which label."
        remedy = "Put exports there that say which unit got which label."
        raise refused(campaign.file, message=message, remedy=remedy)
    return VersionLabels(table, table_with(campaign, all_pseudonyms(campaign, reads)))


def aggregated_beside(out: Path) -> Path:
    """Return the file beside the table that has what most said: labels-aggregated.csv."""
    return out.with_name(f"{out.stem}-aggregated{out.suffix}")


def write_labels(table: VersionLabelTable, out: Path) -> list[Path]:
    """Write both tables by the ending of `out`; return the files. Raises BadInput."""
    files, suffix = [out, aggregated_beside(out)], out.suffix.lower()
    content = [
        rows.as_parquet()
        if suffix == PARQUET
        else rows.as_json_lines()
        if suffix == JSON_LINES
        else rows.as_csv()
        for rows in (table.labels, table.aggregated)
    ]
    for path, data in zip(files, content, strict=True):
        site_folder.write_file(path, data)
    return files


def labels_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a label table can't go to `out`: nothing where that is new, or a table of ours."""
    suffix = out.suffix.lower()
    if suffix not in (CSV, JSON_LINES, PARQUET):
        ending = f"ends in {suffix}, which is not written." if suffix else "has no ending."
        return [Problem(str(out), message=ending, remedy=LABEL_FORMS)]
    if suffix == PARQUET and find_spec("pyarrow") is None:
        message = "needs the package pyarrow, which is not installed."
        return [Problem(str(out), message=message, remedy=with_extra("parquet"))]
    return [
        problem for file in (out, aggregated_beside(out)) for problem in file_obstacles(file, campaign, OURS)
    ]


# By its ending: who writes a file, and the package that this takes.
WRITERS: Mapping[str, tuple[Callable[[ReportView], bytes], str]] = {
    ".docx": (paper_docx, "docx"),
    ".xlsx": (tables_xlsx, "xlsxwriter"),
}
ZIP = "PK"


def office_file(
    campaign: Campaign, version: str, suffix: str, language: str, progress: Steps = lambda _: None
) -> tuple[bytes, bytes]:
    """Return a version's report as a file that ends so, and the table of pseudonyms that is to be kept.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong.
    """
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    report = compute(campaign, read, names_by_version(campaign, reads)[version])
    write, _package = WRITERS[suffix.lower()]
    with writing(Edition(language)):
        content = write(ReportView(report.results))
    return content, table_with(campaign, all_pseudonyms(campaign, reads))


def paper_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why no report can go to `out`: what is there may have been edited, and is never replaced."""
    suffix = out.suffix.lower()
    if suffix not in WRITERS:
        ending = f"ends in {suffix}, which is not written." if suffix else "has no ending."
        return [Problem(str(out), message=ending, remedy="Name a file that ends in .docx or .xlsx.")]
    if find_spec(WRITERS[suffix][1]) is None:
        message = f"needs the package {WRITERS[suffix][1]}, which is not installed."
        return [Problem(str(out), message=message, remedy=with_extra("office"))]
    if out.exists():
        remedy = "Remove it first, or choose another with --out."
        return [Problem(str(out), message="is there already, and may have been edited.", remedy=remedy)]
    return file_obstacles(out, campaign, (ZIP,))
