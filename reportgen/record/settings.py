"""What campaign.toml says of one guidelines version, as provenance records it."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from reportgen.campaign import Campaign, Version
from reportgen.record.choice import choose

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
        layer.id: asdict(choose(campaign, version.id, layer.id)) for layer in version.layers
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
