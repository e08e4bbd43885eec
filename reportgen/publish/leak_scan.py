"""Searches a finished bundle for what it was to hide: names, texts, and where it was made.

Pseudonyms are put in before anything is rendered, so that none of these is in what is computed. They may
be in the publisher's own words, though, in labels, or in files that are published as they are.
"""

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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import pairwise, repeat
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem
from reportgen.publish.bundle_files import (
    CAMPAIGN,
    CHECKSUMS,
    CITATION,
    CRATE,
    DISTANCES,
    EXPORTS,
    GUIDELINES,
)

# What a file says, to a search: as it is, without its escapes, and what it holds compressed.

MOST_UNPACKED = 1 << 28  # bytes of one compressed stream
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
    """Return what a stream holds, and how long it is; raises zlib.error where it is not one."""
    stream = zlib.decompressobj(GZIP_OR_ZLIB)
    pieces, left, position = list[bytes](), MOST_UNPACKED, 0
    while left and position < len(content) and not stream.eof:
        pieces.append(stream.decompress(content[position : position + PIECE], left))
        left -= len(pieces[-1])
        position += PIECE
    return b"".join(pieces), min(position, len(content)) - len(stream.unused_data)


def _entries(content: bytes) -> Iterator[bytes]:
    """Yield what is in a zip file, as documents of word processors are, and what the parts are called."""
    with suppress(*UNREADABLE), zipfile.ZipFile(io.BytesIO(content)) as archive:
        yield "\n".join(archive.namelist()).encode()
        yield from (archive.read(entry) for entry in archive.infolist() if entry.file_size <= MOST_UNPACKED)


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


# Finds stretches of texts in other texts: six words in a row, or twelve signs where words are not spaced.

Hashes = npt.NDArray[np.uint64]

# What more than two texts have by chance is shorter.
OF_WORDS, OF_SIGNS = 6, 12
SENTENCE = re.compile(r"[.!?;\n…。！？؟۔।]+")  # noqa: RUF001 - marks of many scripts
# The multiplier of Knuth's MMIX generator, modulo 2^64: h <- (h xor h >> 29) * a + word.
FACTOR = np.uint64(6364136223846793005)
UNKNOWN = 0
# So many stretches are held as words; as numbers they take little room.
AT_ONCE = 50_000


class SentenceIndex:
    """The sentences of texts as numbers, but for those that have too few words to be known by."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take down the texts."""
        self._codes: dict[str, int] = {}
        hashes: dict[int, list[Hashes]] = {OF_WORDS: [], OF_SIGNS: []}
        windows: dict[int, list[list[int]]] = {OF_WORDS: [], OF_SIGNS: []}
        for size, window in self._windows(texts):
            windows[size].append([self._codes.setdefault(word, len(self._codes) + 1) for word in window])
            if len(windows[size]) == AT_ONCE:
                hashes[size].append(_hashes(windows[size]))
                windows[size].clear()
        for size, remainder in windows.items():
            hashes[size] += [_hashes(remainder)] if remainder else []
        self._known = {size: np.sort(np.concatenate(parts)) for size, parts in hashes.items() if parts}

    def _windows(self, texts: Iterable[str]) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield what is looked for: each sentence in pieces that follow each other, and its end."""
        for text in texts:
            for sentence in SENTENCE.split(folded(text)):
                said = words(sentence)
                size = OF_SIGNS if len(UNSPACED_SIGN.findall(sentence)) * 2 > len(said) else OF_WORDS
                for start in range(0, len(said) - size + 1, size):
                    yield size, said[start : start + size]
                if len(said) > size:
                    yield size, said[-size:]

    def find(self, said: Sequence[str]) -> list[str]:
        """Return the passages that are in a text, which is given by its words."""
        if not self._known or not said:
            return []
        codes = np.fromiter(map(self._codes.get, said, repeat(UNKNOWN)), dtype=np.uint64, count=len(said))
        passages: list[str] = []
        for size, hashes in self._known.items():
            if len(codes) >= size:
                here = np.lib.stride_tricks.sliding_window_view(codes, size)
                places = np.flatnonzero((here != UNKNOWN).all(axis=1))
                some = _hashes(here[places])
                # They are sorted: that takes no set of them.
                near = hashes[np.minimum(np.searchsorted(hashes, some), len(hashes) - 1)]
                passages += [" ".join(said[start : start + size]) for start in places[near == some].tolist()]
        return passages


def _hashes(windows: npt.ArrayLike) -> Hashes:
    """Return one number a row, which others have by no chance worth counting."""
    rows = np.asarray(windows, dtype=np.uint64)
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        hashes = (hashes ^ (hashes >> np.uint64(29))) * FACTOR + column
    return hashes


# The search itself.


@dataclass(frozen=True)
class Secrets:
    """What a bundle is to hide.

    - `names`: annotators, others whom exports name, documents and units, each with what it is; `passed_over`
      counts, by the reason, those that are like other words.
    - `shown`: who is meant to be named, though hidden names may be among the words: authors.
    - `texts`: what annotators read. `machine`: where the bundle is made, each with what it is.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    passed_over: Mapping[str, int] = field(default_factory=dict)
    shown: Sequence[str] = ()
    texts: Collection[str] = ()
    machine: Mapping[str, str] = field(default_factory=dict)


Place = tuple[str, int]

FOLDER = re.compile(r"/|[A-Za-z]:\\")

# So many of one kind are listed, each in one line; the others are counted.
MOST = 10
# Files that the publisher wrote come before those that repeat them.
OWN = (CAMPAIGN, GUIDELINES, DISTANCES)
REMEDY_OWN = "Reword it there if it should stay hidden: the campaign's own words are published as they are."
REMEDY = "It comes from labels, from names of files or from the campaign's own words: change it there."
REMEDY_PASSED = "Look for them yourself where they would tell who somebody is."


def exposed(files: Mapping[str, bytes], hidden: Secrets) -> Iterator[Problem]:
    """Yield what a bundle shows although it was to be hidden, and how many names were not looked for.

    Exports hold names and texts by their nature, and are there because they were asked for.
    """
    search = _Search(hidden)
    # Lists of all files have the names of exports too.
    named = (EXPORTS, CHECKSUMS, CRATE) if any(name.startswith(EXPORTS) for name in files) else ()
    for name in sorted(files, key=lambda name: (not name.startswith(OWN), name)):
        if not name.startswith(named):
            search.read(name, files[name])
    for kind in ("annotator", "person", "document", "unit"):
        yield from _named(
            kind, {secret: places for secret, places in search.places_by_name.items() if secret.what == kind}
        )
    yield from _quoted(search.quoted)
    for secret, places in search.places_by_name.items():
        if secret.name in hidden.machine:
            yield _problem(places, f'{secret.what} is named there, "{secret.name}"')
    if reasons := hidden.passed_over:
        number = sum(reasons.values())
        reasons_in_words = ", ".join(f"{times} {why}" for why, times in sorted(reasons.items()))
        names = "1 name that is hidden was" if number == 1 else f"{number} names that are hidden were"
        yield Problem(
            "names",
            message=f"{names} not searched for in the bundle: {reasons_in_words}.",
            remedy=REMEDY_PASSED,
        )


def _named(kind: str, places_by_name: Mapping["_Name", Sequence[Place]]) -> Iterator[Problem]:
    listed = sorted(places_by_name.items(), key=lambda pair: (pair[1][0][0], pair[0].name))
    for name, places in listed[:MOST]:
        yield _problem(places, f'the {kind} "{name.name}" is named there')
    if unlisted := listed[MOST:]:
        yield _problem(unlisted[0][1][:1], f"{len(unlisted)} more {kind}s are named there and elsewhere")


def _quoted(passages_by_file: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    listed = list(passages_by_file.items())
    for file, passages in listed[:MOST]:
        number = len(passages)
        said = "1 passage of the texts is" if number == 1 else f"{number} passages of the texts are"
        yield _problem([(file, 0)], f'{said} there: "{passages[0]}"')
    if unlisted := [(file, 0) for file, _ in listed[MOST:]]:
        yield _problem(unlisted, "passages of the texts are there")


def _problem(places: Sequence[Place], message: str) -> Problem:
    (file, line), *more = places
    also = f", and in {len(more)} more file{'s' if len(more) > 1 else ''}" if more else ""
    return Problem(file, line, "", f"{message}{also}.", REMEDY_OWN if file.startswith(OWN) else REMEDY)


@dataclass(frozen=True)
class _Name:
    """A name, what it is of, and how it is found: its words in a row, with little between them."""

    name: str
    what: str
    words: tuple[str, ...] = field(compare=False)

    def line_in(self, text: str) -> int | None:
        """Return the line of a text in which the name is, counted from 1."""
        if FOLDER.match(self.name):
            before, behind, inside = r"(?<![\w.])", r"(?!\w)", re.escape(folded(self.name))
        else:
            before = "" if UNSPACED_SIGN.match(self.words[0]) else r"(?<![^\W_])"
            behind = "" if UNSPACED_SIGN.match(self.words[-1]) else r"(?![^\W_])"
            inside = r"[\W_]{0,4}".join(map(re.escape, self.words))
        match = re.search(f"{before}{inside}{behind}", text)
        return text.count("\n", 0, match.start()) + 1 if match else None


class _Search:
    """Goes through files; `places_by_name` are where names are, `quoted` the passages of texts by file."""

    def __init__(self, hidden: Secrets) -> None:
        """Make an index of what is hidden, by the longest word of each name."""
        self.places_by_name: dict[_Name, list[Place]] = {}
        self.quoted: dict[str, list[str]] = {}
        self._passages = SentenceIndex(hidden.texts)
        self._index: dict[str, list[_Name]] = {}
        for name, what in (*hidden.names.items(), *hidden.machine.items()):
            said = tuple(words(folded(name)))
            # People are called by one word where there is no place for two.
            joined = [("".join(said),)] if what in {"annotator", "person"} and len(said) > 1 else []
            for name_words in [said, *joined] if said else ():
                self._index.setdefault(max(name_words, key=len), []).append(_Name(name, what, name_words))
        self._authors = _names_of(hidden.shown)
        self._of_authors = {word for name in hidden.shown for word in words(folded(name))}

    def read(self, file: str, content: bytes) -> None:
        """Take down what a file shows."""
        read_names: set[_Name] = set()
        passages: dict[str, None] = {}
        for reading in readings(file, content):
            text = self._authors.sub(" ", reading) if self._authors else reading
            said = words(text)
            for name in self._candidates(said):
                # A name may be a part of an author's, where the parts are apart.
                cited = file == CITATION and self._of_authors.issuperset(name.words)
                if name not in read_names and not cited and (line := name.line_in(text)):
                    read_names.add(name)
                    self.places_by_name.setdefault(name, []).append((file, line))
            passages |= dict.fromkeys(self._passages.find(said))
        if passages:
            self.quoted[file] = list(passages)

    def _candidates(self, said: Sequence[str]) -> Iterator[_Name]:
        """Yield the names whose words follow each other in a text."""
        there = self._index.keys() & set(said)
        candidates = [name for word in there for name in self._index[word]]
        pairs = set(pairwise(said)) if any(len(name.words) > 1 for name in candidates) else set()
        yield from (name for name in candidates if pairs.issuperset(pairwise(name.words)))


def _names_of(authors: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds authors, also with the family name first."""
    named = [words(folded(author)) for author in authors]
    orders = {
        tuple(order)
        for name_words in named
        if name_words
        for order in (name_words, [name_words[-1], *name_words[:-1]])
    }
    longest_first = sorted(orders, key=len, reverse=True)
    either = "|".join(r"[\W_]{1,4}".join(map(re.escape, order)) for order in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if either else None
