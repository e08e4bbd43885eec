"""May a model take an annotator's place, and is it known what it was asked?"""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, FindingTemplate, several
from reportgen.results import Finding, Value
from reportgen.results.replacement import ModelReplacement, Replacement

MODEL = "model"
# More models than these are read in the table.
MOST_MODELS = 6

MAY = FindingTemplate(
    "model-may-replace",
    "good",
    "models",
    "{model} may replace an annotator at ε = {price}: it beat {beaten} of {tested} "
    "annotators, where half is enough.",
    "Have people check some of its labels all the same: the test shows how near it is to "
    "annotators, not whether it is right.",
)
MAY_NOT = FindingTemplate(
    "model-may-not-replace",
    "note",
    "models",
    "{model} may not replace an annotator at ε = {price}: it beat {beaten} of {tested} "
    "annotators, where half is needed.",
    "Keep people for this task, or change what the model is asked and test it on other texts.",
)
DIFFER = FindingTemplate(
    "model-differs-by-document",
    "warning",
    "models",
    "Whether {model} may replace an annotator at ε = {price} depends on the test: with "
    "independent units it beat {beaten} of {tested} annotators, with units clustered by "
    "document {by_document}.",
    "Trust the test by document: units of one document are not independent.",
)
NO_PROMPT = FindingTemplate(
    "prompt-undeclared",
    "warning",
    "models",
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
    values: dict[str, Value] = {
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
