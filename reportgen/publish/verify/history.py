"""What joins the versions of a campaign: its history, and the pages that are made of it."""

import datetime as dt
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lxml import etree

from reportgen.base.atomic_replace import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.base.site_paths import DATED, comparison_folder
from reportgen.pipeline.build_cache import Made, Memory, Remembered, remembered, written
from reportgen.publish.verify.comparison import ComparisonFolder, read_comparison
from reportgen.publish.verify.figures import compare
from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy, Unchecked
from reportgen.publish.verify.recomputing import content, everything
from reportgen.publish.verify.rendered import another_program, hold, languages_of
from reportgen.publish.verify.tree import SHOWN, Tree, Unusable, Without, form, read
from reportgen.publish.verify.version import VersionFolder, check_listed, painted, read_version
from reportgen.report.history import campaign_pages
from reportgen.results.history import History
from reportgen.versions.history import history

# The moment that a campaign's feed was made with, where it dates versions that have no date of their own.

FEED = "feed.xml"
ATOM = "{http://www.w3.org/2005/Atom}"


def moment_of(files: Tree, joined: History | None) -> str | None:
    """Return the seconds since 1970 that a feed gives to versions without a date; None where it has none."""
    undated = {f"{each.version}/index.html" for each in joined.versions if not each.date} if joined else set()
    if not undated or FEED not in files:
        return None
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        root = etree.fromstring(files[FEED], parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    entries = (each for each in root.iter(f"{ATOM}entry") if each.find(f"{ATOM}link[@href]") is not None)
    return next((found for each in entries if _link(each) in undated and (found := _seconds(each))), None)


def _link(entry: etree._Element) -> str:
    found = entry.find(f"{ATOM}link[@href]")
    return "" if found is None else str(found.get("href"))


def _seconds(entry: etree._Element) -> str | None:
    try:
        return str(int(dt.datetime.fromisoformat(entry.findtext(f"{ATOM}updated", "")).timestamp()))
    except (ValueError, OverflowError):
        return None


# A campaign's part of a site: which folders it has, and what of them can be understood.

COMPARE = re.compile(r"(compare/(?=[^/]+\.\.\.[^/])[^/]+/)")
# What tells that a folder is a version's, even where its results are gone.
OF_VERSION = ("results.json", "report.html", "report.md")


@dataclass(frozen=True)
class CampaignFolder:
    """A campaign's part of a site: where it stands, with its "/", and what of it can be understood."""

    files: Tree
    folder: str
    versions: Mapping[str, VersionFolder]
    comparisons: Mapping[str, ComparisonFolder]
    history: History | None
    faults: Sequence[Discrepancy]


def _folders(files: Tree, folder: str) -> tuple[list[str], list[str]]:
    """Return the folders of versions and of comparisons in a campaign's, each with its "/"."""
    here = files.below(folder)
    versions = {name.partition("/")[0] for name in here if name.partition("/")[2] in OF_VERSION}
    comparisons = {found[1] for name in here if (found := COMPARE.match(name))}
    return [f"{each}/" for each in sorted(versions)], sorted(comparisons)


def check_sums(files: Tree, folder: str) -> Iterator[CheckOutcome]:
    """Yield what comes of the checksums of each version and comparison, and of the campaign's own files."""
    versions, comparisons = _folders(files, folder)
    for each in (*versions, *comparisons):
        yield check_listed(files, folder + each, images=True)
    yield check_listed(own_files(files, folder), folder, images=True)


def own_files(files: Tree, folder: str) -> Tree:
    """Return the files that stand in a campaign's folder and in none of its versions or comparisons."""
    inside = tuple(folder + each for both in _folders(files, folder) for each in both)
    return Without(files, inside)


def read_campaign(files: Tree, folder: str) -> CampaignFolder:
    """Return a campaign's part of a site, with what in it can't be understood."""
    versions: dict[str, VersionFolder] = {}
    comparisons: dict[str, ComparisonFolder] = {}
    faults: list[Discrepancy] = []
    own, compared = _folders(files, folder)
    for each in own:
        try:
            versions[each] = read_version(files, folder + each)
        except Unusable as error:
            faults += error.differences
    for each in compared:
        try:
            comparisons[each] = read_comparison(files, folder + each)
        except Unusable as error:
            faults += error.differences
    joined = None
    try:
        joined = read(History, files.below(folder), HISTORY, folder + HISTORY)
        older = bool(another_program(joined.tool))
        faults += form(joined, files.below(folder), HISTORY, folder + HISTORY, older=older)
    except Unusable as error:
        faults += error.differences
    return CampaignFolder(files, folder, versions, comparisons, joined, faults)


# What joins the versions of a campaign: its history, and the pages that are made of it.

ANNOTATORS = "counts/annotators.csv"


def check_history(found: CampaignFolder) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    joined = found.history
    if joined is None:
        return
    yield CheckOutcome([*_absent(found, joined), *_misplaced(found)])
    if due := _joined(found, joined):
        yield compare(content(joined), content(due), found.folder + HISTORY, "figures", everything)
    own = own_files(found.files, found.folder)
    languages = languages_of(own.below(found.folder))
    data = [HISTORY, CHECKSUMS, *painted(own, found.folder)]
    with at_moment(moment_of(own.below(found.folder), joined)):
        yield hold(own, found.folder, lambda: campaign_pages(joined, languages), data, joined.tool)


def _absent(found: CampaignFolder, joined: History) -> Iterator[Discrepancy]:
    """Yield versions and comparisons that the history names, and that are not there."""
    for each in joined.versions:
        if f"{each.version}/" not in found.versions:
            yield Discrepancy(f"{found.folder}{each.version}/", f"is missing: {HISTORY} names it.", "files")
    known = {each.pair for each in found.comparisons.values()}
    for link in joined.comparisons:
        if (link.first, link.second) not in known:
            place = f"{found.folder}{comparison_folder(link.first, link.second)}/"
            yield Discrepancy(place, f"is missing: {HISTORY} names it.", "files")
    for place in found.versions:
        if place.rstrip("/") not in {each.version for each in joined.versions}:
            yield Discrepancy(found.folder + place, f"was added: {HISTORY} does not name it.", "files")


def _misplaced(found: CampaignFolder) -> Iterator[Discrepancy]:
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


def stands(found: CampaignFolder, place: str, what: str) -> Discrepancy:
    """Return the difference of a folder that holds another thing than its name says."""
    return Discrepancy(
        found.folder + place, f"holds {what[:SHOWN]}, and not what it is named after.", "files"
    )


def _joined(found: CampaignFolder, joined: History) -> History | None:
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


# What a site remembers of how it was made: is it whole, and is the site still as it says?

GONE = "it is not there, and many copies leave out files whose names begin with a dot"


def missing_memory(files: Tree, *, alone: bool) -> CheckOutcome:
    """Say that a site's memory is not there: as unchecked where that `alone` is to be said."""
    if MEMORY in files:
        return CheckOutcome()
    if alone:
        return CheckOutcome(unchecked=[Unchecked(MEMORY, GONE)])
    return CheckOutcome([_difference(MEMORY, "is missing: it says of which folders the site is made.")])


def check_memory(files: Tree) -> CheckOutcome:
    """Check what a site remembers, where it does."""
    if MEMORY not in files:
        return CheckOutcome()
    memory = remembered(files[MEMORY])
    if memory is None:
        return CheckOutcome(
            [_difference(MEMORY, "was changed, or is of another version: it can't be understood.")]
        )
    if written(memory) != files[MEMORY]:
        return CheckOutcome([_difference(MEMORY, "was changed: it does not have its own checksum.")])
    return CheckOutcome(list(_compared(files, memory)), files=1)


def _difference(file: str, what: str) -> Discrepancy:
    return Discrepancy(file, what, "memory")


def _compared(files: Tree, memory: Memory) -> Iterator[Discrepancy]:
    if memory.index and INDEX in files and files.digest(INDEX) != memory.index.sums:
        yield _difference(INDEX, f"was changed: {MEMORY} has another checksum of it.")
    for campaign, known in memory.campaigns.items():
        yield from _campaign(files, campaign, known)


def _campaign(files: Tree, campaign: str, known: Remembered) -> Iterator[Discrepancy]:
    for name, made in known.folders.items():
        folder = f"{campaign}/{name}/" if name else f"{campaign}/"
        yield from _folder(files, folder, made)


def _folder(files: Tree, folder: str, made: Made) -> Iterator[Discrepancy]:
    if not any(name.startswith(folder) for name in files):
        yield _difference(folder, f"is missing: {MEMORY} names it.")
        return
    sums = folder + CHECKSUMS
    if sums in files and files.digest(sums) != made.sums:
        yield _difference(sums, f"was changed: {MEMORY} has another checksum of it.")
    for name, digest in made.data.items():
        file = folder + name
        if file in files and files.digest(file) != digest:
            yield _difference(file, f"was changed: {MEMORY} has another checksum of it.")
