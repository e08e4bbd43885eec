"""A campaign's part of a site, and what joins its versions: comparisons of two, and the history of all."""

import datetime as dt
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, TypeVar

from lxml import etree

from reportgen.base.dataclass import dataclass
from reportgen.base.site_folder import CHECKSUMS, DATED, HISTORY, INDEX, comparison_folder
from reportgen.findings import find_changes
from reportgen.publish.verify import differences, version_folder
from reportgen.publish.verify.differences import Discrepancy, Outcomes, Unchecked, Unusable, compare, content
from reportgen.publish.verify.file_tree import Tree, languages_of
from reportgen.publish.verify.recomputing import check_findings
from reportgen.publish.verify.version_folder import Folder, Version, compare_rendered, read_folder
from reportgen.report.site import campaign_pages, comparison_pages
from reportgen.results import Part, Results
from reportgen.results.comparison import (
    CHANGED,
    COMPARISON,
    Changed,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)
from reportgen.results.history import History
from reportgen.versions.all_versions import history

# Two guidelines versions compared: what a comparison repeats, judges and renders.

# Twelve digits are written, and a difference is taken before: what differs by less is the same.
SAME = 1e-10
TESTS = "tests, intervals and differences between versions"
PAIRED = "they rest on what is in both versions, which takes the exports"
Compared = Folder[VersionComparison, Changed]
# What joins the versions of a campaign, with the files that are in none of them; nothing is beside it.
Joined = Folder[History, Part]


def read_comparison(files: Tree, path: str) -> Compared:
    """Return what is in a comparison's folder; raises Unusable where it can't be understood."""
    return read_folder(files, path, (COMPARISON, VersionComparison), (CHANGED, Changed))


def _pair(compared: Compared) -> tuple[str, str]:
    """Return the names of the two versions."""
    return compared.results.first.guidelines, compared.results.second.guidelines


def check_comparison(compared: Compared, versions: Mapping[str, Results]) -> Outcomes:
    """Check a comparison; `versions` are the results of those that are known beside it."""
    files, folder, comparison, changed = compared.files, compared.path, compared.results, compared.beside
    yield from compared.faults
    yield from check_findings(comparison, folder + COMPARISON, find_changes)
    for where, recorded, other, source in (*_figures(compared, versions), *_differences(comparison)):
        what = f"{where}: {recorded} recorded, {other} {source}."
        yield Discrepancy(folder + COMPARISON, what, "figures", where, recorded, other)
    yield Unchecked(TESTS, PAIRED, differences.numbers_in(content(comparison)))
    if changed is not None:
        units = sum(
            len(units_changed.mended) + len(units_changed.broken) + len(units_changed.disputed)
            for units_changed in changed.unit_sets
        )
        yield Unchecked(f"units in {CHANGED}", PAIRED, units)
    languages = languages_of(compared.here)
    data = [COMPARISON, CHANGED, *version_folder.painted(files, folder)]
    yield from compare_rendered(compared, lambda: comparison_pages(comparison, changed, languages), data)


# Which figure, what is recorded, what is expected, and what gives that.
Wrong = tuple[str, str, str, str]


def _figures(compared: Compared, versions: Mapping[str, Results]) -> Iterator[Wrong]:
    """Yield figures that a comparison repeats otherwise than the versions have them."""
    for revised in (revision for revision in compared.results.unit_sets if revision.basis == "all"):
        for side, version in zip(("first", "second"), _pair(compared), strict=True):
            for unit_set in versions[version].unit_sets if version in versions else ():
                if (unit_set.layer, unit_set.id) == (revised.layer, revised.unit_set):
                    for name in (name for name in revised.measures if name in unit_set.measures):
                        recorded = content(getattr(revised.measures[name], side))
                        due = content(unit_set.measures[name])
                        for key in (key for key in due if key in recorded and recorded[key] != due[key]):
                            where = f"{_of(revised)}: {name}, {side}{'' if key == 'value' else f', {key}'}"
                            recorded_figure, other = _shown(recorded[key]), _shown(due[key])
                            yield where, recorded_figure, other, f"in the results of {version}"


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return repr(value)


def _of(revised: UnitSetRevision | SpanRevision) -> str:
    if isinstance(revised, SpanRevision):
        return f"marks of layer {revised.layer}"
    layer = f" of layer {revised.layer}" if revised.layer != "main" else ""
    return f"unit set {revised.unit_set}{layer}"


def _differences(comparison: VersionComparison) -> Iterator[Wrong]:
    """Yield differences that are not those of their two figures."""
    both: list[UnitSetRevision | SpanRevision] = [*comparison.unit_sets, *comparison.spans]
    for revised in both:
        for name, change in revised.measures.items():
            first, second, recorded = change.first.value, change.second.value, change.difference
            if first is None or second is None or recorded is None or abs(second - first - recorded) <= SAME:
                continue
            due = f"{second - first:.12g}"
            yield f"{_of(revised)}: {name}, difference", repr(recorded), due, "by its two figures"


# The moment that a campaign's feed was made with, where it dates versions that have no date of their own.

FEED = "feed.xml"
ATOM = "{http://www.w3.org/2005/Atom}"


def moment_of(joined: Joined) -> str | None:
    """Return the seconds since 1970 that a feed gives to versions without a date; None where it has none."""
    undated = {f"{version.version}/index.html" for version in joined.results.versions if not version.date}
    files = joined.here
    if not undated or FEED not in files:
        return None
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        root = etree.fromstring(files[FEED], parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    links = ((entry, entry.find(f"{ATOM}link[@href]")) for entry in root.iter(f"{ATOM}entry"))
    entries = (entry for entry, link in links if link is not None and link.get("href") in undated)
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
    versions: Mapping[str, Version]
    comparisons: Mapping[str, Compared]
    history: Joined | None
    faults: Sequence[Discrepancy | Unchecked]


def _folders(files: Tree, folder: str) -> tuple[list[str], list[str]]:
    """Return the folders of versions and of comparisons in a campaign's, each with its "/"."""
    here = files.below(folder)
    versions = {name.partition("/")[0] for name in here if name.partition("/")[2] in OF_VERSION}
    # A page that leads on from an earlier name is the campaign's own.
    comparisons = {match[1] for name in here if (match := COMPARE.match(name)) and _is_compared(name)}
    return [f"{version}/" for version in sorted(versions)], sorted(comparisons)


def _is_compared(name: str) -> bool:
    return not name.endswith(f"/{INDEX}")


def check_sums(files: Tree, folder: str) -> Outcomes:
    """Yield what comes of the checksums of each version and comparison, and of the campaign's own files."""
    versions, comparisons = _folders(files, folder)
    for subfolder in (*versions, *comparisons):
        yield from version_folder.check_listed(files, folder + subfolder)
    yield from version_folder.check_listed(own_files(files, folder), folder)


def own_files(files: Tree, folder: str) -> Tree:
    """Return the files that are in a campaign's folder and in none of its versions or comparisons."""
    return files.without(tuple(folder + subfolder for both in _folders(files, folder) for subfolder in both))


def read_campaign(files: Tree, folder: str) -> CampaignFolder:
    """Return a campaign's part of a site, with what in it can't be understood."""
    faults: list[Discrepancy | Unchecked] = []

    def understood(reading: Callable[[Tree, str], Read], names: Sequence[str]) -> dict[str, Read]:
        parts = {}
        for name in names:
            try:
                parts[name] = reading(files, folder + name)
            except Unusable as error:
                faults.extend(error.differences)
        return parts

    own, compared = _folders(files, folder)
    versions = understood(version_folder.read_version, own)
    comparisons = understood(read_comparison, compared)
    histories = understood(lambda files, file: differences.read_part(History, files, file), [HISTORY])
    joined = histories.get(HISTORY)
    history: Joined | None = None
    if joined:
        wrong = version_folder.ill_written(files, {folder + HISTORY: joined}, joined.tool)
        history = Folder(own_files(files, folder), folder, joined, None, wrong)
        faults += wrong
    return CampaignFolder(files, folder, versions, comparisons, history, faults)


# What joins the versions of a campaign: its history, and the pages that are made of it.

ANNOTATORS = "counts/annotators.csv"


def check_history(folder: CampaignFolder) -> Outcomes:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    if folder.history is None:
        return
    joined, here = folder.history.results, folder.history.here
    yield from _absent(folder, joined)
    yield from _misplaced(folder)
    if due := _joined(folder, joined):
        yield from compare(content(joined), content(due), folder.folder + HISTORY, whole=True)
    languages = languages_of(here)
    data = [HISTORY, CHECKSUMS, *version_folder.painted(here, "")]
    with at_moment(moment_of(folder.history)):
        yield from compare_rendered(folder.history, lambda: campaign_pages(joined, languages), data)


def _absent(folder: CampaignFolder, joined: History) -> Iterator[Discrepancy]:
    """Yield versions and comparisons that the history names and that are not there, and the other way."""
    due = [version.version for version in joined.versions]
    there = {_pair(comparison) for comparison in folder.comparisons.values()}
    missing = [version for version in due if f"{version}/" not in folder.versions]
    missing += [
        comparison_folder(comparison.first, comparison.second)
        for comparison in joined.comparisons
        if (comparison.first, comparison.second) not in there
    ]
    for version in missing:
        yield Discrepancy(f"{folder.folder}{version}/", f"is missing: {HISTORY} names it.", "files")
    for version in folder.versions:
        if version.rstrip("/") not in due:
            yield Discrepancy(folder.folder + version, f"was added: {HISTORY} does not name it.", "files")


def _misplaced(folder: CampaignFolder) -> Iterator[Discrepancy]:
    """Yield folders that hold another version, comparison or campaign than they are named after."""
    for name, version in folder.versions.items():
        own = version.results
        if name != f"{own.guidelines}/":
            yield misplaced(folder, name, f"the report of guidelines {own.guidelines}")
        elif folder.history and own.campaign.id != folder.history.results.campaign.id:
            yield misplaced(folder, name, f"a report of the campaign {own.campaign.id}")
    for name, compared in folder.comparisons.items():
        if name != f"{comparison_folder(*_pair(compared))}/":
            yield misplaced(folder, name, f"the comparison of {' and '.join(_pair(compared))}")


def misplaced(folder: CampaignFolder, name: str, what: str) -> Discrepancy:
    """Return the difference of a folder that holds another thing than its name says."""
    message = f"contains {what[: differences.SHOWN]}, and not what it is named after."
    return Discrepancy(folder.folder + name, message, "files")


def _joined(folder: CampaignFolder, joined: History) -> History | None:
    """Return the history as it follows from the results beside it; None where some of them are missing."""
    order = [version.version for version in joined.versions]
    if any(f"{version}/" not in folder.versions for version in order):
        return None
    versions = [folder.versions[f"{version}/"] for version in order]
    counts = [version.here.get(ANNOTATORS, b"").decode(errors="replace") for version in versions]
    comparisons = {_pair(comparison): comparison.results for comparison in folder.comparisons.values()}
    ordered = {pair: comparisons[pair] for pair in combinations(order, 2) if pair in comparisons}
    # What was released is recorded in the campaign's folder, and in the history alone.
    releases = {version.version: version.release for version in joined.versions if version.release}
    return history([version.results for version in versions], counts, ordered, releases)


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
