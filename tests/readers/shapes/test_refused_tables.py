"""Tables that have no labels of annotators in columns are refused, and what they are is said."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pandas as pd
import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, read_export
from tests.readers.outcomes import lines_of

CATEGORIES = ("pos", "neg", "neutral")


def counted() -> list[list[int]]:
    """How many of five annotators chose each category, for 12 items: the table of Fleiss (1971)."""
    return [[5, 0, 0], [0, 5, 0], [0, 0, 5], [3, 1, 1], [1, 3, 1], [1, 1, 3]] * 2


def written(folder: Path, rows: list[list[int]]) -> Path:
    file = folder / "counts.csv"
    lines = [",".join(map(str, [f"s{number}", *row])) for number, row in enumerate(rows)]
    file.write_text("\n".join([",".join(["item", *CATEGORIES]), *lines]) + "\n", encoding="utf-8")
    return file


def test_numbers_of_annotators_by_category_are_no_ratings(tmp_path: Path) -> None:
    file = written(tmp_path, counted())
    with pytest.raises(BadInput, match="sum is 5 in each row: they are how many annotators chose"):
        read_export([(file, file.name)])
    with pytest.raises(BadInput, match="sum is 5 in each row"):
        agreement.of(pd.read_csv(file))


def test_ratings_that_are_the_same_in_every_row_are_ratings(tmp_path: Path) -> None:
    assert read_export([(written(tmp_path, [[2, 2, 2]] * 12), "r.csv")]).content.annotators == CATEGORIES


@pytest.mark.parametrize(
    "differ",
    [lambda a, b: a - b, lambda a, b: abs(a - b), lambda a, b: int(a == b), lambda a, b: int(a != b)],
)
def test_a_column_that_says_how_two_annotators_differ_is_no_third(
    differ: Callable[[int, int], int], tmp_path: Path
) -> None:
    pairs = [(1 + n % 3, 1 + (n + (n % 4 == 0)) % 3) for n in range(24)]
    rows = "".join(f"s{n},{one},{other},{differ(one, other)}\n" for n, (one, other) in enumerate(pairs))
    (tmp_path / "d.csv").write_text(f"item,anna,ben,x\n{rows}", encoding="utf-8")
    assert read_export([(tmp_path / "d.csv", "d.csv")]).content.annotators == ("anna", "ben")


def test_a_third_annotator_who_is_mostly_like_two_others_stays(tmp_path: Path) -> None:
    rows = "".join(f"s{n},{n % 2},{n % 2},{1 if n == 0 else n % 2}\n" for n in range(24))
    (tmp_path / "d.csv").write_text(f"item,anna,ben,cleo\n{rows}", encoding="utf-8")
    assert read_export([(tmp_path / "d.csv", "d.csv")]).content.annotators == ("anna", "ben", "cleo")


@pytest.mark.parametrize("label", ["Ada", "label"])
def test_a_column_that_is_called_as_units_are_names_no_annotators(label: str, tmp_path: Path) -> None:
    rows = "".join(
        f"{document},{n},{'xyyx'[n * ord(document) % 4]}\n" for document in "abcd" for n in (1, 2, 3)
    )
    (tmp_path / "d.csv").write_text(f"document,sentence,{label}\n{rows}", encoding="utf-8")
    with pytest.raises(BadInput, match=r"two annotators are needed|no column is known as the annotator"):
        read_export([(tmp_path / "d.csv", "d.csv")])
    (tmp_path / "d.csv").write_text(f"document,rater,label\n{rows}", encoding="utf-8")
    assert read_export([(tmp_path / "d.csv", "d.csv")]).content.annotators == ("1", "2", "3")


def test_a_file_beside_that_has_no_labels_is_named(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    rows = [f"s{number},{'ab'[number % 2]},{'ab'[number % 3 > 0]}" for number in range(12)]
    labels.write_text("\n".join(["item,anna,ben", *rows]) + "\n", encoding="utf-8")
    beside = tmp_path / "beside.csv"
    beside.write_text("\n".join(["id,place", *(f"s{n},{n + 1}" for n in range(12))]) + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"beside\.csv:1: has none of the annotators' columns"):
        read_export([(labels, "labels.csv"), (beside, "beside.csv")])


@pytest.mark.parametrize("first", ["rater", ""])
def test_a_row_for_each_annotator_is_turned(first: str, tmp_path: Path) -> None:
    file = tmp_path / "turned.csv"
    rows = [",".join([f"R{who}", *(str((who * unit) % 4 + 1) for unit in range(9))]) for who in range(8)]
    head = ",".join([first, *(f"s{unit}" for unit in range(9))])
    file.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    found = read_export([(file, file.name)])
    assert found.content.annotators == tuple(f"R{who}" for who in range(8))
    assert found.ratings.unit_names == tuple(f"s{unit}" for unit in range(9))
    assert "each row an annotator, each column a unit" in found.reading
    again = read_export([(file, file.name)], ReaderOptions(turned=True))
    assert list(lines_of(again)) == list(lines_of(found))
    with pytest.raises(BadInput, match=r"a row for each annotator|rows may be annotators"):
        agreement.of(pd.read_csv(file, keep_default_na=False))


def test_a_table_that_is_said_to_be_turned_and_shares_no_labels_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("item,anna,ben\nu1,a,x\nu2,b,y\nu3,c,z\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no columns that share their labels"):
        read_export([(file, file.name)], ReaderOptions(turned=True))


def in_files(folder: Path, labels: list[list[str]]) -> list[tuple[Path, str]]:
    """Write a file for each row of two columns of labels, "ab" for a unit; the units are the same."""
    files = []
    for number, rows in enumerate(labels):
        file = folder / f"f{number}.csv"
        lines = [f"u{unit},{','.join(row)}" for unit, row in enumerate(rows)]
        file.write_text("\n".join(["item,one,two", *lines]) + "\n", encoding="utf-8")
        files.append((file, file.name))
    return files


def test_files_whose_columns_agree_with_each_other_may_be_documents(tmp_path: Path) -> None:
    """Units are called alike in each file, and its columns agree more than the files do."""
    files = in_files(
        tmp_path, [["xx", "yy", "xx", "yy", "xx", "yx"] * 2, ["yy", "xx", "yy", "xx", "yy", "xx"] * 2]
    )
    with pytest.raises(BadInput, match="either these are annotators and each file is a document") as refusal:
        read_export(files)
    assert 'path = "{document}", "{layer}" or "{annotator}"' in refusal.value.problems[0].remedy
    found = read_export(files, ReaderOptions(path="{document}")).content
    assert (found.annotators, len(found.documents)) == (("one", "two"), 2)


def test_files_that_agree_with_each_other_are_annotators(tmp_path: Path) -> None:
    """Each answers two questions with the same words."""
    files = in_files(
        tmp_path, [["xy", "yx", "xx", "yy", "xy", "yx"] * 2, ["xy", "yx", "xx", "yy", "xy", "yy"] * 2]
    )
    assert read_export(files, ReaderOptions(source="one")).content.annotators == ("f0", "f1")


def test_a_decision_on_thousands_of_units_that_departs_at_times_is_asked_about(tmp_path: Path) -> None:
    """Hundreds of departures among thousands of rows are no number that a float can't have."""
    chance = Random(1)  # noqa: S311 - labels of a test
    rows = []
    for unit in range(5_000):
        truth = chance.choice("abc")
        said = [truth if chance.random() < 0.4 else chance.choice("abc") for _ in range(3)]
        decided = max(said, key=said.count) if chance.random() < 0.93 else chance.choice("abc")
        rows.append(",".join([f"u{unit}", *said, decided]))
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["item,Ann,Bob,Cy,Wert", *rows, ""]), encoding="utf-8")
    with pytest.raises(BadInput, match='has in "Wert" what most of Ann, Bob, Cy say'):
        read_export([(file, file.name)])


def test_columns_that_are_called_after_others_and_share_their_labels_may_be_people(tmp_path: Path) -> None:
    """Two siblings were left out of four people without a word."""
    chance = Random(3)  # noqa: S311 - labels of a test
    rows = []
    for unit in range(40):
        truth = chance.choice("abc")
        said = [truth if chance.random() < 0.7 else chance.choice("abc") for _ in range(4)]
        rows.append(",".join([f"u{unit}", *said]))
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["item,Ann,Ben,Ann Lee,Ben Lee", *rows, ""]), encoding="utf-8")
    with pytest.raises(BadInput, match=r"\(1\) .*: Ann, Ben; or \(2\) .*: Ann, Ben, Ann Lee, Ben Lee"):
        read_export([(file, file.name)])
