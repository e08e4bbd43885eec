"""Rules of single functions at their edges, where a campaign's figures would hide a change."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from reportgen.measures.analysis import MOST_CATEGORIES_BY_DOCUMENT, _document_cells, _with_members
from reportgen.measures.causes import KINDS, AllDifferences, LayerDifferences, _p
from reportgen.measures.figures_of_sums import AgainstMajority, share
from reportgen.measures.unit_profiles import UnitRatings
from reportgen.results.unit_sets import LabelCounts


def layer(people: int, *columns: object) -> LayerDifferences:
    """What annotators said of units of no document, by its columns."""
    return LayerDifferences(
        *cast("Any", columns),
        layer="main",
        annotators=tuple("ABCDE"[:people]),
        documents=(),
        labels=("x", "y"),
    )


def without_documents(people: int, n: int) -> LayerDifferences:
    """Pairs of annotators who labelled units of no document, `n` alike and `n` not of each."""
    pairs = [(one, other) for one in range(people) for other in range(one + 1, people)]
    codes = np.array([(*pair, -1, 0, label) for pair in pairs for label in (0, 1)], dtype=np.int64).T
    kind = np.where(codes[4] == 0, 0, KINDS.index("label"))
    return layer(people, *codes, kind, np.full(len(kind), n, dtype=np.int64))


@pytest.mark.parametrize(("people", "beside"), [(2, 1), (3, 2), (5, 4)])
def test_a_unit_without_a_document_is_one_however_many_pairs_labelled_it(people: int, beside: int) -> None:
    every = AllDifferences.of([without_documents(people, 4)])
    assert every is not None
    influence = np.ones(len(every.n))
    rows = people * (people - 1)
    clusters = rows * 4 // beside
    squares = beside * rows * 4
    error, number = every.error(influence)
    assert error == pytest.approx(math.sqrt(squares * clusters / (clusters - 1)))
    assert number == clusters


def test_two_units_have_a_standard_error_and_one_has_none() -> None:
    one, two = (AllDifferences.of([without_documents(2, 1)]) for _ in range(2))
    assert one is not None
    assert two is not None
    error, number = two.error(np.ones(2))
    assert error == pytest.approx(2.0)
    assert number == 2
    codes = (0, 1, -1, 0, 1, KINDS.index("label"), 1)
    single = layer(2, *(np.array([code], dtype=np.int64) for code in codes))
    alone = AllDifferences.of([single])
    assert alone is not None
    assert alone.error(np.ones(1)) == (math.inf, 1)


def test_what_one_cluster_alone_shows_may_be_chance_and_what_every_cluster_shows_is_not() -> None:
    single = layer(
        2, *(np.array([code], dtype=np.int64) for code in (0, 1, -1, 0, 1, KINDS.index("label"), 1))
    )
    alone, several = AllDifferences.of([single]), AllDifferences.of([without_documents(2, 4)])
    assert alone is not None
    assert several is not None
    assert _p(alone, 1.0, np.ones(1), np.ones(1)) == 1
    every = np.ones(2)
    # Each of eight units moves it as much as it would be spread evenly.
    assert _p(several, 8.0, every, every) == 0
    assert 0 < _p(several, 4.0, np.array([1.0, 0.0]), every) < 1


def test_people_and_documents_of_several_layers_are_numbered_by_their_names() -> None:
    """In whatever order layers have them: sums over documents have the same digits."""
    names = [f"d{number}" for number in range(12)]
    none = [np.zeros(0, dtype=np.int64) for _ in range(7)]
    layers = [
        LayerDifferences(
            *cast("Any", none),
            layer="main",
            annotators=tuple("ABCDEFGH"[at:][::-1]),
            documents=tuple(names[at::-1]),
            labels=("x",),
        )
        for at in (4, 11)
    ]
    every = AllDifferences.of(layers)
    assert every is not None
    assert every.annotators == list("EFGH")
    assert every.documents == sorted(names)


@pytest.mark.parametrize(
    ("first", "second", "withheld"),
    [(5, 5, False), (4, 5, True), (5, 4, True), (0, 5, False), (0, 4, True), (0, 0, False)],
)
def test_a_label_that_one_of_two_chose_less_than_the_smallest_is_withheld(
    first: int, second: int, *, withheld: bool
) -> None:
    counts = [LabelCounts(first=first, second=second, both=0), LabelCounts(first=9, second=9, both=9)]
    found = _with_members(None, counts, ("rare", "frequent"), 5)
    assert (found is not None) is withheld
    if found:
        assert (found.labels, found.below) == (("rare",), 5)


def test_sums_of_pairs_are_divided_by_the_other_annotators_of_each_document() -> None:
    from reportgen.measures import unitizing

    (kind,) = (
        each for each in vars(unitizing).values() if isinstance(each, type) and hasattr(each, "of_pairs")
    )
    document = np.array([0, 0, 1])
    fake = SimpleNamespace(
        of=SimpleNamespace(raters=np.array([2, 4])),
        document=document,
        values=("x",),
        sums=lambda numbers: [int(numbers.sum())],
    )
    found = cast("Any", kind).of_pairs(fake, np.array([3, 4, 5]))
    assert found == [Fraction(7) + Fraction(5, 3)]


def cells_of(first: list[int], second: list[int], smallest: int) -> object:
    """The confusion matrices by document of two people who labelled so many units of one document."""
    own = [np.repeat(np.arange(len(uses)), uses) for uses in (first, second)]
    names = tuple(f"label {number}" for number in range(len(first)))
    pairs = SimpleNamespace(
        first_label=own[0],
        second_label=own[1],
        n=np.ones(sum(first), dtype=np.int64),
        document=np.zeros(sum(first), dtype=np.int64),
    )
    fakes = cast("Any", SimpleNamespace(categories=names)), cast("Any", pairs)
    return _document_cells(*fakes, np.ones(sum(first), dtype=np.bool_), smallest)


@pytest.mark.parametrize(
    ("first", "second"), [([4, 2], [3, 3]), ([3, 3], [4, 2]), ([1, 5], [5, 1])], ids=["one", "other", "both"]
)
def test_no_document_has_its_cells_where_somebody_rarely_used_a_label(
    first: list[int], second: list[int]
) -> None:
    assert cells_of(first, second, 3) == {}
    assert cells_of(first, second, 1)


def test_documents_have_cells_of_few_categories_alone() -> None:
    assert cells_of([3] * MOST_CATEGORIES_BY_DOCUMENT, [3] * MOST_CATEGORIES_BY_DOCUMENT, 3)
    assert cells_of([3] * (MOST_CATEGORIES_BY_DOCUMENT + 1), [3] * (MOST_CATEGORIES_BY_DOCUMENT + 1), 3) == {}


def test_a_label_that_nobody_used_is_not_rare() -> None:
    assert cells_of([3, 3, 0], [3, 3, 0], 3)


def test_a_share_is_of_the_units_that_have_a_majority() -> None:
    """Three people on two units, a kind of three units and one of one: nobody is compared on the second."""
    one = np.array([0, 0, 0, 1, 1, 1])
    rated = UnitRatings(
        one,
        np.array([0, 1, 2, 0, 1, 2]),
        np.zeros(6, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.array([3, 1]),
        3,
        1,
    )
    agrees = np.array([True, True, False, False, False, False])
    figure = share(rated, AgainstMajority(one == 0, agrees))
    assert (figure.value, figure.units) == (2 / 3, 3)
