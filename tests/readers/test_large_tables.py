"""Of a large table not the first rows tell what columns are: these may all be of one annotator."""

import random
from pathlib import Path

import krippendorff
import pandas as pd
import pytest

from reportgen.agreement import of
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.readers import ReaderOptions
from reportgen.readers.table_reading import LEAST_UNITS, ROWS_LOOKED_AT, which_rows

PEOPLE = "anna", "ben", "cleo"
UNITS = 7_000


def one_after_the_other() -> pd.DataFrame:
    """Return labels of three people: all of the first, then all of the second, then all of the third."""
    draw = random.Random(1)  # noqa: S311 - made data
    right = [draw.choice("xyz") for _ in range(UNITS)]
    rows = [
        (f"u{unit}", who, right[unit] if draw.random() < 0.8 else draw.choice("xyz"))
        for who in PEOPLE
        for unit in range(UNITS)
    ]
    return pd.DataFrame(rows, columns=["key", "who said", "verdict"])


def alpha(frame: pd.DataFrame) -> float:
    table = frame.pivot_table(index="who said", columns="key", values="verdict", aggfunc="first")
    codes = table.apply(lambda column: column.map("xyz".index))
    return float(krippendorff.alpha(codes.to_numpy(float), level_of_measurement="nominal"))


@pytest.mark.parametrize("kind", ["csv", "large.csv", "parquet"])
def test_a_table_in_the_order_of_annotators_is_read_as_any_other(tmp_path: Path, kind: str) -> None:
    path, frame = tmp_path / f"labels.{kind}", one_after_the_other()
    if kind == "parquet":
        frame.to_parquet(path)
    else:
        # A long text beside each label makes the file one that DuckDB reads.
        frame.assign(text="so many words " * 9 * (kind != "csv")).to_csv(path, index=False)
    answer = agree(AgreementRequest(path, ReaderOptions(), complete=False))
    assert answer.unit_set.annotators == PEOPLE
    assert answer.unit_set.measures[answer.primary].value == pytest.approx(alpha(frame))


def test_a_frame_in_the_order_of_annotators_is_read_as_any_other() -> None:
    frame = one_after_the_other()
    assert of(frame).measures["krippendorff_alpha"].value == pytest.approx(alpha(frame))


@pytest.mark.parametrize(
    ("rows", "distinct", "expected"),
    [
        (ROWS_LOOKED_AT, [LEAST_UNITS], (None, 1)),
        (ROWS_LOOKED_AT + 1, [3, LEAST_UNITS - 1], (None, 1)),
        (ROWS_LOOKED_AT + 1, [3, LEAST_UNITS], (1, 2)),
        (4 * ROWS_LOOKED_AT, [3, LEAST_UNITS, 2_000], (2, 8)),
        # What hardly recurs is no unit.
        (30_000, [20_001, LEAST_UNITS], (1, 2)),
        (30_000, [20_000, LEAST_UNITS], (0, 2)),
    ],
)
def test_rows_of_the_most_units_that_recur_are_looked_at(
    rows: int, distinct: list[int], expected: tuple[int | None, int]
) -> None:
    assert which_rows(rows, distinct) == expected
