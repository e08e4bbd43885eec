"""Figures under two versions: how differences are said, listed side by side, and drawn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import ids_with
from reportgen.figures.lines import ends
from reportgen.report.tables import Cell, ReportTable, columns_kept, fields, gathered, plain, table_of
from reportgen.results.parts import Change
from reportgen.results.versions import ConfusionChange, Move, UnitSetRevision
from reportgen.words import language, numbers
from reportgen.words.headline import quoted
from reportgen.words.language import N_, _, habits, say, say_many

MOST_NAMED = 8
NO_BREAK = "\N{NO-BREAK SPACE}"
PEOPLE = ("annotator", "annotators")
LAYERS = ("layer", "layers")


def p_words(p: float) -> str:
    """Return a p value as papers print it, on one line."""
    return numbers.p_is(p).replace(" ", NO_BREAK)


def signed(value: float | None, write: Callable[[float], str] = numbers.figure) -> str:
    """Return a difference with its sign, also where it is a rise."""
    if value is None:
        return numbers.NONE
    shown = write(value)
    return f"+{shown}" if value > 0 and shown.strip("0.,") else shown


def difference(change: Change | Move, blank: str = " ") -> str:
    """Return a difference with its interval, whose ends have signs too, in one line.

    `blank` is what is between the ends: a no-break space keeps them together.
    """
    shown, interval = signed(change.difference), ends(change)
    if change.difference is None or interval is None:
        return shown
    return f"{shown} [{signed(interval[0])}{habits().between.replace(' ', blank)}{signed(interval[1])}]"


def listed(names: Sequence[str], what: tuple[str, str] = PEOPLE) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) > MOST_NAMED:
        return numbers.counted(len(names), *what)
    return language.listed(names) if names else _("nobody")


def in_order(names: Iterable[str], *orders: Sequence[str]) -> list[str]:
    """Return names as some lists have them, the first list's first; those that none has come last, sorted."""
    names_in_order = dict.fromkeys(name for order in orders for name in order)
    present = set(names)
    return [*(name for name in names_in_order if name in present), *sorted(present - set(names_in_order))]


def figures_in_order(names: Iterable[str], places: Mapping[str, int], first: str = "") -> list[str]:
    """Return figures' ids in the catalogue's order, one of them before all others."""
    return sorted(
        names, key=lambda name: (name != first, places.get(name.partition("[")[0], len(places)), name)
    )


def clusters(revision: UnitSetRevision, number: int) -> str:
    """Return a number of what a test takes as independent."""
    return numbers.counted_in(number, "documents" if revision.clusters == "document" else revision.noun)


def basis(revision: UnitSetRevision) -> str:
    """Return which part of the two versions is compared."""
    if revision.basis == "all":
        return _("all of each version")
    if revision.clusters == "document" and revision.overlap.documents:
        return say_many("the {count} {document|documents} annotated under both", revision.overlap.documents)
    if revision.overlap.units:
        return say_many("the {count} {unit|units} of both", revision.overlap.units)
    return _("what is in both")


def values(change: Change) -> list[str]:
    """Return the value under each version, or why there is none."""
    return [
        reason(side.undefined) if side.value is None and side.undefined else numbers.figure(side.value)
        for side in (change.first, change.second)
    ]


def reason(text: str) -> str:
    """Return why there is no figure, or no test."""
    return numbers.message(text, {})


def confusion(pair: ConfusionChange) -> str:
    """Return the two categories of a confusion."""
    label, other = pair.categories
    return f"{label} / {other}" if other else say("{labels} or not", labels=label)


def courses(rose: Sequence[str], fell: Sequence[str], undecided: Sequence[str]) -> str:
    """Return in which layers agreement rose, in which it fell, and in which that is undecided."""
    if len(rose) + len(fell) + len(undecided) == 1:
        unknown = _("No clear change in agreement.")
        return _("Agreement rose.") if rose else _("Agreement fell.") if fell else unknown
    if not rose and not fell:
        return say(
            "No clear change in agreement in any of the {count} layers.",
            count=numbers.count(len(undecided)),
        )
    courses_in_words = (
        (N_("Agreement rose in {layers}."), rose),
        (N_("Agreement fell in {layers}."), fell),
        (N_("In {layers} no clear change."), undecided),
    )
    return " ".join(
        say(message, layers=listed(quoted(layers), LAYERS)) for message, layers in courses_in_words if layers
    )


AT = 0.05
# They describe the material and the annotators' habits.
NEUTRAL = ids_with(lambda measure: measure.kind in {"index", "ceiling"} and measure.pair)


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
        """Return the p value after Holm, None where it is the only one."""
        return self.change.test.adjusted if self.change.test else None

    @property
    def moved(self) -> str:
        """Return whether it rose or fell beyond chance: "rose", "fell", "moved" or nothing."""
        decided = self.p if self.adjusted is None else self.adjusted
        if decided is None or decided >= AT or not self.change.difference:
            return ""
        if self.neutral:
            return "moved"
        return "rose" if self.change.difference > 0 else "fell"

    @property
    def marked(self) -> str:
        """Return the difference, a rise or a fall beyond chance with its mark."""
        return MARKS.get(self.moved, "") + difference(self.change)


# Columns that are left out where they would be empty.
OPTIONAL = {"about", "p", "adjusted"}
MARKS = {"rose": "\N{BLACK UP-POINTING TRIANGLE} ", "fell": "\N{BLACK DOWN-POINTING TRIANGLE} "}


@dataclass(frozen=True)
class ChangeTable:
    """Figures under two versions, of which a page shows at most so many.

    Those are the ones that moved most, or, if not `by_size`, the first; `about` heads what else heads a row.
    """

    id: str
    caption: str
    head: str
    versions: tuple[str, str]
    every: Sequence[ChangeRow]
    most: int
    by_size: bool = True
    about: str = ""

    @cached_property
    def rows(self) -> Sequence[ChangeRow]:
        """Return the rows that are shown."""
        return furthest(self.every, self.most) if self.by_size else self.every[: self.most]

    @property
    def untested(self) -> dict[str, list[str]]:
        """Return the names of the figures that have both values and no test, by the reason."""
        return gathered(
            (row.name, row.change.untested and reason(row.change.untested))
            for row in self.rows
            if row.p is None and row.change.difference is not None
        )

    @property
    def undefined(self) -> dict[str, list[str]]:
        """Return the names of the figures that have no value under a version, by version and reason."""
        return gathered(
            (row.name, say("under {version}: {reason}", version=version, reason=reason(side.undefined)))
            for row in self.rows
            for version, side in zip(self.versions, (row.change.first, row.change.second), strict=True)
            if side.value is None and side.undefined
        )

    def table(self) -> ReportTable:
        """Return the table; a rise or a fall beyond chance is marked, and of p values the one that counts."""
        table = table_of(
            self.id,
            self.caption,
            self.rows,
            ("name", self.head, "text", lambda row: row.name),
            ("about", self.about, "text", lambda row: row.about),
            ("first", self.versions[0], "estimate", lambda row: row.change.first),
            ("second", self.versions[1], "estimate", lambda row: row.change.second),
            ("difference", _("Difference"), "text", lambda row: row.marked),
            ("p", "p", "p", lambda row: row.p),
            ("adjusted", _("p (Holm)"), "p", lambda row: row.adjusted),
        )
        # Where p is corrected (Holm), the bare one is not shown.
        idle = "p" if any(row.adjusted is not None for row in self.rows) else ""
        columns_left = [
            position
            for position, column in enumerate(table.columns)
            if column.key != idle
            and (column.key not in OPTIONAL or any(row[position] not in {None, ""} for row in table.rows))
        ]
        return columns_kept(table, columns_left)


def furthest(rows: Sequence[ChangeRow], most: int) -> Sequence[ChangeRow]:
    """Return rows in their order; where they are too many, those that moved most, the furthest first."""

    def size(row: ChangeRow) -> float:
        return -1.0 if row.change.difference is None else abs(row.change.difference)

    return rows if len(rows) <= most else sorted(rows, key=size, reverse=True)[:most]


def change_rows(
    changes: Mapping[str, Change], names: Iterable[str], name_of: Callable[[str], str] = str
) -> list[ChangeRow]:
    """Return a row for each name; `name_of` gives what a reader calls it."""
    return [ChangeRow(name_of(name), changes[name], name.partition("[")[0] in NEUTRAL) for name in names]


CHANGE_COLUMNS = (
    *plain("first second", "estimate"),
    *plain("difference difference_low difference_high standard_error", "figure"),
    *plain("method"),
    *plain("statistic degrees p p_holm needed", "figure"),
    *plain("untested"),
)


def csv_cells(change: Change) -> tuple[Cell, ...]:
    """Return the cells of a change under CHANGE_COLUMNS, at full precision."""
    return (
        *fields(change, "first second difference"),
        *(*fields(change.interval, "low high"), change.standard_error),
        change.test.method if change.test else "",
        *fields(change.test, "statistic degrees p adjusted"),
        change.needed,
        change.untested or "",
    )
