"""What joins the versions of a campaign: its history, and the pages that are made of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from reportgen.exchange import CHECKSUMS, HISTORY
from reportgen.layout import comparison_folder
from reportgen.memory import DATED
from reportgen.record.history import history
from reportgen.report import campaign_pages
from reportgen.results.history import History
from reportgen.verifying.campaign import Campaign, own_files
from reportgen.verifying.consistent import content, everything
from reportgen.verifying.feed import moment_of
from reportgen.verifying.figures import compare
from reportgen.verifying.languages import languages_of
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.reading import SHOWN
from reportgen.verifying.rendered import hold
from reportgen.verifying.tree import Tree
from reportgen.verifying.version import painted

ANNOTATORS = "counts/annotators.csv"


def check_history(found: Campaign) -> Iterator[Outcome]:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    joined = found.history
    if joined is None:
        return
    yield Outcome([*_absent(found, joined), *_misplaced(found)])
    if due := _joined(found, joined):
        yield compare(content(joined), content(due), found.folder + HISTORY, "figures", everything)
    own = own_files(found.files, found.folder)
    languages = languages_of(own.below(found.folder))
    data = [HISTORY, CHECKSUMS, *painted(own, found.folder)]
    with at_moment(moment_of(own.below(found.folder), joined)):
        yield hold(own, found.folder, lambda: campaign_pages(joined, languages), data, joined.tool)


def _absent(found: Campaign, joined: History) -> Iterator[Difference]:
    """Yield versions and comparisons that the history names, and that are not there."""
    for each in joined.versions:
        if f"{each.version}/" not in found.versions:
            yield Difference(f"{found.folder}{each.version}/", f"is missing: {HISTORY} names it.", "files")
    known = {each.pair for each in found.comparisons.values()}
    for link in joined.comparisons:
        if (link.first, link.second) not in known:
            place = f"{found.folder}{comparison_folder(link.first, link.second)}/"
            yield Difference(place, f"is missing: {HISTORY} names it.", "files")
    for place in found.versions:
        if place.rstrip("/") not in {each.version for each in joined.versions}:
            yield Difference(found.folder + place, f"was added: {HISTORY} does not name it.", "files")


def _misplaced(found: Campaign) -> Iterator[Difference]:
    """Yield folders that hold another version, comparison or campaign than they are named after."""
    for place, version in found.versions.items():
        own = version.results
        if place != f"{own.guidelines}/":
            yield stands(found, place, f"the report of guidelines {own.guidelines}")
        elif found.history and own.campaign.id != found.history.campaign.id:
            yield stands(found, place, f"a report of the campaign {own.campaign.id}")
    for place, compared in found.comparisons.items():
        if place != f"{comparison_folder(*compared.pair)}/":
            yield stands(found, place, f"the comparison of {' and '.join(compared.pair)}")


def stands(found: Campaign, place: str, what: str) -> Difference:
    """Return the difference of a folder that holds another thing than its name says."""
    return Difference(found.folder + place, f"holds {what[:SHOWN]}, and not what it is named after.", "files")


def _joined(found: Campaign, joined: History) -> History | None:
    """Return the history as it follows from the results beside it; None where some of them are missing."""
    order = [each.version for each in joined.versions]
    if any(f"{each}/" not in found.versions for each in order):
        return None
    versions = [found.versions[f"{each}/"] for each in order]
    counts = [_annotators(each.here) for each in versions]
    known = {each.pair: each.comparison for each in found.comparisons.values()}
    ordered = {
        (first, second): known[first, second]
        for place, first in enumerate(order)
        for second in order[place + 1 :]
        if (first, second) in known
    }
    return history([each.results for each in versions], counts, ordered)


def _annotators(here: Tree) -> str:
    return here[ANNOTATORS].decode(errors="replace") if ANNOTATORS in here else ""


@contextmanager
def at_moment(moment: str | None) -> Iterator[None]:
    """Have feeds take their dates from the moment that they were made with, whatever it is now."""
    before = os.environ.pop(DATED, None)
    if moment is not None:
        os.environ[DATED] = moment
    try:
        yield
    finally:
        os.environ.pop(DATED, None)
        if before is not None:
            os.environ[DATED] = before
