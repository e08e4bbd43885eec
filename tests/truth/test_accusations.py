"""Campaigns in which it is known who errs: nobody else is blamed, and who does is named."""

import pytest

from benchmarks.accusations import DESIGNS, Design, judged
from tests.slowly import slow_but

TITLES = {
    "one careful",
    "a copy, 5% edited",
    "another version, another mix",
    "two of six in turn, ever harder",
}
QUICK = [design for design in DESIGNS if design.title in TITLES]


@pytest.mark.parametrize("design", slow_but(DESIGNS, *QUICK), ids=lambda design: design.title)
def test_nobody_is_blamed_falsely_and_who_errs_is_named(design: Design) -> None:
    """A test at .05 errs in one campaign of twenty: what is false of two campaigns is no chance."""
    (false, missed), (false_again, missed_again) = (judged(design, number) for number in (0, 1))
    assert not {*false} & {*false_again}
    assert not ({*missed} & {*missed_again}) - {*design.seldom}
