"""Who agrees with whom: annotators by annotators, each against the majority, and a page for each two."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from reportgen.report.contents import figures_of_pairs, slug
from reportgen.report.tables import ReportTable, TableColumn, roles, table_if, table_of
from reportgen.results import Mean, Pair, Results, UnitSet
from reportgen.results.marks import SpanDocument, SpanPair
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name

# With more people the table has a page of its own, with more than MOST there is none.
MOST_BESIDE = 12
MOST = 50
TWO = 2
# Of the documents of two people on their page; all of them are in the CSV.
MOST_DOCUMENTS = 250
SHARES = ("precision", "recall", "f_measure")
# The darkest shade of a cell.
DARKEST = 9
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]*")


def shade(value: float | None) -> int | None:
    """Return how dark a cell is, from 0 to 9: nothing for a figure below 0, and for none."""
    return None if value is None else min(DARKEST, max(0, int(value * (DARKEST + 1))))


@dataclass(frozen=True)
class PairCell:
    """Two people in the table; `shared` tells whether they share a document, `href` leads to their page."""

    micro: float | None
    macro: float | None
    shared: bool = False
    href: str = ""


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
    """One layer's table: who is in it, in rows and columns alike; `spans` tells what is compared."""

    layer: str
    spans: bool
    columns: tuple[str, ...]
    rows: tuple[PairRow, ...]
    referenced: bool

    @property
    def known_macro(self) -> bool:
        """Tell whether means over documents are known."""
        return any(cell.macro is not None for row in self.rows for cell in row.cells)

    def table(self, *, macro: bool = False) -> ReportTable:
        """Return the table for a page, its cells leading to pages of pairs; `macro`: means over documents.

        Each pair of very many is a link once.
        """
        columns = (
            TableColumn("annotator", _("Annotator")),
            *(TableColumn(name, name, "figure") for name in self.columns),
            TableColumn("others", _("Mean with the others"), "figure"),
            *((TableColumn("reference", _("With the reference"), "figure"),) if self.referenced else ()),
        )
        cells = [
            (*row.cells, row.others, *((row.references,) if self.referenced else ())) for row in self.rows
        ]
        values = [[cell.macro if macro else cell.micro for cell in row] for row in cells]
        many = len(self.rows) > MOST_BESIDE
        rows = tuple((row.name, *own) for row, own in zip(self.rows, values, strict=True))
        shades = tuple((None, *map(shade, own)) for own in values)
        links = tuple(
            (None, *(cell.href if place > number or not many else None for place, cell in enumerate(row)))
            for number, row in enumerate(cells)
        )
        name = f"{'macro' if macro else 'pairwise'}~{self.layer}"
        return ReportTable(name, self._caption(macro=macro), columns, rows, shades=shades, links=links)

    def _caption(self, *, macro: bool) -> str:
        if macro:
            return _("F-measure, strict: the mean over documents.")
        if self.spans:
            return _("F-measure, strict, over all documents together. A dash: no shared document.")
        return _("Observed agreement in the primary unit set. A dash: no shared unit.")


@dataclass(frozen=True)
class LayerPair:
    """One layer of a pair's page: the spans, and the units of the primary unit set."""

    layer: str
    spans: SpanPair | None
    units: Pair | None
    unit_set: UnitSet | None


def figures(layer: str, spans: SpanPair) -> ReportTable:
    """Return precision, recall and F of two people under each mode."""
    modes = (
        (_("count nothing: strict"), spans.strict, spans.macro_documents["strict"]),
        (_("count half: average"), spans.average, spans.macro_documents["average"]),
        (_("count fully: lenient"), spans.lenient, spans.macro_documents["lenient"]),
    )
    return table_of(
        f"figures-{layer}",
        "",
        modes,
        ("mode", _("Partial matches"), "text", lambda each: each[0]),
        *(
            (name, title, "estimate", lambda each, name=name: each[1][name])
            for name, title in zip(SHARES, _titles(), strict=True)
        ),
        ("macro", _("F, mean over documents"), "figure", lambda each: each[2]["f_measure"].value),
    )


def documents(layer: str, spans: SpanPair, hrefs: Mapping[str, str]) -> ReportTable | None:
    """Return the documents that both saw, the worst first, as far as a page shows them.

    `hrefs` are their pages', by name, from the version's folder. None where only the CSV has them.
    """
    if spans.by_document is None:
        return None
    first, second = spans.annotators
    return table_of(
        f"documents-{layer}",
        _("The documents that both saw, the worst first; precision, recall and F are strict."),
        sorted(spans.by_document.items(), key=_worst_first)[:MOST_DOCUMENTS],
        ("document", _("Document"), "text", lambda each: each[0]),
        ("match", _("Match"), "count", lambda each: each[1].counts.match),
        ("overlap", _("Overlap"), "count", lambda each: each[1].counts.overlap),
        ("only_first", say("Only {name}", name=first), "count", lambda each: each[1].counts.only_first),
        ("only_second", say("Only {name}", name=second), "count", lambda each: each[1].counts.only_second),
        *(
            (name, title, "figure", lambda each, name=name: each[1].strict[name])
            for name, title in zip(SHARES, _titles(), strict=True)
        ),
        ("lenient", _("F, lenient"), "figure", lambda each: each[1].lenient["f_measure"]),
        href=lambda each: hrefs.get(each[0]),
    )


def _titles() -> tuple[str, ...]:
    return (_("Precision"), _("Recall"), "F")


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
        """Tell whether the tables are on the report's own page."""
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
        own = (
            each for each in self._results.standings or () if (each.layer, each.annotator) == (layer, name)
        )
        found = next(own, None)
        others, references = (found.others, found.references) if found else ({}, {})
        return PairRow(self.shown(name), cells, _of_means(others), _of_means(references))

    def _cell(self, layer: str, name: str, other: str, *, spans: bool) -> PairCell:
        key = layer, frozenset((name, other))
        href = self.href(name, other)
        if spans and key in self._spans:
            pair = self._spans[key]
            macro = pair.macro_documents["strict"]["f_measure"].value
            return PairCell(pair.strict["f_measure"].value, macro, pair.documents > 0, href)
        if not spans and key in self._units:
            value = self._units[key].measures["observed_agreement"].value
            return PairCell(value, None, shared=True, href=href)
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


# Annotators by annotators: a small matrix for each coefficient of pairs, all on one scale of shades.

# With fewer annotators there is one pair, with more a matrix is too wide for a page.
FEWEST_SHOWN, MOST_SHOWN = 3, 12
# On a page; the CSV has more.
MOST_MATRICES = 3
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha", "gwet_ac1")


@dataclass(frozen=True)
class PairwiseMatrix:
    """One figure of every two annotators of a unit set."""

    figure: str
    name: str
    slug: str
    annotators: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]

    def table(self, caption: str = "", links: Mapping[frozenset[str], str] | None = None) -> ReportTable:
        """Return the matrix for its CSV and for a page: annotators as first row and column.

        `links` are the addresses of the pages of pairs.
        """
        people = self.annotators
        columns = (TableColumn(name, name, "figure") for name in people)
        name = self.figure.replace("[", "-").replace("]", "").replace(",", "-")
        linked = (tuple(links.get(frozenset((one, other))) for other in people) for one in people if links)
        return ReportTable(
            f"matrix-{name}-{self.slug}",
            caption,
            (TableColumn("annotator", _("Annotator") if caption else ""), *columns),
            tuple((name, *row) for name, row in zip(people, self.values, strict=True)),
            file=f"matrix.{name}.{self.slug}.csv",
            shades=tuple((None, *map(shade, row)) for row in self.values),
            links=tuple((None, *row) for row in linked),
        )


def matrices(results: Results, unit_set: UnitSet) -> tuple[PairwiseMatrix, ...]:
    """Return the matrices of a unit set, the primary coefficient's first; none for a pair or a crowd."""
    if not FEWEST_SHOWN <= len(unit_set.annotators) <= MOST_SHOWN or len(unit_set.pairs) <= 1:
        return ()
    known = {name for pair in unit_set.pairs for name in pair.measures}
    ordered = dict.fromkeys((results.coefficients[unit_set.layer], *SHOWN))
    return tuple(_matrix(results, unit_set, name) for name in ordered if name in known)


def _matrix(results: Results, unit_set: UnitSet, figure: str) -> PairwiseMatrix:
    names = unit_set.annotators
    values = {
        frozenset(pair.annotators): pair.measures[figure].value
        for pair in unit_set.pairs
        if figure in pair.measures
    }
    return PairwiseMatrix(
        figure=figure,
        name=figure_name(results, figure),
        slug=slug(unit_set),
        annotators=names,
        values=tuple(tuple(values.get(frozenset((one, other))) for other in names) for one in names),
    )


def every_pair(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return every figure of every pair, for the CSV; None for a single pair."""
    names = results.in_order({name for pair in unit_set.pairs for name in pair.measures})
    return figures_of_pairs(results, unit_set, names)


def majority(unit_set: UnitSet) -> ReportTable | None:
    """Return how often each annotator says what most of the others say."""
    known = unit_set.against_majority
    caption = say_many(
        "Each of {count} annotator against the commonest label of the others.",
        "Each of {count} annotators against the commonest label of the others.",
        len(known),
    )
    return table_if(
        f"majority-{slug(unit_set)}",
        caption,
        known.items(),
        ("annotator", _("Annotator"), "text", lambda each: each[0]),
        ("units", _("Units"), "count", lambda each: each[1].units),
        (
            *("majority_agreement", _("Agrees with most others [95% interval]"), "estimate"),
            lambda each: each[1],
        ),
        file=f"majority.{slug(unit_set)}.csv",
    )
