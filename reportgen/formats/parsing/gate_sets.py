"""GATE's annotation sets, in XML or bdoc: a set's name is the annotator, some sets are nobody's."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from os.path import commonpath
from pathlib import PurePosixPath

from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Copy, Export, Mark
from reportgen.formats.naming import Names, name_files, named_by_path
from reportgen.formats.reader import ExportFile, ReadOptions

DEFAULT = ""
MARKUP = "Original markups"
KEY = "Key"

# What the readers of GATE say of themselves: both formats hold the same sets.
READS = "Annotations of each set with their features; a set's name is the annotator, Key the reference."
LEAVES_OUT = (
    "The set of original markups, which is the document's own; the default set where others have a name, "
    "since it holds preprocessing; features of documents."
)

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
    - Where annotators worked in copies of a document, each in a file of its own, the copies are one document;
      where their sets all have the same name, the file's path says whose each is.
    - A document in which nobody has a set was not seen by anybody.

    Raises BadInput where the option `path` does not fit.
    """
    asked = options.annotators or ()
    documents = _own_copies(documents, options, extensions)
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


def _own_copies(
    documents: Sequence[GateDocument], options: ReadOptions, extensions: Sequence[str]
) -> Sequence[GateDocument]:
    """Return the documents, with the only named set there is as default set where paths say whose it is."""
    asked = options.annotators or ()
    names = {each.name for document in documents for each in _named(document, asked)}
    if len(names) != 1 or names & {*asked} or not _come_again(documents):
        return documents
    found = name_files(
        [each.file for each in documents], [each.text for each in documents], options, extensions
    )
    copied = len({name.document for name in found}) < len(found)
    several = len({name.annotator for name in found}) > 1
    whole = all(_is_whole_name(*each) for each in zip(documents, found, strict=True))
    return (
        [_with_default(each, *names) for each in documents] if copied and several and not whole else documents
    )


def _is_whole_name(document: GateDocument, name: Names) -> bool:
    """Say whether a file is called like its annotator: it may as well be called like its document."""
    return f"{PurePosixPath(document.file.name).name}.".startswith(f"{name.annotator}.")


def _come_again(documents: Sequence[GateDocument]) -> bool:
    """Say whether any two documents have the same text."""
    return len({each.text for each in documents}) < len(documents)


def _with_default(document: GateDocument, name: str) -> GateDocument:
    """Return the document with the set of that name as its default one, and what that held left out."""
    own = tuple(mark for each in document.sets if each.name == name for mark in each.marks)
    nobodys = [mark for each in document.sets if each.name == DEFAULT for mark in each.marks]
    others = (each for each in document.sets if each.name not in (DEFAULT, name))
    left_out = (LeftOut(document.file.name, mark.line, "", OF_DEFAULT, 1) for mark in nobodys)
    return replace(
        document,
        sets=(*others, AnnotationSet(DEFAULT, own)),
        left_out=(*document.left_out, *left_out),
    )


def _named(document: GateDocument, asked: Collection[str]) -> list[AnnotationSet]:
    """Return the sets whose name is that of an annotator."""
    return [
        each for each in document.sets if each.name != DEFAULT and (each.name != MARKUP or each.name in asked)
    ]


def _names(documents: Sequence[GateDocument], options: ReadOptions, extensions: Sequence[str]) -> list[str]:
    """Return what each document is called: its path below what all share, or what `path` says.

    Files with the same text are copies of one document where their sets are different annotators'.
    """
    files = [each.file for each in documents]
    if options.path is not None:
        return [names.document for names in named_by_path(files, options.path)]
    texts = [each.text for each in documents]
    called = [each.document for each in name_files(files, texts, options, extensions)]
    if _come_again(documents) and _are_different(documents, called, options.annotators or ()):
        return called
    paths = [PurePosixPath(file.name) for file in files]
    shared = commonpath([str(path.parent) for path in paths]) if paths else ""
    return [_without(path.relative_to(shared) if shared else path, extensions) for path in paths]


def _are_different(documents: Sequence[GateDocument], names: Sequence[str], asked: Collection[str]) -> bool:
    """Say whether no annotator would have two copies of one document if these were the documents' names."""
    copies = [
        (name, each.name)
        for document, name in zip(documents, names, strict=True)
        for each in _named(document, asked)
    ]
    return bool(copies) and len(set(copies)) == len(copies)


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
