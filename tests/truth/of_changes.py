"""What claims on two versions say, held against the labels of both."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import pytest

from reportgen.findings import FindingTemplate, changes
from reportgen.findings import change_confusions as confusions
from reportgen.findings import changes as certainty
from reportgen.results import Finding
from reportgen.results.versions import UnitSetRevision, VersionComparison
from tests.present import present
from tests.truth import naive
from tests.truth.case import TENTATIVE, Values, known, near, number, some
from tests.truth.claims import said_of
from tests.truth.made import BETWEEN, Labels, Layer
from tests.truth.versions import Versions

LEVEL = 0.05


@dataclass(frozen=True)
class Both:
    """One layer of two versions as it was made, and what the comparison says of it."""

    made: Versions
    comparison: VersionComparison
    layer: str

    @property
    def sides(self) -> tuple[Layer, Layer]:
        """Return the layer under both versions."""
        return self.made.layers[self.layer], self.made.later[self.layer]

    @property
    def revision(self) -> UnitSetRevision:
        """Return the comparison of the layer, on what stands in both where that was compared."""
        own = [each for each in self.comparison.unit_sets if each.layer == self.layer]
        return next((each for each in own if each.basis == "shared"), own[0])

    def units(self, basis: str = "") -> tuple[list[Labels], list[Labels]]:
        """Return the units of both that are compared."""
        shared = (basis or self.revision.basis) == "shared"
        return tuple(
            [
                labels
                for _, labels in (side.units[: self.made.same] if shared else side.units)
                if len(labels) > 1
            ]
            for side in self.sides
        )  # type: ignore[return-value]  # two of them

    def documents(self) -> tuple[int, int, int]:
        """Return how many documents stand in both, and in each."""
        first, second = self.sides
        shared = {name for name, _ in first.units[: self.made.same]} - {""}
        # Of a document that is shared in part, the other units have another document's name.
        return len(shared), len(first.documents), len(_named(second, self.made.same))

    def coefficient(self, units: Sequence[Labels]) -> float | None:
        """Return the primary coefficient of units, counted naively; NaN where nothing here counts it."""
        return naive.coefficient(units, self.revision.figure)


def _named(side: Layer, same: int) -> set[str]:
    return {("" if place < same else "other-") + name for place, (name, _) in enumerate(side.units) if name}


Check = Callable[[Both, Values], None]


def values_of(case: Both, values: Values, basis: str = "") -> None:
    """The figures before and after are counted anew."""
    before, after = (case.coefficient(units) for units in case.units(basis))
    for name, due in (("before", before), ("after", after)):
        if name in values:
            assert known(values[name], due)
    if {"before", "after", "by"} <= values.keys():
        assert near(values["by"], abs(number(values["after"]) - number(values["before"])))


def verdict_of(case: Both, values: Values, way: str) -> None:
    values_of(case, values)
    sizes(case, values)
    if way in {"rose", "fell"}:
        assert (number(values["after"]) > number(values["before"])) == (way == "rose")
        assert number(values["p"]) < LEVEL
        assert number(values["low"]) <= number(values["by"]) <= number(values["high"])
    if way == "open":
        assert number(values["p"]) >= LEVEL
        assert number(values["lowest"]) <= number(values["difference"]) <= number(values["highest"])
        assert number(values["lowest"]) >= -2
        assert number(values["highest"]) <= 2


def sizes(case: Both, values: Values) -> None:
    """How many documents and units stand in both, and in each."""
    shared, first, second = case.documents()
    if first and second:
        assert values["documents"] == shared
        assert (values["earlier_documents"], values["later_documents"]) == (first, second) or (
            case.revision.basis == "shared"
        )
    assert values["units"] == case.made.same


def same_documents(case: Both, values: Values) -> None:
    sizes(case, values)
    assert case.revision.basis == "shared" or case.made.same == len(case.sides[0].units)


def other_documents(case: Both, values: Values) -> None:
    sizes(case, values)
    assert case.made.same == 0


def partly(case: Both, values: Values) -> None:
    sizes(case, values)
    assert 0 < case.made.same < len(case.sides[0].units)


def changed_sides(case: Both, values: Values) -> None:
    """On how many units annotators agreed before, and agree now."""
    shared = [
        tuple(len(set(labels.values())) == 1 for labels in unit)
        for unit in zip(*case.units("shared"), strict=True)
    ]
    if "mended" in values:
        assert values["mended"] == shared.count((False, True))
        assert values["broken"] == shared.count((True, False))
    assert values["disputed"] == shared.count((False, False))


def more_of_one(case: Both, values: Values, way: str) -> None:
    changed_sides(case, values)
    assert number(values["p"]) < LEVEL
    assert (number(values["mended"]) > number(values["broken"])) == (way == "mended")


def no_more(case: Both, values: Values) -> None:
    changed_sides(case, values)
    assert number(values["p"]) >= LEVEL


def shares(case: Both) -> tuple[dict[frozenset[str], float], ...]:
    """Return what each two categories add to observed disagreement, pairs of ratings being alike.

    Two sets are told by what either holds and the other does not.
    """
    tell = _difference if case.revision.scale == "set" else lambda one, other: frozenset((one, other))
    found = []
    for units in case.units():
        met = [pair for unit in units for pair in combinations(unit.values(), 2)]
        apart = Counter(tell(*pair) for pair in met if len(set(pair)) > 1)
        found.append({names: many / len(met) for names, many in apart.items()})
    return tuple(found)


def _difference(one: str, other: str) -> frozenset[str]:
    first, second = set(one.split(BETWEEN)), set(other.split(BETWEEN))
    return frozenset(", ".join(sorted(each)) for each in (first - second, second - first) if each)


def confused(values: Values) -> frozenset[str]:
    """Return the categories that a claim says are confused, or in which sets differ."""
    names = (str(values.get(f"{key}_name", values.get(key, ""))) for key in ("first", "second"))
    return frozenset(filter(None, names))


def confusion(case: Both, values: Values, way: str) -> None:
    """By which share two categories are confused less often, or more."""
    before, after = (each.get(confused(values), 0.0) for each in shares(case))
    assert near(values["by"], abs(after - before))
    assert number(values["p"]) < LEVEL
    if way == "less":
        assert near(values["less_share"], 1 - after / before)
        assert after < before
    else:
        assert after > before
    assert len({*case.sides[0].categories, *case.sides[1].categories}) > 2


def left(case: Both, values: Values) -> None:
    """The largest confusion that is left, its share of all disagreement, and that before."""
    names, (before, after) = confused(values), shares(case)
    assert near(after[names], max(after.values()))
    assert near(values["left_share"], after[names] / sum(after.values()))
    if "before_share" in values and before:
        assert near(values["before_share"], before.get(names, 0.0) / sum(before.values()))
    assert len({label for each in after for label in each}) > 2, "of two categories all is between them"


def chosen(case: Both, name: str) -> list[tuple[Sequence[Labels], str]]:
    """Return the units of both versions and the label to look for; of sets, who chose it."""
    if case.revision.scale != "set":
        return [(units, name) for units in case.units()]
    return [
        ([{who: str(name in each.split(BETWEEN)) for who, each in unit.items()} for unit in units], "True")
        for units in case.units()
    ]


def category(case: Both, values: Values, way: str) -> None:
    """Specific agreement before and after, on the side that is said."""
    name = str(values.get("category_name", values["category"]))
    before, after = (naive.specific(*each) for each in chosen(case, name))
    assert near(values["before"], before)
    assert near(values["after"], after)
    assert (number(values["after"]) > number(values["before"])) == (way == "better")
    assert (number(values["p"]) < LEVEL) == (way != "perhaps")


def below(case: Both, values: Values) -> None:
    """Scott's pi of a category against the rest is below the threshold under both versions."""
    name = str(values.get("category_name", values["category"]))
    for key, (units, label) in zip(("before", "after"), chosen(case, name), strict=True):
        given = naive.labels(units)
        specific = present(naive.specific(units, label))
        pi = 1 - (1 - specific) / (1 - given[label] / sum(given.values()))
        assert near(values[key], pi)
        assert pi < TENTATIVE


def people(case: Both, values: Values) -> None:
    """Who annotated under both, came or left."""
    first, second = (set(side.people) for side in case.sides)
    due = {"names": first & second, "came": second - first, "left": first - second}
    for key, names in due.items():
        if f"{key}_list" in values and (names or key == "names"):
            assert some(values[f"{key}_list"], sorted(names), values.get(f"{key}_more"))


def changed_people(case: Both, values: Values) -> None:
    """Who annotated under one version alone, some of those who did."""
    first, second = (set(side.people) for side in case.sides)
    assert first & second
    every = [*sorted(first - second), *sorted(second - first)]
    assert some(values["names_list"], every, values.get("names_more"))


def few(case: Both, values: Values) -> None:
    shared, first, second = case.documents()
    smaller = shared if case.revision.basis == "shared" else min(first, second)
    assert values["documents"] == smaller
    assert smaller < number(values["least"])


def needed(case: Both, values: Values) -> None:
    before, after = (case.coefficient(units) for units in case.units())
    assert before is not None
    assert after is not None
    assert known(values["by"], abs(after - before))
    assert number(values["needed"]) > number(values["present"])


def prevalence(case: Both, values: Values) -> None:
    """What the disagreements of the earlier version make with chance as under the later."""
    before, after = (case.coefficient(units) for units in case.units())
    assert before is not None
    assert after is not None
    assert known(values["difference"], after - before)
    if case.revision.figure != "krippendorff_alpha":
        return
    first, second = case.units()
    apart = [1 - (naive.observed(units) or 0.0) for units in (first, second)]
    expected = apart[1] / (1 - after) if after < 1 else 0.0
    assert near(values["as_if"], 1 - apart[0] / expected)
    assert near(values["chance"], 1 - apart[0] / expected - before)


def layer_moved(case: Both, values: Values, way: str) -> None:
    values_of(case, values)
    assert number(values["p"]) < LEVEL
    assert (number(values["after"]) > number(values["before"])) == (way == "rose")


def other_categories(case: Both, values: Values) -> None:
    first, second = (set(naive.labels(side.rated)) for side in case.sides)
    assert some(
        values["only_list"], [*sorted(first - second), *sorted(second - first)], values.get("only_more")
    )
    assert first != second


def more(_: Both, values: Values) -> None:
    assert number(values["more"]) > 0


def nothing_counted(_: Both, __: Values) -> None:
    """What is said names layers or reasons, and no number."""


def _checks() -> Iterator[tuple[str, Check]]:
    for by_way in changes.MESSAGES.values():
        for way, message in by_way.items():
            yield message.claim, partial(verdict_of, way=way)
    for ground, message in changes.CAVEATS.items():
        kind = ground.split()[0]
        check = {"some": partly, "other": other_documents, "unknown": nothing_counted}.get(
            kind, same_documents
        )
        yield message.claim, check
    of_sides: dict[object, Check] = {
        confusions.COUNTED: changed_sides,
        confusions.BY_CHANCE: no_more,
        confusions.OTHERS: changed_sides,
        confusions.MORE_MENDED: partial(more_of_one, way="mended"),
        confusions.MORE_BROKEN: partial(more_of_one, way="broken"),
    }
    for message, of_layer in confusions.OF_LAYER.items():
        yield message.claim, of_sides[message]
        yield of_layer.claim, of_sides[message]


OF_CONFUSIONS: Mapping[Check, Sequence[FindingTemplate]] = {
    partial(confusion, way="less"): (
        confusions.LESS,
        confusions.MISSED[confusions.LESS],
        confusions.APART[confusions.LESS],
    ),
    partial(confusion, way="more"): (
        confusions.MORE,
        confusions.MISSED[confusions.MORE],
        confusions.APART[confusions.MORE],
    ),
    left: (
        confusions.LEFT,
        confusions.MISSED[confusions.LEFT],
        confusions.APART[confusions.LEFT],
    ),
}
CHECKS: Mapping[str, Check] = {
    **dict(_checks()),
    **{message.claim: check for check, messages in OF_CONFUSIONS.items() for message in messages},
    changes.BETTER.claim: partial(category, way="better"),
    changes.WORSE.claim: partial(category, way="worse"),
    changes.PERHAPS_WORSE.claim: partial(category, way="perhaps"),
    changes.STAYED.claim: below,
    changes.STAYED_PERHAPS.claim: below,
    changes.FORGOTTEN.claim: below,
    changes.MORE_CATEGORIES.claim: more,
    certainty.KNOWN.claim: people,
    certainty.PRACTISED.claim: people,
    certainty.OTHER_ANNOTATORS.claim: people,
    certainty.SOME_CHANGED.claim: changed_people,
    certainty.DIFFER.claim: other_categories,
    certainty.FEW.claim: few,
    certainty.NEEDED.claim: needed,
    certainty.NEEDED_UNITS.claim: needed,
    certainty.BY_PREVALENCE.claim: prevalence,
    changes.LAYER_ROSE.claim: partial(layer_moved, way="rose"),
    changes.LAYER_FELL.claim: partial(layer_moved, way="fell"),
}
LAYER_KEYS = ("layer", "coefficient_layer", "category_layer", "first_layer", "second_layer")


def check_change(made: Versions, comparison: VersionComparison, finding: Finding) -> None:
    """Hold a finding on two versions against the labels; fail where there is no check for what it says."""
    check = CHECKS.get(finding.claim)
    if check is None:
        pytest.fail(f"no check for: {finding.claim}")
    layer = next(
        (str(finding.values[key]) for key in LAYER_KEYS if key in finding.values), next(iter(made.layers))
    )
    with said_of(made, finding):
        check(Both(made, comparison, layer), finding.values)
