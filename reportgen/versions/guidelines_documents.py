"""What was added to the guidelines and what taken out, passage by passage, and which categories it names."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.results.texts import GuidelinesRule
from reportgen.results.versions import GuidelinesCompared, Passage, PassageKind

HEADING = re.compile(r"\s{0,3}(#{1,6})\s(.*)$")
ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$")
TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
UNDERLINE = re.compile(r"\s{0,3}(=+|-{2,})\s*$")
RULE = re.compile(r"\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|(?=[|:\s]*-)[|:\s-]*)$")
FENCE = re.compile(r"\s*(```+|~~~+)")
WORD = re.compile(r"\w+")
RELATION = re.compile(r"(.+) \([^()]+, [^()]+\)$")
# Headings of sections on where a mark begins and ends: English, German, French.
ENDS = re.compile(
    r"\b(?:boundar(?:y|ies)|extents?|spans?|(?:where|how far)\b.*\b(?:begins?|starts?|ends?|reach(?:es)?)|"
    r"\w*(?<!ab)grenzen?|spannen?|ausdehnung|(?:wo|wie weit)\b.*\b(?:beginn|ende|reich)\w*|anfang und ende|"
    r"bornes?|étendues?|empans?|délimitations?|frontières?|(?:où|jusqu)\b.*\b(?:commence|fini|termine)\w*|"
    r"jusqu.où|limites?\b.*\bmarques?|début et fin)\b",
    re.IGNORECASE,
)
LONGEST_HEADING = 200
# A passage of fewer words names a category and says nothing of it.
LEAST_WORDS = 4


def compare_guidelines(first: str, second: str, categories: Sequence[str]) -> tuple[Passage, ...]:
    """Return the passages of two guidelines documents, each on one line, in the order of the second.

    A passage is a paragraph, list item, heading or row of a table. An edited one is removed and added.
    `categories` are the campaign's labels, the non-annotated one left out, since its name is an ordinary
    word; see `CategoryMatcher` for when a passage names one.
    """
    before, after = tuple(passages(first)), tuple(passages(second))
    names = CategoryMatcher(categories, (*before, *after))
    kinds: list[tuple[PassageKind, Sequence[str]]] = []
    for what, start, end, other_start, other_end in SequenceMatcher(None, before, after).get_opcodes():
        if what == "equal":
            kinds.append(("kept", after[other_start:other_end]))
        else:
            kinds += [("removed", before[start:end]), ("added", after[other_start:other_end])]
    return tuple(
        Passage(kind=kind, text=text, categories=names.of(text)) for kind, texts in kinds for text in texts
    )


def passages(markdown: str) -> Iterator[str]:
    """Yield the passages of a Markdown document, each on one line.

    Numbers and bullets of lists are left out, so that an item that was only renumbered is the same; headings
    keep their signs. What is between fences is one passage.
    """
    return (text for _line, text in numbered_passages(markdown))


def numbered_passages(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield the passages of a Markdown document, each behind the number of the line where it begins."""
    block: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(markdown.removeprefix("\ufeff").splitlines(), 1):
        mark = FENCE.match(line)
        if fence or mark:
            if mark and (not fence or mark[1].startswith(fence)):
                yield from _joined(block)
                block, fence = [], "" if fence else mark[1]
            else:
                block.append((number, line))
        elif _begins(line):
            yield from _joined(block)
            block = [] if RULE.match(line) or not line.strip() else [(number, _content(line))]
            if not ITEM.match(line):
                yield from _joined(block)
                block = []
        elif UNDERLINE.match(line) and block:
            heading = " ".join(words for _line, words in block)
            yield from _joined([(block[0][0], f"{'#' if '=' in line else '##'} {heading}")])
            block = []
        else:
            block.append((number, line))
    yield from _joined(block)


def _begins(line: str) -> bool:
    """Tell whether a line ends the passage before it: a blank, a heading, an item, a row or a rule."""
    if UNDERLINE.match(line):
        return False
    return not line.strip() or any(pattern.match(line) for pattern in (HEADING, ITEM, TABLE_ROW, RULE))


def _content(line: str) -> str:
    heading, item = HEADING.match(line), ITEM.match(line)
    if heading:
        return f"{heading[1]} {heading[2].rstrip().rstrip('#').strip()}"
    return item[1] if item else line


def _joined(block: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    text = " ".join(" ".join(words for _line, words in block).split())
    if text.strip("#=-_*| "):
        yield block[0][0], text


class CategoryMatcher:
    """Finds the categories that passages name, as whole words.

    Upper and lower case are one, unless a label that has a capital is in the documents just as it is
    written: guidelines that write of a category "New" do not mean it by "a new name". A relation is named
    without the labels of its arguments: "Renames (Former, New)" by "Renames".
    """

    def __init__(self, categories: Sequence[str], documents: Sequence[str]) -> None:
        """Find out how the documents write each category."""
        text = "\n".join(documents)
        self._patterns = {name: _pattern(name, text) for name in categories if name.strip()}

    def of(self, text: str) -> tuple[str, ...]:
        """Return the categories that a text names, in the campaign's order."""
        return tuple(name for name, pattern in self._patterns.items() if pattern.search(text))


def _pattern(name: str, documents: str) -> re.Pattern[str]:
    relation = RELATION.match(name)
    words = r"\s+".join(map(re.escape, (relation[1] if relation else name).split()))
    as_written = re.compile(rf"(?<!\w){words}(?!\w)")
    if name != name.lower() and as_written.search(documents):
        return as_written
    return re.compile(as_written.pattern, re.IGNORECASE)


# The guidelines documents of two versions: what they say, or why they are not compared.

# Beyond this a document is no text that somebody wrote for annotators.
MOST_BYTES = 2_000_000

NONE_NAMED = "campaign.toml names no guidelines document for {version}"
NO_TEXT = "the guidelines document of {version} is not a text file"
MISSING = "the guidelines document of {version} is not there"
TOO_LONG = "the guidelines document of {version} is too long to compare"


@dataclass(frozen=True)
class GuidelinesDocument:
    """A version's guidelines document: its name, its text, or why there is none."""

    version: str
    name: str = ""
    text: str | None = None
    missing: str = ""


def guidelines_document(folder: Path, version: str, name: str | None) -> GuidelinesDocument:
    """Read the guidelines document of a version; `name` is its path in the campaign's folder."""
    text, missing = _text(folder / name) if name else (None, NONE_NAMED)
    return GuidelinesDocument(version, name or "", text, missing.format(version=version))


def _text(path: Path) -> tuple[str | None, str]:
    """Return the text of a document, or why there is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None, TOO_LONG
        text = path.read_bytes().decode("utf-8-sig")
    except OSError:
        return None, MISSING
    except UnicodeDecodeError:
        return None, NO_TEXT
    return (None, NO_TEXT) if "\0" in text else (text, "")


def rules(document: GuidelinesDocument, categories: Sequence[str]) -> tuple[GuidelinesRule, ...]:
    """Return the passages of a document that say something of a category, or where marks begin and end.

    Headings say nothing, but tell the latter: "Boundaries", or "Where a New ends", whose passages are about
    New, as are those below a heading that has New above it.
    """
    every = list(numbered_passages(document.text or ""))
    if not every:
        return ()
    names = CategoryMatcher(categories, [text for _line, text in every if not HEADING.match(text)])
    return tuple(_rules(every, names))


def _rules(every: Sequence[tuple[int, str]], names: CategoryMatcher) -> Iterator[GuidelinesRule]:
    above: list[tuple[int, str]] = []
    for line, text in every:
        if heading := HEADING.match(text):
            level = len(heading[1])
            above = [*(own for own in above if own[0] < level), (level, heading[2][:LONGEST_HEADING])]
        elif len(WORD.findall(text)) >= LEAST_WORDS:
            ends = any(ENDS.search(title) for _level, title in above)
            # The document's title names what all of it is about.
            titles = [title for level, title in above if ends and level > 1]
            named = names.of("\n".join((*titles, text)))
            if named or ends:
                yield GuidelinesRule(line=line, text=text, categories=named, ends=ends)


def guidelines_compared(
    first: GuidelinesDocument, second: GuidelinesDocument, categories: Sequence[str]
) -> tuple[GuidelinesCompared | None, str | None]:
    """Return two documents compared; or None with the reason why they are not."""
    if first.text is None or second.text is None:
        return None, first.missing or second.missing
    compared = compare_guidelines(first.text, second.text, categories)
    return GuidelinesCompared(first=first.name, second=second.name, passages=compared), None
