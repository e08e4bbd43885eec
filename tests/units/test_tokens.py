import pickle
import signal
import subprocess
import sys
import time

import pytest

from reportgen.units import pattern_matches
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
