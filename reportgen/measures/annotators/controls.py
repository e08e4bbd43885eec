"""How many of the control items each annotator labelled right, and who is rejected for it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.campaign import ControlItems
from reportgen.catalogue import measure_of
from reportgen.counts import count
from reportgen.measures import (
    LEVEL,
    ConfidenceInterval,
    Estimate,
    Method,
    ScaleSetting,
    UnitsOfAll,
    coefficients,
)
from reportgen.measures.comparisons import pair_scores
from reportgen.measures.distributions import normal_at
from reportgen.measures.estimate import figure, figures_by_name
from reportgen.measures.thresholds import MOST_ANNOTATORS, SIGNIFICANT
from reportgen.results import Figure
from reportgen.results.annotators import AnnotatorVsRest, ControlAccuracy, Controls, WithAndWithoutRejected
from reportgen.units import CodedUnits, ControlUnits

# The interval of a share of independent trials, which never leaves 0 to 1 and holds up at its ends.


def wilson(right: float, trials: float) -> ConfidenceInterval:
    """Return the score interval of the share `right` / `trials`, of at least one trial.

    47 of 50 give .838 to .979.
    """
    return ConfidenceInterval(
        *score_ends(right / trials, trials, normal_at((1 + LEVEL) / 2)), LEVEL, Method.SCORE
    )


def score_ends(share: float, trials: float, z: float) -> tuple[float, float]:
    """Return the ends (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) of Wilson (1927)."""
    wider = z * z / trials
    half = z * math.sqrt(share * (1 - share) / trials + wider / (4 * trials))
    low, high = ((share + wider / 2 + sign * half) / (1 + wider) for sign in (-1, 1))
    # At 0 and 1 the share is an end of the interval, which rounding must not move.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


# How many of the control items each annotator labelled right, and who is rejected for it.


def accuracies(controls: ControlUnits, rule: ControlItems) -> list[ControlAccuracy]:
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


def _accuracy(name: str, right: int, labelled: int, rule: ControlItems) -> ControlAccuracy:
    """Return somebody's accuracy, and whether it calls for rejection.

    It does where at least `minimum` control items were labelled and the upper end of the interval is
    below `reject_below`: chance alone then hardly made the share so low.
    """
    ends, below = wilson(right, labelled), rule.reject_below
    return ControlAccuracy(
        annotator=name,
        labelled=labelled,
        right=right,
        accuracy=figure(Estimate(right / labelled, labelled, interval=ends, recomputable=False)),
        rejected=below is not None and labelled >= rule.minimum and ends.high < below,
    )


def control_results(
    controls: ControlUnits, rule: ControlItems, agreement: Mapping[str, WithAndWithoutRejected]
) -> Controls:
    """Return what the control items of a layer say; `agreement` is with and without whom they reject."""
    people = accuracies(controls, rule)
    return Controls(
        items=len(controls.truth),
        absent=len(controls.absent),
        reject_below=rule.reject_below,
        minimum=rule.minimum,
        rejected=tuple(accuracy.annotator for accuracy in people if accuracy.rejected),
        annotators=tuple(people),
        annotators_in_all=len(people),
        agreement=agreement,
    )


def rejected(controls: ControlUnits | None, rule: ControlItems | None) -> tuple[str, ...]:
    """Return the names of the annotators whom the rule rejects."""
    if controls is None or rule is None:
        return ()
    return tuple(accuracy.annotator for accuracy in accuracies(controls, rule) if accuracy.rejected)


# Some figures of the same units with everybody, and without whom control items made the campaign reject.


def with_and_without_rejected(
    everybody: tuple[CodedUnits, ScaleSetting],
    without_rejected: tuple[CodedUnits, ScaleSetting],
    names: Iterable[str],
) -> dict[str, WithAndWithoutRejected]:
    """Return some figures of the same unit set with everybody, and without the rejected."""
    shown = list(dict.fromkeys(names))
    of_all, of_accepted = (
        figures_by_name(figures_of(units, setting, shown)) for units, setting in (everybody, without_rejected)
    )
    return {
        name: WithAndWithoutRejected(everybody=of_all.get(name), without_rejected=of_accepted.get(name))
        for name in shown
    }


def figures_of(units: CodedUnits, setting: ScaleSetting, names: Sequence[str]) -> dict[str, Estimate]:
    """Return some figures of all annotators of a unit set; of two annotators, those of their pair."""
    units_of_all, estimates = UnitsOfAll(units, count(units), setting), dict[str, Estimate]()
    if units_of_all.annotators == 2:
        estimates |= pair_scores(units_of_all.pair.table, setting, tuple(names))
    for name in names:
        if name not in estimates:
            estimates = coefficients.figures_of(measure_of(name), units_of_all) | estimates
    return {name: estimates[name] for name in names if name in estimates}


# What the primary coefficient would be without one annotator: of those who stand out, never of everybody.

LEAST_ANNOTATORS = 3
MOST_LEFT_OUT = 5


def without(
    units: CodedUnits, setting: ScaleSetting, coefficient: str, standings: Sequence[AnnotatorVsRest]
) -> dict[str, Figure]:
    """Return a figure without each annotator who agrees less than the others, or gave one label throughout.

    Keys are names of annotators. Of each kind there are at most five, the farthest from the others first.
    Units marked by all annotators would be others without one of them, so that there is nothing to compare.
    """
    size = len(units.annotators)
    if not LEAST_ANNOTATORS <= size <= MOST_ANNOTATORS or units.kind == "annotated-by-all":
        return {}
    figures: dict[str, Figure] = {}
    # Those who agree less with the others than these among themselves, the surest first.
    apart = [
        (standing.adjusted_p, standing.difference.value, code)
        for code, standing in enumerate(standings)
        if standing.adjusted_p is not None and standing.difference.value is not None
        if standing.adjusted_p < SIGNIFICANT and standing.difference.value < 0
    ]
    for who in sorted({*[code for *_, code in sorted(apart)[:MOST_LEFT_OUT]], *_constant(units)}):
        estimate = figures_of(left_out(units, who), setting, [coefficient]).get(coefficient)
        if estimate is not None:
            figures[units.annotators[who]] = figure(replace(estimate, recomputable=False))
    return figures


def left_out(units: CodedUnits, who: int) -> CodedUnits:
    """Return the units without the labels of one annotator; categories stay, and so do units.

    Where units are those that somebody marked, those that only this annotator marked go.
    """
    remaining = units.annotator != who
    if units.kind == "annotated-by-any":
        marked = units.where(remaining & (units.label != units.non_annotated)).per_unit > 0
        remaining &= marked[units.unit]
    return units.where(remaining).of_people([code for code in range(len(units.annotators)) if code != who])


def _constant(units: CodedUnits) -> list[int]:
    """Return those who gave one label to every unit that others rated too, where not everybody did."""
    pairable, size = units.pairable, len(units.categories)
    used = np.unique(pairable.annotator * size + pairable.label)
    labels = np.bincount(used // size, minlength=len(units.annotators))
    if len(np.unique(pairable.label)) == 1:
        return []
    constant: list[int] = np.flatnonzero(labels == 1).tolist()
    return constant[:MOST_LEFT_OUT]
