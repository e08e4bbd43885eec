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
from reportgen.report.paper import formula, paper
from reportgen.report.view import ReportView
from reportgen.results import Results
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


SET_AS_FORMULAS = re.compile(r"\\ensuremath\{[^{}]*(?:\{[^{}]*\})?\}")


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(ORDERS_OF_TEX)).map("".join)))
@examples(40)
def test_no_text_is_an_order_opens_a_brace_or_ends_a_line(text: str) -> None:
    shown = latex(text)
    rest = SET_AS_FORMULAS.sub("", shown)
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


def test_signs_side_by_side_make_no_other_sign() -> None:
    assert latex("a--b ''c'' ,,d") == "a-{}-b '{}'c'{}' ,{},d"


def test_no_row_begins_with_what_the_line_before_would_take_for_its_own() -> None:
    assert row([latex("[2em]"), "1"]) == r"{}[2em] & 1 \\"
    assert guarded("*a").startswith("{}")
    assert guarded(" [a]").startswith("{}")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_tables_of_a_report_are_whole_and_hold_no_order_of_others(
    gene_renaming: Results, language: str
) -> None:
    text = files(gene_renaming, language)["latex/tables.tex"]
    assert set(opened(text)) == {"table", "tabular"}
    # Symbols of coefficients head columns.
    assert orders(SET_AS_FORMULAS.sub("", text)) <= KNOWN
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
    # Symbols of coefficients head columns.
    assert orders(text) <= KNOWN | {"alpha", "kappa", "pi"}
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
