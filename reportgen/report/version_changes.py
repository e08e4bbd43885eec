"""Figures under two versions: how differences are said, listed side by side, and drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.figures import Drawing, drawing
from reportgen.figures.bars import Bar, bar_plot
from reportgen.figures.intervals import Dot, DotPlot, span
from reportgen.figures.intervals import DotPlotRow as Drawn
from reportgen.report.tables import Cell, ReportTable, columns_kept, plain, table_of
from reportgen.results import Figure
from reportgen.results.comparison import ConfusionChange, UnitSetRevision
from reportgen.results.parts import Change
from reportgen.words import language, numbers
from reportgen.words.headline import quoted
from reportgen.words.language import _, habits, pgettext, say, say_many

MOST_NAMED = 8
PEOPLE = ("annotator", "annotators")
LAYERS = ("layer", "layers")


def signed(value: float | None) -> str:
    """Return a difference with its sign, also where it is a rise."""
    shown = numbers.figure(value)
    rises = value is not None and value > 0 and shown.strip("0.,")
    return f"+{shown}" if rises else shown


def signed_short(value: float) -> str:
    """Return a difference with its sign and two decimals, as headlines write it."""
    shown = numbers.short(value)
    return f"+{shown}" if value > 0 and shown.strip("0.,") else shown


def difference(change: Change) -> str:
    """Return a difference with its interval in one line."""
    if change.difference is None:
        return numbers.NONE
    return " ".join(filter(None, (signed(change.difference), interval(change))))


def interval(change: Change) -> str:
    """Return the interval of a difference, its ends with their signs; empty where there is none."""
    found = change.interval
    if change.difference is None or found is None or found.low is None or found.high is None:
        return ""
    return f"[{signed(found.low)}{habits().between}{signed(found.high)}]"


def listed(names: Sequence[str], what: tuple[str, str] = PEOPLE) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) > MOST_NAMED:
        return numbers.counted(len(names), *what)
    return language.listed(names) if names else _("nobody")


def in_order(names: Iterable[str], *orders: Sequence[str]) -> list[str]:
    """Return names as some lists have them, the first list's first; those that none has come last, sorted."""
    known = dict.fromkeys(name for order in orders for name in order)
    present = set(names)
    return [*(name for name in known if name in present), *sorted(present - set(known))]


def clusters(revision: UnitSetRevision, number: int) -> str:
    """Return a number of what a test takes as independent."""
    if revision.clusters == "document":
        return numbers.counted(number, "document", "documents")
    return numbers.counted_in(number, revision.noun)


def figures_in_order(names: Iterable[str], places: Mapping[str, int], first: str = "") -> list[str]:
    """Return figures' ids in the catalogue's order, one of them before all others."""
    return sorted(
        names, key=lambda name: (name != first, places.get(name.partition("[")[0], len(places)), name)
    )


def categories_in_order(revision: UnitSetRevision) -> list[str]:
    """Return the categories that are compared, in the order of the later version."""
    orders = (revision.second.categories, revision.first.categories)
    return in_order(revision.specific_agreement, *orders)


def basis(revision: UnitSetRevision) -> str:
    """Return which part of the two versions is compared."""
    if revision.basis == "all":
        return _("all of each version")
    number, units = revision.overlap.documents, revision.overlap.units
    if revision.clusters == "document" and number:
        return say_many(
            "the {count} document annotated under both",
            "the {count} documents annotated under both",
            number,
            count=numbers.count(number),
        )
    if units:
        return say_many(
            "the {count} unit of both", "the {count} units of both", units, count=numbers.count(units)
        )
    return _("what is in both")


def short_basis(revision: UnitSetRevision) -> str:
    """Return the same for a column of a table."""
    if revision.basis == "all":
        return _("all of each")
    documents = revision.clusters == "document"
    number = revision.overlap.documents if documents else revision.overlap.units
    if not number:
        return pgettext("basis", "the same")
    counted = numbers.counted_in(number, "documents" if documents else revision.noun)
    return say("the same {units}", units=counted)


def values(change: Change) -> tuple[str, str]:
    """Return the value under each version, or why there is none."""

    def said(figure: Figure) -> str:
        undefined = figure.undefined if figure.value is None else None
        return reason(undefined) if undefined else numbers.figure(figure.value)

    return said(change.first), said(change.second)


def reason(text: str) -> str:
    """Return why there is no figure, or no test."""
    return numbers.message(text, {})


def confusion(found: ConfusionChange) -> str:
    """Return the two categories of a confusion."""
    one, other = found.categories
    return f"{one} / {other}" if other else say("{labels} or not", labels=one)


def courses(rose: Sequence[str], fell: Sequence[str], undecided: Sequence[str]) -> str:
    """Return in which layers agreement rose, in which it fell, and in which that is undecided."""
    if len(rose) + len(fell) + len(undecided) == 1:
        known = {"rose": _("Agreement rose."), "fell": _("Agreement fell.")}
        way = "rose" if rose else "fell" if fell else ""
        return known.get(way) or _("Whether agreement rose or fell is undecided.")
    if not rose and not fell:
        return say(
            "Whether agreement rose or fell is undecided in all {count} layers.",
            count=numbers.count(len(undecided)),
        )
    parts = (
        say("Agreement rose in {layers}.", layers=listed(quoted(rose), LAYERS)) if rose else "",
        say("Agreement fell in {layers}.", layers=listed(quoted(fell), LAYERS)) if fell else "",
        say("Whether it moved in {layers} is undecided.", layers=listed(quoted(undecided), LAYERS))
        if undecided
        else "",
    )
    return " ".join(filter(None, parts))


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
    def moved(self) -> str:
        """Return whether it rose or fell beyond chance: "rose", "fell", "moved" or nothing."""
        decided = self.p if self.adjusted is None else self.adjusted
        if decided is None or decided >= AT or not self.change.difference:
            return ""
        if self.neutral:
            return "moved"
        return "rose" if self.change.difference > 0 else "fell"


# Columns that are left out where they would be empty.
OPTIONAL = {"about", "p", "adjusted", "permutation"}
MARKS = {"rose": "\N{BLACK UP-POINTING TRIANGLE} ", "fell": "\N{BLACK DOWN-POINTING TRIANGLE} "}


@dataclass(frozen=True)
class ChangeTable:
    """Rows of figures under two versions; `total` is how many there are, of which `rows` are shown.

    `by_size` says whether those are the ones that moved most, `about` heads what else heads a row.
    """

    id: str
    caption: str
    head: str
    versions: tuple[str, str]
    rows: tuple[ChangeRow, ...]
    total: int
    by_size: bool = False
    about: str = ""

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
        found = (
            (
                row.name,
                say("under {version}: {reason}", version=version, reason=reason(side.undefined)),
            )
            for row in self.rows
            for version, side in zip(self.versions, (row.change.first, row.change.second), strict=True)
            if side.value is None and side.undefined
        )
        return gathered(found)

    def table(self) -> ReportTable:
        """Return the table; a rise or a fall beyond chance is marked, and of p values the one that counts."""
        first, second = self.versions
        found = table_of(
            self.id,
            self.caption,
            self.rows,
            ("name", self.head, "text", lambda row: row.name),
            ("about", self.about, "text", lambda row: row.about),
            ("first", first, "estimate", lambda row: row.change.first),
            ("second", second, "estimate", lambda row: row.change.second),
            (
                *("difference", _("Difference"), "text"),
                lambda row: MARKS.get(row.moved, "") + difference(row.change),
            ),
            ("p", "p", "p", lambda row: row.p),
            ("adjusted", _("p (Holm)"), "p", lambda row: row.adjusted),
            ("permutation", _("p (permutation)"), "p", lambda row: row.permutation),
        )
        # Where p is corrected (Holm), the bare one is not shown.
        idle = "p" if any(row.adjusted is not None for row in self.rows) else ""
        kept = [
            place
            for place, column in enumerate(found.columns)
            if column.key != idle
            and (column.key not in OPTIONAL or any(row[place] not in {None, ""} for row in found.rows))
        ]
        return columns_kept(found, kept)


def gathered(found: Iterable[tuple[str, str | None]]) -> dict[str, list[str]]:
    """Return names by the reason, those without one left out."""
    reasons: dict[str, list[str]] = {}
    for name, reason in found:
        if reason:
            reasons.setdefault(reason, []).append(name)
    return reasons


def furthest(rows: Sequence[ChangeRow], most: int) -> tuple[ChangeRow, ...]:
    """Return rows in their order; where they are too many, those that moved most, the furthest first."""

    def size(row: ChangeRow) -> float:
        return -1.0 if row.change.difference is None else abs(row.change.difference)

    return tuple(rows) if len(rows) <= most else tuple(sorted(rows, key=size, reverse=True)[:most])


def of(
    changes: Mapping[str, Change], names: Sequence[str], shown: Mapping[str, str] | None = None
) -> list[ChangeRow]:
    """Return a row for each name; `shown` is what a reader calls it."""
    return [
        ChangeRow(shown[name] if shown else name, changes[name], name.partition("[")[0] in NEUTRAL)
        for name in names
    ]


CHANGE_COLUMNS = (
    *plain("first second", "estimate"),
    *plain("difference difference_low difference_high standard_error", "figure"),
    *plain("method"),
    *plain("statistic degrees p p_holm p_permutation permutations needed", "figure"),
    *plain("untested"),
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
        say("{confusion}: {value}", confusion=confusion(each), value=signed(each.contribution))
        for each in shown
    )
    title = _("What each confusion adds to the change in observed disagreement")
    drawn = [Bar(confusion(each), each.contribution, signed(each.contribution)) for each in shown]
    axis = _("← less disagreement  ·  more disagreement →")
    return drawing(name, bar_plot(title, f"{data}.", drawn, axis))
