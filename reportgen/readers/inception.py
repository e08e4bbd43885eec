"""INCEpTION: a whole project in an archive, with who annotated what and how far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.cas import TypeSystem, is_type_system, read_json_body, read_xmi_body, unzipped
from reportgen.readers.json_records import Record, expect, read_json
from reportgen.readers.naming import CURATOR, TEMPLATE, Body, FileAttribution, export_of
from reportgen.readers.reader import Copy, Export, ExportFile, Reader, ReaderOptions, State, refuse
from reportgen.readers.untrusted import is_zip, member_names, unpack
from reportgen.readers.webanno import read_body

# What the description of an INCEpTION project says: its documents, and what each annotator did with them.

DESCRIPTION = "exportedproject"
STATES: dict[str, State] = {"NEW": "unseen", "IGNORE": "skipped", "IN_PROGRESS": "seen", "FINISHED": "seen"}
PLAIN_TEXT = "text"
DOCUMENTS, COPIES = "source_documents", "annotation_documents"


def is_description(name: str) -> bool:
    """Say whether a member of an archive describes a project."""
    return "/" not in name and name.startswith(DESCRIPTION) and name.endswith(".json")


def read_project(file: ExportFile) -> tuple[dict[str, bool], dict[tuple[str, str], State]]:
    """Return the documents, with whether each was plain text, and the states of annotators' copies of them.

    Raises BadInput with all that is not as it should be.
    """
    whole = Record(file.name, 0, read_json(file))
    data = expect(whole, "", whole.value, dict, "an object")
    documents, wrong = tried(
        _records(whole, data, DOCUMENTS),
        lambda each: (*_texts(each, DOCUMENTS, "name"), each.value.get("format") == PLAIN_TEXT),
    )
    states, more = tried(_records(whole, data, COPIES), _state)
    refuse([*wrong, *more])
    return dict(documents), dict(states)


def _records(whole: Record, data: dict[str, Any], key: str) -> list[Record]:
    listed = expect(whole, key, data.get(key) or [], list, "a list")
    return [Record(whole.file, number, value) for number, value in enumerate(listed, 1)]


def _texts(record: Record, where: str, *keys: str) -> list[str]:
    value = expect(record, where, record.value, dict, "an object")
    return for_each(keys, lambda key: str(expect(record, key, value.get(key), str, "a text")))


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


# The folder of a file in an archive, its document, and whose it is.
Place = tuple[str, str, str]


@dataclass(frozen=True)
class _Archive:
    """A project's archive: documents and states as its description has them, files, and type systems."""

    file: ExportFile
    documents: Mapping[str, bool]
    states: Mapping[tuple[str, str], State]
    files: Mapping[Place, ExportFile]
    systems: dict[bytes, TypeSystem]


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
        list(chain(*(each.copies for each in found))),
        READING,
        tuple(file.source for file in files),
        tuple(chain(*(each.left_out for each in found))),
        by_feature=True,
        warnings=tuple(chain(*(each.warnings for each in found))),
    )


def _open(file: ExportFile) -> _Archive:
    members = unpack(file, ("exportedproject", ANNOTATION, CURATION, SOURCE))
    inside = {member.name.removeprefix(f"{file.name}/"): member for member in members}
    descriptions = [member for name, member in inside.items() if is_description(name)]
    if not descriptions:
        message = "has no exportedproject.json: it is no export of a project."
        raise file.refused(message, "Export the whole project.")
    systems = {each.content: TypeSystem(each) for each in members if is_type_system(each)}
    return _Archive(file, *read_project(descriptions[0]), _by_place(inside), systems)


def _by_place(inside: Mapping[str, ExportFile]) -> dict[Place, ExportFile]:
    """Return the readable copies, and the sources, which are nobody's."""
    found: dict[Place, ExportFile] = {}
    for suffix in FORMATS:
        for name, member in inside.items():
            if name.endswith(suffix):
                folder, _, rest = name.partition("/")
                document, _, written = rest.rpartition("/")
                found.setdefault((f"{folder}/", document, written.rpartition(".")[0]), member)
    sources = {
        (SOURCE, name.removeprefix(SOURCE), ""): each
        for name, each in inside.items()
        if name.startswith(SOURCE)
    }
    return found | sources


def _project(opened: _Archive) -> Export:
    places = _places(opened)
    _require_copies(opened, places)
    bodies = for_each(places, lambda place: _body(opened, opened.files[place]))
    names = [FileAttribution(annotator, document) for _, document, annotator in places]
    export = export_of([opened.file], bodies, names, READING, project=True)
    seen = [
        replace(copy, state=opened.states.get((copy.document, copy.annotator), "seen"))
        for copy in export.copies
    ]
    lost = [
        each
        for (document, annotator), state in opened.states.items()
        if state == "unseen" and (file := opened.files.get((ANNOTATION, document, annotator))) is not None
        for each in _body(opened, file).lost(annotator, NEVER_OPENED)
    ]
    return replace(export, copies=[*seen, *_unseen(opened, seen)], left_out=(*export.left_out, *lost))


def _places(opened: _Archive) -> list[Place]:
    """Return where copies are that were opened: those that the project lists, then others in the archive."""
    listed = [
        place
        for (document, annotator), state in opened.states.items()
        if state == "seen" or (ANNOTATION, document, annotator) in opened.files
        for place in [(ANNOTATION, document, annotator)]
    ]
    there = sorted(place for place in opened.files if place[0] in (ANNOTATION, CURATION))
    return [each for each in dict.fromkeys([*listed, *there]) if opened.states.get(each[1:]) != "unseen"]


def _require_copies(opened: _Archive, places: Sequence[Place]) -> None:
    """Raise BadInput where the copies that somebody worked on are not there in a readable format."""
    missing = [place for place in places if place not in opened.files]
    if missing and len(missing) == len(places):
        message = "has annotations only in the tool's own format (.ser), which nothing else reads."
        remedy = (
            "Export the project again and choose WebAnno TSV 3.3 or UIMA CAS JSON as the secondary format."
        )
        raise opened.file.refused(message, remedy)
    if missing:
        remedy = "Export the project again, with UIMA CAS JSON or WebAnno TSV 3.3 as the secondary format."
        raise BadInput(
            Problem(
                f"{opened.file.name}/{folder}{document}",
                message=f'lacks the copy of "{annotator}", who worked on it.',
                remedy=remedy,
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
        raise file.refused(f"has {len(found)} XMI files, not one.", "Export the project again.")
    # Every copy comes with the type system; as a rule it is the same one each time.
    shared = [opened.systems.setdefault(system.file.content, system) for system in systems]
    return read_xmi_body(found[0], shared)


def _unseen(opened: _Archive, seen: Sequence[Copy]) -> Iterator[Copy]:
    """Yield a copy for each document that an annotator did not open, or skipped without leaving a file."""
    known = {(copy.document, copy.annotator) for copy in seen}
    with_text = {copy.document for copy in seen if copy.text is not None}
    annotators = dict.fromkeys(annotator for _, annotator in opened.states)
    for document in dict.fromkeys([*opened.documents, *(name for name, _ in opened.states)]):
        # Of a document that nobody opened the text is known if it was imported as plain text.
        source = opened.files.get((SOURCE, document, "")) if opened.documents.get(document) else None
        plain = document not in with_text and source is not None and source.is_text()
        for annotator in annotators:
            if (document, annotator) not in known and annotator not in (CURATOR, TEMPLATE):
                state = opened.states.get((document, annotator), "unseen")
                name = f"{opened.file.name}/{ANNOTATION}{document}"
                text = source.text if source is not None and plain else None
                yield Copy(document, annotator, name, text, state=state)


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
