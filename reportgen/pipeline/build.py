"""Campaigns in, site out; one campaign's part of it.

The pipeline: campaign directories go in, a site of versioned reports comes out.

What did not change since the site was built last is taken over from it, and where nothing did, nothing is
read: what computes and renders is imported in the functions that need it.

One campaign's part of the site: what is as it was is taken over, the rest is made again.

Every folder is made in two steps: results are computed, as JSON and tables, and pages are rendered from
these files. Where only pages would come out otherwise, only they are made.
"""

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import field, replace
from functools import cached_property
from mmap import mmap
from pathlib import Path
from typing import TypeVar

from reportgen.base import LANGUAGES
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, refused, tried
from reportgen.base.files import checksum_list
from reportgen.base.progress import Steps, advance, at_once, expect, processors, reporting_progress
from reportgen.base.site_folder import (
    CHECKSUMS,
    HISTORY,
    INDEX,
    PSEUDONYMS,
    alone,
    compared,
    comparison_folder,
    folders,
    moved,
    published,
    refusals,
    replacing,
)
from reportgen.campaign import Campaign
from reportgen.figures import Drawing
from reportgen.pipeline.build_cache import (
    NOT_READ,
    Built,
    Inputs,
    LayerScore,
    Made,
    Memory,
    Recipe,
    Remembered,
    VersionScore,
    at_moment,
    computing,
    data_intact,
    folder_key,
    inputs_of,
    intact,
    is_as_made,
    is_dated,
    keep,
    key_of,
    moment,
    program,
    recall,
    take_over,
    with_table,
)
from reportgen.pipeline.releases import COUNTS as COUNTS_FOLDER
from reportgen.pipeline.releases import as_named, changes_since, labelled, read_record, told
from reportgen.report.blocks import drawings_in
from reportgen.report.comparison_view import ComparisonView
from reportgen.report.history_words import answer, verdict
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
        from reportgen.pipeline import (
            version_reports,  # noqa: F401
        )

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


# From the files of results in a folder of the site to the pages and images beside them.

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


# Figures as PNG and PDF beside their SVG, for papers and slides.

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


# A campaign's folders: each is taken over or made.

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
    from reportgen.pipeline.notices import notices
    from reportgen.pipeline.reading import read_campaign
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
    return VersionScore(version=version.version, verdict=verdict(version), layers=layers)
