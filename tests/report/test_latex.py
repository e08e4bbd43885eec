"""LaTeX for papers: nothing from a campaign is an order, tables are whole, and a paper with them compiles."""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.catalogue import CATALOGUE
from reportgen.report.escaping import guarded, latex, row
from reportgen.report.paper import environments as set_table
from reportgen.report.paper import formula, paper
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.report.view import ReportView
from reportgen.results import Figure, Interval, Results
from reportgen.words.language import Edition, _, writing
from tests.campaigns import GENE_RENAMING, results, results_of
from tests.hostile import attack
from tests.properties import examples
from tests.report.printed_latex import (
    KNOWN,
    compiled,
    lowest_and_last_depth,
    orders,
    printed,
    without_escaped,
)
from tests.report.printed_latex import environments as opened

ORDERS_OF_TEX = [
    r"\input{/etc/passwd}",
    r"\immediate\write18{ls}",
    r"\end{table}\input x",
    "^^5cinput x",
    "% the rest is gone",
    "$x$ & y \\\\ [2em] # _ ~ {",
    "}}\\csname input\\endcsname",
    "\x00\x1b\\loop\\iftrue\\repeat",
]
MARKS = """\
[task]
categories = ["Former", "New"]
[[unit_sets]]
id = "units"
units = "items"
"""
RATINGS = "document,unit,A,B,C\n" + "".join(
    f"d{place // 4},{place},{first},{second},{third}\n"
    for place, (first, second, third) in enumerate(
        [
            ("Former", "Former", "New"),
            ("New", "New", "New"),
            ("Former", "Former", "Former"),
            ("New", "Former", "New"),
        ]
        * 8
    )
)


@pytest.fixture(scope="module")
def gene_renaming() -> Results:
    return results_of(GENE_RENAMING)


def files(found: Results, language: str = "en") -> dict[str, str]:
    with writing(Edition(language)):
        return dict(paper(ReportView(found)))


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Cf"]), max_size=40))
@examples(40)
def test_escaped_text_prints_as_it_was_written(text: str) -> None:
    math = {"±", "·", "×", "÷", "¬", "°", "²", "³", "¹"}
    kept = "".join(each for each in text if each not in math)
    assert printed(latex(kept)) == re.sub(" +", " ", unicodedata.normalize("NFC", kept))


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(ORDERS_OF_TEX)).map("".join)))
@examples(40)
def test_no_text_is_an_order_opens_a_brace_or_ends_a_line(text: str) -> None:
    shown = latex(text)
    rest = re.sub(r"\\ensuremath\{[^{}]*(?:\{[^{}]*\})?\}", "", shown)
    assert lowest_and_last_depth(without_escaped(shown)) == (0, 0)
    assert not re.search(r"(?<!\\)[$&#_%^]", re.sub(r"\\[$&#_%]", "", rest))
    assert orders(rest) <= KNOWN - {"begin", "end", "cite", "usepackage", "(", ")", "\\"}
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", shown)


@pytest.mark.parametrize("text", ORDERS_OF_TEX)
def test_what_tex_would_run_is_printed(text: str) -> None:
    seen = "".join(each for each in text if each.isprintable())
    assert printed(latex(text)) == seen


def test_greek_and_mathematical_letters_are_set_as_formulas_and_others_stay() -> None:
    assert latex("α ≤ Σ") == r"\ensuremath{\alpha} \ensuremath{\leq} \ensuremath{\Sigma}"
    assert latex("χ² − 1") == r"\ensuremath{\chi}\ensuremath{^{2}} \ensuremath{-} 1"
    assert (
        latex("\N{MATHEMATICAL ITALIC SMALL X} Ω \N{GREEK CAPITAL LETTER ALPHA}")
        == r"\ensuremath{x} \ensuremath{\Omega} \ensuremath{\mathrm{A}}"
    )
    assert latex("é ł 中文 עברית") == "é ł 中文 עברית"


def test_spaces_before_french_signs_stay_and_those_of_numbers_are_thin() -> None:
    assert latex("0,5\u202f; «\u00a0a\u00a0» 19\u202f054") == r"0,5~; «~a~» 19\,054"


def test_signs_side_by_side_make_no_other_sign() -> None:
    assert latex("a--b ''c'' ,,d") == "a-{}-b '{}'c'{}' ,{},d"


def test_no_row_begins_with_what_the_line_before_would_take_for_its_own() -> None:
    assert row([latex("[2em]"), "1"]) == r"{}[2em] & 1 \\"
    assert guarded("*a").startswith("{}")
    assert guarded(" [a]").startswith("{}")


def made(columns: Sequence[TableColumn], rows: int) -> ReportTable:
    cells: dict[str, Cell] = {
        "text": "label",
        "count": 12,
        "estimate": Figure(value=0.8, interval=Interval(low=0.7, high=0.9)),
    }
    return ReportTable(
        "t", "", tuple(columns), tuple(tuple(cells[each.kind] for each in columns) for _ in range(rows))
    )


def test_values_and_intervals_stand_in_columns_of_their_own() -> None:
    text = set_table(
        made([TableColumn("a", "A"), TableColumn("b", "B", "estimate")], 2), "Caption.", ["tab:x"]
    )
    assert r"\begin{tabular}{@{}lr@{ }l@{}}" in text
    assert r"A & \multicolumn{2}{c}{B} \\" in text
    assert r"label & 0.800 & [0.700, 0.900] \\" in text
    assert text.index(r"\caption{Caption.}\label{tab:x}") < text.index(r"\toprule")


def test_a_table_too_wide_for_a_page_comes_in_parts_each_with_its_first_column() -> None:
    wide = [TableColumn("a", "A"), *(TableColumn(f"b{place}", f"B{place}", "estimate") for place in range(8))]
    text = set_table(made(wide, 3), "Caption.", ["tab:x"])
    assert opened(text).count("table") >= 2
    assert text.count(r"\label{tab:x}") == 1
    assert r"\caption{Caption. Part 2 of" in text
    assert all(f"{{B{place}}}" in text for place in range(8))
    assert text.count("label & ") == 3 * opened(text).count("table")


def test_a_long_table_runs_over_pages_with_its_head_on_each() -> None:
    text = set_table(made([TableColumn("a", "A"), TableColumn("b", "B", "count")], 60), "Caption.", ["tab:x"])
    assert opened(text) == ["longtable"]
    assert text.count(r"A & B \\") == 2


def test_the_margin_of_a_matrix_stands_below_a_rule() -> None:
    matrix = ReportTable(
        "t", "", (TableColumn("a", "A"), TableColumn("b", "B", "count")), (("x", 1), ("Total", 1)), total=True
    )
    assert "\\midrule\nTotal & 1" in set_table(matrix, "", ["tab:x"])


def test_words_too_long_for_a_column_may_be_broken() -> None:
    text = set_table(ReportTable("t", "", (TableColumn("a", "A"),), (("x" * 60,),)), "", ["tab:x"])
    assert r"p{15em}" in text
    assert r"x\hspace{0pt}x" in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_tables_of_a_report_are_whole_and_hold_no_order_of_others(
    gene_renaming: Results, language: str
) -> None:
    text = files(gene_renaming, language)["latex/tables.tex"]
    assert set(opened(text)) == {"table", "tabular"}
    assert orders(text) <= KNOWN
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(labels) == len(set(labels)) == text.count(r"\caption{")
    assert all(re.fullmatch("tab:[a-z0-9-]+", each) for each in labels)
    numbers = r"Former & 71 & 13 & 23 & 107 \\"
    assert numbers in text
    assert (
        r"Kappa de Cohen & 0,801 & [0,755~; 0,840]" if language == "fr" else "0.801 & [0.755, 0.840]"
    ) in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_methods_cite_what_stands_in_the_references(gene_renaming: Results, language: str) -> None:
    found = files(gene_renaming, language)
    text = found["latex/methods.tex"]
    cited = {key.strip() for keys in re.findall(r"\\cite\{([^}]*)\}", text) for key in keys.split(",")}
    entries = set(re.findall(r"^@\w+\{([^,]*),$", found["latex/references.bib"], re.MULTILINE))
    assert cited == entries
    assert {"cohen1960", "artstein2008", "fort2010", "gene-renaming-1-0-agreement"} <= cited
    assert ("95~\\%" if language == "fr" else "95\\%") in " ".join(text.split())


def test_every_formula_of_the_catalogue_is_typeset_in_both_languages() -> None:
    for language in ("en", "fr"):
        with writing(Edition(language)):
            shown = [formula(_(each.latex), each.formula) for each in CATALOGUE]
        assert all(each.startswith(r"\(") for each in shown)


@pytest.mark.parametrize(
    "hostile",
    [
        r"x = \input{a}",
        r"x = \text{a}}",
        "x = a$b",
        r"x = \\a",
        "x = a%b",
        "x = ^^5c",
        r"x = \mathrm",
        "x = }{",
    ],
)
def test_a_formula_that_is_none_of_ours_is_printed_in_plain_text(hostile: str) -> None:
    assert formula(hostile, "plain & simple") in (r"plain \& simple", rf"\({hostile}\)")
    assert formula(hostile, "plain") == "plain" or hostile == r"x = \mathrm"


def test_the_files_are_the_same_whenever_they_are_made(gene_renaming: Results) -> None:
    assert files(gene_renaming) == files(gene_renaming)


def of_layers(folder: Path, layers: Sequence[str]) -> Results:
    """Return results of layers that are columns of one table, by the same two annotators."""
    toml = "".join(f'[[layers]]\nid = "l{place}"\nsource = "{name}"\n' for place, name in enumerate(layers))
    head = ",".join(("document", "unit", "annotator", *layers))
    rows = [
        f"d{place % 8},{place},{who}," + ",".join("xy"[(place * (who == "A") + 1) // 3 % 2] for _ in layers)
        for place in range(24)
        for who in "AB"
    ]
    return results(folder, toml, "\n".join((head, *rows, "")))


@pytest.mark.slow
def test_no_more_tables_wait_for_their_place_than_tex_keeps(tmp_path: Path) -> None:
    text = files(of_layers(tmp_path, [f"column{place}" for place in range(9)]))["latex/tables.tex"]
    waiting = [part.count(r"\begin{table}") for part in text.split(r"\clearpage")]
    assert sum(waiting) > 18
    assert max(waiting) == 12


def test_references_of_the_documentation_lead_to_the_first_of_several_layers(tmp_path: Path) -> None:
    text = files(of_layers(tmp_path, ["sense", "mood"]))["latex/tables.tex"]
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(labels) == len(set(labels))
    assert {"tab:agreement-coefficients", "tab:agreement-coefficients-l0"} <= set(labels)
    (caption,) = [line for line in text.splitlines() if r"\label{tab:agreement-coefficients}" in line]
    assert "Layer l0." in caption


def test_scripts_that_pdflatex_does_not_set_are_named_with_the_engines_that_do(tmp_path: Path) -> None:
    export = "document,unit,A,B\n" + "".join(
        f"d{n % 8},{n},{'שלום' if n % 2 else '中文'},שלום\n" for n in range(16)
    )
    head = files(results(tmp_path, "", export))["latex/tables.tex"].split("\n\n")[0]
    assert (
        "letters of CJK, Hebrew here, which pdfLaTeX does not set: compile with LuaLaTeX or XeLaTeX" in head
    )


def test_a_report_in_latin_letters_asks_for_no_other_engine(gene_renaming: Results) -> None:
    assert "which pdfLaTeX does not set" not in files(gene_renaming, "fr")["latex/tables.tex"]


@pytest.mark.slow
def test_a_paper_with_very_many_tables_compiles_with_the_references_of_the_documentation(
    tmp_path: Path,
) -> None:
    found = of_layers(tmp_path, [f"column{place}" for place in range(24)])
    log = compile_all(found, "en", tmp_path, r"Table~\ref{tab:agreement-coefficients}.")
    assert "undefined" not in log.lower()
    assert "unprocessed" not in log


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_paper_with_the_files_of_two_annotators_compiles(
    gene_renaming: Results, language: str, tmp_path: Path
) -> None:
    log = compile_all(gene_renaming, language, tmp_path)
    assert not re.search(r"Overfull \\hbox \(([2-9]\d|\d{3,})", log)


@pytest.mark.slow
def test_a_paper_with_the_files_of_three_annotators_compiles(tmp_path: Path) -> None:
    found = results(tmp_path, MARKS, RATINGS)
    assert "tab:agreement-pairs" in files(found)["latex/tables.tex"]
    assert "undefined" not in compile_all(found, "en", tmp_path).lower()


@pytest.mark.slow
def test_a_paper_with_a_hostile_campaign_compiles_and_runs_nothing(tmp_path: Path) -> None:
    name = "".join(each for each in attack("x") if ord(each) < 0x2000 and not 0x590 <= ord(each) < 0x600)
    label = f"{' '.join(ORDERS_OF_TEX[:-1])} {name}".replace('"', "'").replace("\\", "\\\\")
    toml = f'[task]\ncategories = ["[1] {label}", "*b"]\n[[unit_sets]]\nid = "units"\nunits = "items"\n'
    shown = label.replace("\\\\", "\\")
    export = "document,unit,A,B\n" + "".join(
        f'd{place % 5},{place},"[1] {shown}","{"*b" if place % 3 else f"[1] {shown}"}"\n'
        for place in range(30)
    )
    found = results(tmp_path, toml, export)
    assert shown.split(" ")[0] in str(found.primary.categories)
    text = files(found)["latex/tables.tex"]
    assert orders(text) <= KNOWN
    before = {path for path in tmp_path.parent.rglob("*") if path.parent != tmp_path}
    log = compile_all(found, "en", tmp_path)
    assert {path for path in tmp_path.parent.rglob("*") if path.parent != tmp_path} == before
    assert {path.stem for path in tmp_path.iterdir()} == {
        "campaign",
        "methods",
        "paper",
        "references",
        "tables",
    }
    assert "passwd" not in "".join(re.findall(r"\(([^\s()]+)", log))


def compile_all(found: Results, language: str, folder: Path, said: str = "") -> str:
    for name, text in files(found, language).items():
        (folder / Path(name).name).write_text(text, encoding="utf-8")
    log = compiled(folder, language, said)
    assert "Citation" not in log
    assert "multiply" not in log
    return log
