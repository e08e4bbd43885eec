"""What rules look at, and what they say: results without findings, and messages with places to fill."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from reportgen.results import SEVERITIES, Figure, Finding, Pair, Results, Severity, UnitSet, Value
from reportgen.results.annotators import ComparedSet
from reportgen.results.comparison import VersionComparison
from reportgen.results.parts import SystemRevision

# Krippendorff (2004, p. 241): below the first nothing is concluded, above the second conclusions are safe.
TENTATIVE = 0.667
RELIABLE = 0.8


def gravest_first(found: Iterable[Finding]) -> list[Finding]:
    """Return findings by how grave they are, those as grave by what settling them would change."""
    return sorted(found, key=lambda each: (SEVERITIES.index(each.severity), -(each.gain or 0.0)))


def of_units(message: str) -> str:
    """Return what a message about documents says of units: these are labelled, not annotated."""
    labelled = re.sub(r"(documents(?: were| are| of \{earlier\})?) annotated", r"\1 labelled", message)
    return labelled.replace("document", "unit")


@dataclass(frozen=True)
class FindingTemplate:
    """One entry of the closed list of what findings say.

    `claim` and `advice` are English with {named} places, which values fill when a page is rendered;
    `evidence` is the section of the report that shows it.
    """

    id: str
    severity: Severity
    evidence: str
    claim: str
    advice: str = ""

    def saying(self, claim: str, advice: str = "", *, severity: Severity | None = None) -> "FindingTemplate":
        """Return what findings of the same id say in another case, with the same evidence."""
        return replace(self, severity=severity or self.severity, claim=claim, advice=advice)

    def of_units(self) -> "FindingTemplate":
        """Return the same where units, not documents, are what is counted, labelled and sampled."""
        return replace(self, claim=of_units(self.claim), advice=of_units(self.advice))

    def found(self, **values: Value) -> Finding:
        """Return the finding that says this of these values."""
        return Finding(
            id=self.id,
            severity=self.severity,
            claim=self.claim,
            advice=self.advice,
            values=values,
            evidence=self.evidence,
        )

    def gaining(self, gain: float | None, **values: Value) -> Finding:
        """Return the finding with what the primary coefficient would rise by if it were settled."""
        return self.found(**values).model_copy(update={"gain": gain})


@dataclass(frozen=True)
class Facts:
    """Results as one layer sees them: its primary unit set and coefficient."""

    results: Results
    layer: str

    @property
    def unit_set(self) -> UnitSet:
        """Return the layer's primary unit set."""
        return self.results.primary_of(self.layer)

    @property
    def siblings(self) -> tuple[UnitSet, ...]:
        """Return the layer's unit sets."""
        return tuple(each for each in self.results.unit_sets if each.layer == self.layer)

    @property
    def pair(self) -> Pair | None:
        """Return the one pair of the primary unit set, None with more or fewer than two annotators."""
        return self.unit_set.only_pair

    @property
    def measure(self) -> str:
        """Return the id of the layer's primary coefficient."""
        return self.results.coefficients.get(self.layer, self.results.coefficient)

    @property
    def figure(self) -> Figure | None:
        """Return the primary coefficient in the primary unit set."""
        return self.unit_set.measures.get(self.measure)

    @property
    def coefficient(self) -> str:
        """Return the primary coefficient's name for a reader."""
        return self.results.name_of(self.measure)


def confusions(unit_set: UnitSet) -> Iterator[tuple[str, str, float]]:
    """Yield every two categories that annotators confuse with how often, the most frequent first.

    Of two annotators this is a number of units; of more it is the coincidence matrix's, in which a unit's
    pairs of labels are divided by its ratings less one.
    """
    pair, met = unit_set.only_pair, unit_set.coincidences
    table = pair.confusion if pair else met
    if table is None:
        return
    both: dict[tuple[int, int], float] = {}
    for (row, column), units in table.filled.items():
        if row != column:
            cell = min(row, column), max(row, column)
            # The coincidence matrix has each two labels both ways.
            both[cell] = both.get(cell, 0) + units / (1 if pair else 2)
    found = [(table.categories[i], table.categories[j], both[i, j]) for i, j in sorted(both)]
    yield from sorted(found, key=lambda each: -each[2])


Compared = TypeVar("Compared", ComparedSet, SystemRevision)


def marks_or_primary(parts: Iterable[Compared], primary: Collection[tuple[str, str]]) -> list[Compared]:
    """Return what is compared in each layer: its marks in texts, or else its primary unit set (layer, id)."""
    known = list(parts)
    marked = {each.layer for each in known if each.unit_set is None}
    return [
        each
        for each in known
        if each.unit_set is None or (each.layer not in marked and (each.layer, each.unit_set) in primary)
    ]


def figure_name(names: Results | VersionComparison, of: ComparedSet | SystemRevision) -> str:
    """Return what messages call the figure that is shown first: F of marks in texts."""
    return "F" if of.unit_set is None else names.name_of(of.figure)


def ends(figure: Figure | None) -> tuple[float, float] | None:
    """Return the ends of a figure's interval, None where it has none."""
    interval = figure.interval if figure else None
    if interval is None or interval.low is None or interval.high is None:
        return None
    return interval.low, interval.high


# Values of messages that are words: lists of names, and names with their layer or role.
#
# Each stands in English under its own key, and in parts beside it, so that a page in another language can put
# it together again: `<key>_list` and `<key>_more`, `<key>_name` with `<key>_layer` or `<key>_role`.

NAMES_SHOWN = 3


def listed(names: Iterable[str], most: int = NAMES_SHOWN) -> str:
    """Return names as words, the first few of them."""
    known = list(names)
    more = len(known) - most
    *others, last = [*known[:most], *([f"{more} more"] if more > 0 else [])] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def several(key: str, names: Iterable[str], most: int = NAMES_SHOWN) -> dict[str, Value]:
    """Return names as the value of a message, in words and as the list that they are."""
    known = list(names)
    values: dict[str, Value] = {key: listed(known, most), f"{key}_list": tuple(known[:most])}
    return values | ({f"{key}_more": len(known) - most} if len(known) > most else {})


# Of how many categories names are told.
CATEGORIES_SHOWN = 5


def counted(names: Sequence[str], everything: int) -> dict[str, Value]:
    """Return some categories of so many as values of a message: their names and both numbers."""
    return {"count": len(names), "all": everything, **several("names", names, CATEGORIES_SHOWN)}


def not_used(
    names: Sequence[str], everything: int, one: FindingTemplate, many: FindingTemplate
) -> Iterator[Finding]:
    """Yield that one category, or several of so many, were never used."""
    if len(names) == 1:
        yield one.found(category=names[0])
    elif names:
        yield many.found(**counted(names, everything))


def of_layer(key: str, layer: str, values: dict[str, Value]) -> dict[str, Value]:
    """Return a value of a message with the layer in parentheses."""
    apart: dict[str, Value] = {} if f"{key}_list" in values else {f"{key}_name": values[key]}
    return values | apart | {key: f"{values[key]} (layer {layer})", f"{key}_layer": layer}


def in_role(key: str, name: str, role: str) -> dict[str, Value]:
    """Return somebody's name as the value of a message, with what they are in parentheses."""
    return {key: f"{name} ({role})", f"{key}_name": name, f"{key}_role": role}
