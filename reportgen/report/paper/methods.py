"""The methods of a report as LaTeX, each measure with the works that it comes from."""

import re
import textwrap
from collections.abc import Iterable
from types import SimpleNamespace

from markupsafe import Markup

from reportgen.report import page
from reportgen.report.citation import key as key_of_report
from reportgen.report.names import AnyEntry
from reportgen.report.paper.bibliography import key_of, keys_of
from reportgen.report.tex import latex
from reportgen.report.view import ReportView
from reportgen.results import Work

# What formulas of the catalogue are made of. A results.json may come from anywhere: a formula in which
# anything else stands is printed as it is in plain text.
ORDERS = frozenset(
    "alpha bar beta binom bmod cap cdot chi cup delta ell emptyset frac gamma hat kappa left ldots max mathbin"
    " mathrm mathsf mid min neq omega operatorname overline phi pi quad right sin sqrt sum text times triangle"
    " varepsilon leq geq in".split()
)
ORDER = re.compile(r"\\([A-Za-z]+|[, |])")
FORMULA = re.compile("[A-Za-zÀ-ÿ0-9 _^{}()\\[\\]|=+*/.,:;'’!<>\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}-]*")
# A letter with an index, as plain formulas have it.
SYMBOL = re.compile(r"(\b[A-Za-z]|\\ensuremath\{\\[a-z]+\})\\_([A-Za-z0-9]+)")
LONGEST = 1000
WIDTH = 100


def methods_tex(view: ReportView) -> str:
    """Return the paragraph on methods, with its citations."""
    results = view.results
    shown = SimpleNamespace(
        definitions=[(id, _cited(each, results.catalogue[id].works)) for id, each in view.definitions],
        weightings={
            id: _cited(each, results.weightings[id].works) for id, each in view.weightings.items()
        },
        layers=view.layers,
    )
    own = Markup(_cite(keys_of(results.campaign.references)))  # noqa: S704 - keys are letters and digits
    report = Markup(_cite([key_of_report(results)]))  # noqa: S704 - and hyphens
    text = page.latex("methods.tex.j2", view=shown, results=results, own=own, report=report)
    return "\n".join(_filled(line) for line in text.splitlines()) + "\n"


def works(view: ReportView) -> dict[str, Work]:
    """Return the works that the paragraph cites, by their keys."""
    results = view.results
    entries = [results.catalogue[id] for id, _each in view.definitions]
    found = [work for each in (*entries, *map(results.weightings.get, view.weightings)) if each for work in each.works]
    return {key_of(work): work for work in found}


def _cited(entry: AnyEntry, sources: Iterable[Work]) -> AnyEntry:
    """Return an entry of the catalogue in LaTeX, its sources behind its name and its sentence."""
    cite = _cite(map(key_of, sources))
    behind = f"~{cite}" if cite else ""
    own = {"name": f"{latex(entry.name)}{behind}", "formula": formula(entry.latex, entry.formula)}
    if sentence := getattr(entry, "sentence", ""):
        stop = "." if sentence.endswith(".") else ""
        own["sentence"] = f"{latex(sentence.removesuffix('.'))}{behind}{stop}"
    # All of it is LaTeX by now.
    return entry.model_copy(update={name: Markup(text) for name, text in own.items()})  # noqa: S704


def _cite(keys: Iterable[str]) -> str:
    found = ", ".join(dict.fromkeys(keys))
    return f"\\cite{{{found}}}" if found else ""


def formula(typeset: str, plain: str) -> str:
    """Return a formula for a line of text, plain where it is none that LaTeX may be given."""
    if "=" not in typeset or len(typeset) > LONGEST or not _is_harmless(typeset):
        return SYMBOL.sub(r"\\(\1_{\2}\\)", latex(plain))
    spaced = typeset.replace("\N{NARROW NO-BREAK SPACE}", r"\,").replace("\N{NO-BREAK SPACE}", "~")
    return f"\\({spaced}\\)"


def _is_harmless(typeset: str) -> bool:
    """Tell whether a formula holds nothing but known orders and letters, its braces closed."""
    orders = [order for order in ORDER.findall(typeset) if order.isalpha()]
    rest = ORDER.sub("", typeset)
    depths = [rest[: place + 1].count("{") - rest[: place + 1].count("}") for place in range(len(rest))]
    closed = min(depths, default=0) >= 0 and (not depths or depths[-1] == 0)
    return ORDERS.issuperset(orders) and closed and bool(FORMULA.fullmatch(rest)) and "^^" not in typeset


def _filled(line: str) -> str:
    if line.startswith("%"):
        return line
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
