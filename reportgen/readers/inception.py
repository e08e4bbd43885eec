"""UIMA CAS XMI with its type systems, and INCEpTION's archive of a project: who annotated what, how far."""

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.annotations import Span, Utf16, code_points
from reportgen.readers.cas import (
    AGAIN,
    INITIAL_VIEW,
    JSON_READER,
    NO_TEXT,
    NUMBER,
    OF_NO_VIEW,
    SET_SEPARATOR,
    WITH_TEXT,
    RawStructure,
    TypeSystem,
    TypeSystems,
    check_structures,
    guarded,
    is_segmentation,
    is_type_system,
    read_cas,
    read_json_body,
)
from reportgen.readers.json_records import Record, expect, read_json
from reportgen.readers.naming import (
    CURATOR,
    TEMPLATE,
    Body,
    FileAttribution,
    export_of,
    nothing_read,
    project_export,
    without_faulty,
)
from reportgen.readers.reader import (
    Copy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    SetLabel,
    State,
    refuse,
)
from reportgen.readers.untrusted import (
    children,
    is_zip,
    line_of,
    local_name,
    member_names,
    parse_xml,
    root_name,
    text_of,
    unpack,
)
from reportgen.readers.webanno import read_body

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# UIMA CAS XMI: a file of annotations, with its type system beside it or zipped with it.

ROOT = "XMI"
ID = "{http://www.omg.org/XMI}id"
CAS = "uima.cas."
SOFA, VIEW, NULL = (f"{CAS}{name}" for name in ("Sofa", "View", "NULL"))
NO_NAMESPACE = "uima.noNamespace."
# Attributes that say where an annotation is; all others are features.
OFFSETS = (ID, "sofa", "begin", "end")
XMI_EXTENSIONS = (".xmi", ".xml", ".zip")
XMI_READING = "UIMA CAS XMI: marks of the first view."


# An XMI file, the path that says whose it is, and the type systems that come with it.
XmiFile = tuple[ExportFile, ExportFile, TypeSystems]


def recognises_xmi(file: ExportFile) -> bool:
    """Say whether the file is a CAS in XMI, or an archive of such files that is no whole project."""
    if is_zip(file):
        names = member_names(file)
        packed = any(name.lower().endswith(".xmi") for name in names)
        return packed and not any(name.startswith(DESCRIPTION) for name in names)
    return root_name(file) == ROOT and b"uima" in file.content  # other tools write XMI too


def read_xmi(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each XMI file, also of those in archives; a few faulty ones are left out.

    Raises BadInput with every fault of all where they are more.
    """
    systems = [TypeSystem(file) for file in files if is_type_system(file)]
    others = [file for file in files if not is_type_system(file)]
    shared = TypeSystems(systems)
    xmi_files = list(chain(*for_each(others, lambda file: _xmi_files(file, systems, shared))))
    if files and not xmi_files:
        remedy = "Add the XMI files that it belongs to."
        raise files[0].refused("is a type system without annotations.", remedy)
    by_name = {xmi_file.name: systems for xmi_file, _, systems in xmi_files}
    own = [xmi_file for xmi_file, _, _ in xmi_files]
    bodies = without_faulty(own, lambda file: read_xmi_body(file, by_name[file.name]), nothing_read)
    paths = [path for _, path, _ in xmi_files]
    return project_export(files, bodies, options, (XMI_EXTENSIONS, XMI_READING), paths)


def _xmi_files(file: ExportFile, systems: Sequence[TypeSystem], shared: TypeSystems) -> list[XmiFile]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not is_zip(file):
        return [(file, file, shared)]
    members, own_systems = unzipped(file)
    own = TypeSystems([*own_systems, *systems])
    if len(members) == 1:
        return [(members[0], file, own)]
    folder = str(PurePosixPath(file.name).with_suffix(""))
    return [
        (member, ExportFile(member.path, folder + member.name.removeprefix(file.name)), own)
        for member in members
    ]


def unzipped(file: ExportFile) -> tuple[list[ExportFile], list[TypeSystem]]:
    """Return the XMI files and type systems of an archive.

    Raises BadInput for an archive that is damaged or dangerous, or has no XMI.
    """
    members = unpack(file)
    xmi_files = [member for member in members if member.suffix == ".xmi"]
    if not xmi_files:
        raise file.refused("has no XMI file.", AGAIN)
    return xmi_files, [TypeSystem(member) for member in members if is_type_system(member)]


def read_xmi_body(file: ExportFile, systems: TypeSystems) -> Body:
    """Return the text of the first view and what annotators did in it.

    Where no type system fits, features are read as they are written, with a warning. Raises BadInput for
    files that are no XMI or damaged, and for offsets outside the text.
    """
    root = parse_xml(file)
    if local_name(root) != ROOT:
        message = f"is an XML file of {local_name(root)} where XMI was expected."
        raise file.refused(message, "Export as UIMA CAS XMI.", 1)
    structures = list(_raw_structures(file, root))
    check_structures(file, structures)
    types = {raw.type for raw in structures if not raw.type.startswith((CAS, "uima.tcas."))}
    system = systems.fitting(file, types)
    if system is None and types:
        return _read_as_written(file, root, types)

    def load() -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        from cassis import load_cas_from_xmi

        content = _without_segmentation(root)
        return load_cas_from_xmi(io.BytesIO(content), typesystem=system.loaded if system else None)

    return guarded(file, lambda: read_cas(file, load(), structures))


def _raw_structures(file: ExportFile, root: "Element") -> Iterator[RawStructure]:
    """Yield the feature structures in the order of the file; raise BadInput for offsets that are none."""
    elements = [(element, _type(element)) for element in children(root)]
    texts = {element.get(ID): element.get("sofaString") for element, kind in elements if kind == SOFA}
    for element, kind in elements:
        if kind not in {NULL, SOFA, VIEW}:
            text, span = texts.get(element.get("sofa")), _span(file, element)
            yield RawStructure(_number(element.get(ID)), line_of(element), kind, span, text)


def _without_segmentation(root: "Element") -> bytes:
    """Return the XML without the tokens and sentences that nothing refers to.

    They are most of a document, and to make structures of them is most of the work of reading it. They are
    taken out of `root`, whose lines and offsets have to be read before.
    """
    from lxml import etree

    kinds = [(element, _type(element)) for element in children(root)]
    views = [element for element, kind in kinds if kind == VIEW]
    referred: set[str | None] = {
        identifier
        for element, kind in kinds
        if kind not in {SOFA, VIEW}
        for identifier in _may_refer_to(element)
    }
    gone: set[str | None] = set()
    referred.add(None)  # a structure without an id is for dkpro-cassis to refuse
    for element, kind in kinds:
        identifier = element.get(ID)
        if is_segmentation(kind) and identifier not in referred:
            gone.add(identifier)
            root.remove(element)
    for view in views:
        members = (view.get("members") or "").split()
        view.set("members", " ".join(name for name in members if name not in gone))
    return etree.tostring(root, encoding="utf-8")


def _may_refer_to(element: "Element") -> Iterator[str]:
    """Yield whatever in a structure's attributes could be the id of another."""
    for key, value in element.attrib.items():
        if key not in OFFSETS:
            yield from str(value).split()


def _type(element: "Element") -> str:
    return _type_of(str(element.tag))


@lru_cache(maxsize=1024)
def _type_of(tag: str) -> str:
    """Return the name of a type: {http:///webanno/custom.ecore}Span is webanno.custom.Span."""
    space, _, name = tag.removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix(NO_NAMESPACE)


def _number(written: str | None) -> int | None:
    return int(written) if written is not None and NUMBER.fullmatch(written) else None


def _span(file: ExportFile, element: "Element") -> Span | None:
    if element.get("begin") is None and element.get("end") is None:
        return None
    start, end = _number(element.get("begin", "0")), _number(element.get("end", "0"))
    if start is None or end is None:
        message = f'is from "{element.get("begin")}" to "{element.get("end")}", which are no offsets.'
        raise file.refused(message, AGAIN, line_of(element))
    return start, end


def _read_as_written(file: ExportFile, root: "Element", types: Collection[str]) -> Body:
    """Return what annotators did as far as no type system is needed: attributes are features, as texts.

    What the list of the first view has is a mark; references to others are numbers.
    """
    text, members = _listed_in_first_view(file, root)
    units, marks, left_out = Utf16(text), list[ParsedMark](), list[tuple[int, str]]()
    referred_ids = {
        identifier
        for element in children(root)
        if _type(element) != VIEW
        for identifier in _may_refer_to(element)
    }
    for element in children(root):
        kind, line, span = _type(element), line_of(element), _span(file, element)
        is_link = span is None and element.get("target") is not None and element.get(ID) in referred_ids
        if kind.startswith(CAS) or is_segmentation(kind) or is_link:
            continue
        if element.get(ID) in members:
            spans = () if span is None else (code_points(units, file.name, line, span),)
            marks.append(ParsedMark(kind, spans, _features_as_written(element), line))
        elif span is not None:
            left_out.append((line, OF_NO_VIEW))
    shown = ", ".join(sorted(types, key=lambda name: (is_segmentation(name), name))[:3])
    message = (
        f"has no type system that declares {shown}: features are read as they are "
        "written, and what refers to another annotation is a number."
    )
    remedy = "Put TypeSystem.xml, which is exported with it, into the same folder."
    return Body(file.name, text, marks, left_out=left_out, warning=file.problem(message, remedy))


def _listed_in_first_view(file: ExportFile, root: "Element") -> tuple[str, set[str]]:
    """Return the text of the first view, and the ids that it lists."""
    with_text = [sofa for sofa in children(root) if _type(sofa) == SOFA and sofa.get("sofaString")]
    if not with_text:
        raise file.refused(NO_TEXT, WITH_TEXT)
    first = min(with_text, key=lambda sofa: sofa.get("sofaID") != INITIAL_VIEW)
    views = (view for view in children(root) if _type(view) == VIEW and view.get("sofa") == first.get(ID))
    identifiers = {name for view in views for name in (view.get("members") or "").split()}
    return str(first.get("sofaString")), identifiers


def _features_as_written(element: "Element") -> dict[str, str]:
    """Return the attributes, and elements inside, which are the members of a list of texts."""
    features = {str(name): str(text) for name, text in element.attrib.items() if name not in OFFSETS}
    for name in dict.fromkeys(map(local_name, children(element))):
        members = [text_of(child) for child in children(element, name)]
        features[name] = SetLabel(SET_SEPARATOR.join(members), members)
    return features


XMI_READER = Reader(
    name="cas-xmi",
    title="UIMA CAS XMI",
    tool="INCEpTION, WebAnno, UIMA",
    extensions=XMI_EXTENSIONS,
    reads=JSON_READER.reads,
    leaves_out=f"{JSON_READER.leaves_out} Without a type system, relations and slots.",
    recognises=recognises_xmi,
    read=read_xmi,
    accompanies=is_type_system,
)


# INCEpTION: a whole project in an archive, with who annotated what and how far.

DESCRIPTION = "exportedproject"
STATES: dict[str, State] = {"NEW": "unseen", "IGNORE": "skipped", "IN_PROGRESS": "seen", "FINISHED": "seen"}
PLAIN_TEXT = "text"
DOCUMENTS, COPIES = "source_documents", "annotation_documents"
EXTENSIONS = (".zip",)
ANNOTATION, CURATION, SOURCE = "annotation/", "curation/", "source/"
# Where a copy is there in several formats, the one that loses least.
FORMATS = (".json", ".zip", ".xmi", ".tsv")
READING = (
    "INCEpTION project: copies and their states as the project lists them; curated ones are a reference."
)
NEVER_OPENED = "of a copy that its annotator never opened"
PROJECT_AGAIN = "Export the project again"

# The folder of a file in an archive, its document, and whose it is.
MemberKey = tuple[str, str, str]


@dataclass(frozen=True)
class _Archive:
    """A project's archive: documents and states as its description has them, files, and type systems.

    `documents` says of each whether it was plain text; `states` are by document and annotator.
    """

    file: ExportFile
    documents: Mapping[str, bool]
    states: Mapping[tuple[str, str], State]
    files: Mapping[MemberKey, ExportFile]
    systems: dict[bytes, TypeSystem]


def is_description(name: str) -> bool:
    """Say whether a member of an archive describes a project."""
    return "/" not in name and name.startswith(DESCRIPTION) and name.endswith(".json")


def recognises(file: ExportFile) -> bool:
    """Say whether the file is an archive with the description of a project."""
    return is_zip(file) and any(map(is_description, member_names(file)))


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:  # noqa: ARG001 - the project says it all
    """Return each annotator's copies of all projects, and the curators' as a reference.

    Raises BadInput for archives that are damaged or dangerous, that have no copy in a format that can be
    read, lack one that somebody worked on, and with every fault of the copies.
    """
    exports = for_each(files, lambda file: _export(_open(file)))
    return Export(
        list(chain(*(export.copies for export in exports))),
        READING,
        tuple(file.source for file in files),
        tuple(chain(*(export.left_out for export in exports))),
        by_feature=True,
        warnings=tuple(chain(*(export.warnings for export in exports))),
    )


def _open(file: ExportFile) -> _Archive:
    members = unpack(file, (DESCRIPTION, ANNOTATION, CURATION, SOURCE))
    by_name = {member.name.removeprefix(f"{file.name}/"): member for member in members}
    descriptions = [member for name, member in by_name.items() if is_description(name)]
    if not descriptions:
        message = "has no exportedproject.json: it is no export of a project."
        raise file.refused(message, "Export the whole project.")
    if len(descriptions) > 1:
        names = ", ".join(member.path.name for member in descriptions)
        message = f"has {len(descriptions)} descriptions of a project, where one was expected: {names}."
        raise file.refused(message, f"{PROJECT_AGAIN}.")
    systems = {member.content: TypeSystem(member) for member in members if is_type_system(member)}
    return _Archive(file, *read_description(descriptions[0]), _by_key(by_name), systems)


def read_description(file: ExportFile) -> tuple[dict[str, bool], dict[tuple[str, str], State]]:
    """Return the documents, with whether each was plain text, and the states of annotators' copies of them.

    Raises BadInput with all that is not as it should be.
    """
    document = Record(file.name, 0, read_json(file))
    project = expect(document, "", document.value, dict, "an object")

    def records(key: str) -> list[Record]:
        contents = expect(document, key, project.get(key) or [], list, "a list")
        return [Record(file.name, number, content) for number, content in enumerate(contents, 1)]

    documents, of_documents = tried(
        records(DOCUMENTS),
        lambda record: (*_texts(record, DOCUMENTS, "name"), record.value.get("format") == PLAIN_TEXT),
    )
    states, of_states = tried(records(COPIES), _state)
    refuse([*of_documents, *of_states])
    return dict(documents), dict(states)


def _texts(record: Record, where: str, *keys: str) -> list[str]:
    content = expect(record, where, record.value, dict, "an object")
    return for_each(keys, lambda key: str(expect(record, key, content.get(key), str, "a text")))


def _state(record: Record) -> tuple[tuple[str, str], State]:
    document, user, state = _texts(record, COPIES, "name", "user", "state")
    if state not in STATES:
        message = f'is "{state[:40]}" where one of {", ".join(STATES)} was expected.'
        raise record.refused(message, f"{PROJECT_AGAIN}.", key="state")
    return (document, user), STATES[state]


def _by_key(by_name: Mapping[str, ExportFile]) -> dict[MemberKey, ExportFile]:
    """Return the readable copies, and the sources, which are nobody's."""
    files: dict[MemberKey, ExportFile] = {}
    for suffix in FORMATS:
        for name, member in by_name.items():
            if name.endswith(suffix):
                folder, _, path = name.partition("/")
                document, _, own_name = path.rpartition("/")
                files.setdefault((f"{folder}/", document, own_name.rpartition(".")[0]), member)
    for name, member in by_name.items():
        if name.startswith(SOURCE):
            files[SOURCE, name.removeprefix(SOURCE), ""] = member
    return files


def _export(archive: _Archive) -> Export:
    keys = _opened(archive)
    _require_copies(archive, keys)
    bodies = for_each(keys, lambda key: _body(archive, archive.files[key]))
    names = [FileAttribution(annotator, document) for _, document, annotator in keys]
    export = export_of([archive.file], bodies, names, READING, project=True)
    copies = [
        replace(copy, state=archive.states.get((copy.document, copy.annotator), "seen"))
        for copy in export.copies
    ]
    left_out = [
        mark
        for (document, annotator), state in archive.states.items()
        if state == "unseen" and (file := archive.files.get((ANNOTATION, document, annotator))) is not None
        for mark in _body(archive, file).all_left_out(annotator, NEVER_OPENED)
    ]
    return replace(
        export, copies=[*copies, *_unseen(archive, copies)], left_out=(*export.left_out, *left_out)
    )


def _opened(archive: _Archive) -> list[MemberKey]:
    """Return where copies are that were opened: those that the project lists, then others in the archive."""
    listed = [
        key
        for (document, annotator), state in archive.states.items()
        if (key := (ANNOTATION, document, annotator)) in archive.files or state == "seen"
    ]
    others = sorted(key for key in archive.files if key[0] in (ANNOTATION, CURATION))
    return [key for key in dict.fromkeys([*listed, *others]) if archive.states.get(key[1:]) != "unseen"]


def _require_copies(archive: _Archive, keys: Sequence[MemberKey]) -> None:
    """Raise BadInput where the copies that somebody worked on are not there in a readable format."""
    missing = [key for key in keys if key not in archive.files]
    if missing and len(missing) == len(keys):
        message = "has annotations only in the tool's own format (.ser), which nothing else reads."
        remedy = f"{PROJECT_AGAIN} and choose WebAnno TSV 3.3 or UIMA CAS JSON as the secondary format."
        raise archive.file.refused(message, remedy)
    if missing:
        remedy = f"{PROJECT_AGAIN}, with UIMA CAS JSON or WebAnno TSV 3.3 as the secondary format."
        raise BadInput(
            Problem(
                f"{archive.file.name}/{folder}{document}",
                message=f'lacks the copy of "{annotator}", who worked on it.',
                remedy=remedy,
            )
            for folder, document, annotator in missing
        )


def _body(archive: _Archive, file: ExportFile) -> Body:
    if file.suffix == ".json":
        return read_json_body(file)
    if file.suffix == ".tsv":
        return read_body(file)
    if file.suffix == ".xmi":
        return read_xmi_body(file, TypeSystems(archive.systems.values()))
    xmi_files, systems = unzipped(file)
    if len(xmi_files) > 1:
        raise file.refused(f"has {len(xmi_files)} XMI files, not one.", f"{PROJECT_AGAIN}.")
    # Every copy comes with the type system; as a rule it is the same one each time.
    shared = [archive.systems.setdefault(system.file.content, system) for system in systems]
    return read_xmi_body(xmi_files[0], TypeSystems(shared))


def _unseen(archive: _Archive, copies: Sequence[Copy]) -> Iterator[Copy]:
    """Yield a copy for each document that an annotator did not open, or skipped without leaving a file."""
    with_copy = {(copy.document, copy.annotator) for copy in copies}
    with_text = {copy.document for copy in copies if copy.text is not None}
    annotators = dict.fromkeys(annotator for _, annotator in archive.states)
    for document in dict.fromkeys([*archive.documents, *(name for name, _ in archive.states)]):
        # Of a document that nobody opened the text is known if it was imported as plain text.
        source = archive.files.get((SOURCE, document, "")) if archive.documents.get(document) else None
        is_plain = document not in with_text and source is not None and source.is_text()
        text = source.text if source is not None and is_plain else None
        for annotator in annotators:
            if (document, annotator) not in with_copy and annotator not in (CURATOR, TEMPLATE):
                state = archive.states.get((document, annotator), "unseen")
                yield Copy(
                    document, annotator, f"{archive.file.name}/{ANNOTATION}{document}", text, state=state
                )


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
