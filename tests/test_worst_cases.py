"""What sees a file's text takes no longer than the text is long, whatever stands in it.

Each case is the worst that somebody thought of for a regular expression or a loop: with 200,000 signs, what
grows with their square takes many minutes and what grows faster never ends, while the limit is of seconds.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    import re

SIGNS = 200_000
SECONDS = 10


def many(text: str, signs: int = SIGNS) -> str:
    """Return a text again and again, so many signs in all."""
    return text * (signs // len(text))


def in_bytes(expression: "re.Pattern[bytes]") -> Callable[[str], Any]:
    return lambda text: list(expression.finditer(text.encode()))


def all_of(expression: "re.Pattern[str]") -> Callable[[str], Any]:
    return lambda text: list(expression.finditer(text))


BLANKS = many(" ")
# Whose worst case alone takes a second or more.
LONG_CASES = ("nearest name", "verify: pages", "guidelines: changes")
# What sees the text, and its worst cases.
CASES: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    # brat
    "brat: equivalence": (brat.EQUIVALENCE.fullmatch, (f"*\tEquiv{many(' T100')}\t", many("*\tE T1 "))),
    "brat: event": (brat.EVENT.fullmatch, (f"E1\tA:T100{many(' B:T100')}\t", f"E1\tA:T1{many(':T1')} x")),
    "brat: relation": (brat.RELATION.fullmatch, (f"R1\tA{many(' B:T100')}\t",)),
    "brat: attribute": (brat.ATTRIBUTE.fullmatch, (f"A1\tA T{many('1')}\t", f"A1\tA T1 {BLANKS}")),
    "brat: reference": (brat.REFERENCE.fullmatch, (f"N1\tA T{many('1')}\t", f"N1\tA T1 {many('a')} \n")),
    "brat: note": (brat.NOTE.fullmatch, (f"#1\tA T{many('1')} ",)),
    "brat: mark": (brat.TEXT_BOUND.fullmatch, (f"T1\tA 1 2{many(';1 2')};", many("T"))),
    # Tokens a line
    "CoNLL: comment": (conll.COMMENT.match, (f"#{BLANKS}", f"# {many('a')}{BLANKS}", f"# a{BLANKS}b")),
    "CoNLL: document": (
        conll.NEW_DOCUMENT.fullmatch,
        (f"# newdoc ={BLANKS}", f"# newdoc{BLANKS}x", f"# newdoc id{BLANKS}x"),
    ),
    "CoNLL: columns": (conll.GLOBAL_COLUMNS.fullmatch, (f"# global.columns ={BLANKS}", f"#{BLANKS}")),
    "CoNLL: gaps": (conll.GAPS.split, (many(" a"), BLANKS)),
    "CoNLL: prefix": (conll.PREFIXED.fullmatch, (f"B-{many('-')}",)),
    # WebAnno
    "WebAnno: link": (webanno.LINK.fullmatch, (many("->1-1"), many("->1-"))),
    "WebAnno: reference": (webanno.REFERENCE.fullmatch, (f"1-1[{many('1')}", many("1-1"))),
    "WebAnno: number": (webanno.NUMBER.search, (many("[1"), many("[1]") + "x")),
    "WebAnno: parts": (lambda text: webanno.split(text, "|"), (many("\\"), many("\\|a|"))),
    # Tables
    "Excel: formula": (
        in_bytes(string_tables.FORMULA),
        (
            f"<c><f/>{BLANKS}",
            many("<c><f "),
            f"<c><f>{many('a')}",
            f"<c><f/><v>{BLANKS}",
            many("<c "),
            many("<c>"),
        ),
    ),
    "Excel: cell": (in_bytes(string_tables.CELL), (many(' r="A'), many("A1"))),
    "matrix: thousands": (confusion_matrix.THOUSANDS.fullmatch, (f"1{many(' 000')}x", f"1{many('.000')}x")),
    "matrix: fraction": (confusion_matrix.FRACTION.fullmatch, (many("1"), f"1.{many('1')}x")),
    "counts: ratings": (counts_folder.RATING.match, (many("a"), many("\\|"), f"a:{many('a')}:", many("a:"))),
    # JSON
    "JSON: escapes": (all_of(ESCAPE), (many("\\"), many("\\u0"))),
    "JSON: half letters": (HALF_LETTER.search, (many("\\ud83"), many("\\\\ud83d"))),
    "JSON: lines": (untrusted.lines_of, (f"[{many('1,')}1]", f'["{many("a")}"]', f"[{many(chr(10))}]")),
    # campaign.toml, taxonomies and scores
    "TOML: statements": (
        statement_starts,
        (
            f"a = [\n{many('1,' + chr(10))}",
            many("a = = 1\n"),
            many('"'),
            many("'"),
            f'a = """{many(chr(10))}',
            many("["),
        ),
    ),
    "TOML: keys": (
        lambda text: locate(text, [(f"k{number}",) for number in range(20_000)]),
        ("".join(f"k{number} = 1\n" for number in range(20_000)),),
    ),
    "Turtle: first line": (
        taxonomies.TURTLE.match,
        (BLANKS, many("#"), many("#\n"), many(" #\n"), many("# ")),
    ),
    "XML: first line": (taxonomies.XML.match, (BLANKS, f"<{many('a')}", f"<{many('a:')}")),
    "RDF: own name": (taxonomies._own_name, (f"{many('a')}/ b/", many("a/"), many("/"), many("#a"))),  # noqa: SLF001
    "GATE: scores": (
        taxonomies.LINE.fullmatch,
        (
            f"key={many(', response=')}",
            f"key={many(', response=', SIGNS // 2)}{many(', bdm=,x', SIGNS // 2)}",
            f"key=a, response=b, bdm={many('1')},x",
            f"key=a, response=b{many(', bdm=,')}",
        ),
    ),
    "GATE: parameters": (taxonomies.OTHERS.split, (many(", "), many(", cp"))),
    # Texts
    "sentences": (
        lambda text: sentences([text]),
        (
            many("."),
            f".{many('»')}x",
            f"a.{many('»')} x",
            f"a{many('.»')}",
            f"a.{many(' »')}x",
            f"a.{BLANKS}",
            many(". "),
            many("... "),
            many("。"),
            many("\n"),
            many("1\n"),
        ),
    ),
    # Guidelines
    "guidelines: passages": (
        lambda text: list(passages(text)),
        (f"# {BLANKS}x", f"#{BLANKS}", f"# a{many(' #')}x", f"# {many('#')} x", f"-{BLANKS}", f"1.{BLANKS}x"),
    ),
    "guidelines: changes": (
        lambda text: compare_guidelines(text, text.replace("a\n", "a\n\nb\n"), ["a b", "b"]),
        (many("a\n\n", 20_000), many("c\n\na\n\n", 20_000), many("a ", 20_000), many("# a\n", 20_000)),
    ),
    "guidelines: rule": (
        RULE.match,
        (
            f"{many('-')}x",
            f"{many('- ')}x",
            f"{many('* ')}x",
            f"{many('|-')}x",
            f"{many(' ')}x",
            f"{many('_')}x",
        ),
    ),
    "guidelines: row": (TABLE_ROW.match, (f"{many('|')}x", f"|{many('| ')}x", f"|{BLANKS}x", BLANKS)),
    "guidelines: underline": (UNDERLINE.match, (f"{many('=')}x", f"={BLANKS}x")),
    # Pages
    "pages: blanks": (
        page.page,
        (
            BLANKS,
            f"{BLANKS}x",
            many("\n "),
            many(" </td>"),
            f"<td>{many('</td ')}",
            f"{many(' ')}\n{many(' ')}x",
        ),
    ),
    "pages: Markdown": (
        escaping.HEADING.search,
        (many(" "), many("=") + "x", many("> "), many("- "), f"={BLANKS}x"),
    ),
    "pages: links": (escaping.LINK.search, (many("<a "), f"<a{BLANKS}", many('<a href="'))),
    "pages: names": (page.named, (many('class="'), many("class=a"), many("<a"), f'id="{BLANKS}')),
    "LaTeX: text": (escaping.latex, (BLANKS, many("\\"), many("--"), many("''"))),
    "BibTeX: several": (material.SEVERAL.search, (BLANKS, many(" and"), many("and"))),
    "BibTeX: person": (material.PERSON.fullmatch, (BLANKS, many("a "), many(", a"), f"a{BLANKS},")),
    "results: reading": (reading, (many("a. ", 20_000), many("a: ", 20_000), many("; "), BLANKS)),
    "results: reason": (reason, (many("a, "), many(" in "), BLANKS)),
    "LaTeX: formula": (paper._is_harmless, (many("{"), many("a_"), many("\\a"))),  # noqa: SLF001
    # Bundles
    "leaks: tags": (bundle.TAG.search, (many("<"), many("<a"), f"<a class={many('a')}", many("</a "))),
    "leaks: escapes": (bundle.ESCAPED.search, (many("\\u000"), many("\\u0000"))),
    "leaks: names": (
        bundle._Name("a b", "annotator", ("a", "b")).line_in,  # noqa: SLF001
        (many("a "), many("a____"), many("a "), many("-")),
    ),
    "verify: language": (in_bytes(LANGUAGE), (many("<html "), f"<html {many('a')}", many('<html lang="'))),
    "verify: comparison": (COMPARE.match, (f"compare/{many('.')}", f"compare/a...{many('.')}")),
    "verify: pages": (without_drawings, (many("<svg"), many("<svg></svg>"), many("</svg>"))),
    "verify: digits": (
        lambda text: rounded(text, f"{text}1.5"),
        (many("1"), many("1."), many("1e"), many("1.5e"), many("1.5")),
    ),
    # Sheets of decisions, names
    "sheets: stretch": (decisions.STRETCH.fullmatch, (BLANKS, f"1{BLANKS}x", f"1 - 1{BLANKS}x")),
    "tables: formula": (FORMULA.match, (BLANKS, many("'"), many("' "))),
    "init: version": (
        export_folder.MARKED.search,
        (f"v{many('1')}x", f"v1{many('.1')}x", many("v1"), many("_v")),
    ),
    "nearest name": (
        lambda text: did_you_mean(text, [f"{text[:90]}{number}" for number in range(20_000)]),
        (many("a"), many("a", 99), many("ab", 90)),
    ),
}


@pytest.mark.parametrize("what", slow_but(CASES, *(case for case in CASES if case not in LONG_CASES)))
def test_a_long_text_takes_as_long_as_it_is(what: str) -> None:
    see, texts = CASES[what]
    for number, text in enumerate(texts):
        with limited(SECONDS):
            try:
                see(text)
            except BadInput:
                continue
            except TooSlowError:
                pytest.fail(f"case {number} of {what}, {text[:40]!r}…, takes more than {SECONDS} seconds")
