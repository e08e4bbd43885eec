"""UIMA CAS XMI: the export that UIMA tools share, with its type system beside it or zipped with it."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers import archive, cas_json, xml
from reportgen.readers.cas import AGAIN, Raw, check, guarded, read_cas, unusable_names
from reportgen.readers.naming import Body, copies_of, name_bodies
from reportgen.readers.reader import Export, ExportFile, Reader, ReaderOptions, Span, shortened

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# UIMA CAS XMI: a file of annotations, and beside it the type system that says what they mean.

ROOT = "XMI"
TYPE_SYSTEM_ROOT = "typeSystemDescription"
ID = "{http://www.omg.org/XMI}id"
CAS = "uima.cas."
NO_NAMESPACE = "uima.noNamespace."
LONGEST_NUMBER = 9


class TypeSystem:
    """A type system file; it is read when it is first needed, and once."""

    def __init__(self, file: ExportFile) -> None:
        self.file = file

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the types that it declares; raises BadInput for XML that can't be a type system."""
        root = xml.parse(self.file)
        features = [_text(each) for each in root.iterfind(".//{*}featureDescription/{*}name")]
        problems = [
            Problem(self.file.name, message=f'declares the feature "{name[:40]}", which is no plain name.')
            for name in unusable_names(features)
        ]
        if problems:
            raise BadInput(shortened(problems))
        return frozenset(_text(each) for each in root.iterfind(".//{*}typeDescription/{*}name"))

    @cached_property
    def loaded(self) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        """What dkpro-cassis makes of it, None if it declares nothing; raises BadInput where it can't."""
        from cassis import load_typesystem

        if not self.names:  # reading them refuses names that could be code, before they are compiled
            return None
        return guarded(self.file, lambda: load_typesystem(io.BytesIO(self.file.content)))


def _text(element: "Element") -> str:
    return (element.text or "").strip()


def read_xmi_body(file: ExportFile, systems: Sequence[TypeSystem]) -> Body:
    """Return the text of the first view and what annotators did in it.

    Of the type systems that of the same name counts, else the first in the same folder, then anywhere,
    that declares all types of the file. Raises BadInput where there is none, for files that are no XMI or
    damaged, and for offsets outside the text.
    """
    root = xml.parse(file)
    if _local_name(root) != ROOT:
        message = f"is an XML file of {_local_name(root)} where XMI was expected."
        raise BadInput([Problem(file.name, 1, message=message, mend="Export as UIMA CAS XMI.")])
    raws = list(_raws(file, root))
    check(file, raws)
    system = _fitting(file, raws, systems)
    return guarded(file, lambda: read_cas(file, _load(file, system), raws))


def _load(file: ExportFile, system: TypeSystem | None) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
    from cassis import load_cas_from_xmi

    return load_cas_from_xmi(io.BytesIO(file.content), typesystem=system.loaded if system else None)


def _local_name(element: "Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _raws(file: ExportFile, root: "Element") -> Iterator[Raw]:
    """Yield the feature structures in the order of the file; raise BadInput for offsets that are none."""
    texts = {
        each.get(ID): each.get("sofaString")
        for each in root
        if isinstance(each.tag, str) and _type(each) == f"{CAS}Sofa"
    }
    for each in root:
        if isinstance(each.tag, str) and _type(each) not in {f"{CAS}NULL", f"{CAS}Sofa", f"{CAS}View"}:
            text = texts.get(each.get("sofa"))
            line = int(each.sourceline or 0)
            yield Raw(_number(each.get(ID)), line, _type(each), _span(file, each), text)


def _type(element: "Element") -> str:
    """Return the name of a type: {http:///webanno/custom.ecore}Span is webanno.custom.Span."""
    space, _, name = str(element.tag).removeprefix("{").rpartition("}")
    package = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}".removeprefix(NO_NAMESPACE)


def _number(written: str | None) -> int | None:
    plain = written is not None and written.isascii() and written.isdecimal()
    return int(written) if written is not None and plain and len(written) <= LONGEST_NUMBER else None


def _span(file: ExportFile, element: "Element") -> Span | None:
    if element.get("begin") is None and element.get("end") is None:
        return None
    start, end = _number(element.get("begin", "0")), _number(element.get("end", "0"))
    if start is None or end is None:
        message = f'stands from "{element.get("begin")}" to "{element.get("end")}", which are no offsets.'
        raise BadInput([Problem(file.name, int(element.sourceline or 0), message=message, mend=AGAIN)])
    return start, end


def _fitting(file: ExportFile, raws: Sequence[Raw], systems: Sequence[TypeSystem]) -> TypeSystem | None:
    """Return the type system of a file, None where it has built-in types only and there is none."""
    used = {raw.type for raw in raws if not raw.type.startswith(("uima.cas.", "uima.tcas."))}
    ranked = sorted(systems, key=lambda system: _distance(file, system.file))
    for system in ranked:
        if used <= system.names:
            return system
    if ranked and _distance(file, ranked[0].file)[0] <= 1:
        return ranked[0]  # what is missing there is named when the CAS is loaded
    if not used:
        return None
    message = f"has no type system that declares {', '.join(sorted(used)[:3])}."
    mend = "Put TypeSystem.xml, which is exported with it, into the same folder."
    raise BadInput([Problem(file.name, message=message, mend=mend)])


def _distance(file: ExportFile, system: ExportFile) -> tuple[int, str]:
    """Return how far a type system is from a file: of the same name, in the same folder, elsewhere."""
    path, other = PurePosixPath(file.name), PurePosixPath(system.name)
    near = path.parent == other.parent
    return (0 if near and other.name.startswith(path.stem) else 1 if near else 2), system.name


def is_type_system(file: ExportFile) -> bool:
    """Say whether the file is the description of a type system."""
    return file.suffix == ".xml" and xml.root_name(file) == TYPE_SYSTEM_ROOT


def is_xmi(file: ExportFile) -> bool:
    """Say whether the file is a CAS in XMI; other tools write XMI too."""
    return xml.root_name(file) == ROOT and b"uima" in file.content


def is_zipped_xmi(file: ExportFile) -> bool:
    """Say whether the file is an archive of XMI files."""
    return archive.is_zip(file) and any(name.lower().endswith(".xmi") for name in archive.names(file))


def unzipped(file: ExportFile) -> tuple[list[ExportFile], list[TypeSystem]]:
    """Return the XMI files and type systems of an archive.

    Raises BadInput for an archive that is damaged or dangerous, or holds no XMI.
    """
    members: list[ExportFile] = [*archive.members(file)]
    found = [member for member in members if member.suffix == ".xmi"]
    if not found:
        raise BadInput([Problem(file.name, message="holds no XMI file.", mend=AGAIN)])
    return found, [TypeSystem(member) for member in members if is_type_system(member)]


# UIMA CAS XMI: the export that UIMA tools share, with its type system beside it or zipped with it.

EXTENSIONS = (".xmi", ".xml", ".zip")
READING = "UIMA CAS XMI: marks of the first view."


@dataclass(frozen=True)
class _XmiFile:
    """An XMI file, the path that says whose it is, and the type systems that come with it."""

    file: ExportFile
    shown: ExportFile
    systems: Sequence[TypeSystem]


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a CAS in XMI, or an archive of such files that is no whole project."""
    if archive.is_zip(file):
        names = archive.names(file)
        return is_zipped_xmi(file) and not any(name.startswith("exportedproject") for name in names)
    return is_xmi(file)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each XMI file, also of those in archives.

    Raises BadInput with every fault of all files, and where the type system is missing.
    """
    systems = [TypeSystem(file) for file in files if is_type_system(file)]
    others = [file for file in files if not is_type_system(file)]
    found = [each for group in for_each(others, lambda file: _found(file, systems)) for each in group]
    _require_some(files, found)
    at = {id(each.file): each for each in found}
    bodies = for_each([each.file for each in found], lambda file: read_xmi_body(file, at[id(file)].systems))
    names = name_bodies([each.shown for each in found], bodies, options, EXTENSIONS)
    copies, left_out = copies_of(bodies, names)
    return Export(copies, READING, tuple(file.source for file in files), left_out, by_feature=True)


def _require_some(files: Sequence[ExportFile], found: Sequence[_XmiFile]) -> None:
    if files and not found:
        mend = "Add the XMI files that it belongs to."
        raise BadInput([Problem(files[0].name, message="is a type system without annotations.", mend=mend)])


def _found(file: ExportFile, systems: Sequence[TypeSystem]) -> list[_XmiFile]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not archive.is_zip(file):
        return [_XmiFile(file, file, systems)]
    members, own = unzipped(file)
    if len(members) == 1:
        return [_XmiFile(members[0], file, [*own, *systems])]
    folder = str(PurePosixPath(file.name).with_suffix(""))
    return [
        _XmiFile(
            member, ExportFile(member.path, folder + member.name.removeprefix(file.name)), [*own, *systems]
        )
        for member in members
    ]


READER = Reader(
    name="cas-xmi",
    title="UIMA CAS XMI",
    tool="INCEpTION, WebAnno, UIMA",
    extensions=EXTENSIONS,
    reads=cas_json.READER.reads,
    leaves_out=cas_json.READER.leaves_out,
    recognises=recognises,
    read=read,
    accompanies=is_type_system,
)
