"""Where the tokens of a text are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes

WHITESPACE_TOKENS = r"\S+"


@dataclass(frozen=True, eq=False)
class Tokens:
    """Tokens of several documents, in their order: `document`, `start` and `end` (tokens,)."""

    document: Codes
    start: Codes
    end: Codes


def tokenise(texts: Sequence[str], pattern: str | None = None) -> Tokens:
    """Return the tokens of each text: what the regular expression matches, else what whitespace separates.

    Matches without a character are no tokens.
    """
    expression = re.compile(pattern or WHITESPACE_TOKENS)
    found = [
        (document, match.start(), match.end())
        for document, text in enumerate(texts)
        for match in expression.finditer(text)
        if match.end() > match.start()
    ]
    columns = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Tokens(columns[:, 0], columns[:, 1], columns[:, 2])
