"""A system beside annotators: the interval that covers their choice too, by hand and by its properties."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from reportgen.measures.unit_profiles import OBSERVED
from reportgen.results.annotators import Comparison
from tests.measures.made import Rows
from tests.measures.test_comparisons import compare, of
from tests.present import present
from tests.properties import examples


def beside(rows: Rows, annotators: int, documents: int = 0, coefficient: str = OBSERVED) -> Comparison:
    """Return a system against the reference, beside annotators; units are of as many documents in turn."""
    people = ("gold", *(f"h{place}" for place in range(annotators)), "sys")
    known = [f"d{place % documents}" for place in range(len(rows))] if documents else ()
    return of(compare(rows, people, documents=known, coefficient=coefficient), "sys")


def drawn(seed: int, annotators: int, units: int, skills: tuple[float, float]) -> Rows:
    """Return labels of somebody who is right, of annotators of different skill, and of a system."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, (units, 1))
    right = random.random((units, annotators + 2)) < [1.0, *random.uniform(*skills, annotators), 0.8]
    labels = np.where(right, truth, (truth + random.integers(1, 3, right.shape)) % 3)
    return [tuple("abc"[label] for label in row) for row in labels.tolist()]


def test_the_interval_by_hand() -> None:
    """V = V_units + V_annotators - V_both, the jackknife of a mean over pairs, Satterthwaite's degrees."""
    rows, units, people = drawn(3, 6, 80, (0.4, 1.0)), 80, range(6)
    found = beside(rows, 6, units)
    labels = np.array(rows)
    same = {(a, b): (labels[:, 1 + a] == labels[:, 1 + b]).astype(float) for a, b in combinations(people, 2)}
    whole = np.mean(list(same.values()), axis=0)
    without = [np.mean([each for pair, each in same.items() if who not in pair], axis=0) for who in people]
    apart = (labels[:, 0] == labels[:, -1]) - whole
    of_units = apart.var(ddof=1) / units
    of_annotators = 5 / 6 * sum((each.mean() - whole.mean()) ** 2 for each in without)
    of_both = 5 / 6 * sum((each - whole).var(ddof=1) / units for each in without)
    variance = of_units + of_annotators - of_both
    degrees = variance**2 / (of_units**2 / (units - 1) + of_annotators**2 / 5)
    half = float(student.ppf(0.975, degrees)) * math.sqrt(variance)
    ends = present(found.for_any_annotators)
    assert of_annotators > of_both
    assert (ends.low, ends.high) == pytest.approx((apart.mean() - half, apart.mean() + half))


@pytest.mark.parametrize("coefficient", [OBSERVED, "cohen_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("annotators", [3, 6])
def test_units_without_documents_are_paired_one_by_one(annotators: int, coefficient: str) -> None:
    """A unit that is a document of its own says as much as one of which no document is known."""
    rows = drawn(3, annotators, 80, (0.4, 1.0))
    own, each = (beside(rows, annotators, number, coefficient) for number in (0, 80))
    change, alike = present(own.against_humans), present(each.against_humans)
    assert (present(change.test).method, present(change.test).degrees) == ("paired", 79)
    assert present(change.interval).low == pytest.approx(present(alike.interval).low)
    assert present(change.test).p == pytest.approx(present(alike.test).p)
    assert own.for_any_annotators == each.for_any_annotators


def test_where_documents_are_known_they_are_paired_and_not_their_units() -> None:
    change = present(beside(drawn(3, 3, 80, (0.4, 1.0)), 3, 8).against_humans)
    assert (present(change.test).method, present(change.test).degrees) == ("paired", 7)


@given(st.integers(0, 10**6), st.integers(5, 8), st.sampled_from([0, 6, 12]))
@examples(25)
def test_it_is_never_narrower_than_over_documents_alone(seed: int, annotators: int, documents: int) -> None:
    found = beside(drawn(seed, annotators, 48, (0.3, 1.0)), annotators, documents)
    ends = present(found.for_any_annotators)
    own = present(present(found.against_humans).interval)
    assert (ends.low or 0.0) <= (own.low or 0.0) + 1e-12
    assert (ends.high or 0.0) >= (own.high or 0.0) - 1e-12


@pytest.mark.parametrize("annotators", [2, 4])
def test_fewer_than_five_annotators_say_nothing_of_others(annotators: int) -> None:
    found = beside(drawn(1, annotators, 60, (0.4, 1.0)), annotators)
    assert found.for_any_annotators is None
    assert present(found.against_humans).interval is not None
