"""Precision, recall and F-measure as tables: pairs, types and documents, made from results alone."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.report.marks import case_tables
from reportgen.report.tables import Cell, ReportTable, TableColumn, heads, named, roles
from reportgen.results import Figure, Results, SpanPair, UnitSet
from reportgen.results.marks import (
    CreditFigures,
    Outcomes,
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
STRICT_COLUMNS = (
    TableColumn("precision", N_("Precision"), "figure"),
    TableColumn("recall", N_("Recall"), "figure"),
    TableColumn("strict", N_("F [95% interval]"), "estimate"),
)
MEAN_COLUMNS = tuple(TableColumn(mode, title, "figure") for mode, title in zip(MODES, MEANS, strict=True))
MACRO_COLUMNS = (
    TableColumn("macro_documents", N_("F, strict, mean over documents"), "figure"),
    TableColumn("macro_types", N_("F, strict, mean over types"), "figure"),
)


def pairs_of(results: Results, layer: str) -> tuple[SpanPair, ...]:
    """Return every two people whose marks of a layer are compared."""
    return tuple(pair for pair in results.spans.pairs if pair.layer == layer) if results.spans else ()


def least_agreeing(pairs: Sequence[SpanPair]) -> tuple[SpanPair, ...]:
    """Return the pairs that a page shows: all, or of very many those that agree least."""
    return tuple(sorted(pairs, key=_strict_f)[:LEAST_AGREEING]) if len(pairs) > MOST_PAIRS else tuple(pairs)


def names_of(pair: SpanPair) -> tuple[str, ...]:
    """Return the names of two people, with their roles where they are no annotators."""
    return tuple(map(named, pair.annotators, roles(pair)))


def pairs_table(
    layer: str, pairs: Sequence[SpanPair], pages: Mapping[frozenset[str], str] | None = None
) -> ReportTable:
    """Return how the marks of each pair compare, an overlap counting nothing; `pages` are those of pairs."""
    columns = (
        *PEOPLE,
        TableColumn("documents", N_("Documents"), "count"),
        *OUTCOMES,
        *STRICT_COLUMNS,
    )
    blank = (None,) * (len(columns) - 1)
    links = tuple((pages.get(frozenset(pair.annotators)), *blank) for pair in pairs) if pages else ()
    caption = _("Every two who share documents; precision, recall and F are strict.")
    rows = tuple((*names_of(pair), pair.documents, *_strict_row(pair)) for pair in pairs)
    return ReportTable(f"spans-{layer}", caption, heads(columns), rows, links=links)


def means_table(layer: str, pairs: Sequence[SpanPair]) -> ReportTable:
    """Return the other ways to count overlaps and to average, for the same pairs."""
    columns = (
        *PEOPLE,
        *F_COLUMNS[1:],
        *MACRO_COLUMNS,
        TableColumn("false_positives", N_("False positives per 1,000 tokens"), "decimal"),
    )
    caption = _("The same pairs, with overlaps counted and means taken otherwise.")
    rows = tuple(map(_means_row, pairs))
    return ReportTable(f"span-means-{layer}", caption, heads(columns), rows)


def types_table(results: Results, layer: SpanLayer) -> ReportTable | None:
    """Return each type of the only pair, or the means over pairs of annotators; None where none is."""
    pairs = pairs_of(results, layer.layer)
    if len(pairs) == 1:
        return _types_of(layer, pairs[0])
    found = results.spans.mean_over_pairs[layer.layer].by_type if results.spans else {}
    columns = (
        TableColumn("type", pgettext("of mark", "Type")),
        TableColumn("pairs", _("Pairs"), "count"),
        *(TableColumn(mode, _(title), "figure") for mode, title in zip(MODES, MEANS, strict=True)),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, found[name]["strict"][F].pairs, *(found[name][mode][F].value for mode in MODES))
        for name in layer.types
        if name in found and F in found[name]["strict"]
    )
    caption = _("By type: means over the pairs of annotators of whom one used it.")
    return ReportTable(f"span-types-{layer.layer}", caption, columns, rows) if rows else None


def layers_table(results: Results, layers: Sequence[SpanLayer]) -> ReportTable:
    """Return several layers, a row each: the only pair with its outcomes, or the mean over pairs."""
    single = all(len(pairs_of(results, each.layer)) == 1 for each in layers)
    own = (
        (*OUTCOMES, *STRICT_COLUMNS)
        if single
        else (TableColumn("pairs", N_("Pairs"), "count"), *MEAN_COLUMNS)
    )
    columns = (TableColumn("layer", N_("Layer")), *own)
    rows = tuple(
        (
            each.layer,
            *(
                _strict_row(pairs_of(results, each.layer)[0])
                if single
                else _mean_row(each, results.spans.mean_over_pairs[each.layer] if results.spans else None)
            ),
        )
        for each in layers
    )
    caption = (
        _("Marks by layer; precision, recall and F are strict.")
        if single
        else _("Marks by layer: means over pairs of annotators.")
    )
    return ReportTable("spans-by-layer", caption, heads(columns), rows)


def _mean_row(layer: SpanLayer, means: SpanMeans | None) -> tuple[Cell, ...]:
    found = means.overall if means else {}
    values = (found[mode][F].value if mode in found and F in found[mode] else None for mode in MODES)
    return (layer.pairs, *values)


def _strict_f(pair: SpanPair) -> float:
    value = pair.strict[F].value
    return 1.0 if value is None else value


def _strict_row(pair: SpanPair) -> tuple[Cell, ...]:
    shares: tuple[Cell, ...] = (pair.strict["precision"].value, pair.strict["recall"].value)
    return (*_outcomes(pair.counts), *shares, pair.strict[F])


def _means_row(pair: SpanPair) -> tuple[Cell, ...]:
    macros: tuple[Cell, ...] = tuple(
        each["strict"][F].value for each in (pair.macro_documents, pair.macro_types)
    )
    return (*names_of(pair), *_f(pair)[1:], *macros, pair.false_positives.value)


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
