"""Siegel and Castellan's K as GATE's all-way figure has it, unanimity and majority: one example by hand.

The ratings are the three-rater example of DKPro Statistics; workers and tasks those of crowd-kit's tests.
"""

import pytest

from reportgen.measures import figures_of_sums
from reportgen.measures.unit_profiles import unit_ratings
from tests.measures.made import against_all, annotations, expected, figures, observed, units_of, value

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
