"""WebAnno TSV 3: marks of rows that belong together, slots, chains, relations, and the text they stand in."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    read_export,
)
from reportgen.readers.naming import OF_TEMPLATE
from reportgen.readers.webanno import READER
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.given_files import written
from tests.readers.write_webanno import TOKEN, write

SPANS = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Person|kind|sure
#T_SP=webanno.custom.Place|


#Text=Anna 😀 met Bob.
1-1\t0-4\tAnna\tPER[1]|PER[2]\t*[1]|yes[2]\t_\t
1-2\t5-7\t😀\tPER[2]\tyes[2]\t_\t
1-3\t8-11\tmet\t_\t_\t*\t
1-4\t12-16\tBob.\t_\t_\t_\t
1-4.1\t12-15\tBob\tPER\t*\t_\t
1-4.2\t15-16\t.\t_\t_\t*[3]\t

#Text=In Paris
#Text=then home
2-1\t17-19\tIn\t_\t_\t*[3]\t
2-1.1\t19-19\t\t\\_\t*\t_\t
2-2\t20-25\tParis\tPER\t*\t*\t
2-3\t26-30\tthen\tPER\t*\t*\t
2-4\t31-35\thome\t_\t_\t_\t
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Export]:
    """Write the files, given as {name: text}, and read them."""

    def read_all(contents: dict[str, str], **options: Any) -> Export:  # noqa: ANN401 - options differ in type
        return READER.read(written(tmp_path, contents), ReaderOptions(**options))  # type: ignore[return-value]

    return read_all


def refused(read: Callable[..., Export], text: str) -> Sequence[Problem]:
    with pytest.raises(BadInput) as caught:
        read({"a.tsv": text})
    return caught.value.problems


def said(copy: DocumentCopy) -> list[tuple[str, tuple[tuple[int, int], ...], dict[str, str], int]]:
    return [(mark.type.rpartition(".")[2], mark.spans, dict(mark.features), mark.line) for mark in copy.marks]


def test_rows_of_one_number_are_one_mark(read: Callable[..., Export]) -> None:
    """Stacked, over several tokens, parts of tokens, without width, across sentences; emoji count as one."""
    (copy,) = read({"a.tsv": SPANS}).copies
    assert copy.text == "Anna 😀 met Bob.\nIn Paris\nthen home"
    assert said(copy) == [
        ("Person", ((0, 4),), {"kind": "PER"}, 7),
        ("Person", ((0, 6),), {"kind": "PER", "sure": "yes"}, 7),
        ("Place", ((7, 10),), {}, 9),
        ("Person", ((11, 14),), {"kind": "PER"}, 11),
        ("Place", ((14, 18),), {}, 12),
        ("Person", ((18, 18),), {"kind": "_"}, 17),
        ("Person", ((19, 24),), {"kind": "PER"}, 18),
        ("Place", ((19, 24),), {}, 18),
        ("Person", ((25, 29),), {"kind": "PER"}, 19),
        ("Place", ((25, 29),), {}, 19),
    ]


def test_a_number_that_comes_back_later_is_another_mark(read: Callable[..., Export]) -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.2\n#T_SP=x.A|v\n\n\n#Text=a b c\n1-1\t0-1\ta\tX[1]\t\n1-2\t2-3\tb\t_\t\n"
        "1-3\t4-5\tc\tX[1]\t\n"
    )
    (copy,) = read({"a.tsv": text}).copies
    assert [mark.spans for mark in copy.marks] == [((0, 1),), ((4, 5),)]


def test_escaped_bars_semicolons_and_stars_are_part_of_the_value(read: Callable[..., Export]) -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.A|v\n\n\n#Text=a\\tb \\\\n\n"
        "1-1\t0-3\ta\\tb\t\\*\\|\\;\\->\\\\|\\[1\\]\\n[2]\t\n1-2\t4-6\t\\n\t*\t\n"
    )
    (copy,) = read({"a.tsv": text}).copies
    assert copy.text == "a\tb \\n"
    assert [dict(mark.features) for mark in copy.marks] == [{"v": "*|;->\\"}, {"v": "[1]\n"}, {}]


def test_older_files_escape_as_java_does(read: Callable[..., Export]) -> None:
    text = '#FORMAT=WebAnno TSV 3.1\n\n\n#Text=\\"\\uD83D\\uDE00\\u00e9\\"\n1-1\t0-5\t"😀é"\t\n'
    (copy,) = read({"a.tsv": text}).copies
    assert copy.text == '"😀é"'


def test_an_empty_value_is_not_a_missing_one(read: Callable[..., Export]) -> None:
    text = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.A|v\n\n\n#Text=a b\n1-1\t0-1\ta\t\t\n1-2\t2-3\tb\t*\t\n"
    (copy,) = read({"a.tsv": text}).copies
    assert [dict(mark.features) for mark in copy.marks] == [{"v": ""}, {}]


def test_slots_chains_and_relation_layers_are_relations(read: Callable[..., Export]) -> None:
    """Slots lead from their host, links of a chain to the next mark, relations from governor to dependent."""
    text = (
        "#FORMAT=WebAnno TSV 3.3\n"
        "#T_SP=x.Thing|\n"
        "#T_SP=x.Host|ROLE_x.Host:my_links_x.HostLink|uima.tcas.Annotation\n"
        "#T_CH=x.Link|referenceType|referenceRelation\n"
        "#T_RL=x.Rel|label|BT_x.Thing\n\n\n"
        "#Text=a b c d\n"
        "1-1\t0-1\ta\t*[1]\tr1;*\t1-2[2];1-4\tpr[1]\tana->1-1\t_\t_\t\n"
        "1-2\t2-3\tb\t*[2]|*[3]\t_\t_\tpr[1]\tana->1-1\tsubj|*\t1-1[1_2]|1-1[1_3]\t\n"
        "1-3\t4-5\tc\t_\t_\t_\t*[1]\tbis->1-2\t_\t_\t\n"
        "1-4\t6-7\td\t_\t_\t_\tnn[1]\tlast->1-3\t_\t_\t\n"
    )
    (copy,) = read({"a.tsv": text}).copies
    ids = {mark.id: (mark.type, mark.spans, dict(mark.features)) for mark in copy.marks}
    assert ids == {
        "1": ("x.Thing", ((0, 1),), {}),
        "2": ("x.Host", ((0, 1),), {}),
        "3": ("x.Link", ((0, 3),), {"referenceType": "pr"}),
        "4": ("x.Thing", ((2, 3),), {}),
        "5": ("x.Thing", ((2, 3),), {}),
        "6": ("x.Link", ((4, 5),), {}),
        "7": ("x.Link", ((6, 7),), {"referenceType": "nn"}),
    }
    assert [(each.type, each.arguments, dict(each.features), each.line) for each in copy.relations] == [
        ("x.Host|my_links", (("host", "2"), ("target", "4")), {"role": "r1"}, 9),
        ("x.Host|my_links", (("host", "2"), ("target", "7")), {}, 9),
        ("x.Link|referenceRelation", (("from", "3"), ("to", "6")), {"referenceRelation": "ana"}, 9),
        ("x.Link|referenceRelation", (("from", "6"), ("to", "7")), {"referenceRelation": "bis"}, 11),
        ("x.Link|referenceRelation", (("from", "7"),), {"referenceRelation": "last"}, 12),
        ("x.Rel", (("Governor", "1"), ("Dependent", "4")), {"label": "subj"}, 10),
        ("x.Rel", (("Governor", "1"), ("Dependent", "5")), {}, 10),
    ]


def test_a_relation_layer_is_labelled_by_its_feature_and_roles(tmp_path: Path) -> None:
    """What lies between marks can be compared, what lies between bare tokens is left out."""
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Thing|\n#T_RL=x.Rel|label|BT_x.Thing\n\n\n#Text=a b\n"
        "1-1\t0-1\ta\t*[1]\t_\t_\t\n1-2\t2-3\tb\t*[2]\tsubj\t1-1[1_2]\t\n"
    )
    path = tmp_path / "a.tsv"
    path.write_text(text, encoding="utf-8")
    found = read_export([(path, "a.tsv")], ReaderOptions(source="Rel"))
    assert (found.compared, found.content.labels) == ("relations", ("subj (Governor, Dependent)",))


def test_relations_between_tokens_name_their_addresses(read: Callable[..., Export]) -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_RL=x.Dep|v|BT_x.Token\n\n\n#Text=a b\n"
        "1-1\t0-1\ta\t_\t_\t\n1-2\t2-3\tb\tobj\t1-1\t\n"
    )
    (copy,) = read({"a.tsv": text}).copies
    assert copy.relations[0].arguments == (("Governor", "1-1"), ("Dependent", "1-2"))


def test_a_document_without_marks_was_seen(read: Callable[..., Export]) -> None:
    text = "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=a\n1-1\t0-1\ta\t\n"
    (copy,) = read({"a.tsv": text}).copies
    assert (copy.state, copy.marks, copy.text) == ("seen", (), "a")


PLAIN = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.A|v\n\n\n#Text={0}\n1-1\t0-1\t{0}\tX\t\n"


def test_files_of_a_project_are_named_by_document_and_annotator(read: Callable[..., Export]) -> None:
    """The curator's copy is a reference; the template's marks are left out with their place."""
    names = ["annotation/d.txt/anna.tsv", "annotation/d.txt/ben.tsv", "annotation/d.txt/INITIAL_CAS.tsv"]
    names += ["curation/d.txt/CURATION_USER.tsv"]
    export = read(dict.fromkeys(names, PLAIN.format("a")))
    assert [(copy.document, copy.annotator, copy.role) for copy in export.copies] == [
        ("d.txt", "anna", "annotator"),
        ("d.txt", "ben", "annotator"),
        ("d.txt", "CURATION_USER", "reference"),
    ]
    (left,) = export.left_out
    assert (left.file, left.line, left.reason, left.marks) == (names[2], 6, OF_TEMPLATE, 1)
    assert [source.file for source in export.sources] == names


def test_a_folder_called_curation_is_the_reference(read: Callable[..., Export]) -> None:
    export = read({"anna/d.tsv": PLAIN.format("a"), "curation/d.tsv": PLAIN.format("a")})
    assert [(copy.document, copy.annotator, copy.role) for copy in export.copies] == [
        ("d", "anna", "annotator"),
        ("d", "curation", "reference"),
    ]


def test_the_option_path_says_where_names_stand(read: Callable[..., Export]) -> None:
    export = read({"annotation/x/d--anna.tsv": PLAIN.format("a")}, path="{document}--{annotator}")
    assert [(copy.document, copy.annotator) for copy in export.copies] == [("d", "anna")]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("#FORMAT=WebAnno TSV 2.0\n", 1, 'starts with "#FORMAT=WebAnno TSV 2.0" where'),
        (
            "#FORMAT=WebAnno TSV 3.3\n#T_XX=a|b\n\n#Text=a\n1-1\t0-1\ta\t\n",
            2,
            "declares a layer of unknown kind",
        ),
        (PLAIN.format("a").replace("\tX\t", "\t"), 6, "has 3 cells where the header declares 4."),
        (PLAIN.format("a").replace("0-1", "0+1"), 6, 'starts with "1-1" and "0+1" where'),
        (PLAIN.format("a").replace("0-1\ta", "0-1\tb"), 6, 'covers "a" in the text, and the file says "b".'),
        (PLAIN.format("😀"), 6, "the offsets 0 to 1 cut a character in two"),
        (PLAIN.format("a").replace("\tX\t", "\tX[1]|Y[1]\t"), 6, "has one number for two annotations."),
        (PLAIN.format("a").replace("#Text", "#Txt"), 6, "is before the first #Text= line."),
        (
            PLAIN.format("a") + "\n#Text=b\n2-1\t900000-900001\tb\t_\t\n",
            9,
            "starts 899,999 characters after the sentence above, more than lie between two sentences.",
        ),
        (
            PLAIN.format("a") + "\n#Text=b\n2-1\t0-1\tb\t_\t\n",
            9,
            "starts 1 characters before the sentence above ends.",
        ),
        (
            PLAIN.format("a").replace("\tX\t", "\tX[1]\t") + "\n#Text=b\n2-1\t2-3\tb\tY[1]\t\n",
            9,
            "has other values than line 6 for the same annotation.",
        ),
    ],
)
def test_faults_are_named_with_their_line(
    read: Callable[..., Export], text: str, line: int, message: str
) -> None:
    problems = refused(read, text)
    assert any(each.line == line and each.message.startswith(message) and each.remedy for each in problems)


@pytest.mark.parametrize(
    ("header", "cells", "message"),
    [
        ("#T_SP=x.A|v|w", "X|Y\tZ", "has cells of 2, 1 annotations where each should have as many."),
        ("#T_SP=x.A|v|w", "X[1]\tZ[2]", "has the numbers 1 and 2 for one annotation."),
        ("#T_SP=x.A|ROLE_x.A:s_x.L|x.B", "r1;r2\t1-1", "has 2 roles and 1 targets in a slot."),
        (
            "#T_SP=x.A|ROLE_x.A:s_x.L|x.B",
            "r1\tthere",
            'has the target "there" where "1-1" or "1-1[1]" was expected.',
        ),
        (
            "#T_CH=x.L|referenceType|referenceRelation",
            "*[1]\t*",
            'has "*" where "label->1-1" (chain and link) was',
        ),
    ],
)
def test_cells_that_do_not_fit_name_their_layer(
    read: Callable[..., Export], header: str, cells: str, message: str
) -> None:
    (problem,) = refused(read, f"#FORMAT=WebAnno TSV 3.3\n{header}\n\n\n#Text=a\n1-1\t0-1\ta\t{cells}\t\n")
    assert (problem.line, problem.key[:8]) == (6, "layer x.")
    assert problem.message.startswith(message)


def test_problems_of_all_files_come_at_once(read: Callable[..., Export]) -> None:
    with pytest.raises(BadInput) as caught:
        read({"a.tsv": PLAIN.format("a").replace("0-1", "0-9"), "b.tsv": "#FORMAT=WebAnno TSV 1\n"})
    assert {problem.file for problem in caught.value.problems} == {"a.tsv", "b.tsv"}


def test_a_layer_is_read_from_a_folder(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/d.tsv": SPANS, "ben/d.tsv": SPANS})
    options = ReaderOptions(source="Person->kind")
    found = read_export([(file.path, file.name) for file in files], options)
    assert isinstance(found.content, TextMarks)
    assert (found.format, found.content.annotators, found.content.labels) == (
        "webanno-tsv",
        ("anna", "ben"),
        ("PER", "_"),
    )
    assert found.marks_read == 20 == len(found.content.label) + sum(left.marks for left in found.left_out)


TOKENS = st.lists(st.text(alphabet="aé😀_|\\.", min_size=1, max_size=4), min_size=1, max_size=5)
VALUES = st.text(alphabet="Aé😀\\[]|_->;*\t\n#", max_size=5)


@st.composite
def marked(draw: st.DrawFn, text: str) -> ParsedMark:
    tokens = [found.span() for found in TOKEN.finditer(text)]
    first = draw(st.integers(0, len(tokens) - 1))
    last = draw(st.integers(first, min(first + 2, len(tokens) - 1)))
    start = draw(st.integers(tokens[first][0], tokens[first][1] - 1))
    end = draw(st.integers(start if first == last else tokens[last][0] + 1, tokens[last][1]))
    features = draw(st.dictionaries(st.sampled_from(["v", "w"]), VALUES))
    return ParsedMark(draw(st.sampled_from(["x.A", "x.B"])), ((start, end),), features)


@st.composite
def campaigns(draw: st.DrawFn) -> list[DocumentCopy]:
    copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = draw(st.lists(TOKENS, min_size=1, max_size=3))
        text = "\n".join(" ".join([f"d{number}", *tokens]) for tokens in sentences)
        for annotator in ("anna", "ben"):
            marks = draw(st.lists(marked(text), max_size=5))
            copies.append(DocumentCopy(f"d{number}", annotator, "", text, tuple(marks)))
    return copies


@examples(50)
@given(copies=campaigns())
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, copies: list[DocumentCopy]
) -> None:
    """Overlapping and adjacent marks, parts of tokens, across sentences, without width; emoji and escapes."""
    export = READER.read(write(copies, tmp_path_factory.mktemp("campaign")), ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies, ordered=False) == told(copies, ordered=False)


def test_the_samples_are_read_or_refused_for_a_reason(shared: Path) -> None:
    """Two hand-made samples have offsets that do not fit their text; the others are read."""
    folder = shared / "formats/webanno_tsv"
    if not folder.is_dir():
        pytest.skip("NOT TESTED on webanno_tsv: it is not in the folder 'shared' beside the checkout")
    found: dict[str, int] = {}
    for path in sorted(folder.glob("*.tsv")):
        file = ExportFile(path, path.name)
        assert READER.recognises(file)
        if path.stem in {"test_input_multi_sentence_span", "test_input_quotes"}:
            with pytest.raises(BadInput, match="in the text, and the file says"):
                READER.read([file], ReaderOptions())
            continue
        export = READER.read([file], ReaderOptions())
        assert isinstance(export, Export)
        found[path.stem] = len(export.copies[0].marks) + len(export.copies[0].relations)
    assert found == {
        "sampleSlotAnnotation1": 6,
        "testCrossSentenceSpanWithFeatureValue": 1,
        "testMultiTokenStackedSpanWithFeatureValue": 2,
        "testSentenceId": 0,
        "testSentenceWithEmoji": 1,
        "testSentenceWithTab": 1,
        "testSimpleChain": 5,
        "testSingleTokenRelationWithMultipleFeatureValues": 1,
        "testSubTokenPrefix": 1,
        "testTokenBoundedSpanWithNastyFeatureValue": 5,
        "testTokenBoundedSpanWithSpecialSymbolsValue": 5,
        "testTokenBoundedSpanWithUnderscoreFeatureValue": 5,
        "testZeroLengthSpansWithFeatureValues": 2,
        "test_input": 89,
        "test_input_v3.3": 10,
    }


def test_three_files_of_one_document_are_three_copies(shared: Path) -> None:
    folder = shared / "formats/webanno_tsv/two_users"
    if not folder.is_dir():
        pytest.skip("NOT TESTED on two_users: it is not in the folder 'shared' beside the checkout")
    files = [ExportFile(path, path.name) for path in sorted(folder.iterdir())]
    export = READER.read(files, ReaderOptions())
    assert isinstance(export, Export)
    assert [(copy.annotator, len(copy.marks)) for copy in export.copies] == [
        ("curator", 0),
        ("user1", 2),
        ("user2", 2),
    ]
    assert len({copy.document for copy in export.copies}) == 1
