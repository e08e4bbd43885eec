"""Benchmarks, second opinions and plans of one unit set as results.json has them."""

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from reportgen.agreement import (
    Estimate,
    NoInterval,
    Opinions,
    UnitSetAgreement,
    Whole,
    measure_of,
    plan,
    second_opinions,
)
from reportgen.agreement.uncertainty.bands import bands

COEFFICIENT = "coefficient"


def uncertainty(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return what is known of the uncertainty of a unit set's figures beside their intervals."""
    clusters = agreement.whole.profiles.clusters.groups if agreement.whole else 0
    figures = {name: each for name, each in agreement.measures.items() if _is_coefficient(name, each)}
    return {
        "benchmarks": {name: _bands(each) for name, each in figures.items()} or None,
        "second_opinions": _opinions(agreement.whole, agreement.measures),
        "planning": _plans(figures, clusters),
    }


def _is_coefficient(name: str, figure: Estimate) -> bool:
    return figure.value is not None and measure_of(name).kind == COEFFICIENT


def _bands(figure: Estimate) -> dict[str, Any]:
    found = bands(figure)
    if isinstance(found, NoInterval):
        return {"undefined": str(found)}
    return {"bands": {name: asdict(each) for name, each in found.items()}}


def _opinions(whole: Whole | None, measures: Mapping[str, Estimate]) -> dict[str, Any] | None:
    if whole is None:
        return None
    found = second_opinions(whole, measures)
    return {name: _methods(each) for name, each in found.items()} or None


def _methods(opinions: Opinions) -> dict[str, Any]:
    return {name: _method(each) for name, each in vars(opinions).items() if each is not None}


def _method(found: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass, or a reason
    return {"undefined": str(found)} if isinstance(found, StrEnum) else asdict(found)


def _plans(figures: Mapping[str, Estimate], clusters: int) -> dict[str, Any] | None:
    found = {name: plan(each, clusters) for name, each in figures.items()}
    return {name: asdict(each) for name, each in found.items() if each is not None} or None
