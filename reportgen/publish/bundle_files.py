"""The files of a bundle: what they are called, what each is, and how metadata are written: JSON and YAML."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from reportgen.base import site_folder
from reportgen.base.files import checksum_list
from reportgen.results import Results

# What is known of a release while its files are written.


@dataclass(frozen=True)
class Released:
    """A version's results, and the bundle so far.

    - `languages` are those of its pages, the first of them in `report/` itself.
    - `date` is wherever a format demands one, as YYYY-MM-DD: the day of the release; None where nobody says
      it.
    - `files` has the bytes of what was written before, by its path in the bundle.
    """

    results: Results
    languages: tuple[str, ...]
    date: str | None
    files: Mapping[str, bytes]

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file."""
        return hashlib.sha256(self.files[name]).hexdigest()


# Where things are in a bundle, from its top.

# A version's folder as the site has it, with checksums of its own, standing alone: no link leads out of it.
REPORT = "report/"
PAGE = f"{REPORT}index.html"
RESULTS = f"{REPORT}results.json"
TEXTS = f"{REPORT}texts.json"
COUNTS = f"{REPORT}counts/"
# The campaign in its published form: the top of a bundle is a campaign's folder whose exports are its counts.
CAMPAIGN = "campaign.toml"
GUIDELINES = "guidelines/"
DISTANCES = "distances/"
# Only on request: the campaign as it was declared, with what the figures were computed from.
EXPORTS = "exports/"
# Who and what is called what in the report: kind, name, pseudonym.
PSEUDONYMS = f"{EXPORTS}pseudonyms.csv"
README = "README.md"
PARAGRAPH = "agreement.txt"
METHODS = "methods.md"
CARD = "dataset-card.md"
CITATION = "CITATION.cff"
CROISSANT = "croissant.json"
PACKAGE = "datapackage.json"
CRATE = "ro-crate-metadata.json"
# Of every other file of the bundle, in the order of their names.
CHECKSUMS = site_folder.CHECKSUMS


# What tells a statement of a report from a publisher's own: the report that it comes from, at its end.

# Identifiers of campaigns and versions hold none of these signs.
SIGNED = re.compile(r" \[agreement report ([A-Za-z0-9][A-Za-z0-9._-]*) ([A-Za-z0-9][A-Za-z0-9._-]*)\]$")


def signed(text: str, results: Results) -> str:
    """Return a statement with the campaign and the version whose report makes it."""
    return f"{text} [agreement report {results.campaign.id} {results.guidelines}]"


def campaign_of(text: object) -> str | None:
    """Return the campaign whose report made a statement, None where somebody else did."""
    match = SIGNED.search(text) if isinstance(text, str) else None
    return match[1] if match else None


# What a bundle has for publishers' own files, and what one of these becomes.


@dataclass(frozen=True)
class Offered:
    """What a bundle has for publishers: a card's blocks, fields of Croissant, a reference.

    `campaign` and `version` are whose; `link` is where the report stands, as seen from a card's folder, None
    where that is not known, and `name` how the bundle is called.
    """

    campaign: str
    version: str
    name: str
    blocks: dict[str, str]
    fields: dict[str, str | list[str]]
    conforms: tuple[str, ...]
    reference: dict[str, Any]


@dataclass
class Merged:
    """A publisher's file with what a bundle has for it; `kept` says what was left as it was, and why."""

    text: str
    kept: list[str] = field(default_factory=list)


# SHA256SUMS of a bundle.


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the checksums of files, given by path."""
    return checksum_list({name: hashlib.sha256(content).hexdigest() for name, content in files.items()})


def listed(sums: bytes) -> dict[str, str]:
    """Return the checksums that a list has, by name."""
    lines = sums.decode(errors="replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


# The columns of a table, and JSON as we write it.


def columns_of(table: bytes) -> list[str]:
    """Return the first row of a CSV, nothing of an empty one."""
    return next(csv.reader(io.StringIO(table.decode(), newline="")), [])


def as_json(content: Mapping[str, Any]) -> str:
    """Return JSON that is the same whenever it is written; raises ValueError for what is no number there."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1) + "\n"


def without_empty(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of something: without keys that have no value, or an empty list."""
    return {key: value for key, value in content.items() if value not in (None, [])}


# YAML as we write it: every text in double quotes, so that nothing in it is taken for anything else.

# The last code point that four digits can write.
LAST = 0xFFFF


def quoted(text: str) -> str:
    """Return a text in double quotes; what no YAML file may hold as it is, is written as its number."""
    return "".join(
        sign if sign.isprintable() else f"\\u{ord(sign):04x}" if ord(sign) <= LAST else f"\\U{ord(sign):08x}"
        for sign in json.dumps(text, ensure_ascii=False)
    )


def block(content: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a mapping of texts, numbers, mappings and lists of them."""
    for key, value in content.items():
        inner = f"{indent}  "
        if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
            yield f"{indent}{key}: {scalar(value)}"
        else:
            yield f"{indent}{key}:"
            yield from block(value, inner) if isinstance(value, Mapping) else items(value, inner)


def items(content: Sequence[Any], indent: str = "", dash: str = "- ") -> Iterator[str]:
    """Yield the lines of a list, each item behind its dash."""
    for item in content:
        if not isinstance(item, Mapping):
            yield f"{indent}{dash}{scalar(item)}"
            continue
        first, *others = block(item, indent + " " * len(dash))
        yield f"{indent}{dash}{first[len(indent) + len(dash) :]}"
        yield from others


def scalar(value: object) -> str:
    """Return a text in quotes, or a number."""
    return quoted(value) if isinstance(value, str) else json.dumps(value)


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
IN_A_LANGUAGE = ("text/html", "text/markdown", "image/svg+xml", "application/x-tex")
NO_ENDING = {CHECKSUMS: "text/plain"}

# Name and description of files, by their path in the bundle; in pages of another language likewise.
FILES: Mapping[str, tuple[str, str]] = {
    README: ("Read me first", "What is in this bundle, how to check it and how to recompute it."),
    CAMPAIGN: ("The campaign", "How figures were asked for; its exports are the counts of the report."),
    PARAGRAPH: ("Agreement in one paragraph", "At most 1,000 characters, for catalogues of resources."),
    METHODS: ("Methods", "How agreement was computed, with the works to cite."),
    CARD: ("Block for a dataset card", "Agreement and annotation process, for a README.md."),
    CITATION: ("Citation", "How to cite the report."),
    CROISSANT: ("Croissant metadata", "The annotation process and its agreement, for machines."),
    PACKAGE: ("Data package", "Every table of the report with its columns, for R and Python."),
    "report/index.html": ("Agreement report", "The report; it links the pages beside it."),
    "report/report.html": ("Agreement report in one file", "The report without any other file."),
    "report/report.md": ("Agreement report in Markdown", "The report as plain text."),
    "report/measures/index.html": ("Measures", "Each measure with its formula, its use and its source."),
    RESULTS: ("Results", "Every figure at full precision, with what it was computed from."),
    TEXTS: ("Texts", "The annotated texts with their marks."),
    "report/SHA256SUMS": ("Checksums of the report", "SHA-256 of each of its files."),
    "exports/pseudonyms.csv": ("Pseudonyms", "Who and what each pseudonym is."),
    "exports/campaign.toml": ("The campaign as declared", "With the names that the exports have."),
}
# Descriptions of tables and counts, by the first part of their name.
TABLES: Mapping[str, str] = {
    "counts/annotators": "How many units of each document an annotator gave each label.",
    "counts/counts": "What was counted: unit sets with their annotators, their categories and their sizes.",
    "counts/comparisons": "How many units of each document have a label by somebody and one by a reference.",
    "counts/everybody": "How many units of each document have the same labels by people of any role.",
    "counts/pairs": "How many units of each document have a label by one annotator and one by another.",
    "counts/profiles": "How many units of each document have the same labels, no matter whose.",
    "counts/ratings": "How many units of each document have the same labels by the same annotators.",
    "counts/spans": "What became of the marks of two people, by document and type.",
    "counts/type-pairs": "How many marks of two people overlap, by document and types.",
    "tables/adjudication": "Each disagreement with room for a decision and its cause.",
    "tables/adjudication-annotators": "How often each annotator had said what was decided.",
    "tables/adjudication-causes": "What disagreements came from, by category.",
    "tables/aggregate": "How reliable the labels of several annotators are together, by their number.",
    "tables/annotators": "How often each annotator gives the label of another, and what models make of that.",
    "tables/attendance": "What each annotator did with the documents: marked, left empty, skipped, not seen.",
    "tables/bdm": "How close categories are in a taxonomy, by the balanced distance metric.",
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
    "tables/label-confusions": "Which labels annotators chose instead of which others on the same units.",
    "tables/labels-by-size": "Alpha of each label against the rest in every unit set, and its limit.",
    "tables/left-out": "Marks that were read and not used, and why.",
    "tables/limits": "What figures tend to as the units that nobody marked grow without bound.",
    "tables/majority": "Each annotator against the commonest label of the others.",
    "tables/material": "How much was annotated, and how densely.",
    "tables/mark-disagreements": "Marks that annotators disagree on: other ends, another type, or none.",
    "tables/mark-distances": "How far apart marks of one label begin and end, in characters or milliseconds.",
    "tables/mark-habits": "Whose marks are longer where ends differ, and who makes more marks.",
    "tables/matrix": "A figure of every two annotators: one in rows, the other in columns.",
    "tables/mean-over-documents": "Figures as means over documents, beside those of all units pooled.",
    "tables/other-intervals": "95% intervals of each coefficient by several methods.",
    "tables/models": "May a model take an annotator's place? The alternative annotator test, model by model.",
    "tables/models-by-annotator": "Each model against each annotator: the alternative annotator test.",
    "tables/models-by-category": "Where models and annotators part, beside how annotators do, by category.",
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
    "counts": "Counts that figures can be recomputed from.",
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
    file = PurePosixPath(path)
    return NO_ENDING.get(file.name) or MEDIA.get(file.suffix.lower(), UNKNOWN)


def language_of(path: str, languages: Sequence[str]) -> str | None:
    """Return the language of a page of the report; None for what is the same in every language."""
    if not path.startswith(REPORT) or media_type(path) not in IN_A_LANGUAGE:
        return None
    folder = path.removeprefix(REPORT).partition("/")[0]
    return folder if folder in languages[1:] else languages[0]


def described(path: str, languages: Sequence[str]) -> tuple[str, str]:
    """Return the name and the description of a file; its path and nothing where it needs no more."""
    for other in languages[1:]:
        path = re.sub(rf"^{REPORT}{other}/", REPORT, path)
    own = path.removeprefix(REPORT)
    folders = OTHERS if own == path else FOLDERS
    table = TABLES.get(stem(own)) if own != path and own.startswith(("counts/", "tables/")) else None
    return FILES.get(path) or (own, table or folders.get(own.partition("/")[0], ""))


def stem(path: str) -> str:
    """Return what kind of table a file is: its folder and the first part of its name."""
    name = re.split(r"[.~]", path, maxsplit=1)[0] or path
    # The ids of layers and distances follow a hyphen in these.
    return next(
        (prefix for prefix in ("tables/bdm", "tables/controls") if name.startswith(f"{prefix}-")), name
    )
