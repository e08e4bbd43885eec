"""The messages of the measure catalogue: what pages say of measures and of what stands in brackets."""

import re
from collections.abc import Iterator

from reportgen.catalogue import BRACKETS, CATALOGUE, DECLARED, Bracket, Measure
from reportgen.words.names import PROSE

# What holds letters that are signs, and is a message only where it holds words too.
FORMULAS = ("formula", "latex")
WORDS = {"formula": re.compile(r"[a-z]{4,}"), "latex": re.compile(r"\\(?:text|mathrm)\{[^}]*?([a-z]{4,})")}
SIGNS = ("free", "bran")

ENTRIES: tuple[Measure | Bracket, ...] = (*CATALOGUE, *BRACKETS, DECLARED)


def catalogue_messages() -> Iterator[str]:
    """Yield every text of the catalogue that a page shows in its own language, each once."""
    yield from dict.fromkeys(text for entry in ENTRIES for _field, text in texts_of(entry) if text)


def texts_of(entry: Measure | Bracket) -> Iterator[tuple[str, str]]:
    """Yield the texts of an entry, each with what it is."""
    for name in (*PROSE, "short"):
        text = getattr(entry, name, "")
        if name not in FORMULAS or _has_words(name, text):
            yield name, text
    for work in entry.works:
        yield "citation", work.citation
    for each in entry.elsewhere:
        yield "library", each.library
        yield "returns", each.returns


def _has_words(name: str, text: str) -> bool:
    return any(found not in SIGNS for found in WORDS[name].findall(text))
