"""The files of what is verified: which there are, of what kind they are, and whether their checksums hold."""

import hashlib
import io
import os
import re
import stat
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reportgen.base import LANGUAGES
from reportgen.base.errors import in_plain_words, reason, refused
from reportgen.base.files import checksum_list
from reportgen.base.site_folder import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.publish.bundle_files import CAMPAIGN, CRATE, REPORT, as_zip, listed
from reportgen.publish.verify.differences import Discrepancy, Outcomes, differing
from reportgen.readers.untrusted import ALWAYS_ALLOWED, DAMAGED, escapes
from reportgen.words.language import ENGLISH

SPECIAL = "is neither a file nor a folder."


class Tree(Mapping[str, bytes]):
    """Files by their paths, with "/": bytes of an archive, files of a folder that are read when asked for."""

    def __init__(self, files: Mapping[str, bytes | Path]) -> None:
        """Keep the files in the order of their paths."""
        self._files = dict(sorted(files.items()))

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a file."""
        content = self._files[name]
        return content if isinstance(content, bytes) else content.read_bytes()

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a file of that path, without reading it."""
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        """Yield paths in their order."""
        return iter(self._files)

    def __len__(self) -> int:
        """Return how many files there are."""
        return len(self._files)

    def digest(self, name: str) -> str:
        """Return a file's SHA-256; of one on the disk without holding all of it."""
        content = self._files[name]
        if isinstance(content, bytes):
            return hashlib.sha256(content).hexdigest()
        with content.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def head(self, name: str) -> bytes:
        """Return the first bytes of a file."""
        content = self._files[name]
        if isinstance(content, bytes):
            return content[:HEAD_OF_TEXT]
        with content.open("rb") as file:
            return file.read(HEAD_OF_TEXT)

    def replaced(self, others: Mapping[str, bytes]) -> "Tree":
        """Return the files with other bytes of some."""
        return Tree({**self._files, **others})

    def below(self, folder: str) -> "Tree":
        """Return the files below a folder, whose name ends in "/", by their paths from there."""
        start = len(folder)
        return Tree(
            {name[start:]: content for name, content in self._files.items() if name.startswith(folder)}
        )

    def without(self, folders: tuple[str, ...]) -> "Tree":
        """Return the files that are in none of some folders."""
        return Tree({name: content for name, content in self._files.items() if not name.startswith(folders)})


def walk(root: Path) -> tuple[Tree, list[Discrepancy]]:
    """Return the files of a folder, and what is among them that is not one.

    No link is followed, and nothing but ordinary files is opened.
    """
    files: dict[str, bytes | Path] = {}
    faults: list[Discrepancy] = []
    todo = [""]
    while todo:
        above = todo.pop()
        try:
            with os.scandir(root / above) as listed:
                entries = list(listed)
        except OSError as error:
            faults.append(_fault(above.rstrip("/") or ".", f"can't be read: {reason(error)}."))
            continue
        if not entries and above:
            faults.append(_fault(_utf8(above), "was added: it is a folder without files."))
        for entry in entries:
            name = above + entry.name
            if entry.is_dir(follow_symlinks=False):
                todo.append(f"{name}/")
            elif wrong := _wrong(entry, name):
                faults.append(_fault(_utf8(name), wrong))
            else:
                files[name] = root / name
    return Tree(files), sorted(faults)


def _fault(name: str, what: str, recorded: str = "", found: str = "") -> Discrepancy:
    return Discrepancy(name, what, "checksums", recorded, found)


def _wrong(entry: "os.DirEntry[str]", name: str) -> str:
    """Return why an entry of a folder is no file of ours, nothing where it may be one."""
    if entry.is_symlink():
        return "is a link: it was added, or put in the place of a file."
    if name != _utf8(name):
        return "was added; its name is not UTF-8."
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"can't be read: {reason(error)}."
    if not stat.S_ISREG(mode):
        return SPECIAL
    return "" if os.access(entry.path, os.R_OK) else "can't be read: permission denied."


def _utf8(name: str) -> str:
    return name.encode(errors="replace").decode()


# What is to be verified: a bundle, a site, or a part of a site.

Kind = Literal["bundle", "site", "campaign", "version", "comparison"]
# What is in a folder of its kind and in no other; one of them may be missing, which is then said.
VERSION = frozenset(("results.json", "report.html", "report.md"))
COMPARISON = frozenset(("comparison.json", "comparison.md"))
JOINED = frozenset((HISTORY, "history.md", "badge.json"))


def kind_of(names: Collection[str]) -> Kind | None:
    """Return what files are, given their paths; None where they are nothing that reportgen wrote.

    What was written is known from its own files, several of each, so that none of them has to be there.
    """
    top = frozenset(name for name in names if "/" not in name)
    if len(top & JOINED) > 1 or HISTORY in top:
        return "campaign"
    # A report in its folder, and at the top what lists or describes it.
    start = len(REPORT)
    inside = {name[start:] for name in names if name.startswith(REPORT) and "/" not in name[start:]}
    own = sum(file in top for file in (CHECKSUMS, CAMPAIGN, CRATE))
    if own and inside & (VERSION | {CHECKSUMS}) and (own > 1 or CHECKSUMS in inside):
        return "bundle"
    if "results.json" in top or (CHECKSUMS in top and top & VERSION):
        return "version"
    if "comparison.json" in top or (CHECKSUMS in top and top & COMPARISON):
        return "comparison"
    campaign_folders = campaigns(names)
    if (
        MEMORY in top
        or (INDEX in top and campaign_folders)
        or any(f"{folder}/badge.json" in names for folder in campaign_folders)
    ):
        return "site"
    return None


def campaigns(names: Collection[str]) -> list[str]:
    """Return the folders of a site that are campaigns'."""
    names_by_folder: dict[str, set[str]] = {}
    for name in names:
        folder, _, own_name = name.partition("/")
        names_by_folder.setdefault(folder, set()).add(own_name)
    return sorted(
        folder
        for folder in names_by_folder
        if HISTORY in names_by_folder[folder] or len(names_by_folder[folder] & JOINED) > 1
    )


# In which languages a folder's pages are, the first one first: as they say, for no results do.

HEAD = 4096
LANGUAGE = re.compile(rb'<html\s[^<>]*?lang="([A-Za-z-]+)"')


def languages_of(files: Tree) -> tuple[str, ...]:
    """Return the languages of a folder's pages, first that of the first edition: what most of them say."""
    pages = [name for name in ("index.html", "report.html", "measures/index.html") if name in files]
    said = [match[1].decode() for page in pages if (match := LANGUAGE.search(files[page][:HEAD]))]
    languages = [language for language in said if language in LANGUAGES]
    first = max(languages, key=languages.count, default=ENGLISH)
    others = [
        language
        for language in LANGUAGES
        if language != first and any(name.startswith(f"{language}/") for name in files)
    ]
    return (first, *others)


# Are all files there, unchanged, and nothing else?

DIGITS = 12
# The digest of a file that is not there, or not in the list.
ABSENT = "none"


# What git writes for "\n" where it was asked to, and how much of a file shows it.
CRLF, HEAD_OF_TEXT = b"\r\n", 65_536
LINE_ENDS = "line ends"
BY_GIT = (
    "the files have CRLF where reportgen writes LF, as git does with core.autocrlf, and were compared as if "
    "they had LF; to have their bytes, run `git config core.autocrlf false` and check them out again"
)


def with_line_feeds(files: Tree) -> tuple[Tree, int]:
    """Return the files with the line ends that they were written with, and of how many git changed them.

    A file that has its checksum was written as it is. Whether the others are as they were is what all other
    checks tell.
    """
    due = {
        name.removesuffix(CHECKSUMS) + own: digest
        for name in files
        if f"/{name}".endswith(f"/{CHECKSUMS}")
        for own, digest in listed(files[name]).items()
    }
    changed = {}
    for name in files:
        if CRLF in files.head(name) and due.get(name) != files.digest(name):
            written = files[name].replace(CRLF, b"\n")
            # In a file that is mixed git changes nothing.
            if len(files[name]) - len(written) == written.count(b"\n"):
                changed[name] = written
    return files.replaced(changed), len(changed)


def check_checksums(files: Tree, folder: str = "", aside: Collection[str] = ()) -> Outcomes:
    """Compare a folder's files with its SHA256SUMS; those `aside` are other checks' business.

    `folder` is where it is, with its "/", from the top of what is verified.
    """
    here = files.below(folder)
    present = {name: here.digest(name) for name in here if name != CHECKSUMS and name not in aside}
    yield "files", len(present) + (CHECKSUMS in here)
    if CHECKSUMS not in here:
        yield _fault(folder + CHECKSUMS, "is missing: it lists the checksum of every file.")
    elif (content := here[CHECKSUMS]) != (due := checksum_list(present).encode()):
        changed = list(_compared(listed(content), present, folder + CHECKSUMS))
        for fault in changed or differing(CHECKSUMS, content, due, "checksums"):
            yield replace(fault, file=folder + fault.file)


def _compared(due: Mapping[str, str], present: Mapping[str, str], sums: str) -> Iterator[Discrepancy]:
    """Yield which file is missing, added or changed."""
    for name in sorted({*due, *present}):
        said, found = due.get(name, ABSENT), present.get(name, ABSENT)
        if found == ABSENT:
            yield _fault(name, f"is missing: {sums} lists it.", said, found)
        elif said == ABSENT:
            yield _fault(name, f"was added: {sums} does not list it.", said, found)
        elif said != found:
            what = f"was changed: its SHA-256 is {found[:DIGITS]}…; {sums} says {said[:DIGITS]}…."
            yield _fault(name, what, said, found)


# A bundle's archive: what can be read of it without harm, and is it what reportgen writes of the files in it?

# What a bundle may hold unpacked; those of thousands of documents stay far below. One that another program
# packed is a quarter as large.
MOST_BYTES, MOST_SHRUNK = 2 * 1024**3, 20
MOST_ENTRIES = 200_000
ENCRYPTED = 1
METHODS = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
TRUST = "Unpack it yourself if you trust it, and verify the folder."
PACKED = "was packed again, with compressed entries or folders: unpack it, and verify the folder."


def read_archive(content: bytes, name: str) -> tuple[Tree, list[Discrepancy]]:
    """Return the files of an archive, and what is wrong with it; `name` is that of the archive itself.

    Raises BadInput for one that would unpack to more than a bundle can have.
    """
    files: dict[str, bytes] = {}
    faults: list[tuple[str, str]] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _refuse_larger(entries, len(content), name)
            for entry in entries:
                wrong = "is there twice." if entry.filename in files else _why_refused(entry)
                try:
                    if not wrong and not entry.is_dir():
                        files[entry.filename] = archive.read(entry)
                except (*DAMAGED, RuntimeError) as error:
                    wrong = f"is damaged: {in_plain_words(error)}."
                if wrong:
                    faults.append((entry.filename, wrong))
            if any(entry.is_dir() or entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                faults.append((name, PACKED))
            if not faults and content != (due := as_zip(files)):
                first = _first_difference(content, due)
                starts = {entry.header_offset: entry.filename for entry in entries}
                before = [start for start in starts if start <= first < archive.start_dir]
                what = f"differs at byte {first:,} of the archive from what reportgen writes of these files."
                faults.append((starts[max(before)] if before else name, what))
    except DAMAGED as error:
        faults.append((name, f"is damaged: {in_plain_words(error)}."))
    return Tree(files), [Discrepancy(file, what, "archive") for file, what in faults]


def _refuse_larger(entries: Sequence[zipfile.ZipInfo], size: int, name: str) -> None:
    """Raise BadInput for an archive that would unpack to more than a bundle, or its own bytes, can hold."""
    unpacked = sum(entry.file_size for entry in entries)
    shared = len({entry.header_offset for entry in entries}) < len(entries)
    too_large = unpacked > min(MOST_BYTES, ALWAYS_ALLOWED + MOST_SHRUNK * size)
    if too_large or len(entries) > MOST_ENTRIES or (shared and unpacked > size):
        counted = f"{unpacked:,} bytes in {len(entries):,} files"
        raise refused(name, 0, "", f"would unpack to {counted}, more than it can contain.", TRUST)


def _why_refused(entry: zipfile.ZipInfo) -> str:
    """Return why an entry is no file of a bundle, nothing where it may be one."""
    wrong = {
        "leads out of the archive.": escapes(entry.filename),
        "is a link.": stat.S_ISLNK(entry.external_attr >> 16),
        "is encrypted.": entry.flag_bits & ENCRYPTED,
        "is packed in a way that is not known here.": entry.compress_type not in METHODS,
    }
    return next((why for why, is_so in wrong.items() if is_so), "")


def _first_difference(one: bytes, other: bytes) -> int:
    """Return the place of the first byte that differs."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
