"""GATE's annotation sets, in XML or bdoc: a set's name is the annotator, some sets are nobody's."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import PurePosixPath

from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Copy, Export, Mark
from reportgen.formats.naming import Names, name_files, named_by_path
from reportgen.formats.reader import ExportFile, ReadOptions

DEFAULT = ""
MARKUP = "Original markups"
KEY = "Key"

OF_MARKUP = "the document's own markup, in GATE's set of original markups"
OF_DEFAULT = "in the default set, which holds preprocessing where annotators have sets with a name"


@dataclass(frozen=True)
class AnnotationSet:
    """A set of a document: its name, empty for the default one, and its marks."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class GateDocument:
    """A document with its sets, and what stands in its file besides."""

    file: ExportFile
    text: str
    sets: tuple[AnnotationSet, ...]
    left_out: tuple[LeftOut, ...] = ()


def as_export(
    documents: Sequence[GateDocument], options: ReadOptions, extensions: Sequence[str], reading: str
) -> Export:
    """Return a copy for each annotator's set of each document.

    - The name of a set is its annotator, "Key" a reference. A set that is there and empty was seen.
    - "Original markups" is left out. The default set is an annotator's only in a document without any
      set with a name, and then the file's path says whose; otherwise it is left out.
    - Whoever is asked for by name is an annotator.
    - A document in which nobody has a set was not seen by anybody.

    Raises BadInput where the option `path` does not fit.
    """
    asked = options.annotators or ()
    named = any(_named(each, asked) for each in documents)
    names = _names(documents, options, extensions)
    owners = _owners(documents, options, extensions, asked)
    copies = [
        copy
        for place, each in enumerate(documents)
        for copy in _copies(each, names[place], owners.get(place), asked, named=named)
    ]
    left_out = [
        left for place, each in enumerate(documents) for left in _left_out(each, owners.get(place), asked)
    ]
    return Export(
        copies=[*copies, *_unseen(documents, names, copies)],
        reading=reading,
        sources=tuple(each.file.source for each in documents),
        left_out=tuple(left_out),
    )


def _named(document: GateDocument, asked: Collection[str]) -> list[AnnotationSet]:
    """Return the sets whose name is that of an annotator."""
    return [
        each for each in document.sets if each.name != DEFAULT and (each.name != MARKUP or each.name in asked)
    ]


def _names(documents: Sequence[GateDocument], options: ReadOptions, extensions: Sequence[str]) -> list[str]:
    """Return what each document is called: its path below what all share, or what `path` says."""
    files = [each.file for each in documents]
    if options.path is not None:
        return [names.document for names in named_by_path(files, options.path)]
    paths = [PurePosixPath(file.name) for file in files]
    shared = commonpath([str(path.parent) for path in paths]) if paths else ""
    return [_without(path.relative_to(shared) if shared else path, extensions) for path in paths]


def _without(path: PurePosixPath, extensions: Sequence[str]) -> str:
    """Return the path without its extension, which may be one of two parts (".bdocjs.gz")."""
    name = str(path)
    ending = next((each for each in extensions if name.lower().endswith(each)), path.suffix)
    return name[: len(name) - len(ending)]


def _owners(
    documents: Sequence[GateDocument],
    options: ReadOptions,
    extensions: Sequence[str],
    asked: Collection[str],
) -> dict[int, Names]:
    """Return whose the default set is, for each document in which it is an annotator's."""
    unnamed = [place for place, each in enumerate(documents) if not _named(each, asked)]
    chosen = [documents[place] for place in unnamed]
    texts = [each.text for each in chosen]
    return dict(
        zip(unnamed, name_files([each.file for each in chosen], texts, options, extensions), strict=True)
    )


def _copies(
    document: GateDocument, name: str, owner: Names | None, asked: Collection[str], *, named: bool
) -> Iterator[Copy]:
    """Yield the copies of a document: by name of their sets, or the one of the default set."""
    for each in _named(document, asked):
        role = "reference" if each.name == KEY and KEY not in asked else "annotator"
        yield Copy(name, each.name, document.file.name, document.text, each.marks, role=role)
    if owner is None:
        return
    marks = tuple(mark for each in document.sets if each.name == DEFAULT for mark in each.marks)
    # An empty default set stands in every document: beside annotators' own sets it is nobody's work.
    if marks or not named:
        yield Copy(owner.document, owner.annotator, document.file.name, document.text, marks)


def _left_out(document: GateDocument, owner: Names | None, asked: Collection[str]) -> Iterator[LeftOut]:
    """Yield the marks in sets that are nobody's, and what else stands in the file."""
    yield from document.left_out
    for each in document.sets:
        reason = OF_MARKUP if each.name == MARKUP and MARKUP not in asked else ""
        if each.name == DEFAULT and owner is None:
            reason = OF_DEFAULT
        for mark in each.marks if reason else ():
            yield LeftOut(document.file.name, mark.line, "", reason, 1)


def _unseen(
    documents: Sequence[GateDocument], names: Sequence[str], copies: Sequence[Copy]
) -> Iterator[Copy]:
    """Yield the documents of which nobody has a copy, as not seen by any annotator."""
    known = {copy.file for copy in copies}
    annotators = list(dict.fromkeys(copy.annotator for copy in copies))
    for each, name in zip(documents, names, strict=True):
        if each.file.name not in known:
            for annotator in annotators:
                yield Copy(name, annotator, each.file.name, each.text, state="unseen")
