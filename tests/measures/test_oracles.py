"""The same figures from other libraries: NLTK, krippendorff, scikit-learn, statsmodels."""

import itertools

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score, f1_score

from reportgen.counts import count
from reportgen.measures.distances import nominal
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import paired_profiles
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
