"""Pages from results: HTML that runs and fetches nothing, and Markdown."""

import base64
import hashlib
import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from importlib import metadata
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, Template, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

from reportgen.base import __version__
from reportgen.base.files import templates
from reportgen.figures import rules
from reportgen.report import escaping, html_blocks, markdown_blocks, sections
from reportgen.report.blocks import Section
from reportgen.report.documents import marked_text, sayings_of
from reportgen.report.escaping import mathml
from reportgen.report.html_blocks import Place
from reportgen.report.linked_data import linked_data
from reportgen.report.tables import ReportTable, to_markdown
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.words import language, names, numbers
from reportgen.words.language import N_, Edition
from reportgen.words.names import composed
from reportgen.words.numbers import Note

# Pages, styles and scripts without the bytes that nobody reads: the same page in the same words.
#
# Of the style sheet a page carries the rules that some of its elements, classes and ids can meet. Of the
# script it carries what it has a use for: what is there between "ONLY WHERE" some texts of a page, divided by
# "or", and "EVERYWHERE" is left out of pages without any of them.

# Where white space, or what looks like markup, is meant as it is.
KEPT = re.compile(r'(<pre\b.*?</pre>|<div class="text"[ >].*?</div>)', re.DOTALL)
# End tags that HTML lets authors leave out before what follows them on our pages. A pattern that began with
# the blanks before them would be tried at every letter.
ENDS = re.compile(r"</(?:td|th|tr|li|dt|dd|thead|tbody)>[ \n]*+")
LINES = re.compile(r"\n[ \t\n]*+")
# A p value is not broken between lines.
P_VALUE = re.compile(r"\bp (=|&lt;) (?=\d)")
# What tables repeat: values that need no quotes, and the class of most of their cells, by its first letter.
QUOTED = re.compile(r' (class|scope)="(n|small|file|none|kwic|document|col|row)"')
SHORTER = (
    (' class="number', ' class="n'),
    (' class="scroll" role="region" tabindex="0"', " class=scroll role=region tabindex=0"),
)
ONLY = re.compile(r"/\* ONLY WHERE (.+?) \*/(.*?)/\* EVERYWHERE \*/", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# In a script, strings stay as they are; a regular expression in it has no quote sign and no blank beside
# one of SIGNS.
STRING = re.compile(r'("(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)')
SIGNS = re.compile(r" ?([=?:<>&|,;(){}]) ?")
# The elements, classes and ids that a page names.
NAMED = re.compile(r"""<([a-z][a-z0-9]*)|\b(?:class|id)=(?:"([^"]*)"|([^\s>"]+))""")
# A rule of a style sheet, and what of its selectors says nothing of names that a page must have.
RULE = re.compile(r"(@?[^{}@]+)\{[^{}]*\}\n?")
ASIDE = re.compile(r"\[[^\]]*\]|::?[a-z-]+(?:\((?:[^()]|\([^()]*\))*\))?|\\\w+")
NAME = re.compile(r"[A-Za-z][\w-]*")
# What a script names where it makes something; what it looks for is not on a page for that.
MADE = re.compile(r"""(?:\b(?:make|drawn)\(|\b(?:className|id):|"class",)"([^"]+)\"""")
EMPTY = re.compile(r"@media[^{]*\{\s*\}\n?")


def page(text: str) -> str:
    """Return a page without end tags, quotes and blanks that it is the same without."""
    parts = KEPT.split(text)
    for number in range(0, len(parts), 2):
        *before, last = ENDS.split(parts[number])
        *lines, end = LINES.split("".join([*(line.rstrip(" \n") for line in before), last]))
        parts[number] = "\n".join([*(line.rstrip(" \t") for line in lines), end])
        for long, short in SHORTER:
            parts[number] = parts[number].replace(long, short)
        parts[number] = P_VALUE.sub(
            "p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", QUOTED.sub(r" \1=\2", parts[number])
        )
    return "".join(parts)


def parts_wanted(source: str, text: str) -> frozenset[str]:
    """Return which parts of a script a page has a use for, by what is looked for in it."""
    parts = (match[1] for match in ONLY.finditer(source))
    return frozenset(part for part in parts if any(sign in text for sign in part.split(" or ")))


def named(text: str) -> set[str]:
    """Return the names of elements, classes and ids on a page, by which rules of a style sheet are chosen."""
    return {name for names in NAMED.findall(text) for group in names for name in group.split()}


def minified_style(source: str) -> str:
    """Return a style sheet without comments and blanks."""
    text = COMMENT.sub("", source).replace(".number", ".n")
    rules = re.sub(r"\s*([{};>])\s*", r"\1", re.sub(r"([:,])\s+", r"\1", text))
    return rules.replace(";}", "}\n").strip()


def names_in(sheet: str) -> frozenset[str]:
    """Return every name that a selector of a style sheet asks for."""
    return frozenset(name for rule in RULE.finditer(sheet) for name in NAME.findall(ASIDE.sub("", rule[1])))


def pruned(sheet: str, names: Collection[str]) -> str:
    """Return the rules of a style sheet one of whose selectors has no name but known ones."""
    present = frozenset(names)
    kept = (part for part, selectors in _rules_of(sheet) if any(map(present.issuperset, selectors)))
    return EMPTY.sub("", "".join(kept))


@cache
def _rules_of(sheet: str) -> list[tuple[str, list[list[str]]]]:
    """Return the parts of a style sheet, each with the names that each of its selectors asks for."""
    parts: list[tuple[str, list[list[str]]]] = []
    end = 0
    for rule in RULE.finditer(sheet):
        selectors = ASIDE.sub("", rule[1]).split(",")
        asked = [[]] if rule[1].startswith("@") else [NAME.findall(selector) for selector in selectors]
        parts += [(sheet[end : rule.start()], [[]]), (rule[0], asked)]
        end = rule.end()
    return [*parts, (sheet[end:], [[]])]


# Pages from results: HTML that runs and fetches nothing, and Markdown.

Finalize = Callable[[object], object]
# Where a page's style, script and policy go: what no text can have that is printed on a page.
STYLE, SCRIPT, POLICY = Markup("\0style\0"), Markup("\0script\0"), Markup("\0policy\0")
OURS = {"style": STYLE, "script": SCRIPT, "policy": POLICY, "version": __version__}
# What shows one of a document's layers, or one annotator's labels; and how marks of a layer look, by state.
SWITCH, PERSON = re.compile(r'id="show-(\d+)"'), re.compile(r'id="by-(\d+)"')
LOOKS = {
    "a": "text-decoration:underline solid 2px var(--good)",
    "b": "text-decoration:underline dashed 2px var(--warning);background:rgba(var(--shade),.06)",
    "d": "text-decoration:underline wavy 1.5px var(--problem);background:rgba(var(--shade),.12)",
    "s": "text-decoration:underline dotted 2px var(--muted)",
}
# What the catalogue says of measures that are for however many annotators.
ANY_NUMBER = N_("any number")
# A tag of a language, as [corpus] language has it (BCP 47).
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
# In one HTML file so many layers have what else has a page of its own: all that is known of annotators.
MOST_LAYERS_WHOLE = 4


@cache
def _html(edition: Edition) -> Environment:
    """Return the environment of pages: every value is escaped for HTML as it is printed.

    A page that is `alone` has no files beside it; `up` is the way to the folder of the version.
    """
    environment = _environment(edition, _finalize_html, autoescape=True)

    def table(content: ReportTable, label: str = "", links: bool = False) -> Markup:  # noqa: FBT001, FBT002 - templates
        return html_blocks.table(content, Place() if links else None, label)

    def section(content: Section | None, alone: bool, up: str = "", folded: bool = False) -> Markup:  # noqa: FBT001, FBT002 - templates
        return html_blocks.section(content, Place(up, alone), folded=folded) if content else Markup()

    environment.globals |= {
        # Sections of a page of its own have the headings of sections of a report.
        "blocks": lambda content, up: html_blocks.blocks(content, Place(up), html_blocks.TOP),
        "figure": lambda content, caption, alone: html_blocks.figure(
            content, html_blocks.text(caption), Place(alone=alone)
        ),
        "inline": lambda text, alone=False: html_blocks.inline(text, Place(alone=alone)),
        "section": section,
        "sections": sections,
        "table": table,
    }
    _keep_compiled(environment, "html")
    return environment


@cache
def _markdown(edition: Edition) -> Environment:
    """Return the environment of Markdown templates: every value is escaped for Markdown as it is printed."""
    environment = _environment(edition, _finalize_markdown, autoescape=False)
    environment.filters |= {
        "table": lambda table: Markup(to_markdown(table)),  # noqa: S704 - cells are escaped there
        "section": lambda content: Markup(markdown_blocks.section(content) if content else ""),  # noqa: S704 - escaped there
    }
    environment.globals |= {"sections": sections}
    _keep_compiled(environment, "markdown")
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
    environment.filters |= {
        "count": numbers.count,
        "estimate": numbers.estimate,
        "figure": numbers.figure,
        "percent": numbers.percent,
        "percent_short": lambda share: numbers.percentage(f"{share * 100:.0f}"),
        "short": numbers.short,
        "interval": numbers.interval,
        "figure_name": names.as_heading,
        "reason": names.reason,
        "composed": composed,
        "climbing": lambda text: Markup(escaping.climbing(str(text))),  # noqa: S704 - it is a page already
        "mathml": lambda latex: Markup(mathml(latex)),  # noqa: S704 - nothing but MathML
        "plain_svg": Markup,
        "breaking": html_blocks.breaking,
    }
    environment.globals |= _messages(finalize) | {
        "edition": edition,
        "counted": numbers.counted,
        "counted_in": numbers.counted_in,
        "noun": numbers.noun,
        "language": language,
        "figure_name": names.figure_name,
        "campaign_and_version": names.campaign_and_version,
        "lang_of_texts": _lang_of_texts,
        "lang_of_campaign": html_blocks.spoken,
        "linked_data": linked_data,
        "marked_text": marked_text,
        "said_of": sayings_of,
    }
    return environment


def _lang_of_texts(results: Results) -> Markup:
    tag = str(results.campaign.corpus.get("language", ""))
    return Markup(' lang="{}"').format(tag) if LANGUAGE.fullmatch(tag) else Markup()


def _messages(finalize: Finalize) -> dict[str, Any]:
    """Return what templates call for a message; values in its places are escaped as any others are."""

    def filled(message: str, values: Mapping[str, object]) -> Markup:
        shown = {
            name: finalize(language.isolated(value) if type(value) is str else value)
            for name, value in values.items()
        }
        # The message is ours or a translator's; Markdown and HTML in it are meant.
        return Markup(message % shown)  # noqa: S704 - values are escaped

    def gettext(message: str, /, **values: object) -> Markup:
        return filled(language._(message), values)

    def ngettext(singular: str, plural: str, number: int, /, **values: object) -> Markup:
        return filled(language.ngettext(singular, plural, number), {"num": number} | values)

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


def _finalize_html(value: object) -> object:
    if isinstance(value, Markup):
        return value
    return escape(language.printable(value) if isinstance(value, str) else value)


def _finalize_markdown(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return escaping.escape_markdown(language.printable(value))


@cache
def _sheet() -> str:
    return minified_style((templates() / "style.css").read_text(encoding="utf-8"))


@cache
def _names() -> frozenset[str]:
    return names_in(_sheet()) | {"svg"}


@cache
def style(names: frozenset[str]) -> str:
    """Return the style sheet of pages that have some of the names in it."""
    return pruned(_sheet(), names) + (minified_style(rules()) if "svg" in names else "")


def switches(text: str) -> str:
    """Return the rules by which a page shows one of its layers, or one annotator's labels."""
    shown = [(number, f"main:has(#show-{number}:checked)") for number in SWITCH.findall(text)]
    hidden = [f"main:not(:has(#show-{n}:checked)) :is(.k{n},.l{n}):not(mark:target>*)" for n, _here in shown]
    hidden += [f"main:has(#by-{number}:checked) mark i:not(.p{number})" for number in PERSON.findall(text)]
    looks = {look: [f"{here} mark.{state}{n}" for n, here in shown] for state, look in LOOKS.items()}
    rules = {"display:none": hidden, **looks}
    return "".join(f"\n{','.join(selectors)}{{{look}}}" for look, selectors in rules.items() if selectors)


@cache
def script(parts_wanted: frozenset[str]) -> str:
    """Return the script of pages that have a use for some of its parts: nothing on a page needs it."""
    # A script for a page, without comments, indentation and the blanks around signs.
    chosen = ONLY.sub(lambda part: part[2] if part[1] in parts_wanted else "", _script())
    lines = (line.strip() for line in COMMENT.sub("", chosen).splitlines())
    parts = STRING.split("\n".join(line for line in lines if line and not line.startswith("//")))
    parts[::2] = [SIGNS.sub(r"\1", code) for code in parts[::2]]
    return "".join(parts)


@cache
def _script() -> str:
    return (templates() / "script.js").read_text(encoding="utf-8")


@cache
def _made(code: str) -> frozenset[str]:
    return frozenset(name for match in MADE.findall(code) for name in match.split())


@cache
def policy(sheet: str, code: str) -> str:
    """Return the Content-Security-Policy of a page: nothing but our own style and script."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (sheet, code))
    styles, scripts = (f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action 'none'"
    )


def _way(other: Edition, path: str) -> str:
    up = "../" * path.count("/")
    return f"{up}{language.edition().data}{other.folder}{path}" if path else ""


def forget() -> None:
    """Forget templates, style sheet, script and catalogues, so that changed ones are read again."""
    for cached_function in (_html, _markdown, _sheet, _names, style, _script, script, _made, policy):
        cached_function.cache_clear()
    language.forget()


def html(template: str, *, path: str = "", **values: object) -> str:
    """Return a page of the site; `path` is its name in its edition's folder, empty where it has no other."""
    return rendered(_html(language.edition()).get_template(template), path=path, **values)


def rendered(template: Template, *, path: str = "", **values: object) -> str:
    """Return a template's page, with the style, the script and the policy that go with what is on it."""
    editions = [(other, _way(other, path)) for other in language.others()]
    text = page(template.render(OURS, editions=editions, **values))
    code = script(parts_wanted(_script(), text))
    sheet = _style_of(text, code) + switches(text)
    return _filled(text, sheet, code, policy(sheet, code))


def screen(template: str, own_style: str, code: str, **values: object) -> str:
    """Return a page of the application: with a style and a script of its own, and forms sent to itself."""
    text = page(_html(language.edition()).get_template(template).render(OURS, editions=[], **values))
    sheet = _style_of(text, "") + minified_style(own_style)
    return _filled(text, sheet, code, policy(sheet, code).replace("form-action 'none'", "form-action 'self'"))


def _style_of(text: str, code: str) -> str:
    return style(_names() & (named(text) | _made(code) | {"html", "body"}))


def _filled(text: str, sheet: str, code: str, allowed: str) -> str:
    for filled, filling in ((STYLE, sheet), (SCRIPT, code), (POLICY, str(escape(allowed)))):
        text = text.replace(filled, filling, 1)
    return text


def markdown(template: str, **values: object) -> str:
    """Return a Markdown file of the site."""
    text = _markdown(language.edition()).get_template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def report_html(  # noqa: PLR0913 - each is one choice
    view: ReportView,
    *,
    alone: bool,
    template: str = "report.html.j2",
    path: str = "index.html",
    here: ReportView | None = None,
    layers: object = None,
    way: Callable[[Note], str] = lambda note: f"#{note.evidence}",
) -> str:
    """Return the report's page; `alone` leaves out links to files beside it.

    `here` is what of it has its evidence on the page, `layers` are the pages of the others, and `way` says
    where the evidence of a finding is.
    """
    here = here or view
    whole = alone and len(here.layers) <= MOST_LAYERS_WHOLE
    evidence, method = sections.evidence(here, alone=alone, whole=whole), sections.method(here, alone=alone)
    values = {"here": here, "layers": layers, "way": way, "evidence": evidence, "method": method}
    values |= {"alone": alone, "whole": whole, "view": view, "results": view.results}
    return html(template, path="" if alone else path, **values)


def report_markdown(view: ReportView) -> str:
    """Return the report as Markdown."""
    return markdown("report.md.j2", view=view, results=view.results)


# Templates compiled once, by Jinja's own cache beside them, into code that depends on their text alone.
#
# Jinja folds what it can compute when it compiles, and so writes a language and a filter of ours into the
# code. That is turned off here: one compiled template serves all languages, and is the same whenever made.

COMPILED = "__pycache__"


class Faithful(CodeGenerator):
    """Compiles without computing: what a template calls is called when a page is rendered."""

    def _output_child_to_const(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class Compiled(FileSystemBytecodeCache):
    """Jinja's cache, where it can be written and Python was not told to write no compiled code."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, where a file has it that is not damaged."""
        # pickle raises anything for what is damaged.
        with suppress(Exception):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def _keep_compiled(environment: Environment, kind: str) -> None:
    """Have an environment keep what it compiles, and compute nothing when it compiles.

    `kind` tells environments apart that compile the same text in another way.
    """
    folder = templates() / COMPILED
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    # Jinja's own check sees another text and another Python, but neither another Jinja nor another `kind`.
    made_by = f"{kind}-{metadata.version('jinja2')}.{sys.implementation.cache_tag}"
    environment.code_generator_class = Faithful
    environment.optimized = False
    environment.bytecode_cache = Compiled(str(folder), f"%s-{made_by}.pyc")
