"""Distances between categories: those expected against those found, and circular weighting."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, finding
from reportgen.results import DistanceTable, Finding, Pair

APART = 0.1

CLOSER = (
    "{first} and {second} stand at {declared} in the distance table {table} (its largest distance being 1) and at "
    "{computed} by the annotations: annotators tell them apart better than was feared."
)
CLOSER_ADVICE = "Keep the two categories separate; the table may be too lenient on this confusion."
FARTHER = (
    "{first} and {second} stand at {declared} in the distance table {table} (its largest distance being 1) and at "
    "only {computed} by the annotations: annotators tell them apart less well than was expected."
)
FARTHER_ADVICE = "Sharpen the line between {first} and {second}, or merge them."
CIRCULAR = (
    "Weighted with distances computed from the same table, alpha is {alpha} and weighted kappa {kappa}: the figure "
    "forgives most what annotators confuse most, which is circular."
)
CIRCULAR_ADVICE = (
    "Read the computed distances as a description of the confusions; do not cite these two figures."
)


def compared(facts: Facts) -> Iterator[Finding]:
    """Yield the categories whose declared and computed distances differ by more than a tenth."""
    pair = facts.pair
    if pair is None:
        return
    for table in facts.results.distances:
        yield from _compare(pair, table)


def _compare(pair: Pair, table: DistanceTable) -> Iterator[Finding]:
    largest = max(max(row) for row in table.rows)
    names = pair.confusion.categories
    for i, first in enumerate(names):
        for j, second in enumerate(names[i + 1 :], i + 1):
            computed = pair.distances.computed_alpha[i][j]
            place = table.categories.index
            declared = table.rows[place(first)][place(second)] / largest if largest else 0.0
            if computed is None or abs(computed - declared) <= APART:
                continue
            better = computed > declared
            claim, advice = (CLOSER, CLOSER_ADVICE) if better else (FARTHER, FARTHER_ADVICE)
            values = {
                "first": first,
                "second": second,
                "table": table.id,
                "declared": declared,
                "computed": computed,
            }
            yield finding("distance", "note" if better else "warning", claim, advice, "distances", values)


def circular(facts: Facts) -> Iterator[Finding]:
    """Yield a note on coefficients weighted with distances computed from their own table."""
    measures = facts.unit_set.measures
    alpha, kappa = measures.get("krippendorff_alpha[computed]"), measures.get("weighted_kappa[computed]")
    if alpha is None or kappa is None or alpha.value is None or kappa.value is None:
        return
    values = {"alpha": alpha.value, "kappa": kappa.value}
    yield finding("circular", "note", CIRCULAR, CIRCULAR_ADVICE, "distances", values)
