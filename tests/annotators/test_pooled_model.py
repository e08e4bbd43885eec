"""Who is how good, and what is true, where annotators of few labels are drawn to the mean."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from reportgen.annotators.copies import copies_of, without_copies
from reportgen.annotators.dawid_skene import NotFitted, dawid_skene
from reportgen.annotators.pooled_model import (
    EIGHTHS,
    PooledTruth,
    error_interval,
    fitted,
    pooled_model,
    settled,
    tempered,
)
from reportgen.annotators.rating_patterns import WeightedRatings, label_shares, majorities, patterns_of
from reportgen.units import CodedUnits
from tests.annotators.test_dawid_skene_1979 import PREVALENCE, table_1

Row = tuple[int, int, int]
Random = np.random.Generator


def ratings(
    rows: Sequence[Row], categories: int, weight: int = 1, known: Sequence[int] = ()
) -> WeightedRatings:
    unit, annotator, label = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    units = int(unit.max()) + 1
    truth = np.array(list(known) or [-1] * units, dtype=np.int64)
    return WeightedRatings(unit, annotator, label, np.full(units, weight), truth, categories)


def coded(rows: Sequence[Row], categories: str = "xyz") -> CodedUnits:
    unit, annotator, label = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    units = int(unit.max()) + 1
    return CodedUnits(
        layer="main",
        id="items",
        documents=(),
        annotators=tuple(f"A{code}" for code in range(int(annotator.max()) + 1)),
        categories=tuple(categories),
        unit_document=np.full(units, -1),
        unit_weight=np.ones(units, dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=label,
    )


def labelled(
    random: Random, skills: Sequence[float], units: int = 120, categories: int = 3
) -> tuple[list[Row], np.ndarray]:
    """Everybody labels all units: rightly with the skill, else any other label."""
    truth = random.integers(0, categories, units)
    shape = units, len(skills)
    other = (truth[:, None] + random.integers(1, categories, shape)) % categories
    label = np.where(random.random(shape) < np.array(skills), truth[:, None], other).tolist()
    return [(unit, who, row[who]) for unit, row in enumerate(label) for who in range(len(skills))], truth


def test_the_patients_of_dawid_and_skene_1979_where_there_are_a_thousand_of_each() -> None:
    """From the shares of labels on, as the paper begins, the mean of annotators no longer counts."""
    patterns = patterns_of(ratings(table_1(), 4, weight=1000))
    found = settled(patterns, label_shares(patterns))
    assert (found.seen.counts.totals / 45000).tolist() == pytest.approx(PREVALENCE, abs=0.001)
    alone = dawid_skene(ratings(table_1(), 4), 1e-12, 5000)
    assert found.posterior.T[patterns.pattern] == pytest.approx(alone.posterior, abs=0.02)


def test_of_the_patients_of_dawid_and_skene_1979_two_stay_what_most_said() -> None:
    """With 45 patients nothing makes two of them class 4, where most said 3; theirs does so for certain."""
    found, alone = fitted(ratings(table_1(), 4)), dawid_skene(ratings(table_1(), 4))
    own, theirs = found.posterior.argmax(axis=1), alone.posterior.argmax(axis=1)
    assert np.flatnonzero(own != theirs).tolist() == [1, 35]
    assert (own[[1, 35]].tolist(), theirs[[1, 35]].tolist()) == ([2, 2], [3, 3])
    assert alone.posterior[2].max() == pytest.approx(1, abs=1e-3)
    assert found.posterior[2].max() == pytest.approx(0.742, abs=1e-3)


def by_hand(rows: Sequence[Row], found: PooledTruth) -> np.ndarray:
    """Of each unit: its probabilities by all labels of all other units, one label after the other."""
    size, people = len(found.prevalence), len(found.accuracy)
    posterior = found.posterior
    of_unit = {unit: [(who, label) for u, who, label in rows if u == unit] for unit in range(len(posterior))}
    knowing, strength = found.strengths.knowing, found.strengths.categories
    every = np.zeros((people, size, size))
    for unit, own in of_unit.items():
        for who, label in own:
            every[who, :, label] += posterior[unit]
    result = []
    for unit, own in of_unit.items():
        logs = np.log(found.prevalence)
        for who, label in own:
            expected = sum(every[who, c].sum() * found.usual[c, c] for c in range(size)) / every[who].sum()
            right = sum(every[who, c, c] for c in range(size)) - posterior[unit, label]
            share = (right + knowing * expected) / (every[who].sum() - 1 + knowing)
            for c in range(size):
                usual = found.usual[c, c]
                odds = usual / (1 - usual) * (share / (1 - share)) / (expected / (1 - expected))
                right_due = odds / (1 + odds)
                due = right_due if label == c else (1 - right_due) * found.usual[c, label] / (1 - usual)
                said = every[who, c, label] - posterior[unit, c]
                met = every[who, c].sum() - posterior[unit, c]
                logs[c] += math.log((said + strength[c] * due) / (met + strength[c]))
        likely = np.exp(logs - logs.max())
        result.append(likely / likely.sum())
    return np.array(result)


def test_probabilities_are_those_of_the_formula_label_by_label() -> None:
    random = np.random.default_rng(1)
    rows, _ = labelled(random, (0.9, 0.8, 0.7, 0.6), units=40)
    some = [row for row in rows if random.random() < 0.8 or row[1] == 0]
    found = fitted(ratings(some, 3))
    assert found.converged
    assert found.posterior == pytest.approx(by_hand(some, found), abs=2e-4)


def test_units_annotators_and_categories_in_any_order_give_the_same() -> None:
    rows, _ = labelled(np.random.default_rng(2), (0.9, 0.8, 0.5, 0.7), units=60)
    order = np.random.default_rng(3).permutation(60).tolist()
    other = [(order[unit], 3 - who, 2 - label) for unit, who, label in reversed(rows)]
    found, moved = fitted(ratings(rows, 3)), fitted(ratings(other, 3))
    assert moved.posterior[order][:, ::-1] == pytest.approx(found.posterior, abs=1e-9)
    assert moved.accuracy[::-1] == pytest.approx(found.accuracy, abs=1e-9)


def test_who_gave_few_labels_is_drawn_to_the_mean_and_who_gave_many_is_not() -> None:
    rows, truth = labelled(np.random.default_rng(4), (0.9, 0.9, 0.6, 0.9), units=200)
    # One more labels five units, or two hundred, all of them wrongly.
    wrong = [(unit, 4, (int(truth[unit]) + 1) % 3) for unit in range(200)]
    after_few, after_many = (
        fitted(ratings([*rows, *wrong[:labels]], 3)).accuracy_of(4) for labels in (5, 200)
    )
    assert after_few.value == pytest.approx(0.34, abs=0.05)
    assert after_many.value == pytest.approx(0.03, abs=0.03)
    low, high = ((ends := each.interval) and (ends.low, ends.high) for each in (after_few, after_many))
    assert low
    assert high
    assert (low[1] or 0) - (low[0] or 0) > 3 * ((high[1] or 0) - (high[0] or 0))


def test_one_of_three_who_is_always_wrong_does_not_move_the_truth() -> None:
    rows, truth = labelled(np.random.default_rng(5), (0.85, 0.85, 0.0), units=120)
    found = fitted(ratings(rows, 3))
    assert found.accuracy[2] < 0.1
    assert (found.posterior.argmax(axis=1) == truth).mean() > 0.9


def test_annotators_who_are_alike_are_taken_for_alike_and_others_are_not() -> None:
    alike, _ = labelled(np.random.default_rng(6), (0.8,) * 8, units=300)
    apart, _ = labelled(np.random.default_rng(6), (0.95, 0.5) * 4, units=300)
    strong, weak = (fitted(ratings(rows, 3)).strengths for rows in (alike, apart))
    assert strong.knowing > 100
    assert weak.knowing < 20


def test_what_is_known_stays_so_and_tells_of_the_rest() -> None:
    rows = [(unit, who, 0) for unit in range(3) for who in range(3)]
    found = fitted(ratings([*rows, (3, 0, 1)], 2, known=[1, -1, -1, -1]))
    assert found.posterior[0].tolist() == [0, 1]


def test_one_more_label_pays_most_where_a_unit_is_open() -> None:
    rows, _ = labelled(np.random.default_rng(7), (0.8,) * 4, units=100)
    found = fitted(ratings([*rows, (100, 0, 0), (100, 1, 1)], 3))
    # By a label l a unit is of c in p_c π(c, l) of all cases: the likeliest is right, less what it is now.
    first, second, third = found.posterior[100].tolist()
    usual = found.usual
    best = [max(first * usual[0, k], second * usual[1, k], third * usual[2, k]) for k in range(3)]
    assert found.gains[100] == pytest.approx(math.fsum(best) - max(first, second, third), abs=1e-6)
    assert found.gains[100] > 0.1
    agreed = [unit for unit in range(100) if len({row[2] for row in rows if row[0] == unit}) == 1]
    assert found.gains[agreed].max() < 0.01


def test_expected_errors_are_the_errors() -> None:
    """Five of forty people label each of 400 units; of labels that are wrong the model knows how many."""
    random = np.random.default_rng(8)
    skills = random.uniform(0.5, 0.95, 40)
    rows, truth = labelled(random, skills.tolist(), units=400)
    some = [row for row in rows if row[1] in ((row[0] * 7 + step * 11) % 40 for step in range(5))]
    found = fitted(ratings(some, 3))
    wrong = found.posterior.argmax(axis=1) != truth
    assert float(found.errors.mean()) == pytest.approx(float(wrong.mean()), abs=0.03)
    votes = np.zeros((400, 3))
    np.add.at(votes, (np.array(some)[:, 0], np.array(some)[:, 2]), 1)
    majority = votes.argmax(axis=1) != truth
    assert wrong.mean() < majority.mean()


def shared(*groups: Sequence[int], units: int = 30) -> list[Row]:
    """Groups of annotators, each with units of its own; everybody says the same."""
    return [
        (place * units + unit, who, unit % 3)
        for place, group in enumerate(groups)
        for unit in range(units)
        for who in group
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("units", "reason"),
    [
        (coded(shared((0, 1))), NotFitted.FEW),
        (coded(shared((0, 1), (2, 3))), NotFitted.UNLINKED),
        (coded([(unit, who, 0) for unit in range(9) for who in range(3)], "x"), NotFitted.ONE_CATEGORY),
        (coded(shared((0,), (1,), (2,))), NotFitted.NOTHING),
        (coded(labelled(np.random.default_rng(9), (1 / 3,) * 4)[0]), NotFitted.NO_TRUTH),
    ],
)
def test_where_nobody_can_tell_there_is_no_model(units: CodedUnits, reason: NotFitted) -> None:
    assert pooled_model(units) is reason


def test_annotators_who_share_no_units_are_in_groups() -> None:
    found = pooled_model(coded(shared((0, 1, 2), (3, 4), (5,))))
    assert not isinstance(found, NotFitted)
    assert found.groups == 3
    # The third annotator of a chain is linked through the second.
    chain = [(unit, who, unit % 3) for unit in range(30) for who in ((0, 1) if unit < 15 else (1, 2))]
    linked = pooled_model(coded(chain))
    assert not isinstance(linked, NotFitted)
    assert linked.groups == 1


def test_a_category_that_is_taken_for_another_is_no_truth() -> None:
    found = fitted(ratings(shared((0, 1, 2)), 3))
    assert found.is_told_apart
    # Who means y says x two times in three: most units of y are x to the majority.
    random = np.random.default_rng(10)
    truth = random.choice(3, 300, p=(0.3, 0.4, 0.3))
    said = np.where((truth == 1)[:, None] & (random.random((300, 5)) < 0.6), 0, truth[:, None])
    rows = [(unit, who, int(said[unit, who])) for unit in range(300) for who in range(5)]
    assert not fitted(ratings(rows, 3)).is_told_apart
    assert pooled_model(coded(rows)) is NotFitted.SWITCHED


def test_intervals_are_wilson_s_with_the_labels_in_effect() -> None:
    rows, _ = labelled(np.random.default_rng(11), (0.9, 0.7, 0.8, 0.6), units=80)
    found = fitted(ratings(rows, 3))
    figure = found.accuracy_of(1)
    share, error, ends = figure.value, figure.standard_error, figure.interval
    assert share is not None
    assert error is not None
    assert ends is not None
    # As many labels as have the same standard error, and Wilson's interval of these.
    # t with nine degrees of freedom is 2.262157, where z is 1.959964.
    z = 1.959964
    labels = share * (1 - share) / (error * 2.262157 / z) ** 2
    half = z * math.sqrt(share * (1 - share) / labels + z * z / (4 * labels**2))
    due = [(share + z * z / (2 * labels) + sign * half) / (1 + z * z / labels) for sign in (-1, 1)]
    assert [ends.low, ends.high] == pytest.approx(due, abs=1e-6)
    assert figure.units == 80


def test_a_copy_counts_once() -> None:
    """The last of five copies the first, who is worse than the others: two labels alike are one opinion."""
    rows, truth = labelled(np.random.default_rng(12), (0.5, 0.8, 0.8, 0.8), units=240)
    first = {unit: label for unit, who, label in rows if who == 0}
    found = pooled_model(coded([*rows, *((unit, 4, label) for unit, label in first.items())]))
    alone = pooled_model(coded(rows))
    assert not isinstance(found, NotFitted)
    assert not isinstance(alone, NotFitted)
    assert (found.copies, alone.copies) == ((4,), ())
    assert found.of_rated == pytest.approx(alone.of_rated, abs=1e-9)
    assert (found.of_rated.argmax(axis=1) == truth).mean() > 0.85


def test_copies_leave_too_few_annotators() -> None:
    rows, _ = labelled(np.random.default_rng(13), (0.9, 0.6), units=240)
    copy = [(unit, 2, label) for unit, who, label in rows if who == 0]
    assert pooled_model(coded([*rows, *copy])) is NotFitted.FEW


def test_who_always_agree_are_no_copies() -> None:
    assert copies_of(coded(shared((0, 1, 2), units=60))) == {}


def test_of_units_that_the_other_did_not_label_a_copy_s_labels_count() -> None:
    units = coded([*((unit, who, unit % 3) for unit in range(4) for who in (0, 1)), (4, 1, 0)])
    assert without_copies(units, {1: 0}).tolist() == [True, False] * 4 + [True]


def hard(random: Random, share: float, units: int = 400) -> tuple[list[Row], np.ndarray]:
    """Five label all units, right with .85, on a share of units that are hard for all with .4."""
    truth, is_hard = random.integers(0, 3, units), random.random(units) < share
    right = random.random((units, 5)) < np.where(is_hard, 0.4, 0.85)[:, None]
    other = (truth[:, None] + random.integers(1, 3, (units, 5))) % 3
    label = np.where(right, truth[:, None], other).tolist()
    return [(unit, who, row[who]) for unit, row in enumerate(label) for who in range(5)], truth


@pytest.mark.slow
def test_probabilities_are_tempered_where_units_are_hard_for_everybody() -> None:
    for seed in range(3):
        rows, truth = hard(np.random.default_rng(seed), 0.4)
        given = ratings(rows, 3)
        patterns, found = patterns_of(given), fitted(given)
        assert found.eighths < EIGHTHS
        untempered = settled(patterns, majorities(patterns)).posterior.max(axis=0)[patterns.pattern]
        wrong = float((found.posterior.argmax(axis=1) != truth).mean())
        before, now = 1 - float(untempered.mean()), float(found.errors.mean())
        assert before < 0.8 * now < now < wrong


def test_probabilities_of_independent_errors_are_hardly_tempered() -> None:
    found = [fitted(ratings(hard(np.random.default_rng(seed), 0.0)[0], 3)).eighths for seed in range(4)]
    assert min(found) >= EIGHTHS - 2
    assert EIGHTHS in found


def test_few_labels_do_not_say_how_sure_the_others_are() -> None:
    assert fitted(ratings(hard(np.random.default_rng(1), 0.4, units=99)[0], 3)).eighths == EIGHTHS


@pytest.mark.parametrize("eighths", range(1, 9))
def test_a_power_in_eighths_is_made_of_square_roots(eighths: int) -> None:
    posterior = np.array([[0.9, 0.5, 1.0], [0.1, 0.3, 0.0], [0.0, 0.2, 0.0]])
    power = posterior ** (eighths / 8)
    assert tempered(posterior, eighths) == pytest.approx(power / power.sum(axis=0))


def test_where_nothing_is_left_open_errors_have_no_interval() -> None:
    sure, weight = np.zeros(3), np.ones(3, dtype=np.int64)
    assert error_interval(sure, weight, 0.0) is None
    ends = error_interval(sure + 0.1, weight, 0.0)
    assert ends is not None
    assert 0.0 < (ends.low or 0.0) < 0.1 < (ends.high or 0.0) < 1.0
