"""The units of two annotators, or of all annotators together, as measures see them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from reportgen.agreement.algebra.parts import Parts, parts_of
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Undefined
from reportgen.agreement.numbers.complete import Complete, complete_of_all, complete_of_pair
from reportgen.agreement.sets.meetings import Meetings, of_all, of_table
from reportgen.agreement.several.majority import Against, against_others
from reportgen.agreement.several.profiles import (
    PAIR,
    Profiles,
    paired_profiles,
    profiles_of_pair,
    without,
)
from reportgen.agreement.several.units import UnitRatings, unit_ratings
from reportgen.counts import Counts, PairTable, pair_table
from reportgen.study import NO_CATEGORY, CodedUnits

if TYPE_CHECKING:
    from reportgen.agreement.measure import Setting

Made = TypeVar("Made")


class Units(Protocol):
    """Units that measures are of, whoever rated them, and what measures depend on beside.

    `nothing` is why there is no figure where no two annotators rated the same unit.
    """

    setting: "Setting"
    nothing: ClassVar[Undefined]

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""

    @property
    def profiles(self) -> Profiles:
        """Return the units that at least two annotators rated."""

    @property
    def rated(self) -> Profiles:
        """Return all units with a rating."""

    @property
    def complete(self) -> Complete:
        """Return the units that all annotators gave a number."""

    @property
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""

    @property
    def unplaced(self) -> int:
        """Return the category that has no place on the scale: the non-annotated one, of ordered scales."""
        return self.setting.non_annotated if self.setting.values is not None else NO_CATEGORY

    def placed(self, profiles: Profiles) -> Profiles:
        """Return the units of some profiles that have a place on the scale, with as many ratings as there."""
        return self.once(("placed", id(profiles)), lambda: self._placed(profiles))

    def _placed(self, profiles: Profiles) -> Profiles:
        return without(profiles, self.unplaced, PAIR if profiles is self.profiles else 1)

    def parts(self, profiles: Profiles, distance: Distance) -> Parts:
        """Return what some of these units add to the sums under a distance."""
        return self.once(("parts", id(profiles), id(distance)), lambda: parts_of(profiles, distance))

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made once for all measures; it keeps alive what its key names."""
        if key not in self._known:
            self._known[key] = make()
        found: Made = self._known[key]
        return found

    @cached_property
    def _known(self) -> dict[Hashable, Any]:
        return {}


@dataclass(frozen=True, eq=False)
class Pair(Units):
    """The units that two annotators both rated."""

    table: PairTable
    setting: "Setting"
    nothing = Undefined.NO_UNITS

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return self.table.categories

    @property
    def profiles(self) -> Profiles:
        """Return the units that both rated."""
        return profiles_of_pair(self.table)

    @property
    def rated(self) -> Profiles:
        """Return the same: what one alone rated is not in their table."""
        return self.profiles

    @cached_property
    def complete(self) -> Complete:
        """Return the units that both gave a number."""
        return complete_of_pair(self.table, self.setting)

    @cached_property
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""
        return of_table(self.table)


@dataclass(frozen=True, eq=False)
class Whole(Units):
    """The units of one unit set, what is counted in them, and what measures depend on beside."""

    units: CodedUnits
    counts: Counts
    setting: "Setting"
    nothing = Undefined.NO_SHARED_UNITS

    @property
    def categories(self) -> int:
        """Return how many categories there are, declared or used."""
        return len(self.units.categories)

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.units.annotators)

    @cached_property
    def profiles(self) -> Profiles:
        """Return the units that at least two annotators rated."""
        return paired_profiles(self.counts.profiles, self.categories)

    @cached_property
    def rated(self) -> Profiles:
        """Return all units with a rating."""
        return paired_profiles(self.counts.profiles, self.categories, least=1)

    @cached_property
    def against_others(self) -> Against:
        """Return each rating against the commonest label of the unit's other ratings."""
        return against_others(self.ratings)

    @cached_property
    def ratings(self) -> UnitRatings:
        """Return who gave which label to which unit."""
        return unit_ratings(self.units)

    @cached_property
    def complete(self) -> Complete:
        """Return the units that all annotators gave a number."""
        return complete_of_all(self)

    @cached_property
    def meetings(self) -> Meetings:
        """Return every two labels of a unit."""
        return of_all(self.ratings)

    @cached_property
    def pair(self) -> Pair:
        """Return the units that the first two annotators both rated: those of two annotators, if any."""
        return Pair(pair_table(self.counts.pairs, self.categories, 0, 1), self.setting)
