"""Systems and annotators against a reference twice: regressions first, by category and by document.

The two times are two guidelines versions, or two releases of one system under one of them.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import count

from reportgen.base.dataclass import dataclass
from reportgen.figures import Drawing
from reportgen.report import version_changes as changes
from reportgen.report.against_reference import MACRO, drawn_twice, from_to
from reportgen.report.tables import (
    ANNOTATOR,
    Cell,
    ReportTable,
    TableColumn,
    fields,
    gathered,
    plain,
    role_in_words,
    slug_of,
    table_if,
    table_of,
)
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results import Results
from reportgen.results.comparison import VersionComparison
from reportgen.results.parts import DocumentChange, SystemRevision
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many
from reportgen.words.names import as_heading

F = "f_measure"
MARKS = {
    f"{F}[strict]": N_("F, strict"),
    f"{F}[lenient]": N_("F, lenient"),
    f"{F}[average]": N_("F, average"),
}
# So many are on a page; all of them are in the CSV.
MOST_CATEGORIES = 20
# So many documents that fell, and so many that rose.
MOST_DOCUMENTS = 20

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
    number: int

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

    @property
    def measures(self) -> ChangeTable:
        """Return every figure, the one that comes first before the others."""
        by_figure = self.revision.measures
        names = sorted(by_figure, key=lambda name: (name != self.revision.figure, name))
        rows = changes.change_rows(by_figure, names, lambda name: shown_figure(name, self.name_of))
        caption = say("{name}: every figure [95% interval].", name=self._of_what)
        return self._table("figures", caption, _("Figure"), rows)

    @cached_property
    def by_category(self) -> list[ChangeRow]:
        """Return F of each category, those that fell most first."""

        def fallen(row: ChangeRow) -> tuple[bool, float, str]:
            moved = row.change.difference
            return moved is None, moved or 0.0, row.name

        rows = (ChangeRow(name, change) for name, change in self.revision.by_category.items())
        return sorted(rows, key=fallen)

    @property
    def categories(self) -> ChangeTable:
        """Return F of each category; of many, of those that moved most."""
        furthest = changes.furthest(self.by_category, MOST_CATEGORIES)
        rows = [row for row in self.by_category if row in furthest]
        caption = say(
            "{name}: F of each category [95% interval], those that fell most first.", name=self._of_what
        )
        return self._table("categories", caption, _("Category"), rows)

    @property
    def _of_what(self) -> str:
        """Return its name and what is compared: a report may compare one system by several units."""
        return say("{name}, {units}", name=self.name, units=self.revision.unit_set or _("marks"))

    def _table(self, name: str, caption: str, head: str, rows: Sequence[ChangeRow]) -> ChangeTable:
        return ChangeTable(f"systems-{self.number}-{name}", caption, head, self.times, rows, len(rows))

    def _moved(self) -> tuple[list[DocumentChange], list[DocumentChange]]:
        """Return the documents that fell, the deepest first, and those that rose, in the same order."""
        documents = [(document.difference or 0.0, document) for document in self.revision.by_document]
        fell, rose = ([document for moved, document in documents if moved * way > 0] for way in (-1, 1))
        return fell, rose

    @property
    def documents_in_words(self) -> str:
        """Return how many documents fell, rose and stayed, and how many have no figure twice."""
        fell, rose = map(len, self._moved())
        left = sum(document.difference is None for document in self.revision.by_document)
        compared = len(self.revision.by_document) - left
        moved = say_many(
            "Of {count} {document|documents}, {fell} fell, {rose} rose and {stayed} stayed.",
            compared,
            fell=numbers.count(fell),
            rose=numbers.count(rose),
            stayed=numbers.count(compared - fell - rose),
        )
        undefined = say_many("{count} {document has|documents have} no figure under one of the two.", left)
        return f"{moved} {undefined}" if left else moved

    @property
    def documents(self) -> ReportTable | None:
        """Return the documents that fell most and those that rose most; None where none moved."""
        fell, rose = self._moved()
        figure = shown_figure(self.revision.document_figure or self.revision.figure, self.name_of)
        units = _("Marks") if self.revision.unit_set is None else _("Units")
        return table_if(
            f"systems-{self.number}-documents",
            say(
                "{name}: {figure} in the documents that fell and rose most.",
                name=self._of_what,
                figure=figure,
            ),
            [*fell[:MOST_DOCUMENTS], *rose[-MOST_DOCUMENTS:]],
            ("document", _("Document"), "text", lambda document: document.document),
            ("first", self.times[0], "figure", lambda document: document.first),
            ("second", self.times[1], "figure", lambda document: document.second),
            ("difference", _("Difference"), "figure", lambda document: changes.signed(document.difference)),
            ("units", units, "count", lambda document: document.units),
        )


# The CSV tables of systems and references twice: every figure, category and document.

WHO = plain("layer unit_set basis system role key first_name second_name first_release second_release")
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

# So many are on a page, in the list and each with its own tables; everybody is in the CSV.
MOST_ROWS = 30
MOST_SHOWN = 4
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
    def shown(self) -> tuple[SystemView, ...]:
        """Return who has tables of their own: systems and models, those that fell first."""
        return tuple(view for view in self.views if view.revision.role != ANNOTATOR)[:MOST_SHOWN]

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
        numbering = count(1)
        for key in sorted(by_unit_set):
            basis = "shared" if "shared" in by_unit_set[key] else "all"
            views = tuple(
                SystemView(revision, self.versions, self.name_of, next(numbering))
                for revision in by_unit_set[key][basis]
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
            yield ReportTable("", "", (*WHO, *columns), rows, file=file, what=what)


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
