"""WebAnno TSV 3: the tab-separated export of WebAnno and INCEpTION."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.naming import Body, name_bodies, project_export
from reportgen.readers.offsets import Utf16, different_cover, inside_character
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    Span,
    refuse,
)

# What WebAnno TSV 3 escapes with a backslash, and what it separates where there is none.

ESCAPE = re.compile(r"\\(->|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def unescape(text: str, *, unicode_escapes: bool = False) -> str:
    """Return what an escaped text or value stands for."""
    if "\\" not in text:
        return text
    plain = ESCAPE.sub(lambda found: _unescaped(found[1], unicode_escapes=unicode_escapes), text)
    # Java escapes the two halves of a character outside the basic plane one by one.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unescaped(escaped: str, *, unicode_escapes: bool) -> str:
    if len(escaped) == len("u0041"):
        return chr(int(escaped[1:], 16)) if unicode_escapes else escaped
    return ESCAPED.get(escaped, escaped)


def split(cell: str, separator: str) -> list[str]:
    """Return the parts of a cell between separators that are not escaped."""
    if "\\" not in cell:
        return cell.split(separator)
    parts: list[str] = []
    start = place = 0
    while place < len(cell):
        if cell[place] == separator:
            parts.append(cell[start:place])
            start = place + 1
        place += 2 if cell[place] == "\\" else 1
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


@dataclass(frozen=True)
class WebAnnoColumn:
    """What a column holds: a feature, the roles or targets of a slot, the governor of a relation."""

    kind: str
    name: str
    place: int


@dataclass(frozen=True)
class WebAnnoLayer:
    """A layer of the header: its kind ("span", "chain", "relation"), type name and columns."""

    kind: str
    name: str
    columns: tuple[WebAnnoColumn, ...]


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


@dataclass(frozen=True)
class WebAnnoTable:
    """A whole file; the offsets of the rows are code points of the text."""

    layers: tuple[WebAnnoLayer, ...]
    rows: tuple[WebAnnoRow, ...]
    text: str


@dataclass
class _Sentence:
    lines: list[str] = field(default_factory=list)
    rows: list[WebAnnoRow] = field(default_factory=list)


def read_table(file: ExportFile) -> WebAnnoTable:
    """Return the file's layers, rows and text.

    Raises BadInput for another version of the format, rows that are not as the header declares, and
    tokens that are not in the text where they should be.
    """
    lines = file.text.split("\n")
    escaped = _version(file, lines[0])
    layers, problems = _layers(file, lines)
    width = sum(len(layer.columns) for layer in layers)
    sentences = _sentences(file, lines, width, problems)
    text = _lay_out(file, sentences, problems, unicode_escapes=escaped)
    rows = list(_placed(file, sentences, text, problems))
    refuse(sorted(problems))
    return WebAnnoTable(tuple(layers), tuple(rows), text)


def _version(file: ExportFile, line: str) -> bool:
    """Say whether characters are escaped as in Java (3.0 and 3.1); raise BadInput for another format."""
    found = re.fullmatch(re.escape(FORMAT) + r"(\d+)\.(\d+)\s*", line)
    if found is None or found[1] != "3":
        message = f'starts with "{line[:40].rstrip()}" where "{FORMAT}3.3" was expected.'
        raise file.refused(message, "Export as WebAnno TSV 3.3.", 1)
    return found[2] in {"0", "1"}


def _layers(file: ExportFile, lines: Sequence[str]) -> tuple[list[WebAnnoLayer], list[Problem]]:
    layers: list[WebAnnoLayer] = []
    problems: list[Problem] = []
    place = 0
    for number, line in enumerate(lines, 1):
        if line.startswith(TEXT):
            break
        if not line.startswith("#T_"):
            continue
        kind = KINDS.get(line[: len("#T_XX=")])
        if kind is None:
            message = "declares a layer of unknown kind; T_SP, T_CH and T_RL are known."
            problems.append(file.problem(message, AGAIN, number))
            continue
        layers.append(_layer(kind, line[len("#T_XX=") :].rstrip("\r"), place))
        place += len(layers[-1].columns)
    return layers, problems


def _layer(kind: str, declared: str, place: int) -> WebAnnoLayer:
    """Return a layer; one without features has a single column that only says where it is."""
    name, *features = declared.split("|")
    columns: list[WebAnnoColumn] = []
    for number, feature in enumerate(features or [""], place):
        after_role = bool(columns) and columns[-1].kind == "role"
        columns.append(_column(kind, feature, number, columns[-1].name if after_role else None))
    return WebAnnoLayer(kind, name, tuple(columns))


def _column(kind: str, declared: str, place: int, slot: str | None) -> WebAnnoColumn:
    if kind == "span" and slot is not None:
        return WebAnnoColumn("target", slot, place)
    if kind == "span" and declared.startswith("ROLE_"):
        # ROLE_<host>:<feature>_<link type>; the link type has a package, and features may have a "_".
        feature = declared.partition(":")[2]
        return WebAnnoColumn("role", feature.partition(".")[0].rpartition("_")[0] or feature, place)
    if kind == "relation" and declared.startswith("BT_"):
        return WebAnnoColumn("base", declared.removeprefix("BT_"), place)
    if kind == "chain" and declared == "referenceRelation":
        return WebAnnoColumn("link", declared, place)
    return WebAnnoColumn("feature", declared, place)


def _sentences(
    file: ExportFile, lines: Sequence[str], width: int, problems: list[Problem]
) -> list[_Sentence]:
    """Return the sentences with their rows, whose offsets are still UTF-16."""
    sentences: list[_Sentence] = []
    tokens = 0
    for number, raw in enumerate(lines, 1):
        line = raw.removesuffix("\r")
        if line.startswith(TEXT):
            if not sentences or sentences[-1].rows:
                sentences.append(_Sentence())
            sentences[-1].lines.append(line.removeprefix(TEXT))
        elif line and not line.startswith("#"):
            tokens += "." not in line.partition("\t")[0]
            try:
                row = _row(file, number, line, width, tokens)
            except BadInput as error:
                problems += error.problems
                continue
            if not sentences:
                problems.append(file.problem("stands before the first #Text= line.", AGAIN, number))
                sentences.append(_Sentence())
            sentences[-1].rows.append(row)
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
    return WebAnnoRow(
        number, cells[0], token, int(offsets[1]), int(offsets[2]), cells[2], tuple(cells[FIXED:])
    )


def _lay_out(
    file: ExportFile, sentences: Sequence[_Sentence], problems: list[Problem], *, unicode_escapes: bool
) -> str:
    """Return the text: each sentence where its first token says; what is between them is white space."""
    parts: list[str] = []
    length = 0
    for sentence in sentences:
        text = "\n".join(unescape(line, unicode_escapes=unicode_escapes) for line in sentence.lines)
        gap = _start(text, sentence.rows, length) - length
        if 0 <= gap <= WIDEST_GAP:
            parts.append(("\n" if parts else " ") * min(gap, 1) + " " * (gap - 1))
        else:
            problems.append(_misplaced(file, sentence.rows[0], gap))
            gap = 0
        parts.append(text)
        length += gap + utf16_length(text)
    return "".join(parts)


def _start(text: str, rows: Sequence[WebAnnoRow], length: int) -> int:
    """Return the UTF-16 offset of a sentence, which may start with white space before its first token."""
    if not rows:
        return length + (length > 0)
    before = text.partition(rows[0].covered)[0] if rows[0].covered else ""
    return rows[0].start - (0 if before.strip() else utf16_length(before))


def _misplaced(file: ExportFile, row: WebAnnoRow, gap: int) -> Problem:
    message = (
        f"starts {-gap:,} characters before the sentence above ends."
        if gap < 0
        else f"starts {gap:,} characters after the sentence above, more than lie between two sentences."
    )
    return file.problem(message, AGAIN, row.line)


def _placed(
    file: ExportFile, sentences: Sequence[_Sentence], text: str, problems: list[Problem]
) -> Iterator[WebAnnoRow]:
    """Yield the rows with offsets in code points, held against the text."""
    offsets = Utf16(text)
    for row in (row for sentence in sentences for row in sentence.rows):
        span = offsets.span(row.start, row.end)
        if span is None:
            problems.append(inside_character(file.name, row.line, row.start, row.end))
        elif not _is_at(text, span, row.covered):
            here = text[span[0] : span[1]]
            problems.append(different_cover(file.name, row.line, here, row.covered))
        else:
            yield WebAnnoRow(row.line, row.address, row.token, *span, row.covered, row.cells)


def _is_at(text: str, span: Span, written: str) -> bool:
    here = text[span[0] : span[1]]
    return span[0] <= span[1] <= len(text) and here in (written, unescape(written))


# The marks, relations, slots and chains in the rows of WebAnno TSV 3.

NO_VALUE = ("*", NOTHING)
NUMBER = re.compile(r"\[(\d{1,9})\]\Z", re.ASCII)
LINK = re.compile(r"(.*)->(\d{1,9})-(\d{1,9})\Z", re.ASCII | re.DOTALL)
REFERENCE = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,9})(?:_(\d{1,9}))?\])?", re.ASCII)

Link = tuple[str, str]


@dataclass
class _Entry:
    """One annotation in the cells of one layer and row; `number` tells those of a layer apart."""

    layer: WebAnnoLayer
    row: WebAnnoRow
    features: dict[str, str] = field(default_factory=dict)
    number: str = ""
    slots: list[tuple[str, Link]] = field(default_factory=list)
    base: tuple[str, str] = ("", "")
    chain: tuple[int, int] | None = None
    link: str | None = None


@dataclass
class _OpenMark:
    """A mark of which more rows may follow; `id` is given only where something refers to it."""

    first: _Entry
    last: WebAnnoRow
    number: int
    addresses: list[str] = field(default_factory=list)


class _Fault(Exception):
    """What is wrong with the cells of a row."""


def read_body(file: ExportFile) -> Body:
    """Return the text, marks and relations of one file; raise BadInput with all that is wrong with it."""
    table = read_table(file)
    problems: list[Problem] = []
    entries: list[_Entry] = []
    for row in table.rows:
        for layer in table.layers:
            try:
                entries += _entries(layer, row)
            except _Fault as fault:
                problems.append(_problem(file, row, layer, str(fault)))
    drafts = _drafts(file, [each for each in entries if each.layer.kind != "relation"], problems)
    refuse(sorted(problems))
    relations = tuple(_relations(entries, drafts))
    named = {name for each in relations for _, name in each.arguments}
    return Body(file.name, table.text, tuple(_mark(each, named) for each in drafts), relations)


def _problem(file: ExportFile, row: WebAnnoRow, layer: WebAnnoLayer, message: str) -> Problem:
    return file.problem(message, AGAIN, row.line, f"layer {layer.name}")


def _entries(layer: WebAnnoLayer, row: WebAnnoRow) -> list[_Entry]:
    """Return the annotations that the cells of a layer stack, one for each place between the bars."""
    cells = [row.cells[column.place] for column in layer.columns]
    if all(cell == NOTHING for cell in cells):
        return []
    stacks = [[] if cell == NOTHING else split(cell, "|") for cell in cells]
    depth = max(map(len, stacks))
    if any(len(stack) not in (0, depth) for stack in stacks):
        counts = ", ".join(str(len(stack)) for stack in stacks)
        raise _Fault(f"has cells of {counts} annotations where each should have as many.")
    filled = [stack or [NOTHING] * depth for stack in stacks]
    return [_entry(layer, row, values) for values in zip(*filled, strict=True)]


def _entry(layer: WebAnnoLayer, row: WebAnnoRow, values: Sequence[str]) -> _Entry:
    """Return the annotation that has these values in the columns of its layer."""
    entry = _Entry(layer, row)
    roles: list[str] = []
    for column, value in zip(layer.columns, values, strict=True):
        if column.kind == "target":
            entry.slots += _slots(column, roles, value)
        elif column.kind == "base":
            entry.base = column.name, value
        elif column.kind == "link":
            found = LINK.fullmatch(value)
            if found is None:
                raise _Fault(f'has "{value[:40]}" where "label->1-1" (chain and link) was expected.')
            entry.chain = int(found[2]), int(found[3])
            entry.link = None if found[1] in NO_VALUE else unescape(found[1])
        else:
            bare = _unnumbered(entry, value)
            if column.kind == "role":
                roles = [] if bare in NO_VALUE else split(bare, ";")
            elif column.name and bare not in NO_VALUE:
                entry.features[column.name] = unescape(bare)
    return entry


def _unnumbered(entry: _Entry, value: str) -> str:
    """Take the number in brackets off a value; it is the same in all columns of a layer."""
    found = NUMBER.search(value)
    if found is None:
        return value
    if entry.number not in ("", found[1]):
        raise _Fault(f"has the numbers {entry.number} and {found[1]} for one annotation.")
    entry.number = found[1]
    return value[: found.start()]


def _slots(column: WebAnnoColumn, roles: Sequence[str], value: str) -> Iterator[tuple[str, Link]]:
    """Yield the name of the slot with each of its roles and targets."""
    targets = [] if value in NO_VALUE else split(value, ";")
    named = roles or ["*"] * len(targets)
    if len(named) != len(targets):
        raise _Fault(f"has {len(named)} roles and {len(targets)} targets in a slot.")
    for role, target in zip(named, targets, strict=True):
        if REFERENCE.fullmatch(target) is None:
            raise _Fault(f'has the target "{target[:40]}" where "1-1" or "1-1[1]" was expected.')
        yield column.name, ("" if role in NO_VALUE else unescape(role), target)


def _drafts(file: ExportFile, entries: Sequence[_Entry], problems: list[Problem]) -> list[_OpenMark]:
    """Return the marks: entries of one number in rows that follow each other are one."""
    drafts: list[_OpenMark] = []
    last: dict[tuple[str, str, object], _OpenMark] = {}
    for entry in entries:
        key = (entry.layer.name, entry.number, entry.chain)
        open_one = last.get(key) if entry.number or entry.chain else None
        if open_one is not None and entry.row.token <= open_one.last.token + 1:
            if open_one.last.line == entry.row.line:
                problems.append(_problem(file, entry.row, entry.layer, "has one number for two annotations."))
            if (open_one.first.features, open_one.first.slots) != (entry.features, entry.slots):
                message = f"has other values than line {open_one.first.row.line} for the same annotation."
                problems.append(_problem(file, entry.row, entry.layer, message))
            open_one.last = entry.row
        else:
            open_one = last[key] = _OpenMark(entry, entry.row, len(drafts) + 1)
            drafts.append(open_one)
        open_one.addresses.append(entry.row.address)
    return drafts


def _mark(draft: _OpenMark, named: set[str]) -> ParsedMark:
    # The last row ends the mark, also where it is a part of the token of the first.
    first, name = draft.first, str(draft.number)
    span = (first.row.start, max(first.row.start, draft.last.end))
    return ParsedMark(
        first.layer.name, (span,), first.features, first.row.line, name if name in named else ""
    )


class _Directory:
    """Which mark an address such as "1-3[2]" means."""

    def __init__(self, drafts: Sequence[_OpenMark]) -> None:
        self._found: dict[tuple[str, str], list[_OpenMark]] = {}
        for draft in drafts:
            # The number of a chain's mark is that of the chain.
            number = draft.first.number if draft.first.chain is None else ""
            for address in dict.fromkeys(draft.addresses):
                self._found.setdefault((address, number), []).append(draft)

    def name(self, address: str, number: str | None, layer: str = "") -> str:
        """Return the id of the mark, or the address where it is a token or could be several."""
        found = self._found.get((address, "" if number in (None, "0") else str(number)), [])
        of_layer = [each for each in found if each.first.layer.name == layer] or found
        return str(of_layer[0].number) if len(of_layer) == 1 else address


def _relations(entries: Sequence[_Entry], drafts: Sequence[_OpenMark]) -> Iterator[Relation]:
    directory = _Directory(drafts)
    for draft in drafts:
        yield from _of_slots(draft, directory)
    yield from _of_chains(drafts)
    for entry in entries:
        if entry.layer.kind == "relation":
            yield _between(entry, directory)


def _of_slots(draft: _OpenMark, directory: _Directory) -> Iterator[Relation]:
    entry = draft.first
    for slot, (role, target) in entry.slots:
        address, number, _ = _reference(target)
        arguments = (("host", str(draft.number)), ("target", directory.name(address, number)))
        features = {"role": role} if role else {}
        yield Relation(f"{entry.layer.name}|{slot}", arguments, features, entry.row.line)


def _reference(written: str) -> tuple[str, str | None, str | None]:
    found = REFERENCE.fullmatch(written)
    return (found[1], found[2], found[3]) if found else (written, None, None)


def _of_chains(drafts: Sequence[_OpenMark]) -> Iterator[Relation]:
    """Yield the link from each mark of a chain to the next; the last may have a label and no next one."""
    chains: dict[tuple[str, int], list[tuple[int, _OpenMark]]] = {}
    for draft in drafts:
        if draft.first.chain is not None:
            chain, place = draft.first.chain
            chains.setdefault((draft.first.layer.name, chain), []).append((place, draft))
    for (layer, _), members in chains.items():
        links = [draft for _, draft in sorted(members, key=lambda member: (member[0], member[1].number))]
        for draft, following in zip(links, [*links[1:], None], strict=True):
            ends = [("from", draft), *([("to", following)] if following is not None else [])]
            features = {} if draft.first.link is None else {"referenceRelation": draft.first.link}
            if following is not None or features:
                arguments = tuple((role, str(each.number)) for role, each in ends)
                yield Relation(f"{layer}|referenceRelation", arguments, features, draft.first.row.line)


def _between(entry: _Entry, directory: _Directory) -> Relation:
    """Return a relation: the row is that of its dependent, the last column names its governor."""
    base, written = entry.base
    address, governor, dependent = _reference(written)
    arguments: tuple[tuple[str, str], ...] = (
        ("Dependent", directory.name(entry.row.address, dependent, base)),
    )
    if written not in ("", *NO_VALUE):
        arguments = (("Governor", directory.name(address, governor, base)), *arguments)
    return Relation(entry.layer.name, arguments, entry.features, entry.row.line)


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
    bodies = for_each(files, read_body)
    names = name_bodies(files, bodies, options, EXTENSIONS)
    return project_export(files, bodies, names, READING)


READER = Reader(
    name="webanno-tsv",
    title="WebAnno TSV 3",
    tool="WebAnno, INCEpTION",
    extensions=EXTENSIONS,
    reads=(
        "Marks of every span layer with their features, stacked, over several tokens or parts of one; chains "
        "as marks and links; slots and relation layers as relations."
    ),
    leaves_out=(
        "Tokens and sentences, which are no marks; the template INITIAL_CAS, which nobody annotated; values "
        "of several strings, which the tool does not write into this format."
    ),
    recognises=recognises,
    read=read,
)
