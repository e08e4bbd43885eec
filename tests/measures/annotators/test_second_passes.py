"""Intra-annotator agreement: what annotators say of the same units a second time."""

from pathlib import Path

import pytest

from reportgen.results import Results
from reportgen.results.annotators import IntraAnnotatorAgreement
from tests.campaigns import results, results_of, written
from tests.measures.made import figures, matrix, units_of, value
from tests.present import present

# First labels against second ones: 20, 4 | 3, 13.
TABLE = [[20, 4], [3, 13]]


def twice(found: Results) -> tuple[IntraAnnotatorAgreement, ...]:
    return present(found.quality)[0].intra_annotator


def rows() -> list[tuple[str, str]]:
    return [(a, b) for i, a in enumerate("xy") for j, b in enumerate("xy") for _ in range(TABLE[i][j])]


def expected(name: str) -> float:
    return value(figures(units_of(matrix(TABLE, "xy"))).pairs[0].measures[name])


@pytest.mark.parametrize("toml", ['[annotators.again]\nsame_as = "Ann"\n'])
def test_a_second_name_is_compared_with_the_first(tmp_path: Path, toml: str) -> None:
    lines = ["item,Ann,Bob,again", *(f"u{place},{a},x,{b}" for place, (a, b) in enumerate(rows()))]
    (own,) = twice(results(tmp_path, toml, "\n".join(lines) + "\n"))
    assert (own.annotator, own.units) == ("A01", 40)
    assert {name: figure.value for name, figure in own.by_category.items()} == pytest.approx(
        {"x": 40 / 47, "y": 26 / 33}
    )
    for name in ("observed_agreement", "cohen_kappa", "krippendorff_alpha"):
        assert own.measures[name].value == pytest.approx(expected(name))
        assert own.measures[name].recomputable is False
        assert own.measures[name].interval is not None


def test_repeated_labels_are_second_passes(tmp_path: Path) -> None:
    lines = ["item,annotator,label"]
    for place, (a, b) in enumerate(rows()):
        lines += [f"u{place},Ann,{a}", f"u{place},Ann,{b}", f"u{place},Bob,x", f"u{place},Ann,x"]
    (own,) = twice(results(tmp_path, "", "\n".join(lines) + "\n"))
    assert own.measures["observed_agreement"].value == pytest.approx(33 / 40)


def test_second_copies_of_texts_are_compared_token_by_token(tmp_path: Path) -> None:
    text = "one two three four"
    marks = {"Ann": [(0, 3), (4, 7)], "Ann2": [(0, 3)], "Bob": [(0, 3)]}
    files = {}
    for name, spans in marks.items():
        files[f"exports/1.0/{name}/d.txt"] = text
        files[f"exports/1.0/{name}/d.ann"] = "".join(
            f"T{place}\tX {start} {end}\t{text[start:end]}\n" for place, (start, end) in enumerate(spans, 1)
        )
    files["exports/1.0/Ann/e.txt"] = files["exports/1.0/Bob/e.txt"] = text
    files["exports/1.0/Ann/e.ann"] = files["exports/1.0/Bob/e.ann"] = ""
    (own,) = twice(results_of(written(tmp_path / "c", '[annotators.Ann2]\nsame_as = "Ann"\n', files)))
    # Of the four tokens of d, which alone was seen twice, they agree on three.
    assert (own.units, own.measures["observed_agreement"].value) == (4, 0.75)
