"""Where the change of a rule's figure stands in the comparison with the version before."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reportgen.base.errors import Problem, did_you_mean
from reportgen.campaign import Campaign, lines_of
from reportgen.results import Results
from reportgen.results.comparison import PairChange, Sample, SpanRevision, UnitSetRevision, VersionComparison
from reportgen.results.parts import Change, SystemRevision
from reportgen.versions.gate_rules import MODES, SPECIFIC, KeyPath, Rule, RuleFigure, same

STRICT_F = "f_measure[strict]"
DOCUMENT = "document"


class NotBefore(StrEnum):
    """Why a figure can't have fallen: the version before does not have it. A closed list."""

    UNITS = "the version before has no such layer or unit set"
    CATEGORY = "it is no category of the version before"
    PEOPLE = "the two were not both there in the version before"


class NotCompared(StrEnum):
    """Why nothing is known of a figure's change; a closed list, as the reasons of figures are."""

    NOT_TESTED = "this figure is not compared between versions"


@dataclass(frozen=True)
class FigureChange:
    """A figure under both versions; `clusters` of each, all of them documents or units, are independent.

    `shared` says whether it is of what stands in both versions alone, `in_both` how many of them do.
    """

    change: Change
    clusters: tuple[int, int]
    by_document: bool
    shared: bool
    in_both: int


Revision = UnitSetRevision | SpanRevision | SystemRevision


def moved(
    comparison: VersionComparison, rule: Rule, found: RuleFigure
) -> FigureChange | NotBefore | NotCompared:
    """Return the change of a figure on what stands in both versions, else on all of each, or why not."""
    revisions = sorted(_revisions(comparison, found), key=lambda each: each.basis != "shared")
    for each in revisions:
        change = _change(each, rule)
        if change is not None:
            by_document, clusters = _clusters(each)
            in_both = each.overlap.documents if by_document else each.overlap.units or min(clusters)
            return FigureChange(change, clusters, by_document, each.basis == "shared", in_both)
    return _why(comparison, found, revisions, rule)


def _revisions(comparison: VersionComparison, found: RuleFigure) -> Iterator[Revision]:
    units: Iterable[Revision] = comparison.unit_sets
    spans: Iterable[Revision] = comparison.spans
    for each in (*units, *spans, *comparison.systems):
        of_units = None if isinstance(each, SpanRevision) else each.unit_set
        if (each.layer, of_units) == (found.layer, found.unit_set):
            yield each


def _change(revision: Revision, rule: Rule) -> Change | None:
    people, category = rule.floor.annotators, rule.floor.category
    if isinstance(revision, SystemRevision):
        if not same((revision.key, revision.second), people):
            return None
        return _of_all(revision, rule)
    if people:
        own = None if category else _of_pair(revision.pairs, rule)
        return own if own or not _are_all(revision, people) else _of_all(revision, rule)
    return _of_all(revision, rule)


def _of_all(revision: Revision, rule: Rule) -> Change | None:
    category = rule.floor.category
    return _of_category(revision, rule) if category else revision.measures.get(rule.figure)


def _of_category(revision: Revision, rule: Rule) -> Change | None:
    """Return the change of a category's figure: specific agreement of units, strict F of marks."""
    category = rule.floor.category or ""
    if isinstance(revision, UnitSetRevision):
        return revision.specific_agreement.get(category) if rule.figure == SPECIFIC else None
    if isinstance(revision, SpanRevision):
        return revision.by_type.get(category) if rule.figure == STRICT_F else None
    own = STRICT_F if revision.unit_set is None else SPECIFIC
    return revision.by_category.get(category) if rule.figure == own else None


def _are_all(revision: UnitSetRevision | SpanRevision, people: Sequence[str]) -> bool:
    """Tell whether two people are all annotators of both versions, so that their figure is that of all."""
    return all(same(each.annotators, people) for each in (revision.first, revision.second))


def _of_pair(pairs: Iterable[PairChange], rule: Rule) -> Change | None:
    mine = (each for each in pairs if same(each.annotators, rule.floor.annotators))
    return next((each.measures.get(rule.figure) for each in mine), None)


def _clusters(revision: Revision) -> tuple[bool, tuple[int, int]]:
    """Return whether documents are independent of each other, else units; and how many each version has."""
    if isinstance(revision, SystemRevision):
        return True, revision.documents
    by_document = isinstance(revision, SpanRevision) or revision.clusters == DOCUMENT
    sides = revision.first, revision.second
    first, second = ((each.documents if by_document else each.units) for each in sides)
    return by_document, (first, second)


def _why(
    comparison: VersionComparison, found: RuleFigure, revisions: Iterable[Revision], rule: Rule
) -> NotBefore | NotCompared:
    """Return why a figure has no change: only what is known to be new can't have fallen."""
    if _is_new(comparison, found):
        return NotBefore.UNITS
    before = [each.first for each in revisions if not isinstance(each, SystemRevision)]
    if not before:
        return NotCompared.NOT_TESTED
    if rule.floor.category and not any(rule.floor.category in each.categories for each in before):
        return NotBefore.CATEGORY
    if rule.floor.annotators and not any(_has(each, rule.floor.annotators) for each in before):
        return NotBefore.PEOPLE
    return NotCompared.NOT_TESTED


def _is_new(comparison: VersionComparison, found: RuleFigure) -> bool:
    """Tell whether the later version alone has the unit set, or of marks in texts the layer."""
    new = comparison.missing.get("second", ())
    if found.unit_set is not None:
        return f"{found.layer}/{found.unit_set}" in new
    known = {each.layer for each in comparison.unit_sets} | {each.layer for each in comparison.spans}
    return found.layer not in known and any(each.startswith(f"{found.layer}/") for each in new)


def _has(sample: Sample, people: Iterable[str]) -> bool:
    return set(people) <= set(sample.annotators)


# What [gate] names that the newest version does not have: mistyped, so that the rule would hold nothing.

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
