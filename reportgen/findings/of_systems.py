"""How near do systems, or releases of one, come to the reference? What a report on them opens with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.findings.certainty import ABSENT
from reportgen.findings.layer_facts import (
    Direction,
    Facts,
    FindingTemplate,
    Values,
    answer_of,
    direction,
    ends,
    figure_name,
    marks_or_primary,
    moved,
    name_values,
    p_of,
)
from reportgen.measures.distributions import binomial_below, significant
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.annotators import ComparedSet, Comparison, nearest
from reportgen.results.marks import CASE_KINDS, Outcomes, PairCases
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
ROSE = VERDICT.saying(
    f"{{system}} is clearly better than release {{earlier}}: {AGAINST}, up from {{before}} (p = {{p}}).",
    severity="good",
)
FELL = VERDICT.saying(
    f"{{system}} is clearly worse than release {{earlier}}: {AGAINST}, down from {{before}} (p = {{p}}).",
    severity="problem",
)
LIKE_BEFORE = VERDICT.saying(
    f"It is not certain that {{system}} differs from release {{earlier}}: {AGAINST}, then {{before}} "
    "(p = {p})."
)
AS_BEFORE = VERDICT.saying(f"{{system}} does as well as release {{earlier}}: {AGAINST}.")
UNTESTED = VERDICT.saying(
    f"Whether {{system}} is better than release {{earlier}} could not be tested: {AGAINST}, then {{before}}."
)
NOTHING = VERDICT.saying("Nobody can be compared with a reference: {reason}.", severity="warning")

# What the system can be used for: as annotators are, or where its errors do no harm.
USE = FindingTemplate("use", "note", "comparisons", kind="cause", subject="systems")
LIKE_HUMANS: Mapping[str, FindingTemplate] = {
    "above": USE.saying("It is nearer to {key} than annotators are to each other ({humans})."),
    "like": USE.saying("It is about as near to {key} as annotators are to each other ({humans})."),
    "below": USE.saying("It is farther from {key} than annotators are from each other ({humans})."),
}
BESIDE_HUMANS = {template.claim for template in LIKE_HUMANS.values()}
MISSES = USE.saying(
    "Use it only if you can do without {missed_share} of the marks, and if {wrong_share} of its own may "
    "be wrong."
)
MISSES_ALONE = USE.saying(
    "Use it only if you can do without {missed_share} of the marks; every mark that it made here is right."
)
ADDS_ALONE = USE.saying("It finds every mark; use it only if {wrong_share} of its own may be wrong.")
MISTAKES = USE.saying("Use it only if {wrong_share} of the labels may be wrong.")

RESTS = FindingTemplate("caveat", "note", "comparisons", kind="caveat")
OVERLAP = RESTS.saying("Where marks need only overlap, F is {lenient}.")
OF_MARKS = RESTS.saying(
    "{system} finds {recall_share} of the marks of {key}, and {precision_share} of its own are right."
)
OF_LABELS = RESTS.saying("{system} gives {observed_share} of {units} units the label of {key}.")

ERRORS = FindingTemplate("system-errors", "note", "spans", cases=("errors",))
DIFFERS = "{system} differs from {key} in {errors} cases"
# What is looked at first, by the kind of which there is most.
IN_COMMON = ", and find what they have in common."
LOOK: Mapping[str, FindingTemplate] = {
    "missed": ERRORS.saying(
        f"{DIFFERS}; {{missed}} are marks that it missed.",
        f"Read the {{missed}} marks that {{system}} missed{IN_COMMON}",
    ),
    "spurious": ERRORS.saying(
        f"{DIFFERS}; {{spurious}} are marks that {{key}} does not have.",
        f"Read the {{spurious}} marks that only {{system}} has{IN_COMMON}",
    ),
    "type": ERRORS.saying(
        f"{DIFFERS}; {{type}} have another type.",
        f"Read the {{type}} marks to which {{system}} gives another type{IN_COMMON}",
    ),
    "ends": ERRORS.saying(
        f"{DIFFERS}; {{ends}} have other boundaries.",
        f"Read the {{ends}} marks that {{system}} begins or ends elsewhere{IN_COMMON}",
    ),
    "both": ERRORS.saying(
        f"{DIFFERS}; {{both}} have another type and other boundaries.",
        f"Read the {{both}} marks to which {{system}} gives another type and other boundaries{IN_COMMON}",
    ),
}
# The same where there is no other kind.
LOOK_AT_ALL = {
    kind: replace(template, claim=template.claim.replace(f"; {{{kind}}}", "; all"))
    for kind, template in LOOK.items()
}
WEAK = FindingTemplate("system-weak-category", "warning", "comparisons", categories=("category",)).saying(
    "{system} is weakest on {category}: F {value} ({low} to {high}), where it reaches {whole} over all.",
    "Look first at what {system} takes for {category}, and at what it misses of it.",
)
WORST = FindingTemplate("system-worst-documents", "warning", "spans").saying(
    "{there} of the {errors} marks on which {system} and {key} differ are in {names}; at the rate of the "
    "other documents there would be {expected}.",
    "Look first at what is different in {names}.",
)
# Documents are named that have more errors than chance gives, in one test of all of them.
LEVEL_OF_DOCUMENTS = 0.01
LEAST_DOCUMENTS = 5


def compared(facts: Facts) -> tuple[ComparedSet, list[Comparison]] | None:
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


def verdict(facts: Facts) -> Iterator[Finding]:
    """Yield what the newest release reaches, with its change, or which of several systems comes nearest."""
    found = compared(facts)
    if found is None:
        yield NOTHING.finding(reason=_why_nothing(facts))
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
        template, beside = _beside(own, nearest(pairs, own.figure)[1:])
        yield template.finding(**values, **beside)
        return
    revision = _revision(facts, own, chosen, pairs)
    if revision is None:
        yield NOW.finding(**values)
    else:
        yield _changed(revision).finding(**values, **_before(revision))


def _beside(own: ComparedSet, others: Sequence[Comparison]) -> tuple[FindingTemplate, Values]:
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


def answer(facts: Facts) -> SubjectFigure | None:
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


def _changed(revision: SystemRevision) -> FindingTemplate:
    """Return what to say of the newest release beside the one before."""
    by_direction = {"rose": ROSE, "fell": FELL, "open": LIKE_BEFORE, "same": AS_BEFORE, "untested": UNTESTED}
    return by_direction[direction(revision.measures[revision.figure])]


def _before(revision: SystemRevision) -> Values:
    change = revision.measures[revision.figure]
    earlier = revision.releases[0] if revision.releases else revision.first
    p = p_of(change)
    return {"earlier": earlier, "before": moved(change)["before"], **({} if p is None else {"p": p})}


def _first(own: ComparedSet, pairs: Sequence[Comparison]) -> tuple[Comparison, int]:
    """Return who is judged, and among how many systems: the newest release, of several the nearest."""
    newest = nearest(pairs, own.figure)
    return newest[0], len(newest)


def _revision(
    facts: Facts, own: ComparedSet, chosen: Comparison, pairs: Sequence[Comparison]
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


def _why_nothing(facts: Facts) -> str:
    """Return why nobody is compared with a reference."""
    figure = facts.figure
    return (figure.undefined if figure else None) or ABSENT


def caveat(facts: Facts) -> Iterator[Finding]:
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


def use(facts: Facts) -> Iterator[Finding]:
    """Yield what whoever is judged can be used for, with the errors to look at first as what to do.

    Beside annotators on the same units it is whether they come as near to each other, by the interval.
    """
    found = compared(facts)
    if found is None or len(facts.results.layers) > 1:
        return
    own, pairs = found
    chosen, _systems = _first(own, pairs)
    used = _used(own, chosen)
    if used is None:
        return
    template, values = used
    error = next(errors(facts), None)
    advised = replace(template, advice=error.advice if error else "")
    yield advised.finding(**{**(error.values if error else {}), **values, **naming(chosen)})


def _used(own: ComparedSet, chosen: Comparison) -> tuple[FindingTemplate, Values] | None:
    humans = _value_of(chosen.humans.measures, own.figure) if chosen.humans else None
    span = ends(chosen.measures[own.figure])
    if humans is not None and span is not None:
        place = "above" if span[0] > humans else "below" if span[1] < humans else "like"
        return LIKE_HUMANS[place], {"humans": humans}
    right = _right(own, chosen)
    if right is None:
        return None
    missed, wrong = (1 - share for share in right)
    if own.unit_set is not None:
        return (MISTAKES, {"wrong_share": wrong}) if wrong else None
    template = MISSES if missed and wrong else MISSES_ALONE if missed else ADDS_ALONE
    return (template, {"missed_share": missed, "wrong_share": wrong}) if missed or wrong else None


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


def _lenient(facts: Facts, chosen: Comparison, *, strict: float | None) -> float | None:
    """Return F of marks that need only overlap, where it is another than the strict one."""
    for pair in facts.results.spans.pairs if facts.results.spans else ():
        if pair.layer == facts.layer and pair.annotators == (chosen.key, chosen.other):
            lenient = _value_of(pair.lenient, "f_measure")
            return None if lenient == strict else lenient
    return None


def errors(facts: Facts) -> Iterator[Finding]:
    """Yield in what ways whoever is judged differs from the reference, of marks in texts."""
    found = compared(facts)
    if found is None or found[0].unit_set is not None:
        return
    chosen, _systems = _first(*found)
    for disagreements in facts.results.spans.disagreements or () if facts.results.spans else ():
        for pair in disagreements.pairs:
            both = (chosen.key, chosen.other)
            if disagreements.layer == facts.layer and pair.annotators == both:
                kinds = by_kind(pair)
                if any(kinds.values()):
                    most, total = max(kinds, key=lambda kind: kinds[kind]), sum(kinds.values())
                    template = LOOK_AT_ALL[most] if 1 < total == kinds[most] else LOOK[most]
                    # One alone has nothing in common.
                    advised = template if kinds[most] > 1 else replace(template, advice="")
                    yield advised.finding(errors=total, **kinds, **naming(chosen))


def by_kind(pair: PairCases) -> dict[str, int]:
    """Return how many marks somebody missed, has alone, typed otherwise, cut otherwise, and both."""
    kinds = dict.fromkeys(LOOK, 0)
    names = dict(zip(CASE_KINDS, ("ends", "type", "both"), strict=False))
    for case in pair.cases:
        kind = names.get(case.kind) or ("missed" if case.second is None else "spurious")
        kinds[kind] += case.cases
    return kinds


def weak_category(facts: Facts) -> Iterator[Finding]:
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


def worst_documents(facts: Facts) -> Iterator[Finding]:
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
