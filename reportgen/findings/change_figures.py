"""Which figures moved, is it more than chance, and on what? The coefficient, layers, categories."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter

from reportgen.findings.layer_facts import (
    NOTABLE,
    TENTATIVE,
    Changes,
    Direction,
    FindingTemplate,
    Ground,
    Values,
    beyond_chance,
    direction,
    ends,
    ground,
    has_categories,
    may_have_fallen,
    moved,
    name_values,
    p_of,
    revised,
    sizes,
)
from reportgen.results import Finding, Severity
from reportgen.results.comparison import UnitSetRevision, on_shared
from reportgen.results.parts import Change

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
# The same value twice, which the data need not show to be the same.
SAME: dict[Ground, FindingTemplate] = {
    where: VERDICT.saying(
        f"{{coefficient}} is {{after}} under {{earlier}} and under {{later}} {words}; with 95% confidence "
        "the difference is from {lowest} to {highest}.",
        severity="note",
    )
    for where, words in ON.items()
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


def verdict(changes: Changes) -> Iterator[Finding]:
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
        message = SAME[ground(revision)] if way == "same" else message
    # Where agreement fell in another layer, a rise is no good news.
    if way == "rose" and not all(_rose(other) for *_, other in beyond_chance(changes.other_layers)):
        message = replace(message, severity="warning")
    yield message.finding(reason=change.untested or NO_REASON, **changes.naming, **values)


def caveat(changes: Changes) -> Iterator[Finding]:
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
LAYERS_OPEN = FindingTemplate("layers-open", "note", "figures").saying(
    "Chance alone could have moved agreement as much as it moved in {layers}."
)
LAYERS_UNTESTED = LAYERS_OPEN.saying("Whether agreement moved in {layers} was not tested.")
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
OTHERWISE = FindingTemplate("all-documents", "warning", "figures").saying(
    "Over all documents of each version {coefficient} went from {before} to {after}, {difference}; over the "
    "documents of both versions it moved by {shared}. The rest comes from the documents that only one "
    "version has.",
    "Cite the difference over the documents of both versions.",
)
OTHERWISE_UNITS = OTHERWISE.of_units()


def layers(changes: Changes) -> Iterator[Finding]:
    """Yield the other layers whose primary coefficient moved beyond chance, Holm over these, and the rest."""
    others = changes.other_layers
    unmoved = {name: p_of(change) for name, change in others.items()}
    for name, p, change in beyond_chance(others):
        del unmoved[name]
        values = {"layer": name, "coefficient": changes.coefficient_of(name)}
        message = LAYER_ROSE if _rose(change) else LAYER_FELL
        yield message.finding(**values, **changes.sides, **moved(change, p))
    if names := [name for name, p in unmoved.items() if p is not None]:
        yield LAYERS_OPEN.finding(**name_values("layers", names))
    if names := [name for name, p in unmoved.items() if p is None]:
        yield LAYERS_UNTESTED.finding(**name_values("layers", names))


def spans(changes: Changes) -> Iterator[Finding]:
    """Yield the layers whose marks in texts agree more, or less, than before, Holm over the layers."""
    marked = {
        revision.layer: revision.measures[STRICT]
        for revision in on_shared(changes.comparison.spans, "layer")
        if STRICT in revision.measures
    }
    for name, p, change in beyond_chance(marked):
        message = SPANS_ROSE if _rose(change) else SPANS_FELL
        yield message.finding(layer=name, **changes.sides, **moved(change, p))


def all_documents(changes: Changes) -> Iterator[Finding]:
    """Yield that a figure moved otherwise over all documents than over those of both versions."""
    if changes.compared is None:
        return
    own, change = changes.compared
    if own.basis != "shared":
        return
    where = own.layer, own.unit_set, "all"
    for revision in changes.comparison.unit_sets:
        of_all = revision.measures.get(own.figure)
        if (revision.layer, revision.unit_set, revision.basis) != where or of_all is None:
            continue
        shared, difference = change.difference, of_all.difference
        if shared is not None and difference is not None and abs(difference - shared) >= NOTABLE:
            message = OTHERWISE_UNITS if own.clusters == "unit" else OTHERWISE
            yield message.finding(**changes.naming, **moved(of_all), difference=difference, shared=shared)


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
    "{category} may have got worse: specific agreement went from {before} to {after}, which chance alone "
    "could do (p = {p}, corrected for the number of categories).",
    "Read the units of {category} that were agreed before and are disputed now.",
    severity="note",
)
BETTER = FindingTemplate("category-better", "good", "categories").saying(
    "{category} got better: specific agreement rose from {before} to {after} (p = {p}, corrected for the "
    "number of categories)."
)

MOST = 6
OTHERS = FindingTemplate(
    "category", "note", "categories", "The same is true of {more} more categories, which the table lists."
)


def stayed(changes: Changes) -> Iterator[Finding]:
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


def worse(changes: Changes) -> Iterator[Finding]:
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


def better(changes: Changes) -> Iterator[Finding]:
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
        yield OTHERS.finding(more=len(all_findings) - MOST).model_copy(update=same)


def _categories(changes: Changes) -> Iterator[tuple[UnitSetRevision, str, Change]]:
    """Yield each category of each layer, in the order that the later version has them in."""
    for revision in filter(has_categories, changes.layers):
        for category in revision.second.categories:
            if category in revision.specific_agreement:
                yield revision, category, revision.specific_agreement[category]


def _below(changes: Changes) -> Iterator[tuple[str, float, Values]]:
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


def _tested(changes: Changes, revision: UnitSetRevision, category: str, change: Change) -> Values:
    return changes.sides | changes.named(category, revision) | moved(change, p_of(change, adjusted=True))
