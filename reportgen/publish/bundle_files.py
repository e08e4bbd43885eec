"""The files of a bundle: names and kinds, metadata as JSON and YAML, the archive written and read."""

import csv
import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem
from reportgen.base.files import checksum_list
from reportgen.readers.untrusted import DAMAGED
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


# A bundle as one file: entries sorted, stored without compression, with one date and one mode.

# The first moment that a zip file can hold: entries have no time of their own.
MOMENT = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3


def as_zip(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip file that holds files, given by path: the same on every machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system, entry.external_attr = UNIX, MODE
            archive.writestr(entry, files[name])
    return buffer.getvalue()


# Where a bundle goes: a zip file or a folder, whole or not at all, in the place of nothing but a bundle.

ZIP = ".zip"
OTHER = "Choose another name with --out."
BESIDE = "Choose a place beside it with --out."
OUTSIDE = "Choose a place outside of it with --out."
# What is read of a zip file to tell whether it is one of ours: a list of checksums, and each entry in parts.
LONGEST_LIST = 50_000_000
PART = 1 << 20


def is_zip(out: Path) -> bool:
    """Tell whether a bundle goes into one file."""
    return out.suffix.lower() == ZIP


def obstacles(out: Path, campaign: Path) -> list[Problem]:
    """Return why a bundle of a campaign can't go to `out`: nothing where that is new, or a bundle of ours."""
    obstacle = site_folder.first_obstacle(
        out, lambda target: _in_the_way(out, target, campaign.resolve()), OTHER
    )
    return obstacle or ([] if is_zip(out) else site_folder.refusals(out, stranger))


def write_bundle(out: Path, files: Mapping[str, bytes]) -> str | None:
    """Write a bundle; return the SHA-256 of its file, None of a folder. Raises BadInput where it can't be."""
    if is_zip(out):
        content = as_zip(files)
        site_folder.write_file(out, content)
        return hashlib.sha256(content).hexdigest()
    with site_folder.replacing(out, stranger) as folder:
        site_folder.write_below(folder, files)
        # Modes are the same whatever the umask.
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    return None


def _in_the_way(out: Path, target: Path, campaign: Path) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    if not out.name:
        yield "names no file.", "Name FILE.zip or a new folder with --out."
    if target.is_relative_to(campaign):
        yield f"lies in the campaign's folder {campaign.name}.", BESIDE
    elif campaign.is_relative_to(target):
        yield f"contains the campaign's folder {campaign.name}.", BESIDE
    if any((above / site_folder.MEMORY).exists() for above in target.parents):
        yield "lies in a site, which the next build replaces.", OUTSIDE
    if (target / site_folder.MEMORY).exists():
        yield "is a site.", OUTSIDE
    if any((above / CHECKSUMS).exists() and (above / RESULTS).exists() for above in target.parents):
        yield "lies in a bundle.", OUTSIDE
    if is_zip(out):
        yield from _in_the_way_of_a_file(target)
    elif target.is_file():
        yield "is a file.", "Name a file that ends in .zip, or a folder."


def _in_the_way_of_a_file(target: Path) -> Iterator[tuple[str, str]]:
    if target.is_dir():
        yield "is a folder, and its name that of a file.", "Choose FILE.zip, or a folder without .zip."
    elif target.exists() and not target.is_file():
        yield "is not a file that can be replaced.", OTHER
    elif target.exists() and not _is_bundle(target):
        yield "is not a bundle as reportgen wrote it.", f"Remove it first, or c{OTHER[1:]}"
    yield from site_folder.unwritable(target, OTHER)


# What is a bundle of ours


def stranger(folder: Path) -> str | None:
    """Return the name of a file in a folder that no bundle of ours has, or has with other bytes."""
    sums, page = folder / CHECKSUMS, folder / PAGE
    ours = (
        listed(sums.read_bytes()) if sums.is_file() and page.is_file() and _is_page(page.read_bytes()) else {}
    )

    def foreign(path: Path) -> bool:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or path.is_dir() or path.name in site_folder.LITTER:
            return path.is_symlink()
        if name == CHECKSUMS:
            return not ours
        # What no list names is not read: it may be large, or nothing that ends, as a pipe.
        return name not in ours or hashlib.sha256(path.read_bytes()).hexdigest() != ours[name]

    def stop(error: OSError) -> None:
        raise error

    for above, folders, files in os.walk(folder, onerror=stop):
        for name in sorted((*folders, *files)):
            if foreign(Path(above) / name):
                return (Path(above) / name).relative_to(folder).as_posix()
    return None


def _is_page(content: bytes) -> bool:
    return site_folder.MARK.encode() in content[:PART]


def _is_bundle(file: Path) -> bool:
    """Tell whether a zip file holds a bundle of ours, as it was written: nothing is unpacked to find out."""
    with file.open("rb") as opened:
        try:
            return _holds_bundle(zipfile.ZipFile(opened))
        except (*DAMAGED, RuntimeError):  # the last of a member that wants a password
            return False


def _holds_bundle(archive: zipfile.ZipFile) -> bool:
    entries = {entry.filename: entry for entry in archive.infolist()}
    stored = all(
        (entry.compress_type, entry.compress_size) == (zipfile.ZIP_STORED, entry.file_size)
        for entry in entries.values()
    )
    if not stored or not {CHECKSUMS, PAGE} <= entries.keys() or entries[CHECKSUMS].file_size > LONGEST_LIST:
        return False
    ours = listed(archive.read(CHECKSUMS))
    with archive.open(PAGE) as page:
        if entries.keys() != {*ours, CHECKSUMS} or not _is_page(page.read(PART)):
            return False
    for name, digest in ours.items():
        with archive.open(name) as file:
            # It reads alone.
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:  # type: ignore[arg-type]
                return False
    return True
