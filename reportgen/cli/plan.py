"""How large must a campaign be that has not begun? The tables of `reportgen plan`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import BadInput, Problem
from reportgen.cli.terminal import table, wrapped
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell

if TYPE_CHECKING:
    from rich.console import Console

# Kappa, prevalence, what is wanted of the interval or the test, and the units that it takes.
Planned = Mapping[str, Any]
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
        {"kappa": each, "prevalence": share, "half_width": half, "units": units_needed(each, share, half)}
        for each, share in _cases(kappa, prevalence)
        for half in ([half_width] if half_width is not None else HALF_WIDTHS)
    ]


def to_tell(threshold: float, kappa: float | None = None, prevalence: float | None = None) -> list[Planned]:
    """Return the units that tell every kappa from a threshold in four campaigns of five.

    There are some of each for one that is None, and None units where kappa is the threshold. Raises BadInput
    with every number that can't be.
    """
    _require(("--threshold", threshold, True), ("--kappa", kappa, True), ("--prevalence", prevalence, False))
    cases = ((*case, units_to_tell(*case, threshold)) for case in _cases(kappa, prevalence))
    return [
        {"kappa": each, "prevalence": share, "threshold": threshold, "units": units}
        for each, share, units in cases
    ]


def _cases(kappa: float | None, prevalence: float | None) -> Iterator[tuple[float, float]]:
    for each in [kappa] if kappa is not None else KAPPAS:
        for share in [prevalence] if prevalence is not None else PREVALENCES:
            yield each, share


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


def show_plans(found: Sequence[Planned], told: Sequence[Planned], out: "Console") -> None:
    """Print how many units each kappa, prevalence and half-width, or threshold, takes."""
    if found:
        out.print(
            "Units that two annotators both label, for a 95% interval of kappa of about that half-width."
        )
        wide = list(dict.fromkeys(each["half_width"] for each in found))
        starts = range(0, len(found), len(wide))
        rows = [
            (*_case(found[place]), *(f"{each['units']:,}" for each in found[place : place + len(wide)]))
            for place in starts
        ]
        out.print(table(("kappa", "prevalence", *(f"± {half:g}" for half in wide)), rows))
    if told:
        what = f"Units that two annotators both label, to tell kappa from {told[0]['threshold']:g}"
        out.print(f"{what} in 4 campaigns of 5 (power 80%).")
        numbers = ("none can" if each["units"] is None else f"{each['units']:,}" for each in told)
        rows = [(*_case(each), number) for each, number in zip(told, numbers, strict=True)]
        out.print(table(("kappa", "prevalence", "units"), rows))
    note = (
        "For one category against the rest, and units that are independent of each other. Units of one "
        "document are not: with m to a document and a correlation r between them it takes about "
        "1 + (m - 1) r times as many. A pilot of 20 documents tells better: its report has the number of "
        "documents that are missing. Bloch and Kraemer (1989); Donner and Eliasziw (1992)."
    )
    out.print(wrapped(note))


def _case(planned: Planned) -> tuple[str, str]:
    return f"{planned['kappa']:g}", f"{planned['prevalence']:g}"


# May a model take a human's place: how many units and humans show it?


def required(
    of_kappa: Mapping[str, float | None], of_model: Mapping[str, float | None], *, replacement: bool
) -> None:
    """Raise BadInput with every option that says nothing of what is planned."""
    other = of_kappa if replacement else {_option(name): each for name, each in of_model.items()}
    message = "means nothing with --replacement." if replacement else "means nothing without --replacement."
    remedy = "Take it away." if replacement else "Write --replacement beside it."
    if wrong := [name for name, value in other.items() if value is not None]:
        raise BadInput(Problem(name, message=message, remedy=remedy) for name in wrong)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def replacement_plans(given: Mapping[str, Any]) -> list[Planned]:
    """Return how often a model passes the alternative annotator test, by humans and the price of one.

    `given` has `epsilon` and what PlannedCampaign is made of, None where an option does not say. Raises
    BadInput with every number that can't be.
    """
    from reportgen.annotators.replacement_tests import PlannedCampaign, power_of

    known = {name: each for name, each in given.items() if each is not None}
    _require_possible(known)
    prices = (known.pop("epsilon"),) if "epsilon" in known else PRICES
    humans = (known.pop("humans"),) if "humans" in known else HUMANS
    campaigns = [PlannedCampaign(humans=each, **known) for each in humans]
    return [
        {**asdict(each), "epsilon": power.epsilon, "passes": power.passes, "units": power.units}
        for each in campaigns
        for power in power_of(each, prices)
    ]


def _require_possible(given: Mapping[str, float]) -> None:
    problems = []
    for name, value in given.items():
        low, high, such = RANGES[name]
        if not low <= value <= high:
            message = f"{value:g} is not from {low:g} to {high:g}."
            problems.append(
                Problem(_option(name), message=message, remedy=f"Give a number such as {such:g}.")
            )
    if problems:
        raise BadInput(problems)


def show_replacement_plans(found: Sequence[Planned], out: "Console") -> None:
    """Print the units that it takes for each number of humans and price, and the power of some sizes."""
    first = found[0]
    sizes = [size for size in first["passes"] if size in SHOWN] or list(first["passes"])[-len(SHOWN) :]
    what = (
        "Units that a model and so many humans all label, so that the model passes the alternative annotator "
        f"test in 4 campaigns of 5; and in what share of campaigns it does with {sizes[0]:,} units and more."
    )
    out.print(wrapped(what))
    most = list(first["passes"])[-1]
    rows = (
        (
            str(each["humans"]),
            f"{each['epsilon']:g}",
            f"more than {most:,}" if each["units"] is None else f"{each['units']:,}",
            *(f"{each['passes'][size]:.2f}" for size in sizes),
        )
        for each in found
    )
    out.print(table(("humans", "ε", "units for 80%", *(f"{size:,} units" for size in sizes)), rows))
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
