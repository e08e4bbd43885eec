"""What the files of a bundle are: their media types, and names and descriptions of those that people read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from reportgen.publish import files
from reportgen.report.tables import ESTIMATE_PARTS, ReportTable, TableColumn

# The columns of tables and counts, by what each table is: never guessed from what stands in its rows.

Type = Literal["string", "integer", "number", "boolean"]

INTEGER: Mapping[str, Type] = dict.fromkeys(
    ("bulk", "documents", "labelled", "line", "marks", "n", "right", "units"), "integer"
)
OUTCOMES: Mapping[str, Type] = dict.fromkeys(("match", "overlap", "only_first", "only_second"), "integer")
AGREEMENT: Mapping[str, Type] = dict.fromkeys(("observed_agreement", "cohen_kappa"), "number")
CROWD: Mapping[str, Type] = dict.fromkeys(
    (
        *(f"{name}{end}" for name in ("agreement", "difference") for end in ("", "_low", "_high")),
        *("others", "p", "adjusted_p", "slope", "slope_p", "slope_adjusted_p"),
        *("dawid_skene_accuracy", "dawid_skene_blind"),
    ),
    "number",
)
CONTROLS: Mapping[str, Type] = dict.fromkeys(("accuracy", "low", "high"), "number")
CLOSENESS: Mapping[str, Type] = {
    **dict.fromkeys(("bdm", "n0", "n1", "n2", "bran"), "number"),
    **dict.fromkeys(("cp", "dpk", "dpr"), "integer"),
}
# Tables that are written while figures are computed, by the first part of their names: what their columns
# hold where it is no text. A name of an annotator can head a column of the last two.
WRITTEN: Mapping[str, Mapping[str, Type]] = {
    "tables/annotators": {**INTEGER, **CROWD, "dawid_skene_labelled": "integer"},
    "tables/bdm": CLOSENESS,
    "tables/comparisons-of-all": {**INTEGER, **AGREEMENT},
    "tables/controls": {**INTEGER, **CONTROLS, "rejected": "boolean"},
    "tables/dawid-skene": {"share": "number"},
    "tables/left-out": INTEGER,
    "tables/pairs": {**INTEGER, **AGREEMENT},
    "tables/spans": {**INTEGER, **OUTCOMES},
    "tables/spans-by-document": OUTCOMES,
    "tables/adjudication": {},
    "tables/disagreements": {},
}
# Their other columns are figures by how marks were matched.
FIGURE = re.compile(r"\w+\[(strict|lenient|average)\]")
OF_SPANS = ("tables/spans", "tables/spans-by-document")
# A row for each category and a column for each: their cells.
MATRICES: Mapping[str, Type] = {
    "tables/confusion": "integer",
    "tables/computed-distances-alpha": "number",
    "tables/computed-distances-kappa": "number",
}
# Counts of pairs of labels that are shared out among the raters of a unit, and so no whole numbers.
SHARED_OUT = ("tables/coincidences",)
# What the columns of counts say.
COUNTED: Mapping[str, str] = {
    "layer": "What was labelled, by its id in results.json.",
    "unit_set": "What counts as a unit, by its id in results.json.",
    "document": "The document; empty where each unit is its own.",
    "annotator": "Who gave the label.",
    "first": "One of two people.",
    "second": "The other one.",
    "label": "The label that the annotator gave.",
    "first_label": "What the first one said.",
    "second_label": "What the second one said.",
    "ratings": "Who said what of a unit, A01:Former|A02:New; a backslash stands before \\, | and : in names.",
    "profile": "How many gave a unit which label, Former:2|New:1; with a backslash as in ratings.",
    "bulk": "How many of these units are known as a number only.",
    "type": "The type of the marks.",
    "first_type": "The type of the first one's mark.",
    "second_type": "The type of the second one's mark.",
    "outcome": "Whether marks match or overlap, or one of the two alone made them; or tokens that both saw.",
    "kind": "How the marks of a pair meet.",
    "distance": "The distance between types by which a pair earns credit.",
    "n": "How many there are.",
}
KINDS: Mapping[str, Type] = {"text": "string", "count": "integer"}
PARTS: Mapping[str, Type] = {"units": "integer", "undefined": "string"}


@dataclass(frozen=True)
class FieldDescriptor:
    """A column as Table Schema has it."""

    name: str
    type: Type
    title: str = ""
    description: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """Return the field of a schema."""
        shown = {"title": self.title} if self.title and self.title != self.name else {}
        told = {"description": self.description} if self.description else {}
        return {"name": self.name, "type": self.type, **shown, **told}


def stem(path: str) -> str:
    """Return what kind of table a file is: its folder and the first part of its name."""
    found = re.match(r"[^.~]+", path)
    name = found[0] if found else path
    # The ids of layers and distances stand behind a hyphen in these.
    return next((each for each in ("tables/bdm", "tables/controls") if name.startswith(f"{each}-")), name)


def fields(path: str, head: Sequence[str], table: ReportTable | None) -> list[FieldDescriptor]:
    """Return the columns of a file below the report's folder; `table` is what the report knows of it."""
    kind = stem(path)
    if table is not None:
        shown = [field for column in table.columns for field in _fields_of(column, kind)]
        if [each.name for each in shown] == list(head):
            return shown
    if kind in MATRICES:
        return [
            FieldDescriptor(head[0], "string"),
            *(FieldDescriptor(name, MATRICES[kind]) for name in head[1:]),
        ]
    if kind.startswith("counts/"):
        return [
            FieldDescriptor(name, INTEGER.get(name, "string"), description=COUNTED.get(name, ""))
            for name in head
        ]
    known = WRITTEN.get(kind, {})
    return [FieldDescriptor(name, _type(kind, known, name)) for name in head]


def _type(kind: str, known: Mapping[str, Type], name: str) -> Type:
    figure = kind in OF_SPANS and FIGURE.fullmatch(name)
    return known.get(name, "number" if figure else "string")


def _fields_of(column: TableColumn, kind: str) -> Iterator[FieldDescriptor]:
    """Yield the fields of a column in a kind of table: an estimate has one for each of its parts."""
    shared_out = column.kind == "count" and kind in SHARED_OUT
    yield FieldDescriptor(
        column.key, "number" if shared_out else KINDS.get(column.kind, "number"), column.title
    )
    if column.kind == "estimate":
        for part in ESTIMATE_PARTS[1:]:
            yield FieldDescriptor(f"{column.key}_{part}", PARTS.get(part, "number"))


def words(table: ReportTable | None) -> list[str]:
    """Return what stands in columns of numbers without being one, such as "limit" at the end of a curve."""
    if table is None:
        return []
    places = [place for place, column in enumerate(table.columns) if column.kind != "text"]
    cells = (row[place] for row in table.rows for place in places)
    return sorted({each for each in cells if isinstance(each, str) and each})


# What the files of a bundle are: their media types, and names and descriptions of those that people read.

# By the end of the name; never what the system knows of types, which differs from one machine to the next.
MEDIA: Mapping[str, str] = {
    ".bib": "application/x-bibtex",
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".htm": "text/html",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".rdf": "application/rdf+xml",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
    ".tsv": "text/tab-separated-values",
    ".ttl": "text/turtle",
    ".txt": "text/plain",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xmi": "application/xml",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".zip": "application/zip",
}
UNKNOWN = "application/octet-stream"
# What is written in a language.
DESCRIBED_WRITTEN = ("text/html", "text/markdown", "image/svg+xml", "application/x-tex")
NO_ENDING = {files.CHECKSUMS: "text/plain"}

# Name and description of files, by their path in the bundle; in pages of another language likewise.
FILES: Mapping[str, tuple[str, str]] = {
    files.README: ("Read me first", "What this bundle holds, how to check it and how to recompute it."),
    files.CAMPAIGN: ("The campaign", "How figures were asked for; its exports are the counts of the report."),
    files.PARAGRAPH: ("Agreement in one paragraph", "At most 1,000 characters, for catalogues of resources."),
    files.METHODS: ("Methods", "How agreement was computed, with the works to cite."),
    files.CARD: ("Block for a dataset card", "Agreement and annotation process, for a README.md."),
    files.CITATION: ("Citation", "How to cite the report."),
    files.CROISSANT: ("Croissant metadata", "The annotation process and its agreement, for machines."),
    files.PACKAGE: ("Data package", "Every table of the report with its columns, for R and Python."),
    "report/index.html": ("Agreement report", "The report; it links the pages beside it."),
    "report/report.html": ("Agreement report in one file", "The report without any other file."),
    "report/report.md": ("Agreement report in Markdown", "The report as plain text."),
    "report/measures/index.html": ("Measures", "Each measure with its formula, its use and its source."),
    files.RESULTS: ("Results", "Every figure at full precision, with what it was computed from."),
    files.TEXTS: ("Texts", "The annotated texts with their marks."),
    "report/SHA256SUMS": ("Checksums of the report", "SHA-256 of each of its files."),
    "exports/pseudonyms.csv": ("Pseudonyms", "Who and what stands behind each pseudonym."),
    "exports/campaign.toml": ("The campaign as declared", "With the names that the exports have."),
}
# Descriptions of tables and counts, by the first part of their name.
TABLES: Mapping[str, str] = {
    "counts/annotators": "How many units of each document an annotator gave each label.",
    "counts/counts": "What was counted: unit sets with their annotators, their categories and their sizes.",
    "counts/comparisons": "How many units of each document have a label by somebody and one by a reference.",
    "counts/everybody": "How many units of each document have the same labels by people of any role.",
    "counts/pairs": "How many units of each document have a label by one annotator and one by another.",
    "counts/profiles": "How many units of each document have the same labels, whoever gave them.",
    "counts/ratings": "How many units of each document have the same labels by the same annotators.",
    "counts/spans": "What became of the marks of two people, by document and type.",
    "counts/type-pairs": "How many marks of two people overlap, by document and types.",
    "tables/adjudication": "Each disagreement with room for a decision and its cause.",
    "tables/adjudication-annotators": "How often each annotator had said what was decided.",
    "tables/adjudication-causes": "What disagreements came from, by category.",
    "tables/annotators": "How often each annotator gives the label of another, and what models make of that.",
    "tables/attendance": "What each annotator did with the documents: marked, left empty, skipped, not seen.",
    "tables/bdm": "How close categories stand in a taxonomy, by the balanced distance metric.",
    "tables/benchmarks": "Words of benchmark scales for each coefficient, with their probabilities.",
    "tables/blocks": "How often annotators give the label of another, by consecutive blocks of documents.",
    "tables/coefficients": "Every figure of every unit set with its interval.",
    "tables/coincidences": "How often labels meet on a unit, over all annotators.",
    "tables/comparisons": "Everybody who is no annotator, against the reference.",
    "tables/comparisons-by-category": "Everybody who is no annotator, against the reference, by category.",
    "tables/comparisons-of-all": "Everybody against every reference, where they are many.",
    "tables/computed-distances-alpha": "Distances between categories from this very table: their mean.",
    "tables/computed-distances-kappa": "Distances between categories from this very table: their product.",
    "tables/conditional-probabilities": "How probable a label is where somebody else gave another, P(C2|C1).",
    "tables/confusion": "Confusion matrix of two annotators: one in rows, the other in columns.",
    "tables/controls": "How often each annotator is right on control items.",
    "tables/dawid-skene": "How often an annotator is estimated to give a label where another is true.",
    "tables/dawid-skene-accuracy": "Each annotator's accuracy as the model of Dawid and Skene estimates it.",
    "tables/difficulty": "How many units there are of each degree of disagreement.",
    "tables/disagreements": "Each unit that annotators disagree on, with what everybody said.",
    "tables/distances": "Distances between categories.",
    "tables/explicit-implicit": "Agreement on what was marked, and on what was left unmarked.",
    "tables/hardest": "The units that annotators disagree on most.",
    "tables/inputs": "Files that the figures come from, with their checksums.",
    "tables/intra-annotator": "How far annotators agree with themselves when they annotate again.",
    "tables/left-out": "Marks that were read and not used, and why.",
    "tables/limits": "What figures tend to as the units that nobody marked grow without bound.",
    "tables/majority": "Each annotator against the commonest label of the others.",
    "tables/material": "How much was annotated, and how densely.",
    "tables/mark-disagreements": "Marks that annotators disagree on: other ends, another type, or none.",
    "tables/mark-habits": "Whose marks are longer where ends differ, and who makes more marks.",
    "tables/matrix": "A figure of every two annotators: one in rows, the other in columns.",
    "tables/mean-over-documents": "Figures as means over documents, beside those of all units pooled.",
    "tables/other-intervals": "95% intervals of each coefficient by several methods.",
    "tables/models": "May a model take an annotator's place? The alternative annotator test, model by model.",
    "tables/models-by-annotator": "Each model against each annotator: the alternative annotator test.",
    "tables/models-by-price": "The share of annotators whom each model beats, by the price of a person.",
    "tables/pairs": "Figures of each pair of annotators.",
    "tables/planning": "How many documents narrower intervals take.",
    "tables/prevalence": "The shares of the true categories as a model estimates them.",
    "tables/rejection": "Figures with and without the annotators who fail the control items.",
    "tables/releases": "Releases of each system against the reference, one beside the next.",
    "tables/releases-by-category": "Releases of each system against the reference, by category.",
    "tables/releases-by-document": "Releases of each system against the reference, by document.",
    "tables/set-distances": "Alpha of sets of labels under several distances between sets.",
    "tables/shares": "How many marks each category has, and which share of all that is.",
    "tables/size-curve": "Figures at each number of units that nobody marked.",
    "tables/spans": "What became of the marks of every two annotators: precision, recall and F-measure.",
    "tables/spans-by-document": "Precision, recall and F-measure of marks in texts, by pair and document.",
    "tables/spans-credit": "Precision, recall and F-measure where categories that are close earn credit.",
    "tables/specific-agreement": "Specific agreement of each category.",
    "tables/symmetry": "Tests that two annotators use the categories alike.",
    "tables/unit-sets": "What counts as a unit, and what was left out.",
    "tables/unitizing": "How annotators cut texts into units: alphas for unitizing of each layer.",
    "tables/unitizing-pairs": "How every two annotators cut texts into units.",
    "tables/units-by-annotators": "How many units were rated by how many annotators.",
}

# Of files beside the report, by their folder.
OTHERS: Mapping[str, str] = {
    "distances": "Distances between categories, declared by the campaign.",
    "exports": "A file that the figures come from.",
    "guidelines": "The guidelines that annotators followed.",
}
# Of other files of the report, by their folder there.
FOLDERS: Mapping[str, str] = {
    "coefficients": "Every figure of every unit set, and how it comes from its table.",
    "clarify": "What the guidelines should clarify, with examples.",
    "counts": "Counts that figures can be computed from anew.",
    "disagreements": "What annotators disagree about, one by one.",
    "documents": "The annotated documents.",
    "figures": "A drawing of the report.",
    "latex": "For papers: tables, methods, and the works that they cite.",
    "layers": "The evidence of one layer.",
    "measures": "Measures with their formulas, their use and their sources.",
    "pairs": "Figures of pairs of annotators.",
    "quality": "The quality of annotators and items.",
    "tables": "A table of the report.",
}


def media_type(path: str) -> str:
    """Return the media type of a file by the end of its name."""
    known = PurePosixPath(path)
    return NO_ENDING.get(known.name) or MEDIA.get(known.suffix.lower(), UNKNOWN)


def language_of(path: str, languages: Sequence[str]) -> str | None:
    """Return the language of a page of the report; None for what is the same in every language."""
    if not path.startswith(files.REPORT) or media_type(path) not in DESCRIBED_WRITTEN:
        return None
    folder = path.removeprefix(files.REPORT).partition("/")[0]
    return folder if folder in languages[1:] else languages[0]


def described(path: str, languages: Sequence[str]) -> tuple[str, str]:
    """Return the name and the description of a file; its path and nothing where it needs no more."""
    for other in languages[1:]:
        path = re.sub(rf"^{files.REPORT}{other}/", files.REPORT, path)
    own = path.removeprefix(files.REPORT)
    if path in FILES or own == path or not own.startswith(("counts/", "tables/")):
        return FILES.get(path) or _unnamed(path)
    return own, TABLES.get(stem(own)) or FOLDERS[own.partition("/")[0]]


def _unnamed(path: str) -> tuple[str, str]:
    """Return the name of a file that has none but its path, and what its folder holds."""
    if not path.startswith(files.REPORT):
        return path, OTHERS.get(path.partition("/")[0], "")
    name = path.removeprefix(files.REPORT)
    return name, FOLDERS.get(name.partition("/")[0], "")
