"""What is behind the disagreements, ranked once: each cause with its cases, its gain and its one act.

Titles, rows, what else to do, terminal, history: all read `ranked`, and nothing else ranks or advises.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import BY_ID
from reportgen.findings.annotator_pairs import copies
from reportgen.findings.layer_facts import FindingTemplate, LayerFacts, Values
from reportgen.results import SEVERITIES, Finding, Results, UnitSet
from reportgen.results.model import AllDisagreements, Cause, CauseKind

CAUSE = FindingTemplate("cause", "note", "all-disagreements", kind="cause", cases=("cases",))
MARKING = "Agree on what should be marked."
OF_PERSON = replace(CAUSE, people=("annotator",))
OF_LABELS = replace(CAUSE, categories=("category", "other"))
SHARE = "{cause_share} of the {total} disagreements"
BY_KIND: Mapping[CauseKind, FindingTemplate] = {
    "one-sided": OF_PERSON.saying(
        f"In {SHARE}, {{annotator}} marked something that {{another}} left out.",
        MARKING,
    ),
    "marks-more": OF_PERSON.saying(
        f"In {SHARE}, {{annotator}} marked something that another left out.",
        MARKING,
    ),
    "marks-less": OF_PERSON.saying(
        f"In {SHARE}, {{annotator}} left out something that another marked.",
        MARKING,
    ),
    "annotator": OF_PERSON.saying(
        f"{SHARE} are between {{annotator}} and the others; it would be {{expected_share}} if {{annotator}} "
        "agreed as they do.",
        "Ask {annotator} by which rules they decided.",
    ),
    "direction": OF_LABELS.saying(
        f"In {SHARE}, {{first}} chose {{category}} where {{second}} chose {{other}}.",
        "Agree on how to tell {category} from {other}.",
    ),
    "labels": OF_LABELS.saying(
        f"{SHARE} are between {{category}} and {{other}}; chance would put {{expected_share}} there.",
        "Agree on how to tell {category} from {other}.",
    ),
    "label": replace(CAUSE, categories=("category",)).saying(
        f"{SHARE} are about {{category}}; it would be {{expected_share}} if {{category}} were as clear as "
        "the rest.",
        "Agree on when to choose {category}.",
    ),
    "document": CAUSE.saying(
        f"{SHARE} are in one document, {{document}}; it would be {{expected_share}} if it were like the "
        "others.",
        "Find out what is different about {document}.",
    ),
    "layer": CAUSE.saying(
        f"{SHARE} are in one layer, {{layer_name}}; it would be {{expected_share}} if it were as clear as "
        "the others.",
        "Revise the guidelines of {layer_name}.",
    ),
    "ends": CAUSE.saying(
        f"{SHARE} are about where marks begin and end.", "Agree on where marks begin and end."
    ),
}
# What settling the first would bring: of one layer, or of several from the lowest to the highest.
SETTLED_ONE = CAUSE.saying("If that were settled, {coefficient} would be about {reached} instead of {now}.")
SETTLED_SEVERAL = CAUSE.saying(
    "If that were settled, agreement beyond chance would be about {low_reached} to {high_reached} by layer."
)
# Figures that are this near each other are printed alike.
LEAST_APART = 0.01
NO_SINGLE = CAUSE.saying("No single cause is shown to explain much of the {total} disagreements.")
OF_MARKING = frozenset(("one-sided", "marks-more", "marks-less"))
OF_MARKS = frozenset(("mark", "balance", "ends"))
OF_CHOOSING = frozenset(("choose", "apart", "revise"))
SETTINGS = frozenset(("declare", "account"))
# A cause explains a layer where it has so much of its disagreements.
EXPLAINS = 0.5

# A list of labels is too fine where there are so many that half of them are hardly ever used.
LEAST_LABELS, SELDOM = 12, 10
TOO_FINE = FindingTemplate(
    "labels-too-fine", "warning", "specific-agreement", asks="merge", of_data="limitation"
).saying(
    "The list of labels is too fine: half of the {labels} labels were given {times} times or less.",
    "Merge labels, or order them under a few broader ones.",
)


def too_fine(facts: LayerFacts) -> Iterator[Finding]:
    """Yield that there are too many labels to agree on, where labels are names and agreement is not high."""
    unit_set = facts.unit_set
    uses = [times for name in unit_set.judged if (times := unit_set.uses(name)) and not is_number(name)]
    figure = facts.figure
    if unit_set.scale not in {"nominal", "set"} or len(uses) < LEAST_LABELS or median(uses) >= SELDOM:
        return
    if unit_set.units_compared and figure and figure.value is not None and figure.value < 1:
        alone = len(facts.results.layers) == 1
        template = replace(TOO_FINE, kind="cause") if alone else TOO_FINE
        yield template.finding(labels=len(uses), times=round(median(uses)))


def often_used(unit_set: UnitSet) -> list[str]:
    """Return the categories to show one by one: of a long list those that were used often enough.

    That of what nobody marked is none of them, nor are numbers that stand for places in texts.
    """
    names = [name for name in unit_set.judged if name != unit_set.non_annotated]
    if len(names) < LEAST_LABELS:
        return names
    places = unit_set.sets is not None
    return [name for name in names if unit_set.uses(name) >= SELDOM and not (places and is_number(name))]


def is_number(name: str) -> bool:
    """Tell whether a label is a number, such as a place in a text: it has no definition to revise."""
    return name.strip().lstrip("-").replace(".", "", 1).isdecimal()


def cause(facts: LayerFacts, findings: Sequence[Finding] = ()) -> Iterator[Finding]:
    """Yield what many of all disagreements have in common, or that nothing was found, beside `findings`."""
    found = facts.results.disagreements
    if found is None or not found.candidates or _asks_otherwise(facts):
        return
    told = _told(facts.results, found)
    for own in told:
        yield BY_KIND[own.kind].gaining(_gain(facts.results, own), **_values(facts, found, own))
    for own in told[:1]:
        yield from _settled(facts, own)
    if not found.causes and all(own.kind != "cause" for own in findings):
        yield NO_SINGLE.finding(total=found.total)


def _told(results: Results, found: AllDisagreements) -> list[Cause]:
    """Return the causes that are told: beside copies, who agree with each other, nobody is one."""
    beside = any(copies(LayerFacts(results, layer)) for layer in results.layers)
    return [own for own in found.causes if not (beside and own.kind == "annotator")]


def first_cause(results: Results) -> Cause | None:
    """Return what explains most disagreements of a report that names it; None without one."""
    named = any(finding.kind == "cause" and finding.subject is None for finding in results.findings)
    found = results.disagreements if named else None
    return next(iter(_told(results, found)), None) if found else None


def _asks_otherwise(facts: LayerFacts) -> bool:
    """Tell whether a layer has another subject than single labels of annotators."""
    results = facts.results
    return any(results.subject_of(layer) != "annotators" for layer in results.layers)


def _values(facts: LayerFacts, found: AllDisagreements, own: Cause) -> Values:
    """Return what messages say of a cause."""
    labels, people = own.labels or (), own.annotators or ()
    another = (name for name in facts.unit_set.annotators if name not in people)
    return {
        "total": found.total,
        "cases": own.cases,
        "cause_share": own.cases / found.total,
        "expected_share": own.expected / found.total,
        "category": labels[0] if labels else None,
        "other": labels[1] if len(labels) > 1 else None,
        "annotator": people[0] if len(people) == 1 else None,
        "another": next(another, None) if own.kind == "one-sided" else None,
        "first": people[0] if len(people) > 1 else None,
        "second": people[1] if len(people) > 1 else None,
        "document": own.document,
        "layer_name": own.layer,
    }


def _gain(results: Results, own: Cause) -> float | None:
    """Return by how much the coefficient of a layer would rise, of that which would rise most."""
    gains = (own.without(layer, value) - value for layer, value in unweighted(results).items())
    return max(gains, default=None)


def _settled(facts: LayerFacts, own: Cause) -> Iterator[Finding]:
    """Yield what agreement beyond chance would be, about, if a cause were settled, where that is known."""
    values = unweighted(facts.results)
    reached = {layer: own.without(layer, value) for layer, value in values.items()}
    if len(reached) < len(facts.results.layers):
        return
    if len(reached) == 1:
        layer = facts.results.layers[0]
        yield SETTLED_ONE.finding(coefficient=facts.coefficient, now=values[layer], reached=reached[layer])
        return
    low, high = min(reached.values()), max(reached.values())
    if high - low >= LEAST_APART:
        yield SETTLED_SEVERAL.finding(low_reached=low, high_reached=high)


def unweighted(results: Results) -> dict[str, float]:
    """Return the value of each layer's coefficient where it corrects for chance and takes labels as names."""
    figures = {
        layer: results.primary_of(layer).measures.get(name)
        for layer, name in results.coefficients.items()
        if "[" not in name and BY_ID[name].kind != "share"
    }
    return {layer: figure.value for layer, figure in figures.items() if figure and figure.value is not None}


# The one list.


@dataclass(frozen=True)
class RankedCause:
    """One cause with its one act: the first of its `findings` names it, the others are of it too.

    A `proven` cause explains a quarter of all disagreements beyond chance.
    """

    findings: tuple[Finding, ...]
    proven: Cause | None = None

    @property
    def first(self) -> Finding:
        """Return the finding that names it."""
        return self.findings[0]

    @property
    def alike(self) -> tuple[Finding, ...]:
        """Return the findings that ask for the same as the first, of which the act is made."""
        asks = self.first.asks
        return tuple(own for own in self.findings if own is self.first or (asks and own.asks == asks))

    @property
    def severity(self) -> str:
        """Return how grave the gravest finding is."""
        return min((finding.severity for finding in self.findings), key=SEVERITIES.index)

    @property
    def is_found(self) -> bool:
        """Tell whether it is what disagreements have in common, not one thing among others."""
        return self.first.kind == "cause"

    @property
    def layers(self) -> tuple[str, ...]:
        """Return the layers that it is about; empty where it is about all."""
        if self.proven:
            return (self.proven.layer,) if self.proven.layer else ()
        return tuple(dict.fromkeys(layer for finding in self.alike for layer in finding.layers))

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the categories that it is about, those with most cases first."""
        ordered = sorted(self.alike, key=lambda finding: -(finding.cases or 0))
        return tuple(dict.fromkeys(name for finding in ordered for name in finding.categories))

    @property
    def cases(self) -> int:
        """Return how many cases there are to go through; 0 where that is not known."""
        return sum(finding.cases or 0 for finding in self.alike)

    @property
    def gain(self) -> float:
        """Return by how much a layer's coefficient would rise, about, if it were settled."""
        return max((finding.gain or 0.0 for finding in self.alike), default=0.0)

    def part_of(self, layer: str) -> float:
        """Return which part of a layer's disagreements a proven cause is."""
        return self.proven.by_layer.get(layer, 0.0) if self.proven else 0.0


def ranked(results: Results, findings: Sequence[Finding] | None = None) -> list[RankedCause]:
    """Return all causes: first what makes figures wrong, then what explains most, then by gain.

    What is about layers that can be relied on comes behind what is about others.

    What another cause explains already is of that one; what only campaign.toml has to say comes last. Other
    `findings` than those of the results are looked at where they are given.
    """
    every = results.findings if findings is None else findings
    acts = [finding for finding in every if asks_for_something(finding)]
    found = results.disagreements
    proven = iter(_told(results, found) if found else ())
    causes = [
        RankedCause((finding,), None if finding.subject or finding.asks else next(proven, None))
        for finding in acts
        if finding.kind == "cause" and finding.asks != "export"
    ]
    rest = [finding for finding in acts if finding.kind is None or finding.asks == "export"]
    for place, own in enumerate(causes):
        covered = [finding for finding in rest if _is_of(own, finding, results)]
        # Labels that are missing, or misunderstood, say more of somebody than that they differ.
        naming = [finding for finding in covered if finding.asks == "export"]
        others = [finding for finding in covered if finding.asks != "export"]
        named = [finding.model_copy(update={"kind": "cause"}) for finding in naming]
        causes[place] = replace(own, findings=(*named, *own.findings, *others))
        rest = [finding for finding in rest if finding not in covered]
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in rest:
        groups.setdefault(_key(finding), []).append(finding)
    alike = (
        RankedCause(tuple(sorted(group, key=lambda own: (-(own.gain or 0.0), -(own.cases or 0)))))
        for group in groups.values()
    )
    relied_on = {
        layer
        for own in every
        if own.kind == "layer-verdict" and own.severity in {"note", "good"}
        for layer in own.layers
    }
    return sorted((*causes, *alike), key=lambda own: _rank(own, relied_on))


def asks_for_something(finding: Finding) -> bool:
    """Tell whether a finding is of a cause: it says what to do about disagreements, or about figures."""
    return bool(finding.advice) and finding.kind in {None, "cause"}


def numbered(causes: Sequence[RankedCause]) -> Iterator[Finding]:
    """Yield the findings of all causes, each with the number of its cause."""
    for number, cause in enumerate(causes, 1):
        yield from (finding.model_copy(update={"cause": number}) for finding in cause.findings)


def _key(finding: Finding) -> tuple[object, ...]:
    """Return what findings have in common that ask for the same: about what, or else in which words."""
    if finding.asks in SETTINGS or finding.asks is None:
        return (_advised(finding),)
    if finding.asks in OF_MARKS:
        return ("ends" if finding.asks == "ends" else "mark",)
    return finding.asks, finding.layers


def _advised(finding: Finding) -> str:
    return finding.advice.format_map(defaultdict(str, finding.values))


def _is_of(own: RankedCause, finding: Finding, results: Results) -> bool:
    """Tell whether a cause explains a finding: it is about the same people, labels, or kind of case."""
    first, kind = own.first, own.proven.kind if own.proven else None
    ours, theirs = set(first.categories), set(finding.categories)
    if _advised(finding) == _advised(first):
        return True
    if kind in OF_MARKING:
        about = finding.asks in {"mark", "balance"} or finding.habit == "number"
        return about and all(own.part_of(layer) >= EXPLAINS for layer in finding.layers or results.layers)
    if kind == "ends":
        # Tokens at ends are what only one of two marked.
        return finding.asks in {"ends", "balance"} or finding.habit in {"ends", "begins"}
    if first.people:
        return people_of(finding) == first.people
    here = not own.proven or finding.layers == (own.proven.layer,)
    if finding.asks in OF_CHOOSING:
        about = first.asks == "merge" or theirs <= ours or (len(ours) == 1 and ours <= theirs)
        return here and about and bool(theirs)
    return here and bool(ours) and ours == theirs


def people_of(finding: Finding) -> tuple[str, ...]:
    """Return whom a finding is about."""
    listed, one = finding.values.get("names_list"), finding.values.get("annotator")
    return finding.people or (listed if isinstance(listed, tuple) else (str(one),) if one else ())


def _rank(own: RankedCause, relied_on: Collection[str]) -> tuple[object, ...]:
    settings = all(finding.asks in SETTINGS for finding in own.findings)
    wrong = settings and own.severity == SEVERITIES[0]
    if own.is_found and not wrong:
        # Those that are found are ranked already.
        return (1,)
    usable = bool(own.layers) and {*own.layers} <= {*relied_on}
    return (
        0 if wrong else 3 if settings else 2,
        usable,
        -round(own.gain, 3),
        SEVERITIES.index(own.severity),
        -own.cases,
    )
