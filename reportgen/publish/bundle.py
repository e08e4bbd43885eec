"""The bundle of one guidelines version: what is in it, and where it goes."""

import datetime as dt
import hashlib
import importlib.util
import io
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from reportgen.base import site_folder
from reportgen.base.errors import BadInput, Problem, refused, tried
from reportgen.base.files import read_bytes, rows
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign, Version
from reportgen.pipeline.notices import notices
from reportgen.pipeline.reading import everybody_in, read_campaign
from reportgen.pipeline.version_reports import Report, as_in_bundle, compute, names_by_version
from reportgen.publish import bundle_files as there
from reportgen.publish import citation_cff, croissant, datapackage, dataset_card, ro_crate, sentences
from reportgen.publish.bundle_files import Released, checksums, listed
from reportgen.publish.leak_scan import exposed, secrets
from reportgen.publish.published_campaign import exported, published, published_files
from reportgen.publish.zip_archive import as_zip
from reportgen.readers.untrusted import DAMAGED
from reportgen.report.site import version_pages
from reportgen.results import Results, read_back
from reportgen.results.comparison import version_data
from reportgen.units import Pseudonyms

# Every file of a bundle that is written from the others: what machines and archives read.

# In the order of writing: a later one may describe those before it, and the crate describes all.
WRITERS: Mapping[str, Callable[[Released], str]] = {
    there.PARAGRAPH: sentences.write,
    there.METHODS: sentences.write_methods,
    there.CARD: dataset_card.write,
    there.CITATION: citation_cff.write,
    there.CROISSANT: croissant.write,
    there.PACKAGE: datapackage.write,
    there.README: sentences.write_readme,
    there.CRATE: ro_crate.write,
}


def with_metadata(released: Released) -> Released:
    """Return a release with its metadata; the same whenever, and on whatever machine, it is written again."""
    for name, write in WRITERS.items():
        released = replace(released, files={**released.files, name: write(released).encode()})
    return released


# The date of a bundle: that of the release where somebody says it, else of the guidelines; never today's.


def released_on(guidelines: str | None, environment: Mapping[str, str]) -> str | None:
    """Return the day of SOURCE_DATE_EPOCH in UTC where it is set, else that of the guidelines, None without.

    Raises BadInput where what is set is no moment.
    """
    epoch = environment.get(site_folder.DATED, "")
    if not epoch:
        return guidelines
    with suppress(ValueError, OverflowError, OSError):
        if epoch.isascii() and epoch.isdigit():
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date().isoformat()
    message = f'is "{epoch}"; whole seconds since 1970 were expected.'
    remedy = "Write it as date +%s does, or unset it."
    raise refused(site_folder.DATED, message=message, remedy=remedy)


# The bundle of one guidelines version: its report, its counts, and what machines and archives read.


@dataclass(frozen=True)
class BundleOptions:
    """What a bundle holds besides what every bundle does."""

    texts: bool = False
    exports: bool = False
    parquet: bool = False


@dataclass(frozen=True)
class Bundled:
    """A bundle's files by path, and what its publisher should know of it although it stops nothing."""

    files: Mapping[str, bytes]
    results: Results
    date: str | None
    notices: Sequence[Problem]


def bundled(
    campaign: Campaign, version: str, choice: BundleOptions, progress: Steps = lambda _: None
) -> Bundled:
    """Return a version's bundle; raises BadInput with all that is wrong in it.

    Every version is read: pseudonyms are numbered from the first on.
    """
    shown, guidelines = as_in_bundle(campaign, texts=choice.texts), campaign.version(version)
    declared = guidelines.date.isoformat() if guidelines.date else None
    dates, undated = tried([declared], lambda date: released_on(date, os.environ))
    all_reads, unread = tried([shown], lambda as_published: read_campaign(as_published, progress))
    if undated or unread:
        raise BadInput([*undated, *unread])
    date, reads = dates[0], all_reads[0]
    read = reads[campaign.versions.index(version)]
    names = names_by_version(shown, reads)[version]
    progress(f"{campaign.id} {version}: computing agreement")
    report = compute(shown, read, names)
    # What is rendered hangs on the files alone.
    report = replace(report, texts=report.texts and read_back(report.texts))
    progress(f"{campaign.id} {version}: writing pages")
    files = {
        **_report(report, campaign.language, parquet=choice.parquet),
        **_campaign(shown, guidelines, names),
        **(exported(campaign, guidelines, names, everybody_in(read)) if choice.exports else {}),
    }
    done = with_metadata(Released(report.results, tuple(campaign.language), date, files)).files
    done = {**done, there.CHECKSUMS: checksums(done).encode()}
    progress(f"{campaign.id} {version}: searching for names")
    hidden = secrets(shown, (annotations for read in reads for annotations in read.annotations), names)
    problems = [*notices(campaign, reads), *_undated(campaign, guidelines, date), *exposed(done, hidden)]
    return Bundled(done, report.results, date, problems)


def _undated(campaign: Campaign, version: Version, date: str | None) -> Iterator[Problem]:
    """Yield what to say where nobody says when the guidelines, or the release, are from."""
    if date is None:
        key = f"guidelines.{campaign.place(version.id) + 1}.date"
        message = "there is none, and SOURCE_DATE_EPOCH is not set: metadata that ask for a date go without."
        remedy = "Write date = 2009-06-01, the day when these guidelines came into use."
        yield Problem(campaign.file, 0, key, message, remedy)


def _report(report: Report, languages: Sequence[str], *, parquet: bool) -> dict[str, bytes]:
    """Return the version's folder, which is complete by itself, by its path in the bundle."""
    data = dict(version_data(report.results, report.beside, report.texts))
    pages = version_pages(report.results, data, report.texts, languages, in_site=False)
    # One page after the other: of ten thousand documents there are hundreds of megabytes.
    files = {f"{there.REPORT}{name}": text.encode() for name, text in chain(data.items(), pages)}
    if parquet:
        files |= as_parquet(files)
    sums = checksums({name.removeprefix(there.REPORT): content for name, content in files.items()})
    return {**files, f"{there.REPORT}{there.CHECKSUMS}": sums.encode()}


def _campaign(campaign: Campaign, version: Version, names: Pseudonyms) -> dict[str, bytes]:
    """Return campaign.toml in its published form, with the files that it names beside its counts."""
    beside = published_files(campaign, version.id).items()
    files = {path: read_bytes(campaign.folder / name, version.shown(name)) for path, name in beside}
    return {there.CAMPAIGN: published(campaign, version.id, names).encode(), **files}


# Counts as Parquet, beside each CSV: the same rows, whole numbers as numbers and all else as text.
#
# The bytes hang on the version of pyarrow that wrote them, and are no part of what is promised to be the
# same.

CSV, PARQUET = ".csv", ".parquet"
# The columns that hold how many; every other one is a name or a label, also where it looks like a number.
NUMBERS = frozenset(("n",))


def missing() -> Iterator[Problem]:
    """Yield a problem where the package that writes Parquet is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        message = "needs the package pyarrow, which is not installed."
        yield Problem("--parquet", message=message, remedy='Install reportgen with the extra "parquet".')


def as_parquet(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return each table of counts once more, by its path in the bundle."""
    tables = [name for name in files if name.startswith(there.COUNTS) and name.endswith(CSV)]
    return {f"{name.removesuffix(CSV)}{PARQUET}": _parquet(files[name].decode()) for name in tables}


def _parquet(text: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    head, *cells = rows(text, ",")
    arrays = [
        pa.array(map(int, column), pa.int64()) if name in NUMBERS else pa.array(column, pa.string())
        for name, column in zip(head, list(zip(*cells, strict=True)) or [()] * len(head), strict=True)
    ]
    buffer = io.BytesIO()
    # Nothing is compressed, so that a search of the bundle for names finds all that it holds.
    pq.write_table(pa.table(arrays, names=head), buffer, compression="none")
    return buffer.getvalue()


# Where a bundle goes: a zip file or a folder, whole or not at all, in the place of nothing but a bundle.

ZIP = ".zip"
OTHER = "Choose another name with --out."
BESIDE = "Choose a place beside it with --out."
OUTSIDE = "Choose a place outside of it with --out."
# What is read of a zip file to tell whether it is one of ours: a list of checksums, and each entry in parts.
LONGEST_LIST = 50_000_000
PART = 1 << 20


def is_zip(out: Path) -> bool:
    """Tell whether a bundle goes into one file."""
    return out.suffix.lower() == ZIP


def obstacles(out: Path, campaign: Path) -> list[Problem]:
    """Return why a bundle of a campaign can't go to `out`: nothing where that is new, or a bundle of ours."""
    obstacle = site_folder.first_obstacle(
        out, lambda target: _in_the_way(out, target, campaign.resolve()), OTHER
    )
    return obstacle or ([] if is_zip(out) else site_folder.refusals(out, stranger))


def write_bundle(out: Path, files: Mapping[str, bytes]) -> str | None:
    """Write a bundle; return the SHA-256 of its file, None of a folder. Raises BadInput where it can't be."""
    if is_zip(out):
        content = as_zip(files)
        site_folder.write_file(out, content)
        return hashlib.sha256(content).hexdigest()
    with site_folder.replacing(out, stranger) as folder:
        site_folder.write_below(folder, files)
        # Modes are the same whatever the umask.
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    return None


def _in_the_way(out: Path, target: Path, campaign: Path) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    if not out.name:
        yield "names no file.", "Name FILE.zip or a new folder with --out."
    if target.is_relative_to(campaign):
        yield f"lies in the campaign's folder {campaign.name}.", BESIDE
    elif campaign.is_relative_to(target):
        yield f"contains the campaign's folder {campaign.name}.", BESIDE
    if any((above / site_folder.MEMORY).exists() for above in target.parents):
        yield "lies in a site, which the next build replaces.", OUTSIDE
    if (target / site_folder.MEMORY).exists():
        yield "is a site.", OUTSIDE
    if any(
        (above / there.CHECKSUMS).exists() and (above / there.RESULTS).exists() for above in target.parents
    ):
        yield "lies in a bundle.", OUTSIDE
    if is_zip(out):
        yield from _in_the_way_of_a_file(target)
    elif target.is_file():
        yield "is a file.", "Name a file that ends in .zip, or a folder."


def _in_the_way_of_a_file(target: Path) -> Iterator[tuple[str, str]]:
    if target.is_dir():
        yield "is a folder, and its name that of a file.", "Choose FILE.zip, or a folder without .zip."
    elif target.exists() and not target.is_file():
        yield "is no file that can be replaced.", OTHER
    elif target.exists() and not _is_bundle(target):
        yield "is no bundle as reportgen wrote it.", f"Remove it first, or c{OTHER[1:]}"
    yield from site_folder.unwritable(target, OTHER)


# What is a bundle of ours


def stranger(folder: Path) -> str | None:
    """Return the name of a file in a folder that no bundle of ours has, or has with other bytes."""
    sums, page = folder / there.CHECKSUMS, folder / there.PAGE
    ours = (
        listed(sums.read_bytes()) if sums.is_file() and page.is_file() and _is_page(page.read_bytes()) else {}
    )

    def foreign(path: Path) -> bool:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or path.is_dir() or path.name in site_folder.LITTER:
            return path.is_symlink()
        if name == there.CHECKSUMS:
            return not ours
        # What no list names is not read: it may be large, or nothing that ends, as a pipe.
        return name not in ours or hashlib.sha256(path.read_bytes()).hexdigest() != ours[name]

    def stop(error: OSError) -> None:
        raise error

    for above, folders, files in os.walk(folder, onerror=stop):
        for name in sorted((*folders, *files)):
            if foreign(Path(above) / name):
                return (Path(above) / name).relative_to(folder).as_posix()
    return None


def _is_page(content: bytes) -> bool:
    return site_folder.MARK.encode() in content[:PART]


def _is_bundle(file: Path) -> bool:
    """Tell whether a zip file holds a bundle of ours, as it was written: nothing is unpacked to find out."""
    with file.open("rb") as opened:
        try:
            return _holds_bundle(zipfile.ZipFile(opened))
        except (*DAMAGED, RuntimeError):  # the last of a member that wants a password
            return False


def _holds_bundle(archive: zipfile.ZipFile) -> bool:
    entries = {entry.filename: entry for entry in archive.infolist()}
    stored = all(
        (entry.compress_type, entry.compress_size) == (zipfile.ZIP_STORED, entry.file_size)
        for entry in entries.values()
    )
    if (
        not stored
        or not {there.CHECKSUMS, there.PAGE} <= entries.keys()
        or entries[there.CHECKSUMS].file_size > LONGEST_LIST
    ):
        return False
    ours = listed(archive.read(there.CHECKSUMS))
    with archive.open(there.PAGE) as page:
        if entries.keys() != {*ours, there.CHECKSUMS} or not _is_page(page.read(PART)):
            return False
    for name, digest in ours.items():
        with archive.open(name) as file:
            # It reads alone.
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:  # type: ignore[arg-type]
                return False
    return True
