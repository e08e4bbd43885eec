"""Ranks as people write them, and what looks like ranks and is none: each rule at its edge."""

from collections.abc import Sequence

import pytest

from reportgen.readers.scales import MOST_RANKS, find_scale, find_scale_told, percentages, spellings
from tests.cases import cases

ORDERED: dict[str, Sequence[str]] = {
    "grades": ("Grade 1", "Grade 2", "Grade 3"),
    "levels": ("niveau 1", "niveau 2", "niveau 10"),
    "out of": ("1/5", "3/5", "5/5"),
    "stars": ("★☆☆", "★★☆", "★★★"),
    "European levels": ("A1", "B1", "B2"),
    "degrees": ("Not toxic", "Slightly toxic", "Toxic", "Very toxic"),
    "German degrees": ("nicht relevant", "etwas relevant", "sehr relevant"),
    "French degrees": ("pas clair", "assez clair", "très clair"),
    "Spanish degrees": ("nada claro", "claro", "muy claro"),
}
NAMES: dict[str, Sequence[str]] = {
    "classes": ("Class 1", "Class 2", "Class 3"),
    "two kinds of grades": ("Grade 1", "Level 2", "Grade 3"),
    "out of other numbers": ("1/5", "3/4", "5/5"),
    "one grade far away": ("Grade 1", "Grade 2", "Grade 30"),
    "some stars twice": ("★", "★☆", "★★"),
    "answers of a form": ("A1", "A2", "A3"),
    "degrees of other things": ("not toxic", "slightly rude", "very toxic"),
    "one degree twice": ("slightly toxic", "mildly toxic", "very toxic"),
    "two degrees": ("toxic", "very toxic"),
}


@pytest.mark.parametrize("what", ORDERED)
def test_written_ranks_are_ordered(what: str) -> None:
    found = find_scale(dict.fromkeys(reversed(ORDERED[what]), 5))
    assert (found.scale, found.order) == ("ordinal", tuple(ORDERED[what]))


def test_the_longest_known_order_and_two_words_beside_it_are_ordered_or_asked() -> None:
    """`zero` to `ten` are as many words as an order has; with three others they are names."""
    count = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    assert len(count) == MOST_RANKS
    assert find_scale(dict.fromkeys(count, 5)).order == tuple(count)
    assert find_scale(dict.fromkeys([*count, "many", "few"], 5)).could_be == tuple(count)
    assert not find_scale(dict.fromkeys([*count, "many", "few", "some"], 5)).could_be


@pytest.mark.parametrize("what", NAMES)
def test_what_is_no_order_stays_names(what: str) -> None:
    assert find_scale(dict.fromkeys(NAMES[what], 5)).scale == "nominal"


@pytest.mark.parametrize(("labels", "missing"), cases(__file__, "missing"))
def test_codes_and_words_for_nothing_are_missing_beside_ranks(
    labels: Sequence[str], missing: Sequence[str]
) -> None:
    assert find_scale(dict.fromkeys(labels, 5)).missing == tuple(missing)


@pytest.mark.parametrize(("labels", "codes"), cases(__file__, "codes"))
def test_numbers_apart_from_ranks_may_be_codes_and_the_scale_says_so(
    labels: Sequence[str], codes: str
) -> None:
    found = find_scale(dict.fromkeys(labels, 5))
    assert (codes in found.doubt and "missing = [" in found.doubt) if codes else "missing" not in found.doubt


def test_a_code_far_from_two_numbers_makes_them_no_interval_scale() -> None:
    assert find_scale({"0": 5, "1": 5, "99": 2}).scale == "nominal"
    assert find_scale({"0": 5, "1": 5, "9": 2}).scale == "ordinal"


def test_other_words_among_numbers_are_told() -> None:
    found = find_scale({"1": 9, "2": 9, "3": 9, "später": 5})
    assert found.scale == "nominal"
    assert 'write missing = ["später"]' in found.doubt
    # Half of the labels, or three words, are more than an exception.
    assert not find_scale({"1": 9, "2": 9, "3": 9, "later": 30}).doubt
    assert not find_scale({"1": 9, "2": 9, "3": 9, "a": 1, "b": 1, "c": 1}).doubt


def test_percentages_are_numbers_where_all_are() -> None:
    assert percentages({"85%", "7,5 %"}) == {"85%": "85", "7,5 %": "7.5"}
    assert percentages({"85%", "85"}) == {}


@pytest.mark.parametrize(("labels", "coded"), cases(__file__, "may_be_labels"))
def test_codes_that_may_be_labels_are_asked_about(labels: Sequence[str], coded: Sequence[str]) -> None:
    found = find_scale(dict.fromkeys(labels, 5))
    assert found.coded == tuple(coded)
    told = find_scale_told(found, dict.fromkeys(labels, 5), dict.fromkeys(coded, True))
    assert (told.coded, told.missing) == ((), tuple(coded))


def test_labels_that_differ_by_case_or_spaces_have_the_commonest_spelling() -> None:
    assert spellings({"yes": 2, "Yes": 3, "YES": 1, "no": 4, "not  sure": 1, "not sure": 2}) == {
        "yes": "Yes",
        "YES": "Yes",
        "not  sure": "not sure",
    }


@pytest.mark.parametrize(("labels", "order"), cases(__file__, "orders"))
def test_of_words_that_may_have_an_order_it_is_asked_and_names_stay_names(
    labels: tuple[str, ...], order: tuple[str, ...]
) -> None:
    found = find_scale(dict.fromkeys(labels, 9))
    assert (found.scale, found.order, found.could_be) == ("nominal", (), tuple(order))
    assert (" < ".join(order) in found.doubt) if order else not found.doubt
