"""Tables as LaTeX: rules of booktabs, values above values, wide tables in parts, long ones over pages."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import numbers
from reportgen.report.language import say
from reportgen.report.tables import Cell, Table, cell_text
from reportgen.report.tex import guarded, latex, row
from reportgen.results import Figure

# How many digits a line of an article holds, by the size of its type, with what stands between two columns;
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
        cells = sum(max((_wide(cell[part]) for cell in self._full), default=0) for part in range(self.parts))
        most = max(cells, *map(_wide, self.lines))
        return min(most, LONGEST) if self.text else most

    @property
    def _full(self) -> list[tuple[str, ...]]:
        return [cell for cell in self.cells if len(cell) == self.parts]

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

    def cell(self, place: int) -> str:
        """Return one of its cells."""
        found = self.cells[place]
        if self.text:
            return breakable(found[0])
        return " & ".join(map(latex, (*found, *[""] * (self.parts - len(found)))))


def environments(table: Table, caption: str, label: str, notes: Sequence[str] = ()) -> str:
    """Return a table with its caption and label, in as many parts as its columns take; notes stand below."""
    first, *others = _columns(table)
    parts = _balanced(others, WIDEST - first.width)
    return "\n".join(
        _environment(
            [first, *part],
            _numbered(caption, place, len(parts)),
            label if place == 1 else f"{label}-{place}",
            notes if place == len(parts) else (),
            total=table.total,
        )
        for place, part in enumerate(parts, 1)
    )


def _numbered(caption: str, place: int, parts: int) -> str:
    if parts == 1:
        return caption
    return say(
        "{caption} Part {part} of {parts}.",
        caption=caption,
        part=numbers.count(place),
        parts=numbers.count(parts),
    )


def _environment(
    columns: Sequence[Printed],
    caption: str,
    label: str,
    notes: Sequence[str],
    *,
    total: bool,
) -> str:
    head = row(column.title for column in columns)
    rows = [row(column.cell(place) for column in columns) for place in range(len(columns[0].cells))]
    if total:
        rows.insert(-1, r"\midrule")
    named = f"\\caption{{{latex(caption)}}}\\label{{{label}}}"
    kinds = f"@{{}}{''.join(column.kind for column in columns)}@{{}}"
    below = [f"\\par\\smallskip\\footnotesize {latex(note)}" for note in notes]
    if len(rows) > MOST_ROWS:
        size = _size(columns)
        return "\n".join([f"\\begingroup{size}", *_long(kinds, named, head, rows), *below, "\\endgroup", ""])
    inside = [f"\\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    above = [r"\begin{table}[tbp]", r"\centering", named, r"\smallskip", _size(columns)]
    return "\n".join([*above, *inside, r"\end{tabular}", *below, r"\end{table}", ""])


def _long(kinds: str, named: str, head: str, rows: Sequence[str]) -> list[str]:
    """Return a table that runs over pages, its head on each."""
    return [
        f"\\begin{{longtable}}{{{kinds}}}",
        f"{named} \\\\",
        *(r"\toprule", head, r"\midrule", r"\endfirsthead"),
        *(r"\toprule", head, r"\midrule", r"\endhead"),
        *(r"\bottomrule", r"\endfoot"),
        *rows,
        r"\end{longtable}",
    ]


def _size(columns: Sequence[Printed]) -> str:
    width = sum(column.width for column in columns)
    gaps = len(columns) - 1
    return next((size for most, between, size in SIZES if width + gaps * between <= most), SMALLEST)


def _balanced(columns: Sequence[Printed], room: float) -> list[list[Printed]]:
    """Return columns in as few parts as have room, of about the same width."""
    most = _grouped(columns, room)
    rooms = (room * share / 20 for share in range(1, 20))
    tighter = (_grouped(columns, each) for each in rooms)
    return next((parts for parts in tighter if len(parts) == len(most)), most)


def _grouped(columns: Sequence[Printed], room: float) -> list[list[Printed]]:
    """Return columns as many at a time as stand beside each other, at least one."""
    groups: list[list[Printed]] = [[]]
    left = room
    for column in columns:
        if groups[-1] and column.width + BETWEEN > left:
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= column.width + BETWEEN
    return groups


def _columns(table: Table) -> list[Printed]:
    return [
        Printed(
            column.title,
            tuple(_parts(record[place], table, place) for record in table.rows),
            place == 0 or column.kind == "text",
        )
        for place, column in enumerate(table.columns)
    ]


def _parts(cell: Cell, table: Table, place: int) -> tuple[str, ...]:
    if isinstance(cell, Figure) and cell.value is not None:
        found = numbers.interval(cell.interval)
        return (numbers.figure(cell.value), found) if found else (numbers.figure(cell.value),)
    return (cell_text(cell, table.columns[place].kind),)


def _wide(text: str) -> float:
    return sum(WIDTHS.get(sign, LETTER) for sign in text)


def breakable(text: str) -> str:
    """Return text whose longest words LaTeX may break."""
    if len(text) <= LONGEST_WORD:
        return latex(text)
    return "".join(map(_broken, re.split(r"(\s+)", text)))


def _broken(word: str) -> str:
    if len(word) <= LONGEST_WORD:
        return latex(word)
    pieces = (word[place : place + PIECE] for place in range(0, len(word), PIECE))
    return r"\hspace{0pt}".join(map(latex, pieces))
