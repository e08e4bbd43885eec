"""Which coefficient is the primary one of a layer, and why: by the design of the campaign, never by values.

The rule looks at what campaign.toml says of the whole campaign, so that the answer is the same in all
versions. Krippendorff's alpha takes any number of annotators, missing ratings and any scale, and stands for
annotators that others could replace; so it is the choice, with the distance of the scale. That a category
prevails is a caveat that findings state, and no reason to choose another coefficient.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reportgen.campaign import Campaign, Guidelines

NOMINAL = "krippendorff_alpha"


class Reason(StrEnum):
    """Why a coefficient is the primary one; a closed list, translated when a page is rendered."""

    DECLARED = "The campaign declares it."
    ELSEWHERE = (
        "The campaign declares it for guidelines {version}, and all versions are held to one coefficient."
    )
    NOMINAL = "Categories are names without an order."
    ORDINAL = "Categories have an order, so that confusing neighbours is the lesser disagreement."
    INTERVAL = "Categories are numbers whose differences mean the same everywhere on the scale."
    RATIO = "Categories are amounts with a true zero, so that differences count in proportion."
    SET = "Annotators give sets of labels, and to leave one out is a lesser disagreement than to differ."
    SCALES = "Versions differ in their scale ({scales}), and in all of them categories can be taken as names."


BY_SCALE: Mapping[str, tuple[str, Reason]] = {
    "nominal": (NOMINAL, Reason.NOMINAL),
    "ordinal": (f"{NOMINAL}[ordinal]", Reason.ORDINAL),
    "interval": (f"{NOMINAL}[interval]", Reason.INTERVAL),
    "ratio": (f"{NOMINAL}[ratio]", Reason.RATIO),
    "set": (f"{NOMINAL}[masi]", Reason.SET),
}


@dataclass(frozen=True)
class Chosen:
    """The primary coefficient of a layer; `values` fills the places of the reason."""

    coefficient: str
    reason: Reason
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> bool:
        """Tell whether campaign.toml names it, for these guidelines or others."""
        return self.reason in {Reason.DECLARED, Reason.ELSEWHERE}


def choose(campaign: Campaign, version: str, layer: str) -> Chosen:
    """Return the primary coefficient of a layer under some guidelines.

    A declared one stands. Where other guidelines alone declare one, all that do the same and all on one
    scale, it holds for these too. Otherwise the scale decides, and where versions differ in it, categories
    are taken as names.
    """
    declared = {each.version: _asked(campaign, each, layer, "coefficient") for each in campaign.guidelines}
    if own := declared.get(version):
        return Chosen(own, Reason.DECLARED)
    scales = {_asked(campaign, each, layer, "scale") or "nominal": None for each in campaign.guidelines}
    named = {name: each for each, name in reversed(declared.items()) if name}
    if len(named) == 1 and len(scales) == 1:
        ((coefficient, other),) = named.items()
        return Chosen(coefficient, Reason.ELSEWHERE, {"version": other})
    return by_design(scales)


def by_design(scales: Iterable[str]) -> Chosen:
    """Return the coefficient that the scales of a layer in all versions call for."""
    different = list(dict.fromkeys(scales))
    if len(different) > 1:
        return Chosen(NOMINAL, Reason.SCALES, {"scales": ", ".join(different)})
    return Chosen(*BY_SCALE[different[0]])


def _asked(campaign: Campaign, guidelines: Guidelines, layer: str, key: str) -> str | None:
    """Return what a layer has for a key of [task]: its own, else that of the guidelines, else the task's."""
    own = [each for each in campaign.layers if each.id == layer]
    for part in (*own, guidelines):
        if key in part.model_fields_set:
            value: str | None = getattr(part, key)
            return value
    inherited: str | None = getattr(campaign.task, key)
    return inherited
