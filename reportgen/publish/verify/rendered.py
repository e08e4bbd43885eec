"""Are pages, tables and figures what this version of reportgen makes of the recorded results?"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from reportgen.base.atomic_replace import CHECKSUMS
from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy, Unchecked
from reportgen.publish.verify.tree import SHOWN, Tree, differing
from reportgen.results import Results, Tool
from reportgen.words.language import ENGLISH, NAMES

PAGES = "pages, tables and figures"
UNRENDERED = "they can't be rendered anew"
Files = Iterable[tuple[str, str]]


def another_program(recorded: Tool) -> str:
    """Return which version of reportgen made a report, where it is not this one; nothing where it is."""
    here = Tool.here()
    if (recorded.name, recorded.version) == (here.name, here.version):
        return ""
    said = f"{recorded.name[:SHOWN]} {recorded.version[:SHOWN]}"
    return f"they were made with {said}; here is {here.name} {here.version}"


def another_version(recorded: Tool) -> str:
    """Return what made a report, where it is not what runs here; nothing where it is.

    Pages come out the same with the same version and the same libraries, and need not with any other.
    """
    here = Tool.here()
    if recorded == here:
        return ""
    mine = {here.name: here.version, **here.libraries}
    theirs = {recorded.name: recorded.version, **recorded.libraries}
    told = [f"{name} {theirs.get(name, '?')[:SHOWN]}" for name in mine if theirs.get(name) != mine[name]]
    more = [f"{name[:SHOWN]} {theirs[name][:SHOWN]}" for name in theirs if name not in mine]
    here_there = ", ".join(f"{name} {mine[name]}" for name in mine if theirs.get(name) != mine[name])
    return f"they were made with {', '.join([*told, *more])}; here is {here_there or 'none of it'}"


def hold(  # noqa: PLR0913, PLR0917 - what is held against what, and where it stands
    files: Tree,
    folder: str,
    rendered: Callable[[], Files],
    data: Collection[str],
    recorded: Tool,
    unsure: Mapping[str, str] = {},
) -> CheckOutcome:
    """Hold the files of a folder against what is rendered of its results, byte for byte.

    `data` are those that are not rendered; of those in `unsure` results do not tell what they hold, and why.
    """
    here = files.below(folder)
    others = [name for name in here if name not in data and name != CHECKSUMS]
    if made_with := another_version(recorded):
        return CheckOutcome(unchecked=[Unchecked(PAGES, made_with, len(others))])
    try:
        pages = dict(rendered())
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        why = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
        what = f"can't be rendered anew from the recorded results: {why}"
        return CheckOutcome(
            [Discrepancy(folder or ".", what, "pages")], [Unchecked(PAGES, UNRENDERED, len(others))]
        )
    return CheckOutcome(
        differences=[*_differences(here, folder, pages, others, unsure)],
        unchecked=[
            Unchecked("tables", unsure[name])
            for name in others
            if name in unsure and not _same(here, name, pages)
        ],
        pages=sum(name in here for name in pages),
    )


def _same(files: Tree, name: str, pages: Mapping[str, str]) -> bool:
    return name in pages and name in files and files[name] == pages[name].encode()


def _differences(
    files: Tree, folder: str, pages: Mapping[str, str], others: Sequence[str], unsure: Collection[str]
) -> Iterator[Discrepancy]:
    for name, text in sorted(pages.items()):
        if name not in files:
            yield Discrepancy(folder + name, "is missing: the recorded results give it.", "pages")
        elif name not in unsure:
            yield from differing(folder + name, files[name], text.encode(), "pages")
    for name in others:
        if name not in pages and name not in unsure:
            yield Discrepancy(folder + name, "was added: the recorded results do not give it.", "pages")


# Tables that stand beside results.json because they are too large for it: which of them may be there.

WITHOUT = "results.json has them in part, and counts alone do not give them"
MANY_LEFT_OUT = 1000
CELLS = "tables/cells.csv"


def unsure_tables(results: Results, files: Tree) -> dict[str, str]:
    """Return the tables of a version's folder that can't be rendered from its results, with the reason."""
    return {name: WITHOUT for name in files if name.startswith("tables/") and _may_stand(results, name)}


def tables_from_counts(results: Results) -> list[str]:
    """Return the tables that are not rendered from results, and that counts give."""
    pairs = (pair for each in results.unit_sets for pair in each.pairs)
    return [CELLS] if any(pair.confusion.cells is not None for pair in pairs) else []


def _may_stand(results: Results, name: str) -> bool:
    """Tell whether a table is one of those that results say to be larger than what they have of it."""
    return name in {*_possible(results), *_of_quality(results)}


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


# In which languages a folder's pages are, the first one first: as they stand, for no results say so.

HEAD = 4096
LANGUAGE = re.compile(rb'<html\s[^<>]*?lang="([A-Za-z-]+)"')


def languages_of(files: Tree) -> tuple[str, ...]:
    """Return the languages of a folder's pages."""
    first = _first(files)
    others = [each for each in NAMES if each != first and any(name.startswith(f"{each}/") for name in files)]
    return (first, *others)


def _first(files: Tree) -> str:
    """Return the language of the first edition: what most of its pages say of themselves."""
    pages = [name for name in ("index.html", "report.html", "measures/index.html") if name in files]
    said = [found[1].decode() for each in pages if (found := LANGUAGE.search(files[each][:HEAD]))]
    known = [each for each in said if each in NAMES]
    return max(known, key=known.count, default=ENGLISH)
