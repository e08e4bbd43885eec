"""Davies and Fleiss (1982), "Measuring agreement for multinomial data": every annotator's own distribution.

Conger (1980) and Hubert (1977) have the same coefficient, and the GATE user guide as equation 10.4.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.measures.made import annotations, figures, units_of, value
from tests.measures.test_fleiss_1971 import ROWS as DIAGNOSES
from tests.properties import examples

THREE_RATERS = ["111", "122", "222", "333", "133", "222", "123", "333", "222"]
TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), min_size=2, max_size=9
    )
)


def equation_10_4(rows: list[list[str]]) -> float | None:
    """1 - (I J² - Σ Y²) / (I (J (J - 1) Σ p (1 - p) + Σ_c Σ_j (p_cj - p_c)²)), Y ratings of a unit alike."""
    units, raters = len(rows), len(rows[0])
    alike = sum(row.count(label) ** 2 for row in rows for label in set(row))
    chance = 0.0
    for label in "abc12345":
        own = [sum(row[rater] == label for row in rows) / units for rater in range(raters)]
        mean = sum(own) / raters
        chance += raters * (raters - 1) * mean * (1 - mean) + sum((each - mean) ** 2 for each in own)
    return 1 - (units * raters**2 - alike) / (units * chance) if chance > 1e-12 else None


def conger(rows: list[list[str]]) -> float:
    return value(figures(units_of(annotations(rows))).measures["conger_kappa"])


def test_the_psychiatrists_of_fleiss() -> None:
    assert conger(DIAGNOSES) == pytest.approx(0.4418085403, abs=5e-11)
    assert equation_10_4(DIAGNOSES) == pytest.approx(0.4418085403, abs=5e-11)


def test_three_raters_whose_kappa_dkpro_weights_wrongly() -> None:
    rows = [list(row) for row in THREE_RATERS]
    found = figures(units_of(annotations(rows)), {"ones": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}).measures
    # DKPro's WeightedKappaAgreement returns .8695652 with the same distances.
    for name in ("conger_kappa", "conger_kappa[ones]", "weighted_kappa[ones]"):
        assert value(found[name]) == pytest.approx(0.608695652173913, abs=1e-12)


@examples(40)
@given(TABLES)
def test_equation_10_4_of_the_gate_guide_is_the_same(rows: list[list[str]]) -> None:
    theirs = equation_10_4(rows)
    assume(theirs is not None)
    assert conger(rows) == pytest.approx(theirs, abs=1e-9)
