"""Marks in texts, from the annotators' folders to the page."""

from pathlib import Path

import pytest

from reportgen.results import Results
from tests.campaigns import report_of, results_of, written
from tests.rendered import version_files

TEXT = "Anna Berg met Ben in Paris .\n"
FILES = {
    "exports/1.0/anna/d1.txt": TEXT,
    "exports/1.0/anna/d1.ann": "T1\tPER 0 9\tAnna Berg\nT2\tLOC 21 26\tParis\nT3\tNAME 0 4\tAnna\n"
    "#1\tNote T1\tsure\n",
    "exports/1.0/anna/d2.txt": "Nobody .\n",
    "exports/1.0/anna/d2.ann": "",
    "exports/1.0/ben/d1.txt": TEXT,
    "exports/1.0/ben/d1.ann": "T1\tPER 0 4\tAnna\nT2\tLOC 21 26\tParis\n",
    "exports/1.0/ben/d2.txt": "Nobody .\n",
    "exports/1.0/README": "Not an export.\n",
    "exports/1.0/minutes.doc": "Not an export.\n",
}
UNIT_SETS = """[[unit_sets]]
id = "tokens"
units = "tokens"
[[unit_sets]]
id = "marks"
units = "annotated-by-any"
"""


def campaign(folder: Path, toml: str = UNIT_SETS) -> Path:
    return written(folder / "campaign", toml, FILES)


@pytest.fixture
def found(tmp_path: Path) -> Results:
    return results_of(campaign(tmp_path))


def test_tokens_are_the_units_where_the_campaign_says_nothing(tmp_path: Path) -> None:
    (units,) = results_of(campaign(tmp_path, "")).unit_sets
    assert (units.id, units.kind, units.base, units.primary) == ("tokens", "tokens", "tokens", True)
    # Ben did not see d2, whose two tokens are therefore nobody's but Anna's.
    assert (units.units, units.units_compared) == (9, 7)
    assert units.only_pair is not None
    table = units.only_pair.confusion
    assert table.categories == ("LOC", "NAME|PER", "PER", "(unmarked)")
    assert table.counts == ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 4))


def test_read_is_used_plus_left_out_in_every_unit_set(found: Results) -> None:
    assert (found.marks.read, found.marks.used, found.marks.left_out) == (6, 5, 1)
    for units in found.unit_sets:
        assert units.marks.read == units.marks.used + sum(units.marks.left_out.values()) == 6


def test_what_is_left_out_stands_there_with_file_line_annotator_and_reason(found: Results) -> None:
    (note,) = found.left_out
    assert (note.file, note.line, note.annotator, note.reason) == (
        "exports/1.0/A01/d1.ann",
        4,
        "A01",
        "a note",
    )
    # Of what no reader knows nothing stands there but how many; README tells of the folder.
    assert found.unread == 1


def test_seen_and_empty_differs_from_not_seen_all_the_way_to_the_page(found: Results) -> None:
    (material,) = found.material
    states = [
        (each.annotator, each.marked, each.empty, each.skipped, each.unseen) for each in material.attendance
    ]
    assert states == [("A01", 1, 1, 0, 0), ("A02", 1, 0, 0, 1)]
    files = dict(version_files(found, {}))
    assert files["tables/attendance.csv"] == (
        "annotator,marked,empty,skipped,unseen\nA01,1,1,0,0\nA02,1,0,0,1\n"
    )
    for page in ("index.html", "report.html", "report.md"):
        assert "Seen, nothing marked" in files[page]


def test_how_scattered_the_marks_are(found: Results) -> None:
    (material,) = found.material
    assert (material.documents, material.documents_unmarked, material.tokens) == (2, 1, 9)
    assert (material.marks, material.copies, material.tokens_seen) == (5, 3, 16)
    assert material.marks_per_document == pytest.approx(5 / 3)
    assert material.marks_per_1000_tokens == pytest.approx(5000 / 16)
    assert material.labels == {"LOC": 2, "NAME": 1, "PER": 2}
    assert material.shares["PER"] == pytest.approx(0.4)
    assert found.unit_sets[0].units_by_annotators == {"1": 2, "2": 7}


def test_where_much_is_left_out_the_whole_list_stands_in_its_table(tmp_path: Path) -> None:
    marks = "".join(f"T{number}\tX 0 4\tAnna\n#{number}\tNote T{number}\tn\n" for number in range(1, 1501))
    folder = written(tmp_path / "campaign", "", {**FILES, "exports/1.0/anna/d1.ann": marks})
    report = report_of(folder)
    assert [(each.line, each.marks) for each in report.results.left_out] == [(2, 1500)]
    whole = report.beside["tables/left-out.csv"].splitlines()
    assert (len(whole), whole[1]) == (1501, "A01,a note,1,exports/1.0/A01/d1.ann,2")
    assert dict(version_files(report.results, report.beside))["tables/left-out.csv"].splitlines() == whole
