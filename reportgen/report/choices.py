"""Why a layer's primary coefficient is the one it is, in words."""

from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import _
from reportgen.report.names import figure_inside
from reportgen.results import Results, UnitSet

# Coefficients of these very annotators, whom others could not replace: of two, and of more.
FIXED = ("cohen_kappa", "conger_kappa")


@dataclass(frozen=True)
class ChoiceView:
    """The primary coefficient's name, why it is this one, when it is to be taken, and what else to read.

    `fixed` is the name of the coefficient for fixed annotators, empty where there is none beside it.
    """

    name: str
    declared: bool
    reason: str
    use: str
    fixed: str


def choice_of(results: Results, unit_set: UnitSet) -> ChoiceView | None:
    """Return the choice of a layer, given its primary unit set; None where the results do not say."""
    choice = results.choice.get(unit_set.layer)
    if choice is None:
        return None
    measure = choice.coefficient.partition("[")[0]
    known = results.catalogue.get(measure)
    return ChoiceView(
        name=figure_inside(results, choice.coefficient),
        declared=choice.declared,
        reason=numbers.message(choice.reason, choice.values),
        use=_(known.use) if known else "",
        fixed="" if measure in FIXED else _for_fixed(results, unit_set),
    )


def _for_fixed(results: Results, unit_set: UnitSet) -> str:
    there = [name for name in FIXED if name in unit_set.measures]
    return figure_inside(results, there[0]) if there else ""
