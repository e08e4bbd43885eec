"""Guidelines compared passage by passage, with the categories that each names."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.versions.guidelines_documents import (
    GuidelinesDocument,
    compare_guidelines,
    guidelines_compared,
    guidelines_document,
    numbered_passages,
    passages,
    rules,
)
from tests.properties import examples

BEFORE = """# Guidelines

Read the whole text
before you mark anything.

1. A *person* is PER.
2. Titles belong to the name.
"""
AFTER = """# Guidelines

Read the whole text
before you mark anything.

1. Groups are ORG.
2. A *person* is PER.
3. Titles do not belong to the name.
"""


def compared(first: str, second: str, *categories: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.kind, each.text, each.categories) for each in compare_guidelines(first, second, categories)]


def kinds(first: str, second: str) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in compare_guidelines(first, second, ())]


# What a passage is


def test_paragraphs_items_headings_and_rows_are_passages() -> None:
    text = "\ufeffTitle\n=====\n\nTwo\nlines.\n\nUnder\n---\n* one\n  goes on\n- two\n\n"
    text += "| a | b |\n|---|:-:|\n| 1 | 2 |\n\n***\n"
    expected = ["# Title", "Two lines.", "## Under", "one goes on", "two", "| a | b |", "| 1 | 2 |"]
    assert list(passages(text)) == expected


def test_headings_keep_their_level_and_lose_closing_signs() -> None:
    assert list(passages("## Direction ##\nText.\n###### Deep\n#no heading")) == [
        *("## Direction", "Text.", "###### Deep", "#no heading")
    ]


def test_what_stands_between_fences_is_one_passage() -> None:
    text = "Like this:\n```\n# no heading\n\n- no item\n```\nAfter.\n~~~~\nopen to the end"
    assert list(passages(text)) == ["Like this:", "# no heading - no item", "After.", "open to the end"]


@pytest.mark.parametrize("text", ["", "\n \n\t\n", "---\n\n***", "#\n"])
def test_a_document_without_words_has_no_passage(text: str) -> None:
    assert list(passages(text)) == []


# What changed


def test_a_renumbered_item_is_kept_and_an_edited_one_stands_beside_what_it_was() -> None:
    assert kinds(BEFORE, AFTER) == [
        ("kept", "# Guidelines"),
        ("kept", "Read the whole text before you mark anything."),
        ("added", "Groups are ORG."),
        ("kept", "A *person* is PER."),
        ("removed", "Titles belong to the name."),
        ("added", "Titles do not belong to the name."),
    ]


def test_of_several_replaced_passages_all_that_went_stand_before_all_that_came() -> None:
    first = "kept\n\none two three four\n\nfive six seven eight"
    second = "kept\n\none two three FIVE\n\nfive six seven nine"
    assert kinds(first, second) == [
        ("kept", "kept"),
        ("removed", "one two three four"),
        ("removed", "five six seven eight"),
        ("added", "one two three FIVE"),
        ("added", "five six seven nine"),
    ]


WORDS = st.lists(st.sampled_from(["a", "b", "c d", "c d e", "# h", "- i", "", "1. a"]), max_size=9).map(
    "\n\n".join
)


@examples(40)
@given(WORDS, WORDS)
def test_both_documents_can_be_put_together_again(first: str, second: str) -> None:
    found = kinds(first, second)
    assert [text for kind, text in found if kind != "added"] == list(passages(first))
    assert [text for kind, text in found if kind != "removed"] == list(passages(second))


# Which categories are named


def test_categories_are_named_as_whole_words_in_any_case() -> None:
    found = compared("", "An ORG, or org.\n\nOrganisation\n\nper cent", "org", "PERS")
    assert [names for _, _, names in found] == [("org",), (), ()]


def test_a_label_with_a_capital_is_named_as_it_is_written_where_the_guidelines_write_it_so() -> None:
    found = compared("The New is marked.", "The New is marked.\n\nA new name.", "New")
    assert [names for _, _, names in found] == [("New",), ()]
    assert compared("", "A new name.", "New") == [("added", "A new name.", ("New",))]


def test_labels_of_several_words_and_of_signs_are_found() -> None:
    found = compared("", "A first  name or C++ (B-PER).", "First name", "C++", "B-PER", "B", " ")
    assert found[0][2] == ("First name", "C++", "B-PER", "B")


# Reading them


def test_documents_are_read_compared_and_recorded(tmp_path: Path) -> None:
    (tmp_path / "1.md").write_text(BEFORE, encoding="utf-8-sig")
    (tmp_path / "2.md").write_text(AFTER, encoding="utf-8")
    first, second = (guidelines_document(tmp_path, each, f"{each}.md") for each in "12")
    found, why = guidelines_compared(first, second, ("PER", "ORG"))
    assert found is not None
    assert why is None
    assert (found.first, found.second) == ("1.md", "2.md")
    assert [each.categories for each in found.passages if each.kind == "added"] == [("ORG",), ()]


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"%PDF-1.7\n\xe2\xe3\xcf", "2.pdf", "the guidelines document of 2.0 is not a text file"),
        (b"P\0K", "2.docx", "the guidelines document of 2.0 is not a text file"),
        (b"a " * 1_000_001, "2.md", "the guidelines document of 2.0 is too long to compare"),
        (None, "2.md", "the guidelines document of 2.0 is not there"),
        (None, None, "campaign.toml names no guidelines document for 2.0"),
    ],
    ids=["pdf", "zip", "long", "missing", "none named"],
)
def test_what_is_no_text_is_not_compared_and_the_reason_is_told(
    tmp_path: Path, content: bytes | None, name: str | None, reason: str
) -> None:
    (tmp_path / "1.md").write_text(BEFORE, encoding="utf-8")
    if content is not None and name:
        (tmp_path / name).write_bytes(content)
    first = guidelines_document(tmp_path, "1.0", "1.md")
    assert guidelines_compared(first, guidelines_document(tmp_path, "2.0", name), ()) == (None, reason)


# What they say of categories


def test_passages_are_found_by_the_line_where_they_begin() -> None:
    text = "# New\n\nTwo\nlines.\n- item\n\nUnder\n---\n```\nin\nfences\n```\n"
    assert list(numbered_passages(text)) == [
        (1, "# New"),
        (3, "Two lines."),
        (5, "item"),
        (7, "## Under"),
        (10, "in fences"),
    ]


def test_rules_are_the_passages_that_say_something_of_a_category() -> None:
    text = "## New names\n\n- **New**: the name to be used.\n- New\n\nOf other things it says nothing.\n"
    (found,) = rules(GuidelinesDocument("1.0", "1.0.md", text), ("New", "Former"))
    assert (found.line, found.categories) == (3, ("New",))
    assert rules(GuidelinesDocument("1.0"), ("New",)) == ()


def test_a_relation_is_named_without_its_arguments_and_no_other_label_is_cut() -> None:
    text = "Draw the relation Renames from one to the other.\n\nThe other names stay as they are.\n"
    names = ("Renames (Former, New)", "other (please specify)")
    (found,) = rules(GuidelinesDocument("1.0", "1.0.md", text), names)
    assert (found.line, found.categories) == (1, ("Renames (Former, New)",))


ENDS = (
    "Boundaries",
    "Extent of marks",
    "Span",
    "Where a mark ends",
    "How far a mark reaches",
    "Markierungsgrenzen",
    "Wo eine Markierung endet",
    "Bornes",
    "Étendue",
    "Où finit une marque",
    "Jusqu’où va une marque",
)


@pytest.mark.parametrize("heading", ENDS)
def test_headings_say_which_passages_are_on_where_marks_end(heading: str) -> None:
    text = f"# New\n\n## {heading}\n\nThe name and nothing else.\n\n## Other\n\nIt says nothing more.\n"
    (found,) = rules(GuidelinesDocument("1.0", "1.0.md", text), ("New",))
    assert (found.line, found.ends, found.categories) == (5, True, ())


@pytest.mark.parametrize("heading", ["Where to mark", "At the end", "Abgrenzen", "Grenzfälle", "Limites"])
def test_other_headings_are_not_on_where_marks_end(heading: str) -> None:
    text = f"## {heading}\n\nThe name and nothing else.\n"
    assert rules(GuidelinesDocument("1.0", "1.0.md", text), ("New",)) == ()


def test_a_passage_on_where_marks_end_is_about_the_category_above_it() -> None:
    text = "## New\n\n### Boundaries\n\nThe name and nothing else.\n"
    (found,) = rules(GuidelinesDocument("1.0", "1.0.md", text), ("New", "Former"))
    assert found.categories == ("New",)
