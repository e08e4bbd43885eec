"""What rules look at: results without findings, and short ways to the parts that matter most."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportgen.results import Figure, Finding, Interval, Pair, Results, Scalar, UnitSet

# Krippendorff (2004, p. 241): below the first nothing is concluded, above the second conclusions are safe.
TENTATIVE = 0.667
RELIABLE = 0.8
TWO = 2


@dataclass(frozen=True)
class Facts:
    """Results, with the primary unit set and coefficient at hand."""

    results: Results

    @property
    def unit_set(self) -> UnitSet:
        """Return the primary unit set."""
        return self.results.primary

    @property
    def siblings(self) -> tuple[UnitSet, ...]:
        """Return the unit sets of the primary one's layer, itself included."""
        return tuple(each for each in self.results.unit_sets if each.layer == self.unit_set.layer)

    @property
    def pair(self) -> Pair | None:
        """Return the one pair of the primary unit set, None with more or fewer than two annotators."""
        pairs = self.unit_set.pairs
        return pairs[0] if len(pairs) == 1 and len(self.unit_set.annotators) == TWO else None

    @property
    def figure(self) -> Figure | None:
        """Return the primary coefficient in the primary unit set."""
        return self.unit_set.measures.get(self.results.coefficient)

    def name(self, figure: str) -> str:
        """Return the name of a figure for a reader, such as "Krippendorff's alpha [expert]"."""
        base, _, bracket = figure.partition("[")
        definition = self.results.catalogue.get(base)
        name = definition.name if definition else base
        return f"{name} [{bracket}" if bracket else name

    def rare(self, category: str) -> list[str]:
        """Return the other categories of the primary unit set."""
        return [each for each in self.unit_set.categories if each != category]


def label_totals(unit_set: UnitSet) -> dict[str, int]:
    """Return how many ratings of each category stand in the tables of the unit set's pairs."""
    totals = dict.fromkeys(unit_set.categories, 0)
    for pair in unit_set.pairs:
        for row, name in zip(pair.confusion.counts, pair.confusion.categories, strict=True):
            totals[name] += sum(row)
        for name, column in zip(
            pair.confusion.categories, zip(*pair.confusion.counts, strict=True), strict=True
        ):
            totals[name] += sum(column)
    return totals


def confusions(pair: Pair) -> Iterator[tuple[str, str, int]]:
    """Yield every two categories that a pair confuses with how many units, the most frequent first."""
    names, counts = pair.confusion.categories, pair.confusion.counts
    found = [
        (one, other, counts[i][j] + counts[j][i])
        for i, one in enumerate(names)
        for j, other in enumerate(names[i + 1 :], i + 1)
        if counts[i][j] + counts[j][i]
    ]
    yield from sorted(found, key=lambda each: -each[2])


def ends(figure: Figure | None) -> tuple[float, float] | None:
    """Return the ends of a figure's interval, None where it has none."""
    interval: Interval | None = figure.interval if figure else None
    if interval is None or interval.low is None or interval.high is None:
        return None
    return interval.low, interval.high


def finding(
    id_: str, severity: str, claim: str, advice: str, evidence: str, values: Mapping[str, Scalar]
) -> Finding:
    """Return a finding; its claim and advice are filled from `values` when a page is rendered."""
    return Finding.model_validate(
        {
            "id": id_,
            "severity": severity,
            "claim": claim,
            "advice": advice,
            "evidence": evidence,
            "values": values,
        }
    )
