"""What texts.json lists: texts with their marks, and units on which annotators differ, each in which way."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reportgen.readers import Annotations, TextMarks
from reportgen.results.texts import Disagreement, ListedErrors, Texts
from reportgen.units import CodedUnits, LayerUnits, Pseudonyms, mark_cases, pair_marks, shown_texts
from reportgen.units.labels import Places
from reportgen.units.shown_texts import DisputedKinds, differing, disagreements, disputed
from reportgen.units.unit_sets import NO_PLACE
from tests.measures import made
from tests.present import present
from tests.units import marked
from tests.units.marked import Marks

TEXT = "one two three"
N, V = "N", "V"
NOBODY = Pseudonyms()


def read(**marks: Marks) -> tuple[LayerUnits, Annotations]:
    """Return a text of three tokens as people marked it."""
    export = marked.annotations(*(marked.copy(name, TEXT, some) for name, some in marks.items()))
    return marked.study(export), export


def kinds_of(study: LayerUnits) -> DisputedKinds:
    spans = marked.spans_in(study)
    return DisputedKinds(spans, mark_cases(spans, pair_marks(spans)))


def told(**marks: Marks) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words on which people differ, each with the ways in which they do."""
    study, _ = read(**marks)
    found = disagreements(study.unit_sets[0], kinds_of(study))
    return [(TEXT[slice(*each.spans[0])], each.kinds) for each in found.units]


# In what way marks on a disputed unit disagree.


@pytest.mark.parametrize(
    ("ann", "bob", "expected"),
    [
        ([(0, 7, N)], [(0, 3, N)], [("two", ("boundary",))]),
        ([(0, 3, N)], [(0, 3, V)], [("one", ("type",))]),
        ([(0, 7, N)], [(0, 3, V)], [("one", ("both",)), ("two", ("both",))]),
        ([(0, 3, N)], [], [("one", ("omission",))]),
        ([], [(0, 3, N)], [("one", ("omission",))]),
        # Of one label more, what matches is no part.
        ([(0, 3, N), (0, 3, V)], [(0, 3, N)], [("one", ("omission",))]),
        # A partner on the unit counts, and marks of other units do not.
        ([(0, 3, N), (4, 7, V)], [(0, 3, V), (4, 7, V)], [("one", ("type",))]),
        # Of several ways between two people the first is named.
        (
            [(0, 3, N), (0, 7, V)],
            [(0, 3, "X"), (0, 13, V)],
            [("one", ("boundary",)), ("three", ("boundary",))],
        ),
        # Of a mark that several overlap, its own partner says what it is where no other mark is.
        ([(0, 13, N)], [(0, 3, N), (4, 7, V)], [("two", ("both",)), ("three", ("boundary",))]),
    ],
)
def test_marks_disagree_about_ends_or_types_or_one_is_missing(
    ann: Marks, bob: Marks, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert told(ann=ann, bob=bob) == expected


def test_every_two_people_may_disagree_in_a_way_of_their_own() -> None:
    three: dict[str, Marks] = {"ann": [(0, 3, N)], "bob": [(0, 3, V)], "cyd": []}
    assert told(**three) == [("one", ("type", "omission"))]
    # Two who agree say nothing of how the third differs.
    assert told(ann=[(0, 3, N)], bob=[(0, 3, N)], cyd=[(0, 3, V)]) == [("one", ("type",))]


def test_of_more_than_fifty_people_nobody_wants_to_know_how() -> None:
    two: dict[str, Marks] = {"ann": [(0, 3, N)], "bob": [(0, 3, V)]}
    others: dict[str, Marks] = {f"p{number}": [] for number in range(48)}
    assert told(**two, **others) == [("one", ("type", "omission"))]
    assert told(**two, **others, cyd=[]) == [("one", ())]


def test_who_has_no_marks_in_the_layer_is_no_part_of_how_others_differ() -> None:
    study, _ = read(ann=[(0, 3, N)], bob=[(0, 3, V)])
    units = replace(study.unit_sets[0], annotators=("ann", "somebody else"))
    assert kinds_of(study).of(units, disputed(units)) == {0: ()}


# Which units are disputed.


def units(labels: list[str], **more: Any) -> CodedUnits:  # noqa: ANN401 - attributes of CodedUnits
    """Return units with their labels by two annotators, a letter each."""
    found = made.units_of(made.annotations([tuple(both) for both in labels]))
    return replace(found, **more)


def places(*numbers: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - attributes of Places
    return {"unit_place": np.array(numbers, dtype=np.int64), "places": Places(**more)}


def test_units_are_disputed_that_have_a_place_and_on_which_two_labels_differ() -> None:
    placed = places(0, NO_PLACE, 1, 2, names=("u", "v", "w"))
    found = units(["ab", "ab", "aa", "ba"], weight=np.array([1, 5, 1, 1]), **placed)
    assert disputed(found).tolist() == [0, 3]
    assert differing(found) == 7
    assert disputed(units(["ab", "aa"], unit_place=np.zeros(0, dtype=np.int64))).tolist() == []


def listed(found: CodedUnits) -> tuple[Disagreement, ...]:
    return disagreements(found).units


def test_a_unit_of_a_table_has_its_name_its_text_and_its_document() -> None:
    placed = places(1, 0, 2, names=("u", "v", "w"), texts=("", "Some text.", "Same."))
    found = units(["ab", "ba", "aa"], documents=("d0", "d1"), document=np.array([1, -1, 0]), **placed)
    named, without = listed(found)
    assert (named.name, named.text, named.document) == ("v", "Some text.", 1)
    assert named.labels == {"a0": "a", "a1": "b"}
    assert (without.name, without.text, without.document) == ("u", None, None)
    assert listed(replace(found, places=Places(names=("u", "v", "w"))))[0].text is None


def test_a_unit_of_a_text_has_all_its_stretches() -> None:
    stretches = {"unit": np.array([0, 1, 0]), "start": np.array([0, 4, 8]), "end": np.array([3, 7, 9])}
    found = units(["ab", "aa"], **places(0, 1, **stretches))
    (unit,) = listed(found)
    assert (unit.name, unit.spans, unit.text) == ("", ((0, 3), (8, 9)), None)
    # Units that have names are called by these.
    named = units(["ab", "aa"], **places(0, 1, names=("u", "v"), **stretches))
    assert [(each.name, each.spans) for each in listed(named)] == [("u", ())]


# All that is shown of a version.


def shown(study: LayerUnits, export: Annotations, **more: Any) -> Texts:  # noqa: ANN401 - of shown_texts
    return present(shown_texts("1.0", [study], [export], more.pop("names", NOBODY), **more))


def test_cases_of_a_layer_say_how_its_marks_disagree() -> None:
    study, export = read(ann=[(0, 3, N)], bob=[(0, 3, V)])
    spans = marked.spans_in(study)
    cases = {study.layer: mark_cases(spans, pair_marks(spans))}
    assert shown(study, export, cases=cases).disagreements[0].units[0].kinds == ("type",)
    assert shown(study, export).disagreements[0].units[0].kinds == ()
    assert shown(study, export, cases={"other": cases[study.layer]}).disagreements[0].units[0].kinds == ()
    assert shown(replace(study, spans=None), export, cases=cases).disagreements[0].units[0].kinds == ()


def test_marks_are_in_the_order_of_places_with_whoever_saw_the_document() -> None:
    marks = [(4, 7, V), (0, 3, V), (0, 3, N)]
    export = marked.annotations(
        marked.copy("bob", TEXT, marks),
        marked.copy("ann", TEXT, [(0, 3, N)]),
        marked.copy("cyd", TEXT),
        marked.copy("dan", TEXT, state="skipped"),
        marked.copy("gold", TEXT, role="reference"),
        marked.copy("ann", "four", [], document="e"),
    )
    names = Pseudonyms({"ann": "A2", "bob": "A1", "gold": "R"}, {"d": "D1"})
    found = shown(marked.study(export), export, names=names)
    assert [(each.name, each.text) for each in found.documents] == [("D1", TEXT), ("e", "four")]
    (layer,) = found.layers
    assert layer.annotators == ("A1", "A2", "cyd", "dan", "R")
    assert layer.roles == {"R": "reference"}
    first, second = layer.documents
    assert [(each.spans, each.annotator, each.label) for each in first.marks] == [
        (((0, 3),), "A1", N),
        (((0, 3),), "A1", V),
        (((0, 3),), "A2", N),
        (((4, 7),), "A1", V),
    ]
    assert (first.document, first.seen) == (0, ("A1", "A2", "cyd", "R"))
    assert (second.document, second.seen, second.marks) == (1, ("A2",), ())


def table(*rows: tuple[str, str]) -> tuple[LayerUnits, Annotations]:
    """Return units of a table with the labels of two annotators."""
    export = made.annotations(rows, documents=[f"d{place}" for place in range(len(rows))])
    return made.study(export), export


def test_of_a_table_disagreements_are_shown_and_documents_without_a_text() -> None:
    found = shown(*table(("a", "b"), ("a", "a")), names=Pseudonyms({}, {"d1": "D2"}))
    assert [(each.name, each.text) for each in found.documents] == [("d0", None), ("D2", None)]
    assert (found.layers, found.errors) == ((), None)
    assert [unit.document for unit in found.disagreements[0].units] == [0]


def test_where_nobody_differs_there_is_nothing_to_read_but_errors() -> None:
    agreed, export = table(("a", "a"))
    assert shown_texts("1.0", [agreed], [export], NOBODY) is None
    errors = (ListedErrors(layer="", key="gold", other="sys", errors=()),)
    assert shown(agreed, export, errors=errors).errors == errors
    # Texts are read though everybody marks the same.
    study, texts = read(ann=[(0, 3, N)], bob=[(0, 3, N)])
    assert shown(study, texts).documents[0].text == TEXT


def test_in_a_recording_there_is_nothing_to_read() -> None:
    study, export = read(ann=[(0, 3, N)], bob=[(0, 3, V)])
    assert isinstance(export.content, TextMarks)
    recorded = replace(export, content=replace(export.content, lengths=(13,)))
    found = shown(study, recorded)
    assert (found.layers, found.documents[0].text) == ((), None)
    assert [len(each.units) for each in found.disagreements] == [1]
    # Its other layers may have a text, which is that of the documents.
    both = present(shown_texts("1.0", [study, study], [recorded, export], NOBODY))
    assert (len(both.layers), both.documents[0].text) == (1, TEXT)


def test_of_units_that_are_only_counted_the_named_ones_are_listed() -> None:
    study, export = table(("a", "b"), ("b", "a"), ("a", "a"))
    named = units(["ab"], **places(0, names=("u",)))
    found = shown(replace(study, disputed=(named,)), export).disagreements[0]
    assert ([unit.name for unit in found.units], found.of) == (["u"], 2)
    every = units(["ab", "ba"], **places(0, 1, names=("u", "v")))
    assert shown(replace(study, disputed=(every,)), export).disagreements[0].of is None
