import pytest

from reportgen.units.segmentation import Pieces, tokenise

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
