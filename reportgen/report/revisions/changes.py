"""Figures under both versions side by side: first, second, difference, interval, p."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import _, say
from reportgen.report.revisions import wording
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.revisions import Change

AT = 0.05
# They describe the material and the annotators' habits.
NEUTRAL = ("prevalence_index", "bias_index", "kappa_max")


@dataclass(frozen=True)
class Row:
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
    rows: tuple[Row, ...]
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

    def table(self) -> Table:
        """Return the same for Markdown."""
        columns = [
            Column("name", self.head),
            *([Column("about", _("On"))] if self.about else ()),
            Column("first", self.versions[0], "estimate"),
            Column("second", self.versions[1], "estimate"),
            Column("difference", _("Difference")),
            *([Column("p", "p", "p")] if self.tested else ()),
            *([Column("adjusted", _("p (Holm)"), "p")] if self.adjusted else ()),
            *([Column("permutation", _("p (permutation)"), "p")] if self.permuted else ()),
        ]
        return Table(self.id, self.caption, tuple(columns), tuple(map(self._cells, self.rows)))

    def _cells(self, row: Row) -> tuple[Cell, ...]:
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


def furthest(rows: Sequence[Row], most: int) -> tuple[Row, ...]:
    """Return rows in their order; where they are too many, those that moved most, the furthest first."""
    if len(rows) <= most:
        return tuple(rows)
    return tuple(sorted(rows, key=lambda row: -row.size)[:most])


def of(
    changes: Mapping[str, Change], names: Sequence[str], shown: Mapping[str, str] | None = None
) -> list[Row]:
    """Return a row for each name; `shown` is what a reader calls it."""
    return [
        Row(shown[name] if shown else name, changes[name], name.partition("[")[0] in NEUTRAL)
        for name in names
    ]


CHANGE_COLUMNS = (
    Column("first", "first", "estimate"),
    Column("second", "second", "estimate"),
    *(
        Column(name, name, "figure")
        for name in ("difference", "difference_low", "difference_high", "standard_error")
    ),
    Column("method", "method"),
    *(
        Column(name, name, "figure")
        for name in ("statistic", "degrees", "p", "p_holm", "p_permutation", "permutations", "needed")
    ),
    Column("untested", "untested"),
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


def estimate_with_p(row: Row) -> str:
    """Return a difference and its p value in one line."""
    if row.change.difference is None:
        return numbers.NONE
    shown = wording.difference(row.change)
    if row.decided is None:
        return shown
    return say("{difference}, {p}", difference=shown, p=numbers.p_is(row.decided))
