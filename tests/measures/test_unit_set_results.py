"""What results say of a unit set, each sentence of it at its edge, on tables of a few units."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from reportgen.measures import UnitSetAgreement, analysis, unit_set
from reportgen.measures.analysis import cells_csv, pairs_csv
from reportgen.results import UnitSet
from reportgen.units import LayerUnits
from tests.measures.made import annotations, declare, figures, study
from tests.present import present

Rows = Sequence[Sequence[str | None]]


def studied(rows: Rows, documents: Sequence[str | None] = (), **task: Any) -> LayerUnits:  # noqa: ANN401 - keys of [task]
    return study(annotations(rows, documents=documents), declare("items"), **task)


def of_sets(rows: Rows) -> LayerUnits:
    return study(annotations(rows, separator="|"), declare("items"), scale="set")


def found(made: LayerUnits, **changes: Any) -> UnitSetAgreement:  # noqa: ANN401 - fields of coded units
    return figures(replace(made.unit_sets[0], **changes))


def told(made: LayerUnits, *, complete: bool = False, smallest: int = 1, **changes: Any) -> UnitSet:  # noqa: ANN401
    return unit_set(found(made, **changes), made, complete=complete, smallest=smallest)


# What was a unit.


def test_units_and_documents_are_counted_where_two_compared_them() -> None:
    """Documents: one compared, one with single ratings, one of both; and units without one."""
    rows = [("x", "y"), ("x", None), (None, "y"), ("y", "y"), ("x", None), ("y", "y"), ("x", None)]
    rows.append((None, None))
    of = ["one", "single", "single", "both", "both", None, None, "one"]
    own = told(studied(rows, of))
    assert (own.documents, own.documents_compared, own.units_alone) == (3, 2, 2)
    assert (own.units, own.units_compared) == (8, 3)
    assert own.units_by_annotators == {"0": 1, "1": 4, "2": 3}
    assert own.labels == {"x": 4, "y": 6}


def test_what_became_of_marks_is_that_of_study_and_units() -> None:
    made = replace(
        studied([("x", "y")]),
        marks_read=90,
        passed_over={"empty": 3},
        missing=4,
        repeated=5,
        contradicting=6,
        not_compared={"notes": 8},
        declared=("y", "x"),
    )
    own = told(made, units_left_out={"rejected": 2}, units_added=9)
    assert dict(own.marks) == {
        "read": 90,
        "used": 2,
        "left_out": {"empty": 3},
        "not_compared": {"notes": 8},
        "missing": 4,
        "repeated": 5,
        "contradicting": 6,
    }
    assert (own.units_left_out, own.units_added, own.categories_declared) == ({"rejected": 2}, 9, ("y", "x"))


def test_categories_of_sets_are_their_labels_where_units_are_of_texts() -> None:
    made = of_sets([("a", "a|b"), ("b", "b"), ("a", "c")])
    sets, of_text = told(made), told(made, base="tokens")
    assert sets.categories == ("a", "a|b", "b", "c")
    assert of_text.categories == ("a", "b", "c")
    assert (of_text.non_annotated, sets.non_annotated) == (None, None)
    plain = told(studied([("a", "b"), ("b", "b")]), base="tokens")
    assert plain.categories == ("a", "b")


def test_the_category_of_unmarked_units_is_named_last() -> None:
    made = studied([("a", "b"), ("b", "none"), ("none", "a")], non_annotated="none")
    own = told(made)
    assert (own.categories, own.non_annotated) == (("a", "b", "none"), "none")
    members = (frozenset("a"), frozenset("b"), frozenset[str]())
    of_text = told(made, base="tokens", scale="set", sets=members)
    assert (of_text.categories, of_text.non_annotated) == (("a", "b", "none"), "none")


# What several say together.


def test_coincidences_are_of_more_than_two_who_share_units(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(studied([("x", "y"), ("x", "x")])).coincidences is None
    alone = [("x", None, None), (None, "y", None), (None, None, "x")]
    assert told(studied(alone)).coincidences is None
    three = studied([("x", "y", "x"), ("x", "x", None), (None, None, "z")])
    own = present(told(three).coincidences)
    assert own.categories == ("x", "y")
    # Two of the three pairs of the first unit differ, each way; a unit's pairs are divided by 3 - 1.
    assert own.counts == ((3.0, 1.0), (1.0, 0.0))
    monkeypatch.setattr(analysis, "MOST_COINCIDING", 2)
    assert told(three).coincidences is not None
    monkeypatch.setattr(analysis, "MOST_COINCIDING", 1)
    assert told(three).coincidences is None


def test_only_coefficients_with_a_value_have_benchmarks_and_plans() -> None:
    apart = [("x", "y", "x"), ("y", "y", "x"), ("x", "x", "y")]
    rows = [("x", "x", "x")] * 12 + [("y", "y", "y")] * 12 + apart
    own = told(studied(rows), complete=True)
    assert own.benchmarks is not None
    assert {"fleiss_kappa", "krippendorff_alpha", "light_kappa"} <= set(own.benchmarks)
    assert not {"observed_agreement", "unanimous_agreement", "majority_agreement"} & set(own.benchmarks)
    assert set(present(own.planning)) <= set(own.benchmarks)
    assert None not in present(own.planning).values()
    bare = told(studied(rows))
    assert (bare.benchmarks, bare.planning) == (None, None)
    same = told(studied([("x", "x", "x")] * 5), complete=True)
    assert same.planning is None
    assert "fleiss_kappa" not in (same.benchmarks or {})


def test_other_figures_of_all_are_named_or_absent() -> None:
    rows = [("x", "y", "x"), ("x", "x", "x"), ("y", "y", "z"), ("z", "z", "z")]
    own = told(studied(rows))
    assert list(own.specific_agreement) == list(own.against_rest) == ["x", "y", "z"]
    assert list(own.against_majority) == ["a0", "a1", "a2"]
    assert set(own.null_tests) == {"fleiss_kappa"}
    assert (own.rated_twice, own.macro_over_documents, own.sets) == (None, None, None)
    single = told(studied([*rows, ("x", None, None)]))
    assert single.rated_twice is not None
    assert told(studied([*rows, ("x", "x", None)])).null_tests == {}
    documents = told(studied(rows * 2, [*["d"] * 4, *["e"] * 4]))
    assert set(present(documents.macro_over_documents)) <= set(documents.measures)


# Every two.

MANY: Rows = [("p", "q", "p"), ("q", "q", "r"), ("r", "r", None), ("s", None, "s"), ("p", "p", "p")]


def test_tables_are_whole_up_to_so_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs, each with four categories: 48 cells."""
    made = studied(MANY)
    monkeypatch.setattr(analysis, "MOST_CELLS_LISTED", 48)
    first, _, last = told(made).pairs
    assert first.annotators == ("a0", "a1")
    assert (first.confusion.rows, first.confusion.columns) == ("a0", "a1")
    assert first.confusion.categories == ("p", "q", "r", "s")
    assert first.confusion.counts == ((1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0))
    assert first.confusion.cells is None
    assert first.conditional_probabilities is not None
    assert first.distances is not None
    assert list(first.against_rest) == ["p", "q", "r", "s"]
    assert last.confusion.counts == ((1, 0, 0, 0), (1, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    assert cells_csv([found(made)], 1) is None
    monkeypatch.setattr(analysis, "MOST_CELLS_LISTED", 47)
    first = told(made).pairs[0]
    assert first.confusion.counts is None
    assert first.confusion.cells == ((0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 2, 1))
    assert (first.conditional_probabilities, first.distances, first.against_rest) == (None, None, {})
    assert list(first.specific_agreement) == ["p", "q", "r", "s"]
    assert cells_csv([found(made)], 1) is not None


def test_two_alone_have_figures_of_each_category_however_large_their_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis, "MOST_CELLS_LISTED", 8)
    monkeypatch.setattr(analysis, "MOST_CATEGORIES", 1)
    (pair,) = told(studied([("x", "y"), ("y", "y"), ("z", "z")])).pairs
    assert pair.confusion.cells == ((0, 1, 1), (1, 1, 1), (2, 2, 1))
    assert list(pair.against_rest) == ["x", "y", "z"]
    assert pair.documents == 0
    assert "cohen_kappa" in pair.measures


def test_one_pair_of_many_shows_the_categories_that_it_used_where_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = studied(MANY)
    monkeypatch.setattr(analysis, "MOST_CATEGORIES", 4)
    assert [pair.confusion.categories for pair in told(made).pairs] == [("p", "q", "r", "s")] * 3
    monkeypatch.setattr(analysis, "MOST_CATEGORIES", 3)
    pairs = told(made).pairs
    assert [pair.confusion.categories for pair in pairs] == [
        ("p", "q", "r"),
        ("p", "q", "r", "s"),
        ("p", "q", "r"),
    ]
    assert list(pairs[0].specific_agreement) == list(pairs[0].against_rest) == ["p", "q", "r"]
    assert pairs[2].confusion.counts == ((1, 0, 0), (1, 0, 1), (0, 0, 0))
    monkeypatch.setattr(analysis, "MOST_CELLS_LISTED", 3 * 3 + 4 * 4 + 3 * 3 - 1)
    assert told(made).pairs[1].confusion.cells == ((0, 0, 2), (1, 2, 1), (3, 3, 1))


def test_labels_of_sets_are_counted_of_each_two() -> None:
    made = of_sets([("a", "a|b"), ("b", "b"), ("a|c", "b")])
    (pair,) = told(made).pairs
    counted = {name: (each.first, each.second, each.both) for name, each in pair.labels.items()}
    assert counted == {"a": (2, 1, 1), "b": (1, 3, 1), "c": (1, 0, 0)}
    assert list(pair.specific_agreement) == ["a", "b", "c"]
    plain = told(studied([("a", "b"), ("b", "b")]))
    assert plain.pairs[0].labels == {}


def test_a_label_of_sets_has_its_observed_agreement_beside_what_a_category_has() -> None:
    (of_labels,) = told(of_sets([("a", "a|b"), ("b", "b"), ("a|c", "b")])).pairs
    (of_categories,) = told(studied([("a", "b"), ("b", "b"), ("c", "a")])).pairs
    # Label a is chosen by both on the first unit, by neither on the second, by one on the third.
    assert of_labels.against_rest["a"]["observed_agreement"].value == pytest.approx(2 / 3)
    names = set(of_labels.against_rest["a"])
    assert names == {"observed_agreement", *of_categories.against_rest["a"]}
    assert "observed_agreement" not in of_categories.against_rest["a"]


def test_labels_that_somebody_rarely_gave_are_withheld() -> None:
    """One annotator used z once, and y is joined with it; against who never saw such a unit nothing is."""
    rows = [("x", "x")] * 6 + [("y", "y")] * 4 + [("z", "x"), ("x", "y")]
    made = studied(rows)
    (pair,) = told(made).pairs
    assert pair.withheld is None
    (pair,) = told(made, smallest=2).pairs
    assert (present(pair.withheld).labels, present(pair.withheld).below) == (("y", "z"), 2)


# Tables beside results.


def rows_of(text: str | None) -> list[dict[str, str]]:
    assert text is not None
    return list(csv.DictReader(text.splitlines()))


def test_cells_of_large_tables_are_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_CELLS_LISTED", 1)
    own = found(studied([("x", "y"), ("y", "y"), ("y", "y"), ("z", "z")]), layer="kinds", id="tokens")
    rows = rows_of(cells_csv([own], 1))
    assert list(rows[0]) == [
        *("layer", "unit_set", "rows", "columns", "row", "column", "units"),
        *("column_given_row", "row_given_column", "computed_alpha", "computed_kappa"),
    ]
    short = [(row["row"], row["column"], row["units"]) for row in rows]
    # Either way round, as the probabilities need it.
    assert short == [("x", "y", "1"), ("y", "x", "0"), ("y", "y", "2"), ("z", "z", "1")]
    assert {(row["layer"], row["unit_set"], row["rows"], row["columns"]) for row in rows} == {
        ("kinds", "tokens", "a0", "a1")
    }
    # Of x's one meeting all are with y; of y's five one is with x.
    assert (float(rows[0]["column_given_row"]), float(rows[0]["row_given_column"])) == (1, 0.2)
    assert (float(rows[1]["column_given_row"]), float(rows[1]["row_given_column"])) == (0.2, 1)
    withheld = rows_of(cells_csv([own], 2))
    assert [row["row"] for row in withheld] == []


def test_pairs_of_a_crowd_are_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    made = studied([("x", "y", "x"), ("y", "y", None), ("x", "x", None), ("y", "y", None)])
    few = found(made)
    assert pairs_csv([few]) is None
    monkeypatch.setattr(analysis, "MOST_ANNOTATORS", 2)
    crowd = found(made, layer="kinds", id="tokens")
    rows = rows_of(pairs_csv([few, crowd]))
    assert [(row["layer"], row["unit_set"], row["first"], row["second"], row["units"]) for row in rows] == [
        ("kinds", "tokens", "a0", "a1", "4"),
        ("kinds", "tokens", "a0", "a2", "1"),
        ("kinds", "tokens", "a1", "a2", "1"),
    ]
    assert [row["observed_agreement"] for row in rows] == ["0.75", "1.0", "0.0"]
    # 3 of 4 against x, x, y, y and x, y, y, y: chance has half.
    assert [row["cohen_kappa"] for row in rows] == ["0.5", "", ""]
    assert told(made).pairs == ()
