"""Are pages, tables and figures what this version of reportgen makes of the recorded results?"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from reportgen.exchange import CHECKSUMS
from reportgen.record import tool
from reportgen.results import Tool
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.reading import SHOWN, differing
from reportgen.verifying.tree import Tree

PAGES = "pages, tables and figures"
UNRENDERED = "they can't be rendered anew"
Files = Iterable[tuple[str, str]]


def another_program(recorded: Tool) -> str:
    """Return which version of reportgen made a report, where it is not this one; nothing where it is."""
    here = Tool.model_validate(tool())
    if (recorded.name, recorded.version) == (here.name, here.version):
        return ""
    said = f"{recorded.name[:SHOWN]} {recorded.version[:SHOWN]}"
    return f"they were made with {said}; here is {here.name} {here.version}"


def another_version(recorded: Tool) -> str:
    """Return what made a report, where it is not what runs here; nothing where it is.

    Pages come out the same with the same version and the same libraries, and need not with any other.
    """
    here = Tool.model_validate(tool())
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
) -> Outcome:
    """Hold the files of a folder against what is rendered of its results, byte for byte.

    `data` are those that are not rendered; of those in `unsure` results do not tell what they hold, and why.
    """
    here = files.below(folder)
    others = [name for name in here if name not in data and name != CHECKSUMS]
    if made_with := another_version(recorded):
        return Outcome(unchecked=[Unchecked(PAGES, made_with, len(others))])
    try:
        pages = dict(rendered())
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        why = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
        what = f"can't be rendered anew from the recorded results: {why}"
        return Outcome(
            [Difference(folder or ".", what, "pages")], [Unchecked(PAGES, UNRENDERED, len(others))]
        )
    return Outcome(
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
) -> Iterator[Difference]:
    for name, text in sorted(pages.items()):
        if name not in files:
            yield Difference(folder + name, "is missing: the recorded results give it.", "pages")
        elif name not in unsure:
            yield from differing(folder + name, files[name], text.encode(), "pages")
    for name in others:
        if name not in pages and name not in unsure:
            yield Difference(folder + name, "was added: the recorded results do not give it.", "pages")
