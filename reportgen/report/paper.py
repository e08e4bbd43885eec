"""For papers: the report's tables, methods and references as LaTeX and BibTeX."""

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain, count

from reportgen.base.dataclass import dataclass
from reportgen.base.files import templates
from reportgen.report import citation
from reportgen.report.blocks import Cited, Inline, PaperTable, Text, paper_tables_in, parts
from reportgen.report.citation import entry, identifier, people, title
from reportgen.report.citation import key as key_of_report
from reportgen.report.escaping import field, guarded, latex, row
from reportgen.report.sections import whole
from reportgen.report.sections.method import leading, methods_details, methods_paragraph
from reportgen.report.tables import Cell, Kind, ReportTable, cell_text
from reportgen.report.view import ReportView
from reportgen.results import Figure, Reference, Results, Work
from reportgen.words import numbers
from reportgen.words.language import _, say
from reportgen.words.names import inside

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
    parts = _balanced(others, WIDEST - first.width)
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


def _balanced(columns: Sequence[Printed], room: float) -> list[list[Printed]]:
    """Return columns in as few parts as have room, of about the same width."""
    fewest = _grouped(columns, room)
    # The least room, in twentieths, in which they are no more parts makes these alike.
    tighter = (_grouped(columns, room * share / 20) for share in range(1, 20))
    return next((parts for parts in tighter if len(parts) == len(fewest)), fewest)


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
