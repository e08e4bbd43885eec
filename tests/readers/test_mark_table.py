"""Tables of marks: what other columns say of a mark, and stretches that everybody was given."""

from pathlib import Path

import pytest

from reportgen.readers import Export, ReaderOptions
from reportgen.readers.mark_table import READER
from tests.readers.content import written

ROWS = "document,start,end,label,annotator,tone,word\n"
ALIKE = [
    f"d,{start},{start + 1},X,{who},{tone},a\n"
    for who, tone in (("ann", "up"), ("ben", ""))
    for start in (0, 2)
]


@pytest.mark.parametrize(
    ("texts", "rows", "known"), [(("d",), ALIKE, True), ((), ALIKE, False), ((), ALIKE[:3], True)]
)
def test_stretches_that_everybody_has_are_marks_where_texts_are_beside(
    texts: tuple[str, ...],
    rows: list[str],
    known: bool,  # noqa: FBT001 - a case
    tmp_path: Path,
) -> None:
    *_, table = written(tmp_path, {"m.csv": ROWS + "".join(rows), **{f"{name}.txt": "a b" for name in texts}})
    assert READER.recognises(table) is known


def test_other_columns_are_features_of_marks_and_the_label_counts_without_a_choice(tmp_path: Path) -> None:
    files = written(tmp_path, {"m.csv": ROWS + "".join(ALIKE), "d.txt": "a b"})
    found = READER.read(files, ReaderOptions())
    assert isinstance(found, Export)
    features = [mark.features for copy in found.copies for mark in copy.marks]
    assert features[0] == {"label": "X", "tone": "up", "word": "a"}
    assert features[2] == {"label": "X", "word": "a"}
    assert found.default == "marks->label"
