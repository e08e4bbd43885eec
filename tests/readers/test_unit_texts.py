"""The texts of units come along: from a column that the campaign names, or from the tool's own export."""

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


def test_no_text_is_taken_that_is_not_named(export: Export) -> None:
    assert ratings_of(export({"r.csv": LONG})).unit_texts == ()


def test_large_tables_with_texts_are_read_in_memory_and_by_no_other_engine(
    export: Export, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportgen.readers.engine.LARGE", 0)
    assert ratings_of(export({"r.csv": LONG}, columns=TEXT)).unit_texts == SENTENCES
    (problem,) = refused({"r.csv": LONG}, columns=TEXT, engine=Engine("duckdb"))
    assert problem.message == "is named, and texts of units are read in memory alone."
    assert problem.remedy == "Leave out engine, or take the column of texts away."


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
