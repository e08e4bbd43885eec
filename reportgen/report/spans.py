"""Precision, recall and F-measure as tables: pairs, types and documents, made from results alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reportgen.report.marks import CasesView, case_tables, cases_view
from reportgen.report.tables import Cell, ReportTable, TableColumn, heads, named, roles
from reportgen.results import Figure, Results, SpanPair, UnitSet
from reportgen.results.marks import (
    CreditFigures,
    Outcomes,
    SpanCredit,
    SpanFigures,
    SpanLayer,
    SpanMeans,
    SpanResults,
)
from reportgen.words.language import N_, _, pgettext, say

# Precision, recall and F with credit for close types, as tables made from results alone.

MODES = ("strict", "lenient", "average")
SHARES = ("precision", "recall", "f_measure", "error_rate")
F = "f_measure"
FILE = "spans-credit.csv"
COLUMNS = (
    TableColumn("first", N_("First (key)")),
    TableColumn("second", N_("Second (response)")),
    TableColumn("coextensive", N_("Same text, other type"), "count"),
    TableColumn("overlap", N_("Overlapping, other type"), "count"),
    TableColumn("precision", N_("Precision, strict"), "figure"),
    TableColumn("recall", N_("Recall, strict"), "figure"),
    TableColumn("strict", N_("F, strict [95% interval]"), "estimate"),
    TableColumn("lenient", N_("F, lenient"), "figure"),
    TableColumn("average", N_("F, average"), "figure"),
)


@dataclass(frozen=True)
class CreditView:
    """Credit by one distance in one layer: what is said of it, and its table, None where nobody is compared.

    `bdm` says whether the distances are 1 - BDM.
    """

    facts: SpanCredit
    table: ReportTable | None
    bdm: bool
    file: str = FILE


def credit_table(
    layer: str, distance: str, pairs: Sequence[SpanPair], names: Sequence[tuple[str, ...]]
) -> ReportTable | None:
    """Return the figures of pairs of people, under the names that a page gives them; None where none is."""
    rows = tuple(
        (*shown, *_row(pair.credits[distance]))
        for pair, shown in zip(pairs, names, strict=True)
        if pair.credits and distance in pair.credits
    )
    caption = say(
        "With credit by {distance} for pairs of different types: f_measure[strict,{distance}] and so on.",
        distance=distance,
    )
    return ReportTable(f"span-credit-{distance}-{layer}", caption, heads(COLUMNS), rows) if rows else None


def _row(figures: CreditFigures) -> tuple[Cell, ...]:
    strict = figures.strict
    shares: tuple[Cell, ...] = (strict["precision"].value, strict["recall"].value, strict[F])
    pairs = (figures.pairs.coextensive, figures.pairs.overlap)
    return (*pairs, *shares, figures.lenient[F].value, figures.average[F].value)


def credit_tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV table of every figure with credit, under its full id."""
    rows = tuple(row for pair in (results.spans.pairs if results.spans else ()) for row in _rows(pair))
    if rows:
        columns = (
            TableColumn("layer", "Layer"),
            TableColumn("first", "First"),
            TableColumn("second", "Second"),
            TableColumn("figure", "Figure"),
            TableColumn("value", "Value", "estimate"),
        )
        yield ReportTable("spans-credit", "", columns, rows, file=FILE)


def _rows(pair: SpanPair) -> Iterator[tuple[Cell, ...]]:
    for distance, figures in (pair.credits or {}).items():
        by_mode = {"strict": figures.strict, "lenient": figures.lenient, "average": figures.average}
        for mode in MODES:
            for name in SHARES:
                figure = f"{name}[{mode},{distance}]"
                yield (pair.layer, *pair.annotators, figure, by_mode[mode][name])


# Precision, recall and F-measure as tables: pairs, types and documents, made from results alone.

# More pairs than these stand in the CSV, and on the page those that agree least.
MOST_PAIRS = 60
LEAST_AGREEING = 20
MEANS = (N_("F, strict, mean"), N_("F, lenient, mean"), N_("F, average, mean"))
PEOPLE = (TableColumn("first", N_("First (key)")), TableColumn("second", N_("Second (response)")))
OUTCOMES = (
    TableColumn("match", N_("Match"), "count"),
    TableColumn("overlap", N_("Overlap"), "count"),
    TableColumn("only_first", N_("Only the first"), "count"),
    TableColumn("only_second", N_("Only the second"), "count"),
)
F_COLUMNS = (
    TableColumn("strict", N_("F, strict [95% interval]"), "estimate"),
    TableColumn("lenient", N_("F, lenient"), "figure"),
    TableColumn("average", N_("F, average"), "figure"),
)
MACRO_COLUMNS = (
    TableColumn("macro_documents", N_("F, strict, mean over documents"), "figure"),
    TableColumn("macro_types", N_("F, strict, mean over types"), "figure"),
)


@dataclass(frozen=True)
class SpanView:
    """The spans of one layer: who is compared, and the tables."""

    layer: SpanLayer
    every_pair: tuple[SpanPair, ...]
    means: SpanMeans
    by_bdm: frozenset[str] = frozenset()
    pages: Mapping[frozenset[str], str] = field(default_factory=dict)
    cases: CasesView | None = None

    @cached_property
    def credited(self) -> tuple[CreditView, ...]:
        """Return what is shown with credit for close types, one view a distance."""
        names = [tuple(map(named, pair.annotators, roles(pair))) for pair in self.shown]
        return tuple(
            CreditView(
                facts,
                credit_table(self.layer.layer, facts.distance, self.shown, names),
                facts.distance in self.by_bdm,
            )
            for facts in self.layer.credits or ()
        )

    @property
    def only_pair(self) -> SpanPair | None:
        """Return the pair, where there is just one."""
        return self.every_pair[0] if len(self.every_pair) == 1 else None

    @property
    def partly(self) -> bool:
        """Say whether the page shows only the pairs that agree least."""
        return len(self.every_pair) > MOST_PAIRS

    @property
    def with_key(self) -> bool:
        """Say whether anybody is compared with a reference, so that outcomes are right or wrong."""
        return any("reference" in pair.roles for pair in self.every_pair)

    @property
    def differing(self) -> list[SpanPair]:
        """Return the pairs for whom GATE's greedy pairing would have other outcomes."""
        return [pair for pair in self.every_pair if pair.differs_from_greedy]

    @property
    def differs(self) -> int:
        """Return how many outcomes those are."""
        return sum(pair.differs_from_greedy for pair in self.differing)

    @property
    def shown(self) -> list[SpanPair]:
        """Return the pairs, or those that agree least where they are many."""
        if self.partly:
            return sorted(self.every_pair, key=_strict_f)[:LEAST_AGREEING]
        return list(self.every_pair)

    @cached_property
    def pairs(self) -> ReportTable:
        """Return how the marks of each pair compare, an overlap counting nothing."""
        columns = (
            *PEOPLE,
            TableColumn("documents", N_("Documents"), "count"),
            *OUTCOMES,
            TableColumn("precision", N_("Precision"), "figure"),
            TableColumn("recall", N_("Recall"), "figure"),
            TableColumn("strict", N_("F [95% interval]"), "estimate"),
        )
        caption = _("Every two who share documents; precision, recall and F are strict.")
        rows = tuple(map(_pair_row, self.shown))
        return ReportTable(
            f"spans-{self.layer.layer}", caption, heads(columns), rows, links=self._links(columns)
        )

    def _links(self, columns: tuple[TableColumn, ...]) -> tuple[tuple[str | None, ...], ...]:
        """Return for each pair that has a page of its own where it is; nothing where none has."""
        if not self.pages:
            return ()
        blank = (None,) * (len(columns) - 1)
        return tuple((self.pages.get(frozenset(pair.annotators)), *blank) for pair in self.shown)

    @cached_property
    def other_means(self) -> ReportTable:
        """Return the other ways to count overlaps and to average, for the same pairs."""
        columns = (
            *PEOPLE,
            *F_COLUMNS[1:],
            *MACRO_COLUMNS,
            TableColumn("false_positives", N_("False positives per 1,000 tokens"), "decimal"),
        )
        caption = _("The same pairs, with overlaps counted and means taken otherwise.")
        rows = tuple(map(_means_row, self.shown))
        return ReportTable(f"span-means-{self.layer.layer}", caption, heads(columns), rows)

    @cached_property
    def types(self) -> ReportTable | None:
        """Return each type of the only pair, or the means over pairs of annotators; None where none is."""
        return _types_of(self.layer, self.only_pair) if self.only_pair else self._mean_types

    @property
    def _mean_types(self) -> ReportTable | None:
        found = self.means.by_type
        columns = (
            TableColumn("type", pgettext("of mark", "Type")),
            TableColumn("pairs", _("Pairs"), "count"),
            *(TableColumn(mode, _(title), "figure") for mode, title in zip(MODES, MEANS, strict=True)),
        )
        rows: list[tuple[Cell, ...]] = [
            (name, found[name]["strict"][F].pairs, *(found[name][mode][F].value for mode in MODES))
            for name in self.layer.types
            if name in found and F in found[name]["strict"]
        ]
        if not rows:
            return None
        caption = _("By type: means over the pairs of annotators of whom one used it.")
        return ReportTable(f"span-types-{self.layer.layer}", caption, columns, tuple(rows))


def _strict_f(pair: SpanPair) -> float:
    value = pair.strict[F].value
    return 1.0 if value is None else value


def _pair_row(pair: SpanPair) -> tuple[Cell, ...]:
    first, second = (named(*each) for each in zip(pair.annotators, roles(pair), strict=True))
    own: tuple[Cell, ...] = (first, second, pair.documents, *_outcomes(pair.counts))
    shares: tuple[Cell, ...] = (pair.strict["precision"].value, pair.strict["recall"].value)
    return (*own, *shares, pair.strict[F])


def _means_row(pair: SpanPair) -> tuple[Cell, ...]:
    first, second = (named(*each) for each in zip(pair.annotators, roles(pair), strict=True))
    macros: tuple[Cell, ...] = tuple(
        each["strict"][F].value for each in (pair.macro_documents, pair.macro_types)
    )
    return (first, second, *_f(pair)[1:], *macros, pair.false_positives.value)


def _outcomes(counts: Outcomes) -> tuple[int, ...]:
    return (counts.match, counts.overlap, counts.only_first, counts.only_second)


def _f(figures: SpanFigures) -> tuple[Cell, ...]:
    return figures.strict[F], figures.lenient[F].value, figures.average[F].value


def _types_of(layer: SpanLayer, pair: SpanPair) -> ReportTable:
    columns = (TableColumn("type", pgettext("of mark", "Type")), *heads((*OUTCOMES, *F_COLUMNS)))
    rows = tuple(
        (name, *_outcomes(pair.by_type[name].counts), *_f(pair.by_type[name]))
        for name in layer.types
        if name in pair.by_type
    )
    return ReportTable(f"span-types-{layer.layer}", _("By type."), columns, rows)


def views(results: Results, pages: Mapping[frozenset[str], str] | None = None) -> tuple[SpanView, ...]:
    """Return what a page shows of each layer that has marks in texts; `pages` are those of pairs."""
    spans = results.spans
    if spans is None:
        return ()
    return tuple(
        SpanView(
            layer,
            tuple(pair for pair in spans.pairs if pair.layer == layer.layer),
            spans.mean_over_pairs[layer.layer],
            frozenset(each.id for each in results.distances if each.origin),
            pages or {},
            cases_view(results, layer.layer, features=bool(layer.features)),
        )
        for layer in spans.layers
    )


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables of all layers: pairs by type, by document, and by kind of disagreement."""
    if results.spans is not None:
        yield _by_type(results.spans)
        yield _by_document(results.spans)
        yield from case_tables(results)


def _columns(*own: TableColumn) -> tuple[TableColumn, ...]:
    shares = (TableColumn(f"{name}[{mode}]", name, "figure") for mode in MODES for name in SHARES)
    head = TableColumn("layer", "Layer"), TableColumn("first", "First"), TableColumn("second", "Second")
    return (*head, *own, *OUTCOMES, *shares)


def _by_type(spans: SpanResults) -> ReportTable:
    """Return every two people with all types together, which have no name, and with each."""
    columns = _columns(TableColumn("type", "Type"), TableColumn("documents", "Documents", "count"))
    rows: list[tuple[Cell, ...]] = []
    for pair in spans.pairs:
        own = (pair.layer, *pair.annotators)
        rows.append((*own, "", pair.documents, *_outcomes(pair.counts), *_values(pair)))
        rows += [
            (*own, name, pair.documents, *_outcomes(each.counts), *_values(each))
            for name, each in pair.by_type.items()
        ]
    return ReportTable("spans", "", columns, tuple(rows), file="spans.csv")


def _values(figures: SpanFigures) -> Iterator[float | None]:
    by_mode: Mapping[str, Mapping[str, Figure]] = {
        "strict": figures.strict,
        "lenient": figures.lenient,
        "average": figures.average,
    }
    yield from (by_mode[mode][name].value for mode in MODES for name in SHARES)


def _by_document(spans: SpanResults) -> ReportTable:
    rows: list[tuple[Cell, ...]] = [
        (
            pair.layer,
            *pair.annotators,
            name,
            *_outcomes(each.counts),
            *(shares[share] for shares in (each.strict, each.lenient, each.average) for share in SHARES),
        )
        for pair in spans.pairs
        for name, each in (pair.by_document or {}).items()
    ]
    columns = _columns(TableColumn("document", "Document"))
    return ReportTable("spans-by-document", "", columns, tuple(rows), file="spans-by-document.csv")


def limits(unit_sets: tuple[UnitSet, ...]) -> ReportTable | None:
    """Return the limit of kappa beside the F-measures over marked units whose mean it is."""
    rows: list[tuple[Cell, ...]] = [
        (each.id, curve.f_labelled, curve.f_unlabelled, curve.limit.get("krippendorff_alpha"))
        for each in unit_sets
        if (curve := each.size_curve) and curve.f_labelled is not None
    ]
    columns = (
        TableColumn("unit_set", _("Unit set")),
        TableColumn("f_labelled", _("F, same label"), "figure"),
        TableColumn("f_unlabelled", _("F, marked at all"), "figure"),
        TableColumn("limit", _("Limit of kappa, pi and alpha"), "figure"),
    )
    caption = _("The limit is the mean of two F-measures over marked units.")
    layer = unit_sets[0].layer
    suffix = "" if layer == "main" else f"~{layer}"
    return (
        ReportTable(f"limits{suffix}", caption, columns, tuple(rows), f"limits{suffix}.csv") if rows else None
    )
