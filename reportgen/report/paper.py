"""For papers: tables, methods and references as LaTeX and BibTeX, as a Word document, and as a workbook."""

import datetime as dt
import io
import re
import tempfile
import textwrap
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.base.files import templates
from reportgen.report import material
from reportgen.report.blocks import (
    Cited,
    FigureBlock,
    Inline,
    PaperTable,
    Text,
    paper_figures_in,
    paper_tables_in,
    parts,
    tables_in,
)
from reportgen.report.escaping import field, guarded, latex, row
from reportgen.report.material import entry, identifier, people, title
from reportgen.report.material import key as key_of_report
from reportgen.report.sections import whole
from reportgen.report.sections.method import leading, methods_details, methods_paragraph
from reportgen.report.tables import Cell, Kind, ReportTable, cell_text, csv_columns, csv_rows, unbroken
from reportgen.report.view import ReportView
from reportgen.results import Figure, Reference, Results, Work
from reportgen.words import numbers
from reportgen.words.language import _, edition, printable, say
from reportgen.words.names import inside

if TYPE_CHECKING:
    from docx.document import Document
    from docx.opc.packuri import PackURI
    from docx.table import Table
    from xlsxwriter import Workbook

# Tables as LaTeX: rules of booktabs, values above values, wide tables in parts, long ones over pages.

# How many digits a line of an article has room for, by the size of its type, and the gap between columns;
# wider tables come in parts.
SIZES = (
    (69.0, 2.4, r"\normalsize"),
    (74.0, 2.4, r"\small"),
    (80.0, 1.9, r"\footnotesize\setlength{\tabcolsep}{4pt}"),
)
WIDEST, BETWEEN, SMALLEST = SIZES[-1]
# Signs that are narrower than a digit, and letters that are wider, by how much.
WIDTHS = {
    **dict.fromkeys(".,:;'|!ijlI[]() ft-", 0.6),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZmw", 1.4),
    "W": 2,
    "M": 1.8,
    "−": 1.6,
}
LETTER = 1.0
# Texts that are longer are set in lines; words that are longer may be broken anywhere near.
LONGEST, LONGEST_WORD, PIECE = 30, 24, 12
# Heads are set in lines of so many letters, those above values and intervals of more.
HEAD, WIDE_HEAD = 12, 19
# More rows than these run over pages.
MOST_ROWS = 36


@dataclass(frozen=True)
class Printed:
    """A column as LaTeX sets it: its head and its cells, of which an estimate's have two parts."""

    head: str
    cells: tuple[tuple[str, ...], ...]
    text: bool

    @cached_property
    def parts(self) -> int:
        """Return how many columns of LaTeX it takes: one, or one for values and one for intervals."""
        return max((len(cell) for cell in self.cells), default=1)

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines of its head."""
        most = WIDE_HEAD if self.parts > 1 else HEAD
        words = max(map(len, self.head.split()), default=0)
        return textwrap.wrap(self.head, max(most, min(words, LONGEST_WORD)), break_on_hyphens=False) or [""]

    @cached_property
    def width(self) -> float:
        """Return its width in digits."""
        cells = [cell for cell in self.cells if len(cell) == self.parts]
        values = sum(max(map(_wide, part)) for part in zip(*cells, strict=True))
        most = max(values, *map(_wide, self.lines))
        return min(most, LONGEST) if self.text else most

    @property
    def long(self) -> bool:
        """Tell whether its texts are set in lines."""
        return self.text and any(len(text) > LONGEST for cell in self.cells for text in cell)

    @property
    def kind(self) -> str:
        """Return how LaTeX aligns it."""
        if self.long:
            return f">{{\\raggedright\\arraybackslash}}p{{{LONGEST // 2}em}}"
        return "l" if self.text else "r@{ }l" if self.parts > 1 else "r"

    @property
    def title(self) -> str:
        """Return its head."""
        side = "l" if self.text else "c" if self.parts > 1 else "r"
        shown = r"\\".join(guarded(latex(line)) for line in self.lines)
        if len(self.lines) > 1:
            shown = f"\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{shown}\\end{{tabular}}"
        return f"\\multicolumn{{{self.parts}}}{{{side}}}{{{shown}}}" if self.parts > 1 else shown

    def cell(self, row_index: int) -> str:
        """Return one of its cells."""
        parts = self.cells[row_index]
        if self.text:
            return breakable(parts[0])
        return " & ".join(map(latex, (*parts, *[""] * (self.parts - len(parts)))))


def environments(table: ReportTable, caption: str, labels: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Return a table with its caption and labels, in as many parts as its columns take; notes come below."""
    first, *others = (
        Printed(
            column.title,
            tuple(_parts(record[column_index], column.kind) for record in table.rows),
            column_index == 0 or column.kind == "text",
        )
        for column_index, column in enumerate(table.columns)
    )
    # Columns in as few parts as have room, of about the same width.
    room = WIDEST - first.width
    fewest = _grouped(others, room)
    # The least room, in twentieths, in which they are no more parts makes these alike.
    tighter = (_grouped(others, room * share / 20) for share in range(1, 20))
    parts = next((parts for parts in tighter if len(parts) == len(fewest)), fewest)
    printed = []
    for number, part in enumerate(parts, 1):
        last, said, names = number == len(parts), caption, labels
        if len(parts) > 1:
            said = say(
                "{caption} Part {part} of {parts}.",
                caption=caption,
                part=numbers.count(number),
                parts=numbers.count(len(parts)),
            )
        if number > 1:
            names = [f"{labels[0]}-{number}"]
        named = "".join((f"\\caption{{{latex(said)}}}", *(f"\\label{{{name}}}" for name in names)))
        printed.append(_environment([first, *part], named, notes if last else (), total=table.total))
    return "\n".join(printed)


def _environment(columns: Sequence[Printed], named: str, notes: Sequence[str], *, total: bool) -> str:
    """Return columns as a table with its caption and label; one over pages has its head on each."""
    head = row(column.title for column in columns)
    rows = [row(column.cell(row_index) for column in columns) for row_index in range(len(columns[0].cells))]
    if total:
        rows.insert(-1, r"\midrule")
    kinds = f"@{{}}{''.join(column.kind for column in columns)}@{{}}"
    below = [f"\\par\\smallskip\\footnotesize {latex(note)}" for note in notes]
    width = sum(column.width for column in columns)
    gaps = len(columns) - 1
    size = next((size for most, between, size in SIZES if width + gaps * between <= most), SMALLEST)
    if len(rows) > MOST_ROWS:
        lines = [
            *(f"\\begingroup{size}", f"\\begin{{longtable}}{{{kinds}}}", f"{named} \\\\"),
            *(r"\toprule", head, r"\midrule", r"\endfirsthead"),
            *(r"\toprule", head, r"\midrule", r"\endhead"),
            *(r"\bottomrule", r"\endfoot", *rows, r"\end{longtable}", *below, r"\endgroup"),
        ]
    else:
        lines = [
            *(r"\begin{table}[tbp]", r"\centering", named, r"\smallskip", size),
            *(f"\\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            *(r"\end{tabular}", *below, r"\end{table}"),
        ]
    return "\n".join([*lines, ""])


def _grouped(columns: Sequence[Printed], room: float) -> list[list[Printed]]:
    """Return columns as many at a time as have room beside each other, at least one."""
    groups: list[list[Printed]] = [[]]
    left = room
    for column in columns:
        width = column.width + BETWEEN
        if groups[-1] and width > left:
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= width
    return groups


def _parts(cell: Cell, kind: Kind) -> tuple[str, ...]:
    if isinstance(cell, Figure) and cell.value is not None:
        return tuple(filter(None, (numbers.figure(cell.value), numbers.interval(cell.interval))))
    return (cell_text(cell, kind),)


def _wide(text: str) -> float:
    return sum(WIDTHS.get(sign, LETTER) for sign in text)


def breakable(text: str) -> str:
    """Return text whose longest words LaTeX may break."""
    if len(text) <= LONGEST_WORD:
        return latex(text)

    def broken(word: str) -> str:
        step = PIECE if len(word) > LONGEST_WORD else max(1, len(word))
        pieces = (word[start : start + step] for start in range(0, len(word), step))
        return r"\hspace{0pt}".join(map(latex, pieces))

    return "".join(map(broken, re.split(r"(\s+)", text)))


# The tables of a report that belong into a paper's appendix, as LaTeX.

# Every installation of TeX has these.
PACKAGES = (r"\usepackage{array,booktabs,longtable}", r"\usepackage[T1]{fontenc}")


LABEL = "tab:agreement-"
# So many tables at most wait for a place on a page: LaTeX has room for 18, newer ones for 52.
MOST_FLOATS = 12
END_OF_FLOAT, CLEAR = "\\end{table}\n", "\\clearpage\n"
# Names of scripts that are no words, such as CJK.
ACRONYM = 3


# What comes first of each layer, in this order; then these of all layers, then what else there is.
OF_A_LAYER = ("units", "coefficients", "confusion", "coincidences", "specific", "pairs", "sizes")
# The one that papers print of a layer where they print one.
LEADING = "coefficients"
OF_ALL_LAYERS = (("models", "models-beside"), ("spans", "span-types"))


def tables_tex(view: ReportView) -> str:
    """Return the tables of a report, each in an environment of its own."""
    head = [
        _("Tables of the agreement report, made with reportgen, to be read into a paper."),
        say("In the preamble: {packages}", packages="".join(PACKAGES)),
        _("Letters of other scripts need LuaLaTeX or XeLaTeX and a font that has them."),
    ]
    several_layers = len(view.layers) > 1
    labels: Counter[str] = Counter()
    printed = []
    for table in _chosen(view):
        layer, caption, name = table.layer, table.caption, table.name
        if several_layers:
            caption, name = say("{caption} Layer {layer}.", caption=caption, layer=layer), f"{name}-{layer}"
        # Nothing but letters, digits and hyphens, and no two alike.
        label = f"{LABEL}{re.sub('[^A-Za-z0-9]+', '-', name).strip('-').lower()}"
        labels[label] += 1
        again = f"-again-{labels[label]}" if labels[label] > 1 else ""
        names = [f"{label}{again}"]
        if several_layers and layer == view.layers[0].id and not labels[plain := f"{LABEL}{table.name}"]:
            labels[plain] += 1
            names.append(plain)
        printed.append(environments(table.table, caption, names, table.notes))
    # A new page after each dozen: of more that wait for a place TeX keeps none.
    first, *others = "\n".join(printed).split(END_OF_FLOAT)
    parts = (f"{CLEAR if number % MOST_FLOATS == 0 else ''}{part}" for number, part in enumerate(others, 1))
    tables = END_OF_FLOAT.join([first, *parts])
    return "\n".join([*(f"% {line}" for line in (*head, *_engines(tables))), "", tables])


def _engines(tables: str) -> Iterator[str]:
    """Yield which engines set the letters of scripts that pdfLaTeX does not know."""
    letters = {unicodedata.name(sign, "").partition(" ")[0] for sign in set(tables) if sign.isalpha()}
    if scripts := sorted(letters - {"LATIN", ""}):
        shown = ", ".join(script if len(script) <= ACRONYM else script.title() for script in scripts)
        yield say(
            "There are letters of {scripts} here, which pdfLaTeX does not set: compile with LuaLaTeX or "
            "XeLaTeX, with {fontspec} and a font that has them.",
            scripts=shown,
            fontspec=r"\usepackage{fontspec}\setmainfont{...}",
        )


def leading_tables(view: ReportView) -> list[PaperTable]:
    """Return the table of the main figures of each layer; without any, the first one that has figures."""
    chosen = [table for table in _chosen(view) if any(_figures(table))]
    return [table for table in chosen if table.name == LEADING] or chosen[:1]


def _chosen(view: ReportView) -> list[PaperTable]:
    """Return the tables that sections have for a paper, in its order."""
    layers = [layer.id for layer in view.layers]

    def place(table: PaperTable) -> tuple[int, ...]:
        if table.name in OF_A_LAYER:
            return 0, layers.index(table.layer), OF_A_LAYER.index(table.name)
        return 1, *(table.name not in names for names in OF_ALL_LAYERS)

    # One in which every figure is undefined says nothing.
    tables = (table for table in paper_tables_in(whole(view)) if any(_figures(table)) or not _figures(table))
    return sorted(tables, key=place)


def _figures(chosen: PaperTable) -> list[bool]:
    cells = (cell for row in chosen.table.rows for cell in row)
    return [cell.value is not None for cell in cells if isinstance(cell, Figure)]


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
        # After fort2010 comes fort2010b.
        ends = chain(("",), LETTERS, (f"z{number}" for number in count(2)))
        free = (f"{base}{end}" for end in ends if f"{base}{end}" not in {*keys, *library()})
        keys[next(free)] = work
    return keys


def _surname(reference: Reference) -> str:
    """Return the name of the first author, or of the title its first word of some length."""
    if reference.authors and _letters(reference.authors[0]):
        before, comma, _first = reference.authors[0].partition(",")
        return before if comma else (before.split() or [""])[-1]
    words = (word for word in reference.title.split() if len(_letters(word)) >= FEWEST_LETTERS)
    return next(words, "")


def _is_known(reference: Reference, key: str) -> bool:
    """Tell whether the catalogue names a work of that key with the same identifier or title."""
    entry = library().get(key, "")
    found = (re.search(rf"^  {name} = \{{(.*)\}},$", entry, re.MULTILINE) for name in ("doi", "title"))
    doi, title_of_entry = (match[1] if match else "" for match in found)
    if doi and reference.doi:
        return doi.casefold() == reference.doi.casefold()
    return bool(title_of_entry) and _letters(field(reference.title)).startswith(_letters(title_of_entry))


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
    return "\n\n".join([material.bibtex(results), *entries]) + "\n"


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
LONGEST_FORMULA, WIDTH = 1000, 100


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
    if "=" not in typeset or len(typeset) > LONGEST_FORMULA or not _is_harmless(typeset):
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


# The same bytes whatever the clock: the earliest moment that a zip file can say.
MOMENT = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - neither format has a zone


# The document: what was measured and how, the tables of the main figures, a figure, the works.

FONT, SIZE, SMALL = "Times New Roman", 11, 9
# Wider tables are set in smaller letters.
MOST_COLUMNS = 4
# Eighths of a point: the rules above and below a table, and the one below its head.
OUTER_RULE, INNER_RULE = 8, 4
# Inches that a page has between its margins, and pixels of a page's figure for each.
PICTURE_WIDTH, PIXELS = 6, 110
SEVERAL_AUTHORS = 2
# Letters of what a document or a workbook says of itself.
LONGEST_PROPERTY = 255


def paper_docx(view: ReportView) -> bytes:
    """Return the methods, the main tables, a figure and the references of a report as a Word document."""
    from docx import Document

    document = Document()
    # Set the letters and the language of a document, and what it says of itself.
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    about = document.core_properties
    about.title, about.comments = printable(material.report_title(view.results))[:LONGEST_PROPERTY], ""
    authors = "; ".join(author.name for author in view.results.campaign.authors)
    about.author = printable(authors)[:LONGEST_PROPERTY]
    about.language, about.created, about.modified = edition().language, MOMENT, MOMENT
    for name, size in (("Normal", SIZE), ("List", SIZE), ("Caption", SIZE), ("Heading 1", SIZE + 3)):
        style = document.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = FONT, Pt(size), RGBColor(0, 0, 0)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for script in ("ascii", "hAnsi", "eastAsia", "cs"):
            fonts.attrib.pop(qn(f"w:{script}Theme"), None)
            fonts.set(qn(f"w:{script}"), FONT)
    document.styles["Caption"].font.bold = False
    document.styles["Heading 1"].paragraph_format.space_after = Pt(SIZE / 2)
    for element in document.styles.element.iter(qn("w:lang")):
        element.set(qn("w:val"), edition().language)
    paragraph, details = methods_paragraph(view), methods_details(view)
    document.add_heading(_("Agreement"), 1)
    document.add_paragraph(printable(with_citations(paragraph)))
    tables = leading_tables(view)
    for number, table in enumerate(tables, 1):
        _add_table(document, number, table, layer=table.layer if len(view.layers) > 1 else "")
    for number, figure in enumerate([*paper_figures_in(whole(view))][:1], 1):
        _add_figure(document, number, figure)
    document.add_heading(_("Technical details"), 1)
    document.add_paragraph(printable(with_citations(details)))
    document.add_heading(_("References"), 1)
    for line in references(view, (*parts(paragraph), *parts(details))):
        document.add_paragraph(printable(line), style="List")
    # A document as a zip file that is dated by no clock: one before 1980 can't be written there.
    from docx.opc.pkgwriter import PackageWriter

    package = document.part.package
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        package_writer: Any = PackageWriter
        writer = _UndatedMembers(archive)
        # python-docx has no other way: `save` dates every member by the clock.
        package_writer._write_content_types_stream(writer, package.parts)  # noqa: SLF001
        package_writer._write_pkg_rels(writer, package.rels)  # noqa: SLF001
        package_writer._write_parts(writer, package.parts)  # noqa: SLF001
    return buffer.getvalue()


def with_citations(text: Text) -> str:
    """Return a text as papers have it, works in brackets."""
    return "".join(map(_plain_inline, parts(text)))


def references(view: ReportView, text: Text) -> list[str]:
    """Return the works that a text cites and the report itself, in the order of the alphabet."""
    works = {work for part in parts(text) if isinstance(part, Cited) for work in part.works}
    cited = (f"{work.citation}.{f' https://doi.org/{work.doi}' * bool(work.doi)}" for work in works)
    return sorted([*cited, material.text(view.results)], key=str.casefold)


def _plain_inline(part: Inline) -> str:
    """Return a part of a text; works come in brackets before its last full stop."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Cited) or not part.works:
        return part.text
    stop = "." * part.text.endswith(".")
    return f"{part.text.removesuffix('.')} ({'; '.join(map(_in_brackets, part.works))}){stop}"


def _in_brackets(work: Work) -> str:
    """Return how a text names a work: Krippendorff 2004, Hayes et al. 2007."""
    match = CITED.match(work.citation)
    if not match:
        return work.citation
    authors = re.split(", | and ", match["authors"])
    shown = match["authors"] if len(authors) <= SEVERAL_AUTHORS else f"{authors[0]} et al."
    return f"{shown} {match['year']}"


def _add_table(document: "Document", number: int, chosen: PaperTable, layer: str) -> None:
    """Add a table in the usual style of journals: its number above it, three rules, its notes below."""
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    caption = say("Table {number}. {caption}", number=numbers.count(number), caption=chosen.caption)
    if layer:
        caption = say("{caption} Layer {layer}.", caption=caption, layer=layer)
    above = document.add_paragraph(printable(caption), style="Caption")
    above.paragraph_format.keep_with_next = True
    above.paragraph_format.space_before = Pt(SIZE)
    columns, rows = chosen.table.columns, chosen.table.rows
    table = document.add_table(len(rows) + 1, len(columns))
    size = SIZE if len(columns) <= MOST_COLUMNS else SMALL
    _fill(table, 0, [column.title for column in columns], [column.kind for column in columns], size)
    for index, cells in enumerate(rows, 1):
        shown = [cell_text(cell, column.kind) for cell, column in zip(cells, columns, strict=True)]
        _fill(table, index, shown, [column.kind for column in columns], size)
    _rule(table, 0, top=OUTER_RULE, bottom=INNER_RULE)
    _rule(table, -1, bottom=OUTER_RULE)
    if chosen.table.total and len(rows) > 1:
        _rule(table, -1, top=INNER_RULE, bottom=OUTER_RULE)
    # On each page the head is there again, for screen readers too.
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # noqa: SLF001 - as above
    for note in chosen.notes:
        document.add_paragraph().add_run(printable(note)).font.size = Pt(SMALL)


def _fill(table: "Table", index: int, texts: Sequence[str], kinds: Sequence[Kind], size: int) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    for cell, text, kind in zip(table.rows[index].cells, texts, kinds, strict=True):
        line = cell.paragraphs[0]
        line.paragraph_format.space_after = Pt(1)
        line.alignment = WD_ALIGN_PARAGRAPH.LEFT if kind == "text" else WD_ALIGN_PARAGRAPH.RIGHT
        line.add_run(unbroken(printable(text))).font.size = Pt(size)


def _rule(table: "Table", index: int, **widths: int) -> None:
    """Draw rules above or below a row."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for cell in table.rows[index].cells:
        properties = cell._tc.get_or_add_tcPr()  # noqa: SLF001 - python-docx draws no rules itself
        for old in properties.findall(qn("w:tcBorders")):
            properties.remove(old)
        borders: Any = OxmlElement("w:tcBorders")
        for side, width in widths.items():
            rule = OxmlElement(f"w:{side}")
            for key, value in {"val": "single", "sz": str(width), "space": "0", "color": "000000"}.items():
                rule.set(qn(f"w:{key}"), value)
            borders.append(rule)
        properties.append(borders)


def _add_figure(document: "Document", number: int, figure: FigureBlock) -> None:
    """Add a figure with its caption, and its data in words for those who don't see it."""
    from docx.shared import Inches, Pt

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.png"
        figure.drawing.save(file)
        document.add_picture(
            str(file), width=Inches(min(figure.drawing.plot.size[0] / PIXELS, PICTURE_WIDTH))
        )
    picture = document.inline_shapes[-1]._inline.docPr  # noqa: SLF001 - python-docx has no other way
    picture.set("title", printable(figure.drawing.title))
    picture.set("descr", printable(figure.drawing.plot.described))
    document.paragraphs[-1].paragraph_format.keep_with_next = True
    document.paragraphs[-1].paragraph_format.space_before = Pt(SIZE)
    words = [
        f"{figure.drawing.title}." * bool(figure.drawing.title),
        "".join(map(_plain_inline, parts(figure.caption))),
    ]
    caption = say(
        "Figure {number}. {caption}", number=numbers.count(number), caption=" ".join(filter(None, words))
    )
    document.add_paragraph(printable(caption), style="Caption")


@dataclass(frozen=True)
class _UndatedMembers:
    """What python-docx writes the members of a document to."""

    archive: zipfile.ZipFile

    def write(self, name: "PackURI", content: bytes) -> None:
        """Write a member, dated as all are."""
        entry = zipfile.ZipInfo(name.membername, MOMENT.timetuple()[:6])
        self.archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


# The workbook: a sheet for each table of the report, and before them what there is.

# What Excel takes: letters of a sheet's name and of a cell, rows of a sheet.
LONGEST_NAME, LONGEST_CELL, MOST_SHEET_ROWS = 31, 32_767, 1_048_576
NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
# Excel keeps this name for itself.
RESERVED = "history"
WIDEST_COLUMN, NARROWEST_COLUMN = 60, 8
FORMATS: dict[Kind, str] = {
    "count": "#,##0",
    "figure": "0.000",
    "estimate": "0.000",
    "decimal": "0.00",
    "percent": "0.0%",
    "p": "0.000",
}


def tables_xlsx(view: ReportView) -> bytes:
    """Return every table of a report as a workbook: a sheet each, numbers as numbers at full precision."""
    from xlsxwriter import Workbook

    tables = tables_in(whole(view))
    buffer = io.BytesIO()
    # What a campaign says is text: no formula, no number, no link.
    plain = dict.fromkeys(("strings_to_formulas", "strings_to_numbers", "strings_to_urls"), False)
    book = Workbook(buffer, {"in_memory": True, **plain})
    title = printable(material.report_title(view.results))[:LONGEST_PROPERTY]
    book.set_properties({"title": title, "created": MOMENT})
    styles = {kind: book.add_format({"num_format": shape}) for kind, shape in FORMATS.items()}
    head = book.add_format({"bold": True, "bottom": 1})
    first = _("Contents")
    names = sheet_names(table.file.removesuffix(".csv") for table in tables)
    _add_contents(book, first if first.casefold() not in names else "0", names, tables)
    for name, table in zip(names, tables, strict=True):
        # Fill a sheet as the table's CSV is filled.
        sheet = book.add_worksheet(name)
        columns = csv_columns(table)
        widths = [len(key) for key, _kind in columns]
        for column, (key, _kind) in enumerate(columns):
            sheet.write_string(0, column, printable(key), head)
        row = 0
        for row, cells in enumerate(islice(csv_rows(table), MOST_SHEET_ROWS - 1), 1):
            for column, (cell, (_key, kind)) in enumerate(zip(cells, columns, strict=True)):
                if isinstance(cell, str):
                    shown = printable(cell)[:LONGEST_CELL]
                    sheet.write_string(row, column, shown)
                    widths[column] = max(widths[column], len(shown))
                elif isinstance(cell, int | float):
                    sheet.write_number(row, column, cell, styles.get(kind))
        for column, width in enumerate(widths):
            sheet.set_column(column, column, min(max(width, NARROWEST_COLUMN), WIDEST_COLUMN))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, row, max(len(columns) - 1, 0))
    book.close()
    return buffer.getvalue()


def sheet_names(files: Iterable[str]) -> list[str]:
    """Return a name for each sheet that Excel takes, no two alike."""
    names: list[str] = []
    taken = {RESERVED, _("Contents").casefold()}
    for file in files:
        base = NOT_IN_NAMES.sub("-", printable(file))[:LONGEST_NAME]
        name, number = base, 2
        while name.casefold() in taken:
            end = f"~{number}"
            name, number = f"{base[: LONGEST_NAME - len(end)]}{end}", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def _add_contents(book: "Workbook", name: str, names: Sequence[str], tables: Sequence[ReportTable]) -> None:
    sheet, bold = book.add_worksheet(name), book.add_format({"bold": True})
    sheet.set_column(0, 0, LONGEST_NAME)
    sheet.set_column(1, 1, 2 * WIDEST_COLUMN)
    for column, heading in enumerate((_("Sheet"), _("What it is"))):
        sheet.write_string(0, column, heading, bold)
    for line, (sheet_name, table) in enumerate(zip(names, tables, strict=True), 1):
        sheet.write_url(line, 0, f"internal:'{sheet_name}'!A1", string=sheet_name)
        said = table.caption or table.what
        if len(table.rows) >= MOST_SHEET_ROWS:
            more = say(
                "The first {rows} rows; all are in {file}.",
                rows=numbers.count(MOST_SHEET_ROWS - 1),
                file=table.file,
            )
            said = f"{said} {more}"
        sheet.write_string(line, 1, printable(said)[:LONGEST_CELL])
