"""What texts.json lists: texts with marks, units on which annotators differ, errors against a reference."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reportgen.readers import Annotations, DocumentCopy, ParsedMark, TextMarks
from reportgen.results import Results
from reportgen.results.annotators import Comparison, Comparisons
from reportgen.results.model import LayerSubject
from reportgen.results.texts import Disagreement, ListedError, ListedErrors, Texts
from reportgen.units import CodedUnits, LayerUnits, Pseudonyms, mark_cases, pair_marks, shown_texts
from reportgen.units.labels import Places
from reportgen.units.shown_texts import (
    DisputedKinds,
    differing,
    disagreements,
    disputed,
    errors_in_labels,
    errors_in_marks,
    listed_errors,
)
from reportgen.units.unit_sets import NO_PLACE
from tests.findings.made_results import results
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


ROLES = {"gold": "reference", "sys": "system", "sys2": "system", "bot": "model"}
FOUR_WORDS = "one two three four"


def of_marks(gold: Marks, system: Marks, *more: DocumentCopy) -> LayerUnits:
    copies = marked.copy("gold", FOUR_WORDS, gold), marked.copy("sys", FOUR_WORDS, system), *more
    return marked.study(marked.annotations(*copies), roles=ROLES)


def in_marks(gold: Marks, system: Marks, *more: DocumentCopy) -> tuple[ListedError, ...]:
    spans = marked.spans_in(of_marks(gold, system, *more))
    return errors_in_marks(spans, mark_cases(spans, pair_marks(spans)), "gold", "sys")


def facts_of(errors: Sequence[ListedError]) -> list[tuple[object, ...]]:
    """Return each error: its kind, its document, and label and stretches of both."""
    return [
        (each.kind, each.document, each.key_label, each.key_spans, each.label, each.spans) for each in errors
    ]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ([(0, 3, "N")], [(0, 3, "N")], []),
        ([(0, 3, "N")], [(0, 7, "N")], [("ends", 0, "N", ((0, 3),), "N", ((0, 7),))]),
        ([(0, 3, "N")], [(0, 3, "V")], [("type", 0, "N", ((0, 3),), "V", ((0, 3),))]),
        ([(0, 3, "N")], [(0, 7, "V")], [("both", 0, "N", ((0, 3),), "V", ((0, 7),))]),
        ([(0, 3, "N")], [], [("missed", 0, "N", ((0, 3),), None, ())]),
        ([], [(0, 3, "N")], [("spurious", 0, None, (), "N", ((0, 3),))]),
        # What lies inside of a match is missed, or too much, all the same.
        ([(0, 7, "N"), (0, 3, "V")], [(0, 7, "N")], [("missed", 0, "V", ((0, 3),), None, ())]),
    ],
)
def test_an_error_is_of_one_kind(gold: Marks, system: Marks, expected: list[tuple[object, ...]]) -> None:
    assert facts_of(in_marks(gold, system)) == expected


def test_errors_are_in_the_order_of_the_texts() -> None:
    found = in_marks(
        [(8, 13, "N"), (0, 3, "V"), (0, 3, "N")],
        [(4, 7, "N"), (0, 3, "X"), (14, 18, "N")],
        marked.copy("gold", FOUR_WORDS, [(0, 3, "N")], document="e"),
        marked.copy("sys", FOUR_WORDS, document="e"),
    )
    assert [
        (each.document, (each.key_spans or each.spans)[0][0], each.kind, each.key_label or each.label)
        for each in found
    ] == [
        (0, 0, "type", "N"),
        (0, 0, "type", "V"),
        (0, 4, "spurious", "N"),
        (0, 8, "missed", "N"),
        (0, 14, "spurious", "N"),
        (1, 0, "missed", "N"),
    ]


def test_what_others_mark_and_what_one_of_the_two_did_not_see_is_no_error() -> None:
    others = (
        marked.copy("ann", FOUR_WORDS, [(4, 7, "N")]),
        marked.copy("sys2", FOUR_WORDS, [(8, 13, "N")]),
        marked.copy("gold", FOUR_WORDS, [(0, 3, "N")], document="e"),
        marked.copy("sys", FOUR_WORDS, [(0, 3, "N")], document="f"),
    )
    assert in_marks([(0, 3, "N")], [(0, 3, "N")], *others) == ()


def test_a_mark_of_several_stretches_has_all_of_them() -> None:
    parsed = ParsedMark("N", ((0, 3), (8, 13)), line=1)
    gold = DocumentCopy("d", "gold", "gold.ann", FOUR_WORDS, [parsed])
    spans = marked.spans_of(gold, marked.copy("sys", FOUR_WORDS), roles=ROLES)
    (found,) = errors_in_marks(spans, mark_cases(spans, pair_marks(spans)), "gold", "sys")
    assert found.key_spans == ((0, 3), (8, 13))


# Labels of units


def of_table(
    *rows: tuple[str | None, ...], kind: str = "items", names: Sequence[str] = ("gold", "sys")
) -> LayerUnits:
    documents = [None if number == 1 else "d" for number in range(len(rows))]
    export = made.annotations(rows, annotators=names, documents=documents)
    return made.study(export, made.declare(kind), roles=ROLES, non_annotated="none")


ROWS = (("a", "a"), ("a", "b"), ("a", "none"), ("none", "b"), ("a", None), (None, "b"), ("b", "a"))
UNITS = ("u0", "u1", "u2", "u3", "u4", "u5", "u6")


def in_labels(texts: Sequence[str] = (), *, numbers: Sequence[int] = (*range(7),)) -> tuple[ListedError, ...]:
    (compared,) = of_table(*ROWS).compared
    units = replace(
        compared.units,
        unit_place=np.array(numbers, dtype=np.int64),
        places=Places(names=UNITS, texts=tuple(texts)),
    )
    return errors_in_labels(replace(compared, units=units), "gold", "sys")


def test_a_unit_is_missed_spurious_or_of_another_label() -> None:
    assert [(each.name, each.kind, each.key_label, each.label, each.document) for each in in_labels()] == [
        ("u1", "type", "a", "b", None),
        ("u2", "missed", "a", None, 0),
        ("u3", "spurious", None, "b", 0),
        ("u6", "type", "b", "a", 0),
    ]
    texts = [*("",) * 2, "Some text.", *("",) * 4]
    assert [each.text for each in in_labels(texts)] == [None, "Some text.", None, None]
    assert [each.name for each in in_labels(numbers=(0, NO_PLACE, 2, 3, 4, 5, 1))] == ["u2", "u3", "u1"]


def test_units_without_places_are_not_listed() -> None:
    (compared,) = of_table(*ROWS).compared
    units = replace(compared.units, unit_place=np.zeros(0, dtype=np.int64))
    assert errors_in_labels(replace(compared, units=units), "gold", "sys") == ()


def test_tokens_of_a_text_have_their_stretches() -> None:
    (compared,) = of_marks([(0, 3, "N")], [(4, 7, "N")]).compared
    found = errors_in_labels(compared, "gold", "sys")
    assert [(each.kind, each.name, each.key_spans, each.spans) for each in found] == [
        ("missed", "", ((0, 3),), ((0, 3),)),
        ("spurious", "", ((4, 7),), ((4, 7),)),
    ]


# Of whom


def against(other: str, role: str = "system", **changes: Any) -> Comparison:  # noqa: ANN401 - of the model
    given: dict[str, Any] = {
        "layer": "main",
        "unit_set": "items",
        "key": "gold",
        "key_role": "reference",
        "other": other,
        "role": role,
        "documents": 1,
        "units": 9,
        "measures": {},
        "by_category": {},
    }
    return Comparison.model_validate(given | changes)


def judging(*pairs: Comparison, subject: str = "systems") -> Results:
    own = LayerSubject.model_validate({"subject": subject, "declared": True, "reason": "-"})
    return results(subjects={"main": own}, comparisons=Comparisons(sets=(), pairs=pairs))


PEOPLE = ("gold", "sys", "ann", "bot")
FOUR = of_table(("a", "b", "b", "b"), ("a", "a", "a", "a"), names=PEOPLE)


def whose(found: Results, study: LayerUnits = FOUR) -> list[tuple[str, str, str | None]]:
    elsewhere = replace(study, layer="elsewhere")
    return [(own.key, own.other, own.unit_set) for own in listed_errors(found, [elsewhere, study], {})]


def test_errors_are_those_of_systems_where_there_are_any_against_references_where_there_are_any() -> None:
    ann, system = against("ann", "annotator"), against("sys")
    assert whose(judging(ann, system)) == [("gold", "sys", "items")]
    assert whose(judging(ann)) == [("gold", "ann", "items")]
    beside = against("bot", "model", key="ann", key_role="annotator")
    assert whose(judging(beside)) == []
    assert whose(judging(beside, system)) == [("gold", "sys", "items")]
    differs = of_table(("a", "b", "a", "b"), names=PEOPLE)
    assert whose(judging(beside), differs) == [("ann", "bot", "items")]
    assert whose(judging(system, subject="judge")) == [("gold", "sys", "items")]


def test_nobodys_errors_are_listed_without_a_judgement_a_comparison_or_an_error() -> None:
    assert whose(judging(against("sys"), subject="annotators")) == []
    assert whose(results()) == []
    assert whose(judging(against("sys", layer="b"), against("sys", unit_set="other"))) == []
    alike = of_table(("a", "a", "b", "b"), names=PEOPLE)
    assert whose(judging(against("sys")), alike) == []
    secondary = replace(
        FOUR, compared=(replace(FOUR.compared[0], units=replace(FOUR.compared[0].units, primary=False)),)
    )
    assert whose(judging(against("sys")), secondary) == []


def test_errors_in_marks_come_before_those_of_units() -> None:
    study = of_marks([(0, 3, "N")], [(0, 3, "V")])
    spans = marked.spans_in(study)
    primary = replace(study.compared[0], units=replace(study.compared[0].units, primary=True))
    study = replace(study, compared=(primary,))
    found = judging(against("sys", unit_set=None), against("sys", unit_set=primary.units.id))
    cases = {"main": mark_cases(spans, pair_marks(spans))}
    (own,) = listed_errors(found, [study], cases)
    assert (own.unit_set, [each.kind for each in own.errors]) == (None, ["type"])
    (own,) = listed_errors(found, [study], {})
    assert (own.unit_set, [each.kind for each in own.errors]) == (primary.units.id, ["type"])
