"""One campaign's part of the site: what is as it was is taken over, the rest is made anew."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from reportgen.campaign import Campaign
from reportgen.comparing import Sides, compare_versions
from reportgen.errors import Problem
from reportgen.layout import compared, comparison_folder
from reportgen.memory import Inputs, Made, Remembered, inputs_of, intact, key_of, moment, take_over
from reportgen.notices import notices
from reportgen.parallel import at_once, processors
from reportgen.program import program
from reportgen.reading import Progress, Read, everybody_in, read_campaign
from reportgen.record import settings
from reportgen.record.history import history
from reportgen.report import campaign_files, estimate, version_files, write_folder
from reportgen.report.revisions import comparison_files
from reportgen.reports import compute, names_by_version
from reportgen.results import Part, Results, dumps
from reportgen.results.history import History, LayerState
from reportgen.results.revisions import VersionComparison

Files = Iterable[tuple[str, str]]
# Marks in all versions from which on several processors are worth their while: below, copying takes as long.
MUCH = 20_000
SomePart = TypeVar("SomePart", bound=Part)


@dataclass(frozen=True)
class Assembled:
    """A campaign that stands in the new site; `written` has the folders that were not taken over."""

    notices: Sequence[Problem]
    remembered: Remembered
    written: Sequence[str]


@dataclass(frozen=True)
class Ready:
    """One version with its pseudonyms, and the key that stands for all that its folder is made from."""

    read: Read
    names: Mapping[str, str]
    key: str

    @property
    def id(self) -> str:
        """Return the version's name."""
        return self.read.version.id


@dataclass(frozen=True)
class Folder:
    """A folder of the campaign: the key of all that it is made from, and how its files are made."""

    name: str
    key: str
    files: Callable[[], Files]


@dataclass(frozen=True)
class Making:
    """A campaign's part of the site in the making; `remembered` is how the old one's folders were made."""

    campaign: Campaign
    old: Path
    new: Path
    remembered: Mapping[str, Made]
    progress: Progress
    workers: int = 1
    made: dict[str, Made] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def make(self, folders: Iterable[Folder]) -> None:
        """Put folders into the new site: the old one's files where they were made from the same key."""
        to_do = [each for each in folders if not self._taken_over(each)]
        sums = at_once(lambda each: write_folder(self.new / each.name, each.files()), to_do, self.workers)
        for each, own in zip(to_do, sums, strict=True):
            self.made[each.name] = Made(key=each.key, sums=own)
            self.written.append(each.name)

    def _taken_over(self, folder: Folder) -> bool:
        known = self.remembered.get(folder.name)
        if known is None or known.key != folder.key:
            return False
        names = intact(self.old / folder.name, known)
        if names is None:
            return False
        self.say(folder.name, "unchanged, taken over")
        take_over(self.old / folder.name, self.new / folder.name, names)
        self.made[folder.name] = known
        return True

    def say(self, folder: str, step: str) -> None:
        """Tell what is done to a folder."""
        self.progress(f"{self.campaign.id} {folder}".rstrip() + f": {step}")


def assemble(
    campaign: Campaign,
    places: tuple[Path, Path],
    remembered: Remembered,
    inputs: Inputs | None,
    progress: Progress = lambda _: None,
) -> Assembled:
    """Put a campaign into the new site; `places` are its folders in the old one and the new.

    Raises BadInput with all that is wrong in any of its files.
    """
    versions = read_campaign(campaign, progress)
    noticed = list(notices(campaign, versions))
    known = inputs or inputs_of(campaign)
    workers = processors() if sum(map(_marks, versions)) > MUCH else 1
    making = Making(campaign, *places, remembered.folders, progress, workers)
    sides = list(_ready(campaign, versions, known))
    making.make([*(_report(making, each) for each in sides), *_comparisons(making, sides)])
    joined = _history(campaign, making.new)
    key = key_of(program(), moment(campaign), campaign.language, dumps(joined))
    making.make([Folder("", key, lambda: campaign_files(joined, campaign.language))])
    estimates = tuple((each.version, _in_words(each.first)) for each in joined.versions)
    made = Remembered(inputs=known.whole, noticed=bool(noticed), estimates=estimates, folders=making.made)
    return Assembled(noticed, made, making.written)


def _marks(read: Read) -> int:
    return sum(each.marks_read for each in read.studies)


def _in_words(layer: LayerState) -> str:
    return f"{layer.name} {estimate(layer.figure)}"


def _ready(campaign: Campaign, versions: Sequence[Read], inputs: Inputs) -> Iterator[Ready]:
    """Yield each version with the key of its settings, its pseudonyms and the bytes of its files."""
    names = names_by_version(campaign, versions)
    for read in versions:
        own = names[read.version.id]
        files = {file.name for file in read.version.exports} | set(read.version.files)
        declared = settings(campaign, read.version, own, everybody_in(read))
        yield Ready(
            read,
            own,
            key_of(program(), campaign.language, declared, own, {name: inputs.files[name] for name in files}),
        )


def _report(making: Making, side: Ready) -> Folder:
    """Return the folder of a version's report."""

    def files() -> Files:
        making.say(side.id, "computing agreement")
        report = compute(making.campaign, side.read, side.names)
        making.say(side.id, "writing pages")
        return version_files(report.results, report.beside, report.texts, making.campaign.language)

    return Folder(side.id, side.key, files)


def _comparisons(making: Making, sides: Sequence[Ready]) -> Iterator[Folder]:
    """Yield the folder of each comparison; what is computed of one version alone is kept for the next."""
    order = [each.id for each in sides]
    analysed = Sides()
    for first, second in compared(order):
        yield _comparison(making, sides[order.index(first) : order.index(second) + 1], analysed)


def _comparison(making: Making, sides: Sequence[Ready], analysed: Sides) -> Folder:
    """Return the folder of the comparison of the first version and the last.

    Of those between them it hangs on how categories were merged, and of [gate] on which figures it names.
    """
    campaign, first, second = making.campaign, sides[0], sides[-1]
    name = comparison_folder(first.id, second.id)

    def files() -> Files:
        making.say(name, "comparing")
        names = {**first.names, **second.names}
        found = compare_versions(campaign, first.read, second.read, names, analysed)
        return comparison_files(found.comparison, found.changed, campaign.language)

    merged = [each.read.version.merged for each in sides[1:]]
    return Folder(name, key_of(first.key, second.key, merged, list(campaign.gate), campaign.language), files)


def _history(campaign: Campaign, folder: Path) -> History:
    """Return what joins a campaign's versions, from the files in their folders and nothing else."""
    results = [_read(Results, folder / each / "results.json") for each in campaign.versions]
    counts = [folder / each / "counts" / "annotators.csv" for each in campaign.versions]
    comparisons = {
        pair: _read(VersionComparison, folder / comparison_folder(*pair) / "comparison.json")
        for pair in compared(campaign.versions)
    }
    return history(results, [each.read_text(encoding="utf-8") for each in counts], comparisons)


def _read(part: type[SomePart], path: Path) -> SomePart:
    return part.model_validate_json(path.read_bytes())
