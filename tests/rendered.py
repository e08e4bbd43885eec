"""Whole folders of a site as tests read them: what is computed, and what is rendered of it."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.base.files import checksum_list
from reportgen.base.site_folder import CHECKSUMS
from reportgen.report.markdown_blocks import campaign_page
from reportgen.report.sections.history_page import history_page
from reportgen.report.site import (
    campaign_pages,
    comparison_pages,
    version_pages,
    write_file,
    write_files,
)
from reportgen.results import Results, dumps
from reportgen.results.texts import Texts
from reportgen.results.versions import Changed, History, VersionComparison, comparison_data, version_data
from reportgen.words.language import ENGLISH
from tests.campaigns import report_of

Files = Iterator[tuple[str, str]]


def version_files(results: Results, beside: Mapping[str, str], texts: Texts | None = None) -> Files:
    """Yield the name and text of every file of a version's folder; `beside` are those not made here.

    Without `texts` there are no pages of documents and disagreements, and no links to them.
    """
    yield from version_data(results, beside, texts)
    yield from version_pages(results, beside, texts, (ENGLISH,))


def files_of(folder: Path) -> dict[str, str]:
    """Return the files of a campaign's newest version, without pages of texts."""
    report = report_of(folder)
    return dict(version_files(report.results, report.beside))


def rows_of(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def as_csv(rows: Sequence[Mapping[str, str]], delimiter: str = ",", end: str = "\n") -> str:
    """Return rows as a CSV file, its columns those of the first."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def write_version(
    folder: Path, results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> None:
    """Write a version's folder in English, with the checksum of each of its files."""
    sums = write_files(folder, version_files(results, beside, texts))
    write_file(folder / CHECKSUMS, checksum_list(sums))


def campaign_files(history: History, languages: Sequence[str] = (ENGLISH,)) -> Files:
    """Yield the name and text of every file that is in a campaign's folder beside its versions."""
    yield "history.json", dumps(history)
    yield from campaign_pages(history, languages)


def history_markdown(history: History) -> str:
    """Return the history as Markdown."""
    return campaign_page(history_page(history))


def comparison_files(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Files:
    """Yield the name and text of every file of `compare/<A>...<B>/`.

    Without `changed` there is no changed.json, and no unit is shown in its text.
    """
    yield from comparison_data(comparison, changed)
    yield from comparison_pages(comparison, changed, languages)
