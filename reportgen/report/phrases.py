"""What is said on a page: a text is a string, or a tuple of strings and of what is more than a string.

What comes from a campaign is plain text in it, and escaped by what renders it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reportgen.results import Work
from reportgen.words.language import _, grouped, isolated, ngettext

# Where a message has a value.
NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Link:
    """A link to "#anchor", to a page by its name from the version's folder, or out of the site.

    In a report of one file, which has no pages beside it, a link to one is its text alone.
    """

    text: str
    href: str
    title: str = ""


@dataclass(frozen=True)
class File:
    """A link to a file in `tables/`; in a report of one file there is none."""

    name: str
    text: str = "CSV"


@dataclass(frozen=True)
class Styled:
    """Words that look otherwise than those around them."""

    text: str


class Strong(Styled):
    """Words in bold."""


class Code(Styled):
    """What is typed, or read by a program."""


class Symbol(Styled):
    """A mathematical sign: κ, ω."""


class Removed(Styled):
    """Words that a later text no longer has."""


class Added(Styled):
    """Words that an earlier text did not have."""


@dataclass(frozen=True)
class Cited:
    """Words with the works that they come from, which a paper cites; a report has a page of them."""

    text: str
    works: tuple[Work, ...]


Inline = str | Link | File | Styled | Cited
Text = Inline | tuple[Inline, ...]


def parts(text: Text) -> tuple[Inline, ...]:
    """Return the parts of a text."""
    return text if isinstance(text, tuple) else (text,)


def phrase(message: str, /, **values: Text) -> tuple[Inline, ...]:
    """Return a message in the language that is being written, its {named} places filled with texts."""
    return _filled(_(message), values)


def phrase_many(singular: str, plural: str, number: int, /, **values: Text) -> tuple[Inline, ...]:
    """Return a message for a number of things, its places filled with texts, {count} with that number."""
    return _filled(ngettext(singular, plural, number), {"count": grouped(number)} | values)


def _filled(message: str, values: Mapping[str, Text]) -> tuple[Inline, ...]:
    inlines: list[Inline] = []
    for position, part in enumerate(NAMED.split(message)):
        value = values[part] if position % 2 else part
        if isinstance(value, tuple):
            inlines.extend(value)
        elif value:
            inlines.append(isolated(value) if position % 2 and isinstance(value, str) else value)
    return tuple(inlines)


def sentences(*texts: Text | None) -> tuple[Inline, ...]:
    """Return texts one after the other, with a blank between them; those that say nothing are left out."""
    inlines: list[Inline] = []
    for text in texts:
        if text:
            inlines += [" ", *parts(text)] if inlines else parts(text)
    return tuple(inlines)


def commas(texts: Iterable[Text]) -> tuple[Inline, ...]:
    """Return texts with commas between them."""
    inlines: list[Inline] = []
    for text in texts:
        inlines += [", ", *parts(text)] if inlines else parts(text)
    return tuple(inlines)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; a quiet one is a remark in smaller letters.

    One that leads `elsewhere` is about pages and files beside the report: a report of one file, Markdown and
    print are without it.
    """

    text: Text
    quiet: bool = False
    id: str = ""
    elsewhere: bool = False


def paragraph(*texts: Text | None, anchor: str = "", elsewhere: bool = False) -> Paragraph:
    """Return a paragraph of texts one after the other."""
    return Paragraph(sentences(*texts), id=anchor, elsewhere=elsewhere)


def remark(*texts: Text | None, anchor: str = "", elsewhere: bool = False) -> Paragraph:
    """Return a quiet paragraph of texts one after the other."""
    return Paragraph(sentences(*texts), quiet=True, id=anchor, elsewhere=elsewhere)
