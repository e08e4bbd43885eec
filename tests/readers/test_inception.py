"""INCEpTION projects: who opened, finished or skipped what, and copies in any of three formats."""

import json
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import DocumentCopy, Export, ExportFile, ReaderOptions, find_reader
from reportgen.readers.naming import OF_TEMPLATE
from reportgen.readers.uima_cas import NEVER_OPENED, READER, XMI_READER
from tests.properties import examples
from tests.readers import given_files
from tests.readers.generated import told
from tests.readers.samples import zipped
from tests.readers.test_round_trips import in_rows
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


def cas(begin: int = 9, end: int = 10, value: str = "FACE") -> tuple[str, str, str]:
    """Return the document with one mark as XMI with its type system, and as JSON."""
    from cassis import Cas, TypeSystem

    types = TypeSystem()
    span = types.create_type("custom.Span")
    types.create_feature(span, "value", "uima.cas.String")
    made = Cas(typesystem=types, sofa_string=TEXT)
    made.add(span(begin=begin, end=end, value=value))
    return str(made.to_xmi()), types.to_xml(), str(made.to_json())


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


@pytest.mark.parametrize("ending", [".conll", ".txt", ".nif.ttl"])
def test_copies_in_a_format_that_loses_layers_are_refused_in_words(tmp_path: Path, ending: str) -> None:
    """CoNLL 2002 and others, which INCEpTION has as secondary formats too, in the archive and unpacked."""
    contents = {name: content for name, content in project_as("tsv").items() if not name.endswith(".tsv")}
    contents["annotation/d1.txt/anna" + ending] = "Anna B-PER\n"
    (problem,) = refused(tmp_path, contents)
    shown = PurePosixPath(ending).suffix or ending
    assert f"has its copies as {shown}, and such files keep neither" in problem.message
    assert "choose WebAnno TSV 3.3 or UIMA CAS JSON" in problem.remedy
    reader, own = find_reader(in_folder(tmp_path / "p", contents), ReaderOptions())
    with pytest.raises(BadInput, match="has its copies as"):
        reader.read(own, ReaderOptions())


def test_a_copy_that_is_missing_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    """INCEpTION exports no copy of a user who was deleted, and nobody knows what is in it."""
    export = read(tmp_path, project(ben=None))
    (problem,) = export.warnings
    assert (problem.file, problem.message) == (
        "p.zip/annotation/d1.txt",
        'lacks the copy of "ben", who worked on it, and is compared without it.',
    )
    assert "ben" not in {copy.annotator for copy in export.copies}
    assert {"anna", "cleo", "dora"} < {copy.annotator for copy in export.copies}


def test_a_user_who_was_not_deleted_keeps_what_is_there(tmp_path: Path) -> None:
    states = (*STATES, ("d2.txt", "ben", "FINISHED"))
    export = read(tmp_path, project(exportedproject=description(*states)))
    assert [copy.document for copy in export.copies if copy.annotator == "ben"] == ["d1.txt"]


# Copies in each format that INCEpTION writes, of the same campaign.

MARKED = {"anna": {"d1.txt": "PER", "d2.txt": "LOC"}, "ben": {"d1.txt": "PER", "d2.txt": "PER"}}


def copy_as(secondary: str, user: str, label: str) -> tuple[str, str | bytes]:
    """Return what INCEpTION calls an annotator's copy in a secondary format, and what is in it."""
    xmi, types, as_json = cas(0, 4, label)
    tsv = TSV.format("_").replace("PER", label)
    copies: dict[str, tuple[str, str | bytes]] = {
        "json": (f"{user}.json", as_json),
        "tsv": (f"{user}.tsv", tsv),
        "zip": (f"{user}.zip", zipped({f"{user}.xmi": xmi, "TypeSystem.xml": types})),
        "temporary zip": (
            f"webanno{len(user)}12345export.zip",
            zipped({f"{user}.xmi": xmi, "TypeSystem.xml": types}),
        ),
        "zip of json": (f"{user}.zip", zipped({"CAS.json": as_json})),
        "zip of tsv": (f"webanno{len(user)}.zip", zipped({f"{user}.tsv": tsv})),
        "xmi of a document": (f"{user}.zip", zipped({"d.xmi": xmi, "TypeSystem.xml": types})),
    }
    return copies[secondary]


def project_as(secondary: str) -> dict[str, str | bytes]:
    states = [(document, user, "FINISHED") for user, copies in MARKED.items() for document in copies]
    contents: dict[str, str | bytes] = {
        "exportedproject.json": description(*states),
        **{f"source/{document}": TEXT for document in MARKED["anna"]},
        **{f"annotation_ser/{document}/{user}.ser": b"x" for document, user, _ in states},
    }
    for document, user, _ in states:
        name, content = copy_as(secondary, user, MARKED[user][document])
        contents[f"annotation/{document}/{name}"] = content
    for document, label in MARKED["anna"].items():
        name, content = copy_as(secondary, "CURATION_USER", label)
        contents[f"curation/{document}/{name}"] = content
    return contents


FORMATS_OF_COPIES = ("json", "tsv", "zip", "temporary zip", "zip of json", "zip of tsv", "xmi of a document")
SAME = [
    (user, document, "seen", role, (((0, 4),), label))
    for user, role, copies in (
        ("CURATION_USER", "reference", MARKED["anna"]),
        ("anna", "annotator", MARKED["anna"]),
        ("ben", "annotator", MARKED["ben"]),
    )
    for document, label in copies.items()
]


def content_of(export: Export) -> list[tuple[str, str, str, str, tuple[object, str]]]:
    return sorted(
        (copy.annotator, copy.document, copy.state, copy.role, (mark.spans, mark.features["value"]))
        for copy in export.copies
        for mark in copy.marks
    )


@pytest.mark.parametrize("secondary", FORMATS_OF_COPIES)
def test_each_format_of_copies_says_the_same(tmp_path: Path, secondary: str) -> None:
    export = read(tmp_path, project_as(secondary))
    assert content_of(export) == SAME
    assert export.warnings == ()


def in_folder(folder: Path, contents: dict[str, str | bytes]) -> list[ExportFile]:
    """Return the files of an unpacked project."""
    return given_files.written(folder, dict(sorted(contents.items())))


@pytest.mark.slow
@pytest.mark.parametrize("secondary", FORMATS_OF_COPIES)
@pytest.mark.parametrize("folder", ["", "p/"])
def test_an_unpacked_project_says_the_same(tmp_path: Path, secondary: str, folder: str) -> None:
    """With the states that its description says, and nobody beside its users."""
    contents = {f"{folder}{name}": content for name, content in project_as(secondary).items()}
    reader, own = find_reader(in_folder(tmp_path, contents), ReaderOptions())
    assert reader is READER
    export = reader.read(own, ReaderOptions())
    assert isinstance(export, Export)
    assert content_of(export) == SAME
    assert not any(file.name.endswith(".ser") for file in own)


def repacked(contents: dict[str, str | bytes], *, mac: bool) -> dict[str, str | bytes]:
    """Return the members of an archive that macOS or Windows makes of an unpacked one."""
    if not mac:
        return {f"p\\{name}".replace("/", "\\"): content for name, content in contents.items()}
    members: dict[str, str | bytes] = {"p/.DS_Store": b"\0", "__MACOSX/._p": b"\0"}
    for name, content in contents.items():
        folder, _, own_name = f"p/{name}".rpartition("/")
        members |= {f"{folder}/{own_name}": content, f"__MACOSX/{folder}/._{own_name}": b"\0\5\x16\7"}
    return members


@pytest.mark.parametrize("secondary", FORMATS_OF_COPIES)
@pytest.mark.parametrize("mac", [True, False])
def test_a_project_that_was_packed_again_says_the_same(tmp_path: Path, secondary: str, mac: bool) -> None:  # noqa: FBT001
    """With the folder around it, and beside it what the system adds."""
    file = written(tmp_path, repacked(project_as(secondary), mac=mac))
    assert READER.recognises(file)
    export = READER.read([file], ReaderOptions())
    assert isinstance(export, Export)
    assert content_of(export) == SAME


def test_temporary_archives_without_their_project_are_called_after_what_is_in_them(tmp_path: Path) -> None:
    """As people publish them: the folder annotation alone."""
    contents = {
        name: content
        for name, content in project_as("temporary zip").items()
        if name.startswith("annotation/")
    }
    reader, own = find_reader(in_folder(tmp_path, contents), ReaderOptions())
    export = reader.read(own, ReaderOptions())
    assert isinstance(export, Export)
    assert {(copy.annotator, copy.document) for copy in export.copies} == {
        (user, document) for user, documents in MARKED.items() for document in documents
    }


def cas_of(user: str, document: str) -> tuple[str, str]:
    """Return a CAS as INCEpTION exports it, whose metadata name the user and the document, and its types."""
    from cassis import Cas, TypeSystem

    types = TypeSystem()
    metadata = types.create_type("de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData")
    for feature in ("documentId", "documentTitle"):
        types.create_feature(metadata, feature, "uima.cas.String")
    span = types.create_type("custom.Span")
    made = Cas(typesystem=types, sofa_string=f"{TEXT} {document}")
    made.add(metadata(documentId=user, documentTitle=document))
    made.add(span(begin=0, end=4))
    return str(made.to_xmi()), str(types.to_xml())


@pytest.mark.parametrize("with_types", [True, False])
def test_metadata_say_whose_a_copy_is_before_its_name(tmp_path: Path, with_types: bool) -> None:  # noqa: FBT001
    whose = [("anna", "d1"), ("ben", "d1"), ("anna", "d2"), ("CURATION_USER", "d2")]
    contents: dict[str, str | bytes] = {f"x/{n}.xmi": cas_of(*each)[0] for n, each in enumerate(whose)}
    if with_types:
        contents["x/TypeSystem.xml"] = cas_of(*whose[0])[1]
    reader, own = find_reader(in_folder(tmp_path, contents), ReaderOptions())
    export = reader.read(own, ReaderOptions())
    assert isinstance(export, Export)
    assert [(copy.annotator, copy.document) for copy in export.copies] == whose


def test_files_that_are_called_otherwise_are_listed_once(tmp_path: Path) -> None:
    contents: dict[str, str | bytes] = {
        f"{document}_{user}.tsv": f"{TSV.format('_')}\n#Text={document}\n2-1\t13-15\t{document}\t_\t\n"
        for document in ("d1", "d2", "d3")
        for user in ("AS", "LK")
    }
    contents["d3_AS_final.tsv"] = contents.pop("d3_AS.tsv")
    contents["d2.tsv"] = contents["d2_AS.tsv"]
    reader, own = find_reader(in_folder(tmp_path, contents), ReaderOptions())
    export = reader.read(own, ReaderOptions())
    assert isinstance(export, Export)
    (warning,) = export.warnings
    assert warning.message == (
        '2 files are not called as the other 5 are, and read so: d2.tsv as the copy of "d2" by "annotator"; '
        'd3_AS_final.tsv as the copy of "d3" by "AS".'
    )


def test_a_file_of_coref_annotator_is_refused_in_words(tmp_path: Path) -> None:
    """Its chains would be numbers that no two annotators share."""
    content = cas(0, 4, "PER")[0].replace(
        "http:///custom.ecore", "http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore"
    )
    (file,) = in_folder(tmp_path, {"anna/d.ca2": content})
    assert XMI_READER.recognises(file)
    with pytest.raises(BadInput, match="CorefAnnotator: chains of mentions") as caught:
        XMI_READER.read([file], ReaderOptions())
    assert "DKPro" in caught.value.problems[0].remedy


def test_a_copy_that_is_faulty_is_left_out_where_the_others_are_not(tmp_path: Path) -> None:
    """Its annotator is not known to have seen the document and marked nothing."""
    contents = project_as("json")
    contents["annotation/d2.txt/ben.json"] = "{"
    states = [(document, user, "FINISHED") for user, copies in MARKED.items() for document in copies]
    contents["exportedproject.json"] = description(*states)
    export = read(tmp_path, contents)
    assert ("ben", "d2.txt") not in {(copy.annotator, copy.document) for copy in export.copies}
    assert [warning.file for warning in export.warnings] == ["p.zip/annotation/d2.txt/ben.json"]
    contents["annotation/d1.txt/ben.json"] = "{"
    assert len(refused(tmp_path, contents)) == 2


class NameOfMac(zipfile.ZipInfo):
    """A member whose name is in UTF-8, with no flag that says so."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - what zipfile calls
        return self.filename.encode(), 0


def test_letters_with_accents_are_the_same_however_an_archive_writes_them(tmp_path: Path) -> None:
    """The description has them composed; macOS has them apart, in UTF-8 without a flag that says so."""
    states = [("Büchner.txt", user, "FINISHED") for user in ("ann", "zoë")]
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("exportedproject.json", description(*states, documents=("Büchner.txt",)))
        for user in ("ann", "zoë"):
            name, content = copy_as("json", user, "PER")
            archive.writestr(
                NameOfMac(unicodedata.normalize("NFD", f"annotation/Büchner.txt/{name}")), content
            )
    export = READER.read([ExportFile(tmp_path / "p.zip", "p.zip")], ReaderOptions())
    assert isinstance(export, Export)
    assert {(copy.document, copy.annotator) for copy in export.copies} == {
        ("Büchner.txt", "ann"),
        ("Büchner.txt", "zoë"),
    }
    assert export.warnings == ()


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
    assert problem.message == "has no exportedproject.json: it is not an export of a project."


def test_an_archive_of_two_projects_is_refused(tmp_path: Path) -> None:
    """Each would say other things of who annotated what."""
    contents = {**project(), "exportedproject9.json": description(("d1.txt", "cyd", "FINISHED"))}
    (problem,) = refused(tmp_path, contents)
    assert problem.message == (
        "has 2 descriptions of a project, where one was expected: "
        "exportedproject123.json, exportedproject9.json."
    )


@examples(25)
@given(copies=in_rows())
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, copies: list[DocumentCopy]
) -> None:
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
