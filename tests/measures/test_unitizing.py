"""Unitizing: the figures of Krippendorff (1995, 2004, 2016), and their edges."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures import Undefined, analyse_unitizing
from reportgen.measures.unitizing import coincidences, continua
from reportgen.results import Figure
from reportgen.results.marks import Unitizing
from tests.measures.made import expected, no_interval, observed, value
from tests.measures.unitized import Text, Unit, everything, spans_of, unitized
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
