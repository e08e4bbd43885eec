"""Documents that differ in white space alone are the same documents: tests of marks are paired."""

from pathlib import Path

import pytest

from reportgen.results.versions import VersionComparison
from tests.present import present
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
        assert present(figure.test).method == "paired"
    plain = comparison(tmp_path / "plain", "", "")
    assert spans.measures == plain.spans[0].measures
    # Behind "Ben," white space makes two tokens of one.
    assert (units.measures == plain.unit_sets[0].measures) == (change != "Ben,")
