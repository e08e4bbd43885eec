"""The bundle of one guidelines version: its report, its counts, and what machines and archives read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from reportgen.campaign import Campaign, Version
from reportgen.errors import BadInput, Problem, tried
from reportgen.files import read_bytes
from reportgen.notices import notices
from reportgen.progress import Steps
from reportgen.reading import Read, everybody_in, read_campaign
from reportgen.release import Released, checksums, with_metadata
from reportgen.release.dates import released_on
from reportgen.release.exports import exported
from reportgen.release.exposed import exposed
from reportgen.release.names import CAMPAIGN, CHECKSUMS, CRATE, EXPORTS, REPORT
from reportgen.release.parquet import as_parquet
from reportgen.release.published import published, published_files
from reportgen.release.secrets import secrets
from reportgen.report import version_pages
from reportgen.reports import Report, as_in_bundle, compute, names_by_version
from reportgen.results import Results, dumps
from reportgen.results.files import version_data
from reportgen.results.texts import Texts
from reportgen.study import Pseudonyms


@dataclass(frozen=True)
class Choice:
    """What a bundle holds besides what every bundle does."""

    texts: bool = False
    exports: bool = False
    parquet: bool = False


@dataclass(frozen=True)
class Bundled:
    """A bundle, and what its publisher should know of it although it stops nothing."""

    files: Mapping[str, bytes]
    results: Results
    date: str | None
    notices: Sequence[Problem]


def bundle(
    campaign: Campaign, version: str, choice: Choice, progress: Steps = lambda _: None
) -> dict[str, bytes]:
    """Return the files of a version's bundle, by path; raises BadInput with all that is wrong in it."""
    return dict(bundled(campaign, version, choice, progress).files)


def bundled(campaign: Campaign, version: str, choice: Choice, progress: Steps = lambda _: None) -> Bundled:
    """Return a version's bundle; raises BadInput with all that is wrong in it.

    Every version is read: pseudonyms are numbered from the first on.
    """
    shown, known = as_in_bundle(campaign, texts=choice.texts), campaign.version(version)
    (date, reads), wrong = _tried_both(shown, known, progress)
    if wrong:
        raise BadInput(wrong)
    read = reads[campaign.versions.index(version)]
    names = names_by_version(shown, reads)[version]
    progress(f"{campaign.id} {version}: computing agreement")
    found = _read_back(compute(shown, read, names))
    progress(f"{campaign.id} {version}: writing pages")
    files = {
        **_report(found, campaign.language, parquet=choice.parquet),
        **_campaign(shown, known, names),
        **(exported(campaign, known, names, everybody_in(read)) if choice.exports else {}),
    }
    done = with_metadata(Released(found.results, tuple(campaign.language), date, files)).files
    done = {**done, CHECKSUMS: checksums(done).encode()}
    progress(f"{campaign.id} {version}: searching for names")
    told = [*notices(campaign, reads), *_undated(campaign, known, date), *_exposed(shown, reads, names, done)]
    return Bundled(done, found.results, date, told)


def _exposed(
    campaign: Campaign, reads: Sequence[Read], names: Pseudonyms, files: Mapping[str, bytes]
) -> Iterator[Problem]:
    """Yield what of all versions' names and texts a bundle shows that hides them."""
    exports = (each for read in reads for each in read.annotations)
    # Where exports are there, lists of all files have their names too.
    listing = {CHECKSUMS, CRATE} if any(name.startswith(EXPORTS) for name in files) else set()
    searched = {name: content for name, content in files.items() if name not in listing}
    yield from exposed(searched, secrets(campaign, exports, names))


def _tried_both(
    campaign: Campaign, version: Version, progress: Steps
) -> tuple[tuple[str | None, list[Read]], list[Problem]]:
    """Return the date and what the exports say, with the problems of both."""
    declared = version.date.isoformat() if version.date else None
    dates, undated = tried([declared], lambda each: released_on(each, os.environ))
    reads, unread = tried([campaign], lambda each: read_campaign(each, progress))
    return (dates[0] if dates else None, reads[0] if reads else []), [*undated, *unread]


def _undated(campaign: Campaign, version: Version, date: str | None) -> Iterator[Problem]:
    """Yield what is to be told where nobody says when the guidelines, or the release, are from."""
    if date is None:
        key = f"guidelines.{campaign.place(version.id) + 1}.date"
        message = "there is none, and SOURCE_DATE_EPOCH is not set: metadata that ask for a date go without."
        mend = "Write date = 2009-06-01, the day when these guidelines came into use."
        yield Problem(campaign.file, 0, key, message, mend)


def _read_back(report: Report) -> Report:
    """Return a report as it comes back from its files: what is rendered hangs on nothing else."""
    results = Results.model_validate_json(dumps(report.results))
    texts = report.texts and Texts.model_validate_json(dumps(report.texts))
    return Report(results, report.beside, texts)


def _report(found: Report, languages: Sequence[str], *, parquet: bool) -> dict[str, bytes]:
    """Return the version's folder, which stands alone, by its path in the bundle."""
    data = dict(version_data(found.results, found.beside, found.texts))
    pages = version_pages(found.results, data, found.texts, languages, in_site=False)
    # One page after the other: of ten thousand documents there are hundreds of megabytes.
    files = {f"{REPORT}{name}": text.encode() for name, text in chain(data.items(), pages)}
    if parquet:
        files |= as_parquet(files)
    sums = checksums({name.removeprefix(REPORT): content for name, content in files.items()})
    return {**files, f"{REPORT}{CHECKSUMS}": sums.encode()}


def _campaign(campaign: Campaign, version: Version, names: Pseudonyms) -> dict[str, bytes]:
    """Return campaign.toml in its published form, with the files that it names beside its counts."""
    beside = {
        there: read_bytes(campaign.folder / name, version.shown(name))
        for there, name in published_files(campaign, version.id).items()
    }
    return {CAMPAIGN: published(campaign, version.id, names).encode(), **beside}
