"""All unitizing figures of one layer: of its annotators together, of each category, and of every two."""

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from reportgen.campaign.tables import Unitizing as UnitizingSetting
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.continua import TWO, Continua, alpha_u, continua, of_two, over_documents, undefined
from reportgen.measures.estimate import Estimate, Floats, Undefined
from reportgen.measures.figures import figure, figures_by_name
from reportgen.measures.u_alpha import segments, u_alphas
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.marks import Gamma, Unitizing, UnitizingPair
from reportgen.units import Spans

# Gamma, gamma-cat and gamma-k: units are aligned, and disorder is compared with that of random continua.
#
# Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), sections 4 and 5; Mathet (2017),
# Computational Linguistics 43(3), for gamma-cat and gamma-k. The package pygamma-agreement computes them,
# document by document; it is imported where a campaign asks for them, and nowhere else.
#
# Chance is sampled, from one seed for each document, and an integer program is solved by floats: another
# processor, or another version of a library, may change the last digits and more.

PACKAGE = "pygamma-agreement"
MODULE = "pygamma_agreement"
MOST_SEEDS = 2**32
LIBRARIES = (PACKAGE, "numpy", "numba", "cvxpy")


@dataclass(frozen=True, eq=False)
class GammaFigures:
    """Gamma and gamma-cat by their ids, and gamma-k of each type, with what they were computed with."""

    measures: Mapping[str, Figure]
    by_category: Mapping[str, Figure]
    how: Gamma


def gamma_is_installed() -> bool:
    """Tell whether the package that computes gamma is there, without importing it."""
    return find_spec(MODULE) is not None


@dataclass(frozen=True)
class _DocumentGamma:
    """One document: how many units it has, and 1 - observed / expected disorder, None where there is none."""

    units: int
    gamma: float | None
    gamma_cat: float | None
    gamma_k: Mapping[int, float | None]


def gamma(spans: Spans, setting: UnitizingSetting) -> GammaFigures:
    """Return gamma of a layer's annotators: means over documents, weighted by their numbers of units."""
    found = continua(spans)
    documents = [_document(found, each, setting) for each in _units(found)]
    shown = [each for each in documents if each.units]
    counts = np.array([each.units for each in shown], dtype=np.int64)
    nothing = Undefined.NOTHING_MARKED if len(found.documents) else Undefined.NO_SHARED_DOCUMENT
    return GammaFigures(
        measures={
            "gamma": _mean([each.gamma for each in shown], counts, nothing),
            "gamma_cat": _mean([each.gamma_cat for each in shown], counts, nothing),
        },
        by_category={
            name: _mean([each.gamma_k.get(code) for each in shown], counts, Undefined.NO_EXPECTED_DISORDER)
            for code, name in enumerate(found.kinds)
        },
        how=Gamma(
            **setting.model_dump(exclude={"gamma"}),
            documents=len(found.documents),
            left_out=len(documents) - len(shown),
            solver=_solver(),
            libraries={name: metadata.version(name) for name in LIBRARIES},
        ),
    )


def _solver() -> str:
    return "GLPK_MI" if find_spec("cylp") is None else "CBC"


def _mean(values: Sequence[float | None], units: Codes, nothing: Undefined) -> Figure:
    """Return the mean of what is defined, weighted by numbers of units, with its interval over documents."""
    if not values:
        return figure(undefined(nothing))
    known = np.array([value is not None for value in values], dtype=np.bool_)
    if not known.any():
        return figure(undefined(Undefined.NO_EXPECTED_DISORDER, int(units.sum())))
    found: Floats = np.array([value for value in values if value is not None], dtype=np.float64)
    share = units[known] / units[known].sum()
    value = math.fsum((share * found).tolist())
    estimate = Estimate(value, int(units[known].sum()))
    slope = share * (found - value)
    return figure(over_documents(estimate, slope, disagreements=int((found < 1).any())))


def _units(found: Continua) -> Iterator[tuple[int, list[tuple[int, int, int, int]]]]:
    """Yield each document's place with its units: person, type, begin and end."""
    rows: list[list[tuple[int, int, int, int]]] = [[] for _ in found.documents]
    columns = (found.document, found.person, found.kind, found.begin, found.end)
    for document, *unit in zip(*(each.tolist() for each in columns), strict=True):
        rows[document].append(tuple(unit))
    yield from enumerate(rows)


def _document(
    found: Continua, document: tuple[int, list[tuple[int, int, int, int]]], setting: UnitizingSetting
) -> _DocumentGamma:
    place, units = document
    if not units:
        return _DocumentGamma(0, None, None, {})
    people = found.line_person[found.line_document == place].tolist()
    with _drawing_from(setting.seed + place):
        results = _results(people, units, int(found.lengths[place]), setting)
        kinds = sorted({kind for _, kind, _, _ in units})
        return _DocumentGamma(
            len(units),
            _finite(results.gamma),
            _finite(results.gamma_cat),
            {kind: _finite(results.gamma_k(str(kind))) for kind in kinds},
        )


@contextmanager
def _drawing_from(seed: int) -> Iterator[None]:
    """Let the package draw from a seed and say nothing; its generator is numpy's one for everybody."""
    state, level = np.random.get_state(), logging.root.manager.disable  # noqa: NPY002
    np.random.seed(seed % MOST_SEEDS)  # noqa: NPY002
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
        np.random.set_state(state)  # noqa: NPY002


def _finite(value: float) -> float | None:
    """Return a figure; None where the expected disorder is zero."""
    return float(value) if math.isfinite(value) else None


def _results(
    people: Sequence[int], units: Sequence[tuple[int, int, int, int]], length: int, setting: UnitizingSetting
) -> Any:  # noqa: ANN401 - the package carries no types
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    continuum = Continuum()
    for person in people:
        continuum.add_annotator(f"{person:06d}")
    for person, kind, begin, end in units:
        continuum.add(f"{person:06d}", Segment(begin, end), str(kind))
    continuum.bound_inf, continuum.bound_sup = 0.0, float(length)
    return continuum.compute_gamma(
        CombinedCategoricalDissimilarity(
            alpha=setting.alpha, beta=setting.beta, delta_empty=setting.delta_empty
        ),
        n_samples=setting.samples,
        precision_level=setting.precision,
    )


def analyse_unitizing(spans: Spans, gamma: GammaFigures | None = None) -> Unitizing:
    """Return every unitizing figure of one layer; `gamma` are those that were asked for beside.

    There are no pairs of two annotators, whose figures are those of all, and none of more than 50.
    """
    found = continua(spans)
    overall, by_kind = alpha_u(found)
    measures, by_value = u_alphas(found)
    categories = {name: {"alpha_u": figure(each)} for name, each in zip(found.kinds, by_kind, strict=True)}
    for name, each in by_value.items():
        categories.setdefault(name, {})["ku_alpha"] = figure(each)
    if gamma:
        for name, gamma_k in gamma.by_category.items():
            categories.setdefault(name, {})["gamma_k"] = gamma_k
    return Unitizing(
        layer=spans.layer,
        annotators=spans.annotators,
        documents=len(found.documents),
        documents_alone=found.alone,
        characters=sum(found.lengths.tolist()),
        characters_read=found.read,
        units=len(found.line),
        joined=found.joined,
        empty=found.empty,
        several=int((segments(found).value >= len(found.kinds)).sum()),
        measures={
            **figures_by_name({"alpha_u": overall, **measures}),
            **(gamma.measures if gamma else {}),
        },
        by_category=categories,
        categories=tuple(categories),
        pairs=tuple(_pairs(spans, found)),
        gamma=gamma.how if gamma else None,
    )


def _pairs(spans: Spans, found: Continua) -> Iterator[UnitizingPair]:
    annotators = [code for code, role in enumerate(spans.roles) if role == "annotator"]
    if not TWO < len(annotators) <= MOST_ANNOTATORS:
        return
    for first, second in combinations(annotators, TWO):
        both = of_two(found, first, second)
        if len(both.documents):
            yield UnitizingPair(
                annotators=(spans.people[first], spans.people[second]),
                documents=len(both.documents),
                measures=figures_by_name({"alpha_u": alpha_u(both)[0], **u_alphas(both)[0]}),
            )
