"""Which confusions the change in observed disagreement comes from; all of them add up to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import numbers
from reportgen.report.language import _, say_many
from reportgen.report.revisions import wording
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.revisions import ConfusionChange, DisagreementChange, UnitSetRevision

MOST_CONFUSIONS = 20


@dataclass(frozen=True)
class ConfusionsView:
    """The confusions of one unit set; of many, those that contribute most are shown."""

    id: str
    versions: tuple[str, str]
    whole: DisagreementChange

    @property
    def shown(self) -> tuple[ConfusionChange, ...]:
        """Return the confusions that contribute most, those that fell most first."""
        return self._parted[0]

    @property
    def others(self) -> tuple[ConfusionChange, ...]:
        """Return those that are not shown."""
        return self._parted[1]

    @cached_property
    def _parted(self) -> tuple[tuple[ConfusionChange, ...], tuple[ConfusionChange, ...]]:
        """Return what is shown and what is not, each in order."""
        found = self.whole.confusions
        far = sorted(range(len(found)), key=lambda place: -abs(found[place].contribution))
        shown = set(far[:MOST_CONFUSIONS])
        one, other = (
            tuple(each for place, each in enumerate(found) if (place in shown) is there)
            for there in (True, False)
        )
        return one, other

    @property
    def caption(self) -> str:
        """Return what the table shows."""
        if self.whole.sets:
            return _("How often the sets of two annotators on a unit differ in just this, as a share of all.")
        return _("How often the labels of two annotators on a unit are these two, as a share of all.")

    def table(self) -> Table:
        """Return the table, whose last row is the whole change."""
        columns = (
            Column("confusion", _("Confusion")),
            Column("first", self.versions[0], "figure"),
            Column("second", self.versions[1], "figure"),
            Column("contribution", _("Contribution")),
            *((Column("adjusted", _("p (Holm)"), "p"),) if self.tested else ()),
        )
        rows = [
            (wording.confusion(each), *self._shares([each]), *self._tests(each.adjusted))
            for each in self.shown
        ]
        if self.others:
            others = numbers.counted(len(self.others), "other confusion", "other confusions")
            rows.append((others, *self._shares(self.others), *self._tests(None)))
        whole = (
            _("Observed disagreement"),
            self.whole.first,
            self.whole.second,
            wording.signed(self.whole.change),
            *self._tests(None),
        )
        return Table(f"confusions-{self.id}", self.caption, columns, (*rows, whole), total=True)

    @property
    def tested(self) -> bool:
        """Tell whether any confusion was tested."""
        return any(each.adjusted is not None for each in self.whole.confusions)

    def _tests(self, p: float | None) -> tuple[Cell, ...]:
        """Return the cell of the p value, where there is a column of them."""
        return (p,) if self.tested else ()

    def _shares(self, found: Sequence[ConfusionChange]) -> tuple[Cell, ...]:
        first, second = self.whole.denominators
        return (
            sum(each.first for each in found) / first if first else None,
            sum(each.second for each in found) / second if second else None,
            wording.signed(math.fsum(each.contribution for each in found)),
        )

    @property
    def adds_up(self) -> str:
        """Return the sum of all contributions in words."""
        total = math.fsum(each.contribution for each in self.whole.confusions)
        number = len(self.whole.confusions)
        return say_many(
            "The contribution of the one confusion is {sum}, the change in observed disagreement.",
            "The contributions of all {count} confusions add up to {sum}, the change in observed "
            "disagreement.",
            number,
            count=numbers.count(number),
            sum=wording.signed(total),
        )


def confusions(revision: UnitSetRevision, versions: tuple[str, str]) -> ConfusionsView | None:
    """Return the confusions of a unit set; None where observed disagreement is not known under both."""
    if revision.disagreement is None:
        return None
    return ConfusionsView(wording.slug(revision.layer, revision.unit_set), versions, revision.disagreement)


COLUMNS = (
    *(Column(name, name) for name in ("layer", "unit_set", "basis", "one", "other")),
    *(Column(name, name, "count") for name in ("first", "first_of", "second", "second_of")),
    *(Column(name, name, "figure") for name in ("contribution", "p", "p_holm")),
)


def csv_table(revisions: Sequence[UnitSetRevision]) -> Table | None:
    """Return every confusion of every unit set for the CSV; None without any."""
    rows: list[tuple[Cell, ...]] = [
        (
            *where,
            *each.categories,
            each.first,
            found.denominators[0],
            each.second,
            found.denominators[1],
            each.contribution,
            each.p,
            each.adjusted,
        )
        for revision in revisions
        if (found := revision.disagreement) is not None
        for where in [(revision.layer, revision.unit_set, revision.basis)]
        for each in found.confusions
    ]
    return Table("", "", COLUMNS, tuple(rows), file="confusions.csv") if rows else None
