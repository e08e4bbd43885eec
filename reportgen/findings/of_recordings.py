"""Do annotators segment and label recordings alike? What a report on recordings opens with."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.certainty import ABSENT, level_of
from reportgen.findings.layer_facts import LEVEL, Facts, FindingTemplate, Values, answer_of, ends
from reportgen.measures.distributions import significant
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.marks import BoundaryAgreement
from reportgen.results.model import Level

UNITIZING = "alpha_u"

VERDICT = FindingTemplate(
    "verdict", "warning", "unitizing", kind="verdict", of_data="limitation", subject="recordings"
)
SPAN = "Krippendorff's alpha for unitizing is {value} ({low} to {high})."
BY_LEVEL: dict[Level, FindingTemplate] = {
    "high": VERDICT.saying(f"Annotators segment and label recordings alike: {SPAN}", severity="good"),
    "tentative": VERDICT.saying(
        f"Annotators segment and label recordings fairly alike: {SPAN} Use them with caution.",
        severity="note",
    ),
    "open": VERDICT.saying(
        f"It is undecided whether annotators segment and label recordings consistently enough: {SPAN}"
    ),
    "low": VERDICT.saying(
        f"Annotators do not segment and label recordings consistently enough to build on: {SPAN}",
        severity="problem",
    ),
    "below-chance": VERDICT.saying(
        f"Annotators segment and label recordings less alike than by chance: {SPAN}", severity="problem"
    ),
}
NO_INTERVAL = VERDICT.saying(
    "Krippendorff's alpha for unitizing of the recordings is {value}, without an interval: {reason}."
)
UNDEFINED = VERDICT.saying("How alike recordings are cut can't be computed: {reason}.")

RESTS = FindingTemplate("caveat", "note", "unitizing", kind="caveat").saying(
    "Within {tolerance} ms, F of boundaries is {boundaries} and F of whole stretches {stretches}; with the "
    "label it is {labels}."
)
# F that falls by so much is worth a word.
NOTABLE = 0.1
CUT = FindingTemplate("boundaries-apart", "warning", "unitizing").saying(
    "Boundaries are the problem: {missed_share} of stretches have no partner whose ends are within "
    "{tolerance} ms; of those that have one, {wrong_share} have another label.",
    "Write into the guidelines where in the sound stretches begin and end, and listen to examples together.",
)
LABELS = replace(
    CUT,
    id="labels-of-stretches",
    claim="Labels are the problem: {wrong_share} of the stretches whose ends are within {tolerance} ms have "
    "another label; {missed_share} of all have no such partner.",
    advice="Write into the guidelines how to tell the labels apart, and listen to examples together.",
)
EARLIER = FindingTemplate("boundaries-early", "warning", "unitizing", people=("annotator",)).saying(
    "{annotator} sets boundaries {distance} ms earlier than others, on average over {boundaries} boundaries "
    "({least} to {most} ms, p = {p}).",
    "Agree with {annotator} on where in the sound a boundary belongs.",
)
LATER = EARLIER.saying(
    "{annotator} sets boundaries {distance} ms later than others, on average over {boundaries} boundaries "
    "({least} to {most} ms, p = {p}).",
    "Agree with {annotator} on where in the sound a boundary belongs.",
)
# A difference below so many milliseconds, and below so large a part of the tolerance, is nothing to mend.
LEAST_SHIFT, PART = 5.0, 0.1


def unitized(facts: Facts) -> Figure | None:
    """Return Krippendorff's alpha for unitizing of a layer."""
    layers = (facts.results.spans.unitizing if facts.results.spans else None) or ()
    return next((own.measures.get(UNITIZING) for own in layers if own.layer == facts.layer), None)


def answer(facts: Facts) -> SubjectFigure | None:
    """Return Krippendorff's alpha for unitizing."""
    return answer_of(facts, UNITIZING, unitized(facts), documents=facts.unit_set.documents_compared or None)


def near(facts: Facts) -> BoundaryAgreement | None:
    """Return how near the boundaries of a layer are."""
    layers = (facts.results.spans.boundaries if facts.results.spans else None) or ()
    return next((own for own in layers if own.layer == facts.layer), None)


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield alpha for unitizing compared with Krippendorff's two thresholds, by its interval."""
    figure = unitized(facts)
    span = ends(figure)
    if figure is None or figure.value is None:
        yield UNDEFINED.finding(reason=(figure.undefined if figure else None) or ABSENT)
    elif span is None:
        reason = figure.interval.undefined if figure.interval else None
        yield NO_INTERVAL.finding(value=figure.value, reason=reason or ABSENT)
    else:
        yield BY_LEVEL[level_of(*span)].finding(value=figure.value, low=span[0], high=span[1])


def caveat(facts: Facts) -> Iterator[Finding]:
    """Yield F of boundaries and of stretches within the tolerance."""
    own = near(facts)
    if own is not None and own.boundaries.value is not None and own.stretches.value is not None:
        yield RESTS.finding(
            tolerance=own.tolerance,
            boundaries=own.boundaries.value,
            stretches=own.stretches.value,
            labels=own.labels.value,
        )


def cut_or_label(facts: Facts) -> Iterator[Finding]:
    """Yield whether boundaries or labels are what annotators differ in, where they differ by much."""
    own = near(facts)
    whole, with_label = (own.stretches.value, own.labels.value) if own else (None, None)
    if own is None or whole is None or with_label is None or 1 - with_label < NOTABLE:
        return
    missed, wrong = 1 - whole, (whole - with_label) / whole if whole else 0.0
    values: Values = {"missed_share": missed, "wrong_share": wrong, "tolerance": own.tolerance}
    yield (CUT if missed >= whole - with_label else LABELS).finding(**values)


def early(facts: Facts) -> Iterator[Finding]:
    """Yield who sets boundaries earlier or later than others, beyond chance and by more than a trifle."""
    own = near(facts)
    if own is None:
        return
    for place, p in significant([shift.p for shift in own.shifts], LEVEL).items():
        shift = own.shifts[place]
        later, low, high = shift.later, shift.low, shift.high
        if later is None or low is None or high is None:
            continue
        if abs(later) < max(LEAST_SHIFT, PART * own.tolerance):
            continue
        least, most = (low, high) if later > 0 else (-high, -low)
        yield (LATER if later > 0 else EARLIER).finding(
            annotator=shift.annotator,
            boundaries=shift.boundaries,
            distance=round(abs(later)),
            least=round(least),
            most=round(most),
            p=p,
        )
