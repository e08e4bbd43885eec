"""Files of a token a line: their documents, sentences and columns, and the text that the tokens make."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Copy, Mark, Span
from reportgen.formats.naming import Names, name_files
from reportgen.formats.reader import ExportFile, ReadOptions, shortened

DOCUMENT_START = "-DOCSTART-"
GAPS = re.compile(r"[ \t]+")
COMMENT = re.compile(r"#\s*(?:[\w.:-]+\s*=|newdoc\b|newpar\b)")
NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id)?\s*+(?:=\s*+(.*\S)\s*)?")
GLOBAL_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*+(.*\S)\s*")


@dataclass(frozen=True, slots=True)
class Row:
    """A line with cells, and its number."""

    line: int
    cells: tuple[str, ...]


@dataclass
class Document:
    """The sentences of one document, and the name that the file gives it, if any."""

    name: str = ""
    sentences: list[list[Row]] = field(default_factory=list)


@dataclass(frozen=True)
class Columns:
    """A file of columns: their names where the file says them, and its documents."""

    file: ExportFile
    names: tuple[str, ...]
    documents: tuple[Document, ...]

    @property
    def rows(self) -> Iterator[Row]:
        """Every row of the file."""
        return (row for document in self.documents for sentence in document.sentences for row in sentence)


def read_columns(file: ExportFile) -> Columns:
    """Return the file's documents with their sentences; blank lines separate these.

    Columns are separated by tabs if every line has one, else by white space. A line that starts with # is
    a comment where it stands before a sentence and is not as long as the rows are. Raises BadInput for
    rows of another length than most.
    """
    lines = file.text.split("\n")
    split = _splitter(lines)
    width = _width(lines, split)
    names: tuple[str, ...] = ()
    documents = [Document()]
    rows: list[Row] = []
    for number, raw in enumerate(lines, 1):
        line = raw.strip("\r")
        cells = split(line) if line.strip() else []
        if cells and not (_is_comment(line, cells, width) and not rows) and cells[0] != DOCUMENT_START:
            rows.append(Row(number, tuple(cells)))
            continue
        if declared := GLOBAL_COLUMNS.fullmatch(line):
            names = tuple(declared[1].split())
        rows = _ended(documents, rows)
        if cells and (found := _new_document(cells, line)):
            _open(documents, found)
    _ended(documents, rows)
    read = Columns(file, names, tuple(each for each in documents if each.sentences))
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


def _new_document(cells: Sequence[str], line: str) -> Document | None:
    """Return the document that a line opens, if it opens one."""
    if cells[0] == DOCUMENT_START:
        return Document()
    found = NEW_DOCUMENT.fullmatch(line)
    return Document(found[1] or "") if found else None


def _ended(documents: list[Document], rows: list[Row]) -> list[Row]:
    """Add a sentence to the last document, and return the empty beginning of the next one."""
    if rows:
        documents[-1].sentences.append(rows)
    return []


def _open(documents: list[Document], document: Document) -> None:
    if documents[-1].sentences:
        documents.append(document)
    else:
        documents[-1] = document


def _check_width(read: Columns, width: int) -> None:
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


def text_of(document: Document, column: int) -> tuple[str, list[list[Span]]]:
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
    marks: tuple[Mark, ...]


def copies_of(
    files: Sequence[ExportFile],
    documents: Sequence[Sequence[Annotated]],
    options: ReadOptions,
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


def _copy(file: ExportFile, name: Names, number: int, one: Annotated) -> Copy:
    numbered = f"{name.document}-{number}" if number else name.document
    called = replace(name, document=one.name or numbered)
    return Copy(called.document, called.annotator, file.name, one.text or None, one.marks)
