"""Two guidelines versions of one campaign, compared: the model of comparison.json, without findings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from reportgen.campaign import Campaign, Version
from reportgen.measures import BY_ID, CATALOGUE, base_id
from reportgen.results import Tool, rounded
from reportgen.results.comparison import (
    Changed,
    ComparedCampaign,
    GuidelinesCompared,
    VersionComparison,
    VersionSide,
)
from reportgen.units import Pseudonyms
from reportgen.versions.changed_units import changed_units
from reportgen.versions.guidelines import guidelines_compared, guidelines_document
from reportgen.versions.sides import Side
from reportgen.versions.systems import revised_marks, revised_systems
from reportgen.versions.unit_sets import revise_unit_sets

SPECIFIC = "specific_agreement"


def compare(
    campaign: Campaign,
    sides: tuple[Side, Side],
    coefficients: Mapping[str, str],
    names: Pseudonyms,
    tool: Tool,
) -> tuple[VersionComparison, Changed | None]:
    """Return two versions compared, and the units that changed sides unless the campaign withholds texts.

    `coefficients` are the primary ones by layer; documents and units are called as `names` says.
    """
    first, second = sides
    merges = _merges(campaign, first.version.id, second.version.id)
    revised = list(revise_unit_sets(first, second, merges, coefficients, _wanted(campaign)))
    unit_sets = tuple(each.revision for each in revised)
    spans = tuple(revised_marks(first, second, merges))
    people = {names.annotator(name): each for name, each in campaign.annotators.items()}
    systems = revised_systems(first, second, merges, people, coefficients)
    guidelines, uncompared = _guidelines(first, second, names)
    measures = [each.measures for each in unit_sets]
    measures += [each.measures for each in spans] + [each.measures for each in systems]
    used = {SPECIFIC, *map(base_id, (*coefficients.values(), *chain.from_iterable(measures)))}
    found = VersionComparison(
        campaign=ComparedCampaign(id=campaign.id, title=campaign.title),
        first=_side(first.version),
        second=_side(second.version),
        coefficients=coefficients,
        unit_sets=unit_sets,
        spans=spans,
        systems=systems,
        guidelines=guidelines,
        guidelines_uncompared=uncompared,
        missing={"first": tuple(_alone(first, second)), "second": tuple(_alone(second, first))},
        margin=_margin(campaign, coefficients),
        names={each: BY_ID[each].name for each in sorted(used) if each in BY_ID},
        places={each.id: place for place, each in enumerate(CATALOGUE) if each.id in used},
        tool=tool,
    )
    changed = None if campaign.privacy.texts == "withhold" else changed_units(first, second, revised, names)
    return VersionComparison.model_validate(rounded(found)), changed


def _merges(campaign: Campaign, first: str, second: str) -> list[Mapping[str, str]]:
    """Return what each version after the first, up to the second, calls categories of earlier ones."""
    order = campaign.versions
    later = order[order.index(first) + 1 : order.index(second) + 1]
    merged = {each.version: each.merged for each in campaign.guidelines}
    return [merged[each] for each in later]


def _wanted(campaign: Campaign) -> Sequence[str]:
    """Return the figures that the gate asks for, which pairs of annotators are then compared by too."""
    return [figure for figure in campaign.gate if base_id(figure) != SPECIFIC]


def _margin(campaign: Campaign, coefficients: Mapping[str, str]) -> float | None:
    """Return the smallest margin that [gate] has for the first layer's coefficient, None without any."""
    layer, figure = next(iter(coefficients.items()))
    floors = (
        each
        for each in campaign.gate.get(figure, ())
        if each.layer in {None, layer} and not (each.category or each.unit_set or each.annotators)
    )
    return min((each.margin for each in floors if each.margin is not None), default=None)


def _side(version: Version) -> VersionSide:
    date = version.date.isoformat() if version.date else None
    return VersionSide(guidelines=version.id, date=date, changes=version.changes)


def _alone(side: Side, other: Side) -> Iterator[str]:
    """Yield the unit sets that only one of the two has."""
    return (f"{layer}/{name}" for layer, name in side.unit_sets if (layer, name) not in other.unit_sets)


def _guidelines(first: Side, second: Side, names: Pseudonyms) -> tuple[GuidelinesCompared | None, str | None]:
    """Return the guidelines documents compared, with the categories that their passages name."""
    versions = first.version, second.version
    documents = [guidelines_document(each.folder, each.id, each.document) for each in versions]
    used = [units for side in (second, first) for units in side.unit_sets.values()]
    categories = dict.fromkeys(
        name for units in used for name in units.categories if name != units.non_annotated_name
    )
    shown = [replace(each, name=names.in_path(each.name)) for each in documents]
    return guidelines_compared(shown[0], shown[1], tuple(categories))
