"""For papers: the report's tables, methods and references as LaTeX and BibTeX."""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate, count

from reportgen.base.files import templates
from reportgen.report import citation
from reportgen.report.blocks import Cited, Inline, Text, parts
from reportgen.report.citation import entry, identifier, people, title
from reportgen.report.citation import key as key_of_report
from reportgen.report.escaping import field, latex
from reportgen.report.paper_tables import tables_tex
from reportgen.report.sections.method import leading, methods_details, methods_paragraph
from reportgen.report.view import ReportView
from reportgen.results import Reference, Results, Work
from reportgen.words.language import _, say
from reportgen.words.names import inside

# The works that a report's methods rest on, and the report itself, as BibTeX with keys that stay.

WORKS = "works.bib"
ENTRY = re.compile(r"^@\w+\{(\w+),\n(?:.*\n)*?\}$", re.MULTILINE)
# How a work is cited: Scott (1955), Public Opinion Quarterly 19(3), 321-325.
CITED = re.compile(r"(?P<authors>[^()]+) \((?P<year>\d{4})\), (?P<rest>.+)", re.DOTALL)
LETTERS = "bcdefghijklmnopqrstuvwxyz"
FEWEST_LETTERS = 4


@cache
def library() -> dict[str, str]:
    """Return the entries of the works that the catalogue names, by their keys."""
    text = (templates() / WORKS).read_text(encoding="utf-8")
    return {match[1]: match[0] for match in ENTRY.finditer(text)}


def key_of(work: Work) -> str:
    """Return the key of a work of the catalogue: its first author's name and its year."""
    match = CITED.match(work.citation)
    if not match:
        return _letters(work.citation.partition(" ")[0])
    return f"{_letters(re.split(', | and ', match['authors'])[0])}{match['year']}"


def keys_of(references: Iterable[Reference]) -> dict[str, Reference | None]:
    """Return works on a campaign by their keys; without the work where the catalogue names it too."""
    keys: dict[str, Reference | None] = {}
    for work in references:
        base = f"{_letters(_surname(work))}{work.year or ''}" or "work"
        if _is_known(work, base):
            keys[base] = None
            continue
        free = (key for key in _lettered(base) if key not in keys and key not in library())
        keys[next(free)] = work
    return keys


def _lettered(base: str) -> Iterator[str]:
    """Yield keys that begin alike: after fort2010 comes fort2010b."""
    yield base
    yield from (f"{base}{letter}" for letter in LETTERS)
    yield from (f"{base}z{number}" for number in count(2))


def _surname(reference: Reference) -> str:
    """Return the name of the first author, or of the title its first word of some length."""
    if reference.authors and _letters(reference.authors[0]):
        before, comma, _first = reference.authors[0].partition(",")
        return before if comma else (before.split() or [""])[-1]
    words = (word for word in reference.title.split() if len(_letters(word)) >= FEWEST_LETTERS)
    return next(words, "")


def _is_known(reference: Reference, key: str) -> bool:
    """Tell whether the catalogue names a work of that key with the same identifier or title."""
    doi, title_of_entry = (_field_of(key, name) for name in ("doi", "title"))
    if doi and reference.doi:
        return doi.casefold() == reference.doi.casefold()
    return bool(title_of_entry) and _letters(field(reference.title)).startswith(_letters(title_of_entry))


def _field_of(key: str, name: str) -> str:
    match = re.search(rf"^  {name} = \{{(.*)\}},$", library().get(key, ""), re.MULTILINE)
    return match[1] if match else ""


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isascii() and letter.isalnum())


def references_bib(results: Results, works: Mapping[str, Work]) -> str:
    """Return what methods.tex cites: the report, works of the catalogue, and those on the campaign."""
    own = keys_of(results.campaign.references)
    keys = {key: None for key, reference in own.items() if reference is None} | dict.fromkeys(works)
    entries = [library().get(key) or _entry_as_cited(key, works[key]) for key in sorted(keys)]
    entries += [
        _misc(key, people(reference.authors), reference.title, str(reference.year or ""), reference.doi or "")
        for key, reference in own.items()
        if reference is not None
    ]
    return "\n\n".join([citation.bibtex(results), *entries]) + "\n"


def _entry_as_cited(key: str, work: Work) -> str:
    """Return the entry of a work of which no more is known than how it is cited."""
    match = CITED.match(work.citation)
    if not match:
        return entry("misc", key, {"title": title(work.citation), **identifier(work.doi)})
    authors = people(re.split(", | and ", match["authors"]))
    return _misc(key, authors, match["rest"], match["year"], work.doi)


def _misc(key: str, authors: str, name: str, year: str, doi: str) -> str:
    return entry("misc", key, {"author": authors, "title": title(name), "year": year, **identifier(doi)})


# The methods of a report as LaTeX, each measure with the works that it comes from.

# What formulas of the catalogue are made of. A results.json may come from anywhere: a formula in which
# anything else is written is printed as it is in plain text.
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
    """Return the paragraph on methods with its citations, and the formulas of the measures that it names."""
    results = view.results
    own, report = _cite(keys_of(results.campaign.references)), _cite([key_of_report(results)])
    packages = r"\usepackage{amsmath}\usepackage[T1]{fontenc}"
    head = (
        latex(_("The methods of the agreement report, made with reportgen, to be read into a paper.")),
        _with_latex(_("In the preamble: {packages}"), "{packages}", packages),
        latex(_("The works are in references.bib.")),
    )
    on_campaign = _with_latex(_("On the campaign, see {works}."), "{works}", own) if own else ""
    every = _("Every figure, with the tables behind it, is in the agreement report {report}.")
    last = f"{on_campaign} {_with_latex(every, '{report}', report)}".strip()
    paragraphs = (inline(methods_paragraph(view)), inline(methods_details(view)), _formulas(view), last)
    filled = (
        textwrap.fill(said, WIDTH, break_long_words=False, break_on_hyphens=False)
        for said in paragraphs
        if said
    )
    return "\n".join([*(f"% {line}" for line in head), *(f"\n{said}" for said in filled), ""])


def _formulas(view: ReportView) -> str:
    """Return the formulas of the measures that the paragraph names."""
    leading_measures = leading(view.results)
    said = [
        f"{latex(say('{name}: ', name=inside(measure.name)))}{formula(measure.latex, measure.formula)}"
        for name, measure in view.definitions
        if name in leading_measures
    ]
    head, between = latex(_("By formula:")), latex(_("; "))
    return f"{head} {between.join(said)}." if said else ""


def _with_latex(message: str, message_field: str, tex: str) -> str:
    before, _place, after = message.partition(message_field)
    return f"{latex(before)}{tex}{latex(after)}"


def works(view: ReportView) -> dict[str, Work]:
    """Return the works that the paragraph and its details cite, by their keys."""
    said = (*parts(methods_paragraph(view)), *parts(methods_details(view)))
    cited = [part for part in said if isinstance(part, Cited)]
    return {key_of(work): work for part in cited for work in part.works}


def inline(text: Text) -> str:
    """Return a text in LaTeX: words escaped, works cited behind what comes from them."""
    return "".join(map(_inline, parts(text)))


def _inline(part: Inline) -> str:
    match part:
        case str():
            return latex(part)
        case Cited(words, works) if works:
            stop = "." * words.endswith(".")
            return f"{latex(words.removesuffix('.'))}~{_cite(map(key_of, works))}{stop}"
        case _:
            return latex(part.text)


def _cite(keys: Iterable[str]) -> str:
    joined = ",".join(dict.fromkeys(keys))
    return f"\\cite{{{joined}}}" if joined else ""


def formula(typeset: str, plain: str) -> str:
    """Return a formula for a line of text, plain where it is none that LaTeX may be given."""
    if "=" not in typeset or len(typeset) > LONGEST or not _is_harmless(typeset):
        return SYMBOL.sub(r"\\(\1\2_{\3}\\)", latex(plain))
    spaced = typeset.replace("\N{NARROW NO-BREAK SPACE}", r"\,").replace("\N{NO-BREAK SPACE}", "~")
    # A line may end between two equations.
    return f"\\({spaced}\\)".replace(r"\quad", r"\quad\allowbreak")


def _is_harmless(typeset: str) -> bool:
    """Tell whether a formula has nothing but known orders and letters, its braces closed."""
    orders = [order for order in ORDER.findall(typeset) if order.isalpha()]
    without_orders = ORDER.sub("", typeset)
    depths = list(accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in without_orders))
    closed = min(depths, default=0) >= 0 and (not depths or depths[-1] == 0)
    letters = bool(FORMULA.fullmatch(without_orders))
    return ORDERS.issuperset(orders) and closed and letters and "^^" not in typeset


# For papers: the report's tables, methods and references as LaTeX and BibTeX.


def paper(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the files for a paper by their names from the edition's folder."""
    yield "latex/tables.tex", tables_tex(view)
    yield "latex/methods.tex", methods_tex(view)
    yield "latex/references.bib", references_bib(view.results, works(view))
