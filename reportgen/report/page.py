"""Pages from results: HTML that runs and fetches nothing, and Markdown."""

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reportgen import __version__
from reportgen.files import templates
from reportgen.report import citation, figures, markup, numbers
from reportgen.report.mathml import mathml
from reportgen.report.tables import cell_text, to_markdown
from reportgen.report.view import ReportView

# The verdict's scale runs from here to one; values below stand at its left end.
SCALE_LOW = 0.0


@cache
def _html() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates(), encoding="utf-8"),
        autoescape=True,
        finalize=_finalize_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= _filters() | {"markdown": lambda text: Markup(markup.to_html(text))}  # noqa: S704 - sanitised by nh3
    return environment


@cache
def _markdown() -> Environment:
    """Return the environment of Markdown templates: every value is escaped for Markdown as it is printed."""
    environment = Environment(
        loader=FileSystemLoader(templates(), encoding="utf-8"),
        autoescape=False,  # noqa: S701 - Markdown: `finalize` escapes every value
        finalize=_finalize_markdown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= _filters() | {
        "markdown": lambda text: Markup(markup.to_markdown(text)),  # noqa: S704 - made safe
        "table": lambda table: Markup(to_markdown(table)),  # noqa: S704 - cells are escaped there
    }
    return environment


def _finalize_html(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return markup.printable(value)


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
def policy(sheet: str) -> str:
    """Return the Content-Security-Policy of a page: nothing but this very style sheet."""
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def html(template: str, **values: object) -> str:
    """Return a page of the site."""
    sheet = style()
    our_own = Markup(sheet)  # noqa: S704 - the style sheet is ours
    return (
        _html()
        .get_template(template)
        .render(style=our_own, policy=policy(sheet), version=__version__, **values)
    )


def markdown(template: str, **values: object) -> str:
    """Return a Markdown file of the site."""
    text = _markdown().get_template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def report_html(view: ReportView, *, alone: bool) -> str:
    """Return the report's page; `alone` leaves out links to files beside it."""
    return html("report.html.j2", **_values(view), alone=alone)


def measures_html(view: ReportView) -> str:
    """Return the page of definitions, too long to stand in the report."""
    return html("measures.html.j2", view=view, results=view.results)


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
        yield f"documents/{page.file}", html("documents.html.j2", results=results, **values, **counts)
    for before, document, after in documents.neighbours():
        values = {"document": document, "before": before, "after": after}
        yield f"documents/{document.file}", html("document.html.j2", results=results, **values)
    for found in passages.lists:
        for each in found.pages:
            yield (
                f"disagreements/{each.file}",
                html("disagreements.html.j2", results=results, list=found, page=each),
            )


def pairs_html(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the pages of pairs of annotators, by their names from the version's folder."""
    pairs, results = view.pairs, view.results
    if pairs.tables and not pairs.beside:
        yield "pairs/index.html", html("pairs.html.j2", results=results, pairs=pairs)
    hrefs = view.passages.hrefs if view.passages else {}
    for each in pairs.pages():
        tables = {layer.layer: layer.documents(hrefs.get(layer.layer, {})) for layer in each.layers}
        values = {"page": each, "beside": pairs.beside, "documents": tables}
        yield f"pairs/{each.file}", html("pair.html.j2", results=results, **values)


def _values(view: ReportView) -> dict[str, object]:
    return {
        "view": view,
        "results": view.results,
        "citation": citation.text(view.results),
        "bibtex": citation.bibtex(view.results),
    }
