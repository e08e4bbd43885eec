"""What a page is made of: sections of blocks, which HTML, Markdown and LaTeX each render in their own way."""

from dataclasses import dataclass

from reportgen.figures import Drawing
from reportgen.report.phrases import Inline, Link, Paragraph, Text
from reportgen.report.tables import ReportTable


@dataclass(frozen=True)
class Items:
    """A list of texts."""

    items: tuple[Text, ...]
    numbered: bool = False


@dataclass(frozen=True)
class FactsBlock:
    """What is known, each with its name."""

    facts: tuple[tuple[str, Text], ...]
    id: str = ""


@dataclass(frozen=True)
class ReasonBlock:
    """What a campaign says in Markdown, such as why a unit set was chosen; `missing`: it says nothing."""

    markdown: str
    missing: bool = False


@dataclass(frozen=True)
class TableBlock:
    """A table; `label` is what those hear who hear the page, else its caption.

    `kind` is a class for its looks; links of its cells lead from the version's folder.
    """

    table: ReportTable
    label: str = ""
    kind: str = ""


@dataclass(frozen=True)
class FigureBlock:
    """A figure with what is to be said below it; a page shows it as small `panels` where it has any.

    A figure with a `narrow` form is drawn a second time for pages without much room.
    """

    drawing: Drawing
    caption: Text
    narrow: Drawing | None = None
    panels: tuple[Drawing, ...] = ()


@dataclass(frozen=True)
class FindingBlock:
    """A finding: how grave it is, what it says, what to do; of several findings as one, what `more` say."""

    severity: str
    level: str
    claim: Text
    advice: Text = ""
    more: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Beside:
    """Blocks next to each other where the page is wide enough."""

    blocks: tuple["Block", ...]


@dataclass(frozen=True)
class Details:
    """Blocks that a reader unfolds."""

    summary: str
    blocks: tuple["Block", ...]
    id: str = ""


@dataclass(frozen=True)
class RawBlock:
    """What only one of the formats can show, as a slider: HTML made by us, nothing in Markdown."""

    html: str


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it.

    `short` is its title in the list of contents, `tag` a word beside the heading, `state` how grave the
    verdict is that it gives. A section in a section has a smaller heading, and needs no id.
    """

    id: str
    title: str
    blocks: tuple["Block", ...]
    short: str = ""
    tag: str = ""
    state: str = ""


Small = Items | FactsBlock | ReasonBlock | FindingBlock | RawBlock
Block = Small | Paragraph | TableBlock | FigureBlock | Beside | Details | Section


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
