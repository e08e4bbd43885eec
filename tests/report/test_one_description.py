"""A section is described once: what its blocks say is on the page, in Markdown, and in a paper's LaTeX."""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from reportgen.report import html_blocks, markdown_blocks
from reportgen.report.blocks import (
    Block,
    Details,
    FactsBlock,
    FigureBlock,
    File,
    Items,
    Paragraph,
    Section,
    ShortAnswers,
    TableBlock,
    Text,
    parts,
)
from reportgen.report.escaping import latex
from reportgen.report.paper import methods_tex
from reportgen.report.sections import evidence, limits_of_figures, method, what_to_do
from reportgen.report.sections.method import methods_details, methods_paragraph
from reportgen.report.tables import cell_text, table_of, without
from reportgen.report.view import ReportView
from tests.campaigns import GENE_RENAMING, results_of

IN_TEXTS = GENE_RENAMING.with_name("gene-renaming-in-texts")


def walk(blocks: Iterable[Block]) -> Iterator[Text]:
    """Yield every text that blocks hold, those inside others too."""
    for block in blocks:
        match block:
            case Section(title=title, blocks=inside) | Details(summary=title, blocks=inside):
                yield title
                yield from walk(inside)
            case TableBlock(table=table):
                kinds = [column.kind for column in table.columns]
                yield from (column.title for column in table.columns)
                for row in table.rows:
                    yield from (cell_text(*each) for each in zip(row, kinds, strict=True))
            case _:
                yield from single(block)


def single(block: Block) -> Iterator[Text]:
    """Yield the texts of a block that holds no others."""
    match block:
        case Paragraph(text=text, elsewhere=False) | FigureBlock(caption=text):
            yield text
        case Items(items=items):
            yield from items
        case ShortAnswers(answers):
            for title, answer in answers:
                yield title
                yield answer
        case FactsBlock(facts=facts):
            for name, value in facts:
                yield name
                yield from value.items if isinstance(value, Items) else (value,)


def plain(text: str) -> str:
    """Return words without marks of layout: only letters and digits can differ."""
    return re.sub(r"\W+", "", html.unescape(text))


def words(found: Iterable[Text]) -> list[str]:
    return [
        each if isinstance(each, str) else each.text
        for text in found
        for each in parts(text)
        if not isinstance(each, File)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("campaign", [GENE_RENAMING, IN_TEXTS], ids=lambda each: each.name)
def test_what_blocks_say_is_on_the_page_and_in_markdown(campaign: Path) -> None:
    view = ReportView(results_of(campaign))
    opening = [each for each in (what_to_do(view), limits_of_figures(view)) if each]
    found = [*opening, *evidence(view, alone=True, whole=True), *method(view, alone=True)]
    assert len(found) >= 10
    for section in found:
        page = html_blocks.section(section, html_blocks.Place(alone=True))
        shown = plain(re.sub(r"<(svg|math).*?</\1>|<[^>]+>", "", page, flags=re.DOTALL))
        written = plain(re.sub(r"\]\([^)\s]*\)", "]", markdown_blocks.section(section)).replace("\\", ""))
        said = [plain(each) for each in words(walk([section]))]
        assert sum(map(bool, said)) > 1, section.id
        assert [each for each in said if each not in shown] == [], section.id
        assert [each for each in said if each not in written] == [], section.id


def test_the_paragraph_on_methods_is_the_same_in_latex() -> None:
    view = ReportView(results_of(GENE_RENAMING))
    paper = plain(methods_tex(view))
    said = [plain(latex(each)) for each in words([methods_paragraph(view), methods_details(view)])]
    assert len(said) > 5
    assert [each for each in said if each not in paper] == []


def test_a_cell_without_text_that_leads_somewhere_can_be_clicked() -> None:
    table = table_of(
        "documents", "", [""], ("document", "Document", "text", str), href="documents/1.html".__add__
    )
    assert '<a href="documents/1.html">–</a>' in html_blocks.table(table, html_blocks.Place())


def test_columns_that_are_left_out_take_their_links_with_them() -> None:
    table = table_of(
        "names",
        "",
        ["Ann"],
        ("name", "Name", "text", str),
        ("count", "Count", "count", len),
        href=lambda name: f"{name}.html",
    )
    assert without(table, ["count"]).links == (("Ann.html",),)
    assert html_blocks.table(without(table, ["name"]), html_blocks.Place()).count("<a ") == 0
