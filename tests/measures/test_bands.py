"""Words for coefficients: the band that holds with 95% probability (Gwet 2014, chapter 6)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm

from reportgen.measures import NoInterval
from reportgen.measures.standard_errors import LEAST, MOST, SCALES, band, bands, reaching
from reportgen.report.uncertainty import SCALES as SHOWN
from reportgen.results.parts import Benchmarks
from tests.measures.made import annotations, figures, pair_of, units_of


def test_the_cumulative_probabilities_that_irrcac_prints() -> None:
    found = [round(reaching(0.67, 0.15, least), 3) for least, _ in SCALES["altman"]]
    assert [round(found[0], 2), *found[1:3]] == [0.18, 0.675, 0.964]
    assert band(0.67, 0.15, SCALES["altman"]).word == "moderate"


def test_bands_begin_where_their_authors_have_them() -> None:
    assert {name: [least for least, _ in scale[:-1]] for name, scale in SCALES.items()} == {
        "landis_koch": [0.8, 0.6, 0.4, 0.2, 0.0],
        "altman": [0.8, 0.6, 0.4, 0.2],
        "fleiss": [0.75, 0.4],
        "krippendorff": [0.8, 0.667],
    }


def test_a_value_at_the_lower_end_of_a_band_reaches_it_half_of_the_time() -> None:
    found = band(0.8, 0.05, SCALES["landis_koch"])
    assert (found.word, found.of_value) == ("substantial", "almost perfect")
    assert reaching(0.8, 0.05, 0.8) == pytest.approx(0.5, abs=1e-4)


@given(st.floats(-1, 1), st.floats(0.001, 2), st.sampled_from(sorted(SCALES)))
def test_probabilities_are_those_of_a_truncated_normal_distribution(
    value: float, error: float, scale: str
) -> None:
    theirs = truncnorm((LEAST - value) / error, (MOST - value) / error, loc=value, scale=error)
    for least, _ in SCALES[scale]:
        assert reaching(value, error, least) == pytest.approx(theirs.sf(least), abs=1e-9)


@given(st.floats(-1, 1), st.floats(0.001, 2), st.sampled_from(sorted(SCALES)))
def test_the_band_that_holds_is_never_above_that_of_the_value_by_much(
    value: float, error: float, scale: str
) -> None:
    chosen = SCALES[scale]
    names = [word for _, word in chosen]
    found = band(value, error, chosen)
    assert names.index(found.word) >= names.index(found.of_value) or error > 0.3
    assert 0.95 <= found.probability <= 1
    if math.isclose(found.probability, 1, abs_tol=1e-12):
        return
    above = [reaching(value, error, least) for least, word in chosen[: names.index(found.word)]]
    assert all(each < 0.95 for each in above)


def test_every_scale_of_the_report_is_known_to_it() -> None:
    assert list(SHOWN) == list(SCALES)


def test_a_figure_without_an_interval_lies_in_no_band() -> None:
    found = bands(pair_of([[5, 0], [0, 3]]).measures["cohen_kappa"])
    assert found == Benchmarks(undefined=NoInterval.NO_DISAGREEMENT)
    alone = figures(units_of(annotations([("a", "a"), ("b", "a")], documents=["d", "d"])))
    assert bands(alone.measures["cohen_kappa"]) == Benchmarks(undefined=NoInterval.ONE_DOCUMENT)


def test_an_undefined_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="without a value"):
        bands(pair_of([[5, 0], [0, 0]]).measures["cohen_kappa"])


def test_figures_far_beyond_the_scale_are_in_the_lowest_band() -> None:
    assert band(-40.0, 0.01, SCALES["fleiss"]).word == "poor"
