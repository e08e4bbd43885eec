"""In which languages a folder's pages are, the first one first: as they stand, for no results say so."""

import re

from reportgen.report.language import ENGLISH, NAMES
from reportgen.verifying.tree import Tree

HEAD = 4096
LANGUAGE = re.compile(rb'<html\s[^<>]*?lang="([A-Za-z-]+)"')


def languages_of(files: Tree) -> tuple[str, ...]:
    """Return the languages of a folder's pages."""
    first = _first(files)
    others = [each for each in NAMES if each != first and any(name.startswith(f"{each}/") for name in files)]
    return (first, *others)


def _first(files: Tree) -> str:
    """Return the language of the first edition: what most of its pages say of themselves."""
    pages = [name for name in ("index.html", "report.html", "measures/index.html") if name in files]
    said = [found[1].decode() for each in pages if (found := LANGUAGE.search(files[each][:HEAD]))]
    known = [each for each in said if each in NAMES]
    return max(known, key=known.count, default=ENGLISH)
