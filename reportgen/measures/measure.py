"""What a measure is: its definition in words, and the function that computes it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from reportgen.measures.estimate import Estimate, Undefined, no_estimate
from reportgen.measures.formulas import Formula
from reportgen.measures.setting import SCALES
from reportgen.measures.unit_set_data import UnitsOfPair, Whole
from reportgen.results import Elsewhere, Work

# What `missing` says of measures that also count the units that one annotator alone rated (Gwet 2014).
ALL_RATED = "units with a rating; those with one alone count in chance agreement"


def work(citation: str, doi: str = "") -> Work:
    """Return a publication: how it is cited, and its DOI where it has one."""
    return Work(citation=citation, doi=doi)


def variant(library: str, returns: str) -> Elsewhere:
    """Return what another library has under a measure's name, where that differs or is worth knowing."""
    return Elsewhere(library=library, returns=returns)


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
    for_pair: Callable[[UnitsOfPair], dict[str, Estimate]] | None = field(default=None, compare=False)
    for_all: Callable[[Whole], dict[str, Estimate]] | None = field(default=None, compare=False)


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
