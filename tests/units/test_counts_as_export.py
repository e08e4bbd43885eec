"""Whoever has the counts alone gets every figure that they determine, to the last digit."""

import csv
import io
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from tests.campaigns import GENE_RENAMING, written
from tests.counted import as_counts, counts_in, differences, reports_of
from tests.properties import examples
from tests.slowly import slow_but

HOSTILE = ("a|b:c\\d", 'new\nline "quoted"', "</script>,=1+1")
UNIT_SETS = """
[[unit_sets]]
id = "items"
units = "items"
why = "All."
[[unit_sets]]
id = "any"
units = "annotated-by-any"
primary = true
[[unit_sets]]
id = "all"
units = "annotated-by-all"
[[unit_sets]]
id = "declared"
units = "declared"
size = 500
"""
# Of all kinds of figures and of names one.
QUICK = ("two annotators, four unit sets", "numbers", "sets", "names that would break a table")
Rows = Sequence[tuple[str, str, str, str]]


def table(rows: Rows) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([("item", "topic", "annotator", "label"), *rows])
    return text.getvalue()


def ratings(
    labels: Sequence[str], annotators: int = 3, units: int = 60, documents: int = 7, share: float = 0.8
) -> str:
    """Return made-up ratings, some of them missing, in which annotators agree more often than not."""
    chosen = random.Random(7)  # noqa: S311 - no secret
    people = ["ann", "bea", "cyd", "dan", *(f"p{number:02}" for number in range(annotators))][:annotators]
    rows = []
    for unit in range(units):
        usual = chosen.choice(labels)
        for who in people:
            label = usual if chosen.random() < 0.7 else chosen.choice(labels)
            if chosen.random() < share:
                rows.append((f"u{unit}", f"d{unit % documents}" if documents else "", who, label))
    return table(rows)


COLUMNS = 'columns = { unit = "item", document = "topic", annotator = "annotator", label = "label" }\n'
NO_DOCUMENTS = 'columns = { unit = "item", annotator = "annotator", label = "label" }\n'
TASK = '[task]\nnon_annotated = "none"\n'
CASES: Mapping[str, tuple[str, str]] = {
    "two annotators, four unit sets": (
        f"{COLUMNS}{TASK}{UNIT_SETS}",
        ratings(("x", "y", "none"), annotators=2),
    ),
    "numbers": (f'{COLUMNS}[task]\nscale = "interval"\n', ratings(("-1", "0.5", "2", "10"), share=1)),
    "a ratio scale of two": (f'{COLUMNS}[task]\nscale = "ratio"\n', ratings(("0", "3", "4"), annotators=2)),
    "sets": (
        f'{COLUMNS}set_separator = "+"\n[task]\nscale = "set"\ncategory_count = 9\n',
        ratings(("x+y", "x", "y+z", "{}")),
    ),
    "names that would break a table": (f"{COLUMNS}{TASK}", ratings((*HOSTILE, "none"))),
    "a second pass": (f'{COLUMNS}[annotators.cyd]\nsame_as = "ann"\n', ratings(("x", "y"))),
    "control items": (
        f'{COLUMNS}[controls]\nfile = "controls.csv"\nreject_below = 0.9\nminimum = 3\n',
        ratings(("x", "y")),
    ),
    "a unit that nobody rated": (
        'columns = { unit = "item" }\n',
        "item,ann,bea\n1,x,x\n2,x,y\n3,,\n4,y,y\n5,y,\n",
    ),
}


def campaign(folder: Path, toml: str, export: str) -> Path:
    """Write a campaign of one version; keys before the first table of `toml` are of the version."""
    own, _, rest = toml.partition("[")
    files = {"exports/1.0/e.csv": export, "controls.csv": "unit,label\nu1,x\nu2,x\nu3,y\nu4,x\n"}
    made = written(folder, f"[{rest}" if rest else "", files)
    with (made / "campaign.toml").open("a", encoding="utf-8") as lines:
        lines.write(own if rest or "=" in own else "")
    return made


def check(folder: Path, target: Path, names: Mapping[str, str] | None = None) -> None:
    """See that results, and counts, of a campaign are those of its counts."""
    reports = reports_of(folder)
    again = reports_of(as_counts(folder, target, names, reports))
    for version, report in reports.items():
        assert differences(report.results, again[version].results) == []
        assert counts_in(again[version]) == counts_in(report)


@pytest.mark.parametrize("case", slow_but(CASES, *QUICK))
def test_results_from_counts_are_those_from_exports(case: str, tmp_path: Path) -> None:
    toml, export = CASES[case]
    check(campaign(tmp_path / "campaign", toml, export), tmp_path / "counted", {"ann": "A01", "cyd": "A03"})


@pytest.mark.parametrize("name", slow_but(("gene-renaming", "gene-renaming-in-texts"), "gene-renaming"))
def test_the_examples_come_out_of_their_counts(name: str, tmp_path: Path) -> None:
    check(GENE_RENAMING.parent / name, tmp_path)


LABELS = st.sampled_from(("x", "y", "none", "a|b", "c:d\\"))
CELLS = st.dictionaries(
    st.tuples(st.integers(0, 9), st.sampled_from(("ann", "bea", "cyd", "dan"))), LABELS, min_size=4
)


@examples(12, phases=(Phase.explicit, Phase.generate))
@given(cells=CELLS, documents=st.integers(0, 3), unit_sets=st.sampled_from(("", UNIT_SETS)))
def test_whatever_was_rated_comes_out_of_its_counts(
    cells: Mapping[tuple[int, str], str], documents: int, unit_sets: str
) -> None:
    rows = [
        (f"u{unit}", f"d{unit % documents}" if documents else "", who, label)
        for (unit, who), label in cells.items()
    ]
    columns = COLUMNS if documents else NO_DOCUMENTS
    toml = f"{columns}{TASK}{unit_sets}"
    with tempfile.TemporaryDirectory() as place:
        folder = campaign(Path(place) / "campaign", toml, table(rows))
        check(folder, Path(place) / "counted")
