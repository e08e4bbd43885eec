"""Sentences, candidates, attributes and relations, from campaign.toml to the page."""

import hashlib
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import idle_keys, load
from reportgen.results import Results, UnitSet
from tests.campaigns import finding, results_of, written
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


def test_the_terms_are_an_input_with_its_checksum(found: Results) -> None:
    recorded = {each.file: each.sha256 for each in found.inputs}
    assert recorded["genes.txt"] == hashlib.sha256(FILES["genes.txt"].encode()).hexdigest()


def test_the_page_says_what_candidates_are_and_how_many_marks_cut_a_token(found: Results) -> None:
    tokens, genes, more = (sets_of(found)["main", name] for name in ("tokens", "genes", "genes-and-more"))
    assert (tokens.boundary, genes.boundary) == (5, None)
    assert genes.candidates is not None
    assert (genes.candidates.file, genes.candidates.terms, genes.candidates.keep_marked) == (
        "genes.txt",
        5,
        False,
    )
    assert more.candidates is not None
    assert more.candidates.keep_marked
    files = dict(version_files(found, {}))
    for page in ("index.html", "report.html", "report.md"):
        assert "occurrences of the 5 terms in genes.txt. Marks outside them are left out." in files[page]
        assert "genes.txt. Marked stretches outside them are units too." in files[page]
        assert "5 of the 9 marks begin or end inside a token" in files[page]
        assert "every sentence of the texts" in files[page]


def test_the_finding_on_tokens_counts_boundary_cases_and_says_so_where_there_is_none(
    found: Results, tmp_path: Path
) -> None:
    cut = finding(found, "tokens")
    assert cut is not None
    assert cut.values == {"unit_set": "tokens", "boundary": 5, "marks": 9}
    words = UNIT_SETS.replace('units = "tokens"', 'units = "tokens"\ntoken_pattern = "\\\\w+|[^\\\\w\\\\s]"')
    whole = finding(found_in(tmp_path / "words", words), "tokens")
    assert whole is not None
    assert whole.claim.endswith("No mark begins or ends inside a token.")
    assert "several-labels" in {each.id for each in found.findings}


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


def test_a_layer_of_candidates_that_is_not_there_is_refused_at_its_line(tmp_path: Path) -> None:
    toml = '[[unit_sets]]\nid = "c"\nunits = "candidates"\nlayer = "Formr"\n'
    with pytest.raises(BadInput) as caught:
        found_in(tmp_path, toml)
    (problem,) = caught.value.problems
    assert (problem.key, problem.line, problem.remedy) == ("unit_sets.1.layer", 5, 'Did you mean "Former"?')


def test_an_attribute_has_three_ways_of_saying_nothing(tmp_path: Path) -> None:
    layers = '[[layers]]\nid = "certainty"\nsource = "New->Certainty"\n'
    (units,) = found_in(tmp_path, layers).unit_sets
    assert (units.id, units.kind) == ("marked", "annotated-by-any")
    assert units.labels == {"(absent)": 3, "doubtful": 1, "sure": 1, "(unmarked)": 3}


def test_relations_are_a_layer_in_which_a_swapped_direction_is_a_confusion(tmp_path: Path) -> None:
    layers = '[[layers]]\nid = "names"\nsource = "Former"\n[[layers]]\nid = "renamings"\nsource = "Renames"\n'
    results = found_in(tmp_path, layers + UNIT_SETS)
    units = sets_of(results)
    # Units that are pieces of texts are for the other layer.
    assert [name for layer, name in units if layer == "renamings"] == ["marked"]
    marked = units["renamings", "marked"]
    assert (marked.base, marked.primary, marked.units) == ("relations", True, 2)
    assert marked.labels == {"Renames (Former, New)": 1, "Renames (New, Former)": 3, "(unmarked)": 0}
    assert results.primary.id == "tokens"
    files = dict(version_files(results, {}))
    assert "relations marked by at least one annotator" in files["index.html"]
    for each in units.values():
        assert each.marks.used + sum(each.marks.left_out.values()) == each.marks.read


def test_relations_alone_have_units_of_their_own_and_refuse_those_of_texts(tmp_path: Path) -> None:
    layers = '[[layers]]\nid = "renamings"\nsource = "relations"\n'
    (units,) = found_in(tmp_path / "default", layers).unit_sets
    assert (units.id, units.kind, units.base) == ("marked", "annotated-by-any", "relations")
    with pytest.raises(BadInput) as caught:
        found_in(tmp_path / "refused", layers + UNIT_SETS)
    assert {each.key for each in caught.value.problems} == {
        f"unit_sets.{place}.units" for place in range(1, 5)
    }


def test_keep_marked_is_acted_on(tmp_path: Path) -> None:
    assert idle_keys(load(written(tmp_path / "campaign", UNIT_SETS, FILES))) == []
