"""A report on sets of labels: implicit agreement never stands without explicit, nor without its gaps."""

from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.report.matrices import labels_by_annotator
from reportgen.results import Results
from tests.campaigns import finding, results_of, written
from tests.commands import run

EXPORT = "document,unit,Ann,Bob\nd1,1,x|y,x\nd1,2,{},{}\nd2,3,z,z|x\nd2,4,x,x\nd3,5,{},z\n"
TASK = '[task]\nscale = "set"\ncategory_count = 110000\n'


def campaign(folder: Path, export: str = EXPORT, task: str = TASK) -> Path:
    made = written(folder / "senses", task, {"exports/1.0/e.csv": export})
    toml = made / "campaign.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + 'set_separator = "|"\n', encoding="utf-8")
    return made


def of(folder: Path, export: str = EXPORT, task: str = TASK) -> Results:
    return results_of(campaign(folder, export, task))


def test_page_and_markdown_show_both_side_by_side_with_what_is_left_out(tmp_path: Path) -> None:
    build_site([campaign(tmp_path)], tmp_path / "site")
    version = tmp_path / "site" / "senses" / "1.0"
    for name in ("index.html", "report.html", "report.md"):
        text = (version / name).read_text(encoding="utf-8")
        assert text.index("Explicit agreement") < text.index("Implicit agreement")
        assert "neither gave a label in 1" in text
        assert "Implicit agreement counts 110,000 labels, as the campaign declares." in text
    rows = (version / "tables" / "explicit-implicit.csv").read_text(encoding="utf-8").splitlines()
    assert rows[1].startswith("items,0.583333333333,")
    assert rows[1].endswith(",5,1")
    assert (version / "tables" / "set-distances.csv").is_file()


def test_results_say_what_is_left_out_and_what_each_category_holds(tmp_path: Path) -> None:
    unit_set = of(tmp_path).primary
    sets = unit_set.sets
    assert sets is not None
    assert (sets.categories, sets.declared, sets.pairs) == (110000, True, 1)
    assert (sets.meetings, sets.meetings_left_out, sets.units_left_out) == (5, 1, 1)
    assert sets.members == {"x": ("x",), "x|y": ("x", "y"), "x|z": ("x", "z"), "z": ("z",), "{}": ()}
    assert (unit_set.measures["explicit_agreement"].units, unit_set.measures["implicit_agreement"].units) == (
        4,
        5,
    )


def test_each_annotator_is_shown_beside_each_label(tmp_path: Path) -> None:
    table = labels_by_annotator(of(tmp_path).primary)
    assert table is not None
    assert table.rows == (("x", 0.4, 0.6), ("z", 0.2, 0.4), ("y", 0.2, 0.0))
    assert table.shades == ((None, 6, 9), (None, 4, 9), (None, 9, 0))


@pytest.mark.slow
def test_the_scale_calls_for_masi_and_the_campaign_may_choose_another(tmp_path: Path) -> None:
    found = of(tmp_path)
    assert found.coefficient == "krippendorff_alpha[masi]"
    assert finding(found, "whole-sets") is None
    for name in ("explicit_kappa", "weighted_kappa[dice]", "krippendorff_alpha[jaccard]"):
        other = of(tmp_path / name, task=f'{TASK}coefficient = "{name}"\n')
        assert other.coefficient in other.primary.measures
        assert finding(other, "whole-sets") is None
    assert finding(of(tmp_path / "plain", task=f'{TASK}coefficient = "krippendorff_alpha"\n'), "whole-sets")


def test_rows_that_become_one_set_are_pointed_out(tmp_path: Path) -> None:
    rows = "unit,annotator,label\n1,Ann,x\n1,Ann,y\n1,Ann,y\n1,Bob,y\n2,Ann,x\n2,Bob,x\n"
    found = of(tmp_path, rows)
    gathered = finding(found, "gathered-sets")
    assert gathered is not None
    assert gathered.values == {"several": 1, "unit_set": "items"}
    assert found.marks.used == 6
    assert finding(of(tmp_path / "wide"), "gathered-sets") is None


@pytest.mark.parametrize("scale", ["nominal", "set"])
def test_the_terminal_shows_both_or_neither(tmp_path: Path, scale: str) -> None:
    (tmp_path / "e.csv").write_text(EXPORT.replace("document,", "topic,"), encoding="utf-8")
    columns = "document=topic,unit=unit"
    answer = run("agree", tmp_path / "e.csv", "--scale", scale, "--set-separator", "|", "--columns", columns)
    assert answer.exit_code == 0
    shown = " ".join(answer.stdout.split())
    of_sets = scale == "set"
    for text in ("Explicit agreement", "Implicit agreement", "neither gave a label in 1", "counts 3 labels"):
        assert (text in shown) == of_sets
    assert ("Finn's R" in shown) != of_sets
