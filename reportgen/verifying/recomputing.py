"""Results computed anew from what is published with them: from counts, and from exports where these are."""

import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import tomli_w

from reportgen import campaign as asked
from reportgen.campaign import Campaign
from reportgen.errors import BadInput, Problem
from reportgen.formats.archive import escapes
from reportgen.reading import Read, everybody_in, read_version
from reportgen.record import settings
from reportgen.release.exports import OWN, as_chosen, named_files, pseudonyms_csv, read_pseudonyms
from reportgen.release.metadata import WRITERS
from reportgen.release.names import (
    CAMPAIGN,
    CHECKSUMS,
    COUNTS,
    DISTANCES,
    EXPORTS,
    GUIDELINES,
    PSEUDONYMS,
    REPORT,
)
from reportgen.release.published import published, published_files
from reportgen.reports import Report, as_in_bundle, compute
from reportgen.results import Results
from reportgen.study import Pseudonyms
from reportgen.verifying.languages import languages_of
from reportgen.verifying.limits import refuse_too_large
from reportgen.verifying.outcome import Check, Difference
from reportgen.verifying.reading import SHOWN, differing
from reportgen.verifying.tree import Tree

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Where the exports of a bundle's campaign.toml are: what it computes from is in the bundle itself.
DECLARED = COUNTS.rstrip("/")


@dataclass(frozen=True)
class Recomputed:
    """What was computed anew, or why it could not be."""

    report: Report | None = None
    differences: tuple[Difference, ...] = ()


def from_counts(results: Results, files: Tree, *, in_bundle: bool = True) -> Recomputed:
    """Return what the counts of a bundle give, read by its own campaign.toml as anybody would read it.

    Where that stands in no bundle, it was written to be read here, and not to be published.
    """
    needed = {name: files[name] for name in files if not name.startswith(EXPORTS) and _is_needed(name)}

    wrong: list[Difference] = []

    def computed(folder: Path) -> Recomputed:
        campaign = asked.load(folder, folder.name)
        version = campaign.version(results.guidelines)
        if in_bundle:
            wrong.extend(_published_form(campaign, version.id, files))
            wrong.extend(_added(campaign, version.id, files))
        _from_here(campaign)
        # Names are those of the report already.
        report = compute(_withheld(campaign), read_version(campaign, version), Pseudonyms())
        return Recomputed(report)

    found = _tried(results, needed, computed, "figures", "")
    return replace(found, differences=(*wrong, *found.differences))


def from_exports(results: Results, files: Tree) -> Recomputed:
    """Return what the exports of a bundle give, under the pseudonyms that it lists."""
    inside = files.below(EXPORTS)
    own = PSEUDONYMS.removeprefix(EXPORTS)
    needed = {name: inside[name] for name in inside if name != own}

    def computed(folder: Path) -> Recomputed:
        names = read_pseudonyms(inside[own].decode()) if own in inside else Pseudonyms()
        campaign = as_chosen(asked.load(folder, folder.name), results)
        read = read_version(campaign, campaign.version(results.guidelines))
        refuse_too_large(campaign, read, sum(map(len, needed.values())))
        report = compute(_as_recorded(campaign, read, names, results), read, names)
        return Recomputed(report, (*_beside(campaign, read, inside), *_exported_form(inside, names, read)))

    return _tried(results, needed, computed, "exports", EXPORTS)


def _as_recorded(campaign: Campaign, read: Read, names: Pseudonyms, results: Results) -> Campaign:
    """Return the campaign with texts shown or withheld, as its bundle was asked for.

    Where there are no texts to show, the digest of the settings alone tells.
    """
    shown = as_in_bundle(campaign, texts=True)
    found = settings(shown, read.version, names.annotators, everybody_in(read))
    return shown if found == results.settings else as_in_bundle(campaign)


def _is_needed(name: str) -> bool:
    """Tell whether a file of a bundle may be named in its campaign.toml."""
    return name == CAMPAIGN or name.startswith((COUNTS, GUIDELINES, DISTANCES))


def _withheld(campaign: Campaign) -> Campaign:
    privacy = campaign.privacy.model_copy(update={"annotators": "names", "texts": "withhold"})
    return campaign.model_copy(update={"privacy": privacy})


def _from_here(campaign: Campaign) -> None:
    """Raise BadInput where a bundle's campaign takes anything but the bundle's counts as its exports."""
    exports = [name for each in campaign.guidelines for name in each.exports]
    if exports != [DECLARED]:
        message = f'exports is {", ".join(exports)[:SHOWN]}; a bundle has "{DECLARED}" there.'
        raise BadInput([Problem(f"{campaign.name}/{CAMPAIGN}", message=message)])


def _published_form(campaign: Campaign, version: str, files: Tree) -> list[Difference]:
    """Return where campaign.toml is not in the form in which it is published, or is not of these pages."""
    text = published(campaign, version, Pseudonyms())
    wrong = differing(CAMPAIGN, files[CAMPAIGN], text.encode(), "form")
    if tuple(campaign.language) != languages_of(files.below(REPORT)):
        wrong.append(Difference(CAMPAIGN, "language: the pages are in other ones.", "form"))
    return wrong


def _added(campaign: Campaign, version: str, files: Tree) -> Iterator[Difference]:
    """Yield files that no bundle of this campaign has, whatever lists them."""
    known = {*WRITERS, CAMPAIGN, CHECKSUMS, *published_files(campaign, version)}
    for name in files:
        if name not in known and not name.startswith((REPORT, EXPORTS)):
            yield Difference(name, "was added: a bundle of this campaign has no such file.", "files")


def _beside(campaign: Campaign, read: Read, inside: Tree) -> Iterator[Difference]:
    """Yield files among the exports that campaign.toml there does not name."""
    known = {CAMPAIGN, OWN, *named_files(campaign, read.version)}
    for name in inside:
        if name not in known:
            yield Difference(EXPORTS + name, f"was added: {EXPORTS}{CAMPAIGN} does not name it.", "files")


def _exported_form(inside: Tree, names: Pseudonyms, read: Read) -> Iterator[Difference]:
    """Yield where what is written beside exports is in another form, or names people who are not there."""
    declared = tomli_w.dumps(tomllib.loads(inside[CAMPAIGN].decode()))
    yield from differing(EXPORTS + CAMPAIGN, inside[CAMPAIGN], declared.encode(), "form")
    if OWN in inside:
        yield from differing(PSEUDONYMS, inside[OWN], pseudonyms_csv(names).encode(), "form")
    for name in sorted({*names.annotators} - {*everybody_in(read)}):
        yield Difference(PSEUDONYMS, f"names {name[:SHOWN]!r}, who is not in the exports.", "exports")


def _tried(
    results: Results,
    files: Mapping[str, bytes],
    computed: Callable[[Path], Recomputed],
    check: Check,
    above: str,
) -> Recomputed:
    """Compute in a folder of the campaign's name, and say what is wrong where that can't be done."""
    identity = results.campaign.id
    if not IDENTIFIER.fullmatch(identity):
        return Recomputed(
            differences=(Difference(CAMPAIGN, f'"{identity[:SHOWN]}" is no campaign\'s id.', check),)
        )
    try:
        with _folder(identity, files) as folder:
            return computed(folder)
    except BadInput as error:
        return Recomputed(
            differences=tuple(_complaint(each, identity, above, check) for each in error.problems)
        )
    except Exception as error:  # noqa: BLE001 - numbers of a stranger, which may be made to fail anywhere
        why = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
        return Recomputed(
            differences=(Difference(f"{above}{CAMPAIGN}", f"can't be computed from: {why}", check),)
        )


def _complaint(problem: Problem, identity: str, above: str, check: Check) -> Difference:
    """Return a problem of the campaign in a temporary folder as a difference of the bundle."""
    file = above + problem.file.removeprefix(f"{identity}/")
    line = f"line {problem.line}: " if problem.line else ""
    key = f"{problem.key}: " if problem.key else ""
    return Difference(file, f"can't be computed from: {line}{key}{problem.message}", check)


@contextmanager
def _folder(identity: str, files: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield a temporary folder of a name that holds some files, each below it."""
    with tempfile.TemporaryDirectory(prefix="reportgen-verify-") as top:
        folder = Path(top) / identity
        folder.mkdir()
        for name, content in files.items():
            if escapes(name):
                continue  # which the archive's own check says
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield folder
