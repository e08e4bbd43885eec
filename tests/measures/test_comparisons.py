"""References and systems on units: held against scikit-learn, against pairs of annotators, and by hand."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from reportgen.counts import count_comparisons
from reportgen.measures import (
    ComparedAgreement,
    NoInterval,
    Undefined,
    analyse_comparisons,
)
from reportgen.measures.comparisons import ALPHA, MACRO
from reportgen.measures.estimate import figure, figures_by_name
from reportgen.measures.unit_profiles import KAPPA, OBSERVED
from reportgen.measures.unit_set_data import ScaleSetting, ranks_or_values
from reportgen.results import Figure
from reportgen.results.annotators import Comparison
from reportgen.units import LayerUnits, number
from tests.measures.made import Rows, annotations, declare, error, figures, study, value
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
        assert scores.specificity is not None
        assert scores.negative_value is not None
        assert scores.phi is not None
        for share, total in (
            (scores.specificity, len(rows) - scores.key),
            (scores.negative_value, len(rows) - scores.other),
        ):
            assert share.value == (pytest.approx(right / total) if total else None)
        if scores.phi.value is not None:
            assert scores.phi.value == pytest.approx(metrics.matthews_corrcoef(given, said))
        assert (scores.phi.value is None) == (
            not 0 < scores.key < len(rows) or not 0 < scores.other < len(rows)
        )
    assert value(found.measures[MACRO]) == pytest.approx(f.mean())
    if found.measures[KAPPA].value is not None:
        assert found.measures[KAPPA].value == pytest.approx(metrics.cohen_kappa_score(gold, system))


@examples(40)
@given(ratings, st.booleans())
def test_the_key_and_another_have_the_figures_that_two_annotators_would_have(
    rows: list[tuple[str, ...]],
    known: bool,  # noqa: FBT001 - hypothesis draws it
) -> None:
    documents = [f"d{place % 3}" for place in range(len(rows))] if known else []
    found = of(compare(rows, ("gold", "ann", "bob", "sys"), documents=documents), "ann")
    alone = study(annotations([row[:2] for row in rows], annotators=("gold", "ann"), documents=documents))
    as_pair = figures(alone.unit_sets[0])
    assert found.units == len(rows)
    own = figures_by_name(as_pair.pairs[0].measures)
    assert all(same(found.measures[name], own[name]) for name in (OBSERVED, KAPPA, ALPHA))


@examples(40)
@given(ratings, st.booleans())
def test_the_mean_over_a_single_pair_of_annotators_is_that_pair_s_figure(
    rows: list[tuple[str, ...]],
    known: bool,  # noqa: FBT001 - hypothesis draws it
) -> None:
    documents = [f"d{place % 3}" for place in range(len(rows))] if known else []
    humans = of(compare(rows, ("gold", "ann", "bob", "sys"), documents=documents), "sys").humans
    assert humans is not None
    alone = study(annotations([row[1:3] for row in rows], annotators=("ann", "bob"), documents=documents))
    (pair,) = figures(alone.unit_sets[0]).pairs
    own = figures_by_name(pair.measures)
    for name in (OBSERVED, KAPPA, ALPHA):
        if own[name].value is None:
            assert humans.measures[name].undefined == Undefined.NO_PAIR_DEFINED
        else:
            assert same(humans.measures[name], own[name])
            assert humans.measures[name].recomputable is None


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


def test_the_error_of_phi_is_that_of_the_weights_of_documents() -> None:
    """How much a document moves it, followed by weighing its units a little more (Matthews 1975)."""
    random = np.random.Generator(np.random.PCG64(8))
    documents = [f"d{place // 10}" for place in range(120)]
    rows = [["a" if random.random() < 0.3 else "b"] * 3 for _ in documents]
    rows = [[gold, ann if random.random() < 0.8 else "a", sys] for gold, ann, sys in rows]
    phi = of(compare(rows, ("gold", "ann", "sys"), documents=documents), "ann").by_category["a"].phi
    assert phi is not None
    given, said = ([row[place] == "a" for row in rows] for place in (0, 1))

    def weighed(document: str, step: float) -> float:
        weight = [1 + step * (each == document) for each in documents]
        return float(metrics.matthews_corrcoef(given, said, sample_weight=weight))

    moved = [(weighed(each, 1e-5) - weighed(each, -1e-5)) / 2e-5 for each in dict.fromkeys(documents)]
    by_hand = math.sqrt(len(moved) / (len(moved) - 1) * sum(each * each for each in moved))
    assert phi.value == pytest.approx(metrics.matthews_corrcoef(given, said))
    assert error(phi) == pytest.approx(by_hand, rel=1e-6)
    assert phi.interval is not None
    assert phi.interval.low is not None


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
    assert beside.humans is not None
    assert (beside.humans.units, beside.humans.pairs) == (2, 1)
    assert value(beside.humans.measures[OBSERVED]) == 0.5
    against = beside.humans.against_reference
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
    assert first.humans is not None
    assert value(first.humans.measures[OBSERVED]) == pytest.approx(2 / 3)
    assert not first.humans.against_reference


@examples(30)
@given(ratings, st.permutations(range(4)), st.permutations(LETTERS))
def test_neither_the_order_of_units_and_people_nor_the_names_of_categories_change_a_figure(
    rows: list[tuple[str, ...]], order: list[int], letters: list[str]
) -> None:
    people = ("gold", "ann", "bob", "sys")
    called = dict(zip(LETTERS, letters, strict=True))
    moved = [tuple(called[row[place]] for place in order) for row in reversed(rows)]
    one = of(compare(rows, people), "sys")
    other = of(compare(moved, [people[place] for place in order]), "sys")
    assert all(same(one.measures[name], other.measures[name]) for name in one.measures)
    assert one.humans is not None
    assert other.humans is not None
    assert all(same(each, other.humans.measures[name]) for name, each in one.humans.measures.items())


def test_perfect_agreement_is_one_and_has_an_interval_only_where_one_can_be_told() -> None:
    found = of(
        compare([("a", "a", "a", "a"), ("b", "b", "b", "b")] * 4, ("gold", "ann", "bob", "sys")), "sys"
    )
    assert found.humans is not None
    for measures in (found.measures, found.humans.measures):
        assert all(value(each) == 1.0 for each in measures.values())
        observed, kappa = measures[OBSERVED].interval, measures[KAPPA].interval
        assert observed is not None
        assert observed.low is not None
        assert kappa is not None
        # Half of the labels agree by chance: what the share of units may fall by counts twice.
        assert kappa.low == pytest.approx(1 - 2 * (1 - observed.low))
        assert reason(measures[MACRO]) == NoInterval.NO_DISAGREEMENT
    assert all(value(each.precision) == value(each.recall) == 1.0 for each in found.by_category.values())


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
    assert alone.humans is not None
    assert {each.undefined for each in alone.humans.measures.values()} == {Undefined.NO_PAIR}


def test_an_annotator_who_shares_no_unit_with_the_reference_is_not_compared_with_it_a_system_is() -> None:
    rows = [("a", "a", None, None), ("b", "a", None, None), (None, "b", "b", "a")]
    found = compare(rows, ("gold", "a1", "a2", "sys"))
    assert [(each.key, each.other) for each in found.pairs] == [("gold", "a1"), ("gold", "sys")]


def test_the_mean_over_categories_leaves_the_non_annotated_one_out() -> None:
    rows: Rows = [("x", "x", "x", "x"), ("x", "x", "x", "none"), *[("none",) * 4] * 98]
    found = of(compare(rows, ("gold", "ann", "bob", "sys"), non_annotated="none"), "sys")
    assert value(found.measures[MACRO]) == pytest.approx(2 / 3)


def test_scales_have_their_alpha_beside_the_nominal_one() -> None:
    rows: Rows = [("1", "1", "2", "1"), ("3", "3", "3", "2"), ("5", "5", "4", "5"), ("2", "2", "2", "4")]
    found = compare(
        rows, ("gold", "ann", "bob", "sys"), scale="interval", coefficient="krippendorff_alpha[interval]"
    )
    assert found.summary.figure == "krippendorff_alpha[interval]"
    beside = of(found, "sys")
    alone = study(annotations([row[1:3] for row in rows], annotators=("ann", "bob")), scale="interval")
    assert beside.humans is not None
    expected = figure(figures(alone.unit_sets[0]).pairs[0].measures[found.summary.figure])
    assert same(beside.humans.measures[found.summary.figure], expected)


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
    assert system.humans is not None
    assert reason(system.humans.measures[OBSERVED]) == NoInterval.MANY_PAIRS
    pairs = [
        np.mean([a == b for a, b in both])
        for one in range(1, 81)
        for other in range(one + 1, 81)
        if (both := [(row[one], row[other]) for row in rows if row[one] and row[other]])
    ]
    assert value(system.humans.measures[OBSERVED]) == pytest.approx(float(np.mean(pairs)))
    assert system.humans.pairs == len(pairs)


def test_the_mean_of_kappa_over_pairs_is_light_s_with_its_interval() -> None:
    random = np.random.Generator(np.random.PCG64(9))
    rows: list[list[str]] = []
    for _ in range(60):
        truth = LETTERS[int(random.integers(3))]
        own = [truth if random.random() < 0.8 else LETTERS[int(random.integers(3))] for _ in range(3)]
        rows.append([truth, *own, truth])
    documents = [f"d{place // 6}" for place in range(60)]
    found = compare(rows, ("gold", "ann", "bob", "cat", "sys"), documents=documents)
    everybody = [row[1:4] for row in rows]
    made = study(annotations(everybody, annotators=("ann", "bob", "cat"), documents=documents))
    (mean,) = found.summary.humans.values()
    light = figures(made.unit_sets[0]).measures["light_kappa"]
    # Here the weight of each unit is known, there it is not: the intervals' errors differ a little.
    for part in ("value", "standard_error"):
        assert getattr(mean.measures[KAPPA], part) == pytest.approx(getattr(light, part), rel=1e-9)
    assert same(mean.measures[OBSERVED], figure(figures(made.unit_sets[0]).measures["observed_agreement"]))
