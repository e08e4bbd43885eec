"""Which figures stand on a page: what says nothing new of two annotators stands in the files alone."""

from reportgen.report.names import definition
from reportgen.results import Definition, Results, UnitSet

PAIR = 2
# What two annotators' other figures say already.
SAME_OF_TWO = (
    "unanimous_agreement",
    "majority_agreement",
    "fleiss_kappa",
    "conger_kappa",
    "light_kappa",
    "randolph_kappa",
    "siegel_castellan",
)
# What results hold of pairs beside their figures.
OF_PAIRS = ("prevalence_index", "bias_index", "pabak", "mcnemar", "kappa_max")
# Measures whose weighted forms stand behind those of weighted kappa, alpha and AC2.
VARIANTS = ("bennett_s", "fleiss_kappa", "conger_kappa")
MAIN_WEIGHTS = (
    "ordinal",
    "interval",
    "ratio",
    "linear",
    "quadratic",
    "two-way",
    "masi",
    "jaccard",
    "dice",
)


def is_shown(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure says something of its own: the primary one, and what two annotators differ in."""
    of_two = len(unit_set.annotators) <= PAIR
    return name == results.coefficients[unit_set.layer] or not (of_two and _base(name) in SAME_OF_TWO)


def is_main(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure belongs into the first table: the primary one, and no mere variant of another."""
    bracket = name.removesuffix("]").partition("[")[2]
    if name == results.coefficients[unit_set.layer] or not bracket:
        return True
    declared = (each.id for each in results.distances)
    return _base(name) not in VARIANTS and bracket in (*MAIN_WEIGHTS, *declared)


def definitions(results: Results) -> list[tuple[str, Definition]]:
    """Return the measures that the report shows, in the catalogue's order and the language being written."""
    primaries = {_base(name) for name in results.coefficients.values()}
    of_two = all(len(each.annotators) <= PAIR for each in results.unit_sets)
    hidden = set(SAME_OF_TWO) - primaries if of_two else set()
    return [(name, definition(each)) for name, each in results.definitions if name not in hidden]


def on_the_page(results: Results) -> list[tuple[str, Definition]]:
    """Return those but for what stands of more than two annotators only in the files on their pairs."""
    whole = {_base(name) for each in results.unit_sets for name in each.measures}
    pairs = {
        _base(name)
        for each in results.unit_sets
        for pair in each.pairs
        if each.only_pair is None
        for name in (*pair.measures, *pair.symmetry, *OF_PAIRS)
    }
    shown = {_base(name) for name in ("cohen_kappa", *results.coefficients.values())}
    if any(each.only_pair for each in results.unit_sets):
        return definitions(results)
    return [(name, each) for name, each in definitions(results) if name not in pairs - whole - shown]


def _base(name: str) -> str:
    return name.partition("[")[0]
