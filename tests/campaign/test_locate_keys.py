"""On which line of a TOML text a key stands."""

import pytest

from reportgen.campaign.load import locate
from reportgen.campaign.values import KeyPath
from tests.cases import cases, stored

TEXT = stored("campaigns/keys-anywhere.toml")


@pytest.mark.parametrize(("path", "line"), cases(__file__, "present"))
def test_a_key_is_located_at_its_statement(path: KeyPath, line: int) -> None:
    """Strings and lists of several lines, inline tables and dotted keys are no obstacle."""
    assert locate(TEXT, [tuple(path)]) == {tuple(path): line}


@pytest.mark.parametrize(("path", "line"), cases(__file__, "absent"))
def test_a_missing_key_is_located_at_its_table(path: KeyPath, line: int) -> None:
    """Where nothing stands, the table that lacks it is the place."""
    assert locate(TEXT, [tuple(path)]) == {tuple(path): line}


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
