"""Documents that differ in white space alone are the same documents: tests of marks are paired."""

import random
from pathlib import Path

import pytest

from reportgen.results.versions import VersionComparison
from tests.measures.test_intervals_of_changes import check
from tests.versions.marked_versions import compared, written

TEXT = "Anna Berg traf gestern Ben,und dann fuhr er nach Paris weiter."
NAMES = ("Anna Berg", "Ben", "Paris")


def export(change: str, insert: str, missed: int) -> dict[str, str]:
    """Return two annotators' marks in eight documents; in the second half `change` has `insert` behind it."""
    files: dict[str, str] = {}
    for number in range(8):
        text = TEXT.replace(change, change + insert) if number >= 4 else TEXT
        for who in ("a", "b"):
            names = NAMES[1:] if who == "b" and number % missed == 0 else NAMES
            marks = (
                f"T{row}\tName {text.index(name)} {text.index(name) + len(name)}\t{name}\n"
                for row, name in enumerate(names, 1)
            )
            files[f"{who}/d{number}.txt"] = text
            files[f"{who}/d{number}.ann"] = "".join(marks)
    return files


def comparison(folder: Path, change: str, insert: str) -> VersionComparison:
    return compared(written(folder / "c", "", {"1": export("", "", 2), "2": export(change, insert, 3)}))


@pytest.mark.parametrize(
    ("change", "insert"),
    [("traf ", " "), ("traf", "\n"), ("Ben,", " "), ("weiter.", "\n\n"), ("nach", "\u00a0"), ("", "")],
    ids=["two spaces", "a line", "a space where none was", "at the end", "no break", "nothing"],
)
def test_versions_are_paired_where_documents_are_the_same_but_for_white_space(
    tmp_path: Path, change: str, insert: str
) -> None:
    found = comparison(tmp_path, change, insert)
    (units,) = found.unit_sets
    (spans,) = found.spans
    assert (units.overlap.edited, spans.overlap.edited) == (0, 0)
    assert (units.overlap.documents, spans.overlap.documents) == (8, 8)
    for figure in (units.measures["krippendorff_alpha"], spans.measures["f_measure[strict]"]):
        assert figure.test is not None
        assert figure.test.method == "paired"


LAYERS = """[[layers]]
id = "people"
source = "Name"
[[layers]]
id = "towns"
source = "Town"
"""


def of_two_layers(documents: int, seed: int, *, spaced: bool) -> dict[str, str]:
    """Return two annotators' random marks of two types; where `spaced`, texts have white space at random."""
    drawn, space = random.Random(seed), random.Random(1)  # noqa: S311 - made marks
    files: dict[str, str] = {}
    for number in range(documents):
        names = [f"{name}{number % 7}" for name in ("Anna", "Ben", "Paris", "Rom", "Cleo")]
        words = [word for name in names for word in (name, "und", "dann")]
        text = "".join(word + (space.choice(("  ", "\n", " \n\n ")) if spaced else " ") for word in words)
        for who in ("a", "b"):
            rows: list[str] = []
            for name in names:
                kind, start = "Town" if name[0] in "PR" else "Name", text.index(name)
                end = start + len(name) - (drawn.random() < 0.2)
                if drawn.random() < 0.8:
                    rows.append(f"T{len(rows) + 1}\t{kind} {start} {end}\t{text[start:end]}\n")
            files[f"{who}/d{number}.txt"] = text
            files[f"{who}/d{number}.ann"] = "".join(rows)
    return files


@pytest.mark.slow
@pytest.mark.parametrize("documents", [3, 6, 25])
def test_white_space_changes_no_figure_of_a_change_and_its_interval_agrees_with_the_versions(
    tmp_path: Path, documents: int
) -> None:
    figures = []
    for spaced in (False, True):
        versions = {
            "1": of_two_layers(documents, 1, spaced=False),
            "2": of_two_layers(documents, 2, spaced=spaced),
        }
        found = compared(written(tmp_path / str(spaced), LAYERS, versions))
        changes = {
            (part.layer, name): own
            for parts in (found.unit_sets, found.spans)
            for part in parts
            for name, own in part.measures.items()
        }
        for own in changes.values():
            check(own)
        figures.append(changes)
    assert {layer for layer, _ in figures[0]} == {"people", "towns"}
    assert figures[0] == figures[1]
    assert figures[0]["people", "f_measure[strict]"].difference is not None
