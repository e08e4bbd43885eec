"""Whoever has the counts alone gets every figure that they determine, to the last digit."""

import csv
import io
import itertools
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import read_campaign
from reportgen.results import dumps
from tests.campaigns import GENE_RENAMING, VERSION, marked, written
from tests.counted import as_counts, counts_in, differences, reports_of
from tests.pages import check_ids, check_links
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
    "three annotators, four unit sets": (f"{COLUMNS}{TASK}{UNIT_SETS}", ratings(("x", "y", "none"))),
    "units without a document": (f"{NO_DOCUMENTS}{TASK}{UNIT_SETS}", ratings(("x", "none"), documents=0)),
    "an ordinal scale": (
        f'{COLUMNS}[task]\nscale = "ordinal"\ncategories = ["low", "mid", "high"]\n',
        ratings(("high", "low", "mid")),
    ),
    "numbers": (f'{COLUMNS}[task]\nscale = "interval"\n', ratings(("-1", "0.5", "2", "10"), share=1)),
    "a ratio scale of two": (f'{COLUMNS}[task]\nscale = "ratio"\n', ratings(("0", "3", "4"), annotators=2)),
    "sets": (
        f'{COLUMNS}set_separator = "+"\n[task]\nscale = "set"\ncategory_count = 9\n',
        ratings(("x+y", "x", "y+z", "{}")),
    ),
    "many annotators": (COLUMNS, ratings(("x", "y"), annotators=55, share=0.15)),
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


def test_the_example_comes_out_of_its_counts(tmp_path: Path) -> None:
    check(GENE_RENAMING, tmp_path)


@pytest.mark.slow
def test_the_example_in_texts_comes_out_of_its_counts_in_both_versions(tmp_path: Path) -> None:
    check(GENE_RENAMING.parent / "gene-renaming-in-texts", tmp_path)


@pytest.mark.slow
def test_a_real_crowd_comes_out_of_its_counts(shared: Path, tmp_path: Path) -> None:
    with (shared / "data" / "ukp-convarg1" / "votes.csv").open(encoding="utf-8", newline="") as lines:
        export = "".join(itertools.islice(lines, 1500))
    check(campaign(tmp_path / "campaign", "", export), tmp_path / "counted")


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


@pytest.mark.slow
def test_without_a_word_on_unit_sets_all_that_were_counted_are_there(tmp_path: Path) -> None:
    toml, export = CASES["three annotators, four unit sets"]
    folder = campaign(tmp_path / "campaign", toml, export)
    counted = as_counts(folder, tmp_path / "counted")
    (counted / "campaign.toml").write_text(
        f'title = "Counts"\n{VERSION.replace("exports/1.0", "counts/1.0")}'
    )
    (first,), (second,) = (reports_of(each).values() for each in (folder, counted))
    own = [(each.id, each.kind, each.why, each.primary) for each in second.results.unit_sets]
    assert own == [(each.id, each.kind, each.why, each.primary) for each in first.results.unit_sets]
    assert second.results.primary.measures == first.results.primary.measures


def test_whoever_is_called_as_in_the_report_keeps_this_name(tmp_path: Path) -> None:
    export = (
        ratings(("x", "y")).replace(",bea,", ",A03,").replace(",ann,", ",A02,").replace(",cyd,", ",A100,")
    )
    folder = campaign(tmp_path / "campaign", f'{COLUMNS}[privacy]\nannotators = "names"\n', export)
    counted = as_counts(folder, tmp_path / "counted")
    version = VERSION.replace("exports/1.0", "counts/1.0")
    (counted / "campaign.toml").write_text(f'title = "Counts"\n{version}', encoding="utf-8")
    (report,) = reports_of(counted).values()
    assert report.results.primary.annotators == ("A02", "A03", "A100")


def test_whoever_was_counted_is_an_annotator_of_their_own(tmp_path: Path) -> None:
    toml, export = CASES["two annotators, four unit sets"]
    counted = as_counts(campaign(tmp_path / "campaign", toml, export), tmp_path / "counted")
    version = VERSION.replace("exports/1.0", "counts/1.0")
    people = '[annotators.A01]\nrole = "reference"\n[annotators.A02]\nsame_as = "A01"\n'
    (counted / "campaign.toml").write_text(f'title = "Counts"\n{people}{version}', encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_campaign(load(counted))
    found = {problem.key: problem.message for problem in refused.value.problems}
    assert found["annotators.A01.role"] == 'is "reference", and the counts have them among the annotators.'
    assert found["annotators.A02.same_as"] == "is somebody of their own in the counts."
    assert len(found) == 2


def test_the_campaign_chooses_among_unit_sets_and_gives_its_own_reasons(tmp_path: Path) -> None:
    toml, export = CASES["three annotators, four unit sets"]
    counted = as_counts(campaign(tmp_path / "campaign", toml, export), tmp_path / "counted")
    own = f'{TASK}[[unit_sets]]\nid = "all"\nunits = "annotated-by-all"\nwhy = "Mine."\n'
    version = VERSION.replace("exports/1.0", "counts/1.0")
    (counted / "campaign.toml").write_text(f'title = "Counts"\n{own}{version}')
    ((_, report),) = reports_of(counted).items()
    (unit_set,) = report.results.unit_sets
    assert (unit_set.id, unit_set.why, unit_set.primary) == ("all", "Mine.", True)


@pytest.mark.slow
def test_versions_that_are_both_counts_are_compared_and_no_page_has_a_hole(tmp_path: Path) -> None:
    texts = {f"d{number}": "One name here, and another there." for number in range(4)}
    spans = [("A", 4, 8), ("B", 19, 26)]
    marks = {
        "ann": dict.fromkeys(texts, spans),
        "bea": {name: spans[: 1 + (name != "d2")] for name in texts},
        "cyd": {name: spans[name == "d1" :] for name in texts},
    }
    earlier = {**marks, "bea": {"d0": [], "d1": [], "d2": spans, "d3": spans}}
    files = {
        f"exports/{version}/{name}": text
        for version, own in (("1.0", earlier), ("2.0", marks))
        for name, text in marked(texts, own).items()
    }
    folder = written(tmp_path / "texts", 'language = ["en", "fr"]\n', files)
    with (folder / "campaign.toml").open("a", encoding="utf-8") as lines:
        lines.write(VERSION.replace("1.0", "2.0"))
    counted = as_counts(folder, tmp_path / "counted")
    build_site([counted], tmp_path / "site")
    assert check_links(tmp_path / "site") > 100
    check_ids(tmp_path / "site")
    page = (tmp_path / "site" / "texts" / "1.0" / "index.html").read_text(encoding="utf-8")
    assert "Counts that reportgen wrote beside a report" in page
    french = (tmp_path / "site" / "texts" / "1.0" / "fr" / "index.html").read_text(encoding="utf-8")
    assert "Décomptes que reportgen a écrits" in french
    comparison = (tmp_path / "site" / "texts" / "compare" / "1.0...2.0" / "comparison.json").read_text()
    assert '"flips"' not in comparison


def test_counts_of_counts_are_the_same_bytes(tmp_path: Path) -> None:
    toml, export = CASES["names that would break a table"]
    folder = as_counts(campaign(tmp_path / "campaign", toml, export), tmp_path / "once")
    (first,) = reports_of(folder).values()
    (second,) = reports_of(as_counts(folder, tmp_path / "twice")).values()
    assert counts_in(first) == counts_in(second)
    one = first.results.model_copy(update={"inputs": (), "settings": ""})
    assert dumps(one) == dumps(second.results.model_copy(update={"inputs": (), "settings": ""}))
