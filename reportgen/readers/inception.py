"""INCEpTION: a whole project in an archive, with who annotated what and how far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.cas import TypeSystem, is_type_system, read_json_body, read_xmi_body, unzipped
from reportgen.readers.json_records import Record, expect, read_json
from reportgen.readers.naming import CURATOR, TEMPLATE, Body, FileAttribution, project_export
from reportgen.readers.reader import Copy, Export, ExportFile, Reader, ReaderOptions, State, refuse
from reportgen.readers.untrusted import is_zip, member_names, unpack
from reportgen.readers.webanno import read_body

# What the description of an INCEpTION project says: its documents, and what each annotator did with them.

DESCRIPTION = "exportedproject"
STATES: dict[str, State] = {"NEW": "unseen", "IGNORE": "skipped", "IN_PROGRESS": "seen", "FINISHED": "seen"}
PLAIN_TEXT = "text"
DOCUMENTS, COPIES = "source_documents", "annotation_documents"


@dataclass(frozen=True)
class InceptionProject:
    """The project's documents, with whether each was plain text, and the state of each annotator's copies."""

    documents: dict[str, bool]
    states: dict[tuple[str, str], State]

    @property
    def annotators(self) -> list[str]:
        """Who has copies, in the order of the description."""
        return list(dict.fromkeys(annotator for _, annotator in self.states))


def is_description(name: str) -> bool:
    """Say whether a member of an archive describes a project."""
    return "/" not in name and name.startswith(DESCRIPTION) and name.endswith(".json")


def read_project(file: ExportFile) -> InceptionProject:
    """Return what the description says; raise BadInput with all that is not as it should be."""
    whole = Record(file.name, 0, read_json(file))
    data = expect(whole, "", whole.value, dict, "an object")
    documents, wrong = tried(_records(whole, data, DOCUMENTS), _document)
    states, more = tried(_records(whole, data, COPIES), _state)
    refuse([*wrong, *more])
    return InceptionProject(dict(documents), dict(states))


def _records(whole: Record, data: dict[str, Any], key: str) -> list[Record]:
    listed = expect(whole, key, data.get(key) or [], list, "a list")
    return [Record(whole.file, number, value) for number, value in enumerate(listed, 1)]


def _texts(record: Record, where: str, *keys: str) -> list[str]:
    value = expect(record, where, record.value, dict, "an object")
    return for_each(keys, lambda key: str(expect(record, key, value.get(key), str, "a text")))


def _document(record: Record) -> tuple[str, bool]:
    (name,) = _texts(record, DOCUMENTS, "name")
    return name, record.value.get("format") == PLAIN_TEXT


def _state(record: Record) -> tuple[tuple[str, str], State]:
    name, user, written = _texts(record, COPIES, "name", "user", "state")
    if written not in STATES:
        message = f'is "{written[:40]}" where one of {", ".join(STATES)} was expected.'
        raise record.refused(message, "Export the project again.", key="state")
    return (name, user), STATES[written]


# INCEpTION: a whole project in an archive, with who annotated what and how far.

EXTENSIONS = (".zip",)
ANNOTATION = "annotation/"
CURATION = "curation/"
SOURCE = "source/"
# Where a copy is there in several formats, the one that loses least.
FORMATS = (".json", ".zip", ".xmi", ".tsv")
READING = (
    "INCEpTION project: copies and their states as the project lists them; curated ones are a reference."
)
NEVER_OPENED = "of a copy that its annotator never opened"


@dataclass
class _Archive:
    """A project's archive: its description, and its files by folder, document and name."""

    file: ExportFile
    project: InceptionProject
    files: Mapping[tuple[str, str, str], ExportFile]
    systems: dict[bytes, TypeSystem]

    def state(self, document: str, annotator: str, otherwise: State) -> State:
        """Return what the project says that an annotator did with a document."""
        return self.project.states.get((document, annotator), otherwise)


def recognises(file: ExportFile) -> bool:
    """Say whether the file is an archive with the description of a project."""
    return is_zip(file) and any(map(is_description, member_names(file)))


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:  # noqa: ARG001 - the project says it all
    """Return each annotator's copies of all projects, and the curators' as a reference.

    Raises BadInput for archives that are damaged or dangerous, that hold no copy in a format that can be
    read, lack one that somebody worked on, and with every fault of the copies.
    """
    found = for_each(files, lambda file: _project(_open(file)))
    return Export(
        copies=[copy for each in found for copy in each.copies],
        reading=READING,
        sources=tuple(file.source for file in files),
        left_out=tuple(left for each in found for left in each.left_out),
        by_feature=True,
        warnings=tuple(warning for each in found for warning in each.warnings),
    )


def _open(file: ExportFile) -> _Archive:
    members = unpack(file, ("exportedproject", ANNOTATION, CURATION, SOURCE))
    inside = {member.name.removeprefix(f"{file.name}/"): member for member in members}
    descriptions = [member for name, member in inside.items() if is_description(name)]
    if not descriptions:
        message = "holds no exportedproject.json: it is no export of a project."
        raise file.refused(message, "Export the whole project.")
    systems = {each.content: TypeSystem(each) for each in members if is_type_system(each)}
    return _Archive(file, read_project(descriptions[0]), _by_place(inside), systems)


def _by_place(inside: Mapping[str, ExportFile]) -> dict[tuple[str, str, str], ExportFile]:
    """Return the readable copies by folder, document and annotator, and the sources by document."""
    found: dict[tuple[str, str, str], ExportFile] = {}
    ranked = [
        (name, member) for suffix in FORMATS for name, member in inside.items() if name.endswith(suffix)
    ]
    for name, member in ranked:
        folder, _, rest = name.partition("/")
        document, _, written = rest.rpartition("/")
        found.setdefault((f"{folder}/", document, written.rpartition(".")[0]), member)
    for name, member in inside.items():
        if name.startswith(SOURCE):
            found[SOURCE, name.removeprefix(SOURCE), ""] = member
    return found


def _project(opened: _Archive) -> Export:
    places = [place for place in _places(opened) if opened.state(*place[1:], "seen") != "unseen"]
    _require_copies(opened, places)
    bodies = for_each(
        [opened.files[place] for place in places if place in opened.files], lambda file: _body(opened, file)
    )
    names = [FileAttribution(annotator, document) for _, document, annotator in places]
    export = project_export([opened.file], bodies, names, READING)
    seen = [
        replace(copy, state=opened.state(copy.document, copy.annotator, "seen")) for copy in export.copies
    ]
    lost = [
        each
        for (document, annotator), state in opened.project.states.items()
        if state == "unseen" and (file := opened.files.get((ANNOTATION, document, annotator))) is not None
        for each in _body(opened, file).lost(annotator, NEVER_OPENED)
    ]
    return replace(export, copies=[*seen, *_unseen(opened, seen)], left_out=(*export.left_out, *lost))


def _places(opened: _Archive) -> list[tuple[str, str, str]]:
    """Return where copies are: those that the project lists, then others that are in the archive."""
    listed = [
        (ANNOTATION, document, annotator)
        for (document, annotator), state in opened.project.states.items()
        if state == "seen" or (ANNOTATION, document, annotator) in opened.files
    ]
    there = [place for place in opened.files if place[0] in (ANNOTATION, CURATION)]
    return list(dict.fromkeys([*listed, *sorted(there)]))


def _require_copies(opened: _Archive, places: Sequence[tuple[str, str, str]]) -> None:
    """Raise BadInput where the copies that somebody worked on are not there in a readable format."""
    missing = [place for place in places if place not in opened.files]
    if missing and not any(place in opened.files for place in places):
        message = "holds annotations only in the tool's own format (.ser), which nothing else reads."
        mend = "Export the project again and choose WebAnno TSV 3.3 or UIMA CAS JSON as the secondary format."
        raise opened.file.refused(message, mend)
    if missing:
        mend = "Export the project again, with UIMA CAS JSON or WebAnno TSV 3.3 as the secondary format."
        raise BadInput(
            Problem(
                f"{opened.file.name}/{folder}{document}",
                message=f'lacks the copy of "{annotator}", who worked on it.',
                mend=mend,
            )
            for folder, document, annotator in missing
        )


def _body(opened: _Archive, file: ExportFile) -> Body:
    if file.suffix == ".json":
        return read_json_body(file)
    if file.suffix == ".tsv":
        return read_body(file)
    if file.suffix == ".xmi":
        return read_xmi_body(file, list(opened.systems.values()))
    found, systems = unzipped(file)
    if len(found) > 1:
        raise file.refused(f"holds {len(found)} XMI files, not one.", "Export the project again.")
    # Every copy comes with the type system; as a rule it is the same one each time.
    shared = [opened.systems.setdefault(system.file.content, system) for system in systems]
    return read_xmi_body(found[0], shared)


def _unseen(opened: _Archive, seen: Sequence[Copy]) -> Iterator[Copy]:
    """Yield a copy for each document that an annotator did not open, or skipped without leaving a file."""
    known = {(copy.document, copy.annotator) for copy in seen}
    with_text = {copy.document for copy in seen if copy.text is not None}
    documents = dict.fromkeys([*opened.project.documents, *(name for name, _ in opened.project.states)])
    for document in documents:
        text = None if document in with_text else _source_text(opened, document)
        for annotator in opened.project.annotators:
            if (document, annotator) not in known and annotator not in (CURATOR, TEMPLATE):
                state = opened.state(document, annotator, "unseen")
                name = f"{opened.file.name}/{ANNOTATION}{document}"
                yield Copy(document, annotator, name, text, state=state)


def _source_text(opened: _Archive, document: str) -> str | None:
    """Return the text of a document that nobody opened, if it was imported as plain text."""
    file = opened.files.get((SOURCE, document, ""))
    plain = file is not None and opened.project.documents.get(document, False)
    return file.text if file is not None and plain and file.is_text() else None


READER = Reader(
    name="inception",
    title="INCEpTION project",
    tool="INCEpTION",
    extensions=EXTENSIONS,
    reads=(
        "Every annotator's copies in the secondary format (CAS JSON, CAS XMI, WebAnno TSV), with who "
        "opened, finished or skipped which document; the curator's copies as a reference."
    ),
    leaves_out=(
        "The tool's own .ser files, which nothing else reads; marks in the template or in copies that "
        "nobody opened; recommenders, tag sets, logs and settings, which are no marks."
    ),
    recognises=recognises,
    read=read,
)
