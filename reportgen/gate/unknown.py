"""What [gate] names that the newest version does not have: mistyped, so that the rule would hold nothing."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from reportgen.campaign import Campaign, lines_of
from reportgen.errors import Problem, did_you_mean
from reportgen.gate.found import MODES, SPECIFIC
from reportgen.gate.rules import KeyPath, Rule
from reportgen.results import Results

SHARES = ("precision", "recall", "f_measure")
Sentences = tuple[KeyPath, str, str]


def unknown(
    campaign: Campaign,
    rules: Sequence[Rule],
    results: Results,
    people: Collection[str],
    computable: Mapping[str, Collection[str]],
) -> list[Problem]:
    """Return a problem for each figure, layer, unit set, category and person that there is not.

    `people` are all whose marks were read, `computable` the figures that each layer's scale has: what could
    not be computed is no mistake of the rule.
    """
    found = [each for rule in rules for each in _of_rule(rule, results, people, computable)]
    lines = lines_of(campaign, [path for path, *_ in found])
    return [
        Problem(campaign.file, lines.get(path, 0), _dotted(path), message, mend)
        for path, message, mend in found
    ]


def _of_rule(
    rule: Rule, results: Results, people: Collection[str], computable: Mapping[str, Collection[str]]
) -> Iterator[Sentences]:
    floor = rule.floor
    layers = [floor.layer] if floor.layer else results.layers
    known = list(dict.fromkeys(name for layer in layers for name in _figures(results, layer, computable)))
    if rule.figure not in known:
        where = f" in the layer {floor.layer}" if floor.layer else ""
        message = f"no figure is called {_quoted(rule.figure)}{where}."
        yield rule.path("")[:-1], message, did_you_mean(rule.figure, known)
    if floor.unit_set is not None:
        sets = list(dict.fromkeys(each.id for each in results.unit_sets if each.layer in layers))
        yield from _named(rule, "unit_set", floor.unit_set, sets, "no unit set is called {}.")
    if floor.category is not None:
        categories = list(dict.fromkeys(_categories(results, layers)))
        message = f"{results.guidelines} has no category {{}}."
        yield from _named(rule, "category", floor.category, categories, message)
    for name in floor.annotators:
        yield from _named(rule, "annotators", name, sorted(people), "no export has an annotator {}.")


def _named(rule: Rule, key: str, name: str, known: Sequence[str], message: str) -> Iterator[Sentences]:
    if name not in known:
        yield rule.path(key), message.format(_quoted(name)), did_you_mean(name, known)


def _figures(results: Results, layer: str, computable: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the figures that a layer has, or could have."""
    yield SPECIFIC
    yield from computable.get(layer, ())
    for each in results.unit_sets:
        if each.layer == layer:
            yield from (*each.measures, *each.mean_over_pairs)
            yield from (name for pair in each.pairs for name in pair.measures)
            yield from (name for part in each.against_rest.values() for name in part)
    for compared in results.comparisons.pairs if results.comparisons else ():
        if compared.layer == layer:
            yield from compared.measures
            yield from SHARES[:2]
    yield from _of_marks(results, layer)


def _of_marks(results: Results, layer: str) -> Iterator[str]:
    if results.spans is None:
        return
    if any(each.layer == layer for each in results.spans.layers):
        yield from (f"{share}[{mode}]" for mode in sorted(MODES, reverse=True) for share in SHARES)
    for each in results.spans.unitizing or ():
        if each.layer == layer:
            yield from each.measures
            yield from (name for part in each.by_category.values() for name in part)


def _categories(results: Results, layers: Sequence[str]) -> Iterator[str]:
    for each in results.unit_sets:
        if each.layer in layers:
            yield from (*each.categories, *each.specific_agreement)
    for layer in results.spans.layers if results.spans else ():
        if layer.layer in layers:
            yield from layer.types
    for unitizing in (results.spans.unitizing or ()) if results.spans else ():
        if unitizing.layer in layers:
            yield from unitizing.categories
    for compared in results.comparisons.pairs if results.comparisons else ():
        if compared.layer in layers:
            yield from compared.by_category


def _dotted(path: KeyPath) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _quoted(name: str) -> str:
    return f'"{name}"'
