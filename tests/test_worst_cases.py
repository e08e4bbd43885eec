"""What sees a file's text takes no longer than the text is long, whatever stands in it.

Each case is the worst that somebody thought of for a regular expression or a loop: with 200,000 signs, what
grows with their square takes many minutes and what grows faster never ends, while the limit is of seconds.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from reportgen.base.errors import BadInput, did_you_mean
from reportgen.base.files import FORMULA
from reportgen.campaign import taxonomies
from reportgen.campaign.load import locate, statement_starts
from reportgen.measures.annotators import decisions
from reportgen.pipeline import export_folder
from reportgen.publish import bundle
from reportgen.publish.verify.differences import rounded
from reportgen.publish.verify.file_tree import LANGUAGE
from reportgen.publish.verify.folders import COMPARE, without_drawings
from reportgen.readers import brat, confusion_matrix, conll, counts_folder, string_tables, untrusted, webanno
from reportgen.readers.untrusted import ESCAPE, HALF_LETTER
from reportgen.report import escaping, material, page, paper
from reportgen.units.segmentation import sentences
from reportgen.versions.guidelines_documents import RULE, TABLE_ROW, UNDERLINE, compare_guidelines, passages
from reportgen.words.names import reading, reason
from tests.readers.mutations import TooSlowError, limited
from tests.slowly import slow_but

SIGNS = 200_000
SECONDS = 10


def many(text: str, signs: int = SIGNS) -> str:
    """Return a text again and again, so many signs in all."""
    return text * (signs // len(text))


def in_bytes(expression: re.Pattern[bytes]) -> Callable[[str], Any]:
    return lambda text: list(expression.finditer(text.encode()))


def all_of(expression: re.Pattern[str]) -> Callable[[str], Any]:
    return lambda text: list(expression.finditer(text))


# Whose worst case alone takes a second or more.
LONG_CASES = ("nearest name", "verify: pages", "guidelines: changes")
# What sees the text, and its worst cases; what is between ⟪ and ⟫ is there again and again.
CASES: dict[str, tuple[Any, ...]] = {
    # brat
    "brat: equivalence": (brat.EQUIVALENCE.fullmatch, "*\tEquiv⟪ T100⟫\t", "⟪*\tE T1 ⟫"),
    "brat: event": (brat.EVENT.fullmatch, "E1\tA:T100⟪ B:T100⟫\t", "E1\tA:T1⟪:T1⟫ x"),
    "brat: relation": (brat.RELATION.fullmatch, "R1\tA⟪ B:T100⟫\t"),
    "brat: attribute": (brat.ATTRIBUTE.fullmatch, "A1\tA T⟪1⟫\t", "A1\tA T1 ⟪ ⟫"),
    "brat: reference": (brat.REFERENCE.fullmatch, "N1\tA T⟪1⟫\t", "N1\tA T1 ⟪a⟫ \n"),
    "brat: note": (brat.NOTE.fullmatch, "#1\tA T⟪1⟫ "),
    "brat: mark": (brat.TEXT_BOUND.fullmatch, "T1\tA 1 2⟪;1 2⟫;", "⟪T⟫"),
    # Tokens a line
    "CoNLL: comment": (conll.COMMENT.match, "#⟪ ⟫", "# ⟪a⟫⟪ ⟫", "# a⟪ ⟫b"),
    "CoNLL: document": (conll.NEW_DOCUMENT.fullmatch, "# newdoc =⟪ ⟫", "# newdoc⟪ ⟫x", "# newdoc id⟪ ⟫x"),
    "CoNLL: columns": (conll.GLOBAL_COLUMNS.fullmatch, "# global.columns =⟪ ⟫", "#⟪ ⟫"),
    "CoNLL: gaps": (conll.GAPS.split, "⟪ a⟫", "⟪ ⟫"),
    "CoNLL: prefix": (conll.PREFIXED.fullmatch, "B-⟪-⟫"),
    # WebAnno
    "WebAnno: link": (webanno.LINK.fullmatch, "⟪->1-1⟫", "⟪->1-⟫"),
    "WebAnno: reference": (webanno.REFERENCE.fullmatch, "1-1[⟪1⟫", "⟪1-1⟫"),
    "WebAnno: number": (webanno.NUMBER.search, "⟪[1⟫", "⟪[1]⟫x"),
    "WebAnno: parts": (lambda text: webanno.split(text, "|"), "⟪\\⟫", "⟪\\|a|⟫"),
    # Tables
    "Excel: formula": (
        in_bytes(string_tables.FORMULA),
        "<c><f/>⟪ ⟫",
        "⟪<c><f ⟫",
        "<c><f>⟪a⟫",
        "<c><f/><v>⟪ ⟫",
        "⟪<c ⟫",
        "⟪<c>⟫",
    ),
    "Excel: cell": (in_bytes(string_tables.CELL), '⟪ r="A⟫', "⟪A1⟫"),
    "matrix: thousands": (confusion_matrix.THOUSANDS.fullmatch, "1⟪ 000⟫x", "1⟪.000⟫x"),
    "matrix: fraction": (confusion_matrix.FRACTION.fullmatch, "⟪1⟫", "1.⟪1⟫x"),
    "counts: ratings": (counts_folder.RATING.match, "⟪a⟫", "⟪\\|⟫", "a:⟪a⟫:", "⟪a:⟫"),
    # JSON
    "JSON: escapes": (all_of(ESCAPE), "⟪\\⟫", "⟪\\u0⟫"),
    "JSON: half letters": (HALF_LETTER.search, "⟪\\ud83⟫", "⟪\\\\ud83d⟫"),
    "JSON: lines": (untrusted.lines_of, "[⟪1,⟫1]", '["⟪a⟫"]', "[⟪\n⟫]"),
    # campaign.toml, taxonomies and scores
    "TOML: statements": (
        statement_starts,
        "a = [\n⟪1,\n⟫",
        "⟪a = = 1\n⟫",
        '⟪"⟫',
        "⟪'⟫",
        'a = """⟪\n⟫',
        "⟪[⟫",
    ),
    "TOML: keys": (
        lambda text: locate(text, [(f"k{number}",) for number in range(20_000)]),
        "".join(f"k{number} = 1\n" for number in range(20_000)),
    ),
    "Turtle: first line": (taxonomies.TURTLE.match, "⟪ ⟫", "⟪#⟫", "⟪#\n⟫", "⟪ #\n⟫", "⟪# ⟫"),
    "XML: first line": (taxonomies.XML.match, "⟪ ⟫", "<⟪a⟫", "<⟪a:⟫"),
    "RDF: own name": (taxonomies._own_name, "⟪a⟫/ b/", "⟪a/⟫", "⟪/⟫", "⟪#a⟫"),  # noqa: SLF001
    "GATE: scores": (
        taxonomies.LINE.fullmatch,
        "key=⟪, response=⟫",
        f"key={many(', response=', SIGNS // 2)}{many(', bdm=,x', SIGNS // 2)}",
        "key=a, response=b, bdm=⟪1⟫,x",
        "key=a, response=b⟪, bdm=,⟫",
    ),
    "GATE: parameters": (taxonomies.OTHERS.split, "⟪, ⟫", "⟪, cp⟫"),
    # Texts
    "sentences": (
        lambda text: sentences([text]),
        "⟪.⟫",
        ".⟪»⟫x",
        "a.⟪»⟫ x",
        "a⟪.»⟫",
        "a.⟪ »⟫x",
        "a.⟪ ⟫",
        "⟪. ⟫",
        "⟪... ⟫",
        "⟪。⟫",
        "⟪\n⟫",
        "⟪1\n⟫",
    ),
    # Guidelines
    "guidelines: passages": (
        lambda text: list(passages(text)),
        "# ⟪ ⟫x",
        "#⟪ ⟫",
        "# a⟪ #⟫x",
        "# ⟪#⟫ x",
        "-⟪ ⟫",
        "1.⟪ ⟫x",
    ),
    "guidelines: changes": (
        lambda text: compare_guidelines(text, text.replace("a\n", "a\n\nb\n"), ["a b", "b"]),
        many("a\n\n", 20_000),
        many("c\n\na\n\n", 20_000),
        many("a ", 20_000),
        many("# a\n", 20_000),
    ),
    "guidelines: rule": (RULE.match, "⟪-⟫x", "⟪- ⟫x", "⟪* ⟫x", "⟪|-⟫x", "⟪ ⟫x", "⟪_⟫x"),
    "guidelines: row": (TABLE_ROW.match, "⟪|⟫x", "|⟪| ⟫x", "|⟪ ⟫x", "⟪ ⟫"),
    "guidelines: underline": (UNDERLINE.match, "⟪=⟫x", "=⟪ ⟫x"),
    # Pages
    "pages: blanks": (page.page, "⟪ ⟫", "⟪ ⟫x", "⟪\n ⟫", "⟪ </td>⟫", "<td>⟪</td ⟫", "⟪ ⟫\n⟪ ⟫x"),
    "pages: Markdown": (escaping.HEADING.search, "⟪ ⟫", "⟪=⟫x", "⟪> ⟫", "⟪- ⟫", "=⟪ ⟫x"),
    "pages: links": (escaping.LINK.search, "⟪<a ⟫", "<a⟪ ⟫", '⟪<a href="⟫'),
    "pages: names": (page.named, '⟪class="⟫', "⟪class=a⟫", "⟪<a⟫", 'id="⟪ ⟫'),
    "LaTeX: text": (escaping.latex, "⟪ ⟫", "⟪\\⟫", "⟪--⟫", "⟪''⟫"),
    "BibTeX: several": (material.SEVERAL.search, "⟪ ⟫", "⟪ and⟫", "⟪and⟫"),
    "BibTeX: person": (material.PERSON.fullmatch, "⟪ ⟫", "⟪a ⟫", "⟪, a⟫", "a⟪ ⟫,"),
    "results: reading": (reading, many("a. ", 20_000), many("a: ", 20_000), "⟪; ⟫", "⟪ ⟫"),
    "results: reason": (reason, "⟪a, ⟫", "⟪ in ⟫", "⟪ ⟫"),
    "LaTeX: formula": (paper._is_harmless, "⟪{⟫", "⟪a_⟫", "⟪\\a⟫"),  # noqa: SLF001
    # Bundles
    "leaks: tags": (bundle.TAG.search, "⟪<⟫", "⟪<a⟫", "<a class=⟪a⟫", "⟪</a ⟫"),
    "leaks: escapes": (bundle.ESCAPED.search, "⟪\\u000⟫", "⟪\\u0000⟫"),
    "leaks: names": (bundle._Name("a b", "annotator", ("a", "b")).line_in, "⟪a ⟫", "⟪a____⟫", "⟪a ⟫", "⟪-⟫"),  # noqa: SLF001
    "verify: language": (in_bytes(LANGUAGE), "⟪<html ⟫", "<html ⟪a⟫", '⟪<html lang="⟫'),
    "verify: comparison": (COMPARE.match, "compare/⟪.⟫", "compare/a...⟪.⟫"),
    "verify: pages": (without_drawings, "⟪<svg⟫", "⟪<svg></svg>⟫", "⟪</svg>⟫"),
    "verify: digits": (lambda text: rounded(text, f"{text}1.5"), "⟪1⟫", "⟪1.⟫", "⟪1e⟫", "⟪1.5e⟫", "⟪1.5⟫"),
    # Sheets of decisions, names
    "sheets: stretch": (decisions.STRETCH.fullmatch, "⟪ ⟫", "1⟪ ⟫x", "1 - 1⟪ ⟫x"),
    "tables: formula": (FORMULA.match, "⟪ ⟫", "⟪'⟫", "⟪' ⟫"),
    "init: version": (export_folder.MARKED.search, "v⟪1⟫x", "v1⟪.1⟫x", "⟪v1⟫", "⟪_v⟫"),
    "nearest name": (
        lambda text: did_you_mean(text, [f"{text[:90]}{number}" for number in range(20_000)]),
        "⟪a⟫",
        many("a", 99),
        many("ab", 90),
    ),
}


@pytest.mark.parametrize("what", slow_but(CASES, *(case for case in CASES if case not in LONG_CASES)))
def test_a_long_text_takes_as_long_as_it_is(what: str) -> None:
    see, *texts = CASES[what]
    for number, template in enumerate(texts):
        text = re.sub("⟪(.*?)⟫", lambda found: many(found[1]), template, flags=re.DOTALL)
        with limited(SECONDS):
            try:
                see(text)
            except BadInput:
                continue
            except TooSlowError:
                pytest.fail(f"case {number} of {what}, {text[:40]!r}…, takes more than {SECONDS} seconds")
