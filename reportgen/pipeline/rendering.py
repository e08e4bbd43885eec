"""From the files of results in a folder of the site to the pages beside them."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from reportgen.base.atomic_replace import HISTORY
from reportgen.report.comparison import comparison_pages
from reportgen.report.history import campaign_pages
from reportgen.report.site import version_page, version_pages
from reportgen.results import Part, Results
from reportgen.results.comparison import Changed, VersionComparison
from reportgen.results.history import History
from reportgen.results.texts import Texts

RESULTS, TEXTS, COMPARISON, CHANGED = "results.json", "texts.json", "comparison.json", "changed.json"
COUNTS = "counts/annotators.csv"
SomePart = TypeVar("SomePart", bound=Part)


def pages_of(folder: Path, data: Collection[str], languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a folder; `data` names the files of results, which stand there already."""
    if RESULTS in data:
        texts = read_part(Texts, folder / TEXTS) if TEXTS in data else None
        yield from version_pages(read_part(Results, folder / RESULTS), data, texts, languages)
    elif COMPARISON in data:
        changed = read_part(Changed, folder / CHANGED) if CHANGED in data else None
        yield from comparison_pages(read_part(VersionComparison, folder / COMPARISON), changed, languages)
    else:
        yield from campaign_pages(read_part(History, folder / HISTORY), languages)


def page_of(folder: Path, data: Collection[str], languages: Sequence[str], wanted: str) -> str | None:
    """Return one page of a folder, by its name there; None where nothing that is rendered is called so."""
    if RESULTS in data:
        texts = read_part(Texts, folder / TEXTS) if TEXTS in data else None
        return version_page(read_part(Results, folder / RESULTS), texts, languages, wanted)
    return next((text for name, text in pages_of(folder, data, languages) if name == wanted), None)


def read_part(part: type[SomePart], path: Path) -> SomePart:
    """Return results as they stand in a file."""
    return part.model_validate_json(path.read_bytes())
