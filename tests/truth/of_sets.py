"""What claims on sets of labels say, held against the labels."""

from collections.abc import Mapping

from reportgen.findings import confusions, units
from tests.truth import naive
from tests.truth.case import TENTATIVE, Case, Check, Values, near, number
from tests.truth.made import BETWEEN


def labels(case: Case) -> set[str]:
    """Return the labels that somebody chose."""
    return {name for each in naive.labels(case.layer.rated) for name in each.split(BETWEEN)}


def apart(case: Case, name: str) -> float:
    """Return how often one of two chose a label: a unit's pairs, divided by its ratings less one."""
    return naive.disagreements(case.chosen(name))[frozenset(("True", "False"))]


def differs(case: Case, values: Values) -> None:
    """Its share of all differences, and on how many units who alone chose it."""
    name = str(values["category"])
    found = {each: apart(case, each) for each in labels(case)}
    assert near(values["difference_share"], found[name] / sum(found.values()))
    assert len(found) > 1, "of one label all differences are in it"
    if "units" in values:
        assert values["units"] == round(found[name])
        for one, other in (("first", "second"), ("second", "first")):
            mine, theirs = str(values[one]), str(values[other])
            alone = sum(unit[mine] == "True" != unit[theirs] for unit in case.chosen(name) if len(unit) > 1)
            assert values[f"{one}_only"] == alone


def confused(case: Case, values: Values) -> None:
    """On how many units, and what share of those on which they differ, one chose one instead of the other."""
    both = {str(values["first"]), str(values["second"])}
    found = differing = 0.0
    for (one, other), times in naive.coincidences(case.units).items():
        here, there = {*one.split(BETWEEN)}, {*other.split(BETWEEN)}
        differing += times / 2 * (one != other)
        found += times / 2 * any({a, b} == both for a in here - there for b in there - here)
    assert near(values["difference_share"], found / differing)
    assert "units" not in values or near(values["units"], found)


def weak(case: Case, values: Values) -> None:
    """Of a label, chosen or not: alpha is below the threshold."""
    chosen = case.chosen(str(values["category"]))
    assert near(values["agreement_share"], naive.specific(chosen, "True"))
    assert near(values["value"], naive.alpha(chosen))
    assert number(values["low"]) <= number(values["value"]) <= number(values["high"]) < TENTATIVE


def one_set(case: Case, values: Values) -> None:
    given = naive.labels(case.layer.rated)
    category = str(values["category"])
    assert near(values["label_share"], given[category] / sum(given.values()))
    others = values["others_list"]
    assert isinstance(others, tuple)
    assert set(others) <= set(given) - {category}
    assert len(others) + number(values.get("others_more", 0)) == len(given) - 1


def single(case: Case, _: Values) -> None:
    assert not any(BETWEEN in each for each in naive.labels(case.layer.rated))


CHECKS: Mapping[str, Check] = {
    confusions.CONFUSED_LABELS.claim: confused,
    confusions.CONFUSED_LABELS_AMONG.claim: confused,
    units.DIFFERS.claim: differs,
    units.DIFFERS_AMONG.claim: differs,
    units.ONE_SET.claim: one_set,
    units.SINGLE.claim: single,
}
