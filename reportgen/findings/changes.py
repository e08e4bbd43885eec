"""Which figures, categories and systems moved between two versions, and how far that can be trusted."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter

from reportgen.findings.layer_facts import (
    CATEGORIES_SHOWN,
    NOTABLE,
    TENTATIVE,
    Direction,
    FindingTemplate,
    Ground,
    LayerChanges,
    Values,
    beyond_chance,
    clusters,
    direction,
    ends,
    fallen_categories,
    fallen_documents,
    figure_name,
    ground,
    has_categories,
    marks_or_primary,
    may_have_fallen,
    moved,
    name_values,
    p_of,
    revised,
    sizes,
)
from reportgen.findings.systems import ANNOTATOR
from reportgen.findings.verdicts import FEW_DOCUMENTS
from reportgen.results import Figure, Finding, Severity
from reportgen.results.parts import Change, SystemRevision
from reportgen.results.versions import UnitSetRevision, on_shared

# What the two sides have in common, as the end of a sentence.
ON: dict[Ground, str] = {
    "documents": "on the {documents} documents annotated under both versions",
    "units": "on the {units} units labelled under both versions",
    "some documents": "on all documents of each version ({documents} documents are in both)",
    "some units": "on all units of each version ({units} units are in both)",
    "other documents": "on different documents",
    "other units": "on different units",
    "unknown": "on units of which it isn't known whether they are the same",
}
VERDICT = FindingTemplate("verdict", "warning", "figures", kind="verdict")
BEYOND = "by {by} (95% interval {low} to {high}, p = {p})"
RATHER = "a difference of {difference} with an interval from {lowest} to {highest} (p = {p})"
UNTESTED = "no test says whether that is more than chance: {reason}"


def _messages(words: str) -> dict[Direction, FindingTemplate]:
    """Return what can be said of a coefficient, given the words for what it was compared on."""
    both = f"{{before}} ({{earlier}}) and {{after}} ({{later}}) {words}"
    said: dict[Direction, tuple[Severity, str]] = {
        "rose": ("good", f"rose from {{before}} ({{earlier}}) to {{after}} ({{later}}) {words}: {BEYOND}."),
        "fell": (
            "problem",
            f"fell from {{before}} ({{earlier}}) to {{after}} ({{later}}) {words}: {BEYOND}.",
        ),
        "open": ("note", f"did not move beyond chance: {both}, which is {RATHER}."),
        "same": ("note", f"is {{after}} under {{earlier}} and under {{later}} {words}."),
        "untested": ("warning", f"is {both}; {UNTESTED}."),
    }
    return {
        way: VERDICT.saying(f"{{coefficient}} {claim}", severity=severity)
        for way, (severity, claim) in said.items()
    }


MESSAGES: dict[Ground, dict[Direction, FindingTemplate]] = {
    where: _messages(words) for where, words in ON.items()
}
UNDEFINED_BEFORE = VERDICT.saying(
    "{coefficient} can't be computed for {earlier} ({reason}): there is nothing to compare it with."
)
UNDEFINED_NOW = VERDICT.saying(
    "{coefficient} can't be computed for {later} ({reason}): whether it moved is unknown."
)
NOTHING = VERDICT.saying(
    "{earlier} and {later} have no unit set in common: there is nothing to compare.",
    "Give both versions the same layers and unit sets in campaign.toml.",
)
NO_REASON = "it was not tested"

AGAIN = FindingTemplate("caveat", "note", "figures", kind="caveat").saying(
    "The same {documents} documents were annotated under both versions, so no difference comes from the "
    "material."
)
AGAIN_UNITS = AGAIN.saying(
    "The same {units} units were labelled under both versions, so no difference comes from the material. "
    "Intervals treat units as independent: where several come from one document, they are too narrow."
)
PARTLY = AGAIN.saying(
    "Material differs in part: {documents} documents are in both versions, of {earlier_documents} under "
    "{earlier} and {later_documents} under {later}. A difference may come from the other documents.",
    "Compare the versions on the documents that both have.",
    severity="warning",
)
PARTLY_UNITS = PARTLY.of_units()
DIFFERENT = AGAIN.saying(
    "Material differs: no document is in both versions ({earlier_documents} under {earlier}, "
    "{later_documents} under {later}). Harder or easier documents would move agreement just as other "
    "guidelines do.",
    "Have some documents of {earlier} annotated again under {later}: the same documents show smaller "
    "differences, and no change of material explains them.",
    severity="warning",
)
DIFFERENT_UNITS = DIFFERENT.of_units()
UNKNOWN = AGAIN.saying(
    "Nothing says whether the units of {earlier} are those of {later}: another choice of material would move "
    "agreement as well as other guidelines do.",
    "Export labels with the names of their units and documents, so that versions are compared on what both "
    "have.",
    severity="warning",
)
CAVEATS: dict[Ground, FindingTemplate] = {
    "documents": AGAIN,
    "units": AGAIN_UNITS,
    "some documents": PARTLY,
    "some units": PARTLY_UNITS,
    "other documents": DIFFERENT,
    "other units": DIFFERENT_UNITS,
    "unknown": UNKNOWN,
}


def verdict(changes: LayerChanges) -> Iterator[Finding]:
    """Yield whether the primary coefficient moved, by how much, and whether that is more than chance."""
    if changes.compared is None:
        yield NOTHING.finding(**changes.sides)
        return
    revision, change = changes.compared
    missing = next((figure for figure in (change.first, change.second) if figure.value is None), None)
    if missing is not None:
        message = UNDEFINED_BEFORE if missing is change.first else UNDEFINED_NOW
        yield message.finding(reason=missing.undefined or NO_REASON, **changes.naming, **changes.sides)
        return
    way = direction(change)
    values = changes.sides | sizes(revision) | moved(change, p_of(change))
    message, span = MESSAGES[ground(revision)][way], change.interval
    if way in {"open", "same"} and span is not None:
        values |= {"difference": change.difference, "lowest": span.low or 0.0, "highest": span.high or 0.0}
    # Where agreement fell in another layer, a rise is no good news.
    if way == "rose" and not all(_rose(other) for *_, other in beyond_chance(changes.other_layers)):
        message = replace(message, severity="warning")
    yield message.finding(reason=change.untested or NO_REASON, **changes.naming, **values)


def caveat(changes: LayerChanges) -> Iterator[Finding]:
    """Yield whether the material is the same on both sides."""
    if changes.revision is not None:
        values = changes.sides | sizes(changes.revision)
        yield CAVEATS[ground(changes.revision)].finding(**values)


# What moved beside the primary coefficient: other layers, marks in texts, all documents.

STRICT = "f_measure[strict]"

LAYER_ROSE = FindingTemplate("layer-changed", "good", "figures", kind="course").saying(
    "In the layer {layer} agreement rose: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers)."
)
LAYER_FELL = LAYER_ROSE.saying(
    "In the layer {layer} agreement fell: {coefficient} from {before} to {after} (p = {p}, corrected for the "
    "number of layers).",
    "See which categories of {layer} fell, and what {later} says of them.",
    severity="problem",
)
SPANS_ROSE = FindingTemplate("marks-changed", "good", "spans").saying(
    "Annotators mark the same stretches more often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, rose from {before} to {after} (p = {p})."
)
SPANS_FELL = SPANS_ROSE.saying(
    "Annotators mark the same stretches less often than before (layer {layer}): the strict F-measure, a mean "
    "over pairs, fell from {before} to {after} (p = {p}).",
    "See which types fell, and what {later} says of where a mark begins and ends.",
    severity="problem",
)


def layers(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the other layers whose primary coefficient moved beyond chance, Holm over these."""
    others = changes.other_layers
    for name, p, change in beyond_chance(others):
        values = {"layer": name, "coefficient": changes.coefficient_of(name)}
        message = LAYER_ROSE if _rose(change) else LAYER_FELL
        yield message.finding(**values, **changes.sides, **moved(change, p))


def spans(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the layers whose marks in texts agree more, or less, than before, Holm over the layers."""
    marked = {
        revision.layer: revision.measures[STRICT]
        for revision in on_shared(changes.comparison.spans, "layer")
        if STRICT in revision.measures
    }
    for name, p, change in beyond_chance(marked):
        message = SPANS_ROSE if _rose(change) else SPANS_FELL
        yield message.finding(layer=name, **changes.sides, **moved(change, p))


def _rose(change: Change) -> bool:
    return (change.difference or 0.0) > 0


# Did the categories move that the revision was about, and did others pay for it?

STAYED = FindingTemplate("category-stayed-below", "problem", "categories").saying(
    "Agreement on {category} beyond chance is still below {threshold} even though the revision "
    "deals with it: Scott's pi of {category} against all other labels was {before} under {earlier} "
    "and is {after} under {later}.",
    "Restate what {category} covers and what it does not, with examples from the units that are still "
    "disputed.",
)
STAYED_PERHAPS = STAYED.saying(
    "Agreement on {category} beyond chance may still be below {threshold} even though the revision "
    "deals with it: Scott's pi of {category} against all other labels was {before} under {earlier} "
    "and is {after} under {later}; the data allow up to {high}.",
    "Read the units of {category} that are still disputed before the next revision.",
    severity="warning",
)
FORGOTTEN = FindingTemplate("category-not-revised", "warning", "categories").saying(
    "Scott's pi of {category} against all other labels is below {threshold} under both versions ({before}, "
    "then {after}), and the revision does not name {category}.",
    "Say in the next version when a unit is {category}, with examples from the units that are disputed.",
)
WORSE = FindingTemplate("category-worse", "problem", "categories").saying(
    "{category} got worse: specific agreement fell from {before} to {after} (p = {p}, corrected for the "
    "number of categories).",
    "Read the units of {category} that were agreed before and are disputed now, and what {later} says of "
    "them.",
)
PERHAPS_WORSE = WORSE.saying(
    "{category} may have got worse: specific agreement went from {before} to {after}, which could "
    "be chance (p = {p}, corrected for the number of categories).",
    "Read the units of {category} that were agreed before and are disputed now.",
    severity="note",
)
BETTER = FindingTemplate("category-better", "good", "categories").saying(
    "{category} got better: specific agreement rose from {before} to {after} (p = {p}, corrected for the "
    "number of categories)."
)

MOST = 6
MORE_CATEGORIES = FindingTemplate(
    "category", "note", "categories", "The same is true of {more} more categories, which the table lists."
)


def stayed(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the categories below the threshold under both versions, and whether the revision names them.

    The threshold is Krippendorff's, for agreement beyond chance: each category is compared with all others.
    It is a problem where the later interval lies below it too.
    """
    documented = bool(changes.comparison.second.changes.strip() or changes.comparison.guidelines)
    named, others = list[Finding](), list[Finding]()
    for category, high, values in _below(changes):
        if revised(changes.comparison, category):
            named.append((STAYED if high < TENTATIVE else STAYED_PERHAPS).finding(high=high, **values))
        elif documented:
            others.append(FORGOTTEN.finding(**values))
    yield from _cut(named)
    yield from _cut(others)


def worse(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the categories whose agreement fell: beyond chance, or by much, and beyond other prevalence."""
    fell, perhaps = list[Finding](), list[tuple[float, Finding]]()
    for revision, category, change in _categories(changes):
        values = _tested(changes, revision, category, change)
        if _is_explained(revision, category, change):
            continue
        if direction(change, adjusted=True) == "fell":
            fell.append(WORSE.finding(**values))
        elif may_have_fallen(change, adjusted=True):
            perhaps.append((change.difference or 0.0, PERHAPS_WORSE.finding(**values)))
    yield from _cut(fell)
    yield from _cut(finding for _, finding in sorted(perhaps, key=itemgetter(0)))


def better(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the categories whose agreement rose beyond chance, and beyond what other prevalence explains."""
    yield from _cut(
        BETTER.finding(**_tested(changes, revision, category, change))
        for revision, category, change in _categories(changes)
        if direction(change, adjusted=True) == "rose" and not _is_explained(revision, category, change)
    )


def _is_explained(revision: UnitSetRevision, category: str, change: Change) -> bool:
    """Tell whether the category's prevalence in other material may have moved its specific agreement.

    Of a share p of labels with specific agreement s, one annotator alone gave p (1 - s) to units. Where these
    are all omissions, they grow with p, and s stays; where all are false alarms, they grow with 1 - p, and
    (1 - s) p / (1 - p) stays. The same skill lies between the two: a change is more than other prevalence
    if its interval lies beyond both. On the same material prevalence can't move.
    """
    if ground(revision) in {"documents", "units"}:
        return False
    before, difference, span = change.first.value, change.difference, ends(change)
    first, second = (side.label_shares.get(category) for side in (revision.first, revision.second))
    if before is None or difference is None or first is None or second is None:
        return False
    if not 0 < second < 1 or not 0 < first < 1:
        return True
    by_prevalence = (1 - before) * (1 - first / (1 - first) * (1 - second) / second)
    low, high = span or (difference, difference)
    return low <= max(by_prevalence, 0.0) if difference > 0 else high >= min(by_prevalence, 0.0)


def _cut(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first few findings of one kind, and how many more there are."""
    all_findings = list(findings)
    yield from all_findings[:MOST]
    for last in all_findings[MOST : MOST + 1]:
        same = {"id": last.id, "severity": last.severity, "evidence": last.evidence}
        yield MORE_CATEGORIES.finding(more=len(all_findings) - MOST).model_copy(update=same)


def _categories(changes: LayerChanges) -> Iterator[tuple[UnitSetRevision, str, Change]]:
    """Yield each category of each layer, in the order that the later version has them in."""
    for revision in filter(has_categories, changes.layers):
        for category in revision.second.categories:
            if category in revision.specific_agreement:
                yield revision, category, revision.specific_agreement[category]


def _below(changes: LayerChanges) -> Iterator[tuple[str, float, Values]]:
    """Yield the categories below the threshold under both versions, with the end of the later interval.

    Neighbouring points of a scale are confused without anybody being wrong about either, two categories are
    one question, and no definition mends a category that is the absence of a mark.
    """
    for revision, category, change in _categories(changes):
        if revision.scale == "ordinal" or len(revision.second.categories) <= 2:
            continue
        before = _beyond_chance(change.first.value, revision.first.label_shares.get(category))
        share = revision.second.label_shares.get(category)
        after = _beyond_chance(change.second.value, share)
        if before is None or after is None or category == revision.non_annotated:
            continue
        if max(before, after) < TENTATIVE:
            high = _beyond_chance((ends(change.second) or (0.0, 1.0))[1], share)
            values = changes.sides | {"before": before, "after": after, "threshold": f"{TENTATIVE:g}"}
            values |= changes.named(category, revision)
            yield category, 1.0 if high is None else high, values


def _beyond_chance(specific: float | None, share: float | None) -> float | None:
    """Return Scott's pi of a category against the rest, of its specific agreement and share of all labels.

    With b + c = 2 n p (1 - s) units that one of two annotators alone gave the category, D_o is (b + c) / n
    and D_e 2 p (1 - p): pi = 1 - (1 - s) / (1 - p). Fleiss (1971) has the same for more annotators.
    """
    if specific is None or share is None or share >= 1:
        return None
    return 1 - (1 - specific) / (1 - share)


def _tested(changes: LayerChanges, revision: UnitSetRevision, category: str, change: Change) -> Values:
    return changes.sides | changes.named(category, revision) | moved(change, p_of(change, adjusted=True))


FEW = FindingTemplate("few-documents-compared", "warning", "figures", kind="doubt").saying(
    "The comparison rests on {documents} documents in the smaller of the two versions; tests and intervals "
    "from fewer than {least} are rough: they may be wrong more, or less, often than once in twenty.",
    "Have more documents annotated under both versions rather than more units of the same ones.",
)
NEEDED = FindingTemplate("documents-needed", "note", "figures", kind="doubt").saying(
    "To see a difference of {by} in four cases of five takes about {needed} documents in each version; "
    "{present} are there.",
    "Until then, do not take agreement as unchanged.",
)
NEEDED_UNITS = NEEDED.of_units()
UNCHANGED = FindingTemplate("within-margin", "good", "figures").saying(
    "{coefficient} is unchanged within the margin of {margin} that campaign.toml declares: with 95% "
    "confidence the difference is from {lowest} to {highest}."
)
BY_PREVALENCE = FindingTemplate("prevalence-moved", "warning", "figures", kind="doubt").saying(
    "{coefficient} moved by {difference}, of which {chance} comes from how often categories occur: with the "
    "disagreements of {earlier} and chance agreement as under {later} it would be {as_if}, and it was "
    "{before}.",
    "Read the specific agreement of each category before calling it the guidelines' doing.",
)


def few_documents(changes: LayerChanges) -> Iterator[Finding]:
    """Yield a warning where one side has fewer documents than a rough interval takes."""
    if changes.compared is None:
        return
    revision, change = changes.compared
    if change.test is None or revision.clusters == "unit":
        return
    if clusters(revision) < FEW_DOCUMENTS:
        yield FEW.finding(documents=clusters(revision), least=FEW_DOCUMENTS)


def documents_needed(changes: LayerChanges) -> Iterator[Finding]:
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
    message = NEEDED_UNITS if revision.clusters == "unit" else NEEDED
    yield message.finding(by=by, present=present, needed=needed)


def prevalence(changes: LayerChanges) -> Iterator[Finding]:
    """Yield what other proportions of the categories did to the coefficient, which is 1 - D_o / D_e.

    With D_e of the later version, D_o of the earlier gives the figure that the proportions alone would have
    made of it.
    """
    if changes.compared is None:
        return
    _, change = changes.compared
    parts = _parts(change)
    if parts is None:
        return
    before, as_if = parts
    difference, chance = change.difference or 0.0, as_if - before
    if abs(difference) >= NOTABLE and direction(change) in {"rose", "fell"} and 2 * chance / difference > 1:
        values = changes.sides | changes.naming | {"difference": difference}
        yield BY_PREVALENCE.finding(chance=chance, as_if=as_if, before=before, **values)


def _parts(change: Change) -> tuple[float, float] | None:
    """Return the earlier value, and what D_e alone would have made of it."""
    first, second = _disagreements(change.first), _disagreements(change.second)
    if first is None or second is None or first[0] == 0:
        return None
    return 1 - first[0] / first[1], 1 - first[0] / second[1]


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

LEARNT = FindingTemplate("learning", "warning", "annotators", kind="doubt")
KNOWN = LEARNT.saying(
    "{names} annotated some of the same under both versions: memory and practice would raise agreement even "
    "if the guidelines had not changed.",
    "Have somebody new apply {later}.",
)
PRACTISED = LEARNT.saying(
    "{names} annotated under both versions: practice would raise agreement even if the guidelines had not "
    "changed.",
    KNOWN.advice,
)
OTHER_ANNOTATORS = FindingTemplate("annotators-changed", "warning", "annotators", kind="doubt").saying(
    "Nobody annotated under both versions: {left} under {earlier}, {came} under {later}. Other people would "
    "move agreement as well as other guidelines do.",
    "Keep at least two annotators from one version to the next.",
)
SOME_CHANGED = OTHER_ANNOTATORS.saying(
    "Not everybody annotated under both versions: {names} did not.", OTHER_ANNOTATORS.advice
)
PAIRS = SOME_CHANGED.saying(
    SOME_CHANGED.claim, "Look at the pairs of those who annotated under both versions: there nobody changed."
)
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
DIFFER = FindingTemplate("categories-differ", "warning", "categories", kind="doubt").saying(
    "The two versions use different categories, so coefficients are not tested: {only} are in one of them "
    "alone.",
    "Say in the [[guidelines]] of {later} what became of the earlier categories: {merged_line}",
)


def learning(changes: LayerChanges) -> Iterator[Finding]:
    """Yield who annotated under both versions, and so knows documents, or has practice."""
    if changes.compared is None:
        return
    revision, change = changes.compared
    if not revision.overlap.annotators:
        return
    again = revision.overlap.documents or revision.overlap.units
    message = KNOWN if again or ground(revision) in {"documents", "units"} else PRACTISED
    # A rise is what learning would explain.
    if direction(change) != "rose":
        message = replace(message, severity="note")
    yield message.finding(**name_values("names", revision.overlap.annotators), **changes.sides)


def annotators(changes: LayerChanges) -> Iterator[Finding]:
    """Yield who came and who left between the two versions."""
    revision = changes.revision
    if revision is None or set(revision.first.annotators) == set(revision.second.annotators):
        return
    left = [name for name in revision.first.annotators if name not in revision.second.annotators]
    came = [name for name in revision.second.annotators if name not in revision.first.annotators]
    if not revision.overlap.annotators:
        values = name_values("left", left) | name_values("came", came)
        yield OTHER_ANNOTATORS.finding(**values, **changes.sides)
        return
    message = PAIRS if revision.pairs else SOME_CHANGED
    yield message.finding(**name_values("names", [*left, *came]), **changes.sides)


def edited(changes: LayerChanges) -> Iterator[Finding]:
    """Yield how many documents have another text than before."""
    if changes.revision is not None and changes.revision.overlap.edited:
        yield EDITED.finding(edited=changes.revision.overlap.edited, **changes.sides)


def matched_categories(changes: LayerChanges) -> Iterator[Finding]:
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
    # The line of campaign.toml that says what became of categories, "…" where only its author knows. Of one
    # that is there no more, those that are new are its parts; several become the one that is new.
    parts = [json.dumps(name, ensure_ascii=False) for name in later_only[:CATEGORIES_SHOWN]]
    if len(earlier_only) == 1 or len(later_only) == 1:
        became = f"[{', '.join(parts)}]" if len(parts) > 1 else parts[0] if parts else '"…"'
    else:
        became = '"…"'
    if not earlier_only:
        became = f'["…", {", ".join(parts)}]'
    olds = [json.dumps(name, ensure_ascii=False) for name in earlier_only[:CATEGORIES_SHOWN]] or ['"…"']
    line = f"merged = {{ {', '.join(f'{old} = {became}' for old in olds)} }}"
    only = name_values("only", [*earlier_only, *later_only])
    yield DIFFER.finding(**only, merged_line=line, **changes.sides)


REGRESSED = FindingTemplate("system-regressed", "problem", "systems").saying(
    "{system} fell against {key}: {figure} from {before} to {after} (p = {p}).",
    "Look at the documents that fell most: {documents}.",
)
FELL = REGRESSED.saying(
    "{system} may have fallen against {key}: {figure} went from {before} to {after}, which could "
    "be chance (p = {p}).",
    "Look at the documents that fell most: {documents}.",
    severity="note",
)
ROSE = FindingTemplate("system-rose", "good", "systems").saying(
    "{system} rose against {key}: {figure} from {before} to {after} (p = {p})."
)
CATEGORY_REGRESSED = FindingTemplate("system-category-regressed", "problem", "systems").saying(
    "{system} fell against {key} on {categories}, beyond chance even with the number of categories taken "
    "into account.",
    "Look at these, whatever the figure over all categories does.",
)


def regressed(changes: LayerChanges) -> Iterator[Finding]:
    """Yield who fell against the reference: beyond chance, or by much."""
    for revision, change, values in _moved(changes):
        message = REGRESSED if direction(change) == "fell" else FELL
        if message is REGRESSED or may_have_fallen(change):
            # Advice is about the documents that are known to have fallen.
            advice = message.advice if fallen_documents(revision) else ""
            yield replace(message, advice=advice).finding(**values)


def rose(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the systems, not annotators, that rose beyond chance."""
    for revision, change, values in _moved(changes):
        if revision.role != ANNOTATOR and direction(change) == "rose":
            yield ROSE.finding(**values)


def categories_of_systems(changes: LayerChanges) -> Iterator[Finding]:
    """Yield the systems that fell beyond chance on a category."""
    for revision in _systems(changes):
        if fell := fallen_categories(revision):
            values: Values = {"system": revision.system, "key": revision.key}
            yield CATEGORY_REGRESSED.finding(**values, **name_values("categories", fell))


def _moved(changes: LayerChanges) -> Iterator[tuple[SystemRevision, Change, Values]]:
    """Yield each system with the figure that is shown first, and what messages say of it."""
    for revision in _systems(changes):
        if change := revision.measures.get(revision.figure):
            figure = figure_name(changes.comparison, revision)
            values: Values = {"system": revision.system, "key": revision.key, "figure": figure}
            values |= name_values("documents", fallen_documents(revision)) | moved(change, p_of(change))
            yield revision, change, values


def _systems(changes: LayerChanges) -> list[SystemRevision]:
    """Return each system once a layer: marks in texts or else the primary unit set, on what both share."""
    primary = {(units.layer, units.unit_set) for units in changes.comparison.unit_sets if units.primary}
    return on_shared(marks_or_primary(changes.comparison.systems, primary), "layer", "system", "key")
