"""UIMA CAS XMI: the export that UIMA tools share, with its type system beside it or zipped with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from reportgen.errors import BadInput, Problem, for_each
from reportgen.formats import archive
from reportgen.formats.copies import Export
from reportgen.formats.parsing.cas_from_xmi import (
    TypeSystem,
    is_type_system,
    is_xmi,
    is_zipped_xmi,
    read_xmi_body,
    unzipped,
)
from reportgen.formats.parsing.curation import copies_of, name_bodies
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.readers import cas_json

EXTENSIONS = (".xmi", ".xml", ".zip")
READING = "UIMA CAS XMI: marks of the first view."


@dataclass(frozen=True)
class _Found:
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


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
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


def _require_some(files: Sequence[ExportFile], found: Sequence[_Found]) -> None:
    if files and not found:
        mend = "Add the XMI files that it belongs to."
        raise BadInput([Problem(files[0].name, message="is a type system without annotations.", mend=mend)])


def _found(file: ExportFile, systems: Sequence[TypeSystem]) -> list[_Found]:
    """Return the XMI file itself, or those of an archive, where a single one is called like the archive."""
    if not archive.is_zip(file):
        return [_Found(file, file, systems)]
    members, own = unzipped(file)
    if len(members) == 1:
        return [_Found(members[0], file, [*own, *systems])]
    folder = str(PurePosixPath(file.name).with_suffix(""))
    return [
        _Found(
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
