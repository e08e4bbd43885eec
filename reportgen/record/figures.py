"""Estimates as results.json has them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from reportgen.agreement import Estimate, Interval


def figure(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as results.json has it, floats not yet rounded."""
    known = {name: value for name, value in vars(estimate).items() if value is not None}
    if estimate.recomputable:
        del known["recomputable"]
    interval = estimate.interval
    if isinstance(interval, Interval):
        known["interval"] = asdict(interval)
    elif interval is not None:
        known["interval"] = {"undefined": str(interval)}
    return {"value": None} | known


def by_name(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return estimates by their ids."""
    return {name: figure(estimate) for name, estimate in estimates.items()}
