"""How good are systems and models beside humans, did one get worse, may one take an annotator's place?"""

from collections.abc import Iterator

from reportgen.findings.certainty import FEW_DOCUMENTS
from reportgen.findings.facts import (
    Facts,
    FindingTemplate,
    Values,
    direction,
    fallen_categories,
    fallen_documents,
    figure_name,
    in_role,
    marks_or_primary,
    moved,
    p_of,
    several,
)
from reportgen.results import Figure, Finding
from reportgen.results.annotators import ComparedSet, Comparison, ModelReplacement, Replacement
from reportgen.results.parts import SystemRevision

ANNOTATOR = "annotator"
# More systems than these are read in the table.
MOST_SYSTEMS = 6

NOT_INDEPENDENT = FindingTemplate("reference-not-independent", "note", "comparisons").saying(
    "{reference} was made from the annotators' own marks: annotators agree with it more than with a "
    "reference that somebody else made.",
    "Compare annotators with each other; use this reference for systems, which had no part in it.",
)
OVER, OVER_BOTH = "over {over_noun})", "over {over_noun} and annotators)"
THAN_HUMANS = (
    "{system} agrees with {key} ({figure} {value}) more than annotators agree with each other on the same "
    "{noun} ({humans}): the difference is {difference} ({low} to {high}, over {over_noun})."
)
ABOVE = FindingTemplate("system-above-humans", "note", "comparisons").saying(
    THAN_HUMANS,
    "Against an adjudicated reference human agreement is no upper bound: compare with what single annotators "
    "reach there, {least} to {most}.",
)
ABOVE_ANNOTATORS = ABOVE.saying(
    THAN_HUMANS,
    "See whether it was trained on what {key} annotated, or whether {key} began from its proposals.",
)
WITHIN = FindingTemplate("system-within-humans", "note", "comparisons").saying(
    "No difference is shown between how {system} agrees with {key} ({figure} {value}) and how annotators "
    "agree with each other on the same {noun} ({humans}): {difference} ({low} to {high}, over {over_noun}).",
    "There may still be a difference: the interval says how large.",
)
# With five annotators or more, intervals are over them too.
ABOVE_ANY, ABOVE_ANY_ANNOTATORS, WITHIN_ANY = (
    each.saying(each.claim.replace(OVER, OVER_BOTH), each.advice)
    for each in (ABOVE, ABOVE_ANNOTATORS, WITHIN)
)
FEW = FindingTemplate("system-few-documents", "warning", "comparisons").saying(
    "{system} was scored against {key} on {documents} documents; intervals from fewer than {least} are "
    "rough.",
    "Score it on more documents.",
)


def not_independent(facts: Facts) -> Iterator[Finding]:
    """Yield each reference that was made from annotators' marks and that annotators are compared with."""
    found = {pair.key: None for _, pairs in _shown(facts) for pair in pairs if pair.independent is False}
    for name in found:
        yield NOT_INDEPENDENT.found(reference=name)


def beside_humans(facts: Facts) -> Iterator[Finding]:
    """Yield each system that does not agree less than annotators with each other on the same units."""
    for whole, pair in _systems(facts):
        yield from _beside(facts, whole, pair)


def few_documents(facts: Facts) -> Iterator[Finding]:
    """Yield each system that is scored on few documents; where none is known, another rule says so."""
    for _, pair in _systems(facts):
        if 0 < pair.documents < FEW_DOCUMENTS:
            known: Values = {"least": FEW_DOCUMENTS, "key": pair.key, "documents": pair.documents}
            yield FEW.found(**known, **_name(pair))


def _shown(facts: Facts) -> Iterator[tuple[ComparedSet, list[Comparison]]]:
    """Yield what is compared in each layer: its marks in texts, or else its primary unit set."""
    found = facts.results.comparisons
    if found is None:
        return
    for whole in marks_or_primary(found.sets, _primary(facts)):
        own = whole.layer, whole.unit_set
        yield whole, [pair for pair in found.pairs if (pair.layer, pair.unit_set) == own]


def _primary(facts: Facts) -> set[tuple[str, str]]:
    return {(each.layer, each.id) for each in facts.results.unit_sets if each.primary}


def _systems(facts: Facts) -> Iterator[tuple[ComparedSet, Comparison]]:
    """Yield each system with what it is compared in, where there are few."""
    for whole, pairs in _shown(facts):
        systems = [pair for pair in pairs if pair.role != ANNOTATOR]
        if len(systems) <= MOST_SYSTEMS:
            yield from ((whole, pair) for pair in systems)


def _name(pair: Comparison) -> Values:
    """Return what messages call a system: its own name and release, or the name it has as an annotator."""
    known = " ".join(filter(None, (pair.system, pair.release)))
    return {"system": known} if known else in_role("system", pair.other, pair.role)


def _beside(facts: Facts, whole: ComparedSet, pair: Comparison) -> Iterator[Finding]:
    """Yield whether a system agrees more than annotators among themselves, or no difference is shown."""
    found = pair.against_humans
    if found is None or found.test is None or found.difference is None:
        return
    ends = pair.for_any_annotators or found.interval
    if ends is None or ends.low is None or ends.high is None or ends.high < 0:
        return
    values: Values = {
        "key": pair.key,
        "value": found.second.value,
        "humans": found.first.value,
        "difference": found.difference,
        "low": ends.low,
        "high": ends.high,
        **_name(pair),
        "figure": figure_name(facts.results, whole),
        "noun": _noun(facts, whole),
        "over_noun": "documents" if pair.documents else "units",
    }
    of_any, singles = pair.for_any_annotators is not None, _singles(whole, pair)
    if ends.low <= 0:
        yield (WITHIN_ANY if of_any else WITHIN).found(**values)
    elif singles:
        yield (ABOVE_ANY if of_any else ABOVE).found(**values, least=min(singles), most=max(singles))
    else:
        yield (ABOVE_ANY_ANNOTATORS if of_any else ABOVE_ANNOTATORS).found(**values)


def _noun(facts: Facts, whole: ComparedSet) -> str:
    """Return on what annotators are compared beside a system: units, or documents where it is marks."""
    own = (whole.layer, whole.unit_set)
    return next((each.noun for each in facts.results.unit_sets if (each.layer, each.id) == own), "documents")


def _singles(whole: ComparedSet, pair: Comparison) -> list[float]:
    """Return what each annotator reaches against the reference on the same units."""
    against = pair.humans.against_reference.values() if pair.humans else ()
    known: list[Figure | None] = [each.get(whole.figure) for each in against]
    return [each.value for each in known if each is not None and each.value is not None]


# Did a system get worse from one release to the next?

FELL = FindingTemplate("release-fell", "problem", "comparisons").saying(
    "{system} {second} is worse than {first} against {key}: {figure} fell from {before} to {after} "
    "(p = {p}).",
    "Begin with the documents that fell most: {documents}.",
)
FELL_ON = FindingTemplate("release-fell-on", "problem", "comparisons").saying(
    "{system} {second} is worse than {first} against {key} on {categories}, beyond chance even with the "
    "number of categories taken into account.",
    "Look there first, whatever the figure over all categories does.",
)
NO_DOCUMENT = "–"


def release_fell(facts: Facts) -> Iterator[Finding]:
    """Yield the releases that are worse than the one before, beyond chance."""
    for each in marks_or_primary(facts.results.releases or (), _primary(facts)):
        change = each.measures.get(each.figure)
        if change is not None and direction(change) == "fell":
            values = _values(facts, each) | moved(change, p_of(change))
            yield FELL.found(**several("documents", fallen_documents(each) or [NO_DOCUMENT]), **values)


def release_fell_on(facts: Facts) -> Iterator[Finding]:
    """Yield the releases that are worse on a category, beyond chance after Holm."""
    for each in marks_or_primary(facts.results.releases or (), _primary(facts)):
        if fell := fallen_categories(each):
            yield FELL_ON.found(**several("categories", fell), **_values(facts, each))


def _values(facts: Facts, each: SystemRevision) -> Values:
    first, second = each.releases or (each.first, each.second)
    figure = figure_name(facts.results, each)
    return {"system": each.system, "key": each.key, "first": first, "second": second, "figure": figure}


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
NO_PROMPT = FindingTemplate("prompt-undeclared", "warning", "models").saying(
    "The prompt of {models} is not declared, so nobody can repeat the annotation.",
    "Keep the prompt in a file, and name the file as prompt under [annotators] in campaign.toml.",
)


def replacing(facts: Facts) -> Iterator[Finding]:
    """Yield the verdict on each model of a layer, where the price of a person is declared."""
    for found in _of_layer(facts):
        for each in found.models[:MOST_MODELS]:
            if verdict := verdict_on(found, each):
                yield verdict


def prompts(facts: Facts) -> Iterator[Finding]:
    """Yield the models of a layer whose prompt is not declared."""
    for found in _of_layer(facts):
        if names := [each.shown_name for each in found.models if each.role == MODEL and not each.prompt]:
            yield NO_PROMPT.found(**several("models", names))


def verdict_on(found: Replacement, model: ModelReplacement) -> Finding | None:
    """Return the verdict on a model; None without a declared price or anybody who is tested."""
    rate, other = model.independent, model.clustered
    if found.epsilon is None or rate is None or rate.passes is None:
        return None
    values: Values = {
        "model": model.shown_name,
        "price": f"{found.epsilon:g}",
        "beaten": rate.beaten,
        "tested": rate.tested,
    }
    if model.differ and other is not None:
        return DIFFER.found(by_document=other.beaten, **values)
    return (MAY if rate.passes else MAY_NOT).found(**values)


def _of_layer(facts: Facts) -> list[Replacement]:
    return [each for each in facts.results.replacement or () if each.layer == facts.layer]
