"""Formulas typeset: LaTeX of the catalogue as MathML, which browsers draw without a script or a font."""

import html
import re
from functools import cache

# What formulas of the catalogue are made of. A results.json may come from anywhere: whatever else is in a
# formula, the page shows it as plain text instead.
TAGS = frozenset(
    (
        "math",
        "mfrac",
        "mi",
        "mn",
        "mo",
        "mover",
        "mroot",
        "mrow",
        "mspace",
        "msqrt",
        "mstyle",
        "msub",
        "msubsup",
        "msup",
        "mtext",
        "munder",
        "munderover",
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
        found = convert(latex).replace('display="inline"', 'displaystyle="true"', 1)
    except Exception:  # noqa: BLE001 - any of the library's many: the plain formula is there too
        return ""
    shown = REFERENCE.sub(_letter, found.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1))
    return shown if _harmless(shown) else ""


def _letter(reference: re.Match[str]) -> str:
    """Return the letter that a reference stands for, escaped where HTML needs it: it takes less room."""
    return html.escape(chr(int(reference[1], 16)))


def _harmless(text: str) -> bool:
    """Tell whether text is nothing but the elements that formulas are made of."""
    tags = [tag.casefold() for tag, _ in TAG.findall(text)]
    rest = TAG.sub("", text)
    return TAGS.issuperset(tags) and "<" not in rest and ">" not in rest
