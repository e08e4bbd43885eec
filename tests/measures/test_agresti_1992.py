"""Agresti (1992), "Modelling patterns of agreement and disagreement", p. 202: Landis and Koch's table."""

import pytest

from tests.measures.made import error, pair_of, value

CARCINOMA = [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]


def test_kappa_and_its_standard_error() -> None:
    kappa = pair_of(CARCINOMA).measures["cohen_kappa"]
    assert value(kappa) == pytest.approx(0.493, abs=5e-4)
    assert error(kappa) == pytest.approx(0.057, abs=5e-4)


def test_kappa_of_one_category_against_the_rest_is_cohens() -> None:
    # Agresti pools the margins (.781 .247 .402 .435); ours are Cohen's on the table of two.
    rest = [value(each["cohen_kappa"]) for each in pair_of(CARCINOMA).against_rest]
    assert rest[1:] == pytest.approx([0.266, 0.441, 0.459], abs=5e-4)
    for category, kappa in enumerate(rest):
        folded = [[0, 0], [0, 0]]
        for i, row in enumerate(CARCINOMA):
            for j, n in enumerate(row):
                folded[i != category][j != category] += n
        assert kappa == pytest.approx(value(pair_of(folded).measures["cohen_kappa"]), rel=1e-12)
