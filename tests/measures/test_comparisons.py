"""References and systems on units: against scikit-learn, pairs of annotators, their choice, and by hand."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn import metrics

from reportgen.counts import count_comparisons
from reportgen.measures import (
    ComparedAgreement,
    NoInterval,
    Undefined,
    analyse_comparisons,
)
from reportgen.measures.comparisons import ALPHA, MACRO
from reportgen.measures.unit_profiles import KAPPA, OBSERVED
from reportgen.measures.unit_set_data import ScaleSetting, ranks_or_values
from reportgen.results import Figure
from reportgen.results.annotators import Comparison
from reportgen.units import LayerUnits, number
from tests.measures.made import Rows, annotations, declare, error, study, value
from tests.present import present
from tests.properties import examples

ROLES = {"gold": "reference", "sys": "system", "llm": "model"}
LETTERS = "abc"


def setting_of(made: LayerUnits) -> ScaleSetting:
    units = made.compared[0].units
    numbers = tuple(number(name) for name in units.categories)
    values = ranks_or_values(units.categories, units.scale, numbers)
    return ScaleSetting(scale=units.scale, non_annotated=units.non_annotated, values=values)


def compare(
    rows: Rows,
    people: Sequence[str],
    *,
    documents: Sequence[str | None] = (),
    kind: str = "items",
    coefficient: str = ALPHA,
    **task: Any,  # noqa: ANN401 - any key of [task]
) -> ComparedAgreement:
    """Everybody against the reference in ratings, a column for each of the people."""
    export = annotations(rows, annotators=people, documents=documents)
    made = study(export, declare(kind), roles=ROLES, **task)
    (whole,) = made.compared
    return analyse_comparisons(whole, count_comparisons(whole), setting_of(made), coefficient)


def of(found: ComparedAgreement, other: str, key: str = "gold") -> Comparison:
    return next(each for each in found.pairs if (each.key, each.other) == (key, other))


def same(one: Figure, other: Figure) -> bool:
    """Tell whether two figures and their intervals are one, but for the last digits."""
    if one.value is None or other.value is None:
        return one.undefined == other.undefined
    parts = [(one.value, other.value), (one.standard_error or 0.0, other.standard_error or 0.0)]
    assert one.interval is not None
    assert other.interval is not None
    alike = one.interval.undefined == other.interval.undefined
    ends = ((one.interval.low, other.interval.low), (one.interval.high, other.interval.high))
    parts += [(a, b) for a, b in ends if a is not None and b is not None]
    return alike and all(math.isclose(a, b, abs_tol=1e-12) for a, b in parts)


def reason(found: Figure) -> str | None:
    """Why a figure has no interval."""
    return found.interval.undefined if found.interval else None


ratings = st.lists(st.tuples(*[st.sampled_from(LETTERS)] * 4), min_size=4, max_size=24)


@examples(40)
@given(ratings)
def test_a_system_against_a_reference_is_what_scikit_learn_says(rows: list[tuple[str, ...]]) -> None:
    found = of(compare(rows, ("gold", "ann", "bob", "sys")), "sys")
    gold, system = [row[0] for row in rows], [row[3] for row in rows]
    assert value(found.measures[OBSERVED]) == pytest.approx(metrics.accuracy_score(gold, system))
    used = sorted({*gold, *system})
    precision, recall, f, _ = metrics.precision_recall_fscore_support(
        gold, system, labels=used, zero_division=0.0
    )
    for place, name in enumerate(used):
        scores = found.by_category[name]
        for ours, theirs, total in (
            (scores.precision, precision[place], scores.other),
            (scores.recall, recall[place], scores.key),
            (scores.specific_agreement, f[place], scores.key + scores.other),
        ):
            assert (ours.value is None) == (total == 0)
            assert ours.value is None or ours.value == pytest.approx(theirs)
        given, said = [label == name for label in gold], [label == name for label in system]
        right = sum(not one and not other for one, other in zip(given, said, strict=True))
        for share, total in (
            (present(scores.specificity), len(rows) - scores.key),
            (present(scores.negative_value), len(rows) - scores.other),
        ):
            assert share.value == (pytest.approx(right / total) if total else None)
        if present(scores.phi).value is not None:
            assert present(scores.phi).value == pytest.approx(metrics.matthews_corrcoef(given, said))
        assert (present(scores.phi).value is None) == (
            not 0 < scores.key < len(rows) or not 0 < scores.other < len(rows)
        )
    assert value(found.measures[MACRO]) == pytest.approx(f.mean())
    if found.measures[KAPPA].value is not None:
        assert found.measures[KAPPA].value == pytest.approx(metrics.cohen_kappa_score(gold, system))


def weighted_figures(rows: Rows, weight: Sequence[float]) -> dict[str, float]:
    """Observed agreement and kappa of three pairs of annotators, units weighing what they may."""
    found: dict[str, list[float]] = {OBSERVED: [], KAPPA: []}
    for one, other in ((1, 2), (1, 3), (2, 3)):
        here = [
            (row[one], row[other], w) for row, w in zip(rows, weight, strict=True) if row[one] and row[other]
        ]
        total = sum(w for *_, w in here)
        observed = sum(w for a, b, w in here if a == b) / total
        expected = sum(
            sum(w for a, _, w in here if a == c) * sum(w for _, b, w in here if b == c) for c in LETTERS
        ) / (total * total)
        found[OBSERVED].append(observed)
        found[KAPPA].append((observed - expected) / (1 - expected))
    return {name: sum(each) / 3 for name, each in found.items()}


def test_the_interval_of_a_mean_over_pairs_follows_each_document_once() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    rows: list[list[str | None]] = []
    documents = [f"d{place // 5}" for place in range(40)]
    for _ in documents:
        truth = LETTERS[int(random.integers(3))]
        own = [truth if random.random() < 0.7 else LETTERS[int(random.integers(3))] for _ in range(3)]
        rows.append([truth, *(None if random.random() < 0.15 else each for each in own), truth])
    humans = of(compare(rows, ("gold", "ann", "bob", "cat", "sys"), documents=documents), "sys").humans
    assert humans is not None
    ones = [1.0] * len(rows)
    for name in (OBSERVED, KAPPA):
        sums = dict.fromkeys(documents, 0.0)
        for place, document in enumerate(documents):
            up, down = list(ones), list(ones)
            up[place] += 1e-5
            down[place] -= 1e-5
            sums[document] += (weighted_figures(rows, up)[name] - weighted_figures(rows, down)[name]) / 2e-5
        groups = len(sums)
        by_hand = math.sqrt(groups / (groups - 1) * sum(each * each for each in sums.values()))
        assert value(humans.measures[name]) == pytest.approx(weighted_figures(rows, ones)[name])
        assert error(humans.measures[name]) == pytest.approx(by_hand, rel=1e-6)


def test_humans_are_seen_on_the_units_that_the_reference_and_the_system_both_labelled() -> None:
    rows: Rows = [
        ("a", "a", "a", "a"),
        ("a", "a", "b", "a"),
        ("b", "b", "a", None),
        (None, "b", "a", "b"),
        ("b", "b", None, "a"),
    ]
    found = compare(rows, ("gold", "ann", "bob", "sys"))
    beside = of(found, "sys")
    assert beside.units == 3
    assert (present(beside.humans).units, present(beside.humans).pairs) == (2, 1)
    assert value(present(beside.humans).measures[OBSERVED]) == 0.5
    against = present(beside.humans).against_reference
    assert value(against["ann"][OBSERVED]) == 1.0
    assert value(against["bob"][OBSERVED]) == 0.5
    everywhere = found.summary.humans["gold"]
    assert value(everywhere.measures[OBSERVED]) == pytest.approx(1 / 3)


def test_without_a_reference_systems_are_held_against_each_annotator() -> None:
    rows: Rows = [("a", "a", "a", "b"), ("b", "a", "b", "b"), ("b", "b", "b", "b")]
    found = compare(rows, ("ann", "bob", "sys", "llm"))
    pairs = [(each.key, each.other) for each in found.pairs]
    assert pairs == [("ann", "sys"), ("ann", "llm"), ("bob", "sys"), ("bob", "llm")]
    assert not found.summary.humans
    first = of(found, "sys", "ann")
    assert value(first.measures[OBSERVED]) == 1.0
    assert value(present(first.humans).measures[OBSERVED]) == pytest.approx(2 / 3)
    assert not present(first.humans).against_reference


def test_what_nobody_used_or_nobody_shared_is_undefined_with_its_reason() -> None:
    apart = of(compare([("a", "a", "b", None), (None, "a", "a", "b")], ("gold", "ann", "bob", "sys")), "sys")
    assert {each.undefined for each in apart.measures.values()} == {Undefined.NO_UNITS}
    assert apart.humans is None
    one_sided = of(
        compare([("a", "a", "a", "b"), ("a", "b", "b", "b")], ("gold", "ann", "bob", "sys")), "sys"
    )
    first, second = one_sided.by_category["a"], one_sided.by_category["b"]
    assert first.precision.undefined == Undefined.NOT_USED_BY_OTHER
    assert second.recall.undefined == Undefined.NOT_USED_BY_KEY
    assert value(first.recall) == value(second.precision) == value(first.specific_agreement) == 0.0
    alone = of(compare([("a", "a", None, "a"), (None, "a", "b", None)], ("gold", "ann", "bob", "sys")), "sys")
    assert {each.undefined for each in present(alone.humans).measures.values()} == {Undefined.NO_PAIR}


def test_an_annotator_who_shares_no_unit_with_the_reference_is_not_compared_with_it_a_system_is() -> None:
    rows = [("a", "a", None, None), ("b", "a", None, None), (None, "b", "b", "a")]
    found = compare(rows, ("gold", "a1", "a2", "sys"))
    assert [(each.key, each.other) for each in found.pairs] == [("gold", "a1"), ("gold", "sys")]


def test_the_mean_over_categories_leaves_the_non_annotated_one_out() -> None:
    rows: Rows = [("x", "x", "x", "x"), ("x", "x", "x", "none"), *[("none",) * 4] * 98]
    found = of(compare(rows, ("gold", "ann", "bob", "sys"), non_annotated="none"), "sys")
    assert value(found.measures[MACRO]) == pytest.approx(2 / 3)


def test_of_a_crowd_those_stand_with_all_figures_who_agree_least() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    people = ("gold", *(f"w{place:03}" for place in range(80)), "sys")
    rows: list[list[str | None]] = []
    for _ in range(60):
        truth = LETTERS[int(random.integers(3))]
        marks = [
            None
            if random.random() < 0.5
            else truth
            if random.random() < 0.8
            else LETTERS[int(random.integers(3))]
            for _ in range(80)
        ]
        rows.append([truth, *marks, truth])
    found = compare(rows, people)
    assert found.summary.crowded
    assert found.summary.people == 81
    shown = [each for each in found.pairs if each.role == "annotator"]
    assert len(shown) == 20
    agreeing = {other: observed for *_, other, _, _, observed, _ in found.crowd}
    least = sorted(agreeing.values())[19]
    for each in shown:
        own = value(each.measures[OBSERVED])
        assert own == pytest.approx(agreeing[each.other])
        assert own <= least
    system = of(found, "sys")
    assert reason(present(system.humans).measures[OBSERVED]) == NoInterval.MANY_PAIRS
    pairs = [
        np.mean([a == b for a, b in both])
        for one in range(1, 81)
        for other in range(one + 1, 81)
        if (both := [(row[one], row[other]) for row in rows if row[one] and row[other]])
    ]
    assert value(present(system.humans).measures[OBSERVED]) == pytest.approx(float(np.mean(pairs)))
    assert present(system.humans).pairs == len(pairs)


def beside(rows: Rows, annotators: int, documents: int = 0, coefficient: str = OBSERVED) -> Comparison:
    """Return a system against the reference, beside annotators; units are of as many documents in turn."""
    people = ("gold", *(f"h{place}" for place in range(annotators)), "sys")
    known = [f"d{place % documents}" for place in range(len(rows))] if documents else ()
    return of(compare(rows, people, documents=known, coefficient=coefficient), "sys")


def drawn(seed: int, annotators: int, units: int, skills: tuple[float, float]) -> Rows:
    """Return labels of somebody who is right, of annotators of different skill, and of a system."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, (units, 1))
    right = random.random((units, annotators + 2)) < [1.0, *random.uniform(*skills, annotators), 0.8]
    labels = np.where(right, truth, (truth + random.integers(1, 3, right.shape)) % 3)
    return [tuple("abc"[label] for label in row) for row in labels.tolist()]


def test_the_interval_by_hand() -> None:
    """V = V_units + V_annotators - V_both, the jackknife of a mean over pairs, Satterthwaite's degrees."""
    rows, units, people = drawn(3, 6, 80, (0.4, 1.0)), 80, range(6)
    found = beside(rows, 6, units)
    labels = np.array(rows)
    same = {(a, b): (labels[:, 1 + a] == labels[:, 1 + b]).astype(float) for a, b in combinations(people, 2)}
    whole = np.mean(list(same.values()), axis=0)
    without = [np.mean([each for pair, each in same.items() if who not in pair], axis=0) for who in people]
    apart = (labels[:, 0] == labels[:, -1]) - whole
    of_units = apart.var(ddof=1) / units
    of_annotators = 5 / 6 * sum((each.mean() - whole.mean()) ** 2 for each in without)
    of_both = 5 / 6 * sum((each - whole).var(ddof=1) / units for each in without)
    variance = of_units + of_annotators - of_both
    degrees = variance**2 / (of_units**2 / (units - 1) + of_annotators**2 / 5)
    half = float(student.ppf(0.975, degrees)) * math.sqrt(variance)
    ends = present(found.for_any_annotators)
    assert of_annotators > of_both
    assert (ends.low, ends.high) == pytest.approx((apart.mean() - half, apart.mean() + half))


@pytest.mark.parametrize("coefficient", [OBSERVED, "cohen_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("annotators", [3, 6])
def test_units_without_documents_are_paired_one_by_one(annotators: int, coefficient: str) -> None:
    """A unit that is a document of its own says as much as one of which no document is known."""
    rows = drawn(3, annotators, 80, (0.4, 1.0))
    own, each = (beside(rows, annotators, number, coefficient) for number in (0, 80))
    change, alike = present(own.against_humans), present(each.against_humans)
    assert (present(change.test).method, present(change.test).degrees) == ("paired", 79)
    assert present(change.interval).low == pytest.approx(present(alike.interval).low)
    assert present(change.test).p == pytest.approx(present(alike.test).p)
    assert own.for_any_annotators == each.for_any_annotators


def test_where_documents_are_known_they_are_paired_and_not_their_units() -> None:
    change = present(beside(drawn(3, 3, 80, (0.4, 1.0)), 3, 8).against_humans)
    assert (present(change.test).method, present(change.test).degrees) == ("paired", 7)


@given(st.integers(0, 10**6), st.integers(5, 8), st.sampled_from([0, 6, 12]))
@examples(25)
def test_it_is_never_narrower_than_over_documents_alone(seed: int, annotators: int, documents: int) -> None:
    found = beside(drawn(seed, annotators, 48, (0.3, 1.0)), annotators, documents)
    ends = present(found.for_any_annotators)
    own = present(present(found.against_humans).interval)
    assert (ends.low or 0.0) <= (own.low or 0.0) + 1e-12
    assert (ends.high or 0.0) >= (own.high or 0.0) - 1e-12


@pytest.mark.parametrize("annotators", [2, 4])
def test_fewer_than_five_annotators_say_nothing_of_others(annotators: int) -> None:
    found = beside(drawn(1, annotators, 60, (0.4, 1.0)), annotators)
    assert found.for_any_annotators is None
    assert present(found.against_humans).interval is not None
