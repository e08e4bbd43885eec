"""How far can the difference be trusted: few documents, two tests, what would tell, what prevalence did."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.findings.certainty import FEW_DOCUMENTS, MOST_TIMES
from reportgen.findings.layer_facts import (
    CATEGORIES_SHOWN,
    LEVEL,
    NOTABLE,
    Changes,
    FindingTemplate,
    clusters,
    direction,
    ends,
    ground,
    name_values,
    p_of,
)
from reportgen.results import Figure, Finding
from reportgen.results.comparison import UnitSetRevision
from reportgen.results.parts import Change

AGREED = "observed_agreement"

FEW = FindingTemplate("few-documents-compared", "warning", "figures", kind="doubt").saying(
    "The comparison rests on {documents} documents in the smaller of the two versions; tests and intervals "
    "from fewer than {least} are rough: they may be wrong more, or less, often than once in twenty.",
    "Have more documents annotated under both versions rather than more units of the same ones.",
)
WOULD_SHOW = (
    "If there were a difference of {by}, a test would be more likely to miss it than to show it: "
    "{present} documents "
)
NEEDED = FindingTemplate("documents-needed", "note", "figures", kind="doubt").saying(
    f"{WOULD_SHOW}are in both versions, and it takes about {{needed}} to see it in four cases of five.",
    "Have about {more} more documents annotated under both versions; until then, do not take agreement as "
    "unchanged.",
)
NEEDED_UNITS = NEEDED.of_units()
NEEDED_EACH = NEEDED.saying(
    f"{WOULD_SHOW}are on the smaller side, and it takes about {{needed}} on each to see it in four "
    "cases of five.",
    "Fewer are enough where the same documents are annotated under both versions.",
)
NEEDED_EACH_UNITS = NEEDED_EACH.of_units()
TOO_SMALL = NEEDED.saying(
    "The data do not show whether {coefficient} changed: they allow any difference from {lowest} to "
    "{highest}. To see one as small as {by} in four cases of five takes about {needed} documents in each "
    "version.",
    "Say which difference would matter, as margin under [gate] in campaign.toml: the interval has to lie "
    "within it before agreement counts as unchanged.",
)
TOO_SMALL_UNITS = TOO_SMALL.of_units()
UNCHANGED = FindingTemplate("within-margin", "good", "figures").saying(
    "{coefficient} is unchanged within the margin of {margin} that campaign.toml declares: with 95% "
    "confidence the difference is from {lowest} to {highest}."
)
TESTS_DIFFER = FindingTemplate("tests-differ", "warning", "figures", kind="doubt").saying(
    "The two tests of {coefficient} do not agree: p is {p} by its standard error and {permutation_p} where "
    "versions are exchanged at random.",
    "Take the question as open, and cite both.",
)
BY_PREVALENCE = FindingTemplate("prevalence-moved", "warning", "figures", kind="doubt").saying(
    "{coefficient} moved by {difference}, of which {chance} comes from how often categories occur: with the "
    "disagreements of {earlier} and chance agreement as under {later} it would be {as_if}, and it was "
    "{before}.",
    "Read the specific agreement of each category before calling it the guidelines' doing.",
)
AGAINST_PREVALENCE = BY_PREVALENCE.saying(
    "{coefficient} hardly moved ({difference}), but annotators do disagree {less_share} less than under "
    "{earlier}: categories occur in other proportions, which makes agreement by chance more frequent.",
    "Read the specific agreement of each category.",
    severity="note",
)
AGAINST_PREVALENCE_MORE = BY_PREVALENCE.saying(
    "{coefficient} hardly moved ({difference}), but annotators do disagree {more_share} more than under "
    "{earlier}: categories occur in other proportions, which makes agreement by chance less frequent.",
    "Read the specific agreement of each category.",
)


def few_documents(changes: Changes) -> Iterator[Finding]:
    """Yield a warning where one side has fewer documents than a rough interval takes."""
    if changes.compared is None:
        return
    revision, change = changes.compared
    if change.test is None or revision.clusters == "unit":
        return
    if clusters(revision) < FEW_DOCUMENTS:
        yield FEW.finding(documents=clusters(revision), least=FEW_DOCUMENTS)


def documents_needed(changes: Changes) -> Iterator[Finding]:
    """Yield how many documents would show a difference of this size, where it isn't beyond chance.

    No test that fails to show a change shows that there is none: an interval within a declared margin does.
    """
    if changes.compared is None:
        return
    revision, change = changes.compared
    span, margin = ends(change), changes.comparison.margin
    if span is None or direction(change) not in {"open", "same"}:
        return
    low, high = span
    if margin is not None and -margin < low and high < margin:
        yield UNCHANGED.finding(**changes.naming, margin=f"{margin:g}", lowest=low, highest=high)
        return
    present, needed, by = clusters(revision), change.needed, abs(change.difference or 0.0)
    if needed is None or needed <= present:
        return
    if needed > MOST_TIMES * present:
        message = TOO_SMALL_UNITS if revision.clusters == "unit" else TOO_SMALL
        yield message.finding(by=by, needed=needed, lowest=low, highest=high, **changes.naming)
        return
    templates = {"documents": NEEDED, "units": NEEDED_UNITS}
    other = NEEDED_EACH_UNITS if revision.clusters == "unit" else NEEDED_EACH
    message = templates.get(ground(revision), other)
    yield message.finding(by=by, present=present, needed=needed, more=needed - present)


def tests_differ(changes: Changes) -> Iterator[Finding]:
    """Yield a warning where the two tests fall on different sides of the level."""
    change = changes.change
    if change is None or change.permutation is None:
        return
    p = p_of(change)
    if p is not None and (p < LEVEL) != (change.permutation.p < LEVEL):
        yield TESTS_DIFFER.finding(**changes.naming, p=p, permutation_p=change.permutation.p)


def prevalence(changes: Changes) -> Iterator[Finding]:
    """Yield what other proportions of the categories did to the coefficient, which is 1 - D_o / D_e.

    With D_e of the later version, D_o of the earlier gives the figure that the proportions alone would have
    made of it.
    """
    if changes.compared is None:
        return
    revision, change = changes.compared
    parts = _parts(change)
    if parts is None:
        return
    before, after, as_if, fewer = parts
    difference = change.difference or 0.0
    values = changes.sides | changes.naming | {"difference": difference}
    chance = as_if - before
    if abs(difference) >= NOTABLE:
        if direction(change) in {"rose", "fell"} and 2 * chance / difference > 1:
            yield BY_PREVALENCE.finding(chance=chance, as_if=as_if, before=before, **values)
    elif abs(difference) < NOTABLE / 2 and abs(after - as_if) >= NOTABLE and _disagreed(revision):
        if fewer > 0:
            yield AGAINST_PREVALENCE.finding(less_share=fewer, **values)
        else:
            yield AGAINST_PREVALENCE_MORE.finding(more_share=-fewer, **values)


def _disagreed(revision: UnitSetRevision) -> bool:
    """Tell whether observed disagreement, which the coefficient takes unweighted, moved beyond chance."""
    agreed = None if "[" in revision.figure else revision.measures.get(AGREED)
    return agreed is not None and direction(agreed) in {"rose", "fell"}


def _parts(change: Change) -> tuple[float, float, float, float] | None:
    """Return both values, what D_e alone would have made of the first, and by what share D_o fell."""
    first, second = _disagreements(change.first), _disagreements(change.second)
    if first is None or second is None or first[0] == 0:
        return None
    values = [1 - observed / expected for observed, expected in (first, second, (first[0], second[1]))]
    return values[0], values[1], values[2], 1 - second[0] / first[0]


def _disagreements(figure: Figure) -> tuple[float, float] | None:
    """Return observed and expected disagreement of a figure corrected for chance, None of any other."""
    observed, expected, value = figure.observed, figure.expected, figure.value
    if observed is None or expected is None or value is None:
        return None
    for pair in ((observed, expected), (1 - observed, 1 - expected)):
        if pair[1] and abs(1 - pair[0] / pair[1] - value) <= 1e-9:  # both have 12 digits
            return pair
    return None


# What else may have moved agreement: memory, practice, other people, other texts, other categories.

KNOWN = FindingTemplate("learning", "warning", "annotators", kind="doubt").saying(
    "{names} also annotated under {earlier}, where the same documents were annotated: what they remember "
    "of them, and practice, would raise agreement even if the guidelines had not changed.",
    "To rule out memory, have {later} applied to documents that nobody has seen, or these "
    "documents annotated by somebody new.",
)
KNOWN_UNITS = KNOWN.of_units()
KNOWN_IN_PART = replace(
    KNOWN,
    claim=(
        "{names} annotated under both versions, and some of the material is the same: what they remember of "
        "it, and practice, would raise agreement even if the guidelines had not changed."
    ),
    advice=(
        "To rule out memory, have {later} applied to material that nobody has seen, or that of "
        "{earlier} annotated by somebody new."
    ),
)
PRACTISED = KNOWN.saying(
    "{names} annotated under both versions: practice alone would raise agreement without any change of "
    "guidelines.",
    "To tell guidelines from practice, have somebody new annotate some documents under {later}.",
)
OTHERS = FindingTemplate("annotators-changed", "warning", "annotators", kind="doubt").saying(
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
EDITED = FindingTemplate("edited-documents", "note", "figures", kind="doubt").saying(
    "{edited} documents have another text under {later} than under {earlier}: they count as other documents.",
    "Annotate the same texts again where a revision is to be measured; white space makes no difference.",
)
MERGED = FindingTemplate("categories-merged", "note", "categories", kind="doubt").saying(
    "Labels of {earlier} are counted under the names that campaign.toml gives them for {later} ({merged}): "
    "its figures here differ from those of its own report."
)
SPLIT = MERGED.saying(
    "Labels of {later} that are parts of one of {earlier} are counted as that one ({split}): its figures "
    "here differ from those of its own report."
)
DIFFER = (
    "The categories are not the same: coefficients are shown side by side without a test, and only "
    "categories of the same name are compared. "
)
SAY = "Say in the [[guidelines]] of {later} what became of the earlier categories: {merged_line}"
ONLY_EARLIER = FindingTemplate(
    *("categories-differ", "warning", "categories"),
    f"{DIFFER}Only {{earlier}} has {{earlier_only}}.",
    SAY,
    kind="doubt",
)
ONLY_LATER = replace(ONLY_EARLIER, claim=f"{DIFFER}Only {{later}} has {{later_only}}.")
ONLY_BOTH = replace(
    ONLY_EARLIER,
    claim=f"{DIFFER}Only {{earlier}} has {{earlier_only}}, and only {{later}} has {{later_only}}.",
)


def learning(changes: Changes) -> Iterator[Finding]:
    """Yield who annotated under both versions, and so knows documents, or has practice."""
    if changes.compared is None:
        return
    revision, change = changes.compared
    if not revision.overlap.annotators:
        return
    again = revision.overlap.documents or revision.overlap.units
    templates = {"documents": KNOWN, "units": KNOWN_UNITS}
    message = templates.get(ground(revision), KNOWN_IN_PART if again else PRACTISED)
    # A rise is what learning would explain.
    if direction(change) != "rose":
        message = replace(message, severity="note")
    yield message.finding(**name_values("names", revision.overlap.annotators), **changes.sides)


def annotators(changes: Changes) -> Iterator[Finding]:
    """Yield who came and who left between the two versions."""
    revision = changes.revision
    if revision is None or set(revision.first.annotators) == set(revision.second.annotators):
        return
    left = [name for name in revision.first.annotators if name not in revision.second.annotators]
    came = [name for name in revision.second.annotators if name not in revision.first.annotators]
    values = changes.sides | name_values("left", left) | name_values("came", came)
    if not revision.overlap.annotators:
        yield OTHERS.finding(**values)
        return
    claim = BOTH if left and came else LEFT if left else CAME
    yield PEOPLE[claim][bool(revision.pairs)].finding(**values)


def edited(changes: Changes) -> Iterator[Finding]:
    """Yield how many documents have another text than before."""
    if changes.revision is not None and changes.revision.overlap.edited:
        yield EDITED.finding(edited=changes.revision.overlap.edited, **changes.sides)


def categories(changes: Changes) -> Iterator[Finding]:
    """Yield how the categories of the two versions answer to each other, where they are not the same."""
    revision = changes.revision
    if revision is None or revision.categories.how == "same":
        return
    if revision.categories.how == "merged":
        for template, key, names in (
            (MERGED, "merged", revision.categories.merged),
            (SPLIT, "split", revision.categories.split or {}),
        ):
            if names:
                pairs = [f"{old} → {new}" for old, new in names.items()]
                yield template.finding(**name_values(key, pairs), **changes.sides)
        return
    earlier_only, later_only = revision.categories.first_only, revision.categories.second_only
    only = ONLY_BOTH if earlier_only and later_only else ONLY_EARLIER if earlier_only else ONLY_LATER
    category_names = name_values("earlier_only", earlier_only) | name_values("later_only", later_only)
    line = _merged_line(earlier_only, later_only)
    yield only.finding(**category_names, merged_line=line, **changes.sides)


def _merged_line(earlier_only: Sequence[str], later_only: Sequence[str]) -> str:
    """Return the line of campaign.toml that says what became of categories, "…" where only its author knows.

    Of one that is there no more, those that are new are its parts; several become the one that is new.
    """
    parts = [json.dumps(name, ensure_ascii=False) for name in later_only[:CATEGORIES_SHOWN]]
    if len(earlier_only) == 1 or len(later_only) == 1:
        became = f"[{', '.join(parts)}]" if len(parts) > 1 else parts[0] if parts else '"…"'
    else:
        became = '"…"'
    if not earlier_only:
        became = f'["…", {", ".join(parts)}]'
    olds = [json.dumps(name, ensure_ascii=False) for name in earlier_only[:CATEGORIES_SHOWN]] or ['"…"']
    return f"merged = {{ {', '.join(f'{old} = {became}' for old in olds)} }}"
