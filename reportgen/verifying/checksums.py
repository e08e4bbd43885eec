"""Are all files there, unchanged, and nothing else? And is the list of checksums as it was written?"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.release.names import CHECKSUMS
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.tree import Tree

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
SHOWN = 12
# The digest of a file that is not there, or not in the list.
ABSENT = "none"


def check_checksums(files: Tree, folder: str = "", aside: Collection[str] = ()) -> Outcome:
    """Hold a folder's files against its SHA256SUMS; those `aside` are other checks' business.

    `folder` is where it stands, with its "/", from the top of what is verified.
    """
    here = files.below(folder)
    present = {name: here.digest(name) for name in here if name != CHECKSUMS and name not in aside}
    if CHECKSUMS not in here:
        missing = Difference(
            folder + CHECKSUMS, "is missing: it lists the checksum of every file.", "checksums"
        )
        return Outcome([missing], files=len(present))
    content = here[CHECKSUMS]
    if content == canonical(present):
        return Outcome(files=len(present) + 1)
    found = [*_faults(content), *_compared(_listed(content), present, folder + CHECKSUMS)]
    return Outcome(
        [
            replace(each, file=folder + each.file)
            for each in found or [_difference(CHECKSUMS, "is not as it was written.")]
        ],
        files=len(present) + 1,
    )


def joined(one: Sequence[Difference], other: Sequence[Difference]) -> list[Difference]:
    """Return what two lists of checksums tell, that once which both of them tell of a file."""
    known = {(each.file, each.recorded, each.found): each for each in other if each.found}
    both = [known.pop((each.file, each.recorded, each.found), None) for each in one]
    said = [
        replace(each, what=f"{each.what.removesuffix('.')}; {same.where}.") if same and each.where else each
        for each, same in zip(one, both, strict=True)
    ]
    return [*said, *(each for each in other if not each.found or each in known.values())]


def canonical(sums: Mapping[str, str]) -> bytes:
    """Return the list of checksums as reportgen writes it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())).encode()


def _difference(name: str, what: str, where: str = "", recorded: str = "", found: str = "") -> Difference:
    return Difference(name, what, "checksums", where, recorded, found)


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


def _faults(content: bytes) -> Iterator[Difference]:
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
) -> Iterator[Difference]:
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
