"""What a measure is: its definition in words, and the function that computes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from reportgen.campaign import DistanceMatrix
from reportgen.counts import ContingencyTable
from reportgen.measures import distances
from reportgen.measures.distances import CategoryDistance, set_distances
from reportgen.measures.estimate import Estimate, Floats, Undefined, no_estimate
from reportgen.measures.formulas import Formula
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, CodedUnits, number

if TYPE_CHECKING:
    from reportgen.measures.unit_set_data import UnitsOfPair, Whole


SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
# What `missing` says of measures that also count the units that one annotator alone rated (Gwet 2014).
ALL_RATED = "units with a rating; those with one alone count in chance agreement"


@dataclass(frozen=True)
class Publication:
    """A publication: how it is cited, and its DOI where it has one."""

    citation: str
    doi: str = ""


@dataclass(frozen=True)
class LibraryVariant:
    """What another library returns under this measure's name, where that differs or is worth knowing."""

    library: str
    returns: str


@dataclass(frozen=True, eq=False)
class Setting:
    """What measures depend on beside counts.

    `values` (categories,) are the categories' values or ranks, None on a nominal scale; `distances` the
    declared tables; `non_annotated` the code of that category, NO_CATEGORY without one. On a scale of sets
    `sets` has the members of each category, and `category_count` is how many members there are to choose
    from, None where the campaign does not say.
    """

    scale: str = "nominal"
    non_annotated: int = NO_CATEGORY
    values: Floats | None = None
    distances: tuple[CategoryDistance, ...] = ()
    sets: tuple[frozenset[str], ...] | None = None
    category_count: int | None = None


@dataclass(frozen=True)
class Measure:
    """One entry of the catalogue.

    - `id` is the field's own term, `name` and `symbol` what a page shows, `formula` plain text, `latex` the
      same typeset, in the notation of Artstein and Poesio (2008).
    - `use` and `avoid`: when to take it, and when not; `elsewhere`: what other libraries return.
    - `chance`: the chance model in words; `assumptions`: what must hold; `answers`: its question.
    - `sentence`: what the methods paragraph says where the measure is used.
    - `kind`: "coefficient", "share", "index", "ceiling", "test", "table" or "unitizing".
    - `coefficient` is the function of sums that the figure is, with whatever distance; None where it is no
      such function (means over pairs, majorities, correlations, unitizing, models).
    - `for_pair` computes every figure of a pair under its full id ("weighted_kappa[expert]"), `for_all` those
      of all annotators together; None where the measure belongs to single categories or is a table. Of two
      annotators, `for_pair` tells, and `for_all` what it leaves open; where `missing` is ALL_RATED, `for_all`
      tells, as units that one alone rated count too.
    - `scales`: on which scales it is shown.
    """

    id: str
    name: str
    symbol: str
    formula: str
    chance: str
    assumptions: str
    answers: str
    sentence: str
    works: tuple[Publication, ...]
    kind: str = "coefficient"
    annotators: str = "two"
    missing: str = "units that both rated"
    scales: tuple[str, ...] = SCALES
    latex: str = ""
    use: str = ""
    avoid: str = ""
    elsewhere: tuple[LibraryVariant, ...] = ()
    coefficient: Formula | None = field(default=None, compare=False)
    for_pair: Callable[["UnitsOfPair"], dict[str, Estimate]] | None = field(default=None, compare=False)
    for_all: Callable[["Whole"], dict[str, Estimate]] | None = field(default=None, compare=False)


def of_several_units(measure: Measure, found: dict[str, Estimate]) -> dict[str, Estimate]:
    """Return a measure's figures, coefficients of one unit alone being undefined.

    Where chance is taken from the ratings, those of one unit are all that it is taken from: kappa and alpha
    are then 0 whatever is said, pi -1. No coefficient shows from one unit how annotators label others.
    """
    if measure.kind not in ("coefficient", "ceiling"):
        return found
    return {name: _of_several(each) for name, each in found.items()}


def _of_several(found: Estimate) -> Estimate:
    alone = found.value is not None and found.units == 1
    return no_estimate(Undefined.ONE_UNIT, 1) if alone else found


def base_id(figure: str) -> str:
    """Return the measure's id of a figure: "weighted_kappa" of "weighted_kappa[expert]"."""
    return figure.partition("[")[0]


def ranks_or_values(
    categories: tuple[str, ...], scale: str, numbers: tuple[float | None, ...]
) -> Floats | None:
    """Return each category's rank on an ordinal scale, its value on an interval or ratio scale, else None.

    A category that is no number (the non-annotated one) has NaN, and is left out of what uses values.
    """
    if scale == "ordinal":
        return np.arange(len(categories), dtype=np.float64)
    if scale in ("interval", "ratio"):
        return np.array([np.nan if value is None else value for value in numbers])
    return None


# What the figures of a unit set depend on beside its counts: its scale, and the distances on it.


def setting_of(units: CodedUnits, tables: Sequence[DistanceMatrix]) -> Setting:
    """Return what the figures of a unit set depend on beside its counts."""
    numbers = tuple(number(name) for name in units.categories)
    declared = [
        declared_distance(table.id, units.categories, table.rows, table.categories)
        for table in tables
        if set(units.categories) <= set(table.categories)
    ]
    return Setting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(declared),
        sets=units.sets,
        category_count=units.category_count,
    )


def declared_distance(
    name: str, categories: Sequence[str], matrix: Sequence[Sequence[float]], of: Sequence[str]
) -> CategoryDistance:
    """Return a declared distance table over `categories`, rows and columns of the table being `of`.

    Raises ValueError for a category that the table does not know; study/ has checked before.
    """
    places = np.array([list(of).index(category) for category in categories], dtype=np.int64)
    table = np.array(matrix, dtype=np.float64)
    return CategoryDistance(name, table[np.ix_(places, places)])


def scale_distances(totals: Codes, setting: Setting, ratings: float = 2.0) -> list[CategoryDistance]:
    """Return alpha's distances on the scale of the study, given how often each category was used.

    `ratings` is how many a unit has on average.
    `totals` and the distances leave the non-annotated category out, which has no place on a scale; of sets
    it is the empty one, and is left in.
    """
    if setting.sets is not None:
        return set_distances(setting.sets)
    if setting.values is None:
        return []
    kept = np.arange(len(setting.values)) != setting.non_annotated
    values = setting.values[kept]
    if setting.scale == "ordinal":
        return [distances.ordinal(totals, ratings), distances.circular(values)]
    if setting.scale == "ratio":
        return [distances.interval(values), distances.ratio(values), distances.circular(values)]
    return [distances.interval(values), distances.circular(values)]


@lru_cache(maxsize=2)
def weights_of(setting: Setting) -> tuple[CategoryDistance, ...]:
    """Return the distances of the kappas, S and AC2 on the scale of the study, under Gwet's names (2014).

    They leave the non-annotated category out, as `scale_distances` do.
    """
    if setting.values is None:
        return tuple(scale_distances(np.zeros(0, dtype=np.int64), setting))
    values = setting.values[np.arange(len(setting.values)) != setting.non_annotated]
    ratio = [distances.ratio(values)] if setting.scale == "ratio" else []
    return (
        distances.linear(values),
        distances.quadratic(values),
        distances.by_ranks(len(values)),
        distances.radical(values),
        *ratio,
        distances.circular(values),
        distances.bipolar(values),
    )


def rated_only(table: ContingencyTable, setting: Setting) -> ContingencyTable:
    """Return the table without the non-annotated category, its last one; of sets it is a value, and stays."""
    if setting.non_annotated == NO_CATEGORY or setting.sets is not None:
        return table
    kept = (table.row != setting.non_annotated) & (table.column != setting.non_annotated)
    return ContingencyTable(
        table.first,
        table.second,
        setting.non_annotated,
        table.document[kept],
        table.row[kept],
        table.column[kept],
        table.n[kept],
    )
