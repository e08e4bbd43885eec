"""Judgments of crowds are read as a long table, without those that are not to be used."""

from pathlib import Path

import pytest
from hypothesis import assume, given

from reportgen.readers import DocumentCopy
from reportgen.readers.crowd import READER
from tests.properties import examples
from tests.readers.content import labelled, problems_of, rated, table_of, written
from tests.readers.generated import copies
from tests.readers.write_crowd import write

HEADER = "_unit_id,_golden,_tainted,_worker_id,_city,answer,question\n"


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


def test_a_report_without_workers_is_refused(tmp_path: Path) -> None:
    files = written(tmp_path, {"c.csv": "_unit_id,_golden,_trusted_judgments,answer\n1,false,3,yes\n"})
    assert READER.recognises(files[0])
    (problem,) = problems_of(READER, files)
    assert problem.remedy == "Export the full report, which has a row for each judgment."


@pytest.mark.parametrize("text", ["item,annotator,label\n1,a,x\n", "a,b\n", "", "WorkerId,x\n1,2\n"])
def test_other_tables_are_not_taken_for_its_own(tmp_path: Path, text: str) -> None:
    assert not READER.recognises(written(tmp_path, {"c.csv": text})[0])


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
