"""How large must a campaign be that has not begun? Units, and what they cost."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, printable, refused
from reportgen.cli.terminal import table, wrapped
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell
from reportgen.measures.estimate import binomial_below
from reportgen.measures.standard_errors import units_to_inspect

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# What is expected and wanted, by name, and the units that it takes.
Planned = Mapping[str, Any]


# The option that plans a check of labels; without it agreement is planned.
CHECK = "--error-rate"


def planned(
    agreement: Mapping[str, float | None], checks: Mapping[str, float | None], spent: "Spending"
) -> list[Planned]:
    """Return the plans that are asked for, with what they cost.

    `agreement` and `checks` have the options of either kind by name, None where one is not given. Raises
    BadInput with all that can't be.
    """
    rate, confidence, errors = checks.values()
    if rate is None:
        needless, message, remedy = checks, f"means nothing without {CHECK}.", f"Write {CHECK} beside it."
    else:
        needless, message, remedy = agreement, f"means nothing with {CHECK}.", "Remove it."
    problems = [
        Problem(name, message=message, remedy=remedy) for name, value in needless.items() if value is not None
    ]
    if problems:
        raise BadInput(problems)
    if rate is not None:
        found = inspections(rate, confidence, None if errors is None else int(errors))
    else:
        kappa, prevalence, half, threshold = agreement.values()
        told = [] if threshold is None else to_tell(threshold, kappa, prevalence)
        no_interval = threshold is not None and half is None
        found = [*([] if no_interval else plans(kappa, prevalence, half)), *told]
    return list(map(spent.beside, found))


def show(found: Sequence[Planned], out: "Console") -> None:
    """Print plans."""
    (show_inspections if "errors" in found[0] else show_plans)(found, out)


# What a plan costs: a label takes minutes, and minutes or labels cost money.

PRICE = re.compile(r"(\d+(?:\.\d+)?|\.\d+) ?(?:/ ?(label|hour))?")
PER_HOUR = "hour"


@dataclass(frozen=True)
class Spending:
    """What a label takes: minutes, and money by label or hour; None where nothing is said of it."""

    minutes: float | None = None
    price: float | None = None
    per_hour: bool = False

    def beside(self, plan: Planned) -> Planned:
        """Return a plan with what it costs; units may be None, where no number is enough."""
        units = plan["units"]
        if self == NO_SPENDING:
            return plan
        labels = None if units is None else units * (2 if "kappa" in plan else 1)
        hours = None if self.minutes is None or labels is None else labels * self.minutes / 60
        amount = hours if self.per_hour else labels
        cost = None if self.price is None or amount is None else amount * self.price
        parts = (("hours", self.minutes, hours), ("cost", self.price, cost))
        told = {name: value and round(value, 2) for name, asked, value in parts if asked is not None}
        return {**plan, "labels": labels, **told}


NO_SPENDING = Spending()


def spending(cost: str | None, minutes: float | None) -> Spending:
    """Return what a label takes, by the options; raise BadInput where they can't be."""
    problems = []
    found = PRICE.fullmatch(cost.strip()) if cost is not None else None
    if cost is not None and found is None:
        message = f'"{printable(cost)}" is not a price.'
        problems.append(Problem("--cost", message=message, remedy="Write it like 0.4/label or 15/hour."))
    if minutes is not None and not 0 < minutes < math.inf:
        message, remedy = f"{minutes:g} is not above 0.", "Give the minutes that a label takes, such as 2."
        problems.append(Problem("--minutes", message=message, remedy=remedy))
    per_hour = found is not None and found[2] == PER_HOUR
    if per_hour and minutes is None:
        message, remedy = "is by the hour.", "Say how many minutes a label takes: --minutes 2."
        problems.append(Problem("--cost", message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)
    return Spending(minutes, float(found[1]) if found else None, per_hour)


def _heads(plans: Sequence[Planned]) -> tuple[str, ...]:
    """Return the heads of columns that say what plans cost."""
    return tuple(name for name in SPENT if name in plans[0])


def _spent(plan: Planned) -> tuple[str, ...]:
    """Return what a plan costs, cell by cell."""
    return tuple(
        "" if plan[name] is None else f"{plan[name]:,.{digits}f}"
        for name, digits in SPENT.items()
        if name in plan
    )


# What plans cost, and the digits behind the point.
SPENT = {"labels": 0, "hours": 1, "cost": 2}


# How large must a campaign be that has not begun?


def plans(
    kappa: float | None = None, prevalence: float | None = None, half_width: float | None = None
) -> list[Planned]:
    """Return the units for every kappa, prevalence and half-width, some of each for one that is None.

    Raises BadInput with every number that can't be.
    """
    shares = ("--prevalence", prevalence, False), ("--half-width", half_width, False)
    _require(("--kappa", kappa, True), *shares)
    return [
        {**case, "half_width": width, "units": units_needed(case["kappa"], case["prevalence"], width)}
        for case in _cases(kappa, prevalence)
        for width in ([half_width] if half_width is not None else HALF_WIDTHS)
    ]


def to_tell(threshold: float, kappa: float | None = None, prevalence: float | None = None) -> list[Planned]:
    """Return the units that tell every kappa from a threshold in four campaigns of five.

    There are some of each for one that is None, and None units where kappa is the threshold. Raises BadInput
    with every number that can't be.
    """
    _require(("--threshold", threshold, True), ("--kappa", kappa, True), ("--prevalence", prevalence, False))
    return [
        {**case, "threshold": threshold, "units": units_to_tell(case["kappa"], case["prevalence"], threshold)}
        for case in _cases(kappa, prevalence)
    ]


def _cases(kappa: float | None, prevalence: float | None) -> list[dict[str, float]]:
    kappas = [kappa] if kappa is not None else KAPPAS
    prevalences = [prevalence] if prevalence is not None else PREVALENCES
    return [{"kappa": kappa, "prevalence": share} for kappa in kappas for share in prevalences]


def _require(*options: tuple[str, float | None, bool]) -> None:
    """Raise BadInput with each value that is no share; the last of each option says whether 0 is one."""
    problems = []
    for option, value, zero in options:
        if value is not None and not (0 < value < 1 or (zero and value == 0)):
            span = "from 0 to less than 1" if zero else "between 0 and 1"
            remedy = f"Give a number {span}, such as 0.8."
            problems.append(Problem(option, message=f"{value:g} is not {span}.", remedy=remedy))
    if problems:
        raise BadInput(problems)


def show_plans(plans: Sequence[Planned], out: "Console") -> None:
    """Print how many units each kappa, prevalence and half-width, or threshold, takes."""
    for_interval = [plan for plan in plans if "half_width" in plan]
    for_threshold = [plan for plan in plans if "threshold" in plan]
    if for_interval:
        out.print(
            "Units that two annotators both label, for a 95% interval of kappa so narrow in 4 campaigns of 5."
        )
        out.print(_by_width(for_interval))
    if for_threshold:
        head = f"Units that two annotators both label, to tell kappa from {for_threshold[0]['threshold']:g}"
        out.print(f"{head} in 4 campaigns of 5 (power 80%).")
        rows = ((*_case(plan), _units(plan, "none can"), *_spent(plan)) for plan in for_threshold)
        out.print(table(("kappa", "prevalence", "units", *_heads(for_threshold)), rows))
    note = (
        "For one category against the rest, and units that are independent of each other. Units of one "
        "document are not: with m to a document and a correlation r between them it takes about "
        "1 + (m - 1) r times as many. A pilot of 20 documents tells better: its report has the number of "
        "documents that are missing. Bloch and Kraemer (1989); Donner and Eliasziw (1992)."
    )
    out.print(wrapped(note))


def _by_width(plans: Sequence[Planned]) -> "Table":
    """Return the units by half-width in columns; where costs are asked for, in rows, with these."""
    if heads := _heads(plans):
        rows = ((*_case(plan), f"± {plan['half_width']:g}", _units(plan), *_spent(plan)) for plan in plans)
        return table(("kappa", "prevalence", "interval", "units", *heads), rows)
    widths = list(dict.fromkeys(plan["half_width"] for plan in plans))
    units: dict[tuple[str, str], list[str]] = {}
    for plan in plans:
        units.setdefault(_case(plan), []).append(_units(plan))
    by_case = [(*case, *by_width) for case, by_width in units.items()]
    return table(("kappa", "prevalence", *(f"± {width:g}" for width in widths)), by_case)


def _units(plan: Planned, none: str = "") -> str:
    return none if plan["units"] is None else f"{plan['units']:,}"


def _case(plan: Planned) -> tuple[str, str]:
    return f"{plan['kappa']:g}", f"{plan['prevalence']:g}"


# How many units have to be checked for an error rate?

CONFIDENCE = 0.95
# So many errors are allowed, where an option does not say how many.
ERRORS = (0, 1, 2, 3, 4)
MOST_ERRORS = 10_000
# Labels with an error rate of a fifth have to pass often.
PART = 5


def inspections(
    error_rate: float, confidence: float | None = None, errors: int | None = None
) -> list[Planned]:
    """Return the units that show an error rate below the one given, for some numbers of errors among them.

    `shown_at` is how often it is shown where the rate is a fifth of it. Raises BadInput with every number
    that can't be.
    """
    _require(("--error-rate", error_rate, False), ("--confidence", confidence, False))
    if errors is not None and not 0 <= errors <= MOST_ERRORS:
        message = f"{errors} is not from 0 to {MOST_ERRORS:,}."
        raise refused("--errors", message=message, remedy="Give a number such as 2.")
    sure = CONFIDENCE if confidence is None else confidence
    found = [
        (allowed, units_to_inspect(error_rate, allowed, sure))
        for allowed in (ERRORS if errors is None else (errors,))
    ]
    if any(units is None for _, units in found):
        message = "takes more than a million units."
        raise refused(CHECK, message=message, remedy="Give a higher one.")
    return [
        {
            "error_rate": error_rate,
            "confidence": sure,
            "errors": allowed,
            "units": units,
            "shown_at": {
                "error_rate": round(error_rate / PART, 12),
                "probability": binomial_below(allowed, units or 0, error_rate / PART),
            },
        }
        for allowed, units in found
    ]


def show_inspections(plans: Sequence[Planned], out: "Console") -> None:
    """Print the units to check for each number of errors that is allowed."""
    first = plans[0]
    rate = f"{first['error_rate']:g}"
    head = f"Units to check, drawn at random, to show with {first['confidence']:g} confidence that the error "
    out.print(wrapped(f"{head}rate is below {rate}; and how often that is shown where it is much lower."))
    lower = f"{first['shown_at']['error_rate']:g}"
    columns = ("errors allowed", "units", f"chance to show this if the rate is {lower}")
    rows = (
        (str(plan["errors"]), _units(plan), f"{plan['shown_at']['probability']:.2f}", *_spent(plan))
        for plan in plans
    )
    out.print(table((*columns, *_heads(plans)), rows))
    note = (
        "Decide on the errors that are allowed before you look; with more errors the rate is not shown to be "
        "lower. Exact by the binomial distribution, for units that are independent: draw units, not whole "
        "documents. Clopper and Pearson (1934)."
    )
    out.print(wrapped(note))
