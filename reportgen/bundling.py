"""The bundle of one guidelines version: its report, its counts, and what machines and archives read."""

from dataclasses import dataclass

from reportgen.campaign import Campaign
from reportgen.progress import Steps
from reportgen.reading import read_campaign
from reportgen.release import Released, checksums, with_metadata
from reportgen.release.names import CHECKSUMS, REPORT
from reportgen.report import version_pages
from reportgen.reports import compute, names_by_version
from reportgen.results import Results, dumps
from reportgen.results.files import version_data


@dataclass(frozen=True)
class Choice:
    """What a bundle holds besides what every bundle does."""

    texts: bool = False
    exports: bool = False
    parquet: bool = False


def bundle(
    campaign: Campaign, version: str, choice: Choice, progress: Steps = lambda _: None
) -> dict[str, bytes]:
    """Return the files of a version's bundle, by path; raises BadInput with all that is wrong in it.

    Every version is read: pseudonyms are numbered from the first on.
    """
    campaign = _shown(campaign, choice)
    reads = {each.version.id: each for each in read_campaign(campaign, progress)}
    names = names_by_version(campaign, list(reads.values()))
    progress(f"{campaign.id} {version}: computing agreement")
    found = compute(campaign, reads[version], names[version])
    results = Results.model_validate_json(dumps(found.results))
    data = dict(version_data(results, found.beside, found.texts))
    pages = version_pages(results, data, found.texts, campaign.language, in_site=False)
    report = {name: text.encode() for name, text in (*data.items(), *pages)}
    report[CHECKSUMS] = checksums(report).encode()
    files = {f"{REPORT}{name}": content for name, content in report.items()}
    date = results.revision.date
    done = with_metadata(Released(results, tuple(campaign.language), date, files)).files
    return {**done, CHECKSUMS: checksums(done).encode()}


def _shown(campaign: Campaign, choice: Choice) -> Campaign:
    """Return the campaign with what its bundle shows of people and texts."""
    texts = "show" if choice.texts else "withhold"
    privacy = campaign.privacy.model_copy(update={"texts": texts})
    return campaign.model_copy(update={"privacy": privacy})
