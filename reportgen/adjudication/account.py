"""How much is decided, why annotators differed, and how each compares with the decisions."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reportgen.adjudication.reference import NOTHING_SAID, agreed_label
from reportgen.adjudication.units import Adjudication


@dataclass(frozen=True)
class Compared:
    """How many decided units an annotator labelled, and on how many of them as it was decided."""

    units: int
    agreed: int


@dataclass(frozen=True)
class Account:
    """What was decided of the disagreements of one layer, and why there were any.

    - `open` and `decided`: units on which annotators differ and nothing is decided; units that are decided.
    - `agreed`: units of two annotators or more that all agree on, without a decision.
    - `by_cause`: units by the cause that was noted, also where nothing is decided.
    - `causes`: the same by category; a unit counts for each of the labels in dispute on it.
    - `annotators`: each annotator against the decisions.
    - `filled`: whether there is a sheet; without one only `open` says anything.
    - `listed`: whether the open ones stand in a sheet, which shows texts.
    """

    layer: str
    open: int
    decided: int
    agreed: int
    by_cause: Mapping[str, int]
    causes: Mapping[str, Mapping[str, int]]
    annotators: Mapping[str, Compared]
    filled: bool
    listed: bool


def account(layer: Adjudication, *, listed: bool, names: Mapping[str, str]) -> Account | None:
    """Return what was decided in one layer, None where there is no sheet and none can be written.

    `listed` says whether a sheet of what is open is written; `names` are the annotators' pseudonyms, if any.
    """
    if not layer.sheet.named or not (layer.filled or listed):
        return None
    return Account(
        layer=layer.sheet.layer,
        open=len(layer.open),
        decided=len(layer.decisions),
        agreed=_agreed(layer),
        by_cause=dict(Counter(layer.causes.values())),
        causes=_causes(layer),
        annotators={names.get(name, name): each for name, each in _annotators(layer).items()},
        filled=layer.filled,
        listed=listed,
    )


def _agreed(layer: Adjudication) -> int:
    units = layer.sheet.units
    agreed = agreed_label(units.unit, units.label, len(units.unit_weight)) != NOTHING_SAID
    agreed[list(layer.decisions)] = False
    if layer.sheet.known is not None:
        agreed[layer.sheet.known] = False
    return int(units.unit_weight[agreed].sum())


def _causes(layer: Adjudication) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for unit, cause in layer.causes.items():
        for category in dict.fromkeys(layer.sheet.rated(unit).values()):
            times = found.setdefault(category, {})
            times[cause] = times.get(cause, 0) + 1
    return found


def _annotators(layer: Adjudication) -> dict[str, Compared]:
    """Return each annotator against the decisions, by name."""
    units = layer.sheet.units
    places = {name: place for place, name in enumerate(units.categories)}
    decided = np.full(len(units.unit_weight), NOTHING_SAID, dtype=np.int64)
    for unit, decision in layer.decisions.items():
        # What no annotator chose is nobody's label.
        decided[unit] = places.get(decision, len(places))
    here = decided[units.unit] != NOTHING_SAID
    same = here & (units.label == decided[units.unit])
    size = len(units.annotators)
    labelled = np.bincount(units.annotator[here], minlength=size).tolist()
    agreed = np.bincount(units.annotator[same], minlength=size).tolist()
    return {
        name: Compared(number, equal)
        for name, number, equal in zip(units.annotators, labelled, agreed, strict=True)
        if number
    }
