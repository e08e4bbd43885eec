"""CoNLL-U: the ten columns of Universal Dependencies."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from reportgen.errors import BadInput, Problem, for_each
from reportgen.formats.copies import Export, Mark
from reportgen.formats.parsing.columns import Annotated, Columns, Document, copies_of, read_columns, text_of
from reportgen.formats.reader import ExportFile, Reader, ReadOptions, shortened

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


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
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


def _faults(read: Columns) -> Iterator[Problem]:
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


def _words(document: Document) -> Document:
    """Return the document without ranges (1-2) and empty nodes (1.1), which are no words."""
    words = [[row for row in each if NO_WORD.fullmatch(row.cells[ID]) is None] for each in document.sentences]
    return Document(document.name, words)


def _annotated(document: Document) -> Annotated:
    text, spans = text_of(document, FORM)
    marks = [
        Mark(name, (span,), {name: row.cells[column]}, row.line)
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
