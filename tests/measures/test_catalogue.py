"""The catalogue says everything of every measure: by formula, when to take it, when not, from where."""

import re
import shutil
from pathlib import Path

import pytest

from reportgen.catalogue import BRACKETS, CATALOGUE, DECLARED, FOLDER, Bracket, Measure, brackets_of
from tests.lint_catalogue import problems

FIELDS = (
    "id", "name", "symbol", "formula", "latex", "chance", "assumptions", "answers", "use", "avoid",
    "sentence", "works", "kind", "annotators", "missing",
)  # fmt: skip
KINDS = {"coefficient", "share", "index", "ceiling", "test", "table", "unitizing"}
DOI = re.compile(r"10\.\d{4,9}/\S+")

measures = pytest.mark.parametrize("measure", CATALOGUE, ids=lambda each: each.id)
brackets = pytest.mark.parametrize("bracket", [*BRACKETS, DECLARED], ids=lambda each: each.key)


@measures
def test_a_measure_has_every_field(measure: Measure) -> None:
    assert [name for name in FIELDS if not getattr(measure, name)] == []
    assert measure.kind in KINDS


@brackets
def test_brackets_have_every_field(bracket: Bracket) -> None:
    fields = ("id", "name", "formula", "latex", "answers", "use", "avoid", "works")
    assert [name for name in fields if not getattr(bracket, name)] == []


@measures
def test_what_is_said_of_a_measure_is_in_sentences(measure: Measure) -> None:
    for text in (measure.use, measure.avoid, measure.sentence, measure.assumptions):
        assert re.fullmatch(r"\S.*\.", text), text
    assert measure.answers.endswith("?")
    assert not measure.chance.endswith(".")
    for each in measure.elsewhere:
        assert each.library
        assert not each.returns.endswith(".")


@measures
def test_sources_are_cited_with_a_year_and_dois_are_bare(measure: Measure) -> None:
    for work in measure.works:
        assert re.search(r"\b(18|19|20)\d\d\b", work.citation) or work.citation.startswith("Interlingual")
        assert work.doi == "" or DOI.fullmatch(work.doi)


@pytest.mark.parametrize(
    ("figure", "names"),
    [
        ("scott_pi", []),
        ("krippendorff_alpha[ordinal]", ["Krippendorff's ordinal distance"]),
        ("weighted_kappa[ordinal]", ["Gwet's ordinal weights"]),
        ("gwet_ac2[bipolar]", ["Bipolar distance"]),
        ("krippendorff_alpha[masi]", ["MASI distance"]),
        ("krippendorff_alpha[expert]", ["A declared table"]),
        ("f_measure[lenient,bdm]", ["Lenient", "Balanced distance metric"]),
        ("f_measure[strict,expert]", ["Strict", "A declared table"]),
        ("alpha_u[a category]", []),
    ],
)
def test_brackets_are_told_apart_by_the_measure_that_they_stand_behind(figure: str, names: list[str]) -> None:
    assert [each.name for each in brackets_of(figure)] == names


# What `make lint` says of the data


PI, UNANIMOUS, LINEAR = "[scott_pi]", "[unanimous_agreement]", 'id = "linear"'


@pytest.mark.parametrize(
    ("file", "entry", "right", "wrong", "at", "said"),
    [
        ("two_annotators", PI, "symbol", "symbl", "symbol", "scott_pi.symbl: is not a valid key of an entry"),
        ("two_annotators", PI, 'symbol = "π"', "symbol = 3", "symbol", "scott_pi.symbol: does not fit"),
        ("two_annotators", PI, 'symbol = "π"', 'symbol = "π', "symbol", "is no TOML"),
        ("two_annotators", PI, '"scott_pi"', '"scot_pi"', "coefficient =", 'formulas.py has no "scot_pi"'),
        ("more_annotators", UNANIMOUS, ".unanimous", ".nobody", "for_all", 'has no "coefficients.nobody"'),
        ("more_annotators", UNANIMOUS, "fleiss-1975", "fleis-1975", "works", 'Did you mean "fleiss-1975"?'),
        ("brackets", LINEAR, '"linear"\n\n', '"ordinal"\n\n', "function", 'has no "ordinal" of values'),
    ],
)
def test_a_wrong_entry_is_named_by_file_and_line(  # noqa: PLR0917 - what is changed, and what is said of it
    tmp_path: Path, file: str, entry: str, right: str, wrong: str, at: str, said: str
) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "catalogue"))
    assert problems(folder) == []
    path = folder / f"{file}.toml"
    text = path.read_text(encoding="utf-8")
    begin = text.index(entry)
    start = text.index(right, begin)
    path.write_text(text[:start] + wrong + text[start + len(right) :], encoding="utf-8")
    place = text.index(at, begin)
    found = [problem for problem in problems(folder) if said in str(problem)]
    line = text[:place].count("\n") + 1
    assert [(problem.file, problem.line) for problem in found] == [(f"reportgen/catalogue/{file}.toml", line)]
