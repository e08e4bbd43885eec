"""One version, in a site or a bundle: its results against its counts, its pages against its results."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import in_plain_words
from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, FIGURES, PAINTED
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
    content,
    differing,
)
from reportgen.publish.verify.file_tree import Tree, check_checksums, joined, languages_of
from reportgen.publish.verify.recomputing import COUNTS, RESULTS, Recomputed
from reportgen.report.site import version_pages
from reportgen.results import Part, Results, Tool, drop_retired, dumps, is_retired
from reportgen.results.comparison import TEXTS, VersionComparison
from reportgen.results.history import History
from reportgen.results.texts import Texts

# A folder of a site that has results, of a version, a comparison or a campaign.

Whole = TypeVar("Whole", Results, VersionComparison, History)
Beside = TypeVar("Beside", bound=Part)


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
    parts: dict[str, Part] = {path + name: part_results}
    if part_beside is not None:
        parts[path + second] = part_beside
    return Folder(files, path, part_results, part_beside, ill_written(files, parts, part_results.tool))


def ill_written(files: Tree, parts: Mapping[str, Part], tool: Tool) -> list[Discrepancy | Unchecked]:
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
    # The report's files are counted as those of the bundle.
    bundle_sums, report = (
        differences.together(check_checksums(files)),
        differences.together(check_checksums(files, REPORT)),
    )
    yield "files", bundle_sums.files
    yield from joined(bundle_sums.differences, report.differences)
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
