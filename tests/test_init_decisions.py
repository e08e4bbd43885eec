"""`init` makes a layer of each decision: what annotators exchange is one, ids and markup are none."""

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import DocumentCopy, Export, ParsedMark
from reportgen.readers.layers_of_marks import NoDecision, parts_of, separate_layers
from tests.commands import run
from tests.test_init import UseReader, copies, folder, made, results, use_reader  # noqa: F401 - a fixture

Features = dict[str, str]
Made = tuple[str, int, int, Features]


def layers_of(*every: DocumentCopy, by_feature: bool = True) -> dict[str, NoDecision | None]:
    export = Export(every, "Made up.", (), by_feature=by_feature)
    marks = [mark for each in every for mark in each.marks]
    return {str(layer.source): layer.no_decision for layer in separate_layers(export, every, marks)}


def annotated(
    value: Callable[[int, int, str], Features], documents: int = 10, people: str = "ab"
) -> list[DocumentCopy]:
    """Return copies with five marks of a type T; `value` has features by document, mark and annotator."""
    return [
        DocumentCopy(
            f"d{number}",
            who,
            f"{who}/d{number}",
            "x" * 25,
            [
                ParsedMark("T", ((5 * place, 5 * place + 3),), {"kind": kind, **value(number, place, who)})
                for place in range(5)
                for kind in ["AB"[(number + place + (who == "b" and place == number % 5)) % 2]]
            ],
        )
        for number in range(documents)
        for who in people
    ]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (lambda _, place, __: {"other": f"t{place}"}, NoDecision.IDENTIFIERS),
        (lambda *_: {"other": "yes"}, NoDecision.CONSTANT),
        (lambda number, place, _: {"other": "yes" if (number, place) == (1, 1) else ""}, NoDecision.BLANK),
        (lambda number, place, _: {"other": ["p", "h1", "b"][(number + place) % 3]}, NoDecision.MARKUP),
        (lambda number, place, who: {"other": f"{who} {number} {place}"}, NoDecision.FREE_TEXT),
        (lambda number, place, _: {"other": "xyz"[(number * 7 + place) % 3]}, None),
        # Who marks up documents may decide what is a title.
        (lambda number, place, who: {"other": ["p", "title"][place == number % 5 + (who == "b")]}, None),
    ],
)
def test_features_that_nobody_decided_are_left_out_with_the_reason(
    value: Callable[[int, int, str], Features], reason: NoDecision | None
) -> None:
    assert layers_of(*annotated(value)) == {"T->kind": None, "T->other": reason}


def test_what_is_the_same_in_every_copy_was_there_before_where_annotators_differ_elsewhere() -> None:
    found = annotated(lambda number, place, _: {"other": "xyz"[(number * 7 + place) % 3]}, documents=20)
    assert layers_of(*found) == {"T->kind": None, "T->other": NoDecision.GIVEN}
    # Two copies of one file tell nothing.
    twice = [each for each in found if each.annotator == "a"]
    same = [*twice, *(DocumentCopy(each.document, "b", "b", each.text, each.marks) for each in twice)]
    assert layers_of(*same) == {"T->kind": None, "T->other": None}


def test_where_no_feature_is_a_decision_the_marks_are() -> None:
    def named(number: int, place: int, who: str) -> Features:
        return {"kind": "only", "id": f"t{number}{place}{who}"}

    found = [
        *annotated(named),
        *(
            DocumentCopy(f"e{n}", "a", "a", "x" * 9, [ParsedMark("U", ((0, 5),), {"value": "AB"[n % 2]})])
            for n in range(9)
        ),
    ]
    assert layers_of(*found) == {
        "T->": None,
        "T->kind": NoDecision.CONSTANT,
        "T->id": NoDecision.FREE_TEXT,
        "U->value": None,
    }


def exchanging(share: float, *, nested: bool = False) -> list[DocumentCopy]:
    """Return copies with marks of types A and B in a mark C, of which annotators exchange a share."""
    drawn = random.Random(1)  # noqa: S311 - made marks
    every = []
    for number in range(20):
        for who in "ab":
            marks = [ParsedMark("C", ((0, 25),))]
            for place in range(4):
                kind = "AB"[(place + number + (drawn.random() < share)) % 2]
                marks.append(ParsedMark(kind, ((5 * place, 5 * place + 3),)))
                if nested:
                    marks.append(ParsedMark("B" if kind == "A" else "A", ((5 * place, 5 * place + 2),)))
            every.append(DocumentCopy(f"d{number}", who, who, "x" * 25, marks))
    return every


def test_types_that_annotators_exchange_are_one_layer_and_what_nests_is_another() -> None:
    assert set(layers_of(*exchanging(0.3), by_feature=False)) == {"C", "A | B"}
    # Without exchange nothing says that they are one decision.
    assert set(layers_of(*exchanging(0.0), by_feature=False)) == {"C", "A", "B"}
    # Of types that lie on the same stretch each is a decision.
    assert set(layers_of(*exchanging(0.3, nested=True), by_feature=False)) == {"C", "A", "B"}


def test_the_parts_of_a_source_are_types_or_a_type_and_its_feature() -> None:
    assert parts_of("A | B") == ("A", "B")
    assert parts_of("T->") == ("T",)
    assert parts_of("T->kind") == ("T->kind",)


def written_marks(share: float) -> list[tuple[str, str, list[Any]]]:
    return [
        (each.document, each.annotator, [(mark.type, *mark.spans[0]) for mark in each.marks])
        for each in exchanging(share)
    ]


@pytest.mark.slow
def test_a_campaign_of_types_in_one_layer_is_read_and_names_their_confusion(
    tmp_path: Path,
    use_reader: UseReader,  # noqa: F811 - the fixture
) -> None:
    use_reader(by_feature=False)
    at = folder(tmp_path, {"x.marks": copies(*written_marks(0.3))})
    layers = made(at)["layers"]
    assert [(each["id"], each["source"]) for each in layers] == [("C", "C"), ("A-B", "A | B")]
    found = results(at)
    confused = [each for each in found["findings"] if each["id"] == "confused"]
    assert [(each["values"]["first"], each["values"]["second"]) for each in confused] == [("A", "B")]


@pytest.mark.slow
def test_what_is_left_out_is_listed_with_its_reason_and_comes_back_without_the_sign(
    tmp_path: Path,
    use_reader: UseReader,  # noqa: F811 - the fixture
) -> None:
    use_reader(by_feature=True)
    marked = [
        (
            each.document,
            each.annotator,
            [(mark.type, *mark.spans[0], dict(mark.features)) for mark in each.marks],
        )
        for each in annotated(lambda _, place, __: {"id": f"t{place}", "other": "xyz"[place % 3]})
    ]
    at = folder(tmp_path, {"x.marks": copies(*marked)})
    (at / "campaign.toml").unlink(missing_ok=True)
    answer = run("init", at)
    said = " ".join(answer.stdout.split())
    assert '"T->id" is left out (running numbers: no value occurs twice in a document)' in said
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert "# Left out: running numbers: no value occurs twice in a document.\n# [[layers]]\n" in text
    toml = tomllib.loads(text)
    assert [each["source"] for each in toml["layers"]] == ["T->kind", "T->other"]
    # The marks are asked for once; what else they say is judged where annotators agree on them.
    assert [(each["id"], each.get("layers")) for each in toml["unit_sets"]] == [
        ("tokens", ["T-kind"]),
        ("marked", ["T-kind"]),
        ("agreed", ["T-other"]),
    ]
    marks = results(at)["marks"]
    # Both layers ask about the same marks, which are counted once.
    assert marks["again"] == marks["read"] // 2
    back = text.replace(
        '# [[layers]]\n# id = "T-id"\n# source = "T->id"', '[[layers]]\nid = "T-id"\nsource = "T->id"'
    )
    assert back != text
    assert [each["source"] for each in tomllib.loads(back)["layers"]] == ["T->kind", "T->other", "T->id"]
