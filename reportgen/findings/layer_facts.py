"""What rules look at, and what they say: results of a version or a comparison, and messages with places."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import BY_ID
from reportgen.measures.estimate import significant
from reportgen.results import (
    SEVERITIES,
    Figure,
    Finding,
    Pair,
    Results,
    Severity,
    SubjectFigure,
    UnitSet,
    Value,
)
from reportgen.results.annotators import ComparedSet
from reportgen.results.model import Ask, FindingKind, Level, MarkHabit, OfData, RepeatedIn, SubjectId
from reportgen.results.parts import Change, SystemRevision
from reportgen.results.versions import UnitSetRevision, VersionComparison, on_shared
from reportgen.versions.guidelines_documents import CategoryMatcher

# What fills the places of a message; what is None is not said.
Values = dict[str, Value | None]
# Krippendorff (2004, p. 241): below the first nothing is concluded, above the second conclusions are safe.
TENTATIVE = 0.667
RELIABLE = 0.8


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by how grave they are, those as grave by what settling them would change."""
    return sorted(findings, key=lambda finding: (SEVERITIES.index(finding.severity), -(finding.gain or 0.0)))


def of_units(message: str) -> str:
    """Return what a message about documents says of units: these are labelled, not annotated."""
    labelled = re.sub(r"(documents(?: were| are| of \{earlier\})?) annotated", r"\1 labelled", message)
    return labelled.replace("document", "unit")


@dataclass(frozen=True)
class FindingTemplate:
    """One entry of the closed list of what findings say.

    `claim` and `advice` are English with {named} places, which values fill when a page is rendered;
    `evidence` is the section of the report that shows it. What else is true of it, pages read from results:
    `Finding` says what each trait means. `categories`, `people`, `examples` and `cases` name places of the
    messages, whose values a finding has in these; the values of several `cases` are added up.
    """

    id: str
    severity: Severity
    evidence: str
    claim: str = ""
    advice: str = ""
    kind: FindingKind | None = None
    asks: Ask | None = None
    categories: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    examples: tuple[str, ...] | None = None
    level: Level | None = None
    habit: MarkHabit | None = None
    of_data: OfData | None = None
    subject: SubjectId | None = None
    repeated: RepeatedIn | None = None

    def saying(self, claim: str, advice: str = "", *, severity: Severity | None = None) -> "FindingTemplate":
        """Return what findings of this id say in one case, or another, with the same evidence."""
        return replace(self, severity=severity or self.severity, claim=claim, advice=advice)

    def of_units(self) -> "FindingTemplate":
        """Return the same where units, not documents, are what is counted, labelled and sampled."""
        return replace(self, claim=of_units(self.claim), advice=of_units(self.advice))

    def finding(self, **values: Value | None) -> Finding:
        """Return the finding that says this of these values."""

        def named(places: Iterable[str]) -> tuple[str, ...]:
            return tuple(str(value) for place in places if (value := values.get(place)) is not None)

        examples = named(self.examples or ())
        counts = [count for place in self.cases if isinstance(count := values.get(place), int)]
        return Finding(
            id=self.id,
            severity=self.severity,
            claim=self.claim,
            advice=self.advice,
            values={key: value for key, value in values.items() if value is not None},
            evidence=self.evidence,
            kind=self.kind,
            asks=self.asks,
            categories=named(self.categories),
            people=named(self.people),
            cases=sum(counts) if counts else None,
            examples=examples if examples or self.examples == () else None,
            level=self.level,
            habit=self.habit,
            of_data=self.of_data,
            subject=self.subject,
            repeated=self.repeated,
        )

    def gaining(self, gain: float | None, **values: Value | None) -> Finding:
        """Return the finding with what the primary coefficient would rise by if it were settled."""
        return self.finding(**values).model_copy(update={"gain": gain})


@dataclass(frozen=True)
class LayerFacts:
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
        return tuple(unit_set for unit_set in self.results.unit_sets if unit_set.layer == self.layer)

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


# One rule: findings on a layer, from its primary unit set.
Rule = Callable[[LayerFacts], Iterator[Finding]]


@dataclass(frozen=True)
class SubjectRules:
    """What a report says of a layer because of its subject.

    - `opening`: the verdict, then what it rests on.
    - `rules`: what is looked at besides what is looked at in every layer; `without`: what of that is not.
    - `answer`: the figure that the verdict is about, where that is not the primary coefficient.
    """

    opening: tuple[Rule, ...]
    rules: tuple[Rule, ...] = ()
    without: frozenset[Rule] = field(default_factory=frozenset)
    answer: Callable[[LayerFacts], SubjectFigure | None] = lambda _facts: None


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
    by_frequency = [(table.categories[i], table.categories[j], both[i, j]) for i, j in sorted(both)]
    yield from sorted(by_frequency, key=lambda confusion: -confusion[2])


def answer_of(
    facts: LayerFacts, figure: str, value: Figure | None, **said: str | int | None
) -> SubjectFigure:
    """Return the figure that answers a layer's question; `said` is who it is of and what it rests on."""
    base = figure.partition("[")[0]
    shown = value or Figure(value=None, undefined=facts.figure.undefined if facts.figure else None)
    # What a report on people alone does not compute is not in its catalogue.
    known = base in facts.results.catalogue
    brief = {"value": shown.value, "interval": shown.interval, "undefined": shown.undefined}
    return SubjectFigure.model_validate(
        {
            "figure": figure,
            "name": facts.results.name_of(figure) if known else BY_ID[base].name,
            "symbol": (facts.results.catalogue if known else BY_ID)[base].symbol,
            "value": Figure.model_validate(brief),
            **said,
        }
    )


Compared = TypeVar("Compared", ComparedSet, SystemRevision)


def marks_or_primary(parts: Iterable[Compared], primary: Collection[tuple[str, str]]) -> list[Compared]:
    """Return what is compared in each layer: its marks in texts, or else its primary unit set (layer, id)."""
    all_parts = list(parts)
    marked = {part.layer for part in all_parts if part.unit_set is None}
    return [
        part
        for part in all_parts
        if part.unit_set is None or (part.layer not in marked and (part.layer, part.unit_set) in primary)
    ]


def figure_name(names: Results | VersionComparison, of: ComparedSet | SystemRevision) -> str:
    """Return what messages call the figure that is shown first: F of marks in texts."""
    return "F" if of.unit_set is None else names.name_of(of.figure)


def ends(figure: Figure | Change | None) -> tuple[float, float] | None:
    """Return the ends of the interval of a figure or a difference, None where it has none."""
    return figure.interval.ends if figure and figure.interval else None


# Values of messages that are words: lists of names, and names with their layer or role.
#
# Each is in English under its own key, and in parts beside it, so that a page in another language can put
# it together again: `<key>_list` and `<key>_more`, `<key>_name` with `<key>_layer` or `<key>_role`.

NAMES_SHOWN = 3


def listed(names: Iterable[str], most: int = NAMES_SHOWN) -> str:
    """Return names as words, the first few of them; one with a comma of its own is in quotation marks."""
    all_names = list(names)
    more = len(all_names) - most
    shown = [f"“{name}”" if ", " in name and len(all_names) > 1 else name for name in all_names[:most]]
    *others, last = [*shown, *([f"{more} more"] if more > 0 else [])] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def name_values(key: str, names: Iterable[str], most: int = NAMES_SHOWN) -> Values:
    """Return names as the value of a message, in words and as the list that they are."""
    all_names = list(names)
    values: Values = {key: listed(all_names, most), f"{key}_list": tuple(all_names[:most])}
    return values | ({f"{key}_more": len(all_names) - most} if len(all_names) > most else {})


# Of how many categories names are shown.
CATEGORIES_SHOWN = 5


def counted(names: Sequence[str], everything: int) -> Values:
    """Return some categories of so many as values of a message: their names and both numbers."""
    return {"count": len(names), "all": everything, **name_values("names", names, CATEGORIES_SHOWN)}


def not_used(
    names: Sequence[str], everything: int, single: FindingTemplate, many: FindingTemplate
) -> Iterator[Finding]:
    """Yield that one category, or several of so many, were never used."""
    if len(names) == 1:
        yield single.finding(category=names[0])
    elif names:
        yield many.finding(**counted(names, everything))


def of_layer(key: str, layer: str, values: Values) -> Values:
    """Return a value of a message with the layer in parentheses."""
    apart: Values = {} if f"{key}_list" in values else {f"{key}_name": values[key]}
    return values | apart | {key: f"{values[key]} (layer {layer})", f"{key}_layer": layer}


def in_role(key: str, name: str, role: str) -> Values:
    """Return somebody's name as the value of a message, with what they are in parentheses."""
    return {key: f"{name} ({role})", f"{key}_name": name, f"{key}_role": role}


# What rules about a comparison look at: what is compared on what, and which way a figure moved.

LEVEL = 0.05
# A difference that would change what a reader concludes, where no test says that it is real.
NOTABLE = 0.05
# Above this p value not even a suspicion is reported.
SUSPECT = 0.2

Direction = Literal["rose", "fell", "open", "same", "untested"]
Ground = Literal[
    "documents", "units", "some documents", "some units", "other documents", "other units", "unknown"
]


@dataclass(frozen=True)
class LayerChanges:
    """A comparison, with the primary unit set and its coefficient at hand."""

    comparison: VersionComparison

    @property
    def revision(self) -> UnitSetRevision | None:
        """Return the primary unit set on what is in both versions, else on all of each."""
        return self.comparison.primary

    @property
    def compared(self) -> tuple[UnitSetRevision, Change] | None:
        """Return the primary unit set with its coefficient under both versions, None where it has none."""
        if self.revision is None:
            return None
        change = self.revision.measures.get(self.revision.figure)
        return None if change is None else (self.revision, change)

    @property
    def change(self) -> Change | None:
        """Return the primary coefficient under both versions."""
        return self.compared[1] if self.compared else None

    @property
    def coefficient(self) -> str:
        """Return the primary coefficient's name for a reader."""
        return self.comparison.name_of(self.revision.figure) if self.revision else ""

    @property
    def naming(self) -> Values:
        """Return what messages call the primary coefficient: with its layer where there are several."""
        values: Values = {"coefficient": self.coefficient}
        return (
            of_layer("coefficient", self.revision.layer, values)
            if self.revision and self._several
            else values
        )

    @property
    def _several(self) -> bool:
        return len({revision.layer for revision in self.comparison.unit_sets}) > 1

    @property
    def sides(self) -> Values:
        """Return what messages call the two versions."""
        return {"earlier": self.comparison.first.guidelines, "later": self.comparison.second.guidelines}

    @property
    def layers(self) -> list[UnitSetRevision]:
        """Return each layer's primary unit set, on what is in both versions where that was compared."""
        return on_shared((units for units in self.comparison.unit_sets if units.primary), "layer")

    @property
    def other_layers(self) -> dict[str, Change]:
        """Return the primary coefficient of every layer but the first, by layer."""
        own = self.revision.layer if self.revision else None
        changes = {
            revision.layer: revision.measures.get(revision.figure)
            for revision in self.layers
            if revision.layer != own
        }
        return {name: change for name, change in changes.items() if change is not None}

    def coefficient_of(self, layer: str) -> str:
        """Return the name of a layer's primary coefficient for a reader."""
        return self.comparison.name_of(next(units.figure for units in self.layers if units.layer == layer))

    def named(self, name: str, revision: UnitSetRevision) -> Values:
        """Return what messages call a category: with its layer where there are several."""
        values: Values = {"category": name}
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


def sizes(revision: UnitSetRevision) -> Values:
    """Return how many documents and units the two sides have, and how many are in both."""
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


def moved(change: Change, p: float | None = None) -> Values:
    """Return both values of a figure and by how much it moved, as a positive number, with its interval."""
    difference, span = change.difference or 0.0, ends(change)
    low, high = span or (None, None)
    if span and difference < 0:
        low, high = -span[1], -span[0]
    before, after = change.first.value, change.second.value
    return {"by": abs(difference), "before": before, "after": after, "low": low, "high": high, "p": p}


def revised(comparison: VersionComparison, category: str) -> bool:
    """Tell whether the later version's changes, or what its guidelines added or took out, name a category."""
    passages = comparison.guidelines.passages if comparison.guidelines else ()
    if any(category in passage.categories for passage in passages if passage.kind != "kept"):
        return True
    changes = comparison.second.changes
    names = CategoryMatcher([category], [changes, *(passage.text for passage in passages)])
    return category in names.of(changes)


def beyond_chance(changes: Mapping[str, Change]) -> Iterator[tuple[str, float, Change]]:
    """Yield what moved beyond chance, with p after Holm over all that were tested."""
    tested = list(changes.items())
    for place, p in significant([p_of(change) for _, change in tested], LEVEL).items():
        name, change = tested[place]
        if change.difference:
            yield name, p, change
