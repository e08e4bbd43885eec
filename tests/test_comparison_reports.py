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


def test_the_page_shows_table_figure_and_ceiling(found: Report, tmp_path: Path) -> None:
    here = pages(tmp_path, found)
    page = (here / "index.html").read_text(encoding="utf-8")
    check_ids(here.parent.parent)
    check_links(here.parent.parent)
    assert "the usual ceiling, which a system scored against an adjudicated reference may pass" in page
    assert not re.search(">(ann|bob|cat)<", page)
    assert (here / "tables/comparisons.csv").read_text(encoding="utf-8").count("\n") == 1 + 6 * 4
    assert "## Against the reference" in (here / "report.md").read_text(encoding="utf-8")


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
