"""Are all files there, unchanged, and nothing else? And is the list of checksums as it was written?"""

import re
from collections.abc import Collection, Iterator, Mapping

from reportgen.release.names import CHECKSUMS
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.tree import Tree

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
SHOWN = 12


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
            _difference(folder, name, what)
            for name, what in found or [(CHECKSUMS, "is not as it was written.")]
        ],
        files=len(present) + 1,
    )


def canonical(sums: Mapping[str, str]) -> bytes:
    """Return the list of checksums as reportgen writes it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())).encode()


def _difference(folder: str, name: str, what: str) -> Difference:
    return Difference(folder + name, what, "checksums")


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


def _faults(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield what is not as reportgen writes a list of checksums."""
    *lines, last = _lines(content)
    names = []
    for number, line in enumerate([*lines, *filter(None, [last])], 1):
        if parts := LINE.fullmatch(line):
            names.append(parts[2])
        else:
            yield CHECKSUMS, f"line {number}: is not 64 hexadecimal digits, two spaces and a path."
    if last:
        yield CHECKSUMS, "its last line does not end."
    if len(set(names)) < len(names):
        yield CHECKSUMS, "lists a file twice."
    elif names != sorted(names):
        yield CHECKSUMS, "its lines are not in the order of the files' names."


def _compared(
    listed: Mapping[str, tuple[str, int]], present: Mapping[str, str], sums: str
) -> Iterator[tuple[str, str]]:
    for name in sorted({*listed, *present}):
        if name not in present:
            yield name, f"is missing: line {listed[name][1]} of {sums} lists it."
        elif name not in listed:
            yield name, f"was added: {sums} does not list it."
        elif listed[name][0] != present[name]:
            digest, number = listed[name]
            said = f"line {number} of {sums} says {digest[:SHOWN]}…"
            yield name, f"was changed: its SHA-256 is {present[name][:SHOWN]}…, {said}"
