"""Where sentences end: a simple rule, told by examples and by what holds for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.units.segmentation import sentences
from tests.units.marked import annotations, copy, rated, study


def of(text: str) -> list[str]:
    found = sentences([text])
    return [text[start:end] for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna left. Ben stayed.", ["Anna left.", "Ben stayed."]),
        ("Really?! Yes… No.", ["Really?!", "Yes…", "No."]),
        ("A heading\nThe text\r\n\n goes on ", ["A heading", "The text", "goes on"]),
        ('"Stop!" "Why?" She left (as before.) Then', ['"Stop!"', '"Why?"', "She left (as before.)", "Then"]),
        ("« Quoi ! » Elle rit. « Non. »", ["« Quoi ! »", "Elle rit.", "« Non. »"]),
        ("He met Prof! It was fun. So was Dr? Berg.", ["He met Prof!", "It was fun.", "So was Dr?", "Berg."]),
        ("It grew. 30 cells died.", ["It grew.", "30 cells died."]),
        ("他来了。她走了！真的吗？", ["他来了。", "她走了！", "真的吗？"]),  # noqa: RUF001 - full-width marks
        ("وصل. ثم ذهب.", ["وصل.", "ثم ذهب."]),
    ],
)
def test_a_sentence_ends_with_a_line_or_before_what_can_begin_one(text: str, expected: list[str]) -> None:
    assert of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Berg met Mme. Blanc, e.g. Anna (cf. Ben) et al. 2010",
        "J. R. R. Tolkien wrote of B. Subtilis",
        "See Fig. 3, No. 5 and p. 12",
        "the strain of e. coli. it grew on 3.5 g of agar",
        "1. First item",
        "... And then",
        "It grew. – And how?",
    ],
)
def test_what_does_not_end_a_sentence(text: str) -> None:
    assert of(text) == [text]


def test_words_that_only_stand_before_numbers_as_abbreviations_end_sentences_elsewhere() -> None:
    assert of("He said no. Then he left.") == ["He said no.", "Then he left."]


@given(st.text('aAé 1.!?…"»)\n\r。', max_size=60))
def test_each_character_that_is_no_white_space_is_in_one_sentence(text: str) -> None:
    found = sentences([text, text])
    assert found.document.tolist() == sorted(found.document.tolist())
    assert len(found.start) % 2 == 0
    half = len(found.start) // 2
    pieces = list(zip(found.start[:half].tolist(), found.end[:half].tolist(), strict=True))
    covered = [place for start, end in pieces for place in range(start, end)]
    assert covered == sorted(set(covered))
    assert all(text[place].isspace() for place in set(range(len(text))) - set(covered))
    for start, end in pieces:
        assert text[start:end] == text[start:end].strip()
        assert not set(text[start:end]) & set("\n\r")


def test_a_long_text_without_an_end_is_cut_at_no_end() -> None:
    assert len(sentences(["a. b. " * 50_000, "1. 2. " * 50_000]).start) == 2


def test_a_sentence_takes_the_label_of_the_marks_in_it_and_one_across_two_counts_for_both() -> None:
    text = "Anna met Ben. Paris is far.\n\nNobody else."
    export = annotations(
        copy("a", text, [(0, 4, "PER"), (9, 19, "PER"), (27, 29, "LOC")]),
        copy("b", text, [(14, 19, "LOC")]),
    )
    found = study(export, "sentences")
    (units,) = found.unit_sets
    assert rated(units) == [
        (1, {"a": "PER", "b": "(unmarked)"}),
        (1, {"a": "PER", "b": "LOC"}),
        (1, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert (units.base, units.units, units.marks.boundary) == ("sentences", 3, None)
    assert units.marks.left_out == {"it covers no sentence": 1}
    assert [text[start:end] for start, end in zip(units.places.start, units.places.end, strict=True)] == [
        "Anna met Ben.",
        "Paris is far.",
        "Nobody else.",
    ]
