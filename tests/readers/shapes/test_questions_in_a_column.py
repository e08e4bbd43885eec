"""A column that says what was asked: each question is a layer; where a pass may be meant, it is asked."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.pipeline.reading import read_version
from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.reader import Engine
from tests.cases import cases
from tests.commands import run

CASES = {
    case["name"]: pd.DataFrame(
        {
            name: values if len(cells) == 1 else [values[int(c, 36)] for c in cells[1]]
            for name, *cells in case["columns"]
            for values in [[*cells[0]]]
        }
    )
    for case in cases(str(Path(__file__).with_name("test_refusal_rules.py")), "questions")
}


def alpha(file: Path, options: ReaderOptions) -> float | None:
    answer = agree(AgreementRequest(file, options, scale="nominal", complete=False))
    return answer.unit_set.measures[answer.primary].value


@pytest.mark.parametrize("name", CASES)
def test_each_question_is_a_layer_as_if_it_had_a_column(name: str, tmp_path: Path) -> None:
    frame = CASES[name]
    file, pivoted = tmp_path / "long.csv", tmp_path / "pivoted.csv"
    frame.to_csv(file, index=False)
    keys = ["article", "coder"]
    asked = frame.pivot_table(index=keys, columns="criterion", values="answer", aggfunc="first")
    asked.reset_index().to_csv(pivoted, index=False)
    with pytest.raises(BadInput, match="has several questions, each of which is a layer: truth, t"):
        agree(AgreementRequest(file, ReaderOptions()))
    with pytest.raises(BadInput, match="several questions"):
        agreement.of(frame)
    for question in frame["criterion"].unique():
        label = ReaderOptions(columns={"label": question})
        of_pivoted = alpha(
            pivoted, ReaderOptions(columns={"unit": "article", "annotator": "coder", "label": question})
        )
        assert alpha(file, label) == of_pivoted
        by_engine = read_export(
            [(file, "long.csv")], ReaderOptions(columns={"label": question}, engine=Engine("duckdb"))
        )
        assert by_engine.marks_read == (frame["criterion"] == question).sum()
        by_python = agreement.of(frame, label=question, scale="nominal")
        assert by_python.measures["krippendorff_alpha"].value == pytest.approx(of_pivoted)
    with pytest.raises(BadInput, match='no question "beauty"'):
        alpha(file, ReaderOptions(columns={"label": "beauty"}))


def test_what_init_writes_of_questions_in_a_column_is_built(tmp_path: Path) -> None:
    exports = tmp_path / "exports" / "1.0"
    exports.mkdir(parents=True)
    CASES["questions that share no label"].to_csv(exports / "long.csv", index=False)
    assert run("init", tmp_path).exit_code == 0
    campaign = load(tmp_path)
    read = read_version(campaign, campaign.version("1.0"))
    assert [layer.source for layer in read.version.layers] == ["truth", "tone", "stars"]
    assert [int(study.unit_sets[0].weight.sum()) for study in read.studies] == [12, 12, 12]


def crossed(third: str, answers: tuple[str, str]) -> pd.DataFrame:
    """Return a table in which each unit has two rows of each annotator, one for each value of a column."""
    rng = np.random.default_rng(1)
    rows = []
    for unit in range(12):
        for value in range(2):
            said = answers[value][rng.integers(len(answers[value]))]
            for who in ("anna", "ben"):
                label = said if rng.random() < 0.8 else answers[value][rng.integers(len(answers[value]))]
                rows.append((f"u{unit}", who, f"v{value}", label))
    return pd.DataFrame(rows, columns=["item", "annotator", third, "label"])


@pytest.mark.parametrize(
    ("third", "answers", "is_asked"),
    [("V3", ("abc", "abc"), True), ("V3", ("abc", "xyz"), False), ("Durchgang", ("abc", "abc"), False)],
)
def test_a_column_that_may_be_questions_or_passes_is_asked(
    third: str, answers: tuple[str, str], *, is_asked: bool, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    crossed(third, answers).to_csv(file, index=False)
    if not is_asked:
        label = {"label": "v1"} if third == "V3" else {}
        assert read_export([(file, "t.csv")], ReaderOptions(columns=label)).marks_read == (
            24 if label else 48
        )
        return
    with pytest.raises(BadInput) as caught:
        read_export([(file, "t.csv")], ReaderOptions())
    (problem,) = caught.value.problems
    assert "(1) units in item, annotators in annotator, a question for each value of V3" in problem.message
    assert "(2) units in item, annotators in annotator, passes in V3" in problem.message
    assert "(3) units in item + V3, annotators in annotator" in problem.message
    assert 'question = "V3", answer = "label"' in problem.remedy
