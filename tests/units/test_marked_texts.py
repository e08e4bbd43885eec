"""Marks in texts become units, tokens or stretches; labels that are sets, and what each category holds."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import UnitSet
from reportgen.readers import (
    EMPTY_SET,
    DocumentCopy,
    ParsedMark,
    ReaderOptions,
    Relation,
    SetLabel,
    as_set,
    cleaned_labels,
    members_of,
    read_export,
)
from reportgen.units import CodedUnits, LayerUnits
from tests.measures.made import annotations as of_rows
from tests.measures.made import declare
from tests.measures.made import study as rated_study
from tests.present import present
from tests.units.marked import annotations, copy, labelled, rated, study
from tests.units.marked import annotations as marked
from tests.units.refusals import refusal

TEXT = "Anna met 🙂 Ben in Paris ."


def tokens_of(*copies: DocumentCopy) -> CodedUnits:
    return study(annotations(*copies)).unit_sets[0]


def test_a_token_takes_the_label_of_the_mark_on_it_and_the_others_are_one_weighted_row() -> None:
    units = tokens_of(copy("a", TEXT, [(0, 4, "PER"), (9, 14, "PER")]), copy("b", TEXT, [(18, 23, "LOC")]))
    assert rated(units) == [
        (1, {"a": "PER", "b": "(unmarked)"}),
        (1, {"a": "PER", "b": "(unmarked)"}),
        (1, {"a": "PER", "b": "(unmarked)"}),
        (1, {"a": "(unmarked)", "b": "LOC"}),
        (3, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert units.categories == ("LOC", "PER", "(unmarked)")
    assert (units.units, units.base, units.marks.used) == (7, "tokens", 3)


def test_marks_that_cut_a_token_are_boundary_cases_and_are_counted() -> None:
    text = "ab cd, ef"
    marks = [(0, 2, "X"), (3, 5, "X"), (4, 9, "X"), (2, 3, "X"), (8, 8, "X")]
    export = annotations(copy("a", text, marks), copy("b", text, [(0, 6, "X")]))
    words = UnitSet(id="words", units="tokens", token_pattern=r"\w+|,")  # noqa: S106 - of a text
    both = UnitSet(id="both", units="annotated-by-all", base="tokens")
    tokens, by_pattern, of_both, stretches = study(
        export, "tokens", words, both, "annotated-by-any"
    ).unit_sets
    # "cd" without its comma, and from within "cd," on.
    assert (tokens.marks.boundary, by_pattern.marks.boundary, stretches.marks.boundary) == (2, 1, None)
    assert (of_both.marks.used, of_both.marks.boundary) == (4, 2)


def test_relations_stand_on_the_stretches_of_their_arguments_whatever_their_direction() -> None:
    marks = [ParsedMark("Gene", ((0, 4),), id="T1"), ParsedMark("Gene", ((9, 14),), id="T2")]

    def one(annotator: str, former: str, new: str, **more: Any) -> DocumentCopy:  # noqa: ANN401 - as copy
        relation = Relation("Renames", (("Former", former), ("New", new)), line=3)
        return DocumentCopy("d", annotator, f"{annotator}.ann", TEXT, marks, (relation,), **more)

    export = annotations(one("a", "T1", "T2"), one("b", "T2", "T1"), copy("c", TEXT), source="Renames")
    size = UnitSet(id="pairs", units="declared", size=5)
    either, declared = study(export, "annotated-by-any", size).unit_sets
    expected = {"a": "Renames (Former, New)", "b": "Renames (New, Former)", "c": "(unmarked)"}
    assert rated(either) == [(1, expected)]
    assert rated(declared)[1] == (4, dict.fromkeys("abc", "(unmarked)"))
    assert (either.base, either.marks.used) == ("relations", 2)


Ends = tuple[int, int]
WORDS = "the gene ypdA and the gene ypdB and the gene ypdC are one"
A, B, C = ((WORDS.index(name), WORDS.index(name) + 4) for name in ("ypdA", "ypdB", "ypdC"))


def related(annotator: str, *relations: tuple[Ends, Ends], text: str = WORDS) -> DocumentCopy:
    """Return a copy with relations from one stretch to another."""
    marks = [
        ParsedMark("Gene", (end,), id=f"T{n}{m}")
        for n, ends in enumerate(relations)
        for m, end in enumerate(ends)
    ]
    made = [Relation("Is", (("From", f"T{n}0"), ("To", f"T{n}1")), line=n) for n in range(len(relations))]
    return DocumentCopy("d", annotator, f"{annotator}.ann", text, marks, made)


def relations_of(*copies: DocumentCopy) -> list[tuple[int, dict[str, str]]]:
    return rated(study(annotations(*copies, source="Is"), "annotated-by-any").unit_sets[0])


FORTH, NO_RELATION = "Is (From, To)", "(unmarked)"


def test_an_end_in_several_stretches_is_one_end() -> None:
    split = DocumentCopy(
        *("d", "b", "b.ann", WORDS),
        [
            ParsedMark("Gene", ((A[0], A[0] + 1), (A[1] - 1, A[1])), id="T1"),
            ParsedMark("Gene", (B,), id="T2"),
        ],
        [Relation("Is", (("From", "T1"), ("To", "T2")))],
    )
    assert relations_of(related("a", (A, B)), split) == [(1, {"a": FORTH, "b": FORTH})]


def test_a_relation_with_another_end_is_another() -> None:
    apart = [(1, {"a": FORTH, "b": NO_RELATION}), (1, {"a": NO_RELATION, "b": FORTH})]
    assert relations_of(related("a", (A, B)), related("b", (A, C))) == apart
    assert relations_of(related("a", (A, B)), related("b", ((A[1], A[1] + 1), B))) == apart
    # Both ends within one of the other's are no end within each.
    halves = (A[0], A[0] + 2), (A[0] + 2, A[1])
    assert sorted(map(str, relations_of(related("a", (A, B)), related("b", halves)))) == sorted(
        map(str, apart)
    )


def test_of_several_relations_that_overlap_the_nearest_are_one_and_each_in_one_pair() -> None:
    wide, wider = (B[0] - 4, B[1]), (B[0] - 9, B[1])
    found = relations_of(related("a", (A, B), (A, wider)), related("b", (A, wide)), related("c", (A, B)))
    assert found == [
        (1, {"a": FORTH, "b": NO_RELATION, "c": NO_RELATION}),
        (1, {"a": FORTH, "b": FORTH, "c": FORTH}),
    ]


@given(st.data())
def test_where_ends_begin_and_stop_changes_no_label_of_a_relation(data: st.DataObject) -> None:
    text = "abcdef " * 5
    word = st.integers(0, 4)
    pairs = st.lists(
        st.tuples(word, word).filter(lambda two: two[0] != two[1]),
        min_size=1,
        max_size=4,
        unique_by=frozenset,
    )

    def ends(number: int) -> Ends:
        start = data.draw(st.integers(0, 2))
        return 7 * number + start, 7 * number + data.draw(st.integers(3, 6))

    own = {who: data.draw(pairs) for who in "abc"}
    whole = {
        who: [((7 * one, 7 * one + 6), (7 * two, 7 * two + 6)) for one, two in of_one]
        for who, of_one in own.items()
    }
    parts = {who: [(ends(one), ends(two)) for one, two in of_one] for who, of_one in own.items()}
    found, expected = (
        relations_of(*(related(who, *each[who], text=text) for who in "abc")) for each in (parts, whole)
    )
    assert sorted(map(str, found)) == sorted(map(str, expected))


@pytest.mark.parametrize(
    ("unit_set", "key"),
    [
        (UnitSet(id="t", units="tokens"), "units"),
        (UnitSet(id="t", units="sentences"), "units"),
        (UnitSet(id="t", units="candidates", layer="Gene"), "units"),
        (UnitSet(id="t", units="annotated-by-any", base="tokens"), "base"),
    ],
)
def test_units_cut_from_texts_are_refused_for_relations(unit_set: UnitSet, key: str) -> None:
    relation = Relation("Renames", (("Former", "T1"),), line=3)
    mark = ParsedMark("Gene", ((0, 4),), id="T1")
    export = annotations(DocumentCopy("d", "a", "a.ann", TEXT, [mark], [relation]), source="relations")
    problem = refusal(study, export, unit_set)
    assert problem.key == f"unit_sets.1.{key}"
    assert "a relation lies between several" in problem.message


def test_two_marks_on_a_token_are_a_set_of_labels() -> None:
    units = tokens_of(copy("a", "ab cd", [(0, 5, "Y"), (0, 2, "X")]), copy("b", "ab cd", [(0, 2, "X")]))
    assert rated(units) == [(1, {"a": "X|Y", "b": "X"}), (1, {"a": "Y", "b": "(unmarked)"})]
    assert (units.several, units.joined, units.marks.used) == (1, True, 3)


def test_priority_says_which_label_counts_and_a_mark_that_never_does_is_left_out() -> None:
    export = annotations(copy("a", "ab cd", [(0, 5, "Y"), (0, 2, "X")]), copy("b", "ab cd", [(0, 2, "X")]))
    found = study(export, priority=("Y", "X"))
    units = found.unit_sets[0]
    assert rated(units) == [(1, {"a": "Y", "b": "X"}), (1, {"a": "Y", "b": "(unmarked)"})]
    assert (units.several, units.joined) == (1, False)
    assert [(each.line, each.reason) for each in found.left_out] == [
        (2, "another mark on the same tokens has a label that comes first in priority")
    ]
    of_sentences = study(export, "sentences", priority=("Y", "X"))
    assert rated(of_sentences.unit_sets[0]) == [(1, {"a": "Y", "b": "X"})]
    assert of_sentences.left_out[0].reason.startswith("another mark on the same sentences")


def test_who_did_not_see_a_document_has_no_rating_and_who_saw_it_and_marked_nothing_has() -> None:
    units = tokens_of(
        copy("a", "one two", [(0, 3, "X")]),
        copy("b", "one two"),
        copy("c", "one two", state="skipped"),
        copy("c", "three", document="e"),
        copy("a", "three", document="e"),
    )
    assert rated(units) == [
        (1, {"a": "X", "b": "(unmarked)"}),
        (1, {"a": "(unmarked)", "b": "(unmarked)"}),
        (1, {"a": "(unmarked)", "c": "(unmarked)"}),
    ]


def test_stretches_that_coincide_are_one_unit_and_others_are_not() -> None:
    export = annotations(
        copy("a", TEXT, [(0, 4, "PER"), (9, 14, "PER")]), copy("b", TEXT, [(0, 4, "ORG"), (11, 14, "PER")])
    )
    either, both = study(export, "annotated-by-any", "annotated-by-all").unit_sets
    assert rated(either) == [
        (1, {"a": "PER", "b": "ORG"}),
        (1, {"a": "PER", "b": "(unmarked)"}),
        (1, {"a": "(unmarked)", "b": "PER"}),
    ]
    assert rated(both) == [(1, {"a": "PER", "b": "ORG"})]
    assert (both.marks.used, both.marks.left_out) == (2, {"not every annotator marked the unit": 2})
    assert both.categories == ("ORG", "PER")


def test_a_declared_size_adds_unmarked_units_to_the_marked_stretches_or_tokens() -> None:
    export = annotations(copy("a", TEXT, [(0, 8, "PER")]), copy("b", TEXT, [(0, 8, "PER")]))
    marks = UnitSet(id="names", units="declared", size=10)
    tokens = UnitSet(id="words", units="declared", size=10, base="tokens")
    by_mark, by_token = study(export, marks, tokens).unit_sets
    assert rated(by_mark) == [(1, {"a": "PER", "b": "PER"}), (9, {"a": "(unmarked)", "b": "(unmarked)"})]
    assert [weight for weight, _ in rated(by_token)] == [1, 1, 8]


def test_a_mark_called_like_unmarked_units_needs_another_name_for_them() -> None:
    export = annotations(copy("a", "one", [(0, 3, "(unmarked)")]), copy("b", "one"))
    with pytest.raises(BadInput, match="means unmarked units"):
        study(export)
    assert rated(study(export, non_annotated="none").unit_sets[0]) == [(1, {"a": "(unmarked)", "b": "none"})]


Found = list[tuple[int, int, str]]

LISTED = UnitSet(id="listed", units="candidates", file="terms.txt")
KEPT = UnitSet(id="kept", units="candidates", file="terms.txt", keep_marked=True)

SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from("XYZ")).map(
        lambda each: (min(each[:2]), max(each[:2]), each[2])
    ),
    max_size=5,
)


@given(st.text("ab \n🙂", min_size=12, max_size=12), SPANS, SPANS, st.sampled_from([(), ("Z", "X", "Y")]))
def test_every_character_is_labelled(text: str, one: Found, other: Found, priority: tuple[str, ...]) -> None:
    """Labels are those that a loop over characters finds, and used + left out = read in every unit set."""
    export = annotations(copy("a", text, one), copy("b", text, other))
    kinds = "tokens", "sentences", "annotated-by-any", "annotated-by-all", LISTED, KEPT
    found = study(export, *kinds, priority=priority, terms=("a", " ", *text.split()[:2]))
    cut = [mark for marks in (one, other) for mark in marks if cuts(text, mark)]
    boundary = found.unit_sets[0].marks.boundary or 0
    assert boundary <= len(cut) if priority else boundary == len(cut)
    for units in found.unit_sets:
        left_out = sum(found.passed_over.values()) + sum(units.marks.left_out.values())
        assert units.marks.used + left_out == found.marks_read == len(one) + len(other)
    assert found.marks_used + sum(each.marks for each in found.left_out) == found.marks_read
    expected = Counter(
        (expect(token, one, priority), expect(token, other, priority)) for token in tokens_in(text)
    )
    units = found.unit_sets[0]
    seen: Counter[tuple[str, str]] = Counter()
    for weight, labels in rated(units):
        seen[labels["a"], labels["b"]] += weight
    assert seen == expected


def cuts(text: str, mark: tuple[int, int, str]) -> bool:
    """Say whether a mark begins or ends between two characters that are no white space."""
    edges = [place for place in mark[:2] if 0 < place < len(text) and mark[0] < mark[1]]
    return any(not text[place - 1].isspace() and not text[place].isspace() for place in edges)


def tokens_in(text: str) -> list[set[int]]:
    tokens: list[set[int]] = []
    for place, char in enumerate(text):
        if not char.isspace():
            if place and not text[place - 1].isspace():
                tokens[-1].add(place)
            else:
                tokens.append({place})
    return tokens


def expect(token: set[int], marks: Found, priority: tuple[str, ...]) -> str:
    labels = {name for start, end, name in marks if token & set(range(start, end))}
    if not labels:
        return "(unmarked)"
    return min(labels, key=priority.index) if priority else "|".join(sorted(labels))


def sets_of(units: CodedUnits) -> dict[str, set[str]]:
    assert len(present(units.sets)) == len(units.categories)
    return {name: set(each) for name, each in zip(units.categories, present(units.sets), strict=True)}


def read(folder: Path, text: str, separator: str | None = "|", **task: Any) -> LayerUnits:  # noqa: ANN401
    file = folder / "e.csv"
    file.write_text(text, encoding="utf-8")
    return rated_study(
        read_export([(file, "e.csv")], ReaderOptions(set_separator=separator)), scale="set", **task
    )


def test_several_rows_of_one_annotator_on_one_unit_are_one_set(tmp_path: Path) -> None:
    rows = (
        "item,annotator,label",
        "1,Ann,b",
        "1,Ann,a",
        "1,Ann,b",
        "1,Bob,a|b",
        "2,Ann,c",
        "2,Bob,{}",
        "2,Bob,c",
    )
    found = read(tmp_path, "\n".join(rows))
    units = found.unit_sets[0]
    assert labelled(units) == {(0, "Ann"): "a|b", (0, "Bob"): "a|b", (1, "Ann"): "c", (1, "Bob"): "c"}
    assert units.categories == ("a|b", "c")
    # Every mark counts, one that says the same again too; a set is marked once.
    assert (found.marks_read, found.marks_used, units.several, units.joined) == (7, 7, 2, True)


@pytest.mark.parametrize("kind", ["annotated-by-any", "annotated-by-all", "declared"])
def test_every_kind_of_unit_set_knows_the_members_of_its_categories(kind: str) -> None:
    export = of_rows([("a|b", "a"), ("a", "none"), ("none", "none")], separator="|")
    found = rated_study(
        export, declare(kind, 9 if kind == "declared" else None), scale="set", non_annotated="none"
    )
    known: dict[str, set[str]] = {"a": {"a"}, "a|b": {"a", "b"}, "none": set()}
    assert sets_of(found.unit_sets[0]) == {
        name: each for name, each in known.items() if kind != "annotated-by-all" or each
    }


def test_labels_know_their_members_whatever_they_are_called() -> None:
    label = as_set("b | a|b", "|")
    assert str(label) == "a|b"
    assert members_of(label) == {"a", "b"}
    assert members_of(as_set(EMPTY_SET, "|")) == members_of(EMPTY_SET) == frozenset()
    assert members_of("a|b") == {"a|b"}
    (lower,) = cleaned_labels([SetLabel("A|B", ["A", "B"])], ReaderOptions(normalise=("lowercase",)))
    assert lower == "a|b"
    assert members_of(lower) == {"a", "b"}


def test_what_a_tool_gives_as_a_list_is_a_set_without_a_separator() -> None:
    said = SetLabel("A|B;C", ["A|B", "C"])
    one, other = (
        DocumentCopy("d", who, f"{who}.json", "", [ParsedMark("choice", (), {"label": said}, 1)])
        for who in "ab"
    )
    units = rated_study(marked(one, other, source="choice->label"), scale="set").unit_sets[0]
    assert sets_of(units) == {"A|B;C": {"A|B", "C"}}
