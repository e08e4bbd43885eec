"""How many units or documents an interval, error rate or share takes, and the power that docs state."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, t

from benchmarks import batches, power, revisions
from benchmarks.data import Labels, coded
from benchmarks.plans import intervals
from benchmarks.revisions import AT, MIXES, Design
from reportgen.counts import count
from reportgen.measures import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    ConfidenceInterval,
    Estimate,
    ScaleSetting,
    UnitsOfAll,
    standard_errors,
    units_needed,
    units_to_tell,
)
from reportgen.measures.estimate import Clusters, Spread
from reportgen.measures.figures_of_sums import specific_agreement
from reportgen.measures.significance_tests import (
    Contributions,
    EstimateDifference,
    contributions_of,
    difference,
    stretched,
    unpaired,
)
from reportgen.measures.standard_errors import (
    clusters_for,
    clusters_to_show,
    kappa_variance,
    plan,
    units_in_pool,
    units_to_inspect,
)
from tests.commands import run
from tests.measures.made import annotations, error, figures, figures_named, pair_of, units_of
from tests.present import present
from tests.properties import examples


@pytest.mark.parametrize(
    ("kappa", "prevalence", "half"),
    [(0.8, 0.5, 0.1), (0.8, 0.1, 0.1), (0.8, 0.02, 0.1), (0.4, 0.3, 0.05), (0.9, 0.1, 0.15)],
)
def test_units_planned_make_intervals_so_narrow(kappa: float, prevalence: float, half: float) -> None:
    units, random = units_needed(kappa, prevalence, half), np.random.default_rng(1)
    found = [*intervals(kappa, prevalence, units, 300, random)]
    narrow = sum(ends.high - ends.low <= 2 * half for ends in found) / 300
    assert 0.74 < narrow < 0.89
    fewer = intervals(kappa, prevalence, round(0.8 * units), 300, random)
    assert sum(ends.high - ends.low <= 2 * half for ends in fewer) / 300 < narrow - 0.2


@pytest.mark.parametrize("kappa", [0.4, 0.8])
def test_many_units_take_what_the_variance_says_and_a_little_more(kappa: float) -> None:
    by_variance = kappa_variance(kappa, 0.3) * (1.96 / 0.01) ** 2
    assert by_variance < units_needed(kappa, 0.3, 0.01) < 1.03 * by_variance


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_the_variance_is_that_of_scotts_pi_in_the_table_expected(kappa: float, prevalence: float) -> None:
    """Kappa with a common prevalence is Scott's pi, whose standard error comes from influence values."""
    units = 10**9
    spread = prevalence * (1 - prevalence) * (1 - kappa)
    cells = [[prevalence - spread, spread], [spread, 1 - prevalence - spread]]
    counts = [[round(units * share) for share in row] for row in cells]
    found = error(pair_of(counts).measures["scott_pi"])
    assert found == pytest.approx(math.sqrt(kappa_variance(kappa, prevalence) / units), rel=1e-6)


def evenly(sizes: Sequence[int], wrong: Sequence[int]) -> Estimate:
    """Return the observed agreement of documents of some sizes, so many units of each being apart."""
    rows = [
        ("a", "b" if unit < apart else "a")
        for size, apart in zip(sizes, wrong, strict=True)
        for unit in range(size)
    ]
    documents = [f"d{place}" for place, size in enumerate(sizes) for _ in range(size)]
    return figures(units_of(annotations(rows, documents=documents))).measures["observed_agreement"]


@examples(20)
@given(st.lists(st.integers(0, 5), min_size=4, max_size=12), st.floats(0.02, 0.4))
def test_no_fewer_documents_would_do(wrong: list[int], half: float) -> None:
    figure, size = evenly([10] * len(wrong), wrong), len(wrong)
    if figure.spread is None or figure.value is None or not figure.spread.left_out_error:
        return
    value, error = figure.value, figure.spread.left_out_error
    squares = [(each - sum(wrong) / size) ** 2 for each in wrong]
    spent = sum(each * each for each in squares) / sum(squares) ** 2 - 1 / size

    def varies(documents: int) -> float:
        """As documents alike less one, or as what those leave that move most of the figure."""
        return max(1 / (documents - 1), spent * size / documents)

    def width(documents: int) -> float:
        """Log-normal around what is expected, the pilot's own error as uncertain."""
        longer = math.exp(0.8416 * math.sqrt(varies(size) + varies(documents)))
        moved = float(t.ppf(0.975, documents - 1)) * error * math.sqrt(size / documents) * longer
        middle, by = math.log(value / (1 - value)), moved / (value * (1 - value))
        low, high = (1 / (1 + math.exp(-middle - sign * by)) for sign in (-1, 1))
        return high - low

    found = clusters_for(value, figure.spread, size, half)
    assert width(found) <= 2 * half * (1 + 1e-9)
    assert found == 2 or width(found - 1) > 2 * half * (1 - 1e-9)


def test_a_plan_has_the_interval_as_it_is_and_what_each_narrower_one_takes() -> None:
    figure = evenly([10] * 7, [1, 3, 2, 4, 0, 2, 3])
    found = present(plan(figure, 7))
    assert isinstance(figure.interval, ConfidenceInterval)
    assert found.half_width == pytest.approx((figure.interval.high - figure.interval.low) / 2)
    assert [goal.half_width for goal in found.goals] == list(HALF_WIDTHS)
    assert [goal.more for goal in found.goals] == [goal.clusters - 7 for goal in found.goals]
    few, many = found.goals[0].clusters, found.goals[2].clusters
    assert 7 < few < found.goals[1].clusters < many


def test_documents_of_unlike_size_plan_for_more() -> None:
    like, unlike = (evenly(sizes, [2, 2, 2, 3, 1, 2]) for sizes in ([10] * 6, [4, 4, 4, 40, 4, 4]))
    shares = [each.spread.alike if each.spread else 0.0 for each in (like, unlike)]
    assert shares[0] == pytest.approx(6)
    assert shares[1] < 3
    plans_of_both = [plan(each, 6) for each in (like, unlike)]
    goals = zip(present(plans_of_both[0]).goals, present(plans_of_both[1]).goals, strict=True)
    assert all(few.clusters < many.clusters for few, many in goals)


def test_a_document_that_moves_most_plans_for_more() -> None:
    """Both are moved as much on average; in one a single document does it."""
    evenly_moved, unevenly = [1.0, -1.0] * 6, [11.0, *[-1.0] * 11]
    scale = math.sqrt(12 / 132)
    even, uneven = (
        Spread(np.array(moved), Clusters.of_documents(12), bounds=(0.0, 1.0))
        for moved in (evenly_moved, [each * scale for each in unevenly])
    )
    assert even.left_out_error == pytest.approx(uneven.left_out_error)
    assert even.degrees_left == math.inf
    # Σd⁴ / (Σd²)² is (11⁴ + 11) / 132², and a twelfth is that of documents that all move it.
    assert uneven.degrees_left == pytest.approx(1 / ((11**4 + 11) / 132**2 - 1 / 12))
    assert clusters_for(0.5, even, 12, 0.1) < clusters_for(0.5, uneven, 12, 0.1)


def test_the_command_names_every_option_that_can_not_be() -> None:
    done = run("plan", "--kappa", "1", "--half-width", "0")
    assert done.exit_code == 2
    assert "--kappa: 1 is not from 0 to less than 1" in done.stderr
    assert "--half-width: 0 is not between 0 and 1" in done.stderr


@pytest.mark.parametrize(
    ("kappa", "threshold"), [(0.8, 0.667), (0.6, 0.667), (0.5, 0.667), (0.75, 0.667), (0.9, 0.8), (0.6, 0.8)]
)
def test_units_planned_for_a_threshold_tell_it(kappa: float, threshold: float) -> None:
    random, prevalence = np.random.default_rng(3), 0.3
    units = present(units_to_tell(kappa, prevalence, threshold))
    apart = prevalence * (1 - prevalence) * (1 - kappa)
    drawn = random.multinomial(units, [prevalence - apart, 2 * apart, 1 - prevalence - apart], size=4000)
    shares, split = (drawn[:, 0] + drawn[:, 1] / 2) / units, drawn[:, 1] / units
    expected = 2 * shares * (1 - shares)
    values = 1 - split / expected
    each = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 0.0]])
    slopes = 2 * (1 - 2 * shares)[:, None] * (each[:, 0][None, :] - shares[:, None])
    off = each[:, 1][None, :] - split[:, None]
    moved = (split[:, None] * slopes - off * expected[:, None]) / expected[:, None] ** 2
    errors = np.sqrt((drawn * moved**2).sum(axis=1)) / units
    # On the scale of logits, as intervals of kappa are.
    told = np.abs(np.arctanh(values) - np.arctanh(threshold)) > 1.96 * errors / (1 - values**2)
    assert told.mean() == pytest.approx(0.8, abs=0.03)


def test_a_kappa_is_not_told_from_itself() -> None:
    assert units_to_tell(0.8, 0.3, 0.8) is None
    shown = run("plan", "--kappa", "0.8", "--threshold", "0.8")
    assert "none can" in shown.stdout
    assert "4 campaigns of 5" in run("plan", "--threshold", "0.667").stdout


def test_as_many_clusters_as_planned_show_a_difference_in_four_cases_of_five() -> None:
    spread, apart = 0.9, 0.2
    found = present(clusters_to_show(spread, apart))
    drawn = np.random.default_rng(5).normal(apart, spread, (5000, found))
    errors = drawn.std(axis=1, ddof=1) / math.sqrt(found)
    shown = np.abs(drawn.mean(axis=1)) > t.ppf(0.975, found - 1) * errors
    assert 0.78 < shown.mean() < 0.83
    assert clusters_to_show(1.0, 1e-9) is None


# Error rates.


@pytest.mark.parametrize(("rate", "units"), [(0.05, [59, 93, 124, 153, 181]), (0.01, [299, 473, 628, 773])])
def test_units_that_show_an_error_rate_at_95(rate: float, units: list[int]) -> None:
    assert [units_to_inspect(rate, errors) for errors in range(len(units))] == units


@examples(60)
@given(st.floats(0.001, 0.9), st.integers(0, 12), st.floats(0.5, 0.999))
def test_no_fewer_units_would_do(rate: float, errors: int, confidence: float) -> None:
    units = present(units_to_inspect(rate, errors, confidence))
    assert binom.cdf(errors, units, rate) <= 1 - confidence + 1e-9
    assert binom.cdf(errors, units - 1, rate) > 1 - confidence - 1e-9


@pytest.mark.slow
def test_what_takes_more_than_a_million_units_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    assert units_to_inspect(1e-7) is None
    monkeypatch.setattr(standard_errors, "MOST_UNITS", 59)
    assert units_to_inspect(0.05) == 59
    monkeypatch.setattr(standard_errors, "MOST_UNITS", 58)
    assert units_to_inspect(0.05) is None


# Shares.

# φ of a human's labels of a tenth of the units and of a model with sensitivity .9 and specificity .8, which
# reports .27: .1 (.9 - .27) / √(.09 · .1971).
CORRELATION = 0.063 / math.sqrt(0.09 * 0.27 * 0.73)


@examples(60)
@given(st.floats(0.01, 0.25), st.floats(0.005, 0.3), st.floats(0, 1), st.integers(1, 10**6))
def test_planned_units_have_the_interval(spread: float, half: float, correlation: float, pool: int) -> None:
    def width(units: int) -> float:
        return 1.96 * math.sqrt(spread / units * (1 - correlation * correlation * (1 - units / pool)))

    units = units_in_pool(spread, correlation, half, pool)
    assert units == pool or width(units) <= half * (1 + 1e-6)
    assert units == 1 or width(units - 1) > half * (1 - 1e-6)


def test_labels_taken_from_a_pool_of_the_models() -> None:
    # 384.16 · (1 - .2237) / (1 - 384.16 · .2237 / 2200) = 310.3
    assert units_in_pool(0.09, CORRELATION, 0.03, 2200) == 311
    assert units_in_pool(0.09, CORRELATION, 0.03, 10**9) == 299
    # A model that tells nothing: .09 (1.96 / .03)². One that never errs, beside as many units as one likes.
    assert units_in_pool(0.09, 0.0, 0.03, 2200) == 385
    assert units_in_pool(0.09, 1.0, 0.03, 10**6) == units_in_pool(0.09, 1.0, 0.03, 2200) == 1
    assert units_in_pool(0.09, 0.5, 0.001, 500) == 500


# The command.


def test_the_command_says_how_many_units_to_check() -> None:
    answer = run("plan", "--error-rate", "0.05")
    assert (answer.exit_code, answer.stderr) == (0, "")
    words = " ".join(answer.stdout.split())
    for row in ("0 59 0.55", "1 93 0.76", "2 124 0.87", "3 153 0.93", "4 181 0.96"):
        assert row in words
    (plan,) = json.loads(run("plan", "--error-rate", "0.01", "--errors", "2", "--json").stdout)
    assert (plan["units"], plan["errors"], plan["confidence"]) == (628, 2, 0.95)
    assert plan["shown_at"]["probability"] == pytest.approx(binom.cdf(2, 628, 0.002))
    (surer,) = json.loads(
        run("plan", "--error-rate", "0.05", "--errors", "0", "--confidence", "0.99", "--json").stdout
    )
    assert surer["units"] == 90


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        (["--kappa", "0.8", "--prevalence", "0.1", "--half-width", "0.05"], 2 * 1841),
        (["--kappa", "0.8", "--prevalence", "0.1", "--threshold", "0.667"], 2 * 692),
        (["--error-rate", "0.05", "--errors", "0"], 59),
    ],
)
def test_every_plan_has_hours_and_money_where_they_are_asked_for(options: list[str], labels: int) -> None:
    asked = [*options, "--cost", "0.4/label", "--minutes", "2"]
    (plan,) = json.loads(run("plan", *asked, "--json").stdout)
    assert (plan["labels"], plan["hours"]) == (labels, round(labels / 30, 2))
    assert plan["cost"] == pytest.approx(0.4 * labels)
    words = " ".join(run("plan", *asked).stdout.split())
    assert "labels" in words
    assert f"{0.4 * labels:,.2f}" in words
    (hourly,) = json.loads(run("plan", *options, "--cost", "15/hour", "--minutes", "2", "--json").stdout)
    assert hourly["cost"] == pytest.approx(labels / 2)
    (bare,) = json.loads(run("plan", *options, "--json").stdout)
    assert {"labels", "hours", "cost"}.isdisjoint(bare)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--error-rate", "1"], "--error-rate: 1 is not between 0 and 1."),
        (["--error-rate", "0.1", "--errors", "-1"], "--errors: -1 is not from 0 to 10,000."),
        (["--error-rate", "0.0000001"], "--error-rate: takes more than a million units."),
        (["--error-rate", "0.1", "--kappa", "0.8"], "--kappa: means nothing with --error-rate."),
        (["--confidence", "0.9"], "--confidence: means nothing without --error-rate."),
        (["--cost", "cheap"], '--cost: "cheap" is not a price. Write it like 0.4/label or 15/hour.'),
        (["--cost", "3/hour"], "--cost: is by the hour. Say how many minutes a label takes: --minutes 2."),
        (["--minutes", "0"], "--minutes: 0 is not above 0."),
    ],
)
def test_the_command_says_which_option_is_wrong(options: list[str], said: str) -> None:
    answer = run("plan", *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr


DESIGN = Design(12, 0.1, 2, MIXES[4, 0.8], factor=0.75)
CAMPAIGNS = 12


def whole(labels: Labels, categories: int) -> UnitsOfAll:
    """One campaign's labels (documents, units, annotators) with their counts."""
    documents, units, annotators = labels.shape
    rows = replace(
        coded(labels.reshape(-1, annotators)),
        categories=tuple("abcd"[:categories]),
        documents=tuple(map(str, range(documents))),
        document=np.repeat(np.arange(documents), units),
    )
    return UnitsOfAll(rows, count(rows), ScaleSetting())


def estimates(of: UnitsOfAll, categories: int) -> dict[str, Estimate]:
    found = figures_named(of, "observed_agreement", "krippendorff_alpha")
    if of.annotators == 2:
        found |= figures_named(of.pair, "cohen_kappa")
    return found | {"specific_agreement": specific_agreement(of.profiles, categories - 1)}


def drawn(design: Design, seed: int) -> tuple[Labels, Labels]:
    random = np.random.default_rng(seed)
    given = revisions.material(design, CAMPAIGNS, random)
    return (
        revisions.annotated(given, design, 1.0, random),
        revisions.annotated(given, design, design.factor, random),
    )


def p_value(one: Estimate, other: Estimate, test: str) -> float:
    if test == "paired":
        found = difference(one, other, same_material=True)
    else:
        first, second = contributions_of(one), contributions_of(other)
        assert isinstance(first, Contributions)
        assert isinstance(second, Contributions)
        found = unpaired(*stretched(first, second, present(one.spread).bounds))
    return found.p if isinstance(found, EstimateDifference) else float("nan")


@pytest.mark.parametrize("test", ["paired", "unpaired"])
@pytest.mark.parametrize("annotators", [2, 3])
def test_the_p_values_of_the_simulation_are_reportgen_s(annotators: int, test: str) -> None:
    design = replace(DESIGN, annotators=annotators)
    labels = drawn(design, seed=1)
    sums = [batches.batch(each, 4) for each in labels]
    theirs = [[estimates(whole(each[place], 4), 4) for place in range(CAMPAIGNS)] for each in labels]
    with np.errstate(invalid="ignore", divide="ignore"):
        for name, figure in design.figures.items():
            ours = (batches.paired if test == "paired" else batches.unpaired)(*map(figure, sums))
            expected = [p_value(a[name], b[name], test) for a, b in zip(*theirs, strict=True)]
            # Where fewer than six documents have the rarest category, reportgen prints no p value.
            few = np.isnan(expected)
            assert not few.any() or name == "specific_agreement"
            shown = np.where(few, np.nan, ours.two_sided).tolist()
            assert shown == pytest.approx(expected, rel=1e-9, nan_ok=True), name


@pytest.mark.slow
def test_the_tests_err_about_one_time_in_twenty_and_pairing_sees_most() -> None:
    """A small run: with 1,200 campaigns a share of .05 is known to ± .013, and the bounds are wider."""
    design = Design(20, 0.1, 2, MIXES[2, 0.5])
    noise = revisions.rejected(design, 1200)
    gain = revisions.rejected(replace(design, factor=power.BETTER), 600)
    for name in design.figures:
        assert 0.03 <= noise.shares[name, "paired"] <= 0.07
        assert 0.03 <= noise.shares[name, "unpaired, others"] <= 0.07
        assert noise.shares[name, "unpaired"] < 0.02
        assert (
            gain.shares[name, "paired"]
            > gain.shares[name, "unpaired, others"]
            > gain.shares[name, "unpaired"]
        )
    assert max(noise.gate.values()) <= AT + 0.015
