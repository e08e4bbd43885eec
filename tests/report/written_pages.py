"""Pages of marked campaigns made up in a line, written to a folder as the command line writes them."""

from collections.abc import Mapping
from pathlib import Path

from reportgen.pipeline.version_reports import Report
from tests.campaigns import Marks, marked, report_of, written
from tests.rendered import write_version

TEXTS = {
    "d1": "Anna Berg met Ben in Paris .\nBen left for Berlin , and Paris slept .\n",
    "d2": "Nobody came <b>here</b> & Rome .\n",
    "d3": "Cleo saw Rome .\n",
}
MARKS: Marks = {
    "ann": {
        "d1": [("PER", 0, 9), ("PER", 14, 17), ("LOC", 21, 26), ("ORG", 29, 32)],
        "d2": [("LOC", 24, 28)],
        "d3": [("PER", 0, 4), ("LOC", 9, 13)],
    },
    "bob": {
        "d1": [("PER", 0, 4), ("PER", 14, 17), ("ORG", 21, 26), ("PER", 29, 32), ("LOC", 42, 48)],
        "d2": [],
        "d3": [("PER", 0, 4), ("LOC", 9, 13)],
    },
    "cat": {"d1": [("PER", 0, 9), ("LOC", 21, 26)], "d2": [("ORG", 24, 28)]},
}


def two() -> Marks:
    """Return the marks of the first two annotators."""
    return {who: MARKS[who] for who in ("ann", "bob")}


def report(folder: Path, marks: Marks, toml: str = "", texts: Mapping[str, str] = TEXTS) -> Report:
    """Return the report of a campaign whose annotators made these marks."""
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return report_of(written(folder / "campaign", toml, files))


def pages(folder: Path, found: Report, *, texts: bool = True) -> Path:
    """Write a report, with its texts or without, between the pages that it links to; return its folder."""
    here = folder / "site/campaign/1.0"
    write_version(here, found.results, found.beside, found.texts if texts else None)
    (here.parent / "index.html").write_text("<!doctype html><title>Up</title>", encoding="utf-8")
    return here
