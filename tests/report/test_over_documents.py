"""Means over documents, and tests of bias, as results.json and pages have them."""

from pathlib import Path

from reportgen.report.blocks import tables_in
from reportgen.report.page import report_html, report_markdown
from reportgen.report.sections import whole
from reportgen.report.tables import to_csv
from reportgen.report.uncertainty import over_documents
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import results

ORDINAL = '[task]\nscale = "ordinal"\ncategories = ["1", "2", "3"]\n'


def made(folder: Path, *, documents: bool) -> Results:
    """Two annotators of 24 units; in the last document only one category is used."""
    rows = [(n // 4, n, 1 + n % 3, 1 + (n + (n % 5 == 0)) % 3) for n in range(20)]
    rows += [(5, n, 2, 2) for n in range(20, 24)]
    head = "document,item,one,two" if documents else "item,one,two"
    lines = [",".join([f"d{row[0]}"] * documents + [str(each) for each in row[1:]]) for row in rows]
    return results(folder, ORDINAL, "\n".join([head, *lines]) + "\n")


def test_a_mean_over_documents_stands_beside_the_pooled_figure(tmp_path: Path) -> None:
    found = made(tmp_path, documents=True)
    macro = found.primary.macro_over_documents
    assert macro is not None
    kappa = macro["cohen_kappa"]
    assert (kappa.units, kappa.left_out) == (5, 1)
    assert kappa.interval is not None
    assert kappa.interval.low is not None
    view = ReportView(found)
    table = over_documents(found, found.primary)
    assert table is not None
    assert [row[0] for row in table.rows][:3] == ["Observed agreement", "Scott's pi", "Cohen's kappa"]
    assert to_csv(table).splitlines()[0].startswith("figure,mean,mean_low,mean_high")
    assert table.file in {each.file for each in tables_in(whole(view))}
    for page in (report_html(view, alone=True), report_markdown(view)):
        assert "Mean over documents beside the figure of all units pooled" in page


def test_without_documents_there_is_no_such_table(tmp_path: Path) -> None:
    found = made(tmp_path, documents=False)
    assert found.primary.macro_over_documents is None
    page = report_html(ReportView(found), alone=True)
    assert "Means over documents" not in page


def test_results_have_figures_of_numbers_and_tests_of_bias(tmp_path: Path) -> None:
    found = made(tmp_path, documents=True)
    pair = found.primary.pairs[0]
    for name in ("icc_a1", "icc_c1", "kendall_w", "finn_r[two-way]", "bangdiwala_b"):
        assert found.primary.measures[name] == pair.measures[name]
        assert pair.measures[name].value is not None
        assert name.partition("[")[0] in found.catalogue
    assert {"bhapkar", "rater_bias"} <= pair.symmetry.keys() <= found.catalogue.keys()
    page = report_html(ReportView(found), alone=True)
    assert "Rater-bias test" in page
    assert "Bhapkar&#39;s test" in page


def test_the_page_says_how_many_units_all_annotators_rated(tmp_path: Path) -> None:
    rows = [f"{n},{1 + n % 3},{1 + (n + (n % 4 == 1)) % 3},{'' if n % 4 else 1 + n % 3}" for n in range(20)]
    found = results(tmp_path, ORDINAL, "\n".join(["item,one,two,three", *rows]) + "\n")
    assert found.primary.measures["icc_a1"].units == 5
    assert found.primary.measures["icc_a1"].recomputable is not False
    page = report_html(ReportView(found), alone=True)
    assert "they are of the 5 units that all 3 gave a number" in page
