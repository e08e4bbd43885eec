"""A version's report for word processors: a Word document or a workbook, by the ending of the file."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from reportgen.base.errors import Problem
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.pseudonym_memory import table_with
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import all_pseudonyms, compute, names_by_version
from reportgen.publish.gold_files import file_obstacles
from reportgen.report.office import paper_docx, tables_xlsx
from reportgen.report.view import ReportView
from reportgen.words.language import Edition, writing

# By its ending: who writes a file, and the package that this takes.
WRITERS: Mapping[str, tuple[Callable[[ReportView], bytes], str]] = {
    ".docx": (paper_docx, "docx"),
    ".xlsx": (tables_xlsx, "xlsxwriter"),
}
ZIP = "PK"


def office_file(
    campaign: Campaign, version: str, suffix: str, language: str, progress: Steps = lambda _: None
) -> tuple[bytes, bytes]:
    """Return a version's report as a file that ends so, and the table of pseudonyms that is to be kept.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong.
    """
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    report = compute(campaign, read, names_by_version(campaign, reads)[version])
    write, _package = WRITERS[suffix.lower()]
    with writing(Edition(language)):
        content = write(ReportView(report.results))
    return content, table_with(campaign, all_pseudonyms(campaign, reads))


def paper_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why no report can go to `out`: what is there may have been edited, and is never replaced."""
    suffix = out.suffix.lower()
    if suffix not in WRITERS:
        ending = f"ends in {suffix}, which is not written." if suffix else "has no ending."
        return [Problem(str(out), message=ending, remedy="Name a file that ends in .docx or .xlsx.")]
    if find_spec(WRITERS[suffix][1]) is None:
        message = f"needs the package {WRITERS[suffix][1]}, which is not installed."
        return [Problem(str(out), message=message, remedy='Install reportgen with the extra "office".')]
    if out.exists():
        remedy = "Remove it first, or choose another with --out."
        return [Problem(str(out), message="is there already, and may have been edited.", remedy=remedy)]
    return file_obstacles(out, campaign, (ZIP,))
