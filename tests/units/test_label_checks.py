"""Labels are looked at before they are counted: by `agree`, `init` and `build` alike."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers import Annotations, ReaderOptions, without_missing_words
from reportgen.readers.in_memory import marks_of, ratings_of
from reportgen.units import Expected, LabelTable, label_faults, label_table
from tests.campaigns import written
from tests.commands import run
from tests.measures.made import annotations
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
FAULTY, CLEAN = table(FAULTS, AGAIN), table({})
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


@pytest.mark.slow
def test_what_notices_ask_for_settles_them(tmp_path: Path) -> None:
    task = '[task]\ncategories = ["new", "former", "none", "kept", "fomer"]\nnon_annotated = "none"\n'
    made = written(tmp_path / "c", task, {"exports/1.0/e.csv": table(FAULTS)})
    toml = made / "campaign.toml"
    lines_there = 'normalise = ["lowercase", "strip"]\nmissing = ["n/a", "?"]\n'
    toml.write_text(toml.read_text(encoding="utf-8") + lines_there, encoding="utf-8")
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert (answer.exit_code, answer.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_table_that_duckdb_counts_is_looked_at_too(tmp_path: Path, engine: str) -> None:
    made = written(tmp_path / "c", "", {"exports/1.0/e.csv": FAULTY})
    toml = made / "campaign.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + f'engine = "{engine}"\n', encoding="utf-8")
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    holds(lines(answer.stderr), (*ALIKE, BLANK, MISSPELT, PRIVATE, REPEATED))


def test_of_a_clean_table_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/e.csv").write_text(CLEAN, encoding="utf-8")
    for command in (
        ("init", tmp_path / "mine"),
        ("agree", tmp_path / "mine/e.csv", "--categories", "New,Former", "--non-annotated", "none"),
    ):
        answer = run(*command)
        assert (answer.exit_code, answer.stderr) == (0, ""), command


def of(labels: dict[str, tuple[int, ...]], **expected: object) -> list[str]:
    """Return the keys of what is said of labels with their counts by annotator."""
    counts = np.array([*labels.values()], dtype=np.int64)
    found = LabelTable(tuple(labels), counts, np.ones(counts.shape[1], dtype=np.bool_))
    return [each.key for each in label_faults(found, Expected(**expected))]  # type: ignore[arg-type]


def test_what_may_be_meant_is_not_named() -> None:
    """The end of a scale, a frequent "none", codes, a rare label of one, numbers, declared spellings."""
    assert of({"+": (50, 50), "-": (40, 40)}) == []
    assert of({"yes": (50, 50), "none": (10, 12)}) == []
    assert of({"ARG0": (500, 500), "ARG1": (2, 2)}) == []
    assert of({"form": (500, 500), "worm": (2, 2)}) == []
    assert of({"a": (50, 50, 50), "b": (4, 0, 0)}) == []
    assert of({"a": (500, 500, 500), "7": (50, 0, 0)}) == []
    assert of({"a": (5, 500, 500), "b": (50, 0, 0)}, named=False) == []
    assert of({"A": (50, 50), "a": (50, 50)}, categories=("A", "a")) == []
    assert of({"-": (50, 50), "n": (50, 50)}, categories=("-", "n")) == []


def test_who_labels_little_has_no_label_alone() -> None:
    """One of two annotators gave few labels: that none of them is this one may be chance."""
    assert of({"a": (500, 10, 10), "b": (50, 0, 0)}) == []
    assert of({"a": (500, 100, 100), "b": (50, 0, 0)}) == ["task.categories"]


def test_many_faults_of_one_kind_are_not_all_listed() -> None:
    found = of({f"Label{n:03}": (9, 9) for n in range(40)}, categories=("other",))
    assert found == ["task.categories"] * 6


def test_hostile_labels_are_quoted() -> None:
    counts = np.array([[90], [1]], dtype=np.int64)
    names = ("\x1b[31mred", "\x1b[31mRED\n")
    (fault,) = label_faults(LabelTable(names, counts, np.ones(1, dtype=np.bool_)), Expected())
    assert fault.message.isprintable()
    assert fault.remedy.isprintable()


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


def test_of_very_many_labels_it_is_not_looked_at_who_gave_which(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = [("a", "b"), ("a", "b"), ("a", "a"), ("a", "b")]
    content = ratings_of(marks_of(ratings, {}), "")
    table = label_table(Annotations(content, "given", "", 8))
    assert table.uses == {"a": 5, "b": 3}
    assert table.counts.shape == (2, 2)
    monkeypatch.setattr("reportgen.units.label_checks.MOST_CELLS", 3)
    fewer = label_table(Annotations(content, "given", "", 8))
    assert fewer.uses == table.uses
    assert not fewer.compared.any()


@pytest.mark.slow
def test_folders_of_counts_are_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text(FAULTY, encoding="utf-8")
    made = written(tmp_path / "c", "", {})
    (made / "exports").mkdir()
    assert run("count", tmp_path / "e.csv", "--out", made / "exports/1.0").exit_code == 0
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    said = " ".join(lines(answer.stderr))
    for each in ('"?" and "n/a"', '"New" and "new"', '"Former" and "Former "', '"Fomer"', '"Kept"'):
        assert each in said
    assert "Settle it where it was counted, and count again." in said


def test_sets_are_looked_at_by_their_members() -> None:
    rows = [("x|y", "x|y")] * 60 + [("x|X", "y"), ("n/a|y", "z")]
    found = label_faults(label_table(annotations(rows, separator="|")), Expected(("x", "y")))
    undeclared = '"z" is not a declared category, but is counted as one (given once).'
    said = [each.message for each in found]
    holds(said, ('"n/a" looks like', '"x" and "X" differ only by case', undeclared))


# In a small file: 60 units of three people.

SMALL = [
    (f"u{unit}", who, ("agree", "object", "neutral")[(unit + (who == "Cyd" and unit % 4 == 0)) % 3])
    for unit in range(60)
    for who in ("Ann", "Des", "Cyd")
]


def _small(change: Callable[[int, str, str], tuple[str, str]]) -> str:
    rows = ((unit, *change(int(unit[1:]), who, label)) for unit, who, label in SMALL)
    return HEAD + "".join(f"{','.join(row)}\n" for row in rows)


def test_near_misses_are_named_in_small_files_too(tmp_path: Path) -> None:
    def change(unit: int, who: str, label: str) -> tuple[str, str]:
        return who, "agre" if (unit, who) == (6, "Ann") else label

    file = tmp_path / "e.csv"
    file.write_text(_small(change), encoding="utf-8")
    said = lines(run("agree", file, "--json").stderr)
    holds(said, ('"agre" (given once) is "agree" but for a letter.',))
    assert 'Write labels = { "agre" = "agree" } under [[guidelines]]' in said[0]


def test_a_rare_label_of_several_people_is_no_near_miss_in_a_small_file() -> None:
    assert of({"form": (30, 30), "worm": (2, 0)}) == []
    assert of({"form": (30, 30), "forms": (2, 0)}) == ["task.categories"]
    assert of({"form": (30, 30), "forms": (1, 1)}) == []
    assert of({"not sure": (30, 30), "not sur": (1, 0)}) == ["task.categories"]
    assert of({"form": (9, 9), "forms": (2, 0)}) == []


@pytest.mark.slow
def test_annotators_called_nearly_the_same_are_named_with_the_line_that_joins_them(tmp_path: Path) -> None:
    def change(unit: int, who: str, label: str) -> tuple[str, str]:
        return ("des" if who == "Des" and unit >= 50 else who), label

    table_of_two = _small(change)
    made = written(tmp_path / "c", "", {"exports/1.0/e.csv": table_of_two})
    said = '"Des" and "des" differ only by case and count as different annotators (labels: 50, 10).'
    line = 'same_as = "Des" under [annotators.des]'
    answer = run("agree", made / "exports/1.0/e.csv", "--json")
    holds(lines(answer.stderr), (f"{said} If they are one person, write {line}, or correct the export.",))
    alpha = json.loads(
        run("agree", _file(tmp_path, _small(lambda _, who, label: (who, label))), "--json").stdout
    )
    built = run("build", made, "--out", tmp_path / "site", "-q")
    holds(lines(built.stderr), (said,))
    toml = made / "campaign.toml"
    joined = '[annotators.des]\nsame_as = "Des"\n'
    toml.write_text(f"{toml.read_text(encoding='utf-8')}\n{joined}", encoding="utf-8")
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert (answer.exit_code, answer.stderr) == (0, "")
    results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
    (units,) = results["unit_sets"]
    assert len(units["annotators"]) == 3
    assert (
        units["measures"]["krippendorff_alpha"]["value"] == alpha["measures"]["krippendorff_alpha"]["value"]
    )


def _file(folder: Path, text: str) -> Path:
    file = folder / "joined.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_names_that_differ_by_more_than_case_and_blanks_are_different_people(tmp_path: Path) -> None:
    def change(unit: int, who: str, label: str) -> tuple[str, str]:
        return ("Dess" if who == "Des" and unit >= 50 else who), label

    assert not run("agree", _file(tmp_path, _small(change)), "--json").stderr


@pytest.mark.slow
def test_labels_are_renamed_before_anything_else_is_done_to_them(tmp_path: Path) -> None:
    def change(_: int, who: str, label: str) -> tuple[str, str]:
        return who, {"Ann": f"{label} ", "Des": label.upper()}.get(who, label)

    made = written(tmp_path / "c", "", {"exports/1.0/e.csv": _small(change)})
    toml = made / "campaign.toml"
    text = toml.read_text(encoding="utf-8")
    names = ("agree", "object", "neutral")
    renamed = ", ".join(f'"{name} " = "{name}", "{name.upper()}" = "{name}"' for name in names)
    for lines_there in (f"labels = {{ {renamed} }}", 'normalise = ["lowercase", "strip"]'):
        toml.write_text(f"{text}{lines_there}\n", encoding="utf-8")
        answer = run("build", made, "--out", tmp_path / "site", "-q")
        assert (answer.exit_code, answer.stderr) == (0, "")
        results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
        assert [*results["unit_sets"][0]["labels"]] == sorted(names)


def test_members_of_sets_and_cleaned_labels_are_renamed_too() -> None:
    options = ReaderOptions(set_separator="|", normalise=("lowercase",), labels={"n/a": "none", "X ": "y"})
    assert without_missing_words(["N/A", "a|N/A", "X "], options) == ["none", "a|none", "y"]


def test_an_empty_set_where_nothing_else_is_a_set_is_a_label_that_is_not_declared(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["yes", "no"]\n'
    rows = "".join(f"{unit},yes,{'no' if unit % 2 else 'yes'}\n" for unit in range(8))
    folder = written(tmp_path / "c", toml, {"exports/1.0/r.csv": f"unit,Ann,Bob\n{rows}8,yes,{{}}\n"})
    said = run("build", folder, "--out", tmp_path / "site").stderr
    assert '"{}" is not a declared category, but is counted as one (given once).' in said
