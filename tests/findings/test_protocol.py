"""How labels came about: the edges of each rule, on results made here."""

from dataclasses import replace
from typing import Any

import pytest

from reportgen.findings import protocol
from reportgen.findings.layer_facts import LayerFacts
from reportgen.findings.protocol import ADVICE
from reportgen.readers.inline_xml import A_COMMENT
from reportgen.readers.layers_of_marks import OF_CHAIN
from reportgen.readers.naming import OF_FAULTY
from reportgen.readers.reader import HEADS, TIMES
from reportgen.results import Adjudication, Finding, UnitSet
from reportgen.results.model import CampaignFacts, DifferentTexts, LeftOut, Marks
from reportgen.results.unit_sets import UnitSetMarks
from tests.findings.made_results import compared_sets, facts, material, told, unit_set


def said(**protocol_says: object) -> list[str]:
    campaign = CampaignFacts.model_validate({"id": "c", "title": "C", "protocol": protocol_says})
    return [each.id for each in told(protocol.independence, campaign=campaign)]


def test_independence_is_what_the_campaign_says() -> None:
    assert said() == ["independence-unknown"]
    assert said(independent=True) == []
    assert said(independent=False) == ["not-independent"]
    assert said(independent=True, pre_annotated_by="a model") == ["pre-annotated"]
    assert said(independent=True, pre_annotated_by="") == []


# The sample


def sampled(own: UnitSet, **corpus: object) -> list[Finding]:
    return told(
        protocol.sample,
        own,
        campaign=CampaignFacts.model_validate({"id": "c", "title": "C", "corpus": corpus}),
    )


@pytest.mark.parametrize(
    ("whole", "done", "name"),
    [
        (10, 10, "sample"),
        (10, 9, "sample-unknown"),
        (10, 1, "sample-unknown"),
        (10, 0, None),
        (10, 11, None),
        (None, 5, None),
        ("many", 5, None),
    ],
)
def test_the_share_of_the_corpus_that_was_annotated_twice(whole: object, done: int, name: str | None) -> None:
    own = unit_set(documents=20, documents_compared=done)
    found = sampled(own, **({} if whole is None else {"documents": whole}))
    assert [each.id for each in found] == ([name] if name else [])
    if name == "sample-unknown":
        assert (found[0].values["corpus_share"], found[0].values["done"], found[0].values["of"]) == (
            done / 10,
            done,
            "documents",
        )
        (chosen,) = sampled(own, documents=10, sampled="at random")
        assert (chosen.values["chosen"], chosen.claim) == ("at random", protocol.SAMPLE.claim)


def test_a_corpus_of_one_document_and_one_of_tokens() -> None:
    one = unit_set(documents=1, documents_compared=1)
    assert [each.claim for each in sampled(one, documents=1)] == [protocol.WHOLE_ONE.claim]
    assert [each.claim for each in sampled(unit_set(documents=2, documents_compared=2), documents=2)] == [
        protocol.WHOLE.claim
    ]
    for own in (unit_set(units_compared=50, id="tokens"), unit_set(units_compared=50, kind="tokens")):
        (found,) = sampled(own, tokens=100)
        assert (found.values["corpus_share"], found.values["of"]) == (0.5, "tokens")
    assert sampled(unit_set(units_compared=50), tokens=100) == []


# What was left out


def place(reason: str, marks: int) -> LeftOut:
    return LeftOut(file="f", line=1, annotator="A", reason=reason, marks=marks)


def left(read: int = 20, out: int = 0, *places: LeftOut, unread: int = 0) -> list[Finding]:
    marks = Marks(read=read, used=read - out, left_out=out)
    return told(protocol.left_out, marks=marks, left_out=places, unread=unread)


def test_labels_that_are_not_used_are_counted_without_what_is_no_label() -> None:
    (found,) = left(20, 5, place("x", 3), place(A_COMMENT, 2))
    assert found.values == {"left_out": 3, "read": 18}
    assert left(20, 2, place(A_COMMENT, 2)) == left() == []
    assert [each.id for each in left(20, 2, place(OF_CHAIN, 2))] == ["chains"]


def test_files_that_no_reader_knows_are_counted_and_not_named() -> None:
    (found,) = left(unread=2)
    assert found.values == {"files": 2}
    assert left(unread=0) == []


@pytest.mark.parametrize(("number", "ends"), [(1, "0.csv:7"), (5, "4.csv:7"), (6, "4.csv:7 …")])
def test_files_with_faults_are_named_with_their_first_line(number: int, ends: str) -> None:
    places = [
        LeftOut(file=f"{each}.csv", line=7, annotator="A", reason=OF_FAULTY, marks=0)
        for each in range(number)
    ]
    (found,) = told(protocol.faulty_files, left_out=places)
    assert str(found.values["names"]).endswith(ends)
    assert found.values.get("files") == (number if number > 1 else None)
    assert told(protocol.faulty_files, left_out=(place("x", 3),)) == []
    whole = replace(places[0], line=0)
    (found,) = told(protocol.faulty_files, left_out=(whole,))
    assert found.values["names"] == "0.csv"


def test_documents_whose_copies_differ_are_counted_with_all() -> None:
    texts = tuple(DifferentTexts(document=name, file="f", other="g", character=1, marks=4) for name in "ab")
    (found,) = told(
        protocol.different_texts,
        different_texts=texts,
        material=(material(documents=5), material(documents=7)),
    )
    assert found.values == {"documents": 2, "whole": 9, "labels": 8}
    assert told(protocol.different_texts, different_texts=texts)[0].values["whole"] == 2
    assert told(protocol.different_texts) == []


def test_what_exports_have_besides_has_its_own_sentence_where_there_is_one() -> None:
    heads, other = told(protocol.not_compared, not_compared={HEADS: 5, "smileys": 3})
    assert (heads.claim, heads.values) == (protocol.OF_KIND[HEADS].claim, {"number": 5})
    assert other.values == {"kind": "smileys", "number": 3}
    assert told(protocol.not_compared) == []
    with_times = facts(not_compared={TIMES: 5, "smileys": 3})
    assert len(list(protocol.not_compared(with_times))) == 2
    read = with_times.results.model_copy(update={"times": "read"})
    assert [each.values["number"] for each in protocol.not_compared(LayerFacts(read, "main"))] == [3]


# Labels that are not declared


def given(labels: dict[str, int], *declared: str, **changes: object) -> UnitSet:
    return unit_set(categories=tuple(labels), labels=labels, categories_declared=declared, **changes)


def test_labels_that_are_not_declared_are_told_the_commonest_first() -> None:
    own = given(
        {"Former": 9, "Forner": 2, "zebra": 5, "apple": 5, "gone": 0, "{}": 4, "Rien": 3},
        "Former",
        non_annotated="Rien",
    )
    found = told(protocol.undeclared, own)
    assert [(each.values["label"], each.values.get("nearest")) for each in found] == [
        ("apple", None),
        ("zebra", None),
        ("Forner", "Former"),
    ]
    assert [each.values["times"] for each in found] == [5, 5, 2]
    assert told(protocol.undeclared, given({"a": 9})) == []


def test_five_are_named_and_the_others_counted() -> None:
    labels = {"known": 9} | {f"{letter * 5}": 20 - place for place, letter in enumerate("abcdefg")}
    found = told(protocol.undeclared, given(labels, "known"))
    assert [each.id for each in found] == ["undeclared-label"] * 5 + ["undeclared-labels"]
    assert found[-1].values == {"count": 2, "times": 15 + 14}
    exactly = {name: labels[name] for name in list(labels)[:6]}
    assert len(told(protocol.undeclared, given(exactly, "known"))) == 5


def test_labels_are_counted_as_the_material_of_their_layer_has_them() -> None:
    own = given({"a": 1, "b": 1}, "a")
    both = material(layer="other", labels={"q": 7}), material(labels={"b": 33})
    (found,) = told(protocol.undeclared, own, material=both)
    assert (found.values["label"], found.values["times"]) == ("b", 33)


def test_members_of_sets_are_declared_one_by_one() -> None:
    members = {"x|y": ("x", "y"), "y|q": ("y", "q"), "z": ("z",)}
    own = given({"x|y": 4, "y|q": 3, "z": 2}, "x|y", sets=compared_sets(members=members), scale="set")
    found = told(protocol.undeclared, own)
    assert [(each.values["label"], each.values["times"]) for each in found] == [("q", 3), ("z", 2)]


def test_oversights_are_named_where_nothing_is_declared() -> None:
    labels = {"Yes": 30, "yes": 5, "no": 30, "n/a": 4, "{}": 3, "never": 0}
    alike, missing = sorted(told(protocol.oversights, given(labels)), key=lambda each: each.id)
    assert alike.values == {"labels": '"Yes", "yes"'}
    assert missing.values["times"] == 4
    assert told(protocol.oversights, given(labels, "Yes")) == []
    assert told(protocol.oversights, given({"yes": 30, "no": 30})) == []


def test_labels_that_contradict_others_are_counted() -> None:
    marks = UnitSetMarks(read=9, used=9, left_out={}, contradicting=2)
    (found,) = told(protocol.contradicting, unit_set(marks=marks))
    assert found.values == {"contradicting": 2}
    assert told(protocol.contradicting, unit_set()) == []


# Causes


def noted(by_cause: dict[str, int], causes: dict[str, dict[str, int]]) -> Adjudication:
    return Adjudication(layer="main", open=0, listed=False, by_cause=by_cause, causes=causes)


def causes(by_cause: dict[str, int], by_category: dict[str, dict[str, int]], **changes: Any) -> list[Finding]:  # noqa: ANN401 - any field of the model
    return told(protocol.causes, unit_set(**changes), adjudication=(noted(by_cause, by_category),))


def test_the_commonest_cause_is_told_of_five_with_its_category() -> None:
    of_categories = {"x": {"slip": 1}, "y": {"slip": 3, "other": 9}, "z": {"slip": 3}}
    (found,) = causes({"slip": 3, "other": 2}, of_categories)
    assert (found.values["cause"], found.values["times"], found.values["causes"]) == ("slip", 3, 5)
    assert (found.values["category"], found.values["layer"], found.categories) == ("y", "main", ("y",))
    assert found.advice == ADVICE["slip"]
    assert found.severity == "warning"
    assert causes({"slip": 4}, of_categories) == []
    assert told(protocol.causes) == []


def test_of_equal_causes_the_first_is_told_and_other_is_a_note() -> None:
    of_categories = {"x": {"slip": 3, "other": 3, "guideline silent": 3}}
    (found,) = causes({"slip": 3, "guideline silent": 3}, of_categories)
    assert found.values["cause"] == "guideline silent"
    (found,) = causes({"other": 5}, of_categories)
    assert found.severity == "note"


def test_what_stays_unmarked_is_named_only_where_nothing_else_is() -> None:
    of_categories = {"none": {"slip": 9}, "x": {"slip": 1}}
    (found,) = causes({"slip": 9}, of_categories, non_annotated="none")
    assert found.values["category"] == "x"
    (found,) = causes({"slip": 9}, {"none": {"slip": 9}}, non_annotated="none")
    assert found.values["category"] == "none"
    elsewhere = unit_set(), unit_set(layer="other", non_annotated="none")
    (found,) = told(protocol.causes, *elsewhere, adjudication=(noted({"slip": 9}, of_categories),))
    assert found.values["category"] == "none", "it is unmarked in another layer"
