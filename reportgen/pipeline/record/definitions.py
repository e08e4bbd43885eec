"""The catalogue in words, as results.json and `reportgen explain` have it."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import Campaign, Version
from reportgen.measures import (
    BRACKETS,
    CATALOGUE,
    DECLARED,
    FAMILY_OF,
    MODES,
    SHARES,
    Bracket,
    UnitSetAgreement,
    brackets_of,
)
from reportgen.pipeline.record.unit_sets import choose
from reportgen.results import Definition, Entry, Weighting

# What both kinds of entry have, and what a measure has alone.
SHARED = ("name", "formula", "latex", "answers", "use", "avoid")
OWN = ("symbol", "chance", "assumptions", "sentence", "kind", "annotators", "missing")


def definitions() -> dict[str, Definition]:
    """Return every entry of the catalogue in words, by its id, in the order of the catalogue."""
    return {name: Definition.model_validate(each) for name, each in definition_content().items()}


def definition_content() -> dict[str, dict[str, Any]]:
    """Return every entry of the catalogue as results.json has it, by its id."""
    return {
        each.id: _shared(each)
        | {name: getattr(each, name) for name in OWN}
        | {"place": place, "family": FAMILY_OF[each.id]}
        for place, each in enumerate(CATALOGUE)
    }


def weightings() -> dict[str, Weighting]:
    """Return every entry of what stands in brackets, by its key: "[masi]", and "[…]" for a declared table."""
    return {each.key: Weighting.model_validate(_shared(each)) for each in (*BRACKETS, DECLARED)}


def explanation(asked: str) -> dict[str, Entry]:
    """Return the entry of a measure, and those of what stands in its brackets; or that of brackets alone.

    Raises BadInput, with what was probably meant, for what neither the catalogue nor brackets know. Any other
    name in the brackets of a weighted figure is a declared table.
    """
    known, brackets = definitions(), weightings()
    alone = {key: each for key, each in brackets.items() if asked in {key, key.partition("[")[2][:-1]}}
    base, _, inside = asked.removesuffix("]").partition("[")
    if base not in known:
        if alone:
            return {**alone}
        raise _unknown(asked, [*known, *brackets])
    found = {each.key: brackets[each.key] for each in brackets_of(asked)}
    if inside and (not found or (DECLARED.key in found and _misspelt(inside))):
        raise _unknown(asked, [f"{base}[{name}]" for name in dict.fromkeys(each.id for each in BRACKETS)])
    return {base: known[base], **found}


def _misspelt(inside: str) -> bool:
    """Tell whether a name is so near to that of a built-in distance that it is hardly a declared table."""
    return not did_you_mean(inside, [each.id for each in BRACKETS]).startswith("Known")


def _unknown(asked: str, known: list[str]) -> BadInput:
    message, mend = f'no measure is called "{asked}".', did_you_mean(asked, known)
    return BadInput([Problem("explain", message=message, mend=mend)])


def weighting_content(figures: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what stands in the brackets of these figures, each with the figures that have it."""
    found: dict[str, tuple[Bracket, list[str]]] = {}
    for figure in sorted(set(figures)):
        for each in brackets_of(figure):
            found.setdefault(each.key, (each, []))[1].append(figure)
    order = {each.key: place for place, each in enumerate((*BRACKETS, DECLARED))}
    return {
        key: _shared(found[key][0]) | {"figures": found[key][1]}
        for key in sorted(found, key=order.__getitem__)
    }


def figures_of(agreements: Iterable[UnitSetAgreement], *, spans: bool) -> set[str]:
    """Return the ids of all figures of unit sets and their pairs, and of spans where there are some."""
    found = {f"{share}[{mode}]" for share in SHARES for mode in MODES} if spans else set[str]()
    for each in agreements:
        found |= {*each.measures, *each.mean_over_pairs}
        found |= {name for pair in each.pairs for name in pair.measures}
    return found


def _shared(entry: Any) -> dict[str, Any]:  # noqa: ANN401 - a Measure or a Bracket, which have these alike
    return {
        **{name: getattr(entry, name) for name in SHARED},
        "works": [asdict(work) for work in entry.works],
        "elsewhere": [asdict(each) for each in entry.elsewhere],
    }


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
