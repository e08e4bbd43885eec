"""The files of what is verified: which there are, of what kind they are, and whether their checksums hold."""

import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reportgen.base import LANGUAGES
from reportgen.base.errors import reason, refused
from reportgen.base.files import checksum_list
from reportgen.base.site_folder import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.publish.bundle_files import CAMPAIGN, COMPRESSED, CRATE, FOLDER, REPORT, as_zip, unlike, unzip
from reportgen.publish.verify.differences import Discrepancy, Outcomes
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


def _fault(name: str, what: str, where: str = "", recorded: str = "", found: str = "") -> Discrepancy:
    return Discrepancy(name, what, "checksums", where, recorded, found)


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


# Are all files there, unchanged, and nothing else? And is the list of checksums as it was written?

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
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
        for own, (digest, _line) in _listed(files[name]).items()
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
    elif (content := here[CHECKSUMS]) != checksum_list(present).encode():
        faults = [*_faults(content), *_compared(_listed(content), present, folder + CHECKSUMS)]
        for fault in faults or [_fault(CHECKSUMS, "is not as it was written.")]:
            yield replace(fault, file=folder + fault.file)


def merge_checksum_lists(
    bundle_faults: Sequence[Discrepancy], report: Sequence[Discrepancy]
) -> Iterator[Discrepancy]:
    """Yield what a bundle's list of checksums and its report's tell, once what both tell of a file.

    A file of the report that one of them bears out is as it was: the other list is what was changed.
    """
    inner = f"{REPORT}{CHECKSUMS}"
    same_in_report = {(fault.file, fault.recorded, fault.found): fault for fault in report if fault.found}
    of_whole, of_report = ({fault.file for fault in both} for both in (bundle_faults, report))
    for fault in bundle_faults:
        if same := same_in_report.pop((fault.file, fault.recorded, fault.found), None):
            yield replace(fault, what=f"{fault.what.removesuffix('.')}; {same.where}.")
        else:
            yield _of_list(fault, CHECKSUMS, inner, of_report)
    for fault in report:
        if not fault.found or fault in same_in_report.values():
            yield _of_list(fault, inner, CHECKSUMS, of_whole)


def _of_list(fault: Discrepancy, sums: str, other: str, others_files: Collection[str]) -> Discrepancy:
    """Return a difference as that of the list `sums`, where the `other` list tells nothing of the file."""
    covered = fault.file.startswith(REPORT) and fault.file != f"{REPORT}{CHECKSUMS}"
    if not fault.found or not covered or fault.file in others_files:
        return fault
    what = f"is wrong about {fault.file}: {fault.where}, and {other} is right."
    return replace(fault, file=sums, what=what)


def _listed(content: bytes) -> dict[str, tuple[str, int]]:
    """Return the checksum of each file that a list names, and in which line; upper-case digits count too."""
    lines_by_name: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(content.decode(errors="replace").split("\n"), 1):
        digest, blank, name = line.partition(" ")
        if blank and name.strip():
            lines_by_name.setdefault(name.lstrip(" *").rstrip("\r"), (digest.lower(), number))
    return lines_by_name


def _faults(content: bytes) -> Iterator[Discrepancy]:
    """Yield what is not as reportgen writes a list of checksums."""
    *lines, last = content.decode(errors="replace").split("\n")
    names = []
    for number, line in enumerate([*lines, *filter(None, [last])], 1):
        if parts := LINE.fullmatch(line):
            names.append(parts[2])
        else:
            yield _fault(CHECKSUMS, f"line {number}: is not 64 hexadecimal digits, two spaces and a path.")
    if last:
        yield _fault(CHECKSUMS, "its last line does not end.")
    if len(set(names)) < len(names):
        yield _fault(CHECKSUMS, "lists a file twice.")
    elif names != sorted(names):
        yield _fault(CHECKSUMS, "its lines are not in the order of the files' names.")


def _compared(
    listed: Mapping[str, tuple[str, int]], present: Mapping[str, str], sums: str
) -> Iterator[Discrepancy]:
    """Yield which file is missing, added or changed; `where` says for each what this list says of it."""
    for name in sorted({*listed, *present}):
        digest, number = listed.get(name, (ABSENT, 0))
        if name not in present:
            said = f"line {number} of {sums} lists it"
            yield _fault(name, f"is missing: {said}.", said, digest, ABSENT)
        elif name not in listed:
            said = f"{sums} does not list it"
            yield _fault(name, f"was added: {said}.", said, ABSENT, present[name])
        elif digest != present[name]:
            said = f"line {number} of {sums} says {digest[:DIGITS]}…"
            what = f"was changed: its SHA-256 is {present[name][:DIGITS]}…; {said}."
            yield _fault(name, what, said, digest, present[name])


# A bundle's archive as a whole: is it, byte for byte, what reportgen writes of the files in it?

# With more entries than these that another program packed, it is said once, of the archive.
FEW = 3


def read_archive(content: bytes, name: str) -> tuple[Tree, list[Discrepancy]]:
    """Return the files of an archive, and what is wrong with it; `name` is that of the archive itself.

    Raises BadInput for one that would unpack to more than a bundle can have.
    """
    archive = unzip(content)
    if archive.too_large:
        raise refused(
            name, 0, *archive.faults[-1], "Unpack it yourself if you trust it, and verify the folder."
        )
    faults = list(_told(archive.faults, name))
    faulty = {entry for entry, _ in archive.faults}
    # What is damaged is said already, and where entries are missing the rest is elsewhere.
    if not archive.faults or archive.files:
        faults += [
            Discrepancy(entry or name, what, "archive")
            for entry, what in unlike(content, as_zip(archive.files), archive.files)
            if not entry or entry not in faulty
        ]
    return Tree(archive.files), faults


def _told(faults: Sequence[tuple[str, str]], name: str) -> Iterator[Discrepancy]:
    """Yield what is wrong with entries; of an archive that was packed again that it was, instead of each."""
    packed = [entry for entry, what in faults if what in {COMPRESSED, FOLDER}]
    if len(packed) > FEW:
        what = f"was packed again: {packed[0]} and {len(packed) - 1} more entries are compressed or folders."
        yield Discrepancy(name, f"{what} Unpack it, and verify the folder.", "archive")
        faults = [(entry, what) for entry, what in faults if entry not in packed]
    yield from (Discrepancy(entry or name, what, "archive") for entry, what in faults)
