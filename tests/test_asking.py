"""What a table leaves open is asked at a terminal; elsewhere each answer is written with what it gives."""

import random
import tomllib
from pathlib import Path

import pytest

from reportgen.cli import asking
from tests.commands import on_disk, run


def table(folder: Path) -> Path:
    """Write a table whose last column is what most of three people say, who often differ."""
    chance = random.Random(1)  # noqa: S311 - labels of a test
    rows = ["item,Ann,Bob,Cy,wert"]
    for unit in range(40):
        truth = chance.choice("abc")
        said = [truth if chance.random() < 0.7 else chance.choice("abc") for _ in range(3)]
        rows.append(",".join([f"u{unit}", *said, max(said, key=said.count)]))
    return on_disk(folder, {"exports/1.0/t.csv": "\n".join([*rows, ""])}) / "exports/1.0/t.csv"


def crossed(folder: Path) -> Path:
    """Write a table in which a third column may be questions or passes."""
    rows = [
        f"u{unit},{who},v{turn},{'abc'[(unit + turn + (who == 'ben' and unit % 5 == 0)) % 3]}"
        for unit in range(12)
        for turn in range(2)
        for who in ("ann", "ben")
    ]
    return on_disk(folder, {"c/t.csv": "\n".join(["item,annotator,V3,label", *rows, ""])}) / "c/t.csv"


@pytest.fixture
def pressed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have somebody at the terminal, who presses these keys."""
    keys: list[str] = []
    monkeypatch.setattr(asking, "may_ask", lambda: True)
    monkeypatch.setattr("reportgen.cli.agree.may_ask", lambda: True)
    monkeypatch.setattr("typer.getchar", lambda: keys.pop(0))
    return keys


def test_without_a_terminal_each_answer_is_said_with_its_figure(tmp_path: Path) -> None:
    answer = run("agree", table(tmp_path))
    assert answer.exit_code == 2
    assert "What each gives: (1) 3 annotators, 40 units, Krippendorff's alpha 0." in answer.stderr
    assert "; (2) 4 annotators, 40 units, Krippendorff's alpha 0." in answer.stderr
    assert "Press" not in answer.stderr


def test_a_key_chooses_a_reading(tmp_path: Path, pressed: list[str]) -> None:
    file = table(tmp_path)
    for key, people in (("1", 3), ("2", 4)):
        pressed[:] = [key]
        answer = run("agree", file)
        assert answer.exit_code == 0, answer.output
        assert f"{people} annotators, 40 units" in answer.stdout
        assert "1  units in item, a column for each annotator: Ann, Bob, Cy: 3 annotators" in answer.stderr
        assert "Press 1 or 2 for what is right" in answer.stderr
        assert "What remains" not in answer.stderr
    pressed[:] = ["q"]
    assert run("agree", file).exit_code == 2


def test_a_second_question_follows_the_first(tmp_path: Path, pressed: list[str]) -> None:
    pressed[:] = ["1", "2"]
    answer = run("agree", crossed(tmp_path))
    assert answer.exit_code == 0, answer.output
    assert "2 questions" in answer.stderr
    assert "labels in v1" in answer.stdout
    pressed[:] = ["2"]
    answer = run("agree", crossed(tmp_path))
    assert "passes in V3" in answer.stdout


def test_what_is_said_to_init_is_in_campaign_toml(tmp_path: Path, pressed: list[str]) -> None:
    table(tmp_path)
    pressed[:] = ["1"]
    answer = run("init", tmp_path)
    assert answer.exit_code == 0, answer.output
    assert "Ann, Bob, Cy: 3 annotators, 40 units, labels " in answer.stderr
    written = tomllib.loads((tmp_path / "campaign.toml").read_text(encoding="utf-8"))
    assert written["guidelines"][0]["annotators"] == ["Ann", "Bob", "Cy"]
    (tmp_path / "campaign.toml").unlink()
    pressed[:] = ["q"]
    run("init", tmp_path)
    written = tomllib.loads((tmp_path / "campaign.toml").read_text(encoding="utf-8"))
    assert "annotators" not in written["guidelines"][0]


def test_a_file_says_how_a_table_is_read(tmp_path: Path) -> None:
    file, keys = crossed(tmp_path), tmp_path / "reading.toml"
    keys.write_text(
        'columns = { unit = "item", annotator = "annotator", pass = "V3", label = "label" }\n',
        encoding="utf-8",
    )
    answer = run("agree", file, "--reading", keys)
    assert answer.exit_code == 0, answer.output
    assert "passes in V3" in answer.stdout
    keys.write_text(
        'columns = { unit = "item", annotator = "annotator", question = "V3", answer = "label" }\n',
        encoding="utf-8",
    )
    assert run("agree", file, "--reading", keys, "--columns", "label=v0").exit_code == 0
    keys.write_text('turned = "yes"\nheaderr = 2\n', encoding="utf-8")
    answer = run("agree", file, "--reading", keys)
    assert answer.exit_code == 2
    assert "reading.toml:1: turned: " in answer.stderr
    assert "reading.toml:2: headerr: " in answer.stderr
