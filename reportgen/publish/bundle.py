"""The bundle of one guidelines version: its report, its counts, and what machines and archives read."""

import datetime as dt
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reportgen.base.errors import BadInput, Problem, tried
from reportgen.base.files import read_bytes
from reportgen.base.progress import Steps
from reportgen.base.site_paths import DATED
from reportgen.campaign import Campaign, Version
from reportgen.pipeline.notices import notices
from reportgen.pipeline.reading import Read, everybody_in, read_campaign
from reportgen.pipeline.version_reports import Report, as_in_bundle, compute, names_by_version
from reportgen.publish import citation_cff, croissant, datapackage, dataset_card, readme, ro_crate, sentences
from reportgen.publish import files as names
from reportgen.publish.files import (
    CAMPAIGN,
    CHECKSUMS,
    CRATE,
    EXPORTS,
    REPORT,
    Released,
    as_parquet,
    checksums,
)
from reportgen.publish.leak_scan import exposed, secrets
from reportgen.publish.published_campaign import exported, published, published_files
from reportgen.report.site import version_pages
from reportgen.results import Results, read_back
from reportgen.results.comparison import version_data
from reportgen.units import Pseudonyms

# Every file of a bundle that is written from the others: what machines and archives read.

# In the order of writing: a later one may describe those before it, and the crate describes all.
WRITERS: Mapping[str, Callable[[Released], str]] = {
    names.PARAGRAPH: sentences.write,
    names.METHODS: sentences.write_methods,
    names.CARD: dataset_card.write,
    names.CITATION: citation_cff.write,
    names.CROISSANT: croissant.write,
    names.PACKAGE: datapackage.write,
    names.README: readme.write,
    names.CRATE: ro_crate.write,
}


def with_metadata(released: Released) -> Released:
    """Return a release with its metadata; the same whenever, and on whatever machine, it is written anew."""
    for name, write in WRITERS.items():
        released = replace(released, files={**released.files, name: write(released).encode()})
    return released


# The date of a bundle: that of the release where somebody says it, else of the guidelines; never today's.


def released_on(guidelines: str | None, environment: Mapping[str, str]) -> str | None:
    """Return the day of SOURCE_DATE_EPOCH in UTC where it is set, else that of the guidelines, None without.

    Raises BadInput where what is set is no moment.
    """
    given = environment.get(DATED, "")
    if not given:
        return guidelines
    try:
        return dt.datetime.fromtimestamp(_seconds(given), dt.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        message = f'is "{given}"; whole seconds since 1970 were expected.'
        mend = "Write it as date +%s does, or unset it."
        raise BadInput([Problem(DATED, message=message, mend=mend)]) from None


def _seconds(given: str) -> int:
    if not (given.isascii() and given.isdigit()):
        raise ValueError
    return int(given)


# The bundle of one guidelines version: its report, its counts, and what machines and archives read.


@dataclass(frozen=True)
class BundleOptions:
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
    campaign: Campaign, version: str, choice: BundleOptions, progress: Steps = lambda _: None
) -> dict[str, bytes]:
    """Return the files of a version's bundle, by path; raises BadInput with all that is wrong in it."""
    return dict(bundled(campaign, version, choice, progress).files)


def bundled(
    campaign: Campaign, version: str, choice: BundleOptions, progress: Steps = lambda _: None
) -> Bundled:
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
    found = compute(shown, read, names)
    # What is rendered hangs on the files alone.
    found = replace(found, texts=found.texts and read_back(found.texts))
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
