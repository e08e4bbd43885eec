"""What else may have moved agreement: memory, practice, other people, other texts, other categories."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.findings.changes.facts import Changes, direction, ground
from reportgen.findings.facts import Message
from reportgen.findings.words import several
from reportgen.results import Finding

KNOWN = Message(
    "learning",
    "warning",
    "annotators",
    "{names} annotated under {earlier} too, where the same documents were annotated: what they remember of "
    "them, and practice, would raise agreement without any change of guidelines.",
    "To tell guidelines from memory, have {later} applied to documents that nobody has seen, or these "
    "documents annotated by somebody new.",
)
KNOWN_UNITS = replace(
    KNOWN,
    claim="{names} annotated under {earlier} too, where the same units were labelled: what they remember of "
    "them, and practice, would raise agreement without any change of guidelines.",
    advice="To tell guidelines from memory, have {later} applied to units that nobody has seen, or these "
    "units labelled by somebody new.",
)
KNOWN_IN_PART = replace(
    KNOWN,
    claim="{names} annotated under both versions, of which some material is the same: what they remember of "
    "it, and practice, would raise agreement without any change of guidelines.",
    advice="To tell guidelines from memory, have {later} applied to material that nobody has seen, or that "
    "of {earlier} annotated by somebody new.",
)
PRACTISED = Message(
    "learning",
    "warning",
    "annotators",
    "{names} annotated under both versions: practice alone would raise agreement without any change of "
    "guidelines.",
    "To tell guidelines from practice, have somebody new annotate some documents under {later}.",
)
OTHERS = Message(
    "annotators-changed",
    "warning",
    "annotators",
    "Nobody annotated under both versions: {left} under {earlier}, {came} under {later}. Other people would "
    "move agreement as well as other guidelines do.",
    "Keep at least two annotators from one version to the next.",
)
STAY = OTHERS.advice
# Who came and who left, by whether there are pairs of which both annotated under both versions.
CAME = "The annotators are not the same: {came} came with {later}."
LEFT = "The annotators are not the same: {left} annotated under {earlier} only."
BOTH = "The annotators are not the same: {left} annotated under {earlier} only, {came} under {later} only."
PAIRS = "Look at the pairs of those who annotated under both versions: there nobody changed."
PEOPLE = {
    claim: {there: replace(OTHERS, claim=claim, advice=PAIRS if there else STAY) for there in (False, True)}
    for claim in (CAME, LEFT, BOTH)
}
EDITED = Message(
    "edited-documents",
    "note",
    "figures",
    "{edited} documents have another text under {later} than under {earlier}: they count as other documents.",
    "Annotate the same texts again where a revision is to be measured; white space makes no difference.",
)
MERGED = Message(
    "categories-merged",
    "note",
    "categories",
    "Labels of {earlier} are counted under the names that campaign.toml gives them for {later} ({merged}): "
    "its figures here differ from those of its own report.",
)
DIFFER = (
    "The categories are not the same: coefficients stand side by side without a test, and only categories of "
    "the same name are held against each other. "
)
SAY = (
    'Say with merged = {{ "…" = "…" }} in the [[guidelines]] of {later} what became of the earlier '
    "categories."
)
ONLY_EARLIER = Message(
    "categories-differ", "warning", "categories", f"{DIFFER}Only {{earlier}} has {{earlier_only}}.", SAY
)
ONLY_LATER = replace(ONLY_EARLIER, claim=f"{DIFFER}Only {{later}} has {{later_only}}.")
ONLY_BOTH = replace(
    ONLY_EARLIER,
    claim=f"{DIFFER}Only {{earlier}} has {{earlier_only}}, and only {{later}} has {{later_only}}.",
)


def learning(changes: Changes) -> Iterator[Finding]:
    """Yield who annotated under both versions, and so knows documents, or has practice."""
    revision, change = changes.revision, changes.change
    if revision is None or change is None or not revision.overlap.annotators:
        return
    again = revision.overlap.documents or revision.overlap.units
    known = {"documents": KNOWN, "units": KNOWN_UNITS}
    message = known.get(ground(revision), KNOWN_IN_PART if again else PRACTISED)
    # A rise is what learning would explain.
    if direction(change) != "rose":
        message = replace(message, severity="note")
    yield message.found(**several("names", revision.overlap.annotators), **changes.sides)


def annotators(changes: Changes) -> Iterator[Finding]:
    """Yield who came and who left between the two versions."""
    revision = changes.revision
    if revision is None or set(revision.first.annotators) == set(revision.second.annotators):
        return
    left = [each for each in revision.first.annotators if each not in revision.second.annotators]
    came = [each for each in revision.second.annotators if each not in revision.first.annotators]
    values = changes.sides | several("left", left) | several("came", came)
    if not revision.overlap.annotators:
        yield OTHERS.found(**values)
        return
    claim = BOTH if left and came else LEFT if left else CAME
    yield PEOPLE[claim][bool(revision.pairs)].found(**values)


def edited(changes: Changes) -> Iterator[Finding]:
    """Yield how many documents have another text than before."""
    if changes.revision is not None and changes.revision.overlap.edited:
        yield EDITED.found(edited=changes.revision.overlap.edited, **changes.sides)


def categories(changes: Changes) -> Iterator[Finding]:
    """Yield how the categories of the two versions answer to each other, where they are not the same."""
    revision = changes.revision
    if revision is None or revision.categories.how == "same":
        return
    if revision.categories.how == "merged":
        merged = [f"{old} → {new}" for old, new in revision.categories.merged.items()]
        yield MERGED.found(**several("merged", merged), **changes.sides)
        return
    earlier_only, later_only = revision.categories.first_only, revision.categories.second_only
    only = ONLY_BOTH if earlier_only and later_only else ONLY_EARLIER if earlier_only else ONLY_LATER
    found = several("earlier_only", earlier_only) | several("later_only", later_only)
    yield only.found(**found, **changes.sides)
