"""The one front door: which reader reads what, what is listed, and what is refused."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import Annotations, ExportFile, ReaderOptions, read_export, recognise

Export = Callable[..., Annotations]
Accounted = Callable[[Annotations], bool]
Refused = Callable[..., tuple[Problem, ...]]

MATRIX = "A2\\A1,x,y\nx,1,2\ny,3,4\n"
WIDE = "item,A1,A2\n1,x,y\n2,x,x\n"


def test_files_that_no_reader_knows_are_listed(export: Export) -> None:
    """Guidelines, pictures and data of other tools may lie beside the export."""
    annotations = export(
        {
            "r.csv": WIDE,
            "README.md": "# Round 1\n\nAnnotated in June, by two of us.\n",
            "logo.png": b"\x89PNG\r\n\x1a\n\0\0\0",
            "labels.json": '{"a": 1,\n"b": 2}\n',
            "paper.tex": "\\documentclass[11pt,a4paper]{article}\n\\begin{document}\n",
            "empty.txt": "",
        }
    )
    assert annotations.unread == ("README.md", "logo.png", "labels.json", "paper.tex", "empty.txt")
    assert [source.file for source in annotations.sources] == ["r.csv"]


def test_a_table_is_recognised_by_its_content_where_the_extension_says_nothing(export: Export) -> None:
    """Spreadsheets write Unicode text as .txt."""
    assert export({"r.txt": WIDE.replace(",", "\t").encode("utf-16")}).format == "ratings"
    assert export({"m.dat": MATRIX}).format == "confusion-matrix"


def test_an_export_without_a_file_of_a_known_format_is_refused(refused: Refused) -> None:
    """The problem lists what was looked at."""
    (problem,) = refused({"README.md": "# Hello\n", "logo.png": b"\x89PNG\0"})
    assert problem.message == "no file is in a known format. Looked at: README.md, logo.png."


def test_an_export_without_files_is_refused() -> None:
    """An empty folder is no export."""
    with pytest.raises(BadInput, match="the export has no file"):
        read_export([], ReaderOptions())


def test_a_long_list_of_files_is_shortened(refused: Refused) -> None:
    """Ten names are enough to see what went wrong."""
    (problem,) = refused({f"{number}.png": b"\x89" for number in range(15)})
    assert problem.message.endswith("9.png and 5 more.")


@pytest.mark.parametrize(("text", "name"), [(MATRIX, "confusion-matrix"), (WIDE, "ratings")])
def test_a_file_extension_is_a_format_too(export: Export, text: str, name: str) -> None:
    """`format = "csv"` leaves it to the content which of the shapes it is."""
    assert export({"r.csv": text}, format="csv").format == name


def test_files_that_cannot_be_opened_are_all_named(tmp_path: Path) -> None:
    """A missing file and a folder are refused with the reason."""
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(BadInput) as caught:
        read_export([(tmp_path / "none.csv", "none.csv"), (tmp_path / "folder.csv", "folder.csv")])
    assert [problem.file for problem in caught.value.problems] == ["folder.csv", "none.csv"]


@pytest.mark.slow
def test_reading_a_matrix_does_not_import_pandas(tmp_path: Path) -> None:
    """The paper's campaign builds in the time that pandas takes to import."""
    path = tmp_path / "m.csv"
    path.write_text(MATRIX, encoding="utf-8")
    code = (
        "import sys, pathlib, reportgen.readers as formats;"
        f"formats.read_export([(pathlib.Path({str(path)!r}), 'm.csv')]);"
        "sys.exit('pandas' in sys.modules)"
    )
    checkout = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    assert subprocess.run([sys.executable, "-c", code], check=False, env=environment).returncode == 0


tables = st.text(st.sampled_from('a1,;|\t"\n\r \\{}é\ufeff')).map(str.encode)
starts = st.sampled_from(
    [b"", b"A2\\A1,", b"item,annotator,label\n", b"item,A1,A2\n", b"\xff\xfe", b"\xef\xbb\xbf"]
)


@given(start=starts, rest=st.binary() | tables, suffix=st.sampled_from([".csv", ".tsv", ".txt", ""]))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, accounted: Accounted, start: bytes, rest: bytes, suffix: str
) -> None:
    """No file makes anything but annotations or a list of problems, and no mark is lost."""
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    path.write_bytes(start + rest)
    with contextlib.suppress(BadInput):
        annotations = read_export([(path, path.name)], ReaderOptions(set_separator="|", normalise=("strip",)))
        assert accounted(annotations)
        assert annotations.marks_read > 0


def test_a_format_that_is_asked_for_reads_what_no_other_knows(export: Export, refused: Refused) -> None:
    """A word and a tag a line could be any table; `format` says what it is."""
    columns = {"anna.txt": "Anna B-PER\nmet O\n", "ben.txt": "Anna O\nmet O\n"}
    assert "no file is in a known format" in refused(columns)[0].message
    assert export(columns, format="conll").content.labels == ("PER",)


def test_a_label_that_is_named_chooses_what_counts_in_documents_too(export: Export, refused: Refused) -> None:
    """`--columns label=…` says for one file what a layer's source says for a campaign."""
    record = '{"text": "a b", "entities": [[0, 1, "X"]], "cats": ["good"]}\n'
    assert "several things" in refused({"anna.jsonl": record})[0].message
    assert export({"anna.jsonl": record}, columns={"label": "cats"}).content.labels == ("good",)


def test_files_are_told_apart_without_comparing_each_with_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of thousands of files that took minutes."""
    files = []
    for number in range(60):
        for end, content in (("ann", "T1\tA 0 1\tx\n"), ("txt", "x"), ("log", "{")):
            name = f"anna/d{number}.{end}"
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
            files.append(ExportFile(tmp_path / name, name))
    compared = []

    def equal(file: ExportFile, other: object) -> bool:
        compared.append(other)
        return file is other

    monkeypatch.setattr(ExportFile, "__eq__", equal)
    recognised = recognise(files)
    assert recognised is not None
    assert (len(recognised.read), len(recognised.unread)) == (120, 60)
    assert len(compared) <= len(files)
