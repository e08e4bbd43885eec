"""A ratings table that can't be understood is refused with its file, line and column, and the remedy."""

from collections.abc import Callable

import pytest

from reportgen.base.errors import Problem
from reportgen.readers import Annotations

Refused = Callable[..., tuple[Problem, ...]]


def test_rows_of_another_length_are_all_named(refused: Refused) -> None:
    """Each ragged row has its line; a line break in a cell does not shift it."""
    problems = refused({"r.csv": 'item,Ann,Bob\n"1\n1",a,b\n2,a\n3,a,b\n4,a,b,c\n'})
    assert [(problem.line, problem.message) for problem in problems] == [
        (4, "has 2 cells where the header has 3."),
        (6, "has 4 cells where the header has 3."),
    ]


def test_many_faults_of_one_kind_are_summed_up(refused: Refused) -> None:
    """After twenty rows the rest is a number."""
    problems = refused({"r.csv": "item,Ann,Bob\n1,a,b\n1,a,b\n" + "2,a\n" * 1030})
    assert len(problems) == 21
    assert problems[-1].message == "1,010 more rows are like this."


def test_columns_of_one_name_are_refused(refused: Refused) -> None:
    """Which of them would be meant can't be known."""
    (problem,) = refused({"r.csv": "\nitem,Ann, Ann \n1,a,b\n"})
    assert (problem.line, problem.key) == (2, "column Ann")
    assert problem.message == "2 columns have this name."


def test_a_column_without_a_name_is_refused(refused: Refused) -> None:
    """Its labels would be nobody's."""
    (problem,) = refused({"r.csv": "item,Ann,,Bob\n1,a,b,c\n"})
    assert (problem.line, problem.key, problem.message) == (1, "column 3", "has no name.")


def test_labels_without_unit_or_annotator_are_refused(refused: Refused) -> None:
    """Rows without a label may lack the rest; others are all named."""
    text = "item,annotator,label\n1,Ann,a\n,Ann,a\n2,,b\n, ,c\n3,,\n1,Bob,a\n"
    problems = refused({"r.csv": text})
    assert [(problem.line, problem.key) for problem in problems] == [
        (3, "column item"),
        (4, "column annotator"),
        (5, "column annotator"),
        (5, "column item"),
    ]


def test_an_unknown_column_gets_a_suggestion(refused: Refused) -> None:
    """All columns that are not there are named at once."""
    problems = refused(
        {"r.csv": "item,annotator,label\n1,Ann,a\n"}, columns={"label": "lable", "document": "text"}
    )
    assert [(problem.key, problem.remedy) for problem in problems] == [
        ("columns.document", "Known: item, annotator, label."),
        ("columns.label", 'Did you mean "label"?'),
    ]


def test_a_long_table_needs_a_unit(refused: Refused) -> None:
    """Rows of a long table are labels, so they can't stand for the units."""
    (problem,) = refused({"r.csv": "annotator,label\nAnn,a\nBob,a\n"})
    assert (problem.key, problem.message) == ("columns.unit", "no column is known as the unit.")
    assert problem.remedy == 'Name it: columns = { unit = "…" }; the columns are annotator, label.'


@pytest.mark.parametrize(
    ("header", "key"),
    [("item,annotator,stance", "columns.label"), ("item,label,comment", "columns.annotator")],
)
def test_half_a_long_table_is_not_taken_for_a_wide_one(refused: Refused, header: str, key: str) -> None:
    """A column called annotator holds names, one called label is nobody's."""
    (problem,) = refused({"r.csv": f"{header}\n1,x,y\n2,x,y\n"})
    assert problem.key == key


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


def test_an_open_quotation_is_refused_where_it_starts(refused: Refused) -> None:
    """Otherwise it would swallow the rest of the file."""
    problems = refused({"r.csv": 'item,Ann,Bob\n1,a,b\n2,a,"b\n3,a,b\n4,a,b\n'})
    assert [(problem.line, problem.message) for problem in problems] == [
        (3, "a quotation mark is opened here and never closed.")
    ]


def test_another_encoding_is_refused_with_the_line(refused: Refused) -> None:
    """Of eight-bit encodings only those of Western languages are found."""
    (problem,) = refused({"r.csv": "item,Ann,Bob\n1,a,b\n2,привет,b\n".encode("cp1251")})
    assert (problem.line, problem.message) == (3, "byte 0xef is not UTF-8.")
    assert '--encoding cp1252, encoding = "cp1252"' in problem.remedy


def test_the_offending_byte_is_right_after_a_byte_order_mark(refused: Refused) -> None:
    """A mark at the start of the file does not shift the place."""
    (problem,) = refused({"r.csv": b"\xef\xbb\xbfitem,Ann,Bob\n\xff1,a,b\n"})
    assert (problem.line, problem.message) == (2, "byte 0xff is not UTF-8.")


def test_utf_16_without_its_mark_is_refused(refused: Refused) -> None:
    """It would pass for UTF-8 with a NUL after each letter."""
    (problem,) = refused({"r.csv": "item,Ann,Bob\n1,a,b\n".encode("utf-16-le")})
    assert problem.message == "contains a NUL: it is not text, or UTF-16 without a byte order mark."


def test_an_annotator_who_is_not_there_gets_a_suggestion(refused: Refused) -> None:
    """Names that the export does not have are a typing error."""
    (problem,) = refused({"r.csv": "item,Ann,Bob\n1,a,b\n"}, annotators=("Bob", "ann"))
    assert (problem.key, problem.message) == ("annotators", '"ann" is not in the export.')
    assert problem.remedy == 'Did you mean "Ann"?'


def test_the_faults_of_all_files_come_at_once(refused: Refused) -> None:
    """A second file is looked at though the first is faulty."""
    problems = refused({"a.csv": "item,Ann,Ann\n1,a,b\n", "b.csv": "", "c.csv": "item,Ann,Bob\n1\n"})
    assert [problem.file for problem in problems] == ["a.csv", "b.csv", "c.csv"]


def test_a_long_table_whose_columns_have_other_names_is_not_read_as_a_wide_one(refused: Refused) -> None:
    """Columns that share no label with any other are no annotators'."""
    rows = "".join(f"s{n},{'ann' if n % 2 else 'bob'},{'pos' if n % 3 else 'neg'}\n" for n in range(12))
    (problem,) = refused({"r.csv": f"sentence,who,sentiment\n{rows}"})
    assert "(who, sentiment), and hardly a label is in two of them" in problem.message


def test_a_table_without_a_header_is_not_read_as_if_it_had_one(refused: Refused) -> None:
    """Its first row would be lost without a word."""
    (problem,) = refused({"r.csv": "i1,x,y\ni2,x,x\ni3,y,y\n"})
    assert (problem.line, problem.message) == (
        1,
        'the first row seems to be data, not a header: "i1" is numbered as the units below are.',
    )
    assert "such as item,A1,A2;" in problem.remedy


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


def by_category(rows: int, *, alone: bool) -> str:
    """Who chose each category, by initials; without `alone`, two columns may say the same."""
    who = ("AB", "CD", "EF")
    lines = ["id,pos,neg,neu"]
    for n in range(rows):
        cells = [
            " ".join(each for k, each in enumerate(who) if (n + k * k) % 3 == place) for place in range(3)
        ]
        if not alone and n == 5:
            cells[1] = cells[2] = "AB"
        lines.append(f"{n},{','.join(cells)}")
    return "\n".join(lines) + "\n"


def test_categories_with_initials_of_annotators_are_no_annotators(
    export: Callable[..., Annotations], refused: Refused
) -> None:
    (problem,) = refused({"r.csv": by_category(24, alone=True)})
    assert "they agree less than by chance" in problem.message
    # Where two columns say the same of a row, they may be careless annotators.
    assert export({"r.csv": by_category(24, alone=False)}).marks_read


def test_what_each_annotator_rated_is_a_question_whatever_it_is_called(refused: Refused) -> None:
    traits = ("content", "language", "length", "age")
    names = ",".join(f"{who}_{trait}" for who in ("R1", "R2") for trait in traits)
    rows = "".join(
        f"E{n},{','.join(f'{1 + (n * k) % 5},{1 + (n + k) % 4},{1 + n % 3},30' for k in (2, 3))}\n"
        for n in range(24)
    )
    (problem,) = refused({"r.csv": f"essay,{names}\n{rows}"})
    # An age that never varies is nobody's answer.
    assert "each of which is a layer: content, language, length." in problem.message


def test_a_long_table_without_a_header_is_told_what_a_header_would_be(refused: Refused) -> None:
    (problem,) = refused({"r.csv": "i1,anna,yes\ni1,bob,no\ni2,anna,no\ni2,bob,yes\n"})
    assert "such as item,annotator,label;" in problem.remedy


@pytest.mark.parametrize(
    ("cells", "header"),
    [
        (('{"ann": "x", "bob": "y"}', '{"ann": "x"}'), "item,ann,bob"),
        (
            ('[{"annotator": "ann", "label": "x"}]', '[{"annotator": "bob", "label": "x"}]'),
            "item,annotator,label",
        ),
        (
            ('{"annotator": "ann", "label": "x"}', '{"annotator": "bob", "label": "x"}'),
            "item,annotator,label",
        ),
        (('{"ann": ', "{}"), "item,annotator,label"),
    ],
)
def test_a_column_of_objects_is_refused_with_the_table_that_it_should_be(
    refused: Refused, cells: tuple[str, str], header: str
) -> None:
    rows = "".join('{},"{}"\n'.format(place, cell.replace('"', '""')) for place, cell in enumerate(cells))
    (problem,) = refused({"r.csv": f"item,annotations\n{rows}"})
    assert (problem.line, problem.key) == (1, "column annotations")
    assert problem.message == "has JSON objects where labels were expected."
    assert problem.remedy.endswith(f"below a first row such as {header}.")


def test_labels_that_are_objects_are_refused(refused: Refused) -> None:
    (problem,) = refused({"r.csv": 'item,annotator,label\n1,Ann,"{""tone"": ""x""}"\n1,Bob,{}\n'})
    assert problem.key == "column label"


def test_labels_that_are_empty_sets_are_no_objects(export: Callable[..., Annotations]) -> None:
    assert export({"r.csv": "item,annotator,label\n1,Ann,{}\n1,Bob,{}\n"}).marks_read == 2


def test_a_first_row_of_numbers_that_come_again_in_it_is_data(refused: Refused) -> None:
    (problem,) = refused({"r.csv": "t_1,2,3,2\nt_2,1,1,1\nt_3,3,3,3\n"})
    assert "is in it several times, and a number as all labels are" in problem.message
    assert "such as item,A1,A2,A3" in problem.remedy


def test_a_label_that_is_called_like_a_column_of_texts_does_not_make_a_first_row_a_header(
    refused: Refused,
) -> None:
    (problem,) = refused({"r.csv": "1,post,reply\n2,reply,reply\n3,post,post\n"})
    assert "the first row seems to be data, not a header" in problem.message
