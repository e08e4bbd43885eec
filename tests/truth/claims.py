"""What each claim says, held against labels: a check for every message that tables of labels can lead to."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from reportgen.findings import confusions, people, prevalence, verdict
from reportgen.results import Figure, Finding, Results, UnitSet
from tests.truth import naive
from tests.truth.made import Layer

TENTATIVE, RELIABLE = 0.667, 0.8


@dataclass(frozen=True)
class Case:
    """One layer of a campaign as it was made, and what the report says of it."""

    layer: Layer
    results: Results
    names: Mapping[str, str]

    @property
    def units(self) -> list[Mapping[str, str]]:
        """Return the units that several rated, under the names that the report has for annotators."""
        return [{self.names[who]: label for who, label in unit.items()} for unit in self.layer.compared]

    @property
    def unit_set(self) -> UnitSet:
        """Return the report's primary unit set of the layer."""
        return self.results.primary_of(self.layer.id)

    @property
    def figure(self) -> Figure:
        """Return the layer's primary coefficient."""
        return self.unit_set.measures[self.results.coefficients[self.layer.id]]

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of its interval."""
        interval = self.figure.interval
        assert interval is not None
        assert interval.low is not None
        assert interval.high is not None
        return interval.low, interval.high

    @property
    def specific(self) -> dict[str, float]:
        """Return the specific agreement of each category that somebody used."""
        known = {name: naive.specific(self.units, name) for name in naive.labels(self.units)}
        return {name: value for name, value in known.items() if value is not None}

    @property
    def measure(self) -> str:
        """Return the id of the primary coefficient."""
        return self.results.coefficients[self.layer.id]


Check = Callable[[Case, Mapping[str, object]], None]


def near(value: object, due: float | None) -> bool:
    """Tell whether a value is what is due, to ten digits."""
    return (
        isinstance(value, int | float)
        and due is not None
        and math.isclose(value, due, rel_tol=1e-9, abs_tol=1e-9)
    )


def span(case: Case, values: Mapping[str, object]) -> None:
    low, high = case.ends
    assert near(values["value"], case.figure.value)
    assert near(values["low"], low)
    assert near(values["high"], high)
    assert low <= float(str(values["value"])) <= high
    if case.measure == "krippendorff_alpha" and case.layer.kind.scale == "nominal":
        assert near(values["value"], naive.alpha(case.units))


def is_high(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert case.ends[0] >= RELIABLE
    not_blind(case)


def is_fair(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert TENTATIVE <= case.ends[0] < RELIABLE
    not_blind(case)


def is_open(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert case.ends[0] < TENTATIVE <= case.ends[1]
    not_blind(case)


def is_low(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert 0 <= case.ends[1] < TENTATIVE
    not_blind(case)


def is_below_chance(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert case.ends[1] < 0


def not_blind(case: Case) -> None:
    """No threshold is for a figure without correction for chance, nor for some under prevalence."""
    assert case.measure not in {"observed_agreement", "unanimous_agreement", "majority_agreement"}
    shares = naive.labels(case.layer.rated)
    if max(shares.values()) / sum(shares.values()) > prevalence.PREVALENT:
        assert case.measure.partition("[")[0] not in prevalence.BLIND_TO_PREVALENCE


def counts_chance(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    assert case.measure in {"observed_agreement", "unanimous_agreement", "majority_agreement"}


def is_prevalent(case: Case, values: Mapping[str, object]) -> None:
    """The category is the most frequent, and its share of all labels is what is said."""
    shares = naive.labels(case.layer.rated)
    category = str(values["category"])
    assert shares[category] == max(shares.values())
    share = shares[category] / sum(shares.values())
    assert near(values["label_share"], share)
    assert share > prevalence.PREVALENT


def stays_high(case: Case, values: Mapping[str, object]) -> None:
    span(case, values)
    is_prevalent(case, values)


def no_interval(case: Case, values: Mapping[str, object]) -> None:
    assert near(values["value"], case.figure.value)
    assert case.figure.interval is None or case.figure.interval.low is None
    assert values["reason"]


def undefined(case: Case, values: Mapping[str, object]) -> None:
    assert case.results.primary_of(case.layer.id).measures.get(case.measure, Figure(value=None)).value is None
    assert values["reason"]
    if "only one category" in str(values["reason"]):
        assert len(naive.labels(case.units)) == 1


def rests(case: Case, values: Mapping[str, object]) -> None:
    assert values["units"] == len(case.units)


def lowest_and_highest(case: Case, values: Mapping[str, object]) -> None:
    assert values["units"] == len(case.units)
    known = case.specific
    assert near(values["lowest"], min(known.values()))
    assert near(values["highest"], max(known.values()))
    assert near(known[str(values["lowest_category"])], min(known.values()))
    assert near(known[str(values["highest_category"])], max(known.values()))
    assert f"{min(known.values()):.3f}" != f"{max(known.values()):.3f}"


def all_alike(case: Case, values: Mapping[str, object]) -> None:
    assert values["units"] == len(case.units)
    assert max(case.specific.values()) - min(case.specific.values()) < 0.0005 + 1e-9
    assert near(values["lowest"], min(case.specific.values()))


def rare(case: Case, values: Mapping[str, object]) -> None:
    """What is said of the other categories is said of all others, and how many units have one is right."""
    is_prevalent(case, values)
    common = str(values["category"])
    assert near(values["common"], case.specific[common])
    rest = {name: value for name, value in case.specific.items() if name != common}
    assert values["units"] == len(case.units)
    assert values["marked"] == sum(set(unit.values()) != {common} for unit in case.units)
    assert near(values["lowest"], min(rest.values()))
    if "highest" in values:
        assert near(values["highest"], max(rest.values()))
        assert near(rest[str(values["lowest_category"])], min(rest.values()))
        assert near(rest[str(values["highest_category"])], max(rest.values()))


def rare_one(case: Case, values: Mapping[str, object]) -> None:
    rare(case, values)
    assert set(case.specific) == {values["category"], values["other"]}


def prevails(case: Case, values: Mapping[str, object]) -> None:
    is_prevalent(case, values)


def uninformative(case: Case, values: Mapping[str, object]) -> None:
    """The floors are what they would be had nobody agreed beside the common category."""
    common = str(values["category"])
    joint = sum(set(unit.values()) == {common} for unit in case.units)
    size, categories = len(case.units), len(case.unit_set.categories)
    agreed = sum(len(set(unit.values())) == 1 for unit in case.units) / size
    assert values["rare_units"] == size - joint
    assert near(values["observed_floor"], joint / size)
    assert near(values["observed"], agreed)
    assert near(values["s"], (agreed - 1 / categories) / (1 - 1 / categories))
    assert near(values["s_floor"], (joint / size - 1 / categories) / (1 - 1 / categories))
    assert agreed - joint / size <= 0.1 + 1e-9


def confused(case: Case, values: Mapping[str, object]) -> None:
    """The share is that of all disagreement, beside what chance gives; what it would rise to follows."""
    found = naive.disagreements(case.units)
    first, second = str(values["first"]), str(values["second"])
    share = found[frozenset((first, second))] / sum(found.values())
    assert near(values["disagreement_share"], share)
    assert near(values["chance_share"], naive.by_chance(case.units, first, second))
    assert len(naive.labels(case.units)) > 2, "of two categories all disagreement is between them"
    if "units" in values:
        assert values["units"] == sum(set(unit.values()) == {first, second} for unit in case.units)
    if "reached" in values:
        value = case.figure.value
        assert value is not None
        assert near(values["reached"], 1 - (1 - value) * (1 - share))
        assert near(values["value"], value)


def beyond_chance(case: Case, values: Mapping[str, object]) -> None:
    confused(case, values)
    assert float(str(values["disagreement_share"])) > float(str(values["chance_share"]))


def missed(case: Case, values: Mapping[str, object]) -> None:
    confused(case, values)
    assert values["second"] == case.unit_set.non_annotated


def weak(case: Case, values: Mapping[str, object]) -> None:
    """The category's own alpha is below the threshold, and another was given most often in its place."""
    category, other = str(values["category"]), str(values["other"])
    assert near(values["agreement_share"], naive.specific(case.units, category))
    assert near(values["value"], naive.alpha(naive.one_against_rest(case.units, category)))
    assert float(str(values["low"])) <= float(str(values["value"])) <= float(str(values["high"])) < TENTATIVE
    assert category != case.unit_set.non_annotated
    assert case.layer.kind.scale == "nominal"
    found = naive.disagreements(case.units)
    own = {pair: many for pair, many in found.items() if category in pair}
    assert near(own[frozenset((category, other))], max(own.values()))


def more_weak(case: Case, values: Mapping[str, object]) -> None:
    below = [
        name
        for name in naive.labels(case.units)
        if (found := naive.alpha(naive.one_against_rest(case.units, name))) is not None and found < TENTATIVE
    ]
    assert int(str(values["count"])) + confusions.SHOWN <= len(below)
    assert values["all"] == len(case.unit_set.categories)


def never_used(case: Case, values: Mapping[str, object]) -> None:
    assert values["category"] in case.unit_set.categories
    assert values["category"] not in naive.labels(case.layer.rated)
    assert values["category"] != case.unit_set.non_annotated


def never_used_ones(case: Case, values: Mapping[str, object]) -> None:
    used = naive.labels(case.layer.rated)
    unused = [name for name in case.unit_set.categories if not used[name]]
    assert values["count"] == len([name for name in unused if name != case.unit_set.non_annotated])
    names = values["names_list"]
    assert isinstance(names, list | tuple)
    assert set(names) <= set(unused)


def swapped(case: Case, values: Mapping[str, object]) -> None:
    labels = {values["label"], values["other"]}
    both = [unit for unit in case.units if set(unit.values()) <= labels]
    assert values["units"] == len(both)
    crossed = sum(len(set(unit.values())) == 2 for unit in both)
    assert values["crossed"] == crossed
    assert crossed > len(both) / 2


def swapped_by(case: Case, values: Mapping[str, object]) -> None:
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


def always(case: Case, values: Mapping[str, object]) -> None:
    who = str(values["annotator"])
    own = [unit for unit in case.units if who in unit]
    assert {unit[who] for unit in own} == {values["category"]}
    others = [label for unit in own for other, label in unit.items() if other != who]
    assert near(values["other_share"], sum(label != values["category"] for label in others) / len(others))


def copies(case: Case, values: Mapping[str, object]) -> None:
    first, second = str(values["first"]), str(values["second"])
    both = [unit for unit in case.units if {first, second} <= set(unit)]
    assert values["units"] == len(both)
    assert all(unit[first] == unit[second] for unit in both)


CHECKS: Mapping[str, Check] = {
    verdict.HIGH.claim: is_high,
    verdict.FAIR.claim: is_fair,
    verdict.OPEN.claim: is_open,
    verdict.LOW.claim: is_low,
    verdict.BELOW_CHANCE.claim: is_below_chance,
    verdict.UNFIT["chance"].claim: counts_chance,
    verdict.UNFIT["prevalence"].claim: stays_high,
    verdict.NO_INTERVAL.claim: no_interval,
    verdict.UNDEFINED.claim: undefined,
    verdict.RESTS.claim: rests,
    verdict.CATEGORIES.claim: lowest_and_highest,
    verdict.ALIKE.claim: all_alike,
    verdict.RARE.claim: rare,
    verdict.RARE_ALIKE.claim: rare,
    verdict.RARE_ONE.claim: rare_one,
    prevalence.PREVALENCE.claim: prevails,
    prevalence.UNINFORMATIVE.claim: uninformative,
    confusions.CONFUSED.claim: beyond_chance,
    confusions.CONFUSED_AMONG.claim: beyond_chance,
    confusions.CONFUSED_SHARE.claim: beyond_chance,
    confusions.FREQUENT.claim: confused,
    confusions.FREQUENT_SHARE.claim: confused,
    confusions.MISSED.claim: missed,
    confusions.MISSED_AMONG.claim: missed,
    confusions.MISSED_SHARE.claim: missed,
    confusions.WEAK.claim: weak,
    confusions.MORE_WEAK.claim: more_weak,
    confusions.UNUSED.claim: never_used,
    confusions.ALL_UNUSED.claim: never_used_ones,
    people.SWAPPED.claim: swapped,
    people.SWAPPED_BY.claim: swapped_by,
    people.ALWAYS.claim: always,
    people.SAME.claim: copies,
}


def check(case: Case, finding: Finding) -> None:
    """Hold a finding against the labels; fail where there is no check for what it says."""
    known = CHECKS.get(finding.claim)
    if known is None:
        pytest.fail(f"no check for: {finding.claim}")
    try:
        known(case, finding.values)
    except AssertionError as error:
        said = finding.claim.format(**finding.values)
        message = f"{case.layer.kind.name}: {said}\n{error}"
        raise AssertionError(message) from error
