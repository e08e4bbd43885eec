"""The texts of units come along: from a column that the campaign names, or from the tool's own export."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import Problem
from reportgen.readers import Annotations, Engine, ExportFile
from reportgen.readers.ratings import READER
from reportgen.readers.survey import look
from tests.readers.content import ratings_of

Export = Callable[..., Annotations]
Refused = Callable[..., tuple[Problem, ...]]

SENTENCES = ("The gene was renamed yesterday.", "Nothing of that kind is known.", "It rains, and it pours.")
LONG = "item,annotator,label,content\n" + "".join(
    f'{place},{who},yes,"{text}"\n' for place, text in enumerate(SENTENCES) for who in ("Ann", "Bob")
)
WIDE = "item,content,Ann,Bob\n" + "".join(
    f'{place},"{text}",yes,no\n' for place, text in enumerate(SENTENCES)
)
TEXT = {"text": "content"}
SHORT = "item,annotator,label,text\n" + "".join(
    f"{n},{who},x,t{n}\n" for n in range(3) for who in ("Ann", "Bob")
)
SAME = "item,annotator,label,text\n" + "".join(f"{n},Ann,x,{SENTENCES[0]}\n" for n in range(4))


@pytest.mark.parametrize("table", [LONG, WIDE])
def test_a_column_that_is_named_gives_units_their_texts(export: Export, table: str) -> None:
    found = export({"r.csv": table}, columns=TEXT)
    assert ratings_of(found).unit_texts == SENTENCES
    assert ratings_of(found).annotators == ("Ann", "Bob")
    assert "texts in content" in found.reading
    assert found.warnings == ()


def test_no_text_is_taken_that_is_not_named(export: Export) -> None:
    assert ratings_of(export({"r.csv": LONG})).unit_texts == ()


def test_of_several_texts_of_a_unit_the_first_is_kept_and_the_others_are_told(export: Export) -> None:
    table = "item,annotator,label,content\n1,Ann,x,\n1,Bob,x,one\n1,Cem,x,two\n2,Ann,x,three\n"
    found = export({"r.csv": table}, columns=TEXT)
    assert ratings_of(found).unit_texts == ("one", "three")
    (warning,) = found.warnings
    assert (warning.file, warning.line, warning.key) == ("r.csv", 4, "columns.text")
    assert warning.message == "gives units another text than a row before, and the first is kept: 1."


def test_files_that_give_a_unit_different_texts_are_told_one_by_one(export: Export) -> None:
    head = "item,annotator,label,content\n"
    files = {name: f"{head}1,{name},x,text {name}\n" for name in ("a", "b", "c")}
    found = export({f"{name}.csv": table for name, table in files.items()}, columns=TEXT)
    assert ratings_of(found).unit_texts == ("text a",)
    assert [(each.file, each.line) for each in found.warnings] == [("b.csv", 2), ("c.csv", 2)]


def test_a_column_of_texts_that_is_not_there_is_refused(refused: Refused) -> None:
    (problem,) = refused({"r.csv": LONG}, columns={"text": "contents"})
    assert (problem.key, problem.message) == ("columns.text", 'there is no column "contents".')
    assert "content" in problem.remedy


def test_large_tables_with_texts_are_read_in_memory_and_by_no_other_engine(
    export: Export, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportgen.readers.engine.LARGE", 0)
    assert ratings_of(export({"r.csv": LONG}, columns=TEXT)).unit_texts == SENTENCES
    (problem,) = refused({"r.csv": LONG}, columns=TEXT, engine=Engine("duckdb"))
    assert problem.message == "is named, and texts of units are read in memory alone."
    assert problem.remedy == "Leave out engine, or take the column of texts away."


def test_documents_that_are_labelled_as_a_whole_keep_their_texts(export: Export) -> None:
    lines = [json.dumps({"id": place, "text": text, "label": ["x"]}) for place, text in enumerate(SENTENCES)]
    found = export({f"{name}.jsonl": "\n".join(lines) for name in ("ann", "bob")})
    assert found.format == "doccano"
    assert ratings_of(found).unit_texts == SENTENCES


@pytest.mark.parametrize(
    ("table", "suggested"),
    [
        (LONG, "content"),
        (WIDE, "content"),
        (LONG.replace("content", "tweet_text"), "tweet_text"),
        (LONG.replace("content", "remark"), None),
        (SHORT, None),
        (SAME, None),
    ],
)
def test_init_suggests_a_column_that_holds_the_text_of_each_unit(
    tmp_path: Path, table: str, suggested: str | None
) -> None:
    path = tmp_path / "r.csv"
    path.write_text(table, encoding="utf-8")
    found = look(READER, [ExportFile(path, "r.csv")])
    assert found.columns is not None
    assert found.columns.roles.get("text") == suggested
