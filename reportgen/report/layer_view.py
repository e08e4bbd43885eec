"""One layer as templates see it: its unit sets, what compares them, and its figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.figures import Drawing, agreement, confusion, drawing
from reportgen.figures import curve as curves
from reportgen.report import contents, spans, uncertainty
from reportgen.report.coincidences import SetsView, sets_view
from reportgen.report.tables import ReportTable, without_idle
from reportgen.report.unit_set_view import PAIR, UnitSetView
from reportgen.results import Figure, Results, UnitSet
from reportgen.words import numbers
from reportgen.words.language import _, say
from reportgen.words.names import figure_inside, figure_name, is_main, is_shown

# Which figure answers which question, with the figure beside: what a report says to who asked for it.

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
class AgreementQuestion:
    """A question, the measure and figure that answer it, and its value or the section that has it."""

    text: str
    measure: str
    name: str
    value: Figure | None
    section: str = ""


def questions(results: Results, unit_set: UnitSet) -> list[AgreementQuestion]:
    """Return the questions that the figures of a layer answer, each once, the primary coefficient's first."""
    primary = results.coefficients[unit_set.layer]
    found = (*_of_units(results, unit_set, primary), *_of_marks(results, unit_set))
    order = [primary.partition("[")[0], *FIRST]
    ranked = sorted(found, key=lambda each: (_rank(order, each.measure), _place(results, each.measure)))
    # Of measures that answer the same question, as Bennett's S and Randolph's kappa do, the first.
    return list({each.text: each for each in reversed(ranked)}.values())[::-1]


def _of_units(results: Results, unit_set: UnitSet, primary: str) -> Iterator[AgreementQuestion]:
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


def _of_marks(results: Results, unit_set: UnitSet) -> Iterator[AgreementQuestion]:
    """Yield the questions whose answers stand in sections of their own."""
    if "specific_agreement" in results.catalogue and unit_set.specific_agreement:
        yield _question(results, "specific_agreement", None, "specific-agreement")
    spans = results.spans.pairs if results.spans else ()
    if STRICT.partition("[")[0] in results.catalogue and any(pair.layer == unit_set.layer for pair in spans):
        yield _question(results, STRICT, None, "spans")


def _question(results: Results, figure: str, value: Figure | None, section: str = "") -> AgreementQuestion:
    measure = figure.partition("[")[0]
    answers = _(results.catalogue[measure].answers)
    return AgreementQuestion(answers, measure, figure_name(results, figure), value, section)


def _rank(order: list[str], measure: str) -> int:
    return order.index(measure) if measure in order else len(order)


def _place(results: Results, measure: str) -> int:
    return results.catalogue[measure].place


# Why figures have no value: a dash in a table says nothing, and what appears under a pointer not enough.


def undefined(results: Results, unit_sets: Sequence[UnitSet]) -> dict[str, list[str]]:
    """Return the names of the main figures without a value by the reason; the primary unit set comes first.

    A figure that has none in some of the unit sets only is named with these.
    """
    known = {name for each in unit_sets for name in each.measures}
    found: dict[str, list[str]] = {}
    for name in results.in_order(known):
        if is_main(results, unit_sets[0], name) and is_shown(results, unit_sets[0], name):
            shown = figure_inside(results, name)
            for reason, where in _without(unit_sets, name):
                there = say("{figure} in {unit_sets}", figure=shown, unit_sets=where) if where else shown
                found.setdefault(numbers.message(reason, {}), []).append(there)
    return found


def without_specific(unit_set: UnitSet) -> dict[str, list[str]]:
    """Return the categories that have no specific agreement by the reason."""
    found: dict[str, list[str]] = {}
    for category, figure in unit_set.specific_agreement.items():
        if figure.undefined:
            found.setdefault(numbers.message(figure.undefined, {}), []).append(category)
    return found


def _without(unit_sets: Sequence[UnitSet], name: str) -> Iterator[tuple[str, str]]:
    """Yield each reason why a figure has no value, with the unit sets where it is so, if not all."""
    reasons = {each.id: each.measures[name].undefined for each in unit_sets if name in each.measures}
    for reason in dict.fromkeys(reason for reason in reasons.values() if reason):
        where = [unit_set for unit_set, each in reasons.items() if each == reason]
        yield reason, "" if len(where) == len(unit_sets) else ", ".join(where)


# Why a layer's primary coefficient is the one it is, in words.

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


# One layer as templates see it: its unit sets, what compares them, and its figures.


@dataclass(frozen=True)
class NullTestView:
    """A test of a coefficient against chance, in words."""

    name: str
    z: str
    p: str


@dataclass(frozen=True)
class LayerView:
    """One layer: its unit sets, the primary one first, and what compares them."""

    results: Results
    id: str
    unit_sets: tuple[UnitSetView, ...]

    @property
    def primary(self) -> UnitSetView:
        """Return the primary unit set's view."""
        return self.unit_sets[0]

    @cached_property
    def members(self) -> tuple[UnitSet, ...]:
        """Return the unit sets themselves."""
        return tuple(each.unit_set for each in self.unit_sets)

    @cached_property
    def choices(self) -> ReportTable:
        """Return what each unit set counts."""
        return contents.choices(self.members)

    @property
    def choices_shown(self) -> ReportTable:
        """Return the same without the columns that say nothing here: all blank, or none left out or added."""
        return without_idle(self.choices, ("marked", "left_out", "added", "marks_left_out"))

    @cached_property
    def coefficients(self) -> ReportTable:
        """Return every figure by unit set."""
        return contents.coefficients(self.results, self.members)

    @property
    def coefficients_here(self) -> ReportTable:
        """Return the same where the definitions stand on the same page."""
        found = self.coefficients
        here = tuple(tuple(each and f"#{each.partition('#')[2]}" for each in row) for row in found.links)
        return replace(found, links=here)

    @cached_property
    def undefined(self) -> dict[str, list[str]]:
        """Return the names of the figures in that table that have no value, by the reason."""
        return undefined(self.results, self.members)

    @property
    def unshared(self) -> dict[str, list[str]]:
        """Return the categories without specific agreement, by the reason."""
        return without_specific(self.primary.unit_set)

    @property
    def null_tests(self) -> list[NullTestView]:
        """Return the tests of more than two annotators' coefficients against chance."""
        found = self.primary.unit_set
        return [
            NullTestView(figure_name(self.results, name), numbers.figure(test.z), numbers.p_is(test.p))
            for name, test in found.null_tests.items()
            if len(found.annotators) > PAIR
        ]

    @property
    def more(self) -> bool:
        """Tell whether there are figures that few readers need, which have a page of their own."""
        found = self.primary.uncertainty
        return bool(self.other_weights or self.primary.over_documents or found.benchmarks or found.opinions)

    @cached_property
    def other_weights(self) -> ReportTable | None:
        """Return figures weighted otherwise, by unit set."""
        return contents.other_weights(self.results, self.members)

    @cached_property
    def sets(self) -> SetsView | None:
        """Return explicit and implicit agreement, where categories are sets."""
        return sets_view(self.results, self.members)

    @cached_property
    def choice(self) -> ChoiceView | None:
        """Return why the primary coefficient is the one it is."""
        return choice_of(self.results, self.primary.unit_set)

    @cached_property
    def questions(self) -> list[AgreementQuestion]:
        """Return which figure of the primary unit set answers which question."""
        return questions(self.results, self.primary.unit_set)

    @cached_property
    def sizes(self) -> ReportTable | None:
        """Return figures at the declared sizes and in the limit."""
        return uncertainty.size_table(
            self.results, self.members, curves.curve_ids(self.results, self.members)
        )

    @cached_property
    def limits(self) -> ReportTable | None:
        """Return the limit of kappa beside the F-measures whose mean it is."""
        return spans.limits(self.members)

    @cached_property
    def heat_map(self) -> Drawing | None:
        """Return the confusion matrix drawn."""
        pair = self.primary.pair
        return drawing(f"confusion-{self.primary.slug}", confusion.of_pair(pair) if pair else None)

    @cached_property
    def specific_figure(self) -> Drawing | None:
        """Return specific agreement drawn with its intervals."""
        plot = agreement.of_categories(self.primary.unit_set)
        return drawing(f"specific-agreement-{self.primary.slug}", plot)

    @cached_property
    def _curve(self) -> curves.CurvePlot | None:
        return curves.of_unit_sets(self.results, self.members)

    @property
    def _curve_name(self) -> str:
        found = curves.widest_set(self.members)
        return f"size-curve-{contents.slug(found)}" if found else ""

    @cached_property
    def curve_figure(self) -> Drawing | None:
        """Return the size curve drawn, with the size of each unit set."""
        return drawing(self._curve_name, self._curve)

    @cached_property
    def explore(self) -> curves.Explore | None:
        """Return what moves the coefficients along that curve."""
        return curves.explore(self._curve_name, self._curve) if self._curve else None

    def drawings(self) -> Iterator[Drawing]:
        """Yield every figure."""
        found = (self.heat_map, self.specific_figure, self.curve_figure)
        yield from (each for each in found if each is not None)
