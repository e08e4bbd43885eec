"""Files of a campaign as text, rows and numbers: encoding, delimiter, checksum; nothing of their meaning."""

import codecs
import csv
import hashlib
import io
import itertools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, alternatives, in_plain_words, reason, refused

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DELIMITERS = ",\t;|"
SAMPLE_ROWS = 50
LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+\Z")
# The text is in memory already: a long cell is no reason to refuse it. More does not fit a C long everywhere.
FIELD_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class InputFile:
    """One input file as it was read: its name, its SHA-256 and its length in bytes."""

    file: str
    sha256: str
    bytes: int


def checksum_list(sums: Mapping[str, str]) -> str:
    """Return a list of SHA-256s, given by path, as `sha256sum --check` reads it: a line each, by path."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))


def read_bytes(path: Path, name: str) -> bytes:
    """Return the file's bytes; raise BadInput where the system refuses them."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(name, error) from None


# What people copy from a browser, as paths are written.
ADDRESS = re.compile(r"https?:/")


def _unreadable(name: str, error: OSError) -> BadInput:
    remedy = "Check that it is a file and that you may read it."
    if isinstance(error, FileNotFoundError):
        is_address = ADDRESS.match(name)
        remedy = (
            "Download it, a Google sheet as .xlsx, and name the file." if is_address else "Check the name."
        )
    return refused(name, message=f"can't be read: {reason(error)}.", remedy=remedy)


def templates() -> Path:
    """Return the folder of templates: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def source(name: str, content: bytes) -> InputFile:
    """Return what provenance records of a file."""
    return InputFile(name, hashlib.sha256(content).hexdigest(), len(content))


def source_of(path: Path, name: str, before: bytes = b"") -> InputFile:
    """Return what provenance records of a file that may not fit into memory; raise BadInput as `read_bytes`.

    `before` is set before its bytes.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, lambda: hashlib.sha256(before))
            return InputFile(name, digest.hexdigest(), file.tell())
    except OSError as error:
        raise _unreadable(name, error) from None


def _codec(content: bytes) -> str:
    return next((codec for mark, codec in MARKS if content.startswith(mark)), "utf-8")


def encoding(content: bytes) -> str:
    """Return the encoding that `decode` takes the file to have: "UTF-8", "UTF-16" or "UTF-32"."""
    return _codec(content).removesuffix("-sig").upper()


def decode(content: bytes, name: str) -> str:
    """Return the text of a UTF-8 file, or of a UTF-16 or UTF-32 one that starts with a byte order mark.

    Any other encoding is refused, with the line of the first byte that is not UTF-8: guessing among
    the eight-bit ones would change labels silently. So is a NUL, which is in no text.
    """
    try:
        text = content.decode(_codec(content))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{error.object[error.start]:02x} is not {encoding(content)}."
        raise refused(name, line, message=message, remedy="Save the file as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        message = "contains a NUL: it is not text, or UTF-16 without a byte order mark."
        raise refused(name, line, message=message, remedy="Save the file as UTF-8.")
    return text.lstrip("\ufeff")


# How Western European texts were encoded before Unicode, the commoner first.
WESTERN_CODECS = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}
# Letters and signs of Western European languages, which another encoding would turn into others.
WESTERN = frozenset(
    "àâäáãåçéèêëíìîïñóòôöõøúùûüÿœæßÀÂÄÁÃÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØÚÙÛÜŒÆ€’‘“”„«»–—…°·¿¡§ªº²³µ½£\xa0\xb4¨®©™"
)
# What is no Western word: a sign within it, a capital after a small letter, three accents in a row.
NO_WORD = re.compile(
    r"[^\W\d_][^\x00-\x7f\w’\xb4·][^\W\d_]|[a-zß-öø-ÿ][À-ÖØ-ÞŒ]|(?:[^\W\d_](?<![\x00-\x7f])){3}"
)


def western_codec(content: bytes) -> str | None:
    """Return the codec of WESTERN_CODECS in which a text that is not Unicode makes sense, if there is one."""
    is_unicode = any(content.startswith(mark) for mark, _ in MARKS) or b"\0" in content
    # Markup says its encoding itself; letters of several bytes are Unicode, of which something is broken.
    if is_unicode or content.startswith(b"<") or not content.decode("utf-8", errors="ignore").isascii():
        return None
    for codec in WESTERN_CODECS:
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if all(sign.isascii() or sign in WESTERN for sign in {*text}) and not NO_WORD.search(text):
            return codec
    return None


def read_text(path: Path, name: str) -> str:
    """Return the decoded text of a file; raise BadInput where it can't be read or decoded."""
    return decode(read_bytes(path, name), name)


def nfc(name: str) -> str:
    """Return a label or a name as names are compared: in Unicode's composed form, NFC.

    A letter with an accent may be written as one sign or as two, and is the same letter.
    """
    return name if name.isascii() else unicodedata.normalize("NFC", name)


# Programs write whole numbers so in a column that has an empty cell.
WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]*))\.0+")


def as_compared(text: str) -> str:
    """Return a label or the name of a unit as it is compared: in NFC, and 1.0 as the number 1 that it is."""
    match = WHOLE.fullmatch(text) if text.endswith("0") else None
    return nfc(text) if match is None else match[1]


def delimiter(text: str) -> str:
    """Return the delimiter that splits the first rows most evenly, a comma where none does."""

    def evenness(mark: str) -> tuple[int, int]:
        # Nothing is split by a mark that is not there.
        return _evenness([len(row) for row in rows(text, mark, SAMPLE_ROWS)] if mark in text else [])

    return max(DELIMITERS, key=evenness)


def _evenness(lengths: list[int]) -> tuple[int, int]:
    """Return how many rows have the commonest length, and that length; nothing for a single column."""
    if not lengths or lengths[0] == 1:
        return (0, 0)
    length, count = Counter(lengths).most_common(1)[0]
    return (0, 0) if length == 1 else (count, length)


def rows(text: str, mark: str, limit: int | None = None) -> list[list[str]]:
    """Return the rows of a delimited text, without empty ones; at most `limit` of them."""
    if (limit is None or limit > SAMPLE_ROWS) and '"' not in text:
        # Where nothing is quoted, as in most tables, a row is a line.
        return [line.split(mark) for line in itertools.islice(filter(None, _lines(text)), limit)]
    csv.field_size_limit(FIELD_LIMIT)
    if limit is None:
        return list(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=mark)))
    # Of a large text of which the first rows are looked at, no copy is made.
    ended = (line[0] for line in LINES.finditer(text))
    return list(itertools.islice(filter(None, csv.reader(ended, delimiter=mark)), limit))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_quoted(text: str, mark: str) -> bool:
    """Say whether quotation marks quote cells: in a table by tabs they may be letters, as of a token.

    They are where its lines are equally long without quoting, and no cell is quoted whole.
    """
    if '"' not in text or mark != "\t":
        return '"' in text
    rows = [line.split(mark) for line in _lines(text) if line]
    begun = [cell for row in rows for cell in row if cell.startswith('"')]
    whole = any(len(cell) > 1 and cell.endswith('"') for cell in begun)
    return whole or len({len(row) for row in rows}) > 1


def even_columns(text: str, mark: str) -> tuple[list[int], list[list[str]]] | None:
    """Return the line of each row that is not empty, and the columns.

    None where rows are not as long as the first, or anything is quoted.
    """
    lines = _lines(text)
    filled = [*filter(None, lines)]
    marks = {line.count(mark) for line in filled}
    if is_quoted(text, mark) or len(marks) != 1:
        return None
    width = marks.pop() + 1
    cells = mark.join(filled).split(mark)
    numbers = [number for number, line in enumerate(lines, 1) if line]
    return numbers, [cells[place::width] for place in range(width)]


def numbered_rows(text: str, mark: str) -> list[tuple[int, list[str]]]:
    """Return every row that is not empty with the line on which it starts, counted from 1."""
    if not is_quoted(text, mark):
        return [(number, line.split(mark)) for number, line in enumerate(_lines(text), 1) if line]
    csv.field_size_limit(FIELD_LIMIT)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    table_rows: list[tuple[int, list[str]]] = []
    start = 1
    for row in reader:
        if row:
            table_rows.append((start, row))
        start = reader.line_num + 1
    return table_rows


# CSV as we write it: no spreadsheet takes a cell for a formula, and each is read back as it was.

# What a spreadsheet computes, or takes the sign before it away from and computes then.
FORMULA = re.compile(r"['\s]*[=+\-@]|'*[\t\r\n]")
NEGATIVE = re.compile(r"-[0-9]+(?:\.[0-9]+)?")


def as_cell(text: str) -> str:
    """Return a text as a cell of a table that reportgen writes.

    What begins with = + - @, a tab or a line break gets an apostrophe before it, unless it is a number.
    """
    return f"'{text}" if FORMULA.match(text) and not NEGATIVE.fullmatch(text) else text


def from_cell(cell: str) -> str:
    """Return the text that a cell of such a table has."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def as_csv(table: Iterable[Iterable[object]], *, quote_all: bool = False) -> str:
    """Return rows as CSV: texts as cells, nothing for None, and anything else as Python writes it."""
    lines = _Lines()
    # Cells with either line break are quoted only where the writer ends its lines with both.
    writer = csv.writer(
        lines, lineterminator="\r\n", quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    )
    # Nearly all of millions of cells begin with a letter or a digit.
    writer.writerows(
        [as_cell(x) if x and isinstance(x, str) and not x[0].isalnum() else x for x in row] for row in table
    )
    return "".join(f"{line[:-2]}\n" for line in lines)


class _Lines(list[str]):
    """The lines that a writer of CSV writes."""

    write = list[str].append


def from_csv(text: str) -> list[list[str]]:
    """Return the rows of a table that reportgen wrote, with the texts of its cells."""
    table = rows(text, ",")
    return [list(map(from_cell, row)) for row in table] if "'" in text else table


# The small CSV tables of a campaign: rows with their lines, and numbers as people write them.

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)

NumberedRow = tuple[int, list[str]]


def read_table(path: Path, name: str) -> tuple[str, list[NumberedRow]]:
    """Return a table's delimiter, and its rows with their lines, without blank ones, cells stripped.

    Raises BadInput, which calls the file `name`, where it can't be read or is empty.
    """
    text = read_text(path, name)
    try:
        mark = delimiter(text)
        rows = [
            (line, [as_compared(from_cell(cell.strip())) for cell in row])
            for line, row in numbered_rows(text, mark)
        ]
    except csv.Error as error:
        raise refused(
            name, message=f"is no CSV table: {in_plain_words(error)}.", remedy="Save it as CSV."
        ) from None
    filled = [(line, row) for line, row in rows if any(row)]
    if not filled:
        raise refused(name, message="is empty.", remedy="Fill it in, or take it out of campaign.toml.")
    return mark, filled


def read_number(cell: str, mark: str) -> float | None:
    """Return the number in a cell, infinite or not a number where it says so, None where it is not one.

    A decimal comma counts where the delimiter is another sign.
    """
    text = cell if mark == "," else cell.replace(",", ".")
    if NUMBER.fullmatch(text):
        return float(text)
    return math.nan if NOT_FINITE.fullmatch(text) else None


def read_two_columns(
    path: Path, name: str, columns: tuple[str, str], or_else: str = ""
) -> tuple[int, list[NumberedRow]]:
    """Return the line of a table's first row, and the other rows with their cells in the order of `columns`.

    Raises BadInput where the table has other columns; `or_else` ends what is then to be done.
    """
    (line, header), *body = read_table(path, name)[1]
    folded = [cell.casefold() for cell in header]
    if sorted(folded) != sorted(columns):
        message = f"has the columns {alternatives(header, 'and')}; {' and '.join(columns)} were expected."
        remedy = f"Write {','.join(columns)} above them{or_else}."
        raise refused(name, line, "first row", message, remedy)
    return line, [(number, row if folded[0] == columns[0] else row[::-1]) for number, row in body]


def of_another_length(row: Sequence[str], columns: tuple[str, str]) -> tuple[str, str]:
    """Return what is wrong with a row that has not two cells, and what to do about it."""
    return f"has {len(row)} cells; a {columns[0]} and its {columns[1]} were expected.", "Correct the row."
