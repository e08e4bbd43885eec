"""Every error of whoever is judged against a reference: in marks, and in labels of units."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.results import Results
from reportgen.results.annotators import Comparison, Comparisons
from reportgen.results.model import LayerSubject
from reportgen.results.texts import ListedError
from reportgen.units import LayerUnits, mark_cases, pair_marks
from reportgen.units.labels import Places
from reportgen.units.shown_texts import errors_in_labels, errors_in_marks, listed_errors
from reportgen.units.unit_sets import NO_PLACE
from tests.findings.made_results import results
from tests.measures import made
from tests.units import marked
from tests.units.marked import Marks

ROLES = {"gold": "reference", "sys": "system", "sys2": "system", "bot": "model"}
TEXT = "one two three four"


def of_marks(gold: Marks, system: Marks, *more: DocumentCopy) -> LayerUnits:
    copies = marked.copy("gold", TEXT, gold), marked.copy("sys", TEXT, system), *more
    return marked.study(marked.annotations(*copies), roles=ROLES)


def in_marks(gold: Marks, system: Marks, *more: DocumentCopy) -> tuple[ListedError, ...]:
    spans = marked.spans_in(of_marks(gold, system, *more))
    return errors_in_marks(spans, mark_cases(spans, pair_marks(spans)), "gold", "sys")


def told(errors: Sequence[ListedError]) -> list[tuple[object, ...]]:
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
    assert told(in_marks(gold, system)) == expected


def test_errors_are_in_the_order_of_the_texts() -> None:
    found = in_marks(
        [(8, 13, "N"), (0, 3, "V"), (0, 3, "N")],
        [(4, 7, "N"), (0, 3, "X"), (14, 18, "N")],
        marked.copy("gold", TEXT, [(0, 3, "N")], document="e"),
        marked.copy("sys", TEXT, document="e"),
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
        marked.copy("ann", TEXT, [(4, 7, "N")]),
        marked.copy("sys2", TEXT, [(8, 13, "N")]),
        marked.copy("gold", TEXT, [(0, 3, "N")], document="e"),
        marked.copy("sys", TEXT, [(0, 3, "N")], document="f"),
    )
    assert in_marks([(0, 3, "N")], [(0, 3, "N")], *others) == ()


def test_a_mark_of_several_stretches_has_all_of_them() -> None:
    parsed = ParsedMark("N", ((0, 3), (8, 13)), line=1)
    gold = DocumentCopy("d", "gold", "gold.ann", TEXT, [parsed])
    spans = marked.spans_of(gold, marked.copy("sys", TEXT), roles=ROLES)
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
