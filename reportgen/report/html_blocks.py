"""Blocks as HTML: every text is escaped, every link leads from where the page is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from reportgen.figures import Drawing
from reportgen.report import escaping, phrases
from reportgen.report.blocks import (
    Beside,
    Block,
    Details,
    FactsBlock,
    FigureBlock,
    FindingBlock,
    Items,
    RawBlock,
    ReasonBlock,
    Section,
    Small,
    TableBlock,
)
from reportgen.report.phrases import Paragraph
from reportgen.report.tables import Cell, ReportTable, TableColumn, cell_text, unbroken
from reportgen.results import Figure as Estimate
from reportgen.words import language, numbers
from reportgen.words.language import Told, _, say

# More findings of one kind are folded.
MOST_CLAIMS = 3
LOOKS = {
    phrases.Strong: Markup("<strong>{}</strong>"),
    phrases.Code: Markup("<code>{}</code>"),
    phrases.Symbol: Markup('<i class="symbol">{}</i>'),
    phrases.Removed: Markup("<del>{}</del>"),
    phrases.Added: Markup("<ins>{}</ins>"),
}
# The level of the headings of a page's own sections.
TOP = 2
# Where a mark of a figure leads to a page.
LINKED = re.compile(r'<a href="[^"]*"[^>]*>')


@dataclass(frozen=True)
class Place:
    """Where a page is: `up` is the way to its version's folder; `alone`: it has no files beside it."""

    up: str = ""
    alone: bool = False

    def href(self, href: str) -> str:
        """Return a link from here, empty where it leads to a page that is not there."""
        if href.startswith(("#", "https:", "http:")):
            return href
        return "" if self.alone else f"{self.up}{href}"

    def file(self, name: str) -> str:
        """Return the link to a file of tables."""
        return "" if self.alone else f"{self.up}{language.edition().data}tables/{name}"


def text(value: str) -> Markup:
    """Return plain text, escaped."""
    return escape(language.printable(value))


def inline(found: phrases.Text, place: Place) -> Markup:
    """Return a text with its links."""
    return Markup().join(_inline(each, place) for each in phrases.parts(found))


def _inline(found: phrases.Inline, place: Place) -> Markup:
    match found:
        case str():
            return _said(found)
        case phrases.Link(words, href, title):
            there = place.href(href)
            hover = Markup(' title="{}"').format(title) if title else ""
            return Markup('<a href="{}"{}>{}</a>').format(there, hover, text(words)) if there else text(words)
        case phrases.File(name, words):
            there = place.file(name)
            return Markup('<a class="file" href="{}">{}</a>').format(there, words) if there else Markup()
        case phrases.Cited(words):
            return text(words)
        case phrases.Styled(words):
            return LOOKS[type(found)].format(text(words))


def _said(found: str) -> Markup:
    """Return a sentence, its words in another language than the page with their own."""
    pieces = found.pieces if isinstance(found, Told) else ((found, ""),)
    foreign = Markup('<span lang="{}">{}</span>')
    return Markup().join(foreign.format(tag, text(words)) if tag else text(words) for words, tag in pieces)


def section(found: Section, place: Place, level: int = TOP) -> Markup:
    """Return a section of a page, with its anchor and its heading."""
    name = f"{found.id}-title"
    tag = Markup(' <span class="tag">{}</span>').format(text(found.tag)) if found.tag else ""
    if level > TOP:
        head = Markup("<h{0}{1}>{2}{3}</h{0}>\n").format(level, _anchor(found.id), text(found.title), tag)
        return head + blocks(found.blocks, place, level + 1)
    looks = Markup(' class="verdict {}"').format(found.state) if found.state else ""
    quiet = Markup(' class="quiet"') if found.state else ""
    return Markup('<section id="{}"{} aria-labelledby="{}">\n<h2 id="{}"{}>{}{}</h2>\n{}</section>\n').format(
        found.id, looks, name, name, quiet, text(found.title), tag, blocks(found.blocks, place, 3)
    )


def blocks(found: Iterable[Block], place: Place, level: int = 3) -> Markup:
    """Return blocks below each other; `level` is that of headings among them."""
    return Markup().join(_block(each, place, level) for each in found)


def _block(found: Block, place: Place, level: int) -> Markup:
    match found:
        case Paragraph():
            return _paragraph(found, place)
        case Section():
            return section(found, place, level)
        case TableBlock():
            return table(found.table, place, found.label, found.kind)
        case FigureBlock():
            drawn = _unlinked(_drawn(found)) if place.alone else _drawn(found)
            return figure(found.drawing, inline(found.caption, place), place, drawn)
        case Details():
            inside = blocks(found.blocks, place, level)
            return Markup("<details{}><summary>{}</summary>\n{}</details>\n").format(
                _anchor(found.id), text(found.summary), inside
            )
        case Beside():
            return Markup('<div class="beside">\n{}</div>\n').format(blocks(found.blocks, place, level))
        case _:
            return _small(found, place)


def _small(found: Small, place: Place) -> Markup:
    match found:
        case Items():
            kind = "ol" if found.numbered else "ul"
            items = Markup().join(Markup("<li>{}</li>\n").format(inline(each, place)) for each in found.items)
            return Markup("<{0}>\n{1}</{0}>\n").format(Markup(kind), items)  # noqa: S704 - ours
        case FactsBlock():
            rows = (
                Markup("<div><dt>{}</dt><dd>{}</dd></div>\n").format(text(name), inline(value, place))
                for name, value in found.facts
            )
            return Markup('<dl class="facts"{}>\n{}</dl>\n').format(_anchor(found.id), Markup().join(rows))
        case ReasonBlock(markdown, missing=False):
            why = Markup(escaping.to_html(markdown))  # noqa: S704 - sanitised by nh3
            return Markup('<div class="why"{}>{}</div>\n').format(spoken(), why)
        case ReasonBlock(words):
            return Markup('<p class="why missing">{}</p>\n').format(text(words))
        case FindingBlock():
            return _note(found, place)
        case RawBlock(html):
            return Markup(html)  # noqa: S704 - made by us


def spoken() -> Markup:
    """Return the attribute that says in which language a campaign is written; nothing on pages in it."""
    tag = language.of_campaign()
    return Markup(' lang="{}"').format(tag) if tag else Markup()


def _paragraph(found: Paragraph, place: Place) -> Markup:
    if found.elsewhere and place.alone:
        return Markup()
    quiet = Markup(' class="{}"').format("small" + " on-screen" * found.elsewhere) if found.quiet else ""
    return Markup("<p{}{}>{}</p>\n").format(_anchor(found.id), quiet, inline(found.text, place))


def _anchor(name: str) -> Markup:
    return Markup(' id="{}"').format(name) if name else Markup()


def _note(found: FindingBlock, place: Place) -> Markup:
    """Return a finding, what to do first; of many findings as one the list is folded."""
    advice, claim = inline(found.advice, place), inline(found.claim, place)
    advised = Markup('<p class="advice">{}</p>\n').format(advice) if advice else ""
    more = _small(Items(found.more), place) if found.more else Markup()
    if len(found.more) > MOST_CLAIMS:
        summary = say("In detail: {count}", count=numbers.count(len(found.more)))
        more = Markup("<details><summary>{}</summary>\n{}</details>\n").format(text(summary), more)
    return Markup(
        '<div class="finding {}">\n<p class="severity">{}</p>\n<div>\n{}<p>{}</p>\n{}</div>\n</div>\n'
    ).format(found.severity, found.level, advised, claim, more)


def of_layer(name: str) -> str:
    """Return what tells the tables of several layers apart for those who hear the page."""
    return f" ({name})" if "~" in name else ""


def estimate(found: Estimate | None, *, place: bool = False) -> Markup:
    """Return a figure with its interval, which is lighter.

    In a column some of whose figures have one (`place`), those without keep its place, so that decimals are
    below each other.
    """
    if found is None or found.value is None:
        why = numbers.message(found.undefined, {}) if found and found.undefined else ""
        title = Markup(' title="{}"').format(text(why)) if why else ""
        return Markup('<span class="none"{}>–</span>').format(title)
    value, interval = text(numbers.figure(found.value)), found.interval
    if interval is not None and interval.low is not None:
        return Markup("{} <i>{}</i>").format(value, numbers.interval(interval))
    if interval is not None and interval.undefined:
        return Markup('{} <i title="{}">[–]</i>').format(value, text(numbers.message(interval.undefined, {})))
    return value + (Markup(" <i></i>") if place else "")


def table(found: ReportTable, place: Place | None, label: str = "", kind: str = "") -> Markup:
    """Return a table, its first column heading the rows; without a place its cells lead nowhere."""
    name = f"{label or found.caption or _('Table')}{of_layer(found.id)}"
    classes = " ".join(filter(None, ("margins" if found.total else "", kind)))
    caption = Markup("<caption>{}</caption>\n").format(text(found.caption)) if found.caption else ""
    return Markup(
        '<div class="scroll" role="region" tabindex="0" aria-label="{}">\n<table id="table-{}"{}>\n{}'
        "<thead><tr>\n{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n"
    ).format(
        text(name),
        found.id,
        Markup(' class="{}"').format(classes) if classes else "",
        caption,
        Markup().join(_head(each, first=not column) for column, each in enumerate(found.columns)),
        Markup().join(_rows(found, place)),
    )


def _head(column: TableColumn, *, first: bool) -> Markup:
    number = Markup(' class="number"') if column.kind != "text" and not first else ""
    return Markup('<th scope="col"{}>{}</th>\n').format(number, text(unbroken(column.title)))


def _rows(found: ReportTable, place: Place | None) -> Iterable[Markup]:
    nothing = (None,) * len(found.columns)
    for number, row in enumerate(found.rows):
        shades = found.shades[number] if found.shades else nothing
        links = found.links[number] if place and found.links else nothing
        cells = [
            _cell(cell, column, shade, place.href(href) if place and href else "", first=not each)
            if not each or column.kind != "estimate"
            else _estimate(cell, place=each in found.places)
            for each, (cell, column, shade, href) in enumerate(
                zip(row, found.columns, shades, links, strict=True)
            )
        ]
        yield Markup("<tr>{}</tr>\n").format(Markup().join(cells))


def _estimate(cell: Cell, *, place: bool) -> Markup:
    found = cell if isinstance(cell, Estimate) else None
    return Markup('<td class="number">{}</td>').format(estimate(found, place=place))


def _cell(cell: Cell, column: TableColumn, shade: int | None, href: str, *, first: bool) -> Markup:
    shown = text(cell_text(cell, column.kind))
    if href:
        shown = Markup('<a href="{}">{}</a>').format(href, shown if first else shown or "–")
    if first:
        return Markup('<th scope="row">{}</th>').format(shown or "–")
    if column.kind == "text":
        return Markup("<td>{}</td>").format(shown)
    shaded = f" shade-{shade}" if shade is not None else ""
    return Markup('<td class="number{}">{}</td>').format(shaded, shown)


def _drawn(found: FigureBlock) -> Markup:
    """Return a figure as it is drawn for this page: once, for much and for little room, or in panels."""
    if found.panels:
        panel = Markup('<div class="panel"><p dir="auto">{}</p>{}</div>\n')
        shown = (panel.format(text(each.title), Markup(each.svg)) for each in found.panels)  # noqa: S704 - drawn by us
        return Markup('<div class="panels">\n{}</div>').format(Markup().join(shown))
    whole = Markup(found.drawing.svg)  # noqa: S704 - drawn by us
    if not found.narrow:
        return whole
    small = Markup(found.narrow.svg)  # noqa: S704 - drawn by us
    return Markup('<div class="roomy">{}</div><div class="cramped">{}</div>').format(whole, small)


def _unlinked(drawn: Markup) -> Markup:
    """Return a figure whose marks lead to no pages, which a report of one file does not have beside it."""
    shown = LINKED.sub("<g>", str(drawn)).replace("</a>", "</g>").replace(' role="group"', ' role="img"')
    return Markup(shown)  # noqa: S704 - drawn by us


def figure(found: Drawing, caption: Markup, place: Place, drawn: Markup | None = None) -> Markup:
    """Return a figure with its caption and, beside other files, its own; `drawn` is how a page shows it."""
    words = ". ".join(filter(None, (found.title.rstrip("."), caption.striptags())))
    heard = say("Figure {name}: {caption}", name=found.name, caption=words)
    title = Markup("<b>{}.</b> ").format(text(found.title.rstrip("."))) if found.title else ""
    own = place.href(f"figures/{found.name}.svg")
    file = Markup(' <a class="file" href="{}">SVG</a>').format(own) if own else ""
    return Markup(
        '<figure>\n<div class="scroll" role="region" tabindex="0" aria-label="{}">\n{}\n</div>\n'
        "<figcaption>{}{}{}</figcaption>\n</figure>\n"
    ).format(text(heard), drawn or Markup(found.svg), title, caption, file)  # noqa: S704 - drawn by us
