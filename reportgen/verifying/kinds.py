"""What is to be verified: a bundle, a site, or a part of a site."""

from collections.abc import Collection, Iterator
from typing import Literal

from reportgen.exchange import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.release.names import CAMPAIGN, CRATE, REPORT

Kind = Literal["bundle", "site", "campaign", "version", "comparison"]
# What stands in a folder of its kind and in no other; one of them may be missing, which is then said.
VERSION = frozenset(("results.json", "report.html", "report.md"))
COMPARISON = frozenset(("comparison.json", "comparison.md"))
JOINED = frozenset((HISTORY, "history.md", "badge.json"))


def kind_of(names: Collection[str]) -> Kind | None:
    """Return what files are, given their paths; None where they are nothing that reportgen wrote.

    What was written is told from its own files, several of each, so that none of them has to be there.
    """
    top = frozenset(name for name in names if "/" not in name)
    if len(top & JOINED) > 1 or HISTORY in top:
        return "campaign"
    if _is_bundle(names, top):
        return "bundle"
    if "results.json" in top or (CHECKSUMS in top and top & VERSION):
        return "version"
    if "comparison.json" in top or (CHECKSUMS in top and top & COMPARISON):
        return "comparison"
    known = list(campaigns(names))
    if MEMORY in top or (INDEX in top and known) or any(f"{each}/badge.json" in names for each in known):
        return "site"
    return None


def _is_bundle(names: Collection[str], top: Collection[str]) -> bool:
    """Tell whether files are a bundle: a report in its folder, and at the top what lists or describes it."""
    inside = frozenset(
        name.removeprefix(REPORT)
        for name in names
        if name.startswith(REPORT) and "/" not in name[len(REPORT) :]
    )
    own = sum(each in top for each in (CHECKSUMS, CAMPAIGN, CRATE))
    return bool(own) and bool(inside & (VERSION | {CHECKSUMS})) and (own > 1 or CHECKSUMS in inside)


def campaigns(names: Collection[str]) -> Iterator[str]:
    """Yield the folders of a site that are campaigns'."""
    joined: dict[str, set[str]] = {}
    for name in names:
        folder, slash, rest = name.partition("/")
        if slash and "/" not in rest:
            joined.setdefault(folder, set()).add(rest)
    return (
        folder for folder in sorted(joined) if HISTORY in joined[folder] or len(joined[folder] & JOINED) > 1
    )
