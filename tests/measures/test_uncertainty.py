"""Standard errors and intervals: against a numerical derivative, leaving out, and the simulation."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import t
from statsmodels.stats.inter_rater import cohens_kappa

from benchmarks.campaigns import MEASURES, Design, labelled, material, sums
from benchmarks.campaigns import figures as simulated_figures
from benchmarks.data import coded
from benchmarks.intervals import AFTER, METHODS
from reportgen.catalogue import BY_ID, base_id
from reportgen.counts import count
from reportgen.measures import (
    ConfidenceInterval,
    Estimate,
    NoInterval,
    ScaleSetting,
    Undefined,
    UnitSetAgreement,
    UnitsOfAll,
)
from reportgen.measures.estimate import Clusters, Spread, logit_ends, rare_units, with_interval
from reportgen.measures.figures_of_sums import share_of_sums, specific_agreement
from reportgen.measures.spans import F, mean_of_ratios, ratios
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import CodedUnits
from tests.measures.made import Matrix, annotations, error, figures, figures_named, pair_of, units_of, value
from tests.properties import examples
from tests.slowly import slow_but

NAMES = ("1", "2", "4", "none")
TABLE: Matrix = [[0, 0.3, 1, 2], [0.3, 0, 0.5, 1.5], [1, 0.5, 0, 1], [2, 1.5, 1, 0]]
# Weights are multiplied so that a small-sample term vanishes and a step of one is small.
LARGE, STEP = 10**9, 10**5


@dataclass(frozen=True)
class Campaign:
    """Units of any weight and document, rated by some."""

    units: CodedUnits

    def figures(self, weight: Codes | None = None) -> UnitSetAgreement:
        units = self.units if weight is None else replace(self.units, weight=weight)
        return figures(units, {"expert": TABLE})


def campaigns(annotators: int, *, missing: bool) -> st.SearchStrategy[Campaign]:
    label = st.sampled_from([*NAMES, None] if missing else NAMES)
    row = st.tuples(st.tuples(*[label] * annotators), st.integers(0, 3), st.integers(1, 5))
    scale = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])

    def build(rows: list[tuple[tuple[str | None, ...], int, int]], scale: str, known: bool) -> Campaign:  # noqa: FBT001
        documents = [f"d{document}" if known and document else None for _, document, _ in rows]
        export = annotations(
            [labels for labels, _, _ in rows], documents=documents, weights=[weight for *_, weight in rows]
        )
        return Campaign(units_of(export, categories=NAMES[:3], non_annotated="none", scale=scale))

    return st.builds(build, st.lists(row, min_size=2, max_size=7), scale, st.booleans())


def estimates(found: UnitSetAgreement) -> Iterator[tuple[str, tuple[int, ...], Estimate]]:
    """Every figure with a standard error: its name, the annotators whose units it is about, and itself."""
    everyone = tuple(range(len(found.units.annotators)))
    for name, each in found.measures.items():
        yield f"all {name}", everyone, each
    for code, each in enumerate(found.specific):
        yield f"all specific {code}", everyone, each
    for pair in found.pairs:
        who = pair.table.first, pair.table.second
        for name, each in pair.measures.items():
            yield f"{who} {name}", who, each
        for code, each in enumerate(pair.specific):
            yield f"{who} specific {code}", who, each
        for code, rest in enumerate(pair.against_rest):
            for name, each in rest.items():
                yield f"{who} {code} {name}", who, each


PLACED = ("ordinal", "interval", "ratio", "linear", "quadratic", "radical", "circular", "bipolar", "two-way")
BY_ALL = ("siegel_castellan", "finn_r[two-way]", "icc_a1", "icc_c1", "kendall_w")


def ratings_of(campaign: Campaign, who: tuple[int, ...], name: str) -> dict[int, list[int]]:
    """The ratings by these annotators of each row that a figure can place on its scale."""
    units = campaign.units
    numbers = name.rpartition(" ")[2] in BY_ALL[1:]
    placed = numbers or any(f"[{scale}]" in name for scale in PLACED)
    found: dict[int, list[int]] = {}
    columns = (units.unit.tolist(), units.annotator.tolist(), units.label.tolist())
    for unit, annotator, label in zip(*columns, strict=True):
        if annotator in who and not (placed and label == units.non_annotated):
            found.setdefault(unit, []).append(label)
    return found


def shared_units(campaign: Campaign, who: tuple[int, ...], name: str) -> tuple[list[int], list[int]]:
    """The rows that a figure is a mean over, and those that have an influence on it.

    The first are rated by two of these annotators, or by all; the second by one where it tells of chance.
    """
    ratings = ratings_of(campaign, who, name)
    measure = name.removeprefix("all ").removesuffix("]")
    if measure.partition("[")[0] == "majority_agreement":
        rows = [row for row, labels in ratings.items() if has_majority(labels)]
        return rows, rows
    least = len(who) if name.rpartition(" ")[2] in BY_ALL else 2
    paired = [row for row, labels in ratings.items() if len(labels) >= least]
    base = base_id(name.rpartition(" ")[2])
    wide = len(who) == len(campaign.units.annotators) and base in BY_ID and BY_ID[base].single_ratings
    return paired, list(ratings) if wide else paired


def has_majority(labels: list[int]) -> bool:
    """Whether some rating can be held against the commonest label of the others."""
    return any(
        len(labels) > 1
        and len(others.most_common())
        and sum(n == max(others.values()) for n in others.values()) == 1
        for place in range(len(labels))
        for others in [Counter(labels[:place] + labels[place + 1 :])]
    )


def brute_force(
    campaign: Campaign, rows: list[int], paired: list[int], slopes: dict[int, float], *, several: bool
) -> float:
    """The standard error by its definition, from derivatives by each row's weight."""
    units = campaign.units
    shown = {int(units.document[row]) for row in paired} - {NO_DOCUMENT}
    total = sum(int(units.weight[row]) for row in rows)
    sums: dict[int, float] = {}
    squares = 0.0
    for row in rows:
        weight, document = int(units.weight[row]), int(units.document[row])
        if document == NO_DOCUMENT:
            squares += weight * slopes[row] ** 2
        else:
            sums[document] = sums.get(document, 0.0) + weight * slopes[row]
    squares += sum(each**2 for each in sums.values())
    groups = len(shown) or total
    factor = groups / (groups - 1) if shown or several else 1.0
    return math.sqrt(factor * squares) / total


def values(found: UnitSetAgreement) -> dict[str, float]:
    return {name: each.value for name, _, each in estimates(found) if each.value is not None}


def check(campaign: Campaign) -> None:
    found = {name: (who, each) for name, who, each in estimates(campaign.figures())}
    weight = campaign.units.weight * LARGE
    moved = {}
    for row in range(len(weight)):
        step = np.zeros_like(weight)
        step[row] = STEP
        up, down = values(campaign.figures(weight + step)), values(campaign.figures(weight - step))
        moved[row] = {name: up[name] - down[name] for name in up.keys() & down.keys()}
    for name, (who, each) in found.items():
        if each.standard_error is None:
            assert each.value is None or each.interval is not None
            continue
        paired, rows = shared_units(campaign, who, name)
        if any(name not in moved[row] for row in rows):
            continue  # a table beside this one leaves it undefined
        total = sum(int(weight[row]) for row in rows)
        slopes = {row: moved[row][name] / (2 * STEP) * total for row in rows}
        # Influence values have mean zero.
        size = max(abs(slope) for slope in slopes.values())
        mean = sum(slope * int(weight[row]) for row, slope in slopes.items()) / total
        assert mean == pytest.approx(0, abs=1e-5 * size)
        several = len(who) > 2 and rating_most(campaign) > 2
        assert each.standard_error == pytest.approx(
            brute_force(campaign, rows, paired, slopes, several=several), rel=1e-4
        ), name
        assert each.units * LARGE == sum(int(weight[row]) for row in paired), name


def rating_most(campaign: Campaign) -> int:
    """How many annotators rated the unit that most rated."""
    return max(Counter(campaign.units.unit.tolist()).values())


@pytest.mark.slow
@examples(25)
@given(campaigns(2, missing=False))
def test_every_figure_of_two_annotators(campaign: Campaign) -> None:
    check(campaign)


@pytest.mark.slow
@examples(20)
@given(campaigns(3, missing=True))
def test_every_figure_of_three_annotators_with_missing_ratings(campaign: Campaign) -> None:
    assume(len(campaign.units.annotators) == 3)
    check(campaign)


@pytest.mark.parametrize("scale", slow_but(["nominal", "ordinal", "interval", "ratio"], "nominal"))
def test_every_figure_of_a_campaign_that_has_all(scale: str) -> None:
    rows = ["11", "12", "22", "24", "44", "4n", "nn", "n1", "21", "14", "nn", "42"]
    labels = [[{"n": "none"}.get(sign, sign) for sign in row] for row in rows]
    documents = [None, *("d1", "d2", "d3") * 3, None, "d2"]
    export = annotations(labels, documents=documents, weights=[3, 1, 2, 1, 4, 1, 20, 2, 1, 1, 9, 1])
    campaign = Campaign(units_of(export, categories=NAMES[:3], non_annotated="none", scale=scale))
    check(campaign)
    found = campaign.figures().pairs[0]
    without = {name for name, each in found.measures.items() if each.standard_error is None}
    finn = {"finn_r", "finn_r[two-way]"} if scale in ("interval", "ratio") else set()
    assert without == {"kappa_max"} | finn
    told = [each.interval is not NoInterval.RARE for each in found.specific]
    assert told == [bool(each.standard_error) for each in found.specific]
    assert any(told)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_against_statsmodels(weights: str | None) -> None:
    table = [[40, 5, 2], [9, 30, 4], [1, 6, 20]]
    name = f"weighted_kappa[{weights}]" if weights else "cohen_kappa"
    kappa = pair_of(table, ("1", "2", "3"), scale="ordinal").measures[name]
    theirs = cohens_kappa(np.array(table), wt=weights)
    assert value(kappa) == pytest.approx(theirs.kappa, rel=1e-12)
    assert error(kappa) == pytest.approx(theirs.std_kappa, rel=1e-10)


def interval(estimate: Estimate) -> ConfidenceInterval:
    assert isinstance(estimate.interval, ConfidenceInterval), estimate.interval
    return estimate.interval


def by_hand(low: float, high: float, figure: float, half: float) -> tuple[float, float]:
    """The ends on the logit scale of what a figure can be."""
    place = math.log((figure - low) / (high - figure))
    moved = half * (high - low) / ((figure - low) * (high - figure))
    shares = [1 / (1 + math.exp(-place - sign * moved)) for sign in (-1, 1)]
    return low + (high - low) * shares[0], low + (high - low) * shares[1]


def ends(estimate: Estimate) -> tuple[float, float]:
    return interval(estimate).low, interval(estimate).high


def test_an_interval_by_unit_is_students_with_units_alike_less_one() -> None:
    found = pair_of([[40, 5], [9, 30]]).measures["observed_agreement"]
    half = t.ppf(0.975, 83) * math.sqrt(70 * 14 / 84 / 84 / 83)
    assert ends(found) == pytest.approx(by_hand(0, 1, 70 / 84, half), rel=1e-10)
    found = pair_of([[40, 5], [9, 30]]).measures["cohen_kappa"]
    half = t.ppf(0.975, 83) * error(found)
    assert ends(found) == pytest.approx(by_hand(-1, 1, value(found), half), rel=0.01)
    assert interval(found).level == 0.95
    assert str(interval(found).method) == "leaving out each unit, t on the logit scale"


def test_an_interval_by_document_has_documents_alike_less_one() -> None:
    rows = [("a", "a"), ("a", "b"), ("b", "b")] * 8
    export = annotations(rows, documents=[f"d{n % 5}" for n in range(24)])
    found = figures(units_of(export)).measures["observed_agreement"]
    sums = [sum((r[0] == r[1]) - value(found) for r in rows[n::5]) for n in range(5)]
    assert error(found) == pytest.approx(math.sqrt(5 / 4 * sum(each**2 for each in sums)) / 24, rel=1e-10)
    sizes = [5, 5, 5, 5, 4]
    apart = [each / (24 - size) for each, size in zip(sums, sizes, strict=True)]
    left_out = math.sqrt(4 / 5 * sum(each**2 for each in apart))
    alike = 24**2 / sum(size**2 for size in sizes)
    half = t.ppf(0.975, alike - 1) * left_out
    assert ends(found) == pytest.approx(by_hand(0, 1, value(found), half), rel=1e-10)
    assert str(interval(found).method) == "leaving out each document, t on the logit scale"


@pytest.mark.parametrize("units", [2, 10, 1000])
def test_perfect_agreement_has_an_exact_bound_from_which_that_beside_chance_follows(units: int) -> None:
    found = pair_of([[units // 2, 0], [0, units // 2]])
    bound = interval(found.measures["observed_agreement"])
    assert bound.low == pytest.approx(0.05 ** (1 / units))
    assert bound.high == 1
    assert str(bound.method) == "exact lower bound, no disagreement seen"
    for name, expected in (("cohen_kappa", 2), ("scott_pi", 2), ("bennett_s", 2), ("gwet_ac1", 2)):
        assert value(found.measures[name]) == 1
        assert found.measures[name].standard_error is None
        # The margins kept, the disagreement by chance is a half.
        assert interval(found.measures[name]).low == pytest.approx(max(-1, 1 - expected * (1 - bound.low)))
    by_chance = (units / 2) / (units - 0.5)
    alpha = interval(found.measures["krippendorff_alpha"])
    assert alpha.low == pytest.approx(max(-1, 1 - (1 - bound.low) / by_chance))
    assert str(found.measures["finn_r"].interval).startswith("no disagreement was seen")
    assert [value(each) for each in found.specific] == [1, 1]
    assert not any(isinstance(each.interval, ConfidenceInterval) for each in found.specific)


def test_one_category_used_is_no_certainty_where_chance_is_defined_all_the_same() -> None:
    measures = pair_of([[20, 0], [0, 0]]).measures
    everybody = figures(units_of(annotations([("a", "a", "a")] * 20), categories=["a", "b"])).measures
    share = 0.05 ** (1 / 20)
    for found in (measures, everybody):
        assert interval(found["bennett_s"]).low == pytest.approx(1 - 2 * (1 - share))
        assert interval(found["gwet_ac1"]).low == pytest.approx(share)


def test_one_document_or_unit_gives_no_interval() -> None:
    one = annotations([("a", "b"), ("a", "a"), ("b", "b")], documents=["d", "d", "d"])
    for export in (one, annotations([("a", "b")])):
        for each in figures(units_of(export)).measures.values():
            assert each.standard_error is None
            if each.value is not None:
                assert str(each.interval).startswith(("one document or unit", "it is a ceiling"))


DESIGN = Design(30, 0.9, 2)


def campaign(design: Design) -> tuple[dict[str, Estimate], dict[str, tuple[float, float]]]:
    """Return the figures of a simulated campaign, and the ends of its intervals in the simulation."""
    random = np.random.default_rng(7)
    given = material(design, 1, random)
    labels = labelled(design, given, random)
    by_document = sums(design, given, labels)
    ends = {
        name: METHODS[AFTER].ends(simulated_figures(name, by_document), measure, design)[:, 0]
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
