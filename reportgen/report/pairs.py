"""Who agrees with whom: a table of annotators by annotators, and a page for each two of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from reportgen.report import confusion, contents
from reportgen.report.tables import Cell, ReportTable, TableColumn, roles
from reportgen.results import AnnotatorMeans, Mean, Pair, Results, UnitSet
from reportgen.results.marks import SpanDocument, SpanPair
from reportgen.words.language import _, say
from reportgen.words.numbers import figure, pointed

# With more people the table has a page of its own, with more than MOST there is none.
MOST_BESIDE = 12
MOST = 50
TWO = 2
# Of the documents of two people on their page; all of them stand in the CSV.
MOST_DOCUMENTS = 250
SHARES = ("precision", "recall", "f_measure")
# The classes of a figure around 0.5, from below; their upper ends.
CLASSES = (
    (0.2, "low-3"),
    (0.35, "low-2"),
    (0.5, "low-1"),
    (0.65, "high-1"),
    (0.8, "high-2"),
    (float("inf"), "high-3"),
)
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]*")


def around_half(value: float | None) -> str:
    """Return the class that colours a figure, empty where there is none."""
    return "" if value is None else next(name for end, name in CLASSES if value < end)


def stretch(start: float, end: float) -> str:
    """Return the figures of a class in words."""
    low, high = (pointed(f"{each:g}") for each in (start, min(end, 1.0)))
    return say("{first} to {last}", first=low, last=high)


@dataclass(frozen=True)
class PairCell:
    """Two people in the table; `shared` tells whether they share a document, `href` leads to their page."""

    micro: float | None
    macro: float | None
    shared: bool = False
    href: str = ""

    @property
    def shade(self) -> str:
        """Return the class of its colour."""
        return around_half(self.micro)

    @property
    def text(self) -> str:
        """Return the pooled figure."""
        return figure(self.micro)

    @property
    def mean(self) -> str:
        """Return the mean over documents, empty where it is not known."""
        return "" if self.macro is None else figure(self.macro)


NOTHING = PairCell(None, None)


def _of_means(means: Mapping[str, Mean]) -> PairCell:
    micro, macro = means.get("micro"), means.get("macro")
    return PairCell(micro.value if micro else None, macro.value if macro else None, micro is not None)


@dataclass(frozen=True)
class PairRow:
    """One person's row: the cells, and the means with all others and with the reference."""

    name: str
    cells: tuple[PairCell, ...]
    others: PairCell
    references: PairCell


@dataclass(frozen=True)
class PairwiseTable:
    """One layer's table: who stands in it, in rows and columns alike; `spans` tells what is compared."""

    layer: str
    spans: bool
    columns: tuple[str, ...]
    rows: tuple[PairRow, ...]
    referenced: bool

    @property
    def known_macro(self) -> bool:
        """Tell whether means over documents are known."""
        return any(cell.mean for row in self.rows for cell in row.cells)


@dataclass(frozen=True)
class LayerPair:
    """One layer of a pair's page: the spans, and the units of the primary unit set."""

    layer: str
    spans: SpanPair | None
    units: Pair | None
    unit_set: UnitSet | None

    @property
    def figures(self) -> ReportTable | None:
        """Return precision, recall and F under each mode, None where no texts were marked."""
        if self.spans is None:
            return None
        spans = self.spans
        columns = (
            TableColumn("mode", _("Partial matches")),
            *(TableColumn(name, title, "estimate") for name, title in zip(SHARES, _titles(), strict=True)),
            TableColumn("macro", _("F, mean over documents"), "figure"),
        )
        modes = ((_("count nothing: strict"), "strict"), (_("count half: average"), "average"))
        rows = tuple(
            (text, *(shares[name] for name in SHARES), spans.macro_documents[mode]["f_measure"].value)
            for text, mode in (*modes, (_("count fully: lenient"), "lenient"))
            for shares in (getattr(spans, mode),)
        )
        return ReportTable(f"figures-{self.layer}", "", columns, rows)

    @property
    def confusion(self) -> ReportTable | None:
        """Return the confusion matrix in the primary unit set, None where they share no unit of it."""
        if self.units is None or self.unit_set is None:
            return None
        return confusion.confusion(contents.slug(self.unit_set), self.units)

    @property
    def cut(self) -> bool:
        """Tell whether some documents stand in the CSV alone."""
        return bool(self.spans and len(self.spans.by_document or ()) > MOST_DOCUMENTS)

    def documents(self, hrefs: Mapping[str, str]) -> ReportTable | None:
        """Return the documents that both saw, the worst first, as far as a page shows them.

        `hrefs` are their pages', by name.
        """
        if self.spans is None or self.spans.by_document is None:
            return None
        first, second = self.spans.annotators
        found = sorted(self.spans.by_document.items(), key=_worst_first)[:MOST_DOCUMENTS]
        columns = (
            TableColumn("document", _("Document")),
            TableColumn("match", _("Match"), "count"),
            TableColumn("overlap", _("Overlap"), "count"),
            TableColumn("only_first", say("Only {name}", name=first), "count"),
            TableColumn("only_second", say("Only {name}", name=second), "count"),
            *(TableColumn(name, title, "figure") for name, title in zip(SHARES, _titles(), strict=True)),
            TableColumn("lenient", _("F, lenient"), "figure"),
        )
        blank = (None,) * (len(columns) - 1)
        return ReportTable(
            f"documents-{self.layer}",
            _("The documents that both saw, the worst first; precision, recall and F are strict."),
            columns,
            tuple((name, *_document(each)) for name, each in found),
            links=tuple((hrefs.get(name), *blank) for name, _ in found),
        )


def _titles() -> tuple[str, ...]:
    return (_("Precision"), _("Recall"), "F")


def _document(each: SpanDocument) -> tuple[Cell, ...]:
    counts = (each.counts.match, each.counts.overlap, each.counts.only_first, each.counts.only_second)
    return (*counts, *(each.strict[name] for name in SHARES), each.lenient["f_measure"])


def _worst_first(item: tuple[str, SpanDocument]) -> tuple[bool, float, int]:
    """Return the order of a document: by its F, then by how much is wrong; where F is undefined, last."""
    _, each = item
    value = each.strict["f_measure"]
    wrong = each.counts.overlap + each.counts.only_first + each.counts.only_second
    return value is None, value or 0.0, -wrong


@dataclass(frozen=True)
class PairPage:
    """The page of two people."""

    file: str
    names: tuple[str, str]
    layers: tuple[LayerPair, ...]


class Pairs:
    """The tables and pages of all pairs of one report; none where there are too many people."""

    def __init__(self, results: Results) -> None:
        """Keep the results; tables and pages are made when they are asked for."""
        self._results = results
        self._spans = {
            (each.layer, frozenset(each.annotators)): each
            for each in (results.spans.pairs if results.spans else ())
        }
        self._sets: dict[str, UnitSet] = {}
        for each in results.unit_sets:
            # A key keeps its place: layers in their order, each with its primary unit set, else its first.
            if each.primary or each.layer not in self._sets:
                self._sets[each.layer] = each
        self._units = {
            (layer, frozenset(pair.annotators)): pair
            for layer, unit_set in self._sets.items()
            for pair in unit_set.pairs
        }

    @cached_property
    def roles(self) -> dict[str, str]:
        """Return the roles of those who are no annotators."""
        dependent_last = sorted(self._spans.values(), key=lambda pair: pair.independent is False)
        found = [zip(each.annotators, roles(each), strict=True) for each in dependent_last]
        return {name: role for pair in found for name, role in pair if role != "annotator"}

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Return everybody, annotators first."""
        names = {name for _, pair in (*self._spans, *self._units) for name in pair}
        return tuple(sorted(names, key=lambda name: (name in self.roles, name)))

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Return the classes of figures with what they stand for, from the lowest."""
        ends = [0.0, *(end for end, _ in CLASSES)]
        steps = zip(ends, CLASSES, strict=False)
        return [(name, stretch(start, end)) for start, (end, name) in steps]

    @cached_property
    def hrefs(self) -> dict[frozenset[str], str]:
        """Return the addresses of the pages of pairs, from the version's folder, by the two people."""
        known = {pair for _, pair in (*self._spans, *self._units) if len(pair) == TWO} if self.tables else ()
        return {pair: self.href(*pair) for pair in known}

    def between(self, name: str, other: str) -> str:
        """Return the address of the page of two people, empty where they have none."""
        return self.hrefs.get(frozenset((name, other)), "")

    @property
    def beside(self) -> bool:
        """Tell whether the tables stand on the report's own page."""
        return len(self.people) <= MOST_BESIDE

    def shown(self, name: str) -> str:
        """Return a name with the role of who is no annotator."""
        return f"{name} ({self.roles[name]})" if name in self.roles else name

    @cached_property
    def tables(self) -> tuple[PairwiseTable, ...]:
        """Return the table of each layer with pairs to tell apart: of marks, or of more than two people."""
        if len(self.people) > MOST:
            return ()
        return tuple(
            self._table(layer)
            for layer in self._sets
            if any(each == layer for each, _ in self._spans) or self._crowd(layer) > TWO
        )

    def of(self, layer: str) -> PairwiseTable | None:
        """Return the table of a layer, None where it has none."""
        return next((each for each in self.tables if each.layer == layer), None)

    def _crowd(self, layer: str) -> int:
        return len({name for each, pair in self._units if each == layer for name in pair})

    def _table(self, layer: str) -> PairwiseTable:
        spans = any(each == layer for each, _ in self._spans)
        known = self._spans if spans else self._units
        here = {name for each, pair in known if each == layer for name in pair}
        names = [name for name in self.people if name in here]
        rows = tuple(self._row(layer, name, names, spans=spans) for name in names)
        referenced = any(row.references.shared for row in rows)
        return PairwiseTable(layer, spans, tuple(map(self.shown, names)), rows, referenced)

    def _row(self, layer: str, name: str, names: Sequence[str], *, spans: bool) -> PairRow:
        cells = tuple(self._cell(layer, name, other, spans=spans) for other in names)
        standing = self._standings.get((layer, name))
        others = _of_means(standing.others) if standing else NOTHING
        references = _of_means(standing.references) if standing else NOTHING
        return PairRow(self.shown(name), cells, others, references)

    @cached_property
    def _standings(self) -> dict[tuple[str, str], AnnotatorMeans]:
        return {(each.layer, each.annotator): each for each in self._results.standings or ()}

    def _cell(self, layer: str, name: str, other: str, *, spans: bool) -> PairCell:
        key = layer, frozenset((name, other))
        href = self.href(name, other)
        if spans and key in self._spans:
            pair = self._spans[key]
            macro = pair.macro_documents["strict"]["f_measure"].value
            return PairCell(pair.strict["f_measure"].value, macro, pair.documents > 0, href)
        if not spans and key in self._units:
            return PairCell(
                self._units[key].measures["observed_agreement"].value, None, shared=True, href=href
            )
        return NOTHING

    def href(self, name: str, other: str) -> str:
        """Return the address of a pair's page, from the version's folder."""
        first, second = sorted((name, other), key=self.people.index)
        return f"pairs/{self._names[first]}-{self._names[second]}.html"

    @cached_property
    def _names(self) -> dict[str, str]:
        """Return what file names call each person: the name where every name can stand there."""
        names = self.people
        plain = all(PLAIN.fullmatch(name) for name in names)
        if plain and len({name.casefold() for name in names}) == len(names):
            return {name: name for name in names}
        digits = len(str(len(names)))
        return {name: f"{place:0{digits}}" for place, name in enumerate(names, 1)}

    def pages(self) -> Iterator[PairPage]:
        """Yield the page of each pair to which a table leads."""
        layers = [table.layer for table in self.tables]
        for first, second in combinations(self.people, TWO):
            found = tuple(self._layer_pair(layer, first, second) for layer in layers)
            shared = tuple(each for each in found if each.spans or each.units)
            if shared:
                file = self.href(first, second).removeprefix("pairs/")
                yield PairPage(file, (self.shown(first), self.shown(second)), shared)

    def _layer_pair(self, layer: str, first: str, second: str) -> LayerPair:
        key = layer, frozenset((first, second))
        return LayerPair(layer, self._spans.get(key), self._units.get(key), self._sets.get(layer))
