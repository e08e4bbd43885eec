"""Second opinions: bootstrap and jackknife by document, and the pairs of Hayes and Krippendorff (2007)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, t

from benchmarks.data import coded, labels
from reportgen.counts import count
from reportgen.measures import ConfidenceInterval, Setting, UnitSetAgreement, UnitsOfAll
from reportgen.measures.cluster_sums import (
    ClusterSums,
    UnitSums,
    cluster_sums,
    figures_by_units,
    kinds_of_unit,
    resampled,
    sums_layout,
)
from reportgen.measures.resampling import NoOpinion, second_opinions
from reportgen.readers import NO_DOCUMENT
from reportgen.results.parts import LeftOneOut, Opinions, Resampled
from tests.measures.made import Matrix, annotations, figures, figures_named, units_of
from tests.properties import examples
from tests.slowly import slow_but

NAMES = ("1", "2", "4", "none")
TABLE: Matrix = [[0, 0.3, 1, 2], [0.3, 0, 0.5, 1.5], [1, 0.5, 0, 1], [2, 1.5, 1, 0]]
Rows = Sequence[Sequence[str | None]]
PINNED = (0.508196721, 0.762711864, 1000, 0)


def analysed(
    rows: Rows, documents: Sequence[str | None] = (), weights: Sequence[int] = (), scale: str = "nominal"
) -> UnitSetAgreement:
    export = annotations(rows, documents=documents, weights=weights)
    units = units_of(export, categories=NAMES[:3], non_annotated="none", scale=scale)
    return figures(units, {"expert": TABLE})


def opinions(found: UnitSetAgreement) -> dict[str, Opinions]:
    assert found.whole is not None
    return second_opinions(found.whole, found.measures)


def bootstrap(found: Opinions) -> Resampled:
    assert found.document_bootstrap.undefined is None
    return found.document_bootstrap


def jackknife(found: Opinions) -> LeftOneOut:
    assert found.document_jackknife.undefined is None
    return found.document_jackknife


def ends(found: Resampled | LeftOneOut) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


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


EXPECTED = {"krippendorff_alpha", "observed_agreement", "fleiss_kappa", "gwet_ac1", "bennett_s"}


@pytest.mark.parametrize(
    ("annotators", "missing", "scale"),
    slow_but(
        [
            (*who, scale)
            for who in ((2, False), (2, True), (4, True))
            for scale in ("nominal", "ordinal", "interval", "ratio")
        ],
        (2, False, "nominal"),
        (2, True, "interval"),
        (4, True, "ordinal"),
    ),
)
def test_the_jackknife_is_what_leaving_each_document_out_gives(
    annotators: int,
    missing: bool,  # noqa: FBT001 - pytest gives it by name
    scale: str,
) -> None:
    rows = some(annotators, missing=missing, units=90)
    documents = [f"d{place % 9}" for place in range(len(rows))]
    whole = analysed(rows, documents, scale=scale)
    found = opinions(whole)
    without: list[Mapping[str, float | None]] = []
    for document in sorted(set(documents)):
        kept = [place for place, name in enumerate(documents) if name != document]
        rest = analysed([rows[place] for place in kept], [documents[place] for place in kept], scale=scale)
        without.append({name: each.value for name, each in rest.measures.items()})
    assert found.keys() >= EXPECTED | {"krippendorff_alpha[expert]"}
    assert (annotators == 2) == ("cohen_kappa" in found)
    assert (scale == "nominal") != (f"krippendorff_alpha[{scale}]" in found)
    for name, each in found.items():
        moved = [values[name] - whole.measures[name].value for values in without]  # type: ignore[operator]
        by_hand = math.sqrt(8 / 9 * sum(value**2 for value in moved))
        assert jackknife(each).standard_error == pytest.approx(by_hand, rel=1e-8), name
        value = whole.measures[name].value
        assert value is not None
        low = value - t.ppf(0.975, 8) * by_hand
        assert jackknife(each).low == pytest.approx(low, rel=1e-7) or low < -1
        assert jackknife(each).clusters == 9


@pytest.mark.parametrize("documents", [True, False])
@pytest.mark.parametrize(("annotators", "missing"), [(2, False), (2, True), (4, True)])
def test_all_methods_agree_where_there_is_much(
    annotators: int,
    missing: bool,  # noqa: FBT001 - pytest gives it by name
    documents: bool,  # noqa: FBT001
) -> None:
    rows = some(annotators, missing=missing, units=1500)
    names = [f"d{place % 300}" for place in range(len(rows))] if documents else ()
    whole = analysed(rows, names)
    for name, each in opinions(whole).items():
        interval = whole.measures[name].interval
        assert isinstance(interval, ConfidenceInterval)
        width = interval.high - interval.low
        for low, high in (ends(bootstrap(each)), ends(jackknife(each))):
            assert abs(low - interval.low) < 0.12 * width, name
            assert abs(high - interval.high) < 0.12 * width, name


def sums_of(rows: Rows, documents: Sequence[str | None], weights: Sequence[int] = ()) -> ClusterSums:
    found = analysed(rows, documents, weights)
    assert found.whole is not None
    units = kinds_of_unit(found.whole)
    return cluster_sums(units, sums_layout(units, distances=True))


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
    assert found.whole is not None
    for units, computed in figures_by_units(found.whole):
        chosen = sums_layout(units, distances=True)
        total = UnitSums(chosen, cluster_sums(units, chosen).total[None, :])
        for name in computed.keys() & found.measures.keys():
            value = found.measures[name].value
            ours = float(computed[name](total)[0])
            assert math.isnan(ours) if value is None else ours == pytest.approx(value, abs=1e-12), name


def test_samples_are_as_large_as_what_they_are_drawn_from() -> None:
    rows = some(3, missing=True)
    documents = [None if place < 20 else f"d{place % 5}" for place in range(60)]
    found = sums_of(rows, documents, [1 + place % 3 for place in range(60)])
    # A column for each kind of cluster shows how often each was drawn.
    each = np.eye(len(found.times), dtype=np.int64)
    drawn = resampled(replace(found, columns=each), samples=400)
    assert (drawn[:, found.documents].sum(axis=1) == found.documents.sum()).all()
    assert (drawn[:, ~found.documents].sum(axis=1) == found.times[~found.documents].sum()).all()
    assert np.abs(drawn.mean(axis=0) - found.times).max() < 0.3


def test_units_that_are_all_alike_are_not_drawn() -> None:
    rows = [("1", "1", "1"), *[("1", "2", "2"), ("1", "1", "1")] * 4]
    documents = [None, *(f"d{place % 4}" for place in range(8))]
    found = sums_of(rows, documents, [10**9, *[1] * 8])
    drawn = resampled(replace(found, columns=np.eye(len(found.times), dtype=np.int64)))
    assert set(drawn[:, -1].tolist()) == {10**9}


def test_the_same_numbers_each_time() -> None:
    rows = some(2, missing=False)
    documents = [f"d{place % 9}" for place in range(len(rows))]
    assert opinions(analysed(rows, documents)) == opinions(analysed(rows, documents))
    # Typed in: another release of numpy, or another processor, has to give them too.
    found = bootstrap(opinions(analysed(rows, documents))["observed_agreement"])
    low, high = ends(found)
    assert (round(low, 9), round(high, 9), found.samples, found.left_out) == PINNED


@examples(10)
@given(st.permutations(range(60)))
def test_the_order_of_units_and_of_documents_changes_nothing(order: list[int]) -> None:
    rows = some(3, missing=True)
    before = opinions(analysed(rows, [f"d{place % 7}" for place in range(60)]))
    after = opinions(analysed([rows[place] for place in order], [f"d{place % 7}" for place in order]))
    for name, each in before.items():
        assert after[name].document_bootstrap == each.document_bootstrap
        one, other = jackknife(each), jackknife(after[name])
        assert other.standard_error == pytest.approx(one.standard_error, rel=1e-12)


def test_the_pairs_of_hayes_and_krippendorff_have_a_binomial_distribution() -> None:
    found = analysed([["1", "1"], ["1", "2"], ["2", "2"], ["2", "2"]] * 20)
    alpha = found.measures["krippendorff_alpha"]
    drawn = opinions(found)["krippendorff_alpha"].hayes_krippendorff
    assert drawn is not None
    assert alpha.expected is not None
    least, most = binom.ppf(0.025, 80, 0.25), binom.ppf(0.975, 80, 0.25)
    assert drawn.low == pytest.approx(1 - most / 80 / alpha.expected)
    assert drawn.high == pytest.approx(1 - least / 80 / alpha.expected)
    assert drawn.pairs == 80
    assert opinions(found)["observed_agreement"].hayes_krippendorff is None


def test_more_than_two_annotators_make_that_interval_too_narrow() -> None:
    found = analysed(some(4, missing=False, units=300))
    alpha = opinions(found)["krippendorff_alpha"]
    assert alpha.hayes_krippendorff is not None
    theirs = alpha.hayes_krippendorff.high - alpha.hayes_krippendorff.low
    low, high = ends(jackknife(alpha))
    assert theirs < 0.85 * (high - low)


def test_figures_without_an_interval_have_no_second_opinion() -> None:
    assert opinions(analysed([["1", "1"], ["2", "2"]])) == {}
    assert opinions(analysed([["1", "2"]])) == {}
    assert opinions(analysed([["1", None], [None, "2"]])) == {}


def test_a_figure_that_one_document_makes_undefined_has_no_jackknife() -> None:
    rows = [["1", "1"]] * 10 + [["2", "1"]] * 4 + [["2", "2"]] * 6
    found = opinions(analysed(rows, ["a"] * 10 + ["b"] * 10))["krippendorff_alpha"]
    assert found.document_jackknife == LeftOneOut(undefined=NoOpinion.WITHOUT_ONE)
    left_out = bootstrap(found).left_out or 0
    assert 200 < left_out < 300  # a quarter of the samples leave the second document out


def test_what_rests_on_two_units_has_no_second_opinion() -> None:
    rows = [["1", None]] * 8 + [["2", "1"], ["2", "2"]]
    found = opinions(analysed(rows, [f"d{place}" for place in range(10)]))
    assert "fleiss_kappa" not in found


def test_too_many_units_alone_are_not_resampled() -> None:
    rows = [["1", "1"], ["1", "2"], ["2", "2"]]
    found = opinions(analysed(rows, weights=[200_000, 5, 5]))
    assert found["gwet_ac1"] == Opinions(
        document_bootstrap=Resampled(undefined=NoOpinion.TOO_LARGE),
        document_jackknife=LeftOneOut(undefined=NoOpinion.TOO_LARGE),
    )


def test_ten_thousand_documents_have_second_opinions() -> None:
    given = labels(3)
    alone = coded(given)
    documents = np.arange(len(given)) // 10
    units = replace(alone, unit_document=documents)
    assert len(np.unique(documents)) == 10_000
    whole = UnitsOfAll(units, count(units), Setting())
    names = ("observed_agreement", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1")
    measures = figures_named(whole, *names)
    assert len(second_opinions(whole, measures)) == 4
    assert (alone.unit_document == NO_DOCUMENT).all()
