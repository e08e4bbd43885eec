"""How far can the figures be trusted? Intervals, documents, scales."""

from collections.abc import Iterator

from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, Message, ends
from reportgen.findings.prevalence import unfit_for_thresholds
from reportgen.results import Finding

FEW_DOCUMENTS = 20
# More material than this many times what there is will not be annotated.
MOST_TIMES = 20

HOLDS = (
    "The interval of {coefficient}, {low} to {high}, holds the threshold {threshold}: the data do not tell "
    "on which side agreement lies."
)
STRADDLES = Message(
    "straddles",
    "warning",
    "coefficients",
    HOLDS,
    "About {times} times the doubly annotated material would tell, if the figure stays where it is.",
)
TOO_CLOSE = Message(
    "straddles",
    "warning",
    "coefficients",
    HOLDS,
    "The figure lies so close to the threshold that no realistic sample would decide; argue from the lower "
    "end, {low}.",
)
NO_DOCUMENTS = Message(
    "no-documents",
    "warning",
    "coefficients",
    "No documents are known: intervals take units to be independent, and units of one document seldom are, "
    "which makes intervals too narrow.",
    "Export labels with their documents, so that intervals can be clustered by document.",
)
FEW = Message(
    "few-documents",
    "warning",
    "coefficients",
    "Only {documents} documents were annotated by more than one annotator; intervals from fewer than {least} "
    "documents are rough.",
    "Annotate more documents twice rather than more units of the same ones.",
)
FINN = Message(
    "finn",
    "note",
    "coefficients",
    "Finn's R ({finn}) treats categories as the numbers 1 to {categories} in their order; on a nominal scale "
    "it would change with the order, and like S ({s}) it takes chance to be uniform.",
    "Do not cite Finn's R for nominal categories.",
)
WIDE = 0.1
TOO_WIDE = (
    "The interval of {coefficient}, {low} to {high}, is wider than ± {width}: a change of guidelines that "
    "moves agreement by less will hardly be seen."
)
WIDE_BY_DOCUMENT = Message(
    "wide",
    "note",
    "coefficients",
    TOO_WIDE,
    "Documents like these still to annotate twice: {more} for ± {width}, {many_more} for ± {half_width}.",
)
WIDE_BY_UNIT = Message(
    "wide",
    "note",
    "coefficients",
    TOO_WIDE,
    "Units like these still to annotate twice: {more} for ± {width}, {many_more} for ± {half_width}.",
)


def straddles(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each threshold that lies inside the interval of the primary coefficient."""
    figure, span = facts.figure, ends(facts.figure)
    if figure is None or figure.value is None or span is None or unfit_for_thresholds(facts):
        return
    for threshold in (TENTATIVE, RELIABLE):
        if span[0] < threshold <= span[1]:
            yield _straddling(facts.coefficient, figure.value, span, threshold)


def _straddling(coefficient: str, value: float, span: tuple[float, float], threshold: float) -> Finding:
    gap, half = abs(value - threshold), (span[1] - span[0]) / 2
    # The interval shrinks with the root of the material.
    times = (half / gap) ** 2 if gap else float("inf")
    message = STRADDLES if times <= MOST_TIMES else TOO_CLOSE
    enough = {"times": max(2, round(times))} if times <= MOST_TIMES else {}
    return message.found(
        coefficient=coefficient, low=span[0], high=span[1], threshold=f"{threshold:g}", **enough
    )


def documents(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where documents are unknown or few."""
    known = facts.unit_set.documents_compared
    if known == 0:
        yield NO_DOCUMENTS.found()
    elif known < FEW_DOCUMENTS:
        yield FEW.found(documents=known, least=FEW_DOCUMENTS)


def wide(facts: Facts) -> Iterator[Finding]:
    """Yield a note where the interval of the primary coefficient is wide, with what would narrow it."""
    plan = (facts.unit_set.planning or {}).get(facts.measure)
    span = ends(facts.figure)
    if plan is None or span is None or plan.half_width <= WIDE:
        return
    first, second = plan.goals[:2]
    message = WIDE_BY_DOCUMENT if facts.unit_set.documents_compared else WIDE_BY_UNIT
    yield message.found(
        coefficient=facts.coefficient,
        low=span[0],
        high=span[1],
        width=f"{first.half_width:g}",
        half_width=f"{second.half_width:g}",
        more=first.more,
        many_more=second.more,
    )


def finn(facts: Facts) -> Iterator[Finding]:
    """Yield a note on Finn's R where the categories are no numbers."""
    measures = facts.unit_set.measures
    figure, s = measures.get("finn_r"), measures.get("bennett_s")
    if (
        facts.unit_set.scale == "nominal"
        and figure
        and s
        and figure.value is not None
        and s.value is not None
    ):
        yield FINN.found(finn=figure.value, s=s.value, categories=len(facts.unit_set.categories))
