"""The pipeline: campaign directories go in, a site of versioned reports comes out.

What did not change since the site was built last is taken over from it, and where nothing did, nothing is
read: what computes and renders is imported in the functions that need it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen import campaign as asked
from reportgen.base.atomic_replace import HISTORY, INDEX, refusals, replacing
from reportgen.base.errors import BadInput, Problem, tried
from reportgen.base.fingerprint import program
from reportgen.base.progress import Steps, telling
from reportgen.base.site_paths import folders
from reportgen.campaign import Campaign
from reportgen.pipeline.build_cache import (
    Built,
    Inputs,
    Made,
    Memory,
    Remembered,
    inputs_of,
    intact,
    is_as_made,
    keep,
    key_of,
    recall,
    take_over,
)


@dataclass(frozen=True)
class Site:
    """What was built, and what the user should know about the campaigns although it stops nothing."""

    campaigns: Sequence[Built]

    @property
    def notices(self) -> list[Problem]:
        """Return what is to be told of all campaigns."""
        return [each for built in self.campaigns for each in built.notices]


def build_site(
    campaigns: Sequence[Path], out: Path, progress: Steps = lambda _: None, *, fresh: bool = False
) -> Site:
    """Build the report of every version of every campaign into `out`, which then holds exactly these.

    What `out` has already and nothing changed for is taken over, unless `fresh` says to make all anew.
    Raises BadInput with all that is wrong in any campaign; then nothing is written.
    """
    different = {os.path.abspath(folder): folder for folder in campaigns}  # noqa: PTH100 - links are not followed
    problems = [*refusals(out), *_overlaps(different.values(), out), *_same_names(different)]
    loaded, wrong = tried(different.values(), asked.load)
    if problems or wrong:
        raise BadInput([*problems, *wrong, *_unreadable(loaded, progress)])
    with replacing(out) as new, telling(progress):
        memory = Memory() if fresh else recall(out)
        built = [
            _build(each, (out / each.id, new / each.id), memory.of(each.id), progress) for each in loaded
        ]
        _write_index((out, new), built, memory, {each.id: each.language for each in loaded})
    return Site(built)


def _unreadable(campaigns: Iterable[Campaign], progress: Steps) -> list[Problem]:
    """Return what is wrong in the files of campaigns, where nothing is built for another reason."""
    from reportgen.pipeline.reading import read_campaign

    return tried(campaigns, lambda each: read_campaign(each, progress))[1]


def _overlaps(folders: Iterable[Path], out: Path) -> Iterator[Problem]:
    """Yield a problem for each campaign that the site would stand in, or would take the place of."""
    for folder in folders:
        here, there = _resolved(folder), _resolved(out)
        mend = "Choose a folder beside the campaign with --out."
        if there.is_relative_to(here):
            yield Problem(str(out), message=f"lies in the campaign's folder {folder}.", mend=mend)
        elif here.is_relative_to(there):
            yield Problem(str(out), message=f"holds the campaign's folder {folder}.", mend=mend)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle; whoever opens it says so
        return path.absolute()


def _same_names(folders: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield a problem for each campaign whose pages would stand where another's do."""
    seen: dict[str, Path] = {}
    for path, folder in folders.items():
        other = seen.setdefault(Path(path).name.casefold(), folder)
        if other is not folder:
            message = f"has the same folder name as {other}, which is the campaign's id."
            yield Problem(str(folder), message=message, mend="Rename one of them.")


def _build(campaign: Campaign, places: tuple[Path, Path], remembered: Remembered, progress: Steps) -> Built:
    """Put a campaign into the new site; `places` are its folders in the old one and the new."""
    inputs = _inputs(campaign)
    same = inputs and inputs.complete and inputs.whole == remembered.inputs and not remembered.noticed
    if same and (found := _taken_over(campaign, places, remembered)):
        progress(f"{campaign.id}: unchanged, taken over")
        return found
    from reportgen.pipeline.targets import assemble

    return assemble(campaign, places, remembered, inputs, progress)


def _inputs(campaign: Campaign) -> Inputs | None:
    """Return the digests of a campaign's files, None where one can't be read: who reads them says why."""
    try:
        return inputs_of(campaign)
    except BadInput:
        return None


def _taken_over(campaign: Campaign, places: tuple[Path, Path], remembered: Remembered) -> Built | None:
    """Take a whole campaign over from the old site; None where anything there is not as it was made."""
    old, new = places
    found = {name: intact(old / name, remembered.folders.get(name)) for name in folders(campaign.versions)}
    if None in found.values():
        return None
    for name, names in found.items():
        take_over(old / name, new / name, names or ())
    return Built(campaign.id, remembered)


def _write_index(
    places: tuple[Path, Path], built: Sequence[Built], memory: Memory, languages: Mapping[str, Sequence[str]]
) -> None:
    """Write the list of campaigns, and what the site remembers; `languages` are those of each campaign."""
    known = {each.id: each.remembered for each in built}
    made = sorted((name, *languages[name], each.folders[""].sums) for name, each in known.items())
    key = key_of(program(), made)
    old, new = places
    if memory.index and memory.index.key == key and is_as_made(old / INDEX, memory.index):
        take_over(old, new, [INDEX])
        index = memory.index
    else:
        index = Made(key=key, sums=_list_campaigns(new, built, languages))
    keep(new, Memory(campaigns=known, index=index))


def _list_campaigns(site: Path, built: Sequence[Built], languages: Mapping[str, Sequence[str]]) -> str:
    """Write the list of campaigns from their histories; return the SHA-256 of the page."""
    from reportgen.report.site import write_index
    from reportgen.results.history import History

    histories = [
        each.history or History.model_validate_json((site / each.id / HISTORY).read_bytes()) for each in built
    ]
    return write_index(site, histories, languages)
