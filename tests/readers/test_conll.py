"""CoNLL columns in four schemes of tags, and CoNLL-U, whose four columns are layers of words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import (
    Export,
    ExportFile,
    ReaderOptions,
    TextMarks,
    find_reader,
    read_export,
)
from reportgen.readers.conll import CONLLU_READER as CONLLU
from reportgen.readers.conll import READER, Scheme, decode, detect
from tests.cases import stored
from tests.readers.content import problems_of
from tests.readers.given_files import written

CONLL2003 = stored("conll/two-documents.conll")


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Export]:
    """Write the files, given as {name: text}, and read them."""

    def read_all(contents: dict[str, str], **options: Any) -> Export:  # noqa: ANN401 - options differ in type
        found = READER.read(written(tmp_path, contents), ReaderOptions(**options))
        assert isinstance(found, Export)
        return found

    return read_all


@pytest.mark.parametrize(
    ("tags", "scheme", "marks", "faults"),
    [
        ("I-A I-A O I-B B-B", "IOB1", [(0, 2, "A"), (3, 4, "B"), (4, 5, "B")], 0),
        ("I-A O B-A", "IOB1", [(0, 1, "A"), (2, 3, "A")], 1),
        ("B-A I-A B-A O", "IOB2", [(0, 2, "A"), (2, 3, "A")], 0),
        ("B-A O I-A I-B", "IOB2", [(0, 1, "A"), (2, 3, "A"), (3, 4, "B")], 2),
        ("B-A I-A E-A S-A O", "BIOES", [(0, 3, "A"), (3, 4, "A")], 0),
        ("E-A O I-A O B-A S-B", "BIOES", [(0, 1, "A"), (2, 3, "A"), (4, 5, "A"), (5, 6, "B")], 4),
        ("B-A L-A U-A B-A L-A", "BILOU", [(0, 2, "A"), (2, 3, "A"), (3, 5, "A")], 0),
        ("B O I I", "IOB2", [(0, 1, ""), (2, 4, "")], 1),
        ("_ -X- O -", "IOB2", [], 0),
        # The letter may be behind the label, or after another sign; "M" is within a mark.
        ("A-B A-I O A-B", "IOB2", [(0, 2, "A"), (3, 4, "A")], 0),
        ("B_A I_A O B_A-B", "IOB2", [(0, 2, "A"), (3, 4, "A-B")], 0),
        ("B-A M-A E-A O S-A", "BIOES", [(0, 3, "A"), (4, 5, "A")], 0),
    ],
)
def test_sequences_are_marks_and_what_a_scheme_forbids_starts_one(
    tags: str, scheme: Scheme, marks: list[tuple[int, int, str]], faults: int
) -> None:
    assert decode(tags.split(), scheme) == (marks, faults)


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("O O", "IOB2"),
        ("I-A O I-A", "IOB1"),
        ("B-A O I-A O B-A", "IOB2"),
        ("B-A I-A O", "IOB2"),
        ("B-A E-A O", "BIOES"),
        ("S-A O", "BIOES"),
        ("B-A L-A U-B S-A", "BILOU"),
    ],
)
def test_the_scheme_is_the_one_that_explains_most_tags(tags: str, scheme: Scheme) -> None:
    assert detect([tags.split()]) == scheme


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.txt", CONLL2003, True),
        ("a.txt", "a O\n\nb B-X\n", True),
        ("a.iob", "a O\nb B-X\n", True),
        ("a.tsv", "a\tO\nb\tB-X\n", False),
        ("a.tsv", "item\ttag\n\na\tO\n\nb\tB-X\n", False),
        ("a.ann", "T1\tPER 0 4\tAnna\n\nT2\tLOC 5 9\tRome\n", False),
        ("a.csv", "a,O\n\nb,B-X\n", False),
        ("a.txt", "a O\n\nb X-B\n", True),
        # Nothing begins, or nothing is outside: these are other names.
        ("a.txt", "a O\n\nb X-I\n", False),
        ("a.txt", "a Y-B\n\nb X-B\n", False),
        ("a.txt", "a -\n\nb (0)\n", True),
        ("a.txt", "a 1\n\nb 2\n", False),
        ("a.txt", "Two words\n\nand more\n", False),
        ("a.jsonl", '{"a": 1}\n\n{"a": 2}\n', False),
        ("a.txt", "", False),
    ],
)
def test_only_tokens_with_tags_are_recognised(
    tmp_path: Path, name: str, text: str, *, expected: bool
) -> None:
    (file,) = written(tmp_path, {name: text})
    assert READER.recognises(file) is expected


def test_single_sentences_without_marks_belong_to_files_with_some(tmp_path: Path) -> None:
    """Whoever saw a sentence and marked nothing in it saw it; alone, such a file could be any table."""
    one, other = "New\tB-LOC\nYork\tI-LOC\n\nis\tO\n", "Nothing\tO\nhere\tO\n"
    files = {"anna/1.txt": one, "ben/1.txt": one, "anna/2.txt": other, "ben/2.txt": other}
    found = written(tmp_path, files)
    assert not READER.recognises(found[2])
    annotations = read_export([(file.path, file.name) for file in found])
    assert (annotations.format, annotations.unread) == ("conll", ())
    assert isinstance(annotations.content, TextMarks)
    assert annotations.content.documents == ("1", "2")


HEADER = "sentence_id\ttoken_id\ttoken\tlemma\tpos\tlabel\n"


def token_table(*labels: str) -> str:
    words = [("Anna", "PROPN"), ("meets", "VERB"), ("old", "ADJ"), ("Ben", "PROPN")]
    return HEADER + "".join(
        f"1\tt{place}\t{word}\t{word.lower()}\t{part}\t{label}\n"
        for place, ((word, part), label) in enumerate(zip(words, labels, strict=True), 1)
    )


def test_a_table_of_tokens_with_a_header_is_a_text_and_its_files_are_copies() -> None:
    """Files of two annotators and two documents are no four annotators; lemmas and ids are no labels."""
    other = token_table("", "X", "X", "").replace("old", "young")
    contents = {
        "d1_anna.tsv": token_table("PER", "", "", "PER"),
        "d1_ben.tsv": token_table("PER", "O", "O", "LOC"),
        "d2_anna.tsv": other,
        "d2_ben.tsv": other,
    }
    files = [
        ExportFile.with_content(Path(name), name, text=text, content=text.encode())
        for name, text in contents.items()
    ]
    reader, own = find_reader(files, ReaderOptions())
    assert reader is READER
    export = reader.read(own, ReaderOptions())
    assert isinstance(export, Export)
    assert [(copy.annotator, copy.document) for copy in export.copies] == [
        ("anna", "d1"),
        ("ben", "d1"),
        ("anna", "d2"),
        ("ben", "d2"),
    ]
    first = export.copies[0]
    assert first.text == "Anna meets old Ben"
    assert [(mark.spans, mark.features, mark.line) for mark in first.marks if mark.type == "label"] == [
        (((0, 4),), {"label": "PER"}, 2),
        (((15, 18),), {"label": "PER"}, 5),
    ]
    assert export.default == "label"
    assert {mark.type for mark in first.marks} == {"label", "pos"}


@pytest.mark.parametrize(
    "table",
    [
        "word\tanna\tben\nx\tyes\tno\ny\tyes\tyes\nz\tno\tno\n",  # a column for each annotator
        "token\tannotator\tlabel\nx\tanna\tyes\nx\tben\tno\n",
        "item\tlabel\nx\tyes\ny\tno\n",
        "token\tlabel\n",
        "word\tNN\nx\tVB\n",  # a token that is called so
    ],
)
def test_tables_of_items_are_no_texts(table: str) -> None:
    assert not READER.recognises(
        ExportFile.with_content(Path("t.tsv"), "t.tsv", text=table, content=table.encode())
    )


def test_a_table_whose_first_row_is_one_cell_is_read_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    def recognised(name: str, text: str) -> bool:
        return READER.recognises(ExportFile.with_content(Path(name), name, text=text, content=text.encode()))

    assert recognised("t.txt", "-DOCSTART-\n\nx O\ny B-P\n\nz O\n")
    assert recognised("t.txt", "# newdoc\nx O\ny B-P\n\nz O\n")
    assert recognised("t.conll", "x\nB-P\n\nz\n") is False
    monkeypatch.setattr("reportgen.readers.conll.read_columns", None)  # whoever calls it fails
    assert recognised("t.csv", "unit,annotator,label\n1,ann,yes\n") is False


def columns(first: str, second: str) -> str:
    """A sentence for each letter: what two columns say of its only token; "." is none."""
    lines = [
        f"w{n}\tN\t{' '.join(f'B-{tag}' if tag != '.' else 'O' for tag in tags)}".replace(" ", "\t")
        for n, tags in enumerate(zip(first, second, strict=True))
    ]
    return "\n\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("first", "second", "annotators"),
    [
        ("XXXXXXXXXX..Y", "XXX.......YXX", {"column 3", "column 4"}),
        # Fewer in common than .3 of ten, with ten marks or with fewer; outer and inner names.
        ("XXXXXXXXXX..Y", "XX........YXX", {""}),
        ("XX.", "XXY", {""}),
        ("XXXXXXXXXXX", "YYYYYYYYYYY", {""}),
    ],
)
def test_columns_with_much_in_common_are_those_of_annotators(
    read: Callable[..., Export], first: str, second: str, annotators: set[str]
) -> None:
    """No other file could be compared with theirs; a column of another kind is not compared."""
    copies = read({"d.tsv": columns(first, second)}).copies
    assert {copy.annotator if annotators != {""} else "" for copy in copies} == annotators
    assert {mark.type for copy in copies for mark in copy.marks} >= (
        {"tag"} if annotators != {""} else {"column 3"}
    )
    two = read({"a/d.conll": columns(first, second), "b/d.conll": columns(first, second)})
    assert {copy.annotator for copy in two.copies} == {"a", "b"}


def test_brackets_with_numbers_are_mentions_in_chains_and_no_labels(read: Callable[..., Export]) -> None:
    text = "Ann B-PER (0)\nsaw O -\nher B-X (1|(0)\ndog I-X 1)\n\nIt O (1)\nran O 7)\n"
    found = read({"a/d.conll": text, "b/d.conll": text.replace("(1)", "-")})
    first, _ = found.copies
    mentions = [(mark.spans[0], mark.features) for mark in first.marks if mark.type == "column 3"]
    of_mention = {"column 3": "mention"}
    assert mentions == [
        ((0, 3), of_mention),
        ((8, 11), of_mention),
        ((8, 15), of_mention),
        ((16, 18), of_mention),
    ]
    names = {mark.id: mark.spans[0] for mark in first.marks if mark.id}
    chains = sorted(sorted(names[member] for _, member in link.arguments) for link in first.relations)
    assert chains == [[(0, 3), (8, 11)], [(8, 15), (16, 18)]]
    assert all(link.chain for link in first.relations)
    assert found.default == "column 2"


def test_numbers_of_classes_are_refused_with_what_to_do(tmp_path: Path) -> None:
    files = dict.fromkeys(("a/d.conll", "b/d.conll"), "Ann 1\nsaw 0\n\nBob 1\n")
    (problem, *_) = problems_of(READER, written(tmp_path, files))
    assert problem.message.startswith('has numbers of classes for tags, such as "1"')
    assert "names of the labels" in problem.remedy


TREES = stored("conll/trees.conllu")


def read_trees(folder: Path, contents: dict[str, str]) -> Export:
    found = CONLLU.read(written(folder, contents), ReaderOptions())
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
    assert CONLLU.recognises(file) is expected


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
