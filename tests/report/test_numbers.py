"""Numbers as a reader sees them."""

import pytest

from reportgen.results import Figure, Interval
from reportgen.words import numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.80120585, "0.801"),
        (-0.0869565, "−0.087"),
        (1.0, "1.000"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (1.1e-16, "0.000"),
        (0.000007, "0.000007"),
        (-0.0001, "−0.0001"),
        (0.99949, "0.999"),
        (0.99979, "> 0.999"),
        (0.99999999, "> 0.999"),
        (-0.9999, "< −0.999"),
        (11.854, "11.854"),
        (None, "–"),
    ],
)
def test_a_figure_has_three_decimals_and_is_never_shown_as_0_or_1_where_it_is_not(
    value: float | None, shown: str
) -> None:
    assert numbers.figure(value) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.99015, "99.0%"),
        (1.0, "100.0%"),
        (0.9996, "99.96%"),
        (0.999999, "over 99.99%"),
        (0.0, "0.0%"),
        (1e-5, "under 0.1%"),
    ],
)
def test_a_percentage_is_never_rounded_to_all_or_none(share: float, shown: str) -> None:
    assert numbers.percent(share) == shown


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.0026670, "0.003"),
        (0.0001, "< 0.001"),
        (0.1, "0.100"),
        (1.0, "1.000"),
        (0.0498, "0.0498"),
        (0.04999, "0.04999"),
        (0.0502, "0.0502"),
        (0.05, "0.050"),
        (0.05 - 1e-9, "0.050"),
    ],
)
def test_a_p_value_has_three_decimals_or_a_bound_and_more_beside_five_percent(p: float, shown: str) -> None:
    assert numbers.p_value(p) == shown


@pytest.mark.parametrize(("p", "shown"), [(0.0421, "p = 0.042"), (0.0001, "p < 0.001")])
def test_a_sentence_has_a_p_value_as_papers_print_it(p: float, shown: str) -> None:
    assert numbers.p_is(p) == shown
    assert numbers.message("(p = {p})", {"p": p}) == f"({shown})"


def test_a_bound_of_a_p_value_is_read_as_a_word_where_no_sign_stands() -> None:
    values: dict[str, str | int | float | bool] = {"p": 0.0001, "permutation_p": 0.07}
    said = numbers.message("p is {p} by one and {permutation_p} by the other", values)
    assert said == "p is under 0.001 by one and 0.070 by the other"


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1, "1 document stands in both, 1 more unit"), (2, "2 documents stand in both, 2 more units")],
)
def test_one_of_a_thing_is_in_the_singular(number: int, shown: str) -> None:
    values: dict[str, str | int | float | bool] = {"documents": number, "units": number}
    assert numbers.message("{documents} documents stand in both, {units} more units", values) == shown


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("the same is so for {n} more categories", "1 more category", "2 more categories"),
        ("{n} of {all} labels are not used", "1 of 9 labels is not", "2 of 9 labels are not"),
        ("{n} of {all} marks begin or end inside one", "1 of 9 marks begins or ends", "marks begin or end"),
        ("{n} times an annotator did. Well.", "Once an annotator", "2 times an annotator"),
        ("So: {n} are mine", "1 is mine", "2 are mine"),
        ("{n} documents have another text", "1 document has", "2 documents have"),
    ],
)
def test_what_is_told_of_one_thing_is_told_in_the_singular(text: str, one: str, two: str) -> None:
    assert one in numbers.message(text, {"n": 1, "all": 9})
    assert two in numbers.message(text, {"n": 2, "all": 9})


def test_a_message_is_filled_by_the_kind_of_each_value() -> None:
    text = "{name}: {units} units, {label_share}, p = {mcnemar_p}, {value}"
    values: dict[str, str | int | float | bool] = {
        "name": "{units}",
        "units": 19054,
        "label_share": 0.5,
        "mcnemar_p": 0.002,
        "value": 0.8,
    }
    assert numbers.message(text, values) == "{units}: 19,054 units, 50.0%, p = 0.002, 0.800"


def test_an_estimate_stands_with_its_interval_where_it_has_one() -> None:
    interval = Interval(low=0.759, high=0.843, level=0.95, method="m")
    assert numbers.estimate(Figure(value=0.801, interval=interval)) == "0.801 [0.759, 0.843]"
    assert numbers.estimate(Figure(value=0.801, interval=Interval(undefined="why"))) == "0.801"
    assert numbers.estimate(Figure(value=None, undefined="why")) == "–"
