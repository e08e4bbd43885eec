"""How the labels came about, whether they are those declared, and why annotators differed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from reportgen.base.errors import quoted
from reportgen.findings.layer_facts import FindingTemplate, LayerFacts
from reportgen.readers.inline_xml import A_COMMENT, AN_INSTRUCTION
from reportgen.readers.layers_of_marks import A_CANDIDATE, A_RELATION, OF_CHAIN, OF_OTHER_LAYER
from reportgen.readers.naming import OF_FAULTY
from reportgen.readers.reader import (
    COMMENTS,
    CONFIDENCE,
    ENHANCED,
    FURTHER,
    HEADS,
    JUDGMENTS,
    LEMMAS,
    MISC,
    REASONS,
    TIMES,
)
from reportgen.results import Adjudication, Finding
from reportgen.units import Expected, LabelTable, label_faults
from reportgen.units.label_checks import MISSING, NORMALISE
from reportgen.units.unit_sets import OTHER_ROLE

# How the labels came about: independence, pre-annotation, sample, and what was left out.

NAMES_SHOWN = 5
# Who is no annotator is compared with them.
COMPARED = (OTHER_ROLE.format(role=role) for role in ("reference", "system", "model"))
# What nobody asked for, what is no label, and what is only compared: none of it is missing.
BESIDE = frozenset((OF_OTHER_LAYER, A_CANDIDATE, A_RELATION, OF_CHAIN, A_COMMENT, AN_INSTRUCTION, *COMPARED))
TOKENS = "tokens"

DEPENDENT = FindingTemplate("not-independent", "problem", "protocol", of_data="limitation").saying(
    "The annotators did not work independently: agreement between them says little about the guidelines.",
    "Have a sample annotated independently, and report that.",
)
UNKNOWN = FindingTemplate("independence-unknown", "note", "protocol", kind="limit", asks="account").saying(
    "The campaign does not say whether annotators worked independently of each other.",
    "Add independent = true or false under [protocol] in campaign.toml.",
)
PRE_ANNOTATED = FindingTemplate("pre-annotated", "warning", "protocol", of_data="bias").saying(
    "The material was pre-annotated by {by}: annotators who follow its proposals agree with each other.",
    "Compare with a sample annotated from scratch.",
)
DONE = "{done} of the corpus's {whole} {of} ({corpus_share}) were annotated by more than one annotator"
WHOLE = FindingTemplate("sample", "note", "protocol", kind="limit").saying(
    "All {whole} {of} of the corpus were annotated by more than one annotator."
)
WHOLE_ONE = replace(WHOLE, claim="The one document of the corpus was annotated by more than one annotator.")
SAMPLE = WHOLE.saying(f"{DONE}. On how they were chosen, the campaign says: “{{chosen}}”.")
SAMPLE_UNKNOWN = FindingTemplate("sample-unknown", "note", "protocol", kind="limit", asks="account").saying(
    f"{DONE}; the campaign does not say how they were chosen.",
    'Say how they were chosen: sampled = "…" under [corpus].',
)
LEFT_OUT = FindingTemplate("left-out", "note", "data", kind="limit").saying(
    "{left_out} of {read} labels are not used; the section on the data lists them with the reasons."
)
FAULTY = FindingTemplate("faulty-files", "problem", "data", kind="limit", of_data="limitation").saying(
    "{files} files of marks are faulty and left out: {names}. Their annotators count as not having seen the "
    "documents.",
    "Correct these files, or export them again.",
)
FAULTY_ONE = FAULTY.saying(
    "A file of marks is faulty and left out: {names}. Its annotator counts as not having seen the document.",
    "Correct the file, or export it again.",
)
DIFFERENT_TEXTS = FindingTemplate(
    "different-texts", "problem", "data", kind="limit", of_data="limitation"
).saying(
    "{documents} of {whole} documents are left out, with {labels} labels: their copies have different texts.",
    "Give all annotators of a document the same text, and export again.",
)
NOT_COMPARED = FindingTemplate("not-compared", "note", "data", kind="limit").saying(
    "Besides labels the exports have {kind}, which are not compared ({number})."
)
# What is not compared, by its kind, where a sentence says it in any language.
OF_KIND = {
    HEADS: NOT_COMPARED.saying(
        "Heads of words are not compared ({number}): figures say nothing about how annotators built trees."
    ),
    LEMMAS: NOT_COMPARED.saying("Lemmas are not compared ({number})."),
    ENHANCED: NOT_COMPARED.saying("Enhanced dependencies are not compared ({number})."),
    MISC: NOT_COMPARED.saying("What words have in the column MISC is not compared ({number})."),
    REASONS: NOT_COMPARED.saying("Reasons that annotators gave for labels are not compared ({number})."),
    JUDGMENTS: NOT_COMPARED.saying("Judgments of other annotators' labels are not compared ({number})."),
    TIMES: NOT_COMPARED.saying("Dates and times of annotation are not compared ({number})."),
    COMMENTS: NOT_COMPARED.saying("Annotators' comments are not compared ({number})."),
    CONFIDENCE: NOT_COMPARED.saying("How sure annotators said they were is not compared ({number})."),
    FURTHER: NOT_COMPARED.saying(
        "Further columns that differ between annotators are not compared (cells: {number}). If they have "
        "labels, declare each as a layer under [[layers]] in campaign.toml."
    ),
}
CHAINS = FindingTemplate("chains", "warning", "data", kind="limit").saying(
    "Chains of mentions (coreference) were not compared: the figures say how far annotators agree on single "
    "marks, not on which of them mean the same.",
    "Compare the chains with a scorer of coreference, and report both.",
)
# Where they are what people decided, that is what to do.
CHAINS_DECIDED = replace(CHAINS, kind=None)
UNREAD = FindingTemplate("unread", "warning", "data").saying(
    "Files of the export that were not read: {files}.",
    "Convert what has labels into a known format, and take everything else out of the export's folder.",
)


def independence(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whether annotators worked independently, and from what."""
    protocol = facts.results.campaign.protocol
    if protocol.get("independent") is False:
        yield DEPENDENT.finding()
    elif "independent" not in protocol:
        yield UNKNOWN.finding()
    if protocol.get("pre_annotated_by"):
        yield PRE_ANNOTATED.finding(by=protocol["pre_annotated_by"])


def sample(facts: LayerFacts) -> Iterator[Finding]:
    """Yield which share of the corpus was annotated twice, and how it was chosen."""
    corpus = facts.results.campaign.corpus
    done, of = _compared(facts)
    documents, chosen = corpus.get(of), corpus.get("sampled")
    if not isinstance(documents, int) or not 0 < done <= documents:
        return
    share = done / documents
    if done == documents:
        yield (WHOLE if documents > 1 else WHOLE_ONE).finding(whole=documents, of=of)
    elif chosen:
        yield SAMPLE.finding(done=done, whole=documents, of=of, corpus_share=share, chosen=chosen)
    else:
        yield SAMPLE_UNKNOWN.finding(done=done, whole=documents, of=of, corpus_share=share)


def _compared(facts: LayerFacts) -> tuple[int, str]:
    """Return how much was annotated twice, and of what: documents where they are known, else tokens.

    Units are tokens only where the campaign calls them so.
    """
    unit_set = facts.unit_set
    if unit_set.documents and unit_set.document_groups is None:
        return unit_set.documents_compared, "documents"
    are_tokens = TOKENS in (unit_set.id, unit_set.kind)
    return (unit_set.units_compared if are_tokens else 0), TOKENS


def left_out(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a note where labels or files were read past."""
    marks = facts.results.marks
    beside = sum(left_out.marks for left_out in facts.results.left_out if left_out.reason in BESIDE)
    if marks.left_out > beside:
        yield LEFT_OUT.finding(left_out=marks.left_out - beside, read=marks.read - beside)
    if any(left_out.reason == OF_CHAIN for left_out in facts.results.left_out):
        yield (CHAINS_DECIDED if facts.results.mentions else CHAINS).finding()
    if facts.results.unread:
        yield UNREAD.finding(files=facts.results.unread)


def faulty_files(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the files that could not be read, with the place of the first fault in each."""
    faulty = [left for left in facts.results.left_out if left.reason == OF_FAULTY]
    if faulty:
        places = [f"{left.file}:{left.line}" if left.line else left.file for left in faulty]
        names = ", ".join(places[:NAMES_SHOWN]) + (" …" if len(places) > NAMES_SHOWN else "")
        message = FAULTY if len(faulty) > 1 else FAULTY_ONE
        yield message.finding(files=len(faulty) if len(faulty) > 1 else None, names=names)


def different_texts(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the documents that could not be compared."""
    if left := facts.results.different_texts:
        compared = max((material.documents for material in facts.results.material), default=0)
        labels = sum(document.marks for document in left)
        yield DIFFERENT_TEXTS.finding(documents=len(left), whole=compared + len(left), labels=labels)


def not_compared(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what the exports have besides labels; times that are read have a section of their own."""
    for kind, number in (facts.results.not_compared or {}).items():
        if kind == TIMES and facts.results.times:
            continue
        if kind in OF_KIND:
            yield OF_KIND[kind].finding(number=number)
        else:
            yield NOT_COMPARED.finding(kind=kind, number=number)


# Whether labels are those that the campaign declares, and whether annotators contradict themselves.

LABELS_SHOWN = 5
NOTHING = "{}"  # the empty choice

UNDECLARED = FindingTemplate("undeclared-label", "warning", "data", asks="declare").saying(
    "{label} is not a declared category but counts as one (labels: {times}).",
    "Add it to categories in campaign.toml, or correct the export.",
)
MISSPELT = UNDECLARED.saying(
    "{label} is not a declared category but counts as one (labels: {times}). The most "
    "similar declared one is {nearest}.",
    "Correct it in the export, or add it to categories in campaign.toml.",
)
MORE = FindingTemplate("undeclared-labels", "warning", "data", asks="declare").saying(
    "{count} more labels are not declared categories but count as such (labels: {times}).",
    "Add them to categories in campaign.toml, or correct the export.",
)
CONTRADICTING = FindingTemplate("contradicting-labels", "warning", "data").saying(
    "Labels that contradict an earlier one of the same annotator on the same unit: {contradicting}. The "
    "first counts.",
    "Remove the wrong ones from the export, or say which column tells passes apart; where several labels may "
    "be right, declare that they are sets.",
)


ALIKE = FindingTemplate("labels-alike", "warning", "data", asks="declare").saying(
    "{labels} differ by case or white space alone and count as different labels.",
    "Make them one with normalise under [[guidelines]] in campaign.toml, or correct the export.",
)
LOOKING_MISSING = FindingTemplate("labels-look-missing", "warning", "data", asks="declare").saying(
    "{labels} may mean a missing rating and count as labels (labels: {times}).",
    "Name what is not a label under missing in campaign.toml, and what is one under categories.",
)


def oversights(facts: LayerFacts) -> Iterator[Finding]:
    """Yield labels that are alike and labels that look missing, where no categories are declared.

    Where some are, `undeclared` names these labels.
    """
    unit_set = facts.unit_set
    if unit_set.categories_declared:
        return
    label_times = {label: times for label, times in _given(facts).items() if times and label != NOTHING}
    counts = np.array([*label_times.values()], dtype=np.int64).reshape(-1, 1)
    table = LabelTable(tuple(label_times), counts, np.ones(1, dtype=np.bool_))
    for fault in label_faults(table, Expected(non_annotated=unit_set.non_annotated, in_tables=False)):
        labels = ", ".join(map(quoted, fault.labels))
        if fault.key == NORMALISE:
            yield ALIKE.finding(labels=labels)
        elif fault.key == MISSING:
            yield LOOKING_MISSING.finding(
                labels=labels, times=sum(label_times[label] for label in fault.labels)
            )


def undeclared(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning for each label that the campaign does not declare, where it declares any."""
    undeclared = _undeclared(facts)
    declared = {name.casefold(): name for name in facts.unit_set.categories_declared}
    for label, times in undeclared[:LABELS_SHOWN]:
        if near := get_close_matches(label.casefold(), declared, n=1):
            yield MISSPELT.finding(label=label, times=times, nearest=declared[near[0]])
        else:
            yield UNDECLARED.finding(label=label, times=times)
    if others := undeclared[LABELS_SHOWN:]:
        yield MORE.finding(count=len(others), times=sum(times for _, times in others))


def _undeclared(facts: LayerFacts) -> list[tuple[str, int]]:
    """Return the labels that are not declared, with how often they were given, the commonest first."""
    unit_set = facts.unit_set
    declared = {*unit_set.categories_declared, unit_set.non_annotated, NOTHING}
    if unit_set.sets:
        declared |= {
            name
            for category in unit_set.categories_declared
            for name in unit_set.sets.members.get(category, ())
        }
    label_times = _given(facts) if unit_set.categories_declared else {}
    undeclared = [(label, times) for label, times in label_times.items() if times and label not in declared]
    return sorted(undeclared, key=lambda label_and_times: (-label_and_times[1], label_and_times[0]))


def _given(facts: LayerFacts) -> Mapping[str, int]:
    """Return how often each label was given; of sets, each member."""
    unit_set = facts.unit_set
    if unit_set.sets is None:
        layers = [material for material in facts.results.material if material.layer == unit_set.layer]
        return layers[0].labels if layers else unit_set.labels
    times: Counter[str] = Counter()
    for name, count in unit_set.labels.items():
        times.update(dict.fromkeys(unit_set.sets.members.get(name, ()), count))
    return times


def contradicting(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a warning where annotators gave a unit different labels in one pass."""
    if contradicting := facts.unit_set.marks.contradicting:
        yield CONTRADICTING.finding(contradicting=contradicting)


# Why annotators differed, as whoever decided saw it, and what follows for the guidelines.

# Fewer causes than these are no pattern.
ENOUGH = 5

CLAIM = (
    "Where a cause of disagreement was noted, it is most often “{cause}”: {times} of "
    "{causes}, above all for {category}."
)
ADVICE = {
    "slip": (
        "The guidelines are clear: have annotators look over their marks again, and check what a list of "
        "words or a rule can find."
    ),
    "guideline silent": (
        "Write the rule for {category} into the guidelines, with examples from the adjudication sheet."
    ),
    "guideline forgotten": (
        "The rule is there and is not remembered: train annotators on {category} again, and put the rule "
        "where they see it."
    ),
    "text ambiguous": (
        "No rule settles what a text leaves open: say what annotators do with such cases, or let them mark "
        "that they doubt."
    ),
    "pre-annotation missed": (
        "Annotators rely on the pre-annotation: tell them what it misses, and have a sample annotated from "
        "scratch."
    ),
    "other": ("Read these disagreements again: if they share a cause, write it into the guidelines."),
}
BY_CAUSE = {
    cause: FindingTemplate(
        *("causes", "note" if cause == "other" else "warning", "adjudication", CLAIM, advice),
        categories=("category",),
    )
    for cause, advice in ADVICE.items()
}


def causes(facts: LayerFacts) -> Iterator[Finding]:
    """Yield for each layer the most frequent cause, where enough causes were noted."""
    for adjudication in facts.results.adjudication or ():
        noted = adjudication.by_cause or {}
        total = sum(noted.values())
        if total >= ENOUGH:
            cause = min(noted, key=lambda name: (-noted[name], name))
            yield BY_CAUSE[cause].finding(
                layer=adjudication.layer,
                cause=cause,
                times=noted[cause],
                causes=total,
                category=_category(facts, adjudication, cause),
            )


def _category(facts: LayerFacts, adjudication: Adjudication, cause: str) -> str:
    """Return the category, not that of unmarked units, over which annotators differ most for a cause."""
    unmarked = {units.non_annotated for units in facts.results.unit_sets if units.layer == adjudication.layer}
    by_category = adjudication.causes or {}
    named = [name for name in by_category if name not in unmarked] or list(by_category)
    return min(named, key=lambda name: (-by_category[name].get(cause, 0), name))
