"""Exports of real campaigns, which lie beside the checkout, are read whole."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.readers import Annotations, ReaderOptions, read_export
from tests.readers.content import ratings_of

CHEC = {"annotator": "source_spreadsheet", "unit": "key", "label": "criterion_paraphrase"}


@pytest.fixture
def read(shared: Path) -> Callable[..., Annotations]:
    """Read a file of the shared folder; skip where it is not there."""

    def read_one(name: str, options: ReaderOptions | None = None) -> Annotations:
        if not (shared / name).exists():
            pytest.skip(f"NOT TESTED on {name}: it is not in the folder 'shared' beside the checkout")
        return read_export([(shared / name, name)], options)

    return read_one


def sizes(annotations: Annotations) -> tuple[int, int, int, int]:
    """Return the numbers of marks, units, annotators and labels."""
    ratings = ratings_of(annotations)
    marks = annotations.marks_read - sum(annotations.not_compared.values())
    return marks, len(ratings.unit_names), len(ratings.annotators), len(ratings.labels)


def test_the_sample_of_a_long_table_is_read(read: Callable[..., Annotations]) -> None:
    """Seven items, six annotators, two labels."""
    assert sizes(read("formats/csv/long.csv")) == (39, 7, 6, 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("loc", (875, 175, 39, 128)), ("org", (1000, 200, 16, 81)), ("per", (1000, 200, 23, 35))],
)
def test_the_broad_twitter_corpus_is_read(
    read: Callable[..., Annotations], name: str, expected: tuple[int, int, int, int]
) -> None:
    """Labels are sets of token numbers; the bar does not pass for the delimiter."""
    path = f"data/broad-twitter-crowd/btc_e_{name}.csv"
    assert sizes(read(path)) == expected
    assert sizes(read(path, ReaderOptions(set_separator="|"))) == expected


@pytest.mark.slow
def test_the_votes_of_ukp_convarg1_are_read(read: Callable[..., Annotations]) -> None:
    """84,445 votes of 3,815 workers on 16,927 pairs of arguments."""
    assert sizes(read("data/ukp-convarg1/votes.csv")) == (84445, 16927, 3815, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "marks", "annotators"),
    [
        ("iaa-v1", 83, 5),
        ("iaa-v2_double-annotations", 118, 4),
        ("iaa-v2_single-annotations", 269, 9),
        ("iaa-v2_single-annotations_expert", 147, 5),
    ],
)
def test_the_columns_of_chec_can_be_named(
    read: Callable[..., Annotations], name: str, marks: int, annotators: int
) -> None:
    """Tables with thirty columns, cells of several lines and an index without a name."""
    found = sizes(read(f"data/chec-20y/{name}.csv", ReaderOptions(columns=CHEC)))
    assert (found[0], found[2]) == (marks, annotators)
