"""What each folder's results are made from, and how they are computed from what was read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.base.fingerprint import computing
from reportgen.base.progress import Steps
from reportgen.base.site_paths import compared, comparison_folder
from reportgen.campaign import Campaign
from reportgen.campaign.version_settings import settings
from reportgen.pipeline.build_cache import Inputs, Recipe, key_of
from reportgen.pipeline.computing import Sides, compare_versions
from reportgen.pipeline.reading import Read, everybody_in
from reportgen.pipeline.rendering import COMPARISON, COUNTS, RESULTS, ResultFiles
from reportgen.pipeline.version_reports import compute, names_by_version
from reportgen.results import Part, Results, dumps
from reportgen.results.comparison import VersionComparison, comparison_data, version_data
from reportgen.units import Pseudonyms
from reportgen.versions.history import history

Files = Iterable[tuple[str, str]]
Keep = Callable[[str, Part], None]


@dataclass(frozen=True)
class Ready:
    """One version with its pseudonyms, and the key that stands for all that its results are made from."""

    read: Read
    names: Pseudonyms
    key: str

    @property
    def id(self) -> str:
        """Return the version's name."""
        return self.read.version.id


def marks_in(versions: Iterable[Read]) -> int:
    """Return how many marks were read."""
    return sum(study.marks_read for each in versions for study in each.studies)


def recipes(
    campaign: Campaign, versions: Sequence[Read], inputs: Inputs, progress: Steps, keep: Keep
) -> Iterator[Recipe]:
    """Yield how every folder's results are made, those of versions first, then those of comparisons.

    Results are handed to `keep` with the path of their file.
    """
    sides = list(_ready(campaign, versions, inputs))
    for each in sides:
        yield _version(campaign, each, progress, keep)
    # What is computed of one version alone is kept for the next comparison.
    analysed, order = Sides(), [each.id for each in sides]
    for first, second in compared(order):
        between = sides[order.index(first) : order.index(second) + 1]
        yield _comparison(campaign, between, analysed, progress, keep)


def _ready(campaign: Campaign, versions: Sequence[Read], inputs: Inputs) -> Iterator[Ready]:
    """Yield each version with the key of its settings, its pseudonyms and the bytes of its files."""
    names = names_by_version(campaign, versions)
    for read in versions:
        own = names[read.version.id]
        files = {file.name for file in read.version.exports} | set(read.version.files)
        declared = settings(campaign, read.version, own.annotators, everybody_in(read))
        digests = {name: inputs.files[name] for name in files}
        if not inputs.complete:
            digests |= {each.file: each.sha256 for each in read.sources if each.file not in files}
        yield Ready(read, own, key_of(computing(), declared, own.as_json(), digests))


def _version(campaign: Campaign, side: Ready, progress: Steps, keep: Keep) -> Recipe:
    """Return how a version's results are made."""

    def files() -> Files:
        progress(f"{campaign.id} {side.id}: computing agreement")
        report = compute(campaign, side.read, side.names)
        keep(f"{side.id}/{RESULTS}", report.results)
        return version_data(report.results, report.beside, report.texts)

    return Recipe(side.id, side.key, files)


def _comparison(
    campaign: Campaign, sides: Sequence[Ready], analysed: Sides, progress: Steps, keep: Keep
) -> Recipe:
    """Return how the comparison of the first version and the last is made.

    Of those between them it hangs on how categories were merged, and of [gate] on which figures it names.
    """
    first, second = sides[0], sides[-1]
    name = comparison_folder(first.id, second.id)

    def files() -> Files:
        progress(f"{campaign.id} {name}: comparing")
        names = first.names | second.names
        found = compare_versions(campaign, first.read, second.read, names, analysed)
        keep(f"{name}/{COMPARISON}", found.comparison)
        return comparison_data(found.comparison, found.changed)

    merged = [each.read.version.merged for each in sides[1:]]
    return Recipe(name, key_of(first.key, second.key, merged, list(campaign.gate)), files)


def history_json(campaign: Campaign, folder: Path, files: ResultFiles) -> str:
    """Return what joins a campaign's versions, from the results in their folders and nothing else."""
    results = [files.read(Results, folder / each / RESULTS) for each in campaign.versions]
    counts = [folder / each / COUNTS for each in campaign.versions]
    comparisons = {
        pair: files.read(VersionComparison, folder / comparison_folder(*pair) / COMPARISON)
        for pair in compared(campaign.versions)
    }
    return dumps(history(results, [each.read_text(encoding="utf-8") for each in counts], comparisons))
