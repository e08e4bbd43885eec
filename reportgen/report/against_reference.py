"""Systems and annotators against a reference, once and twice, with human agreement beside them.

Twice means under two guidelines versions, or as two releases of one system.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE
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
    least,
    not_independent,
    plain,
    role_in_words,
    slug_of,
    table_of,
)
from reportgen.report.version_changes import difference
from reportgen.results import Figure, Results
from reportgen.results.annotators import CategoryScores, ComparedSet, Comparison, Humans
from reportgen.results.parts import Change, SystemRevision
from reportgen.results.versions import VersionComparison, on_shared
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_either
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


# Rows on the page; the CSV has everybody.
MOST_ROWS = 30


@dataclass(frozen=True)
class SystemsView:
    """Everybody against a key twice; `prefix` names the CSV files, `versions` are those of guidelines."""

    revisions: Sequence[SystemRevision]
    name_of: Callable[[str], str]
    prefix: str
    versions: tuple[str, str] | None = None
    primary: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def shown(self) -> list[SystemRevision]:
        """Return who is on a page: by marks and in primary unit sets, on what both have if anything."""
        own = (
            revision
            for revision in self.revisions
            if revision.unit_set is None
            or not self.primary
            or (revision.layer, revision.unit_set) in self.primary
        )
        return on_shared(own, "layer", "unit_set", "system", "key", "first", "second")[:MOST_ROWS]

    @property
    def table(self) -> ReportTable:
        """Return the figure that comes first, of everybody, with that of annotators on the same units."""
        several = len({revision.layer for revision in self.shown}) > 1
        first, second = self.versions or (_("Earlier"), _("Later"))

        def who(revision: SystemRevision) -> str:
            role = revision.role != ANNOTATOR or revision.releases
            releases = [" → ".join(revision.releases)] if revision.releases else []
            named = " ".join((revision.system, *releases))
            return f"{named} ({role_in_words(revision.role)})" if role else named

        def figure(revision: SystemRevision) -> str:
            return _("Mean F") if revision.figure == MACRO else as_heading(self.name_of(revision.figure))

        def change(revision: SystemRevision) -> Change:
            return revision.measures[revision.figure]

        return table_of(
            f"systems-{self.prefix}",
            _("Each against the key, twice [95% interval]; those that fell come first."),
            self.shown,
            ("who", _("Who"), "text", who),
            ("layer", _("Layer"), "text", lambda revision: revision.layer) if several else None,
            ("key", _("Against"), "text", lambda revision: revision.key),
            ("figure", _("Figure"), "text", figure),
            ("first", first, "estimate", lambda revision: change(revision).first),
            ("second", second, "estimate", lambda revision: change(revision).second),
            ("difference", _("Difference"), "text", lambda revision: changes.difference(change(revision))),
            ("p", "p", "p", lambda revision: p_of(change(revision))),
            ("humans", _("Annotators with each other"), "estimate", lambda own: own.humans.get("second")),
        )

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
