"""Marks in texts as a table: document, start, end, label and annotator."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import (
    Annotations,
    ExportFile,
    Ratings,
    ReaderOptions,
    TextMarks,
    mark_table,
    read_export,
)
from reportgen.readers.annotations import EMPTY, MARKED, UNSEEN

TEXT = "Anna met Ben.\nThen they went to Paris."
MARKS = [("d1", "anna", "0", "4", "PER"), ("d1", "anna", "9", "12", "PER"), ("d1", "ben", "0", "4", "LOC")]
FOUND = [("d1", "anna", 0, 4, "PER"), ("d1", "anna", 9, 12, "PER"), ("d1", "ben", 0, 4, "LOC")]
HEADER = "document,annotator,start,end,label"


def table(*rows: tuple[str, ...], header: str = HEADER) -> str:
    return "\n".join([header, *(",".join(row) for row in rows), ""])


def read(folder: Path, files: Mapping[str, str], options: ReaderOptions | None = None) -> Annotations:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return read_export([(folder / name, name) for name in files], options)


def marks(found: Annotations) -> list[tuple[str, str, int, int, str]]:
    content = found.content
    assert isinstance(content, TextMarks)
    return sorted(
        (
            content.documents[content.document[mark]],
            content.annotators[content.annotator[mark]],
            int(start),
            int(end),
            content.labels[content.label[mark]],
        )
        for mark, start, end in zip(content.span_mark, content.span_start, content.span_end, strict=True)
    )


def refused(folder: Path, files: Mapping[str, str]) -> list[str]:
    with pytest.raises(BadInput) as error:
        read(folder, files, ReaderOptions(format="mark-table"))
    return [str(problem) for problem in error.value.problems]


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        "doc_id;coder;begin;stop;tag",
        "Datei;Rater;Anfang;Ende;Kategorie",
        "file;user;start_char;end_char;type",
    ],
)
def test_a_row_is_a_mark_and_the_text_is_the_file_of_its_document(tmp_path: Path, header: str) -> None:
    text = table(*MARKS).replace(HEADER, header).replace(",", ";")
    found = read(tmp_path, {"marks.csv": text, "d1.txt": TEXT})
    assert (found.format, marks(found)) == ("mark-table", FOUND)


def test_texts_may_be_a_column_and_annotators_files(tmp_path: Path) -> None:
    header = "text,document,start,end,label"
    of_anna = table(*((f'"{TEXT}"', row[0], *row[2:]) for row in MARKS[:2]), header=header)
    of_ben = table(
        *((f'"{TEXT}"', row[0], *row[2:]) for row in [*MARKS[2:], ("d1", "", "5", "8", "ACT")]), header=header
    )
    found = read(tmp_path, {"anna.csv": of_anna, "ben.csv": of_ben})
    assert marks(found) == [*FOUND, ("d1", "ben", 5, 8, "ACT")]


def test_who_has_a_row_without_a_stretch_found_nothing_and_who_has_none_did_not_see_it(
    tmp_path: Path,
) -> None:
    rows = [*MARKS[:2], ("d1", "ben", "", "", ""), ("d2", "ben", "0.0", "4.0", "PER")]
    found = read(tmp_path, {"marks.csv": table(*rows), "d1.txt": TEXT, "d2.txt": "Anna"})
    assert marks(found) == [*FOUND[:2], ("d2", "ben", 0, 4, "PER")]
    assert found.attendance is not None
    assert found.attendance.tolist() == [[MARKED, EMPTY], [UNSEEN, MARKED]]


@pytest.mark.parametrize(
    ("ends", "text", "said"),
    [
        (0, TEXT, "an end is the one after the last"),
        (-1, TEXT, "an end is the last one"),
        # Offsets count both characters of the line end.
        (0, TEXT.replace("\n", "\r\n"), "an end is the one after the last"),
    ],
)
def test_covered_texts_show_how_offsets_count(tmp_path: Path, ends: int, text: str, said: str) -> None:
    rows = [
        ("d1", who, str(text.index(word)), str(text.index(word) + len(word) + ends), "NAME", word)
        for who, word in (("anna", "Ben"), ("anna", "Paris"), ("ben", "Paris"))
    ]
    found = read(tmp_path, {"marks.csv": table(*rows, header=f"{HEADER},mention"), "d1.txt": text})
    assert [mark[2:4] for mark in marks(found)] == [(9, 12), (32, 37), (32, 37)]
    assert said in found.reading


def test_what_is_no_mark_is_said_with_its_line(tmp_path: Path) -> None:
    wrong = [("d1", "anna", "4", "x", "PER"), ("d1", "anna", "9", "2", "PER"), ("", "ben", "1", "2", "PER")]
    problems = refused(tmp_path, {"marks.csv": table(*MARKS, *wrong), "d1.txt": TEXT})
    assert [problem.partition(" ")[2].partition(",")[0].partition(":")[0] for problem in problems] == [
        "has no stretch of text", "ends at 2", "a mark has no document. Name the document."
    ]  # fmt: skip
    assert [problem.partition(" ")[0] for problem in problems] == [
        "marks.csv:5:",
        "marks.csv:6:",
        "marks.csv:7:",
    ]


def test_a_text_that_is_missing_or_another_is_said_with_what_to_do(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path / "a", {"marks.csv": table(*MARKS)})
    assert 'the text of the document "d1" is not there' in problem
    assert 'as "d1.txt", or write it into each row, in a column "document_text"' in problem
    covered = table(*((*row, "Anna") for row in MARKS), header=f"{HEADER},mention")
    (problem,) = refused(tmp_path / "b", {"marks.csv": covered, "d1.txt": TEXT})
    assert 'marks.csv:3: covers "Ben" in the text, and the file says "Anna"' in problem
    both = {"a/d1.txt": TEXT, "b/d1.txt": "Anna met Ben elsewhere"}
    assert "2 different texts" in refused(tmp_path / "c", {"marks.csv": table(*MARKS), **both})[0]
    (tmp_path / "d.csv").write_text("document,start,label\nd1,3,x\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"has no column of the end.*Call it \"end\""):
        mark_table.READER.read([ExportFile(tmp_path / "d.csv", "d.csv")], ReaderOptions())


def test_stretches_that_everybody_labels_are_units_and_so_are_moments(tmp_path: Path) -> None:
    same = [(f"{n}", who, f"{n}", f"{n + 3}", "xy"[n % 2]) for n in range(5) for who in ("anna", "ben")]
    of_units = table(*same, header="item,annotator,start,end,label")
    assert isinstance(read(tmp_path, {"r.csv": of_units}).content, Ratings)
    times = [
        (f"{n}", who, f"{1700000000 + n}", f"{1700000009 + n}", "xy"[n % 2])
        for who, n in zip("abab" * 3, range(12), strict=True)
    ]
    found = read(tmp_path, {"r.csv": table(*times, *times[::-1], header="item,annotator,start,end,label")})
    assert isinstance(found.content, Ratings)
