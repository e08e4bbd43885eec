"""CoNLL-U: four columns are layers of words; ranges and empty nodes are no words."""

from pathlib import Path

import pytest

from reportgen.readers import Export, ReaderOptions, TextMarks, read_export
from reportgen.readers.conll import CONLLU_READER as READER
from tests.cases import stored
from tests.readers.given_files import written

TREES = stored("conll/trees.conllu")


def read(folder: Path, contents: dict[str, str]) -> Export:
    found = READER.read(written(folder, contents), ReaderOptions())
    assert isinstance(found, Export)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TREES, True),
        (TREES.replace("\t", " "), False),
        ("ID\tFORM\tLEMMA\tUPOS\tXPOS\tFEATS\tHEAD\tDEPREL\tDEPS\tMISC\n", False),
        ("1\tx\ty\n", False),
        ("", False),
    ],
)
def test_only_ten_columns_are_recognised(tmp_path: Path, text: str, *, expected: bool) -> None:
    (file,) = written(tmp_path, {"a.tsv": text})
    assert READER.recognises(file) is expected


def test_a_layer_is_read_from_a_folder(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/d.conllu": TREES, "ben/d.conllu": TREES})
    named = [(file.path, file.name) for file in files]
    found = read_export(named)
    assert isinstance(found.content, TextMarks)
    assert (found.format, found.content.labels) == ("conllu", ("AUX", "PART", "VERB", "INTJ"))
    relations = read_export(named, ReaderOptions(source="DEPREL"))
    assert isinstance(relations.content, TextMarks)
    assert relations.content.labels == ("aux", "advmod", "root")
    assert len(relations.content.label) + sum(left.marks for left in relations.left_out) == 20
    # Each of ten words has a lemma besides; two have a head, and no relation to it.
    assert relations.not_compared == {"lemmas": 10, "heads": 2}
    assert found.not_compared == {"lemmas": 10, "heads": 10}
    assert relations.content.dependencies is not None
    assert (relations.marks_read, found.marks_read) == (32, 40)
