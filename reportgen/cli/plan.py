"""How large must a campaign be that has not begun? The table of `reportgen plan`."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.base.errors import BadInput, Problem
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell


@dataclass(frozen=True)
class Needed:
    """How many units it takes for an interval of kappa of a half-width."""

    kappa: float
    prevalence: float
    half_width: float
    units: int


@dataclass(frozen=True)
class Told:
    """How many units tell kappa from a threshold in four campaigns of five; None where the two are equal."""

    kappa: float
    prevalence: float
    threshold: float
    units: int | None


def plans(
    kappa: float | None = None, prevalence: float | None = None, half_width: float | None = None
) -> list[Needed]:
    """Return the units for every kappa, prevalence and half-width, some of each for one that is None.

    Raises BadInput with every number that can't be.
    """
    problems = [
        *_problems("--kappa", kappa, zero=True),
        *_problems("--prevalence", prevalence),
        *_problems("--half-width", half_width),
    ]
    if problems:
        raise BadInput(problems)
    return [
        Needed(each, share, half, units_needed(each, share, half))
        for each in ([kappa] if kappa is not None else KAPPAS)
        for share in ([prevalence] if prevalence is not None else PREVALENCES)
        for half in ([half_width] if half_width is not None else HALF_WIDTHS)
    ]


def to_tell(threshold: float, kappa: float | None = None, prevalence: float | None = None) -> list[Told]:
    """Return the units that tell every kappa from a threshold, some of each for one that is None.

    Raises BadInput with every number that can't be.
    """
    problems = [
        *_problems("--threshold", threshold, zero=True),
        *_problems("--kappa", kappa, zero=True),
        *_problems("--prevalence", prevalence),
    ]
    if problems:
        raise BadInput(problems)
    return [
        Told(each, share, threshold, units_to_tell(each, share, threshold))
        for each in ([kappa] if kappa is not None else KAPPAS)
        for share in ([prevalence] if prevalence is not None else PREVALENCES)
    ]


def _problems(option: str, value: float | None, *, zero: bool = False) -> Iterator[Problem]:
    if value is None or 0 < value < 1 or (zero and value == 0):
        return
    span = "from 0 to less than 1" if zero else "between 0 and 1"
    yield Problem(option, message=f"{value:g} is not {span}.", mend=f"Give a number {span}, such as 0.8.")
