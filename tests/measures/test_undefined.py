"""Undefined is undefined, with its reason; and which figures there are on a scale is known beforehand."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.catalogue import CATALOGUE, base_id, figures_on, forms_of, measure_of
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

# Undefined is undefined, with its reason: never a traceback, NaN, infinity or a warning.


NOT_USED = "no annotator used this category where labels can be compared"


def estimates_of(found: UnitSetAgreement) -> Iterator[Estimate]:
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
    """See that estimates_of figure is a number or has its reason, and so has its interval."""
    for each in estimates_of(found):
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


def test_what_was_used_where_one_alone_labelled_is_not_said_to_be_unused() -> None:
    """Both gave the first unit the same category; another one is on units that one of them labelled."""
    found = figures(units_of(annotations([("a", "a"), ("b", None), (None, "b")])))
    for figure in (found.measures["cohen_kappa"], found.measures["krippendorff_alpha"]):
        assert str(figure.undefined).startswith("only one category was used where labels can be compared")
    assert found.specific[1].value is None
    assert str(found.specific[1].undefined) == NOT_USED


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


# Where nothing can be said, every measure of the catalogue says why: never a number, NaN or a traceback.


SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
TABLED = {"zeros": [[0.0, 0.0], [0.0, 0.0]]}
# With one category, what is a share of units is all of them; no figure corrects it for chance.
SHARES = {"observed_agreement", "unanimous_agreement", "majority_agreement"}
# Chance is even over the categories that there are, used or not; or it comes from how hard units are.
EVEN = {"bennett_s", "randolph_kappa", "finn_r", "gwet_ac1", "gwet_ac2", "pabak", "maxwell_re"} | {
    "bangdiwala_b"
}
INDICES = {"prevalence_index", "bias_index"}
# Agreement on sets is a share of units too.
OF_SETS = {"explicit_agreement", "implicit_agreement"}

ONE_CATEGORY: dict[str, Rows] = {
    "two": [("1", "1"), ("1", "1"), ("1", "1")],
    "three": [("1", "1", "1"), ("1", None, "1"), ("1", "1", "1")],
}
ONE_UNIT: dict[str, Rows] = {
    "two, apart": [("1", "2")],
    "two, alike": [("1", "1")],
    "three": [("1", "2", "2")],
    "three, others alone": [("1", "2", "2"), ("1", None, None), (None, "2", None)],
}
NOTHING: dict[str, Rows] = {
    "no unit": [],
    "one annotator": [("1",), ("2",), ("2",)],
    "two, no overlap": [("1", None), (None, "2"), ("2", None)],
    "three, no overlap": [("1", None, None), (None, "2", None), (None, None, "1")],
    "two, all missing": [(None, None), (None, None)],
    "three, all missing": [(None, None, None)],
}


def every(found: UnitSetAgreement) -> Iterator[tuple[str, Estimate]]:
    """Yield each figure with the id of its measure: of all annotators, of pairs, of categories."""
    yield from ((measure_of(name).id, each) for name, each in found.measures.items())
    for pair in found.pairs:
        yield from ((measure_of(name).id, each) for name, each in pair.measures.items())
        yield from ((name, each) for rest in pair.against_rest for name, each in rest.items())
    yield from ((name, each) for rest in found.against_rest for name, each in rest.items())
    yield from (("majority_agreement", each) for each in found.against_majority)


def numbered(found: UnitSetAgreement) -> set[str]:
    """See that all is sound; return the measures of which some figure has a value."""
    sound(found)
    return {name for name, each in every(found) if each.value is not None}


def told(rows: Rows, scale: str, tables: Mapping[str, Any] | None = None, **task: Any) -> UnitSetAgreement:  # noqa: ANN401
    return figures(units_of(annotations(rows), scale=scale, **task), tables)


def expected_ids(scale: str, width: int) -> set[str]:
    """The measures that the catalogue computes for so many annotators."""
    return {
        measure.id
        for measure in CATALOGUE
        if scale in measure.scales and (measure.all or (measure.pair and width == len("xy")))
    }


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", NOTHING)
def test_without_two_ratings_of_a_unit_no_measure_has_a_number(scale: str, case: str) -> None:
    found = told(NOTHING[case], scale, categories=["1", "2"])
    assert numbered(found) == set()
    assert all(isinstance(each.undefined, Undefined) for _, each in every(found))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_CATEGORY)
def test_with_one_category_only_shares_have_a_number(scale: str, case: str) -> None:
    found = told(ONE_CATEGORY[case], scale, {"zero": [[0.0]]})
    # Of a set each label is a question of two answers, which has shares of its own.
    of_labels = {"bias_index", "pabak", "prevalence_index"}
    of_sets = OF_SETS | of_labels if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets
    assert value(found.measures["observed_agreement"]) == 1


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_CATEGORY)
def test_with_one_category_used_of_two_nothing_is_expected_from_the_ratings(scale: str, case: str) -> None:
    found = told(ONE_CATEGORY[case], scale, categories=["1", "2"])
    of_sets = OF_SETS if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets | EVEN | INDICES


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_UNIT)
def test_one_unit_gives_no_coefficient(scale: str, case: str) -> None:
    found = told(ONE_UNIT[case], scale, categories=["1", "2"])
    of_sets = OF_SETS if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets | INDICES
    if case != "two, alike":
        assert found.measures["krippendorff_alpha"].undefined is Undefined.ONE_UNIT
    assert all(each.interval is not None for _, each in every(found) if each.value is not None)


@pytest.mark.parametrize("scale", SCALES)
def test_distances_of_zero_leave_every_weighted_figure_undefined(scale: str) -> None:
    found = told([("1", "2"), ("2", "2"), ("1", "1")], scale, TABLED, categories=["1", "2"])
    sound(found)
    weighted = {name: each for name, each in found.measures.items() if name.endswith("[zeros]")}
    assert {measure_of(name).id for name in weighted} == {
        "weighted_kappa", "krippendorff_alpha", "fleiss_kappa", "conger_kappa", "bennett_s", "gwet_ac2",
    }  # fmt: skip
    assert {each.undefined for each in weighted.values()} == {Undefined.NO_POSSIBLE_DISAGREEMENT}


@pytest.mark.parametrize("width", [2, 3])
def test_empty_sets_alone_are_nothing_to_compare(width: int) -> None:
    rows = [("{}",) * width, ("{}",) * width, ("{}",) * width]
    found = figures(units_of(annotations(rows, separator="|"), scale="set"))
    assert numbered(found) <= SHARES
    for name in ("explicit_agreement", "implicit_agreement", "explicit_kappa", "implicit_kappa"):
        assert found.measures[name].undefined is Undefined.EMPTY_SETS


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("width", [2, 3])
def test_the_walk_meets_every_measure_of_the_catalogue(scale: str, width: int) -> None:
    rows = [("1", "2", "2")[:width], ("2", "2", "2")[:width], ("1", "1", "2")[:width]]
    found = told(rows, scale, TABLED, categories=["1", "2"])
    assert expected_ids(scale, width) == {measure_of(name).id for name in found.measures}


ROWS = (("1", "2", "1"), ("2", "2", "2"), ("1", "1", "2"), ("2", "1", "2"))
TABLE = ((0, 1), (1, 0))
# Some are computed on scales on which nothing shows them.
ANY_SCALE = {each.id: each.scales for each in CATALOGUE}


def computed(scale: str, people: int) -> set[str]:
    """Return every figure of a few ratings with a declared distance."""
    rows = [row[:people] for row in ROWS]
    separator = "|" if scale == "set" else None
    found = figures(
        units_of(annotations(rows, separator=separator, order=("1", "2")), scale=scale), {"mine": TABLE}
    )
    return set(found.measures) | {name for pair in found.pairs for name in pair.measures}


@pytest.mark.parametrize("scale", SCALES)
def test_what_is_foretold_is_what_is_computed(scale: str) -> None:
    found = computed(scale, 2) | computed(scale, 3)
    assert set(figures_on(scale, ["mine"])) == {name for name in found if scale in ANY_SCALE[base_id(name)]}


def test_a_measure_is_offered_in_the_forms_of_the_scale() -> None:
    assert forms_of("krippendorff_alpha", "nominal") == (
        "krippendorff_alpha",
        "krippendorff_alpha[computed]",
    )
    assert "krippendorff_alpha[circular]" in forms_of("krippendorff_alpha", "interval")
    assert forms_of("gwet_ac2", "nominal") == ()
    assert forms_of("gwet_ac2", "nominal", ["bdm"]) == ("gwet_ac2[bdm]",)
    assert forms_of("icc_a1", "nominal") == ()
    assert "finn_r[two-way]" in forms_of("finn_r", "ordinal")
