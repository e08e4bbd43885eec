"""Everybody against the reference as tables, with human agreement beside them, made from results alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.tables import Cell, ReportTable, TableColumn, not_independent, role_in_words
from reportgen.results import Figure, Results
from reportgen.results.annotators import ComparedSet, Comparison, Humans
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.names import figure_name

ANNOTATOR = "annotator"
MACRO = "specific_agreement[macro]"
OF_MARKS = {
    "f_measure[strict]": N_("F, strict"),
    "precision[strict]": N_("Precision"),
    "recall[strict]": N_("Recall"),
}
OBSERVED = "observed_agreement"
# More annotators than these stand in the CSV, and on the page those who agree with the key least.
MOST = 60
LEAST_AGREEING = 20
# More categories than these stand in the CSV alone.
MOST_CATEGORIES = 24

UNITS = {
    "every": N_("on the units that both labelled"),
    "any": N_("on the units that both labelled and that an annotator or one of the two marked"),
    "all": N_("on the units that all annotators and both of the two marked"),
}


def shown_name(pair: Comparison) -> str:
    """Return somebody's name with the role; a system's declared name and release where there is one."""
    if pair.role == ANNOTATOR:
        return pair.other
    if pair.system is None:
        return f"{pair.other} ({role_in_words(pair.role)})"
    return f"{' '.join(filter(None, (pair.system, pair.release)))} ({pair.other}, {role_in_words(pair.role)})"


def shown_key(pair: Comparison) -> str:
    """Return the key's name; a reference that was made from the other's marks too says so."""
    return not_independent(pair.key) if pair.independent is False else pair.key


@dataclass(frozen=True)
class ComparedView:
    """What is compared in one unit set, or of one layer's marks in texts."""

    results: Results
    whole: ComparedSet
    every: tuple[Comparison, ...]

    @property
    def slug(self) -> str:
        """Return what anchors and file names call it."""
        own = self.whole.unit_set or "spans"
        return own if self.whole.layer == "main" else f"{self.whole.layer}~{own}"

    @property
    def of_marks(self) -> bool:
        """Say whether marks in texts are compared."""
        return self.whole.unit_set is None

    @property
    def against_reference(self) -> bool:
        """Say whether there is a reference; without one annotators are the keys."""
        return bool(self.whole.references)

    @property
    def figure(self) -> str:
        """Return the name of the figure that comes first."""
        return self.name_of(self.whole.figure)

    def name_of(self, figure: str) -> str:
        """Return a figure's name for a reader."""
        if figure == MACRO:
            return _("Mean F")
        if self.of_marks:
            return _(OF_MARKS[figure]) if figure in OF_MARKS else figure_name(self.results, figure)
        return figure_name(self.results, figure)

    @property
    def partly(self) -> bool:
        """Say whether the page shows only the annotators who agree with the key least."""
        return self.whole.people > len(self.shown)

    @cached_property
    def shown(self) -> tuple[Comparison, ...]:
        """Return who stands on the page: everybody, or beside systems those who agree least."""
        if len(self.every) <= MOST:
            return self.every
        systems = [pair for pair in self.every if pair.role != ANNOTATOR]
        others = [pair for pair in self.every if pair.role == ANNOTATOR]
        return (*systems, *sorted(others, key=self._value)[:LEAST_AGREEING])

    def _value(self, pair: Comparison) -> float:
        value = pair.measures[self.whole.figure].value
        return 1.0 if value is None else value

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """Return the figures of the table, the first one first."""
        if self.of_marks:
            return (self.whole.figure, "precision[strict]", "recall[strict]")
        return tuple(dict.fromkeys((self.whole.figure, OBSERVED, MACRO)))

    @property
    def units_in_words(self) -> str:
        """Return on which units two people are compared."""
        choice = self.whole.choice or "every"
        return _(UNITS[choice])

    @cached_property
    def several_keys(self) -> bool:
        """Say whether rows have different keys."""
        return len({pair.key for pair in self.every}) > 1

    @cached_property
    def table(self) -> ReportTable:
        """Return everybody against the key, a row each, with what annotators reach on the same units."""
        first, *others = self.figures
        columns = (
            TableColumn("other", _("Who")),
            *((TableColumn("key", _("Against")),) if self._names_keys else ()),
            *(() if self.of_marks else (TableColumn("units", _("Units"), "count"),)),
            TableColumn("documents", _("Documents"), "count"),
            TableColumn("figure", say("{figure} [95% interval]", figure=self.name_of(first)), "estimate"),
            TableColumn("humans", _("Annotators with each other"), "estimate"),
            *((TableColumn("range", _("Each with the reference")),) if self.against_reference else ()),
            *(TableColumn(name, self.name_of(name), "figure") for name in others),
        )
        caption = say(self._what_is_compared, figure=self.figure)
        rows = tuple(map(self._row, self.shown))
        return ReportTable(f"comparisons-{self.slug}", caption, columns, rows)

    @property
    def _what_is_compared(self) -> str:
        if self.against_reference:
            return N_("Against the reference; beside systems, {figure} of annotators on the same units.")
        return N_("Systems against annotators; beside systems, {figure} of annotators on the same units.")

    @property
    def _names_keys(self) -> bool:
        return self.several_keys or not self.against_reference or bool(self.whole.not_independent)

    def _row(self, pair: Comparison) -> tuple[Cell, ...]:
        first, *others = self.figures
        humans = pair.humans
        return (
            shown_name(pair),
            *((shown_key(pair),) if self._names_keys else ()),
            *(() if self.of_marks else (pair.units,)),
            pair.documents,
            pair.measures[first],
            humans.measures.get(first) if humans else None,
            *((self._range(humans),) if self.against_reference else ()),
            *(_value(pair.measures, name) for name in others),
        )

    def _range(self, humans: Humans | None) -> str:
        """Return between which figures annotators stand against the reference."""
        found = humans.against_reference.values() if humans else ()
        values = [value for each in found if (value := _value(each, self.whole.figure)) is not None]
        if not values:
            return ""
        return from_to([min(values), max(values)])

    @cached_property
    def humans(self) -> list[tuple[str, Humans]]:
        """Return how annotators agree on all units of each reference."""
        return [(key, each) for key, each in self.whole.humans.items() if each.pairs]

    @cached_property
    def categories(self) -> ReportTable | None:
        """Return each system by category, or where there is none each annotator; None where it is much."""
        pairs = [pair for pair in self.shown if pair.role != ANNOTATOR] or list(self.shown)
        known = {name for pair in pairs for name in pair.by_category}
        if not known or len(known) > MOST_CATEGORIES or len(pairs) > LEAST_AGREEING:
            return None
        rows = [row for pair in pairs for row in self._category_rows(pair)]
        columns = (
            TableColumn("other", _("Who")),
            *((TableColumn("key", _("Against")),) if self.several_keys else ()),
            TableColumn("category", _("Category")),
            TableColumn("used", _("Key used it"), "count"),
            TableColumn("precision", _("Precision"), "estimate"),
            TableColumn("recall", _("Recall"), "estimate"),
            TableColumn("f", _("F (specific agreement)"), "estimate"),
            *(
                (TableColumn("humans", _("Annotators with each other: mean F"), "figure"),)
                if self._beside
                else ()
            ),
        )
        return ReportTable(f"comparison-categories-{self.slug}", _("By category."), columns, tuple(rows))

    @property
    def _beside(self) -> bool:
        """Say whether human agreement is known by category."""
        return any(each.humans for pair in self.shown for each in pair.by_category.values())

    def _category_rows(self, pair: Comparison) -> Iterator[tuple[Cell, ...]]:
        key = (shown_key(pair),) if self.several_keys else ()
        for name, each in pair.by_category.items():
            mean = (each.humans.value if each.humans else None,) if self._beside else ()
            scores = (each.precision, each.recall, each.specific_agreement)
            yield (shown_name(pair), *key, name, each.key, *scores, *mean)


def from_to(values: Iterable[float]) -> str:
    """Return two figures as a range, one where they look the same."""
    first, *more = dict.fromkeys(map(numbers.figure, values))
    return say("{first} to {last}", first=first, last=more[-1]) if more else first


def _value(figures: Mapping[str, Figure], name: str) -> float | None:
    figure = figures.get(name)
    return figure.value if figure else None


@dataclass(frozen=True)
class LayerComparisons:
    """One layer: its primary unit set, its marks in texts, and the other unit sets."""

    layer: str
    views: tuple[ComparedView, ...]

    @cached_property
    def shown(self) -> tuple[ComparedView, ...]:
        """Return what stands on the page: marks in texts, and the primary unit set."""
        return tuple(each for each in self.views if each.of_marks or self._is_primary(each))

    def _is_primary(self, view: ComparedView) -> bool:
        sets = view.results.unit_sets
        return any(
            each.primary for each in sets if (each.layer, each.id) == (self.layer, view.whole.unit_set)
        )

    @property
    def drawn(self) -> ComparedView | None:
        """Return what the figure shows: marks in texts where there are such, else the primary unit set."""
        return next((each for each in self.shown if each.every), None)


def layers(results: Results) -> tuple[LayerComparisons, ...]:
    """Return what a page shows of each layer in which not all are annotators."""
    found = results.comparisons
    if found is None:
        return ()
    views = [
        ComparedView(
            results,
            each,
            tuple(p for p in found.pairs if (p.layer, p.unit_set) == (each.layer, each.unit_set)),
        )
        for each in sorted(found.sets, key=lambda each: each.unit_set is not None)
    ]
    ids = dict.fromkeys(each.layer for each in found.sets)
    return tuple(
        LayerComparisons(layer, tuple(each for each in views if each.whole.layer == layer)) for layer in ids
    )


# The CSV tables of references and systems: every figure of every comparison, and every category.

WHO = tuple(
    TableColumn(name, name)
    for name in ("layer", "unit_set", "key", "other", "role", "system", "release", "independent")
)
FIGURES = (
    *WHO,
    TableColumn("documents", "documents", "count"),
    TableColumn("figure", "figure"),
    TableColumn("value", "value", "estimate"),
    TableColumn("humans_pairs", "pairs of annotators", "count"),
    TableColumn("humans", "mean over pairs of annotators on the same units", "estimate"),
)
CATEGORIES = (
    *WHO,
    TableColumn("category", "category"),
    TableColumn("n_key", "units that the key gave it", "count"),
    TableColumn("n_other", "units that the other gave it", "count"),
    TableColumn("n_both", "units that both gave it", "count"),
    TableColumn("precision", "precision", "estimate"),
    TableColumn("recall", "recall", "estimate"),
    TableColumn("specific_agreement", "specific agreement", "estimate"),
    TableColumn("humans", "mean over pairs of annotators", "figure"),
)


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables: every figure of every comparison, one a row, and every category."""
    if results.comparisons is not None:
        pairs = results.comparisons.pairs
        yield ReportTable("comparisons", "", FIGURES, tuple(_figure_rows(pairs)), file="comparisons.csv")
        rows = tuple(_category_rows(pairs))
        yield ReportTable("comparisons-by-category", "", CATEGORIES, rows, file="comparisons-by-category.csv")


def _who(pair: Comparison) -> tuple[Cell, ...]:
    names = (pair.layer, pair.unit_set or "", pair.key, pair.other, pair.role)
    independent = "no" if pair.independent is False else ""
    return (*names, pair.system or "", pair.release or "", independent)


def _figure_rows(pairs: tuple[Comparison, ...]) -> Iterator[tuple[Cell, ...]]:
    for pair in pairs:
        humans = pair.humans
        for name, figure in pair.measures.items():
            beside = (humans.pairs, humans.measures.get(name)) if humans else (None, None)
            yield (*_who(pair), pair.documents, name, figure, *beside)


def _category_rows(pairs: tuple[Comparison, ...]) -> Iterator[tuple[Cell, ...]]:
    for pair in pairs:
        for name, each in pair.by_category.items():
            counts = (each.key, each.other, each.both)
            scores = (each.precision, each.recall, each.specific_agreement)
            yield (*_who(pair), name, *counts, *scores, each.humans.value if each.humans else None)
