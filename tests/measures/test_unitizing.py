"""Unitizing figures at the edges: perfect agreement, nothing marked, nobody to compare with, and order."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from reportgen.measures import Undefined, analyse_unitizing
from reportgen.measures.unitizing import GammaFigures, alpha_u, coincidences, continua
from reportgen.results import Figure
from reportgen.results.marks import Gamma, Unitizing
from tests.measures.made import ends, no_interval, value
from tests.measures.test_krippendorff_2004_unitizing import TEXTS, made
from tests.measures.unitized import Text, everything, spans_of, unitized
from tests.properties import examples

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


def test_a_text_of_one_character_that_both_mark() -> None:
    found = unitized((1, {"a": [(0, 1, "X")], "b": [(0, 1, "X")]}))
    assert set(reasons(found)) == {*OVERALL, "alpha_u[X]", "ku_alpha[X]"}


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


def test_gamma_that_was_asked_for_is_beside_the_other_figures() -> None:
    own, of_kind = Figure(value=0.5), Figure(value=0.25)
    numbers = dict.fromkeys(("documents", "left_out", "samples", "seed", "alpha", "beta", "delta_empty"), 1)
    how = Gamma.model_validate({**numbers, "solver": "s", "libraries": {}})
    found = analyse_unitizing(spans_of([TEXT]), GammaFigures({"gamma": own}, {"X": of_kind}, how))
    assert (found.measures["gamma"], found.by_category["X"]["gamma_k"], found.gamma) == (own, of_kind, how)
    assert "gamma_k" not in found.by_category["Y"]


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


def test_too_little_marked_jointly_to_tell() -> None:
    """Two of five share one character: what one unit has in common is more than all pairs of annotators."""
    units = {"a": [(0, 1, "X")], "b": [(0, 1, "Y")], "c": [], "d": [], "e": []}
    found = unitized((20, units))
    assert reasons(found)["cu_alpha"] == "what was marked jointly is too little to tell agreement from chance"
    assert reasons(found)["ku_alpha[X]"] == reasons(found)["cu_alpha"]


def test_a_category_that_nobody_used_there() -> None:
    alone = (9, {"a": [(0, 3, "Z")]})
    found = unitized(TEXT, alone)
    assert reasons(found)["alpha_u[Z]"] == str(Undefined.NOT_MARKED)
    assert found.documents_alone == 1
    assert figures(unitized(TEXT, types="XYZ")) == figures(found)


def test_one_document_has_no_interval() -> None:
    for each in everything(unitized(TEXT)).values():
        assert no_interval(each) == "one document or unit alone does not show how figures vary"


def test_no_figure_can_be_computed_from_counts() -> None:
    assert not any(each.recomputable for each in everything(unitized(TEXT)).values())


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


def test_two_annotators_are_their_only_pair_and_need_no_list_of_pairs() -> None:
    assert unitized(TEXT).pairs == ()


def test_with_more_than_50_annotators_there_are_no_pairs() -> None:
    found = unitized((40, {f"a{n}": [(n % 3, 8, "X")] for n in range(51)}))
    assert found.pairs == ()
    assert value(found.measures["alpha_u"]) > 0


RENAMED = {"X": "Q", "Y": "A"}
CHANGES: dict[str, Callable[[list[Text]], list[Text]]] = {
    "documents": lambda texts: texts[::-1],
    "annotators": lambda texts: [
        (length, {chr(200 - ord(name)): units for name, units in copies.items()}) for length, copies in texts
    ],
    "units": lambda texts: [
        (length, {name: units[::-1] for name, units in copies.items()}) for length, copies in texts
    ],
    "mirror": lambda texts: [
        (
            length,
            {
                name: [(length - e, length - b, kind) for b, e, kind in units]
                for name, units in copies.items()
            },
        )
        for length, copies in texts
    ],
}


@pytest.mark.parametrize("change", CHANGES)
@examples(15)
@given(texts=TEXTS)
def test_order_and_names_change_nothing(change: str, texts: list[Text]) -> None:
    before = figures(unitized(*texts, types="XY"))
    assert figures(unitized(*CHANGES[change](texts), types="XY")) == before


@examples(20)
@given(texts=TEXTS)
def test_names_of_categories_change_nothing(texts: list[Text]) -> None:
    renamed: list[Text] = [
        (length, {name: [(b, e, RENAMED[kind]) for b, e, kind in units] for name, units in copies.items()})
        for length, copies in texts
    ]
    before = everything(unitized(*texts, types="XY"))
    after = everything(unitized(*renamed, types="QA"))
    for old, new in (
        *((name, name) for name in OVERALL),
        ("alpha_u[X]", "alpha_u[Q]"),
        ("ku_alpha[Y]", "ku_alpha[A]"),
    ):
        assert (before[old].value, before[old].undefined) == (after[new].value, after[new].undefined)


def test_intervals_follow_the_documents() -> None:
    """Texts that come twice do not make a figure more certain by more than twice the documents do."""
    texts = made(30, np.random.default_rng(1))
    once, twice = (unitized(*times).measures for times in (texts, [*texts, *texts]))
    for name in OVERALL:
        a, b = width(once[name]), width(twice[name])
        assert 1.3 < a / b < 1.55, name


@pytest.mark.parametrize("annotators", ["ab", "abc", "abcd"])
def test_what_documents_move_a_figure_by_adds_up_to_nothing(annotators: str) -> None:
    texts = [
        (
            40,
            {
                who: [(place * turn, 9, "X"), (12, 14 + turn * (place + 1), "Y")]
                for turn, who in enumerate(annotators)
            },
        )
        for place in range(4)
    ]
    overall, by_type = alpha_u(continua(spans_of(texts)))
    for each in (overall, *by_type):
        assert each.spread is not None
        assert abs(each.spread.influence).max() > 0.001
        assert each.spread.influence.sum() == pytest.approx(0, abs=1e-12)


def width(figure: Figure) -> float:
    low, high = ends(figure)
    return high - low
