"""Small campaigns for tests, computed as the command line does it."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportgen.campaign import Campaign, load
from reportgen.findings.layer_facts import LayerFacts
from reportgen.pipeline.reading import VersionExports, read_campaign
from reportgen.pipeline.version_reports import Report, compute, names_by_version
from reportgen.results import Finding, Results
from tests.commands import on_disk

# Each person's marks of a document: label, start, end.
Marks = Mapping[str, Mapping[str, Sequence[tuple[str, int, int]]]]

GENE_RENAMING = Path(__file__).parent.parent / "campaigns" / "gene-renaming"
HEAD = 'title = "A campaign"\n'
VERSION = '[[guidelines]]\nversion = "1.0"\nexports = "exports/1.0"\n'


def written(folder: Path, toml: str, files: Mapping[str, str], version: str = "") -> Path:
    """Write a campaign and return its folder: `toml` before its guidelines, `version` as keys of these."""
    return on_disk(folder, {"campaign.toml": f"{HEAD}{toml}\n{VERSION}{version}", **files})


def compute_campaign(campaign: Campaign, versions: Sequence[VersionExports]) -> list[Report]:
    """Return the report of each guidelines version, the oldest first."""
    names = names_by_version(campaign, versions)
    return [compute(campaign, each, names[each.version.id]) for each in versions]


def results_of(folder: Path) -> Results:
    """Return the results of a campaign's newest version; those of the example are computed once."""
    return _of_the_example() if folder == GENE_RENAMING else report_of(folder).results


@functools.cache
def _of_the_example() -> Results:
    return report_of(GENE_RENAMING).results


def report_of(folder: Path) -> Report:
    """Return the report of a campaign's newest version."""
    campaign = load(folder)
    return compute_campaign(campaign, read_campaign(campaign))[-1]


def results(folder: Path, toml: str, export: str, files: Mapping[str, str] | None = None) -> Results:
    """Return the results of a campaign with one export file."""
    return results_of(written(folder / "campaign", toml, {"exports/1.0/e.csv": export, **(files or {})}))


def marked(texts: Mapping[str, str], marks: Marks) -> dict[str, str]:
    """Return brat's files of marks in texts, a folder for each person."""
    files = {}
    for who, documents in marks.items():
        for name, found in documents.items():
            lines = [
                f"T{number}\t{label} {start} {end}\t{texts[name][start:end]}\n"
                for number, (label, start, end) in enumerate(found, 1)
            ]
            files[f"{who}/{name}.txt"] = texts[name]
            files[f"{who}/{name}.ann"] = "".join(lines)
    return files


def facts_of(found: Results) -> LayerFacts:
    """Return what rules look at: results as their first layer sees them."""
    return LayerFacts(found, found.layers[0])


def finding(found: Results, name: str) -> Finding | None:
    """Return the first finding of an id, None where there is none."""
    return next((each for each in found.findings if each.id == name), None)
