"""CoNLL-U: four columns are layers of words; ranges and empty nodes are no words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers import DocumentCopy, Export, ParsedMark, ReaderOptions, TextMarks, read_export
from reportgen.readers.conll import CONLLU_READER as READER
from tests.cases import stored
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.given_files import written
from tests.readers.write_conll import write_conllu

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


WORDS = st.lists(st.text(alphabet="abé😀,", min_size=1, max_size=3), min_size=1, max_size=5)
VALUES = {"UPOS": ("NOUN", "X"), "XPOS": ("NN😀", "O"), "FEATS": ("A=b|C=d",), "DEPREL": ("nsubj:pass", "é")}


@st.composite
def campaigns(draw: st.DrawFn) -> list[DocumentCopy]:
    copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = [[f"d{number}", *draw(WORDS)] for _ in range(draw(st.integers(1, 2)))]
        for annotator in ("anna", "ben"):
            marks = []
            start = 0
            for word in (word for sentence in sentences for word in sentence):
                for name, values in VALUES.items():
                    if (value := draw(st.sampled_from([None, *values]))) is not None:
                        marks.append(ParsedMark(name, ((start, start + len(word)),), {name: value}))
                start += len(word) + 1
            copies.append(
                DocumentCopy(f"d{number}", annotator, "", "\n".join(map(" ".join, sentences)), tuple(marks))
            )
    return copies


@examples(50)
@given(copies=campaigns())
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, copies: list[DocumentCopy]
) -> None:
    export = READER.read(write_conllu(copies, tmp_path_factory.mktemp("campaign")), ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies) == told(copies)
