"""What a file says, to a search: as it is, without its escapes, and what it holds compressed."""

import base64
import binascii
import html
import io
import json
import re
import unicodedata
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import unquote

MOST = 1 << 28  # bytes of one compressed stream
PIECE = 1 << 12
# Where zlib's streams, as in PNG and PDF, and gzip's may begin.
STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
GZIP_OR_ZLIB = 47
EMBEDDED = re.compile(r";base64,([A-Za-z0-9+/%=]+)")
# Why a zip file, or a part of it, can't be read.
UNREADABLE = (zipfile.BadZipFile, RuntimeError, EOFError, zlib.error, OSError)
MARKED_UP = (".html", ".svg", ".xml")
TYPESET = (".tex", ".bib")
# Tags that may be within a sentence; others hold names of their own.
TAG = re.compile(r"</?[a-z0-9]+(?: ?/| class=[a-z\"-]+)?>")
ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
# What may be within a word and is not seen, and what LaTeX writes before a sign or an accent.
UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
ACCENT = re.compile(r"\{?\\([`'^\"~=.uvHcdbkr])\s?\{?\\?([A-Za-z])\}?\}?")
ACCENTS = dict(
    zip(
        "`'^\"~=.uvHcdbkr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0323\u0331\u0328\u030a",
        strict=True,
    )
)
# Scripts that put no space between words: each of their signs is taken as a word.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
UNSPACED_SIGN = re.compile(f"[{UNSPACED}]")
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


def words(text: str) -> list[str]:
    """Return the words of a text, in their order."""
    return WORD.findall(text)


def folded(text: str) -> str:
    """Return a text so that two spellings of one name are the same."""
    return unicodedata.normalize("NFC", text).casefold()


def readings(name: str, content: bytes) -> Iterator[str]:
    """Yield what a file is called and says, each way in which it can be read, folded."""
    for text in (name, *_texts(name, content)):
        plain, unescaped = folded(text), folded(_unescaped(name, text))
        if text is name or not name.endswith(MARKED_UP):
            yield plain
        if unescaped != plain or name.endswith(MARKED_UP):
            yield unescaped


def _texts(name: str, content: bytes) -> Iterator[str]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        other = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "cp1252"
        yield from (content.decode(encoding, errors="replace") for encoding in ("utf-8", other))
        yield from (part.decode(errors="replace") for part in (*_streams(content), *_entries(content)))
        if name.endswith(".parquet"):
            yield _parquet(content)
    else:
        yield text
        for match in EMBEDDED.finditer(text):
            with suppress(binascii.Error):
                yield base64.b64decode(unquote(match[1]) + "==").decode(errors="replace")


def _streams(content: bytes) -> Iterator[bytes]:
    """Yield whatever is compressed within a file."""
    view, end = memoryview(content), 0
    for match in STREAM.finditer(content):
        # What looks like a beginning within a stream is none.
        if match.start() >= end:
            try:
                inside, length = _stream(view[match.start() :])
            except zlib.error:
                continue
            end = match.start() + length
            yield inside


def _stream(content: memoryview) -> tuple[bytes, int]:
    """Return what a stream holds, and how long it is; raises zlib.error where it is none."""
    stream = zlib.decompressobj(GZIP_OR_ZLIB)
    pieces, left, position = list[bytes](), MOST, 0
    while left and position < len(content) and not stream.eof:
        pieces.append(stream.decompress(content[position : position + PIECE], left))
        left -= len(pieces[-1])
        position += PIECE
    return b"".join(pieces), min(position, len(content)) - len(stream.unused_data)


def _entries(content: bytes) -> Iterator[bytes]:
    """Yield what is in a zip file, as documents of word processors are, and what the parts are called."""
    with suppress(*UNREADABLE), zipfile.ZipFile(io.BytesIO(content)) as archive:
        yield "\n".join(archive.namelist()).encode()
        yield from (archive.read(entry) for entry in archive.infolist() if entry.file_size <= MOST)


def _parquet(content: bytes) -> str:
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(content))
    columns = (f"{cell}" for column in table.columns for cell in column.unique().to_pylist())
    return "\n".join([str(table.schema), *columns])


def _unescaped(name: str, text: str) -> str:
    """Return a text without what HTML, XML, JSON, web addresses and LaTeX write instead of signs."""
    if name.endswith(MARKED_UP):
        text = TAG.sub(" ", text)
    if name.endswith(TYPESET):
        text = ACCENT.sub(lambda match: match[2] + ACCENTS[match[1]], text)
    if "&" in text:
        text = html.unescape(text)
    if "\\" in text:
        text = ESCAPED.sub(_of_json, text)
    if "%" in text:
        text = unquote(unquote(text, errors="replace"), errors="replace")
    return text if text.isascii() else UNSEEN.sub("", text)


def _of_json(match: re.Match[str]) -> str:
    said: str = json.loads(f'"{match[0]}"')
    return said.encode("utf-16", "surrogatepass").decode("utf-16", errors="replace")
