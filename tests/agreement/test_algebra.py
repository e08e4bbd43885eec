"""What follows from a coefficient being a function of sums, for every such measure of the catalogue."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.agreement import CATALOGUE
from reportgen.agreement.algebra.along import Along, AlongUnits
from reportgen.agreement.algebra.by_document import by_document
from reportgen.agreement.algebra.dual import Dual
from reportgen.agreement.algebra.estimates import coefficient
from reportgen.agreement.algebra.formulas import Formula, cohen_kappa
from reportgen.agreement.algebra.parts import Parts, parts_of
from reportgen.agreement.algebra.rows import Rows, values_of
from reportgen.agreement.algebra.sizes import grown, limit
from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.several.profiles import Profiles
from reportgen.study import NO_CATEGORY
from tests.properties import examples

FORMULAS = {each.id: each.coefficient for each in CATALOGUE if each.coefficient is not None}
OF_TWO = {"cohen_kappa"}
SIZE = 3
FAR = np.array([[0.0, 0.3, 1.0], [0.3, 0.0, 0.7], [1.0, 0.7, 0.0]])
STEP = 1e-6
LABEL = st.integers(-1, SIZE - 1)


@st.composite
def profiles(draw: st.DrawFn, width: int) -> Profiles:
    """Kinds of units with their labels, missing ones too where there are more than two annotators."""
    least = 0 if width == 2 else -1
    label = st.integers(least, SIZE - 1)
    rows = draw(st.lists(st.lists(label, min_size=width, max_size=width), min_size=2, max_size=6))
    labels = np.array(rows, dtype=np.int64)
    labels = labels[(labels != NO_CATEGORY).any(axis=1)]
    assume(len(labels) > 1)
    kinds = len(labels)
    document = draw(st.lists(st.integers(0, 2), min_size=kinds, max_size=kinds))
    times = draw(st.lists(st.integers(1, 9), min_size=kinds, max_size=kinds))
    return Profiles(labels, np.array(document), np.arange(kinds), np.array(times), SIZE)


def parts(found: Profiles, *, weighted: bool) -> Parts:
    return parts_of(found, Distance("far", FAR) if weighted else nominal(SIZE))


def moved(total: Rows, by: Rows, step: float) -> Rows:
    """Return sums with a little more of others."""
    labels = {name: total.labels[name] + step * by.labels[name] for name in total.labels}
    more = {
        name: getattr(total, name) + step * getattr(by, name) for name in ("units", "ratings", "apart", "met")
    }
    return replace(total, **more, labels=labels)


def alone(whole: Parts, kind: int) -> Rows:
    """Return what one unit of a kind adds to every sum."""
    found = whole.profiles
    once = Profiles(
        found.labels[[kind]],
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.ones(1, dtype=np.int64),
        SIZE,
    )
    return Parts(once, whole.scale).total


def population(formula: Formula, total: Rows) -> tuple[float, float]:
    """Return observed and expected disagreement of so many units that putting back makes no difference."""
    many = moved(total, total, 1e9)
    observed, expected = formula(many)
    return float(observed[0]), float(np.asarray(expected).reshape(-1)[0])


def figure(formula: Formula, total: Rows) -> float:
    observed, expected = population(formula, total)
    return 1 - observed / expected


def asked(name: str, found: Profiles, *, weighted: bool) -> tuple[Formula, Parts]:
    formula = FORMULAS[name]
    whole = parts(found, weighted=weighted)
    assume(whole.total.units[0] > 0)
    expected = population(formula, whole.total)[1]
    assume(expected > 0.05)
    return formula, whole


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_unit_moves_a_coefficient_as_adding_a_little_of_it_does(name: str, data: st.DataObject) -> None:
    """The slope is the derivative: what is computed of duals is what two sums a little apart differ by."""
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    formula, whole = asked(name, found, weighted=data.draw(st.booleans()))
    observed, expected = formula(AlongUnits(whole))
    slope = (1.0 - observed / expected).slope
    for kind in range(len(found.labels)):
        one = alone(whole, kind)
        up, down = (figure(formula, moved(whole.total, one, step)) for step in (STEP, -STEP))
        assert slope[kind] == pytest.approx((up - down) / (2 * STEP), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_the_standard_error_is_that_of_the_infinitesimal_jackknife(name: str, data: st.DataObject) -> None:
    """Σ of the squares of what a little less of each document does, with G / (G - 1)."""
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    formula, whole = asked(name, found, weighted=data.draw(st.booleans()))
    estimate = coefficient(formula, whole)
    assume(estimate.standard_error is not None and found.clusters.groups == len(np.unique(found.document)))
    squares = 0.0
    for document in np.unique(found.document).tolist():
        here = found.document == document
        rows = Profiles(found.labels, found.document[here], found.profile[here], found.n[here], SIZE)
        own = Parts(rows, whole.scale).total
        apart = [figure(formula, moved(whole.total, own, step)) for step in (STEP, -STEP)]
        squares += ((apart[0] - apart[1]) / (2 * STEP)) ** 2
    groups = found.clusters.groups
    assert estimate.standard_error == pytest.approx(math.sqrt(groups / (groups - 1) * squares), rel=1e-4)


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_document_has_the_figure_of_a_campaign_of_it_alone(name: str, data: st.DataObject) -> None:
    found = data.draw(profiles(2 if name in OF_TWO else data.draw(st.integers(2, 4))))
    whole = parts(found, weighted=data.draw(st.booleans()))
    values, units = by_document(FORMULAS[name], whole, 3)
    for document in range(3):
        here = found.document == document
        rows = Profiles(found.labels, found.document[here], found.profile[here], found.n[here], SIZE)
        own = Parts(rows, whole.scale).total
        assert units[document] == own.units[0]
        assert values[document] == pytest.approx(values_of(FORMULAS[name], own)[0], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", FORMULAS)
@examples(15)
@given(data=st.data())
def test_a_larger_size_is_that_of_a_campaign_with_those_units_added(name: str, data: st.DataObject) -> None:
    width = 2 if name in OF_TWO else data.draw(st.integers(2, 4))
    found = data.draw(profiles(width))
    assume((found.ratings == width).all())
    formula, more = FORMULAS[name], data.draw(st.integers(1, 50))
    whole = parts(found, weighted=data.draw(st.booleans()))
    labels = np.vstack([found.labels, np.full((1, width), SIZE - 1)])
    document, profile = np.append(found.document, 0), np.arange(len(labels))
    larger = Profiles(labels, document, profile, np.append(found.n, more), SIZE)
    rows = grown(whole.total, SIZE - 1, width, np.array([found.units + more]))
    added = Parts(larger, whole.scale).total
    assert values_of(formula, rows)[0] == pytest.approx(values_of(formula, added)[0], abs=1e-12, nan_ok=True)
    far = values_of(formula, grown(whole.total, SIZE - 1, width, np.array([10**12])))[0]
    assert limit(formula, whole.total, SIZE - 1, width) == pytest.approx(
        None if math.isnan(far) else far, abs=1e-9
    )


def test_duals_are_derived_by_the_rules_of_calculus() -> None:
    x = Dual(3.0, np.array([1.0, 0.0]))
    y = Dual(2.0, np.array([0.0, 1.0]))
    found = 1.0 - (x * y + 2.0 * x) / (y * y) - x / 4.0
    assert found.value == 1 - 12 / 4 - 3 / 4
    assert found.slope.tolist() == [-4 / 4 - 1 / 4, -(3 * 4 - 12 * 4) / 16]


def test_kappa_of_a_table_by_hand() -> None:
    """Cohen (1960): p_o = .7, p_e = .5, and a unit on which both say x moves it by hand-derived ψ."""
    labels = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    found = Profiles(labels, np.arange(4), np.arange(4), np.array([35, 15, 15, 35]), 2)
    whole = parts_of(found, nominal(2))
    estimate = coefficient(cohen_kappa, whole, as_agreement=True)
    assert (estimate.observed, estimate.expected) == pytest.approx((0.7, 0.5))
    assert estimate.value == pytest.approx(0.4)
    observed, expected = cohen_kappa(Along(whole.total, whole))
    # ψ = (ratio · of expected - of observed) / expected, with both margins one half.
    slope = 100 * (1.0 - observed / expected).slope
    assert slope == pytest.approx([0.6, -1.4, -1.4, 0.6])
