"""What a measure is: its definition in words, and the function that computes it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Floats, Undefined, no_estimate
from reportgen.study import NO_CATEGORY

if TYPE_CHECKING:
    from reportgen.agreement.whole import Pair, Whole

SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
# What `missing` says of measures that also count the units that one annotator alone rated (Gwet 2014).
ALL_RATED = "units with a rating; those with one alone count in chance agreement"


@dataclass(frozen=True)
class Work:
    """A publication: how it is cited, and its DOI where it has one."""

    citation: str
    doi: str = ""


@dataclass(frozen=True)
class Elsewhere:
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
    distances: tuple[Distance, ...] = ()
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
    works: tuple[Work, ...]
    kind: str = "coefficient"
    annotators: str = "two"
    missing: str = "units that both rated"
    scales: tuple[str, ...] = SCALES
    latex: str = ""
    use: str = ""
    avoid: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    coefficient: Formula | None = field(default=None, compare=False)
    for_pair: Callable[["Pair"], dict[str, Estimate]] | None = field(default=None, compare=False)
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
