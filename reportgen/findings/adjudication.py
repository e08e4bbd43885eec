"""Why annotators differed, as whoever decided saw it, and what follows for the guidelines."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, Message
from reportgen.results import Adjudication, Finding

# Fewer causes than these are no pattern.
ENOUGH = 5

CLAIM = (
    "Where the cause of a disagreement was noted, it is most often “{cause}”: {times} of {causes}, above all "
    "over {category}."
)
ID = "causes"
SLIP = Message(
    ID,
    "warning",
    "adjudication",
    CLAIM,
    "The guidelines are clear: have annotators look over their marks again, and check what a list of words "
    "or a rule can find.",
)
SILENT = Message(
    ID,
    "warning",
    "adjudication",
    CLAIM,
    "Write the rule for {category} into the guidelines, with examples from the adjudication sheet.",
)
FORGOTTEN = Message(
    ID,
    "warning",
    "adjudication",
    CLAIM,
    "The rule is there and is not remembered: train annotators on {category} again, and put the rule where "
    "they see it.",
)
AMBIGUOUS = Message(
    ID,
    "warning",
    "adjudication",
    CLAIM,
    "No rule settles what a text leaves open: say what annotators do with such cases, or let them mark that "
    "they doubt.",
)
MISSED = Message(
    ID,
    "warning",
    "adjudication",
    CLAIM,
    "Annotators rely on the pre-annotation: tell them what it misses, and have a sample annotated from "
    "scratch.",
)
OTHER = Message(
    ID,
    "note",
    "adjudication",
    CLAIM,
    "Read these disagreements again: if they have a cause in common, it belongs into the guidelines.",
)
BY_CAUSE = {
    "slip": SLIP,
    "guideline silent": SILENT,
    "guideline forgotten": FORGOTTEN,
    "text ambiguous": AMBIGUOUS,
    "pre-annotation missed": MISSED,
    "other": OTHER,
}


def causes(facts: Facts) -> Iterator[Finding]:
    """Yield for each layer the most frequent cause, where enough causes were noted."""
    for each in facts.results.adjudication or ():
        noted = each.by_cause or {}
        total = sum(noted.values())
        if total >= ENOUGH:
            cause = min(noted, key=lambda name: (-noted[name], name))
            yield BY_CAUSE[cause].found(
                layer=each.layer,
                cause=cause,
                times=noted[cause],
                causes=total,
                category=_category(facts, each, cause),
            )


def _category(facts: Facts, found: Adjudication, cause: str) -> str:
    """Return the category, not that of unmarked units, over which annotators differ most for a cause."""
    unmarked = {each.non_annotated for each in facts.results.unit_sets if each.layer == found.layer}
    by_category = found.causes or {}
    named = [name for name in by_category if name not in unmarked] or list(by_category)
    return min(named, key=lambda name: (-by_category[name].get(cause, 0), name))
