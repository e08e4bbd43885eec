"""The notebook of the documentation runs, prints what it shows, and its page is the same notebook."""

import json
from typing import Any

import pytest

from tests import notebook

LARGEST = 200_000


@pytest.fixture(scope="module")
def done() -> list[dict[str, Any]]:
    return notebook.run()


def words(cells: list[dict[str, Any]]) -> list[list[Any]]:
    """Return what cells print, but for figures, whose letters are each machine's own."""
    return [
        [each.get("text") or {kind: data for kind, data in each["data"].items() if kind != notebook.IMAGE}]
        for cell in cells
        for each in cell.get("outputs", [])
    ]


@pytest.mark.slow
def test_every_cell_prints_what_the_notebook_shows(done: list[dict[str, Any]]) -> None:
    assert words(done) == words(notebook.cells()), "python -m tests.notebook"
    assert (
        sum(notebook.IMAGE in each.get("data", {}) for cell in done for each in cell.get("outputs", [])) > 1
    )


def test_the_page_is_the_notebook() -> None:
    text, pictures = notebook.page(notebook.cells())
    assert notebook.PAGE.read_text(encoding="utf-8") == text, "python -m tests.notebook"
    for name, content in pictures.items():
        assert (notebook.PAGE.parent / name).read_bytes() == content


def test_a_notebook_is_as_jupyter_writes_it_and_small() -> None:
    book = json.loads(notebook.NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in book["cells"]]
    assert len(set(names)) == len(names)
    assert notebook.NOTEBOOK.stat().st_size < LARGEST
