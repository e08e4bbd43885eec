"""Krippendorff, Mathet, Bouvry and Widlöcher (2016), Krippendorff (2019), section 12.6: the u-alpha family.

The oracle takes the formulas character by character, as the R package quallmer does: no worked example is at
hand, only the definitions, equations 32 to 38.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given

from reportgen.results import Figure
from tests.measures.made import expected, observed, value
from tests.measures.test_krippendorff_2004_unitizing import PAGE_254, TEXTS
from tests.measures.unitized import Text, Unit, everything, unitized
from tests.properties import examples

Table = dict[tuple[str, str], Fraction]
GAP = ""
TWO: Text = (20, {"a": [(2, 8, "X"), (10, 14, "Y")], "b": [(4, 8, "X"), (9, 14, "X")]})


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


def test_a_worked_example_by_hand() -> None:
    """Of 40 characters read, 15 are in units of the first, 9 of the second; 27 gap and gap, X and X 8."""
    found = everything(unitized(TWO))
    marked, gap = 6 + 4 + 4 + 5, 40 - 19
    x, y = 6 + 4 + 5, 4
    apart = 40 - 2 * 4 - 2 * (20 - 11)
    squares = 6**2 + 4**2 + 4**2 + 5**2
    assert observed(found["u_alpha"]) == pytest.approx(apart / 40, abs=1e-15)
    chance = (40**2 - x**2 - y**2 - gap**2) / (40**2 - squares - gap)
    assert expected(found["u_alpha"]) == pytest.approx(chance, abs=1e-15)
    binary = 2 * marked * gap / (40**2 - squares - gap)
    assert expected(found["u_alpha_binary"]) == pytest.approx(binary, abs=1e-15)
    # Both marked characters 4 to 8 and 10 to 14.
    inside = 16
    assert observed(found["cu_alpha"]) == pytest.approx(8 / inside, abs=1e-15)
    room = inside**2 - 4 * 4**2
    assert expected(found["cu_alpha"]) == pytest.approx((inside**2 - 12**2 - 4**2) / room, abs=1e-15)


def test_units_laid_at_random_agree_as_by_chance() -> None:
    random = np.random.default_rng(3)

    def copy(length: int) -> list[Unit]:
        begins = np.flatnonzero(random.random(length // 20) < 0.4) * 20
        return [(int(b), int(b + random.integers(3, 18)), "XY"[int(random.integers(2))]) for b in begins]

    # Places are random by blocks of 20; a copy is turned by a random number of characters.
    def turned(units: Sequence[Unit], by: int, length: int) -> list[Unit]:
        return [
            ((b + by) % length, (b + by) % length + e - b, kind)
            for b, e, kind in units
            if (b + by) % length + e - b <= length
        ]

    texts: list[Text] = [
        (4000, {"a": copy(4000), "b": turned(copy(4000), int(random.integers(4000)), 4000)})
        for _ in range(60)
    ]
    found = unitized(*texts).measures
    for name in ("alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha"):
        assert value(found[name]) == pytest.approx(0, abs=0.05), name
