"""One version, in a site or a bundle: its results against its counts, its pages against its results."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from reportgen.base.progress import Steps
from reportgen.base.site_folder import CHECKSUMS, FIGURES, PAINTED
from reportgen.pipeline.version_reports import Report
from reportgen.publish.bundle import WRITERS
from reportgen.publish.bundle_files import CRATE, EXPORTS, REPORT, Released
from reportgen.publish.verify import differences, recomputing
from reportgen.publish.verify.differences import (
    Check,
    CheckOutcome,
    Discrepancy,
    Unchecked,
    Unusable,
    content,
    together,
)
from reportgen.publish.verify.file_tree import Tree, check_checksums, joined, languages_of
from reportgen.publish.verify.recomputing import COUNTS, RESULTS
from reportgen.report.site import version_pages
from reportgen.results import Results, Tool, dumps
from reportgen.results.texts import Texts

# Are pages, tables and figures what this version of reportgen makes of the recorded results?

PAGES = "pages, tables and figures"
UNRENDERED = "they can't be rendered again"
Files = Iterable[tuple[str, str]]


def compare_rendered(  # noqa: PLR0913, PLR0917 - what is compared with what, and where it is
    files: Tree,
    folder: str,
    rendered: Callable[[], Files],
    data: Collection[str],
    recorded: Tool,
    unsure: Mapping[str, str] = {},
) -> CheckOutcome:
    """Compare the files of a folder with what is rendered of its results, byte for byte.

    `data` are those that are not rendered; of those in `unsure` results do not tell what they hold, and why.
    """
    here = files.below(folder)
    others = [name for name in here if name not in data and name != CHECKSUMS]
    if made_with := differences.another_version(recorded):
        return CheckOutcome(unchecked=[Unchecked(PAGES, made_with, len(others))])
    try:
        pages = dict(rendered())
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        what = f"can't be rendered again from the recorded results: {differences.in_words(error)}"
        return CheckOutcome(
            [Discrepancy(folder or ".", what, "pages")], [Unchecked(PAGES, UNRENDERED, len(others))]
        )
    wrong: list[Discrepancy] = []
    for name, text in sorted(pages.items()):
        if name not in here:
            what = "is missing: the recorded results give it."
            wrong.append(Discrepancy(folder + name, what, "pages"))
        elif name not in unsure:
            wrong += differences.differing(folder + name, here[name], text.encode(), "pages")
    what = "was added: the recorded results do not give it."
    added = (name for name in others if name not in pages and name not in unsure)
    wrong += [Discrepancy(folder + name, what, "pages") for name in added]
    known = [name for name in others if name in unsure]
    differing = [name for name in known if name not in pages or here[name] != pages[name].encode()]
    unchecked = [Unchecked("tables", unsure[name]) for name in differing]
    return CheckOutcome(wrong, unchecked, pages=sum(name in here for name in pages))


# Tables that are beside results.json because they are too large for it: which of them may be there.

WITHOUT = "results.json has them in part, and counts alone do not give them"
MANY_LEFT_OUT = 1000
CELLS = "tables/cells.csv"


def unsure_tables(results: Results, files: Tree) -> dict[str, str]:
    """Return the tables of a version's folder that can't be rendered from its results, with the reason."""
    possible = {*_possible(results), *_of_quality(results)}
    return {name: WITHOUT for name in files if name in possible}


def tables_from_counts(results: Results) -> list[str]:
    """Return the tables that are not rendered from results, and that counts give."""
    pairs = (pair for each in results.unit_sets for pair in each.pairs)
    return [CELLS] if any(pair.confusion.cells is not None for pair in pairs) else []


def _of_quality(results: Results) -> Iterator[str]:
    for each in results.quality or ():
        if each.annotators_in_all > len(each.annotators):
            yield f"tables/annotators.{each.layer}.csv"
        if each.controls and each.controls.annotators_in_all > len(each.controls.annotators):
            yield f"tables/controls-{each.layer}.csv"
        if each.dawid_skene.undefined is None:
            yield f"tables/dawid-skene.{each.layer}.csv"


def _possible(results: Results) -> Iterator[str]:
    if results.marks.left_out > MANY_LEFT_OUT:
        yield "tables/left-out.csv"
    if any(not each.pairs for each in results.unit_sets):
        yield "tables/pairs.csv"
    if results.comparisons and any(each.crowded for each in results.comparisons.sets):
        yield "tables/comparisons-of-all.csv"
    if results.spans and any(each.crowded for each in results.spans.layers):
        yield "tables/spans.csv"
    if results.spans and any(each.by_document is None for each in results.spans.pairs):
        yield "tables/spans-by-document.csv"
    if results.adjudication and any(each.listed for each in results.adjudication):
        yield "tables/adjudication.csv"
    yield from (f"tables/bdm-{each.id}.csv" for each in results.distances if each.origin)


# One guidelines version: its results against its counts, its pages against its results.

TEXTS = "texts.json"
# How a page that is in a site begins: it leads up to the campaign's.
UP = b'<p class="crumbs"><a '
PARQUET = ".parquet"
AS_CSV = "their bytes hang on the version of pyarrow; the CSV beside each was checked"
DESCRIBED, DAMAGED = "counts/counts.json", "there is nothing to compute them from"
NAMES_OF_COUNTS, NO_FIGURE = (
    "order of labels, candidates, size of the inventory, and whose marks were left out, in counts.json",
    "no figure hangs on it",
)
BY_HAND = "`build --figures` painted them; no checksum lists them"


@dataclass(frozen=True)
class VersionFolder:
    """A version's folder: where it is, with its "/", its results, and its texts where they are shown."""

    files: Tree
    folder: str
    results: Results
    texts: Texts | None = None
    faults: tuple[Discrepancy, ...] = ()

    @property
    def here(self) -> Tree:
        """Return the version's own files."""
        return self.files.below(self.folder)


def read_version(files: Tree, folder: str) -> VersionFolder:
    """Return the results in a version's folder; raises Unusable where they can't be understood."""
    results, texts, faults = differences.read_with(Results, files, folder + RESULTS, Texts, folder + TEXTS)
    return VersionFolder(files, folder, results, texts, tuple(faults))


def painted(files: Tree, folder: str) -> list[str]:
    """Return the figures of a folder, by their paths there, that were painted beside one that is listed."""
    here = files.below(folder)
    return [name for name in here if name.endswith(PAINTED) and _is_painted(here, name)]


def _is_painted(here: Tree, name: str) -> bool:
    above, _, own = name.rpartition("/")
    return above.rpartition("/")[2] == FIGURES and f"{above}/{own.rpartition('.')[0]}.svg" in here


def check_listed(files: Tree, folder: str) -> CheckOutcome:
    """Check the checksums of a folder of a site; images beside figures are listed nowhere."""
    aside = painted(files, folder)
    unchecked = [Unchecked("PNG and PDF of figures", BY_HAND, len(aside))] if aside else []
    return together((check_checksums(files, folder, aside), CheckOutcome(unchecked=unchecked)))


def check_figures(version: VersionFolder, recomputed: recomputing.Recomputed) -> CheckOutcome:
    """Compare recorded figures, and tables beside them, with those computed again from counts."""
    if recomputed.report is None:
        number = differences.numbers_in(content(version.results)["unit_sets"])
        return CheckOutcome(recomputed.differences, [Unchecked("figures of results.json", DAMAGED, number)])
    compared = differences.compare(
        content(version.results),
        content(recomputed.report.results),
        version.folder + RESULTS,
        older=differences.another_program(version.results.tool),
    )
    tables = _tables(version, recomputed.report, lambda name: name.startswith(COUNTS) or name == CELLS)
    differing = [Unchecked(NAMES_OF_COUNTS, NO_FIGURE)] if DESCRIBED in version.here else []
    if version.texts is not None:
        differing.append(
            Unchecked(
                f"texts and marks in {TEXTS}", differences.WITHOUT_EXPORTS, len(version.texts.documents)
            )
        )
    return together((compared, CheckOutcome([*recomputed.differences, *tables], differing)))


def check_exports(version: VersionFolder, recomputed: recomputing.Recomputed) -> CheckOutcome:
    """Compare results, texts and tables with those computed again from exports, byte for byte."""
    if recomputed.report is None:
        return CheckOutcome(recomputed.differences)
    found, here = recomputed.report, version.folder
    compared = differences.compare(
        content(version.results), content(found.results), here + RESULTS, "exports", whole=True
    )
    exact = differences.differing(
        here + RESULTS, version.here[RESULTS], dumps(found.results).encode(), "exports"
    )
    texts = list(_texts(version, found))
    tables = _tables(version, found, lambda _: True)
    return together((compared, CheckOutcome([*([] if compared.differences else exact), *texts, *tables])))


def _texts(version: VersionFolder, found: Report) -> Iterator[Discrepancy]:
    name = version.folder + TEXTS
    if version.texts is None and found.texts is not None:
        yield Discrepancy(name, "is missing: the exports give it, and the settings show it.", "exports")
    elif version.texts is not None and found.texts is None:
        yield Discrepancy(name, "was added: the exports do not give it, or the settings hide it.", "exports")
    elif found.texts is not None:
        yield from differences.differing(name, version.here[TEXTS], dumps(found.texts).encode(), "exports")


def _tables(version: VersionFolder, found: Report, wanted: Callable[[str], bool]) -> list[Discrepancy]:
    """Return where counts, and tables too large for results, are not as they come out again."""
    here = version.here
    wrong: list[Discrepancy] = []
    for name, text in found.beside.items():
        if name in here:
            check: Check = "figures" if name.startswith(COUNTS) or name == CELLS else "exports"
            wrong += differences.differing(version.folder + name, here[name], text.encode(), check)
        elif wanted(name):
            wrong.append(_of_figures(version, name, "is missing: the figures give it."))
    for name in here:
        table = f"{name.removesuffix(PARQUET)}.csv" if name.endswith(PARQUET) else name
        if name.startswith(COUNTS) and table not in found.beside:
            wrong.append(_of_figures(version, name, "was added: the figures do not give it."))
    return wrong


def _of_figures(version: VersionFolder, name: str, what: str) -> Discrepancy:
    return Discrepancy(version.folder + name, what, "figures")


def check_pages(version: VersionFolder, *, images: bool) -> CheckOutcome:
    """Compare pages, tables and figures with what the recorded results give."""
    here = version.here
    languages = languages_of(here)
    unsure = unsure_tables(version.results, here)
    counts = (name for name in here if name.startswith(COUNTS))
    data = {RESULTS, TEXTS, *counts, *tables_from_counts(version.results)}
    in_site = "index.html" in here and UP in here["index.html"]
    aside = painted(version.files, version.folder) if images else []

    def rendered() -> Iterator[tuple[str, str]]:
        yield from version_pages(version.results, data, version.texts, languages, in_site=in_site)

    compared = compare_rendered(
        version.files, version.folder, rendered, [*data, *aside], version.results.tool, unsure
    )
    tables = sum(name.endswith(PARQUET) for name in here)
    return together(
        (compared, CheckOutcome(unchecked=[Unchecked("Parquet tables", AS_CSV, tables)] if tables else []))
    )


# A bundle: its checksums, its report, and all that is written from the report beside it.


def check_bundle(files: Tree, progress: Steps) -> Iterator[CheckOutcome]:
    """Yield what comes of each check of a bundle."""
    progress("checksums")
    whole, report = check_checksums(files), check_checksums(files, REPORT)
    # The report's files were counted as those of the bundle.
    yield replace(whole, differences=joined(whole.differences, report.differences))
    try:
        version = read_version(files, REPORT)
    except Unusable as error:
        yield CheckOutcome(error.differences)
        return
    yield CheckOutcome(version.faults)
    yield from _check_content(version, progress)


def _check_content(version: VersionFolder, progress: Steps) -> Iterator[CheckOutcome]:
    """Yield what comes of the checks of what a bundle's results say, and what is made of them."""
    files, results = version.files, version.results
    yield recomputing.check_inputs(results, files)
    if refused := recomputing.too_large(results, version.here, version.folder):
        yield refused
        return
    progress("computing figures from counts")
    figures = [check_figures(version, recomputing.from_counts(results, files))]
    progress("rendering pages")
    pages = check_pages(version, images=False)
    if any(name.startswith(EXPORTS) for name in files):
        progress("computing figures from exports")
        # What counts do not give, exports do; each number is reported once.
        figures = [replace(each, unchecked=(), numbers=0) for each in figures]
        figures.append(check_exports(version, recomputing.from_exports(results, files)))
        pages = replace(pages, unchecked=[each for each in pages.unchecked if each.why != WITHOUT])
    yield from figures
    # These are compared with the figures as they are recorded, right or wrong.
    yield recomputing.check_results(results, REPORT + "results.json")
    yield pages
    yield _check_metadata(version)


def _check_metadata(version: VersionFolder) -> CheckOutcome:
    """Compare what machines and archives read with what is written of the report."""
    files, results = version.files, version.results
    try:
        date = _date(files)
    except Unusable as error:
        return CheckOutcome(error.differences)
    if made_with := differences.another_version(results.tool):
        return CheckOutcome(unchecked=[Unchecked("metadata files", made_with, len(WRITERS))])
    base = {name: files[name] for name in files if name not in WRITERS and name != CHECKSUMS}
    released = Released(results, languages_of(files.below(REPORT)), date, base)
    return CheckOutcome(list(_written(files, released)), pages=sum(name in files for name in WRITERS))


def _written(files: Tree, released: Released) -> Iterator[Discrepancy]:
    """Yield where a file that is written of all others is another, each after those that it may describe."""
    for name, write in WRITERS.items():
        recorded = files.get(name, b"")
        try:
            due = write(released).encode()
        except Exception as error:  # noqa: BLE001 - files of a stranger, which may be made to fail anywhere
            what = f"can't be written again from the bundle's other files: {differences.in_words(error)}"
            yield Discrepancy(name, what, "pages")
            due = recorded
        if name not in files:
            yield Discrepancy(name, "is missing: the bundle's other files give it.", "pages")
        else:
            yield from differences.differing(name, recorded, due, "pages")
        released = replace(released, files={**released.files, name: due})


def _date(files: Tree) -> str | None:
    """Return the day on which a bundle says it was published, None where it says none."""
    if CRATE not in files:
        return None
    crate = differences.parsed(files, CRATE)
    graph = crate.get("@graph", []) if isinstance(crate, dict) else []
    said = [each["datePublished"] for each in graph if isinstance(each, dict) and "datePublished" in each]
    return said[0] if said and isinstance(said[0], str) else None
