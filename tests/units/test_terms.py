"""Where the terms of a list stand in a text: longest first, never inside a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.units.segmentation import find_terms


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
