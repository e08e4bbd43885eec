"""Exchanging the two versions of each document: held against trying every exchange anew, and scipy."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from reportgen.catalogue import BY_ID, base_id
from reportgen.counts import count
from reportgen.measures import Floats, Permuted, ScaleSetting, UnitsOfAll, coefficients, permutation
from reportgen.measures.resampling import NoPermutation
from reportgen.units import CodedUnits
from tests.measures.made import Matrix, annotations, figures, units_of
from tests.present import present
from tests.properties import examples
from tests.slowly import slow_but

NAMES = ("1", "2", "4", "none")
TABLE: Matrix = [[0, 0.3, 1, 2], [0.3, 0, 0.5, 1.5], [1, 0.5, 0, 1], [2, 1.5, 1, 0]]
Row = tuple[str | None, ...]
Documents = Sequence[Sequence[Row]]
NOMINAL = ("observed_agreement", "scott_pi", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "bennett_s")
# What a sample of 4,999 exchanges says of SAMPLED below.
PINNED = 0.001


def whole(documents: Documents, scale: str = "nominal", codes: Sequence[int] = ()) -> UnitsOfAll:
    """Documents of units; the code of each is its place, or as given."""
    rows = [row for document in documents for row in document]
    names = [f"d{place}" for place, document in enumerate(documents) for _ in document]
    export = annotations(rows, documents=names)
    units = units_of(export, categories=NAMES[:3], non_annotated="none", scale=scale)
    if codes:
        units = replace(units, document=np.array(codes)[units.document])
    return present(figures(units, {"expert": TABLE}).whole)


def value(units: CodedUnits, setting: ScaleSetting, figure: str) -> float | None:
    """The figure, computed anew from the units."""
    whole, measure = UnitsOfAll(units, count(units), setting), BY_ID[base_id(figure)]
    return coefficients.figures_of(measure, whole if measure.all else whole.pair)[figure].value


def swapped(one: CodedUnits, other: CodedUnits, documents: Sequence[int]) -> CodedUnits:
    """The units of one version, those of some documents being the other version's."""
    kept, taken = ~np.isin(one.document, documents), np.isin(other.document, documents)
    parts = []
    for side, here, start in ((one, kept, 0), (other, taken, int(kept.sum()))):
        rows = here[side.unit]
        parts.append((start + np.cumsum(here) - 1)[side.unit[rows]])
        parts.extend((side.annotator[rows], side.label[rows], side.document[here], side.weight[here]))
    joined = [np.concatenate(each) for each in zip(parts[:5], parts[5:], strict=True)]
    unit, annotator, label, document, weight = joined
    return replace(one, unit=unit, annotator=annotator, label=label, document=document, weight=weight)


def permuted(first: Documents, second: Documents, figure: str, scale: str = "nominal") -> Permuted:
    found = permutation(whole(first, scale), whole(second, scale), [figure])[figure]
    assert isinstance(found, Permuted), found
    return found


def choices(documents: Sequence[int]) -> Iterator[list[int]]:
    """Every choice of documents; the first is none."""
    for chosen in product((False, True), repeat=len(documents)):
        yield [place for place, swap in zip(documents, chosen, strict=True) if swap]


def by_hand(first: UnitsOfAll, second: UnitsOfAll, figure: str) -> tuple[float, float]:
    """The p value over all exchanges, and the share of those after which a figure is undefined."""
    one, other, setting = first.units, second.units, first.setting
    shared = np.intersect1d(one.document, other.document).tolist()
    apart: list[float | None] = []
    for chosen in choices(shared):
        sides = swapped(one, other, chosen), swapped(other, one, chosen)
        values = [value(side, setting, figure) for side in sides]
        apart.append(None if None in values else abs(values[1] - values[0]))  # type: ignore[operator]
    defined = [each for each in apart if each is not None]
    as_large = sum(each >= defined[0] - 1e-12 for each in defined)
    return as_large / len(defined), 1 - len(defined) / len(apart)


def campaign(annotators: int, documents: int, seed: int, units: int = 4) -> tuple[Documents, Documents]:
    """Two versions of documents with missing labels, the second with fewer errors."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, (documents, units, 1))

    def version(error: float) -> Documents:
        shape = (documents, units, annotators)
        label = np.where(random.random(shape) < error, random.integers(0, 4, shape), truth)
        gone = random.random(shape) < 0.1 * (annotators > 2)
        return [
            [
                tuple(None if g else NAMES[c] for c, g in zip(*row, strict=True))
                for row in zip(labels, lost, strict=True)
            ]
            for labels, lost in zip(label.tolist(), gone.tolist(), strict=True)
        ]

    return version(0.5), version(0.2)


SAMPLED = campaign(3, 20, seed=3)


EXCHANGED = (
    *((name, "nominal") for name in NOMINAL if name != "scott_pi"),
    ("cohen_kappa", "nominal"),
    ("krippendorff_alpha[expert]", "nominal"),
    ("krippendorff_alpha[ordinal]", "ordinal"),
    ("krippendorff_alpha[interval]", "interval"),
)


@pytest.mark.parametrize(
    ("figure", "scale", "annotators"),
    slow_but(
        [(*each, annotators) for each in EXCHANGED for annotators in (2, 3)],
        ("krippendorff_alpha", "nominal", 2),
        ("cohen_kappa", "nominal", 2),
        ("cohen_kappa", "nominal", 3),
        ("krippendorff_alpha[ordinal]", "ordinal", 3),
    ),
)
def test_every_exchange_is_tried_where_documents_are_few(figure: str, scale: str, annotators: int) -> None:
    first, second = (whole(each, scale) for each in campaign(annotators, 5, seed=7))
    found = permutation(first, second, [figure])[figure]
    if figure == "cohen_kappa" and annotators > 2:
        assert found is NoPermutation.NOT_FROM_SUMS
        return
    assert isinstance(found, Permuted)
    p, undefined = by_hand(first, second, figure)
    assert found.exact
    assert (found.p, found.undefined / found.samples) == pytest.approx((p, undefined), abs=1e-12)
    # A document with the same sums under both versions need not be exchanged.
    assert found.samples in {8, 16, 32}


labels = st.sampled_from(["1", "2"])
few = st.lists(st.tuples(labels, labels), min_size=1, max_size=2)
both_versions = st.lists(st.tuples(few, few), min_size=2, max_size=5)


@examples(30)
@given(both_versions)
def test_undefined_exchanges_are_left_out_and_counted(
    documents: list[tuple[list[Row], list[Row]]],
) -> None:
    first, second = whole([a for a, _ in documents]), whole([b for _, b in documents])
    answer = permutation(first, second, ["krippendorff_alpha"])["krippendorff_alpha"]
    if None in [value(each.units, each.setting, "krippendorff_alpha") for each in (first, second)]:
        assert answer is NoPermutation.UNDEFINED
        return
    p, undefined = by_hand(first, second, "krippendorff_alpha")
    if answer is NoPermutation.MOSTLY_UNDEFINED:
        assert undefined >= 0.5
        return
    assert isinstance(answer, Permuted)
    assert (answer.p, answer.undefined / answer.samples) == pytest.approx((p, undefined), abs=1e-12)


def test_scipy_finds_the_same_p_value() -> None:
    """Documents of one size: the difference of observed agreement is the mean of the documents'."""
    first, second = campaign(2, 10, seed=11, units=6)
    shares = [[np.mean([a == b for a, b in rows]) for rows in each] for each in (first, second)]

    def apart(one: Floats, other: Floats, axis: int) -> Floats:
        # Rounded: what is equal but for the last digit counts as equal.
        gains: Floats = np.round((one - other).sum(axis=axis) / one.shape[axis], 9)
        return gains

    ours = permuted(first, second, "observed_agreement")
    theirs = permutation_test(
        (np.array(shares[1]), np.array(shares[0])),
        apart,
        permutation_type="samples",
        n_resamples=10**9,
        vectorized=True,
    )
    assert ours.exact
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_samples_come_close_to_all_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = campaign(3, 9, seed=6)
    exact = permuted(first, second, "krippendorff_alpha")
    monkeypatch.setattr("reportgen.measures.resampling.MOST_EXACT", 2)
    found = permuted(first, second, "krippendorff_alpha")
    assert (exact.exact, found.exact, found.samples, found.seed) == (True, False, 4999, 1937)
    assert found.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 4999))
    # Of samples p is never below 1 in one more than there are.
    assert permuted(*SAMPLED, "krippendorff_alpha").p >= 1 / 5000


def test_the_same_numbers_each_time_and_everywhere() -> None:
    found = permuted(*SAMPLED, "krippendorff_alpha")
    assert found == permuted(*SAMPLED, "krippendorff_alpha")
    assert round(found.p, 9) == PINNED


def test_versions_that_do_not_differ_have_p_1() -> None:
    first, _ = SAMPLED
    found = permuted(first, first, "krippendorff_alpha")
    assert (found.p, found.samples, found.exact) == (1.0, 1, True)


def test_documents_of_one_version_alone_stay_where_they_are() -> None:
    first, second = campaign(2, 6, seed=2)
    one, other = whole(first, codes=(0, 1, 2, 3, 4, 5)), whole(second, codes=(2, 3, 4, 5, 6, 7))
    for name in ("observed_agreement", "krippendorff_alpha"):
        found = permutation(one, other, [name])[name]
        assert isinstance(found, Permuted)
        assert found.p == pytest.approx(by_hand(one, other, name)[0])


def test_versions_with_other_numbers_of_annotators_can_be_exchanged() -> None:
    (first, _), (_, second) = campaign(2, 5, seed=1), campaign(3, 5, seed=1)
    absent = whole([[(*row, None) for row in rows] for rows in first])
    for name in ("observed_agreement", "krippendorff_alpha"):
        found = permutation(whole(first), whole(second), [name])[name]
        assert isinstance(found, Permuted)
        assert found.p == pytest.approx(by_hand(absent, whole(second), name)[0], abs=1e-12)


def test_what_can_not_be_exchanged_says_why() -> None:
    first, second = campaign(2, 4, seed=9)
    alone = permutation(whole(first[:1]), whole(second[:1]), ["krippendorff_alpha"])
    assert alone["krippendorff_alpha"] is NoPermutation.ONE_DOCUMENT
    nobody = whole(first, codes=(-1, -1, -1, -1))
    assert permutation(nobody, nobody, ["scott_pi"])["scott_pi"] is NoPermutation.ONE_DOCUMENT
    one_label = whole([[("1", "1")], [("1", "1")]])
    found = permutation(one_label, one_label, ["scott_pi", "observed_agreement", "majority_agreement"])
    assert found["scott_pi"] is NoPermutation.UNDEFINED
    assert found["majority_agreement"] is NoPermutation.NOT_FROM_SUMS
    assert isinstance(found["observed_agreement"], Permuted)
    others = annotations([("x", "y")], documents=["d0"])
    with pytest.raises(ValueError, match="other categories"):
        permutation(whole(first), figures_of(others), ["scott_pi"])


def figures_of(export: object) -> UnitsOfAll:
    return present(figures(units_of(export)).whole)  # type: ignore[arg-type]


def test_too_much_to_exchange_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.measures.resampling.MOST_CELLS", 10)
    first, second = map(whole, SAMPLED)
    found = permutation(first, second, ["krippendorff_alpha"])
    assert found["krippendorff_alpha"] is NoPermutation.TOO_LARGE
