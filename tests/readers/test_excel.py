"""Excel workbooks and Parquet files are read as the tables that they show, or refused."""

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from openpyxl import load_workbook

from reportgen.readers import DocumentCopy, ReaderOptions, read_export
from reportgen.readers.ratings import WORKBOOK_READER as READER
from reportgen.readers.string_tables import OLD_MAGIC
from tests.commands import run
from tests.properties import examples
from tests.readers.content import labelled, left_out, problems_of, rated, ratings_of, table_of, written
from tests.readers.generated import copies
from tests.readers.samples import workbook
from tests.readers.workbooks import old_workbook, spreadsheet

HEADER = ("item", "annotator", "label")
LONG: Sequence[Sequence[Any]] = (
    HEADER,
    (1, "anna", "x 😀"),
    (1, "bob", "y"),
    (2, "anna", "y"),
    (2, "bob", "y"),
)


def changed(content: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """Return a workbook whose members were changed."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return buffer.getvalue()


def test_a_long_table_has_the_rows_of_its_sheet_as_lines(tmp_path: Path) -> None:
    files = written(tmp_path, {"l.xlsx": workbook({"s": [(), *LONG[:2], (), *LONG[2:]]})})
    found = table_of(READER, files)
    assert rated(found) == {("1", "anna", "x 😀"), ("1", "bob", "y"), ("2", "anna", "y"), ("2", "bob", "y")}
    assert [ratings_of(found).location(mark) for mark in range(4)] == [
        ("l.xlsx", line) for line in (3, 5, 6, 7)
    ]
    assert found.reading.endswith("labels in label; Excel, first sheet that has anything.")


def test_a_wide_table_has_a_mark_a_cell(tmp_path: Path) -> None:
    rows = [("item", "anna", "bob", None), (1, "x", "y", None), (2, None, "y", " ")]
    found = table_of(READER, written(tmp_path, {"w.xlsx": workbook({"s": rows})}))
    assert rated(found) == {("1", "anna", "x"), ("1", "bob", "y"), ("2", "bob", "y")}
    assert found.marks_read == 3


def test_a_confusion_matrix_is_counted(tmp_path: Path) -> None:
    rows = [("bob\\anna", "x", "y"), ("x", 3, 1), ("y", 0, 2.0)]
    found = table_of(READER, written(tmp_path, {"m.xlsx": workbook({"s": rows})}))
    assert (found.format, found.marks_read) == ("excel", 12)
    assert ratings_of(found).weight.tolist() == [3, 1, 2]
    assert ratings_of(found).location(4) == ("m.xlsx", 3)
    (problem,) = problems_of(
        READER, written(tmp_path, {"m.xlsx": workbook({"s": [*rows[:2], ("y", 0.5, 2)]})})
    )
    assert (problem.line, problem.key) == (3, "row y, column x")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("1.5", "1.5"),
        ("1.0", "1"),
        ("007", "007"),
        (1, "1"),
        (1.0, "1"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (True, "TRUE"),
        (datetime(2026, 11, 22), "2026-11-22"),  # noqa: DTZ001 - spreadsheets know no zones
        (datetime(2026, 11, 22, 7, 30), "2026-11-22 07:30:00"),  # noqa: DTZ001 - as above
        (date(2026, 11, 22), "2026-11-22"),
        (time(7, 30), "07:30:00"),
        ("None", "None"),
        (" x ", " x "),
    ],
)
def test_a_cell_is_read_as_its_text(tmp_path: Path, cell: object, text: str) -> None:
    rows = [HEADER, (1, "anna", cell), (1, "bob", "other")]
    assert (
        ratings_of(table_of(READER, written(tmp_path, {"l.xlsx": workbook({"s": rows})}))).labels[0] == text
    )


def test_sheets_of_one_header_are_taken_together(tmp_path: Path) -> None:
    content = workbook({"May": LONG[:3], "empty": [], "June": [HEADER, (2, "anna", "z"), (2, "bob", "z")]})
    found = table_of(READER, written(tmp_path, {"l.xlsx": content}), annotators=("anna",))
    assert rated(found) == {("1", "anna", "x 😀"), ("2", "anna", "z")}
    assert [each[:3] for each in left_out(found)] == [("l.xlsx[May]", 3, "bob"), ("l.xlsx[June]", 3, "bob")]
    assert found.reading.endswith("Excel, all sheets.")


def test_of_sheets_with_other_headers_the_first_that_holds_anything_is_read(tmp_path: Path) -> None:
    content = workbook({"empty": [], "s": LONG, "notes": [("who", "what"), ("anna", "was ill")]})
    assert len(rated(table_of(READER, written(tmp_path, {"l.xlsx": content})))) == 4


def test_titles_may_name_the_coder_and_a_codebook_is_not_read(tmp_path: Path) -> None:
    header = ("Text", "Sentence ID", "Label")
    sheets = {
        who: [(f"Metaphors, {who}",), header, *(("T1", f"S{n}", label) for n, label in enumerate(labels))]
        for who, labels in (("Coder 1", "yny"), ("Coder 2", "ynn"))
    }
    codebook = [("label", "meaning"), ("y", "a metaphor"), ("n", "none")]
    found = table_of(READER, written(tmp_path, {"l.xlsx": workbook({"codes": codebook, **sheets})}))
    labels = {(unit, who): label for unit, who, label in rated(found)}
    assert (labels["S2", "1"], labels["S2", "2"], len(labels)) == ("y", "n", 6)
    assert "all sheets with the same columns, the header in row 2" in found.reading


@pytest.mark.parametrize(
    ("rows", "people"),
    [
        ([("Item", "Raters", None, None, "Comment"), (None, "R1", "R2", "R3", None)], {"R1", "R2", "R3"}),
        ([(None, "Ann", "Bob"), ("0", "p", None)], {"Ann", "Bob"}),
    ],
)
def test_names_below_a_merged_one_are_names_and_a_row_that_lacks_a_label_is_a_row(
    tmp_path: Path, rows: list[tuple[str | None, ...]], people: set[str]
) -> None:
    labels = [(f"i{n}", *"xyxyx"[n % 2 : n % 2 + len(people)]) for n in range(8)]
    found = table_of(READER, written(tmp_path, {"l.xlsx": workbook({"s": [*rows, *labels]})}))
    assert {who for _, who, _ in rated(found)} == people


def test_workbooks_are_taken_together(tmp_path: Path) -> None:
    files = {"a.xlsx": workbook({"s": LONG[:3]}), "b.xlsx": workbook({"s": [HEADER, *LONG[3:]]})}
    assert len(rated(table_of(READER, written(tmp_path, files)))) == 4
    matrix = workbook({"s": [("b\\a", "x"), ("x", 1)]})
    problems = problems_of(READER, written(tmp_path, {"a.xlsx": matrix, "b.xlsx": matrix}))
    assert [problem.file for problem in problems] == ["a.xlsx", "b.xlsx"]


def test_a_cell_without_a_column_name_is_refused(tmp_path: Path) -> None:
    rows = [("item", "anna", "bob"), (1, "x", "y"), (2, "x", "y", "so")]
    (problem,) = problems_of(READER, written(tmp_path, {"w.xlsx": workbook({"s": rows})}))
    assert (problem.line, problem.key, problem.message) == (1, "column 4", "has no name.")


@pytest.mark.parametrize("suffix", [".xls", ".xlsx"])
def test_what_is_damaged_or_encrypted_is_refused(tmp_path: Path, suffix: str) -> None:
    files = written(tmp_path, {f"o{suffix}": OLD_MAGIC + b"\0" * 100})
    assert READER.recognises(files[0])
    (problem,) = problems_of(READER, files)
    assert problem.message.startswith("is not a workbook that can be read: ")
    assert "password" in problem.remedy


@pytest.mark.parametrize(("suffix", "write"), [(".ods", spreadsheet), (".xls", old_workbook)])
def test_workbooks_of_other_programs_are_read_alike(
    tmp_path: Path, suffix: str, write: Callable[[Sequence[Sequence[object]]], bytes]
) -> None:
    rows = [*LONG, (), (3, "anna", 1.5), (3, "bob", "é")]
    found = table_of(READER, written(tmp_path, {f"l{suffix}": write(rows)}))
    assert rated(found) == rated(table_of(READER, written(tmp_path, {"l.xlsx": workbook({"s": rows})})))
    assert ratings_of(found).location(5)[1] == 8


def test_merged_cells_are_in_each_row_and_the_error_of_a_formula_is_no_label(tmp_path: Path) -> None:
    rows = [HEADER, (1, "a", "x"), (None, "b", "y"), (2, "a", "#N/A"), (2, "b", "y")]
    book = load_workbook(io.BytesIO(workbook({"s": rows})))
    book.worksheets[0].merge_cells("A2:A3")
    buffer = io.BytesIO()
    book.save(buffer)
    found = table_of(READER, written(tmp_path, {"m.xlsx": buffer.getvalue()}))
    assert rated(found) == {("1", "a", "x"), ("1", "b", "y"), ("2", "b", "y")}


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    (problem,) = problems_of(READER, written(tmp_path, {"e.xlsx": workbook({"s": []})}))
    assert problem.message == "is empty."


def test_a_formula_that_was_never_computed_is_refused(tmp_path: Path) -> None:
    (problem,) = problems_of(
        READER, written(tmp_path, {"f.xlsx": workbook({"s": [*LONG, (3, "a", "=1+1")]})})
    )
    assert problem.message == "cell C6 of a sheet has a formula whose value was never computed."


def test_a_workbook_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>'
    content = changed(
        workbook({"s": LONG}), lambda name, old: bomb + old if name.endswith("sheet1.xml") else old
    )
    (problem,) = problems_of(READER, written(tmp_path, {"b.xlsx": content}))
    assert "declares a document type" in problem.message


@pytest.mark.parametrize("far", [b'r="C999999999999"', b"r='C9999999'", b'r="XFD9000"', b'r = "ZZZ1500"'])
def test_a_far_cell_is_refused_in_time(tmp_path: Path, far: bytes) -> None:
    """A reader that keeps all cells before it would end the program."""
    content = changed(workbook({"s": LONG}), lambda _, member: member.replace(b'r="C5"', far))
    (problem,) = problems_of(READER, written(tmp_path, {"far.xlsx": content}))
    assert "more cells than" in problem.message


@pytest.mark.parametrize("times", [(10_000_000, 1), (1, 50_000_000), (30_000, 1000)])
def test_cells_that_come_again_and_again_are_refused_in_time(tmp_path: Path, times: tuple[int, int]) -> None:
    (problem,) = problems_of(READER, written(tmp_path, {"far.ods": spreadsheet(LONG, *times)}))
    assert "more cells than" in problem.message


def test_a_damaged_workbook_is_refused(tmp_path: Path) -> None:
    content = changed(
        workbook({"s": LONG}), lambda name, old: old[:100] if name.endswith("sheet1.xml") else old
    )
    (problem,) = problems_of(READER, written(tmp_path, {"d.xlsx": content}))
    assert problem.message.startswith("is not a workbook that can be read: ")


def test_other_archives_are_not_taken_for_workbooks(tmp_path: Path) -> None:
    content = changed(workbook({"s": LONG}), lambda _, old: old).replace(
        b"xl/workbook.xml", b"xl/warkbook.xml"
    )
    assert not READER.recognises(written(tmp_path, {"x.xlsx": content})[0])


def test_a_workbook_is_known_whatever_its_file_is_called(tmp_path: Path) -> None:
    (file,) = written(tmp_path, {"labels.bin": workbook({"s": LONG})})
    assert load_workbook(io.BytesIO(file.content)).sheetnames == ["s"]
    assert read_export([(file.path, file.name)], ReaderOptions()).format == "excel"


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_labels_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    expected = labelled(made, "label", "label", joined=True)
    said = {
        (each.document, each.annotator, mark.features["label"]) for each in expected for mark in each.marks
    }
    assume(said)
    rows = [
        (each.document, each.annotator, *mark.features.values()) for each in expected for mark in each.marks
    ]
    content = {"labels.xlsx": workbook({"Sheet": [HEADER, *rows]})}
    assert rated(table_of(READER, written(tmp_path_factory.mktemp("excel"), content))) == said


def test_sheets_of_one_header_without_annotators_are_one_annotators_each(tmp_path: Path) -> None:
    rows = [("item", "label", "sentence"), (1, "x", "It rains."), (2, "y", "It snows.")]
    content = workbook({"anna": rows, "bob": [*rows[:2], (2, "x", "It snows.")]})
    files = written(tmp_path, {"l.xlsx": content})
    found = table_of(READER, files, columns={"text": "sentence"})
    assert rated(found) == {("1", "anna", "x"), ("1", "bob", "x"), ("2", "anna", "y"), ("2", "bob", "x")}
    assert ratings_of(found).unit_texts == ("It rains.", "It snows.")
    assert ratings_of(found).location(3) == ("l.xlsx[bob]", 3)
    assert found.reading.endswith("labels in label, texts in sentence; Excel, a sheet for each annotator.")
    problems = problems_of(READER, files, columns={"annotator": "who"})
    assert [problem.message for problem in problems] == ['there is no column "who".'] * 2


@pytest.mark.parametrize(
    ("header", "own"),
    [
        (("item", "verdict"), True),
        (("item", "label", "comment"), True),
        (("item", "anna", "bob"), False),
        (("item", "annotator", "label"), False),
    ],
)
def test_sheets_are_annotators_only_where_a_single_column_can_hold_labels(
    tmp_path: Path,
    header: Sequence[str],
    own: bool,  # noqa: FBT001 - whether they are
) -> None:
    sheets = {name: [header, *((place, *"xx"[: len(header) - 1]) for place in "12")] for name in ("p", "q")}
    found = table_of(READER, written(tmp_path, {"l.xlsx": workbook(sheets)}))
    assert ({"p", "q"} == {*ratings_of(found).annotators}) == own
    assert found.reading.endswith("a sheet for each annotator." if own else "all sheets.")


ROWS = [
    ("u1", "A", "x"),
    ("u1", "B", "x"),
    ("u2", "A", "y"),
    ("u2", "B", "x"),
    ("u3", "A", "z"),
    ("u3", "B", "z"),
]
# An optional column of six values: its levels are one run of six, all there.
ALL_THERE, NONE_THERE = b"\x02\x00\x00\x00\x0c\x01", b"\x02\x00\x00\x00\x0c\x00"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    columns = dict(zip(("unit", "annotator", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
    path = tmp_path / "c" / "exports" / "1.0" / "e.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False)
    toml = 'title = "T"\n[[guidelines]]\nversion = "1.0"\nexports = "exports/1.0"\n'
    (tmp_path / "c" / "campaign.toml").write_text(toml, encoding="utf-8")
    return path


def test_rows_that_became_empty_are_no_missing_labels(table: Path, tmp_path: Path) -> None:
    content = table.read_bytes()
    assert content.count(ALL_THERE) == 3
    first, second, *others = content.split(ALL_THERE)
    table.write_bytes(first + ALL_THERE + second + NONE_THERE + ALL_THERE.join(others))
    for command in (("agree", table), ("build", tmp_path / "c", "--out", tmp_path / "site")):
        result = run(*command)
        said = "column annotator: is damaged: it has other values in this column than it says at its end."
        assert (result.exit_code, said in " ".join(result.output.split())) == (2, True)


def test_a_value_beyond_the_last_is_no_label(table: Path) -> None:
    content = table.read_bytes()
    place = content.index(b"\x01\x00\x00\x00x")
    table.write_bytes(content[:place] + b"\x01\x00\x00\x00~" + content[place + 5 :])
    result = run("agree", table)
    assert (result.exit_code, "column label: is damaged" in " ".join(result.output.split())) == (2, True)


def test_statistics_that_are_not_there_are_not_missed(table: Path) -> None:
    pq.write_table(pq.read_table(table), table, write_statistics=False)
    assert run("agree", table).exit_code == 0


def test_missing_labels_and_columns_of_numbers_are_whole(table: Path) -> None:
    columns = {"unit": [1, 1, -12, -12], "annotator": ["A", "B", "A", "B"], "label": ["é", None, "", "zz"]}
    pq.write_table(pa.table(columns), table, row_group_size=2)
    result = run("agree", table)
    assert (result.exit_code, "damaged" in result.output) == (0, False), result.output


def test_sheets_that_are_named_are_read_whatever_their_columns(tmp_path: Path) -> None:
    sheets = {
        "old": LONG,
        "A": [("Item", "annotator", "label"), (7, "anna", "x"), (7, "bob", "y")],
        "B": [("annotator", "item", "label"), ("anna", 8, "y"), ("bob", 8, "y")],
    }
    files = written(tmp_path, {"l.xlsx": workbook(sheets)})
    assert {unit for unit, _, _ in rated(table_of(READER, files, sheets=("A",)))} == {"7"}
    both = table_of(READER, files, sheets=("old", "B"))
    assert {unit for unit, _, _ in rated(both)} == {"1", "2", "8"}
    (problem,) = problems_of(READER, files, sheets=("C",))
    assert (problem.key, problem.message) == ("sheets", 'has no sheet "C".')
