"""Campaigns of known habits of marking: the first screen names them and their person, and none in noise."""

import pytest

from benchmarks.habits import DESIGNS, NOISE, PEOPLE, Design, judged
from tests.slowly import slow_but

CASES = [(design, people) for design in DESIGNS for people in PEOPLE]
QUICK = [CASES[place] for place in (1, 10)]


def name_of_case(value: object) -> str:
    return value.title if isinstance(value, Design) else str(value)


@pytest.mark.parametrize(("design", "people"), slow_but(CASES, *QUICK), ids=name_of_case)
def test_a_habit_is_named_with_its_person_and_none_is_in_noise(design: Design, people: int) -> None:
    """A test at .05 errs in one campaign of twenty: what is false or missed in both of two is no chance."""
    (right, false), (right_again, false_again) = (judged(design, people, number) for number in (0, 1))
    assert not (false and false_again)
    assert design is NOISE or right or right_again
