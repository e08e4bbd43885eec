"""A damaged Parquet file is refused as that, where the file itself can tell."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.commands import run

ROWS = [
    ("u1", "A", "x"),
    ("u1", "B", "x"),
    ("u2", "A", "y"),
    ("u2", "B", "x"),
    ("u3", "A", "z"),
    ("u3", "B", "z"),
]
# An optional column of six values: its levels are one run of six, all there.
ALL_THERE, NONE_THERE = b"\x02\x00\x00\x00\x0c\x01", b"\x02\x00\x00\x00\x0c\x00"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    columns = dict(zip(("unit", "annotator", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
    path = tmp_path / "c" / "exports" / "1.0" / "e.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False)
    toml = 'title = "T"\n[[guidelines]]\nversion = "1.0"\nexports = "exports/1.0"\n'
    (tmp_path / "c" / "campaign.toml").write_text(toml, encoding="utf-8")
    return path


def test_rows_that_became_empty_are_no_missing_labels(table: Path, tmp_path: Path) -> None:
    content = table.read_bytes()
    assert content.count(ALL_THERE) == 3
    first, second, *others = content.split(ALL_THERE)
    table.write_bytes(first + ALL_THERE + second + NONE_THERE + ALL_THERE.join(others))
    for command in (("agree", table), ("build", tmp_path / "c", "--out", tmp_path / "site")):
        result = run(*command)
        said = "column annotator: is damaged: it has other values in this column than it says at its end."
        assert (result.exit_code, said in " ".join(result.output.split())) == (2, True)


def test_a_value_beyond_the_last_is_no_label(table: Path) -> None:
    content = table.read_bytes()
    place = content.index(b"\x01\x00\x00\x00x")
    table.write_bytes(content[:place] + b"\x01\x00\x00\x00~" + content[place + 5 :])
    result = run("agree", table)
    assert (result.exit_code, "column label: is damaged" in " ".join(result.output.split())) == (2, True)


def test_statistics_that_are_not_there_are_not_missed(table: Path) -> None:
    pq.write_table(pq.read_table(table), table, write_statistics=False)
    assert run("agree", table).exit_code == 0


def test_missing_labels_and_columns_of_numbers_are_whole(table: Path) -> None:
    columns = {"unit": [1, 1, -12, -12], "annotator": ["A", "B", "A", "B"], "label": ["é", None, "", "zz"]}
    pq.write_table(pa.table(columns), table, row_group_size=2)
    result = run("agree", table)
    assert (result.exit_code, "damaged" in result.output) == (0, False), result.output
