"""CoNLL columns, a token a line with its tags, and the ten columns of CoNLL-U."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import accumulate, chain, islice, pairwise
from typing import Final, Literal

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import Span
from reportgen.readers.naming import MOST_FAULTY, list_unreadable, name_files, split_unreadable
from reportgen.readers.reader import (
    ENHANCED,
    HEADS,
    LEMMAS,
    MISC,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    raise_first_problems,
)
from reportgen.readers.table_columns import well_known_columns

# Files of a token a line: their documents, sentences and columns, and the text that the tokens make.

DOCUMENT_START = "-DOCSTART-"
NAME = re.compile(r"[^\W\d]")
# Names of other columns of such a table: those that say which token it is or where, and usual ones.
PLACES = re.compile(r"(?:.*[_ -])?(?:id|start|end|begin|offset|onset)")
USUAL = re.compile(r"lemma|u?pos|xpos|ner|bio|labels?|tags?|annotation|category|entity")
GAPS = re.compile(r"[ \t]+")
COMMENT = re.compile(r"#\s*(?:[\w.:-]+\s*=|newdoc\b|newpar\b)")
NEW_DOCUMENT = re.compile(
    r"#\s*(?:newdoc(?:\s+id)?\s*+(?:=\s*+(?P<name>.*\S)\s*)?|begin document (?P<part>\S.*))"
)
# What the column of the tokens is called in a table that has a header.
TOKENS = frozenset({"token", "tok", "word", "form", "wordform", "surface"})
GLOBAL_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*+(.*\S)\s*")


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A line with cells, and its number."""

    line: int
    cells: tuple[str, ...]


Sentence = list[ColumnLine]


@dataclass
class ColumnDocument:
    """The sentences of one document, and the name that the file gives it, if any."""

    name: str = ""
    sentences: list[Sentence] = field(default_factory=list)


@dataclass(frozen=True)
class ColumnFile:
    """A file of columns: how many, their names where the file says them, and its documents.

    `token` is the column of the tokens where the file's header names it.
    """

    file: ExportFile
    width: int
    names: tuple[str, ...]
    documents: tuple[ColumnDocument, ...]
    token: int | None = None

    @property
    def sentences(self) -> list[Sentence]:
        """Every sentence of the file."""
        return [sentence for document in self.documents for sentence in document.sentences]

    @property
    def rows(self) -> list[ColumnLine]:
        """Every row of the file."""
        return [row for sentence in self.sentences for row in sentence]


def read_columns(file: ExportFile) -> ColumnFile:
    """Return the file's documents with their sentences; blank lines separate these.

    Columns are separated by tabs if every line has one, else by white space. A line that starts with # is
    a comment where it is before a sentence and is not as long as the rows are. Raises BadInput for
    rows of another length than most.
    """
    lines = file.text.split("\n")
    header = _header(lines)
    split = _splitter(lines) if header is None else _cells
    widths = Counter(len(split(line.strip("\r"))) for line in lines if line.strip() and line[0] != "#")
    width = max(widths, key=widths.__getitem__, default=0)
    names: tuple[str, ...] = () if header is None else _cells(lines[0].strip("\r"))
    documents = [ColumnDocument()]
    rows: Sentence = []
    for number, raw in enumerate([*lines, ""], 1):  # the last sentence ends with the file
        line = raw.strip("\r") if header is None or number > 1 else ""
        cells = split(line) if line.strip() else ()
        a_comment = line.startswith("#") and (len(cells) != width or COMMENT.match(line) is not None)
        if cells and not (a_comment and not rows) and cells[0] != DOCUMENT_START:
            rows.append(ColumnLine(number, cells))
            continue
        if declared := GLOBAL_COLUMNS.fullmatch(line):
            names = tuple(declared[1].split())
        if rows:
            documents[-1].sentences.append(rows)
            rows = []
        opened = NEW_DOCUMENT.fullmatch(line)
        if opened or cells[:1] == (DOCUMENT_START,):
            documents.append(ColumnDocument((opened and (opened["name"] or opened["part"])) or ""))
    documents = [document for document in documents if document.sentences]
    read = ColumnFile(file, width if documents else 0, names, tuple(documents), header)
    remedy = "Give every row the same columns, with _ or O where there is nothing."
    raise_first_problems(
        file.problem(f"has {len(row.cells)} columns where most rows have {width}.", remedy, row.line)
        for row in read.rows
        if len(row.cells) != width
    )
    return read


def _header(lines: Sequence[str]) -> int | None:
    """Return which of the names in the first line is that of the tokens; None where it is no header."""
    first = _cells(lines[0].strip("\r\ufeff"))
    names = [name.casefold() for name in first]
    tokens = [column for column, name in enumerate(names) if name in TOKENS]
    if len(tokens) != 1 or len(set(names)) < len(names) or not all(map(NAME.match, names)):
        return None
    # A first token may be "word", and its tag anything: tags of stretches begin with letters of their own.
    known = any(PLACES.fullmatch(name) or USUAL.fullmatch(name) for name in names)
    rows = [_cells(line.strip("\r")) for line in lines[1:ROWS_LOOKED_AT] if line.strip()]
    columns = zip(*(row for row in rows if len(row) == len(names)), strict=True)
    below = [{*column} - NO_MARK for place, column in enumerate(columns) if place != tokens[0]]
    tagged = bool(below) and all(own and all(map(PREFIXED.fullmatch, own)) for own in below)
    tagged = tagged and not any(cell in NO_MARK or PREFIXED.fullmatch(cell) for cell in first)
    return tokens[0] if known or tagged else None


def _cells(line: str) -> tuple[str, ...]:
    """Return the cells of a line between tabs, where nothing is as in other files of columns."""
    return tuple(cell.strip() or "_" for cell in line.split("\t"))


def _splitter(lines: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    rows = [line for line in lines if line.strip() and not line.startswith(("#", DOCUMENT_START))]
    if rows and all("\t" in line for line in rows):
        return lambda line: tuple(line.rstrip("\t").split("\t"))
    return lambda line: tuple(GAPS.split(line.strip(" \t")))


def text_of(sentences: Sequence[Sentence], column: int) -> tuple[str, list[list[Span]]]:
    """Return the tokens joined by spaces and the sentences by newlines, and where each token is."""
    words = [[row.cells[column] for row in sentence] for sentence in sentences]
    # Each sentence goes on where the one before stopped.
    starts = accumulate((len(word) + 1 for line in words for word in line), initial=0)
    spans = [
        [(start, start + len(word)) for word, start in zip(line, starts, strict=False)] for line in words
    ]
    return "\n".join(map(" ".join, words)), spans


def copies_of(
    files: Sequence[ExportFile],
    documents: Sequence[Sequence[DocumentCopy]],
    options: ReaderOptions,
    extensions: Sequence[str],
) -> list[DocumentCopy]:
    """Return a copy for each document of each file: `documents`, which do not yet say whose they are.

    Who annotated is told by the first documents of the files: annotators stop at different places, and
    start at the same one. Documents are called as the file calls them, else like the file, with a number
    where a file of that name has several. Raises BadInput for paths that the option `path` does not fit.
    """
    names = name_files(
        files, [(of_file[0].text or "") if of_file else "" for of_file in documents], options, extensions
    )
    most: dict[str, int] = {}
    for name, of_file in zip(names, documents, strict=True):
        most[name.document] = max(len(of_file), most.get(name.document, 0))
    copies: list[DocumentCopy] = []
    for file, name, of_file in zip(files, names, documents, strict=True):
        for number, copy in enumerate(of_file or [DocumentCopy("", "", file.name)], 1):
            numbered = f"{name.document}-{number}" if most[name.document] > 1 else name.document
            copies.append(replace(copy, document=copy.document or numbered, annotator=name.annotator))
    return copies


# CoNLL-U: the ten columns of Universal Dependencies.

CONLLU_EXTENSIONS = (".conllu",)
WIDTH = 10
ID, FORM = 0, 1
# The columns that are labels of a word.
LAYERS = {3: "UPOS", 4: "XPOS", 5: "FEATS", 7: "DEPREL"}
PART_OF_SPEECH, HEAD_OF_WORD, RELATION = 3, 6, 7
# The label that words of a tree have: the relation to their head.
IN_TREE = LAYERS[RELATION]
# Columns that are no labels.
NOT_LABELS = {2: LEMMAS, 6: HEADS, 8: ENHANCED, 9: MISC}
DEFAULT = "UPOS"
NOTHING = "_"
WORD = re.compile(r"[1-9][0-9]{0,8}")
NO_WORD = re.compile(r"[0-9]{1,9}[-.][0-9]{1,9}")
HEAD = re.compile(r"[0-9]{1,9}|_")
ROWS_LOOKED_AT = 200
CONLLU_READING = (
    "CoNLL-U: a mark is the label of one word; words are joined by spaces, sentences by new lines."
)


def recognises_conllu(file: ExportFile) -> bool:
    """Say whether the first row has ten cells between tabs, the first an id and the seventh a head."""
    if not file.is_text():
        return False
    lines = (line.rstrip("\r") for line in islice(file.text.split("\n"), ROWS_LOOKED_AT))
    row = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    cells = row.split("\t")
    if len(cells) != WIDTH or HEAD.fullmatch(cells[6]) is None:
        return False
    return (WORD.fullmatch(cells[ID]) or NO_WORD.fullmatch(cells[ID])) is not None


def read_conllu(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each document of each file.

    A few faulty files are left out, with a warning. Where there are more, raises BadInput with every row of
    another length, and with words that are not numbered from 1.
    """
    own, tables, faulty = split_unreadable(files, _table)
    documents = [[_labelled_words(of.file, document) for document in of.documents] for of in tables]
    copies = copies_of(own, documents, options, CONLLU_EXTENSIONS)
    used = any(mark.type == DEFAULT for copy in copies for mark in copy.marks)
    besides = Counter(kind for of_file in tables for kind in _not_labels(of_file))
    export = Export(
        copies,
        CONLLU_READING,
        tuple(file.source for file in files),
        by_feature=True,
        default=DEFAULT if used else None,
        not_compared=besides,
    )
    return list_unreadable(export, faulty)


def _table(file: ExportFile) -> ColumnFile:
    table = read_columns(file)
    raise_first_problems(_faults(file, table.sentences))
    return table


def _not_labels(table: ColumnFile) -> Iterator[str]:
    """Yield the kind of each cell of a word that is no label: its head, its lemma."""
    for row in table.rows:
        if NO_WORD.fullmatch(row.cells[ID]) is None:
            yield from (kind for column, kind in NOT_LABELS.items() if row.cells[column] != NOTHING)


def _faults(file: ExportFile, sentences: Sequence[Sentence]) -> Iterator[Problem]:
    remedy = "Number the words of each sentence from 1 and keep the ten columns of CoNLL-U."
    for sentence in sentences:
        expected = 1
        for row in sentence:
            if len(row.cells) != WIDTH:
                message = f"has {len(row.cells)} columns between tabs where {WIDTH} were expected."
                yield file.problem(message, remedy, row.line)
            elif row.cells[ID] == str(expected):
                expected += 1
                if HEAD.fullmatch(row.cells[HEAD_OF_WORD]) is None:
                    message = f'has the head "{row.cells[HEAD_OF_WORD][:20]}" where a number was expected.'
                    yield file.problem(message, "Write the id of the head, 0 for the root, or _.", row.line)
            elif NO_WORD.fullmatch(row.cells[ID]) is None:
                message = f'has the id "{row.cells[ID][:20]}" where {expected} was expected.'
                yield file.problem(message, remedy, row.line)


def _labelled_words(file: ExportFile, document: ColumnDocument) -> DocumentCopy:
    """Return a document's words; ranges (1-2) and empty nodes (1.1) are none, nor are sentences of these."""
    sentences = document.sentences
    words = [[row for row in rows if NO_WORD.fullmatch(row.cells[ID]) is None] for rows in sentences]
    text, spans = text_of(list(filter(None, words)), FORM)
    # A word's id counts within its sentence.
    within = [(number, row) for number, rows in enumerate(filter(None, words)) for row in rows]
    marks = [
        ParsedMark(
            name,
            (span,),
            {name: row.cells[column]},
            row.line,
            id=f"{number}.{row.cells[ID]}",
            head=_head(number, row) if name == IN_TREE else None,
            part_of_speech=row.cells[PART_OF_SPEECH] if name == IN_TREE else "",
        )
        for (number, row), span in zip(within, chain(*spans), strict=True)
        for column, name in LAYERS.items()
        if row.cells[column] != NOTHING
    ]
    return DocumentCopy(document.name, "", file.name, text or None, tuple(marks))


def _head(sentence: int, row: ColumnLine) -> str | None:
    """Return the id of a word's head, empty of a root; None where the column is empty."""
    cell = row.cells[HEAD_OF_WORD]
    if cell == NOTHING:
        return None
    return "" if int(cell) == 0 else f"{sentence}.{int(cell)}"


CONLLU_READER = Reader(
    name="conllu",
    title="CoNLL-U",
    tool="treebank editors, UDPipe, Stanza",
    extensions=CONLLU_EXTENSIONS,
    reads=(
        "The UPOS, XPOS, FEATS and DEPREL of each word, each as a layer of its own; DEPREL with HEAD "
        "as trees. Documents are separated by # newdoc."
    ),
    leaves_out=(
        "LEMMA, DEPS and MISC, because they are not categories, and HEAD if DEPREL is not a layer; "
        "these are counted as not compared. Ranges such as 1-2 and empty nodes such as 1.1, because "
        "they are not words."
    ),
    recognises=recognises_conllu,
    read=read_conllu,
    says=(CONLLU_READING,),
)


# Tags of tokens that mean marks: IOB1, IOB2, BIOES and BILOU.

Scheme = Literal["IOB1", "IOB2", "BIOES", "BILOU"]
# (first token, token after the last, label)
Stretch = tuple[int, int, str]
Tag = tuple[str, str]

OUTSIDE = "O"
NO_MARK = frozenset({"_", OUTSIDE, "-X-", "-", ""})
PREFIXED = re.compile(r"([BIOESLUM])[-_](.+)", re.DOTALL)
SUFFIXED = re.compile(r"(.+)[-_]([BIOESLUM])", re.DOTALL)
# What a mark may begin with.
FIRST = "BSU"
# In Chinese corpora "M" is what is within a mark.
MIDDLE = str.maketrans("M", "I")
BARE = frozenset("BIESLU")
BEGINS_OR_IS_INSIDE = frozenset("BI")
SINGLE = {"BIOES": "S", "BILOU": "U"}
LAST = {"BIOES": "E", "BILOU": "L"}


def parse(tag: str) -> Tag | None:
    """Return a tag's letter and label ("B-PER", "PER-B"), None where it represents no mark.

    A letter alone ("B") has the empty label, and a tag without a letter ("NOUN") the empty letter.
    """
    if tag in NO_MARK:
        return None
    if match := PREFIXED.fullmatch(tag):
        return None if match[1] == OUTSIDE else (match[1].translate(MIDDLE), match[2])
    if match := SUFFIXED.fullmatch(tag):
        return None if match[2] == OUTSIDE else (match[2].translate(MIDDLE), match[1])
    return (tag, "") if tag in BARE else ("", tag)


def is_sequence(tags: Iterable[str]) -> bool:
    """Say whether the different tags of a column are those of a scheme: O, and letters with labels.

    Letters are before all labels or behind all; behind them something has to begin, and be outside.
    """
    different = set(tags)
    bare = different & BARE
    others = different - NO_MARK - bare
    # A column of single letters may be of anything, unless some tokens are outside.
    spelled = not bare or (OUTSIDE in different and bool(bare & BEGINS_OR_IS_INSIDE))
    has_tags = bool(others) or bool(bare) or OUTSIDE in different
    behind = others and OUTSIDE in different and all(map(SUFFIXED.fullmatch, others))
    begun = behind and any(tag[-1] in FIRST for tag in others)
    return has_tags and spelled and (bool(begun) or all(map(PREFIXED.fullmatch, others)))


def detect(sentences: Iterable[Sequence[str]]) -> Scheme:
    """Return the scheme that explains most tags; IOB2, the commonest, where several do."""
    parsed = [[None, *map(parse, tags)] for tags in sentences]
    pairs = [(before, tag) for tags in parsed for before, tag in pairwise(tags) if tag is not None]
    letters = Counter(tag[0] for _, tag in pairs)
    begins_with = Counter(tag[0] for before, tag in pairs if before is None or before[1] != tag[1])
    if letters["E"] + letters["S"] + letters["L"] + letters["U"]:
        return "BILOU" if letters["L"] + letters["U"] > letters["E"] + letters["S"] else "BIOES"
    return "IOB1" if begins_with["I"] > begins_with["B"] else "IOB2"


def decode(tags: Sequence[str], scheme: Scheme) -> tuple[list[Stretch], int]:
    """Return the marks of one sentence, and how many tags its scheme does not allow where they are.

    What is not allowed starts a mark of its own, and so loses no token; a mark that lacks its end ends
    with its last token.
    """
    marks: list[Stretch] = []
    faults = 0
    current: tuple[int, str] | None = None  # where the mark that is being read starts, and its label
    for position, tag in enumerate([*map(parse, tags), None]):
        inside = ("I", LAST.get(scheme, "I"))
        goes_on = current and tag and tag[1] == current[1] and tag[0] in inside
        before = None if goes_on else current
        if before is not None:
            marks.append((before[0], position, before[1]))
            faults += scheme in LAST  # its end is missing
        if tag is None:
            current = None
            continue
        if current is None or not goes_on:
            faults += not _may_begin(tag, before and before[1], scheme)
            current = position, tag[1]
        if tag[0] in (SINGLE.get(scheme), LAST.get(scheme)):
            marks.append((current[0], position + 1, current[1]))
            current = None
    return marks, faults


def _may_begin(tag: Tag, before: str | None, scheme: Scheme) -> bool:
    """Say whether a mark may begin with this tag, after the mark of that label that ends right before it."""
    if scheme == "IOB1":
        return tag[0] == "I" or (tag[0] == "B" and before == tag[1])
    return tag[0] in ("B", SINGLE.get(scheme, "B"))


# Chains of coreference, as CoNLL-2012 has them: "(0" begins a mention of chain 0, "0)" ends it, "(0)" is one.

CHAINS: Final = "chains"
MENTION = "mention"
BRACKETS = re.compile(r"(?:\(?[0-9]+\)?)(?:\|\(?[0-9]+\)?)*")


def is_of_chains(tags: Iterable[str]) -> bool:
    """Say whether a column is of brackets with numbers, and of nothing else."""
    different = {*tags} - NO_MARK - {"*"}
    return any("(" in tag for tag in different) and all(map(BRACKETS.fullmatch, different))


def decode_chains(tags: Sequence[str]) -> list[Stretch]:
    """Return the mentions of one sentence, by where they end, each with the number of its chain as label."""
    begun: dict[str, list[int]] = {}
    mentions: list[Stretch] = []
    for position, tag in enumerate(tags):
        for part in tag.split("|"):
            number = part.strip("()")
            if part.startswith("("):
                begun.setdefault(number, []).append(position)
            if part.endswith(")") and begun.get(number):
                mentions.append((begun[number].pop(), position + 1, number))
    return mentions


# CoNLL columns: a token a line with its tags, blank lines between sentences.

EXTENSIONS = (".conll", ".conll2002", ".conll2003", ".iob", ".iob2", ".bio", ".bioes", ".bilou")
LEAST_COLUMNS = 2
LOOKED_AT = 100_000
# Of a column of lemmas or of tokens again, most are the token itself.
MOSTLY = 0.5
# What the marks of annotators who have a column each are of.
TAG = "tag"
OWN_COLUMNS = "Each annotator has a column."
UNNAMED = "column {}"
HOW = "Columns: tokens are joined by spaces, sentences by new lines."


@dataclass(frozen=True)
class _Layer:
    """A column of tags: its number, name, and scheme if the tags make up stretches of tokens, or chains."""

    column: int
    name: str
    scheme: Scheme | Literal["chains"] | None


def recognises(file: ExportFile) -> bool:
    """Say whether the file has no header, sentences apart, and a column of O, B-X, I-X and the like.

    Only the beginning is looked at. A file called .conll, .iob or so may be a single sentence. A table whose
    header has the tokens is recognised too, unless its columns share labels, as those of annotators do.
    """
    if file.is_text() and _header(_beginning(file).split("\n")) is not None:
        # Whether a table of tokens has labels, and no two columns with the same ones but stretches.
        try:
            table = read_columns(ExportFile.with_content(file.path, file.name, text=_beginning(file)))
        except BadInput:
            return False
        if well_known_columns(table.names, "annotator"):
            return False
        _, layers = _layout([table])
        labels = [{row.cells[layer.column] for row in table.rows} - {*NO_MARK} for layer in layers]
        disjoint = sum(map(len, labels)) == len(set().union(*labels))
        return bool(layers) and (disjoint or all(layer.scheme for layer in layers))
    if not accompanies(file):
        return False
    text = _beginning(file)
    return (
        file.suffix in EXTENSIONS or DOCUMENT_START in text or "\n\n" in text.replace("\r", "").lstrip("\n")
    )


def accompanies(file: ExportFile) -> bool:
    """Say whether the file has such a column: beside others a single sentence is enough.

    One with rows of another length is known by what it is called, and is faulty.
    """
    if not file.is_text() or file.text.lstrip()[:1] in {"{", "[", "<"}:
        return False
    if file.suffix not in EXTENSIONS and _begins_with_one_cell(file.text.partition("\n")[0]):
        return False
    try:
        rows = read_columns(ExportFile.with_content(file.path, file.name, text=_beginning(file))).rows
    except BadInput:
        return file.suffix in EXTENSIONS
    width = min((len(row.cells) for row in rows), default=0)
    if file.suffix in EXTENSIONS and rows and all(CLASS_ID.fullmatch(row.cells[-1]) for row in rows):
        return width > 1  # `read` says what to do with numbers
    # Of a text of one line each word is a column, and hardly any looks like a tag.
    columns = [column for column in range(1, width) if _may_be_tag(rows[0].cells[column])]
    return any(
        known([row.cells[column] for row in rows])
        for column in columns
        for known in (is_sequence, is_of_chains)
    )


def _begins_with_one_cell(line: str) -> bool:
    """Tell whether a first line is a row of one column: hundreds of CSV files need not be read further."""
    cell = line.strip(" \t\r")
    is_row = cell not in {"", DOCUMENT_START} and not cell.startswith("#")
    return is_row and " " not in cell and "\t" not in cell and _header(line) is None


def _may_be_tag(cell: str) -> bool:
    """Say whether a column of tags may have such a cell."""
    forms = (PREFIXED, SUFFIXED, BRACKETS)
    return cell in NO_MARK or cell in BARE or any(form.fullmatch(cell) for form in forms)


def _beginning(file: ExportFile) -> str:
    text = file.text[:LOOKED_AT]
    return text if len(file.text) <= LOOKED_AT else text[: text.rfind("\n") + 1]


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each document of each file; the scheme is that of all files together.

    A few faulty files, and a few with other columns, are left out, with a warning. Where there are more,
    raises BadInput with every row of another length, and with files of different columns or none but tokens.
    """
    _, tables, faulty = split_unreadable(files, _read_tagged)
    widths = Counter(table.width for table in tables if table.width)
    if len(widths) > 1:
        ((usual, times),) = widths.most_common(1)
        shown = ", ".join(map(str, sorted(widths)))
        few = widths.total() - times <= MOST_FAULTY * widths.total()
        tables, _, odd = split_unreadable(
            tables, lambda table: _require_width(table, usual if few else None, shown)
        )
        faulty += odd
    token, layers = _layout(tables)
    if not layers and (rows := next((table.rows for table in tables if table.rows), [])):
        _refuse_class_ids(tables[0].file, rows, token)
    annotated = [
        [_marked_document(table.file, document, token, layers) for document in table.documents]
        for table in tables
    ]
    own_files = [table.file for table in tables]
    documents = [[copy for copy, _ in of_file] for of_file in annotated]
    copies = copies_of(own_files, documents, options, EXTENSIONS)
    faults = sum(count for of_file in annotated for _, count in of_file)
    # Columns are annotators where everybody who is asked for is a column, and no file is theirs.
    columns = {layer.name for layer in layers} - {copy.annotator for copy in copies}
    own = bool(options.annotators) and columns >= {*(options.annotators or ())}
    # A file that declares its columns calls them layers; whoever made it can say who annotated.
    declared = any(table.names and table.token is None for table in tables)
    if options.annotators is None and not declared and (alike := _alike(layers, copies)):
        own, layers = True, alike
    # How the files were understood; columns that are annotators are not named.
    schemes = ", ".join(f"{layer.name} in {layer.scheme}" for layer in layers if layer.scheme)
    plain = ", ".join(layer.name for layer in layers if not layer.scheme)
    parts = [HOW, OWN_COLUMNS] if own else [HOW]
    parts += [f"Read: {schemes}."] if schemes and not own else []
    parts += [f"A tag each token: {plain}."] if plain and not own else []
    if faults:
        tags = "tag is" if faults == 1 else "tags are"
        parts.append(f"{faults:,} {tags} not as the scheme has it: what it forbids starts a mark of its own.")
    export = Export(
        _by_column(copies, layers) if own else copies,
        " ".join(parts),
        tuple(file.source for file in files),
        by_feature=True,
        default=None if own else _default(layers, copies),
    )
    return list_unreadable(export, faulty)


# Tags that stand for labels which the file does not name.
CLASS_ID = re.compile(r"-?[0-9]+")
NAME_CLASSES = (
    "Write the names of the labels in their place: in the data set's description, or with Hugging Face "
    'datasets in dataset.features["ner_tags"].feature.names.'
)


def _refuse_class_ids(file: ExportFile, rows: Sequence[ColumnLine], token: int) -> None:
    """Raise BadInput where the last column has nothing but numbers of classes."""
    if token < len(rows[0].cells) - 1 and all(CLASS_ID.fullmatch(row.cells[-1]) for row in rows):
        message = (
            f'has numbers of classes for tags, such as "{rows[0].cells[-1]}", and nothing says of which.'
        )
        raise file.refused(message, NAME_CLASSES, rows[0].line)


def _require_width(table: ColumnFile, width: int | None, shown: str) -> None:
    """Raise BadInput for a file with another number of columns than the others."""
    if table.width not in (0, width):
        message = f"has {table.width} columns; the files have {shown}."
        raise table.file.refused(message, "Put only files with the same columns into one export.")


# Of fewer marks, and of fewer that are the same, nothing shows that two columns are of two annotators.
LEAST_MARKS, LEAST_ALIKE = 10, 0.3


def _alike(layers: Sequence[_Layer], copies: Sequence[DocumentCopy]) -> list[_Layer]:
    """Return the columns that must be those of annotators: one file, and much is marked alike in several.

    Columns of outer and inner names have the same labels, and hardly a mark in common. Where a header has the
    usual names of layers, these may be coarse and fine.
    """
    words = (word for layer in layers for word in re.split(r"[\W_]+", layer.name.casefold()))
    if any(map(USUAL.fullmatch, words)) or len({copy.annotator for copy in copies}) != 1:
        return []
    marks: dict[str, set[tuple[object, ...]]] = {layer.name: set() for layer in layers}
    for copy in copies:
        for mark in copy.marks:
            marks[mark.type].add((copy.document, mark.spans, mark.features.get(mark.type)))
    found: list[_Layer] = []
    for layer in layers:
        own = marks[layer.name]
        shared = (
            len(own & other) / max(min(len(own), len(other)), LEAST_MARKS)
            for name, other in marks.items()
            if name != layer.name
        )
        if max(shared, default=0.0) >= LEAST_ALIKE:
            found.append(layer)
    return found


def _by_column(copies: Sequence[DocumentCopy], layers: Sequence[_Layer]) -> list[DocumentCopy]:
    """Return a copy for each column of each copy, whose annotator is called like the column."""
    return [
        replace(
            copy,
            annotator=layer.name,
            marks=[
                replace(mark, type=TAG, features={TAG: mark.features[layer.name]} if mark.features else {})
                for mark in copy.marks
                if mark.type == layer.name
            ],
        )
        for copy in copies
        for layer in layers
    ]


def _read_tagged(file: ExportFile) -> ColumnFile:
    table = read_columns(file)
    if any(len(row.cells) < LEAST_COLUMNS for row in table.rows):
        message = "has one column where a token and its tags were expected."
        raise file.refused(message, "Write a token a line, then its tags, separated by a tab or space.")
    return table


def _layout(tables: Sequence[ColumnFile]) -> tuple[int, list[_Layer]]:
    """Return the column of the tokens, and those that are layers."""
    sentences = [sentence for table in tables for sentence in table.sentences]
    rows = list(chain(*sentences))
    width = max((table.width for table in tables), default=0)
    named = next((table.token for table in tables if table.token is not None), None)
    token = int(width > LEAST_COLUMNS and all(map(_is_numbered, sentences))) if named is None else named
    names = next((table.names for table in tables if len(table.names) == width), ())
    layers: list[_Layer] = []
    for column in range(token + 1 if named is None else 0, width):
        name = names[column] if names else UNNAMED.format(column + 1)
        if is_sequence(row.cells[column] for row in rows):
            scheme = detect([row.cells[column] for row in sentence] for sentence in sentences)
            layers.append(_Layer(column, name, scheme))
        elif is_of_chains(row.cells[column] for row in rows):
            layers.append(_Layer(column, name, CHAINS))
        elif _is_tags(rows, column, token) and (named is None or not PLACES.fullmatch(name.casefold())):
            layers.append(_Layer(column, name, None))
    return token, layers


def _is_numbered(sentence: Sentence) -> bool:
    """Say whether the first column counts the tokens."""
    return all(row.cells[0] == str(number) for number, row in enumerate(sentence, 1))


def _is_tags(rows: Sequence[ColumnLine], column: int, token: int) -> bool:
    """Say whether a column has labels: no numbers, no lemmas, and not the same for every token."""
    values = [row.cells[column] for row in rows]
    labels = [value for value in values if value not in NO_MARK]
    same = sum(row.cells[column].casefold() == row.cells[token].casefold() for row in rows)
    numbers = all(value.lstrip("-").isdecimal() for value in labels)
    return bool(labels) and not numbers and same <= MOSTLY * len(rows) and len(set(values)) > 1


def _marked_document(
    file: ExportFile, document: ColumnDocument, token: int, layers: Sequence[_Layer]
) -> tuple[DocumentCopy, int]:
    """Return a document with the marks of all layers, and how many tags their schemes do not allow."""
    text, spans = text_of(document.sentences, token)
    marks: list[ParsedMark] = []
    chains: dict[tuple[str, str], list[str]] = {}
    faults = 0
    for sentence, token_spans in zip(document.sentences, spans, strict=True):
        for layer in layers:
            tags = [row.cells[layer.column] for row in sentence]
            stretches, own_faults = (
                [(at, at + 1, tag) for at, tag in enumerate(tags) if tag not in NO_MARK],
                0,
            )
            if layer.scheme == CHAINS:
                stretches = decode_chains(tags)
            elif layer.scheme is not None:
                stretches, own_faults = decode(tags, layer.scheme)
            faults += own_faults
            for start, end, label in stretches:
                features, name = ({layer.name: label} if label else {}), ""
                if layer.scheme == CHAINS:
                    features, name = {layer.name: MENTION}, f"{len(marks)}"
                    chains.setdefault((layer.name, label), []).append(name)
                span = token_spans[start][0], token_spans[end - 1][1]
                marks.append(ParsedMark(layer.name, (span,), features, sentence[start].line, name))
    links = [
        Relation(f"{name}|{CHAINS}", tuple(("", member) for member in members), chain=True)
        for (name, _), members in chains.items()
    ]
    return DocumentCopy(document.name, "", file.name, text or None, tuple(marks), links), faults


def _default(layers: Sequence[_Layer], copies: Sequence[DocumentCopy]) -> str | None:
    """Return the last column of stretches that has marks, else the last one that has any."""
    used = {mark.type for copy in copies for mark in copy.marks}
    names = [layer.name for layer in layers if layer.name in used]
    stretches = [layer.name for layer in layers if layer.name in used and layer.scheme not in (None, CHAINS)]
    known = [names[column] for column in well_known_columns(names, "label")]
    return next(chain(known, reversed(stretches or names)), None)


READER = Reader(
    name="conll",
    title="CoNLL columns",
    tool="many taggers and converters",
    extensions=EXTENSIONS,
    reads=(
        "Each column of tags is a layer. IOB1, IOB2, BIOES and BILOU tags are read as stretches of "
        "tokens, others as labels of single tokens. Documents are separated by -DOCSTART- or # "
        "newdoc. Tables of tokens, with a header and tabs, are read too."
    ),
    leaves_out=(
        "The tags _, O, - and -X-, comments, and columns of numbers, of lemmas, or with the same "
        "value throughout, because none of these are marks; white space of the original text, because "
        "the format does not preserve it."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(HOW, OWN_COLUMNS),
)
