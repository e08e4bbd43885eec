"""How reliable labels are together: Spearman (1910), Brown (1910), and majorities of some of all labels."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.measures.annotators import aggregation
from reportgen.measures.annotators.aggregation import (
    NUMBERS,
    NoAggregate,
    least_number,
    reliability_of_aggregate,
    reliability_of_labels,
    same_majority,
    spearman_brown,
    usual_labels,
)
from reportgen.readers import Codes
from reportgen.report.sections.who_agrees import _enough, enough_in_words
from reportgen.results import Figure, Interval
from reportgen.results.model import LayerSubject
from reportgen.results.unit_sets import AggregateOfAnnotators, AggregateReliability, EnoughAnnotators
from tests.findings import made_results
from tests.measures.made import annotations, figures, units_of
from tests.present import present
from tests.properties import examples

LABELS = ("x", "y", "z")
COUNTS = st.lists(st.integers(0, 6), min_size=1, max_size=5).filter(lambda each: sum(each) >= 2)
OR_NONE = "within the interval it takes 3 or more, or no number is enough."
Table = Sequence[Sequence[str | None]]


def aggregate(table: Table, scale: str = "nominal") -> AggregateReliability | None:
    units = units_of(annotations(table), categories=LABELS, scale=scale)
    return reliability_of_aggregate(figures(units))


def counts(*kinds: Sequence[int]) -> Codes:
    return np.array([sorted(each, reverse=True) for each in kinds], dtype=np.int64)


def by_drawing(of_labels: Sequence[int], number: int) -> float:
    """Return the same by drawing every subset of a unit's labels."""
    labels = [label for label, times in enumerate(of_labels) for _ in range(times)]
    all_of_them = _most(labels)
    drawn = [_most(each) for each in combinations(labels, number)]
    return sum(len(each & all_of_them) / (len(each) * len(all_of_them)) for each in drawn) / len(drawn)


def _most(labels: Sequence[int]) -> set[int]:
    found = Counter(labels)
    return {label for label, times in found.items() if times == max(found.values())}


# Spearman and Brown


@pytest.mark.parametrize(
    ("alpha", "number", "due"),
    [(0.5, 2, 2 / 3), (0.5, 4, 0.8), (0.6, 3, 9 / 11), (1.0, 7, 1.0), (0.0, 9, 0.0)],
)
def test_the_formula_by_hand(alpha: float, number: int, due: float) -> None:
    assert spearman_brown(alpha, number) == pytest.approx(due)


@pytest.mark.parametrize(
    ("alpha", "reliability", "due"),
    [
        (0.5, 0.8, 4),
        (0.5, 0.667, 3),
        (0.2, 0.8, 16),
        (0.8, 0.8, 1),
        (0.9, 0.8, 1),
        (0.0, 0.8, None),
        (-0.1, 0.8, None),
    ],
)
def test_how_many_annotators_are_enough_by_hand(alpha: float, reliability: float, due: int | None) -> None:
    assert least_number(alpha, reliability) == due


@examples(60)
@given(st.floats(0.01, 0.999), st.floats(0.1, 0.95))
def test_the_least_number_is_the_least(alpha: float, reliability: float) -> None:
    number = present(least_number(alpha, reliability))
    assert spearman_brown(alpha, number) >= reliability - 1e-6
    assert number == 1 or spearman_brown(alpha, number - 1) < reliability


def test_one_label_is_as_reliable_as_alpha_and_ends_go_to_ends() -> None:
    alpha = Figure(value=0.5, interval=Interval(low=-0.2, high=0.8, level=0.95, method="t"))
    one, four = reliability_of_labels(alpha, 1), reliability_of_labels(alpha, 4)
    assert (one.value, four.value) == (0.5, 0.8)
    # Below 0 nothing is reliable; 4 · .8 / (1 + 3 · .8) = 16/17.
    assert [present(four.interval).low, present(four.interval).high] == pytest.approx([0, 16 / 17])


def test_an_alpha_without_an_interval_gives_none_and_says_why() -> None:
    known = reliability_of_labels(Figure(value=0.5, interval=Interval(undefined="why")), 3)
    assert known.interval == Interval(undefined="why")
    below = reliability_of_labels(Figure(value=-0.1), 3)
    assert (below.value, below.undefined) == (None, NoAggregate.NOT_ABOVE_CHANCE)


def test_interval_alpha_gives_the_intraclass_correlation_of_means() -> None:
    """ICC(1, k) is 1 - MSW / MSB (Shrout and Fleiss 1979); on many units alpha differs by little."""
    rows = [[(unit * 7 + who * who) % 5 + unit % 6 for who in range(4)] for unit in range(600)]
    units = units_of(annotations([[str(cell) for cell in row] for row in rows]), scale="interval")
    found = present(reliability_of_aggregate(figures(units)))
    means = [sum(row) / 4 for row in rows]
    grand = sum(means) / len(means)
    between = 4 * sum((mean - grand) ** 2 for mean in means) / (len(means) - 1)
    within = sum((cell - mean) ** 2 for row, mean in zip(rows, means, strict=True) for cell in row)
    icc = 1 - within / (3 * len(rows)) / between
    assert (found.coefficient, found.labels) == ("krippendorff_alpha[interval]", 4)
    assert found.reliability.value == pytest.approx(icc, abs=1e-3)
    assert found.majority is None
    assert all(each.same_majority is None for each in found.by_annotators)


def test_nominal_reliability_is_that_of_the_shares_of_labels() -> None:
    """Of two halves of a unit's labels, shares correlate as the formula says, over many random units."""
    chance = np.random.default_rng(5)
    right = chance.random(6000) < 0.6
    said = np.where(chance.random((6000, 12)) < 0.75, right[:, None], ~right[:, None])
    halves = said[:, :6].mean(axis=1), said[:, 6:].mean(axis=1)
    table = [["x" if cell else "y" for cell in row] for row in said[:, :6]]
    found = present(aggregate(table))
    assert found.reliability.value == pytest.approx(float(np.corrcoef(*halves)[0, 1]), abs=0.02)


# Majorities


def test_shares_of_majorities_by_hand() -> None:
    # Of a, a, a, b, b: one label is a in 3 of 5; of ten threes aaa 1, aab 6, abb 3.
    assert same_majority(counts([3, 2]), 1)[0] == pytest.approx(0.6)
    assert same_majority(counts([3, 2]), 3)[0] == pytest.approx(0.7)
    # Of a, a, b, c two are: aa 1 of 6, ab or ac 4 of 6 (half each), bc 1 of 6.
    assert same_majority(counts([2, 1, 1]), 2)[0] == pytest.approx(1 / 6 + 4 / 12)
    assert same_majority(counts([4, 0], [2, 2]), 3).tolist() == [1.0, 0.5]


@examples(60)
@given(COUNTS, st.integers(1, 6))
def test_majorities_are_those_of_every_subset(of_labels: list[int], number: int) -> None:
    assume(number <= sum(of_labels) <= 12)
    found = same_majority(counts(of_labels), number)[0]
    assert found == pytest.approx(by_drawing(of_labels, number))


def test_hundreds_of_labels_of_a_unit_keep_their_digits() -> None:
    two_thirds = same_majority(counts([400, 200]), 3)[0]
    due = (math.comb(400, 3) + math.comb(400, 2) * 200) / math.comb(600, 3)
    assert two_thirds == pytest.approx(due, rel=1e-13)


def test_units_with_fewer_labels_than_half_of_them_have_are_left_out() -> None:
    table: Table = [
        ["x", "x", "x", "y", "y"],
        ["x", "x", "y", "y", "z"],
        ["x", "x", "y", "y", None],
        ["y", "y", None, None, None],
    ]
    found = present(aggregate(table))
    assert found.majority is not None
    assert (found.majority.labels, found.majority.units, found.majority.tied) == (5, 2, 1)
    assert (found.units, found.labels) == (4, 4.0)
    shares = {each.annotators: each.same_majority for each in found.by_annotators}
    assert shares[1] == pytest.approx((3 / 5 + 2 / 5) / 2)
    assert [number for number, share in shares.items() if share is not None] == [1, 2, 3]


# All of it


def test_who_always_agree_are_reliable_alone() -> None:
    found = present(aggregate([["x"] * 5, ["y"] * 5, ["z"] * 5]))
    assert [each.annotators for each in found.enough] == [1, 1]
    assert {each.reliability.value for each in found.by_annotators} == {1.0}
    assert {each.same_majority for each in found.by_annotators if each.annotators < 5} == {1.0}


@pytest.mark.parametrize(
    "table", [[["x", "y"], ["x", "x"]], [["x", "x", None], ["y", "y", "x"]], [["x"] * 4] * 3]
)
def test_few_labels_or_one_category_have_nothing_to_say(table: Table) -> None:
    assert aggregate(table) is None


def test_ordinal_labels_have_majorities_and_the_alpha_of_their_scale() -> None:
    found = present(aggregate([["x", "x", "y", "x"], ["z", "z", "y", "z"], ["y", "y", "x", "y"]], "ordinal"))
    assert found.coefficient == "krippendorff_alpha[ordinal]"
    assert found.majority is not None
    assert [each.annotators for each in found.by_annotators] == list(NUMBERS)


def test_usual_labels_are_those_that_half_of_the_units_have() -> None:
    table: Table = [["x", "y", "x", "y"], ["x", "y", "x", None], ["x", "y", None, None]]
    assert usual_labels(figures(units_of(annotations(table))).whole.profiles) == 3


# Pages, files and findings


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((None, None), "4 annotators are enough for 0.8."),
        ((4, 4), "4 annotators are enough for 0.8."),
        ((3, 6), "4 annotators are enough for 0.8 (within the interval 3 to 6)."),
        (
            (3, None),
            f"4 annotators are enough for 0.8; {OR_NONE}",
        ),
    ],
)
def test_how_many_are_enough_has_its_interval(ends: tuple[int | None, int | None], said: str) -> None:
    fewest, most = ends
    assert enough_in_words(EnoughAnnotators(reliability=0.8, annotators=4, fewest=fewest, most=most)) == said


@pytest.mark.parametrize(
    ("usual", "of_five", "said"),
    [
        (
            0.872,
            0.79,
            [
                "Majorities of 7 labels are enough for an alpha of 0.8.",
                "Majorities of 5 labels are enough for an alpha of 0.667.",
            ],
        ),
        (0.872, 0.81, ["Majorities of 5 labels are enough for an alpha of 0.8."]),
        (0.799, 0.79, ["Majorities of 5 labels are enough for an alpha of 0.667."]),
        (0.799, 0.66, ["Majorities of 7 labels are enough for an alpha of 0.667."]),
        (0.666, 0.66, []),
    ],
)
def test_labels_of_a_crowd_are_enough_by_its_figures(usual: float, of_five: float, said: list[str]) -> None:
    """The formula of Spearman and Brown would say 4, whatever majorities reach."""
    five = AggregateOfAnnotators(annotators=5, reliability=Figure(value=0.9), majority=Figure(value=of_five))
    own = AggregateReliability(
        layer="main",
        unit_set="items",
        coefficient="krippendorff_alpha",
        units=100,
        labels=7.0,
        reliability=Figure(value=0.9),
        by_annotators=(five,),
        enough=(
            EnoughAnnotators(reliability=0.667, annotators=3),
            EnoughAnnotators(reliability=0.8, annotators=4),
        ),
        of_majority=Figure(value=usual),
        usual=7,
    )
    crowd = LayerSubject(subject="crowd", declared=True, reason="")
    assert [*_enough(made_results.results(made_results.unit_set(), subjects={"main": crowd}), own)] == said
    of_few = made_results.results(made_results.unit_set())
    assert [*_enough(of_few, own)] == [
        "4 annotators are enough for 0.8.",
        "3 annotators are enough for 0.667.",
    ]


def of_two_labels(each: int) -> list[list[str]]:
    """Return ten units with so many labels each, of which nine in ten are the same."""
    return [[LABELS[(unit + (place % 10 == 0)) % 2] for place in range(each)] for unit in range(10)]


@pytest.mark.parametrize(("labels", "given"), [(60, True), (61, False), (200, False)])
def test_a_majority_of_very_many_labels_is_not_estimated(labels: int, *, given: bool) -> None:
    own = present(aggregate(of_two_labels(labels)))
    assert (own.of_majority is not None) == given
    assert present(own.reliability.value) > 0.98


@pytest.mark.parametrize(("most", "given"), [(500, True), (501, False)])
def test_one_unit_with_very_many_labels_spoils_no_likelihood(most: int, *, given: bool) -> None:
    """Every category has a share of its labels, so that no candidate is likelier than 1e-200."""
    few = [[*row, *[None] * (most - 5)] for row in of_two_labels(5)]
    own = present(aggregate([*few, [LABELS[place % 3] for place in range(most)]]))
    assert (own.of_majority is not None) == given
    if own.of_majority is not None:
        assert 0 < present(own.of_majority.value) < 1


def test_of_very_many_units_a_part_is_drawn_and_intervals_are_as_wide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(3)  # noqa: S311 - labels of a test
    table = [[LABELS[(unit + (chance.random() < 0.2)) % 2] for _ in range(5)] for unit in range(400)]

    def ends(most: int) -> tuple[float, float, float]:
        monkeypatch.setattr(aggregation, "MOST_UNITS", most)
        monkeypatch.setattr(aggregation, "FEWER_UNITS", 100)
        own = present(aggregate(table))
        figure = present(own.of_majority)
        low, high = present(figure.interval).low, present(figure.interval).high
        assert low is not None
        assert high is not None
        return present(figure.value), low, high

    value, low, high = ends(400)
    assert (value, low, high) == ends(1_000_000)
    again, lower, higher = ends(399)
    assert again == value
    assert (lower, higher) != (low, high)
    assert (higher - lower) / (high - low) == pytest.approx(1, abs=0.35)
