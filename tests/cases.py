"""Cases of a test that are data: rows in the TOML file beside its module, and files in `tests/data`."""

import tomllib
from pathlib import Path
from typing import Any


def cases(module: str, table: str) -> list[Any]:
    """Return the rows of a table in the file beside a module."""
    text = Path(module).with_suffix(".toml").read_text(encoding="utf-8")
    rows: list[Any] = tomllib.loads(text)[table]
    return rows


def stored(name: str) -> str:
    """Return the text of a file in `tests/data`, with its line ends as they are."""
    return (Path(__file__).parent / "data" / name).read_bytes().decode()
