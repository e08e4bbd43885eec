"""`reportgen merge`: what a bundle says of a corpus, in a publisher's card, Croissant file and citation."""

import difflib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.cli.common import explained, say

if TYPE_CHECKING:
    from reportgen.publish.merge_offers import MergedFile


DIFFERENT = 1
NONE_WRITTEN = "; nothing was written"
NEWLINE = re.compile(r"[^\n]*\n|[^\n]+")


def merge(  # noqa: PLR0917 - one argument for each option
    bundle: Annotated[Path, typer.Argument(help="A bundle, a zip file or a folder.")],
    targets: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Your README.md (a dataset card), croissant.json, CITATION.cff."
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Write without asking.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 where something would change.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let the report's fields take the place of your own.")
    ] = False,
    link: Annotated[
        str | None, typer.Option(help="Where the report stands, as the card is to link to it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the changes as JSON.")] = False,
) -> None:
    """Put what a bundle says into your own files."""
    with explained(NONE_WRITTEN):
        from reportgen.publish.merge import outcomes, write
        from reportgen.publish.merge_offers import offered

        done = outcomes(offered(bundle), bundle, targets, link, replace=replace)
        if not as_json:
            _show(done)
        wanted = any(each.changed for each in done)
        agreed = wanted and not check and (yes or _asked(done, as_json=as_json))
        if agreed:
            write(done)
    if as_json:
        _print_json(done, written=agreed)
    elif agreed or not wanted:
        for each in done:
            typer.echo(_shown(f"{each.target.path}: {'written' if each.changed else 'nothing to change'}"))
    if wanted and not agreed:
        if not check:
            say("Nothing was written: --yes writes it.")
        raise typer.Exit(DIFFERENT)


def _show(done: Sequence["MergedFile"]) -> None:
    for each in done:
        for line in _difference(each):
            typer.echo(_shown(line))
        for kept in each.kept:
            say(f"{each.target.path}: {kept}")
        if each.kept:
            say("--replace puts the report's words in their place.")


def _asked(done: Sequence["MergedFile"], *, as_json: bool) -> bool:
    """Ask on a terminal whether to write; elsewhere nobody can answer."""
    if as_json or not _on_terminal():
        return False
    number = sum(each.changed for each in done)
    return typer.confirm(f"Write {number} file{'s' if number > 1 else ''}?")


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _difference(each: "MergedFile") -> Iterator[str]:
    """Yield the lines of a unified difference, as `diff -u` and `patch` have it."""
    name = str(each.target.path)
    before, after = (NEWLINE.findall(text.decode()) for text in (each.target.content, each.content))
    for line in difflib.unified_diff(before, after, f"{name} (as it is)", f"{name} (merged)"):
        yield line.rstrip("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _shown(line: str) -> str:
    from reportgen.base.errors import printable

    return printable(line.rstrip("\r").replace("\t", "    "))


def _print_json(done: Sequence["MergedFile"], *, written: bool) -> None:
    content: list[dict[str, Any]] = [
        {
            "file": str(each.target.path),
            "kind": each.target.kind,
            "changed": each.changed,
            "written": written and each.changed,
            "kept": list(each.kept),
            "difference": list(_difference(each)),
        }
        for each in done
    ]
    # JSON is UTF-8 whatever the terminal speaks.
    typer.echo(json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1).encode())
