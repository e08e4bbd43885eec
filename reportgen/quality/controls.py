"""How many of the control items each annotator labelled right, and who is rejected for it."""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement import Estimate, Interval
from reportgen.campaign import ControlItems
from reportgen.quality.wilson import share
from reportgen.study import ControlUnits


@dataclass(frozen=True)
class Accuracy:
    """How many of the control items that somebody labelled are right, as a share with its interval."""

    annotator: str
    labelled: int
    right: int
    estimate: Estimate
    rejected: bool = False


def accuracies(controls: ControlUnits, rule: ControlItems) -> list[Accuracy]:
    """Return the accuracy of everybody who labelled a control item, by name; first labels count."""
    units = controls.units
    people = len(units.annotators)
    labelled = np.bincount(units.annotator, minlength=people).tolist()
    is_right = units.label == controls.truth[units.unit]
    right = np.bincount(units.annotator[is_right], minlength=people).tolist()
    return [
        _accuracy(name, correct, number, rule)
        for name, correct, number in zip(units.annotators, right, labelled, strict=True)
        if number
    ]


def _accuracy(name: str, right: int, labelled: int, rule: ControlItems) -> Accuracy:
    estimate = share(right, labelled)
    return Accuracy(name, labelled, right, estimate, is_rejected(estimate, rule))


def is_rejected(accuracy: Estimate, rule: ControlItems) -> bool:
    """Tell whether an accuracy calls for rejection.

    It does where at least `minimum` control items were labelled and the upper end of the interval is
    below `reject_below`: chance alone then hardly made the share so low.
    """
    ends = accuracy.interval
    if rule.reject_below is None or not isinstance(ends, Interval):
        return False
    return accuracy.units >= rule.minimum and ends.high < rule.reject_below


def rejected(controls: ControlUnits | None, rule: ControlItems | None) -> tuple[str, ...]:
    """Return the names of the annotators whom the rule rejects."""
    if controls is None or rule is None:
        return ()
    return tuple(each.annotator for each in accuracies(controls, rule) if each.rejected)
