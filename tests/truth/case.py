"""One layer of a campaign as it was made, with what its report says: what checks are given."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.results import Figure, Results, UnitSet
from tests.present import present
from tests.truth import naive
from tests.truth.made import BETWEEN, Labels, Layer, Made

TENTATIVE, RELIABLE = 0.667, 0.8


@dataclass(frozen=True)
class Case:
    """One layer of a campaign as it was made, and what the report says of it."""

    layer: Layer
    results: Results
    made: Made

    @property
    def units(self) -> Sequence[Labels]:
        """Return the units that several rated."""
        return self.layer.compared

    @property
    def unit_set(self) -> UnitSet:
        """Return the report's primary unit set of the layer."""
        return self.results.primary_of(self.layer.id)

    @property
    def figure(self) -> Figure:
        """Return the layer's primary coefficient."""
        return self.unit_set.measures[self.measure]

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of its interval."""
        interval = present(self.figure.interval)
        return present(interval.low), present(interval.high)

    @property
    def specific(self) -> dict[str, float]:
        """Return the specific agreement of each category that somebody used, of sets that of each label."""
        names = naive.labels(self.units)
        known = {name: naive.specific(self.units, name) for name in names}
        if self.layer.kind.scale == "set":
            members = {each for name in names for each in name.split(BETWEEN)}
            known = {name: naive.specific(self.chosen(name), "True") for name in members}
        return {name: value for name, value in known.items() if value is not None}

    def chosen(self, label: str) -> list[dict[str, str]]:
        """Return for each unit of sets who chose a label."""
        return [{who: str(label in each.split(BETWEEN)) for who, each in unit.items()} for unit in self.units]

    @property
    def measure(self) -> str:
        """Return the id of the primary coefficient."""
        return self.results.coefficients[self.layer.id]

    def coefficient(self, units: Sequence[Labels]) -> float | None:
        """Return the primary coefficient of units, counted naively; NaN where nothing here counts it."""
        return naive.coefficient(units, self.measure)


Values = Mapping[str, object]
Check = Callable[[Case, Values], None]


def near(value: object, due: float | None) -> bool:
    """Tell whether a value is what is due, to nine digits."""
    return (
        isinstance(value, int | float)
        and due is not None
        and math.isclose(value, due, rel_tol=1e-9, abs_tol=1e-9)
    )


def known(value: object, due: float | None) -> bool:
    """Tell whether a value is what is due, or nothing here counts what is due."""
    return due is not None and (math.isnan(due) or near(value, due))


def number(value: object) -> float:
    """Return a value that has to be a number."""
    assert isinstance(value, int | float)
    return float(value)


def some(value: object, names: Sequence[str], more: object = 0) -> bool:
    """Tell whether a list that may be cut is the first of the names, and says how many more there are."""
    assert isinstance(value, tuple)
    return list(value) == list(names)[: len(value)] and len(value) + int(number(more or 0)) == len(names)
