"""The edges of what verify compares: values, lines, files and their checksums."""

import hashlib
import io
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reportgen.publish.verify import differences, file_tree
from reportgen.publish.verify.differences import Discrepancy, Rounded, Unchecked, compare, merge_outcomes
from reportgen.publish.verify.file_tree import Tree
from reportgen.results import Tool
from tests.cases import cases
from tests.defaults import taken


def whats(recorded: Any, recomputed: Any, **how: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """What a comparison tells, counts of numbers left out."""
    outcomes = compare(recorded, recomputed, "results.json", **how)
    return [
        f"{each.what}: {each.number}" if isinstance(each, Unchecked) else each.what
        for each in outcomes
        if isinstance(each, Discrepancy | Unchecked)
    ]


def test_what_nobody_says_is_nothing() -> None:
    assert taken("publish/verify/*.py") == {
        "differences.Rounded.number": 1,
        "differences.Unchecked.number": 1,
        "recomputing.from_counts.in_bundle": True,
    }


# Values of results


@pytest.mark.parametrize(
    ("recorded", "recomputed", "expected"),
    [
        (1, 1.0, []),
        (1, True, ["a: 1 recorded, True recomputed."]),
        (True, True, []),
        ("x", "x", []),
        (0.5, 0.25, ["a: 0.5 recorded, 0.25 recomputed."]),
        (None, 0.25, ["a: nothing recorded, 0.25 recomputed."]),
        ("1", 1, ['a: "1" recorded, 1 recomputed.']),
        ([1], {"b": 1}, ["a: 1 number recorded, 1 number recomputed."]),
        ([1, 2], 3, ["a: 2 numbers recorded, 3 recomputed."]),
        ("y" * 60, "", [f'a: "{"y" * 60}" recorded, "" recomputed.']),
        ("y" * 61, "", [f'a: "{"y" * 60}…" recorded, "" recomputed.']),
    ],
)
def test_values_differ_where_kind_or_value_does(
    recorded: object, recomputed: object, expected: list[str]
) -> None:
    assert whats({"a": recorded}, {"a": recomputed}, whole=True) == expected


def test_what_one_has_alone_is_a_difference_or_of_another_version() -> None:
    assert whats({"a": 1}, {"b": "c"}, whole=True) == [
        "a: 1 recorded, nothing recomputed.",
        'b: nothing recorded, "c" recomputed.',
    ]
    assert whats({"a": [1, 2]}, {"b": "c"}, whole=True, older="it is older") == ["a: 2", "b: 1"]
    # What says nothing is nothing that anybody has alone.
    assert whats({"a": None, "b": "", "c": [], "d": {}}, {}, whole=True, older="it is older") == []


def test_sentences_of_another_version_may_have_other_words_names_may_not() -> None:
    assert whats({"a": "no units"}, {"a": "no unit"}, whole=True, older="old") == ["a: 1"]
    assert whats({"a": "no units"}, {"a": "no unit"}, whole=True) != []
    assert whats({"a": "units"}, {"a": "no unit"}, whole=True, older="old") == [
        'a: "units" recorded, "no unit" recomputed.'
    ]
    assert whats({"a": 1}, {"a": "no unit"}, whole=True, older="old") != []


def test_last_digits_of_other_libraries_are_rounded_and_no_more() -> None:
    close, far = {"a": 0.5 + 1e-10}, {"a": 0.5 + 1e-8}
    assert list(compare(close, {"a": 0.5}, "f", nearly="numpy")) == [("numbers", 1), Rounded("numpy")]
    assert whats(close, {"a": 0.5}) != []
    assert whats(far, {"a": 0.5}, nearly="numpy") != []
    assert whats({"a": 10**10}, {"a": 10**10 + 1}, nearly="numpy") != []
    assert whats({"a": "x"}, {"a": "y"}, nearly="numpy") != []


@pytest.mark.parametrize(
    ("number", "other", "expected"),
    [
        (1.0, 1.0 + 0.9e-9, True),
        (1.0, 1.0 + 1.1e-9, False),
        (0.0, 0.9e-10, True),
        (0.0, 1.1e-10, False),
        (3, 3, True),
        (10**12, 10**12 + 1, False),
        (10**12, 10**12 + 1.0, True),
    ],
)
def test_numbers_are_near_that_agree_in_nine_digits(number: float, other: float, *, expected: bool) -> None:
    assert differences.near(number, other) is expected


@pytest.mark.parametrize(
    ("text", "due", "expected"),
    [
        ("a 0.5000000001 b", "a 0.5 b", 1),
        ("a 0.5 b", "a 0.5 b", 0),
        ("a 0.5000000001 b", "a 0.5 c", 0),
        ("a 0.51 b 0.5000000001", "a 0.5 b 0.5", 0),
        ("0.5000000001 0.2500000001", "0.5 0.25", 2),
        ("1e-12", "2e-12", 1),
        ("3 0.5", "4 0.5", 0),
    ],
)
def test_files_are_rounded_where_nothing_but_last_digits_differ(text: str, due: str, expected: int) -> None:
    assert differences.rounded(text, due) == expected


def test_what_counts_do_not_determine_is_unchecked_by_its_reason() -> None:
    assert whats({"quality": [1, 2, 3], "units": 4}, {"units": 4}) == ["quality: 3"]
    assert whats({"spans": {"unitizing": [1]}}, {"spans": {}}) == ["spans: unitizing: 1"]
    assert whats({"quality": [], "findings": [1]}, {}) == []
    older = whats({"a": {"b": {"c": 1}}}, {"a": {"b": {}}}, older="old")
    assert older == ["a: b: 1"]
    assert whats({"quality": [1]}, {}, whole=True) != []


def test_a_figure_may_say_that_counts_do_not_give_it_only_where_some_do_not() -> None:
    flagged = {"b": {"recomputable": False, "value": 1}}
    assert whats({"spans": flagged}, {"spans": {}}) == ["spans: b: 1"]
    assert whats({"spans": flagged}, {"spans": {"b": {"value": 1}}}) != []
    assert whats({"measures": flagged}, {"measures": {}}) != []
    assert whats({"spans": {"b": {"recomputable": True, "value": 1}}}, {"spans": {}}) != []


def test_parts_of_lists_are_compared_by_name_else_by_place() -> None:
    one, two = {"id": "a", "units": 1}, {"id": "b", "units": 2}
    assert whats([one, two], [one, two], whole=True) == []
    assert whats([one, two], [two, one], whole=True) == ['order of : "a, b" recorded, "b, a" recomputed.']
    assert whats([one], [one, two], whole=True) == ["[b]: nothing recorded, 1 number recomputed."]
    assert whats([1, 2], [1, 3], whole=True) == ["[2]: 2 recorded, 3 recomputed."]
    # A name that is there twice is known by its place.
    assert whats([one, one], [one, {**one, "units": 3}], whole=True) == [
        "[a, number 2].units: 1 recorded, 3 recomputed."
    ]


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ({"layer": "main", "id": "items"}, "main items"),
        ({"layer": "main", "key": "gold", "other": "A", "unit_set": "items"}, "main items gold A"),
        ({"layer": "main", "key": "gold", "other": "A", "unit_set": None}, "main gold A"),
        ({"annotators": ["A", "B"]}, "A B"),
        ({"annotators": []}, "1"),
        ({"units": 3}, "1"),
    ],
)
def test_a_part_is_called_by_its_names(part: dict[str, Any], name: str) -> None:
    assert whats([{**part, "x": 1}], [{**part, "x": 2}], whole=True) == [
        f"[{name}].x: 1 recorded, 2 recomputed."
    ]


# What checks tell together


def test_changed_bytes_come_before_what_was_compared_with_them() -> None:
    figures = Discrepancy("results.json", "differs.", "figures")
    pages = Discrepancy("index.html", "differs.", "pages")
    bytes_of = Discrepancy("counts.csv", "differs.", "checksums")
    found = merge_outcomes([figures, pages, figures, bytes_of]).differences
    assert [each.file for each in found] == ["counts.csv", "results.json", "index.html"]


def test_what_is_unchecked_for_one_reason_is_added_up() -> None:
    found = merge_outcomes(
        [
            Unchecked("quality", "no exports", 2),
            ("numbers", 3),
            Unchecked("quality", "no exports", 5),
            Unchecked("quality", "another", 1),
            ("numbers", 4),
            ("files", 1),
            Rounded("numpy"),
            Rounded("numpy"),
        ]
    )
    assert [(each.why, each.number) for each in found.unchecked] == [("no exports", 7), ("another", 1)]
    assert (found.numbers, found.files, found.pages) == (7, 1, 0)
    assert [each.number for each in found.rounded] == [2]


# What made it


def test_another_program_is_one_of_another_name_or_version_another_version_of_other_libraries_too() -> None:
    here = Tool.here()
    other = here.model_copy(update={"version": "0.0.1"})
    library = here.model_copy(update={"libraries": {**here.libraries, "numpy": "1.0"}})
    assert [differences.another_program(each) for each in (here, library)] == ["", ""]
    assert differences.another_program(other) == (
        f"they were made with reportgen 0.0.1; here is reportgen {here.version}"
    )
    assert differences.another_version(here) == ""
    assert differences.another_version(library) == (
        f"they were made with numpy 1.0; here is numpy {here.libraries['numpy']}"
    )
    assert [bool(differences.other_libraries(each)) for each in (here, other, library)] == [
        False,
        False,
        True,
    ]
    more = here.model_copy(update={"libraries": {**here.libraries, "polars": "2.0"}})
    assert differences.another_version(more) == "they were made with polars 2.0; here is none of it"


# JSON that can't be used


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "is missing."),
        (b"\xff", "is not UTF-8 at byte 0."),
        (b"{\n 1}", "is not JSON: line 2, column 2"),
        (b"NaN", "is not JSON: a number in it is none"),
        (b"[" * 100_000, "is not ours: its values are nested too deeply."),
    ],
)
def test_what_is_no_json_says_why(content: bytes | None, what: str) -> None:
    files = {} if content is None else {"results.json": content}
    with pytest.raises(differences.Unusable, match=what[:30]):
        differences.parsed(files, "results.json")


# Lines


@pytest.mark.parametrize(
    ("content", "expected", "what"),
    [
        ("a\nb\nc", "a\nx\ny", "line 2 differs."),
        ("a\nb", "a\nb\nc", "line 3 differs."),
        ("a\nb\nc", "b\nc", "line 1 differs."),
    ],
)
def test_the_first_line_that_differs_is_told(content: str, expected: str, what: str) -> None:
    (found,) = differences.differing("f", content.encode(), expected.encode(), "pages")
    assert found.what == what
    assert differences.differing("f", content.encode(), content.encode(), "pages") == []


def test_bytes_that_are_no_text_are_told_though_the_text_is_the_same() -> None:
    assert differences.differing("f", b"a\n\xff", b"a\n\xfe", "pages")


def test_of_a_long_line_what_is_around_the_first_difference_is_shown() -> None:
    (found,) = differences.differing("f", b"a" * 50 + b"b" + b"c" * 200, b"a" * 50 + b"x", "pages")
    assert found.recorded == f"…{'a' * 33}b{'c' * 66}…"
    assert found.found == f"…{'a' * 33}x"
    (found,) = differences.differing("f", b"b" + b"c" * 99, b"x", "pages")
    assert found.recorded == f"b{'c' * 99}"


# Which files there are


@pytest.mark.parametrize(("names", "kind"), cases(__file__, "kinds"))
def test_files_are_of_a_kind_by_several_of_its_own(names: list[str], kind: str) -> None:
    assert (file_tree.kind_of(set(names)) or "") == kind


def test_campaigns_of_a_site_are_the_folders_that_join_versions() -> None:
    names = [
        "b/history.json",
        "a/badge.json",
        "a/history.md",
        "c/badge.json",
        "d/deep/history.json",
        "history.json",
    ]
    assert file_tree.campaigns(names) == ["a", "b"]


def test_the_first_language_is_what_most_pages_say() -> None:
    def page(language: str) -> bytes:
        return f'<!doctype html><html data-a="b" lang="{language}">'.encode()

    french = {"index.html": page("fr"), "report.html": page("en"), "measures/index.html": page("fr")}
    assert file_tree.languages_of(Tree(french)) == ("fr",)
    assert file_tree.languages_of(Tree({**french, "en/index.html": b""})) == ("fr", "en")
    assert file_tree.languages_of(Tree({"index.html": page("xx"), "fr/a": b""})) == ("en", "fr")
    assert file_tree.languages_of(Tree({"index.html": b" " * 4096 + page("fr")})) == ("en",)


# Checksums


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def faults(sums: str, files: dict[str, bytes] | None = None, folder: str = "") -> list[str]:
    """What the list of checksums of files tells."""
    given = {"a": b"1", "b": b"2"} if files is None else files
    tree = Tree(
        {f"{folder}{name}": content for name, content in {**given, "SHA256SUMS": sums.encode()}.items()}
    )
    found = file_tree.check_checksums(tree, folder)
    return [f"{each.file}: {each.what}" for each in found if isinstance(each, Discrepancy)]


A, B = (f"{digest(content)}  {name}\n" for name, content in (("a", b"1"), ("b", b"2")))


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        (A + B, []),
        (A, ["b: was added: SHA256SUMS does not list it."]),
        (A + B + A.replace("  a", "  c"), ["c: is missing: SHA256SUMS lists it."]),
        (B + A, ["SHA256SUMS: line 1 differs."]),
        (A + A + B, ["SHA256SUMS: line 2 differs."]),
        ((A + B)[:-1], ["SHA256SUMS: line 3 differs."]),
        (
            A.replace("  ", " *") + B,
            [": is missing: SHA256SUMS lists it.", "a: was added: SHA256SUMS does not list it."],
        ),
        (A + B + "\n", [": is missing: SHA256SUMS lists it."]),
    ],
)
def test_a_list_of_checksums_is_as_it_was_written(sums: str, expected: list[str]) -> None:
    assert faults(sums) == expected


def test_files_are_told_of_in_their_order() -> None:
    found = faults("".join(f"{digest(b'1')}  {name}\n" for name in "zyxwvu") + "", {})
    assert [each[0] for each in found if "is missing" in each] == list("uvwxyz")


def test_a_folder_has_its_files_in_order_and_neither_links_nor_what_is_no_file(tmp_path: Path) -> None:
    for name in ("b/x", "a"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "b" / "link").symlink_to(tmp_path / "a")
    (tmp_path / "folder").symlink_to(tmp_path / "b")
    os.mkfifo(tmp_path / "pipe")
    files, wrong_ones = file_tree.walk(tmp_path)
    assert (list(files), len(files)) == (["a", "b/x"], 2)
    assert [(each.file, each.what.partition(":")[0]) for each in wrong_ones] == [
        ("b/link", "is a link"),
        ("empty/", "was added"),
        ("folder", "is a link"),
        ("pipe", file_tree.SPECIAL),
    ]
    assert (files["a"], files.digest("a"), files.head("a")) == (b"a", digest(b"a"), b"a")
    assert list(files.below("b/")) == ["x"]
    assert list(files.without(("b/",))) == ["a"]
    assert files.replaced({"a": b"2"})["a"] == b"2"


def test_entries_that_were_packed_again_are_told_once() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in range(4):
            archive.writestr(f"f{each}", b"a" * 99)
    files, wrong_ones = file_tree.read_archive(packed.getvalue(), "b.zip")
    assert [(each.file, each.what) for each in wrong_ones] == [("b.zip", file_tree.PACKED)]
    assert files["f3"] == b"a" * 99


def test_a_changed_file_is_told_with_both_checksums() -> None:
    two, three = digest(b"2")[:12], digest(b"3")[:12]
    assert faults(A + B, {"a": b"1", "b": b"3"}, "v/") == [
        f"v/b: was changed: its SHA-256 is {three}…; v/SHA256SUMS says {two}…."
    ]


def test_files_that_git_gave_other_line_ends_are_read_as_they_were_written() -> None:
    text, mixed, own = b"a\r\nb\r\n", b"a\r\nb\n", b"c\r\n"
    sums = f"{digest(b'a' + chr(10).encode() + b'b' + chr(10).encode())}  a\n{digest(own)}  own\n".encode()
    files, changed = file_tree.with_line_feeds(
        Tree({"a": text, "mixed": mixed, "own": own, "SHA256SUMS": sums})
    )
    assert changed == 1
    assert (files["a"], files["mixed"], files["own"]) == (b"a\nb\n", mixed, own)
