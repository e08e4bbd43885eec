"""What a site remembers of how it was made: is it whole, and is the site still as it says?"""

from collections.abc import Iterator

from reportgen.exchange import CHECKSUMS, INDEX, MEMORY
from reportgen.memory import Made, Memory, Remembered, remembered, written
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.tree import Tree

GONE = "it is not there, and many copies leave out files whose names begin with a dot"


def missing_memory(files: Tree, *, alone: bool) -> Outcome:
    """Say that a site's memory is not there: as unchecked where that `alone` is to be said."""
    if MEMORY in files:
        return Outcome()
    if alone:
        return Outcome(unchecked=[Unchecked(MEMORY, GONE)])
    return Outcome([_difference(MEMORY, "is missing: it says of which folders the site is made.")])


def check_memory(files: Tree) -> Outcome:
    """Check what a site remembers, where it does."""
    if MEMORY not in files:
        return Outcome()
    memory = remembered(files[MEMORY])
    if memory is None:
        return Outcome(
            [_difference(MEMORY, "was changed, or is of another version: it can't be understood.")]
        )
    if written(memory) != files[MEMORY]:
        return Outcome([_difference(MEMORY, "was changed: it does not have its own checksum.")])
    return Outcome(list(_compared(files, memory)), files=1)


def _difference(file: str, what: str) -> Difference:
    return Difference(file, what, "memory")


def _compared(files: Tree, memory: Memory) -> Iterator[Difference]:
    if memory.index and INDEX in files and files.digest(INDEX) != memory.index.sums:
        yield _difference(INDEX, f"was changed: {MEMORY} has another checksum of it.")
    for campaign, known in memory.campaigns.items():
        yield from _campaign(files, campaign, known)


def _campaign(files: Tree, campaign: str, known: Remembered) -> Iterator[Difference]:
    for name, made in known.folders.items():
        folder = f"{campaign}/{name}/" if name else f"{campaign}/"
        yield from _folder(files, folder, made)


def _folder(files: Tree, folder: str, made: Made) -> Iterator[Difference]:
    if not any(name.startswith(folder) for name in files):
        yield _difference(folder, f"is missing: {MEMORY} names it.")
        return
    sums = folder + CHECKSUMS
    if sums in files and files.digest(sums) != made.sums:
        yield _difference(sums, f"was changed: {MEMORY} has another checksum of it.")
    for name, digest in made.data.items():
        file = folder + name
        if file in files and files.digest(file) != digest:
            yield _difference(file, f"was changed: {MEMORY} has another checksum of it.")
