"""Models are known by their names, and are pooled with people only where somebody asks for that."""

import json
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.pipeline.reading import read_version
from reportgen.readers.reader import is_model, models_among
from tests.campaigns import written
from tests.commands import run

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
