"""Fort, François and Ghribi (2010), "Évaluer des annotations manuelles dispersées", TALN, hal-00484265.

Every figure the paper prints, from its table 1; tables 2 and 3 are derived from it. Where the paper cuts
digits off instead of rounding, or misprints, the test says so.
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from reportgen.measures import UnitSetAgreement
from reportgen.measures.analysis import PairAgreement
from tests.measures.made import (
    Matrix,
    declare,
    error,
    expected,
    figures,
    from_table,
    matrix,
    observed,
    study,
    value,
)
from tests.present import present

CATEGORIES = ("Former", "New", "Rien")
# Table 1: rows A2, columns A1.
TABLE_1 = [[71, 13, 23], [8, 69, 15], [7, 8, 18840]]
# Table 4: distances estimated by the authors.
TABLE_4: Matrix = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
GENE_NAMES = 1165
PRINTED = 5e-7


@cache
def agreements() -> dict[str, UnitSetAgreement]:
    sets = (declare(), declare("declared", GENE_NAMES, 2), declare("annotated-by-all", None, 3))
    derived = study(matrix(TABLE_1, CATEGORIES), *sets, non_annotated="Rien").unit_sets
    tokens, names, both = derived
    return {
        "tokens": figures(tokens, {"expert": TABLE_4}, [each.units for each in derived]),
        "gene-names": figures(names, {"expert": TABLE_4}),
        "both": figures(both, {"expert": [[0, 0.5], [0.5, 0]]}),
    }


def tokens() -> PairAgreement:
    return agreements()["tokens"].pairs[0]


def test_table_1_has_the_margins_of_the_paper() -> None:
    table = tokens().table
    assert table.counts.tolist() == TABLE_1
    assert table.row_totals.tolist() == [107, 92, 18855]
    assert table.column_totals.tolist() == [86, 90, 18878]
    assert table.units == 19054


def test_table_2_is_derived_from_table_1_by_the_declared_number_of_gene_names() -> None:
    units, pair = agreements()["gene-names"].units, agreements()["gene-names"].pairs[0]
    assert pair.table.counts.tolist() == [[71, 13, 23], [8, 69, 15], [7, 8, 951]]
    assert units.units == GENE_NAMES
    assert (units.units_read, units.units_added, sum(units.units_left_out.values())) == (19054, 951, 18840)


def test_table_3_is_derived_from_table_1_by_what_both_annotated() -> None:
    units, pair = agreements()["both"].units, agreements()["both"].pairs[0]
    assert pair.table.counts.tolist() == [[71, 13], [8, 69]]
    assert units.categories == ("Former", "New")
    assert sum(units.units_left_out.values()) == 19054 - 161


def test_section_3_1_simple_coefficients_of_table_1() -> None:
    measures = tokens().measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.996116, abs=PRINTED)
    assert value(measures["bennett_s"]) == pytest.approx(0.99417, abs=5e-6)
    assert expected(measures["bennett_s"]) == pytest.approx(0.333333, abs=PRINTED)
    assert value(measures["scott_pi"]) == pytest.approx(0.8012, abs=5e-6)
    assert expected(measures["scott_pi"]) == pytest.approx(0.980464, abs=PRINTED)
    assert value(measures["cohen_kappa"]) == pytest.approx(0.80121, abs=5e-6)


def test_section_3_2_coefficients_over_gene_names() -> None:
    measures = agreements()["gene-names"].measures
    assert value(measures["bennett_s"]) == pytest.approx(0.90472, abs=5e-6)
    assert value(measures["scott_pi"]) == pytest.approx(0.77557, abs=5e-6)
    assert value(measures["cohen_kappa"]) == pytest.approx(0.77571, abs=5e-6)


def test_section_3_2_coefficients_over_what_both_annotated() -> None:
    measures = agreements()["both"].measures
    assert value(measures["cohen_kappa"]) == pytest.approx(0.73934, abs=5e-6)
    # The paper prints .7390 for .73909: it cuts off the fifth digit.
    assert value(measures["scott_pi"]) == pytest.approx(0.73909, abs=5e-6)
    assert int(value(measures["scott_pi"]) * 10**4) / 10**4 == 0.7390


def test_section_3_2_finn_r() -> None:
    finn = tokens().measures["finn_r"]
    assert value(finn) == pytest.approx(0.994, abs=5e-4)
    assert expected(finn) == pytest.approx((3**2 - 1) / 12)
    # Former = 1, New = 2, Rien = 3, item variance with n - 1.
    assert observed(finn) == pytest.approx((21 * 1 + 23 * 1 + 30 * 4) / 2 / 19054)


def test_section_4_1_weighted_with_table_4() -> None:
    measures = tokens().measures
    assert value(measures["krippendorff_alpha[expert]"]) == pytest.approx(0.8292, abs=5e-6)
    # The paper prints .8291 for .829202, a slip.
    assert value(measures["weighted_kappa[expert]"]) == pytest.approx(0.829202, abs=PRINTED)


def test_table_5_all_nine_probabilities() -> None:
    printed = [
        [0.735751, 0.108808, 0.155440],
        [0.115385, 0.758242, 0.126374],
        # The paper prints .000609 for P(New|Rien) = .0006095: it cuts off the seventh digit.
        [0.000795, 23 / 37733, 0.998595],
    ]
    assert from_table(tokens()) == pytest.approx(np.array(printed), abs=PRINTED)
    assert int(from_table(tokens())[2, 1] * 10**6) / 10**6 == 0.000609


def test_table_6_computed_distances() -> None:
    mean, product = from_table(tokens(), "computed_alpha"), from_table(tokens(), "computed_kappa")
    for (first, second), (by_mean, by_product) in {
        (0, 1): (0.887904, 0.788362),
        (0, 2): (0.921882, 0.843888),
        (1, 2): (0.936508, 0.873094),
    }.items():
        assert mean[first, second] == mean[second, first] == pytest.approx(by_mean, abs=PRINTED)
        assert product[first, second] == product[second, first] == pytest.approx(by_product, abs=PRINTED)
    assert np.diagonal(mean).tolist() == np.diagonal(product).tolist() == [0, 0, 0]


def test_weighting_with_the_computed_distances_is_circular_but_reproducible() -> None:
    measures = tokens().measures
    assert value(measures["krippendorff_alpha[computed]"]) == pytest.approx(0.80379, abs=1.5e-5)
    assert value(measures["weighted_kappa[computed]"]) == pytest.approx(0.80600, abs=5e-6)


def test_limit_as_the_category_rien_grows_without_bound() -> None:
    curve = present(tokens().curve)
    assert (curve.declared, curve.marked) == (19054, 214)
    for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha"):
        assert curve.limit[name] == pytest.approx(0.802667, abs=PRINTED)
        assert curve.limit[name] == pytest.approx(1 - 74 / (199 + 176), rel=1e-12)
    for name in ("weighted_kappa[expert]", "krippendorff_alpha[expert]"):
        assert curve.limit[name] == pytest.approx(0.830667, abs=PRINTED)
    assert [curve.limit[name] for name in ("observed_agreement", "bennett_s", "finn_r")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("unmarked", "kappa", "pi", "alpha"),
    [
        (0, 0.429210, 0.424156, 0.425501),
        (100, 0.643860, None, None),
        (951, 0.775710, 0.775568, 0.775664),
        (18840, 0.801206, 0.801199, 0.801204),
        (10**6, 0.802639, None, None),
    ],
)
def test_size_curve_of_rien(unmarked: int, kappa: float, pi: float | None, alpha: float | None) -> None:
    size = 214 + unmarked
    export = study(matrix(TABLE_1, CATEGORIES), non_annotated="Rien").unit_sets[0]
    curve = present(figures(export, sizes=[size]).pairs[0].curve)
    place = curve.sizes.index(size)
    for name, printed in (("cohen_kappa", kappa), ("scott_pi", pi), ("krippendorff_alpha", alpha)):
        if printed is not None:
            assert curve.values[name][place] == pytest.approx(printed, abs=PRINTED)


def test_little_bias_by_kappa_minus_pi_but_not_by_the_tests() -> None:
    pair = tokens()
    assert value(pair.measures["cohen_kappa"]) - value(pair.measures["scott_pi"]) == pytest.approx(
        7e-6, abs=1e-6
    )
    p = {name: test.p for name, test in pair.tests.items()}
    assert p["stuart_maxwell"] == pytest.approx(0.0027, abs=5e-5)
    assert p["bowker"] == pytest.approx(0.0079, abs=5e-5)
    # By chi-square, as 53 discordant units are many; the exact binomial gives .0022.
    assert p["mcnemar"] == pytest.approx(0.00158, abs=5e-6)
    assert binomtest(15, 53).pvalue == pytest.approx(0.0022, abs=5e-5)
    assert pair.tests["mcnemar"].discordant == 38 + 15
    assert pair.tests["mcnemar"].statistic == pytest.approx((38 - 15) ** 2 / 53, rel=1e-12)
    assert not any(test.by_document for test in pair.tests.values())


def test_annotated_or_not_against_the_rest() -> None:
    rien = tokens().against_rest[2]
    assert value(rien["cohen_kappa"]) == pytest.approx(0.8572674, abs=5e-8)
    assert value(rien["pabak"]) == pytest.approx(0.994, abs=5e-4)
    # The category Rien is the first of the two here, so that signs are those of joint disuse.
    assert value(rien["prevalence_index"]) == pytest.approx(0.980, abs=5e-4)
    assert value(rien["bias_index"]) == pytest.approx(-23 / 19054, rel=1e-12)


def test_kappa_max_of_table_1() -> None:
    assert value(tokens().measures["kappa_max"]) == pytest.approx(0.9382, abs=5e-5)


def test_table_1_alone_gives_intervals_by_unit() -> None:
    kappa = tokens().measures["cohen_kappa"]
    # Independent of the code under test.
    assert error(kappa) == pytest.approx(fleiss_cohen_everitt(np.array(TABLE_1)), rel=1e-9)


def fleiss_cohen_everitt(table: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> float:
    n = table.sum()
    p = table / n
    row, column = p.sum(1), p.sum(0)
    agree, chance = np.trace(p), float((row * column).sum())
    kappa = (agree - chance) / (1 - chance)
    own = sum(p[i, i] * (1 - (row[i] + column[i]) * (1 - kappa)) ** 2 for i in range(len(p)))
    others = sum(p[i, j] * (column[i] + row[j]) ** 2 for i in range(len(p)) for j in range(len(p)) if i != j)
    square = own + (1 - kappa) ** 2 * others - (kappa - chance * (1 - kappa)) ** 2
    return float(np.sqrt(square / n) / (1 - chance))
