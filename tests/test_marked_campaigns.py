"""Marks in texts, from the annotators' folders to the page."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.results import Results
from tests.campaigns import finding, report_of, results_of, written
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


def test_the_report_says_what_tokens_do_to_marks(found: Results, tmp_path: Path) -> None:
    length = finding(found, "tokens")
    assert length is not None
    assert "long marks weigh more" in length.claim
    several = finding(found, "several-labels")
    assert several is not None
    assert several.values["several"] == 1
    assert "judged by itself" in several.claim
    listed = results_of(campaign(tmp_path / "listed", f'[task]\ncategories = ["NAME|PER"]\n{UNIT_SETS}'))
    together = finding(listed, "several-labels")
    assert together is not None
    assert "A|B" in together.claim
    ranked = results_of(campaign(tmp_path / "ranked", f'[task]\npriority = ["PER"]\n{UNIT_SETS}'))
    said = finding(ranked, "several-labels")
    assert said is not None
    assert "priority names first counts" in said.claim
    assert (
        ranked.unit_sets[0].marks.left_out[
            "another mark on the same tokens has a label that comes first in priority"
        ]
        == 1
    )


def test_an_attribute_of_a_type_is_a_layer_beside_others(tmp_path: Path) -> None:
    files = dict(FILES)
    files["exports/1.0/anna/d1.ann"] += "A1\tSure T1 yes\n"
    layers = '[[layers]]\nid = "place"\nsource = "LOC"\n[[layers]]\nid = "sure"\nsource = "PER->Sure"\n'
    found = results_of(written(tmp_path / "campaign", layers, files))
    place, sure = found.unit_sets
    assert (place.layer, place.categories) == ("place", ("LOC", "(unmarked)"))
    assert (sure.layer, sure.categories) == ("sure", ("(absent)", "yes", "(unmarked)"))
    # A token has no attribute: what is compared are the marks that somebody made.
    assert (place.id, sure.id, sure.kind, sure.primary) == ("tokens", "marked", "annotated-by-any", True)
    assert "place: marks of LOC. sure: marks of PER, labelled by Sure." in found.reading
    assert found.marks.read == found.marks.used + found.marks.left_out


def test_where_much_is_left_out_the_whole_list_stands_in_its_table(tmp_path: Path) -> None:
    marks = "".join(f"T{number}\tX 0 4\tAnna\n#{number}\tNote T{number}\tn\n" for number in range(1, 1501))
    folder = written(tmp_path / "campaign", "", {**FILES, "exports/1.0/anna/d1.ann": marks})
    report = report_of(folder)
    assert [(each.line, each.marks) for each in report.results.left_out] == [(2, 1500)]
    whole = report.beside["tables/left-out.csv"].splitlines()
    assert (len(whole), whole[1]) == (1501, "A01,a note,1,exports/1.0/A01/d1.ann,2")
    assert dict(version_files(report.results, report.beside))["tables/left-out.csv"].splitlines() == whole


def test_a_campaign_of_one_annotator_is_told_that_agreement_needs_two(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if "ben" not in name}
    folder = written(tmp_path / "campaign", "", files)
    notices = [str(each) for each in build_site([folder], tmp_path / "site").notices]
    assert any(
        "version 1.0, layer main: a single annotator; agreement needs two." in each for each in notices
    )


def test_units_of_one_name_in_several_files_are_pointed_out(tmp_path: Path) -> None:
    labels = "1,x,y\n2,x,x\n", "1,y,y\n2,y,x\n"
    tables = {f"exports/1.0/d{n}.csv": f"item,anna,ben\n{rows}" for n, rows in enumerate(labels)}
    folder = written(tmp_path / "campaign", "", tables)
    with pytest.raises(BadInput, match="either these are annotators and each file is a document") as refusal:
        build_site([folder], tmp_path / "site")
    (problem,) = refusal.value.problems
    assert 'path = "{document}"' in problem.remedy
    with (folder / "campaign.toml").open("a") as file:
        file.write('path = "{document}"\n')
    assert build_site([folder], tmp_path / "site").notices == []
