"""Files that lie beside exports stop nothing, and are not taken for labels."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, read_export

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
