"""CoNLL-U: four columns are layers of words; ranges and empty nodes are no words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import DocumentCopy, Export, ParsedMark, ReaderOptions, TextMarks, read_export
from reportgen.readers.conll import CONLLU_READER as READER
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.given_files import written
from tests.readers.write_conll import write_conllu

TREES = (
    "# newdoc id = one\n# sent_id = 1\n# text = Don't go 😀\n"
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\tVB\tMood=Imp|Tense=Pres\t3\taux\t_\t_\n"
    "2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n"
    "2.1\tplease\t_\tINTJ\t_\t_\t_\t_\t_\t_\n"
    "3\tgo 😀\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"
    "\n# sent_id = 2\n1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n"
    "\n# newdoc id = two\n1\tNo\tno\t_\t_\t_\t0\t_\t_\t_\n\n"
)


def read(folder: Path, contents: dict[str, str]) -> Export:
    found = READER.read(written(folder, contents), ReaderOptions())
    assert isinstance(found, Export)
    return found


def refused(folder: Path, text: str) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as caught:
        read(folder, {"a.conllu": text})
    return caught.value.problems


def test_labels_of_words_are_marks(tmp_path: Path) -> None:
    """A word may hold a space; documents are called as the file calls them."""
    export = read(tmp_path, {"anna.conllu": TREES})
    one, two = export.copies
    assert (one.document, two.document) == ("one", "two")
    assert (one.text, two.text, two.marks) == ("Do n't go 😀\nYes", "No", ())
    assert [(mark.type, mark.spans, dict(mark.features), mark.line) for mark in one.marks] == [
        ("UPOS", ((0, 2),), {"UPOS": "AUX"}, 5),
        ("XPOS", ((0, 2),), {"XPOS": "VB"}, 5),
        ("FEATS", ((0, 2),), {"FEATS": "Mood=Imp|Tense=Pres"}, 5),
        ("DEPREL", ((0, 2),), {"DEPREL": "aux"}, 5),
        ("UPOS", ((3, 6),), {"UPOS": "PART"}, 6),
        ("DEPREL", ((3, 6),), {"DEPREL": "advmod"}, 6),
        ("UPOS", ((7, 11),), {"UPOS": "VERB"}, 8),
        ("DEPREL", ((7, 11),), {"DEPREL": "root"}, 8),
        ("UPOS", ((12, 15),), {"UPOS": "INTJ"}, 11),
        ("DEPREL", ((12, 15),), {"DEPREL": "root"}, 11),
    ]
    assert export.default == "UPOS"


def test_a_sentence_of_empty_nodes_alone_shifts_no_mark(tmp_path: Path) -> None:
    """It has no words, so the text has no line of it."""
    rows = ["1\tYes\t_\tINTJ", "1.1\tplease\t_\tINTJ", "1\tNo\t_\tINTJ"]
    text = "".join(f"{row}\t_\t_\t0\t_\t_\t_\n\n" for row in rows)
    (copy,) = read(tmp_path, {"anna.conllu": text}).copies
    assert (copy.text, [mark.spans for mark in copy.marks]) == ("Yes\nNo", [((0, 3),), ((4, 6),)])


def test_files_of_two_annotators_are_copies(tmp_path: Path) -> None:
    text = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n"
    export = read(tmp_path, {"d_anna.conllu": text, "d_ben.conllu": text.replace("INTJ", "_")})
    assert [(copy.document, copy.annotator, copy.state) for copy in export.copies] == [
        ("d", "anna", "seen"),
        ("d", "ben", "seen"),
    ]


@pytest.mark.parametrize(
    ("found", "changed", "line", "message"),
    [
        ("\tgo\tVERB", "\tVERB", 8, "has 9 columns where most rows have 10."),
        ("2\tn't", "3\tn't", 6, 'has the id "3" where 2 was expected.'),
        ("1\tYes", "one\tYes", 11, 'has the id "one" where 1 was expected.'),
    ],
)
def test_faults_are_named_with_their_line(
    tmp_path: Path, found: str, changed: str, line: int, message: str
) -> None:
    problems = refused(tmp_path, TREES.replace(found, changed))
    assert [(problem.line, problem.message) for problem in problems][:1] == [(line, message)]
    assert problems[0].remedy


def test_a_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "1\tYes\tINTJ\n")
    assert problem.message == "has 3 columns between tabs where 10 were expected."


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
