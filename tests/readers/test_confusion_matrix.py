"""A confusion matrix is read cell by cell, or refused with all its faults at once."""

from collections.abc import Callable
from typing import Any

import pytest

from reportgen.base.errors import Problem
from reportgen.readers import Annotations
from reportgen.readers.confusion_matrix import is_matrix
from tests.readers.content import ratings_of

Export = Callable[..., Annotations]
Refused = Callable[..., tuple[Problem, ...]]

TABLE_1 = "A2\\A1,Former,New,Rien\nFormer,71,13,23\nNew,8,69,15\nRien,7,8,18840\n"


def places(problems: tuple[Problem, ...]) -> list[tuple[int, str]]:
    """Return the line and key of each problem."""
    return [(problem.line, problem.key) for problem in problems]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_delimiter_encoding_and_line_end_gives_the_same_matrix(
    export: Export, mark: str, encoding: str, end: str
) -> None:
    """Whatever a spreadsheet writes, the counts are the same."""
    text = TABLE_1.replace(",", mark).replace("\n", end)
    annotations = export({"m.csv": text.encode(encoding)})
    assert ratings_of(annotations).labels == ("Former", "New", "Rien")
    assert ratings_of(annotations).weight.tolist()[-1] == 18840


@pytest.mark.parametrize(
    ("cell", "message", "remedy"),
    [
        ("many", '"many" is not a count.', "Write a whole number, 0 or more."),
        ("-3", '"-3" is negative.', "Write how many units there are, 0 or more."),
        ("−3", '"−3" is negative.', "Write how many units there are, 0 or more."),
        ("1.5", '"1.5" is not a whole number.', "Write a whole number of units."),
        ("71.0", '"71.0" is not a whole number.', "Write 71."),
        ('"71,0"', '"71,0" is not a whole number.', "Write 71."),
        ("18 840", '"18 840" has a thousands separator.', "Write 18840."),
        ("18\u202f840", '"18\u202f840" has a thousands separator.', "Write 18840."),
        ('"18,840"', '"18,840" has a thousands separator.', "Write 18840."),
        ("1.234.567", '"1.234.567" has a thousands separator.', "Write 1234567."),
        ("", "is empty.", "Write 0 where nothing was counted."),
        ("١٢", '"١٢" is not a count.', "Write a whole number, 0 or more."),
        ("1e3", '"1e3" is not a count.', "Write a whole number, 0 or more."),
        ("9" * 30, f'"{"9" * 15}…" is too large.', "Write at most 15 digits."),
    ],
)
def test_a_cell_that_is_no_count_is_named_with_its_line_and_mend(
    refused: Refused, cell: str, message: str, remedy: str
) -> None:
    """Counts are whole numbers without separators; each other writing has its own remedy."""
    (problem,) = refused({"m.csv": f"A2\\A1,Former,New\nFormer,71,13\nNew,{cell},69\n"})
    assert problem == Problem("m.csv", 3, "row New, column Former", message, remedy)


def test_a_category_without_a_name_is_refused(refused: Refused) -> None:
    """An empty cell among the names is no category."""
    assert places(refused({"m.csv": "B\\A,,y\n,1,2\ny,3,4\n"})) == [(1, "column 1"), (2, "row 1")]


@pytest.mark.parametrize("corner", ["A2\\", "\\A1", "\\", "A\\A", "A\\B\\C"])
def test_a_first_cell_that_does_not_name_two_annotators_is_refused(refused: Refused, corner: str) -> None:
    """Rows and columns each need an annotator of their own."""
    problems = refused({"m.csv": f"{corner},x\nx,1\n"})
    assert {(problem.line, problem.key) for problem in problems} == {(1, "first cell")}
    assert all("A2\\A1" in problem.remedy for problem in problems)


@pytest.mark.parametrize("name", ["Total", "SUM", "Totaux", "all"])
def test_margins_are_to_be_removed(refused: Refused, name: str) -> None:
    """A last row and column that hold the sums are no category."""
    problems = refused({"m.csv": f"B\\A,x,y,{name}\nx,1,2,3\ny,3,4,7\n{name},4,6,10\n"})
    assert places(problems) == [(1, f"column {name}"), (4, f"row {name}")]
    assert {problem.remedy for problem in problems} == {"Remove the margins: they are computed."}


def test_a_category_called_all_that_holds_no_sums_is_a_category(export: Export) -> None:
    """The name alone does not make a margin."""
    assert ratings_of(export({"m.csv": "B\\A,x,all\nx,1,2\nall,3,4\n"})).labels == ("x", "all")


@pytest.mark.parametrize("text", ["B\\A\n", "B\\A,x,y\n", "B\\A\nx\ny\n", "B\\A\nx\ny\nz\n"])
def test_a_matrix_without_rows_or_columns_is_refused(refused: Refused, text: str) -> None:
    """A header alone holds no counts."""
    assert any(
        "no category" in str(problem) or "no row" in str(problem) for problem in refused({"m.csv": text})
    )


COUNTS = ",x,y,z\nx,20,3,2\ny,1,15,4\nz,2,3,18\n"


@pytest.mark.parametrize(
    "table",
    [
        COUNTS,
        COUNTS.replace(",x,", "label,x,"),
        "\n".join(f"{line},{end}" for line, end in zip(COUNTS.split(), ("total", 25, 20, 23), strict=True)),
        COUNTS + "Total,23,21,24\n",
        ",y,x\nx,3,20\ny,15,1\n",
        "Confusion matrix,,,\n" + COUNTS,
        COUNTS.replace("20", "20 (80%)"),
        ",x,y\nx,91.5,8\ny,20,77\n",
        ",x,y,z\nx,10,,\ny,2,15,\nz,1,3,8\n",
        # A name is another, or there twice, or a row is lost.
        COUNTS.replace("\nz,2,3,18", ""),
        COUNTS.replace("\nz,", "\nw,"),
        COUNTS + "z,1,1,1\n",
    ],
)
def test_counts_by_the_same_names_in_rows_and_columns_are_no_ratings(refused: Refused, table: str) -> None:
    """Read as three annotators of three units they gave an alpha."""
    assert {problem.key for problem in refused({"m.csv": table})} >= {"first cell"}


@pytest.mark.parametrize(
    "table",
    [
        # Two of three names are others; one of them alone may be damaged.
        COUNTS.replace("\nz,", "\nw,").replace("\ny,", "\nv,"),
        COUNTS + "z,1,1,1\nz,2,2,2\n",
        ",x,y,z\nx,,3,2\ny,1,,4\nz,2,3,\n",
        COUNTS.replace("20", "good"),
        COUNTS.replace(",x,y,z", "1,x,y,z"),
        ",x\nx,3\n",
    ],
)
def test_a_table_of_other_rows_or_cells_is_no_matrix(table: str) -> None:
    assert not is_matrix([line.split(",") for line in table.split()])
    assert is_matrix([line.split(",") for line in COUNTS.split()])


HEAD = ("", "pos", "neg", "neu")


@pytest.mark.parametrize(
    ("head", "place"),
    [
        # A name is misspelt, written otherwise, missing, there twice, or lost with its cell.
        (("", "pos", "nge", "neu"), "column nge"),
        (("item", "Pos", "NEG", "neu"), "column Pos"),
        (("", "positiv", "neg", "neu"), "column positiv"),
        (("", "pos", "", "neu"), "column 2"),
        (("", "pos", "pos", "neu"), "row neg"),
        (("", "pos", "neg"), "row neu"),
        (("pos", "neg", "neu"), "row pos"),
        # The first cell alone.
        (HEAD, "first cell"),
        (("A2/A1", *HEAD[1:]), "first cell"),
        (("Ã¤?", *HEAD[1:]), "first cell"),
    ],
)
@pytest.mark.parametrize("margins", [False, True])
def test_a_matrix_whose_head_is_damaged_is_refused_and_no_ratings(
    refused: Refused, head: tuple[str, ...], place: str, *, margins: bool
) -> None:
    """Three annotators on three units, on an interval scale, with exit status 0, is what it was read as."""
    rows: list[list[Any]] = [["pos", 20, 3, 1], ["neg", 2, 15, 4], ["neu", 1, 2, 12]]
    if margins and len(head) == len(HEAD):
        rows = [[*row, sum(row[1:])] for row in rows]
        rows.append(["Total", *(sum(column) for column in list(zip(*rows, strict=True))[1:])])
        head = (*head, "Total")
    text = "\n".join(",".join(map(str, row)) for row in (head, *rows))
    problems = refused({"m.csv": f"{text}\n"})
    assert place in [problem.key for problem in problems]
    assert all(problem.line and problem.remedy for problem in problems)


def test_margins_are_margins_whatever_they_are_called(refused: Refused, export: Export) -> None:
    table = "B\\A,x,y,N\nx,5,1,6\ny,2,3,5\nN,7,4,11\n"
    assert places(refused({"m.csv": table})) == [(1, "column N"), (4, "row N")]
    # Of two categories each may be as frequent as the other.
    assert ratings_of(export({"m.csv": "B\\A,x,y\nx,5,5\ny,5,5\n"})).labels == ("x", "y")
    assert ratings_of(export({"m.csv": table.replace("11", "12")})).labels == ("x", "y", "N")
