"""What the blocks of a section give besides its page: CSV files, figures, tables for a paper."""

from dataclasses import replace

from reportgen.figures import drawing
from reportgen.figures.intervals import DotPlot
from reportgen.report.blocks import (
    Details,
    FigureBlock,
    FilesBlock,
    PaperTable,
    Section,
    TableBlock,
    drawings_in,
    paper_tables_in,
    paragraph,
    tables_in,
)
from reportgen.report.markdown_blocks import section
from reportgen.report.tables import ReportTable, plain
from reportgen.words.language import Edition, writing

WHOLE = ReportTable("t", "A table.", plain("a"), (("x",), ("y",)), file="t.csv", what="Signs.")
SHORT = replace(WHOLE, rows=WHOLE.rows[:1])


def test_a_table_that_a_section_has_anywhere_is_a_file() -> None:
    folded = Details("More", (TableBlock(WHOLE), paragraph("Words.")))
    assert tables_in([Section("s", "S", (folded,))]) == [WHOLE]
    assert tables_in([Section("s", "S", (TableBlock(replace(WHOLE, file="")),))]) == []


def test_of_a_table_that_a_page_shows_in_part_the_file_has_the_whole() -> None:
    shown, whole = TableBlock(SHORT), FilesBlock(lambda: (WHOLE, None))
    assert tables_in([whole, shown]) == tables_in([shown, whole]) == [WHOLE]


def test_what_is_only_a_file_is_on_no_page_and_is_made_when_files_are_written() -> None:
    asked: list[str] = []

    def made() -> list[ReportTable]:
        asked.append("t")
        return [WHOLE]

    own = Section("s", "S", (paragraph("Words."), FilesBlock(made)))
    assert section(own) == "## S\n\nWords.\n\n"
    assert asked == []
    assert tables_in([own]) == [WHOLE]
    assert asked == ["t"]


def test_a_figure_is_a_file_once_and_in_the_language_that_it_was_made_in() -> None:
    with writing(Edition("fr", first=False)):
        made = drawing("f", DotPlot("Titre", "", ()))
    assert made is not None
    assert made.made_in.language == "fr"
    figures = drawings_in([FigureBlock(made, ""), FilesBlock(drawings=lambda: (made, None))])
    assert figures == [made]


def test_a_table_is_in_a_paper_where_it_says_so() -> None:
    paper = PaperTable("main", WHOLE, "Words above it.", "signs")
    blocks = (TableBlock(WHOLE), TableBlock(SHORT, paper=paper), FilesBlock(paper=lambda: (paper,)))
    assert list(paper_tables_in(blocks)) == [paper, paper]
