"""Every figure of all annotators together, under its full id: what the catalogue's entries compute."""

from reportgen.agreement import distances, many
from reportgen.agreement.estimate import Estimate
from reportgen.agreement.pairwise import LOWEST, scale_distances
from reportgen.agreement.profiles import without
from reportgen.agreement.whole import Whole

Figures = dict[str, Estimate]


def observed(whole: Whole) -> Figures:
    """Return observed agreement, the mean over units of the agreeing share of pairs."""
    return {"observed_agreement": many.pairwise_observed(whole.profiles)}


def krippendorff_alpha(whole: Whole) -> Figures:
    """Return nominal alpha, alpha with every declared distance, and alpha on the scale."""
    profiles, setting = whole.profiles, whole.setting
    found = {"krippendorff_alpha": many.alpha(profiles, distances.nominal(profiles.categories), low=LOWEST)}
    for distance in setting.distances:
        found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(profiles, distance)
    if setting.values is not None:
        rated = without(profiles, setting.non_annotated)
        for distance in scale_distances(rated.totals, setting):
            found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(rated, distance)
    return found
