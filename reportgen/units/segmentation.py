"""Where the tokens and sentences of a text are, and the terms of a list."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reportgen.readers import Codes

# Where the tokens of a text are.

WHITESPACE_TOKENS = r"\S+"


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of several texts, none overlapping another, in their order: tokens, sentences, terms.

    `document`, `start` and `end` (pieces,) say of which text each is, and from where to where.
    """

    document: Codes
    start: Codes
    end: Codes


def pieces(found: Iterable[Iterable[tuple[int, int]]]) -> Pieces:
    """Return pieces given text by text, each as its start and end."""
    rows = [(document, start, end) for document, each in enumerate(found) for start, end in each]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Pieces(columns[:, 0], columns[:, 1], columns[:, 2])


def tokenise(texts: Sequence[str], pattern: str | None = None) -> Pieces:
    """Return the tokens of each text: what the regular expression matches, else what whitespace separates.

    Matches without a character are no tokens.
    """
    return _tokens(tuple(texts), pattern or WHITESPACE_TOKENS)


@lru_cache(maxsize=2)  # every layer of an export asks for the tokens of the same texts
def _tokens(texts: tuple[str, ...], pattern: str) -> Pieces:
    expression = re.compile(pattern)
    found = pieces(
        [match.span() for match in expression.finditer(text) if match.end() > match.start()] for text in texts
    )
    for column in (found.document, found.start, found.end):
        column.flags.writeable = False
    return found


# Where the sentences of a text are, by a simple rule that needs no library.
#
# A line break ends a sentence. So does a full stop, a question or exclamation mark or an ellipsis, with the
# quotes and brackets that close behind it, where white space follows and then no lower-case letter: an
# upper-case one, one of a script without case, a digit or an opening quote. The full-width marks of Chinese
# and Japanese do so whatever follows. A full stop after an abbreviation of the lists, or after a single
# capital as in initials, ends nothing, nor does a mark before which the sentence has no letter yet, as in
# numbered lists.

QUOTES = "\"'“‘„‚«‹「『¿¡"  # noqa: RUF001 - quotes of many languages
CLOSING = r"\"'”’»›)\]}」』）】"  # noqa: RUF001 - as above
LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
MARKS = ".!?…‽؟۔।"  # noqa: RUF001 - full stops of several languages
# What may end a sentence: marks before white space, full-width marks anywhere, and the end of a line.
END = re.compile(
    rf"(?<![{MARKS}])[{MARKS}]++(?:\s?[»›]|[{CLOSING}])*+(?=\s++(?P<next>\S))"  # noqa: RUF001
    rf"|(?P<sure>[。！？｡]++[{CLOSING}]*+|[{LINE_BREAKS}])"  # noqa: RUF001
)
BEFORE_A_WORD = re.compile(r"[\s'’(\[«“\"/-]")
LETTER = re.compile(r"[^\W\d_]")
LONGEST_WORD = 20
# English and French, in lower case. Those of the second list end no sentence before a number.
ABBREVIATIONS = frozenset(
    "al approx apr av ca capt cf col dr e.g env ex gen i.e jr lt mgr mlle mm mme mr mrs ms mt pr prof resp "  # noqa: SIM905 - words
    "rev sen sgt sp spp sr st ste subsp viz vs".split()
)
BEFORE_NUMBERS = frozenset(
    "art ch chap eq eqs fig figs n no nos p par pp sec sect tab vol vols éq".split()  # noqa: SIM905 - words
)


def sentences(texts: Sequence[str]) -> Pieces:
    """Return the sentences of each text, without the white space around them."""
    return pieces(_sentences(text) for text in texts)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin, letter = 0, _first_letter(text, 0)
    for match in END.finditer(text):
        before = text[max(begin, match.start() - LONGEST_WORD) : match.start()]
        if match["sure"] or (letter < match.start() and _ends(before, match)):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
            letter = letter if letter >= begin else _first_letter(text, begin)
    yield from _trimmed(text, begin, len(text))


def _first_letter(text: str, begin: int) -> int:
    found = LETTER.search(text, begin)
    return found.start() if found else len(text)


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch without the white space around it, nothing where there is nothing else."""
    piece = text[begin:end]
    first = begin + len(piece) - len(piece.lstrip())
    if piece.strip():
        yield first, first + len(piece.strip())


def _ends(before: str, match: "re.Match[str]") -> bool:
    """Say whether a mark ends the sentence that stands before it."""
    following = match["next"]
    starts = following in QUOTES or (following.isalnum() and not following.islower())
    is_point = match[0][0] == "." and not match[0].startswith("..")
    return starts and not (is_point and _is_abbreviation(before, following))


def _is_abbreviation(before: str, following: str) -> bool:
    """Say whether the last word, behind which a full stop stands, is written so within a sentence."""
    word = BEFORE_A_WORD.split(before)[-1]
    folded = word.casefold()
    is_initial = len(word) == 1 and word.isupper()
    return is_initial or folded in ABBREVIATIONS or (folded in BEFORE_NUMBERS and following.isdigit())


# Where the terms of a list occur in texts: longest first, never inside a word.

# What words consist of, accents that are written as characters of their own included.
TERM_MARKS = "".join(chr(code) for code in range(0x300, 0x3000) if unicodedata.category(chr(code))[0] == "M")
# A text is cut into words, white space, and single other characters.
ATOM = re.compile(rf"[\w{TERM_MARKS}]+|(?P<space>\s+)|.", re.DOTALL)
SPACE = " "
TERM_END = ""

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
        branch[TERM_END] = {}
    return root


def _matches(text: str, tree: Mapping[str, Tree]) -> Iterator[tuple[int, int]]:
    """Yield every match, also those that overlap."""
    atoms = list(_atoms(text))
    for place, (first, start, _) in enumerate(atoms):
        branch, following = tree.get(first), place
        while branch is not None:
            if TERM_END in branch:
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
