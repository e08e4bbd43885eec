"""Is the annotation good? The two sentences that a report opens with."""

from collections.abc import Iterator

from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, ends, finding
from reportgen.results import Figure, Finding, Scalar

SPAN = "{coefficient} is {value}, and with 95% confidence between {low} and {high}."
RELIABLE_CLAIM = f"Agreement is high: {SPAN}"
TENTATIVE_CLAIM = f"Agreement is good enough for tentative conclusions, not proven high: {SPAN}"
OPEN_CLAIM = f"The data leave open whether agreement is acceptable: {SPAN}"
LOW_CLAIM = f"Agreement is too low to draw conclusions: {SPAN}"
NO_INTERVAL_CLAIM = "{coefficient} is {value}; how far chance may have moved it can't be said: {reason}."
UNDEFINED_CLAIM = "{coefficient} can't be computed: {reason}."

LEVELS = {"good": RELIABLE_CLAIM, "note": TENTATIVE_CLAIM, "warning": OPEN_CLAIM, "problem": LOW_CLAIM}


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield the verdict: the primary coefficient against Krippendorff's two thresholds, by its interval."""
    figure = facts.figure
    severity = _severity(figure)
    yield finding("verdict", severity, _claim(figure, severity), "", "coefficients", _values(facts, figure))


def _severity(figure: Figure | None) -> str:
    span = ends(figure)
    if span is None:
        return "warning"
    low, high = span
    if low >= RELIABLE:
        return "good"
    if low >= TENTATIVE:
        return "note"
    return "problem" if high < TENTATIVE else "warning"


def _claim(figure: Figure | None, severity: str) -> str:
    if figure is None or figure.value is None:
        return UNDEFINED_CLAIM
    return LEVELS[severity] if ends(figure) else NO_INTERVAL_CLAIM


def _values(facts: Facts, figure: Figure | None) -> dict[str, Scalar]:
    values: dict[str, Scalar] = {"coefficient": facts.name(facts.results.coefficient)}
    if figure is None or figure.value is None:
        reason = figure.undefined if figure else "it does not exist for these annotators and this scale"
        return values | {"reason": reason or ""}
    values["value"] = figure.value
    span = ends(figure)
    if span:
        return values | {"low": span[0], "high": span[1]}
    reason = figure.interval.undefined if figure.interval else None
    return values | {"reason": reason or ""}


CAVEAT_RARE = (
    "{category} makes up {label_share} of all labels: what the figure says of the other categories rests on "
    "{marked} of {units} units, where agreement is {lowest} ({lowest_category}) to {highest} ({highest_category})."
)
CAVEAT_CATEGORIES = (
    "Over {units} units, agreement is lowest on {lowest_category} ({lowest}) and highest on "
    "{highest_category} ({highest})."
)
CAVEAT_UNITS = "It rests on {units} units."


def caveat(facts: Facts) -> Iterator[Finding]:
    """Yield the second sentence: what the coefficient rests on, and what it hides."""
    from reportgen.findings.prevalence import prevalent

    common = prevalent(facts)
    hidden = {common[0]} if common else set()
    span = _range(facts, hidden)
    values: dict[str, Scalar] = {"units": facts.unit_set.units} | span
    pair = facts.pair
    if not span:
        claim = CAVEAT_UNITS
    elif common and pair:
        place = pair.confusion.categories.index(common[0])
        marked = facts.unit_set.units - pair.confusion.counts[place][place]
        values |= {"category": common[0], "label_share": common[1], "marked": marked}
        claim = CAVEAT_RARE
    else:
        claim = CAVEAT_CATEGORIES
    yield finding("caveat", "note", claim, "", "specific-agreement", values)


def _range(facts: Facts, hidden: set[str]) -> dict[str, Scalar]:
    """Return the categories of lowest and highest specific agreement, those in `hidden` left out."""
    known = [
        (figure.value, name)
        for name, figure in facts.unit_set.specific_agreement.items()
        if figure.value is not None and name not in hidden
    ]
    if not known:
        return {}
    (lowest, low_name), (highest, high_name) = min(known), max(known)
    return {"lowest": lowest, "lowest_category": low_name, "highest": highest, "highest_category": high_name}
