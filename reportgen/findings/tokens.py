"""Units that are pieces of texts: long marks weigh more, and several marks can stand on one."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding

OF_TEXTS = ("tokens", "sentences", "candidates")

LENGTH = Message(
    "tokens",
    "note",
    "choices",
    "In {unit_set} a mark counts once for each token that it covers, so that long marks weigh more "
    "than short ones. No mark begins or ends inside a token.",
)
BOUNDARY = Message(
    "tokens",
    "note",
    "choices",
    "In {unit_set} a mark counts once for each token that it covers, so that long marks weigh more "
    "than short ones. A token counts whole even where a mark covers part of it: {boundary} of {marks} marks "
    "begin or end inside one.",
    "If words are separated otherwise, say with token_pattern what a token is.",
)
JOINED = Message(
    "several-labels",
    "note",
    "choices",
    "{several} times an annotator's marks of different labels stand on the same unit of {unit_set}. Their "
    "labels are taken together as one category, such as A|B.",
    "If one of the labels should count, order them with priority in campaign.toml; if what is nested was "
    "asked separately, make each a layer.",
)
RANKED = Message(
    "several-labels",
    "note",
    "choices",
    "{several} times an annotator's marks of different labels stand on the same unit of {unit_set}. The "
    "label that the campaign's priority names first counts.",
)


def length(facts: Facts) -> Iterator[Finding]:
    """Yield what counting tokens does to marks."""
    for each in facts.siblings:
        if each.boundary:
            yield BOUNDARY.found(unit_set=each.id, boundary=each.boundary, marks=each.marks.used)
            return
        if each.base == "tokens":
            yield LENGTH.found(unit_set=each.id)
            return


def several(facts: Facts) -> Iterator[Finding]:
    """Yield what becomes of units under several marks."""
    for each in facts.siblings:
        if each.several and each.base in OF_TEXTS:
            yield (JOINED if each.joined else RANKED).found(unit_set=each.id, several=each.several)
