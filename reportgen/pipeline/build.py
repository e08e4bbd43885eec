"""The pipeline: campaign directories go in, a site of versioned reports comes out.

What did not change since the site was built last is taken over from it, and where nothing did, nothing is
read: what computes and renders is imported in the functions that need it.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from mmap import mmap
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.base import LANGUAGES
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, refused, tried
from reportgen.base.progress import Steps, at_once, processors, reporting_progress
from reportgen.base.site_folder import (
    CHECKSUMS,
    HISTORY,
    INDEX,
    PSEUDONYMS,
    alone,
    folders,
    moved,
    published,
    refusals,
    replacing,
)
from reportgen.pipeline.build_cache import (
    Built,
    Made,
    Memory,
    Remembered,
    at_moment,
    folder_key,
    intact,
    is_as_made,
    keep,
    key_of,
    program,
    recall,
    take_over,
    with_table,
)

if TYPE_CHECKING:
    from reportgen.campaign import Campaign


@dataclass(frozen=True)
class Site:
    """What was built, and what the user should know about the campaigns although it stops nothing."""

    campaigns: Sequence[Built]

    @property
    def notices(self) -> list[Problem]:
        """Return the messages of all campaigns."""
        return [notice for built in self.campaigns for notice in built.notices]


def build_site(  # noqa: PLR0913 - each is one choice
    campaigns: Sequence[Path],
    out: Path,
    progress: Steps = lambda _: None,
    *,
    fresh: bool = False,
    every: bool = False,
    prune: bool = False,
) -> Site:
    """Build the report of every version of every campaign into `out`.

    Other campaigns in `out` are left as they are, unless these are `every` one there is. What `out` has
    already and nothing changed for is taken over, unless `fresh` says to make all again. Raises BadInput with
    all that is wrong in any campaign, and with what was published and would vanish, unless `prune` lets it;
    then nothing is written.
    """
    different = {os.path.abspath(folder): folder for folder in campaigns}  # noqa: PTH100 - links are not followed
    problems = [*refusals(out), *_overlaps(different.values(), out), *_same_names(different)]
    with reporting_progress(progress), ExitStack() as stack:
        if not problems:
            # Nobody else writes the site between what is read of it and what takes its place.
            stack.enter_context(alone(out))
        remembered = Memory() if problems else recall(out)
        memory = Memory() if fresh else remembered
        sources = [_source(folder, memory) for folder in different.values()]
        changed = [source for source in sources if not source.same]
        loaded, wrong = tried(changed, lambda source: source.campaign)
        others = [] if problems else _others(out, sources)
        if not problems and not prune:
            problems += [*(_vanishing(out / other) for other in others if every), *vanishing_in(out, loaded)]
        if problems or wrong:
            raise BadInput([*problems, *wrong, *_unreadable(loaded, progress)])
        new = stack.enter_context(replacing(out))
        left = [] if every else [_left(out, new, other, remembered.of(other)) for other in others]
        built = _build_all(sources, (out, new), progress)
        _write_index((out, new), sorted([*built, *left], key=lambda campaign: campaign.id), memory)
        # Last of all, and before the site is exchanged: a site never has pseudonyms that nobody was told of.
        return Site([_kept(source, campaign) for source, campaign in zip(sources, built, strict=True)])


def _kept(source: "_Source", built: Built) -> Built:
    """Have the campaign's folder keep its pseudonyms; return what was built, and what to tell of it."""
    if built.table is None:
        return built
    from reportgen.units.pseudonyms import keep_table

    wrong = list(keep_table(source.campaign, built.table))
    kept = "" if wrong else (source.folder / PSEUDONYMS).as_posix()
    return replace(built, notices=[*built.notices, *wrong], kept=kept)


@dataclass(frozen=True)
class _Source:
    """A campaign's folder, the key of what lies in it, its pseudonyms, what the old site remembers of it."""

    folder: Path
    id: str
    key: str
    table: bytes
    remembered: Remembered

    @property
    def same(self) -> bool:
        """Whether it would come out as it is in the old site, and there is nothing to tell of it."""
        key = with_table(self.key, self.table)
        is_remembered = self.remembered.inputs in {key, at_moment(key)}
        return key != "" and is_remembered and not self.remembered.noticed

    @cached_property
    def campaign(self) -> "Campaign":
        """Read its campaign.toml. Raises BadInput with all that is wrong there."""
        from reportgen.campaign import load

        return load(self.folder)


def _source(folder: Path, memory: Memory) -> _Source:
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - links are not followed
    try:
        table = (folder / PSEUDONYMS).read_bytes()
    except OSError:  # whoever needs it says why
        table = b""
    return _Source(folder, identity, folder_key(folder), table, memory.of(identity))


# What was published stays: other campaigns, versions and comparisons, and all of these in each language.

PRUNE = "Build with --prune where it is to go."


def _others(out: Path, sources: Sequence[_Source]) -> list[str]:
    """Return the campaigns of a site that are not built now."""
    built = {source.id for source in sources}
    return sorted(path.parent.name for path in out.glob(f"*/{HISTORY}") if path.parent.name not in built)


def _left(out: Path, new: Path, campaign: str, remembered: Remembered) -> Built:
    """Put a campaign of the old site into the new one as it is."""
    old = out / campaign
    take_over(
        old, new / campaign, (str(path.relative_to(old)) for path in sorted(old.rglob("*")) if path.is_file())
    )
    if remembered.folders:
        return Built(campaign, remembered)
    # A site without a memory: a later build makes again what it has no key of.
    listed = (old / CHECKSUMS).read_bytes() if (old / CHECKSUMS).exists() else b""
    sums = hashlib.sha256(listed).hexdigest()
    from reportgen.words.language import languages_there

    return Built(campaign, Remembered(languages=languages_there(old), folders={"": Made(key="", sums=sums)}))


def vanishing_in(out: Path, campaigns: "Iterable[Campaign]") -> Iterator[Problem]:
    """Yield a problem for each folder of pages that campaigns have in the old site and in the new one not."""
    for campaign in campaigns:
        versions = {version: campaign.earlier_names(version) for version in campaign.versions}
        due = [*folders(campaign.versions), *moved(versions)]
        languages = ["", *campaign.language[1:]]
        there = {f"{folder}/{language}".strip("/") for folder in due for language in languages}
        gone = [folder for folder in published(out / campaign.id, LANGUAGES) if folder not in there]
        # With a version go its pages in other languages, and its comparisons.
        yield from (
            _vanishing(out / campaign.id / folder)
            for folder in gone
            if not any(folder != other and _goes_with(folder, other) for other in gone)
        )


def _goes_with(folder: str, other: str) -> bool:
    compares = folder.startswith("compare/") and other in folder.removeprefix("compare/").split("/")[0].split(
        "..."
    )
    return folder.startswith(f"{other}/") or compares


def _vanishing(folder: Path) -> Problem:
    renamed = f'Write was = "{folder.name}" under the [[guidelines]] that it became, or build with --prune.'
    is_version = folder.parent.name != "compare" and (folder / "results.json").exists()
    return Problem(
        folder.as_posix(),
        message="was published, and would not be there any more.",
        remedy=renamed if is_version else PRUNE,
        named=True,
    )


def _unreadable(campaigns: "Iterable[Campaign]", progress: Steps) -> list[Problem]:
    """Return what is wrong in the files of campaigns, where nothing is built for another reason."""
    from reportgen.pipeline.reading import read_campaign

    return tried(campaigns, lambda campaign: read_campaign(campaign, progress))[1]


def _overlaps(folders: Iterable[Path], out: Path) -> Iterator[Problem]:
    """Yield a problem for each campaign that the site would be in, or would take the place of."""
    for folder in folders:
        here, there = _resolved(folder), _resolved(out)
        remedy = "Choose a folder beside the campaign with --out."
        if there.is_relative_to(here):
            yield Problem(str(out), message=f"lies in the campaign's folder {folder}.", remedy=remedy)
        elif here.is_relative_to(there):
            yield Problem(str(out), message=f"contains the campaign's folder {folder}.", remedy=remedy)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle; whoever opens it says so
        return path.absolute()


def _same_names(folders: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield a problem for each campaign whose pages would be where another's do."""
    folders_by_name: dict[str, Path] = {}
    for path, folder in folders.items():
        other = folders_by_name.setdefault(Path(path).name.casefold(), folder)
        if other is not folder:
            message = f"has the same folder name as {other}, which is the campaign's id."
            yield Problem(str(folder), message=message, remedy="Rename one of them.")


# Of fewer campaigns for each processor, or where one is most of the work, each is built by all processors.
SHARED_OUT = 2


def _build_all(sources: Sequence[_Source], places: tuple[Path, Path], progress: Steps) -> list[Built]:
    """Put campaigns into the new site, many of them by copies of this process, one after the other by each.

    `places` are the old site and the new. Raises BadInput with all that is wrong in any campaign.
    """
    old, new = places
    failed = mmap(-1, 1)  # copies share it

    def build(source: _Source) -> Built | BadInput:
        """Build a campaign; where another failed, only what is wrong with it is asked."""
        if failed[0]:
            return BadInput([] if source.same else _unreadable([source.campaign], progress))
        try:
            return _build(source, (old / source.id, new / source.id), progress)
        except BadInput as error:
            failed[0] = 1
            return error

    in_turn, workers = sources, processors()
    sizes = {source.id: _size(source.folder) for source in sources if not source.same}
    few = workers == 1 or len(sizes) < SHARED_OUT * workers
    if few or max(sizes.values()) * workers > sum(sizes.values()):
        workers = 1
    else:
        # Copies have what is imported before.
        from reportgen.pipeline import reading, targets, version_reports  # noqa: F401

        # The largest come first, so that none is begun when the others are done.
        in_turn = sorted(sources, key=lambda source: -sizes.get(source.id, 0))
    outcomes = at_once(build, in_turn, workers)
    if errors := [outcome for outcome in outcomes if isinstance(outcome, BadInput)]:
        raise BadInput(problem for error in errors for problem in error.problems)
    built = {outcome.id: outcome for outcome in outcomes if isinstance(outcome, Built)}
    return [built[source.id] for source in sources]


def _size(folder: Path) -> int:
    """Return how many bytes are in a folder, none where they can't be seen: whoever reads it says why."""
    try:
        return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    except OSError:
        return 0


def _build(source: _Source, places: tuple[Path, Path], progress: Steps) -> Built:
    """Put a campaign into the new site; `places` are its folders in the old one and the new."""
    if source.same and _taken_over(source.remembered, places):
        progress(f"{source.id}: unchanged, taken over")
        return Built(source.id, source.remembered)
    from reportgen.pipeline.targets import assemble

    return assemble(source.campaign, places, source.remembered, source.key, progress)


def _taken_over(remembered: Remembered, places: tuple[Path, Path]) -> bool:
    """Take a whole campaign over from the old site, unless anything there is not as it was made."""
    old, new = places
    file_names = {name: intact(old / name, folder) for name, folder in remembered.folders.items()}
    if None in file_names.values():
        return False
    for name, names in file_names.items():
        take_over(old / name, new / name, names or ())
    return True


def _write_index(places: tuple[Path, Path], built: Sequence[Built], memory: Memory) -> None:
    """Write the list of campaigns, and what the site remembers."""
    memory_of = {campaign.id: campaign.remembered for campaign in built}
    rows = sorted(
        (name, *campaign.languages, campaign.folders[""].sums) for name, campaign in memory_of.items()
    )
    key = key_of(program(), rows)
    old, new = places
    if memory.index and memory.index.key == key and is_as_made(old / INDEX, memory.index):
        take_over(old, new, [INDEX])
        index = memory.index
    else:
        index = Made(key=key, sums=_list_campaigns(new, built))
    keep(new, Memory(campaigns=memory_of, index=index))


def _list_campaigns(site: Path, built: Sequence[Built]) -> str:
    """Write the list of campaigns from their histories; return the SHA-256 of the page."""
    from reportgen.report.site import index_html, write_file
    from reportgen.results import from_json
    from reportgen.results.versions import History

    def history(campaign: Built) -> History:
        """Return a campaign's history; raise BadInput for one that was left, and is of another program."""
        name = f"{campaign.id}/{HISTORY}"
        try:
            return campaign.history or from_json(History, (site / name).read_bytes())
        except ValueError:
            message = "was made by another version of reportgen, and can't be listed with the others."
            raise refused(name, message=message, remedy="Build that campaign too.") from None

    histories = for_each(built, history)
    languages = {campaign.id: campaign.remembered.languages for campaign in built}
    return write_file(site / "index.html", index_html(histories, languages))
