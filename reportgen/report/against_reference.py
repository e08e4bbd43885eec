"""Everybody against the reference as tables, with human agreement beside them, made from results alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.figures import Drawing, drawing
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, span
from reportgen.report.tables import (
    ANNOTATOR,
    LEAST_AGREEING,
    MOST_AGREEING,
    Cell,
    ReportTable,
    TableColumn,
    columns_of,
    least,
    not_independent,
    plain,
    role_in_words,
    slug_of,
    table_of,
)
from reportgen.results import Figure, Results
from reportgen.results.annotators import ComparedSet, Comparison, Humans
from reportgen.results.parts import Change
from reportgen.words import numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.names import figure_name

MACRO = "specific_agreement[macro]"
OF_MARKS = {
    "f_measure[strict]": N_("F, strict"),
    "precision[strict]": N_("Precision"),
    "recall[strict]": N_("Recall"),
}
OBSERVED = "observed_agreement"
# More categories than these are in the CSV alone.
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
        return slug_of(self.whole.layer, self.whole.unit_set or "spans")

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
        own = OF_MARKS.get(figure) if self.of_marks else None
        return _(own) if own else figure_name(self.results, figure)

    @property
    def partly(self) -> bool:
        """Say whether the page shows only the annotators who agree with the key least."""
        return self.whole.people > len(self.shown)

    @cached_property
    def shown(self) -> tuple[Comparison, ...]:
        """Return who is on the page: everybody, or beside systems those who agree least."""
        systems = [pair for pair in self.every if pair.role != ANNOTATOR]
        others = [pair for pair in self.every if pair.role == ANNOTATOR]
        if len(self.every) <= MOST_AGREEING:
            return self.every
        return (*systems, *least(others, lambda pair: pair.measures[self.whole.figure].value, most=0))

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """Return the figures of the table, the first one first."""
        if self.of_marks:
            return (self.whole.figure, "precision[strict]", "recall[strict]")
        return tuple(dict.fromkeys((self.whole.figure, OBSERVED, MACRO)))

    @property
    def several_keys(self) -> bool:
        """Say whether rows have different keys."""
        return len({pair.key for pair in self.every}) > 1

    @cached_property
    def table(self) -> ReportTable:
        """Return everybody against the key, a row each, with what annotators reach on the same units."""
        first, *others = self.figures
        names_keys = self.several_keys or not self.against_reference or bool(self.whole.not_independent)
        heading, among = say("{figure} [95% interval]", figure=self.figure), _("Annotators with each other")
        return table_of(
            f"comparisons-{self.slug}",
            say(
                N_("Against the reference; beside systems, {figure} of annotators on the same units.")
                if self.against_reference
                else N_(
                    "Systems against annotators; beside systems, {figure} of annotators on the same units."
                ),
                figure=self.figure,
            ),
            self.shown,
            ("other", _("Who"), "text", shown_name),
            ("key", _("Against"), "text", shown_key) if names_keys else None,
            None if self.of_marks else ("units", _("Units"), "count", lambda pair: pair.units),
            ("documents", _("Documents"), "count", lambda pair: pair.documents),
            ("figure", heading, "estimate", lambda pair: pair.measures[first]),
            (*("humans", among, "estimate"), lambda pair: _among(pair.humans, first)),
            ("range", _("Each with the reference"), "text", self._range) if self.against_reference else None,
            *columns_of(
                {name: self.name_of(name) for name in others},
                "figure",
                lambda pair, name: _value(pair.measures, name),
            ),
        )

    def _range(self, pair: Comparison) -> str:
        """Return between which figures annotators are against the reference."""
        found = pair.humans.against_reference.values() if pair.humans else ()
        values = [value for each in found if (value := _value(each, self.whole.figure)) is not None]
        return from_to([min(values), max(values)]) if values else ""

    @cached_property
    def categories(self) -> ReportTable | None:
        """Return each system by category, or where there is none each annotator; None where it is much."""
        pairs = [pair for pair in self.shown if pair.role != ANNOTATOR] or list(self.shown)
        known = {name for pair in pairs for name in pair.by_category}
        if not known or len(known) > MOST_CATEGORIES or len(pairs) > LEAST_AGREEING:
            return None
        rows = [(pair, name, each) for pair in pairs for name, each in pair.by_category.items()]
        mean_f = _("Annotators with each other: mean F")
        beside = any(each.humans for pair in self.shown for each in pair.by_category.values())
        return table_of(
            f"comparison-categories-{self.slug}",
            _("By category."),
            rows,
            ("other", _("Who"), "text", lambda row: shown_name(row[0])),
            ("key", _("Against"), "text", lambda row: shown_key(row[0])) if self.several_keys else None,
            ("category", _("Category"), "text", lambda row: row[1]),
            ("used", _("Key used it"), "count", lambda row: row[2].key),
            ("precision", _("Precision"), "estimate", lambda row: row[2].precision),
            ("recall", _("Recall"), "estimate", lambda row: row[2].recall),
            ("f", _("F (specific agreement)"), "estimate", lambda row: row[2].specific_agreement),
            ("humans", mean_f, "figure", lambda row: row[2].humans.value if row[2].humans else None)
            if beside
            else None,
        )


def from_to(values: Iterable[float]) -> str:
    """Return two figures as a range, one where they look the same."""
    first, *more = dict.fromkeys(map(numbers.figure, values))
    return say("{first} to {last}", first=first, last=more[-1]) if more else first


def _value(figures: Mapping[str, Figure], name: str) -> float | None:
    return figures[name].value if name in figures else None


def _among(humans: Humans | None, figure: str) -> Figure | None:
    return humans.measures.get(figure) if humans else None


@dataclass(frozen=True)
class LayerComparisons:
    """One layer: what is on the page of its marks in texts, and of its primary unit set."""

    layer: str
    shown: tuple[ComparedView, ...]

    @property
    def drawn(self) -> ComparedView | None:
        """Return what the figure shows: marks in texts where there are such, else the primary unit set."""
        return next((each for each in self.shown if each.every), None)


def layers(results: Results) -> tuple[LayerComparisons, ...]:
    """Return what a page shows of each layer in which not all are annotators."""
    found = results.comparisons
    if found is None:
        return ()
    primary = {(each.layer, each.id) for each in results.unit_sets if each.primary}
    views = [
        ComparedView(results, whole, tuple(pair for pair in found.pairs if _is_of(pair, whole)))
        for whole in sorted(found.sets, key=lambda each: each.unit_set is not None)
        if whole.unit_set is None or (whole.layer, whole.unit_set) in primary
    ]
    return tuple(
        LayerComparisons(layer, tuple(each for each in views if each.whole.layer == layer))
        for layer in dict.fromkeys(each.layer for each in found.sets)
    )


def _is_of(pair: Comparison, whole: ComparedSet) -> bool:
    return (pair.layer, pair.unit_set) == (whole.layer, whole.unit_set)


# Everybody against the reference, drawn: a mark with its interval each, human agreement as a band.

# More rows than these are read in the table, not in a figure.
MOST_DRAWN = 48


def drawn_against(view: ComparedView) -> DotPlot | None:
    """Return the figure of one unit set or of marks; None where there is nothing, or too much, to draw."""
    known = [pair for pair in view.shown if _figure(view, pair).value is not None]
    if not 0 < len(known) <= MOST_DRAWN:
        return None
    best = max(known, key=lambda pair: _figure(view, pair).value or -1.0)
    closest = say(
        N_("{name} is closest to the reference: {figure} {value}")
        if view.against_reference
        else N_("{name} agrees most with annotators: {figure} {value}"),
        name=_label(view, best),
        figure=view.figure,
        value=numbers.figure(_figure(view, best).value),
    )
    title = closest if len(known) > 1 else named_value(_label(view, best), view.figure)
    data = _("; ").join(_described(view, pair) for pair in known)
    axis = say("{figure}, with 95% interval", figure=view.figure)
    return DotPlot(title, f"{data}.", [_row(view, pair) for pair in known], axis)


def _figure(view: ComparedView, pair: Comparison) -> Figure:
    return pair.measures[view.whole.figure]


def _row(view: ComparedView, pair: Comparison) -> DotPlotRow:
    found = span(_figure(view, pair))
    mark = "one" if pair.role == ANNOTATOR else "other"
    return DotPlotRow(_label(view, pair), [Dot(found, mark)] if found else [], span(_humans(view, pair)))


def _label(view: ComparedView, pair: Comparison) -> str:
    name = " ".join(filter(None, (pair.system, pair.release))) or pair.other
    return f"{name} / {pair.key}" if view.several_keys else name


def _humans(view: ComparedView, pair: Comparison) -> Figure | None:
    """Return how annotators agree on the same units; beside annotators, on all units of the reference."""
    found = _among(pair.humans or view.whole.humans.get(pair.key), view.whole.figure)
    return found if found and found.value is not None else None


def _described(view: ComparedView, pair: Comparison) -> str:
    name, humans = _label(view, pair), _humans(view, pair)
    if pair.role != ANNOTATOR:
        name = f"{name} ({role_in_words(pair.role)})"
    own = numbers.estimate(_figure(view, pair))
    if humans is None:
        return named_value(name, own)
    beside = numbers.estimate(humans)
    return say("{name}: {value}, annotators with each other {humans}", name=name, value=own, humans=beside)


# Systems against a reference twice, drawn: a mark with its interval each time, human agreement as a band.

TWICE = ("earlier", "one")

# Who it is, the figure twice, and annotators on the same units.
Drawn = tuple[str, Change, Figure | None]


def drawn_twice(name: str, figure: str, times: tuple[str, str], views: Sequence[Drawn]) -> Drawing | None:
    """Return the figure; None where there is nothing to draw."""
    shown = [(_dots(each), _described_twice(each, times)) for each in views]
    rows = [dots for dots, _words in shown if dots.dots]
    if not rows:
        return None
    title = say(
        "{figure} with the reference: {first} and {second}", figure=figure, first=times[0], second=times[1]
    )
    described = _("; ").join(words for dots, words in shown if dots.dots)
    axis = say("{figure}, with 95% interval", figure=figure)
    return drawing(name, DotPlot(title, f"{described}.", rows, axis, tuple(zip(times, TWICE, strict=True))))


def _dots(each: Drawn) -> DotPlotRow:
    who, change, humans = each
    spans = zip(map(span, (change.first, change.second)), TWICE, strict=True)
    return DotPlotRow(who, [Dot(found, mark) for found, mark in spans if found], span(humans))


def _described_twice(each: Drawn, times: tuple[str, str]) -> str:
    who, change, humans = each
    said = [f"{times[0]} {numbers.estimate(change.first)}", f"{times[1]} {numbers.estimate(change.second)}"]
    if span(humans):
        said.append(say("annotators with each other {figure}", figure=numbers.estimate(humans)))
    return say("{who}: {figures}", who=who, figures=", ".join(said))


# The CSV tables of references and systems: every figure of every comparison, and every category.

WHO = plain("layer unit_set key other role system release independent")
FIGURES = (
    *WHO,
    *plain("documents", "count"),
    *plain("figure"),
    *plain("value", "estimate"),
    TableColumn("humans_pairs", "pairs of annotators", "count"),
    TableColumn("humans", "mean over pairs of annotators on the same units", "estimate"),
)
CATEGORIES = (
    *WHO,
    *plain("category"),
    TableColumn("n_key", "units that the key gave it", "count"),
    TableColumn("n_other", "units that the other gave it", "count"),
    TableColumn("n_both", "units that both gave it", "count"),
    *plain("precision recall", "estimate"),
    TableColumn("specific_agreement", "specific agreement", "estimate"),
    TableColumn("humans", "mean over pairs of annotators", "figure"),
)


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables: every figure of every comparison, one a row, and every category."""
    if results.comparisons is None:
        return
    pairs = results.comparisons.pairs
    figures = (
        (*_who(pair), pair.documents, name, figure, *beside)
        for pair in pairs
        for name, figure in pair.measures.items()
        for beside in [(pair.humans.pairs, pair.humans.measures.get(name)) if pair.humans else (None, None)]
    )
    yield ReportTable("comparisons", "", FIGURES, tuple(figures), file="comparisons.csv")
    categories = (
        (
            *(*_who(pair), name, each.key, each.other, each.both),
            *(each.precision, each.recall, each.specific_agreement),
            each.humans.value if each.humans else None,
        )
        for pair in pairs
        for name, each in pair.by_category.items()
    )
    name = "comparisons-by-category"
    yield ReportTable(name, "", CATEGORIES, tuple(categories), file=f"{name}.csv")


def _who(pair: Comparison) -> tuple[Cell, ...]:
    independent = "no" if pair.independent is False else None
    return (
        *(pair.layer, pair.unit_set, pair.key, pair.other, pair.role),
        *(pair.system, pair.release, independent),
    )
