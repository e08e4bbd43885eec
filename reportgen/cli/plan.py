"""How large must a campaign be that has not begun? The tables of `reportgen plan`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import BadInput, Problem
from reportgen.cli.terminal import add_row, table_of, wrapped
from reportgen.measures import HALF_WIDTHS, KAPPAS, PREVALENCES, units_needed, units_to_tell

if TYPE_CHECKING:
    from rich.console import Console

# Kappa, prevalence, what is wanted of the interval or the test, and the units that it takes.
Planned = Mapping[str, Any]


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
            mend = f"Give a number {span}, such as 0.8."
            problems.append(Problem(option, message=f"{value:g} is not {span}.", mend=mend))
    if problems:
        raise BadInput(problems)


def show_plans(found: Sequence[Planned], told: Sequence[Planned], out: "Console") -> None:
    """Print how many units each kappa, prevalence and half-width, or threshold, takes."""
    if found:
        out.print(
            "Units that two annotators both label, for a 95% interval of kappa of about that half-width."
        )
        wide = list(dict.fromkeys(each["half_width"] for each in found))
        table = table_of("kappa", "prevalence", *(f"± {half:g}" for half in wide))
        for place in range(0, len(found), len(wide)):
            row = found[place : place + len(wide)]
            units = (f"{each['units']:,}" for each in row)
            add_row(table, f"{row[0]['kappa']:g}", f"{row[0]['prevalence']:g}", *units)
        out.print(table)
    if told:
        what = f"Units that two annotators both label, to tell kappa from {told[0]['threshold']:g}"
        out.print(f"{what} in 4 campaigns of 5 (power 80%).")
        table = table_of("kappa", "prevalence", "units")
        for each in told:
            number = "none can" if each["units"] is None else f"{each['units']:,}"
            add_row(table, f"{each['kappa']:g}", f"{each['prevalence']:g}", number)
        out.print(table)
    note = (
        "For one category against the rest, and units that are independent of each other. Units of one "
        "document are not: with m to a document and a correlation r between them it takes about "
        "1 + (m - 1) r times as many. A pilot of 20 documents tells better: its report has the number of "
        "documents that are missing. Bloch and Kraemer (1989); Donner and Eliasziw (1992)."
    )
    out.print(wrapped(note))
