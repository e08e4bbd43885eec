"""Checks of one version's folder, in a site or a bundle, and of a campaign's part of a site."""

import datetime as dt
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import combinations
from typing import Any, Generic, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import in_plain_words
from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, DATED, FIGURES, HISTORY, INDEX, PAINTED, comparison_folder
from reportgen.findings import find_changes
from reportgen.pipeline.version_reports import Report
from reportgen.publish.bundle import WRITERS
from reportgen.publish.bundle_files import EXPORTS, REPORT, Released
from reportgen.publish.verify import differences, recomputing
from reportgen.publish.verify.differences import (
    Discrepancy,
    Outcomes,
    Rounded,
    Unchecked,
    Unusable,
    compare,
    content,
    differing,
)
from reportgen.publish.verify.file_tree import Tree, check_checksums, languages_of
from reportgen.publish.verify.recomputing import COUNTS, RESULTS, Recomputed, check_findings
from reportgen.report.site import campaign_pages, comparison_pages, version_pages
from reportgen.results import ResultModel, Results, Tool, drop_retired, dumps, is_retired
from reportgen.results.texts import Texts
from reportgen.results.versions import (
    CHANGED,
    COMPARISON,
    TEXTS,
    Changed,
    History,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)
from reportgen.versions.comparisons import history

# A folder of a site that has results, of a version, a comparison or a campaign.

Whole = TypeVar("Whole", Results, VersionComparison, History)
Beside = TypeVar("Beside", bound=ResultModel)


@dataclass(frozen=True)
class Folder(Generic[Whole, Beside]):
    """A folder: where it is, with its "/", its results, what is beside them, and where these are not ours."""

    files: Tree
    path: str
    results: Whole
    beside: Beside | None
    faults: Sequence[Discrepancy | Unchecked]

    @property
    def here(self) -> Tree:
        """Return the folder's own files."""
        return self.files.below(self.path)


def read_folder(
    files: Tree, path: str, results: tuple[str, type[Whole]], beside: tuple[str, type[Beside]]
) -> Folder[Whole, Beside]:
    """Return what is in a folder; `results` and what is `beside` them, which may be absent, by their names.

    Raises Unusable where one can't be understood.
    """
    (name, whole), (second, other) = results, beside
    part_results = differences.read_part(whole, files, path + name)
    part_beside = differences.read_part(other, files, path + second) if path + second in files else None
    parts: dict[str, ResultModel] = {path + name: part_results}
    if part_beside is not None:
        parts[path + second] = part_beside
    return Folder(files, path, part_results, part_beside, ill_written(files, parts, part_results.tool))


def ill_written(files: Tree, parts: Mapping[str, ResultModel], tool: Tool) -> list[Discrepancy | Unchecked]:
    """Return where files of parts of results are not as reportgen writes them.

    An older version may have broken lines elsewhere, and have had fewer keys: of its files the values alone
    are compared, but for those that only older versions wrote.
    """
    faults: list[Discrepancy | Unchecked] = []
    older = differences.another_program(tool)
    for file, part in parts.items():
        recorded, due = (differences.parsed(files, file), content(part)) if older else (None, None)
        drop_retired(type(part), due)
        if gone := drop_retired(type(part), recorded):
            faults.append(Unchecked(RETIRED_PARTS, older, differences.numbers_in(gone) or len(gone)))
        if not (older and _has(due, recorded)):
            faults += differing(file, files[file], dumps(part).encode(), "form")
    return faults


def _has(value: Any, part: Any) -> bool:  # noqa: ANN401 - any JSON values
    """Tell whether a JSON value has all that another one has; objects may have more keys."""
    if isinstance(value, Mapping) and isinstance(part, Mapping):
        return all(key in value and _has(value[key], part[key]) for key in part)
    if isinstance(value, list) and isinstance(part, list):
        return len(value) == len(part) and all(map(_has, value, part))
    return type(value) is type(part) and bool(value == part)


def painted(files: Tree, folder: str) -> list[str]:
    """Return the figures of a folder, by their paths there, that were painted beside one that is listed."""
    here = files.below(folder)
    return [
        name
        for name in here
        if name.endswith(PAINTED)
        and f"/{name}".rpartition("/")[0].endswith(f"/{FIGURES}")
        and f"{name.rpartition('.')[0]}.svg" in here
    ]


def check_listed(files: Tree, folder: str) -> Outcomes:
    """Check the checksums of a folder of a site; images beside figures are listed nowhere."""
    aside = painted(files, folder)
    yield from check_checksums(files, folder, aside)
    if aside:
        yield Unchecked("PNG and PDF of figures", BY_HAND, len(aside))


# Are pages, tables and figures what this version of reportgen makes of the recorded results?

PAGES = "pages, tables and figures"
UNRENDERED = "they can't be rendered again"
BY_HAND = "`build --figures` painted them; no checksum lists them"
RETIRED_PARTS = "results that this version does not compute any more"
OTHERS_FILES = "files that one version writes and the other does not"
DRAWINGS, METADATA = "drawings", "metadata files"
RENDERED = (".html", ".md", ".csv", ".svg", ".tex", ".bib")
Files = Iterable[tuple[str, str]]


def compare_rendered(
    folder: Folder[Whole, Beside],
    rendered: Callable[[], Files],
    data: Collection[str],
    unsure: Mapping[str, str] = {},
) -> Outcomes:
    """Compare the files of a folder with what is rendered of its results.

    `data` are those that are not rendered; of those in `unsure` results do not tell what they hold, and why.
    """
    here, path, tool = folder.here, folder.path, folder.results.tool
    others = [name for name in here if name not in data and name != CHECKSUMS]
    older = differences.another_program(tool)
    try:
        pages = dict(rendered())
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        if not older:
            what = f"can't be rendered again from the recorded results: {in_plain_words(error)}."
            yield Discrepancy(path or ".", what, "pages")
        yield Unchecked(PAGES, older or UNRENDERED, len(others))
        return
    yield "pages", sum(name in here for name in pages)
    for name in sorted(pages.keys() & here.keys() - unsure.keys()):
        yield from compare_text(path + name, here[name], pages[name], tool)
    for name in sorted(pages.keys() - here.keys()):
        yield missing(path + name, "the recorded results give it", older)
    for name in others:
        if name in unsure and (name not in pages or here[name] != pages[name].encode()):
            yield Unchecked("tables", unsure[name])
        elif name not in unsure and name not in pages and older:
            yield Unchecked(OTHERS_FILES, older)
        elif name not in unsure and name not in pages:
            why = differences.OF_OLDER if is_retired(name) else "the recorded results do not give it"
            yield Discrepancy(path + name, f"was added: {why}.", "pages")


def missing(name: str, why: str, older: str) -> Discrepancy | Unchecked:
    """Return what is said of a file that is not there; another version may not write it."""
    return Unchecked(OTHERS_FILES, older) if older else Discrepancy(name, f"is missing: {why}.", "pages")


def compare_text(name: str, content: bytes, due: str, tool: Tool) -> Outcomes:
    """Compare a file with what is written again of the same results: byte for byte where that can be.

    Another version may say it in other words, and other libraries may draw it otherwise: neither is compared.
    """
    if content == due.encode():
        return
    text, other_libraries = content.decode(errors="replace"), differences.other_libraries(tool)
    if older := differences.another_program(tool):
        yield Unchecked(PAGES if name.endswith(RENDERED) else METADATA, older)
    elif other_libraries and without_drawings(text) == without_drawings(due):
        yield Unchecked(DRAWINGS, other_libraries)
    else:
        yield from differing(name, content, due.encode(), "pages")


def without_drawings(text: str) -> str:
    """Return a page without its drawings."""
    first, *others = text.split("<svg")
    return first + "".join(other.partition("</svg>")[2] for other in others)


# Tables that are beside results.json because they are too large for it: which of them may be there.

WITHOUT = "results.json has them in part, and counts alone do not give them"
MANY_LEFT_OUT = 1000
CELLS = "tables/cells.csv"


def unsure_tables(results: Results) -> Iterator[str]:
    """Yield the tables that may be in a version's folder and can't be rendered from its results."""
    spans, comparisons = results.spans, results.comparisons
    possible: dict[str, object] = {
        "left-out": results.marks.left_out > MANY_LEFT_OUT,
        "pairs": any(not unit_set.pairs for unit_set in results.unit_sets),
        "comparisons-of-all": comparisons and any(comparison.crowded for comparison in comparisons.sets),
        "spans": spans and any(layer.crowded for layer in spans.layers),
        "spans-by-document": spans and any(pair.by_document is None for pair in spans.pairs),
        "spans-by-document-and-type": spans and any(len(layer.types) > 1 for layer in spans.layers),
        "adjudication": any(adjudication.listed for adjudication in results.adjudication or ()),
        **{f"bdm-{distance.id}": distance.origin for distance in results.distances},
    }
    for quality in results.quality or ():
        layer, controls = quality.layer, quality.controls
        possible |= {
            f"annotators.{layer}": quality.annotators_in_all > len(quality.annotators),
            f"controls-{layer}": controls and controls.annotators_in_all > len(controls.annotators),
            f"dawid-skene.{layer}": quality.dawid_skene.undefined is None,
        }
    return (f"tables/{name}.csv" for name, there in possible.items() if there)


# One guidelines version: its results against its counts, its pages against its results.

# How a page that is in a site begins: it leads up to the campaign's.
UP = b'<p class="crumbs"><a '
PARQUET = ".parquet"
AS_CSV = "their bytes hang on the version of pyarrow; the CSV beside each was checked"
# What rules and the program give, not the exports: another version has others.
BY_RULES = frozenset(("findings", "catalogue"))
DESCRIBED, DAMAGED = "counts/counts.json", "there is nothing to compute them from"
NAMES_OF_COUNTS, NO_FIGURE = (
    "order of labels, candidates, size of the inventory, and whose marks were left out, in counts.json",
    "no figure hangs on it",
)
Version = Folder[Results, Texts]


def read_version(files: Tree, path: str) -> Version:
    """Return the results in a version's folder; raises Unusable where they can't be understood."""
    return read_folder(files, path, (RESULTS, Results), (TEXTS, Texts))


def check_figures(version: Version, recomputed: Recomputed) -> Outcomes:
    """Compare recorded figures, and tables beside them, with those computed again from counts."""
    recorded, (report, wrong) = content(version.results), recomputed
    if report is None:
        yield from wrong
        yield Unchecked("figures of results.json", DAMAGED, differences.numbers_in(recorded["unit_sets"]))
        return
    tool = version.results.tool
    older, nearly = differences.another_program(tool), differences.other_libraries(tool)
    due, file = content(report.results), version.path + RESULTS
    yield from differences.compare(recorded, due, file, older=older, nearly=nearly)
    yield from wrong
    yield from _tables(version, report, lambda name: name.startswith(COUNTS) or name == CELLS)
    if DESCRIBED in version.here:
        yield Unchecked(NAMES_OF_COUNTS, NO_FIGURE)
    if version.beside is not None:
        number = len(version.beside.documents)
        yield Unchecked(f"texts and marks in {TEXTS}", differences.WITHOUT_EXPORTS, number)


def check_exports(version: Version, recomputed: Recomputed) -> Outcomes:
    """Compare results, texts and tables with those computed again from exports.

    They are the same bytes where the same version and libraries made them.
    """
    report, wrong = recomputed
    if report is not None:
        recorded, tool = version.results, version.results.tool
        other_version = differences.another_version(tool)
        file, due = version.path + RESULTS, report.results.model_copy(update={"tool": tool})
        both = [content(results) for results in (recorded, due)]
        if differences.another_program(tool):
            both = [{key: value for key, value in each.items() if key not in BY_RULES} for each in both]
        compared = list(_whole(both, file, tool))
        yield from compared
        if not (other_version or any(isinstance(outcome, Discrepancy) for outcome in compared)):
            yield from differing(file, version.here[RESULTS], dumps(due).encode(), "exports")
        yield from _texts(version, report)
        yield from _tables(version, report, lambda _: True)
    yield from wrong


def _whole(both: Sequence[Any], file: str, tool: Tool) -> Outcomes:
    """Compare what is recorded with all that exports give."""
    older, nearly = differences.another_program(tool), differences.other_libraries(tool)
    return differences.compare(both[0], both[1], file, "exports", whole=True, older=older, nearly=nearly)


def _texts(version: Version, report: Report) -> Outcomes:
    name, tool = version.path + TEXTS, version.results.tool
    if version.beside is None and report.texts is not None:
        yield Discrepancy(name, "is missing: the exports give it, and the settings show it.", "exports")
    elif version.beside is not None and report.texts is None:
        yield Discrepancy(name, "was added: the exports do not give it, or the settings hide it.", "exports")
    elif version.beside and report.texts and differences.another_version(tool):
        yield from _whole([content(version.beside), content(report.texts)], name, tool)
    elif report.texts is not None:
        yield from differing(name, version.here[TEXTS], dumps(report.texts).encode(), "exports")


def _tables(version: Version, report: Report, is_due: Callable[[str], bool]) -> Outcomes:
    """Yield where counts, and tables too large for results, are not as they come out again."""
    here, path, tool = version.here, version.path, version.results.tool
    nearly = differences.other_libraries(tool)
    for name, text in report.beside.items():
        counts = name.startswith(COUNTS)
        if name not in here:
            if is_due(name):
                yield Discrepancy(path + name, "is missing: the figures give it.", "figures")
        elif differences.another_program(tool) and name == DESCRIBED:
            both = differences.parsed(here, name), json.loads(text)
            yield from _whole(both, path + name, tool)
        elif differences.another_program(tool) and not counts:
            yield from compare_text(path + name, here[name], text, tool)
        elif number := nearly and differences.rounded(here[name].decode(errors="replace"), text):
            yield Rounded(nearly, int(number))
        else:
            check: differences.Check = "figures" if counts or name == CELLS else "exports"
            yield from differing(path + name, here[name], text.encode(), check)
    for name in here:
        table = f"{name.removesuffix(PARQUET)}.csv" if name.endswith(PARQUET) else name
        if name.startswith(COUNTS) and table not in report.beside:
            yield Discrepancy(path + name, "was added: the figures do not give it.", "figures")


def check_pages(version: Version, *, images: bool) -> Outcomes:
    """Compare pages, tables and figures with what the recorded results give."""
    here, results = version.here, version.results
    unsure = {name: WITHOUT for name in unsure_tables(results) if name in here}
    data = {RESULTS, TEXTS, *(name for name in here if name.startswith(COUNTS))}
    # Counts give this table, results do not.
    if any(pair.confusion.cells is not None for unit_set in results.unit_sets for pair in unit_set.pairs):
        data.add(CELLS)
    in_site = "index.html" in here and UP in here["index.html"]
    aside = painted(version.files, version.path) if images else []
    languages = languages_of(here)

    def rendered() -> Files:
        return version_pages(results, data, version.beside, languages, in_site=in_site)

    yield from compare_rendered(version, rendered, [*data, *aside], unsure)
    if tables := sum(name.endswith(PARQUET) for name in here):
        yield Unchecked("Parquet tables", AS_CSV, tables)


# A bundle: its checksums, its report, and all that is written from the report beside it.


def check_bundle(files: Tree, progress: Steps) -> Outcomes:
    """Yield what comes of each check of a bundle."""
    progress("checksums")
    changed = list(check_checksums(files))
    yield from changed
    # The list of the report has to say the same of the report's files, which are counted already.
    if not any(isinstance(outcome, Discrepancy) for outcome in changed):
        report = check_checksums(files, REPORT)
        yield from (outcome for outcome in report if isinstance(outcome, Discrepancy))
    try:
        version = read_version(files, REPORT)
    except Unusable as error:
        yield from error.differences
        return
    yield from version.faults
    yield from recomputing.check_inputs(version.results, files)
    if refused := recomputing.too_large(version.results, version.here, REPORT):
        yield from refused
        return
    yield from _check_content(version, progress)
    yield from _check_metadata(files, version.results)


def _check_content(version: Version, progress: Steps) -> Outcomes:
    """Yield what comes of the checks of what a bundle's results say, and of its pages."""
    files, results = version.files, version.results
    progress("computing figures from counts")
    figures = list(check_figures(version, recomputing.from_counts(results, files)))
    progress("rendering pages")
    pages = list(check_pages(version, images=False))
    if any(name.startswith(EXPORTS) for name in files):
        progress("computing figures from exports")
        # What counts do not give, exports do; each number is reported once.
        figures = [outcome for outcome in figures if isinstance(outcome, Discrepancy)]
        figures += check_exports(version, recomputing.from_exports(results, files))
        pages = [outcome for outcome in pages if not isinstance(outcome, Unchecked) or outcome.why != WITHOUT]
    yield from figures
    yield from recomputing.check_labels(results, files)
    # These are compared with the figures as they are recorded, right or wrong.
    yield from recomputing.check_results(results, REPORT + RESULTS)
    yield from pages


def _check_metadata(files: Tree, results: Results) -> Outcomes:
    """Compare what machines and archives read with what is written of the report."""
    older = differences.another_program(results.tool)
    yield "pages", sum(name in files for name in WRITERS)
    base = {name: files[name] for name in files if name not in WRITERS and name != CHECKSUMS}
    released = Released(results, languages_of(files.below(REPORT)), results.revision.released, base)
    # Each is written after those that it may describe.
    for name, write in WRITERS.items():
        recorded = files.get(name, b"")
        try:
            due = write(released).encode()
        except Exception as error:  # noqa: BLE001 - files of a stranger, which may be made to fail anywhere
            what = f"can't be written again from the bundle's other files: {in_plain_words(error)}."
            yield Unchecked(METADATA, older) if older else Discrepancy(name, what, "pages")
            due = recorded
        if name in files:
            yield from compare_text(name, recorded, due.decode(errors="replace"), results.tool)
        else:
            yield missing(name, "the bundle's other files give it", older)
        # Another version described what it wrote itself.
        released = replace(released, files={**released.files, name: recorded if older else due})


# Two guidelines versions compared: what a comparison repeats, judges and renders.

# Twelve digits are written, and a difference is taken before: what differs by less is the same.
SAME = 1e-10
TESTS = "tests, intervals and differences between versions"
PAIRED = "they rest on what is in both versions, which takes the exports"
Compared = Folder[VersionComparison, Changed]
# What joins the versions of a campaign, with the files that are in none of them; nothing is beside it.
Joined = Folder[History, ResultModel]


def read_comparison(files: Tree, path: str) -> Compared:
    """Return what is in a comparison's folder; raises Unusable where it can't be understood."""
    return read_folder(files, path, (COMPARISON, VersionComparison), (CHANGED, Changed))


def _pair(compared: Compared) -> tuple[str, str]:
    """Return the names of the two versions."""
    return compared.results.first.guidelines, compared.results.second.guidelines


def check_comparison(compared: Compared, versions: Mapping[str, Results]) -> Outcomes:
    """Check a comparison; `versions` are the results of those that are known beside it."""
    files, folder, comparison, changed = compared.files, compared.path, compared.results, compared.beside
    yield from compared.faults
    yield from check_findings(comparison, folder + COMPARISON, find_changes)
    yield from _repeated(compared, versions)
    yield from _differences(comparison, folder + COMPARISON)
    yield Unchecked(TESTS, PAIRED, differences.numbers_in(content(comparison)))
    if changed is not None:
        units = sum(
            len(units_changed.mended) + len(units_changed.broken) + len(units_changed.disputed)
            for units_changed in changed.unit_sets
        )
        yield Unchecked(f"units in {CHANGED}", PAIRED, units)
    languages = languages_of(compared.here)
    data = [COMPARISON, CHANGED, *painted(files, folder)]
    yield from compare_rendered(compared, lambda: comparison_pages(comparison, changed, languages), data)


def _repeated(compared: Compared, versions: Mapping[str, Results]) -> Outcomes:
    """Compare the figures that a comparison repeats with those of its two versions."""
    for side, version in zip(("first", "second"), _pair(compared), strict=True):
        unit_sets = versions[version].unit_sets if version in versions else ()
        own = {(unit_set.layer, unit_set.id): unit_set.measures for unit_set in unit_sets}
        for revised in compared.results.unit_sets:
            figures = own.get((revised.layer, revised.unit_set), {}) if revised.basis == "all" else {}
            both = [(name, change) for name, change in revised.measures.items() if name in figures]
            recorded = {name: content(getattr(change, side)) for name, change in both}
            due = {name: content(figures[name]) for name in recorded}
            due = {
                name: {key: part[key] for key in recorded[name] if key in part} for name, part in due.items()
            }
            place = f"{side}: {revised.layer} {revised.unit_set}"
            yield from compare({place: recorded}, {place: due}, compared.path + COMPARISON, whole=True)


def _differences(comparison: VersionComparison, file: str) -> Iterator[Discrepancy]:
    """Yield differences that are not those of their two figures."""
    revisions: list[UnitSetRevision | SpanRevision] = [*comparison.unit_sets, *comparison.spans]
    for layer, name, change in ((each.layer, *both) for each in revisions for both in each.measures.items()):
        first, second, recorded = change.first.value, change.second.value, change.difference
        if first is None or second is None or recorded is None or abs(second - first - recorded) <= SAME:
            continue
        due = f"{second - first:.12g} by its two figures"
        what = f"{layer}: {name}: difference {recorded!r} recorded, {due}."
        yield Discrepancy(file, what, "figures")


# The moment that a campaign's feed was made with, where it dates versions that have no date of their own.

FEED = "feed.xml"
ENTRY = re.compile(r'<updated>([^<]*)</updated>\s*<link rel="alternate" href="([^"]*)/index\.html"')


def moment_of(joined: Joined) -> str | None:
    """Return the seconds since 1970 that a feed gives to versions without a date; None where it has none."""
    undated = {version.version for version in joined.results.versions if not version.date}
    for updated, version in ENTRY.findall(joined.here.get(FEED, b"").decode(errors="replace")):
        if version in undated:
            with suppress(ValueError, OverflowError):
                return str(int(dt.datetime.fromisoformat(updated).timestamp()))
    return None


# A campaign's part of a site: which folders it has, and what of them can be understood.

COMPARE = re.compile(r"(compare/(?=[^/]+\.\.\.[^/])[^/]+/)")
# What tells that a folder is a version's, even where its results are gone.
OF_VERSION = ("results.json", "report.html", "report.md")
Read = TypeVar("Read")


@dataclass(frozen=True)
class CampaignFolder:
    """A campaign's part of a site: where it is, with its "/", and what of it can be understood."""

    files: Tree
    folder: str
    versions: Mapping[str, Version]
    comparisons: Mapping[str, Compared]
    history: Joined | None
    faults: Sequence[Discrepancy | Unchecked]


def _folders(files: Tree, folder: str) -> tuple[list[str], list[str]]:
    """Return the folders of versions and of comparisons in a campaign's, each with its "/"."""
    here = files.below(folder)
    versions = {name.partition("/")[0] for name in here if name.partition("/")[2] in OF_VERSION}
    # A page that leads on from an earlier name is the campaign's own.
    comparisons = {match[1] for name in here if (match := COMPARE.match(name)) and _is_compared(name)}
    return [f"{version}/" for version in sorted(versions)], sorted(comparisons)


def _is_compared(name: str) -> bool:
    return not name.endswith(f"/{INDEX}")


def check_sums(files: Tree, folder: str) -> Outcomes:
    """Yield what comes of the checksums of each version and comparison, and of the campaign's own files."""
    versions, comparisons = _folders(files, folder)
    for subfolder in (*versions, *comparisons):
        yield from check_listed(files, folder + subfolder)
    yield from check_listed(own_files(files, folder), folder)


def own_files(files: Tree, folder: str) -> Tree:
    """Return the files that are in a campaign's folder and in none of its versions or comparisons."""
    return files.without(tuple(folder + subfolder for both in _folders(files, folder) for subfolder in both))


def read_campaign(files: Tree, folder: str) -> CampaignFolder:
    """Return a campaign's part of a site, with what in it can't be understood."""
    faults: list[Discrepancy | Unchecked] = []

    def understood(reading: Callable[[Tree, str], Read], names: Sequence[str]) -> dict[str, Read]:
        parts = {}
        for name in names:
            try:
                parts[name] = reading(files, folder + name)
            except Unusable as error:
                faults.extend(error.differences)
        return parts

    own, compared = _folders(files, folder)
    versions = understood(read_version, own)
    comparisons = understood(read_comparison, compared)
    histories = understood(lambda files, file: differences.read_part(History, files, file), [HISTORY])
    joined = histories.get(HISTORY)
    history: Joined | None = None
    if joined:
        wrong = ill_written(files, {folder + HISTORY: joined}, joined.tool)
        history = Folder(own_files(files, folder), folder, joined, None, wrong)
        faults += wrong
    return CampaignFolder(files, folder, versions, comparisons, history, faults)


# What joins the versions of a campaign: its history, and the pages that are made of it.

ANNOTATORS = "counts/annotators.csv"


def check_history(folder: CampaignFolder) -> Outcomes:
    """Yield what comes of the checks of what joins the versions, and of the campaign's own pages."""
    if folder.history is None:
        return
    joined, here = folder.history.results, folder.history.here
    yield from _absent(folder, joined)
    yield from _misplaced(folder)
    if due := _joined(folder, joined):
        older = differences.another_program(joined.tool)
        yield from compare(content(joined), content(due), folder.folder + HISTORY, whole=True, older=older)
    languages = languages_of(here)
    data = [HISTORY, CHECKSUMS, *painted(here, "")]
    with at_moment(moment_of(folder.history)):
        yield from compare_rendered(folder.history, lambda: campaign_pages(joined, languages), data)


def _absent(folder: CampaignFolder, joined: History) -> Iterator[Discrepancy]:
    """Yield versions and comparisons that the history names and that are not there, and the other way."""
    due = [version.version for version in joined.versions]
    there = {_pair(comparison) for comparison in folder.comparisons.values()}
    missing = [version for version in due if f"{version}/" not in folder.versions]
    missing += [
        comparison_folder(comparison.first, comparison.second)
        for comparison in joined.comparisons
        if (comparison.first, comparison.second) not in there
    ]
    for version in missing:
        yield Discrepancy(f"{folder.folder}{version}/", f"is missing: {HISTORY} names it.", "files")
    for version in folder.versions:
        if version.rstrip("/") not in due:
            yield Discrepancy(folder.folder + version, f"was added: {HISTORY} does not name it.", "files")


def _misplaced(folder: CampaignFolder) -> Iterator[Discrepancy]:
    """Yield folders that hold another version, comparison or campaign than they are named after."""
    for name, version in folder.versions.items():
        own = version.results
        if name != f"{own.guidelines}/":
            yield misplaced(folder, name, f"the report of guidelines {own.guidelines}")
        elif folder.history and own.campaign.id != folder.history.results.campaign.id:
            yield misplaced(folder, name, f"a report of the campaign {own.campaign.id}")
    for name, compared in folder.comparisons.items():
        if name != f"{comparison_folder(*_pair(compared))}/":
            yield misplaced(folder, name, f"the comparison of {' and '.join(_pair(compared))}")


def misplaced(folder: CampaignFolder, name: str, what: str) -> Discrepancy:
    """Return the difference of a folder that holds another thing than its name says."""
    message = f"contains {what[: differences.SHOWN]}, and not what it is named after."
    return Discrepancy(folder.folder + name, message, "files")


def _joined(folder: CampaignFolder, joined: History) -> History | None:
    """Return the history as it follows from the results beside it; None where some of them are missing."""
    order = [version.version for version in joined.versions]
    if any(f"{version}/" not in folder.versions for version in order):
        return None
    versions = [folder.versions[f"{version}/"] for version in order]
    counts = [version.here.get(ANNOTATORS, b"").decode(errors="replace") for version in versions]
    comparisons = {_pair(comparison): comparison.results for comparison in folder.comparisons.values()}
    ordered = {pair: comparisons[pair] for pair in combinations(order, 2) if pair in comparisons}
    # What was released is recorded in the campaign's folder, and in the history alone.
    releases = {version.version: version.release for version in joined.versions if version.release}
    return history([version.results for version in versions], counts, ordered, releases)


@contextmanager
def at_moment(moment: str | None) -> Iterator[None]:
    """Have feeds take their dates from the moment that they were made with, whatever it is now."""
    before = os.environ.pop(DATED, None)
    if moment is not None:
        os.environ[DATED] = moment
    try:
        yield
    finally:
        os.environ.pop(DATED, None)
        if before is not None:
            os.environ[DATED] = before
