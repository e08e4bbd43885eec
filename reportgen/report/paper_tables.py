"""The tables of a report that belong into a paper's appendix, as LaTeX."""

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.report.blocks import PaperTable, paper_tables_in
from reportgen.report.escaping import guarded, latex, row
from reportgen.report.sections import whole
from reportgen.report.tables import Cell, Kind, ReportTable, cell_text
from reportgen.report.view import ReportView
from reportgen.results import Figure
from reportgen.words import numbers
from reportgen.words.language import _, say

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
    tables = _flushed("\n".join(printed))
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


def _flushed(tables: str) -> str:
    """Return tables with a new page after each dozen: of more that wait for a place TeX keeps none."""
    first, *others = tables.split(END_OF_FLOAT)
    parts = (f"{CLEAR if number % MOST_FLOATS == 0 else ''}{part}" for number, part in enumerate(others, 1))
    return END_OF_FLOAT.join([first, *parts])


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
    """Return for each figure of a table whether it has a value."""
    cells = (cell for row in chosen.table.rows for cell in row)
    return [cell.value is not None for cell in cells if isinstance(cell, Figure)]
