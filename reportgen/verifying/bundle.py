"""A bundle: its checksums, its report, and all that is written from the report beside it."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.progress import Steps
from reportgen.release import WRITERS, Released
from reportgen.release.names import CHECKSUMS, CRATE, EXPORTS, REPORT
from reportgen.verifying.beside import WITHOUT
from reportgen.verifying.checksums import check_checksums, joined
from reportgen.verifying.consistent import check_inputs, check_results
from reportgen.verifying.languages import languages_of
from reportgen.verifying.limits import too_large
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.reading import SHOWN, Unusable, differing, parsed
from reportgen.verifying.recomputing import from_counts, from_exports
from reportgen.verifying.rendered import another_version
from reportgen.verifying.tree import Tree
from reportgen.verifying.version import (
    Version,
    check_exports,
    check_figures,
    check_pages,
    read_version,
)


def check_bundle(files: Tree, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of each check of a bundle."""
    progress("checksums")
    whole, report = check_checksums(files), check_checksums(files, REPORT)
    # The report's files were counted as those of the bundle.
    yield replace(whole, differences=joined(whole.differences, report.differences))
    try:
        version = read_version(files, REPORT)
    except Unusable as error:
        yield Outcome(error.differences)
        return
    yield Outcome(version.faults)
    yield from check_content(version, progress)


def check_content(version: Version, progress: Steps) -> Iterator[Outcome]:
    """Yield what comes of the checks of what a bundle's results say, and what is made of them."""
    files, results = version.files, version.results
    yield check_inputs(results, files)
    if refused := too_large(results, version.here, version.folder):
        yield refused
        return
    progress("computing figures from counts")
    figures = [check_figures(version, from_counts(results, files))]
    progress("rendering pages")
    pages = check_pages(version, images=False)
    if any(name.startswith(EXPORTS) for name in files):
        progress("computing figures from exports")
        # What counts do not give, exports do; each number is told once.
        figures = [replace(each, unchecked=(), numbers=0) for each in figures]
        figures.append(check_exports(version, from_exports(results, files)))
        pages = replace(pages, unchecked=[each for each in pages.unchecked if each.why != WITHOUT])
    yield from figures
    # These are held against the figures as they are recorded, right or wrong.
    yield check_results(results, REPORT + "results.json")
    yield pages
    yield check_metadata(version)


def check_metadata(version: Version) -> Outcome:
    """Hold what machines and archives read against what is written of the report."""
    files, results = version.files, version.results
    try:
        date = _date(files)
    except Unusable as error:
        return Outcome(error.differences)
    if made_with := another_version(results.tool):
        return Outcome(unchecked=[Unchecked("metadata files", made_with, len(WRITERS))])
    base = {name: files[name] for name in files if name not in WRITERS and name != CHECKSUMS}
    released = Released(results, languages_of(files.below(REPORT)), date, base)
    return Outcome(list(_written(files, released)), pages=sum(name in files for name in WRITERS))


def _written(files: Tree, released: Released) -> Iterator[Difference]:
    """Yield where a file that is written of all others is another, each after those that it may describe."""
    for name, write in WRITERS.items():
        recorded = files.get(name, b"")
        try:
            due = write(released).encode()
        except Exception as error:  # noqa: BLE001 - files of a stranger, which may be made to fail anywhere
            why = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
            yield Difference(name, f"can't be written anew from the bundle's other files: {why}", "pages")
            due = recorded
        if name not in files:
            yield Difference(name, "is missing: the bundle's other files give it.", "pages")
        else:
            yield from differing(name, recorded, due, "pages")
        released = replace(released, files={**released.files, name: due})


def _date(files: Tree) -> str | None:
    """Return the day on which a bundle says it was published, None where it says none."""
    if CRATE not in files:
        return None
    crate = parsed(files, CRATE)
    graph = crate.get("@graph", []) if isinstance(crate, dict) else []
    said = [each["datePublished"] for each in graph if isinstance(each, dict) and "datePublished" in each]
    return said[0] if said and isinstance(said[0], str) else None
