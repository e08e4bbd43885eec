"""Worked examples of papers and packages for several annotators."""

from collections.abc import Mapping
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance

from reportgen.measures import Estimate, UnitSetAgreement, figures_of_sums
from reportgen.measures.analysis import rated_twice
from reportgen.measures.distances import Sets
from reportgen.measures.unit_profiles import unit_ratings
from tests.measures.made import (
    Rows,
    against_all,
    annotations,
    expected,
    figures,
    observed,
    pair_of,
    repeated,
    units_of,
    value,
)
from tests.properties import examples

# Krippendorff (1980), "Content Analysis", p. 133: two observers, ten units, a dichotomy.


UNITS = ["00", "11", "01", "00", "00", "01", "00", "01", "10", "00"]


def test_dichotomy() -> None:
    measures = figures(units_of(annotations([list(row) for row in UNITS]))).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    assert observed(measures["krippendorff_alpha"]) == pytest.approx(0.4)
    assert expected(measures["krippendorff_alpha"]) == pytest.approx(0.442, abs=5e-4)
    assert value(measures["krippendorff_alpha"]) == pytest.approx(0.095, abs=5e-4)


def test_alpha_takes_the_sample_for_the_population_only_in_the_limit() -> None:
    measures = figures(units_of(annotations([list(row) for row in UNITS], weights=[100_000] * 10))).measures
    assert measures["krippendorff_alpha"].units == 1_000_000
    assert value(measures["krippendorff_alpha"]) == pytest.approx(value(measures["scott_pi"]), abs=1e-6)


# Randolph (2005): free-marginal kappa, an alternative to Fleiss' where margins are not fixed.


# p. 17: three raters, two categories that are used equally often.
FREE = [list(row) for row in ("YYY", "YYN", "NNY", "NNN")]


def test_with_even_margins_both_kappas_are_the_same() -> None:
    measures = figures(units_of(annotations(FREE))).measures
    for name in ("fleiss_kappa", "randolph_kappa", "bennett_s"):
        assert value(measures[name]) == pytest.approx(0.33, abs=5e-3)
    assert observed(measures["randolph_kappa"]) == pytest.approx(2 / 3)
    assert expected(measures["randolph_kappa"]) == pytest.approx(1 / 2)


def test_categories_that_nobody_used_count_where_they_are_declared() -> None:
    measures = figures(units_of(annotations(FREE), categories=["Y", "N", "?"])).measures
    assert value(measures["randolph_kappa"]) == pytest.approx(1 - (1 / 3) / (2 / 3))
    assert value(measures["fleiss_kappa"]) == pytest.approx(1 / 3)


# Siegel and Castellan's K as GATE's all-way figure has it, unanimity and majority: one example by hand.
#
# The ratings are the three-rater example of DKPro Statistics; workers and tasks those of crowd-kit's tests.


# High and low, three raters.
THREE = ["hhh", "hhl", "hlh", "lhh", "llh", "lll", "lll", "lhl", "llh", "llh"]
# Tasks by workers: no, yes, or missing (.).
TOY = ["ny.yn", "yyynn", "ynnyn", "yyyyy", "ynnnn"]


def test_the_all_way_figure_asks_for_unanimity_of_all() -> None:
    measures = figures(units_of(annotations([list(row) for row in THREE]))).measures
    found = measures["siegel_castellan"]
    # Three units of ten alike; 13 of 30 ratings are high, and by chance three raters are alike by p³ + q³.
    chance = (13**3 + 17**3) / 30**3
    assert observed(found) == pytest.approx(0.3)
    assert expected(found) == pytest.approx(chance)
    assert value(found) == pytest.approx((0.3 - chance) / (1 - chance))
    assert value(measures["unanimous_agreement"]) == pytest.approx(0.3)
    # Fleiss' agreement is that of pairs, which DKPro prints.
    assert value(measures["observed_agreement"]) == pytest.approx(0.533, abs=5e-4)
    assert expected(measures["fleiss_kappa"]) == pytest.approx(0.508, abs=1e-3)
    assert value(measures["fleiss_kappa"]) == pytest.approx(0.049, abs=2e-3)


def test_workers_of_crowd_kit_against_a_majority_that_includes_them() -> None:
    rows = [[None if sign == "." else sign for sign in row] for row in TOY]
    units = units_of(annotations(rows))
    ratings = unit_ratings(units)
    against = against_all(ratings)
    found = [
        value(figures_of_sums.share(ratings, against, ratings.annotator == worker)) for worker in range(5)
    ]
    assert found == pytest.approx([0.6, 0.8, 1.0, 0.4, 0.8])
    alpha = value(figures(units).measures["krippendorff_alpha"])
    assert alpha == pytest.approx(0.14219114219114215, abs=1e-12)


def test_against_the_others_ties_and_lone_ratings_compare_nothing() -> None:
    rows = [[None if sign == "." else sign for sign in row] for row in ("aab", "ab.", "..a", "aaa", "abb")]
    found = figures(units_of(annotations(rows)))
    # aab: b against a is compared, a against a and b is not; ab.: both are; abb: a against b is.
    hits = [value(each) for each in found.against_majority]
    assert hits == pytest.approx([1 / 3, 1 / 2, 1 / 2])
    assert value(found.measures["majority_agreement"]) == pytest.approx(3 / 7)


# Fleiss (1971), "Measuring nominal scale agreement among many raters": 30 patients, 6 psychiatrists.


DIAGNOSES = [
    "444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334", "114444", "555555",
    "144444", "124444", "222333", "144444", "224445", "333335", "111455", "111112", "224444", "133555",
    "555555", "244444", "224555", "114444", "144445", "222224", "111155", "224444", "133333", "555555",
]  # fmt: skip
DIAGNOSED = [list(row) for row in DIAGNOSES]


@cache
def of_all() -> UnitSetAgreement:
    return figures(units_of(annotations(DIAGNOSED), categories=list("12345")))


def test_observed_agreement_is_the_mean_over_patients() -> None:
    observed_agreement = of_all().measures["observed_agreement"]
    assert value(observed_agreement) == pytest.approx(0.5556, abs=5e-5)
    assert observed_agreement.units == 30


def test_alpha_and_the_expected_agreement_of_fleiss() -> None:
    alpha = of_all().measures["krippendorff_alpha"]
    assert value(alpha) == pytest.approx(0.4334098282820288, abs=1e-12)
    assert 1 - observed(alpha) == pytest.approx(0.5556, abs=5e-5)
    # Fleiss prints an expected agreement of .2201 (exactly .219938), alpha's small-sample term apart.
    assert 1 - expected(alpha) * 179 / 180 == pytest.approx(0.219938, abs=5e-7)
    assert 1 - observed(alpha) / (expected(alpha) * 179 / 180) == pytest.approx(0.4302445, abs=5e-8)


def test_kappa_of_all_diagnoses() -> None:
    kappa = of_all().measures["fleiss_kappa"]
    assert value(kappa) == pytest.approx(0.430, abs=5e-4)
    # The digits that R's irr gives.
    assert value(kappa) == pytest.approx(0.4302445, abs=5e-8)
    assert observed(kappa) == pytest.approx(0.5556, abs=5e-5)
    # Fleiss sums shares that he has rounded, to .2201.
    assert expected(kappa) == pytest.approx(0.2201, abs=2.5e-4)


@pytest.mark.parametrize(
    ("category", "printed", "by_r"),
    [(0, 0.248, 0.245), (1, 0.248, 0.245), (2, 0.517, 0.520), (3, 0.470, 0.471), (4, 0.565, 0.566)],
)
def test_kappa_of_each_diagnosis(category: int, printed: float, by_r: float) -> None:
    """Fleiss computes from shares that he has rounded; R's irr does not."""
    rest = of_all().against_rest[category]
    assert value(rest["fleiss_kappa"]) == pytest.approx(printed, abs=5e-3)
    assert value(rest["fleiss_kappa"]) == pytest.approx(by_r, abs=5e-4)


def test_the_mean_of_the_kappas_of_pairs_is_lights() -> None:
    agreement = of_all()
    assert len(agreement.pairs) == 15
    mean = agreement.mean_over_pairs["cohen_kappa"]
    assert mean.pairs == 15
    assert mean.value == pytest.approx(0.4594121444, abs=5e-11)
    assert value(agreement.measures["light_kappa"]) == pytest.approx(0.4594121444, abs=5e-11)


# Davies and Fleiss (1982), "Measuring agreement for multinomial data": every annotator's own distribution.
#
# Conger (1980) and Hubert (1977) have the same coefficient, and the GATE user guide as equation 10.4.


THREE_RATERS = ["111", "122", "222", "333", "133", "222", "123", "333", "222"]
TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), min_size=2, max_size=9
    )
)


def equation_10_4(rows: list[list[str]]) -> float | None:
    """1 - (I J² - Σ Y²) / (I (J (J - 1) Σ p (1 - p) + Σ_c Σ_j (p_cj - p_c)²)), Y ratings of a unit alike."""
    units, raters = len(rows), len(rows[0])
    alike = sum(row.count(label) ** 2 for row in rows for label in set(row))
    chance = 0.0
    for label in "abc12345":
        own = [sum(row[rater] == label for row in rows) / units for rater in range(raters)]
        mean = sum(own) / raters
        chance += raters * (raters - 1) * mean * (1 - mean) + sum((each - mean) ** 2 for each in own)
    return 1 - (units * raters**2 - alike) / (units * chance) if chance > 1e-12 else None


def conger(rows: list[list[str]]) -> float:
    return value(figures(units_of(annotations(rows))).measures["conger_kappa"])


def test_the_psychiatrists_of_fleiss() -> None:
    assert conger(DIAGNOSED) == pytest.approx(0.4418085403, abs=5e-11)
    assert equation_10_4(DIAGNOSED) == pytest.approx(0.4418085403, abs=5e-11)


def test_three_raters_whose_kappa_dkpro_weights_wrongly() -> None:
    rows = [list(row) for row in THREE_RATERS]
    found = figures(units_of(annotations(rows)), {"ones": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}).measures
    # DKPro's WeightedKappaAgreement returns .8695652 with the same distances.
    for name in ("conger_kappa", "conger_kappa[ones]", "weighted_kappa[ones]"):
        assert value(found[name]) == pytest.approx(0.608695652173913, abs=1e-12)


@examples(40)
@given(TABLES)
def test_equation_10_4_of_the_gate_guide_is_the_same(rows: list[list[str]]) -> None:
    theirs = equation_10_4(rows)
    assume(theirs is not None)
    assert conger(rows) == pytest.approx(theirs, abs=1e-9)


# Krippendorff (2004), "Content Analysis", second edition, chapter 11.


# p. 227: two observers, three values.
TWO_OBSERVERS = ["aa", "ab", "bb", "bb", "bb", "bb", "bc", "cc", "cc", "cc", "cc", "cc"]
# p. 230: four observers, five values, missing data (.).
FOUR_OBSERVERS = [
    "11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555", "..11", "..3.",
]  # fmt: skip
ROWS = [[None if sign == "." else sign for sign in row] for row in FOUR_OBSERVERS]


def test_two_observers_nominal() -> None:
    measures = figures(units_of(annotations([list(row) for row in TWO_OBSERVERS]))).measures
    alpha = measures["krippendorff_alpha"]
    assert value(measures["observed_agreement"]) == pytest.approx(0.833, abs=5e-4)
    assert observed(alpha) == pytest.approx(0.1667, abs=5e-5)
    assert expected(alpha) == pytest.approx(0.6268, abs=5e-5)
    assert value(alpha) == pytest.approx(0.734, abs=5e-4)


def test_four_observers_with_missing_data_nominal() -> None:
    agreement = figures(units_of(annotations(ROWS)))
    alpha = agreement.measures["krippendorff_alpha"]
    assert value(alpha) == pytest.approx(0.743421052632, abs=5e-13)
    assert observed(alpha) == pytest.approx(0.2, abs=1e-12)
    assert expected(alpha) == pytest.approx(0.779, abs=5e-4)
    # The last unit has one rating and is not paired.
    assert alpha.units == 11


@pytest.mark.parametrize(
    ("scale", "distance", "printed"),
    [
        ("ordinal", "ordinal", 0.8153875038),
        ("interval", "interval", 0.8491071429),
        ("ratio", "interval", 0.8491071429),
        ("ratio", "ratio", 0.7974027747),
    ],
)
def test_four_observers_on_other_scales(scale: str, distance: str, printed: float) -> None:
    measures = figures(units_of(annotations(ROWS), scale=scale)).measures
    assert value(measures[f"krippendorff_alpha[{distance}]"]) == pytest.approx(printed, abs=5e-11)
    # The bare name is the nominal figure on every scale.
    assert value(measures["krippendorff_alpha"]) == pytest.approx(0.743421052632, abs=5e-13)


def test_two_conventions_of_observed_agreement_with_missing_data() -> None:
    measures = figures(units_of(annotations(ROWS))).measures
    # The mean over units; weighted by ratings it is one minus alpha's observed disagreement, .8.
    assert value(measures["observed_agreement"]) == pytest.approx(0.8181818, abs=5e-8)
    assert 1 - observed(measures["krippendorff_alpha"]) == pytest.approx(0.8, abs=1e-12)


# Gwet (2008; 2014), AC1 and AC2 beside the kappas, with missing ratings: what his irrCAC gives in R.


# Four raters, twelve subjects, five categories, missing ratings (.): Krippendorff (2004, p. 230).
FIGURES = ("gwet_ac2", "fleiss_kappa", "conger_kappa", "bennett_s")
# Value and chance agreement.
NOMINAL = {
    "gwet_ac1": (0.77544, 0.1903212),
    "fleiss_kappa": (0.76117, 0.2387153),
    "conger_kappa": (0.76282, 0.2334252),
    "bennett_s": (0.77273, 0.2),
}
# In the order of FIGURES.
WEIGHTED = {
    "linear": (0.85874, 0.81794, 0.81378, 0.84848),
    "quadratic": (0.91400, 0.86494, 0.85771, 0.90152),
    "ordinal": (0.89894, 0.85021, 0.84366, 0.88636),
    "radical": (0.81981, 0.78992, 0.78834, 0.81263),
    "ratio": (0.85737, 0.82134, 0.81197, 0.84024),
}


@cache
def of_scale(scale: str) -> Mapping[str, Estimate]:
    return figures(units_of(annotations(ROWS), scale=scale)).measures


@pytest.mark.parametrize("figure", NOMINAL)
def test_without_weights(figure: str) -> None:
    found = of_scale("nominal")[figure]
    assert value(found) == pytest.approx(NOMINAL[figure][0], abs=5e-6)
    assert expected(found) == pytest.approx(NOMINAL[figure][1], abs=5e-8)
    # The subject whom one rater alone saw counts in chance agreement, not among the units.
    assert found.units == 11


@pytest.mark.parametrize("weights", WEIGHTED)
def test_with_weights(weights: str) -> None:
    measures = of_scale("ratio")
    found = [value(measures[f"{figure}[{weights}]"]) for figure in FIGURES]
    assert found == pytest.approx(WEIGHTED[weights], abs=5e-6)


# Two raters on a scale of 1 to 5 of which they use 2 and 3 alone.
INSIDE = [[0, 0, 0, 0, 0], [0, 40, 10, 0, 0], [0, 10, 40, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
POINTS = ("1", "2", "3", "4", "5")


@pytest.mark.parametrize(
    ("figure", "wanted"),
    [
        ("gwet_ac2[quadratic]", 0.97647),
        ("gwet_ac2[linear]", 0.92),
        ("gwet_ac2[ordinal]", 0.96364),
        ("bennett_s[quadratic]", 0.95),
        ("bennett_s[linear]", 0.875),
        ("weighted_kappa[linear]", 0.6),
        ("fleiss_kappa[linear]", 0.6),
    ],
)
def test_weights_belong_to_the_declared_scale_not_to_what_is_used(figure: str, wanted: float) -> None:
    measures = pair_of(INSIDE, POINTS, scale="interval").measures
    rows = [(POINTS[i], POINTS[j]) for i, j in repeated(INSIDE)]
    whole = figures(units_of(annotations(rows), scale="interval", categories=POINTS)).measures
    three = annotations([(*row, row[0]) for row in rows[:60]])
    third = figures(units_of(three, scale="interval", categories=POINTS))
    assert value(whole[figure]) == pytest.approx(wanted, abs=5e-6)
    if figure in measures:
        assert value(measures[figure]) == pytest.approx(wanted, abs=5e-6)
    if figure.startswith("gwet_ac2"):
        # The same distance for every pair, whatever this pair used.
        assert {pair.measures[figure].farthest for pair in third.pairs} == {third.measures[figure].farthest}
        assert whole[figure].farthest == third.measures[figure].farthest


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_figures_without_subjects_whom_one_rater_alone_saw_are_those_of_the_others(scale: str) -> None:
    """The subject's rating counts in chance agreement; over the other eleven it does not."""
    seen_twice = [row for row in ROWS if sum(label is not None for label in row) > 1]
    kept, others = (figures(units_of(annotations(rows), scale=scale)) for rows in (ROWS, seen_twice))
    found = rated_twice(kept)
    assert {"fleiss_kappa", "conger_kappa", "gwet_ac1"} <= {*found}
    assert all(found[name] == others.measures[name] for name in found)
    assert value(found["fleiss_kappa"]) != pytest.approx(value(kept.measures["fleiss_kappa"]), abs=1e-4)
    assert rated_twice(others) == {}


# Distances between sets: Passonneau (2006), Jaccard and Dice, and alpha with them against NLTK.


MEMBERS = st.frozensets(st.sampled_from("abcd"))
DISTANCES = ("jaccard", "masi", "dice")


def between(one: str, other: str) -> list[float]:
    """Jaccard, MASI and Dice distance of two sets, each written as its members."""
    table = Sets([frozenset(one), frozenset(other)])
    found = [each.matrix for each in (table.jaccard, table.masi, table.dice)]
    assert all(matrix[0, 1] == matrix[1, 0] for matrix in found)
    assert all((np.diagonal(matrix) == 0).all() for matrix in found)
    return [float(matrix[0, 1]) for matrix in found]


@pytest.mark.parametrize(
    ("one", "other", "jaccard", "masi", "dice"),
    [
        ("ab", "ab", 0, 0, 0),
        ("ab", "abc", 1 / 3, 5 / 9, 1 / 5),
        ("ab", "bc", 2 / 3, 8 / 9, 1 / 2),
        ("a", "ab", 1 / 2, 2 / 3, 1 / 3),
        ("a", "b", 1, 1, 1),
        ("", "", 0, 0, 0),
        ("", "ab", 1, 1, 1),
    ],
)
def test_equal_within_crossing_disjoint_and_empty(
    one: str, other: str, jaccard: float, masi: float, dice: float
) -> None:
    assert between(one, other) == pytest.approx([jaccard, masi, dice], abs=1e-15)


@examples(40)
@given(st.lists(MEMBERS, min_size=1, max_size=6, unique=True))
def test_by_definition(sets: list[frozenset[str]]) -> None:
    table = Sets(sets)
    for (i, one), (j, other) in product(enumerate(sets), repeat=2):
        both, either = len(one & other), len(one | other)
        weight = 1 if one == other else 2 / 3 if one <= other or other <= one else 1 / 3
        index = both / either if either else 1
        assert table.apart[i, j] == len(one ^ other)
        assert table.jaccard.matrix[i, j] == pytest.approx(1 - index, abs=1e-15)
        assert table.masi.matrix[i, j] == pytest.approx(1 - weight * index, abs=1e-15)
        sizes = len(one) + len(other)
        assert table.dice.matrix[i, j] == pytest.approx(1 - (2 * both / sizes if sizes else 1), abs=1e-15)


def rated(width: int) -> st.SearchStrategy[Rows]:
    """Units with sets of no order, written with a bar; none of them is empty."""
    members = st.frozensets(st.sampled_from("abcd"), min_size=1).map(lambda each: "|".join(sorted(each)))
    return st.lists(st.tuples(*[members] * width), min_size=2, max_size=8)


@examples(40)
@given(st.integers(2, 4).flatmap(rated))
def test_alpha_and_weighted_kappa_are_those_of_nltk(rows: Rows) -> None:
    triples = [
        (f"a{who}", unit, frozenset((label or "").split("|")))
        for unit, row in enumerate(rows)
        for who, label in enumerate(row)
    ]
    assume(len({labels for *_, labels in triples}) > 1)
    found = figures(units_of(annotations(rows, separator="|"), scale="set")).measures
    for name, distance in (("masi", masi_distance), ("jaccard", jaccard_distance)):
        task = AnnotationTask(triples, distance)
        assert value(found[f"krippendorff_alpha[{name}]"]) == pytest.approx(task.alpha(), abs=1e-9)
        if len(rows[0]) == 2 and found[f"weighted_kappa[{name}]"].value is not None:
            theirs = task.weighted_kappa(max_distance=1.0)
            assert value(found[f"weighted_kappa[{name}]"]) == pytest.approx(theirs, abs=1e-9)


def test_the_empty_set_is_a_value_and_stays_where_it_stands_for_unmarked_units() -> None:
    rows = [("a", "a"), ("none", "none"), ("a", "none"), ("a|b", "a")]
    one = figures(units_of(annotations(rows, separator="|"), scale="set", non_annotated="none")).measures
    other = [tuple("{}" if label == "none" else label for label in row) for row in rows]
    two = figures(units_of(annotations(other, separator="|"), scale="set")).measures
    for distance in DISTANCES:
        for name in (f"krippendorff_alpha[{distance}]", f"weighted_kappa[{distance}]"):
            assert one[name].units == 4
            assert value(one[name]) == pytest.approx(value(two[name]), rel=1e-12)


def test_many_sets_are_compared_without_a_loop_over_every_two() -> None:
    sets = [frozenset(map(str, each)) for each in combinations(range(24), 3)]
    table = Sets(sets)
    assert len(sets) == 2024
    assert table.members == 24
    places = sets.index(frozenset(("0", "1", "2"))), sets.index(frozenset(("0", "1", "5")))
    assert table.masi.matrix[places] == pytest.approx(1 - 2 / 4 / 3)


def test_no_figure_on_sets_takes_codes_for_numbers() -> None:
    found = figures(units_of(annotations([("a", "b"), ("b", "b")]), scale="set")).measures
    assert "finn_r" not in found
    assert not any(f"[{scale}]" in name for name in found for scale in ("linear", "interval", "ordinal"))
