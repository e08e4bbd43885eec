"""Files of BDM scores as GATE writes them (user guide, 10.6), in place of a distance table."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.campaign import DistanceMatrix
from reportgen.campaign.csv_tables import read_distances
from reportgen.campaign.taxonomies import Score
from tests.campaign.conftest import reading, refusing

HEAD = "##The following are the BDM scores for each pair of concepts in the ontology named proton.owl.\n"
LINE = (
    "key=Service, response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, "
    "n2=2.8333333, bran=1.9565217\n"
)
OTHERS = (
    "key=Happening, response=Object, bdm=0.0, msca=Entity, cp=0, dpk=1, dpr=1, n0=2.0, n1=2.5, n2=2.8333333, "
    "bran=1.2\n"
    "key=Service, response=Happening, bdm=0.25\n"
    "key=Object, response=Object, bdm=1.0, msca=Object, cp=1, dpk=0, dpr=0, n0=2.0, n1=1.0, n2=1.0, "
    "bran=1.0\n"
)

Read = Callable[[str], DistanceMatrix]
Refusals = Callable[[str], list[tuple[int, str, str]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reading(tmp_path, read_distances)


@pytest.fixture
def refusals(read: Read) -> Refusals:
    return refusing(read)


def test_the_line_of_the_guide_is_read_with_all_that_it_says(read: Read) -> None:
    table = read(HEAD + LINE)
    assert table.scores == (
        Score("Service", "Object", 0.6617647, "Object", 1, 1, 0, 2.0, 2.0, 2.8333333, 1.9565217),
    )
    assert table.categories == ("Service", "Object")
    assert table.rows == ((0.0, 1 - 0.6617647), (1 - 0.6617647, 0.0))


def test_pairs_stand_there_in_either_order_and_distances_are_1_less_the_score(read: Read) -> None:
    table = read(HEAD + LINE + OTHERS)
    assert table.categories == ("Service", "Object", "Happening")
    assert [round(value, 7) for value in table.rows[0]] == [0.0, 0.3382353, 0.75]
    assert table.rows[1][2] == table.rows[2][1] == 1.0
    assert table.origin is not None
    assert (table.origin.kind, table.origin.concepts, table.origin.chain) == ("scores", 3, 2.0)


def test_names_may_hold_commas_and_equal_signs(read: Read) -> None:
    table = read("key=A, or B, response=c=d, bdm=0.5, msca=e, f\n")
    assert (table.categories, table.scores[0].msca) == (("A, or B", "c=d"), "e, f")


def test_what_gate_could_not_compute_is_left_open(read: Read) -> None:
    (score,) = read("key=A, response=B, bdm=0.0, cp=-1, n1=NaN, n2=2.5\n").scores
    assert (score.cp, score.n1, score.n2, score.msca) == (-1, None, 2.5, "")


@pytest.mark.parametrize("bdm", ["close", "NaN", "", "1.2", "-0.1", "1.0001", "-0.0001"])
def test_a_score_is_a_number_from_0_to_1(refusals: Refusals, bdm: str) -> None:
    message = f'is "{bdm}"; a number from 0 to 1 was expected as bdm, 1 of a concept with itself.'
    assert refusals(f"{HEAD}key=A, response=B, bdm={bdm}, cp=1\n") == [(2, "key A, response B", message)]


def test_two_concepts_have_one_score(read: Read, refusals: Refusals) -> None:
    assert refusals(f"{LINE}key=Object, response=Service, bdm=0.5\n") == [
        (2, "key Object, response Service", "is 0.5, but 0.6617647 on line 1; two concepts have one score.")
    ]
    assert len(read(f"{LINE}key=Object, response=Service, bdm=0.6617647\n").scores) == 1


def test_every_two_concepts_have_a_score(refusals: Refusals) -> None:
    lines = "".join(f"key=A, response={name}, bdm=0.5\n" for name in "BCDEFGHI")
    pairs = '"B and C", "B and D", "B and E", "B and F" and "B and G"'
    assert refusals(lines) == [(0, "", f"has no score of {pairs} and 23 more.")]


def test_what_is_no_line_of_scores_is_told(refusals: Refusals) -> None:
    found = refusals(f"{HEAD}{LINE}key=Service, bdm=0.5\nkey=, response=B, bdm=1\n")
    assert [line for line, _, _ in found] == [3, 4]
    assert found[0][2] == 'is "key=Service, bdm=0.5"; a line of scores was expected.'


def test_other_parameters_are_numbers(refusals: Refusals) -> None:
    found = refusals("key=A, response=B, bdm=0.5, cp=1.5, n0=long\n")
    assert [message for *_, message in found] == [
        'is "1.5" as cp; a whole number was expected.',
        'is "long" as n0; a number was expected.',
    ]


def test_a_file_without_scores_is_refused(refusals: Refusals) -> None:
    assert refusals(HEAD) == [(0, "", "has no score.")]


def test_all_that_is_wrong_comes_at_once_and_a_spoilt_line_is_not_missed_too(refusals: Refusals) -> None:
    text = f"{HEAD}{LINE}key=Object, response=A, bdm=2\nkey=Service, response=A, bdm=x\nnothing\n"
    assert [line for line, _, _ in refusals(text)] == [3, 4, 5]
