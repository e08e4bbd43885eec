"""Readers that other packages bring through the entry-point group `reportgen.formats`."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.build_cache import forget, program
from reportgen.readers import DocumentCopy, Export, ParsedMark, ReaderOptions, read_export, readers
from reportgen.readers.layers_of_marks import assemble
from tests.cases import stored

READER = stored("plugins/reportgen_pairs.txt")


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install a package with a reader; `value` is what its entry point leads to."""

    def install(name: str = "pairs", value: str = "reportgen_pairs:READER") -> None:
        (tmp_path / "reportgen_pairs.py").write_text(READER.replace("{name}", name), encoding="utf-8")
        facts = tmp_path / "reportgen_pairs-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: reportgen-pairs\nVersion: 1.0\n", encoding="utf-8"
        )
        (facts / "entry_points.txt").write_text(f"[reportgen.formats]\n{name} = {value}\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        readers.cache_clear()

    yield install
    readers.cache_clear()
    sys.modules.pop("reportgen_pairs", None)


def test_a_plugin_is_listed_first_and_reads(plugin: Callable[..., None], tmp_path: Path) -> None:
    plugin()
    assert readers()[0].name == "pairs"
    file = tmp_path / "e.pairs"
    file.write_text(json.dumps([["d1", "anna"], ["d1", "ben"]]), encoding="utf-8")
    found = read_export([(file, file.name)])
    assert (found.format, found.marks_read, found.content.annotators) == ("pairs", 2, ("anna", "ben"))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("pairs", "reportgen_pairs:NOTHING", "can't be loaded: AttributeError"),
        ("pairs", "reportgen_missing:READER", "can't be loaded: ModuleNotFoundError"),
        ("pairs", "reportgen_pairs:OTHER", "which is not a Reader"),
        ("brat", "reportgen_pairs:READER", "is called like another reader"),
    ],
)
def test_a_plugin_that_can_not_be_used_is_named(
    plugin: Callable[..., None], name: str, value: str, message: str
) -> None:
    plugin(name, value)
    with pytest.raises(BadInput) as caught:
        readers()
    assert caught.value.problems[0].file == f"plugin {name}"
    assert message in caught.value.problems[0].message


def test_a_site_is_made_anew_with_another_plugin(plugin: Callable[..., None], tmp_path: Path) -> None:
    """What a reader reads may change with any line of its package; none of them is run to find out."""

    def now() -> str:
        forget()
        return program()

    without = now()
    plugin()
    first = now()
    with (tmp_path / "reportgen_pairs.py").open("a", encoding="utf-8") as file:
        file.write("# another line")
    second = now()
    assert "reportgen_pairs" not in sys.modules
    (tmp_path / "reportgen_pairs.py").unlink()
    third = now()  # whoever loads it says that it is gone
    forget()
    assert len({without, first, second, third}) == 4


def test_results_know_recordings_of_a_plugin_whose_reading_does_not_say_so() -> None:
    """Figures then speak of milliseconds, and no text has them."""
    mark = ParsedMark("word", ((0, 200),))
    copies = [DocumentCopy("d1", who, f"{who}.pairs", marks=[mark], length=900) for who in ("anna", "ben")]
    (found,) = assemble(Export(copies, "Pairs.", ()), [ReaderOptions()], "pairs")
    assert found.reading == "Pairs. Places are milliseconds."
    copies = [replace(copy, text="A text.", length=None, marks=[]) for copy in copies]
    (found,) = assemble(Export(copies, "Pairs.", ()), [ReaderOptions()], "pairs")
    assert found.reading == "Pairs."
