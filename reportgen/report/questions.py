"""Which figure answers which question, with the figure beside: what a report says to who asked for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.report.language import _
from reportgen.report.names import figure_name
from reportgen.report.shown import is_shown
from reportgen.results import Figure, Results, UnitSet

KINDS = ("coefficient", "share")
# A reader asks for these first, whatever else there is.
FIRST = (
    "observed_agreement",
    "specific_agreement",
    "f_measure",
    "cohen_kappa",
    "conger_kappa",
    "unanimous_agreement",
)
# The figure of several that stands for the measure.
STRICT = "f_measure[strict]"


@dataclass(frozen=True)
class Question:
    """A question, the measure and figure that answer it, and its value or the section that has it."""

    text: str
    measure: str
    name: str
    value: Figure | None
    section: str = ""


def questions(results: Results, unit_set: UnitSet) -> list[Question]:
    """Return the questions that the figures of a layer answer, each once, the primary coefficient's first."""
    primary = results.coefficients[unit_set.layer]
    found = (*_of_units(results, unit_set, primary), *_of_marks(results, unit_set))
    order = [primary.partition("[")[0], *FIRST]
    ranked = sorted(found, key=lambda each: (_rank(order, each.measure), _place(results, each.measure)))
    # Of measures that answer the same question, as Bennett's S and Randolph's kappa do, the first.
    return list({each.text: each for each in reversed(ranked)}.values())[::-1]


def _of_units(results: Results, unit_set: UnitSet, primary: str) -> Iterator[Question]:
    """Yield the question of each measure that the unit set has a value of."""
    known = {
        name: each
        for name, each in unit_set.measures.items()
        if each.value is not None and is_shown(results, unit_set, name)
    }
    for measure in dict.fromkeys(name.partition("[")[0] for name in results.in_order(known)):
        names = [name for name in results.in_order(known) if name.partition("[")[0] == measure]
        figure = _standing_for(names, primary)
        if figure and measure in results.catalogue and results.catalogue[measure].kind in KINDS:
            yield _question(results, figure, known[figure])


def _standing_for(names: Sequence[str], primary: str) -> str | None:
    """Return which of a measure's figures stands for it; None where all of them judge a table by itself.

    The primary one, else the bare one, else the one that is weighted as the primary one is.
    """
    measure = names[0].partition("[")[0]
    alike = measure + primary[len(primary.partition("[")[0]) :]
    wanted = (primary, measure, alike, f"{measure}[quadratic]", *names)
    return next((name for name in wanted if name in names and not name.endswith("[computed]")), None)


def _of_marks(results: Results, unit_set: UnitSet) -> Iterator[Question]:
    """Yield the questions whose answers stand in sections of their own."""
    if "specific_agreement" in results.catalogue and unit_set.specific_agreement:
        yield _question(results, "specific_agreement", None, "specific-agreement")
    spans = results.spans.pairs if results.spans else ()
    if STRICT.partition("[")[0] in results.catalogue and any(pair.layer == unit_set.layer for pair in spans):
        yield _question(results, STRICT, None, "spans")


def _question(results: Results, figure: str, value: Figure | None, section: str = "") -> Question:
    measure = figure.partition("[")[0]
    answers = _(results.catalogue[measure].answers)
    return Question(answers, measure, figure_name(results, figure), value, section)


def _rank(order: list[str], measure: str) -> int:
    return order.index(measure) if measure in order else len(order)


def _place(results: Results, measure: str) -> int:
    return results.catalogue[measure].place
