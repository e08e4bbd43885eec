"""Whose copy a file of WebAnno or INCEpTION is: an annotator's, the curator's, or the template of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Copy, Mark, Relation
from reportgen.formats.naming import Names, name_files
from reportgen.formats.reader import ExportFile, ReadOptions

CURATOR = "CURATION_USER"
TEMPLATE = "INITIAL_CAS"
CURATORS = ("curator", "curation", CURATOR.lower())
CURATION_FOLDER = "curation"
PROJECT_FOLDERS = ("annotation", CURATION_FOLDER)

OF_TEMPLATE = "of the template that all copies start from"


@dataclass(frozen=True, slots=True)
class Body:
    """What one file says about one document, before it is known whose it is.

    `left_out` has the line and the reason of each mark that is not used.
    """

    file: str
    text: str | None
    marks: tuple[Mark, ...]
    relations: tuple[Relation, ...] = ()
    left_out: tuple[tuple[int, str], ...] = ()


def name_bodies(
    files: Sequence[ExportFile], bodies: Sequence[Body], options: ReadOptions, extensions: Sequence[str]
) -> list[Names]:
    """Return whose each file is and of which document, as `name_files` does.

    The folders `annotation` and `curation` of an unpacked project are no part of a document's name. Raises
    BadInput for paths that the option `path` does not fit.
    """
    texts = [body.text or "" for body in bodies]
    shown = list(files) if options.path is not None else _without_project_folders(files)
    return name_files(shown, texts, options, extensions)


def _without_project_folders(files: Sequence[ExportFile]) -> list[ExportFile]:
    if not any("annotation" in PurePosixPath(file.name).parts[:-1] for file in files):
        return list(files)
    return [ExportFile(file.path, _without_folders(PurePosixPath(file.name))) for file in files]


def _without_folders(path: PurePosixPath) -> str:
    return str(PurePosixPath(*(part for part in path.parts[:-1] if part not in PROJECT_FOLDERS), path.name))


def copies_of(bodies: Sequence[Body], names: Sequence[Names]) -> tuple[tuple[Copy, ...], tuple[LeftOut, ...]]:
    """Return each annotator's and the curator's copies, and what no copy holds: the template's marks."""
    copies: list[Copy] = []
    left_out: list[LeftOut] = []
    for body, name in zip(bodies, names, strict=True):
        left_out += [LeftOut(body.file, line, name.annotator, reason, 1) for line, reason in body.left_out]
        if name.annotator == TEMPLATE:
            left_out += _of_template(body)
        else:
            copies.append(copy_of(body, name, role(body.file, name.annotator)))
    return tuple(copies), tuple(left_out)


def copy_of(body: Body, name: Names, role: str = "annotator") -> Copy:
    """Return the copy that a file holds, which somebody saw."""
    return Copy(
        document=name.document,
        annotator=name.annotator,
        file=body.file,
        text=body.text,
        marks=body.marks,
        relations=body.relations,
        role=role,
    )


def _of_template(body: Body) -> list[LeftOut]:
    lines = [*(mark.line for mark in body.marks), *(each.line for each in body.relations)]
    return [LeftOut(body.file, line, "", OF_TEMPLATE, 1) for line in lines]


def role(file: str, annotator: str) -> str:
    """Return "reference" for the curator's copy, "annotator" for everyone else's."""
    curated = CURATION_FOLDER in PurePosixPath(file).parts[:-1] and annotator.lower() in CURATORS
    return "reference" if curated or annotator == CURATOR else "annotator"
