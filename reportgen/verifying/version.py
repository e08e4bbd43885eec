"""One guidelines version: its results against its counts, its pages against its results."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportgen.exchange import FIGURES, PAINTED
from reportgen.report import version_pages
from reportgen.reports import Report
from reportgen.results import Results, dumps
from reportgen.results.texts import Texts
from reportgen.verifying.beside import CELLS, tables_from_counts, unsure_tables
from reportgen.verifying.checksums import check_checksums
from reportgen.verifying.consistent import content, everything
from reportgen.verifying.figures import compare, numbers_in
from reportgen.verifying.languages import languages_of
from reportgen.verifying.outcome import Difference, Outcome, Unchecked, together
from reportgen.verifying.reading import differing, form, read
from reportgen.verifying.recomputing import Recomputed
from reportgen.verifying.rendered import another_program, hold
from reportgen.verifying.tree import Tree
from reportgen.verifying.unchecked import WITHOUT_EXPORTS

RESULTS, TEXTS = "results.json", "texts.json"
# How a page that stands in a site begins: it leads up to the campaign's.
UP = b'<p class="crumbs"><a '
COUNTS, PARQUET = "counts/", ".parquet"
AS_CSV = "their bytes hang on the version of pyarrow; the CSV beside each was checked"
DESCRIBED, DAMAGED = "counts/counts.json", "there is nothing to compute them from"
NAMES_OF_COUNTS, UNHELD = (
    "order of labels, candidates, size of the inventory, and whose marks were left out, in counts.json",
    "no figure hangs on it",
)
BY_HAND = "`build --figures` painted them; no checksum lists them"


@dataclass(frozen=True)
class Version:
    """A version's folder: where it stands, with its "/", its results, and its texts where they are shown."""

    files: Tree
    folder: str
    results: Results
    texts: Texts | None = None
    faults: tuple[Difference, ...] = ()

    @property
    def here(self) -> Tree:
        """Return the version's own files."""
        return self.files.below(self.folder)


def read_version(files: Tree, folder: str) -> Version:
    """Return the results in a version's folder; raises Unusable where they can't be understood."""
    here = files.below(folder)
    results = read(Results, here, RESULTS, folder + RESULTS)
    older = bool(another_program(results.tool))
    faults = form(results, here, RESULTS, folder + RESULTS, older=older)
    texts = None
    if TEXTS in here:
        texts = read(Texts, here, TEXTS, folder + TEXTS)
        faults += form(texts, here, TEXTS, folder + TEXTS, older=older)
    return Version(files, folder, results, texts, tuple(faults))


def painted(files: Tree, folder: str) -> list[str]:
    """Return the figures of a folder, by their paths there, that were painted beside one that is listed."""
    here = files.below(folder)
    return [name for name in here if name.endswith(PAINTED) and _is_painted(here, name)]


def _is_painted(here: Tree, name: str) -> bool:
    above, _, own = name.rpartition("/")
    return above.rpartition("/")[2] == FIGURES and f"{above}/{own.rpartition('.')[0]}.svg" in here


def check_listed(files: Tree, folder: str, *, images: bool) -> Outcome:
    """Check the checksums of a folder; images beside figures are listed nowhere, if they may be there."""
    aside = painted(files, folder) if images else []
    unchecked = [Unchecked("PNG and PDF of figures", BY_HAND, len(aside))] if aside else []
    return together((check_checksums(files, folder, aside), Outcome(unchecked=unchecked)))


def check_figures(version: Version, recomputed: Recomputed) -> Outcome:
    """Hold recorded figures, and tables beside them, against those computed anew from counts."""
    if recomputed.report is None:
        return Outcome(recomputed.differences, [_all_figures(version)])
    held = compare(
        content(version.results),
        content(recomputed.report.results),
        version.folder + RESULTS,
        older=another_program(version.results.tool),
    )
    tables = _tables(version, recomputed.report, lambda name: name.startswith(COUNTS) or name == CELLS)
    unheld = [Unchecked(NAMES_OF_COUNTS, UNHELD)] if DESCRIBED in version.here else []
    if version.texts is not None:
        unheld.append(Unchecked(f"texts and marks in {TEXTS}", WITHOUT_EXPORTS, len(version.texts.documents)))
    return together((held, Outcome([*recomputed.differences, *tables], unheld)))


def _all_figures(version: Version) -> Unchecked:
    return Unchecked("figures of results.json", DAMAGED, numbers_in(content(version.results)["unit_sets"]))


def check_exports(version: Version, recomputed: Recomputed) -> Outcome:
    """Hold results, texts and tables against those computed anew from exports, byte for byte."""
    if recomputed.report is None:
        return Outcome(recomputed.differences)
    found, here = recomputed.report, version.folder
    held = compare(content(version.results), content(found.results), here + RESULTS, "exports", everything)
    exact = differing(here + RESULTS, version.here[RESULTS], dumps(found.results).encode(), "exports")
    texts = list(_texts(version, found))
    tables = _tables(version, found, lambda _: True)
    return together((held, Outcome([*([] if held.differences else exact), *texts, *tables])))


def _texts(version: Version, found: Report) -> Iterator[Difference]:
    name = version.folder + TEXTS
    if version.texts is None and found.texts is not None:
        yield Difference(name, "is missing: the exports give it, and the settings show it.", "exports")
    elif version.texts is not None and found.texts is None:
        yield Difference(name, "was added: the exports do not give it, or the settings hide it.", "exports")
    elif found.texts is not None:
        yield from differing(name, version.here[TEXTS], dumps(found.texts).encode(), "exports")


def _tables(version: Version, found: Report, wanted: Callable[[str], bool]) -> list[Difference]:
    """Return where counts, and tables too large for results, are not as they come out anew."""
    here = version.here
    differences: list[Difference] = []
    for name, text in found.beside.items():
        if name in here:
            check = "figures" if name.startswith(COUNTS) or name == CELLS else "exports"
            differences += differing(version.folder + name, here[name], text.encode(), check)
        elif wanted(name):
            differences.append(
                Difference(version.folder + name, "is missing: the figures give it.", "figures")
            )
    for name in here:
        table = f"{name.removesuffix(PARQUET)}.csv" if name.endswith(PARQUET) else name
        if name.startswith(COUNTS) and table not in found.beside:
            differences.append(
                Difference(version.folder + name, "was added: the figures do not give it.", "figures")
            )
    return differences


def check_pages(version: Version, *, images: bool) -> Outcome:
    """Hold pages, tables and figures against what the recorded results give."""
    here = version.here
    languages = languages_of(here)
    unsure = unsure_tables(version.results, here)
    counts = (name for name in here if name.startswith(COUNTS))
    data = {RESULTS, TEXTS, *counts, *tables_from_counts(version.results)}
    in_site = "index.html" in here and UP in here["index.html"]
    aside = painted(version.files, version.folder) if images else []

    def rendered() -> Iterator[tuple[str, str]]:
        yield from version_pages(version.results, data, version.texts, languages, in_site=in_site)

    held = hold(version.files, version.folder, rendered, [*data, *aside], version.results.tool, unsure)
    tables = sum(name.endswith(PARQUET) for name in here)
    return together(
        (held, Outcome(unchecked=[Unchecked("Parquet tables", AS_CSV, tables)] if tables else []))
    )
