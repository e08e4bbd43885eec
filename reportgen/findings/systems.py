"""How good are systems beside humans, and is the reference fit to score anybody against?"""

from collections.abc import Iterator

from reportgen.findings.certainty import FEW_DOCUMENTS
from reportgen.findings.facts import Facts, FindingTemplate, in_role
from reportgen.results import Figure, Finding, Value
from reportgen.results.annotators import ComparedSet, Comparison

ANNOTATOR = "annotator"
LEVEL = 0.05
# More systems than these are read in the table.
MOST_SYSTEMS = 6

NOT_INDEPENDENT = FindingTemplate(
    "reference-not-independent",
    "note",
    "comparisons",
    "{reference} was made from the annotators' own marks: annotators agree with it more than with a "
    "reference that somebody else made.",
    "Compare annotators with each other; use this reference for systems, which had no part in it.",
)
THAN_HUMANS = (
    "{system} agrees with {key} ({figure} {value}) more than annotators agree with each other on the same "
    "{noun} ({humans}): the difference is {difference} ({low} to {high})."
)
ABOVE = FindingTemplate(
    "system-above-humans",
    "note",
    "comparisons",
    THAN_HUMANS,
    "Against an adjudicated reference human agreement is no upper bound: compare with what single annotators "
    "reach there, {least} to {most}.",
)
ABOVE_ANNOTATORS = FindingTemplate(
    "system-above-humans",
    "note",
    "comparisons",
    THAN_HUMANS,
    "See whether it was trained on what {key} annotated, or whether {key} began from its proposals.",
)
WITHIN = FindingTemplate(
    "system-within-humans",
    "note",
    "comparisons",
    "{system} agrees with {key} ({figure} {value}) about as much as annotators agree "
    "with each other on the same {noun} ({humans}); the difference is {difference} "
    "({low} to {high}).",
    "There may still be a difference: the interval says how large.",
)
FEW = FindingTemplate(
    "system-few-documents",
    "warning",
    "comparisons",
    "{system} was scored against {key} on {documents} documents; intervals from fewer than {least} are "
    "rough.",
    "Score it on more documents.",
)


def not_independent(facts: Facts) -> Iterator[Finding]:
    """Yield each reference that was made from annotators' marks and that annotators are held against."""
    found = {pair.key: None for _, pairs in _shown(facts) for pair in pairs if pair.independent is False}
    for name in found:
        yield NOT_INDEPENDENT.found(reference=name)


def beside_humans(facts: Facts) -> Iterator[Finding]:
    """Yield each system that does not agree less than annotators with each other on the same units."""
    for whole, pairs in _shown(facts):
        for pair in _systems(pairs):
            yield from _beside(facts, whole, pair)


def few_documents(facts: Facts) -> Iterator[Finding]:
    """Yield each system that is scored on few documents; where none is known, another rule says so."""
    for _, pairs in _shown(facts):
        for pair in _systems(pairs):
            if 0 < pair.documents < FEW_DOCUMENTS:
                values: dict[str, Value] = {"key": pair.key, "documents": pair.documents}
                yield FEW.found(least=FEW_DOCUMENTS, **values, **_name(pair))


def _shown(facts: Facts) -> Iterator[tuple[ComparedSet, list[Comparison]]]:
    """Yield what is compared in each layer: its marks in texts, or else its primary unit set."""
    found = facts.results.comparisons
    if found is None:
        return
    primary = {(each.layer, each.id) for each in facts.results.unit_sets if each.primary}
    marked = {each.layer for each in found.sets if each.unit_set is None}
    for whole in found.sets:
        if whole.unit_set is None or (whole.layer not in marked and (whole.layer, whole.unit_set) in primary):
            own = whole.layer, whole.unit_set
            yield whole, [pair for pair in found.pairs if (pair.layer, pair.unit_set) == own]


def _systems(pairs: list[Comparison]) -> list[Comparison]:
    systems = [pair for pair in pairs if pair.role != ANNOTATOR]
    return systems if len(systems) <= MOST_SYSTEMS else []


def _name(pair: Comparison) -> dict[str, Value]:
    """Return what messages call a system: its own name and release, or the name it has as an annotator."""
    known = " ".join(filter(None, (pair.system, pair.release)))
    return {"system": known} if known else in_role("system", pair.other, pair.role)


def _beside(facts: Facts, whole: ComparedSet, pair: Comparison) -> Iterator[Finding]:
    """Yield whether a system agrees more than annotators among themselves, or no difference is shown."""
    found = pair.against_humans
    if found is None or found.test is None or found.difference is None or found.interval is None:
        return
    shown = found.test.p < LEVEL
    if shown and found.difference < 0:
        return
    given = {
        "key": pair.key,
        "value": found.second.value,
        "humans": found.first.value,
        "difference": found.difference,
        "low": found.interval.low,
        "high": found.interval.high,
    }
    values: dict[str, Value] = {name: each for name, each in given.items() if each is not None}
    values |= _name(pair) | {"figure": _figure(facts, whole), "noun": _noun(facts, whole)}
    singles = _singles(whole, pair)
    if not shown:
        yield WITHIN.found(**values)
    elif singles:
        yield ABOVE.found(**values, least=min(singles), most=max(singles))
    else:
        yield ABOVE_ANNOTATORS.found(**values)


def _noun(facts: Facts, whole: ComparedSet) -> str:
    """Return on what annotators are compared beside a system: units, or documents where it is marks."""
    own = (whole.layer, whole.unit_set)
    return next((each.noun for each in facts.results.unit_sets if (each.layer, each.id) == own), "documents")


def _figure(facts: Facts, whole: ComparedSet) -> str:
    return "F" if whole.unit_set is None else facts.results.name_of(whole.figure)


def _singles(whole: ComparedSet, pair: Comparison) -> list[float]:
    """Return what each annotator reaches against the reference on the same units."""
    against = pair.humans.against_reference.values() if pair.humans else ()
    known: list[Figure | None] = [each.get(whole.figure) for each in against]
    return [each.value for each in known if each is not None and each.value is not None]
