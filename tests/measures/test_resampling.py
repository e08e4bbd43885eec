"""Sums over clusters give the figures, and intervals are those of clusters drawn, or left out one by one."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from reportgen.measures import ConfidenceInterval, UnitSetAgreement
from reportgen.measures.resampling import UnitSums, cluster_sums, figures_by_units, sums_layout
from tests.measures.made import Matrix, annotations, figures, units_of
from tests.present import present
from tests.properties import examples

NAMES = ("1", "2", "4", "none")
TABLE: Matrix = [[0, 0.3, 1, 2], [0.3, 0, 0.5, 1.5], [1, 0.5, 0, 1], [2, 1.5, 1, 0]]
Rows = Sequence[Sequence[str | None]]


def analysed(
    rows: Rows, documents: Sequence[str | None] = (), weights: Sequence[int] = (), scale: str = "nominal"
) -> UnitSetAgreement:
    export = annotations(rows, documents=documents, weights=weights)
    units = units_of(export, categories=NAMES[:3], non_annotated="none", scale=scale)
    return figures(units, {"expert": TABLE})


def some(annotators: int, *, missing: bool, units: int = 60, seed: int = 1) -> list[list[str | None]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, units)
    wrong = random.random((units, annotators)) < 0.25
    label = np.where(wrong, random.integers(0, 4, (units, annotators)), truth[:, None])
    gone = random.random((units, annotators)) < (0.2 if missing else 0)
    return [
        [None if g else NAMES[c] for c, g in zip(*row, strict=True)]
        for row in zip(label.tolist(), gone.tolist(), strict=True)
    ]


@pytest.mark.parametrize("documents", [True, False])
@pytest.mark.parametrize(("annotators", "missing"), [(2, False), (2, True), (4, True)])
def test_intervals_are_those_of_a_bootstrap_and_of_leaving_out_where_there_is_much(
    annotators: int,
    missing: bool,  # noqa: FBT001 - pytest gives it by name
    documents: bool,  # noqa: FBT001
) -> None:
    rows = some(annotators, missing=missing, units=1500)
    names = [f"d{place % 300}" for place in range(len(rows))] if documents else ()
    found = analysed(rows, names)
    for units, computed in figures_by_units(present(found.whole)):
        clusters = cluster_sums(units, sums_layout(units, distances=True))
        each = clusters.columns[:, np.repeat(np.arange(len(clusters.times)), clusters.times)].T
        size = len(each)
        random = np.random.default_rng(2007)
        drawn = np.stack([each[random.integers(0, size, size)].sum(axis=0) for _ in range(1000)])
        without = clusters.total[None, :] - each
        for name in computed.keys() & found.measures.keys():
            interval, value = found.measures[name].interval, found.measures[name].value
            assert isinstance(interval, ConfidenceInterval)
            assert value is not None
            ends = np.quantile(computed[name](UnitSums(clusters.layout, drawn)), (0.025, 0.975))
            moved = computed[name](UnitSums(clusters.layout, without)) - value
            half = t.ppf(0.975, size - 1) * math.sqrt((size - 1) / size * float((moved**2).sum()))
            for low, high in (ends, (value - half, value + half)):
                assert abs(low - interval.low) < 0.12 * (interval.high - interval.low), name
                assert abs(high - interval.high) < 0.12 * (interval.high - interval.low), name


labels_of_units = st.lists(
    st.tuples(st.tuples(*[st.sampled_from([*NAMES, None])] * 3), st.integers(0, 3), st.integers(1, 4)),
    min_size=2,
    max_size=12,
)


@examples(40)
@given(labels_of_units)
def test_sums_over_all_clusters_give_the_figures_themselves(
    rows: list[tuple[tuple[str | None, ...], int, int]],
) -> None:
    documents = [f"d{document}" if document else None for _, document, _ in rows]
    found = analysed([row for row, *_ in rows], documents, [weight for *_, weight in rows])
    if len(found.units.annotators) < 3:
        return
    for units, computed in figures_by_units(present(found.whole)):
        chosen = sums_layout(units, distances=True)
        total = UnitSums(chosen, cluster_sums(units, chosen).total[None, :])
        for name in computed.keys() & found.measures.keys():
            value = found.measures[name].value
            ours = float(computed[name](total)[0])
            assert math.isnan(ours) if value is None else ours == pytest.approx(value, abs=1e-12), name
