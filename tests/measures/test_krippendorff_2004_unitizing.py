"""Krippendorff (2004), section 11.6, page 254, and (1995), page 57: alpha for unitizing.

The figures of 1995 are those that DKPro Statistics asserts, to its tolerances: the expected disagreement
that the paper prints is believed to have a wrong sign in it, and the edition of 2004, which is followed here,
mends it. Observed disagreement does not depend on how fine the continuum is cut; what is expected tends to a
limit.
"""

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measures.made import expected, observed, value
from tests.measures.unitized import Text, Unit, everything, unitized
from tests.properties import examples

# The continuum runs from 150 to 450; here it begins at 0.
PAGE_254: Text = (
    300,
    {
        "first": [(75, 145, "c"), (220, 250, "c"), (30, 90, "k"), (150, 200, "k")],
        "second": [(70, 150, "c"), (205, 225, "c"), (250, 270, "c"), (30, 90, "k"), (150, 200, "k")],
    },
)
FOUR = {
    "A": ([(2, 8), (14, 6)], [(4, 4), (15, 2)]),
    "B": ([(0, 18)], [(0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1)]),
    "C": ([(2, 6), (10, 2), (14, 4), (20, 2)], [(0, 2), (4, 4), (10, 4), (16, 2), (20, 2)]),
    "D": (
        [(0, 2), (2, 8), (10, 4), (14, 6), (20, 4)],
        [(0, 4), (4, 4), (8, 7), (15, 2), (17, 7)],
    ),
}
# D_o, D_e and alpha in the limit of a fine continuum.
PAGE_57 = {
    "A": (0.03125, 0.06990, 0.553),
    "B": (2.26736, 1.17731, -0.926),
    "C": (0.02777, 0.08642, 0.679),
    "D": (0.38715, 0.41445, 0.066),
}
C_BY_RESOLUTION = {
    Fraction(1, 2): (0.05494, 0.494),
    Fraction(5): (0.08234, 0.663),
    Fraction(50): (0.08600, 0.677),
}


def four(stretch: Fraction, types: str = "ABCD") -> Text:
    def units(place: int) -> list[Unit]:
        return [
            (int(begin * stretch), int(begin * stretch) + int(length * stretch), name)
            for name in types
            for begin, length in FOUR[name][place]
        ]

    return int(24 * stretch), {"first": units(0), "second": units(1)}


def test_the_example_of_page_254() -> None:
    found = everything(unitized(PAGE_254))
    assert value(found["alpha_u"]) == pytest.approx(0.8591, abs=5e-4)
    assert observed(found["alpha_u[c]"]) == pytest.approx(0.0144, abs=1e-4)
    assert expected(found["alpha_u[c]"]) == pytest.approx(0.0532, abs=1e-4)
    assert value(found["alpha_u[c]"]) == pytest.approx(0.7286, abs=1e-4)
    assert observed(found["alpha_u[k]"]) == 0
    assert expected(found["alpha_u[k]"]) == pytest.approx(0.0490, abs=1e-4)
    assert value(found["alpha_u[k]"]) == 1
    assert (found["alpha_u"].units, found["alpha_u[c]"].units) == (9, 5)


def test_the_four_categories_of_page_57() -> None:
    found = everything(unitized(four(Fraction(50_000))))
    for name, (by_eye, by_chance, alpha) in PAGE_57.items():
        figure = found[f"alpha_u[{name}]"]
        assert observed(figure) == pytest.approx(by_eye, abs=1e-5)
        assert expected(figure) == pytest.approx(by_chance, abs=0.005)
        assert value(figure) == pytest.approx(alpha, abs=0.02)


@pytest.mark.parametrize("stretch", C_BY_RESOLUTION)
def test_expected_disagreement_depends_on_how_fine_the_continuum_is(stretch: Fraction) -> None:
    by_chance, alpha = C_BY_RESOLUTION[stretch]
    figure = everything(unitized(four(stretch, "C")))["alpha_u[C]"]
    assert observed(figure) == pytest.approx(0.02777, abs=1e-5)
    assert expected(figure) == pytest.approx(by_chance, abs=0.005)
    assert value(figure) == pytest.approx(alpha, abs=0.02)


def test_every_case_of_shared(shared: Path) -> None:
    parts = {"": value, "Do": observed, "De": expected}
    checked = 0
    for file in sorted((shared / "cases").glob("*alphaU*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        found = everything(unitized(_text(case["data"])))
        for each in case["cases"]:
            metric, _, part = each["metric"].partition(".")
            name = f"alpha_u[{each['params']['category']}]" if metric == "alpha_u_category" else metric
            assert parts[part](found[name]) == pytest.approx(each["expected"], abs=each["tolerance"]), each
            checked += 1
    assert checked == 10


def _text(data: Mapping[str, object]) -> Text:
    start, length, raters, units = (data[name] for name in ("begin", "length", "raters", "units"))
    assert isinstance(start, int)
    assert isinstance(length, int)
    assert isinstance(raters, int)
    assert isinstance(units, list)
    copies: dict[str, list[Unit]] = {str(rater): [] for rater in range(raters)}
    for each in units:
        begin = each["begin"] - start
        copies[str(each["rater"])].append((begin, begin + each["length"], each["category"]))
    return length, copies


def test_one_short_unit_of_one_annotator_is_as_good_as_chance() -> None:
    """DKPro has D_o and D_e of 1/600 each here, and alpha 0."""
    figure = unitized((20, {"a": [(0, 1, "X")], "b": [], "c": []})).measures["alpha_u"]
    assert observed(figure) == pytest.approx(1 / 600, abs=1e-15)
    assert value(figure) == 0


# By brute force


def copies_of(length: int, types: str = "XY") -> st.SearchStrategy[list[Unit]]:
    """Units of one annotator, which don't overlap within a type but may touch."""

    def cut(points: Sequence[int], names: Sequence[str]) -> list[Unit]:
        ordered = sorted(points)
        return [
            (begin, end, name)
            for begin, end, name in zip(ordered, ordered[1:], names, strict=False)
            if name in types and begin < end
        ]

    points = st.lists(st.integers(0, length), max_size=7)
    return st.builds(cut, points, st.lists(st.sampled_from(types + "  "), min_size=8, max_size=8))


LENGTH = 14
TEXTS = st.lists(
    st.builds(
        lambda copies: (LENGTH, dict(zip("abcd", copies, strict=False))),
        st.lists(copies_of(LENGTH), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=3,
)


def cut(length: int, units: Sequence[tuple[int, int]]) -> list[tuple[int, int, bool]]:
    """Units and gaps of a continuum in order."""
    found, place = [], 0
    for begin, end in sorted(units):
        found += [(place, begin, False)] if begin > place else []
        found.append((begin, end, True))
        place = end
    return found + ([(place, length, False)] if place < length else [])


def delta(one: tuple[int, int, bool], other: tuple[int, int, bool]) -> int:
    """The squared distance of two pieces as the book defines it."""
    (b, e, unit), (c, f, also) = one, other
    if unit and also and b < f and c < e:
        return (b - c) ** 2 + (e - f) ** 2
    if unit and not also and c <= b and e <= f:
        return (e - b) ** 2
    if also and not unit and b <= c and f <= e:
        return (f - c) ** 2
    return 0


def by_definition(texts: Sequence[Text], kind: str) -> tuple[Fraction, Fraction]:
    """D_o and D_e of a type, times the length of the continuum, summed piece by piece."""
    seen = [(length, list(copies.values())) for length, copies in texts if len(copies) > 1]
    read = sum(length * len(copies) for length, copies in seen)
    together, lengths, gaps = Fraction(), [], []
    for length, copies in seen:
        pieces = [cut(length, [(b, e) for b, e, name in units if name == kind]) for units in copies]
        for i, one in enumerate(pieces):
            lengths += [e - b for b, e, unit in one if unit]
            gaps += [e - b for b, e, unit in one if not unit]
            others = [piece for j, other in enumerate(pieces) if j != i for piece in other]
            together += Fraction(
                sum(delta(piece, other) for piece in one for other in others), len(copies) - 1
            )
    chance = sum(
        Fraction((len(lengths) - 1) * (2 * l**3 - 3 * l**2 + l), 3)
        + l**2 * sum(g - l + 1 for g in gaps if g >= l)
        for l in lengths  # noqa: E741 - the letter of the formula
    )
    pairs = read * (read - 1) - sum(l * (l - 1) for l in lengths)  # noqa: E741
    return together / max(read, 1), Fraction(2 * chance) / max(pairs, 1)


@examples(40)
@given(TEXTS)
def test_it_is_the_definition_summed_piece_by_piece(texts: list[Text]) -> None:
    found = everything(unitized(*texts, types="XY"))
    sums = {kind: by_definition(texts, kind) for kind in "XY"}
    for kind, (apart, chance) in sums.items():
        figure = found[f"alpha_u[{kind}]"]
        if figure.value is None:
            assert chance == 0
        else:
            assert value(figure) == pytest.approx(float(1 - apart / chance), abs=1e-12)
    whole = [sum(column, start=Fraction()) for column in zip(*sums.values(), strict=True)]
    if found["alpha_u"].value is not None:
        assert value(found["alpha_u"]) == pytest.approx(float(1 - whole[0] / whole[1]), abs=1e-12)
    else:
        assert whole[1] == 0


def test_long_texts_do_not_overflow() -> None:
    """A text of 2 million characters, most of it one unit: the sums need more than 64 bits."""
    length = 2_000_000
    ends = [length - 1, length - 5, length - 3]
    found = unitized((length, {f"a{end}": [(0, end, "X")] for end in ends})).measures["alpha_u"]
    apart, chance = by_definition([(length, {f"a{end}": [(0, end, "X")] for end in ends})], "X")
    assert value(found) == pytest.approx(float(1 - apart / chance), rel=1e-14)


def test_many_texts_vary_as_the_interval_says() -> None:
    """The standard error is that of the jackknife over texts, to what 40 texts allow."""
    texts = made(40, np.random.default_rng(7))
    found = everything(unitized(*texts))
    without = [everything(unitized(*texts[:place], *texts[place + 1 :])) for place in range(len(texts))]
    for name, figure in found.items():
        left = np.array([value(each[name]) for each in without])
        jackknife = math.sqrt((len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum())
        assert figure.standard_error == pytest.approx(jackknife, rel=0.06), name


def made(texts: int, random: np.random.Generator) -> list[Text]:
    """Texts of two annotators, of whom the second misses some units, moves ends and changes types."""

    def copy(units: Sequence[Unit]) -> list[Unit]:
        kept = [each for each in units if random.random() < 0.8]
        return [
            (begin + int(random.integers(0, 3)), end, "XY"[int(random.random() < 0.3) ^ "XY".index(kind)])
            for begin, end, kind in kept
        ]

    found: list[Text] = []
    for _ in range(texts):
        length = int(random.integers(150, 400))
        begins = range(5, length - 20, 20)
        first = [
            (begin, begin + int(random.integers(4, 14)), "XY"[int(random.integers(2))])
            for begin in begins
            if random.random() < 0.6
        ]
        found.append((length, {"a": first, "b": copy(first)}))
    return found
