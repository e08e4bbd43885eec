"""A campaign's history as its templates see it."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.history import attendance, drawings, full_tables, tables, words
from reportgen.report.history.drawings import Chart
from reportgen.report.history.feed import feed
from reportgen.report.tables import Table
from reportgen.results import Figure
from reportgen.results.history import History, VersionState


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
class LayerView:
    """One layer: its categories over versions, and its systems."""

    id: str
    chart: Chart | None
    table: Table | None
    categories: int
    systems: tuple[tuple[Table, Chart], ...]


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
            comparison=tables.compare_href(step.first, step.second) if step and step.compared else "",
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
    def table(self) -> Table:
        """Return the table of versions."""
        return tables.versions(self.history)

    @cached_property
    def other_layers(self) -> Table | None:
        """Return the table of the layers behind the first."""
        return tables.layers(self.history)

    @cached_property
    def layers(self) -> tuple[LayerView, ...]:
        """Return each layer that has categories or systems to show."""
        found = (self._layer(layer) for layer in self.history.layers)
        return tuple(each for each in found if each.table or each.systems)

    def _layer(self, layer: str) -> LayerView:
        table = tables.categories(self.history, layer)
        number = len({name for each in self.history.versions for name in _categories(each, layer)})
        systems = tuple(
            (tables.systems(self.history, chart.name, lines, title), chart)
            for title, lines, chart in drawings.systems(self.history, layer)
        )
        return LayerView(layer, drawings.categories(self.history, layer), table, number, systems)

    @cached_property
    def comparisons(self) -> Table | None:
        """Return which versions are compared."""
        return tables.comparisons(self.history)

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
    def documents(self) -> Table | None:
        """Return documents by versions, where they are few."""
        return attendance.documents(self.history)

    @property
    def documents_in_words(self) -> str:
        """Return how many documents stand in which versions."""
        return attendance.documents_in_words(self.history)

    @cached_property
    def annotators(self) -> Table | None:
        """Return annotators by versions, where they are few."""
        return attendance.annotators(self.history)

    @property
    def annotators_in_words(self) -> str:
        """Return how many annotators stand in which versions."""
        return attendance.annotators_in_words(self.history)

    def charts(self) -> Iterator[Chart]:
        """Yield every figure; without a second version there is nothing to draw over versions."""
        if not self.several:
            return
        yield from filter(None, (self.agreement, self.strict_f))
        for layer in self.layers:
            yield from filter(None, (layer.chart,))
            yield from (chart for _, chart in layer.systems)

    def tables(self) -> Iterator[Table]:
        """Yield every table as its CSV has it."""
        yield from full_tables.in_full(self.history)
        yield from attendance.tables(self.history)


def _categories(version: VersionState, layer: str) -> tuple[str, ...]:
    state = version.layer(layer)
    return state.categories if state else ()
