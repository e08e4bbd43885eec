"""Estimates as results.json has them."""

from collections.abc import Mapping, Sequence

from reportgen.measures.estimate import ROUNDING, ConfidenceInterval, Estimate, NoInterval
from reportgen.results import Figure, Interval
from reportgen.results.marks import MacroFigure


def figure(estimate: Estimate) -> Figure:
    """Return an estimate as results have it; floats keep their digits until results are written."""
    return Figure(
        value=_exact_zero(estimate.value),
        units=estimate.units,
        observed=_exact_zero(estimate.observed),
        expected=_exact_zero(estimate.expected),
        standard_error=estimate.standard_error,
        interval=_interval(estimate.interval),
        undefined=estimate.undefined,
        farthest=estimate.farthest,
        recomputable=None if estimate.recomputable else False,
    )


def macro_figure(estimate: Estimate, left_out: int) -> MacroFigure:
    """Return a mean over documents or types, of which some were left out, as results have it."""
    return MacroFigure(**dict(figure(estimate)), left_out=left_out)


def figures_by_name(estimates: Mapping[str, Estimate]) -> dict[str, Figure]:
    """Return figures by the ids of their estimates."""
    return {name: figure(estimate) for name, estimate in estimates.items()}


def figures_by_category(estimates: Sequence[Estimate], categories: Sequence[str]) -> dict[str, Figure]:
    """Return the figure of each category, by its name."""
    return {name: figure(estimate) for name, estimate in zip(categories, estimates, strict=True)}


def _exact_zero(value: float | None) -> float | None:
    """Return 0 for what is left of a difference of equal numbers: its digits differ between processors."""
    return 0.0 if value is not None and abs(value) < ROUNDING else value


def _interval(found: ConfidenceInterval | NoInterval | None) -> Interval | None:
    if isinstance(found, ConfidenceInterval):
        return Interval(low=found.low, high=found.high, level=found.level, method=found.method)
    return None if found is None else Interval(undefined=found)
