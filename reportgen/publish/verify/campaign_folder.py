"""A campaign's part of a site, and what joins its versions: comparisons of two, and the history of all."""

import datetime as dt
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from lxml import etree

from reportgen.base.site_folder import CHECKSUMS, DATED, HISTORY, comparison_folder
from reportgen.findings import find_changes
from reportgen.publish.verify import differences, version_folder
from reportgen.publish.verify.differences import CheckOutcome, Discrepancy, Unchecked, Unusable, together
from reportgen.publish.verify.file_tree import Tree, languages_of
from reportgen.publish.verify.recomputing import check_findings
from reportgen.publish.verify.version_folder import VersionFolder
from reportgen.report.site import campaign_pages, comparison_pages
from reportgen.results import Figure, Results
from reportgen.results.comparison import Changed, SpanRevision, UnitSetRevision, VersionComparison
from reportgen.results.history import History
from reportgen.versions.all_versions import history

# Two guidelines versions compared: what a comparison repeats, judges and renders.

COMPARISON, CHANGED = "comparison.json", "changed.json"
# Twelve digits are written, and a difference is taken before: what differs by less is the same.
SAME = 1e-10
TESTS = "tests, intervals and differences between versions"
PAIRED = "they rest on what is in both versions, which takes the exports"
Pair = tuple[str, str]


@dataclass(frozen=True)
class ComparisonFolder:
    """A comparison's folder: where it is, with its "/", and what it says."""

    files: Tree
    folder: str
    comparison: VersionComparison
    changed: Changed | None
    faults: tuple[Discrepancy, ...]

    @property
    def pair(self) -> Pair:
        """Return the names of the two versions."""
        return self.comparison.first.guidelines, self.comparison.second.guidelines


def read_comparison(files: Tree, folder: str) -> ComparisonFolder:
    """Return what is in a comparison's folder; raises Unusable where it can't be understood."""
    comparison, changed, faults = differences.read_with(
        VersionComparison, files, folder + COMPARISON, Changed, folder + CHANGED
    )
    return ComparisonFolder(files, folder, comparison, changed, tuple(faults))


def check_comparison(compared: ComparisonFolder, versions: Mapping[str, Results]) -> CheckOutcome:
    """Check a comparison; `versions` are the results of those that are known beside it."""
    files, folder, comparison = compared.files, compared.folder, compared.comparison
    findings = check_findings(comparison, folder + COMPARISON, find_changes)
    languages = languages_of(files.below(folder))
    data = [COMPARISON, CHANGED, *version_folder.painted(files, folder)]
    pages = version_folder.compare_rendered(
        files,
        folder,
        lambda: comparison_pages(comparison, compared.changed, languages),
        data,
        comparison.tool,
    )
    return together((CheckOutcome(compared.faults), findings, _repeated(compared, versions), pages))


def _repeated(compared: ComparisonFolder, versions: Mapping[str, Results]) -> CheckOutcome:
    """Compare figures that a comparison repeats with the versions' own, and differences with figures."""
    wrong = [
        Discrepancy(compared.folder + COMPARISON, what, "figures", where, one, other)
        for what, where, one, other in (*_figures(compared, versions), *_differences(compared))
    ]
    unchecked = [Unchecked(TESTS, PAIRED, differences.numbers_in(differences.content(compared.comparison)))]
    if compared.changed is not None:
        sets = compared.changed.unit_sets
        units = sum(len(each.mended) + len(each.broken) + len(each.disputed) for each in sets)
        unchecked.append(Unchecked(f"units in {CHANGED}", PAIRED, units))
    return CheckOutcome(wrong, unchecked)


def _figures(
    compared: ComparisonFolder, versions: Mapping[str, Results]
) -> Iterator[tuple[str, str, str, str]]:
    for revised in compared.comparison.unit_sets:
        if revised.basis != "all":
            continue
        for side, version in zip(("first", "second"), compared.pair, strict=True):
            own = versions[version].unit_sets if version in versions else ()
            for each in own:
                if (each.layer, each.id) == (revised.layer, revised.unit_set):
                    yield from _held(revised, side, version, each.measures)


def _held(
    revised: UnitSetRevision, side: str, version: str, known: Mapping[str, Figure]
) -> Iterator[tuple[str, str, str, str]]:
    for name, change in revised.measures.items():
        recorded, due = (
            differences.content(getattr(change, side)),
            differences.content(known[name]) if name in known else {},
        )
        for key in (each for each in due if each in recorded and recorded[each] != due[each]):
            where = f"{_of(revised)}: {name}, {side}{'' if key == 'value' else f', {key}'}"
            one, other = _shown(recorded[key]), _shown(due[key])
            yield f"{where}: {one} recorded, {other} in the results of {version}.", where, one, other


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return repr(value)


def _of(revised: UnitSetRevision | SpanRevision) -> str:
    if isinstance(revised, SpanRevision):
        return f"marks of layer {revised.layer}"
    layer = f" of layer {revised.layer}" if revised.layer != "main" else ""
    return f"unit set {revised.unit_set}{layer}"


def _differences(compared: ComparisonFolder) -> Iterator[tuple[str, str, str, str]]:
    both: list[UnitSetRevision | SpanRevision] = [*compared.comparison.unit_sets, *compared.comparison.spans]
    for revised in both:
        for name, change in revised.measures.items():
            first, second, recorded = change.first.value, change.second.value, change.difference
            if first is None or second is None or recorded is None or abs(second - first - recorded) <= SAME:
                continue
            where = f"{_of(revised)}: {name}, difference"
            one, other = repr(recorded), f"{second - first:.12g}"
            yield f"{where}: {one} recorded, {other} by its two figures.", where, one, other


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
    links = ((each, each.find(f"{ATOM}link[@href]")) for each in root.iter(f"{ATOM}entry"))
    entries = (each for each, link in links if link is not None and link.get("href") in undated)
    return next(filter(None, map(_seconds, entries)), None)


def _seconds(entry: etree._Element) -> str | None:
    try:
        return str(int(dt.datetime.fromisoformat(entry.findtext(f"{ATOM}updated", "")).timestamp()))
    except (ValueError, OverflowError):
        return None


# A campaign's part of a site: which folders it has, and what of them can be understood.

COMPARE = re.compile(r"(compare/(?=[^/]+\.\.\.[^/])[^/]+/)")
# What tells that a folder is a version's, even where its results are gone.
OF_VERSION = ("results.json", "report.html", "report.md")
Read = TypeVar("Read")


@dataclass(frozen=True)
class CampaignFolder:
    """A campaign's part of a site: where it is, with its "/", and what of it can be understood."""

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
        yield version_folder.check_listed(files, folder + each)
    yield version_folder.check_listed(own_files(files, folder), folder)


def own_files(files: Tree, folder: str) -> Tree:
    """Return the files that are in a campaign's folder and in none of its versions or comparisons."""
    return files.without(tuple(folder + each for both in _folders(files, folder) for each in both))


def read_campaign(files: Tree, folder: str) -> CampaignFolder:
    """Return a campaign's part of a site, with what in it can't be understood."""
    faults: list[Discrepancy] = []
    own, compared = _folders(files, folder)
    versions = _understood(version_folder.read_version, files, folder, own, faults)
    comparisons = _understood(read_comparison, files, folder, compared, faults)
    histories = _understood(_read_history, files, folder, [HISTORY], faults)
    joined, wrong = histories.get(HISTORY, (None, []))
    return CampaignFolder(files, folder, versions, comparisons, joined, [*faults, *wrong])


def _understood(
    read: Callable[[Tree, str], Read],
    files: Tree,
    folder: str,
    names: Sequence[str],
    faults: list[Discrepancy],
) -> dict[str, Read]:
    """Return what can be understood of some parts of a campaign's folder, and add why the others can't."""
    found = {}
    for each in names:
        try:
            found[each] = read(files, folder + each)
        except Unusable as error:
            faults += error.differences
    return found


def _read_history(files: Tree, file: str) -> tuple[History, list[Discrepancy]]:
    joined, _, faults = differences.read_with(History, files, file)
    return joined, faults


# What joins the versions of a campaign: its history, and the pages that are made of it.

ANNOTATORS = "counts/annotators.csv"


def check_history(found: CampaignFolder) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    joined = found.history
    if joined is None:
        return
    yield CheckOutcome([*_absent(found, joined), *_misplaced(found)])
    if due := _joined(found, joined):
        yield differences.compare(
            differences.content(joined), differences.content(due), found.folder + HISTORY, whole=True
        )
    own = own_files(found.files, found.folder)
    languages = languages_of(own.below(found.folder))
    data = [HISTORY, CHECKSUMS, *version_folder.painted(own, found.folder)]
    with at_moment(moment_of(own.below(found.folder), joined)):
        yield version_folder.compare_rendered(
            own, found.folder, lambda: campaign_pages(joined, languages), data, joined.tool
        )


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
            yield misplaced(found, place, f"the report of guidelines {own.guidelines}")
        elif found.history and own.campaign.id != found.history.campaign.id:
            yield misplaced(found, place, f"a report of the campaign {own.campaign.id}")
    for place, compared in found.comparisons.items():
        if place != f"{comparison_folder(*compared.pair)}/":
            yield misplaced(found, place, f"the comparison of {' and '.join(compared.pair)}")


def misplaced(found: CampaignFolder, place: str, what: str) -> Discrepancy:
    """Return the difference of a folder that holds another thing than its name says."""
    return Discrepancy(
        found.folder + place, f"holds {what[: differences.SHOWN]}, and not what it is named after.", "files"
    )


def _joined(found: CampaignFolder, joined: History) -> History | None:
    """Return the history as it follows from the results beside it; None where some of them are missing."""
    order = [each.version for each in joined.versions]
    if any(f"{each}/" not in found.versions for each in order):
        return None
    versions = [found.versions[f"{each}/"] for each in order]
    counts = [each.here.get(ANNOTATORS, b"").decode(errors="replace") for each in versions]
    known = {each.pair: each.comparison for each in found.comparisons.values()}
    ordered = {
        (first, second): known[first, second]
        for place, first in enumerate(order)
        for second in order[place + 1 :]
        if (first, second) in known
    }
    return history([each.results for each in versions], counts, ordered)


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
