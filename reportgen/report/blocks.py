"""What a page is made of: sections of blocks, which HTML, Markdown and LaTeX each render in their own way."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

from reportgen.base.dataclass import dataclass
from reportgen.figures import Drawing
from reportgen.report.tables import ReportTable
from reportgen.results import Work
from reportgen.words.language import _, forms, grouped, isolated, ngettext

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


class InsertedWords(Styled):
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


def phrase_many(message: str, number: int, /, **values: Text) -> tuple[Inline, ...]:
    """Return a message for a number of things (`forms`), its places filled with texts, {count} too."""
    return _filled(ngettext(*forms(message), number), {"count": grouped(number)} | values)


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


def see(section: str, anchor: str) -> tuple[Inline, ...]:
    """Return which section of the same page has more, which says enough where links lead nowhere."""
    return phrase("See “{section}”.", section=Link(section, anchor))


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


# Blocks: what a section is made of.


@dataclass(frozen=True)
class Items:
    """A list of texts."""

    items: tuple[Text, ...]
    numbered: bool = False


@dataclass(frozen=True)
class FactsBlock:
    """What is known, each with its name; several texts are below each other."""

    facts: tuple[tuple[str, Text | Items], ...]
    id: str = ""


@dataclass(frozen=True)
class ReasonBlock:
    """What a campaign says in Markdown, such as why a unit set was chosen; `missing`: it says nothing."""

    markdown: str
    missing: bool = False


@dataclass(frozen=True)
class PaperTable:
    """A table of a layer as a paper has it: the words above it, its label, and the note below it."""

    layer: str
    table: ReportTable
    caption: str
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableBlock:
    """A table; `label` is what screen readers read, by default its caption.

    `kind` is its CSS class; links of its cells lead from the version's folder. A table with a `file`
    is a CSV too, and one with a `paper` is among the tables in LaTeX.
    """

    table: ReportTable
    label: str = ""
    kind: str = ""
    paper: PaperTable | None = None


@dataclass(frozen=True)
class FigureBlock:
    """A figure with what is to be said below it; a page shows it as small `panels` where it has any.

    A figure with a `narrow` form is drawn a second time for pages without much room. One for a `paper` is in
    what is written for word processors.
    """

    drawing: Drawing
    caption: Text
    narrow: Drawing | None = None
    panels: tuple[Drawing, ...] = ()
    paper: bool = False


@dataclass(frozen=True)
class ShortAnswers:
    """Short answers next to each other, each with its title."""

    answers: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Details:
    """Blocks that a reader unfolds."""

    summary: str
    blocks: tuple["Block", ...]
    id: str = ""


def folded_table(table: ReportTable, *below: "Block | None", label: str = "", kind: str = "") -> Details:
    """Return a table that is unfolded by its caption, or a label, and what is said below it."""
    named = label or table.caption
    shown = TableBlock(replace(table, caption=""), named, kind)
    title = named.rstrip(" :.\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")
    return Details(title, (shown, *(block for block in below if block)))


@dataclass(frozen=True)
class FilesBlock:
    """What a section has beside what it shows: files that no page shows whole, and tables for a paper.

    They are made when files are written: pages do not wait for them.
    """

    tables: Callable[[], Iterable[ReportTable | None]] = tuple
    drawings: Callable[[], Iterable[Drawing | None]] = tuple
    paper: Callable[[], Iterable[PaperTable]] = tuple


@dataclass(frozen=True)
class RawBlock:
    """What only one of the formats can show, as a slider: HTML made by us, nothing in Markdown."""

    html: str


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it.

    `short` is its title in the list of contents, `tag` a word beside the heading. A section in a section has
    a smaller heading, and needs no id. Where others are opened by their headings, one that is `open` already
    is.
    """

    id: str
    title: str
    blocks: tuple["Block", ...]
    short: str = ""
    tag: str = ""
    open: bool = False


Arguments = ParamSpec("Arguments")


def as_section(
    name: str, title: str, short: str = ""
) -> Callable[[Callable[Arguments, Iterable["Block"]]], Callable[Arguments, Section | None]]:
    """Make a section of what yields its blocks, None where it yields none; titles are messages."""

    def made(blocks_of: Callable[Arguments, Iterable["Block"]]) -> Callable[Arguments, Section | None]:
        @wraps(blocks_of)
        def section(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Section | None:
            blocks = tuple(blocks_of(*args, **kwargs))
            return Section(name, _(title), blocks, short=_(short) if short else "") if blocks else None

        return section

    return made


Small = ShortAnswers | Items | FactsBlock | ReasonBlock | FilesBlock | RawBlock
Block = Small | Paragraph | TableBlock | FigureBlock | Details | Section


# What the sections of a report have besides pages: that a section has a table or a figure gives it its file.


def tables_in(blocks: Iterable[Block]) -> list[ReportTable]:
    """Return every table that has a file; of what a page shows in part, the whole."""
    every = list(_below(blocks))
    shown = [block.table for block in every if isinstance(block, TableBlock)]
    whole = (table for block in every if isinstance(block, FilesBlock) for table in block.tables())
    return list({table.file: table for table in (*shown, *whole) if table and table.file}.values())


def drawings_in(blocks: Iterable[Block]) -> list[Drawing]:
    """Return every figure that has a file."""
    every: list[Drawing | None] = []
    for block in _below(blocks):
        if isinstance(block, FigureBlock):
            every.append(block.drawing)
        elif isinstance(block, FilesBlock):
            every += block.drawings()
    return list({drawing.name: drawing for drawing in every if drawing}.values())


def paper_tables_in(blocks: Iterable[Block]) -> Iterator[PaperTable]:
    """Yield the tables that a paper's appendix has."""
    for block in _below(blocks):
        if isinstance(block, FilesBlock):
            yield from block.paper()
        elif isinstance(block, TableBlock) and block.paper:
            yield block.paper


def paper_figures_in(blocks: Iterable[Block]) -> Iterator[FigureBlock]:
    """Yield the figures that a paper has."""
    return (block for block in _below(blocks) if isinstance(block, FigureBlock) and block.paper)


def _below(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Section | Details):
            yield from _below(block.blocks)


@dataclass(frozen=True)
class SectionPage:
    """A page behind the report: its title and lead, what it is a part of, and its blocks."""

    title: str
    blocks: tuple[Block, ...]
    lead: str = ""
    parent: Link | None = None
    wide: bool = False


@dataclass(frozen=True)
class CampaignPage:
    """A page of a campaign over its versions: its title, its heading, the page above it, its sections."""

    title: str
    heading: str
    above: tuple[Inline, ...]
    lead: Text
    sections: tuple[Section, ...]
