"""A confusion matrix is read cell by cell, or refused with all its faults at once."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from reportgen.base.errors import Problem
from reportgen.readers import Annotations
from reportgen.readers.confusion_matrix import is_matrix
from tests.readers.content import ratings_of

Export = Callable[..., Annotations]
Accounted = Callable[[Annotations], bool]
Cells = Callable[[Annotations], Counter[tuple[str, str]]]
Refused = Callable[..., tuple[Problem, ...]]

TABLE_1 = "A2\\A1,Former,New,Rien\nFormer,71,13,23\nNew,8,69,15\nRien,7,8,18840\n"


def places(problems: tuple[Problem, ...]) -> list[tuple[int, str]]:
    """Return the line and key of each problem."""
    return [(problem.line, problem.key) for problem in problems]


def test_table_1_of_fort_et_al_2010_is_read_as_nine_weighted_units(export: Export, cells: Cells) -> None:
    """Its 19,054 tokens are nine units, and each cell has the label of its row and of its column."""
    annotations = export({"table1.csv": TABLE_1})
    ratings = ratings_of(annotations)
    assert annotations.format == "confusion-matrix"
    assert ratings.annotators == ("A2", "A1")
    assert ratings.labels == ("Former", "New", "Rien")
    assert ratings.ordered
    assert int(ratings.weight.sum()) == 19054
    assert len(ratings.unit_names) == 9
    assert ratings.documents == ()
    assert set(ratings.document.tolist()) == {-1}
    assert cells(annotations)["Former", "Rien"] == 23
    assert cells(annotations)["Rien", "Former"] == 7


def test_both_annotators_labels_are_counted_as_marks(export: Export, accounted: Accounted) -> None:
    """A matrix holds twice as many marks as units."""
    annotations = export({"table1.csv": TABLE_1})
    assert annotations.marks_read == 2 * 19054
    assert accounted(annotations)
    assert annotations.reading == (
        "Confusion matrix: one annotator's categories in rows, the other's in columns; "
        "comma-separated, UTF-8."
    )
    assert [source.file for source in annotations.sources] == ["table1.csv"]


def test_a_cell_of_zero_is_no_unit_but_its_category_stays(export: Export) -> None:
    """A category that nobody used keeps its place among the labels."""
    ratings = ratings_of(export({"m.csv": "B\\A,x,unused,y\nx,5,0,1\nunused,0,0,0\ny,2,0,3\n"}))
    assert ratings.labels == ("x", "unused", "y")
    assert ratings.weight.tolist() == [5, 1, 2, 3]


def test_rows_may_stand_in_another_order_than_columns(export: Export, cells: Cells) -> None:
    """Rows are matched by name, and the columns give the order of the labels."""
    annotations = export({"m.csv": "B\\A,x,y\ny,3,4\nx,1,2\n"})
    assert ratings_of(annotations).labels == ("x", "y")
    assert cells(annotations) == {("x", "x"): 1, ("x", "y"): 2, ("y", "x"): 3, ("y", "y"): 4}


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_delimiter_encoding_and_line_end_gives_the_same_matrix(
    export: Export, cells: Cells, mark: str, encoding: str, end: str
) -> None:
    """Whatever a spreadsheet writes, the counts are the same."""
    text = TABLE_1.replace(",", mark).replace("\n", end)
    annotations = export({"m.csv": text.encode(encoding)})
    assert ratings_of(annotations).labels == ("Former", "New", "Rien")
    assert cells(annotations)["Rien", "Rien"] == 18840


def test_empty_rows_and_columns_around_the_matrix_are_nothing(export: Export) -> None:
    """Spreadsheets write out the empty cells that they once touched."""
    ratings = ratings_of(export({"m.csv": " B \\ A , x ,y,,\nx, 1,2,,\ny,3,4,,\n,,,,\n\n"}))
    assert ratings.annotators == ("B", "A")
    assert ratings.labels == ("x", "y")
    assert ratings.weight.tolist() == [1, 2, 3, 4]


def test_the_marks_of_an_annotator_who_is_not_asked_for_are_left_out(
    export: Export, accounted: Accounted
) -> None:
    """One annotator's labels stay, the other's are counted with the reason."""
    annotations = export({"m.csv": TABLE_1}, annotators=("A1",))
    assert ratings_of(annotations).annotators == ("A1",)
    assert set(ratings_of(annotations).annotator.tolist()) == {0}
    (left,) = annotations.left_out
    assert (left.file, left.line, left.annotator, left.marks) == ("m.csv", 1, "A2", 19054)
    assert left.reason == "annotator not asked for"
    assert accounted(annotations)


def test_each_mark_has_the_line_of_its_cell(export: Export) -> None:
    """Cells of 0 are no marks; a missing category has none, and an annotator who is not asked for neither."""
    text = "B\\A,x,y\n\nx,1,0\ny,3,4\n"
    found = ratings_of(export({"m.csv": text}))
    assert [found.location(mark) for mark in range(6)] == [("m.csv", line) for line in (3, 3, 4, 4, 4, 4)]
    fewer = ratings_of(export({"m.csv": text}, annotators=("A",), missing=("x",)))
    assert [fewer.location(mark) for mark in range(len(fewer.label))] == [("m.csv", 4)]


def test_an_annotator_whom_the_matrix_does_not_name_is_refused(refused: Refused) -> None:
    """A typing error in the annotators asked for gets a suggestion."""
    (problem,) = refused({"m.csv": "Anna\\Bert,x\nx,1\n"}, annotators=("Ana", "Bert"))
    assert problem.key == "annotators"
    assert problem.remedy == 'Did you mean "Anna"?'


def test_a_category_declared_missing_holds_no_marks(export: Export, accounted: Accounted) -> None:
    """A row of missing ratings leaves the other annotator's labels."""
    annotations = export({"m.csv": "B\\A,x,NA\nx,5,2\nNA,3,1\n"}, missing=("NA",))
    assert ratings_of(annotations).labels == ("x",)
    assert annotations.marks_read == 5 + 5 + 2 + 3
    assert accounted(annotations)


def test_categories_that_normalising_makes_equal_are_one_label(export: Export, cells: Cells) -> None:
    """`New` and `new` are one category where labels are put in small letters."""
    annotations = export({"m.csv": "B\\A,New,new\nNew,1,2\nnew,3,4\n"}, normalise=("lowercase",))
    assert cells(annotations) == {("new", "new"): 10}


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


def test_all_faults_come_at_once(refused: Refused) -> None:
    """Names, shape and cells are reported together, each in its place."""
    text = "A2\\,x,y,y\nx,1,two,3\ny,4\nz,5,-6,7\n"
    assert places(refused({"m.csv": text})) == [
        (1, "column y"),
        (1, "first cell"),
        (2, "row x, column y"),
        (3, "row y"),
        (4, "row z"),
        (4, "row z, column y"),
    ]


def test_a_ragged_row_says_how_many_counts_it_has(refused: Refused) -> None:
    """An unquoted thousands comma makes a row too long, which the remedy says."""
    (problem,) = refused({"m.csv": "B\\A,x,y\nx,1,2\ny,3,18,840\n"})
    assert (problem.line, problem.key) == (3, "row y")
    assert problem.message == "has 3 counts where the first row has 2 categories."
    assert "thousands separators" in problem.remedy


def test_the_line_is_that_of_the_file_not_of_the_matrix(refused: Refused) -> None:
    """Empty lines and line breaks in cells do not shift the numbering."""
    (problem,) = refused({"m.csv": 'B\\A,x,"y\nz"\n\nx,1,2\n"y\nz",3,no\n'})
    assert (problem.line, problem.key) == (5, "row y\nz, column y\nz")


def test_categories_of_rows_and_columns_have_to_be_the_same(refused: Refused) -> None:
    """The problem says on which side each category is missing."""
    problems = refused({"m.csv": "B\\A,x,y\nx,1,2\nz,3,4\n"})
    assert [(problem.line, problem.key, problem.message) for problem in problems] == [
        (1, "column y", "no row has this name."),
        (3, "row z", "no column has this name."),
    ]


def test_a_category_that_stands_twice_is_refused_on_both_sides(refused: Refused) -> None:
    """Each repetition is named, in the header and in its own line."""
    problems = refused({"m.csv": "B\\A,x,x\nx,1,2\nx,3,4\n"})
    assert places(problems) == [(1, "column x"), (2, "row x"), (3, "row x")]


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


def test_margins_do_not_hide_what_else_is_wrong(refused: Refused) -> None:
    """Rows with a fault are left out when the sums are checked."""
    problems = refused({"m.csv": "B\\A,x,y,Total\nx,1,?,3\ny,3,4,7\nTotal,4,6,10\n"})
    assert places(problems) == [(1, "column Total"), (2, "row x, column y"), (4, "row Total")]


def test_a_category_called_all_that_holds_no_sums_is_a_category(export: Export) -> None:
    """The name alone does not make a margin."""
    assert ratings_of(export({"m.csv": "B\\A,x,all\nx,1,2\nall,3,4\n"})).labels == ("x", "all")


def test_a_matrix_of_zeros_is_refused(refused: Refused) -> None:
    """Nothing was rated, so there is nothing to report on."""
    (problem,) = refused({"m.csv": "B\\A,x,y\nx,0,0\ny,0,0\n"})
    assert problem.message == "every count is 0: nothing was rated."


@pytest.mark.parametrize("text", ["B\\A\n", "B\\A,x,y\n", "B\\A\nx\ny\n"])
def test_a_matrix_without_rows_or_columns_is_refused(refused: Refused, text: str) -> None:
    """A header alone holds no counts."""
    assert any(
        "no category" in str(problem) or "no row" in str(problem) for problem in refused({"m.csv": text})
    )


def test_two_matrices_in_one_export_are_refused(refused: Refused) -> None:
    """A version has one matrix; which one is for the user to say."""
    problems = refused({"a.csv": TABLE_1, "b.csv": TABLE_1})
    assert [problem.file for problem in problems] == ["a.csv", "b.csv"]
    assert "add the counts up" in problems[0].remedy


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


@pytest.mark.parametrize(
    "table",
    [
        "item,1,2,3\n1,4,4,5\n2,1,2,1\n3,3,3,2\n4,2,2,2\n",
        "item,Anna,Ben\na,4,4\nb,1,2\nc,3,3\n",
        "item,Anna,Ben,Ann\nd1,4,4,4\nd2,1,2,2\nAnn,3,3,3\n",
    ],
)
def test_ratings_of_units_that_are_called_like_few_annotators_are_ratings(export: Export, table: str) -> None:
    assert export({"r.csv": table}).format == "ratings"


def test_of_people_who_rated_each_other_it_is_said_how_to_write_it(refused: Refused, export: Export) -> None:
    table = ",anna,ben\nanna,5,4\nben,2,5\n"
    remedies = {problem.remedy.partition(". ")[2] for problem in refused({"m.csv": table})}
    assert remedies == {
        'If people rated each other, say whom rows are about: "of anna" for "anna", and so on.'
    }
    mended = export({"m.csv": table.replace("\nanna", "\nof anna").replace("\nben", "\nof ben")})
    assert (mended.format, ratings_of(mended).annotators) == ("ratings", ("anna", "ben"))
