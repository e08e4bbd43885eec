"""Systems and annotators against a reference, once and twice, with human agreement beside them.

Twice means under two guidelines versions, or as two releases of one system.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE
from reportgen.figures import Drawing, drawing
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, span
from reportgen.findings.layer_facts import p_of
from reportgen.report import version_changes as changes
from reportgen.report.tables import (
    ANNOTATOR,
    LEAST_AGREEING,
    MOST_AGREEING,
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    columns_of,
    csv_table,
    fields,
    gathered,
    least,
    not_independent,
    plain,
    role_in_words,
    slug_of,
    table_of,
)
from reportgen.report.version_changes import ChangeRow, difference
from reportgen.results import Figure, Results
from reportgen.results.annotators import CategoryScores, ComparedSet, Comparison, Humans
from reportgen.results.parts import Change, SystemRevision
from reportgen.results.versions import VersionComparison
from reportgen.words import numbers
from reportgen.words.language import N_, _, named_value, say, say_either, say_many
from reportgen.words.names import as_heading, figure_name

MACRO = "specific_agreement[macro]"
OF_MARKS = {f"{measure.id}[strict]": measure.short for measure in CATALOGUE if measure.main}
STRICT_F = "f_measure[strict]"
OBSERVED = "observed_agreement"
# More categories than these are in the CSV alone.
MOST_CATEGORIES_SHOWN = 24

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
        if self.of_marks and figure == STRICT_F:
            return _("F, strict")
        answer = self.results.answer_of(self.whole.layer)
        if answer and answer.figure == figure and figure.partition("[")[0] not in self.results.catalogue:
            return _(answer.name)
        title = OF_MARKS.get(figure) if self.of_marks else None
        return _(title) if title else figure_name(self.results, figure)

    @cached_property
    def shown(self) -> tuple[Comparison, ...]:
        """Return who is on the page: everybody, or beside systems those who agree least."""
        systems = [pair for pair in self.every if pair.role != ANNOTATOR]
        annotators = [pair for pair in self.every if pair.role == ANNOTATOR]
        if len(self.every) <= MOST_AGREEING:
            return self.every
        return (*systems, *least(annotators, lambda pair: pair.measures[self.whole.figure].value, most=0))

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """Return the figures of the table, the first one first."""
        if self.of_marks:
            return tuple(dict.fromkeys((self.whole.figure, *OF_MARKS)))
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
            say_either(
                self.against_reference,
                "{Against the reference|Systems against annotators}; beside systems, {figure} of annotators "
                "on the same units.",
                figure=self.figure,
            ),
            self.shown,
            ("other", _("Who"), "text", shown_name),
            ("key", _("Against"), "text", shown_key) if names_keys else None,
            None if self.of_marks else ("units", _("Units"), "count", lambda pair: pair.units),
            ("documents", _("Documents"), "count", lambda pair: pair.documents),
            ("figure", heading, "estimate", lambda pair: pair.measures[first]),
            (*("humans", among, "estimate"), lambda pair: _figure_among_humans(pair.humans, first)),
            ("range", _("Each with the reference"), "text", self._range) if self.against_reference else None,
            *columns_of(
                {name: self.name_of(name) for name in others},
                "figure",
                lambda pair, name: _value(pair.measures, name),
            ),
            *self._behind(),
        )

    def _behind(self) -> Iterator[ColumnOf[Comparison] | None]:
        """Yield how far each other system is behind the best one, on what both have, with its test."""
        if any(pair.behind for pair in self.shown):
            yield "behind", _("Behind the best"), "text", lambda pair: _difference(pair.behind)
            yield "p", "p", "p", lambda pair: p_of(pair.behind) if pair.behind else None

    def _range(self, pair: Comparison) -> str:
        by_annotator = pair.humans.against_reference.values() if pair.humans else ()
        name = self.whole.figure
        values = [value for figures in by_annotator if (value := _value(figures, name)) is not None]
        return from_to([min(values), max(values)]) if values else ""

    @cached_property
    def imbalance(self) -> ReportTable | None:
        """Return by category what a prevalent one does not flatter; None of marks, or where it is much."""
        rows = [row for row in self._by_category if row[2].specificity is not None]
        if self.categories is None or not rows:
            return None
        return table_of(
            f"comparison-imbalance-{self.slug}",
            _("Each category against all others."),
            rows,
            *self._who_and_what(),
            ("sensitivity", _("Sensitivity"), "estimate", lambda row: row[2].recall),
            ("specificity", _("Specificity"), "estimate", lambda row: row[2].specificity),
            ("positive_value", _("Positive predictive value"), "estimate", lambda row: row[2].precision),
            ("negative_value", _("Negative predictive value"), "estimate", lambda row: row[2].negative_value),
            ("phi", "φ", "estimate", lambda row: row[2].phi),
        )

    @cached_property
    def categories(self) -> ReportTable | None:
        """Return each system by category, or where there is none each annotator; None where it is much."""
        categories = {name for _pair, name, _category in self._by_category}
        if not categories or len(categories) > MOST_CATEGORIES_SHOWN or len(self._judged) > LEAST_AGREEING:
            return None
        mean_f = _("Annotators with each other: mean F")
        beside = any(category.humans for pair in self.shown for category in pair.by_category.values())
        return table_of(
            f"comparison-categories-{self.slug}",
            _("By category."),
            self._by_category,
            *self._who_and_what(),
            ("precision", _("Precision"), "estimate", lambda row: row[2].precision),
            ("recall", _("Recall"), "estimate", lambda row: row[2].recall),
            ("f", _("F (specific agreement)"), "estimate", lambda row: row[2].specific_agreement),
            ("humans", mean_f, "figure", lambda row: row[2].humans.value if row[2].humans else None)
            if beside
            else None,
        )

    @property
    def _judged(self) -> Sequence[Comparison]:
        return [pair for pair in self.shown if pair.role != ANNOTATOR] or self.shown

    @property
    def _by_category(self) -> list[tuple[Comparison, str, CategoryScores]]:
        return [(pair, name, own) for pair in self._judged for name, own in pair.by_category.items()]

    def _who_and_what(self) -> Iterator[ColumnOf[tuple[Comparison, str, CategoryScores]] | None]:
        yield "other", _("Who"), "text", lambda row: shown_name(row[0])
        yield ("key", _("Against"), "text", lambda row: shown_key(row[0])) if self.several_keys else None
        yield "category", _("Category"), "text", lambda row: row[1]
        yield "used", _("Key used it"), "count", lambda row: row[2].key


def _difference(behind: Change | None) -> str:
    return difference(behind) if behind else ""


def from_to(values: Iterable[float]) -> str:
    """Return two figures as a range, one where they look the same."""
    first, *more = dict.fromkeys(map(numbers.figure, values))
    return say("{first} to {last}", first=first, last=more[-1]) if more else first


def _value(figures: Mapping[str, Figure], name: str) -> float | None:
    return figures[name].value if name in figures else None


def _figure_among_humans(humans: Humans | None, figure: str) -> Figure | None:
    return humans.measures.get(figure) if humans else None


@dataclass(frozen=True)
class LayerComparisons:
    """One layer: what is on the page of its marks in texts, and of its primary unit set."""

    layer: str
    shown: tuple[ComparedView, ...]

    @property
    def drawn(self) -> ComparedView | None:
        """Return what the figure shows: marks in texts where there are such, else the primary unit set."""
        return next((compared for compared in self.shown if compared.every), None)


def layers(results: Results) -> tuple[LayerComparisons, ...]:
    """Return what a page shows of each layer in which not all are annotators."""
    comparisons = results.comparisons
    if comparisons is None:
        return ()
    primary = {(unit_set.layer, unit_set.id) for unit_set in results.unit_sets if unit_set.primary}
    by_set: dict[tuple[str, str | None], list[Comparison]] = {}
    for pair in comparisons.pairs:
        by_set.setdefault((pair.layer, pair.unit_set), []).append(pair)
    views = [
        ComparedView(results, compared, tuple(by_set.get((compared.layer, compared.unit_set), ())))
        # Marks in texts come before the primary unit set.
        for compared in sorted(comparisons.sets, key=lambda compared: compared.unit_set is not None)
        if compared.unit_set is None or (compared.layer, compared.unit_set) in primary
    ]
    return tuple(
        LayerComparisons(layer, tuple(view for view in views if view.whole.layer == layer))
        for layer in dict.fromkeys(compared.layer for compared in comparisons.sets)
    )


# Everybody against the reference, drawn: a mark with its interval each, human agreement as a band.

# More rows than these are read in the table, not in a figure.
MOST_DRAWN = 48


def drawn_against(view: ComparedView) -> DotPlot | None:
    """Return the figure of one unit set or of marks; None where there is nothing, or too much, to draw."""
    pairs = [pair for pair in view.shown if _figure(view, pair).value is not None]
    if not 0 < len(pairs) <= MOST_DRAWN:
        return None
    best = max(pairs, key=lambda pair: _figure(view, pair).value or -1.0)
    closest = say_either(
        view.against_reference,
        "{name} {is closest to the reference|agrees most with annotators}: {figure} {value}",
        name=_label(view, best),
        figure=view.figure,
        value=numbers.figure(_figure(view, best).value),
    )
    title = closest if len(pairs) > 1 else named_value(_label(view, best), view.figure)
    data = _("; ").join(_comparison_in_words(view, pair) for pair in pairs)
    axis = say("{figure}, with 95% interval", figure=view.figure)
    return DotPlot(title, f"{data}.", [_row(view, pair) for pair in pairs], axis)


def _figure(view: ComparedView, pair: Comparison) -> Figure:
    return pair.measures[view.whole.figure]


def _row(view: ComparedView, pair: Comparison) -> DotPlotRow:
    interval = span(_figure(view, pair))
    mark = "one" if pair.role == ANNOTATOR else "other"
    dots = [Dot(interval, mark)] if interval else []
    return DotPlotRow(_label(view, pair), dots, span(_human_agreement(view, pair)))


def _label(view: ComparedView, pair: Comparison) -> str:
    name = pair.shown_name
    return f"{name} / {pair.key}" if view.several_keys else name


def _human_agreement(view: ComparedView, pair: Comparison) -> Figure | None:
    among = _figure_among_humans(pair.humans or view.whole.humans.get(pair.key), view.whole.figure)
    return among if among and among.value is not None else None


def _comparison_in_words(view: ComparedView, pair: Comparison) -> str:
    name, humans = _label(view, pair), _human_agreement(view, pair)
    if pair.role != ANNOTATOR:
        name = f"{name} ({role_in_words(pair.role)})"
    estimate = numbers.estimate(_figure(view, pair))
    if humans is None:
        return named_value(name, estimate)
    among = numbers.estimate(humans)
    return say(
        "{name}: {value}, annotators with each other {humans}", name=name, value=estimate, humans=among
    )


# Systems against a reference twice, drawn: a mark with its interval each time, human agreement as a band.

TWICE = ("earlier", "one")

# Who it is, the figure twice, and annotators on the same units.
Drawn = tuple[str, Change, Figure | None]


def drawn_twice(name: str, figure: str, times: tuple[str, str], views: Sequence[Drawn]) -> Drawing | None:
    """Return the figure; None where there is nothing to draw."""
    rows, described = [], []
    for who, change, humans in views:
        sides = (change.first, change.second)
        dots = [
            Dot(interval, mark) for interval, mark in zip(map(span, sides), TWICE, strict=True) if interval
        ]
        if dots:
            rows.append(DotPlotRow(who, dots, span(humans)))
            estimates = [f"{time} {numbers.estimate(side)}" for time, side in zip(times, sides, strict=True)]
            if span(humans):
                estimates.append(say("annotators with each other {figure}", figure=numbers.estimate(humans)))
            described.append(say("{who}: {figures}", who=who, figures=", ".join(estimates)))
    if not rows:
        return None
    title = say(
        "{figure} with the reference: {first} and {second}", figure=figure, first=times[0], second=times[1]
    )
    data, axis = f"{_('; ').join(described)}.", say("{figure}, with 95% interval", figure=figure)
    return drawing(name, DotPlot(title, data, rows, axis, tuple(zip(times, TWICE, strict=True))))


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
    *plain("specificity", "estimate"),
    TableColumn("negative_value", "negative predictive value", "estimate"),
    TableColumn("phi", "Matthews' φ", "estimate"),
    TableColumn("humans", "mean over pairs of annotators", "figure"),
)
OF_CATEGORY = "key other both precision recall specific_agreement specificity negative_value phi"


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield the CSV tables: every figure of every comparison, one a row, and every category."""
    if results.comparisons is None:
        return
    pairs = results.comparisons.pairs
    figures = (
        (*_comparison_cells(pair), pair.documents, name, figure, *beside)
        for pair in pairs
        for name, figure in pair.measures.items()
        for beside in [(pair.humans.pairs, pair.humans.measures.get(name)) if pair.humans else (None, None)]
    )
    yield csv_table(
        "comparisons", "Everybody who is not an annotator, against the reference.", FIGURES, figures
    )
    categories = (
        (
            *(*_comparison_cells(pair), name, *fields(own, OF_CATEGORY)),
            own.humans.value if own.humans else None,
        )
        for pair in pairs
        for name, own in pair.by_category.items()
    )
    yield csv_table(
        "comparisons-by-category",
        "Everybody who is not an annotator, against the reference, by category.",
        CATEGORIES,
        categories,
    )


def _comparison_cells(pair: Comparison) -> tuple[Cell, ...]:
    independent = "no" if pair.independent is False else None
    return (*fields(pair, "layer unit_set key other role system release"), independent)


F = "f_measure"
MARKS = {
    f"{F}[strict]": N_("F, strict"),
    f"{F}[lenient]": N_("F, lenient"),
    f"{F}[average]": N_("F, average"),
}

Names = Callable[[str], str]


def shown_figure(figure: str, name_of: Names) -> str:
    """Return what a reader calls a figure."""
    if figure == MACRO:
        return _("Mean F")
    return _(MARKS[figure]) if figure in MARKS else as_heading(name_of(figure))


@dataclass(frozen=True)
class SystemView:
    """Somebody against a key twice: under two `versions` of guidelines, or as two releases."""

    revision: SystemRevision
    versions: tuple[str, str] | None
    name_of: Names

    @property
    def times(self) -> tuple[str, str]:
        """Return what the two times are called in heads of tables."""
        return self.versions or self.revision.releases or (self.revision.first, self.revision.second)

    @property
    def label(self) -> str:
        """Return who is compared, as figures name them: "tagger, 1.0 to 2.0"."""
        if self.revision.releases is None:
            return self.revision.system
        system, (first, second) = self.revision.system, self.revision.releases
        if first == second:
            return f"{system} {second}"
        return say("{system}, {first} to {second}", system=system, first=first, second=second)

    @property
    def name(self) -> str:
        """Return the same with the role: "tagger, 1.0 to 2.0 (system)"."""
        role = self.revision.role
        with_role = role != ANNOTATOR or self.revision.releases
        return f"{self.label} ({role_in_words(role)})" if with_role else self.label

    @property
    def headline(self) -> ChangeRow:
        """Return the figure that comes first."""
        return ChangeRow(self.name, self.revision.measures[self.revision.figure])

    @cached_property
    def by_category(self) -> list[ChangeRow]:
        """Return F of each category, those that fell most first."""

        def fallen(row: ChangeRow) -> tuple[bool, float, str]:
            moved = row.change.difference
            return moved is None, moved or 0.0, row.name

        rows = (ChangeRow(name, change) for name, change in self.revision.by_category.items())
        return sorted(rows, key=fallen)


# The CSV tables of systems and references twice: every figure, category and document.

WHO_TWICE = plain("layer unit_set basis system role key first_name second_name first_release second_release")
HUMANS = (
    TableColumn("humans_first", "humans", "estimate"),
    TableColumn("humans_second", "humans", "estimate"),
)
DOCUMENTS = (*plain("document figure"), *plain("first second difference", "figure"), *plain("units", "count"))


def _who(revision: SystemRevision) -> tuple[Cell, ...]:
    names = fields(revision, "basis system role key first second")
    return (revision.layer, revision.unit_set or "", *names, *(revision.releases or ("", "")))


def _figure_rows(revision: SystemRevision) -> Iterator[tuple[Cell, ...]]:
    for name, change in revision.measures.items():
        beside = revision.humans if name == revision.figure else {}
        yield (name, *changes.csv_cells(change), beside.get("first"), beside.get("second"))


def _category_rows(revision: SystemRevision) -> Iterator[tuple[Cell, ...]]:
    for name, change in revision.by_category.items():
        yield (name, *changes.csv_cells(change))


def _document_rows(revision: SystemRevision) -> Iterator[tuple[Cell, ...]]:
    figure = revision.document_figure or revision.figure
    for document in revision.by_document:
        yield (document.document, figure, *fields(document, "first second difference units"))


# Who is compared, on what, and everybody in a list.

# Rows on the page; the CSV has everybody.
MOST_ROWS = 30
MOVED = {"rose": N_("rose"), "fell": N_("fell")}


@dataclass(frozen=True)
class SystemGroup:
    """All who are compared in one unit set, or by one layer's marks in texts, on one basis."""

    layer: str
    unit_set: str | None
    basis: str
    views: tuple[SystemView, ...]
    several_layers: bool

    @property
    def id(self) -> str:
        """Return what anchors and files call it."""
        slug = slug_of(self.layer, self.unit_set or "spans")
        return f"{slug}-{'both' if self.basis == 'shared' else 'all'}"

    @property
    def figure(self) -> str:
        """Return the name of the figure that comes first."""
        first = self.views[0]
        return shown_figure(first.revision.figure, first.name_of)

    @property
    def title(self) -> str:
        """Return what is compared."""
        what = _("Marks in texts") if self.unit_set is None else say("Unit set {set}", set=self.unit_set)
        return say("{what}, layer {layer}", what=what, layer=self.layer) if self.several_layers else what

    @property
    def material(self) -> str:
        """Return on which documents or units both times rest."""
        if self.basis == "all":
            return _("All that each of the two was compared with: other material gives other figures.")
        overlap = self.views[0].revision.overlap
        if overlap.documents:
            return say_many("On what both have: {count} {document|documents}.", overlap.documents)
        units = overlap.units or 0
        return say_many("On the {count} {unit|units} that both have.", units)

    @property
    def rows(self) -> tuple[SystemView, ...]:
        """Return who is in the list; others are in the CSV alone."""
        return self.views[:MOST_ROWS]

    @property
    def several_keys(self) -> bool:
        """Tell whether rows have different keys."""
        return len({view.revision.key for view in self.views}) > 1

    @property
    def _beside(self) -> bool:
        return any(view.revision.humans for view in self.views)

    @property
    def _times(self) -> tuple[str, str]:
        times = {view.times for view in self.views}
        return times.pop() if len(times) == 1 else (_("Earlier"), _("Later"))

    @property
    def table(self) -> ReportTable:
        """Return the figure that comes first, of everybody, with that of annotators on the same units."""
        values = {"title": self.title, "figure": self.figure}
        first, second = self._times
        humans = _("Annotators with each other")

        def beside(view: SystemView) -> str:
            """Return how annotators agree on the same units both times, once where that is the same."""
            both = (view.revision.humans.get(which) for which in ("first", "second"))
            values = [figure.value for figure in both if figure and figure.value is not None]
            return from_to(values) if values else ""

        def moved(view: SystemView) -> str:
            """Return whether a figure moved beyond chance; nothing where it was not tested."""
            not_shown = "" if view.headline.p is None else _("not shown")
            return _(MOVED[view.headline.moved]) if view.headline.moved else not_shown

        return table_of(
            f"systems-{self.id}",
            say("{title}: {figure} [95% interval], those that fell most first.", **values),
            self.rows,
            ("who", _("Who"), "text", lambda view: view.name),
            ("key", _("Against"), "text", lambda view: view.revision.key) if self.several_keys else None,
            ("first", first, "estimate", lambda view: view.headline.change.first),
            ("second", second, "estimate", lambda view: view.headline.change.second),
            ("difference", _("Difference"), "figure", lambda view: changes.difference(view.headline.change)),
            ("p", "p", "p", lambda view: view.headline.p),
            ("moved", _("More than chance?"), "text", moved),
            ("humans", humans, "figure", beside) if self._beside else None,
        )

    @property
    def untested(self) -> dict[str, list[str]]:
        """Return who has no test, by the reason."""
        rows = [view.headline for view in self.rows]
        return gathered((row.name, row.change.untested) for row in rows if row.p is None)

    @cached_property
    def drawing(self) -> Drawing | None:
        """Return the list drawn, human agreement as a band behind it."""
        views = [(view.label, view.headline.change, view.revision.humans.get("second")) for view in self.rows]
        return drawn_twice(f"systems-{self.id}", self.figure, self._times, views)

    @property
    def caption(self) -> str:
        """Return what the figure shows."""
        first, second = self._times
        message = N_("{figure} with its 95% interval: {first} hollow, {second} filled.")
        figure = say(message, figure=self.figure, first=first, second=second)
        band = _("The band is annotators with each other on the same units, the line in it their mean.")
        return f"{figure} {band}" if self._beside else figure


@dataclass(frozen=True)
class SystemsView:
    """Everybody against a key twice; `prefix` names the CSV files, `versions` are those of guidelines."""

    revisions: Sequence[SystemRevision]
    name_of: Names
    prefix: str
    versions: tuple[str, str] | None = None
    primary: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def groups(self) -> list[SystemGroup]:
        """Return what is on a page: marks in texts, then the primary unit set, of what both have.

        What rests on all of each is there where there is nothing else; other unit sets are in the CSV.
        """
        by_unit_set: dict[tuple[bool, str, str], dict[str, list[SystemRevision]]] = {}
        for revision in self.revisions:
            layer, unit_set = revision.layer, revision.unit_set
            if unit_set is None or not self.primary or (layer, unit_set) in self.primary:
                key = (unit_set is not None, layer, unit_set or "")
                by_unit_set.setdefault(key, {}).setdefault(revision.basis, []).append(revision)
        several_layers = len({layer for _of_units, layer, _unit_set in by_unit_set}) > 1
        groups: list[SystemGroup] = []
        for key in sorted(by_unit_set):
            basis = "shared" if "shared" in by_unit_set[key] else "all"
            views = tuple(
                SystemView(revision, self.versions, self.name_of) for revision in by_unit_set[key][basis]
            )
            groups.append(SystemGroup(key[1], key[2] or None, basis, views, several_layers))
        return groups

    @property
    def fallen(self) -> list[SystemView]:
        """Return who fell beyond chance, the deepest first."""
        return [view for group in self.groups for view in group.rows if view.headline.moved == "fell"]

    @property
    def files(self) -> tuple[str, str, str]:
        """Return the names of the CSV files: figures, categories, documents."""
        return (f"{self.prefix}.csv", f"{self.prefix}-by-category.csv", f"{self.prefix}-by-document.csv")

    def tables(self) -> Iterator[ReportTable]:
        """Yield every figure, category and document for the CSV."""
        figures = (*plain("figure"), *changes.CHANGE_COLUMNS, *HUMANS)
        categories = (*plain("category"), *changes.CHANGE_COLUMNS)
        parts = (
            ("one beside the next", figures, _figure_rows),
            ("by category", categories, _category_rows),
            ("by document", DOCUMENTS, _document_rows),
        )
        for file, (how, columns, rows_of) in zip(self.files, parts, strict=True):
            rows = tuple((*_who(revision), *row) for revision in self.revisions for row in rows_of(revision))
            what = f"Releases of each system against the reference, {how}."
            yield ReportTable("", "", (*WHO_TWICE, *columns), rows, file=file, what=what)


def of_versions(comparison: VersionComparison) -> SystemsView | None:
    """Return systems under two guidelines versions; None where nobody is compared with a key in both."""
    if not comparison.systems:
        return None
    first, second = (
        say("Guidelines {version}", version=side.guidelines) for side in (comparison.first, comparison.second)
    )
    primary = frozenset(
        (revision.layer, revision.unit_set) for revision in comparison.unit_sets if revision.primary
    )
    return SystemsView(comparison.systems, comparison.name_of, "systems", (first, second), primary)


def of_releases(results: Results) -> SystemsView | None:
    """Return releases of one system under one guidelines version; None where there are no two."""
    if not results.releases:
        return None
    primary = frozenset((unit_set.layer, unit_set.id) for unit_set in results.unit_sets if unit_set.primary)
    return SystemsView(results.releases, results.name_of, "releases", None, primary)
