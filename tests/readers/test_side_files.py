"""Files beside exports: those that stop nothing, and the texts of units."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import Annotations, Engine, ExportFile, ReaderOptions, read_export
from reportgen.readers.ratings import READER
from reportgen.readers.survey import look
from tests.readers.content import ratings_of

WHO = ("anna", "ben")
RATINGS = "item,annotator,label\n" + "".join(
    f"u{unit},{who},{'xy'[(unit + (who == 'ben' and unit == 3)) % 2]}\n" for unit in range(8) for who in WHO
)
BRAT = {f"{who}/d.txt": "Anna met" for who in WHO} | {f"{who}/d.ann": "T1\tX 0 4\tAnna\n" for who in WHO}
SIDE = {
    "order.csv": "item,position\nu1,7\nu2,9\nu3,1\n",
    "costs.txt": "anna 10.50\nben 12.00\n",
    "README": "How this was made.\n",
    "README.csv": "a,b\n1,2\n",
    "LICENSE": "You may.\n",
    "licence.txt": "You, may\n1, 2\n",
    "Thumbs.db": "x",
}


def _files(folder: Path, contents: dict[str, str]) -> list[tuple[Path, str]]:
    for name, text in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [(folder / name, name) for name in contents]


@pytest.mark.parametrize("exports", [{"ratings.csv": RATINGS}, BRAT], ids=["table", "brat"])
def test_side_files_are_listed_and_change_nothing(tmp_path: Path, exports: dict[str, str]) -> None:
    alone = read_export(_files(tmp_path, exports))
    # Beside marks in texts a text without marks is a document that nobody opened.
    side = {name: text for name, text in SIDE.items() if exports is not BRAT or name != "costs.txt"}
    for name, text in side.items():
        found = read_export(_files(tmp_path, {**exports, name: text}))
        assert found.unread == (name,)
        assert (found.marks_read, found.content.annotators) == (alone.marks_read, alone.content.annotators)
    found = read_export(_files(tmp_path, {**side, **exports}))
    assert (found.marks_read, found.left_out) == (alone.marks_read, alone.left_out)
    assert set(found.unread) == {*side}


def test_a_table_of_labels_beside_another_format_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        read_export(_files(tmp_path, {**BRAT, "ratings.csv": RATINGS}))
    assert "Keep files of one format in an export" in str(error.value)


def test_a_table_with_the_columns_of_the_others_is_one_of_them_whatever_it_is_called(tmp_path: Path) -> None:
    more = RATINGS.replace("u", "v").replace("v", "w").replace("label", "label")
    found = read_export(_files(tmp_path, {"ratings.csv": RATINGS, "order.csv": more}))
    assert found.unread == ()
    assert found.marks_read == 32
    alone = read_export(_files(tmp_path, {"order.csv": RATINGS}), ReaderOptions())
    assert alone.marks_read == 16


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
