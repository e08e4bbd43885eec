"""What claims on the labels of a crowd say, checked against labels."""

from collections.abc import Mapping

from reportgen.findings import of_crowds
from reportgen.measures.annotators.aggregation import LEAST_LABELS_OF_MAJORITIES
from reportgen.results.model import Level
from tests.present import present
from tests.truth import naive
from tests.truth.case import RELIABLE, TENTATIVE, Case, Check, Values, known, near, number


def in_level(level: Level, values: Values) -> bool:
    """Tell whether the interval of a verdict lies where its sentence says."""
    low, high = number(values["low"]), number(values["high"])
    within = {
        "high": low >= RELIABLE,
        "tentative": TENTATIVE <= low < RELIABLE,
        "open": low < TENTATIVE <= high,
        "low": high < TENTATIVE,
    }
    return within[level] and low <= number(values["value"]) <= high


def mean(case: Case, values: Values) -> None:
    """Hold what the labels of a unit are worth on average: the formula, of alpha."""
    labels = sum(map(len, case.units)) / len(case.units)
    single = present(case.coefficient(case.units))
    assert values["per_unit"] == f"{labels:.3g}"
    assert known(values["value"], labels * single / (1 + (labels - 1) * single))


def of_mean(level: Level) -> Check:
    """Return the check of a verdict on the labels of a unit on average."""

    def check(case: Case, values: Values) -> None:
        mean(case, values)
        assert in_level(level, values)

    return check


def alone(case: Case, values: Values) -> None:
    """Hold a reliability without an interval: of a number of labels the majority's, else the mean's."""
    if isinstance(values["per_unit"], str):
        mean(case, values)
    else:
        single = present(case.coefficient(case.units))
        assert values["per_unit"] == usual(case)
        assert not single > 0 or number(values["value"]) > single


def usual(case: Case) -> int:
    """Return how many labels half of the units have, or more, of those with enough labels."""
    labels = sorted(len(unit) for unit in case.units if len(unit) >= LEAST_LABELS_OF_MAJORITIES)
    return labels[len(labels) // 2]


def of_majority(level: Level) -> Check:
    """Return the check of a verdict on majorities: better than one label where people agree at all."""

    def check(case: Case, values: Values) -> None:
        single = present(case.coefficient(case.units))
        assert values["per_unit"] == usual(case)
        assert in_level(level, values)
        assert not single > 0 or number(values["value"]) > single

    return check


def single_label(case: Case, values: Values) -> None:
    assert near(values["single"], case.figure.value)
    assert 0 < float(str(values["per_unit"])) <= len(case.layer.people)


def enough(case: Case, values: Values) -> None:
    assert number(values["enough"]) > usual(case)
    assert number(values["reached"]) >= RELIABLE


def never(case: Case, values: Values) -> None:
    assert number(values["most"]) > usual(case)
    assert number(values["reached"]) < RELIABLE


def weakest(case: Case, values: Values) -> None:
    every = naive.labels(case.units)
    alone = {name: case.coefficient(naive.one_against_rest(case.units, name)) for name in every}
    ranked = sorted(alone, key=lambda name: alone[name] or 0.0)
    assert values["category"] == ranked[0]
    assert near(values["value"], alone[ranked[0]])
    assert near(values["least"], alone[ranked[1]])


def never_and_weakest(case: Case, values: Values) -> None:
    never(case, values)
    weakest(case, values)


CHECKS: Mapping[str, Check] = {
    **{template.claim: of_mean(level) for level, template in of_crowds.OF_MEAN.items()},
    **{template.claim: of_majority(level) for level, template in of_crowds.OF_MAJORITY.items()},
    of_crowds.ALONE.claim: alone,
    of_crowds.RESTS.claim: single_label,
    of_crowds.WEAKEST.claim: weakest,
    of_crowds.ENOUGH.claim: enough,
    of_crowds.NEVER.claim: never,
    of_crowds.NEVER_WEAKEST.claim: never_and_weakest,
}
