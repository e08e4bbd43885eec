"""What a campaign.toml says of annotators and texts: keys that fit each other, values that are none."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from reportgen.base.errors import Problem
from reportgen.campaign import load

Make = Callable[..., Path]
Problems = Callable[..., tuple[Problem, ...]]
AMOUNT = "pay_amount = 15\n"


def with_protocol(smallest: str, keys: str) -> str:
    """Return the smallest campaign.toml with [protocol], whose keys begin in line 6."""
    return f"{smallest}[protocol]\n{keys}"


@pytest.mark.parametrize(
    ("keys", "missing"),
    [
        (AMOUNT, {"pay_currency", "pay_per"}),
        (f'{AMOUNT}pay_currency = "EUR"\n', {"pay_per"}),
        (f'{AMOUNT}pay_per = "hour"\n', {"pay_currency"}),
        ("pay_minimum = 12.41\n", {"pay_amount", "pay_currency", "pay_per"}),
        ('pay_currency = "EUR"\npay_per = "hour"\n', {"pay_amount"}),
    ],
)
def test_an_amount_of_pay_says_in_which_currency_and_for_what(
    problems: Problems, smallest: str, keys: str, missing: set[str]
) -> None:
    found = problems(with_protocol(smallest, keys))
    assert {each.key for each in found} == {f"protocol.{key}" for key in missing}
    assert found[0].remedy == "Write pay_amount, pay_currency and pay_per together."
    assert all("says nothing without it." in each.message for each in found)


def test_an_amount_may_be_nothing_and_a_whole_number(make: Make, smallest: str) -> None:
    keys = 'pay_amount = 0\npay_currency = "EUR"\npay_per = "hour"\n'
    assert load(make(with_protocol(smallest, keys))).protocol.pay_amount == 0


@pytest.mark.parametrize("quote", ["", '"'])
def test_annotation_does_not_end_before_it_begins(problems: Problems, smallest: str, quote: str) -> None:
    keys = f"began = {quote}2009-06-02{quote}\nended = {quote}2009-06-01{quote}\n"
    (found,) = problems(with_protocol(smallest, keys))
    assert (found.line, found.key) == (7, "protocol.ended")
    assert found.message == "is 2009-06-01, before began, 2009-06-02."


def test_annotation_may_end_on_the_day_it_begins(make: Make, smallest: str) -> None:
    keys = "began = 2009-06-01\nended = 2009-06-01\n"
    assert load(make(with_protocol(smallest, keys))).protocol.ended == date(2009, 6, 1)


def test_every_key_that_reviewers_ask_for_is_read(make: Make, whole: tuple[str, Mapping[str, str]]) -> None:
    campaign = load(make(*whole))
    for table in (campaign.protocol, campaign.corpus):
        assert [name for name, value in dict(table).items() if value is None] == []
