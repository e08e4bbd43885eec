"""A label that got another name is one row over versions, with both names."""

import itertools
from pathlib import Path

from reportgen.campaign import load
from reportgen.figures.lines import lines_of_categories
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.report.sections.history_page import categories
from reportgen.results.versions import History
from reportgen.units import Pseudonyms
from reportgen.versions.comparisons import history
from tests.campaigns import compute_campaign
from tests.present import present
from tests.versions.made import campaign_of, table

ROWS = ["aa", "ab", "bb", "bb", "aa", "bb", "ba", "aa", "bb", "bb", "aa", "ab"]


def of_versions(folder: Path, exports: list[list[str]], versions: list[str]) -> History:
    """Return the history of a campaign whose versions are each compared with the one before."""
    documents = [f"d{place}" for place in range(len(ROWS))]
    campaign = load(campaign_of(folder, [table(rows, documents) for rows in exports], "", versions))
    read = read_campaign(campaign)
    comparisons = {
        (one.version.id, other.version.id): compare_versions(campaign, one, other, Pseudonyms()).comparison
        for one, other in itertools.pairwise(read)
    }
    found = [report.results for report in compute_campaign(campaign, read)]
    return history(found, [""] * len(found), comparisons)


def test_a_renamed_label_is_one_row_with_both_names(tmp_path: Path) -> None:
    later = [row.replace("b", "d") for row in ROWS]
    last = [row.replace("d", "e") for row in later]
    made = of_versions(tmp_path, [ROWS, later, last], ["", 'merged = { b = "d" }', 'merged = { d = "e" }'])
    lines = {line.label: line for line in lines_of_categories(made, "main")}
    assert set(lines) == {"a", "b → d → e"}
    assert all(point.figure is not None for point in lines["b → d → e"].points)
    shown = present(categories(made, "main"))
    assert [row[0] for row in shown.rows] == ["a", "b → d → e"]


def test_labels_that_became_one_or_several_are_rows_of_their_own(tmp_path: Path) -> None:
    finer = [row.replace("b", "x", 1).replace("b", "y") for row in ROWS]
    made = of_versions(
        tmp_path, [ROWS, finer, ROWS], ["", 'merged = { b = ["x", "y"] }', 'merged = { x = "b", y = "b" }']
    )
    assert {line.label for line in lines_of_categories(made, "main")} == {"a", "b", "x", "y"}


def test_a_new_label_under_an_old_name_is_another(tmp_path: Path) -> None:
    later = [row.replace("b", "d") for row in ROWS]
    again = [row.replace("d", "b", 1) for row in later]
    made = of_versions(tmp_path, [ROWS, later, again], ["", 'merged = { b = "d" }', ""])
    lines = {line.label: line for line in lines_of_categories(made, "main")}
    assert set(lines) == {"a", "b → d", "b"}
    assert [point.figure is not None for point in lines["b"].points] == [False, False, True]
