"""Distances between categories: those expected against those found, and circular weighting."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.findings.facts import Facts, Message, confusions
from reportgen.results import DistanceTable, Finding, Matrix

# Declared and computed distances that differ by more than this are told apart.
APART = 0.1
SEVERAL = 2

STANDS = (
    "{first} and {second} stand at {declared} in the distance table {table} (its largest distance being 1) "
    "and at {computed} by the annotations: annotators tell them apart "
)
CLOSER = Message(
    "distance",
    "note",
    "distances",
    f"{STANDS}better than was feared.",
    "Keep the two categories separate; the table may be too lenient on this confusion.",
)
FARTHER = Message(
    "distance",
    "warning",
    "distances",
    f"{STANDS}less well than was expected.",
    "Sharpen the line between {first} and {second}, or merge them.",
)
CIRCULAR = Message(
    "circular",
    "note",
    "distances",
    "Weighted with distances computed from the same table, alpha is {alpha} and weighted kappa {kappa}: the "
    "figure forgives most what annotators confuse most, which is circular.",
    "Read the computed distances as a description of the confusions; do not cite these two figures.",
)
UNSHOWN = replace(CIRCULAR, evidence="coefficients")


def compared(facts: Facts) -> Iterator[Finding]:
    """Yield the categories whose declared and computed distances differ by more than a tenth.

    Those of a taxonomy say what lies near in it, not which confusions were expected.
    """
    pair = facts.pair
    # Of very many categories the distances stand in a table beside the results.
    if pair is None or pair.distances is None:
        return
    for table in facts.results.distances:
        expected = table.origin is None and table.covers(pair.confusion.categories)
        if expected and max(map(max, table.rows)) > 0:
            yield from _compare(pair.confusion.categories, pair.distances.computed_alpha, table)


def _compare(names: Sequence[str], matrix: Matrix, table: DistanceTable) -> Iterator[Finding]:
    largest = max(map(max, table.rows))
    for i, first in enumerate(names):
        for j, second in enumerate(names[i + 1 :], i + 1):
            computed = matrix[i][j]
            declared = table.between(first, second) / largest
            if computed is not None and abs(computed - declared) > APART:
                message = CLOSER if computed > declared else FARTHER
                yield message.found(
                    first=first, second=second, table=table.id, declared=declared, computed=computed
                )


def circular(facts: Facts) -> Iterator[Finding]:
    """Yield a note on coefficients weighted with distances computed from their own table.

    Without several confusions none is forgiven more than another.
    """
    # Of very many categories no table is known, and there are several confusions.
    known = facts.unit_set.only_pair or facts.unit_set.coincidences
    if known and len(list(confusions(facts.unit_set))) < SEVERAL:
        return
    measures = facts.unit_set.measures
    alpha, kappa = measures.get("krippendorff_alpha[computed]"), measures.get("weighted_kappa[computed]")
    if alpha and kappa and alpha.value is not None and kappa.value is not None:
        # Of very many categories no table of distances is shown.
        pair = facts.unit_set.only_pair
        shown = pair.distances if pair else facts.unit_set.coincidences
        yield (CIRCULAR if shown else UNSHOWN).found(alpha=alpha.value, kappa=kappa.value)
