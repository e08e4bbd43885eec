"""In what way marks in texts disagree, and who marks longer or more, as tables."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.heads import heads, named
from reportgen.report.language import N_, _, pgettext, say
from reportgen.report.numbers import count
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import (
    CASE_KINDS,
    MarkCase,
    MarkDisagreements,
    Results,
    cases_by_kind,
    omissions_of_each,
)

# More pairs than these stand in the CSV alone, and more types.
MOST_PAIRS = 60
MOST_TYPES = 40
# What a kind of disagreement is called where one mark or unit has it.
KIND_NAMES = {
    "boundary": N_("boundary"),
    "type": N_("type"),
    "both": N_("boundary and type"),
    "omission": N_("omission"),
}
HEADS = (
    Column("boundary", N_("Boundary"), "count"),
    Column("type", N_("Type"), "count"),
    Column("both", N_("Both"), "count"),
    Column("omission", N_("Omission"), "count"),
)
PEOPLE = (Column("first", N_("First")), Column("second", N_("Second")))
EITHER = (
    Column("first_only", N_("Only the first"), "count"),
    Column("second_only", N_("Only the second"), "count"),
)


def kinds_told(kinds: Iterable[tuple[str, ...]]) -> str:
    """Return how many of some units are disputed in each way; empty where no mark stands on them."""
    times = Counter(each for of_unit in kinds for each in of_unit)
    told = (
        say("{kind} {times}", kind=_(KIND_NAMES[each]), times=count(times[each]))
        for each in CASE_KINDS
        if times[each]
    )
    return ", ".join(told)


def kind_names(kinds: tuple[str, ...]) -> str:
    """Return kinds of disagreement in words."""
    return ", ".join(_(KIND_NAMES[each]) for each in kinds)


@dataclass(frozen=True)
class CasesView:
    """The cases of one layer, and its tables."""

    found: MarkDisagreements
    features: bool

    @cached_property
    def by_type(self) -> Table:
        """Return the kinds of each type that somebody uses, and of all; those with most cases first."""
        first, second = self._only_two
        either = (
            Column("first_only", say("Only {name}", name=first), "count"),
            Column("second_only", say("Only {name}", name=second), "count"),
        )
        columns = (
            Column("type", pgettext("of mark", "Type of mark")),
            *heads(HEADS),
            *(either if first else ()),
        )
        names: list[str | None] = [*self.found.types[:MOST_TYPES], None]
        rows = tuple(self._row(name, either=bool(first)) for name in names)
        caption = _("Disagreements about marks by type; those between two types stand under both.")
        return Table(f"mark-kinds-{self.found.layer}", caption, columns, rows, total=True)

    def _row(self, name: str | None, *, either: bool) -> tuple[Cell, ...]:
        kinds = cases_by_kind(self.found.cases, name)
        alone = omissions_of_each(self.found.of_annotators[0].cases, name) if either else ()
        return (_("All") if name is None else name, *(kinds[each] for each in CASE_KINDS), *alone)

    @property
    def _only_two(self) -> tuple[str, str]:
        """Return the annotators where they are two, else nobody."""
        pairs = self.found.of_annotators
        return pairs[0].annotators if len(pairs) == 1 else ("", "")

    @property
    def more_types(self) -> int:
        """Return how many types the table leaves out."""
        return max(0, len(self.found.types) - MOST_TYPES)

    @cached_property
    def by_pair(self) -> Table | None:
        """Return the kinds of each two people; None where they are one pair, or too many."""
        pairs = self.found.pairs
        if not 1 < len(pairs) <= MOST_PAIRS:
            return None
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (*map(named, each.annotators, each.roles), *_kinds(each.cases), *omissions_of_each(each.cases))
            for each in pairs
        )
        columns = heads((*PEOPLE, *HEADS[:-1], *EITHER))
        caption = _("Disagreements about marks, by pair.")
        return Table(f"mark-kinds-by-pair-{self.found.layer}", caption, columns, rows)

    @cached_property
    def habits(self) -> Table | None:
        """Return who marks longer or more, of all types and of each; None where nobody is compared."""
        head = (
            Column("annotator", _("Annotator")),
            Column("type", pgettext("of mark", "Type of mark")),
            Column("longer", _("Longer"), "count"),
            Column("shorter", _("Shorter"), "count"),
            Column("longer_p", _("p"), "p"),
            Column("marks", _("Marks"), "count"),
            Column("others", _("Marks of the others"), "count"),
            Column("more_p", _("p"), "p"),
        )
        shown = set(self.found.types[:MOST_TYPES])
        rows: list[tuple[Cell, ...]] = [
            (
                each.annotator,
                each.type or _("All"),
                each.longer,
                each.shorter,
                each.longer_p,
                each.marks,
                each.others,
                each.more_p,
            )
            for each in self.found.habits
            if each.type is None or each.type in shown
        ]
        caption = _("Whose mark is the longer one where ends differ, and who makes more marks.")
        return Table(f"mark-habits-{self.found.layer}", caption, head, tuple(rows)) if rows else None


def _kinds(cases: tuple[MarkCase, ...]) -> tuple[int, ...]:
    kinds = cases_by_kind(cases)
    return tuple(kinds[each] for each in CASE_KINDS[:-1])


def cases_view(results: Results, layer: str, *, features: bool) -> CasesView | None:
    """Return in what way the marks of a layer disagree; None where it is not known, or none do."""
    found = results.spans.disagreements_of(layer) if results.spans else None
    return CasesView(found, features) if found and found.cases else None


def case_tables(results: Results) -> Iterator[Table]:
    """Yield the CSV tables of all layers: cases by kind and types, and who marks longer or more."""
    found = (results.spans.disagreements if results.spans else None) or ()
    if not found:
        return
    rows: list[tuple[Cell, ...]] = []
    for layer in found:
        rows += [
            (layer.layer, "", "", each.kind, each.first, each.second, each.cases) for each in layer.cases
        ]
        rows += [
            (layer.layer, *pair.annotators, each.kind, each.first, each.second, each.cases)
            for pair in layer.pairs
            for each in pair.cases
        ]
    keys = ("layer", "first", "second", "kind", "first_type", "second_type")
    columns = (*(Column(key, key) for key in keys), Column("cases", "cases", "count"))
    yield Table("mark-disagreements", "", columns, tuple(rows), file="mark-disagreements.csv")
    figures = ("annotator", "type", "longer", "shorter", "longer_p", "marks", "others", "more_p")
    habits: tuple[tuple[Cell, ...], ...] = tuple(
        (layer.layer, *(getattr(each, key) for key in figures)) for layer in found for each in layer.habits
    )
    yield Table(
        "mark-habits",
        "",
        tuple(Column(key, key) for key in ("layer", *figures)),
        habits,
        file="mark-habits.csv",
    )
