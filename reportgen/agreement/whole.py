"""One unit set as measures of all its annotators together see it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.agreement.numbers.complete import Complete, complete_of_all
from reportgen.agreement.several.majority import Against, against_others
from reportgen.agreement.several.profiles import Profiles, paired_profiles
from reportgen.agreement.several.units import UnitRatings, unit_ratings
from reportgen.counts import Counts
from reportgen.study import CodedUnits

if TYPE_CHECKING:
    from reportgen.agreement.measure import Setting


@dataclass(frozen=True, eq=False)
class Whole:
    """The units of one unit set, what is counted in them, and what measures depend on beside."""

    units: CodedUnits
    counts: Counts
    setting: "Setting"

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
