"""Where marks overlap each label is judged by its own marks, whatever others are beside them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.counts import count
from reportgen.measures.analysis import UnitSetAgreement, analyse
from reportgen.measures.estimate import Estimate
from reportgen.measures.sets import sets_compared
from reportgen.measures.unit_set_data import setting_of
from reportgen.measures.unit_set_results import unit_set
from reportgen.results import UnitSet
from reportgen.units import Study
from tests.units.marked import Marks, annotations, copy, study

TEXT = " ".join(["word"] * 10)
LABELS = "ABC"
ALPHA = "krippendorff_alpha"


def of(*everybody: Marks, **task: Any) -> Study:  # noqa: ANN401 - keys of [task]
    """Return two documents: the marks of everybody in the first, shifted by a word in the second."""
    copies = [
        copy(
            f"a{number}",
            TEXT,
            [(5 * start, 5 * end - 1, label) for start, end, label in marks],
            document=name,
        )
        for number, marks in enumerate(everybody)
        for name in ("d", "e")
    ]
    return study(annotations(*copies), "tokens", **task)


def agreement_of(found: Study) -> UnitSetAgreement:
    units = found.unit_sets[0]
    return analyse(units, count(units), setting_of(units, ()))


def results_of(found: Study) -> UnitSet:
    return unit_set(agreement_of(found), found)


def same(one: Estimate, other: Estimate) -> bool:
    names = ("value", "units", "observed", "expected", "undefined", "interval")
    return all(getattr(one, name) == getattr(other, name) for name in names)


marks = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4), st.sampled_from(LABELS)).map(
        lambda mark: (mark[0], min(mark[0] + mark[1], 10), mark[2])
    ),
    max_size=6,
)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(marks, min_size=2, max_size=3))
def test_figures_of_a_label_are_always_those_of_a_campaign_that_has_only_this_label(
    everybody: list[Marks],
) -> None:
    check_by_label(everybody)


@pytest.mark.parametrize("people", [2, 3])
def test_figures_of_a_label_are_those_of_a_campaign_that_has_only_this_label(people: int) -> None:
    nested: list[Marks] = [[(0, 6, "A"), (1, 3, "B")], [(0, 5, "A"), (2, 5, "B"), (8, 9, "C")], [(1, 4, "C")]]
    check_by_label(nested[:people])


def check_by_label(everybody: list[Marks]) -> None:
    whole = of(*everybody)
    agreement = agreement_of(whole)
    categories = results_of(whole).categories
    used = sorted({label for each in everybody for *_, label in each})
    assert categories == (*used, "(unmarked)")
    for code, label in enumerate(agreement.judged):
        if label == "(unmarked)" or len(used) < 2:
            continue
        alone = agreement_of(of(*([mark for mark in each if mark[2] == label] for each in everybody)))
        assert same(agreement.specific[code], alone.specific[0])
        assert same(agreement.against_rest[code][ALPHA], alone.measures[ALPHA])
        for pair, own in zip(agreement.pairs, alone.pairs, strict=True):
            assert same(pair.specific[code], own.specific[0])
            assert same(pair.against_rest[code]["cohen_kappa"], own.measures["cohen_kappa"])


NESTED = [(0, 6, "A"), (1, 3, "B")], [(0, 6, "A"), (1, 3, "C")]


def test_a_label_around_others_agrees_wherever_both_have_it_and_categories_are_the_labels() -> None:
    found = results_of(of(*NESTED))
    assert found.categories == ("A", "B", "C", "(unmarked)")
    assert (found.scale, found.joined) == ("set", True)
    assert found.specific_agreement["A"].value == 1
    assert found.specific_agreement["B"].value == 0


def test_confusions_are_of_labels_on_the_same_stretch_and_not_of_combinations() -> None:
    units = agreement_of(of(*NESTED)).whole
    (confusion,) = (sets_compared(units) or pytest.fail("no sets")).confusions
    assert (confusion.first, confusion.second, confusion.units) == ("B", "C", 4)
    left = agreement_of(of([(0, 6, "A"), (1, 3, "B")], [(0, 6, "A")])).whole
    (omitted,) = (sets_compared(left) or pytest.fail("no sets")).confusions
    assert (omitted.first, omitted.second, omitted.units) == ("B", None, 4)


def test_chance_of_a_confusion_is_how_often_its_sets_would_meet_at_random() -> None:
    # Twenty tokens: A on four, B on the first of them too, of one; C on two, of the other.
    one, other = [(0, 4, "A"), (0, 1, "B")], [(0, 2, "C")]
    units = agreement_of(of(one, other)).whole
    found = {
        (each.first, each.second): each
        for each in (sets_compared(units) or pytest.fail("no sets")).confusions
    }
    # Sets: {} 12 + 16, {A} 6, {A, B} 2, {C} 4 of 40 labels; two at random are of 40 × 39 / 2, for 20 units.
    assert found["A", "C"].units == 4
    assert found["A", "C"].chance == pytest.approx((6 + 2) * 4 / 39)
    assert found["B", "C"].chance == pytest.approx(2 * 4 / 39)
    # Nobody chose anything instead of A where the other has nothing, or B beside it.
    assert found["A", None].units == 4
    assert found["A", None].chance == pytest.approx((6 + 2) * 28 / 39)


def test_labels_that_never_meet_are_categories_as_they_were() -> None:
    found = results_of(of([(0, 2, "A"), (4, 6, "B")], [(0, 2, "B")]))
    assert (found.scale, found.sets, found.categories) == ("nominal", None, ("A", "B", "(unmarked)"))


def test_a_combination_is_a_category_where_the_campaign_lists_it() -> None:
    found = results_of(of(*NESTED, categories=["A", "B", "C", "A|B", "A|C"]))
    assert (found.scale, found.sets) == ("nominal", None)
    assert found.categories == ("A", "B", "C", "A|B", "A|C", "(unmarked)")
    assert found.specific_agreement["A|B"].value == 0
    # A name with the separator that is no combination of labels lists none.
    assert results_of(of(*NESTED, categories=["A", "x|y"])).sets is not None


def test_the_first_in_priority_counts_as_before() -> None:
    found = results_of(of(*NESTED, priority=["A"]))
    assert (found.scale, found.sets, found.joined) == ("nominal", None, False)
    assert found.specific_agreement["A"].value == 1
