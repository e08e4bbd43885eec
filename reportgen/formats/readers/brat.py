"""brat standoff: an .ann file of marks beside a .txt file of text, in a folder for each annotator."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from reportgen.errors import BadInput, Problem, for_each
from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import Copy, Export
from reportgen.formats.naming import SEPARATORS, Names, name_files
from reportgen.formats.offsets import different_cover
from reportgen.formats.parsing.counting import Counting, best
from reportgen.formats.parsing.standoff import Standoff, Written, read_standoff, squeezed, universal
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, shortened

MARKS = ".ann"
TEXT = ".txt"
OTHER_CONTENT = (b"{", b"[", b"<", b"PK")
A_NOTE = "a note"

Found = TypeVar("Found")


@dataclass(frozen=True)
class _Document:
    """A file of marks with its text, or (without marks) a text that its annotator did not open."""

    file: ExportFile
    text: str
    standoff: Standoff | None = None
    counting: Counting | None = None


def recognises(file: ExportFile) -> bool:
    """Say whether the file is called .ann and is not of another kind: an empty one is brat too."""
    return file.suffix == MARKS and not file.content.lstrip().startswith(OTHER_CONTENT)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is a text, or one that configures brat."""
    return file.suffix in {TEXT, ".conf"}


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return each annotator's copy of each document.

    An .ann file means that its document was seen; a text without one, in the folder of an annotator,
    that it was not. Raises BadInput with every line that is malformed, points nowhere or does not cover
    what it says, and every text that is missing.
    """
    documents = _documents(files)
    names = name_files(
        [each.file for each in documents], [each.text for each in documents], options, (MARKS, TEXT)
    )
    active = {
        name.annotator for name, each in zip(names, documents, strict=True) if each.standoff is not None
    }
    pairs = [(each, name) for each, name in zip(documents, names, strict=True) if name.annotator in active]
    return Export(
        copies=[_copy(each, name) for each, name in pairs],
        reading=_reading(documents),
        sources=tuple(file.source for file in files),
        left_out=tuple(left for each, name in pairs for left in _left_out(each, name)),
    )


def _documents(files: Sequence[ExportFile]) -> list[_Document]:
    """Return the documents in the order of the files."""
    texts = [file for file in files if file.suffix == TEXT]
    marks = [file for file in files if not accompanies(file)]
    beside = {_stem(file) for file in marks}
    folders = {_folder(file) for file in marks}
    alone = beside - set(map(_stem, texts))
    used = beside | {_sibling(stem, part) for stem in alone for part in _parts(PurePosixPath(stem).name)}
    waiting = [file for file in texts if _stem(file) not in used and _folder(file) in folders]
    places = _Places(texts)
    chosen = {*map(id, marks), *map(id, waiting)}
    return for_each([file for file in files if id(file) in chosen], lambda file: _document(file, places))


def _stem(file: ExportFile) -> str:
    return str(PurePosixPath(file.name).with_suffix(""))


def _folder(file: ExportFile) -> PurePosixPath:
    return PurePosixPath(file.name).parent


class _Places:
    """Where texts stand: beside the marks, or in the one place that has a text of that name.

    Beside marks in files called "doc1_anna.ann" or "anna_doc1.ann" it may be the text "doc1.txt" of all.
    """

    def __init__(self, texts: Sequence[ExportFile]) -> None:
        self._beside = {_stem(file): file for file in texts}
        self._elsewhere: dict[str, list[ExportFile]] = {}
        for file in texts:
            self._elsewhere.setdefault(PurePosixPath(file.name).stem, []).append(file)

    def text(self, file: ExportFile) -> ExportFile:
        """Return the file with the text; raise BadInput where there is none, or several that differ."""
        stem = _stem(file)
        stems = [stem, *(_sibling(stem, part) for part in _parts(PurePosixPath(stem).name))]
        beside = next((self._beside[each] for each in stems if each in self._beside), None)
        if beside is not None:
            return beside
        name = PurePosixPath(file.name).stem
        found = self._elsewhere.get(name, [])
        if len({each.content for each in found}) == 1:
            return found[0]
        trouble = f'no text: "{name}.txt" is neither beside it nor elsewhere in the export.'
        if found:
            trouble = f'no text beside it, and {len(found)} different ones are called "{name}.txt".'
        mend = "Put the text into the same folder, as brat has it."
        raise BadInput([Problem(file.name, message=f"has {trouble}", mend=mend)])


def _sibling(stem: str, name: str) -> str:
    return str(PurePosixPath(stem).with_name(name))


def _parts(stem: str) -> Iterator[str]:
    """Yield what may be the document in the name of a file, the longest first."""
    cuts = [place for place, char in enumerate(stem) if char in SEPARATORS and 0 < place < len(stem) - 1]
    yield from (stem[:place] for place in reversed(cuts))
    yield from (stem[place + 1 :] for place in cuts)


def _document(file: ExportFile, places: _Places) -> _Document:
    if accompanies(file):
        return _Document(file, universal(file.text))
    standoff, malformed = _tried(lambda: read_standoff(file))
    text_file, missing = _tried(lambda: places.text(file))
    if standoff is None or text_file is None:
        raise BadInput([*malformed, *missing])
    text = universal(text_file.text)
    counting = best(text_file, lambda each: len(list(_misfits(standoff, text, each))))
    problems = [
        different_cover(file.name, mark.line, here, mark.text)
        for mark, here in _misfits(standoff, text, counting)
    ]
    if problems:
        raise BadInput(shortened(problems))
    return _Document(file, text, standoff, counting)


def _tried(step: Callable[[], Found]) -> tuple[Found | None, tuple[Problem, ...]]:
    try:
        return step(), ()
    except BadInput as error:
        return None, error.problems


def _misfits(standoff: Standoff, text: str, counting: Counting) -> Iterator[tuple[Written, str]]:
    """Yield the marks that cover something else than they say, with what they cover."""
    for mark in standoff.marks:
        stretches = [text[start:end] for start, end in map(counting.span, mark.spans)]
        if squeezed(stretches) != squeezed([mark.text]):
            yield mark, squeezed(stretches)


def _copy(document: _Document, names: Names) -> Copy:
    standoff, counting = document.standoff, document.counting
    if standoff is None or counting is None:
        return Copy(names.document, names.annotator, document.file.name, document.text, state="unseen")
    return Copy(
        document=names.document,
        annotator=names.annotator,
        file=document.file.name,
        text=document.text,
        marks=standoff.finished(lambda mark: tuple(sorted(map(counting.span, mark.spans)))),
        relations=standoff.finished_relations(),
    )


def _left_out(document: _Document, names: Names) -> Iterator[LeftOut]:
    for line in document.standoff.notes if document.standoff else ():
        yield LeftOut(document.file.name, line, names.annotator, A_NOTE, 1)


def _reading(documents: Sequence[_Document]) -> str:
    """Return how the files were understood: whether their offsets count as brat's own do."""
    understood = "brat standoff: the category of a mark is its type, offsets count characters."
    others = sum(each.counting is not None and not each.counting.plain for each in documents)
    if not others:
        return understood
    files = "1 file" if others == 1 else f"{others} files"
    count = "counts" if others == 1 else "count"
    how = "line ends as two characters, a byte order mark, or UTF-16 units"
    return f"{understood[:-1]}; {files} {count} {how}, as the covered texts show."


READER = Reader(
    name="brat",
    title="brat standoff",
    tool="brat",
    extensions=(MARKS,),
    reads=(
        "Marks, discontinuous ones too, with their attributes and references to resources; events, relations "
        "and equivalences. An empty file of marks is a document in which nothing was found, a text without "
        "one a document that was not opened."
    ),
    leaves_out="Notes, which are free text; relations and events, unless they are a layer.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
