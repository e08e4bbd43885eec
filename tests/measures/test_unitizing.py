"""Unitizing (Krippendorff 1995, 2004, 2016), gamma as it is asked for, boundaries of recordings."""

import json
import logging
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import metadata
from itertools import combinations, groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportgen.campaign.toml_tables import Unitizing as UnitizingTable
from reportgen.measures import Undefined, analyse_unitizing, unitizing
from reportgen.measures.unitizing import GammaFigures, boundary_agreement, coincidences, continua, gamma
from reportgen.results import Figure
from reportgen.results.marks import BoundaryAgreement, BoundaryShift, Unitizing
from tests.measures.made import expected, no_interval, observed, value
from tests.measures.unitized import Text, Unit, everything, spans_of, unitized
from tests.present import present
from tests.properties import examples

# Krippendorff (2004), section 11.6, page 254, and (1995), page 57: alpha for unitizing.
#
# The figures of 1995 are those that DKPro Statistics asserts, to its tolerances: the expected disagreement
# that the paper prints is believed to have a wrong sign in it, and the edition of 2004, which is followed
# here,
# mends it. Observed disagreement does not depend on how fine the continuum is cut; what is expected tends
# to a
# limit.


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


# Krippendorff, Mathet, Bouvry and Widlöcher (2016), Krippendorff (2019), section 12.6: the u-alpha family.
#
# The oracle takes the formulas character by character, as the R package quallmer does: no worked example is
# at
# hand, only the definitions, equations 32 to 38.


Table = dict[tuple[str, str], Fraction]
GAP = ""


def valued(length: int, units: Sequence[Unit]) -> list[tuple[str, int]]:
    """The value of each character, with the number of the segment that it is in."""
    kinds: list[set[str]] = [set() for _ in range(length)]
    cuts = {0, *(place for begin, end, _ in units for place in (begin, end))}
    for begin, end, kind in units:
        for place in range(begin, end):
            kinds[place].add(kind)
    segment, found = 0, []
    for place, names in enumerate(kinds):
        segment += place in cuts
        found.append(("|".join(sorted(names)), segment))
    return found


def by_character(texts: Sequence[Text]) -> dict[str, Fraction | None]:
    """The family by its definition, in which the expected coincidences are a whole table."""
    seen = [(length, list(copies.values())) for length, copies in texts if len(copies) > 1]
    together: Table = defaultdict(Fraction)
    own: Counter[str] = Counter()
    joint: Counter[str] = Counter()
    for length, copies in seen:
        read = [valued(length, units) for units in copies]
        for i, one in enumerate(read):
            others = [other for j, other in enumerate(read) if j != i]
            for other in others:
                for (c, _), (k, _) in zip(one, other, strict=True):
                    together[c, k] += Fraction(1, len(copies) - 1)
            for (kind, _), characters in groupby(enumerate(one), key=lambda item: item[1]):
                places = [place for place, _ in characters]
                shared = [place for place in places if any(other[place][0] for other in others)]
                own[kind] += len(places) if kind == GAP else len(places) ** 2
                joint[kind] += len(shared) ** 2
    values = sorted({c for c, _ in together} | {k for _, k in together})
    marked = [each for each in values if each != GAP]
    inside: Table = defaultdict(Fraction, {pair: n for pair, n in together.items() if GAP not in pair})
    found = {
        "u_alpha": _alpha(together, own, values, lambda c, k: c != k),
        "u_alpha_binary": _alpha(together, own, values, lambda c, k: (c == GAP) != (k == GAP)),
        "cu_alpha": _alpha(inside, joint, marked, lambda c, k: c != k),
    }
    return found | {f"ku_alpha[{name}]": _of_one(inside, joint, marked, name) for name in marked}


def _chance(together: Table, own: Counter[str], values: Sequence[str]) -> Table | None:
    total = sum(together.values(), start=Fraction())
    margin = {c: sum((together[c, k] for k in values), start=Fraction()) for c in values}
    if not total or total == Fraction(sum(own[c] for c in values)) / total:
        return None
    room = total - Fraction(sum(own[c] for c in values)) / total
    return {
        (c, k): (margin[c] * margin[k] - (own[c] if c == k else 0)) / room for c in values for k in values
    }


def _alpha(
    together: Table, own: Counter[str], values: Sequence[str], differ: Callable[[str, str], bool]
) -> Fraction | None:
    chance = _chance(together, own, values)
    if chance is None:
        return None
    by_eye, by_chance = (
        sum((table[c, k] for c in values for k in values if differ(c, k)), start=Fraction())
        for table in (together, chance)
    )
    return 1 - by_eye / by_chance if by_chance > 0 else None


def _of_one(together: Table, own: Counter[str], values: Sequence[str], name: str) -> Fraction | None:
    chance = _chance(together, own, values)
    if chance is None:
        return None
    by_eye, by_chance = (
        sum((table[c, name] for c in values), start=Fraction()) for table in (together, chance)
    )
    apart, apart_by_chance = by_eye - together[name, name], by_chance - chance[name, name]
    if not by_eye or apart_by_chance <= 0 or by_chance <= 0:
        return None
    return 1 - by_chance / by_eye * apart / apart_by_chance


def same(figure: Figure, of: Fraction | None) -> bool:
    if figure.value is None or of is None:
        return figure.value is None and of is None
    return figure.value == pytest.approx(float(of), abs=1e-12)


@examples(40)
@given(TEXTS)
def test_it_is_the_definition_character_by_character(texts: list[Text]) -> None:
    found = everything(unitized(*texts, types="XY"))
    for name, each in by_character(texts).items():
        assert same(found[name], each), (name, found[name], each)


def test_units_of_several_types_have_them_together_as_value() -> None:
    """On page 254 of Krippendorff (2004) units of c and k overlap, which only alpha_U has no part in."""
    found = everything(unitized(PAGE_254))
    assert {"ku_alpha[c]", "ku_alpha[k]", "ku_alpha[c|k]"} <= set(found)
    for name, each in by_character([PAGE_254]).items():
        assert same(found[name], each), name
    assert unitized(PAGE_254).several == 2


# Unitizing figures at the edges: perfect agreement, nothing marked, nobody to compare with, and order.


OVERALL = ("alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha")
TEXT: Text = (40, {"a": [(2, 8, "X"), (10, 14, "Y")], "b": [(4, 8, "X"), (9, 14, "X")]})


def reasons(found: Unitizing) -> dict[str, str]:
    return {name: str(each.undefined) for name, each in everything(found).items() if each.undefined}


def figures(found: Unitizing) -> dict[str, tuple[object, ...]]:
    return {
        name: (each.value, each.observed, each.expected, each.units, each.undefined)
        for name, each in everything(found).items()
    }


def test_sums_of_pairs_are_divided_by_the_annotators_beside_one_and_sums_of_annotators_are_not() -> None:
    copies = {who: [(0, 4, "X")] for who in "abc"}
    of = coincidences(continua(spans_of([(9, copies), (9, {"a": copies["a"], "b": [(2, 8, "X")]})])))
    assert of.by_document(of.own, pairs=False).tolist() == [12, 10]
    assert of.by_document(of.own).tolist() == [6, 10]


@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_identical_annotators_agree_perfectly(annotators: int) -> None:
    units = [(0, 5, "X"), (5, 9, "X"), (12, 20, "Y"), (30, 31, "Z")]
    found = unitized(*((60, {f"a{n}": units for n in range(annotators)}) for _ in range(3)))
    for name, each in everything(found).items():
        assert value(each) == 1, name
        assert no_interval(each).startswith("no disagreement was seen"), name


def test_a_text_that_both_mark_whole() -> None:
    """Places agree and could have differed; there is one value only, so that chance would agree on it too."""
    found = unitized((9, {"a": [(0, 9, "X")], "b": [(0, 9, "X")]}))
    assert value(found.measures["alpha_u"]) == 1
    only = str(Undefined.NO_EXPECTED_DISAGREEMENT)
    assert reasons(found) == dict.fromkeys(("u_alpha", "u_alpha_binary", "cu_alpha", "ku_alpha[X]"), only)


@pytest.mark.parametrize("lengths", [(5, 5), (5, 4)])
def test_of_three_two_marking_one_stretch_in_each_document_leaves_chance_no_room(
    lengths: tuple[int, ...],
) -> None:
    """Joint text counts half, so that its square is at most as much as that of the segments."""
    copies = [{"a": [(0, each, "X")], "b": [(0, each, "Y")], "c": []} for each in lengths]
    found = unitized(*((30, each) for each in copies))
    few = "what was marked jointly is too little to tell agreement from chance"
    assert {name: reasons(found).get(name) for name in ("cu_alpha", "ku_alpha[X]", "ku_alpha[Y]")} == {
        "cu_alpha": few,
        "ku_alpha[X]": few,
        "ku_alpha[Y]": few,
    }


def test_nothing_but_gaps() -> None:
    found = unitized((9, {"a": [], "b": []}), types="X")
    nothing = "nobody marked anything in the documents that two annotators saw"
    assert {name: reasons(found)[name] for name in OVERALL} == dict.fromkeys(OVERALL, nothing)
    assert reasons(found)["alpha_u[X]"] == str(Undefined.NOT_MARKED)
    assert reasons(found)["ku_alpha[X]"] == str(Undefined.NOT_MARKED)
    assert {each.units for each in everything(found).values()} == {0}


@pytest.mark.parametrize(
    "texts",
    [
        [(9, {"a": [(0, 3, "X")]}), (9, {"b": [(0, 3, "X")]})],
        [(9, {"a": [(0, 3, "X")]})],
        [(0, {"a": [], "b": []})],
    ],
    ids=["no text in common", "one annotator", "empty texts"],
)
def test_nobody_to_compare_with(texts: list[Text]) -> None:
    found = unitized(*texts, types="X")
    assert set(reasons(found).values()) == {"no document was seen by two annotators"}
    assert {each.units for each in everything(found).values()} == {0}
    assert found.pairs == ()


def test_nothing_marked_jointly() -> None:
    found = unitized((20, {"a": [(0, 3, "X")], "b": [(10, 13, "Y")]}))
    assert value(found.measures["u_alpha"]) < 0
    assert reasons(found) == {
        "cu_alpha": "no text was marked by two annotators",
        "ku_alpha[X]": "wherever this category was used, nobody else marked anything",
        "ku_alpha[Y]": "wherever this category was used, nobody else marked anything",
    }
    assert [everything(found)[name].units for name in reasons(found)] == [2, 1, 1]


def test_a_category_that_nobody_used_there() -> None:
    alone = (9, {"a": [(0, 3, "Z")]})
    found = unitized(TEXT, alone)
    assert reasons(found)["alpha_u[Z]"] == str(Undefined.NOT_MARKED)
    assert found.documents_alone == 1
    assert figures(unitized(TEXT, types="XYZ")) == figures(found)


def test_one_document_has_no_interval() -> None:
    for each in everything(unitized(TEXT)).values():
        assert no_interval(each) == "one document or unit alone does not show how figures vary"


def test_a_discontinuous_mark_is_several_units() -> None:
    spans = spans_of([(20, {"a": [(0, 3, "X"), (8, 11, "X")], "b": [(0, 3, "X")]})])
    split = spans_of([(20, {"a": [(0, 3, "X"), (8, 11, "X")], "b": [(0, 3, "X")]})])
    split.span_mark[1] = 0
    assert figures(analyse_unitizing(split)) == figures(analyse_unitizing(spans))


def test_stretches_of_one_type_that_overlap_are_one_unit_and_those_that_touch_are_two() -> None:
    one = {"b": [(0, 9, "X")]}
    over = unitized((20, {**one, "a": [(0, 5, "X"), (3, 9, "X"), (4, 6, "X")]}))
    assert (over.joined, over.units) == (2, 2)
    assert value(over.measures["alpha_u"]) == 1
    touching = unitized((20, {**one, "a": [(0, 5, "X"), (5, 9, "X")]}))
    assert (touching.joined, touching.units) == (0, 3)
    assert value(touching.measures["alpha_u"]) < 1
    assert value(touching.measures["u_alpha"]) == 1


def test_marks_without_a_character_are_no_units() -> None:
    found = unitized((20, {"a": [(2, 8, "X"), (5, 5, "X")], "b": [(2, 8, "X")]}))
    assert (found.empty, found.units) == (1, 2)
    assert value(found.measures["alpha_u"]) == 1


def test_who_did_not_see_a_document_is_missing_there() -> None:
    """A document that a third annotator did not see weighs as one of two annotators."""
    third = {**TEXT[1], "c": [(0, 6, "Y")]}
    found = unitized(TEXT, (40, third))
    assert (found.documents, found.characters, found.characters_read) == (2, 80, 40 * 2 + 40 * 3)
    assert figures(found) != figures(unitized((40, third), (40, third)))
    assert len(found.pairs) == 3
    assert [pair.documents for pair in found.pairs] == [2, 1, 1]
    assert found.pairs[0].measures["alpha_u"].value == unitized(TEXT, TEXT).measures["alpha_u"].value


def test_references_and_systems_are_not_among_them() -> None:
    texts = [(40, {**TEXT[1], "gold": [(0, 30, "Y")]})]
    found = analyse_unitizing(spans_of(texts, roles={"gold": "reference"}))
    assert figures(found) == figures(unitized(TEXT))


def test_with_more_than_50_annotators_there_are_no_pairs() -> None:
    found = unitized((40, {f"a{n}": [(n % 3, 8, "X")] for n in range(51)}))
    assert found.pairs == ()
    assert value(found.measures["alpha_u"]) > 0


FEW_TEXTS: list[Text] = [
    (100, {"a": [(4, 14, "X"), (20, 30, "Y")], "b": [(5, 14, "X"), (20, 25, "Y"), (60, 70, "X")]}),
    (50, {"a": [], "b": []}),
    (60, {"a": [(1, 5, "X")], "b": []}),
    (40, {"a": [(1, 5, "Y"), (7, 9, "Y")], "b": []}),
]


class Continuum:
    """Keeps what it was asked; `answers` are the gamma of each document with marks, by their number."""

    asked: list["Continuum"]
    answers: Sequence[float]

    def __init__(self) -> None:
        self.people: list[str] = []
        self.units: list[tuple[str, tuple[float, float], str]] = []
        self.bound_inf, self.bound_sup = -1.0, -1.0

    def add_annotator(self, name: str) -> None:
        self.people.append(name)

    def add(self, name: str, segment: tuple[float, float], kind: str) -> None:
        self.units.append((name, segment, kind))

    def compute_gamma(self, dissimilarity: object, **more: object) -> Any:  # noqa: ANN401
        self.dissimilarity, self.more, self.drawn = dissimilarity, more, float(np.random.random())  # noqa: NPY002
        self.quiet = logging.root.manager.disable
        value = self.answers[len(self.asked)]
        self.asked.append(self)
        return SimpleNamespace(gamma=value, gamma_cat=math.nan, gamma_k=lambda kind: value / (1 + int(kind)))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> type[Continuum]:
    """The stand-in, in place of the package and of what it is built on."""
    core = SimpleNamespace(Segment=lambda begin, end: (begin, end))
    own = SimpleNamespace(Continuum=Continuum, CombinedCategoricalDissimilarity=dict)
    monkeypatch.setitem(sys.modules, "pyannote", SimpleNamespace(core=core))
    monkeypatch.setitem(sys.modules, "pyannote.core", core)
    monkeypatch.setitem(sys.modules, "pygamma_agreement", own)
    monkeypatch.setattr(metadata, "version", lambda name: f"{name} 1")
    monkeypatch.setattr(Continuum, "asked", [], raising=False)
    monkeypatch.setattr(Continuum, "answers", (0.5, 1.0, -0.25), raising=False)
    return Continuum


def of(texts: Sequence[Text], setting: UnitizingTable | None = None) -> GammaFigures:
    return gamma(spans_of(texts, "XYZ"), setting or UnitizingTable())


def test_documents_weigh_by_their_units_and_those_without_marks_are_left_out(
    package: type[Continuum],
) -> None:
    found = of(FEW_TEXTS)
    assert len(package.asked) == 3
    assert (found.how.documents, found.how.left_out) == (4, 1)
    mean = (5 * 0.5 + 1 * 1.0 - 2 * 0.25) / 8
    assert value(found.measures["gamma"]) == pytest.approx(mean)
    assert found.measures["gamma"].units == 8
    assert found.measures["gamma"].recomputable is False
    # (G / (G - 1)) Σ (share · (value - mean))².
    parts = [share * (one - mean) for share, one in ((5 / 8, 0.5), (1 / 8, 1.0), (2 / 8, -0.25))]
    error = math.sqrt(3 / 2 * sum(part * part for part in parts))
    assert found.measures["gamma"].standard_error == pytest.approx(error)
    # Where chance has no disorder it is not defined.
    assert str(found.measures["gamma_cat"].undefined).startswith("no document has marks whose order")
    assert found.measures["gamma_cat"].units == 8


def test_gamma_of_a_type_is_over_the_documents_that_have_it(package: type[Continuum]) -> None:
    found = of(FEW_TEXTS)
    assert list(found.by_category) == ["X", "Y", "Z"]
    x, y, z = found.by_category.values()
    assert value(x) == pytest.approx((5 * 0.5 + 1 * 1.0) / 6)
    assert value(y) == pytest.approx((5 * 0.25 - 2 * 0.125) / 7)
    assert str(z.undefined).startswith("no document has marks whose order")
    assert package.asked[0].people == ["000000", "000001"]


def test_what_is_asked_is_the_marks_and_the_setting(package: type[Continuum]) -> None:
    setting = UnitizingTable(samples=10, seed=3, alpha=3, beta=2, delta_empty=0.5, precision=0.02)
    found = of(FEW_TEXTS, setting)
    first, second, _ = package.asked
    assert first.units == [
        ("000000", (4, 14), "0"),
        ("000001", (5, 14), "0"),
        ("000001", (60, 70), "0"),
        ("000000", (20, 30), "1"),
        ("000001", (20, 25), "1"),
    ]
    assert (first.bound_inf, first.bound_sup) == (0, 100)
    assert second.units == [("000000", (1, 5), "0")]
    assert (second.people, second.bound_sup) == (["000000", "000001"], 60)
    assert first.dissimilarity == {"alpha": 3, "beta": 2, "delta_empty": 0.5}
    assert first.more == {"n_samples": 10, "precision_level": 0.02}
    how = found.how
    assert (how.samples, how.seed, how.alpha, how.beta, how.delta_empty) == (10, 3, 3, 2, 0.5)
    assert how.libraries == {name: f"{name} 1" for name in unitizing.LIBRARIES}
    assert how.solver == "GLPK_MI"


def test_each_document_has_its_own_random_numbers_and_nobody_else_loses_theirs(
    package: type[Continuum],
) -> None:
    np.random.seed(5)  # noqa: NPY002
    of(FEW_TEXTS, UnitizingTable(seed=2**32 - 1))
    after = np.random.random()  # noqa: NPY002
    # By the document's place: the second has no marks.
    drawn = [np.random.RandomState(seed).random_sample() for seed in (2**32 - 1, 1, 2)]
    assert [each.drawn for each in package.asked] == drawn
    assert after == np.random.RandomState(5).random_sample()
    assert {each.quiet for each in package.asked} == {logging.WARNING}
    assert logging.root.manager.disable < logging.WARNING


def test_nobody_to_compare_or_nothing_marked_has_no_gamma(package: type[Continuum]) -> None:
    nothing = of([(50, {"a": [], "b": []})])
    assert {str(each.undefined)[:22] for each in nothing.measures.values()} == {"nobody marked anything"}
    alone = of([(50, {"a": [(1, 4, "X")]})])
    assert {str(each.undefined)[:11] for each in alone.measures.values()} == {"no document"}
    assert package.asked == []


def agreement(
    *texts: Text, tolerance: int | None = 2, roles: Mapping[str, str] | None = None
) -> BoundaryAgreement:
    return present(boundary_agreement(spans_of(texts, types="XY", roles=roles), tolerance))


Thing = TypeVar("Thing")

# A literal count: the most pairs of each pair of annotators and recording, by trying all.


def moments(length: int, units: Sequence[Unit]) -> list[int]:
    return sorted({moment for begin, end, _ in units for moment in (begin, end) if 0 < moment < length})


def most_pairs(one: Sequence[Thing], other: Sequence[Thing], near: set[tuple[Thing, Thing]]) -> int:
    if not one:
        return 0
    first, rest = one[0], one[1:]
    partners = [each for each in other if (first, each) in near]
    without = most_pairs(rest, other, near)
    tried = (1 + most_pairs(rest, [each for each in other if each != two], near) for two in partners)
    return max([without, *tried])


def literal(texts: Sequence[Text], near: int) -> dict[str, tuple[int, int]]:
    """Return twice the pairs and how much there is, of boundaries, stretches and labels."""
    found = dict.fromkeys(("boundaries", "stretches", "labels"), (0, 0))
    for length, copies in texts:
        for one, other in combinations(sorted(copies), 2):
            own, theirs = (moments(length, copies[who]) for who in (one, other))
            close = {(here, there) for here in own for there in theirs if abs(here - there) <= near}
            units = copies[one], copies[other]
            alike = {
                (here, there)
                for here in units[0]
                for there in units[1]
                if abs(here[0] - there[0]) <= near and abs(here[1] - there[1]) <= near
            }
            counted = {
                "boundaries": (most_pairs(own, theirs, close), len(own) + len(theirs)),
                "stretches": (most_pairs(*units, alike), sum(map(len, units))),
                "labels": (
                    most_pairs(*units, {two for two in alike if two[0][2] == two[1][2]}),
                    sum(map(len, units)),
                ),
            }
            for name, (pairs, there) in counted.items():
                found[name] = found[name][0] + 2 * pairs, found[name][1] + there
    return found


def shifts(texts: Sequence[Text], near: int) -> dict[str, list[int]]:
    """Return how much later somebody's boundaries are than others' that are each other's nearest."""
    later: dict[str, list[int]] = {}
    for length, copies in texts:
        for one, other in combinations(sorted(copies), 2):
            own, theirs = (moments(length, copies[who]) for who in (one, other))
            for here in own:
                for there in theirs:
                    nearest = min(theirs, key=lambda each: (abs(here - each), each))
                    back = min(own, key=lambda each: (abs(there - each), each))
                    if nearest == there and back == here and abs(here - there) <= near:
                        later.setdefault(one, []).append(here - there)
                        later.setdefault(other, []).append(there - here)
    return later


@st.composite
def copies(draw: st.DrawFn) -> Text:
    """A recording with stretches of two labels, no two of one copy alike; somebody may not have seen it."""
    length = draw(st.integers(1, 14))
    who = draw(st.sampled_from(["abc", "ab", "bc", "a", ""]))

    def marked() -> list[Unit]:
        found = []
        for kind in "XY":
            cuts = draw(st.lists(st.integers(0, length), max_size=6, unique=True))
            pairs = zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)
            found += [(begin, end, kind) for begin, end in pairs]
        return found

    return length, {name: marked() for name in who}


@given(st.lists(copies(), min_size=1, max_size=4), st.integers(0, 3))
@examples(300, deadline=None)
def test_pairs_and_shifts_are_those_of_a_literal_count(texts: list[Text], near: int) -> None:
    found = boundary_agreement(spans_of(texts, types="XY"), near)
    due = literal(texts, near)
    if not any(units for _, of in texts if len(of) > 1 for units in of.values()):
        assert found is None
        return
    assert found is not None
    assert (found.layer, found.tolerance, found.declared) == ("main", near, True)
    assert found.documents == sum(len(of) > 1 for _, of in texts)
    for name, (twice, there) in due.items():
        figure = getattr(found, name)
        assert figure.value == (twice / there if there else None), name
        assert figure.recomputable is False
        assert figure.units == there
    people = {name for _, of in texts if len(of) > 1 for name in of}
    later = shifts(texts, near)
    shown = sorted(people)[:1] if len(people) == 2 else sorted(people)
    assert [each.annotator for each in found.shifts] == shown
    for shift in found.shifts:
        own = later.get(shift.annotator, [])
        assert shift.boundaries == len(own)
        assert shift.later == (sum(own) / len(own) if own else None)


# What is near.


@pytest.mark.parametrize(("apart", "pairs"), [(2, 2), (3, 1)])
def test_what_is_just_as_far_away_as_the_tolerance_is_near(apart: int, pairs: int) -> None:
    for sign in (-1, 1):
        text = 40, {"a": [(10, 20, "X")], "b": [(10, 20 + sign * apart, "X")]}
        found = agreement(text, tolerance=2)
        assert value(found.boundaries) == pairs / 2
        assert value(found.stretches) == value(found.labels) == (pairs == 2)


def test_the_end_of_a_recording_is_not_near_the_beginning_of_the_next() -> None:
    """Of what both marked to the last moment, and from the first on, no boundary is inside."""
    last = 10, {"a": [(9, 10, "X")], "b": []}
    first = 10, {"a": [], "b": [(0, 1, "X")]}
    for near in (0, 1, 3, 7):
        found = agreement(last, first, tolerance=near)
        assert (value(found.boundaries), value(found.stretches)) == (0, 0)
        assert [shift.boundaries for shift in found.shifts] == [0]


def test_f_has_the_error_of_a_ratio_over_recordings() -> None:
    texts: list[Text] = [
        (40, {"a": [(5, 9, "X")], "b": [(5, end, "X"), *[(at, at + 5, "Y") for at in more]]})
        for end, more in ((9, []), (20, []), (9, [30]), (9, []), (22, [1]), (8, []))
    ]
    found = agreement(*texts, tolerance=1)
    ratios = [literal([text], 1)["boundaries"] for text in texts]
    twice, there = (np.array(column, dtype=float) for column in zip(*ratios, strict=True))
    mean = twice.sum() / there.sum()
    due = math.sqrt(6 / 5 * ((twice - mean * there) ** 2).sum()) / there.sum()
    assert found.boundaries.standard_error == pytest.approx(due)
    alike = agreement(*texts[:1] * 6, tolerance=1)
    # All that there is was paired, so that nothing differs.
    assert str(present(alike.boundaries.interval).undefined).startswith("no disagreement was seen")


def test_nothing_in_a_recording_but_its_ends_has_no_f_of_boundaries() -> None:
    found = agreement((9, {"a": [(0, 9, "X")], "b": [(0, 9, "Y")]}))
    assert found.boundaries.undefined == "nobody marked anything in the documents that two annotators saw"
    assert (value(found.stretches), value(found.labels)) == (1, 0)
    assert found.shifts == (BoundaryShift(annotator="a", boundaries=0),)


@pytest.mark.parametrize(
    ("lengths", "near"),
    [
        ([804], 200),
        ([800], 200),
        ([799], 199),
        ([4], 1),
        ([3], 1),
        ([1], 1),
        ([8, 400], 100),
        ([8, 400, 404], 100),
        ([404, 8, 400, 12], 100),
        ([20, 24, 400], 6),
    ],
)
def test_the_usual_tolerance_is_a_quarter_of_the_median_at_most(lengths: list[int], near: int) -> None:
    ends = np.cumsum(lengths).tolist()
    units = [(end - length, end, "X") for end, length in zip(ends, lengths, strict=True)]
    found = agreement((5000, {"a": units, "b": []}), tolerance=None)
    assert (found.tolerance, found.declared) == (near, False)


def test_no_two_have_marks_of_one_recording() -> None:
    marked: list[Unit] = [(1, 5, "X")]
    apart: list[Text] = [(9, {"a": marked}), (9, {"b": marked})]
    nothing: list[Text] = [(9, {"a": [], "b": []})]
    for texts in (apart, nothing, nothing[:0]):
        assert boundary_agreement(spans_of(texts, types="XY"), 2) is None
    roles = {"b": "reference"}
    assert boundary_agreement(spans_of([(9, {"a": marked, "b": marked})], roles=roles), 2) is None


def test_there_are_figures_of_up_to_fifty_annotators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unitizing, "MOST_ANNOTATORS", 3)
    marked: list[Unit] = [(1, 5, "X")]
    three = spans_of([(9, dict.fromkeys("abc", marked))])
    assert boundary_agreement(three, 2) is not None
    assert boundary_agreement(spans_of([(9, dict.fromkeys("abcd", marked))]), 2) is None


# Who is early.


def shifted(*later: int) -> BoundaryShift:
    """The shift of an annotator whose two boundaries in each recording are later by these."""
    texts: list[Text] = [(100, {"a": [(20 + by, 60 + by, "X")], "b": [(20, 60, "X")]}) for by in later]
    (shift,) = agreement(*texts, tolerance=9).shifts
    return shift


def test_a_shift_has_its_interval_from_six_recordings_on() -> None:
    few = shifted(3, 1, 2, -1, 5)
    often = ((-1, 2), (1, 2), (2, 2), (3, 2), (5, 2))
    assert few == BoundaryShift(annotator="a", boundaries=10, later=2, histogram=often)
    enough = shifted(3, 1, 2, -1, 5, 2)
    mean, error = 2, np.std([3, 1, 2, -1, 5, 2], ddof=1) / math.sqrt(6)
    half = stats.t.ppf(0.975, 5) * error
    assert (enough.boundaries, enough.later) == (12, mean)
    assert enough.low == pytest.approx(mean - half)
    assert enough.high == pytest.approx(mean + half)
    assert enough.p == pytest.approx(stats.ttest_1samp([3, 1, 2, -1, 5, 2], 0).pvalue)


def test_shifts_that_are_all_the_same_have_no_p() -> None:
    alike = shifted(*[2] * 6)
    assert (alike.later, alike.low, alike.high, alike.p) == (2, 2, 2, None)
