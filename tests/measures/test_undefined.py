"""Undefined is undefined, with its reason: never a traceback, NaN, infinity or a warning."""

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.catalogue import measure_of
from reportgen.measures import ConfidenceInterval, Estimate, NoInterval, Undefined, UnitSetAgreement
from reportgen.results import SymmetryTest
from tests.measures.made import (
    Rows,
    annotations,
    declare,
    figures,
    from_table,
    pair_of,
    study,
    units_of,
    value,
)
from tests.properties import examples

NOT_USED = "no annotator used this category where labels can be compared"


def every(found: UnitSetAgreement) -> Iterator[Estimate]:
    yield from found.measures.values()
    yield from found.specific
    for pair in found.pairs:
        yield from pair.measures.values()
        yield from pair.specific
        for rest in pair.against_rest:
            yield from rest.values()
    yield from found.against_majority
    for rest in found.against_rest:
        yield from rest.values()


def sound(found: UnitSetAgreement) -> None:
    """See that every figure is a number or has its reason, and so has its interval."""
    for each in every(found):
        if each.value is None:
            assert isinstance(each.undefined, Undefined)
            assert (each.interval, each.standard_error, each.observed, each.expected) == (None,) * 4
            continue
        numbers = [each.value, each.observed, each.expected, each.standard_error]
        assert each.undefined is None
        assert isinstance(each.interval, ConfidenceInterval | NoInterval)
        if isinstance(each.interval, ConfidenceInterval):
            numbers += [each.interval.low, each.interval.high]
        assert all(math.isfinite(number) for number in numbers if number is not None)
    for mean in found.mean_over_pairs.values():
        assert math.isfinite(mean.value)
        assert mean.pairs > 0
    for pair in found.pairs:
        sound_tests(pair.tests.values())
        if pair.curve is not None:
            assert all(
                math.isfinite(each) for row in pair.curve.values.values() for each in row if each is not None
            )


def sound_tests(tests: Iterable[SymmetryTest]) -> None:
    for test in tests:
        assert (test.p is None) == (test.statistic is None) == (test.undefined is not None)
        if test.p is not None and test.statistic is not None:
            assert 0 <= test.p <= 1
            assert math.isfinite(test.statistic)


@examples(150)
@given(
    rows=st.integers(0, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from(["0", "1", "3", "none", None]), min_size=width, max_size=width),
            max_size=6,
        )
    ),
    weight=st.sampled_from([0, 1, 10**9]),
    documents=st.lists(st.sampled_from(["d1", "d2", None]), min_size=6, max_size=6),
    scale=st.sampled_from(["nominal", "ordinal", "interval", "ratio", "set"]),
    kind=st.sampled_from(["items", "annotated-by-any", "annotated-by-all", "declared"]),
)
def test_whatever_comes_in_figures_come_out_or_reasons(
    rows: Rows, weight: int, documents: list[str | None], scale: str, kind: str
) -> None:
    weights = [weight if n % 2 else 1 for n in range(len(rows))]
    export = annotations(rows, documents=documents[: len(rows)], weights=weights)
    size = int(sum(weights)) + 3 if kind == "declared" else None
    units = study(
        export, declare(kind, size), categories=["0", "1", "2", "3"], non_annotated="none", scale=scale
    ).unit_sets[0]
    width = len(units.categories)
    tables = {"zeros": [[0.0] * width] * width, "ones": (1 - np.eye(width)).tolist()}
    sound(figures(units, tables))


def test_no_units_at_all() -> None:
    found = figures(units_of(annotations([])))
    sound(found)
    assert found.pairs == ()
    assert {str(each.undefined) for each in found.measures.values()} == {
        "no unit was rated by two annotators",
        "no unit was rated by all annotators",
        "the other annotators have no majority label on any unit",
    }


def test_one_annotator_alone() -> None:
    found = figures(units_of(annotations([("a",), ("b",)])))
    sound(found)
    assert found.pairs == ()
    assert str(found.measures["krippendorff_alpha"].undefined) == "no unit was rated by two annotators"


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_two_annotators_without_a_shared_unit_have_every_figure_undefined(scale: str) -> None:
    found = figures(units_of(annotations([("1", None), (None, "2")]), scale=scale), {"d": [[0, 1], [1, 0]]})
    sound(found)
    assert len(found.pairs) == 1
    pair = found.pairs[0].measures
    assert (
        pair.keys()
        == pair_of([[3, 1], [1, 2]], ("1", "2"), {"d": [[0, 1], [1, 0]]}, scale=scale).measures.keys()
    )
    assert {name: found.measures[name] for name in pair} == pair
    assert all(each.undefined for each in found.measures.values())
    assert str(found.measures["cohen_kappa"].undefined) == "no unit was rated by both annotators"
    assert np.isnan(from_table(found.pairs[0])).all()
    assert found.pairs[0].curve is None


def test_annotators_who_never_meet_give_no_pair_among_many() -> None:
    found = figures(units_of(annotations([("a", "b", None), (None, "a", "b")])))
    assert [(pair.table.first, pair.table.second) for pair in found.pairs] == [(0, 1), (1, 2)]


def test_one_category_declared() -> None:
    found = pair_of([[7]])
    assert str(found.measures["bennett_s"].undefined) == str(found.measures["finn_r"].undefined)
    assert str(found.measures["bennett_s"].undefined).startswith("only one category is declared or used")
    assert str(found.measures["cohen_kappa"].undefined).startswith("only one category was used")
    assert value(found.measures["observed_agreement"]) == 1


def test_one_category_used_of_two_leaves_s_defined() -> None:
    found = pair_of([[7, 0], [0, 0]])
    assert value(found.measures["bennett_s"]) == 1
    assert found.measures["scott_pi"].value is None
    assert str(found.specific[1].undefined) == NOT_USED


def test_what_was_used_where_one_alone_labelled_is_not_said_to_be_unused() -> None:
    """Both gave the first unit the same category; another one is on units that one of them labelled."""
    found = figures(units_of(annotations([("a", "a"), ("b", None), (None, "b")])))
    for figure in (found.measures["cohen_kappa"], found.measures["krippendorff_alpha"]):
        assert str(figure.undefined).startswith("only one category was used where labels can be compared")
    assert found.specific[1].value is None
    assert str(found.specific[1].undefined) == NOT_USED


def test_distances_of_zero_between_the_categories_in_use() -> None:
    found = pair_of([[7, 2], [1, 5]], (), {"flat": [[0, 0], [0, 0]]})
    for name in ("weighted_kappa[flat]", "krippendorff_alpha[flat]"):
        assert (
            str(found.measures[name].undefined) == "the distances between the categories in use are all zero"
        )


def test_disagreements_at_distance_zero_are_none() -> None:
    found = pair_of([[7, 2, 0], [1, 5, 0], [0, 0, 12]], (), {"d": [[0, 0, 1], [0, 0, 1], [1, 1, 0]]})
    alpha = found.measures["krippendorff_alpha[d]"]
    assert value(alpha) == 1
    assert isinstance(alpha.interval, ConfidenceInterval)
    assert str(alpha.interval.method) == "exact lower bound, no disagreement seen"


def test_two_annotators_who_share_no_category_agree_as_by_chance() -> None:
    found = pair_of([[0, 9], [0, 0]])
    assert value(found.measures["cohen_kappa"]) == 0
    assert value(found.measures["kappa_max"]) == 0
    assert value(found.measures["scott_pi"]) == -1


def test_a_category_that_nobody_used_has_no_conditional_probability_nor_distance() -> None:
    found = pair_of([[5, 1, 0], [2, 6, 0], [0, 0, 0]])
    assert np.isnan(from_table(found)[2]).all()
    assert not np.isnan(from_table(found)[:2]).any()
    for matrix in (from_table(found, "computed_alpha"), from_table(found, "computed_kappa")):
        assert np.isnan(matrix[2]).all()
        assert np.isnan(matrix[:, 2]).all()
        assert not np.isnan(matrix[:2, :2]).any()
    alone = pair_of([[5, 1], [2, 6]])
    for name in ("krippendorff_alpha[computed]", "weighted_kappa[computed]"):
        assert found.measures[name].value == pytest.approx(value(alone.measures[name]), rel=1e-12)
        assert found.measures[name].standard_error == pytest.approx(alone.measures[name].standard_error or 0)


def test_categories_that_nobody_used_against_the_rest() -> None:
    found = pair_of([[5, 1, 0, 0], [2, 6, 0, 0], [0] * 4, [0] * 4])
    assert len(found.against_rest) == 4
    for rest in found.against_rest[2:]:
        assert rest["cohen_kappa"].value is None
        shown = [value(rest[name]) for name in ("prevalence_index", "bias_index", "pabak")]
        assert shown == [-1, 0, 1]
    assert value(found.against_rest[0]["pabak"]) == pytest.approx(1 - 2 * 3 / 14)


def test_scales_leave_out_the_non_annotated_category() -> None:
    rows = [("1", "2"), ("4", "4"), ("none", "1"), ("none", "none"), ("2", "2"), ("4", "none")]
    marked = [("1", "2"), ("4", "4"), ("2", "2")]
    for scale in ("ordinal", "interval", "ratio"):
        whole = figures(units_of(annotations(rows), scale=scale, non_annotated="none")).measures
        alone = figures(units_of(annotations(marked), scale=scale)).measures
        for name in alone:
            placed = any(f"[{each}]" in name for each in ("ordinal", "interval", "ratio", "linear"))
            # Where single ratings tell of chance, those beside an unmarked unit do so too.
            if placed and not measure_of(name).single_ratings:
                assert whole[name] == alone[name]
        three = [(*row, None) for row in rows] + [(None, None, "1")]
        several = figures(units_of(annotations(three), scale=scale, non_annotated="none")).measures
        name = f"krippendorff_alpha[{scale}]"
        assert several[name].value == pytest.approx(value(alone[name]), rel=1e-12)
        assert several[name].units == 3


def test_ratio_distances_at_zero() -> None:
    found = figures(units_of(annotations([("0", "0"), ("0", "2"), ("2", "2")]), scale="ratio")).measures
    # 0 against 2 is at distance ((0 - 2) / (0 + 2))² = 1: alpha is that of two nominal categories.
    assert value(found["krippendorff_alpha[ratio]"]) == pytest.approx(value(found["krippendorff_alpha"]))


def test_rare_disagreements_in_huge_counts_keep_their_digits() -> None:
    found = pair_of([[50, 1], [1, 10**9]]).measures
    n = 10**9 + 52
    expected = 2 * 51 * (10**9 + 1) / n**2
    assert value(found["cohen_kappa"]) == pytest.approx(1 - 2 / n / expected, rel=1e-12)
    assert value(found["kappa_max"]) == pytest.approx(1, rel=1e-12)
    assert isinstance(found["cohen_kappa"].interval, ConfidenceInterval)
