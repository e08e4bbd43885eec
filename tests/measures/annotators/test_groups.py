"""Groups of annotators: agreement within and between; Wong, Paritosh and Aroyo (2021) by their definition."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal

import krippendorff
import numpy as np
import pandas as pd
import pytest

from reportgen import agreement
from reportgen.campaign.toml_tables import Scale
from reportgen.counts import count
from reportgen.measures import Undefined, analyse, setting_of
from reportgen.measures.annotators import groups as module
from reportgen.measures.annotators.groups import (
    GroupedLabels,
    GroupedLayer,
    NoGroupTest,
    ToldGroups,
    differences,
    exchanged,
    groups_of,
    p_values,
    ways,
)
from reportgen.measures.distances import nominal
from reportgen.results import Results
from reportgen.results.annotators import CrossReplication, LayerGroups
from reportgen.units import CodedUnits
from tests.campaigns import results_of, written
from tests.present import present

Labels = Mapping[tuple[int, int], int]  # by unit and annotator


def units_of(labels: Labels, categories: int = 3, scale: Scale = "nominal", documents: int = 0) -> CodedUnits:
    unit, annotator = (np.array(codes, dtype=np.int64) for codes in zip(*labels, strict=True))
    size, people = int(unit.max()) + 1, int(annotator.max()) + 1
    place = np.arange(size, dtype=np.int64)
    return CodedUnits(
        "main",
        id="items",
        primary=True,
        scale=scale,
        documents=tuple(f"d{number}" for number in range(documents)),
        annotators=tuple(f"w{number:02}" for number in range(people)),
        categories=tuple(map(str, range(categories))),
        document=place % documents if documents else np.full(size, -1),
        weight=np.ones(size, dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=np.array([*labels.values()], dtype=np.int64),
    )


def compare(
    units: CodedUnits,
    sizes: Sequence[int],
    coefficient: str = "krippendorff_alpha",
    before: Sequence[str] = (),
) -> LayerGroups:
    """Return what groups of some sizes say, in the order of annotators; `before` is what else these are."""
    values = [f"g{group}" for group, size in enumerate(sizes) for _ in range(size)]
    of = {
        name: ({"L1": earlier} if before else {}) | {"age": value}
        for name, value, earlier in zip(units.annotators, values, before or values, strict=True)
    }
    told = ToldGroups(("L1", "age") if before else ("age",), of, 3)
    found = groups_of([GroupedLayer(units, setting_of(units, []), coefficient, units.annotators)], told)
    assert found is not None
    return found.layers[-1]


def said(
    seed: int, people: int, units: int = 40, categories: int = 3, missing: float = 0.0
) -> dict[tuple[int, int], int]:
    """Return labels that are right in three of four cases, whoever gives them."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, categories, units)
    return {
        (unit, who): int(truth[unit] if generator.random() < 0.75 else generator.integers(0, categories))
        for unit in range(units)
        for who in range(people)
        if generator.random() >= missing
    }


def seen_otherwise(
    seed: int, people: int, otherwise: Sequence[int], units: int = 40
) -> dict[tuple[int, int], int]:
    """Return labels of which some people see half of the units otherwise: 2 where others say 1."""
    labels = said(seed, people, units, 2)
    return {
        (unit, who): 2 if label == 1 and unit % 2 and who in otherwise else label
        for (unit, who), label in labels.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("sizes", [(4, 4), (3, 4, 5)])
def test_pairs_within_and_between_together_are_alpha(scale: Scale, sizes: Sequence[int]) -> None:
    units = units_of(said(1, sum(sizes)), scale=scale)
    coefficient = "krippendorff_alpha" if scale == "nominal" else f"krippendorff_alpha[{scale}]"
    together = compare(units, sizes, coefficient).agreement[-1]
    within = sum(math.comb(size, 2) for size in sizes) / math.comb(sum(sizes), 2)
    observed = within * present(together.within.observed) + (1 - within) * present(together.between.observed)
    alpha = analyse(units, count(units), setting_of(units, [])).measures[coefficient]
    assert 1 - observed / present(together.within.expected) == pytest.approx(alpha.value)


def test_agreement_of_a_group_is_that_of_its_pairs_counted_by_hand() -> None:
    labels = said(2, 8, missing=0.3)
    own = compare(units_of(labels), (4, 4)).agreement[0]
    within, between, weights = 0.0, 0.0, 0
    for unit in range(40):
        ours, theirs = (
            [labels[unit, who] for who in people if (unit, who) in labels]
            for people in (range(4), range(4, 8))
        )
        pairs, across = list(itertools.combinations(ours, 2)), list(itertools.product(ours, theirs))
        if pairs and across:
            within += sum(one != other for one, other in pairs)
            between += len(pairs) * sum(one != other for one, other in across) / len(across)
            weights += len(pairs)
    assert own.within.observed == pytest.approx(within / weights)
    assert own.between.observed == pytest.approx(between / weights)
    assert own.difference.value == pytest.approx((own.within.value or 0) - (own.between.value or 0))


def test_p_is_the_share_of_exchanges_that_give_as_much() -> None:
    # Of 4 and 4 there are 70 ways: all of them are asked here, and random ones are near.
    units = units_of(said(5, 8, units=12))
    found = compare(units, (4, 4))
    labelled = module._labelled(  # noqa: SLF001 - what is exchanged
        GroupedLayer(units, setting_of(units, []), "krippendorff_alpha", units.annotators),
        np.array([0] * 4 + [1] * 4),
        np.zeros(8, dtype=np.int64),
        2,
    )
    every = [
        differences(labelled, np.array([int(who not in chosen) for who in range(8)]))
        for chosen in itertools.combinations(range(8), 4)
    ]
    exact = p_values(np.stack([every[0], *every]), together=False)
    for number, own in enumerate(found.agreement[:2]):
        seen = (exact[number] * (len(every) + 1) - 1) / len(every)
        assert own.p == pytest.approx(seen, abs=0.05)


def test_people_are_exchanged_among_those_who_are_alike_before() -> None:
    group, stratum = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])
    generator = np.random.default_rng(0)
    for _ in range(20):
        other = exchanged(group, stratum, generator)
        for one in (0, 1):
            assert sorted(other[stratum == one]) == sorted(group[stratum == one])


def test_what_an_earlier_attribute_explains_is_no_difference_of_a_later_one() -> None:
    # Five see it otherwise: those who speak fr. Of age the same five and one more.
    units = units_of(seen_otherwise(6, 12, range(6)))
    earlier = ["fr"] * 6 + ["de"] * 6
    alone, behind = compare(units, (6, 6)), compare(units, (6, 6), before=earlier)
    assert (alone.agreement[0].adjusted_p or 1) < 0.05
    assert behind.untested == NoGroupTest.FEW_PEOPLE


@pytest.mark.parametrize(
    ("sizes", "tested"), [((3, 3), False), ((3, 4), False), ((4, 4), True), ((3, 5), True), ((3, 3, 3), True)]
)
def test_so_few_annotators_have_no_p_and_are_told_why(sizes: Sequence[int], *, tested: bool) -> None:
    found = compare(units_of(said(7, sum(sizes))), sizes)
    assert (found.agreement[0].p is not None) == tested
    assert found.untested == (None if tested else NoGroupTest.FEW_PEOPLE)
    assert found.agreement[0].within.value is not None


def of_own_units(mixed: int) -> dict[tuple[int, int], int]:
    """Return labels of two groups of four, each of half of the units, and of `mixed` units that all label."""
    return {
        (unit, who): label
        for (unit, who), label in said(11, 8).items()
        if unit < mixed or who // 4 == unit % 2 or who % 4 == unit // 2 % 4
    }


@pytest.mark.parametrize(("mixed", "tested"), [(0, False), (40, True)])
def test_groups_that_labelled_other_units_have_no_p(mixed: int, *, tested: bool) -> None:
    found = compare(units_of(of_own_units(mixed)), (4, 4))
    assert found.untested == (None if tested else NoGroupTest.OTHER_UNITS)
    assert all((row.adjusted_p is None) is not tested for row in found.agreement[:2])
    assert all(row.difference.value is not None for row in found.agreement)


@pytest.mark.parametrize(("larger", "tested"), [(49, False), (50, True), (51, True)])
def test_one_exchange_in_twenty_that_takes_groups_as_far_apart_is_chance(
    larger: int, *, tested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was seen is one of the 1,000, so that `larger` includes it."""
    sizes = iter([1.0] * larger + [0.0] * (1000 - larger))
    monkeypatch.setattr(module, "apart", lambda *_: next(sizes))
    monkeypatch.setattr(module, "differences", lambda *_: np.ones(3))
    found = compare(units_of(of_own_units(40)), (4, 4))
    assert (found.untested is None) is tested


def test_how_far_groups_are_from_the_same_share_of_every_unit_by_hand() -> None:
    """Units have 2 : 1 and 1 : 2 of two groups, who have half of all: 4 × 3 × (1/6)²."""
    rows = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (1, 3)]
    unit, annotator = (np.array(codes) for codes in zip(*sorted(rows, key=lambda row: row[1]), strict=True))
    group = np.array([0, 0, 1, 1])
    labelled = GroupedLabels(
        unit=unit,
        annotator=annotator,
        label=unit * 0,
        weight=np.ones(2, dtype=np.int64),
        document=np.arange(2),
        group=group,
        stratum=group * 0,
        groups=2,
        categories=("a",),
        distance=nominal(1),
    )
    assert module.apart(labelled, group) == pytest.approx(4 * 3 / 36)


def test_ways_to_share_out_are_counted_within_strata() -> None:
    assert ways(np.array([[4, 4]]), alike=False) == 70
    assert ways(np.array([[4, 4]]), alike=True) == 35
    assert ways(np.array([[3, 3, 3]]), alike=True) == 280
    assert ways(np.array([[2, 1], [1, 2]]), alike=True) == 9


def test_a_group_of_whom_two_labelled_with_others_has_no_figure() -> None:
    labels = {key: label for key, label in said(8, 8).items() if key[1] != 0 or key[0] == 0}
    labels = {key: label for key, label in labels.items() if key[0] or key[1] == 0}
    found = compare(units_of(labels | {(0, 0): 1}), (3, 5))
    assert found.groups[0].people == 3
    assert found.agreement[0].within.undefined == Undefined.FEW_PEOPLE
    assert found.agreement[0].p is None


def test_one_group_is_compared_with_nobody() -> None:
    found = compare(units_of(said(9, 5)), (5,))
    assert (found.untested, found.agreement) == (NoGroupTest.ONE_GROUP, ())


FALSE_ALARMS = 200


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(5, 5), (4, 8), (3, 3, 4)])
def test_equal_annotators_are_told_apart_in_one_campaign_of_twenty_at_most(
    sizes: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXCHANGES", 199)
    wrong = 0
    for seed in range(FALSE_ALARMS):
        found = compare(units_of(said(1000 + seed, sum(sizes), missing=0.3)), sizes)
        wrong += any((row.adjusted_p or 1) <= 0.05 for row in found.agreement)
    # At .05, 19 or more of 200 have a probability of .005.
    assert wrong < 19


# What a report says of it.


def export(labels: Labels, ages: Sequence[str]) -> str:
    rows = [
        f"d{unit % 8},u{unit:02},w{who:02},{'abc'[label]},{ages[who]}"
        for (unit, who), label in labels.items()
    ]
    return "\n".join(("document,item,worker,label,age", *rows, ""))


def campaign(folder: Path, ages: Sequence[str], labels: Labels, toml: str = "") -> Path:
    written(folder, toml, {"exports/1.0/e.csv": export(labels, ages)})
    path = folder / "campaign.toml"
    path.write_text(f'{path.read_text(encoding="utf-8")}columns = {{ group = "age" }}\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    ages = ["18-29"] * 5 + ["60+"] * 5 + ["Basque"] * 2 + [""]
    labels = seen_otherwise(11, 13, range(5))
    return results_of(campaign(tmp_path_factory.mktemp("groups") / "ages", ages, labels))


def test_a_small_group_is_in_none(found: Results) -> None:
    (table,) = present(found.groups).layers
    assert [(own.group, own.people) for own in table.groups] == [("18-29", 5), ("60+", 5)]
    assert table.others == 3
    assert "Basque" not in found.model_dump_json()


Rows = Sequence[Sequence[Any]]
Distance = Callable[[Any, Any], float]


def nominal_figure(one: object, other: object) -> float:
    return float(one != other)


def squared(one: float, other: float) -> float:
    return (one - other) ** 2


def by_definition(rows: Rows, distance: Distance) -> float:
    """Return 1 - d_o / d_e over items by equations 9 and 10, the model's label being the last of a row."""
    items = [([each for each in humans if each is not None], model) for *humans, model in rows]
    kept = [(humans, model) for humans, model in items if humans and model is not None]
    ratings = sum(len(humans) + 1 for humans, _ in kept)
    observed = sum(
        (len(humans) + 1) / ratings * np.mean([distance(each, model) for each in humans])
        for humans, model in kept
    )
    everything = [each for humans, _ in kept for each in humans]
    expected = np.mean([distance(one, other) for one, (_, other) in product(everything, kept)])
    return float(1 - observed / expected)


def simulated(seed: int) -> list[list[Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(1, 5, 60)
    noise = random.integers(1, 5, (60, 4))
    labels = np.where(random.random((60, 4)) < 0.6, truth[:, None], noise).astype(object)
    labels[random.random((60, 4)) < 0.2] = None
    rows: list[list[Any]] = labels.tolist()
    return rows


def found_in(rows: Rows, scale: Scale) -> CrossReplication:
    frame = pd.DataFrame(rows, columns=["a", "b", "c", "m"])
    (model,) = agreement.replacement(frame, ["m"], scale=scale).models
    return present(model.cross_replication)


SCALES: list[tuple[Literal["nominal", "interval"], Distance]] = [
    ("nominal", nominal_figure),
    ("interval", squared),
]


@pytest.mark.parametrize(("scale", "distance"), SCALES)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_its_definition(scale: Literal["nominal", "interval"], distance: Distance, seed: int) -> None:
    rows = simulated(seed)
    found = found_in(rows, scale)
    assert found.between.value == pytest.approx(by_definition(rows, distance))
    both = [row[:-1] for row in rows if row[-1] is not None]
    table = np.array([[math.nan if each is None else each for each in row] for row in both], dtype=float).T
    alpha = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)
    assert found.humans == pytest.approx(alpha)
    assert found.normalised == pytest.approx((found.between.value or 0) / math.sqrt(alpha))


def test_its_interval_is_that_of_leaving_out_each_unit() -> None:
    """The standard error is, to the first order, the jackknife's."""
    rows = simulated(5)
    found = found_in(rows, "nominal")
    kept = [row for row in rows if row[-1] is not None and any(each is not None for each in row[:-1])]
    left = np.array([by_definition(kept[:n] + kept[n + 1 :], nominal_figure) for n in range(len(kept))])
    error = math.sqrt((len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum())
    assert found.between.standard_error == pytest.approx(error, rel=0.05)
    assert (present(found.between.interval).low or 0) < (found.between.value or 0)


def test_a_model_that_labels_as_all_humans_do_is_one_of_them() -> None:
    rows = [[label] * 4 for label in "abcabcabca"]
    found = found_in(rows, "nominal")
    assert (found.between.value, found.humans, found.normalised) == (1.0, 1.0, 1.0)


def test_one_label_tells_nothing() -> None:
    found = found_in(10 * [["a"] * 4], "nominal")
    assert (found.between.value, found.humans, found.normalised) == (None, None, None)
    assert found.between.undefined is not None


def test_humans_who_agree_by_chance_alone_leave_nothing_to_divide_by() -> None:
    rows = [["a", "b", None, "a"], ["b", "a", None, "b"]] * 10
    found = found_in(rows, "nominal")
    assert present(found.humans) < 0
    assert (found.between.value, found.normalised) == (0.0, None)
