"""Who agrees with whom: annotators by annotators, each against the majority, and a page for each two."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE, ids_with
from reportgen.report.contents import figures_of_pairs, slug
from reportgen.report.tables import ReportTable, TableColumn, columns_of, roles, table_if, table_of
from reportgen.results import Pair, Results, UnitSet
from reportgen.results.marks import SpanDocument, SpanPair
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name

# With more people the table has a page of its own, with more than MOST there is none.
MOST_BESIDE = 12
MOST = 50
# Each person of a crowd shares few units with each other: of more than these, no two have a page.
MOST_OF_CROWD = 10
# Of the documents of two people on their page; all of them are in the CSV.
MOST_DOCUMENTS = 250
# The darkest shade of a cell.
DARKEST = 9
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]*")


def shade(value: float | None) -> int | None:
    """Return how dark a cell is, from 0 to 9: nothing for a figure below 0, and for none."""
    return None if value is None else min(DARKEST, max(0, int(value * (DARKEST + 1))))


@dataclass(frozen=True)
class PairwiseTables:
    """One layer's tables of every two people: pooled and, of marks (`spans`), as means over documents."""

    layer: str
    spans: bool
    shown: tuple[ReportTable, ...]


def _by_people(
    name: str,
    caption: str,
    people: Sequence[str],
    rows: Sequence[Sequence[float | None]],
    *more: TableColumn,
    links: Iterable[Sequence[str | None]] = (),
) -> ReportTable:
    """Return people by people, each row with the figures of `more` columns last; `links` are of the cells."""
    columns = (
        TableColumn("annotator", _("Annotator")),
        *(TableColumn(who, who, "figure") for who in people),
        *more,
    )
    return ReportTable(
        name,
        caption,
        columns,
        tuple((who, *row) for who, row in zip(people, rows, strict=True)),
        shades=tuple((None, *map(shade, row)) for row in rows),
        links=tuple((None, *row, *[None] * len(more)) for row in links),
    )


@dataclass(frozen=True)
class LayerPair:
    """One layer of a pair's page: the spans, and the units of the primary unit set."""

    layer: str
    spans: SpanPair | None
    units: Pair | None
    unit_set: UnitSet | None


@dataclass(frozen=True)
class PairPage:
    """The page of two people."""

    file: str
    names: tuple[str, str]
    layers: tuple[LayerPair, ...]


def _titles() -> dict[str, str]:
    return {measure.id: _(measure.short) for measure in CATALOGUE if measure.main}


def figures(layer: str, spans: SpanPair) -> ReportTable:
    """Return precision, recall and F of two people under each mode."""
    return table_of(
        f"figures-{layer}",
        "",
        (
            (_("count nothing: strict"), spans.strict, spans.macro_documents["strict"]),
            (_("count half: average"), spans.average, spans.macro_documents["average"]),
            (_("count fully: lenient"), spans.lenient, spans.macro_documents["lenient"]),
        ),
        ("mode", _("Partial matches"), "text", lambda row: row[0]),
        *columns_of(_titles(), "estimate", lambda row, name: row[1][name]),
        ("macro", _("F, mean over documents"), "figure", lambda row: row[2]["f_measure"].value),
    )


def documents(layer: str, spans: SpanPair, hrefs: Mapping[str, str]) -> ReportTable | None:
    """Return the documents that both saw, the worst first, as far as a page shows them.

    `hrefs` are their pages', by name, from the version's folder. None where only the CSV has them.
    """
    if spans.by_document is None:
        return None
    first, second = spans.annotators

    def worst_first(row: tuple[str, SpanDocument]) -> tuple[bool, float, int]:
        """Return the order of a document: by its F, undefined ones last, then by how much is wrong."""
        value, counts = row[1].strict["f_measure"], row[1].counts
        return value is None, value or 0.0, -(counts.overlap + counts.only_first + counts.only_second)

    return table_of(
        f"documents-{layer}",
        _("The documents that both saw, the worst first; precision, recall and F are strict."),
        sorted(spans.by_document.items(), key=worst_first)[:MOST_DOCUMENTS],
        ("document", _("Document"), "text", lambda row: row[0]),
        ("match", _("Match"), "count", lambda row: row[1].counts.match),
        ("overlap", _("Overlap"), "count", lambda row: row[1].counts.overlap),
        ("only_first", say("Only {name}", name=first), "count", lambda row: row[1].counts.only_first),
        ("only_second", say("Only {name}", name=second), "count", lambda row: row[1].counts.only_second),
        *columns_of(_titles(), "figure", lambda row, name: row[1].strict[name]),
        ("lenient", _("F, lenient"), "figure", lambda row: row[1].lenient["f_measure"]),
        href=lambda row: hrefs.get(row[0]),
    )


class Pairs:
    """The tables and pages of all pairs of one report; none where there are too many people."""

    def __init__(self, results: Results) -> None:
        """Keep the results; tables and pages are made when they are asked for."""
        self._results = results
        self._spans = {
            (pair.layer, frozenset(pair.annotators)): pair
            for pair in (results.spans.pairs if results.spans else ())
        }
        # Layers in their order, each with its primary unit set.
        self._sets = {layer: results.primary_of(layer) for layer in results.layers}
        self._units = {
            (layer, frozenset(pair.annotators)): pair
            for layer, unit_set in self._sets.items()
            for pair in unit_set.pairs
        }

    @cached_property
    def roles(self) -> dict[str, str]:
        """Return the roles of those who are no annotators."""
        dependent_last = sorted(self._spans.values(), key=lambda pair: pair.independent is False)
        with_roles = [zip(pair.annotators, roles(pair), strict=True) for pair in dependent_last]
        return {name: role for pair in with_roles for name, role in pair if role != "annotator"}

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Return everybody, annotators first."""
        names = {name for _, pair in (*self._spans, *self._units) for name in pair}
        return tuple(sorted(names, key=lambda name: (name in self.roles, name)))

    @cached_property
    def hrefs(self) -> dict[frozenset[str], str]:
        """Return the addresses of the pages of pairs, from the version's folder, by the two people."""
        layers = {table.layer for table in self.tables}
        every = (*self._spans, *self._units)
        people = (
            {pair for layer, pair in every if len(pair) == 2 and not self._of_crowd(layer)} if layers else ()
        )
        return {pair: self.href(*pair) for pair in people}

    @property
    def beside(self) -> bool:
        """Tell whether the tables are on the report's own page."""
        return len(self.people) <= MOST_BESIDE

    def shown(self, name: str) -> str:
        """Return a name with the role of who is no annotator."""
        return f"{name} ({self.roles[name]})" if name in self.roles else name

    @cached_property
    def tables(self) -> tuple[PairwiseTables, ...]:
        """Return the table of each layer with pairs to tell apart: of marks, or of more than two people."""
        if len(self.people) > MOST:
            return ()
        return tuple(
            self._of_layer(layer)
            for layer in self._sets
            if not self._of_crowd(layer)
            and (
                any(layer_id == layer for layer_id, _ in self._spans)
                or len({name for layer_id, pair in self._units if layer_id == layer for name in pair}) > 2
            )
        )

    def _of_crowd(self, layer: str) -> bool:
        """Tell whether a layer is a crowd's, of so many people that every two of them say little."""
        crowd = self._results.subject_of(layer) == "crowd"
        return crowd and len(self._sets[layer].annotators) > MOST_OF_CROWD

    def _of_layer(self, layer: str) -> PairwiseTables:
        """Return a layer's tables; cells lead to pages of pairs, of very many each once."""
        spans = any(layer_id == layer for layer_id, _ in self._spans)
        every: Mapping[tuple[str, frozenset[str]], SpanPair | Pair] = self._spans if spans else self._units
        by_people = {two: pair for (where, two), pair in every.items() if where == layer}
        names = [name for name in self.people if any(name in two for two in by_people)]
        of_layer = (standing for standing in self._results.standings or () if standing.layer == layer)
        standings = {standing.annotator: (standing.others, standing.references) for standing in of_layer}
        more = [TableColumn("others", _("Mean with the others"), "figure")]
        if any("micro" in references for _others, references in standings.values()):
            more.append(TableColumn("reference", _("With the reference"), "figure"))

        def link(i: int, j: int) -> str | None:
            known = frozenset((names[i], names[j])) in by_people
            return self.href(names[i], names[j]) if known and (j > i or len(names) <= MOST_BESIDE) else None

        def table(mean: str, name: str, caption: str) -> ReportTable | None:
            values = {two: _figure_of(pair, mean) for two, pair in by_people.items()}
            if mean == "macro" and not any(value is not None for value in values.values()):
                return None
            rows = []
            for who in names:
                means = standings.get(who, ({}, {}))[: len(more)]
                of_means = (own[mean].value if mean in own else None for own in means)
                rows.append([*(values.get(frozenset((who, other))) for other in names), *of_means])
            places = range(len(names))
            links = ([link(i, j) for j in places] for i in places)
            people = list(map(self.shown, names))
            return _by_people(f"{name}~{layer}", caption, people, rows, *more, links=links)

        caption = _("Observed agreement in the primary unit set. A dash: no shared unit.")
        if spans:
            caption = _("F-measure, strict, over all documents together. A dash: no shared document.")
        means = table("macro", "macro", _("F-measure, strict: the mean over documents."))
        return PairwiseTables(layer, spans, tuple(filter(None, (table("micro", "pairwise", caption), means))))

    def href(self, name: str, other: str) -> str:
        """Return the address of a pair's page, from the version's folder."""
        first, second = sorted((name, other), key=self.people.index)
        return f"pairs/{self._names[first]}-{self._names[second]}.html"

    @cached_property
    def _names(self) -> dict[str, str]:
        """Return what file names call each person: their names where every name can be one."""
        names = self.people
        plain = all(PLAIN.fullmatch(name) for name in names)
        if plain and len({name.casefold() for name in names}) == len(names):
            return {name: name for name in names}
        digits = len(str(len(names)))
        return {name: f"{number:0{digits}}" for number, name in enumerate(names, 1)}

    def pages(self) -> Iterator[PairPage]:
        """Yield the page of each pair to which a table leads."""
        for first, second in combinations(self.people, 2):
            keys = [(table.layer, frozenset((first, second))) for table in self.tables]
            shared = tuple(
                LayerPair(key[0], self._spans.get(key), self._units.get(key), self._sets[key[0]])
                for key in keys
                if key in self._spans or key in self._units
            )
            if shared:
                file = self.href(first, second).removeprefix("pairs/")
                yield PairPage(file, (self.shown(first), self.shown(second)), shared)


def _figure_of(pair: SpanPair | Pair, mean: str) -> float | None:
    """Return what a table has of two people; of units there is no mean over documents."""
    if isinstance(pair, Pair):
        return pair.measures["observed_agreement"].value if mean == "micro" else None
    return (pair.strict if mean == "micro" else pair.macro_documents["strict"])["f_measure"].value


# Annotators by annotators: a small matrix for each coefficient of pairs, all on one scale of shades.

# With fewer annotators there is one pair, with more a matrix is too wide for a page.
FEWEST_SHOWN, MOST_SHOWN = 3, 12
# On a page; the CSV has more.
MOST_MATRICES = 3
SHOWN = ids_with(lambda measure: measure.pair_table)


@dataclass(frozen=True)
class PairwiseMatrix:
    """One figure of every two annotators of a unit set."""

    figure: str
    name: str
    slug: str
    annotators: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]

    def table(self, caption: str, links: Mapping[frozenset[str], str]) -> ReportTable:
        """Return the matrix for a page; `links` are the addresses of the pages of pairs."""
        name, people = re.sub(r"[\[,]", "-", self.figure).replace("]", ""), self.annotators
        hrefs = ([links.get(frozenset((row, column))) for column in people] for row in people if links)
        return _by_people(f"matrix-{name}-{self.slug}", caption, people, self.values, links=hrefs)


def matrices(results: Results, unit_set: UnitSet) -> tuple[PairwiseMatrix, ...]:
    """Return the matrices of a unit set, the primary coefficient's first; none for a pair or a crowd."""
    if not FEWEST_SHOWN <= len(unit_set.annotators) <= MOST_SHOWN or len(unit_set.pairs) <= 1:
        return ()
    figures = {name for pair in unit_set.pairs for name in pair.measures}
    ordered = dict.fromkeys((results.coefficients[unit_set.layer], *SHOWN))
    pairs = {frozenset(pair.annotators): pair.measures for pair in unit_set.pairs}

    def value(figure: str, person: str, other: str) -> float | None:
        estimate = pairs.get(frozenset((person, other)), {}).get(figure)
        return estimate.value if estimate else None

    names = unit_set.annotators
    return tuple(
        PairwiseMatrix(
            figure,
            figure_name(results, figure),
            slug(unit_set),
            names,
            tuple(tuple(value(figure, person, other) for other in names) for person in names),
        )
        for figure in ordered
        if figure in figures
    )


def every_pair(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return every figure of every pair, for the CSV; None for a single pair."""
    names = results.in_order({name for pair in unit_set.pairs for name in pair.measures})
    return figures_of_pairs(results, unit_set, names)


def majority(unit_set: UnitSet) -> ReportTable | None:
    """Return how often each annotator says what most of the others say."""
    by_annotator = unit_set.against_majority
    caption = say_many(
        "{The {count} annotator|Each of the {count} annotators} against the most common label of the others.",
        len(by_annotator),
    )
    agrees = _("Agrees with most others [95% interval]")
    return table_if(
        f"majority-{slug(unit_set)}",
        caption,
        by_annotator.items(),
        ("annotator", _("Annotator"), "text", lambda row: row[0]),
        ("units", _("Units"), "count", lambda row: row[1].units),
        ("majority_agreement", agrees, "estimate", lambda row: row[1]),
        file=f"majority.{slug(unit_set)}.csv",
        what="Each annotator against the commonest label of the others.",
    )
