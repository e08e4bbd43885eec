"""The pipeline: campaign directories go in, a site of versioned reports comes out.

What did not change since the site was built last is taken over from it, and where nothing did, nothing is
read: what computes and renders is imported in the functions that need it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem, tried
from reportgen.base.progress import Steps, telling
from reportgen.base.site_folder import HISTORY, INDEX, refusals, replacing
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
)

if TYPE_CHECKING:
    from reportgen.campaign import Campaign


@dataclass(frozen=True)
class Site:
    """What was built, and what the user should know about the campaigns although it stops nothing."""

    campaigns: Sequence[Built]

    @property
    def notices(self) -> list[Problem]:
        """Return what is to be told of all campaigns."""
        return [notice for built in self.campaigns for notice in built.notices]


def build_site(
    campaigns: Sequence[Path], out: Path, progress: Steps = lambda _: None, *, fresh: bool = False
) -> Site:
    """Build the report of every version of every campaign into `out`, which then holds exactly these.

    What `out` has already and nothing changed for is taken over, unless `fresh` says to make all again.
    Raises BadInput with all that is wrong in any campaign; then nothing is written.
    """
    different = {os.path.abspath(folder): folder for folder in campaigns}  # noqa: PTH100 - links are not followed
    problems = [*refusals(out), *_overlaps(different.values(), out), *_same_names(different)]
    memory = Memory() if fresh or problems else recall(out)
    sources = [_source(folder, memory) for folder in different.values()]
    loaded, wrong = tried([source for source in sources if not source.same], lambda source: source.campaign)
    if problems or wrong:
        raise BadInput([*problems, *wrong, *_unreadable(loaded, progress)])
    with replacing(out) as new, telling(progress):
        built = [_build(source, (out / source.id, new / source.id), progress) for source in sources]
        _write_index((out, new), built, memory)
    return Site(built)


@dataclass(frozen=True)
class _Source:
    """A campaign's folder, with the key of what lies in it, and what the old site remembers of it."""

    folder: Path
    id: str
    key: str
    remembered: Remembered

    @property
    def same(self) -> bool:
        """Whether it would come out as it is in the old site, and there is nothing to tell of it."""
        is_remembered = self.remembered.inputs in {self.key, at_moment(self.key)}
        return self.key != "" and is_remembered and not self.remembered.noticed

    @cached_property
    def campaign(self) -> "Campaign":
        """Read its campaign.toml. Raises BadInput with all that is wrong there."""
        from reportgen.campaign import load

        return load(self.folder)


def _source(folder: Path, memory: Memory) -> _Source:
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - links are not followed
    return _Source(folder, identity, folder_key(folder), memory.of(identity))


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
    from reportgen.report.site import write_index
    from reportgen.results.history import History

    histories = [
        campaign.history or History.model_validate_json((site / campaign.id / HISTORY).read_bytes())
        for campaign in built
    ]
    return write_index(site, histories, {campaign.id: campaign.remembered.languages for campaign in built})
