"""Where words, sentences and the terms of a list are in a text."""

import pickle
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.units import pattern_matches
from reportgen.units.segmentation import Pieces, find_terms, sentences, tokenise
from tests.units.marked import annotations, copy, rated, study

TEXTS = ["A cat,  and", "", "one\ttwo"]


def stretches(found: Pieces) -> list[tuple[int, str]]:
    columns = zip(found.document.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    return [(text, TEXTS[text][start:end]) for text, start, end in columns]


def test_tokens_are_what_whitespace_separates_or_a_pattern_matches() -> None:
    for _ in range(2):
        assert stretches(tokenise(TEXTS)) == [(0, "A"), (0, "cat,"), (0, "and"), (2, "one"), (2, "two")]
        assert stretches(tokenise(TEXTS, "[a-c]*")) == [(0, "ca"), (0, "a")]


def test_tokens_are_shared_by_layers_and_can_not_be_changed() -> None:
    found = tokenise(TEXTS)
    assert tokenise(list(TEXTS)) is found
    with pytest.raises(ValueError, match="read-only"):
        found.start[0] = 1


def test_every_letter_of_a_text_is_where_a_pattern_finds_it() -> None:
    texts = ["é\U0001f600 \ud800x", "", "ab"]
    found = tokenise(texts, r"\S")
    assert list(zip(found.document.tolist(), found.start.tolist(), strict=True)) == [
        *((0, 0), (0, 1), (0, 3), (0, 4)),
        *((2, 0), (2, 1)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(\w+\s?)+!", r"(?=(\w+\s?)+!)x"])
def test_a_pattern_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setattr(pattern_matches, "SECONDS", 1)
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        pattern_matches.matches(pattern, ["a" * 60])
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(sys.platform == "win32", reason="only where processes have limits")
def test_the_limit_of_the_processor_is_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for code, error in ((-signal.SIGXCPU, TimeoutError), (-signal.SIGKILL, MemoryError), (1, MemoryError)):
        ended = subprocess.CompletedProcess([], code, b"")
        monkeypatch.setattr(subprocess, "run", lambda *_, ended=ended, **__: ended)
        with pytest.raises(error):
            pattern_matches.matches("a", ["a"])


def test_a_pattern_may_take_a_second_more_for_half_a_million_characters() -> None:
    assert pattern_matches.seconds_for([]) == pattern_matches.seconds_for(["a" * 499_999]) == 10
    assert pattern_matches.seconds_for(["a" * 250_000] * 2) == 11


def test_a_pattern_may_take_a_gigabyte_and_forty_bytes_for_each_character(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[object] = []

    def ended(*_: object, **options: bytes) -> subprocess.CompletedProcess[bytes]:
        given.extend(pickle.loads(options["input"]))  # noqa: S301 - `matches` wrote it
        return subprocess.CompletedProcess([], 0, bytes(8) * 2)

    monkeypatch.setattr(subprocess, "run", ended)
    assert pattern_matches.matches("a", ["xyz", "z"]) == [[], []]
    assert given == ["a", ["xyz", "z"], 10, 2**30 + 160]


def test_a_pattern_that_fills_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "MEMORY", 2**26)
    monkeypatch.setattr(pattern_matches, "BYTES_A_CHARACTER", 0)
    with pytest.raises(MemoryError):
        pattern_matches.matches(r"(?:(\w)|(\s))*", ["ab " * 500_000])
    assert pattern_matches.matches(r"\w+", ["ab " * 3]) == [[(0, 2), (3, 5), (6, 8)]]


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


def found(text: str, *terms: str) -> list[tuple[int, int]]:
    pieces = find_terms([text], terms)
    return list(zip(pieces.start.tolist(), pieces.end.tolist(), strict=True))


def words(text: str, *terms: str) -> list[str]:
    return [text[start:end] for start, end in found(text, *terms)]


@pytest.mark.parametrize(
    ("text", "terms", "expected"),
    [
        ("abc abcD abc-like (abc) abc_2", ["abc"], ["abc", "abc", "abc"]),
        ("the gene abc and Abc", ["abc"], ["abc"]),
        ("spo 0A and spo\n0A", ["spo 0A"], ["spo 0A", "spo\n0A"]),
        ("σB -lactam x-lactam", ["σB", "-lactam"], ["σB", "-lactam", "-lactam"]),
        ("cafe\u0301 cafe", ["caf\u00e9", "caf"], ["cafe\u0301"]),
    ],
)
def test_terms_between_words_the_longest_first(text: str, terms: list[str], expected: list[str]) -> None:
    assert words(text, *terms) == expected


WORDS = ["a", "b", "ab", "a-b", "b a", "a b a", "-"]


@given(
    st.lists(st.sampled_from([*WORDS, "c", " "]), max_size=12), st.lists(st.sampled_from(WORDS), max_size=5)
)
def test_matches_are_those_of_a_search_at_every_place(pieces: list[str], terms: list[str]) -> None:
    text = " ".join(pieces)
    every = [
        (start, start + len(term))
        for term in set(terms)
        for start in range(len(text))
        if text.startswith(term, start) and is_free(text, start) and is_free(text, start + len(term))
    ]
    chosen: list[tuple[int, int]] = []
    for start, end in sorted(every, key=lambda each: (each[0] - each[1], each[0])):
        if all(end <= other or start >= stop for other, stop in chosen):
            chosen.append((start, end))
    assert found(text, *terms) == sorted(chosen)


def is_free(text: str, place: int) -> bool:
    """Say whether no word goes on from one side of a place to the other."""
    return not (0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum())
