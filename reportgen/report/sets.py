"""Labels that are sets: explicit beside implicit agreement, what is left out, and alpha by distance."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.tables import Cell, Column, Table
from reportgen.results import Results, SetsCompared, UnitSet

ALPHA = "krippendorff_alpha"
DISTANCES = ("jaccard", "masi", "dice")
AGREEMENT = ("explicit_agreement", "implicit_agreement", "explicit_kappa", "implicit_kappa")


@dataclass(frozen=True)
class SetsView:
    """The unit sets of one layer whose categories are sets: two tables, and what each leaves out."""

    agreement: Table
    alphas: Table
    sentences: tuple[str, ...]

    @property
    def tables(self) -> tuple[Table, Table]:
        """Return the tables, both of which have a file."""
        return self.agreement, self.alphas


def sets_view(results: Results, unit_sets: Sequence[UnitSet]) -> SetsView | None:
    """Return what is shown of a layer's unit sets, None where their categories are no sets."""
    own = [each for each in unit_sets if each.sets]
    if not own:
        return None
    said = tuple(f"{each.id}: {sentence(each.sets)}" for each in own if each.sets)
    return SetsView(_agreement(results, own), _alphas(results, own), said)


def sentence(sets: SetsCompared) -> str:
    """Return what explicit agreement leaves out, and how many labels implicit agreement counts."""
    meetings, lost = numbers.count(sets.meetings), numbers.count(sets.meetings_left_out)
    left_out = (
        f"Of the {meetings} times that two annotators rated the same unit, neither gave a label in {lost}: "
        "explicit agreement leaves these out, implicit agreement counts them as agreed. Units without any "
        f"label: {numbers.count(sets.units_left_out)}."
        if sets.meetings_left_out
        else f"In none of the {meetings} times that two annotators rated the same unit did both leave it "
        "without a label, so that explicit agreement leaves out nothing."
    )
    origin = "as the campaign declares" if sets.declared else "those declared or used"
    return f"{left_out} Implicit agreement counts {numbers.count(sets.categories)} labels, {origin}."


def _agreement(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    columns = (
        Column("unit_set", "Unit set"),
        *(Column(name, results.name_of(name), "estimate") for name in AGREEMENT),
        Column("meetings", "Rated by two", "count"),
        Column("left_out", "Left out", "count"),
    )
    rows = [
        (each.id, *(each.measures.get(name) for name in AGREEMENT), *_meetings(each)) for each in unit_sets
    ]
    caption = "Explicit and implicit agreement [95% interval]."
    return _table("explicit-implicit", caption, columns, rows, unit_sets)


def _meetings(unit_set: UnitSet) -> tuple[int, int]:
    return (unit_set.sets.meetings, unit_set.sets.meetings_left_out) if unit_set.sets else (0, 0)


def _alphas(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    names = [f"{ALPHA}[{distance}]" for distance in DISTANCES]
    columns = (
        Column("unit_set", "Unit set"),
        *(Column(name, results.name_of(name), "estimate") for name in names),
        Column(ALPHA, f"{results.name_of(ALPHA)}, sets as wholes", "estimate"),
    )
    rows = [(each.id, *(each.measures.get(name) for name in (*names, ALPHA))) for each in unit_sets]
    return _table(
        "set-distances", "Alpha by the distance between sets [95% interval].", columns, rows, unit_sets
    )


def _table(
    name: str,
    caption: str,
    columns: tuple[Column, ...],
    rows: Sequence[tuple[Cell, ...]],
    unit_sets: Sequence[UnitSet],
) -> Table:
    layer = unit_sets[0].layer
    suffix = "" if layer == "main" else f"~{layer}"
    return Table(f"{name}{suffix}", caption, columns, tuple(rows), file=f"{name}{suffix}.csv")
