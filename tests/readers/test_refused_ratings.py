"""A ratings table that can't be understood is refused with its file, line and column, and the remedy."""

from collections.abc import Callable

import pytest

from reportgen.base.errors import Problem
from reportgen.readers import Annotations

Refused = Callable[..., tuple[Problem, ...]]


def test_many_faults_of_one_kind_are_summed_up(refused: Refused) -> None:
    """After twenty rows the rest is a number."""
    problems = refused({"r.csv": "item,Ann,Bob\n1,a,b\n1,a,b\n" + "2,a\n" * 1030})
    assert len(problems) == 21
    assert problems[-1].message == "1,010 more rows are like this."


@pytest.mark.parametrize("text", ["label\na\nb\n", "a b c\nd e f\n", '"a,b"\n"c,d"\n'])
def test_a_single_column_is_refused(refused: Refused, text: str) -> None:
    """Without a delimiter there are no ratings."""
    assert [problem.message for problem in refused({"r.csv": text})] == ["there is a single column."]


@pytest.mark.parametrize("text", ["item,Ann\n1,a\n2,b\n", "text,Ann\n1,a\n2,b\n"])
def test_a_single_annotator_in_wide_tables_is_refused(refused: Refused, text: str) -> None:
    """Agreement needs two columns of labels."""
    (problem,) = refused({"r.csv": text})
    assert "a column of labels for each annotator" in problem.remedy


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_file_is_refused(refused: Refused, text: str) -> None:
    """An export that failed is better done again."""
    assert [problem.message for problem in refused({"r.csv": text})] == ["is empty."]


@pytest.mark.parametrize("text", ["item,Ann,Bob\n", "item,Ann,Bob\n1,,\n", "item,annotator,label\n1,Ann,\n"])
def test_a_table_without_a_rating_is_refused(refused: Refused, text: str) -> None:
    """The problem lists which files were looked at."""
    (problem,) = refused({"r.csv": text, "s.csv": text})
    assert problem.message == "the export has no rating and no mark. Looked at: r.csv, s.csv."


def test_another_encoding_is_refused_with_the_line(refused: Refused) -> None:
    """Of eight-bit encodings only those of Western languages are found."""
    (problem,) = refused({"r.csv": "item,Ann,Bob\n1,a,b\n2,привет,b\n".encode("cp1251")})
    assert (problem.line, problem.message) == (3, "byte 0xef is not UTF-8.")
    assert '--encoding cp1252, encoding = "cp1252"' in problem.remedy


def test_the_offending_byte_is_right_after_a_byte_order_mark(refused: Refused) -> None:
    """A mark at the start of the file does not shift the place."""
    (problem,) = refused({"r.csv": b"\xef\xbb\xbfitem,Ann,Bob\n\xff1,a,b\n"})
    assert (problem.line, problem.message) == (2, "byte 0xff is not UTF-8.")


@pytest.mark.parametrize(
    ("table", "evidence"),
    [
        ("1,pos,neg\n2,neg,neu\n3,neu,neu\n", '"1" is numbered as the units below are'),
        ("x,pos,rare\ny,neg,pos\nz,pos,neg\n", '"pos" occurs below'),
        ("yes,no\nno,no\nyes,yes\n", '"yes" occurs below'),
        ("1,yes,yes\n2,no,yes\n3,no,no\n", '"yes" is in it several times and occurs below'),
        ("3.5,4\n2.5,4.5\n1,2\n", '"3.5" is a number, as all labels are'),
        ("i1,anna,yes\ni1,bob,no\ni2,anna,no\ni2,bob,yes\n", '"i1" occurs below'),
        ("1,0,,1\n2,1,1,\n3,0,0,1\n", '"1" is in it several times and occurs below'),
        ("1;2;3\n2;2;3\n3;1;1\n", '"1" is numbered as the units below are'),
    ],
)
def test_a_first_row_of_data_is_told_by_what_it_holds(refused: Refused, table: str, evidence: str) -> None:
    (problem,) = refused({"r.csv": table})
    assert problem.message == f"the first row seems to be data, not a header: {evidence}."
    assert "Put a line above it that names the columns" in problem.remedy


VALUES = ["pos", "neg", "neu", "pos", "pos", "neg"] * 4
OTHERS = ["pos", "neg", "neg", "pos", "neu", "neg"] * 4
PAIRS = [*zip(VALUES, OTHERS, strict=True)] * 2


@pytest.mark.parametrize(
    ("rows", "evidence"),
    [
        ([f"2,1,{'*' if n % 5 == 0 else 1 + n % 3}" for n in range(24)], '"2" occurs below'),
        ([f"s{n},{who},{x}" for n, x in enumerate(VALUES) for who in ("ann", "bob")], '"s0" occurs below'),
        (
            [
                f"a{n},ann{who},{(x, y)[(n + who) % 4 == 0]}"
                for n, (x, y) in enumerate(PAIRS)
                for who in range(3)
            ],
            '"a0" is numbered',
        ),
        ([f"{x},{y}" for x, y in zip(VALUES, OTHERS, strict=True)], '"pos" is in it several times'),
        ([f"{x},{y},{y}" for x, y in zip(OTHERS, VALUES[1:], strict=False)], '"neg" is in it several times'),
    ],
)
def test_a_first_row_of_data_is_noticed_whatever_the_table_is_taken_for(
    refused: Refused, rows: list[str], evidence: str
) -> None:
    (problem,) = refused({"r.csv": "\n".join(rows) + "\n"})
    assert problem.message.startswith(f"the first row seems to be data, not a header: {evidence}")


def test_files_of_an_annotator_each_without_headers_are_refused_one_by_one(refused: Refused) -> None:
    """Two of them begin alike, and would be read without the third."""
    files = {f"{who}.csv": "".join(f"{n},{x}\n" for n, x in enumerate(own)) for who, own in
             (("a", VALUES), ("b", VALUES), ("c", OTHERS[1:]))}  # fmt: skip
    problems = refused(files)
    assert [problem.line for problem in problems] == [1, 1, 1]
    assert all("such as item,label;" in problem.remedy for problem in problems)


def preferences(first: str, second: str, winners: tuple[str, str, str], *, is_swapped: bool) -> str:
    """Three judges compare two models on 24 prompts; they may see them in either order."""
    rows = [f"prompt_id,{first},{second},judge,winner"]
    for n, who in ((n, who) for n in range(24) for who in range(3)):
        swapped = is_swapped and (n + who) % 2 == 0
        shown = ("llama", "gpt") if swapped else ("gpt", "llama")
        chosen = 2 if n % 8 == 7 else int(swapped) if (n * who) % 5 else 1 - int(swapped)
        rows.append(f"p{n},{shown[0]},{shown[1]},j{who},{winners[chosen]}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [("model_a", "model_b", ("model_a", "model_b", "tie")), ("response A", "response B", ("a", "b", "tie"))],
)
def test_a_preference_for_a_place_is_none_for_what_was_there(
    export: Callable[..., Annotations],
    refused: Refused,
    first: str,
    second: str,
    winners: tuple[str, str, str],
) -> None:
    (problem,) = refused({"r.csv": preferences(first, second, winners, is_swapped=True)})
    assert "the same label means another choice there" in problem.message
    # Where everybody saw them in one order, a place is a model.
    assert export({"r.csv": preferences(first, second, winners, is_swapped=False)}).marks_read == 72


def test_labels_that_are_empty_sets_are_no_objects(export: Callable[..., Annotations]) -> None:
    assert export({"r.csv": "item,annotator,label\n1,Ann,{}\n1,Bob,{}\n"}).marks_read == 2
