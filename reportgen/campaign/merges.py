"""What `merged` says of categories that there are not: mistyped, or written under the wrong version."""

from collections.abc import Collection, Iterator, Mapping

from reportgen.campaign.model import Campaign
from reportgen.campaign.place import lines_of
from reportgen.campaign.wording import KeyPath, alternatives, did_you_mean, dotted, quoted
from reportgen.errors import Problem

MOST_SHOWN = 10


def merges(campaign: Campaign, known: Mapping[str, Collection[str]]) -> list[Problem]:
    """Return what is wrong with the `merged` tables of a campaign, each problem with its line.

    `known` has each version's categories: those that it declares, and those that its exports hold. A key has
    to be a category of an earlier version, a value one of the version that says so.
    """
    found = list(_found(campaign, known))
    lines = lines_of(campaign, [path for path, _, _ in found])
    return [
        Problem(campaign.file, lines.get(path, 0), dotted(path), message, mend)
        for path, message, mend in found
    ]


def _found(campaign: Campaign, known: Mapping[str, Collection[str]]) -> Iterator[tuple[KeyPath, str, str]]:
    declared = {each.version: each.merged for each in campaign.guidelines}
    earlier: dict[str, None] = {}
    for age, version in enumerate(campaign.versions):
        merged = declared[version]
        path: KeyPath = ("guidelines", campaign.place(version), "merged")
        if merged and not age:
            message = "renames categories of earlier versions, but this version is the first."
            yield path, message, "Move it to the version that calls them otherwise."
        elif merged:
            yield from _merged(path, merged, list(earlier), list(known[version]))
        earlier |= dict.fromkeys(known[version])


def _merged(
    path: KeyPath, merged: Mapping[str, str], earlier: list[str], here: list[str]
) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield each category that is renamed but was not there, or is no category here."""
    for old, new in merged.items():
        if old not in earlier:
            message = f"renames {quoted(old)}, which is no category of an earlier version."
            yield (*path, old), message, _meant(old, earlier)
        if new not in here:
            message = f"calls {quoted(old)} {quoted(new)}, which is no category of this version."
            yield (*path, old), message, _meant(new, here)


def _meant(name: str, known: list[str]) -> str:
    """Return which category was probably meant, else what categories there are."""
    listed = alternatives(known[:MOST_SHOWN], "and") + (" and more" if len(known) > MOST_SHOWN else "")
    return did_you_mean(name, known) or (f"There are {listed}." if known else "")
