"""Against the reference, from a campaign's files to its pages: releases in order, ceilings, warnings."""

import random
import re
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.against_reference import layers
from tests.campaigns import finding, report_of, written
from tests.commands import append, on_disk
from tests.pages import check_ids, check_links
from tests.rendered import as_csv, rows_of
from tests.report.written_pages import pages

PEOPLE = ("gold", "ann", "bob", "cat", "z1", "a2", "llm")
SKILL = {"gold": 1.0, "ann": 0.8, "bob": 0.78, "cat": 0.83, "z1": 0.55, "a2": 0.8, "llm": 0.99}
TOML = """
[annotators.gold]
role = "reference"
[annotators.z1]
system = "tagger"
release = "1.0"
[annotators.llm]
role = "model"
[annotators.a2]
system = "tagger"
release = "2.0"
"""


def export(people: tuple[str, ...] = PEOPLE, documents: int = 30) -> str:
    """Return ratings in which everybody is right as often as they can."""
    drawn = random.Random(7)  # noqa: S311 - made-up ratings
    rows = [("document", "unit", *people)]
    for document in range(documents):
        for unit in range(10):
            truth = drawn.choice("xxyyz")
            labels = [truth if drawn.random() < SKILL[who] else drawn.choice("xyz") for who in people]
            rows.append((f"d{document}", f"u{document}-{unit}", *labels))
    return "".join(",".join(row) + "\n" for row in rows)


def report(folder: Path, toml: str = TOML, text: str = "") -> Report:
    return report_of(written(folder / "campaign", toml, {"exports/1.0/e.csv": text or export()}))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("compared"))


def test_releases_of_a_system_stand_together_in_declared_order_before_annotators(found: Report) -> None:
    """Names are pseudonyms, and declared systems keep theirs."""
    pairs = found.results.comparisons.pairs  # type: ignore[union-attr]  # there is a reference
    assert [(each.system, each.release, each.role) for each in pairs] == [
        ("tagger", "1.0", "system"),
        ("tagger", "2.0", "system"),
        (None, None, "model"),
        *[(None, None, "annotator")] * 3,
    ]
    (layer,) = layers(found.results)
    assert layer.shown[0].table.rows[0][0] == "tagger 1.0 (z1, system)"
    assert not {"ann", "bob", "cat"} & set(re.findall(r"\w+", found.beside["counts/comparisons.csv"]))


def test_marks_of_others_are_left_out_of_agreement_and_the_sum_holds(found: Report) -> None:
    results = found.results
    assert results.marks.read == results.marks.used + results.marks.left_out == 30 * 10 * len(PEOPLE)
    assert results.marks.used == 30 * 10 * 3
    assert len(results.primary.annotators) == 3


def test_counts_give_every_table_back(found: Report) -> None:
    rows = rows_of(found.beside["counts/comparisons.csv"])
    assert found.results.comparisons is not None
    for pair in found.results.comparisons.pairs:
        own = [row for row in rows if (row["first"], row["second"]) == (pair.key, pair.other)]
        assert sum(int(row["n"]) for row in own) == pair.units == 300
        agreed = sum(int(row["n"]) for row in own if row["first_label"] == row["second_label"])
        assert pair.measures["observed_agreement"].value == pytest.approx(agreed / 300)
        for name, scores in pair.by_category.items():
            both = sum(int(row["n"]) for row in own if row["first_label"] == row["second_label"] == name)
            assert scores.both == both


def test_every_figure_has_an_interval_and_what_is_tested_is_paired_by_document(found: Report) -> None:
    assert found.results.comparisons is not None
    tested = 0
    for pair in found.results.comparisons.pairs:
        beside = pair.humans.measures if pair.humans else {}
        scores = [
            each
            for scores in pair.by_category.values()
            for each in (scores.precision, scores.recall, scores.specific_agreement)
        ]
        for each in (*pair.measures.values(), *beside.values(), *scores):
            assert each.value is None or each.interval is not None
        if change := pair.against_humans:
            tested += 1
            assert change.test is not None
            assert (change.test.method, change.test.degrees) == ("paired", pair.documents - 1)
    assert tested


def test_the_page_shows_table_figure_and_ceiling(found: Report, tmp_path: Path) -> None:
    here = pages(tmp_path, found)
    page = (here / "index.html").read_text(encoding="utf-8")
    check_ids(here.parent.parent)
    check_links(here.parent.parent)
    assert "the usual ceiling, which a system scored against an adjudicated reference may pass" in page
    assert not re.search(">(ann|bob|cat)<", page)
    assert "tagger 1.0 (system): 0." in (here / "figures/comparisons-items.svg").read_text(encoding="utf-8")
    assert (here / "tables/comparisons.csv").read_text(encoding="utf-8").count("\n") == 1 + 6 * 4
    assert "## Against the reference" in (here / "report.md").read_text(encoding="utf-8")


def test_without_a_reference_systems_stand_against_annotators(tmp_path: Path) -> None:
    own = report(tmp_path, '[annotators.z1]\nrole = "system"\n', export(("ann", "bob", "z1"))).results
    assert own.comparisons is not None
    assert [(each.key, each.other) for each in own.comparisons.pairs] == [("A01", "z1"), ("A02", "z1")]
    assert report(tmp_path / "all", "", export(("ann", "bob", "cat"))).results.comparisons is None


def test_a_reference_from_annotators_own_marks_is_marked_as_not_independent(tmp_path: Path) -> None:
    first = report(tmp_path, "", export(("ann", "bob"), documents=6))
    rows = [row | {"decision": "x"} for row in rows_of(first.beside["tables/adjudication.csv"])]
    on_disk(tmp_path / "campaign", {"decided.csv": as_csv(rows)})
    append(tmp_path / "campaign/campaign.toml", 'adjudication = "decided.csv"\n')
    own = report_of(tmp_path / "campaign").results
    assert own.comparisons is not None
    assert own.comparisons.sets[0].not_independent == ("adjudicated",)
    assert {each.independent for each in own.comparisons.pairs} == {False}
    assert finding(own, "reference-not-independent")
