"""Keys of campaign.toml that are accepted and that this version of reportgen does not act on yet."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from reportgen.campaign.model import Campaign
from reportgen.campaign.place import lines_of
from reportgen.campaign.wording import KeyPath, did_you_mean, dotted, quoted
from reportgen.errors import Problem

if TYPE_CHECKING:
    from reportgen.campaign.tables import Task


def unused(campaign: Campaign) -> list[Problem]:
    """Return what the campaign asks for and the report will not show, each with its line."""
    found = dict(_found(campaign))
    lines = lines_of(campaign, list(found))
    return sorted(Problem(campaign.file, lines.get(path, 0), "", text) for path, text in found.items())


def strangers(campaign: Campaign, known: Collection[str]) -> list[Problem]:
    """Return each annotator of campaign.toml whom no export names: mistyped, or not there yet."""
    named: dict[KeyPath, str] = {("annotators", name): name for name in campaign.annotators}
    named |= {
        ("annotators", name, "same_as"): each.same_as
        for name, each in campaign.annotators.items()
        if each.same_as
    }
    paths = [path for path, name in named.items() if name not in known]
    lines = lines_of(campaign, paths)
    return [
        Problem(
            campaign.file,
            lines.get(path, 0),
            message=f"no export has an annotator {quoted(named[path])}.",
            mend=did_you_mean(named[path], known),
        )
        for path in paths
    ]


def _found(campaign: Campaign) -> Iterator[tuple[KeyPath, str]]:
    """Yield each number of categories of a campaign in which no layer has sets of them."""
    layers = [layer for version in campaign.versions for layer in campaign.version(version).layers]
    if any(layer.scale == "set" for layer in layers):
        return
    places: list[tuple[KeyPath, Task]] = [
        (("task",), campaign.task),
        *((("layers", place), layer) for place, layer in enumerate(campaign.layers)),
        *((("guidelines", place), each) for place, each in enumerate(campaign.guidelines)),
    ]
    for path, table in places:
        if "category_count" in table.model_fields_set:
            key = (*path, "category_count")
            yield key, f'{dotted(key)} says nothing where no scale is "set".'
