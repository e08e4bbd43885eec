"""datapackage.json: every table of the report with its columns (Frictionless Data Package 2)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.catalogue import ids_with
from reportgen.publish import bundle_files as files
from reportgen.publish.bundle_files import Released, as_json, columns_of, described, stem, without_empty
from reportgen.publish.label_table import COLUMNS
from reportgen.report.citation import report_title as title
from reportgen.report.linked_data import address, doi, orcid, present, spdx
from reportgen.report.material import scope
from reportgen.report.tables import ESTIMATE_PARTS, ReportTable, TableColumn

# The columns of tables and counts, by what each table is: never guessed from what is in its rows.

INTEGER: Mapping[str, str] = dict.fromkeys(
    ("bulk", "documents", "labelled", "line", "marks", "n", "right", "units"), "integer"
)
OUTCOMES: Mapping[str, str] = dict.fromkeys(("match", "overlap", "only_first", "only_second"), "integer")
AGREEMENT: Mapping[str, str] = dict.fromkeys(ids_with(lambda measure: measure.crowds), "number")
CROWD: Mapping[str, str] = dict.fromkeys(
    (
        *(f"{name}{end}" for name in ("agreement", "difference") for end in ("", "_low", "_high")),
        *("others", "p", "adjusted_p", "slope", "slope_p", "slope_adjusted_p"),
        *("dawid_skene_accuracy", "dawid_skene_blind"),
        *("pooled_accuracy", "pooled_low", "pooled_high"),
    ),
    "number",
)
CONTROLS: Mapping[str, str] = dict.fromkeys(("accuracy", "low", "high"), "number")
CLOSENESS: Mapping[str, str] = {
    **dict.fromkeys(("bdm", "n0", "n1", "n2", "bran"), "number"),
    **dict.fromkeys(("cp", "dpk", "dpr"), "integer"),
}
# Tables that are written while figures are computed, by the first part of their names: what their columns
# hold where it is no text. A name of an annotator can head a column of the last two.
WRITTEN: Mapping[str, Mapping[str, str]] = {
    "tables/annotators": {**INTEGER, **CROWD, "dawid_skene_labelled": "integer"},
    "tables/bdm": CLOSENESS,
    "tables/comparisons-of-all": {**INTEGER, **AGREEMENT},
    "tables/controls": {**INTEGER, **CONTROLS, "rejected": "boolean"},
    "tables/dawid-skene": {"share": "number"},
    "tables/left-out": INTEGER,
    "tables/pairs": {**INTEGER, **AGREEMENT},
    "tables/spans": {**INTEGER, **OUTCOMES},
    "tables/spans-by-document": OUTCOMES,
    "tables/spans-by-document-and-type": OUTCOMES,
}
# Their other columns are figures by how marks were matched.
FIGURE = re.compile(r"\w+\[(strict|lenient|average)\]")
OF_SPANS = ("tables/spans", "tables/spans-by-document", "tables/spans-by-document-and-type")
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
    "labels": "How often the annotator gave each label, in the order of counts.json.",
    "first_label": "What the first one said.",
    "second_label": "What the second one said.",
    "ratings": "Who said what of a unit, A01:Former|A02:New; a backslash is before \\, | and : in names.",
    "profile": "How many gave a unit which label, Former:2|New:1; with a backslash as in ratings.",
    "bulk": "How many of these units are known as a number only.",
    "type": "The type of the marks.",
    "first_type": "The type of the first one's mark.",
    "second_type": "The type of the second one's mark.",
    "outcome": "Whether marks match or overlap, or one of the two alone made them; or tokens that both saw.",
    "kind": "How the marks of a pair coincide.",
    "distance": "The distance between types by which a pair earns credit.",
    "n": "How many there are.",
}
KINDS: Mapping[str, str] = {"text": "string", "count": "integer"}
PARTS: Mapping[str, str] = {"units": "integer", "undefined": "string"}


# A column as Table Schema has it.
Descriptor = dict[str, str]


def fields(path: str, head: Sequence[str], table: ReportTable | None) -> list[Descriptor]:
    """Return the columns of a file below the report's folder; `table` is what the report knows of it."""
    if path in COLUMNS:
        columns = COLUMNS[path]
        return [
            {"name": name, "type": columns[name].type, "description": columns[name].description}
            for name in head
        ]
    kind = stem(path)
    shown = [field for column in table.columns for field in _fields_of(column, kind)] if table else []
    if shown and [field["name"] for field in shown] == list(head):
        return shown
    types: dict[str, str] = dict.fromkeys(head, "string")
    if kind.startswith("counts/"):
        types |= INTEGER
    else:
        types |= dict.fromkeys(filter(FIGURE.fullmatch, head), "number") if kind in OF_SPANS else {}
        types |= WRITTEN.get(kind, {})
    said = COUNTED if kind.startswith("counts/") else {}
    return [{"name": name, "type": types[name], "description": said.get(name, "")} for name in head]


def _fields_of(column: TableColumn, kind: str) -> Iterator[Descriptor]:
    """Yield the fields of a column in a kind of table: an estimate has one for each of its parts."""
    shared_out = column.kind == "count" and kind in SHARED_OUT
    own = "number" if shared_out else KINDS.get(column.kind, "number")
    yield {"name": column.key, "type": own, "title": column.title}
    for part in ESTIMATE_PARTS[1:] if column.kind == "estimate" else ():
        yield {"name": f"{column.key}_{part}", "type": PARTS.get(part, "number")}


def words(table: ReportTable) -> list[str]:
    """Return what is in columns of numbers without being one, such as "limit" at the end of a curve."""
    indices = [index for index, column in enumerate(table.columns) if column.kind != "text"]
    cells = (row[index] for row in table.rows for index in indices)
    return sorted({cell for cell in cells if isinstance(cell, str) and cell})


# The package, its people and its tables.

VERSION = "2.0"
SCHEMAS = f"https://datapackage.org/profiles/{VERSION}"
FOLDERS = (files.COUNTS, f"{files.REPORT}tables/", files.LABELS)
# Signs that names of packages and resources may have; others become hyphens.
FOREIGN = re.compile(r"[^a-z0-9._-]+")
MISSING = ""


def write(released: Released) -> str:
    """Return datapackage.json of the tables that a release holds."""
    results, corpus = released.results, released.results.campaign.corpus
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
    address_of_corpus = doi(corpus.get("doi")) or corpus.get("url")
    source = present(
        {"title": corpus.get("name"), "path": address_of_corpus, "version": corpus.get("version")}
    )
    # What the campaign does not tell is left out.
    lists = {
        "licenses": _licences(corpus.get("licence")),
        "sources": [source] if "name" in corpus else [],
        "contributors": [
            present({"title": author.name, "path": orcid(author), "organization": author.affiliation})
            | {"roles": ["author"]}
            for author in results.campaign.authors
        ],
    }
    return as_json({**package, **without_empty(lists), "resources": list(_resources(released))})


def _licences(declared: object) -> list[dict[str, Any]]:
    if not declared:
        return []
    if identifier := spdx(declared):
        return [{"name": identifier, "path": address(identifier)}]
    return [{"name": _name(str(declared)) or "other", "title": str(declared)}]


def _name(text: str) -> str:
    return FOREIGN.sub("-", text.lower()).strip("-")


def _resources(released: Released) -> Iterator[dict[str, Any]]:
    """Yield every CSV of the report's tables and counts, in the order of paths, each under its own name."""
    names = set[str]()
    for path in sorted(released.files):
        if path.startswith(FOLDERS) and path.endswith(".csv"):
            name = _unused(_name(path.removeprefix(files.REPORT).removesuffix(".csv")), names)
            yield _resource(released, path, name)


def _unused(name: str, names: set[str]) -> str:
    """Return a name that nothing else has, and have it taken."""
    number, unused = 1, name
    while unused in names:
        number, unused = number + 1, f"{name}-{number + 1}"
    names.add(unused)
    return unused


def _resource(released: Released, path: str, name: str) -> dict[str, Any]:
    content = released.files[path]
    # What the report knows of its tables: columns with their titles and kinds.
    table = released.tables.get(path)
    head = columns_of(content)
    description = (table.caption if table else "") or described(path, released)[1]
    # Where the first row can't name the columns, the schema alone does.
    plain = all(name and name == " ".join(name.split()) for name in head) and len({*head}) == len(head)
    return {
        **present({"name": name, "description": description}),
        **({} if plain else {"dialect": {"header": False, "commentRows": [1]}}),
        "path": path,
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": len(content),
        "hash": f"sha256:{released.digest(path)}",
        "schema": {
            "$schema": f"{SCHEMAS}/tableschema.json",
            "fields": list(_told_apart(fields(path.removeprefix(files.REPORT), head, table))),
            "missingValues": [MISSING, *(words(table) if table else ())],
        },
    }


def _told_apart(columns: Sequence[Descriptor]) -> Iterator[Descriptor]:
    """Yield columns each under a name of its own: a corner may be empty, or a category be called like it.

    What is empty is left out, and a title that is the name.
    """
    names = set[str]()
    for number, column in enumerate(columns, 1):
        name = _unused(column["name"] or f"column_{number}", names)
        shown = {**column, "name": name}
        yield {key: value for key, value in shown.items() if value and (key, value) != ("title", name)}
