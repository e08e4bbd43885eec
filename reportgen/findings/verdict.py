"""Is the annotation good? The two sentences that a report opens with."""

from collections.abc import Iterator

from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, Message, ends
from reportgen.findings.prevalence import Unfit, prevalent, unfit_for_thresholds
from reportgen.results import Figure, Finding, Scalar

SPAN = "{coefficient} is {value}, and with 95% confidence between {low} and {high}."


HIGH = Message("verdict", "good", "coefficients", f"Agreement is high: {SPAN}")
FAIR = Message(
    "verdict",
    "note",
    "coefficients",
    f"Agreement is good enough for tentative conclusions, not proven high: {SPAN}",
)
OPEN = Message(
    "verdict", "warning", "coefficients", f"The data leave open whether agreement is acceptable: {SPAN}"
)
LOW = Message("verdict", "problem", "coefficients", f"Agreement is too low to draw conclusions: {SPAN}")
WHETHER = "Whether that is good can't be said from this figure:"
UNFIT: dict[Unfit, Message] = {
    "chance": Message(
        "verdict", "warning", "coefficients", f"{SPAN} {WHETHER} it counts agreement by chance as agreement."
    ),
    "uniform": Message(
        "verdict",
        "warning",
        "coefficients",
        f"{SPAN} {WHETHER} it takes chance to be uniform, and most labels are {{category}}.",
    ),
}
NO_INTERVAL = Message(
    "verdict",
    "warning",
    "coefficients",
    "{coefficient} is {value}; how far chance may have moved it can't be said: {reason}.",
)
UNDEFINED = Message("verdict", "warning", "coefficients", "{coefficient} can't be computed: {reason}.")
ABSENT = "it does not exist for these annotators and this scale"

RARE = Message(
    "caveat",
    "note",
    "specific-agreement",
    "{category} makes up {label_share} of all labels: what the figure says of the other categories rests on "
    "{marked} of {units} units, where agreement is {lowest} ({lowest_category}) to {highest} "
    "({highest_category}).",
)
CATEGORIES = Message(
    "caveat",
    "note",
    "specific-agreement",
    "Over {units} units, agreement is lowest on {lowest_category} ({lowest}) and highest on "
    "{highest_category} ({highest}).",
)
UNITS = Message("caveat", "note", "confusion-matrix", "It rests on {units} units.")


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield the primary coefficient held against Krippendorff's two thresholds, by its interval."""
    figure, coefficient = facts.figure, facts.coefficient
    span = ends(figure)
    if figure is None or figure.value is None:
        why = figure.undefined if figure else ABSENT
        yield UNDEFINED.found(coefficient=coefficient, reason=why or "")
    elif span is None:
        yield NO_INTERVAL.found(coefficient=coefficient, value=figure.value, reason=_why_open(figure))
    elif unfit := unfit_for_thresholds(facts):
        values = {"value": figure.value, "low": span[0], "high": span[1]}
        common = prevalent(facts)
        category = {"category": common[0]} if common else {}
        yield UNFIT[unfit].found(coefficient=coefficient, **values, **category)
    else:
        yield _level(*span).found(coefficient=coefficient, value=figure.value, low=span[0], high=span[1])


def _why_open(figure: Figure) -> str:
    return (figure.interval.undefined if figure.interval else None) or ""


def _level(low: float, high: float) -> Message:
    if low >= RELIABLE:
        return HIGH
    if low >= TENTATIVE:
        return FAIR
    return LOW if high < TENTATIVE else OPEN


def caveat(facts: Facts) -> Iterator[Finding]:
    """Yield what the coefficient rests on, and what it hides."""
    common, pair = prevalent(facts), facts.pair
    # Those that one annotator alone rated say nothing.
    units = facts.unit_set.units_compared
    span = _range(facts, hidden=common[0] if common else "")
    if not span:
        yield from [UNITS.found(units=units)] if units else []
    elif common and pair:
        marked = units - pair.confusion.count(common[0], common[0])
        yield RARE.found(units=units, category=common[0], label_share=common[1], marked=marked, **span)
    else:
        yield CATEGORIES.found(units=units, **span)


def _range(facts: Facts, hidden: str) -> dict[str, Scalar]:
    """Return the categories of lowest and highest specific agreement, the hidden one left out."""
    known = [
        (figure.value, name)
        for name, figure in sorted(facts.unit_set.specific_agreement.items())
        if figure.value is not None and name != hidden
    ]
    # Of a single category, lowest and highest are one.
    if len(known) <= 1:
        return {}
    (lowest, low_name), (highest, high_name) = min(known), max(known)
    return {"lowest": lowest, "lowest_category": low_name, "highest": highest, "highest_category": high_name}
