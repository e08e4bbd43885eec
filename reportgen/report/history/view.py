"""A campaign's history as its templates see it."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.figures import charts as drawings
from reportgen.figures.charts import Chart
from reportgen.report.history import tables as tables_module
from reportgen.report.history import words
from reportgen.report.history.feed import feed
from reportgen.report.history.words import span
from reportgen.report.tables import Cell, Kind, ReportTable, TableColumn
from reportgen.results import Figure
from reportgen.results.history import Group, History, VersionState
from reportgen.words import numbers
from reportgen.words.language import _, listed, say, say_many

# Coverage: which documents and which annotators stand in which version.

MOST_ROWS = 60
MOST_COLUMNS = 12
MOST_GROUPS = 20
THERE = "✓"


def documents(history: History) -> ReportTable | None:
    """Return documents by versions; None where there are many, or where all stand in all versions."""
    groups = history.coverage.documents
    count = sum(len(group.documents) for group in groups)
    if len(groups) <= 1 or count > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    columns = (TableColumn("document", _("Document")), *(TableColumn(name, name) for name in history.names))
    rows = tuple(
        (name, *(THERE if version in group.versions else "" for version in history.names))
        for group in groups
        for name in group.documents
    )
    return ReportTable(
        "documents", _("Documents by guidelines version."), columns, rows, file="documents.csv"
    )


def documents_in_words(history: History) -> str:
    """Return how many documents stand in which versions, empty where no document is known."""
    groups = history.coverage.documents
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    every = set(history.names)
    if len(groups) == 1 and set(groups[0].versions) == every:
        return say_many(
            "{count} document stands in every version.",
            "{count} documents stand in every version.",
            total,
            count=numbers.count(total),
        )
    largest = sorted(groups, key=lambda group: -len(group.documents))
    parts = [_group(history, group) for group in largest[:MOST_GROUPS]]
    rest = sum(len(group.documents) for group in largest[MOST_GROUPS:])
    if rest:
        parts.append(say("{count} in other versions", count=numbers.count(rest)))
    documents = numbers.counted(total, "document", "documents")
    return say("{documents}: {parts}.", documents=documents, parts=_("; ").join(parts))


def _group(history: History, group: Group) -> str:
    shown = numbers.count(len(group.documents))
    if set(group.versions) == set(history.names):
        return say("{count} in every version", count=shown)
    versions = span(group.versions, history.names)
    if len(group.versions) == 1:
        return say("{count} in {version} only", count=shown, version=versions)
    return say("{count} in {versions}", count=shown, versions=versions)


def annotators(history: History) -> ReportTable | None:
    """Return annotators by versions, each cell their documents; None where there are many of either."""
    people = history.coverage.annotators
    if not people or len(people) > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    by_document = any(count for each in people for count in each.documents.values())
    kind: Kind = "count" if by_document else "text"
    columns = (
        TableColumn("annotator", _("Annotator")),
        *(TableColumn(name, name, kind) for name in history.names),
    )
    rows = tuple(
        (each.annotator, *(_seen(each.documents.get(name), by_document) for name in history.names))
        for each in people
    )
    caption = _("Documents under each version.") if by_document else ""
    return ReportTable("annotators", caption, columns, rows, file="annotators.csv")


def _seen(count: int | None, by_document: bool) -> Cell:  # noqa: FBT001 - of one table, the same in each cell
    if count is None:
        return None if by_document else ""
    return count if by_document else THERE


def annotators_in_words(history: History) -> str:
    """Return how many annotators stand in which versions."""
    people = history.coverage.annotators
    if not people:
        return ""
    everywhere = sum(set(each.documents) == set(history.names) for each in people)
    total = numbers.counted(len(people), "annotator", "annotators")
    if everywhere == len(people):
        return say("{annotators}, the same under every version.", annotators=total)
    own = [(name, numbers.count(len(history.coverage.annotators_of(name)))) for name in history.names]
    each = listed([say("{version}: {count}", version=name, count=count) for name, count in own])
    if not everywhere:
        return say("{annotators}, none of them under every version ({each}).", annotators=total, each=each)
    return say(
        "{annotators}, {count} of them under every version ({each}).",
        annotators=total,
        count=numbers.count(everywhere),
        each=each,
    )


def tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    rows: list[tuple[Cell, ...]] = [
        (name, version)
        for group in history.coverage.documents
        for name, version in itertools.product(group.documents, group.versions)
    ]
    if rows:
        columns = (TableColumn("document", "document"), TableColumn("version", "version"))
        yield ReportTable("documents", "", columns, tuple(rows), file="documents.csv")
    people = tuple(
        (each.annotator, version, count)
        for each in history.coverage.annotators
        for version, count in each.documents.items()
    )
    if people:
        names = (TableColumn("annotator", "annotator"), TableColumn("version", "version"))
        yield ReportTable(
            "annotators",
            "",
            (*names, TableColumn("documents", "documents", "count")),
            people,
            file="annotators.csv",
        )


# A campaign's history as its templates see it.


@dataclass(frozen=True)
class VersionView:
    """What the page says of one version beside the table: its changes, and what else was different."""

    state: VersionState
    verdicts: tuple[str, ...]
    change: str
    warnings: tuple[str, ...]
    comparison: str
    before: str


@dataclass(frozen=True)
class LayerHistory:
    """One layer: its categories over versions, and its systems."""

    id: str
    chart: Chart | None
    table: ReportTable | None
    categories: int
    systems: tuple[tuple[ReportTable, Chart], ...]


class HistoryView:
    """One campaign's history, and what its page shows of it."""

    def __init__(self, history: History) -> None:
        """Keep the history; tables and figures are made when a template asks for them."""
        self.history = history

    @property
    def several(self) -> bool:
        """Tell whether there is more than one version, so that anything can have moved."""
        return len(self.history.versions) > 1

    @property
    def newest(self) -> VersionState:
        """Return the newest version."""
        return self.history.newest

    @property
    def headline(self) -> Figure | None:
        """Return the newest version's primary coefficient, None where several layers have one each."""
        return self.newest.first.figure if len(self.newest.layers) == 1 else None

    @cached_property
    def versions(self) -> list[VersionView]:
        """Return the versions, the newest first."""
        return [self._version(each) for each in reversed(self.history.versions)]

    def _version(self, state: VersionState) -> VersionView:
        step = self.history.step_to(state.version)
        return VersionView(
            state=state,
            verdicts=tuple(words.verdicts(state)),
            change=words.change(self.history, step),
            warnings=tuple(words.warnings(step)) if step else (),
            comparison=tables_module.compare_href(step.first, step.second) if step and step.compared else "",
            before=step.first if step else "",
        )

    @property
    def dates(self) -> tuple[str, ...]:
        """Return from when to when the versions are: no date, one, or two that differ."""
        known = [each.date for each in self.history.versions if each.date]
        return tuple(dict.fromkeys((min(known), max(known)))) if known else ()

    @cached_property
    def has_feed(self) -> bool:
        """Tell whether there is a feed."""
        return feed(self.history) is not None

    @cached_property
    def agreement(self) -> Chart | None:
        """Return the first figure."""
        return drawings.agreement(self.history)

    @cached_property
    def strict_f(self) -> Chart | None:
        """Return the figure of F of marks in texts."""
        return drawings.strict_f(self.history)

    @cached_property
    def table(self) -> ReportTable:
        """Return the table of versions."""
        return tables_module.versions(self.history)

    @cached_property
    def other_layers(self) -> ReportTable | None:
        """Return the table of the layers behind the first."""
        return tables_module.layers(self.history)

    @cached_property
    def layers(self) -> tuple[LayerHistory, ...]:
        """Return each layer that has categories or systems to show."""
        found = (self._layer(layer) for layer in self.history.layers)
        return tuple(each for each in found if each.table or each.systems)

    def _layer(self, layer: str) -> LayerHistory:
        table = tables_module.categories(self.history, layer)
        number = len({name for each in self.history.versions for name in _categories(each, layer)})
        systems = tuple(
            (tables_module.systems(self.history, chart.name, lines, title), chart)
            for title, lines, chart in drawings.systems(self.history, layer)
        )
        return LayerHistory(layer, drawings.categories(self.history, layer), table, number, systems)

    @cached_property
    def comparisons(self) -> ReportTable | None:
        """Return which versions are compared."""
        return tables_module.comparisons(self.history)

    @property
    def comparisons_missing(self) -> int:
        """Return how many pairs of versions have no page of comparison."""
        count = len(self.history.versions)
        return count * (count - 1) // 2 - len(self.history.comparisons)

    @property
    def not_compared(self) -> tuple[str, str] | None:
        """Return the first two versions that have no page of comparison, None where every two have one."""
        known = {(each.first, each.second) for each in self.history.comparisons}
        every = itertools.combinations(self.history.names, 2)
        return next((each for each in every if each not in known), None)

    @cached_property
    def documents(self) -> ReportTable | None:
        """Return documents by versions, where they are few."""
        return documents(self.history)

    @property
    def documents_in_words(self) -> str:
        """Return how many documents stand in which versions."""
        return documents_in_words(self.history)

    @cached_property
    def annotators(self) -> ReportTable | None:
        """Return annotators by versions, where they are few."""
        return annotators(self.history)

    @property
    def annotators_in_words(self) -> str:
        """Return how many annotators stand in which versions."""
        return annotators_in_words(self.history)

    def charts(self) -> Iterator[Chart]:
        """Yield every figure; without a second version there is nothing to draw over versions."""
        if not self.several:
            return
        yield from filter(None, (self.agreement, self.strict_f))
        for layer in self.layers:
            yield from filter(None, (layer.chart,))
            yield from (chart for _, chart in layer.systems)

    def tables(self) -> Iterator[ReportTable]:
        """Yield every table as its CSV has it."""
        yield from tables_module.in_full(self.history)
        yield from tables(self.history)


def _categories(version: VersionState, layer: str) -> tuple[str, ...]:
    state = version.layer(layer)
    return state.categories if state else ()
