"""How large must a campaign be that has not begun? Units, and what they cost."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, printable, refused
from reportgen.cli.terminal import table, wrapped
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell
from reportgen.measures.inspection import (
    DIGITS,
    SamplingPlan,
    operating_curve,
    reported_share,
    sampling_plan,
    units_for_share,
    units_to_inspect,
)
from reportgen.words.numbers import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# What is expected and wanted, by name, and the units that it takes.
Planned = Mapping[str, Any]

# What is planned, by the option that says so, and the options that it takes; without one, agreement is.

KINDS = {
    "--replacement": (
        "--humans",
        "--epsilon",
        "--human-accuracy",
        "--model-accuracy",
        "--categories",
        "--units-per-document",
        "--correlation",
    ),
    "--error-rate": ("--confidence", "--errors"),
    "--acceptable": ("--unacceptable", "--producer-risk", "--consumer-risk"),
    "--sensitivity": ("--specificity", "--further", "--prevalence", "--half-width"),
}
AGREEMENT = ("--kappa", "--prevalence", "--half-width", "--threshold")
# An option that takes another beside it, either way.
TOGETHER = (("--acceptable", "--unacceptable"), ("--sensitivity", "--specificity"))


def kind_of(options: Mapping[str, object]) -> str:
    """Return the option that says what is planned, empty where agreement is.

    Raises BadInput with every option that says nothing of it, or that is missing.
    """
    given = [name for name, value in options.items() if value is not None and value is not False]
    problems = [
        Problem(other, message=f"is missing: {name} says half of it.", remedy=f"Write {other} beside it.")
        for pair in TOGETHER
        for name, other in (pair, pair[::-1])
        if name in given and other not in given
    ]
    kind = next((name for name in KINDS if name in given), "")
    taken = (kind, *KINDS[kind]) if kind else AGREEMENT
    # The half of a pair that is there says what is planned, and is missed only once.
    halves = {name for pair in TOGETHER for name in pair} if problems else set()
    for name in given:
        if name in taken or name in halves:
            continue
        owner = next((other for other, own in KINDS.items() if name in own), "")
        message = f"means nothing with {kind}." if kind else f"means nothing without {owner}."
        remedy = "Remove it." if kind else f"Write {owner} beside it."
        problems.append(Problem(name, message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)
    return kind


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
        labels = None if units is None else units * plan.get("humans", 2 if "kappa" in plan else 1)
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

# What a model's test is planned for where an option does not say: these humans, and these prices of one.
HUMANS, PRICES = (3, 5, 10), (0.1, 0.15, 0.2)
# The sizes of which the terminal shows the power.
SHOWN = (100, 200, 400, 800)
# From where to where numbers may go, and an example; more of what is counted takes too long to simulate.
RANGES = {
    "humans": (2, 50, 3),
    "epsilon": (0, 0.99, 0.1),
    "human_accuracy": (0, 1, 0.75),
    "model_accuracy": (0, 1, 0.75),
    "categories": (2, 100, 4),
    "units_per_document": (1, 500, 5),
    "correlation": (0, 1, 0.1),
}


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


# May a model take a human's place: how many units and humans show it?


def as_options(named: Mapping[str, object]) -> dict[str, object]:
    """Return values by the options that give them."""
    return {_option(name): value for name, value in named.items()}


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def replacement_plans(options: Mapping[str, Any]) -> list[Planned]:
    """Return how often a model passes the alternative annotator test, by humans and the price of one.

    `options` has `epsilon` and what PlannedCampaign is made of, None where an option does not say. Raises
    BadInput with every number that can't be.
    """
    from reportgen.annotators.replacement_tests import PlannedCampaign, power_of

    known_options = {name: value for name, value in options.items() if value is not None}
    _require_possible(known_options)
    prices = (known_options.pop("epsilon"),) if "epsilon" in known_options else PRICES
    humans = (known_options.pop("humans"),) if "humans" in known_options else HUMANS
    campaigns = [PlannedCampaign(humans=count, **known_options) for count in humans]
    return [
        {**asdict(campaign), "epsilon": power.epsilon, "passes": power.passes, "units": power.units}
        for campaign in campaigns
        for power in power_of(campaign, prices)
    ]


def _require_possible(options: Mapping[str, float]) -> None:
    problems = []
    for name, value in options.items():
        low, high, example = RANGES[name]
        if not low <= value <= high:
            message = f"{value:g} is not from {low:g} to {high:g}."
            remedy = f"Give a number such as {example:g}."
            problems.append(Problem(_option(name), message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)


def show_replacement_plans(plans: Sequence[Planned], out: "Console") -> None:
    """Print the units that it takes for each number of humans and price, and the power of some sizes."""
    first = plans[0]
    sizes = [size for size in first["passes"] if size in SHOWN] or list(first["passes"])[-len(SHOWN) :]
    head = (
        "Units that a model and so many humans all label, so that the model passes the alternative annotator "
        f"test in 4 campaigns of 5; and in what share of campaigns it does with {sizes[0]:,} units and more."
    )
    out.print(wrapped(head))
    most = list(first["passes"])[-1]
    rows = (
        (
            str(plan["humans"]),
            f"{plan['epsilon']:g}",
            _units(plan, f"more than {most:,}"),
            *(f"{plan['passes'][size]:.2f}" for size in sizes),
            *_spent(plan),
        )
        for plan in plans
    )
    out.print(
        table(("humans", "ε", "units for 80%", *(f"{size:,} units" for size in sizes), *_heads(plans)), rows)
    )
    size, correlation = first["units_per_document"], first["correlation"]
    documents = f"documents of {size} units, correlated by {correlation:g}, are tested by document"
    independent = "units are independent of each other"
    note = (
        f"Simulated: humans are right with probability {first['human_accuracy']:g}, the model with "
        f"{first['model_accuracy']:g}, errors are any other of {first['categories']} categories, and "
        f"{documents if size > 1 else independent}. 500 campaigns a row, so that a share is right to about "
        "0.04. Calderon, Reichart and Dror (2025), ACL."
    )
    out.print(wrapped(note))


# How many units have to be checked for an error rate, and for batches that are accepted or refused?

CONFIDENCE = 0.95
# So many errors are allowed, where an option does not say how many.
ERRORS = (0, 1, 2, 3, 4)
MOST_ERRORS = 10_000
PRODUCER_RISK, CONSUMER_RISK = 0.05, 0.1
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
        raise _too_many("--error-rate", "a higher one")
    return [
        {
            "error_rate": error_rate,
            "confidence": sure,
            "errors": allowed,
            "units": units,
            "shown_at": {
                "error_rate": round(error_rate / PART, DIGITS),
                "probability": SamplingPlan(units or 0, allowed).accepted(error_rate / PART),
            },
        }
        for allowed, units in found
    ]


def _too_many(option: str, instead: str) -> BadInput:
    message = "takes more than a million units."
    return refused(option, message=message, remedy=f"Give {instead}.")


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


def batches(
    acceptable: float,
    unacceptable: float,
    producer_risk: float | None = None,
    consumer_risk: float | None = None,
) -> list[Planned]:
    """Return the single sampling plan for batches, with its operating curve.

    Raises BadInput with every number that can't be.
    """
    shares = ("--acceptable", acceptable), ("--unacceptable", unacceptable)
    risks = ("--producer-risk", producer_risk), ("--consumer-risk", consumer_risk)
    _require(*((option, value, False) for option, value in (*shares, *risks)))
    producer = PRODUCER_RISK if producer_risk is None else producer_risk
    consumer = CONSUMER_RISK if consumer_risk is None else consumer_risk
    if acceptable >= unacceptable:
        message = f"{acceptable:g} is not below --unacceptable {unacceptable:g}."
        raise refused("--acceptable", message=message, remedy="Give the rate of a good batch, such as 0.01.")
    if producer + consumer >= 1:
        message = f"{producer:g} and --consumer-risk {consumer:g} are 1 or more together."
        raise refused("--producer-risk", message=message, remedy="Give risks such as 0.05 and 0.1.")
    plan = sampling_plan(acceptable, unacceptable, producer, consumer)
    if plan is None:
        raise _too_many("--unacceptable", "rates that are further apart")
    points = operating_curve(plan, acceptable, unacceptable)
    return [
        {
            "acceptable": acceptable,
            "unacceptable": unacceptable,
            "producer_risk": producer,
            "consumer_risk": consumer,
            "units": plan.units,
            "errors": plan.errors,
            "operating_curve": [{"error_rate": rate, "accepted": accepted} for rate, accepted in points],
        }
    ]


def show_batches(plans: Sequence[Planned], out: "Console") -> None:
    """Print a sampling plan as a sentence, and how often it accepts batches of each error rate."""
    (plan,) = plans
    errors = counted(plan["errors"], "error", "errors")
    units = counted(plan["units"], "unit", "units")
    out.print(wrapped(f"Check {units} of each batch, drawn at random; accept it with {errors} or fewer."))
    spent = (f"{name} {value}" for name, value in zip(_heads(plans), _spent(plan), strict=True))
    if cost := ", ".join(spent):
        out.print(wrapped(f"For a batch: {cost}."))
    named = {plan["acceptable"]: "acceptable", plan["unacceptable"]: "unacceptable"}
    rows = (
        (f"{point['error_rate']:g}", f"{point['accepted']:.3f}", named.get(point["error_rate"], ""))
        for point in plan["operating_curve"]
    )
    out.print(table(("error rate of a batch", "accepted", ""), rows))
    note = (
        f"Of batches with an error rate of {plan['acceptable']:g}, a share of at most "
        f"{plan['producer_risk']:g} is refused (the producer's risk); of those with "
        f"{plan['unacceptable']:g}, at most {plan['consumer_risk']:g} is accepted (the consumer's). No plan "
        "with fewer units does that. Exact by the binomial "
        "distribution, for batches much larger than what is checked. Schilling and Neubauer (2017)."
    )
    out.print(wrapped(note))


# How many units does a human label so that a model's share can be corrected?

SHARES = PREVALENCES
MOST_FURTHER = 10**9


def corrections(
    sensitivity: float,
    specificity: float,
    *,
    prevalence: float | None = None,
    half_width: float | None = None,
    further: int | None = None,
) -> list[Planned]:
    """Return the labelled units for an interval of a share, with the model's labels and without.

    Raises BadInput with every number that can't be.
    """
    shares = ("--prevalence", prevalence), ("--half-width", half_width)
    _require(*((option, value, False) for option, value in shares))
    rates = ("--sensitivity", sensitivity), ("--specificity", specificity)
    problems = [
        Problem(option, message=f"{value:g} is not from 0 to 1.", remedy="Give a share, such as 0.9.")
        for option, value in rates
        if not 0 <= value <= 1
    ]
    if further is not None and not 0 <= further <= MOST_FURTHER:
        message = f"{further:,} is not from 0 to {MOST_FURTHER:,}."
        problems.append(Problem("--further", message=message, remedy="Give a number of units."))
    if problems:
        raise BadInput(problems)
    return [
        {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "prevalence": share,
            "reported_share": reported_share(share, sensitivity, specificity),
            "half_width": half,
            **({} if further is None else {"further": further}),
            "units": units_for_share(share, half, sensitivity, specificity, further),
            "units_without_model": units_for_share(share, half, sensitivity, specificity, 0),
        }
        for share in ([prevalence] if prevalence is not None else SHARES)
        for half in ([half_width] if half_width is not None else HALF_WIDTHS)
    ]


def show_corrections(plans: Sequence[Planned], out: "Console") -> None:
    """Print how many units a human has to label, with a model's labels and without."""
    first = plans[0]
    model = f"with sensitivity {first['sensitivity']:g} and specificity {first['specificity']:g}"
    further = f"{first['further']:,} units more" if "further" in first else "very many units more"
    head = f"Units that a human labels for a 95% interval of a share, where a model {model} labels these and "
    out.print(wrapped(f"{head}{further}."))
    columns = ("share", "the model reports", "interval", "units", "without the model")
    rows = (
        (
            f"{plan['prevalence']:g}",
            f"{plan['reported_share']:.3f}",
            f"± {plan['half_width']:g}",
            _units(plan),
            f"{plan['units_without_model']:,}",
            *_spent(plan),
        )
        for plan in plans
    )
    out.print(table((*columns, *_heads(plans)), rows))
    note = (
        "For units that are drawn at random and independent. Prediction-powered inference corrects the share "
        "that the model reports: Angelopoulos, Duchi and Zrnic (2023). `reportgen agree --model` does it."
    )
    out.print(wrapped(note))
