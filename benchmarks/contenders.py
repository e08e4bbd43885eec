"""The same figures from reportgen and from other libraries, each from an array (units, annotators)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import krippendorff
import numpy as np
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from benchmarks.data import CATEGORIES, Labels
from reportgen.agreement import cohen_kappa, krippendorff_alpha, of
from reportgen.measures import Estimate

REPEATS = 9
FEW_REPEATS = 3
INTERVAL, NO_INTERVAL = "value, 95% interval", "value"
OURS = "reportgen"


@dataclass(frozen=True)
class Answer:
    """A value, and its standard error where the library gives one.

    Intervals are not compared: ours leave out each unit in turn, others are the value ± 1.96 errors.
    """

    value: float
    standard_error: float | None = None


@dataclass(frozen=True)
class Contender:
    """A library's way to a figure, and what it gives."""

    name: str
    gives: str
    run: Callable[[Labels], Answer]
    repeats: int = REPEATS


@dataclass(frozen=True)
class Figure:
    """A figure and who computes it, reportgen first."""

    title: str
    annotators: int
    contenders: tuple[Contender, ...]


# reportgen, as people call it: labels go in as the array that every library starts from.


def _answer(estimate: Estimate) -> Answer:
    if estimate.value is None:
        raise ValueError(f"no figure: {estimate}")
    return Answer(estimate.value, estimate.standard_error)


def _ours(figure: Callable[[Any], Estimate], alone: str) -> tuple[Contender, ...]:
    """Return reportgen's function, and `of`, which has every other figure too; `alone` is the figure's id."""
    return (
        Contender(OURS, "value, 95% interval", lambda given: _answer(figure(given))),
        Contender(
            f"{OURS}, all measures",
            "of",
            lambda given: _answer(of(given, scale="nominal").measures[alone]),
        ),
    )


# Other libraries


def _scikit_learn_kappa(given: Labels) -> Answer:
    return Answer(float(cohen_kappa_score(given[:, 0], given[:, 1])))


def _statsmodels_kappa(given: Labels) -> Answer:
    table = np.zeros((CATEGORIES, CATEGORIES))
    np.add.at(table, (given[:, 0], given[:, 1]), 1)
    found = cohens_kappa(table)
    return Answer(float(found.kappa), float(found.std_kappa))


def _statsmodels_alpha(given: Labels) -> Answer:
    """Return alpha from Fleiss' kappa, which lacks its small-sample term alone where no rating is missing."""
    fleiss = float(fleiss_kappa(aggregate_raters(given)[0]))
    return Answer(1 - (1 - fleiss) * (given.size - 1) / given.size)


def _krippendorff_alpha(given: Labels) -> Answer:
    return Answer(float(krippendorff.alpha(given.T, level_of_measurement="nominal")))


def _nltk_task(given: Labels) -> AnnotationTask:
    return AnnotationTask(
        [
            (annotator, unit, label)
            for unit, row in enumerate(given.tolist())
            for annotator, label in enumerate(row)
        ]
    )


def _nltk_kappa(given: Labels) -> Answer:
    return Answer(float(_nltk_task(given).kappa()))


def _nltk_alpha(given: Labels) -> Answer:
    return Answer(float(_nltk_task(given).alpha()))


def _kappa() -> Figure:
    others = (
        Contender("scikit-learn", NO_INTERVAL, _scikit_learn_kappa),
        Contender("statsmodels", INTERVAL, _statsmodels_kappa),
        Contender("nltk", NO_INTERVAL, _nltk_kappa, FEW_REPEATS),
    )
    return Figure("Cohen's kappa", 2, (*_ours(cohen_kappa, "cohen_kappa"), *others))


def _alpha(annotators: int) -> Figure:
    others = (
        Contender("krippendorff", NO_INTERVAL, _krippendorff_alpha),
        Contender("statsmodels", "value, from Fleiss' kappa", _statsmodels_alpha),
        Contender("nltk", NO_INTERVAL, _nltk_alpha, FEW_REPEATS),
    )
    return Figure(
        "Krippendorff's alpha", annotators, (*_ours(krippendorff_alpha, "krippendorff_alpha"), *others)
    )


FIGURES = (_kappa(), _alpha(2), _alpha(3))
LIBRARIES = ("numpy", "krippendorff", "nltk", "scikit-learn", "statsmodels")
