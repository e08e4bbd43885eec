"""LaTeX and BibTeX read back: what a line prints, what an entry holds, whether all that opens is closed."""

import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textasciigrave{}": "`",
    r"\textbar{}": "|",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\char34{}": '"',
    r"{\textbraceleft}": "{",
    r"{\textbraceright}": "}",
    r"\,": "\N{NARROW NO-BREAK SPACE}",
    r"\-": "\N{SOFT HYPHEN}",
    r"\{": "{",
    r"\}": "}",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\_": "_",
    r"\%": "%",
    "~": "\N{NO-BREAK SPACE}",
    r"{\ss}": "ß",
    r"{\ae}": "æ",
    r"{\AE}": "Æ",
    r"{\oe}": "œ",
    r"{\OE}": "Œ",
    r"{\o}": "ø",
    r"{\O}": "Ø",
    r"{\l}": "ł",
    r"{\L}": "Ł",
    "{}": "",
}
MARKS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "r": "\u030a",
    "c": "\u0327",
    "v": "\u030c",
    "H": "\u030b",
}
ACCENTED = re.compile(r"\{\\(?:([`'^~\"=.])([A-Za-z])|([urcvH])\{([A-Za-z])\})\}")
ORDERS = re.compile(r"\\([A-Za-z]+|.)")
# Every order that the files of a report may hold, beside those of formulas.
KNOWN = frozenset(
    re.findall(
        r"\S+",
        r"""
        begin end caption label centering smallskip par toprule midrule bottomrule multicolumn raggedright
        arraybackslash normalsize small footnotesize setlength tabcolsep begingroup endgroup
        clearpage
        endfirsthead endhead endfoot cite hspace usepackage ensuremath mathrm textbackslash textasciitilde
        textasciicircum textasciigrave textbar textless textgreater char textbraceleft textbraceright
        { } $ & # _ % , - \ ( )
        """,
    )
)


def printed(text: str) -> str:
    """Return what escaped text prints; an order that it should not hold is an error."""
    shown, place = "", 0
    while place < len(text):
        if found := ACCENTED.match(text, place):
            letter, mark = found[2] or found[4], MARKS[found[1] or found[3]]
            shown, place = shown + unicodedata.normalize("NFC", letter + mark), found.end()
            continue
        known = next((each for each in SIGNS if text.startswith(each, place)), None)
        if known is None:
            assert text[place] not in "\\{}$&#^_%~", text[place:]
            shown, place = shown + text[place], place + 1
        else:
            shown, place = shown + SIGNS[known], place + len(known)
    return shown


def lowest_and_last_depth(text: str) -> tuple[int, int]:
    """Return how deep braces are at the shallowest place and at the end, as BibTeX counts them."""
    depth = lowest = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        lowest = min(lowest, depth)
    return lowest, depth


def without_escaped(text: str) -> str:
    """Return LaTeX without its escaped signs, for whoever counts those that do something."""
    return re.sub(r"\\[\\{}$&#_%]", "", text)


def orders(text: str) -> set[str]:
    """Return the names of all orders that stand in LaTeX."""
    return {found[1] for found in ORDERS.finditer(text)}


def environments(text: str) -> list[str]:
    """Return the environments of LaTeX, having made sure that each is closed where it should be."""
    opened: list[str] = []
    found: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if what == "begin":
            opened.append(name)
            found.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    return found


def compiled(folder: Path, language: str, said: str = "") -> str:
    """Compile a paper that reads in a report's files and return its log; skip where there is no TeX.

    `said` comes between the methods and the tables.
    """
    if not shutil.which("pdflatex"):
        pytest.skip("NOT TESTED with TeX: no pdflatex; 'make test-all' installs one")
    french = r"\IfFileExists{french.ldf}{\usepackage[french]{babel}}{}" if language == "fr" else ""
    (folder / "paper.tex").write_text(
        r"\documentclass{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}"
        r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}"
        rf"\usepackage{{amsmath,array,booktabs,longtable}}{french}\begin{{document}}"
        rf"\input{{methods}}{said}"
        r"\input{tables}\bibliographystyle{plain}\bibliography{references}\end{document}",
        encoding="utf-8",
    )
    latex = [
        "pdflatex",
        "-no-shell-escape",
        "-draftmode",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "paper.tex",
    ]
    for command in (latex, ["bibtex", "paper"], latex, latex):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    return (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
