"""datapackage.json: every table of the report with its columns (Frictionless Data Package 2)."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from reportgen.publish import bundle_files as files
from reportgen.publish.bundle_files import Released, as_json, columns_of, described, stem
from reportgen.report.citation import address, spdx
from reportgen.report.citation import report_title as title
from reportgen.report.linked_data import doi, orcid, present
from reportgen.report.material import scope
from reportgen.report.tables import ESTIMATE_PARTS, ReportTable, TableColumn
from reportgen.report.view import ReportView
from reportgen.results import Author, Results
from reportgen.results.texts import Texts

# The columns of tables and counts, by what each table is: never guessed from what is in its rows.

Type = Literal["string", "integer", "number", "boolean"]
STRING: Type = "string"

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
    "ratings": "Who said what of a unit, A01:Former|A02:New; a backslash is before \\, | and : in names.",
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
        """Return the field of a schema, without a title that is its name, and what is empty."""
        return {
            key: value for key, value in vars(self).items() if value and (key, value) != ("title", self.name)
        }


def fields(path: str, head: Sequence[str], table: ReportTable | None) -> list[FieldDescriptor]:
    """Return the columns of a file below the report's folder; `table` is what the report knows of it."""
    kind = stem(path)
    if table is not None:
        shown = [field for column in table.columns for field in _fields_of(column, kind)]
        if [each.name for each in shown] == list(head):
            return shown
    if kind in MATRICES:
        corner, *others = head
        cells = [FieldDescriptor(name, MATRICES[kind]) for name in others]
        return [FieldDescriptor(corner, "string"), *cells]
    of_counts = kind.startswith("counts/")
    known = INTEGER if of_counts else WRITTEN.get(kind, {})
    figures: Mapping[str, Type] = {
        name: "number" for name in head if kind in OF_SPANS and FIGURE.fullmatch(name)
    }
    types = {**dict.fromkeys(head, STRING), **figures, **known}
    return [
        FieldDescriptor(name, types[name], description=COUNTED.get(name, "") if of_counts else "")
        for name in head
    ]


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
    """Return what is in columns of numbers without being one, such as "limit" at the end of a curve."""
    if table is None:
        return []
    places = [place for place, column in enumerate(table.columns) if column.kind != "text"]
    cells = (row[place] for row in table.rows for place in places)
    return sorted({each for each in cells if isinstance(each, str) and each})


# The package, its people and its tables.

VERSION = "2.0"
SCHEMAS = f"https://datapackage.org/profiles/{VERSION}"
FOLDERS = (files.COUNTS, f"{files.REPORT}tables/")
# Signs that names of packages and resources may have; others become hyphens.
FOREIGN = re.compile(r"[^a-z0-9._-]+")
MISSING = ""


def write(released: Released) -> str:
    """Return datapackage.json of the tables that a release holds."""
    results = released.results
    package = present(
        {
            "$schema": f"{SCHEMAS}/datapackage.json",
            "name": _name(f"{results.campaign.id}-{results.guidelines}"),
            "title": title(results),
            "description": scope(results),
            "version": results.guidelines,
            "created": f"{released.date}T00:00:00Z" if released.date else None,
        }
    )
    lists = {
        "licenses": _licences(results),
        "sources": _sources(results),
        "contributors": list(map(_contributor, results.campaign.authors)),
        "resources": list(_resources(released)),
    }
    # What the campaign does not tell is left out.
    package |= {key: value for key, value in lists.items() if value or key == "resources"}
    return as_json(package)


def _licences(results: Results) -> list[dict[str, Any]]:
    declared = results.campaign.corpus.get("licence")
    if not declared:
        return []
    known = spdx(declared)
    if known:
        return [{"name": known, "path": address(known)}]
    return [{"name": _name(str(declared)) or "other", "title": str(declared)}]


def _sources(results: Results) -> list[dict[str, Any]]:
    corpus = results.campaign.corpus
    if "name" not in corpus:
        return []
    place = doi(corpus.get("doi")) or corpus.get("url")
    return [present({"title": corpus["name"], "path": place, "version": corpus.get("version")})]


def _contributor(author: Author) -> dict[str, Any]:
    known = {"title": author.name, "path": orcid(author), "organization": author.affiliation}
    return {**present(known), "roles": ["author"]}


def _name(text: str) -> str:
    return FOREIGN.sub("-", text.lower()).strip("-")


def _resources(released: Released) -> Iterator[dict[str, Any]]:
    """Yield every CSV of the report's tables and counts, in the order of paths, each under its own name."""
    known, taken = _tables(released), set[str]()
    for path in sorted(released.files):
        if path.startswith(FOLDERS) and path.endswith(".csv"):
            name = _unused(_name(path.removeprefix(files.REPORT).removesuffix(".csv")), taken)
            taken.add(name)
            yield _resource(released, path, name, known.get(path))


def _unused(name: str, taken: set[str]) -> str:
    number, found = 1, name
    while found in taken:
        number, found = number + 1, f"{name}-{number + 1}"
    return found


def _tables(released: Released) -> dict[str, ReportTable]:
    """Return what the report knows of its tables, by path: columns with their titles and kinds."""
    texts = released.files.get(files.TEXTS)
    view = ReportView(released.results, Texts.model_validate_json(texts) if texts else None)
    return {f"{files.REPORT}tables/{each.file}": each for each in view.tables() if each.file}


def _resource(released: Released, path: str, name: str, table: ReportTable | None) -> dict[str, Any]:
    content = released.files[path]
    head = columns_of(content)
    description = (table.caption if table else "") or described(path, released.languages)[1]
    found = _told_apart(fields(path.removeprefix(files.REPORT), head, table))
    return {
        **present({"name": name, "description": description}),
        **_dialect(head),
        "path": path,
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "schema": {
            "$schema": f"{SCHEMAS}/tableschema.json",
            "fields": [each.schema for each in found],
            "missingValues": [MISSING, *words(table)],
        },
    }


def _dialect(head: Sequence[str]) -> Mapping[str, Any]:
    """Return how a CSV is read whose first row can't name the columns: without it, the schema names them."""
    plain = all(each and each == " ".join(each.split()) for each in head) and len({*head}) == len(head)
    return {} if plain else {"dialect": {"header": False, "commentRows": [1]}}


def _told_apart(found: Sequence[FieldDescriptor]) -> Iterator[FieldDescriptor]:
    """Yield columns each under a name of its own: a corner may be empty, or a category be called like it."""
    taken: set[str] = set()
    for place, each in enumerate(found, 1):
        name = _unused(each.name or f"column_{place}", taken)
        taken.add(name)
        yield replace(each, name=name)
