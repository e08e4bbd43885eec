"""Ratings tables, wide and long, are read as they are written."""

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.base.files import as_compared
from reportgen.readers import Annotations, ReaderOptions, read_export
from reportgen.readers.reader import Engine
from reportgen.readers.table_rows import is_total
from tests.readers.content import ratings_of

Export = Callable[..., Annotations]
Marks = Callable[[Annotations], list[tuple[str, str, str, str, int]]]

LONG = "item,annotator,label\n1,Ann,yes\n1,Bob,no\n2,Ann,yes\n"
EXPECTED = [("", "1", "Ann", "yes", 0), ("", "1", "Bob", "no", 0), ("", "2", "Ann", "yes", 0)]


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


def in_documents(labels: str, first: int = 1) -> str:
    """Return a table of sentences that are numbered from 1 in each of three documents."""
    rows = (f"d{first + place // 5},{place % 5 + 1},{label}" for place, label in enumerate(labels))
    return "\n".join(("document,sentence,label", *rows))


def test_files_of_an_annotator_each_may_number_units_from_1_in_each_document(export: Export) -> None:
    two = {"anna.csv": in_documents("xyxyxxyyxyxxyyx"), "ben.csv": in_documents("xyyyxxyxxyxxyyy")}
    content = ratings_of(export(two))
    assert content.annotators == ("anna", "ben")
    assert content.documents == ("d1", "d2", "d3")
    assert len(content.unit_names) == 15
    assert len(content.label) == 30
    # Of other documents they may be parts of one table.
    with pytest.raises(BadInput, match="no column is known as the annotator"):
        export({**two, "ben.csv": in_documents("xyyyxxyxxyxxyyy", first=4)})


def test_normalising_makes_writings_of_a_label_one(export: Export) -> None:
    """Letters' case and outer spaces are dropped only where that is asked for."""
    text = "item,Ann,Bob\n1,Yes, yes\n"
    assert ratings_of(export({"r.csv": text})).labels == ("Yes", " yes")
    assert ratings_of(export({"r.csv": text}, normalise=("lowercase", "strip"))).labels == ("yes",)


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


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_delimiter_and_encoding_are_detected(export: Export, marks: Marks, mark: str, encoding: str) -> None:
    """Spreadsheets of any country write the same table."""
    text = "item,annotator,label\n1,Ann,élevé\n1,Bob,no\n".replace(",", mark)
    annotations = export({"r.csv": text.encode(encoding)})
    assert marks(annotations)[0] == ("", "1", "Ann", "élevé", 0)
    assert annotations.reading.endswith(f"-separated, {encoding.removesuffix('-sig').upper()}.")


words = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), min_size=1, max_size=6)
# A row that is called as sums are is none, and 1.0 is 1.
labels = words.filter(lambda word: bool(word.strip()) and not is_total(word) and as_compared(word) == word)
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
