"""The pipeline: a campaign directory goes in, a versioned report comes out."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from reportgen import campaign as asked
from reportgen.agreement import (
    CATALOGUE,
    Distance,
    Setting,
    UnitSetAgreement,
    analyse,
    declared_distance,
    ranks_or_values,
)
from reportgen.campaign import Campaign, DistanceTable, Layer, Version
from reportgen.counts import Counts, count, counts_csv
from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.exchange import refusals, replacing
from reportgen.files import Source, read_bytes, source
from reportgen.findings import find
from reportgen.formats import Annotations, ReadOptions, read_export
from reportgen.record import Computed, pairs_csv, record
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
MOST_COMMON = "krippendorff_alpha"

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results, and the tables too large for them."""

    results: Results
    beside: Mapping[str, str]


@dataclass(frozen=True)
class Read:
    """One guidelines version as its files say: exports by layer, and what is compared in each."""

    version: Version
    annotations: Sequence[Annotations]
    studies: Sequence[Study]
    distances: Sequence[DistanceTable]
    sources: Sequence[Source]


@dataclass(frozen=True)
class Site:
    """What was built, and what the user should know about the campaigns although it stops nothing."""

    campaigns: Sequence[CampaignSummary]
    notices: Sequence[Problem]


def build_site(folders: Sequence[Path], out: Path, progress: Progress = lambda _: None) -> Site:
    """Build the report of every version of every campaign into `out`, which then holds exactly these.

    Raises BadInput with all that is wrong in any campaign; then nothing is written.
    """
    different = {os.path.abspath(folder): folder for folder in folders}  # noqa: PTH100 - links are not followed
    problems = [*refusals(out), *_overlaps(different.values(), out), *_same_names(different)]
    computed: list[tuple[Campaign, list[Report]]] = []
    notices: list[Problem] = []
    for folder in different.values():
        try:
            campaign = asked.load(folder)
            versions = read_campaign(campaign, progress)
            notices.extend(_notices(campaign, versions))
            if not problems:
                computed.append((campaign, compute_campaign(campaign, versions, progress)))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    with replacing(out) as site:
        summaries = [_write(site, campaign, reports, progress) for campaign, reports in computed]
        write_index(site, summaries)
    return Site(summaries, notices)


def _notices(campaign: Campaign, versions: Sequence[Read]) -> Iterator[Problem]:
    """Yield what a campaign asks for in vain: keys that nothing acts on yet, annotators nobody knows."""
    yield from asked.unused(campaign)
    known = {name for version in versions for each in version.annotations for name in _everybody(each)}
    yield from asked.strangers(campaign, known)


def _tried(items: Iterable[Item], step: Callable[[Item], Outcome]) -> tuple[list[Outcome], list[Problem]]:
    """Return what the step makes of each item, and the problems of those where it fails."""
    outcomes: list[Outcome] = []
    problems: list[Problem] = []
    for item in items:
        try:
            outcomes.append(step(item))
        except BadInput as error:
            problems.extend(error.problems)
    return outcomes, problems


def _all(items: Iterable[Item], step: Callable[[Item], Outcome]) -> list[Outcome]:
    """Return what the step makes of each item; where some fail, raise the problems of all of them."""
    outcomes, problems = _tried(items, step)
    if problems:
        raise BadInput(problems)
    return outcomes


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


def _write(
    folder: Path, campaign: Campaign, reports: Sequence[Report], progress: Progress
) -> CampaignSummary:
    own = folder / campaign.id
    for report in reports:
        progress(f"{campaign.id} {report.results.guidelines}: writing pages")
        write_version(own / report.results.guidelines, report.results, report.beside)
    versions = tuple(summary(report.results) for report in reports)
    joined = CampaignSummary(campaign.id, campaign.title, versions)
    write_campaign(own, joined)
    return joined


def read_campaign(campaign: Campaign, progress: Progress = lambda _: None) -> list[Read]:
    """Return what the files of every guidelines version say, with every problem in them at once."""

    def read(version: str) -> Read:
        progress(f"{campaign.id} {version}: reading exports")
        return read_version(campaign, campaign.version(version))

    return _all(campaign.versions, read)


def compute_campaign(
    campaign: Campaign, versions: Sequence[Read], progress: Progress = lambda _: None
) -> list[Report]:
    """Return the report of each guidelines version, the oldest first."""
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
        [name for each in version.annotations for name in _everybody(each)] for version in versions
    )


def _everybody(annotations: Annotations) -> Iterator[str]:
    """Yield whose marks are used and whose are left out: the report tells of both."""
    yield from annotations.ratings.annotators
    yield from (each.annotator for each in annotations.left_out if each.annotator)


def read_version(campaign: Campaign, version: Version) -> Read:
    """Return what the files of one guidelines version say, with every problem in them at once."""
    annotations = _all(version.layers, lambda layer: _read_layer(campaign, version, layer))
    distances = version.distance_tables()
    labels = [each.ratings.labels for each in annotations]
    tables = [(table, _shown(campaign, table.file)) for table in distances]
    problems = [*_coefficients(campaign, version), *unknown_to_distances(labels, version.layers, tables)]
    pairs = zip(version.layers, annotations, strict=True)
    studies, more = _tried(pairs, lambda pair: _study_layer(campaign, version, *pair))
    if problems or more:
        raise BadInput([*problems, *more])
    sources = {
        each.file: each
        for each in (*_own_sources(campaign, version), *(s for a in annotations for s in a.sources))
    }
    return Read(version, annotations, studies, distances, tuple(sources.values()))


def _coefficients(campaign: Campaign, version: Version) -> Iterator[Problem]:
    """Yield a problem for each primary coefficient that is none, or has a distance that is not there."""
    measures = ["observed_agreement", *(each.id for each in CATALOGUE if each.kind == "coefficient")]
    distances = [*(distance.id for distance in version.distances), *asked.MEASURE_DISTANCES]
    for layer in version.layers:
        name, bracket, distance = (layer.coefficient or MOST_COMMON).removesuffix("]").partition("[")
        wrong = None
        if name not in measures:
            wrong = f'no coefficient is called "{name}".', did_you_mean(name, measures)
        elif bracket and distance not in distances:
            wrong = f'no distance is called "{distance}".', did_you_mean(distance, distances)
        if wrong:
            yield asked.placed(campaign, Problem("", 0, "task.coefficient", *wrong), version.id, layer.id)


def _shown(campaign: Campaign, file: str) -> str:
    """Return the name of a campaign's file as the user would type it."""
    return (Path(campaign.name) / file).as_posix()


def _read_layer(campaign: Campaign, version: Version, layer: Layer) -> Annotations:
    exports = [(file.path, file.name) for file in version.exports]
    try:
        return read_export(exports, _options(version, layer))
    except BadInput as error:
        raise BadInput(
            replace(each, file=_shown(campaign, each.file))
            if each.file
            else asked.placed(campaign, each, version.id, layer.id)
            for each in error.problems
        ) from None


def _study_layer(campaign: Campaign, version: Version, layer: Layer, annotations: Annotations) -> Study:
    try:
        return build_study(annotations, _request(campaign, version, layer))
    except BadInput as error:
        raise BadInput(
            asked.placed(campaign, each, version.id, layer.id) for each in error.problems
        ) from None


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
        yield source(name, read_bytes(campaign.folder / name, _shown(campaign, name)))


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
    beside = {f"counts/{name}": text for name, text in counts_csv(counted).items()}
    crowd = pairs_csv(agreements)
    if crowd is not None:
        beside["tables/pairs.csv"] = crowd
    return Report(results.model_copy(update={"findings": find(results)}), beside)


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
        declared_distance(table.id, units.categories, table.rows, table.categories)
        for table in tables
        if set(units.categories) <= set(table.categories)
    ]
    return Setting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(distances),
    )
