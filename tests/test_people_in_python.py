"""Python: people and models who are named, columns, spans, and `reportgen.load(folder)`."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import reportgen
from reportgen import agreement
from reportgen.agreement import RatingsAgreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_version
from reportgen.readers.reader import is_model, models_among
from reportgen.results import Results, dumps
from reportgen.results.versions import VersionComparison
from tests.campaigns import written
from tests.commands import on_disk, run

PEOPLE = {"anna": list("abab" * 9 + "aaab"), "ben": list("abaa" * 10), "cy": list("abbb" * 10)}
FRAME = pd.DataFrame(
    {
        "item": range(40),
        "opening": [f"text {number}" for number in range(40)],
        **PEOPLE,
        "gpt-4o": list("aabb" * 10),
        "best": list("abab" * 10),
        "seconds": range(40),
    }
)


def alpha(found: RatingsAgreement) -> float | None:
    return found.measures["krippendorff_alpha"].value


def test_people_who_are_named_are_compared_and_models_and_references_are_not() -> None:
    of_people = agreement.of(pd.DataFrame(PEOPLE))
    found = agreement.of(FRAME, annotators=["anna", "ben", "cy"], models=["gpt-4o"], reference="best")
    assert found.annotators == ("anna", "ben", "cy")
    assert alpha(found) == alpha(of_people)
    long = FRAME.melt("item", [*PEOPLE, "gpt-4o", "best"], "annotator", "label")
    assert alpha(agreement.of(long, models=["gpt-4o"], reference="best")) == alpha(of_people)
    two = agreement.of(long, annotators=["anna", "ben"])
    assert two.annotators == ("anna", "ben")
    assert alpha(two) == alpha(agreement.of(FRAME[["anna", "ben"]]))


def test_models_and_references_are_known_by_their_names_and_that_is_said() -> None:
    named = FRAME[[*PEOPLE, "gpt-4o"]].assign(gold=FRAME["best"])
    with pytest.warns(UserWarning, match="by its name") as warned:
        found = agreement.of(named)
    assert [str(each.message).partition(",")[0] for each in warned] == [
        '"gold" was taken for a reference', '"gpt-4o" was taken for a model'
    ]  # fmt: skip
    assert all(each.filename == __file__ for each in warned)
    assert alpha(found) == alpha(agreement.of(pd.DataFrame(PEOPLE)))
    everybody = agreement.of(named, annotators=[*named.columns])
    assert len(everybody.annotators) == 5


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"models": ["gpt-4"]}, 'models: "gpt-4" labelled nothing. Did you mean "gpt-4o"?'),
        ({"annotators": ["anna", "ben"], "models": ["ben"]}, 'annotators: "ben" is named twice.'),
        ({"annotators": "anna"}, 'annotators: is the text "anna"; a list was expected.'),
    ],
)
def test_wrong_names_are_refused_in_words(how: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput) as error:
        agreement.of(FRAME[[*PEOPLE, "gpt-4o"]], **how)  # type: ignore[arg-type]
    assert said in str(error.value)


def test_one_person_beside_models_is_asked_about() -> None:
    with pytest.raises(
        BadInput, match="from one person, anna, and from models, as names suggest: gpt-4o, qwen"
    ):
        agreement.of(FRAME[["anna", "gpt-4o"]].assign(qwen=FRAME["best"]))


def test_two_columns_are_two_annotators_as_scikit_learn_has_them() -> None:
    from sklearn.metrics import cohen_kappa_score

    one, other = FRAME["anna"], FRAME["ben"]
    found = agreement.cohen_kappa(one, other)
    assert found.value == pytest.approx(cohen_kappa_score(one, other))
    assert found == agreement.cohen_kappa([*zip(one, other, strict=True)])
    assert (
        agreement.scott_pi([1, 2, 2], [1, 2, 1]).value == agreement.scott_pi([[1, 1], [2, 2], [2, 1]]).value
    )
    with pytest.raises(BadInput, match="are 2 labels of one annotator and 1 of the other"):
        agreement.cohen_kappa([1, 2], [1])


def test_a_figure_of_two_says_where_that_of_pairs_is() -> None:
    found = agreement.of(pd.DataFrame(PEOPLE))
    with pytest.raises(KeyError, match=r'is of two annotators: take pairs\["…", "…"\].measures'):
        found.measures["cohen_kappa"]
    assert found.pairs["ben", "anna"].measures["cohen_kappa"].value is not None
    with pytest.raises(KeyError, match="Did you mean"):
        found.measures["krippendorf_alpha"]


# Spans

TEXTS = {"d": "Anna met Ben", "e": "Rom is nice"}
SPANS = [("d", "Ann", 0, 4, "P"), ("d", "Ben", 0, 4, "P"), ("d", "Ann", 9, 12, "P"), ("e", "Ben", 0, 3, "L")]


def test_spans_in_memory_have_f_measures_and_figures_by_token() -> None:
    found = agreement.of_spans(SPANS, texts=TEXTS)
    pair = found.pairs["Ben", "Ann"]
    assert (pair.counts.match, pair.counts.only_first, pair.counts.only_second) == (1, 1, 1)
    assert pair.strict["f_measure"].value == 0.5
    by_token = agreement.of([["P", "P"], ["", ""], ["P", ""], ["", "L"], ["", ""], ["", ""]])
    assert found.tokens.measures["krippendorff_alpha"].value == pytest.approx(alpha(by_token))
    assert repr(found) == "<agreement of 2 annotators on spans: f_measure[strict] 0.500>"


def test_who_marked_nothing_is_there_too() -> None:
    found = agreement.of_spans(SPANS, texts=TEXTS, annotators=["Cy"])
    assert [*found.pairs] == [("Ann", "Ben"), ("Ann", "Cy"), ("Ben", "Cy")]
    assert found.tokens.annotators == ("Ann", "Ben", "Cy")


def test_wrong_spans_are_refused_all_at_once() -> None:
    wrong = [("d", "Ann", 0, "x", "P"), ("f", "Ben", 0, 4, "P"), 3]
    with pytest.raises(BadInput) as error:
        agreement.of_spans(wrong, texts=TEXTS)
    said = str(error.value)
    assert "the spans:1: goes from 0 to 'x'" in said
    assert 'the spans:2: is in a document without a text, "f".' in said
    assert "the spans:3: is 3; (document, annotator, start, end, label) was expected." in said
    with pytest.raises(BadInput, match="a mark from 9 to 99 does not lie within the text"):
        agreement.of_spans([("d", "Ann", 9, 99, "P")], texts=TEXTS)


def test_replacement_takes_nobody_for_a_human_who_is_called_a_reference_or_a_model() -> None:
    names = ("anna", "ben", "cleo")
    people = {who: [1 + (n + shift) % 5 for n in range(40)] for shift, who in enumerate(names)}
    frame = {**people, "gpt-4": people["anna"], "gold": people["anna"], "qwen2": people["ben"]}
    with pytest.warns(UserWarning, match="was taken for a") as said:
        found = agreement.replacement(frame, models=["gpt-4"], epsilon=0.1)
    assert {str(warning.message).split('"')[1] for warning in said} == {"gold", "qwen2"}
    assert "humans: anna, ben, cleo\n" in repr(found)
    # The scale is found, as in `of`.
    assert found.score == "neg_rmse"
    mixed = [*people["anna"][:20], *people["ben"][20:]]
    assert agreement.replacement(people | {"m": mixed}, ["m"], scale="nominal").score == "accuracy"


def test_spans_of_nobody_or_of_one_are_refused_and_none_at_all_are_printed() -> None:
    for spans in ([], [("d", "Ann", 0, 4, "P")]):
        with pytest.raises(BadInput, match="agreement needs two annotators"):
            agreement.of_spans(spans, texts=TEXTS)
    found = agreement.of_spans([], texts=TEXTS, annotators=["Ann", "Ben"])
    assert "undefined, as nobody marked anything" in repr(found)


def test_a_named_reference_hides_no_counts() -> None:
    counts = pd.DataFrame(
        {
            "item": range(15),
            "x": [5, 0, 0, 3, 1] * 3,
            "y": [0, 5, 0, 1, 3] * 3,
            "z": [0, 0, 5, 1, 1] * 3,
            "best": [5, 5, 5, 3, 3] * 3,
        }
    )
    with pytest.raises(BadInput, match="whose sum is 5 in each row"):
        agreement.of(counts, reference="best")
    assert agreement.of(counts, annotators=["x", "y", "z"], reference="best").annotators == ("x", "y", "z")


TOML = """title = "Opinions <of> reviews"

[task]
categories = ["yes", "no"]

[[guidelines]]
version = "1"

[[guidelines]]
version = "2"
"""
FIRST = "item,Ada,Bea\n1,yes,yes\n2,yes,no\n3,no,no\n4,no,yes\n"
SECOND = "item,Ada,Bea\n1,yes,yes\n2,no,no\n3,no,no\n4,no,yes\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tables = {"exports/1/ratings.csv": FIRST, "exports/2/ratings.csv": SECOND}
    return on_disk(tmp_path / "reviews", {"campaign.toml": TOML, **tables})


@pytest.mark.slow
def test_results_are_those_of_the_site(folder: Path, tmp_path: Path) -> None:
    campaign = reportgen.load(str(folder))
    page = campaign.build(tmp_path / "site")
    assert page == tmp_path / "site/reviews/index.html"
    assert page.exists()
    for version in campaign.versions:
        written = (tmp_path / "site/reviews" / version / "results.json").read_text(encoding="utf-8")
        assert dumps(campaign.results[version]) == written
        assert Results.model_validate_json(written).guidelines == version
    written = (tmp_path / "site/reviews/compare/1...2/comparison.json").read_text(encoding="utf-8")
    assert dumps(campaign.compare("2", "1")) == written, "the earlier version is the first in either order"
    assert VersionComparison.model_validate_json(written).second.guidelines == "2"


def test_a_campaign_is_short_to_print_and_a_table_in_a_notebook(folder: Path) -> None:
    from matplotlib import pyplot as plt

    campaign = reportgen.load(folder)
    assert repr(campaign) == "<campaign reviews: versions 1, 2>"
    shown = campaign._repr_html_()
    assert "Opinions &lt;of&gt; reviews" in shown
    assert shown.count("<tr>") == 2
    assert any("Krippendorff's alpha" in each for each in campaign.findings)
    assert len(repr(campaign.newest)) < 1500, "results are megabytes"
    assert repr(campaign.newest.primary.measures["gwet_ac1"]).startswith("Figure(value=0.")
    assert campaign.changes("1", "2")[0].startswith(
        "Krippendorff's alpha is 0.125 (1) and 0.533 (2) on the 4 units"
    )
    assert campaign.newest is campaign.results["2"]
    plt.switch_backend("agg")
    assert campaign.plot_of("1").categories() is not None
    plt.close("all")


def test_what_is_wrong_is_said_in_words(folder: Path) -> None:
    campaign = reportgen.load(folder)
    with pytest.raises(BadInput, match="1 and 1 are one guidelines version"):
        campaign.compare("1", "1")
    with pytest.raises(BadInput, match='"3"'):
        campaign.compare("1", "3")
    with pytest.raises(BadInput, match=r'no layer is called "man"\. Did you mean "main"'):
        campaign.plot_of("1", layer="man")
    with pytest.raises(BadInput, match="there is no such folder"):
        reportgen.load(folder / "nowhere")
    (folder / "exports/2/ratings.csv").write_text("item,Ada\n1,yes\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"ratings\.csv"):
        _ = reportgen.load(folder).results


def test_importing_reportgen_loads_nothing_that_takes_long() -> None:
    code = (
        "import sys, reportgen; "
        "sys.exit(any(each in sys.modules for each in ('numpy', 'pandas', 'pydantic', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


HUMANS = ("anna", "ben")


def _table(folder: Path, *names: str) -> Path:
    """Return a table in which people agree on most units, and models say what comes."""
    rows = [
        ",".join(
            (
                f"u{unit}",
                *("ab"[(unit + (number > 1 and unit % 3 == number % 3)) % 2] for number in range(len(names))),
            )
        )
        for unit in range(40)
    ]
    file = folder / "ratings.csv"
    file.write_text("\n".join((",".join(("item", *names)), *rows)) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "name",
    [
        *("gpt-4o", "GPT4", "chatgpt", "o1-gpt", "llama3", "Llama-3.1-70B", "gemini", "qwen2.5"),
        *("Mistral 7B", "mixtral-8x7b", "claude_sonnet", "gemma-2", "LLM", "model", "xlm-roberta"),
        *("meta-llama/Meta-Llama-3-8B-Instruct", "claude-3-5-sonnet-20241022", "bert-large-uncased"),
        *("annotator_gpt4", "Model A", "gpt-4o (temperature 0.7)"),
    ],
)
def test_names_of_models_are_known(name: str) -> None:
    assert is_model(name)
    assert models_among([*HUMANS, name], {}) == (name,)


@pytest.mark.parametrize(
    "name",
    [
        *("Claude", "Gemma", "Mistral", "Claudette", "A1", "modeller", "Bert 2", "Albert B.", "p_2b"),
        # A name is a model's as a whole.
        *("coder-base", "Claude M", "Ann (checked gpt-4)", "role model"),
    ],
)
def test_names_that_people_have_are_people(name: str) -> None:
    assert models_among([*HUMANS, name], {}) == ()


@pytest.mark.parametrize(
    ("people", "roles", "models"),
    [
        # Names that people have are models' beside other models, but for a person called Bert.
        ([*HUMANS, "claude", "gpt-4"], {}, ("claude", "gpt-4")),
        (["anna", "Claude", "gpt-4", "qwen"], {}, ("gpt-4", "qwen")),
        ([*HUMANS, "BERT", "RoBERTa"], {}, ("BERT", "RoBERTa")),
        ([*HUMANS, "Bert", "RoBERTa"], {}, ("RoBERTa",)),
        # Whoever is one of a series of people is none.
        ([f"T{number}" for number in range(1, 7)], {}, ()),
        ([*HUMANS, "T5"], {}, ("T5",)),
        (["gpt-3", "gpt-4", "gpt-5", "anna"], {}, ("gpt-3", "gpt-4", "gpt-5")),
        (["phi-1", "phi-2", "phi-3", *HUMANS], {}, ("phi-1", "phi-2", "phi-3")),
        # What is said of somebody is no guess, and models alone are compared with each other.
        ([*HUMANS, "gpt-4"], {"gpt-4": "annotator"}, ()),
        ([*HUMANS, "gpt-4", "qwen"], {"ben": "reference"}, ("gpt-4", "qwen")),
        (["gpt-4", "qwen", "claude"], {}, ()),
    ],
)
def test_who_is_a_model_is_seen_beside_the_others(
    people: list[str], roles: dict[str, str], models: tuple[str, ...]
) -> None:
    assert models_among(people, roles) == models


def test_agree_gives_the_figures_of_people_and_says_who_is_a_model(tmp_path: Path) -> None:
    alone = json.loads(run("agree", _table(tmp_path, *HUMANS), "--json").stdout)
    file = _table(tmp_path, *HUMANS, "gpt-4o", "qwen2")
    answer = run("agree", file, "--json")
    assert answer.exit_code == 0
    assert json.loads(answer.stdout)["measures"] == alone["measures"]
    for name in ("gpt-4o", "qwen2"):
        assert (
            f'"{name}" was taken for a model, by its name, and is not among the annotators.' in answer.stderr
        )
    asked = json.loads(run("agree", file, "--annotators", "anna,ben,gpt-4o,qwen2", "--json").stdout)
    assert len(asked["annotators"]) == 4
    tested = run("agree", file, "--model", "gpt-4o", "--json")
    assert '"gpt-4o" was taken' not in tested.stderr


def test_one_person_and_several_models_are_asked_about(tmp_path: Path) -> None:
    answer = run("agree", _table(tmp_path, "anna", "gpt-4o", "qwen2"))
    assert answer.exit_code == 2
    assert (
        'has labels of one person, "anna", and of models, as names suggest: "gpt-4o" and "qwen2"'
        in answer.stderr
    )
    assert "--annotators anna,gpt-4o" in answer.stderr


def test_one_person_and_one_model_are_a_campaign_of_a_judge(tmp_path: Path) -> None:
    """`agree` asks, as with several models; `init` and `build` say how the model errs beside the person."""
    file = _table(tmp_path, "anna", "gpt-4o")
    answer = run("agree", file)
    assert answer.exit_code == 2
    assert "--model gpt-4o; or take both alike: --annotators anna,gpt-4o" in answer.stderr
    assert run("agree", file, "--annotators", "anna,gpt-4o").exit_code == 0
    folder = tmp_path / "c"
    (folder / "exports").mkdir(parents=True)
    file.rename(folder / "exports" / "ratings.csv")
    assert "Taken for language models because of their names" in " ".join(run("init", folder).stdout.split())
    campaign = load(folder)
    read = read_version(campaign, campaign.version("1.0"))
    assert read.annotations[0].called_models == ("gpt-4o",)
    assert read.studies[0].unit_sets[0].annotators == ("anna",)


@pytest.mark.slow
def test_build_keeps_models_apart_unless_the_campaign_says_otherwise(tmp_path: Path) -> None:
    table = _table(tmp_path, *HUMANS, "gpt-4o").read_text(encoding="utf-8")
    made = written(tmp_path / "c", "", {"exports/1.0/e.csv": table})

    def annotators() -> int:
        results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
        return len(results["unit_sets"][0]["annotators"])

    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert '"gpt-4o" was taken for a model, by its name' in answer.stderr
    assert annotators() == 2
    toml = made / "campaign.toml"
    role = '\n[annotators."gpt-4o"]\nrole = "annotator"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + role, encoding="utf-8")
    assert run("build", made, "--out", tmp_path / "site", "-q").stderr == ""
    assert annotators() == 3
