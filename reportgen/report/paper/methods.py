"""The methods of a report as LaTeX, each measure with the works that it comes from."""

import re
import textwrap
from collections.abc import Iterable
from itertools import accumulate
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
    re.findall(
        "[a-z]+",
        "alpha beta gamma delta varepsilon kappa pi phi chi omega ell frac sqrt binom sum max min sin"
        " bmod operatorname left right bar hat overline mathrm mathsf mathbin text quad ldots cdot times"
        " mid cap cup emptyset triangle in neq leq geq",
    )
)
ORDER = re.compile(r"\\([A-Za-z]+|[, |])")
FORMULA = re.compile("[A-Za-zÀ-ÿ0-9 _^{}()\\[\\]|=+*/.,:;'’!<>\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}-]*")
# A letter with an index, as plain formulas have it.
SYMBOL = re.compile(r"(?:\\ensuremath\{(\\[a-z]+)\}|\b([A-Za-z]))\\_([A-Za-z0-9]+)")
LONGEST = 1000
WIDTH = 100


def methods_tex(view: ReportView) -> str:
    """Return the paragraph on methods, with its citations."""
    results = view.results
    shown = SimpleNamespace(
        definitions=[(name, _cited(each, results.catalogue[name].works)) for name, each in view.definitions],
        weightings={
            key: _cited(each, results.weightings[key].works) for key, each in view.weightings.items()
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
    entries = [results.catalogue[name] for name, _each in view.definitions]
    found = [
        work
        for each in (*entries, *map(results.weightings.get, view.weightings))
        if each
        for work in each.works
    ]
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
        return SYMBOL.sub(r"\\(\1\2_{\3}\\)", latex(plain))
    spaced = typeset.replace("\N{NARROW NO-BREAK SPACE}", r"\,").replace("\N{NO-BREAK SPACE}", "~")
    # A line may end between two equations.
    return f"\\({spaced}\\)".replace(r"\quad", r"\quad\allowbreak")


def _is_harmless(typeset: str) -> bool:
    """Tell whether a formula holds nothing but known orders and letters, its braces closed."""
    orders = [order for order in ORDER.findall(typeset) if order.isalpha()]
    rest = ORDER.sub("", typeset)
    depths = list(accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in rest))
    closed = min(depths, default=0) >= 0 and (not depths or depths[-1] == 0)
    return ORDERS.issuperset(orders) and closed and bool(FORMULA.fullmatch(rest)) and "^^" not in typeset


def _filled(line: str) -> str:
    if line.startswith("%"):
        return line
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
