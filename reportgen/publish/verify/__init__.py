"""Is a bundle or a site what reportgen wrote, and are its figures what its counts give?"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reportgen.base.errors import BadInput, reason, refused
from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.pipeline.build_cache import Made, Memory, remembered, written
from reportgen.publish.bundle_files import REPORT
from reportgen.publish.published_campaign import declared
from reportgen.publish.verify import campaign_folder, file_tree, recomputing, version_folder
from reportgen.publish.verify.campaign_folder import CampaignFolder
from reportgen.publish.verify.differences import (
    CheckOutcome,
    Discrepancy,
    Unchecked,
    Unusable,
    following,
    read,
    together,
)
from reportgen.publish.verify.file_tree import Kind, Tree
from reportgen.publish.verify.recomputing import COUNTS, RESULTS
from reportgen.publish.verify.version_folder import VersionFolder
from reportgen.report.site import index_html
from reportgen.results.history import History

__all__ = [
    "CheckOutcome",
    "Discrepancy",
    "Unchecked",
    "Verified",
    "account",
    "as_text",
    "check_alone",
    "check_memory",
    "verify",
]

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
        for name, made in known.folders.items():
            yield from _remembered_folder(files, f"{campaign}/{name}/" if name else f"{campaign}/", made)


def _remembered_folder(files: Tree, folder: str, made: Made) -> Iterator[Discrepancy]:
    if not any(name.startswith(folder) for name in files):
        yield _difference(folder, f"is missing: {MEMORY} names it.")
        return
    for name, digest in {CHECKSUMS: made.sums, **made.data}.items():
        if folder + name in files and files.digest(folder + name) != digest:
            yield _difference(folder + name, f"was changed: {MEMORY} has another checksum of it.")


# A site, a campaign's part of it, or a single version or comparison.

UNKNOWN = "a history that it is made from can't be understood"


def check_alone(files: Tree, kind: Kind, progress: Steps) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of a single folder."""
    progress("checksums")
    yield version_folder.check_listed(files, "")
    try:
        if kind == "version":
            yield from _check_version(version_folder.read_version(files, ""), progress)
        else:
            yield campaign_folder.check_comparison(campaign_folder.read_comparison(files, ""), {})
    except Unusable as error:
        yield CheckOutcome(error.differences)


def check_site(files: Tree, progress: Steps) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of a site."""
    same = True
    for each in _check_site(files, progress):
        same = same and not each.differences
        yield each
    yield missing_memory(files, alone=same)


def _check_site(files: Tree, progress: Steps) -> Iterator[CheckOutcome]:
    yield check_memory(files)
    ids = list(file_tree.campaigns(files))
    known = {f"{each}/" for each in ids}
    yield CheckOutcome(
        [
            Discrepancy(name, "was added: it belongs to no campaign.", "checksums")
            for name in files
            if name not in {INDEX, MEMORY} and f"{name.partition('/')[0]}/" not in known
        ],
        files=1,
    )
    moments = []
    for each in ids:
        found = campaign_folder.read_campaign(files, f"{each}/")
        moments.append(campaign_folder.moment_of(files.below(f"{each}/"), found.history))
        if found.history and found.history.campaign.id != each:
            yield CheckOutcome(
                [campaign_folder.misplaced(found, "", f"the campaign {found.history.campaign.id}")]
            )
        yield from _check_campaign(found, each, progress)
    yield _check_index(files, ids, next(filter(None, moments), None))


def _check_campaign(found: CampaignFolder, name: str, progress: Steps) -> Iterator[CheckOutcome]:
    files, folder = found.files, found.folder
    yield CheckOutcome(found.faults)
    progress(f"{name}: checksums")
    yield from campaign_folder.check_sums(files, folder)
    for place, version in found.versions.items():
        yield from _check_version(version, _part(progress, f"{name} {place}"))
    results = {each.results.guidelines: each.results for each in found.versions.values()}
    for compared in found.comparisons.values():
        yield campaign_folder.check_comparison(compared, results)
    yield from campaign_folder.check_history(found)


def _part(progress: Steps, what: str) -> Steps:
    """Return what hears of the steps of a part, by its name."""
    return lambda step: progress(f"{what.rstrip('/')}: {step}")


def _check_version(version: VersionFolder, progress: Steps) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of a version's folder that is in no bundle."""
    yield CheckOutcome(version.faults)
    if refused := recomputing.too_large(version.results, version.here, version.folder):
        yield refused
        return
    progress("computing figures from counts")
    yield version_folder.check_figures(version, _from_counts(version))
    # These are compared with the figures as they are recorded, right or wrong.
    yield recomputing.check_results(version.results, f"{version.folder}results.json")
    progress("rendering pages")
    yield version_folder.check_pages(version, images=True)


def _from_counts(version: VersionFolder) -> recomputing.Recomputed:
    """Return what the counts of a version give; a site has no campaign.toml, so that it is written first."""
    here = version.here
    counts = {name.removeprefix(COUNTS): here[name] for name in here if name.startswith(COUNTS)}
    found = recomputing.from_counts(version.results, Tree(declared(version.results, counts)), in_bundle=False)
    return replace(found, differences=tuple(_in_site(each, version.folder) for each in found.differences))


def _in_site(difference: Discrepancy, folder: str) -> Discrepancy:
    """Return a difference with the file that it is of in a site, where there is no campaign.toml."""
    counts = difference.file.removeprefix(REPORT)
    return replace(difference, file=folder + (counts if counts.startswith(COUNTS) else RESULTS))


def _check_index(files: Tree, ids: Sequence[str], moment: str | None) -> CheckOutcome:
    """Compare the list of campaigns with their histories."""
    if INDEX not in files:
        return CheckOutcome([Discrepancy(INDEX, "is missing: it lists the campaigns.", "checksums")])
    try:
        histories = [read(History, files, f"{each}/{HISTORY}") for each in ids]
    except Unusable as error:
        return CheckOutcome(error.differences, [Unchecked(INDEX, UNKNOWN)])
    languages = {
        each.campaign.id: file_tree.languages_of(
            campaign_folder.own_files(files, f"{name}/").below(f"{name}/")
        )
        for name, each in zip(ids, histories, strict=True)
    }
    alone = Tree({INDEX: files[INDEX]})
    with campaign_folder.at_moment(moment):
        return version_folder.compare_rendered(
            alone, "", lambda: [(INDEX, index_html(histories, languages))], [], histories[0].tool
        )


# What is to be verified is found out, then checked.

MAGIC, END = b"PK\x03\x04", b"PK\x05\x06"
MOST_BYTES = 2 * 1024**3
MEND = "Name a bundle (.zip or folder), a site, or a campaign's or version's folder of a site."


@dataclass(frozen=True)
class Verified:
    """What was verified, of which kind it is, and what came of it."""

    path: str
    kind: Kind
    outcome: CheckOutcome

    @property
    def same(self) -> bool:
        """Tell whether nothing differs."""
        return not self.outcome.differences


def verify(path: Path, progress: Steps = lambda _: None) -> Verified:
    """Verify a bundle, a site or a part of one; raises BadInput where it is neither."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise _refused(path, f"can't be read: {reason(error)}.", "Check the name.") from None
    if stat.S_ISDIR(mode):
        return _folder(path, progress)
    if stat.S_ISREG(mode):
        return _archive(path, progress)
    raise _refused(path, "is neither a file nor a folder.", MEND)


def _refused(path: Path, message: str, mend: str) -> BadInput:
    return refused(str(path), message=message, mend=mend)


def _folder(path: Path, progress: Steps) -> Verified:
    progress("looking for files")
    files, faults = file_tree.walk(path)
    kind = file_tree.kind_of(files)
    if kind is None:
        what = "is neither a bundle nor a site, nor a part of one." if files else "holds no file."
        raise _refused(path, what, _mend(files))
    outcome = together([CheckOutcome(faults), *_checks(kind, files, path, progress)])
    return Verified(str(path), kind, following(outcome))


def _mend(files: Tree) -> str:
    if "campaign.toml" in files:
        return "It is a campaign: build its site, or bundle it, and verify that."
    return MEND


def _checks(kind: Kind, files: Tree, path: Path, progress: Steps) -> Iterator[CheckOutcome]:
    if kind == "bundle":
        yield from version_folder.check_bundle(files, progress)
    elif kind == "site":
        yield from check_site(files, progress)
    elif kind == "campaign":
        name = Path(os.path.abspath(path)).name  # noqa: PTH100 - Path.resolve would follow a link
        yield from _check_campaign(campaign_folder.read_campaign(files, ""), name, progress)
    else:
        yield from check_alone(files, kind, progress)


def _archive(path: Path, progress: Steps) -> Verified:
    progress("reading the archive")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _refused(path, "is larger than a bundle can be.", "Unpack it, and verify the folder.")
        content = path.read_bytes()
    except OSError as error:
        raise _refused(path, f"can't be read: {reason(error)}.", "Check that you may read it.") from None
    zipped = content.startswith(MAGIC) or END in content or (MAGIC in content and path.suffix == ".zip")
    if not zipped:
        raise _refused(path, "is neither a bundle nor a site: it is no zip file.", MEND)
    files, outcome = file_tree.read_archive(content, path.name)
    if file_tree.kind_of(files) != "bundle":
        if not outcome.differences:
            raise _refused(path, "is a zip file, but holds no bundle.", _mend(files))
        return Verified(str(path), "bundle", outcome)
    outcome = together([outcome, *version_folder.check_bundle(files, progress)])
    return Verified(str(path), "bundle", following(outcome))


# What was verified, in lines for people and as JSON for programs.

SAME, DIFFERENT, PLAIN, UNCHECKED = "same", "different", "", "unchecked"
Line = tuple[str, str]
KINDS: Mapping[Kind, str] = {
    "bundle": "a bundle",
    "site": "a site",
    "campaign": "a campaign's part of a site",
    "version": "the report of one version",
    "comparison": "the comparison of two versions",
}
# What has its checksum was compared with what has not.
FOLLOWS = "compared with what was changed, these differ too, though each has its checksum"
# So many differences of one file are told; --json has all.
MOST_OF_A_FILE = 20


def as_text(verified: Verified) -> Iterator[Line]:
    """Yield lines, each with the state that it tells of, a difference a line after the sum of all."""
    outcome = verified.outcome
    checked = (
        _count(outcome.files, "file"),
        _count(outcome.numbers, "number") + " recomputed",
        _count(outcome.pages, "page", "pages, tables and figures") + " rendered again",
    )
    yield PLAIN, f"{verified.path}: {KINDS[verified.kind]}; checked: {', '.join(checked)}."
    for each in _gathered(outcome.unchecked):
        yield UNCHECKED, f"unchecked: {each}"
    if verified.same:
        yield SAME, f"same: nothing {'of what was checked ' if outcome.unchecked else ''}differs."
        return
    own = [each for each in outcome.differences if not each.follows]
    yield DIFFERENT, f"different: {_in_files(own)}."
    yield from _differences(own)
    if compared := [each for each in outcome.differences if each.follows]:
        yield DIFFERENT, f"{FOLLOWS}: {_in_files(compared)}."
        yield from _differences(compared, briefly=True)


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def _gathered(unchecked: Sequence[Unchecked]) -> Iterator[str]:
    """Yield what is unchecked, all that is so for one reason together."""
    reasons: dict[str, list[Unchecked]] = {}
    for each in unchecked:
        reasons.setdefault(each.why, []).append(each)
    for why, found in reasons.items():
        named = ", ".join(f"{each.what} ({each.number:,})" for each in found)
        yield f"{named}: {why}."


def _in_files(differences: Sequence[Discrepancy]) -> str:
    files = {each.file for each in differences}
    return f"{_count(len(differences), 'difference')} in {_count(len(files), 'file')}"


def _differences(differences: Sequence[Discrepancy], *, briefly: bool = False) -> Iterator[Line]:
    files: dict[str, list[Discrepancy]] = {}
    for each in differences:
        files.setdefault(each.file, []).append(each)
    for file, found in files.items():
        for each in found[:MOST_OF_A_FILE]:
            yield DIFFERENT, f"{file}: {each.what}"
            if not briefly and each.check in {"pages", "form", "exports"} and (each.recorded or each.found):
                yield PLAIN, f"  there:    {each.recorded}"
                yield PLAIN, f"  expected: {each.found}"
        if len(found) > MOST_OF_A_FILE:
            yield DIFFERENT, f"{file}: and {len(found) - MOST_OF_A_FILE:,} more, which --json lists."


def account(verified: Verified) -> dict[str, Any]:
    """Return everything that was found, for JSON."""
    outcome = verified.outcome
    return {
        "path": verified.path,
        "kind": verified.kind,
        "same": verified.same,
        "checked": {"files": outcome.files, "numbers": outcome.numbers, "pages": outcome.pages},
        "unchecked": [vars(each) for each in outcome.unchecked],
        "differences": [
            {key: value for key, value in vars(each).items() if value} for each in outcome.differences
        ],
    }
