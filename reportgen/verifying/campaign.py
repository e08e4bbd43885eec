"""A campaign's part of a site: which folders it has, and what of them can be understood."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.exchange import HISTORY
from reportgen.results.history import History
from reportgen.verifying.comparison import Compared, read_comparison
from reportgen.verifying.outcome import Difference, Outcome
from reportgen.verifying.reading import Unusable, form, read
from reportgen.verifying.rendered import another_program
from reportgen.verifying.tree import Tree, Without
from reportgen.verifying.version import Version, check_listed, read_version

COMPARE = re.compile(r"(compare/(?=[^/]+\.\.\.[^/])[^/]+/)")
# What tells that a folder is a version's, even where its results are gone.
OF_VERSION = ("results.json", "report.html", "report.md")


@dataclass(frozen=True)
class Campaign:
    """A campaign's part of a site: where it stands, with its "/", and what of it can be understood."""

    files: Tree
    folder: str
    versions: Mapping[str, Version]
    comparisons: Mapping[str, Compared]
    history: History | None
    faults: Sequence[Difference]


def _folders(files: Tree, folder: str) -> tuple[list[str], list[str]]:
    """Return the folders of versions and of comparisons in a campaign's, each with its "/"."""
    here = files.below(folder)
    versions = {name.partition("/")[0] for name in here if name.partition("/")[2] in OF_VERSION}
    comparisons = {found[1] for name in here if (found := COMPARE.match(name))}
    return [f"{each}/" for each in sorted(versions)], sorted(comparisons)


def check_sums(files: Tree, folder: str) -> Iterator[Outcome]:
    """Yield what comes of the checksums of each version and comparison, and of the campaign's own files."""
    versions, comparisons = _folders(files, folder)
    for each in (*versions, *comparisons):
        yield check_listed(files, folder + each, images=True)
    yield check_listed(own_files(files, folder), folder, images=True)


def own_files(files: Tree, folder: str) -> Tree:
    """Return the files that stand in a campaign's folder and in none of its versions or comparisons."""
    inside = tuple(folder + each for both in _folders(files, folder) for each in both)
    return Without(files, inside)


def read_campaign(files: Tree, folder: str) -> Campaign:
    """Return a campaign's part of a site, with what in it can't be understood."""
    versions: dict[str, Version] = {}
    comparisons: dict[str, Compared] = {}
    faults: list[Difference] = []
    own, compared = _folders(files, folder)
    for each in own:
        try:
            versions[each] = read_version(files, folder + each)
        except Unusable as error:
            faults += error.differences
    for each in compared:
        try:
            comparisons[each] = read_comparison(files, folder + each)
        except Unusable as error:
            faults += error.differences
    joined = None
    try:
        joined = read(History, files.below(folder), HISTORY, folder + HISTORY)
        older = bool(another_program(joined.tool))
        faults += form(joined, files.below(folder), HISTORY, folder + HISTORY, older=older)
    except Unusable as error:
        faults += error.differences
    return Campaign(files, folder, versions, comparisons, joined, faults)
