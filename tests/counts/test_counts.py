"""Counts: pairs, profiles and annotators' labels, integers that add up over documents."""

import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import Counts, count, counts_csv, pair_tables
from reportgen.measures import analyse
from reportgen.measures.estimate import Undefined
from reportgen.measures.unit_set_data import ScaleSetting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY, CodedUnits
from tests.measures.made import Rows, annotations, units_of
from tests.properties import examples
from tests.rendered import rows_of

TALLY, EXPORT = sys.modules["reportgen.counts.tables"], sys.modules["reportgen.counts.export"]
Row = tuple[tuple[str | None, str | None, str | None], int, int]
ROWS = st.lists(
    st.tuples(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3), st.integers(0, 2), st.integers(0, 3)),
    max_size=8,
)


def coded(rows: list[Row]) -> CodedUnits:
    export = annotations(
        [row[0] for row in rows],
        annotators=("x", "y", "z"),
        documents=[f"d{row[1]}" if row[1] else None for row in rows],
        weights=[row[2] for row in rows],
    )
    return units_of(export, categories=list("abc"))


def counter(*columns: Codes) -> Counter[tuple[int, ...]]:
    *keys, n = (column.tolist() for column in columns)
    found: Counter[tuple[int, ...]] = Counter()
    for *key, times in zip(*keys, n, strict=True):
        found[tuple(key)] += times
    return found


def as_counters(counts: Counts) -> list[Counter[tuple[int, ...]]]:
    pairs, profiles, annotators = counts.pairs, counts.profiles, counts.annotators
    rows = [tuple(sorted(label for label in row if label != NO_CATEGORY)) for row in profiles.labels.tolist()]
    of_profiles: Counter[tuple[int, ...]] = Counter()
    for document, profile, n in zip(
        profiles.document.tolist(), profiles.profile.tolist(), profiles.n.tolist(), strict=True
    ):
        of_profiles[(document, *rows[profile])] += n
    of_pairs = counter(
        pairs.document, pairs.first, pairs.second, pairs.first_label, pairs.second_label, pairs.n
    )
    of_annotators = counter(annotators.document, annotators.annotator, annotators.label, annotators.n)
    return [of_pairs, of_profiles, of_annotators]


def by_hand(units: CodedUnits) -> list[Counter[tuple[int, ...]]]:
    pairs: Counter[tuple[int, ...]] = Counter()
    profiles: Counter[tuple[int, ...]] = Counter()
    annotators: Counter[tuple[int, ...]] = Counter()
    for unit, (document, weight) in enumerate(
        zip(units.document.tolist(), units.weight.tolist(), strict=True)
    ):
        mine = np.flatnonzero(units.unit == unit)
        marks = sorted(zip(units.annotator[mine].tolist(), units.label[mine].tolist(), strict=True))
        if not weight:
            continue
        for (one, label), (other, second) in combinations(marks, 2):
            pairs[document, one, other, label, second] += weight
        for who, label in marks:
            annotators[document, who, label] += weight
        if marks:
            profiles[(document, *sorted(label for _, label in marks))] += weight
    return [pairs, profiles, annotators]


@given(ROWS)
def test_counts_are_those_of_counting_by_hand(rows: list[Row]) -> None:
    units = coded(rows)
    assert as_counters(count(units)) == by_hand(units)


@given(ROWS)
def test_every_row_of_counts_is_there_once_in_order_and_not_zero(rows: list[Row]) -> None:
    counts = count(coded(rows))
    pairs = counts.pairs
    columns = pairs.first, pairs.second, pairs.document, pairs.first_label, pairs.second_label
    keys = list(zip(*(column.tolist() for column in columns), strict=True))
    assert keys == sorted(set(keys))
    assert all(first < second for first, second, *_ in keys)
    profiles = [tuple(row) for row in counts.profiles.labels.tolist()]
    assert profiles == sorted(set(profiles))
    for table in (counts.pairs, counts.profiles, counts.annotators):
        assert (table.n > 0).all()
        assert table.n.dtype == np.int64


@given(ROWS)
def test_tables_of_pairs_sum_over_documents(rows: list[Row]) -> None:
    units = coded(rows)
    pairs, _, _ = by_hand(units)
    found = 0
    for table in pair_tables(count(units).pairs, 3):
        expected = [[0] * 3 for _ in range(3)]
        documents = set()
        for (document, one, other, label, second), n in pairs.items():
            if (one, other) == (table.first, table.second):
                expected[label][second] += n
                documents |= {document} - {NO_DOCUMENT}
        assert table.counts.tolist() == expected
        assert table.units == table.n.sum() == sum(map(sum, expected))
        assert table.disagreements == table.units - sum(expected[k][k] for k in range(3))
        assert table.documents == len(documents)
        found += 1
    assert found == len({key[1:3] for key in pairs})


@examples(20)
@given(ROWS, st.randoms())
def test_the_order_of_units_and_marks_changes_no_count(rows: list[Row], random: Random) -> None:
    units = coded(rows)
    order = list(range(len(units.unit)))
    random.shuffle(order)
    mixed = replace(units, unit=units.unit[order], annotator=units.annotator[order], label=units.label[order])
    assert counts_csv([(mixed, count(mixed))]) == counts_csv([(units, count(units))])


def test_csv_of_counts() -> None:
    export = annotations(
        [("b", "a", "b"), ("a", "a", None)], annotators=("x", "y", "z"), documents=["d", None]
    )
    units = units_of(export)
    tables = counts_csv([(units, count(units))])
    assert set(tables) == {"ratings.csv", "pairs.csv", "profiles.csv", "annotators.csv"}
    assert tables["pairs.csv"].splitlines() == [
        "layer,unit_set,document,first,second,first_label,second_label,n",
        "main,items,,x,y,a,a,1",
        "main,items,d,x,y,b,a,1",
        "main,items,d,x,z,b,b,1",
        "main,items,d,y,z,a,b,1",
    ]
    assert [row["profile"] for row in rows_of(tables["profiles.csv"])] == ["a:2", "a:1|b:2"]
    assert tables["ratings.csv"].splitlines()[1:] == ["main,items,,x:a|y:a,1", "main,items,d,x:b|y:a|z:b,1"]
    assert sum(int(row["n"]) for row in rows_of(tables["annotators.csv"])) == 5


def test_a_profile_can_be_read_back_whatever_its_labels_are() -> None:
    rows: Rows = [("a|b", "a", "b:2"), ("a", "b", "c\\")]
    units = units_of(annotations(rows))
    profiles = [row["profile"] for row in rows_of(counts_csv([(units, count(units))])["profiles.csv"])]
    assert sorted(profiles) == sorted([r"a:1|a\|b:1|b\:2:1", r"a:1|b:1|c\\:1"])


def test_nothing_to_count() -> None:
    counts = count(units_of(annotations([(None, None)])))
    assert as_counters(counts) == [Counter(), Counter(), Counter()]
    assert list(pair_tables(counts.pairs, 0)) == []


@examples(20)
@given(ROWS, st.integers(1, 9))
def test_pairs_are_the_same_however_many_are_counted_at_a_time(rows: list[Row], at_once: int) -> None:
    units = coded(rows)
    whole = counts_csv([(units, count(units))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TALLY, "AT_ONCE", at_once)
        assert counts_csv([(units, count(units))]) == whole


@given(ROWS)
def test_pairs_of_all_documents_together_are_the_sum_of_those_by_document(rows: list[Row]) -> None:
    counts = count(coded(rows))
    together: Counter[tuple[int, ...]] = Counter()
    for (_document, *key), n in as_counters(counts)[0].items():
        together[(NO_DOCUMENT, *key)] += n
    pairs = counts.pairs_in_all
    columns = pairs.document, pairs.first, pairs.second, pairs.first_label, pairs.second_label, pairs.n
    assert counter(*columns) == together


@given(ROWS, st.integers(0, 9), st.integers(1, 9))
def test_there_are_more_pairs_than_a_bound_as_they_are_counted(
    rows: list[Row], bound: int, at_once: int
) -> None:
    counts = count(coded(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TALLY, "AT_ONCE", at_once)
        assert counts.has_more_pairs(bound) == (len(count(coded(rows)).pairs.n) > bound)


def test_the_pairs_of_a_crowd_are_not_counted_where_no_file_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five people who all label the same units are ten pairs on the first unit: more than are written."""
    monkeypatch.setattr(EXPORT, "MOST_PAIR_ROWS", 9)
    units = units_of(annotations([tuple("abcab")] * 40, annotators=tuple("uvwxy")))
    counts = count(units)
    assert "pairs.csv" not in counts_csv([(units, counts)])
    assert "pairs" not in vars(counts)
    monkeypatch.setattr(EXPORT, "MOST_PAIR_ROWS", 10)
    assert len(rows_of(counts_csv([(units, counts)])["pairs.csv"])) == 10


@given(st.lists(st.integers(0, 200), max_size=5))
def test_keys_are_the_same_codes_in_a_table_of_all_and_sorted(keys: list[int]) -> None:
    given_keys = np.array(keys, dtype=np.int64)
    distinct, place = np.unique(given_keys, return_inverse=True)
    # Five rows have a table of up to 320 keys.
    for size in (201, 64 * len(keys), 64 * len(keys) + 1):
        found = TALLY.dense_codes(given_keys, max(size, 201))
        assert [column.tolist() for column in found] == [distinct.tolist(), place.tolist()]


def test_a_crowd_with_too_many_pairs_has_no_figures_by_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts who labels the same units: a crowd of which few meet is counted."""
    monkeypatch.setattr(TALLY, "MOST_PAIRS", 2)
    apart: list[Row] = [((who, None, None), 0, 1) for who in "ab"] + [(("a", "b", None), 0, 1)]
    assert count(coded(apart)).pairs.n.sum() == 1
    everybody = coded([(("a", "a", "b"), 0, 1), (("b", "b", "b"), 1, 1), (("a", "b", "a"), 2, 1)])
    counts = count(everybody)
    assert not len(counts.pairs.n)
    assert not len(counts.pairs_in_all.n)
    assert counts.has_more_pairs(10)
    figures = analyse(everybody, counts, ScaleSetting())
    assert not figures.pairs
    assert not figures.mean_over_pairs
    undefined = {name for name, figure in figures.measures.items() if figure.undefined is not None}
    assert undefined == {"light_kappa", "weighted_kappa[computed]"}
    assert figures.measures["light_kappa"].undefined == Undefined.MANY_PAIRS
    monkeypatch.setattr(TALLY, "MOST_PAIRS", 3)
    assert len(analyse(everybody, count(everybody), ScaleSetting()).pairs) == 3
