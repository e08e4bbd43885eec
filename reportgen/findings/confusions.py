"""Which categories are confused beyond chance, or weak, at what cost, and what guidelines should clarify."""

import math
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from reportgen.base.dataclass import dataclass
from reportgen.findings.annotator_pairs import swaps
from reportgen.findings.annotators import outliers
from reportgen.findings.causes import often_used
from reportgen.findings.layer_facts import (
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    Values,
    confusions,
    counted,
    ends,
    not_used,
)
from reportgen.findings.marks import mostly_boundaries, of_marks
from reportgen.results import Finding, Results, UnitSet
from reportgen.results.texts import Clarify, Disagreements, Form, LayerMarks, Texts

SHOWN = 3
LEAST_SHARE = 0.1
# A single unit is no pattern.
LEAST_UNITS = 2
# So many standard deviations above its share by chance a confusion is more than chance: of some hundred pairs
# of categories none gets there by accident.
BEYOND = 3.0
# Names that say that no category applies, or that the annotator cannot tell: their letters, case folded.
NO_CATEGORY_NAMES = frozenset(
    (
        "none", "noneofthese", "noneoftheabove", "nothing", "nocategory", "nolabel", "na", "nil", "null",
        "notapplicable", "doesnotapply", "dontknow", "donotknow", "idk", "unknown", "unclear", "unsure",
        "notsure", "undecided", "uncertain", "cantsay", "cannotsay", "canttell", "cannottell", "skip",
        "aucun", "aucune", "rien", "sansobjet", "nesaitpas", "nesaispas", "nsp", "indécis",
        "keine", "keiner", "keines", "nichts", "weissnicht", "nichtzutreffend", "unklar",
    )
)  # fmt: skip
# On these scales neighbouring values are near each other, and no category is apart from the others.
NUMBERS = ("interval", "ratio")

SHARE = "{disagreement_share} of all disagreements"
CHANCE = f"this makes up {SHARE}, where {{chance_share}} would be expected by chance."
TELL_APART = "Agree on how to tell {first} from {second}."
CONFUSED = FindingTemplate(
    *("confused", "warning", "confusion-matrix"),
    asks="apart",
    categories=("first", "second"),
    cases=("units",),
    examples=("first", "second"),
    of_data="disagreement",
).saying(f"{{first}} and {{second}} are confused on {{units}} {{noun}}: {CHANCE}", TELL_APART)
# Among several units have parts of a confusion.
CONFUSED_AMONG = replace(CONFUSED, claim=f"{{first}} and {{second}} are confused: {CHANCE}")
# Where one of the two says that there is nothing, or nothing to say, it has no definition to sharpen.
WHEN = "Agree on when to choose {first}."
WITH_NO_CATEGORY = {
    message: replace(message, advice=WHEN, asks="choose", categories=("first",))
    for message in (CONFUSED, CONFUSED_AMONG)
}
MISSED = replace(CONFUSED, asks="mark", categories=("first",)).saying(
    f"Only one annotator marked {{first}} on {{units}} {{noun}}: {SHARE}.",
    "Agree on when to mark {first}.",
)
MISSED_AMONG = replace(MISSED, claim=f"Cases in which only some annotators marked {{first}} make up {SHARE}.")
CONFUSED_LABELS = replace(CONFUSED, id="confused-labels", examples=None, of_data=None).saying(
    "{first} and {second} are confused: on {units} {noun}, {difference_share} of those on which annotators "
    "differ, one chose the one and the other the other.",
    TELL_APART,
)
CONFUSED_LABELS_AMONG = replace(
    CONFUSED_LABELS,
    claim="{first} and {second} are confused: in {difference_share} of the disagreements in this layer one "
    "annotator chose the one and another the other.",
)
WEAK = FindingTemplate(
    *("weak-category", "problem", "specific-agreement"),
    asks="revise",
    categories=("category",),
    examples=("category", "other"),
    of_data="limitation",
).saying(
    "When one annotator chose {category}, another agreed in {agreement_share} of cases. "
    "Beyond chance that is {value} ({low} to {high}), below the minimum of {threshold}.",
    "Agree on what counts as {category}.",
)
WEAK_MISSED = replace(
    WEAK,
    asks="mark",
    advice="Agree on when to mark {category}.",
)
WEAK_BOUNDARIES = replace(
    WEAK,
    asks="ends",
    advice="Agree on where marks of {category} begin and end.",
)
MORE_WEAK = FindingTemplate("weak-categories", "problem", "specific-agreement").saying(
    "{count} more of {all} categories are below the minimum of {threshold}: {names}.",
    "Agree on what counts as {names}.",
)
UNUSED = FindingTemplate("unused-category", "note", "confusion-matrix", categories=("category",)).saying(
    "No annotator used {category}.", "Ask whether the category is needed."
)
ALL_UNUSED = replace(UNUSED, claim="No annotator used {count} of {all} categories: {names}.")


@dataclass(frozen=True)
class ConfusedCategories:
    """Two categories that are confused: how often, and which share of disagreement, found and by chance."""

    first: str
    second: str
    units: float
    share: float
    chance: float
    disagreements: float

    @property
    def beyond_chance(self) -> bool:
        """Tell whether it is more frequent than labels of these frequencies give by chance."""
        spread = math.sqrt(self.disagreements * self.chance * (1 - self.chance))
        return self.units - self.disagreements * self.chance > BEYOND * spread


def confused(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the most frequent confusions beyond chance, with what settling each would bring.

    With two categories there is but one confusion; on scales of numbers neighbours are near by themselves;
    sets have a rule of their own. Marks that only some annotators made are reported whatever chance is.
    """
    unit_set, value = facts.unit_set, facts.figure.value if facts.figure else None
    # With two categories there is one confusion, and it is all disagreement.
    if value is None or unit_set.scale in (*NUMBERS, "set") or len(_in_use(unit_set)) <= 2:
        return
    # Of labels that somebody exchanged another rule speaks.
    exchanged = {frozenset((crossing.label, crossing.other)) for _, crossing in swaps(unit_set)}
    # What is marked or not, the marks themselves tell better: much of it is about boundaries.
    absent = unit_set.non_annotated if of_marks(facts) else None
    # Two categories next to each other in an order are near.
    position = {name: index for index, name in enumerate(unit_set.categories)}
    ordered = unit_set.scale == "ordinal"
    candidates = (
        confusion
        for confusion in _found(unit_set)
        if not (ordered and abs(position[confusion.first] - position[confusion.second]) == 1)
        and frozenset((confusion.first, confusion.second)) not in exchanged
        and confusion.second != absent
    )
    frequent = [
        confusion
        for confusion in candidates
        if confusion.share >= LEAST_SHARE and confusion.units >= LEAST_UNITS
        if confusion.beyond_chance or confusion.second == unit_set.non_annotated
    ]
    frequent.sort(key=lambda confusion: not confusion.beyond_chance)
    for confusion in frequent[:SHOWN]:
        yield _confused(facts, confusion, value)


def _in_use(unit_set: UnitSet) -> list[str]:
    return [name for name in unit_set.categories if unit_set.labels[name]]


def _found(unit_set: UnitSet) -> Iterator[ConfusedCategories]:
    """Yield every two categories that are confused, the most frequent first."""
    pairs = list(confusions(unit_set))
    total = math.fsum(units for *_, units in pairs)
    chance = _by_chance(unit_set)
    for first, second, units in pairs:
        yield ConfusedCategories(first, second, units, units / total, chance(first, second), total)


def _by_chance(unit_set: UnitSet) -> Callable[[str, str], float]:
    """Return what tells the share of disagreement that falls to two categories by chance, at most.

    Chance gives labels in place of others as frequently as these are used, or all equally often: who slips
    may do either, and what either explains is no confusion. For two annotators the former goes by the
    frequencies of each, for more by those of all together. Where units may stay unmarked, slips are not even:
    most are omissions.
    """
    pair, met = unit_set.only_pair, unit_set.coincidences
    table = pair.confusion if pair else met
    rows, columns = table.margins if table else ([], [])
    total = math.fsum(rows)
    apart = total * math.fsum(columns) - math.fsum(map(operator.mul, rows, columns))
    places = {name: index for index, name in enumerate(table.categories if table else ())}
    others = len(_in_use(unit_set)) - 1

    def share(category: str, other: str) -> float:
        i, j = places[category], places[other]
        by_use = (rows[i] * columns[j] + rows[j] * columns[i]) / apart
        evenly = (rows[i] + columns[i] + rows[j] + columns[j]) / (2 * total * others)
        return by_use if unit_set.non_annotated in unit_set.categories else max(by_use, evenly)

    return share


def names_no_category(category: str) -> bool:
    """Tell whether a category's name says that none applies, or that the annotator can't tell."""
    return "".join(filter(str.isalpha, category.casefold())) in NO_CATEGORY_NAMES


def _confused(facts: LayerFacts, confusion: ConfusedCategories, value: float) -> Finding:
    names: Values = {"first": confusion.first, "second": confusion.second}
    shares: Values = {"disagreement_share": confusion.share, "chance_share": confusion.chance}
    weighted, pair = "[" in facts.measure, facts.pair
    if confusion.second == facts.unit_set.non_annotated:
        message = MISSED if pair and not weighted else MISSED_AMONG
    else:
        message = CONFUSED if pair and not weighted else CONFUSED_AMONG
        blank = [name for name in (confusion.first, confusion.second) if names_no_category(name)]
        if blank:
            message = WITH_NO_CATEGORY[message]
            names = {
                "first": confusion.second if confusion.first in blank else confusion.first,
                "second": blank[0],
            }
    if weighted:
        return message.finding(**names, **shares)
    # Chance held fixed, disagreement falls in proportion.
    gain = (1 - value) * confusion.share
    cost: Values = {"coefficient": facts.coefficient, "value": value, "reached": value + gain}
    units: Values = {"units": round(confusion.units)} if pair else {}
    return message.gaining(gain, **units, **names, **shares, **cost)


def confused_labels(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the labels of sets that annotators confuse: one chose the one, another the other instead."""
    unit_set = facts.unit_set
    if unit_set.sets is None:
        return
    total = unit_set.sets.differing
    exchanged = {frozenset((crossing.label, crossing.other)) for _, crossing in swaps(unit_set)}
    rare = {*unit_set.judged} - {*often_used(unit_set)}
    shown = [
        two
        for two in unit_set.sets.confusions
        if two.second is not None
        and not {two.first, two.second} & rare
        and two.units >= max(LEAST_UNITS, LEAST_SHARE * total)
        and frozenset((two.first, two.second)) not in exchanged
    ]
    for two in shown[:SHOWN]:
        values: Values = {"first": two.first, "second": two.second, "difference_share": two.units / total}
        if facts.pair is None:
            yield CONFUSED_LABELS_AMONG.finding(**values)
        else:
            yield CONFUSED_LABELS.finding(units=round(two.units), **values)


def weak(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the categories whose agreement beyond chance, interval and all, is below the threshold.

    That is alpha of the category against all others. It is asked of categories without an order, of which
    there are more than two: with two it is the coefficient itself. Where it is so of all of them, the
    coefficient says it too, and no definition is to blame more than another. What says that none applies, or
    that the annotator can't tell, has no definition.
    """
    if facts.unit_set.scale != "nominal" or len(_in_use(facts.unit_set)) <= 2:
        return
    # Each category's share of all disagreement, and with which other it is confused most.
    pairs = list(confusions(facts.unit_set))
    total = math.fsum(units for *_, units in pairs)
    parts: dict[str, list[tuple[float, str]]] = {}
    for first, second, units in pairs:
        parts.setdefault(first, []).append((units, second))
        parts.setdefault(second, []).append((units, first))
    # Of others that are as frequent the first is named.
    involved = {
        name: (math.fsum(units for units, _ in own) / total, max(own, key=lambda part: part[0])[1])
        for name, own in parts.items()
    }
    # A definition is not to blame where somebody exchanged labels.
    exchanged = {name for _, crossing in swaps(facts.unit_set) for name in (crossing.label, crossing.other)}
    defined = {name for name in _in_use(facts.unit_set) if not names_no_category(name)}
    defined -= {facts.unit_set.non_annotated}
    weak_names = [name for name in involved if name in defined - exchanged and weakness(facts.unit_set, name)]
    if {*weak_names} == defined:
        return
    # Nor where the others agree, but for somebody who contradicts them.
    names = outliers(facts)
    weak_names = [
        name for name in weak_names if not (names and _is_strong_without(facts.unit_set, name, names))
    ]
    # What would change most comes first.
    weak_names.sort(key=lambda name: -involved[name][0])
    yield from (_weak(facts, name, *involved[name]) for name in weak_names[:SHOWN])
    if others := weak_names[SHOWN:]:
        yield MORE_WEAK.finding(threshold=f"{TENTATIVE:g}", **counted(others, len(facts.unit_set.categories)))


def weakness(unit_set: UnitSet, category: str) -> Values:
    """Return by how much agreement on a category beyond chance is below the threshold, interval and all.

    That is alpha of the category against all others. Nothing where it is not below, or not known.
    """
    figure = unit_set.against_rest.get(category, {}).get("krippendorff_alpha")
    share, span = unit_set.specific_agreement[category].value, ends(figure)
    if figure is None or span is None or share is None or span[1] >= TENTATIVE:
        return {}
    values: Values = {"agreement_share": share, "value": figure.value, "low": span[0]}
    return values | {"high": span[1], "category": category, "threshold": f"{TENTATIVE:g}"}


def _is_strong_without(unit_set: UnitSet, category: str, names: Collection[str]) -> bool:
    """Tell whether annotators without some agree on a category: kappa of their pairs, on average."""
    pairs = [pair for pair in unit_set.pairs if not {*names} & {*pair.annotators}]
    figures = [pair.against_rest.get(category, {}).get("cohen_kappa") for pair in pairs]
    values = [figure.value for figure in figures if figure and figure.value is not None]
    return bool(values) and math.fsum(values) / len(values) >= TENTATIVE


def _weak(facts: LayerFacts, category: str, share: float, other: str) -> Finding:
    """Return the finding of a category that is weak, with what settling all its cases would bring."""
    value, message = facts.figure.value if facts.figure else None, WEAK
    if other == facts.unit_set.non_annotated:
        message = WEAK_BOUNDARIES if mostly_boundaries(facts, category) else WEAK_MISSED
    gain = None if value is None or "[" in facts.measure else (1 - value) * share
    return message.gaining(gain, other=other, **weakness(facts.unit_set, category))


def unused(facts: LayerFacts) -> Iterator[Finding]:
    """Yield a note where annotators never used some categories other than that of unmarked units."""
    unit_set = facts.unit_set
    if not unit_set.units_compared or unit_set.scale in (*NUMBERS, "set"):
        return
    names = [
        name for name in unit_set.categories if not unit_set.labels[name] and name != unit_set.non_annotated
    ]
    yield from not_used(names, len(unit_set.categories), UNUSED, ALL_UNUSED)


MOST_FORMS = 20
# A form has to be disputed this often to be a case for the guidelines and not for a slip.
OFTEN = 2


def clarify(results: Results, texts: Texts) -> tuple[Clarify, ...]:
    """Return for each layer what its guidelines should clarify, by its primary unit set."""
    layers = dict.fromkeys(unit_set.layer for unit_set in results.unit_sets)
    return tuple(_layer(results, texts, layer) for layer in layers)


def _layer(results: Results, texts: Texts, layer: str) -> Clarify:
    members = [unit_set for unit_set in results.unit_sets if unit_set.layer == layer]
    primary = next((unit_set for unit_set in members if unit_set.primary), members[0])
    disputed = next(
        disagreements
        for disagreements in texts.disagreements
        if (disagreements.layer, disagreements.unit_set) == (layer, primary.id)
    )
    marks = next((layer_marks for layer_marks in texts.layers if layer_marks.layer == layer), None)
    mark_disagreements = results.spans.disagreements_of(layer) if results.spans else None
    return Clarify(
        layer=layer,
        unit_set=primary.id,
        forms=tuple(_forms(texts, disputed)),
        boundaries=mark_disagreements.boundaries if mark_disagreements else (),
        alone=_alone(primary, marks),
    )


def _forms(texts: Texts, disputed: Disagreements) -> Iterator[Form]:
    """Yield the forms on which annotators differ again and again, the most frequent first."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    units: Counter[str] = Counter()
    first: dict[str, int] = {}
    for number, unit in enumerate(disputed.units):
        text = texts.documents[unit.document].text if unit.document is not None else None
        if unit.text:
            form = _form(unit.text, [(0, len(unit.text))])
        elif text is not None and unit.spans:
            form = _form(text, unit.spans)
        else:
            continue
        units[form] += 1
        labels[form].update(unit.labels.values())
        first.setdefault(form, number)
    often = sorted((form for form in units if units[form] >= OFTEN), key=lambda form: (-units[form], form))
    for form in often[:MOST_FORMS]:
        yield Form(form=form, units=units[form], labels=dict(labels[form]), example=first[form])


def _form(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the words of a unit in small letters, white space squeezed."""
    return " ".join(" … ".join(text[start:end] for start, end in spans).casefold().split())


def _alone(unit_set: UnitSet, marks: LayerMarks | None) -> dict[str, str]:
    """Return the categories, of sets the labels, that one annotator alone uses, of several who could.

    More than once, that is.
    """
    users = _users_of_marks(marks) if marks else _users_of_units(unit_set)
    return {
        category: next(iter(totals))
        for category, totals in sorted(users.items())
        if len(totals) == 1 and totals.total() >= OFTEN and len(unit_set.annotators) > 1
    }


def _users_of_marks(marks: LayerMarks) -> dict[str, Counter[str]]:
    users: dict[str, Counter[str]] = defaultdict(Counter)
    for document in marks.documents:
        for mark in document.marks:
            if mark.annotator not in marks.roles:
                users[mark.label][mark.annotator] += 1
    return users


def _users_of_units(unit_set: UnitSet) -> dict[str, Counter[str]]:
    users: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in unit_set.pairs:
        for category in pair.labels or pair.confusion.categories:
            for name, total in zip(pair.annotators, pair.uses(category), strict=True):
                if total:
                    users[category][name] = max(users[category][name], total)
    return users
