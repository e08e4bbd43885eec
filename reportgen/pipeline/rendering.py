"""From the files of results in a folder of the site to the pages and images beside them."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from reportgen.base.atomic_replace import HISTORY
from reportgen.figures import Drawing
from reportgen.report.campaign_files import campaign_pages, comparison_pages, history_drawings
from reportgen.report.comparison_view import ComparisonView
from reportgen.report.site import version_page, version_pages
from reportgen.report.view import ReportView
from reportgen.results import Part, Results
from reportgen.results.comparison import CHANGED, COMPARISON, RESULTS, TEXTS, Changed, VersionComparison
from reportgen.results.history import History
from reportgen.results.texts import Texts
from reportgen.words.language import ENGLISH, Edition, writing

JOINED = (Results, VersionComparison, History)
SomePart = TypeVar("SomePart", bound=Part)


class ResultFiles:
    """The results in a campaign's files: a file is parsed once, one that was just made not at all."""

    def __init__(self) -> None:
        """Begin with no file known."""
        self._known: dict[Path, Part] = {}

    def keep(self, path: Path, part: Part) -> None:
        """Keep what a file holds for who reads it later."""
        self._known[path] = part

    def read(self, part: type[SomePart], path: Path) -> SomePart:
        """Return the results in a file; those that the campaign's history is joined from are kept."""
        known = self._known.get(path)
        if isinstance(known, part):
            return known
        found = read_part(part, path)
        if part in JOINED:
            self.keep(path, found)
        return found


def pages_of(
    folder: Path, data: Collection[str], languages: Sequence[str], files: ResultFiles
) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a folder; `data` names the files of results, which stand there already."""
    if RESULTS in data:
        texts = files.read(Texts, folder / TEXTS) if TEXTS in data else None
        yield from version_pages(files.read(Results, folder / RESULTS), data, texts, languages)
    elif COMPARISON in data:
        changed = files.read(Changed, folder / CHANGED) if CHANGED in data else None
        yield from comparison_pages(files.read(VersionComparison, folder / COMPARISON), changed, languages)
    else:
        yield from campaign_pages(files.read(History, folder / HISTORY), languages)


def page_of(folder: Path, data: Collection[str], languages: Sequence[str], wanted: str) -> str | None:
    """Return one page of a folder, by its name there; None where nothing that is rendered is called so."""
    files = ResultFiles()
    if RESULTS in data:
        texts = files.read(Texts, folder / TEXTS) if TEXTS in data else None
        return version_page(files.read(Results, folder / RESULTS), texts, languages, wanted)
    return next((text for name, text in pages_of(folder, data, languages, files) if name == wanted), None)


def read_part(part: type[SomePart], path: Path) -> SomePart:
    """Return results as they stand in a file."""
    return part.model_validate_json(path.read_bytes())


# Figures as PNG and PDF beside their SVG, for papers and slides.

KINDS = ("png", "pdf")
LANGUAGE = re.compile(r'<html[^>]* lang="?([\w-]+)')


def write_images(site: Path) -> int:
    """Write PNG and PDF beside every SVG of a site's figures; return how many figures there are."""
    count = 0
    for folder in sorted(each for each in site.rglob("figures") if each.is_dir()):
        pages = folder.parent
        # The folder of another language is in that of the first, where results are.
        data = next(each for each in (pages, pages.parent) if _drawings(each) is not None)
        with writing(Edition(_language(pages), first=data == pages)):
            for drawing in _drawings(data) or ():
                for kind in KINDS:
                    drawing.save(folder / f"{drawing.name}.{kind}")
                count += 1
    return count


def _language(pages: Path) -> str:
    """Return the language of a folder's pages."""
    found = LANGUAGE.search((pages / "index.html").read_text(encoding="utf-8"))
    return found[1] if found else ENGLISH


def _drawings(data: Path) -> Iterator[Drawing] | None:
    """Return the figures of a version, a comparison or a campaign; None where the folder has no results."""
    if (data / RESULTS).exists():
        return ReportView(read_part(Results, data / RESULTS)).drawings()
    if (data / COMPARISON).exists():
        changed = read_part(Changed, data / CHANGED) if (data / CHANGED).exists() else None
        return ComparisonView(read_part(VersionComparison, data / COMPARISON), changed).drawings()
    if (data / HISTORY).exists():
        return history_drawings(read_part(History, data / HISTORY))
    return None
