"""Precision, recall and F-measure from the annotators' files to results.json, tables and pages."""

from pathlib import Path

import pytest

from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.rendered import files_of, rows_of

pytestmark = pytest.mark.slow

TEXT = "Anna Berg met Ben in Paris .\n"
MARKS = {
    "anna": "T1\tPER 0 9\tAnna Berg\nA1\tSure T1 5\nT2\tLOC 21 26\tParis\nT3\tPER 14 17\tBen\n",
    "ben": "T1\tPER 0 4\tAnna\nA1\tSure T1 5.0\nT2\tLOC 21 26\tParis\n",
    "gold": "T1\tPER 0 9\tAnna Berg\nA1\tSure T1 5\nT2\tLOC 21 26\tParis\n",
}
GOLD = '[annotators.gold]\nrole = "reference"\n'


def campaign(folder: Path, toml: str = GOLD, documents: int = 2) -> Path:
    files = {}
    for name, marks in MARKS.items():
        for number in range(documents):
            files[f"exports/1.0/{name}/d{number}.txt"] = TEXT
            files[f"exports/1.0/{name}/d{number}.ann"] = marks
    return written(folder / "campaign", toml, files)


@pytest.fixture
def found(tmp_path: Path) -> Results:
    return results_of(campaign(tmp_path))


def test_results_have_every_pair_with_its_roles_and_the_reference_as_key(found: Results) -> None:
    assert found.spans is not None
    assert [(pair.annotators, pair.roles) for pair in found.spans.pairs] == [
        (("gold", "A01"), ("reference", "annotator")),
        (("gold", "A02"), ("reference", "annotator")),
        (("A01", "A02"), ("annotator", "annotator")),
    ]
    gold = found.spans.pairs[0]
    assert (gold.documents, gold.counts.match, gold.counts.only_second) == (2, 4, 2)
    assert gold.strict["precision"].value == pytest.approx(2 / 3)
    assert gold.strict["recall"].value == 1
    assert gold.by_document is not None
    assert gold.by_document["d0"].strict["f_measure"] == pytest.approx(4 / 5)
    assert found.spans.mean_over_pairs["main"].overall["strict"]["f_measure"].pairs == 1


def test_significant_features_and_beta_come_from_the_campaign_and_stand_on_the_page(tmp_path: Path) -> None:
    toml = f'[task]\nfeatures = ["Sure"]\nbeta = 2\n{GOLD}'
    folder = campaign(tmp_path, toml)
    found = results_of(folder)
    assert found.spans is not None
    (layer,) = found.spans.layers
    assert (layer.features, layer.feature_match, layer.beta) == (("Sure",), "equal", 2)
    assert [(each.values, each.marks) for each in layer.spellings] == [(("5", "5.0"), 6)]
    assert found.spans.pairs[-1].counts.overlap == 0
    page = files_of(folder)["index.html"]
    assert "Partners also agree on Sure" in page
    assert "5, 5.0 (6 marks)" in page
    assert "β = 2" in page


def test_pairs_of_more_than_fifty_annotators_stand_in_the_table_alone(tmp_path: Path) -> None:
    files = {}
    for number in range(51):
        files[f"exports/1.0/w{number:02}/d.txt"] = TEXT
        files[f"exports/1.0/w{number:02}/d.ann"] = "T1\tPER 0 4\tAnna\n" if number else ""
    folder = written(tmp_path / "campaign", "", files)
    found = results_of(folder)
    assert found.spans is not None
    assert (found.spans.layers[0].crowded, found.spans.layers[0].pairs, found.spans.pairs) == (True, 1275, ())
    mean = found.spans.mean_over_pairs["main"].overall["strict"]["f_measure"]
    assert mean.value == pytest.approx(1225 / 1275)
    assert mean.pairs == 1275
    written_files = files_of(folder)
    rows = rows_of(written_files["tables/spans.csv"])
    assert sum(row["type"] == "" for row in rows) == 1275
    assert (rows[0]["second"], rows[0]["f_measure[strict]"], rows[0]["recall[strict]"]) == ("A02", "0.0", "")
    assert "too many to show" in written_files["index.html"]
