"""A hook of MkDocs: what the program says of itself takes the place of a mark in a page.

`<!-- reportgen formats --markdown -->` is what this prints; `<!-- keys of campaign.toml -->`, its keys.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

MARK = re.compile(r"^<!-- (?:reportgen (.+)|keys of campaign\.toml) -->$", re.MULTILINE)
# The lists of reviewers, as a column of the tables calls them.
ASKING = {
    "acl": "ACL",
    "datasheet": "Datasheet",
    "data-statement": "Data statement",
    "croissant-rai": "Croissant",
}


def on_page_markdown(markdown: str, **_page: object) -> str:
    """Return a page with what is generated, but for its title, which the page has already."""

    def written(mark: re.Match[str]) -> str:
        return re.sub(r"\A# .*\n", "", printed(*mark[1].split()) if mark[1] else "\n".join(keys()))

    return MARK.sub(written, markdown)


def printed(*arguments: str) -> str:
    """Return what a command prints."""
    command = [sys.executable, "-m", "reportgen", *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout  # noqa: S603 - pages are ours


def keys() -> Iterator[str]:
    """Yield the keys at the top of campaign.toml, then the heading and the keys of each of its tables."""
    from reportgen.campaign import campaign_schema

    schema = campaign_schema()
    fields, parts = schema["properties"], schema["$defs"]
    tables = {name: (_heading(name, field), part) for name, field in fields.items() for part in _part(field)}
    tables["columns"] = ("columns of [[guidelines]]", "Columns")
    yield from _rows({name: field for name, field in fields.items() if name not in tables}, {})
    for name, (heading, part) in tables.items():
        own, of_task = parts[part]["properties"], parts["Task"]["properties"]
        yield f"\n### {heading}\n"
        if name != "task" and own.keys() >= of_task.keys():
            yield "Every key of `[task]`, and:\n"
            own = {key: field for key, field in own.items() if key not in of_task}
        yield from _rows(own, asked_of(name))


def asked_of(table: str) -> dict[str, str]:
    """Return by each key of a table of campaign.toml the questions of reviewers that it answers."""
    from reportgen.report.checklists import CHECKLISTS

    asked: dict[str, dict[str, list[str]]] = {}
    for checklist in CHECKLISTS.values():
        for question in checklist.questions:
            for key in dict.fromkeys(question.every_key):
                if key.startswith(f"{table}."):
                    lists = asked.setdefault(key.removeprefix(f"{table}."), {})
                    lists.setdefault(ASKING[checklist.id], []).append(question.item.removeprefix("rai:"))
    return {
        key: "; ".join(f"{name} {', '.join(items)}" for name, items in lists.items())
        for key, lists in asked.items()
    }


def _heading(name: str, field: Mapping[str, Any]) -> str:
    if field.get("type") == "array":
        return f"[[{name}]]"
    return f"[{name}.NAME]" if name == "annotators" else f"[{name}]"


def _part(field: object) -> list[str]:
    """Return the first definition that a field of the schema refers to, if any."""
    return re.findall(r"'#/\$defs/(\w+)'", str(field))[:1]


def _rows(fields: Mapping[str, Any], asked: Mapping[str, str]) -> Iterator[str]:
    yield "| key | meaning | asked by |\n|---|---|---|" if asked else "| key | meaning |\n|---|---|"
    for key, field in fields.items():
        cells = (f"`{key}`", field["description"].rstrip("."), *([asked.get(key, "")] if asked else []))
        yield f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
