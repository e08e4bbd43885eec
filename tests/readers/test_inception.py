"""INCEpTION projects: who opened, finished or skipped what, and copies in any of three formats."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import Copy, Export, ExportFile, ReaderOptions, TextMarks, read_export
from reportgen.readers.inception import NEVER_OPENED, READER
from reportgen.readers.naming import OF_TEMPLATE
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.test_webanno_tsv import campaigns
from tests.readers.write_webanno import write

TEXT = "Anna met 😀"
TSV = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n\n#Text=Anna met 😀\n"
    "1-1\t0-4\tAnna\tPER\t\n1-2\t5-8\tmet\t_\t\n1-3\t9-11\t😀\t{}\t\n"
)
STATES = (
    ("d1.txt", "anna", "FINISHED"),
    ("d1.txt", "ben", "IN_PROGRESS"),
    ("d1.txt", "cleo", "IN_PROGRESS"),
    ("d1.txt", "dora", "IGNORE"),
    ("d2.txt", "anna", "NEW"),
    ("d2.txt", "dora", "IGNORE"),
)


def description(*states: tuple[str, str, str], documents: tuple[str, ...] = ("d1.txt", "d2.txt")) -> str:
    sources = [{"name": name, "format": "text"} for name in documents]
    marked = [{"name": name, "user": user, "state": state} for name, user, state in states]
    return json.dumps({"name": "p", "source_documents": sources, "annotation_documents": marked})


def cas() -> tuple[str, str, str]:
    """Return the document as XMI with its type system, and as JSON."""
    from cassis import Cas, TypeSystem

    types = TypeSystem()
    span = types.create_type("custom.Span")
    types.create_feature(span, "value", "uima.cas.String")
    made = Cas(typesystem=types, sofa_string=TEXT)
    made.add(span(begin=9, end=10, value="FACE"))
    return str(made.to_xmi()), types.to_xml(), str(made.to_json())


def zipped(contents: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return made.getvalue()


def project(**changes: str | bytes | None) -> dict[str, str | bytes]:
    """Return the members of a project's archive, with those changed that are named by their stems."""
    xmi, types, as_json = cas()
    contents: dict[str, str | bytes] = {
        "exportedproject123.json": description(*STATES),
        "source/d1.txt": TEXT,
        "source/d2.txt": "Never é",
        "annotation/d1.txt/anna.tsv": TSV.format("_"),
        "annotation/d1.txt/ben.zip": zipped({"ben.xmi": xmi, "TypeSystem.xml": types}),
        "annotation/d1.txt/cleo.json": as_json,
        "annotation/d1.txt/dora.tsv": TSV.format("FACE"),
        "annotation/d1.txt/INITIAL_CAS.tsv": TSV.format("_"),
        "annotation/d2.txt/anna.tsv": TSV.format("_"),
        "annotation_ser/d1.txt/anna.ser": b"\xac\xed",
        "curation/d1.txt/CURATION_USER.tsv": TSV.format("FACE"),
        "event.log": "",
    }
    for stem, content in changes.items():
        name = next(name for name in contents if name.rpartition("/")[2].startswith(stem))
        if content is None:
            del contents[name]
        else:
            contents[name] = content
    return contents


def written(folder: Path, contents: dict[str, str | bytes], name: str = "p.zip") -> ExportFile:
    (folder / name).write_bytes(zipped(contents))
    return ExportFile(folder / name, name)


def read(folder: Path, contents: dict[str, str | bytes]) -> Export:
    found = READER.read([written(folder, contents)], ReaderOptions())
    assert isinstance(found, Export)
    return found


def refused(folder: Path, contents: dict[str, str | bytes]) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as caught:
        read(folder, contents)
    return caught.value.problems


def test_copies_have_the_state_that_the_project_says(tmp_path: Path) -> None:
    """Seen, skipped and unseen; the curator is a reference; three formats say the same of one text."""
    export = read(tmp_path, project())
    assert [
        (copy.document, copy.annotator, copy.state, copy.role, len(copy.marks), copy.text)
        for copy in export.copies
    ] == [
        ("d1.txt", "anna", "seen", "annotator", 1, TEXT),
        ("d1.txt", "ben", "seen", "annotator", 1, TEXT),
        ("d1.txt", "cleo", "seen", "annotator", 1, TEXT),
        ("d1.txt", "dora", "skipped", "annotator", 2, TEXT),
        ("d1.txt", "CURATION_USER", "seen", "reference", 2, TEXT),
        ("d2.txt", "anna", "unseen", "annotator", 0, "Never é"),
        ("d2.txt", "ben", "unseen", "annotator", 0, "Never é"),
        ("d2.txt", "cleo", "unseen", "annotator", 0, "Never é"),
        ("d2.txt", "dora", "skipped", "annotator", 0, "Never é"),
    ]
    assert {mark.spans for copy in export.copies[1:3] for mark in copy.marks} == {((9, 10),)}
    assert [source.file for source in export.sources] == ["p.zip"]


def test_marks_of_the_template_and_of_unopened_copies_are_left_out(tmp_path: Path) -> None:
    export = read(tmp_path, project())
    assert [(left.file, left.line, left.annotator, left.reason) for left in export.left_out] == [
        ("p.zip/annotation/d1.txt/INITIAL_CAS.tsv", 6, "", OF_TEMPLATE),
        ("p.zip/annotation/d2.txt/anna.tsv", 6, "anna", NEVER_OPENED),
    ]


def test_a_copy_that_the_project_does_not_list_is_read_too(tmp_path: Path) -> None:
    contents = project()
    contents["annotation/d1.txt/emil.b.tsv"] = TSV.format("_")
    export = read(tmp_path, contents)
    assert [copy.state for copy in export.copies if copy.annotator == "emil.b"] == ["seen"]


def test_a_type_system_beside_an_xmi_file_counts(tmp_path: Path) -> None:
    xmi, types, _ = cas()
    contents = project(cleo=None)
    contents |= {"annotation/d1.txt/cleo.xmi": xmi, "annotation/d1.txt/TypeSystem.xml": types}
    (copy,) = (copy for copy in read(tmp_path, contents).copies if copy.file.endswith("cleo.xmi"))
    assert len(copy.marks) == 1


def test_without_a_readable_format_the_way_out_is_named(tmp_path: Path) -> None:
    contents = {name: text for name, text in project().items() if not name.startswith(("annotation/", "cur"))}
    (problem,) = refused(tmp_path, contents)
    assert problem.file == "p.zip"
    assert "WebAnno TSV 3.3 or UIMA CAS JSON" in problem.remedy


def test_a_copy_that_is_missing_is_named(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, project(ben=None))
    assert (problem.file, problem.message) == (
        "p.zip/annotation/d1.txt",
        'lacks the copy of "ben", who worked on it.',
    )


def test_problems_of_all_copies_come_at_once(tmp_path: Path) -> None:
    problems = refused(tmp_path, project(anna="#FORMAT=WebAnno TSV 1\n", cleo="{", ben=b"PK\x03\x04"))
    assert {problem.file for problem in problems} == {
        "p.zip/annotation/d1.txt/anna.tsv",
        "p.zip/annotation/d1.txt/ben.zip",
        "p.zip/annotation/d1.txt/cleo.json",
    }


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[]", 0, "is a list where an object was expected."),
        ('{"annotation_documents": 3}', 0, "is a number where a list was expected."),
        ('{"annotation_documents": [3]}', 1, "is a number where an object was expected."),
        (
            '{"annotation_documents": [{"name": "d", "user": 3, "state": "NEW"}]}',
            1,
            "is a number where a text was",
        ),
        (description(("d", "u", "LOST")), 1, 'is "LOST" where one of NEW, IGNORE, IN_PROGRESS, FINISHED was'),
    ],
)
def test_a_damaged_description_is_refused(tmp_path: Path, text: str, line: int, message: str) -> None:
    (problem,) = refused(tmp_path, project(exportedproject=text))
    assert (problem.file, problem.line) == ("p.zip/exportedproject123.json", line)
    assert problem.message.startswith(message)


def test_an_archive_that_is_no_project_is_refused(tmp_path: Path) -> None:
    assert not READER.recognises(written(tmp_path, {"a.txt": "b"}))
    (problem,) = refused(tmp_path, {"a.txt": "b"})
    assert problem.message == "has no exportedproject.json: it is no export of a project."


def test_an_archive_of_two_projects_is_refused(tmp_path: Path) -> None:
    """Each would say other things of who annotated what."""
    contents = {**project(), "exportedproject9.json": description(("d1.txt", "cyd", "FINISHED"))}
    (problem,) = refused(tmp_path, contents)
    assert problem.message == (
        "has 2 descriptions of a project, where one was expected: "
        "exportedproject123.json, exportedproject9.json."
    )


def test_an_archive_that_leads_out_of_itself_is_refused(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, {**project(), "annotation/../../x.tsv": "a"})
    assert "leads out of the archive" in problem.message


def test_a_project_is_read_from_its_archive(tmp_path: Path) -> None:
    file = written(tmp_path, project())
    found = read_export([(file.path, file.name)])
    assert isinstance(found.content, TextMarks)
    assert found.format == "inception"
    assert found.content.labels == ("PER", "FACE")
    assert found.roles == {"CURATION_USER": "reference"}
    assert found.marks_read == 9 == len(found.content.label) + sum(left.marks for left in found.left_out)


def test_the_sample_has_no_readable_format(shared: Path) -> None:
    path = shared / "formats/inception_project_export/test-project-with-recommenders.zip"
    if not path.exists():
        pytest.skip(
            "NOT TESTED on an INCEpTION project: it is not in the folder 'shared' beside the checkout"
        )
    file = ExportFile(path, path.name)
    assert READER.recognises(file)
    with pytest.raises(BadInput, match=r"own format \(\.ser\)"):
        READER.read([file], ReaderOptions())


@examples(25)
@given(copies=campaigns())
def test_what_was_written_comes_back(tmp_path_factory: pytest.TempPathFactory, copies: list[Copy]) -> None:
    """The copies of a generated campaign in the archive of a project, each where the tool puts it."""
    folder = tmp_path_factory.mktemp("project")
    states = [(copy.document, copy.annotator, "FINISHED") for copy in copies if copy.state == "seen"]
    members: dict[str, str | bytes] = {
        "exportedproject1.json": description(*states, documents=tuple({copy.document: 0 for copy in copies}))
    }
    for file in write(copies, folder / "copies"):
        annotator, _, document = file.name.removesuffix(".tsv").partition("/")
        members[f"annotation/{document}/{annotator}.tsv"] = file.content
    (folder / "project.zip").write_bytes(zipped(members))
    export = READER.read([ExportFile(folder / "project.zip", "project.zip")], ReaderOptions())
    assert isinstance(export, Export)
    opened = [copy for copy in export.copies if copy.state == "seen"]
    assert told(opened, ordered=False) == told(copies, ordered=False)
