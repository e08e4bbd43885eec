"""Labels are looked at before they are counted: by `agree`, `init` and `build` alike."""

import json
import tomllib
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportgen.units import Expected, LabelTable, label_faults
from tests.campaigns import written
from tests.commands import run
from tests.properties import examples

PEOPLE = ("Ann", "Bob", "Cyd")
HEAD = "unit,annotator,label\n"
# A label that each of three gives to each of 200 units: "New" or "Former", and "none" to a good share.
COMMON = ("New", "Former", "none", "New", "Former")
UNITS = 200
# What is wrong, by the place of a rating: its label instead.
FAULTS = (
    {(unit, "Ann"): "new" for unit in range(10, 30, 5)}  # by case
    | {(unit, "Bob"): "Former " for unit in range(1, 21, 5)}  # by white space
    | {(3, "Cyd"): "n/a", (8, "Bob"): "?"}  # missing
    | {(4, "Ann"): "Fomer"}  # misspelt
    | {(unit, "Cyd"): "Kept" for unit in range(100, 130, 5)}  # of one alone
)
AGAIN = 8
DECLARED = '[task]\ncategories = ["New", "Former"]\nnon_annotated = "nothing"\n'


def table(faults: dict[tuple[int, str], str], again: int = 0) -> str:
    """Return ratings as CSV; the first `again` rows stand twice."""
    rows = [
        f"u{unit},{who},{faults.get((unit, who), COMMON[unit % len(COMMON)])}\n"
        for unit in range(UNITS)
        for who in PEOPLE
    ]
    return HEAD + "".join((*rows, *rows[:again]))


# Rows that are there twice count twice.
FAULTY = table(FAULTS, AGAIN)
ALIKE = (
    '"New" and "new" differ only by case and count as different labels (labels: 231, 4).',
    '"Former" and "Former " differ only by white space and count as different labels (labels: 237, 5).',
)
# agree and init take "n/a" for a missing rating by themselves.
DOUBTED = '"?" looks like a missing rating and counts as a label (labels: 1).'
BLANK = '"?" and "n/a" look like missing ratings and count as labels (labels: 1, 1).'
MISSPELT = '"Fomer" (given once) is "Former" but for a letter.'
PRIVATE = 'given by one annotator alone: "Kept" (6 times).'
REPEATED = "8 labels repeat an earlier one of the same annotator on the same unit."
UNMARKED = '"nothing" is the category of units that nobody marked, and no unit has this label.'


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def holds(said: list[str], expected: tuple[str, ...]) -> None:
    """Every expected sentence is in a line of its own, and there is no other line."""
    assert len(said) == len(expected), said
    for each in expected:
        assert sum(each in line for line in said) == 1, (each, said)


def test_agree_names_every_fault_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "e.csv"
    file.write_text(FAULTY, encoding="utf-8")
    answer = run("agree", file, "--non-annotated", "nothing", "--json")
    assert answer.exit_code == 0
    holds(lines(answer.stderr), (*ALIKE, DOUBTED, MISSPELT, PRIVATE, REPEATED, UNMARKED))
    assert "--missing '?'" in answer.stderr
    settled = run("agree", file, "--missing", "n/a", "--missing", "?", "--json")
    holds(lines(settled.stderr), (*ALIKE, MISSPELT, PRIVATE, REPEATED))


def test_init_names_every_fault_and_nothing_else(tmp_path: Path) -> None:
    """Nothing is declared yet: neither categories nor the non-annotated one."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/e.csv").write_text(FAULTY, encoding="utf-8")
    answer = run("init", tmp_path / "mine", "--json")
    assert answer.exit_code == 0
    said = lines(answer.stderr)
    holds(said, (*ALIKE, DOUBTED, MISSPELT, PRIVATE, REPEATED))
    assert 'missing = ["n/a"]' in (tmp_path / "mine/campaign.toml").read_text(encoding="utf-8")
    assert json.loads(answer.stdout)["notices"] == said
    assert any('mine/campaign.toml: guidelines.1.missing: "?"' in line for line in said)


def test_build_names_every_fault_with_its_line_and_nothing_else(tmp_path: Path) -> None:
    made = written(tmp_path / "c", DECLARED.replace("]", ', "none"]', 2), {"exports/1.0/e.csv": FAULTY})
    toml = made / "campaign.toml"
    text = toml.read_text(encoding="utf-8").replace('[task, "none"]', "[task]")
    toml.write_text(text, encoding="utf-8")
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    said = lines(answer.stderr)
    undeclared = (
        '"Kept" is not a declared category, but is counted as one (given 6 times, by one annotator alone).',
        '"Fomer" is not a declared category, but is counted as one (given once). Did you mean "Former"?',
    )
    holds(said, (*ALIKE, BLANK, *undeclared, REPEATED, UNMARKED))
    at = text.split("\n").index('categories = ["New", "Former", "none"]') + 1
    assert all(f"campaign.toml:{at}: task.categories: " in line for line in said if "no declared" in line)
    assert any('normalise = ["lowercase"] under [[guidelines]]' in line for line in said)
    assert any('normalise = ["strip"] under [[guidelines]]' in line for line in said)
    assert any('missing = ["?", "n/a"] under [[guidelines]]' in line for line in said)
    assert any('categories = ["New", "Former", "none", "Kept"]' in line for line in said)


@examples(40)
@given(
    st.dictionaries(st.text(max_size=6), st.tuples(*[st.integers(0, 200)] * 3), max_size=8),
    st.lists(st.text(max_size=6), max_size=4),
    st.none() | st.text(max_size=4),
)
def test_every_label_is_named_once_at_most(
    labels: dict[str, tuple[int, int, int]], categories: list[str], unmarked: str | None
) -> None:
    counts = np.array([*labels.values()], dtype=np.int64).reshape(-1, 3)
    found = LabelTable(tuple(labels), counts, np.ones(3, dtype=np.bool_))
    faults = list(label_faults(found, Expected(tuple(categories), unmarked)))
    named = [label for fault in faults for label in fault.labels]
    assert len(named) == len(set(named))
    assert set(named) <= {*labels, *categories}
    assert all(fault.message.isprintable() and fault.remedy.isprintable() for fault in faults)


@examples(40)
@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True))
def test_what_notices_ask_to_write_is_toml(labels: list[str]) -> None:
    counts = np.full((len(labels), 2), 9, dtype=np.int64)
    found = LabelTable(tuple(labels), counts, np.ones(2, dtype=np.bool_))
    for fault in label_faults(found, Expected(categories=("Zorn",))):
        if fault.key == "task.categories":
            line = fault.remedy[fault.remedy.index("categories = ") :].removesuffix(".")
            assert tomllib.loads(line) == {"categories": ["Zorn", *fault.labels]}


# In a small file: 60 units of three people.


def test_an_empty_set_where_nothing_else_is_a_set_is_a_label_that_is_not_declared(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["yes", "no"]\n'
    rows = "".join(f"{unit},yes,{'no' if unit % 2 else 'yes'}\n" for unit in range(8))
    folder = written(tmp_path / "c", toml, {"exports/1.0/r.csv": f"unit,Ann,Bob\n{rows}8,yes,{{}}\n"})
    said = run("build", folder, "--out", tmp_path / "site").stderr
    assert '"{}" is not a declared category, but is counted as one (given once).' in said
