"""One figure twice, and whether the second time differs from the first by more than chance."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from reportgen.agreement import Difference, Estimate, NoDifference
from reportgen.agreement.uncertainty.difference import difference
from reportgen.agreement.uncertainty.holm import holm

Name = TypeVar("Name", str, tuple[str, str])


@dataclass(frozen=True, eq=False)
class Twice:
    """A figure under both; `tested` is its difference, or why it has no test, `adjusted` p after Holm."""

    first: Estimate
    second: Estimate
    tested: Difference | NoDifference
    adjusted: float | None = None

    @property
    def moved(self) -> float | None:
        """Return the second value less the first, None where one is undefined."""
        if self.first.value is None or self.second.value is None:
            return None
        return self.second.value - self.first.value


def twice(
    figures: tuple[Estimate, Estimate],
    tested: tuple[Estimate, Estimate] | None = None,
    reason: NoDifference | None = None,
    *,
    same_material: bool = False,
) -> Twice:
    """Return a figure twice with its test, unless there is a reason against one.

    Documents have the same codes in what both figures were computed from, or in `tested`, the same figures
    from such codes.
    """
    defined = all(each.value is not None for each in figures)
    if reason is not None and defined:
        return Twice(*figures, reason)
    return Twice(*figures, difference(*(tested or figures), same_material=same_material))


def with_holm(figures: Mapping[Name, Twice]) -> dict[Name, Twice]:
    """Return several figures that answer one question, their p values adjusted."""
    values = [each.tested.p if isinstance(each.tested, Difference) else None for each in figures.values()]
    return {
        name: replace(each, adjusted=adjusted)
        for (name, each), adjusted in zip(figures.items(), holm(values), strict=True)
    }
