"""What a page says once, says shortly, or leaves to a file; and what it never leaves unsaid."""

from pathlib import Path

from reportgen.report.tables import ReportTable, TableColumn, to_markdown, unbroken
from reportgen.report.view import ReportView
from reportgen.results import Figure, Interval, Results
from reportgen.words import numbers
from tests.campaigns import results
from tests.rendered import version_files

THREE = "document,item,a,b,c\n" + "".join(
    f"d{n // 4},{n},{'xyz'[n % 3]},{'xyz'[n % 3]},{'yyz'[n % 3] if n % 2 else 'xyz'[n % 3]}\n"
    for n in range(160)
)


def rendered(found: Results, name: str = "index.html") -> str:
    return dict(version_files(found, {}))[name]


def test_a_single_category_has_no_lowest_and_no_highest(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,a,b\n1,x,x\n2,x,x\n3,x,x\n")
    assert ReportView(found).caveat is None, "there is no figure that could come from these units"
    page = rendered(found)
    assert "1 category (x)" in page
    assert "Intervals cover" not in page, "there is none"
    reason = "because only one category was used where labels can be compared"
    for text in (page, rendered(found, "report.md")):
        assert text.count(reason) == 1, "a dash has its reason beside it"


def test_an_interval_in_markdown_needs_no_escape() -> None:
    figure = Figure(value=0.5, interval=Interval(low=0.25, high=0.75, level=0.95, method="t"))
    table = ReportTable(
        "t", "", (TableColumn("a", "A"), TableColumn("b", "B", "estimate")), (("[x]", figure),)
    )
    assert to_markdown(table).endswith("| \\[x\\] | 0.500 [0.250, 0.750] |")


def test_a_number_stands_with_the_thing_that_it_counts() -> None:
    assert numbers.counted(1, "category", "categories") == "1 category"
    assert numbers.counted(1200, "unit", "units") == "1,200 units"


def test_the_head_of_a_column_does_not_break_within_its_brackets() -> None:
    assert unbroken("Alpha [95% interval]") == "Alpha [95%\N{NO-BREAK SPACE}interval]"
    assert unbroken("tokens (4,380 units)") == "tokens (4,380\N{NO-BREAK SPACE}units)"
    long = "a category (which somebody explained at length)"
    assert unbroken(long) == long
