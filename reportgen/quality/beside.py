"""Agreement with everybody beside agreement without those whom control items made the campaign reject."""

from collections.abc import Iterable
from dataclasses import dataclass

from reportgen.agreement import Estimate, Pair, Setting, Whole, measure_of, of_several_units
from reportgen.counts import count
from reportgen.study import CodedUnits

PAIR = 2


@dataclass(frozen=True)
class Beside:
    """One figure with everybody, and without the rejected."""

    everybody: Estimate | None
    kept: Estimate | None


def beside(
    everybody: tuple[CodedUnits, Setting], kept: tuple[CodedUnits, Setting], names: Iterable[str]
) -> dict[str, Beside]:
    """Return some figures of the same unit set with everybody, and without the rejected."""
    wanted = list(dict.fromkeys(names))
    one, other = (figures_of(units, setting, wanted) for units, setting in (everybody, kept))
    return {name: Beside(one.get(name), other.get(name)) for name in wanted}


def figures_of(units: CodedUnits, setting: Setting, names: Iterable[str]) -> dict[str, Estimate]:
    """Return some figures of all annotators of a unit set; of two annotators, those of their pair."""
    whole, found = Whole(units, count(units), setting), dict[str, Estimate]()
    for name in names:
        found |= pair_figure(whole.pair, name) if whole.annotators == PAIR else {}
        compute = measure_of(name).for_all
        if name not in found and compute is not None:
            figures = of_several_units(measure_of(name), compute(whole))
            found |= {key: each for key, each in figures.items() if key == name}
    return found


def pair_figure(pair: Pair, name: str) -> dict[str, Estimate]:
    """Return one figure of a pair under its full id, nothing where a pair does not have it."""
    compute = measure_of(name).for_pair
    found = of_several_units(measure_of(name), compute(pair)) if compute else {}
    return {key: each for key, each in found.items() if key == name}
