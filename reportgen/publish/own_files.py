"""Files that a campaign's people keep to themselves: where they may go, and the key to pseudonyms."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.annotators.adjudication_sheets import written
from reportgen.base.errors import BadInput, Problem, reason
from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, LITTER, MEMORY, refusals, write_file
from reportgen.campaign import Campaign
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import names_by_version
from reportgen.results.comparison import RESULTS
from reportgen.results.model import csv_text
from reportgen.units import Pseudonyms

CSV, JSON_LINES = ".csv", ".jsonl"
# What is surely meant to be a file; "gold-1.0" is a folder.
OTHER_FILES = (".json", ".tsv", ".txt", ".ann", ".xlsx", ".xml", ".zip", ".conll", ".parquet")
OTHER_FILE = "Name a file that ends in .csv or .jsonl, or a new folder for brat."
ELSEWHERE = "Choose a place outside of it with --out."

# Where a file goes: never into a site, a bundle or the exports, and never over what somebody else wrote.


def gold_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a gold standard can't go to `out`: nothing where that is new, or a gold file of ours."""
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        return _obstacles(out, campaign, ("layer,document,unit,offsets,", '{"layer": '))
    if suffix in OTHER_FILES:
        return [Problem(str(out), message=f"ends in {suffix}, which is not written.", mend=OTHER_FILE)]
    return _obstacles(out, campaign, None) or refusals(out, any_file)


def key_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why the key to pseudonyms can't go to `out`: nothing where that is new, or a key of ours."""
    if out.suffix.lower() != CSV:
        return [Problem(str(out), message="does not end in .csv.", mend="Name a file that ends in .csv.")]
    return _obstacles(out, campaign, ("kind,pseudonym,name",))


def _obstacles(out: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> list[Problem]:
    """Return why a file can't go to `out`; `ours` are the beginnings of files that it may replace.

    Without `ours` it is a folder.
    """
    try:
        found = next(_in_the_way(out.resolve(), campaign, ours), None)
    except (OSError, RuntimeError, ValueError) as error:
        found = f"can't be used: {reason(error)}.", OTHER_FILE
    return [Problem(str(out), message=found[0], mend=found[1])] if found else []


def _in_the_way(target: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    here = campaign.folder.resolve()
    for above in (target, *target.parents):
        if (above / MEMORY).exists():
            yield "lies in a site, which others read.", ELSEWHERE
        if (above / CHECKSUMS).exists() and ((above / RESULTS).exists() or (above / "report").is_dir()):
            yield "lies in a report or a bundle, which others read.", ELSEWHERE
    if target.is_relative_to(here) and _is_export(target.relative_to(here).as_posix(), campaign):
        yield "lies in the exports, and would be read as one.", ELSEWHERE
    if here.is_relative_to(target):
        yield f"holds the campaign's folder {campaign.name}.", "Choose a new folder beside it with --out."
    if ours is None and target.is_file():
        yield "is a file.", OTHER_FILE
    if ours is not None and target.exists() and not _begins(target, ours):
        yield "is no such file as reportgen wrote it.", "Remove it first, or choose another with --out."


def _is_export(inside: str, campaign: Campaign) -> bool:
    """Tell whether a path in the campaign's folder is one that the exports of a version name."""
    patterns = (each for version in campaign.guidelines for each in version.exports)
    return any(fnmatchcase(inside, each) or fnmatchcase(inside, f"{each}/*") for each in patterns)


def _begins(target: Path, ours: tuple[str, ...]) -> bool:
    """Tell whether a file is empty or begins as one of ours."""
    if not target.is_file():
        return False
    longest = max(map(len, ours))
    with target.open(encoding="utf-8", errors="replace") as file:
        start = file.read(longest)
    return not start or start.startswith(ours)


def any_file(folder: Path) -> str | None:
    """Return the name of a file in a folder: what is there may be somebody's corpus."""
    return next((each.name for each in sorted(folder.iterdir()) if each.name not in LITTER), None)


# Who is A01? For the campaign's own people alone.

KEY_HEAD = ("kind", "pseudonym", "name")


def pseudonym_key(campaign: Campaign, progress: Steps = lambda _: None) -> list[tuple[str, str, str]]:
    """Return kind, pseudonym and name of everybody and everything that has a pseudonym in any version.

    Raises BadInput where names are shown, so that nothing has one.
    """
    every = Pseudonyms()
    for each in names_by_version(campaign, read_campaign(campaign, progress)).values():
        every |= each
    kinds = (("annotator", every.annotators), ("document", every.documents), ("unit", every.units))
    rows = [(kind, called, name) for kind, names in kinds for name, called in names.items()]
    if not rows:
        message, mend = "there are no pseudonyms: names are shown.", "There is no key to write."
        raise BadInput([Problem(campaign.file, 0, "privacy.annotators", message, mend)])
    return sorted(rows, key=lambda row: (row[0], len(row[1]), row[1]))


def write_key(rows: Iterable[tuple[str, str, str]], out: Path) -> None:
    """Write the key as CSV, which its owner alone may read. Raises BadInput."""
    cells = ([written(cell) for cell in row] for row in rows)
    write_file(out, csv_text(KEY_HEAD, cells).encode(errors="replace"))
    out.chmod(0o600)
