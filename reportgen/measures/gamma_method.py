"""Gamma, gamma-cat and gamma-k: units are aligned, and disorder is compared with that of random continua.

Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), sections 4 and 5; Mathet (2017),
Computational Linguistics 43(3), for gamma-cat and gamma-k. The package pygamma-agreement computes them,
document by document; it is imported where a campaign asks for them, and nowhere else.

Chance is sampled, from one seed for each document, and an integer program is solved by floats: another
processor, or another version of a library, may change the last digits and more.
"""

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Any

import numpy as np

from reportgen.campaign.tables import Unitizing
from reportgen.measures.continua import Continua, continua, over_documents, undefined
from reportgen.measures.estimate import Estimate, Floats, Undefined
from reportgen.measures.figures import figure
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.marks import Gamma
from reportgen.units import Spans

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


def gamma(spans: Spans, setting: Unitizing) -> GammaFigures:
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
    found: Continua, document: tuple[int, list[tuple[int, int, int, int]]], setting: Unitizing
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
    people: Sequence[int], units: Sequence[tuple[int, int, int, int]], length: int, setting: Unitizing
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
