"""The pipeline: a campaign directory goes in, a versioned report comes out."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen import campaign as asked
from reportgen.beside import tables_beside
from reportgen.campaign import Campaign
from reportgen.computing import compute_figures, count_everything
from reportgen.errors import BadInput, Problem
from reportgen.exchange import refusals, replacing
from reportgen.findings import clarify, find
from reportgen.notices import notices
from reportgen.reading import Progress, Read, everybody, read_campaign
from reportgen.record import record, record_texts
from reportgen.report import CampaignSummary, summary, write_campaign, write_index, write_version
from reportgen.results import Results
from reportgen.results.texts import Texts
from reportgen.study import Study, pseudonyms, with_pseudonyms


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results, its texts, and tables too large for them."""

    results: Results
    beside: Mapping[str, str]
    texts: Texts | None = None


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
    noticed: list[Problem] = []
    for folder in different.values():
        try:
            campaign = asked.load(folder)
            versions = read_campaign(campaign, progress)
            noticed.extend(notices(campaign, versions))
            if not problems:
                computed.append((campaign, compute_campaign(campaign, versions, progress)))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    with replacing(out) as site:
        summaries = [_write(site, campaign, reports, progress) for campaign, reports in computed]
        write_index(site, summaries)
    return Site(summaries, noticed)


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
        write_version(own / report.results.guidelines, report.results, report.beside, report.texts)
    versions = tuple(summary(report.results) for report in reports)
    joined = CampaignSummary(campaign.id, campaign.title, versions)
    write_campaign(own, joined)
    return joined


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
        [name for each in version.annotations for name in everybody(each)] for version in versions
    )


def compute(campaign: Campaign, read: Read, names: Mapping[str, str]) -> Report:
    """Return the report of one guidelines version from what was read."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = count_everything(studies, read.distances)
    computed = compute_figures(campaign, read, studies, counted, names)
    recorded = record(computed)
    results = recorded.model_copy(update={"findings": find(recorded)})
    texts = _texts(campaign, read, studies, names, results)
    return Report(results, tables_beside(read, computed, counted, names), texts)


def _texts(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Mapping[str, str], results: Results
) -> Texts | None:
    """Return what can be read in the version's texts, None where the campaign withholds them."""
    if campaign.privacy.texts == "withhold":
        return None
    texts = record_texts(read.version.id, studies, read.annotations, names)
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})
