"""What sees a file's text takes no longer than the text is long, whatever stands in it.

Each case is the worst that somebody thought of for a regular expression or a loop: with 200,000 signs, what
grows with their square takes many minutes and what grows faster never ends, while the limit is of seconds.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from reportgen.adjudication import cells, offsets
from reportgen.campaign import locate
from reportgen.campaign.bdm import gate, rdf
from reportgen.campaign.bdm import read as bdm
from reportgen.errors import BadInput, did_you_mean
from reportgen.formats.parsing import (
    columns,
    count_kinds,
    json_lines,
    schemes,
    standoff,
    tsv3_escapes,
    tsv3_marks,
    workbooks,
)
from reportgen.formats.records import ESCAPE, HALF_LETTER
from reportgen.formats.tabular import matrix
from reportgen.release import exposed, readable
from reportgen.release.merging import card, json_text, markdown_text
from reportgen.report import bibtex, lean, markup, tex
from reportgen.report.paper import methods
from reportgen.report.patterns import reading, reason
from reportgen.revisions.guidelines import RULE, TABLE_ROW, UNDERLINE, compare_guidelines, passages
from reportgen.study.sentences import sentences
from reportgen.survey import versions
from reportgen.verifying.campaign import COMPARE
from reportgen.verifying.languages import LANGUAGE
from tests.formats.mutations import TooSlowError, limited

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
# What sees the text, and its worst cases.
CASES: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    # brat
    "brat: equivalence": (standoff.EQUIVALENCE.fullmatch, (f"*\tEquiv{many(' T100')}\t", many("*\tE T1 "))),
    "brat: event": (standoff.EVENT.fullmatch, (f"E1\tA:T100{many(' B:T100')}\t", f"E1\tA:T1{many(':T1')} x")),
    "brat: relation": (standoff.RELATION.fullmatch, (f"R1\tA{many(' B:T100')}\t",)),
    "brat: attribute": (standoff.ATTRIBUTE.fullmatch, (f"A1\tA T{many('1')}\t", f"A1\tA T1 {BLANKS}")),
    "brat: reference": (standoff.REFERENCE.fullmatch, (f"N1\tA T{many('1')}\t", f"N1\tA T1 {many('a')} \n")),
    "brat: note": (standoff.NOTE.fullmatch, (f"#1\tA T{many('1')} ",)),
    "brat: mark": (standoff.TEXT_BOUND.fullmatch, (f"T1\tA 1 2{many(';1 2')};", many("T"))),
    # Tokens a line
    "CoNLL: comment": (columns.COMMENT.match, (f"#{BLANKS}", f"# {many('a')}{BLANKS}", f"# a{BLANKS}b")),
    "CoNLL: document": (
        columns.NEW_DOCUMENT.fullmatch,
        (f"# newdoc ={BLANKS}", f"# newdoc{BLANKS}x", f"# newdoc id{BLANKS}x"),
    ),
    "CoNLL: columns": (columns.GLOBAL_COLUMNS.fullmatch, (f"# global.columns ={BLANKS}", f"#{BLANKS}")),
    "CoNLL: gaps": (columns.GAPS.split, (many(" a"), BLANKS)),
    "CoNLL: prefix": (schemes.PREFIXED.fullmatch, (f"B-{many('-')}",)),
    # WebAnno
    "WebAnno: link": (tsv3_marks.LINK.fullmatch, (many("->1-1"), many("->1-"))),
    "WebAnno: reference": (tsv3_marks.REFERENCE.fullmatch, (f"1-1[{many('1')}", many("1-1"))),
    "WebAnno: number": (tsv3_marks.NUMBER.search, (many("[1"), many("[1]") + "x")),
    "WebAnno: parts": (lambda text: tsv3_escapes.split(text, "|"), (many("\\"), many("\\|a|"))),
    # Tables
    "Excel: formula": (
        in_bytes(workbooks.FORMULA),
        (
            f"<c><f/>{BLANKS}",
            many("<c><f "),
            f"<c><f>{many('a')}",
            f"<c><f/><v>{BLANKS}",
            many("<c "),
            many("<c>"),
        ),
    ),
    "Excel: cell": (in_bytes(workbooks.CELL), (many(' r="A'), many("A1"))),
    "matrix: thousands": (matrix.THOUSANDS.fullmatch, (f"1{many(' 000')}x", f"1{many('.000')}x")),
    "matrix: fraction": (matrix.FRACTION.fullmatch, (many("1"), f"1.{many('1')}x")),
    "counts: ratings": (count_kinds.RATING.match, (many("a"), many("\\|"), f"a:{many('a')}:", many("a:"))),
    # JSON
    "JSON: escapes": (all_of(ESCAPE), (many("\\"), many("\\u0"))),
    "JSON: half letters": (HALF_LETTER.search, (many("\\ud83"), many("\\\\ud83d"))),
    "JSON: lines": (json_lines.lines_of, (f"[{many('1,')}1]", f'["{many("a")}"]', f"[{many(chr(10))}]")),
    "JSON: changes": (json_text.top, (f'{{"a":{BLANKS}1}}', f'{{"a":[{many("1,")}1]}}')),
    # campaign.toml, taxonomies and scores
    "TOML: statements": (
        locate.statement_starts,
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
        lambda text: locate.locate(text, [(f"k{number}",) for number in range(20_000)]),
        ("".join(f"k{number} = 1\n" for number in range(20_000)),),
    ),
    "Turtle: first line": (bdm.TURTLE.match, (BLANKS, many("#"), many("#\n"), many(" #\n"), many("# "))),
    "XML: first line": (bdm.XML.match, (BLANKS, f"<{many('a')}", f"<{many('a:')}")),
    "RDF: own name": (rdf._own_name, (f"{many('a')}/ b/", many("a/"), many("/"), many("#a"))),  # noqa: SLF001
    "GATE: scores": (
        gate.LINE.fullmatch,
        (
            f"key={many(', response=')}",
            f"key={many(', response=', SIGNS // 2)}{many(', bdm=,x', SIGNS // 2)}",
            f"key=a, response=b, bdm={many('1')},x",
            f"key=a, response=b{many(', bdm=,')}",
        ),
    ),
    "GATE: parameters": (gate.OTHERS.split, (many(", "), many(", cp"))),
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
        lean.page,
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
        markup.HEADING.search,
        (many(" "), many("=") + "x", many("> "), many("- "), f"={BLANKS}x"),
    ),
    "pages: links": (markup.LINK.search, (many("<a "), f"<a{BLANKS}", many('<a href="'))),
    "LaTeX: text": (tex.latex, (BLANKS, many("\\"), many("--"), many("''"))),
    "BibTeX: several": (bibtex.SEVERAL.search, (BLANKS, many(" and"), many("and"))),
    "BibTeX: person": (bibtex.PERSON.fullmatch, (BLANKS, many("a "), many(", a"), f"a{BLANKS},")),
    "results: reading": (reading, (many("a. ", 20_000), many("a: ", 20_000), many("; "), BLANKS)),
    "results: reason": (reason, (many("a, "), many(" in "), BLANKS)),
    "LaTeX: formula": (methods._is_harmless, (many("{"), many("a_"), many("\\a"))),  # noqa: SLF001
    # Bundles
    "leaks: streams": (
        lambda text: list(readable._streams(text.encode("latin-1"))),  # noqa: SLF001
        (many("x\x9c"), many("x\x9c\x03\x00\x00\x00\x00\x01"), many("\x1f\x8b\x08"), many("x\x01")),
    ),
    "leaks: tags": (readable.TAG.search, (many("<"), many("<a"), f"<a class={many('a')}", many("</a "))),
    "leaks: accents": (readable.ACCENT.search, (many("{\\"), many("\\'"), many("{\\'{\\"))),
    "leaks: escapes": (readable.ESCAPED.search, (many("\\u000"), many("\\u0000"))),
    "leaks: embedded": (readable.EMBEDDED.search, (many(";base64,"), many(";base64"))),
    "leaks: names": (
        exposed._Name("a b", "annotator", ("a", "b")).stands,  # noqa: SLF001
        (many("a "), many("a____"), many("a "), many("-")),
    ),
    "merge: headings": (
        lambda text: markdown_text.page(text).headings,
        (f"# {BLANKS}x", f"#{many(' #')}x", f"# a{BLANKS}", f"# {many('# ')}", f"#{BLANKS}\n", many("#\n")),
    ),
    "merge: optional": (markdown_text._title, (BLANKS, many(" [optional]"), many("["))),  # noqa: SLF001
    "merge: markers": (
        lambda text: markdown_text.page(text).markers("x"),
        (BLANKS, f"<!--{BLANKS}", many("<!-- x")),
    ),
    "merge: whose": (
        card.WHOSE.search,
        (many("<!-- agreement report a "), f"<!-- agreement report {many('a')}"),
    ),
    "verify: language": (in_bytes(LANGUAGE), (many("<html "), f"<html {many('a')}", many('<html lang="'))),
    "verify: comparison": (COMPARE.match, (f"compare/{many('.')}", f"compare/a...{many('.')}")),
    # Sheets of decisions, names
    "sheets: stretch": (offsets.STRETCH.fullmatch, (BLANKS, f"1{BLANKS}x", f"1 - 1{BLANKS}x")),
    "sheets: formula": (cells.FORMULA.match, (BLANKS, many("'"), many("' "))),
    "init: version": (versions.MARKED.search, (f"v{many('1')}x", f"v1{many('.1')}x", many("v1"), many("_v"))),
    "nearest name": (
        lambda text: did_you_mean(text, [f"{text[:90]}{number}" for number in range(20_000)]),
        (many("a"), many("a", 99), many("ab", 90)),
    ),
}


@pytest.mark.parametrize("what", CASES)
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
