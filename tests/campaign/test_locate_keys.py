"""On which line of a TOML text a key stands."""

import pytest

from reportgen.campaign.load import locate
from reportgen.campaign.values import KeyPath

TEXT = '''\
# a comment
title = "T"

[corpus]
name = """several
lines = "not a key"
[not.a.table]
"""   # the string ends here
size.of.all = 3

# before a table
[[guidelines]]
columns = { unit = "item",
  label = "vote" }
missing = [
  "a",
  # in between
  "b",
]

[[guidelines]]
version = "2"
[guidelines.merged]
"old name" = "new"
[corpus.more]
x = 1
'''.replace('"item",\n  label', '"item", label')


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("corpus",), 4),
        (("corpus", "name"), 5),
        (("corpus", "size"), 9),
        (("corpus", "size", "of", "all"), 9),
        (("guidelines",), 12),
        (("guidelines", 0), 12),
        (("guidelines", 0, "columns"), 13),
        (("guidelines", 0, "columns", "label"), 13),
        (("guidelines", 0, "missing"), 14),
        (("guidelines", 0, "missing", 1), 14),
        (("guidelines", 1), 20),
        (("guidelines", 1, "version"), 21),
        (("guidelines", 1, "merged"), 22),
        (("guidelines", 1, "merged", "old name"), 23),
        (("corpus", "more", "x"), 25),
    ],
)
def test_a_key_is_located_at_its_statement(path: KeyPath, line: int) -> None:
    """Strings and lists of several lines, inline tables and dotted keys are no obstacle."""
    assert locate(TEXT, [path]) == {path: line}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("absent",), 1),
        (("corpus", "absent"), 4),
        (("guidelines", 0, "version"), 12),
        (("guidelines", 0, "columns", "pass"), 13),
        (("guidelines", 1, "exports"), 20),
        (("guidelines", 7, "exports"), 12),
        (("title", "deeper"), 2),
        ((), 1),
    ],
)
def test_a_missing_key_is_located_at_its_table(path: KeyPath, line: int) -> None:
    """Where nothing stands, the table that lacks it is the place."""
    assert locate(TEXT, [path]) == {path: line}


def test_line_ends_of_windows_count_once() -> None:
    """The line is that of the editor."""
    assert locate(TEXT.replace("\n", "\r\n"), [("guidelines", 1, "version")]) == {
        ("guidelines", 1, "version"): 21
    }


def test_other_line_separators_of_unicode_do_not_count() -> None:
    """TOML and editors know two line ends."""
    assert locate('a = "x\u2028y\u0085z"\nb = 1', [("b",)]) == {("b",): 2}


def test_many_keys_of_a_long_file_are_located_quickly() -> None:
    """Thousands of lines do not mean thousands of times the whole file."""
    text = "".join(f'[[guidelines]]\nversion = "{number}"\n' for number in range(2000))
    paths: list[KeyPath] = [("guidelines", number, "version") for number in range(0, 2000, 100)]
    assert list(locate(text, paths).values()) == [2 * number + 2 for number in range(0, 2000, 100)]


def test_an_empty_text_has_one_line() -> None:
    """Whatever is missing in it is missing there."""
    assert locate("", [("title",)]) == {("title",): 1}
