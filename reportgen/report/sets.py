"""Labels that are sets: explicit beside implicit agreement, what is left out, and alpha by distance."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import _, say, say_many
from reportgen.report.names import figure_name
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
    said = tuple(
        say("{unit_set}: {sentence}", unit_set=each.id, sentence=sentence(each.sets))
        for each in own
        if each.sets
    )
    return SetsView(_agreement(results, own), _alphas(results, own), said)


def sentence(sets: SetsCompared) -> str:
    """Return what explicit agreement leaves out, and how many labels implicit agreement counts."""
    return f"{_left_out(sets)} {_counted(sets)}"


def _left_out(sets: SetsCompared) -> str:
    meetings = numbers.count(sets.meetings)
    if not sets.meetings_left_out:
        return say(
            "In none of the {meetings} times that two annotators rated the same unit did both leave it "
            "without a label, so that explicit agreement leaves out nothing.",
            meetings=meetings,
        )
    return say(
        "Of the {meetings} times that two annotators rated the same unit, neither gave a label in {lost}: "
        "explicit agreement leaves these out, implicit agreement counts them as agreed. Units without any "
        "label: {units}.",
        meetings=meetings,
        lost=numbers.count(sets.meetings_left_out),
        units=numbers.count(sets.units_left_out),
    )


def _counted(sets: SetsCompared) -> str:
    count = numbers.count(sets.categories)
    if sets.declared:
        return say_many(
            "Implicit agreement counts {count} label, as the campaign declares.",
            "Implicit agreement counts {count} labels, as the campaign declares.",
            sets.categories,
            count=count,
        )
    return say_many(
        "Implicit agreement counts {count} label, those declared or used.",
        "Implicit agreement counts {count} labels, those declared or used.",
        sets.categories,
        count=count,
    )


def _agreement(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    columns = (
        Column("unit_set", _("Unit set")),
        *(Column(name, figure_name(results, name), "estimate") for name in AGREEMENT),
        Column("meetings", _("Rated by two"), "count"),
        Column("left_out", _("Left out"), "count"),
    )
    rows = [
        (each.id, *(each.measures.get(name) for name in AGREEMENT), *_meetings(each)) for each in unit_sets
    ]
    caption = _("Explicit and implicit agreement [95% interval].")
    return _table("explicit-implicit", caption, columns, rows, unit_sets)


def _meetings(unit_set: UnitSet) -> tuple[int, int]:
    return (unit_set.sets.meetings, unit_set.sets.meetings_left_out) if unit_set.sets else (0, 0)


def _alphas(results: Results, unit_sets: Sequence[UnitSet]) -> Table:
    names = [f"{ALPHA}[{distance}]" for distance in DISTANCES]
    columns = (
        Column("unit_set", _("Unit set")),
        *(Column(name, figure_name(results, name), "estimate") for name in names),
        Column(ALPHA, say("{figure}, sets as wholes", figure=figure_name(results, ALPHA)), "estimate"),
    )
    rows = [(each.id, *(each.measures.get(name) for name in (*names, ALPHA))) for each in unit_sets]
    caption = _("Alpha by the distance between sets [95% interval].")
    return _table("set-distances", caption, columns, rows, unit_sets)


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
