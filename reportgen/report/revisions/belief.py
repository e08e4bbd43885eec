"""Can a difference be believed? How it was tested, and what the two versions have in common."""

from collections.abc import Iterator

from reportgen.report import numbers
from reportgen.report.revisions import wording
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.revisions import Change, Permutation, UnitSetRevision, VersionComparison

CATEGORIES = ("category", "categories")

PAIRED = (
    "The same {clusters} were annotated under both versions. The test takes the difference {cluster} by "
    "{cluster}, so that what makes one harder than another drops out."
)
OVERLAPPING = (
    "{both} {stand} in both versions, others in one alone. The test pairs what stands in both and takes the "
    "others as samples of their own."
)
UNPAIRED = (
    "No {cluster} stands in both versions. The test takes them as two independent samples: easier or harder "
    "material would look the same as better or worse guidelines."
)
UNTESTED = "The coefficient was not tested: {reason}."
RESTS = (
    "It takes each {cluster} as independent of the others (t = {statistic}, {degrees} degrees of freedom)."
)
ALL_TRIED = "A second test exchanges the two versions {cluster} by {cluster} in all {samples} ways: {p}."
SAMPLED = "A second test exchanges the two versions {cluster} by {cluster} at random, {samples} times: {p}."
NEEDED = (
    "If the difference is as large as it looks, it would take {needed} under each version to show it (with a "
    "power of 80%)."
)


def how_tested(revision: UnitSetRevision) -> list[str]:
    """Return how the primary coefficient was tested, sentence by sentence."""
    change = revision.measures.get(revision.figure)
    if change is None:
        return []
    if change.test is None:
        return [UNTESTED.format(reason=change.untested)] if change.untested else []
    return [*_method(revision, change), *_needed(revision, change)]


def _method(revision: UnitSetRevision, change: Change) -> Iterator[str]:
    test, cluster = change.test, revision.clusters
    if test is None:
        return
    number = revision.overlap.documents if cluster == "document" else revision.overlap.units or 0
    both = wording.clusters(revision, number)
    sentence = {"paired": PAIRED, "overlapping": OVERLAPPING, "unpaired": UNPAIRED}[test.method]
    stand = "stands" if number == 1 else "stand"
    yield sentence.format(clusters=both, both=both, stand=stand, cluster=cluster)
    degrees = (
        numbers.count(int(test.degrees))
        if test.degrees == int(test.degrees)
        else numbers.decimal(test.degrees)
    )
    yield RESTS.format(cluster=cluster, statistic=numbers.figure(test.statistic), degrees=degrees)
    if change.permutation:
        yield _permutation(change.permutation, cluster)


def _permutation(found: Permutation, cluster: str) -> str:
    said = ALL_TRIED if found.exact else SAMPLED
    return said.format(cluster=cluster, samples=numbers.count(found.samples), p=numbers.p_is(found.p))


def _needed(revision: UnitSetRevision, change: Change) -> Iterator[str]:
    if change.needed is not None:
        yield NEEDED.format(needed=wording.clusters(revision, change.needed))


def sides(comparison: VersionComparison, revision: UnitSetRevision) -> Table:
    """Return what each version brings into the comparison, and what stands in both."""
    first, second, overlap = revision.first, revision.second, revision.overlap
    both = [name for name in second.categories if name in first.categories]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("Date", comparison.first.date or numbers.NONE, comparison.second.date or numbers.NONE, ""),
        ("Documents", *map(numbers.count, (first.documents, second.documents, overlap.documents))),
        (
            "Units rated by two or more",
            *map(numbers.count, (first.units, second.units)),
            numbers.NONE if overlap.units is None else numbers.count(overlap.units),
        ),
        ("Annotators", *map(wording.listed, (first.annotators, second.annotators, overlap.annotators))),
        (
            "Categories",
            *(wording.listed(each, CATEGORIES) for each in (first.categories, second.categories, both)),
        ),
    )
    columns = (
        Column("what", "What"),
        Column("first", f"Guidelines {comparison.first.guidelines}"),
        Column("second", f"Guidelines {comparison.second.guidelines}"),
        Column("both", "In both"),
    )
    return Table("sides", f"What is compared: {revision.unit_set}, {wording.basis(revision)}.", columns, rows)
