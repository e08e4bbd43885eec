"""Units that changed sides, in their text: mended, broken, and those still disputed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import N_, _, say
from reportgen.report.revisions import wording
from reportgen.report.revisions.room import Room
from reportgen.report.segments import Said, grouped
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.revisions import Changed, ChangedUnit, ChangedUnits, UnitSetRevision

LONGEST = 160
# What lists of units are called, and what their summaries say.
SUMMARIES = {
    "mended": N_("Mended: disputed before, agreed now ({units})"),
    "broken": N_("Broken: agreed before, disputed now ({units})"),
    "disputed": N_("Still disputed: under both versions ({units})"),
}
HEADS = {
    "mended": N_("Mended"),
    "broken": N_("Broken"),
    "disputed": N_("Still disputed"),
}


@dataclass(frozen=True)
class UnitRow:
    """A unit in its context, with who said what under each version."""

    document: str
    before: str
    unit: str
    after: str
    first: Said
    second: Said


@dataclass(frozen=True)
class UnitList:
    """One list of units: `total` is how many there are, `known` how many the CSV has, `rows` are shown."""

    key: str
    rows: tuple[UnitRow, ...]
    known: int
    total: int
    noun: str = "units"

    @property
    def head(self) -> str:
        """Return what the list is called."""
        return _(HEADS[self.key])

    @property
    def summary(self) -> str:
        """Return what its units have in common, and how many there are."""
        return say(SUMMARIES[self.key], units=numbers.counted_in(self.total, self.noun))


def lists(found: ChangedUnits, revision: UnitSetRevision | None, room: Room) -> list[UnitList]:
    """Return the lists of one unit set that are not empty."""
    people = (revision.second.annotators, revision.first.annotators) if revision else ()
    noun = revision.noun if revision else "units"
    flips = revision.flips if revision else None
    parts = {"mended": found.mended, "broken": found.broken, "disputed": found.disputed}
    return [
        UnitList(key, tuple(_shown(units, people, room)), len(units), getattr(flips, key, len(units)), noun)
        for key, units in parts.items()
        if units
    ]


def _shown(units: Sequence[ChangedUnit], people: Sequence[Sequence[str]], room: Room) -> Iterator[UnitRow]:
    """Yield as many units as a page has room for."""
    left = room.text
    for each in units[: room.units]:
        row = UnitRow(
            shortened(each.document or ""),
            shortened(each.before),
            shortened(each.unit),
            shortened(each.after),
            said(each.first, people),
            said(each.second, people),
        )
        left -= len(row.document + row.before + row.unit + row.after)
        left -= sum(len(who) + len(what) for who, what in (*row.first, *row.second))
        if left < 0:
            return
        yield row


def shortened(text: str) -> str:
    """Return a text on one line, cut in the middle where it is very long."""
    one_line = " ".join(text.split()) if text.strip() else text
    # Context joins the unit without a blank between them where the text has none.
    one_line = f"{' ' * text[:1].isspace()}{one_line}{' ' * text[-1:].isspace()}" if text.strip() else text
    half = LONGEST // 2
    return one_line if len(one_line) <= LONGEST else f"{one_line[:half]} … {one_line[-half:]}"


def said(labels: Mapping[str, str], people: Sequence[Sequence[str]]) -> Said:
    """Return who says what, those who say the same together."""
    return grouped((name, shortened(labels[name])) for name in wording.in_order(labels, *people))


def csv_table(changed: Changed | None) -> Table | None:
    """Return the units of all lists for the CSV; None without texts or without any such unit."""
    names = ("layer", "unit_set", "side", "document", "before", "unit", "after", "first", "second")
    rows = tuple(_csv_rows(changed)) if changed else ()
    columns = tuple(Column(name, name) for name in names)
    return Table("", "", columns, rows, file="changed-units.csv") if rows else None


def _csv_rows(changed: Changed) -> Iterator[tuple[Cell, ...]]:
    for found in changed.unit_sets:
        for side, units in (("mended", found.mended), ("broken", found.broken), ("disputed", found.disputed)):
            for each in units:
                context = (each.document or "", each.before, each.unit, each.after)
                yield (found.layer, found.unit_set, side, *context, _flat(each.first), _flat(each.second))


def _flat(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {labels[name]}" for name in sorted(labels))
