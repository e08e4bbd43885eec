"""docs/four-documents.md: each test, section, table, command and key that its rows name is there."""

import json
import re
import tomllib
from functools import cache

import pytest

from reportgen.campaign import campaign_schema
from tests.conftest import CHECKOUT

TEXT = (CHECKOUT / "docs" / "four-documents.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| what ", "|--"))
]
CODE = re.compile(r"`([^`]+)`")


@cache
def sources() -> str:
    """Everything that makes sections and tables."""
    folder = CHECKOUT / "reportgen"
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))


def test_every_document_has_its_rows() -> None:
    assert len(ROWS) >= 30
    assert {len(row) for row in ROWS} == {4}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_what_a_row_names_is_there(row: list[str]) -> None:
    _asked, where, pages, tests = row
    for test in CODE.findall(tests):
        assert "def test_" in (CHECKOUT / test).read_text(encoding="utf-8")
    for page in re.findall(r"\]\(([^)#]+)", pages):
        assert (CHECKOUT / "docs" / page).is_file()
    assert CODE.findall(where), "nothing is named"
    for named in CODE.findall(where):
        assert is_there(named), named


def is_there(named: str) -> bool:
    """Tell whether a section, a table, a command or a key of campaign.toml exists."""
    if named.startswith("reportgen "):
        return f"def {named.split()[1]}(" in sources()
    if named.startswith("tables/"):
        return f'"{named.removeprefix("tables/").partition(".")[0]}' in sources() or named in sources()
    keys = json.dumps(campaign_schema())
    key = next(iter(tomllib.loads(named)), "") if "=" in named else named
    return f'"{named}"' in sources() or re.search(rf"\b{key}\b", keys) is not None
