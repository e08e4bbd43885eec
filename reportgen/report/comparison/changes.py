"""Figures under both versions side by side: first, second, difference, interval, p."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.figures import Drawing, drawing
from reportgen.figures.bars import Bar, BarPlot
from reportgen.figures.intervals import Dot, DotPlot, span
from reportgen.figures.intervals import DotPlotRow as Drawn
from reportgen.report.comparison import wording
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results.comparison import ConfusionChange
from reportgen.results.parts import Change
from reportgen.words import numbers
from reportgen.words.language import _, say

AT = 0.05
# They describe the material and the annotators' habits.
NEUTRAL = ("prevalence_index", "bias_index", "kappa_max")


@dataclass(frozen=True)
class ChangeRow:
    """One figure under both versions; `neutral` says that neither a rise nor a fall of it is good or bad.

    `about` is what else the row is headed by.
    """

    name: str
    change: Change
    neutral: bool = False
    about: str = ""

    @property
    def p(self) -> float | None:
        """Return the p value of the t test, None without one."""
        return self.change.test.p if self.change.test else None

    @property
    def adjusted(self) -> float | None:
        """Return the p value after Holm, None where it stands alone."""
        return self.change.test.adjusted if self.change.test else None

    @property
    def permutation(self) -> float | None:
        """Return the p value of the permutation test."""
        return self.change.permutation.p if self.change.permutation else None

    @property
    def decided(self) -> float | None:
        """Return the p value that counts: after Holm where there are several."""
        return self.p if self.adjusted is None else self.adjusted

    @property
    def difference(self) -> str:
        """Return the difference with its sign, without its interval."""
        return wording.signed(self.change.difference)

    @property
    def with_p(self) -> str:
        """Return the difference with its interval and p value."""
        return ", ".join(filter(None, (wording.difference(self.change), p_is(self.p))))

    @property
    def interval(self) -> str:
        """Return the interval of the difference; empty where it has none."""
        return wording.interval(self.change)

    @property
    def moved(self) -> str:
        """Return whether it rose or fell beyond chance: "rose", "fell", "moved" or nothing."""
        if self.decided is None or self.decided >= AT or not self.change.difference:
            return ""
        if self.neutral:
            return "moved"
        return "rose" if self.change.difference > 0 else "fell"

    @property
    def size(self) -> float:
        """Return how far it moved, -1 where that is not known."""
        return -1.0 if self.change.difference is None else abs(self.change.difference)


@dataclass(frozen=True)
class ChangeTable:
    """Rows of figures under two versions; `total` is how many there are, of which `rows` are shown.

    `by_size` says whether those are the ones that moved most, `short` leaves out the permutation test.
    """

    id: str
    caption: str
    head: str
    versions: tuple[str, str]
    rows: tuple[ChangeRow, ...]
    total: int
    by_size: bool = False
    short: bool = False

    @property
    def adjusted(self) -> bool:
        """Tell whether there is a column of p values after Holm."""
        return any(row.adjusted is not None for row in self.rows)

    @property
    def permuted(self) -> bool:
        """Tell whether there is a column of permutation tests."""
        return not self.short and any(row.permutation is not None for row in self.rows)

    @property
    def tested(self) -> bool:
        """Tell whether anything was tested."""
        return any(row.p is not None for row in self.rows)

    @property
    def about(self) -> bool:
        """Tell whether rows are headed by two cells."""
        return any(row.about for row in self.rows)

    @property
    def cut(self) -> bool:
        """Tell whether some rows stand in the CSV alone."""
        return len(self.rows) < self.total

    @property
    def untested(self) -> dict[str, list[str]]:
        """Return the names of the figures that have both values and no test, by the reason."""
        return gathered(
            (row.name, row.change.untested and wording.reason(row.change.untested))
            for row in self.rows
            if row.p is None and row.change.difference is not None
        )

    @property
    def undefined(self) -> dict[str, list[str]]:
        """Return the names of the figures that have no value under a version, by version and reason."""
        found = (
            (
                row.name,
                say("under {version}: {reason}", version=version, reason=wording.reason(side.undefined)),
            )
            for row in self.rows
            for version, side in zip(self.versions, (row.change.first, row.change.second), strict=True)
            if side.value is None and side.undefined
        )
        return gathered(found)

    def table(self) -> ReportTable:
        """Return the same for Markdown."""
        columns = [
            TableColumn("name", self.head),
            *([TableColumn("about", _("On"))] if self.about else ()),
            TableColumn("first", self.versions[0], "estimate"),
            TableColumn("second", self.versions[1], "estimate"),
            TableColumn("difference", _("Difference")),
            *([TableColumn("p", "p", "p")] if self.tested else ()),
            *([TableColumn("adjusted", _("p (Holm)"), "p")] if self.adjusted else ()),
            *([TableColumn("permutation", _("p (permutation)"), "p")] if self.permuted else ()),
        ]
        return ReportTable(self.id, self.caption, tuple(columns), tuple(map(self._cells, self.rows)))

    def _cells(self, row: ChangeRow) -> tuple[Cell, ...]:
        return (
            row.name,
            *((row.about,) if self.about else ()),
            row.change.first,
            row.change.second,
            wording.difference(row.change),
            *((row.p,) if self.tested else ()),
            *((row.adjusted,) if self.adjusted else ()),
            *((row.permutation,) if self.permuted else ()),
        )


def p_is(value: float | None) -> str:
    """Return a p value as papers print it, empty where there is none."""
    return "" if value is None else numbers.p_is(value)


def gathered(found: Iterable[tuple[str, str | None]]) -> dict[str, list[str]]:
    """Return names by the reason, those without one left out."""
    reasons: dict[str, list[str]] = {}
    for name, reason in found:
        if reason:
            reasons.setdefault(reason, []).append(name)
    return reasons


def furthest(rows: Sequence[ChangeRow], most: int) -> tuple[ChangeRow, ...]:
    """Return rows in their order; where they are too many, those that moved most, the furthest first."""
    if len(rows) <= most:
        return tuple(rows)
    return tuple(sorted(rows, key=lambda row: -row.size)[:most])


def of(
    changes: Mapping[str, Change], names: Sequence[str], shown: Mapping[str, str] | None = None
) -> list[ChangeRow]:
    """Return a row for each name; `shown` is what a reader calls it."""
    return [
        ChangeRow(shown[name] if shown else name, changes[name], name.partition("[")[0] in NEUTRAL)
        for name in names
    ]


CHANGE_COLUMNS = (
    TableColumn("first", "first", "estimate"),
    TableColumn("second", "second", "estimate"),
    *(
        TableColumn(name, name, "figure")
        for name in ("difference", "difference_low", "difference_high", "standard_error")
    ),
    TableColumn("method", "method"),
    *(
        TableColumn(name, name, "figure")
        for name in ("statistic", "degrees", "p", "p_holm", "p_permutation", "permutations", "needed")
    ),
    TableColumn("untested", "untested"),
)


def csv_cells(change: Change) -> tuple[Cell, ...]:
    """Return the cells of a change under CHANGE_COLUMNS, at full precision."""
    test, interval, permutation = change.test, change.interval, change.permutation
    return (
        change.first,
        change.second,
        change.difference,
        *((interval.low, interval.high) if interval else (None, None)),
        change.standard_error,
        test.method if test else "",
        *((test.statistic, test.degrees, test.p, test.adjusted) if test else (None,) * 4),
        *((permutation.p, permutation.samples) if permutation else (None, None)),
        change.needed,
        change.untested or "",
    )


def estimate_with_p(row: ChangeRow) -> str:
    """Return a difference and its p value in one line."""
    if row.change.difference is None:
        return numbers.NONE
    shown = wording.difference(row.change)
    if row.decided is None:
        return shown
    return say("{difference}, {p}", difference=shown, p=numbers.p_is(row.decided))


# A comparison's figures: values with intervals under both versions, and what confusions contribute.

MOST_ROWS = 24
MOST_BARS = 16


def moves(
    name: str, versions: tuple[str, str], first: ChangeRow | None, rows: Sequence[ChangeRow]
) -> Drawing | None:
    """Return figures with their intervals, each under both versions; None where there are none to draw.

    `first` is the coefficient, which stands above the others.
    """
    head = [first] if first and _dots(first) else []
    others = [row for row in furthest(rows, MOST_ROWS) if _dots(row)]
    shown = [*head, *others]
    if not shown:
        return None
    title = say("Agreement under guidelines {first} and {second}", first=versions[0], second=versions[1])
    data = _("; ").join(_described(row, versions) for row in shown)
    drawn = DotPlot(
        title,
        f"{data}.",
        rows=[_drawn(row) for row in shown],
        axis=_("value under each version, with 95% interval"),
        keys=((versions[0], "earlier"), (versions[1], "one")),
        divided=bool(head and others),
    )
    return drawing(name, drawn)


def _drawn(row: ChangeRow) -> Drawn:
    """Return a row; what its figure was computed with has a line of its own."""
    name, bracket, inside = row.name.partition(" [")
    if not bracket or not inside.endswith("]"):
        return Drawn(row.name, _dots(row))
    return Drawn(name, _dots(row), second=f"[{inside}")


def _dots(row: ChangeRow) -> list[Dot]:
    """Return the values of a row that are known, the earlier version's first."""
    sides = ((row.change.first, "earlier"), (row.change.second, "one"))
    return [Dot(found, mark) for figure, mark in sides if (found := span(figure))]


def _described(row: ChangeRow, versions: tuple[str, str]) -> str:
    return say(
        "{name}: {first_value} under {first}, {second_value} under {second}",
        name=row.name,
        first_value=numbers.estimate(row.change.first),
        second_value=numbers.estimate(row.change.second),
        first=versions[0],
        second=versions[1],
    )


def contributions(name: str, found: Sequence[ConfusionChange]) -> Drawing | None:
    """Return what confusions add to the change in observed disagreement, those that fell most first.

    None where there is no confusion, or none that changed.
    """
    far = sorted(found, key=lambda each: -abs(each.contribution))[:MOST_BARS]
    shown = [each for each in found if each in far and each.contribution]
    if not shown:
        return None
    data = _("; ").join(
        say(
            "{confusion}: {value}", confusion=wording.confusion(each), value=wording.signed(each.contribution)
        )
        for each in shown
    )
    title = _("What each confusion adds to the change in observed disagreement")
    drawn = [
        Bar(wording.confusion(each), each.contribution, wording.signed(each.contribution)) for each in shown
    ]
    axis = _("← less disagreement  ·  more disagreement →")
    return drawing(name, BarPlot(title, f"{data}.", drawn, axis))
