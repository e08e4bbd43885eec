"""How the labels came about: independence, pre-annotation, sample, and what was left out."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, finding
from reportgen.results import Finding, Scalar

DEPENDENT = (
    "The annotators did not work independently: agreement between them says little about the guidelines."
)
DEPENDENT_ADVICE = "Have a sample annotated independently, and report that."
UNKNOWN = "The campaign does not say whether annotators worked independently of each other."
UNKNOWN_ADVICE = "Add independent = true or false under [protocol] in campaign.toml."
PRE_ANNOTATED = (
    "The material was pre-annotated by {by}: annotators who follow its proposals agree with each other."
)
PRE_ANNOTATED_ADVICE = "Compare with a sample annotated from scratch."
SHARE = "{done} of the corpus's {whole} {of} ({corpus_share}) were annotated by more than one annotator; chosen: {chosen}."
SHARE_UNKNOWN = (
    "{done} of the corpus's {whole} {of} ({corpus_share}) were annotated by more than one annotator; the campaign "
    "does not say how they were chosen."
)
SHARE_ADVICE = 'Say how they were chosen: sampled = "…" under [corpus].'
LEFT_OUT = "{left_out} of {read} labels are not used; the section on the data lists them with the reasons."
UNREAD = "{files} file(s) of the export are of no format that is known: {names}."
UNREAD_ADVICE = "Convert them, or take them out of the export's folder."
NAMES_SHOWN = 5


def independence(facts: Facts) -> Iterator[Finding]:
    """Yield whether annotators worked independently, and from what."""
    protocol = facts.results.campaign.protocol
    if protocol.get("independent") is False:
        yield finding("not-independent", "problem", DEPENDENT, DEPENDENT_ADVICE, "protocol", {})
    elif "independent" not in protocol:
        yield finding("independence-unknown", "note", UNKNOWN, UNKNOWN_ADVICE, "protocol", {})
    if protocol.get("pre_annotated_by"):
        values = {"by": protocol["pre_annotated_by"]}
        yield finding("pre-annotated", "warning", PRE_ANNOTATED, PRE_ANNOTATED_ADVICE, "protocol", values)


def sample(facts: Facts) -> Iterator[Finding]:
    """Yield which share of the corpus was annotated twice, and how it was chosen."""
    corpus, unit_set = facts.results.campaign.corpus, facts.unit_set
    done, of = (unit_set.documents, "documents") if unit_set.documents else (unit_set.units, "tokens")
    whole = corpus.get(of)
    if not isinstance(whole, int) or not 0 < done <= whole:
        return
    values: dict[str, Scalar] = {"done": done, "whole": whole, "of": of, "corpus_share": done / whole}
    chosen = corpus.get("sampled")
    if chosen:
        yield finding("sample", "note", SHARE, "", "protocol", values | {"chosen": chosen})
    else:
        yield finding("sample-unknown", "note", SHARE_UNKNOWN, SHARE_ADVICE, "protocol", values)


def left_out(facts: Facts) -> Iterator[Finding]:
    """Yield a note where labels or files were read past."""
    marks, unread = facts.results.marks, facts.results.unread
    if marks.left_out:
        values = {"left_out": marks.left_out, "read": marks.read}
        yield finding("left-out", "note", LEFT_OUT, "", "data", values)
    if unread:
        names = ", ".join(unread[:NAMES_SHOWN]) + (" …" if len(unread) > NAMES_SHOWN else "")
        yield finding("unread", "note", UNREAD, UNREAD_ADVICE, "data", {"files": len(unread), "names": names})
