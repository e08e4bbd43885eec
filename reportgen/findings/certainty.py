"""How far can the figures be trusted? Intervals, documents, scales."""

from collections.abc import Iterator

from reportgen.findings.facts import RELIABLE, TENTATIVE, Facts, ends, finding
from reportgen.results import Finding

FEW_DOCUMENTS = 20
# More material than this many times what there is will not be annotated.
MOST_TIMES = 20

STRADDLES = (
    "The interval of {coefficient}, {low} to {high}, holds the threshold {threshold}: the data do not tell on "
    "which side agreement lies."
)
STRADDLES_ADVICE = (
    "About {times} times as much doubly annotated material would tell, if the figure stays where it is."
)
STRADDLES_HOPELESS = "The figure lies so close to the threshold that no realistic sample would decide; argue from the lower end, {low}."
NO_DOCUMENTS = (
    "Only a table is known, without documents: intervals take units to be independent, and units of one document "
    "seldom are, which makes intervals too narrow."
)
NO_DOCUMENTS_ADVICE = "Export labels with their documents, so that intervals can be clustered by document."
FEW = (
    "Only {documents} documents were annotated twice; intervals from fewer than {least} documents are rough."
)
FEW_ADVICE = "Annotate more documents twice rather than more units of the same ones."
FINN = (
    "Finn's R ({finn}) treats categories as the numbers 1 to {categories} in their order; on a nominal scale it "
    "would change with the order, and like S ({s}) it takes chance to be uniform."
)
FINN_ADVICE = "Do not cite Finn's R for nominal categories."
WHOLE_SETS = "Sets of labels are compared as wholes: two sets that share some labels count as different."


def straddles(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each threshold that lies inside the interval of the primary coefficient."""
    figure, span = facts.figure, ends(facts.figure)
    if figure is None or figure.value is None or span is None:
        return
    for threshold in (TENTATIVE, RELIABLE):
        if span[0] < threshold <= span[1]:
            gap, half = abs(figure.value - threshold), (span[1] - span[0]) / 2
            times = (half / gap) ** 2 if gap else float("inf")
            values = {
                "coefficient": facts.name(facts.results.coefficient),
                "low": span[0],
                "high": span[1],
                "threshold": f"{threshold:g}",
            }
            realistic = times <= MOST_TIMES
            values |= {"times": max(2, round(times))} if realistic else {}
            advice = STRADDLES_ADVICE if realistic else STRADDLES_HOPELESS
            yield finding("straddles", "warning", STRADDLES, advice, "coefficients", values)


def documents(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where documents are unknown or few."""
    known = facts.unit_set.documents
    if known == 0:
        yield finding("no-documents", "warning", NO_DOCUMENTS, NO_DOCUMENTS_ADVICE, "coefficients", {})
    elif known < FEW_DOCUMENTS:
        values = {"documents": known, "least": FEW_DOCUMENTS}
        yield finding("few-documents", "warning", FEW, FEW_ADVICE, "coefficients", values)


def finn(facts: Facts) -> Iterator[Finding]:
    """Yield a warning on Finn's R where the categories are no numbers."""
    measures = facts.unit_set.measures
    figure, s = measures.get("finn_r"), measures.get("bennett_s")
    if (
        facts.unit_set.scale != "nominal"
        or figure is None
        or figure.value is None
        or s is None
        or s.value is None
    ):
        return
    values = {"finn": figure.value, "s": s.value, "categories": len(facts.unit_set.categories)}
    yield finding("finn", "note", FINN, FINN_ADVICE, "coefficients", values)


def whole_sets(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where labels are sets."""
    if facts.unit_set.scale == "set":
        yield finding("whole-sets", "warning", WHOLE_SETS, "", "coefficients", {})
