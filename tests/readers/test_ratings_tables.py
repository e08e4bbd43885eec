"""Ratings tables, wide and long, are read as they are written."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.campaign.toml_tables import ReadOptions
from reportgen.readers import Annotations, ReaderOptions, read_export
from reportgen.readers.reader import Engine
from tests.readers.content import ratings_of

Export = Callable[..., Annotations]
Accounted = Callable[[Annotations], bool]
Marks = Callable[[Annotations], list[tuple[str, str, str, str, int]]]

LONG = "item,annotator,label\n1,Ann,yes\n1,Bob,no\n2,Ann,yes\n"
WIDE = "item,Ann,Bob\n1,yes,no\n2,yes,\n"
EXPECTED = [("", "1", "Ann", "yes", 0), ("", "1", "Bob", "no", 0), ("", "2", "Ann", "yes", 0)]


def test_a_long_table_has_a_mark_a_row(export: Export, marks: Marks) -> None:
    """Unit, annotator and label are found by their columns' names."""
    annotations = export({"r.csv": LONG})
    assert marks(annotations) == EXPECTED
    assert annotations.marks_read == 3
    assert ratings_of(annotations).annotators == ("Ann", "Bob")
    assert ratings_of(annotations).labels == ("yes", "no")
    assert not ratings_of(annotations).ordered
    assert ratings_of(annotations).weight.tolist() == [1, 1]


def test_a_wide_table_has_a_mark_a_cell_and_none_where_it_is_empty(export: Export, marks: Marks) -> None:
    """An empty cell is a missing rating, not a label."""
    annotations = export({"r.csv": WIDE})
    assert marks(annotations) == EXPECTED
    assert annotations.marks_read == 3


def test_what_was_understood_is_said_in_one_sentence(export: Export) -> None:
    """The sentence names the columns, the delimiter and the encoding."""
    long, wide = export({"r.csv": LONG}).reading, export({"r.csv": WIDE.replace(",", ";")}).reading
    assert long == (
        "Long table: units in column item, annotators in annotator, labels in label; comma-separated, UTF-8."
    )
    assert wide == (
        "Wide table: units in column item, 2 columns of labels, one for each annotator; "
        "semicolon-separated, UTF-8."
    )


@pytest.mark.parametrize(
    "label", ["None", "NA", "null", "nan", "1.5", "007", "1e5", "TRUE", "2009-06-01", " x"]
)
@pytest.mark.parametrize("shape", ["item,annotator,label\n1,Ann,{}\n", "item,Ann,Bob\n1,{},other\n"])
def test_labels_survive_as_written(export: Export, shape: str, label: str) -> None:
    """No label is taken for a missing value or a date; 1.0 alone is another spelling."""
    assert ratings_of(export({"r.csv": shape.format(label)})).labels[0] == label


# pandas writes a column that has an empty cell as floats.
IN_FLOATS = {
    "a file for each": {
        "anna.csv": "id,label\n1,0\n2,1\n3,1\n",
        "ben.csv": "id,label\n1.0,0.0\n2.0,1.0\n3.0,\n",
    },
    "two columns": {"r.csv": "item,anna,ben\n1,0,0.0\n2,1,1.0\n3,1,\n"},
    "decimal commas": {"r.csv": "item;anna;ben\n1;0;0,0\n2;1;1,0\n3;1;\n"},
    "three columns": {"r.csv": "item,anna,ben,carla\n1,0,0.0,0\n2,1,1.0,1\n3,1,,1\n"},
    "long": {"r.csv": "item,annotator,label\n1,anna,0\n1,ben,0.0\n2,anna,1\n2.0,ben,1.0\n3,anna,1\n3,ben,\n"},
    "JSON": {"r.json": '[{"item": 1, "anna": 0, "ben": "0.0"}, {"item": 2.0, "anna": "1", "ben": 1.0}]'},
}


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("shape", IN_FLOATS)
def test_a_whole_number_is_one_label_and_one_unit_however_it_is_written(
    export: Export, shape: str, engine: str | None
) -> None:
    options = {"path": "{annotator}"} if shape.startswith("a file") else {}
    content = ratings_of(export(IN_FLOATS[shape], engine=Engine(engine), **options))
    assert set(content.labels) == {"0", "1"}
    assert set(content.unit_names) <= {"1", "2", "3"}
    assert len(content.unit_names) == (2 if shape == "JSON" else 3)


def test_what_is_declared_is_compared_as_labels_are(export: Export) -> None:
    table = {"r.csv": "item,anna,ben\n1,1,2.0\n2,-9.0,1\n"}
    said = ReadOptions.model_validate({"missing": ["-9.0"], "labels": {"2.0": "two"}})
    found = export(table, missing=said.missing, labels=said.labels)
    assert ratings_of(found).labels == ("1", "two")
    assert found.missing == 1


def test_labels_declared_missing_are_no_marks(export: Export, marks: Marks) -> None:
    """Missing labels are matched as written and as normalised."""
    text = "item,annotator,label\n1,Ann,N/A\n1,Bob,yes\n2,Ann, n/a \n"
    annotations = export({"r.csv": text}, missing=("N/A", "n/a"), normalise=("lowercase", "strip"))
    assert marks(annotations) == [("", "1", "Bob", "yes", 0)]
    assert annotations.marks_read == 1
    assert ratings_of(annotations).unit_names == ("1", "2")


def test_normalising_makes_writings_of_a_label_one(export: Export) -> None:
    """Letters' case and outer spaces are dropped only where that is asked for."""
    text = "item,Ann,Bob\n1,Yes, yes\n"
    assert ratings_of(export({"r.csv": text})).labels == ("Yes", " yes")
    assert ratings_of(export({"r.csv": text}, normalise=("lowercase", "strip"))).labels == ("yes",)


def test_sets_are_the_same_in_any_order(export: Export) -> None:
    """Members are stripped, taken once and sorted; `{}` is the empty set."""
    text = "item,Ann,Bob\n1,b|a, a | b |a\n2,{},|\n3,a,\n"
    ratings = ratings_of(export({"r.csv": text}, set_separator="|"))
    assert ratings.labels == ("a|b", "{}", "a")
    assert len(ratings.label) == 5


def test_units_of_one_name_in_different_documents_are_different(export: Export, marks: Marks) -> None:
    """Sentence 1 of one text is not sentence 1 of another."""
    text = "doc,sentence,rater,rating\nd1,1,Ann,x\nd2,1,Ann,y\nd1,1,Bob,x\n,1,Bob,z\n"
    annotations = export({"r.csv": text})
    assert ratings_of(annotations).documents == ("d1", "d2")
    assert ratings_of(annotations).unit_names == ("1", "1", "1")
    assert ratings_of(annotations).document.tolist() == [0, 1, -1]
    assert [mark[0] for mark in marks(annotations)] == ["d1", "d2", "d1", ""]
    assert annotations.reading.endswith("labels in rating, documents in doc; comma-separated, UTF-8.")


def test_passes_are_numbered_from_the_first(export: Export, marks: Marks) -> None:
    """Passes are ordered as numbers, and an empty one is the first."""
    text = "item,annotator,label,round\n1,Ann,a,10\n1,Ann,b,9\n1,Ann,c,\n"
    assert [mark[4] for mark in marks(export({"r.csv": text}))] == [1, 0, 0]


def test_passes_with_names_are_ordered_as_they_occur(export: Export, marks: Marks) -> None:
    """A pass that is no number takes its place in the file."""
    text = "item,annotator,label,pass\n1,Ann,a,pilot\n1,Ann,b,final\n"
    assert [mark[4] for mark in marks(export({"r.csv": text}))] == [0, 1]


def test_several_labels_of_one_annotator_on_one_unit_are_all_kept(export: Export, marks: Marks) -> None:
    """Which of them counts is not for the reader to say."""
    text = "item,annotator,label\n1,Ann,b\n1,Bob,a\n1,Ann,a\n1,Ann,b\n"
    assert [mark[3] for mark in marks(export({"r.csv": text}))] == ["b", "a", "a", "b"]


def test_a_unit_that_stands_in_two_rows_of_a_wide_table_is_one_unit(export: Export, marks: Marks) -> None:
    """The second row is a second pass, not a second unit."""
    annotations = export({"r.csv": "item,Ann,Bob\n1,a,b\n1,c,\n"})
    assert ratings_of(annotations).unit_names == ("1",)
    assert [mark[3] for mark in marks(annotations)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "header",
    [
        "Item,Annotator,Label",
        " unit , rater , category ",
        "_unit_id,_worker_id,answer",
        "Item ID,Worker-ID,Judgement",
        "orig_id,!amt_worker_ids,response",
        "unité,annotateur,étiquette",
        "sentence,coder,code",
    ],
)
def test_columns_of_a_long_table_are_known_by_many_names(export: Export, marks: Marks, header: str) -> None:
    """Case, spaces, accents and signs in a column's name do not matter."""
    assert marks(export({"r.csv": LONG.replace("item,annotator,label", header)})) == EXPECTED


def test_columns_can_be_named(export: Export, marks: Marks) -> None:
    """A column that is asked for comes before one with a well-known name."""
    text = "who,where,annotator,what,label\nAnn,1,x,yes,q\nBob,1,x,no,q\nAnn,2,x,yes,q\n"
    columns = {"annotator": "who", "unit": "where", "label": "what"}
    assert marks(export({"r.csv": text}, columns=columns)) == EXPECTED


def test_a_numbering_of_rows_is_not_taken_for_the_unit(export: Export, marks: Marks) -> None:
    """In a long table units come back; a column that is different in each row counts rows."""
    text = "unit_id,task,worker,vote\n1,1,Ann,yes\n2,1,Bob,no\n3,2,Ann,yes\n"
    assert marks(export({"r.csv": text})) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        ",Ann,Bob\n1,yes,no\n2,yes,\n",
        ",item,Ann,Bob\n7,1,yes,no\n8,2,yes,\n",
        "name,Ann,Bob\n1,yes,no\n2,yes,\n",
        " item , Ann,Bob \n1,yes,no\n2,yes,\n",
        '"item","Ann","Bob"\r\n"1","yes","no"\r\n"2","yes",""\r\n',
        "item,Ann,Bob,,\n1,yes,no,,\n2,yes,,,\n,,,,\n",
        "item,text,Ann,Bob,Comments\n1,a,yes,no,c\n2,b,yes,,\n",
        "\n\nitem,Ann,Bob\n1,yes,no\n   \n2,yes,\n\n",
        "sentence,id,Ann,Bob\nHi,1,yes,no\nHi,2,yes,\n",
    ],
)
def test_the_units_of_a_wide_table_are_found(export: Export, marks: Marks, text: str) -> None:
    """By name, by an empty header, or by a first column of names that come nowhere else."""
    assert marks(export({"r.csv": text})) == EXPECTED


def test_a_wide_table_without_units_has_a_unit_a_row(export: Export, marks: Marks) -> None:
    """Two columns of labels are two annotators, even where the first has no value twice."""
    annotations = export({"r.csv": "Ann,Bob\nyes,no\nno,no\nperhaps,\n"})
    assert ratings_of(annotations).unit_names == ("", "", "")
    assert [mark[2:4] for mark in marks(annotations)][:2] == [("Ann", "yes"), ("Bob", "no")]
    assert "each row is a unit" in annotations.reading


def test_units_without_any_rating_are_units_all_the_same(export: Export) -> None:
    """The export lists them, so they are not lost."""
    ratings = ratings_of(export({"r.csv": "item,Ann,Bob\n1,yes,no\n2,,\n"}))
    assert ratings.unit_names == ("1", "2")
    assert ratings.unit.tolist() == [0, 0]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_delimiter_and_encoding_are_detected(export: Export, marks: Marks, mark: str, encoding: str) -> None:
    """Spreadsheets of any country write the same table."""
    text = "item,annotator,label\n1,Ann,élevé\n1,Bob,no\n".replace(",", mark)
    annotations = export({"r.csv": text.encode(encoding)})
    assert marks(annotations)[0] == ("", "1", "Ann", "élevé", 0)
    assert annotations.reading.endswith(f"-separated, {encoding.removesuffix('-sig').upper()}.")


def test_cells_may_hold_line_breaks_delimiters_and_quotation_marks(export: Export) -> None:
    """A quoted cell is one label, whatever it holds."""
    ratings = ratings_of(export({"r.csv": 'item,Ann,Bob\n"1\n2","a,""b""\r\nc",d\n'}))
    assert ratings.unit_names == ("1\n2",)
    assert ratings.labels == ('a,"b"\r\nc', "d")


def test_marks_of_annotators_who_are_not_asked_for_are_left_out(export: Export, accounted: Accounted) -> None:
    """They are counted file by file with the line of the first and the reason."""
    annotations = export({"a.csv": LONG, "b.csv": LONG}, annotators=("Bob",))
    assert ratings_of(annotations).annotators == ("Bob",)
    assert ratings_of(annotations).labels == ("no",)
    assert ratings_of(annotations).unit_names == ("1", "2")
    assert [(left.file, left.line, left.annotator, left.marks) for left in annotations.left_out] == [
        ("a.csv", 2, "Ann", 2),
        ("b.csv", 2, "Ann", 2),
    ]
    assert accounted(annotations)


def test_each_mark_has_its_file_and_line(export: Export) -> None:
    """Marks that are left out, empty lines and line breaks in cells do not shift it."""
    first = 'item,annotator,label\n\n"1\n1",Ann,yes\n1,Bob,no\n2,Ann,\n2,Bob,yes\n'
    found = ratings_of(
        export({"a.csv": first, "b.csv": "item,Cid,Bob\n1,no,\n2,no,yes\n"}, annotators=("Bob",))
    )
    assert [found.location(mark) for mark in range(3)] == [("a.csv", 5), ("a.csv", 7), ("b.csv", 3)]


def test_annotators_asked_for_stand_in_the_order_asked(export: Export, accounted: Accounted) -> None:
    """A column of a wide table that is not asked for is left out, and counted."""
    annotations = export({"r.csv": "item,Ann,id,gold\n1,a,b,c\n2,a,b,\n"}, annotators=("id", "Ann"))
    assert ratings_of(annotations).annotators == ("id", "Ann")
    assert [(left.annotator, left.marks) for left in annotations.left_out] == [("gold", 1)]
    assert accounted(annotations)


def test_files_of_one_export_are_taken_together(export: Export, marks: Marks) -> None:
    """Units, documents and annotators of one name are the same in all files."""
    files = {"a.csv": "item,Ann\n1,yes\n2,yes\n", "b.csv": "item,Bob\n1,no\n"}
    assert sorted(marks(export(files))) == EXPECTED
    mixed = export({"a.csv": LONG, "b.csv": "item\tBob\tCid\n2\tno\tno\n"})
    assert ratings_of(mixed).annotators == ("Ann", "Bob", "Cid")
    assert ratings_of(mixed).unit_names == ("1", "2")
    assert mixed.reading.startswith("1 file: Long table")
    assert not {"Ann", "Bob", "Cid"} & set(re.findall(r"\w+", mixed.reading))
    assert [source.file for source in mixed.sources] == ["a.csv", "b.csv"]


def test_units_without_names_in_different_files_are_different(export: Export) -> None:
    """Row 1 of one file is not row 1 of another."""
    ratings = ratings_of(export({"a.csv": "Ann,Bob\nx,y\n", "b.csv": "Ann,Bob\nx,y\nx,y\n"}))
    assert len(ratings.unit_names) == 3
    assert ratings.unit.tolist() == [0, 0, 1, 1, 2, 2]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    """Two patterns may match one file."""
    path = tmp_path / "r.csv"
    path.write_text(LONG)
    assert read_export([(path, "r.csv"), (path, "r.csv")]).marks_read == 3


words = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), min_size=1, max_size=6)
labels = words.filter(lambda word: bool(word.strip()))
names = st.text(st.sampled_from("abcdé 1"), max_size=4).map(lambda word: f"Ann{word}".strip())
ratings_tables = st.dictionaries(
    st.tuples(labels, labels), st.lists(labels | st.just(""), min_size=3, max_size=3), min_size=1, max_size=6
)


def _writer(mark: str, encoding: str, end: str) -> Callable[[list[list[str]]], bytes]:
    def written(rows: list[list[str]]) -> bytes:
        text = io.StringIO()
        csv.writer(text, delimiter=mark, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
        return text.getvalue().encode(encoding)

    return written


writers = st.builds(
    _writer,
    mark=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    end=st.sampled_from(["\n", "\r\n"]),
)


@given(table=ratings_tables, annotators=st.lists(names, min_size=3, max_size=3, unique=True), write=writers)
def test_a_table_written_wide_or_long_gives_the_same_marks(
    tmp_path_factory: pytest.TempPathFactory,
    marks: Marks,
    table: dict[tuple[str, str], list[str]],
    annotators: list[str],
    write: Callable[[list[list[str]]], bytes],
) -> None:
    """Whatever the labels are, no mark is lost, changed or invented in any writing of the table."""
    expected = [
        (document, unit, who, label, 0)
        for (document, unit), row in table.items()
        for who, label in zip(annotators, row, strict=True)
        if label
    ]
    assume(expected)
    wide = [["document", "item", *annotators], *([*key, *row] for key, row in table.items())]
    long = [["document", "item", "annotator", "label"], *(list(mark[:4]) for mark in expected)]
    path = tmp_path_factory.getbasetemp() / "round.csv"
    # What columns are is said: labels of any kind may be texts or names.
    keys = {"document": "document", "unit": "item"}
    options = ReaderOptions(columns=keys, raters=tuple(annotators))
    long_options = ReaderOptions(columns={**keys, "annotator": "annotator", "label": "label"})
    for rows, said in ((wide, options), (long, long_options)):
        path.write_bytes(write(rows))
        annotations = read_export([(path, "round.csv")], said)
        assert marks(annotations) == expected
        assert annotations.marks_read == len(expected)


def test_a_path_says_whose_table_it_is_of_which_document_and_which_pass(
    export: Export, marks: Marks, tmp_path: Path
) -> None:
    for folder in ("anna", "ben"):
        (tmp_path / folder).mkdir()
    files = {
        "anna/d1_2.csv": "item,label\n1,yes\n",
        "anna/d1_1.csv": "item,label\n1,no\n",
        "ben/d1_1.csv": "item,label\n1,yes\n2,\n",
    }
    found = export(files, path="{annotator}/{document}_{pass}")
    assert marks(found) == [
        ("d1", "1", "anna", "yes", 1),
        ("d1", "1", "anna", "no", 0),
        ("d1", "1", "ben", "yes", 0),
    ]
    assert "a file for each annotator" in found.reading


def test_a_column_that_is_named_goes_before_the_path(export: Export) -> None:
    files = {"x.csv": "item,who,label\n1,anna,yes\n1,ben,no\n"}
    found = export(files, path="{annotator}", columns={"annotator": "who"})
    assert found.content.annotators == ("anna", "ben")


def test_a_row_that_was_pasted_twice_counts_once_and_is_said(export: Export) -> None:
    rows = "".join(f"{number},yes,{'yes' if number % 3 else 'no'}\n" for number in range(1, 21))
    found = export({"r.csv": f"unit,anna,ben\n{rows}4,yes,yes\n"})
    (warning,) = found.warnings
    assert (warning.line, warning.message) == (
        22,
        "says the same of a unit as a row before, and counts once.",
    )
    assert len(ratings_of(found).unit_names) == 20
    two = export({"r.csv": f"unit,anna,ben\n{rows}4,yes,yes\n7,yes,yes\n"}).warnings
    assert "is the first of 2 rows" in two[0].message
    # Numbers that begin again in each document name no unit.
    assert not export({"r.csv": f"unit,anna,ben\n{rows}{rows}"}).warnings


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("1,yes,no\n2,\t,yes\n3,\t,no\n", ["3: column Ann: 2 cells with nothing but a tab or a line break"]),
        ('1,yes,"\n"\n2,no,yes\n', ["2: column Bob: a cell with nothing but a tab or a line break"]),
        ("1,yes,no\n2, ,yes\n", []),
        ("1,yes,no\n2,,yes,\n", ["3: has more cells than the header, and the last are empty"]),
        ("1,yes,no\n2,,yes,\n3,no,no,\n", ["3: has more cells than the header, and the last are empty"]),
        # Every row ends with a delimiter: so the file is written.
        ("1,yes,no,\n2,no,yes,\n", []),
    ],
)
def test_what_may_be_a_label_that_was_lost_or_moved_is_said(
    export: Export, rows: str, told: list[str]
) -> None:
    said = [
        f"{each.line}: {each.key + ': ' if each.key else ''}{each.message}"
        for each in export({"r.csv": f"item,Ann,Bob\n{rows}"}).warnings
    ]
    assert [each[: len(start)] for each, start in zip(said, told, strict=True)] == told


def test_a_column_for_each_label_is_said(tmp_path: Path) -> None:
    rows = "".join(f"t{n // 2},r{n % 2},{n % 3 == 0:d},{n % 3 == 1:d},{n % 3 == 2:d}\n" for n in range(24))
    (tmp_path / "l.csv").write_text(f"text,rater_id,joy,anger,neutral\n{rows}", encoding="utf-8")
    found = read_export([(tmp_path / "l.csv", "l.csv")])
    assert "annotators in rater_id, a column for each label" in found.reading
