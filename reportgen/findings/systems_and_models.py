"""How good are systems and models beside humans, did one get worse, may one take an annotator's place?"""

from collections.abc import Iterator

from reportgen.findings.certainty import FEW_DOCUMENTS
from reportgen.findings.layer_facts import (
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
    name_values,
    p_of,
)
from reportgen.results import Figure, Finding
from reportgen.results.annotators import ComparedSet, Comparison, ModelReplacement, Replacement
from reportgen.results.parts import SystemRevision

ANNOTATOR = "annotator"
# More systems than these are read in the table.
MOST_SYSTEMS = 6

NOT_INDEPENDENT = FindingTemplate("reference-not-independent", "note", "comparisons", kind="limit").saying(
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
    "Against an adjudicated reference human agreement is not an upper bound: compare with what single "
    "annotators reach there, {least} to {most}.",
)
ABOVE_ANNOTATORS = ABOVE.saying(
    THAN_HUMANS,
    "See whether it was trained on what {key} annotated, or whether {key} began from its proposals.",
)
WITHIN = FindingTemplate("system-within-humans", "note", "comparisons", kind="limit").saying(
    "No difference is shown between how {system} agrees with {key} ({figure} {value}) and how annotators "
    "agree with each other on the same {noun} ({humans}): {difference} ({low} to {high}, over {over_noun}).",
    "There may still be a difference: the interval says how large.",
)
# With five annotators or more, intervals are over them too.
ABOVE_ANY, ABOVE_ANY_ANNOTATORS, WITHIN_ANY = (
    template.saying(template.claim.replace(OVER, OVER_BOTH), template.advice)
    for template in (ABOVE, ABOVE_ANNOTATORS, WITHIN)
)
FEW = FindingTemplate("system-few-documents", "warning", "comparisons", kind="limit").saying(
    "{system} was scored against {key} on {documents} documents; intervals from fewer than {least} are "
    "rough.",
    "Score it on more documents.",
)


def not_independent(facts: Facts) -> Iterator[Finding]:
    """Yield each reference that was made from annotators' marks and that annotators are compared with."""
    references = {pair.key: None for _, pairs in _shown(facts) for pair in pairs if pair.independent is False}
    for name in references:
        yield NOT_INDEPENDENT.finding(reference=name)


def beside_humans(facts: Facts) -> Iterator[Finding]:
    """Yield each system that does not agree less than annotators with each other on the same units."""
    for compared_set, pair in _systems(facts):
        yield from _beside(facts, compared_set, pair)


def few_documents(facts: Facts) -> Iterator[Finding]:
    """Yield each system that is scored on few documents; where none is known, another rule says so."""
    for _, pair in _systems(facts):
        if 0 < pair.documents < FEW_DOCUMENTS:
            values: Values = {"least": FEW_DOCUMENTS, "key": pair.key, "documents": pair.documents}
            yield FEW.finding(**values, **_name(pair))


def _shown(facts: Facts) -> Iterator[tuple[ComparedSet, list[Comparison]]]:
    """Yield what is compared in each layer: its marks in texts, or else its primary unit set."""
    comparisons = facts.results.comparisons
    if comparisons is None:
        return
    for compared_set in marks_or_primary(comparisons.sets, _primary(facts)):
        own = compared_set.layer, compared_set.unit_set
        yield compared_set, [pair for pair in comparisons.pairs if (pair.layer, pair.unit_set) == own]


def _primary(facts: Facts) -> set[tuple[str, str]]:
    return {(unit_set.layer, unit_set.id) for unit_set in facts.results.unit_sets if unit_set.primary}


def _systems(facts: Facts) -> Iterator[tuple[ComparedSet, Comparison]]:
    """Yield each system with what it is compared in, where there are few."""
    for compared_set, pairs in _shown(facts):
        systems = [pair for pair in pairs if pair.role != ANNOTATOR]
        if len(systems) <= MOST_SYSTEMS:
            yield from ((compared_set, pair) for pair in systems)


def _name(pair: Comparison) -> Values:
    """Return what messages call a system: its own name and release, or the name it has as an annotator."""
    release_name = " ".join(filter(None, (pair.system, pair.release)))
    return {"system": release_name} if release_name else in_role("system", pair.other, pair.role)


def _beside(facts: Facts, compared_set: ComparedSet, pair: Comparison) -> Iterator[Finding]:
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
        "over_noun": "documents" if pair.documents else "units",
    }
    of_any, singles = pair.for_any_annotators is not None, _singles(compared_set, pair)
    if span[0] <= 0:
        yield (WITHIN_ANY if of_any else WITHIN).finding(**values)
    elif singles:
        yield (ABOVE_ANY if of_any else ABOVE).finding(**values, least=min(singles), most=max(singles))
    else:
        yield (ABOVE_ANY_ANNOTATORS if of_any else ABOVE_ANNOTATORS).finding(**values)


def _noun(facts: Facts, compared_set: ComparedSet) -> str:
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
    for revision in marks_or_primary(facts.results.releases or (), _primary(facts)):
        change = revision.measures.get(revision.figure)
        if change is not None and direction(change) == "fell":
            values = _values(facts, revision) | moved(change, p_of(change))
            yield FELL.finding(
                **name_values("documents", fallen_documents(revision) or [NO_DOCUMENT]), **values
            )


def release_fell_on(facts: Facts) -> Iterator[Finding]:
    """Yield the releases that are worse on a category, beyond chance after Holm."""
    for revision in marks_or_primary(facts.results.releases or (), _primary(facts)):
        if fell := fallen_categories(revision):
            yield FELL_ON.finding(**name_values("categories", fell), **_values(facts, revision))


def _values(facts: Facts, revision: SystemRevision) -> Values:
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


def replacing(facts: Facts) -> Iterator[Finding]:
    """Yield the verdict on each model of a layer, where the price of a person is declared."""
    for replacement in _of_layer(facts):
        for model in replacement.models[:MOST_MODELS]:
            if verdict := verdict_on(replacement, model):
                yield verdict


def prompts(facts: Facts) -> Iterator[Finding]:
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


def _of_layer(facts: Facts) -> list[Replacement]:
    return [
        replacement for replacement in facts.results.replacement or () if replacement.layer == facts.layer
    ]
