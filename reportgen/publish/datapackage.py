"""datapackage.json: every table of the report with its columns (Frictionless Data Package 2)."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportgen.publish import files
from reportgen.publish.descriptions import FieldDescriptor, described, fields, words
from reportgen.publish.files import Released
from reportgen.report.citation import address, spdx
from reportgen.report.linked_data import doi, orcid, present, title
from reportgen.report.material import scope
from reportgen.report.tables import ReportTable
from reportgen.report.view import ReportView
from reportgen.results import Author, Results
from reportgen.results.texts import Texts

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
    package |= _lists(results)
    package["resources"] = list(_resources(released))
    return json.dumps(package, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1) + "\n"


def _lists(results: Results) -> dict[str, Any]:
    """Return licence, source and people, without what the campaign does not tell."""
    found = {
        "licenses": _licences(results),
        "sources": _sources(results),
        "contributors": list(map(_contributor, results.campaign.authors)),
    }
    return {key: value for key, value in found.items() if value}


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
    head = next(csv.reader(io.StringIO(content.decode(), newline="")), [])
    description = (table.caption if table else "") or described(path, released.languages)[1]
    found = fields(path.removeprefix(files.REPORT), head, table)
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
            "fields": [each.schema for each in _told_apart(found)],
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
