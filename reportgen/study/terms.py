"""Where the terms of a list occur in texts: longest first, never inside a word."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.study.tokens import Pieces, pieces

# What words consist of, accents that are written as characters of their own included.
MARKS = "".join(chr(code) for code in range(0x300, 0x3000) if unicodedata.category(chr(code))[0] == "M")
# A text is cut into words, white space, and single other characters.
ATOM = re.compile(rf"[\w{MARKS}]+|(?P<space>\s+)|.", re.DOTALL)
SPACE = " "
END = ""

# What may follow an atom; END says that a term ends here.
Tree = dict[str, "Tree"]


def find_terms(texts: Sequence[str], terms: Iterable[str]) -> Pieces:
    """Return where the terms occur in each text.

    A term is matched as it is written, between words as the text has them: "abc" is in "abc-like", not in
    "abcD". White space in a term stands for any other. Of matches that overlap the longest counts, of
    equally long ones the first.
    """
    tree = _tree(terms)
    return pieces(sorted(_chosen(text, _matches(text, tree))) for text in texts)


def _atoms(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield words, white space and other characters with their places, composed as Unicode has it."""
    for match in ATOM.finditer(text):
        atom = SPACE if match["space"] else match[0]
        composed = atom if atom.isascii() else unicodedata.normalize("NFC", atom)
        yield composed, match.start(), match.end()


def _tree(terms: Iterable[str]) -> Tree:
    root: Tree = {}
    for term in terms:
        branch = root
        for atom, _, _ in _atoms(term):
            branch = branch.setdefault(atom, {})
        branch[END] = {}
    return root


def _matches(text: str, tree: Mapping[str, Tree]) -> Iterator[tuple[int, int]]:
    """Yield every match, also those that overlap."""
    atoms = list(_atoms(text))
    for place, (first, start, _) in enumerate(atoms):
        branch, following = tree.get(first), place
        while branch is not None:
            if END in branch:
                yield start, atoms[following][2]
            following += 1
            branch = branch.get(atoms[following][0]) if following < len(atoms) else None


def _chosen(text: str, matches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield matches that do not overlap: the longest first, then from the left."""
    taken = bytearray(len(text))
    for start, end in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            yield start, end
