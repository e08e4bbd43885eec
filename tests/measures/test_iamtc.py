"""Explicit and implicit agreement of IAMTC, and their kappas: by definition, and how far they vary."""

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures import ConfidenceInterval, Estimate, UnitSetAgreement
from reportgen.measures.sets import sets_compared
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import CodedUnits
from tests.measures.made import Rows, annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples

NAMES = ("explicit_agreement", "explicit_kappa", "implicit_agreement", "implicit_kappa")
LABELS = ("a", "b", "a|b", "a|b|c", "{}", None)
LARGE, STEP = 10**9, 10**5

Pair = tuple[frozenset[str], frozenset[str]]


def found(rows: Rows, documents: list[str | None] | None = None, **task: Any) -> UnitSetAgreement:  # noqa: ANN401 - any key of [task]
    export = annotations(rows, separator="|", documents=documents or ())
    return figures(units_of(export, scale="set", **task))


def as_set(label: str) -> frozenset[str]:
    return frozenset(label.split("|")) if label != "{}" else frozenset()


def of_sets(rows: Rows, count: int | None) -> dict[str, float | None]:
    """The four figures by their definition, None where they are undefined."""
    size = count or len({name for row in rows for label in row if label for name in as_set(label)})
    shared = [
        [(as_set(row[g] or ""), as_set(row[h] or "")) for row in rows if row[g] and row[h]]
        for g, h in combinations(range(len(rows[0])), 2)
    ]
    met = [pairs for pairs in shared if pairs]
    if not any(one | other for pairs in met for one, other in pairs):
        return dict.fromkeys(NAMES)

    def explicit(pairs: list[Pair]) -> float | None:
        ratios = [2 * len(a & b) / (len(a) + len(b)) for a, b in pairs if a | b]
        return fmean(ratios) if ratios else None

    def implicit(pairs: list[Pair]) -> float:
        return fmean((size - len(a ^ b)) / size for a, b in pairs)

    def crossed(pairs: list[Pair]) -> list[Pair]:
        return list(product([a for a, _ in pairs], [b for _, b in pairs]))

    result: dict[str, float | None] = {}
    for kind, agree in (("explicit", explicit), ("implicit", implicit)):
        defined = [pairs for pairs in met if agree(pairs) is not None]
        observed = fmean(agree(pairs) or 0.0 for pairs in defined)
        expected = fmean(agree(crossed(pairs)) or 0.0 for pairs in defined)
        result[f"{kind}_agreement"] = observed
        result[f"{kind}_kappa"] = (observed - expected) / (1 - expected) if expected < 1 - 1e-12 else None
    return result


def test_one_says_buffalo_and_one_whisky_of_110000_senses() -> None:
    measures = found([("buffalo", "whisky")], category_count=110000).measures
    assert measures["implicit_agreement"].value == 109998 / 110000
    assert measures["explicit_agreement"].value == 0


def test_a_unit_without_a_category_is_left_out_and_counted_or_agreed_on() -> None:
    agreement = found([("a", "a"), ("a", "b"), ("{}", "{}"), ("{}", "a")])
    measures = agreement.measures
    explicit, implicit = measures["explicit_agreement"], measures["implicit_agreement"]
    assert value(explicit) == pytest.approx(1 / 3)
    assert value(implicit) == pytest.approx((1 + 0 + 1 + 1 / 2) / 4)
    assert (explicit.units, implicit.units) == (3, 4)
    # Pairings of the empty set with itself are left out of chance too: 2 · 1 of 16.
    assert measures["explicit_kappa"].expected == pytest.approx(4 / 14)
    account = present(sets_compared(present(agreement.whole)))
    assert (account.categories, account.declared, account.units_left_out) == (2, False, 1)
    assert (account.meetings, account.meetings_left_out, account.pairs) == (4, 1, 1)


@pytest.mark.parametrize("width", [2, 3])
def test_by_definition(width: int) -> None:
    @examples(40)
    @given(
        st.lists(st.tuples(*[st.sampled_from(LABELS)] * width), min_size=1, max_size=6),
        st.sampled_from([None, 50]),
    )
    def check(rows: Rows, count: int | None) -> None:
        measures = found(rows, category_count=count).measures
        for name, figure in of_sets(rows, count).items():
            # A kappa of one unit has nothing to tell chance by.
            if figure is None or (name.endswith("kappa") and measures[name].units == 1):
                assert measures[name].value is None
            else:
                assert value(measures[name]) == pytest.approx(figure, abs=1e-9)

    check()


@pytest.mark.slow
@examples(30)
@given(
    st.lists(st.tuples(st.tuples(*[st.sampled_from(LABELS)] * 3), st.integers(0, 3)), min_size=2, max_size=6),
    st.booleans(),
    st.integers(2, 3),
)
def test_standard_errors_are_those_of_derivatives_by_each_units_weight(
    rows: list[tuple[tuple[str | None, ...], int]],
    known: bool,  # noqa: FBT001
    width: int,
) -> None:
    documents = [f"d{document}" if known and document else None for _, document in rows]
    export = annotations([labels[:width] for labels, _ in rows], separator="|", documents=documents)
    units = units_of(export, scale="set")
    measures = figures(units).measures
    moved = slopes(units)
    for name in (*NAMES, "krippendorff_alpha[masi]", "weighted_kappa[masi]"):
        each = measures[name]
        if each.standard_error is not None:
            assert each.standard_error == pytest.approx(
                brute_force(units, each, [slope[name] for slope in moved], left_out="explicit" in name),
                rel=1e-4,
            ), name


def slopes(units: CodedUnits) -> list[dict[str, float]]:
    """The change of each figure with one more unit of each row."""
    weight = units.weight * LARGE

    def at(weights: Codes) -> dict[str, float]:
        measures = figures(replace(units, weight=weights)).measures
        return {name: each.value for name, each in measures.items() if each.value is not None}

    rows = []
    for row in range(len(weight)):
        step = np.zeros_like(weight)
        step[row] = STEP
        up, down = at(weight + step), at(weight - step)
        rows.append({name: (up[name] - down[name]) / (2 * STEP) * LARGE for name in up.keys() & down.keys()})
    return rows


def brute_force(units: CodedUnits, each: Estimate, moved: list[float], *, left_out: bool) -> float:
    """The standard error by its definition; documents without a compared unit are no clusters."""
    ratings = Counter(units.unit.tolist())
    blank = [not members for members in units.sets or ()]
    said = {
        unit
        for unit, label in zip(units.unit.tolist(), units.label.tolist(), strict=True)
        if not blank[label]
    }
    compared = [unit for unit, n in ratings.items() if n > 1 and (not left_out or unit in said)]
    documents = {int(units.document[unit]) for unit in compared} - {NO_DOCUMENT}
    sums: dict[int, float] = {}
    squares = 0.0
    for unit, slope in enumerate(moved):
        document = int(units.document[unit])
        if document == NO_DOCUMENT:
            squares += slope**2
        else:
            sums[document] = sums.get(document, 0.0) + slope
    groups = len(documents) or len(compared)
    corrected = bool(documents) or (len(units.annotators) > 2 and max(ratings.values()) > 2)
    factor = groups / (groups - 1) if corrected else 1.0
    assert each.units == len(compared)
    return math.sqrt(factor * (squares + sum(each**2 for each in sums.values())))


@pytest.mark.parametrize("width", [2, 3])
def test_perfect_agreement_is_1(width: int) -> None:
    measures = found([("a|b",) * width, ("c",) * width, ("{}",) * width]).measures
    assert [value(measures[name]) for name in NAMES] == [1, 1, 1, 1]
    for name, units in (("explicit_agreement", 2), ("implicit_agreement", 3)):
        interval = measures[name].interval
        assert isinstance(interval, ConfidenceInterval)
        assert interval.low == pytest.approx(0.05 ** (1 / units))
    kappa = measures["explicit_kappa"]
    assert isinstance(kappa.interval, ConfidenceInterval)
    # Two units, and a quarter of agreement by chance.
    assert kappa.expected == pytest.approx(0.25)
    assert kappa.interval.low == pytest.approx(1 - (1 - 0.05 ** (1 / 2)) / 0.75)


def reasons(rows: Rows) -> dict[str, str]:
    measures = found(rows).measures
    return {name: str(measures[name].undefined) for name in NAMES if measures[name].value is None}


@pytest.mark.parametrize("width", [2, 3])
def test_undefined_is_said_in_words(width: int) -> None:
    nothing = "nobody gave a category to any unit that two annotators rated: there is nothing to compare"
    assert reasons([("{}",) * width] * 3) == dict.fromkeys(NAMES, nothing)
    one = "only one category was used where labels can be compared, so that the expected disagreement is zero"
    assert reasons([("a|b",) * width] * 3) == {"explicit_kappa": one, "implicit_kappa": one}
    apart = [tuple("a" if who == unit else None for who in range(width)) for unit in range(width)]
    shared = "both annotators" if width == 2 else "two annotators"
    assert reasons(apart) == dict.fromkeys(NAMES, f"no unit was rated by {shared}")


def test_nobody_and_one_alone_have_no_agreement() -> None:
    for rows in ([("a",), ("b",)], []):
        assert set(reasons(rows).values()) == {"no unit was rated by two annotators"}


def test_a_pair_without_any_category_is_left_out_of_the_mean() -> None:
    agreement = found([("{}", "{}", "a"), ("{}", "{}", None), ("{}", "{}", "b")])
    assert value(agreement.measures["explicit_agreement"]) == 0
    assert agreement.mean_over_pairs["explicit_agreement"].pairs == 2
    account = present(sets_compared(present(agreement.whole)))
    assert (account.pairs, account.meetings, account.meetings_left_out, account.units_left_out) == (
        2,
        7,
        3,
        1,
    )


def test_counts_give_the_interval_whether_documents_are_known_or_not() -> None:
    rows = [("a", "a|b", "b"), ("b", "b", "a"), ("{}", "a", "c")]
    assert found(rows, ["d", "e", "f"]).measures["explicit_kappa"].recomputable
    assert found(rows).measures["explicit_kappa"].recomputable


def test_other_scales_have_no_such_figures() -> None:
    measures = figures(units_of(annotations([("a", "b"), ("b", "b")]))).measures
    assert not set(NAMES) & set(measures)
