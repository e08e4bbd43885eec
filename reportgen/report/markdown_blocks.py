"""Blocks as Markdown: the same words, tables and links as on the page; figures are links to their files."""

from collections.abc import Iterable

from reportgen.report import escaping
from reportgen.report.blocks import (
    Block,
    CampaignPage,
    Cited,
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
    SectionPage,
    ShortAnswers,
    Strong,
    Styled,
    TableBlock,
    Text,
    parts,
)
from reportgen.report.tables import to_markdown
from reportgen.words import language
from reportgen.words.language import say


def inline(words: Text) -> str:
    """Return a text on one line, every sign that Markdown would read escaped."""
    return "".join(map(_inline, parts(words)))


def _inline(part: Inline) -> str:
    match part:
        case str():
            return _escaped(part)
        case Link(words, href):
            # Anchors are those of the page, which Markdown does not have.
            return _escaped(words) if href.startswith("#") else f"[{_escaped(words)}]({_address(href)})"
        case File(name, words):
            return f"[{_escaped(words)}]({language.edition().data}tables/{_address(name)})"
        case Strong(words) | InsertedWords(words):
            return f"**{_escaped(words)}**"
        case Removed(words):
            return f"~~{_escaped(words)}~~"
        case Styled(words) | Cited(words):
            return _escaped(words)


def _escaped(words: str) -> str:
    return escaping.escape_markdown(language.printable(words))


def _address(href: str) -> str:
    from urllib.parse import quote

    return quote(href, safe="/:#?=&~.")


def campaign_page(page: CampaignPage) -> str:
    """Return a page of a campaign, its first section before all else."""
    first, *others = page.sections
    shown = blocks((first, Paragraph(page.lead), *others), 2)
    return f"# {_escaped(page.title)}\n\n{shown}".rstrip() + "\n"


def section_page(page: SectionPage) -> str:
    """Return a page behind the report, its lead before all else."""
    return f"# {_escaped(page.title)}\n\n{_escaped(page.lead)}\n\n{blocks(page.blocks, 2)}".rstrip() + "\n"


def section(block: Section, level: int = 2) -> str:
    """Return a section with its heading."""
    tag = f" ({_escaped(block.tag)})" if block.tag else ""
    return f"{'#' * level} {_escaped(block.title)}{tag}\n\n{blocks(block.blocks, level + 1)}"


def blocks(content: Iterable[Block], level: int = 3) -> str:
    """Return blocks with a blank line after each; what Markdown can't show is left out."""
    return "".join(f"{markdown}\n\n" for block in content if (markdown := _block(block, level).strip()))


def _block(block: Block, level: int) -> str:
    match block:
        case Paragraph(words, elsewhere=elsewhere):
            return "" if elsewhere else inline(words)
        case Section():
            return section(block, level)
        case TableBlock(table):
            caption = f"{_escaped(table.caption)}\n\n" if table.caption else ""
            return f"{caption}{to_markdown(table)}"
        case FigureBlock(drawing, words):
            what = _escaped(say("Figure: {caption}", caption=drawing.title or "SVG"))
            return f"[{what}](figures/{_address(drawing.name)}.svg) {inline(words)}"
        case Details(summary, inside):
            return f"**{_escaped(summary)}**\n\n{blocks(inside, level)}"
        case ShortAnswers(answers):
            return "\n".join(
                f"- **{_escaped(title)}{'' if title.endswith('?') else '.'}** {inline(words)}"
                for title, words in answers
            )
        case Items(items, numbered):
            return "\n".join(f"{'1.' if numbered else '-'} {inline(item)}" for item in items)
        case _:
            return _simple_block(block)


def _fact(name: str, value: Text | Items) -> str:
    """Return what is known of something behind its name, below it where these are several texts."""
    if isinstance(value, Items):
        return inline(name) + "".join(f"\n  - {inline(item)}" for item in value.items)
    return f"{inline(say('{name}: ', name=name))}{inline(value)}"


def _simple_block(block: FactsBlock | FilesBlock | ReasonBlock | RawBlock) -> str:
    match block:
        case FactsBlock(facts):
            return "\n".join(f"- {_fact(name, value)}" for name, value in facts)
        case ReasonBlock(markdown, missing=False):
            return escaping.to_markdown(markdown)
        case ReasonBlock(words):
            return _escaped(words)
        case RawBlock() | FilesBlock():
            return ""
