"""Files that a campaign.toml names: distances, GATE's BDM scores, sizes of documents, lists of terms."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import DistanceMatrix, load
from reportgen.campaign.csv_tables import read_distances, read_sizes, read_terms
from reportgen.campaign.taxonomies import Score
from tests.campaign.conftest import Make, reading, refusing

Read = Callable[[str], DistanceMatrix]
Refusals = Callable[[str], list[tuple[int, str, str]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reading(tmp_path, read_distances)


@pytest.fixture
def refusals(read: Read) -> Refusals:
    return refusing(read)


def test_a_table_is_read_in_the_order_of_its_columns(read: Read) -> None:
    """Categories and distances stay together; its id and its reason are whose table it is."""
    table = read(",New,Former\nNew,0,0.25\nFormer,0.25,0\n")
    assert table == DistanceMatrix("", ("New", "Former"), ((0, 0.25), (0.25, 0)), "", "t")


def test_rows_may_stand_in_another_order(read: Read) -> None:
    """The columns' order is the categories' order."""
    assert read(",A,B,C\nC,2,3,0\nA,0,1,2\nB,1,0,3\n").rows == ((0, 1, 2), (1, 0, 3), (2, 3, 0))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected(read: Read, mark: str) -> None:
    """Whatever the spreadsheet wrote is read."""
    assert read(",A,B\nA,0,0.5\nB,.5,0\n".replace(",", mark)).rows == ((0, 0.5), (0.5, 0))


def test_a_decimal_comma_counts_where_the_delimiter_is_another(read: Read) -> None:
    """Half a French spreadsheet is no text."""
    assert read(";A;B\nA;0;0,5\nB;5e-1;0,0\n").rows == ((0, 0.5), (0.5, 0))


def test_blank_rows_and_blanks_around_cells_do_not_count(read: Read) -> None:
    """What a spreadsheet leaves behind is passed over."""
    assert read("\n, A ,B\nA,0, 1\n,,\nB, 1 ,-0\n\n").rows == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("far", 'is "far", which is not a number; a distance was expected.'),
        ("", "is empty; a distance was expected."),
        ("nan", 'is "nan", which is not finite.'),
        ("-Infinity", 'is "-Infinity", which is not finite.'),
        ("1e999", 'is "1e999", which is not finite.'),
        ("1_0", 'is "1_0", which is not a number; a distance was expected.'),
        ("-0.5", "is -0.5; a distance is never negative."),
    ],
)
def test_a_cell_is_a_finite_number_that_is_not_negative(refusals: Refusals, cell: str, message: str) -> None:
    """The error names the line and the cell."""
    assert (2, "row A, column B", message) in refusals(f",A,B\nA,0,{cell}\nB,1,0\n")


def test_the_diagonal_is_zero(refusals: Refusals) -> None:
    """A category is not away from itself."""
    assert refusals(",A,B\nA,0,1\nB,1,0.1\n") == [
        (3, "row B, column B", "is 0.1; a category is at distance 0 from itself.")
    ]


def test_a_table_is_symmetric(refusals: Refusals) -> None:
    """Both cells are named with their values, once."""
    message = "is 0.4, but row A, column B (line 2) is 0.5; distances are the same both ways."
    assert refusals(",A,B\nA,0,0.5\nB,0.4,0\n") == [(3, "row B, column A", message)]


def test_a_table_is_square(refusals: Refusals) -> None:
    """The counts are named, and the categories that are missing."""
    assert refusals(",A,B\nA,0,1\n") == [
        (1, "", "is not square: 1 row and 2 columns."),
        (1, "column B", 'has no row; the rows are "A".'),
    ]


def test_a_row_has_one_distance_a_column(refusals: Refusals) -> None:
    """A short row is named, not filled."""
    assert (3, "row B", "has 1 distance; 2 were expected, one a column.") in refusals(",A,B\nA,0,1\nB,1\n")


def test_rows_have_the_columns_names(read: Read, refusals: Refusals) -> None:
    """A mistyped category is found with what was meant."""
    text = ",Former,New\nFormer,0,1\nNwe,1,0\n"
    assert [key for _, key, _ in refusals(text)] == ["column New", "row Nwe"]
    with pytest.raises(BadInput) as raised:
        read(text)
    assert raised.value.problems[1].remedy == 'Did you mean "New"?'


def test_names_are_there_once(refusals: Refusals) -> None:
    """A category has one row and one column."""
    found = refusals(",A,A,\nA,0,0,1\nA,0,0,1\n,1,1,0\n")
    assert (1, "column A", "is the second column of that name.") in found
    assert (1, "column 4", "has no name.") in found
    assert (3, "row A", "is the second row of that name.") in found


@pytest.mark.parametrize("text", ["", "\n\n", ",,\n"])
def test_an_empty_file_is_refused(refusals: Refusals, text: str) -> None:
    """Nothing is no table."""
    assert refusals(text) == [(0, "", "is empty.")]


def test_a_table_without_columns_is_refused(refusals: Refusals) -> None:
    """A first row without categories says nothing."""
    assert "names no category" in refusals("A\nB\n")[0][2]


def test_a_cell_beyond_all_bounds_is_told(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the CSV reader refuses is refused in words."""
    monkeypatch.setattr("reportgen.base.files.FIELD_LIMIT", 10)
    with pytest.raises(BadInput, match="is no CSV table: a quote is not closed"):
        read(f",A\nA,{'0' * 100}\n")


HEAD = "##The following are the BDM scores for each pair of concepts in the ontology named proton.owl.\n"
LINE = (
    "key=Service, response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, "
    "n2=2.8333333, bran=1.9565217\n"
)
OTHERS = (
    "key=Happening, response=Object, bdm=0.0, msca=Entity, cp=0, dpk=1, dpr=1, n0=2.0, n1=2.5, n2=2.8333333, "
    "bran=1.2\n"
    "key=Service, response=Happening, bdm=0.25\n"
    "key=Object, response=Object, bdm=1.0, msca=Object, cp=1, dpk=0, dpr=0, n0=2.0, n1=1.0, n2=1.0, "
    "bran=1.0\n"
)


def test_the_line_of_the_guide_is_read_with_all_that_it_says(read: Read) -> None:
    table = read(HEAD + LINE)
    assert table.scores == (
        Score("Service", "Object", 0.6617647, "Object", 1, 1, 0, 2.0, 2.0, 2.8333333, 1.9565217),
    )
    assert table.categories == ("Service", "Object")
    assert table.rows == ((0.0, 1 - 0.6617647), (1 - 0.6617647, 0.0))


def test_pairs_stand_there_in_either_order_and_distances_are_1_less_the_score(read: Read) -> None:
    table = read(HEAD + LINE + OTHERS)
    assert table.categories == ("Service", "Object", "Happening")
    assert [round(value, 7) for value in table.rows[0]] == [0.0, 0.3382353, 0.75]
    assert table.rows[1][2] == table.rows[2][1] == 1.0
    assert table.origin is not None
    assert (table.origin.kind, table.origin.concepts, table.origin.chain) == ("scores", 3, 2.0)


def test_names_may_hold_commas_and_equal_signs(read: Read) -> None:
    table = read("key=A, or B, response=c=d, bdm=0.5, msca=e, f\n")
    assert (table.categories, table.scores[0].msca) == (("A, or B", "c=d"), "e, f")


def test_what_gate_could_not_compute_is_left_open(read: Read) -> None:
    (score,) = read("key=A, response=B, bdm=0.0, cp=-1, n1=NaN, n2=2.5\n").scores
    assert (score.cp, score.n1, score.n2, score.msca) == (-1, None, 2.5, "")


@pytest.mark.parametrize("bdm", ["close", "NaN", "", "1.2", "-0.1", "1.0001", "-0.0001"])
def test_a_score_is_a_number_from_0_to_1(refusals: Refusals, bdm: str) -> None:
    message = f'is "{bdm}"; a number from 0 to 1 was expected as bdm, 1 of a concept with itself.'
    assert refusals(f"{HEAD}key=A, response=B, bdm={bdm}, cp=1\n") == [(2, "key A, response B", message)]


def test_two_concepts_have_one_score(read: Read, refusals: Refusals) -> None:
    assert refusals(f"{LINE}key=Object, response=Service, bdm=0.5\n") == [
        (2, "key Object, response Service", "is 0.5, but 0.6617647 on line 1; two concepts have one score.")
    ]
    assert len(read(f"{LINE}key=Object, response=Service, bdm=0.6617647\n").scores) == 1


def test_every_two_concepts_have_a_score(refusals: Refusals) -> None:
    lines = "".join(f"key=A, response={name}, bdm=0.5\n" for name in "BCDEFGHI")
    pairs = '"B and C", "B and D", "B and E", "B and F" and "B and G"'
    assert refusals(lines) == [(0, "", f"has no score of {pairs} and 23 more.")]


def test_what_is_no_line_of_scores_is_told(refusals: Refusals) -> None:
    found = refusals(f"{HEAD}{LINE}key=Service, bdm=0.5\nkey=, response=B, bdm=1\n")
    assert [line for line, _, _ in found] == [3, 4]
    assert found[0][2] == 'is "key=Service, bdm=0.5"; a line of scores was expected.'


def test_other_parameters_are_numbers(refusals: Refusals) -> None:
    found = refusals("key=A, response=B, bdm=0.5, cp=1.5, n0=long\n")
    assert [message for *_, message in found] == [
        'is "1.5" as cp; a whole number was expected.',
        'is "long" as n0; a number was expected.',
    ]


def test_a_file_without_scores_is_refused(refusals: Refusals) -> None:
    assert refusals(HEAD) == [(0, "", "has no score.")]


def test_all_that_is_wrong_comes_at_once_and_a_spoilt_line_is_not_missed_too(refusals: Refusals) -> None:
    text = f"{HEAD}{LINE}key=Object, response=A, bdm=2\nkey=Service, response=A, bdm=x\nnothing\n"
    assert [line for line, _, _ in refusals(text)] == [3, 4, 5]


def _sizes(folder: Path, text: str) -> dict[str, int]:
    sizes: dict[str, int] = reading(folder, read_sizes)(text)
    return sizes


def _refusals(folder: Path, text: str) -> list[tuple[int, str, str]]:
    return refusing(reading(folder, read_sizes))(text)


@pytest.mark.parametrize(
    "text",
    ["document,size\na,10\nb,0\n", "Size;Document\n10;a\n0;b\n", "document\tsize\n\na\t10\n\t\nb\t0\n"],
)
def test_sizes_are_read_by_document(tmp_path: Path, text: str) -> None:
    """The order of the columns and the delimiter are the file's own."""
    assert _sizes(tmp_path, text) == {"a": 10, "b": 0}


@pytest.mark.parametrize("text", ["a,10\nb,20\n", "document,size,size\n", "name,size\na,1\n"])
def test_the_columns_are_document_and_size(tmp_path: Path, text: str) -> None:
    """A first row that names other columns may be data."""
    ((line, key, message),) = _refusals(tmp_path, text)
    assert (line, key) == (1, "first row")
    assert message.endswith("document and size were expected.")


def test_all_that_is_wrong_comes_at_once(tmp_path: Path) -> None:
    """Each row is told with its line and cell."""
    text = "document,size\na,-1\nb,1.5\nc,\nc,7\n,8\nd,9,9\ne," + "9" * 5000 + "\n"
    assert [(line, key) for line, key, _ in _refusals(tmp_path, text)] == [
        (2, "row a, column size"),
        (3, "row b, column size"),
        (4, "row c, column size"),
        (5, "row c"),
        (6, "column document"),
        (7, ""),
        (8, "row e, column size"),
    ]


def test_a_document_stands_there_once(tmp_path: Path) -> None:
    """The error names the line of the first."""
    assert _refusals(tmp_path, "document,size\na,1\na,1\n") == [(3, "row a", "is on line 2 already.")]


def test_a_table_without_documents_is_refused(tmp_path: Path) -> None:
    """Column names alone declare nothing."""
    assert _refusals(tmp_path, "document,size\n") == [(1, "", "lists no document.")]


OnlyProblem = Callable[..., Problem]

CANDIDATES = "[[unit_sets]]\nid = 'genes'\nunits = 'candidates'\nfile = 'genes.txt'\n"


def terms_of(folder: Path, content: bytes) -> tuple[str, ...]:
    path = folder / "genes.txt"
    path.write_bytes(content)
    return read_terms(path, "c/genes.txt")


def test_terms_stand_one_a_line_between_comments_and_blank_lines(tmp_path: Path) -> None:
    """What is there twice counts once, and Windows' line ends and byte order mark are no part of it."""
    content = "\ufeff# names\r\nypdA\r\n\r\n  spo 0A \r\nypdA\r\nx#y\r\n".encode()
    assert terms_of(tmp_path, content) == ("ypdA", "spo 0A", "x#y")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 0, "lists no term."),
        (b"# nothing\n\n", 0, "lists no term."),
        (b"abc\ncaf\xe9\n", 2, "byte 0xe9 is not UTF-8."),
    ],
    ids=["empty", "comments", "Latin-1"],
)
def test_a_list_without_terms_or_in_another_encoding_is_refused(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    """The place is named where there is one."""
    with pytest.raises(BadInput) as caught:
        terms_of(tmp_path, content)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.message) == ("c/genes.txt", line, message)
    assert problem.remedy


def test_a_campaign_reads_its_lists_when_it_is_loaded(
    make: Make, problem: OnlyProblem, smallest: str
) -> None:
    """A mistake stops before any export is read."""
    campaign = load(make(smallest + CANDIDATES, {"genes.txt": "ypdA\n"}))
    version = campaign.version("1.0")
    assert version.terms(version.unit_sets[0]) == ("ypdA",)
    found = problem(smallest + CANDIDATES, {"genes.txt": "# none\n"})
    assert found.file.endswith("genes.txt")
    assert found.message == "lists no term."
