"""Contributions of confusions to the change in disagreement: together they are all of it, exactly."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import count
from reportgen.measures import ScaleSetting, UnitsOfAll
from reportgen.results import Figure
from reportgen.results.parts import Change, DifferenceTest
from reportgen.versions.agreement_revisions import changed, disagreement, shares_beside, with_tests
from tests.measures.made import annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples

LABELS = "abcd"
rows = st.lists(st.text(f"{LABELS}.", min_size=4, max_size=4), min_size=1, max_size=12)


def whole(labels: Sequence[str], categories: str = LABELS) -> UnitsOfAll:
    given_ = [[None if label == "." else label for label in row] for row in labels]
    units = units_of(annotations(given_), categories=tuple(categories))
    return UnitsOfAll(units, count(units), ScaleSetting())


def by_hand(labels: Sequence[str]) -> dict[tuple[str, str], Fraction] | None:
    """What each two categories add, unit by unit and pair by pair."""
    found: dict[tuple[str, str], Fraction] = {}
    units = [[label for label in row if label != "."] for row in labels]
    units = [row for row in units if len(row) > 1]
    for row in units:
        pairs = list(combinations(row, 2))
        for one, other in pairs:
            if one != other:
                two = (min(one, other), max(one, other))
                found[two] = found.get(two, Fraction(0)) + Fraction(1, len(pairs) * len(units))
    return found if units else None


@examples(40)
@given(rows, rows)
def test_contributions_add_up_to_the_change_exactly(first: list[str], second: list[str]) -> None:
    found = changed(whole(first), whole(second))
    before, after = by_hand(first), by_hand(second)
    if before is None or after is None:
        assert found is None
        return
    assert found is not None
    contributions = []
    for each in found.confusions:
        ours = tuple(
            Fraction(number, of)
            for number, of in zip((each.first, each.second), found.denominators, strict=True)
        )
        assert ours == (before.get(each.categories, 0), after.get(each.categories, 0))
        assert each.contribution == float(ours[1] - ours[0])
        contributions.append(ours[1] - ours[0])
    change = sum(after.values()) - sum(before.values())
    assert sum(contributions, Fraction(0)) == change
    assert found.change == float(change)
    assert (found.first, found.second) == (float(sum(before.values())), float(sum(after.values())))
    assert contributions == sorted(contributions)
    shown = value(figures(whole(first).units).measures["observed_agreement"])
    assert abs(1 - shown - found.first) < 1e-12


def test_what_fell_most_comes_first_and_equal_ones_in_the_order_of_categories() -> None:
    found = present(changed(whole(["ab", "ab", "cd", "aa"]), whole(["aa", "ac", "bd", "aa"])))
    shown = [(each.categories, each.first, each.second) for each in found.confusions]
    assert shown == [(("a", "b"), 2, 0), (("c", "d"), 1, 0), (("a", "c"), 0, 1), (("b", "d"), 0, 1)]
    assert found.denominators == (4, 4)


def test_the_order_of_categories_makes_no_confusion_another() -> None:
    found = present(changed(whole(["ab", "ab", "aa"], "abcd"), whole(["ab", "aa", "aa"], "dcba")))
    assert [(each.categories, each.contribution) for each in found.confusions] == [(("b", "a"), -1 / 3)]
    assert (found.confusions[0].first, found.confusions[0].second, found.denominators) == (2, 1, (3, 3))


def test_crowds_of_any_size_have_a_common_denominator() -> None:
    labels = ["a" * many + "b" * (40 - many) + "." * 3 for many in (39, 31, 23)]
    labels = [row[: 43 - place] + "." * place for place, row in enumerate(labels)]
    found, known = disagreement(whole(labels, "ab")), by_hand(labels)
    assert found is not None
    assert known is not None
    assert found.value == sum(known.values())


# In other material, beside the mix of categories


def beside(labels: Sequence[str], two: tuple[str, str] = ("a", "b")) -> list[float | None]:
    return [each.value for each in shares_beside(whole(labels), [two])[two]]


@examples(40)
@given(rows)
def test_shares_are_those_of_labels_beside_one_and_the_other(labels: list[str]) -> None:
    units = [[label for label in row if label != "."] for row in labels]
    ordered = [two for row in units for two in permutations(row, 2)]
    if not ordered:
        return
    for found, (own, other) in zip(beside(labels), (("a", "b"), ("b", "a")), strict=True):
        others = [each for one, each in ordered if one == own]
        assert found == (others.count(other) / len(others) if others else None)


def test_of_sets_the_shares_are_beside_a_label_and_its_absence() -> None:
    rows = [["p", "p|q"], ["p", "p"], ["q", "p|q"], ["p|q", "p|q"]]
    sets = frozenset("p"), frozenset("pq"), frozenset("q")
    units = replace(units_of(annotations(rows), categories=("p", "p|q", "q")), sets=sets)
    both, two = UnitsOfAll(units, count(units), ScaleSetting()), ("q", "")
    found = shares_beside(both, [two])[two]
    # q is in five sets of eight, and beside one of these is a set without it alone; it is absent from three.
    assert [each.value for each in found] == [1 / 5, 1 / 3]


def test_the_mix_may_have_moved_a_confusion_unless_both_shares_move_with_it() -> None:
    found = present(changed(whole(["ab", "aa", "bb"]), whole(["ab", "ab", "aa", "cd"])))
    two = "a", "b"
    tested = {two: changed_by(0.1, 0.01)}

    def p_of(*shares: Change) -> float | None:
        (own,) = [
            each for each in with_tests(found, tested, {two: shares}).confusions if each.categories == two
        ]
        assert (own.p, own.adjusted) == (0.01, 0.01)
        return own.beyond_mix

    assert p_of(changed_by(0.1, 0.02), changed_by(0.2, 0.03)) == 0.03
    assert p_of(changed_by(0.1, 0.02), changed_by(-0.2, 0.03)) == 1
    assert p_of(changed_by(-0.1, 0.02), changed_by(-0.2, 0.03)) == 1
    assert p_of(changed_by(0.1, 0.02), changed_by(0.2, None)) is None
    (same,) = [each for each in with_tests(found, tested, {}).confusions if each.categories == two]
    assert same.beyond_mix is None


def changed_by(difference: float, p: float | None) -> Change:
    figure_ = Figure(value=0.5)
    test = DifferenceTest(method="unpaired", statistic=0.0, degrees=9, p=p, adjusted=p) if p else None
    return Change(first=figure_, second=figure_, difference=difference, test=test)
