"""WebAnno TSV 3: the columns that its header declares, its rows, and the text rebuilt from its sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.offsets import Utf16, different_cover, inside_character
from reportgen.readers.reader import ExportFile, Span, shortened

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
    if problems:
        raise BadInput(shortened(sorted(problems)))
    return WebAnnoTable(tuple(layers), tuple(rows), text)


def _version(file: ExportFile, line: str) -> bool:
    """Say whether characters are escaped as in Java (3.0 and 3.1); raise BadInput for another format."""
    found = re.fullmatch(re.escape(FORMAT) + r"(\d+)\.(\d+)\s*", line)
    if found is None or found[1] != "3":
        message = f'starts with "{line[:40].rstrip()}" where "{FORMAT}3.3" was expected.'
        raise BadInput([Problem(file.name, 1, message=message, mend="Export as WebAnno TSV 3.3.")])
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
            problems.append(Problem(file.name, number, message=message, mend=AGAIN))
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
                message = "stands before the first #Text= line."
                problems.append(Problem(file.name, number, message=message, mend=AGAIN))
                sentences.append(_Sentence())
            sentences[-1].rows.append(row)
    return sentences


def _row(file: ExportFile, number: int, line: str, width: int, token: int) -> WebAnnoRow:
    cells = line.split("\t")
    if not cells[-1] and len(cells) > FIXED:
        cells.pop()  # every cell ends with a tab
    if len(cells) != FIXED + width:
        message = f"has {len(cells)} cells where the header declares {FIXED + width}."
        raise BadInput([Problem(file.name, number, message=message, mend=AGAIN)])
    offsets = OFFSETS.fullmatch(cells[1])
    if offsets is None or ADDRESS.fullmatch(cells[0]) is None:
        message = f'starts with "{cells[0][:20]}" and "{cells[1][:20]}" where "1-1" and "0-4" were expected.'
        raise BadInput([Problem(file.name, number, message=message, mend=AGAIN)])
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
    return Problem(file.name, row.line, message=message, mend=AGAIN)


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
