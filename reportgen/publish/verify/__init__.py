"""Is a bundle or a site what reportgen wrote, and are its figures what its counts give?"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, reason, refused
from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, HISTORY, INDEX, MEMORY
from reportgen.pipeline.build_cache import Memory, remembered, written
from reportgen.publish.bundle_files import REPORT
from reportgen.publish.published_campaign import declared
from reportgen.publish.verify import differences, file_tree, recomputing
from reportgen.publish.verify import folders as folder_checks
from reportgen.publish.verify.differences import (
    CheckOutcome,
    Discrepancy,
    Outcomes,
    Unchecked,
    Unusable,
    Verdict,
)
from reportgen.publish.verify.file_tree import Kind, Tree
from reportgen.publish.verify.folders import CampaignFolder, Folder, Joined, Version, compare_rendered
from reportgen.publish.verify.recomputing import COUNTS, RESULTS
from reportgen.report.site import index_html
from reportgen.results.versions import History

# What a site remembers of how it was made: is it whole, and is the site still as it says?

GONE = "it is not there, and many copies leave out files whose names begin with a dot"


def check_memory(files: Tree, older: str = "") -> Outcomes:
    """Check what a site remembers, where it does; `older` says which other version made the site."""
    if MEMORY not in files:
        return
    memory = remembered(files[MEMORY])
    if memory is None and older:
        yield Unchecked(MEMORY, older)
    elif memory is None:
        what = "was changed, or is of another version: it can't be understood."
        yield Discrepancy(MEMORY, what, "memory")
    elif written(memory) != files[MEMORY]:
        yield Discrepancy(MEMORY, "was changed: it does not have its own checksum.", "memory")
    else:
        yield "files", 1
        yield from _remembered(files, memory)


def _remembered(files: Tree, memory: Memory) -> Iterator[Discrepancy]:
    """Yield what is not there, or not as a site remembers it."""
    due: dict[str, str | None] = {INDEX: memory.index.sums} if memory.index else {}
    for campaign, campaign_memory in memory.campaigns.items():
        for name, record in campaign_memory.folders.items():
            folder = f"{campaign}/{name}/" if name else f"{campaign}/"
            sums = {folder + own: digest for own, digest in {CHECKSUMS: record.sums, **record.data}.items()}
            due |= sums if any(path.startswith(folder) for path in files) else {folder: None}
    for name, digest in due.items():
        if digest is None:
            yield Discrepancy(name, f"is missing: {MEMORY} names it.", "memory")
        elif name in files and files.digest(name) != digest:
            yield Discrepancy(name, f"was changed: {MEMORY} has another checksum of it.", "memory")


# A site, a campaign's part of it, or a single version or comparison.

UNKNOWN = "a history that it is made from can't be understood"


def check_alone(files: Tree, kind: Kind, progress: Steps) -> Outcomes:
    """Yield what comes of the checks of a single folder."""
    progress("checksums")
    yield from folder_checks.check_listed(files, "")
    try:
        if kind == "version":
            yield from _check_version(folder_checks.read_version(files, ""), progress)
        else:
            yield from folder_checks.check_comparison(folder_checks.read_comparison(files, ""), {})
    except Unusable as error:
        yield from error.differences


def check_site(files: Tree, progress: Steps) -> Outcomes:
    """Yield what comes of the checks of a site."""
    same = True
    for outcome in _check_site(files, progress):
        same = same and not isinstance(outcome, Discrepancy)
        yield outcome
    if MEMORY not in files:
        what = "is missing: it says of which folders the site is made."
        yield Unchecked(MEMORY, GONE) if same else Discrepancy(MEMORY, what, "memory")


def _check_site(files: Tree, progress: Steps) -> Outcomes:
    ids = file_tree.campaigns(files)
    folders = {identity: folder_checks.read_campaign(files, f"{identity}/") for identity in ids}
    tools = [folder.history.results.tool for folder in folders.values() if folder.history]
    yield from check_memory(files, next(filter(None, map(differences.another_program, tools)), ""))
    yield "files", 1
    for name in files:
        if name not in {INDEX, MEMORY} and name.partition("/")[0] not in ids:
            yield Discrepancy(name, "was added: it belongs to no campaign.", "checksums")
    moments = []
    for identity, folder in folders.items():
        if folder.history:
            moments.append(folder_checks.moment_of(folder.history))
            if (named := folder.history.results.campaign.id) != identity:
                yield folder_checks.misplaced(folder, "", f"the campaign {named}")
        yield from _check_campaign(folder, identity, progress)
    yield from _check_index(files, ids, next(filter(None, moments), None))


def _check_campaign(folder: CampaignFolder, name: str, progress: Steps) -> Outcomes:
    yield from folder.faults
    progress(f"{name}: checksums")
    yield from folder_checks.check_sums(folder.files, folder.folder)
    for name_of_version, version in folder.versions.items():
        yield from _check_version(version, _part(progress, f"{name} {name_of_version.rstrip('/')}"))
    results = {version.results.guidelines: version.results for version in folder.versions.values()}
    for compared in folder.comparisons.values():
        yield from folder_checks.check_comparison(compared, results)
    yield from folder_checks.check_history(folder)


def _part(progress: Steps, what: str) -> Steps:
    """Return what hears of the steps of a part, by its name."""
    return lambda step: progress(f"{what}: {step}")


def _check_version(version: Version, progress: Steps) -> Outcomes:
    """Yield what comes of the checks of a version's folder that is in no bundle."""
    yield from version.faults
    if refused := recomputing.too_large(version.results, version.here, version.path):
        yield from refused
        return
    progress("computing figures from counts")
    yield from folder_checks.check_figures(version, _from_counts(version))
    # These are compared with the figures as they are recorded, right or wrong.
    yield from recomputing.check_results(version.results, f"{version.path}results.json")
    progress("rendering pages")
    yield from folder_checks.check_pages(version, images=True)


def _from_counts(version: Version) -> recomputing.Recomputed:
    """Return what the counts of a version give; a site has no campaign.toml, so that it is written first.

    In a site, each difference names its file.
    """
    here = version.here
    counts = {name.removeprefix(COUNTS): here[name] for name in here if name.startswith(COUNTS)}
    campaign = Tree(declared(version.results, counts))
    report, wrong = recomputing.from_counts(version.results, campaign, in_bundle=False)
    return report, [
        replace(outcome, file=version.path + _in_site(outcome.file))
        if isinstance(outcome, Discrepancy)
        else outcome
        for outcome in wrong
    ]


def _in_site(file: str) -> str:
    """Return which file of a version's folder in a site has what a file of a bundle has."""
    name = file.removeprefix(REPORT)
    return name if name.startswith(COUNTS) else RESULTS


def _check_index(files: Tree, ids: Sequence[str], moment: str | None) -> Outcomes:
    """Compare the list of campaigns with their histories."""
    if INDEX not in files:
        yield Discrepancy(INDEX, "is missing: it lists the campaigns.", "checksums")
        return
    try:
        histories = {name: differences.read_part(History, files, f"{name}/{HISTORY}") for name in ids}
    except Unusable as error:
        yield from error.differences
        yield Unchecked(INDEX, UNKNOWN)
        return
    if not histories:
        yield Unchecked(INDEX, "no campaign is there that it could be made from")
        return
    listed_histories = list(histories.values())
    languages = {
        history.campaign.id: file_tree.languages_of(
            folder_checks.own_files(files, f"{name}/").below(f"{name}/")
        )
        for name, history in histories.items()
    }
    index: Joined = Folder(Tree({INDEX: files[INDEX]}), "", listed_histories[0], None, [])
    with folder_checks.at_moment(moment):
        yield from compare_rendered(index, lambda: [(INDEX, index_html(listed_histories, languages))], [])


# What is to be verified is found out, then checked.

MAGIC, END = b"PK\x03\x04", b"PK\x05\x06"
MOST_BYTES = 2 * 1024**3
REMEDY = "Name a bundle (.zip or folder), a site, or a campaign's or version's folder of a site."


@dataclass(frozen=True)
class Verified:
    """What was verified, of which kind it is, and what came of it."""

    path: str
    kind: Kind
    outcome: CheckOutcome

    @property
    def verdict(self) -> Verdict:
        """Return what came of it: the same, different, or not all of it could be checked."""
        return self.outcome.verdict


def verify(path: Path, progress: Steps = lambda _: None) -> Verified:
    """Verify a bundle, a site or a part of one; raises BadInput where it is neither."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise _refused(path, f"can't be read: {reason(error)}.", "Check the name.") from None
    if stat.S_ISREG(mode):
        return _archive(path, progress)
    if not stat.S_ISDIR(mode):
        raise _refused(path, "is neither a file nor a folder.", REMEDY)
    progress("looking for files")
    files, faults = file_tree.walk(path)
    kind = file_tree.kind_of(files)
    if kind is None:
        what = "is neither a bundle nor a site, nor a part of one." if files else "contains no file."
        raise _refused(path, what, _remedy(files))
    files, changed = file_tree.with_line_feeds(files)
    by_git = [Unchecked(file_tree.LINE_ENDS, file_tree.BY_GIT, changed)] if changed else []
    outcomes = _checks(kind, files, path, progress)
    return Verified(str(path), kind, differences.merge_outcomes([*faults, *by_git, *outcomes]))


def _refused(path: Path, message: str, remedy: str) -> BadInput:
    return refused(str(path), message=message, remedy=remedy)


def _remedy(files: Tree) -> str:
    if "campaign.toml" in files:
        return "It is a campaign: build its site, or bundle it, and verify that."
    return REMEDY


def _checks(kind: Kind, files: Tree, path: Path, progress: Steps) -> Outcomes:
    if kind == "bundle":
        return folder_checks.check_bundle(files, progress)
    if kind == "site":
        return check_site(files, progress)
    if kind == "campaign":
        name = Path(os.path.abspath(path)).name  # noqa: PTH100 - Path.resolve would follow a link
        return _check_campaign(folder_checks.read_campaign(files, ""), name, progress)
    return check_alone(files, kind, progress)


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
        raise _refused(path, "is neither a bundle nor a site: it is not a zip file.", REMEDY)
    files, faults = file_tree.read_archive(content, path.name)
    is_bundle = file_tree.kind_of(files) == "bundle"
    if not (is_bundle or faults):
        raise _refused(path, "is a zip file, but contains no bundle.", _remedy(files))
    outcomes = folder_checks.check_bundle(files, progress) if is_bundle else ()
    return Verified(str(path), "bundle", differences.merge_outcomes([*faults, *outcomes]))


# What was verified, in lines for people and as JSON for programs.

PLAIN = ""
SAME: Verdict
DIFFERENT: Verdict
UNCHECKED: Verdict
SAME, DIFFERENT, UNCHECKED = get_args(Verdict)
Line = tuple[str, str]
Item = TypeVar("Item")
KINDS: Mapping[Kind, str] = {
    "bundle": "a bundle",
    "site": "a site",
    "campaign": "a campaign's part of a site",
    "version": "the report of one version",
    "comparison": "the comparison of two versions",
}
# Of these checks what is there and what was expected are shown below.
SHOWN_BESIDE = frozenset(("pages", "form", "exports"))
# So many differences of one file are listed; --json has all.
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
    for why, reasons in _by(outcome.unchecked, "why"):
        named = ", ".join(f"{gap.what} ({gap.number:,})" for gap in reasons)
        yield UNCHECKED, f"unchecked: {named}: {why}."
    for digits in outcome.rounded:
        numbers = _count(digits.number, "number")
        yield PLAIN, f"compared to {differences.SURE_DIGITS} digits: {numbers}: {digits.why}."
    if verified.verdict == SAME:
        yield SAME, "same: nothing differs."
        return
    if verified.verdict == UNCHECKED:
        yield UNCHECKED, "not all could be checked: nothing of what was checked differs."
        return
    files = {discrepancy.file for discrepancy in outcome.differences}
    found = f"{_count(len(outcome.differences), 'difference')} in {_count(len(files), 'file')}"
    yield DIFFERENT, f"different: {found}."
    for file, of_file in _by(outcome.differences, "file"):
        for discrepancy in of_file[:MOST_OF_A_FILE]:
            yield DIFFERENT, f"{file}: {discrepancy.what}"
            if discrepancy.check in SHOWN_BESIDE and (discrepancy.recorded or discrepancy.found):
                yield PLAIN, f"  there:    {discrepancy.recorded}"
                yield PLAIN, f"  expected: {discrepancy.found}"
        if len(of_file) > MOST_OF_A_FILE:
            yield DIFFERENT, f"{file}: and {len(of_file) - MOST_OF_A_FILE:,} more, which --json lists."


def _count(number: int, singular: str, more: str = "") -> str:
    return f"{number:,} {singular if number == 1 else more or f'{singular}s'}"


def _by(items: Sequence[Item], name: str) -> Iterator[tuple[str, list[Item]]]:
    """Yield items by one of their attributes, in the order of the first of each."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(getattr(item, name), []).append(item)
    yield from groups.items()


def account(verified: Verified) -> dict[str, Any]:
    """Return everything that was found, for JSON."""
    outcome = verified.outcome
    return {
        "path": verified.path,
        "kind": verified.kind,
        "verdict": verified.verdict,
        "same": verified.verdict == SAME,
        "checked": {"files": outcome.files, "numbers": outcome.numbers, "pages": outcome.pages},
        "rounded": [vars(digits) for digits in outcome.rounded],
        "unchecked": [vars(gap) for gap in outcome.unchecked],
        "differences": [
            {key: value for key, value in vars(discrepancy).items() if value}
            for discrepancy in outcome.differences
        ],
    }
