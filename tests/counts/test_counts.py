"""Counts: integers that add up over documents, as sums and as codes, whatever the order of their rows."""

import csv
import io
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.counts import Counts, count, counts_csv, pair_tables
from reportgen.counts.export import as_sums, label_sums
from reportgen.measures import analyse
from reportgen.measures.estimate import Undefined
from reportgen.measures.unit_set_data import ScaleSetting
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.counted import (
    MOST_KINDS,
    LabelSums,
    alike,
    are_too_various,
    code_width,
    first_of_groups,
    have_products,
    pair_groups,
)
from reportgen.results import dumps
from reportgen.units import NO_CATEGORY, CodedUnits
from reportgen.units.labels import aranges
from tests.campaigns import marked, written
from tests.cases import stored
from tests.counted import as_counts, counts_in, reports_of
from tests.engines.tables import Shape, write_csv
from tests.engines.test_bulk_tables import counted, crowd, many_documents, results_of
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


TYPES = ("Gene", "Protein")
PEOPLE = ("ann", "bea", "cyd", "gold", "tagger")
TOML = stored("campaigns/in-texts.toml")
NEAR = ",Gene,Protein,None\nGene,0,0.4,1\nProtein,0.4,0,1\nNone,1,1,0\n"
WORDS = "spoVD encodes sigma here"
CUTS = ((0, 5), (6, 13), (14, 19), (20, 24))
Folder = dict[str, str]


def in_texts(folder: Path, documents: Iterable[int]) -> Path:
    """Write a campaign of some documents, in each of which everybody's marks are always the same."""
    texts = {f"d{number}": WORDS for number in documents}
    marks = {who: {name: list(_marks(who, name)) for name in texts} for who in PEOPLE}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return written(folder, TOML, {**files, "near.csv": NEAR})


def _marks(who: str, document: str) -> Iterable[tuple[str, int, int]]:
    usual, own = random.Random(document), random.Random(who + document)  # noqa: S311 - no secret
    for cut in CUTS:
        kind = usual.choice((*TYPES, ""))
        label = kind if own.random() < 0.7 else own.choice((*TYPES, ""))
        if label:
            yield label, *cut


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_texts(tmp_path_factory.mktemp("whole") / "campaign", range(8))


def rows(text: str) -> Counter[tuple[str, ...]]:
    """Return how often a table counts what its rows say, by their cells before the number."""
    found: Counter[tuple[str, ...]] = Counter()
    for *cells, n in list(csv.reader(io.StringIO(text)))[1:]:
        found[tuple(cells)] += int(n)
    return found


def of(folder: Path) -> Folder:
    (report,) = reports_of(folder).values()
    return counts_in(report)


@pytest.mark.slow
def test_tables_of_two_halves_of_the_documents_add_up_to_those_of_the_whole(
    folder: Path, tmp_path: Path
) -> None:
    whole = of(folder)
    one, other = (of(in_texts(tmp_path / name, each)) for name, each in (("a", range(3)), ("b", range(3, 8))))
    tables = [name for name in whole if name.endswith(".csv")]
    assert len(tables) == 8
    for name in tables:
        assert rows(whole[name]) == rows(one[name]) + rows(other[name]), name


def shuffled(text: str) -> str:
    """Return a table with its rows in another order."""
    head, *others = text.splitlines(keepends=True)
    random.Random(3).shuffle(others)  # noqa: S311 - no secret
    return head + "".join(others)


def renamed(text: str) -> str:
    """Return a file in which categories have other names."""
    return text.replace("Gene", "Zygote").replace("Protein", "Acid")


def rebuilt(folder: Path, target: Path, edits: Mapping[str, Callable[[str], str]]) -> tuple[str, Folder]:
    """Return results and counts of a folder's counts, files with an ending having been edited."""
    again = as_counts(folder, target)
    for ending, edit in edits.items():
        for path in sorted(
            each for each in again.rglob(f"*{ending}") if each.name != "near.csv" or edit is renamed
        ):
            path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    (report,) = reports_of(again).values()
    results = report.results.model_copy(update={"inputs": (), "settings": ""})
    return dumps(results), counts_in(report)


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing(folder: Path, tmp_path: Path) -> None:
    as_they_were = rebuilt(folder, tmp_path / "one", {})
    assert rebuilt(folder, tmp_path / "other", {".csv": shuffled}) == as_they_were


@pytest.mark.slow
def test_other_names_of_categories_change_nothing_but_the_names(folder: Path, tmp_path: Path) -> None:
    results, counts = rebuilt(folder, tmp_path / "one", {})
    edits = {".csv": renamed, ".json": renamed, ".toml": renamed}
    other, renamed_counts = rebuilt(folder, tmp_path / "other", edits)
    assert json.loads(other) == json.loads(renamed(results))
    for name, text in counts.items():
        read = json.loads if name.endswith(".json") else rows
        assert read(renamed_counts[name]) == read(renamed(text)), name


LABELS = st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=30)


def of_labels(labels: list[list[int]]) -> CodedUnits:
    """Return units with some labels each, in three documents by turns."""
    sizes = np.array(list(map(len, labels)), dtype=np.int64)
    return CodedUnits(
        "main",
        documents=("a", "b", "c"),
        annotators=tuple("uvwxyz"),
        categories=tuple("klmn"),
        document=np.arange(len(labels)) % 3,
        weight=1 + np.arange(len(labels)) % 2,
        unit=np.repeat(np.arange(len(labels)), sizes),
        annotator=aranges(sizes),
        label=np.array([label for own in labels for label in own], dtype=np.int64),
        unit_place=np.full(len(labels), -1),
    )


def columns(sums: LabelSums) -> tuple[list[int], list[int], list[object]]:
    """Return sums as lists."""
    return sums.document.tolist(), sums.ratings.tolist(), sums.met.tolist()


@given(labels=LABELS)
def test_units_made_of_sums_have_these_sums(labels: list[list[int]]) -> None:
    units = of_labels(labels)
    sums = label_sums(units)
    assert sums.are_whole.all()
    assert int(sums.units.sum()) == units.units
    given_labels = np.zeros(4, dtype=np.int64)
    np.add.at(given_labels, units.label, units.weight[units.unit])
    assert sums.labels.sum(axis=0).tolist() == given_labels.tolist()
    same = alike(sums)
    named: dict[str, Any] = {"categories": tuple("klmn"), "document": same.document, "weight": same.weight}
    made = CodedUnits("main", **named, unit=same.unit, annotator=same.place, label=same.label)
    assert made.units == units.units
    again = label_sums(made)
    there = again.met.any(axis=(1, 2)) | (again.ratings == 0)
    assert columns(LabelSums(again.document[there], again.ratings[there], again.met[there])) == columns(sums)


def test_units_of_many_kinds_are_kept_as_sums_where_these_are_fewer() -> None:
    # By document 4096 * 55 sums, by pair 15 * 100 * 256, and the products of 100 cells.
    sums = 4096 * 55 + 15 * 100 * 256 + 15 * 100 * 101 // 2
    assert sums > MOST_KINDS
    assert are_too_various(sums + 1, 6, 10, 4096)
    assert not are_too_various(sums, 6, 10, 4096)
    assert are_too_various(MOST_KINDS + 1, 3, 5, 4096)
    assert not are_too_various(MOST_KINDS, 3, 5, 4096)
    assert not are_too_various(10**9, 2, 5, 4096)
    assert not are_too_various(10**9, 51, 2, 4096)
    assert are_too_various(10**9, 50, 2, 4096)


def test_documents_of_one_group_have_the_first_of_them() -> None:
    first = first_of_groups([f"d{number}" for number in range(20)], 2)
    assert len({*first.tolist()}) == 2
    assert (first <= np.arange(20)).all()
    assert (first[first] == first).all()


def test_units_without_a_document_and_sets_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.counts.export.are_too_various", lambda *_: True)
    units = of_labels([[0, 1], [1, 1], [2]])
    assert as_sums(units).sums_only
    alone = replace(units, document=np.array([0, -1, 2]))
    marked = replace(units, non_annotated=3)
    of_sets = replace(units, sets=(frozenset("k"),) * 4)
    for other in (alone, marked, of_sets):
        assert as_sums(other) is other


def test_products_of_many_cells_are_left_out() -> None:
    # 15 pairs of annotators with 18 and 19 labels each.
    assert have_products(6, 18)
    assert not have_products(6, 20)
    assert [pair_groups(6, labels) for labels in (18, 20)] == [256, 512]


MOST = "reportgen.counts.export.MOST_NAMED_ROWS"


def with_quotes() -> Shape:
    """Return a table whose names need quotation marks, and of which a unit has no label."""
    table = many_documents(42)
    rows = [[unit, who, f'a, "{label}"', document] for unit, who, label, document in table.rows]
    return Shape(table.header, [*rows, ["unrated", "w1", "", "d,1"]])


# Of 60 annotators and three labels a code has two digits.
TABLES = {
    "names": with_quotes(),
    "no documents": crowd(documents=False, workers=30),
    "two digits": crowd(documents=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_figures_from_codes_are_those_from_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    csv = write_csv(TABLES[name], tmp_path / "labels.csv")
    named = counted(tmp_path / "named", [csv])
    monkeypatch.setattr(MOST, 5)
    coded = counted(tmp_path / "coded", [csv])
    assert coded["counts.json"] == named["counts.json"]
    documents = {row.split(",")[2] for row in coded["annotators.csv"].decode().splitlines()[1:]}
    assert documents == {""}
    assert len(coded["ratings.csv"]) < len(named["ratings.csv"]) / 2
    assert coded.keys() == {"counts.json", "ratings.csv", "profiles.csv", "annotators.csv"}
    found: list[dict[str, Any]] = []
    for folder in ("named", "coded"):
        results = results_of(tmp_path / folder, tmp_path / f"of-{folder}")
        found.append({key: results[key] for key in results.keys() - {"inputs", "campaign", "settings"}})
    assert found[0] == found[1]
    again = next((tmp_path / "of-coded-site").rglob("ratings.csv")).read_bytes()
    assert again.count(b"\n") == coded["ratings.csv"].count(b"\n")


def test_a_few_rows_are_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(TABLES["names"], tmp_path / "labels.csv")
    named = counted(tmp_path / "named", [csv])
    rows = named["ratings.csv"].count(b"\n") - 1
    monkeypatch.setattr(MOST, rows)
    assert counted(tmp_path / "as-many", [csv]) == named
    monkeypatch.setattr(MOST, rows - 1)
    assert counted(tmp_path / "one-more", [csv])["ratings.csv"].startswith(
        b"layer,unit_set,document,codes,n\n"
    )


def test_codes_have_as_many_digits_as_it_takes() -> None:
    sizes = (1, 1), (31, 2), (9, 7), (62, 62), (961, 4), (62, 63)
    assert [code_width(*size) for size in sizes] == [1, 1, 2, 2, 2, 3]


# The table has three annotators and three categories: the codes of the first are 0 to 2.
WRONG = [
    (r"main,items,", "main,others,", "names no unit set of counts.json, or one again."),
    (r"\n,,0,", "\nmain,items,0,", "names no unit set of counts.json, or one again."),
    (r"\n,,0,", "\n,,zero,", "is not a row of codes."),
    (r"\n,,0,", "\n,,99,", "names a document that counts.json does not have."),
    (r"(\n,,0,\w+),\d+", r"\1,0", "counts nothing, or too much."),
    (r"(\n,,0,)\w+", r"\g<1>9", "has a code of nobody and nothing."),
    (r"(\n,,0,)\w+", r"\g<1>036!", "is not a row of codes."),
    (r"(\n,,0,)\w+", r"\g<1>01", "has annotators twice, or in another order."),
    (r"(\n,,0,\w+,\d+)", r"\1\1", "is there twice."),
    (r"(\n,,0,\w+),1\n", r"\1,2\n", "ratings.csv has"),
]


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        *(("ratings.csv", *each) for each in WRONG),
        ("annotators.csv", r",a,\d+\n", ",a,1\n", "than ratings.csv makes them"),
    ],
)
def test_codes_that_mean_nothing_and_tables_that_do_not_follow_from_them_are_refused(
    file: str, before: str, after: str, message: str, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MOST, 5)
    counted(tmp_path / "counts", [write_csv(many_documents(42), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / file
    text, times = re.subn(before, after, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")


def test_only_the_first_row_of_a_unit_set_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MOST, 5)
    files = counted(tmp_path / "counts", [write_csv(with_quotes(), tmp_path / "labels.csv")])
    (layer,) = json.loads(files["counts.json"])["layers"]
    first, *others = [row.split(",") for row in files["ratings.csv"].decode().splitlines()[1:]]
    # Units without a document come first.
    assert first[:3] == ["main", "items", ""]
    assert {tuple(row[:2]) for row in others} == {("", "")}
    assert {*range(len(layer["documents"]))} == {int(row[2]) for row in others if row[2]}
