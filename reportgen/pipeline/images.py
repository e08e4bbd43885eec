"""Figures as PNG and PDF beside their SVG, for papers and slides.

These files depend on a machine's fonts: they are no part of what a site promises byte by byte, no SHA256SUMS
lists them, and a build that is not asked for them leaves them out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from reportgen.base.atomic_replace import HISTORY
from reportgen.figures import Drawing
from reportgen.pipeline.rendering import CHANGED, COMPARISON, RESULTS, read_part
from reportgen.report.comparison import ComparisonView
from reportgen.report.history import HistoryView
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.comparison import Changed, VersionComparison
from reportgen.results.history import History
from reportgen.words.language import ENGLISH, Edition, writing

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
        return (each.file for each in HistoryView(read_part(History, data / HISTORY)).charts())
    return None
