"""The same figures, tails, quantiles and intervals from other libraries: NLTK, scikit-learn, scipy."""

import itertools

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from scipy import stats
from scipy.stats import truncnorm
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from reportgen.counts import count
from reportgen.measures import NoInterval, estimate
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import holm, wilson
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.standard_errors import LEAST, MOST, SCALES, band, bands, reaching
from reportgen.measures.unit_profiles import paired_profiles
from reportgen.report.uncertainty import SCALES as SHOWN
from reportgen.results.parts import Benchmarks
from tests.measures.made import annotations, figures, pair_of, repeated, units_of, value
from tests.properties import examples

LEVELS = ("1", "2", "4", "5")
LABEL = st.sampled_from(LEVELS)
TABLES = st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3)


@examples(40)
@given(TABLES)
def test_two_annotators_against_nltk_and_scikit_learn(table: list[list[int]]) -> None:
    codes = repeated(table)
    assume(len({code for pair in codes for code in pair}) == 3)
    first, second = zip(*codes, strict=True)
    task = AnnotationTask(
        [(who, n, pair[place]) for n, pair in enumerate(codes) for place, who in enumerate("xy")]
    )
    found = pair_of(table, ("1", "2", "3"), scale="ordinal")
    measures = found.measures
    assert value(measures["observed_agreement"]) == pytest.approx(task.avg_Ao())
    assert value(measures["bennett_s"]) == pytest.approx(task.S())
    assert value(measures["scott_pi"]) == pytest.approx(task.pi())
    assert value(measures["cohen_kappa"]) == pytest.approx(task.kappa())
    assert value(measures["krippendorff_alpha"]) == pytest.approx(task.alpha())
    for weights in ("linear", "quadratic"):
        theirs = cohen_kappa_score(first, second, labels=[0, 1, 2], weights=weights)
        assert value(measures[f"weighted_kappa[{weights}]"]) == pytest.approx(theirs)
    assert [value(each) for each in found.specific] == pytest.approx(
        f1_score(first, second, labels=[0, 1, 2], average=None).tolist()
    )


@pytest.mark.slow
@examples(40)
@given(st.lists(st.lists(st.none() | LABEL, min_size=3, max_size=3), min_size=2, max_size=8))
def test_three_annotators_with_missing_ratings_against_krippendorff(rows: list[list[str | None]]) -> None:
    paired = [row for row in rows if sum(label is not None for label in row) > 1]
    assume(len(paired) > 1 and len({label for row in paired for label in row} - {None}) > 1)
    data = [
        [np.nan if label is None else float(label) for label in rater] for rater in zip(*rows, strict=True)
    ]
    for scale in ("nominal", "ordinal", "interval", "ratio"):
        units = units_of(annotations(rows), scale=scale, categories=LEVELS)
        name = "krippendorff_alpha" if scale == "nominal" else f"krippendorff_alpha[{scale}]"
        profiles = paired_profiles(count(units).profiles, len(LEVELS))
        theirs = krippendorff.alpha(data, level_of_measurement=scale)
        assert value(figures(units).measures[name]) == pytest.approx(theirs, abs=1e-9)
        if scale == "nominal":
            assert value(
                coefficient(krippendorff_alpha, UnitsByLabels(profiles, nominal(len(LEVELS))))
            ) == pytest.approx(theirs, abs=1e-9)


SEVERAL = st.integers(3, 5).flatmap(
    lambda width: st.lists(st.lists(LABEL, min_size=width, max_size=width), min_size=2, max_size=10)
)


@examples(40)
@given(SEVERAL)
def test_several_annotators_against_nltk(rows: list[list[str]]) -> None:
    used = {label for row in rows for label in row}
    assume(len(used) > 1)
    task = AnnotationTask([(who, n, label) for n, row in enumerate(rows) for who, label in enumerate(row)])
    # Categories that nobody used do not count for NLTK.
    measures = figures(units_of(annotations(rows), categories=sorted(used))).measures
    assert value(measures["observed_agreement"]) == pytest.approx(task.avg_Ao())
    assert value(measures["bennett_s"]) == pytest.approx(task.S())
    assert value(measures["randolph_kappa"]) == pytest.approx(task.S())
    # Its pi of several is Fleiss' kappa, its kappa Light's, its multi_kappa Davies and Fleiss' (Conger's).
    assert value(measures["fleiss_kappa"]) == pytest.approx(task.pi(), abs=1e-9)
    assert value(measures["conger_kappa"]) == pytest.approx(task.multi_kappa(), abs=1e-9)
    assert value(measures["krippendorff_alpha"]) == pytest.approx(task.alpha(), abs=1e-9)
    # A pair that used one category alone has kappa 1 there, and none here.
    raters = list(zip(*rows, strict=True))
    if all(len({*one, *other}) > 1 for one, other in itertools.combinations(raters, 2)):
        assert value(measures["light_kappa"]) == pytest.approx(task.kappa(), abs=1e-9)


# The score interval of Wilson (1927), and p values by Holm (1979).


def test_47_of_50_give_838_to_979() -> None:
    found = wilson(47, 50)
    assert (round(found.low, 3), round(found.high, 3)) == (0.838, 0.979)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_statsmodels_has_the_same_ends(trial: tuple[int, int]) -> None:
    right, trials = trial
    found = wilson(right, trials)
    low, high = proportion_confint(right, trials, method="wilson")
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-12)
    assert 0 <= found.low <= right / trials <= found.high <= 1


# By hand: statsmodels collects garbage at every call, which takes long where there is much of it.
@pytest.mark.parametrize(
    "values", [[0.01, 0.04, 0.03, 0.005], [0.02, 0.02, 0.02, 0.9, 0.0, 1.0], [0.3, 0.2, 0.6, 0.04]]
)
def test_statsmodels_adjusts_alike(values: list[float]) -> None:
    expected = multipletests(values, method="holm")[1]
    assert holm(values) == pytest.approx(list(expected))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_a_p_value_is_multiplied_by_those_not_smaller_and_stays_above_smaller_ones(
    values: list[float],
) -> None:
    times = {each: sum(other >= each for other in values) for each in values}
    expected = [max(min(1.0, each * times[each]) for each in values if each <= value) for value in values]
    assert holm(values) == pytest.approx(expected)


def test_a_test_that_could_not_be_made_is_none_of_them() -> None:
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert holm([]) == []


# Tails and quantiles: what scipy.stats says, without what scipy's packages import around it.


ASKED = [
    ("t_below", (4.5, -2.1), stats.t.cdf(-2.1, 4.5)),
    ("t_at", (16926, 0.975), stats.t.ppf(0.975, 16926)),
    ("normal_at", (0.975,), stats.norm.ppf(0.975)),
    ("f_above", (3, 17, 2.5), stats.f.sf(2.5, 3, 17)),
    ("chi_square_above", (3, 7.8), stats.chi2.sf(7.8, 3)),
    ("binomial_below", (40, 100, 0.3), stats.binom.cdf(40, 100, 0.3)),
]


@pytest.mark.parametrize(("name", "given", "expected"), ASKED)
def test_each_is_what_scipy_stats_says(name: str, given: tuple[float, ...], expected: float) -> None:
    assert getattr(estimate, name)(*given) == pytest.approx(expected, rel=1e-13)


# Words for coefficients: the band that holds with 95% probability (Gwet 2014, chapter 6).


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
def test_probabilities_are_of_a_truncated_normal(value: float, error: float, scale: str) -> None:
    theirs = truncnorm((LEAST - value) / error, (MOST - value) / error, loc=value, scale=error)
    for least, _ in SCALES[scale]:
        assert reaching(value, error, least) == pytest.approx(theirs.sf(least), abs=1e-9)


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
