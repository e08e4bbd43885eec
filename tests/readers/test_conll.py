"""CoNLL columns: four schemes of tags, plain tags, documents and sentences."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.readers import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    find_reader,
    read_export,
)
from reportgen.readers.conll import READER, Scheme, decode, detect
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.given_files import written
from tests.readers.write_conll import COLUMN, write

CONLL2003 = """-DOCSTART- -X- -X- O

U.N. NNP I-NP I-ORG
official NN I-NP O
😀 NNP I-NP I-PER
Bob NNP I-NP B-PER
. . O O

In IN I-PP O
Rome NNP I-NP I-LOC

-DOCSTART- -X- -X- O

# # O O
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Export]:
    """Write the files, given as {name: text}, and read them."""

    def read_all(contents: dict[str, str], **options: Any) -> Export:  # noqa: ANN401 - options differ in type
        found = READER.read(written(tmp_path, contents), ReaderOptions(**options))
        assert isinstance(found, Export)
        return found

    return read_all


def said(copy: DocumentCopy, layer: str) -> list[tuple[str, str, int]]:
    """Return the covered text, label and line of each mark of a layer."""
    return [
        ((copy.text or "")[mark.spans[0][0] : mark.spans[0][1]], mark.features[layer], mark.line)
        for mark in copy.marks
        if mark.type == layer
    ]


def test_every_column_of_tags_is_a_layer(read: Callable[..., Export]) -> None:
    """The last one of stretches is the default; documents of a file are numbered; # can be a token."""
    export = read({"anna.conll": CONLL2003})
    first, second = export.copies
    assert (first.document, second.document) == ("anna-1", "anna-2")
    assert (first.text, second.text) == ("U.N. official 😀 Bob .\nIn Rome", "#")
    assert said(first, "column 4") == [
        ("U.N.", "ORG", 3),
        ("😀", "PER", 5),
        ("Bob", "PER", 6),
        ("Rome", "LOC", 10),
    ]
    assert said(first, "column 3") == [("U.N. official 😀 Bob", "NP", 3), ("In", "PP", 9), ("Rome", "NP", 10)]
    assert [label for _, label, _ in said(first, "column 2")] == ["NNP", "NN", "NNP", "NNP", ".", "IN", "NNP"]
    assert export.default == "column 4"
    assert export.reading == (
        "Columns: tokens are joined by spaces, sentences by new lines. Read: column 3 in IOB1, "
        "column 4 in IOB1. A tag each token: column 2."
    )


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


def test_the_scheme_is_that_of_all_files_and_faults_are_counted(read: Callable[..., Export]) -> None:
    """Alone, the second file would be read as IOB1."""
    export = read({"anna/d.conll": "a B-X\nb O\nc B-X\n", "ben/d.conll": "a I-X\nb O\nc O\n"})
    assert "column 2 in IOB2. 1 tag is not as the scheme has it" in export.reading
    anna, ben = export.copies
    assert said(anna, "column 2") == [("a", "X", 1), ("c", "X", 3)]
    assert said(ben, "column 2") == [("a", "X", 1)]


def test_a_numbered_column_is_no_token(read: Callable[..., Export]) -> None:
    """The layout of UNER: comments, a number, the token, tags, and who annotated."""
    first = "# sent_id = 1\n# text = An na\n1\tAn\tB-PER\t-\tx\n2\tna\tI-PER\t-\tx\n"
    export = read({"anna.iob2": f"{first}\n# sent_id = 2\n1\tok\tO\t-\tx\n"})
    assert export.copies[0].text == "An na\nok"
    assert {mark.type for mark in export.copies[0].marks} == {"column 3"}
    assert said(export.copies[0], "column 3") == [("An na", "PER", 3)]


def test_columns_can_be_named_and_documents_too(read: Callable[..., Export]) -> None:
    text = "# global.columns = FORM NE\n# newdoc id = one\na\tB-X\n\n# newdoc id = two\nb\tO\n"
    export = read({"anna.conll": text})
    assert [(copy.document, copy.text) for copy in export.copies] == [("one", "a"), ("two", "b")]
    assert (export.default, said(export.copies[0], "NE")) == ("NE", [("a", "X", 3)])


def test_who_marked_nothing_has_seen_the_document(read: Callable[..., Export]) -> None:
    export = read({"anna/d.conll": "a O\n\nb O\n", "ben/d.conll": "a B-X\n\nb O\n"})
    assert [(copy.annotator, copy.state, len(copy.marks)) for copy in export.copies] == [
        ("anna", "seen", 0),
        ("ben", "seen", 1),
    ]
    assert read({"anna/d.conll": "a O\n\nb O\n"}).default is None


def test_columns_of_numbers_lemmas_and_one_value_are_no_layers(read: Callable[..., Export]) -> None:
    export = read({"anna.conll": "Anna anna 0 x B-P\nmet meet 1 x O\n\nBob bob 0 x B-P\n"})
    assert {mark.type for copy in export.copies for mark in copy.marks} == {"column 5"}


def test_rows_of_another_length_are_all_named(read: Callable[..., Export]) -> None:
    with pytest.raises(BadInput) as caught:
        read({"a.conll": "a O\nb\n\nc O\nd O O\n", "b.conll": "x\n\ny\n"})
    assert [(problem.file, problem.line, problem.message) for problem in caught.value.problems] == [
        ("a.conll", 2, "has 1 columns where most rows have 2."),
        ("a.conll", 5, "has 3 columns where most rows have 2."),
        ("b.conll", 0, "has one column where a token and its tags were expected."),
    ]


def test_files_with_different_columns_are_refused(read: Callable[..., Export]) -> None:
    with pytest.raises(BadInput) as caught:
        read({"a.conll": "a O\n", "b.conll": "a N O\n"})
    assert [problem.message for problem in caught.value.problems] == [
        "has 2 columns; the files have 2, 3.",
        "has 3 columns; the files have 2, 3.",
    ]


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


def test_a_folder_is_read_and_its_default_counts(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/d.conll": CONLL2003, "ben/d.conll": CONLL2003.replace("I-LOC", "O")})
    found = read_export([(file.path, file.name) for file in files])
    assert isinstance(found.content, TextMarks)
    assert (found.format, found.content.documents) == ("conll", ("d-1", "d-2"))
    assert found.content.labels == ("ORG", "PER", "LOC")
    assert found.marks_read == len(found.content.label) + sum(left.marks for left in found.left_out)


TOKENS = st.lists(st.text(alphabet="abé😀,", min_size=1, max_size=3), min_size=1, max_size=6)


@st.composite
def campaigns(draw: st.DrawFn) -> list[DocumentCopy]:
    copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = [[f"d{number}", *draw(TOKENS)] for _ in range(draw(st.integers(1, 3)))]
        text = "\n".join(map(" ".join, sentences))
        copies += [
            DocumentCopy(f"d{number}", annotator, "", text, tuple(draw(stretches(sentences))))
            for annotator in ("anna", "ben")
        ]
    return copies


@st.composite
def stretches(draw: st.DrawFn, sentences: list[list[str]]) -> list[ParsedMark]:
    """Return marks that do not overlap; many touch."""
    marks = []
    start = 0
    for sentence in sentences:
        opened: int | None = None
        label = ""
        for token in sentence:
            if opened is None and draw(st.booleans()):
                opened, label = start, draw(st.sampled_from(["PER", "a-b", "É😀"]))
            end = start + len(token)
            if opened is not None and (draw(st.booleans()) or token is sentence[-1]):
                marks.append(ParsedMark(COLUMN, ((opened, end),), {COLUMN: label}))
                opened = None
            start = end + 1
        if opened is not None:
            marks.append(ParsedMark(COLUMN, ((opened, start - 1),), {COLUMN: label}))
    return marks


@pytest.mark.parametrize("scheme", get_args(Scheme))
@examples(30)
@given(copies=campaigns())
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, scheme: Scheme, copies: list[DocumentCopy]
) -> None:
    files = write(copies, tmp_path_factory.mktemp("campaign"), scheme)
    export = READER.read(files, ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies) == told(copies)
    assert "not as the scheme" not in export.reading


def test_the_samples_of_two_users_are_read(shared: Path) -> None:
    """The second user annotated one document more."""
    folder = shared / "formats/doccano"
    if not folder.is_dir():
        pytest.skip("NOT TESTED on doccano's CoNLL: it is not in the folder 'shared' beside the checkout")
    files = [ExportFile(path, path.name) for path in sorted(folder.glob("*.conll2003.user?"))]
    assert all(map(READER.recognises, files))
    export = READER.read(files, ReaderOptions())
    assert isinstance(export, Export)
    name = "tests_data_labeling_labeling.conll2003"
    assert [(copy.annotator, copy.document, len(copy.marks)) for copy in export.copies] == [
        ("user1", f"{name}-1", 5),
        ("user2", f"{name}-1", 5),
        ("user2", f"{name}-2", 6),
    ]


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


def test_tokens_that_differ_between_annotators_are_refused(tmp_path: Path) -> None:
    one = "New\tB-LOC\nYork\tI-LOC\nis\tO\na\tO\ncity\tO\n\n"
    found = written(tmp_path, {"anna.txt": one, "ben.txt": one.replace("York", "Yorck")})
    with pytest.raises(BadInput) as caught:
        read_export([(file.path, file.name) for file in found])
    assert "has another text of document" in str(caught.value.problems[0])
    assert "from character 8 on" in str(caught.value.problems[0])


def test_columns_that_are_asked_for_as_annotators_are_theirs(read: Callable[..., Export]) -> None:
    text = "# global.columns = FORM anna ben\nNew\tB-LOC\tB-ORG\nYork\tI-LOC\tO\nis\tO\tO\n"
    export = read({"d.conll": text}, annotators=("anna", "ben"))
    assert "anna" not in export.reading
    assert [(copy.annotator, said(copy, "tag")) for copy in export.copies] == [
        ("anna", [("New York", "LOC", 2)]),
        ("ben", [("New", "ORG", 2)]),
    ]
    assert {copy.annotator for copy in read({"d.conll": text}).copies} == {"annotator"}


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


def test_columns_that_have_names_are_those_of_annotators_only_where_that_is_said(
    read: Callable[..., Export],
) -> None:
    text = "# global.columns = FORM COARSE FINE\n" + columns("XXXXXXXXXXX", "XXXXXXXXXXY").replace(
        "\tN\t", "\t"
    )
    assert {mark.type for copy in read({"d.conll": text}).copies for mark in copy.marks} == {"COARSE", "FINE"}
