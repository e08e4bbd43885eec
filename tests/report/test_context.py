"""Key word in context."""

import re

from hypothesis import given
from hypothesis import strategies as some

from reportgen.results.texts import AROUND, POINT, in_context

TEXT = "The gene ypdA, hereafter called bdr,\nis needed for growth. " * 3


def test_a_unit_stands_between_about_fifty_characters_cut_at_words() -> None:
    start = TEXT.index("bdr", 60)
    found = in_context(TEXT, [(start, start + 3)])
    assert found.line == (
        "…for growth. The gene ypdA, hereafter called [bdr], is needed for growth. The gene ypdA, hereafter…"
    )


def test_at_the_ends_of_a_text_nothing_is_left_out() -> None:
    assert in_context("ypdA is bdr", [(0, 4)]).line == "[ypdA] is bdr"
    assert in_context("ypdA is bdr", [(8, 11)]).line == "ypdA is [bdr]"


def test_what_lies_between_the_stretches_of_a_unit_is_not_of_it() -> None:
    found = in_context("genes ypdA and B are", [(6, 9), (15, 16), (9, 10)])
    assert found.parts[::2] == ("ypd", "A", "B")
    assert found.unit == "ypd … A … B"
    assert found.line == "genes [ypd][A] and [B] are"


def test_a_unit_of_no_length_and_a_long_one_can_be_seen() -> None:
    assert in_context("ab", [(1, 1)]).line == f"a[{POINT}]b"
    long = in_context("x " * 500, [(0, 1000)]).unit
    assert len(long) < 250
    assert " … " in long


@given(some.text(alphabet="ab \n\u3000é", max_size=160), some.data())
def test_a_context_is_a_piece_of_its_text_on_one_line(text: str, data: some.DataObject) -> None:
    start = data.draw(some.integers(0, len(text)))
    end = data.draw(some.integers(start, len(text)))
    found = in_context(text, [(start, end)])
    before, after = found.before.removeprefix("…"), found.after.removesuffix("…")
    assert "\n" not in found.line
    assert max(len(before), len(after)) <= AROUND
    assert one_line(text[:start]).endswith(before)
    assert one_line(text[end:]).startswith(after)
    if start < end:
        assert found.unit == one_line(text[start:end])


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
