"""What is compared beside first labels: which units, which pass, which control item, each at its edge."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import ControlItem, ControlItems, Task
from reportgen.readers import Annotations, Ratings
from reportgen.units import ComparedUnits, LayerSettings, LayerUnits, build_study
from reportgen.units.labelled import Choice, MatchedControls, duplicates, find_controls, order_of_labels
from reportgen.units.labels import NO_CATEGORY
from reportgen.units.unit_sets import CodedUnits, Size
from tests.measures import made
from tests.present import present
from tests.units import marked
from tests.units.marked import rated
from tests.units.refusals import refusal

# Which units are compared, in units made by hand: of two annotators, a reference and a system.

ROLES = ("reference", "annotator", "annotator", "system")
ABSENT = 1


def everybody(labels: Sequence[str], weight: Sequence[int], choice: Choice = "every") -> ComparedUnits:
    """Return units with a sign for each person's label: x, - for unmarked, a blank for no label."""
    rows = [
        (unit, who, "x-".index(sign))
        for unit, row in enumerate(labels)
        for who, sign in enumerate(row)
        if sign != " "
    ]
    unit, annotator, label = np.array(rows, dtype=np.int64).T
    units = CodedUnits(
        layer="",
        annotators=("gold", "ann", "bob", "sys"),
        categories=("x", "(unmarked)"),
        weight=np.array(weight),
        unit=unit,
        annotator=annotator,
        label=label,
    )
    return ComparedUnits(units, ROLES, ("gold",), choice, ABSENT)


LABELS = ("xxxx", "----", "--x-", "x---", "xx-x", "x- x")


def chosen(choice: Choice, *people: int) -> list[int]:
    found = everybody(LABELS, (1, 1, 1, 1, 1, 1), choice)
    labels = [found.units.labels_of(person) for person in people]
    return np.flatnonzero(found.chosen(np.arange(len(LABELS)), *labels)).tolist()


def test_units_are_chosen_by_who_marked_them() -> None:
    assert chosen("every", 0, 3) == [0, 1, 2, 3, 4, 5]
    assert chosen("any", 0, 3) == [0, 2, 3, 4, 5]
    assert chosen("any", 3) == [0, 2, 4, 5]
    assert chosen("any") == [0, 2, 4]
    assert chosen("all", 0, 3) == chosen("all") == [0]


def test_both_have_to_mark_what_all_marked() -> None:
    found = everybody(("xxx-", "-xxx", "xxxx"), (1, 1, 1), "all")
    labels = [found.units.labels_of(person) for person in (0, 3)]
    assert found.chosen(np.arange(3), *labels).tolist() == [False, False, True]


@pytest.mark.parametrize("choice", ["every", "any", "all"])
def test_units_of_which_there_are_none_are_not_compared(choice: Choice) -> None:
    found = everybody(("xxxx", "xxxx"), (0, 2), choice)
    assert found.chosen(np.array([1, 0, 1]), np.zeros(3, dtype=np.int64)).tolist() == [True, False, True]


def test_people_are_known_by_their_roles_and_who_gave_no_label_has_none() -> None:
    found = everybody(LABELS, (1, 1, 1, 1, 1, 1))
    assert (found.of_role("annotator"), found.of_role("reference", "system")) == ([1, 2], [0, 3])
    assert found.has_reference
    assert not replace(found, roles=("annotator",) * 4).has_reference
    assert found.units.labels_of(2).tolist() == [0, 1, 0, 1, 1, NO_CATEGORY]
    assert [found.made_from(0, other) for other in range(4)] == [False, True, True, False]
    assert not found.made_from(3, 1)


@pytest.mark.parametrize(
    ("size", "expected"),
    [(3, 3), (1, 2), ({"d": 3, "e": 1}, 4), ({"d": 1, "e": 0}, 3)],
)
def test_a_declared_size_has_room_for_what_everybody_marked(size: Size, expected: int) -> None:
    """The annotator marked one unit of d; the system two of d, and one of e where sizes are by document."""
    by_document = isinstance(size, dict)
    rows = [("a", "a"), ("none", "a"), *([("none", "a"), ("none", "none")] if by_document else [])]
    documents = ["d", "d", "e", "e"][: len(rows)] if by_document else []
    export = made.annotations(rows, annotators=("ann", "sys"), documents=documents)
    found = made.study(export, made.declare("declared", size), roles={"sys": "system"}, non_annotated="none")
    assert found.compared[0].units.units == expected


# Labels that are given again.


def ratings(*marks: tuple[int, int, str, int], weight: Sequence[int] = (1, 1, 1), names: int = 3) -> Ratings:
    """Return (unit, name, label, pass) as ratings."""
    unit, annotator, label, turn = zip(*marks, strict=True)
    return Ratings(
        documents=(),
        annotators=("ann", "again", "bob")[:names],
        labels=("a", "b"),
        unit_names=tuple(f"u{number}" for number in range(len(weight))),
        document=np.full(len(weight), -1, dtype=np.int64),
        weight=np.array(weight, dtype=np.int64),
        unit=np.array(unit, dtype=np.int64),
        annotator=np.array(annotator, dtype=np.int64),
        label=np.array(["ab".index(name) for name in label], dtype=np.int64),
        mark_pass=np.array(turn, dtype=np.int64),
        ordered=False,
    )


def order(content: Ratings, *, as_sets: bool = False) -> list[int]:
    """Return which label of a person each is; "again" is a second name of "ann"."""
    person = np.array([0, 0, 2])[content.annotator]
    return [*map(int, order_of_labels(content, person, as_sets=as_sets))]


def test_labels_of_a_unit_are_in_the_order_of_passes_then_of_names_then_of_the_file() -> None:
    assert order(ratings((0, 1, "a", 1), (0, 0, "a", 1), (0, 1, "b", 0), (0, 2, "a", 0))) == [2, 1, 0, 0]
    assert order(ratings((0, 0, "a", 0), (0, 0, "b", 0), (1, 0, "b", 0), (0, 0, "a", 0))) == [0, 1, 0, 2]


def test_as_sets_the_labels_of_a_name_and_a_pass_are_one() -> None:
    marks = ((0, 0, "a", 0), (0, 0, "b", 0), (0, 1, "a", 0), (0, 0, "b", 1), (1, 0, "a", 0), (1, 2, "a", 0))
    assert order(ratings(*marks), as_sets=True) == [0, 0, 1, 2, 0, 0]
    assert order(ratings(*marks)) == [0, 1, 2, 3, 0, 0]


def test_labels_given_again_in_a_pass_are_as_the_first_was_or_others() -> None:
    marks = ((0, 0, "a", 0), (0, 0, "a", 0), (0, 0, "b", 0), (0, 0, "a", 0), (1, 0, "a", 0), (1, 0, "b", 0))
    assert duplicates(ratings(*marks, weight=(1, 5, 1)))[:2] == (2, 6)
    # Another pass, another name and another unit are none of them.
    assert duplicates(ratings((0, 0, "a", 0), (0, 0, "a", 1), (0, 1, "a", 1), (1, 1, "a", 1)))[:2] == (0, 0)


# Who labelled something twice.


def test_the_first_two_passes_of_each_who_has_two_are_compared() -> None:
    export = made.annotations(
        [("a", "b", "a", "b", "b"), ("a", None, "b", None, "a"), ("b", "a", "a", "a", None)],
        annotators=("ann", "ann2", "bob", "bob2", "ann3"),
    )
    found = present(made.study(export, same_as={"ann2": "ann", "bob2": "bob", "ann3": "ann"}).passes)
    assert found.people == ("ann", "bob")
    assert [labels for _, labels in rated(found.units)] == [
        {"000000000.0": "a", "000000000.1": "b", "000000001.0": "a", "000000001.1": "b"},
        {"000000000.0": "a", "000000000.1": "a", "000000001.0": "b"},
        {"000000000.0": "b", "000000000.1": "a", "000000001.0": "a", "000000001.1": "a"},
    ]


def test_a_model_may_run_twice_and_a_reference_is_settled_once() -> None:
    export = made.annotations([("a", "b", "a", "b")], annotators=("bot", "bot2", "gold", "gold2"))
    same_as = {"bot2": "bot", "gold2": "gold"}
    found = present(made.study(export, same_as=same_as, roles={"bot": "model", "gold": "reference"}).passes)
    assert found.people == ("bot",)
    systems = present(
        made.study(export, same_as=same_as, roles={"bot": "reference", "gold": "system"}).passes
    )
    assert systems.people == ("gold",)


def test_of_texts_the_first_two_copies_are_compared_where_there_are_two() -> None:
    text = "one two"
    export = marked.annotations(
        marked.copy("ann", text, [(0, 3, "X")]),
        marked.copy("ann2", text, [(4, 7, "X")]),
        marked.copy("ann3", text, [(0, 7, "Y")]),
        marked.copy("bob", text, [(0, 3, "Z")]),
        marked.copy("cyd", text, [(0, 3, "V")]),
        marked.copy("cyd2", text, []),
        # Of e Cyd has one copy, and of Ann's the second name alone.
        marked.copy("ann2", "six", [(0, 3, "X")], document="e"),
        marked.copy("bob", "six", [(0, 3, "Z")], document="e"),
        marked.copy("cyd2", "six", [(0, 3, "W")], document="e"),
        marked.copy("gold", "six", [(0, 3, "G")], document="e", role="reference"),
    )
    found = present(marked.study(export, same_as={"ann2": "ann", "ann3": "ann", "cyd2": "cyd"}).passes)
    assert found.people == ("ann", "cyd")
    none = "(unmarked)"
    assert [labels for _, labels in rated(found.units)] == [
        {"000000000.0": "X", "000000000.1": none, "000000001.0": "V", "000000001.1": none},
        {"000000000.0": none, "000000000.1": "X", "000000001.0": none, "000000001.1": none},
        {"000000000.0": "X", "000000001.0": "W"},
    ]


def test_copies_of_different_documents_are_no_second_pass() -> None:
    export = marked.annotations(
        marked.copy("ann", "one", [(0, 3, "X")]), marked.copy("ann2", "two", [(0, 3, "X")], document="e")
    )
    assert marked.study(export, same_as={"ann2": "ann"}).passes is None


# Control items.

FILE = "c/controls.csv"


def asking(*items: tuple[str, ...], layer: str = "main") -> LayerSettings:
    """Return a request with control items: unit, right label, document, layer."""
    lined = tuple(
        ControlItem(line, *(*item, *("", "main")[len(item) - 2 :])) for line, item in enumerate(items, 2)
    )
    controls = ControlItems(FILE, lined, None, 1)
    return LayerSettings(Task(), (made.declare(),), {}, {}, made.FILE, layer=layer, controls=controls)


def named_units() -> Ratings:
    """Return units u0 and u1 of the document d, u1 of e, and the document f, which is one."""
    content = ratings((0, 0, "a", 0), (1, 0, "a", 0), (2, 0, "b", 0), (3, 0, "a", 0), weight=(1, 1, 1, 1))
    names = ("u0", "u1", "u1", "")
    return replace(content, documents=("d", "e", "f"), unit_names=names, document=np.array([-1, 0, 1, 2]))


def matched(*items: tuple[str, ...], layer: str = "main") -> MatchedControls:
    return find_controls(named_units(), asking(*items, layer=layer))


def test_a_control_item_is_the_unit_of_its_name_and_document_or_a_document_alone() -> None:
    found = matched(("u0", "a"), ("u1", "b", "e"), ("f", "a"), ("x", "a"), ("u1", "a", "f"))
    assert found.mask.tolist() == [True, False, True, True]
    assert {unit: item.label for unit, item in found.items.items()} == {0: "a", 2: "b", 3: "a"}
    assert found.absent == (5, 6)


def test_an_item_of_another_layer_is_one_here_too_and_is_missed_there_alone() -> None:
    found = matched(("u0", "a", "", "other"), ("x", "a", "", "other"))
    assert (found.mask.tolist(), dict(found.items), found.absent) == ([True, False, False, False], {}, ())


def test_an_item_that_may_be_two_units_is_refused_with_its_line() -> None:
    problem = refusal(matched, ("u0", "a"), ("u1", "a"))
    assert (problem.file, problem.line, problem.key) == (FILE, 3, "column unit")
    assert problem.message == '2 units are called "u1".'


def test_of_units_that_are_only_counted_none_is_a_control_item() -> None:
    counted = replace(named_units(), counted=True)
    with pytest.raises(BadInput, match="only counts are known"):
        find_controls(counted, asking(("u0", "a")))
    without = replace(asking(), controls=None)
    assert not find_controls(counted, without).mask.any()


def of_controls(request: LayerSettings, export: Annotations) -> LayerUnits:
    return build_study(export, request)


def test_control_items_have_their_right_labels_and_are_no_units_of_agreement() -> None:
    export = Annotations(named_units(), "made", "", 4)
    found = of_controls(asking(("u1", "a", "e"), ("u0", "b"), ("x", "a")), export)
    assert found.controls is not None
    assert [found.controls.units.categories[code] for code in found.controls.truth.tolist()] == ["b", "a"]
    assert [labels for _, labels in rated(found.controls.units)] == [{"ann": "a"}, {"ann": "b"}]
    assert found.controls.absent == (4,)
    assert found.unit_sets[0].units == 2
    assert of_controls(asking(("u0", "a", "", "other")), export).controls is None
    assert of_controls(replace(asking(), controls=None), export).controls is None


def test_a_right_label_that_nobody_knows_is_refused_with_its_line() -> None:
    problem = refusal(of_controls, asking(("u0", "a"), ("f", "B")), Annotations(named_units(), "made", "", 4))
    assert (problem.file, problem.line, problem.key) == (FILE, 3, "column label")
    assert problem.remedy == 'Did you mean "b"?'


def test_marks_that_are_left_out_have_one_reason_each() -> None:
    """A second pass on a control item is a second pass, a reference's label there a reference's."""
    content = ratings(
        *((0, 0, "a", 0), (0, 0, "b", 0), (0, 1, "a", 0), (0, 2, "b", 0)),
        *((1, 0, "a", 0), (1, 0, "a", 0), (1, 1, "b", 0), (1, 2, "b", 0)),
        weight=(1, 1),
    )
    asked = replace(asking(("u0", "a")), roles={"again": "reference"}, rejected=("bob",))
    found = of_controls(asked, Annotations(content, "made", "", 8))
    told = [(marks.annotator, marks.reason.partition(":")[0]) for marks in found.left_out]
    assert told == [
        ("ann", "a second pass"),
        ("ann", "a second pass"),
        ("ann", "a control item"),
        ("bob", "rejected"),
        ("bob", "rejected"),
        ("again", "not an annotator but a reference"),
        ("again", "not an annotator but a reference"),
    ]
    assert found.marks_used == 1
    assert [labels for _, labels in rated(present(found.controls).units)] == [{"ann": "a", "bob": "b"}]
