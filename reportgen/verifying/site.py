"""A site, a campaign's part of it, or a single version or comparison."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from reportgen.exchange import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.layout import comparison_folder
from reportgen.memory import DATED
from reportgen.progress import Steps
from reportgen.record.history import history
from reportgen.release.declared import declared
from reportgen.release.names import REPORT
from reportgen.report import campaign_pages, index_html
from reportgen.results.history import History
from reportgen.verifying.comparison import Compared, check_comparison, read_comparison
from reportgen.verifying.consistent import check_results, content, everything
from reportgen.verifying.feed import moment_of
from reportgen.verifying.figures import compare
from reportgen.verifying.kinds import Kind, campaigns
from reportgen.verifying.languages import languages_of
from reportgen.verifying.memory import check_memory, missing_memory
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.reading import SHOWN, Unusable, form, read
from reportgen.verifying.recomputing import Recomputed, from_counts
from reportgen.verifying.rendered import hold
from reportgen.verifying.tree import Tree, Without
from reportgen.verifying.version import (
    COUNTS,
    RESULTS,
    Version,
    check_figures,
    check_listed,
    check_pages,
    painted,
    read_version,
)

COMPARE = re.compile(r"(compare/[^/]+\.\.\.[^/]+/)")
UNKNOWN = "a history that it is made from can't be understood"
ANNOTATORS = "counts/annotators.csv"
# What tells that a folder is a version's, even where its results are gone.
OF_VERSION = ("results.json", "report.html", "report.md")


@dataclass(frozen=True)
class Campaign:
    """A campaign's part of a site: where it stands, with its "/", and what of it can be understood."""

    files: Tree
    folder: str
    versions: Mapping[str, Version]
    comparisons: Mapping[str, Compared]
    history: History | None
    faults: Sequence[Difference]

    @property
    def inside(self) -> tuple[str, ...]:
        """Return the folders of versions and comparisons."""
        return (*self.versions, *self.comparisons)


def check_alone(files: Tree, kind: Kind, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a single folder."""
    progress("checksums")
    yield check_listed(files, "", images=True)
    try:
        if kind == "version":
            yield from _check_version(read_version(files, ""), progress)
        else:
            yield check_comparison(read_comparison(files, ""), {}, images=True)
    except Unusable as error:
        yield Outcome(error.differences)


def check_site(files: Tree, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a site."""
    same = True
    for each in _check_site(files, progress):
        same = same and not each.differences
        yield each
    yield missing_memory(files, alone=same)


def _check_site(files: Tree, progress: Steps) -> Iterator[Outcome]:
    yield check_memory(files)
    ids = list(campaigns(files))
    known = {f"{each}/" for each in ids}
    yield Outcome(
        [
            Difference(name, "was added: it belongs to no campaign.", "checksums")
            for name in files
            if name not in {INDEX, MEMORY} and f"{name.partition('/')[0]}/" not in known
        ],
        files=1,
    )
    moments = []
    for each in ids:
        found = _read(files, f"{each}/")
        moments.append(moment_of(files.below(f"{each}/"), found.history))
        if found.history and found.history.campaign.id != each:
            yield Outcome([_stands(found, "", f"the campaign {found.history.campaign.id}")])
        yield from _check_campaign(found, each, progress)
    yield _check_index(files, ids, next(filter(None, moments), None))


def check_campaign(files: Tree, folder: str, name: str, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a campaign's part of a site, with all that stands in it."""
    yield from _check_campaign(_read(files, folder), name, progress)


def _check_campaign(found: Campaign, name: str, progress: Steps) -> Iterator[Outcome]:
    files, folder = found.files, found.folder
    yield Outcome(found.faults)
    progress(f"{name}: checksums")
    yield from _sums(files, folder)
    for place, version in found.versions.items():
        yield from _check_version(version, _of(progress, f"{name} {place}"))
    results = {each.results.guidelines: each.results for each in found.versions.values()}
    for compared in found.comparisons.values():
        yield check_comparison(compared, results, images=True)
    yield from _check_history(found)


def _of(progress: Steps, what: str) -> Steps:
    """Return who is told of the steps of a part, by its name."""
    return lambda step: progress(f"{what.rstrip('/')}: {step}")


def _check_version(version: Version, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a version's folder that stands in no bundle."""
    yield Outcome(version.faults)
    progress("computing figures from counts")
    yield check_figures(version, _from_counts(version))
    # These are held against the figures as they are recorded, right or wrong.
    yield check_results(version.results, f"{version.folder}results.json")
    progress("rendering pages")
    yield check_pages(version, images=True)


def _from_counts(version: Version) -> Recomputed:
    """Return what the counts of a version give; a site has no campaign.toml, so that it is written first."""
    here = version.here
    counts = {name.removeprefix(COUNTS): here[name] for name in here if name.startswith(COUNTS)}
    found = from_counts(version.results, Tree(declared(version.results, counts)), in_bundle=False)
    return replace(found, differences=tuple(_in_site(each, version.folder) for each in found.differences))


def _in_site(difference: Difference, folder: str) -> Difference:
    """Return a difference with the file that it is of in a site, where there is no campaign.toml."""
    counts = difference.file.removeprefix(REPORT)
    return replace(difference, file=folder + (counts if counts.startswith(COUNTS) else RESULTS))


# What joins versions


def _folders(files: Tree, folder: str) -> tuple[list[str], list[str]]:
    """Return the folders of versions and of comparisons in a campaign's, each with its "/"."""
    here = files.below(folder)
    versions = {name.partition("/")[0] for name in here if name.partition("/")[2] in OF_VERSION}
    comparisons = {found[1] for name in here if (found := COMPARE.match(name))}
    return [f"{each}/" for each in sorted(versions)], sorted(comparisons)


def _sums(files: Tree, folder: str) -> Iterator[Outcome]:
    versions, comparisons = _folders(files, folder)
    for each in (*versions, *comparisons):
        yield check_listed(files, folder + each, images=True)
    yield check_listed(_own(files, folder), folder, images=True)


def _own(files: Tree, folder: str) -> Tree:
    """Return the files that stand in a campaign's folder and in none of its versions or comparisons."""
    inside = tuple(folder + each for both in _folders(files, folder) for each in both)
    return Without(files, inside)


def _read(files: Tree, folder: str) -> Campaign:
    versions: dict[str, Version] = {}
    comparisons: dict[str, Compared] = {}
    faults: list[Difference] = []
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
        faults += form(joined, files.below(folder), HISTORY, folder + HISTORY)
    except Unusable as error:
        faults += error.differences
    return Campaign(files, folder, versions, comparisons, joined, faults)


def _check_history(found: Campaign) -> Iterator[Outcome]:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    joined = found.history
    if joined is None:
        return
    yield Outcome([*_absent(found, joined), *_misplaced(found)])
    if due := _joined(found, joined):
        yield compare(content(joined), content(due), found.folder + HISTORY, "figures", everything)
    own = _own(found.files, found.folder)
    languages = languages_of(own.below(found.folder))
    data = [HISTORY, CHECKSUMS, *painted(own, found.folder)]
    with _at(moment_of(own.below(found.folder), joined)):
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
            yield _stands(found, place, f"the report of guidelines {own.guidelines}")
        elif found.history and own.campaign.id != found.history.campaign.id:
            yield _stands(found, place, f"a report of the campaign {own.campaign.id}")
    for place, compared in found.comparisons.items():
        if place != f"{comparison_folder(*compared.pair)}/":
            yield _stands(found, place, f"the comparison of {' and '.join(compared.pair)}")


def _stands(found: Campaign, place: str, what: str) -> Difference:
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


def _check_index(files: Tree, ids: Sequence[str], moment: str | None) -> Outcome:
    """Hold the list of campaigns against their histories."""
    if INDEX not in files:
        return Outcome([Difference(INDEX, "is missing: it lists the campaigns.", "checksums")])
    try:
        histories = [read(History, files.below(f"{each}/"), HISTORY, f"{each}/{HISTORY}") for each in ids]
    except Unusable as error:
        return Outcome(error.differences, [Unchecked(INDEX, UNKNOWN)])
    languages = {
        each.campaign.id: languages_of(_own(files, f"{name}/").below(f"{name}/"))
        for name, each in zip(ids, histories, strict=True)
    }
    alone = Tree({INDEX: files[INDEX]})
    with _at(moment):
        return hold(alone, "", lambda: [(INDEX, index_html(histories, languages))], [], histories[0].tool)


@contextmanager
def _at(moment: str | None) -> Iterator[None]:
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
