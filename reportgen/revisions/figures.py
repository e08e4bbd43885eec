"""The figures of one unit set that are compared, and why some of them can't be tested."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reportgen.agreement import (
    BY_ID,
    MOST_ANNOTATORS,
    Estimate,
    NoDifference,
    Pair,
    Setting,
    Whole,
    base_id,
    setting_of,
)
from reportgen.agreement.analysis import measures_of, pair_measures, specific_of
from reportgen.agreement.sets.labels import judged
from reportgen.campaign import DistanceTable
from reportgen.counts import PairTable, count, pair_tables
from reportgen.study import NO_DOCUMENT, CodedUnits

NOMINAL = "nominal"
COMPUTED = "computed"
# Its codes are the places of categories in their order, on any scale.
BY_CODES = ("finn_r",)


@dataclass(frozen=True, eq=False)
class Figures:
    """What is compared of one unit set of one version."""

    whole: Whole

    @cached_property
    def measures(self) -> Mapping[str, Estimate]:
        """Return every figure of all annotators together."""
        return measures_of(self.whole)

    @cached_property
    def specific(self) -> Callable[[int], Estimate]:
        """Return what gives the specific agreement of a category, of sets of a label, by its code."""
        return specific_of(self.whole)

    @cached_property
    def places(self) -> dict[str, int]:
        """Return the code of each category, of sets of each label, by its name."""
        return {name: code for code, name in enumerate(judged(self.whole.units))}

    @cached_property
    def tables(self) -> dict[frozenset[str], PairTable]:
        """Return the table of every two annotators who share a unit, none of a crowd."""
        whole, names = self.whole, self.whole.units.annotators
        if len(names) > MOST_ANNOTATORS:
            return {}
        found = pair_tables(whole.counts.pairs, whole.categories)
        return {frozenset((names[each.first], names[each.second])): each for each in found}

    def of_pair(self, names: Iterable[str], wanted: Sequence[str]) -> dict[str, Estimate]:
        """Return some figures of two annotators who share units."""
        found = pair_measures(Pair(self.tables[frozenset(names)], self.whole.setting))
        return {name: found[name] for name in wanted if name in found}


def figures_of(units: CodedUnits, tables: Sequence[DistanceTable]) -> Figures:
    """Return the figures of a unit set."""
    return Figures(Whole(units, count(units), setting_of(units, tables)))


@dataclass(frozen=True, eq=False)
class Prepared:
    """The figures of one version: as they are `shown`, and with documents that can be held side by side.

    They are two only where units without a document have names, and so stand for documents in a test.
    """

    shown: Figures
    tested: Figures

    def specific(self, name: str) -> tuple[Estimate, Estimate]:
        """Return the specific agreement of a category, of sets of a label: as it is shown and as tested."""
        shown, tested = self.shown, self.tested
        found = shown.specific(shown.places[name])
        return found, found if tested is shown else tested.specific(tested.places[name])


def prepared(clustered: CodedUnits, real: int, tables: Sequence[DistanceTable]) -> Prepared:
    """Return the figures of a unit set of which the first `real` documents are documents indeed."""
    tested = figures_of(clustered, tables)
    own = clustered.unit_document >= real
    if not own.any():
        return Prepared(tested, tested)
    document = np.where(own, NO_DOCUMENT, clustered.unit_document)
    units = replace(clustered, unit_document=document, documents=clustered.documents[:real])
    return Prepared(figures_of(units, tables), tested)


def not_comparable(figure: str, first: Whole, second: Whole) -> NoDifference | None:
    """Return why a figure of the same categories means something else in the second version, if it does."""
    _, _, bracket = figure.removesuffix("]").partition("[")
    if bracket == COMPUTED:
        return NoDifference.COMPUTED
    ours, theirs = _declared(first), _declared(second)
    if bracket in ours or bracket in theirs:
        same = ours.get(bracket) == theirs.get(bracket)
        return None if same else NoDifference.DISTANCES
    if _hangs_on_scale(figure, bracket) and not _same_scale(first, second):
        return NoDifference.SCALE
    return None


def _declared(whole: Whole) -> dict[str, dict[tuple[str, str], float]]:
    """Return the declared distances by the names of categories."""
    names = whole.units.categories
    return {
        each.id: {
            (one, other): float(each.matrix[row, column])
            for row, one in enumerate(names)
            for column, other in enumerate(names)
        }
        for each in whole.setting.distances
    }


def _hangs_on_scale(figure: str, bracket: str) -> bool:
    base = base_id(figure)
    known = BY_ID.get(base)
    return bool(bracket) or base in BY_CODES or (known is not None and NOMINAL not in known.scales)


def _same_scale(first: Whole, second: Whole) -> bool:
    """Tell whether both have the same scale, with each category in the same place of it."""
    ours, theirs = first.setting, second.setting
    if ours.scale != theirs.scale:
        return False
    if ours.sets is not None:
        return True
    return first.units.categories == second.units.categories and _values(ours) == _values(theirs)


def _values(setting: Setting) -> list[float] | None:
    return None if setting.values is None else np.nan_to_num(setting.values, nan=-np.inf).tolist()
