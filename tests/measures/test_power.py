"""The simulation behind docs/comparing.md: its tests are reportgen's own, and a small run of it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import batches, power, revisions
from benchmarks.data import Labels, coded
from benchmarks.revisions import AT, MIXES, Design
from reportgen.counts import count
from reportgen.measures import Estimate, ScaleSetting, UnitsOfAll
from reportgen.measures.figures_of_sums import specific_agreement
from reportgen.measures.significance_tests import (
    Contributions,
    EstimateDifference,
    contributions_of,
    difference,
    stretched,
    unpaired,
)
from tests.measures.made import figures_named
from tests.present import present

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
