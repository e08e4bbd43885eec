"""How far can the difference be trusted: few documents, two tests, what would tell, what prevalence did."""

from collections.abc import Iterator

from reportgen.findings.certainty import FEW_DOCUMENTS, MOST_TIMES
from reportgen.findings.changes.facts import LEVEL, NOTABLE, Changes, clusters, direction, ground, p_of
from reportgen.findings.facts import Message
from reportgen.results import Figure, Finding
from reportgen.results.revisions import Change

FEW = Message(
    "few-documents-compared",
    "warning",
    "figures",
    "The comparison rests on {documents} documents on its smaller side; tests and intervals from fewer than "
    "{least} are rough.",
    "Have more documents annotated under both versions rather than more units of the same ones.",
)
WOULD_SHOW = "Were a difference of {by} real, a test would probably not have shown it: {present} "
NEEDED = Message(
    "documents-needed",
    "note",
    "figures",
    WOULD_SHOW
    + "documents stand in both versions, and it takes about {needed} to see it in four cases of five.",
    "Have about {more} more documents annotated under both versions before concluding that nothing changed.",
)
NEEDED_UNITS = Message(
    "documents-needed",
    "note",
    "figures",
    WOULD_SHOW + "units stand in both versions, and it takes about {needed} to see it in four cases of five.",
    "Have about {more} more units labelled under both versions before concluding that nothing changed.",
)
NEEDED_EACH = Message(
    "documents-needed",
    "note",
    "figures",
    WOULD_SHOW + "documents stand on the smaller side, and it takes about {needed} on each to see it in four "
    "cases of five.",
    "Fewer are enough where the same documents are annotated under both versions.",
)
TOO_SMALL = Message(
    "documents-needed",
    "note",
    "figures",
    "A difference of {by} is too small for any realistic number of documents to show (about {needed}): take "
    "{coefficient} as unchanged.",
)
TESTS_DIFFER = Message(
    "tests-differ",
    "warning",
    "figures",
    "The two tests of {coefficient} do not agree: p is {p} by its standard error and {permutation_p} where "
    "versions are exchanged at random.",
    "Take the question as open, and cite both.",
)
BY_PREVALENCE = Message(
    "prevalence-moved",
    "warning",
    "figures",
    "{coefficient} moved by {difference}, of which {chance} comes from how often categories occur: with the "
    "disagreements of {earlier} and chance agreement as under {later} it would be {as_if}, and it was "
    "{before}.",
    "Read the specific agreement of each category before calling it the guidelines' doing.",
)
AGAINST_PREVALENCE = Message(
    "prevalence-moved",
    "note",
    "figures",
    "{coefficient} hardly moved ({difference}), but annotators do disagree {less_share} less than under "
    "{earlier}: categories occur in other proportions, which makes agreement by chance more frequent.",
    "Read the specific agreement of each category.",
)
AGAINST_PREVALENCE_MORE = Message(
    "prevalence-moved",
    "warning",
    "figures",
    "{coefficient} hardly moved ({difference}), but annotators do disagree {more_share} more than under "
    "{earlier}: categories occur in other proportions, which makes agreement by chance less frequent.",
    "Read the specific agreement of each category.",
)


def few_documents(changes: Changes) -> Iterator[Finding]:
    """Yield a warning where one side has fewer documents than a rough interval takes."""
    revision, change = changes.revision, changes.change
    if revision is None or change is None or change.test is None or revision.clusters == "unit":
        return
    if clusters(revision) < FEW_DOCUMENTS:
        yield FEW.found(documents=clusters(revision), least=FEW_DOCUMENTS)


def documents_needed(changes: Changes) -> Iterator[Finding]:
    """Yield how many documents would show a difference of this size, where it isn't beyond chance."""
    revision, change = changes.revision, changes.change
    if revision is None or change is None or change.needed is None or direction(change) != "open":
        return
    present = clusters(revision)
    by, more = abs(change.difference or 0.0), max(change.needed - present, 1)
    if change.needed > MOST_TIMES * present:
        yield TOO_SMALL.found(by=by, needed=change.needed, coefficient=changes.coefficient)
        return
    known = {"documents": NEEDED, "units": NEEDED_UNITS}
    message = known.get(ground(revision), NEEDED_EACH)
    yield message.found(by=by, present=present, needed=change.needed, more=more)


def tests_differ(changes: Changes) -> Iterator[Finding]:
    """Yield a warning where the two tests fall on different sides of the level."""
    change = changes.change
    p = p_of(change) if change else None
    if change is None or p is None or change.permutation is None:
        return
    if (p < LEVEL) != (change.permutation.p < LEVEL):
        yield TESTS_DIFFER.found(coefficient=changes.coefficient, p=p, permutation_p=change.permutation.p)


def prevalence(changes: Changes) -> Iterator[Finding]:
    """Yield what other proportions of the categories did to the coefficient, which is 1 - D_o / D_e.

    With D_e of the later version, D_o of the earlier gives the figure that the proportions alone would have
    made of it.
    """
    change = changes.change
    parts = _parts(change) if change else None
    if change is None or change.difference is None or parts is None:
        return
    before, after, as_if, fewer = parts
    values = changes.sides | {"coefficient": changes.coefficient, "difference": change.difference}
    chance = as_if - before
    if abs(change.difference) >= NOTABLE and 2 * chance / change.difference > 1:
        yield BY_PREVALENCE.found(chance=chance, as_if=as_if, before=before, **values)
    elif abs(change.difference) < NOTABLE / 2 and abs(after - as_if) >= NOTABLE and fewer > 0:
        yield AGAINST_PREVALENCE.found(less_share=fewer, **values)
    elif abs(change.difference) < NOTABLE / 2 and abs(after - as_if) >= NOTABLE:
        yield AGAINST_PREVALENCE_MORE.found(more_share=-fewer, **values)


def _parts(change: Change) -> tuple[float, float, float, float] | None:
    """Return both values, what D_e alone would have made of the first, and by what share D_o fell."""
    first, second = _disagreements(change.first), _disagreements(change.second)
    if first is None or second is None or first[0] == 0 or second[1] == 0:
        return None
    values = [1 - observed / expected for observed, expected in (first, second, (first[0], second[1]))]
    return values[0], values[1], values[2], 1 - second[0] / first[0]


def _disagreements(figure: Figure) -> tuple[float, float] | None:
    """Return observed and expected disagreement of a figure corrected for chance, None of any other."""
    observed, expected, value = figure.observed, figure.expected, figure.value
    if observed is None or expected is None or value is None:
        return None
    for pair in ((observed, expected), (1 - observed, 1 - expected)):
        if pair[1] and abs(1 - pair[0] / pair[1] - value) <= 1e-9:  # noqa: PLR2004 - both have 12 digits
            return pair
    return None
