"""Figures that take labels as ranks or numbers: no interval of few units, and no end that can't be."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.every_figure import Design, drawn
from benchmarks.every_figure import figures as simulated_figures
from reportgen.measures import ConfidenceInterval, Estimate, NoInterval, distances
from reportgen.measures.complete_ratings import absolute_agreement
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Clusters, Spread, figure, interval_of, t_quantile
from reportgen.measures.unit_profiles import LabelPatterns
from tests.measures.made import Rows, annotations, figures, units_of, value
from tests.present import present

ON_A_SCALE = ("icc_a1", "icc_c1", "kendall_w", "finn_r", "finn_r[two-way]")
# By weights that are declared or computed from the labels; all others in brackets are of the scale.
OTHER = ("[expert]", "[computed]")
POINTS = np.arange(5, dtype=float)
SCALE = {
    "linear": distances.linear(POINTS),
    "quadratic": distances.quadratic(POINTS),
    "radical": distances.radical(POINTS),
    "ordinal": distances.by_ranks(np.arange(5.0)),
    "circular": distances.circular(POINTS),
    "bipolar": distances.bipolar(POINTS),
    "interval": distances.interval(POINTS),
    "ratio": distances.ratio(POINTS),
    "of ranks": distances.ordinal(np.array([3, 1, 4, 1, 5])),
}


def rated(units: int, seed: int, error: float = 0.8) -> Rows:
    random = np.random.default_rng(seed)
    own = random.integers(0, 5, (units, 1))
    given = np.clip(np.round(own + error * random.normal(size=(units, 2))), 0, 4)
    return [tuple(str(int(each)) for each in row) for row in given.tolist()]


def measured(rows: Rows, scale: str = "ordinal") -> dict[str, Estimate]:
    names = [str(point) for point in range(5)]
    tables = {"expert": distances.linear(POINTS).matrix.tolist()}
    return dict(figures(units_of(annotations(rows), scale=scale, categories=names), tables).measures)


def of_the_scale(found: dict[str, Estimate]) -> dict[str, Estimate]:
    return {
        name: each
        for name, each in found.items()
        if name in ON_A_SCALE or ("[" in name and not name.endswith(OTHER))
    }


@pytest.mark.parametrize(("documents", "are_enough"), [(19, False), (20, True)])
def test_19_documents_are_too_few_for_an_interval_on_a_scale(documents: int, *, are_enough: bool) -> None:
    rows = [[unit % 5, (unit + unit % 2) % 5] for unit in range(2 * documents)]
    found = absolute_agreement(in_documents(rows), np.arange(5.0)).interval
    assert isinstance(found, ConfidenceInterval) if are_enough else found is NoInterval.FEW_ON_A_SCALE


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
def test_29_units_are_too_few_for_an_interval_and_30_are_not(scale: str) -> None:
    few, enough = (of_the_scale(measured(rated(units, 2), scale)) for units in (29, 30))
    assert few.keys() == enough.keys() >= {"icc_a1", f"krippendorff_alpha[{scale}]", "fleiss_kappa[linear]"}
    defined = [name for name, each in few.items() if each.value is not None]
    assert {few[name].interval for name in defined} == {NoInterval.FEW_ON_A_SCALE}
    assert all(isinstance(enough[name].interval, ConfidenceInterval) for name in defined)
    # Papers print the error of small tables too.
    assert all(few[name].standard_error for name in defined)


@pytest.mark.parametrize("seed", range(6))
def test_no_end_is_outside_what_a_figure_can_be(seed: int) -> None:
    """Labels at random on 30 units: the ends of S, AC2 and the kappas fell to -3 and below."""
    for scale in ("ordinal", "interval"):
        for name, found in measured(rated(30, seed, 30.0), scale).items():
            ends = figure(found).interval
            if ends is None or ends.low is None or ends.high is None:
                continue
            least = -1.0 if "bennett_s" not in name and "gwet_ac2" not in name else -3.0
            least = -3.0 if name.startswith("finn_r") else least
            if not name.endswith("[expert]"):
                assert least - 1e-9 <= ends.low <= value(found) <= ends.high <= 1, (name, ends)


def test_labels_that_never_agree_are_what_the_least_is() -> None:
    """All units at the two ends of the scale: S is 1 - 16 / 4, alpha -1 in the limit."""
    ends: Rows = [("0", "4"), ("4", "0")] * 15
    found = measured(ends)
    s = found["bennett_s[quadratic]"]
    assert value(s) == pytest.approx(1 - 16 / 4)
    assert present(s.spread).possible[0] == pytest.approx(-3)
    assert -1 < value(found["krippendorff_alpha[ordinal]"]) < -0.95


def test_declared_distances_leave_what_the_margins_do() -> None:
    """Two pairs of categories at distance 1, all others at 0: alpha is -3 where all differ so."""
    matrix = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    rows: Rows = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")] * 3
    export = annotations([*rows, ("a", "a"), ("c", "c")])
    found = figures(units_of(export, categories=["a", "b", "c", "d"]), {"pairs": matrix}).measures
    alpha = found["krippendorff_alpha[pairs]"]
    assert value(alpha) < -2
    assert isinstance(alpha.interval, ConfidenceInterval)
    assert alpha.interval.low == pytest.approx(1 - 1 / (alpha.expected or math.nan))


@pytest.mark.parametrize("name", SCALE)
def test_distances_of_a_scale_are_squares_of_those_between_points(name: str) -> None:
    """Then observed disagreement is at most twice the expected one (Schoenberg 1938): kappas end at -1."""
    distance = SCALE[name]
    assert distance.on_a_scale
    assert _between_points(distance)


def test_so_are_those_of_shared_members_and_names() -> None:
    sets = tuple(map(frozenset[str], ("a", "ab", "bc", "abc", "", "d")))
    jaccard, masi, dice = distances.set_distances(sets)
    for distance in (jaccard, dice, distances.nominal(4)):
        assert distance.ends_at_lowest
        assert not distance.on_a_scale
        assert _between_points(distance)
    assert not masi.ends_at_lowest


def _between_points(distance: CategoryDistance) -> bool:
    """Tell whether -δ is positive semidefinite where weights add up to zero."""
    size = distance.size
    centre = np.eye(size) - 1 / size
    return bool(np.linalg.eigvalsh(-centre @ distance.matrix @ centre).min() > -1e-12)


def in_documents(rows: list[list[int]]) -> LabelPatterns:
    """Ratings of units, two to a document."""
    labels, profile = np.unique(np.array(rows), axis=0, return_inverse=True)
    document = np.arange(len(rows)) // 2
    once = np.ones(len(rows), dtype=np.int64)
    return LabelPatterns(labels, document, profile.reshape(-1), once, int(labels.max()) + 1)


def test_an_intraclass_correlation_that_rests_on_few_units_has_no_interval() -> None:
    values = np.arange(5.0)
    spread = [[unit % 5, (unit + unit % 2) % 5] for unit in range(60)]
    assert isinstance(absolute_agreement(in_documents(spread), values).interval, ConfidenceInterval)
    rare = [[0, 0]] * 55 + [[4, 4], [4, 3], [4, 4], [3, 4], [4, 4]]
    assert absolute_agreement(in_documents(rare), values).interval is NoInterval.RARE


def moved(influence: Sequence[float], *, on_a_scale: bool = True) -> Spread:
    """What documents of one unit move a figure that has no least value."""
    clusters = Clusters.of_documents(len(influence))
    return Spread(np.array(influence), clusters, bounds=(-math.inf, 1.0), on_a_scale=on_a_scale)


# Documents that move a figure up or down by as much: neither skewed nor uneven.
EVEN = [0.4, -0.4] * 12


def test_the_upper_end_on_a_scale_is_at_least_as_far_as_on_the_figures_own() -> None:
    of_names, ends = (interval_of(0.5, moved(EVEN, on_a_scale=ordered)) for ordered in (False, True))
    assert ends.low == of_names.low
    assert ends.high > of_names.high
    assert ends.high == pytest.approx(0.5 + t_quantile(23) * moved(EVEN).left_out_error)
    assert interval_of(0.99, moved(EVEN)).high == 1.0


def test_a_few_units_that_move_most_leave_few_degrees_of_freedom() -> None:
    assert moved(EVEN).degrees_left == math.inf
    assert moved(EVEN).skewness == pytest.approx(0)
    # Of 24 documents one moves nearly all: Σd⁴ / (Σd²)² is nearly 1.
    one = moved([23 * 0.4] + [-0.4] * 23)
    d = [23, *[-1] * 23]
    squares, cubes, fourths = (sum(each**power for each in d) for power in (2, 3, 4))
    assert one.degrees_left == pytest.approx(1 / (fourths / squares**2 - 1 / 24))
    assert 1 < one.degrees_left < 1.2
    assert one.skewness == pytest.approx(cubes / squares**1.5)
    t, error = t_quantile(one.degrees_left), one.left_out_error
    assert interval_of(0.5, one).high == min(1.0, 0.5 + t * error)
    assert interval_of(0.5, moved([-each for each in one.influence.tolist()])).low < 0.5 - t * error


@pytest.mark.parametrize("sign", [1, -1])
def test_an_end_is_farther_where_few_units_move_a_figure_that_way(sign: int) -> None:
    """Johnson (1978): by γ (2t² + 1) / 6 errors."""
    influence = [sign * each for each in ([0.03] * 2 + [-0.005] * 12) * 4]
    spread = moved(influence)
    t, error = t_quantile(min(spread.alike - 1, spread.degrees_left)), spread.left_out_error
    farther = abs(spread.skewness) * (2 * t * t + 1) / 6
    assert farther > 0.1
    ends = interval_of(0.0, spread)
    if sign > 0:
        assert ends.high == pytest.approx((t + farther) * error)
        assert ends.low > -(t + farther) * error
    else:
        assert ends.low == pytest.approx(-(t + farther) * error)
        assert ends.high == pytest.approx(t * error)
    # Names are not far apart.
    of_names = moved(influence, on_a_scale=False).ends(0.0)
    assert of_names[0] > ends.low or of_names[1] < ends.high


def test_numbers_are_rare_as_names_are() -> None:
    """A few large numbers have most of the variance, and many units have a number of their own."""
    values = np.array([*range(40), 1000.0])
    rows = [[unit, (unit + unit % 2) % 40] for unit in range(39)] + [[40, 40]]
    found = absolute_agreement(in_documents(rows), values)
    assert isinstance(found.interval, ConfidenceInterval)
    assert value(found) > 0.9
    assert found.interval.low < 0


def test_the_figures_that_are_simulated_are_those_of_reports() -> None:
    design = Design(50, 0.5, 3, missing=True, slips=True)
    campaign = drawn(design, design.generator())
    simulated = dict(simulated_figures(campaign))
    rows = [[None if label < 0 else str(label) for label in unit] for unit in campaign.labels.tolist()]
    documents = [f"d{document}" for document in campaign.document.tolist()]
    order = [str(category) for category in range(5)]
    units = units_of(annotations(rows, documents=documents, order=order), scale="interval")
    found = figures(units).measures
    for name, title in (
        ("krippendorff_alpha", "alpha"),
        ("krippendorff_alpha[interval]", "alpha [interval]"),
        ("fleiss_kappa", "Fleiss' kappa"),
        ("gwet_ac1", "AC1"),
        ("bennett_s", "S"),
        ("icc_a1", "ICC(A,1)"),
    ):
        assert found[name].value == pytest.approx(simulated[title].value), name
        ours, theirs = found[name].interval, simulated[title].interval
        assert isinstance(ours, ConfidenceInterval)
        assert isinstance(theirs, ConfidenceInterval)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high)), name
