"""How hard units are: entropy and disagreement of their labels."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import count
from reportgen.measures import ScaleSetting, UnitsOfAll
from reportgen.measures.annotators.quality import difficulty
from reportgen.results.annotators import Difficulty
from tests.measures.made import annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples

LABELS = ("x", "y", "z")
rows = st.lists(st.lists(st.sampled_from([None, *LABELS]), min_size=4, max_size=4), min_size=2, max_size=14)


def hard(table: list[list[str | None]], documents: list[str | None] | None = None) -> Difficulty | None:
    units = units_of(annotations(table, documents=documents or ()), categories=LABELS)
    return difficulty(UnitsOfAll(units, count(units), ScaleSetting()))


@examples(40)
@given(rows)
def test_the_means_are_those_of_a_loop_over_units(table: list[list[str | None]]) -> None:
    rated = [[label for label in row if label is not None] for row in table]
    several = [row for row in rated if len(row) > 1]
    found = hard(table)
    if not several:
        assert found is None
        return
    assert found is not None
    bits, apart = [], []
    for row in several:
        shares = [times / len(row) for times in Counter(row).values()]
        bits.append(-sum(share * math.log2(share) for share in shares))
        pairs = [one != other for one, other in combinations(row, 2)]
        apart.append(sum(pairs) / len(pairs))
    assert found.entropy == pytest.approx(sum(bits) / len(bits))
    assert found.disagreement == pytest.approx(sum(apart) / len(apart))
    assert found.differing == sum(share > 0 for share in apart)
    assert sum(each.units for each in found.histogram) == len(several)
    most = sorted(apart, reverse=True)[: len(found.hardest)]
    assert [each.disagreement for each in found.hardest] == pytest.approx(most)


def test_disagreement_is_what_observed_agreement_leaves() -> None:
    table: list[list[str | None]] = [["x", "x", "y"], ["x", "y", "z"], ["x", "x", None], ["y", None, None]]
    found = present(hard(table))
    measured = figures(units_of(annotations(table), categories=LABELS)).measures["observed_agreement"]
    assert found.disagreement == pytest.approx(1 - value(measured))
    # One unit without, one with two pairs of three, one with all.
    assert [each.units for each in found.histogram] == [1, 0, 0, 0, 1, 1]
    assert [(each.low, each.high) for each in found.histogram[:3]] == [(0, 0), (0, 0.2), (0.2, 0.4)]


def test_the_hardest_units_say_where_they_are() -> None:
    found = present(hard([["x", "x", "x"], ["x", "y", "z"], ["x", "x", "y"]], ["d1", "d2", "d2"]))
    assert [each.document for each in found.hardest] == ["d2", "d2"]
    # Their numbers among the units on which annotators differ.
    assert [each.entry for each in found.hardest] == [0, 1]
    assert found.hardest[0].labels == {"x": 1, "y": 1, "z": 1}
    assert found.hardest[0].entropy == pytest.approx(math.log2(3))
