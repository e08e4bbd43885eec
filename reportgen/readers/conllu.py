"""CoNLL-U: the ten columns of Universal Dependencies."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.naming import FileAttribution, name_files
from reportgen.readers.reader import (
    Copy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Span,
    shortened,
)

# Files of a token a line: their documents, sentences and columns, and the text that the tokens make.

DOCUMENT_START = "-DOCSTART-"
GAPS = re.compile(r"[ \t]+")
COMMENT = re.compile(r"#\s*(?:[\w.:-]+\s*=|newdoc\b|newpar\b)")
NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id)?\s*+(?:=\s*+(.*\S)\s*)?")
GLOBAL_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*+(.*\S)\s*")


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A line with cells, and its number."""

    line: int
    cells: tuple[str, ...]


@dataclass
class ColumnDocument:
    """The sentences of one document, and the name that the file gives it, if any."""

    name: str = ""
    sentences: list[list[ColumnLine]] = field(default_factory=list)


@dataclass(frozen=True)
class ColumnFile:
    """A file of columns: their names where the file says them, and its documents."""

    file: ExportFile
    names: tuple[str, ...]
    documents: tuple[ColumnDocument, ...]

    @property
    def rows(self) -> Iterator[ColumnLine]:
        """Every row of the file."""
        return (row for document in self.documents for sentence in document.sentences for row in sentence)


def read_columns(file: ExportFile) -> ColumnFile:
    """Return the file's documents with their sentences; blank lines separate these.

    Columns are separated by tabs if every line has one, else by white space. A line that starts with # is
    a comment where it stands before a sentence and is not as long as the rows are. Raises BadInput for
    rows of another length than most.
    """
    lines = file.text.split("\n")
    split = _splitter(lines)
    width = _width(lines, split)
    names: tuple[str, ...] = ()
    documents = [ColumnDocument()]
    rows: list[ColumnLine] = []
    for number, raw in enumerate(lines, 1):
        line = raw.strip("\r")
        cells = split(line) if line.strip() else []
        if cells and not (_is_comment(line, cells, width) and not rows) and cells[0] != DOCUMENT_START:
            rows.append(ColumnLine(number, tuple(cells)))
            continue
        if declared := GLOBAL_COLUMNS.fullmatch(line):
            names = tuple(declared[1].split())
        rows = _ended(documents, rows)
        if cells and (found := _new_document(cells, line)):
            _open(documents, found)
    _ended(documents, rows)
    read = ColumnFile(file, names, tuple(each for each in documents if each.sentences))
    _check_width(read, width)
    return read


def _splitter(lines: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    rows = [line for line in lines if line.strip() and not line.startswith(("#", DOCUMENT_START))]
    if rows and all("\t" in line for line in rows):
        return lambda line: tuple(line.rstrip("\t").split("\t"))
    return lambda line: tuple(GAPS.split(line.strip(" \t")))


def _width(lines: Sequence[str], split: Callable[[str], tuple[str, ...]]) -> int:
    """Return how many columns most rows have."""
    counts = Counter(len(split(line.strip("\r"))) for line in lines if line.strip() and line[0] != "#")
    return counts.most_common(1)[0][0] if counts else 0


def _is_comment(line: str, cells: Sequence[str], width: int) -> bool:
    return line.startswith("#") and (len(cells) != width or COMMENT.match(line) is not None)


def _new_document(cells: Sequence[str], line: str) -> ColumnDocument | None:
    """Return the document that a line opens, if it opens one."""
    if cells[0] == DOCUMENT_START:
        return ColumnDocument()
    found = NEW_DOCUMENT.fullmatch(line)
    return ColumnDocument(found[1] or "") if found else None


def _ended(documents: list[ColumnDocument], rows: list[ColumnLine]) -> list[ColumnLine]:
    """Add a sentence to the last document, and return the empty beginning of the next one."""
    if rows:
        documents[-1].sentences.append(rows)
    return []


def _open(documents: list[ColumnDocument], document: ColumnDocument) -> None:
    if documents[-1].sentences:
        documents.append(document)
    else:
        documents[-1] = document


def _check_width(read: ColumnFile, width: int) -> None:
    problems = [
        Problem(
            read.file.name,
            row.line,
            message=f"has {len(row.cells)} columns where most rows have {width}.",
            mend="Give every row the same columns, with _ or O where there is nothing.",
        )
        for row in read.rows
        if len(row.cells) != width
    ]
    if problems:
        raise BadInput(shortened(problems))


def text_of(document: ColumnDocument, column: int) -> tuple[str, list[list[Span]]]:
    """Return the tokens joined by spaces and the sentences by newlines, and where each token stands."""
    spans: list[list[Span]] = []
    lines: list[str] = []
    start = 0
    for sentence in document.sentences:
        spans.append([])
        for row in sentence:
            spans[-1].append((start, start + len(row.cells[column])))
            start = spans[-1][-1][1] + 1
        lines.append(" ".join(row.cells[column] for row in sentence))
    return "\n".join(lines), spans


@dataclass(frozen=True)
class Annotated:
    """One document of a file, with what is marked in it."""

    name: str
    text: str
    marks: tuple[ParsedMark, ...]


def copies_of(
    files: Sequence[ExportFile],
    documents: Sequence[Sequence[Annotated]],
    options: ReaderOptions,
    extensions: Sequence[str],
) -> tuple[Copy, ...]:
    """Return a copy for each document of each file.

    Who annotated is told by the first documents of the files: annotators stop at different places, and
    start at the same one. Documents are called as the file calls them, else like the file, with a number
    where a file of that name has several. Raises BadInput for paths that the option `path` does not fit.
    """
    first = [each[0].text if each else "" for each in documents]
    names = name_files(files, first, options, extensions)
    most: dict[str, int] = {}
    for name, each in zip(names, documents, strict=True):
        most[name.document] = max(len(each), most.get(name.document, 0))
    return tuple(
        _copy(file, name, number if most[name.document] > 1 else 0, one)
        for file, name, each in zip(files, names, documents, strict=True)
        for number, one in enumerate(each or [Annotated("", "", ())], 1)
    )


def _copy(file: ExportFile, name: FileAttribution, number: int, one: Annotated) -> Copy:
    numbered = f"{name.document}-{number}" if number else name.document
    called = replace(name, document=one.name or numbered)
    return Copy(called.document, called.annotator, file.name, one.text or None, one.marks)


# CoNLL-U: the ten columns of Universal Dependencies.

EXTENSIONS = (".conllu",)
WIDTH = 10
ID, FORM = 0, 1
# The columns that are labels of a word.
LAYERS = {3: "UPOS", 4: "XPOS", 5: "FEATS", 7: "DEPREL"}
DEFAULT = "UPOS"
NOTHING = "_"
WORD = re.compile(r"[1-9][0-9]{0,8}")
NO_WORD = re.compile(r"[0-9]{1,9}[-.][0-9]{1,9}")
HEAD = re.compile(r"[0-9]{1,9}|_")
LOOKED_AT = 200
READING = "CoNLL-U: a mark is the label of one word; words are joined by spaces, sentences by new lines."


def recognises(file: ExportFile) -> bool:
    """Say whether the first row has ten cells between tabs, the first an id and the seventh a head."""
    if not file.is_text():
        return False
    lines = (line.rstrip("\r") for line in islice(file.text.split("\n"), LOOKED_AT))
    row = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    cells = row.split("\t")
    return len(cells) == WIDTH and _is_id(cells[ID]) and HEAD.fullmatch(cells[6]) is not None


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each document of each file.

    Raises BadInput with every row of another length, and with words that are not numbered from 1.
    """
    documents = for_each(files, _documents)
    copies = copies_of(files, documents, options, EXTENSIONS)
    used = any(mark.type == DEFAULT for copy in copies for mark in copy.marks)
    sources = tuple(file.source for file in files)
    return Export(copies, READING, sources, by_feature=True, default=DEFAULT if used else None)


def _is_id(cell: str) -> bool:
    return (WORD.fullmatch(cell) or NO_WORD.fullmatch(cell)) is not None


def _documents(file: ExportFile) -> list[Annotated]:
    read = read_columns(file)
    problems = shortened(list(_faults(read)))
    if problems:
        raise BadInput(problems)
    return [_annotated(_words(document)) for document in read.documents]


def _faults(read: ColumnFile) -> Iterator[Problem]:
    mend = "Number the words of each sentence from 1 and keep the ten columns of CoNLL-U."
    for document in read.documents:
        for sentence in document.sentences:
            expected = 1
            for row in sentence:
                if len(row.cells) != WIDTH:
                    message = f"has {len(row.cells)} columns between tabs where {WIDTH} were expected."
                    yield Problem(read.file.name, row.line, message=message, mend=mend)
                elif row.cells[ID] == str(expected):
                    expected += 1
                elif NO_WORD.fullmatch(row.cells[ID]) is None:
                    message = f'has the id "{row.cells[ID][:20]}" where {expected} was expected.'
                    yield Problem(read.file.name, row.line, message=message, mend=mend)


def _words(document: ColumnDocument) -> ColumnDocument:
    """Return the document without ranges (1-2) and empty nodes (1.1), which are no words."""
    words = [[row for row in each if NO_WORD.fullmatch(row.cells[ID]) is None] for each in document.sentences]
    return ColumnDocument(document.name, words)


def _annotated(document: ColumnDocument) -> Annotated:
    text, spans = text_of(document, FORM)
    marks = [
        ParsedMark(name, (span,), {name: row.cells[column]}, row.line)
        for sentence, places in zip(document.sentences, spans, strict=True)
        for row, span in zip(sentence, places, strict=True)
        for column, name in LAYERS.items()
        if row.cells[column] != NOTHING
    ]
    return Annotated(document.name, text, tuple(marks))


READER = Reader(
    name="conllu",
    title="CoNLL-U",
    tool="treebank editors, UDPipe, Stanza",
    extensions=EXTENSIONS,
    reads="Each word's UPOS, XPOS, FEATS and DEPREL, each a layer of its own; documents by # newdoc.",
    leaves_out=(
        "LEMMA, HEAD, DEPS and MISC, which are no categories; ranges such as 1-2 and empty nodes such as "
        "1.1, which are no words."
    ),
    recognises=recognises,
    read=read,
)
