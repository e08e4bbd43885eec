"""Estimates as results.json has them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.agreement import Estimate, Interval
from reportgen.agreement.estimate import ROUNDING


def figure(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as results.json has it, floats not yet rounded but for what is zero."""
    known = {name: value for name, value in vars(estimate).items() if value is not None and name != "spread"}
    for name in ("value", "observed", "expected"):
        # What is left of a difference of equal numbers; its digits differ between processors.
        if name in known and abs(known[name]) < ROUNDING:
            known[name] = 0.0
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


def by_category(estimates: Sequence[Estimate], categories: Sequence[str]) -> dict[str, Any]:
    """Return the figure of each category, by its name."""
    return {name: figure(estimate) for name, estimate in zip(categories, estimates, strict=True)}
