"""What docs/replacement.md says of errors, on few campaigns: benchmarks/replacement.py simulates many."""

import pytest

from benchmarks.annotators import Design, coverage
from benchmarks.replacement import EQUAL, WORSE, Panel, at_the_price, shares

CAMPAIGNS = 60


def test_the_test_errs_as_often_as_it_says_where_units_are_independent() -> None:
    found = at_the_price(Panel(80, 1, 0.0, 3, WORSE), CAMPAIGNS)
    assert found.rejected["independent"] == found.rejected["clustered"] <= 0.12


def test_where_documents_matter_only_the_clustered_one_errs_as_seldom() -> None:
    found = at_the_price(Panel(20, 20, 0.3, 3, WORSE), CAMPAIGNS)
    assert found.rejected["independent"] > 0.15
    assert found.rejected["clustered"] < 0.13


def test_a_model_as_good_as_people_passes_the_sooner_the_more_a_person_costs() -> None:
    cheap, dear = shares(Panel(100, 1, 0.0, 3, EQUAL), (0.05, 0.25), CAMPAIGNS)
    assert cheap.passed["independent"] < 0.3
    assert dear.passed["independent"] > 0.9


@pytest.mark.slow
def test_where_annotators_differ_only_the_interval_over_them_too_contains_the_true_difference() -> None:
    over_documents, over_both, *_ = coverage(Design(8, 0.2), CAMPAIGNS)["difference"]
    assert over_documents < 0.9 <= over_both
