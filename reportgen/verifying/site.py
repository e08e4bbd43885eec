"""A site, a campaign's part of it, or a single version or comparison."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.exchange import HISTORY, INDEX, MEMORY
from reportgen.progress import Steps
from reportgen.release.declared import declared
from reportgen.release.names import REPORT
from reportgen.report import index_html
from reportgen.results.history import History
from reportgen.verifying.campaign import Campaign, check_sums, own_files, read_campaign
from reportgen.verifying.comparison import check_comparison, read_comparison
from reportgen.verifying.consistent import check_results
from reportgen.verifying.feed import moment_of
from reportgen.verifying.joined import at_moment, check_history, stands
from reportgen.verifying.kinds import Kind, campaigns
from reportgen.verifying.languages import languages_of
from reportgen.verifying.limits import too_large
from reportgen.verifying.memory import check_memory, missing_memory
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.reading import Unusable, read
from reportgen.verifying.recomputing import Recomputed, from_counts
from reportgen.verifying.rendered import hold
from reportgen.verifying.tree import Tree
from reportgen.verifying.version import (
    COUNTS,
    RESULTS,
    Version,
    check_figures,
    check_listed,
    check_pages,
    read_version,
)

UNKNOWN = "a history that it is made from can't be understood"


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
        found = read_campaign(files, f"{each}/")
        moments.append(moment_of(files.below(f"{each}/"), found.history))
        if found.history and found.history.campaign.id != each:
            yield Outcome([stands(found, "", f"the campaign {found.history.campaign.id}")])
        yield from _check_campaign(found, each, progress)
    yield _check_index(files, ids, next(filter(None, moments), None))


def check_campaign(files: Tree, folder: str, name: str, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a campaign's part of a site, with all that stands in it."""
    yield from _check_campaign(read_campaign(files, folder), name, progress)


def _check_campaign(found: Campaign, name: str, progress: Steps) -> Iterator[Outcome]:
    files, folder = found.files, found.folder
    yield Outcome(found.faults)
    progress(f"{name}: checksums")
    yield from check_sums(files, folder)
    for place, version in found.versions.items():
        yield from _check_version(version, _of(progress, f"{name} {place}"))
    results = {each.results.guidelines: each.results for each in found.versions.values()}
    for compared in found.comparisons.values():
        yield check_comparison(compared, results, images=True)
    yield from check_history(found)


def _of(progress: Steps, what: str) -> Steps:
    """Return who is told of the steps of a part, by its name."""
    return lambda step: progress(f"{what.rstrip('/')}: {step}")


def _check_version(version: Version, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of a version's folder that stands in no bundle."""
    yield Outcome(version.faults)
    if refused := too_large(version.results, version.here, version.folder):
        yield refused
        return
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


def _check_index(files: Tree, ids: Sequence[str], moment: str | None) -> Outcome:
    """Hold the list of campaigns against their histories."""
    if INDEX not in files:
        return Outcome([Difference(INDEX, "is missing: it lists the campaigns.", "checksums")])
    try:
        histories = [read(History, files.below(f"{each}/"), HISTORY, f"{each}/{HISTORY}") for each in ids]
    except Unusable as error:
        return Outcome(error.differences, [Unchecked(INDEX, UNKNOWN)])
    languages = {
        each.campaign.id: languages_of(own_files(files, f"{name}/").below(f"{name}/"))
        for name, each in zip(ids, histories, strict=True)
    }
    alone = Tree({INDEX: files[INDEX]})
    with at_moment(moment):
        return hold(alone, "", lambda: [(INDEX, index_html(histories, languages))], [], histories[0].tool)
