"""MMAX2 projects: words make the text, markables span ranges of them, folders are annotators."""

import json
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import assume, given

from reportgen.readers import (
    DocumentCopy,
    ExcludedMarks,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    read_export,
)
from reportgen.readers.mmax import ASTRAY, READER
from tests.properties import examples
from tests.readers import write_mmax2
from tests.readers.generated import copies, told
from tests.readers.given_files import Given, only, read_with, written

PROJECT = "<mmax_project>\n<words>d.words.xml</words>\n</mmax_project>"
LEVELS = ("sentiment", "target", "source", "emo-expression", "intensifier", "diminisher", "negation")
POTTS = "data/potts-mmax2"


@pytest.fixture
def mmax(tmp_path: Path) -> Given:
    """Files of MMAX2."""
    return Given(READER, tmp_path)


def words(*texts: str, ids: Mapping[int, str] | None = None) -> str:
    """Return words, each on a line of its own from line 4 on; some have unusual ids."""
    named = [(ids or {}).get(number, f"word_{number}") for number in range(1, len(texts) + 1)]
    lines = [f'<word id="{name}">{text}</word>' for name, text in zip(named, texts, strict=True)]
    start = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE words SYSTEM "words.dtd">', "<words>"]
    return "\n".join([*start, *lines, "</words>"])


def level(*lines: str, name: str = "") -> str:
    """Return a level's file, each markable on a line of its own from line 2 on."""
    namespace = f' xmlns="www.eml.org/NameSpaces/{name}"' if name else ""
    return "\n".join([f"<markables{namespace}>", *lines, "</markables>"])


def markable(span: str, more: str = "") -> str:
    """Return a markable."""
    return f'<markable id="m1" span="{span}"{more}/>'


WORDS = words("Léa", "😀", "sees", "four", "red", "cats")


def of_one(*lines: str, name: str = "") -> dict[str, str]:
    """Return a project of one annotator with one level."""
    return {"d.mmax": PROJECT, "d.words.xml": WORDS, "d_coref_level.xml": level(*lines, name=name)}


def test_ranges_of_words_are_stretches_of_the_text(mmax: Given) -> None:
    """Commas make a mark discontinuous, unless the words are neighbours; ranges may stand in any order."""
    copy = only(
        mmax.read(
            of_one(
                markable("word_1"),
                markable("word_2..word_4", ' mmax_level="np" k="v &amp; w" empty=""'),
                markable("word_6,word_1..word_2"),
                markable("word_4,word_5..word_6,word_5"),
            )
        )
    )
    assert copy.text == "Léa 😀 sees four red cats"
    file = "d_coref_level.xml"
    assert list(copy.marks) == [
        ParsedMark("coref", ((0, 3),), {}, 2, "m1", file),
        ParsedMark("np", ((4, 15),), {"k": "v & w", "empty": ""}, 3, "m1", file),
        ParsedMark("coref", ((0, 5), (20, 24)), {}, 4, "m1", file),
        ParsedMark("coref", ((11, 24),), {}, 5, "m1", file),
    ]


def test_the_level_is_the_markables_own_the_namespaces_or_the_files(mmax: Given) -> None:
    lines = markable("word_1"), markable("word_1", ' mmax_level="own"')
    in_namespace = only(mmax.read(of_one(*lines, name="chain")))
    assert [mark.type for mark in in_namespace.marks] == ["chain", "own"]


def test_words_follow_the_order_of_their_file(mmax: Given) -> None:
    """Ids such as word_1.5 come in between."""
    files = of_one(markable("word_1..word_1.5"), markable("word_3"))
    files["d.words.xml"] = words("Lieblings", "foto", "EOL", ids={2: "word_1.5"})
    copy = only(mmax.read(files))
    assert copy.text == "Lieblings foto EOL"
    assert [mark.spans for mark in copy.marks] == [((0, 14),), ((15, 18),)]


def test_a_repeated_id_means_the_first_word_and_that_is_told(mmax: Given) -> None:
    files = of_one(markable("word_1"))
    files["d.words.xml"] = words("Lieblings", "foto", ids={2: "word_1"})
    export = mmax.read(files)
    assert only(export).marks[0].spans == ((0, 9),)
    assert "1 word has an id that an earlier one has" in export.reading


def test_few_markables_over_absent_words_are_left_out(mmax: Given) -> None:
    """A corpus of thousands may have a slip."""
    export = mmax.read(of_one(*[markable("word_1")] * 10, markable("word_2..word_2.5")))
    assert len(only(export).marks) == 10
    assert export.left_out == (ExcludedMarks("d_coref_level.xml", 12, only(export).annotator, ASTRAY, 1),)


def test_many_markables_over_absent_words_are_refused(mmax: Given) -> None:
    """Then these are not the words that were marked."""
    problems = mmax.refused(of_one(*[markable("word_1")] * 8, markable("word_9")))
    assert [(problem.file, problem.line) for problem in problems] == [("d_coref_level.xml", 10)]
    assert 'spans "word_9", which is not among the words' in problems[0].message


def project_of(*annotators: str) -> dict[str, str]:
    """Return the files of annotators over the same words, in the usual folders."""
    files = {"c/basedata/d.words.xml": WORDS, "c/scheme/coref_scheme.xml": "<annotationscheme/>"}
    for name in annotators:
        files |= {
            f"c/{name}/d.mmax": PROJECT,
            f"c/{name}/common_paths.xml": "<common_paths/>",
            f"c/{name}/markables/d_coref_level.xml": level(markable("word_1")),
            f"c/{name}/markables/d_named_entity_level.xml": level(markable("word_2")),
            f"c/{name}/markables/markables.dtd": "<!ELEMENT markables (markable*)>",
        }
    return files


def summary(export: Export) -> list[tuple[str, str, str, int]]:
    """Return document, annotator, state and number of marks of each copy."""
    return [(each.document, each.annotator, each.state, len(each.marks)) for each in export.copies]


def test_the_folder_that_holds_markables_is_the_annotator(mmax: Given) -> None:
    """A level's name is what follows the document's."""
    export = mmax.read(project_of("anna", "bob"))
    assert summary(export) == [("d", "anna", "seen", 2), ("d", "bob", "seen", 2)]
    assert [mark.type for mark in export.copies[0].marks] == ["coref", "named_entity"]
    assert [copy.file for copy in export.copies] == ["c/anna/d.mmax", "c/bob/d.mmax"]
    assert len(export.sources) == 12


def test_projects_are_not_needed_where_names_tell(mmax: Given) -> None:
    files = {name: text for name, text in project_of("anna", "bob").items() if not name.endswith(".mmax")}
    export = mmax.read(files)
    assert summary(export) == [("d", "anna", "seen", 2), ("d", "bob", "seen", 2)]
    assert {mark.file for mark in export.copies[0].marks} == {"", "c/anna/markables/d_named_entity_level.xml"}


def test_an_empty_level_was_seen_and_a_project_without_levels_was_not(mmax: Given) -> None:
    """In Potts one annotator has projects of all documents and levels of four fifths."""
    files = {name: text for name, text in project_of("anna", "bob").items() if "bob/markables" not in name}
    files["c/anna/markables/d_coref_level.xml"] = level()
    del files["c/anna/markables/d_named_entity_level.xml"]
    assert summary(mmax.read(files)) == [("d", "anna", "seen", 0), ("d", "bob", "unseen", 0)]


def test_documents_of_several_folders_keep_them_in_their_names(mmax: Given) -> None:
    files = {
        f"{batch}/{name.removeprefix('c/')}": text
        for batch in ("one", "two")
        for name, text in project_of("anna", "bob").items()
    }
    assert [each[:2] for each in summary(mmax.read(files))] == [
        ("one/d", "anna"),
        ("one/d", "bob"),
        ("two/d", "anna"),
        ("two/d", "bob"),
    ]


def test_names_and_texts_tell_annotators_apart_in_one_folder(mmax: Given) -> None:
    project = PROJECT.replace("d.words", "words")
    files = {"words.xml": WORDS} | {
        f"d_{name}{end}": text
        for name in ("anna", "bob")
        for end, text in ((".mmax", project), ("_coref_level.xml", level(markable("word_1"))))
    }
    assert [each[:2] for each in summary(mmax.read(files))] == [("d", "anna"), ("d", "bob")]


def test_the_path_says_who_annotated_what(mmax: Given) -> None:
    """It is compared with the paths of projects."""
    export = mmax.read(project_of("anna", "bob"), ReaderOptions(path="{document}/{annotator}/d"))
    assert [each[:2] for each in summary(export)] == [("c", "anna"), ("c", "bob")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (markable("word_4..word_2"), "whose last word is before its first"),
        ('<markable id="m"/>', "a markable without a span"),
        (markable(" "), "a markable without a span"),
        (markable("word_1,"), 'spans "", which is not among the words'),
        ('<note span="word_1"/>', "has an element note"),
    ],
)
def test_a_faulty_markable_is_named(mmax: Given, line: str, found: str) -> None:
    (problem,) = mmax.refused(of_one(markable("word_1"), line))
    assert (problem.file, problem.line) == ("d_coref_level.xml", 3)
    assert found in problem.message
    assert problem.remedy


def test_all_problems_come_at_once(mmax: Given) -> None:
    """Words that are missing, that have no id, and levels that are not well-formed."""
    files = project_of("anna", "bob")
    files["c/basedata/d.words.xml"] = '<words>\n<word id="word_1">a</word>\n<word>b</word>\n</words>'
    files["c/bob/e.mmax"] = PROJECT.replace("d.words", "e.words")
    files["c/bob/f.mmax"] = "<mmax_project/>"
    files["c/bob/markables/d_coref_level.xml"] = "<markables>"
    problems = mmax.refused(files)
    assert [(problem.file, problem.line) for problem in problems] == [
        ("c/basedata/d.words.xml", 3),
        ("c/bob/e.mmax", 0),
        ("c/bob/f.mmax", 1),
        ("c/bob/markables/d_coref_level.xml", 1),
    ]
    assert 'no file "e.words.xml" is in the export' in problems[1].message
    assert "names no file of words" in problems[2].message


def test_the_nearest_words_of_a_name_are_meant(mmax: Given) -> None:
    """Where several are equally near and differ, nothing tells which."""
    near = of_one(markable("word_1"))
    files = {**{f"a/{name}": text for name, text in near.items()}, "b/d.words.xml": words("x")}
    assert only(mmax.read(files)).text == "Léa 😀 sees four red cats"
    files = {"x/d.words.xml": words("x"), "y/d.words.xml": words("y"), "z/d.mmax": PROJECT}
    (problem,) = mmax.refused(files)
    assert "words in 2 files" in problem.message


def test_a_file_of_another_format_is_refused(mmax: Given) -> None:
    (problem,) = mmax.refused({"a.xml": "<article/>"})
    assert "is not a file of MMAX2" in problem.message


def test_files_are_known_by_their_root(tmp_path: Path) -> None:
    """An empty level, which has none, by its name; schemes and paths only accompany."""
    files = written(tmp_path, {**project_of("anna"), "x_level.xml": "", "text.xml": "<text/>"})
    known = {file.name for file in files if READER.recognises(file)}
    beside = {file.name for file in files if READER.accompanies(file)}
    assert known | beside == {file.name for file in files} - {"text.xml"}
    assert sorted(beside) == [
        "c/anna/common_paths.xml",
        "c/anna/markables/markables.dtd",
        "c/scheme/coref_scheme.xml",
    ]


def test_the_front_reads_projects(tmp_path: Path) -> None:
    """What is left out names the level's own file."""
    files = written(tmp_path, project_of("anna", "bob"))
    annotations = read_export([(file.path, file.name) for file in files], ReaderOptions(source="coref"))
    assert isinstance(annotations.content, TextMarks)
    assert annotations.format == "mmax2"
    assert annotations.content.labels == ("coref",)
    assert annotations.content.location(1) == ("c/bob/markables/d_coref_level.xml", 2)
    assert [left.file for left in annotations.left_out] == [
        f"c/{name}/markables/d_named_entity_level.xml" for name in ("anna", "bob")
    ]
    assert annotations.unread == ()


def test_the_sample_in_one_folder_is_read(shared: Path) -> None:
    files = [ExportFile(path, f"mmax2/{path.name}") for path in sorted((shared / "formats/mmax2").iterdir())]
    assert [READER.recognises(file) or READER.accompanies(file) for file in files] == [True] * 4
    export = read_with(READER, files)
    assert summary(export) == [("3.addition", "mmax2", "seen", 22)]
    copy = only(export)
    (start, end), *_ = copy.marks[0].spans
    assert (copy.text or "")[start:end].count(" ") == 986 - 974


@pytest.fixture(scope="module")
def potts(shared: Path) -> Export:
    """The whole of Potts."""
    folder = shared / POTTS
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED on {POTTS}: it is not in the folder 'shared' beside the checkout")
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [ExportFile(path, path.relative_to(folder).as_posix()) for path in paths]
    return read_with(READER, [file for file in files if READER.recognises(file) or READER.accompanies(file)])


@pytest.mark.slow
def test_potts_is_read_whole(potts: Export) -> None:
    """63 documents are annotated by both; two markables span a word that their corpus lost."""
    states = Counter((copy.annotator, copy.state) for copy in potts.copies)
    assert states == {("annotator-1", "seen"): 63, ("annotator-1", "unseen"): 17, ("annotator-2", "seen"): 80}
    assert sum(len(copy.marks) for copy in potts.copies) == 27341
    assert [(left.file, left.line, left.reason) for left in potts.left_out] == [
        ("annotator-1/markables/7.pope_election_target_level.xml", 5, ASTRAY),
        ("annotator-2/markables/7.pope_election_target_level.xml", 10, ASTRAY),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_potts_has_as_many_markables_as_others_counted(potts: Export, shared: Path, name: str) -> None:
    """Counted were different ones, in the documents of both, with those that are left out here."""
    expected = json.loads((shared / "data" / "expected.json").read_text())[f"potts_{name}"]
    both = {copy.document for copy in potts.copies if (copy.annotator, copy.state) == ("annotator-1", "seen")}
    for annotator, key in (("annotator-1", "a1"), ("annotator-2", "a2")):
        found = {
            (copy.document, mark.spans, mark.features.get("polarity"))
            for copy in potts.copies
            if copy.annotator == annotator and copy.document in both
            for mark in copy.marks
            if mark.type == name
        }
        astray = sum(left.annotator == annotator for left in potts.left_out) if name == "target" else 0
        assert len(found) + astray == expected[key]
    assert len(both) == expected["files"]


@examples(50)
@given(copies(most=3, words=True))
def test_what_is_written_is_read(generated: list[DocumentCopy]) -> None:
    """Overlapping, adjacent and discontinuous marks over words, levels without any, projects not opened."""
    # Of a single annotator's projects no path says which part of it is the name.
    assume(len({copy.annotator for copy in generated}) > 1)
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(READER, write_mmax2.write(generated, Path(folder)))
    assert told(export.copies, ordered=False) == told(generated, ordered=False)


@pytest.mark.parametrize("folder", ["{}", "markables/{}", "{}/markables"])
def test_annotators_may_share_projects_and_words(mmax: Given, folder: str) -> None:
    """A project without markables in somebody's folder was not opened there."""
    anna, ben = (folder.format(name) for name in ("anna", "ben"))
    files = {
        "d.mmax": PROJECT,
        "d.words.xml": WORDS,
        "e.mmax": PROJECT.replace("d.words", "e.words"),
        "e.words.xml": words("Nobody"),
        f"{anna}/d_x_level.xml": level(markable("word_1")),
        f"{ben}/d_x_level.xml": level(markable("word_2")),
        f"{ben}/e_x_level.xml": level(),
    }
    found = [(copy.document, copy.annotator, copy.state, len(copy.marks)) for copy in mmax.read(files).copies]
    assert found == [
        ("d", "anna", "seen", 1),
        ("d", "ben", "seen", 1),
        ("e", "anna", "unseen", 0),
        ("e", "ben", "seen", 0),
    ]
