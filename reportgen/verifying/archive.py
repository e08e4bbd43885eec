"""A bundle's archive as a whole: is it, byte for byte, what reportgen writes of the files in it?"""

from collections.abc import Iterator, Sequence

from reportgen.release import as_zip, unlike, unzip
from reportgen.release.unzipping import COMPRESSED, FOLDER
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.tree import Tree

# With more entries than these that another program packed, it is said once, of the archive.
FEW = 3


def read_archive(content: bytes, name: str) -> tuple[Tree, Outcome]:
    """Return the files of an archive, and what is wrong with it; `name` stands for the archive itself."""
    found = unzip(content)
    differences = list(_told(found.faults, name))
    known = {entry for entry, _ in found.faults}
    # What is damaged is said already, and where entries are missing the rest stands elsewhere.
    if not found.faults or found.files:
        differences += [
            Difference(entry or name, what, "archive")
            for entry, what in unlike(content, as_zip(found.files), found.files)
            if not entry or entry not in known
        ]
    return Tree(found.files), Outcome(differences)


def _told(faults: Sequence[tuple[str, str]], name: str) -> Iterator[Difference]:
    """Yield what is wrong with entries; of an archive that was packed anew that it was, instead of each."""
    anew = [entry for entry, what in faults if what in {COMPRESSED, FOLDER}]
    if len(anew) > FEW:
        what = f"was packed anew: {anew[0]} and {len(anew) - 1} more entries are compressed or folders."
        yield Difference(name, f"{what} Unpack it, and verify the folder.", "archive")
    for entry, what in faults:
        if len(anew) <= FEW or entry not in anew:
            yield Difference(entry or name, what, "archive")
