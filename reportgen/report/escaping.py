"""Text from a campaign, which is hostile, made safe for HTML and for Markdown; formulas as MathML."""

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import cache

ALLOWED = frozenset(re.findall(r"\w+", "a blockquote br code em h4 h5 h6 hr li ol p pre strong sub sup ul"))
SCHEMES = frozenset(("http", "https", "mailto"))
# What makes a line a heading, or the line above it one.
HEADING = re.compile(r"^([ \t>]*)(#|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
SPECIAL = re.compile(r"([\\`*_\[\]|~#$])")
# What Markdown may take for the name of a sign.
REFERENCE = re.compile(r"&(?=[#\w]|$)")
# Where a link leads to another file of the site, and not to a place on its own page or out of the site.
LINK = re.compile(r'(<a\b[^<>]*\bhref=")(?![#/?]|[A-Za-z][A-Za-z0-9+.-]*:)')


def to_html(markdown: str) -> str:
    """Return the HTML of a campaign's Markdown, without scripts, images, styles or any outside resource.

    It is read as CommonMark, as the places are where people read it too: their repository, a dataset card.
    """
    import nh3
    from markdown_it import MarkdownIt

    rendered = MarkdownIt("commonmark").render(markdown).removesuffix("\n")
    return nh3.clean(rendered, tags=set(ALLOWED), attributes={"a": {"href"}}, url_schemes=set(SCHEMES))


def to_markdown(markdown: str) -> str:
    """Return a campaign's Markdown without HTML, links, images and headings, for a Markdown report."""
    plain = markdown.strip().replace("&", "&amp;").replace("<", "&lt;")
    return HEADING.sub(r"\1\\\2", plain.replace("[", "\\[").replace("]", "\\]"))


def climbing(html: str) -> str:
    """Return a stretch of a page whose links from the folder of a version lead from a folder in it."""
    return LINK.sub(r"\1../", html)


def escape_markdown(text: str) -> str:
    """Return plain text so that Markdown shows it as it is, on one line."""
    one_line = re.sub(r"\s+", " ", text)
    return SPECIAL.sub(r"\\\1", REFERENCE.sub("&amp;", one_line)).replace("<", "&lt;").replace(">", "&gt;")


# Text that comes from a campaign, made harmless for LaTeX and for the fields of BibTeX.
#
# What LaTeX reads as an order is written as the order to print it, so that no label can run one. Letters of
# other scripts stay as they are, in UTF-8; LuaLaTeX and XeLaTeX set them where they have a font for them.

# `\char34` is the sign itself: some languages of babel make a quotation mark an order.
SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\char34{}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{THIN SPACE}": r"\,",
    "\N{SOFT HYPHEN}": r"\-",
} | {sign: f"\\{sign}" for sign in "{}$&#_%"}
# BibTeX counts braces whether or not a backslash is before them.
BRACES = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}"}
# The orders of LaTeX that a formula of the catalogue may have, each behind its sign.
MATHEMATICAL = {
    **dict(
        sign_and_order.split()
        for line in (
            r"− -, ± \pm, × \times, ÷ \div, · \cdot, ≤ \leq, ≥ \geq, ≠ \neq, ≈ \approx, ∞ \infty",
            r"∈ \in, ∉ \notin, ∩ \cap, ∪ \cup, ⊂ \subset, ⊆ \subseteq, ∅ \emptyset, ∆ \Delta, △ \triangle",
            r"∑ \sum, ∏ \prod, √ \surd, → \rightarrow, ← \leftarrow, ↔ \leftrightarrow, ⇒ \Rightarrow",
            r"¬ \neg, ∧ \wedge, ∀ \forall, ∃ \exists, ° ^{\circ}, ⁺ ^{+}, ⁻ ^{-}",
        )
        for sign_and_order in line.split(", ")
    ),
    "\N{LOGICAL OR}": r"\vee",
    "\N{SCRIPT SMALL L}": r"\ell",
    "\N{PRIME}": "'",
    **{sign: f"^{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"_{{{digit}}}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}
# The names that LaTeX has for letters of Greek; it has none for those that look like Latin ones.
GREEK = frozenset(
    re.findall(
        "[a-z]+",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon"
        " phi chi psi omega",
    )
)
LIKE_LATIN = dict(
    name_and_letter.split()
    for name_and_letter in (
        *("ALPHA A", "BETA B", "EPSILON E", "ZETA Z", "ETA H", "IOTA I", "KAPPA K", "MU M", "NU N"),
        *("OMICRON O", "RHO P", "TAU T", "CHI X"),
    )
)
# Small letters whose usual form in text has a longer name.
VARIANTS = {"ε": r"\varepsilon", "φ": r"\varphi", "ϕ": r"\phi", "ς": r"\varsigma", "ϵ": r"\epsilon"}
# Signs that two of the same would make another one of.
LIGATURES = re.compile(r"([-',])(?=\1)")
ORDINARY = re.compile(r"[^A-Za-z0-9 .:;()/!?=+*@\[\],'-]")
PUNCTUATION = re.compile("[\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}](?=[;:!?»])")
# Characters of the category of controls that say how letters are set.
UNSEEN = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}\N{SOFT HYPHEN}"
# BibTeX sorts and shortens letters with accents where it sees what they are made of.
ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0308\u0304\u0306\u0307", "`'^~\"=u.", strict=True)) | {
    "\u030a": "r",
    "\u0327": "c",
    "\u030c": "v",
    "\u030b": "H",
}
LETTERS = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}


def latex(text: str) -> str:
    """Return text as LaTeX prints it, on one line."""
    return LIGATURES.sub(r"\1{}", ORDINARY.sub(lambda match: _sign(match[0]), _plain(text)))


def field(text: str) -> str:
    """Return text as a field of BibTeX has it, between braces that it can't close."""
    shown = ORDINARY.sub(lambda match: _in_field(match[0]), _plain(text).strip())
    return LIGATURES.sub(r"\1{}", shown)


def guarded(line: str) -> str:
    r"""Return LaTeX that may follow `\\` or a rule, which would take a bracket or a star to be theirs."""
    return f"{{}}{line}" if line.lstrip(" ")[:1] in ("[", "*") else line


def row(cells: Iterable[str]) -> str:
    """Return one row of a table."""
    return guarded(f"{' & '.join(cells)} \\\\")


def _plain(text: str) -> str:
    """Return text on one line, in composed letters, without characters that nobody sees."""
    one_line = re.sub(r"[ \t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+", " ", unicodedata.normalize("NFC", text))
    if one_line.isascii() and one_line.isprintable():
        return one_line
    visible = (
        letter for letter in one_line if letter in UNSEEN or not unicodedata.category(letter).startswith("C")
    )
    return PUNCTUATION.sub("\N{NO-BREAK SPACE}", "".join(visible))


def _sign(sign: str) -> str:
    if order := SIGNS.get(sign):
        return order
    if math := _math(sign):
        return f"\\ensuremath{{{math}}}"
    return " " if unicodedata.category(sign) == "Zs" else sign


def _in_field(sign: str) -> str:
    if sign in BRACES:
        return BRACES[sign]
    if sign in LETTERS:
        return f"{{\\{LETTERS[sign]}}}"
    base, *marks = list(unicodedata.normalize("NFD", sign))
    if len(marks) == 1 and marks[0] in ACCENTS and base.isascii() and base.isalpha():
        accent = ACCENTS[marks[0]]
        return f"{{\\{accent}{{{base}}}}}" if accent.isalpha() else f"{{\\{accent}{base}}}"
    return _sign(sign)


def _math(sign: str) -> str:
    """Return what a sign is called in formulas; empty where it is none."""
    if order := MATHEMATICAL.get(sign) or VARIANTS.get(sign):
        return order
    name = unicodedata.name(sign, "")
    if greek := re.fullmatch("GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)", name):
        return _greek(greek[2], capital=greek[1] == "CAPITAL")
    if name.startswith("MATHEMATICAL "):
        letter = unicodedata.normalize("NFKC", sign)
        return letter if letter.isascii() and letter.isalnum() else _math(letter) if letter != sign else ""
    return ""


def _greek(name: str, *, capital: bool) -> str:
    if name in LIKE_LATIN and (capital or name == "OMICRON"):
        return f"\\mathrm{{{LIKE_LATIN[name] if capital else 'o'}}}"
    # Unicode spells it in its own way.
    latex_name = {"LAMDA": "lambda"}.get(name, name.lower())
    return f"\\{latex_name.capitalize() if capital else latex_name}" if latex_name in GREEK else ""


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
ENTITY = re.compile(r"&#x([0-9A-Fa-f]+);")
LONGEST_FORMULA = 1000


@cache
def mathml(latex: str) -> str:
    """Return the MathML of a formula for a page; empty where it can't be had, or is none of ours."""
    from latex2mathml.converter import convert

    if not latex or len(latex) > LONGEST_FORMULA:
        return ""
    try:
        mathml_text = convert(latex).replace('display="inline"', 'displaystyle="true"', 1)
    except Exception:  # noqa: BLE001 - any of the library's many: the plain formula is there too
        return ""
    bare = mathml_text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)
    # A letter takes less room than a reference to it.
    shown = ENTITY.sub(lambda reference: html.escape(chr(int(reference[1], 16))), bare)
    # Nothing but the elements that formulas are made of.
    known = TAGS.issuperset(tag.casefold() for tag, _ in TAG.findall(shown))
    return shown if known and not {"<", ">"} & {*TAG.sub("", shown)} else ""
