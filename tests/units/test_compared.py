"""Everybody's labels on the units of a unit set: which units, in whose order, and what is left as it was."""

from collections.abc import Mapping
from typing import Any

import pytest

from reportgen.campaign import UnitSet
from reportgen.counts import comparisons_csv, count_comparisons
from reportgen.units import ComparedUnits, LayerUnits
from reportgen.units.pseudonyms import Pseudonyms, with_pseudonyms
from tests.measures import made
from tests.units import marked

ROLES = {"gold": "reference", "sys": "system", "llm": "model"}
PEOPLE = ("sys", "ann", "gold", "bob")


def of_rows(kind: str = "items", size: int | None = None, **task: Any) -> LayerUnits:  # noqa: ANN401
    """Units x1 to x5 with what the system, two annotators and the reference said of each."""
    rows = [
        ("a", "a", "a", "a"),
        ("b", "none", "none", "none"),
        ("none", "none", "a", "none"),
        ("a", "b", "b", "none"),
        ("none", "none", "none", "none"),
    ]
    export = made.annotations(rows, annotators=PEOPLE)
    return made.study(export, made.declare(kind, size), roles=ROLES, non_annotated="none", **task)


def tables(compared: ComparedUnits) -> Mapping[tuple[str, str], list[tuple[str, str, int]]]:
    """Every two who are compared with their labels and on how many units."""
    found: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for line in comparisons_csv([(compared, count_comparisons(compared))]).splitlines()[1:]:
        *_, first, second, one, other, n = line.split(",")
        found.setdefault((first, second), []).append((one, other, int(n)))
    return found


def units(compared: ComparedUnits, key: str = "gold", other: str = "sys") -> int:
    return sum(n for *_, n in tables(compared)[key, other])


def test_people_stand_in_the_order_of_their_roles_and_annotators_alone_in_the_unit_sets() -> None:
    found = of_rows()
    assert found.unit_sets[0].annotators == ("ann", "bob")
    assert found.compared[0].units.annotators == ("gold", "ann", "bob", "sys")
    assert found.compared[0].roles == ("reference", "annotator", "annotator", "system")


def test_marks_of_others_are_still_left_out_of_agreement() -> None:
    found = of_rows()
    assert found.marks_read == found.marks_used + sum(each.marks for each in found.left_out)
    assert found.marks_used == 10


def test_where_all_are_annotators_nothing_is_compared() -> None:
    assert made.study(made.annotations([("a", "b")])).compared == ()


def test_every_unit_counts_that_both_labelled() -> None:
    found = tables(of_rows().compared[0])
    assert sorted(found) == [("gold", "ann"), ("gold", "bob"), ("gold", "sys")]
    assert found["gold", "sys"] == [
        ("a", "a", 1), ("a", "none", 1), ("b", "a", 1), ("none", "b", 1), ("none", "none", 1)
    ]  # fmt: skip


def test_annotated_by_any_keeps_what_an_annotator_or_one_of_the_two_marked() -> None:
    (compared,) = of_rows("annotated-by-any").compared
    assert units(compared) == 4
    # What the system alone marked is no unit between the reference and an annotator.
    assert units(compared, other="ann") == 3
    assert ("none", "none", 1) not in tables(compared)["gold", "ann"]


def test_annotated_by_all_keeps_what_all_annotators_and_both_marked() -> None:
    (compared,) = of_rows("annotated-by-all").compared
    assert units(compared) == 1
    assert "none" not in compared.units.categories


def test_a_declared_size_holds_everybody_s_marks_and_the_unmarked_rest() -> None:
    assert units(of_rows("declared", 50).compared[0]) == 50
    # The annotators marked two units, the reference and the system one more each.
    assert units(of_rows("declared", 2).compared[0]) == 4


def test_a_category_that_only_a_system_uses_counts_as_wrong() -> None:
    rows = [("a", "a", "a"), ("b", "b", "z")]
    export = made.annotations(rows, annotators=("gold", "ann", "sys"))
    found = made.study(export, roles=ROLES)
    assert ("b", "z", 1) in tables(found.compared[0])["gold", "sys"]


def test_the_first_label_of_everybody_counts() -> None:
    rows = [("a", "a", "b", "a")]
    export = made.annotations(rows, annotators=("gold", "ann", "sys", "sys2"))
    found = made.study(export, roles={**ROLES, "sys2": "system"}, same_as={"sys2": "sys"})
    assert tables(found.compared[0])["gold", "sys"] == [("a", "b", 1)]


def test_releases_of_one_system_are_two_and_not_passes() -> None:
    rows = [("a", "a", "b", "a")]
    export = made.annotations(rows, annotators=("gold", "ann", "s1", "s2"))
    found = made.study(export, roles={"gold": "reference", "s1": "system", "s2": "system"})
    assert [name for _, name in tables(found.compared[0])] == ["ann", "s1", "s2"]


def in_texts(*kinds: str | UnitSet, **task: Any) -> LayerUnits:  # noqa: ANN401
    """A text of four tokens, marked by everybody; the system alone marks the last token."""
    text = "one two three four"
    export = marked.annotations(
        marked.copy("ann", text, [(0, 3, "N")]),
        marked.copy("bob", text, [(0, 3, "N"), (4, 7, "V")]),
        marked.copy("gold", text, [(0, 3, "N"), (8, 13, "N")]),
        marked.copy("sys", text, [(0, 3, "V"), (14, 18, "N")]),
    )
    return marked.study(export, *kinds, roles=ROLES, **task)


def test_tokens_of_texts_are_the_same_whoever_marked_them() -> None:
    (compared,) = in_texts().compared
    found = tables(compared)
    assert units(compared) == compared.units.units == 4
    assert found["gold", "sys"] == [
        ("N", "V", 1), ("N", "(unmarked)", 1), ("(unmarked)", "N", 1), ("(unmarked)", "(unmarked)", 1)
    ]  # fmt: skip
    assert found["gold", "ann"] == [("N", "N", 1), ("N", "(unmarked)", 1), ("(unmarked)", "(unmarked)", 2)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("annotated-by-any", {"ann": 3, "sys": 4}), ("annotated-by-all", {"ann": 1, "sys": 1})],
)
def test_marked_stretches_are_chosen_by_annotators_and_the_two(
    kind: str, expected: Mapping[str, int]
) -> None:
    (compared,) = in_texts(kind).compared
    assert {name: units(compared, other=name) for name in expected} == expected


def test_who_did_not_see_a_document_is_not_compared_there() -> None:
    export = marked.annotations(
        marked.copy("gold", "one two", [(0, 3, "N")], "d1"),
        marked.copy("ann", "one two", [], "d1"),
        marked.copy("gold", "one two", [(0, 3, "N")], "d2"),
        marked.copy("sys", "one two", [(0, 3, "N")], "d2"),
    )
    (compared,) = marked.study(export, roles=ROLES).compared
    assert units(compared) == units(compared, other="ann") == 2


def test_pseudonyms_stand_in_what_is_compared_too() -> None:
    hidden = with_pseudonyms(of_rows(), Pseudonyms({name: f"A{place}" for place, name in enumerate(PEOPLE)}))
    assert hidden.compared[0].units.annotators == ("A2", "A1", "A3", "A0")
