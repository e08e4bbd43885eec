"""Where nobody declares a scale, page and terminal say first what the figures are on another."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import krippendorff
import pytest

from tests.campaigns import results_of, written
from tests.commands import run

PEOPLE = ("anna", "ben", "cleo")
UNITS = 60
LAYERS = ("fluency", "score", "topics", "kind")


def point(number: int, who: str) -> int:
    return min(5, max(1, 1 + number % 5 + {"anna": 0, "ben": number % 2, "cleo": -(number % 3 == 0)}[who]))


SAID: dict[str, Callable[[int, str], object]] = {
    "fluency": point,
    "score": lambda number, who: 3.5 * number + len(who) / 10,
    "topics": lambda number, who: "x|y" if number % 3 else ("x" if who == "ben" else "y|z"),
    "kind": lambda number, who: "yes" if number % 2 or who == "ben" else "no",
}


def table() -> str:
    rows = [
        ",".join((f"i{number}", who, *(str(SAID[layer](number, who)) for layer in LAYERS)))
        for number in range(UNITS)
        for who in PEOPLE
    ]
    return "\n".join((f"item,who,{','.join(LAYERS)}", *rows, ""))


def campaign(folder: Path, *layers: str, more: str = "") -> Path:
    toml = "".join(f'[[layers]]\nid = "{layer}"\nsource = "{layer}"\n{more}' for layer in layers)
    made = written(folder, toml, {"exports/1.0/l.csv": table()})
    with (made / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('columns = { unit = "item", annotator = "who" }\n')
    return made


@pytest.mark.slow
def test_every_layer_says_at_the_top_what_it_is_on_the_scale_that_its_labels_suggest(tmp_path: Path) -> None:
    made = campaign(tmp_path / "c", *LAYERS)
    answer = run("build", made, "--out", tmp_path / "site")
    assert answer.exit_code == 0
    ranks = [[point(number, who) for number in range(UNITS)] for who in PEOPLE]
    ordinal = f"{krippendorff.alpha(ranks, level_of_measurement='ordinal'):.3f}"
    assert "layer fluency: labels are compared as names and are whole numbers from 1 to 5" in answer.stderr
    assert f"krippendorff_alpha[ordinal] is {ordinal}" in answer.stderr
    assert "layer score: labels are compared as names and are numbers from 0.3 to 206.9" in answer.stderr
    assert "layer topics: labels are compared as names and are sets" in answer.stderr
    assert "layer kind" not in answer.stderr
    page = (tmp_path / "site/c/1.0/report.md").read_text(encoding="utf-8")
    top = page[: page.index("| Layer")]
    assert "“fluency”: Labels are whole numbers from 1 to 5. Compared as names," in top
    assert f'as ranks, Krippendorff\'s alpha is {ordinal}. Write scale = "ordinal"' in top
    assert "“score”: Labels are numbers from 0.3 to 206.9." in top
    assert "“topics”: Labels are sets." in top
    assert "“kind”: Labels are" not in top
    assert 'Write scale = "ordinal" under the layer fluency in campaign.toml' in page


@pytest.mark.slow
def test_labels_that_are_no_names_are_not_called_weak_or_confused(tmp_path: Path) -> None:
    def said_of(more: str) -> set[str]:
        made = campaign(tmp_path / f"c{len(more)}", "fluency", "kind", more=more)
        found = results_of(made).findings
        return {finding.id for finding in found if "fluency" in finding.layers}

    without, declared = said_of(""), said_of('scale = "nominal"\n')
    assert "other-scale" in without
    assert {"weak-category", "confused"} & declared
    assert not {"weak-category", "weak-categories", "confused"} & without
    assert "other-scale" not in declared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "scale"),
    [(("1", "2", "3"), "ordinal"), (("low", "medium", "high"), "ordinal"), (("a", "b", "c"), None)],
)
def test_features_of_marks_have_a_scale(values: Sequence[str], scale: str | None, tmp_path: Path) -> None:
    files = {}
    for who in ("anna", "ben"):
        for document in range(4):
            value = values[(document + (who == "ben" and document == 1)) % 3]
            files[f"exports/1.0/{who}/d{document}.txt"] = "It was good."
            marks = f"T1\tOpinion 7 11\tgood\nA1\tStrength T1 {value}\n"
            files[f"exports/1.0/{who}/d{document}.ann"] = marks
    toml = '[[layers]]\nid = "s"\nsource = "Opinion->Strength"\n[[layers]]\nid = "o"\nsource = "Opinion"\n'
    made = written(tmp_path / "c", toml, files)
    answer = run("build", made, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
    suggested = results.get("suggested_scales") or {}
    assert {layer: found["scale"] for layer, found in suggested.items()} == ({"s": scale} if scale else {})
    assert ("layer s: labels are compared as names" in answer.stderr) == (scale is not None)
