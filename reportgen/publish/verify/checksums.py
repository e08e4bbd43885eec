"""Are all files there, unchanged, and nothing else? And is the list of checksums as it was written?"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.base.atomic_replace import CHECKSUMS
from reportgen.base.files import checksum_list
from reportgen.publish.files import REPORT, as_zip
from reportgen.publish.unzipping import COMPRESSED, FOLDER, unlike, unzip
from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy
from reportgen.publish.verify.tree import Tree

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
SHOWN = 12
# The digest of a file that is not there, or not in the list.
ABSENT = "none"


def check_checksums(files: Tree, folder: str = "", aside: Collection[str] = ()) -> CheckOutcome:
    """Hold a folder's files against its SHA256SUMS; those `aside` are other checks' business.

    `folder` is where it stands, with its "/", from the top of what is verified.
    """
    here = files.below(folder)
    present = {name: here.digest(name) for name in here if name != CHECKSUMS and name not in aside}
    if CHECKSUMS not in here:
        missing = Discrepancy(
            folder + CHECKSUMS, "is missing: it lists the checksum of every file.", "checksums"
        )
        return CheckOutcome([missing], files=len(present))
    content = here[CHECKSUMS]
    if content == checksum_list(present).encode():
        return CheckOutcome(files=len(present) + 1)
    found = [*_faults(content), *_compared(_listed(content), present, folder + CHECKSUMS)]
    return CheckOutcome(
        [
            replace(each, file=folder + each.file)
            for each in found or [_difference(CHECKSUMS, "is not as it was written.")]
        ],
        files=len(present) + 1,
    )


def joined(whole: Sequence[Discrepancy], report: Sequence[Discrepancy]) -> list[Discrepancy]:
    """Return what a bundle's list of checksums and its report's tell, once what both tell of a file.

    A file of the report that one of them bears out is as it was: the other list is what was changed.
    """
    inner = f"{REPORT}{CHECKSUMS}"
    known = {(each.file, each.recorded, each.found): each for each in report if each.found}
    both = [known.pop((each.file, each.recorded, each.found), None) for each in whole]
    told = {each.file for each in whole}, {each.file for each in report}
    said = [
        _twice(each, same) if same else _of_list(each, CHECKSUMS, inner, told[1])
        for each, same in zip(whole, both, strict=True)
    ]
    rest = (each for each in report if not each.found or each in known.values())
    return [*said, *(_of_list(each, inner, CHECKSUMS, told[0]) for each in rest)]


def _twice(one: Discrepancy, other: Discrepancy) -> Discrepancy:
    return replace(one, what=f"{one.what.removesuffix('.')}; {other.where}.")


def _of_list(each: Discrepancy, sums: str, other: str, told: Collection[str]) -> Discrepancy:
    """Return a difference as that of the list `sums`, where the `other` list tells nothing of the file."""
    covered = each.file.startswith(REPORT) and each.file != f"{REPORT}{CHECKSUMS}"
    if not each.found or not covered or each.file in told:
        return each
    what = f"is wrong about {each.file}: {each.where}, and {other} is right."
    return replace(each, file=sums, what=what)


def _difference(name: str, what: str, where: str = "", recorded: str = "", found: str = "") -> Discrepancy:
    return Discrepancy(name, what, "checksums", where, recorded, found)


def _lines(content: bytes) -> list[str]:
    return content.decode(errors="replace").split("\n")


def _listed(content: bytes) -> dict[str, tuple[str, int]]:
    """Return the checksum of each file that a list names, and in which line; upper-case digits count too."""
    found: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(_lines(content), 1):
        digest, blank, name = line.partition(" ")
        if blank and name.strip():
            found.setdefault(name.lstrip(" *").rstrip("\r"), (digest.lower(), number))
    return found


def _faults(content: bytes) -> Iterator[Discrepancy]:
    """Yield what is not as reportgen writes a list of checksums."""
    *lines, last = _lines(content)
    names = []
    for number, line in enumerate([*lines, *filter(None, [last])], 1):
        if parts := LINE.fullmatch(line):
            names.append(parts[2])
        else:
            what = f"line {number}: is not 64 hexadecimal digits, two spaces and a path."
            yield _difference(CHECKSUMS, what)
    if last:
        yield _difference(CHECKSUMS, "its last line does not end.")
    if len(set(names)) < len(names):
        yield _difference(CHECKSUMS, "lists a file twice.")
    elif names != sorted(names):
        yield _difference(CHECKSUMS, "its lines are not in the order of the files' names.")


def _compared(
    listed: Mapping[str, tuple[str, int]], present: Mapping[str, str], sums: str
) -> Iterator[Discrepancy]:
    """Yield which file is missing, added or changed; `where` says for each what this list says of it."""
    for name in sorted({*listed, *present}):
        digest, number = listed.get(name, (ABSENT, 0))
        if name not in present:
            said = f"line {number} of {sums} lists it"
            yield _difference(name, f"is missing: {said}.", said, digest, ABSENT)
        elif name not in listed:
            said = f"{sums} does not list it"
            yield _difference(name, f"was added: {said}.", said, ABSENT, present[name])
        elif digest != present[name]:
            said = f"line {number} of {sums} says {digest[:SHOWN]}…"
            what = f"was changed: its SHA-256 is {present[name][:SHOWN]}…; {said}."
            yield _difference(name, what, said, digest, present[name])


# A bundle's archive as a whole: is it, byte for byte, what reportgen writes of the files in it?

# With more entries than these that another program packed, it is said once, of the archive.
FEW = 3


def read_archive(content: bytes, name: str) -> tuple[Tree, CheckOutcome]:
    """Return the files of an archive, and what is wrong with it; `name` stands for the archive itself."""
    found = unzip(content)
    differences = list(_told(found.faults, name))
    known = {entry for entry, _ in found.faults}
    # What is damaged is said already, and where entries are missing the rest stands elsewhere.
    if not found.faults or found.files:
        differences += [
            Discrepancy(entry or name, what, "archive")
            for entry, what in unlike(content, as_zip(found.files), found.files)
            if not entry or entry not in known
        ]
    return Tree(found.files), CheckOutcome(differences)


def _told(faults: Sequence[tuple[str, str]], name: str) -> Iterator[Discrepancy]:
    """Yield what is wrong with entries; of an archive that was packed anew that it was, instead of each."""
    anew = [entry for entry, what in faults if what in {COMPRESSED, FOLDER}]
    if len(anew) > FEW:
        what = f"was packed anew: {anew[0]} and {len(anew) - 1} more entries are compressed or folders."
        yield Discrepancy(name, f"{what} Unpack it, and verify the folder.", "archive")
    for entry, what in faults:
        if len(anew) <= FEW or entry not in anew:
            yield Discrepancy(entry or name, what, "archive")
