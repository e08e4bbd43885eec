"""Tables in Markdown: read as they are, in a terminal, their columns stand below each other."""

from markdown_it import MarkdownIt

from reportgen.report.escaping import escape_markdown
from reportgen.report.tables import ReportTable, TableColumn, to_markdown


def test_columns_stand_below_each_other_and_numbers_at_their_right() -> None:
    columns = (TableColumn("a", "A"), TableColumn("b", "Long head", "count"))
    table = ReportTable("t", "", columns, (("x", 1), ("label", 12345)))
    assert to_markdown(table).splitlines() == [
        "| A     | Long head |",
        "| :---- | --------: |",
        "| x     |         1 |",
        "| label |    12,345 |",
    ]


def test_signs_that_are_wide_in_a_terminal_count_twice_and_accents_nothing() -> None:
    table = ReportTable("t", "", (TableColumn("a", "Head"),), (("中文",), ("e\u0301",)))
    assert to_markdown(table).splitlines()[2:] == ["| 中文 |", "| e\u0301    |"]


def test_a_column_of_long_texts_is_not_filled_up() -> None:
    table = ReportTable(
        "t", "", (TableColumn("a", "A"), TableColumn("b", "B")), (("x" * 60, "1"), ("y", "2"))
    )
    assert to_markdown(table).splitlines()[3] == "| y   | 2   |"


def test_a_table_is_rendered_as_one() -> None:
    table = ReportTable("t", "", (TableColumn("a", "A|B"), TableColumn("b", "B", "count")), (("x | y", 1),))
    html = MarkdownIt("commonmark").enable("table").render(to_markdown(table))
    assert "<th>A|B</th>" in html.replace(' style="text-align:left"', "")
    assert html.count("<td") == 2


def test_an_ampersand_stays_where_it_can_be_no_reference() -> None:
    assert escape_markdown("Quality & Quantity") == "Quality & Quantity"
    assert escape_markdown("a&lt;b &#60; c&") == "a&amp;lt;b &amp;\\#60; c&amp;"


def test_a_figure_that_is_nearly_one_is_written_as_on_the_page_and_no_text_becomes_an_element() -> None:
    columns = (TableColumn("a", "A"), TableColumn("b", "B", "figure"))
    table = ReportTable("t", "", columns, (("<b> > &gt;", 0.99999),))
    assert to_markdown(table).splitlines()[2].split(" | ") == ["| &lt;b> > &amp;gt;", "> 0.999 |"]
