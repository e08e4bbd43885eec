"""The catalogue as text: docs/measures.md, and what `reportgen explain` prints."""

import html
import re
from collections.abc import Iterator, Mapping
from functools import cache

from reportgen.report.escaping import escape_markdown
from reportgen.results import Definition, Entry

HEAD = """# The measures

Every figure of a report by its id, as `reportgen explain` prints it; this page is its `--markdown`. Formulas
follow Artstein and Poesio (2008): A_o and A_e are observed and expected agreement, D_o and D_e disagreement.
n is the number of units, q that of categories, c that of annotators, r_i the ratings of a unit and n_ik those
of them that are the category k. Of two annotators, n_jk is how many units the first gave j and the second k;
in a table of two categories a and d are the agreements, b and c the disagreements. On a scale of sets q
counts different sets, as wholes, that are declared (a label by itself is one) or used; specific agreement and
figures against the rest are there of each label, chosen or not.

What other libraries return was run, or read in their source, in November 2026.
"""
IN_BRACKETS = """## In brackets

A bare name is the nominal figure. Brackets say what a figure was weighted with, or how marks were matched.
"""
# What labels say already.
SAID = ("Take it ", "Take them ", "Take a table ", "Not ")


def entry_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what an entry says, each with its label, but for the formula and what other libraries return."""
    if isinstance(entry, Definition):
        yield "Chance", f"{entry.chance}."
        yield "Assumes", entry.assumptions
        yield "Annotators", f"{entry.annotators}; counted are {entry.missing}."
    yield "Take it", _after(entry.use)
    yield "Not", _after(entry.avoid)
    if entry.works:
        yield "Source", "; ".join(cited(work.citation, work.doi) for work in entry.works) + "."


def cited(citation: str, doi: str) -> str:
    """Return a publication with its DOI, where it has one."""
    return f"{citation}, doi:{doi}" if doi else citation


def _after(sentence: str) -> str:
    """Return a sentence without the words that its label says already."""
    label = next((beginning for beginning in SAID if sentence.startswith(beginning)), "")
    return sentence.removeprefix(label)


def catalogue_markdown(entries: Mapping[str, Entry]) -> str:
    """Return entries as a page in Markdown: all of them are docs/measures.md."""
    measures = {name: entry for name, entry in entries.items() if isinstance(entry, Definition)}
    parts = [HEAD]
    for family in dict.fromkeys(measure.family for measure in measures.values()):
        parts.append(f"## {family}\n")
        parts += [_markdown(name, measure) for name, measure in measures.items() if measure.family == family]
    brackets = [_markdown(name, entry) for name, entry in entries.items() if name not in measures]
    return "\n".join([*parts, *([IN_BRACKETS] if brackets else []), *brackets])


def _markdown(name: str, entry: Entry) -> str:
    symbol = f", {entry.symbol}" if isinstance(entry, Definition) else ""
    lines = [
        f"### {escape_markdown(entry.name)} (`{name}`{escape_markdown(symbol)})",
        "",
        escape_markdown(entry.answers),
        "",
        "```text",
        entry.formula,
        "```",
        "",
        *(f"- {label}: {escape_markdown(text)}" for label, text in entry_fields(entry)),
    ]
    if entry.elsewhere:
        lines.append("- Elsewhere:")
        lines += [
            f"  - {escape_markdown(f'{variant.library}: {variant.returns}')}." for variant in entry.elsewhere
        ]
    return "\n".join([*lines, ""])


# Formulas typeset: LaTeX of the catalogue as MathML, which browsers draw without a script or a font.

# What formulas of the catalogue are made of. A results.json may come from anywhere: whatever else is in a
# formula, the page shows it as plain text instead.
TAGS = frozenset(
    (
        *("math", "mfrac", "mi", "mn", "mo", "mover", "mroot", "mrow", "mspace", "msqrt"),
        *("mstyle", "msub", "msubsup", "msup", "mtext", "munder", "munderover"),
    )
)
TAG = re.compile(r"</?([a-zA-Z]\w*)((?:\s+[a-z]+=\"[\w.%#-]*\")*)\s*/?>")
REFERENCE = re.compile(r"&#x([0-9A-Fa-f]+);")
LONGEST = 1000


@cache
def mathml(latex: str) -> str:
    """Return the MathML of a formula for a page; empty where it can't be had, or is none of ours."""
    from latex2mathml.converter import convert

    if not latex or len(latex) > LONGEST:
        return ""
    try:
        mathml_text = convert(latex).replace('display="inline"', 'displaystyle="true"', 1)
    except Exception:  # noqa: BLE001 - any of the library's many: the plain formula is there too
        return ""
    shown = REFERENCE.sub(_letter, mathml_text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1))
    return shown if _harmless(shown) else ""


def _letter(reference: re.Match[str]) -> str:
    """Return the letter that a reference names, escaped where HTML needs it: it takes less room."""
    return html.escape(chr(int(reference[1], 16)))


def _harmless(text: str) -> bool:
    """Tell whether text is nothing but the elements that formulas are made of."""
    tags = [tag.casefold() for tag, _ in TAG.findall(text)]
    text_between = TAG.sub("", text)
    return TAGS.issuperset(tags) and "<" not in text_between and ">" not in text_between
