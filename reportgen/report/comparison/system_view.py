"""Somebody against a key twice: what rose and fell, by category and by document."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.comparison import changes, wording
from reportgen.report.comparison.changes import ChangeRow, ChangeTable
from reportgen.report.comparisons import from_to
from reportgen.report.tables import Cell, ReportTable, TableColumn, role_in_words
from reportgen.results import Figure
from reportgen.results.parts import DocumentChange, SystemRevision
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many
from reportgen.words.names import as_heading

ANNOTATOR = "annotator"
MACRO = "specific_agreement[macro]"
MARKS = {
    "f_measure[strict]": N_("F, strict"),
    "f_measure[lenient]": N_("F, lenient"),
    "f_measure[average]": N_("F, average"),
}
# So many stand on a page; all of them stand in the CSV.
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
    """Somebody against a key twice; `times` are what the two are called in heads of tables."""

    revision: SystemRevision
    versions: tuple[str, str] | None
    name_of: Names
    number: int

    @property
    def times(self) -> tuple[str, str]:
        """Return what the two times are called."""
        found = self.versions or self.revision.releases
        return found or (self.revision.first, self.revision.second)

    @property
    def name(self) -> str:
        """Return who is compared: "tagger, 1.0 to 2.0 (system)"."""
        each = self.revision
        own = self.label
        return f"{own} ({role_in_words(each.role)})" if each.role != ANNOTATOR or each.releases else own

    @property
    def label(self) -> str:
        """Return the same without the role, for figures."""
        each = self.revision
        if each.releases is None:
            return each.system
        first, second = each.releases
        if first == second:
            return f"{each.system} {second}"
        return say("{system}, {first} to {second}", system=each.system, first=first, second=second)

    @property
    def headline(self) -> ChangeRow:
        """Return the figure that comes first."""
        return ChangeRow(self.name, self.revision.measures[self.revision.figure])

    @property
    def worst(self) -> list[ChangeRow]:
        """Return the categories that fell beyond chance, the deepest first."""
        rows = [ChangeRow(name, change) for name, change in self.revision.by_category.items()]
        fallen = [row for row in rows if row.moved == "fell"]
        return sorted(fallen, key=lambda row: (row.change.difference or 0.0, row.name))

    def humans(self, which: int) -> Figure | None:
        """Return how annotators agree on the same units, the first time or the second."""
        return self.revision.humans.get("second" if which else "first")

    @property
    def humans_in_words(self) -> str:
        """Return how annotators agree on the same units both times, once where that is the same."""
        values = [figure.value for figure in map(self.humans, (0, 1)) if figure and figure.value is not None]
        return from_to(values) if values else ""

    @cached_property
    def measures(self) -> ChangeTable:
        """Return every figure, the one that comes first before the others."""
        known = self.revision.measures
        names = sorted(known, key=lambda name: (name != self.revision.figure, name))
        shown = {name: shown_figure(name, self.name_of) for name in known}
        rows = tuple(changes.of(known, names, shown))
        caption = say("{name}: every figure [95% interval].", name=self.name)
        name = f"systems-{self.number}-figures"
        return ChangeTable(name, caption, _("Figure"), self.times, rows, len(rows))

    @cached_property
    def categories(self) -> ChangeTable:
        """Return F of each category, those that fell most first; of many, those that moved most."""
        rows = [ChangeRow(name, change) for name, change in self.revision.by_category.items()]
        shown = sorted(changes.furthest(rows, MOST_CATEGORIES), key=_fallen)
        caption = say(
            "{name}: F of each category [95% interval], those that fell most first.", name=self.name
        )
        return ChangeTable(
            f"systems-{self.number}-categories",
            caption,
            _("Category"),
            self.times,
            tuple(shown),
            len(rows),
            by_size=True,
        )

    @cached_property
    def _moved(self) -> tuple[list[DocumentChange], list[DocumentChange]]:
        """Return the documents that fell, the deepest first, and those that rose, the highest first."""
        known = [each for each in self.revision.by_document if each.difference is not None]
        fell = [each for each in known if (each.difference or 0.0) < 0]
        rose = [each for each in reversed(known) if (each.difference or 0.0) > 0]
        return fell, rose

    @property
    def documents_in_words(self) -> str:
        """Return how many documents fell, rose and stayed, and how many have no figure twice."""
        fell, rose = map(len, self._moved)
        known = [each for each in self.revision.by_document if each.difference is not None]
        left = len(self.revision.by_document) - len(known)
        moved = say_many(
            "Of {count} document, {fell} fell, {rose} rose and {stayed} stayed.",
            "Of {count} documents, {fell} fell, {rose} rose and {stayed} stayed.",
            len(known),
            count=numbers.count(len(known)),
            fell=numbers.count(fell),
            rose=numbers.count(rose),
            stayed=numbers.count(len(known) - fell - rose),
        )
        undefined = say_many(
            "{count} document has no figure under one of the two.",
            "{count} documents have no figure under one of the two.",
            left,
            count=numbers.count(left),
        )
        return f"{moved} {undefined}" if left else moved

    @cached_property
    def documents(self) -> ReportTable | None:
        """Return the documents that fell most and those that rose most; None where none moved."""
        fell, rose = (each[:MOST_DOCUMENTS] for each in self._moved)
        shown = [*fell, *reversed(rose)]
        if not shown:
            return None
        figure = shown_figure(self.revision.document_figure or self.revision.figure, self.name_of)
        columns = (
            TableColumn("document", _("Document")),
            TableColumn("first", self.times[0], "figure"),
            TableColumn("second", self.times[1], "figure"),
            TableColumn("difference", _("Difference"), "figure"),
            TableColumn("units", _("Marks") if self.revision.unit_set is None else _("Units"), "count"),
        )
        rows = tuple(
            (each.document, each.first, each.second, wording.signed(each.difference), each.units)
            for each in shown
        )
        caption = say(
            "{name}: {figure} in the documents that fell and rose most.", name=self.name, figure=figure
        )
        return ReportTable(f"systems-{self.number}-documents", caption, columns, rows)


def _fallen(row: ChangeRow) -> tuple[bool, float, str]:
    moved = row.change.difference
    return moved is None, moved or 0.0, row.name


# The CSV tables of systems and references twice: every figure, category and document.

WHO = tuple(
    TableColumn(name, name)
    for name in (
        *("layer", "unit_set", "basis", "system", "role", "key"),
        *("first_name", "second_name", "first_release", "second_release"),
    )
)
HUMANS = (
    TableColumn("humans_first", "humans", "estimate"),
    TableColumn("humans_second", "humans", "estimate"),
)
DOCUMENTS = (
    TableColumn("document", "document"),
    TableColumn("figure", "figure"),
    *(TableColumn(name, name, "figure") for name in ("first", "second", "difference")),
    TableColumn("units", "units", "count"),
)


def _who(each: SystemRevision) -> tuple[Cell, ...]:
    names = (each.layer, each.unit_set or "", each.basis, each.system, each.role, each.key)
    return (*names, each.first, each.second, *(each.releases or ("", "")))


def csv_tables(revisions: Sequence[SystemRevision], files: tuple[str, str, str]) -> Iterator[ReportTable]:
    """Yield every figure, category and document for the CSV files of these names."""
    figures, categories, documents = files
    head = (*WHO, TableColumn("figure", "figure"), *changes.CHANGE_COLUMNS, *HUMANS)
    yield ReportTable("", "", head, tuple(_figure_rows(revisions)), file=figures)
    head = (*WHO, TableColumn("category", "category"), *changes.CHANGE_COLUMNS)
    yield ReportTable("", "", head, tuple(_category_rows(revisions)), file=categories)
    yield ReportTable("", "", (*WHO, *DOCUMENTS), tuple(_document_rows(revisions)), file=documents)


def _figure_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for name, change in each.measures.items():
            beside = each.humans if name == each.figure else {}
            humans = (beside.get("first"), beside.get("second"))
            yield (*_who(each), name, *changes.csv_cells(change), *humans)


def _category_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for name, change in each.by_category.items():
            yield (*_who(each), name, *changes.csv_cells(change))


def _document_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for one in each.by_document:
            figure = each.document_figure or each.figure
            yield (*_who(each), one.document, figure, one.first, one.second, one.difference, one.units)
