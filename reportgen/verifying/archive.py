"""A bundle's archive as a whole: is it, byte for byte, what reportgen writes of the files in it?"""

from reportgen.release import as_zip, unlike, unzip
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.tree import Tree


def read_archive(content: bytes, name: str) -> tuple[Tree, Outcome]:
    """Return the files of an archive, and what is wrong with it; `name` stands for the archive itself."""
    found = unzip(content)
    differences = [Difference(entry or name, what, "archive") for entry, what in found.faults]
    known = {entry for entry, _ in found.faults}
    # What is damaged is said already, and where entries are missing the rest stands elsewhere.
    if not found.faults or found.files:
        differences += [
            Difference(entry or name, what, "archive")
            for entry, what in unlike(content, as_zip(found.files), found.files)
            if not entry or entry not in known
        ]
    return Tree(found.files), Outcome(differences)
