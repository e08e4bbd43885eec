"""The tables of a report that belong into a paper's appendix, as LaTeX."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from reportgen.report import contents, replacement, span_tables
from reportgen.report.escaping import guarded, latex, row
from reportgen.report.layer_view import LayerView, UnitSetView
from reportgen.report.tables import Cell, ReportTable, cell_text, columns_kept, setting
from reportgen.report.view import ReportView
from reportgen.results import Figure, Results, UnitSet
from reportgen.results.annotators import Replacement
from reportgen.results.marks import SpanLayer
from reportgen.words import numbers
from reportgen.words.language import _, names, say, say_many

# Tables as LaTeX: rules of booktabs, values above values, wide tables in parts, long ones over pages.

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


def environments(table: ReportTable, caption: str, label: str, notes: Sequence[str] = ()) -> str:
    """Return a table with its caption and label, in as many parts as its columns take; notes come below."""
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
    columns: Sequence[Printed], caption: str, label: str, notes: Sequence[str], *, total: bool
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


def _columns(table: ReportTable) -> list[Printed]:
    return [
        Printed(
            column.title,
            tuple(_parts(record[place], table, place) for record in table.rows),
            place == 0 or column.kind == "text",
        )
        for place, column in enumerate(table.columns)
    ]


def _parts(cell: Cell, table: ReportTable, place: int) -> tuple[str, ...]:
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


# The tables of a report that belong into a paper's appendix, as LaTeX.

# Every installation of TeX has these.
PACKAGES = (r"\usepackage{array,booktabs,longtable}", r"\usepackage[T1]{fontenc}")


@dataclass(frozen=True)
class PaperTable:
    """A table with the words above it, what it is called, and what is said below it."""

    table: ReportTable
    caption: str
    name: str
    notes: list[str] = field(default_factory=list)


def tables_tex(view: ReportView) -> str:
    """Return the tables of a report, each in an environment of its own."""
    head = [
        _("Tables of the agreement report, made with reportgen, to be read into a paper."),
        say("In the preamble: {packages}", packages="".join(PACKAGES)),
        _("Letters of other scripts need LuaLaTeX or XeLaTeX and a font that has them."),
    ]
    several = len(view.layers) > 1
    seen: dict[str, int] = {}
    shown = (_printed(each, layer, several, seen) for layer, each in _chosen(view))
    return "\n".join([*(f"% {line}" for line in head), "", *shown])


def _printed(chosen: PaperTable, layer: str, several: bool, seen: dict[str, int]) -> str:  # noqa: FBT001
    caption = chosen.caption
    if several:
        caption = say("{caption} Layer {layer}.", caption=caption, layer=layer)
    label = _label(f"{chosen.name}-{layer}" if several else chosen.name, seen)
    return environments(chosen.table, caption, label, chosen.notes)


def _label(name: str, seen: dict[str, int]) -> str:
    """Return what a table is referred to by: nothing but letters, digits and hyphens, and no two alike."""
    found = f"tab:agreement-{re.sub('[^A-Za-z0-9]+', '-', name).strip('-').lower()}"
    seen[found] = seen.get(found, 0) + 1
    return found if seen[found] == 1 else f"{found}-again-{seen[found]}"


def _chosen(view: ReportView) -> Iterator[tuple[str, PaperTable]]:
    for layer in view.layers:
        yield from ((layer.id, each) for each in _of_layer(layer))
    for models in view.models:
        yield from ((models.layer, each) for each in _of_models(view.results, models))
    for marks in view.results.spans.layers if view.results.spans else ():
        yield from ((marks.layer, each) for each in _of_spans(view.results, marks))


def _of_layer(layer: LayerView) -> Iterator[PaperTable]:
    yield PaperTable(contents.choices_shown(layer.members), _("What counts as a unit."), "units")
    yield PaperTable(
        contents.coefficients(layer.results, layer.members),
        _("Agreement by unit set: value and 95% interval."),
        "coefficients",
        [
            say("Undefined: {figures}, because {reason}.", figures=names(figures), reason=reason)
            for reason, figures in contents.undefined(layer.results, layer.members).items()
        ],
    )
    yield from _of_unit_set(layer.primary)
    if layer.sizes:
        yield PaperTable(layer.sizes, _("Agreement at other sizes of the non-annotated category."), "sizes")


def _of_unit_set(primary: UnitSetView) -> Iterator[PaperTable]:
    found = primary.unit_set
    of = {"unit_set": found.id, "count": numbers.count(found.units_compared)}
    if primary.pair and primary.matrix_shown:
        people = primary.pair.confusion
        caption = say(
            "Confusion matrix ({unit_set}): rows are the labels of {rows}, columns those of {columns}.",
            unit_set=found.id,
            rows=people.rows,
            columns=people.columns,
        )
        yield PaperTable(primary.matrix_shown, caption, "confusion")
    elif primary.matrix_shown:
        caption = say("How often the labels of two annotators meet on a unit ({unit_set}).", **of)
        yield PaperTable(primary.matrix_shown, caption, "coincidences")
    caption = _specific_caption(found)
    shown, every = primary.specific_shown, primary.specific
    if len(shown.rows) < len(every.rows):
        least = say(
            "Shown are the {count} categories of {all} on which annotators agree least.",
            count=numbers.count(len(shown.rows)),
            all=numbers.count(len(every.rows)),
        )
        caption = f"{caption} {least}"
    yield PaperTable(shown, caption, "specific")
    if primary.pairs_shown:
        yield PaperTable(primary.pairs_shown, _pairs_caption(primary), "pairs")


def _specific_caption(unit_set: UnitSet) -> str:
    of = {"unit_set": unit_set.id, "count": numbers.count(unit_set.units_compared)}
    if unit_set.sets:
        return say_many(
            "Agreement on each label, chosen or not ({unit_set}, {count} unit).",
            "Agreement on each label, chosen or not ({unit_set}, {count} units).",
            unit_set.units_compared,
            **of,
        )
    return say_many(
        "Specific agreement by category ({unit_set}, {count} unit).",
        "Specific agreement by category ({unit_set}, {count} units).",
        unit_set.units_compared,
        **of,
    )


def _pairs_caption(primary: UnitSetView) -> str:
    shown = len(primary.pairs_shown.rows) if primary.pairs_shown else 0
    if primary.pairs and shown < len(primary.pairs.rows):
        return say_many(
            "The {count} pair of annotators that agrees least ({unit_set}).",
            "The {count} pairs of annotators that agree least ({unit_set}).",
            shown,
            unit_set=primary.unit_set.id,
        )
    return say("Agreement of every two annotators ({unit_set}).", unit_set=primary.unit_set.id)


def _of_models(results: Results, found: Replacement) -> Iterator[PaperTable]:
    note = say("Nearer to {what}.", what=replacement.nearer_to(found))
    caption = (
        _("The alternative annotator test: models beside annotators. No ε is declared.")
        if found.epsilon is None
        else say(
            "The alternative annotator test: models beside annotators, ε = {price}.",
            price=setting(found.epsilon),
        )
    )
    yield PaperTable(replacement.models_table(results, found), caption, "models", [note])
    if beside := replacement.beside(results, found):
        yield PaperTable(beside, beside.caption, "models-beside")


def _of_spans(results: Results, layer: SpanLayer) -> Iterator[PaperTable]:
    if pairs := span_tables.pairs_of(results, layer.layer):
        caption = _("Precision, recall and F-measure of marks with the same ends and the same label.")
        yield PaperTable(
            _without_outcomes(span_tables.pairs_table(layer.layer, span_tables.least_agreeing(pairs))),
            caption,
            "spans",
        )
    if types := span_tables.types_table(results, layer):
        caption = _("F-measure by type of mark.")
        yield PaperTable(_without_outcomes(types), caption, "span-types")


def _without_outcomes(table: ReportTable) -> ReportTable:
    """Return a table of marks without the counts that its figures are made of."""
    kept = [place for place, column in enumerate(table.columns) if column.key not in span_tables.OUTCOMES]
    return replace(columns_kept(table, kept), links=())
