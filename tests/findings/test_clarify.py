"""What the guidelines should clarify, from marks made up in a line."""

from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.findings.confusions import clarify
from reportgen.pipeline.reading import read_campaign
from reportgen.results.texts import Clarify, Texts
from reportgen.units import Pseudonyms, shown_texts
from tests.campaigns import compute_campaign, written

TEXT = "Anna Berg met Anna and Ben Lee in Rome .\n"
MARKS = {
    "anna": "T1\tPER 0 9\tAnna Berg\nT2\tPER 23 30\tBen Lee\nT3\tLOC 34 38\tRome\nT4\tCITY 34 38\tRome\n",
    "ben": "T1\tPER 0 4\tAnna\nT2\tPER 23 30\tBen Lee\nT3\tLOC 31 38\tin Rome\n",
}


def found(folder: Path, documents: int = 2) -> tuple[Texts, tuple[Clarify, ...]]:
    files = {}
    for number in range(documents):
        for who, marks in MARKS.items():
            files[f"exports/1.0/{who}/d{number}.txt"] = TEXT
            files[f"exports/1.0/{who}/d{number}.ann"] = marks
    campaign = load(written(folder / "c", '[privacy]\nannotators = "names"\n', files))
    read = read_campaign(campaign)
    texts = shown_texts("1.0", read[0].studies, read[0].annotations, Pseudonyms())
    assert texts is not None
    return texts, clarify(compute_campaign(campaign, read)[0].results, texts)


def test_boundaries_are_told_by_the_end_that_differs(tmp_path: Path) -> None:
    _, (layer,) = found(tmp_path)
    assert [(each.label, each.left, each.right, each.both, each.inside) for each in layer.boundaries] == [
        ("LOC", 2, 0, 0, 0),
        ("PER", 0, 2, 0, 0),
    ]


def test_forms_that_are_disputed_again_and_again_come_with_an_example(tmp_path: Path) -> None:
    texts, (layer,) = found(tmp_path)
    forms = {each.form: each for each in layer.forms}
    assert set(forms) == {"berg", "in", "rome"}
    assert (forms["berg"].units, forms["berg"].labels) == (2, {"PER": 2, "(unmarked)": 2})
    unit = texts.disagreements[0].units[forms["berg"].example]
    assert [TEXT[start:end] for start, end in unit.spans] == ["Berg"]


def test_a_category_that_one_annotator_alone_uses_is_named(tmp_path: Path) -> None:
    _, (layer,) = found(tmp_path)
    assert layer.alone == {"CITY": "anna"}


@pytest.mark.parametrize("documents", [1])
def test_what_happened_once_is_no_case_for_the_guidelines(tmp_path: Path, documents: int) -> None:
    _, (layer,) = found(tmp_path, documents)
    assert (layer.forms, layer.alone) == ((), {})
