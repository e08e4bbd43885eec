"""A campaign whose every text is an attack: what pages, Markdown and figures have to show and not to run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.commands import on_disk

LONG_WORD = "Donaudampfschiffahrt" * 12
ATTACK = (
    "<script>ran(1)</script><img src=x onerror=ran(2)>\" onmouseover=\"ran(3)' onfocus='ran(4) "
    "`x` $x$ $\\frac$ | **b** _i_ {{ 7*7 }} {% raw %} {named} {0} {__class__.__mro__} "
    "[l](javascript:ran(5)) ![i](http://x.invalid/i) <a href=javascript:ran(6)>k</a> "
    "</title></style></textarea><svg onload=ran(7)> &lt;b&gt; &amp; # * 1. --> "
    "\u202eright to left\u202c \u05d0\u05d1\u05d2 ]]> \\[ ~~s~~ http://x.invalid/auto"
)
# What stands in names of files and columns: no "/" and no line break.
SHORT = '<img src=x onerror=ran(8)>|$y${{ 7*7 }}"onx="{named}'
LINES = f"line\nbreak {SHORT}"
NONE = f"none {SHORT}"
HTML = "# why\n\n<script>\nran(14)\n</script>\n<div onclick=ran(15)>\n\n<svg><script>ran(16)</script></svg>"
ADDRESS = '"><script>ran(9)</script><a/onclick=ran(10)>'
PEOPLE = (f"<script>ran(20)</script>Ann {SHORT}", f"Bob {ATTACK}".replace("\\", "/"), "Cid\n\n# | x")
# The fields of campaign.toml whose text stands on the report's page as it is written.
PLAIN = {
    "corpus": ("name", "version", "licence", "sampled"),
    "protocol": (
        *("tool", "pre_annotated_by", "training", "recruitment", "pay", "adjudication"),
        *("demographics", "expertise", "consent", "ethics"),
    ),
}
# Fields whose text stands on the page of checklists alone.
OF_CHECKLISTS = ("purpose", "source", "contact", "limitations", "uses", "comments")


def attack(where: str) -> str:
    """Return the attack that stands in a field."""
    return f"{where} {ATTACK} {LONG_WORD}"


ABOUT: dict[str, Any] = {
    "title": attack("title"),
    "language": ["en", "fr"],
    "privacy": {"annotators": "names"},
    "corpus": {
        **{name: attack(f"corpus {name}") for name in (*PLAIN["corpus"], *OF_CHECKLISTS)},
        "url": f"https://x.invalid/{ADDRESS}",
        "doi": f"10.1234/{ADDRESS}",
        "documents": 12,
        "tokens": 400,
    },
    "authors": [
        {"name": attack("author"), "affiliation": attack("affiliation")},
        {"name": "Second\n\n# Author", "orcid": "0000-0002-1825-0097"},
    ],
    "protocol": {
        **{name: attack(f"protocol {name}") for name in PLAIN["protocol"]},
        "independent": False,
        "minutes_per_document": 2.5,
    },
    "references": [
        {
            "title": attack("work"),
            "authors": [attack("its author")],
            "year": 1999,
            "doi": f"10.1234/{ADDRESS}",
        }
    ],
}
MARKS = ABOUT | {
    "task": {"categories": [attack("category"), LINES], "non_annotated": NONE},
    "unit_sets": [
        {"id": "items", "units": "items", "why": attack("why")},
        {"id": "declared", "units": "declared", "size": 500, "why": HTML},
        {"id": "all", "units": "annotated-by-all"},
    ],
    "distances": [{"id": "expert", "file": f"distances/{SHORT}.csv", "why": attack("distance")}],
}


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _campaign(content: dict[str, Any], *versions: dict[str, Any]) -> str:
    own = {"exports": "exports", "changes": attack("changes")}
    guidelines = [{"version": f"{place}.0", **own, **each} for place, each in enumerate(versions, 1)]
    return "".join(f"{key} = {_toml(each)}\n" for key, each in (content | {"guidelines": guidelines}).items())


def as_csv(rows: list[list[str]]) -> str:
    """Return rows as CSV with every cell in quotation marks."""
    return "".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


def _matrix(corner: str, cells: list[list[str]]) -> str:
    names = [attack("category"), LINES, NONE]
    return as_csv([[corner, *names], *([name, *row] for name, row in zip(names, cells, strict=True))])


def _ratings() -> str:
    names = [attack("category"), LINES, NONE]
    rows = [[f"doc {SHORT}", f"unit {SHORT}", f"who {SHORT}", f"what {SHORT}"]]
    for unit in range(36):
        for place, person in enumerate(PEOPLE):
            label = names[(unit + (place == unit % 5)) % 3]
            rows.append([attack(f"document {unit % 12}"), f"{unit} {ATTACK}", person, label])
    again = [attack("document 0"), f"0 {ATTACK}", PEOPLE[0], NONE]
    return as_csv([*rows, again])


def write(root: Path) -> None:
    """Write two campaigns: marks, a matrix under two versions, and long, ratings by three annotators."""
    counts = [["31", "4", "3"], ["5", "22", "2"], ["3", "1", "60"]]
    distances = [["0", "0.5", "1"], ["0.5", "0", "1"], ["1", "1", "0"]]
    columns = {
        "document": f"doc {SHORT}",
        "unit": f"unit {SHORT}",
        "annotator": f"who {SHORT}",
        "label": f"what {SHORT}",
    }
    written = {
        "marks/campaign.toml": _campaign(
            MARKS, {"date": "2026-01-02"}, {"date": "2026-02-03", "released": "2026-02-04"}
        ),
        f"marks/exports/{SHORT}.csv": _matrix(f"{PEOPLE[0]}\\{PEOPLE[1]}", counts),
        f"marks/exports/unread {SHORT}.xyz": "{}",
        f"marks/distances/{SHORT}.csv": _matrix("", distances),
        "long/campaign.toml": _campaign(ABOUT | {"title": attack("long")}, {"columns": columns}),
        f"long/exports/{SHORT}.csv": _ratings(),
    }
    on_disk(root, written)
