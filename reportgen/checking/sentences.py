"""What was found about a rule, as a sentence; the only place of this room where figures are rounded."""

from collections.abc import Mapping
from typing import Any

from reportgen.gate import Outcome
from reportgen.report import estimate, figure, interval, message
from reportgen.results import Figure, Interval, Scalar
from reportgen.results.revisions import Change

MOST_DIGITS = 12
FEWEST_DIGITS = 4


def sentence(outcome: Outcome) -> str:
    """Return what was found: the outcome's message with its places filled in."""
    return message(outcome.message, {**outcome.values, **_shown(outcome), **_changed(outcome.change)})


def _shown(outcome: Outcome) -> dict[str, Scalar]:
    """Return the figure with its interval, with as many digits as show on which side of the floor it is."""
    found, floor = outcome.found.figure, outcome.rule.floor
    return {"shown": f"{_beside(found.value, floor.value)} {_ends(found, floor.low)}".rstrip()}


def _ends(found: Figure, floor: float | None) -> str:
    known = found.interval
    if known is None or known.low is None:
        return ""
    return f"[{_beside(known.low, floor)}, {figure(known.high)}]"


def _beside(value: float | None, floor: float | None) -> str:
    """Return a number with three decimals, or as many as it takes not to be taken for the floor above it."""
    shown = figure(value)
    if value is None or floor is None or value >= floor or shown != figure(floor):
        return shown
    texts = (f"{value:.{digits}f}" for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1))
    return next((text for text in texts if float(text) < floor), shown).replace("-", "−")


def _changed(change: Change | None) -> Mapping[str, Any]:
    """Return a figure under both versions, and the difference with its interval."""
    if change is None:
        return {}
    ends = interval(change.interval if isinstance(change.interval, Interval) else None)
    return {
        "first": estimate(change.first) if change.first.value is not None else "undefined",
        "second": estimate(change.second) if change.second.value is not None else "undefined",
        "difference": f"{figure(change.difference)} {ends}".rstrip(),
    }
