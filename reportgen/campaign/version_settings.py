"""What a campaign says of one guidelines version: its primary coefficients, and its settings' digest."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

from reportgen.campaign.model import Campaign, Version
from reportgen.campaign.tables import Guidelines
from reportgen.results import Choice

# Which coefficient is the primary one of a layer, and why: by the design of the campaign, never by values.
#
# The rule looks at what campaign.toml says of the whole campaign, so that the answer is the same in all
# versions. Krippendorff's alpha takes any number of annotators, missing ratings and any scale, and stands for
# annotators that others could replace; so it is the choice, with the distance of the scale. That a category
# prevails is a caveat that findings state, and no reason to choose another coefficient.

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

    @property
    def declared(self) -> bool:
        """Tell whether campaign.toml names the coefficient, for these guidelines or others."""
        return self in {Reason.DECLARED, Reason.ELSEWHERE}


BY_SCALE: Mapping[str, tuple[str, Reason]] = {
    "nominal": (NOMINAL, Reason.NOMINAL),
    "ordinal": (f"{NOMINAL}[ordinal]", Reason.ORDINAL),
    "interval": (f"{NOMINAL}[interval]", Reason.INTERVAL),
    "ratio": (f"{NOMINAL}[ratio]", Reason.RATIO),
    "set": (f"{NOMINAL}[masi]", Reason.SET),
}


def choose(campaign: Campaign, version: str, layer: str) -> Choice:
    """Return the primary coefficient of a layer under some guidelines.

    A declared one stands. Where other guidelines alone declare one, all that do the same and all on one
    scale, it holds for these too. Otherwise the scale decides, and where versions differ in it, categories
    are taken as names.
    """
    declared = {each.version: _asked(campaign, each, layer, "coefficient") for each in campaign.guidelines}
    if own := declared.get(version):
        return _choice(own, Reason.DECLARED)
    scales = {_asked(campaign, each, layer, "scale") or "nominal": None for each in campaign.guidelines}
    named = {name: each for each, name in reversed(declared.items()) if name}
    if len(named) == 1 and len(scales) == 1:
        ((coefficient, other),) = named.items()
        return _choice(coefficient, Reason.ELSEWHERE, version=other)
    return by_design(scales)


def by_design(scales: Iterable[str]) -> Choice:
    """Return the coefficient that the scales of a layer in all versions call for."""
    different = list(dict.fromkeys(scales))
    if len(different) > 1:
        return _choice(NOMINAL, Reason.SCALES, scales=", ".join(different))
    return _choice(*BY_SCALE[different[0]])


def _choice(coefficient: str, reason: Reason, **values: str) -> Choice:
    return Choice(coefficient=coefficient, declared=reason.declared, reason=reason, values=values)


def _asked(campaign: Campaign, guidelines: Guidelines, layer: str, key: str) -> str | None:
    """Return what a layer has for a key of [task]: its own, else that of the guidelines, else the task's."""
    own = [each for each in campaign.layers if each.id == layer]
    for part in (*own, guidelines):
        if key in part.model_fields_set:
            value: str | None = getattr(part, key)
            return value
    inherited: str | None = getattr(campaign.task, key)
    return inherited


# What campaign.toml says of one guidelines version, as provenance records it.

# What other guidelines say, what only `reportgen check` and comparisons look at, where the campaign is, and
# in which languages it is reported, where tables lie and who reads them: results are the same in all of them.
ELSEWHERE = {"guidelines", "annotators", "gate", "language", "folder", "name"}
COMPARISONS = {"merged", "engine", "database"}


def settings(campaign: Campaign, version: Version, names: Mapping[str, str], people: Collection[str]) -> str:
    """Return the SHA-256 of all in campaign.toml that holds for one guidelines version, and of nothing else.

    It is that of canonical JSON: sorted keys, no spaces. Of `people`, those who stand in the version, it has
    the pseudonyms in `names`, so that it tells of nobody. The primary coefficients are in it, since they
    hang on the scales of all versions.
    """
    content = campaign.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude=ELSEWHERE)
    content["id"] = campaign.id
    content["annotators"] = _people(campaign, names, people)
    content["guidelines"] = _guidelines(campaign, version, names)
    content["coefficients"] = {
        layer.id: choose(campaign, version.id, layer.id).model_dump(mode="json", exclude={"declared"})
        for layer in version.layers
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _people(
    campaign: Campaign, names: Mapping[str, str], people: Collection[str]
) -> list[tuple[str, dict[str, Any]]]:
    """Return what is declared of those who stand in the version, in declared order, by the names shown."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, each in campaign.annotators.items():
        if name in people:
            declared = each.model_dump(mode="json", exclude_unset=True)
            if each.same_as:
                declared["same_as"] = names.get(each.same_as, each.same_as) if each.same_as in people else ""
            found.append((names.get(name, name), declared))
    return found


def _guidelines(campaign: Campaign, version: Version, names: Mapping[str, str]) -> dict[str, Any]:
    (own,) = (each for each in campaign.guidelines if each.version == version.id)
    content: dict[str, Any] = own.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude=COMPARISONS
    )
    if chosen := content.get("annotators"):
        content["annotators"] = [names.get(name, name) for name in chosen]
    return content
