"""Where the tokens of a text are."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reportgen.formats import Codes

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
