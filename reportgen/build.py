"""The pipeline: a campaign directory goes in, a versioned report comes out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from reportgen import campaign as asked
from reportgen.agreement import (
    Distance,
    Setting,
    UnitSetAgreement,
    analyse,
    declared_distance,
    ranks_or_values,
)
from reportgen.campaign import Campaign, DistanceTable, Layer, Version
from reportgen.counts import Counts, count, counts_csv
from reportgen.errors import BadInput, Problem
from reportgen.exchange import replacing
from reportgen.files import Source, read_bytes, source
from reportgen.findings import find
from reportgen.formats import Annotations, ReadOptions, read_export
from reportgen.record import Computed, record
from reportgen.report import CampaignSummary, summary, write_campaign, write_index, write_version
from reportgen.results import Results
from reportgen.study import (
    CodedUnits,
    Declaration,
    Request,
    Study,
    build_study,
    hide_in_path,
    number,
    pseudonyms,
    unknown_to_distances,
    with_pseudonyms,
)

CONFIGURATION = "campaign.toml"

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results and its counts as CSV."""

    results: Results
    counts: Mapping[str, str]


@dataclass(frozen=True)
class Read:
    """One guidelines version as its files say: exports by layer, and what is compared in each."""

    version: Version
    annotations: Sequence[Annotations]
    studies: Sequence[Study]
    distances: Sequence[DistanceTable]
    sources: Sequence[Source]


def build_site(
    folders: Sequence[Path], out: Path, progress: Progress = lambda _: None
) -> list[CampaignSummary]:
    """Build the report of every version of every campaign into `out`, which then holds exactly these.

    Raises BadInput with all that is wrong in any campaign; then nothing is written.
    """
    campaigns = _all(folders, asked.load)
    _require_distinct(campaigns)
    computed = _all(campaigns, lambda campaign: compute_campaign(campaign, progress))
    with replacing(out.resolve(), str(out)) as folder:
        summaries = [
            _write(folder, campaign, reports, progress)
            for campaign, reports in zip(campaigns, computed, strict=True)
        ]
        write_index(folder, summaries)
    return summaries


def _all(items: Iterable[Item], step: Callable[[Item], Outcome]) -> list[Outcome]:
    """Return what the step makes of each item; where some fail, raise the problems of all of them."""
    outcomes: list[Outcome] = []
    problems: list[Problem] = []
    for item in items:
        try:
            outcomes.append(step(item))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    return outcomes


def _require_distinct(campaigns: Sequence[Campaign]) -> None:
    seen: dict[str, str] = {}
    for campaign in campaigns:
        other = seen.setdefault(campaign.id.casefold(), campaign.name)
        if other != campaign.name:
            problem = Problem(
                campaign.name, message=f"has the same folder name as {other}.", mend="Rename one of them."
            )
            raise BadInput([problem])


def _write(
    folder: Path, campaign: Campaign, reports: Sequence[Report], progress: Progress
) -> CampaignSummary:
    own = folder / campaign.id
    for report in reports:
        progress(f"{campaign.id} {report.results.guidelines}: writing pages")
        write_version(own / report.results.guidelines, report.results, report.counts)
    versions = tuple(summary(report.results) for report in reports)
    joined = CampaignSummary(campaign.id, campaign.title, versions)
    write_campaign(own, joined)
    return joined


def compute_campaign(campaign: Campaign, progress: Progress = lambda _: None) -> list[Report]:
    """Return the report of each guidelines version, the oldest first."""

    def read(version: str) -> Read:
        progress(f"{campaign.id} {version}: reading exports")
        return read_version(campaign, campaign.version(version))

    versions = _all(campaign.versions, read)
    names = _names(campaign, versions)
    reports: list[Report] = []
    for each in versions:
        progress(f"{campaign.id} {each.version.id}: computing agreement")
        reports.append(compute(campaign, each, names))
    return reports


def _names(campaign: Campaign, versions: Sequence[Read]) -> dict[str, str]:
    """Return the annotators' pseudonyms, none where the campaign shows names."""
    if campaign.privacy.annotators == "names":
        return {}
    return pseudonyms(
        [name for each in version.annotations for name in each.ratings.annotators] for version in versions
    )


def read_version(campaign: Campaign, version: Version) -> Read:
    """Return what the files of one guidelines version say, with every problem in them at once."""
    annotations = [_read_layer(campaign, version, layer) for layer in version.layers]
    requests = [_request(campaign, version, layer) for layer in version.layers]
    studies = [build_study(each, request) for each, request in zip(annotations, requests, strict=True)]
    distances = version.distance_tables()
    categories = [each.ratings.labels for each in annotations]
    missing = unknown_to_distances(
        categories, version.layers, [(table, f"{campaign.name}/{table.file}") for table in distances]
    )
    if missing:
        raise BadInput(missing)
    sources = {
        each.file: each
        for each in (*_own_sources(campaign, version), *(s for a in annotations for s in a.sources))
    }
    return Read(version, annotations, studies, distances, tuple(sources.values()))


def _read_layer(campaign: Campaign, version: Version, layer: Layer) -> Annotations:
    try:
        return read_export([(file.path, file.name) for file in version.exports], _options(version, layer))
    except BadInput as error:
        raise BadInput(_placed(campaign, problem) for problem in error.problems) from None


def _placed(campaign: Campaign, problem: Problem) -> Problem:
    """Return a problem with its file as the user would type it; without one it lies in campaign.toml."""
    if not problem.file:
        return replace(problem, file=campaign.file, key=f"guidelines.{problem.key}")
    return replace(problem, file=(Path(campaign.name) / problem.file).as_posix())


def _options(version: Version, layer: Layer) -> ReadOptions:
    reading = version.reading
    columns = {
        key: value for key, value in reading.columns.model_dump(by_alias=True).items() if value is not None
    }
    if layer.source is not None:
        columns["label"] = layer.source
    return ReadOptions(
        format=reading.format,
        columns=columns,
        set_separator=reading.set_separator,
        missing=reading.missing,
        normalise=reading.normalise,
        annotators=reading.annotators or None,
    )


def _request(campaign: Campaign, version: Version, layer: Layer) -> Request:
    declarations = [
        Declaration(unit_set, version.sizes(unit_set), campaign.file, f"unit_sets.{place}")
        for place, unit_set in enumerate(version.unit_sets, 1)
    ]
    return Request(
        task=layer,
        unit_sets=declarations,
        roles={name: each.role for name, each in campaign.annotators.items()},
        same_as={name: each.same_as for name, each in campaign.annotators.items() if each.same_as},
        file=campaign.file,
        layer=layer.id,
    )


def _own_sources(campaign: Campaign, version: Version) -> Iterator[Source]:
    """Yield what provenance records of campaign.toml and the files that it names beside the exports."""
    sizes = [unit_set.size for unit_set in version.unit_sets if isinstance(unit_set.size, str)]
    documents = [version.document] if version.document else []
    for name in (CONFIGURATION, *documents, *(distance.file for distance in version.distances), *sizes):
        yield source(name, read_bytes(campaign.folder / name, f"{campaign.name}/{name}"))


def compute(campaign: Campaign, read: Read, names: Mapping[str, str]) -> Report:
    """Return the report of one guidelines version from what was read."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = [(units, count(units)) for study in studies for units in study.unit_sets]
    agreements = list(analyses(counted, read.distances))
    sources = [replace(each, file=hide_in_path(each.file, names)) for each in read.sources]
    computed = Computed(
        campaign=campaign,
        version=read.version,
        reading=" ".join(dict.fromkeys(each.reading for each in read.annotations)),
        studies=studies,
        agreements=agreements,
        distances=read.distances,
        sources=sources,
        unread=sorted({hide_in_path(name, names) for each in read.annotations for name in each.unread}),
    )
    results = record(computed)
    return Report(results.model_copy(update={"findings": find(results)}), counts_csv(counted))


def analyses(
    counted: Sequence[tuple[CodedUnits, Counts]], tables: Sequence[DistanceTable]
) -> Iterator[UnitSetAgreement]:
    """Yield the figures of each unit set; the size curve of one shows the sizes of its siblings."""
    for units, counts in counted:
        sizes = [each.units for each, _ in counted if each.layer == units.layer]
        yield analyse(units, counts, setting_of(units, tables), sizes)


def setting_of(units: CodedUnits, tables: Sequence[DistanceTable]) -> Setting:
    """Return what the figures of a unit set depend on beside its counts."""
    numbers = tuple(number(name) for name in units.categories)
    distances: list[Distance] = [
        declared_distance(table.id, units.categories, table.rows, table.categories) for table in tables
    ]
    return Setting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(distances),
    )
