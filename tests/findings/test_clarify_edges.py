"""What guidelines should clarify: the edges of each rule, on texts and marks made here."""

from reportgen.findings.confusions import clarify
from reportgen.results.texts import (
    Clarify,
    Disagreement,
    Disagreements,
    Document,
    DocumentMarks,
    LayerMarks,
    Mark,
    Texts,
)
from reportgen.results.unit_sets import LabelCounts
from tests.findings.made_results import marked, pair, results, unit_set

TEXT = "One  and two and Three"


def clarified(
    *units: Disagreement,
    marks: tuple[Mark, ...] | None = None,
    roles: dict[str, str] | None = None,
    text: str | None = TEXT,
) -> Clarify:
    """What is to be clarified of a layer with these disagreements and marks in one document."""
    documents = (DocumentMarks(document=0, seen=("A", "B"), marks=marks or ()),)
    layer = LayerMarks(layer="main", annotators=("A", "B"), roles=roles or {}, documents=documents)
    elsewhere = layer.model_copy(update={"layer": "elsewhere", "roles": {}, "documents": documents * 3})
    texts = Texts(
        guidelines="1.0",
        documents=(Document(name="d", text=text),),
        layers=() if marks is None else (elsewhere, layer),
        disagreements=(
            Disagreements(layer="elsewhere", unit_set="items", units=units * 3),
            Disagreements(layer="main", unit_set="other", units=()),
            Disagreements(layer="main", unit_set="items", units=units),
        ),
    )
    others = unit_set(layer="elsewhere"), unit_set(id="other", primary=False)
    beside, own = clarify(results(*others, unit_set(pair({("x", "x"): 1}))), texts)
    assert (beside.layer, beside.unit_set, own.layer) == ("elsewhere", "items", "main")
    return own


def at(start: int, end: int, **labels: str) -> Disagreement:
    return Disagreement(document=0, spans=((start, end),), labels=labels or {"A": "x", "B": "y"})


def test_a_form_is_a_case_for_the_guidelines_that_is_disputed_twice() -> None:
    found = clarified(at(5, 8), at(9, 12), at(13, 16, A="x", B="z"), at(0, 3), at(17, 22))
    (only,) = found.forms
    assert (only.form, only.units, dict(only.labels), only.example) == ("and", 2, {"x": 2, "y": 1, "z": 1}, 0)
    assert found.unit_set == "items"


def test_forms_are_in_small_letters_with_single_blanks_the_most_frequent_first() -> None:
    whole = [Disagreement(text=text, labels={"A": "x"}) for text in ("b  B", "B b", "a", "A", "c", "C", "C")]
    assert [each.form for each in clarified(*whole).forms] == ["c", "a", "b b"]
    parts = Disagreement(document=0, spans=((0, 3), (9, 12)), labels={"A": "x"})
    assert [each.form for each in clarified(parts, parts).forms] == ["one … two"]
    many = [Disagreement(text=f"w{number:02}", labels={"A": "x"}) for number in range(25) for _ in "AB"]
    assert [each.form for each in clarified(*many).forms] == [f"w{number:02}" for number in range(20)]


def test_units_without_a_text_have_no_form() -> None:
    nowhere = Disagreement(labels={"A": "x"})
    assert clarified(nowhere, nowhere).forms == ()
    assert clarified(at(5, 8), at(13, 16), text=None).forms == ()
    spanless = Disagreement(document=0, labels={"A": "x"})
    assert clarified(spanless, spanless).forms == ()
    assert [each.form for each in clarified(spanless, nowhere, at(5, 8), at(13, 16)).forms] == ["and"]


def mark(who: str, start: int, end: int, label: str = "x") -> Mark:
    return Mark(annotator=who, label=label, spans=((start, end),))


def test_a_label_that_one_of_several_uses_twice_is_told() -> None:
    marks = (
        mark("A", 0, 3, "y"),
        mark("A", 9, 12, "y"),
        mark("A", 0, 3, "z"),
        mark("A", 0, 3),
        mark("B", 0, 3),
    )
    assert clarified(marks=marks).alone == {"y": "A"}
    reference = *marks, mark("B", 0, 3, "y")
    assert clarified(marks=reference).alone == {}
    assert clarified(marks=reference, roles={"B": "reference"}).alone == {"y": "A"}


def test_without_marks_units_tell_who_uses_a_category() -> None:
    def alone(table: dict[tuple[str, str], int], **changes: object) -> dict[str, str]:
        texts = Texts(
            guidelines="1",
            documents=(),
            disagreements=(Disagreements(layer="main", unit_set="items", units=()),),
        )
        (found,) = clarify(results(unit_set(pair(table), **changes)), texts)
        return dict(found.alone)

    assert alone({("x", "x"): 5, ("y", "x"): 2, ("x", "z"): 1}) == {"y": "A"}
    assert alone({("x", "x"): 5, ("y", "x"): 2}, annotators=("A",)) == {}
    both = pair(
        {("s", "s"): 1},
        labels={"m": LabelCounts(first=3, second=0, both=0), "n": LabelCounts(first=2, second=2, both=2)},
    )
    texts = Texts(
        guidelines="1", documents=(), disagreements=(Disagreements(layer="main", unit_set="items", units=()),)
    )
    (of_sets,) = clarify(results(unit_set(both)), texts)
    assert of_sets.alone == {"m": "A"}
    others = pair({("x", "x"): 9}), pair({("y", "x"): 1}, ("A", "C")), pair({("y", "x"): 1}, ("A", "D"))
    (largest,) = clarify(results(unit_set(*others)), texts)
    assert largest.alone == {}, "once in each pair is once"


def test_boundaries_are_those_of_the_marks() -> None:
    texts = Texts(
        guidelines="1", documents=(), disagreements=(Disagreements(layer="main", unit_set="items", units=()),)
    )
    (found,) = clarify(results(unit_set(), spans=marked(("boundary", "x", 3))), texts)
    assert [each.label for each in found.boundaries] == ["x"]
    (bare,) = clarify(results(unit_set()), texts)
    assert bare.boundaries == ()
