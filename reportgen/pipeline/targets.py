"""One campaign's part of the site: what is as it was is taken over, the rest is made again.

Every folder is made in two steps: results are computed, as JSON and tables, and pages are rendered from
these files. Where only pages would come out otherwise, only they are made.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import checksum_list
from reportgen.base.progress import Steps, advance, at_once, expect, processors
from reportgen.base.site_folder import (
    CHECKSUMS,
    HISTORY,
    PSEUDONYMS,
    compared,
    comparison_folder,
    folders,
)
from reportgen.campaign import Campaign
from reportgen.figures import Drawing
from reportgen.pipeline.build_cache import (
    NOT_READ,
    Built,
    Inputs,
    LayerScore,
    Made,
    Recipe,
    Remembered,
    VersionScore,
    at_moment,
    computing,
    data_intact,
    inputs_of,
    intact,
    is_dated,
    key_of,
    moment,
    program,
    take_over,
    with_table,
)
from reportgen.pipeline.releases import COUNTS as COUNTS_FOLDER
from reportgen.pipeline.releases import as_named, changes_since, labelled, read_record, told
from reportgen.report.blocks import drawings_in
from reportgen.report.comparison_view import ComparisonView
from reportgen.report.history_words import answer, to_do, verdict
from reportgen.report.sections import whole
from reportgen.report.sections.comparison_page import comparison_page
from reportgen.report.sections.history_page import history_page
from reportgen.report.site import (
    campaign_pages,
    comparison_pages,
    version_page,
    version_pages,
    write_file,
    write_files,
)
from reportgen.report.view import ReportView
from reportgen.results import ResultModel, Results, dumps
from reportgen.results.texts import Texts
from reportgen.results.versions import (
    CHANGED,
    COMPARISON,
    COUNTS,
    RESULTS,
    TEXTS,
    Changed,
    History,
    ReleaseState,
    VersionComparison,
    VersionState,
)
from reportgen.units import Pseudonyms, hides, read_pseudonyms
from reportgen.units.pseudonyms import kept_table, lost_table, table_with
from reportgen.words.language import Edition, languages_there, writing
from reportgen.words.numbers import estimate

JOINED = (Results, VersionComparison, History)


SomePart = TypeVar("SomePart", bound=ResultModel)


class ResultFiles(dict[Path, ResultModel]):
    """The results in a campaign's files: a file is parsed once, one that was just made not at all."""

    def read(self, part: type[SomePart], path: Path) -> SomePart:
        """Return the results in a file; those that the campaign's history is joined from are kept."""
        kept_part = self.get(path)
        if isinstance(kept_part, part):
            return kept_part
        results = read_part(part, path)
        if part in JOINED:
            self[path] = results
        return results


def pages_of(
    folder: Path, data: Collection[str], languages: Sequence[str], files: ResultFiles
) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a folder; `data` names the files of results, which are there already."""
    if RESULTS in data:
        texts = files.read(Texts, folder / TEXTS) if TEXTS in data else None
        yield from version_pages(files.read(Results, folder / RESULTS), data, texts, languages)
    elif COMPARISON in data:
        changed = files.read(Changed, folder / CHANGED) if CHANGED in data else None
        yield from comparison_pages(files.read(VersionComparison, folder / COMPARISON), changed, languages)
    else:
        yield from campaign_pages(files.read(History, folder / HISTORY), languages)


def page_of(folder: Path, data: Collection[str], languages: Sequence[str], page: str) -> str | None:
    """Return one page of a folder, by its name there; None where nothing that is rendered is called so."""
    files = ResultFiles()
    if RESULTS in data:
        texts = files.read(Texts, folder / TEXTS) if TEXTS in data else None
        return version_page(files.read(Results, folder / RESULTS), texts, languages, page)
    return next((text for name, text in pages_of(folder, data, languages, files) if name == page), None)


def read_part(part: type[SomePart], path: Path) -> SomePart:
    """Return results as they are in a file."""
    return part.model_validate_json(path.read_bytes())


KINDS = ("png", "pdf")


def write_images(site: Path) -> int:
    """Write PNG and PDF beside every SVG of a site's figures; return how many figures there are."""
    count = 0
    for folder in sorted(path for path in site.rglob("figures") if path.is_dir()):
        pages = folder.parent
        # The folder of another language is in that of the first, where results are.
        data = next(
            pages_folder for pages_folder in (pages, pages.parent) if _drawings(pages_folder) is not None
        )
        with writing(Edition(languages_there(pages)[0], first=data == pages)):
            for drawing in _drawings(data) or ():
                for kind in KINDS:
                    drawing.save(folder / f"{drawing.name}.{kind}")
                count += 1
    return count


def _drawings(data: Path) -> Sequence[Drawing] | None:
    """Return the figures of a version, a comparison or a campaign; None where the folder has no results."""
    if (data / RESULTS).exists():
        return drawings_in(whole(ReportView(read_part(Results, data / RESULTS))))
    if (data / COMPARISON).exists():
        changed = read_part(Changed, data / CHANGED) if (data / CHANGED).exists() else None
        view = ComparisonView(read_part(VersionComparison, data / COMPARISON), changed)
        return drawings_in(comparison_page(view).sections)
    if (data / HISTORY).exists():
        return drawings_in(history_page(read_part(History, data / HISTORY)).sections)
    return None


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
    records: dict[str, Made] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def make(self, folders: Iterable[Recipe]) -> None:
        """Put folders into the new site: the old one's files where they were made from the same key.

        Pages are written when all results are, and what these were computed from is not kept any longer.
        """
        to_do = [recipe for recipe in folders if not self._taken_over(recipe)]
        expect("folders", len(to_do))
        new_data = at_once(self._results, to_do, self.workers)
        new_records = [
            Made(key=self._key(recipe), sums="", computed=recipe.key, data=data)
            for recipe, data in zip(to_do, new_data, strict=True)
        ]
        names = [recipe.name for recipe in to_do]
        to_do.clear()
        made = at_once(self._pages, list(zip(names, new_records, strict=True)), self.workers)
        self.records.update(zip(names, made, strict=True))
        self.written.extend(names)

    def _taken_over(self, folder: Recipe) -> bool:
        record = self.remembered.get(folder.name)
        if record is None or record.key != self._key(folder):
            return False
        names = intact(self.old / folder.name, record)
        if names is None:
            return False
        self.say(folder.name, "unchanged, taken over")
        take_over(self.old / folder.name, self.new / folder.name, names)
        self.records[folder.name] = record
        return True

    def _key(self, folder: Recipe) -> str:
        """Return the key of all that a folder is made from; the feed alone takes the release's moment."""
        released = moment(self.campaign) if not folder.name else ""
        return key_of(program(), folder.key, self.campaign.language, released)

    def _results(self, folder: Recipe) -> Mapping[str, str]:
        """Put a folder's results into the new site; return the SHA-256 of each file."""
        old, path = self.old / folder.name, self.new / folder.name
        record = self.remembered.get(folder.name)
        if record and record.computed == folder.key and data_intact(old, record):
            take_over(old, path, record.data)
            return record.data
        return write_files(path, folder.files(), old)

    def _pages(self, folder: tuple[str, Made]) -> Made:
        """Write a folder's pages from its results, then the checksums of both; return how it was made."""
        name, record = folder
        self.say(name, "writing pages")
        path = self.new / name
        pages = pages_of(path, record.data, self.campaign.language, self.files)
        sums = write_files(path, pages, self.old / name)
        listed = write_file(path / CHECKSUMS, checksum_list({**record.data, **sums}))
        advance("folders")
        return record.model_copy(update={"sums": listed})

    def keep(self, name: str, part: ResultModel) -> None:
        """Keep the results that a file holds, so that nobody parses them."""
        self.files[self.new / name] = part

    def say(self, folder: str, step: str) -> None:
        """Tell what is done to a folder."""
        self.progress(f"{self.campaign.id} {folder}".rstrip() + f": {step}")


def assemble(
    campaign: Campaign, places: tuple[Path, Path], remembered: Remembered, key: str, progress: Steps
) -> Built:
    """Put a campaign into the new site; `places` are its folders in the old one and the new.

    `key` stands for all that lies in the campaign's folder. Raises BadInput with all that is wrong in any of
    its files.
    """
    inputs: Inputs | None = None
    with suppress(BadInput):  # whoever reads the files says why
        inputs = inputs_of(campaign)
    making = Making(campaign, *places, remembered.folders, progress, ResultFiles())
    table = kept_table(campaign.folder)
    if inputs and _is_computed(making, remembered, inputs, table):
        # All results are taken over: nothing is read.
        known_folders = ((name, remembered.folders[name]) for name in folders(campaign.versions) if name)
        making.make(Recipe(name, record.computed, lambda: ()) for name, record in known_folders)
        noticed, known_inputs = list[Problem](), inputs
    else:
        making, to_make, noticed, known_inputs, table = _read(making, inputs)
        making.make(to_make)
    releases = _releases(making, table)
    making.make([_joined(making, releases)])
    changed = [problem for version, state in releases.items() for problem in told(campaign, version, state)]
    built = _assembled(making, known_inputs, (key, table), [*noticed, *changed])
    return replace(built, table=None if table == kept_table(campaign.folder) else table)


def _releases(making: Making, table: bytes) -> dict[str, ReleaseState]:
    """Return what was released of each version, and what differs now; documents are called as on the site."""
    campaign = making.campaign
    records = {version: read_record(campaign, version) for version in campaign.versions}
    names = read_pseudonyms(table.decode(), PSEUDONYMS) if table and any(records.values()) else Pseudonyms()
    # What pages have pseudonyms for.
    shown = Pseudonyms(
        annotators={name: called for name, called in names.annotators.items() if hides(campaign, name)},
        documents=names.documents if campaign.privacy.documents == "pseudonyms" else {},
    )
    states: dict[str, ReleaseState] = {}
    for version, record in records.items():
        if record:
            folder = making.new / version
            tables = {
                f"{COUNTS_FOLDER}{path.name}": path.read_text(encoding="utf-8")
                for path in sorted((folder / COUNTS_FOLDER).glob("*.csv"))
            }
            now = labelled(making.files.read(Results, folder / RESULTS), tables)
            state = changes_since(record, replace(now, documents=as_named(now.documents, shown)), names)
            called = {shown.document(name): number for name, number in state.documents.items()}
            states[version] = state.model_copy(update={"documents": called})
    return states


def _is_computed(making: Making, remembered: Remembered, inputs: Inputs, table: bytes) -> bool:
    """Tell whether all results are in the old site, and there is nothing to tell of the exports."""
    records, names = remembered.folders, folders(making.campaign.versions)
    same = inputs.complete and with_table(inputs.read, table) == remembered.read and not remembered.noticed
    return same and all(data_intact(making.old / name, records.get(name)) for name in names)


def _read(
    making: Making, inputs: Inputs | None
) -> tuple[Making, Iterator[Recipe], list[Problem], Inputs, bytes]:
    """Read a campaign; return how the folders of its versions and comparisons are made.

    Return what is to be told too, from what it was made, and the table of its pseudonyms. Nothing but the
    recipes keeps what was read.
    """
    from reportgen.pipeline.reading import notices, read_campaign
    from reportgen.pipeline.version_reports import all_pseudonyms, marks_in, recipes

    campaign = making.campaign
    versions = read_campaign(campaign, making.progress)
    noticed = [*notices(campaign, versions), *lost_table(campaign, making.old)]
    known_inputs = inputs or inputs_of(campaign)
    parallel = replace(making, workers=processors() if marks_in(versions) > MUCH else 1)
    table = table_with(campaign, all_pseudonyms(campaign, versions))
    to_make = recipes(campaign, versions, known_inputs, making.progress, making.keep)
    return parallel, to_make, noticed, known_inputs, table


def _joined(making: Making, releases: Mapping[str, ReleaseState]) -> Recipe:
    """Return how the campaign's own folder is made: from the results in the others."""

    def files() -> Files:
        return [(HISTORY, history_json(making.campaign, making.new, making.files, releases))]

    others = {name: dict(record.data) for name, record in making.records.items()}
    released = {version: dumps(state) for version, state in releases.items()}
    return Recipe("", key_of(computing(), list(making.campaign.versions), others, released), files)


def history_json(
    campaign: Campaign, folder: Path, files: ResultFiles, releases: Mapping[str, ReleaseState]
) -> str:
    """Return what joins a campaign's versions, from the results in their folders and nothing else."""
    from reportgen.versions.comparisons import history

    results = [files.read(Results, folder / version / RESULTS) for version in campaign.versions]
    counts = [folder / version / COUNTS for version in campaign.versions]
    comparisons = {
        pair: files.read(VersionComparison, folder / comparison_folder(*pair) / COMPARISON)
        for pair in compared(campaign.versions)
    }
    return dumps(
        history(results, [path.read_text(encoding="utf-8") for path in counts], comparisons, releases)
    )


def _assembled(
    making: Making, inputs: Inputs, made_from: tuple[str, bytes], noticed: Sequence[Problem]
) -> Built:
    """Return what was built, with what it was made from: the key of its folder, and its pseudonyms."""
    campaign, joined = making.campaign, making.files.read(History, making.new / HISTORY)
    key = with_table(*made_from)
    dated = key if is_dated(campaign) else at_moment(key)
    remembered = Remembered(
        inputs=dated if key and inputs.complete else "",
        read=with_table(inputs.read, made_from[1]),
        # What was not read is told when it is looked at, and no reason to look again.
        noticed=any(each.remedy != NOT_READ for each in noticed),
        languages=tuple(campaign.language),
        scores=tuple(_score(state) for state in joined.versions),
        folders=making.records,
    )
    hiding = campaign.name if campaign.privacy.annotators == "pseudonyms" else ""
    return Built(campaign.id, remembered, noticed, making.written, joined, hiding)


def _score(version: VersionState) -> VersionScore:
    layers = tuple(
        LayerScore(
            layer=layer.layer,
            coefficient=layer.name,
            figure=estimate(layer.figure),
            severity=version.severity_of(layer.layer),
            answer=answer(version, layer.layer),
        )
        for layer in version.layers
    )
    said = {"verdict": verdict(version), "to_do": to_do(version)}
    return VersionScore(version=version.version, layers=layers, **said)
