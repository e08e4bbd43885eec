"""WebAnno TSV 3: the tab-separated export of WebAnno and INCEpTION."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import chain, product, takewhile

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, tried
from reportgen.readers.annotations import different_cover
from reportgen.readers.naming import UnattributedMarks, list_unreadable, project_export, split_unreadable
from reportgen.readers.places import Offsets, code_points, utf16
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    raise_first_problems,
)

# What WebAnno TSV 3 escapes with a backslash, and what it separates where there is none.

ESCAPE = re.compile(r"\\(->|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def unescape(text: str, *, unicode_escapes: bool = False) -> str:
    """Return what an escaped text or value represents."""
    if "\\" not in text:
        return text

    def meant(match: "re.Match[str]") -> str:
        if len(match[1]) == len("u0041") and unicode_escapes:
            return chr(int(match[1][1:], 16))
        return ESCAPED.get(match[1], match[1])

    # Java escapes the two halves of a character outside the basic plane one by one.
    return ESCAPE.sub(meant, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def split(cell: str, separator: str) -> list[str]:
    """Return the parts of a cell between separators that are not escaped."""
    if "\\" not in cell:
        return cell.split(separator)
    parts: list[str] = []
    start = position = 0
    while position < len(cell):
        if cell[position] == separator:
            parts.append(cell[start:position])
            start = position + 1
        position += 2 if cell[position] == "\\" else 1
    return [*parts, cell[start:]]


# WebAnno TSV 3: the columns that its header declares, its rows, and the text rebuilt from its sentences.

FORMAT = "#FORMAT=WebAnno TSV "
KINDS = {"#T_SP=": "span", "#T_CH=": "chain", "#T_RL=": "relation"}
TEXT = "#Text="
NOTHING = "_"
FIXED = 3
# Text between sentences is not in the file, only its length. No document has that much of it in one place.
WIDEST_GAP = 100_000

ADDRESS = re.compile(r"(\d{1,9}-\d{1,9})(?:\.\d{1,9})?", re.ASCII)
OFFSETS = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
AGAIN = "Export the document again."

# What a column is for, and its name.
Column = tuple[str, str]


@dataclass(frozen=True)
class WebAnnoLayer:
    """A layer of the header: its kind ("span", "chain", "relation"), type name and columns.

    `columns` say what each is for ("feature", the "role" or "target" of a slot, the "base" of a relation, the
    "link" of a chain) and its name; `first_column` is the first of them among the cells of a row.
    """

    kind: str
    name: str
    first_column: int
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class WebAnnoRow:
    """A token, or a part of one: its address ("1-2", "1-2.1"), the number of its token, and its cells."""

    line: int
    address: str
    token: int
    start: int
    end: int
    covered: str
    cells: tuple[str, ...]


# The lines of text of a sentence, and its rows.
Sentence = tuple[list[str], list[WebAnnoRow]]


def read_table(file: ExportFile) -> tuple[list[WebAnnoLayer], list[WebAnnoRow], str]:
    """Return the file's layers, its rows, whose offsets are code points, and its text.

    Raises BadInput for another version of the format, rows that are not as the header declares, and
    tokens that are not in the text where they should be.
    """
    lines = file.text.split("\n")
    escaped = _version(file, lines[0])
    problems: list[Problem] = []
    # The layers; one without features has a single column that only says where it is.
    layers: list[WebAnnoLayer] = []
    first_column = 0
    for number, line in enumerate(takewhile(lambda line: not line.startswith(TEXT), lines), 1):
        if not line.startswith("#T_"):
            continue
        start = len("#T_XX=")
        kind = KINDS.get(line[:start])
        if kind is None:
            message = "declares a layer of unknown kind; T_SP, T_CH and T_RL are known."
            problems.append(file.problem(message, AGAIN, number))
            continue
        name, *features = line[start:].rstrip("\r").split("|")
        columns: list[Column] = []
        for feature in features or [""]:
            columns.append(_column(kind, feature, columns[-1:]))
        layers.append(WebAnnoLayer(kind, name, first_column, tuple(columns)))
        first_column += len(columns)
    width = sum(len(layer.columns) for layer in layers)
    sentences = _sentences(file, lines, width, problems)
    text = _lay_out(file, sentences, problems, unicode_escapes=escaped)
    units = utf16(text)
    rows, misplaced = tried(
        (row for _, own in sentences for row in own), lambda row: _in_code_points(file, row, text, units)
    )
    raise_first_problems(sorted([*problems, *misplaced]))
    return layers, rows, text


def _version(file: ExportFile, line: str) -> bool:
    """Say whether characters are escaped as in Java (3.0 and 3.1); raise BadInput for another format."""
    match = re.fullmatch(re.escape(FORMAT) + r"(\d+)\.(\d+)\s*", line)
    if match is None or match[1] != "3":
        message = f'starts with "{line[:40].rstrip()}" where "{FORMAT}3.3" was expected.'
        raise file.refused(message, "Export as WebAnno TSV 3.3.", 1)
    return match[2] in {"0", "1"}


def _column(kind: str, declared: str, before: Sequence[Column]) -> Column:
    """Return what a column of a layer of this kind is for, after the one before it."""
    if kind == "span" and before and before[0][0] == "role":
        return "target", before[0][1]
    if kind == "span" and declared.startswith("ROLE_"):
        # ROLE_<host>:<feature>_<link type>; the link type has a package, and features may have a "_".
        feature = declared.partition(":")[2]
        return "role", feature.partition(".")[0].rpartition("_")[0] or feature
    if kind == "relation" and declared.startswith("BT_"):
        return "base", declared.removeprefix("BT_")
    return "link" if kind == "chain" and declared == "referenceRelation" else "feature", declared


def _sentences(file: ExportFile, lines: Sequence[str], width: int, problems: list[Problem]) -> list[Sentence]:
    """Return the lines of text of each sentence and its rows, whose offsets are still UTF-16."""
    sentences: list[Sentence] = []
    tokens = 0
    for number, raw in enumerate(lines, 1):
        line = raw.removesuffix("\r")
        if line.startswith(TEXT):
            if not sentences or sentences[-1][1]:
                sentences.append(([], []))
            sentences[-1][0].append(line.removeprefix(TEXT))
        elif line and not line.startswith("#"):
            tokens += "." not in line.partition("\t")[0]
            try:
                row = _row(file, number, line, width, tokens)
            except BadInput as error:
                problems += error.problems
                continue
            if not sentences:
                problems.append(file.problem("is before the first #Text= line.", AGAIN, number))
                sentences.append(([], []))
            sentences[-1][1].append(row)
    return sentences


def _row(file: ExportFile, number: int, line: str, width: int, token: int) -> WebAnnoRow:
    cells = line.split("\t")
    if not cells[-1] and len(cells) > FIXED:
        cells.pop()  # every cell ends with a tab
    if len(cells) != FIXED + width:
        message = f"has {len(cells)} cells where the header declares {FIXED + width}."
        raise file.refused(message, AGAIN, number)
    offsets = OFFSETS.fullmatch(cells[1])
    if offsets is None or ADDRESS.fullmatch(cells[0]) is None:
        message = f'starts with "{cells[0][:20]}" and "{cells[1][:20]}" where "1-1" and "0-4" were expected.'
        raise file.refused(message, AGAIN, number)
    start, end = int(offsets[1]), int(offsets[2])
    return WebAnnoRow(number, cells[0], token, start, end, cells[2], tuple(cells[FIXED:]))


def _lay_out(
    file: ExportFile, sentences: Sequence[Sentence], problems: list[Problem], *, unicode_escapes: bool
) -> str:
    """Return the text: each sentence where its first token says; what is between them is white space."""
    parts: list[str] = []
    length = 0
    for lines, rows in sentences:
        text = "\n".join(unescape(line, unicode_escapes=unicode_escapes) for line in lines)
        gap = int(length > 0)
        if rows:
            # A sentence may start with white space before its first token.
            before = text.partition(rows[0].covered)[0] if rows[0].covered else ""
            gap = rows[0].start - (0 if before.strip() else utf16_length(before)) - length
        if not 0 <= gap <= WIDEST_GAP:
            message = f"starts {-gap:,} characters before the sentence above ends."
            if gap > 0:
                after = "characters after the sentence above, more than lie between two sentences."
                message = f"starts {gap:,} {after}"
            problems.append(file.problem(message, AGAIN, rows[0].line))
            gap = 0
        parts += [("\n" if parts else " ") * min(gap, 1) + " " * (gap - 1), text]
        length += gap + utf16_length(text)
    return "".join(parts)


def _in_code_points(file: ExportFile, row: WebAnnoRow, text: str, units: Offsets) -> WebAnnoRow:
    """Return the row with offsets in code points; raise BadInput where the text has something else there."""
    start, end = code_points(units, file.name, row.line, (row.start, row.end))
    here = text[start:end]
    if start > end or end > len(text) or here not in (row.covered, unescape(row.covered)):
        raise BadInput([different_cover(file.name, row.line, here, row.covered)])
    return replace(row, start=start, end=end)


# The marks, relations, slots and chains in the rows of WebAnno TSV 3.

NO_VALUE = ("*", NOTHING)
NUMBER = re.compile(r"\[(\d{1,9})\]\Z", re.ASCII)
LINK = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})\Z", re.ASCII | re.DOTALL)
REFERENCE = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,9})(?:_(\d{1,9}))?\])?", re.ASCII)


@dataclass
class _Entry:
    """One annotation in the cells of one layer and row, and later the rows that go on with it.

    `number` tells those of a layer apart, `slots` have name, role and target, `base` is the type of what a
    relation lies between, and its governor; `chain` and the place in it are of a chain, and `link` its label.
    """

    file: ExportFile
    layer: WebAnnoLayer
    rows: list[WebAnnoRow]
    features: dict[str, str] = field(default_factory=dict)
    number: str = ""
    slots: list[tuple[str, str, str]] = field(default_factory=list)
    base: tuple[str, str] = ("", "")
    chain: tuple[int, int] | None = None
    link: str | None = None
    id: str = ""

    def refused(self, message: str) -> BadInput:
        """Return the error for what is wrong with the cells."""
        return self.file.refused(message, AGAIN, self.rows[0].line, f"layer {self.layer.name}")


def read_body(file: ExportFile) -> UnattributedMarks:
    """Return the text, marks and relations of one file; raise BadInput with all that is wrong with it."""
    layers, rows, text = read_table(file)
    stacks, problems = tried(product(rows, layers), lambda row_and_layer: _entries(file, *row_and_layer))
    entries = list(chain(*stacks))
    marks = _marks([entry for entry in entries if entry.layer.kind != "relation"], problems)
    raise_first_problems(sorted(problems))
    relations = tuple(_relations(entries, marks))
    named = {name for relation in relations for _, name in relation.arguments}
    return UnattributedMarks(file.name, text, tuple(_mark(entry, named) for entry in marks), relations)


def _entries(file: ExportFile, row: WebAnnoRow, layer: WebAnnoLayer) -> list[_Entry]:
    """Return the annotations that the cells of a layer stack, one for each place between the bars."""
    cells = row.cells[layer.first_column : layer.first_column + len(layer.columns)]
    if all(cell == NOTHING for cell in cells):
        return []
    stacks = [[] if cell == NOTHING else split(cell, "|") for cell in cells]
    depth = max(map(len, stacks))
    if any(len(stack) not in (0, depth) for stack in stacks):
        counts = ", ".join(str(len(stack)) for stack in stacks)
        message = f"has cells of {counts} annotations where each should have as many."
        raise _Entry(file, layer, [row]).refused(message)
    filled = [stack or [NOTHING] * depth for stack in stacks]
    return [_entry(_Entry(file, layer, [row]), values) for values in zip(*filled, strict=True)]


def _entry(entry: _Entry, values: Sequence[str]) -> _Entry:
    """Return the annotation with what the columns of its layer say."""
    roles: list[str] = []
    for (kind, name), value in zip(entry.layer.columns, values, strict=True):
        if kind == "target":
            entry.slots += _slots(entry, name, roles, value)
        elif kind == "base":
            entry.base = name, value
        elif kind == "link":
            match = LINK.fullmatch(value)
            if match is None:
                raise entry.refused(f'has "{value[:40]}" where "label->1-1" (chain and link) was expected.')
            entry.chain = int(match[2]), int(match[3])
            entry.link = None if match[1] in NO_VALUE else unescape(match[1])
        else:
            bare = _unnumbered(entry, value)
            if kind == "role":
                roles = [] if bare in NO_VALUE else split(bare, ";")
            elif name and bare not in NO_VALUE:
                entry.features[name] = unescape(bare)
    return entry


def _unnumbered(entry: _Entry, value: str) -> str:
    """Take the number in brackets off a value; it is the same in all columns of a layer."""
    match = NUMBER.search(value)
    if match is None:
        return value
    if entry.number not in ("", match[1]):
        raise entry.refused(f"has the numbers {entry.number} and {match[1]} for one annotation.")
    entry.number = match[1]
    return value[: match.start()]


def _slots(entry: _Entry, name: str, roles: Sequence[str], value: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name of the slot with each of its roles and targets."""
    targets = [] if value in NO_VALUE else split(value, ";")
    named = roles or ["*"] * len(targets)
    if len(named) != len(targets):
        raise entry.refused(f"has {len(named)} roles and {len(targets)} targets in a slot.")
    for role, target in zip(named, targets, strict=True):
        if REFERENCE.fullmatch(target) is None:
            raise entry.refused(f'has the target "{target[:40]}" where "1-1" or "1-1[1]" was expected.')
        yield name, "" if role in NO_VALUE else unescape(role), target


def _marks(entries: Sequence[_Entry], problems: list[Problem]) -> list[_Entry]:
    """Return the marks: entries of one number in rows that follow each other are one."""
    marks: list[_Entry] = []
    last: dict[tuple[str, str, object], _Entry] = {}
    for entry in entries:
        key = (entry.layer.name, entry.number, entry.chain)
        mark = last.get(key) if entry.number or entry.chain else None
        if mark is None or entry.rows[0].token > mark.rows[-1].token + 1:
            last[key] = entry
            marks.append(entry)
            entry.id = str(len(marks))
            continue
        if mark.rows[-1].line == entry.rows[0].line:
            problems += entry.refused("has one number for two annotations.").problems
        if (mark.features, mark.slots) != (entry.features, entry.slots):
            message = f"has other values than line {mark.rows[0].line} for the same annotation."
            problems += entry.refused(message).problems
        mark.rows += entry.rows
    return marks


def _mark(entry: _Entry, named: set[str]) -> ParsedMark:
    # The last row ends the mark, also where it is a part of the token of the first.
    first = entry.rows[0]
    span = (first.start, max(first.start, entry.rows[-1].end))
    name = entry.id if entry.id in named else ""
    return ParsedMark(entry.layer.name, (span,), entry.features, first.line, name)


# The marks of an address and a number, such as "1-3" and "2".
Directory = dict[tuple[str, str], list[_Entry]]


def _relations(entries: Sequence[_Entry], marks: Sequence[_Entry]) -> Iterator[Relation]:
    directory: Directory = {}
    for mark in marks:
        # The number of a chain's mark is that of the chain.
        number = mark.number if mark.chain is None else ""
        for address in dict.fromkeys(row.address for row in mark.rows):
            directory.setdefault((address, number), []).append(mark)
    for mark in marks:
        for slot, role, target in mark.slots:
            address, written, _ = _reference(target)
            arguments = (("host", mark.id), ("target", _mark_id(directory, address, written)))
            features = {"role": role} if role else {}
            yield Relation(f"{mark.layer.name}|{slot}", arguments, features, mark.rows[0].line)
    yield from _chain_links(marks)
    yield from (_relation(entry, directory) for entry in entries if entry.layer.kind == "relation")


def _mark_id(directory: Directory, address: str, number: str | None, layer: str = "") -> str:
    """Return the id of the mark that "1-3[2]" means, the address where it is a token or could be several."""
    marks = directory.get((address, "" if number in (None, "0") else str(number)), [])
    of_layer = [mark for mark in marks if mark.layer.name == layer] or marks
    return of_layer[0].id if len(of_layer) == 1 else address


def _reference(written: str) -> tuple[str, str | None, str | None]:
    match = REFERENCE.fullmatch(written)
    return (match[1], match[2], match[3]) if match else (written, None, None)


def _chain_links(marks: Sequence[_Entry]) -> Iterator[Relation]:
    """Yield the link from each mark of a chain to the next; the last may have a label and no next one."""
    chains: dict[tuple[str, int], list[tuple[int, _Entry]]] = {}
    for mark in marks:
        if mark.chain is not None:
            chains.setdefault((mark.layer.name, mark.chain[0]), []).append((mark.chain[1], mark))
    for (layer, _), members in chains.items():
        links = [mark for _, mark in sorted(members, key=lambda member: member[0])]
        for mark, following in zip(links, [*links[1:], None], strict=True):
            features = {} if mark.link is None else {"referenceRelation": mark.link}
            if following is not None or features:
                ends = (("from", mark), ("to", following))
                arguments = tuple((role, end.id) for role, end in ends if end is not None)
                line = mark.rows[0].line
                yield Relation(f"{layer}|referenceRelation", arguments, features, line, chain=True)


def _relation(entry: _Entry, directory: Directory) -> Relation:
    """Return a relation: the row is that of its dependent, the last column names its governor."""
    base, written = entry.base
    address, governor, dependent = _reference(written)
    row = entry.rows[0]
    arguments = [("Dependent", _mark_id(directory, row.address, dependent, base))]
    if written not in ("", *NO_VALUE):
        arguments.insert(0, ("Governor", _mark_id(directory, address, governor, base)))
    return Relation(entry.layer.name, tuple(arguments), entry.features, row.line)


# WebAnno TSV 3: the tab-separated export of WebAnno and INCEpTION.

EXTENSIONS = (".tsv",)
READING = "WebAnno TSV: rows that share a number are one mark; text between sentences is white space."


def recognises(file: ExportFile) -> bool:
    """Say whether the file starts with the line that names the format."""
    start = file.content[:64].removeprefix(b"\xef\xbb\xbf")
    return start.startswith(FORMAT.encode()) or (file.is_text() and file.text.startswith(FORMAT))


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each file.

    Raises BadInput with every fault of all files: rows that do not fit the header, offsets that do not fit
    the text, marks whose rows contradict each other.
    """
    own, bodies, faulty = split_unreadable(files, read_body)
    return list_unreadable(project_export(files, bodies, options, (EXTENSIONS, READING), own), faulty)


READER = Reader(
    name="webanno-tsv",
    title="WebAnno TSV 3",
    tool="WebAnno, INCEpTION",
    extensions=EXTENSIONS,
    reads=(
        "Marks of every span layer with their features, including stacked marks and marks of several "
        "tokens or of part of one; chains, as marks and links; slots and relation layers, as "
        "relations."
    ),
    leaves_out=(
        "Tokens and sentences, because they are not marks; the template INITIAL_CAS, because nobody "
        "annotated it; features with several strings, because the tool does not write them in this "
        "format."
    ),
    recognises=recognises,
    read=read,
    says=(READING,),
)
