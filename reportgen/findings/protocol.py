"""How the labels came about: independence, pre-annotation, sample, and what was left out."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.facts import Facts, Message
from reportgen.formats.assemble import A_CANDIDATE, A_RELATION, OF_OTHER_LAYER
from reportgen.formats.readers.inline_xml import A_COMMENT, AN_INSTRUCTION
from reportgen.results import Finding
from reportgen.study.people import OTHER_ROLE

NAMES_SHOWN = 5
# Who is no annotator is compared with them.
COMPARED = (OTHER_ROLE.format(role=role) for role in ("reference", "system", "model"))
# What nobody asked for, is no label, or is used for comparisons, is none that is missing.
BESIDE = frozenset((OF_OTHER_LAYER, A_CANDIDATE, A_RELATION, A_COMMENT, AN_INSTRUCTION, *COMPARED))
TOKENS = "tokens"

DEPENDENT = Message(
    "not-independent",
    "problem",
    "protocol",
    "The annotators did not work independently: agreement between them says little about the guidelines.",
    "Have a sample annotated independently, and report that.",
)
UNKNOWN = Message(
    "independence-unknown",
    "note",
    "protocol",
    "The campaign does not say whether annotators worked independently of each other.",
    "Add independent = true or false under [protocol] in campaign.toml.",
)
PRE_ANNOTATED = Message(
    "pre-annotated",
    "warning",
    "protocol",
    "The material was pre-annotated by {by}: annotators who follow its proposals agree with each other.",
    "Compare with a sample annotated from scratch.",
)
DONE = "{done} of the corpus's {whole} {of} ({corpus_share}) were annotated by more than one annotator"
WHOLE = Message(
    "sample", "note", "protocol", "All {whole} {of} of the corpus were annotated by more than one annotator."
)
WHOLE_ONE = replace(WHOLE, claim="The one document of the corpus was annotated by more than one annotator.")
SAMPLE = Message("sample", "note", "protocol", f"{DONE}; chosen: {{chosen}}.")
SAMPLE_UNKNOWN = Message(
    "sample-unknown",
    "note",
    "protocol",
    f"{DONE}; the campaign does not say how they were chosen.",
    'Say how they were chosen: sampled = "…" under [corpus].',
)
LEFT_OUT = Message(
    "left-out",
    "note",
    "data",
    "{left_out} of {read} labels are not used; the section on the data lists them with the reasons.",
)
UNREAD = Message(
    "unread",
    "warning",
    "data",
    "{files} of the export's files are of no format that is known: {names}.",
    "Convert them, or take them out of the export's folder.",
)


def independence(facts: Facts) -> Iterator[Finding]:
    """Yield whether annotators worked independently, and from what."""
    protocol = facts.results.campaign.protocol
    if protocol.get("independent") is False:
        yield DEPENDENT.found()
    elif "independent" not in protocol:
        yield UNKNOWN.found()
    if protocol.get("pre_annotated_by"):
        yield PRE_ANNOTATED.found(by=protocol["pre_annotated_by"])


def sample(facts: Facts) -> Iterator[Finding]:
    """Yield which share of the corpus was annotated twice, and how it was chosen."""
    corpus = facts.results.campaign.corpus
    done, of = _compared(facts)
    whole, chosen = corpus.get(of), corpus.get("sampled")
    if not isinstance(whole, int) or not 0 < done <= whole:
        return
    share = done / whole
    if done == whole:
        yield (WHOLE if whole > 1 else WHOLE_ONE).found(whole=whole, of=of)
    elif chosen:
        yield SAMPLE.found(done=done, whole=whole, of=of, corpus_share=share, chosen=chosen)
    else:
        yield SAMPLE_UNKNOWN.found(done=done, whole=whole, of=of, corpus_share=share)


def _compared(facts: Facts) -> tuple[int, str]:
    """Return how much was annotated twice, and of what: documents where they are known, else tokens.

    Units are tokens only where the campaign calls them so.
    """
    unit_set = facts.unit_set
    if unit_set.documents:
        return unit_set.documents_compared, "documents"
    are_tokens = TOKENS in (unit_set.id, unit_set.kind)
    return (unit_set.units_compared if are_tokens else 0), TOKENS


def left_out(facts: Facts) -> Iterator[Finding]:
    """Yield a note where labels or files were read past."""
    marks, unread = facts.results.marks, facts.results.unread
    beside = sum(each.marks for each in facts.results.left_out if each.reason in BESIDE)
    if marks.left_out > beside:
        yield LEFT_OUT.found(left_out=marks.left_out - beside, read=marks.read - beside)
    if unread:
        names = ", ".join(unread[:NAMES_SHOWN]) + (" …" if len(unread) > NAMES_SHOWN else "")
        yield UNREAD.found(files=len(unread), names=names)
