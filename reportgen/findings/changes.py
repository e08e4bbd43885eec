"""What rules about a comparison look at: what is compared on what, and which way a figure moved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from reportgen.findings.facts import of_layer
from reportgen.measures.difference_tests import holm
from reportgen.results import Value
from reportgen.results.comparison import UnitSetRevision, VersionComparison
from reportgen.results.parts import Change, SystemRevision
from reportgen.versions.guidelines_documents import CategoryMatcher

LEVEL = 0.05
# A difference that would change what a reader concludes, where no test says that it is real.
NOTABLE = 0.05
# Above this p value not even a suspicion is told.
SUSPECT = 0.2

Direction = Literal["rose", "fell", "open", "same", "untested"]
Ground = Literal[
    "documents", "units", "some documents", "some units", "other documents", "other units", "unknown"
]


@dataclass(frozen=True)
class Changes:
    """A comparison, with the primary unit set and its coefficient at hand."""

    comparison: VersionComparison

    @property
    def revision(self) -> UnitSetRevision | None:
        """Return the primary unit set on what stands in both versions, else on all of each."""
        return self.comparison.primary

    @property
    def change(self) -> Change | None:
        """Return the primary coefficient under both versions."""
        return self.revision.measures.get(self.revision.figure) if self.revision else None

    @property
    def coefficient(self) -> str:
        """Return the primary coefficient's name for a reader."""
        return self.comparison.name_of(self.revision.figure) if self.revision else ""

    @property
    def naming(self) -> dict[str, Value]:
        """Return what messages call the primary coefficient: with its layer where there are several."""
        values: dict[str, Value] = {"coefficient": self.coefficient}
        return (
            of_layer("coefficient", self.revision.layer, values)
            if self.revision and self._several
            else values
        )

    @property
    def _several(self) -> bool:
        return len({each.layer for each in self.comparison.unit_sets}) > 1

    @property
    def sides(self) -> dict[str, Value]:
        """Return what messages call the two versions."""
        return {"earlier": self.comparison.first.guidelines, "later": self.comparison.second.guidelines}

    @property
    def layers(self) -> list[UnitSetRevision]:
        """Return each layer's primary unit set, on what stands in both versions where that was compared."""
        found: dict[str, UnitSetRevision] = {}
        for each in self.comparison.unit_sets:
            if each.primary and (each.layer not in found or each.basis == "shared"):
                found[each.layer] = each
        return list(found.values())

    @property
    def other_layers(self) -> dict[str, Change]:
        """Return the primary coefficient of every layer but the first, by layer."""
        own = self.revision.layer if self.revision else None
        found = {each.layer: each.measures.get(each.figure) for each in self.layers if each.layer != own}
        return {name: each for name, each in found.items() if each is not None}

    def coefficient_of(self, layer: str) -> str:
        """Return the name of a layer's primary coefficient for a reader."""
        return self.comparison.name_of(next(each.figure for each in self.layers if each.layer == layer))

    def named(self, name: str, revision: UnitSetRevision) -> dict[str, Value]:
        """Return what messages call a category: with its layer where there are several."""
        values: dict[str, Value] = {"category": name}
        return of_layer("category", revision.layer, values) if self._several else values


def has_categories(revision: UnitSetRevision) -> bool:
    """Tell whether labels, those of sets one by one, are categories to define and to confuse: not numbers."""
    return revision.scale in {None, "nominal", "ordinal", "set"}


def direction(change: Change, *, adjusted: bool = False) -> Direction:
    """Return which way a figure moved beyond chance, by p after Holm where that is asked for."""
    if change.difference == 0:
        return "same"
    p = p_of(change, adjusted=adjusted)
    if change.difference is None or p is None:
        return "untested"
    if p >= LEVEL:
        return "open"
    return "rose" if change.difference > 0 else "fell"


def p_of(change: Change, *, adjusted: bool = False) -> float | None:
    """Return the p value of a change, None where it wasn't tested."""
    if change.test is None:
        return None
    after = change.test.adjusted if adjusted else None
    return change.test.p if after is None else after


def may_have_fallen(change: Change, *, adjusted: bool = False) -> bool:
    """Tell whether a figure fell by much, which chance alone could do, but seldom would."""
    by, p = change.difference or 0.0, p_of(change, adjusted=adjusted)
    return direction(change, adjusted=adjusted) == "open" and by < -NOTABLE and (p or 0.0) <= SUSPECT


def fallen_categories(revision: SystemRevision) -> list[str]:
    """Return the categories on which somebody fell against the key, beyond chance after Holm."""
    return [name for name, at in revision.by_category.items() if direction(at, adjusted=True) == "fell"]


def fallen_documents(revision: SystemRevision) -> list[str]:
    """Return the documents on which somebody fell against the key, those that fell most first."""
    return [at.document for at in revision.by_document if (at.difference or 0.0) < 0]


def ground(revision: UnitSetRevision) -> Ground:
    """Return what the two sides of a comparison have in common."""
    overlap = revision.overlap
    first, second = revision.first, revision.second
    if revision.basis == "shared":
        return "documents" if revision.clusters == "document" else "units"
    if revision.clusters == "document" and first.documents and second.documents:
        # A single document of both is compared as all of each, for want of a second one.
        if overlap.documents == first.documents == second.documents:
            return "documents"
        return "some documents" if overlap.documents else "other documents"
    if overlap.units is None:
        return "unknown"
    if overlap.units == first.units == second.units:
        return "units"
    return "some units" if overlap.units else "other units"


def sizes(revision: UnitSetRevision) -> dict[str, Value]:
    """Return how many documents and units the two sides have, and how many stand in both."""
    return {
        "documents": revision.overlap.documents,
        "units": revision.overlap.units or 0,
        "earlier_documents": revision.first.documents,
        "later_documents": revision.second.documents,
        "earlier_units": revision.first.units,
        "later_units": revision.second.units,
    }


def clusters(revision: UnitSetRevision) -> int:
    """Return how many documents, or units, the test takes as independent on the smaller side."""
    overlap = revision.overlap
    if revision.basis == "shared":
        return overlap.documents if revision.clusters == "document" else overlap.units or 0
    if revision.clusters == "unit":
        return min(revision.first.units, revision.second.units)
    return min(revision.first.documents, revision.second.documents)


def moved(change: Change, p: float | None = None) -> dict[str, Value]:
    """Return both values of a figure and by how much it moved, as a positive number, with its interval."""
    difference, interval = change.difference or 0.0, change.interval
    values: dict[str, Value] = {"by": abs(difference)}
    values |= {
        key: figure.value
        for key, figure in (("before", change.first), ("after", change.second))
        if figure.value is not None
    }
    if interval is not None and interval.low is not None and interval.high is not None:
        ends = (interval.low, interval.high) if difference >= 0 else (-interval.high, -interval.low)
        values |= {"low": ends[0], "high": ends[1]}
    return values | ({"p": p} if p is not None else {})


def revised(comparison: VersionComparison, category: str) -> bool:
    """Tell whether the later version's changes, or what its guidelines added or took out, name a category."""
    passages = comparison.guidelines.passages if comparison.guidelines else ()
    if any(category in each.categories for each in passages if each.kind != "kept"):
        return True
    changes = comparison.second.changes
    names = CategoryMatcher([category], [changes, *(each.text for each in passages)])
    return category in names.of(changes)


def beyond_chance(changes: Mapping[str, Change]) -> Iterator[tuple[str, float, Change]]:
    """Yield what moved beyond chance, with p after Holm over all that were tested."""
    adjusted = dict(zip(changes, holm([p_of(each) for each in changes.values()]), strict=True))
    for name, each in changes.items():
        p = adjusted[name]
        if p is not None and p < LEVEL and each.difference:
            yield name, p, each
