"""The files of a bundle: what they are called, what each is, and how metadata are written: JSON and YAML."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import PurePosixPath
from typing import Any

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.files import checksum_list
from reportgen.report.blocks import tables_in
from reportgen.report.sections import whole
from reportgen.report.tables import ReportTable
from reportgen.report.view import ReportView
from reportgen.results import Results, from_json
from reportgen.results.texts import Texts

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
    _tables: dict[str, ReportTable] = field(default_factory=dict)

    @property
    def tables(self) -> Mapping[str, ReportTable]:
        """Return what the report knows of its tables, by the path of each; made once for all writers."""
        if not self._tables:
            texts = self.files.get(TEXTS)
            view = ReportView(self.results, from_json(Texts, texts) if texts else None)
            self._tables.update((f"{REPORT}tables/{table.file}", table) for table in tables_in(whole(view)))
        return self._tables

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
# Who gave which label to which unit, and what most said of each, unless labels are withheld.
LABELS = "labels/"
LABEL_TABLE, AGGREGATED = f"{LABELS}labels.csv", f"{LABELS}labels-aggregated.csv"
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
CRATE = "ro-crate-metadata.json"
# Of every other file of the bundle, in the order of their names.
CHECKSUMS = site_folder.CHECKSUMS


# What tells a statement of a report from a publisher's own.


def signed(text: str, results: Results) -> str:
    """Return a statement with the campaign and the version whose report makes it."""
    return f"{text} [agreement report {results.campaign.id} {results.guidelines}]"


def json_lines(name: str) -> str:
    """Return what a table of labels is called as JSON lines, which keep a label "None" for every reader."""
    return f"{name.removesuffix('.csv')}.jsonl"


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


def first_keys(lines: bytes) -> list[str]:
    """Return the keys of the first of some JSON lines, nothing where there are none."""
    first = lines.partition(b"\n")[0]
    return [*json.loads(first)] if first else []


def as_json(content: Mapping[str, Any]) -> str:
    """Return JSON that is the same whenever it is written; raises ValueError for what is no number there."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1) + "\n"


def without_empty(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of something: without keys that have no value, or an empty list."""
    return {key: value for key, value in content.items() if value not in (None, [])}


def parquet(columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> bytes:
    """Return a table as Parquet; each column is "string", "integer", "number" or "boolean"."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
    arrays = [pa.array(cells, kinds[types[name]]) for name, cells in columns.items()]
    buffer = io.BytesIO()
    # Nothing is compressed, so that a search of the bundle for names finds all that it holds.
    pq.write_table(pa.table(arrays, names=[*columns]), buffer, compression="none")
    return buffer.getvalue()


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


def items(content: Sequence[Any], indent: str) -> Iterator[str]:
    """Yield the lines of a list, each item behind its dash."""
    for item in content:
        if not isinstance(item, Mapping):
            yield f"{indent}- {scalar(item)}"
            continue
        first, *others = block(item, f"{indent}  ")
        yield f"{indent}- {first[len(indent) + 2 :]}"
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
    LABEL_TABLE: ("Labels", "Who gave which label to which unit: a row for each label."),
    f"{LABELS}labels.jsonl": ("Labels as JSON lines", "The same as labels.csv, for `datasets`."),
    f"{LABELS}labels-aggregated.jsonl": ("Aggregated labels as JSON lines", "The same as the CSV."),
    AGGREGATED: ("Aggregated labels", "How many gave a unit each label, and which label most gave."),
    "report/index.html": ("Agreement report", "The report; it links the pages beside it."),
    "report/report.html": ("Agreement report in one file", "The report without any other file."),
    "report/report.md": ("Agreement report in Markdown", "The report as plain text."),
    "report/measures/index.html": ("Measures", "Each measure with its formula, its use and its source."),
    "report/checklists/index.html": ("Checklists", "What reviewers ask, what is answered and what is open."),
    "report/checklists.md": ("Checklists in Markdown", "The same as plain text."),
    RESULTS: ("Results", "Every figure at full precision, with what it was computed from."),
    TEXTS: ("Texts", "The annotated texts with their marks."),
    "report/SHA256SUMS": ("Checksums of the report", "SHA-256 of each of its files."),
    "exports/pseudonyms.csv": ("Pseudonyms", "Who and what each pseudonym is."),
    "exports/campaign.toml": ("The campaign as declared", "With the names that the exports have."),
}
# Descriptions of counts, and of tables that are written while figures are computed, by the first part of
# their name; other tables say themselves what they are.
TABLES: Mapping[str, str] = {
    "counts/annotators": "How many units of each document an annotator gave each label.",
    "counts/counts": "What was counted: unit sets with their annotators, their categories and their sizes.",
    "counts/comparisons": "How many units of each document have a label by somebody and one by a reference.",
    "counts/everybody": "How many units of each document have the same labels by people of any role.",
    "counts/pairs": "How many units of each document have a label by one annotator and one by another.",
    "counts/profiles": "How many units of each document have the same labels, no matter whose.",
    "counts/ratings": "How many units of each document have the same labels by the same annotators.",
    "counts/spans": "What became of the marks of two people, by document and type.",
    "counts/sums": "How often two labels meet on the units of a document, and of two annotators.",
    "counts/type-pairs": "How many marks of two people overlap, by document and types.",
    "tables/adjudication": "Each disagreement with room for a decision and its cause.",
    "tables/bdm": "How close categories are in a taxonomy, by the balanced distance metric.",
    "tables/comparisons-of-all": "Everybody against every reference, where they are many.",
    "tables/dawid-skene": "How often an annotator is estimated to give a label where another is true.",
    "tables/pairs": "Figures of each pair of annotators.",
    "tables/spans-by-document-and-type": "What became of the marks of each type in each document.",
}

# Of files beside the report, by their folder.
OTHERS: Mapping[str, str] = {
    "distances": "Distances between categories, declared by the campaign.",
    "exports": "A file that the figures come from.",
    "guidelines": "The guidelines that annotators followed.",
    "labels": "Labels of units, with whoever gave them.",
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


def described(path: str, released: Released) -> tuple[str, str]:
    """Return the name and the description of a file; its path and nothing where it needs no more."""
    table = released.tables.get(path)
    for other in released.languages[1:]:
        path = re.sub(rf"^{REPORT}{other}/", REPORT, path)
    own = path.removeprefix(REPORT)
    folders = OTHERS if own == path else FOLDERS
    what = (table and table.what) or (TABLES.get(stem(own)) if own != path else None)
    return FILES.get(path) or (own, what or folders.get(own.partition("/")[0], ""))


def stem(path: str) -> str:
    """Return what kind of table a file is: its folder and the first part of its name."""
    name = re.split(r"[.~]", path, maxsplit=1)[0] or path
    # The ids of layers and distances follow a hyphen in these.
    return next(
        (prefix for prefix in ("tables/bdm", "tables/controls") if name.startswith(f"{prefix}-")), name
    )
