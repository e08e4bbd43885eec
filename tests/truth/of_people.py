"""What claims on annotators and systems say, held against labels."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from reportgen.findings import annotator_pairs, annotators, systems
from reportgen.measures.annotators import annotator_vs_rest as copies_rule
from tests.truth import naive
from tests.truth.case import RELIABLE, Case, Check, Values, known, near, number
from tests.truth.made import Labels

LEVEL = 0.05


def swapped(case: Case, values: Values) -> None:
    labels = {values["label"], values["other"]}
    both = [unit for unit in case.units if set(unit.values()) <= labels]
    assert values["units"] == len(both)
    crossed = sum(len(set(unit.values())) == 2 for unit in both)
    assert values["crossed"] == crossed
    assert crossed > len(both) / 2


def swapped_by(case: Case, values: Values) -> None:
    labels, who = {values["label"], values["other"]}, str(values["annotator"])
    met = [
        (unit[who], label)
        for unit in case.units
        if who in unit
        for other, label in unit.items()
        if other != who and {unit[who], label} <= labels
    ]
    assert values["crossed"] == sum(one != other for one, other in met)
    assert values["agreed"] == sum(one == other for one, other in met)
    assert int(str(values["crossed"])) > int(str(values["agreed"]))


def always(case: Case, values: Values) -> None:
    """One label on all units that others rated, while these gave others, so often."""
    who = str(values["annotator"])
    category = values.get("category", case.unit_set.non_annotated)
    own = [unit for unit in case.units if who in unit]
    assert {unit[who] for unit in own} == {category}
    others = [label for unit in own for other, label in unit.items() if other != who]
    assert near(values["other_share"], sum(label != category for label in others) / len(others))
    assert values["units"] == len(own) >= annotators.LEAST_UNITS
    assert set(others) != {category}


def silent(case: Case, values: Values) -> None:
    """Those named made no mark in any document, and others did in documents that they saw."""
    names = values["names_list"]
    assert isinstance(names, tuple)
    for who in names:
        mine = case.layer.marks[str(who)]
        assert not any(mine.values())
        assert any(own.get(document) for own in case.layer.marks.values() for document in mine)


def better_without(case: Case, values: Values) -> None:
    """Agreement without the annotator is what is found, and more."""
    if "without" not in values:
        return
    who = str(values["annotator"])
    assert near(values["value"], case.figure.value)
    assert number(values["without"]) > number(values["value"])
    kept = [{name: label for name, label in unit.items() if name != who} for unit in case.units]
    assert known(values["without"], case.coefficient([unit for unit in kept if len(unit) > 1]))


def both(*checks: Check) -> Check:
    """Return the check of a claim that says several things."""

    def check(case: Case, values: Values) -> None:
        for each in checks:
            each(case, values)

    return check


def copies(case: Case, values: Values, others: int = 0) -> None:
    first, second = str(values["first"]), str(values["second"])
    both = [unit for unit in case.units if {first, second} <= set(unit) and len(unit) >= 2 + others]
    assert values["units"] == len(both)
    assert values.get("differ", 0) == sum(unit[first] != unit[second] for unit in both)


def nearly_copies(case: Case, values: Values) -> None:
    """They differ on less than two thirds of the units that their agreement with others lets one expect."""
    copies(case, values, others=2)
    assert 0 < number(values["differ"]) <= (number(values["expected"]) + 0.5) * 2 / 3
    assert hardly_differ(number(values["differ"]), number(values["units"]))


def hardly_differ(differ: float, units: float) -> bool:
    """Tell whether two differ on a tenth of units at most, and what chance adds: four standard deviations."""
    return differ <= units / 10 + 4 * math.sqrt(units * 0.1 * 0.9)


def several_copies(case: Case, values: Values) -> None:
    """Every two who are named hardly ever differ, on many units."""
    names = named(values)
    assert len(names) + number(values.get("names_more", 0)) == values["count"]
    for first, second in (each.split(" = ") for each in names):
        shared = between(case.units, first, second)
        assert len(shared) >= copies_rule.LEAST_SAME
        assert hardly_differ(sum(unit[first] != unit[second] for unit in shared), len(shared))


def between(units: Sequence[Labels], first: str, second: str) -> list[Labels]:
    """Return the units that both of two rated, with their labels alone."""
    return [{who: unit[who] for who in (first, second)} for unit in units if {first, second} <= set(unit)]


def two(case: Case, values: Values) -> list[Labels]:
    """Return the units of the two annotators that a claim names."""
    first, second = str(values["first"]), str(values["second"])
    assert case.layer.people == sorted((first, second))
    return between(case.units, first, second)


def differ(case: Case, values: Values) -> list[Labels]:
    """On how many units the two differ."""
    units = two(case, values)
    assert values["units"] == len(units)
    assert values["differ"] == sum(len(set(unit.values())) > 1 for unit in units)
    return units


def not_shown(case: Case, values: Values) -> None:
    differ(case, values)
    assert number(values["margins_p"]) >= LEVEL


def not_told(case: Case, values: Values) -> None:
    """Few units or documents, or many categories."""
    differ(case, values)


def kappa_and_pi(units: Sequence[Labels], first: str, second: str) -> tuple[float, float]:
    """Return Cohen's kappa and Scott's pi."""
    rows, columns = ([unit[who] for unit in units] for who in (first, second))
    size = len(units)
    agreed = sum(one == other for one, other in zip(rows, columns, strict=True)) / size
    names = {*rows, *columns}
    by_each = sum(rows.count(name) * columns.count(name) for name in names) / size**2
    by_all = sum(((rows.count(name) + columns.count(name)) / (2 * size)) ** 2 for name in names)
    return (agreed - by_each) / (1 - by_each), (agreed - by_all) / (1 - by_all)


def biased(case: Case, values: Values) -> None:
    """They use some category more often than the other."""
    units, first, second = two(case, values), str(values["first"]), str(values["second"])
    assert number(values["margins_p"]) < LEVEL
    own = [Counter(unit[who] for unit in units) for who in (first, second)]
    assert own[0] != own[1]
    more_marks(case, values)


def biased_alone(case: Case, values: Values) -> None:
    """One of several uses a category so often, the others so often, and nobody's use differs more."""
    assert number(values["p"]) < LEVEL
    who, category = str(values["annotator"]), values.get("category", case.unit_set.non_annotated)
    uses = {each: _use(case.units, each, category) for each in case.layer.people}
    own, others = uses[who]
    if "category" not in values:
        own, others = 1 - own, 1 - others
    assert near(values["own_share"], own)
    assert near(values["others_share"], others)
    assert values["units"] == sum(who in unit for unit in case.units)
    assert abs(own - others) >= max(abs(one - rest) for one, rest in uses.values()) - 1e-9


def _use(units: Sequence[Labels], who: str, category: object) -> tuple[float, float]:
    """Return how often somebody used a category, and the others on the same units."""
    own, others = [], []
    for unit in units:
        if who in unit:
            rest = [label for name, label in unit.items() if name != who]
            own.append(unit[who] == category)
            others.append(sum(label == category for label in rest) / len(rest))
    return (sum(own) / len(own), sum(others) / len(others)) if own else (0.0, 0.0)


def more_marks(case: Case, values: Values) -> None:
    if "first_marks" in values:
        marks(case, values, two(case, values))


def marks(case: Case, values: Values, units: Sequence[Labels]) -> None:
    """Who marked how many, and how many alone."""
    nothing = case.unit_set.non_annotated
    for one, other in (("first", "second"), ("second", "first")):
        mine, theirs = str(values[one]), str(values[other])
        assert values[f"{one}_marks"] == sum(unit[mine] != nothing for unit in units)
        assert values[f"{one}_only"] == sum(unit[mine] != nothing == unit[theirs] for unit in units)


def named(values: Values) -> list[str]:
    """Return the names that a claim lists."""
    names = values.get("names_list")
    assert isinstance(names, tuple)
    return list(names)


def agreement_of(case: Case, who: str) -> tuple[float, float]:
    """Return the mean agreement of somebody with the others, and of these among themselves on the same units.

    Over units that somebody shares with at least two others.
    """
    own, rest = [], []
    for unit in case.units:
        others = [label for name, label in unit.items() if name != who]
        if who in unit and len(others) > 1:
            own.append(sum(label == unit[who] for label in others) / len(others))
            rest.append(sum(a == b for a, b in combinations(others, 2)) / len(list(combinations(others, 2))))
    return sum(own) / len(own), sum(rest) / len(rest)


def apart(case: Case, values: Values, way: int) -> None:
    """Each one named agrees less, or more, with the others than these with one another."""
    assert number(values["p"]) < LEVEL
    for who in named(values):
        own, rest = agreement_of(case, who)
        assert (own - rest) * way > 0


def less(case: Case, values: Values) -> None:
    apart(case, values, -1)
    assert values.get("people", 1) == len(named(values)) + number(values.get("names_more", 0))


def more(case: Case, values: Values) -> None:
    """They are the fewer."""
    apart(case, values, 1)
    assert 2 * (len(named(values)) + number(values.get("names_more", 0))) < len(case.layer.people)


def chance(case: Case, values: Values) -> None:
    """Those near chance are no better than those who are not, and some are."""
    names = named(values)
    kept = [who for who in case.layer.people if who not in names]
    assert kept, "not all can be named where nobody is better"
    worst = max(agreement_of(case, who)[0] for who in names)
    assert worst < max(agreement_of(case, who)[0] for who in kept)


def drift(case: Case, values: Values) -> None:
    """The change is that of a straight line of how much more somebody agrees with the others than these do.

    The line is from first to last. Units of a document have one place; each unit weighs the same.
    """
    assert number(values["p"]) < LEVEL
    (who,) = named(values)
    found: dict[str, list[float]] = {}
    for place, (document, unit) in enumerate(case.layer.units):
        others = [label for name, label in unit.items() if name != who]
        if who in unit and len(others) > 1:
            own = sum(label == unit[who] for label in others) / len(others)
            among = [a == b for a, b in combinations(others, 2)]
            key = document or str(place)
            found.setdefault(key, []).append(own - sum(among) / len(among))
    points = [(at / (len(found) - 1), value) for at, own in enumerate(found.values()) for value in own]
    middle, mean = (sum(each) / len(points) for each in zip(*points, strict=True))
    slope = sum((x - middle) * (y - mean) for x, y in points) / sum((x - middle) ** 2 for x, _ in points)
    assert near(values["change"], slope)
    assert (values["over"] == "documents") == bool(case.layer.documents)


def against(case: Case, who: str, key: str) -> list[Labels]:
    """Return the units that somebody and the key labelled."""
    units = [
        {**labels, **beside} for (_, labels), beside in zip(case.layer.units, case.layer.beside, strict=True)
    ]
    return between(units, who, key)


def beside_humans(case: Case, values: Values) -> None:
    """The system's agreement with the key, and that of annotators among themselves, are what is said."""
    key, machine = str(values["key"]), str(values.get("system_name", "machine"))
    assert (key, machine) == ("gold", "machine")
    if case.measure == "krippendorff_alpha":
        # Of a pair the figure shown is alpha of the two.
        assert known(values["value"], _shown(against(case, machine, key), str(values["figure"])))
    low, high, difference = (number(values[name]) for name in ("low", "high", "difference"))
    assert near(difference, number(values["value"]) - number(values["humans"]))
    assert low <= difference <= high


def _shown(units: Sequence[Labels], figure: str) -> float | None:
    by_name = {"Krippendorff's alpha": naive.alpha, "Observed agreement": naive.observed}
    count = by_name.get(figure)
    return count(units) if count else float("nan")


def above(case: Case, values: Values) -> None:
    beside_humans(case, values)
    assert number(values["difference"]) > 0


def of_five(case: Case, values: Values) -> None:
    """What is said of the choice of annotators rests on five of them or more."""
    assert len(case.layer.people) >= 5
    assert number(values["low"]) < number(values["high"])


def few_scored(case: Case, values: Values) -> None:
    assert values["documents"] == len({name for name, _ in case.layer.units} - {""})
    assert number(values["documents"]) < number(values["least"])


def together(case: Case, values: Values) -> None:
    """So reliable are the labels of a unit together, and so many would be enough, by alpha of the scale."""
    bracket = {"nominal": "", "set": "[masi]"}.get(case.layer.kind.scale, f"[{case.layer.kind.scale}]")
    name = f"krippendorff_alpha{bracket}"
    alpha = number(case.unit_set.measures[name].value)
    if name == case.measure:
        assert known(alpha, case.coefficient(case.units))
    labels = sum(map(len, case.units)) / len(case.units)
    assert abs(float(str(values["per_unit"])) - labels) < 0.0501
    assert near(values["reliability"], labels * alpha / (1 + (labels - 1) * alpha))
    goal, enough = float(str(values["threshold"])), number(values["enough"])
    assert number(values["reliability"]) < goal == RELIABLE
    reached = [each * alpha / (1 + (each - 1) * alpha) for each in (enough - 1, enough)]
    assert reached[0] < goal <= reached[1] + 1e-9


CHECKS: Mapping[str, Check] = {
    annotators.TOGETHER.claim: together,
    annotator_pairs.SWAPPED.claim: swapped,
    annotator_pairs.SWAPPED_BY.claim: both(swapped_by, better_without),
    annotator_pairs.SAME.claim: copies,
    annotator_pairs.NEARLY_SAME.claim: nearly_copies,
    annotator_pairs.SEVERAL_SAME.claim: several_copies,
    annotators.ALWAYS.claim: both(always, better_without),
    annotators.NOTHING.claim: both(always, better_without),
    annotators.SILENT.claim: silent,
    annotators.MORE.claim: more,
    annotators.APART.claim: both(less, better_without),
    annotators.SEVERAL_APART.claim: both(less, better_without),
    **{message.claim: not_shown for message in annotator_pairs.NOT_SHOWN_BY.values()},
    **{message.claim: biased for message in annotator_pairs.BIAS.values()},
    **{message.claim: more_marks for message in annotator_pairs.BIAS_IN_MARKS.values()},
    annotator_pairs.BIAS_OF_ONE.claim: biased_alone,
    annotator_pairs.BIAS_IN_MARKS_OF_ONE.claim: biased_alone,
    annotator_pairs.UNKNOWN.claim: not_told,
    annotators.BELOW_CHANCE.claim: chance,
    annotators.NEAR_CHANCE.claim: chance,
    annotators.DRIFT.claim: drift,
    annotators.RISES.claim: drift,
    annotators.DRIFT_SINCE.claim: drift,
    annotators.RISES_SINCE.claim: drift,
    systems.WITHIN.claim: beside_humans,
    systems.ABOVE.claim: above,
    systems.ABOVE_ANNOTATORS.claim: above,
    systems.FEW.claim: few_scored,
}
