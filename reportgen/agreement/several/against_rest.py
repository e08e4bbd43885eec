"""One category against all others, for any number of annotators: Fleiss' kappa and alpha of each."""

from reportgen.agreement.algebra.estimates import LOWEST, coefficient
from reportgen.agreement.algebra.formulas import fleiss_kappa, krippendorff_alpha
from reportgen.agreement.algebra.parts import one_category
from reportgen.agreement.estimate import Estimate, Undefined, no_estimate, without_spread
from reportgen.agreement.several.profiles import Profiles

TWO = 2


def each_against_rest(rated: Profiles) -> tuple[dict[str, Estimate], ...]:
    """Return Fleiss' kappa and Krippendorff's alpha of each category against all others.

    `rated` holds every unit with a rating. With two categories there is nothing new, and nothing is returned.
    (Fleiss 1971, by category; Gwet 2014 with missing ratings; for two annotators Agresti 1992.)
    """
    if rated.categories <= TWO:
        return ()
    return tuple(one_against_rest(rated, category) for category in range(rated.categories))


def one_against_rest(rated: Profiles, category: int) -> dict[str, Estimate]:
    """Return Fleiss' kappa and alpha of one category against whatever else there is."""
    parts = one_category(rated, category)
    units = int((rated.times * parts.units).sum())
    if units == 0 or not parts.given.any():
        reason = Undefined.NOT_USED if units else Undefined.NO_SHARED_UNITS
        return dict.fromkeys(("fleiss_kappa", "krippendorff_alpha"), no_estimate(reason, units))
    found = {
        "fleiss_kappa": coefficient(fleiss_kappa, parts, low=LOWEST, as_agreement=True),
        "krippendorff_alpha": coefficient(krippendorff_alpha, parts, low=LOWEST),
    }
    # Differences of these are not tested, and what that takes of thousands of categories fills the memory.
    return {name: without_spread(_of_several(each)) for name, each in found.items()}


def _of_several(found: Estimate) -> Estimate:
    return no_estimate(Undefined.ONE_UNIT, 1) if found.value is not None and found.units == 1 else found
