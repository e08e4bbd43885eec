"""Pages from results: HTML that runs and fetches nothing, and Markdown."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from reportgen import __version__
from reportgen.files import templates
from reportgen.report import citation, figures, language, markup, numbers
from reportgen.report.language import Edition
from reportgen.report.mathml import mathml
from reportgen.report.tables import cell_text, to_markdown
from reportgen.report.view import ReportView

Finalize = Callable[[object], object]
# The verdict's scale runs from here to one; values below stand at its left end.
SCALE_LOW = 0.0


@cache
def _html(edition: Edition) -> Environment:
    """Return the environment of pages: every value is escaped for HTML as it is printed."""
    environment = _environment(edition, _finalize_html, autoescape=True)
    environment.filters |= {"markdown": lambda text: Markup(markup.to_html(text))}  # noqa: S704 - sanitised by nh3
    return environment


@cache
def _markdown(edition: Edition) -> Environment:
    """Return the environment of Markdown templates: every value is escaped for Markdown as it is printed."""
    environment = _environment(edition, _finalize_markdown, autoescape=False)
    environment.filters |= {
        "markdown": lambda text: Markup(markup.to_markdown(text)),  # noqa: S704 - made safe
        "table": lambda table: Markup(to_markdown(table)),  # noqa: S704 - cells are escaped there
    }
    return environment


def _environment(edition: Edition, finalize: Finalize, *, autoescape: bool) -> Environment:
    """Return an environment whose messages are in the edition's language.

    Templates see `edition.folder` and `edition.data`, by which links lead to the same language's pages and to
    what is the same in all of them.
    """
    environment = Environment(
        loader=FileSystemLoader(templates(), encoding="utf-8"),
        autoescape=autoescape,  # noqa: S701 - in Markdown `finalize` escapes every value
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.filters |= _filters()
    environment.globals |= _messages(finalize) | {
        "edition": edition,
        "counted": numbers.counted,
        "language": language,
    }
    return environment


def _messages(finalize: Finalize) -> dict[str, Any]:
    """Return what templates call for a message; values in its places are escaped as any others are."""

    def filled(message: str, values: Mapping[str, object]) -> Markup:
        # The message is ours or a translator's; Markdown and HTML in it are meant.
        return Markup(message % {name: finalize(value) for name, value in values.items()})  # noqa: S704

    def gettext(message: str, /, **values: object) -> Markup:
        return filled(language._(message), values)

    def ngettext(one: str, several: str, number: int, /, **values: object) -> Markup:
        return filled(language.ngettext(one, several, number), {"num": number} | values)

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


def _finalize_html(value: object) -> object:
    if isinstance(value, Markup):
        return value
    return escape(markup.printable(value) if isinstance(value, str) else value)


def _finalize_markdown(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return markup.escape_markdown(markup.printable(value))


def _filters() -> dict[str, Any]:
    return {
        "count": numbers.count,
        "counted": numbers.counted,
        "figure": numbers.figure,
        "interval": numbers.interval,
        "cell": cell_text,
        "estimate": numbers.estimate,
        "mathml": lambda latex: Markup(mathml(latex)),  # noqa: S704 - nothing but MathML
        "plain_svg": Markup,
        "position": position,
    }


def position(value: float) -> str:
    """Return where a figure stands on the verdict's scale, as a percentage from its left end."""
    return f"{100 * (min(1.0, max(SCALE_LOW, value)) - SCALE_LOW) / (1 - SCALE_LOW):.2f}"


@cache
def style() -> str:
    """Return the style sheet that every page carries."""
    text = (templates() / "style.css").read_text(encoding="utf-8") + figures.dark_rules()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"\s*([{};])\s*", r"\1", re.sub(r"([:,])\s+", r"\1", text)).replace(";}", "}\n").strip()


@cache
def script() -> str:
    """Return the script that every page carries: nothing on a page needs it."""
    text = (templates() / "script.js").read_text(encoding="utf-8")
    lines = (line.strip() for line in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


@cache
def policy(sheet: str, code: str) -> str:
    """Return the Content-Security-Policy of a page: nothing but our own style and script."""
    styles, scripts = (f"'sha256-{_digest(each)}'" for each in (sheet, code))
    return (
        f"default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _way(other: Edition, place: str) -> str:
    """Return the link from a page to the same page in another language, empty where it has no other."""
    up = "../" * place.count("/")
    return f"{up}{language.edition().data}{other.folder}{place}" if place else ""


def forget() -> None:
    """Forget templates, style sheet, script and catalogues, so that changed ones are read again."""
    for each in (_html, _markdown, style, script, policy):
        each.cache_clear()
    language.forget()


def html(template: str, *, place: str = "", **values: object) -> str:
    """Return a page of the site; `place` is its name in its edition's folder, empty where it has no other."""
    sheet, code = style(), script()
    our_own = Markup(sheet)  # noqa: S704 - the style sheet is ours
    return (
        _html(language.edition())
        .get_template(template)
        .render(
            style=our_own,
            script=Markup(code),  # noqa: S704 - the script is ours
            policy=policy(sheet, code),
            version=__version__,
            editions=[(each, _way(each, place)) for each in language.others()],
            **values,
        )
    )


def markdown(template: str, **values: object) -> str:
    """Return a Markdown file of the site."""
    text = _markdown(language.edition()).get_template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def report_html(view: ReportView, *, alone: bool) -> str:
    """Return the report's page; `alone` leaves out links to files beside it."""
    return html("report.html.j2", place="" if alone else "index.html", **_values(view), alone=alone)


def measures_html(view: ReportView) -> str:
    """Return the page of definitions, too long to stand in the report."""
    return html("measures.html.j2", place="measures/index.html", view=view, results=view.results)


def report_markdown(view: ReportView) -> str:
    """Return the report as Markdown."""
    return markdown("report.md.j2", **_values(view))


def passages_html(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the pages of documents and of disagreements, by their names from the version's folder."""
    passages, results = view.passages, view.results
    if passages is None:
        return
    documents = passages.documents
    for page in documents.index if documents.all else ():
        values = {"documents": page.documents, "pages": documents.index, "here": page.number}
        counts = {"total": len(documents.all), "layers": passages.layers}
        name = f"documents/{page.file}"
        yield name, html("documents.html.j2", place=name, results=results, **values, **counts)
    for before, document, after in documents.neighbours():
        values = {"document": document, "before": before, "after": after}
        name = f"documents/{document.file}"
        yield name, html("document.html.j2", place=name, results=results, **values)
    for found in passages.lists:
        for each in found.pages:
            name = f"disagreements/{each.file}"
            yield name, html("disagreements.html.j2", place=name, results=results, list=found, page=each)


def pairs_html(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the pages of pairs of annotators, by their names from the version's folder."""
    pairs, results = view.pairs, view.results
    if pairs.tables and not pairs.beside:
        name = "pairs/index.html"
        yield name, html("pairs.html.j2", place=name, results=results, pairs=pairs)
    hrefs = view.passages.hrefs if view.passages else {}
    for each in pairs.pages():
        tables = {layer.layer: layer.documents(hrefs.get(layer.layer, {})) for layer in each.layers}
        values = {"page": each, "beside": pairs.beside, "documents": tables}
        name = f"pairs/{each.file}"
        yield name, html("pair.html.j2", place=name, results=results, **values)


def _values(view: ReportView) -> dict[str, object]:
    return {
        "view": view,
        "results": view.results,
        "citation": citation.text(view.results),
        "bibtex": citation.bibtex(view.results),
    }
