"""Releases for tests: a version's results and the files of its report, without a whole bundle around them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from reportgen.publish import bundle_files as there
from reportgen.publish import metadata
from reportgen.publish.bundle_files import Released
from reportgen.report.site import version_pages
from reportgen.results import Results, dumps
from reportgen.results.versions import version_data
from tests import hostile
from tests.campaigns import GENE_RENAMING, report_of

IN_TEXTS = GENE_RENAMING.parent / "gene-renaming-in-texts"


def released(folder: Path, languages: tuple[str, ...] = ("en", "fr")) -> Released:
    """Return the newest version of a campaign with the files of its report, ready for its metadata."""
    found = report_of(folder)
    results = Results.model_validate_json(dumps(found.results))
    data = dict(version_data(results, found.beside))
    pages = version_pages(results, data, None, languages, in_site=False)
    files = {f"{there.REPORT}{name}": text.encode() for name, text in (*data.items(), *pages)}
    return Released(results, languages, results.revision.released, files)


@cache
def example(*, in_texts: bool = False) -> Released:
    """Return the release of an example campaign, made once for all tests."""
    return released(IN_TEXTS if in_texts else GENE_RENAMING)


@cache
def attacked(name: str) -> Released:
    """Return the release of a hostile campaign, made once for all tests."""
    with TemporaryDirectory() as folder:
        hostile.write(Path(folder))
        return released(Path(folder) / name)


def with_files(given: Released, files: Mapping[str, bytes]) -> Released:
    """Return a release with just some files."""
    return Released(given.results, given.languages, given.date, files)


def on_disk(given: Released, folder: Path) -> Path:
    """Write a release with its crate; return the folder."""
    given = with_files(given, {**given.files, there.CRATE: metadata.ro_crate(given).encode()})
    for name, content in given.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
