"""An interval is left-one-out, t with the documents alike, on the logit scale; as the simulation has it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from benchmarks.campaigns import MEASURES, Design, figures, labelled, material, sums
from benchmarks.data import coded
from benchmarks.intervals import AFTER, METHODS
from reportgen.counts import count
from reportgen.measures import ConfidenceInterval, Estimate, NoInterval, ScaleSetting, Undefined, UnitsOfAll
from reportgen.measures.distributions import logit_ends
from reportgen.measures.estimate import Clusters, Spread, rare_units, with_interval
from reportgen.measures.figures_of_sums import share_of_sums, specific_agreement
from reportgen.measures.spans import F, mean_of_ratios, ratios
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.readers import NO_DOCUMENT
from tests.measures.made import figures_named

DESIGN = Design(30, 0.9, 2)


def campaign(design: Design) -> tuple[dict[str, Estimate], dict[str, tuple[float, float]]]:
    """Return the figures of a simulated campaign, and the ends of its intervals in the simulation."""
    random = np.random.default_rng(7)
    given = material(design, 1, random)
    labels = labelled(design, given, random)
    by_document = sums(design, given, labels)
    ends = {
        name: METHODS[AFTER].ends(figures(name, by_document), measure, design)[:, 0]
        for name, measure in MEASURES.items()
    }
    units = replace(
        coded(labels.astype(np.int64)),
        categories=("0", "1", "2"),
        documents=tuple(map(str, range(design.documents))),
        document=given.document,
    )
    whole = UnitsOfAll(units, count(units), ScaleSetting())
    of_all = ("observed_agreement", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "bennett_s")
    found = figures_named(whole, *of_all) | figures_named(whole.pair, "cohen_kappa")
    for category in range(3):
        found[f"specific_agreement {category}"] = specific_agreement(whole.profiles, category)
    return found, {name: (float(low), float(high)) for name, (low, high) in ends.items()}


def test_intervals_are_those_that_were_simulated() -> None:
    found, simulated = campaign(DESIGN)
    for name, (low, high) in simulated.items():
        interval = found[name].interval
        assert isinstance(interval, ConfidenceInterval), name
        assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9), name


def clusters(sizes: list[int]) -> Clusters:
    """Units of documents of some sizes; each document is a kind of cell."""
    place = np.arange(len(sizes), dtype=np.int64)
    return Clusters(place, place, np.array(sizes), sum(sizes), len(sizes), by_document=True, corrected=True)


def test_the_error_of_a_share_is_that_of_leaving_each_document_out() -> None:
    sizes, right = np.array([4, 9, 1, 6]), np.array([3, 4, 1, 5])
    value = right.sum() / sizes.sum()
    without = (right.sum() - right) / (sizes.sum() - sizes)
    expected = math.sqrt(3 / 4 * ((without - value) ** 2).sum())
    found = Spread(right / sizes - value, clusters(sizes.tolist()))
    assert found.left_out_error == pytest.approx(expected, rel=1e-12)


def test_documents_of_one_size_have_as_many_degrees_of_freedom_as_documents_less_one() -> None:
    values = np.array([0.5, 0.7, 0.6, 0.9, 0.8])
    found = with_interval(Estimate(0.7, 50), values - 0.7, clusters([10] * 5), (0.0, 1.0), disagreements=9)
    error = math.sqrt(((values - 0.7) ** 2).sum() / 20)
    half = stats.t.ppf(0.975, 4) * error / (0.7 * 0.3)
    middle = math.log(0.7 / 0.3)
    ends = [1 / (1 + math.exp(-middle - sign * half)) for sign in (-1, 1)]
    assert isinstance(found.interval, ConfidenceInterval)
    assert (found.interval.low, found.interval.high) == pytest.approx(ends, rel=1e-9)
    assert found.standard_error == pytest.approx(error, rel=1e-12)


def test_what_comes_from_one_document_has_no_interval() -> None:
    units, influence = clusters([10] * 6), np.array([0.5, -0.5, 0, 0, 0, 0])

    def weighed(*weight: float) -> Estimate:
        figure, bounds = Estimate(0.7, 60), (0.0, 1.0)
        return with_interval(figure, influence, units, bounds, disagreements=9, weight=np.array(weight))

    assert weighed(5.5, 0.5, 0, 0, 0, 0).interval is NoInterval.RARE
    assert isinstance(weighed(3, 3, 0, 0, 0, 0).interval, ConfidenceInterval)


def test_units_with_a_rarer_label_are_counted_by_unit() -> None:
    """With two labels, a share p of them gives D_e = 2 p (1 - p): as p / (1 - p) of the units would alone."""
    assert rare_units(400, 2 * 0.02 * 0.98) == pytest.approx(400 * 0.02 / 0.98)
    assert rare_units(400, 0.5) == rare_units(400, 0.7) == 400


@pytest.mark.parametrize(
    ("carriers", "documents", "has_interval"),
    [(7, 0, False), (8, 0, True), (11, 6, False), (12, 6, True), (12, 3, True), (12, 2, False)],
)
def test_a_label_takes_units_and_documents(carriers: int, documents: int, *, has_interval: bool) -> None:
    """Eight units, twelve where units are of documents, of which three; all but one agree on the label."""
    unit = np.arange(60)
    has = unit < carriers
    kind = np.where(has, 1, 0) + (unit == 1)
    document = (
        np.where(has, unit % max(documents, 1), 6 + unit % 6) if documents else np.full(60, NO_DOCUMENT)
    )
    profiles = LabelPatterns(
        np.array([[0, 0], [1, 1], [0, 1]]), document, kind, np.ones(60, dtype=np.int64), 2
    )
    part, whole = np.array([0, 1, 0]), np.array([0, 1, 1])
    found = share_of_sums(profiles, part, whole, Undefined.NOT_USED)
    assert found.value == pytest.approx((carriers - 1) / carriers)
    assert isinstance(found.interval, ConfidenceInterval) is has_interval
    assert (found.interval is NoInterval.RARE) is not has_interval


@pytest.mark.parametrize(("alone", "has_interval"), [(0, False), (1, True)])
@pytest.mark.parametrize("pairs", [1, 2])
def test_f_takes_eight_marks_of_each_on_average(alone: int, pairs: int, *, has_interval: bool) -> None:
    """In one more document one of the two has a mark alone, or each has one: 7.5 or 8 marks of each."""
    counts = np.array([[3, 0, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0], [0, 0, 1, alone]])
    place = np.arange(4)
    single = ratios(counts, "strict", 1.0, documents=place)[F]
    several = ratios(np.tile(counts, (pairs, 1)), "strict", 1.0, documents=np.tile(place, pairs))[F]
    for found in (single.estimate(), mean_of_ratios(several, np.repeat(np.arange(pairs), 4))):
        assert found.value == pytest.approx(14 / (15 + alone))
        assert isinstance(found.interval, ConfidenceInterval) is has_interval
        assert (found.interval is NoInterval.RARE) is not has_interval


@pytest.mark.parametrize(("annotators", "has_interval"), [(2, True), (5, False)])
def test_slips_of_single_annotators_are_no_rarer_label(annotators: int, *, has_interval: bool) -> None:
    """Of 1,000 units all give it to 5 and one alone to 40: of two as much as on 25 units, of five on 13."""
    labels = np.zeros((1000, annotators), dtype=np.int64)
    chosen = np.random.default_rng(3).choice(1000, 45, replace=False)
    labels[chosen, 0] = 1
    labels[chosen[:5]] = 1
    units = replace(
        coded(labels),
        documents=tuple(map(str, range(20))),
        document=np.repeat(np.arange(20, dtype=np.int64), 50),
    )
    whole = UnitsOfAll(units, count(units), ScaleSetting())
    for name in ("krippendorff_alpha", "fleiss_kappa", "conger_kappa"):
        interval = figures_named(whole, name)[name].interval
        assert isinstance(interval, ConfidenceInterval) is has_interval
        assert (interval is NoInterval.RARE) is not has_interval


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0), (-0.5, 1.0), (-math.inf, 1.0), (0.0, math.inf)])
@pytest.mark.parametrize("half", [1e-9, 0.1, 3.0, 1e30])
def test_ends_stay_within_what_can_be(bounds: tuple[float, float], half: float) -> None:
    low, high = logit_ends(0.8, half, bounds)
    assert bounds[0] <= low <= 0.8 <= high <= bounds[1]
    if half < 1e-6:
        assert (low, high) == pytest.approx((0.8 - half, 0.8 + half), rel=1e-9)
