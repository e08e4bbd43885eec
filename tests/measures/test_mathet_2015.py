"""Mathet, Widlöcher and Métivier (2015) through pygamma-agreement; skipped where it is not installed."""

import math

import numpy as np
import pytest

from reportgen.campaign.toml_tables import Unitizing
from reportgen.measures import gamma_is_installed
from reportgen.measures.unitizing import GammaFigures, gamma
from tests.measures.made import no_interval, value
from tests.measures.unitized import Text, spans_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not gamma_is_installed(), reason="NOT TESTED: pygamma-agreement, the extra `gamma`, is not installed"
    ),
    # The packages below it are full of what the next versions of others will not have.
    pytest.mark.filterwarnings("ignore"),
]

TEXTS: list[Text] = [
    (100, {"a": [(4, 14, "X"), (20, 30, "Y")], "b": [(5, 14, "X"), (20, 25, "Y"), (60, 70, "X")]}),
    (60, {"a": [(1, 5, "X"), (3, 10, "Y")], "b": [(1, 5, "X"), (3, 10, "Y")]}),
    (50, {"a": [], "b": [(1, 4, "X")]}),
    (50, {"a": [], "b": []}),
]


def of(texts: list[Text], setting: Unitizing | None = None) -> GammaFigures:
    return gamma(spans_of(texts, "XY"), setting or Unitizing())


def test_identical_annotators_agree_perfectly() -> None:
    units = [(1, 5, "X"), (10, 15, "Y"), (20, 25, "X")]
    found = of([(40, {"a": units, "b": units}), (30, {"a": units[:1], "b": units[:1]})])
    assert [value(each) for each in found.measures.values()] == [1, 1]
    assert [value(each) for each in found.by_category.values()] == [1, 1]
    assert no_interval(found.measures["gamma"]).startswith("no disagreement was seen")


def test_a_seed_gives_the_same_and_leaves_numpys_generator_alone() -> None:
    np.random.seed(5)  # noqa: NPY002
    first = of(TEXTS)
    after = np.random.random()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    assert after == np.random.random()  # noqa: NPY002
    again, other = of(TEXTS), of(TEXTS, Unitizing(seed=1))
    assert first.measures == again.measures
    assert first.measures != other.measures


def test_documents_weigh_by_their_units_and_empty_ones_are_left_out() -> None:
    found = of(TEXTS)
    assert (found.how.documents, found.how.left_out) == (4, 1)
    assert found.measures["gamma"].units == 10
    # A document has the same random numbers wherever it stands after the first: one by one they add up.
    each = [
        value(of([*([(50, {"a": [], "b": []})] * place), text]).measures["gamma"])
        for place, text in enumerate(TEXTS[:3])
    ]
    weighed = math.fsum(n * one for n, one in zip((5, 4, 1), each, strict=True)) / 10
    assert value(found.measures["gamma"]) == pytest.approx(weighed, abs=1e-12)


def test_nothing_marked_has_no_gamma() -> None:
    found = of([(50, {"a": [], "b": []})])
    nothing = "nobody marked anything in the documents that two annotators saw"
    assert {str(each.undefined) for each in found.measures.values()} == {nothing}


def test_one_annotator_has_no_gamma() -> None:
    found = of([(50, {"a": [(1, 4, "X")]})])
    assert {str(each.undefined) for each in found.measures.values()} == {
        "no document was seen by two annotators"
    }


def test_what_it_was_computed_with_goes_with_it() -> None:
    found = of(TEXTS[:1], Unitizing(samples=10, seed=3, alpha=3, beta=2))
    how = found.how
    assert (how.samples, how.seed, how.alpha, how.beta, how.delta_empty) == (10, 3, 3, 2, 1)
    assert how.solver in ("GLPK_MI", "CBC")
    assert set(how.libraries) == {"pygamma-agreement", "numpy", "numba", "cvxpy"}
    assert all(each.recomputable is False for each in found.measures.values())
