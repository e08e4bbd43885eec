"""Do annotators segment and label recordings alike? What a report on recordings opens with."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.layer_facts import LEVEL, FindingTemplate, LayerFacts, answer_of, ends
from reportgen.findings.verdicts import ABSENT, level_of
from reportgen.measures.estimate import significant
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
# Where the two say different things, and readers ask which is right.
RESTS_LOWER = RESTS.saying(
    f"{RESTS.claim} Alpha is lower: it counts every millisecond, and takes off what chance would give."
)
# Where so much is not alike it is worth a word.
NOTABLE = 0.05
CUT = FindingTemplate("boundaries-apart", "warning", "unitizing").saying(
    "Boundaries are the problem: for {missed_share} of stretches nobody's ends are within {tolerance} ms.",
    "Listen to some of them together, and agree on where in the sound a stretch begins and ends.",
)
LABELS = replace(
    CUT,
    id="labels-of-stretches",
    claim="Labels are the problem: {wrong_share} of the stretches whose ends are within {tolerance} ms have "
    "another label.",
    advice="Listen to some of them together, and agree on how to tell the labels apart.",
)
EARLIER = FindingTemplate("boundaries-early", "warning", "unitizing", people=("annotator",)).saying(
    "Boundaries of {annotator} come {distance} ms earlier than the others' ({least} to {most} ms, p = {p}).",
    "Agree with {annotator} on where in the sound a boundary belongs.",
)
LATER = EARLIER.saying(
    "Boundaries of {annotator} come {distance} ms later than the others' ({least} to {most} ms, p = {p}).",
    EARLIER.advice,
)
# A difference below so many milliseconds, and below so large a part of the tolerance, is nothing to mend.
LEAST_SHIFT, PART = 5.0, 0.1


def unitized(facts: LayerFacts) -> Figure | None:
    """Return Krippendorff's alpha for unitizing of a layer."""
    layers = (facts.results.spans.unitizing if facts.results.spans else None) or ()
    return next((own.measures.get(UNITIZING) for own in layers if own.layer == facts.layer), None)


def answer(facts: LayerFacts) -> SubjectFigure | None:
    """Return Krippendorff's alpha for unitizing."""
    return answer_of(facts, UNITIZING, unitized(facts), documents=facts.unit_set.documents_compared or None)


def near(facts: LayerFacts) -> BoundaryAgreement | None:
    """Return how near the boundaries of a layer are."""
    layers = (facts.results.spans.boundaries if facts.results.spans else None) or ()
    return next((own for own in layers if own.layer == facts.layer), None)


def verdict(facts: LayerFacts) -> Iterator[Finding]:
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


def caveat(facts: LayerFacts) -> Iterator[Finding]:
    """Yield F of boundaries and of stretches within the tolerance."""
    own = near(facts)
    if own is not None and own.boundaries.value is not None and own.stretches.value is not None:
        alpha = unitized(facts)
        lower = alpha and alpha.value is not None and alpha.value < (own.labels.value or 0.0)
        yield (RESTS_LOWER if lower else RESTS).finding(
            tolerance=own.tolerance,
            boundaries=own.boundaries.value,
            stretches=own.stretches.value,
            labels=own.labels.value,
        )


def cause(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what is behind the disagreements of the only layer: who is late, and if ends or labels differ."""
    if len(facts.results.layers) == 1:
        for own in (*_early(facts), *_cut_or_label(facts)):
            yield own.model_copy(update={"kind": "cause", "subject": "recordings"})


def each(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the same of each of several layers."""
    if len(facts.results.layers) > 1:
        yield from (*_early(facts), *_cut_or_label(facts))


def _cut_or_label(facts: LayerFacts) -> Iterator[Finding]:
    """Yield which is the problem, where annotators differ by much, and one of the two clearly is.

    More stretches are missed than labelled otherwise if 1 - stretches > stretches - labels; this is certain
    where both ends of the two intervals say so.
    """
    own = near(facts)
    whole, with_label = (own.stretches.value, own.labels.value) if own else (None, None)
    if own is None or whole is None or with_label is None or 1 - with_label < NOTABLE:
        return
    cut, labelled = ends(own.stretches), ends(own.labels)
    more_cut = cut and labelled and 1 + labelled[0] > 2 * cut[1]
    more_labels = cut and labelled and 1 + labelled[1] < 2 * cut[0]
    # Where all that differs is one of the two, there is no other.
    if with_label == whole or more_cut:
        yield CUT.finding(missed_share=1 - whole, tolerance=own.tolerance)
    elif whole == 1 or more_labels:
        yield LABELS.finding(wrong_share=(whole - with_label) / whole, tolerance=own.tolerance)


def _early(facts: LayerFacts) -> Iterator[Finding]:
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
            distance=round(abs(later)),
            least=round(least),
            most=round(most),
            p=p,
        )
