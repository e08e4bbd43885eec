"""No figure of results.json stands without an interval or the reason why it has none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reportgen.results import Results
from tests.campaigns import GENE_RENAMING, results, results_of, written

pytestmark = pytest.mark.slow

IN_TEXTS = GENE_RENAMING.parent / "gene-renaming-in-texts"

WIDE = """unit,document,a,b,c
1,d1,yes,yes,no
2,d1,no,no,no
3,d2,yes,no,yes
4,d2,yes,yes,yes
5,d3,no,yes,no
6,d3,no,no,no
7,d4,yes,yes,
8,d4,maybe,yes,maybe
9,d5,no,no,no
"""
ORDERED = WIDE.replace("yes", "3").replace("maybe", "2").replace("no", "1")
AGREED = "unit,document,a,b\n1,d1,yes,yes\n2,d2,no,no\n3,d3,yes,yes\n"


def figures(part: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - any JSON value
    """Every figure of a JSON value with its place; means over pairs of annotators are no figures."""
    if isinstance(part, dict):
        # What answers a layer's question has a figure as its value.
        if "value" in part and "pairs" not in part and not isinstance(part["value"], dict):
            yield place, part
        for key, each in part.items():
            yield from figures(each, f"{place}/{key}")
    elif isinstance(part, list):
        for number, each in enumerate(part):
            yield from figures(each, f"{place}/{number}")


def lacking(found: Results, least: int = 10) -> list[str]:
    content = found.model_dump(mode="json", by_alias=True, exclude={"findings"})
    places = list(figures(content))
    assert len(places) > least
    json.dumps(content, allow_nan=False)
    return [
        place
        for place, each in places
        if not (each.get("interval") or (each["value"] is None and each["undefined"]))
    ]


@pytest.mark.parametrize(
    ("toml", "export"),
    [
        ("", WIDE),
        ('[task]\nscale = "ordinal"\n', ORDERED),
        ('[task]\nscale = "ratio"\n', ORDERED),
        ("", AGREED),
        ('[task]\nnon_annotated = "no"\ncategories = ["yes", "maybe", "never"]\n', WIDE),
    ],
    ids=["nominal", "ordinal", "ratio", "agreed", "declared"],
)
def test_every_figure_has_an_interval_or_a_reason(tmp_path: Path, toml: str, export: str) -> None:
    assert lacking(results(tmp_path, toml, export)) == []


# Nothing to compare, in every part of a report: units, spans, unitizing, quality, references and systems.
ROLES = '[annotators.gold]\nrole = "reference"\n[annotators.run]\nrole = "system"\n'
CONTROLLED = '[controls]\nfile = "controls.csv"\n'
CONTROLS = {"controls.csv": "unit,label\n1,yes\n2,no\n"}
DEGENERATE = {
    "one unit": ("unit,document,a,b,gold,run\n1,d1,yes,no,yes,no\n", ROLES),
    "one unit, alike": ("unit,document,a,b,gold,run\n1,d1,yes,yes,yes,yes\n", ROLES),
    "one category": ("unit,document,a,b,gold,run\n1,d1,no,no,no,no\n2,d2,no,no,no,no\n", ROLES),
    "one annotator": ("unit,document,a,gold,run\n1,d1,yes,no,yes\n2,d2,no,no,yes\n", ROLES),
    "no overlap": ("unit,document,a,b,gold,run\n1,d1,yes,,,\n2,d1,,no,,yes\n3,d2,,,no,\n", ROLES),
    "controls alone": ("unit,document,a,b\n1,d1,yes,no\n2,d1,no,no\n", CONTROLLED),
    "one beside controls": (
        "unit,document,a,b,c\n1,d1,yes,no,yes\n2,d1,no,no,no\n3,d2,yes,no,yes\n",
        CONTROLLED,
    ),
}
SPANS = {
    "one marks": ("T1\tx 0 5\tHello\n", ""),
    "all of the text, alike": ("T1\tx 0 11\tHello there\n", "T1\tx 0 11\tHello there\n"),
    "apart": ("T1\tx 0 5\tHello\n", "T1\ty 6 11\tthere\n"),
    "one annotator": ("T1\tx 0 5\tHello\n",),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_what_can_not_be_computed_has_its_reason_in_every_part_of_a_report(tmp_path: Path, case: str) -> None:
    export, toml = DEGENERATE[case]
    files = CONTROLS if "[controls]" in toml else {}
    assert lacking(results(tmp_path, toml, export, files), least=0) == []


@pytest.mark.parametrize("case", SPANS)
def test_texts_without_anything_to_compare_have_their_reasons(tmp_path: Path, case: str) -> None:
    files: dict[str, str] = {}
    for who, marks in zip("ab", SPANS[case], strict=False):
        files |= {f"exports/1.0/{who}/d.txt": "Hello there", f"exports/1.0/{who}/d.ann": marks}
    assert lacking(results_of(written(tmp_path, "", files)), least=0) == []


@pytest.mark.parametrize("campaign", [GENE_RENAMING, IN_TEXTS], ids=lambda path: path.name)
def test_every_figure_of_an_example_has_an_interval_or_a_reason(campaign: Path) -> None:
    assert lacking(results_of(campaign)) == []
