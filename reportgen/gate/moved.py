"""Where the change of a rule's figure stands in the comparison with the version before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reportgen.gate.found import SPECIFIC, Found, same
from reportgen.gate.rules import Rule
from reportgen.results.revisions import (
    Change,
    PairChange,
    Sample,
    SpanRevision,
    SystemRevision,
    UnitSetRevision,
    VersionComparison,
)

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
class Moved:
    """A figure under both versions; `clusters` of each, all of them documents or units, are independent.

    `shared` says whether it is of what stands in both versions alone, `in_both` how many of them do.
    """

    change: Change
    clusters: tuple[int, int]
    by_document: bool
    shared: bool
    in_both: int


Revision = UnitSetRevision | SpanRevision | SystemRevision


def moved(comparison: VersionComparison, rule: Rule, found: Found) -> Moved | NotBefore | NotCompared:
    """Return the change of a figure on what stands in both versions, else on all of each, or why not."""
    revisions = sorted(_revisions(comparison, found), key=lambda each: each.basis != "shared")
    for each in revisions:
        change = _change(each, rule)
        if change is not None:
            by_document, clusters = _clusters(each)
            in_both = each.overlap.documents if by_document else each.overlap.units or min(clusters)
            return Moved(change, clusters, by_document, each.basis == "shared", in_both)
    return _why(comparison, found, revisions, rule)


def _revisions(comparison: VersionComparison, found: Found) -> Iterator[Revision]:
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
    comparison: VersionComparison, found: Found, revisions: Iterable[Revision], rule: Rule
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


def _is_new(comparison: VersionComparison, found: Found) -> bool:
    """Tell whether the later version alone has the unit set, or of marks in texts the layer."""
    new = comparison.missing.get("second", ())
    if found.unit_set is not None:
        return f"{found.layer}/{found.unit_set}" in new
    known = {each.layer for each in comparison.unit_sets} | {each.layer for each in comparison.spans}
    return found.layer not in known and any(each.startswith(f"{found.layer}/") for each in new)


def _has(sample: Sample, people: Iterable[str]) -> bool:
    return set(people) <= set(sample.annotators)
