"""Whatever a folder holds, it is a campaign or bad input, never a traceback."""

import json
import string
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.campaign.csv_tables import read_distances, read_sizes
from reportgen.campaign.toml_tables import CampaignToml

KEYS = [
    *sorted(CampaignToml.model_fields),
    *("id", "version", "units", "size", "file", "exports", "value", "pass", "scale", "same_as", "categories"),
]
WORDS = [
    *("", "a", "A", "1.0", "items", "declared", "en", "..", "/", "*"),
    *("exports", "{annotator}", "index.html"),
]

keys = st.sampled_from(KEYS) | st.text(string.printable, max_size=3)
leaves = (
    st.sampled_from(WORDS)
    | st.text(max_size=5)
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.just(10**400)
    | st.dates(min_value=date(1, 1, 1))
)
values: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)

several = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one export."""
    folder = tmp_path / "campaign"
    (folder / "exports").mkdir(parents=True)
    (folder / "exports/x.csv").touch()
    return folder


def _told(read: Callable[[], object]) -> tuple[Problem, ...]:
    """Return what is wrong with what is read, each in one line of text that a terminal can show."""
    found: tuple[Problem, ...] = ()
    try:
        assert read()
    except BadInput as error:
        found = error.problems
    assert all(problem.message and str(problem).isprintable() for problem in found)
    return found


def _load(folder: Path, content: bytes) -> None:
    (folder / "campaign.toml").write_bytes(content)
    for problem in _told(lambda: load(folder)):
        assert 0 <= problem.line <= content.count(b"\n") + 1


@several
@example(b"\xff\xfe\x00")
@example(b"\x00\x00\xfe\xff\x00")
@example(b'title = "\\ud800"')
@given(st.binary(max_size=200))
def test_any_bytes_are_a_campaign_or_bad_input(folder: Path, content: bytes) -> None:
    """Bytes that are no text are told as such."""
    _load(folder, content)


@several
@given(st.text("[]{}=\"'.,# \n\r\tab1\\-", max_size=60))
def test_any_text_is_a_campaign_or_bad_input(folder: Path, text: str) -> None:
    """Text that is almost TOML is told where it is not."""
    _load(folder, text.encode())


@several
@given(st.dictionaries(keys, values, max_size=6))
def test_any_toml_is_a_campaign_or_bad_input(folder: Path, data: dict[str, Any]) -> None:
    """Tables of any shape are told where they are no campaign."""
    text = "\n".join(f"{_toml(key)} = {_toml(value)}" for key, value in data.items())
    _load(folder, text.replace("NaN", "nan").replace("Infinity", "inf").encode(errors="replace"))


@several
@given(st.binary(max_size=80) | st.text('AB,;0-1.5e\n" document,size', max_size=80).map(str.encode))
def test_any_table_is_read_or_bad_input(tmp_path: Path, content: bytes) -> None:
    """Distance tables and sizes hold to the same."""
    (tmp_path / "table.csv").write_bytes(content)
    path = tmp_path / "table.csv"
    _told(lambda: read_distances(path, "table.csv"))
    _told(lambda: read_sizes(path, "table.csv"))
