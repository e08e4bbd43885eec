"""The same figures from reportgen and from other libraries, each from an array (units, annotators)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import krippendorff
import numpy as np
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from benchmarks.data import CATEGORIES, Labels, coded
from reportgen.catalogue import BY_ID, CATALOGUE
from reportgen.counts import count, pair_tables
from reportgen.measures import (
    ConfidenceInterval,
    Estimate,
    Setting,
    UnitsOfAll,
    UnitsOfPair,
    analyse,
    figures_of,
)
from reportgen.measures.distances import nominal
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.profiles import paired_profiles

REPEATS = 9
FEW_REPEATS = 3
INTERVAL, NO_INTERVAL = "value, 95% interval", "value"
OURS = "reportgen"


@dataclass(frozen=True)
class Answer:
    """A value, and the ends of its interval where the library gives one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Contender:
    """A library's way to a figure, what it gives, and whether its interval should equal ours."""

    name: str
    gives: str
    run: Callable[[Labels], Answer]
    repeats: int = REPEATS
    same_interval: bool = True


@dataclass(frozen=True)
class Figure:
    """A figure and who computes it, reportgen first."""

    title: str
    annotators: int
    contenders: tuple[Contender, ...]


# reportgen


def _answer(estimate: Estimate) -> Answer:
    if estimate.value is None or not isinstance(estimate.interval, ConfidenceInterval):
        raise ValueError(f"no figure or no interval: {estimate}")
    return Answer(estimate.value, estimate.interval.low, estimate.interval.high)


def _pair_figure(measure: str, given: Labels, *, in_documents: bool = False) -> Answer:
    counts = count(coded(given, in_documents=in_documents))
    table = next(pair_tables(counts.pairs, CATEGORIES))
    return _answer(figures_of(BY_ID[measure], UnitsOfPair(table, Setting()))[measure])


def _alpha_of_many(_: str, given: Labels, *, in_documents: bool = False) -> Answer:
    counts = count(coded(given, in_documents=in_documents))
    profiles = paired_profiles(counts.profiles, CATEGORIES)
    return _answer(coefficient(krippendorff_alpha, UnitsByLabels(profiles, nominal(CATEGORIES))))


def _everything(measure: str, given: Labels) -> Answer:
    units = coded(given, in_documents=True)
    return _answer(analyse(units, count(units), Setting()).measures[measure])


def _ours(measure: str, run: Callable[..., Answer]) -> tuple[Contender, ...]:
    """Return reportgen with each unit on its own, as others have it, by document, and with every figure."""
    by_document = partial(run, measure, in_documents=True)
    every, everything = "every figure, intervals by document", partial(_everything, measure)
    return (
        Contender(OURS, INTERVAL, partial(run, measure)),
        Contender(f"{OURS}, 1,000 documents", f"{INTERVAL} by document", by_document, same_interval=False),
        Contender(f"{OURS}, all measures", every, everything, same_interval=False),
    )


def _nominal(given: Labels) -> Answer:
    """Return alpha, having computed every nominal coefficient of all annotators, by document, from codes."""
    units = coded(given, in_documents=True)
    return _answer(nominal_coefficients(UnitsOfAll(units, count(units), Setting()))["krippendorff_alpha"])


def nominal_coefficients(whole: UnitsOfAll) -> dict[str, Estimate]:
    """Return every nominal coefficient and share that all annotators together have, with its interval."""
    entries = (each for each in CATALOGUE if "nominal" in each.scales)
    return {name: found for each in entries for name, found in figures_of(each, whole).items()}


def _coefficients() -> Figure:
    ours = Contender(OURS, "every nominal coefficient, intervals by document", _nominal, same_interval=False)
    everything = partial(_everything, "krippendorff_alpha")
    others = (
        Contender(
            f"{OURS}, all measures", "also of pairs, tests, categories", everything, same_interval=False
        ),
        Contender("nltk", "alpha alone, its tuples made before", _nltk_alpha_alone, FEW_REPEATS),
    )
    return Figure("All nominal coefficients against one", 3, (ours, *others))


# Other libraries


def _scikit_learn_kappa(given: Labels) -> Answer:
    return Answer(float(cohen_kappa_score(given[:, 0], given[:, 1])))


def _statsmodels_kappa(given: Labels) -> Answer:
    table = np.zeros((CATEGORIES, CATEGORIES))
    np.add.at(table, (given[:, 0], given[:, 1]), 1)
    found = cohens_kappa(table)
    return Answer(float(found.kappa), float(found.kappa_low), float(found.kappa_upp))


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


_NLTK_TASKS: dict[int, AnnotationTask] = {}


def _nltk_alpha_alone(given: Labels) -> Answer:
    """Return alpha; what NLTK makes of the labels before is made once, when contenders warm up."""
    if id(given) not in _NLTK_TASKS:
        _NLTK_TASKS[id(given)] = _nltk_task(given)
    return Answer(float(_NLTK_TASKS[id(given)].alpha()))


def _kappa() -> Figure:
    others = (
        Contender("scikit-learn", NO_INTERVAL, _scikit_learn_kappa),
        Contender("statsmodels", INTERVAL, _statsmodels_kappa),
        Contender("nltk", NO_INTERVAL, _nltk_kappa, FEW_REPEATS),
    )
    return Figure("Cohen's kappa", 2, (*_ours("cohen_kappa", _pair_figure), *others))


def _alpha(annotators: int, run: Callable[..., Answer]) -> Figure:
    others = (
        Contender("krippendorff", NO_INTERVAL, _krippendorff_alpha),
        Contender("statsmodels", "value, from Fleiss' kappa", _statsmodels_alpha),
        Contender("nltk", NO_INTERVAL, _nltk_alpha, FEW_REPEATS),
    )
    return Figure("Krippendorff's alpha", annotators, (*_ours("krippendorff_alpha", run), *others))


FIGURES = (_kappa(), _alpha(2, _pair_figure), _alpha(3, _alpha_of_many), _coefficients())
LIBRARIES = ("numpy", "krippendorff", "nltk", "scikit-learn", "statsmodels")
