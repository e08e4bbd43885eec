"""One campaign's part of the site: what is as it was is taken over, the rest is made anew.

Every folder is made in two steps: results are computed, as JSON and tables, and pages are rendered from
these files. Where only pages would come out otherwise, only they are made.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from reportgen.base.atomic_replace import HISTORY
from reportgen.base.errors import Problem
from reportgen.base.fingerprint import computing, program
from reportgen.base.progress import Steps, advance, expect
from reportgen.base.site_paths import compared, comparison_folder, folders
from reportgen.base.worker_pool import at_once, processors
from reportgen.campaign import Campaign
from reportgen.pipeline.build_cache import (
    Built,
    Inputs,
    LayerScore,
    Made,
    Recipe,
    Remembered,
    VersionScore,
    data_intact,
    inputs_of,
    intact,
    key_of,
    moment,
    take_over,
)
from reportgen.pipeline.rendering import ResultFiles, pages_of
from reportgen.report.history import verdict
from reportgen.report.site import write_checksums, write_files
from reportgen.results import Part, Results, dumps
from reportgen.results.comparison import COMPARISON, COUNTS, RESULTS, VersionComparison
from reportgen.results.history import History, VersionState
from reportgen.words.numbers import estimate

Files = Iterable[tuple[str, str]]
# Marks in all versions from which on several processors are worth their while: below, copying takes as long.
MUCH = 20_000


@dataclass(frozen=True)
class Making:
    """A campaign's part of the site in the making; `remembered` is how the old one's folders were made."""

    campaign: Campaign
    old: Path
    new: Path
    remembered: Mapping[str, Made]
    progress: Steps
    files: ResultFiles
    workers: int = 1
    made: dict[str, Made] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def make(self, folders: Iterable[Recipe]) -> None:
        """Put folders into the new site: the old one's files where they were made from the same key."""
        to_do = [each for each in folders if not self._taken_over(each)]
        expect("folders", len(to_do))
        made = at_once(self._make, to_do, self.workers)
        for each, own in zip(to_do, made, strict=True):
            self.made[each.name] = own
            self.written.append(each.name)

    def _taken_over(self, folder: Recipe) -> bool:
        known = self.remembered.get(folder.name)
        if known is None or known.key != self._key(folder):
            return False
        names = intact(self.old / folder.name, known)
        if names is None:
            return False
        self.say(folder.name, "unchanged, taken over")
        take_over(self.old / folder.name, self.new / folder.name, names)
        self.made[folder.name] = known
        return True

    def _key(self, folder: Recipe) -> str:
        """Return the key of all that a folder is made from; the feed alone takes the release's moment."""
        released = moment(self.campaign) if not folder.name else ""
        return key_of(program(), folder.key, self.campaign.language, released)

    def _make(self, folder: Recipe) -> Made:
        """Write a folder: its results, computed or taken over, then its pages, then their checksums."""
        place = self.new / folder.name
        data = self._results(folder, place)
        self.say(folder.name, "writing pages")
        pages = write_files(place, pages_of(place, data, self.campaign.language, self.files))
        sums = write_checksums(place, {**data, **pages})
        advance("folders")
        return Made(key=self._key(folder), sums=sums, computed=folder.key, data=data)

    def _results(self, folder: Recipe, place: Path) -> Mapping[str, str]:
        """Put a folder's results into the new site; return the SHA-256 of each file."""
        known = self.remembered.get(folder.name)
        if known and known.computed == folder.key and data_intact(self.old / folder.name, known):
            take_over(self.old / folder.name, place, known.data)
            return known.data
        return write_files(place, folder.files())

    def keep(self, name: str, part: Part) -> None:
        """Keep the results that a file holds, so that nobody parses them."""
        self.files.keep(self.new / name, part)

    def say(self, folder: str, step: str) -> None:
        """Tell what is done to a folder."""
        self.progress(f"{self.campaign.id} {folder}".rstrip() + f": {step}")


def assemble(
    campaign: Campaign,
    places: tuple[Path, Path],
    remembered: Remembered,
    inputs: Inputs | None,
    progress: Steps = lambda _: None,
) -> Built:
    """Put a campaign into the new site; `places` are its folders in the old one and the new.

    Raises BadInput with all that is wrong in any of its files.
    """
    making = Making(campaign, *places, remembered.folders, progress, ResultFiles())
    if inputs and _is_computed(making, remembered, inputs):
        making.make(_as_computed(making))
        noticed, known = list[Problem](), inputs
    else:
        making, noticed, known = _computed(making, inputs)
    making.make([_joined(making)])
    return _assembled(making, known, noticed)


def _is_computed(making: Making, remembered: Remembered, inputs: Inputs) -> bool:
    """Tell whether all results stand in the old site, and there is nothing to tell of the exports."""
    known, names = remembered.folders, folders(making.campaign.versions)
    same = inputs.complete and inputs.read == remembered.read and not remembered.noticed
    return same and all(data_intact(making.old / name, known.get(name)) for name in names)


def _as_computed(making: Making) -> Iterator[Recipe]:
    """Yield the folders of a campaign whose results are all taken over: nothing is read."""
    for name in folders(making.campaign.versions):
        if name:
            yield Recipe(name, making.remembered[name].computed, lambda: ())


def _computed(making: Making, inputs: Inputs | None) -> tuple[Making, list[Problem], Inputs]:
    """Read a campaign and make the folders of its versions and comparisons; return what is to be told too."""
    from reportgen.pipeline.notices import notices
    from reportgen.pipeline.reading import read_campaign
    from reportgen.pipeline.version_reports import marks_in, recipes

    campaign = making.campaign
    versions = read_campaign(campaign, making.progress)
    noticed = list(notices(campaign, versions))
    known = inputs or inputs_of(campaign)
    workers = processors() if marks_in(versions) > MUCH else 1
    found = replace(making, workers=workers)
    found.make(recipes(campaign, versions, known, making.progress, making.keep))
    return found, noticed, known


def _joined(making: Making) -> Recipe:
    """Return how the campaign's own folder is made: from the results in the others."""

    def files() -> Files:
        return [(HISTORY, history_json(making.campaign, making.new, making.files))]

    others = {name: dict(made.data) for name, made in making.made.items()}
    return Recipe("", key_of(computing(), list(making.campaign.versions), others), files)


def history_json(campaign: Campaign, folder: Path, files: ResultFiles) -> str:
    """Return what joins a campaign's versions, from the results in their folders and nothing else."""
    from reportgen.versions.all_versions import history

    results = [files.read(Results, folder / each / RESULTS) for each in campaign.versions]
    counts = [folder / each / COUNTS for each in campaign.versions]
    comparisons = {
        pair: files.read(VersionComparison, folder / comparison_folder(*pair) / COMPARISON)
        for pair in compared(campaign.versions)
    }
    return dumps(history(results, [each.read_text(encoding="utf-8") for each in counts], comparisons))


def _assembled(making: Making, inputs: Inputs, noticed: Sequence[Problem]) -> Built:
    joined = making.files.read(History, making.new / HISTORY)
    remembered = Remembered(
        inputs=inputs.whole,
        read=inputs.read,
        noticed=bool(noticed),
        scores=tuple(_score(each) for each in joined.versions),
        folders=making.made,
    )
    return Built(making.campaign.id, remembered, noticed, making.written, joined)


def _score(version: VersionState) -> VersionScore:
    layers = [
        LayerScore(
            layer=each.layer,
            coefficient=each.name,
            figure=estimate(each.figure),
            severity=version.severity_of(each.layer),
        )
        for each in version.layers
    ]
    return VersionScore(version=version.version, verdict=verdict(version), layers=tuple(layers))
