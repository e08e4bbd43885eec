"""How good systems and models are beside reference and humans; whether one got worse."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.findings.layer_facts import (
    Direction,
    FindingTemplate,
    LayerFacts,
    Values,
    answer_of,
    direction,
    ends,
    fallen_categories,
    fallen_documents,
    figure_name,
    in_role,
    marks_or_primary,
    moved,
    name_values,
    p_of,
)
from reportgen.findings.verdicts import ABSENT, FEW_DOCUMENTS
from reportgen.measures.estimate import binomial_below, significant
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.annotators import ComparedSet, Comparison, ModelReplacement, Replacement, nearest
from reportgen.results.marks import CASE_KINDS, Outcomes, PairCases, SpanPair
from reportgen.results.parts import Change, SystemRevision

REFERENCE = "reference"
STRICT = "[strict]"

VERDICT = FindingTemplate("verdict", "note", "comparisons", kind="verdict", subject="systems")
REACHES = "Against {key}, {system} reaches {figure} {value}"
SPAN = " ({low} to {high})"
AGAINST = f"{{figure}} {{value}}{SPAN} against {{key}}"
NOW = VERDICT.saying(f"{REACHES}{SPAN}.")
NOW_ALONE = VERDICT.saying(f"{REACHES}, without an interval: {{reason}}.", severity="warning")
BEST = VERDICT.saying(
    f"{{system}} is clearly the best of {{systems}} systems: {AGAINST}; {{next}} is next with {{reached}} "
    "(p = {p})."
)
BETTER = VERDICT.saying(
    f"{{system}} is clearly better than {{next}}: {AGAINST}, where {{next}} has {{reached}} (p = {{p}})."
)
# Beside another system: no clear difference, none, or nothing that can be said.
BESIDE: Mapping[Direction, FindingTemplate] = {
    "open": VERDICT.saying(
        f"{{system}} comes first, but it is not certain that it is better than {{next}}: {AGAINST}, where "
        "{next} has {reached} (p = {p})."
    ),
    "same": VERDICT.saying(f"{{system}} and {{next}} do equally well: {AGAINST}."),
    "untested": VERDICT.saying(
        f"{{system}} comes first; whether it is better than {{next}} could not be tested: {AGAINST}, where "
        "{next} has {reached}."
    ),
    "fell": VERDICT.saying(
        f"{{system}} comes first, but on what both labelled {{next}} is better: {AGAINST}, where {{next}} "
        "has {reached} (p = {p})."
    ),
}
FIRST_ALONE = VERDICT.saying(
    "{system} comes first of {systems} systems: {figure} {value} against {key}, without an interval: "
    "{reason}.",
    severity="warning",
)
# Two figures that are printed alike.
CLOSE = 0.0005
WHERE, SHARED = ", where release {earlier} has {before}", "; on what both labelled"
ROSE = VERDICT.saying(
    f"{{system}} is clearly better than release {{earlier}}: {AGAINST}, up from {{before}} (p = {{p}}).",
    severity="good",
)
VERDICT_FELL = VERDICT.saying(
    f"{{system}} is clearly worse than release {{earlier}}: {AGAINST}, down from {{before}} (p = {{p}}).",
    severity="problem",
)
LIKE_BEFORE = VERDICT.saying(
    f"It is not certain that {{system}} differs from release {{earlier}}: {AGAINST}, where release "
    "{earlier} has {before} (p = {p})."
)
AS_BEFORE = VERDICT.saying(f"{{system}} does as well as release {{earlier}}: {AGAINST}.")
UNTESTED = VERDICT.saying(
    f"Whether {{system}} is better than release {{earlier}} could not be tested: {AGAINST}, where release "
    "{earlier} has {before}."
)
# The same where the two releases labelled other documents too: both are compared on what both labelled.
ON_BOTH: Mapping[str, FindingTemplate] = {
    "rose": replace(
        ROSE, claim=ROSE.claim.replace(", up from {before}", f"{SHARED}, up from {{before}} to {{after}}")
    ),
    "fell": replace(
        VERDICT_FELL,
        claim=VERDICT_FELL.claim.replace(
            ", down from {before}", f"{SHARED}, down from {{before}} to {{after}}"
        ),
    ),
    "open": replace(LIKE_BEFORE, claim=LIKE_BEFORE.claim.replace(WHERE, f"{SHARED}, {{after}}{WHERE}")),
    "untested": replace(UNTESTED, claim=UNTESTED.claim.replace(WHERE, f"{SHARED}, {{after}}{WHERE}")),
}
NOTHING = VERDICT.saying("Nobody can be compared with a reference: {reason}.", severity="warning")

# What the system can be used for: as annotators are, or where its errors do no harm.
USE = FindingTemplate("use", "note", "comparisons", kind="cause", subject="systems")
LIKE_HUMANS: Mapping[str, FindingTemplate] = {
    "above": USE.saying("It is nearer to {key} than annotators are to each other ({humans})."),
    "like": USE.saying("It is about as near to {key} as annotators are to each other ({humans})."),
    "below": USE.saying("It is farther from {key} than annotators are from each other ({humans})."),
}
BESIDE_HUMANS = {template.claim for template in LIKE_HUMANS.values()}
# All of one whole, the marks of the reference; what is invented is counted beside them.
OUTCOMES = USE.saying(
    "Of {marks} marks it finds {found}, {other} with another type or other ends, and {lost} not at all; it "
    "invents {invented}."
)
FINDS = USE.saying(
    "It finds {recall_share} of the marks with the right type and boundaries; {wrong_share} of its own marks "
    "are wrong."
)
MISTAKES = USE.saying("{wrong_share} of its labels are wrong.")

RESTS = FindingTemplate("caveat", "note", "comparisons", kind="caveat")
OVERLAP = RESTS.saying("Where marks need only overlap, F is {lenient}.")
OF_MARKS = RESTS.saying(
    "{system} finds {recall_share} of the marks of {key} with the right type and boundaries, and "
    "{precision_share} of its own are right."
)
OF_LABELS = RESTS.saying("{system} gives {observed_share} of {units} units the label of {key}.")

ERRORS = FindingTemplate("system-errors", "note", "spans", cases=("errors",))
DIFFERS = ERRORS.saying("{system} differs from {key} in {errors} cases.")
# What is looked at, by the kind of which there is most.
LOOK: Mapping[str, FindingTemplate] = {
    "missed": DIFFERS.saying(DIFFERS.claim, "Read the {missed} marks that {system} missed."),
    "spurious": DIFFERS.saying(DIFFERS.claim, "Read the {spurious} marks that only {system} has."),
    "type": DIFFERS.saying(DIFFERS.claim, "Read the {type} marks to which {system} gives another type."),
    "ends": DIFFERS.saying(DIFFERS.claim, "Read the {ends} marks that {system} begins or ends elsewhere."),
    "both": DIFFERS.saying(
        DIFFERS.claim, "Read the {both} marks to which {system} gives another type and other boundaries."
    ),
}
WEAK = FindingTemplate("system-weak-category", "warning", "comparisons", categories=("category",)).saying(
    "{system} is weakest on {category}: F {value} ({low} to {high}), where it reaches {whole} over all.",
    "Look at what {system} takes for {category}, and at what it misses of it.",
)
WORST = FindingTemplate("system-worst-documents", "warning", "spans").saying(
    "{there} of the {errors} marks on which {system} and {key} differ are in {names}; at the rate of the "
    "other documents there would be {expected}.",
    "Look at what is different in {names}.",
)
# Documents are named that have more errors than chance gives, in one test of all of them.
LEVEL_OF_DOCUMENTS = 0.01
LEAST_DOCUMENTS = 5


def compared(facts: LayerFacts) -> tuple[ComparedSet, list[Comparison]] | None:
    """Return who is compared with the first reference of a layer: by marks, else in its primary unit set.

    Those whose comparison is empty are not among them; None where nobody is left.
    """
    comparisons = facts.results.comparisons
    primary = {(facts.layer, facts.unit_set.id)}
    sets = [own for own in comparisons.sets if own.layer == facts.layer] if comparisons else []
    for own in marks_or_primary(sets, primary):
        every = [
            pair
            for pair in (comparisons.pairs if comparisons else ())
            if (pair.layer, pair.unit_set) == (own.layer, own.unit_set) and _value(own, pair) is not None
        ]
        # Without a reference a model is beside the only annotator.
        pairs = [pair for pair in every if pair.key_role == REFERENCE] or every
        systems = [pair for pair in pairs if pair.role != "annotator"] or pairs
        if systems:
            return own, [pair for pair in systems if pair.key == systems[0].key]
    return None


def verdict(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what the newest release reaches, with its change, or which of several systems comes nearest."""
    found = compared(facts)
    if found is None:
        # Why nobody is compared with a reference.
        figure = facts.figure
        yield NOTHING.finding(reason=(figure.undefined if figure else None) or ABSENT)
        return
    own, pairs = found
    chosen, systems = _first(own, pairs)
    figure = chosen.measures[own.figure]
    values: Values = {"figure": figure_name(facts.results, own), "value": figure.value, **naming(chosen)}
    span = ends(figure)
    if systems > 1:
        values["systems"] = systems
    if span is None:
        reason = figure.interval.undefined if figure.interval else None
        yield (FIRST_ALONE if systems > 1 else NOW_ALONE).finding(reason=reason or ABSENT, **values)
        return
    values |= {"low": span[0], "high": span[1]}
    if systems > 1:
        template, beside = _beside_others(own, nearest(pairs, own.figure)[1:])
        yield template.finding(**values, **beside)
        return
    revision = _revision(facts, own, chosen, pairs)
    if revision is None:
        yield NOW.finding(**values)
    else:
        yield _changed(revision, figure).finding(**values, **_before(revision, figure))


def _beside_others(own: ComparedSet, others: Sequence[Comparison]) -> tuple[FindingTemplate, Values]:
    """Return what to say of the first of several systems beside the `others`, the nearest of them first.

    It is the best where it is better than each of them beyond chance, both on the same documents; else it is
    said beside whom that is least certain. That it was chosen by its figure takes no correction (Hung and
    Fithian 2019, Annals of Statistics 47(2), 758-782).
    """
    courses = [(_course(pair.behind), pair) for pair in others]
    open_to = [found for found in courses if found[0][0] != "rose"]
    (course, p), pair = min(open_to or courses[:1], key=lambda found: (found[0][0], -(found[0][1] or 0.0)))
    tested: Values = {} if p is None else {"p": p}
    best = BEST if len(others) > 1 else BETTER
    return BESIDE.get(course, best), {"next": pair.shown_name, "reached": _value(own, pair), **tested}


def _course(behind: Change | None) -> tuple[Direction, float | None]:
    """Return which way the first differs from another system, and the p value where there is one."""
    return ("untested", None) if behind is None else (direction(behind), p_of(behind))


def answer(facts: LayerFacts) -> SubjectFigure | None:
    """Return what whoever the verdict names reaches; None where nobody is compared."""
    found = compared(facts)
    if found is None:
        return None
    own, pairs = found
    chosen, _systems = _first(own, pairs)
    names = naming(chosen)
    return answer_of(
        facts,
        own.figure,
        chosen.measures[own.figure],
        who=str(names["system"]),
        against=chosen.key,
        units=chosen.units,
        documents=chosen.documents or None,
    )


def _changed(revision: SystemRevision, figure: Figure) -> FindingTemplate:
    """Return what to say of the newest release, whose figure is given, beside the one before."""
    by_direction = {
        "rose": ROSE,
        "fell": VERDICT_FELL,
        "open": LIKE_BEFORE,
        "same": AS_BEFORE,
        "untested": UNTESTED,
    }
    course = direction(revision.measures[revision.figure])
    template = by_direction[course]
    return template if _is_of_all(revision, figure) else ON_BOTH.get(course, template)


def _is_of_all(revision: SystemRevision, figure: Figure) -> bool:
    """Tell whether the newest release's figure is the one compared, not that of more than both labelled."""
    after = revision.measures[revision.figure].second.value
    if revision.basis != "shared" or after is None or figure.value is None:
        return True
    return math.isclose(after, figure.value, abs_tol=CLOSE)


def _before(revision: SystemRevision, figure: Figure) -> Values:
    change = revision.measures[revision.figure]
    earlier = revision.releases[0] if revision.releases else revision.first
    p, both = p_of(change), moved(change)
    values: Values = {"earlier": earlier, "before": both["before"], **({} if p is None else {"p": p})}
    return values if _is_of_all(revision, figure) else {**values, "after": both["after"]}


def _first(own: ComparedSet, pairs: Sequence[Comparison]) -> tuple[Comparison, int]:
    """Return who is judged, and among how many systems: the newest release, of several the nearest."""
    newest = nearest(pairs, own.figure)
    return newest[0], len(newest)


def _revision(
    facts: LayerFacts, own: ComparedSet, chosen: Comparison, pairs: Sequence[Comparison]
) -> SystemRevision | None:
    """Return the newest release of a system against the one before; None where there is one alone."""
    before = pairs[-2].other if len(pairs) > 1 else None
    for revision in facts.results.releases or ():
        place = revision.layer, revision.unit_set, revision.key, revision.first, revision.second
        if place == (own.layer, own.unit_set, chosen.key, before, chosen.other):
            return revision if revision.figure in revision.measures else None
    return None


def _value(own: ComparedSet, pair: Comparison) -> float | None:
    return _value_of(pair.measures, own.figure)


def _value_of(figures: Mapping[str, Figure], name: str) -> float | None:
    figure = figures.get(name)
    return figure.value if figure else None


def naming(pair: Comparison) -> Values:
    """Return what messages call a system, with its release, and the reference."""
    return {"key": pair.key, "system": pair.shown_name}


def caveat(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what `use` leaves to say of precision and recall, or of labels that are right."""
    found = compared(facts)
    if found is None:
        return
    own, pairs = found
    chosen, _systems = _first(own, pairs)
    said = any(finding.claim not in BESIDE_HUMANS for finding in use(facts))
    basis = None if said else _basis(own, chosen)
    if basis is not None:
        template, values = basis
        yield template.finding(**values, **naming(chosen))
    lenient = _lenient(facts, chosen, strict=_value(own, chosen)) if own.unit_set is None else None
    if said and lenient is not None:
        yield OVERLAP.finding(lenient=lenient)


def use(facts: LayerFacts) -> Iterator[Finding]:
    """Yield what whoever is judged can be used for, with the errors to look at first as what to do.

    Beside annotators on the same units it is whether they come as near to each other, by the interval.
    """
    found = compared(facts)
    if found is None or len(facts.results.layers) > 1:
        return
    own, pairs = found
    chosen, _systems = _first(own, pairs)
    used = _used(facts, own, chosen)
    if used is None:
        return
    template, values = used
    error = next(errors(facts), None)
    advised = replace(template, advice=error.advice if error else "")
    yield advised.finding(**{**(error.values if error else {}), **values, **naming(chosen)})


def _used(facts: LayerFacts, own: ComparedSet, chosen: Comparison) -> tuple[FindingTemplate, Values] | None:
    humans = _value_of(chosen.humans.measures, own.figure) if chosen.humans else None
    span = ends(chosen.measures[own.figure])
    if humans is not None and span is not None:
        place = "above" if span[0] > humans else "below" if span[1] < humans else "like"
        return LIKE_HUMANS[place], {"humans": humans}
    right = _right(own, chosen)
    if right is None:
        return None
    recall, wrong = right[0], 1 - right[1]
    if own.unit_set is not None:
        return (MISTAKES, {"wrong_share": wrong}) if wrong else None
    if recall == 1 and not wrong:
        return None
    return _outcomes(facts, chosen) or (FINDS, {"recall_share": recall, "wrong_share": wrong})


def _outcomes(facts: LayerFacts, chosen: Comparison) -> tuple[FindingTemplate, Values] | None:
    """Return what becomes of the marks of the reference; None where it is not known which were not found."""
    cases, pair = _cases(facts, chosen), _spans_of(facts, chosen)
    if cases is None or pair is None:
        return None
    counts, kinds = pair.counts, by_kind(cases)
    marks = counts.match + counts.overlap + counts.only_first
    other = marks - counts.match - kinds["missed"]
    values = {"marks": marks, "found": counts.match, "other": other, "lost": kinds["missed"]}
    return OUTCOMES, {**values, "invented": kinds["spurious"]}


def _right(own: ComparedSet, chosen: Comparison) -> tuple[float, float] | None:
    """Return recall and precision of marks; of labels, which share is right, twice."""
    names = (f"recall{STRICT}", f"precision{STRICT}") if own.unit_set is None else ("observed_agreement",) * 2
    found, right = (_value_of(chosen.measures, name) for name in names)
    return None if found is None or right is None else (found, right)


def _basis(own: ComparedSet, chosen: Comparison) -> tuple[FindingTemplate, Values] | None:
    right = _right(own, chosen)
    if right is None:
        return None
    if own.unit_set is not None:
        return OF_LABELS, {"observed_share": right[1], "units": chosen.units}
    return OF_MARKS, {"recall_share": right[0], "precision_share": right[1]}


def _lenient(facts: LayerFacts, chosen: Comparison, *, strict: float | None) -> float | None:
    """Return F of marks that need only overlap, where it is another than the strict one."""
    pair = _spans_of(facts, chosen)
    lenient = _value_of(pair.lenient, "f_measure") if pair else None
    return None if lenient == strict else lenient


def _spans_of(facts: LayerFacts, chosen: Comparison) -> SpanPair | None:
    """Return the outcomes of the marks of whoever is judged; None where they are not known."""
    both = facts.layer, (chosen.key, chosen.other)
    pairs = facts.results.spans.pairs if facts.results.spans else ()
    return next((pair for pair in pairs if (pair.layer, pair.annotators) == both), None)


def _cases(facts: LayerFacts, chosen: Comparison) -> PairCases | None:
    """Return in what ways the marks of whoever is judged differ; None where that is not known."""
    own = facts.results.spans.disagreements_of(facts.layer) if facts.results.spans else None
    return own.of_pair(chosen.key, chosen.other) if own else None


def errors(facts: LayerFacts) -> Iterator[Finding]:
    """Yield in what ways whoever is judged differs from the reference, of marks in texts."""
    found = compared(facts)
    if found is None or found[0].unit_set is not None:
        return
    chosen, _systems = _first(*found)
    pair = _cases(facts, chosen)
    kinds = by_kind(pair) if pair else {}
    if any(kinds.values()):
        most, total = max(kinds, key=lambda kind: kinds[kind]), sum(kinds.values())
        # One alone shows nothing.
        template = LOOK[most] if kinds[most] > 1 else DIFFERS
        yield template.finding(errors=total, **kinds, **naming(chosen))


def by_kind(pair: PairCases) -> dict[str, int]:
    """Return how many marks somebody missed, has alone, typed otherwise, cut otherwise, and both."""
    kinds = dict.fromkeys(LOOK, 0)
    names = dict(zip(CASE_KINDS, ("ends", "type", "both"), strict=False))
    for case in pair.cases:
        kind = names.get(case.kind) or ("missed" if case.second is None else "spurious")
        kinds[kind] += case.cases
    return kinds


def weak_category(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the category on which whoever is judged is weakest, where that is more than chance."""
    found = compared(facts)
    if found is None:
        return
    own, pairs = found
    chosen, _systems = _first(own, pairs)
    whole = _value_of(chosen.measures, "specific_agreement[macro]" if own.unit_set else own.figure)
    by_category = {
        name: scores.specific_agreement
        for name, scores in chosen.by_category.items()
        if name != facts.unit_set.non_annotated and ends(scores.specific_agreement)
    }
    if whole is None or len(by_category) < 2:
        return
    weakest = min(by_category, key=lambda name: (by_category[name].value or 0.0, name))
    span = ends(by_category[weakest])
    if span and span[1] < whole:
        value = by_category[weakest].value
        values: Values = {"category": weakest, "value": value, "low": span[0], "high": span[1]}
        yield WEAK.finding(**values, whole=whole, **naming(chosen))


def worst_documents(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the documents in which whoever is judged errs more than in the others, beyond chance.

    Each document's marks without a match are compared with the rate of all others by a binomial test, with
    Holm's correction for the number of documents.
    """
    found = compared(facts)
    if found is None or found[0].unit_set is not None:
        return
    chosen, _systems = _first(*found)
    for pair in facts.results.spans.pairs if facts.results.spans else ():
        if (pair.layer, *pair.annotators) != (facts.layer, chosen.key, chosen.other):
            continue
        marks = {
            name: own
            for name, document in (pair.by_document or {}).items()
            if any(own := _erred(document.counts))
        }
        errors, every = (sum(of[place] for of in marks.values()) for place in (0, 1))
        names = _worse(marks, errors, every)
        there, marks_there = (sum(marks[name][place] for name in names) for place in (0, 1))
        if names:
            rate = (errors - there) / (every - marks_there)
            yield WORST.finding(
                there=there,
                errors=errors,
                expected=round(rate * marks_there),
                **name_values("names", names),
                **naming(chosen),
            )


def _erred(counts: Outcomes) -> tuple[int, int]:
    """Return how many marks of a document do not match, and how many there are, those of a pair once."""
    errors = counts.overlap + counts.only_first + counts.only_second
    return errors, errors + counts.match


def _worse(marks: Mapping[str, tuple[int, int]], errors: int, every: int) -> list[str]:
    """Return the documents with more errors than the rate of all others gives, those with most first."""
    if len(marks) < LEAST_DOCUMENTS:
        return []
    names = list(marks)
    tests = list[float]()
    for own_errors, own in marks.values():
        rate = (errors - own_errors) / (every - own)
        tests.append(1 - binomial_below(own_errors - 1, own, rate) if own_errors else 1.0)
    low = [names[place] for place in significant(tests, LEVEL_OF_DOCUMENTS)]
    return sorted(low, key=lambda name: (-marks[name][0], name))


ANNOTATOR = "annotator"
# More systems than these are read in the table.
MOST_SYSTEMS = 6

NOT_INDEPENDENT = FindingTemplate("reference-not-independent", "note", "comparisons", kind="limit").saying(
    "{reference} was made from the annotators' own marks: annotators agree with it more than with a "
    "reference that somebody else made.",
    "Compare annotators with each other; use this reference for systems, which had no part in it.",
)
THAN_HUMANS = (
    "{system} agrees with {key} ({figure} {value}) more than annotators agree with each other on the same "
    "{noun} ({humans}): the difference is {difference} ({low} to {high})."
)
ABOVE = FindingTemplate("system-above-humans", "note", "comparisons").saying(
    THAN_HUMANS,
    "Against an adjudicated reference human agreement is not an upper bound: compare with what single "
    "annotators reach there, {least} to {most}.",
)
ABOVE_ANNOTATORS = ABOVE.saying(
    THAN_HUMANS,
    "See whether it was trained on what {key} annotated, or whether {key} began from its proposals.",
)
WITHIN = FindingTemplate("system-within-humans", "note", "comparisons", kind="limit").saying(
    "No difference is shown between how {system} agrees with {key} ({figure} {value}) and how annotators "
    "agree with each other on the same {noun} ({humans}): {difference} ({low} to {high}).",
    "There may still be a difference: the interval says how large.",
)
FEW = FindingTemplate("system-few-documents", "warning", "comparisons", kind="limit").saying(
    "{system} was scored against {key} on {documents} documents; intervals from fewer than {least} are "
    "rough.",
    "Score it on more documents.",
)


def not_independent(facts: LayerFacts) -> Iterator[Finding]:
    """Yield each reference that was made from annotators' marks and that annotators are compared with."""
    references = {pair.key: None for _, pairs in _shown(facts) for pair in pairs if pair.independent is False}
    for name in references:
        yield NOT_INDEPENDENT.finding(reference=name)


def beside_humans(facts: LayerFacts) -> Iterator[Finding]:
    """Yield each system that does not agree less than annotators with each other on the same units."""
    for compared_set, pair in _systems(facts):
        yield from _beside_annotators(facts, compared_set, pair)


def few_documents(facts: LayerFacts) -> Iterator[Finding]:
    """Yield each system that is scored on few documents; where none is known, another rule says so."""
    for _, pair in _systems(facts):
        if 0 < pair.documents < FEW_DOCUMENTS:
            values: Values = {"least": FEW_DOCUMENTS, "key": pair.key, "documents": pair.documents}
            yield FEW.finding(**values, **_name(pair))


def _shown(facts: LayerFacts) -> Iterator[tuple[ComparedSet, list[Comparison]]]:
    """Yield what is compared in each layer: its marks in texts, or else its primary unit set."""
    comparisons = facts.results.comparisons
    if comparisons is None:
        return
    for compared_set in marks_or_primary(comparisons.sets, _primary(facts)):
        own = compared_set.layer, compared_set.unit_set
        yield compared_set, [pair for pair in comparisons.pairs if (pair.layer, pair.unit_set) == own]


def _primary(facts: LayerFacts) -> set[tuple[str, str]]:
    return {(unit_set.layer, unit_set.id) for unit_set in facts.results.unit_sets if unit_set.primary}


def _systems(facts: LayerFacts) -> Iterator[tuple[ComparedSet, Comparison]]:
    """Yield each system with what it is compared in, where there are few."""
    for compared_set, pairs in _shown(facts):
        systems = [pair for pair in pairs if pair.role != ANNOTATOR]
        if len(systems) <= MOST_SYSTEMS:
            yield from ((compared_set, pair) for pair in systems)


def _name(pair: Comparison) -> Values:
    """Return what messages call a system: its own name and release, or the name it has as an annotator."""
    release_name = " ".join(filter(None, (pair.system, pair.release)))
    return {"system": release_name} if release_name else in_role("system", pair.other, pair.role)


def _beside_annotators(facts: LayerFacts, compared_set: ComparedSet, pair: Comparison) -> Iterator[Finding]:
    """Yield whether a system agrees more than annotators among themselves, or no difference is shown."""
    change = pair.against_humans
    if change is None or change.test is None or change.difference is None:
        return
    interval = pair.for_any_annotators or change.interval
    span = interval.ends if interval else None
    if span is None or span[1] < 0:
        return
    values: Values = {
        "key": pair.key,
        "value": change.second.value,
        "humans": change.first.value,
        "difference": change.difference,
        "low": span[0],
        "high": span[1],
        **_name(pair),
        "figure": figure_name(facts.results, compared_set),
        "noun": _noun(facts, compared_set),
    }
    singles = _singles(compared_set, pair)
    if span[0] <= 0:
        yield WITHIN.finding(**values)
    elif singles:
        yield ABOVE.finding(**values, least=min(singles), most=max(singles))
    else:
        yield ABOVE_ANNOTATORS.finding(**values)


def _noun(facts: LayerFacts, compared_set: ComparedSet) -> str:
    """Return on what annotators are compared beside a system: units, or documents where it is marks."""
    own = (compared_set.layer, compared_set.unit_set)
    return next(
        (unit_set.noun for unit_set in facts.results.unit_sets if (unit_set.layer, unit_set.id) == own),
        "documents",
    )


def _singles(compared_set: ComparedSet, pair: Comparison) -> list[float]:
    """Return what each annotator reaches against the reference on the same units."""
    against = pair.humans.against_reference.values() if pair.humans else ()
    figures: list[Figure | None] = [scores.get(compared_set.figure) for scores in against]
    return [figure.value for figure in figures if figure is not None and figure.value is not None]


# Did a system get worse from one release to the next?

RELEASE_FELL = FindingTemplate("release-fell", "problem", "comparisons").saying(
    "{system} {second} is worse than {first} against {key}: {figure} fell from {before} to {after} "
    "(p = {p}).",
    "Look at the documents that fell most: {documents}.",
)
FELL_ON = FindingTemplate("release-fell-on", "problem", "comparisons").saying(
    "{system} {second} is worse than {first} against {key} on {categories}, beyond chance even with the "
    "number of categories taken into account.",
    "Look at these, whatever the figure over all categories does.",
)
NO_DOCUMENT = "–"


def release_fell(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the releases that are worse than the one before, beyond chance."""
    for revision in marks_or_primary(facts.results.releases or (), _primary(facts)):
        change = revision.measures.get(revision.figure)
        if change is not None and direction(change) == "fell":
            values = _values(facts, revision) | moved(change, p_of(change))
            yield RELEASE_FELL.finding(
                **name_values("documents", fallen_documents(revision) or [NO_DOCUMENT]), **values
            )


def release_fell_on(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the releases that are worse on a category, beyond chance after Holm."""
    for revision in marks_or_primary(facts.results.releases or (), _primary(facts)):
        if fell := fallen_categories(revision):
            yield FELL_ON.finding(**name_values("categories", fell), **_values(facts, revision))


def _values(facts: LayerFacts, revision: SystemRevision) -> Values:
    first, second = revision.releases or (revision.first, revision.second)
    figure = figure_name(facts.results, revision)
    return {
        "system": revision.system,
        "key": revision.key,
        "first": first,
        "second": second,
        "figure": figure,
    }


# May a model take an annotator's place, and is it known what it was asked?

MODEL = "model"
# More models than these are read in the table.
MOST_MODELS = 6

MAY = FindingTemplate("model-may-replace", "good", "models").saying(
    "{model} may replace an annotator at ε = {price}: it beat {beaten} of {tested} "
    "annotators, where half is enough.",
    "Have people check some of its labels all the same: the test shows how near it is to "
    "annotators, not whether it is right.",
)
MAY_NOT = FindingTemplate("model-may-not-replace", "note", "models").saying(
    "{model} may not replace an annotator at ε = {price}: it beat {beaten} of {tested} "
    "annotators, where half is needed.",
    "Keep people for this task, or change what the model is asked and test it on other texts.",
)
DIFFER = FindingTemplate("model-differs-by-document", "warning", "models").saying(
    "Whether {model} may replace an annotator at ε = {price} depends on the test: with independent units it "
    "beat {beaten} of {tested} annotators, with units clustered by document {by_document}.",
    "Trust the test by document: units of one document are not independent.",
)
NO_PROMPT = FindingTemplate("prompt-undeclared", "warning", "models", asks="account").saying(
    "The prompt of {models} is not declared, so nobody can repeat the annotation.",
    "Keep the prompt in a file, and name the file as prompt under [annotators] in campaign.toml.",
)


def replacing(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the verdict on each model of a layer, where the price of a person is declared."""
    for replacement in _of_layer(facts):
        for model in replacement.models[:MOST_MODELS]:
            if verdict := verdict_on(replacement, model):
                yield verdict


def prompts(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the models of a layer whose prompt is not declared."""
    for replacement in _of_layer(facts):
        if names := [
            model.shown_name for model in replacement.models if model.role == MODEL and not model.prompt
        ]:
            yield NO_PROMPT.finding(**name_values("models", names))


def verdict_on(replacement: Replacement, model: ModelReplacement) -> Finding | None:
    """Return the verdict on a model; None without a declared price or anybody who is tested."""
    rate, other = model.independent, model.clustered
    if replacement.epsilon is None or rate is None or rate.passes is None:
        return None
    values: Values = {
        "model": model.shown_name,
        "price": f"{replacement.epsilon:g}",
        "beaten": rate.beaten,
        "tested": rate.tested,
    }
    if model.differ and other is not None:
        return DIFFER.finding(by_document=other.beaten, **values)
    return (MAY if rate.passes else MAY_NOT).finding(**values)


def _of_layer(facts: LayerFacts) -> list[Replacement]:
    return [
        replacement for replacement in facts.results.replacement or () if replacement.layer == facts.layer
    ]
