"""What is asked of pygamma-agreement, and what is made of its answers, with a stand-in for the package.

Its answers are in test_mathet_2015.py, where it is installed.
"""

import logging
import math
import sys
from collections.abc import Sequence
from importlib import metadata
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from reportgen.campaign.toml_tables import Unitizing
from reportgen.measures import unitizing
from reportgen.measures.unitizing import GammaFigures, gamma
from tests.measures.made import value
from tests.measures.unitized import Text, spans_of

TEXTS: list[Text] = [
    (100, {"a": [(4, 14, "X"), (20, 30, "Y")], "b": [(5, 14, "X"), (20, 25, "Y"), (60, 70, "X")]}),
    (50, {"a": [], "b": []}),
    (60, {"a": [(1, 5, "X")], "b": []}),
    (40, {"a": [(1, 5, "Y"), (7, 9, "Y")], "b": []}),
]


class Continuum:
    """Keeps what it was asked; `answers` are the gamma of each document with marks, by their number."""

    asked: list["Continuum"]
    answers: Sequence[float]

    def __init__(self) -> None:
        self.people: list[str] = []
        self.units: list[tuple[str, tuple[float, float], str]] = []
        self.bound_inf, self.bound_sup = -1.0, -1.0

    def add_annotator(self, name: str) -> None:
        self.people.append(name)

    def add(self, name: str, segment: tuple[float, float], kind: str) -> None:
        self.units.append((name, segment, kind))

    def compute_gamma(self, dissimilarity: object, **more: object) -> Any:  # noqa: ANN401
        self.dissimilarity, self.more, self.drawn = dissimilarity, more, float(np.random.random())  # noqa: NPY002
        self.quiet = logging.root.manager.disable
        value = self.answers[len(self.asked)]
        self.asked.append(self)
        return SimpleNamespace(gamma=value, gamma_cat=math.nan, gamma_k=lambda kind: value / (1 + int(kind)))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> type[Continuum]:
    """The stand-in, in place of the package and of what it is built on."""
    core = SimpleNamespace(Segment=lambda begin, end: (begin, end))
    own = SimpleNamespace(Continuum=Continuum, CombinedCategoricalDissimilarity=dict)
    monkeypatch.setitem(sys.modules, "pyannote", SimpleNamespace(core=core))
    monkeypatch.setitem(sys.modules, "pyannote.core", core)
    monkeypatch.setitem(sys.modules, "pygamma_agreement", own)
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} 1")
    monkeypatch.setattr(Continuum, "asked", [], raising=False)
    monkeypatch.setattr(Continuum, "answers", (0.5, 1.0, -0.25), raising=False)
    return Continuum


def of(texts: Sequence[Text], setting: Unitizing | None = None) -> GammaFigures:
    return gamma(spans_of(texts, "XYZ"), setting or Unitizing())


def test_documents_weigh_by_their_units_and_those_without_marks_are_left_out(
    package: type[Continuum],
) -> None:
    found = of(TEXTS)
    assert len(package.asked) == 3
    assert (found.how.documents, found.how.left_out) == (4, 1)
    mean = (5 * 0.5 + 1 * 1.0 - 2 * 0.25) / 8
    assert value(found.measures["gamma"]) == pytest.approx(mean)
    assert found.measures["gamma"].units == 8
    assert found.measures["gamma"].recomputable is False
    # (G / (G - 1)) Σ (share · (value - mean))².
    parts = [share * (one - mean) for share, one in ((5 / 8, 0.5), (1 / 8, 1.0), (2 / 8, -0.25))]
    error = math.sqrt(3 / 2 * sum(part * part for part in parts))
    assert found.measures["gamma"].standard_error == pytest.approx(error)
    # Where chance has no disorder it is not defined.
    assert str(found.measures["gamma_cat"].undefined).startswith("no document has marks whose order")
    assert found.measures["gamma_cat"].units == 8


def test_gamma_of_a_type_is_over_the_documents_that_have_it(package: type[Continuum]) -> None:
    found = of(TEXTS)
    assert list(found.by_category) == ["X", "Y", "Z"]
    x, y, z = found.by_category.values()
    assert value(x) == pytest.approx((5 * 0.5 + 1 * 1.0) / 6)
    assert value(y) == pytest.approx((5 * 0.25 - 2 * 0.125) / 7)
    assert str(z.undefined).startswith("no document has marks whose order")
    assert package.asked[0].people == ["000000", "000001"]


def test_what_is_asked_is_the_marks_and_the_setting(package: type[Continuum]) -> None:
    setting = Unitizing(samples=10, seed=3, alpha=3, beta=2, delta_empty=0.5, precision=0.02)
    found = of(TEXTS, setting)
    first, second, _ = package.asked
    assert first.units == [
        ("000000", (4, 14), "0"),
        ("000001", (5, 14), "0"),
        ("000001", (60, 70), "0"),
        ("000000", (20, 30), "1"),
        ("000001", (20, 25), "1"),
    ]
    assert (first.bound_inf, first.bound_sup) == (0, 100)
    assert second.units == [("000000", (1, 5), "0")]
    assert (second.people, second.bound_sup) == (["000000", "000001"], 60)
    assert first.dissimilarity == {"alpha": 3, "beta": 2, "delta_empty": 0.5}
    assert first.more == {"n_samples": 10, "precision_level": 0.02}
    how = found.how
    assert (how.samples, how.seed, how.alpha, how.beta, how.delta_empty) == (10, 3, 3, 2, 0.5)
    assert how.libraries == {name: f"{name} 1" for name in unitizing.LIBRARIES}
    assert how.solver == "GLPK_MI"


def test_each_document_has_its_own_random_numbers_and_nobody_else_loses_theirs(
    package: type[Continuum],
) -> None:
    np.random.seed(5)  # noqa: NPY002
    of(TEXTS, Unitizing(seed=2**32 - 1))
    after = np.random.random()  # noqa: NPY002
    # By the document's place: the second has no marks.
    drawn = [np.random.RandomState(seed).random_sample() for seed in (2**32 - 1, 1, 2)]
    assert [each.drawn for each in package.asked] == drawn
    assert after == np.random.RandomState(5).random_sample()
    assert {each.quiet for each in package.asked} == {logging.WARNING}
    assert logging.root.manager.disable < logging.WARNING


def test_nobody_to_compare_or_nothing_marked_has_no_gamma(package: type[Continuum]) -> None:
    nothing = of([(50, {"a": [], "b": []})])
    assert {str(each.undefined)[:22] for each in nothing.measures.values()} == {"nobody marked anything"}
    alone = of([(50, {"a": [(1, 4, "X")]})])
    assert {str(each.undefined)[:11] for each in alone.measures.values()} == {"no document"}
    assert package.asked == []
