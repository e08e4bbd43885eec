"""Judgments of crowds are read as a long table, without those that are not to be used."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from reportgen.readers import DocumentCopy, ReaderOptions, read_export
from reportgen.readers.crowd import GOLDEN, READER, REJECTED, TAINTED
from tests.properties import examples
from tests.readers.content import labelled, left_out, problems_of, rated, ratings_of, table_of, written
from tests.readers.generated import copies
from tests.readers.write_crowd import write

HEADER = "_unit_id,_golden,_tainted,_worker_id,_city,answer,question\n"
APPEN = (
    f"{HEADER}1,false,false,7,Rome,yes,a?\n1,FALSE,False,8,Rome,no,a?\n2,true,false,7,Rome,no,b?\n"
    "2,true,true,8,Rome,,b?\n3,false,TRUE,8,Rome,no,c?\n3,false,false,7,Rome,no,c?\n"
)
MTURK = (
    '"HITId","AssignmentStatus","WorkerId","Input.text","Answer.tone"\n"H1","Approved","W1","hi","pos"\n'
    '"H1","Rejected","W2","hi","neg"\n"H2","Submitted","W2","ho","neg 😀"\n'
)
UNITS: list[dict[str, Any]] = [
    {
        "id": 1,
        "data": {"q": "a?"},
        "results": {
            "judgments": [
                {
                    "worker_id": 7,
                    "unit_id": 1,
                    "golden": False,
                    "tainted": False,
                    "city": "x",
                    "data": {"a": ["y", "x"]},
                },
                {"worker_id": 8, "unit_id": 1, "tainted": True, "data": {"a": "none"}},
            ]
        },
    },
    {"id": 2, "state": "golden", "results": {"judgments": [{"worker_id": 7, "data": {"a": "z"}}]}},
]


def test_a_row_is_a_judgment_and_the_answer_is_what_differs_within_units(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"c.csv": APPEN}))
    assert rated(found) == {("1", "7", "yes"), ("1", "8", "no"), ("3", "7", "no")}
    assert found.reading == (
        "Long table: units in column _unit_id, annotators in _worker_id, labels in answer; "
        "comma-separated, UTF-8."
    )
    assert ratings_of(found).location(2) == ("c.csv", 7)


def test_test_questions_and_distrusted_judgments_are_left_out_with_their_lines(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"c.csv": APPEN}))
    assert left_out(found) == [("c.csv", 4, "7", GOLDEN, 1), ("c.csv", 6, "8", TAINTED, 1)]
    assert found.marks_read == 5


def test_annotators_who_are_not_asked_for_are_left_out_besides(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"c.csv": APPEN}), annotators=("7",))
    assert [each[1:3] for each in left_out(found)] == [(3, "8"), (4, "7"), (6, "8")]
    assert found.marks_read == 5


def test_rejected_assignments_are_left_out(tmp_path: Path) -> None:
    found = table_of(READER, written(tmp_path, {"batch.csv": MTURK}))
    assert rated(found) == {("H1", "W1", "pos"), ("H2", "W2", "neg 😀")}
    assert left_out(found) == [("batch.csv", 3, "W2", REJECTED, 1)]


def of_boxes(*columns: str, rows: list[str]) -> str:
    """A batch of Mechanical Turk: two workers on as many tasks as there are pairs of rows."""
    names = ",".join(("HITId", "WorkerId", *columns))
    return "\n".join([names, *(f"H{n // 2},W{n % 2},{row}" for n, row in enumerate(rows))]) + "\n"


@pytest.mark.parametrize(
    ("columns", "rows", "label", "labels"),
    [
        # Buttons, whose columns have a name or none; one row was left unanswered.
        (("Answer.tone.neg", "Answer.tone.pos"), ["true,false", "false,true"], "Answer.tone", ["neg", "pos"]),
        (("Answer.neg.on", "Answer.pos.on"), ["true,false", "false,false"], "Answer", ["neg", ""]),
        # Boxes, of which several may be ticked.
        (
            ("Answer.tone.neg.on", "Answer.tone.pos.on"),
            ["true,true", "true,false"],
            "Answer.tone",
            ["neg|pos", "neg"],
        ),
    ],
)
def test_buttons_and_boxes_of_mechanical_turk_are_one_answer(
    tmp_path: Path, columns: tuple[str, ...], rows: list[str], label: str, labels: list[str]
) -> None:
    found = table_of(READER, written(tmp_path, {"batch.csv": of_boxes(*columns, rows=rows)}))
    assert (found.called, rated(found)) == (
        label,
        {("H0", f"W{n}", each) for n, each in enumerate(labels) if each},
    )


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        # Two questions, boxes beside each other, other cells than true and false.
        (("Answer.rude", "Answer.wrong"), ["true,false", "false,true"]),
        (("Answer.rude.on", "Answer.wrong.on"), ["true,true", "false,true"]),
        (("Answer.tone.neg", "Answer.tone.pos"), ["true,maybe", "false,true"]),
        (("Answer.tone.neg", "Answer.tone.pos"), ["false,false", "false,false"]),
    ],
)
def test_columns_that_are_no_buttons_stay_questions(
    tmp_path: Path, columns: tuple[str, ...], rows: list[str]
) -> None:
    (problem,) = problems_of(READER, written(tmp_path, {"batch.csv": of_boxes(*columns, rows=rows)}))
    assert problem.message == f"several columns can have the labels: {', '.join(columns)}."


def test_units_of_json_have_their_judgments_in_them(tmp_path: Path) -> None:
    text = "".join(f"{json.dumps(unit)}\n" for unit in UNITS)
    found = table_of(READER, written(tmp_path, {"units.json": text}))
    assert rated(found) == {("1", "7", "x|y")}
    assert left_out(found) == [("units.json", 1, "8", TAINTED, 1), ("units.json", 2, "7", GOLDEN, 1)]


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ('["b", "a"]', "a|b"),
        ("[1, 2]", "1|2"),
        ("[x]", "[x]"),
        ("[]", ""),
        ('[{"tone": {"label": "good"}}]', "good"),
        ('[{"tone": {"b": true, "a": true, "c": false}}]', "a|b"),
        ('[{"tone": "good"}]', "good"),
        ('[{"one": "x", "two": "y"}]', '[{"one": "x", "two": "y"}]'),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_lists_in_cells_are_sets(tmp_path: Path, cell: str, label: str) -> None:
    quoted = cell.replace('"', '""')
    files = written(
        tmp_path, {"c.csv": f'{HEADER}1,false,false,7,Rome,"{quoted}",a?\n1,false,false,8,Rome,x,a?\n'}
    )
    expected = {("1", "7", label), ("1", "8", "x")} if label else {("1", "8", "x")}
    assert rated(table_of(READER, files)) == expected


def test_members_of_a_set_are_joined_as_the_campaign_says(tmp_path: Path) -> None:
    files = written(tmp_path, {"c.csv": f'{HEADER}1,,,7,,"[""b"",""a""]",q\n1,,,8,,a;b,q\n'})
    assert {label for *_, label in rated(table_of(READER, files, set_separator=";"))} == {"a;b"}


def test_columns_can_be_named(tmp_path: Path) -> None:
    text = MTURK.replace("Answer.tone", "Answer.a").replace('"Input.text"', '"Answer.b"')
    (problem,) = problems_of(READER, written(tmp_path, {"c.csv": text}))
    assert problem.message == "several columns can have the labels: Answer.b, Answer.a."
    found = table_of(READER, written(tmp_path, {"c.csv": text}), columns={"label": "Answer.a"})
    assert ratings_of(found).labels == ("pos", "neg 😀")
    renamed = table_of(READER, written(tmp_path, {"c.csv": MTURK}), columns={"unit": "Input.text"})
    assert ratings_of(renamed).unit_names == ("hi", "ho")


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"label": "aswer"}, "columns.label"),
        ({"label": "_city"}, "columns.label"),
        ({"document": "_city"}, "columns.document"),
        ({"unit": "nothing"}, "columns.unit"),
    ],
)
def test_columns_that_are_not_there_or_private_are_refused(
    tmp_path: Path, columns: dict[str, str], key: str
) -> None:
    (problem,) = problems_of(READER, written(tmp_path, {"c.csv": APPEN}), columns=columns)
    assert (problem.file, problem.line, problem.key) == ("c.csv", 1, key)


def test_a_report_without_workers_is_refused(tmp_path: Path) -> None:
    files = written(tmp_path, {"c.csv": "_unit_id,_golden,_trusted_judgments,answer\n1,false,3,yes\n"})
    assert READER.recognises(files[0])
    (problem,) = problems_of(READER, files)
    assert problem.remedy == "Export the full report, which has a row for each judgment."


def test_a_judgment_without_a_worker_is_refused_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems_of(READER, written(tmp_path, {"c.csv": f"{HEADER}1,,,7,,a,q\n1,,,,,b,q\n"}))
    assert (problem.line, problem.message) == (3, "a label has no annotator.")


def test_faulty_units_of_all_files_come_at_once(tmp_path: Path) -> None:
    faulty = json.dumps([UNITS[0], {"results": 1}, {"results": {"judgments": [1]}}])
    problems = problems_of(READER, written(tmp_path, {"a.json": faulty, "b.json": faulty}))
    assert [(each.file, each.line, each.key) for each in problems] == [
        (name, *place)
        for name in ("a.json", "b.json")
        for place in ((2, "results"), (3, "results.judgments"))
    ]


@pytest.mark.parametrize("text", ["item,annotator,label\n1,a,x\n", "a,b\n", "", "WorkerId,x\n1,2\n"])
def test_other_tables_are_not_taken_for_its_own(tmp_path: Path, text: str) -> None:
    assert not READER.recognises(written(tmp_path, {"c.csv": text})[0])


def test_the_first_reader_that_knows_a_crowd_reads_it(tmp_path: Path) -> None:
    (file,) = written(tmp_path, {"c.csv": APPEN})
    assert read_export([(file.path, file.name)], ReaderOptions()).format == "crowd"


@examples(50)
@given(made=copies(features=False, unseen=False))
def test_judgments_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    expected = labelled(made, "answer", "label", joined=True)
    said = {
        (each.document, each.annotator, mark.features["label"]) for each in expected for mark in each.marks
    }
    assume(said)
    files = write(expected, tmp_path_factory.mktemp("crowd"))
    assert rated(table_of(READER, files, columns={"label": "answer"})) == said
