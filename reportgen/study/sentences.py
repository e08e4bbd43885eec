"""Where the sentences of a text are, by a simple rule that needs no library.

A line break ends a sentence. So does a full stop, a question or exclamation mark or an ellipsis, with the
quotes and brackets that close behind it, where white space follows and then no lower-case letter: an
upper-case one, one of a script without case, a digit or an opening quote. The full-width marks of Chinese
and Japanese do so whatever follows. A full stop after an abbreviation of the lists, or after a single
capital as in initials, ends nothing, nor does a mark before which the sentence has no letter yet, as in
numbered lists.
"""

import re
from collections.abc import Iterator, Sequence

from reportgen.study.tokens import Pieces, pieces

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
