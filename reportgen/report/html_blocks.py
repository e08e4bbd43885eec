"""Blocks as HTML: every text is escaped, every link leads from where the page is."""

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from reportgen.base.dataclass import dataclass
from reportgen.figures import Drawing
from reportgen.figures.style import THRESHOLDS
from reportgen.report import escaping
from reportgen.report.blocks import (
    Block,
    Cited,
    Code,
    Details,
    FactsBlock,
    FigureBlock,
    File,
    FilesBlock,
    Inline,
    InsertedWords,
    Items,
    Link,
    Paragraph,
    RawBlock,
    ReasonBlock,
    Removed,
    Section,
    ShortAnswers,
    Small,
    Strong,
    Styled,
    Symbol,
    TableBlock,
    Text,
    parts,
)
from reportgen.report.tables import Cell, ReportTable, TableColumn, cell_text, unbroken
from reportgen.results import Figure as Estimate
from reportgen.words import language, numbers
from reportgen.words.language import Told, _, say

LOOKS = {
    Strong: Markup("<strong>{}</strong>"),
    Code: Markup("<code>{}</code>"),
    Symbol: Markup('<i class="symbol">{}</i>'),
    Removed: Markup("<del>{}</del>"),
    InsertedWords: Markup("<ins>{}</ins>"),
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


def breaking(name: str) -> Markup:
    """Return a name that may break behind each of its underscores."""
    return text(name).replace("_", Markup("_<wbr>"))


def inline(words: Text, location: Place) -> Markup:
    """Return a text with its links."""
    return Markup().join(_inline(part, location) for part in parts(words))


def _inline(part: Inline, location: Place) -> Markup:
    match part:
        case str():
            return _sentence(part)
        case Link(words, href, title):
            there = location.href(href)
            hover = Markup(' title="{}"').format(title) if title else ""
            return Markup('<a href="{}"{}>{}</a>').format(there, hover, text(words)) if there else text(words)
        case File(name, words):
            there = location.file(name)
            return Markup('<a class="file" href="{}">{}</a>').format(there, words) if there else Markup()
        case Cited(words):
            return text(words)
        case Styled(words):
            return LOOKS[type(part)].format(text(words))


def _sentence(sentence: str) -> Markup:
    """Return a sentence, its words in another language than the page with their own."""
    pieces = sentence.pieces if isinstance(sentence, Told) else ((sentence, ""),)
    foreign = Markup('<span lang="{}">{}</span>')
    return Markup().join(foreign.format(tag, text(words)) if tag else text(words) for words, tag in pieces)


def section(block: Section, location: Place, level: int = TOP, *, folded: bool = False) -> Markup:
    """Return a section of a page, with its anchor and its heading, by which a `folded` one opens."""
    name = f"{block.id}-title"
    tag = Markup(' <span class="tag">{}</span>').format(text(block.tag)) if block.tag else ""
    if level > TOP:
        head = Markup("<h{0}{1}>{2}{3}</h{0}>\n").format(level, _anchor(block.id), text(block.title), tag)
        return head + blocks(block.blocks, location, level + 1)
    head = Markup('<h2 id="{}">{}{}</h2>').format(name, text(block.title), tag)
    inside = blocks(block.blocks, location, 3)
    if folded and not block.open:
        return Markup(
            '<details id="{}" class="fold"><summary>{}</summary>\n<div>\n{}</div>\n</details>\n'
        ).format(block.id, head, inside)
    return Markup('<section id="{}" aria-labelledby="{}">\n{}\n{}</section>\n').format(
        block.id, name, head, inside
    )


def blocks(content: Iterable[Block], location: Place, level: int = 3) -> Markup:
    """Return blocks below each other; `level` is that of headings among them."""
    return Markup().join(_block(block, location, level) for block in content)


def _block(block: Block, location: Place, level: int) -> Markup:
    match block:
        case Paragraph():
            if block.elsewhere and location.alone:
                return Markup()
            quiet = (
                Markup(' class="{}"').format("small" + " on-screen" * block.elsewhere) if block.quiet else ""
            )
            return Markup("<p{}{}>{}</p>\n").format(_anchor(block.id), quiet, inline(block.text, location))
        case Section():
            return section(block, location, level)
        case TableBlock():
            return table(block.table, location, block.label, block.kind)
        case FigureBlock():
            drawn = _unlinked(_svg(block)) if location.alone else _svg(block)
            return figure(block.drawing, inline(block.caption, location), location, drawn)
        case Details():
            inside = blocks(block.blocks, location, level)
            return Markup("<details{}><summary>{}</summary>\n{}</details>\n").format(
                _anchor(block.id), text(block.summary), inside
            )
        case _:
            return _simple_block(block, location)


def _simple_block(block: Small, location: Place) -> Markup:
    match block:
        case ShortAnswers(answers):
            shown = (
                Markup("<div><h3>{}</h3><p>{}</p></div>\n").format(text(title), inline(words, location))
                for title, words in answers
            )
            return Markup('<div class="answers">\n{}</div>\n').format(Markup().join(shown))
        case Items():
            kind = "ol" if block.numbered else "ul"
            items = Markup().join(
                Markup("<li>{}</li>\n").format(inline(item, location)) for item in block.items
            )
            return Markup("<{0}>\n{1}</{0}>\n").format(Markup(kind), items)  # noqa: S704 - ours
        case FactsBlock():
            rows = (
                Markup("<div><dt>{}</dt><dd>{}</dd></div>\n").format(text(name), _known(value, location))
                for name, value in block.facts
            )
            return Markup('<dl class="facts"{}>\n{}</dl>\n').format(_anchor(block.id), Markup().join(rows))
        case ReasonBlock(markdown, missing=False):
            why = Markup(escaping.to_html(markdown))  # noqa: S704 - sanitised by nh3
            return Markup('<div class="why"{}>{}</div>\n').format(spoken(), why)
        case ReasonBlock(words):
            return Markup('<p class="why missing">{}</p>\n').format(text(words))
        case FilesBlock():
            return Markup()
        case RawBlock(html):
            return Markup(html)  # noqa: S704 - made by us


def _known(value: Text | Items, location: Place) -> Markup:
    """Return what is known of something: a text, or a paragraph for each of several."""
    if not isinstance(value, Items):
        return inline(value, location)
    return Markup().join(Markup("<p>{}</p>\n").format(inline(item, location)) for item in value.items)


def spoken() -> Markup:
    """Return the attribute that says in which language a campaign is written; nothing on pages in it."""
    tag = language.of_campaign()
    return Markup(' lang="{}"').format(tag) if tag else Markup()


def _anchor(name: str) -> Markup:
    return Markup(' id="{}"').format(name) if name else Markup()


def of_layer(name: str) -> str:
    """Return what tells the tables of several layers apart for those who hear the page."""
    return f" ({name})" if "~" in name else ""


def estimate(statistic: Estimate | None, *, aligned: bool = False) -> Markup:
    """Return a figure with its interval, which is lighter.

    In a column some of whose figures have one (`aligned`), those without leave room for it, so that decimals
    are below each other.
    """
    if statistic is None or statistic.value is None:
        why = numbers.message(statistic.undefined, {}) if statistic and statistic.undefined else ""
        title = Markup(' title="{}"').format(text(why)) if why else ""
        return Markup('<span class="none"{}>–</span>').format(title)
    value, interval = text(numbers.figure(statistic.value)), statistic.interval
    if interval is not None and interval.low is not None:
        return Markup("{} <i>{}</i>").format(value, numbers.interval(interval))
    if interval is not None and interval.undefined:
        return Markup('{} <i title="{}">[–]</i>').format(value, text(numbers.message(interval.undefined, {})))
    return value + (Markup(" <i></i>") if aligned else "")


def scale(statistic: Estimate, *, banded: bool) -> Markup:
    """Return a figure with its interval on a small scale from 0 to 1; empty without a value.

    A `banded` one has the usual minimum, named, and begins to be green where it is good.
    """
    if statistic.value is None:
        return Markup()
    interval = statistic.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    ends = (statistic.value, statistic.value) if low is None or high is None else (low, high)
    at, first, last = (f"{250 * min(max(end, 0.0), 1.0):.1f}" for end in (statistic.value, *ends))
    least, good = (round(250 * threshold) for threshold in THRESHOLDS)
    minimum = say("{threshold} minimum", threshold=numbers.short(THRESHOLDS[0]))
    bands = Markup(
        '<rect class="between" x="{least}" y="11" width="{width}" height="8"/>'
        '<rect class="enough" x="{good}" y="11" width="{rest}" height="8"/>'
        '<line class="least" x1="{least}" x2="{least}" y1="4" y2="26"/>'
        '<text x="{least}" y="39">{minimum}</text>'
    ).format(least=least, good=good, width=good - least, rest=250 - good, minimum=minimum)
    # As in the ledger, an arrow where the interval goes on below 0.
    below = Markup('<path class="goes-on" d="M2 11l-6 4 6 4"/>') if ends[0] < 0 else Markup()
    return Markup(
        '<svg class="small-scale" viewBox="0 0 250 42" role="img" aria-label="{}">'
        '<rect class="track" y="11" width="250" height="8" rx="4"/>{}'
        '<text x="0" y="39">0</text><text x="250" y="39">1</text>'
        '<line class="span" x1="{}" x2="{}" y1="15" y2="15"/>{}'
        '<circle class="dot" cx="{}" cy="15" r="5.5"/></svg>'
    ).format(text(numbers.estimate(statistic)), bands if banded else "", first, last, below, at)


def table(report_table: ReportTable, location: Place | None, label: str = "", kind: str = "") -> Markup:
    """Return a table, its first column heading the rows; without a place its cells lead nowhere."""
    name = (label or report_table.caption or _("Table")) + of_layer(report_table.id)
    classes = " ".join(filter(None, ("margins" if report_table.total else "", kind)))
    caption = (
        Markup("<caption>{}</caption>\n").format(text(report_table.caption)) if report_table.caption else ""
    )
    return Markup(
        '<div class="scroll" role="region" tabindex="0" aria-label="{}">\n<table id="table-{}"{}>\n{}'
        "<thead><tr>\n{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n"
    ).format(
        text(name),
        report_table.id,
        Markup(' class="{}"').format(classes) if classes else "",
        caption,
        Markup().join(_head(column, first=not i) for i, column in enumerate(report_table.columns)),
        Markup().join(_rows(report_table, location)),
    )


def _head(column: TableColumn, *, first: bool) -> Markup:
    number = Markup(' class="number"') if column.kind != "text" and not first else ""
    return Markup('<th scope="col"{}>{}</th>\n').format(number, text(unbroken(column.title)))


def _rows(report_table: ReportTable, location: Place | None) -> Iterable[Markup]:
    nothing = (None,) * len(report_table.columns)
    for number, row in enumerate(report_table.rows):
        shades = report_table.shades[number] if report_table.shades else nothing
        links = report_table.links[number] if location and report_table.links else nothing
        cells = [
            _cell(cell, column, shade, location.href(href) if location and href else "", first=not i)
            if not i or column.kind != "estimate"
            else _estimate(cell, aligned=i in report_table.interval_columns)
            for i, (cell, column, shade, href) in enumerate(
                zip(row, report_table.columns, shades, links, strict=True)
            )
        ]
        yield Markup("<tr>{}</tr>\n").format(Markup().join(cells))


def _estimate(cell: Cell, *, aligned: bool) -> Markup:
    shown = estimate(cell if isinstance(cell, Estimate) else None, aligned=aligned)
    return Markup('<td class="number">{}</td>').format(shown)


def _cell(cell: Cell, column: TableColumn, shade: int | None, href: str, *, first: bool) -> Markup:
    shown = (breaking if first else text)(cell_text(cell, column.kind))
    if href:
        shown = Markup('<a href="{}">{}</a>').format(href, shown or "–")
    if first:
        return Markup('<th scope="row">{}</th>').format(shown or "–")
    if column.kind == "text":
        return Markup("<td>{}</td>").format(shown)
    shaded = f" shade-{shade}" if shade is not None else ""
    return Markup('<td class="number{}">{}</td>').format(shaded, shown)


def _svg(block: FigureBlock) -> Markup:
    """Return a figure as it is drawn for this page: once, for much and for little room, or in panels."""
    if block.panels:
        panel = Markup('<div class="panel"><p dir="auto">{}</p>{}</div>\n')
        shown = (panel.format(text(drawing.title), Markup(drawing.svg)) for drawing in block.panels)  # noqa: S704 - drawn by us
        return Markup('<div class="panels">\n{}</div>').format(Markup().join(shown))
    drawn = Markup(block.drawing.svg)  # noqa: S704 - drawn by us
    if not block.narrow:
        return drawn
    small = Markup(block.narrow.svg)  # noqa: S704 - drawn by us
    return Markup('<div class="roomy">{}</div><div class="cramped">{}</div>').format(drawn, small)


def _unlinked(drawn: Markup) -> Markup:
    """Return a figure whose marks lead to no pages, which a report of one file does not have beside it."""
    shown = LINKED.sub("<g>", str(drawn)).replace("</a>", "</g>").replace(' role="group"', ' role="img"')
    return Markup(shown)  # noqa: S704 - drawn by us


def figure(drawing: Drawing, caption: Markup, location: Place, drawn: Markup | None = None) -> Markup:
    """Return a figure with its caption and, beside other files, its own; `drawn` is how a page shows it."""
    words = ". ".join(filter(None, (drawing.title.rstrip("."), caption.striptags())))
    heard = say("Figure {name}: {caption}", name=drawing.name, caption=words)
    title = Markup("<b>{}.</b> ").format(text(drawing.title.rstrip("."))) if drawing.title else ""
    own = location.href(f"figures/{drawing.name}.svg")
    file = Markup(' <a class="file" href="{}">SVG</a>').format(own) if own else ""
    return Markup(
        '<figure>\n<div class="scroll" role="region" tabindex="0" aria-label="{}">\n{}\n</div>\n'
        "<figcaption>{}{}{}</figcaption>\n</figure>\n"
    ).format(text(heard), drawn or Markup(drawing.svg), title, caption, file)  # noqa: S704 - drawn by us


# What moves coefficients along their curve.
