"""Sentences, candidates, attributes and relations, from campaign.toml to the page."""

from pathlib import Path

import pytest

from reportgen.results import Results, UnitSet
from tests.campaigns import results_of, written
from tests.rendered import version_files

TEXT = "The gene ypdA (now bdr) is known. We call yxxB, once yyyC, bdr2.\nNothing else happened.\n"
ANNA = (
    "T1\tFormer 9 13\typdA\nT2\tNew 19 22\tbdr\nT3\tFormer 53 57\tyyyC\nT4\tNew 42 46\tyxxB\n"
    "R1\tRenames Former:T1 New:T2\nR2\tRenames Former:T3 New:T4\nA1\tCertainty T2 sure\nT5\tNew 4 8\tgene\n"
)
BEN = (
    "T1\tNew 9 13\typdA\nT2\tFormer 19 23\tbdr)\nT4\tNew 42 46\tyxxB\nA1\tCertainty T4 doubtful\n"
    "T3\tFormer 53 57\tyyyC\nR1\tRenames Former:T2 New:T1\nR2\tRenames Former:T3 New:T4\n"
)
FILES = {
    "exports/1.0/anna/d1.txt": TEXT,
    "exports/1.0/anna/d1.ann": ANNA,
    "exports/1.0/ben/d1.txt": TEXT,
    "exports/1.0/ben/d1.ann": BEN,
    "genes.txt": "# genes\nypdA\nbdr\nyxxB\nyyyC\nbdr2\n",
}
UNIT_SETS = """[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
[[unit_sets]]
id = "sentences"
units = "sentences"
[[unit_sets]]
id = "genes"
units = "candidates"
file = "genes.txt"
[[unit_sets]]
id = "genes-and-more"
units = "candidates"
file = "genes.txt"
keep_marked = true
[[unit_sets]]
id = "marked"
units = "annotated-by-any"
"""


def found_in(folder: Path, toml: str, files: dict[str, str] | None = None) -> Results:
    return results_of(written(folder / "campaign", toml, files or FILES))


def sets_of(results: Results) -> dict[tuple[str, str], UnitSet]:
    return {(each.layer, each.id): each for each in results.unit_sets}


@pytest.fixture
def found(tmp_path: Path) -> Results:
    return found_in(tmp_path, UNIT_SETS)


def test_unit_sets_of_texts_stand_side_by_side_and_account_for_every_mark(found: Results) -> None:
    units = sets_of(found)
    sizes = {name: each.units for (_, name), each in units.items()}
    # "bdr2" is one word, and so no bdr; "gene" is marked and no candidate.
    assert sizes == {"tokens": 16, "sentences": 3, "genes": 5, "genes-and-more": 6, "marked": 6}
    for each in units.values():
        assert each.marks.used + sum(each.marks.left_out.values()) == each.marks.read
    assert units["main", "genes"].marks.left_out["outside every candidate"] == 1
    assert units["main", "genes"].size_curve is not None
    assert units["main", "sentences"].labels == {"Former|New": 4, "(unmarked)": 2}
    assert found.marks.read == found.marks.used + found.marks.left_out


def test_candidates_can_be_a_type_of_the_export_or_a_layer_of_the_campaign(tmp_path: Path) -> None:
    gene = {**FILES, "exports/1.0/ben/d1.ann": BEN + "T8\tGene 59 63\tbdr2\nT9\tGene 9 13\typdA\n"}
    layers = '[[layers]]\nid = "renamings"\nsource = "New"\n[[layers]]\nid = "former"\nsource = "Former"\n'
    sets = '[[unit_sets]]\nid = "c"\nunits = "candidates"\nlayer = "{}"\n'
    by_type = found_in(tmp_path / "type", layers + sets.format("Gene"), gene)
    of_new, of_former = by_type.unit_sets
    assert (of_new.units, of_former.units) == (2, 2)
    assert of_new.labels == {"New": 1, "(unmarked)": 3}
    assert {each.reason for each in by_type.left_out if each.line in {8, 9}} >= {
        "it says where a candidate is, which is a unit and no label"
    }
    by_layer = found_in(tmp_path / "layer", layers + sets.format("former"), gene)
    assert [each.units for each in by_layer.unit_sets] == [3, 3]
    files = dict(version_files(by_layer, {}))
    assert "Candidates are the marks of former by any annotator." in files["index.html"]
